/*
 * Checks the slow reference and the plain solver against what the rules page states: lists of
 * legal moves, published perft counts, numbers of positions, and counts of wins, losses and draws
 * that independent programs agree on. The fast generator is not tested here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plain_solver.h"
#include "slow_rules.h"

enum { MAX_LISTED = 8, MOVE_TEXT = 2 * SLOW_TEXT };

/* ---- Legal moves of single positions ---- */

/* Moves as whole paths, "=K" if a man is crowned, victims in order. */
struct listed_position {
    const char *variant;
    const char *fen;
    const char *moves[MAX_LISTED];
};

/* The positions of the rules page. Of equal moves the one with the lowest numbers is listed. */
static const struct listed_position rules_page_positions[] = {
    {"italian", "W:WK20,27:B13,K15,22", {"27x18x9 (22,13)"}},
    {"italian", "W:WK20,27:B15,22", {"20x11 (15)"}},
    {"italian", "W:WK20:B15,K23", {"20x27 (23)"}},
    {"italian", "W:WK30:B18,K20,K26,27", {"30x21x14 (26,18)"}},
    {"italian", "W:W10:B6,7", {"10x3=K (6)"}},
    {"italian", "W:W27:BK22", {"27-23"}},
    {"italian", "W:WK31:B19,20,27,28", {"31x22x15x24x31 (27,19,20,28)"}},
    {"portuguese", "W:WK19:BK12,26", {"19x8 (12)"}},
    {"portuguese", "W:W11:BK14,15", {"11x18 (14)"}},
    {"portuguese", "W:WK4:B11,27,28", {"4x18x31x24 (11,27,28)"}},
    {"portuguese", "W:WK4:B6,7,23,26", {"4x21x30x20x2 (7,26,23,6)"}},
    {"turkish", "W:WKd1:Ba4,b5,d3,f3", {"d1xd5xa5xa3xg3 (d3,b5,a4,f3)", "d1xd5xa5xa3xh3 (d3,b5,a4,f3)"}},
    {"turkish", "W:WKe4:Be2,e6", {"e4xe1 (e2)", "e4xe7 (e6)", "e4xe8 (e6)"}},
    {"turkish",
     "W:Wd6:Bd7,Ke8,f5",
     {"d6xd8xf8xf4=K (d7,e8,f5)", "d6xd8xf8xf3=K (d7,e8,f5)", "d6xd8xf8xf2=K (d7,e8,f5)",
      "d6xd8xf8xf1=K (d7,e8,f5)"}},
    {"turkish", "W:We4:Bd4,e3", {"e4xc4 (d4)"}},
    {"turkish", "B:WKd4:Bd5", {"d5xd3 (d4)"}},
    {"damii", "W:W33:B19,27,28", {"33x22 (27)", "33x24x15 (28,19)"}},
    {"damii", "W:W33:B37", {"33x42 (37)"}},
    {"damii", "W:W13:B8,9", {"13x4x15 (8,9)"}},
};

