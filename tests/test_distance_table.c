/* Tables of distances: written, read back by the library and by the plain reader, every value kept; damaged,
 * and forged. Tables of values are in test_table.c and test_damage.c. */
#include "distance.h"
#include "plain_reader.h"
#include "synthetic.h"
#include "temporary.h"

#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static char *folder;

enum { ALL_VALUES = 31, TERNARY = 1 << WIN | 1 << DRAW | 1 << LOSS };

/* Depths that other programs once had no room for: a byte, ten bits, and the longest win of some chess
 * tables. */
static_assert(MOST_DISTANCE > 255 && MOST_DISTANCE > 1023 && MOST_DISTANCE > 1034,
              "distances are no bytes and no ten bits");
static_assert(MOST_DISTANCE <= UINT16_MAX && MOST_DISTANCES == MOST_DISTANCE + 1,
              "every distance has a symbol, and a symbol 16 bits");
static_assert(NO_DISTANCE > MOST_DISTANCE, "none is no distance");

static const struct synthetic_shape usual = {
    .values = TERNARY, .captures = 60, .run = 6, .seed = 3, .distances = 40, .farthest = 79};

static enum status check(const char *path, const struct synthetic *synthetic, char *message)
{
    return table_check(path, synthetic->variant, synthetic->slice, METRIC_DTZ, NULL, NULL, message);
}

/* -- Round trips --------------------------------------------------------------------------------------- */

static bool is_asked(const struct synthetic *synthetic, int member, uint64_t number)
{
    uint8_t byte = synthetic->values[member][number];
    return byte != DRAW && !(byte & FETCHED_CAPTURE);
}

static struct table *open_it(const struct synthetic *synthetic, const char *path)
{
    char message[MESSAGE_SIZE] = "";
    struct table *table;
    if (table_open(path, synthetic->variant, synthetic->slice, METRIC_DTZ, NULL, &table, message) !=
        STATUS_OK)
        fail_msg("%s", message);
    return table;
}

/* What the library and the plain reader read is what was written. */
static void compare_member(const struct synthetic *synthetic, const struct table *table,
                           struct block_reader *reader, const uint16_t *plain, int member)
{
    uint64_t positions = synthetic->positions[member];
    uint16_t *read = malloc(positions * sizeof *read);
    assert_non_null(read);
    assert_int_equal(table_read_distance_range(table, reader, member, 0, positions, read), STATUS_OK);
    for (uint64_t number = 0; number < positions; number++) {
        uint16_t distance = synthetic->distances[member][number];
        if (is_asked(synthetic, member, number) && (distance != read[number] || distance != plain[number]))
            fail_msg("position %llu: %u, read %u, plainly %u", (unsigned long long)number, distance,
                     read[number], plain[number]);
    }
    assert_int_equal(table_read_distance_range(table, reader, member, positions, 1, read),
                     STATUS_BAD_ARGUMENT);
    free(read);
}

static void compare(const struct synthetic *synthetic, const char *path)
{
    size_t length;
    struct block_reader *reader;
    uint8_t *file = file_bytes(path, &length);
    struct table *table = open_it(synthetic, path);
    assert_int_equal(block_reader_create(&reader), STATUS_OK);
    for (int i = 0; i < synthetic->members; i++) {
        uint64_t positions;
        uint16_t *plain = plain_read(file, length, i, &positions);
        assert_non_null(plain);
        assert_int_equal(positions, synthetic->positions[i]);
        compare_member(synthetic, table, reader, plain, i);
        free(plain);
    }
    block_reader_destroy(reader);
    table_close(table);
    free(file);
}

static uint32_t greatest(const struct synthetic *synthetic, int member, enum value value)
{
    uint32_t greatest = NO_DISTANCE;
    for (uint64_t number = 0; number < synthetic->positions[member]; number++) {
        uint32_t distance = synthetic->distances[member][number];
        if ((synthetic->values[member][number] & ~FETCHED_CAPTURE) == (int)value &&
            (greatest == NO_DISTANCE || distance > greatest))
            greatest = distance;
    }
    return greatest;
}

