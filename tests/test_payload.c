/* Payload layouts, the choice of free symbols, headers and digests: pure functions over bytes. */
#include "distance_payload.h"
#include "payload.h"

#include "temporary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 1 << MAX_BLOCK_LOG2 };

static struct table_header header_with(int alphabet_size, enum payload_kind payload)
{
    static const enum value alphabet[MAX_ALPHABET] = {DRAW, WIN, LOSS, CURSED_WIN, BLESSED_LOSS};
    struct table_header header = {.alphabet_size = alphabet_size, .payload = payload};
    memcpy(header.alphabet, alphabet, sizeof alphabet);
    return header;
}

static void random_symbols(uint8_t *symbols, size_t count, int alphabet_size, unsigned free_of_256,
                           unsigned run, uint64_t *state)
{
    uint8_t symbol = 0;
    for (size_t i = 0; i < count; i++) {
        if (random_next(state) % run == 0)
            symbol = (uint8_t)(random_next(state) % (unsigned)alphabet_size);
        symbols[i] = random_next(state) % 256 < free_of_256 ? FREE_SYMBOL : symbol;
    }
}

/* Encodes, decodes, and compares what is not free. */
static void round_trip(const struct table_header *header, struct packed_encoder *encoder,
                       const uint8_t *symbols, size_t count)
{
    static uint8_t payload[MOST];
    static uint8_t values[MOST + DECODE_SLACK];
    static struct payload_decoder decoder;
    size_t length = header->payload == PAYLOAD_RUNS
                        ? runs_encode(header->alphabet_size, symbols, count, payload)
                        : packed_encode(encoder, symbols, count, payload);
    assert_true(length <= payload_bound(count));
    payload_decoder_make(&decoder, header);
    assert_true(payload_decode(&decoder, payload, length, values, count));
    for (size_t i = 0; i < count; i++)
        if (symbols[i] != FREE_SYMBOL)
            assert_int_equal(values[i], header->alphabet[symbols[i]]);
    assert_false(payload_decode(&decoder, payload, length - 1, values, count));
    assert_false(payload_decode(&decoder, payload, length, values, count - 8));
}

static void test_round_trips(void **state)
{
    static uint8_t symbols[MOST];
    static struct packed_encoder encoder;
    (void)state;
    uint64_t random = 1;
    for (int round = 0; round < 400; round++) {
        int alphabet_size = 2 + round % 4;
        size_t count = (size_t)256 << round % 8;
        random_symbols(symbols, count, alphabet_size, (unsigned)(round * 37 % 257),
                       1 + (unsigned)(random_next(&random) % 300), &random);
        struct packed_statistics statistics = {{0}};
        packed_count(alphabet_size, NULL, symbols, count, &statistics);
        packed_encoder_make(&encoder, alphabet_size, &statistics);
        struct table_header packed = header_with(alphabet_size, PAYLOAD_PACKED);
        struct table_header runs = header_with(alphabet_size, PAYLOAD_RUNS);
        for (int fill = 0; fill < PACKED_FILLS; fill++) {
            encoder.fill = (enum packed_fill)fill;
            round_trip(&packed, &encoder, symbols, count);
        }
        round_trip(&runs, &encoder, symbols, count);
    }
}

/* True if the byte has the symbols that are not free. */
static bool byte_fits(int alphabet_size, int in_byte, const uint8_t *symbols, unsigned byte)
{
    for (int i = 0; i < in_byte; i++, byte /= (unsigned)alphabet_size)
        if (symbols[i] != FREE_SYMBOL && symbols[i] != byte % (unsigned)alphabet_size)
            return false;
    return byte == 0;
}

static void test_fill_is_most_frequent(void **state)
{
    static struct packed_encoder encoder;
    (void)state;
    uint64_t random = 2;
    for (int round = 0; round < 4000; round++) {
        int alphabet_size = 2 + round % 4;
        int in_byte = packed_in_byte(alphabet_size);
        uint8_t symbols[8];
        uint8_t byte;
        struct packed_statistics statistics;
        for (int i = 0; i < 256; i++)
            statistics.bytes[i] = random_next(&random) % 4;
        packed_encoder_make(&encoder, alphabet_size, &statistics);
        random_symbols(symbols, 8, alphabet_size, 128, 1, &random);
        assert_int_equal(packed_encode(&encoder, symbols, (size_t)in_byte, &byte), 1);
        unsigned best = 256;
        for (unsigned candidate = 0; candidate < 256; candidate++)
            if (byte_fits(alphabet_size, in_byte, symbols, candidate) &&
                (best == 256 || statistics.bytes[candidate] > statistics.bytes[best]))
                best = candidate;
        assert_int_equal(byte, best);
    }
}

