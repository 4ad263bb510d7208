/* Packing of symbols into bytes with the choice of what is free, and runs; both ways. */
#include "payload.h"

#include <string.h>

int packed_in_byte(int alphabet_size)
{
    return alphabet_size <= 2 ? 8 : alphabet_size <= 4 ? 4 : 3;
}

size_t packed_length(int alphabet_size, size_t count)
{
    size_t in_byte = (size_t)packed_in_byte(alphabet_size);
    return count / in_byte + (count % in_byte != 0);
}

size_t payload_bound(size_t count)
{
    return count; /* a run takes a byte, and has a position or more */
}

static int power(int base, int exponent)
{
    int result = 1;
    while (exponent-- > 0)
        result *= base;
    return result;
}

/* -- Packing ------------------------------------------------------------------------------------------- */

/* The patterns of a byte with a free symbol refer to the patterns with that symbol set, which have lower
 * numbers: so each is the best of `alphabet_size` patterns done before. */
static void choose_byte(struct packed_encoder *encoder, int pattern,
                        const struct packed_statistics *statistics)
{
    int size = encoder->alphabet_size;
    int byte = 0;
    int free_place = 0; /* what a free digit weighs in the pattern */
    int rest = pattern;
    for (int i = 0, place = 1, weight = 1; i < packed_in_byte(size); i++, place *= size + 1, weight *= size) {
        int digit = rest % (size + 1);
        rest /= size + 1;
        if (digit == size)
            free_place = place;
        else
            byte += digit * weight;
    }
    encoder->byte[pattern] = (uint8_t)byte;
    for (int symbol = 0; free_place && symbol < size; symbol++) {
        uint8_t candidate = encoder->byte[pattern - (size - symbol) * free_place];
        uint8_t best = encoder->byte[pattern];
        bool better = statistics->bytes[candidate] > statistics->bytes[best] ||
                      (statistics->bytes[candidate] == statistics->bytes[best] && candidate < best);
        if (symbol == 0 || better)
            encoder->byte[pattern] = candidate;
    }
}

/* Bits that a symbol takes where bytes are spread. */
static unsigned spread_bits(unsigned alphabet_size)
{
    return alphabet_size <= 2 ? 1 : alphabet_size <= 4 ? 2 : 3;
}

/* Symbols in a half of a byte, or in the whole where that is the half. */
static int half_symbols(const struct packed_encoder *encoder)
{
    return packed_in_byte(encoder->alphabet_size) / encoder->halves;
}

/* The patterns that a half of a byte fits: each of its symbols as it is, or free. */
static void list_fits(struct packed_encoder *encoder, unsigned byte, int half)
{
    unsigned size = (unsigned)encoder->alphabet_size;
    int symbols = half_symbols(encoder);
    for (int free = 0; free < encoder->fit_count; free++) {
        unsigned rest = byte / (unsigned)power(encoder->alphabet_size, half * symbols);
        unsigned pattern = 0;
        unsigned weight = 1;
        for (int i = 0; i < symbols; i++, rest /= size, weight *= size + 1)
            pattern += (free >> i & 1 ? size : rest % size) * weight;
        encoder->fits[byte][half][free] = (uint16_t)pattern;
    }
}

static void prepare_fits(struct packed_encoder *encoder)
{
    encoder->halves = packed_in_byte(encoder->alphabet_size) > 4 ? 2 : 1;
    encoder->half_patterns = power(encoder->alphabet_size + 1, half_symbols(encoder));
    encoder->fit_count = (uint8_t)(1 << half_symbols(encoder));
    for (unsigned byte = 0; byte < 256; byte++)
        for (int half = 0; half < encoder->halves; half++)
            list_fits(encoder, byte, half);
}

void packed_encoder_make(struct packed_encoder *encoder, int alphabet_size,
                         const struct packed_statistics *statistics)
{
    unsigned size = (unsigned)alphabet_size;
    encoder->alphabet_size = alphabet_size;
    encoder->fill = FILL_FREQUENT;
    int patterns = power(alphabet_size + 1, packed_in_byte(alphabet_size));
    for (int pattern = 0; pattern < patterns; pattern++)
        choose_byte(encoder, pattern, statistics);
    for (unsigned byte = 0; byte < 256; byte++) {
        unsigned spread = 0;
        for (unsigned i = 0, rest = byte; i < (unsigned)packed_in_byte(alphabet_size); i++, rest /= size)
            spread |= rest % size << i * spread_bits(size);
        encoder->spread[byte] = (uint16_t)spread;
    }
    prepare_fits(encoder);
}

/* The pattern of the next byte: symbols as digits, free ones and missing ones as the digit `alphabet_size`.
 */
