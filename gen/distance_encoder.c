/* Blocks of distances as they are stored, and what their free places get. */
#include "distance_encoder.h"

#include "distance.h"
#include "distance_payload.h"

#include <assert.h>
#include <stdlib.h>

enum {
    SAMPLE_POSITIONS = 1 << 17, /* of blocks that are looked at before anything is written */
    MOST_CONSTANTS = CODE_LOSS  /* symbols that a constant block can have: an entry is the symbol and one */
};

static_assert((int)MOST_DISTANCE == UINT16_MAX && (int)MOST_DISTANCE < (int)MOST_DISTANCES,
              "every distance has its place in 16 bits");
static_assert(ZSTD_COMPRESSBOUND(3 << MAX_DISTANCE_BLOCK_LOG2) + BLOCK_CHECKSUM_SIZE <= UINT16_MAX,
              "the length of every block fits its entry in the index");

/* A place whose distance is never asked for: a draw, a capture, padding. */
static const uint32_t FREE = UINT32_MAX;

/* What free places get. */
enum free_choice {
    FREE_AS_BEFORE,   /* the symbol before, at the beginning of a block the first that is not free */
    FREE_AS_FREQUENT, /* the most frequent symbol */
    FREE_CHOICES
};

struct distance_encoder {
    struct table_header *header;
    struct block_source *blocks;
    struct frame_encoder *frames;
    enum free_choice fill;              /* in use, or on trial */
    uint16_t symbol_of[MOST_DISTANCES]; /* by distance */
    uint32_t *wanted;                   /* symbols of a block, or FREE */
    uint16_t *symbols;                  /* the same with free places filled */
    uint32_t *sampled;                  /* blocks of wanted symbols that are not constant */
    struct frame_samples samples;
};

/* -- Symbols of a block -------------------------------------------------------------------------------- */

static size_t block_size(const struct distance_encoder *encoder)
{
    return block_source_size(encoder->blocks);
}

/* Turns the fetched distances into symbols. */
static void make_wanted(const struct distance_encoder *encoder, uint32_t *wanted)
{
    const uint8_t *values = encoder->blocks->values;
    const uint16_t *distances = encoder->blocks->distances;
    for (size_t i = 0, size = block_size(encoder); i < size; i++) {
        bool asked = !(values[i] & FETCHED_CAPTURE) && values[i] != DRAW;
        wanted[i] = asked ? encoder->symbol_of[distances[i]] : FREE;
    }
}

/* The first symbol that is not free; 0, the most frequent, if all are. */
static uint32_t first_symbol(const struct distance_encoder *encoder, const uint32_t *wanted)
{
    for (size_t i = 0, size = block_size(encoder); i < size; i++)
        if (wanted[i] != FREE)
            return wanted[i];
    return 0;
}

/* True if the block needs no bytes: all that is not free is one symbol that an entry of the index has. */
static bool is_constant(const struct distance_encoder *encoder, const uint32_t *wanted, uint32_t *symbol)
{
    *symbol = first_symbol(encoder, wanted);
    if (*symbol >= MOST_CONSTANTS)
        return false;
    for (size_t i = 0, size = block_size(encoder); i < size; i++)
        if (wanted[i] != FREE && wanted[i] != *symbol)
            return false;
    return true;
}

static size_t make_payload(struct distance_encoder *encoder, const uint32_t *wanted, uint8_t *payload)
{
    bool previous = encoder->fill == FREE_AS_BEFORE;
    uint32_t filling = previous ? first_symbol(encoder, wanted) : 0;
    for (size_t i = 0, size = block_size(encoder); i < size; i++) {
        uint32_t symbol = wanted[i] == FREE ? filling : wanted[i];
        filling = previous ? symbol : 0;
        encoder->symbols[i] = (uint16_t)symbol;
    }
    return distance_payload_encode(encoder->header->distance_count, encoder->symbols, block_size(encoder),
                                   payload);
}

/* -- Trial --------------------------------------------------------------------------------------------- */

static uint32_t *sample_at(const struct distance_encoder *encoder, size_t i)
{
    return encoder->sampled + i * block_size(encoder);
}

static size_t sample_payload(void *context, size_t sample, uint8_t *payload)
{
    struct distance_encoder *encoder = context;
    return make_payload(encoder, sample_at(encoder, sample), payload);
}

/* Keeps the fetched block if it is not constant. */
static void take_sample(void *context)
{
    struct distance_encoder *encoder = context;
    uint32_t constant;
    uint32_t *sample = sample_at(encoder, encoder->samples.count);
    make_wanted(encoder, sample);
    encoder->samples.count += !is_constant(encoder, sample, &constant);
    encoder->samples.sampled_blocks++;
}

