/* A set of squares of one board as a machine word, for whole rows of positions at a time: steps and slides in
 * all directions without a look at single squares. Included by the parts of the word solver, which are
 * compiled once a board with -DSQUARES=32 or 50. Written so that compilers turn loops over words into
 * vectors. */
#ifndef GEN_WORD_BOARD_H
#define GEN_WORD_BOARD_H

#include "board.h"

#include <stdint.h>

#if SQUARES == 32
typedef uint32_t word;
#define WIDTH 4
#define COLUMN(place) ((word)0x11111111 << (place))
#define EVEN_ROWS ((word)0x0f0f0f0f)
#elif SQUARES == 50
typedef uint64_t word;
#define WIDTH 5
#define COLUMN(place) ((word)0x0000210842108421 << (place))
#define EVEN_ROWS ((word)0x00001f07c1f07c1f)
#endif
#define WORD_BITS ((int)(8 * sizeof(word)))
#define ALL_SQUARES ((word)(~(word)0 >> (WORD_BITS - SQUARES)))
#define ODD_ROWS ((word)(ALL_SQUARES & ~EVEN_ROWS))
#define ALWAYS_INLINE inline __attribute__((always_inline))

/* The set moved by one, two or four squares; what would leave the board is dropped, but for bits above it. */
static ALWAYS_INLINE word step_one(int direction, word set)
{
    switch (direction) {
    case UP_LEFT: return (word)((set & EVEN_ROWS & ~COLUMN(0)) << (WIDTH - 1) | (set & ODD_ROWS) << WIDTH);
    case UP_RIGHT:
        return (word)((set & EVEN_ROWS) << WIDTH | (set & ODD_ROWS & ~COLUMN(WIDTH - 1)) << (WIDTH + 1));
    case DOWN_RIGHT:
        return (word)((set & ODD_ROWS & ~COLUMN(WIDTH - 1)) >> (WIDTH - 1) | (set & EVEN_ROWS) >> WIDTH);
    default: return (word)((set & ODD_ROWS) >> WIDTH | (set & EVEN_ROWS & ~COLUMN(0)) >> (WIDTH + 1));
    }
}

static ALWAYS_INLINE word step_two(int direction, word set)
{
    switch (direction) {
    case UP_LEFT: return (word)((set & ~COLUMN(0)) << (2 * WIDTH - 1));
    case UP_RIGHT: return (word)((set & ~COLUMN(WIDTH - 1)) << (2 * WIDTH + 1));
    case DOWN_RIGHT: return (word)((set & ~COLUMN(WIDTH - 1)) >> (2 * WIDTH - 1));
    default: return (word)((set & ~COLUMN(0)) >> (2 * WIDTH + 1));
    }
}

static ALWAYS_INLINE word step_four(int direction, word set)
{
    const word left = COLUMN(0) | COLUMN(1);
    const word right = COLUMN(WIDTH - 1) | COLUMN(WIDTH - 2);
    switch (direction) {
    case UP_LEFT: return (word)((set & ~left) << (4 * WIDTH - 2));
    case UP_RIGHT: return (word)((set & ~right) << (4 * WIDTH + 2));
    case DOWN_RIGHT: return (word)((set & ~right) >> (4 * WIDTH - 2));
    default: return (word)((set & ~left) >> (4 * WIDTH + 2));
    }
}

/* Squares of `through` that a slide in the direction from a square of `from` comes to, `through` holding the
 * empty ones and none of `from`, or all of it. A slide doubles its length each time (Kogge and Stone's way of
 * carrying); no diagonal has room for more than it covers. */
static ALWAYS_INLINE word slide(int direction, word from, word through)
{
    word reached = from | (through & step_one(direction, from));
    word two = through & step_one(direction, through);
    reached |= two & step_two(direction, reached);
    word four = two & step_two(direction, two);
    reached |= four & step_four(direction, reached);
    if (SQUARES == 50)
        reached |= through & step_one(direction, reached);
    return through & step_one(direction, reached);
}

/* Squares that a king's move from a square of `from` comes to. */
static ALWAYS_INLINE word reach(int direction, bool flying, word from, word through)
{
    return flying ? slide(direction, from, through) : through & step_one(direction, from);
}

/* The set turned by 180 degrees. */
static inline word word_turned(word set)
{
    return (word)(bits_reversed(set) >> (64 - SQUARES));
}

#endif
