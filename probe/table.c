/* Opening table files with every check, and reading their blocks. */
#include "table.h"

#include "distance_payload.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
#include <zdict.h>
#include <zstd.h>

/* The file of a table, which changes while the table does not: it is closed and opened again. */
struct table_file {
    struct file_pool *pool;
    struct file_pool own_pool; /* where the caller gave none */
    struct pooled_file pooled;
    atomic_bool replaced; /* the file under the name is another one now */
};

struct table {
    struct table_header header;
    uint8_t header_bytes[HEADER_SIZE]; /* as read, to know the file again when it is reopened */
    struct numbering *numbering[MAX_MEMBERS];
    uint8_t *index[MAX_MEMBERS];
    ZSTD_DDict *dictionary;         /* or null */
    struct payload_decoder decoder; /* of values */
    uint16_t *distances;            /* of each symbol, in tables of distances, else null */
    struct table_file *file;
    uint32_t number; /* see table_set_number */
};

/* -- Opening ------------------------------------------------------------------------------------------- */

/* Reads and checks the header of an open file. */
static enum status read_header(int descriptor, uint64_t length, uint8_t bytes[HEADER_SIZE],
                               struct table_header *header, const char **fault)
{
    size_t there = length < HEADER_SIZE ? (size_t)length : HEADER_SIZE;
    *fault = NULL;
    enum status status = file_read(descriptor, bytes, there, 0);
    if (status != STATUS_OK)
        return status;
    status = header_read(bytes, there, header, fault);
    if (status == STATUS_OK && header->file_length != length) {
        *fault = length < header->file_length ? "it is cut off" : "it is longer than its header says";
        return STATUS_DAMAGED;
    }
    return status;
}

enum status table_header_read(const char *path, struct table_header *header, char message[MESSAGE_SIZE])
{
    int descriptor;
    uint64_t length;
    uint8_t bytes[HEADER_SIZE];
    const char *fault = NULL;
    enum status status = file_open(path, &descriptor, &length);
    if (status == STATUS_OK) {
        status = read_header(descriptor, length, bytes, header, &fault);
        int error = errno;
        close(descriptor);
        errno = error;
    }
    if (status != STATUS_OK)
        table_message(message, path, status, fault);
    return status;
}

/* Name of the rules with that fingerprint: of a row, or that this version knows none such. */
static const char *name_of_rules(uint64_t fingerprint)
{
    for (size_t i = 0; i < variant_count; i++)
        if (variant_fingerprint(variant_table[i]) == fingerprint)
            return variant_table[i]->rules.name;
    return "none that this version knows";
}

/* Is it the table that was asked for? *fault names the rules of a table made under others. */
static enum status check_identity(const struct table_header *header, const struct variant *variant,
                                  struct slice slice, enum metric metric, const char **fault)
{
    if (strcmp(header->variant, variant->rules.name) != 0)
        return STATUS_WRONG_VARIANT;
    if (header->fingerprint != variant_fingerprint(variant)) {
        *fault = name_of_rules(header->fingerprint);
        return STATUS_WRONG_RULES;
    }
    if (header->metric != metric || !slice_equal(header->slice, slice_pair_name(slice)))
        return STATUS_WRONG_SLICE;
    return STATUS_OK;
}

static enum status make_numberings(struct table *table, const struct variant *variant, const char **fault)
{
    const struct table_header *header = &table->header;
    for (int i = 0; i < header->members; i++) {
        struct slice slice = i == 0 ? header->slice : slice_mirror(header->slice);
        enum status status = numbering_create(variant, slice, &table->numbering[i]);
        if (status != STATUS_OK)
            return status;
        if (header->member[i].positions != table->numbering[i]->positions) {
            *fault = "the header has a wrong number of positions";
            return STATUS_DAMAGED;
        }
    }
    return STATUS_OK;
}

