/*
 * The plain solver: win, draw or loss of every position with few pieces, by value iteration over
 * the slow rules until nothing changes. It turns no board, swaps no colours and knows nothing of
 * slices, cells or units, so that it can check everything that does. Values are those of plain play;
 * beside them stand the plies to the end, and those to the next zeroing move (DTZ), which tell what
 * the draw limit makes of the value.
 */
#ifndef TESTS_PLAIN_SOLVER_H
#define TESTS_PLAIN_SOLVER_H

#include <stddef.h>

#include "slow_rules.h"

enum { PLAIN_MAX_PIECES = 8 };

/* For the side to move. Absent: not a position of this solution. */
enum plain_value { PLAIN_ABSENT, PLAIN_LOSS, PLAIN_DRAW, PLAIN_WIN };

/*
 * Which positions to solve. No move leads out of such a set: pieces and men never grow, and
 * neither does what one side has of them. Both sides always have a piece.
 */
struct plain_limit {
    int pieces;      /* at most that many on the board */
    int side_pieces; /* at most that many of one side */
    int side_men;    /* at most that many men of one side */
};

struct plain_solution;

/* All positions with up to that many pieces. 0, or -1 if memory ran out or there are too many. */
int plain_solve(const struct slow_variant *variant, int pieces, struct plain_solution **out);
int plain_solve_limited(const struct slow_variant *variant, const struct plain_limit *limit,
                        struct plain_solution **out);
void plain_free(struct plain_solution *solution);

enum plain_value plain_value_of(const struct plain_solution *solution, const struct slow_position *position);

/* Plies to the end of the game under best play, -1 for a draw or an absent position. */
int plain_plies(const struct plain_solution *solution, const struct slow_position *position);

/*
 * Plies to the next zeroing move, or to the end, that keeps the result; a zeroing move to what the
 * limit spoils counts as one more than the limit. -1 for a draw or an absent position.
 */
int plain_dtz(const struct plain_solution *solution, const struct slow_position *position);
int plain_dtz_at(const struct plain_solution *solution, size_t i);

/* Is it a win or loss that the limit of the variant makes a draw? */
bool plain_is_spoilt(const struct plain_solution *solution, const struct slow_position *position);
bool plain_is_spoilt_at(const struct plain_solution *solution, size_t i);

/* All positions of a solution are numbers 0 to plain_count - 1, fewest pieces first. */
size_t plain_count(const struct plain_solution *solution);
void plain_position(const struct plain_solution *solution, size_t i, struct slow_position *position,
                    enum plain_value *value);
int plain_plies_at(const struct plain_solution *solution, size_t i);

/* Positions, of one colour to move, with exactly that many pieces. Nothing is solved. */
size_t plain_count_placements(const struct slow_variant *variant, int pieces);

#endif
