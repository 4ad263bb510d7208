/* A second reader of table files, written from docs/format.md alone: whole file in memory, one byte after the
 * other, no cleverness. Tests compare it with the real one; it shares no code with it. It trusts the file. */
#ifndef TESTS_PLAIN_READER_H
#define TESTS_PLAIN_READER_H

#include <stddef.h>
#include <stdint.h>

/* Value codes, or distances in plies, of all positions of a member as they can be read from the file (those
 * of positions with captures mean nothing, nor do distances of draws); to be freed. Null if something does
 * not look like the format. */
uint16_t *plain_read(const uint8_t *file, size_t length, int member, uint64_t *positions);

#endif
