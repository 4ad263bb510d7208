/* The rule table and the boards: squares and their numbers, starts, symmetries of move generation,
 * fingerprints, faults of positions, special ends and texts. Move by move agreement is in test_moves.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "moves.h"
#include "slow_rules.h"
#include "status.h"
#include "value.h"

/* Random positions of each variant and symmetry. */
static int random_positions = 20000;

static void choose_workload(void)
{
    const char *name = getenv("DAMABASE_TESTS");
    if (name && strcmp(name, "sanitised") == 0)
        random_positions = 2000;
    if (name && (strcmp(name, "long") == 0 || strcmp(name, "soak") == 0))
        random_positions = 1000000;
}

static uint64_t random_state = 1;

/* splitmix64. Source: S. Vigna, public domain. */
static uint64_t random_bits(void)
{
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static int random_below(int bound)
{
    return (int)(random_bits() % (uint64_t)bound);
}

/* Every square gets a piece with the chance density/64; men only if wanted and where they can stand. At most
 * seven of the opponent's, as among more a flying king may find millions of captures. */
static struct position random_position(const struct variant *variant, bool with_men)
{
    struct position position = {0};
    int density = 3 + random_below(30);
    int opponents = 7;
    for (int square = 0; square < variant->rules.board->squares; square++) {
        if (random_below(64) >= density)
            continue;
        bool own = opponents == 0 || random_below(2) == 0;
        bool man = with_men && random_below(3) > 0;
        opponents -= !own;
        uint64_t bit = bit_of(square);
        if (own)
            *(man && (variant_own_men_squares(variant) & bit) ? &position.own_men : &position.own_kings) |=
                bit;
        else
            *(man && (variant_opponent_men_squares(variant) & bit) ? &position.opponent_men
                                                                   : &position.opponent_kings) |= bit;
    }
    return position;
}

/* -- Boards -------------------------------------------------------------------------------------------- */

struct way {
    int up;
    int right;
};

static const struct way diagonal_ways[DIRECTIONS] = {{1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
static const struct way orthogonal_ways[DIRECTIONS] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};

/* The square that lies so from another on a board with its lower left corner played. */
static int square_beside(const struct board *board, int square, struct way way)
{
    int row = square / board->width + way.up;
    int column = board_column(board, square) + way.right;
    if (row < 0 || row >= board->rows || column < 0 || column >= board->columns)
        return NO_SQUARE;
    for (int other = row * board->width; other < (row + 1) * board->width; other++)
        if (board_column(board, other) == column)
            return other;
    return NO_SQUARE;
}

static void check_board(const struct board *board)
{
    for (int square = 0; square < board->squares; square++)
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            struct way way = board->orthogonal ? orthogonal_ways[direction] : diagonal_ways[direction];
            int next = square_beside(board, square, way);
            uint64_t ray = 0;
            assert_int_equal(board->step[square][direction], next);
            if (next != NO_SQUARE) {
                assert_int_equal(board->step[next][direction ^ 2], square);
                assert_int_equal(board->rising >> direction & 1, next > square);
            }
            for (; next != NO_SQUARE; next = square_beside(board, next, way))
                ray |= bit_of(next);
            assert_int_equal(board->ray[square][direction], ray);
            if (ray)
                assert_int_equal(board_nearest(board, direction, ray), board->step[square][direction]);
        }
}

static void test_boards(void **state)
{
    (void)state;
    check_board(&board_8x8_diagonal);
    check_board(&board_10x10_diagonal);
    check_board(&board_8x8_orthogonal);
    assert_int_equal(board_all(&board_8x8_diagonal), 0xffffffff);
    assert_int_equal(board_all(&board_10x10_diagonal), UINT64_C(0x3ffffffffffff));
    assert_int_equal(board_all(&board_8x8_orthogonal), UINT64_MAX);
    assert_int_equal(board_row(&board_10x10_diagonal, 9), UINT64_C(0x3e00000000000));
    assert_int_equal(board_row(&board_8x8_orthogonal, 7), UINT64_C(0xff00000000000000));
}

static void test_turned_board(void **state)
{
    (void)state;
    for (size_t v = 0; v < variant_count; v++) {
        const struct board *board = variant_table[v]->rules.board;
        for (int square = 0; square < board->squares; square++) {
            int turned = board->squares - 1 - square;
            assert_int_equal(board_turned(board, bit_of(square)), bit_of(turned));
            assert_int_equal(board_column(board, turned), board->columns - 1 - board_column(board, square));
            assert_int_equal(turned / board->width, board->rows - 1 - square / board->width);
        }
        for (int i = 0; i < 1000; i++) {
            struct position position = random_position(variant_table[v], true);
            struct position turned = position_turned(board, &position);
            assert_null(variant_fault(variant_table[v], &turned));
            turned = position_turned(board, &turned);
            assert_memory_equal(&turned, &position, sizeof position);
        }
    }
}

/* -- Squares and their numbers ------------------------------------------------------------------------- */

/* Squares named by letters, in the order of their numbers from the first one on and before the last one. */
struct named_squares {
    const char *variant;
    int squares;
    const char *first[6];
    const char *last[2];
};

static const struct named_squares named[] = {
    {"italian", 32, {"a8", "c8", "e8", "g8", "b7", "d7"}, {"f1", "h1"}},
    {"portuguese", 32, {"h1", "f1", "d1", "b1", "g2", "e2"}, {"c8", "a8"}},
    {"turkish", 64, {"a1", "a2", "a3", "a4", "a5", "a6"}, {"h7", "h8"}},
    {"damii", 50, {"a10", "c10", "e10", "g10", "i10", "b9"}, {"h1", "j1"}},
    {"spanish", 32, {"h1", "f1", "d1", "b1", "g2", "e2"}, {"c8", "a8"}},
    {"international", 50, {"b10", "d10", "f10", "h10", "j10", "a9"}, {"g1", "i1"}},
    {"brazilian", 32, {"a1", "a3", "a5", "a7", "b2", "b4"}, {"h6", "h8"}},
    {"russian", 32, {"a1", "a3", "a5", "a7", "b2", "b4"}, {"h6", "h8"}},
    {"pool", 32, {"b8", "d8", "f8", "h8", "a7", "c7"}, {"e1", "g1"}},
    {"english", 32, {"b8", "d8", "f8", "h8", "a7", "c7"}, {"e1", "g1"}},
    {"czech", 32, {"a1", "a3", "a5", "a7", "b2", "b4"}, {"h6", "h8"}},
    {"triestina", 50, {"a10", "c10", "e10", "g10", "i10", "b9"}, {"h1", "j1"}},
};

static int square_lettered(const struct variant *variant, const char *letters)
{
    return variant_square_at(variant, letters[0] - 'a', (int)strtol(letters + 1, NULL, 10) - 1);
}

/* The row of a variant, or of the one that its name begins with: other readings of a game keep its board. */
static const struct named_squares *named_of(const char *name)
{
    size_t length = strcspn(name, "-");
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (strlen(named[i].variant) == length && strncmp(named[i].variant, name, length) == 0)
            return &named[i];
    fail_msg("%s: where are its squares?", name);
    return NULL;
}

static void check_named(const struct variant *variant)
{
    const struct named_squares *row = named_of(variant->rules.name);
    assert_int_equal(variant->rules.board->squares, row->squares);
    for (int i = 0; i < 6; i++)
        assert_int_equal(variant_square_of_number(variant, i + 1), square_lettered(variant, row->first[i]));
    for (int i = 0; i < 2; i++)
        assert_int_equal(variant_square_of_number(variant, row->squares - 1 + i),
                         square_lettered(variant, row->last[i]));
    assert_int_equal(variant_square_of_number(variant, 0), NO_SQUARE);
    assert_int_equal(variant_square_of_number(variant, -1), NO_SQUARE);
    assert_int_equal(variant_square_of_number(variant, row->squares + 1), NO_SQUARE);
}

/* Every square against the slow reference, which numbers cells by counting them. */
static void check_squares(const struct variant *variant)
{
    const struct slow_variant *slow = slow_variant_named(variant->rules.name);
    for (int square = 0; square < variant->rules.board->squares; square++) {
        int column = variant_column(variant, square);
        int row = square / variant->rules.board->width;
        int number = variant_square_number(variant, square);
        assert_int_equal(number, slow_square_number(slow, row * slow->width + column));
        assert_int_equal(variant_square_of_number(variant, number), square);
        assert_int_equal(variant_square_at(variant, column, row), square);
    }
    int played = 0;
    for (int column = -1; column <= slow->width; column++)
        for (int row = -1; row <= slow->width; row++) {
            bool on_board = column >= 0 && column < slow->width && row >= 0 && row < slow->width;
            bool is_played = on_board && slow_is_played(slow, row * slow->width + column);
            assert_int_equal(variant_square_at(variant, column, row) != NO_SQUARE, is_played);
            played += is_played;
        }
    assert_int_equal(played, variant->rules.board->squares);
}

static void test_square_numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < variant_count; i++) {
        check_named(variant_table[i]);
        check_squares(variant_table[i]);
    }
}

