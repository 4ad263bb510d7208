/* Table files from synthetic values: written and read back, and writing that fails. Nothing here is about
 * what values mean. */
#include "manifest.h"
#include "plain_reader.h"
#include "synthetic.h"
#include "temporary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char *folder;

enum { TERNARY = 1 << WIN | 1 << DRAW | 1 << LOSS };

static const struct synthetic_shape usual = {.values = TERNARY, .captures = 90, .run = 20, .seed = 5};

static enum status check(const char *path, const struct synthetic *synthetic)
{
    char message[MESSAGE_SIZE] = "";
    enum status status =
        table_check(path, synthetic->variant, synthetic->slice, METRIC_WDL, NULL, NULL, message);
    assert_true((status == STATUS_OK) == (message[0] == '\0'));
    assert_true(status == STATUS_OK || strstr(message, "21v10") || strstr(message, "v"));
    return status;
}

/* -- Writing and reading back -------------------------------------------------------------------------- */

/* Every value that is not free must come back, through the reader and through the plain one. */
static void compare(const struct synthetic *synthetic, const char *path)
{
    struct table *table;
    struct block_reader *reader;
    char message[MESSAGE_SIZE];
    size_t length;
    uint8_t *file = file_bytes(path, &length);
    assert_int_equal(
        table_open(path, synthetic->variant, synthetic->slice, METRIC_WDL, NULL, &table, message), STATUS_OK);
    assert_int_equal(block_reader_create(&reader), STATUS_OK);
    for (int i = 0; i < synthetic->members; i++) {
        uint64_t positions;
        uint8_t *values = malloc(synthetic->positions[i]);
        uint16_t *codes = plain_read(file, length, i, &positions);
        assert_true(values && codes);
        assert_int_equal(positions, synthetic->positions[i]);
        assert_int_equal(table_read_values(table, reader, i, 0, positions, values), STATUS_OK);
        for (uint64_t number = 0; number < positions; number++) {
            enum value plain;
            uint8_t value = synthetic->values[i][number];
            assert_true(value_of_code(codes[number], &plain));
            if (value & FETCHED_CAPTURE)
                continue;
            if (value != values[number] || value != plain)
                fail_msg("position %llu", (unsigned long long)number);
        }
        assert_int_equal(table_read_values(table, reader, i, positions, 1, values), STATUS_BAD_ARGUMENT);
        free(values);
        free(codes);
    }
    block_reader_destroy(reader);
    table_close(table);
    free(file);
}

/* Counts and digest are of all values, captures too. */
static void compare_summary(const struct synthetic *synthetic, const struct table_summary *summary)
{
    for (int i = 0; i < synthetic->members; i++) {
        uint64_t counts[VALUES] = {0};
        uint8_t *codes = malloc(synthetic->positions[i]);
        assert_non_null(codes);
        for (uint64_t number = 0; number < synthetic->positions[i]; number++) {
            enum value value = (enum value)(synthetic->values[i][number] & 0x7f);
            counts[value]++;
            codes[number] = (uint8_t)code_of_value(value);
        }
        struct digest digest = synthetic_digest(codes, synthetic->positions[i], 1);
        assert_memory_equal(counts, summary->header.member[i].counts, sizeof counts);
        assert_memory_equal(counts, summary->entry.member[i].counts, sizeof counts);
        assert_true(digest_equal(&digest, &summary->header.member[i].values));
        free(codes);
    }
}

static void round_trip(const char *variant, const char *slice, struct synthetic_shape shape,
                       const struct table_options *options)
{
    struct digest digest;
    uint64_t size;
    struct synthetic synthetic = synthetic_make(variant, slice, shape);
    struct table_summary summary = synthetic_write(&synthetic, folder, options);
    char *path = synthetic_path(&synthetic, folder);
    compare(&synthetic, path);
    compare_summary(&synthetic, &summary);
    assert_int_equal(check(path, &synthetic), STATUS_OK);
    assert_int_equal(file_digest(path, &digest, &size), STATUS_OK);
    assert_true(digest_equal(&digest, &summary.entry.digest));
    assert_int_equal(size, summary.entry.size);
    char *temporary;
    assert_true(asprintf(&temporary, "%s.tmp", path) > 0);
    assert_false(file_exists(temporary));
    free(temporary);
    free(path);
    synthetic_destroy(&synthetic);
}

