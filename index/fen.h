/* Positions as FEN. Form: docs/rules.md, section 3. Names of squares are in notation.h. */
#ifndef INDEX_FEN_H
#define INDEX_FEN_H

#include "status.h"
#include "variant.h"

enum {
    FEN_SIZE = 512,          /* room for any FEN that is written, with the final zero */
    FEN_MESSAGE_SIZE = 256,  /* room for any message */
    FEN_READ_LIMIT = 1024,   /* characters that a text to be read may have */
    FEN_MOST_COUNT = 1000000 /* a greater number of a move count is taken for this */
};

/* Reads a FEN. *white_view has White's pieces as own (not turned). A side's list may be empty, not both.
 * STATUS_BAD_NOTATION if the text cannot be read, STATUS_BAD_POSITION if it can but two pieces share a
 * square, a man stands where none can or the board is empty; then `message` (FEN_MESSAGE_SIZE bytes, may be
 * null) names the character, counted from 1, and what is wrong there, and nothing else is set. */
enum status fen_read(const struct variant *variant, const char *text, struct position *white_view,
                     bool *black_to_move, char *message);

/* The same, and *count is the number of a `:H<n>` part, plies without a zeroing move, or -1 if there is none.
 */
enum status fen_read_count(const struct variant *variant, const char *text, struct position *white_view,
                           bool *black_to_move, int *count, char *message);

/* Writes a FEN into FEN_SIZE bytes: White first, squares in the order of their names, no ranges, no dot.
 * STATUS_BAD_POSITION if the position is none of this variant. */
enum status fen_write(const struct variant *variant, const struct position *white_view, bool black_to_move,
                      char *text);

#endif
