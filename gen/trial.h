/* A small run of one game on one rank, for measuring what its parts cost: the real solver, work store and
 * table writer, but no other ranks. */
#ifndef GEN_TRIAL_H
#define GEN_TRIAL_H

#include "model.h"

/* What a trial finds. */
struct trial {
    struct game_costs game;
    double piece;      /* seconds, as in struct model */
    double read_speed; /* bytes of segments a second */
    uint64_t positions;
};

/* Makes all slices of the settings' request in `folder`, which is there and this rank's own. `message`
 * (LONG_MESSAGE bytes) says what failed. */
enum status trial_run(const struct settings *settings, const char *folder, struct trial *trial,
                      char *message);

#endif
