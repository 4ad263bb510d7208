/* Decoded chunks, and the look-up of one value by its pieces. */
#include "values.h"

#include <stdlib.h>
#include <string.h>

enum { MEMO_BITS = 9, MEMO_SIZE = 1 << MEMO_BITS };

/* A chunk in memory. */
struct loaded {
    uint32_t pair;
    uint32_t chunk;
    uint32_t bytes;
};

/* Positions that differ in their kings only share everything but the last step of a look-up. */
struct memo {
    uint64_t own_men;
    uint64_t opponent_men;
    uint8_t own_kings;
    uint8_t opponent_kings;
    bool valid;
    uint32_t pair;
    uint32_t first_chunk;  /* of the piece */
    uint64_t base;         /* place in the piece of kings number 0 */
    uint64_t generation;   /* of the cache when `packed` was taken */
    const uint8_t *packed; /* the only chunk of the piece, or null */
    uint64_t placements;   /* of own kings for one placement of the rest */
    const struct cell_layout *layout;
    struct piece piece;
};

struct values {
    const struct plan *plan;
    struct store *store;
    size_t budget;
    size_t held;
    uint8_t ***chunks; /* [pair][chunk], null where not decoded */
    bool **used;       /* [pair][chunk], since the clock's hand last passed */
    struct loaded *ring;
    size_t ring_count;
    size_t ring_room;
    size_t hand;
    uint64_t generation; /* grows when a chunk is dropped */
    enum status status;
    struct memo memos[MEMO_SIZE];
};

/* -- Chunks --------------------------------------------------------------------------------------------- */

enum status values_open(const struct plan *plan, struct store *store, size_t budget, struct values **values)
{
    *values = NULL;
    struct values *made = calloc(1, sizeof *made);
    if (!made)
        return STATUS_NO_MEMORY;
    made->plan = plan;
    made->store = store;
    made->budget = budget;
    made->chunks = calloc(plan->pair_count, sizeof *made->chunks);
    made->used = calloc(plan->pair_count, sizeof *made->used);
    bool complete = made->chunks && made->used;
    for (uint32_t pair = 0; complete && pair < plan->pair_count; pair++) {
        made->chunks[pair] = calloc(plan->layouts[pair].chunks, sizeof **made->chunks);
        made->used[pair] = calloc(plan->layouts[pair].chunks, sizeof **made->used);
        complete = made->chunks[pair] && made->used[pair];
    }
    if (!complete) {
        values_close(made);
        return STATUS_NO_MEMORY;
    }
    *values = made;
    return STATUS_OK;
}

void values_close(struct values *values)
{
    if (!values)
        return;
    for (size_t i = 0; i < values->ring_count; i++)
        free(values->chunks[values->ring[i].pair][values->ring[i].chunk]);
    for (uint32_t pair = 0; pair < values->plan->pair_count; pair++) {
        if (values->chunks)
            free(values->chunks[pair]);
        if (values->used)
            free(values->used[pair]);
    }
    free(values->chunks);
    free(values->used);
    free(values->ring);
    free(values);
}

/* Drops the next chunk under the clock's hand that was not used lately. */
static void drop_one(struct values *values)
{
    for (;;) {
        if (values->hand >= values->ring_count)
            values->hand = 0;
        const struct loaded *loaded = &values->ring[values->hand];
        bool *used = &values->used[loaded->pair][loaded->chunk];
        if (!*used)
            break;
        *used = false;
        values->hand++;
    }
    struct loaded *loaded = &values->ring[values->hand];
    uint8_t **chunk = &values->chunks[loaded->pair][loaded->chunk];
    free(*chunk);
    *chunk = NULL;
    values->held -= loaded->bytes;
    *loaded = values->ring[--values->ring_count];
    values->generation++;
}

static enum status enter_ring(struct values *values, uint32_t pair, uint32_t chunk, uint32_t bytes)
{
    if (values->ring_count == values->ring_room) {
        size_t room = values->ring_room ? 2 * values->ring_room : 1024;
        struct loaded *ring = realloc(values->ring, room * sizeof *ring);
        if (!ring)
            return STATUS_NO_MEMORY;
        values->ring = ring;
        values->ring_room = room;
    }
    values->ring[values->ring_count++] = (struct loaded){pair, chunk, bytes};
    values->held += bytes;
    return STATUS_OK;
}

/* The decoded chunk `number` of a piece; valid until the next is loaded. Null on failure. */
static const uint8_t *load(struct values *values, const struct piece *piece, uint32_t number)
{
    const struct cell_layout *layout = &values->plan->layouts[piece->pair].cells[piece->cell];
    uint32_t chunk = layout_chunk(layout, piece->number, 0) + number;
    uint8_t **slot = &values->chunks[piece->pair][chunk];
    values->used[piece->pair][chunk] = true;
    if (*slot)
        return *slot;
    size_t bytes = (size_t)(layout_chunk_places(piece, number) + MARKS_PER_BYTE - 1) / MARKS_PER_BYTE;
    while (values->held + bytes > values->budget && values->ring_count > 0)
        drop_one(values);
    uint8_t *packed = malloc(bytes);
    enum status status =
        packed ? store_read(values->store, piece->pair, chunk, packed, bytes) : STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = enter_ring(values, piece->pair, chunk, (uint32_t)bytes);
    if (status != STATUS_OK) {
        free(packed);
        if (values->status == STATUS_OK)
            values->status = status;
        return NULL;
    }
    *slot = packed;
    return packed;
}

