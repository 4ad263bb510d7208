/* The rounds of a team, as one rank sees them. A round tells what has its ply: where a form's owner has
 * decided a place, the place crosses once to the rank that has it in the other form, which notes the result
 * and tells the places before it; those are in its own row. */
#include "team_solver.h"

#include "team_state.h"

#include <stdlib.h>
#include <string.h>

/* Squares that a king can come to, or come from, over squares that are not occupied. */
static inline uint64_t king_reach(const struct team *team, int square, uint64_t occupied)
{
    const struct board *board = team->variant->rules.board;
    if (!team->variant->rules.flying)
        return team->adjacent[square] & ~occupied;
    uint64_t reach = 0;
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        uint64_t ray = board->ray[square][direction];
        uint64_t blockers = ray & occupied;
        if (blockers) {
            int nearest = board_nearest(board, direction, blockers);
            ray ^= board->ray[nearest][direction] | bit_of(nearest);
        }
        reach |= ray;
    }
    return reach;
}

/* -- Deciding ----------------------------------------------------------------------------------------------
 */

static void set_bit(uint64_t *bits, uint64_t i)
{
    bits[i / 64] |= UINT64_C(1) << (i % 64);
}

/* The place is decided in the ply after this one. */
static inline void decide(struct team *team, struct team_share *share, uint64_t place, uint8_t state)
{
    share->states[place] = state;
    set_bit(share->next, place);
    if (!team->distances)
        return;
    team->too_deep |= team->ply + 1 > MOST_DISTANCE;
    share->distances[place] = (uint16_t)(team->ply + 1);
}

/* The place is decided when its ply comes, in the distance that it has. */
static void wait_for_ply(struct team *team, const struct team_share *share, uint64_t place, uint8_t state)
{
    uint32_t ply = share->distances[place];
    share->states[place] = state;
    set_bit(team->waiting, ply);
    team->latest = ply > team->latest ? ply : team->latest;
}

/* All in-unit moves of a place lose, the slowest as this ply tells. */
static void lose(struct team *team, struct team_share *share, uint64_t place)
{
    if (team->distances && share->distances[place] > team->ply + 1)
        wait_for_ply(team, share, place, LATE_LOSS);
    else
        decide(team, share, place, LOSS);
}

/* The opponent can come to a new loss: then he wins. */
static inline void tell_loss(struct team *team, struct team_share *share, uint64_t place)
{
    if (share->states[place] >= SAFE)
        decide(team, share, place, WIN);
}

/* The opponent can come to a new win: then he has one move less. */
static inline void tell_win(struct team *team, struct team_share *share, uint64_t place)
{
    if (share->states[place] > OPEN && --share->states[place] == OPEN)
        lose(team, share, place);
}

/* -- First pass --------------------------------------------------------------------------------------------
 */

/* What is decided at once waits for its ply; without distances all of it is told in round 0. */
static void settle_decided(struct team *team, struct team_share *share, uint64_t place)
{
    uint8_t state = share->states[place];
    if (state == DRAW)
        return;
    if (team->distances)
        wait_for_ply(team, share, place, state == WIN ? NEW_WIN : NEW_LOSS);
    else
        set_bit(share->fresh, place);
}

/* What has only exits and no in-unit move is lost too, a round later than what is looked up. */
static void settle_open(struct team *team, struct team_share *share, uint64_t place, int moves)
{
    share->states[place] = (uint8_t)(OPEN + moves);
    if (moves > 0)
        return;
    if (team->distances) {
        wait_for_ply(team, share, place, LATE_LOSS);
    } else {
        share->states[place] = LOSS;
        set_bit(share->next, place);
    }
}

/* Places of one row that have the same men: what they share, and the one that is looked at. */
struct block {
    const struct team_form *form;
    const struct form_men *men;
    uint64_t row_kings;
    uint64_t free; /* squares for the kings of the columns */
    const enum value *special;
    uint64_t place; /* the first of them */
};

/* In-unit moves of the side to move, the columns' one, from one place of a block. */
static int count_moves(const struct team *team, const struct block *block, uint64_t column_kings)
{
    struct side_step steps[MAX_SIDE_STEPS];
    uint64_t free = block->free & ~column_kings;
    uint64_t occupied = ~free;
    int moves = side_steps(block->form->board, team->sideways, block->men->column_men, free, steps);
    for (uint64_t rest = column_kings; rest; rest = bits_without_lowest(rest))
        moves += bits_count(king_reach(team, bits_lowest(rest), occupied));
    return moves;
}