static void test_round_trips(void **state)
{
    static const char *const slices[] = {"10v10", "02v01", "11v10", "11v11", "20v01"};
    (void)state;
    uint64_t random = 7;
    for (unsigned round = 0; round < 60; round++) {
        struct synthetic_shape shape = {.values = 1 + round * 7 % 31,
                                        .captures = round % 5 * 60,
                                        .run = 1 + (unsigned)(random_next(&random) % 400),
                                        .seed = round};
        struct table_options options = {.level = 3,
                                        .block_log2 = (int)(round % 3 == 0 ? 0 : 8 + round % 8),
                                        .payload = (enum payload_kind)(round % 3)};
        round_trip(round % 4 == 3 ? "turkish" : "italian", slices[round % 5], shape, &options);
    }
}

static void test_larger_table_with_dictionary(void **state)
{
    struct synthetic_shape shape = {.values = TERNARY, .captures = 0, .run = 9, .seed = 1};
    struct table_options options = {.block_log2 = 10, .level = 6};
    struct synthetic synthetic = synthetic_make("italian", "12v01", shape);
    (void)state;
    /* Blocks that resemble each other: each a variation of a few patterns. */
    for (int i = 0; i < synthetic.members; i++)
        for (uint64_t number = 1024; number < synthetic.positions[i]; number++)
            if (number % 97 != number / 1024 % 97)
                synthetic.values[i][number] = synthetic.values[i][number % 1024];
    struct table_summary summary = synthetic_write(&synthetic, folder, &options);
    char *path = synthetic_path(&synthetic, folder);
    assert_in_range(summary.header.dictionary_length, 256, MAX_DICTIONARY);
    compare(&synthetic, path);
    free(path);
    synthetic_destroy(&synthetic);
}

static void test_constant_and_free_tables(void **state)
{
    (void)state;
    round_trip("italian", "11v10",
               (struct synthetic_shape){.values = 1 << WIN, .captures = 0, .run = 10, .seed = 1}, NULL);
    round_trip("italian", "11v10",
               (struct synthetic_shape){.values = 1 << LOSS, .captures = 100, .run = 10, .seed = 1}, NULL);
    round_trip("italian", "11v10",
               (struct synthetic_shape){.values = TERNARY, .captures = 256, .run = 10, .seed = 1}, NULL);
    struct synthetic synthetic =
        synthetic_make("italian", "11v10",
                       (struct synthetic_shape){.values = 1 << WIN, .captures = 100, .run = 10, .seed = 1});
    struct table_summary summary = synthetic_write(&synthetic, folder, NULL);
    assert_int_equal(summary.header.alphabet_size, 1);
    assert_int_equal(summary.header.payload, PAYLOAD_NONE);
    assert_int_equal(summary.constant_blocks, summary.blocks);
    synthetic_destroy(&synthetic);
}

static void test_same_input_same_bytes(void **state)
{
    struct synthetic synthetic = synthetic_make("italian", "02v01", usual);
    size_t first_length;
    size_t second_length;
    (void)state;
    synthetic_write(&synthetic, folder, NULL);
    char *path = synthetic_path(&synthetic, folder);
    uint8_t *first = file_bytes(path, &first_length);
    synthetic_write(&synthetic, folder, NULL);
    uint8_t *second = file_bytes(path, &second_length);
    assert_int_equal(first_length, second_length);
    assert_memory_equal(first, second, first_length);
    free(first);
    free(second);
    free(path);
    synthetic_destroy(&synthetic);
}

static void test_options_in_header(void **state)
{
    struct synthetic synthetic = synthetic_make("italian", "11v10", usual);
    struct table_options options = {.level = 1};
    struct table_header header;
    (void)state;
    memset(options.inputs.bytes, 9, DIGEST_SIZE);
    synthetic_write(&synthetic, folder, &options);
    char *path = synthetic_path(&synthetic, folder);
    assert_int_equal(table_header_read(path, &header, NULL), STATUS_OK);
    assert_true(header.member[0].greatest_win == NO_DISTANCE);
    assert_true(header.member[1].greatest_loss == NO_DISTANCE);
    assert_true(digest_equal(&header.inputs, &options.inputs));
    free(path);
    synthetic_destroy(&synthetic);
}

