/* The layout of a block's distances before compression: a byte a position, and two more for what is rare.
 * Pure functions over buffers. A distance is written as its symbol, its place in the table's list of
 * distances. Which symbol a free position gets is chosen in gen/distance_encoder.c; values are in payload.h.
 */
#ifndef PROBE_DISTANCE_PAYLOAD_H
#define PROBE_DISTANCE_PAYLOAD_H

#include "format.h"

/* Most bytes that a payload of `count` symbols takes. */
size_t distance_payload_bound(size_t count);

/* Writes `count` symbols, each below `distance_count`. Returns the length. */
size_t distance_payload_encode(uint32_t distance_count, const uint16_t *symbols, size_t count,
                               uint8_t *payload);

/* Reads exactly `count` distances of the table's list out of exactly `length` bytes. False if the bytes are
 * no such payload; then `decoded` may hold anything. */
bool distance_payload_decode(const uint16_t *list, uint32_t distance_count, const uint8_t *payload,
                             size_t length, uint16_t *decoded, size_t count);

#endif
