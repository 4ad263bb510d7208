/* Everything about the bytes of a table file: magic, header, value codes, index entries, digests.
 * docs/format.md says the same in words. No files are opened here, nothing is compressed; payloads of
 * blocks are in payload.h and distance_payload.h. */
#ifndef PROBE_FORMAT_H
#define PROBE_FORMAT_H

#include "slice.h"
#include "status.h"
#include "value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    FORMAT_VERSION = 1,
    HEADER_SIZE = 512,
    MAX_MEMBERS = 2,
    MAX_ALPHABET = 5,
    VARIANT_NAME_SIZE = 16, /* with at least one final zero */
    FRAME_PREFIX_SIZE = 16, /* room for the bytes that all zstd frames of a table begin with */
    TABLE_NAME_SIZE = 10,   /* "21v10.wdl" and the final zero */
    DIGEST_SIZE = 16,
    DIGEST_TEXT_SIZE = 33, /* 32 hexadecimal digits and the final zero */

    MIN_BLOCK_LOG2 = 8, /* positions of a block, as a power of two */
    MAX_BLOCK_LOG2 = 15,
    MAX_DISTANCE_BLOCK_LOG2 = 14, /* of distances, so that every block's length fits the index */
    DEFAULT_BLOCK_LOG2 = 12,

    INDEX_GROUP = 64,     /* blocks that share a base offset */
    INDEX_ENTRY_SIZE = 2, /* bytes of the stored block, or the code of a constant one */
    INDEX_BASE_SIZE = 8,
    BLOCK_CHECKSUM_SIZE = 4, /* at the beginning of each stored block */

    MAX_DICTIONARY = 1 << 20,

    MOST_DISTANCES = 1 << 16, /* different ones in a table */
    DISTANCE_SIZE = 2         /* bytes of one in the list of them */
};

/* No such distance: no position of that value, or a table of values, which has no distances. */
#define NO_DISTANCE UINT32_MAX

/* Values as they stand in files; zero is none of them. Never change these. */
enum value_code { CODE_WIN = 1, CODE_CURSED_WIN = 2, CODE_DRAW = 3, CODE_BLESSED_LOSS = 4, CODE_LOSS = 5 };

enum metric { METRIC_WDL = 1, METRIC_DTZ = 2 };

/* How the symbols of a block are laid out before they are compressed: values in one of two ways (payload.h),
 * distances in one (distance_payload.h). */
enum payload_kind {
    PAYLOAD_NONE = 0, /* every block is constant */
    PAYLOAD_PACKED = 1,
    PAYLOAD_RUNS = 2,
    PAYLOAD_DISTANCES = 3
};
enum { PAYLOAD_KINDS = 4 };

/* An XXH3 128-bit digest in its canonical form, high byte first, as xxh128sum prints it. */
struct digest {
    uint8_t bytes[DIGEST_SIZE];
};

/* One slice of a table. Offsets are from the beginning of the file. */
struct table_member {
    uint64_t positions;
    uint64_t counts[VALUES]; /* by enum value, of all positions, those with captures too */
    uint32_t greatest_win;   /* plies, of wins and losses, not cursed or blessed; or NO_DISTANCE */
    uint32_t greatest_loss;
    struct digest values; /* over one value code or 16-bit distance a position, in the order of the numbers */
    uint64_t index_offset;
    uint64_t index_length;
    uint64_t index_checksum; /* XXH3, 64 bits, of the index */
    uint64_t data_offset;
    uint64_t data_length;
};

/* The header, decoded. Unused members and symbols are zero. */
struct table_header {
    uint64_t file_length;
    enum metric metric;
    char variant[VARIANT_NAME_SIZE];
    uint64_t fingerprint; /* variant_fingerprint */
    struct slice slice;   /* of the first member; the second is its mirror */
    int members;          /* 1 if the slice is its own mirror, else 2 */
    int block_log2;
    enum payload_kind payload;
    int alphabet_size;                 /* 0 in tables of distances */
    enum value alphabet[MAX_ALPHABET]; /* value of each symbol, most frequent first */
    uint32_t distance_count;           /* symbols of distances; 0 in tables of values */
    uint64_t distances_checksum;       /* of the list of them, most frequent first, behind the header */
    int frame_prefix_length;
    uint8_t frame_prefix[FRAME_PREFIX_SIZE];
    struct digest inputs; /* of the tables it was made from */
    uint64_t dictionary_offset;
    uint64_t dictionary_length; /* 0: none */
    uint64_t dictionary_checksum;
    struct table_member member[MAX_MEMBERS];
};

/* -- Numbers in little-endian bytes, on every machine -------------------------------------------------- */

