/* The ranks of a run and what they do together: the one place that calls MPI.
 * All calls are made by the thread that started the ranks. "Collective" means that every rank has to call. */
#ifndef GEN_RANKS_H
#define GEN_RANKS_H

#include "status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts MPI; a program started alone is a run of one rank. Every payload between ranks carries a checksum;
 * where one is wrong, a message names the rank and all end. Collective. */
enum status ranks_start(int *argc, char ***argv);
/* Ends MPI. Collective. */
void ranks_stop(void);
int ranks_count(void);
int ranks_own(void);
/* Ranks on this rank's node, itself included. */
int ranks_on_node(void);

/* The graver of all ranks' statuses (the one of the lowest rank that has failed). Collective. */
enum status ranks_agree(enum status status);

/* Sums, or greatest, of `count` numbers over all ranks, in place. Collective. */
void ranks_sum(uint64_t *numbers, int count);
void ranks_greatest(uint64_t *numbers, int count);
void ranks_least(uint64_t *numbers, int count);

/* Puts the bytes of all ranks together in rank order; the caller frees *all. Collective. */
enum status ranks_gather(const void *mine, size_t size, void **all, size_t *total);

/* A queue of pieces 0 to count-1, in that order, served by rank 0 between its own pieces. */
struct queue {
    const uint64_t *weights; /* how large the pieces are; must live as long as the queue */
    size_t count;
    /* A rank that is ahead of the others, counted over all even queues of the run, waits a little for them.
     */
    bool even;
    /* Asked on every rank when it comes for more; true ends the queue for all, whatever is left. May be null.
     */
    bool (*pause)(void *context);
    void *context;
};

/* A rank gets one piece, or several small ones, at a time. Collective; the queue must be drained by every
 * rank with ranks_next before the next is opened. */
void ranks_open_queue(const struct queue *queue);
/* The next piece for this rank, or false when there are no more. */
bool ranks_next(size_t *piece);
/* After the last one: true if the queue was paused with pieces left. The same on all ranks. */
bool ranks_queue_paused(void);
/* On rank 0 answers the others' waiting requests; elsewhere it does nothing. For long pieces of work. */
void ranks_serve(void);

/* -- Teams ------------------------------------------------------------------------------------------------
 */

/* Puts the ranks into teams of `size` neighbours; those left over are in none. Collective. */
void ranks_form_teams(int size);
void ranks_dissolve_teams(void);
int ranks_teams(void);     /* how many there are */
int ranks_team(void);      /* own's, or -1 */
int ranks_team_size(void); /* ranks of each */
int ranks_team_own(void);  /* own's place in it */

/* Bytes for, or from, one rank of the team. */
struct parcel {
    uint8_t *bytes;
    size_t size;
    size_t room; /* of what is received */
};

/* Numbers that travel with an exchange, each rank's own before and the team's after it. */
struct joint {
    uint64_t sum;
    uint64_t least;
    uint64_t greatest[4];
};

/* Sends out[i] to rank i of the team and receives in[i] from it, for each of `kinds` (1 or 2) rows of as many
 * parcels as the team has ranks. Collective in the team. */
void ranks_exchange(int kinds, const struct parcel *out, struct parcel *in, struct joint *joint);

/* As the calls without "team", among the ranks of the team. Collective in the team. */
enum status ranks_team_agree(enum status status);
void ranks_team_sum(uint64_t *numbers, int count);
void ranks_team_greatest(uint64_t *numbers, int count);
void ranks_team_least(uint64_t *numbers, int count);

/* Bytes and messages that this rank has sent so far. */
uint64_t ranks_bytes_sent(void);
uint64_t ranks_messages_sent(void);

#endif
