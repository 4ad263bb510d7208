/* Slices and numbers of the positions after quiet moves, along a walk over a slice: what depends on the men
 * alone is computed once for all positions with the same men. The numbers are numbering_number's. */
#ifndef GEN_SUCCESSORS_H
#define GEN_SUCCESSORS_H

#include "moves.h"
#include "numbering.h"

/* What a man's step leads to, for the men of the walk now. */
struct step_memo {
    uint64_t round; /* of the men for which it holds */
    uint64_t first; /* number of the first position with the men after the step */
    uint64_t free;  /* squares without men after it */
    bool zeroes;
};

struct successors {
    const struct variant *variant;
    const struct numbering *same;    /* after moves that crown nobody */
    const struct numbering *crowned; /* after those that do; null without men */
    uint64_t same_placements;        /* of the mover's kings after the move, for one placement of the rest */
    uint64_t crowned_placements;
    uint64_t own_men;
    uint64_t opponent_men;
    uint64_t round; /* counts placements of men; 0: none yet */
    uint64_t first; /* as in a memo, after moves of kings */
    uint64_t free;
    struct step_memo steps[MAX_SQUARES][MAX_SQUARES]; /* by where the man comes from and goes to */
};

/* A position after a quiet move: its number, whether that is in `crowned`, and whether the move zeroes. */
struct successor {
    uint64_t number;
    bool crowned;
    bool zeroes;
};

/* `same` is the numbering of the slice's mirror, `crowned` of what a promotion leads to (null if own has no
 * men). Both must live as long. */
void successors_begin(struct successors *successors, const struct numbering *same,
                      const struct numbering *crowned);

/* The position after a legal quiet move of own. Fastest if positions with the same men come one after the
 * other. */
struct successor successors_after(struct successors *successors, const struct position *position,
                                  const struct move *move);

#endif
