/* Distances (DTZ) in plies, and what they make of values under a draw limit: the equations of docs/design.md,
 * section 5, stand here once. Who computes or stores distances is elsewhere. */
#ifndef INDEX_DISTANCE_H
#define INDEX_DISTANCE_H

#include "moves.h"
#include "value.h"

/* No distance is greater; a solver that meets one gives up. */
enum { MOST_DISTANCE = UINT16_MAX };

/* True if the move sets the variant's no-progress count to zero: a capture, and where the row says so a man's
 * step to another row. */
bool move_zeroes(const struct variant *variant, const struct move *move);

/* True if moves of men that change their row zero. Where they do not, distances run through them. */
static inline bool forward_steps_zero(const struct variant *variant)
{
    return variant->rules.zeroing == ZEROED_BY_FORWARD_STEPS;
}

/* What a move counts, in plies, if it leads to a position that is `after` and `distance` for its side to
 * move: 1 if it zeroes and keeps the true result, limit + 1 if it zeroes and the result is a cursed or
 * blessed one, else one more than the distance. Not for draws. */
static inline uint32_t distance_through(const struct variant *variant, bool zeroes, enum value after,
                                        uint32_t distance)
{
    if (!zeroes)
        return distance + 1;
    return value_is_spoilt(after) ? variant->rules.limit + 1U : 1;
}

/* The value of a position whose plain value (WIN, LOSS, or DRAW) takes so many plies. */
static inline enum value value_at_distance(const struct variant *variant, enum value plain, uint32_t distance)
{
    if (plain == DRAW || variant->rules.limit == 0 || distance <= variant->rules.limit)
        return plain;
    return plain == WIN ? CURSED_WIN : BLESSED_LOSS;
}

/* The distance of a position in which own has a capture, so that every move zeroes. 0 for a draw. */
static inline uint32_t distance_of_captures(const struct variant *variant, enum value value)
{
    return value == DRAW ? 0 : distance_through(variant, true, value, 0);
}

#endif
