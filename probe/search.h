/* The value of any position, and its distance: captures are searched until nothing can be taken, the rest is
 * looked up. */
#ifndef PROBE_SEARCH_H
#define PROBE_SEARCH_H

#include "lookup.h"

/* Value of a valid position, for own. A side without pieces has lost. With a capture it is the best of what
 * the captures lead to; a stored value of such a position is never used. A failure on the way matters only
 * where it could change the value; then *failed (may be null) is the position whose look-up failed with this
 * status. A position that ends the game by itself (no move, a special end) needs no table.
 * STATUS_TOO_MANY_MOVES, STATUS_TOO_MANY_PIECES (also where there is too much to search), and the statuses of
 * lookup_value. Thread-safe. */
enum status search_value(struct lookup *lookup, const struct variant *variant,
                         const struct position *position, bool no_io, enum value *value,
                         struct position *failed);

/* Distance (DTZ, plies) of a valid position with the value that search_value gave. A draw has 0, and so has a
 * position at its end; with a capture it follows from the value. None of these needs a table of distances.
 * Else all statuses of lookup_distance, and STATUS_DAMAGED also if value and distance contradict one another.
 * Thread-safe. */
enum status search_distance(struct lookup *lookup, const struct variant *variant,
                            const struct position *position, bool no_io, enum value value, uint16_t *plies);

#endif