/* Counts, greatest distances and digest are of all positions, captures too. */
static void compare_header(const struct synthetic *synthetic, const struct table_header *header)
{
    assert_int_equal(header->metric, METRIC_DTZ);
    assert_int_equal(header->alphabet_size, 0);
    for (int i = 0; i < synthetic->members; i++) {
        uint64_t counts[VALUES] = {0};
        uint8_t *bytes = malloc(2 * synthetic->positions[i]);
        assert_non_null(bytes);
        for (uint64_t number = 0; number < synthetic->positions[i]; number++) {
            counts[synthetic->values[i][number] & ~FETCHED_CAPTURE]++;
            bytes[2 * number] = (uint8_t)(synthetic->distances[i][number] & 255);
            bytes[2 * number + 1] = (uint8_t)(synthetic->distances[i][number] >> 8);
        }
        struct digest digest = synthetic_digest(bytes, synthetic->positions[i], 2);
        assert_memory_equal(counts, header->member[i].counts, sizeof counts);
        assert_true(digest_equal(&digest, &header->member[i].values));
        assert_true(header->member[i].greatest_win == greatest(synthetic, i, WIN));
        assert_true(header->member[i].greatest_loss == greatest(synthetic, i, LOSS));
        free(bytes);
    }
}

/* The list in the file: most frequent first, of equals the lowest, none that is not asked for. */
static void compare_list(const struct synthetic *synthetic, const char *path, uint32_t distance_count)
{
    size_t length;
    uint8_t *file = file_bytes(path, &length);
    uint64_t *counts = calloc(MOST_DISTANCES, sizeof *counts);
    assert_true(file && counts);
    for (int i = 0; i < synthetic->members; i++)
        for (uint64_t number = 0; number < synthetic->positions[i]; number++)
            counts[synthetic->distances[i][number]] += is_asked(synthetic, i, number);
    uint32_t different = 0;
    for (uint32_t distance = 0; distance < MOST_DISTANCES; distance++)
        different += counts[distance] > 0;
    assert_int_equal(distance_count, different ? different : 1);
    for (uint32_t symbol = 1; symbol < distance_count; symbol++) {
        unsigned before = load_16(file + 512 + 2 * (size_t)(symbol - 1));
        unsigned distance = load_16(file + 512 + 2 * (size_t)symbol);
        assert_true(counts[before] > counts[distance] ||
                    (counts[before] == counts[distance] && before < distance));
        assert_true(counts[distance] > 0);
    }
    free(counts);
    free(file);
}

/* Writes, reads and compares; returns how many different distances the table has. */
static uint32_t round_trip(const char *variant, const char *slice, struct synthetic_shape shape,
                           struct table_options options)
{
    char message[MESSAGE_SIZE] = "";
    struct table_header header;
    struct synthetic synthetic = synthetic_make(variant, slice, shape);
    options.metric = METRIC_DTZ;
    struct table_summary summary = synthetic_write(&synthetic, folder, &options);
    char *path = synthetic_path_of(&synthetic, folder, METRIC_DTZ);
    compare(&synthetic, path);
    compare_header(&synthetic, &summary.header);
    assert_int_equal(table_header_read(path, &header, message), STATUS_OK);
    compare_header(&synthetic, &header);
    compare_list(&synthetic, path, header.distance_count);
    assert_int_equal(check(path, &synthetic, message), STATUS_OK);
    assert_string_equal(summary.entry.name + 5, ".dtz");
    free(path);
    synthetic_destroy(&synthetic);
    return header.distance_count;
}

