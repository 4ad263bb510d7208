/* Shards, each a chained hash table and a ring of its blocks for the clock. */
#include "cache.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_SHARDS = 64,
    SHARD_BYTES = 1 << 18, /* at least so many in a shard, or evictions would be unfair */
    USUAL_BLOCK = 1 << 10, /* bytes of a block, for the size of the hash table */
    ALLOCATION_BYTES = 16  /* what malloc takes besides */
};

struct block {
    struct cache_key key;
    struct block *next_in_bucket;
    struct block *after, *before; /* on the ring */
    uint32_t bytes;               /* of the symbols */
    uint8_t bits;
    bool used; /* since the hand of the clock passed */
    uint8_t symbols[];
};

/* Alone on its cache lines, so that threads on different shards do not disturb each other. */
struct shard {
    alignas(128) pthread_mutex_t lock;
    struct block **buckets;
    struct block *hand; /* on the ring of all blocks, or null */
    size_t held, allowed;
    uint64_t hits, misses;
};

struct cache {
    size_t shard_count;  /* powers of two */
    size_t bucket_count; /* of a shard */
    struct shard shards[];
};

/* -- Making and destroying ----------------------------------------------------------------------------- */

static size_t power_of_two(size_t least, size_t most)
{
    size_t power = 1;
    while (power < least && power < most)
        power *= 2;
    return power;
}

static bool make_shard(struct shard *shard, size_t buckets, size_t budget)
{
    size_t taken = buckets * sizeof(struct block *) + sizeof *shard;
    shard->allowed = budget > taken ? budget - taken : 0;
    shard->buckets = calloc(buckets, sizeof(struct block *));
    if (!shard->buckets)
        return false;
    if (pthread_mutex_init(&shard->lock, NULL) == 0)
        return true;
    free(shard->buckets);
    shard->buckets = NULL;
    return false;
}

enum status cache_create(size_t budget, struct cache **cache)
{
    size_t shards = power_of_two(budget / SHARD_BYTES, MOST_SHARDS);
    size_t bytes = sizeof(struct cache) + shards * sizeof(struct shard);
    struct cache *made = aligned_alloc(alignof(struct cache), (bytes + 127) / 128 * 128);
    *cache = NULL;
    if (!made)
        return STATUS_NO_MEMORY;
    made->shard_count = shards;
    made->bucket_count = power_of_two(budget / shards / USUAL_BLOCK, (size_t)1 << 40);
    for (size_t i = 0; i < shards; i++) {
        made->shards[i] = (struct shard){0};
        if (!make_shard(&made->shards[i], made->bucket_count, budget / shards)) {
            made->shard_count = i;
            cache_destroy(made);
            return STATUS_NO_MEMORY;
        }
    }
    *cache = made;
    return STATUS_OK;
}

void cache_destroy(struct cache *cache)
{
    if (!cache)
        return;
    cache_clear(cache);
    for (size_t i = 0; i < cache->shard_count; i++) {
        pthread_mutex_destroy(&cache->shards[i].lock);
        free(cache->shards[i].buckets);
    }
    free(cache);
}

/* -- Finding ------------------------------------------------------------------------------------------- */

