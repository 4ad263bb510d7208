/* Compression of payloads, and training of dictionaries. */
#include "frame_encoder.h"

#include <stdlib.h>
#include <zdict.h>

enum {
    TRIAL_STEP = 6,         /* one of so many samples is compressed to compare, the others are learned from */
    ZSTD_HEADER_SIZE = 6,   /* magic, descriptor, window: what is left out of each frame */
    LEAST_WINDOW_LOG2 = 10, /* of zstd */
};

/* Magic, and a descriptor without options. */
static const uint8_t frame_begin[ZSTD_HEADER_SIZE - 1] = {0x28, 0xb5, 0x2f, 0xfd, 0};

enum status frame_encoder_compress(struct frame_encoder *frames, const uint8_t *payload,
                                   size_t payload_length, const uint8_t **bytes, size_t *length)
{
    size_t size =
        ZSTD_compress2(frames->context, frames->frame, frames->frame_bound, payload, payload_length);
    if (ZSTD_isError(size)) {
        frames->fault = ZSTD_getErrorName(size);
        return STATUS_NO_MEMORY;
    }
    if (size <= ZSTD_HEADER_SIZE || size > ZSTD_HEADER_SIZE + UINT16_MAX - BLOCK_CHECKSUM_SIZE ||
        memcmp(frames->frame, frame_begin, sizeof frame_begin) != 0) {
        frames->fault = "this version of zstd begins its frames in another way";
        return STATUS_BAD_ARGUMENT;
    }
    *bytes = frames->frame + ZSTD_HEADER_SIZE;
    *length = size - ZSTD_HEADER_SIZE;
    return STATUS_OK;
}

/* The frames differ in the window only, and the prefix has one for all: no payload is longer. */
static void describe_prefix(const struct frame_encoder *frames, struct table_header *header)
{
    int window_log2 = LEAST_WINDOW_LOG2;
    while ((size_t)1 << window_log2 < frames->payload_bound)
        window_log2++;
    header->frame_prefix_length = ZSTD_HEADER_SIZE;
    memcpy(header->frame_prefix, frame_begin, sizeof frame_begin);
    header->frame_prefix[sizeof frame_begin] = (uint8_t)((window_log2 - LEAST_WINDOW_LOG2) << 3);
}

void frame_encoder_describe(const struct frame_encoder *frames, struct table_header *header)
{
    describe_prefix(frames, header);
    header->dictionary_length = frames->dictionary.length;
    if (frames->dictionary.length)
        header->dictionary_checksum = section_checksum(frames->dictionary.bytes, frames->dictionary.length);
}

/* -- Trial --------------------------------------------------------------------------------------------- */

enum status frame_encoder_estimate(struct frame_encoder *frames, const struct frame_samples *samples,
                                   uint64_t *size)
{
    uint64_t tried = 0;
    uint64_t bytes = 0;
    for (size_t i = 0; i < samples->count; i += TRIAL_STEP, tried++) {
        const uint8_t *ignored;
        size_t length;
        size_t payload_length = samples->make_payload(samples->context, i, frames->payload);
        enum status status =
            frame_encoder_compress(frames, frames->payload, payload_length, &ignored, &length);
        if (status != STATUS_OK)
            return status;
        bytes += length;
    }
    double of_block = tried ? (double)bytes / (double)tried : 0;
    double stored = samples->sampled_blocks
                        ? (double)samples->blocks * (double)samples->count / (double)samples->sampled_blocks
                        : 0;
    *size = (uint64_t)(of_block * stored);
    return STATUS_OK;
}

/* Payloads of the samples that are not tried, end to end, with the length of each. Returns how many. */
static unsigned training_payloads(const struct frame_samples *samples, uint8_t *payloads, size_t *lengths)
{
    unsigned count = 0;
    for (size_t i = 0; i < samples->count; i++) {
        if (i % TRIAL_STEP == 0)
            continue;
        lengths[count] = samples->make_payload(samples->context, i, payloads);
        payloads += lengths[count++];
    }
    return count;
}

/* Loads a dictionary for all that is compressed from now on. */
static enum status load(struct frame_encoder *frames, const struct dictionary *dictionary)
{
    size_t result = ZSTD_CCtx_loadDictionary(frames->context, dictionary->bytes, dictionary->length);
    return ZSTD_isError(result) ? STATUS_NO_MEMORY : STATUS_OK;
}

enum status frame_encoder_use(struct frame_encoder *frames, const struct dictionary *dictionary)
{
    if (dictionary != &frames->dictionary)
        frames->dictionary = *dictionary;
    return load(frames, dictionary);
}

/* A dictionary of at most `size` bytes out of the end of a larger one's content, which is its best part.
 * False if there is none. */
