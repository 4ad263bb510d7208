/* A position as everything but notation sees it: own side to move, own men walking up the board. */
#ifndef INDEX_POSITION_H
#define INDEX_POSITION_H

#include "board.h"

struct position {
    uint64_t own_men;
    uint64_t own_kings;
    uint64_t opponent_men;
    uint64_t opponent_kings;
};

static inline uint64_t position_own(const struct position *position)
{
    return position->own_men | position->own_kings;
}

static inline uint64_t position_opponent(const struct position *position)
{
    return position->opponent_men | position->opponent_kings;
}

static inline uint64_t position_occupied(const struct position *position)
{
    return position_own(position) | position_opponent(position);
}

/* The same pieces with the other side to move: turned by 180 degrees, colours swapped. */
static inline struct position position_turned(const struct board *board, const struct position *position)
{
    return (struct position){
        .own_men = board_turned(board, position->opponent_men),
        .own_kings = board_turned(board, position->opponent_kings),
        .opponent_men = board_turned(board, position->own_men),
        .opponent_kings = board_turned(board, position->own_kings),
    };
}

#endif
