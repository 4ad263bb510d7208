/* What a run of damagen was asked for, the same on all ranks. */
#ifndef GEN_SETTINGS_H
#define GEN_SETTINGS_H

#include "format.h"
#include "plan.h"
#include "solver.h"

struct settings {
    const struct variant *variant;
    struct request request;
    const char *out;  /* tables go to OUT/VARIANT */
    const char *work; /* the work store is WORK/VARIANT */
    const char *log;  /* or null */
    const struct solver *solver;
    enum metric metric; /* METRIC_DTZ: tables of both metrics */
    uint64_t memory;    /* bytes a rank may use */
    int ranks;          /* of the run */
    int team;           /* ranks that every unit is solved by; 0: teams only where they are needed */
    int block_log2;     /* positions of a block of values, as a power of two; 0: the default */
    bool publish;       /* compress tables of values as well as can be */
    double checkpoint;  /* seconds between saves inside a level */
};

/* True if distances are found and kept in the course of the run. */
static inline bool settings_need_distances(const struct settings *settings)
{
    return settings->metric == METRIC_DTZ || solver_needs_distances(settings->variant);
}

#endif
