/* Squares through two small tables; sets square by square, for there are few pieces. */
#include "convert.h"

#include "notation.h"

void squares_make(const struct variant *variant, struct squares *squares)
{
    for (int bit = 0; bit < MAX_SQUARES; bit++) /* what is off the board stays there */
        squares->bit_of_square[bit] = squares->square_of_bit[bit] = (uint8_t)bit;
    for (int bit = 0; bit < variant->rules.board->squares; bit++) {
        int square = square_numbered(variant, bit + 1);
        squares->square_of_bit[bit] = (uint8_t)square;
        squares->bit_of_square[square] = (uint8_t)bit;
    }
}

static uint64_t mapped(const uint8_t map[MAX_SQUARES], uint64_t set)
{
    uint64_t result = 0;
    for (; set; set = bits_without_lowest(set))
        result |= bit_of(map[bits_lowest(set)]);
    return result;
}

struct position white_view_of_board(const struct squares *squares, const dama_board *board)
{
    return (struct position){
        .own_men = mapped(squares->square_of_bit, board->white_men),
        .own_kings = mapped(squares->square_of_bit, board->white_kings),
        .opponent_men = mapped(squares->square_of_bit, board->black_men),
        .opponent_kings = mapped(squares->square_of_bit, board->black_kings),
    };
}

dama_board board_of_white_view(const struct squares *squares, const struct position *white_view,
                               bool black_to_move)
{
    return (dama_board){
        .white_men = mapped(squares->bit_of_square, white_view->own_men),
        .white_kings = mapped(squares->bit_of_square, white_view->own_kings),
        .black_men = mapped(squares->bit_of_square, white_view->opponent_men),
        .black_kings = mapped(squares->bit_of_square, white_view->opponent_kings),
        .black_to_move = black_to_move,
    };
}

struct position own_view(const struct variant *variant, const struct position *white_view, bool black_to_move)
{
    return black_to_move ? position_turned(variant->rules.board, white_view) : *white_view;
}

dama_move public_move(const struct variant *variant, const struct squares *squares, const struct move *move,
                      bool black_to_move)
{
    uint64_t taken = black_to_move ? board_turned(variant->rules.board, move->taken) : move->taken;
    return (dama_move){
        .taken = mapped(squares->bit_of_square, taken),
        .from = squares->bit_of_square[square_white_view(variant, move->from, black_to_move)],
        .to = squares->bit_of_square[square_white_view(variant, move->to, black_to_move)],
        .by_man = move->by_man,
        .crowned = move->crowned,
    };
}
