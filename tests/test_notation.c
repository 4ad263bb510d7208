/* Tests of notation: names of squares, FEN, moves as text. Moves are compared with the slow reference, so
 * that names and paths have a second opinion; the legality of moves has its own tests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "capture_path.h"
#include "notation.h"
#include "slow_rules.h"

static struct move_list legal;
static struct move_paths paths;

static const struct variant *variant_of(const char *name)
{
    const struct variant *variant = variant_named(name);
    if (!variant)
        fail_msg("there is no variant %s", name);
    return variant;
}

static struct position turned_for(const struct variant *variant, const struct position *position, bool turn)
{
    return turn ? position_turned(variant->rules.board, position) : *position;
}

/* Reads a FEN that has to be good and lists its moves. */
static bool list_moves(const struct variant *variant, const char *fen, struct position *own_view)
{
    struct position white_view;
    bool black;
    char message[FEN_MESSAGE_SIZE] = "";
    if (fen_read(variant, fen, &white_view, &black, message) != STATUS_OK)
        fail_msg("%s %s: %s", variant->rules.name, fen, message);
    *own_view = turned_for(variant, &white_view, black);
    assert_int_equal(moves_sorted(variant, own_view, black, &legal, &paths), STATUS_OK);
    return black;
}

/* -- Random positions -------------------------------------------------------------------------------------
 */

static uint64_t random_state;

static unsigned random_below(unsigned limit)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(random_state >> 33) % limit;
}

/* Puts up to `most` pieces of both sides anywhere they can stand, at least one in all. */
static struct position random_position(const struct variant *variant, unsigned most)
{
    struct position position = {0};
    unsigned pieces = 1 + random_below(most);
    while (pieces > 0) {
        uint64_t square = bit_of((int)random_below(variant->rules.board->squares));
        if (position_occupied(&position) & square)
            continue;
        pieces--;
        bool own = random_below(2);
        bool king = random_below(3) == 0;
        uint64_t for_men = own ? variant_own_men_squares(variant) : variant_opponent_men_squares(variant);
        if (!(for_men & square))
            king = true;
        if (own)
            *(king ? &position.own_kings : &position.own_men) |= square;
        else
            *(king ? &position.opponent_kings : &position.opponent_men) |= square;
    }
    return position;
}

/* -- Names of squares ---------------------------------------------------------------------------------------
 */

struct corner {
    const char *variant;
    char column; /* as White sees the board: a is left, 1 is near */
    int row;
    const char *name;
};

static const struct corner corners[] = {
    {"italian", 'a', 8, "1"},     {"italian", 'g', 8, "4"},     {"italian", 'h', 1, "32"},
    {"italian", 'b', 1, "29"},    {"portuguese", 'h', 1, "1"},  {"portuguese", 'b', 1, "4"},
    {"portuguese", 'a', 8, "32"}, {"portuguese", 'g', 8, "29"}, {"damii", 'a', 10, "1"},
    {"damii", 'j', 1, "50"},      {"damii", 'b', 1, "46"},      {"turkish", 'a', 1, "a1"},
    {"turkish", 'h', 8, "h8"},    {"turkish", 'd', 5, "d5"},
};

static void test_corners_have_their_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof corners / sizeof corners[0]; i++) {
        const struct variant *variant = variant_of(corners[i].variant);
        char name[SQUARE_NAME_SIZE];
        int square = variant_square_at(variant, corners[i].column - 'a', corners[i].row - 1);
        assert_int_not_equal(square, NO_SQUARE);
        assert_int_equal(square_write(variant, square, name), strlen(corners[i].name));
        assert_string_equal(name, corners[i].name);
    }
}

static void test_every_name_is_read_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < variant_count; i++) {
        uint64_t seen = 0;
        for (int square = 0; square < variant_table[i]->rules.board->squares; square++) {
            char name[SQUARE_NAME_SIZE];
            int read;
            int length = square_write(variant_table[i], square, name);
            assert_int_equal(square_read(variant_table[i], name, &read), length);
            assert_int_equal(read, square);
            assert_int_not_equal(square_numbered(variant_table[i], square + 1), NO_SQUARE);
            seen |= bit_of(square_numbered(variant_table[i], square + 1));
        }
        assert_true(seen == board_all(variant_table[i]->rules.board));
        assert_int_equal(square_numbered(variant_table[i], 0), NO_SQUARE);
        assert_int_equal(square_numbered(variant_table[i], variant_table[i]->rules.board->squares + 1),
                         NO_SQUARE);
    }
}

static void test_sets_are_written_in_order(void **state)
{
    (void)state;
    const struct variant *turkish = variant_of("turkish");
    char text[SQUARES_TEXT_SIZE];
    squares_write(turkish, 0, text);
    assert_string_equal(text, "-");
    squares_write(turkish, bit_of(square_numbered(turkish, 20)) | bit_of(square_numbered(turkish, 34)), text);
    assert_string_equal(text, "b5,d3");
    squares_write(turkish, board_all(turkish->rules.board), text);
    assert_int_equal(strlen(text), 64 * 3 - 1);
}

/* -- Reading FEN --------------------------------------------------------------------------------------------
 */

struct good_fen {
    const char *variant;
    const char *text;
    const char *written;
};

