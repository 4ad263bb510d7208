/* Symbols of distances into bytes with an escape, and back. */
#include "distance_payload.h"

/* With more symbols than a byte has, this byte means that the symbol is among those behind the bytes. */
enum { SYMBOLS_OF_BYTE = 256, ESCAPE = 255 };

size_t distance_payload_bound(size_t count)
{
    return 3 * count;
}

static bool has_escape(uint32_t distance_count)
{
    return distance_count > SYMBOLS_OF_BYTE;
}

size_t distance_payload_encode(uint32_t distance_count, const uint16_t *symbols, size_t count,
                               uint8_t *payload)
{
    size_t length = count;
    for (size_t i = 0; i < count; i++) {
        payload[i] = (uint8_t)(symbols[i] < ESCAPE ? symbols[i] : ESCAPE);
        if (symbols[i] >= ESCAPE && has_escape(distance_count)) {
            store_16(payload + length, symbols[i]);
            length += 2;
        }
    }
    return length;
}

/* Of a table whose symbols are bytes. */
static bool decode_bytes(const uint16_t *list, uint32_t distance_count, const uint8_t *payload,
                         uint16_t *decoded, size_t count)
{
    unsigned greatest = 0;
    for (size_t i = 0; i < count; i++)
        greatest = payload[i] > greatest ? payload[i] : greatest;
    if (greatest >= distance_count)
        return false;
    for (size_t i = 0; i < count; i++)
        decoded[i] = list[payload[i]];
    return true;
}

/* Of a table with more symbols. An escaped symbol must need it, and nothing may be left over. */
static bool decode_escaped(const uint16_t *list, uint32_t distance_count, const uint8_t *payload,
                           size_t length, uint16_t *decoded, size_t count)
{
    size_t at = count;
    for (size_t i = 0; i < count; i++) {
        unsigned symbol = payload[i];
        if (symbol == ESCAPE) {
            if (length - at < 2)
                return false;
            symbol = load_16(payload + at);
            at += 2;
            if (symbol < ESCAPE || symbol >= distance_count)
                return false;
        }
        decoded[i] = list[symbol];
    }
    return at == length;
}

bool distance_payload_decode(const uint16_t *list, uint32_t distance_count, const uint8_t *payload,
                             size_t length, uint16_t *decoded, size_t count)
{
    if (has_escape(distance_count))
        return length >= count && decode_escaped(list, distance_count, payload, length, decoded, count);
    return length == count && decode_bytes(list, distance_count, payload, decoded, count);
}
