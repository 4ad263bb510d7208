/* What a team found of a piece, on its way into the chunks of the work store: each chunk is appended by the
 * rank that has most of it. How it is found is team_rounds.c's. */
#ifndef GEN_TEAM_RESULTS_H
#define GEN_TEAM_RESULTS_H

#include "team_crew.h"

/* Notes which places of the piece this rank has of the finished unit, and keeps their results where the piece
 * has more units. STATUS_NO_MEMORY. */
enum status results_note(struct crew *crew);

/* Appends all chunks of the piece. Collective in the team. */
enum status results_append(struct crew *crew);

#endif
