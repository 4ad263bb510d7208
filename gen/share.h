/* How a queue of pieces of work is shared out: how many a rank gets at a time, and who has to wait because he
 * is ahead. Pure: no messages and no clocks, so that a run and a simulation of one share by the same code. */
#ifndef GEN_SHARE_H
#define GEN_SHARE_H

#include "status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    /* Small pieces are handed out together up to this weight, unless that would leave others without. */
    BATCH_WEIGHT = 1 << 16,
    /* A rank may be ahead by so much more than AHEAD says. */
    SLACK_WEIGHT = BATCH_WEIGHT / 4
};

/* How far ahead of the mean a rank may be before it waits, and how many seconds it may lose so in one queue.
 * A level of a real run takes far longer, so that ranks of unequal speed still share it by their speed. */
#define AHEAD 1.1
#define LONGEST_WAIT 0.25

/* Pieces first to first+count-1. */
struct batch {
    uint64_t first;
    uint64_t count;
};

/* One queue after another, shared by the same ranks. */
struct share {
    int ranks;
    uint64_t *handed; /* weight a rank has been given in all even queues */
    uint64_t handed_to_all;
    double *held; /* seconds that a rank has been held in this queue because it was ahead */
    const uint64_t *weights;
    bool even;
    uint64_t pieces;
    uint64_t next; /* the first piece that is left */
    uint64_t weight_left;
};

enum status share_create(int ranks, struct share *share);
void share_destroy(struct share *share);

/* Starts a queue of `count` pieces, handed out in that order; `weights` tells how large they are and must
 * live as long. In an `even` queue a rank that is ahead of the others, counted over all even queues, has to
 * wait a little for them. */
void share_open(struct share *share, const uint64_t *weights, size_t count, bool even);

/* Takes the next batch off the queue for a rank: as many pieces as make a batch's weight, but no more than
 * its fair share of a quarter of what is left, so that the end comes to all ranks at about the same time. A
 * count of 0 means that nothing is left. */
struct batch share_take(struct share *share, int rank);

/* Hands out no more of this queue. True if some of it is left. */
bool share_pause(struct share *share);

/* True if the rank has been given more than the others and can still wait for them. */
bool share_has_to_wait(const struct share *share, int rank);

/* Notes that a rank has been kept waiting for so many seconds. */
void share_note_wait(struct share *share, int rank, double seconds);

#endif
