/* Slice pairs and the places of positions in them: cell, unit, side.
 * A slice and its mirror are solved together; the cells of the first member stand for both. What a unit is
 * solved to, and where that is kept, is not here. */
#ifndef INDEX_PAIR_H
#define INDEX_PAIR_H

#include "numbering.h"

struct slice_pair {
    const struct variant *variant;
    struct slice name;            /* the first member */
    bool own_mirror;              /* both members are the same slice */
    bool whole_cells;             /* men step sideways: a unit is a whole cell pair */
    struct numbering *members[2]; /* the second is the first again if own_mirror */
    uint32_t *mirror_cells;       /* of each cell of the first member, the cell in the second */
    uint64_t kings;               /* placements of all kings for one placement of the men */
    uint64_t positions;           /* of both members together, each position once */
};

/* Where a position is: a cell of the first member, the placement of men there (as the first member's own side
 * sees it), and whose move it is (0: the first member's own, 1: the other's). */
struct place {
    uint32_t cell;
    uint64_t men;
    int side;
};

/* Makes a pair from either of its members; the caller destroys it. Errors of numbering_create. */
enum status slice_pair_create(const struct variant *variant, struct slice member, struct slice_pair **pair);
void slice_pair_destroy(struct slice_pair *pair);

/* True for cells that stand for themselves and their mirrors; false for the mirrors in a pair whose members
 * are the same slice, which are never used as the cell of a place. */
bool slice_pair_uses_cell(const struct slice_pair *pair, uint32_t cell);

/* Sides with places of their own in a cell: 2, or 1 where turning maps the cell to itself and all of it is
 * one unit, so that the other side's positions are the same ones turned. In a cell that is its own mirror but
 * has many units, a unit and its turned twin share the places of the one with the smaller number. */
int slice_pair_sides(const struct slice_pair *pair, uint32_t cell);

/* Place of the positions of a member (0 or 1) that have these men, as seen by that member's own side. */
struct place slice_pair_place(const struct slice_pair *pair, int member, uint64_t own_men,
                              uint64_t opponent_men);

#endif