/* Reads a section whose length the header, and so the length of the file, bounds. */
static enum status read_section(int descriptor, uint64_t offset, uint64_t length, uint64_t checksum,
                                uint8_t **bytes)
{
    if (length > SIZE_MAX)
        return STATUS_NO_MEMORY;
    *bytes = malloc(length ? (size_t)length : 1);
    if (!*bytes)
        return STATUS_NO_MEMORY;
    enum status status = file_read(descriptor, *bytes, (size_t)length, offset);
    if (status == STATUS_OK && section_checksum(*bytes, (size_t)length) != checksum)
        return STATUS_DAMAGED;
    return status;
}

/* True if a constant block can have the code: of a value in the alphabet, or of a symbol of distances. */
static bool is_code(const struct table_header *header, unsigned code)
{
    enum value value;
    if (header->metric == METRIC_DTZ)
        return code >= 1 && code <= header->distance_count;
    if (!value_of_code(code, &value))
        return false;
    for (int symbol = 0; symbol < header->alphabet_size; symbol++)
        if (header->alphabet[symbol] == value)
            return true;
    return false;
}

static_assert((int)FRAME_PREFIX_SIZE >= (int)BLOCK_CHECKSUM_SIZE, "the checksum fits before the bytes");

/* The blocks must lie end to end in the data section, so that no later read can leave it. */
static bool index_sound(const struct table_header *header, int member, const uint8_t *index)
{
    uint64_t blocks = block_count(header->member[member].positions, header->block_log2);
    uint64_t offset = 0;
    for (uint64_t block = 0; block < blocks; block++) {
        if (block % INDEX_GROUP == 0 && load_64(index + index_base_at(block)) != offset)
            return false;
        uint16_t entry = load_16(index + index_entry_at(block));
        if (entry_is_constant(entry) ? !is_code(header, entry) : header->payload == PAYLOAD_NONE)
            return false;
        if (!entry_is_constant(entry))
            offset += entry;
    }
    return offset == header->member[member].data_length;
}

static enum status load_index(struct table *table, int descriptor, const char **fault)
{
    for (int i = 0; i < table->header.members; i++) {
        const struct table_member *member = &table->header.member[i];
        enum status status = read_section(descriptor, member->index_offset, member->index_length,
                                          member->index_checksum, &table->index[i]);
        *fault = status == STATUS_DAMAGED ? "the checksum of the index does not fit" : NULL;
        if (status != STATUS_OK)
            return status;
        if (!index_sound(&table->header, i, table->index[i])) {
            *fault = "the index does not fit the data";
            return STATUS_DAMAGED;
        }
    }
    return STATUS_OK;
}

/* No distance is twice in the list. */
static bool distances_differ(const uint8_t *bytes, uint32_t count)
{
    uint8_t seen[MOST_DISTANCES / 8] = {0};
    for (uint32_t symbol = 0; symbol < count; symbol++) {
        uint16_t distance = load_16(bytes + (size_t)DISTANCE_SIZE * symbol);
        if (seen[distance / 8] >> distance % 8 & 1)
            return false;
        seen[distance / 8] |= (uint8_t)(1 << distance % 8);
    }
    return true;
}

static enum status load_distances(struct table *table, int descriptor, const char **fault)
{
    const struct table_header *header = &table->header;
    uint8_t *bytes = NULL;
    if (header->metric != METRIC_DTZ)
        return STATUS_OK;
    enum status status =
        read_section(descriptor, HEADER_SIZE, distances_length(header), header->distances_checksum, &bytes);
    *fault = status == STATUS_DAMAGED ? "the checksum of the distances does not fit" : NULL;
    if (status == STATUS_OK && !distances_differ(bytes, header->distance_count)) {
        *fault = "a distance is twice in the list";
        status = STATUS_DAMAGED;
    }
    if (status == STATUS_OK) {
        table->distances = malloc(header->distance_count * sizeof *table->distances);
        if (!table->distances)
            status = STATUS_NO_MEMORY;
    }
    for (uint32_t symbol = 0; status == STATUS_OK && symbol < header->distance_count; symbol++)
        table->distances[symbol] = load_16(bytes + (size_t)DISTANCE_SIZE * symbol);
    free(bytes);
    return status;
}

