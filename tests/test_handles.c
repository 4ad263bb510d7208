/* Handles: what they keep in memory and open, the directories they look into, many threads on one. */
#include "cache.h"
#include "library.h"
#include "small_set.h"
#include "temporary.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PIECES = 3, THREADS = 8 };

static char *folder; /* with tables of italian, 3 pieces */
static struct small_set *italian;

static const dama_variant *italian_public(void)
{
    return dama_variant_named("italian");
}

static dama_tables *open_tables(const char *directories, size_t cache_bytes)
{
    dama_tables *tables = NULL;
    assert_int_equal(dama_open(directories, cache_bytes, &tables), DAMA_OK);
    assert_non_null(tables);
    return tables;
}

static dama_board board_of(const char *variant, const char *fen)
{
    dama_board board;
    char message[DAMA_MAX_MESSAGE];
    assert_int_equal(dama_fen_read(dama_variant_named(variant), fen, &board, message), DAMA_OK);
    return board;
}

/* A copy of the italian tables that can be spoilt. */
static char *copy_tables(void)
{
    char *place = temporary_folder();
    small_set_write(italian, place, NULL);
    return place;
}

/* -- Cache and files ----------------------------------------------------------------------------------- */

static void test_no_io(void **state)
{
    dama_cache_statistics statistics;
    dama_value value;
    (void)state;
    dama_board board = board_of("italian", "W:WK32,K31:BK1");
    dama_tables *tables = open_tables(folder, 0);
    assert_int_equal(dama_probe_wdl(tables, italian_public(), &board, DAMA_NO_IO, &value), DAMA_NOT_CACHED);
    assert_int_equal(dama_probe_wdl(tables, italian_public(), &board, 0, &value), DAMA_OK);
    assert_int_equal(dama_probe_wdl(tables, italian_public(), &board, DAMA_NO_IO, &value), DAMA_OK);
    dama_cache_statistics_get(tables, &statistics);
    assert_int_equal(statistics.hits, 1);
    assert_int_equal(statistics.misses, 1);
    assert_in_range(statistics.bytes_read, 10, 5000);
    assert_in_range(statistics.bytes_held, 256, 400); /* 1024 positions in two bits each */
    dama_cache_clear(tables);
    assert_int_equal(dama_probe_wdl(tables, italian_public(), &board, DAMA_NO_IO, &value), DAMA_NOT_CACHED);
    dama_cache_statistics_get(tables, &statistics);
    assert_int_equal(statistics.bytes_held, 0);
    dama_close(tables);
}

/* Values and distances come from memory independently of one another. */
static void test_no_io_for_distances(void **state)
{
    dama_value value;
    int plies = 0;
    (void)state;
    dama_board board = board_of("italian", "W:WK32,K31:BK1");
    dama_tables *tables = open_tables(folder, 0);
    const dama_variant *variant = italian_public();
    assert_int_equal(dama_probe_wdl(tables, variant, &board, 0, &value), DAMA_OK);
    assert_int_equal(dama_probe_dtz(tables, variant, &board, DAMA_NO_IO, &value, &plies), DAMA_NOT_CACHED);
    assert_int_equal(dama_probe_dtz(tables, variant, &board, 0, &value, &plies), DAMA_OK);
    int first = plies;
    assert_int_equal(dama_probe_dtz(tables, variant, &board, DAMA_NO_IO, &value, &plies), DAMA_OK);
    assert_int_equal(plies, first);
    dama_cache_clear(tables);
    assert_int_equal(dama_probe_wdl(tables, variant, &board, 0, &value), DAMA_OK);
    assert_int_equal(dama_probe_dtz(tables, variant, &board, DAMA_NO_IO, &value, &plies), DAMA_NOT_CACHED);
    dama_close(tables);
}

