/* The scalar solver: a byte a position, counters of in-unit moves, a queue. Simple and complete, it is the
 * reference of every faster one (docs/design.md, section 5). */
#include "phases.h"
#include "solver.h"
#include "unit.h"
#include "unit_exits.h"

#include <stdlib.h>
#include <string.h>

/* No place; the end of a list. */
#define NO_PLACE UINT32_MAX

struct step {
    uint8_t to;
    const struct placement *after; /* the men after it, same side's view */
};

struct work {
    const struct variant *variant;
    const struct board *board;
    uint8_t sideways; /* directions of men's steps that stay in the unit */
    struct unit unit;
    struct placement *placements; /* of the unit, [men][side]; null bases where `exists` is false */
    bool *exists;
    uint8_t *state;
    uint32_t *queue; /* decided places, in the order of their plies */
    uint64_t queue_end;
    uint64_t queue_next;
    uint16_t *distances; /* null: nobody needs them. Of undecided places the greatest of what is known to
                          * lose, or of LATE_WIN the least of what is known to win */
    uint32_t *late;      /* lists of LATE_ places: the next one, by place */
    uint32_t *late_of;   /* [ply]: the first of its list */
    uint32_t latest;     /* greatest ply that has had a list in this unit */
    uint32_t ply;        /* of what is being told */
    uint64_t found[2][VALUES];
    uint64_t plies;
    struct exits exits;
};

static uint16_t depth(struct work *work, uint32_t plies)
{
    work->exits.too_deep |= plies > MOST_DISTANCE;
    return (uint16_t)plies;
}

/* -- First pass: captures, special ends, exits ------------------------------------------------------------
 */

static void first_pass(struct work *work, const struct placement *placement)
{
    enum value special;
    bool is_special = value_by_special_end(work->variant, placement->slice, &special);
    struct position position = {.own_men = placement->own_men, .opponent_men = placement->opponent_men};
    uint64_t place = placement->base;
    struct combination own;
    struct combination opponent;
    bool more = combination_begin(&own, placement->free, placement->slice.own_kings);
    for (; more; more = combination_next(&own)) {
        position.own_kings = own.set;
        bool rest = combination_begin(&opponent, placement->free & ~own.set, placement->slice.opponent_kings);
        for (; rest; rest = combination_next(&opponent), place++) {
            uint16_t distance;
            position.opponent_kings = opponent.set;
            work->state[place] =
                exits_state(&work->exits, &position, is_special ? &special : NULL, &distance);
            if (work->distances)
                work->distances[place] = distance;
        }
    }
}

/* -- Second pass: what the first pass of the other side decides, and counters ------------------------------
 */

struct pull {
    int count;
    struct outlook outlook;
};

/* Takes account of an in-unit move to a place. What is not final counts as undecided: the spread will tell.
 */
static void pull_from(const struct work *work, uint64_t place, struct pull *pull)
{
    uint8_t state = work->state[place];
    if (state < PLACE_HOLE)
        outlook_add(&pull->outlook, (enum value)state, work->distances ? work->distances[place] + 1U : 1);
    else
        pull->count++;
}

/* True if no more moves need be looked at: nothing wins sooner than the move after a capture. Without
 * distances every such move counts 1. */
