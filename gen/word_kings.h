/* Captures by kings, for all squares of a king at once: the first jump is a few operations on words, and so
 * is the question whether a second one follows. Part of the word solver. */
#ifndef GEN_WORD_KINGS_H
#define GEN_WORD_KINGS_H

#include "word_batch.h"
#include "word_table.h"

/* The tables that captures of one piece by a king lead to. */
struct king_captures {
    int mover;
    int men;
    word victims[MAX_CHOSEN];
    const struct table *after_man[MAX_CHOSEN]; /* by victim */
    const struct table *after_king;            /* null if there is no king to take */
};

/* Level on the ladder of choice of taking one piece, from 0 up. */
static inline int level_of(const struct variant *variant, bool by_king, bool is_king)
{
    const unsigned kings = MOST_KINGS | KINGS_EARLIEST | FIRST_KING_EARLIEST;
    bool king_counts = variant->rules.choice & kings;
    bool mover_counts = variant->rules.choice & BY_KING;
    return (mover_counts && by_king ? 2 : 0) + (king_counts && is_king ? 1 : 0);
}

static inline enum status king_captures_begin(struct work *work, int mover, struct king_captures *captures)
{
    const struct side *side = &work->sides[mover];
    int kings[2];
    kings[mover] = side->kings;
    kings[1 - mover] = side->other_kings;
    *captures = (struct king_captures){.mover = mover};
    enum status status = STATUS_OK;
    word rest = work->men[1 - mover];
    for (; rest && status == STATUS_OK; rest &= rest - 1) {
        word victim = rest & (~rest + 1);
        word men[2] = {work->men[0], work->men[1]};
        men[1 - mover] &= ~victim;
        captures->victims[captures->men] = victim;
        status = table_find(work, 1 - mover, men, kings, &captures->after_man[captures->men++]);
    }
    kings[1 - mover]--;
    if (status == STATUS_OK && side->other_kings > 0)
        status = table_find(work, 1 - mover, work->men, kings, &captures->after_king);
    return status;
}

/* Squares from which something can be taken that way; tells of any. */
static ALWAYS_INLINE word find_starts(int direction, bool flying, word men, const struct batch *batch)
{
    const word *restrict empty = batch->empty;
    const word *restrict others = batch->others;
    word *restrict starts = batch->starts[direction];
    word any = 0;
    for (size_t i = 0; i < batch->count; i++) {
        word victims = (men | others[i]) & step_one(direction ^ 2, empty[i]);
        starts[i] = reach(direction ^ 2, flying, victims, empty[i]);
        any |= starts[i];
    }
    return any;
}

/* Takes account of the jumps over batch->victims in a direction, which lead to batch->after_*. */
static ALWAYS_INLINE void jump_over(int direction, bool flying, const struct batch *batch, int level)
{
    const word *restrict empty = batch->empty;
    const word *restrict victims = batch->victims;
    const word *restrict on = batch->starts[direction];
    const word *restrict to_left = batch->starts[(direction + 1) & 3];
    const word *restrict to_right = batch->starts[(direction + 3) & 3];
    const word *restrict after_wins = batch->after_wins;
    const word *restrict after_losses = batch->after_losses;
    word *restrict has = batch->has[level];
    word *restrict wins = batch->level_wins[level];
    word *restrict draws = batch->level_draws[level];
    word *restrict several = batch->several;
    for (size_t i = 0; i < batch->count; i++) {
        word victim = victims[i] & step_one(direction ^ 2, empty[i]);
        word start = reach(direction ^ 2, flying, victim, empty[i]);
        word landing = reach(direction, flying, victim, empty[i]);
        has[i] |= start;
        wins[i] |= landing & after_losses[i] ? start : 0;
        draws[i] |= landing & ~after_losses[i] & ~after_wins[i] ? start : 0;
        several[i] |= landing & (on[i] | to_left[i] | to_right[i]) ? start : 0;
    }
}