/* -- Repetitions, looked for in the plainest way -------------------------------------------------------- */

/* True if the byte has the symbols of its place, as far as these are not free. */
static bool byte_can_be(int alphabet_size, uint8_t byte, const uint8_t *symbols, size_t place, size_t count)
{
    int in_byte = packed_in_byte(alphabet_size);
    for (int i = 0; i < in_byte; i++, byte /= (uint8_t)alphabet_size) {
        size_t at = place * (size_t)in_byte + (size_t)i;
        if (at < count && symbols[at] != FREE_SYMBOL && symbols[at] != byte % alphabet_size)
            return false;
    }
    return true;
}

/* How many bytes from `place` on can repeat those `distance` before, and those that this makes. */
static size_t repeatable(int alphabet_size, const uint8_t *payload, size_t length, const uint8_t *symbols,
                         size_t count, size_t place, size_t distance)
{
    size_t i = 0;
    while (place + i < length &&
           byte_can_be(alphabet_size, payload[place - distance + i % distance], symbols, place + i, count))
        i++;
    return i;
}

/* Fills `payload`, which has the most frequent bytes that fit, as FILL_MATCHING says. */
static void repeat_plainly(int alphabet_size, uint8_t *payload, size_t length, const uint8_t *symbols,
                           size_t count)
{
    for (size_t place = 1; place < length; place++) {
        size_t most = 7;
        size_t best = 0;
        for (size_t distance = 1; distance <= place && place + 8 <= length; distance++) {
            size_t found = repeatable(alphabet_size, payload, length, symbols, count, place, distance);
            if (found > most) {
                most = found;
                best = distance;
            }
        }
        for (size_t i = 0; best && i < most; i++)
            payload[place + i] = payload[place - best + i % best];
        place += best ? most - 1 : 0;
    }
}

static void test_matches_are_the_longest(void **state)
{
    enum { COUNT = 1 << 11 };
    static uint8_t symbols[COUNT];
    static uint8_t payload[COUNT];
    static uint8_t expected[COUNT];
    static struct packed_encoder encoder;
    (void)state;
    uint64_t random = 5;
    unsigned repeated = 0;
    for (int round = 0; round < 60; round++) {
        struct packed_statistics statistics = {{0}};
        int size = 2 + round % 4;
        size_t count = round % 5 ? COUNT : COUNT - (size_t)round;
        random_symbols(symbols, count, size, (unsigned)(round % 3 * 100), 1 + (unsigned)round % 7, &random);
        for (size_t i = 0; i < 300; i++) /* something to repeat */
            memmove(symbols + random_next(&random) % (count - 40),
                    symbols + random_next(&random) % (count - 40), random_next(&random) % 40);
        packed_count(size, NULL, symbols, count, &statistics);
        packed_encoder_make(&encoder, size, &statistics);
        size_t length = packed_encode(&encoder, symbols, count, expected);
        encoder.fill = FILL_MATCHING;
        assert_int_equal(packed_encode(&encoder, symbols, count, payload), length);
        repeated += memcmp(payload, expected, length) != 0;
        repeat_plainly(size, expected, length, symbols, count);
        assert_memory_equal(payload, expected, length);
    }
    assert_true(repeated > 20);
}

static void test_run_lengths(void **state)
{
    static uint8_t symbols[MOST];
    (void)state;
    for (int alphabet_size = 2; alphabet_size <= MAX_ALPHABET; alphabet_size++) {
        struct table_header header = header_with(alphabet_size, PAYLOAD_RUNS);
        for (size_t run = 1; run <= 4500; run += run < 200 ? 1 : 37) {
            memset(symbols, 0, sizeof symbols);
            memset(symbols + 5, 1, run);
            round_trip(&header, NULL, symbols, 5 + run + 300);
        }
        memset(symbols, FREE_SYMBOL, sizeof symbols);
        round_trip(&header, NULL, symbols, sizeof symbols);
        symbols[sizeof symbols - 1] = 1;
        uint8_t payload[MOST];
        assert_true(runs_encode(alphabet_size, symbols, sizeof symbols, payload) < 1000);
    }
}