static const struct good_fen good_fens[] = {
    /* either order: the colours stay with their lists */
    {"italian", "B:B1:WK32", "B:WK32:B1"},
    {"italian", "W:B1:WK32", "W:WK32:B1"},
    /* squares in any order are written ascending, kings among men */
    {"italian", "W:W27,K20:B22,13,K15", "W:WK20,27:B13,K15,22"},
    {"turkish", "W:WKd1:Bf3,d3,b5,a4", "W:WKd1:Ba4,b5,d3,f3"},
    {"damii", "W:W10,9,50,K5:B41", "W:WK5,9,10,50:B41"},
    /* blanks */
    {"italian", " W : W K 20 , 27 : B 13 ", "W:WK20,27:B13"},
    {"italian", "\tW:W21:B5\r\n", "W:W21:B5"},
    {"italian", "W:W21 - 24:B5", "W:W21,22,23,24:B5"},
    {"turkish", "W : W K d1 : B a4 , b5", "W:WKd1:Ba4,b5"},
    /* final dot */
    {"italian", "W:W21:B5.", "W:W21:B5"},
    {"italian", "W:W21:B5 .", "W:W21:B5"},
    {"turkish", "W:Wd2:Bd7.", "W:Wd2:Bd7"},
    /* ranges; K covers all of one */
    {"italian", "W:W21-24:B5-8", "W:W21,22,23,24:B5,6,7,8"},
    {"italian", "W:W21-24,K1-3,18:B5-5", "W:WK1,K2,K3,18,21,22,23,24:B5"},
    {"damii", "B:W31-35:B1-3,K50", "B:W31,32,33,34,35:B1,2,3,K50"},
    /* lower case */
    {"italian", "w:wk20,27:b13,k15", "W:WK20,27:B13,K15"},
    {"turkish", "w:wkd1:bA4,B5", "W:WKd1:Ba4,b5"},
    /* move counts */
    {"italian", "W:W21:B5:H0:F1", "W:W21:B5"},
    {"italian", "W:W21:B5:H12:F30.", "W:W21:B5"},
    {"italian", "W:W21:B5:F7", "W:W21:B5"},
    {"italian", "W:W21:B5:h7", "W:W21:B5"},
    {"turkish", "W:Wh2:Bh7:H1:F2", "W:Wh2:Bh7"},
    /* the tag of a game file */
    {"italian", "[FEN \"W:W21:B5\"]", "W:W21:B5"},
    {"italian", "[FEN \"B:B5:W21.\"]", "B:W21:B5"},
    {"italian", " [ fen \" W:W21:B5:H0:F1 \" ] ", "W:W21:B5"},
    /* numbers in algebraic variants, counted rank by rank from a1 */
    {"turkish", "W:WK4:B25,34,20,22", "W:WKd1:Ba4,b5,d3,f3"},
    {"turkish", "W:W9-12:B49-50", "W:Wa2,b2,c2,d2:Ba7,b7"},
    {"turkish", "W:WK1-3,d4:BK64", "W:WKa1,Kb1,Kc1,d4:BKh8"},
    /* a side without pieces */
    {"italian", "W:W:BK12", "W:W:BK12"},
    {"italian", "B:WK12:B", "B:WK12:B"},
    {"italian", "B:BK12:W.", "B:W:BK12"},
    {"turkish", "[FEN \"W:W:Bh7\"]", "W:W:Bh7"},
    /* rows: men where they can just stand */
    {"italian", "W:W5,29:B4,28", "W:W5,29:B4,28"},
    {"portuguese", "W:W28,1:B32,5", "W:W1,28:B5,32"},
    {"damii", "W:W6,50:B1,45", "W:W6,50:B1,45"},
    {"turkish", "W:Wa2,h7:Ba7,h2", "W:Wa2,h7:Ba7,h2"},
};

static void test_good_fens(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good_fens / sizeof good_fens[0]; i++) {
        const struct good_fen *good = &good_fens[i];
        const struct variant *variant = variant_of(good->variant);
        struct position position;
        bool black;
        char message[FEN_MESSAGE_SIZE] = "";
        char written[FEN_SIZE];
        enum status status = fen_read(variant, good->text, &position, &black, message);
        if (status != STATUS_OK)
            fail_msg("%s %s: %s", good->variant, good->text, message);
        assert_int_equal(fen_write(variant, &position, black, written), STATUS_OK);
        assert_string_equal(written, good->written);
    }
}

/* Which list belongs to which colour, beyond what the writer gives back. */
static void test_colours_of_a_black_first_fen(void **state)
{
    (void)state;
    const struct variant *variant = variant_of("italian");
    struct position position;
    bool black = true;
    assert_int_equal(fen_read(variant, "W:BK1,5:W21", &position, &black, NULL), STATUS_OK);
    assert_false(black);
    assert_true(position.own_men == bit_of(variant_square_of_number(variant, 21)));
    assert_true(position.own_kings == 0);
    assert_true(position.opponent_men == bit_of(variant_square_of_number(variant, 5)));
    assert_true(position.opponent_kings == bit_of(variant_square_of_number(variant, 1)));
}

/* -- Malformed FEN -----------------------------------------------------------------------------------------
 */

struct bad_fen {
    const char *variant;
    const char *text;
    enum status status;
    const char *message;
};