static unsigned next_pattern(unsigned alphabet_size, unsigned in_byte, const uint8_t *symbols, size_t left)
{
    unsigned pattern = 0;
    for (unsigned i = in_byte; i-- > 0;) {
        unsigned symbol = i < left ? symbols[i] : alphabet_size;
        pattern = pattern * (alphabet_size + 1) + (symbol < alphabet_size ? symbol : alphabet_size);
    }
    return pattern;
}

static bool none_free(unsigned alphabet_size, unsigned in_byte, const uint8_t *symbols, size_t left)
{
    for (unsigned i = 0; i < in_byte; i++)
        if (i >= left || symbols[i] >= alphabet_size)
            return false;
    return true;
}

static uint8_t byte_of(unsigned alphabet_size, unsigned in_byte, const uint8_t *symbols)
{
    unsigned byte = 0;
    for (unsigned i = in_byte; i-- > 0;)
        byte = byte * alphabet_size + symbols[i];
    return (uint8_t)byte;
}

void packed_count(int alphabet_size, const struct packed_encoder *encoder, const uint8_t *symbols,
                  size_t count, struct packed_statistics *statistics)
{
    unsigned size = (unsigned)alphabet_size;
    unsigned in_byte = (unsigned)packed_in_byte(alphabet_size);
    for (size_t i = 0; i < count; i += in_byte) {
        if (encoder)
            statistics->bytes[encoder->byte[next_pattern(size, in_byte, symbols + i, count - i)]]++;
        else if (none_free(size, in_byte, symbols + i, count - i))
            statistics->bytes[byte_of(size, in_byte, symbols + i)]++;
    }
}

/* -- Filling ------------------------------------------------------------------------------------------- */

/* A match takes about as many bits as the bytes of a shorter one would alone. */
enum { SHORTEST_MATCH = 8 };

/* What is wanted of each byte of the block, spread, and as patterns of its halves. */
static void spread_wishes(struct packed_encoder *encoder, const uint8_t *symbols, size_t count, size_t length)
{
    unsigned size = (unsigned)encoder->alphabet_size;
    unsigned in_byte = (unsigned)packed_in_byte(encoder->alphabet_size);
    unsigned in_half = (unsigned)half_symbols(encoder);
    unsigned bits = spread_bits(size);
    for (size_t byte = 0; byte < length; byte++) {
        unsigned wanted = 0;
        unsigned mask = 0;
        unsigned pattern[2] = {0};
        for (unsigned i = in_byte; i-- > 0;) {
            size_t place = byte * in_byte + i;
            bool free = place >= count || symbols[place] >= size;
            pattern[i / in_half] = pattern[i / in_half] * (size + 1) + (free ? size : symbols[place]);
            wanted |= free ? 0 : (unsigned)symbols[place] << i * bits;
            mask |= free ? 0 : ((1U << bits) - 1) << i * bits;
        }
        encoder->wanted[byte] = (uint16_t)wanted;
        encoder->mask[byte] = (uint16_t)mask;
        for (int half = 0; half < encoder->halves; half++)
            encoder->half_wanted[half][byte] = (uint16_t)pattern[half];
    }
}

static bool fits(const struct packed_encoder *encoder, uint16_t made, size_t place)
{
    return ((made ^ encoder->wanted[place]) & encoder->mask[place]) == 0;
}

/* Bytes from `place` on that can repeat those `distance` before, which may be among them. */
static size_t match_length(const struct packed_encoder *encoder, size_t place, size_t distance, size_t length)
{
    size_t matched = 0;
    for (size_t from = place - distance; place + matched < length; matched++, from++) {
        if (from == place) /* the stretch repeats itself */
            from -= distance;
        if (!fits(encoder, encoder->made[from], place + matched))
            break;
    }
    return matched;
}

/* Rows of bits for a block of so many bytes, all empty; a word more each, so that shifting can look beyond.
 */
static void clear_fitting(struct packed_encoder *encoder, size_t length)
{
    encoder->fitting_words = length / 64 + 2;
    size_t rows = (size_t)(encoder->halves * encoder->half_patterns);
    memset(encoder->fitting, 0, rows * encoder->fitting_words * sizeof *encoder->fitting);
}

static uint64_t *fitting_row(struct packed_encoder *encoder, int half, unsigned pattern)
{
    return encoder->fitting + ((size_t)(half * encoder->half_patterns) + pattern) * encoder->fitting_words;
}

/* Notes a byte that was made under all patterns that it fits. */
static void note_made(struct packed_encoder *encoder, size_t place, uint8_t byte)
{
    for (int half = 0; half < encoder->halves; half++)
        for (int i = 0; i < encoder->fit_count; i++)
            fitting_row(encoder, half, encoder->fits[byte][half][i])[place / 64] |= UINT64_C(1) << place % 64;
}