static void test_free_goes_on_with_the_run(void **state)
{
    const uint8_t symbols[8] = {FREE_SYMBOL, FREE_SYMBOL, 2, FREE_SYMBOL, FREE_SYMBOL, 0, FREE_SYMBOL, 0};
    uint8_t payload[8];
    (void)state;
    assert_int_equal(runs_encode(3, symbols, 8, payload), 2);
    assert_int_equal(payload[0], 2 + 3 * 4); /* five of symbol 2 */
    assert_int_equal(payload[1], 0 + 3 * 2); /* three of symbol 0 */
}

/* Any bytes: decoded or refused, never out of bounds (the sanitizers watch). */
static void test_garbage(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int round = 0; round < 20000; round++) {
        size_t length = random_next(&random) % 600;
        uint8_t *payload = malloc(length + 1);
        uint8_t *values = malloc(1024 + DECODE_SLACK);
        assert_true(payload && values);
        for (size_t i = 0; i < length; i++)
            payload[i] = (uint8_t)random_next(&random);
        struct table_header header =
            header_with(2 + round % 4, round % 8 < 4 ? PAYLOAD_PACKED : PAYLOAD_RUNS);
        static struct payload_decoder decoder;
        payload_decoder_make(&decoder, &header);
        (void)payload_decode(&decoder, payload, length, values, 1024);
        free(payload);
        free(values);
    }
}

/* -- Distances ----------------------------------------------------------------------------------------- */

enum { LIST = 1000, COUNT = 512 };

/* Distances of symbols: nothing that could be taken for the symbol. */
static const uint16_t *some_list(void)
{
    static uint16_t list[MOST_DISTANCES];
    for (uint32_t symbol = 0; symbol < MOST_DISTANCES; symbol++)
        list[symbol] = (uint16_t)(symbol * 7 + 3);
    return list;
}

static void test_distances_round_trips(void **state)
{
    static const uint32_t counts[] = {2, 6, 255, 256, 257, 258, 1000, MOST_DISTANCES};
    static uint16_t symbols[COUNT];
    static uint16_t decoded[COUNT];
    static uint8_t payload[3 * COUNT];
    const uint16_t *list = some_list();
    uint64_t random = 5;
    (void)state;
    for (int round = 0; round < 800; round++) {
        uint32_t count = counts[round % 8];
        size_t escaped = 0;
        for (size_t i = 0; i < COUNT; i++) {
            uint64_t symbol = random_next(&random) % (round % 3 ? count : count < 300 ? count : 300);
            symbols[i] = (uint16_t)(i == 7 ? count - 1 : symbol);
            escaped += count > 256 && symbols[i] >= 255;
        }
        size_t length = distance_payload_encode(count, symbols, COUNT, payload);
        assert_int_equal(length, COUNT + 2 * escaped);
        assert_true(length <= distance_payload_bound(COUNT));
        assert_true(distance_payload_decode(list, count, payload, length, decoded, COUNT));
        for (size_t i = 0; i < COUNT; i++)
            assert_int_equal(decoded[i], (uint16_t)(symbols[i] * 7 + 3));
        assert_false(distance_payload_decode(list, count, payload, length - 1, decoded, COUNT));
        assert_false(distance_payload_decode(list, count - 1, payload, length, decoded, COUNT));
    }
}

/* A payload of four symbols, exactly as long as it is, so that the sanitizers see what reads beyond. */
static bool decodes(uint32_t distance_count, const void *bytes, size_t length)
{
    uint8_t *payload = malloc(length ? length : 1);
    uint16_t *decoded = malloc(4 * sizeof *decoded);
    assert_true(payload && decoded);
    memcpy(payload, bytes, length);
    bool good = distance_payload_decode(some_list(), distance_count, payload, length, decoded, 4);
    free(payload);
    free(decoded);
    return good;
}

