/* From payloads to the bytes that are stored of their zstd frames, and the choice of a dictionary by trial on
 * samples. What the payloads mean is known to block_encoder.c (values) and distance_encoder.c. */
#ifndef GEN_FRAME_ENCODER_H
#define GEN_FRAME_ENCODER_H

#include "format.h"
#include "payload.h"

#include <zstd.h>

enum { MOST_DICTIONARY = 1 << 13 };

/* A dictionary; of length 0: none. */
struct dictionary {
    size_t length;
    uint8_t bytes[MOST_DICTIONARY];
};

/* What a trial has chosen for a table: all that others need to encode its blocks in the same way. */
struct encoding_choice {
    uint32_t payload;                    /* enum payload_kind */
    uint32_t fill;                       /* the encoder's own */
    struct packed_statistics statistics; /* of values that are packed */
    struct dictionary dictionary;
};

/* The frames of one table; one thread. */
struct frame_encoder {
    const char *fault;            /* after a failure, what was wrong, or null */
    struct dictionary dictionary; /* that all frames use */

    ZSTD_CCtx *context;
    size_t payload_bound;
    uint8_t *payload; /* room for one */
    uint8_t *frame;
    size_t frame_bound;
    struct dictionary trained; /* one on trial */
};

/* A block as it is stored: constant, or bytes that are the encoder's until the next call. */
struct encoded_block {
    uint16_t constant; /* its entry in the index, or 0 */
    const uint8_t *bytes;
    size_t length;
};

/* Blocks to try out what to do with all of the table. */
struct frame_samples {
    size_t count;            /* of blocks that are not constant */
    uint64_t sampled_blocks; /* with the constant ones */
    uint64_t blocks;         /* of the whole table */
    /* Makes the payload of a sample and returns its length. */
    size_t (*make_payload)(void *context, size_t sample, uint8_t *payload);
    void *context;
};

/* Makes an encoder for payloads of at most `payload_bound` bytes. `level` is zstd's. STATUS_NO_MEMORY,
 * STATUS_BAD_ARGUMENT. */
enum status frame_encoder_create(size_t payload_bound, int level, struct frame_encoder **frames);
void frame_encoder_destroy(struct frame_encoder *frames);

/* Compresses a payload. *bytes and *length are what is stored of it: all but the bytes that the frames of a
 * table share. */
enum status frame_encoder_compress(struct frame_encoder *frames, const uint8_t *payload,
                                   size_t payload_length, const uint8_t **bytes, size_t *length);

/* Bytes of the whole table by the samples, with the dictionary in use. */
enum status frame_encoder_estimate(struct frame_encoder *frames, const struct frame_samples *samples,
                                   uint64_t *size);

/* Uses a dictionary from now on. */
enum status frame_encoder_use(struct frame_encoder *frames, const struct dictionary *dictionary);

/* Trains dictionaries on the samples and uses the one that saves most, or none. *size is what the table takes
 * without one, then with what is used. */
enum status frame_encoder_choose_dictionary(struct frame_encoder *frames, const struct frame_samples *samples,
                                            uint64_t *size);

/* Writes what frames share, prefix and dictionary, into the header of their table. */
void frame_encoder_describe(const struct frame_encoder *frames, struct table_header *header);

#endif
