/* States of teams in the work store's folder: written between two rounds, so that a stopped run goes on
 * inside a large unit, with any number of ranks. A state is a set of files, one a rank; two sets are used in
 * turn, so that one whole set is always there. */
#ifndef GEN_TEAM_CHECKPOINT_H
#define GEN_TEAM_CHECKPOINT_H

#include "plan.h"
#include "team_solver.h"

/* Of what it is a state. */
struct checkpoint_place {
    const char *folder;
    const struct plan *plan;
    const struct piece *piece;
    const struct unit *unit;
    bool distances;
};

/* One state. */
struct checkpoint_set {
    uint64_t number; /* from 1 upwards, the later the greater; 0: there is none */
    int parts;       /* ranks of the team that saved it */
};

/* The last state of which every part is there, and *last, the greatest number of any part: later states have
 * to have greater ones. */
void checkpoint_find(const struct checkpoint_place *place, struct checkpoint_set *set, uint64_t *last);

/* Writes a part of a state, durably. STATUS_NO_SPACE, STATUS_FILE, STATUS_NO_MEMORY. */
enum status checkpoint_save(const struct checkpoint_place *place, const struct checkpoint_set *set, int part,
                            const struct team *team);

/* After all parts of a state are there: removes a part's share of the states of teams of other sizes. */
void checkpoint_drop_others(const struct checkpoint_place *place, const struct checkpoint_set *set, int part);

/* Reads what a rank needs of a state. STATUS_DAMAGED, STATUS_FILE, STATUS_NO_MEMORY: then it is lost. */
enum status checkpoint_load(const struct checkpoint_place *place, const struct checkpoint_set *set,
                            struct team *team);

/* True if there is any part of any state. */
bool checkpoint_exists(const char *folder);

/* The pieces of which some unit has a whole state; the caller frees *pieces. STATUS_NO_MEMORY. */
enum status checkpoint_pieces(const char *folder, const struct plan *plan, struct piece **pieces,
                              size_t *count);

/* Removes the states of pieces that are finished. What the plan does not know stays: it may be another run's.
 */
void checkpoint_clean(const char *folder, const struct plan *plan,
                      bool (*finished)(const void *context, const struct piece *piece), const void *context);

#endif