static void test_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < variant_count; i++)
        assert_ptr_equal(variant_named(variant_table[i]->rules.name), variant_table[i]);
    assert_null(variant_named(""));
    assert_null(variant_named("Italian"));
    assert_null(variant_named("italian "));
    assert_null(variant_named("chess"));
}

/* -- Where men stand, and the start -------------------------------------------------------------------- */

/* The set of squares with numbers from the first to the last. */
static uint64_t numbered(const struct variant *variant, int first, int last)
{
    uint64_t set = 0;
    for (int number = first; number <= last; number++)
        set |= bit_of(variant_square_of_number(variant, number));
    return set;
}

static void check_start(const char *name, uint64_t own, uint64_t opponent)
{
    const struct variant *variant = variant_named(name);
    struct position start = variant_start(variant);
    assert_null(variant_fault(variant, &start));
    assert_int_equal(start.own_men, own);
    assert_int_equal(start.opponent_men, opponent);
    assert_int_equal(start.own_kings | start.opponent_kings, 0);
}

/* The same pieces as the slow reference, and the same side begins. */
static void check_start_of_slow(const struct variant *variant)
{
    const struct slow_variant *slow = slow_variant_named(variant->rules.name);
    struct slow_position expected = slow_start(slow);
    struct position start = variant_start(variant);
    assert_int_equal(expected.white_to_move, !variant->rules.black_begins);
    for (int square = 0; square < variant->rules.board->squares; square++) {
        int cell = square / variant->rules.board->width * slow->width + variant_column(variant, square);
        assert_int_equal(expected.at[cell], start.own_men & bit_of(square)        ? 'w'
                                            : start.opponent_men & bit_of(square) ? 'b'
                                                                                  : '.');
    }
}

