/* The word solver against the scalar one: the same bytes and the same counts for every piece of whole sets,
 * of all variants. */
#include "workshop.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool tests_are(const char *kind)
{
    const char *tests = getenv("DAMABASE_TESTS");
    return tests && strcmp(tests, kind) == 0;
}

static void fail_place(struct workshop *shop, const struct piece *piece, const uint8_t *values)
{
    uint64_t place = 0;
    while (values[place] == shop->solution.values[place])
        place++;
    char name[SLICE_NAME_SIZE];
    slice_write(shop->plan->pairs[piece->pair]->name, name);
    fail_msg("%s %s: place %llu of cell %u, men from %llu: %d, the scalar solver has %d",
             shop->plan->variant->rules.name, name, (unsigned long long)place, piece->cell,
             (unsigned long long)piece->first_men, values[place], shop->solution.values[place]);
}

static void fail_distance(struct workshop *shop, const struct piece *piece, const uint16_t *distances)
{
    uint64_t place = 0;
    while (distances[place] == shop->solution.distances[place])
        place++;
    char name[SLICE_NAME_SIZE];
    slice_write(shop->plan->pairs[piece->pair]->name, name);
    fail_msg("%s %s: place %llu of cell %u, men from %llu, value %d: %d plies, the scalar solver has %d",
             shop->plan->variant->rules.name, name, (unsigned long long)place, piece->cell,
             (unsigned long long)piece->first_men, shop->solution.values[place], distances[place],
             shop->solution.distances[place]);
}

static void compare(struct workshop *shop, const struct piece *piece, const struct solver_counts *counts)
{
    struct solver_counts found = {0};
    struct solution again = {.values = malloc(piece->places + 1), .distances = NULL};
    assert_non_null(again.values);
    if (shop->solution.distances) {
        again.distances = malloc((piece->places + 1) * sizeof *again.distances);
        assert_non_null(again.distances);
        again.distances[piece->places] = 12345;
    }
    again.values[piece->places] = 123;
    assert_int_equal(word_solver.solve(shop->plan, piece, shop->values, &again, &found), STATUS_OK);
    if (memcmp(again.values, shop->solution.values, piece->places) != 0)
        fail_place(shop, piece, again.values);
    assert_int_equal(again.values[piece->places], 123);
    if (again.distances) {
        if (memcmp(again.distances, shop->solution.distances, piece->places * sizeof *again.distances) != 0)
            fail_distance(shop, piece, again.distances);
        assert_int_equal(again.distances[piece->places], 12345);
    }
    assert_memory_equal(found.values, counts->values, sizeof found.values);
    assert_int_equal(found.captures, counts->captures);
    free(again.distances);
    free(again.values);
}

static void compare_plan(struct plan *plan, bool distances)
{
    struct workshop *shop = workshop_open(plan, distances, 256 << 20);
    shop->inspect = compare;
    workshop_solve(shop);
    workshop_close(shop);
}

static int pieces(void)
{
    return tests_are("sanitised") ? 2 : tests_are("long") ? 4 : 3;
}

static void test_all_slices(void **state)
{
    (void)state;
    for (size_t i = 0; i < variant_count; i++)
        compare_plan(plan_of_variant(variant_table[i], pieces()), false);
}

static void test_all_slices_with_distances(void **state)
{
    (void)state;
    for (size_t i = 0; i < variant_count; i++)
        compare_plan(plan_of_variant(variant_table[i], pieces()), true);
}

/* Limits so low that many values are other ones. */
static void test_low_limits(void **state)
{
    (void)state;
    static const uint16_t limits[] = {6, 9};
    for (size_t i = 0; i < variant_count; i++)
        for (size_t j = 0; j < sizeof limits / sizeof limits[0]; j++) {
            struct variant variant = *variant_table[i];
            variant.rules.limit = limits[j];
            compare_plan(plan_of_variant(&variant, tests_are("sanitised") ? 2 : 3), true);
            compare_plan(plan_of_variant(&variant, tests_are("sanitised") ? 2 : 3), false);
        }
}

static void test_larger_slices(void **state)
{
    (void)state;
    static const char *const slices[][2] = {{"spanish", "21v11"},
                                            {"portuguese", "12v11"},
                                            {"italian", "11v02"},
                                            {"russian", "12v01"},
                                            {"damii", "01v11"}};
    for (size_t i = 0; i < sizeof slices / sizeof slices[0] && !tests_are("sanitised"); i++)
        for (int distances = 0; distances < 2; distances++)
            compare_plan(plan_of_slice(slices[i][0], slices[i][1]), distances);
}

static void test_five_pieces(void **state)
{
    (void)state;
    if (!tests_are("long"))
        return;
    compare_plan(plan_of_variant(variant_named("italian"), 5), false);
    compare_plan(plan_of_variant(variant_named("spanish"), 5), false);
    compare_plan(plan_of_variant(variant_named("portuguese"), 5), true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_slices),  cmocka_unit_test(test_all_slices_with_distances),
        cmocka_unit_test(test_low_limits),  cmocka_unit_test(test_larger_slices),
        cmocka_unit_test(test_five_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
