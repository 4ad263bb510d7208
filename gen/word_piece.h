/* The word solver's work on a piece, compiled once a board and once a set of machine instructions. */
#ifndef GEN_WORD_PIECE_H
#define GEN_WORD_PIECE_H

#include "solver.h"

/* Solves a piece without distances, both sides of whose units have kings in all between them. *settled is
 * false where a draw limit may matter, so that distances are needed: then nothing is solved. */
typedef enum status word_piece(const struct plan *plan, const struct piece *piece, struct values *values,
                               uint8_t *places, struct solver_counts *counts, bool *settled);

word_piece word_piece_32;
word_piece word_piece_50;

#endif
