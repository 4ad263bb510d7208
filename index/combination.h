/* Subsets of squares and their numbers: binomial coefficients and colexicographic order.
 * A subset of k of the free squares is numbered by the sum of C(p_i, i+1), where p_i is how many free squares
 * lie below its i-th square. Increasing bit patterns have increasing numbers. (The combinatorial number
 * system; D. Knuth, The Art of Computer Programming 4A, 7.2.1.3.) */
#ifndef INDEX_COMBINATION_H
#define INDEX_COMBINATION_H

#include "bits.h"

#include <stdbool.h>

enum { MAX_CHOSEN = 9 };

/* choose[n][k]: number of k-subsets of n things. */
extern const uint64_t choose[65][MAX_CHOSEN + 1];

/* Number of a subset `set` of at most MAX_CHOSEN squares of `free`. */
static inline uint64_t combination_number(uint64_t free, uint64_t set)
{
    uint64_t number = 0;
    for (int i = 1; set; set = bits_without_lowest(set), i++)
        number += choose[bits_count(free & ((set & -set) - 1))][i];
    return number;
}

/* The same on the board turned by 180 degrees, without turning the sets. */
static inline uint64_t combination_number_turned(uint64_t free, uint64_t set)
{
    uint64_t number = 0;
    for (int i = 1; set; i++) {
        int square = bits_highest(set);
        set ^= bit_of(square);
        number += choose[bits_count(free >> square >> 1)][i];
    }
    return number;
}

/* The subset of `count` squares of `free` that has the number. */
uint64_t combination_at(uint64_t free, int count, uint64_t number);

/* All subsets of one size in the order of their numbers. */
struct combination {
    uint64_t set; /* the subset now */
    int count;
    int free_count;
    uint8_t places[MAX_CHOSEN + 1]; /* its squares, as places in `squares`, rising; then a sentinel */
    uint8_t squares[64];            /* the free squares, rising */
};

/* Starts at number 0. False if there is no such subset. */
bool combination_begin(struct combination *combination, uint64_t free, int count);
/* Starts at the subset that has the number. */
void combination_begin_at(struct combination *combination, uint64_t free, int count, uint64_t number);
/* Goes to the next number. False after the last. */
bool combination_next(struct combination *combination);

#endif
