/* Each move is rated by the position after it; the order is a stable sort. */
#include "root.h"

#include "distance.h"

enum { UNKNOWN = VALUES }; /* the group behind those of the values */

/* -- Rating ---------------------------------------------------------------------------------------------- */

static struct rated_move rate(struct lookup *lookup, const struct variant *variant,
                              const struct position *own, const struct move *move, bool no_io)
{
    enum value after_value = DRAW;
    uint16_t distance = 0;
    struct rated_move rated = {.zeroes = move_zeroes(variant, move), .value = DRAW};
    struct position after = position_after(variant, own, move);
    rated.status = search_value(lookup, variant, &after, no_io, &after_value, NULL);
    rated.distance_status = rated.status;
    if (rated.status != STATUS_OK)
        return rated;
    rated.value = value_turned(after_value);
    if (after_value == DRAW)
        return rated;
    if (!rated.zeroes) /* else nothing hangs on the distance */
        rated.distance_status = search_distance(lookup, variant, &after, no_io, after_value, &distance);
    if (rated.distance_status != STATUS_OK)
        return rated;
    rated.plies = distance_through(variant, rated.zeroes, after_value, distance);
    rated.value = value_at_distance(variant, value_without_limit(rated.value), rated.plies);
    return rated;
}

/* True if the limit may spoil the move, but for want of a distance it is not known whether it does. */
static bool is_open(const struct variant *variant, const struct rated_move *rated)
{
    return variant->rules.limit > 0 && rated->status == STATUS_OK && rated->distance_status != STATUS_OK &&
           rated->value == WIN;
}

/* No move is better than the position. */
static void cap(struct lookup *lookup, const struct variant *variant, const struct position *own, bool no_io,
                struct rated_move *rated, int count)
{
    enum value value;
    int first = 0;
    while (first < count && !is_open(variant, &rated[first]))
        first++;
    if (first == count || search_value(lookup, variant, own, no_io, &value, NULL) != STATUS_OK ||
        value != CURSED_WIN)
        return;
    for (int i = first; i < count; i++)
        if (is_open(variant, &rated[i]))
            rated[i].value = CURSED_WIN;
}

void root_rate(struct lookup *lookup, const struct variant *variant, const struct position *own,
               const struct move_list *list, bool no_io, struct rated_move *rated)
{
    for (int i = 0; i < list->count; i++)
        rated[i] = rate(lookup, variant, own, &list->moves[i], no_io);
    cap(lookup, variant, own, no_io, rated, list->count);
}

/* -- Order ----------------------------------------------------------------------------------------------- */

static int group_of(const struct rated_move *rated)
{
    return rated->status == STATUS_OK ? WIN - (int)rated->value : UNKNOWN;
}

/* Groups of which all moves have their plies. */
struct timed_groups {
    bool timed[UNKNOWN + 1];
};

static struct timed_groups timed_groups(const struct rated_move *rated, int count)
{
    struct timed_groups groups;
    for (int group = 0; group <= UNKNOWN; group++)
        groups.timed[group] = true;
    for (int i = 0; i < count; i++)
        if (rated[i].distance_status != STATUS_OK)
            groups.timed[group_of(&rated[i])] = false;
    return groups;
}

static bool comes_before(const struct timed_groups *groups, const struct rated_move *a,
                         const struct rated_move *b)
{
    int group = group_of(a);
    if (group != group_of(b))
        return group < group_of(b);
    if (!groups->timed[group])
        return false;
    return a->value > DRAW ? a->plies < b->plies : a->plies > b->plies;
}

void root_order(const struct rated_move *rated, int count, int *order)
{
    struct timed_groups groups = timed_groups(rated, count);
    for (int i = 0; i < count; i++) {
        int place = i;
        for (; place > 0 && comes_before(&groups, &rated[i], &rated[order[place - 1]]); place--)
            order[place] = order[place - 1];
        order[place] = i;
    }
}
