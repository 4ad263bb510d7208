/* The rule table: one row a variant, and the list of the rows. A new variant whose rules are combinations of
 * these is a new row here and nothing else. docs/rules.md says in words what each row decides and why; after
 * a change here it is made anew by `damaprobe rules --markdown`. */
#ifndef INDEX_VARIANTS_H
#define INDEX_VARIANTS_H

#include "variant.h"

/* One name a line: the Makefile reads this list to compile moves.c once for each. */
#define VARIANTS(ROW)                                                                                        \
    ROW(italian)                                                                                             \
    ROW(portuguese)                                                                                          \
    ROW(turkish)                                                                                             \
    ROW(damii)                                                                                               \
    ROW(spanish)                                                                                             \
    ROW(international)                                                                                       \
    ROW(brazilian)                                                                                           \
    ROW(russian)                                                                                             \
    ROW(pool)                                                                                                \
    ROW(english)                                                                                             \
    ROW(czech)                                                                                               \
    ROW(triestina)                                                                                           \
    ROW(damii_king)                                                                                          \
    ROW(damii_stop)                                                                                          \
    ROW(damii_must)                                                                                          \
    ROW(turkish_tudaf)                                                                                       \
    ROW(italian_first)

#define FORWARD_DIAGONAL (1 << UP_LEFT | 1 << UP_RIGHT)
#define FORWARD_AND_SIDEWAYS (1 << LEFT | 1 << UP | 1 << RIGHT)
#define ALL_DIRECTIONS 15

/* The source of rows that have a game as its federations publish it. */
#define PUBLISHED_RULES                                                                                      \
    "The game's published rules; the published counts of move sequences from the start "                     \
    "confirm the moves. Federations' draw counters differ, so there is no limit and a "                      \
    "value is the theoretical one; captures and moves of men are progress."

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
        .source = "The description of Italian dama that Damabase was written from, limit of 40 moves "       \
                  "by each side included. The last rung is read as comparing the whole order of the "        \
                  "pieces taken; `italian-first` is the other reading.",                                     \
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
        .source = "The description of Portuguese damas that Damabase was written from, limit "               \
                  "included: captures alone set the count to zero, and 20 moves by each side make a "        \
                  "draw. At equal number of pieces the most kings decide, whoever takes them.",              \
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
        .source = "The description of Turkish dama that Damabase was written from. Pieces taken leave "      \
                  "at once, and no piece turns straight back, a man just crowned no more than a king. "      \
                  "King against man is decided as it says; all else, king against king and man "             \
                  "against man among it, is played on. `turkish-tudaf` is the other reading of that "        \
                  "end. The description is silent on a draw limit, so there is none; sideways steps "        \
                  "can be undone, so they are no progress.",                                                 \
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
        .source = "The description of Damii that Damabase was written from: any complete capture may "       \
                  "be chosen, also a shorter one, and a king lands where it likes. `damii-king` and "        \
                  "`damii-stop` read differently what a man does on the last row inside a capture, "         \
                  "`damii-must` where a king lands. The description is silent on a draw limit, and "         \
                  "the game's draws need no count, so there is none. There is no official GameType; "        \
                  "number 60 is Damabase's own.",                                                            \
    }

#define RULES_OF_spanish                                                                                     \
    {                                                                                                        \
        .name = "spanish", .board = &board_8x8_diagonal, .lower_left_played = false,                         \
        .man_steps = FORWARD_DIAGONAL, .man_takes = FORWARD_DIAGONAL, .flying = true,                        \
        .landing = LANDING_ANY, .man_takes_king = true, .gone_now = false, .may_turn = true,                 \
        .crowned = CROWNED_STOP, .choice = MOST_PIECES | MOST_KINGS, .special_end = NO_SPECIAL_END,          \
        .man_first_row = 0, .zeroing = ZEROED_BY_FORWARD_STEPS, .limit = 0,                                  \
        .names = NUMBERS_FROM_BOTTOM_RIGHT, .black_begins = false, .start_first_row = 0, .start_rows = 3,    \
        .capture_sign = 'x', .game_type = "24,W,8,8,N1,1", .lender = "portuguese",                           \
        .summary = "8x8, as portuguese, without a draw limit",                                               \
        .source = "The moves are those of `portuguese`, confirmed by the published counts of move "          \
                  "sequences, which are the same for both. Federations' draw counters differ, so "           \
                  "there is no limit and a value is the theoretical one; captures and moves of men "         \
                  "are progress.",                                                                           \
    }