/* Further details, worked out by hand. */
static const struct listed_position detail_positions[] = {
    /* Two kings each way, king first each way: the second victim decides. */
    {"italian", "W:WK30:B10,K12,K18,20,K26,K27", {"30x21x14x5 (26,18,10)"}},
    /* Two kings late weigh more than one king first. */
    {"italian", "W:WK30:BK10,12,K18,20,26,K27", {"30x21x14x5 (26,18,10)"}},
    /* c3 stands until the end and keeps the king from going on from a5 over d2. */
    {"brazilian", "W:WKa1:Bd2,c3,b6,d6", {"a1xe5xc7xa5 (c3,d6,b6)"}},
    /* The same with free choice, but landings on f6, g7, h8 or b8 would end the capture. */
    {"russian", "W:WKa1:Bd2,c3,b6,d6", {"a1xd4xa7 (c3,b6)", "a1xe5xc7xa5 (c3,d6,b6)"}},
    /* d4 and e5 lead to the same positions: one move, written with the lower square. */
    {"russian", "W:WKa1:Bc3,f6", {"a1xd4xg7 (c3,f6)", "a1xd4xh8 (c3,f6)"}},
    {"russian", "W:WKh8:Bc3,f6", {"h8xd4xb2 (f6,c3)", "h8xd4xa1 (f6,c3)"}},
    /* A man on the last row goes on as a king, ends its move, or ends it for want of a jump. */
    {"russian", "W:Wf6:Bb6,e7", {"f6xd8xa5=K (e7,b6)"}},
    {"brazilian", "W:Wf6:Bb6,e7", {"f6xd8=K (e7)"}},
    {"czech", "W:Wf6:Bc7,e7", {"f6xd8=K (e7)"}},
    {"brazilian", "W:Wf6:Bc7,e7", {"f6xd8xb6 (e7,c7)"}},
    {"international", "W:W12:B8,9", {"12x3x14 (8,9)"}},
    /* The king has to take, not the man; and c3 covers d4. */
    {"czech", "W:Wc3,Kh4:Bd4,g5", {"h4xf6 (g5)", "h4xe7 (g5)", "h4xd8 (g5)"}},
    /* Just crowned on d8, the king may not turn round to take d3. */
    {"turkish", "W:Wd6:Bd3,d7", {"d6xd8=K (d7)"}},
    /* A blocked side has no move. */
    {"italian", "W:W25:B18,21", {NULL}},
};

static struct slow_position position_of_fen(const struct slow_variant *variant, const char *fen)
{
    struct slow_position position;

    if (!slow_parse_fen(variant, fen, &position)) {
        fail_msg("%s does not read %s", variant->name, fen);
    }
    return position;
}

/* Writes a move as the lists above do. */
static void describe_move(const struct slow_variant *variant, const struct slow_move *move,
                          char text[MOVE_TEXT])
{
    slow_move_text(variant, move, text);
    char *end = text + strlen(text);

    if (move->crowned) {
        end += sprintf(end, "=K");
    }
    for (int i = 0; i < move->taken_count; i++) {
        char square[SLOW_SQUARE_TEXT];
        slow_square_text(variant, move->taken[i], square);
        end += sprintf(end, "%s%s", i == 0 ? " (" : ",", square);
    }
    if (move->taken_count > 0) {
        sprintf(end, ")");
    }
}

static bool is_listed(const struct listed_position *listed, const char *text)
{
    for (int i = 0; i < MAX_LISTED && listed->moves[i] != NULL; i++) {
        if (strcmp(listed->moves[i], text) == 0) {
            return true;
        }
    }
    return false;
}

static void check_listed_position(const struct listed_position *listed)
{
    const struct slow_variant *variant = slow_variant_named(listed->variant);
    struct slow_position position = position_of_fen(variant, listed->fen);
    struct slow_move_list list = {0};
    int expected = 0;

    while (expected < MAX_LISTED && listed->moves[expected] != NULL) {
        expected++;
    }
    slow_moves(variant, &position, &list);
    for (int i = 0; i < list.count; i++) {
        char text[MOVE_TEXT];
        describe_move(variant, &list.moves[i], text);
        if (!is_listed(listed, text)) {
            fail_msg("%s %s: %s is not listed", listed->variant, listed->fen, text);
        }
    }
    if (list.count != expected) {
        fail_msg("%s %s: %d moves, not %d", listed->variant, listed->fen, list.count, expected);
    }
    slow_move_list_free(&list);
}

static void test_positions_of_rules_page(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rules_page_positions / sizeof rules_page_positions[0]; i++) {
        check_listed_position(&rules_page_positions[i]);
    }
}

static void test_positions_of_details(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof detail_positions / sizeof detail_positions[0]; i++) {
        check_listed_position(&detail_positions[i]);
    }
}

/* ---- Squares, start positions, FEN ---- */

/* The square with number 1 and the one with the highest number, as cells named by letters. */
struct numbering_corner {
    const char *variant;
    int squares;
    const char *first;
    const char *last;
    const char *start; /* FEN of the start position */
};

