/* Steps and captures by men, for all squares of a king at once: the king is in a man's way or it is not. Part
 * of the word solver. */
#ifndef GEN_WORD_MEN_H
#define GEN_WORD_MEN_H

#include "word_kings.h"

enum { MOST_MAN_MOVES = 2 * MAX_CHOSEN * DIRECTIONS };

/* A second jump of a man: over a man, or a king if there is one. */
struct next_jump {
    word over;
    bool over_man;
    word to; /* 0 where the man's own first square is the one to come to */
};

/* One move of one man. */
struct man_move {
    word from;
    word victim; /* 0: a step */
    bool victim_is_king;
    word to;
    bool crowned;
    bool goes_on_as_king;
    int next_count;
    struct next_jump next[DIRECTIONS];
    const struct table *after; /* null where the last king is taken by a side without kings */
};

struct man_moves {
    int mover;
    int count;
    struct man_move moves[MOST_MAN_MOVES];
};

static inline word square_in(const struct board *board, int from, int direction)
{
    int to = from == NO_SQUARE ? NO_SQUARE : board->step[from][direction];
    return to == NO_SQUARE ? 0 : (word)1 << to;
}

static inline int number_of(word square)
{
    return square ? bits_lowest(square) : NO_SQUARE;
}

/* Squares on which men of a side are crowned. */
static inline word top_row(const struct board *board, int mover)
{
    return seen_by(mover, (word)board_row(board, board->rows - 1));
}

static inline bool takes_that_way(const struct work *work, int mover, int direction)
{
    return (work->variant->rules.man_takes >> direction_of(mover, direction)) & 1;
}

/* The jumps that a man from `from` may go on with. */
static inline void find_next_jumps(const struct work *work, int mover, word from, int direction,
                                   struct man_move *move)
{
    const struct rules *rules = &work->variant->rules;
    for (int way = 0; way < DIRECTIONS; way++) {
        if (way == (direction ^ 2) || !takes_that_way(work, mover, way))
            continue;
        word over = square_in(rules->board, number_of(move->to), way);
        word to = square_in(rules->board, number_of(over), way);
        bool over_man = over & work->men[1 - mover];
        bool free = to == from || !(to & (work->men[0] | work->men[1]));
        if (!to || !free || (over & work->men[mover]) || (!over_man && !rules->man_takes_king))
            continue;
        move->next[move->next_count++] = (struct next_jump){over, over_man, to == from ? 0 : to};
    }
}

/* Adds a move of the man on `from`, its squares known. */
static inline void add_man_move(const struct work *work, struct man_moves *moves, word from, int direction,
                                struct man_move *move)
{
    int mover = moves->mover;
    const struct rules *rules = &work->variant->rules;
    bool at_top = move->to & top_row(rules->board, mover);
    move->goes_on_as_king = move->victim && at_top && rules->crowned == CROWNED_KING;
    if (move->victim && !(at_top && rules->crowned == CROWNED_STOP))
        find_next_jumps(work, mover, from, direction, move);
    move->from = from;
    move->crowned = at_top;
    moves->moves[moves->count++] = *move;
}

/* Finds what the move leads to. */
static inline enum status read_after(struct work *work, int mover, struct man_move *move)
{
    const struct side *side = &work->sides[mover];
    word men[2] = {work->men[0], work->men[1]};
    int kings[2];
    kings[mover] = side->kings + (move->crowned ? 1 : 0);
    kings[1 - mover] = side->other_kings - (move->victim_is_king ? 1 : 0);
    men[mover] = (word)((men[mover] & ~move->from) | (move->crowned ? 0 : move->to));
    if (!move->victim_is_king)
        men[1 - mover] &= ~move->victim;
    if (side->kings == 0 && kings[1 - mover] == 0)
        return STATUS_OK;
    return table_find(work, 1 - mover, men, kings, &move->after);
}

static inline void add_steps(const struct work *work, struct man_moves *moves, word from)
{
    const struct rules *rules = &work->variant->rules;
    word men = work->men[0] | work->men[1];
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        struct man_move move = {.to = square_in(rules->board, number_of(from), direction)};
        if (((rules->man_steps >> direction_of(moves->mover, direction)) & 1) && move.to && !(move.to & men))
            add_man_move(work, moves, from, direction, &move);
    }
}

