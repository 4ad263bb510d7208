/* What the network between ranks does: speed, latency, whether bytes arrive as they were sent, and which MPI
 * it is. For calibration and self-test; beside ranks.c the one file that calls MPI. All calls are collective.
 */
#ifndef GEN_RANKS_NETWORK_H
#define GEN_RANKS_NETWORK_H

#include "status.h"

#include <stdbool.h>
#include <stddef.h>

/* What MPI says of itself, and the parameters of its transport that are set, a line each. */
void network_describe(char *text, size_t size);

/* Seconds from rank 0 to another and back, halved: the mean over the others. 0 with one rank. */
double network_latency(void);

/* Seconds that rank 0 needs for a request and its answer when all others ask at once, halved. 0 with one
 * rank. */
double network_message(void);

/* All ranks send `bytes` to every other one at the same time and compare what arrives, byte by byte. *speed:
 * bytes a second that the slowest rank sends. *wrong: bytes that arrived otherwise, at all ranks. */
enum status network_exchange(size_t bytes, double *speed, unsigned long long *wrong);

/* The ranks of a node write into memory they share and read what the others wrote: true if that went
 * well on all nodes. */
bool network_shares_memory(void);

/* Waits for all. */
void network_barrier(void);

/* Rank 0's number to all. */
unsigned long long network_tell(unsigned long long number);

#endif
