/* Public positions and moves (damaprobe.h) to the internal ones and back. Public squares are bits in the
 * order of the variant's printed numbers, where squares are named algebraically in the order of ranks;
 * internal ones are those of board.h, from White's view or from own's. */
#ifndef PROBE_CONVERT_H
#define PROBE_CONVERT_H

#include "damaprobe.h"
#include "moves.h"
#include "variant.h"

/* Squares of White's view and public bits. */
struct squares {
    uint8_t bit_of_square[MAX_SQUARES];
    uint8_t square_of_bit[MAX_SQUARES];
};

void squares_make(const struct variant *variant, struct squares *squares);

/* White's pieces as own, not turned. Bits off the board stay off the board. */
struct position white_view_of_board(const struct squares *squares, const dama_board *board);
dama_board board_of_white_view(const struct squares *squares, const struct position *white_view,
                               bool black_to_move);

/* The position with the side to move as own, and back. */
struct position own_view(const struct variant *variant, const struct position *white_view,
                         bool black_to_move);

/* A move of own as a public move. */
dama_move public_move(const struct variant *variant, const struct squares *squares, const struct move *move,
                      bool black_to_move);

#endif
