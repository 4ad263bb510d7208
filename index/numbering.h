/* The numbers of the positions of a slice, both ways, without holes.
 * number = first number of the cell + men * kings placements + kings, where `men` is the mixed-radix number
 * of the arrangements row by row and `kings` that of the own kings' and then the opponent's kings' subset of
 * the squares left. A numbering never changes once it is made and may be used by many threads. */
#ifndef INDEX_NUMBERING_H
#define INDEX_NUMBERING_H

#include "combination.h"
#include "slice.h"
#include "status.h"
#include "variant.h"

enum { NO_CELL = UINT32_MAX };

/* All positions with the same number of men of each side on each row. */
struct cell {
    uint8_t own_rows[MAX_ROWS];      /* own men on each row, 0 being own's back row */
    uint8_t opponent_rows[MAX_ROWS]; /* opponent's men on the same rows */
    uint16_t advancement;            /* rows walked by all men of both sides */
    uint64_t first;                  /* number of its first position */
    uint64_t arrangements;           /* placements of its men */
};

struct numbering {
    const struct variant *variant;
    struct slice slice;
    uint64_t positions;
    uint64_t kings; /* placements of all kings for one placement of the men */
    uint32_t cell_count;
    struct cell *cells;  /* by number */
    uint32_t *cell_grid; /* cell by (own distribution, opponent's distribution), or NO_CELL */
    uint32_t opponent_distributions;
    /* Distributions of one side's men that come before, by row, men on it and beyond, men on it. */
    uint32_t before[MAX_ROWS][MAX_CHOSEN + 1][MAX_CHOSEN + 1];
};

/* Makes the numbering of a slice; the caller destroys it. STATUS_BAD_SLICE if the pieces cannot be
 * placed, STATUS_TOO_MANY_PIECES if 64 bits do not hold the count, STATUS_NO_MEMORY. */
enum status numbering_create(const struct variant *variant, struct slice slice, struct numbering **numbering);
void numbering_destroy(struct numbering *numbering);

/* Positions of a slice without making its numbering. Same errors. */
enum status numbering_count(const struct variant *variant, struct slice slice, uint64_t *positions);

/* Number of a position of the slice. */
uint64_t numbering_number(const struct numbering *numbering, const struct position *position);
/* The position that has the number, below `positions`. */
struct position numbering_position(const struct numbering *numbering, uint64_t number);

/* Cell of a placement of men. */
uint32_t numbering_cell(const struct numbering *numbering, uint64_t own_men, uint64_t opponent_men);
/* Number of a placement of men in its cell, and back. */
uint64_t numbering_men(const struct numbering *numbering, uint64_t own_men, uint64_t opponent_men);
void numbering_men_at(const struct numbering *numbering, uint32_t cell, uint64_t men, uint64_t *own_men,
                      uint64_t *opponent_men);
/* Cell that holds the position's number. */
uint32_t numbering_cell_at(const struct numbering *numbering, uint64_t number);

/* Number of the kings on the squares free of men. */
static inline uint64_t numbering_kings(uint64_t free_of_men, uint64_t own_kings, uint64_t opponent_kings,
                                       uint64_t opponent_placements)
{
    return combination_number(free_of_men, own_kings) * opponent_placements +
           combination_number(free_of_men & ~own_kings, opponent_kings);
}

/* Placements of the opponent's kings for one placement of everything else. */
static inline uint64_t numbering_opponent_placements(const struct board *board, struct slice slice)
{
    return choose[board->squares - slice_men(slice) - slice.own_kings][slice.opponent_kings];
}

#endif
