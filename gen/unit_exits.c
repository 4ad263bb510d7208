/* The first look at a position, by look-ups of what is finished already. */
#include "unit_exits.h"

uint8_t side_directions(const struct variant *variant)
{
    return variant_men_step_sideways(variant) ? variant->rules.man_steps & (1 << LEFT | 1 << RIGHT) : 0;
}

void exits_begin(struct exits *exits, const struct variant *variant, struct values *values)
{
    exits->variant = variant;
    exits->values = values;
    exits->distances = exits->limited = exits->too_deep = false;
    exits->steps_zero = forward_steps_zero(variant);
    exits->forward = variant->rules.man_steps & (uint8_t)~side_directions(variant);
    exits->captured = 0;
    capture_search_begin(&exits->captures, variant, values);
}

/* A step of a man that leaves the unit. */
static void add_exit(struct exits *exits, const struct position *position, int from, int to,
                     struct outlook *outlook)
{
    const struct board *board = exits->variant->rules.board;
    struct position after = *position;
    after.own_men &= ~bit_of(from);
    if (to >= board->squares - board->width)
        after.own_kings |= bit_of(to);
    else
        after.own_men |= bit_of(to);
    uint32_t distance = 0;
    bool through = exits->distances && !exits->steps_zero;
    enum value value = through ? values_distance_after(exits->values, &after, &distance)
                               : values_after(exits->values, &after);
    exits->limited |= value_is_spoilt(value);
    outlook_add(outlook, value, distance_through(exits->variant, exits->steps_zero, value, distance));
}

static void add_exits(struct exits *exits, const struct position *position, struct outlook *outlook)
{
    const struct board *board = exits->variant->rules.board;
    uint64_t occupied = position_occupied(position);
    for (uint64_t rest = position->own_men; rest; rest = bits_without_lowest(rest)) {
        int from = bits_lowest(rest);
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            if (!((exits->forward >> direction) & 1))
                continue;
            int to = board->step[from][direction];
            if (to == NO_SQUARE || (occupied & bit_of(to)))
                continue;
            add_exit(exits, position, from, to, outlook);
            if (outlook->win == 1)
                return;
        }
    }
}

/* The state after the exits, and where there are distances what is known of its own. */
static uint8_t state_of_exits(struct exits *exits, const struct position *position, uint16_t *distance)
{
    struct outlook outlook = {.win = UINT32_MAX};
    add_exits(exits, position, &outlook);
    uint32_t plies = outlook.win == UINT32_MAX ? outlook.loss : outlook.win;
    exits->too_deep |= plies > MOST_DISTANCE;
    *distance = (uint16_t)plies;
    if (outlook.win == 1 || (!exits->distances && outlook.win != UINT32_MAX))
        return WIN;
    if (outlook.win != UINT32_MAX)
        return LATE_WIN;
    return outlook.safe ? SAFE : OPEN;
}

uint8_t exits_state(struct exits *exits, const struct position *position, const enum value *special,
                    uint16_t *distance)
{
    *distance = 0;
    if (exits->variant->moves->has_capture(position)) {
        enum value value = capture_value(&exits->captures, position);
        exits->captured++;
        exits->limited |= value_is_spoilt(value);
        *distance = (uint16_t)distance_of_captures(exits->variant, value);
        return (uint8_t)value_without_limit(value);
    }
    if (special)
        return (uint8_t)*special;
    return position->own_men ? state_of_exits(exits, position, distance) : OPEN;
}

int side_steps(const struct board *board, uint8_t directions, uint64_t men, uint64_t free,
               struct side_step *steps)
{
    int count = 0;
    for (uint64_t rest = directions ? men : 0; rest; rest = bits_without_lowest(rest)) {
        int from = bits_lowest(rest);
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            int to = board->step[from][direction];
            if (((directions >> direction) & 1) && to != NO_SQUARE && (free & bit_of(to)))
                steps[count++] = (struct side_step){(uint8_t)from, (uint8_t)to};
        }
    }
    return count;
}
