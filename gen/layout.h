/* How the values of a slice pair are cut into pieces of work and into chunks of storage.
 * It depends on the pair alone, never on ranks or memory. The places of a cell are numbered
 * (men * sides + side) * kings placements + number of the kings; a piece is 2^k neighbouring units, a chunk
 * at most CHUNK_POSITIONS of a piece. */
#ifndef GEN_LAYOUT_H
#define GEN_LAYOUT_H

#include "pair.h"

enum {
    PIECE_POSITIONS = 1 << 14, /* units are batched to at least about this many */
    CHUNK_BITS = 20,
    CHUNK_POSITIONS = 1 << CHUNK_BITS,
    MOST_CHUNK_BYTES = 1 + 2 * CHUNK_POSITIONS /* of one in the work store, not compressed */
};

struct cell_layout {
    uint32_t first_chunk; /* of the pair */
    uint32_t pieces;      /* 0 for cells that are not used */
    uint32_t chunks_per_piece;
    uint8_t unit_bits; /* log2 of placements of men in a piece */
    uint8_t sides;
};

struct layout {
    const struct slice_pair *pair; /* not owned */
    uint32_t chunks;               /* of values; as many of distances follow them in the work store */
    struct cell_layout *cells;
};

/* A piece of work: some units of one cell of one pair. */
struct piece {
    uint32_t pair; /* number of the pair in the plan */
    uint32_t cell;
    uint32_t number;    /* of the piece in its cell */
    uint64_t first_men; /* placements of men: first, and how many */
    uint64_t men;
    uint64_t places; /* bytes of the solver's result: men * sides * kings */
};

enum status layout_create(const struct slice_pair *pair, struct layout *layout);
void layout_destroy(struct layout *layout);

/* Piece `number` of a cell; `pair` is put into it as it is. */
struct piece layout_piece(const struct layout *layout, uint32_t pair, uint32_t cell, uint32_t number);

static inline bool piece_equal(const struct piece *one, const struct piece *other)
{
    return one->pair == other->pair && one->cell == other->cell && one->number == other->number;
}

/* Chunk and place within it of place `offset` of piece `number`. */
static inline uint32_t layout_chunk(const struct cell_layout *cell, uint32_t number, uint64_t offset)
{
    return cell->first_chunk + number * cell->chunks_per_piece + (uint32_t)(offset >> CHUNK_BITS);
}

/* The distances of the places whose values are in a chunk are in this one. */
static inline uint32_t layout_distance_chunk(const struct layout *layout, uint32_t chunk)
{
    return layout->chunks + chunk;
}

static inline uint32_t layout_all_chunks(const struct layout *layout)
{
    return 2 * layout->chunks;
}

/* Places in chunk `i` of a piece. */
static inline uint64_t layout_chunk_places(const struct piece *piece, uint32_t i)
{
    uint64_t before = (uint64_t)i << CHUNK_BITS;
    uint64_t left = piece->places - before;
    return left < CHUNK_POSITIONS ? left : CHUNK_POSITIONS;
}

#endif
