/* What the moves of a position lead to, seen from the mover, and their order, best first. Which moves there
 * are is moves.h; the public form of all this is library.c's. */
#ifndef PROBE_ROOT_H
#define PROBE_ROOT_H

#include "moves.h"
#include "search.h"

/* A move with its value, and with what it counts in plies (distance_through of index/distance.h). */
struct rated_move {
    enum status status; /* of the value */
    enum value value;
    bool zeroes;
    enum status distance_status; /* of the plies; no better than `status` */
    uint32_t plies;              /* 0 for a draw */
};

/* Rates all legal moves of `own`. A move's value is the one that the move has under the limit: through a loss
 * in exactly as many plies as the limit allows, one that does not zero is a cursed win. Where no table tells
 * the distance of such a loss or win, the value is the one that the tables of values give, but never better
 * than that of the position itself. `rated` has room for the list. Thread-safe. */
void root_rate(struct lookup *lookup, const struct variant *variant, const struct position *own,
               const struct move_list *list, bool no_io, struct rated_move *rated);

/* The places of `count` moves in `rated`, best first: winning, cursed, drawing, blessed, losing, unknown. Of
 * winning and cursed ones the fewest plies come first, of blessed and losing ones the most, of equals the
 * earliest in the list; where any move of a group has no plies, all of the group stay as in the list. `order`
 * has room for the list. */
void root_order(const struct rated_move *rated, int count, int *order);

#endif
