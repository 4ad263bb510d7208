/* The first pass of a side: what its captures and its men's steps decide. Part of the word solver. */
#ifndef GEN_WORD_FIRST_PASS_H
#define GEN_WORD_FIRST_PASS_H

#include "word_events.h"

/* Kings of both sides in a row with a bit. */
static void kings_of(const struct side *side, const struct batch *batch, size_t row, word bit, word *own,
                     word *others)
{
    word set = side->row_sets[row % side->rows] | bit;
    *own = side->kings > 0 ? set : 0;
    *others = side->kings > 0 ? side->plane_sets[batch->plane + row / side->rows] : set;
}

/* The best capture leads to what a limit has made: that takes its time, until which the position counts as a
 * draw. */
static void spoilt_by_capture(struct work *work, int mover, size_t row, word bit, enum value value)
{
    const struct batch *batch = &work->batch;
    work->spoilt |= !work->distances;
    batch->draws[row] |= bit;
    if (work->distances)
        schedule(work->distances, mover, distance_of_captures(work->variant, value), batch->first + row, bit,
                 value == CURSED_WIN ? EVENT_WIN : EVENT_LOSS);
}

/* Searches the captures of positions in which there may be some of several pieces, each once. */
static void search_several(struct work *work, int mover)
{
    const struct side *side = &work->sides[mover];
    const struct batch *batch = &work->batch;
    for (size_t row = 0; row < batch->count; row++) {
        word rest = batch->several[row] & bits_above(side->row_sets[row % side->rows]);
        for (; rest; rest &= rest - 1) {
            word bit = rest & (~rest + 1);
            word own;
            word others;
            kings_of(side, batch, row, bit, &own, &others);
            struct position position = position_of(work, mover, own, others);
            enum value value = capture_value(work->captures, &position);
            batch->wins[row] |= value == WIN ? bit : 0;
            batch->draws[row] |= value == DRAW ? bit : 0;
            if (value_is_spoilt(value))
                spoilt_by_capture(work, mover, row, bit, value);
        }
    }
}

/* Of single captures those on the highest level of a position count; batch->has[0] becomes all captures. */
static void choose_level(const struct batch *batch)
{
    word *restrict has = batch->has[0];
    for (size_t i = 0; i < batch->count; i++) {
        word left = ~batch->several[i];
        word all = batch->several[i];
        word wins = 0;
        word draws = 0;
        for (int level = LEVELS - 1; level >= 0; level--) {
            word here = batch->has[level][i] & left;
            wins |= here & batch->level_wins[level][i];
            draws |= here & batch->level_draws[level][i];
            left &= ~here;
            all |= here;
        }
        has[i] = all;
        batch->wins[i] = wins;
        batch->draws[i] = draws;
    }
}

static void decide_captures(struct work *work, int mover)
{
    const struct side *side = &work->sides[mover];
    struct batch *batch = &work->batch;
    for (int level = 0; level < LEVELS; level++)
        batch_complete(work, side, batch->has[level]);
    batch_complete(work, side, batch->several);
    choose_level(batch);
    search_several(work, mover);
    batch_complete(work, side, batch->wins);
    batch_complete(work, side, batch->draws);
    for (size_t i = 0; i < batch->count; i++)
        work->captured += (uint64_t)bits_count(batch->has[0][i] & bits_above(side->row_sets[i % side->rows]));
}

/* Stores what a batch of a side with kings has come to. */
static void store_batch(const struct work *work, struct side *side)
{
    const struct batch *batch = &work->batch;
    size_t first = batch->first;
    for (size_t i = 0; i < batch->count; i++) {
        word captures = batch->has[0][i];
        word steps = batch->empty[i] & ~captures;
        side->new_wins[first + i] = batch->wins[i] | (steps & batch->step_wins[i]);
        side->new_losses[first + i] = captures & ~batch->wins[i] & ~batch->draws[i];
        side->open[first + i] = steps & ~batch->step_wins[i];
        side->safe[first + i] = steps & ~batch->step_wins[i] & batch->step_draws[i];
    }
}

/* The same without kings, where nothing is left open. */
static void store_kingless(const struct work *work, struct side *side)
{
    const struct batch *batch = &work->batch;
    for (size_t i = 0; i < batch->count; i++) {
        word captures = batch->has[0][i];
        word steps = batch->empty[i] & ~captures;
        side->wins[i] = batch->wins[i] | (steps & batch->step_wins[i]);
        side->losses[i] = (captures & ~batch->wins[i] & ~batch->draws[i]) |
                          (steps & ~batch->step_wins[i] & ~batch->step_draws[i]);
    }
}

/* All that is known of a batch. */
static void clear_batch(const struct batch *batch)
{
    batch_clear(batch, batch->several);
    batch_clear(batch, batch->step_wins);
    batch_clear(batch, batch->step_draws);
    batch_clear(batch, batch->step_losses);
    for (int level = 0; level < LEVELS; level++) {
        batch_clear(batch, batch->has[level]);
        batch_clear(batch, batch->level_wins[level]);
        batch_clear(batch, batch->level_draws[level]);
    }
}

#endif