static const struct bad_fen bad_fens[] = {
    /* the side to move */
    {"italian", "", STATUS_BAD_NOTATION, "character 1: the side to move, W or B, expected, found the end"},
    {"italian", "   ", STATUS_BAD_NOTATION, "character 4: the side to move, W or B, expected, found the end"},
    {"italian", "X:W1:B2", STATUS_BAD_NOTATION, "character 1: the side to move, W or B, expected, found 'X'"},
    {"italian", "1:W21:B5", STATUS_BAD_NOTATION,
     "character 1: the side to move, W or B, expected, found '1'"},
    {"italian", "WW:W21:B5", STATUS_BAD_NOTATION,
     "character 2: ':' and the pieces of a side expected, found 'W'"},
    {"italian", "start", STATUS_BAD_NOTATION, "character 1: the side to move, W or B, expected, found 's'"},
    {"italian", ":W21:B5", STATUS_BAD_NOTATION, "character 1: the side to move, W or B, expected, found ':'"},
    /* the first list */
    {"italian", "W", STATUS_BAD_NOTATION,
     "character 2: ':' and the pieces of a side expected, found the end"},
    {"italian", "W;W1:B2", STATUS_BAD_NOTATION,
     "character 2: ':' and the pieces of a side expected, found ';'"},
    {"italian", "W W21:B5", STATUS_BAD_NOTATION,
     "character 3: ':' and the pieces of a side expected, found 'W'"},
    {"italian", "W:", STATUS_BAD_NOTATION,
     "character 3: W or B before the pieces of a side expected, found the end"},
    {"italian", "W:X1:B2", STATUS_BAD_NOTATION,
     "character 3: W or B before the pieces of a side expected, found 'X'"},
    {"italian", "W:21:B5", STATUS_BAD_NOTATION,
     "character 3: W or B before the pieces of a side expected, found '2'"},
    {"turkish", "W:Kd1:Bh7", STATUS_BAD_NOTATION,
     "character 3: W or B before the pieces of a side expected, found 'K'"},
    /* the second list: missing, or the first again */
    {"italian", "W:W21", STATUS_BAD_NOTATION, "character 6: ':' and Black's pieces expected, found the end"},
    {"italian", "W:W21.", STATUS_BAD_NOTATION, "character 6: ':' and Black's pieces expected, found '.'"},
    {"italian", "W:W21:", STATUS_BAD_NOTATION, "character 7: B and Black's pieces expected, found the end"},
    {"italian", "W:W21:H0:F1", STATUS_BAD_NOTATION, "character 7: B and Black's pieces expected, found 'H'"},
    {"italian", "W:W21:W22", STATUS_BAD_NOTATION,
     "character 7: White's pieces are given twice, Black's are missing"},
    {"italian", "W:W21:W22:B5", STATUS_BAD_NOTATION,
     "character 7: White's pieces are given twice, Black's are missing"},
    {"italian", "W:B5", STATUS_BAD_NOTATION, "character 5: ':' and White's pieces expected, found the end"},
    {"italian", "W:B5:B6", STATUS_BAD_NOTATION,
     "character 6: Black's pieces are given twice, White's are missing"},
    {"italian", "W:B5:X", STATUS_BAD_NOTATION, "character 6: W and White's pieces expected, found 'X'"},
    {"italian", "W:W21:B5:W22", STATUS_BAD_NOTATION, "character 10: White's pieces are given twice"},
    {"italian", "W:W21:B5:b6", STATUS_BAD_NOTATION, "character 10: Black's pieces are given twice"},
    /* what stands between and after the lists */
    {"italian", "W:W21 22:B5", STATUS_BAD_NOTATION,
     "character 7: ',' or the end of the list expected, found '2'"},
    {"italian", "W:W21;22:B5", STATUS_BAD_NOTATION,
     "character 6: ',' or the end of the list expected, found ';'"},
    {"italian", "W:W21:B5 B6", STATUS_BAD_NOTATION,
     "character 10: ',' or the end of the list expected, found 'B'"},
    {"italian", "W:W21:B5:", STATUS_BAD_NOTATION,
     "character 10: H or F with a number expected, found the end"},
    {"italian", "W:W21:B5:G3", STATUS_BAD_NOTATION, "character 10: H or F with a number expected, found 'G'"},
    {"italian", "W:W21:B5:H", STATUS_BAD_NOTATION, "character 10: H or F with a number expected, found 'H'"},
    {"italian", "W:W21:B5:H:F1", STATUS_BAD_NOTATION,
     "character 10: H or F with a number expected, found 'H'"},
    {"italian", "W:W21:B5 : H 7", STATUS_BAD_NOTATION,
     "character 12: H or F with a number expected, found 'H'"},
    {"italian", "W:W21:B5:F1:H0", STATUS_BAD_NOTATION,
     "character 13: H or F with a number expected, found 'H'"},
    {"italian", "W:W21:B5:H-1", STATUS_BAD_NOTATION,
     "character 10: H or F with a number expected, found 'H'"},
    {"italian", "W:W21:B5..", STATUS_BAD_NOTATION, "character 10: the end of the text expected, found '.'"},
    {"italian", "W:W21:B5. x", STATUS_BAD_NOTATION, "character 11: the end of the text expected, found 'x'"},
    {"italian", "W:W21:B5.:H0", STATUS_BAD_NOTATION, "character 10: the end of the text expected, found ':'"},
    {"italian", "W:W21.:B5", STATUS_BAD_NOTATION, "character 6: ':' and Black's pieces expected, found '.'"},
    {"italian", "W:W21:B5\"]", STATUS_BAD_NOTATION, "character 9: the end of the text expected, found '\"'"},
    /* squares that are none */
    {"italian", "W:W21,", STATUS_BAD_NOTATION, "character 7: a square expected, found the end"},
    {"italian", "W:W21,:B5", STATUS_BAD_NOTATION, "character 7: a square expected, found ':'"},
    {"italian", "W:W21,,22:B5", STATUS_BAD_NOTATION, "character 7: a square expected, found ','"},
    {"italian", "W:W,21:B5", STATUS_BAD_NOTATION, "character 4: a square expected, found ','"},
    {"italian", "W:WK:B5", STATUS_BAD_NOTATION, "character 5: a square after K expected, found ':'"},
    {"italian", "W:WKK21:B5", STATUS_BAD_NOTATION, "character 5: a square after K expected, found 'K'"},
    {"italian", "W:WM21:B5", STATUS_BAD_NOTATION, "character 4: a square expected, found 'M'"},
    {"italian", "W:Wa1:B5", STATUS_BAD_NOTATION, "character 4: a square expected, found 'a'"},
    {"italian", "W:W-5:B5", STATUS_BAD_NOTATION, "character 4: a square expected, found '-'"},
    {"italian", "W:W+5:B5", STATUS_BAD_NOTATION, "character 4: a square expected, found '+'"},
    {"turkish", "W:Wa:Bh7", STATUS_BAD_NOTATION, "character 4: a square expected, found 'a'"},
    {"turkish", "W:W20a:Bh7", STATUS_BAD_NOTATION,
     "character 6: ',' or the end of the list expected, found 'a'"},
    {"turkish", "W:WKD1:BBa4", STATUS_BAD_NOTATION, "character 9: a square expected, found 'B'"},
    {"turkish", "W:Wa 2:Bh7", STATUS_BAD_NOTATION, "character 4: a square expected, found 'a'"},
    {"italian", "W:W21:B\xc3\xa9", STATUS_BAD_NOTATION, "character 8: a square expected, found byte 0xc3"},
    {"italian", "W:W21:B\001", STATUS_BAD_NOTATION, "character 8: a square expected, found byte 0x01"},
    /* squares off the board */
    {"italian", "W:W0:B5", STATUS_BAD_NOTATION, "character 4: there is no square 0 (1 to 32)"},
    {"italian", "W:W33:B5", STATUS_BAD_NOTATION, "character 4: there is no square 33 (1 to 32)"},
    {"italian", "W:W21:BK40", STATUS_BAD_NOTATION, "character 9: there is no square 40 (1 to 32)"},
    {"italian", "W:W21:B99999999999", STATUS_BAD_NOTATION,
     "character 8: there is no square 99999999999 (1 to 32)"},
    {"damii", "W:W51:B20", STATUS_BAD_NOTATION, "character 4: there is no square 51 (1 to 50)"},
    {"portuguese", "W:W21:B5,6,33", STATUS_BAD_NOTATION, "character 12: there is no square 33 (1 to 32)"},
    {"turkish", "W:Wi2:Bh7", STATUS_BAD_NOTATION,
     "character 4: there is no square i2 (a1 to h8, or 1 to 64)"},
    {"turkish", "W:Wa9:Bh7", STATUS_BAD_NOTATION,
     "character 4: there is no square a9 (a1 to h8, or 1 to 64)"},
    {"turkish", "W:Wa2:Bh0", STATUS_BAD_NOTATION,
     "character 8: there is no square h0 (a1 to h8, or 1 to 64)"},
    {"turkish", "W:WKa10:Bh7", STATUS_BAD_NOTATION,
     "character 5: there is no square a10 (a1 to h8, or 1 to 64)"},
    {"turkish", "W:W65:Bh7", STATUS_BAD_NOTATION,
     "character 4: there is no square 65 (a1 to h8, or 1 to 64)"},
    {"turkish", "W:W0:Bh7", STATUS_BAD_NOTATION, "character 4: there is no square 0 (a1 to h8, or 1 to 64)"},
    /* ranges */
    {"italian", "W:W5-:B6", STATUS_BAD_NOTATION,
     "character 6: the last number of a range expected, found ':'"},
    {"italian", "W:W5-40:B6", STATUS_BAD_NOTATION, "character 6: there is no square 40 (1 to 32)"},
    {"italian", "W:W0-5:B6", STATUS_BAD_NOTATION, "character 4: there is no square 0 (1 to 32)"},
    {"italian", "W:W25-21:B5", STATUS_BAD_NOTATION, "character 4: the range 25-21 runs backwards"},
    {"italian", "W:W21-a:B5", STATUS_BAD_NOTATION,
     "character 7: the last number of a range expected, found 'a'"},
    {"italian", "W:W21-22-23:B5", STATUS_BAD_NOTATION,
     "character 9: ',' or the end of the list expected, found '-'"},
    {"italian", "W:W21-K24:B5", STATUS_BAD_NOTATION,
     "character 7: the last number of a range expected, found 'K'"},
    {"turkish", "W:Wa2-a4:Bh7", STATUS_BAD_NOTATION, "character 6: a range has numbers, not letters"},
    {"turkish", "W:W9-h2:Bh7", STATUS_BAD_NOTATION,
     "character 6: the last number of a range expected, found 'h'"},
    /* the tag */
    {"italian", "[FEN \"W:W21:B5\"", STATUS_BAD_NOTATION, "character 16: ']' expected, found the end"},
    {"italian", "[FEN \"W:W21:B5]", STATUS_BAD_NOTATION,
     "character 15: ',' or the end of the list expected, found ']'"},
    {"italian", "[FEN W:W21:B5]", STATUS_BAD_NOTATION, "character 6: '\"' expected, found 'W'"},
    {"italian", "[FN \"W:W21:B5\"]", STATUS_BAD_NOTATION, "character 2: FEN after '[' expected, found 'F'"},
    {"italian", "[FEN \"W:W21:B5\"] x", STATUS_BAD_NOTATION,
     "character 18: the end of the text expected, found 'x'"},
    {"italian", "[\"W:W21:B5\"]", STATUS_BAD_NOTATION, "character 2: FEN after '[' expected, found '\"'"},
    {"italian", "[FEN \"\"]", STATUS_BAD_NOTATION,
     "character 7: the side to move, W or B, expected, found '\"'"},
    /* doubled squares */
    {"italian", "W:W21:B21", STATUS_BAD_POSITION,
     "character 8: square 21 is doubled: a White man stands there already"},
    {"italian", "W:W21,21:B5", STATUS_BAD_POSITION,
     "character 7: square 21 is doubled: a White man stands there already"},
    {"italian", "W:WK21:B5,21", STATUS_BAD_POSITION,
     "character 11: square 21 is doubled: a White king stands there already"},
    {"italian", "W:W21,K21:B5", STATUS_BAD_POSITION,
     "character 8: square 21 is doubled: a White man stands there already"},
    {"italian", "W:W21-24,22:B5", STATUS_BAD_POSITION,
     "character 10: square 22 is doubled: a White man stands there already"},
    {"italian", "W:W21,20-24:B5", STATUS_BAD_POSITION,
     "character 7: square 21 is doubled: a White man stands there already"},
    {"turkish", "W:WKd1:Ba4,Kd1", STATUS_BAD_POSITION,
     "character 13: square d1 is doubled: a White king stands there already"},
    {"turkish", "W:WK4,d1:Ba4", STATUS_BAD_POSITION,
     "character 7: square d1 is doubled: a White king stands there already"},
    /* men where none can stand */
    {"italian", "W:W1:B5", STATUS_BAD_POSITION,
     "character 4: a White man cannot stand on 1, its promotion row"},
    {"italian", "W:W21:B30", STATUS_BAD_POSITION,
     "character 8: a Black man cannot stand on 30, its promotion row"},
    {"italian", "B:B5,32:W21", STATUS_BAD_POSITION,
     "character 6: a Black man cannot stand on 32, its promotion row"},
    {"italian", "W:W4-6:B10", STATUS_BAD_POSITION,
     "character 4: a White man cannot stand on 4, its promotion row"},
    {"portuguese", "W:W29:B5", STATUS_BAD_POSITION,
     "character 4: a White man cannot stand on 29, its promotion row"},
    {"portuguese", "W:W5:B4", STATUS_BAD_POSITION,
     "character 7: a Black man cannot stand on 4, its promotion row"},
    {"damii", "W:W5:B20", STATUS_BAD_POSITION,
     "character 4: a White man cannot stand on 5, its promotion row"},
    {"damii", "W:W6:B50", STATUS_BAD_POSITION,
     "character 7: a Black man cannot stand on 50, its promotion row"},
    {"turkish", "W:Wa1:Bb5", STATUS_BAD_POSITION,
     "character 4: a White man cannot stand on a1, its own back row"},
    {"turkish", "W:Wa8:Bb5", STATUS_BAD_POSITION,
     "character 4: a White man cannot stand on a8, its promotion row"},
    {"turkish", "W:Wa2:Bb1", STATUS_BAD_POSITION,
     "character 8: a Black man cannot stand on b1, its promotion row"},
    {"turkish", "W:Wa2:Bh8", STATUS_BAD_POSITION,
     "character 8: a Black man cannot stand on h8, its own back row"},
    {"turkish", "W:W1:Bh7", STATUS_BAD_POSITION,
     "character 4: a White man cannot stand on a1, its own back row"},
    /* an empty board */
    {"italian", "W:W:B", STATUS_BAD_POSITION, "character 6: both lists of pieces are empty"},
    {"turkish", "B:B:W.", STATUS_BAD_POSITION, "character 7: both lists of pieces are empty"},
};