/* Bit i set: a match of SHORTEST_MATCH bytes that are made already begins at byte 64 * word + i. */
static uint64_t matches_in(struct packed_encoder *encoder, size_t place, size_t word)
{
    uint64_t all = ~UINT64_C(0);
    for (int half = 0; half < encoder->halves; half++)
        for (size_t i = 0; i < SHORTEST_MATCH && all; i++) {
            const uint64_t *row = fitting_row(encoder, half, encoder->half_wanted[half][place + i]) + word;
            all &= i == 0 ? row[0] : row[0] >> i | row[1] << (64 - i);
        }
    return all;
}

/* Keeps the match if it is longer than the best. Most are not, which the byte after the best's last one
 * tells. */
static void try_match(const struct packed_encoder *encoder, size_t place, size_t distance, size_t length,
                      size_t *best, size_t *matched)
{
    if (place + *matched >= length)
        return;
    if (*matched < distance && !fits(encoder, encoder->made[place - distance + *matched], place + *matched))
        return;
    size_t found = match_length(encoder, place, distance, length);
    if (found > *matched) {
        *matched = found;
        *best = distance;
    }
}

/* The distance of the longest match, of equals the nearest; 0 if none is worth it. Near ones may repeat what
 * they make themselves and are tried one by one; of the others only those whose first bytes fit. */
static size_t best_match(struct packed_encoder *encoder, size_t place, size_t length, size_t *matched)
{
    size_t best = 0;
    *matched = SHORTEST_MATCH - 1;
    if (place + SHORTEST_MATCH > length)
        return 0;
    for (size_t distance = 1; distance < SHORTEST_MATCH && distance <= place; distance++)
        try_match(encoder, place, distance, length, &best, matched);
    for (size_t word = place / 64 + 1; word-- > 0;)
        for (uint64_t rest = matches_in(encoder, place, word); rest; rest ^= bit_of(bits_highest(rest)))
            try_match(encoder, place, place - (64 * word + (size_t)bits_highest(rest)), length, &best,
                      matched);
    return best;
}

/* Goes over the bytes, which are all the most frequent that fit, and makes them repeat others. */
static void repeat_bytes(struct packed_encoder *encoder, uint8_t *payload, size_t length)
{
    size_t left = 0; /* of the match that is being copied */
    size_t distance = 1;
    for (size_t place = 0; place < length; place++) {
        if (encoder->fill == FILL_MATCHING && left == 0 && place > 0) {
            distance = best_match(encoder, place, length, &left);
            left = distance ? left : 0;
        }
        bool repeat = encoder->fill == FILL_MATCHING
                          ? left > 0
                          : place > 0 && fits(encoder, encoder->made[place - 1], place);
        if (repeat)
            payload[place] = payload[place - distance];
        encoder->made[place] = encoder->spread[payload[place]];
        if (encoder->fill == FILL_MATCHING)
            note_made(encoder, place, payload[place]);
        left -= left > 0;
    }
}

size_t packed_encode(struct packed_encoder *encoder, const uint8_t *symbols, size_t count, uint8_t *payload)
{
    unsigned size = (unsigned)encoder->alphabet_size;
    unsigned in_byte = (unsigned)packed_in_byte(encoder->alphabet_size);
    size_t length = 0;
    for (size_t i = 0; i < count; i += in_byte)
        payload[length++] = encoder->byte[next_pattern(size, in_byte, symbols + i, count - i)];
    if (encoder->fill != FILL_FREQUENT) {
        spread_wishes(encoder, symbols, count, length);
        if (encoder->fill == FILL_MATCHING)
            clear_fitting(encoder, length);
        repeat_bytes(encoder, payload, length);
    }
    return length;
}

/* -- Runs ---------------------------------------------------------------------------------------------- */

/* A byte is symbol + alphabet_size * code. Codes 0 to 63 are lengths 1 to 64; further ones, where the
 * alphabet leaves any, are 128, 192, 256 and so on. */
#define SHORT_RUNS ((size_t)64)

static size_t run_length_of(size_t code)
{
    return code < SHORT_RUNS ? code + 1 : (code - SHORT_RUNS + 2) * SHORT_RUNS;
}

/* The code of the longest run that is no longer than `length`. */
static size_t run_code(size_t codes, size_t length)
{
    size_t code = length < 2 * SHORT_RUNS ? length - 1 : length / SHORT_RUNS + SHORT_RUNS - 2;
    if (length < 2 * SHORT_RUNS && code >= SHORT_RUNS)
        code = SHORT_RUNS - 1;
    return code < codes ? code : codes - 1;
}

