/* The three boards: squares, rows, steps and rays, as constant tables.
 * Squares are numbered row by row from the mover's back row upwards, left to right, with the lower left
 * corner played; how a variant lies on its real board and names its squares is in variant.h. */
#ifndef INDEX_BOARD_H
#define INDEX_BOARD_H

#include "bits.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    DIRECTIONS = 4,
    NO_SQUARE = 64, /* what a step off the board leads to */
    MAX_SQUARES = 64,
    MAX_ROWS = 10,
    MAX_WIDTH = 8 /* squares in a row */
};

/* Directions of the diagonal boards. The opposite of d is d ^ 2 on every board. */
enum { UP_LEFT = 0, UP_RIGHT = 1, DOWN_RIGHT = 2, DOWN_LEFT = 3 };
/* Directions of the orthogonal board. */
enum { LEFT = 0, UP = 1, RIGHT = 2, DOWN = 3 };

struct board {
    uint8_t squares; /* playable squares: 32, 50 or 64 */
    uint8_t rows;
    uint8_t width;   /* playable squares in a row */
    uint8_t columns; /* columns of the real board */
    uint8_t per_row; /* 256 / width, rounded up: see board_row_of */
    uint8_t rising;  /* bit d set: direction d leads to higher squares */
    bool orthogonal;
    uint8_t step[MAX_SQUARES][DIRECTIONS]; /* next square, or NO_SQUARE */
    uint64_t ray[MAX_SQUARES][DIRECTIONS]; /* all squares that way */
};

extern const struct board board_8x8_diagonal;
extern const struct board board_10x10_diagonal;
extern const struct board board_8x8_orthogonal;

/* All squares of the board. */
static inline uint64_t board_all(const struct board *board)
{
    /* No board is without squares, which clang-tidy cannot know.
     * NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
    return ~UINT64_C(0) >> (MAX_SQUARES - board->squares);
}

/* The squares of one row, 0 being the mover's back row. */
static inline uint64_t board_row(const struct board *board, int row)
{
    return ((UINT64_C(1) << board->width) - 1) << (row * board->width);
}

/* The row of a square: square / width, for all squares of the three boards, without a division. */
static inline int board_row_of(const struct board *board, int square)
{
    return square * board->per_row >> 8;
}

/* The set turned by 180 degrees: square n becomes squares-1-n. */
static inline uint64_t board_turned(const struct board *board, uint64_t set)
{
    return bits_reversed(set) >> (MAX_SQUARES - board->squares);
}

/* Column of a square on the board with its lower left corner played. */
static inline int board_column(const struct board *board, int square)
{
    int row = board_row_of(board, square);
    int place = square - row * board->width;
    return board->orthogonal ? place : 2 * place + (row & 1);
}

/* Nearest square of a set that is not empty and lies on one ray in the direction. */
static inline int board_nearest(const struct board *board, int direction, uint64_t set)
{
    return (board->rising >> direction) & 1 ? bits_lowest(set) : bits_highest(set);
}

#endif