#define RULES_OF_international                                                                               \
    {                                                                                                        \
        .name = "international", .board = &board_10x10_diagonal, .lower_left_played = true,                  \
        .man_steps = FORWARD_DIAGONAL, .man_takes = ALL_DIRECTIONS, .flying = true, .landing = LANDING_ANY,  \
        .man_takes_king = true, .gone_now = false, .may_turn = true, .crowned = CROWNED_PASS,                \
        .choice = MOST_PIECES, .special_end = NO_SPECIAL_END, .man_first_row = 0,                            \
        .zeroing = ZEROED_BY_FORWARD_STEPS, .limit = 0, .names = NUMBERS_FROM_TOP_LEFT,                      \
        .black_begins = false, .start_first_row = 0, .start_rows = 4, .capture_sign = 'x',                   \
        .game_type = "20,W,10,10,N2,0",                                                                      \
        .summary = "10x10, flying kings, men take forward and backward; most pieces",                        \
        .source = PUBLISHED_RULES,                                                                           \
    }

#define RULES_OF_brazilian                                                                                   \
    {                                                                                                        \
        .name = "brazilian", .board = &board_8x8_diagonal, .lower_left_played = true,                        \
        .man_steps = FORWARD_DIAGONAL, .man_takes = ALL_DIRECTIONS, .flying = true, .landing = LANDING_ANY,  \
        .man_takes_king = true, .gone_now = false, .may_turn = true, .crowned = CROWNED_PASS,                \
        .choice = MOST_PIECES, .special_end = NO_SPECIAL_END, .man_first_row = 0,                            \
        .zeroing = ZEROED_BY_FORWARD_STEPS, .limit = 0, .names = ALGEBRAIC, .black_begins = false,           \
        .start_first_row = 0, .start_rows = 3, .capture_sign = ':', .game_type = "26,W,8,8,A0,0",            \
        .summary = "8x8, as international", .source = PUBLISHED_RULES,                                       \
    }

#define RULES_OF_russian                                                                                     \
    {                                                                                                        \
        .name = "russian", .board = &board_8x8_diagonal, .lower_left_played = true,                          \
        .man_steps = FORWARD_DIAGONAL, .man_takes = ALL_DIRECTIONS, .flying = true, .landing = LANDING_MUST, \
        .man_takes_king = true, .gone_now = false, .may_turn = true, .crowned = CROWNED_KING,                \
        .choice = CHOICE_FREE, .special_end = NO_SPECIAL_END, .man_first_row = 0,                            \
        .zeroing = ZEROED_BY_FORWARD_STEPS, .limit = 0, .names = ALGEBRAIC, .black_begins = false,           \
        .start_first_row = 0, .start_rows = 3, .capture_sign = ':', .game_type = "25,W,8,8,A0,0",            \
        .summary = "8x8, flying kings, a man goes on as a king; free choice, taking on where one can",       \
        .source = PUBLISHED_RULES,                                                                           \
    }

#define RULES_OF_pool                                                                                        \
    {                                                                                                        \
        .name = "pool", .board = &board_8x8_diagonal, .lower_left_played = true,                             \
        .man_steps = FORWARD_DIAGONAL, .man_takes = ALL_DIRECTIONS, .flying = true, .landing = LANDING_MUST, \
        .man_takes_king = true, .gone_now = false, .may_turn = true, .crowned = CROWNED_PASS,                \
        .choice = CHOICE_FREE, .special_end = NO_SPECIAL_END, .man_first_row = 0,                            \
        .zeroing = ZEROED_BY_FORWARD_STEPS, .limit = 0, .names = NUMBERS_FROM_TOP_LEFT,                      \
        .black_begins = true, .start_first_row = 0, .start_rows = 3, .capture_sign = 'x',                    \
        .game_type = "23,B,8,8,N1,0",                                                                        \
        .summary = "8x8, flying kings, men take forward and backward; free choice, taking on where one can", \
        .source = PUBLISHED_RULES " Square 1 is at the lower right of Black, who begins.",                   \
    }