static void test_start(void **state)
{
    const struct variant *italian = variant_named("italian");
    const struct variant *portuguese = variant_named("portuguese");
    const struct variant *damii = variant_named("damii");
    (void)state;
    check_start("italian", numbered(italian, 21, 32), numbered(italian, 1, 12));
    check_start("portuguese", numbered(portuguese, 1, 12), numbered(portuguese, 21, 32));
    check_start("turkish", UINT64_C(0xffff00), UINT64_C(0xffff0000000000));
    check_start("damii", numbered(damii, 31, 50), numbered(damii, 1, 20));
    assert_int_equal(variant_own_men_squares(italian), numbered(italian, 5, 32));
    assert_int_equal(variant_own_men_squares(portuguese), numbered(portuguese, 1, 28));
    assert_int_equal(variant_opponent_men_squares(damii), numbered(damii, 1, 45));
    assert_int_equal(variant_own_men_squares(variant_named("turkish")), UINT64_C(0xffffffffffff00));
    for (size_t i = 0; i < variant_count; i++) {
        check_start_of_slow(variant_table[i]);
        assert_int_equal(variant_men_step_sideways(variant_table[i]),
                         variant_table[i]->rules.board->orthogonal);
    }
}

/* Every square that the slow reference refuses to a man is a fault, and no other. */
static void test_faults(void **state)
{
    (void)state;
    for (size_t i = 0; i < variant_count; i++) {
        const struct variant *variant = variant_table[i];
        const struct slow_variant *slow = slow_variant_named(variant->rules.name);
        for (int square = 0; square < variant->rules.board->squares; square++) {
            int cell = square / variant->rules.board->width * slow->width + variant_column(variant, square);
            struct position own_man = {.own_men = bit_of(square)};
            struct position opponent_man = {.opponent_men = bit_of(square)};
            struct position king = {.own_kings = bit_of(square)};
            assert_int_equal(!variant_fault(variant, &own_man), slow_man_may_stand(slow, true, cell));
            assert_int_equal(!variant_fault(variant, &opponent_man), slow_man_may_stand(slow, false, cell));
            assert_null(variant_fault(variant, &king));
            king.opponent_kings = king.own_kings;
            assert_non_null(variant_fault(variant, &king));
        }
        struct position nothing = {0};
        assert_null(variant_fault(variant, &nothing));
        struct position off = {.own_kings = ~board_all(variant->rules.board)};
        assert_int_equal(!variant_fault(variant, &off), off.own_kings == 0);
    }
}

