/* Writing a table in three passes over its values: survey (counts, digest, alphabet), trial
 * (block_encoder.c), and the blocks themselves, in a file that gets its name when it is whole. */
#include "table_writer.h"

#include "block_encoder.h"
#include "files.h"
#include "numbering.h"

#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

enum { BUFFER_SIZE = 1 << 18 };

struct writer {
    struct table_header header;
    struct block_encoder *encoder;
    XXH3_state_t *state;
    uint8_t *index[MAX_MEMBERS];
    uint64_t constant_blocks;
    int descriptor;
    uint8_t *buffer; /* bytes not written yet */
    size_t buffered;
    uint64_t offset; /* of the first of them in the file */
};

static uint64_t blocks_of(const struct writer *writer, int member)
{
    return block_count(writer->header.member[member].positions, writer->header.block_log2);
}

/* -- First pass: survey -------------------------------------------------------------------------------- */

/* Adds a block to the histogram of bytes and to the digest. */
static enum status survey_block(struct writer *writer, size_t count, uint64_t histogram[256])
{
    uint8_t *bytes = writer->encoder->fetched;
    uint8_t code[256] = {0};
    for (int value = 0; value < VALUES; value++)
        code[value] = code[value | FETCHED_CAPTURE] = (uint8_t)code_of_value((enum value)value);
    uint8_t none = 0;
    for (size_t i = 0; i < count; i++) {
        histogram[bytes[i]]++;
        bytes[i] = code[bytes[i]];
        none |= bytes[i] == 0;
    }
    if (none) {
        writer->encoder->fault = "a value to be written is none";
        return STATUS_BAD_ARGUMENT;
    }
    XXH3_128bits_update(writer->state, bytes, count);
    return STATUS_OK;
}

static enum status survey_member(struct writer *writer, int i, uint64_t quiet[VALUES])
{
    struct table_member *member = &writer->header.member[i];
    uint64_t histogram[256] = {0};
    XXH3_128bits_reset(writer->state);
    for (uint64_t block = 0; block < blocks_of(writer, i); block++) {
        size_t count;
        enum status status = block_encoder_fetch(writer->encoder, i, block, &count);
        if (status == STATUS_OK)
            status = survey_block(writer, count, histogram);
        if (status != STATUS_OK)
            return status;
    }
    for (int value = 0; value < VALUES; value++) {
        member->counts[value] = histogram[value] + histogram[value | FETCHED_CAPTURE];
        quiet[value] += histogram[value];
    }
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(writer->state));
    memcpy(member->values.bytes, canonical.digest, DIGEST_SIZE);
    return STATUS_OK;
}

/* The values that may be asked for, most frequent first, of equals the one with the lower code. */
static void choose_alphabet(struct table_header *header, const uint64_t quiet[VALUES])
{
    header->alphabet_size = 0;
    for (unsigned code = CODE_WIN; code <= CODE_LOSS; code++) {
        enum value value = DRAW;
        value_of_code(code, &value);
        if (quiet[value] == 0)
            continue;
        int place = header->alphabet_size++;
        for (; place > 0 && quiet[header->alphabet[place - 1]] < quiet[value]; place--)
            header->alphabet[place] = header->alphabet[place - 1];
        header->alphabet[place] = value;
    }
    if (header->alphabet_size == 0) { /* every position has a capture: no value is ever asked for */
        header->alphabet[0] = DRAW;
        header->alphabet_size = 1;
    }
}

static enum status survey(struct writer *writer)
{
    struct table_header *header = &writer->header;
    uint64_t quiet[VALUES] = {0};
    for (int i = 0; i < header->members; i++) {
        struct table_member *member = &header->member[i];
        enum status status = survey_member(writer, i, quiet);
        if (status != STATUS_OK)
            return status;
        member->greatest_win = member->greatest_loss = NO_DISTANCE;
    }
    choose_alphabet(header, quiet);
    return STATUS_OK;
}

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

