/* Writing a table in three passes over its values: survey (survey.c), trial (block_encoder.c or
 * distance_encoder.c), and the blocks themselves, in a file that gets its name when it is whole. */
#include "table_writer.h"

#include "block_encoder.h"
#include "distance_encoder.h"
#include "distance_payload.h"
#include "files.h"
#include "numbering.h"
#include "survey.h"

#include <stdio.h>
#include <stdlib.h>

enum { BUFFER_SIZE = 1 << 18 };

struct writer {
    struct table_header header;
    struct block_source blocks;
    struct frame_encoder *frames;
    struct block_encoder *values;       /* for METRIC_WDL, else null */
    struct distance_encoder *distances; /* for METRIC_DTZ, else null */
    struct distance_list *list;         /* for METRIC_DTZ, else null */
    const char *fault;                  /* what was wrong, or null */
    uint8_t *index[MAX_MEMBERS];
    uint64_t constant_blocks;
    int descriptor;
    uint8_t *buffer; /* bytes not written yet */
    size_t buffered;
    uint64_t offset; /* of the first of them in the file */
};

/* -- Third pass: blocks -------------------------------------------------------------------------------- */

static enum status flush(struct writer *writer)
{
    enum status status = file_write(writer->descriptor, writer->buffer, writer->buffered, writer->offset);
    writer->offset += writer->buffered;
    writer->buffered = 0;
    return status;
}

static enum status append(struct writer *writer, const uint8_t *bytes, uint64_t length)
{
    while (length > 0) {
        size_t room = BUFFER_SIZE - writer->buffered;
        size_t part = length < room ? (size_t)length : room;
        memcpy(writer->buffer + writer->buffered, bytes, part);
        writer->buffered += part;
        bytes += part;
        length -= part;
        if (writer->buffered == BUFFER_SIZE) {
            enum status status = flush(writer);
            if (status != STATUS_OK)
                return status;
        }
    }
    return STATUS_OK;
}

static enum status encode_block(struct writer *writer, int i, uint64_t block, struct encoded_block *encoded)
{
    return writer->distances ? distance_encoder_encode(writer->distances, i, block, encoded)
                             : block_encoder_encode(writer->values, i, block, encoded);
}

static enum status write_block(struct writer *writer, int i, uint64_t block)
{
    struct table_member *member = &writer->header.member[i];
    uint8_t *entry = writer->index[i] + index_entry_at(block);
    struct encoded_block encoded;
    uint8_t checksum[BLOCK_CHECKSUM_SIZE];
    enum status status = encode_block(writer, i, block, &encoded);
    if (status != STATUS_OK)
        return status;
    if (block % INDEX_GROUP == 0)
        store_64(writer->index[i] + index_base_at(block), member->data_length);
    if (encoded.constant) {
        store_16(entry, encoded.constant);
        writer->constant_blocks++;
        return STATUS_OK;
    }
    store_16(entry, (uint16_t)(BLOCK_CHECKSUM_SIZE + encoded.length));
    store_32(checksum, block_checksum(member, block, encoded.bytes, encoded.length));
    member->data_length += BLOCK_CHECKSUM_SIZE + encoded.length;
    status = append(writer, checksum, sizeof checksum);
    return status == STATUS_OK ? append(writer, encoded.bytes, encoded.length) : status;
}

static enum status write_members(struct writer *writer)
{
    struct table_header *header = &writer->header;
    uint64_t offset = header->dictionary_offset + header->dictionary_length;
    for (int i = 0; i < header->members; i++) {
        header->member[i].data_offset = offset;
        for (uint64_t block = 0; block < block_source_count(&writer->blocks, i); block++) {
            enum status status = write_block(writer, i, block);
            if (status != STATUS_OK)
                return status;
        }
        offset += header->member[i].data_length;
    }
    for (int i = 0; i < header->members; i++) {
        struct table_member *member = &header->member[i];
        member->index_offset = offset;
        member->index_checksum = section_checksum(writer->index[i], (size_t)member->index_length);
        enum status status = append(writer, writer->index[i], member->index_length);
        if (status != STATUS_OK)
            return status;
        offset += member->index_length;
    }
    header->file_length = offset;
    return STATUS_OK;
}