/* -- Symmetries of move generation --------------------------------------------------------------------- */

/* Where each square goes. */
struct symmetry {
    uint8_t to[MAX_SQUARES];
};

enum { ALL_SYMMETRIES = 8 };

/* Symmetry number i of the square board: bit 0 mirrors columns, bit 1 rows, bit 2 swaps rows and columns.
 * False if it leads to squares that are not played. */
static bool symmetry_at(const struct board *board, int i, struct symmetry *symmetry)
{
    for (int square = 0; square < board->squares; square++) {
        int row = square / board->width;
        int column = board_column(board, square);
        int new_row = i & 4 ? column : row;
        int new_column = i & 4 ? row : column;
        new_column = i & 1 ? board->columns - 1 - new_column : new_column;
        new_row = i & 2 ? board->rows - 1 - new_row : new_row;
        int from_corner = square_beside(board, 0, (struct way){new_row, new_column});
        if (from_corner == NO_SQUARE)
            return false;
        symmetry->to[square] = (uint8_t)from_corner;
    }
    return true;
}

static uint64_t moved_set(const struct symmetry *symmetry, uint64_t set)
{
    uint64_t moved = 0;
    for (; set; set = bits_without_lowest(set))
        moved |= bit_of(symmetry->to[bits_lowest(set)]);
    return moved;
}

static struct position moved_position(const struct symmetry *symmetry, const struct position *position)
{
    return (struct position){moved_set(symmetry, position->own_men), moved_set(symmetry, position->own_kings),
                             moved_set(symmetry, position->opponent_men),
                             moved_set(symmetry, position->opponent_kings)};
}

static bool contains(const struct move_list *list, const struct move *move)
{
    for (int i = 0; i < list->count; i++) {
        const struct move *other = &list->moves[i];
        if (other->taken == move->taken && other->from == move->from && other->to == move->to &&
            other->by_man == move->by_man && other->crowned == move->crowned)
            return true;
    }
    return false;
}

/* The moves of the position in the mirror are the moves in the mirror. */
static void check_symmetry(const struct variant *variant, const struct symmetry *symmetry, bool with_men)
{
    static struct move_list list;
    static struct move_list other_list;
    struct position position = random_position(variant, with_men);
    struct position other = moved_position(symmetry, &position);
    assert_null(variant_fault(variant, &other));
    assert_int_equal(moves_legal(variant, &position, &list, NULL), STATUS_OK);
    assert_int_equal(moves_legal(variant, &other, &other_list, NULL), STATUS_OK);
    assert_int_equal(variant->moves->has_capture(&position), variant->moves->has_capture(&other));
    assert_int_equal(list.count, other_list.count);
    for (int i = 0; i < list.count; i++) {
        struct move move = list.moves[i];
        move.from = symmetry->to[move.from];
        move.to = symmetry->to[move.to];
        move.taken = moved_set(symmetry, move.taken);
        assert_true(contains(&other_list, &move));
    }
}

/* Kings go and take alike in all directions, so every symmetry of the board maps their moves; men's moves are
 * mapped by those that keep the rows. */
static void test_symmetries(void **state)
{
    (void)state;
    for (size_t v = 0; v < variant_count; v++) {
        const struct variant *variant = variant_table[v];
        int symmetries = 0;
        for (int i = 1; i < ALL_SYMMETRIES; i++) {
            struct symmetry symmetry;
            if (!symmetry_at(variant->rules.board, i, &symmetry))
                continue;
            symmetries++;
            for (int n = 0; n < random_positions; n++)
                check_symmetry(variant, &symmetry, false);
            for (int n = 0; i == 1 && n < random_positions; n++)
                check_symmetry(variant, &symmetry, true);
        }
        assert_int_equal(symmetries, variant->rules.board->orthogonal ? 7 : 3);
    }
}

/* The board of the fast generator has its lower left corner played, whatever the variant's real board. */
static struct slow_position on_corner_board(const struct variant *variant, const struct position *position)
{
    const struct board *board = variant->rules.board;
    struct slow_position slow = {.white_to_move = true};
    memset(slow.at, '.', sizeof slow.at);
    for (int square = 0; square < board->squares; square++) {
        uint64_t bit = bit_of(square);
        char *at = &slow.at[square / board->width * board->columns + board_column(board, square)];
        *at = position->own_men & bit          ? 'w'
              : position->own_kings & bit      ? 'W'
              : position->opponent_men & bit   ? 'b'
              : position->opponent_kings & bit ? 'B'
                                               : '.';
    }
    return slow;
}

