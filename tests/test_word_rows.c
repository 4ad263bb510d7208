/* Words of squares and rows of them, for the boards that they are compiled for: slides against steps from
 * square to square, transposes, completing of rows, and bits of positions against their numbers. This file is
 * compiled for 32 squares; test_word_rows_50.c takes it in for 50. */
#ifndef SQUARES
#define SQUARES 32
#endif
#include "temporary.h"
#include "word_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct board *the_board(void)
{
    return SQUARES == 32 ? &board_8x8_diagonal : &board_10x10_diagonal;
}

static uint64_t next_random(void)
{
    static uint64_t state = 1;
    return random_next(&state);
}

static word random_set(int thinned)
{
    word set = (word)next_random() & ALL_SQUARES;
    for (int i = 0; i < thinned; i++)
        set &= (word)next_random();
    return set;
}

/* What step_one and slide are to give, square by square. */
static word slow_reach(int direction, bool far, word from, word through)
{
    const struct board *board = the_board();
    word reached = 0;
    for (int square = 0; square < SQUARES; square++) {
        if (!((from >> square) & 1))
            continue;
        int to = board->step[square][direction];
        while (to != NO_SQUARE && ((through >> to) & 1)) {
            reached |= (word)1 << to;
            to = far ? board->step[to][direction] : NO_SQUARE;
        }
    }
    return reached;
}

static void check_reach(word from, word through)
{
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        assert_true(slow_reach(direction, false, from, through) == reach(direction, false, from, through));
        assert_true(slow_reach(direction, true, from, through) == reach(direction, true, from, through));
    }
}

static void test_reach(void **state)
{
    (void)state;
    for (int square = 0; square < SQUARES; square++)
        check_reach((word)1 << square, ALL_SQUARES);
    for (int i = 0; i < 20000; i++) {
        word from = random_set(i % 5);
        word through = ALL_SQUARES & ~random_set(i / 5 % 4);
        check_reach(from & ~through, through);
        check_reach(from & through, through);
    }
}

static void test_turned(void **state)
{
    (void)state;
    for (int square = 0; square < SQUARES; square++)
        assert_true(word_turned((word)1 << square) == (word)1 << (SQUARES - 1 - square));
}

static void test_transpose(void **state)
{
    (void)state;
    word rows[WORD_BITS];
    word turned[WORD_BITS];
    for (int i = 0; i < WORD_BITS; i++)
        turned[i] = rows[i] = (word)next_random();
    transpose(turned);
    for (int i = 0; i < WORD_BITS; i++)
        for (int j = 0; j < WORD_BITS; j++)
            assert_true(((turned[i] >> j) & 1) == ((rows[j] >> i) & 1));
}

static void test_bits(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; i++) {
        uint64_t squares = next_random();
        uint64_t bits = next_random();
        uint64_t set = spread_bits(bits, squares);
        int count = bits_count(squares);
        uint64_t low = count == 64 ? bits : bits & ((UINT64_C(1) << count) - 1);
        assert_true((set & ~squares) == 0);
        assert_true(gather_bits(set, squares) == low);
        assert_int_equal(bits_count(set), bits_count(low));
    }
}

/* Every position whose bit is set is in all its rows, and nothing else is. */
static void check_plane(int n, word men, bool turned)
{
    enum { FIRST = 5 /* the bits of the plane do not begin a word */ };
    uint64_t free_squares = ALL_SQUARES & ~(turned ? word_turned(men) : men);
    uint64_t count = choose[bits_count(free_squares)][n];
    size_t words = (size_t)(count / 64 + 3);
    uint64_t *bits = calloc(4 * words, sizeof *bits);
    word *rows = calloc(4 * (size_t)sets_of(n - 1), sizeof *rows);
    assert_true(bits && rows);
    uint64_t *const given[2] = {bits, bits + words};
    uint64_t *const again[2] = {bits + 2 * words, bits + 3 * words};
    word *const planes[2] = {rows, rows + sets_of(n - 1)};
    word *const expected[2] = {planes[1] + sets_of(n - 1), planes[1] + 2 * (size_t)sets_of(n - 1)};
    struct combination kings;
    uint64_t number = FIRST;
    bool more = combination_begin(&kings, free_squares, n);
    for (; more; more = combination_next(&kings), number++) {
        uint64_t kind = next_random() % 3;
        if (kind == 2)
            continue;
        given[kind][number / 64] |= UINT64_C(1) << (number % 64);
        word set = turned ? word_turned((word)kings.set) : (word)kings.set;
        for (word rest = set; rest; rest &= rest - 1) {
            word square = rest & (~rest + 1);
            expected[kind][rank_of(set ^ square)] |= square;
        }
    }
    assert_int_equal(number, count + FIRST);
    plane_from_bits(2, (const uint64_t *const *)given, FIRST, free_squares, n, turned, planes);
    assert_memory_equal(planes[0], expected[0], 2 * sets_of(n - 1) * sizeof *rows);
    plane_to_bits(2, (const word *const *)planes, free_squares, n, turned, again, FIRST);
    assert_memory_equal(again[0], given[0], 2 * words * sizeof *bits);
    free(rows);
    free(bits);
}

static void test_planes(void **state)
{
    (void)state;
    for (int n = 1; n <= 4; n++)
        for (int men = 0; men < 4; men++)
            for (int turned = 0; turned < 2; turned++)
                check_plane(n, men == 0 ? 0 : random_set(4 - men), turned);
}

static void test_ranks(void **state)
{
    (void)state;
    for (int n = 0; n <= 4; n++) {
        struct combination sets;
        uint32_t number = 0;
        bool more = combination_begin(&sets, ALL_SQUARES, n);
        for (; more; more = combination_next(&sets), number++)
            assert_int_equal(rank_of((word)sets.set), number);
        assert_int_equal(number, sets_of(n));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reach), cmocka_unit_test(test_turned), cmocka_unit_test(test_transpose),
        cmocka_unit_test(test_bits),  cmocka_unit_test(test_ranks),  cmocka_unit_test(test_planes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