static inline uint16_t load_16(const void *bytes)
{
    uint16_t number;
    memcpy(&number, bytes, sizeof number);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    number = __builtin_bswap16(number);
#endif
    return number;
}

static inline uint32_t load_32(const void *bytes)
{
    uint32_t number;
    memcpy(&number, bytes, sizeof number);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    number = __builtin_bswap32(number);
#endif
    return number;
}

static inline uint64_t load_64(const void *bytes)
{
    uint64_t number;
    memcpy(&number, bytes, sizeof number);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    number = __builtin_bswap64(number);
#endif
    return number;
}

static inline void store_16(void *bytes, uint16_t number)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    number = __builtin_bswap16(number);
#endif
    memcpy(bytes, &number, sizeof number);
}

static inline void store_32(void *bytes, uint32_t number)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    number = __builtin_bswap32(number);
#endif
    memcpy(bytes, &number, sizeof number);
}

static inline void store_64(void *bytes, uint64_t number)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    number = __builtin_bswap64(number);
#endif
    memcpy(bytes, &number, sizeof number);
}

/* -- Values and digests ------------------------------------------------------------------------------- */

/* The code of a value, and back; false if the code is none. */
enum value_code code_of_value(enum value value);
bool value_of_code(unsigned code, enum value *value);

/* Digest of some bytes. */
struct digest digest_of(const void *bytes, size_t length);
bool digest_equal(const struct digest *a, const struct digest *b);
/* Writes 32 hexadecimal digits and the final zero; reads them. False if the text is anything else. */
void digest_write(const struct digest *digest, char text[DIGEST_TEXT_SIZE]);
bool digest_read(const char *text, struct digest *digest);

/* The checksum of headers, lists of distances, indexes and dictionaries. */
uint64_t section_checksum(const void *bytes, size_t length);
/* The checksum of a block's compressed bytes. It depends on the member and the number of the block too, so
 * that a block in the wrong place does not pass. */
uint32_t block_checksum(const struct table_member *member, uint64_t block, const void *bytes, size_t length);

/* -- The header --------------------------------------------------------------------------------------- */

/* Writes the header with its checksum. The header must be one that header_read takes. */
void header_write(const struct table_header *header, uint8_t bytes[HEADER_SIZE]);

/* Reads a header and checks all that can be checked without the rest of the file and without knowing what
 * file it should be: STATUS_NOT_A_TABLE (magic), STATUS_DAMAGED (checksum, sections that do not follow one
 * another up to the file length, fields out of range), STATUS_NEWER_FORMAT. *fault (may be null) then says
 * in a few words what is wrong; it is a constant text. `length` bytes are there, all of HEADER_SIZE unless
 * the file is shorter. */
enum status header_read(const uint8_t *bytes, size_t length, struct table_header *header, const char **fault);

/* -- The index ----------------------------------------------------------------------------------------- */

/* Symbols that the constant blocks and the payloads of a table can have. */
static inline uint32_t header_symbols(const struct table_header *header)
{
    return header->metric == METRIC_DTZ ? header->distance_count : (uint32_t)header->alphabet_size;
}

/* Bytes of the list of distances, and where the section after it, the dictionary, begins. */
static inline uint64_t distances_length(const struct table_header *header)
{
    return (uint64_t)DISTANCE_SIZE * header->distance_count;
}
static inline uint64_t distances_end(const struct table_header *header)
{
    return HEADER_SIZE + distances_length(header);
}

/* Blocks of so many positions, and bytes of an index of so many blocks. Neither can overflow. */
uint64_t block_count(uint64_t positions, int block_log2);
uint64_t index_length(uint64_t blocks);

/* True if an entry of an index means a constant block, by the code of its value or by its symbol and one: no
 * stored block is so short. */
static inline bool entry_is_constant(uint16_t entry)
{
    return entry <= CODE_LOSS;
}

/* Where the entry of a block begins in its index, and the base of its group. */
static inline uint64_t index_base_at(uint64_t block)
{
    return block / INDEX_GROUP * (INDEX_BASE_SIZE + INDEX_GROUP * INDEX_ENTRY_SIZE);
}
static inline uint64_t index_entry_at(uint64_t block)
{
    return index_base_at(block) + INDEX_BASE_SIZE + block % INDEX_GROUP * INDEX_ENTRY_SIZE;
}

/* -- File names ---------------------------------------------------------------------------------------- */

/* "21v10.wdl" for the pair of a slice. */
void table_name_write(struct slice slice, enum metric metric, char name[TABLE_NAME_SIZE]);
/* Reads such a name. False if it is anything else or its slice does not name a pair. */
bool table_name_read(const char *name, struct slice *slice, enum metric *metric);

#endif
