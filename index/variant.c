/* The table of variants and what follows from a row: where men stand, the start, names of squares. */
#include "variants.h"

#include <string.h>

#define DECLARE_MOVES(id) extern const struct move_functions moves_of_##id;
VARIANTS(DECLARE_MOVES)

#define DEFINE_VARIANT(id)                                                                                   \
    static const struct variant variant_##id = {.rules = RULES_OF_##id, .moves = &moves_of_##id};
VARIANTS(DEFINE_VARIANT)

#define POINT_TO_VARIANT(id) &variant_##id,
const struct variant *const variant_table[] = {VARIANTS(POINT_TO_VARIANT)};
const size_t variant_count = sizeof variant_table / sizeof variant_table[0];

const struct variant *variant_named(const char *name)
{
    for (size_t i = 0; i < variant_count; i++)
        if (strcmp(variant_table[i]->rules.name, name) == 0)
            return variant_table[i];
    return NULL;
}

/* FNV-1a, one byte at a time: the fields are few and the result must never change.
 * Source: Fowler, Noll, Vo; 64-bit offset basis and prime as published. */
static uint64_t mixed(uint64_t hash, uint64_t field)
{
    for (int byte = 0; byte < 8; byte++) {
        hash ^= (field >> (8 * byte)) & 255;
        hash *= UINT64_C(0x100000001b3);
    }
    return hash;
}

uint64_t variant_fingerprint(const struct variant *variant)
{
    const struct rules *rules = &variant->rules;
    const uint64_t fields[] = {
        rules->board->squares, rules->board->orthogonal, rules->man_steps,      rules->man_takes,
        rules->flying,         rules->landing,           rules->man_takes_king, rules->gone_now,
        rules->may_turn,       rules->crowned,           rules->choice,         rules->special_end,
        rules->man_first_row,  rules->zeroing,           rules->limit,
    };
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        hash = mixed(hash, fields[i]);
    return hash;
}

uint64_t variant_own_men_squares(const struct variant *variant)
{
    uint64_t squares = 0;
    for (int row = variant_first_man_row(variant); row <= variant_last_man_row(variant); row++)
        squares |= board_row(variant->rules.board, row);
    return squares;
}

uint64_t variant_opponent_men_squares(const struct variant *variant)
{
    return board_turned(variant->rules.board, variant_own_men_squares(variant));
}

bool variant_men_step_sideways(const struct variant *variant)
{
    const struct rules *rules = &variant->rules;
    return rules->board->orthogonal && (rules->man_steps & (1 << LEFT | 1 << RIGHT));
}

/* True if no square is in two of the four sets. */
static bool disjoint(const struct position *position)
{
    return bits_count(position->own_men) + bits_count(position->own_kings) +
               bits_count(position->opponent_men) + bits_count(position->opponent_kings) ==
           bits_count(position_occupied(position));
}

const char *variant_fault(const struct variant *variant, const struct position *position)
{
    if (position_occupied(position) & ~board_all(variant->rules.board))
        return "a piece is off the board";
    if (!disjoint(position))
        return "two pieces on one square";
    if ((position->own_men & ~variant_own_men_squares(variant)) ||
        (position->opponent_men & ~variant_opponent_men_squares(variant)))
        return "a man on a row where none can stand";
    return NULL;
}

struct position variant_start(const struct variant *variant)
{
    const struct board *board = variant->rules.board;
    struct position start = {0};
    for (int row = 0; row < variant->rules.start_rows; row++)
        start.own_men |= board_row(board, variant->rules.start_first_row + row);
    start.opponent_men = board_turned(board, start.own_men);
    return start;
}

int variant_column(const struct variant *variant, int square)
{
    const struct board *board = variant->rules.board;
    int column = board_column(board, square);
    return variant->rules.lower_left_played ? column : board->columns - 1 - column;
}

int variant_square_at(const struct variant *variant, int column, int row)
{
    const struct board *board = variant->rules.board;
    if (column < 0 || column >= board->columns || row < 0 || row >= board->rows)
        return NO_SQUARE;
    if (!variant->rules.lower_left_played)
        column = board->columns - 1 - column;
    if (board->orthogonal)
        return row * board->width + column;
    return (column & 1) == (row & 1) ? row * board->width + column / 2 : NO_SQUARE;
}

int variant_square_number(const struct variant *variant, int square)
{
    const struct board *board = variant->rules.board;
    int row = square / board->width;
    int column = variant_column(variant, square);
    switch (variant->rules.names) {
    case NUMBERS_FROM_TOP_LEFT:
        return (board->rows - 1 - row) * board->width + column * board->width / board->columns + 1;
    case NUMBERS_FROM_BOTTOM_RIGHT:
        return row * board->width + board->width - column * board->width / board->columns;
    case ALGEBRAIC: break;
    }
    return column * board->squares / board->columns + row * board->width / board->columns + 1;
}

int variant_square_of_number(const struct variant *variant, int number)
{
    for (int square = 0; square < variant->rules.board->squares; square++)
        if (variant_square_number(variant, square) == number)
            return square;
    return NO_SQUARE;
}