#define RULES_OF_english                                                                                     \
    {                                                                                                        \
        .name = "english", .board = &board_8x8_diagonal, .lower_left_played = true,                          \
        .man_steps = FORWARD_DIAGONAL, .man_takes = FORWARD_DIAGONAL, .flying = false,                       \
        .landing = LANDING_ANY, .man_takes_king = true, .gone_now = false, .may_turn = true,                 \
        .crowned = CROWNED_STOP, .choice = CHOICE_FREE, .special_end = NO_SPECIAL_END, .man_first_row = 0,   \
        .zeroing = ZEROED_BY_FORWARD_STEPS, .limit = 0, .names = NUMBERS_FROM_TOP_LEFT,                      \
        .black_begins = true, .start_first_row = 0, .start_rows = 3, .capture_sign = 'x',                    \
        .game_type = "21,B,8,8,N1,0", .summary = "8x8, short kings; free choice of capture",                 \
        .source = PUBLISHED_RULES " Square 1 is at the lower right of Black, who begins.",                   \
    }

#define RULES_OF_czech                                                                                       \
    {                                                                                                        \
        .name = "czech", .board = &board_8x8_diagonal, .lower_left_played = true,                            \
        .man_steps = FORWARD_DIAGONAL, .man_takes = FORWARD_DIAGONAL, .flying = true,                        \
        .landing = LANDING_MUST, .man_takes_king = true, .gone_now = false, .may_turn = true,                \
        .crowned = CROWNED_STOP, .choice = BY_KING, .special_end = NO_SPECIAL_END, .man_first_row = 0,       \
        .zeroing = ZEROED_BY_FORWARD_STEPS, .limit = 0, .names = ALGEBRAIC, .black_begins = false,           \
        .start_first_row = 0, .start_rows = 3, .capture_sign = 'x', .game_type = "29,W,8,8,A0,0",            \
        .summary = "8x8, flying kings, men take forward; a king takes first, taking on where it can",        \
        .source = PUBLISHED_RULES,                                                                           \
    }

#define RULES_OF_triestina                                                                                   \
    {                                                                                                        \
        .name = "triestina", .board = &board_10x10_diagonal, .lower_left_played = false,                     \
        .man_steps = FORWARD_DIAGONAL, .man_takes = FORWARD_DIAGONAL, .flying = false,                       \
        .landing = LANDING_ANY, .man_takes_king = false, .gone_now = false, .may_turn = true,                \
        .crowned = CROWNED_STOP, .choice = MOST_PIECES | BY_KING | MOST_KINGS | KINGS_EARLIEST,              \
        .special_end = NO_SPECIAL_END, .man_first_row = 0, .zeroing = ZEROED_BY_FORWARD_STEPS, .limit = 80,  \
        .names = NUMBERS_FROM_TOP_LEFT, .black_begins = false, .start_first_row = 0, .start_rows = 4,        \
        .capture_sign = 'x', .game_type = "61,W,10,10,N2,1", .summary = "10x10, as italian",                 \
        .source = "The rules of `italian`, limit included, on the board of `damii` with its 50 "             \
                  "squares. There is no official GameType; number 61 is Damabase's own.",                    \
    }

#define RULES_OF_damii_king                                                                                  \
    {                                                                                                        \
        .name = "damii-king", .board = &board_10x10_diagonal, .lower_left_played = false,                    \
        .man_steps = FORWARD_DIAGONAL, .man_takes = ALL_DIRECTIONS, .flying = true, .landing = LANDING_ANY,  \
        .man_takes_king = true, .gone_now = false, .may_turn = true, .crowned = CROWNED_KING,                \
        .choice = CHOICE_FREE, .special_end = NO_SPECIAL_END, .man_first_row = 0,                            \
        .zeroing = ZEROED_BY_FORWARD_STEPS, .limit = 0, .names = NUMBERS_FROM_TOP_LEFT,                      \
        .black_begins = false, .start_first_row = 0, .start_rows = 4, .capture_sign = 'x',                   \
        .game_type = "60,W,10,10,N2,1",                                                                      \
        .summary = "damii, but a man that reaches the last row inside a capture goes on as a king",          \
        .source = "As `damii`, with the other reading of one rule: a man that reaches the last row "         \
                  "inside a capture is a king from there on.",                                               \
    }