static enum status load_dictionary(struct table *table, int descriptor, const char **fault)
{
    const struct table_header *header = &table->header;
    uint8_t *bytes = NULL;
    if (header->dictionary_length == 0)
        return STATUS_OK;
    enum status status = read_section(descriptor, header->dictionary_offset, header->dictionary_length,
                                      header->dictionary_checksum, &bytes);
    *fault = status == STATUS_DAMAGED ? "the checksum of the dictionary does not fit" : NULL;
    if (status == STATUS_OK &&
        ZDICT_isError(ZDICT_getDictHeaderSize(bytes, (size_t)header->dictionary_length))) {
        *fault = "the dictionary is none";
        status = STATUS_DAMAGED;
    }
    if (status == STATUS_OK) {
        table->dictionary = ZSTD_createDDict(bytes, (size_t)header->dictionary_length);
        if (!table->dictionary)
            status = STATUS_NO_MEMORY;
    }
    free(bytes);
    return status;
}

/* All checks of an open file, and all that is kept of it. */
static enum status load(struct table *table, int descriptor, uint64_t length, const struct variant *variant,
                        struct slice slice, enum metric metric, const char **fault)
{
    enum status status = read_header(descriptor, length, table->header_bytes, &table->header, fault);
    if (status == STATUS_OK)
        status = check_identity(&table->header, variant, slice, metric, fault);
    if (status == STATUS_OK)
        status = make_numberings(table, variant, fault);
    if (status == STATUS_OK)
        status = load_distances(table, descriptor, fault);
    if (status == STATUS_OK)
        status = load_index(table, descriptor, fault);
    if (status == STATUS_OK)
        status = load_dictionary(table, descriptor, fault);
    if (status == STATUS_OK && table->header.metric == METRIC_WDL)
        payload_decoder_make(&table->decoder, &table->header);
    return status;
}

/* Opens the file, closing another one of the pool where the process has no descriptor left. */
static enum status open_in_pool(struct file_pool *pool, const char *path, int *descriptor, uint64_t *length)
{
    enum status status = file_open(path, descriptor, length);
    if (status == STATUS_FILE && (errno == EMFILE || errno == ENFILE)) {
        file_pool_shrink(pool);
        status = file_open(path, descriptor, length);
    }
    return status;
}

/* Opens the file into a table that is still empty. What is left of a failure table_close frees. */
static enum status open_into(struct table *table, const char *path, const struct variant *variant,
                             struct slice slice, enum metric metric, const char **fault)
{
    int descriptor;
    uint64_t length;
    enum status status = open_in_pool(table->file->pool, path, &descriptor, &length);
    if (status != STATUS_OK)
        return status;
    status = load(table, descriptor, length, variant, slice, metric, fault);
    if (status == STATUS_OK)
        status = file_pool_add(table->file->pool, &table->file->pooled, path, descriptor);
    if (status != STATUS_OK) {
        int error = errno;
        close(descriptor);
        errno = error;
    }
    return status;
}

static struct table_file *make_file(struct file_pool *pool)
{
    struct table_file *file = calloc(1, sizeof *file);
    if (!file)
        return NULL;
    file->pooled.descriptor = -1;
    file->pool = pool ? pool : &file->own_pool;
    if (pool || file_pool_init(&file->own_pool, 1) == STATUS_OK)
        return file;
    free(file);
    return NULL;
}

static struct table *empty_table(struct file_pool *pool)
{
    struct table *table = calloc(1, sizeof *table);
    if (table)
        table->file = make_file(pool);
    if (table && table->file)
        return table;
    free(table);
    return NULL;
}

