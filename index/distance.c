/* Which moves zero the no-progress count. */
#include "distance.h"

bool move_zeroes(const struct variant *variant, const struct move *move)
{
    if (move->taken)
        return true;
    int width = variant->rules.board->width;
    return forward_steps_zero(variant) && move->by_man && move->from / width != move->to / width;
}
