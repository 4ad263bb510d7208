/* Distances (index/distance.h): the spread ply by ply, with what is decided in its own time. A position that
 * a move of one ply has decided is told to the other side in ply 1; what a man's step decides later waits on
 * a list until its ply comes. Part of the word solver. */
#ifndef GEN_WORD_DISTANCES_H
#define GEN_WORD_DISTANCES_H

#include "word_first_pass.h"
#include "word_spread.h"

/* -- Positions one by one ----------------------------------------------------------------------------------
 */

/* Kings of both sides at a bit of a row of a side's own form. */
static void kings_at(const struct side *side, size_t row, word bit, word *own, word *others)
{
    word set = side->row_sets[row % side->rows] | bit;
    *own = side->kings > 0 ? set : 0;
    *others = side->kings > 0 ? side->plane_sets[row / side->rows] : set;
}

/* Sets or clears all bits of a position. */
static void set_position(const struct side *side, word *words, size_t row, word bit, bool set)
{
    size_t plane = row - row % side->rows;
    word kings = side->row_sets[row % side->rows] | bit;
    for (word rest = kings; rest; rest &= rest - 1) {
        word king = rest & (~rest + 1);
        size_t at = plane + rank_of(kings ^ king);
        words[at] = set ? words[at] | king : words[at] & ~king;
    }
}

/* The quickest win or the slowest loss by steps of men that do not zero; 0 if there is none. */
static uint32_t steps_distance(const struct work *work, int mover, size_t row, word bit, bool win)
{
    const struct man_moves *moves = &work->distances->moves[mover];
    word own;
    word others;
    kings_at(&work->sides[mover], row, bit, &own, &others);
    uint32_t best = 0;
    for (int i = 0; i < moves->count; i++) {
        const struct man_move *move = &moves->moves[i];
        if (move->victim || (move->to & (own | others)))
            continue;
        uint64_t number = table_number(move->after, others, move->crowned ? own | move->to : own);
        const uint64_t *bits = win ? move->after->losses : move->after->wins;
        if (!move->after->gone && !((bits[number / 64] >> (number % 64)) & 1))
            continue;
        uint32_t plies = 1 + (move->after->gone ? 0 : move->after->distances[number]);
        if (best == 0 || (win ? plies < best : plies > best))
            best = plies;
    }
    return best;
}

static void write_position(struct work *work, int mover, size_t row, word bit, enum value plain)
{
    struct word_distances *distances = work->distances;
    if (!distances->exists[mover])
        return;
    const struct placement *placement = &distances->placements[mover];
    uint64_t free_squares = ALL_SQUARES & ~(uint64_t)(work->men[0] | work->men[1]);
    word own;
    word others;
    kings_at(&work->sides[mover], row, bit, &own, &others);
    uint64_t place = placement->base;
    if (mover == 0)
        place += combination_number(free_squares, own) * placement->opponent_placements +
                 combination_number(free_squares & ~(uint64_t)own, others);
    else
        place += combination_number_turned(free_squares, own) * placement->opponent_placements +
                 combination_number_turned(free_squares & ~(uint64_t)own, others);
    enum value value = value_at_distance(work->variant, plain, distances->ply);
    int member = slice_equal(placement->slice, work->plan->pairs[work->pair]->name) ? 0 : 1;
    distances->solution->values[place] = (uint8_t)value;
    distances->solution->distances[place] = (uint16_t)distances->ply;
    work->found[member][value]++;
    work->found[member][DRAW]--;
}

/* -- From the first pass -----------------------------------------------------------------------------------
 */

/* Steps that win without zeroing win in their own time. */
static void schedule_wins(struct work *work, int mover, size_t row, word bits)
{
    bits &= bits_above(work->sides[mover].row_sets[row % work->sides[mover].rows]);
    for (; bits; bits &= bits - 1) {
        word bit = bits & (~bits + 1);
        schedule(work->distances, mover, steps_distance(work, mover, row, bit, true), row, bit,
                 EVENT_WIN_IF_OPEN);
    }
}

/* Stores what a batch has come to. */
static void store_with_distances(struct work *work, int mover)
{
    struct side *side = &work->sides[mover];
    const struct batch *batch = &work->batch;
    bool zero = work->distances->steps_zero;
    for (size_t i = 0; i < batch->count; i++) {
        size_t row = batch->first + i;
        word captures = batch->has[0][i];
        word steps = batch->empty[i] & ~captures;
        word wins = steps & batch->step_wins[i];
        side->first_wins[row] = batch->wins[i] | (zero ? wins : 0);
        side->first_losses[row] = captures & ~batch->wins[i] & ~batch->draws[i];
        side->open[row] = zero ? steps & ~wins : steps;
        side->safe[row] = side->open[row] & (batch->step_draws[i] | wins);
        side->exits[row] = side->open[row] & ~side->safe[row] & batch->step_losses[i];
        if (!zero && wins)
            schedule_wins(work, mover, row, wins);
    }
    memset(side->new_wins + batch->first, 0, batch->count * sizeof *side->new_wins);
    memset(side->new_losses + batch->first, 0, batch->count * sizeof *side->new_losses);
}

/* -- A ply -------------------------------------------------------------------------------------------------
 */

/* Of positions all of whose king moves lose by now, those that have lost; the others lose when the slowest of
 * their steps does. */