#define RULES_OF_damii_stop                                                                                  \
    {                                                                                                        \
        .name = "damii-stop", .board = &board_10x10_diagonal, .lower_left_played = false,                    \
        .man_steps = FORWARD_DIAGONAL, .man_takes = ALL_DIRECTIONS, .flying = true, .landing = LANDING_ANY,  \
        .man_takes_king = true, .gone_now = false, .may_turn = true, .crowned = CROWNED_STOP,                \
        .choice = CHOICE_FREE, .special_end = NO_SPECIAL_END, .man_first_row = 0,                            \
        .zeroing = ZEROED_BY_FORWARD_STEPS, .limit = 0, .names = NUMBERS_FROM_TOP_LEFT,                      \
        .black_begins = false, .start_first_row = 0, .start_rows = 4, .capture_sign = 'x',                   \
        .game_type = "60,W,10,10,N2,1",                                                                      \
        .summary = "damii, but a man that reaches the last row inside a capture stops there",                \
        .source = "As `damii`, with the other reading of one rule: a man that reaches the last row "         \
                  "inside a capture is crowned and has ended its move.",                                     \
    }

#define RULES_OF_damii_must                                                                                  \
    {                                                                                                        \
        .name = "damii-must", .board = &board_10x10_diagonal, .lower_left_played = false,                    \
        .man_steps = FORWARD_DIAGONAL, .man_takes = ALL_DIRECTIONS, .flying = true, .landing = LANDING_MUST, \
        .man_takes_king = true, .gone_now = false, .may_turn = true, .crowned = CROWNED_PASS,                \
        .choice = CHOICE_FREE, .special_end = NO_SPECIAL_END, .man_first_row = 0,                            \
        .zeroing = ZEROED_BY_FORWARD_STEPS, .limit = 0, .names = NUMBERS_FROM_TOP_LEFT,                      \
        .black_begins = false, .start_first_row = 0, .start_rows = 4, .capture_sign = 'x',                   \
        .game_type = "60,W,10,10,N2,1",                                                                      \
        .summary = "damii, but a king lands where it can take on, if it can",                                \
        .source = "As `damii`, with the other reading of one rule: a king lands as in `russian`, "           \
                  "where it can take more if there is such a square.",                                       \
    }

#define RULES_OF_turkish_tudaf                                                                               \
    {                                                                                                        \
        .name = "turkish-tudaf", .board = &board_8x8_orthogonal, .lower_left_played = true,                  \
        .man_steps = FORWARD_AND_SIDEWAYS, .man_takes = FORWARD_AND_SIDEWAYS, .flying = true,                \
        .landing = LANDING_ANY, .man_takes_king = true, .gone_now = true, .may_turn = false,                 \
        .crowned = CROWNED_KING, .choice = MOST_PIECES, .special_end = ONE_AGAINST_ONE_DRAWS,                \
        .man_first_row = 1, .zeroing = ZEROED_BY_FORWARD_STEPS, .limit = 0, .names = ALGEBRAIC,              \
        .black_begins = false, .start_first_row = 1, .start_rows = 2, .capture_sign = 'x',                   \
        .game_type = "30,W,8,8,A0,0", .summary = "turkish, but one piece against one piece is a draw",       \
        .source = "As `turkish`, with the other reading of one rule: one piece against one piece is a "      \
                  "draw, instead of a king winning against a man.",                                          \
    }

#define RULES_OF_italian_first                                                                               \
    {                                                                                                        \
        .name = "italian-first", .board = &board_8x8_diagonal, .lower_left_played = false,                   \
        .man_steps = FORWARD_DIAGONAL, .man_takes = FORWARD_DIAGONAL, .flying = false,                       \
        .landing = LANDING_ANY, .man_takes_king = false, .gone_now = false, .may_turn = true,                \
        .crowned = CROWNED_STOP, .choice = MOST_PIECES | BY_KING | MOST_KINGS | FIRST_KING_EARLIEST,         \
        .special_end = NO_SPECIAL_END, .man_first_row = 0, .zeroing = ZEROED_BY_FORWARD_STEPS, .limit = 80,  \
        .names = NUMBERS_FROM_TOP_LEFT, .black_begins = false, .start_first_row = 0, .start_rows = 3,        \
        .capture_sign = 'x', .game_type = "22,W,8,8,N2,1",                                                   \
        .summary = "italian, but the last rung looks at the first captured king only",                       \
        .source = "As `italian`, with the other reading of one rule: the last rung looks at the first "      \
                  "king taken only, not at the whole order.",                                                \
    }

#endif
