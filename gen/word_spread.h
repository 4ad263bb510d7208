/* The spread over moves of kings, side by side until nothing changes: who can come to a loss of the opponent
 * has won, who can come to nothing but his wins has lost. Part of the word solver. */
#ifndef GEN_WORD_SPREAD_H
#define GEN_WORD_SPREAD_H

#include "word_forms.h"

/* In squares a result: where there are more results they go over to the other form by transposes, else one by
 * one. */
enum { FEW_RESULTS = 24 };

/* -- From the own form to the other ------------------------------------------------------------------------
 */

/* Where a side has no kings, both forms are one. */
static void add_results(struct side *side, const word *from, word *to)
{
    for (size_t i = 0; i < side->size; i++) {
        to[i] |= from[i];
        side->changed[0] |= from[i] != 0;
    }
}

static uint64_t count_bits(const word *words, size_t count)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i++)
        bits += (uint64_t)bits_count(words[i]);
    return bits;
}

/* Takes new results of one kind over and forgets them as new. */
static void convert(const struct work *work, struct side *side, word *from, word *to)
{
    uint64_t count = count_bits(from, side->size);
    if (count == 0)
        return;
    if (side->other_kings == 0 || side->kings == 0)
        add_results(side, from, to);
    else if (count >= side->size * (uint64_t)WORD_BITS / FEW_RESULTS)
        convert_all(work, side, from, to);
    else
        for (uint32_t plane = 0; plane < side->planes; plane++)
            convert_plane(side, plane, from, to);
    memset(from, 0, side->size * sizeof *from);
}

static void convert_results(const struct work *work, struct side *side)
{
    convert(work, side, side->new_wins, side->wins);
    convert(work, side, side->new_losses, side->losses);
}

/* -- A sweep -----------------------------------------------------------------------------------------------
 */

/* Of the batch: batch->wins can come to a loss of the opponent, batch->draws to what is not his win. */
static ALWAYS_INLINE void look_ahead(bool flying, const struct batch *batch, const struct side *side,
                                     const struct side *opponent)
{
    const word *restrict empty = batch->empty;
    const word *restrict open = side->open + batch->first;
    const word *restrict safe = side->safe + batch->first;
    const word *restrict their_wins = opponent->wins + batch->first;
    const word *restrict their_losses = opponent->losses + batch->first;
    word *restrict wins = batch->wins;
    word *restrict escapes = batch->draws;
    for (size_t i = 0; i < batch->count; i++) {
        word to_loss = their_losses[i] & empty[i];
        word to_safety = empty[i] & ~their_wins[i];
        word win = reach(UP_LEFT, flying, to_loss, empty[i]) | reach(UP_RIGHT, flying, to_loss, empty[i]) |
                   reach(DOWN_RIGHT, flying, to_loss, empty[i]) | reach(DOWN_LEFT, flying, to_loss, empty[i]);
        word escape =
            reach(UP_LEFT, flying, to_safety, empty[i]) | reach(UP_RIGHT, flying, to_safety, empty[i]) |
            reach(DOWN_RIGHT, flying, to_safety, empty[i]) | reach(DOWN_LEFT, flying, to_safety, empty[i]);
        wins[i] = win & open[i];
        escapes[i] = escape & open[i] & ~safe[i];
    }
}

/* True if anything in the batch was decided. */
static bool sweep_batch(const struct work *work, struct side *side, const struct side *opponent)
{
    const struct batch *batch = &work->batch;
    if (work->variant->rules.flying)
        look_ahead(true, batch, side, opponent);
    else
        look_ahead(false, batch, side, opponent);
    batch_complete(work, side, batch->wins);
    batch_complete(work, side, batch->draws);
    word any = 0;
    word *restrict open = side->open + batch->first;
    for (size_t i = 0; i < batch->count; i++) {
        word win = batch->wins[i];
        word loss = open[i] & ~side->safe[batch->first + i] & ~batch->draws[i] & ~win;
        side->new_wins[batch->first + i] = win;
        side->new_losses[batch->first + i] = loss;
        open[i] &= ~(win | loss);
        any |= win | loss;
    }
    return any;
}

static bool batch_is_open(const struct side *side, const struct batch *batch)
{
    word any = 0;
    for (size_t i = 0; i < batch->count; i++)
        any |= side->open[batch->first + i];
    return any;
}

/* One ply of a side. True if anything was decided. */
static bool sweep(struct work *work, int mover)
{
    struct side *side = &work->sides[mover];
    struct side *opponent = &work->sides[1 - mover];
    bool any = false;
    for (uint32_t plane = 0; plane < side->planes; plane += batch_planes(side, plane)) {
        struct batch *batch = &work->batch;
        bool changed = memchr(opponent->changed + plane, 1, batch_planes(side, plane));
        if (!changed)
            continue;
        batch_fill(work, mover, plane);
        if (batch_is_open(side, batch))
            any |= sweep_batch(work, side, opponent);
    }
    memset(opponent->changed, 0, side->planes);
    return any;
}

/* Side by side, until a side decides nothing. Returns the plies it took. */
static uint32_t spread(struct work *work)
{
    uint32_t plies = 0;
    uint32_t ply = 0;
    int idle = 0;
    for (int side = 0; side < 2; side++) {
        memset(work->sides[side].changed, 1, sets_of(work->sides[side].kings));
        if (work->sides[side].kings > 0)
            convert_results(work, &work->sides[side]);
    }
    for (int mover = 0; idle < 2; mover = 1 - mover) {
        ply++;
        if (work->sides[mover].kings > 0 && sweep(work, mover)) {
            convert_results(work, &work->sides[mover]);
            plies = ply;
            idle = 0;
        } else
            idle++;
    }
    return plies;
}

#endif
