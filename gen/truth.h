/* The true value and distance of every position of a folder of tables: blocks read from the tables, positions
 * with a capture resolved by searching their captures, kept in memory up to a budget. It uses what every
 * reader of tables uses and nothing of the solvers. No MPI; one thread at a time. */
#ifndef GEN_TRUTH_H
#define GEN_TRUTH_H

#include "table.h"
#include "value.h"

enum {
    TRUTH_LOG2 = 12,
    TRUTH_SIZE = 1 << TRUTH_LOG2, /* positions of a block here, whatever the tables' own blocks are */
    TRUTH_CAPTURE = 0x80          /* in a value: own has a capture */
};

/* A block with all its positions resolved. Distances of positions without a capture that are not drawn mean
 * something only where the slice has a table of distances. */
struct truth_block {
    uint8_t values[TRUTH_SIZE]; /* enum value, with TRUTH_CAPTURE */
    uint16_t distances[TRUTH_SIZE];
    bool recent; /* looked at since the clock's hand passed */
    bool pinned; /* being filled */
    struct truth_block **holder;
};

/* One slice of the folder. */
struct truth_slice {
    struct slice slice;
    const struct numbering *numbering;
    const struct table *values;
    const struct table *distances; /* null: the folder has none */
    int member;                    /* of both tables */
    uint64_t block_count;
    struct truth_block **blocks; /* those in memory */
};

struct truth;

/* Makes a truth of the tables in `directory` (the variant's own), empty yet; the caller destroys it.
 * STATUS_NO_MEMORY. */
enum status truth_create(const struct variant *variant, const char *directory, struct truth **truth);
void truth_destroy(struct truth *truth);

/* Opens the tables of a pair: that of values must be there, that of distances may be. All statuses of
 * table_open. */
enum status truth_add(struct truth *truth, struct slice pair);

/* Bytes that the tables added so far take besides blocks, and what the blocks may take from now on. At least
 * TRUTH_LEAST_MEMORY is taken as given. */
uint64_t truth_fixed_memory(const struct truth *truth);
void truth_set_memory(struct truth *truth, uint64_t bytes);
enum { TRUTH_LEAST_MEMORY = 1 << 18 };

/* The slice, or null if its pair was not added. */
struct truth_slice *truth_find(const struct truth *truth, struct slice slice);

const struct variant *truth_variant(const struct truth *truth);

/* The line that tells why a call failed. */
const char *truth_message(const struct truth *truth);
/* Its status: a block that cannot be read, a table that was not added, a position with too many moves. */
enum status truth_status(const struct truth *truth);

/* A failure that a user of the truth found: as if a call had failed with it. */
enum status truth_fail(struct truth *truth, struct slice slice, enum metric metric, enum status status,
                       const char *fault);

/* Brings a block into memory. Null if that fails. */
const struct truth_block *truth_load(struct truth *truth, struct truth_slice *slice, uint64_t block);

/* The block that holds a number of the slice, or null if it cannot be read. It stays until the next call. */
static inline const struct truth_block *truth_block(struct truth *truth, struct truth_slice *slice,
                                                    uint64_t number)
{
    struct truth_block *block = slice->blocks[number >> TRUTH_LOG2];
    if (!block)
        return truth_load(truth, slice, number >> TRUTH_LOG2);
    block->recent = true;
    return block;
}

#endif
