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
    free(table->distances);
    table->wins = NULL;
    table->distances = NULL;
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
            table_drop(work, work->tables[i]);
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

static inline enum status table_block(const struct work *work, const struct table *table,
                                      struct values_block *block)
{
    int mover = table->mover;
    return values_find(work->plan, slice_of_table(table), seen_by(mover, table->men[mover]),
                       seen_by(mover, table->men[1 - mover]), block);
}

/* Room for so many kinds of bits, one after the other. */
static inline bool table_reserve(struct work *work, struct table *table, int kinds, size_t words)
{
    size_t bytes = (size_t)kinds * words * sizeof *table->wins;
    free(table->distances);
    table->distances = NULL;
    if (bytes > table->bytes) {
        table_drop(work, table);
        table->wins = malloc(bytes);
        if (!table->wins)
            return false;
        table->bytes = bytes;
        work->table_bytes += bytes;
    }
    table->losses = table->wins + words;
    table->spoilt = kinds > 2 ? table->losses + words : NULL;
    return true;
}

static inline enum status table_load(struct work *work, struct table *table)
{
    int mover = table->mover;
    table->gone = table->men[mover] == 0 && table->kings[mover] == 0;
    table->loaded = table->gone;
    table->spoilt = NULL;
    if (table->gone)
        return STATUS_OK;
    struct values_block block;
    enum status status = table_block(work, table, &block);
    if (status != STATUS_OK)
        return status;
    if (!table_reserve(work, table, work->distances ? 3 : 2, (size_t)((block.count + 63) / 64) + 2))
        return STATUS_NO_MEMORY;
    struct value_bits bits = {table->wins, table->losses, table->spoilt, false};
    status = values_bits(work->values, &block, &bits);
    if (!bits.any_spoilt)
        table->spoilt = NULL;
    work->spoilt |= bits.any_spoilt && !work->distances;
    table->loaded = true;
    return status;
}

/* Reads the distances of a table that was found, if they are not there yet. */
static inline enum status table_read_distances(struct work *work, const struct table *found)
{
    struct table *table = work->tables[found->slot];
    if (table->gone || table->distances)
        return STATUS_OK;
    struct values_block block;
    enum status status = table_block(work, table, &block);
    if (status != STATUS_OK)
        return status;
    table->distances = malloc(block.count * sizeof *table->distances);
    if (!table->distances)
        return STATUS_NO_MEMORY;
    return values_distances(work->values, &block.piece, block.first, (size_t)block.count, table->distances);
}

/* Number of a position in a table. */
static inline uint64_t table_number(const struct table *table, word mover_kings, word waiting_kings)
{
    int mover = table->mover;
    uint64_t free_squares = ALL_SQUARES & ~seen_by(mover, table->men[0] | table->men[1]);
    uint64_t own = seen_by(mover, mover_kings);
    uint64_t count = choose[bits_count(free_squares) - table->kings[mover]][table->kings[1 - mover]];
    return combination_number(free_squares, own) * count +
           combination_number(free_squares & ~own, seen_by(mover, waiting_kings));
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
        table->slot = slot;
        table->mover = mover;
        memcpy(table->men, men, sizeof table->men);
        memcpy(table->kings, kings, sizeof table->kings);
        return table_load(work, table);
    }
    return STATUS_NO_MEMORY;
}

/* The plane of a set of the mover's kings, in the other form; the waiting side has kings. rows[2], of spoilt
 * values, may be null. */
static inline void table_plane(const struct table *table, word mover_kings, word *const rows[3])
{
    int waiting = table->kings[1 - table->mover];
    size_t bytes = sets_of(waiting - 1) * sizeof *rows[0];
    memset(rows[0], 0, bytes);
    memset(rows[1], table->gone ? 255 : 0, bytes);
    if (rows[2])
        memset(rows[2], 0, bytes);
    uint64_t free_squares = ALL_SQUARES & ~seen_by(table->mover, table->men[0] | table->men[1]);
    uint64_t own = seen_by(table->mover, mover_kings);
    if (table->gone || (own & ~free_squares))
        return;
    uint64_t count = choose[bits_count(free_squares & ~own)][waiting];
    uint64_t first = combination_number(free_squares, own) * count;
    const uint64_t *const bits[3] = {table->wins, table->losses, table->spoilt};
    if (rows[2] && table->spoilt)
        plane_from_bits(3, bits, first, free_squares & ~own, waiting, table->mover == 1, rows);
    else
        plane_from_bits(2, bits, first, free_squares & ~own, waiting, table->mover == 1, rows);
}

/* The rows of one kind of bits for table_own_plane, where the waiting side has a king. */
static inline void own_plane_with_king(const struct table *table, const uint64_t *bits, uint64_t king,
                                       word *rows)
{
    int mover = table->mover;
    int n = table->kings[mover];
    uint64_t free_squares = ALL_SQUARES & ~seen_by(mover, table->men[0] | table->men[1]);
    uint64_t count = (uint64_t)(bits_count(free_squares) - n);
    struct combination own;
    bool more = combination_begin(&own, free_squares, n);
    for (uint64_t first = 0; more; more = combination_next(&own), first += count) {
        uint64_t number = first + combination_number(free_squares & ~own.set, king);
        if ((own.set & king) || !((bits[number / 64] >> (number % 64)) & 1))
            continue;
        word lowest = seen_by(mover, (word)(own.set & (~own.set + 1)));
        rows[rank_of(seen_by(mover, (word)own.set) ^ lowest)] |= lowest;
    }
    complete_plane(rows, n);
}

/* The plane in which the waiting side has no king, or one on a square, in the mover's own form; the mover has
 * kings. */
static inline void table_own_plane(const struct table *table, word waiting_king, word *const rows[3])
{
    int mover = table->mover;
    int n = table->kings[mover];
    uint64_t free_squares = ALL_SQUARES & ~seen_by(mover, table->men[0] | table->men[1]);
    const uint64_t *const bits[3] = {table->wins, table->losses, table->spoilt};
    for (int i = 0; i < 3; i++) {
        if (!rows[i])
            continue;
        memset(rows[i], 0, sets_of(n - 1) * sizeof *rows[i]);
        if (bits[i] && waiting_king)
            own_plane_with_king(table, bits[i], seen_by(mover, waiting_king), rows[i]);
        else if (bits[i])
            plane_from_bits(1, &bits[i], 0, free_squares, n, mover == 1, &rows[i]);
    }
}

#endif
