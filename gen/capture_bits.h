/* Which positions have captures, for all positions of a placement of men at once: by words of positions where
 * the board has code for that, else position by position. */
#ifndef GEN_CAPTURE_BITS_H
#define GEN_CAPTURE_BITS_H

#include "slice.h"
#include "status.h"
#include "variant.h"

struct capture_bits;

/* For positions of a slice. The caller destroys it. */
enum status capture_bits_create(const struct variant *variant, struct slice slice,
                                struct capture_bits **captures);
void capture_bits_destroy(struct capture_bits *captures);

/* A bit for each placement of the kings, by its number: set where the side to move has a capture. Valid until
 * the next call; quick if the men are those of the last one. One thread. */
const uint64_t *capture_bits_find(struct capture_bits *captures, uint64_t own_men, uint64_t opponent_men);

#endif