static word lost_now(struct work *work, int mover, size_t row, word candidates)
{
    struct word_distances *distances = work->distances;
    struct side *side = &work->sides[mover];
    if (distances->steps_zero && distances->ply > 0)
        return candidates;
    word waiting = candidates & side->exits[row];
    word lost = candidates ^ waiting;
    for (waiting &= bits_above(side->row_sets[row % side->rows]); waiting; waiting &= waiting - 1) {
        word bit = waiting & (~waiting + 1);
        uint32_t plies = distances->steps_zero ? 1 : steps_distance(work, mover, row, bit, false);
        set_position(side, side->open, row, bit, false);
        if (plies <= distances->ply)
            set_position(side, side->new_losses, row, bit, true);
        else
            schedule(distances, mover, plies, row, bit, EVENT_LOSS);
    }
    return lost;
}

/* What moves of kings decide in the batch: batch->wins can win, batch->draws can escape. */
static void decide_batch(struct work *work, int mover)
{
    struct side *side = &work->sides[mover];
    const struct batch *batch = &work->batch;
    for (size_t i = 0; i < batch->count; i++) {
        size_t row = batch->first + i;
        word win = batch->wins[i];
        word candidates = side->open[row] & ~side->safe[row] & ~batch->draws[i] & ~win;
        side->new_wins[row] |= win;
        side->open[row] &= ~win;
        if (candidates) {
            word lost = lost_now(work, mover, row, candidates);
            side->new_losses[row] |= lost;
            side->open[row] &= ~lost;
        }
    }
}

static void look_at_batch(struct work *work, int mover)
{
    struct side *side = &work->sides[mover];
    const struct side *opponent = &work->sides[1 - mover];
    const struct batch *batch = &work->batch;
    if (side->kings == 0) { /* there is nothing but steps */
        batch_clear(batch, batch->wins);
        batch_clear(batch, batch->draws);
    } else {
        if (work->variant->rules.flying)
            look_ahead(true, batch, side, opponent);
        else
            look_ahead(false, batch, side, opponent);
        batch_complete(work, side, batch->wins);
        batch_complete(work, side, batch->draws);
    }
    decide_batch(work, mover);
}

static void take_events(struct work *work, int mover)
{
    struct word_distances *distances = work->distances;
    struct side *side = &work->sides[mover];
    uint32_t number = distances->first[mover][distances->ply];
    distances->first[mover][distances->ply] = NO_EVENT;
    while (number != NO_EVENT) {
        const struct event *event = &distances->events[number];
        word bit = (word)1 << event->square;
        bool decided = event->kind == EVENT_WIN_IF_OPEN && !(side->open[event->row] & bit);
        if (event->kind == EVENT_WIN_IF_OPEN)
            set_position(side, side->open, event->row, bit, false);
        if (!decided)
            set_position(side, event->kind == EVENT_LOSS ? side->new_losses : side->new_wins, event->row, bit,
                         true);
        number = event->next;
    }
}

static void take_first(struct side *side)
{
    for (size_t row = 0; row < side->size; row++) {
        side->new_wins[row] |= side->first_wins[row];
        side->new_losses[row] |= side->first_losses[row];
    }
}

/* One ply of a side, by what the other side has told. */
static void ply_of(struct work *work, int mover)
{
    struct word_distances *distances = work->distances;
    struct side *side = &work->sides[mover];
    struct side *opponent = &work->sides[1 - mover];
    for (uint32_t plane = 0; plane < side->planes; plane += batch_planes(side, plane)) {
        bool changed = side->kings > 0
                           ? memchr(opponent->changed + plane, 1, batch_planes(side, plane)) != NULL
                           : distances->ply == 0;
        if (!changed)
            continue;
        batch_fill(work, mover, plane);
        if (batch_is_open(side, &work->batch))
            look_at_batch(work, mover);
    }
    memset(opponent->changed, 0, sets_of(opponent->kings));
    if (distances->ply == 1)
        take_first(side);
    take_events(work, mover);
}

/* Writes what is new of a side down and tells it to the other. True if anything is. */
static bool tell(struct work *work, int mover)
{
    struct side *side = &work->sides[mover];
    word any = 0;
    for (size_t row = 0; row < side->size; row++) {
        word decided = side->new_wins[row] | side->new_losses[row];
        any |= decided;
        decided &= bits_above(side->row_sets[row % side->rows]);
        for (; decided; decided &= decided - 1) {
            word bit = decided & (~decided + 1);
            write_position(work, mover, row, bit, side->new_wins[row] & bit ? WIN : LOSS);
        }
    }
    if (any)
        convert_results(work, side);
    return any;
}

/* Ply by ply, until nothing changes. Returns the plies it took. */
static uint32_t spread_by_plies(struct work *work)
{
    struct word_distances *distances = work->distances;
    for (int side = 0; side < 2; side++)
        memset(work->sides[side].changed, 1, sets_of(work->sides[side].kings));
    bool any = true;
    uint32_t ply = 0;
    for (; distances->status == STATUS_OK && (any || ply <= distances->latest || ply < 2); ply++) {
        distances->ply = ply;
        ply_of(work, 0);
        ply_of(work, 1);
        any = tell(work, 0);
        any |= tell(work, 1);
    }
    return ply;
}

/* Begins a unit: all places that exist are draws until something is known. */
static void distances_of_unit(struct work *work, const struct unit *unit,
                              const struct placement placements[2], const bool exists[2])
{
    struct word_distances *distances = work->distances;
    distances->count = 0;
    distances->latest = 0;
    distances->steps_zero = forward_steps_zero(work->variant);
    for (int side = 0; side < 2; side++) {
        distances->placements[side] = placements[side];
        distances->exists[side] = exists[side];
        if (!exists[side])
            continue;
        int member = slice_equal(placements[side].slice, unit->pair->name) ? 0 : 1;
        memset(distances->solution->values + placements[side].base, DRAW, unit->pair->kings);
        memset(distances->solution->distances + placements[side].base, 0,
               unit->pair->kings * sizeof *distances->solution->distances);
        work->found[member][DRAW] += unit->pair->kings;
    }
}

#endif
