/* Rows of words: for each set of n-1 kings a word whose bits are the squares of one more king, so that a
 * position with n kings is a bit of n rows. Ranks of sets over the whole board, the transposes between rows,
 * and the way from and to the bits that positions are numbered by. */
#ifndef GEN_WORD_ROWS_H
#define GEN_WORD_ROWS_H

#include "combination.h"
#include "word_transpose.h"

#include <string.h>

#ifdef __BMI2__
#include <immintrin.h>
#endif

/* Sets of n squares of the whole board. */
static inline uint32_t sets_of(int n)
{
    return (uint32_t)choose[SQUARES][n];
}

/* Number of a set among those, in increasing order (combination.h). */
static inline uint32_t rank_of(word set)
{
    uint32_t rank = 0;
    for (int i = 1; set; set &= set - 1, i++)
        rank += (uint32_t)choose[bits_lowest(set)][i];
    return rank;
}

/* The ranks of a set with one square more: below[j] + choose[square][j + 1], where j of its squares lie below
 * that one. */
struct insertion {
    word set;
    uint32_t below[MAX_CHOSEN + 1];
};

static inline struct insertion insertion_into(word set)
{
    struct insertion ranks = {.set = set};
    int i = 0;
    for (word rest = set; rest; rest &= rest - 1, i++)
        ranks.below[0] += (uint32_t)choose[bits_lowest(rest)][i + 2];
    i = 0;
    for (word rest = set; rest; rest &= rest - 1, i++)
        ranks.below[i + 1] = ranks.below[i] - (uint32_t)choose[bits_lowest(rest)][i + 2] +
                             (uint32_t)choose[bits_lowest(rest)][i + 1];
    return ranks;
}

static ALWAYS_INLINE uint32_t rank_with(const struct insertion *ranks, int square)
{
    int below = bits_count(ranks->set & (((word)1 << square) - 1));
    return ranks->below[below] + (uint32_t)choose[square][below + 1];
}

/* Gives every position of a plane all its bits if it has one: `rows` are those of all sets of n-1 squares.
 * Of sets in increasing order, one pass is enough (tests compare with the reference). */
static inline void complete_plane(word *rows, int n)
{
    if (n < 2)
        return;
    struct combination common;
    bool more = combination_begin(&common, ALL_SQUARES, n - 2);
    for (; more; more = combination_next(&common)) {
        const struct insertion ranks = insertion_into((word)common.set);
        word matrix[WORD_BITS];
        word any = 0;
        for (int square = 0; square < SQUARES; square++) {
            word row = (common.set >> square) & 1 ? 0 : rows[rank_with(&ranks, square)];
            matrix[square] = row;
            any |= row;
        }
        if (!any)
            continue;
        memset(matrix + SQUARES, 0, (WORD_BITS - SQUARES) * sizeof *matrix);
        transpose(matrix);
        for (any &= ~(word)common.set; any; any &= any - 1)
            rows[rank_with(&ranks, bits_lowest(any))] |= matrix[bits_lowest(any)];
    }
}

/* The low bits of `bits` on the squares of `squares`, in order, and back. */
static inline uint64_t spread_bits(uint64_t bits, uint64_t squares)
{
#ifdef __BMI2__
    return _pdep_u64(bits, squares);
#else
    uint64_t set = 0;
    for (; squares; squares &= squares - 1, bits >>= 1)
        set |= (squares & (~squares + 1)) & (0 - (bits & 1));
    return set;
#endif
}

static inline uint64_t gather_bits(uint64_t set, uint64_t squares)
{
#ifdef __BMI2__
    return _pext_u64(set, squares);
#else
    uint64_t bits = 0;
    for (int i = 0; squares; squares &= squares - 1, i++)
        bits |= ((set >> __builtin_ctzll(squares)) & 1) << i;
    return bits;
#endif
}

/* `count` (0 to 64) of the bits from number `first` on. A word more than the bits take is readable. */
static inline uint64_t bits_at(const uint64_t *bits, uint64_t first, int count)
{
    uint64_t low = bits[first / 64] >> (first % 64);
    if (first % 64)
        low |= bits[first / 64 + 1] << (64 - first % 64);
    return count == 64 ? low : low & ((UINT64_C(1) << count) - 1);
}

/* A stretch of positions that differ in the lowest of n kings on `free` squares: the others are one of its
 * sets, in the order of numbers. All in the view of the side to move, as positions are numbered. */
struct runs {
    struct combination others;
    uint64_t below; /* squares for the lowest */
    int count;
    bool turned; /* that view is the other one's */
    bool more;
};

static inline void runs_fill(struct runs *runs)
{
    uint64_t set = runs->others.set;
    runs->below = set ? runs->others.free & ((set & (~set + 1)) - 1) : runs->others.free;
    runs->count = bits_count(runs->below);
}

static inline void runs_begin(struct runs *runs, uint64_t free, int n, bool turned)
{
    runs->turned = turned;
    runs->more = combination_begin(&runs->others, free, n - 1);
    if (runs->more)
        runs_fill(runs);
}

static inline void runs_next(struct runs *runs)
{
    runs->more = combination_next(&runs->others);
    if (runs->more)
        runs_fill(runs);
}

/* The row of a stretch, in the solver's view. */
static inline uint32_t runs_row(const struct runs *runs)
{
    word set = (word)runs->others.set;
    return rank_of(runs->turned ? word_turned(set) : set);
}

/* `count` (0 to 64) bits, the others of `value` being 0, to where bits are 0 yet. */
static inline void put_bits(uint64_t *bits, uint64_t first, int count, uint64_t value)
{
    int shift = (int)(first % 64);
    bits[first / 64] |= value << shift;
    if (shift + count > 64)
        bits[first / 64 + 1] |= value >> (64 - shift);
}

/* Bits of positions, from number `first` on, to the rows of a plane, which have to be empty: all bits of each
 * position. One to three kinds of bits at once. */
static ALWAYS_INLINE void plane_from_bits(int kinds, const uint64_t *const bits[], uint64_t first,
                                          uint64_t free, int n, bool turned, word *const rows[])
{
    struct runs runs;
    for (runs_begin(&runs, free, n, turned); runs.more; runs_next(&runs)) {
        if (runs.count == 0)
            continue;
        uint32_t row = runs_row(&runs);
        for (int i = 0; i < kinds; i++) {
            word set = (word)spread_bits(bits_at(bits[i], first, runs.count), runs.below);
            rows[i][row] = turned ? word_turned(set) : set;
        }
        first += (uint64_t)runs.count;
    }
    for (int i = 0; i < kinds; i++)
        complete_plane(rows[i], n);
}

/* The way back, for one kind or two. The bits have to be 0. */
static ALWAYS_INLINE void plane_to_bits(int kinds, const word *const rows[], uint64_t free, int n,
                                        bool turned, uint64_t *const bits[], uint64_t first)
{
    struct runs runs;
    for (runs_begin(&runs, free, n, turned); runs.more; runs_next(&runs)) {
        if (runs.count == 0)
            continue;
        uint32_t row = runs_row(&runs);
        for (int i = 0; i < kinds; i++) {
            word set = turned ? word_turned(rows[i][row]) : rows[i][row];
            put_bits(bits[i], first, runs.count, gather_bits(set, runs.below));
        }
        first += (uint64_t)runs.count;
    }
}

#endif
