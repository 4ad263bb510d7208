/* Notation: names of squares here, positions as FEN in fen.h, moves as text in move_text.h.
 * Names belong to the real board as White sees it. Everything here is thread-safe. */
#ifndef INDEX_NOTATION_H
#define INDEX_NOTATION_H

#include "fen.h"
#include "move_text.h"
#include "variant.h"

enum {
    SQUARE_NAME_SIZE = 4,   /* "a10" or "50" and the final zero */
    SQUARES_TEXT_SIZE = 256 /* every square of a board, with commas, and the final zero */
};

/* Writes the name of a square of White's view, "28" or "d5", with the final zero; returns its length. */
int square_write(const struct variant *variant, int square, char name[SQUARE_NAME_SIZE]);

/* Writes the squares of a set of White's view in the order of their names, "13,22", or "-" if it is empty. */
void squares_write(const struct variant *variant, uint64_t set, char text[SQUARES_TEXT_SIZE]);

/* Reads the name at the start of a text: a number, or letter and row in algebraic variants; letters of
 * either case. Returns the characters it takes, 0 if there is no name of this kind; *square is NO_SQUARE if
 * the board has no such square. */
int square_read(const struct variant *variant, const char *text, int *square);

/* Reads a number of a square, of any variant. In algebraic variants the playable squares are counted rank by
 * rank from a1, which is 1. Returns and sets *square as square_read; *number is what was read, at most 9999.
 */
int square_number_read(const struct variant *variant, const char *text, int *square, int *number);

/* Square of White's view of a number as square_number_read counts, or NO_SQUARE. */
int square_numbered(const struct variant *variant, int number);

/* The squares in the order of their names into `squares`, which has room for MAX_SQUARES. */
void squares_in_order(const struct variant *variant, uint8_t squares[MAX_SQUARES]);

/* A square of own's view in White's view, and back. */
static inline int square_white_view(const struct variant *variant, int square, bool black_to_move)
{
    return black_to_move ? variant->rules.board->squares - 1 - square : square;
}

#endif