/* The variant played on the reflected board has the same moves, reflected. */
static void test_reflected_board(void **state)
{
    static struct move_list list;
    struct slow_move_list slow_list = {0};
    (void)state;
    for (size_t v = 0; v < variant_count; v++) {
        const struct variant *variant = variant_table[v];
        struct slow_variant reflected = *slow_variant_named(variant->rules.name);
        reflected.corner_played = true;
        for (int n = 0; n < random_positions; n++) {
            struct position position = random_position(variant, true);
            struct slow_position slow = on_corner_board(variant, &position);
            assert_int_equal(moves_legal(variant, &position, &list, NULL), STATUS_OK);
            assert_int_equal(slow_moves(&reflected, &slow, &slow_list), list.count);
            for (int i = 0; i < list.count; i++) {
                struct position after = position_moved(&position, &list.moves[i]);
                struct slow_position result = on_corner_board(variant, &after);
                int same = 0;
                for (int j = 0; j < slow_list.count; j++)
                    same += memcmp(slow_list.moves[j].result.at, result.at, sizeof result.at) == 0;
                assert_true(same > 0);
            }
        }
    }
    slow_move_list_free(&slow_list);
}

/* The position after a move is the moved one turned, with the other side as own. */
static void test_position_after(void **state)
{
    static struct move_list list;
    (void)state;
    for (size_t v = 0; v < variant_count; v++) {
        const struct board *board = variant_table[v]->rules.board;
        for (int n = 0; n < 2000; n++) {
            struct position position = random_position(variant_table[v], true);
            assert_int_equal(moves_legal(variant_table[v], &position, &list, NULL), STATUS_OK);
            for (int i = 0; i < list.count; i++) {
                const struct move *move = &list.moves[i];
                struct position moved = position_moved(&position, move);
                struct position after = position_after(variant_table[v], &position, move);
                struct position back = position_turned(board, &after);
                assert_memory_equal(&back, &moved, sizeof moved);
                assert_null(variant_fault(variant_table[v], &after));
                assert_int_equal(position_own(&moved),
                                 (position_own(&position) & ~bit_of(move->from)) | bit_of(move->to));
                assert_int_equal(position_opponent(&moved), position_opponent(&position) & ~move->taken);
                assert_int_equal(bits_count(moved.own_kings), bits_count(position.own_kings) + move->crowned);
            }
        }
    }
}

/* -- Fingerprints -------------------------------------------------------------------------------------- */

/* The fields in their order, as docs/rules.md has them: squares, orthogonal, men's steps, men's takes,
 * flying, landing must, men take kings, gone now, may turn, crowned, choice, special end, first row of
 * men, what zeroes, limit. */
enum { RULE_FIELDS = 15, FIELD_ZEROING = 13, FIELD_LIMIT = 14 };

struct fingerprint_row {
    const char *variant;
    uint64_t fields[RULE_FIELDS];
    uint64_t fingerprint; /* stands in files: a change makes all tables of the variant useless */
};

