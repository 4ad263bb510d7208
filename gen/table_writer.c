/* Writing a table in three passes over its values: survey (counts, digest, alphabet), trial (which payload,
 * and what to write where a value is free), and the blocks themselves. */
#include "table_writer.h"

#include "files.h"
#include "numbering.h"
#include "payload.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <xxhash.h>
#include <zdict.h>
#include <zstd.h>

enum {
    SAMPLE_BYTES = 1 << 21, /* of blocks that are looked at before anything is written */
    TRIAL_STEP = 3,         /* one of so many of them is compressed to compare, the others are learned from */
    MOST_DICTIONARY = 1 << 13,
    BUFFER_SIZE = 1 << 18,
    ZSTD_HEADER_SIZE = 6 /* magic, descriptor, window: what is left out of each frame */
};

struct writer {
    const struct table_source *source;
    struct table_header header;
    struct packed_fill fill;
    ZSTD_CCtx *context;
    XXH3_state_t *state;
    uint8_t *fetched; /* a block of each */
    uint8_t *symbols;
    uint8_t *payload;
    uint8_t *frame;
    size_t frame_bound;
    uint8_t *samples; /* blocks of symbols, for the trial */
    size_t sample_count;
    uint64_t sampled_blocks; /* with the constant ones, which are not kept */
    uint8_t dictionary[MOST_DICTIONARY];
    uint8_t trained[MOST_DICTIONARY]; /* one that may become the dictionary */
    uint8_t *index[MAX_MEMBERS];
    uint64_t constant_blocks;

    int descriptor;
    uint8_t *buffer; /* bytes not written yet */
    size_t buffered;
    uint64_t offset; /* of the first of them in the file */
    const char *fault;
};

/* -- Values of a block --------------------------------------------------------------------------------- */

static size_t block_size(const struct writer *writer)
{
    return (size_t)1 << writer->header.block_log2;
}

static uint64_t blocks_of(const struct writer *writer, int member)
{
    return block_count(writer->header.member[member].positions, writer->header.block_log2);
}

/* Fetches a block; what the last one lacks is free. *count is how many positions it has. */
static enum status fetch_block(struct writer *writer, int member, uint64_t block, size_t *count)
{
    uint64_t first = block << writer->header.block_log2;
    uint64_t left = writer->header.member[member].positions - first;
    *count = left < block_size(writer) ? (size_t)left : block_size(writer);
    memset(writer->fetched + *count, FETCHED_CAPTURE, block_size(writer) - *count);
    return writer->source->fetch(writer->source->context, member, first, *count, writer->fetched);
}

/* Turns the fetched values into symbols of the alphabet. */
static void make_symbols(const struct writer *writer, uint8_t *symbols)
{
    uint8_t symbol_of[256];
    memset(symbol_of, FREE_SYMBOL, sizeof symbol_of);
    for (int symbol = 0; symbol < writer->header.alphabet_size; symbol++)
        symbol_of[writer->header.alphabet[symbol]] = (uint8_t)symbol;
    for (size_t i = 0; i < block_size(writer); i++)
        symbols[i] = symbol_of[writer->fetched[i]];
}

/* True if all that is not free is one symbol; all free counts as the most frequent one. */
static bool is_constant(const struct writer *writer, const uint8_t *symbols, uint8_t *symbol)
{
    *symbol = FREE_SYMBOL;
    for (size_t i = 0; i < block_size(writer); i++) {
        if (symbols[i] == FREE_SYMBOL || symbols[i] == *symbol)
            continue;
        if (*symbol != FREE_SYMBOL)
            return false;
        *symbol = symbols[i];
    }
    if (*symbol == FREE_SYMBOL)
        *symbol = 0;
    return true;
}

/* -- First pass: survey -------------------------------------------------------------------------------- */