static void test_malformed_distances(void **state)
{
    (void)state;
    assert_true(decodes(5, "\0\1\4\0", 4));
    assert_false(decodes(5, "\0\1\4", 3));
    assert_false(decodes(5, "\0\1\4\0\0", 5));
    assert_false(decodes(5, "", 0));
    assert_false(decodes(5, "\0\1\5\0", 4)); /* no such symbol */
    assert_true(decodes(256, "\0\xff\xfe\0", 4));
    assert_false(decodes(255, "\0\xff\xfe\0", 4));
    assert_false(decodes(256, "\0\xff\xfe\0\xff\0", 6)); /* an escape where there is none */
    assert_true(decodes(257, "\0\xff\xfe\xff\xff\0\0\1", 8));
    assert_false(decodes(257, "\0\xff\xfe\xff\xff\0\0", 7));
    assert_false(decodes(257, "\0\xff\xfe\xff\xff\0\0\1\0", 9));
    assert_false(decodes(257, "\0\xff\xfe\xff\xff\0", 6));
    assert_false(decodes(257, "\0\xff\xfe\xff", 4));
    assert_false(decodes(257, "\0\xff\xfe\xff\xfe\0\0\1", 8)); /* the escape of a small symbol */
    assert_false(decodes(257, "\0\xff\xfe\xff\xff\0\1\1", 8)); /* no such symbol */
    assert_true(decodes(MOST_DISTANCES, "\xff\0\0\0\xff\xff", 6));
}

/* Any bytes: decoded or refused, never out of bounds. */
static void test_garbage_of_distances(void **state)
{
    const uint16_t *list = some_list();
    uint64_t random = 3;
    (void)state;
    for (int round = 0; round < 20000; round++) {
        size_t length = random_next(&random) % 60;
        uint8_t *payload = malloc(length + 1);
        uint16_t *decoded = malloc(16 * sizeof *decoded);
        assert_true(payload && decoded);
        for (size_t i = 0; i < length; i++)
            payload[i] = (uint8_t)(random_next(&random) % 3 ? random_next(&random) : 255);
        (void)distance_payload_decode(list, (uint32_t)(1 + random_next(&random) % LIST), payload, length,
                                      decoded, 16);
        free(payload);
        free(decoded);
    }
}

/* -- Headers ------------------------------------------------------------------------------------------- */

static struct table_header some_header(void)
{
    struct table_header header = {
        .file_length = HEADER_SIZE + 100 + 50 + 60 + 14 + 14,
        .metric = METRIC_WDL,
        .variant = "italian",
        .fingerprint = UINT64_C(0x0123456789abcdef),
        .slice = {2, 1, 1, 0},
        .members = 2,
        .block_log2 = 12,
        .payload = PAYLOAD_RUNS,
        .alphabet_size = 3,
        .alphabet = {WIN, DRAW, LOSS},
        .frame_prefix_length = 6,
        .frame_prefix = {1, 2, 3, 4, 5, 6},
        .dictionary_offset = HEADER_SIZE,
        .dictionary_length = 100,
        .dictionary_checksum = 7,
    };
    memset(header.inputs.bytes, 0xab, DIGEST_SIZE);
    for (int i = 0; i < 2; i++) {
        struct table_member *member = &header.member[i];
        member->positions = 10000;
        member->counts[WIN] = 9000;
        member->counts[LOSS] = 1000;
        member->greatest_win = member->greatest_loss = NO_DISTANCE;
        memset(member->values.bytes, 0xc0 + i, DIGEST_SIZE);
        member->data_offset = HEADER_SIZE + 100 + (i ? 50U : 0U);
        member->data_length = i ? 60 : 50;
        member->index_offset = HEADER_SIZE + 210 + (i ? 14U : 0U);
        member->index_length = 14;
        member->index_checksum = 0x55;
    }
    return header;
}

static void test_header_round_trip(void **state)
{
    uint8_t bytes[HEADER_SIZE];
    uint8_t again[HEADER_SIZE];
    struct table_header header = some_header();
    struct table_header read;
    const char *fault = NULL;
    (void)state;
    header_write(&header, bytes);
    assert_int_equal(header_read(bytes, HEADER_SIZE, &read, &fault), STATUS_OK);
    header_write(&read, again);
    assert_memory_equal(bytes, again, HEADER_SIZE);
    assert_string_equal(read.variant, "italian");
    assert_true(read.member[1].greatest_win == NO_DISTANCE);
    assert_true(read.member[1].greatest_loss == NO_DISTANCE);
    assert_int_equal(read.member[0].counts[LOSS], 1000);
    assert_true(slice_equal(read.slice, header.slice));
}

