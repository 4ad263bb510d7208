/* A piece of work solved by a team of ranks: the rounds, and bringing the results into chunks. What a rank
 * knows of a unit and does with it is team_solver.h's. */
#ifndef GEN_TEAM_ROUNDS_H
#define GEN_TEAM_ROUNDS_H

#include "run.h"

/* Solves a piece and appends its chunks to the work store, each by one rank of the team; with distances if
 * they are asked for. Counts go to the pair's, positions and time to `work`. STATUS_INTERRUPTED when it is
 * time to stop: then the state of its unit is in the work store's folder, and the same number of ranks goes
 * on from there. Messages go to standard error. Collective in the team. */
enum status team_solve(struct run *run, const struct piece *piece, bool distances, struct level_work *work);

#endif