static const struct fingerprint_row fingerprints[] = {
    {"italian", {32, 0, 3, 3, 0, 0, 0, 0, 1, 0, 15, 0, 0, 1, 80}, UINT64_C(0xdf478d70c4b81a1a)},
    {"portuguese", {32, 0, 3, 3, 1, 0, 1, 0, 1, 0, 5, 0, 0, 0, 40}, UINT64_C(0x3e544c7c3a122a69)},
    {"turkish", {64, 1, 7, 7, 1, 0, 1, 1, 0, 2, 1, 1, 1, 1, 0}, UINT64_C(0xbd0913a1a0eb1567)},
    {"damii", {50, 0, 3, 15, 1, 0, 1, 0, 1, 1, 0, 0, 0, 1, 0}, UINT64_C(0xcc4a78a36269213a)},
    {"spanish", {32, 0, 3, 3, 1, 0, 1, 0, 1, 0, 5, 0, 0, 1, 0}, UINT64_C(0xd6d8df8d2d6c0540)},
    {"international", {50, 0, 3, 15, 1, 0, 1, 0, 1, 1, 1, 0, 0, 1, 0}, UINT64_C(0xcbaa9b6915c0b71b)},
    {"brazilian", {32, 0, 3, 15, 1, 0, 1, 0, 1, 1, 1, 0, 0, 1, 0}, UINT64_C(0x9828b3783c70e9c9)},
    {"russian", {32, 0, 3, 15, 1, 1, 1, 0, 1, 2, 0, 0, 0, 1, 0}, UINT64_C(0x125e10906829456a)},
    {"pool", {32, 0, 3, 15, 1, 1, 1, 0, 1, 1, 0, 0, 0, 1, 0}, UINT64_C(0xd56d3c4e91dd0ba9)},
    {"english", {32, 0, 3, 3, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0}, UINT64_C(0xac9c22e24b0b4004)},
    {"czech", {32, 0, 3, 3, 1, 1, 1, 0, 1, 0, 2, 0, 0, 1, 0}, UINT64_C(0x2080e0c3f6718326)},
    {"triestina", {50, 0, 3, 3, 0, 0, 0, 0, 1, 0, 15, 0, 0, 1, 80}, UINT64_C(0xb900711674d438c8)},
    {"damii-king", {50, 0, 3, 15, 1, 0, 1, 0, 1, 2, 0, 0, 0, 1, 0}, UINT64_C(0x8f59a4618c1ce779)},
    {"damii-stop", {50, 0, 3, 15, 1, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0}, UINT64_C(0x214cf998346bd8fb)},
    {"damii-must", {50, 0, 3, 15, 1, 1, 1, 0, 1, 1, 0, 0, 0, 1, 0}, UINT64_C(0x08ef243f6b2cd8fb)},
    {"turkish-tudaf", {64, 1, 7, 7, 1, 0, 1, 1, 0, 2, 1, 2, 1, 1, 0}, UINT64_C(0x5c5221d50cb1f824)},
    {"italian-first", {32, 0, 3, 3, 0, 0, 0, 0, 1, 0, 23, 0, 0, 1, 80}, UINT64_C(0xf4cef2a2fd63ab02)},
};

/* FNV-1a of 64 bits over each field's eight bytes, the lowest first. */
static uint64_t fnv_1a(const uint64_t *fields, int count)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int i = 0; i < count * 8; i++)
        hash = (hash ^ (uint8_t)(fields[i / 8] >> (i % 8 * 8))) * UINT64_C(1099511628211);
    return hash;
}

static const struct fingerprint_row *fingerprint_of(const struct variant *variant)
{
    for (size_t i = 0; i < sizeof fingerprints / sizeof fingerprints[0]; i++)
        if (strcmp(fingerprints[i].variant, variant->rules.name) == 0)
            return &fingerprints[i];
    fail_msg("%s: no fingerprint is listed", variant->rules.name);
    return NULL;
}

static void test_fingerprints(void **state)
{
    (void)state;
    for (size_t v = 0; v < variant_count; v++) {
        const struct fingerprint_row *row = fingerprint_of(variant_table[v]);
        uint64_t fingerprint = variant_fingerprint(variant_table[v]);
        if (fingerprint != row->fingerprint || fingerprint != fnv_1a(row->fields, RULE_FIELDS))
            fail_msg("%s: fingerprint %016llx", row->variant, (unsigned long long)fingerprint);
    }
}

/* Each rule of moves and ends, in the slow reference's words: nothing but the name, the numbering, the first
 * player and the corner is left out. */
static bool same_slow_rules(const struct slow_variant *a, const struct slow_variant *b)
{
    return a->width == b->width && a->orthogonal == b->orthogonal && a->start_row == b->start_row &&
           a->men_step == b->men_step && a->men_take == b->men_take && a->flying == b->flying &&
           a->must_land == b->must_land && a->man_takes_king == b->man_takes_king &&
           a->gone_now == b->gone_now && a->no_reversal == b->no_reversal && a->crowning == b->crowning &&
           strcmp(a->choice, b->choice) == 0 && a->men_leave_back_row == b->men_leave_back_row &&
           a->king_beats_man == b->king_beats_man && a->one_against_one_draws == b->one_against_one_draws;
}

static bool same_count(const struct variant *a, const struct variant *b)
{
    const uint64_t *fields = fingerprint_of(a)->fields;
    const uint64_t *others = fingerprint_of(b)->fields;
    return fields[FIELD_ZEROING] == others[FIELD_ZEROING] && fields[FIELD_LIMIT] == others[FIELD_LIMIT];
}

/* Equal where values and distances are. Spanish has the moves of Portuguese, but counts otherwise: that alone
 * tells the two apart. */
