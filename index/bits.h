/* Sets of squares as 64-bit words: counting, scanning, reversing.
 * Nothing here knows a board; square n is bit n. */
#ifndef INDEX_BITS_H
#define INDEX_BITS_H

#include <stdint.h>

/* The set that holds only `square` (0 to 63). */
static inline uint64_t bit_of(int square)
{
    return UINT64_C(1) << square;
}

/* Number of squares in the set. */
static inline int bits_count(uint64_t set)
{
    return __builtin_popcountll(set);
}

/* Lowest square of a set that is not empty. */
static inline int bits_lowest(uint64_t set)
{
    return __builtin_ctzll(set);
}

/* Highest square of a set that is not empty. */
static inline int bits_highest(uint64_t set)
{
    return 63 - __builtin_clzll(set);
}

/* The set without its lowest square. */
static inline uint64_t bits_without_lowest(uint64_t set)
{
    return set & (set - 1);
}

/* The set whose bit 63-n is bit n of the given one. */
static inline uint64_t bits_reversed(uint64_t set)
{
    set = ((set >> 1) & UINT64_C(0x5555555555555555)) | ((set & UINT64_C(0x5555555555555555)) << 1);
    set = ((set >> 2) & UINT64_C(0x3333333333333333)) | ((set & UINT64_C(0x3333333333333333)) << 2);
    set = ((set >> 4) & UINT64_C(0x0f0f0f0f0f0f0f0f)) | ((set & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4);
    return __builtin_bswap64(set);
}

#endif