static void test_bad_fens(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_fens / sizeof bad_fens[0]; i++) {
        const struct bad_fen *bad = &bad_fens[i];
        struct position position = {1, 2, 4, 8};
        const struct position before = position;
        bool black = true;
        char message[FEN_MESSAGE_SIZE] = "";
        enum status status = fen_read(variant_of(bad->variant), bad->text, &position, &black, message);
        if (status != bad->status || strcmp(message, bad->message) != 0)
            fail_msg("%s %s: status %d, \"%s\"; not %d, \"%s\"", bad->variant, bad->text, (int)status,
                     message, (int)bad->status, bad->message);
        assert_memory_equal(&position, &before, sizeof position);
        assert_true(black);
        assert_int_equal(fen_read(variant_of(bad->variant), bad->text, &position, &black, NULL), bad->status);
    }
}

static void test_long_texts(void **state)
{
    (void)state;
    static const char fen[] = "W:W21:B5";
    char text[FEN_READ_LIMIT + 100];
    char message[FEN_MESSAGE_SIZE];
    struct position position;
    bool black;
    memset(text, ' ', sizeof text);
    memcpy(text, fen, strlen(fen));
    text[FEN_READ_LIMIT] = '\0';
    assert_int_equal(fen_read(variant_of("italian"), text, &position, &black, message), STATUS_OK);
    text[FEN_READ_LIMIT] = ' ';
    text[FEN_READ_LIMIT + 1] = '\0';
    assert_int_equal(fen_read(variant_of("italian"), text, &position, &black, message), STATUS_BAD_NOTATION);
    assert_string_equal(message, "character 1025: no position needs more than 1024 characters");
    /* A long run of digits is shown in part. */
    memset(text, '7', sizeof text);
    memcpy(text, "W:W", 3);
    text[1000] = '\0';
    assert_int_equal(fen_read(variant_of("italian"), text, &position, &black, message), STATUS_BAD_NOTATION);
    assert_string_equal(message, "character 4: there is no square 777777777777 (1 to 32)");
}

