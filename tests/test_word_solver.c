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

static void compare(struct workshop *shop, const struct piece *piece, const struct solver_counts *counts)
{
    struct solver_counts found = {0};
    const struct solution again = {.values = malloc(piece->places + 1), .distances = NULL};
    assert_non_null(again.values);
    again.values[piece->places] = 123;
    assert_int_equal(word_solver.solve(shop->plan, piece, shop->values, &again, &found), STATUS_OK);
    if (memcmp(again.values, shop->solution.values, piece->places) != 0)
        fail_place(shop, piece, again.values);
    assert_int_equal(again.values[piece->places], 123);
    assert_memory_equal(found.values, counts->values, sizeof found.values);
    assert_int_equal(found.captures, counts->captures);
    free(again.values);
}

static void compare_plan(struct plan *plan)
{
    struct workshop *shop = workshop_open(plan, false, 256 << 20);
    shop->inspect = compare;
    if (!shop->solution.distances) /* with them there are no plain values to compare */
        workshop_solve(shop);
    workshop_close(shop);
}

static void test_all_slices(void **state)
{
    (void)state;
    for (size_t i = 0; i < variant_count; i++)
        compare_plan(plan_of_variant(variant_table[i], tests_are("sanitised") ? 2
                                                       : tests_are("long")    ? 4
                                                                              : 3));
}

static void test_larger_slices(void **state)
{
    (void)state;
    static const char *const slices[][2] = {
        {"spanish", "21v11"}, {"italian", "11v02"}, {"russian", "12v01"}, {"damii", "01v11"}};
    for (size_t i = 0; i < sizeof slices / sizeof slices[0] && !tests_are("sanitised"); i++)
        compare_plan(plan_of_slice(slices[i][0], slices[i][1]));
}

static void test_five_pieces(void **state)
{
    (void)state;
    if (!tests_are("long"))
        return;
    compare_plan(plan_of_variant(variant_named("italian"), 5));
    compare_plan(plan_of_variant(variant_named("spanish"), 5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_slices),
        cmocka_unit_test(test_larger_slices),
        cmocka_unit_test(test_five_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