static bool cut_dictionary(const struct dictionary *whole, size_t size, const uint8_t *payloads,
                           const size_t *lengths, unsigned count, struct dictionary *cut)
{
    size_t head = ZDICT_getDictHeaderSize(whole->bytes, whole->length);
    if (ZDICT_isError(head) || size <= head)
        return false;
    size_t content = size - head < whole->length - head ? size - head : whole->length - head;
    const ZDICT_params_t defaults = {0};
    cut->length = ZDICT_finalizeDictionary(cut->bytes, size, whole->bytes + whole->length - content, content,
                                           payloads, lengths, count, defaults);
    return !ZDICT_isError(cut->length);
}

/* Tries what a dictionary saves, and keeps it if that is more than it takes. */
static enum status try_dictionary(struct frame_encoder *frames, const struct frame_samples *samples,
                                  const struct dictionary *trained, uint64_t *best)
{
    uint64_t size;
    enum status status = load(frames, trained);
    if (status == STATUS_OK)
        status = frame_encoder_estimate(frames, samples, &size);
    if (status == STATUS_OK && size + trained->length < *best) {
        *best = size + trained->length;
        frames->dictionary = *trained;
    }
    return status;
}

/* Trains a dictionary and keeps as much of it as saves most, if any saves more than it takes. Training takes
 * far longer than all else of the choice, so smaller ones are cut out of the largest. Training that fails
 * (too few samples, too much alike) only means no dictionary. */
static enum status try_dictionaries(struct frame_encoder *frames, const struct frame_samples *samples,
                                    const uint8_t *payloads, const size_t *lengths, unsigned count,
                                    uint64_t *best)
{
    static const size_t sizes[] = {1 << 11, 1 << 10};
    struct dictionary *cut = malloc(sizeof *cut);
    struct dictionary *trained = &frames->trained;
    enum status status = cut ? STATUS_OK : STATUS_NO_MEMORY;
    size_t largest = MOST_DICTIONARY;
    while (largest > *best / 4)
        largest /= 2;
    trained->length = largest < sizes[1] || !cut
                          ? 0
                          : ZDICT_trainFromBuffer(trained->bytes, largest, payloads, lengths, count);
    bool there = trained->length > 0 && !ZDICT_isError(trained->length);
    if (there)
        status = try_dictionary(frames, samples, trained, best);
    for (size_t i = 0; there && status == STATUS_OK && i < sizeof sizes / sizeof sizes[0]; i++)
        if (sizes[i] < largest && cut_dictionary(trained, sizes[i], payloads, lengths, count, cut))
            status = try_dictionary(frames, samples, cut, best);
    free(cut);
    return status == STATUS_OK ? frame_encoder_use(frames, &frames->dictionary) : status;
}

enum status frame_encoder_choose_dictionary(struct frame_encoder *frames, const struct frame_samples *samples,
                                            uint64_t *size)
{
    uint8_t *payloads = malloc(samples->count * frames->payload_bound + 1);
    size_t *lengths = malloc((samples->count + 1) * sizeof *lengths);
    enum status status = STATUS_NO_MEMORY;
    frames->dictionary.length = 0;
    if (payloads && lengths) {
        unsigned count = training_payloads(samples, payloads, lengths);
        status = frame_encoder_use(frames, &frames->dictionary);
        if (status == STATUS_OK && count)
            status = try_dictionaries(frames, samples, payloads, lengths, count, size);
    }
    free(payloads);
    free(lengths);
    return status;
}

/* -- Making -------------------------------------------------------------------------------------------- */

static enum status set_compression(ZSTD_CCtx *context, int level)
{
    const struct {
        ZSTD_cParameter parameter;
        int value;
    } settings[] = {{ZSTD_c_compressionLevel, level},
                    {ZSTD_c_contentSizeFlag, 0},
                    {ZSTD_c_checksumFlag, 0},
                    {ZSTD_c_dictIDFlag, 0}};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (ZSTD_isError(ZSTD_CCtx_setParameter(context, settings[i].parameter, settings[i].value)))
            return STATUS_BAD_ARGUMENT;
    return STATUS_OK;
}

static enum status prepare(struct frame_encoder *frames, int level)
{
    frames->frame_bound = ZSTD_compressBound(frames->payload_bound);
    frames->context = ZSTD_createCCtx();
    frames->payload = malloc(frames->payload_bound);
    frames->frame = malloc(frames->frame_bound);
    return frames->context && frames->payload && frames->frame ? set_compression(frames->context, level)
                                                               : STATUS_NO_MEMORY;
}

enum status frame_encoder_create(size_t payload_bound, int level, struct frame_encoder **frames)
{
    struct frame_encoder *made = calloc(1, sizeof *made);
    *frames = NULL;
    if (!made)
        return STATUS_NO_MEMORY;
    made->payload_bound = payload_bound;
    enum status status = prepare(made, level);
    if (status == STATUS_OK)
        *frames = made;
    else
        frame_encoder_destroy(made);
    return status;
}

void frame_encoder_destroy(struct frame_encoder *frames)
{
    if (!frames)
        return;
    ZSTD_freeCCtx(frames->context);
    free(frames->payload);
    free(frames->frame);
    free(frames);
}