/* Any text is read or refused with the place; none is believed by half. */
static void test_mutilated_fens(void **state)
{
    (void)state;
    static const char letters[] = "WBKwbk:,.-[]\"FENHF 0123456789adhj\t?";
    random_state = 11;
    for (int i = 0; i < 100000; i++) {
        const struct variant *variant = variant_table[(size_t)i % variant_count];
        struct position position = random_position(variant, 8);
        bool black;
        char text[FEN_SIZE];
        char message[FEN_MESSAGE_SIZE] = "";
        assert_int_equal(fen_write(variant, &position, random_below(2), text), STATUS_OK);
        for (unsigned changes = 1 + random_below(3); changes > 0; changes--)
            text[random_below((unsigned)strlen(text) + 1)] = letters[random_below(sizeof letters)];
        text[FEN_SIZE - 1] = '\0';
        enum status status = fen_read(variant, text, &position, &black, message);
        if (status == STATUS_OK)
            assert_null(variant_fault(variant, &position));
        else
            assert_int_equal(strncmp(message, "character ", 10), 0);
        if (!text[0])
            assert_int_equal(status, STATUS_BAD_NOTATION);
    }
}

/* -- Writing FEN ----------------------------------------------------------------------------------------- */

static void test_written_fens_are_read_back(void **state)
{
    (void)state;
    random_state = 1;
    for (int i = 0; i < 40000; i++) {
        const struct variant *variant = variant_table[(size_t)i % variant_count];
        struct position position = random_position(variant, variant->rules.board->squares);
        struct position read;
        bool black = random_below(2);
        bool read_black;
        char text[FEN_SIZE];
        char again[FEN_SIZE];
        char message[FEN_MESSAGE_SIZE] = "";
        assert_int_equal(fen_write(variant, &position, black, text), STATUS_OK);
        if (fen_read(variant, text, &read, &read_black, message) != STATUS_OK)
            fail_msg("%s %s: %s", variant->rules.name, text, message);
        assert_memory_equal(&read, &position, sizeof read);
        assert_int_equal(read_black, black);
        assert_int_equal(fen_write(variant, &read, read_black, again), STATUS_OK);
        assert_string_equal(again, text);
    }
}

static void test_impossible_positions_are_not_written(void **state)
{
    (void)state;
    const struct variant *variant = variant_of("italian");
    const struct position man_on_top = {.own_men = bit_of(31)};
    const struct position doubled = {.own_men = bit_of(9), .opponent_kings = bit_of(9)};
    const struct position outside = {.own_kings = bit_of(32)};
    char text[FEN_SIZE];
    assert_int_equal(fen_write(variant, &man_on_top, false, text), STATUS_BAD_POSITION);
    assert_int_equal(fen_write(variant, &doubled, false, text), STATUS_BAD_POSITION);
    assert_int_equal(fen_write(variant, &outside, false, text), STATUS_BAD_POSITION);
}

/* -- Moves of the rules page ----------------------------------------------------------------------------- */

enum { MAX_LISTED = 4 };

struct listed_move {
    const char *text;
    const char *victims;
    bool crowned;
};

struct listed_position {
    const char *variant;
    const char *fen;
    struct listed_move moves[MAX_LISTED]; /* sorted */
};