/* Wide symbols of a byte and of two, and narrow ones, one after another under their own keys. */
static void test_wide_symbols(void **state)
{
    uint16_t symbols[256];
    uint8_t narrow[256] = {3};
    (void)state;
    for (size_t budget = 1; budget < (size_t)64 << 20; budget *= 7) {
        struct cache *cache;
        assert_int_equal(cache_create(budget, &cache), STATUS_OK);
        for (uint64_t block = 0; block < 2000; block++) {
            uint16_t symbol = 0;
            uint8_t narrow_symbol = 0;
            cache_key key = 2 * block;
            cache_key other = 2 * block + 1;
            size_t held = cache_counts_get(cache).held;
            for (size_t i = 0; i < 256; i++)
                symbols[i] = (uint16_t)((i * 257 + block) & (block % 3 ? 0xffff : 0xff));
            assert_false(cache_get_wide(cache, key, 0, &symbol));
            cache_put_wide(cache, key, symbols, 256);
            cache_put_wide(cache, key, symbols, 256);
            if (block == 0)
                assert_in_range(cache_counts_get(cache).held - held, 256, 400);
            for (size_t i = 0; i < 256; i += 5) {
                assert_true(cache_get_wide(cache, key, i, &symbol));
                assert_int_equal(symbol, symbols[i]);
            }
            cache_put(cache, other, narrow, 256, 2);
            assert_true(cache_get(cache, other, 0, &narrow_symbol));
            assert_int_equal(narrow_symbol, 3);
            struct cache_counts counts = cache_counts_get(cache);
            assert_true(counts.held <= budget || counts.held < 700); /* one block at least */
        }
        cache_destroy(cache);
    }
}

static void test_cache_alone(void **state)
{
    uint8_t symbols[256];
    (void)state;
    for (size_t budget = 1; budget < (size_t)64 << 20; budget *= 7) {
        struct cache *cache;
        assert_int_equal(cache_create(budget, &cache), STATUS_OK);
        for (uint64_t block = 0; block < 3000; block++) {
            int bits = 1 << block % 3;
            uint8_t symbol;
            cache_key key = block;
            for (size_t i = 0; i < sizeof symbols; i++)
                symbols[i] = (uint8_t)((i * 7 + block) & ((1U << bits) - 1));
            assert_false(cache_get(cache, key, 0, &symbol));
            cache_put(cache, key, symbols, sizeof symbols, bits);
            cache_put(cache, key, symbols, sizeof symbols, bits);
            for (size_t i = 0; i < sizeof symbols; i += 5) {
                assert_true(cache_get(cache, key, i, &symbol));
                assert_int_equal(symbol, symbols[i]);
            }
            struct cache_counts counts = cache_counts_get(cache);
            assert_true(counts.held <= budget || counts.held < 400); /* one block at least */
        }
        cache_destroy(cache);
    }
}

/* What is used again and again stays. */
static void test_cache_keeps_what_is_used(void **state)
{
    uint8_t symbols[1024] = {0};
    uint8_t symbol;
    struct cache *cache;
    (void)state;
    assert_int_equal(cache_create(100000, &cache), STATUS_OK);
    cache_key favourite = 0;
    cache_put(cache, favourite, symbols, sizeof symbols, 2);
    for (uint64_t block = 1; block < 5000; block++) {
        cache_put(cache, block, symbols, sizeof symbols, 2);
        assert_true(cache_get(cache, favourite, 3, &symbol));
    }
    cache_destroy(cache);
}

static void test_few_descriptors(void **state)
{
    struct rlimit before;
    (void)state;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
    assert_true(next >= 0);
    close(next);
    struct rlimit few = {.rlim_cur = (rlim_t)next + 2, .rlim_max = before.rlim_max};
    dama_tables *tables = open_tables(folder, 1);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    assert_int_equal(small_set_wrong(italian, tables), 0);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    dama_close(tables);
}

static void test_open_and_close(void **state)
{
    dama_value value;
    (void)state;
    dama_board board = board_of("italian", "W:WK32,K31:BK1");
    dama_tables *other = open_tables(folder, 0);
    for (int round = 0; round < 1000; round++) {
        dama_tables *tables = open_tables(folder, round % 3 ? 0 : 1);
        assert_int_equal(dama_probe_wdl(tables, italian_public(), &board, 0, &value), DAMA_OK);
        dama_close(tables);
    }
    assert_int_equal(dama_probe_wdl(other, italian_public(), &board, 0, &value), DAMA_OK);
    dama_close(other);
}

/* -- Directories --------------------------------------------------------------------------------------- */

static dama_status available_on(const char *directories)
{
    dama_tables *tables = open_tables(directories, 0);
    dama_status status = dama_available(tables, italian_public(), "02v01");
    dama_close(tables);
    return status;
}

