/* Slices: material signatures such as 21v10, their mirrors and pairs.
 * Which positions a slice has and how they are numbered is in numbering.h. */
#ifndef INDEX_SLICE_H
#define INDEX_SLICE_H

#include "position.h"

#include <stdbool.h>

enum { SLICE_NAME_SIZE = 6 }; /* "21v10" and the final zero */

struct slice {
    uint8_t own_men; /* 0 to 9 each */
    uint8_t own_kings;
    uint8_t opponent_men;
    uint8_t opponent_kings;
};

static inline int slice_own(struct slice slice)
{
    return slice.own_men + slice.own_kings;
}
static inline int slice_opponent(struct slice slice)
{
    return slice.opponent_men + slice.opponent_kings;
}
static inline int slice_pieces(struct slice slice)
{
    return slice_own(slice) + slice_opponent(slice);
}
static inline int slice_men(struct slice slice)
{
    return slice.own_men + slice.opponent_men;
}

static inline bool slice_equal(struct slice a, struct slice b)
{
    return a.own_men == b.own_men && a.own_kings == b.own_kings && a.opponent_men == b.opponent_men &&
           a.opponent_kings == b.opponent_kings;
}

/* The slice with the other side to move. */
static inline struct slice slice_mirror(struct slice slice)
{
    return (struct slice){slice.opponent_men, slice.opponent_kings, slice.own_men, slice.own_kings};
}

static inline bool slice_is_own_mirror(struct slice slice)
{
    return slice_equal(slice, slice_mirror(slice));
}

/* The slice of a position; its sides have at most 9 men and 9 kings. */
struct slice slice_of(const struct position *position);

/* True if every kind has at most 9 pieces, so that the position is in a slice at all. */
bool slice_exists_for(const struct position *position);

/* The member that names the pair: the larger side is own, by pieces, then by kings. */
struct slice slice_pair_name(struct slice slice);

/* Writes "21v10" and the final zero. */
void slice_write(struct slice slice, char name[SLICE_NAME_SIZE]);

/* Reads "21v10". False if the text is anything else or a side has no piece. */
bool slice_read(const char *text, struct slice *slice);

#endif
