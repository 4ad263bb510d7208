/* Rows, columns and owners of a unit's places. */
#include "team_form.h"

#include <stdlib.h>

/* -- Making ------------------------------------------------------------------------------------------------
 */

/* Counts the men on each row of the board and from that the arrangements; `men` is any placement of them. */
static void count_arrangements(struct team_form *form, const struct placement *men)
{
    int width = form->board->width;
    form->row_men = form->column_men = 1;
    for (int row = 0; row < form->board->rows; row++) {
        uint64_t squares = board_row(form->board, row);
        int own = bits_count(men->own_men & squares);
        int opponent = bits_count(men->opponent_men & squares);
        form->column_weight[row] = form->column_men;
        form->row_weight[row] = form->row_men;
        form->row_men *= (uint32_t)choose[width][own];
        form->column_men *= (uint32_t)choose[width - own][opponent];
    }
}

static void measure(const struct unit *unit, const struct placement *men, int side, struct team_form *form)
{
    const struct board *board = unit->pair->variant->rules.board;
    *form = (struct team_form){.board = board, .slice = men->slice, .side = side};
    form->joined = unit->pair->whole_cells;
    form->row_men = form->column_men = 1;
    if (form->joined)
        count_arrangements(form, men);
    int taken = form->joined ? men->slice.own_men : slice_men(men->slice);
    form->row_kings = choose[board->squares - taken][men->slice.own_kings];
    form->column_kings = numbering_opponent_placements(board, men->slice);
    form->rows = form->row_men * form->row_kings;
    form->columns = form->column_men * form->column_kings;
}

void team_forms_measure(const struct unit *unit, int ranks, struct team_forms *forms)
{
    struct placement men;
    *forms = (struct team_forms){.unit = *unit, .ranks = ranks};
    for (int side = 0; side < unit->sides && unit_placement(unit, unit->first_men, side, &men); side++) {
        measure(unit, &men, side, &forms->of[side]);
        forms->bytes += unit->men * sizeof *forms->of[side].men +
                        forms->of[side].column_kings * sizeof *forms->of[side].column_sets;
        forms->count++;
    }
}

/* Number of the opponent's arrangement beside own men; 0 where men stay where they are. */
static uint32_t column_number(const struct team_form *form, uint64_t own_men, uint64_t opponent_men)
{
    uint32_t number = 0;
    for (int row = 0; form->joined && row < form->board->rows; row++) {
        uint64_t squares = board_row(form->board, row);
        number += (uint32_t)combination_number(squares & ~own_men, opponent_men & squares) *
                  form->column_weight[row];
    }
    return number;
}

static uint32_t men_number(const struct team_form *form, uint64_t own_men, uint64_t opponent_men)
{
    uint32_t number = 0;
    for (int row = 0; form->joined && row < form->board->rows; row++) {
        uint64_t squares = board_row(form->board, row);
        number += (uint32_t)combination_number(squares, own_men & squares) * form->row_weight[row];
    }
    return number * form->column_men + column_number(form, own_men, opponent_men);
}

/* The placement of each of the form's men. */
static void fill_men(const struct team_forms *forms, int number)
{
    const struct team_form *form = &forms->of[number];
    const struct team_form *other = &forms->of[team_other_form(forms, number)];
    for (uint32_t men = 0; men < forms->unit.men; men++) {
        struct placement placement;
        unit_placement(&forms->unit, forms->unit.first_men + men, form->side, &placement);
        uint64_t turned_own = board_turned(form->board, placement.opponent_men);
        uint64_t turned_opponent = board_turned(form->board, placement.own_men);
        form->men[men_number(form, placement.own_men, placement.opponent_men)] = (struct form_men){
            placement.own_men, placement.opponent_men, men_number(other, turned_own, turned_opponent)};
    }
}

static void fill_column_sets(const struct team_form *form)
{
    struct combination kings;
    int squares = form->board->squares - slice_men(form->slice) - form->slice.own_kings;
    uint64_t lowest = squares == MAX_SQUARES ? ~UINT64_C(0) : bit_of(squares) - 1;
    bool more = combination_begin(&kings, lowest, form->slice.opponent_kings);
    for (uint64_t number = 0; more; more = combination_next(&kings))
        form->column_sets[number++] = kings.set;
}

enum status team_forms_create(const struct unit *unit, int ranks, struct team_forms *forms)
{
    team_forms_measure(unit, ranks, forms);
    for (int i = 0; i < forms->count; i++) {
        struct team_form *form = &forms->of[i];
        form->men = malloc(unit->men * sizeof *form->men);
        form->column_sets = malloc(form->column_kings * sizeof *form->column_sets);
        if (!form->men || !form->column_sets)
            return STATUS_NO_MEMORY;
        fill_column_sets(form);
    }
    for (int i = 0; i < forms->count; i++)
        fill_men(forms, i);
    return STATUS_OK;
}

