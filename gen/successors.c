/* Numbers of the turned position, from sets that are not turned themselves. */
#include "successors.h"

#include "distance.h"

#include <string.h>

void successors_begin(struct successors *successors, const struct numbering *same,
                      const struct numbering *crowned)
{
    memset(successors, 0, sizeof *successors);
    const struct board *board = same->variant->rules.board;
    successors->variant = same->variant;
    successors->same = same;
    successors->crowned = crowned;
    successors->same_placements = numbering_opponent_placements(board, same->slice);
    if (crowned)
        successors->crowned_placements = numbering_opponent_placements(board, crowned->slice);
}

/* Number of the first position that has these men, as own sees them, with the other side to move. */
static uint64_t first_with_men(const struct numbering *numbering, uint64_t own_men, uint64_t opponent_men)
{
    const struct board *board = numbering->variant->rules.board;
    uint64_t own = board_turned(board, opponent_men);
    uint64_t opponent = board_turned(board, own_men);
    uint32_t cell = numbering_cell(numbering, own, opponent);
    return numbering->cells[cell].first + numbering_men(numbering, own, opponent) * numbering->kings;
}

static void set_men(struct successors *successors, const struct position *position)
{
    const struct board *board = successors->variant->rules.board;
    successors->own_men = position->own_men;
    successors->opponent_men = position->opponent_men;
    successors->round++;
    successors->first = first_with_men(successors->same, position->own_men, position->opponent_men);
    successors->free = board_all(board) & ~(position->own_men | position->opponent_men);
}

static void fill_memo(struct successors *successors, const struct move *move, struct step_memo *memo)
{
    const struct board *board = successors->variant->rules.board;
    uint64_t men = successors->own_men & ~bit_of(move->from);
    if (!move->crowned)
        men |= bit_of(move->to);
    memo->round = successors->round;
    memo->first =
        first_with_men(move->crowned ? successors->crowned : successors->same, men, successors->opponent_men);
    memo->free = board_all(board) & ~(men | successors->opponent_men);
    memo->zeroes = move_zeroes(successors->variant, move);
}

/* Number of the kings with the other side to move: its kings are numbered first. */
static uint64_t kings_turned(uint64_t free, uint64_t own_kings, uint64_t opponent_kings, uint64_t placements)
{
    return combination_number_turned(free, opponent_kings) * placements +
           combination_number_turned(free & ~opponent_kings, own_kings);
}

static struct successor after_king(const struct successors *successors, const struct position *position,
                                   const struct move *move)
{
    uint64_t kings = (position->own_kings & ~bit_of(move->from)) | bit_of(move->to);
    uint64_t number =
        kings_turned(successors->free, kings, position->opponent_kings, successors->same_placements);
    return (struct successor){successors->first + number, false, false};
}

static struct successor after_man(struct successors *successors, const struct position *position,
                                  const struct move *move)
{
    struct step_memo *memo = &successors->steps[move->from][move->to];
    if (memo->round != successors->round)
        fill_memo(successors, move, memo);
    uint64_t kings = position->own_kings | (move->crowned ? bit_of(move->to) : 0);
    uint64_t placements = move->crowned ? successors->crowned_placements : successors->same_placements;
    uint64_t number = kings_turned(memo->free, kings, position->opponent_kings, placements);
    return (struct successor){memo->first + number, move->crowned, memo->zeroes};
}

struct successor successors_after(struct successors *successors, const struct position *position,
                                  const struct move *move)
{
    if (successors->round == 0 || position->own_men != successors->own_men ||
        position->opponent_men != successors->opponent_men)
        set_men(successors, position);
    return move->by_man ? after_man(successors, position, move) : after_king(successors, position, move);
}
