/* A whole run: group by group, level by level, then tables. */
#ifndef GEN_GENERATE_H
#define GEN_GENERATE_H

#include "plan.h"
#include "solver.h"

struct settings {
    const struct variant *variant;
    struct request request;
    const char *out;  /* tables go to OUT/VARIANT */
    const char *work; /* the work store is WORK/VARIANT */
    const char *log;  /* or null */
    const struct solver *solver;
    uint64_t memory; /* bytes a rank may use */
};

/* Runs the plan. Messages go to standard error; what is returned is the same on all ranks. Collective. */
enum status generate(const struct settings *settings, const struct plan *plan);

#endif
