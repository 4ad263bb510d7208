/* Walking over a slice: kings turn fastest, then men, then cells. */
#include "walk.h"

/* Sets the men of the cell and number the walk stands at. */
static void set_men(struct walk *walk)
{
    const struct board *board = walk->numbering->variant->rules.board;
    numbering_men_at(walk->numbering, walk->cell, walk->men, &walk->position.own_men,
                     &walk->position.opponent_men);
    walk->free = board_all(board) & ~(walk->position.own_men | walk->position.opponent_men);
}

static void first_kings(struct walk *walk)
{
    walk->kings = 0;
    combination_begin(&walk->own, walk->free, walk->numbering->slice.own_kings);
    combination_begin(&walk->opponent, walk->free & ~walk->own.set, walk->numbering->slice.opponent_kings);
}

static void show(struct walk *walk)
{
    walk->position.own_kings = walk->own.set;
    walk->position.opponent_kings = walk->opponent.set;
}

void walk_begin(struct walk *walk, const struct numbering *numbering, uint64_t number)
{
    walk->numbering = numbering;
    walk->number = number;
    walk->cell = numbering_cell_at(numbering, number);
    uint64_t in_cell = number - numbering->cells[walk->cell].first;
    walk->men = in_cell / numbering->kings;
    walk->kings = in_cell % numbering->kings;
    set_men(walk);
    uint64_t placements = numbering_opponent_placements(numbering->variant->rules.board, numbering->slice);
    combination_begin_at(&walk->own, walk->free, numbering->slice.own_kings, walk->kings / placements);
    combination_begin_at(&walk->opponent, walk->free & ~walk->own.set, numbering->slice.opponent_kings,
                         walk->kings % placements);
    show(walk);
}

static bool next_men(struct walk *walk)
{
    if (++walk->men == walk->numbering->cells[walk->cell].arrangements) {
        walk->men = 0;
        if (++walk->cell == walk->numbering->cell_count)
            return false;
    }
    set_men(walk);
    first_kings(walk);
    return true;
}

bool walk_next(struct walk *walk)
{
    walk->number++;
    walk->kings++;
    if (!combination_next(&walk->opponent)) {
        if (combination_next(&walk->own))
            combination_begin(&walk->opponent, walk->free & ~walk->own.set,
                              walk->numbering->slice.opponent_kings);
        else if (!next_men(walk))
            return false;
    }
    show(walk);
    return true;
}
