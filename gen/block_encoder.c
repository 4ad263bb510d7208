/* Blocks as they are stored: symbols, payload, compression, and the trial that chooses among the ways. */
#include "block_encoder.h"

#include <stdlib.h>
#include <zdict.h>

enum {
    SAMPLE_BYTES = 1 << 20, /* of blocks that are looked at before anything is written */
    TRIAL_STEP = 3,         /* one of so many of them is compressed to compare, the others are learned from */
    ZSTD_HEADER_SIZE = 6    /* magic, descriptor, window: what is left out of each frame */
};

/* -- Values of a block --------------------------------------------------------------------------------- */

static size_t block_size(const struct block_encoder *encoder)
{
    return (size_t)1 << encoder->header->block_log2;
}

static uint64_t blocks_of(const struct block_encoder *encoder, int member)
{
    return block_count(encoder->header->member[member].positions, encoder->header->block_log2);
}

enum status block_encoder_fetch(struct block_encoder *encoder, int member, uint64_t block, size_t *count)
{
    uint64_t first = block << encoder->header->block_log2;
    uint64_t left = encoder->header->member[member].positions - first;
    *count = left < block_size(encoder) ? (size_t)left : block_size(encoder);
    memset(encoder->fetched + *count, FETCHED_CAPTURE, block_size(encoder) - *count);
    return encoder->source->fetch(encoder->source->context, member, first, *count, encoder->fetched);
}

/* Turns the fetched values into symbols of the alphabet. */
static void make_symbols(const struct block_encoder *encoder, uint8_t *symbols)
{
    uint8_t symbol_of[256];
    memset(symbol_of, FREE_SYMBOL, sizeof symbol_of);
    for (int symbol = 0; symbol < encoder->header->alphabet_size; symbol++)
        symbol_of[encoder->header->alphabet[symbol]] = (uint8_t)symbol;
    for (size_t i = 0; i < block_size(encoder); i++)
        symbols[i] = symbol_of[encoder->fetched[i]];
}

