/* Decoded blocks in memory within a budget of bytes, the oldest making room for new ones unless they were
 * used meanwhile. Whoever asks takes no lock and never waits. What a block means and where it comes from is
 * lookup.c. */
#ifndef PROBE_CACHE_H
#define PROBE_CACHE_H

#include "status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cache;

/* Which block: any number that stands for it, and for nothing else, as long as the cache lives. */
typedef uint64_t cache_key;

struct cache_counts {
    uint64_t hits;
    uint64_t misses;
    size_t held; /* bytes, with what keeping them takes */
    size_t allowed;
};

/* A cache that takes up to `budget` bytes, but always keeps one block. The caller destroys it.
 * STATUS_NO_MEMORY. */
enum status cache_create(size_t budget, struct cache **cache);
void cache_destroy(struct cache *cache);

/* The symbol at a place of a block. False if the block is not there. Allocates nothing. Thread-safe. */
bool cache_get(struct cache *cache, cache_key key, size_t place, uint8_t *symbol);

/* Keeps a block of `count` symbols, a multiple of 8, each below 2 ^ `bits`; `bits` is 1, 2 or 4. A block that
 * is there already stays. Without memory nothing is kept. Thread-safe. */
void cache_put(struct cache *cache, cache_key key, const uint8_t *symbols, size_t count, int bits);

/* The same for blocks whose symbols take up to 16 bits. A cache may hold blocks of both kinds, under
 * different keys. */
bool cache_get_wide(struct cache *cache, cache_key key, size_t place, uint16_t *symbol);
/* A byte a symbol is kept if all fit, else two. */
void cache_put_wide(struct cache *cache, cache_key key, const uint16_t *symbols, size_t count);

/* Forgets all blocks. Thread-safe. */
void cache_clear(struct cache *cache);

/* Thread-safe. */
struct cache_counts cache_counts_get(struct cache *cache);

#endif