static void first_pass_of_block(struct team *team, struct team_share *share, struct exits *exits,
                                const struct block *block)
{
    const struct board *board = block->form->board;
    struct position position = {.own_men = board_turned(board, block->men->column_men),
                                .opponent_men = board_turned(board, block->men->row_men),
                                .opponent_kings = board_turned(board, block->row_kings)};
    struct combination kings;
    uint64_t place = block->place;
    bool more = combination_begin(&kings, block->free, block->form->slice.opponent_kings);
    for (; more; more = combination_next(&kings), place++) {
        uint16_t distance;
        position.own_kings = board_turned(board, kings.set);
        uint8_t state = exits_state(exits, &position, block->special, &distance);
        share->states[place] = state;
        if (team->distances)
            share->distances[place] = distance;
        if (state < PLACE_HOLE)
            settle_decided(team, share, place);
        else if (state == LATE_WIN)
            wait_for_ply(team, share, place, LATE_WIN);
        else if (state == OPEN)
            settle_open(team, share, place, count_moves(team, block, kings.set));
    }
}

static void first_pass_of_row(struct team *team, struct team_share *share, struct exits *exits,
                              const struct block *row, uint64_t first_men)
{
    const struct team_form *form = row->form;
    struct block block = *row;
    for (uint32_t column = 0; column < form->column_men; column++, block.place += form->column_kings) {
        block.men = &form->men[first_men + column];
        block.free = form_free(form, block.men) & ~row->row_kings;
        if (row->row_kings & block.men->column_men) {
            memset(share->states + block.place, PLACE_HOLE, form->column_kings);
            memset(share->values + block.place, PLACE_HOLE, form->column_kings);
        } else {
            first_pass_of_block(team, share, exits, &block);
        }
    }
}

static void first_pass_of_share(struct team *team, int number, struct exits *exits)
{
    const struct team_form *form = &team->forms.of[number];
    struct team_share *share = &team->shares[number];
    enum value special;
    bool is_special = value_by_special_end(team->variant, slice_mirror(form->slice), &special);
    struct block row = {.form = form, .special = is_special ? &special : NULL};
    struct combination kings;
    for (uint64_t i = share->first_row; i < share->end_row; i++, row.place += form->columns) {
        uint64_t first_men = i / form->row_kings * form->column_men;
        if (i == share->first_row || i % form->row_kings == 0)
            combination_begin_at(&kings, form_row_free(form, &form->men[first_men]), form->slice.own_kings,
                                 i % form->row_kings);
        else
            combination_next(&kings);
        row.row_kings = kings.set;
        first_pass_of_row(team, share, exits, &row, first_men);
    }
}

/* -- Rounds ------------------------------------------------------------------------------------------------
 */

/* Bit i set: place `first` + i waits for this ply. Then it is decided. */
static uint64_t come_due(struct team_share *share, uint64_t first, uint32_t ply)
{
    uint64_t end = share->count - first < 64 ? share->count : first + 64;
    uint64_t due = 0;
    bool any = false;
    for (uint64_t place = first; place < end; place++)
        any |= share->distances[place] == ply;
    for (uint64_t place = first; any && place < end; place++) {
        uint8_t *state = &share->states[place];
        if (share->distances[place] != ply || *state <= PLACE_HOLE || *state == SAFE || *state >= OPEN)
            continue;
        *state = *state == LATE_WIN || *state == NEW_WIN ? WIN : LOSS;
        due |= UINT64_C(1) << (place - first);
    }
    return due;
}

/* Adds to what is new the places that wait for this ply. */
static void take_waiting(struct team *team)
{
    if (!team->distances || team->ply > team->latest || !team_waits_for(team, team->ply))
        return;
    for (int form = 0; form < team->forms.count; form++) {
        struct team_share *share = &team->shares[form];
        for (uint64_t word = 0; word < share_words(share); word++)
            share->fresh[word] |= come_due(share, 64 * word, team->ply);
    }
}