static const struct listed_position rules_page[] = {
    {"italian", "W:WK20,27:B13,K15,22", {{"27x9", "13,22", false}}},
    {"italian", "W:WK20,27:B15,22", {{"20x11", "15", false}}},
    {"italian", "W:WK20:B15,K23", {{"20x27", "23", false}}},
    {"italian", "W:WK30:B18,K20,K26,27", {{"30x14", "18,26", false}}},
    {"italian", "W:W10:B6,7", {{"10x3", "6", true}}},
    {"italian", "W:W27:BK22", {{"27-23", "-", false}}},
    {"italian", "W:WK31:B19,20,27,28", {{"31x31", "19,20,27,28", false}}},
    {"portuguese", "W:WK19:BK12,26", {{"19x8", "12", false}}},
    {"portuguese", "W:W11:BK14,15", {{"11x18", "14", false}}},
    {"portuguese", "W:WK4:B11,27,28", {{"4x24", "11,27,28", false}}},
    {"portuguese", "W:WK4:B6,7,23,26", {{"4x2", "6,7,23,26", false}}},
    {"turkish", "W:WKd1:Ba4,b5,d3,f3", {{"d1xg3", "a4,b5,d3,f3", false}, {"d1xh3", "a4,b5,d3,f3", false}}},
    {"turkish", "W:WKe4:Be2,e6", {{"e4xe1", "e2", false}, {"e4xe7", "e6", false}, {"e4xe8", "e6", false}}},
    {"turkish",
     "W:Wd6:Bd7,Ke8,f5",
     {{"d6xf1", "d7,e8,f5", true},
      {"d6xf2", "d7,e8,f5", true},
      {"d6xf3", "d7,e8,f5", true},
      {"d6xf4", "d7,e8,f5", true}}},
    {"turkish", "W:We4:Bd4,e3", {{"e4xc4", "d4", false}}},
    {"turkish", "B:WKd4:Bd5", {{"d5xd3", "d4", false}}},
    {"damii", "W:W33:B19,27,28", {{"33x15", "19,28", false}, {"33x22", "27", false}}},
    {"damii", "W:W33:B37", {{"33x42", "37", false}}},
    {"damii", "W:W13:B8,9", {{"13x15", "8,9", false}}},
};

static void check_listed(const struct listed_position *listed)
{
    const struct variant *variant = variant_of(listed->variant);
    struct position own_view;
    bool black = list_moves(variant, listed->fen, &own_view);
    int expected = 0;
    while (expected < MAX_LISTED && listed->moves[expected].text)
        expected++;
    if (legal.count != expected)
        fail_msg("%s %s has %d moves", listed->variant, listed->fen, legal.count);
    for (int i = 0; i < expected; i++) {
        char text[MOVE_TEXT_SIZE];
        char victims[SQUARES_TEXT_SIZE];
        int index;
        assert_int_equal(move_write(variant, &legal, &paths, i, black, text), STATUS_OK);
        assert_string_equal(text, listed->moves[i].text);
        squares_write(variant,
                      black ? board_turned(variant->rules.board, legal.moves[i].taken) : legal.moves[i].taken,
                      victims);
        assert_string_equal(victims, listed->moves[i].victims);
        assert_int_equal(legal.moves[i].crowned, listed->moves[i].crowned);
        assert_int_equal(move_read(variant, &legal, &paths, black, text, &index), STATUS_OK);
        assert_int_equal(index, i);
    }
}

static void test_moves_of_the_rules_page(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rules_page / sizeof rules_page[0]; i++)
        check_listed(&rules_page[i]);
}

/* -- Reading moves --------------------------------------------------------------------------------------- */

struct read_move {
    const char *variant;
    const char *fen;
    const char *text;
    enum status status;
    const char *written; /* what the move is written as; null if there is none */
};

