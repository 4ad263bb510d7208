/* A table in the making, in one process: what is known of it so far, and the steps from values to encoded
 * blocks. First its parts are surveyed, then the header is settled, then a way to encode is chosen on
 * samples, then blocks are encoded. Surveys and choices of other processes can be taken over, so that many
 * make one table. Knows no files of tables; table_file.h has those. */
#ifndef GEN_TABLE_DRAFT_H
#define GEN_TABLE_DRAFT_H

#include "block_encoder.h"
#include "distance_encoder.h"
#include "survey.h"

struct table_draft {
    struct table_header header;
    const struct variant *variant;
    enum payload_kind forced;
    int level; /* of zstd */
    struct survey survey;
    struct digest *digests[MAX_MEMBERS]; /* of the parts of each member */
    uint8_t *constants[MAX_MEMBERS];     /* of values: what each block is, see survey.h */
    struct block_source blocks;
    struct distance_list *list; /* for METRIC_DTZ, else null */
    struct frame_encoder *frames;
    struct block_encoder *values;       /* for METRIC_WDL, else null */
    struct distance_encoder *distances; /* for METRIC_DTZ, else null */
    const char *fault;                  /* after a failure, what was wrong, or null */
};

/* Begins the table of a pair. The caller destroys *draft, also after a failure; `source` has to outlive it.
 * STATUS_NO_MEMORY, STATUS_BAD_SLICE, STATUS_TOO_MANY_PIECES, STATUS_BAD_ARGUMENT (options). */
enum status draft_create(const struct variant *variant, struct slice slice, const struct table_source *source,
                         const struct table_options *options, struct table_draft **draft);
void draft_destroy(struct table_draft *draft);

/* Parts of a member. */
uint64_t draft_parts(const struct table_draft *draft, int member);

/* First block of a part, and how many it has. */
uint64_t draft_first_block(const struct table_draft *draft, uint64_t part);
uint64_t draft_part_blocks(const struct table_draft *draft, int member, uint64_t part);

/* Surveys a part, and keeps its digest and what its blocks are. */
enum status draft_survey(struct table_draft *draft, int member, uint64_t part);

/* When the survey, all digests and what blocks are are there: settles counts, digests and symbols in the
 * header, and makes the encoder. */
enum status draft_settle(struct table_draft *draft);

/* Chooses how to encode the table; then, or with what was chosen elsewhere, it can be encoded. */
enum status draft_choose(struct table_draft *draft, struct encoding_choice *choice);
enum status draft_adopt(struct table_draft *draft, const struct encoding_choice *choice);

/* Encodes a block. The bytes are the draft's until the next call. */
enum status draft_encode(struct table_draft *draft, int member, uint64_t block,
                         struct encoded_block *encoded);

/* What was wrong after a failure, or null. */
const char *draft_fault(const struct table_draft *draft);

#endif
