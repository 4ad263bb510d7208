/* Writes a table file from values, or from values and distances: chooses the payload, fills what is free,
 * compresses, names it at the end. No MPI, no solving: values come from a function. The bytes are in
 * probe/format.h and docs/format.md. */
#ifndef GEN_TABLE_WRITER_H
#define GEN_TABLE_WRITER_H

#include "format.h"
#include "manifest.h"
#include "table.h"

/* In a fetched byte: the position has a capture. The low bits are its true value all the same. */
enum { FETCHED_CAPTURE = 0x80 };

/* Where values come from. `fetch` fills `count` bytes for the positions from number `first` of a member (0:
 * the slice that names the pair, 1: its mirror): an enum value, with FETCHED_CAPTURE where own has a capture.
 * `fetch_distances`, for tables of METRIC_DTZ only, fills their true distances in plies, of positions with a
 * capture too, 0 for draws.
 * Each is called twice for every block in the order of the numbers, and for some blocks more often in
 * between, always with the same answers; `count` is at most a block. Any status but STATUS_OK ends the
 * writing with that status. */
struct table_source {
    enum status (*fetch)(void *context, int member, uint64_t first, size_t count, uint8_t *values);
    enum status (*fetch_distances)(void *context, int member, uint64_t first, size_t count,
                                   uint16_t *distances);
    void *context;
};

/* Of zstd. The level for release takes half as long again and saves 3 % of the bytes (docs/performance.md).
 * Tables of distances are larger, and gain little from a higher level (docs/format.md). */
enum { DEFAULT_LEVEL = 9, DEFAULT_DISTANCE_LEVEL = 6, RELEASE_LEVEL = 19 };

/* All zero is a fine default. */
struct table_options {
    enum metric metric;        /* 0: METRIC_WDL */
    int level;                 /* of zstd, 1 to 22; 0: the default of the metric */
    int block_log2;            /* positions of a block; 0: DEFAULT_BLOCK_LOG2 */
    enum payload_kind payload; /* of values, forced, for tests; PAYLOAD_NONE: the better one */
    struct digest inputs;      /* of the tables that the values were made from */
};

/* What was written. */
struct table_summary {
    struct table_header header;
    struct manifest_entry entry; /* ready for manifest_update */
    uint64_t constant_blocks;
    uint64_t blocks;
};

/* Writes `directory`/21v10.wdl, or 21v10.dtz, for the pair of `slice`. Under its final name there is either
 * the whole table, on disk, or what was there before; a temporary file (21v10.wdl.tmp) is gone again after
 * any failure. The same values and options give the same bytes. Memory: a few MB and six bytes a block.
 * STATUS_NO_SPACE, STATUS_FILE, STATUS_NO_MEMORY, STATUS_BAD_SLICE, STATUS_TOO_MANY_PIECES,
 * STATUS_BAD_ARGUMENT (options, or a fetched byte that is no value). `message` (may be null) then names the
 * file and what is wrong. `options` and `summary` may be null. Several threads may write different tables at
 * once. */
enum status table_write(const char *directory, const struct variant *variant, struct slice slice,
                        const struct table_source *source, const struct table_options *options,
                        struct table_summary *summary, char message[MESSAGE_SIZE]);

/* The message of a failure to write that table; `fault` (or null) says what was wrong. */
void table_write_message(const char *directory, struct slice slice, enum metric metric, enum status status,
                         const char *fault, char message[MESSAGE_SIZE]);

#endif
