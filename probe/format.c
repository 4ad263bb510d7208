/* Bytes of headers, names and digests of table files. docs/format.md has the same offsets. */
#include "format.h"

#include <assert.h>
#include <xxhash.h>

/* The high bit, both line ends and the end-of-file sign of DOS show a file damaged by a text-mode transfer.
 */
static const uint8_t magic[8] = {0x89, 'D', 'M', 'B', '\r', '\n', 0x1a, '\n'};

/* Where the fields of the header are. */
enum {
    AT_MAGIC = 0,
    AT_VERSION = 8,
    AT_METRIC = 12,
    AT_FILE_LENGTH = 16,
    AT_VARIANT = 24,
    AT_FINGERPRINT = 40,
    AT_SLICE = 48,
    AT_MEMBERS = 52,
    AT_BLOCK_LOG2 = 53,
    AT_PAYLOAD = 54,
    AT_ALPHABET_SIZE = 55,
    AT_ALPHABET = 56,
    AT_PREFIX_LENGTH = 61,
    AT_PREFIX = 64,
    AT_INPUTS = 80,
    AT_DICTIONARY = 96, /* offset, length, checksum */
    AT_MEMBER = 120,
    AT_DISTANCES = 392, /* count, four bytes of zero, checksum */
    AT_CHECKSUM = 504
};

/* And of each member, from where it begins. */
enum {
    MEMBER_POSITIONS = 0,
    MEMBER_COUNTS = 8, /* by code, from 1 */
    MEMBER_GREATEST_WIN = 48,
    MEMBER_GREATEST_LOSS = 52,
    MEMBER_VALUES = 56,
    MEMBER_INDEX = 72, /* offset, length, checksum */
    MEMBER_DATA = 96,  /* offset, length */
    MEMBER_SIZE = 136
};

static_assert(sizeof(struct digest) == DIGEST_SIZE, "digests have no padding");
static_assert(AT_MEMBER + MAX_MEMBERS * MEMBER_SIZE == AT_DISTANCES, "the members fit");
static_assert(AT_DISTANCES + 16 <= AT_CHECKSUM, "the distances fit");
static_assert(AT_CHECKSUM + sizeof(uint64_t) == HEADER_SIZE, "the checksum is the end of the header");
static_assert(AT_PREFIX + FRAME_PREFIX_SIZE == AT_INPUTS, "room for the frame prefix");
static_assert(AT_VARIANT + VARIANT_NAME_SIZE == AT_FINGERPRINT, "room for the name");
static_assert(AT_ALPHABET + MAX_ALPHABET == AT_PREFIX_LENGTH, "room for the alphabet");
static_assert((int)CODE_LOSS == (int)VALUES && (int)MAX_ALPHABET == (int)VALUES, "a code for each value");

enum value_code code_of_value(enum value value)
{
    static const enum value_code codes[VALUES] = {
        [WIN] = CODE_WIN,   [CURSED_WIN] = CODE_CURSED_WIN,
        [DRAW] = CODE_DRAW, [BLESSED_LOSS] = CODE_BLESSED_LOSS,
        [LOSS] = CODE_LOSS,
    };
    return codes[value];
}

bool value_of_code(unsigned code, enum value *value)
{
    switch (code) {
    case CODE_WIN: *value = WIN; return true;
    case CODE_CURSED_WIN: *value = CURSED_WIN; return true;
    case CODE_DRAW: *value = DRAW; return true;
    case CODE_BLESSED_LOSS: *value = BLESSED_LOSS; return true;
    case CODE_LOSS: *value = LOSS; return true;
    default: return false;
    }
}

/* -- Digests ------------------------------------------------------------------------------------------- */

struct digest digest_of(const void *bytes, size_t length)
{
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes, length));
    struct digest digest;
    memcpy(digest.bytes, canonical.digest, DIGEST_SIZE);
    return digest;
}

bool digest_equal(const struct digest *a, const struct digest *b)
{
    return memcmp(a->bytes, b->bytes, DIGEST_SIZE) == 0;
}

