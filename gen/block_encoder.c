/* Blocks of values as they are stored: symbols, payload, and the trial that chooses among the ways. */
#include "block_encoder.h"

#include <stdlib.h>

enum { SAMPLE_BYTES = 1 << 20 }; /* of blocks that are looked at before anything is written */

struct block_encoder {
    struct table_header *header;
    struct block_source *blocks;
    struct frame_encoder *frames;
    struct packed_encoder packed;
    struct packed_statistics statistics; /* that `packed` was made for */
    enum payload_kind payload;           /* in use, or on trial */
    uint8_t *symbols;                    /* of a block */
    uint8_t *sampled;                    /* blocks of symbols that are not constant */
    struct frame_samples samples;
};

/* -- Values of a block --------------------------------------------------------------------------------- */

static size_t block_size(const struct block_encoder *encoder)
{
    return block_source_size(encoder->blocks);
}

/* Turns the fetched values into symbols of the alphabet. */
static void make_symbols(const struct block_encoder *encoder, uint8_t *symbols)
{
    uint8_t symbol_of[256];
    memset(symbol_of, FREE_SYMBOL, sizeof symbol_of);
    for (int symbol = 0; symbol < encoder->header->alphabet_size; symbol++)
        symbol_of[encoder->header->alphabet[symbol]] = (uint8_t)symbol;
    for (size_t i = 0, size = block_size(encoder); i < size; i++)
        symbols[i] = symbol_of[encoder->blocks->values[i]];
}

