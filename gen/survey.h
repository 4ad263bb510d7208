/* The first look at all that a table is to hold: counts, greatest distances, digests, and the symbols by
 * their frequency. What is no value, or no distance of its value, is found here. Parts can be looked at apart
 * and added up. */
#ifndef GEN_SURVEY_H
#define GEN_SURVEY_H

#include "block_source.h"

/* The distances of a table that may be asked for, as they stand in its file: most frequent first, of equals
 * the lowest. */
struct distance_list {
    uint8_t bytes[MOST_DISTANCES * DISTANCE_SIZE];
};

/* Of some parts of a table. By member and value; of positions without a capture, then of those with one. */
struct survey_sum {
    uint64_t counts[MAX_MEMBERS][2][VALUES];
    uint32_t greatest[MAX_MEMBERS][2][VALUES]; /* plies, where distances are looked at */
};

/* What was seen so far. */
struct survey {
    struct survey_sum sum;
    uint64_t
        *distances; /* for METRIC_DTZ: how often each may be asked for, MOST_DISTANCES of them; or null */
    uint32_t distance_count; /* those from here on are not there */
};

/* What a block of values is found to be: not constant, or with one value, and that is value + 1, or all
 * captures. */
enum { BLOCK_MIXED = 0, BLOCK_FREE = 255 };

/* An empty survey for a metric; its owner clears it. STATUS_NO_MEMORY. */
enum status survey_init(struct survey *survey, enum metric metric);
void survey_clear(struct survey *survey);

/* Looks at a part of a member and adds it; *digest is that of its values or distances. For METRIC_WDL
 * `constants` gets what each of its blocks is. STATUS_BAD_ARGUMENT for what cannot be written, with what was
 * wrong in *fault; what the source gives. */
enum status survey_part(struct survey *survey, const struct variant *variant, struct block_source *blocks,
                        int member, uint64_t part, struct digest *digest, uint8_t *constants,
                        const char **fault);

/* Adds what was seen of other parts. `count` distances, none for METRIC_WDL. */
void survey_add(struct survey *survey, const struct survey_sum *sum, const uint64_t *distances,
                uint32_t count);

/* After all parts: fills the members' counts and greatest distances in the header, and its alphabet, or for
 * METRIC_DTZ (else `list` may be null) the list of distances, its length and checksum. STATUS_NO_MEMORY. */
enum status survey_settle(const struct survey *survey, struct table_header *header,
                          struct distance_list *list);

#endif
