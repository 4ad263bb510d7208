/* Legal moves, the position after a move, and perft: what is the same for every variant. */
#include "moves.h"

enum status moves_legal(const struct variant *variant, const struct position *position,
                        struct move_list *list, struct move_paths *paths)
{
    move_list_clear(list);
    variant->moves->captures(position, list, paths);
    if (list->count == 0) {
        variant->moves->quiet(position, list);
        for (int i = 0; paths && i < list->count; i++) {
            paths->of[i].length = 2;
            paths->of[i].squares[0] = list->moves[i].from;
            paths->of[i].squares[1] = list->moves[i].to;
        }
    }
    return list->overflowed ? STATUS_TOO_MANY_MOVES : STATUS_OK;
}

struct position position_moved(const struct position *position, const struct move *move)
{
    struct position after = *position;
    uint64_t *from = move->by_man ? &after.own_men : &after.own_kings;
    *from &= ~bit_of(move->from);
    uint64_t *to = move->by_man && !move->crowned ? &after.own_men : &after.own_kings;
    *to |= bit_of(move->to);
    after.opponent_men &= ~move->taken;
    after.opponent_kings &= ~move->taken;
    return after;
}

struct position position_after(const struct variant *variant, const struct position *position,
                               const struct move *move)
{
    struct position after = position_moved(position, move);
    return position_turned(variant->rules.board, &after);
}

uint64_t moves_perft(const struct variant *variant, const struct position *position, int depth,
                     enum status *status)
{
    if (depth == 0)
        return 1;
    struct move_list list;
    enum status outcome = moves_legal(variant, position, &list, NULL);
    if (outcome != STATUS_OK) {
        *status = outcome;
        return 0;
    }
    if (depth == 1)
        return (uint64_t)list.count;
    uint64_t leaves = 0;
    for (int i = 0; i < list.count; i++) {
        struct position after = position_after(variant, position, &list.moves[i]);
        leaves += moves_perft(variant, &after, depth - 1, status);
    }
    return leaves;
}