/* The bytes of a header are for ever: each at its place, least significant first, on any machine. */
static void test_header_bytes(void **state)
{
    uint8_t bytes[HEADER_SIZE];
    struct table_header header = some_header();
    (void)state;
    header_write(&header, bytes);
    assert_memory_equal(bytes,
                        "\x89"
                        "DMB\r\n\x1a\n\1\0\0\0\1\0\0\0",
                        16);
    assert_memory_equal(bytes + 16, "\xee\2\0\0\0\0\0\0italian\0\0\0\0\0\0\0\0\0", 24);
    assert_memory_equal(bytes + 40, "\xef\xcd\xab\x89\x67\x45\x23\x01\2\1\1\0\2\14\2\3\1\3\5\0\0\6", 22);
    assert_memory_equal(bytes + 120, "\x10\x27\0\0\0\0\0\0\x28\x23\0\0\0\0\0\0", 16);
    assert_memory_equal(bytes + 120 + 40, "\xe8\3\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xc0", 17);
}

/* The same of a table of distances: an empty alphabet, greatest distances, and the list behind the header. */
static struct table_header some_header_of_distances(void)
{
    struct table_header header = some_header();
    header.metric = METRIC_DTZ;
    header.payload = PAYLOAD_DISTANCES;
    header.alphabet_size = 0;
    memset(header.alphabet, 0, sizeof header.alphabet);
    header.distance_count = 300;
    header.distances_checksum = UINT64_C(0x8877665544332211);
    header.file_length += 600;
    header.dictionary_offset += 600;
    for (int i = 0; i < 2; i++) {
        header.member[i].greatest_win = 300;
        header.member[i].greatest_loss = 2;
        header.member[i].data_offset += 600;
        header.member[i].index_offset += 600;
    }
    return header;
}

static void test_header_of_distances(void **state)
{
    uint8_t bytes[HEADER_SIZE];
    uint8_t again[HEADER_SIZE];
    struct table_header header = some_header_of_distances();
    struct table_header read;
    (void)state;
    header_write(&header, bytes);
    assert_memory_equal(bytes + 8, "\1\0\0\0\2\0\0\0", 8);
    assert_memory_equal(bytes + 52, "\2\14\3\0\0\0\0\0\0\6", 10);
    assert_memory_equal(bytes + 120 + 48, "\x2c\1\0\0\2\0\0\0", 8);
    assert_memory_equal(bytes + 392, "\x2c\1\0\0\0\0\0\0\x11\x22\x33\x44\x55\x66\x77\x88\0", 17);
    assert_int_equal(header_read(bytes, HEADER_SIZE, &read, NULL), STATUS_OK);
    header_write(&read, again);
    assert_memory_equal(bytes, again, HEADER_SIZE);
    assert_int_equal(read.distance_count, 300);
    assert_int_equal(read.member[1].greatest_win, 300);
    header.member[1].greatest_loss = NO_DISTANCE; /* though there are losses */
    header_write(&header, bytes);
    assert_int_equal(header_read(bytes, HEADER_SIZE, &read, NULL), STATUS_DAMAGED);
    header = some_header();
    header.member[1].greatest_loss = 2; /* in a table of values */
    header_write(&header, bytes);
    assert_int_equal(header_read(bytes, HEADER_SIZE, &read, NULL), STATUS_DAMAGED);
    header = some_header();
    header.distances_checksum = 1;
    header_write(&header, bytes);
    assert_int_equal(header_read(bytes, HEADER_SIZE, &read, NULL), STATUS_DAMAGED);
}

/* Distances that fill the space before the dictionary, up to as many as there can be. */
static void test_header_of_most_distances(void **state)
{
    uint8_t bytes[HEADER_SIZE];
    struct table_header read;
    (void)state;
    for (uint32_t count = MOST_DISTANCES - 1; count <= MOST_DISTANCES + 1; count++) {
        struct table_header header = some_header_of_distances();
        uint64_t more = 2 * (uint64_t)(count - header.distance_count);
        header.distance_count = count;
        header.file_length += more;
        header.dictionary_offset += more;
        for (int i = 0; i < 2; i++) {
            header.member[i].data_offset += more;
            header.member[i].index_offset += more;
        }
        header_write(&header, bytes);
        assert_int_equal(header_read(bytes, HEADER_SIZE, &read, NULL),
                         count <= MOST_DISTANCES ? STATUS_OK : STATUS_DAMAGED);
    }
}

