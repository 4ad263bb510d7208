/* Blocks of what is to be written, as a table_source gives them, in the size of the table's blocks. What
 * becomes of them is in survey.h, block_encoder.h and distance_encoder.h. */
#ifndef GEN_BLOCK_SOURCE_H
#define GEN_BLOCK_SOURCE_H

#include "table_writer.h"

struct block_source {
    const struct table_header *header; /* the caller's */
    const struct table_source *source;
    uint8_t *values;     /* the block fetched last; beyond the last position all is a capture */
    uint16_t *distances; /* of the same block, for METRIC_DTZ, else null */
};

/* STATUS_NO_MEMORY, STATUS_BAD_ARGUMENT (a source without the function that the metric needs). What is left
 * of a failure block_source_clear frees. */
enum status block_source_init(struct block_source *blocks, const struct table_header *header,
                              const struct table_source *source);
void block_source_clear(struct block_source *blocks);

/* Positions in a block; blocks of a member, and of all. */
size_t block_source_size(const struct block_source *blocks);
uint64_t block_source_count(const struct block_source *blocks, int member);
uint64_t block_source_total(const struct block_source *blocks);

/* Fetches a block. *count is how many positions it has. */
enum status block_source_fetch(struct block_source *blocks, int member, uint64_t block, size_t *count);

/* Fetches blocks spread evenly over the table, at most `most` of them, and lets `take` see each. */
enum status block_source_sample(struct block_source *blocks, size_t most, void (*take)(void *context),
                                void *context);

#endif
