/* What a solver is: a piece of work and look-ups of finished positions in, values and distances out. It knows
 * no files and no ranks. Solvers behind this interface give the same bytes. */
#ifndef GEN_SOLVER_H
#define GEN_SOLVER_H

#include "plan.h"
#include "values.h"

/* What a solver did, added up over pieces of a pair. */
struct solver_counts {
    uint64_t captures;          /* positions that a capture decided */
    uint64_t values[2][VALUES]; /* positions of each member by value */
    uint64_t plies;             /* rounds of the spread, the most of any unit */
};

/* Adds what was done for other pieces of the pair. */
static inline void solver_counts_add(struct solver_counts *to, const struct solver_counts *more)
{
    to->captures += more->captures;
    to->plies = more->plies > to->plies ? more->plies : to->plies;
    for (int member = 0; member < 2; member++)
        for (int value = 0; value < VALUES; value++)
            to->values[member][value] += more->values[member][value];
}

/* What a solver finds of a piece: room for a place each, its caller's. */
struct solution {
    uint8_t *values;     /* enum value, or PLACE_HOLE where there is no position */
    uint16_t *distances; /* plies, 0 for draws and holes; null where nobody asks for them */
};

/* Where a pair comes from if it has been solved before: its tables. The functions give the values (an enum
 * value a byte) and the distances of positions without a capture. */
struct solved_pair {
    enum status (*values)(void *context, int member, uint64_t first, uint64_t count, uint8_t *values);
    enum status (*distances)(void *context, int member, uint64_t first, uint64_t count, uint16_t *distances);
    void *context;
};

struct solver {
    const char *name;
    /* Bytes of memory that a piece of so many places takes, its solution included; with distances or
     * without. */
    uint64_t (*memory)(const struct variant *variant, uint64_t places, bool distances);
    /* Solves a piece. What is read from `values` is finished already, with distances where
     * solver_needs_distances says so. */
    enum status (*solve)(const struct plan *plan, const struct piece *piece, struct values *values,
                         const struct solution *solution, struct solver_counts *counts);
};

/* True if a value of the variant can depend on the distances of positions with as many pieces: where a limit
 * holds and a step of a man does not zero the count. Then all of them have to be solved with distances. */
static inline bool solver_needs_distances(const struct variant *variant)
{
    return variant->rules.limit > 0 && !forward_steps_zero(variant);
}

/* A byte a position, counters of in-unit moves, a queue: the reference. */
extern const struct solver scalar_solver;

/* One king is the bits of a machine word: many positions at a time. */
extern const struct solver word_solver;

/* Turns `count` places of a piece, from `first` on, back from a table into what the solver gave, with room
 * for so many in `solution`: positions without captures are the table's, those of captures are searched for
 * in `values`. Places do not depend on one another, so any part of a piece can be restored by itself. */
enum status solver_restore(const struct plan *plan, const struct piece *piece, uint64_t first, uint64_t count,
                           struct values *values, const struct solved_pair *solved,
                           const struct solution *solution, struct solver_counts *counts);

#endif