static void count_fresh(struct team *team, uint64_t *fresh, uint32_t *least)
{
    *fresh = 0;
    *least = NO_PLY;
    for (int form = 0; form < team->forms.count; form++) {
        struct team_share *share = &team->shares[form];
        share->cursor = 0;
        for (uint64_t word = 0; word < share_words(share); word++)
            *fresh += (uint64_t)bits_count(share->fresh[word]);
    }
    for (uint32_t ply = team->ply + 1; team->distances && ply <= team->latest && *least == NO_PLY; ply++)
        if (team_waits_for(team, ply))
            *least = ply;
}

enum status team_first_pass(struct team *team, struct values *values)
{
    struct exits *exits = malloc(sizeof *exits);
    if (!exits)
        return STATUS_NO_MEMORY;
    exits_begin(exits, team->variant, values);
    exits->distances = team->distances;
    for (int form = 0; form < team->forms.count; form++)
        first_pass_of_share(team, form, exits);
    take_waiting(team);
    team->captured = exits->captured;
    team->limited = exits->limited;
    team->too_deep = exits->too_deep;
    enum status status = capture_search_status(&exits->captures);
    free(exits);
    return status == STATUS_OK && team->too_deep ? STATUS_TOO_DEEP : status;
}

enum status team_next_round(struct team *team, uint64_t *fresh, uint32_t *least)
{
    team->ply++;
    for (int form = 0; form < team->forms.count; form++) {
        struct team_share *share = &team->shares[form];
        uint64_t *told = share->fresh;
        share->fresh = share->next;
        share->next = told;
        memset(told, 0, share_words(share) * sizeof *told);
    }
    take_waiting(team);
    count_fresh(team, fresh, least);
    if (*fresh > 0)
        team->plies = team->ply;
    return team->too_deep ? STATUS_TOO_DEEP : STATUS_OK;
}

void team_jump(struct team *team, uint32_t ply, uint64_t *fresh, uint32_t *least)
{
    team->ply = ply;
    take_waiting(team);
    count_fresh(team, fresh, least);
    if (*fresh > 0)
        team->plies = team->ply;
}

/* -- Where an index of a form is ----------------------------------------------------------------------------
 */

/* The pieces of places that are looked at in ascending order. */
struct walker {
    const struct team_form *form;
    uint64_t row; /* of the places before `end` */
    uint64_t row_kings;
    uint64_t begin; /* indexes with the same row and men */
    uint64_t end;
    uint32_t men;
    bool hole;
    uint64_t free; /* squares for the kings of the columns */
    uint8_t squares[MAX_SQUARES];
};

static void walker_begin(struct walker *walker, const struct team_form *form)
{
    walker->form = form;
    walker->row = UINT64_MAX;
    walker->begin = walker->end = walker->row_kings = 0;
}

/* Goes to the row and the men of an index. */
static void walker_enter(struct walker *walker, uint64_t index)
{
    const struct team_form *form = walker->form;
    uint64_t row = index / form->columns;
    uint64_t column_men = index % form->columns / form->column_kings;
    uint64_t first_men = row / form->row_kings * form->column_men;
    if (row != walker->row)
        walker->row_kings = combination_at(form_row_free(form, &form->men[first_men]), form->slice.own_kings,
                                           row % form->row_kings);
    walker->row = row;
    walker->men = (uint32_t)(first_men + column_men);
    walker->begin = row * form->columns + column_men * form->column_kings;
    walker->end = walker->begin + form->column_kings;
    walker->hole = (walker->row_kings & form->men[walker->men].column_men) != 0;
    walker->free = form_free(form, &form->men[walker->men]) & ~walker->row_kings;
    int count = 0;
    for (uint64_t rest = walker->free; rest; rest = bits_without_lowest(rest))
        walker->squares[count++] = (uint8_t)bits_lowest(rest);
}

/* The kings of the columns at an index, which the walker has not passed yet. */
static inline uint64_t walker_kings(struct walker *walker, uint64_t index)
{
    uint64_t set = 0;
    if (index >= walker->end)
        walker_enter(walker, index);
    for (uint64_t rest = walker->form->column_sets[index - walker->begin]; rest;
         rest = bits_without_lowest(rest))
        set |= bit_of(walker->squares[bits_lowest(rest)]);
    return set;
}

/* The row of a place in the other form. All squares are as the walker's form sees them. */
static inline uint64_t other_row(const struct team_form *other, const struct walker *walker,
                                 uint64_t column_kings)
{
    const struct team_form *form = walker->form;
    const struct form_men *men = &form->men[walker->men];
    uint64_t free = board_all(form->board) & ~(men->column_men | (form->joined ? 0 : men->row_men));
    return men->twin / other->column_men * other->row_kings + combination_number_turned(free, column_kings);
}

