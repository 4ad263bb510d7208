/* Decoded chunks, and the look-up of one value by its pieces. */
#include "values.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

enum { MEMO_BITS = 9, MEMO_SIZE = 1 << MEMO_BITS };

/* A chunk begins with a byte: the bits that each of its places takes. Values take 2 where only these occur,
 * in this order, else 4; distances 8 or 16, little-endian. */
enum { CHUNK_HEAD = 1 };
static const uint8_t plain_values[4] = {LOSS, DRAW, WIN, PLACE_HOLE};

/* What there is of a place. */
enum plane { PLANE_VALUES, PLANE_DISTANCES, PLANES };

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
    uint64_t base;                 /* place in the piece of kings number 0 */
    uint64_t generation[PLANES];   /* of the cache when `packed` was taken */
    const uint8_t *packed[PLANES]; /* the only chunk of the piece, or null */
    uint64_t placements;           /* of own kings for one placement of the rest */
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
    uint8_t *packed;   /* room for a chunk on its way from the store or to it */
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
    made->packed = malloc(MOST_CHUNK_BYTES);
    bool complete = made->chunks && made->used && made->packed;
    for (uint32_t pair = 0; complete && pair < plan->pair_count; pair++) {
        made->chunks[pair] = calloc(layout_all_chunks(&plan->layouts[pair]), sizeof **made->chunks);
        made->used[pair] = calloc(layout_all_chunks(&plan->layouts[pair]), sizeof **made->used);
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
    free(values->packed);
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

/* True if so many bytes are a chunk of that many places. */
static bool chunk_is_whole(const uint8_t *packed, size_t size, uint64_t places, enum plane plane)
{
    if (size <= CHUNK_HEAD)
        return false;
    unsigned bits = packed[0];
    bool known = plane == PLANE_VALUES ? bits == 2 || bits == 4 : bits == 8 || bits == 16;
    return known && size == CHUNK_HEAD + (places * bits + 7) / 8;
}

/* Reads a chunk into memory of its own; the caller frees *packed. */
static enum status read_chunk(struct values *values, const struct piece *piece, uint32_t chunk,
                              uint64_t places, enum plane plane, uint8_t **packed, size_t *size)
{
    *packed = NULL;
    enum status status =
        store_read(values->store, piece->pair, chunk, values->packed, MOST_CHUNK_BYTES, size);
    if (status != STATUS_OK)
        return status;
    if (!chunk_is_whole(values->packed, *size, places, plane))
        return STATUS_DAMAGED;
    while (values->held + *size > values->budget && values->ring_count > 0)
        drop_one(values);
    *packed = malloc(*size);
    if (!*packed)
        return STATUS_NO_MEMORY;
    memcpy(*packed, values->packed, *size);
    return STATUS_OK;
}

/* The decoded chunk `number` of a piece; valid until the next is loaded. Null on failure. */
static const uint8_t *load(struct values *values, const struct piece *piece, uint32_t number,
                           enum plane plane)
{
    const struct layout *layout = &values->plan->layouts[piece->pair];
    uint32_t chunk = layout_chunk(&layout->cells[piece->cell], piece->number, 0) + number;
    if (plane == PLANE_DISTANCES)
        chunk = layout_distance_chunk(layout, chunk);
    uint8_t **slot = &values->chunks[piece->pair][chunk];
    values->used[piece->pair][chunk] = true;
    if (*slot)
        return *slot;
    uint8_t *packed;
    size_t size;
    enum status status =
        read_chunk(values, piece, chunk, layout_chunk_places(piece, number), plane, &packed, &size);
    if (status == STATUS_OK)
        status = enter_ring(values, piece->pair, chunk, (uint32_t)size);
    if (status != STATUS_OK) {
        free(packed);
        if (values->status == STATUS_OK)
            values->status = status;
        return NULL;
    }
    *slot = packed;
    return packed;
}

static uint8_t value_in(const uint8_t *packed, uint64_t place)
{
    const uint8_t *places = packed + CHUNK_HEAD;
    if (packed[0] == 2)
        return plain_values[(places[place / 4] >> (2 * (place % 4))) & 3];
    return (places[place / 2] >> (4 * (place % 2))) & 15;
}

static uint16_t distance_in(const uint8_t *packed, uint64_t place)
{
    const uint8_t *places = packed + CHUNK_HEAD;
    if (packed[0] == 8)
        return places[place];
    return (uint16_t)(places[2 * place] | places[2 * place + 1] << 8);
}

/* -- Packing ------------------------------------------------------------------------------------------- */

static size_t pack_plain(const uint8_t *places, size_t count, uint8_t *packed)
{
    static const uint8_t codes[PLACE_HOLE + 1] = {[LOSS] = 0, [DRAW] = 1, [WIN] = 2, [PLACE_HOLE] = 3};
    size_t size = CHUNK_HEAD + (count + 3) / 4;
    *packed = 2;
    uint8_t *byte = packed + CHUNK_HEAD;
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        *byte++ = (uint8_t)(codes[places[i]] | codes[places[i + 1]] << 2 | codes[places[i + 2]] << 4 |
                            codes[places[i + 3]] << 6);
    if (i < count)
        *byte = 0;
    for (unsigned shift = 0; i < count; i++, shift += 2)
        *byte |= (uint8_t)(codes[places[i]] << shift);
    return size;
}

static size_t pack_places(const uint8_t *places, size_t count, uint8_t *packed)
{
    bool plain = true;
    for (size_t i = 0; i < count; i++)
        plain &= !value_is_spoilt((enum value)places[i]);
    if (plain)
        return pack_plain(places, count, packed);
    size_t size = CHUNK_HEAD + (count + 1) / 2;
    memset(packed, 0, size);
    *packed = 4;
    for (size_t i = 0; i < count; i++)
        packed[CHUNK_HEAD + i / 2] |= (uint8_t)(places[i] << (4 * (i % 2)));
    return size;
}

static size_t pack_distances(const uint16_t *distances, size_t count, uint8_t *packed)
{
    uint16_t all = 0;
    for (size_t i = 0; i < count; i++)
        all |= distances[i];
    uint8_t *byte = packed + CHUNK_HEAD;
    *packed = all < 256 ? 8 : 16;
    for (size_t i = 0; i < count; i++) {
        *byte++ = (uint8_t)distances[i];
        if (all >= 256)
            *byte++ = (uint8_t)(distances[i] >> 8);
    }
    return (size_t)(byte - packed);
}

enum status values_append_chunk(struct values *values, const struct piece *piece, uint32_t number,
                                const uint8_t *places, const uint16_t *distances)
{
    const struct layout *layout = &values->plan->layouts[piece->pair];
    uint64_t first = (uint64_t)number << CHUNK_BITS;
    size_t count = (size_t)layout_chunk_places(piece, number);
    uint32_t chunk = layout_chunk(&layout->cells[piece->cell], piece->number, first);
    size_t size = pack_places(places, count, values->packed);
    enum status status = store_append(values->store, piece->pair, chunk, values->packed, size);
    if (status != STATUS_OK || !distances)
        return status;
    size = pack_distances(distances, count, values->packed);
    return store_append(values->store, piece->pair, layout_distance_chunk(layout, chunk), values->packed,
                        size);
}

enum status values_append(struct values *values, const struct piece *piece, const uint8_t *places,
                          const uint16_t *distances)
{
    enum status status = STATUS_OK;
    for (uint32_t i = 0; (uint64_t)i << CHUNK_BITS < piece->places && status == STATUS_OK; i++) {
        uint64_t first = (uint64_t)i << CHUNK_BITS;
        status = values_append_chunk(values, piece, i, places + first, distances ? distances + first : NULL);
    }
    return status;
}

/* -- Reading in order ---------------------------------------------------------------------------------- */

/* Neighbouring places of a piece that are in one chunk: `run` of them from `place` of the chunk on. */
struct stretch {
    const uint8_t *packed;
    uint64_t place;
    size_t run;
};

/* The stretch that begins at a place of the piece, of at most `most` places; packed is null after a failure.
 */
static struct stretch stretch_at(struct values *values, const struct piece *piece, uint64_t first,
                                 size_t most, enum plane plane)
{
    struct stretch stretch = {.place = first % CHUNK_POSITIONS};
    uint64_t left = CHUNK_POSITIONS - stretch.place;
    stretch.run = left < most ? (size_t)left : most;
    stretch.packed = load(values, piece, (uint32_t)(first >> CHUNK_BITS), plane);
    return stretch;
}

enum status values_places(struct values *values, const struct piece *piece, uint64_t first, size_t count,
                          uint8_t *places)
{
    while (count > 0) {
        const struct stretch stretch = stretch_at(values, piece, first, count, PLANE_VALUES);
        if (!stretch.packed)
            return values->status;
        for (size_t i = 0; i < stretch.run; i++)
            *places++ = value_in(stretch.packed, stretch.place + i);
        first += stretch.run;
        count -= stretch.run;
    }
    return STATUS_OK;
}

enum status values_distances(struct values *values, const struct piece *piece, uint64_t first, size_t count,
                             uint16_t *distances)
{
    while (count > 0) {
        const struct stretch stretch = stretch_at(values, piece, first, count, PLANE_DISTANCES);
        if (!stretch.packed)
            return values->status;
        for (size_t i = 0; i < stretch.run; i++)
            *distances++ = distance_in(stretch.packed, stretch.place + i);
        first += stretch.run;
        count -= stretch.run;
    }
    return STATUS_OK;
}

enum status values_find(const struct plan *plan, struct slice to_move, uint64_t own_men,
                        uint64_t opponent_men, struct values_block *block)
{
    int32_t found = plan_find(plan, to_move);
    if (found < 0)
        return STATUS_NO_TABLE;
    uint32_t pair = (uint32_t)found / 2;
    const struct slice_pair *slices = plan->pairs[pair];
    struct place place = slice_pair_place(slices, found & 1, own_men, opponent_men);
    const struct cell_layout *layout = &plan->layouts[pair].cells[place.cell];
    block->piece =
        layout_piece(&plan->layouts[pair], pair, place.cell, (uint32_t)(place.men >> layout->unit_bits));
    block->first =
        ((place.men - block->piece.first_men) * layout->sides + (uint64_t)place.side) * slices->kings;
    block->count = slices->kings;
    return STATUS_OK;
}

/* The even bits of a word, closed up. */
static uint64_t even_bits(uint64_t bits)
{
    bits &= UINT64_C(0x5555555555555555);
    bits = (bits | bits >> 1) & UINT64_C(0x3333333333333333);
    bits = (bits | bits >> 2) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    bits = (bits | bits >> 4) & UINT64_C(0x00ff00ff00ff00ff);
    bits = (bits | bits >> 8) & UINT64_C(0x0000ffff0000ffff);
    return (bits | bits >> 16) & UINT64_C(0x00000000ffffffff);
}

/* 2 bits each of up to 32 places; `room` bytes may be read from `places` on. */
static uint64_t codes_at(const uint8_t *places, size_t room, uint64_t place)
{
    size_t byte = (size_t)(place / 4);
    uint64_t codes = 0;
    memcpy(&codes, places + byte, byte + sizeof codes <= room ? sizeof codes : room - byte);
    codes = le64toh(codes);
    unsigned shift = 2 * (place % 4);
    if (shift == 0)
        return codes;
    return codes >> shift | (byte + 8 < room ? (uint64_t)places[byte + 8] << (64 - shift) : 0);
}

/* Puts the bits of a stretch of plain values behind those of `done` places. */
static void add_bits(const struct stretch *stretch, size_t size, uint64_t done, uint64_t *wins,
                     uint64_t *losses)
{
    for (size_t i = 0; i < stretch->run; i += 32) {
        uint64_t codes = codes_at(stretch->packed + CHUNK_HEAD, size - CHUNK_HEAD, stretch->place + i);
        uint64_t low = even_bits(codes);
        uint64_t high = even_bits(codes >> 1);
        size_t left = stretch->run - i;
        uint64_t mask = left < 32 ? (UINT64_C(1) << left) - 1 : UINT32_MAX;
        uint64_t win = high & ~low & mask;
        uint64_t loss = ~high & ~low & mask;
        uint64_t at = done + i;
        wins[at / 64] |= win << (at % 64);
        losses[at / 64] |= loss << (at % 64);
        if (at % 64 > 32) {
            wins[at / 64 + 1] |= win >> (64 - at % 64);
            losses[at / 64 + 1] |= loss >> (64 - at % 64);
        }
    }
}

/* The same for values of all five kinds. */
static void add_spoilt_bits(const struct stretch *stretch, uint64_t done, uint64_t *wins, uint64_t *losses,
                            uint64_t *spoilt)
{
    for (size_t i = 0; i < stretch->run; i++) {
        uint8_t value = value_in(stretch->packed, stretch->place + i);
        uint64_t at = done + i;
        if (value >= PLACE_HOLE)
            continue;
        wins[at / 64] |= (uint64_t)(value > DRAW) << (at % 64);
        losses[at / 64] |= (uint64_t)(value < DRAW) << (at % 64);
        spoilt[at / 64] |= (uint64_t)value_is_spoilt((enum value)value) << (at % 64);
    }
}

enum status values_bits(struct values *values, const struct values_block *block, struct value_bits *bits)
{
    size_t words = (size_t)((block->count + 63) / 64) + 1;
    memset(bits->wins, 0, words * sizeof *bits->wins);
    memset(bits->losses, 0, words * sizeof *bits->losses);
    if (bits->spoilt)
        memset(bits->spoilt, 0, words * sizeof *bits->spoilt);
    bits->any_spoilt = false;
    for (uint64_t done = 0; done < block->count;) {
        uint64_t first = block->first + done;
        const struct stretch stretch =
            stretch_at(values, &block->piece, first, (size_t)(block->count - done), PLANE_VALUES);
        if (!stretch.packed)
            return values->status;
        uint64_t places = layout_chunk_places(&block->piece, (uint32_t)(first >> CHUNK_BITS));
        bool plain = stretch.packed[0] == 2;
        bits->any_spoilt |= !plain;
        if (plain)
            add_bits(&stretch, CHUNK_HEAD + (places + 3) / 4, done, bits->wins, bits->losses);
        else if (bits->spoilt)
            add_spoilt_bits(&stretch, done, bits->wins, bits->losses, bits->spoilt);
        done += stretch.run;
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
    struct values_block block;
    enum status status = values_find(plan, to_move, board_turned(board, position->opponent_men),
                                     board_turned(board, position->own_men), &block);
    if (status != STATUS_OK)
        return status;
    memo->own_men = position->own_men;
    memo->opponent_men = position->opponent_men;
    memo->own_kings = to_move.opponent_kings;
    memo->opponent_kings = to_move.own_kings;
    memo->pair = block.piece.pair;
    memo->piece = block.piece;
    memo->layout = &plan->layouts[block.piece.pair].cells[block.piece.cell];
    memo->base = block.first;
    memo->placements = numbering_opponent_placements(board, to_move);
    memo->packed[PLANE_VALUES] = memo->packed[PLANE_DISTANCES] = NULL;
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
static const uint8_t *chunk_of(struct values *values, struct memo *memo, uint64_t place, enum plane plane)
{
    if (memo->packed[plane] && memo->generation[plane] == values->generation)
        return memo->packed[plane];
    const uint8_t *packed = load(values, &memo->piece, (uint32_t)(place >> CHUNK_BITS), plane);
    memo->packed[plane] = memo->layout->chunks_per_piece == 1 ? packed : NULL;
    memo->generation[plane] = values->generation;
    return packed;
}

/* The memo of the position's men and pieces, or null after a failure. */
static struct memo *memo_of(struct values *values, const struct position *position)
{
    int own_kings = bits_count(position->own_kings);
    int opponent_kings = bits_count(position->opponent_kings);
    struct memo *memo = memo_for(values, position, own_kings, opponent_kings);
    if (memo->valid && memo->own_men == position->own_men && memo->opponent_men == position->opponent_men &&
        memo->own_kings == own_kings && memo->opponent_kings == opponent_kings)
        return memo;
    enum status status = fill_memo(values, position, memo);
    if (status == STATUS_OK)
        return memo;
    memo->valid = false;
    fail(values, status);
    return NULL;
}

static uint64_t place_of(const struct values *values, const struct memo *memo,
                         const struct position *position)
{
    uint64_t free =
        board_all(values->plan->variant->rules.board) & ~(position->own_men | position->opponent_men);
    return memo->base + combination_number_turned(free, position->opponent_kings) * memo->placements +
           combination_number_turned(free & ~position->opponent_kings, position->own_kings);
}

static inline enum value value_at(struct values *values, struct memo *memo, uint64_t place)
{
    const uint8_t *packed = chunk_of(values, memo, place, PLANE_VALUES);
    if (!packed)
        return DRAW;
    uint8_t value = value_in(packed, place % CHUNK_POSITIONS);
    return value >= PLACE_HOLE ? fail(values, STATUS_DAMAGED) : (enum value)value;
}

enum value values_after(struct values *values, const struct position *position)
{
    if (!position_opponent(position))
        return LOSS;
    struct memo *memo = memo_of(values, position);
    return memo ? value_at(values, memo, place_of(values, memo, position)) : DRAW;
}

enum value values_distance_after(struct values *values, const struct position *position, uint32_t *distance)
{
    *distance = 0;
    if (!position_opponent(position))
        return LOSS;
    struct memo *memo = memo_of(values, position);
    if (!memo)
        return DRAW;
    uint64_t place = place_of(values, memo, position);
    enum value value = value_at(values, memo, place);
    const uint8_t *packed = value == DRAW ? NULL : chunk_of(values, memo, place, PLANE_DISTANCES);
    if (packed)
        *distance = distance_in(packed, place % CHUNK_POSITIONS);
    return value;
}

enum status values_status(const struct values *values)
{
    return values->status;
}

size_t values_held(const struct values *values)
{
    return values->held;
}
