/* A unit under work: its placements of men, its places, and the positions in them, as each side sees them.
 * Shared by the solvers that go position by position. */
#ifndef GEN_UNIT_H
#define GEN_UNIT_H

#include "layout.h"
#include "value.h"

/* One placement of men with one side to move, from that side's view. */
struct placement {
    uint64_t own_men;
    uint64_t opponent_men;
    uint64_t free;           /* squares without men */
    uint64_t base;           /* place in the piece of its kings number 0 */
    uint64_t other_base;     /* of the same men with the other side to move */
    uint64_t own_placements; /* of the own kings, for one placement of the rest; see other_place */
    uint64_t opponent_placements;
    struct slice slice;
};

/* The units of a piece that are solved together. */
struct unit {
    const struct slice_pair *pair;
    const struct piece *piece;
    int sides;
    uint64_t first_men; /* of the piece's placements: 1, or all of them where men step sideways */
    uint64_t men;
};

/* The placement `men` (counted in the cell) with `side` to move. False where its places are holes: a unit
 * whose turned twin has them. */
bool unit_placement(const struct unit *unit, uint64_t men, int side, struct placement *placement);

/* Both sides at once. */
void unit_placements(const struct unit *unit, uint64_t men, struct placement placements[2], bool exists[2]);

/* Place of the position with the other side to move after own's kings have moved to `own_kings`. */
static inline uint64_t unit_other_place(const struct placement *placement, uint64_t own_kings,
                                        uint64_t opponent_kings)
{
    return placement->other_base +
           combination_number_turned(placement->free, opponent_kings) * placement->own_placements +
           combination_number_turned(placement->free & ~opponent_kings, own_kings);
}

/* Splits a place of the unit's piece into men, side and number of the kings. */
static inline void unit_split(const struct unit *unit, uint64_t place, uint64_t *men, int *side,
                              uint64_t *kings)
{
    uint64_t row = place / unit->pair->kings;
    *kings = place % unit->pair->kings;
    *side = unit->sides == 1 ? 0 : (int)(row & 1);
    *men = unit->piece->first_men + (unit->sides == 1 ? row : row / 2);
}

/* The piece's placement number, counted in the cell, of men seen by `side`. */
uint64_t unit_men_number(const struct unit *unit, int side, uint64_t own_men, uint64_t opponent_men);

#endif
