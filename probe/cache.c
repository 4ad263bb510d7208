/* Shards, each a log of blocks in one piece of memory and slots that say where in it a block is. Only writers
 * lock a shard. A slot's word changes whenever the slot does: a reader takes what it finds and keeps it if
 * the word is still the same, since a block's slot changes before its memory is used again. Loads that may
 * meet a writer acquire and stores release, so that what a reader sees of a new block tells it of the new
 * word too. */
#include "cache.h"

#include "format.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    MOST_SHARDS = 64,
    SHARD_BYTES = 1 << 18, /* at least so many in a shard, or evictions would be unfair */
    USUAL_BLOCK = 1 << 9,  /* bytes of a block, for the number of slots */
    WAYS = 4,              /* slots in which a block can be */
    HEAD_WORDS = 1,        /* of a block in the log: its slot, and its length */
    COUNTERS = 64,
    LARGE_PAGE = 1 << 21,
    /* Few enough for room beside the new block: see rescue. */
    RESCUED_PART = 8
};

static const uint32_t no_slot = UINT32_MAX;

/* Where a block is. Its word, from low bits up: bits of a symbol (0: the slot is empty), whether it was used
 * since it was written, word of the log where its symbols begin, and a count of changes. */
struct slot {
    _Atomic uint64_t word;
    _Atomic uint64_t key;
};
enum { SLOT_BITS = 5, SLOT_USED = 1 << SLOT_BITS, SLOT_FIRST = 6, FIRST_BITS = 34, SLOT_CHANGES = 40 };

/* The memory of a log. One that has become too small is kept for readers that may still look into it. */
struct memory {
    struct memory *before;
    size_t count; /* of words */
    _Atomic uint64_t words[];
};

/* Alone on its cache lines, so that threads on different shards do not disturb each other. */
struct shard {
    alignas(128) struct slot *slots;
    _Atomic(struct memory *) memory;
    alignas(128) pthread_mutex_t lock; /* for all below, and for changing slots */
    size_t head;                       /* word of the log where the next block goes */
    size_t tail;                       /* word of the oldest block */
    size_t taken;                      /* words between them */
    size_t held;                       /* words of blocks that can be found */
    size_t allowed;                    /* words */
    uint64_t *rescued;                 /* room for a block that stays */
};

/* Hits and misses of some of the threads. */
struct counter {
    alignas(128) _Atomic uint64_t hits;
    _Atomic uint64_t misses;
};