static inline void add_captures(const struct work *work, struct man_moves *moves, word from)
{
    const struct rules *rules = &work->variant->rules;
    int mover = moves->mover;
    word men = work->men[0] | work->men[1];
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        struct man_move move = {.victim = square_in(rules->board, number_of(from), direction)};
        move.to = square_in(rules->board, number_of(move.victim), direction);
        if (!move.to || (move.to & men) || !takes_that_way(work, mover, direction))
            continue;
        move.victim_is_king = !(move.victim & men);
        bool possible = move.victim_is_king ? rules->man_takes_king && work->sides[mover].other_kings > 0
                                            : (move.victim & work->men[1 - mover]) != 0;
        if (possible)
            add_man_move(work, moves, from, direction, &move);
    }
}

/* The captures that men of a side may have, whatever the kings. */
static inline void man_captures_find(const struct work *work, int mover, struct man_moves *moves)
{
    moves->mover = mover;
    moves->count = 0;
    for (word rest = work->men[mover]; rest; rest &= rest - 1)
        add_captures(work, moves, rest & (~rest + 1));
}

/* With distances: steps that zero must not lead to what a limit has made, others have distances of their own.
 */
static inline enum status check_steps(struct work *work, const struct man_moves *moves)
{
    bool zero = forward_steps_zero(work->variant);
    enum status status = STATUS_OK;
    for (int i = 0; i < moves->count && status == STATUS_OK; i++) {
        const struct man_move *move = &moves->moves[i];
        if (move->victim)
            continue;
        if (zero)
            work->spoilt |= move->after->spoilt != NULL;
        else
            status = table_read_distances(work, move->after);
    }
    return status;
}

/* All moves that they may have, with what they lead to. */
static inline enum status man_moves_find(struct work *work, int mover, struct man_moves *moves)
{
    man_captures_find(work, mover, moves);
    for (word rest = work->men[mover]; rest; rest &= rest - 1)
        add_steps(work, moves, rest & (~rest + 1));
    enum status status = STATUS_OK;
    for (int i = 0; i < moves->count && status == STATUS_OK; i++)
        status = read_after(work, mover, &moves->moves[i]);
    if (status == STATUS_OK && work->distances)
        status = check_steps(work, moves);
    return status;
}

/* All bits if the set of the row holds the square, else none. */
static ALWAYS_INLINE word holds(word set, word square)
{
    return set & square ? ALL_SQUARES : 0;
}

/* Rows of the batch after a move of a side with kings, into batch->after_*. */
static inline void rows_after(struct work *work, const struct side *side, const struct man_move *move)
{
    struct batch *batch = &work->batch;
    for (uint32_t plane = 0; plane < batch->planes; plane++) {
        word set = side->plane_sets[batch->plane + plane];
        if (move->victim_is_king && !(set & move->victim))
            continue;
        word others = move->victim_is_king ? set ^ move->victim : set;
        size_t at = (size_t)plane * side->rows;
        bool spoilt = move->victim && move->after->spoilt;
        if (!move->crowned) {
            word *const rows[3] = {batch->after_wins + at, batch->after_losses + at,
                                   spoilt ? batch->after_spoilt + at : NULL};
            table_plane(move->after, others, rows);
            continue;
        }
        word *const rows[3] = {batch->plane_wins, batch->plane_losses, spoilt ? batch->plane_spoilt : NULL};
        table_plane(move->after, others, rows);
        for (uint32_t i = 0; i < side->rows; i++) {
            word own = side->row_sets[i];
            uint32_t row = own & move->to ? 0 : rank_of(own | move->to);
            batch->after_wins[at + i] = rows[0][row];
            batch->after_losses[at + i] = rows[1][row];
            if (spoilt)
                batch->after_spoilt[at + i] = rows[2][row];
        }
    }
}

