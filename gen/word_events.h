/* What is to happen to positions in plies to come, for units that are solved with distances. Part of the word
 * solver. */
#ifndef GEN_WORD_EVENTS_H
#define GEN_WORD_EVENTS_H

#include "distance.h"
#include "solver.h"
#include "word_men.h"

enum { NO_EVENT = UINT32_MAX };

/* What happens to a position in a ply that is to come. */
enum event_kind {
    EVENT_WIN_IF_OPEN, /* unless something else has decided it */
    EVENT_WIN,
    EVENT_LOSS
};

struct event {
    uint32_t row; /* of its own form */
    uint32_t next;
    uint8_t square; /* of the bit */
    uint8_t kind;
};

struct word_distances {
    const struct solution *solution;
    struct placement placements[2];
    bool exists[2];
    bool steps_zero;
    struct man_moves moves[2];
    struct event *events;
    uint32_t count;
    uint32_t room;
    uint32_t *first[2]; /* [side][ply]: the first event of its list */
    uint32_t latest;    /* ply that has one in this unit */
    uint32_t ply;
    enum status status; /* the first failure */
};

static inline bool distances_begin(struct word_distances *distances)
{
    for (int side = 0; side < 2; side++) {
        distances->first[side] = malloc((MOST_DISTANCE + 1) * sizeof *distances->first[side]);
        if (!distances->first[side])
            return false;
        for (uint32_t ply = 0; ply <= MOST_DISTANCE; ply++)
            distances->first[side][ply] = NO_EVENT;
    }
    return true;
}

static inline void distances_end(struct word_distances *distances)
{
    free(distances->first[0]);
    free(distances->first[1]);
    free(distances->events);
}

static inline void schedule(struct word_distances *distances, int mover, uint32_t ply, size_t row, word bit,
                            enum event_kind kind)
{
    if (ply > MOST_DISTANCE)
        distances->status = STATUS_TOO_DEEP;
    if (distances->count == distances->room) {
        uint32_t room = distances->room ? 2 * distances->room : 1024;
        struct event *events = realloc(distances->events, room * sizeof *events);
        if (!events)
            distances->status = STATUS_NO_MEMORY;
        else {
            distances->events = events;
            distances->room = room;
        }
    }
    if (distances->status != STATUS_OK)
        return;
    distances->events[distances->count] =
        (struct event){(uint32_t)row, distances->first[mover][ply], (uint8_t)bits_lowest(bit), (uint8_t)kind};
    distances->first[mover][ply] = distances->count++;
    distances->latest = ply > distances->latest ? ply : distances->latest;
}

#endif