#define MEN_1_TO_12 "1,2,3,4,5,6,7,8,9,10,11,12"
#define MEN_13_TO_20 "13,14,15,16,17,18,19,20"
#define MEN_21_TO_32 "21,22,23,24,25,26,27,28,29,30,31,32"
#define MEN_31_TO_50 "31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50"
#define FROM_TOP_8X8 ":W" MEN_21_TO_32 ":B" MEN_1_TO_12
#define FROM_BOTTOM_8X8 "W:W" MEN_1_TO_12 ":B" MEN_21_TO_32
#define FROM_TOP_10X10 "W:W" MEN_31_TO_50 ":B" MEN_1_TO_12 "," MEN_13_TO_20
#define LETTERS_8X8 "W:Wa1,a3,b2,c1,c3,d2,e1,e3,f2,g1,g3,h2:Ba7,b6,b8,c7,d6,d8,e7,f6,f8,g7,h6,h8"
#define ON_FILES(r, s)                                                                                       \
    "a" r ",a" s ",b" r ",b" s ",c" r ",c" s ",d" r ",d" s ",e" r ",e" s ",f" r ",f" s ",g" r ",g" s ",h" r  \
    ",h" s

static const struct numbering_corner corners[] = {
    {"italian", 32, "a8", "h1", "W" FROM_TOP_8X8},
    {"portuguese", 32, "h1", "a8", FROM_BOTTOM_8X8},
    {"spanish", 32, "h1", "a8", FROM_BOTTOM_8X8},
    {"turkish", 64, "a1", "h8", "W:W" ON_FILES("2", "3") ":B" ON_FILES("6", "7")},
    {"damii", 50, "a10", "j1", FROM_TOP_10X10},
    {"triestina", 50, "a10", "j1", FROM_TOP_10X10},
    {"international", 50, "b10", "i1", FROM_TOP_10X10},
    {"brazilian", 32, "a1", "h8", LETTERS_8X8},
    {"russian", 32, "a1", "h8", LETTERS_8X8},
    {"czech", 32, "a1", "h8", LETTERS_8X8},
    {"pool", 32, "b8", "g1", "B" FROM_TOP_8X8},
    {"english", 32, "b8", "g1", "B" FROM_TOP_8X8},
};

static int cell_named(const struct slow_variant *variant, const char *letters)
{
    return (atoi(letters + 1) - 1) * variant->width + (letters[0] - 'a');
}

static void check_numbering(const struct numbering_corner *corner)
{
    const struct slow_variant *variant = slow_variant_named(corner->variant);
    struct slow_position start = slow_start(variant);
    char fen[SLOW_TEXT];

    assert_int_equal(slow_square_count(variant), corner->squares);
    assert_int_equal(slow_cell_of_number(variant, 1), cell_named(variant, corner->first));
    assert_int_equal(slow_cell_of_number(variant, corner->squares), cell_named(variant, corner->last));
    assert_int_equal(slow_cell_of_number(variant, 0), -1);
    assert_int_equal(slow_cell_of_number(variant, corner->squares + 1), -1);
    for (int number = 1; number <= corner->squares; number++) {
        assert_int_equal(slow_square_number(variant, slow_cell_of_number(variant, number)), number);
    }
    slow_write_fen(variant, &start, fen);
    assert_string_equal(fen, corner->start);
    struct slow_position read = position_of_fen(variant, fen);
    assert_memory_equal(&read, &start, sizeof start);
}

static void test_squares_and_start(void **state)
{
    int variants = 0;

    (void)state;
    for (size_t i = 0; i < sizeof corners / sizeof corners[0]; i++) {
        check_numbering(&corners[i]);
    }
    while (slow_variant_at(variants) != NULL) {
        variants++;
    }
    assert_int_equal(variants, sizeof corners / sizeof corners[0]);
    assert_null(slow_variant_named("chess"));
}

