/* Simulated ranks and the model, with small cases worked out by hand. */
#include "model.h"
#include "simulated_ranks.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_near(double value, double expected)
{
    if (fabs(value - expected) > 1e-9 * (1 + fabs(expected)))
        fail_msg("%.12g instead of %.12g", value, expected);
}

/* -- Simulated ranks ------------------------------------------------------------------------------------- */

static void test_one_rank(void **state)
{
    (void)state;
    static const uint64_t weights[] = {5, 3, 2};
    const struct queue_costs costs = {.weight = 2, .latency = 1, .message = 1, .pause = 1};
    struct simulated_ranks *ranks;
    assert_int_equal(simulated_create(1, &ranks), STATUS_OK);
    simulated_queue(ranks, weights, 3, true, &costs);
    assert_near(simulated_time(ranks), 20);
    assert_near(simulated_busy(ranks, 0), 20);
    assert_int_equal(simulated_messages(ranks), 0);
    simulated_destroy(ranks);
}

/* Two ranks, three pieces of 100, a second for each unit of weight. A request is under way for 1 s, rank 0
 * needs 0.5 s to receive or send, and pauses for 8 s.
 *   0      the worker asks; rank 0 sees nothing yet and begins piece 0
 *   100    the request has arrived: received at 100.5, answered (piece 1) at 101; it arrives at 102, the
 * worker begins and asks again; rank 0 begins piece 2 201    the request (it came at 103) is received at
 * 201.5, answered (nothing left) at 202; nothing is left for rank 0 either 203    the worker has known for
 * long: it is busy from 102 to 202, the answer arrives at 203 */
static void test_two_ranks(void **state)
{
    (void)state;
    static const uint64_t weights[] = {100, 100, 100};
    const struct queue_costs costs = {.weight = 1, .latency = 1, .message = 0.5, .pause = 8};
    struct simulated_ranks *ranks;
    assert_int_equal(simulated_create(2, &ranks), STATUS_OK);
    simulated_queue(ranks, weights, 3, false, &costs);
    assert_near(simulated_busy(ranks, 0), 200);
    assert_near(simulated_busy(ranks, 1), 100);
    assert_int_equal(simulated_messages(ranks), 4);
    assert_near(simulated_time(ranks), 203);
    simulated_barrier(ranks, 7);
    assert_near(simulated_time(ranks), 210);
    simulated_destroy(ranks);
}

/* An empty queue: rank 0 serves at 0, pauses, has the request of 1 at 8, answers at 9, pauses; the answer
 * arrives at 10, after that rank 0 pauses until 17. */
static void test_nothing_to_do(void **state)
{
    (void)state;
    const struct queue_costs costs = {.weight = 1, .latency = 1, .message = 0.5, .pause = 8};
    struct simulated_ranks *ranks;
    assert_int_equal(simulated_create(2, &ranks), STATUS_OK);
    simulated_queue(ranks, NULL, 0, true, &costs);
    assert_near(simulated_time(ranks), 17);
    assert_int_equal(simulated_messages(ranks), 2);
    simulated_destroy(ranks);
}

/* Of four ranks three work for 10 s, the highest; two for 4 s: rank 0, free from 0, and one of the others,
 * free from 10; then all for 1 s. */
static void test_teams(void **state)
{
    (void)state;
    static const struct team_work works[] = {{3, 10}, {2, 4}, {9, 1}};
    struct simulated_ranks *ranks;
    assert_int_equal(simulated_create(4, &ranks), STATUS_OK);
    simulated_teams(ranks, works, 3);
    assert_near(simulated_time(ranks), 15);
    assert_near(simulated_busy(ranks, 0), 5);
    assert_near(simulated_busy(ranks, 1), 11);
    assert_near(simulated_busy(ranks, 2), 11);
    assert_near(simulated_busy(ranks, 3), 15);
    simulated_destroy(ranks);
}

/* Many equal pieces over many ranks: all of them done, and nobody far from the mean. */
static void test_many_ranks(void **state)
{
    enum { RANKS = 64, PIECES = 64000, WEIGHT = 16384 };
    (void)state;
    const struct queue_costs costs = {.weight = 1e-7, .latency = 1e-6, .message = 1e-6, .pause = 1e-4};
    uint64_t *weights = malloc(PIECES * sizeof *weights);
    struct simulated_ranks *ranks;
    double sum = 0;
    assert_non_null(weights);
    for (size_t i = 0; i < PIECES; i++)
        weights[i] = WEIGHT;
    assert_int_equal(simulated_create(RANKS, &ranks), STATUS_OK);
    simulated_queue(ranks, weights, PIECES, true, &costs);
    const double mean = 1e-7 * WEIGHT * PIECES / RANKS;
    for (int rank = 0; rank < RANKS; rank++) {
        assert_true(fabs(simulated_busy(ranks, rank) - mean) < 0.15 * mean);
        sum += simulated_busy(ranks, rank);
    }
    assert_near(sum, mean * RANKS);
    assert_true(simulated_time(ranks) > mean && simulated_time(ranks) < 1.15 * mean);
    simulated_destroy(ranks);
    free(weights);
}

