/* Slice pairs: mirrored cells and places. */
#include "pair.h"

#include <stdlib.h>

/* The cell of the mirror slice that holds the positions of `cell` with the other side to move. */
static uint32_t mirror_of(const struct slice_pair *pair, uint32_t cell)
{
    const struct board *board = pair->variant->rules.board;
    uint64_t own_men;
    uint64_t opponent_men;
    numbering_men_at(pair->members[0], cell, 0, &own_men, &opponent_men);
    return numbering_cell(pair->members[1], board_turned(board, opponent_men), board_turned(board, own_men));
}

static enum status fill(struct slice_pair *pair)
{
    enum status status = numbering_create(pair->variant, pair->name, &pair->members[0]);
    if (status != STATUS_OK)
        return status;
    pair->members[1] = pair->members[0];
    if (!pair->own_mirror)
        status = numbering_create(pair->variant, slice_mirror(pair->name), &pair->members[1]);
    if (status != STATUS_OK)
        return status;
    uint32_t cells = pair->members[0]->cell_count;
    pair->mirror_cells = malloc(cells * sizeof *pair->mirror_cells);
    if (!pair->mirror_cells)
        return STATUS_NO_MEMORY;
    for (uint32_t cell = 0; cell < cells; cell++)
        pair->mirror_cells[cell] = mirror_of(pair, cell);
    pair->kings = pair->members[0]->kings;
    pair->positions = pair->members[0]->positions * (pair->own_mirror ? 1 : 2);
    return STATUS_OK;
}

enum status slice_pair_create(const struct variant *variant, struct slice member, struct slice_pair **pair)
{
    *pair = NULL;
    struct slice_pair *made = calloc(1, sizeof *made);
    if (!made)
        return STATUS_NO_MEMORY;
    made->variant = variant;
    made->name = slice_pair_name(member);
    made->own_mirror = slice_is_own_mirror(member);
    made->whole_cells = variant_men_step_sideways(variant);
    enum status status = fill(made);
    if (status != STATUS_OK) {
        slice_pair_destroy(made);
        return status;
    }
    *pair = made;
    return STATUS_OK;
}

void slice_pair_destroy(struct slice_pair *pair)
{
    if (!pair)
        return;
    if (!pair->own_mirror)
        numbering_destroy(pair->members[1]);
    numbering_destroy(pair->members[0]);
    free(pair->mirror_cells);
    free(pair);
}

bool slice_pair_uses_cell(const struct slice_pair *pair, uint32_t cell)
{
    return !pair->own_mirror || pair->mirror_cells[cell] >= cell;
}

int slice_pair_sides(const struct slice_pair *pair, uint32_t cell)
{
    bool own_mirror = pair->own_mirror && pair->mirror_cells[cell] == cell;
    bool one_unit = pair->whole_cells || pair->members[0]->cells[cell].arrangements == 1;
    return own_mirror && one_unit ? 1 : 2;
}

struct place slice_pair_place(const struct slice_pair *pair, int member, uint64_t own_men,
                              uint64_t opponent_men)
{
    const struct board *board = pair->variant->rules.board;
    const struct numbering *first = pair->members[0];
    uint64_t turned_own = board_turned(board, opponent_men);
    uint64_t turned_opponent = board_turned(board, own_men);
    if (!pair->own_mirror && member == 1)
        return (struct place){numbering_cell(first, turned_own, turned_opponent),
                              numbering_men(first, turned_own, turned_opponent), 1};
    uint32_t cell = numbering_cell(first, own_men, opponent_men);
    struct place place = {cell, numbering_men(first, own_men, opponent_men), 0};
    if (!pair->own_mirror || pair->mirror_cells[cell] > cell || slice_pair_sides(pair, cell) == 1)
        return place;
    struct place turned = {pair->mirror_cells[cell], numbering_men(first, turned_own, turned_opponent), 1};
    return turned.cell < cell || turned.men < place.men ? turned : place;
}
