/* Tables damaged, renamed, forged, or changed while they are open: noticed, each in its own way, and never a
 * crash. */
#include "synthetic.h"
#include "temporary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char *folder;

enum { TERNARY = 1 << WIN | 1 << DRAW | 1 << LOSS };

static enum status check(const char *path, const struct synthetic *synthetic)
{
    char message[MESSAGE_SIZE] = "";
    enum status status =
        table_check(path, synthetic->variant, synthetic->slice, METRIC_WDL, NULL, NULL, message);
    assert_true((status == STATUS_OK) == (message[0] == '\0'));
    assert_true(status == STATUS_OK || strstr(message, "21v10") || strstr(message, "v"));
    return status;
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
    synthetic_write(&victim.synthetic, folder, &options);
    victim.path = synthetic_path(&victim.synthetic, folder);
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
    assert_int_equal(table_open(victim.path, victim.synthetic.variant, victim.synthetic.slice, METRIC_WDL,
                                NULL, &table, NULL),
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
    uint8_t *at = bytes + 120 + (member ? 136 : 0) + 72;
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

/* True if another byte there leaves a table that can be read: alphabet, frame prefix, inputs; the digest of
 * the values of a member. */
static bool is_free_at(size_t at)
{
    size_t in_member = at >= 120 && at < 392 ? (at - 120) % 136 : 0;
    return (at >= 56 && at < 61) || (at >= 64 && at < 70) || (at >= 80 && at < 96) ||
           (in_member >= 56 && in_member < 72);
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

/* A table of each variant is none of any other, also where the rules of both give the same values. */
static void test_tables_of_other_variants(void **state)
{
    struct synthetic_shape shape = {.values = TERNARY, .captures = 60, .run = 6, .seed = 3};
    (void)state;
    for (size_t v = 0; v < variant_count; v++) {
        char message[MESSAGE_SIZE];
        struct synthetic synthetic = synthetic_make(variant_table[v]->rules.name, "01v01", shape);
        synthetic_write(&synthetic, folder, &(struct table_options){.block_log2 = 9, .level = 1});
        char *path = synthetic_path(&synthetic, folder);
        for (size_t w = 0; w < variant_count; w++) {
            enum status status =
                table_check(path, variant_table[w], synthetic.slice, METRIC_WDL, NULL, NULL, message);
            if (status != (v == w ? STATUS_OK : STATUS_WRONG_VARIANT))
                fail_msg("a table of %s as one of %s: %s", variant_table[v]->rules.name,
                         variant_table[w]->rules.name, status_text(status));
            if (v != w)
                assert_non_null(strstr(message, "01v01.wdl: table of another variant"));
        }
        free(path);
        synthetic_destroy(&synthetic);
    }
}

/* A table of the right name made under the rules of another row: refused, and never taken for damage. */
static void test_tables_of_other_rules(void **state)
{
    struct victim victim = make_victim();
    (void)state;
    for (size_t v = 0; v < variant_count; v++) {
        char message[MESSAGE_SIZE];
        bool same = variant_table[v] == victim.synthetic.variant;
        store_64(victim.bytes + 40, variant_fingerprint(variant_table[v]));
        sign(victim.bytes);
        write_bytes(victim.path, victim.bytes, victim.length);
        assert_int_equal(table_check(victim.path, victim.synthetic.variant, victim.synthetic.slice,
                                     METRIC_WDL, NULL, NULL, message),
                         same ? STATUS_OK : STATUS_WRONG_RULES);
        if (same)
            continue;
        assert_non_null(strstr(message, "11v10.wdl: table made under other rules ("));
        assert_non_null(strstr(message, variant_table[v]->rules.name));
    }
    destroy_victim(&victim);
}

static void test_identity(void **state)
{
    struct victim victim = make_victim();
    struct slice other = {0, 2, 0, 1};
    char message[MESSAGE_SIZE];
    (void)state;
    assert_int_equal(table_check(victim.path, variant_named("portuguese"), victim.synthetic.slice, METRIC_WDL,
                                 NULL, NULL, message),
                     STATUS_WRONG_VARIANT);
    assert_int_equal(
        table_check(victim.path, victim.synthetic.variant, other, METRIC_WDL, NULL, NULL, message),
        STATUS_WRONG_SLICE);
    victim.bytes[40] ^= 1;
    sign(victim.bytes);
    assert_int_equal(check_bytes(&victim, victim.bytes, victim.length), STATUS_WRONG_RULES);
    victim.bytes[40] ^= 1;
    victim.bytes[12] = METRIC_DTZ; /* whose header has other fields */
    sign(victim.bytes);
    assert_int_equal(check_bytes(&victim, victim.bytes, victim.length), STATUS_DAMAGED);
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
    assert_int_equal(table_open(folder, victim.synthetic.variant, victim.synthetic.slice, METRIC_WDL, NULL,
                                &table, message),
                     STATUS_NOT_A_TABLE);
    char *pipe_path = path_join(folder, "pipe");
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    assert_int_equal(table_open(pipe_path, victim.synthetic.variant, victim.synthetic.slice, METRIC_WDL, NULL,
                                &table, message),
                     STATUS_NOT_A_TABLE);
    unlink(victim.path);
    assert_int_equal(table_open(victim.path, victim.synthetic.variant, victim.synthetic.slice, METRIC_WDL,
                                NULL, &table, message),
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
    assert_int_equal(table_open(victim.path, victim.synthetic.variant, victim.synthetic.slice, METRIC_WDL,
                                NULL, &table, NULL),
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
        synthetic[i] = synthetic_make(
            "italian", slices[i], (struct synthetic_shape){.values = 31, .captures = 0, .run = 5, .seed = 9});
        synthetic_write(&synthetic[i], folder, &options);
        paths[i] = synthetic_path(&synthetic[i], folder);
        assert_int_equal(table_open(paths[i], synthetic[i].variant, synthetic[i].slice, METRIC_WDL, &pool,
                                    &tables[i], NULL),
                         STATUS_OK);
    }
    for (int round = 0; round < 20; round++) {
        struct synthetic *of = &synthetic[round % 2];
        assert_int_equal(table_read_block(tables[round % 2], reader, 1, (uint64_t)round, values, NULL),
                         STATUS_OK);
        assert_memory_equal(values, of->values[1] + (size_t)512 * (size_t)round, 512);
        assert_int_equal(pool.open, 1);
    }
    /* Another table of the same name: it must not be read with the old one's index. */
    assert_int_equal(table_read_block(tables[1], reader, 0, 0, values, NULL), STATUS_OK);
    synthetic_destroy(&synthetic[0]);
    synthetic[0] = synthetic_make(
        "italian", slices[0], (struct synthetic_shape){.values = 31, .captures = 0, .run = 5, .seed = 10});
    synthetic_write(&synthetic[0], folder, &options);
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
        TEST(test_truncation),
        TEST(test_bit_flips),
        TEST(test_damaged_block_alone),
        TEST(test_blocks_in_wrong_places),
        TEST(test_forged_index),
        TEST(test_forged_header),
        TEST(test_identity),
        TEST(test_tables_of_other_variants),
        TEST(test_tables_of_other_rules),
        TEST(test_what_is_no_table),
        TEST(test_shrinking_file),
        TEST(test_pool_of_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
