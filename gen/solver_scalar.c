/* The scalar solver: a byte a position, counters of in-unit moves, a queue. Simple and complete, it is the
 * reference of every faster one (docs/design.md, section 5). */
#include "capture.h"
#include "solver.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

/* A place's byte while its unit is being solved. The final marks (values.h) come first. */
enum {
    SAFE = MARK_HOLE + 1, /* undecided; has a drawing exit, so it cannot lose */
    NEW_WIN,              /* decided, but its predecessors do not know yet */
    NEW_LOSS,
    OPEN /* undecided; OPEN + n: n in-unit moves lead to what is not yet won for the opponent */
};

struct step {
    uint8_t from;
    uint8_t to;
    const struct placement *after; /* the men after it, same side's view */
};

enum { MAX_SIDE_STEPS = 2 * MAX_CHOSEN };

struct work {
    const struct variant *variant;
    const struct board *board;
    struct values *values;
    struct unit unit;
    struct placement *placements; /* of the unit, [men][side]; null bases where `exists` is false */
    bool *exists;
    uint8_t *state;
    uint32_t *queue;
    uint64_t queue_end;
    uint64_t queue_next;
    uint8_t forward;  /* directions of men's steps that leave the unit */
    uint8_t sideways; /* and of those that stay in it */
    struct capture_search captures;
    struct solver_counts *counts;
};

/* -- First pass: captures, special ends, exits ------------------------------------------------------------
 */

static enum value exit_value(struct work *work, const struct position *position, int from, int to)
{
    struct position after = *position;
    after.own_men &= ~bit_of(from);
    if (to >= work->board->squares - work->board->width)
        after.own_kings |= bit_of(to);
    else
        after.own_men |= bit_of(to);
    return value_turned(values_after(work->values, &after));
}

/* MARK_WIN if an exit wins, SAFE if one draws, else OPEN. */
static uint8_t mark_of_exits(struct work *work, const struct position *position)
{
    uint8_t mark = OPEN;
    uint64_t occupied = position_occupied(position);
    for (uint64_t rest = position->own_men; rest; rest = bits_without_lowest(rest)) {
        int from = bits_lowest(rest);
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            if (!((work->forward >> direction) & 1))
                continue;
            int to = work->board->step[from][direction];
            if (to == NO_SQUARE || (occupied & bit_of(to)))
                continue;
            enum value value = exit_value(work, position, from, to);
            if (value == WIN)
                return MARK_WIN;
            if (value == DRAW)
                mark = SAFE;
        }
    }
    return mark;
}

static uint8_t first_mark(struct work *work, const struct position *position, const enum value *special)
{
    if (work->variant->moves->has_capture(position)) {
        work->counts->captures++;
        return capture_mark(&work->captures, position);
    }
    if (special)
        return mark_of_value(*special);
    return position->own_men ? mark_of_exits(work, position) : OPEN;
}

static void first_pass(struct work *work, const struct placement *placement)
{
    enum value special;
    bool is_special = value_by_special_end(work->variant, placement->slice, &special);
    struct position position = {.own_men = placement->own_men, .opponent_men = placement->opponent_men};
    uint8_t *state = work->state + placement->base;
    struct combination own;
    struct combination opponent;
    bool more = combination_begin(&own, placement->free, placement->slice.own_kings);
    for (; more; more = combination_next(&own)) {
        position.own_kings = own.set;
        bool rest = combination_begin(&opponent, placement->free & ~own.set, placement->slice.opponent_kings);
        for (; rest; rest = combination_next(&opponent)) {
            position.opponent_kings = opponent.set;
            *state++ = first_mark(work, &position, is_special ? &special : NULL);
        }
    }
}

/* -- Second pass: what the first pass of the other side decides, and counters ------------------------------
 */

struct pull {
    int count;
    bool wins;
    bool safe;
};

