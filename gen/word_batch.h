/* Batches of rows (word_work.h): memory for them, and the squares of each row. Part of the word solver. */
#ifndef GEN_WORD_BATCH_H
#define GEN_WORD_BATCH_H

#include "word_work.h"

#include <stdlib.h>
#include <string.h>

/* All sets of n squares, made when first asked for; null without memory. */
static inline const word *all_sets(struct work *work, int n)
{
    if (work->sets[n])
        return work->sets[n];
    word *sets = malloc(sets_of(n) * sizeof *sets);
    struct combination combination;
    bool more = sets && combination_begin(&combination, ALL_SQUARES, n);
    for (uint32_t i = 0; more; i++, more = combination_next(&combination))
        sets[i] = (word)combination.set;
    return work->sets[n] = sets;
}

/* Sizes of a side's forms, and the sets that number them. False without memory. */
static inline bool side_measure(struct work *work, struct side *side, int kings, int other_kings)
{
    int in_planes = kings > 0 ? other_kings : 0;
    side->kings = kings;
    side->other_kings = other_kings;
    side->bit_kings = kings > 0 ? kings : other_kings;
    side->planes = sets_of(in_planes);
    side->rows = sets_of(side->bit_kings - 1);
    side->size = (size_t)side->planes * side->rows;
    side->result_size = other_kings > 0 ? (size_t)sets_of(kings) * sets_of(other_kings - 1) : side->size;
    side->plane_sets = all_sets(work, in_planes);
    side->row_sets = all_sets(work, side->bit_kings - 1);
    return side->plane_sets && side->row_sets;
}

/* Rows of a batch of a side, at most. */
static inline size_t batch_capacity(const struct side *side)
{
    return side->rows > BATCH_ROWS ? side->rows : BATCH_ROWS;
}

/* Room for batches of both sides. False without memory. */
static inline bool batch_allocate(struct work *work)
{
    struct batch *batch = &work->batch;
    size_t rows = 0;
    size_t larger = 0; /* planes of a king more */
    for (int i = 0; i < 2; i++) {
        size_t needed = batch_capacity(&work->sides[i]);
        rows = needed > rows ? needed : rows;
        size_t plane = sets_of(work->sides[i].bit_kings);
        larger = plane > larger ? plane : larger;
    }
    word **const arrays[] = {&batch->empty,      &batch->others,       &batch->victims,
                             &batch->several,    &batch->wins,         &batch->draws,
                             &batch->step_wins,  &batch->step_draws,   &batch->step_losses,
                             &batch->after_wins, &batch->after_losses, &batch->after_spoilt};
    enum { ARRAYS = sizeof arrays / sizeof arrays[0] };
    word *room = malloc(((ARRAYS + DIRECTIONS + 3 * LEVELS) * rows + 3 * larger) * sizeof *room);
    batch->room = room;
    if (!room)
        return false;
    for (int i = 0; i < ARRAYS; i++, room += rows)
        *arrays[i] = room;
    for (int i = 0; i < DIRECTIONS; i++, room += rows)
        batch->starts[i] = room;
    for (int i = 0; i < LEVELS; i++, room += 3 * rows) {
        batch->has[i] = room;
        batch->level_wins[i] = room + rows;
        batch->level_draws[i] = room + 2 * rows;
    }
    batch->plane_wins = room;
    batch->plane_losses = room + larger;
    batch->plane_spoilt = room + 2 * larger;
    return true;
}

/* Planes in the batch that begins with one. */
static inline uint32_t batch_planes(const struct side *side, uint32_t plane)
{
    uint32_t planes = side->rows < BATCH_ROWS ? BATCH_ROWS / side->rows : 1;
    return planes < side->planes - plane ? planes : side->planes - plane;
}

/* Makes the batch that begins with a plane, its squares filled in. */
static inline void batch_fill(struct work *work, int mover, uint32_t plane)
{
    const struct side *side = &work->sides[mover];
    struct batch *batch = &work->batch;
    word men = work->men[0] | work->men[1];
    batch->plane = plane;
    batch->planes = batch_planes(side, plane);
    batch->first = (size_t)plane * side->rows;
    batch->count = (size_t)batch->planes * side->rows;
    for (uint32_t i = 0; i < batch->planes; i++) {
        word set = side->plane_sets[plane + i];
        word fixed = men | set;
        const word *restrict rows = side->row_sets;
        word *restrict empty = batch->empty + (size_t)i * side->rows;
        word *restrict others = batch->others + (size_t)i * side->rows;
        word board = men & set ? 0 : ALL_SQUARES;
        for (uint32_t row = 0; row < side->rows; row++) {
            empty[row] = rows[row] & fixed ? 0 : board & ~(rows[row] | fixed);
            others[row] = side->kings > 0 ? set : rows[row];
        }
    }
}

/* Gives every position of the batch all its bits in these words if it has one. */
static inline void batch_complete(const struct work *work, const struct side *side, word *words)
{
    for (uint32_t i = 0; i < work->batch.planes; i++)
        complete_plane(words + (size_t)i * side->rows, side->bit_kings);
}

static inline void batch_clear(const struct batch *batch, word *words)
{
    memset(words, 0, batch->count * sizeof *words);
}

#endif
