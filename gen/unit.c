/* Placements of a unit, seen by the side to move. */
#include "unit.h"

uint64_t unit_men_number(const struct unit *unit, int side, uint64_t own_men, uint64_t opponent_men)
{
    const struct board *board = unit->pair->variant->rules.board;
    const struct numbering *first = unit->pair->members[0];
    return side == 0 ? numbering_men(first, own_men, opponent_men)
                     : numbering_men(first, board_turned(board, opponent_men), board_turned(board, own_men));
}

static uint64_t base_of(const struct unit *unit, uint64_t men, int side)
{
    return ((men - unit->piece->first_men) * (uint64_t)unit->sides + (uint64_t)side) * unit->pair->kings;
}

/* unit_placement where the men are known, as the first member sees them. */
static bool placement_of_men(const struct unit *unit, uint64_t men, uint64_t own, uint64_t opponent, int side,
                             struct placement *placement)
{
    const struct slice_pair *pair = unit->pair;
    const struct board *board = pair->variant->rules.board;
    uint32_t cell = unit->piece->cell;
    placement->other_base = base_of(unit, men, 1 - side);
    if (pair->own_mirror && pair->mirror_cells[cell] == cell) {
        /* Turned, the cell's men are men of the same cell. */
        uint64_t twin =
            numbering_men(pair->members[0], board_turned(board, opponent), board_turned(board, own));
        if (unit->sides == 2 && (twin < men || (twin == men && side == 1)))
            return false;
        if (unit->sides == 1 || twin == men)
            placement->other_base = base_of(unit, twin, 0);
    }
    placement->slice = side == 0 ? pair->name : slice_mirror(pair->name);
    placement->own_men = side == 0 ? own : board_turned(board, opponent);
    placement->opponent_men = side == 0 ? opponent : board_turned(board, own);
    placement->free = board_all(board) & ~(placement->own_men | placement->opponent_men);
    placement->base = base_of(unit, men, side);
    placement->opponent_placements = numbering_opponent_placements(board, placement->slice);
    placement->own_placements = numbering_opponent_placements(board, slice_mirror(placement->slice));
    return true;
}

bool unit_placement(const struct unit *unit, uint64_t men, int side, struct placement *placement)
{
    uint64_t own;
    uint64_t opponent;
    numbering_men_at(unit->pair->members[0], unit->piece->cell, men, &own, &opponent);
    return placement_of_men(unit, men, own, opponent, side, placement);
}

void unit_placements(const struct unit *unit, uint64_t men, struct placement placements[2], bool exists[2])
{
    uint64_t own;
    uint64_t opponent;
    numbering_men_at(unit->pair->members[0], unit->piece->cell, men, &own, &opponent);
    for (int side = 0; side < 2; side++)
        exists[side] = placement_of_men(unit, men, own, opponent, side, &placements[side]);
}