static size_t run_write(size_t alphabet_size, uint8_t symbol, size_t length, uint8_t *payload)
{
    size_t written = 0;
    while (length > 0) {
        size_t code = run_code(256 / alphabet_size, length);
        payload[written++] = (uint8_t)(symbol + alphabet_size * code);
        length -= run_length_of(code);
    }
    return written;
}

size_t runs_encode(int alphabet_size, const uint8_t *symbols, size_t count, uint8_t *payload)
{
    size_t size = (size_t)alphabet_size;
    size_t written = 0;
    size_t begin = 0;
    uint8_t symbol = FREE_SYMBOL;
    for (size_t i = 0; i < count; i++) {
        if (symbols[i] == symbol || symbols[i] == FREE_SYMBOL)
            continue;
        if (symbol != FREE_SYMBOL) {
            written += run_write(size, symbol, i - begin, payload + written);
            begin = i;
        }
        symbol = symbols[i];
    }
    if (symbol == FREE_SYMBOL)
        symbol = 0;
    return written + run_write(size, symbol, count - begin, payload + written);
}

/* -- Decoding ------------------------------------------------------------------------------------------ */

static void packed_decoder_make(struct payload_decoder *decoder, const struct table_header *header)
{
    decoder->in_byte = packed_in_byte(header->alphabet_size);
    decoder->bytes = (unsigned)power(header->alphabet_size, decoder->in_byte);
    for (unsigned byte = 0; byte < decoder->bytes; byte++) {
        unsigned rest = byte;
        for (int i = 0; i < decoder->in_byte; i++) {
            decoder->values[byte][i] = (uint8_t)header->alphabet[rest % (unsigned)header->alphabet_size];
            rest /= (unsigned)header->alphabet_size;
        }
    }
}

static void runs_decoder_make(struct payload_decoder *decoder, const struct table_header *header)
{
    unsigned size = (unsigned)header->alphabet_size;
    decoder->bytes = 256 / size * size;
    for (unsigned byte = 0; byte < decoder->bytes; byte++) {
        memset(decoder->values[byte], (int)header->alphabet[byte % size], sizeof decoder->values[byte]);
        decoder->run_length[byte] = (uint16_t)run_length_of(byte / size);
    }
}

void payload_decoder_make(struct payload_decoder *decoder, const struct table_header *header)
{
    memset(decoder, 0, sizeof *decoder);
    decoder->kind = header->payload;
    if (header->payload == PAYLOAD_PACKED)
        packed_decoder_make(decoder, header);
    else if (header->payload == PAYLOAD_RUNS)
        runs_decoder_make(decoder, header);
}

static bool packed_decode(const struct payload_decoder *decoder, const uint8_t *payload, size_t length,
                          uint8_t *values, size_t count)
{
    size_t in_byte = (size_t)decoder->in_byte;
    if (length != count / in_byte + (count % in_byte != 0))
        return false;
    unsigned greatest = 0;
    for (size_t i = 0; i < length; i++)
        greatest = payload[i] > greatest ? payload[i] : greatest;
    if (greatest >= decoder->bytes)
        return false;
    switch (in_byte) {
    case 8:
        for (size_t i = 0; i < length; i++)
            memcpy(values + 8 * i, decoder->values[payload[i]], 8);
        break;
    case 4:
        for (size_t i = 0; i < length; i++)
            memcpy(values + 4 * i, decoder->values[payload[i]], 4);
        break;
    default:
        for (size_t i = 0; i < length; i++)
            memcpy(values + 3 * i, decoder->values[payload[i]], 4);
        break;
    }
    return true;
}

static bool runs_decode(const struct payload_decoder *decoder, const uint8_t *payload, size_t length,
                        uint8_t *values, size_t count)
{
    size_t done = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned byte = payload[i];
        size_t run = decoder->run_length[byte];
        if (byte >= decoder->bytes || run > count - done)
            return false;
        if (run <= DECODE_SLACK)
            memcpy(values + done, decoder->values[byte], DECODE_SLACK);
        else
            memset(values + done, decoder->values[byte][0], run);
        done += run;
    }
    return done == count;
}

bool payload_decode(const struct payload_decoder *decoder, const uint8_t *payload, size_t length,
                    uint8_t *values, size_t count)
{
    switch (decoder->kind) {
    case PAYLOAD_PACKED: return packed_decode(decoder, payload, length, values, count);
    case PAYLOAD_RUNS: return runs_decode(decoder, payload, length, values, count);
    case PAYLOAD_NONE:
    case PAYLOAD_DISTANCES: break;
    }
    return false;
}
