/* The rule table: one row a variant, and the list of the rows. A new variant whose rules are combinations of
 * these is a new row here and nothing else. Sources of each decision: docs/rules.md. */
#ifndef INDEX_VARIANTS_H
#define INDEX_VARIANTS_H

#include "variant.h"

/* One name a line: the Makefile reads this list to compile moves.c once for each. */
#define VARIANTS(ROW)                                                                                        \
    ROW(italian)                                                                                             \
    ROW(portuguese)                                                                                          \
    ROW(turkish)                                                                                             \
    ROW(damii)

#define FORWARD_DIAGONAL (1 << UP_LEFT | 1 << UP_RIGHT)
#define FORWARD_AND_SIDEWAYS (1 << LEFT | 1 << UP | 1 << RIGHT)
#define ALL_DIRECTIONS 15

#define RULES_OF_italian                                                                                     \
    {                                                                                                        \
        .name = "italian", .board = &board_8x8_diagonal, .lower_left_played = false,                         \
        .man_steps = FORWARD_DIAGONAL, .man_takes = FORWARD_DIAGONAL, .flying = false,                       \
        .landing = LANDING_ANY, .man_takes_king = false, .gone_now = false, .may_turn = true,                \
        .crowned = CROWNED_STOP, .choice = MOST_PIECES | BY_KING | MOST_KINGS | KINGS_EARLIEST,              \
        .special_end = NO_SPECIAL_END, .man_first_row = 0, .zeroing = ZEROED_BY_FORWARD_STEPS, .limit = 80,  \
        .names = NUMBERS_FROM_TOP_LEFT, .black_begins = false, .start_first_row = 0, .start_rows = 3,        \
        .capture_sign = 'x', .game_type = "22,W,8,8,N2,1",                                                   \
        .summary = "8x8, short kings, men never take kings; most pieces, by a king, most kings, "            \
                   "kings earliest",                                                                         \
    }

#define RULES_OF_portuguese                                                                                  \
    {                                                                                                        \
        .name = "portuguese", .board = &board_8x8_diagonal, .lower_left_played = false,                      \
        .man_steps = FORWARD_DIAGONAL, .man_takes = FORWARD_DIAGONAL, .flying = true,                        \
        .landing = LANDING_ANY, .man_takes_king = true, .gone_now = false, .may_turn = true,                 \
        .crowned = CROWNED_STOP, .choice = MOST_PIECES | MOST_KINGS, .special_end = NO_SPECIAL_END,          \
        .man_first_row = 0, .zeroing = ZEROED_BY_CAPTURES, .limit = 40, .names = NUMBERS_FROM_BOTTOM_RIGHT,  \
        .black_begins = false, .start_first_row = 0, .start_rows = 3, .capture_sign = 'x',                   \
        .game_type = "28,W,8,8,N1,1",                                                                        \
        .summary = "8x8, flying kings, men take forward; most pieces, most kings",                           \
    }

#define RULES_OF_turkish                                                                                     \
    {                                                                                                        \
        .name = "turkish", .board = &board_8x8_orthogonal, .lower_left_played = true,                        \
        .man_steps = FORWARD_AND_SIDEWAYS, .man_takes = FORWARD_AND_SIDEWAYS, .flying = true,                \
        .landing = LANDING_ANY, .man_takes_king = true, .gone_now = true, .may_turn = false,                 \
        .crowned = CROWNED_KING, .choice = MOST_PIECES, .special_end = KING_BEATS_MAN, .man_first_row = 1,   \
        .zeroing = ZEROED_BY_FORWARD_STEPS, .limit = 0, .names = ALGEBRAIC, .black_begins = false,           \
        .start_first_row = 1, .start_rows = 2, .capture_sign = 'x', .game_type = "30,W,8,8,A0,0",            \
        .summary = "8x8 orthogonal, flying kings, victims leave at once, no turning back; most "             \
                   "pieces; king beats man",                                                                 \
    }

#define RULES_OF_damii                                                                                       \
    {                                                                                                        \
        .name = "damii", .board = &board_10x10_diagonal, .lower_left_played = false,                         \
        .man_steps = FORWARD_DIAGONAL, .man_takes = ALL_DIRECTIONS, .flying = true, .landing = LANDING_ANY,  \
        .man_takes_king = true, .gone_now = false, .may_turn = true, .crowned = CROWNED_PASS,                \
        .choice = CHOICE_FREE, .special_end = NO_SPECIAL_END, .man_first_row = 0,                            \
        .zeroing = ZEROED_BY_FORWARD_STEPS, .limit = 0, .names = NUMBERS_FROM_TOP_LEFT,                      \
        .black_begins = false, .start_first_row = 0, .start_rows = 4, .capture_sign = 'x',                   \
        .game_type = "60,W,10,10,N2,1",                                                                      \
        .summary = "10x10, flying kings, men take forward and backward; free choice of capture",             \
    }

#endif