static void test_round_trips(void **state)
{
    static const char *const slices[] = {"10v10", "02v01", "11v10", "11v11", "20v01"};
    static const char *const variants[] = {"italian", "portuguese", "turkish", "russian"};
    static const uint32_t distances[] = {1, 2, 5, 6, 40, 255, 256, 257, 700};
    (void)state;
    uint64_t random = 7;
    for (unsigned round = 0; round < 60; round++) {
        struct synthetic_shape shape = {.values = 1 + round * 7 % 31,
                                        .captures = round % 5 * 60,
                                        .run = 1 + (unsigned)(random_next(&random) % 50),
                                        .seed = round,
                                        .distances = distances[round % 9]};
        shape.farthest = round % 2 ? shape.distances : 40 * shape.distances;
        struct table_options options = {.level = 1, .block_log2 = (int)(round % 3 == 0 ? 0 : 8 + round % 7)};
        round_trip(variants[round % 4], slices[round % 5], shape, options);
    }
}

/* More plies than a byte or ten bits have, and more different ones. */
static void test_many_and_far(void **state)
{
    struct synthetic_shape shape = {
        .values = ALL_VALUES, .captures = 30, .run = 2, .seed = 5, .distances = 1200, .farthest = 1199};
    (void)state;
    assert_in_range(round_trip("russian", "02v01", shape, (struct table_options){0}), 1001, 1200);
    shape.distances = 300;
    shape.farthest = 1034;
    assert_in_range(round_trip("portuguese", "02v01", shape, (struct table_options){0}), 257, 300);
    shape.farthest = MOST_DISTANCE;
    assert_in_range(round_trip("italian", "11v01", shape, (struct table_options){.block_log2 = 14}), 257,
                    300);
    shape = (struct synthetic_shape){.values = 1 << WIN, .run = 1, .seed = 6, .distances = MOST_DISTANCES};
    shape.farthest = MOST_DISTANCE;
    assert_in_range(round_trip("russian", "02v11", shape, (struct table_options){.block_log2 = 14}), 60000,
                    MOST_DISTANCES);
}

static void test_constant_and_free_tables(void **state)
{
    struct synthetic_shape shape = {
        .values = 1 << WIN, .captures = 100, .run = 10, .seed = 1, .distances = 1, .farthest = 700};
    (void)state;
    assert_int_equal(round_trip("russian", "11v10", shape, (struct table_options){0}), 1);
    shape.values = 1 << DRAW;
    assert_int_equal(round_trip("russian", "11v10", shape, (struct table_options){0}), 1);
    shape.values = TERNARY;
    shape.captures = 256;
    assert_int_equal(round_trip("italian", "11v10", shape, (struct table_options){0}), 1);
}

/* Blocks of one distance are in the index where its symbol is below five, and else stored. */
static void test_constant_blocks(void **state)
{
    enum { KINDS = 8 };
    struct synthetic_shape shape = usual;
    shape.values = 1 << WIN;
    struct synthetic synthetic = synthetic_make("russian", "02v01", shape);
    struct table_options options = {.metric = METRIC_DTZ, .block_log2 = 9};
    (void)state;
    for (int i = 0; i < synthetic.members; i++)
        for (uint64_t number = 0; number < synthetic.positions[i]; number++)
            if (is_asked(&synthetic, i, number))
                synthetic.distances[i][number] = (uint16_t)(1000 + number / 512 % KINDS);
    struct table_summary summary = synthetic_write(&synthetic, folder, &options);
    char *path = synthetic_path_of(&synthetic, folder, METRIC_DTZ);
    compare(&synthetic, path);
    assert_int_equal(summary.header.distance_count, KINDS);
    assert_in_range(summary.constant_blocks, summary.blocks * 5 / KINDS - 3, summary.blocks * 5 / KINDS + 5);
    struct table *table = open_it(&synthetic, path);
    uint64_t constant = 0;
    for (int i = 0; i < synthetic.members; i++)
        for (uint64_t block = 0; block < table_blocks(table, i); block++) {
            uint16_t distance;
            enum value value;
            assert_false(table_block_constant(table, i, block, &value));
            if (!table_block_constant_distance(table, i, block, &distance))
                continue;
            assert_int_equal(distance, 1000 + block % KINDS);
            constant++;
        }
    assert_int_equal(constant, summary.constant_blocks);
    table_close(table);
    free(path);
    synthetic_destroy(&synthetic);
}

