/* Opening a folder's tables, filling blocks, and the clock that takes memory back. */
#include "truth.h"

#include "distance.h"
#include "moves.h"
#include "walk.h"

#include <stdio.h>
#include <stdlib.h>

enum { KINDS = 10 /* pieces of one kind are fewer */ };

struct truth {
    const struct variant *variant;
    char *directory;
    struct file_pool pool;
    struct block_reader *reader;
    struct truth_slice *slices[KINDS][KINDS][KINDS][KINDS];
    struct truth_block **blocks; /* all in memory, in the order of the clock */
    size_t count;
    size_t limit;
    size_t room; /* in `blocks` */
    size_t hand;
    enum status status;
    char message[MESSAGE_SIZE];
};

/* -- Life ------------------------------------------------------------------------------------------------ */

enum status truth_create(const struct variant *variant, const char *directory, struct truth **truth)
{
    *truth = NULL;
    struct truth *made = calloc(1, sizeof *made);
    if (!made)
        return STATUS_NO_MEMORY;
    if (file_pool_init(&made->pool, 0) != STATUS_OK) {
        free(made);
        return STATUS_NO_MEMORY;
    }
    made->variant = variant;
    made->directory = strdup(directory);
    truth_set_memory(made, TRUTH_LEAST_MEMORY);
    if (!made->directory || block_reader_create(&made->reader) != STATUS_OK) {
        truth_destroy(made);
        return STATUS_NO_MEMORY;
    }
    *truth = made;
    return STATUS_OK;
}

static struct truth_slice **entry(struct truth *truth, struct slice slice)
{
    return &truth->slices[slice.own_men][slice.own_kings][slice.opponent_men][slice.opponent_kings];
}

/* Closes the tables of a pair, or what there is of them. */
static void remove_pair(struct truth *truth, struct slice name)
{
    struct truth_slice *first = *entry(truth, name);
    struct truth_slice *second = *entry(truth, slice_mirror(name));
    if (!first)
        return;
    table_close((struct table *)first->values);
    table_close((struct table *)first->distances);
    *entry(truth, name) = *entry(truth, slice_mirror(name)) = NULL;
    if (second && second != first) {
        free(second->blocks);
        free(second);
    }
    free(first->blocks);
    free(first);
}

void truth_destroy(struct truth *truth)
{
    if (!truth)
        return;
    for (int number = 0; number < KINDS * KINDS * KINDS * KINDS; number++) {
        struct slice slice = {(uint8_t)(number / 1000), (uint8_t)(number / 100 % 10),
                              (uint8_t)(number / 10 % 10), (uint8_t)(number % 10)};
        remove_pair(truth, slice);
    }
    for (size_t i = 0; i < truth->count; i++)
        free(truth->blocks[i]);
    free(truth->blocks);
    block_reader_destroy(truth->reader);
    file_pool_destroy(&truth->pool);
    free(truth->directory);
    free(truth);
}

const struct variant *truth_variant(const struct truth *truth)
{
    return truth->variant;
}

struct truth_slice *truth_find(const struct truth *truth, struct slice slice)
{
    if (slice.own_kings >= KINDS || slice.opponent_kings >= KINDS) /* nine kings and one promoted */
        return NULL;
    return truth->slices[slice.own_men][slice.own_kings][slice.opponent_men][slice.opponent_kings];
}

/* -- Failures -------------------------------------------------------------------------------------------- */

const char *truth_message(const struct truth *truth)
{
    return truth->message;
}

enum status truth_status(const struct truth *truth)
{
    return truth->status;
}

static char *path_of(const struct truth *truth, struct slice slice, enum metric metric)
{
    char name[TABLE_NAME_SIZE];
    char *path;
    table_name_write(slice, metric, name);
    return asprintf(&path, "%s/%s", truth->directory, name) < 0 ? NULL : path;
}

enum status truth_fail(struct truth *truth, struct slice slice, enum metric metric, enum status status,
                       const char *fault)
{
    char *path = path_of(truth, slice, metric);
    truth->status = status;
    table_message(truth->message, path ? path : "", status, fault);
    free(path);
    return status;
}

/* -- Tables ---------------------------------------------------------------------------------------------- */

