/* Finished positions from the store into rows of words. Part of the word solver. */
#ifndef GEN_WORD_TABLE_H
#define GEN_WORD_TABLE_H

#include "word_work.h"

#include <string.h>

static inline void table_release(struct table *table)
{
    free(table->win);
    free(table->loss);
    *table = (struct table){0};
}

/* Room for the bits of a block. */
static bool reserve_bits(struct work *work, uint64_t count)
{
    size_t words = (size_t)((count + 63) / 64) + 2;
    if (words <= work->bit_words)
        return true;
    free(work->wins);
    free(work->losses);
    work->wins = malloc(words * sizeof *work->wins);
    work->losses = malloc(words * sizeof *work->losses);
    work->bit_words = work->wins && work->losses ? words : 0;
    return work->bit_words > 0;
}

/* The slice of positions with these men and so many kings (both by side), as `mover` sees it. */
static struct slice slice_seen_by(int mover, const word men[2], const int kings[2])
{
    return (struct slice){(uint8_t)bits_count(men[mover]), (uint8_t)kings[mover],
                          (uint8_t)bits_count(men[1 - mover]), (uint8_t)kings[1 - mover]};
}

/* The bits of all those positions, `mover` to move. */
static enum status read_bits(struct work *work, int mover, const word men[2], const int kings[2])
{
    struct slice slice = slice_seen_by(mover, men, kings);
    struct values_block block;
    enum status status =
        values_find(work->plan, slice, seen_by(mover, men[mover]), seen_by(mover, men[1 - mover]), &block);
    if (status != STATUS_OK)
        return status;
    if (!reserve_bits(work, block.count))
        return STATUS_NO_MEMORY;
    return values_bits(work->values, &block, work->wins, work->losses, &work->spoilt);
}

/* The bits just read, of positions in which the waiting side has kings, to planes by the mover's kings. */
static void fill_table(struct work *work, int mover, const word men[2], const int kings[2],
                       struct table *table)
{
    uint64_t free_squares = ALL_SQUARES & ~seen_by(mover, men[0] | men[1]);
    uint32_t rows = sets_of(kings[1 - mover] - 1);
    uint64_t count = choose[SQUARES - bits_count(men[0] | (uint64_t)men[1]) - kings[mover]][kings[1 - mover]];
    struct combination own;
    bool more = combination_begin(&own, free_squares, kings[mover]);
    for (uint64_t first = 0; more; more = combination_next(&own), first += count) {
        size_t plane = (size_t)rank_of(seen_by(mover, (word)own.set)) * rows;
        uint64_t rest = free_squares & ~own.set;
        plane_from_bits(work->wins, first, rest, kings[1 - mover], mover == 1, table->win + plane);
        plane_from_bits(work->losses, first, rest, kings[1 - mover], mover == 1, table->loss + plane);
    }
}

/* The table of all positions with these men and so many kings, `mover` to move; the waiting side has kings. A
 * mover without pieces has lost. The caller releases it. */
static enum status table_read(struct work *work, int mover, const word men[2], const int kings[2],
                              struct table *table)
{
    size_t size = (size_t)sets_of(kings[mover]) * sets_of(kings[1 - mover] - 1);
    bool gone = men[mover] == 0 && kings[mover] == 0;
    *table = (struct table){calloc(size, sizeof(word)), calloc(size, sizeof(word))};
    if (!table->win || !table->loss)
        return STATUS_NO_MEMORY;
    if (gone) {
        memset(table->loss, 255, size * sizeof(word));
        return STATUS_OK;
    }
    enum status status = read_bits(work, mover, men, kings);
    if (status == STATUS_OK && !work->spoilt)
        fill_table(work, mover, men, kings, table);
    return status;
}

#endif