static void test_ranges(void **state)
{
    struct synthetic_shape shape = usual;
    shape.captures = 0;
    shape.values = 1 << WIN | 1 << LOSS;
    struct synthetic synthetic = synthetic_make("italian", "02v01", shape);
    struct table_options options = {.metric = METRIC_DTZ, .block_log2 = 8};
    struct block_reader *reader;
    uint16_t *read = malloc(synthetic.positions[1] * sizeof *read);
    uint8_t values[256 + DECODE_SLACK];
    (void)state;
    synthetic_write(&synthetic, folder, &options);
    char *path = synthetic_path_of(&synthetic, folder, METRIC_DTZ);
    struct table *table = open_it(&synthetic, path);
    assert_int_equal(block_reader_create(&reader), STATUS_OK);
    uint64_t random = 11;
    for (int round = 0; round < 300; round++) {
        uint64_t first = random_next(&random) % synthetic.positions[1];
        uint64_t count = random_next(&random) % (synthetic.positions[1] - first + 1) % 1500;
        assert_int_equal(table_read_distance_range(table, reader, 1, first, count, read), STATUS_OK);
        assert_memory_equal(read, synthetic.distances[1] + first, count * sizeof *read);
    }
    assert_int_equal(table_read_block(table, reader, 0, 0, values, NULL), STATUS_BAD_ARGUMENT);
    assert_int_equal(table_read_values(table, reader, 0, 0, 1, values), STATUS_BAD_ARGUMENT);
    block_reader_destroy(reader);
    table_close(table);
    free(read);
    free(path);
    synthetic_destroy(&synthetic);
}

/* A table of values says nothing else beside one of distances, and neither is taken for the other. */
static void test_beside_values(void **state)
{
    struct synthetic synthetic = synthetic_make("italian", "11v10", usual);
    struct table *table;
    struct block_reader *reader;
    uint16_t distances[1 << DEFAULT_BLOCK_LOG2];
    size_t length[2];
    (void)state;
    struct table_summary summary = synthetic_write(&synthetic, folder, NULL);
    char *path = synthetic_path(&synthetic, folder);
    char *other = synthetic_path_of(&synthetic, folder, METRIC_DTZ);
    uint8_t *before = file_bytes(path, &length[0]);
    synthetic_write(&synthetic, folder, &(struct table_options){.metric = METRIC_DTZ});
    uint8_t *after = file_bytes(path, &length[1]);
    assert_int_equal(length[0], length[1]);
    assert_memory_equal(before, after, length[0]);
    assert_true(summary.header.member[0].greatest_win == NO_DISTANCE);
    assert_int_equal(table_open(path, synthetic.variant, synthetic.slice, METRIC_DTZ, NULL, &table, NULL),
                     STATUS_WRONG_SLICE);
    assert_int_equal(table_open(other, synthetic.variant, synthetic.slice, METRIC_WDL, NULL, &table, NULL),
                     STATUS_WRONG_SLICE);
    assert_int_equal(table_open(path, synthetic.variant, synthetic.slice, METRIC_WDL, NULL, &table, NULL),
                     STATUS_OK);
    assert_int_equal(block_reader_create(&reader), STATUS_OK);
    assert_int_equal(table_read_distances(table, reader, 0, 0, distances, NULL), STATUS_BAD_ARGUMENT);
    assert_int_equal(table_read_distance_range(table, reader, 0, 0, 1, distances), STATUS_BAD_ARGUMENT);
    assert_false(table_block_constant_distance(table, 0, 0, distances));
    block_reader_destroy(reader);
    table_close(table);
    free(before);
    free(after);
    free(path);
    free(other);
    synthetic_destroy(&synthetic);
}