/* Where a limit has made the value after a jump, single values do not tell: the captures are searched for. */
static ALWAYS_INLINE void mark_spoilt(bool flying, const struct batch *batch)
{
    for (int direction = 0; direction < DIRECTIONS; direction++)
        for (size_t i = 0; i < batch->count; i++) {
            word empty = batch->empty[i];
            word victim = batch->victims[i] & step_one(direction ^ 2, empty);
            word landing = reach(direction, flying, victim, empty);
            if (landing & batch->after_spoilt[i])
                batch->several[i] |= reach(direction ^ 2, flying, victim, empty);
        }
}

static ALWAYS_INLINE void jump_all_ways(bool flying, const struct batch *batch, int level)
{
    jump_over(UP_LEFT, flying, batch, level);
    jump_over(UP_RIGHT, flying, batch, level);
    jump_over(DOWN_RIGHT, flying, batch, level);
    jump_over(DOWN_LEFT, flying, batch, level);
}

/* The n-th of the other side's kings of each plane as victims, and what taking them leads to. */
static inline void take_king(struct work *work, const struct side *side, int n, const struct table *after)
{
    struct batch *batch = &work->batch;
    for (uint32_t plane = 0; plane < batch->planes; plane++) {
        word set = side->plane_sets[batch->plane + plane];
        word rest = set;
        for (int i = 0; i < n; i++)
            rest &= rest - 1;
        word victim = rest & (~rest + 1);
        size_t at = (size_t)plane * side->rows;
        word *const rows[3] = {batch->after_wins + at, batch->after_losses + at,
                               after->spoilt ? batch->after_spoilt + at : NULL};
        table_plane(after, set ^ victim, rows);
        for (size_t i = 0; i < side->rows; i++)
            batch->victims[at + i] = victim;
    }
}

static inline void take_man(struct work *work, const struct side *side, word victim,
                            const struct table *after)
{
    struct batch *batch = &work->batch;
    for (uint32_t plane = 0; plane < batch->planes; plane++) {
        size_t at = (size_t)plane * side->rows;
        word *const rows[3] = {batch->after_wins + at, batch->after_losses + at,
                               after->spoilt ? batch->after_spoilt + at : NULL};
        table_plane(after, side->plane_sets[batch->plane + plane], rows);
    }
    for (size_t i = 0; i < batch->count; i++)
        batch->victims[i] = victim;
}

static ALWAYS_INLINE void captures_by_kings_of(struct work *work, bool flying,
                                               const struct king_captures *captures)
{
    const struct side *side = &work->sides[captures->mover];
    const struct batch *batch = &work->batch;
    word men = work->men[1 - captures->mover];
    word any = find_starts(UP_LEFT, flying, men, batch);
    any |= find_starts(UP_RIGHT, flying, men, batch);
    any |= find_starts(DOWN_RIGHT, flying, men, batch);
    any |= find_starts(DOWN_LEFT, flying, men, batch);
    if (!any)
        return;
    for (int i = 0; i < captures->men; i++) {
        take_man(work, side, captures->victims[i], captures->after_man[i]);
        jump_all_ways(flying, batch, level_of(work->variant, true, false));
        if (captures->after_man[i]->spoilt)
            mark_spoilt(flying, batch);
    }
    for (int i = 0; i < side->other_kings; i++) {
        take_king(work, side, i, captures->after_king);
        jump_all_ways(flying, batch, level_of(work->variant, true, true));
        if (captures->after_king->spoilt)
            mark_spoilt(flying, batch);
    }
}

/* Captures by the bit kings of the batch. Those of other kings of a row are in other rows. */
static inline void captures_by_kings(struct work *work, const struct king_captures *captures)
{
    if (work->variant->rules.flying)
        captures_by_kings_of(work, true, captures);
    else
        captures_by_kings_of(work, false, captures);
}

#endif