/* -- Giving ------------------------------------------------------------------------------------------------
 */

bool team_emit(struct team *team, int form, struct event_buffer *buffers)
{
    struct team_share *share = &team->shares[form];
    int ranks = team->forms.ranks;
    int other = team_other_form(&team->forms, form);
    struct walker walker;
    walker_begin(&walker, &team->forms.of[form]);
    for (int rank = 0; rank < ranks; rank++)
        buffers[rank].size = 0;
    while (share->cursor < share->count) {
        uint64_t word = share->fresh[share->cursor / 64] >> (share->cursor % 64);
        if (!word) {
            share->cursor = (share->cursor / 64 + 1) * 64;
            continue;
        }
        uint64_t place = share->cursor + (uint64_t)bits_lowest(word);
        int to = 0;
        if (ranks > 1) {
            uint64_t kings = walker_kings(&walker, share->first + place);
            to = team_owner(&team->forms, other, other_row(&team->forms.of[other], &walker, kings));
        }
        if (!events_have_room(&buffers[to]))
            return true;
        events_put(&buffers[to], share->first, share->first + place, share->states[place] == WIN);
        share->cursor = place + 1;
    }
    return false;
}

/* -- Taking ------------------------------------------------------------------------------------------------
 */

/* A place that an event names, and the row in which the rank has it. Squares are as the sender's form sees
 * them: `kings` are those of the columns of the row. */
struct told {
    const struct team_form *form;
    struct team_share *share;
    uint64_t row;  /* place of the row's first column */
    uint32_t men;  /* of the receiver's form */
    uint64_t free; /* squares among which `kings` are numbered */
    uint64_t kings;
    uint64_t occupied;
    bool win;
};

static inline uint64_t place_of_kings(const struct told *told)
{
    return told->row + told->men % told->form->column_men * told->form->column_kings +
           combination_number_turned(told->free, told->kings);
}

static inline void tell(struct team *team, const struct told *told, uint64_t place)
{
    if (told->win)
        tell_win(team, told->share, place);
    else
        tell_loss(team, told->share, place);
}

/* For one king taken away, the rest of the sum of binomial coefficients that is the number of the kings: by
 * how many of the others stand above the square that it is put on. Squares are numbered from above. */
static void sums_without(const struct told *told, uint64_t others, uint64_t sums[MAX_CHOSEN])
{
    uint64_t above[MAX_CHOSEN]; /* squares above each of them */
    int count = 0;
    for (uint64_t rest = others; rest; count++) {
        int square = bits_highest(rest);
        rest ^= bit_of(square);
        above[count] = (uint64_t)bits_count(told->free >> square >> 1);
    }
    sums[0] = 0;
    for (int i = 0; i < count; i++)
        sums[0] += choose[above[i]][i + 2];
    for (int i = 0; i < count; i++)
        sums[i + 1] = sums[i] - choose[above[i]][i + 2] + choose[above[i]][i + 1];
}

static void tell_before_king_moves(struct team *team, const struct told *told)
{
    uint64_t block = told->row + told->men % told->form->column_men * told->form->column_kings;
    for (uint64_t rest = told->kings; rest; rest = bits_without_lowest(rest)) {
        int to = bits_lowest(rest);
        uint64_t others = told->kings & ~bit_of(to);
        uint64_t sums[MAX_CHOSEN];
        sums_without(told, others, sums);
        for (uint64_t from = king_reach(team, to, told->occupied); from; from = bits_without_lowest(from)) {
            int square = bits_lowest(from);
            int i = bits_count(others >> square >> 1);
            tell(team, told, block + sums[i] + choose[bits_count(told->free >> square >> 1)][i + 1]);
        }
    }
}

/* A sideways step of one of the columns' men, as the receiver's form sees it, taken back. */
static void tell_before_side_step(struct team *team, const struct told *told, struct side_step step)
{
    int last = told->form->board->squares - 1;
    struct told before = *told;
    before.men = form_men_after(told->form, told->men, step);
    before.free ^= bit_of(last - step.from) ^ bit_of(last - step.to);
    tell(team, told, place_of_kings(&before));
}