struct cache {
    size_t shard_count; /* powers of two */
    size_t set_count;   /* of a shard: WAYS slots each */
    struct slot *slots; /* of all shards */
    struct counter counters[COUNTERS];
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

/* The slots of all shards, at random places of which every probe looks: in pages as large as can be had, or
 * it would wait for their addresses. */
static struct slot *make_slots(size_t bytes)
{
    size_t page = bytes < LARGE_PAGE ? alignof(max_align_t) : LARGE_PAGE;
    struct slot *slots = aligned_alloc(page, (bytes + page - 1) / page * page);
    if (!slots)
        return NULL;
    if (page == LARGE_PAGE)
        madvise(slots, bytes, MADV_HUGEPAGE); /* where it is not to be had, small ones do */
    memset(slots, 0, bytes);
    return slots;
}

static bool make_shard(const struct cache *cache, struct shard *shard, size_t number, size_t budget)
{
    size_t taken = cache->set_count * WAYS * sizeof(struct slot) + sizeof *shard;
    shard->allowed = (budget > taken ? budget - taken : 0) / sizeof(uint64_t);
    shard->slots = cache->slots + number * cache->set_count * WAYS;
    return pthread_mutex_init(&shard->lock, NULL) == 0;
}

enum status cache_create(size_t budget, struct cache **cache)
{
    size_t shards = power_of_two(budget / SHARD_BYTES, MOST_SHARDS);
    size_t bytes = (sizeof(struct cache) + shards * sizeof(struct shard) + 127) / 128 * 128;
    struct cache *made = aligned_alloc(alignof(struct cache), bytes);
    *cache = NULL;
    if (!made)
        return STATUS_NO_MEMORY;
    memset(made, 0, bytes);
    made->set_count = power_of_two(budget / shards / USUAL_BLOCK / WAYS, (size_t)1 << 28);
    made->slots = make_slots(shards * made->set_count * WAYS * sizeof *made->slots);
    bool all = made->slots;
    while (all && made->shard_count < shards) {
        all = make_shard(made, &made->shards[made->shard_count], made->shard_count, budget / shards);
        made->shard_count += all;
    }
    if (!all) {
        cache_destroy(made);
        return STATUS_NO_MEMORY;
    }
    *cache = made;
    return STATUS_OK;
}

void cache_destroy(struct cache *cache)
{
    if (!cache)
        return;
    for (size_t i = 0; i < cache->shard_count; i++) {
        struct shard *shard = &cache->shards[i];
        for (struct memory *memory = atomic_load(&shard->memory); memory;) {
            struct memory *before = memory->before;
            free(memory);
            memory = before;
        }
        pthread_mutex_destroy(&shard->lock);
        free(shard->rescued);
    }
    free(cache->slots);
    free(cache);
}

/* -- Finding ------------------------------------------------------------------------------------------- */

/* Spreads a key over 64 bits: multiply and fold, twice. */
static uint64_t hash_of(cache_key key)
{
    uint64_t hash = (key + 1) * UINT64_C(0xd6e8feb86659fd93);
    return (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
}

static struct shard *shard_of(struct cache *cache, uint64_t hash)
{
    return &cache->shards[hash >> 56 & (cache->shard_count - 1)];
}

static struct slot *set_of(const struct cache *cache, const struct shard *shard, uint64_t hash)
{
    return &shard->slots[(hash >> 8 & (cache->set_count - 1)) * WAYS];
}

static unsigned slot_bits(uint64_t word)
{
    return word & ((1 << SLOT_BITS) - 1);
}

static uint64_t slot_first(uint64_t word)
{
    return word >> SLOT_FIRST & ((UINT64_C(1) << FIRST_BITS) - 1);
}

/* Takes a symbol from where a slot says, unless the slot is another's or has changed meanwhile. */
static bool take(struct shard *shard, struct slot *slot, cache_key key, size_t place, uint16_t *symbol)
{
    uint64_t found = atomic_load_explicit(&slot->word, memory_order_acquire);
    if (atomic_load_explicit(&slot->key, memory_order_acquire) != key || slot_bits(found) == 0)
        return false;
    struct memory *memory = atomic_load_explicit(&shard->memory, memory_order_acquire);
    uint64_t bit = place * slot_bits(found);
    uint64_t word = slot_first(found) + bit / 64;
    if (word >= memory->count) /* the slot is of another memory */
        return false;
    uint64_t symbols = atomic_load_explicit(&memory->words[word], memory_order_acquire);
    uint64_t now = atomic_load_explicit(&slot->word, memory_order_relaxed);
    if ((now ^ found) & ~(uint64_t)SLOT_USED)
        return false;
    *symbol = (uint16_t)(symbols >> bit % 64 & ((UINT64_C(1) << slot_bits(found)) - 1));
    if (!(now & SLOT_USED))
        atomic_fetch_or_explicit(&slot->word, SLOT_USED, memory_order_relaxed);
    return true;
}

/* Threads count apart where they can. */
static struct counter *own_counter(struct cache *cache)
{
    return &cache->counters[((uint64_t)pthread_self() >> 12) * UINT64_C(0x9e3779b97f4a7c15) >> 58];
}

bool cache_get_wide(struct cache *cache, cache_key key, size_t place, uint16_t *symbol)
{
    uint64_t hash = hash_of(key);
    struct shard *shard = shard_of(cache, hash);
    struct slot *set = set_of(cache, shard, hash);
    bool found = false;
    for (int way = 0; way < WAYS && !found; way++)
        found = take(shard, &set[way], key, place, symbol);
    struct counter *counter = own_counter(cache);
    atomic_fetch_add_explicit(found ? &counter->hits : &counter->misses, 1, memory_order_relaxed);
    return found;
}

bool cache_get(struct cache *cache, cache_key key, size_t place, uint8_t *symbol)
{
    uint16_t wide;
    bool found = cache_get_wide(cache, key, place, &wide);
    if (found)
        *symbol = (uint8_t)wide;
    return found;
}

/* -- The log ------------------------------------------------------------------------------------------- */

/* A block on its way into a log. */
struct block {
    cache_key key;
    const uint64_t *words; /* its symbols, low bits first */
    size_t count;          /* of words */
    uint8_t bits;
};

static uint64_t word_at(const struct shard *shard, size_t place)
{
    return atomic_load_explicit(&atomic_load_explicit(&shard->memory, memory_order_relaxed)->words[place],
                                memory_order_relaxed);
}

static void put_word(struct shard *shard, size_t place, uint64_t word)
{
    atomic_store_explicit(&atomic_load_explicit(&shard->memory, memory_order_relaxed)->words[place], word,
                          memory_order_release);
}

static size_t capacity_of(const struct shard *shard)
{
    const struct memory *memory = atomic_load_explicit(&shard->memory, memory_order_relaxed);
    return memory ? memory->count : 0;
}

/* Changes a slot; `bits` 0 empties it. */
static void set_slot(struct slot *slot, cache_key key, uint64_t bits, uint64_t first)
{
    uint64_t changes = (atomic_load_explicit(&slot->word, memory_order_relaxed) >> SLOT_CHANGES) + 1;
    atomic_store_explicit(&slot->word, changes << SLOT_CHANGES, memory_order_relaxed);
    atomic_store_explicit(&slot->key, key, memory_order_release);
    if (bits)
        atomic_store_explicit(&slot->word, (changes + 1) << SLOT_CHANGES | first << SLOT_FIRST | bits,
                              memory_order_release);
}

/* Empties a slot. `words`: of its block in the log. */
static void forget(struct shard *shard, struct slot *slot, size_t words)
{
    set_slot(slot, 0, 0, 0);
    shard->held -= words;
}

/* Copies the oldest block, which was used lately, so that it can be written again beside a new one of
 * `beside` words. One at a time, and no large ones, so that it finds room. */
static void rescue(const struct shard *shard, struct slot *slot, size_t words, size_t beside,
                   struct block *rescued)
{
    uint64_t word = atomic_load(&slot->word);
    size_t capacity = capacity_of(shard);
    if (rescued->count > 0 || words > capacity / RESCUED_PART || 2 * words + beside > capacity ||
        !(word & SLOT_USED))
        return;
    rescued->key = atomic_load(&slot->key);
    rescued->bits = (uint8_t)slot_bits(word);
    rescued->count = words - HEAD_WORDS;
    for (size_t i = 0; i < rescued->count; i++)
        shard->rescued[i] = word_at(shard, shard->tail + HEAD_WORDS + i);
    rescued->words = shard->rescued;
}

/* Removes the oldest block of the log for one of `beside` words; it may be copied to *rescued, if that is not
 * null. */
static void drop_oldest(struct shard *shard, size_t beside, struct block *rescued)
{
    uint64_t head = word_at(shard, shard->tail);
    size_t words = (size_t)(head >> 32);
    struct slot *slot = (uint32_t)head == no_slot ? NULL : &shard->slots[(uint32_t)head];
    uint64_t found = slot ? atomic_load(&slot->word) : 0;
    if (slot && slot_bits(found) != 0 && slot_first(found) == shard->tail + HEAD_WORDS) {
        if (rescued)
            rescue(shard, slot, words, beside, rescued);
        forget(shard, slot, words);
    }
    shard->taken -= words;
    shard->tail += words;
    if (shard->tail == capacity_of(shard))
        shard->tail = 0;
    if (shard->taken == 0)
        shard->head = shard->tail = 0;
}

/* Makes room for so many words at the head, in one piece. */
static void make_room(struct shard *shard, size_t words, struct block *rescued)
{
    size_t capacity = capacity_of(shard);
    size_t to_end = capacity - shard->head;
    if (to_end < words) { /* the rest of the memory is passed over */
        while (shard->taken > 0 && capacity - shard->taken < to_end)
            drop_oldest(shard, words, rescued);
        if (shard->taken > 0) {
            put_word(shard, shard->head, (uint64_t)to_end << 32 | no_slot);
            shard->taken += to_end;
            shard->head = 0;
        }
    }
    while (capacity - shard->taken < words)
        drop_oldest(shard, words, rescued);
}

static struct slot *empty_slot(struct slot *set)
{
    for (int way = 0; way < WAYS; way++)
        if (slot_bits(atomic_load(&set[way].word)) == 0)
            return &set[way];
    return NULL;
}

/* Empties the first slot that was not used lately, else the first. */
static struct slot *free_slot(struct shard *shard, struct slot *set)
{
    struct slot *chosen = &set[0];
    for (int way = WAYS - 1; way >= 0; way--)
        if (!(atomic_load(&set[way].word) & SLOT_USED))
            chosen = &set[way];
    size_t head = (size_t)slot_first(atomic_load(&chosen->word)) - HEAD_WORDS;
    forget(shard, chosen, (size_t)(word_at(shard, head) >> 32));
    return chosen;
}

/* Writes a block; one that was to stay only if it has a slot without another's going. */
static void append(struct cache *cache, struct shard *shard, const struct block *block, struct block *rescued)
{
    size_t words = block->count + HEAD_WORDS;
    struct slot *set = set_of(cache, shard, hash_of(block->key));
    if (!rescued && !empty_slot(set))
        return;
    make_room(shard, words, rescued);
    struct slot *slot = empty_slot(set);
    slot = slot ? slot : free_slot(shard, set);
    put_word(shard, shard->head, (uint64_t)words << 32 | (uint64_t)(slot - shard->slots));
    for (size_t i = 0; i < block->count; i++)
        put_word(shard, shard->head + HEAD_WORDS + i, block->words[i]);
    set_slot(slot, block->key, block->bits, shard->head + HEAD_WORDS);
    shard->head = shard->head + words == capacity_of(shard) ? 0 : shard->head + words;
    shard->taken += words;
    shard->held += words;
}

static void clear(struct shard *shard)
{
    while (shard->taken > 0)
        drop_oldest(shard, 0, NULL);
}

/* Memory for at least a block of so many words; what a smaller one has is given up. */
static bool reserve(struct shard *shard, size_t words)
{
    struct memory *before = atomic_load(&shard->memory);
    if (before && before->count >= words)
        return true;
    size_t count = words > shard->allowed ? words : shard->allowed;
    struct memory *memory = malloc(sizeof *memory + count * sizeof memory->words[0]);
    uint64_t *rescued = realloc(shard->rescued, (count / RESCUED_PART + 1) * sizeof *rescued);
    if (rescued)
        shard->rescued = rescued;
    if (!memory || !rescued) {
        free(memory);
        return false;
    }
    clear(shard);
    memory->before = before;
    memory->count = count;
    atomic_store(&shard->memory, memory);
    return true;
}

/* -- Keeping and forgetting ---------------------------------------------------------------------------- */

static bool is_there(const struct cache *cache, const struct shard *shard, cache_key key)
{
    struct slot *set = set_of(cache, shard, hash_of(key));
    bool found = false;
    for (int way = 0; way < WAYS; way++)
        found |= atomic_load(&set[way].key) == key && slot_bits(atomic_load(&set[way].word)) != 0;
    return found;
}

static void keep(struct cache *cache, const struct block *block)
{
    struct shard *shard = shard_of(cache, hash_of(block->key));
    struct block rescued = {0};
    pthread_mutex_lock(&shard->lock);
    if (!is_there(cache, shard, block->key) && reserve(shard, block->count + HEAD_WORDS)) {
        append(cache, shard, block, &rescued);
        if (rescued.count > 0)
            append(cache, shard, &rescued, NULL);
    }
    pthread_mutex_unlock(&shard->lock);
}

/* Eight symbols of a byte each, below 2 ^ bits, as one number of 8 * bits bits: neighbours move together,
 * then pairs, then fours. */
static inline uint64_t squeeze(uint64_t symbols, int bits)
{
    symbols = (symbols | symbols >> (8 - bits)) & UINT64_C(0x00ff00ff00ff00ff);
    symbols = (symbols | symbols >> (16 - 2 * bits)) & UINT64_C(0x0000ffff0000ffff);
    return (symbols | symbols >> (32 - 4 * bits)) & UINT64_C(0xffffffff);
}

/* `count` is a multiple of 8. One for each number of bits, for constants make it quick. */
static inline __attribute__((always_inline)) void pack(const uint8_t *symbols, size_t count, int bits,
                                                       uint64_t *words)
{
    for (size_t i = 0; i < count; i += 8)
        words[i * (size_t)bits / 64] |= squeeze(load_64(symbols + i), bits) << i * (size_t)bits % 64;
}

void cache_put(struct cache *cache, cache_key key, const uint8_t *symbols, size_t count, int bits)
{
    size_t words = (count * (size_t)bits + 63) / 64;
    uint64_t *packed = calloc(words, sizeof *packed);
    if (!packed)
        return;
    if (bits == 1)
        pack(symbols, count, 1, packed);
    else if (bits == 2)
        pack(symbols, count, 2, packed);
    else
        pack(symbols, count, 4, packed);
    keep(cache, &(struct block){key, packed, words, (uint8_t)bits});
    free(packed);
}

void cache_put_wide(struct cache *cache, cache_key key, const uint16_t *symbols, size_t count)
{
    unsigned all = 0;
    for (size_t i = 0; i < count; i++)
        all |= symbols[i];
    size_t bits = all <= UINT8_MAX ? 8 : 16;
    size_t words = (count * bits + 63) / 64;
    uint64_t *packed = calloc(words, sizeof *packed);
    if (!packed)
        return;
    for (size_t i = 0; i < count; i++)
        packed[i * bits / 64] |= (uint64_t)symbols[i] << i * bits % 64;
    keep(cache, &(struct block){key, packed, words, (uint8_t)bits});
    free(packed);
}

void cache_clear(struct cache *cache)
{
    for (size_t i = 0; i < cache->shard_count; i++) {
        struct shard *shard = &cache->shards[i];
        pthread_mutex_lock(&shard->lock);
        clear(shard);
        pthread_mutex_unlock(&shard->lock);
    }
}

struct cache_counts cache_counts_get(struct cache *cache)
{
    struct cache_counts counts = {0};
    for (int i = 0; i < COUNTERS; i++) {
        counts.hits += atomic_load(&cache->counters[i].hits);
        counts.misses += atomic_load(&cache->counters[i].misses);
    }
    for (size_t i = 0; i < cache->shard_count; i++) {
        struct shard *shard = &cache->shards[i];
        pthread_mutex_lock(&shard->lock);
        counts.held += shard->held * sizeof(uint64_t);
        counts.allowed += shard->allowed * sizeof(uint64_t);
        pthread_mutex_unlock(&shard->lock);
    }
    return counts;
}