/* Adds a block to the histogram of bytes and to the digest. */
static enum status survey_block(struct writer *writer, size_t count, uint64_t histogram[256])
{
    uint8_t code[256] = {0};
    for (int value = 0; value < VALUES; value++)
        code[value] = code[value | FETCHED_CAPTURE] = (uint8_t)code_of_value((enum value)value);
    uint8_t none = 0;
    for (size_t i = 0; i < count; i++) {
        histogram[writer->fetched[i]]++;
        writer->fetched[i] = code[writer->fetched[i]];
        none |= writer->fetched[i] == 0;
    }
    if (none) {
        writer->fault = "a value to be written is none";
        return STATUS_BAD_ARGUMENT;
    }
    XXH3_128bits_update(writer->state, writer->fetched, count);
    return STATUS_OK;
}

static enum status survey_member(struct writer *writer, int i, uint64_t quiet[VALUES])
{
    struct table_member *member = &writer->header.member[i];
    uint64_t histogram[256] = {0};
    XXH3_128bits_reset(writer->state);
    for (uint64_t block = 0; block < blocks_of(writer, i); block++) {
        size_t count;
        enum status status = fetch_block(writer, i, block, &count);
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

static enum status survey(struct writer *writer, const struct table_options *options)
{
    struct table_header *header = &writer->header;
    uint64_t quiet[VALUES] = {0};
    for (int i = 0; i < header->members; i++) {
        struct table_member *member = &header->member[i];
        enum status status = survey_member(writer, i, quiet);
        if (status != STATUS_OK)
            return status;
        bool known = options->distances_known;
        member->greatest_win = known && member->counts[WIN] > 0 ? options->greatest_win[i] : NO_DISTANCE;
        member->greatest_loss = known && member->counts[LOSS] > 0 ? options->greatest_loss[i] : NO_DISTANCE;
    }
    choose_alphabet(header, quiet);
    return STATUS_OK;
}

/* -- Compression --------------------------------------------------------------------------------------- */

static size_t encode(const struct writer *writer, enum payload_kind kind, const uint8_t *symbols,
                     uint8_t *payload)
{
    if (kind == PAYLOAD_RUNS)
        return runs_encode(writer->header.alphabet_size, symbols, block_size(writer), payload);
    return packed_encode(&writer->fill, symbols, block_size(writer), payload);
}

/* Compresses a block into the writer's frame. *begin and *length are what is stored of it: all but the bytes
 * that the frames of a table share. They differ in the window only, and the header's prefix has one for all.
 */
static enum status compress(struct writer *writer, enum payload_kind kind, const uint8_t *symbols,
                            const uint8_t **begin, size_t *length)
{
    static const uint8_t zstd_magic[5] = {0x28, 0xb5, 0x2f, 0xfd, 0}; /* and a descriptor without options */
    size_t payload_length = encode(writer, kind, symbols, writer->payload);
    size_t size =
        ZSTD_compress2(writer->context, writer->frame, writer->frame_bound, writer->payload, payload_length);
    if (ZSTD_isError(size)) {
        writer->fault = ZSTD_getErrorName(size);
        return STATUS_NO_MEMORY;
    }
    if (size <= ZSTD_HEADER_SIZE || size > ZSTD_HEADER_SIZE + UINT16_MAX - BLOCK_CHECKSUM_SIZE ||
        memcmp(writer->frame, zstd_magic, sizeof zstd_magic) != 0) {
        writer->fault = "this version of zstd begins its frames in another way";
        return STATUS_BAD_ARGUMENT;
    }
    *begin = writer->frame + ZSTD_HEADER_SIZE;
    *length = size - ZSTD_HEADER_SIZE;
    return STATUS_OK;
}

static void set_frame_prefix(struct table_header *header)
{
    int window_log2 = header->block_log2 < 10 ? 10 : header->block_log2; /* no payload is longer */
    const uint8_t prefix[ZSTD_HEADER_SIZE] = {0x28, 0xb5, 0x2f, 0xfd, 0, (uint8_t)((window_log2 - 10) << 3)};
    header->frame_prefix_length = ZSTD_HEADER_SIZE;
    memcpy(header->frame_prefix, prefix, sizeof prefix);
}

/* -- Second pass: trial -------------------------------------------------------------------------------- */

static size_t sample_limit(const struct writer *writer)
{
    return SAMPLE_BYTES >> writer->header.block_log2;
}

/* Keeps blocks spread evenly over the table, those that are not constant. */
static enum status take_samples(struct writer *writer)
{
    for (int member = 0; member < writer->header.members; member++) {
        uint64_t blocks = blocks_of(writer, member);
        uint64_t most = sample_limit(writer) / MAX_MEMBERS;
        uint64_t wanted = blocks < most ? blocks : most;
        for (uint64_t i = 0; i < wanted; i++) {
            size_t count;
            uint8_t constant;
            uint64_t block = blocks / wanted * i + blocks % wanted * i / wanted;
            enum status status = fetch_block(writer, member, block, &count);
            if (status != STATUS_OK)
                return status;
            uint8_t *sample = writer->samples + writer->sample_count * block_size(writer);
            make_symbols(writer, sample);
            writer->sample_count += !is_constant(writer, sample, &constant);
            writer->sampled_blocks++;
        }
    }
    return STATUS_OK;
}

/* Learns which bytes are frequent: first from those that have nothing free, then from all as filled by that.
 */
static void learn_fill(struct writer *writer)
{
    int alphabet_size = writer->header.alphabet_size;
    for (int round = 0; round < 2; round++) {
        struct packed_statistics statistics = {{0}};
        for (size_t i = 0; i < writer->sample_count; i++)
            packed_count(alphabet_size, round == 0 ? NULL : &writer->fill,
                         writer->samples + i * block_size(writer), block_size(writer), &statistics);
        packed_fill_make(&writer->fill, alphabet_size, &statistics);
    }
}

/* Bytes of the whole table, estimated: every TRIAL_STEP-th sample is tried, the others are for learning. */
static enum status trial_size(struct writer *writer, enum payload_kind kind, uint64_t *size)
{
    uint64_t tried = 0;
    uint64_t bytes = 0;
    for (size_t i = 0; i < writer->sample_count; i += TRIAL_STEP, tried++) {
        const uint8_t *ignored;
        size_t length;
        enum status status =
            compress(writer, kind, writer->samples + i * block_size(writer), &ignored, &length);
        if (status != STATUS_OK)
            return status;
        bytes += length;
    }
    uint64_t blocks = 0;
    for (int member = 0; member < writer->header.members; member++)
        blocks += blocks_of(writer, member);
    double of_block = tried ? (double)bytes / (double)tried : 0;
    double stored = (double)blocks * (double)writer->sample_count / (double)writer->sampled_blocks;
    *size = (uint64_t)(of_block * stored);
    return STATUS_OK;
}

static enum status choose_payload(struct writer *writer, enum payload_kind forced, uint64_t *size)
{
    uint64_t runs;
    writer->header.payload = forced;
    if (forced != PAYLOAD_NONE)
        return trial_size(writer, forced, size);
    enum status status = trial_size(writer, PAYLOAD_PACKED, size);
    if (status == STATUS_OK)
        status = trial_size(writer, PAYLOAD_RUNS, &runs);
    if (status != STATUS_OK)
        return status;
    writer->header.payload = runs < *size ? PAYLOAD_RUNS : PAYLOAD_PACKED;
    *size = runs < *size ? runs : *size;
    return STATUS_OK;
}

/* Payloads of the samples that are not tried, end to end, with the length of each. Returns how many. */
static unsigned training_payloads(const struct writer *writer, uint8_t *payloads, size_t *lengths)
{
    unsigned count = 0;
    for (size_t i = 0; i < writer->sample_count; i++) {
        if (i % TRIAL_STEP == 0)
            continue;
        const uint8_t *sample = writer->samples + i * block_size(writer);
        lengths[count] = encode(writer, writer->header.payload, sample, payloads);
        payloads += lengths[count++];
    }
    return count;
}

/* Uses a dictionary for all that is compressed from now on; an empty one is none. */
static enum status use_dictionary(struct writer *writer, const uint8_t *bytes, size_t length)
{
    size_t result = ZSTD_CCtx_loadDictionary(writer->context, bytes, length);
    return ZSTD_isError(result) ? STATUS_NO_MEMORY : STATUS_OK;
}

/* Trains dictionaries of several sizes and keeps the one that saves most, if any saves more than it takes.
 * Training that fails (too few samples, too much alike) only means no dictionary. */
static enum status try_dictionaries(struct writer *writer, const uint8_t *payloads, const size_t *lengths,
                                    unsigned count, uint64_t best)
{
    static const size_t sizes[] = {1 << 10, 1 << 11, 1 << 13};
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < sizeof sizes / sizeof sizes[0]; i++) {
        uint64_t size;
        if (sizes[i] > best / 4)
            break;
        size_t length = ZDICT_trainFromBuffer(writer->trained, sizes[i], payloads, lengths, count);
        if (ZDICT_isError(length))
            continue;
        status = use_dictionary(writer, writer->trained, length);
        if (status == STATUS_OK)
            status = trial_size(writer, writer->header.payload, &size);
        if (status == STATUS_OK && size + length < best) {
            best = size + length;
            memcpy(writer->dictionary, writer->trained, length);
            writer->header.dictionary_length = length;
        }
    }
    if (status == STATUS_OK)
        status = use_dictionary(writer, writer->dictionary, (size_t)writer->header.dictionary_length);
    return status;
}

static enum status choose_dictionary(struct writer *writer, uint64_t size)
{
    uint8_t *payloads = malloc(SAMPLE_BYTES);
    size_t *lengths = malloc((sample_limit(writer) + 1) * sizeof *lengths);
    enum status status = STATUS_NO_MEMORY;
    if (payloads && lengths) {
        unsigned count = training_payloads(writer, payloads, lengths);
        status = count ? try_dictionaries(writer, payloads, lengths, count, size) : STATUS_OK;
    }
    free(payloads);
    free(lengths);
    struct table_header *header = &writer->header;
    header->dictionary_checksum =
        header->dictionary_length ? section_checksum(writer->dictionary, (size_t)header->dictionary_length)
                                  : 0;
    return status;
}

static enum status choose_layout(struct writer *writer, const struct table_options *options)
{
    uint64_t size;
    if (writer->header.alphabet_size < 2)
        return STATUS_OK;
    set_frame_prefix(&writer->header);
    enum status status = take_samples(writer);
    if (status != STATUS_OK)
        return status;
    learn_fill(writer);
    status = choose_payload(writer, options->payload, &size);
    return status == STATUS_OK ? choose_dictionary(writer, size) : status;
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
    size_t count;
    uint8_t constant;
    enum status status = fetch_block(writer, i, block, &count);
    if (status != STATUS_OK)
        return status;
    make_symbols(writer, writer->symbols);
    if (block % INDEX_GROUP == 0)
        store_64(writer->index[i] + index_base_at(block), member->data_length);
    if (is_constant(writer, writer->symbols, &constant)) {
        store_16(entry, (uint16_t)code_of_value(writer->header.alphabet[constant]));
        writer->constant_blocks++;
        return STATUS_OK;
    }
    const uint8_t *bytes;
    size_t length;
    uint8_t checksum[BLOCK_CHECKSUM_SIZE];
    status = compress(writer, writer->header.payload, writer->symbols, &bytes, &length);
    if (status != STATUS_OK)
        return status;
    store_16(entry, (uint16_t)(BLOCK_CHECKSUM_SIZE + length));
    store_32(checksum, block_checksum(member, block, bytes, length));
    member->data_length += BLOCK_CHECKSUM_SIZE + length;
    status = append(writer, checksum, sizeof checksum);
    return status == STATUS_OK ? append(writer, bytes, length) : status;
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
        status = append(writer, writer->dictionary, writer->header.dictionary_length);
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
    ZSTD_freeCCtx(writer->context);
    XXH3_freeState(writer->state);
    free(writer->fetched);
    free(writer->symbols);
    free(writer->payload);
    free(writer->frame);
    free(writer->samples);
    free(writer->buffer);
    for (int i = 0; i < MAX_MEMBERS; i++)
        free(writer->index[i]);
    free(writer);
}

/* What the header says before a value is known. */
static enum status begin_header(struct table_header *header, const struct variant *variant,
                                struct slice slice, const struct table_options *options)
{
    header->metric = METRIC_WDL;
    snprintf(header->variant, sizeof header->variant, "%s", variant->rules.name);
    header->fingerprint = variant_fingerprint(variant);
    header->slice = slice_pair_name(slice);
    header->members = slice_is_own_mirror(header->slice) ? 1 : 2;
    header->block_log2 = options->block_log2 ? options->block_log2 : DEFAULT_BLOCK_LOG2;
    header->inputs = options->inputs;
    if (header->block_log2 < MIN_BLOCK_LOG2 || header->block_log2 > MAX_BLOCK_LOG2 ||
        options->payload > PAYLOAD_RUNS || options->level < 0 || options->level > ZSTD_maxCLevel())
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

static enum status set_compression(struct writer *writer, int level)
{
    const struct {
        ZSTD_cParameter parameter;
        int value;
    } settings[] = {{ZSTD_c_compressionLevel, level ? level : DEFAULT_LEVEL},
                    {ZSTD_c_contentSizeFlag, 0},
                    {ZSTD_c_checksumFlag, 0},
                    {ZSTD_c_dictIDFlag, 0}};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (ZSTD_isError(ZSTD_CCtx_setParameter(writer->context, settings[i].parameter, settings[i].value)))
            return STATUS_BAD_ARGUMENT;
    return STATUS_OK;
}

static enum status allocate(struct writer *writer)
{
    size_t block = block_size(writer);
    writer->frame_bound = ZSTD_compressBound(payload_bound(block));
    writer->context = ZSTD_createCCtx();
    writer->state = XXH3_createState();
    writer->fetched = malloc(block);
    writer->symbols = malloc(block);
    writer->payload = malloc(payload_bound(block));
    writer->frame = malloc(writer->frame_bound);
    writer->samples = malloc(SAMPLE_BYTES + block); /* a constant one may follow the last that is kept */
    writer->buffer = malloc(BUFFER_SIZE);
    bool all = writer->context && writer->state && writer->fetched && writer->symbols && writer->payload &&
               writer->frame && writer->samples && writer->buffer;
    for (int i = 0; i < writer->header.members; i++) {
        writer->index[i] = calloc(1, (size_t)writer->header.member[i].index_length);
        all = all && writer->index[i];
    }
    return all ? STATUS_OK : STATUS_NO_MEMORY;
}

static enum status survey_and_choose(struct writer *writer, const struct variant *variant, struct slice slice,
                                     const struct table_options *options)
{
    enum status status = begin_header(&writer->header, variant, slice, options);
    if (status == STATUS_OK)
        status = allocate(writer);
    if (status == STATUS_OK)
        status = set_compression(writer, options->level);
    if (status == STATUS_OK)
        status = survey(writer, options);
    if (status == STATUS_OK)
        status = choose_layout(writer, options);
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
        writer->source = source;
        status = survey_and_choose(writer, variant, slice, options ? options : &defaults);
        if (status == STATUS_OK)
            status = write_and_publish(writer, directory, temporary, path, &digest);
    }
    if (status != STATUS_OK)
        table_message(message, path ? path : name, status, writer ? writer->fault : NULL);
    else if (summary)
        fill_summary(writer, &digest, summary);
    if (writer)
        destroy_writer(writer);
    free(path);
    free(temporary);
    return status;
}
