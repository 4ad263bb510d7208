/* All that one rank of a team keeps of a unit: making it, and its size. Private to the team solver; what the
 * state means round by round is in team_solver.c, how it is saved in team_saved.c. */
#ifndef GEN_TEAM_STATE_H
#define GEN_TEAM_STATE_H

#include "team_form.h"
#include "team_solver.h"

/* A rank's rows of one form. All arrays are by place, counted from the rank's first. The side whose form it
 * is is to move in what `values` and `told` are of; its opponent, with the same pieces on the board, in what
 * `states` and `distances` are of. */
struct team_share {
    uint64_t first_row;
    uint64_t end_row;
    uint64_t first; /* index of its first place in the form */
    uint64_t count;
    uint8_t *states;
    uint16_t *distances; /* null without distances. Of undecided places as in the scalar solver */
    uint8_t *values;     /* LOSS or WIN that events have told, DRAW where none has, PLACE_HOLE */
    uint16_t *told;      /* their distances */
    uint64_t *fresh;     /* a bit a place: decided, to be told in this round */
    uint64_t *next;      /* and in the next one */
    uint64_t cursor;     /* first place that has not been looked at in this round */
};

struct team {
    const struct variant *variant;
    struct team_forms forms;
    int rank;
    bool distances;
    struct team_share shares[2];
    uint32_t ply;                               /* of the round */
    uint64_t waiting[(MOST_DISTANCE + 1) / 64]; /* a bit a ply: places are to be decided in it, or were before
                                                 * a quicker way */
    uint32_t latest;                            /* greatest such ply */
    bool limited;
    bool too_deep;
    uint64_t captured;
    uint32_t plies;
    uint8_t sideways;               /* directions of men's steps that stay in the unit */
    uint64_t adjacent[MAX_SQUARES]; /* squares a step away */
};

static inline bool team_waits_for(const struct team *team, uint32_t ply)
{
    return team->waiting[ply / 64] >> (ply % 64) & 1;
}

static inline uint64_t share_words(const struct team_share *share)
{
    return (share->count + 63) / 64;
}

#endif
