/* The ranks of a run and what they do together: the one place that calls MPI.
 * All calls are made by the thread that started the ranks. "Collective" means that every rank has to call. */
#ifndef GEN_RANKS_H
#define GEN_RANKS_H

#include "status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts MPI; a program started alone is a run of one rank. Collective. */
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

/* A queue of pieces 0 to count-1, in that order, served by rank 0 between its own pieces. `weights` tells how
 * large the pieces are; a rank gets one, or several small ones, at a time. Collective; it must be drained by
 * every rank with ranks_next before the next is opened. `weights` must live as long. In an `even` queue a
 * rank that is ahead of the others, counted over all even queues of the run, waits a little for them. */
void ranks_open_queue(const uint64_t *weights, size_t count, bool even);
/* The next piece for this rank, or false when there are no more. */
bool ranks_next(size_t *piece);
/* On rank 0 answers the others' waiting requests; elsewhere it does nothing. For long pieces of work. */
void ranks_serve(void);

/* Bytes and messages that this rank has sent so far. */
uint64_t ranks_bytes_sent(void);
uint64_t ranks_messages_sent(void);

#endif
