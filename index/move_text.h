/* Moves as text, "32-28" and "32x23", and the order of their texts. Form: docs/rules.md, section 3.
 * Moves and paths have own's squares; for Black they are turned before they are named. */
#ifndef INDEX_MOVE_TEXT_H
#define INDEX_MOVE_TEXT_H

#include "moves.h"

enum { MOVE_TEXT_SIZE = 272 }; /* room for any move, with the final zero */

/* All legal moves of own, sorted by text (bytewise), each with the path of the lowest named squares among
 * those that the capture rules allow. STATUS_TOO_MANY_MOVES, STATUS_NO_MEMORY. Thread-safe. */
enum status moves_sorted(const struct variant *variant, const struct position *own_view, bool black_to_move,
                         struct move_list *list, struct move_paths *paths);

/* Writes the move at `index` of all legal moves into MOVE_TEXT_SIZE bytes: the short form unless another one
 * has the same, then the whole path. STATUS_BAD_ARGUMENT if there is no such index. Thread-safe. */
enum status move_write(const struct variant *variant, const struct move_list *legal,
                       const struct move_paths *paths, int index, bool black_to_move, char *text);

/* Finds the move that a text means: its short form, its whole path (along any squares on which it takes the
 * same pieces), or enough squares of it. Signs are the variant's, `x`, `:` or `-`; a quiet move has `-`; in
 * algebraic variants there may be none. STATUS_BAD_NOTATION if the text is no move, STATUS_ILLEGAL_MOVE if it
 * is none of these, STATUS_AMBIGUOUS_MOVE if it may be several. Thread-safe. */
enum status move_read(const struct variant *variant, const struct move_list *legal,
                      const struct move_paths *paths, bool black_to_move, const char *text, int *index);

#endif
