/* The two layouts of a block's values before compression: packed digits and byte runs.
 * Pure functions over buffers. When written, a value is a symbol, its place in the table's alphabet, and what
 * is free (a position with a capture) is FREE_SYMBOL. Distances are in distance_payload.h, zstd is in table.c
 * and gen/frame_encoder.c. */
#ifndef PROBE_PAYLOAD_H
#define PROBE_PAYLOAD_H

#include "format.h"

enum {
    FREE_SYMBOL = 0xff,
    DECODE_SLACK = 8,      /* bytes after the last value that decoding may write over */
    PACKED_PATTERNS = 6561 /* ways to fill a byte with symbols and free places: (2 + 1) ^ 8 at most */
};

/* Symbols in a byte of a packed payload: 8, 4, 4 and 3 for an alphabet of 2, 3, 4 and 5. */
int packed_in_byte(int alphabet_size);

/* Bytes of a packed payload of `count` symbols. */
size_t packed_length(int alphabet_size, size_t count);

/* Most bytes that a payload of `count` symbols takes, of either kind. */
size_t payload_bound(size_t count);

/* -- Writing ------------------------------------------------------------------------------------------- */

/* How a byte is chosen where some symbols of it are free. */
enum packed_fill {
    FILL_FREQUENT, /* the most frequent byte of the table */
    FILL_PREVIOUS, /* the byte before if it fits, else the most frequent */
    FILL_MATCHING, /* what repeats the longest stretch of bytes before, else the most frequent */
    PACKED_FILLS
};

enum {
    MOST_PACKED_BYTES = (1 << MAX_BLOCK_LOG2) / 3 + 1,
    HALF_FITS = 16,                                    /* a symbol and a free place, four times */
    HALF_PATTERNS = 625,                               /* (4 + 1) ^ 4 */
    FITTING_WORDS = (1 << MAX_BLOCK_LOG2) / 4 / 64 + 2 /* where there are so many patterns */
};

/* What packing a table needs; one thread at a time. */
struct packed_encoder {
    int alphabet_size;
    enum packed_fill fill;              /* set by the caller at any time */
    uint8_t byte[PACKED_PATTERNS];      /* most frequent that fits, by the symbols as digits, a free one being
                                           the digit alphabet_size */
    uint16_t spread[256];               /* symbols of a byte, three bits each, so that places can be masked */
    uint16_t wanted[MOST_PACKED_BYTES]; /* of the block being packed: symbols that are not free, spread */
    uint16_t mask[MOST_PACKED_BYTES];   /* and the places of those */
    uint16_t made[MOST_PACKED_BYTES];   /* bytes chosen so far, spread */
    /* To find repetitions. Bytes of eight symbols are looked at in two halves. */
    int halves;
    int half_patterns;                          /* ways to fill a half with symbols and free places */
    uint8_t fit_count;                          /* patterns that a half of a byte fits */
    uint16_t fits[256][2][HALF_FITS];           /* these, by byte */
    uint16_t half_wanted[2][MOST_PACKED_BYTES]; /* of the block being packed, its patterns */
    size_t fitting_words;                       /* of a pattern's row */
    uint64_t
        fitting[HALF_PATTERNS * FITTING_WORDS]; /* rows by half and pattern: a bit a byte made that fits */
};

/* How often each byte was written. */
struct packed_statistics {
    uint64_t bytes[256];
};

/* Makes the encoder for the frequencies; of equals the lowest byte is chosen. The fill is FILL_FREQUENT. */
void packed_encoder_make(struct packed_encoder *encoder, int alphabet_size,
                         const struct packed_statistics *statistics);

/* Counts the bytes that `count` symbols make: only those without free symbols, or with an encoder (may be
 * null) all, filled with the most frequent. */
void packed_count(int alphabet_size, const struct packed_encoder *encoder, const uint8_t *symbols,
                  size_t count, struct packed_statistics *statistics);

/* Packs `count` symbols, each below the alphabet's size or FREE_SYMBOL; what the last byte lacks is free.
 * Returns the length. */
size_t packed_encode(struct packed_encoder *encoder, const uint8_t *symbols, size_t count, uint8_t *payload);

/* Writes runs. A free symbol goes on with the run before it, at the start of the block with the first one
 * that is not free. Returns the length. */
size_t runs_encode(int alphabet_size, const uint8_t *symbols, size_t count, uint8_t *payload);

/* -- Reading ------------------------------------------------------------------------------------------- */

/* What each byte of a payload means. */
struct payload_decoder {
    enum payload_kind kind;
    int in_byte;              /* values in a byte, packed */
    unsigned bytes;           /* bytes that mean something: those below this */
    uint8_t values[256][8];   /* packed; of runs only the first */
    uint16_t run_length[256]; /* runs */
};

/* Makes the decoder of a table of values from its header. */
void payload_decoder_make(struct payload_decoder *decoder, const struct table_header *header);

/* Reads exactly `count` values (enum value) out of exactly `length` bytes. False if the bytes are no such
 * payload; then `values` may hold anything. `values` has room for `count` + DECODE_SLACK bytes. */
bool payload_decode(const struct payload_decoder *decoder, const uint8_t *payload, size_t length,
                    uint8_t *values, size_t count);

#endif