static enum status open_table(struct truth *truth, struct slice slice, enum metric metric,
                              struct table **table)
{
    char *path = path_of(truth, slice, metric);
    if (!path)
        return truth_fail(truth, slice, metric, STATUS_NO_MEMORY, NULL);
    enum status status = table_open(path, truth->variant, slice, metric, &truth->pool, table, truth->message);
    free(path);
    if (status == STATUS_NO_TABLE && metric == METRIC_DTZ)
        return STATUS_OK;
    truth->status = status;
    return status;
}

static struct truth_slice *make_slice(const struct table *values, const struct table *distances, int member)
{
    struct truth_slice *slice = calloc(1, sizeof *slice);
    if (!slice)
        return NULL;
    slice->numbering = table_numbering(values, member);
    slice->slice = slice->numbering->slice;
    slice->values = values;
    slice->distances = distances;
    slice->member = member;
    slice->block_count = block_count(slice->numbering->positions, TRUTH_LOG2);
    slice->blocks = calloc(slice->block_count, sizeof(struct truth_block *));
    if (slice->blocks)
        return slice;
    free(slice);
    return NULL;
}

enum status truth_add(struct truth *truth, struct slice pair)
{
    struct table *values = NULL;
    struct table *distances = NULL;
    enum status status = open_table(truth, pair, METRIC_WDL, &values);
    if (status == STATUS_OK)
        status = open_table(truth, pair, METRIC_DTZ, &distances);
    bool complete = status == STATUS_OK;
    for (int member = 0; complete && member < table_header(values)->members; member++) {
        struct truth_slice *slice = make_slice(values, distances, member);
        complete = slice != NULL;
        if (slice)
            *entry(truth, slice->slice) = slice;
    }
    if (complete)
        return STATUS_OK;
    if (status == STATUS_OK)
        status = truth_fail(truth, pair, METRIC_WDL, STATUS_NO_MEMORY, NULL);
    struct slice name = slice_pair_name(pair);
    if (values && *entry(truth, name)) {
        remove_pair(truth, name);
        return status;
    }
    table_close(values);
    table_close(distances);
    return status;
}

/* -- Memory ---------------------------------------------------------------------------------------------- */

/* Cells of the numberings that both tables have of their own, indexes, and places of blocks. */
static uint64_t fixed_memory_of(const struct truth_slice *slice)
{
    const struct table_member *member = &table_header(slice->values)->member[slice->member];
    uint64_t numbering = slice->numbering->cell_count * (sizeof(struct cell) + sizeof(uint32_t));
    uint64_t tables = slice->distances ? 2 : 1;
    return tables * (numbering + member->index_length) + slice->block_count * sizeof(struct truth_block *);
}

uint64_t truth_fixed_memory(const struct truth *truth)
{
    uint64_t bytes = sizeof *truth;
    for (int number = 0; number < KINDS * KINDS * KINDS * KINDS; number++) {
        const struct truth_slice *slice =
            truth->slices[number / 1000][number / 100 % 10][number / 10 % 10][number % 10];
        bytes += slice ? fixed_memory_of(slice) : 0;
    }
    return bytes;
}

void truth_set_memory(struct truth *truth, uint64_t bytes)
{
    enum { OVERHEAD = 32 /* of the allocator, and the place in the clock */ };
    uint64_t least = TRUTH_LEAST_MEMORY;
    truth->limit = (size_t)((bytes > least ? bytes : least) / (sizeof(struct truth_block) + OVERHEAD));
}

/* Makes room for one block more in the clock and allocates it. Null if there is no memory. */
static struct truth_block *new_block(struct truth *truth)
{
    if (truth->count == truth->room) {
        size_t room = truth->room ? 2 * truth->room : 64;
        struct truth_block **blocks = realloc(truth->blocks, room * sizeof(struct truth_block *));
        if (!blocks)
            return NULL;
        truth->blocks = blocks;
        truth->room = room;
    }
    struct truth_block *block = calloc(1, sizeof *block);
    if (block)
        truth->blocks[truth->count++] = block;
    return block;
}

/* A block that holds nothing: a new one within the limit, else the first that the clock's hand finds not
 * looked at since it last passed. Few blocks are pinned at a time: one a capture in a row of captures. */
static struct truth_block *free_block(struct truth *truth)
{
    struct truth_block *block = truth->count < truth->limit ? new_block(truth) : NULL;
    for (size_t step = 0; !block && step < 3 * truth->count; step++) {
        struct truth_block *old = truth->blocks[truth->hand];
        truth->hand = (truth->hand + 1) % truth->count;
        if (!old->pinned && !old->recent)
            block = old;
        old->recent = false;
    }
    if (block && block->holder)
        *block->holder = NULL;
    if (block)
        block->holder = NULL;
    return block;
}