static void test_fen_refused(void **state)
{
    static const char *const bad[][2] = {
        {"italian", ""},
        {"italian", "W"},
        {"italian", "X:W30:B5"},
        {"italian", "W:W30"},
        {"italian", "W:B5:W30"},
        {"italian", "W:W30:B5."},
        {"italian", "W:W30 :B5"},
        {"italian", "W:W30,:B5"},
        {"italian", "W:W,30:B5"},
        {"italian", "W:W0:B5"},
        {"italian", "W:W030:B5"},
        {"italian", "W:W33:B5"},
        {"italian", "W:W99999999999:B5"},
        {"italian", "W:W30,30:B5"},
        {"italian", "W:W30:B30"},
        {"italian", "W:W1:B5"},   /* a white man where it would be a king */
        {"italian", "W:W30:B29"}, /* a black one */
        {"turkish", "W:Wa8:Bb5"},
        {"turkish", "W:Wa1:Bb5"}, /* its own back row, where it can never come */
        {"turkish", "W:Wa3:Bb8"},
        {"turkish", "W:Wa:Bb5"},
        {"turkish", "W:Wi3:Bb5"},
        {"turkish", "W:Wa9:Bb5"},
        {"turkish", "W:W12:Bb5"},
        {"russian", "W:Wa2:Bb6"}, /* not a played square */
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct slow_position position;
        if (slow_parse_fen(slow_variant_named(bad[i][0]), bad[i][1], &position)) {
            fail_msg("%s reads %s", bad[i][0], bad[i][1]);
        }
    }
}

static void test_fen_without_pieces(void **state)
{
    const struct slow_variant *variant = slow_variant_named("italian");
    struct slow_position position = position_of_fen(variant, "B:WK1,5:B");
    struct slow_move_list list = {0};
    char fen[SLOW_TEXT];

    (void)state;
    assert_int_equal(slow_moves(variant, &position, &list), 0);
    slow_write_fen(variant, &position, fen);
    assert_string_equal(fen, "B:WK1,5:B");
    slow_move_list_free(&list);
}

/* ---- Properties of moves in random play ---- */

static uint64_t random_state = 1;

static int random_below(int bound)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int)((random_state >> 33) % (uint64_t)bound);
}

static char other_colour(char piece)
{
    switch (piece) {
    case 'w': return 'b';
    case 'W': return 'B';
    case 'b': return 'w';
    case 'B': return 'W';
    default: return piece;
    }
}

/* The board turned round and the colours swapped: the same position for the other player. */
static struct slow_position turned(const struct slow_variant *variant, const struct slow_position *position)
{
    struct slow_position other = *position;
    int cells = variant->width * variant->width;

    for (int cell = 0; cell < cells; cell++) {
        other.at[cells - 1 - cell] = other_colour(position->at[cell]);
    }
    other.white_to_move = !position->white_to_move;
    return other;
}

static bool leads_to(const struct slow_move_list *list, const struct slow_position *position)
{
    for (int i = 0; i < list->count; i++) {
        if (memcmp(&list->moves[i].result, position, sizeof *position) == 0) {
            return true;
        }
    }
    return false;
}

static void check_turned(const struct slow_variant *variant, const struct slow_position *position,
                         const struct slow_move_list *list)
{
    struct slow_position other = turned(variant, position);
    struct slow_move_list other_list = {0};

    assert_int_equal(slow_moves(variant, &other, &other_list), list->count);
    for (int i = 0; i < list->count; i++) {
        struct slow_position result = turned(variant, &list->moves[i].result);
        assert_true(leads_to(&other_list, &result));
    }
    slow_move_list_free(&other_list);
}

/* Reading refuses men on impossible rows, so this also checks that moves lead to none. */
static void check_written(const struct slow_variant *variant, const struct slow_position *position)
{
    char fen[SLOW_TEXT];

    slow_write_fen(variant, position, fen);
    struct slow_position read = position_of_fen(variant, fen);
    assert_memory_equal(&read, position, sizeof read);
}

static void play_random_game(const struct slow_variant *variant)
{
    struct slow_position position = slow_start(variant);
    struct slow_move_list list = {0};

    for (int ply = 0; ply < 150 && slow_moves(variant, &position, &list) > 0; ply++) {
        check_written(variant, &position);
        check_turned(variant, &position, &list);
        position = list.moves[random_below(list.count)].result;
    }
    slow_move_list_free(&list);
}

