/* From a side's own form to the other, and from there to bits by number (word_work.h). Part of the word
 * solver. */
#ifndef GEN_WORD_FORMS_H
#define GEN_WORD_FORMS_H

#include "word_batch.h"

/* Takes the new results of a plane over, position by position. */
static inline void convert_plane(const struct side *side, uint32_t plane, const word *from, word *to)
{
    word set = side->plane_sets[plane];
    uint32_t rows = sets_of(side->other_kings - 1);
    word bits[MAX_CHOSEN];
    uint32_t row_of[MAX_CHOSEN];
    int count = 0;
    for (word rest = set; rest; rest &= rest - 1, count++) {
        bits[count] = rest & (~rest + 1);
        row_of[count] = rank_of(set ^ bits[count]);
    }
    from += (size_t)plane * side->rows;
    for (uint32_t row = 0; row < side->rows; row++) {
        if (!from[row])
            continue;
        word rest = from[row] & bits_above(side->row_sets[row]);
        for (; rest; rest &= rest - 1) {
            size_t other = row + choose[bits_lowest(rest)][side->kings];
            side->changed[other] = 1;
            for (int i = 0; i < count; i++)
                to[other * rows + row_of[i]] |= bits[i];
        }
    }
}

/* The rows of all planes that differ in one king: bits of the one form are rows of the other. */
static inline void convert_square(const struct side *side, word own, uint32_t row, word others,
                                  uint32_t other_row, const word *const planes[], word *to)
{
    word matrix[WORD_BITS] = {0};
    word any = 0;
    for (word rest = others; rest; rest &= rest - 1) {
        int square = bits_lowest(rest);
        matrix[square] = planes[square][row];
        any |= matrix[square];
    }
    any &= bits_above(own);
    if (!any)
        return;
    transpose(matrix);
    uint32_t rows = sets_of(side->other_kings - 1);
    for (; any; any &= any - 1) {
        int square = bits_lowest(any);
        size_t other = row + choose[square][side->kings];
        side->changed[other] = 1;
        to[other * rows + other_row] |= matrix[square];
    }
}

static inline void convert_all(const struct work *work, const struct side *side, const word *from, word *to)
{
    const word *other_sets = work->sets[side->other_kings - 1];
    word men = work->men[0] | work->men[1];
    const word *planes[WORD_BITS];
    for (uint32_t other_row = 0; other_row < sets_of(side->other_kings - 1); other_row++) {
        if (other_sets[other_row] & men)
            continue;
        word others = ALL_SQUARES & ~(other_sets[other_row] | men);
        for (word rest = others; rest; rest &= rest - 1) {
            uint32_t plane = rank_of(other_sets[other_row] | (rest & (~rest + 1)));
            planes[bits_lowest(rest)] = from + (size_t)plane * side->rows;
        }
        for (uint32_t row = 0; row < side->rows; row++)
            if (!(side->row_sets[row] & (men | other_sets[other_row])))
                convert_square(side, side->row_sets[row], row, others, other_row, planes, to);
    }
}

/* The bits of a side's results, by number: of one kind or two, `rows` as side->wins are. The bits have to be
 * 0. */
static ALWAYS_INLINE void results_to_bits(int kinds, const struct side *side, int mover,
                                          const word *const rows[], uint64_t free_squares,
                                          uint64_t *const bits[])
{
    bool turned = mover == 1;
    if (side->other_kings == 0) {
        plane_to_bits(kinds, rows, free_squares, side->kings, turned, bits, 0);
        return;
    }
    uint32_t rows_of_plane = sets_of(side->other_kings - 1);
    uint64_t count = choose[bits_count(free_squares) - side->kings][side->other_kings];
    struct combination own;
    bool more = combination_begin(&own, free_squares, side->kings);
    for (uint64_t first = 0; more; more = combination_next(&own), first += count) {
        size_t at = (size_t)rank_of(seen_by(mover, (word)own.set)) * rows_of_plane;
        const word *planes[2];
        for (int i = 0; i < kinds; i++)
            planes[i] = rows[i] + at;
        plane_to_bits(kinds, planes, free_squares & ~own.set, side->other_kings, turned, bits, first);
    }
}

#endif
