/* Sizes of memory as people write them, and how much of it this node has. */
#ifndef GEN_MEMORY_H
#define GEN_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* Reads "512M", "2G", "1500000": bytes, with K, M, G or T for powers of 1024. False if it is anything else.
 */
bool memory_read(const char *text, uint64_t *bytes);

enum { MEMORY_TEXT_SIZE = 24 };

/* Writes "1.5 GiB". */
void memory_write(uint64_t bytes, char text[MEMORY_TEXT_SIZE]);

/* Bytes that programs of this node may still take: what the kernel has available, or what a control group
 * allows if that is less. 0 if neither can be read. */
uint64_t memory_available(void);

#endif