static void test_random_games(void **state)
{
    const struct slow_variant *variant;

    (void)state;
    for (int i = 0; (variant = slow_variant_at(i)) != NULL; i++) {
        for (int game = 0; game < 10; game++) {
            play_random_game(variant);
        }
    }
}

/* ---- Perft ---- */

struct perft_count {
    const char *variant;
    const char *fen; /* NULL: the start position */
    int depth;
    long long moves;
};

#define BUSY_MEN "W:W30,26,27,22,23,24,17,18,20:B14,15,16,9,11,5,6,1,3"
#define BUSY_KINGS "W:WK27,K28,17,20,9,K12,8:B21,24,K19,K13,14,K11,4"

static const struct perft_count perft_counts[] = {
    {"portuguese", NULL, 1, 7},
    {"portuguese", NULL, 2, 49},
    {"portuguese", NULL, 3, 302},
    {"portuguese", NULL, 4, 1469},
    {"portuguese", NULL, 5, 7361},
    {"portuguese", NULL, 6, 36473},
    {"portuguese", NULL, 7, 177532},
    {"portuguese", NULL, 8, 828783},
    {"portuguese", NULL, 9, 3860866},
    {"spanish", NULL, 8, 828783},
    {"italian", NULL, 1, 7},
    {"italian", NULL, 2, 49},
    {"italian", NULL, 3, 302},
    {"italian", NULL, 4, 1469},
    {"italian", NULL, 5, 7361},
    {"italian", NULL, 6, 36473},
    {"italian", NULL, 7, 177532},
    {"italian", NULL, 8, 828783},
    {"italian", NULL, 9, 3860875},
    {"english", NULL, 1, 7},
    {"english", NULL, 2, 49},
    {"english", NULL, 3, 302},
    {"english", NULL, 4, 1469},
    {"english", NULL, 5, 7361},
    {"english", NULL, 6, 36768},
    {"english", NULL, 7, 179740},
    {"english", NULL, 8, 845931},
    {"brazilian", NULL, 9, 4431766},
    {"russian", NULL, 9, 4570586},
    {"pool", NULL, 9, 4570534},
    {"czech", NULL, 9, 3963671},
    {"international", NULL, 1, 9},
    {"international", NULL, 2, 81},
    {"international", NULL, 3, 658},
    {"international", NULL, 4, 4265},
    {"international", NULL, 5, 27117},
    {"international", NULL, 6, 167140},
    {"international", NULL, 7, 1049442},
    {"italian", BUSY_MEN, 1, 5},
    {"italian", BUSY_MEN, 2, 13},
    {"italian", BUSY_MEN, 3, 42},
    {"italian", BUSY_MEN, 4, 107},
    {"italian", BUSY_MEN, 5, 360},
    {"italian", BUSY_MEN, 6, 1099},
    {"italian", BUSY_MEN, 7, 3736},
    {"italian", BUSY_MEN, 8, 12495},
    {"italian", BUSY_KINGS, 1, 13},
    {"italian", BUSY_KINGS, 2, 112},
    {"italian", BUSY_KINGS, 3, 828},
    {"italian", BUSY_KINGS, 4, 6756},
    {"italian", BUSY_KINGS, 5, 46241},
    {"italian", BUSY_KINGS, 6, 368908},
    {"italian", BUSY_KINGS, 7, 2468110},
};

static void test_perft(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof perft_counts / sizeof perft_counts[0]; i++) {
        const struct perft_count *count = &perft_counts[i];
        const struct slow_variant *variant = slow_variant_named(count->variant);
        struct slow_position position =
            count->fen == NULL ? slow_start(variant) : position_of_fen(variant, count->fen);
        long long moves = slow_perft(variant, &position, count->depth);
        if (moves != count->moves) {
            fail_msg("%s depth %d: %lld, not %lld", count->variant, count->depth, moves, count->moves);
        }
    }
}

/* ---- Numbers of positions ---- */