/* -- Writing that fails -------------------------------------------------------------------------------- */

static enum status try_writing(struct synthetic *synthetic, struct table_options options, char *message)
{
    struct table_source source = synthetic_source(synthetic);
    options.metric = METRIC_DTZ;
    return table_write(folder, synthetic->variant, synthetic->slice, &source, &options, NULL, message);
}

static void test_failing_source_leaves_nothing(void **state)
{
    char message[MESSAGE_SIZE];
    struct synthetic synthetic = synthetic_make("italian", "11v10", usual);
    char *path = synthetic_path_of(&synthetic, folder, METRIC_DTZ);
    int failures = 0;
    (void)state;
    unlink(path);
    for (;; failures++) {
        synthetic.fetches_left = failures;
        enum status status = try_writing(&synthetic, (struct table_options){0}, message);
        if (status == STATUS_OK)
            break;
        assert_int_equal(status, STATUS_INTERRUPTED);
        assert_non_null(strstr(message, "11v10.dtz"));
        assert_false(file_exists(path));
    }
    assert_true(failures > 10);
    free(path);
    synthetic_destroy(&synthetic);
}

/* The first position that is so; there must be one. */
static uint64_t find(const struct synthetic *synthetic, uint8_t byte)
{
    uint64_t number = 0;
    while (synthetic->values[0][number] != byte)
        assert_true(++number < synthetic->positions[0]);
    return number;
}

static void expect_misfit(struct synthetic *synthetic, uint8_t byte, uint16_t distance)
{
    char message[MESSAGE_SIZE];
    uint64_t number = find(synthetic, byte);
    uint16_t right = synthetic->distances[0][number];
    assert_int_equal(try_writing(synthetic, (struct table_options){0}, message), STATUS_OK);
    synthetic->distances[0][number] = distance;
    assert_int_equal(try_writing(synthetic, (struct table_options){0}, message), STATUS_BAD_ARGUMENT);
    assert_non_null(strstr(message, "does not fit its value"));
    synthetic->distances[0][number] = right;
}

/* What a table cannot say, or would not say, is refused. */
static void test_distances_that_do_not_fit(void **state)
{
    struct synthetic_shape shape = usual;
    shape.values = ALL_VALUES;
    shape.farthest = 120;
    struct synthetic synthetic = synthetic_make("italian", "11v11", shape);
    (void)state;
    assert_int_equal(synthetic.variant->rules.limit, 80);
    expect_misfit(&synthetic, DRAW, 1);
    expect_misfit(&synthetic, WIN, 81);
    expect_misfit(&synthetic, LOSS, 81);
    expect_misfit(&synthetic, CURSED_WIN, 80);
    expect_misfit(&synthetic, BLESSED_LOSS, 80);
    expect_misfit(&synthetic, FETCHED_CAPTURE | WIN, 2);
    expect_misfit(&synthetic, FETCHED_CAPTURE | LOSS, 0);
    expect_misfit(&synthetic, FETCHED_CAPTURE | CURSED_WIN, 82);
    expect_misfit(&synthetic, FETCHED_CAPTURE | DRAW, 1);
    synthetic_destroy(&synthetic);
}

