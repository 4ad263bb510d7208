/* A side's own form (word_work.h): its rows, and which squares a king may go to in each. Part of the word
 * solver.
 */
#ifndef GEN_WORD_FORM_H
#define GEN_WORD_FORM_H

#include "word_work.h"

/* Sizes of a side's form. */
static void form_measure(struct side *side, int kings, int other_kings)
{
    side->kings = kings;
    side->other_kings = other_kings;
    side->planes = sets_of(other_kings);
    side->rows = kings > 0 ? sets_of(kings - 1) : 0;
    side->size = (size_t)side->planes * side->rows;
}

/* Fills in, for the men there are now, side->empty and for each row the other side's kings; both have room.
 * STATUS_NO_MEMORY. */
static enum status form_fill(struct work *work, int mover, word *other_kings)
{
    struct side *side = &work->sides[mover];
    const word *planes = all_sets(work, side->other_kings);
    const word *rows = all_sets(work, side->kings - 1);
    if (!planes || !rows)
        return STATUS_NO_MEMORY;
    word men = work->men[0] | work->men[1];
    for (uint32_t plane = 0; plane < side->planes; plane++) {
        word *restrict empty = side->empty + (size_t)plane * side->rows;
        word *restrict others = other_kings + (size_t)plane * side->rows;
        word fixed = men | planes[plane];
        bool overlap = men & planes[plane];
        for (uint32_t row = 0; row < side->rows; row++) {
            others[row] = planes[plane];
            empty[row] = overlap || (rows[row] & fixed) ? 0 : ALL_SQUARES & ~(rows[row] | fixed);
        }
    }
    return STATUS_OK;
}

#endif