static const struct read_move read_moves[] = {
    /* the rules page's whole paths, some of them not the lowest */
    {"italian", "W:WK20,27:B13,K15,22", "27x18x9", STATUS_OK, "27x9"},
    {"italian", "W:WK30:B18,K20,K26,27", "30x21x14", STATUS_OK, "30x14"},
    {"italian", "W:WK31:B19,20,27,28", "31x24x15x22x31", STATUS_OK, "31x31"},
    {"italian", "W:WK31:B19,20,27,28", "31x22x15x24x31", STATUS_OK, "31x31"},
    {"portuguese", "W:WK4:B11,27,28", "4x18x31x24", STATUS_OK, "4x24"},
    {"portuguese", "W:WK4:B6,7,23,26", "4x21x30x20x2", STATUS_OK, "4x2"},
    {"turkish", "W:WKd1:Ba4,b5,d3,f3", "d1xd5xa5xa3xg3", STATUS_OK, "d1xg3"},
    {"damii", "W:W33:B19,27,28", "33x24x15", STATUS_OK, "33x15"},
    {"damii", "W:W13:B8,9", "13x4x15", STATUS_OK, "13x15"},
    /* part of a path */
    {"portuguese", "W:WK4:B6,7,23,26", "4x20x2", STATUS_OK, "4x2"},
    {"italian", "W:WK31:B19,20,27,28", "31x24x31", STATUS_OK, "31x31"},
    {"italian", "W:WK31:B19,20,27,28", "31x31", STATUS_OK, "31x31"},
    /* signs */
    {"italian", "W:W27:BK22", "27-23", STATUS_OK, "27-23"},
    {"italian", "W:W27:BK22", " 27 - 23 \n", STATUS_OK, "27-23"},
    {"italian", "W:WK20,27:B13,K15,22", "27:9", STATUS_OK, "27x9"},
    {"italian", "W:WK20,27:B13,K15,22", "27X18x9", STATUS_OK, "27x9"},
    {"italian", "W:WK20,27:B13,K15,22", "27-9", STATUS_OK, "27x9"},
    {"italian", "W:W27:BK22", "27x23", STATUS_ILLEGAL_MOVE, NULL},
    {"italian", "W:W27:BK22", "27:23", STATUS_ILLEGAL_MOVE, NULL},
    /* algebraic: with and without signs, either case */
    {"turkish", "W:WKd1:Ba4,b5,d3,f3", "d1g3", STATUS_OK, "d1xg3"},
    {"turkish", "W:WKd1:Ba4,b5,d3,f3", "d1d5a5a3h3", STATUS_OK, "d1xh3"},
    {"turkish", "W:WKd1:Ba4,b5,d3,f3", "D1XG3", STATUS_OK, "d1xg3"},
    {"turkish", "W:We4:Bd4,e3", "e4:c4", STATUS_OK, "e4xc4"},
    {"turkish", "W:We2:Bd7", "e2-e3", STATUS_OK, "e2-e3"},
    {"turkish", "W:We2:Bd7", "e2e3", STATUS_OK, "e2-e3"},
    {"turkish", "W:We2:Bd7", "e2 e3", STATUS_BAD_NOTATION, NULL},
    {"turkish", "W:We2:Bd7", "13-21", STATUS_BAD_NOTATION, NULL},
    /* promotion has no mark */
    {"italian", "W:W10:B6,7", "10x3", STATUS_OK, "10x3"},
    {"turkish", "W:Wa7:BKh1", "a7-a8", STATUS_OK, "a7-a8"},
    {"turkish", "W:Wa7:BKh1", "a7-a8K", STATUS_BAD_NOTATION, NULL},
    /* black's squares are the board's */
    {"turkish", "B:WKd4:Bd5", "d5xd3", STATUS_OK, "d5xd3"},
    {"italian", "B:W32:B1", "1-6", STATUS_ILLEGAL_MOVE, NULL},
    {"italian", "B:W32:B1", "1-5", STATUS_OK, "1-5"},
    /* several moves with the same ends */
    {"portuguese", "W:WK6:B10,12,18,21", "6x8", STATUS_AMBIGUOUS_MOVE, NULL},
    {"portuguese", "W:WK6:B10,12,18,21", "6x13x8", STATUS_OK, "6x13x22x8"},
    {"portuguese", "W:WK6:B10,12,18,21", "6x22x8", STATUS_OK, "6x13x22x8"},
    {"portuguese", "W:WK6:B10,12,18,21", "6x17x26x8", STATUS_OK, "6x17x26x8"},
    {"portuguese", "W:WK8:B10,18,19,21,29", "8x3", STATUS_AMBIGUOUS_MOVE, NULL},
    {"portuguese", "W:WK8:B10,18,19,21,29", "8x17x3", STATUS_OK, "8x26x17x3"},
    {"turkish", "W:WKa6:Bc2,c5,d6,g5,h5", "a6a2", STATUS_AMBIGUOUS_MOVE, NULL},
    {"turkish", "W:WKa6:Bc2,c5,d6,g5,h5", "a6h2a2", STATUS_OK, "a6xh6xh2xa2"},
    /* the one that takes a single piece has no longer text than the short form, so that is its own */
    {"damii", "W:WK29:B3,7,27,34,42", "29x2", STATUS_OK, "29x2"},
    {"damii", "W:WK29:B3,7,27,34,42", "29x36x2", STATUS_OK, "29x47x36x18x2"},
    {"damii", "W:WK29:B3,7,27,34,42", "29x47x36x18x2", STATUS_OK, "29x47x36x18x2"},
    /* not legal */
    {"italian", "W:W27:BK22", "27-22", STATUS_ILLEGAL_MOVE, NULL},
    {"italian", "W:W27:BK22", "1-2", STATUS_ILLEGAL_MOVE, NULL},
    {"italian", "W:WK20,27:B13,K15,22", "27x17x9", STATUS_ILLEGAL_MOVE, NULL},
    {"italian", "W:WK20,27:B13,K15,22", "27x18x9x9", STATUS_ILLEGAL_MOVE, NULL},
    {"italian", "W:WK20,27:B13,K15,22", "27x18", STATUS_ILLEGAL_MOVE, NULL},
    {"italian", "W:W:BK1", "1-5", STATUS_ILLEGAL_MOVE, NULL},
    /* no move at all */
    {"italian", "W:W27:BK22", "", STATUS_BAD_NOTATION, NULL},
    {"italian", "W:W27:BK22", "27", STATUS_BAD_NOTATION, NULL},
    {"italian", "W:W27:BK22", "27-", STATUS_BAD_NOTATION, NULL},
    {"italian", "W:W27:BK22", "-23", STATUS_BAD_NOTATION, NULL},
    {"italian", "W:W27:BK22", "27--23", STATUS_BAD_NOTATION, NULL},
    {"italian", "W:W27:BK22", "27 23", STATUS_BAD_NOTATION, NULL},
    {"italian", "W:W27:BK22", "2723", STATUS_BAD_NOTATION, NULL},
    {"italian", "W:W27:BK22", "27-33", STATUS_BAD_NOTATION, NULL},
    {"italian", "W:W27:BK22", "0-23", STATUS_BAD_NOTATION, NULL},
    {"italian", "W:W27:BK22", "27-23!", STATUS_BAD_NOTATION, NULL},
    {"italian", "W:W27:BK22", "27-23 x", STATUS_BAD_NOTATION, NULL},
    {"italian", "W:W27:BK22", "d2-e3", STATUS_BAD_NOTATION, NULL},
    {"turkish", "W:We2:Bd7", "e2e9", STATUS_BAD_NOTATION, NULL},
    {"turkish", "W:We2:Bd7", "e2i3", STATUS_BAD_NOTATION, NULL},
    {"turkish", "W:We2:Bd7", "e2e", STATUS_BAD_NOTATION, NULL},
};

static void test_reading_moves(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof read_moves / sizeof read_moves[0]; i++) {
        const struct read_move *read = &read_moves[i];
        const struct variant *variant = variant_of(read->variant);
        struct position own_view;
        bool black = list_moves(variant, read->fen, &own_view);
        int index = -1;
        char text[MOVE_TEXT_SIZE];
        enum status status = move_read(variant, &legal, &paths, black, read->text, &index);
        if (status != read->status)
            fail_msg("%s %s %s: status %d", read->variant, read->fen, read->text, (int)status);
        assert_int_equal(index < 0, read->written == NULL);
        if (!read->written)
            continue;
        assert_int_equal(move_write(variant, &legal, &paths, index, black, text), STATUS_OK);
        assert_string_equal(text, read->written);
    }
}