enum status table_open(const char *path, const struct variant *variant, struct slice slice,
                       enum metric metric, struct file_pool *pool, struct table **table,
                       char message[MESSAGE_SIZE])
{
    const char *fault = NULL;
    enum status status = STATUS_NO_MEMORY;
    *table = empty_table(pool);
    if (*table)
        status = open_into(*table, path, variant, slice, metric, &fault);
    if (status != STATUS_OK) {
        table_close(*table);
        *table = NULL;
        table_message(message, path, status, fault);
    }
    return status;
}

void table_close(struct table *table)
{
    if (!table)
        return;
    int error = errno;
    file_pool_drop(table->file->pool, &table->file->pooled);
    if (table->file->pool == &table->file->own_pool)
        file_pool_destroy(&table->file->own_pool);
    free(table->file);
    for (int i = 0; i < MAX_MEMBERS; i++) {
        numbering_destroy(table->numbering[i]);
        free(table->index[i]);
    }
    free(table->distances);
    ZSTD_freeDDict(table->dictionary);
    free(table);
    errno = error;
}

/* -- What a table is ----------------------------------------------------------------------------------- */

const struct table_header *table_header(const struct table *table)
{
    return &table->header;
}

const char *table_path(const struct table *table)
{
    return table->file->pooled.path;
}

int table_member(const struct table *table, struct slice slice)
{
    if (slice_equal(slice, table->header.slice))
        return 0;
    return slice_equal(slice, slice_mirror(table->header.slice)) ? 1 : -1;
}

const struct numbering *table_numbering(const struct table *table, int member)
{
    return table->numbering[member];
}

uint64_t table_blocks(const struct table *table, int member)
{
    return block_count(table->header.member[member].positions, table->header.block_log2);
}

int table_block_log2(const struct table *table)
{
    return table->header.block_log2;
}

void table_set_number(struct table *table, uint32_t number)
{
    table->number = number;
}

uint64_t table_block_key(const struct table *table, int member, uint64_t block)
{
    enum { BLOCK_BITS = 44 /* more than 2^56 positions, in blocks of 4,096, cannot be numbered */ };
    return (uint64_t)table->number << BLOCK_BITS | (member == 0 ? block : table_blocks(table, 0) + block);
}

static uint16_t index_entry(const struct table *table, int member, uint64_t block)
{
    return load_16(table->index[member] + index_entry_at(block));
}

bool table_block_constant(const struct table *table, int member, uint64_t block, enum value *value)
{
    uint16_t entry = index_entry(table, member, block);
    return table->header.metric == METRIC_WDL && entry_is_constant(entry) && value_of_code(entry, value);
}

bool table_block_constant_distance(const struct table *table, int member, uint64_t block, uint16_t *distance)
{
    uint16_t entry = index_entry(table, member, block);
    if (table->header.metric != METRIC_DTZ || !entry_is_constant(entry))
        return false;
    *distance = table->distances[entry - 1];
    return true;
}

/* -- Reading blocks ------------------------------------------------------------------------------------ */

enum { MOST_PAYLOAD = 3 << MAX_DISTANCE_BLOCK_LOG2 };
static_assert(MOST_PAYLOAD >= 1 << MAX_BLOCK_LOG2, "a payload of values fits too");

struct block_reader {
    ZSTD_DCtx *context;
    uint8_t frame[FRAME_PREFIX_SIZE + UINT16_MAX]; /* the prefix ends where the bytes of the block begin */
    uint8_t payload[MOST_PAYLOAD];
    union { /* of the block that a range takes a part of */
        uint8_t values[(1 << MAX_BLOCK_LOG2) + DECODE_SLACK];
        uint16_t distances[1 << MAX_DISTANCE_BLOCK_LOG2];
    } block;
};