/* -- The model ------------------------------------------------------------------------------------------- */

/* 10^8 positions of 100 ns: 10 s alone. By four: 2.5 * 1.2 s, 2.5 * 10^7 * 0.5 bytes at 10^7 a second, and
 * 100 exchanges of 0.01 + 3 * 0.001 s. */
static void test_team_seconds(void **state)
{
    (void)state;
    struct model model = {.bandwidth = 1e7,
                          .latency = 0.01,
                          .message = 0.001,
                          .team_cpu = 1.2,
                          .team_bytes = 0.5,
                          .team_rounds = 100};
    assert_near(model_team_seconds(&model, 100e-9, 1, 100000000), 10);
    assert_near(model_team_seconds(&model, 100e-9, 4, 100000000), 3 + 1.25 + 1.3);
}

static void test_team_sizes(void **state)
{
    (void)state;
    struct model model;
    const struct crew crew = {100, 1000000};
    const uint64_t level = 10000000000;
    model_default(&model);
    /* The fair share is 10^8 and a bit. */
    assert_int_equal(model_team(&model, 1e-7, &crew, 100000000, level, 1000000), 1);
    assert_int_equal(model_team(&model, 1e-7, &crew, 300000000, level, 1000000), 3);
    /* Memory alone: 2.5 shares. */
    assert_int_equal(model_team(&model, 1e-7, &crew, 1000, level, 2500000), 3);
    /* Small units are left to one, however unfair. */
    assert_int_equal(model_team(&model, 1e-7, &crew, 1000, 1000, 1000), 1);
    /* Never more than there are, unless the memory of all is not enough. */
    assert_int_equal(model_team(&model, 1, &crew, level, level, 1000), 100);
    assert_int_equal(model_team(&model, 1, &crew, level, level, 200000000), 200);
}

static void read_expecting(struct model *model, const char *text, enum status expected, int bad_line)
{
    int line;
    assert_int_equal(model_read(model, text, &line), expected);
    if (expected != STATUS_OK)
        assert_int_equal(line, bad_line);
}

static void test_reading(void **state)
{
    (void)state;
    struct model model;
    struct settings settings = {.variant = variant_named("turkish"), .metric = METRIC_DTZ};
    model_default(&model);
    read_expecting(&model, "# a comment\n\nbandwidth 12.5 MB/s\nturkish.dtz.solve 250 ns/position\nsync 2 ms",
                   STATUS_OK, 0);
    assert_near(model.bandwidth, 12.5e6);
    assert_near(model.sync, 2e-3);
    assert_near(model_game(&model, &settings)->solve, 250e-9);
    read_expecting(&model, "sync 2 ms\nsync 2 s\n", STATUS_DAMAGED, 2);
    read_expecting(&model, "speed 2 ms\n", STATUS_DAMAGED, 1);
    read_expecting(&model, "sync -2 ms\n", STATUS_DAMAGED, 1);
    read_expecting(&model, "bandwidth 0 MB/s\n", STATUS_DAMAGED, 1);
    read_expecting(&model, "sync nan ms\n", STATUS_DAMAGED, 1);
    read_expecting(&model, "sync 2\n", STATUS_DAMAGED, 1);
    read_expecting(&model, "sync 2 ms or so\n", STATUS_DAMAGED, 1);
    read_expecting(&model, "turkish.solve 2 ns/position\n", STATUS_DAMAGED, 1);
    read_expecting(&model, "chess.wdl.solve 2 ns/position\n", STATUS_DAMAGED, 1);
}

/* What is written is read back as it was. */
static void test_round_trip(void **state)
{
    (void)state;
    struct model model;
    struct model read;
    struct settings settings = {.variant = variant_named("damii"), .metric = METRIC_WDL};
    char *text = NULL;
    size_t size;
    int line;
    model_default(&model);
    model.latency = 7e-6;
    model.measured[0][METRIC_DTZ] = true;
    model.games[0][METRIC_DTZ].table_bits = 0.5;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    model_write(&model, file);
    fclose(file);
    model_default(&read);
    assert_int_equal(model_read(&read, text, &line), STATUS_OK);
    assert_near(read.latency, 7e-6);
    assert_true(read.measured[0][METRIC_DTZ] && !read.measured[0][METRIC_WDL]);
    assert_near(read.games[0][METRIC_DTZ].table_bits, 0.5);
    assert_true(model_game(&read, &settings)->solve > 0);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_rank),      cmocka_unit_test(test_two_ranks),
        cmocka_unit_test(test_nothing_to_do), cmocka_unit_test(test_teams),
        cmocka_unit_test(test_many_ranks),    cmocka_unit_test(test_team_seconds),
        cmocka_unit_test(test_team_sizes),    cmocka_unit_test(test_reading),
        cmocka_unit_test(test_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
