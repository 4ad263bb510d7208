/* What a run says of itself: a line a slice and a bar with the time left on standard error, JSON lines in a
 * log. Only rank 0 speaks, but the numbers are put together by all. */
#ifndef GEN_REPORT_H
#define GEN_REPORT_H

#include "phases.h"
#include "plan.h"
#include "proof.h"
#include "solver.h"
#include "table_maker.h"

#include <stdio.h>

/* What the ranks did for one pair; added up over ranks when the pair is reported. */
struct pair_work {
    struct solver_counts counts;
    uint64_t nanoseconds; /* CPU time of solving and storing */
    uint64_t bytes;       /* sent to other ranks */
};

/* What a rank did in one level. */
struct level_work {
    uint64_t positions;
    uint64_t decided;     /* of these, won or lost */
    uint64_t plies;       /* rounds, the most of any unit */
    uint64_t nanoseconds; /* CPU time */
    uint64_t bytes;
    uint64_t messages;
    uint64_t pieces;
    uint64_t memory;         /* greatest that the rank has had, in bytes */
    uint64_t phases[PHASES]; /* nanoseconds of a clock */
};

/* Adds what was found of some pieces. */
void level_work_add(struct level_work *work, const struct solver_counts *counts);

struct report;

/* `log` is the path of the JSON lines, or null. `positions` is what the whole run has to solve. Collective.
 */
enum status report_open(const struct plan *plan, const char *log, uint64_t positions, struct report **report);
void report_close(struct report *report);

/* Shows the bar, if standard error is a terminal: so many more positions of this level are handed out. */
void report_progress(struct report *report, uint64_t positions_so_far);

/* A level is finished: adds the work of all ranks up and logs it. Collective. */
void report_level(struct report *report, const struct group *group, int advancement,
                  const struct level_work *mine);

/* The tables of a group are made, `tables` of them by all ranks together: logs what that took. Collective. */
void report_tables(struct report *report, const struct group *group, uint64_t tables,
                   const struct level_work *mine);

/* A pair is finished: a line for each of its slices. Collective. */
void report_pair(struct report *report, uint32_t pair, const struct pair_work *mine, bool restored);

/* The end of the run: totals and balance. `file_bytes` is what this rank wrote to its segments. A log that
 * could not be written is a failure, though all else is done. Collective. */
enum status report_end(struct report *report, uint64_t file_bytes);

/* The run stops before its end, all that is finished is saved: says so. */
void report_stop(struct report *report);

/* What a rank did to prove a pair; the tallies are all ranks' already. */
struct proof_work {
    struct proof_tally tallies[2];
    uint64_t positions;
    uint64_t nanoseconds; /* CPU time */
};

/* A pair holds: a line for each of its slices, a record in the log. `proved` is false where distances lack,
 * so that it is only free of contradictions. Collective. */
void report_proof(struct report *report, uint32_t pair, const struct proof_work *work, bool proved);

/* The end of a run of proofs, in which so many pairs could not be proved for lack of distances. As
 * report_end. Collective. */
enum status report_proofs_end(struct report *report, uint32_t unproved);

/* Seconds since some moment, by a clock that is never set. */
double report_seconds(void);

/* CPU time of this process in nanoseconds. */
uint64_t report_cpu(void);

#endif
