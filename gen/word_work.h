/* What the parts of the word solver share: a unit under work as rows of words.
 *
 * Squares are as the first member of the pair sees them, whoever moves. A side with kings has its positions
 * in two forms. In its own form a bit is a king of the side to move: for each set of the other side's kings a
 * plane of rows, one for each set of all its own kings but one. In the other form a bit is a king of the side
 * that waits: for each set of the mover's kings a plane of rows. Moves of a king stay in a row of the own
 * form and lead to the row of the same number in the other form of the opponent's positions. */
#ifndef GEN_WORD_WORK_H
#define GEN_WORD_WORK_H

#include "values.h"
#include "word_rows.h"

#include <stdlib.h>

enum { LEVELS = 4 /* of captures of one piece on a ladder of choice */ };

/* Finished positions in the other form: who wins and who loses, by row. */
struct table {
    word *win;
    word *loss;
};

struct side {
    int kings;
    int other_kings;
    uint32_t planes; /* of the own form */
    uint32_t rows;   /* of a plane */
    size_t size;     /* rows in all; 0 without kings */
    word *empty;     /* squares a king may go to; 0 where the sets of the row overlap */
};

struct work {
    const struct plan *plan;
    const struct variant *variant;
    struct values *values;
    word men[2];
    struct side sides[2];
    word *sets[MAX_CHOSEN + 1]; /* all sets of n squares, where somebody asks for them */
    uint64_t *wins;             /* bits of a block of values */
    uint64_t *losses;
    size_t bit_words;
    /* For the first pass of a side: */
    word *has[LEVELS]; /* captures of a level on the ladder of choice */
    word *capture_wins[LEVELS];
    word *capture_draws[LEVELS];
    word *several; /* captures of more than one piece may be there: searched for one by one */
    bool spoilt;   /* met a value that a limit has made */
};

/* The set as a side sees the board, and back. */
static inline word seen_by(int side, word set)
{
    return side == 0 ? set : word_turned(set);
}

/* The position of a side to move, as it sees it. */
static inline struct position position_of(const struct work *work, int side, word own_kings, word kings)
{
    return (struct position){.own_men = seen_by(side, work->men[side]),
                             .own_kings = seen_by(side, own_kings),
                             .opponent_men = seen_by(side, work->men[1 - side]),
                             .opponent_kings = seen_by(side, kings)};
}

/* All sets of n squares, made when first asked for; null without memory. */
static inline const word *all_sets(struct work *work, int n)
{
    if (work->sets[n])
        return work->sets[n];
    word *sets = malloc(sets_of(n) * sizeof *sets);
    struct combination combination;
    bool more = sets && combination_begin(&combination, ALL_SQUARES, n);
    for (uint32_t i = 0; more; i++, more = combination_next(&combination))
        sets[i] = (word)combination.set;
    return work->sets[n] = sets;
}

#endif
