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
};

/* True if distances are found and kept in the course of the run. */
static inline bool settings_need_distances(const struct settings *settings)
{
    return settings->metric == METRIC_DTZ || solver_needs_distances(settings->variant);
}

#endif