/* True if all that is not free is one symbol; all free counts as the most frequent one. */
static bool is_constant(const struct block_encoder *encoder, const uint8_t *symbols, uint8_t *symbol)
{
    *symbol = FREE_SYMBOL;
    for (size_t i = 0; i < block_size(encoder); i++) {
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

/* -- Compression --------------------------------------------------------------------------------------- */

static size_t encode(struct block_encoder *encoder, enum payload_kind kind, const uint8_t *symbols,
                     uint8_t *payload)
{
    if (kind == PAYLOAD_RUNS)
        return runs_encode(encoder->header->alphabet_size, symbols, block_size(encoder), payload);
    return packed_encode(&encoder->packed, symbols, block_size(encoder), payload);
}

/* Compresses a block into the encoder's frame. *begin and *length are what is stored of it: all but the bytes
 * that the frames of a table share. They differ in the window only, and the header's prefix has one for all.
 */
static enum status compress(struct block_encoder *encoder, enum payload_kind kind, const uint8_t *symbols,
                            const uint8_t **begin, size_t *length)
{
    static const uint8_t zstd_magic[5] = {0x28, 0xb5, 0x2f, 0xfd, 0}; /* and a descriptor without options */
    size_t payload_length = encode(encoder, kind, symbols, encoder->payload);
    size_t size = ZSTD_compress2(encoder->context, encoder->frame, encoder->frame_bound, encoder->payload,
                                 payload_length);
    if (ZSTD_isError(size)) {
        encoder->fault = ZSTD_getErrorName(size);
        return STATUS_NO_MEMORY;
    }
    if (size <= ZSTD_HEADER_SIZE || size > ZSTD_HEADER_SIZE + UINT16_MAX - BLOCK_CHECKSUM_SIZE ||
        memcmp(encoder->frame, zstd_magic, sizeof zstd_magic) != 0) {
        encoder->fault = "this version of zstd begins its frames in another way";
        return STATUS_BAD_ARGUMENT;
    }
    *begin = encoder->frame + ZSTD_HEADER_SIZE;
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

/* -- Trial -------------------------------------------------------------------------------- */

static size_t sample_limit(const struct block_encoder *encoder)
{
    return SAMPLE_BYTES >> encoder->header->block_log2;
}

/* Keeps blocks spread evenly over the table, those that are not constant. */
static enum status take_samples(struct block_encoder *encoder)
{
    for (int member = 0; member < encoder->header->members; member++) {
        uint64_t blocks = blocks_of(encoder, member);
        uint64_t most = sample_limit(encoder) / MAX_MEMBERS;
        uint64_t wanted = blocks < most ? blocks : most;
        for (uint64_t i = 0; i < wanted; i++) {
            size_t count;
            uint8_t constant;
            uint64_t block = blocks / wanted * i + blocks % wanted * i / wanted;
            enum status status = block_encoder_fetch(encoder, member, block, &count);
            if (status != STATUS_OK)
                return status;
            uint8_t *sample = encoder->samples + encoder->sample_count * block_size(encoder);
            make_symbols(encoder, sample);
            encoder->sample_count += !is_constant(encoder, sample, &constant);
            encoder->sampled_blocks++;
        }
    }
    return STATUS_OK;
}

/* Learns which bytes are frequent: first from those that have nothing free, then from all as filled by that.
 */
static void learn_fill(struct block_encoder *encoder)
{
    int alphabet_size = encoder->header->alphabet_size;
    for (int round = 0; round < 2; round++) {
        struct packed_statistics statistics = {{0}};
        for (size_t i = 0; i < encoder->sample_count; i++)
            packed_count(alphabet_size, round == 0 ? NULL : &encoder->packed,
                         encoder->samples + i * block_size(encoder), block_size(encoder), &statistics);
        packed_encoder_make(&encoder->packed, alphabet_size, &statistics);
    }
}

/* Bytes of the whole table, estimated: every TRIAL_STEP-th sample is tried, the others are for learning. */
static enum status trial_size(struct block_encoder *encoder, enum payload_kind kind, uint64_t *size)
{
    uint64_t tried = 0;
    uint64_t bytes = 0;
    for (size_t i = 0; i < encoder->sample_count; i += TRIAL_STEP, tried++) {
        const uint8_t *ignored;
        size_t length;
        enum status status =
            compress(encoder, kind, encoder->samples + i * block_size(encoder), &ignored, &length);
        if (status != STATUS_OK)
            return status;
        bytes += length;
    }
    uint64_t blocks = 0;
    for (int member = 0; member < encoder->header->members; member++)
        blocks += blocks_of(encoder, member);
    double of_block = tried ? (double)bytes / (double)tried : 0;
    double stored = (double)blocks * (double)encoder->sample_count / (double)encoder->sampled_blocks;
    *size = (uint64_t)(of_block * stored);
    return STATUS_OK;
}

/* Finds the fill that makes the packed payload smallest. */
static enum status choose_fill(struct block_encoder *encoder, uint64_t *size)
{
    enum packed_fill best = FILL_FREQUENT;
    enum status status = STATUS_OK;
    *size = UINT64_MAX;
    for (int fill = 0; status == STATUS_OK && fill < PACKED_FILLS; fill++) {
        uint64_t with_fill;
        encoder->packed.fill = (enum packed_fill)fill;
        status = trial_size(encoder, PAYLOAD_PACKED, &with_fill);
        if (status == STATUS_OK && with_fill < *size) {
            *size = with_fill;
            best = (enum packed_fill)fill;
        }
    }
    encoder->packed.fill = best;
    return status;
}

/* Payloads of the samples that are not tried, end to end, with the length of each. Returns how many. */
static unsigned training_payloads(struct block_encoder *encoder, uint8_t *payloads, size_t *lengths)
{
    unsigned count = 0;
    for (size_t i = 0; i < encoder->sample_count; i++) {
        if (i % TRIAL_STEP == 0)
            continue;
        const uint8_t *sample = encoder->samples + i * block_size(encoder);
        lengths[count] = encode(encoder, encoder->header->payload, sample, payloads);
        payloads += lengths[count++];
    }
    return count;
}

/* Uses a dictionary for all that is compressed from now on; an empty one is none. */
static enum status use_dictionary(struct block_encoder *encoder, const uint8_t *bytes, size_t length)
{
    size_t result = ZSTD_CCtx_loadDictionary(encoder->context, bytes, length);
    return ZSTD_isError(result) ? STATUS_NO_MEMORY : STATUS_OK;
}

/* Trains dictionaries of several sizes and keeps the one that saves most, if any saves more than it takes.
 * Training that fails (too few samples, too much alike) only means no dictionary. */
static enum status try_dictionaries(struct block_encoder *encoder, const uint8_t *payloads,
                                    const size_t *lengths, unsigned count, uint64_t *best)
{
    static const size_t sizes[] = {1 << 10, 1 << 11, 1 << 13};
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < sizeof sizes / sizeof sizes[0]; i++) {
        uint64_t size;
        if (sizes[i] > *best / 4)
            break;
        size_t length = ZDICT_trainFromBuffer(encoder->trained, sizes[i], payloads, lengths, count);
        if (ZDICT_isError(length))
            continue;
        status = use_dictionary(encoder, encoder->trained, length);
        if (status == STATUS_OK)
            status = trial_size(encoder, encoder->header->payload, &size);
        if (status == STATUS_OK && size + length < *best) {
            *best = size + length;
            memcpy(encoder->dictionary, encoder->trained, length);
            encoder->header->dictionary_length = length;
        }
    }
    if (status == STATUS_OK)
        status = use_dictionary(encoder, encoder->dictionary, (size_t)encoder->header->dictionary_length);
    return status;
}

/* Chooses the dictionary for the payload that the header has. *size is what the table takes without it, then
 * with it. */
static enum status choose_dictionary(struct block_encoder *encoder, uint64_t *size)
{
    uint8_t *payloads = malloc(SAMPLE_BYTES);
    size_t *lengths = malloc((sample_limit(encoder) + 1) * sizeof *lengths);
    enum status status = STATUS_NO_MEMORY;
    encoder->header->dictionary_length = 0;
    if (payloads && lengths) {
        unsigned count = training_payloads(encoder, payloads, lengths);
        status = use_dictionary(encoder, NULL, 0);
        if (status == STATUS_OK && count)
            status = try_dictionaries(encoder, payloads, lengths, count, size);
    }
    free(payloads);
    free(lengths);
    return status;
}

/* Sizes with each payload, without a dictionary; what is forced out is endless. */
static enum status try_payloads(struct block_encoder *encoder, enum payload_kind forced,
                                uint64_t size[PAYLOAD_KINDS])
{
    enum status status = STATUS_OK;
    size[PAYLOAD_PACKED] = size[PAYLOAD_RUNS] = UINT64_MAX;
    if (forced != PAYLOAD_RUNS)
        status = choose_fill(encoder, &size[PAYLOAD_PACKED]);
    if (status == STATUS_OK && forced != PAYLOAD_PACKED)
        status = trial_size(encoder, PAYLOAD_RUNS, &size[PAYLOAD_RUNS]);
    return status;
}

/* A dictionary helps one payload more than the other; where they are close, both are tried with one. */
static enum status choose_payload(struct block_encoder *encoder, enum payload_kind forced)
{
    uint64_t size[PAYLOAD_KINDS];
    enum status status = try_payloads(encoder, forced, size);
    if (status != STATUS_OK)
        return status;
    enum payload_kind better = size[PAYLOAD_RUNS] < size[PAYLOAD_PACKED] ? PAYLOAD_RUNS : PAYLOAD_PACKED;
    enum payload_kind worse = better == PAYLOAD_RUNS ? PAYLOAD_PACKED : PAYLOAD_RUNS;
    bool close = size[worse] != UINT64_MAX && size[worse] - size[better] < size[better] / 4;
    if (close) {
        encoder->header->payload = worse;
        status = choose_dictionary(encoder, &size[worse]);
    }
    struct table_header other = *encoder->header;
    uint8_t dictionary[MOST_DICTIONARY];
    memcpy(dictionary, encoder->dictionary, sizeof dictionary);
    encoder->header->payload = better;
    if (status == STATUS_OK)
        status = choose_dictionary(encoder, &size[better]);
    if (status == STATUS_OK && close && size[worse] < size[better]) {
        *encoder->header = other;
        memcpy(encoder->dictionary, dictionary, sizeof dictionary);
        status = use_dictionary(encoder, encoder->dictionary, (size_t)other.dictionary_length);
    }
    return status;
}

enum status block_encoder_choose(struct block_encoder *encoder, enum payload_kind forced)
{
    struct table_header *header = encoder->header;
    if (header->alphabet_size < 2)
        return STATUS_OK;
    set_frame_prefix(header);
    enum status status = take_samples(encoder);
    if (status != STATUS_OK)
        return status;
    learn_fill(encoder);
    status = choose_payload(encoder, forced);
    if (header->dictionary_length)
        header->dictionary_checksum =
            section_checksum(encoder->dictionary, (size_t)header->dictionary_length);
    return status;
}

/* -- Making, and the blocks ---------------------------------------------------------------------------- */

static enum status set_compression(struct block_encoder *encoder, int level)
{
    const struct {
        ZSTD_cParameter parameter;
        int value;
    } settings[] = {{ZSTD_c_compressionLevel, level},
                    {ZSTD_c_contentSizeFlag, 0},
                    {ZSTD_c_checksumFlag, 0},
                    {ZSTD_c_dictIDFlag, 0}};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (ZSTD_isError(ZSTD_CCtx_setParameter(encoder->context, settings[i].parameter, settings[i].value)))
            return STATUS_BAD_ARGUMENT;
    return STATUS_OK;
}

static enum status allocate(struct block_encoder *encoder)
{
    size_t block = block_size(encoder);
    encoder->frame_bound = ZSTD_compressBound(payload_bound(block));
    encoder->context = ZSTD_createCCtx();
    encoder->fetched = malloc(block);
    encoder->symbols = malloc(block);
    encoder->payload = malloc(payload_bound(block));
    encoder->frame = malloc(encoder->frame_bound);
    encoder->samples = malloc(SAMPLE_BYTES + block); /* a constant one may follow the last that is kept */
    return encoder->context && encoder->fetched && encoder->symbols && encoder->payload && encoder->frame &&
                   encoder->samples
               ? STATUS_OK
               : STATUS_NO_MEMORY;
}

enum status block_encoder_create(struct table_header *header, const struct table_source *source, int level,
                                 struct block_encoder **encoder)
{
    struct block_encoder *made = calloc(1, sizeof *made);
    *encoder = NULL;
    if (!made)
        return STATUS_NO_MEMORY;
    made->header = header;
    made->source = source;
    enum status status = allocate(made);
    if (status == STATUS_OK)
        status = set_compression(made, level);
    if (status == STATUS_OK)
        *encoder = made;
    else
        block_encoder_destroy(made);
    return status;
}

void block_encoder_destroy(struct block_encoder *encoder)
{
    if (!encoder)
        return;
    ZSTD_freeCCtx(encoder->context);
    free(encoder->fetched);
    free(encoder->symbols);
    free(encoder->payload);
    free(encoder->frame);
    free(encoder->samples);
    free(encoder);
}

enum status block_encoder_encode(struct block_encoder *encoder, int member, uint64_t block,
                                 struct encoded_block *encoded)
{
    size_t count;
    uint8_t symbol;
    *encoded = (struct encoded_block){0};
    enum status status = block_encoder_fetch(encoder, member, block, &count);
    if (status != STATUS_OK)
        return status;
    make_symbols(encoder, encoder->symbols);
    encoded->constant = is_constant(encoder, encoder->symbols, &symbol);
    if (encoded->constant) {
        encoded->value = encoder->header->alphabet[symbol];
        return STATUS_OK;
    }
    return compress(encoder, encoder->header->payload, encoder->symbols, &encoded->bytes, &encoded->length);
}
