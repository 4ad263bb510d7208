/* Captures by kings, for all squares of a king at once: the first jump is a few operations on words, and so
 * is the question whether a second one follows. Part of the word solver. */
#ifndef GEN_WORD_KINGS_H
#define GEN_WORD_KINGS_H

#include "word_table.h"

enum { BLOCK_ROWS = 256 };

/* A stretch of rows on its way through all jumps. */
struct block {
    size_t count;
    word victims[BLOCK_ROWS];
    word win[BLOCK_ROWS]; /* what follows, where a look-up has to be put together */
    word loss[BLOCK_ROWS];
    word starts[DIRECTIONS][BLOCK_ROWS]; /* squares from which something can be taken that way */
    word has[BLOCK_ROWS];
};

/* Level on the ladder of choice of taking one piece, from 0 up. */
static int level_of(const struct variant *variant, bool by_king, bool is_king)
{
    const unsigned kings = MOST_KINGS | KINGS_EARLIEST | FIRST_KING_EARLIEST;
    bool king_counts = variant->rules.choice & kings;
    bool mover_counts = variant->rules.choice & BY_KING;
    return (mover_counts && by_king ? 2 : 0) + (king_counts && is_king ? 1 : 0);
}

static ALWAYS_INLINE void find_starts(int direction, bool flying, const struct side *side, word men,
                                      const word *other_kings, size_t first, struct block *block)
{
    const word *restrict empty = side->empty + first;
    word *restrict starts = block->starts[direction];
    word *restrict has = block->has;
    for (size_t i = 0; i < block->count; i++) {
        word victims = (men | other_kings[i]) & step_one(direction ^ 2, empty[i]);
        starts[i] = reach(direction ^ 2, flying, victims, empty[i]);
        has[i] |= starts[i];
    }
}

/* Takes account of the jumps over block->victims in a direction, which lead to `after`. */
static ALWAYS_INLINE void jump_over(int direction, bool flying, const struct side *side, size_t first,
                                    const struct block *block, const word *restrict after_win,
                                    const word *restrict after_loss, word *restrict has, word *restrict win,
                                    word *restrict draw, word *restrict several)
{
    const word *restrict empty = side->empty + first;
    const word *restrict on = block->starts[direction];
    const word *restrict to_left = block->starts[(direction + 1) & 3];
    const word *restrict to_right = block->starts[(direction + 3) & 3];
    for (size_t i = 0; i < block->count; i++) {
        word victim = block->victims[i] & step_one(direction ^ 2, empty[i]);
        word start = reach(direction ^ 2, flying, victim, empty[i]);
        word landing = reach(direction, flying, victim, empty[i]);
        has[i] |= start;
        win[i] |= landing & after_loss[i] ? start : 0;
        draw[i] |= landing & ~after_loss[i] & ~after_win[i] ? start : 0;
        several[i] |= landing & (on[i] | to_left[i] | to_right[i]) ? start : 0;
    }
}

static ALWAYS_INLINE void jump_all_ways(struct work *work, bool flying, const struct side *side, size_t first,
                                        const struct block *block, const word *after_win,
                                        const word *after_loss, int level)
{
    for (int direction = 0; direction < DIRECTIONS; direction++)
        jump_over(direction, flying, side, first, block, after_win, after_loss, work->has[level] + first,
                  work->capture_wins[level] + first, work->capture_draws[level] + first,
                  work->several + first);
}

/* The n-th king of the other side's in each row of a block, and what taking it leads to. */
static void gather_kings(const struct side *side, const word *other_sets, int n, const struct table *after,
                         size_t first, struct block *block)
{
    for (size_t i = 0; i < block->count;) {
        size_t plane = (first + i) / side->rows;
        size_t row = (first + i) % side->rows;
        size_t run = side->rows - row;
        if (run > block->count - i)
            run = block->count - i;
        word set = other_sets[plane];
        for (int j = 0; j < n; j++)
            set &= set - 1;
        word victim = set & (~set + 1);
        size_t from = (size_t)rank_of(other_sets[plane] ^ victim) * side->rows + row;
        for (size_t j = 0; j < run; j++) {
            block->victims[i + j] = victim;
            block->win[i + j] = after->win[from + j];
            block->loss[i + j] = after->loss[from + j];
        }
        i += run;
    }
}

static ALWAYS_INLINE void captures_of_block(struct work *work, bool flying, int mover,
                                            const struct table *after_men, const struct table *after_king,
                                            const word *other_kings, size_t first, struct block *block)
{
    const struct side *side = &work->sides[mover];
    word men = work->men[1 - mover];
    memset(block->has, 0, sizeof block->has);
    for (int direction = 0; direction < DIRECTIONS; direction++)
        find_starts(direction, flying, side, men, other_kings + first, first, block);
    word any = 0;
    for (size_t i = 0; i < block->count; i++)
        any |= block->has[i];
    if (!any)
        return;
    int level = level_of(work->variant, true, false);
    for (int i = 0; men; men &= men - 1, i++) {
        word victim = men & (~men + 1);
        for (size_t j = 0; j < block->count; j++)
            block->victims[j] = victim;
        jump_all_ways(work, flying, side, first, block, after_men[i].win + first, after_men[i].loss + first,
                      level);
    }
    level = level_of(work->variant, true, true);
    for (int i = 0; i < side->other_kings; i++) {
        gather_kings(side, work->sets[side->other_kings], i, after_king, first, block);
        jump_all_ways(work, flying, side, first, block, block->win, block->loss, level);
    }
}

static ALWAYS_INLINE void captures_of_blocks(struct work *work, bool flying, int mover,
                                             const struct table *after_men, const struct table *after_king,
                                             const word *other_kings)
{
    const struct side *side = &work->sides[mover];
    struct block block;
    for (size_t first = 0; first < side->size; first += BLOCK_ROWS) {
        block.count = side->size - first < BLOCK_ROWS ? side->size - first : BLOCK_ROWS;
        captures_of_block(work, flying, mover, after_men, after_king, other_kings, first, &block);
    }
}

/* The tables that captures of one piece by a king lead to. */
static enum status read_after_captures(struct work *work, int mover, struct table *after_men,
                                       struct table *after_king)
{
    const struct side *side = &work->sides[mover];
    int kings[2];
    kings[mover] = side->kings;
    kings[1 - mover] = side->other_kings;
    enum status status = STATUS_OK;
    word rest = work->men[1 - mover];
    for (int i = 0; rest && status == STATUS_OK; rest &= rest - 1, i++) {
        word men[2] = {work->men[0], work->men[1]};
        men[1 - mover] &= ~(rest & (~rest + 1));
        status = table_read(work, 1 - mover, men, kings, &after_men[i]);
    }
    kings[1 - mover]--;
    if (status == STATUS_OK && side->other_kings > 0)
        status = table_read(work, 1 - mover, work->men, kings, after_king);
    return status;
}

/* Captures by kings of a side to move. `other_kings` has the other side's of each row. */
static enum status captures_by_kings(struct work *work, int mover, const word *other_kings)
{
    struct table after_men[MAX_CHOSEN + 1] = {0};
    struct table after_king = {0};
    enum status status = read_after_captures(work, mover, after_men, &after_king);
    if (status == STATUS_OK && work->variant->rules.flying)
        captures_of_blocks(work, true, mover, after_men, &after_king, other_kings);
    else if (status == STATUS_OK)
        captures_of_blocks(work, false, mover, after_men, &after_king, other_kings);
    for (int i = 0; i <= MAX_CHOSEN; i++)
        table_release(&after_men[i]);
    table_release(&after_king);
    return status;
}

#endif
