/* Values and distances of finished positions, for the solvers: decoded chunks of the work store within a
 * budget of memory. One user at a time: every rank, or thread, has its own. */
#ifndef GEN_VALUES_H
#define GEN_VALUES_H

#include "distance.h"
#include "plan.h"
#include "store.h"

/* A place has an enum value, or this where there is no position. */
enum { PLACE_HOLE = VALUES };

struct values;

/* `budget`: bytes for decoded chunks; at least one is kept in any case. The caller closes it. */
enum status values_open(const struct plan *plan, struct store *store, size_t budget, struct values **values);
void values_close(struct values *values);

/* Value, for the opponent, of a position that own has just moved into, as own still sees it (not turned).
 * LOSS if the opponent has no piece left. A failure to read makes it DRAW and is kept: see values_status. */
enum value values_after(struct values *values, const struct position *position);

/* The same, with the distance in plies (0 for a draw), which must have been kept. */
enum value values_distance_after(struct values *values, const struct position *position, uint32_t *distance);

/* The first failure of any look-up, or STATUS_OK. */
enum status values_status(const struct values *values);

/* Values (or PLACE_HOLE) of `count` neighbouring places of a piece from `first` on, a byte each. */
enum status values_places(struct values *values, const struct piece *piece, uint64_t first, size_t count,
                          uint8_t *places);

/* Their distances in plies, which must have been kept; 0 for draws and holes. */
enum status values_distances(struct values *values, const struct piece *piece, uint64_t first, size_t count,
                             uint16_t *distances);

/* Appends the chunks of a piece to the store, as look-ups will read them: a byte a place, as values_places
 * gives them, and its distance in plies, or null where distances are not kept. */
enum status values_append(struct values *values, const struct piece *piece, const uint8_t *places,
                          const uint16_t *distances);

/* The same for one chunk of the piece, of which the arrays hold the places. */
enum status values_append_chunk(struct values *values, const struct piece *piece, uint32_t number,
                                const uint8_t *places, const uint16_t *distances);

/* All positions of one placement of men with one side to move: a stretch of a piece. */
struct values_block {
    struct piece piece;
    uint64_t first;
    uint64_t count;
};

/* The block of a slice's men, both as the side to move sees them. STATUS_NO_TABLE if the plan has no such
 * slice. */
enum status values_find(const struct plan *plan, struct slice to_move, uint64_t own_men,
                        uint64_t opponent_men, struct values_block *block);

/* Who wins and who loses in the positions of a block, a bit each, in words of (count + 63) / 64 and one more:
 * the caller's room. `spoilt` tells of which of them a draw limit has made another value; it may be null. */
struct value_bits {
    uint64_t *wins;
    uint64_t *losses;
    uint64_t *spoilt;
    bool any_spoilt; /* there may be some; without room for them the bits mean nothing then */
};

enum status values_bits(struct values *values, const struct values_block *block, struct value_bits *bits);

/* Bytes that decoded chunks take now. */
size_t values_held(const struct values *values);

#endif
