/* Tables for tests from values that mean nothing: pseudo-random runs over any alphabet. */
#ifndef TESTS_SYNTHETIC_H
#define TESTS_SYNTHETIC_H

#include "table_writer.h"

/* How the values of a synthetic pair look. */
struct synthetic_shape {
    unsigned values;   /* set of those that positions without capture have, bit n for enum value n */
    unsigned captures; /* of 256 positions so many have a capture; their value is any of the five */
    unsigned run;      /* mean length of runs */
    uint64_t seed;
    uint32_t distances; /* so many different ones, the lowest most often; 0: a table of values alone */
    uint32_t farthest;  /* the greatest of them */
};

struct synthetic {
    const struct variant *variant;
    struct slice slice;
    int members;
    uint64_t positions[MAX_MEMBERS];
    uint8_t *values[MAX_MEMBERS];     /* as table_source fetches them */
    uint16_t *distances[MAX_MEMBERS]; /* null for a table of values alone */
    int fetches_left;                 /* then it fails with STATUS_INTERRUPTED; below 0: never */
};

/* Makes the values of a pair; to be destroyed. With distances a value is what its distance makes of it under
 * the limit of the variant. */
struct synthetic synthetic_make(const char *variant, const char *slice, struct synthetic_shape shape);
void synthetic_destroy(struct synthetic *synthetic);

/* Where table_write fetches them. */
struct table_source synthetic_source(struct synthetic *synthetic);

/* Writes the pair's table into a folder. */
struct table_summary synthetic_write(struct synthetic *synthetic, const char *folder,
                                     const struct table_options *options);
/* Path of its table, of values or of the metric, to be freed. */
char *synthetic_path(const struct synthetic *synthetic, const char *folder);
char *synthetic_path_of(const struct synthetic *synthetic, const char *folder, enum metric metric);

/* The digest of a member's values as docs/format.md has it: over the digests of 2^20 positions each, of
 * `width` bytes a position. */
struct digest synthetic_digest(const uint8_t *bytes, uint64_t positions, size_t width);

#endif