static void tell_before_side_steps(struct team *team, const struct told *told)
{
    struct side_step steps[MAX_SIDE_STEPS];
    const struct board *board = told->form->board;
    uint64_t free = board_all(board) & ~board_turned(board, told->occupied);
    int count = side_steps(board, team->sideways, told->form->men[told->men].column_men, free, steps);
    for (int i = 0; i < count; i++)
        tell_before_side_step(team, told, steps[i]);
}

/* Notes a result. False if it has been told before, or can be of no place. */
static inline bool note(const struct team *team, const struct told *told)
{
    uint64_t place = place_of_kings(told);
    if (told->share->values[place] != DRAW)
        return false;
    told->share->values[place] = told->win ? WIN : LOSS;
    if (team->distances)
        told->share->told[place] = (uint16_t)team->ply;
    return true;
}

static bool take_event(struct team *team, int number, struct walker *walker, uint64_t index, bool win)
{
    struct told told = {.form = &team->forms.of[number], .share = &team->shares[number], .win = win};
    uint64_t column_kings = walker_kings(walker, index);
    uint64_t row = other_row(told.form, walker, column_kings);
    if (walker->hole || row < told.share->first_row || row >= told.share->end_row)
        return false;
    const struct form_men *men = &walker->form->men[walker->men];
    told.row = (row - told.share->first_row) * told.form->columns;
    told.men = men->twin;
    told.free = form_free(walker->form, men) & ~column_kings;
    told.kings = walker->row_kings;
    told.occupied = ~(told.free & ~told.kings);
    if (!note(team, &told))
        return false;
    tell_before_king_moves(team, &told);
    if (told.form->joined)
        tell_before_side_steps(team, &told);
    return true;
}

enum status team_take(struct team *team, int form, int from, const uint8_t *bytes, size_t size)
{
    uint64_t columns = team->forms.of[form].columns;
    struct event_reader reader = {.bytes = bytes,
                                  .bytes_end = bytes + size,
                                  .next = team_first_row(&team->forms, form, from) * columns,
                                  .end = team_first_row(&team->forms, form, from + 1) * columns};
    struct walker walker;
    uint64_t index;
    bool win;
    walker_begin(&walker, &team->forms.of[form]);
    while (events_get(&reader, &index, &win))
        if (!take_event(team, team_other_form(&team->forms, form), &walker, index, win))
            return STATUS_DAMAGED;
    return reader.damaged ? STATUS_DAMAGED : STATUS_OK;
}

/* -- Results -----------------------------------------------------------------------------------------------
 */

int team_form_count(const struct team *team)
{
    return team->forms.count;
}

bool team_needs_distances(const struct team *team)
{
    /* A place told in round n has a distance of at most n + 1, since round 0 tells what captures decide. */
    uint16_t limit = team->variant->rules.limit;
    return limit > 0 && !team->distances && (team->limited || team->plies + 2 > limit);
}

static uint8_t result(const struct team *team, const struct team_share *share, uint64_t place)
{
    uint8_t value = share->values[place];
    if (!team->distances || value >= PLACE_HOLE)
        return value;
    return (uint8_t)value_at_distance(team->variant, (enum value)value, share->told[place]);
}

void team_add_counts(const struct team *team, struct solver_counts *counts)
{
    counts->captures += team->captured;
    if (team->plies > counts->plies)
        counts->plies = team->plies;
    for (int form = 0; form < team->forms.count; form++) {
        const struct team_share *share = &team->shares[form];
        int member = slice_equal(team->forms.of[form].slice, team->forms.unit.pair->name) ? 0 : 1;
        for (uint64_t place = 0; place < share->count; place++)
            if (share->values[place] != PLACE_HOLE)
                counts->values[member][result(team, share, place)]++;
    }
}

bool team_result_range(const struct team *team, struct range_cursor *cursor, struct place_range *range)
{
    return team_next_range(&team->forms, team->rank, cursor, range);
}

void team_results(const struct team *team, const struct place_range *range, uint8_t *values,
                  uint16_t *distances)
{
    struct form_run run;
    form_run_begin(&run, &team->forms, range);
    while (form_run_next(&run)) {
        const struct team_share *share = &team->shares[run.form];
        uint64_t place = run.index - share->first;
        for (uint64_t i = 0; i < run.count; i++)
            *values++ = result(team, share, place + i);
        if (distances) {
            memcpy(distances, share->told + place, run.count * sizeof *distances);
            distances += run.count;
        }
    }
}
