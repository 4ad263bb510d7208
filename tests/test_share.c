/* How a queue is shared out: batches, ends, and who has to wait, with numbers worked out by hand. */
#include "share.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MANY = 100000 };

static void take_expecting(struct share *share, int rank, uint64_t first, uint64_t count)
{
    struct batch batch = share_take(share, rank);
    assert_int_equal(batch.first, first);
    assert_int_equal(batch.count, count);
}

/* The share of a quarter of what is left: of 80 for 2 ranks 80/8 + 1 = 11, so two pieces of 10; then of 60,
 * 8, one; of 50, 7, one; and so on, one by one. */
static void test_small_batches_at_the_end(void **state)
{
    (void)state;
    static const uint64_t weights[] = {10, 10, 10, 10, 10, 10, 10, 10};
    struct share share;
    assert_int_equal(share_create(2, &share), STATUS_OK);
    share_open(&share, weights, 8, false);
    take_expecting(&share, 0, 0, 2);
    for (uint64_t next = 2; next < 8; next++)
        take_expecting(&share, next & 1, next, 1);
    take_expecting(&share, 0, 8, 0);
    share_destroy(&share);
}

/* A batch is full once it has BATCH_WEIGHT; a piece that is larger goes alone. */
static void test_batches_are_limited(void **state)
{
    (void)state;
    uint64_t *weights = malloc(MANY * sizeof *weights);
    assert_non_null(weights);
    for (size_t i = 0; i < MANY; i++)
        weights[i] = BATCH_WEIGHT / 3;
    weights[0] = 5 * BATCH_WEIGHT;
    struct share share;
    assert_int_equal(share_create(3, &share), STATUS_OK);
    share_open(&share, weights, MANY, false);
    take_expecting(&share, 0, 0, 1);
    take_expecting(&share, 1, 1, 4); /* three of a third, rounded down, are not quite enough */
    take_expecting(&share, 2, 5, 4);
    share_destroy(&share);
    free(weights);
}

/* Every piece is handed out once, in order, however many ranks there are. */
static void test_all_are_handed_out(void **state)
{
    (void)state;
    uint64_t *weights = malloc(MANY * sizeof *weights);
    assert_non_null(weights);
    for (size_t i = 0; i < MANY; i++)
        weights[i] = MANY - i;
    for (int ranks = 1; ranks <= 4096; ranks *= 8) {
        struct share share;
        uint64_t next = 0;
        assert_int_equal(share_create(ranks, &share), STATUS_OK);
        share_open(&share, weights, MANY, true);
        for (int rank = 0; next < MANY; rank = (rank + 1) % ranks) {
            struct batch batch = share_take(&share, rank);
            assert_int_equal(batch.first, next);
            assert_in_range(batch.count, 1, MANY - next);
            next += batch.count;
        }
        take_expecting(&share, 0, MANY, 0);
        share_destroy(&share);
    }
    free(weights);
}

/* Rank 0 has 2 * BATCH_WEIGHT of a mean of one: more than 1.1 and a quarter. It waits until the other has
 * caught up, or it has waited long enough, or nothing is left. */
static void test_who_is_ahead_waits(void **state)
{
    (void)state;
    static const uint64_t weights[] = {2 * BATCH_WEIGHT, BATCH_WEIGHT, BATCH_WEIGHT, BATCH_WEIGHT};
    struct share share;
    assert_int_equal(share_create(2, &share), STATUS_OK);
    share_open(&share, weights, 4, true);
    assert_false(share_has_to_wait(&share, 0));
    take_expecting(&share, 0, 0, 1);
    assert_true(share_has_to_wait(&share, 0));
    assert_false(share_has_to_wait(&share, 1));
    share_note_wait(&share, 0, LONGEST_WAIT / 2);
    assert_true(share_has_to_wait(&share, 0));
    share_note_wait(&share, 0, LONGEST_WAIT);
    assert_false(share_has_to_wait(&share, 0));

    /* What was handed out counts on in the next even queue, the waiting does not. */
    share_open(&share, weights + 1, 3, true);
    assert_true(share_has_to_wait(&share, 0));
    take_expecting(&share, 1, 0, 1);
    assert_true(share_has_to_wait(&share, 0)); /* 2 of a mean of 1.5: more than 1.65 + 0.25 */
    take_expecting(&share, 1, 1, 1);
    assert_false(share_has_to_wait(&share, 0));
    take_expecting(&share, 0, 2, 1);
    assert_false(share_has_to_wait(&share, 0)); /* nothing is left */
    share_destroy(&share);
}

/* In a queue that is not even nobody waits, and what is handed out there does not count. */
static void test_uneven_queues_do_not_count(void **state)
{
    (void)state;
    static const uint64_t weights[] = {9 * BATCH_WEIGHT, BATCH_WEIGHT};
    struct share share;
    assert_int_equal(share_create(2, &share), STATUS_OK);
    share_open(&share, weights, 2, false);
    take_expecting(&share, 0, 0, 1);
    assert_false(share_has_to_wait(&share, 0));
    share_open(&share, weights, 2, true);
    assert_false(share_has_to_wait(&share, 0));
    share_destroy(&share);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_batches_at_the_end),   cmocka_unit_test(test_batches_are_limited),
        cmocka_unit_test(test_all_are_handed_out),         cmocka_unit_test(test_who_is_ahead_waits),
        cmocka_unit_test(test_uneven_queues_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
