/* Positions with captures: starts of kings' jumps and lanes of men's. */
#include "word_captures.h"

#include "word_forms.h"
#include "word_men.h"
#include "word_name.h"

/* A side to move, the first one, and room for what is found. */
struct word_captures {
    struct work work;
    word *own; /* by row of its own form */
};

/* Marks the bits of a man's captures. The bit may be the king to be taken where the other side has the bits.
 */
static void mark_man(const struct batch *batch, const struct man_move *move, bool bit_is_other)
{
    const word *restrict empty = batch->empty;
    const word *restrict others = batch->others;
    word *restrict has = batch->has[0];
    word victim = move->victim_is_king ? move->victim : 0;
    word bit = bit_is_other ? victim : 0;
    for (size_t i = 0; i < batch->count; i++) {
        word free = empty[i] & ~move->to & holds(empty[i], move->to);
        has[i] |= victim ? free & (holds(others[i], victim) | bit) : free;
    }
}

static ALWAYS_INLINE void mark_kings(bool flying, word men, const struct batch *batch)
{
    const word *restrict empty = batch->empty;
    const word *restrict others = batch->others;
    word *restrict has = batch->has[0];
    for (size_t i = 0; i < batch->count; i++) {
        word there = men | others[i];
        has[i] = reach(UP_LEFT, flying, there & step_one(UP_LEFT, empty[i]), empty[i]) |
                 reach(UP_RIGHT, flying, there & step_one(UP_RIGHT, empty[i]), empty[i]) |
                 reach(DOWN_RIGHT, flying, there & step_one(DOWN_RIGHT, empty[i]), empty[i]) |
                 reach(DOWN_LEFT, flying, there & step_one(DOWN_LEFT, empty[i]), empty[i]);
    }
}

static void find_in_batch(struct work *work, const struct man_moves *moves)
{
    struct side *side = &work->sides[0];
    const struct batch *batch = &work->batch;
    if (side->kings == 0)
        batch_clear(batch, batch->has[0]);
    else if (work->variant->rules.flying)
        mark_kings(true, work->men[1], batch);
    else
        mark_kings(false, work->men[1], batch);
    if (side->kings > 0)
        batch_complete(work, side, batch->has[0]);
    for (int i = 0; i < moves->count; i++)
        mark_man(batch, &moves->moves[i], side->kings == 0);
}

static void find(struct word_captures *captures, uint64_t own_men, uint64_t opponent_men, uint64_t *bits)
{
    struct work *work = &captures->work;
    struct side *side = &work->sides[0];
    struct man_moves moves;
    work->men[0] = (word)own_men;
    work->men[1] = (word)opponent_men;
    man_captures_find(work, 0, &moves);
    for (uint32_t plane = 0; plane < side->planes; plane += work->batch.planes) {
        batch_fill(work, 0, plane);
        find_in_batch(work, &moves);
        memcpy(captures->own + work->batch.first, work->batch.has[0], work->batch.count * sizeof(word));
    }
    const word *rows[1] = {captures->own};
    if (side->kings > 0 && side->other_kings > 0) {
        memset(side->wins, 0, side->result_size * sizeof *side->wins);
        convert_all(work, side, captures->own, side->wins);
        rows[0] = side->wins;
    }
    uint64_t *const all[1] = {bits};
    results_to_bits(1, side, 0, rows, ALL_SQUARES & ~(own_men | opponent_men), all);
}

static void destroy(struct word_captures *captures)
{
    if (!captures)
        return;
    for (int n = 0; n <= MAX_CHOSEN; n++)
        free(captures->work.sets[n]);
    free(captures->work.batch.room);
    free(captures->work.sides[0].wins);
    free(captures->work.sides[0].changed);
    free(captures->own);
    free(captures);
}

static enum status create(const struct variant *variant, struct slice slice, struct word_captures **captures)
{
    struct word_captures *made = *captures = calloc(1, sizeof *made);
    if (!made)
        return STATUS_NO_MEMORY;
    struct work *work = &made->work;
    struct side *side = &work->sides[0];
    work->variant = variant;
    bool enough = side_measure(work, side, slice.own_kings, slice.opponent_kings) && all_sets(work, 0) &&
                  batch_allocate(work);
    if (enough) {
        made->own = malloc(side->size * sizeof *made->own);
        side->wins = malloc(side->result_size * sizeof *side->wins);
        side->changed = malloc(sets_of(side->kings));
    }
    if (enough && made->own && side->wins && side->changed &&
        (side->other_kings == 0 || all_sets(work, side->other_kings - 1)))
        return STATUS_OK;
    destroy(made);
    *captures = NULL;
    return STATUS_NO_MEMORY;
}

const struct word_captures_code NAMED(word_captures) = {create, destroy, find};
