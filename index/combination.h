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

/* The `count` lowest squares of `free`, which has as many. */
static inline uint64_t combination_lowest(uint64_t free, int count)
{
    uint64_t rest = free;
    for (; count > 0; count--)
        rest = bits_without_lowest(rest);
    return free ^ rest;
}

/* All subsets of one size in the order of their numbers. */
struct combination {
    uint64_t set; /* the subset now */
    uint64_t free;
    uint64_t last; /* subset */
};

/* Starts at number 0. False if there is no such subset. */
static inline bool combination_begin(struct combination *combination, uint64_t free, int count)
{
    int others = bits_count(free) - count;
    combination->free = free;
    combination->set = combination->last = 0;
    if (others < 0)
        return false;
    combination->set = combination_lowest(free, count);
    combination->last = free ^ combination_lowest(free, others);
    return true;
}

/* Starts at the subset that has the number. */
void combination_begin_at(struct combination *combination, uint64_t free, int count, uint64_t number);

/* Goes to the next number. False after the last. The lowest run of squares is added up: its highest square
 * goes to the next free one that is not taken, the others go down to the lowest. (R. W. Gosper's way, HAKMEM
 * 175, with the squares that are not free taking part as if they were taken, so that they are passed over.)
 */
static inline bool combination_next(struct combination *combination)
{
    uint64_t set = combination->set;
    uint64_t free = combination->free;
    if (set == combination->last)
        return false;
    uint64_t raised = ((set | ~free) + (set & -set)) & free;
    combination->set = raised | combination_lowest(free, bits_count(set) - bits_count(raised));
    return true;
}

#endif