static void test_lists_of_directories(void **state)
{
    static const char *const forms[] = {
        "%s",     "%s:",      ":%s",           "::%s::",          "%s/",
        "%s///:", "%s:%s",    "/missing:%s",   "%s:/missing",     "/dev/null:%s",
        " :%s",   "%s/.:%s/", "\"quoted\":%s", "ohne\xc3\x9f:%s", "'a b':%s"};
    static const char *const bad[] = {"", ":", ":::", " ", "/missing", "/dev/null", "%s", "relative"};
    char list[20000];
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        snprintf(list, sizeof list, forms[i], folder, folder);
        if (available_on(list) != DAMA_OK)
            fail_msg("%s", forms[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(available_on(bad[i]), DAMA_NO_TABLE);
    /* Far too long to exist, and then the right one. */
    memset(list, 'x', 4000);
    snprintf(list + 4000, sizeof list - 4000, ":%s", folder);
    assert_int_equal(available_on(list), DAMA_OK);
    list[0] = '/';
    for (int i = 100; i < 4000; i += 100)
        list[i] = '/';
    assert_int_equal(available_on(list), DAMA_OK);
}

static void test_odd_names(void **state)
{
    static const char *const names[] = {"a b", "it's", "\"q\"", "d\xc3\xa0ma", "%s%n", "*", "-x"};
    (void)state;
    char *place = temporary_folder();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *inside = path_join(place, names[i]);
        char *link_name = path_join(inside, "italian");
        char *target = path_join(folder, "italian");
        make_folder(inside);
        assert_int_equal(symlink(target, link_name), 0);
        assert_int_equal(available_on(inside), DAMA_OK);
        unlink(link_name);
        free(inside);
        free(link_name);
        free(target);
    }
    remove_folder(place);
    free(place);
}

static void test_earliest_counts_and_sets_add_up(void **state)
{
    static const char *const moved[] = {"02v01.wdl", "11v10.wdl"};
    char *places[3];
    char list[3 * 4096];
    struct catalogue_entry *entries;
    size_t count;
    (void)state;
    for (int i = 0; i < 3; i++)
        places[i] = i == 2 ? copy_tables() : temporary_folder();
    for (int i = 0; i < 2; i++) {
        char *inside = path_join(places[i], "italian");
        make_folder(inside);
        free(inside);
        char *from = small_set_table(italian, places[2], moved[i]);
        char *to = small_set_table(italian, places[i], moved[i]);
        assert_int_equal(rename(from, to), 0);
        free(from);
        free(to);
    }
    /* Wrong, but behind the right one. */
    char *hidden = small_set_table(italian, places[2], moved[0]);
    write_bytes(hidden, "nonsense", 8);
    snprintf(list, sizeof list, "%s:%s:%s", places[0], places[1], places[2]);
    dama_tables *tables = open_tables(list, 0);
    assert_int_equal(small_set_wrong(italian, tables), 0);
    assert_int_equal(catalogue_directory_count(library_catalogue(tables)), 3);
    assert_int_equal(catalogue_list(library_catalogue(tables), italian->variant, &entries, &count),
                     STATUS_OK);
    assert_int_equal(count, 2 * 9);
    for (size_t i = 0; i < count; i++) {
        bool first =
            slice_equal(entries[i].slice, (struct slice){0, 2, 0, 1}) && entries[i].metric == METRIC_WDL;
        if (i > 0)
            assert_true(slice_pieces(entries[i - 1].slice) <= slice_pieces(entries[i].slice));
        assert_int_equal(strncmp(entries[i].path, places[0], strlen(places[0])) == 0, first);
    }
    catalogue_list_free(entries, count);
    dama_close(tables);
    snprintf(list, sizeof list, "%s:%s:%s", places[2], places[1], places[0]);
    assert_int_equal(available_on(list), DAMA_NOT_A_TABLE);
    free(hidden);
    for (int i = 0; i < 3; i++) {
        remove_folder(places[i]);
        free(places[i]);
    }
}

/* -- Threads ------------------------------------------------------------------------------------------- */

struct prober {
    dama_tables *tables;
    pthread_barrier_t *barrier;
    uint64_t seed;
    int probes;
    int wrong;
};

/* Random positions of all slices, compared with the solved set. */
static void *probe_at_random(void *argument)
{
    static const char *const names[] = {"02v01", "01v02", "11v10", "10v11",
                                        "20v01", "01v20", "02v10", "01v01"};
    struct prober *prober = argument;
    pthread_barrier_wait(prober->barrier);
    for (int i = 0; i < prober->probes; i++) {
        struct slice slice;
        dama_value value;
        int plies;
        slice_read(names[random_next(&prober->seed) % 8], &slice);
        int slot = small_set_slot(slice);
        uint64_t number = random_next(&prober->seed) % italian->numberings[slot]->positions;
        struct position own = numbering_position(italian->numberings[slot], number);
        dama_board board = library_board(italian->variant, &own, false);
        prober->wrong += dama_probe_wdl(prober->tables, italian_public(), &board, 0, &value) != DAMA_OK ||
                         value + 2 != (italian->values[slot][number] & 0x7f);
        prober->wrong +=
            dama_probe_dtz(prober->tables, italian_public(), &board, 0, &value, &plies) != DAMA_OK ||
            plies != (int)italian->plies[slot][number];
    }
    return NULL;
}

static void run_threads(dama_tables *tables, int probes, uint64_t seed)
{
    pthread_t threads[2 * THREADS];
    struct prober probers[2 * THREADS];
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 2 * THREADS);
    for (int i = 0; i < 2 * THREADS; i++) {
        probers[i] = (struct prober){tables, &barrier, seed, probes, 0};
        if (probes > 1)
            probers[i].seed += (uint64_t)i;
        assert_int_equal(pthread_create(&threads[i], NULL, probe_at_random, &probers[i]), 0);
    }
    for (int i = 0; i < 2 * THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(probers[i].wrong, 0);
    }
    pthread_barrier_destroy(&barrier);
}

