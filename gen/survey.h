/* The first look at all that a table is to hold: counts, greatest distances, digests, and the symbols by
 * their frequency. What is no value, or no distance of its value, is found here. */
#ifndef GEN_SURVEY_H
#define GEN_SURVEY_H

#include "block_source.h"

/* The distances of a table that may be asked for, as they stand in its file: most frequent first, of equals
 * the lowest. */
struct distance_list {
    uint8_t bytes[MOST_DISTANCES * DISTANCE_SIZE];
};

/* Looks at every block and fills the members' counts, greatest distances and digests in the header of the
 * blocks, and its alphabet, or for METRIC_DTZ (else `list` may be null) the list of distances, its length and
 * its checksum. Statuses of the source, STATUS_NO_MEMORY, STATUS_BAD_ARGUMENT; *fault then says what is
 * wrong. */
enum status survey(const struct variant *variant, struct block_source *blocks, struct table_header *header,
                   struct distance_list *list, const char **fault);

#endif