static bool pull_is_settled(const struct pull *pull)
{
    return pull->outlook.win <= 2;
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
    for (uint64_t rest = position->own_kings; rest && !pull_is_settled(pull);
         rest = bits_without_lowest(rest)) {
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

/* The sideways steps of the men of one side, as if there were no kings. */
static int steps_of(const struct work *work, const struct placement *placement, int side, bool of_own,
                    struct step *steps)
{
    struct side_step found[MAX_SIDE_STEPS];
    uint64_t men = of_own ? placement->own_men : placement->opponent_men;
    int count = side_steps(work->board, work->sideways, men, placement->free, found);
    for (int i = 0; i < count; i++) {
        uint64_t moved = (men & ~bit_of(found[i].from)) | bit_of(found[i].to);
        steps[i] =
            (struct step){found[i].to, of_own ? placement_after(work, side, moved, placement->opponent_men)
                                              : placement_after(work, side, placement->own_men, moved)};
    }
    return count;
}

static void decide(struct work *work, uint64_t place, uint8_t state, uint32_t ply)
{
    work->state[place] = state;
    if (work->distances)
        work->distances[place] = depth(work, ply);
    work->queue[work->queue_end++] = (uint32_t)place;
}

/* Decides a place when its ply comes. */
static void decide_late(struct work *work, uint64_t place, uint8_t state, uint32_t ply)
{
    work->state[place] = state;
    work->distances[place] = depth(work, ply);
    if (ply > MOST_DISTANCE)
        return;
    work->late[place] = work->late_of[ply];
    work->late_of[ply] = (uint32_t)place;
    work->latest = ply > work->latest ? ply : work->latest;
}

static void second_state(struct work *work, const struct placement *placement, const struct step *steps,
                         int step_count, const struct position *position, uint64_t place)
{
    uint8_t state = work->state[place];
    struct pull pull = {.outlook = {.win = UINT32_MAX, .safe = state == SAFE}};
    if (work->distances && state == LATE_WIN)
        pull.outlook.win = work->distances[place];
    else if (work->distances)
        pull.outlook.loss = work->distances[place];
    pull_king_moves(work, placement, position, &pull);
    uint64_t kings = position->own_kings | position->opponent_kings;
    for (int i = 0; i < step_count; i++)
        if (!(kings & bit_of(steps[i].to)))
            pull_from(work, unit_other_place(steps[i].after, position->own_kings, position->opponent_kings),
                      &pull);
    const struct outlook *outlook = &pull.outlook;
    if (outlook->win != UINT32_MAX && work->distances)
        decide_late(work, place, LATE_WIN, outlook->win);
    else if (outlook->win != UINT32_MAX)
        decide(work, place, NEW_WIN, 0);
    else if (outlook->safe)
        work->state[place] = SAFE;
    else if (pull.count == 0 && work->distances)
        decide_late(work, place, LATE_LOSS, outlook->loss);
    else if (pull.count == 0)
        decide(work, place, NEW_LOSS, 0);
    else {
        work->state[place] = (uint8_t)(OPEN + pull.count);
        if (work->distances)
            work->distances[place] = depth(work, outlook->loss);
    }
}

static void second_pass(struct work *work, const struct placement *placement, int side)
{
    struct step steps[MAX_SIDE_STEPS];
    int step_count = steps_of(work, placement, side, true, steps);
    struct position position = {.own_men = placement->own_men, .opponent_men = placement->opponent_men};
    uint64_t place = placement->base;
    struct combination own;
    struct combination opponent;
    bool more = combination_begin(&own, placement->free, placement->slice.own_kings);
    for (; more; more = combination_next(&own)) {
        position.own_kings = own.set;
        bool rest = combination_begin(&opponent, placement->free & ~own.set, placement->slice.opponent_kings);
        for (; rest; rest = combination_next(&opponent), place++) {
            if (work->state[place] <= PLACE_HOLE)
                continue;
            position.opponent_kings = opponent.set;
            second_state(work, placement, steps, step_count, &position, place);
        }
    }
}

/* -- Spread ------------------------------------------------------------------------------------------------
 */

/* All moves of a place lose: now, or when the slowest does. */
static void lose(struct work *work, uint64_t place)
{
    if (work->distances && work->distances[place] > work->ply)
        decide_late(work, place, LATE_LOSS, work->distances[place]);
    else
        decide(work, place, NEW_LOSS, work->ply);
}

/* The opponent can come to a new loss (then he wins) or to a new win (then he has one move less). */
static void tell(struct work *work, uint64_t place, bool loss)
{
    uint8_t *state = &work->state[place];
    if (*state < SAFE)
        return;
    if (loss) {
        decide(work, place, NEW_WIN, work->ply);
    } else if (*state > OPEN) {
        --*state;
        if (*state == OPEN)
            lose(work, place);
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
    int count = steps_of(work, placement, side, false, steps);
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

/* Puts the places whose ply has come into the queue, but for those that a quicker way has decided. */
static void take_late(struct work *work, uint32_t ply)
{
    if (!work->distances || ply > MOST_DISTANCE)
        return;
    uint32_t place = work->late_of[ply];
    work->late_of[ply] = NO_PLACE;
    for (; place != NO_PLACE; place = work->late[place])
        if (work->state[place] == LATE_WIN || work->state[place] == LATE_LOSS)
            decide(work, place, work->state[place] == LATE_WIN ? NEW_WIN : NEW_LOSS, ply);
}

/* Ply by ply; with distances a ply decides what has that distance. Returns the number of rounds. */
static uint32_t spread(struct work *work)
{
    uint32_t ply = 0;
    for (;; ply++) {
        take_late(work, ply);
        if (work->queue_next == work->queue_end && ply >= work->latest)
            return ply;
        work->ply = ply + 1;
        for (uint64_t end = work->queue_end; work->queue_next < end;)
            spread_one(work, work->queue[work->queue_next++]);
    }
}

/* -- Whole units -------------------------------------------------------------------------------------------
 */

static enum value final_value(const struct work *work, uint8_t state, uint64_t place)
{
    enum value plain = state == NEW_WIN    ? WIN
                       : state == NEW_LOSS ? LOSS
                       : state < VALUES    ? (enum value)state
                                           : DRAW;
    return work->distances ? value_at_distance(work->variant, plain, work->distances[place]) : plain;
}

static void finish(struct work *work, const struct placement *placement)
{
    int member = slice_equal(placement->slice, work->unit.pair->name) ? 0 : 1;
    for (uint64_t place = placement->base; place < placement->base + work->unit.pair->kings; place++) {
        enum value value = final_value(work, work->state[place], place);
        work->state[place] = (uint8_t)value;
        if (work->distances && value == DRAW)
            work->distances[place] = 0;
        work->found[member][value]++;
    }
}

static void solve_unit(struct work *work)
{
    uint64_t rows = work->unit.men * (uint64_t)work->unit.sides;
    int sides = work->unit.sides;
    for (uint64_t row = 0; row < rows; row++)
        work->exists[row] = unit_placement(&work->unit, work->unit.first_men + row / (uint64_t)sides,
                                           (int)(row % (uint64_t)sides), &work->placements[row]);
    work->queue_end = work->queue_next = 0;
    work->latest = 0;
    enum phase phase = phase_enter(PHASE_FIRST_PASS);
    for (uint64_t row = 0; row < rows; row++)
        if (work->exists[row])
            first_pass(work, &work->placements[row]);
    phase_enter(PHASE_PLIES);
    for (uint64_t row = 0; row < rows; row++)
        if (work->exists[row])
            second_pass(work, &work->placements[row], (int)(row % (uint64_t)sides));
    uint32_t plies = spread(work);
    if (plies > work->plies)
        work->plies = plies;
    for (uint64_t row = 0; row < rows; row++)
        if (work->exists[row])
            finish(work, &work->placements[row]);
    phase_enter(phase);
}

static enum status solve_units(struct work *work, const struct plan *plan, const struct piece *piece)
{
    const struct slice_pair *pair = plan->pairs[piece->pair];
    uint64_t together = pair->whole_cells ? piece->men : 1;
    memset(work->state, PLACE_HOLE, piece->places);
    if (work->distances)
        memset(work->distances, 0, piece->places * sizeof *work->distances);
    memset(work->found, 0, sizeof work->found);
    work->plies = 0;
    work->exits.captured = 0;
    work->exits.limited = work->exits.too_deep = false;
    work->exits.distances = work->distances != NULL;
    for (uint64_t men = piece->first_men; men < piece->first_men + piece->men; men += together) {
        work->unit =
            (struct unit){pair, piece, plan->layouts[piece->pair].cells[piece->cell].sides, men, together};
        solve_unit(work);
    }
    if (work->exits.too_deep)
        return STATUS_TOO_DEEP;
    return capture_search_status(&work->exits.captures);
}

/* True if values found without distances may be wrong under the limit. A place that is decided in round n has
 * a distance of at most n + 2, since the first round tells what captures have decided in one ply. */
static bool needs_distances(const struct work *work)
{
    uint16_t limit = work->variant->rules.limit;
    return limit > 0 && !work->distances && (work->exits.limited || work->plies + 2 > limit);
}

/* Lists of late places, for work with distances. */
static bool allocate_late(struct work *work, uint64_t places)
{
    work->late = malloc(places * sizeof *work->late);
    work->late_of = malloc((MOST_DISTANCE + 1) * sizeof *work->late_of);
    if (!work->late || !work->late_of)
        return false;
    for (uint32_t ply = 0; ply <= MOST_DISTANCE; ply++)
        work->late_of[ply] = NO_PLACE;
    return true;
}

/* Solves a piece without distances, if nobody asks for them and they turn out not to matter, else with. */
static enum status solve_piece(struct work *work, const struct plan *plan, const struct piece *piece,
                               const struct solution *solution)
{
    enum status status = STATUS_OK;
    if (!solution->distances) {
        status = solve_units(work, plan, piece);
        if (status != STATUS_OK || !needs_distances(work))
            return status;
    }
    uint16_t *own = solution->distances ? NULL : malloc(piece->places * sizeof *own);
    work->distances = own ? own : solution->distances;
    status = STATUS_NO_MEMORY;
    if (work->distances && allocate_late(work, piece->places))
        status = solve_units(work, plan, piece);
    work->distances = NULL;
    free(own);
    return status;
}

/* Placements of men that are solved together, both sides. */
static uint64_t rows_of(const struct plan *plan, const struct piece *piece)
{
    uint64_t together = plan->pairs[piece->pair]->whole_cells ? piece->men : 1;
    return together * plan->layouts[piece->pair].cells[piece->cell].sides;
}

static bool allocate(struct work *work, uint64_t rows, uint64_t places)
{
    work->placements = malloc(rows * sizeof *work->placements);
    work->exists = malloc(rows * sizeof *work->exists);
    work->queue = malloc(places * sizeof *work->queue);
    return work->placements && work->exists && work->queue;
}

static void add_counts(const struct work *work, struct solver_counts *counts)
{
    counts->captures += work->exits.captured;
    if (work->plies > counts->plies)
        counts->plies = work->plies;
    for (int member = 0; member < 2; member++)
        for (int value = 0; value < VALUES; value++)
            counts->values[member][value] += work->found[member][value];
}

static enum status solve(const struct plan *plan, const struct piece *piece, struct values *values,
                         const struct solution *solution, struct solver_counts *counts)
{
    uint64_t rows = rows_of(plan, piece);
    uint64_t places = rows * plan->pairs[piece->pair]->kings;
    if (places >= NO_PLACE || piece->places >= NO_PLACE)
        return STATUS_TOO_MANY_PIECES;
    struct work *work = calloc(1, sizeof *work);
    enum status status = STATUS_NO_MEMORY;
    if (work && allocate(work, rows, places)) {
        work->variant = plan->variant;
        work->board = plan->variant->rules.board;
        work->sideways = side_directions(plan->variant);
        work->state = solution->values;
        exits_begin(&work->exits, plan->variant, values);
        status = solve_piece(work, plan, piece, solution);
        add_counts(work, counts);
    }
    if (work) {
        free(work->late_of);
        free(work->late);
        free(work->queue);
        free(work->exists);
        free(work->placements);
    }
    free(work);
    return status;
}

/* The byte and the queue entry of each place, distance and list with distances, and the placements of men
 * that are joined: there are many of those only where each has few positions. Under a limit a piece may turn
 * out to need distances. */
static uint64_t memory(const struct variant *variant, uint64_t places, bool distances)
{
    const uint64_t most_placements = 1 << 19;
    uint64_t placements = places < most_placements ? places : most_placements;
    uint64_t of_place = 1 + sizeof(uint32_t);
    if (distances || variant->rules.limit > 0)
        of_place += sizeof(uint16_t) + sizeof(uint32_t);
    return places * of_place + placements * sizeof(struct placement) + sizeof(struct work);
}

const struct solver scalar_solver = {.name = "scalar", .memory = memory, .solve = solve};
