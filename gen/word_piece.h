/* The word solver's work on a piece, compiled once a board and once a set of machine instructions. */
#ifndef GEN_WORD_PIECE_H
#define GEN_WORD_PIECE_H

#include "solver.h"

/* Solves a piece in whose positions there are kings, with distances if the solution has room for them.
 * *settled is false where that is not enough, because a draw limit may matter: then nothing is solved. */
typedef enum status word_piece(const struct plan *plan, const struct piece *piece, struct values *values,
                               const struct solution *solution, struct solver_counts *counts, bool *settled);

/* By squares of the board: for every machine, and for x86-64 with AVX2 and BMI2. */
word_piece word_piece_32_plain;
word_piece word_piece_50_plain;
word_piece word_piece_32_wide;
word_piece word_piece_50_wide;

#endif