/* Takes account of an in-unit move to a place. What is new counts as undecided: the spread will tell. */
static void pull_from(const struct work *work, uint64_t place, struct pull *pull)
{
    switch (work->state[place]) {
    case MARK_LOSS: pull->wins = true; break;
    case MARK_DRAW: pull->safe = true; break;
    case MARK_WIN: break;
    default: pull->count++; break;
    }
}

static void pull_king_moves(const struct work *work, const struct placement *placement,
                            const struct position *position, struct pull *pull)
{
    const struct board *board = work->board;
    uint64_t occupied = position_occupied(position);
    uint64_t opponent =
        placement->other_base +
        combination_number_turned(placement->free, position->opponent_kings) * placement->own_placements;
    uint64_t free = placement->free & ~position->opponent_kings;
    bool flying = work->variant->rules.flying;
    for (uint64_t rest = position->own_kings; rest && !pull->wins; rest = bits_without_lowest(rest)) {
        int from = bits_lowest(rest);
        uint64_t others = position->own_kings & ~bit_of(from);
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            int to = board->step[from][direction];
            while (to != NO_SQUARE && !(occupied & bit_of(to))) {
                pull_from(work, opponent + combination_number_turned(free, others | bit_of(to)), pull);
                to = flying ? board->step[to][direction] : NO_SQUARE;
            }
        }
    }
}

static const struct placement *placement_after(const struct work *work, int side, uint64_t own_men,
                                               uint64_t opponent_men)
{
    uint64_t men = unit_men_number(&work->unit, side, own_men, opponent_men) - work->unit.first_men;
    return &work->placements[men * (uint64_t)work->unit.sides + (uint64_t)side];
}

/* The sideways steps of the men of one side (`men`), as if there were no kings. */
static int side_steps(const struct work *work, const struct placement *placement, int side, bool of_own,
                      struct step *steps)
{
    int count = 0;
    uint64_t men = of_own ? placement->own_men : placement->opponent_men;
    for (uint64_t rest = work->sideways ? men : 0; rest; rest = bits_without_lowest(rest)) {
        int from = bits_lowest(rest);
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            int to = work->board->step[from][direction];
            if (!((work->sideways >> direction) & 1) || to == NO_SQUARE || !(placement->free & bit_of(to)))
                continue;
            uint64_t moved = (men & ~bit_of(from)) | bit_of(to);
            steps[count++] =
                (struct step){(uint8_t)from, (uint8_t)to,
                              of_own ? placement_after(work, side, moved, placement->opponent_men)
                                     : placement_after(work, side, placement->own_men, moved)};
        }
    }
    return count;
}

static void decide(struct work *work, uint64_t place, uint8_t mark)
{
    work->state[place] = mark;
    work->queue[work->queue_end++] = (uint32_t)place;
}

static void second_mark(struct work *work, const struct placement *placement, const struct step *steps,
                        int step_count, const struct position *position, uint64_t place)
{
    struct pull pull = {0, false, work->state[place] == SAFE};
    pull_king_moves(work, placement, position, &pull);
    uint64_t kings = position->own_kings | position->opponent_kings;
    for (int i = 0; i < step_count; i++)
        if (!(kings & bit_of(steps[i].to)))
            pull_from(work, unit_other_place(steps[i].after, position->own_kings, position->opponent_kings),
                      &pull);
    if (pull.wins)
        decide(work, place, NEW_WIN);
    else if (pull.safe)
        work->state[place] = SAFE;
    else if (pull.count == 0)
        decide(work, place, NEW_LOSS);
    else
        work->state[place] = (uint8_t)(OPEN + pull.count);
}

static void second_pass(struct work *work, const struct placement *placement, int side)
{
    struct step steps[MAX_SIDE_STEPS];
    int step_count = side_steps(work, placement, side, true, steps);
    struct position position = {.own_men = placement->own_men, .opponent_men = placement->opponent_men};
    uint64_t place = placement->base;
    struct combination own;
    struct combination opponent;
    bool more = combination_begin(&own, placement->free, placement->slice.own_kings);
    for (; more; more = combination_next(&own)) {
        position.own_kings = own.set;
        bool rest = combination_begin(&opponent, placement->free & ~own.set, placement->slice.opponent_kings);
        for (; rest; rest = combination_next(&opponent), place++) {
            if (work->state[place] != OPEN && work->state[place] != SAFE)
                continue;
            position.opponent_kings = opponent.set;
            second_mark(work, placement, steps, step_count, &position, place);
        }
    }
}

