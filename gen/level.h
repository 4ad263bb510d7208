/* One level of a group: its pieces shared by the ranks, saved in parts from time to time, committed. */
#ifndef GEN_LEVEL_H
#define GEN_LEVEL_H

#include "run.h"

/* Solves, or restores from tables, what is not in the work store yet of the level of a group.
 * STATUS_INTERRUPTED if it is time to stop; then what is done is saved. Messages go
 * to standard error; what is returned is the same on all ranks. Collective. */
enum status level_build(struct run *run, const struct group *group, int advancement);

/* Removes the states of teams whose pieces are committed. Rank 0 alone. */
void level_clean_states(struct run *run);

#endif