enum status block_reader_create(struct block_reader **reader)
{
    *reader = malloc(sizeof **reader);
    if (!*reader)
        return STATUS_NO_MEMORY;
    (*reader)->context = ZSTD_createDCtx();
    if ((*reader)->context)
        return STATUS_OK;
    free(*reader);
    *reader = NULL;
    return STATUS_NO_MEMORY;
}

void block_reader_destroy(struct block_reader *reader)
{
    if (!reader)
        return;
    ZSTD_freeDCtx(reader->context);
    free(reader);
}

/* Where the bytes of a block are in the file. */
static uint64_t block_offset(const struct table *table, int member, uint64_t block)
{
    const uint8_t *index = table->index[member];
    uint64_t offset = table->header.member[member].data_offset + load_64(index + index_base_at(block));
    for (uint64_t before = block - block % INDEX_GROUP; before < block; before++) {
        uint16_t entry = load_16(index + index_entry_at(before));
        offset += entry_is_constant(entry) ? 0 : entry;
    }
    return offset;
}

/* A file that was closed for a while must still begin with the same header, which has checksums of the rest.
 */
static enum status check_reopened(const struct table *table, int descriptor)
{
    uint8_t bytes[HEADER_SIZE];
    enum status status = file_read(descriptor, bytes, sizeof bytes, 0);
    if (status == STATUS_OK && memcmp(bytes, table->header_bytes, sizeof bytes) != 0)
        status = STATUS_DAMAGED;
    if (status == STATUS_DAMAGED)
        atomic_store(&table->file->replaced, true);
    return status;
}

static enum status read_bytes(const struct table *table, void *bytes, size_t length, uint64_t offset)
{
    struct table_file *file = table->file;
    int descriptor;
    bool reopened;
    if (atomic_load(&file->replaced))
        return STATUS_DAMAGED;
    enum status status = file_pin(file->pool, &file->pooled, &descriptor, &reopened);
    if (status != STATUS_OK)
        return status;
    if (reopened)
        status = check_reopened(table, descriptor);
    if (status == STATUS_OK)
        status = file_read(descriptor, bytes, length, offset);
    file_unpin(file->pool, &file->pooled);
    return status;
}

/* Reads a stored block into the reader's frame, behind the room for the prefix, and verifies its checksum.
 * *size is how many bytes of zstd it has. */
static enum status read_stored(const struct table *table, struct block_reader *reader, int member,
                               uint64_t block, size_t *size, uint64_t *bytes_read)
{
    uint8_t *bytes = reader->frame + FRAME_PREFIX_SIZE; /* of zstd; the checksum comes before them */
    uint8_t *stored = bytes - BLOCK_CHECKSUM_SIZE;
    *size = index_entry(table, member, block);
    enum status status = read_bytes(table, stored, *size, block_offset(table, member, block));
    if (status != STATUS_OK)
        return status;
    if (bytes_read)
        *bytes_read += *size;
    *size -= BLOCK_CHECKSUM_SIZE;
    bool sound = block_checksum(&table->header.member[member], block, bytes, *size) == load_32(stored);
    return sound ? STATUS_OK : STATUS_DAMAGED;
}

/* Expands the `size` bytes of zstd that stand in the reader's frame into a payload of at most `most` bytes.
 */
static enum status expand(const struct table *table, struct block_reader *reader, size_t size, size_t most,
                          size_t *length)
{
    size_t prefix = (size_t)table->header.frame_prefix_length;
    uint8_t *frame = reader->frame + FRAME_PREFIX_SIZE - prefix;
    memcpy(frame, table->header.frame_prefix, prefix);
    *length = ZSTD_decompress_usingDDict(reader->context, reader->payload, most, frame, prefix + size,
                                         table->dictionary);
    return ZSTD_isError(*length) ? STATUS_DAMAGED : STATUS_OK;
}