static enum status take_samples(struct distance_encoder *encoder)
{
    encoder->samples = (struct frame_samples){
        .blocks = block_source_total(encoder->blocks), .make_payload = sample_payload, .context = encoder};
    return block_source_sample(encoder->blocks, SAMPLE_POSITIONS / block_size(encoder), take_sample, encoder);
}

static enum status choose_fill(struct distance_encoder *encoder, uint64_t *size)
{
    enum free_choice best = FREE_AS_BEFORE;
    enum status status = STATUS_OK;
    *size = UINT64_MAX;
    for (int fill = 0; status == STATUS_OK && fill < FREE_CHOICES; fill++) {
        uint64_t with_fill;
        encoder->fill = (enum free_choice)fill;
        status = frame_encoder_estimate(encoder->frames, &encoder->samples, &with_fill);
        if (status == STATUS_OK && with_fill < *size) {
            *size = with_fill;
            best = (enum free_choice)fill;
        }
    }
    encoder->fill = best;
    return status;
}

enum status distance_encoder_choose(struct distance_encoder *encoder, struct encoding_choice *choice)
{
    uint64_t size;
    memset(choice, 0, sizeof *choice);
    if (encoder->header->distance_count < 2)
        return STATUS_OK;
    enum status status = take_samples(encoder);
    if (status == STATUS_OK)
        status = choose_fill(encoder, &size);
    if (status == STATUS_OK)
        status = frame_encoder_choose_dictionary(encoder->frames, &encoder->samples, &size);
    choice->payload = PAYLOAD_DISTANCES;
    choice->fill = encoder->fill;
    choice->dictionary = encoder->frames->dictionary;
    return status;
}

enum status distance_encoder_adopt(struct distance_encoder *encoder, const struct encoding_choice *choice)
{
    if (encoder->header->distance_count < 2)
        return STATUS_OK;
    encoder->fill = (enum free_choice)choice->fill;
    encoder->header->payload = (enum payload_kind)choice->payload;
    enum status status = frame_encoder_use(encoder->frames, &choice->dictionary);
    frame_encoder_describe(encoder->frames, encoder->header);
    return status;
}

/* -- Making, and the blocks ---------------------------------------------------------------------------- */

enum status distance_encoder_create(struct table_header *header, struct block_source *blocks,
                                    struct frame_encoder *frames, const struct distance_list *list,
                                    struct distance_encoder **encoder)
{
    struct distance_encoder *made = calloc(1, sizeof *made);
    *encoder = made;
    if (!made)
        return STATUS_NO_MEMORY;
    made->header = header;
    made->blocks = blocks;
    made->frames = frames;
    for (uint32_t symbol = 0; symbol < header->distance_count; symbol++)
        made->symbol_of[load_16(list->bytes + (size_t)DISTANCE_SIZE * symbol)] = (uint16_t)symbol;
    size_t size = block_size(made);
    made->wanted = malloc(size * sizeof *made->wanted);
    made->symbols = malloc(size * sizeof *made->symbols);
    made->sampled = malloc((SAMPLE_POSITIONS + size) * sizeof *made->sampled); /* as in block_encoder.c */
    if (made->wanted && made->symbols && made->sampled)
        return STATUS_OK;
    distance_encoder_destroy(made);
    *encoder = NULL;
    return STATUS_NO_MEMORY;
}

void distance_encoder_destroy(struct distance_encoder *encoder)
{
    if (!encoder)
        return;
    free(encoder->wanted);
    free(encoder->symbols);
    free(encoder->sampled);
    free(encoder);
}

enum status distance_encoder_encode(struct distance_encoder *encoder, int member, uint64_t block,
                                    struct encoded_block *encoded)
{
    size_t count;
    uint32_t symbol;
    *encoded = (struct encoded_block){0};
    enum status status = block_source_fetch(encoder->blocks, member, block, &count);
    if (status != STATUS_OK)
        return status;
    make_wanted(encoder, encoder->wanted);
    if (is_constant(encoder, encoder->wanted, &symbol)) {
        encoded->constant = (uint16_t)(symbol + 1);
        return STATUS_OK;
    }
    size_t length = make_payload(encoder, encoder->wanted, encoder->frames->payload);
    return frame_encoder_compress(encoder->frames, encoder->frames->payload, length, &encoded->bytes,
                                  &encoded->length);
}