/* -- Spread ------------------------------------------------------------------------------------------------
 */

/* The opponent can come to a new loss (then he wins) or to a new win (then he has one move less). */
static void tell(struct work *work, uint64_t place, bool loss)
{
    uint8_t *state = &work->state[place];
    if (*state < SAFE || *state == NEW_WIN || *state == NEW_LOSS)
        return;
    if (loss) {
        decide(work, place, NEW_WIN);
    } else if (*state != SAFE) {
        --*state;
        if (*state == OPEN)
            decide(work, place, NEW_LOSS);
    }
}

static void tell_before_king_moves(struct work *work, const struct placement *placement,
                                   const struct position *position, bool loss)
{
    const struct board *board = work->board;
    uint64_t occupied = position_occupied(position);
    bool flying = work->variant->rules.flying;
    for (uint64_t rest = position->opponent_kings; rest; rest = bits_without_lowest(rest)) {
        int to = bits_lowest(rest);
        uint64_t others = position->opponent_kings & ~bit_of(to);
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            int from = board->step[to][direction];
            while (from != NO_SQUARE && !(occupied & bit_of(from))) {
                tell(work, unit_other_place(placement, position->own_kings, others | bit_of(from)), loss);
                from = flying ? board->step[from][direction] : NO_SQUARE;
            }
        }
    }
}

static void tell_before_side_steps(struct work *work, const struct placement *placement, int side,
                                   const struct position *position, bool loss)
{
    struct step steps[MAX_SIDE_STEPS];
    uint64_t kings = position->own_kings | position->opponent_kings;
    int count = side_steps(work, placement, side, false, steps);
    for (int i = 0; i < count; i++)
        if (!(kings & bit_of(steps[i].to)))
            tell(work, unit_other_place(steps[i].after, position->own_kings, position->opponent_kings), loss);
}

static void spread_one(struct work *work, uint64_t place)
{
    uint64_t men;
    uint64_t kings;
    int side;
    unit_split(&work->unit, place, &men, &side, &kings);
    const struct placement *placement =
        &work->placements[(men - work->unit.first_men) * (uint64_t)work->unit.sides + (uint64_t)side];
    struct position position = {.own_men = placement->own_men, .opponent_men = placement->opponent_men};
    position.own_kings =
        combination_at(placement->free, placement->slice.own_kings, kings / placement->opponent_placements);
    position.opponent_kings =
        combination_at(placement->free & ~position.own_kings, placement->slice.opponent_kings,
                       kings % placement->opponent_placements);
    bool loss = work->state[place] == NEW_LOSS;
    tell_before_king_moves(work, placement, &position, loss);
    tell_before_side_steps(work, placement, side, &position, loss);
}

/* Returns the number of rounds: plies from the seeds to the last decision. */
static uint32_t spread(struct work *work)
{
    uint32_t plies = 0;
    while (work->queue_next < work->queue_end) {
        uint64_t end = work->queue_end;
        while (work->queue_next < end)
            spread_one(work, work->queue[work->queue_next++]);
        plies++;
    }
    return plies;
}

/* -- Whole units -------------------------------------------------------------------------------------------
 */