static enum status read_payload(const struct table *table, struct block_reader *reader, int member,
                                uint64_t block, size_t most, size_t *length, uint64_t *bytes_read)
{
    size_t size;
    enum status status = read_stored(table, reader, member, block, &size, bytes_read);
    return status == STATUS_OK ? expand(table, reader, size, most, length) : status;
}

enum status table_read_block(const struct table *table, struct block_reader *reader, int member,
                             uint64_t block, uint8_t *values, uint64_t *bytes_read)
{
    enum value constant;
    size_t length;
    size_t count = (size_t)1 << table->header.block_log2;
    if (table->header.metric != METRIC_WDL)
        return STATUS_BAD_ARGUMENT;
    if (table_block_constant(table, member, block, &constant)) {
        memset(values, (int)constant, count);
        return STATUS_OK;
    }
    enum status status =
        read_payload(table, reader, member, block, payload_bound(count), &length, bytes_read);
    if (status == STATUS_OK && !payload_decode(&table->decoder, reader->payload, length, values, count))
        status = STATUS_DAMAGED;
    return status;
}

enum status table_read_distances(const struct table *table, struct block_reader *reader, int member,
                                 uint64_t block, uint16_t *distances, uint64_t *bytes_read)
{
    uint16_t constant;
    size_t length;
    size_t count = (size_t)1 << table->header.block_log2;
    if (table->header.metric != METRIC_DTZ)
        return STATUS_BAD_ARGUMENT;
    if (table_block_constant_distance(table, member, block, &constant)) {
        for (size_t i = 0; i < count; i++)
            distances[i] = constant;
        return STATUS_OK;
    }
    enum status status =
        read_payload(table, reader, member, block, distance_payload_bound(count), &length, bytes_read);
    if (status == STATUS_OK && !distance_payload_decode(table->distances, table->header.distance_count,
                                                        reader->payload, length, distances, count))
        status = STATUS_DAMAGED;
    return status;
}

/* -- Reading ranges ------------------------------------------------------------------------------------ */

/* The positions of a range that are in one block. */
struct part {
    uint64_t block;
    size_t begin; /* in the block */
    size_t count;
};

static bool range_exists(const struct table *table, int member, uint64_t first, uint64_t count)
{
    uint64_t positions = table->header.member[member].positions;
    return first <= positions && count <= positions - first;
}

/* The part of the range at its beginning. */
static struct part first_part(const struct table *table, uint64_t first, uint64_t count)
{
    uint64_t block_size = UINT64_C(1) << table->header.block_log2;
    uint64_t in_block = first & (block_size - 1);
    uint64_t left = block_size - in_block;
    return (struct part){first >> table->header.block_log2, (size_t)in_block,
                         (size_t)(left < count ? left : count)};
}

enum status table_read_values(const struct table *table, struct block_reader *reader, int member,
                              uint64_t first, uint64_t count, uint8_t *values)
{
    enum status status = range_exists(table, member, first, count) ? STATUS_OK : STATUS_BAD_ARGUMENT;
    while (status == STATUS_OK && count > 0) {
        struct part part = first_part(table, first, count);
        status = table_read_block(table, reader, member, part.block, reader->block.values, NULL);
        if (status == STATUS_OK)
            memcpy(values, reader->block.values + part.begin, part.count);
        values += part.count;
        first += part.count;
        count -= part.count;
    }
    return status;
}

enum status table_read_distance_range(const struct table *table, struct block_reader *reader, int member,
                                      uint64_t first, uint64_t count, uint16_t *distances)
{
    enum status status = range_exists(table, member, first, count) ? STATUS_OK : STATUS_BAD_ARGUMENT;
    while (status == STATUS_OK && count > 0) {
        struct part part = first_part(table, first, count);
        status = table_read_distances(table, reader, member, part.block, reader->block.distances, NULL);
        if (status == STATUS_OK)
            memcpy(distances, reader->block.distances + part.begin, part.count * sizeof *distances);
        distances += part.count;
        first += part.count;
        count -= part.count;
    }
    return status;
}