void team_forms_destroy(struct team_forms *forms)
{
    for (int i = 0; i < forms->count; i++) {
        free(forms->of[i].men);
        free(forms->of[i].column_sets);
    }
}

/* -- Asking ------------------------------------------------------------------------------------------------
 */

uint32_t form_men_after(const struct team_form *form, uint32_t men, struct side_step step)
{
    const struct form_men *before = &form->men[men];
    int row = step.from / form->board->width;
    uint64_t squares = board_row(form->board, row);
    uint64_t free = squares & ~before->row_men;
    uint64_t moved = before->column_men ^ bit_of(step.from) ^ bit_of(step.to);
    uint64_t was = combination_number(free, before->column_men & squares);
    uint64_t is = combination_number(free, moved & squares);
    return men + (uint32_t)(is - was) * form->column_weight[row];
}

/* -- Canonical ranges --------------------------------------------------------------------------------------
 */

/* How many subsets of `free` with as many squares as `set` come before it. Some of its squares may be none of
 * `free`. */
static uint64_t subsets_before(uint64_t free, uint64_t set)
{
    uint64_t before = 0;
    for (int i = bits_count(set); i > 0; i--) {
        int square = bits_highest(set);
        set ^= bit_of(square);
        before += choose[bits_count(free & (bit_of(square) - 1))][i];
        if (!(free & bit_of(square)))
            break;
    }
    return before;
}

/* The number among all placements of own kings of the first that is in a row from `row` on. */
static uint64_t first_placement(const struct team_form *form, const struct form_men *men, uint64_t row_of_men,
                                uint64_t row)
{
    if (row <= row_of_men)
        return 0;
    uint64_t free = form_free(form, men);
    if (row >= row_of_men + form->row_kings)
        return choose[bits_count(free)][form->slice.own_kings];
    return subsets_before(free,
                          combination_at(form_row_free(form, men), form->slice.own_kings, row - row_of_men));
}

/* The places of a form with the unit's men `number`, which the rank has; perhaps none. */
static struct place_range range_of(const struct team_forms *forms, int rank, int i, uint64_t number)
{
    const struct team_form *form = &forms->of[i];
    struct placement placement;
    unit_placement(&forms->unit, forms->unit.first_men + number, form->side, &placement);
    uint32_t men = men_number(form, placement.own_men, placement.opponent_men);
    uint64_t row_of_men = men / form->column_men * form->row_kings;
    uint64_t first = first_placement(form, &form->men[men], row_of_men, team_first_row(forms, i, rank));
    uint64_t end = first_placement(form, &form->men[men], row_of_men, team_first_row(forms, i, rank + 1));
    return (struct place_range){placement.base + first * form->column_kings,
                                (end - first) * form->column_kings};
}

bool team_next_range(const struct team_forms *forms, int rank, struct range_cursor *cursor,
                     struct place_range *range)
{
    while (forms->count > 0 && cursor->men < forms->unit.men) {
        *range = range_of(forms, rank, cursor->side, cursor->men);
        if (++cursor->side == forms->count) {
            cursor->side = 0;
            cursor->men++;
        }
        if (range->count > 0)
            return true;
    }
    return false;
}

/* Finds the placement of the places to come, and own kings there. */
static void enter_placement(struct form_run *run)
{
    const struct unit *unit = &run->forms->unit;
    uint64_t men;
    unit_split(unit, run->rest.first, &men, &run->form, &run->kings);
    unit_placement(unit, men, run->form, &run->placement);
    run->men = men_number(&run->forms->of[run->form], run->placement.own_men, run->placement.opponent_men);
    combination_begin_at(&run->own_kings, run->placement.free, run->placement.slice.own_kings,
                         run->kings / run->placement.opponent_placements);
}

void form_run_begin(struct form_run *run, const struct team_forms *forms, const struct place_range *range)
{
    run->forms = forms;
    run->rest = *range;
    run->count = 0;
    if (range->count > 0)
        enter_placement(run);
}

bool form_run_next(struct form_run *run)
{
    if (run->rest.count == 0)
        return false;
    if (run->count > 0 && run->kings == run->forms->unit.pair->kings)
        enter_placement(run);
    else if (run->count > 0)
        combination_next(&run->own_kings);
    const struct team_form *form = &run->forms->of[run->form];
    uint64_t column = run->kings % form->column_kings;
    uint64_t row = run->men / form->column_men * form->row_kings +
                   combination_number(form_row_free(form, &form->men[run->men]), run->own_kings.set);
    run->index = row * form->columns + run->men % form->column_men * form->column_kings + column;
    run->count = form->column_kings - column;
    if (run->count > run->rest.count)
        run->count = run->rest.count;
    run->rest.first += run->count;
    run->rest.count -= run->count;
    run->kings += run->count;
    return true;
}
