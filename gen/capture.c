/* The best of a position's captures. */
#include "capture.h"

void capture_search_begin(struct capture_search *search, const struct variant *variant, struct values *values)
{
    search->variant = variant;
    search->values = values;
    search->overflowed = false;
}

enum value capture_value(struct capture_search *search, const struct position *position)
{
    struct move_list *list = &search->list;
    move_list_clear(list);
    search->variant->moves->captures(position, list, NULL);
    search->overflowed |= list->overflowed;
    enum value best = LOSS;
    for (int i = 0; i < list->count && best != WIN; i++) {
        struct position after = position_moved(position, &list->moves[i]);
        enum value value = value_turned(values_after(search->values, &after));
        if (value > best)
            best = value;
    }
    return best;
}

enum status capture_search_status(const struct capture_search *search)
{
    return search->overflowed ? STATUS_TOO_MANY_MOVES : values_status(search->values);
}
