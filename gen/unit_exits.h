/* What a position of a unit is before in-unit moves count: captures, special ends, exits; and the states its
 * place can have while the unit is being solved. Shared by the solvers that go position by position. */
#ifndef GEN_UNIT_EXITS_H
#define GEN_UNIT_EXITS_H

#include "capture.h"
#include "distance.h"
#include "values.h"

/* A place's byte while its unit is being solved. Final are LOSS, DRAW, WIN (plain values: the distance says
 * whether a limit makes another of it) and PLACE_HOLE. From SAFE on a new loss of the opponent decides. */
enum {
    LATE_LOSS = PLACE_HOLE + 1, /* lost in its distance, which is yet to come */
    NEW_WIN,                    /* decided, but its predecessors do not know yet */
    NEW_LOSS,
    SAFE,     /* undecided; has a drawing exit, so it cannot lose */
    LATE_WIN, /* won in its distance at the latest; a quicker way may turn up */
    OPEN      /* undecided; OPEN + n: n in-unit moves lead to what is not yet won for the opponent */
};

/* What moves lead to: the quickest win, the slowest loss, or safety. */
struct outlook {
    uint32_t win;  /* plies, UINT32_MAX: none */
    uint32_t loss; /* plies */
    bool safe;
};

/* Takes account of a move that counts `plies` and leads to `after`, seen by the opponent. */
static inline void outlook_add(struct outlook *outlook, enum value after, uint32_t plies)
{
    if (after < DRAW)
        outlook->win = plies < outlook->win ? plies : outlook->win;
    else if (after == DRAW)
        outlook->safe = true;
    else
        outlook->loss = plies > outlook->loss ? plies : outlook->loss;
}

/* What looks positions up, and what it met. Large: keep it off small stacks. */
struct exits {
    const struct variant *variant;
    struct values *values;
    bool distances;  /* somebody needs them */
    bool limited;    /* met a value that only distances tell apart */
    bool too_deep;   /* met a distance that nothing can hold */
    bool steps_zero; /* steps that leave the unit zero the no-progress count */
    uint8_t forward; /* directions of men's steps that leave the unit */
    uint64_t captured;
    struct capture_search captures;
};

void exits_begin(struct exits *exits, const struct variant *variant, struct values *values);

/* State of a position as far as its captures, the special end of its slice (or null) and its exits tell: a
 * final one, SAFE, OPEN, or with distances LATE_WIN. *distance is its own, or the quickest win or the slowest
 * loss that is known yet. */
uint8_t exits_state(struct exits *exits, const struct position *position, const enum value *special,
                    uint16_t *distance);

/* Directions of men's steps that stay in the unit; they are the same both ways. */
uint8_t side_directions(const struct variant *variant);

/* A step of a man in one of them. */
struct side_step {
    uint8_t from;
    uint8_t to;
};

enum { MAX_SIDE_STEPS = 2 * MAX_CHOSEN };

/* The steps of `men` to `free` squares in such directions. Returns how many. */
int side_steps(const struct board *board, uint8_t directions, uint64_t men, uint64_t free,
               struct side_step *steps);

#endif
