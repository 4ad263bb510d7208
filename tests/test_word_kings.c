/* Captures by kings as words against the variant's moves and the values that the scalar solver has found, in
 * every position of some slices in which the side to move has kings only. This file is compiled for 32
 * squares; test_word_kings_50.c takes it in for 50. */
#ifndef SQUARES
#define SQUARES 32
#endif
#include "capture.h"
#include "word_form.h"
#include "word_kings.h"
#include "workshop.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#if SQUARES == 32
static const char *const variants[] = {"italian", "spanish", "english", "brazilian", "russian", "czech"};
static const char *const slices[] = {"02v01", "02v02", "02v11", "03v01", "01v20", "01v02"};
#else
static const char *const variants[] = {"damii", "damii-must", "triestina", "international"};
static const char *const slices[] = {"02v01", "02v10", "01v11"};
#endif
enum { COUNT = sizeof variants / sizeof variants[0], SLICES = sizeof slices / sizeof slices[0] };

/* What the moves and the scalar solver know. */
static struct capture_search search;

static word *new_rows(size_t count)
{
    word *rows = calloc(count + 1, sizeof *rows);
    assert_non_null(rows);
    return rows;
}

/* Rooms of a side, and the end of them. */
static void begin(struct work *work, int mover)
{
    size_t size = work->sides[mover].size;
    work->sides[mover].empty = new_rows(size);
    work->several = new_rows(size);
    for (int level = 0; level < LEVELS; level++) {
        work->has[level] = new_rows(size);
        work->capture_wins[level] = new_rows(size);
        work->capture_draws[level] = new_rows(size);
    }
}

static void end(struct work *work, int mover)
{
    free(work->sides[mover].empty);
    free(work->several);
    for (int level = 0; level < LEVELS; level++) {
        free(work->has[level]);
        free(work->capture_wins[level]);
        free(work->capture_draws[level]);
    }
}

static void complete(const struct side *side, word *rows)
{
    for (uint32_t plane = 0; plane < side->planes; plane++)
        complete_plane(rows + (size_t)plane * side->rows, side->kings);
}

/* Captures that the rules allow: whether there are any, and of several pieces. */
static void count_captures(struct work *work, const struct position *position, bool *any, bool *several)
{
    struct move_list *list = &search.list;
    move_list_clear(list);
    work->variant->moves->captures(position, list, NULL);
    assert_false(list->overflowed);
    *any = list->count > 0;
    *several = false;
    for (int i = 0; i < list->count; i++)
        *several |= bits_count(list->moves[i].taken) > 1;
}

/* The value of single captures: the best of the highest level that has any. */
static enum value value_of_levels(const struct work *work, size_t row, word square)
{
    for (int level = LEVELS - 1; level >= 0; level--)
        if (work->has[level][row] & square)
            return work->capture_wins[level][row] & square    ? WIN
                   : work->capture_draws[level][row] & square ? DRAW
                                                              : LOSS;
    return (enum value)PLACE_HOLE;
}

static uint64_t check_row(struct work *work, int mover, size_t row, word others, word set)
{
    uint64_t checked = 0;
    for (word rest = work->sides[mover].empty[row]; rest; rest &= rest - 1, checked++) {
        word square = rest & (~rest + 1);
        struct position position = position_of(work, mover, set | square, others);
        bool any;
        bool several;
        count_captures(work, &position, &any, &several);
        assert_int_equal((work->several[row] & square) != 0, several);
        enum value value = value_of_levels(work, row, square);
        assert_int_equal(value != (enum value)PLACE_HOLE, any);
        if (any && !several)
            assert_int_equal(value, capture_value(&search, &position));
    }
    return checked;
}

static uint64_t check_side(struct work *work, int mover)
{
    struct side *side = &work->sides[mover];
    begin(work, mover);
    word *others = new_rows(side->size);
    assert_int_equal(form_fill(work, mover, others), STATUS_OK);
    assert_int_equal(captures_by_kings(work, mover, others), STATUS_OK);
    complete(side, work->several);
    for (int level = 0; level < LEVELS; level++) {
        complete(side, work->has[level]);
        complete(side, work->capture_wins[level]);
        complete(side, work->capture_draws[level]);
    }
    uint64_t checked = 0;
    for (size_t row = 0; row < side->size; row++)
        checked += check_row(work, mover, row, others[row], work->sets[side->kings - 1][row % side->rows]);
    free(others);
    end(work, mover);
    return checked;
}

/* Checks the units of a cell that come first: all that differ in kind do. */
static uint64_t check_cell(struct work *work, const struct slice_pair *pair, uint32_t cell)
{
    uint64_t checked = 0;
    for (uint64_t men = 0; men < pair->members[0]->cells[cell].arrangements && men < 6; men++) {
        uint64_t own;
        uint64_t opponent;
        numbering_men_at(pair->members[0], cell, men, &own, &opponent);
        work->men[0] = (word)own;
        work->men[1] = (word)opponent;
        for (int mover = 0; mover < 2; mover++)
            if (work->sides[mover].kings > 0 && work->men[mover] == 0)
                checked += check_side(work, mover);
    }
    return checked;
}

static void check_slice(const char *variant, const char *name)
{
    struct workshop *shop = solve_plan(plan_of_slice(variant, name), false, 64 << 20);
    struct slice slice;
    assert_true(slice_read(name, &slice));
    const struct slice_pair *pair = shop->plan->pairs[plan_find(shop->plan, slice) / 2];
    struct work *work = calloc(1, sizeof *work);
    assert_non_null(work);
    work->plan = shop->plan;
    work->variant = shop->plan->variant;
    work->values = shop->values;
    capture_search_begin(&search, work->variant, shop->values);
    form_measure(&work->sides[0], pair->name.own_kings, pair->name.opponent_kings);
    form_measure(&work->sides[1], pair->name.opponent_kings, pair->name.own_kings);
    uint64_t checked = 0;
    for (uint32_t cell = 0; cell < pair->members[0]->cell_count; cell++)
        checked += check_cell(work, pair, cell);
    assert_true(checked > 0);
    assert_int_equal(capture_search_status(&search), STATUS_OK);
    for (int n = 0; n <= MAX_CHOSEN; n++)
        free(work->sets[n]);
    free(work->wins);
    free(work->losses);
    free(work);
    workshop_close(shop);
}

static void test_captures_by_kings(void **state)
{
    (void)state;
    const char *tests = getenv("DAMABASE_TESTS");
    bool sanitised = tests && strcmp(tests, "sanitised") == 0;
    for (int variant = 0; variant < COUNT; variant++)
        for (int slice = 0; slice < (sanitised ? 1 : SLICES); slice++)
            check_slice(variants[variant], slices[slice]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_captures_by_kings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
