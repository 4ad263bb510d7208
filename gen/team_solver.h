/* One rank's part of a unit that a team of ranks solves: what it keeps, and functions that give and take the
 * bytes which ranks exchange. Nothing here sends anything.
 *
 * Whoever runs a team calls, on every rank, team_first_pass, and then round by round for each form
 * team_emit until it has no more, taking every buffer of every rank to team_take of the rank it is for; when
 * all has arrived, team_next_round. The unit is solved when after that no rank has a new place nor one that
 * waits. If some wait and none is new, all go to the least ply that any rank waits for with team_jump. */
#ifndef GEN_TEAM_SOLVER_H
#define GEN_TEAM_SOLVER_H

#include "solver.h"
#include "team_events.h"
#include "team_form.h"

struct team;

/* Makes the state of a rank; the caller destroys it. The unit's piece and pair have to outlive it. */
enum status team_create(const struct unit *unit, int rank, int ranks, bool distances, struct team **team);
void team_destroy(struct team *team);

/* Bytes that the largest state of any rank takes. */
uint64_t team_memory(const struct unit *unit, int ranks, bool distances);

/* Forms of the unit: 2, 1 if it is its own mirror, 0 if its places are holes. */
int team_form_count(const struct team *team);

/* Decides what captures, special ends and exits decide, as far as the rank has it. After it stands round 0.
 */
enum status team_first_pass(struct team *team, struct values *values);

/* Fills a buffer for each rank, itself included, with what is new in a form, from where the last call
 * stopped: every buffer begins anew. Returns true if there is more; then call again with empty buffers. */
bool team_emit(struct team *team, int form, struct event_buffer *buffers);

/* Takes what a rank's team_emit of that form filled for this rank. STATUS_DAMAGED if that cannot be; then the
 * unit is lost. */
enum status team_take(struct team *team, int form, int from, const uint8_t *bytes, size_t size);

enum { NO_PLY = UINT32_MAX };

/* Goes to the next ply. *fresh: places that are new in it; *least: the least later ply that some place waits
 * for, or NO_PLY. STATUS_TOO_DEEP. */
enum status team_next_round(struct team *team, uint64_t *fresh, uint32_t *least);

/* Goes from a round in which nothing is new on any rank to a later ply. */
void team_jump(struct team *team, uint32_t ply, uint64_t *fresh, uint32_t *least);

/* True if some rank's part of a unit that was solved without distances may be wrong under the limit: if it is
 * so on any rank, the unit has to be solved again with distances. */
bool team_needs_distances(const struct team *team);

/* Adds what this rank found of the finished unit. Plies are exact, and those of the scalar solver, only
 * without distances. */
void team_add_counts(const struct team *team, struct solver_counts *counts);

/* Ranges of places of the piece whose results this rank has, ascending; *cursor begins as zeros. */
bool team_result_range(const struct team *team, struct range_cursor *cursor, struct place_range *range);

/* Results of a range, or of a part of one: as the solver's solution has them. `distances` may be null. */
void team_results(const struct team *team, const struct place_range *range, uint8_t *values,
                  uint16_t *distances);

#endif
