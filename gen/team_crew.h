/* A team at work on a piece, as one rank sees it. Private to team_rounds.c and team_results.c. */
#ifndef GEN_TEAM_CREW_H
#define GEN_TEAM_CREW_H

#include "ranks.h"
#include "run.h"
#include "team_solver.h"

enum { FORMS = 2 };

struct crew {
    struct run *run;
    const struct piece *piece;
    struct unit unit;
    bool distances; /* are found */
    bool kept;      /* and asked for */
    int ranks;
    int own;
    struct team *team;
    struct event_buffer *events; /* for each rank */
    struct parcel *out;
    struct parcel *in;
    uint8_t *room;
    bool resumable;             /* there are states in the work folder */
    uint64_t number;            /* of the last state of the unit */
    double saved;               /* when the state was last saved, by report_seconds */
    struct place_range *ranges; /* of the piece's places, whose results this rank has */
    size_t range_count;
    size_t range_room;
    /* Results of pieces that have more than one unit; null for others. */
    uint8_t *values;
    uint16_t *plies;
};

#endif