static void test_ranges(void **state)
{
    struct synthetic synthetic = synthetic_make(
        "italian", "02v01", (struct synthetic_shape){.values = 31, .captures = 0, .run = 30, .seed = 3});
    struct table_options options = {.block_log2 = 8};
    struct table *table;
    struct block_reader *reader;
    uint8_t *values = malloc(synthetic.positions[1]);
    (void)state;
    synthetic_write(&synthetic, folder, &options);
    char *path = synthetic_path(&synthetic, folder);
    assert_int_equal(table_open(path, synthetic.variant, synthetic.slice, METRIC_WDL, NULL, &table, NULL),
                     STATUS_OK);
    assert_int_equal(block_reader_create(&reader), STATUS_OK);
    assert_int_equal(table_member(table, slice_mirror(synthetic.slice)), 1);
    assert_int_equal(table_member(table, (struct slice){1, 1, 0, 1}), -1);
    uint64_t random = 11;
    for (int round = 0; round < 300; round++) {
        uint64_t first = random_next(&random) % synthetic.positions[1];
        uint64_t count = random_next(&random) % (synthetic.positions[1] - first + 1) % 1500;
        assert_int_equal(table_read_values(table, reader, 1, first, count, values), STATUS_OK);
        assert_memory_equal(values, synthetic.values[1] + first, count);
    }
    block_reader_destroy(reader);
    table_close(table);
    free(values);
    free(path);
    synthetic_destroy(&synthetic);
}

/* -- Writing that fails -------------------------------------------------------------------------------- */

static enum status try_writing(const char *directory, struct synthetic *synthetic, char *message)
{
    struct table_source source = synthetic_source(synthetic);
    return table_write(directory, synthetic->variant, synthetic->slice, &source, NULL, NULL, message);
}

static void test_failing_source_leaves_nothing(void **state)
{
    char message[MESSAGE_SIZE];
    (void)state;
    struct synthetic synthetic = synthetic_make("italian", "02v01", usual);
    char *path = synthetic_path(&synthetic, folder);
    char *temporary;
    assert_true(asprintf(&temporary, "%s.tmp", path) > 0);
    unlink(path);
    for (int fetches = 0; fetches < 40; fetches++) {
        synthetic.fetches_left = fetches;
        enum status status = try_writing(folder, &synthetic, message);
        if (status == STATUS_OK)
            break;
        assert_int_equal(status, STATUS_INTERRUPTED);
        assert_non_null(strstr(message, "02v01.wdl"));
        assert_false(file_exists(path));
        assert_false(file_exists(temporary));
    }
    assert_true(file_exists(path)); /* the last attempt had enough */
    size_t length;
    size_t length_after;
    uint8_t *before = file_bytes(path, &length);
    synthetic.fetches_left = 1;
    assert_int_equal(try_writing(folder, &synthetic, message), STATUS_INTERRUPTED);
    uint8_t *after = file_bytes(path, &length_after);
    assert_int_equal(length, length_after);
    assert_memory_equal(before, after, length);
    free(before);
    free(after);
    free(temporary);
    free(path);
    synthetic_destroy(&synthetic);
}