static enum status write_block(struct writer *writer, int i, uint64_t block)
{
    struct table_member *member = &writer->header.member[i];
    uint8_t *entry = writer->index[i] + index_entry_at(block);
    struct encoded_block encoded;
    uint8_t checksum[BLOCK_CHECKSUM_SIZE];
    enum status status = block_encoder_encode(writer->encoder, i, block, &encoded);
    if (status != STATUS_OK)
        return status;
    if (block % INDEX_GROUP == 0)
        store_64(writer->index[i] + index_base_at(block), member->data_length);
    if (encoded.constant) {
        store_16(entry, (uint16_t)code_of_value(encoded.value));
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
        for (uint64_t block = 0; block < blocks_of(writer, i); block++) {
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
    writer->header.dictionary_offset = HEADER_SIZE;
    enum status status =
        append(writer, bytes, sizeof bytes); /* its place; what it says is known at the end */
    if (status == STATUS_OK)
        status = append(writer, writer->encoder->dictionary, writer->header.dictionary_length);
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

/* -- The whole ----------------------------------------------------------------------------------------- */

static void destroy_writer(struct writer *writer)
{
    block_encoder_destroy(writer->encoder);
    XXH3_freeState(writer->state);
    free(writer->buffer);
    for (int i = 0; i < MAX_MEMBERS; i++)
        free(writer->index[i]);
    free(writer);
}

/* What the header says before a value is known. */
static enum status begin_header(struct table_header *header, const struct variant *variant,
                                struct slice slice, const struct table_options *options)
{
    header->metric = options->metric ? options->metric : METRIC_WDL;
    snprintf(header->variant, sizeof header->variant, "%s", variant->rules.name);
    header->fingerprint = variant_fingerprint(variant);
    header->slice = slice_pair_name(slice);
    header->members = slice_is_own_mirror(header->slice) ? 1 : 2;
    header->block_log2 = options->block_log2 ? options->block_log2 : DEFAULT_BLOCK_LOG2;
    header->inputs = options->inputs;
    if (header->metric != METRIC_WDL || header->block_log2 < MIN_BLOCK_LOG2 ||
        header->block_log2 > MAX_BLOCK_LOG2 || options->payload > PAYLOAD_RUNS || options->level < 0 ||
        options->level > ZSTD_maxCLevel())
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
    enum status status =
        block_encoder_create(&writer->header, source, level ? level : DEFAULT_LEVEL, &writer->encoder);
    if (status != STATUS_OK)
        return status;
    writer->state = XXH3_createState();
    writer->buffer = malloc(BUFFER_SIZE);
    bool all = writer->state && writer->buffer;
    for (int i = 0; i < writer->header.members; i++) {
        writer->index[i] = calloc(1, (size_t)writer->header.member[i].index_length);
        all = all && writer->index[i];
    }
    return all ? STATUS_OK : STATUS_NO_MEMORY;
}

static enum status survey_and_choose(struct writer *writer, const struct variant *variant, struct slice slice,
                                     const struct table_source *source, const struct table_options *options)
{
    enum status status = begin_header(&writer->header, variant, slice, options);
    if (status == STATUS_OK)
        status = allocate(writer, source, options->level);
    if (status == STATUS_OK)
        status = survey(writer);
    if (status == STATUS_OK)
        status = block_encoder_choose(writer->encoder, options->payload);
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
        summary->blocks += blocks_of(writer, i);
        summary->entry.member[i].positions = header->member[i].positions;
        memcpy(summary->entry.member[i].counts, header->member[i].counts, sizeof header->member[i].counts);
    }
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
    table_name_write(slice, METRIC_WDL, name);
    if (asprintf(&path, "%s/%s", directory, name) < 0)
        path = NULL;
    if (asprintf(&temporary, "%s/%s.tmp", directory, name) < 0)
        temporary = NULL;
    if (writer && path && temporary) {
        status = survey_and_choose(writer, variant, slice, source, options ? options : &defaults);
        if (status == STATUS_OK)
            status = write_and_publish(writer, directory, temporary, path, &digest);
    }
    if (status != STATUS_OK)
        table_message(message, path ? path : name, status,
                      writer && writer->encoder ? writer->encoder->fault : NULL);
    else if (summary)
        fill_summary(writer, &digest, summary);
    if (writer)
        destroy_writer(writer);
    free(path);
    free(temporary);
    return status;
}