/* True if all that is not free is one symbol; all free counts as the most frequent one. */
static bool is_constant(const struct block_encoder *encoder, const uint8_t *symbols, uint8_t *symbol)
{
    *symbol = FREE_SYMBOL;
    for (size_t i = 0, size = block_size(encoder); i < size; i++) {
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

static size_t make_payload(struct block_encoder *encoder, const uint8_t *symbols, uint8_t *payload)
{
    if (encoder->payload == PAYLOAD_RUNS)
        return runs_encode(encoder->header->alphabet_size, symbols, block_size(encoder), payload);
    return packed_encode(&encoder->packed, symbols, block_size(encoder), payload);
}

/* -- Samples ------------------------------------------------------------------------------------------- */

static uint8_t *sample_at(const struct block_encoder *encoder, size_t i)
{
    return encoder->sampled + i * block_size(encoder);
}

static size_t sample_payload(void *context, size_t sample, uint8_t *payload)
{
    struct block_encoder *encoder = context;
    return make_payload(encoder, sample_at(encoder, sample), payload);
}

/* Keeps the fetched block if it is not constant. */
static void take_sample(void *context)
{
    struct block_encoder *encoder = context;
    uint8_t constant;
    uint8_t *sample = sample_at(encoder, encoder->samples.count);
    make_symbols(encoder, sample);
    encoder->samples.count += !is_constant(encoder, sample, &constant);
    encoder->samples.sampled_blocks++;
}

static enum status take_samples(struct block_encoder *encoder)
{
    encoder->samples = (struct frame_samples){
        .blocks = block_source_total(encoder->blocks), .make_payload = sample_payload, .context = encoder};
    return block_source_sample(encoder->blocks, SAMPLE_BYTES / block_size(encoder), take_sample, encoder);
}

/* -- Trial --------------------------------------------------------------------------------------------- */

/* Learns which bytes are frequent: first from those that have nothing free, then from all as filled by that.
 */
static void learn_fill(struct block_encoder *encoder)
{
    int alphabet_size = encoder->header->alphabet_size;
    for (int round = 0; round < 2; round++) {
        encoder->statistics = (struct packed_statistics){{0}};
        for (size_t i = 0; i < encoder->samples.count; i++)
            packed_count(alphabet_size, round == 0 ? NULL : &encoder->packed, sample_at(encoder, i),
                         block_size(encoder), &encoder->statistics);
        packed_encoder_make(&encoder->packed, alphabet_size, &encoder->statistics);
    }
}

/* Bytes of the whole table with a payload. */
static enum status trial_size(struct block_encoder *encoder, enum payload_kind kind, uint64_t *size)
{
    encoder->payload = kind;
    return frame_encoder_estimate(encoder->frames, &encoder->samples, size);
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

static enum status choose_dictionary(struct block_encoder *encoder, enum payload_kind kind, uint64_t *size)
{
    encoder->payload = kind;
    return frame_encoder_choose_dictionary(encoder->frames, &encoder->samples, size);
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
    if (close)
        status = choose_dictionary(encoder, worse, &size[worse]);
    struct dictionary of_worse = encoder->frames->dictionary;
    if (status == STATUS_OK)
        status = choose_dictionary(encoder, better, &size[better]);
    if (status == STATUS_OK && close && size[worse] < size[better]) {
        encoder->payload = worse;
        status = frame_encoder_use(encoder->frames, &of_worse);
    }
    return status;
}

enum status block_encoder_choose(struct block_encoder *encoder, enum payload_kind forced,
                                 struct encoding_choice *choice)
{
    memset(choice, 0, sizeof *choice);
    if (encoder->header->alphabet_size < 2)
        return STATUS_OK;
    enum status status = take_samples(encoder);
    if (status != STATUS_OK)
        return status;
    learn_fill(encoder);
    status = choose_payload(encoder, forced);
    choice->payload = encoder->payload;
    choice->fill = encoder->packed.fill;
    choice->statistics = encoder->statistics;
    choice->dictionary = encoder->frames->dictionary;
    return status;
}

enum status block_encoder_adopt(struct block_encoder *encoder, const struct encoding_choice *choice)
{
    struct table_header *header = encoder->header;
    if (header->alphabet_size < 2)
        return STATUS_OK;
    encoder->payload = header->payload = (enum payload_kind)choice->payload;
    packed_encoder_make(&encoder->packed, header->alphabet_size, &choice->statistics);
    encoder->packed.fill = (enum packed_fill)choice->fill;
    enum status status = frame_encoder_use(encoder->frames, &choice->dictionary);
    frame_encoder_describe(encoder->frames, header);
    return status;
}

/* -- Making, and the blocks ---------------------------------------------------------------------------- */

enum status block_encoder_create(struct table_header *header, struct block_source *blocks,
                                 struct frame_encoder *frames, struct block_encoder **encoder)
{
    struct block_encoder *made = calloc(1, sizeof *made);
    *encoder = made;
    if (!made)
        return STATUS_NO_MEMORY;
    made->header = header;
    made->blocks = blocks;
    made->frames = frames;
    made->symbols = malloc(block_size(made));
    made->sampled =
        malloc(SAMPLE_BYTES + block_size(made)); /* a constant one may follow the last that is kept */
    if (made->symbols && made->sampled)
        return STATUS_OK;
    block_encoder_destroy(made);
    *encoder = NULL;
    return STATUS_NO_MEMORY;
}

void block_encoder_destroy(struct block_encoder *encoder)
{
    if (!encoder)
        return;
    free(encoder->symbols);
    free(encoder->sampled);
    free(encoder);
}

enum status block_encoder_encode(struct block_encoder *encoder, int member, uint64_t block,
                                 struct encoded_block *encoded)
{
    size_t count;
    uint8_t symbol;
    *encoded = (struct encoded_block){0};
    enum status status = block_source_fetch(encoder->blocks, member, block, &count);
    if (status != STATUS_OK)
        return status;
    make_symbols(encoder, encoder->symbols);
    if (is_constant(encoder, encoder->symbols, &symbol)) {
        encoded->constant = (uint16_t)code_of_value(encoder->header->alphabet[symbol]);
        return STATUS_OK;
    }
    size_t length = make_payload(encoder, encoder->symbols, encoder->frames->payload);
    return frame_encoder_compress(encoder->frames, encoder->frames->payload, length, &encoded->bytes,
                                  &encoded->length);
}