void digest_write(const struct digest *digest, char text[DIGEST_TEXT_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < DIGEST_SIZE; i++) {
        text[2 * i] = digits[digest->bytes[i] >> 4];
        text[2 * i + 1] = digits[digest->bytes[i] & 15];
    }
    text[DIGEST_TEXT_SIZE - 1] = '\0';
}

static int digit_read(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool digest_read(const char *text, struct digest *digest)
{
    if (strlen(text) != DIGEST_TEXT_SIZE - 1)
        return false;
    for (size_t i = 0; i < DIGEST_SIZE; i++) {
        int high = digit_read(text[2 * i]);
        int low = digit_read(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        digest->bytes[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

uint32_t block_checksum(const struct table_member *member, uint64_t block, const void *bytes, size_t length)
{
    return (uint32_t)XXH3_64bits_withSeed(bytes, length, load_64(member->values.bytes) ^ block);
}

uint64_t section_checksum(const void *bytes, size_t length)
{
    return XXH3_64bits(bytes, length);
}

/* -- Sizes --------------------------------------------------------------------------------------------- */

uint64_t block_count(uint64_t positions, int block_log2)
{
    uint64_t mask = (UINT64_C(1) << block_log2) - 1;
    return (positions >> block_log2) + ((positions & mask) != 0);
}

uint64_t index_length(uint64_t blocks)
{
    uint64_t groups = blocks / INDEX_GROUP + (blocks % INDEX_GROUP != 0);
    return groups * INDEX_BASE_SIZE + blocks * INDEX_ENTRY_SIZE;
}

static size_t member_at(int member)
{
    return AT_MEMBER + (size_t)member * MEMBER_SIZE;
}

/* Where the count of a value is among the counts. */
static size_t count_at(enum value value)
{
    return 8 * ((size_t)code_of_value(value) - 1);
}

/* -- Writing the header -------------------------------------------------------------------------------- */

static void member_write(const struct table_member *member, uint8_t *bytes)
{
    store_64(bytes + MEMBER_POSITIONS, member->positions);
    for (int value = 0; value < VALUES; value++)
        store_64(bytes + MEMBER_COUNTS + count_at((enum value)value), member->counts[value]);
    store_32(bytes + MEMBER_GREATEST_WIN, member->greatest_win);
    store_32(bytes + MEMBER_GREATEST_LOSS, member->greatest_loss);
    memcpy(bytes + MEMBER_VALUES, member->values.bytes, DIGEST_SIZE);
    store_64(bytes + MEMBER_INDEX, member->index_offset);
    store_64(bytes + MEMBER_INDEX + 8, member->index_length);
    store_64(bytes + MEMBER_INDEX + 16, member->index_checksum);
    store_64(bytes + MEMBER_DATA, member->data_offset);
    store_64(bytes + MEMBER_DATA + 8, member->data_length);
}

void header_write(const struct table_header *header, uint8_t bytes[HEADER_SIZE])
{
    memset(bytes, 0, HEADER_SIZE);
    memcpy(bytes + AT_MAGIC, magic, sizeof magic);
    store_32(bytes + AT_VERSION, FORMAT_VERSION);
    store_32(bytes + AT_METRIC, (uint32_t)header->metric);
    store_64(bytes + AT_FILE_LENGTH, header->file_length);
    memcpy(bytes + AT_VARIANT, header->variant, strnlen(header->variant, VARIANT_NAME_SIZE));
    store_64(bytes + AT_FINGERPRINT, header->fingerprint);
    bytes[AT_SLICE] = header->slice.own_men;
    bytes[AT_SLICE + 1] = header->slice.own_kings;
    bytes[AT_SLICE + 2] = header->slice.opponent_men;
    bytes[AT_SLICE + 3] = header->slice.opponent_kings;
    bytes[AT_MEMBERS] = (uint8_t)header->members;
    bytes[AT_BLOCK_LOG2] = (uint8_t)header->block_log2;
    bytes[AT_PAYLOAD] = (uint8_t)header->payload;
    bytes[AT_ALPHABET_SIZE] = (uint8_t)header->alphabet_size;
    for (int symbol = 0; symbol < header->alphabet_size; symbol++)
        bytes[AT_ALPHABET + symbol] = (uint8_t)code_of_value(header->alphabet[symbol]);
    bytes[AT_PREFIX_LENGTH] = (uint8_t)header->frame_prefix_length;
    memcpy(bytes + AT_PREFIX, header->frame_prefix, (size_t)header->frame_prefix_length);
    memcpy(bytes + AT_INPUTS, header->inputs.bytes, DIGEST_SIZE);
    store_64(bytes + AT_DICTIONARY, header->dictionary_offset);
    store_64(bytes + AT_DICTIONARY + 8, header->dictionary_length);
    store_64(bytes + AT_DICTIONARY + 16, header->dictionary_checksum);
    for (int i = 0; i < header->members; i++)
        member_write(&header->member[i], bytes + member_at(i));
    store_32(bytes + AT_DISTANCES, header->distance_count);
    store_64(bytes + AT_DISTANCES + 8, header->distances_checksum);
    store_64(bytes + AT_CHECKSUM, section_checksum(bytes, AT_CHECKSUM));
}

/* -- Reading the header -------------------------------------------------------------------------------- */

static void member_read(const uint8_t *bytes, struct table_member *member)
{
    member->positions = load_64(bytes + MEMBER_POSITIONS);
    for (int value = 0; value < VALUES; value++)
        member->counts[value] = load_64(bytes + MEMBER_COUNTS + count_at((enum value)value));
    member->greatest_win = load_32(bytes + MEMBER_GREATEST_WIN);
    member->greatest_loss = load_32(bytes + MEMBER_GREATEST_LOSS);
    memcpy(member->values.bytes, bytes + MEMBER_VALUES, DIGEST_SIZE);
    member->index_offset = load_64(bytes + MEMBER_INDEX);
    member->index_length = load_64(bytes + MEMBER_INDEX + 8);
    member->index_checksum = load_64(bytes + MEMBER_INDEX + 16);
    member->data_offset = load_64(bytes + MEMBER_DATA);
    member->data_length = load_64(bytes + MEMBER_DATA + 8);
}

/* Loads all fields, whatever they are. */
static void fields_read(const uint8_t *bytes, struct table_header *header)
{
    memset(header, 0, sizeof *header);
    header->metric = (enum metric)load_32(bytes + AT_METRIC);
    header->file_length = load_64(bytes + AT_FILE_LENGTH);
    memcpy(header->variant, bytes + AT_VARIANT, VARIANT_NAME_SIZE);
    header->fingerprint = load_64(bytes + AT_FINGERPRINT);
    header->slice =
        (struct slice){bytes[AT_SLICE], bytes[AT_SLICE + 1], bytes[AT_SLICE + 2], bytes[AT_SLICE + 3]};
    header->members = bytes[AT_MEMBERS];
    header->block_log2 = bytes[AT_BLOCK_LOG2];
    header->payload = (enum payload_kind)bytes[AT_PAYLOAD];
    header->alphabet_size = bytes[AT_ALPHABET_SIZE];
    header->frame_prefix_length = bytes[AT_PREFIX_LENGTH];
    memcpy(header->frame_prefix, bytes + AT_PREFIX, FRAME_PREFIX_SIZE);
    memcpy(header->inputs.bytes, bytes + AT_INPUTS, DIGEST_SIZE);
    header->dictionary_offset = load_64(bytes + AT_DICTIONARY);
    header->dictionary_length = load_64(bytes + AT_DICTIONARY + 8);
    header->dictionary_checksum = load_64(bytes + AT_DICTIONARY + 16);
    for (int i = 0; i < MAX_MEMBERS; i++)
        member_read(bytes + member_at(i), &header->member[i]);
    header->distance_count = load_32(bytes + AT_DISTANCES);
    header->distances_checksum = load_64(bytes + AT_DISTANCES + 8);
}

static bool slice_sound(struct slice slice)
{
    return slice.own_men <= 9 && slice.own_kings <= 9 && slice.opponent_men <= 9 &&
           slice.opponent_kings <= 9 && slice_own(slice) > 0 && slice_opponent(slice) > 0 &&
           slice_equal(slice, slice_pair_name(slice));
}

/* Reads the alphabet, which tables of values have. False if a code is none, or twice, or beyond the size. */
static bool alphabet_read(const uint8_t *codes, struct table_header *header)
{
    unsigned seen = 0;
    if (header->metric == METRIC_DTZ)
        return header->alphabet_size == 0;
    if (header->alphabet_size < 1 || header->alphabet_size > MAX_ALPHABET)
        return false;
    for (int symbol = 0; symbol < header->alphabet_size; symbol++) {
        if (!value_of_code(codes[symbol], &header->alphabet[symbol]) || (seen >> codes[symbol] & 1))
            return false;
        seen |= 1U << codes[symbol];
    }
    return true;
}

/* The list of distances, which tables of distances have. */
static bool distances_sound(const struct table_header *header)
{
    if (header->metric == METRIC_DTZ)
        return header->distance_count >= 1 && header->distance_count <= MOST_DISTANCES &&
               header->block_log2 <= MAX_DISTANCE_BLOCK_LOG2;
    return header->distance_count == 0 && header->distances_checksum == 0;
}

/* A payload must be of the metric, and there must be something to tell apart. */
static bool payload_sound(const struct table_header *header)
{
    if (header->payload == PAYLOAD_NONE)
        return true;
    bool of_metric = header->metric == METRIC_DTZ
                         ? header->payload == PAYLOAD_DISTANCES
                         : header->payload == PAYLOAD_PACKED || header->payload == PAYLOAD_RUNS;
    return of_metric && header_symbols(header) >= 2;
}

/* Lets `offset` go past a section that must begin at it. */
static bool section_follows(uint64_t begin, uint64_t length, uint64_t *offset)
{
    return begin == *offset && !__builtin_add_overflow(*offset, length, offset);
}

/* Distances, dictionary, data of each member, index of each member: end to end from the header to the end of
 * the file. */
static bool sections_sound(const struct table_header *header)
{
    uint64_t offset = distances_end(header);
    bool sound = header->dictionary_length <= MAX_DICTIONARY &&
                 (header->dictionary_length > 0 || header->dictionary_checksum == 0) &&
                 section_follows(header->dictionary_offset, header->dictionary_length, &offset);
    for (int i = 0; sound && i < header->members; i++)
        sound = section_follows(header->member[i].data_offset, header->member[i].data_length, &offset);
    for (int i = 0; sound && i < header->members; i++)
        sound = section_follows(header->member[i].index_offset, header->member[i].index_length, &offset);
    return sound && offset == header->file_length;
}

/* A greatest distance is there where there is such a value and the metric has distances. */
static bool greatest_sound(const struct table_header *header, uint32_t greatest, uint64_t count)
{
    return header->metric == METRIC_DTZ && count > 0 ? greatest < MOST_DISTANCES : greatest == NO_DISTANCE;
}

/* Counts add up to the positions, and the index has an entry for each block. */
static bool member_sound(const struct table_header *header, const struct table_member *member)
{
    uint64_t sum = 0;
    for (int value = 0; value < VALUES; value++)
        if (__builtin_add_overflow(sum, member->counts[value], &sum))
            return false;
    uint64_t blocks = block_count(member->positions, header->block_log2);
    return member->positions > 0 && sum == member->positions &&
           member->index_length == index_length(blocks) &&
           greatest_sound(header, member->greatest_win, member->counts[WIN]) &&
           greatest_sound(header, member->greatest_loss, member->counts[LOSS]);
}

/* What a field does not use, and what lies between fields, is zero, so that a later version can use it: the
 * header is the one that would be written for its fields. */
static bool rest_is_zero(const uint8_t *bytes, const struct table_header *header)
{
    uint8_t again[HEADER_SIZE];
    header_write(header, again);
    return memcmp(bytes, again, HEADER_SIZE) == 0;
}

static const char *header_fault(const uint8_t *bytes, struct table_header *header)
{
    if (header->metric != METRIC_WDL && header->metric != METRIC_DTZ)
        return "the header has an unknown metric";
    if (header->variant[0] == '\0' || header->variant[VARIANT_NAME_SIZE - 1] != '\0')
        return "the header has no variant name";
    if (!slice_sound(header->slice))
        return "the header has an impossible slice";
    if (header->members != (slice_is_own_mirror(header->slice) ? 1 : 2))
        return "the header has a wrong number of members";
    if (header->block_log2 < MIN_BLOCK_LOG2 || header->block_log2 > MAX_BLOCK_LOG2)
        return "the header has an impossible block size";
    if (!alphabet_read(bytes + AT_ALPHABET, header))
        return "the header has an impossible alphabet";
    if (!distances_sound(header))
        return "the header has an impossible list of distances";
    if (!payload_sound(header))
        return "the header has an unknown payload";
    if (header->frame_prefix_length > FRAME_PREFIX_SIZE)
        return "the header has an impossible frame prefix";
    if (!sections_sound(header))
        return "the sections do not fill the file";
    for (int i = 0; i < header->members; i++)
        if (!member_sound(header, &header->member[i]))
            return "the counts of a slice do not add up or its distances are none";
    if (!rest_is_zero(bytes, header))
        return "a reserved field of the header is used";
    return NULL;
}

enum status header_read(const uint8_t *bytes, size_t length, struct table_header *header, const char **fault)
{
    const char *ignored;
    if (!fault)
        fault = &ignored;
    *fault = "it does not begin like one";
    if (length < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
        return STATUS_NOT_A_TABLE;
    *fault = "the header is cut off";
    if (length < HEADER_SIZE)
        return STATUS_DAMAGED;
    /* Every version keeps the magic, the version and the checksum of the header where they are. */
    *fault = "the checksum of the header does not fit";
    if (load_64(bytes + AT_CHECKSUM) != section_checksum(bytes, AT_CHECKSUM))
        return STATUS_DAMAGED;
    *fault = "a newer version of Damabase wrote it";
    if (load_32(bytes + AT_VERSION) > FORMAT_VERSION)
        return STATUS_NEWER_FORMAT;
    *fault = "the header has no format version";
    if (load_32(bytes + AT_VERSION) == 0)
        return STATUS_DAMAGED;
    fields_read(bytes, header);
    *fault = header_fault(bytes, header);
    return *fault ? STATUS_DAMAGED : STATUS_OK;
}

/* -- File names ---------------------------------------------------------------------------------------- */

void table_name_write(struct slice slice, enum metric metric, char name[TABLE_NAME_SIZE])
{
    slice_write(slice_pair_name(slice), name);
    memcpy(name + SLICE_NAME_SIZE - 1, metric == METRIC_DTZ ? ".dtz" : ".wdl", 5);
}

bool table_name_read(const char *name, struct slice *slice, enum metric *metric)
{
    char slice_name[SLICE_NAME_SIZE];
    if (strlen(name) != TABLE_NAME_SIZE - 1)
        return false;
    memcpy(slice_name, name, SLICE_NAME_SIZE - 1);
    slice_name[SLICE_NAME_SIZE - 1] = '\0';
    const char *ending = name + SLICE_NAME_SIZE - 1;
    if (strcmp(ending, ".wdl") == 0)
        *metric = METRIC_WDL;
    else if (strcmp(ending, ".dtz") == 0)
        *metric = METRIC_DTZ;
    else
        return false;
    return slice_read(slice_name, slice) && slice_sound(*slice);
}
