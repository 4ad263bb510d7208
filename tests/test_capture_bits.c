/* Captures of whole placements of men against the moves, in every position of small slices of all variants
 * and in a part of larger ones. */
#include "capture_bits.h"
#include "moves.h"
#include "walk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool is_sanitised(void)
{
    const char *tests = getenv("DAMABASE_TESTS");
    return tests && strcmp(tests, "sanitised") == 0;
}

/* Compares all kings of one placement of men in `each`. */
static void check_slice(const struct variant *variant, struct slice slice, uint64_t each)
{
    struct numbering *numbering;
    struct capture_bits *captures;
    assert_int_equal(numbering_create(variant, slice, &numbering), STATUS_OK);
    assert_int_equal(capture_bits_create(variant, slice, &captures), STATUS_OK);
    for (uint64_t first = 0; first < numbering->positions; first += each * numbering->kings) {
        struct walk walk;
        walk_begin(&walk, numbering, first);
        const uint64_t *bits = capture_bits_find(captures, walk.position.own_men, walk.position.opponent_men);
        for (uint64_t kings = 0; kings < numbering->kings; kings++) {
            bool found = (bits[kings / 64] >> (kings % 64)) & 1;
            char name[SLICE_NAME_SIZE];
            slice_write(slice, name);
            if (found != variant->moves->has_capture(&walk.position))
                fail_msg("%s %s: position %llu is said to have %s capture", variant->rules.name, name,
                         (unsigned long long)(first + kings), found ? "a" : "no");
            walk_next(&walk);
        }
    }
    capture_bits_destroy(captures);
    numbering_destroy(numbering);
}

static void check_all(const struct variant *variant, int pieces)
{
    for (int own = 1; own < pieces; own++)
        for (int own_men = 0; own_men <= own; own_men++)
            for (int men = 0; men <= pieces - own; men++)
                check_slice(variant,
                            (struct slice){(uint8_t)own_men, (uint8_t)(own - own_men), (uint8_t)men,
                                           (uint8_t)(pieces - own - men)},
                            1);
}

static void test_small_slices(void **state)
{
    (void)state;
    for (size_t i = 0; i < variant_count; i++)
        for (int pieces = 2; pieces <= (is_sanitised() ? 2 : 3); pieces++)
            check_all(variant_table[i], pieces);
}

static void test_larger_slices(void **state)
{
    (void)state;
    static const char *const names[] = {"12v11", "03v02", "31v11", "40v01", "01v40", "20v03", "30v20"};
    for (size_t i = 0; i < variant_count; i++)
        for (size_t j = 0; j < sizeof names / sizeof names[0] && !is_sanitised(); j++) {
            struct slice slice;
            assert_true(slice_read(names[j], &slice));
            check_slice(variant_table[i], slice, slice.own_men + slice.opponent_men > 2 ? 10007 : 1009);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_slices),
        cmocka_unit_test(test_larger_slices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
