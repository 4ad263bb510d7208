/* States of teams in the work store's folder: written between two rounds, so that a stopped run goes on
 * inside a large unit. Two files a rank, used in turn, so that one whole state is always there. */
#ifndef GEN_TEAM_CHECKPOINT_H
#define GEN_TEAM_CHECKPOINT_H

#include "plan.h"
#include "team_solver.h"

/* Whose state it is. */
struct checkpoint_place {
    const char *folder;
    const struct plan *plan;
    const struct piece *piece;
    const struct unit *unit;
    bool distances;
    int rank;  /* of all, which names the files */
    int ranks; /* of the team */
};

/* Writes the next state of the rank, durably. STATUS_NO_SPACE, STATUS_FILE. */
enum status checkpoint_save(const struct checkpoint_place *place, const struct team *team);

/* Numbers, from 1 upwards, of the states that are there of this place and rank; 0 where there is none. */
void checkpoint_find(const struct checkpoint_place *place, uint64_t numbers[2]);

/* Reads the state of that number. STATUS_DAMAGED, STATUS_FILE: then the team's state is lost. */
enum status checkpoint_load(const struct checkpoint_place *place, uint64_t number, struct team *team);

/* True if the rank has a state there, whatever unit it is of. */
bool checkpoint_exists(const char *folder, int rank);

/* Removes the rank's states, whatever unit they are of. */
void checkpoint_remove(const char *folder, int rank);

/* Removes the states of all ranks, of earlier and larger runs too. */
void checkpoint_remove_all(const char *folder);

#endif