static void test_bad_options(void **state)
{
    char message[MESSAGE_SIZE];
    struct synthetic synthetic = synthetic_make("italian", "11v10", usual);
    static const struct table_options bad[] = {
        {.block_log2 = 7}, {.block_log2 = 15}, {.level = 23}, {.payload = PAYLOAD_PACKED}};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(try_writing(&synthetic, bad[i], message), STATUS_BAD_ARGUMENT);
    struct table_source source = synthetic_source(&synthetic);
    source.fetch_distances = NULL;
    assert_int_equal(table_write(folder, synthetic.variant, synthetic.slice, &source,
                                 &(struct table_options){.metric = METRIC_DTZ}, NULL, message),
                     STATUS_BAD_ARGUMENT);
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

static struct victim make_victim(uint32_t distances)
{
    struct synthetic_shape shape = usual;
    struct table_options options = {.metric = METRIC_DTZ, .block_log2 = 9, .level = 3};
    shape.distances = distances;
    shape.farthest = 2 * distances;
    struct victim victim = {.synthetic = synthetic_make("russian", "11v10", shape)};
    synthetic_write(&victim.synthetic, folder, &options);
    victim.path = synthetic_path_of(&victim.synthetic, folder, METRIC_DTZ);
    victim.bytes = file_bytes(victim.path, &victim.length);
    return victim;
}

static void destroy_victim(struct victim *victim)
{
    synthetic_destroy(&victim->synthetic);
    free(victim->bytes);
    free(victim->path);
}

static enum status check_bytes(const struct victim *victim, size_t length)
{
    char message[MESSAGE_SIZE] = "";
    write_bytes(victim->path, victim->bytes, length);
    enum status status = check(victim->path, &victim->synthetic, message);
    assert_true((status == STATUS_OK) == (message[0] == '\0'));
    return status;
}

static void test_truncation(void **state)
{
    struct victim victim = make_victim(300);
    (void)state;
    assert_in_range(victim.length, 2000, 40000);
    for (size_t length = 0; length < victim.length; length += length < 1200 ? 1 : 7)
        assert_int_equal(check_bytes(&victim, length), length < 8 ? STATUS_NOT_A_TABLE : STATUS_DAMAGED);
    assert_int_equal(check_bytes(&victim, victim.length), STATUS_OK);
    destroy_victim(&victim);
}

static void test_bit_flips(void **state)
{
    uint64_t random = 17;
    (void)state;
    for (uint32_t distances = 40; distances <= 300; distances += 260) {
        struct victim victim = make_victim(distances);
        for (int round = 0; round < 3000; round++) {
            size_t bits = 8 * (round % 2 ? victim.length : 1200);
            size_t bit = random_next(&random) % bits;
            victim.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
            assert_int_equal(check_bytes(&victim, victim.length),
                             bit < 64 ? STATUS_NOT_A_TABLE : STATUS_DAMAGED);
            victim.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        destroy_victim(&victim);
    }
}

static void sign(uint8_t *bytes)
{
    store_64(bytes + 504, section_checksum(bytes, 504));
}

/* Forges a field of the header and signs it. */
static void expect_damaged(struct victim *victim, size_t at, uint8_t byte)
{
    uint8_t before = victim->bytes[at];
    assert_int_not_equal(before, byte);
    victim->bytes[at] = byte;
    sign(victim->bytes);
    assert_int_equal(check_bytes(victim, victim->length), STATUS_DAMAGED);
    victim->bytes[at] = before;
    sign(victim->bytes);
}

static void test_forged_header(void **state)
{
    struct victim victim = make_victim(40);
    (void)state;
    expect_damaged(&victim, 12, METRIC_WDL);
    expect_damaged(&victim, 53, 15); /* larger blocks than such tables have */
    expect_damaged(&victim, 54, PAYLOAD_RUNS);
    expect_damaged(&victim, 54, PAYLOAD_NONE); /* with blocks that are stored */
    expect_damaged(&victim, 55, 1);            /* an alphabet */
    expect_damaged(&victim, 56, CODE_WIN);
    expect_damaged(&victim, 120 + 48 + 2, 1); /* a distance of 65536 and more */
    expect_damaged(&victim, 392, 0);          /* no distances */
    expect_damaged(&victim, 392, 39);         /* the dictionary begins elsewhere */
    expect_damaged(&victim, 392 + 2, 1);      /* more than there can be */
    expect_damaged(&victim, 396, 1);
    expect_damaged(&victim, 400, victim.bytes[400] ^ 1);
    expect_damaged(&victim, 408, 1);
    assert_int_equal(check_bytes(&victim, victim.length), STATUS_OK);
    destroy_victim(&victim);
}

/* A list with a distance twice, signed. */
static void test_forged_list(void **state)
{
    struct victim victim = make_victim(40);
    uint32_t count = load_32(victim.bytes + 392);
    (void)state;
    assert_int_equal(count, 40);
    uint16_t first = load_16(victim.bytes + 512);
    store_16(victim.bytes + 512, (uint16_t)(first + 1)); /* all are even */
    store_64(victim.bytes + 400, section_checksum(victim.bytes + 512, 2 * (size_t)count));
    sign(victim.bytes);
    assert_int_equal(check_bytes(&victim, victim.length), STATUS_OK);
    store_16(victim.bytes + 512, load_16(victim.bytes + 512 + 20));
    store_64(victim.bytes + 400, section_checksum(victim.bytes + 512, 2 * (size_t)count));
    sign(victim.bytes);
    assert_int_equal(check_bytes(&victim, victim.length), STATUS_DAMAGED);
    destroy_victim(&victim);
}

/* A constant block whose entry is 0, signed. */
static void test_forged_constant(void **state)
{
    struct victim victim = make_victim(1);
    uint8_t *at = victim.bytes + 120 + 72;
    uint8_t *entry = victim.bytes + load_64(at) + 8;
    (void)state;
    assert_int_equal(load_16(entry), 1);
    store_16(entry, 0);
    store_64(at + 16, section_checksum(victim.bytes + load_64(at), load_64(at + 8)));
    sign(victim.bytes);
    assert_int_equal(check_bytes(&victim, victim.length), STATUS_DAMAGED);
    destroy_victim(&victim);
}

/* An entry of a constant block with a symbol that is none, signed. */
static void test_forged_index(void **state)
{
    struct victim victim = make_victim(3);
    uint8_t *at = victim.bytes + 120 + 72;
    uint8_t *entry = victim.bytes + load_64(at) + 8;
    uint16_t size = load_16(entry);
    static const uint16_t forged[] = {0, 1, 4, 5, 6, 0xffff};
    (void)state;
    assert_true(size > CODE_LOSS);
    for (size_t i = 0; i < sizeof forged / sizeof forged[0]; i++) {
        store_16(entry, forged[i]);
        store_64(at + 16, section_checksum(victim.bytes + load_64(at), load_64(at + 8)));
        sign(victim.bytes);
        assert_int_equal(check_bytes(&victim, victim.length), STATUS_DAMAGED);
    }
    destroy_victim(&victim);
}

/* Headers with a right checksum over anything must not crash nor allocate without bounds. */
static void test_forged_at_random(void **state)
{
    struct victim victim = make_victim(300);
    uint8_t header[HEADER_SIZE];
    uint64_t random = 23;
    (void)state;
    memcpy(header, victim.bytes, HEADER_SIZE);
    for (int round = 0; round < 2000; round++) {
        memcpy(victim.bytes, header, HEADER_SIZE);
        size_t at = 8 + random_next(&random) % 488;
        if (round % 2)
            memset(victim.bytes + at, 0xff, 1 + random_next(&random) % 8);
        else
            victim.bytes[at] = (uint8_t)random_next(&random);
        sign(victim.bytes);
        (void)check_bytes(&victim, victim.length);
    }
    destroy_victim(&victim);
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
        TEST(test_many_and_far),
        TEST(test_constant_and_free_tables),
        TEST(test_constant_blocks),
        TEST(test_ranges),
        TEST(test_beside_values),
        TEST(test_failing_source_leaves_nothing),
        TEST(test_distances_that_do_not_fit),
        TEST(test_bad_options),
        TEST(test_truncation),
        TEST(test_bit_flips),
        TEST(test_forged_header),
        TEST(test_forged_list),
        TEST(test_forged_constant),
        TEST(test_forged_index),
        TEST(test_forged_at_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
