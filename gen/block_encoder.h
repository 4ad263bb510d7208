/* From values to stored blocks: fetching, symbols, payload, compression; and the trial on a sample of blocks
 * that chooses payload, fill and dictionary for a table. Knows no files; table_writer.c puts the blocks into
 * one. */
#ifndef GEN_BLOCK_ENCODER_H
#define GEN_BLOCK_ENCODER_H

#include "payload.h"
#include "table_writer.h"

#include <zstd.h>

enum { MOST_DICTIONARY = 1 << 13 };

/* One table being encoded; one thread. The first part is for the writer to read. */
struct block_encoder {
    uint8_t *fetched;                    /* the block fetched last, as table_source gives it */
    const char *fault;                   /* after a failure, what was wrong, or null */
    uint8_t dictionary[MOST_DICTIONARY]; /* dictionary_length bytes, in the header */

    const struct table_source *source;
    struct table_header *header;
    struct packed_encoder packed;
    ZSTD_CCtx *context;
    uint8_t *symbols;
    uint8_t *payload;
    uint8_t *frame;
    size_t frame_bound;
    uint8_t *samples; /* blocks of symbols that are not constant */
    size_t sample_count;
    uint64_t sampled_blocks;          /* with the constant ones */
    uint8_t trained[MOST_DICTIONARY]; /* a dictionary on trial */
};

/* A block as it is stored: constant, or bytes that are the encoder's until the next call. */
struct encoded_block {
    bool constant;
    enum value value; /* if constant */
    const uint8_t *bytes;
    size_t length;
};

/* Makes an encoder of blocks of header->block_log2; the header stays the caller's. `level` is zstd's.
 * STATUS_NO_MEMORY, STATUS_BAD_ARGUMENT. */
enum status block_encoder_create(struct table_header *header, const struct table_source *source, int level,
                                 struct block_encoder **encoder);
void block_encoder_destroy(struct block_encoder *encoder);

/* Fetches a block; beyond the last position all is free. *count is how many positions it has. */
enum status block_encoder_fetch(struct block_encoder *encoder, int member, uint64_t block, size_t *count);

/* Chooses payload (unless it is forced), fill and dictionary for the alphabet in the header, and writes them
 * there. */
enum status block_encoder_choose(struct block_encoder *encoder, enum payload_kind forced);

/* Fetches and encodes a block, after the choice. */
enum status block_encoder_encode(struct block_encoder *encoder, int member, uint64_t block,
                                 struct encoded_block *encoded);

#endif
