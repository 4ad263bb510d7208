/* Finished positions for the word solver: their bits by number, kept while there is room, and rows of words
 * from them. */
#ifndef GEN_WORD_TABLE_H
#define GEN_WORD_TABLE_H

#include "word_work.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of tables that are kept for units to come. */
#define TABLE_BYTES ((size_t)32 << 20)

/* Gives back the bits of a table; its slot stays. */
static inline void table_drop(struct work *work, struct table *table)
{
    work->table_bytes -= table->bytes;
    free(table->wins);
    table->wins = NULL;
    table->bytes = 0;
    table->loaded = false;
}

/* Begins a pass: what earlier ones asked for may go. */
static inline void tables_begin(struct work *work)
{
    work->time++;
    if (work->table_bytes <= TABLE_BYTES)
        return;
    for (int i = 0; i < TABLE_SLOTS; i++)
        if (work->tables[i])
            table_drop(work, work->tables[i]);
}

static inline void tables_release(struct work *work)
{
    for (int i = 0; i < TABLE_SLOTS; i++) {
        if (work->tables[i])
            free(work->tables[i]->wins);
        free(work->tables[i]);
    }
}

/* The slice of positions of a table, as its mover sees it. */
static inline struct slice slice_of_table(const struct table *table)
{
    int mover = table->mover;
    return (struct slice){(uint8_t)bits_count(table->men[mover]), (uint8_t)table->kings[mover],
                          (uint8_t)bits_count(table->men[1 - mover]), (uint8_t)table->kings[1 - mover]};
}

static inline enum status table_load(struct work *work, struct table *table)
{
    int mover = table->mover;
    table->gone = table->men[mover] == 0 && table->kings[mover] == 0;
    table->loaded = table->gone;
    if (table->gone)
        return STATUS_OK;
    struct values_block block;
    enum status status = values_find(work->plan, slice_of_table(table), seen_by(mover, table->men[mover]),
                                     seen_by(mover, table->men[1 - mover]), &block);
    if (status != STATUS_OK)
        return status;
    size_t words = (size_t)((block.count + 63) / 64) + 2;
    if (2 * words * sizeof *table->wins > table->bytes) {
        table_drop(work, table);
        table->wins = malloc(2 * words * sizeof *table->wins);
        if (!table->wins)
            return STATUS_NO_MEMORY;
        table->bytes = 2 * words * sizeof *table->wins;
        work->table_bytes += table->bytes;
    }
    table->losses = table->wins + words;
    table->loaded = true;
    return values_bits(work->values, &block, table->wins, table->losses, &work->spoilt);
}

static inline bool table_is(const struct table *table, int mover, const word men[2], const int kings[2])
{
    return table->loaded && table->mover == mover && table->men[0] == men[0] && table->men[1] == men[1] &&
           table->kings[0] == kings[0] && table->kings[1] == kings[1];
}

/* Where a table is to be looked for first. */
static inline unsigned table_slot(int mover, const word men[2], const int kings[2])
{
    uint64_t hash =
        ((uint64_t)men[0] * UINT64_C(0x9e3779b97f4a7c15)) ^
        ((uint64_t)men[1] * UINT64_C(0xc2b2ae3d27d4eb4f)) ^
        ((uint64_t)(2 * (MAX_CHOSEN * kings[0] + kings[1]) + mover) * UINT64_C(0x165667b19e3779f9));
    return (unsigned)(hash >> 32) % TABLE_SLOTS;
}

/* The table of all positions with these men and so many kings, `mover` to move. It is the work's, and stays
 * for this pass. */
static inline enum status table_find(struct work *work, int mover, const word men[2], const int kings[2],
                                     const struct table **found)
{
    unsigned slot = table_slot(mover, men, kings);
    for (int i = 0; i < TABLE_SLOTS; i++, slot = (slot + 1) % TABLE_SLOTS) {
        struct table *table = work->tables[slot];
        if (!table)
            table = work->tables[slot] = calloc(1, sizeof *table);
        if (!table)
            return STATUS_NO_MEMORY;
        *found = table;
        bool there = table_is(table, mover, men, kings);
        if (!there && table->used == work->time)
            continue;
        table->used = work->time;
        if (there)
            return STATUS_OK;
        table->mover = mover;
        memcpy(table->men, men, sizeof table->men);
        memcpy(table->kings, kings, sizeof table->kings);
        return table_load(work, table);
    }
    return STATUS_NO_MEMORY;
}

/* The plane of a set of the mover's kings, in the other form; the waiting side has kings. */
static inline void table_plane(const struct table *table, word mover_kings, word *const rows[2])
{
    int waiting = table->kings[1 - table->mover];
    size_t bytes = sets_of(waiting - 1) * sizeof *rows[0];
    memset(rows[0], 0, bytes);
    memset(rows[1], table->gone ? 255 : 0, bytes);
    uint64_t free_squares = ALL_SQUARES & ~seen_by(table->mover, table->men[0] | table->men[1]);
    uint64_t own = seen_by(table->mover, mover_kings);
    if (table->gone || (own & ~free_squares))
        return;
    uint64_t count = choose[bits_count(free_squares & ~own)][waiting];
    const uint64_t *const bits[2] = {table->wins, table->losses};
    plane_from_bits(bits, combination_number(free_squares, own) * count, free_squares & ~own, waiting,
                    table->mover == 1, rows);
}

/* The plane in which the waiting side has no king, or one on a square, in the mover's own form; the mover has
 * kings. */
static inline void table_own_plane(const struct table *table, word waiting_king, word *const rows[2])
{
    int mover = table->mover;
    int n = table->kings[mover];
    size_t bytes = sets_of(n - 1) * sizeof *rows[0];
    memset(rows[0], 0, bytes);
    memset(rows[1], 0, bytes);
    uint64_t free_squares = ALL_SQUARES & ~seen_by(mover, table->men[0] | table->men[1]);
    uint64_t king = seen_by(mover, waiting_king);
    const uint64_t *const bits[2] = {table->wins, table->losses};
    if (!king) {
        plane_from_bits(bits, 0, free_squares, n, mover == 1, rows);
        return;
    }
    uint64_t count = (uint64_t)(bits_count(free_squares) - n);
    struct combination own;
    bool more = combination_begin(&own, free_squares, n);
    for (uint64_t first = 0; more; more = combination_next(&own), first += count) {
        if (own.set & king)
            continue;
        uint64_t number = first + combination_number(free_squares & ~own.set, king);
        word lowest = seen_by(mover, (word)(own.set & (~own.set + 1)));
        uint32_t row = rank_of(seen_by(mover, (word)own.set) ^ lowest);
        for (int i = 0; i < 2; i++)
            if ((bits[i][number / 64] >> (number % 64)) & 1)
                rows[i][row] |= lowest;
    }
    complete_plane(rows[0], n);
    complete_plane(rows[1], n);
}

#endif
