/* Ranks that only pretend to work: the event machine of the simulation. It knows queues, teams and barriers
 * as a run has them, and the function that shares out (share.h), but nothing of plans. */
#ifndef GEN_SIMULATED_RANKS_H
#define GEN_SIMULATED_RANKS_H

#include "status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What happens between ranks costs; seconds. */
struct queue_costs {
    double weight;  /* working off one unit of weight */
    double latency; /* of a message, from one rank to another */
    double message; /* sending or receiving one, of rank 0 */
    double pause;   /* of rank 0, when it has nothing to do but serve */
};

struct simulated_ranks;

enum status simulated_create(int ranks, struct simulated_ranks **simulated);
void simulated_destroy(struct simulated_ranks *simulated);

/* Works off a queue as ranks.c does. All ranks begin when they are ready and are ready again at its end. */
void simulated_queue(struct simulated_ranks *simulated, const uint64_t *weights, size_t count, bool even,
                     const struct queue_costs *costs);

/* A unit that so many ranks solve together. */
struct team_work {
    uint64_t ranks;
    double seconds;
};

/* Lets teams work one after another, or side by side: each is made of the ranks that are ready first. */
void simulated_teams(struct simulated_ranks *simulated, const struct team_work *works, size_t count);

/* All wait for the last, and for so much longer. */
void simulated_barrier(struct simulated_ranks *simulated, double seconds);

double simulated_time(const struct simulated_ranks *simulated);       /* at which the last is ready */
uint64_t simulated_messages(const struct simulated_ranks *simulated); /* of queues so far */
/* Seconds of work of a rank so far, waiting and messages left out. */
double simulated_busy(const struct simulated_ranks *simulated, int rank);

#endif
