/* The way of a stored value or distance through the cache, and the readers that fill it. */
#include "lookup.h"

#include <stdio.h>
#include <stdlib.h>

/* A reader with room for the block it reads. As many are made as threads read at the same time. */
struct idle_reader {
    struct idle_reader *next;
    struct block_reader *reader;
    union {
        uint8_t values[(1 << MAX_BLOCK_LOG2) + DECODE_SLACK];
        uint16_t distances[1 << MAX_BLOCK_LOG2];
    };
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

/* -- Places in tables ----------------------------------------------------------------------------------- */

/* Where a table has what it knows of a position. */
struct place {
    const struct table *table;
    int member;
    uint64_t block;
    size_t in_block;
    cache_key key;
};

static inline struct place place_of(const struct table *table, const struct position *position,
                                    struct slice slice)
{
    int member = table_member(table, slice);
    int block_log2 = table_block_log2(table);
    uint64_t number = numbering_number(table_numbering(table, member), position);
    uint64_t block = number >> block_log2;
    return (struct place){
        .table = table,
        .member = member,
        .block = block,
        .in_block = (size_t)(number & ((UINT64_C(1) << block_log2) - 1)),
        .key = table_block_key(table, member, block),
    };
}

/* -- Values -------------------------------------------------------------------------------------------- */

/* A block is kept as numbers of values in the table's alphabet if that takes 1 or 2 bits each, else as the
 * values themselves. Bytes are compared, not looked up, so that many are turned at once. */
static int bits_kept(const struct table_header *header)
{
    return header->alphabet_size <= 2 ? 1 : header->alphabet_size <= 4 ? 2 : 4;
}

static enum value value_kept(const struct table_header *header, uint8_t symbol)
{
    return bits_kept(header) <= 2 ? header->alphabet[symbol] : (enum value)symbol;
}

/* Keeps a decoded block. `values` is overwritten. */
static void keep_block(struct lookup *lookup, const struct place *place, uint8_t *values)
{
    const struct table_header *header = table_header(place->table);
    size_t count = (size_t)1 << header->block_log2;
    uint8_t alphabet[4];
    for (int symbol = 0; symbol < 4; symbol++)
        alphabet[symbol] = symbol < header->alphabet_size ? (uint8_t)header->alphabet[symbol] : UINT8_MAX;
    size_t turned = bits_kept(header) <= 2 ? count : 0;
    for (size_t i = 0; i < turned; i++)
        values[i] = (uint8_t)((values[i] == alphabet[1] ? 1 : 0) | (values[i] == alphabet[2] ? 2 : 0) |
                              (values[i] == alphabet[3] ? 3 : 0));
    cache_put(lookup->cache, place->key, values, count, bits_kept(header));
}

/* Reads the block from the file, takes the value and keeps the block. */
static enum status read_value(struct lookup *lookup, const struct place *place, enum value *value)
{
    uint64_t bytes = 0;
    struct idle_reader *reader = take_reader(lookup);
    if (!reader)
        return STATUS_NO_MEMORY;
    enum status status =
        table_read_block(place->table, reader->reader, place->member, place->block, reader->values, &bytes);
    atomic_fetch_add_explicit(&lookup->bytes_read, bytes, memory_order_relaxed);
    if (status == STATUS_OK) {
        *value = (enum value)reader->values[place->in_block];
        keep_block(lookup, place, reader->values);
    }
    give_reader(lookup, reader);
    return status;
}

enum status lookup_table(struct lookup *lookup, const struct variant *variant, struct slice slice, bool no_io,
                         const struct table **table, const struct variant **made_for)
{
    *made_for = variant;
    enum status status = catalogue_find(lookup->catalogue, variant, slice, METRIC_WDL, no_io, table);
    if (status != STATUS_NO_TABLE || !variant->rules.lender)
        return status;
    *made_for = variant_named(variant->rules.lender);
    return catalogue_find(lookup->catalogue, *made_for, slice, METRIC_WDL, no_io, table);
}

/* The value of a position in a table made for the variant itself or for the one that lends it its values. */
static enum status stored_value(struct lookup *lookup, const struct table *table,
                                const struct position *position, struct slice slice, bool no_io,
                                enum value *value)
{
    const struct place place = place_of(table, position, slice);
    if (table_block_constant(table, place.member, place.block, value))
        return STATUS_OK;
    uint8_t symbol;
    if (cache_get(lookup->cache, place.key, place.in_block, &symbol)) {
        *value = value_kept(table_header(table), symbol);
        return STATUS_OK;
    }
    return no_io ? STATUS_NOT_CACHED : read_value(lookup, &place, value);
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

/* -- Distances ----------------------------------------------------------------------------------------- */

/* Reads the block from the file, takes the distance and keeps the block. */
static enum status read_distance(struct lookup *lookup, const struct place *place, uint16_t *plies)
{
    uint64_t bytes = 0;
    struct idle_reader *reader = take_reader(lookup);
    if (!reader)
        return STATUS_NO_MEMORY;
    enum status status = table_read_distances(place->table, reader->reader, place->member, place->block,
                                              reader->distances, &bytes);
    atomic_fetch_add_explicit(&lookup->bytes_read, bytes, memory_order_relaxed);
    if (status == STATUS_OK) {
        *plies = reader->distances[place->in_block];
        cache_put_wide(lookup->cache, place->key, reader->distances,
                       (size_t)1 << table_block_log2(place->table));
    }
    give_reader(lookup, reader);
    return status;
}

enum status lookup_distance(struct lookup *lookup, const struct variant *variant,
                            const struct position *position, bool no_io, uint16_t *plies)
{
    const struct table *table;
    if (!slice_exists_for(position))
        return STATUS_TOO_MANY_PIECES;
    struct slice slice = slice_of(position);
    enum status status = catalogue_find(lookup->catalogue, variant, slice, METRIC_DTZ, no_io, &table);
    if (status != STATUS_OK)
        return status;
    const struct place place = place_of(table, position, slice);
    if (table_block_constant_distance(table, place.member, place.block, plies) ||
        cache_get_wide(lookup->cache, place.key, place.in_block, plies))
        return STATUS_OK;
    return no_io ? STATUS_NOT_CACHED : read_distance(lookup, &place, plies);
}

/* -- Messages ------------------------------------------------------------------------------------------ */

void lookup_message(struct lookup *lookup, const struct variant *variant, const struct position *position,
                    enum metric metric, enum status status, char message[MESSAGE_SIZE])
{
    const struct table *table;
    snprintf(message, MESSAGE_SIZE, "%s", status_text(status));
    if (status == STATUS_NOT_CACHED || status == STATUS_TOO_MANY_PIECES || !slice_exists_for(position))
        return;
    struct slice slice = slice_of(position);
    const struct variant *made_for = variant;
    enum status found = metric == METRIC_WDL
                            ? lookup_table(lookup, variant, slice, true, &table, &made_for)
                            : catalogue_find(lookup->catalogue, variant, slice, metric, true, &table);
    if (found == STATUS_OK)
        table_message(message, table_path(table), status, status == STATUS_DAMAGED ? "a block" : NULL);
    else if (found == status)
        catalogue_message(lookup->catalogue, found == STATUS_NO_TABLE ? variant : made_for, slice, metric,
                          message);
}