/* -- Filling blocks -------------------------------------------------------------------------------------- */

/* Value of the position that a capture leads to. */
static enum status value_after(struct truth *truth, const struct position *after, enum value *value)
{
    if (!position_own(after)) {
        *value = LOSS;
        return STATUS_OK;
    }
    struct truth_slice *slice = truth_find(truth, slice_of(after));
    if (!slice)
        return truth_fail(truth, slice_of(after), METRIC_WDL, STATUS_NO_TABLE, NULL);
    uint64_t number = numbering_number(slice->numbering, after);
    const struct truth_block *block = truth_block(truth, slice, number);
    if (!block)
        return truth->status;
    *value = (enum value)(block->values[number % TRUTH_SIZE] & ~TRUTH_CAPTURE);
    return STATUS_OK;
}

/* The best that the captures of a position lead to. */
static enum status best_capture(struct truth *truth, const struct position *position, enum value *best)
{
    struct move_list list;
    move_list_clear(&list);
    truth->variant->moves->captures(position, &list, NULL);
    if (list.overflowed)
        return truth_fail(truth, slice_of(position), METRIC_WDL, STATUS_TOO_MANY_MOVES, NULL);
    *best = LOSS;
    for (int i = 0; i < list.count && *best != WIN; i++) {
        struct position after = position_after(truth->variant, position, &list.moves[i]);
        enum value reply = LOSS;
        enum status status = value_after(truth, &after, &reply);
        if (status != STATUS_OK)
            return status;
        if (value_turned(reply) > *best)
            *best = value_turned(reply);
    }
    return STATUS_OK;
}

/* Puts in what is not stored: captures, and the distances of draws. */
static enum status resolve(struct truth *truth, const struct truth_slice *slice, uint64_t first, size_t count,
                           struct truth_block *block)
{
    struct walk walk;
    walk_begin(&walk, slice->numbering, first);
    for (size_t i = 0; i < count; i++, walk_next(&walk)) {
        if (truth->variant->moves->has_capture(&walk.position)) {
            enum value value;
            enum status status = best_capture(truth, &walk.position, &value);
            if (status != STATUS_OK)
                return status;
            block->values[i] = (uint8_t)(value | TRUTH_CAPTURE);
            block->distances[i] = (uint16_t)distance_of_captures(truth->variant, value);
        } else if (block->values[i] == DRAW) {
            block->distances[i] = 0;
        }
    }
    return STATUS_OK;
}

static enum status read_stored(struct truth *truth, const struct truth_slice *slice, uint64_t first,
                               size_t count, struct truth_block *block)
{
    enum status status =
        table_read_values(slice->values, truth->reader, slice->member, first, count, block->values);
    if (status != STATUS_OK)
        return truth_fail(truth, slice->slice, METRIC_WDL, status,
                          status == STATUS_DAMAGED ? "a block" : NULL);
    if (!slice->distances)
        return STATUS_OK;
    status = table_read_distance_range(slice->distances, truth->reader, slice->member, first, count,
                                       block->distances);
    if (status != STATUS_OK)
        truth_fail(truth, slice->slice, METRIC_DTZ, status, status == STATUS_DAMAGED ? "a block" : NULL);
    return status;
}

const struct truth_block *truth_load(struct truth *truth, struct truth_slice *slice, uint64_t number)
{
    struct truth_block *block = free_block(truth);
    if (!block) {
        truth_fail(truth, slice->slice, METRIC_WDL, STATUS_NO_MEMORY, NULL);
        return NULL;
    }
    uint64_t first = number << TRUTH_LOG2;
    uint64_t left = slice->numbering->positions - first;
    size_t count = left < TRUTH_SIZE ? (size_t)left : TRUTH_SIZE;
    block->pinned = true;
    enum status status = read_stored(truth, slice, first, count, block);
    if (status == STATUS_OK)
        status = resolve(truth, slice, first, count, block);
    block->pinned = false;
    block->recent = true;
    if (status != STATUS_OK)
        return NULL;
    block->holder = &slice->blocks[number];
    slice->blocks[number] = block;
    return block;
}