static void test_bad_values_and_options(void **state)
{
    char message[MESSAGE_SIZE];
    (void)state;
    struct synthetic synthetic = synthetic_make("italian", "11v10", usual);
    struct table_source source = synthetic_source(&synthetic);
    static const struct table_options bad[] = {{.block_log2 = 7},
                                               {.block_log2 = 16},
                                               {.level = 23},
                                               {.level = -1},
                                               {.payload = (enum payload_kind)3}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(
            table_write(folder, synthetic.variant, synthetic.slice, &source, &bad[i], NULL, message),
            STATUS_BAD_ARGUMENT);
    synthetic.values[1][77] = VALUES;
    assert_int_equal(try_writing(folder, &synthetic, message), STATUS_BAD_ARGUMENT);
    assert_non_null(strstr(message, "is none"));
    synthetic.values[1][77] = 0xff;
    assert_int_equal(try_writing(folder, &synthetic, NULL), STATUS_BAD_ARGUMENT);
    assert_int_equal(
        table_write(folder, synthetic.variant, (struct slice){9, 9, 9, 9}, &source, NULL, NULL, message),
        STATUS_BAD_SLICE);
    synthetic_destroy(&synthetic);
}

static void test_unwritable_directory(void **state)
{
    char message[MESSAGE_SIZE];
    (void)state;
    struct synthetic synthetic = synthetic_make("italian", "11v10", usual);
    char *missing = path_join(folder, "missing");
    char *file = path_join(folder, "file");
    write_bytes(file, "x", 1);
    assert_int_equal(try_writing(missing, &synthetic, message), STATUS_FILE);
    assert_non_null(strstr(message, "No such file"));
    assert_int_equal(try_writing(file, &synthetic, message), STATUS_FILE);
    assert_int_equal(try_writing("/proc", &synthetic, message), STATUS_FILE);
    free(missing);
    free(file);
    synthetic_destroy(&synthetic);
}

/* Needs the right to mount; without it there is nothing to fill. */
static void test_full_disk(void **state)
{
    char message[MESSAGE_SIZE];
    (void)state;
    char *small = path_join(folder, "small");
    make_folder(small);
    if (mount("none", small, "tmpfs", 0, "size=16k") != 0) {
        free(small);
        skip();
        return;
    }
    struct synthetic synthetic = synthetic_make(
        "italian", "12v01", (struct synthetic_shape){.values = TERNARY, .captures = 20, .run = 3, .seed = 1});
    enum status status = try_writing(small, &synthetic, message);
    char *path = path_join(small, "12v01.wdl");
    char *temporary = path_join(small, "12v01.wdl.tmp");
    bool left = file_exists(path) || file_exists(temporary);
    struct manifest_entry entry = {.name = "12v01.wdl"};
    char *filler = path_join(small, "filler");
    FILE *full = fopen(filler, "wb");
    for (int i = 0; full && i < 20000; i++)
        fputc('x', full);
    if (full)
        fclose(full);
    enum status manifest_status = manifest_update(small, "italian", &entry, message);
    unlink(filler);
    umount(small);
    assert_int_equal(status, STATUS_NO_SPACE);
    assert_false(left);
    assert_int_equal(manifest_status, STATUS_NO_SPACE);
    free(path);
    free(temporary);
    free(filler);
    free(small);
    synthetic_destroy(&synthetic);
}

/* -- Messages ------------------------------------------------------------------------------------------ */

static void test_messages(void **state)
{
    char message[MESSAGE_SIZE];
    char path[4000];
    (void)state;
    memset(path, 'x', sizeof path);
    memcpy(path + sizeof path - 19, "/italian/21v10.wdl", 19);
    table_message(message, path, STATUS_DAMAGED, "block 7 of 21v10");
    assert_true(strncmp(message, "...x", 4) == 0);
    assert_non_null(strstr(message, "/italian/21v10.wdl: damaged file (block 7 of 21v10); build"));
    assert_true(strlen(message) < MESSAGE_SIZE);
    table_message(message, "a/21v10.wdl", STATUS_NEWER_FORMAT, NULL);
    assert_non_null(strstr(message, "upgrade"));
    table_message(NULL, "a/21v10.wdl", STATUS_NEWER_FORMAT, NULL);
}

static int set_up(void **state)
{
    (void)state;
    folder = temporary_folder();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    remove_folder(folder);
    free(folder);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_round_trips),
        TEST(test_larger_table_with_dictionary),
        TEST(test_constant_and_free_tables),
        TEST(test_same_input_same_bytes),
        TEST(test_options_in_header),
        TEST(test_ranges),
        TEST(test_failing_source_leaves_nothing),
        TEST(test_bad_values_and_options),
        TEST(test_unwritable_directory),
        TEST(test_full_disk),
        TEST(test_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
