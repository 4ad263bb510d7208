/* Results of a side as bytes by place, and their counts. Part of the word solver. */
#ifndef GEN_WORD_PLACES_H
#define GEN_WORD_PLACES_H

#include "word_forms.h"

#include <stdlib.h>
#include <string.h>

/* Eight bits as the lowest bits of eight bytes, the first in the lowest byte. */
static ALWAYS_INLINE uint64_t bytes_of_bits(uint64_t bits)
{
    return spread_bits(bits & 255, UINT64_C(0x0101010101010101));
}

/* Values of places: `count` of each kind of bits, a byte each. */
static void bits_to_values(const uint64_t *wins, const uint64_t *losses, uint64_t count, uint8_t *values)
{
    for (uint64_t i = 0; i < count; i += 8) {
        uint64_t win = bytes_of_bits(wins[i / 64] >> (i % 64));
        uint64_t loss = bytes_of_bits(losses[i / 64] >> (i % 64));
        uint64_t bytes = (uint64_t)DRAW * UINT64_C(0x0101010101010101) + (WIN - DRAW) * win - DRAW * loss;
        for (uint64_t j = 0; j < 8 && i + j < count; j++)
            values[i + j] = (uint8_t)(bytes >> (8 * j));
    }
}

static uint64_t count_of_bits(const uint64_t *bits, uint64_t count)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < (count + 63) / 64; i++)
        sum += (uint64_t)bits_count(bits[i]);
    return sum;
}

/* Values of the places of a side, as its placement has them. STATUS_NO_MEMORY. */
static enum status write_places(struct work *work, int mover, const struct unit *unit,
                                const struct placement *placement, uint8_t *values)
{
    uint64_t count = unit->pair->kings;
    size_t words = (size_t)(count / 64 + 2);
    uint64_t *wins = calloc(2 * words, sizeof *wins);
    if (!wins)
        return STATUS_NO_MEMORY;
    uint64_t *const bits[2] = {wins, wins + words};
    const word *const rows[2] = {work->sides[mover].wins, work->sides[mover].losses};
    results_to_bits(2, &work->sides[mover], mover, rows, placement->free, bits);
    bits_to_values(bits[0], bits[1], count, values + placement->base);
    int member = slice_equal(placement->slice, unit->pair->name) ? 0 : 1;
    uint64_t won = count_of_bits(bits[0], count);
    uint64_t lost = count_of_bits(bits[1], count);
    work->found[member][WIN] += won;
    work->found[member][LOSS] += lost;
    work->found[member][DRAW] += count - won - lost;
    free(wins);
    return STATUS_OK;
}

#endif
