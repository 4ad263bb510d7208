/* The state of a run on one rank: what generate.c opens and level.c works with. */
#ifndef GEN_RUN_H
#define GEN_RUN_H

#include "folders.h"
#include "report.h"
#include "settings.h"
#include "store.h"
#include "tables.h"
#include "values.h"

struct run {
    const struct settings *settings;
    const struct plan *plan;
    struct store *store;
    struct values *values;
    struct report *report;
    struct tables *tables;
    struct block_reader *reader;
    struct pair_work *work_of; /* of each pair */
    /* Flags a pair: */
    bool *restored; /* it comes from its tables */
    bool *touched;  /* something of it was solved or restored in this run */
    bool *wanted;   /* for the level at hand */
    /* By group: missing tables that need its distances, if there are any. */
    uint64_t *needing;
    /* Pieces of which a team of an earlier run has left a state, the same on all ranks. */
    struct piece *begun;
    size_t begun_count;
    bool states;   /* teams may have states in the work folder */
    uint64_t room; /* bytes that the state of a piece may take */
    double saved;  /* when finished work was last made permanent, by report_seconds */
    char work[MAX_FILE_PATH];
};

/* True if distances of the group are kept. */
static inline bool run_keeps_distances(const struct run *run, const struct group *group)
{
    return run->needing[group - run->plan->groups] > 0;
}

#endif