static void test_position_counts(void **state)
{
    const struct slow_variant *italian = slow_variant_named("italian");
    const struct slow_variant *damii = slow_variant_named("damii");
    const struct slow_variant *turkish = slow_variant_named("turkish");

    (void)state;
    assert_int_equal(plain_count_placements(italian, 2), 3488);
    assert_int_equal(plain_count_placements(italian, 3), 196032);
    assert_int_equal(plain_count_placements(italian, 4), 6209316);
    assert_int_equal(plain_count_placements(damii, 2), 8845);
    assert_int_equal(plain_count_placements(damii, 3), 806300);
    assert_int_equal(plain_count_placements(turkish, 2), 12336);
    assert_int_equal(plain_count_placements(turkish, 3), 1335840);
}

/* ---- Values ---- */

struct tally {
    long positions;
    long wins;
    long losses;
    long draws;
    int longest_win;
};

/* Which positions to count: so many kings of the side to move against so many, or all. */
struct filter {
    int pieces;
    bool kings_only;
    int own;
};

static bool passes(const struct filter *filter, const struct slow_position *position)
{
    int own = 0;
    int pieces = 0;
    int men = 0;

    for (int cell = 0; cell < SLOW_MAX_CELLS; cell++) {
        char piece = position->at[cell];
        if (piece == '.') {
            continue;
        }
        bool white = piece == 'w' || piece == 'W';
        pieces++;
        men += piece == 'w' || piece == 'b';
        own += white == position->white_to_move;
    }
    return pieces == filter->pieces && (!filter->kings_only || (men == 0 && own == filter->own));
}

static struct tally count_values(const struct plain_solution *solution, const struct filter *filter,
                                 bool white_to_move)
{
    struct tally tally = {0};

    for (size_t i = 0; i < plain_count(solution); i++) {
        struct slow_position position;
        enum plain_value value;
        plain_position(solution, i, &position, &value);
        if (position.white_to_move != white_to_move || !passes(filter, &position)) {
            continue;
        }
        tally.positions++;
        tally.wins += value == PLAIN_WIN;
        tally.losses += value == PLAIN_LOSS;
        tally.draws += value == PLAIN_DRAW;
        int plies = plain_plies_at(solution, i);
        if (value == PLAIN_WIN && plies > tally.longest_win) {
            tally.longest_win = plies;
        }
    }
    return tally;
}

/* A row of the rules page: one material, the counts for the side to move. */
struct value_count {
    const char *variant;
    struct plain_limit limit; /* what to solve for it */
    struct filter filter;
    struct tally tally; /* longest win -1: not given */
};

static const struct value_count value_counts[] = {
    {"english", {3, 3, 3}, {2, false, 0}, {3488, 716, 402, 2370, -1}},
    {"english", {3, 3, 3}, {3, false, 0}, {196032, 100250, 87305, 8477, -1}},
    {"english", {2, 1, 0}, {2, true, 1}, {992, 230, 108, 654, 11}},
    {"international", {2, 1, 0}, {2, true, 1}, {2450, 424, 2, 2024, 3}},
    {"portuguese", {4, 3, 0}, {4, true, 3}, {143840, 132240, 0, 11600, 25}},
    {"portuguese", {3, 2, 0}, {3, true, 2}, {14880, 5628, 0, 9252, 7}},
    {"italian", {3, 2, 2}, {3, true, 2}, {14880, 14846, 0, 34, 33}},
    {"turkish", {3, 2, 0}, {3, true, 2}, {124992, 124784, 0, 208, 15}},
    {"damii", {2, 2, 2}, {2, true, 1}, {2450, 424, 2, 2024, 3}},
};

static void check_tally(const struct value_count *count, const struct tally *tally)
{
    const struct tally *expected = &count->tally;

    print_message("%s: %ld positions, %ld won, %ld lost, %ld drawn, longest win %d plies\n", count->variant,
                  tally->positions, tally->wins, tally->losses, tally->draws, tally->longest_win);
    assert_int_equal(tally->positions, expected->positions);
    assert_int_equal(tally->wins, expected->wins);
    assert_int_equal(tally->losses, expected->losses);
    assert_int_equal(tally->draws, expected->draws);
    if (expected->longest_win >= 0) {
        assert_int_equal(tally->longest_win, expected->longest_win);
    }
}

