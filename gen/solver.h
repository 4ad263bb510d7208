/* What a solver is: a piece of work and look-ups of finished positions in, values out. It knows no files and
 * no ranks. Solvers behind this interface give the same bytes. */
#ifndef GEN_SOLVER_H
#define GEN_SOLVER_H

#include "plan.h"
#include "values.h"

/* What a solver did, added up over pieces of a pair. */
struct solver_counts {
    uint64_t captures;    /* positions that a capture decided */
    uint64_t marks[2][3]; /* of each member: positions with MARK_LOSS, MARK_DRAW, MARK_WIN */
    uint64_t plies;       /* rounds of the spread, the most of any unit */
};

/* Where the values of a pair come from if it has been solved before: its table. `values` gives the value of
 * positions without a capture, enum values a byte each. */
struct solved_pair {
    enum status (*values)(void *context, int member, uint64_t first, uint64_t count, uint8_t *values);
    void *context;
};

struct solver {
    const char *name;
    /* Bytes of memory that a piece of so many places takes, its result (a byte a place) included. */
    uint64_t (*memory)(uint64_t places);
    /* Solves a piece: `marks` (piece->places bytes) gets the mark of every place, MARK_HOLE where there is no
     * position. What is read from `values` is finished already. */
    enum status (*solve)(const struct plan *plan, const struct piece *piece, struct values *values,
                         uint8_t *marks, struct solver_counts *counts);
};

/* A byte a position, counters of in-unit moves, a queue: the reference. */
extern const struct solver scalar_solver;

/* Turns a piece of a table back into what its solver gave: values of positions without captures are the
 * table's, those of captures are searched for in `values`. */
enum status solver_restore(const struct plan *plan, const struct piece *piece, struct values *values,
                           const struct solved_pair *solved, uint8_t *marks, struct solver_counts *counts);

#endif