static void test_equal_fingerprints(void **state)
{
    (void)state;
    for (size_t v = 0; v < variant_count; v++)
        for (size_t w = 0; w < v; w++) {
            const char *a = variant_table[v]->rules.name;
            const char *b = variant_table[w]->rules.name;
            bool same = variant_fingerprint(variant_table[v]) == variant_fingerprint(variant_table[w]);
            if (same != (same_slow_rules(slow_variant_named(a), slow_variant_named(b)) &&
                         same_count(variant_table[v], variant_table[w])))
                fail_msg("%s and %s: fingerprints are %s", a, b, same ? "equal" : "different");
        }
    struct variant spanish = *variant_named("spanish");
    const struct variant *portuguese = variant_named("portuguese");
    assert_int_not_equal(variant_fingerprint(&spanish), variant_fingerprint(portuguese));
    spanish.rules.zeroing = portuguese->rules.zeroing;
    spanish.rules.limit = portuguese->rules.limit;
    assert_int_equal(variant_fingerprint(&spanish), variant_fingerprint(portuguese));
}

static void expect_fingerprint(const struct variant *variant, const struct rules *rules, bool same)
{
    struct variant other = {.rules = *rules, .moves = variant->moves};
    assert_int_equal(variant_fingerprint(&other) == variant_fingerprint(variant), same);
}

/* Makes an assignment to a copy of the rules and says whether the fingerprint has to stay. */
#define WITH(change, same) (rules = variant->rules, (change), expect_fingerprint(variant, &rules, same))

static void test_fingerprint_changes_with_rules(void **state)
{
    const struct variant *variant = variant_named("italian");
    struct rules rules;
    (void)state;
    WITH(rules.board = &board_10x10_diagonal, false);
    WITH(rules.man_steps = 15, false);
    WITH(rules.man_takes = 15, false);
    WITH(rules.flying = true, false);
    WITH(rules.landing = LANDING_MUST, false);
    WITH(rules.man_takes_king = true, false);
    WITH(rules.gone_now = true, false);
    WITH(rules.may_turn = false, false);
    WITH(rules.crowned = CROWNED_PASS, false);
    WITH(rules.choice = MOST_PIECES, false);
    WITH(rules.choice ^= KINGS_EARLIEST | FIRST_KING_EARLIEST, false);
    WITH(rules.special_end = KING_BEATS_MAN, false);
    WITH(rules.special_end = ONE_AGAINST_ONE_DRAWS, false);
    WITH(rules.man_first_row = 1, false);
    WITH(rules.zeroing = ZEROED_BY_CAPTURES, false);
    WITH(rules.limit = 40, false);
    WITH(rules.limit = 0, false);
}

static void test_fingerprint_stays_with_all_else(void **state)
{
    const struct variant *variant = variant_named("italian");
    struct rules rules;
    (void)state;
    WITH(rules.name = "other", true);
    WITH(rules.lower_left_played = true, true);
    WITH(rules.names = ALGEBRAIC, true);
    WITH(rules.black_begins = true, true);
    WITH(rules.start_rows = 2, true);
    WITH(rules.capture_sign = ':', true);
    WITH(rules.game_type = "0", true);
    WITH(rules.lender = "other", true);
    WITH(rules.source = "", true);
    WITH(rules.summary = "", true);
}

/* -- Special ends and texts ---------------------------------------------------------------------------- */

/* Against the slow reference. */
static void check_special_end(const struct variant *variant, struct position position)
{
    const struct slow_variant *slow = slow_variant_named(variant->rules.name);
    struct slow_position slow_position = on_corner_board(variant, &position);
    struct slow_move_list list = {0};
    enum value value = DRAW;
    slow_moves(slow, &slow_position, &list);
    enum slow_end end = slow_special_end(slow, &slow_position, &list);
    bool capture = list.count > 0 && list.moves[0].taken_count > 0;
    bool decided = value_by_special_end(variant, slice_of(&position), &value) && !capture;
    assert_int_equal(decided, end != SLOW_PLAYED_ON);
    if (decided)
        assert_int_equal(value, end == SLOW_END_WON ? WIN : end == SLOW_END_LOST ? LOSS : DRAW);
    slow_move_list_free(&list);
}

