/* The squares along which a known capture can be made. Which captures are legal is decided in moves.c; this
 * is for writing and reading them. */
#ifndef INDEX_CAPTURE_PATH_H
#define INDEX_CAPTURE_PATH_H

#include "moves.h"

/* Finds the path with the lowest named squares among those along which the rules allow a legal capture of the
 * position. `path` holds one such path on entry and the lowest on return. Thread-safe. */
void capture_path_lowest(const struct variant *variant, const struct position *own_view,
                         const struct move *move, bool black_to_move, struct move_path *path);

/* True if a capture can be made along all squares of `through`, in their order; its ends are the move's. Only
 * the victims are known here, so nothing else blocks. Thread-safe. */
bool capture_path_passes(const struct variant *variant, const struct move *move,
                         const struct move_path *through);

/* True if the squares of `part` are squares of the path in the same order. */
bool path_has_part(const struct move_path *path, const struct move_path *part);

#endif
