/* A run of the scalar solver in one process, level by level. */
#include "workshop.h"

#include "temporary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct plan *plan_of_variant(const struct variant *variant, int pieces)
{
    const struct request request = {.pieces = pieces};
    struct plan *plan;
    struct slice culprit;
    assert_int_equal(plan_create(variant, &request, &plan, &culprit), STATUS_OK);
    return plan;
}

struct plan *plan_of_slice(const char *variant, const char *name)
{
    struct slice slice;
    assert_true(slice_read(name, &slice));
    const struct request request = {.slices = &slice, .slice_count = 1};
    struct plan *plan;
    struct slice culprit;
    assert_int_equal(plan_create(variant_named(variant), &request, &plan, &culprit), STATUS_OK);
    return plan;
}

struct store *open_store(const char *folder, const struct plan *plan, bool leader, int rank)
{
    static char message[LONG_MESSAGE];
    struct store *store;
    if (store_open(folder, plan, leader, rank, &store, message) != STATUS_OK)
        fail_msg("%s", message);
    return store;
}

struct workshop *workshop_open(struct plan *plan, bool distances, size_t budget)
{
    struct workshop *shop = calloc(1, sizeof *shop);
    assert_non_null(shop);
    shop->folder = temporary_folder();
    shop->plan = plan;
    shop->store = open_store(shop->folder, shop->plan, true, 0);
    assert_int_equal(values_open(shop->plan, shop->store, budget, &shop->values), STATUS_OK);
    shop->wanted = malloc(shop->plan->pair_count * sizeof *shop->wanted);
    shop->solution.values = malloc(plan_largest_piece(shop->plan));
    assert_true(shop->wanted && shop->solution.values);
    if (distances || solver_needs_distances(plan->variant)) {
        shop->solution.distances = malloc(plan_largest_piece(shop->plan) * sizeof *shop->solution.distances);
        assert_non_null(shop->solution.distances);
    }
    memset(shop->wanted, true, shop->plan->pair_count * sizeof *shop->wanted);
    return shop;
}

void workshop_close(struct workshop *shop)
{
    values_close(shop->values);
    store_close(shop->store);
    plan_destroy(shop->plan);
    remove_folder(shop->folder);
    free(shop->folder);
    free(shop->wanted);
    free(shop->solution.values);
    free(shop->solution.distances);
    free(shop);
}

static void solve_piece(struct workshop *shop, const struct piece *piece)
{
    struct solver_counts counts = {0};
    assert_int_equal(scalar_solver.solve(shop->plan, piece, shop->values, &shop->solution, &counts),
                     STATUS_OK);
    if (shop->inspect)
        shop->inspect(shop, piece, &counts);
    assert_true(shop->pieces < MAX_PIECES);
    shop->digests[shop->pieces++] = digest_of(shop->solution.values, piece->places);
    assert_int_equal(values_append(shop->values, piece, shop->solution.values, shop->solution.distances),
                     STATUS_OK);
}

void commit(struct store *store, const struct group *group, int advancement, const bool *wanted,
            bool distances)
{
    size_t count;
    const struct store_level level = {group, advancement, wanted, distances, false};
    const struct new_segment *segments = store_new(store, &count);
    assert_int_equal(store_sync(store), STATUS_OK);
    assert_int_equal(store_commit(store, &level, segments, count), STATUS_OK);
    store_adopt(store, segments, count);
    store_mark_level(store, &level);
    store_forget_new(store);
}

static void solve_level(struct workshop *shop, const struct group *group, int advancement)
{
    struct piece *pieces;
    size_t count;
    assert_int_equal(plan_level(shop->plan, group, advancement, shop->wanted, &pieces, &count), STATUS_OK);
    for (size_t i = 0; i < count; i++)
        solve_piece(shop, &pieces[i]);
    free(pieces);
    commit(shop->store, group, advancement, shop->wanted, shop->solution.distances != NULL);
}

void workshop_solve(struct workshop *shop)
{
    for (uint32_t i = 0; i < shop->plan->group_count; i++)
        for (int level = shop->plan->groups[i].most_advancement; level >= 0; level--)
            solve_level(shop, &shop->plan->groups[i], level);
}

struct workshop *solve_plan(struct plan *plan, bool distances, size_t budget)
{
    struct workshop *shop = workshop_open(plan, distances, budget);
    workshop_solve(shop);
    return shop;
}
