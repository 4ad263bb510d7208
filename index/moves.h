/* Moves: what they are, lists of them, and the position after one.
 * The generators themselves are moves.c, compiled once a variant; reach them through struct variant. */
#ifndef INDEX_MOVES_H
#define INDEX_MOVES_H

#include "status.h"
#include "variant.h"

enum {
    MAX_MOVES = 1024, /* distinct moves a list holds */
    MAX_PATH = 66     /* squares of a path: start and a landing for each victim */
};

/* Squares are as own, the mover, sees them. Two moves with equal fields are the same move. */
struct move {
    uint64_t taken; /* victims; empty for a quiet move */
    uint8_t from;
    uint8_t to;
    bool by_man;  /* a man began it */
    bool crowned; /* and ended it as a king */
};

struct move_list {
    int count;
    bool overflowed; /* there were more than MAX_MOVES: the list is not to be trusted */
    uint64_t score;  /* what the moves of the list share on the variant's ladder of choice */
    struct move moves[MAX_MOVES];
};

struct move_path {
    uint8_t length;
    uint8_t squares[MAX_PATH];
};

/* Paths of the moves of a list, at the same places. */
struct move_paths {
    struct move_path of[MAX_MOVES];
};

/* Makes a list empty. */
static inline void move_list_clear(struct move_list *list)
{
    list->count = 0;
    list->overflowed = false;
    list->score = 0;
}

/* All legal moves of own. Captures are compulsory. `paths` may be null; a quiet move's path is its two
 * squares. STATUS_TOO_MANY_MOVES if they do not fit. Thread-safe. */
enum status moves_legal(const struct variant *variant, const struct position *position,
                        struct move_list *list, struct move_paths *paths);

/* The pieces after the move, still as own, who made it, sees them. */
struct position position_moved(const struct position *position, const struct move *move);

/* The position after the move, the other side to move (turned). */
struct position position_after(const struct variant *variant, const struct position *position,
                               const struct move *move);

/* Number of legal move sequences of `depth` plies, or 0 and *status set where a list overflows. */
uint64_t moves_perft(const struct variant *variant, const struct position *position, int depth,
                     enum status *status);

#endif