static void test_header_flips(void **state)
{
    uint8_t bytes[HEADER_SIZE];
    struct table_header header = some_header();
    struct table_header read;
    (void)state;
    header_write(&header, bytes);
    for (int bit = 0; bit < 8 * HEADER_SIZE; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_int_equal(header_read(bytes, HEADER_SIZE, &read, NULL),
                         bit < 64 ? STATUS_NOT_A_TABLE : STATUS_DAMAGED);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    for (size_t length = 0; length < HEADER_SIZE; length++)
        assert_int_equal(header_read(bytes, length, &read, NULL),
                         length < 8 ? STATUS_NOT_A_TABLE : STATUS_DAMAGED);
}

static void sign(uint8_t bytes[HEADER_SIZE])
{
    store_64(bytes + 504, section_checksum(bytes, 504));
}

/* Headers that were made so: a right checksum over anything. */
static void test_forged_headers(void **state)
{
    uint8_t bytes[HEADER_SIZE];
    struct table_header header = some_header();
    struct table_header read;
    (void)state;
    uint64_t random = 4;
    int passed = 0;
    for (int round = 0; round < 20000; round++) {
        header_write(&header, bytes);
        for (uint64_t changes = 1 + random_next(&random) % 3; changes > 0; changes--) {
            size_t at = 12 + random_next(&random) % 492;
            bytes[at] = round % 2 ? 0xff : (uint8_t)random_next(&random);
        }
        sign(bytes);
        passed += header_read(bytes, HEADER_SIZE, &read, NULL) == STATUS_OK;
    }
    assert_in_range(passed, 1, 19999);
    header_write(&header, bytes);
    bytes[8] = 2;
    sign(bytes);
    assert_int_equal(header_read(bytes, HEADER_SIZE, &read, NULL), STATUS_NEWER_FORMAT);
    bytes[8] = 0;
    sign(bytes);
    assert_int_equal(header_read(bytes, HEADER_SIZE, &read, NULL), STATUS_DAMAGED);
}

/* -- Names and digests --------------------------------------------------------------------------------- */

static void test_names(void **state)
{
    static const char *const bad[] = {"",           "21v10",      "21v10.wd",  "21v10.wdlx", "10v21.wdl",
                                      "21v10.WDL",  "2xv10.wdl",  "00v10.wdl", "21v00.wdl",  "21-10.wdl",
                                      " 21v10.wdl", "21v10.wdl ", "manifest",  "21v10.tmp",  "21v10.wdl.tmp"};
    char name[TABLE_NAME_SIZE];
    struct slice slice;
    enum metric metric;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(table_name_read(bad[i], &slice, &metric));
    assert_true(table_name_read("21v10.wdl", &slice, &metric));
    assert_int_equal(metric, METRIC_WDL);
    table_name_write(slice_mirror(slice), METRIC_DTZ, name);
    assert_string_equal(name, "21v10.dtz");
}

static void test_digests(void **state)
{
    char text[DIGEST_TEXT_SIZE];
    struct digest read;
    (void)state;
    struct digest digest = digest_of("", 0);
    digest_write(&digest, text);
    assert_string_equal(text, "99aa06d3014798d86001c324468d497f"); /* as xxh128sum prints it */
    assert_true(digest_read(text, &read));
    assert_true(digest_equal(&digest, &read));
    text[31] = 'g';
    assert_false(digest_read(text, &read));
    assert_false(digest_read("99aa", &read));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_fill_is_most_frequent),
        cmocka_unit_test(test_matches_are_the_longest),
        cmocka_unit_test(test_run_lengths),
        cmocka_unit_test(test_free_goes_on_with_the_run),
        cmocka_unit_test(test_garbage),
        cmocka_unit_test(test_header_round_trip),
        cmocka_unit_test(test_header_bytes),
        cmocka_unit_test(test_header_flips),
        cmocka_unit_test(test_forged_headers),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_digests),
        cmocka_unit_test(test_header_of_distances),
        cmocka_unit_test(test_header_of_most_distances),
        cmocka_unit_test(test_distances_round_trips),
        cmocka_unit_test(test_malformed_distances),
        cmocka_unit_test(test_garbage_of_distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
