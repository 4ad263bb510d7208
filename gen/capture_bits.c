/* Captures of all placements of kings, remembered for the men asked for last. */
#include "capture_bits.h"

#include "combination.h"
#include "moves.h"
#include "word_captures.h"
#include "word_machine.h"

#include <stdlib.h>
#include <string.h>

struct capture_bits {
    const struct variant *variant;
    struct slice slice;
    const struct word_captures_code *code; /* null: position by position */
    struct word_captures *words;
    bool known; /* the bits are those of these men */
    uint64_t own_men;
    uint64_t opponent_men;
    size_t size; /* of the bits, in words */
    uint64_t *bits;
};

/* The code for words of positions, or null. */
static const struct word_captures_code *code_of(const struct variant *variant, struct slice slice)
{
    const struct board *board = variant->rules.board;
    if (board->orthogonal || slice.own_kings + slice.opponent_kings == 0)
        return NULL;
    return WORD_CODE(word_captures, board->squares);
}

static uint64_t placements_of(const struct board *board, struct slice slice)
{
    int free = board->squares - slice.own_men - slice.opponent_men;
    return choose[free][slice.own_kings] * choose[free - slice.own_kings][slice.opponent_kings];
}

enum status capture_bits_create(const struct variant *variant, struct slice slice,
                                struct capture_bits **captures)
{
    struct capture_bits *made = *captures = calloc(1, sizeof *made);
    if (!made)
        return STATUS_NO_MEMORY;
    made->variant = variant;
    made->slice = slice;
    made->code = code_of(variant, slice);
    made->size = (size_t)(placements_of(variant->rules.board, slice) / 64 + 2);
    made->bits = malloc(made->size * sizeof *made->bits);
    enum status status = made->bits ? STATUS_OK : STATUS_NO_MEMORY;
    if (status == STATUS_OK && made->code)
        status = made->code->create(variant, slice, &made->words);
    if (status == STATUS_OK)
        return STATUS_OK;
    capture_bits_destroy(made);
    *captures = NULL;
    return status;
}

void capture_bits_destroy(struct capture_bits *captures)
{
    if (!captures)
        return;
    if (captures->words)
        captures->code->destroy(captures->words);
    free(captures->bits);
    free(captures);
}

static void find_one_by_one(struct capture_bits *captures)
{
    struct position position = {.own_men = captures->own_men, .opponent_men = captures->opponent_men};
    uint64_t free_squares =
        board_all(captures->variant->rules.board) & ~(position.own_men | position.opponent_men);
    struct combination own;
    struct combination opponent;
    uint64_t number = 0;
    bool more = combination_begin(&own, free_squares, captures->slice.own_kings);
    for (; more; more = combination_next(&own)) {
        position.own_kings = own.set;
        bool rest = combination_begin(&opponent, free_squares & ~own.set, captures->slice.opponent_kings);
        for (; rest; rest = combination_next(&opponent), number++) {
            position.opponent_kings = opponent.set;
            if (captures->variant->moves->has_capture(&position))
                captures->bits[number / 64] |= UINT64_C(1) << (number % 64);
        }
    }
}

const uint64_t *capture_bits_find(struct capture_bits *captures, uint64_t own_men, uint64_t opponent_men)
{
    if (captures->known && captures->own_men == own_men && captures->opponent_men == opponent_men)
        return captures->bits;
    captures->known = true;
    captures->own_men = own_men;
    captures->opponent_men = opponent_men;
    memset(captures->bits, 0, captures->size * sizeof *captures->bits);
    if (captures->words)
        captures->code->find(captures->words, own_men, opponent_men, captures->bits);
    else
        find_one_by_one(captures);
    return captures->bits;
}
