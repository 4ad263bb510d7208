/* Which positions of a placement of men have captures, found for whole words of positions. Compiled once a
 * board and once a set of machine instructions. */
#ifndef GEN_WORD_CAPTURES_H
#define GEN_WORD_CAPTURES_H

#include "slice.h"
#include "status.h"
#include "variant.h"

struct word_captures;

/* What finds them in positions of a slice in which somebody has kings. The caller destroys it. */
typedef enum status word_captures_create(const struct variant *variant, struct slice slice,
                                         struct word_captures **captures);
typedef void word_captures_destroy(struct word_captures *captures);

/* Sets the bits, 0 before, of positions in which the side to move has a capture, by the number of the kings.
 * One thread. */
typedef void word_captures_find(struct word_captures *captures, uint64_t own_men, uint64_t opponent_men,
                                uint64_t *bits);

struct word_captures_code {
    word_captures_create *create;
    word_captures_destroy *destroy;
    word_captures_find *find;
};

/* By squares of the board: for every machine, and for x86-64 with AVX2 and BMI2. */
extern const struct word_captures_code word_captures_32_plain;
extern const struct word_captures_code word_captures_50_plain;
extern const struct word_captures_code word_captures_32_wide;
extern const struct word_captures_code word_captures_50_wide;

#endif
