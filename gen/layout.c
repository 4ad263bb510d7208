/* Pieces and chunks of a slice pair. */
#include "layout.h"

#include <stdlib.h>

static uint8_t unit_bits_of(const struct slice_pair *pair, const struct cell *cell, int sides)
{
    uint64_t unit = (uint64_t)sides * pair->kings;
    uint8_t bits = 0;
    while ((UINT64_C(1) << bits) < cell->arrangements &&
           (pair->whole_cells || (unit << bits) < PIECE_POSITIONS))
        bits++;
    return bits;
}

/* False if there would be more chunks than their numbers can count. */
static bool fill_cell(const struct slice_pair *pair, uint32_t number, struct layout *layout)
{
    const struct cell *cell = &pair->members[0]->cells[number];
    struct cell_layout *made = &layout->cells[number];
    *made = (struct cell_layout){.first_chunk = layout->chunks};
    if (!slice_pair_uses_cell(pair, number))
        return true;
    made->sides = (uint8_t)slice_pair_sides(pair, number);
    made->unit_bits = unit_bits_of(pair, cell, made->sides);
    uint64_t pieces = (cell->arrangements + (UINT64_C(1) << made->unit_bits) - 1) >> made->unit_bits;
    uint64_t most_men = cell->arrangements < (UINT64_C(1) << made->unit_bits)
                            ? cell->arrangements
                            : UINT64_C(1) << made->unit_bits;
    uint64_t chunks = (most_men * made->sides * pair->kings + CHUNK_POSITIONS - 1) >> CHUNK_BITS;
    if (chunks * pieces > UINT32_MAX - layout->chunks)
        return false;
    made->pieces = (uint32_t)pieces;
    made->chunks_per_piece = (uint32_t)chunks;
    layout->chunks += (uint32_t)(chunks * pieces);
    return true;
}

enum status layout_create(const struct slice_pair *pair, struct layout *layout)
{
    uint32_t cells = pair->members[0]->cell_count;
    *layout = (struct layout){.pair = pair, .cells = malloc(cells * sizeof *layout->cells)};
    if (!layout->cells)
        return STATUS_NO_MEMORY;
    for (uint32_t cell = 0; cell < cells; cell++) {
        if (!fill_cell(pair, cell, layout)) {
            layout_destroy(layout);
            return STATUS_TOO_MANY_PIECES;
        }
    }
    return STATUS_OK;
}

void layout_destroy(struct layout *layout)
{
    free(layout->cells);
    layout->cells = NULL;
}

struct piece layout_piece(const struct layout *layout, uint32_t pair, uint32_t cell, uint32_t number)
{
    const struct cell_layout *cell_layout = &layout->cells[cell];
    uint64_t arrangements = layout->pair->members[0]->cells[cell].arrangements;
    struct piece piece = {.pair = pair, .cell = cell, .number = number};
    piece.first_men = (uint64_t)number << cell_layout->unit_bits;
    piece.men = UINT64_C(1) << cell_layout->unit_bits;
    if (piece.men > arrangements - piece.first_men)
        piece.men = arrangements - piece.first_men;
    piece.places = piece.men * cell_layout->sides * layout->pair->kings;
    return piece;
}