/* Both colours are solved apart, so both have to give the count. */
static void test_value_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof value_counts / sizeof value_counts[0]; i++) {
        const struct value_count *count = &value_counts[i];
        const struct slow_variant *variant = slow_variant_named(count->variant);
        struct plain_solution *solution;
        assert_int_equal(plain_solve_limited(variant, &count->limit, &solution), 0);
        struct tally white = count_values(solution, &count->filter, true);
        struct tally black = count_values(solution, &count->filter, false);
        check_tally(count, &white);
        check_tally(count, &black);
        plain_free(solution);
    }
}

static bool owns_a_king(const struct slow_position *position)
{
    return memchr(position->at, position->white_to_move ? 'W' : 'B', sizeof position->at) != NULL;
}

static bool has_one_king_and_one_man(const struct slow_position *position)
{
    bool white_king = memchr(position->at, 'W', sizeof position->at) != NULL;
    bool black_king = memchr(position->at, 'B', sizeof position->at) != NULL;
    bool white_man = memchr(position->at, 'w', sizeof position->at) != NULL;
    bool black_man = memchr(position->at, 'b', sizeof position->at) != NULL;

    return (white_king && black_man) || (black_king && white_man);
}

/* The king's owner has won at once, unless the side to move takes: then that side wins. */
static void test_turkish_king_against_man(void **state)
{
    const struct slow_variant *turkish = slow_variant_named("turkish");
    struct plain_solution *solution;
    struct slow_move_list list = {0};
    int seen = 0;

    (void)state;
    assert_int_equal(plain_solve(turkish, 2, &solution), 0);
    for (size_t i = 0; i < plain_count(solution); i++) {
        struct slow_position position;
        enum plain_value value;
        plain_position(solution, i, &position, &value);
        assert_int_equal(plain_value_of(solution, &position), value);
        assert_int_equal(plain_plies(solution, &position), plain_plies_at(solution, i));
        if (!has_one_king_and_one_man(&position)) {
            continue;
        }
        seen++;
        slow_moves(turkish, &position, &list);
        bool takes = list.count > 0 && list.moves[0].taken_count > 0;
        assert_int_equal(value, takes || owns_a_king(&position) ? PLAIN_WIN : PLAIN_LOSS);
        assert_int_equal(plain_plies_at(solution, i), takes ? 1 : 0);
    }
    assert_int_equal(seen, 4 * 48 * 63);
    slow_move_list_free(&list);
    plain_free(solution);
}

static void test_absent_positions(void **state)
{
    const struct slow_variant *italian = slow_variant_named("italian");
    struct slow_position three = position_of_fen(italian, "W:WK1,K2:BK3");
    struct slow_position alone = position_of_fen(italian, "W:WK1:B");
    struct slow_position nothing = position_of_fen(italian, "W:W:B");
    struct plain_solution *solution;

    (void)state;
    assert_int_equal(plain_solve(italian, 1, &solution), -1);
    assert_int_equal(plain_solve(italian, PLAIN_MAX_PIECES + 1, &solution), -1);
    assert_int_equal(plain_solve(italian, 2, &solution), 0);
    assert_int_equal(plain_value_of(solution, &three), PLAIN_ABSENT);
    assert_int_equal(plain_value_of(solution, &alone), PLAIN_ABSENT);
    assert_int_equal(plain_value_of(solution, &nothing), PLAIN_ABSENT);
    assert_int_equal(plain_plies(solution, &three), -1);
    plain_free(solution);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_squares_and_start),
        cmocka_unit_test(test_fen_refused),
        cmocka_unit_test(test_fen_without_pieces),
        cmocka_unit_test(test_positions_of_rules_page),
        cmocka_unit_test(test_positions_of_details),
        cmocka_unit_test(test_random_games),
        cmocka_unit_test(test_perft),
        cmocka_unit_test(test_position_counts),
        cmocka_unit_test(test_value_counts),
        cmocka_unit_test(test_turkish_king_against_man),
        cmocka_unit_test(test_absent_positions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