static void test_threads_on_a_cache_of_one_block(void **state)
{
    (void)state;
    dama_tables *tables = open_tables(folder, 1);
    run_threads(tables, 600, 100);
    dama_close(tables);
    tables = open_tables(folder, 0);
    run_threads(tables, 2000, 200);
    dama_close(tables);
}

/* All threads ask for the same cold table at once. */
static void test_first_probe_at_once(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 60; round++) {
        dama_tables *tables = open_tables(folder, 0);
        run_threads(tables, 1, round);
        dama_close(tables);
    }
}

static void *ask_for_failures(void *argument)
{
    struct prober *prober = argument;
    pthread_barrier_wait(prober->barrier);
    prober->wrong += dama_available(prober->tables, italian_public(), "02v01") != DAMA_DAMAGED;
    prober->wrong += dama_available(prober->tables, italian_public(), "11v10") != DAMA_NO_TABLE;
    prober->wrong += dama_available(prober->tables, italian_public(), "20v01") != DAMA_NOT_A_TABLE;
    prober->wrong += dama_available(prober->tables, italian_public(), "02v10") != DAMA_OK;
    return NULL;
}

static void test_failures_at_once(void **state)
{
    pthread_t threads[THREADS];
    struct prober prober[THREADS];
    (void)state;
    char *place = copy_tables();
    char *damaged = small_set_table(italian, place, "02v01.wdl");
    char *missing = small_set_table(italian, place, "11v10.wdl");
    char *nonsense = small_set_table(italian, place, "20v01.wdl");
    assert_int_equal(truncate(damaged, 600), 0);
    assert_int_equal(unlink(missing), 0);
    write_bytes(nonsense, "nonsense", 8);
    for (int round = 0; round < 30; round++) {
        pthread_barrier_t barrier;
        dama_tables *tables = open_tables(place, 0);
        pthread_barrier_init(&barrier, NULL, THREADS);
        for (int i = 0; i < THREADS; i++) {
            prober[i] = (struct prober){tables, &barrier, 0, 0, 0};
            assert_int_equal(pthread_create(&threads[i], NULL, ask_for_failures, &prober[i]), 0);
        }
        for (int i = 0; i < THREADS; i++) {
            pthread_join(threads[i], NULL);
            assert_int_equal(prober[i].wrong, 0);
        }
        pthread_barrier_destroy(&barrier);
        dama_close(tables);
    }
    free(damaged);
    free(missing);
    free(nonsense);
    remove_folder(place);
    free(place);
}

static int set_up(void **state)
{
    (void)state;
    folder = temporary_folder();
    italian = small_set_solve("italian", PIECES);
    small_set_write(italian, folder, &(struct table_options){.block_log2 = 10});
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    small_set_destroy(italian);
    remove_folder(folder);
    free(folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_io),
        cmocka_unit_test(test_no_io_for_distances),
        cmocka_unit_test(test_cache_alone),
        cmocka_unit_test(test_wide_symbols),
        cmocka_unit_test(test_cache_keeps_what_is_used),
        cmocka_unit_test(test_few_descriptors),
        cmocka_unit_test(test_open_and_close),
        cmocka_unit_test(test_lists_of_directories),
        cmocka_unit_test(test_odd_names),
        cmocka_unit_test(test_earliest_counts_and_sets_add_up),
        cmocka_unit_test(test_threads_on_a_cache_of_one_block),
        cmocka_unit_test(test_first_probe_at_once),
        cmocka_unit_test(test_failures_at_once),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
