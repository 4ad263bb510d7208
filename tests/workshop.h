/* The scalar solver at work on whole plans, without ranks: plans, a store in a temporary folder, and what has
 * been solved, for tests to look at. Every failure fails the test. */
#ifndef TESTS_WORKSHOP_H
#define TESTS_WORKSHOP_H

#include "format.h"
#include "solver.h"
#include "store.h"

enum { MAX_PIECES = 8192 };

struct plan *plan_of_variant(const struct variant *variant, int pieces);
struct plan *plan_of_slice(const char *variant, const char *name);

/* A run without ranks. */
struct workshop {
    char *folder;
    struct plan *plan;
    struct store *store;
    struct values *values;
    bool *wanted;
    struct solution solution; /* room for the largest piece; with distances where they are kept */
    size_t pieces;
    struct digest digests[MAX_PIECES]; /* of the values of each piece, in the order of work */
    /* Called with each piece when `solution` has it, before it is stored; may be null. */
    void (*inspect)(struct workshop *shop, const struct piece *piece, const struct solver_counts *counts);
    void *context; /* for `inspect` */
};

struct store *open_store(const char *folder, const struct plan *plan, bool leader, int rank);

/* Makes what was appended a finished level. */
void commit(struct store *store, const struct group *group, int advancement, const bool *wanted,
            bool distances);

/* Opens a workshop that has solved nothing yet. The plan becomes the workshop's. */
struct workshop *workshop_open(struct plan *plan, bool distances, size_t budget);
void workshop_close(struct workshop *shop);

/* Solves all of the plan. */
void workshop_solve(struct workshop *shop);

/* Both in one. */
struct workshop *solve_plan(struct plan *plan, bool distances, size_t budget);

#endif
