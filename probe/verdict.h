/* What may be said of a probed position beyond its value: which move is the best for sure, and what a count
 * of moves without progress makes of the result. Asking is the library's public face, printing the commands'.
 */
#ifndef PROBE_VERDICT_H
#define PROBE_VERDICT_H

#include "damaprobe.h"

#include <stdbool.h>
#include <stddef.h>

/* Value and distance of a position, each with its status. */
struct verdict {
    int limit; /* of the variant, or 0 */
    dama_status status;
    dama_value value;
    dama_status dtz_status;
    int dtz;
};

/* The first of the moves, which are sorted best first, that keeps the position's value for sure; null if
 * there is none. A move whose value is unknown is not sure, nor is one that the limit may spoil, as far as is
 * known, unless no other move is left to keep the value. */
const dama_root_move *verdict_best(const struct verdict *verdict, const dama_root_move *moves, size_t count);

/* What is left of the result after `plies` without a zeroing move, in a variant with a limit: "in time", "too
 * late: draw", "draw" (it was one before), "already a draw" (the limit is reached), or "unknown". */
const char *verdict_at_count(const struct verdict *verdict, int plies);

/* True if the game is over. */
bool verdict_is_over(const struct verdict *verdict);

#endif
