/* Depth-first search through captures with a cut at the first win. */
#include "search.h"

#include "distance.h"

enum {
    MOST_PENDING = 1024, /* captures that wait on all levels together */
    MOST_NODES = 100000  /* beyond, the position is far from every table */
};

/* One search. Moves of all levels share one stack, so that a level takes little of the thread's own. */
struct search {
    struct lookup *lookup;
    const struct variant *variant;
    bool no_io;
    int nodes;
    int pending;
    struct position failed;
    struct move_list list;
    struct move moves[MOST_PENDING];
};

/* Values that follow from the rules where a table is missing. Kept out of the way of look-ups that succeed,
 * for the list takes much of the stack. */
__attribute__((noinline)) static bool ended_by_rules(const struct variant *variant,
                                                     const struct position *position, enum value *value)
{
    struct move_list list;
    if (slice_exists_for(position) && value_by_special_end(variant, slice_of(position), value))
        return true;
    move_list_clear(&list);
    variant->moves->quiet(position, &list);
    *value = LOSS;
    return list.count == 0 && !list.overflowed;
}

/* Both sides have pieces and own has no capture. */
static enum status quiet_value(struct lookup *lookup, const struct variant *variant,
                               const struct position *position, bool no_io, enum value *value)
{
    enum status status = lookup_value(lookup, variant, position, no_io, value);
    if ((status == STATUS_NO_TABLE || status == STATUS_TOO_MANY_PIECES) &&
        ended_by_rules(variant, position, value))
        return STATUS_OK;
    return status;
}

/* True if a side has no pieces. */
static bool ended_by_pieces(const struct position *position, enum value *value)
{
    *value = position_own(position) ? WIN : LOSS;
    return !position_own(position) || !position_opponent(position);
}

static enum status captures_value(struct search *search, const struct position *position, enum value *value);

static enum status node_value(struct search *search, const struct position *position, enum value *value)
{
    if (ended_by_pieces(position, value))
        return STATUS_OK;
    if (search->variant->moves->has_capture(position))
        return captures_value(search, position, value);
    enum status status = quiet_value(search->lookup, search->variant, position, search->no_io, value);
    if (status != STATUS_OK)
        search->failed = *position;
    return status;
}

/* Puts the captures of a position on the stack. */
static enum status push_captures(struct search *search, const struct position *position)
{
    move_list_clear(&search->list);
    search->variant->moves->captures(position, &search->list, NULL);
    if (search->list.overflowed || search->list.count > MOST_PENDING - search->pending)
        return STATUS_TOO_MANY_MOVES;
    for (int i = 0; i < search->list.count; i++)
        search->moves[search->pending++] = search->list.moves[i];
    return ++search->nodes > MOST_NODES ? STATUS_TOO_MANY_PIECES : STATUS_OK;
}

static enum status captures_value(struct search *search, const struct position *position, enum value *value)
{
    int first = search->pending;
    enum value best = LOSS;
    struct position failed = *position;
    enum status status = push_captures(search, position);
    for (int i = first; i < search->pending && best != WIN && search->nodes <= MOST_NODES; i++) {
        enum value reply;
        struct position after = position_after(search->variant, position, &search->moves[i]);
        enum status outcome = node_value(search, &after, &reply);
        if (outcome == STATUS_OK && value_turned(reply) > best)
            best = value_turned(reply);
        if (outcome != STATUS_OK && status == STATUS_OK) {
            status = outcome;
            failed = search->failed;
        }
    }
    search->pending = first;
    *value = best;
    search->failed = failed;
    return best == WIN ? STATUS_OK : status;
}

/* Kept out of search_value, whose other ways need no such room on the stack. */
__attribute__((noinline)) static enum status start_search(struct lookup *lookup,
                                                          const struct variant *variant,
                                                          const struct position *position, bool no_io,
                                                          enum value *value, struct position *failed)
{
    struct search search;
    search.lookup = lookup;
    search.variant = variant;
    search.no_io = no_io;
    search.nodes = 0;
    search.pending = 0;
    search.failed = *position;
    enum status status = captures_value(&search, position, value);
    if (failed)
        *failed = search.failed;
    return status;
}

enum status search_value(struct lookup *lookup, const struct variant *variant,
                         const struct position *position, bool no_io, enum value *value,
                         struct position *failed)
{
    if (failed)
        *failed = *position;
    if (ended_by_pieces(position, value))
        return STATUS_OK;
    if (variant->moves->has_capture(position))
        return start_search(lookup, variant, position, no_io, value, failed);
    return quiet_value(lookup, variant, position, no_io, value);
}

/* True if the value can have the distance in a position that goes on. */
static bool agree(const struct variant *variant, enum value value, uint16_t plies)
{
    return plies > 0 && value_at_distance(variant, value_without_limit(value), plies) == value;
}

enum status search_distance(struct lookup *lookup, const struct variant *variant,
                            const struct position *position, bool no_io, enum value value, uint16_t *plies)
{
    enum value end;
    *plies = 0;
    if (value == DRAW || ended_by_pieces(position, &end))
        return STATUS_OK;
    if (variant->moves->has_capture(position)) {
        *plies = (uint16_t)distance_of_captures(variant, value);
        return STATUS_OK;
    }
    if (ended_by_rules(variant, position, &end))
        return STATUS_OK;
    enum status status = lookup_distance(lookup, variant, position, no_io, plies);
    return status != STATUS_OK || agree(variant, value, *plies) ? status : STATUS_DAMAGED;
}