static enum status write_file(struct writer *writer)
{
    uint8_t bytes[HEADER_SIZE] = {0};
    writer->header.dictionary_offset = distances_end(&writer->header);
    enum status status =
        append(writer, bytes, sizeof bytes); /* its place; what it says is known at the end */
    if (status == STATUS_OK && writer->list)
        status = append(writer, writer->list->bytes, distances_length(&writer->header));
    if (status == STATUS_OK)
        status = append(writer, writer->frames->dictionary.bytes, writer->header.dictionary_length);
    if (status == STATUS_OK)
        status = write_members(writer);
    if (status == STATUS_OK)
        status = flush(writer);
    if (status == STATUS_OK) {
        header_write(&writer->header, bytes);
        status = file_write(writer->descriptor, bytes, sizeof bytes, 0);
    }
    return status;
}

/* -- Options ------------------------------------------------------------------------------------------- */

static enum metric metric_of(const struct table_options *options)
{
    return options->metric ? options->metric : METRIC_WDL;
}

static int block_log2_of(const struct table_options *options)
{
    return options->block_log2 ? options->block_log2 : DEFAULT_BLOCK_LOG2;
}

static int level_of(const struct table_options *options)
{
    if (options->level)
        return options->level;
    return metric_of(options) == METRIC_DTZ ? DEFAULT_DISTANCE_LEVEL : DEFAULT_LEVEL;
}

/* -- The whole ----------------------------------------------------------------------------------------- */

static void destroy_writer(struct writer *writer)
{
    block_encoder_destroy(writer->values);
    distance_encoder_destroy(writer->distances);
    frame_encoder_destroy(writer->frames);
    block_source_clear(&writer->blocks);
    free(writer->list);
    free(writer->buffer);
    for (int i = 0; i < MAX_MEMBERS; i++)
        free(writer->index[i]);
    free(writer);
}

static bool options_sound(const struct table_options *options)
{
    int block_log2 = block_log2_of(options);
    if (options->level < 0 || options->level > ZSTD_maxCLevel() || block_log2 < MIN_BLOCK_LOG2)
        return false;
    if (metric_of(options) == METRIC_DTZ)
        return block_log2 <= MAX_DISTANCE_BLOCK_LOG2 && options->payload == PAYLOAD_NONE;
    return metric_of(options) == METRIC_WDL && block_log2 <= MAX_BLOCK_LOG2 &&
           options->payload <= PAYLOAD_RUNS;
}

/* What the header says before a value is known. */
static enum status begin_header(struct table_header *header, const struct variant *variant,
                                struct slice slice, const struct table_options *options)
{
    header->metric = metric_of(options);
    snprintf(header->variant, sizeof header->variant, "%s", variant->rules.name);
    header->fingerprint = variant_fingerprint(variant);
    header->slice = slice_pair_name(slice);
    header->members = slice_is_own_mirror(header->slice) ? 1 : 2;
    header->block_log2 = block_log2_of(options);
    header->inputs = options->inputs;
    if (!options_sound(options))
        return STATUS_BAD_ARGUMENT;
    for (int i = 0; i < header->members; i++) {
        struct table_member *member = &header->member[i];
        struct slice of_member = i == 0 ? header->slice : slice_mirror(header->slice);
        enum status status = numbering_count(variant, of_member, &member->positions);
        if (status != STATUS_OK)
            return status;
        member->index_length = index_length(block_count(member->positions, header->block_log2));
    }
    return STATUS_OK;
}

static enum status allocate(struct writer *writer, const struct table_source *source, int level)
{
    bool of_distances = writer->header.metric == METRIC_DTZ;
    size_t block = (size_t)1 << writer->header.block_log2;
    size_t payload = of_distances ? distance_payload_bound(block) : payload_bound(block);
    enum status status = block_source_init(&writer->blocks, &writer->header, source);
    if (status == STATUS_OK)
        status = frame_encoder_create(payload, level, &writer->frames);
    if (status != STATUS_OK)
        return status;
    if (of_distances)
        writer->list = malloc(sizeof *writer->list);
    writer->buffer = malloc(BUFFER_SIZE);
    bool all = writer->buffer && (writer->list || !of_distances);
    for (int i = 0; i < writer->header.members; i++) {
        writer->index[i] = calloc(1, (size_t)writer->header.member[i].index_length);
        all = all && writer->index[i];
    }
    return all ? STATUS_OK : STATUS_NO_MEMORY;
}

