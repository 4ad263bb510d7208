/* Squares of bits with rows and columns exchanged: 32 by 32 and 64 by 64. */
#ifndef GEN_WORD_TRANSPOSE_H
#define GEN_WORD_TRANSPOSE_H

#include "word_board.h"

#ifdef __AVX2__
#include <immintrin.h>

/* A byte of each of 32 rows at a time: then the highest bits of all bytes are a row of the result. */
static inline void transpose_32(const uint32_t from[32], uint32_t to[32])
{
    const __m256i gather_bytes = _mm256_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 0, 4,
                                                  8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m256i gather_words = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    __m256i rows[4]; /* of eight rows each: their lowest bytes, then the next ones, ... */
    for (int i = 0; i < 4; i++) {
        __m256i eight = _mm256_loadu_si256((const __m256i *)(const void *)(from + 8 * i));
        rows[i] = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(eight, gather_bytes), gather_words);
    }
    __m256i even_low = _mm256_unpacklo_epi64(rows[0], rows[1]);
    __m256i odd_low = _mm256_unpackhi_epi64(rows[0], rows[1]);
    __m256i even_high = _mm256_unpacklo_epi64(rows[2], rows[3]);
    __m256i odd_high = _mm256_unpackhi_epi64(rows[2], rows[3]);
    const __m256i bytes[4] = {_mm256_permute2x128_si256(even_low, even_high, 0x20),
                              _mm256_permute2x128_si256(odd_low, odd_high, 0x20),
                              _mm256_permute2x128_si256(even_low, even_high, 0x31),
                              _mm256_permute2x128_si256(odd_low, odd_high, 0x31)};
    for (int i = 0; i < 4; i++) {
        __m256i bits = bytes[i];
        for (int bit = 7; bit >= 0; bit--) {
            to[8 * i + bit] = (uint32_t)_mm256_movemask_epi8(bits);
            bits = _mm256_add_epi8(bits, bits);
        }
    }
}

#if SQUARES == 32
static inline void transpose(word rows[WORD_BITS])
{
    transpose_32(rows, rows);
}
#else
static inline void transpose(word rows[WORD_BITS])
{
    uint32_t half[2][2][32]; /* [upper rows][upper bits] */
    for (int i = 0; i < 64; i++) {
        half[i / 32][0][i % 32] = (uint32_t)rows[i];
        half[i / 32][1][i % 32] = (uint32_t)(rows[i] >> 32);
    }
    for (int i = 0; i < 4; i++)
        transpose_32(half[i / 2][i % 2], half[i / 2][i % 2]);
    for (int i = 0; i < 64; i++)
        rows[i] = half[0][i / 32][i % 32] | (uint64_t)half[1][i / 32][i % 32] << 32;
}
#endif

#else

/* Row j, bit i becomes row i, bit j. (H. S. Warren, Hacker's Delight, 7-3: halves of blocks change places.)
 */
static inline void transpose(word rows[WORD_BITS])
{
    word mask = (word) ~(word)0 >> (WORD_BITS / 2);
    for (int half = WORD_BITS / 2; half > 0; half /= 2, mask ^= mask << half)
        for (int block = 0; block < WORD_BITS; block += 2 * half)
            for (int i = block; i < block + half; i++) {
                word changed = ((rows[i] >> half) ^ rows[i + half]) & mask;
                rows[i + half] ^= changed;
                rows[i] ^= changed << half;
            }
}

#endif

#endif
