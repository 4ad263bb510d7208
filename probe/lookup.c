/* The way of a stored value through the cache, and the readers that fill it. */
#include "lookup.h"

#include <stdio.h>
#include <stdlib.h>

/* A reader with room for the block it reads. As many are made as threads read at the same time. */
struct idle_reader {
    struct idle_reader *next;
    struct block_reader *reader;
    uint8_t values[(1 << MAX_BLOCK_LOG2) + DECODE_SLACK];
};

enum status lookup_init(struct lookup *lookup, const char *directories, size_t cache_bytes)
{
    *lookup = (struct lookup){0};
    enum status status = catalogue_create(directories, &lookup->catalogue);
    if (status == STATUS_OK)
        status = cache_create(cache_bytes, &lookup->cache);
    if (status == STATUS_OK && pthread_mutex_init(&lookup->readers_lock, NULL) != 0)
        status = STATUS_NO_MEMORY;
    if (status != STATUS_OK) {
        cache_destroy(lookup->cache);
        catalogue_destroy(lookup->catalogue);
    }
    return status;
}

static void destroy_reader(struct idle_reader *reader)
{
    block_reader_destroy(reader->reader);
    free(reader);
}

void lookup_destroy(struct lookup *lookup)
{
    while (lookup->readers) {
        struct idle_reader *reader = lookup->readers;
        lookup->readers = reader->next;
        destroy_reader(reader);
    }
    pthread_mutex_destroy(&lookup->readers_lock);
    cache_destroy(lookup->cache);
    catalogue_destroy(lookup->catalogue);
}

/* -- Readers ------------------------------------------------------------------------------------------- */

static struct idle_reader *make_reader(void)
{
    struct idle_reader *reader = malloc(sizeof *reader);
    if (!reader || block_reader_create(&reader->reader) != STATUS_OK) {
        free(reader);
        return NULL;
    }
    return reader;
}

static struct idle_reader *take_reader(struct lookup *lookup)
{
    pthread_mutex_lock(&lookup->readers_lock);
    struct idle_reader *reader = lookup->readers;
    if (reader)
        lookup->readers = reader->next;
    pthread_mutex_unlock(&lookup->readers_lock);
    return reader ? reader : make_reader();
}

static void give_reader(struct lookup *lookup, struct idle_reader *reader)
{
    pthread_mutex_lock(&lookup->readers_lock);
    reader->next = lookup->readers;
    lookup->readers = reader;
    pthread_mutex_unlock(&lookup->readers_lock);
}

/* -- Values -------------------------------------------------------------------------------------------- */

/* Keeps a decoded block as symbols. `values` is overwritten. */
static void keep_block(struct lookup *lookup, const struct table *table, struct cache_key key,
                       uint8_t *values)
{
    const struct table_header *header = table_header(table);
    size_t count = (size_t)1 << header->block_log2;
    uint8_t symbol_of[VALUES] = {0};
    for (int symbol = 0; symbol < header->alphabet_size; symbol++)
        symbol_of[header->alphabet[symbol]] = (uint8_t)symbol;
    for (size_t i = 0; i < count; i++)
        values[i] = symbol_of[values[i]];
    int bits = header->alphabet_size <= 2 ? 1 : header->alphabet_size <= 4 ? 2 : 4;
    cache_put(lookup->cache, key, values, count, bits);
}

/* Reads the block from the file, takes the value and keeps the block. */
static enum status read_value(struct lookup *lookup, const struct table *table, int member, uint64_t block,
                              size_t place, struct cache_key key, enum value *value)
{
    uint64_t bytes = 0;
    struct idle_reader *reader = take_reader(lookup);
    if (!reader)
        return STATUS_NO_MEMORY;
    enum status status = table_read_block(table, reader->reader, member, block, reader->values, &bytes);
    atomic_fetch_add_explicit(&lookup->bytes_read, bytes, memory_order_relaxed);
    if (status == STATUS_OK) {
        *value = (enum value)reader->values[place];
        keep_block(lookup, table, key, reader->values);
    }
    give_reader(lookup, reader);
    return status;
}

enum status lookup_table(struct lookup *lookup, const struct variant *variant, struct slice slice, bool no_io,
                         const struct table **table, const struct variant **made_for)
{
    *made_for = variant;
    enum status status = catalogue_find(lookup->catalogue, variant, slice, no_io, table);
    if (status != STATUS_NO_TABLE || !variant->rules.lender)
        return status;
    *made_for = variant_named(variant->rules.lender);
    return catalogue_find(lookup->catalogue, *made_for, slice, no_io, table);
}

/* The value of a position in a table made for the variant itself or for the one that lends it its values. */
static enum status stored_value(struct lookup *lookup, const struct table *table,
                                const struct position *position, struct slice slice, bool no_io,
                                enum value *value)
{
    int member = table_member(table, slice);
    int block_log2 = table_block_log2(table);
    uint64_t number = numbering_number(table_numbering(table, member), position);
    uint64_t block = number >> block_log2;
    size_t place = (size_t)(number & ((UINT64_C(1) << block_log2) - 1));
    if (table_block_constant(table, member, block, value))
        return STATUS_OK;
    struct cache_key key = {table, member == 0 ? block : table_blocks(table, 0) + block};
    uint8_t symbol;
    if (cache_get(lookup->cache, key, place, &symbol)) {
        *value = table_header(table)->alphabet[symbol];
        return STATUS_OK;
    }
    return no_io ? STATUS_NOT_CACHED : read_value(lookup, table, member, block, place, key, value);
}

enum status lookup_value(struct lookup *lookup, const struct variant *variant,
                         const struct position *position, bool no_io, enum value *value)
{
    const struct table *table;
    const struct variant *made_for;
    if (!slice_exists_for(position))
        return STATUS_TOO_MANY_PIECES;
    struct slice slice = slice_of(position);
    enum status status = lookup_table(lookup, variant, slice, no_io, &table, &made_for);
    if (status == STATUS_OK)
        status = stored_value(lookup, table, position, slice, no_io, value);
    if (status == STATUS_OK && made_for != variant)
        *value = value_without_limit(*value);
    return status;
}

void lookup_message(struct lookup *lookup, const struct variant *variant, const struct position *position,
                    enum status status, char message[MESSAGE_SIZE])
{
    const struct table *table;
    snprintf(message, MESSAGE_SIZE, "%s", status_text(status));
    if (status == STATUS_NOT_CACHED || status == STATUS_TOO_MANY_PIECES || !slice_exists_for(position))
        return;
    struct slice slice = slice_of(position);
    const struct variant *made_for;
    enum status found = lookup_table(lookup, variant, slice, true, &table, &made_for);
    if (found == STATUS_OK)
        table_message(message, table_path(table), status, status == STATUS_DAMAGED ? "a block" : NULL);
    else if (found == status)
        catalogue_message(lookup->catalogue, found == STATUS_NO_TABLE ? variant : made_for, slice, message);
}