static void finish(struct work *work, const struct placement *placement)
{
    static const uint8_t finals[] = {
        [MARK_LOSS] = MARK_LOSS, [MARK_DRAW] = MARK_DRAW, [MARK_WIN] = MARK_WIN,  [MARK_HOLE] = MARK_HOLE,
        [SAFE] = MARK_DRAW,      [NEW_WIN] = MARK_WIN,    [NEW_LOSS] = MARK_LOSS, [OPEN] = MARK_DRAW};
    uint64_t count[3] = {0, 0, 0};
    uint8_t *state = work->state + placement->base;
    for (uint64_t i = 0; i < work->unit.pair->kings; i++) {
        state[i] = finals[state[i] < OPEN ? state[i] : OPEN];
        count[state[i]]++;
    }
    int member = slice_equal(placement->slice, work->unit.pair->name) ? 0 : 1;
    for (int mark = MARK_LOSS; mark <= MARK_WIN; mark++)
        work->counts->marks[member][mark] += count[mark];
}

static void solve_unit(struct work *work)
{
    uint64_t rows = work->unit.men * (uint64_t)work->unit.sides;
    int sides = work->unit.sides;
    for (uint64_t row = 0; row < rows; row++)
        work->exists[row] = unit_placement(&work->unit, work->unit.first_men + row / (uint64_t)sides,
                                           (int)(row % (uint64_t)sides), &work->placements[row]);
    work->queue_end = work->queue_next = 0;
    for (uint64_t row = 0; row < rows; row++)
        if (work->exists[row])
            first_pass(work, &work->placements[row]);
    for (uint64_t row = 0; row < rows; row++)
        if (work->exists[row])
            second_pass(work, &work->placements[row], (int)(row % (uint64_t)sides));
    uint32_t plies = spread(work);
    if (plies > work->counts->plies)
        work->counts->plies = plies;
    for (uint64_t row = 0; row < rows; row++)
        if (work->exists[row])
            finish(work, &work->placements[row]);
}

static void set_directions(struct work *work)
{
    const struct rules *rules = &work->variant->rules;
    work->sideways = 0;
    if (variant_men_step_sideways(work->variant))
        work->sideways = rules->man_steps & (1 << LEFT | 1 << RIGHT);
    work->forward = rules->man_steps & (uint8_t)~work->sideways;
}

static enum status solve(const struct plan *plan, const struct piece *piece, struct values *values,
                         uint8_t *marks, struct solver_counts *counts)
{
    const struct slice_pair *pair = plan->pairs[piece->pair];
    int sides = plan->layouts[piece->pair].cells[piece->cell].sides;
    uint64_t together = pair->whole_cells ? piece->men : 1;
    uint64_t rows = together * (uint64_t)sides;
    if (rows * pair->kings > UINT32_MAX)
        return STATUS_TOO_MANY_PIECES;
    struct work *work = malloc(sizeof *work);
    struct placement *placements = malloc(rows * sizeof *placements);
    bool *exists = malloc(rows * sizeof *exists);
    uint32_t *queue = malloc(rows * pair->kings * sizeof *queue);
    enum status status = work && placements && exists && queue ? STATUS_OK : STATUS_NO_MEMORY;
    if (status == STATUS_OK) {
        work->variant = plan->variant;
        work->board = plan->variant->rules.board;
        work->values = values;
        work->placements = placements;
        work->exists = exists;
        work->state = marks;
        work->queue = queue;
        work->counts = counts;
        capture_search_begin(&work->captures, plan->variant, values);
        set_directions(work);
        memset(marks, MARK_HOLE, piece->places);
        for (uint64_t men = piece->first_men; men < piece->first_men + piece->men; men += together) {
            work->unit = (struct unit){pair, piece, sides, men, together};
            solve_unit(work);
        }
        status = capture_search_status(&work->captures);
    }
    free(queue);
    free(exists);
    free(placements);
    free(work);
    return status;
}

/* The byte and the queue entry of each place, and the placements of men that are joined: there are many of
 * those only where each has few positions. */
static uint64_t memory(uint64_t places)
{
    const uint64_t most_placements = 1 << 19;
    uint64_t placements = places < most_placements ? places : most_placements;
    return places * (1 + sizeof(uint32_t)) + placements * sizeof(struct placement) + sizeof(struct work);
}

const struct solver scalar_solver = {.name = "scalar", .memory = memory, .solve = solve};
