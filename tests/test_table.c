/* Table files from synthetic values: written, read back, and damaged in every way. Nothing here is about what
 * values mean. */
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

static struct table_summary write_synthetic(struct synthetic *synthetic, const struct table_options *options)
{
    char message[MESSAGE_SIZE];
    struct table_summary summary;
    struct table_source source = synthetic_source(synthetic);
    assert_int_equal(
        table_write(folder, synthetic->variant, synthetic->slice, &source, options, &summary, message),
        STATUS_OK);
    return summary;
}

static char *table_file(const struct synthetic *synthetic)
{
    char name[TABLE_NAME_SIZE];
    table_name_write(synthetic->slice, METRIC_WDL, name);
    return path_join(folder, name);
}

static enum status check(const char *path, const struct synthetic *synthetic)
{
    char message[MESSAGE_SIZE] = "";
    enum status status = table_check(path, synthetic->variant, synthetic->slice, NULL, NULL, message);
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
    assert_int_equal(table_open(path, synthetic->variant, synthetic->slice, NULL, &table, message),
                     STATUS_OK);
    assert_int_equal(block_reader_create(&reader), STATUS_OK);
    for (int i = 0; i < synthetic->members; i++) {
        uint64_t positions;
        uint8_t *values = malloc(synthetic->positions[i]);
        uint8_t *codes = plain_read(file, length, i, &positions);
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
        struct digest digest = digest_of(codes, synthetic->positions[i]);
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
    struct table_summary summary = write_synthetic(&synthetic, options);
    char *path = table_file(&synthetic);
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
    struct table_summary summary = write_synthetic(&synthetic, &options);
    char *path = table_file(&synthetic);
    assert_in_range(summary.header.dictionary_length, 256, MAX_DICTIONARY);
    compare(&synthetic, path);
    free(path);
    synthetic_destroy(&synthetic);
}

static void test_constant_and_free_tables(void **state)
{
    (void)state;
    round_trip("italian", "11v10", (struct synthetic_shape){1 << WIN, 0, 10, 1}, NULL);
    round_trip("italian", "11v10", (struct synthetic_shape){1 << LOSS, 100, 10, 1}, NULL);
    round_trip("italian", "11v10", (struct synthetic_shape){TERNARY, 256, 10, 1}, NULL);
    struct synthetic synthetic =
        synthetic_make("italian", "11v10", (struct synthetic_shape){1 << WIN, 100, 10, 1});
    struct table_summary summary = write_synthetic(&synthetic, NULL);
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
    write_synthetic(&synthetic, NULL);
    char *path = table_file(&synthetic);
    uint8_t *first = file_bytes(path, &first_length);
    write_synthetic(&synthetic, NULL);
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
    struct table_options options = {
        .distances_known = true, .greatest_win = {700, 5}, .greatest_loss = {6, 1034}};
    struct table_header header;
    (void)state;
    memset(options.inputs.bytes, 9, DIGEST_SIZE);
    write_synthetic(&synthetic, &options);
    char *path = table_file(&synthetic);
    assert_int_equal(table_header_read(path, &header, NULL), STATUS_OK);
    assert_int_equal(header.member[0].greatest_win, 700);
    assert_int_equal(header.member[1].greatest_loss, 1034);
    assert_true(digest_equal(&header.inputs, &options.inputs));
    free(path);
    synthetic_destroy(&synthetic);
}

static void test_ranges(void **state)
{
    struct synthetic synthetic = synthetic_make("italian", "02v01", (struct synthetic_shape){31, 0, 30, 3});
    struct table_options options = {.block_log2 = 8};
    struct table *table;
    struct block_reader *reader;
    uint8_t *values = malloc(synthetic.positions[1]);
    (void)state;
    write_synthetic(&synthetic, &options);
    char *path = table_file(&synthetic);
    assert_int_equal(table_open(path, synthetic.variant, synthetic.slice, NULL, &table, NULL), STATUS_OK);
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
    char *path = table_file(&synthetic);
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
    }
    struct synthetic synthetic =
        synthetic_make("italian", "12v01", (struct synthetic_shape){TERNARY, 20, 3, 1});
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

/* -- Damage -------------------------------------------------------------------------------------------- */

/* A small table in memory, and where damaged ones are written. */
struct victim {
    struct synthetic synthetic;
    uint8_t *bytes;
    size_t length;
    char *path;
};

static struct victim make_victim(void)
{
    struct synthetic_shape shape = {.values = TERNARY, .captures = 60, .run = 6, .seed = 3};
    struct table_options options = {.block_log2 = 9, .level = 3};
    struct victim victim = {.synthetic = synthetic_make("italian", "11v10", shape)};
    write_synthetic(&victim.synthetic, &options);
    victim.path = table_file(&victim.synthetic);
    victim.bytes = file_bytes(victim.path, &victim.length);
    return victim;
}

static void destroy_victim(struct victim *victim)
{
    synthetic_destroy(&victim->synthetic);
    free(victim->bytes);
    free(victim->path);
}

/* Status of checking the victim's bytes as they are now. */
static enum status check_bytes(const struct victim *victim, const uint8_t *bytes, size_t length)
{
    write_bytes(victim->path, bytes, length);
    return check(victim->path, &victim->synthetic);
}

static void test_truncation(void **state)
{
    struct victim victim = make_victim();
    (void)state;
    assert_in_range(victim.length, 2000, 20000);
    for (size_t length = 0; length < victim.length; length++)
        assert_int_equal(check_bytes(&victim, victim.bytes, length),
                         length < 8 ? STATUS_NOT_A_TABLE : STATUS_DAMAGED);
    uint8_t *longer = calloc(1, victim.length + 1);
    assert_non_null(longer);
    memcpy(longer, victim.bytes, victim.length);
    assert_int_equal(check_bytes(&victim, longer, victim.length + 1), STATUS_DAMAGED);
    free(longer);
    destroy_victim(&victim);
}

static void test_bit_flips(void **state)
{
    struct victim victim = make_victim();
    uint64_t random = 17;
    (void)state;
    for (int round = 0; round < 3000; round++) {
        size_t bit = random_next(&random) % (8 * victim.length);
        victim.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_int_equal(check_bytes(&victim, victim.bytes, victim.length),
                         bit < 64 ? STATUS_NOT_A_TABLE : STATUS_DAMAGED);
        victim.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    destroy_victim(&victim);
}

/* Damage behind a header and index that are sound shows in its block only, and there it shows always. */
static void test_damaged_block_alone(void **state)
{
    struct victim victim = make_victim();
    struct table *table;
    struct block_reader *reader;
    struct table_header header;
    uint8_t values[512 + DECODE_SLACK];
    (void)state;
    assert_int_equal(header_read(victim.bytes, HEADER_SIZE, &header, NULL), STATUS_OK);
    victim.bytes[header.member[1].data_offset + 20] ^= 4;
    write_bytes(victim.path, victim.bytes, victim.length);
    assert_int_equal(
        table_open(victim.path, victim.synthetic.variant, victim.synthetic.slice, NULL, &table, NULL),
        STATUS_OK);
    assert_int_equal(block_reader_create(&reader), STATUS_OK);
    int damaged = 0;
    for (int member = 0; member < 2; member++)
        for (uint64_t block = 0; block < table_blocks(table, member); block++) {
            enum status status = table_read_block(table, reader, member, block, values, NULL);
            damaged += status == STATUS_DAMAGED;
            for (uint64_t i = 0; status == STATUS_OK && i < 512; i++) {
                uint64_t number = block * 512 + i;
                if (number < victim.synthetic.positions[member] &&
                    !(victim.synthetic.values[member][number] & FETCHED_CAPTURE))
                    assert_int_equal(values[i], victim.synthetic.values[member][number]);
            }
        }
    assert_int_equal(damaged, 1);
    block_reader_destroy(reader);
    table_close(table);
    destroy_victim(&victim);
}

static void sign(uint8_t *bytes)
{
    store_64(bytes + 504, section_checksum(bytes, 504));
}

/* Signs the index of a member, then the header. */
static void sign_index(uint8_t *bytes, int member)
{
    uint8_t *at = bytes + 120 + 136 * member + 72;
    store_64(at + 16, section_checksum(bytes + load_64(at), load_64(at + 8)));
    sign(bytes);
}

/* Two stored blocks of member 0 that are not constant and follow one another. */
static void find_neighbours(const struct victim *victim, size_t *first, size_t *second, size_t *end,
                            uint8_t **entry)
{
    uint8_t *at = victim->bytes + 120 + 72;
    *entry = victim->bytes + load_64(at) + 8;
    *first = load_64(at + 24);
    assert_true(load_16(*entry) > CODE_LOSS && load_16(*entry + 2) > CODE_LOSS);
    *second = *first + load_16(*entry);
    *end = *second + load_16(*entry + 2);
}

static void test_blocks_in_wrong_places(void **state)
{
    struct victim victim = make_victim();
    size_t first;
    size_t second;
    size_t end;
    uint8_t *entry;
    (void)state;
    find_neighbours(&victim, &first, &second, &end, &entry);
    uint8_t *copy = malloc(victim.length);
    assert_non_null(copy);
    memcpy(copy, victim.bytes, victim.length);
    /* Swapped, with an index that knows and is signed anew: as a faulty program would do it. */
    memcpy(victim.bytes + first, copy + second, end - second);
    memcpy(victim.bytes + first + (end - second), copy + first, second - first);
    uint16_t size = load_16(entry);
    store_16(entry, load_16(entry + 2));
    store_16(entry + 2, size);
    sign_index(victim.bytes, 0);
    assert_int_equal(check_bytes(&victim, victim.bytes, victim.length), STATUS_DAMAGED);
    /* Doubled: the beginning of the second block is over the first. */
    memcpy(victim.bytes, copy, victim.length);
    memcpy(victim.bytes + first, copy + second,
           second - first < end - second ? second - first : end - second);
    assert_int_equal(check_bytes(&victim, victim.bytes, victim.length), STATUS_DAMAGED);
    /* The entries swapped without their blocks. */
    memcpy(victim.bytes, copy, victim.length);
    store_16(entry, load_16(copy + (entry - victim.bytes) + 2));
    store_16(entry + 2, load_16(copy + (entry - victim.bytes)));
    enum status unsigned_index = check_bytes(&victim, victim.bytes, victim.length);
    assert_true(unsigned_index == STATUS_DAMAGED || load_16(entry) == load_16(entry + 2));
    /* The members' data swapped. */
    memcpy(victim.bytes, copy, victim.length);
    for (size_t i = first; i < second; i++)
        victim.bytes[i] = copy[load_64(copy + 120 + 136 + 96) + i - first];
    assert_int_equal(check_bytes(&victim, victim.bytes, victim.length), STATUS_DAMAGED);
    free(copy);
    destroy_victim(&victim);
}

/* Values changed in the index and signed: what a constant block says must be in the alphabet, and what is no
 * constant block must lie in the data. */
static void test_forged_index(void **state)
{
    struct victim victim = make_victim();
    size_t first;
    size_t second;
    size_t end;
    uint8_t *entry;
    (void)state;
    find_neighbours(&victim, &first, &second, &end, &entry);
    uint16_t size = load_16(entry);
    const uint16_t forged[] = {0,      CODE_CURSED_WIN,      CODE_DRAW,           6,
                               0xffff, (uint16_t)(size - 1), (uint16_t)(size + 1)};
    for (size_t i = 0; i < sizeof forged / sizeof forged[0]; i++) {
        store_16(entry, forged[i]);
        sign_index(victim.bytes, 0);
        assert_int_equal(check_bytes(&victim, victim.bytes, victim.length), STATUS_DAMAGED);
    }
    store_16(entry, size);
    store_64(entry - 8, 1); /* the base of the group */
    sign_index(victim.bytes, 0);
    assert_int_equal(check_bytes(&victim, victim.bytes, victim.length), STATUS_DAMAGED);
    destroy_victim(&victim);
}

/* True if another byte there leaves a table that can be read: alphabet, frame prefix, inputs; distances and
 * the digest of the values of a member. */
static bool is_free_at(size_t at)
{
    size_t in_member = at >= 120 && at < 392 ? (at - 120) % 136 : 0;
    return (at >= 56 && at < 61) || (at >= 64 && at < 70) || (at >= 80 && at < 96) ||
           (in_member >= 48 && in_member < 72);
}

/* Headers with a right checksum over anything must not crash nor allocate without bounds. */
static void test_forged_header(void **state)
{
    struct victim victim = make_victim();
    uint8_t header[HEADER_SIZE];
    uint64_t random = 23;
    (void)state;
    memcpy(header, victim.bytes, HEADER_SIZE);
    for (int round = 0; round < 3000; round++) {
        memcpy(victim.bytes, header, HEADER_SIZE);
        size_t at = 8 + random_next(&random) % 480;
        if (round % 2)
            memset(victim.bytes + at, 0xff, 1 + random_next(&random) % 8);
        else
            victim.bytes[at] = (uint8_t)random_next(&random);
        bool may_pass = true;
        for (size_t i = 8; i < 504; i++)
            may_pass &= victim.bytes[i] == header[i] || is_free_at(i);
        sign(victim.bytes);
        if (check_bytes(&victim, victim.bytes, victim.length) == STATUS_OK && !may_pass)
            fail_msg("a change at %zu passed", at);
    }
    destroy_victim(&victim);
}

static void test_identity(void **state)
{
    struct victim victim = make_victim();
    struct slice other = {0, 2, 0, 1};
    char message[MESSAGE_SIZE];
    (void)state;
    assert_int_equal(
        table_check(victim.path, variant_named("portuguese"), victim.synthetic.slice, NULL, NULL, message),
        STATUS_WRONG_VARIANT);
    assert_int_equal(table_check(victim.path, victim.synthetic.variant, other, NULL, NULL, message),
                     STATUS_WRONG_SLICE);
    victim.bytes[40] ^= 1;
    sign(victim.bytes);
    assert_int_equal(check_bytes(&victim, victim.bytes, victim.length), STATUS_WRONG_RULES);
    victim.bytes[40] ^= 1;
    victim.bytes[12] = METRIC_DTZ;
    sign(victim.bytes);
    assert_int_equal(check_bytes(&victim, victim.bytes, victim.length), STATUS_WRONG_SLICE);
    victim.bytes[12] = METRIC_WDL;
    victim.bytes[8] = FORMAT_VERSION + 1;
    sign(victim.bytes);
    assert_int_equal(check_bytes(&victim, victim.bytes, victim.length), STATUS_NEWER_FORMAT);
    destroy_victim(&victim);
}

static void test_what_is_no_table(void **state)
{
    struct victim victim = make_victim();
    struct table *table;
    char message[MESSAGE_SIZE];
    (void)state;
    assert_int_equal(check_bytes(&victim, (const uint8_t *)"hello", 5), STATUS_NOT_A_TABLE);
    /* A transfer as text made one line end of two. */
    memmove(victim.bytes + 4, victim.bytes + 5, victim.length - 5);
    assert_int_equal(check_bytes(&victim, victim.bytes, victim.length - 1), STATUS_NOT_A_TABLE);
    assert_int_equal(
        table_open(folder, victim.synthetic.variant, victim.synthetic.slice, NULL, &table, message),
        STATUS_NOT_A_TABLE);
    char *pipe_path = path_join(folder, "pipe");
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    assert_int_equal(
        table_open(pipe_path, victim.synthetic.variant, victim.synthetic.slice, NULL, &table, message),
        STATUS_NOT_A_TABLE);
    unlink(victim.path);
    assert_int_equal(
        table_open(victim.path, victim.synthetic.variant, victim.synthetic.slice, NULL, &table, message),
        STATUS_NO_TABLE);
    assert_null(table);
    free(pipe_path);
    destroy_victim(&victim);
}

/* -- Files that change while they are open ------------------------------------------------------------- */

static void test_shrinking_file(void **state)
{
    struct victim victim = make_victim();
    struct table *table;
    struct block_reader *reader;
    uint8_t values[512 + DECODE_SLACK];
    (void)state;
    assert_int_equal(
        table_open(victim.path, victim.synthetic.variant, victim.synthetic.slice, NULL, &table, NULL),
        STATUS_OK);
    assert_int_equal(block_reader_create(&reader), STATUS_OK);
    assert_int_equal(truncate(victim.path, HEADER_SIZE + 10), 0);
    assert_int_equal(table_read_block(table, reader, 0, 0, values, NULL), STATUS_DAMAGED);
    block_reader_destroy(reader);
    table_close(table);
    destroy_victim(&victim);
}

/* With one descriptor for two tables each read opens its file again. */
static void test_pool_of_one(void **state)
{
    static const char *const slices[2] = {"11v10", "02v01"};
    struct synthetic synthetic[2];
    struct table *tables[2];
    char *paths[2];
    struct file_pool pool;
    struct block_reader *reader;
    uint8_t values[512 + DECODE_SLACK];
    struct table_options options = {.block_log2 = 9};
    (void)state;
    assert_int_equal(file_pool_init(&pool, 1), STATUS_OK);
    assert_int_equal(block_reader_create(&reader), STATUS_OK);
    for (int i = 0; i < 2; i++) {
        synthetic[i] = synthetic_make("italian", slices[i], (struct synthetic_shape){31, 0, 5, 9});
        write_synthetic(&synthetic[i], &options);
        paths[i] = table_file(&synthetic[i]);
        assert_int_equal(
            table_open(paths[i], synthetic[i].variant, synthetic[i].slice, &pool, &tables[i], NULL),
            STATUS_OK);
    }
    for (int round = 0; round < 20; round++) {
        struct synthetic *of = &synthetic[round % 2];
        assert_int_equal(table_read_block(tables[round % 2], reader, 1, (uint64_t)round, values, NULL),
                         STATUS_OK);
        assert_memory_equal(values, of->values[1] + 512 * round, 512);
        assert_int_equal(pool.open, 1);
    }
    /* Another table of the same name: it must not be read with the old one's index. */
    assert_int_equal(table_read_block(tables[1], reader, 0, 0, values, NULL), STATUS_OK);
    synthetic_destroy(&synthetic[0]);
    synthetic[0] = synthetic_make("italian", slices[0], (struct synthetic_shape){31, 0, 5, 10});
    write_synthetic(&synthetic[0], &options);
    for (int round = 0; round < 3; round++)
        assert_int_equal(table_read_block(tables[0], reader, 0, 0, values, NULL), STATUS_DAMAGED);
    for (int i = 0; i < 2; i++) {
        table_close(tables[i]);
        free(paths[i]);
        synthetic_destroy(&synthetic[i]);
    }
    block_reader_destroy(reader);
    file_pool_destroy(&pool);
}

static void test_messages(void **state)
{
    char message[MESSAGE_SIZE];
    char path[4000];
    (void)state;
    memset(path, 'x', sizeof path);
    strcpy(path + sizeof path - 20, "/italian/21v10.wdl");
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
        TEST(test_truncation),
        TEST(test_bit_flips),
        TEST(test_damaged_block_alone),
        TEST(test_blocks_in_wrong_places),
        TEST(test_forged_index),
        TEST(test_forged_header),
        TEST(test_identity),
        TEST(test_what_is_no_table),
        TEST(test_shrinking_file),
        TEST(test_pool_of_one),
        TEST(test_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
