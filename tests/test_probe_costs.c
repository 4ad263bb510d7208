/* What a probe may cost: reads of the file and memory, counted. How long it takes is damaprobe bench's. */
#include "library.h"
#include "numbering.h"
#include "small_set.h"
#include "temporary.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

enum { PIECES = 3, PROBES = 20000, CACHE = 1 << 12 /* less than the table takes */ };

static char *folder; /* with tables of italian, 3 pieces, in blocks of 256 positions */
static struct small_set *italian;

static unsigned reads; /* since it was last set to 0 */

/* Stands before the C library's, for all that this program links. */
ssize_t pread(int file, void *bytes, size_t size, off_t offset)
{
    reads++;
    return syscall(SYS_pread64, file, bytes, size, offset);
}

/* A position of the slice, as the library takes it. */
static dama_board random_board(const struct numbering *numbering, uint64_t *state, struct position *position)
{
    *position = numbering_position(numbering, random_next(state) % numbering->positions);
    return library_board(italian->variant, position, false);
}

static const struct numbering *slice_of_probes(void)
{
    return italian->numberings[small_set_slot((struct slice){1, 1, 0, 1})];
}

static dama_tables *open_warm(size_t cache)
{
    dama_tables *tables = NULL;
    assert_int_equal(dama_open(folder, cache, &tables), DAMA_OK);
    assert_int_equal(dama_available(tables, dama_variant_named("italian"), "11v01"), DAMA_OK);
    return tables;
}

/* A quiet position whose block is not in memory takes one read, any other none; with DAMA_NO_IO there is
 * never one. */
static void test_reads(void **state)
{
    (void)state;
    const dama_variant *variant = dama_variant_named("italian");
    dama_tables *tables = open_warm(0);
    uint64_t random = 1;
    unsigned cold = 0;
    for (int i = 0; i < PROBES; i++) {
        struct position position;
        dama_board board = random_board(slice_of_probes(), &random, &position);
        dama_value value;
        if (italian->variant->moves->has_capture(&position))
            continue;
        dama_cache_clear(tables);
        reads = 0;
        dama_status status = dama_probe_wdl(tables, variant, &board, DAMA_NO_IO, &value);
        assert_int_equal(reads, 0);
        assert_true(status == DAMA_OK || status == DAMA_NOT_CACHED);
        assert_int_equal(dama_probe_wdl(tables, variant, &board, 0, &value), DAMA_OK);
        assert_int_equal(reads, status == DAMA_OK ? 0 : 1); /* of constant blocks none */
        cold += reads;
        reads = 0;
        assert_int_equal(dama_probe_wdl(tables, variant, &board, DAMA_NO_IO, &value), DAMA_OK);
        assert_int_equal(reads, 0);
    }
    assert_true(cold > 100);
    dama_close(tables);
}

/* Probes all over do not take more than the cache may have. */
static void test_memory(void **state)
{
    (void)state;
    const dama_variant *variant = dama_variant_named("italian");
    dama_tables *tables = open_warm(CACHE);
    uint64_t random = 2;
    size_t before = 0;
    for (int i = 0; i < 5 * PROBES; i++) {
        struct position position;
        dama_board board = random_board(slice_of_probes(), &random, &position);
        dama_value value;
        dama_cache_statistics statistics;
        assert_int_equal(dama_probe_wdl(tables, variant, &board, 0, &value), DAMA_OK);
        dama_cache_statistics_get(tables, &statistics);
        assert_true(statistics.bytes_held <= CACHE);
        if (i == 100)
            before = mallinfo2().uordblks + mallinfo2().hblkhd;
    }
    assert_true(mallinfo2().uordblks + mallinfo2().hblkhd <= before + CACHE);
    dama_close(tables);
}

static int set_up(void **state)
{
    (void)state;
    const struct table_options options = {.block_log2 = 8};
    italian = small_set_solve("italian", PIECES);
    folder = temporary_folder();
    small_set_write(italian, folder, &options);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    remove_folder(folder);
    free(folder);
    small_set_destroy(italian);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reads), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