/* Makes the encoder of the metric, which chooses how to encode what the survey found. */
static enum status choose_encoding(struct writer *writer, enum payload_kind forced)
{
    enum status status;
    if (writer->list) {
        status = distance_encoder_create(&writer->header, &writer->blocks, writer->frames, writer->list,
                                         &writer->distances);
        return status == STATUS_OK ? distance_encoder_choose(writer->distances) : status;
    }
    status = block_encoder_create(&writer->header, &writer->blocks, writer->frames, &writer->values);
    return status == STATUS_OK ? block_encoder_choose(writer->values, forced) : status;
}

static enum status survey_and_choose(struct writer *writer, const struct variant *variant, struct slice slice,
                                     const struct table_source *source, const struct table_options *options)
{
    enum status status = begin_header(&writer->header, variant, slice, options);
    if (status == STATUS_OK)
        status = allocate(writer, source, level_of(options));
    if (status == STATUS_OK)
        status = survey(variant, &writer->blocks, &writer->header, writer->list, &writer->fault);
    if (status == STATUS_OK)
        status = choose_encoding(writer, options->payload);
    return status;
}

/* Writes the file under its temporary name and puts it in place. */
static enum status write_and_publish(struct writer *writer, const char *directory, const char *temporary,
                                     const char *path, struct digest *digest)
{
    uint64_t length;
    enum status status = file_create(temporary, &writer->descriptor);
    if (status != STATUS_OK)
        return status;
    status = write_file(writer);
    if (status == STATUS_OK) /* read back, so that a lost byte shows now */
        status = file_digest(temporary, digest, &length);
    if (status == STATUS_OK && length != writer->header.file_length)
        status = STATUS_FILE;
    if (status != STATUS_OK) {
        file_discard(writer->descriptor, temporary);
        return status;
    }
    return file_publish(writer->descriptor, temporary, path, directory);
}

static void fill_summary(const struct writer *writer, const struct digest *digest,
                         struct table_summary *summary)
{
    const struct table_header *header = &writer->header;
    memset(summary, 0, sizeof *summary);
    summary->header = *header;
    summary->constant_blocks = writer->constant_blocks;
    table_name_write(header->slice, header->metric, summary->entry.name);
    summary->entry.size = header->file_length;
    summary->entry.digest = *digest;
    summary->entry.members = header->members;
    for (int i = 0; i < header->members; i++) {
        summary->blocks += block_source_count(&writer->blocks, i);
        summary->entry.member[i].positions = header->member[i].positions;
        memcpy(summary->entry.member[i].counts, header->member[i].counts, sizeof header->member[i].counts);
    }
}

static const char *fault_of(const struct writer *writer)
{
    return writer->fault || !writer->frames ? writer->fault : writer->frames->fault;
}

enum status table_write(const char *directory, const struct variant *variant, struct slice slice,
                        const struct table_source *source, const struct table_options *options,
                        struct table_summary *summary, char message[MESSAGE_SIZE])
{
    static const struct table_options defaults;
    char name[TABLE_NAME_SIZE];
    char *path = NULL;
    char *temporary = NULL;
    struct digest digest;
    struct writer *writer = calloc(1, sizeof *writer);
    enum status status = STATUS_NO_MEMORY;
    options = options ? options : &defaults;
    table_name_write(slice, metric_of(options), name);
    if (asprintf(&path, "%s/%s", directory, name) < 0)
        path = NULL;
    if (asprintf(&temporary, "%s/%s.tmp", directory, name) < 0)
        temporary = NULL;
    if (writer && path && temporary) {
        status = survey_and_choose(writer, variant, slice, source, options);
        if (status == STATUS_OK)
            status = write_and_publish(writer, directory, temporary, path, &digest);
    }
    if (status != STATUS_OK)
        table_message(message, path ? path : name, status, writer ? fault_of(writer) : NULL);
    else if (summary)
        fill_summary(writer, &digest, summary);
    if (writer)
        destroy_writer(writer);
    free(path);
    free(temporary);
    return status;
}