static uint8_t unpacked(const uint8_t *packed, uint64_t place)
{
    return (packed[place / MARKS_PER_BYTE] >> (2 * (place % MARKS_PER_BYTE))) & 3;
}

void values_pack(const uint8_t *marks, size_t count, uint8_t *packed)
{
    size_t whole = count / MARKS_PER_BYTE;
    for (size_t i = 0; i < whole; i++, marks += MARKS_PER_BYTE)
        packed[i] = (uint8_t)(marks[0] | marks[1] << 2 | marks[2] << 4 | marks[3] << 6);
    if (count % MARKS_PER_BYTE == 0)
        return;
    packed[whole] = 0;
    for (size_t i = 0; i < count % MARKS_PER_BYTE; i++)
        packed[whole] |= (uint8_t)(marks[i] << (2 * i));
}

enum status values_marks(struct values *values, const struct piece *piece, uint64_t first, size_t count,
                         uint8_t *marks)
{
    while (count > 0) {
        uint64_t in_chunk = first % CHUNK_POSITIONS;
        const uint8_t *packed = load(values, piece, (uint32_t)(first >> CHUNK_BITS));
        if (!packed)
            return values->status;
        size_t run = count < CHUNK_POSITIONS - in_chunk ? count : (size_t)(CHUNK_POSITIONS - in_chunk);
        for (size_t i = 0; i < run; i++)
            marks[i] = unpacked(packed, in_chunk + i);
        marks += run;
        first += run;
        count -= run;
    }
    return STATUS_OK;
}

/* -- Look-up -------------------------------------------------------------------------------------------- */

static struct memo *memo_for(struct values *values, const struct position *position, int own_kings,
                             int opponent_kings)
{
    uint64_t hash = position->own_men * UINT64_C(0x9e3779b97f4a7c15) ^
                    position->opponent_men * UINT64_C(0xc2b2ae3d27d4eb4f) ^
                    (uint64_t)(own_kings * 16 + opponent_kings) * UINT64_C(0x165667b19e3779f9);
    return &values->memos[hash >> (64 - MEMO_BITS)];
}

/* The piece of the placement of men, from the view of own, whose opponent is to move. */
static enum status fill_memo(struct values *values, const struct position *position, struct memo *memo)
{
    const struct plan *plan = values->plan;
    const struct board *board = plan->variant->rules.board;
    struct slice to_move = slice_mirror(slice_of(position));
    int32_t found = plan_find(plan, to_move);
    if (found < 0)
        return STATUS_NO_TABLE;
    uint32_t pair = (uint32_t)found / 2;
    const struct slice_pair *slices = plan->pairs[pair];
    struct place place = slice_pair_place(slices, found & 1, board_turned(board, position->opponent_men),
                                          board_turned(board, position->own_men));
    const struct cell_layout *layout = &plan->layouts[pair].cells[place.cell];
    uint32_t number = (uint32_t)(place.men >> layout->unit_bits);
    memo->own_men = position->own_men;
    memo->opponent_men = position->opponent_men;
    memo->own_kings = to_move.opponent_kings;
    memo->opponent_kings = to_move.own_kings;
    memo->pair = pair;
    memo->piece = layout_piece(&plan->layouts[pair], pair, place.cell, number);
    memo->layout = layout;
    memo->base = ((place.men - memo->piece.first_men) * layout->sides + (uint64_t)place.side) * slices->kings;
    memo->placements = numbering_opponent_placements(board, to_move);
    memo->packed = NULL;
    memo->generation = values->generation;
    memo->valid = true;
    return STATUS_OK;
}

static enum value fail(struct values *values, enum status status)
{
    if (values->status == STATUS_OK)
        values->status = status;
    return DRAW;
}

/* A memo's own pointer serves until a chunk is dropped; then every memo asks, and marks its chunk as used. */
static const uint8_t *chunk_of(struct values *values, struct memo *memo, uint64_t place)
{
    if (memo->packed && memo->generation == values->generation)
        return memo->packed;
    const uint8_t *packed = load(values, &memo->piece, (uint32_t)(place >> CHUNK_BITS));
    memo->packed = memo->layout->chunks_per_piece == 1 ? packed : NULL;
    memo->generation = values->generation;
    return packed;
}

enum value values_after(struct values *values, const struct position *position)
{
    if (!position_opponent(position))
        return LOSS;
    int own_kings = bits_count(position->own_kings);
    int opponent_kings = bits_count(position->opponent_kings);
    struct memo *memo = memo_for(values, position, own_kings, opponent_kings);
    if (!memo->valid || memo->own_men != position->own_men || memo->opponent_men != position->opponent_men ||
        memo->own_kings != own_kings || memo->opponent_kings != opponent_kings) {
        enum status status = fill_memo(values, position, memo);
        if (status != STATUS_OK) {
            memo->valid = false;
            return fail(values, status);
        }
    }
    uint64_t free =
        board_all(values->plan->variant->rules.board) & ~(position->own_men | position->opponent_men);
    uint64_t place = memo->base +
                     combination_number_turned(free, position->opponent_kings) * memo->placements +
                     combination_number_turned(free & ~position->opponent_kings, position->own_kings);
    const uint8_t *packed = chunk_of(values, memo, place);
    if (!packed)
        return DRAW;
    uint8_t mark = unpacked(packed, place % CHUNK_POSITIONS);
    return mark == MARK_HOLE ? fail(values, STATUS_DAMAGED) : value_of_mark(mark);
}

enum status values_status(const struct values *values)
{
    return values->status;
}

size_t values_held(const struct values *values)
{
    return values->held;
}