/* Spreads a key over 64 bits: multiply and fold, twice. */
static uint64_t hash_of(struct cache_key key)
{
    uint64_t hash = ((uint64_t)(uintptr_t)key.table ^ key.block * UINT64_C(0x9e3779b97f4a7c15)) *
                    UINT64_C(0xd6e8feb86659fd93);
    return (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
}

static struct shard *shard_of(struct cache *cache, uint64_t hash)
{
    return &cache->shards[hash >> 56 & (cache->shard_count - 1)];
}

static struct block **bucket_of(const struct cache *cache, const struct shard *shard, uint64_t hash)
{
    return &shard->buckets[hash >> 8 & (cache->bucket_count - 1)];
}

static bool same_key(struct cache_key a, struct cache_key b)
{
    return a.table == b.table && a.block == b.block;
}

static struct block *find(struct block *block, struct cache_key key)
{
    while (block && !same_key(block->key, key))
        block = block->next_in_bucket;
    return block;
}

bool cache_get(struct cache *cache, struct cache_key key, size_t place, uint8_t *symbol)
{
    uint64_t hash = hash_of(key);
    struct shard *shard = shard_of(cache, hash);
    pthread_mutex_lock(&shard->lock);
    struct block *block = find(*bucket_of(cache, shard, hash), key);
    if (block) {
        size_t bit = place * block->bits;
        *symbol = (uint8_t)((unsigned)block->symbols[bit / 8] >> bit % 8 & ((1U << block->bits) - 1));
        block->used = true;
        shard->hits++;
    } else {
        shard->misses++;
    }
    pthread_mutex_unlock(&shard->lock);
    return block != NULL;
}

bool cache_get_wide(struct cache *cache, struct cache_key key, size_t place, uint16_t *symbol)
{
    uint64_t hash = hash_of(key);
    struct shard *shard = shard_of(cache, hash);
    pthread_mutex_lock(&shard->lock);
    struct block *block = find(*bucket_of(cache, shard, hash), key);
    if (block && block->bits == 8) {
        *symbol = block->symbols[place];
    } else if (block) {
        memcpy(symbol, block->symbols + 2 * place, sizeof *symbol);
    }
    if (block)
        block->used = true;
    shard->hits += block != NULL;
    shard->misses += block == NULL;
    pthread_mutex_unlock(&shard->lock);
    return block != NULL;
}

/* -- Keeping and forgetting ---------------------------------------------------------------------------- */

static size_t cost_of(const struct block *block)
{
    return sizeof *block + block->bytes + ALLOCATION_BYTES;
}

static void remove_block(struct cache *cache, struct shard *shard, struct block *block)
{
    struct block **link = bucket_of(cache, shard, hash_of(block->key));
    while (*link != block)
        link = &(*link)->next_in_bucket;
    *link = block->next_in_bucket;
    if (shard->hand == block)
        shard->hand = block->after == block ? NULL : block->after;
    block->after->before = block->before;
    block->before->after = block->after;
    shard->held -= cost_of(block);
    free(block);
}

/* Removes blocks that were not used for a turn of the hand until another one fits. */
static void make_room(struct cache *cache, struct shard *shard, size_t cost)
{
    while (shard->hand && shard->held + cost > shard->allowed) {
        struct block *block = shard->hand;
        if (block->used) {
            block->used = false;
            shard->hand = block->after;
        } else {
            remove_block(cache, shard, block);
        }
    }
}

/* Puts the block where the hand comes last. */
static void insert_block(struct cache *cache, struct shard *shard, struct block *block)
{
    struct block **bucket = bucket_of(cache, shard, hash_of(block->key));
    block->next_in_bucket = *bucket;
    *bucket = block;
    if (shard->hand) {
        block->after = shard->hand;
        block->before = shard->hand->before;
        block->before->after = block;
        block->after->before = block;
    } else {
        block->after = block->before = block;
        shard->hand = block;
    }
    shard->held += cost_of(block);
}

/* A block without its symbols. */
static struct block *make_empty_block(struct cache_key key, size_t count, int bits)
{
    size_t bytes = count / 8 * (size_t)bits;
    struct block *block = malloc(sizeof *block + bytes);
    if (block)
        *block = (struct block){.key = key, .bytes = (uint32_t)bytes, .bits = (uint8_t)bits};
    return block;
}

static struct block *make_block(struct cache_key key, const uint8_t *symbols, size_t count, int bits)
{
    struct block *block = make_empty_block(key, count, bits);
    if (!block)
        return NULL;
    size_t bytes = block->bytes;
    size_t in_byte = 8 / (size_t)bits;
    for (size_t i = 0; i < bytes; i++) {
        unsigned byte = 0;
        for (size_t j = in_byte; j-- > 0;)
            byte = byte << bits | symbols[i * in_byte + j];
        block->symbols[i] = (uint8_t)byte;
    }
    return block;
}

static struct block *make_wide_block(struct cache_key key, const uint16_t *symbols, size_t count)
{
    unsigned all = 0;
    for (size_t i = 0; i < count; i++)
        all |= symbols[i];
    struct block *block = make_empty_block(key, count, all <= UINT8_MAX ? 8 : 16);
    if (block && block->bits == 16)
        memcpy(block->symbols, symbols, count * sizeof *symbols);
    for (size_t i = 0; block && block->bits == 8 && i < count; i++)
        block->symbols[i] = (uint8_t)symbols[i];
    return block;
}

/* Keeps the block, or frees it if there is one of its key already. Null is passed over. */
static void keep(struct cache *cache, struct block *block)
{
    if (!block)
        return;
    struct cache_key key = block->key;
    uint64_t hash = hash_of(key);
    struct shard *shard = shard_of(cache, hash);
    pthread_mutex_lock(&shard->lock);
    if (find(*bucket_of(cache, shard, hash), key)) {
        free(block);
    } else {
        make_room(cache, shard, cost_of(block));
        insert_block(cache, shard, block);
    }
    pthread_mutex_unlock(&shard->lock);
}

void cache_put(struct cache *cache, struct cache_key key, const uint8_t *symbols, size_t count, int bits)
{
    keep(cache, make_block(key, symbols, count, bits));
}

void cache_put_wide(struct cache *cache, struct cache_key key, const uint16_t *symbols, size_t count)
{
    keep(cache, make_wide_block(key, symbols, count));
}

void cache_clear(struct cache *cache)
{
    for (size_t i = 0; i < cache->shard_count; i++) {
        struct shard *shard = &cache->shards[i];
        pthread_mutex_lock(&shard->lock);
        while (shard->hand)
            remove_block(cache, shard, shard->hand);
        pthread_mutex_unlock(&shard->lock);
    }
}

struct cache_counts cache_counts_get(struct cache *cache)
{
    struct cache_counts counts = {0};
    for (size_t i = 0; i < cache->shard_count; i++) {
        struct shard *shard = &cache->shards[i];
        pthread_mutex_lock(&shard->lock);
        counts.hits += shard->hits;
        counts.misses += shard->misses;
        counts.held += shard->held;
        counts.allowed += shard->allowed;
        pthread_mutex_unlock(&shard->lock);
    }
    return counts;
}