/* One piece of each side, of any kind. */
static void check_one_against_one(const struct variant *variant, uint64_t own, uint64_t opponent)
{
    check_special_end(variant, (struct position){.own_kings = own, .opponent_kings = opponent});
    if (own & variant_own_men_squares(variant))
        check_special_end(variant, (struct position){.own_men = own, .opponent_kings = opponent});
    if (opponent & variant_opponent_men_squares(variant))
        check_special_end(variant, (struct position){.own_kings = own, .opponent_men = opponent});
    if ((own & variant_own_men_squares(variant)) && (opponent & variant_opponent_men_squares(variant)))
        check_special_end(variant, (struct position){.own_men = own, .opponent_men = opponent});
}

static void test_special_end(void **state)
{
    (void)state;
    for (size_t v = 0; v < variant_count; v++) {
        int squares = variant_table[v]->rules.board->squares;
        for (int own = 0; own < squares; own++)
            for (int opponent = 0; opponent < squares; opponent++)
                if (own != opponent)
                    check_one_against_one(variant_table[v], bit_of(own), bit_of(opponent));
    }
}

/* Slices that a special end decides: with Turkish rules king v man and man v king, in the other reading all
 * four of one piece against one, and nothing in any other variant. */
static int slices_decided(const struct variant *variant)
{
    int decided = 0;
    for (int digits = 0; digits < 10000; digits++) {
        struct slice slice = {(uint8_t)(digits / 1000), (uint8_t)(digits / 100 % 10),
                              (uint8_t)(digits / 10 % 10), (uint8_t)(digits % 10)};
        enum value value;
        decided += value_by_special_end(variant, slice, &value);
    }
    return decided;
}

static void test_special_end_slices(void **state)
{
    (void)state;
    for (size_t v = 0; v < variant_count; v++) {
        const struct slow_variant *slow = slow_variant_named(variant_table[v]->rules.name);
        int expected = slow->king_beats_man ? 2 : slow->one_against_one_draws ? 4 : 0;
        assert_int_equal(slices_decided(variant_table[v]), expected);
    }
    assert_int_equal(slices_decided(variant_named("turkish")), 2);
    assert_int_equal(slices_decided(variant_named("turkish-tudaf")), 4);
}

/* W:WKa1:Bh5 and the like, as rows of the table of variants decide them. */
static void test_readings_of_the_special_end(void **state)
{
    const struct slice king_v_man = {0, 1, 1, 0};
    const struct slice king_v_king = {0, 1, 0, 1};
    const struct slice man_v_man = {1, 0, 1, 0};
    const struct variant *turkish = variant_named("turkish");
    const struct variant *tudaf = variant_named("turkish-tudaf");
    enum value value = WIN;
    (void)state;
    assert_true(value_by_special_end(tudaf, king_v_man, &value) && value == DRAW);
    assert_true(value_by_special_end(turkish, king_v_man, &value) && value == WIN);
    assert_true(value_by_special_end(turkish, slice_mirror(king_v_man), &value) && value == LOSS);
    assert_false(value_by_special_end(turkish, king_v_king, &value));
    assert_false(value_by_special_end(turkish, man_v_man, &value));
    assert_true(value_by_special_end(tudaf, king_v_king, &value) && value == DRAW);
    assert_true(value_by_special_end(tudaf, man_v_man, &value) && value == DRAW);
}

static void test_values_and_texts(void **state)
{
    static const char *const texts[VALUES] = {"loss", "blessed-loss", "draw", "cursed-win", "win"};
    (void)state;
    for (int value = 0; value < VALUES; value++) {
        assert_string_equal(value_text((enum value)value), texts[value]);
        assert_int_equal(value_turned(value_turned((enum value)value)), value);
    }
    assert_int_equal(value_turned(WIN), LOSS);
    assert_int_equal(value_turned(CURSED_WIN), BLESSED_LOSS);
    assert_int_equal(value_turned(DRAW), DRAW);
    for (int status = -1; status < 100; status++)
        assert_true(strlen(status_text((enum status)status)) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boards),
        cmocka_unit_test(test_turned_board),
        cmocka_unit_test(test_square_numbers),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_symmetries),
        cmocka_unit_test(test_reflected_board),
        cmocka_unit_test(test_position_after),
        cmocka_unit_test(test_fingerprints),
        cmocka_unit_test(test_equal_fingerprints),
        cmocka_unit_test(test_fingerprint_changes_with_rules),
        cmocka_unit_test(test_fingerprint_stays_with_all_else),
        cmocka_unit_test(test_special_end),
        cmocka_unit_test(test_special_end_slices),
        cmocka_unit_test(test_readings_of_the_special_end),
        cmocka_unit_test(test_values_and_texts),
    };
    choose_workload();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