static void test_a_move_that_is_not_there(void **state)
{
    (void)state;
    const struct variant *variant = variant_of("italian");
    struct position own_view;
    char text[MOVE_TEXT_SIZE];
    list_moves(variant, "W:W27:BK22", &own_view);
    assert_int_equal(move_write(variant, &legal, &paths, 1, false, text), STATUS_BAD_ARGUMENT);
    assert_int_equal(move_write(variant, &legal, &paths, -1, false, text), STATUS_BAD_ARGUMENT);
}

/* A path of squares without end is refused, not stored. */
static void test_endless_move(void **state)
{
    (void)state;
    const struct variant *variant = variant_of("turkish");
    struct position own_view;
    char text[4 * MAX_PATH];
    int index;
    bool black = list_moves(variant, "W:We2:Bd7", &own_view);
    for (int i = 0; i < 2 * MAX_PATH - 2; i++)
        memcpy(text + 2 * i, i % 2 ? "e3" : "e2", 3);
    assert_int_equal(move_read(variant, &legal, &paths, black, text, &index), STATUS_BAD_NOTATION);
}

/* -- Random positions: order, identity, and the slow reference ----------------------------------------------
 */

static void check_order_and_identity(const struct variant *variant, bool black)
{
    char last[MOVE_TEXT_SIZE] = "";
    for (int i = 0; i < legal.count; i++) {
        char text[MOVE_TEXT_SIZE];
        int index;
        assert_int_equal(move_write(variant, &legal, &paths, i, black, text), STATUS_OK);
        assert_true(strcmp(last, text) < 0);
        assert_int_equal(move_read(variant, &legal, &paths, black, text, &index), STATUS_OK);
        assert_int_equal(index, i);
        strcpy(last, text);
    }
}

/* For White the generator's own path is the lowest already; the walk has to come to the same. */
static void check_lowest_paths(const struct variant *variant, const struct position *own_view)
{
    static struct move_list list;
    static struct move_paths of_generator;
    assert_int_equal(moves_legal(variant, own_view, &list, &of_generator), STATUS_OK);
    for (int i = 0; i < list.count; i++) {
        struct move_path path = of_generator.of[i];
        if (!list.moves[i].taken)
            continue;
        capture_path_lowest(variant, own_view, &list.moves[i], false, &path);
        assert_int_equal(path.length, of_generator.of[i].length);
        assert_memory_equal(path.squares, of_generator.of[i].squares, path.length);
    }
}

static void whole_path_text(const struct variant *variant, int index, bool black, char *text)
{
    const struct move_path *path = &paths.of[index];
    for (int i = 0; i < path->length; i++) {
        if (i > 0)
            *text++ = legal.moves[index].taken ? variant->rules.capture_sign : '-';
        text += square_write(variant, square_white_view(variant, path->squares[i], black), text);
    }
    *text = '\0';
}

/* The slow reference reads the FEN, has as many moves, and each of its paths is read as another move of ours.
 * In numbered variants they are the very paths; in algebraic ones it orders squares along the ranks. */
static void check_with_reference(const struct variant *variant, const char *fen, bool black)
{
    static struct slow_move_list slow;
    static bool met[MAX_MOVES];
    const struct slow_variant *reference = slow_variant_named(variant->rules.name);
    struct slow_position position;
    assert_non_null(reference);
    assert_true(slow_parse_fen(reference, fen, &position));
    assert_int_equal(slow_moves(reference, &position, &slow), legal.count);
    memset(met, 0, sizeof met);
    for (int i = 0; i < slow.count; i++) {
        char text[SLOW_TEXT];
        char ours[SLOW_TEXT];
        int index;
        slow_move_text(reference, &slow.moves[i], text);
        if (move_read(variant, &legal, &paths, black, text, &index) != STATUS_OK)
            fail_msg("%s %s %s cannot be read", variant->rules.name, fen, text);
        assert_false(met[index]);
        met[index] = true;
        whole_path_text(variant, index, black, ours);
        if (variant->rules.names != ALGEBRAIC)
            assert_string_equal(ours, text);
    }
}

static void test_moves_of_random_positions(void **state)
{
    (void)state;
    random_state = 3;
    for (int i = 0; i < 12000; i++) {
        const struct variant *variant = variant_table[(size_t)i % variant_count];
        struct position white_view = random_position(variant, 14);
        bool black = random_below(2);
        struct position own_view = turned_for(variant, &white_view, black);
        char fen[FEN_SIZE];
        assert_int_equal(fen_write(variant, &white_view, black, fen), STATUS_OK);
        assert_int_equal(moves_sorted(variant, &own_view, black, &legal, &paths), STATUS_OK);
        check_order_and_identity(variant, black);
        check_lowest_paths(variant, &own_view);
        check_with_reference(variant, fen, black);
    }
}

/* The same position for the other colour has the same moves, turned. */
static void test_black_has_the_lowest_printed_path(void **state)
{
    (void)state;
    const struct variant *variant = variant_of("italian");
    struct position own_view;
    char text[SLOW_TEXT];
    list_moves(variant, "W:WK31:B19,20,27,28", &own_view);
    whole_path_text(variant, 0, false, text);
    assert_string_equal(text, "31x22x15x24x31");
    bool black = list_moves(variant, "B:W5,6,13,14:BK2", &own_view);
    assert_int_equal(legal.count, 1);
    whole_path_text(variant, 0, black, text);
    assert_string_equal(text, "2x9x18x11x2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corners_have_their_names),
        cmocka_unit_test(test_every_name_is_read_back),
        cmocka_unit_test(test_sets_are_written_in_order),
        cmocka_unit_test(test_good_fens),
        cmocka_unit_test(test_colours_of_a_black_first_fen),
        cmocka_unit_test(test_bad_fens),
        cmocka_unit_test(test_long_texts),
        cmocka_unit_test(test_mutilated_fens),
        cmocka_unit_test(test_written_fens_are_read_back),
        cmocka_unit_test(test_impossible_positions_are_not_written),
        cmocka_unit_test(test_moves_of_the_rules_page),
        cmocka_unit_test(test_reading_moves),
        cmocka_unit_test(test_a_move_that_is_not_there),
        cmocka_unit_test(test_endless_move),
        cmocka_unit_test(test_moves_of_random_positions),
        cmocka_unit_test(test_black_has_the_lowest_printed_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