/* The same for a side without kings, where a row is a set of the other's kings. */
static inline void rows_after_kingless(struct work *work, const struct side *side,
                                       const struct man_move *move)
{
    struct batch *batch = &work->batch;
    word king = move->crowned ? move->to : 0;
    bool spoilt = move->victim && move->after && move->after->spoilt;
    if (!move->victim_is_king) {
        word *const rows[3] = {batch->after_wins, batch->after_losses, spoilt ? batch->after_spoilt : NULL};
        table_own_plane(move->after, king, rows);
        return;
    }
    if (!move->after)
        return;
    word *const rows[3] = {batch->plane_wins, batch->plane_losses, spoilt ? batch->plane_spoilt : NULL};
    table_own_plane(move->after, king, rows);
    for (uint32_t i = 0; i < side->rows; i++) {
        word others = side->row_sets[i];
        uint32_t row = others & move->victim ? rank_of(others ^ move->victim) : 0;
        batch->after_wins[i] = rows[0][row];
        batch->after_losses[i] = rows[1][row];
        if (spoilt)
            batch->after_spoilt[i] = rows[2][row];
    }
}

static inline void step_of_man(const struct batch *batch, const struct man_move *move)
{
    const word *restrict empty = batch->empty;
    const word *restrict after_wins = batch->after_wins;
    const word *restrict after_losses = batch->after_losses;
    word *restrict wins = batch->step_wins;
    word *restrict draws = batch->step_draws;
    word *restrict losses = batch->step_losses;
    word to = move->to;
    for (size_t i = 0; i < batch->count; i++) {
        word free = empty[i] & ~to & holds(empty[i], to);
        losses[i] |= free & after_wins[i];
        wins[i] |= free & after_losses[i];
        draws[i] |= free & ~after_losses[i] & ~after_wins[i];
    }
}

/* The bits for which a man has captured and can go on. The bit may be the king to be taken where the other
 * side has the bits. */
static inline void mark_several(const struct batch *batch, const struct man_move *move, bool bit_is_other)
{
    const word *restrict empty = batch->empty;
    const word *restrict others = batch->others;
    word *restrict several = batch->several;
    word first = move->victim_is_king ? move->victim : 0;
    for (int i = 0; i < move->next_count; i++) {
        const struct next_jump *next = &move->next[i];
        word bit = bit_is_other ? next->over : 0;
        for (size_t row = 0; row < batch->count; row++) {
            word free = empty[row] & ~move->to & holds(empty[row], move->to);
            if (first)
                free &= holds(others[row], first);
            if (next->to)
                free &= ~next->to & holds(empty[row], next->to);
            if (!next->over_man)
                free &= holds(others[row], next->over) | bit;
            several[row] |= free;
        }
    }
}

static inline void capture_by_man(const struct work *work, const struct man_move *move, bool bit_is_other)
{
    const struct batch *batch = &work->batch;
    const word *restrict empty = batch->empty;
    const word *restrict others = batch->others;
    const word *restrict after_wins = batch->after_wins;
    const word *restrict after_losses = batch->after_losses;
    int level = level_of(work->variant, false, move->victim_is_king);
    word *restrict has = batch->has[level];
    word *restrict wins = batch->level_wins[level];
    word *restrict draws = batch->level_draws[level];
    word *restrict several = batch->several;
    word to = move->to;
    word needed = move->victim_is_king ? move->victim : 0;
    word always = move->goes_on_as_king ? ALL_SQUARES : 0;
    word last_king = move->after ? 0 : move->victim;
    bool spoilt = move->after && move->after->spoilt;
    for (size_t i = 0; i < batch->count; i++) {
        word free = empty[i] & ~to & holds(empty[i], to);
        several[i] |= free & last_king;
        if (needed)
            free &= holds(others[i], needed);
        has[i] |= free;
        wins[i] |= free & after_losses[i];
        draws[i] |= free & ~after_losses[i] & ~after_wins[i];
        several[i] |= free & always;
        if (spoilt)
            several[i] |= free & batch->after_spoilt[i];
    }
    mark_several(batch, move, bit_is_other);
}

/* All moves of men in the batch. */
static inline void moves_of_men(struct work *work, const struct man_moves *moves)
{
    const struct side *side = &work->sides[moves->mover];
    for (int i = 0; i < moves->count; i++) {
        const struct man_move *move = &moves->moves[i];
        if (side->kings > 0)
            rows_after(work, side, move);
        else
            rows_after_kingless(work, side, move);
        if (move->victim)
            capture_by_man(work, move, side->kings == 0);
        else
            step_of_man(&work->batch, move);
    }
}

#endif
