/* The plain reader. Numbers in comments are the offsets of docs/format.md. */
#include "plain_reader.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

static uint64_t number(const uint8_t *bytes, int size)
{
    uint64_t result = 0;
    for (int i = size - 1; i >= 0; i--)
        result = result * 256 + bytes[i];
    return result;
}

struct plain_table {
    const uint8_t *file;
    const uint8_t *member;
    unsigned block_size;
    unsigned payload;
    unsigned alphabet_size;
    unsigned distances; /* symbols of a table of distances, else 0 */
    ZSTD_DCtx *context;
};

/* Expands a packed payload. */
static bool unpack(const struct plain_table *table, const uint8_t *payload, size_t length, uint16_t *results)
{
    static const unsigned in_bytes[6] = {0, 0, 8, 4, 4, 3};
    unsigned in_byte = in_bytes[table->alphabet_size];
    unsigned done = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned rest = payload[i];
        for (unsigned j = 0; j < in_byte; j++, rest /= table->alphabet_size)
            if (done < table->block_size)
                results[done++] = table->file[56 + rest % table->alphabet_size];
        if (rest > 0)
            return false;
    }
    return done == table->block_size;
}

/* Expands runs. */
static bool unroll(const struct plain_table *table, const uint8_t *payload, size_t length, uint16_t *results)
{
    unsigned done = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned symbol = payload[i] % table->alphabet_size;
        unsigned code = payload[i] / table->alphabet_size;
        unsigned run = code < 64 ? code + 1 : 64 * (code - 62);
        if (run > table->block_size - done)
            return false;
        for (; run > 0; run--)
            results[done++] = table->file[56 + symbol];
    }
    return done == table->block_size;
}

/* Looks up the distances of symbols. */
static bool look_up(const struct plain_table *table, const uint8_t *payload, size_t length, uint16_t *results)
{
    size_t more = table->block_size; /* where the next symbol is that a byte cannot hold */
    for (unsigned i = 0; i < table->block_size; i++) {
        uint64_t symbol = payload[i];
        if (symbol == 255 && table->distances > 256) {
            symbol = number(payload + more, 2);
            more += 2;
        }
        if (symbol >= table->distances)
            return false;
        results[i] = (uint16_t)number(table->file + 512 + 2 * symbol, 2);
    }
    return more == length;
}

/* What a block has that takes no bytes. */
static void repeat(const struct plain_table *table, unsigned entry, uint16_t *results)
{
    for (unsigned i = 0; i < table->block_size; i++)
        results[i] =
            (uint16_t)(table->distances ? number(table->file + 512 + 2 * (size_t)(entry - 1), 2) : entry);
}

/* Reads a stored block of `size` bytes. */
static bool read_block(const struct plain_table *table, uint64_t block, const uint8_t *stored, size_t size,
                       uint16_t *results)
{
    const uint8_t *file = table->file;
    uint8_t frame[16 + 65536];
    uint8_t payload[3 * 32768];
    uint64_t seed = number(table->member + 56, 8) ^ block;
    if ((uint32_t)XXH3_64bits_withSeed(stored + 4, size - 4, seed) != number(stored, 4))
        return false;
    memcpy(frame, file + 64, file[61]);
    memcpy(frame + file[61], stored + 4, size - 4);
    size_t length =
        ZSTD_decompress_usingDict(table->context, payload, sizeof payload, frame, file[61] + size - 4,
                                  file + number(file + 96, 8), number(file + 104, 8));
    if (ZSTD_isError(length))
        return false;
    if (table->payload == 3)
        return look_up(table, payload, length, results);
    return table->payload == 1 ? unpack(table, payload, length, results)
                               : unroll(table, payload, length, results);
}

static bool read_blocks(const struct plain_table *table, uint64_t positions, uint16_t *results)
{
    const uint8_t *index = table->file + number(table->member + 72, 8);
    const uint8_t *data = table->file + number(table->member + 96, 8);
    uint64_t offset = 0;
    for (uint64_t block = 0; block * table->block_size < positions; block++) {
        if (block % 64 == 0) {
            if (number(index, 8) != offset)
                return false;
            index += 8;
        }
        uint64_t entry = number(index, 2);
        index += 2;
        if (entry <= 5)
            repeat(table, (unsigned)entry, results + block * table->block_size);
        else if (!read_block(table, block, data + offset, entry, results + block * table->block_size))
            return false;
        offset += entry <= 5 ? 0 : entry;
    }
    return offset == number(table->member + 104, 8);
}

uint16_t *plain_read(const uint8_t *file, size_t length, int member, uint64_t *positions)
{
    static const uint8_t magic[8] = {0x89, 'D', 'M', 'B', 13, 10, 26, 10};
    if (length < 512 || memcmp(file, magic, 8) != 0 || number(file + 8, 4) != 1 ||
        number(file + 16, 8) != length || XXH3_64bits(file, 504) != number(file + 504, 8))
        return NULL;
    struct plain_table table = {
        .file = file,
        .member = file + 120 + (member ? 136 : 0),
        .block_size = 1U << file[53],
        .payload = file[54],
        .alphabet_size = file[55],
        .distances = (unsigned)number(file + 392, 4),
    };
    *positions = number(table.member, 8);
    uint16_t *results = malloc((*positions + table.block_size) * sizeof *results);
    table.context = ZSTD_createDCtx();
    bool good = results && table.context && read_blocks(&table, *positions, results);
    ZSTD_freeDCtx(table.context);
    if (good)
        return results;
    free(results);
    return NULL;
}
