/* Numbers of positions: the counts of the rules page, number -> position -> number for every position of
 * small slices and for samples of the largest, walks, subsets, names of slices, places in pairs, and slices
 * that cannot be. Counts are checked by a closed formula that knows no cells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "numbering.h"
#include "pair.h"
#include "walk.h"

/* -- How much is done ---------------------------------------------------------------------------------- */

struct workload {
    const char *name;        /* in the environment, DAMABASE_TESTS */
    int pieces;              /* every position of each of the first games of the table up to so many */
    int pieces_of_italian;   /* and of this one */
    int pieces_of_relatives; /* and of each other variant */
    int pair_pieces;         /* every place of the pairs up to so many */
    int samples;             /* numbers of each large slice */
};

static const struct workload workloads[] = {
    {"short", 3, 4, 3, 3, 20000},
    {"sanitised", 3, 3, 2, 2, 2000},
    {"long", 4, 5, 3, 3, 1000000},
    {"soak", 5, 6, 4, 4, 10000000},
};

enum { FIRST_GAMES = 4 };

static const struct workload *workload = &workloads[0];

static void choose_workload(void)
{
    const char *name = getenv("DAMABASE_TESTS");
    for (size_t i = 0; name && i < sizeof workloads / sizeof workloads[0]; i++)
        if (strcmp(workloads[i].name, name) == 0)
            workload = &workloads[i];
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

/* -- All slices ---------------------------------------------------------------------------------------- */

/* Goes to the next slice with so many pieces and a piece on both sides; starts from all zero. */
static bool next_slice(struct slice *slice, int pieces)
{
    int digits =
        slice->own_men * 1000 + slice->own_kings * 100 + slice->opponent_men * 10 + slice->opponent_kings;
    while (++digits < 10000) {
        *slice = (struct slice){(uint8_t)(digits / 1000), (uint8_t)(digits / 100 % 10),
                                (uint8_t)(digits / 10 % 10), (uint8_t)(digits % 10)};
        if (slice_pieces(*slice) == pieces && slice_own(*slice) > 0 && slice_opponent(*slice) > 0)
            return true;
    }
    return false;
}

static const char *name_of(struct slice slice)
{
    static char name[SLICE_NAME_SIZE];
    slice_write(slice, name);
    return name;
}

static struct numbering *numbering_of(const struct variant *variant, struct slice slice)
{
    struct numbering *numbering;
    enum status status = numbering_create(variant, slice, &numbering);
    if (status != STATUS_OK)
        fail_msg("%s %s: %s", variant->rules.name, name_of(slice), status_text(status));
    return numbering;
}

/* -- Counts -------------------------------------------------------------------------------------------- */

typedef unsigned __int128 wide;

/* Subsets of k of n things, by Pascal's sums. */
static wide subsets(int n, int k)
{
    static uint64_t rows[65][65];
    for (int i = 0; !rows[64][0] && i <= 64; i++)
        for (int j = 0; j <= i; j++)
            rows[i][j] = j == 0 || j == i ? 1 : rows[i - 1][j - 1] + rows[i - 1][j];
    return k > n ? 0 : rows[n][k];
}

/* Positions of a slice: own men outside the squares of the opponent's men, own men on them, then the rest. */
static wide formula(const struct variant *variant, struct slice slice)
{
    uint64_t own = variant_own_men_squares(variant);
    uint64_t opponent = variant_opponent_men_squares(variant);
    wide men = 0;
    for (int inside = 0; inside <= slice.own_men; inside++)
        men += subsets(bits_count(own & ~opponent), slice.own_men - inside) *
               subsets(bits_count(own & opponent), inside) *
               subsets(bits_count(opponent) - inside, slice.opponent_men);
    int free = variant->rules.board->squares - slice_men(slice);
    return free < 0
               ? 0
               : men * subsets(free, slice.own_kings) * subsets(free - slice.own_kings, slice.opponent_kings);
}

/* What is published for a board, men on all rows but their last, in Turkish also not on their first. */
struct published_counts {
    const struct board *board;
    uint64_t of[9]; /* by pieces; 0: not published */
};

static const struct published_counts published[] = {
    {&board_8x8_diagonal, {0, 0, 3488, 196032, 6209316, 139450808, 2426085676, 34243113624, 403190250561}},
    {&board_10x10_diagonal, {0, 0, 8845, 806300, 41971200, 1570600750, 46198758750}},
    {&board_8x8_orthogonal, {0, 0, 12336, 1335840, 82938632, 3717485280, 131551306864}},
};

static const struct published_counts *published_of(const struct variant *variant)
{
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++)
        if (published[i].board == variant->rules.board)
            return &published[i];
    fail_msg("%s: no counts are published for its board", variant->rules.name);
    return NULL;
}

static uint64_t count_all(const struct variant *variant, int pieces)
{
    struct slice slice = {0};
    uint64_t sum = 0;
    while (next_slice(&slice, pieces)) {
        uint64_t positions = 0;
        enum status status = numbering_count(variant, slice, &positions);
        if (status != STATUS_OK || positions != formula(variant, slice))
            fail_msg("%s %s: %s, %llu positions", variant->rules.name, name_of(slice), status_text(status),
                     (unsigned long long)positions);
        sum += positions;
    }
    return sum;
}

static void test_counts(void **state)
{
    (void)state;
    for (size_t v = 0; v < variant_count; v++)
        for (int pieces = 2; pieces <= 8; pieces++) {
            uint64_t count = count_all(variant_table[v], pieces);
            uint64_t expected = published_of(variant_table[v])->of[pieces];
            if (expected && count != expected)
                fail_msg("%s, %d pieces: %llu, not %llu", variant_table[v]->rules.name, pieces,
                         (unsigned long long)count, (unsigned long long)expected);
        }
}

/* -- Every position of small slices -------------------------------------------------------------------- */

static void fail_number(const struct numbering *numbering, uint64_t number, const char *what)
{
    fail_msg("%s %s, position %llu: %s", numbering->variant->rules.name, name_of(numbering->slice),
             (unsigned long long)number, what);
}

static bool same_position(const struct position *a, const struct position *b)
{
    return a->own_men == b->own_men && a->own_kings == b->own_kings && a->opponent_men == b->opponent_men &&
           a->opponent_kings == b->opponent_kings;
}

/* The position of a number is one of the slice and has that number again. */
static struct position check_number(const struct numbering *numbering, uint64_t number)
{
    struct position position = numbering_position(numbering, number);
    const char *fault = variant_fault(numbering->variant, &position);
    if (fault)
        fail_number(numbering, number, fault);
    if (!slice_equal(slice_of(&position), numbering->slice))
        fail_number(numbering, number, "is of another slice");
    if (numbering_number(numbering, &position) != number)
        fail_number(numbering, number, "gets another number");
    return position;
}

/* Men, cell and row counts of a position agree with the cell that holds its number. */
static void check_cell(const struct numbering *numbering, uint64_t number, const struct position *position)
{
    const struct board *board = numbering->variant->rules.board;
    uint32_t number_of_cell = numbering_cell_at(numbering, number);
    const struct cell *cell = &numbering->cells[number_of_cell];
    int advancement = 0;
    for (int row = 0; row < board->rows; row++) {
        int own = bits_count(position->own_men & board_row(board, row));
        int opponent = bits_count(position->opponent_men & board_row(board, row));
        if (own != cell->own_rows[row] || opponent != cell->opponent_rows[row])
            fail_number(numbering, number, "is in a cell with other rows");
        advancement += own * row + opponent * (board->rows - 1 - row);
    }
    if (advancement != cell->advancement)
        fail_number(numbering, number, "has another advancement");
    if (numbering_cell(numbering, position->own_men, position->opponent_men) != number_of_cell)
        fail_number(numbering, number, "has another cell");
    if ((number - cell->first) / numbering->kings !=
        numbering_men(numbering, position->own_men, position->opponent_men))
        fail_number(numbering, number, "has another number of its men");
}

static void check_every_position(const struct variant *variant, struct slice slice)
{
    struct numbering *numbering = numbering_of(variant, slice);
    struct walk walk;
    walk_begin(&walk, numbering, 0);
    for (uint64_t number = 0; number < numbering->positions; number++) {
        struct position position = check_number(numbering, number);
        if (number % 61 == 0)
            check_cell(numbering, number, &position);
        if (walk.number != number || !same_position(&walk.position, &position))
            fail_number(numbering, number, "is not where the walk comes to it");
        if (walk_next(&walk) != (number + 1 < numbering->positions))
            fail_number(numbering, number, "the walk ends too late or too early");
    }
    numbering_destroy(numbering);
}

static void test_every_position(void **state)
{
    (void)state;
    for (size_t v = 0; v < variant_count; v++) {
        bool italian = variant_table[v] == variant_named("italian");
        int most = italian           ? workload->pieces_of_italian
                   : v < FIRST_GAMES ? workload->pieces
                                     : workload->pieces_of_relatives;
        for (int pieces = 2; pieces <= most; pieces++) {
            struct slice slice = {0};
            while (next_slice(&slice, pieces))
                check_every_position(variant_table[v], slice);
        }
    }
}

/* -- Walks from the middle, and the largest slices ----------------------------------------------------- */

/* Walks on from a number for some steps, or to the end. */
static void check_walk_from(const struct numbering *numbering, uint64_t number, int steps)
{
    struct walk walk;
    bool more = true;
    walk_begin(&walk, numbering, number);
    for (int step = 0; more && step < steps; step++, number++) {
        struct position position = numbering_position(numbering, number);
        if (walk.number != number || !same_position(&walk.position, &position))
            fail_number(numbering, number, "is not where a walk from the middle comes to it");
        if (walk.cell != numbering_cell_at(numbering, number))
            fail_number(numbering, number, "is in another cell of the walk");
        more = walk_next(&walk);
        if (more != (number + 1 < numbering->positions))
            fail_number(numbering, number, "the walk ends too late or too early");
    }
}

static void test_walks_from_the_middle(void **state)
{
    (void)state;
    for (size_t i = 0; i < variant_count; i++) {
        struct slice slice = {0};
        while (next_slice(&slice, 3)) {
            struct numbering *numbering = numbering_of(variant_table[i], slice);
            for (uint32_t cell = 1; cell < numbering->cell_count; cell++)
                check_walk_from(numbering, numbering->cells[cell].first - 1, 3);
            for (int start = 0; start < 20; start++)
                check_walk_from(numbering, random_bits() % numbering->positions, 300);
            numbering_destroy(numbering);
        }
    }
}

struct large_slice {
    const char *variant;
    const char *slice;
};

/* The largest that are planned, and some that are larger. */
static const struct large_slice large_slices[] = {
    {"damii", "04v04"},      {"damii", "40v40"},   {"damii", "22v22"},      {"damii", "05v04"},
    {"damii", "13v31"},      {"italian", "04v04"}, {"italian", "22v22"},    {"italian", "40v40"},
    {"portuguese", "13v31"}, {"italian", "31v13"}, {"portuguese", "32v21"}, {"turkish", "03v03"},
    {"turkish", "21v12"},    {"turkish", "04v04"}, {"turkish", "08v08"},    {"damii", "09v08"},
};

static void check_large(const struct large_slice *large)
{
    const struct variant *variant = variant_named(large->variant);
    struct slice slice;
    assert_true(slice_read(large->slice, &slice));
    struct numbering *numbering = numbering_of(variant, slice);
    if (numbering->positions != formula(variant, slice))
        fail_number(numbering, numbering->positions, "is not the count");
    for (uint64_t i = 0; i < 1000; i++) {
        check_number(numbering, i);
        uint64_t number = numbering->positions - 1 - i;
        struct position position = check_number(numbering, number);
        check_cell(numbering, number, &position);
    }
    for (int i = 0; i < workload->samples; i++) {
        uint64_t number = random_bits() % numbering->positions;
        struct position position = check_number(numbering, number);
        check_cell(numbering, number, &position);
    }
    check_walk_from(numbering, numbering->positions - 1000, 2000);
    check_walk_from(numbering, numbering->positions / 2, 2000);
    numbering_destroy(numbering);
}

static void test_largest_slices(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof large_slices / sizeof large_slices[0]; i++)
        check_large(&large_slices[i]);
}

/* Either the exact count, or the error that says that 64 bits do not hold it. */
static void test_overflow_is_an_error(void **state)
{
    static const char *const names[] = {"09v09", "08v09", "09v08", "08v08", "19v09", "29v29", "18v18",
                                        "28v18", "17v27", "38v01", "07v07", "26v17", "37v26", "09v19"};
    int held[2] = {0};
    (void)state;
    for (size_t v = 0; v < variant_count; v++)
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            struct slice slice;
            uint64_t positions;
            assert_true(slice_read(names[i], &slice));
            wide expected = formula(variant_table[v], slice);
            bool fits = expected <= UINT64_MAX;
            enum status status = numbering_count(variant_table[v], slice, &positions);
            if (status != (fits ? STATUS_OK : STATUS_TOO_MANY_PIECES) || (fits && positions != expected))
                fail_msg("%s %s: %s", variant_table[v]->rules.name, names[i], status_text(status));
            held[fits]++;
        }
    assert_true(held[false] > 5 && held[true] > 5);
}

static void test_impossible_slices(void **state)
{
    static const char *const full[] = {"99v99", "98v98", "99v96", "88v99"};
    const struct variant *italian = variant_named("italian");
    static struct numbering no_numbering;
    static struct slice_pair no_pair;
    struct numbering *numbering = &no_numbering;
    struct slice_pair *pair = &no_pair;
    struct slice slice;
    uint64_t positions;
    (void)state;
    for (size_t i = 0; i < sizeof full / sizeof full[0]; i++) {
        assert_true(slice_read(full[i], &slice));
        assert_int_equal(numbering_count(italian, slice, &positions), STATUS_BAD_SLICE);
        assert_int_equal(numbering_create(italian, slice, &numbering), STATUS_BAD_SLICE);
        assert_null(numbering);
        assert_int_equal(slice_pair_create(italian, slice, &pair), STATUS_BAD_SLICE);
        assert_null(pair);
    }
    slice = (struct slice){9, 9, 9, 9};
    assert_int_equal(numbering_create(variant_named("damii"), slice, &numbering), STATUS_TOO_MANY_PIECES);
    assert_null(numbering);
    assert_int_equal(slice_pair_create(variant_named("damii"), slice, &pair), STATUS_TOO_MANY_PIECES);
    assert_null(pair);
    numbering_destroy(NULL);
    slice_pair_destroy(NULL);
}

/* -- Subsets ------------------------------------------------------------------------------------------- */

static void test_choose(void **state)
{
    (void)state;
    for (int n = 0; n <= 64; n++)
        for (int k = 0; k <= MAX_CHOSEN; k++)
            if (choose[n][k] != subsets(n, k))
                fail_msg("choose[%d][%d] is wrong", n, k);
}

/* All subsets of one size in order, each with its number both ways. */
static void check_subsets(uint64_t free, int count)
{
    struct combination combination;
    uint64_t before = 0;
    uint64_t number = 0;
    if (!combination_begin(&combination, free, count)) {
        assert_true(count > bits_count(free));
        return;
    }
    do {
        assert_int_equal(bits_count(combination.set), count);
        assert_int_equal(combination.set & ~free, 0);
        assert_true(number == 0 || combination.set > before);
        assert_int_equal(combination_number(free, combination.set), number);
        assert_int_equal(combination_at(free, count, number), combination.set);
        uint64_t turned = combination_number_turned(bits_reversed(free), bits_reversed(combination.set));
        assert_int_equal(turned, number);
        before = combination.set;
        number++;
    } while (combination_next(&combination));
    assert_int_equal(number, choose[bits_count(free)][count]);
}

/* From any number on, the rest comes in the same order. */
static void check_subsets_from(uint64_t free, int count)
{
    uint64_t all = choose[bits_count(free)][count];
    if (all == 0)
        return;
    uint64_t number = random_bits() % all;
    struct combination combination;
    combination_begin_at(&combination, free, count, number);
    for (int step = 0; step < 200; step++, number++) {
        assert_int_equal(combination.set, combination_at(free, count, number));
        bool more = combination_next(&combination);
        assert_int_equal(more, number + 1 < all);
        if (!more)
            return;
    }
}

/* About eight squares. */
static uint64_t sparse_set(void)
{
    uint64_t set = random_bits();
    set &= random_bits();
    return set & random_bits();
}

static void test_subsets(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++) {
        uint64_t sparse = sparse_set();
        uint64_t free = i == 0 ? 0 : i == 1 ? UINT64_C(0x8000000000000001) : sparse;
        for (int count = 0; count <= 4; count++)
            check_subsets(free, count);
        for (int count = 0; count <= MAX_CHOSEN; count++) {
            check_subsets_from(free, count);
            check_subsets_from(i == 2 ? UINT64_MAX : ~sparse, count);
        }
    }
    check_subsets(UINT64_MAX, 1);
    check_subsets(UINT64_MAX, 2);
}

static void test_turned_subsets(void **state)
{
    (void)state;
    for (size_t v = 0; v < variant_count; v++) {
        const struct board *board = variant_table[v]->rules.board;
        for (int i = 0; i < 10000; i++) {
            uint64_t free = random_bits() & board_all(board);
            uint64_t set = free & sparse_set();
            if (bits_count(set) > MAX_CHOSEN)
                continue;
            assert_int_equal(combination_number_turned(free, set),
                             combination_number(board_turned(board, free), board_turned(board, set)));
        }
    }
}

/* -- Names of slices ----------------------------------------------------------------------------------- */

static void test_slice_names(void **state)
{
    static const char *const bad[] = {"",       "2",     "21v1",      "21v100",  "21v10 ", " 21v10",
                                      "21V10",  "21w10", "2av10",     "21v1/",   "21v1:",  "-1v10",
                                      "00v10",  "21v00", "00v00",     "2110",    "211v0",  "21v",
                                      "21v10v", "v2110", "21v10.wdl", "\2621v10"};
    (void)state;
    for (int digits = 0; digits < 10000; digits++) {
        struct slice slice = {(uint8_t)(digits / 1000), (uint8_t)(digits / 100 % 10),
                              (uint8_t)(digits / 10 % 10), (uint8_t)(digits % 10)};
        char expected[32];
        struct slice read;
        snprintf(expected, sizeof expected, "%d%dv%d%d", digits / 1000, digits / 100 % 10, digits / 10 % 10,
                 digits % 10);
        assert_string_equal(name_of(slice), expected);
        bool both = slice_own(slice) > 0 && slice_opponent(slice) > 0;
        assert_int_equal(slice_read(expected, &read), both);
        if (both)
            assert_true(slice_equal(read, slice));
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct slice slice;
        if (slice_read(bad[i], &slice))
            fail_msg("reads %s", bad[i]);
    }
}

static void test_pair_names(void **state)
{
    static const char *const names[][2] = {{"21v10", "21v10"}, {"10v21", "21v10"}, {"11v11", "11v11"},
                                           {"11v02", "02v11"}, {"20v11", "11v20"}, {"01v10", "01v10"},
                                           {"10v01", "01v10"}, {"30v02", "30v02"}, {"02v30", "30v02"}};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct slice slice;
        assert_true(slice_read(names[i][0], &slice));
        assert_string_equal(name_of(slice_pair_name(slice)), names[i][1]);
        assert_true(slice_equal(slice_pair_name(slice_mirror(slice)), slice_pair_name(slice)));
        assert_int_equal(slice_is_own_mirror(slice), slice_equal(slice, slice_mirror(slice)));
    }
    struct position nine = {.own_kings = 0x1ff, .opponent_men = 0x3fe00};
    assert_true(slice_exists_for(&nine));
    nine.own_men = UINT64_C(0x3ff) << 20;
    assert_false(slice_exists_for(&nine));
}

/* -- Places in pairs ----------------------------------------------------------------------------------- */

static bool same_place(struct place a, struct place b)
{
    return a.cell == b.cell && a.men == b.men && a.side == b.side;
}

static void fail_place(const struct slice_pair *pair, int member, uint64_t number, const char *what)
{
    fail_msg("%s pair %s, member %d, position %llu: %s", pair->variant->rules.name, name_of(pair->name),
             member, (unsigned long long)number, what);
}

/* The place of the same pieces with the other side to move: same cell and men, other side. Where turning maps
 * a unit to itself, that is the same place again. */
static void check_twin(const struct slice_pair *pair, int member, uint64_t number,
                       const struct position *position, struct place place)
{
    struct position turned = position_turned(pair->variant->rules.board, position);
    int other = pair->own_mirror ? member : 1 - member;
    struct place twin = slice_pair_place(pair, other, turned.own_men, turned.opponent_men);
    bool men_alike = turned.own_men == position->own_men && turned.opponent_men == position->opponent_men;
    bool one_side = slice_pair_sides(pair, place.cell) == 1;
    if (twin.cell != place.cell)
        fail_place(pair, member, number, "the other side's place is in another cell");
    if (pair->own_mirror && men_alike ? !same_place(place, twin) : !one_side && twin.side == place.side)
        fail_place(pair, member, number, "the other side's place has the wrong side");
    if (!one_side && twin.men != place.men)
        fail_place(pair, member, number, "the other side's place is in another unit");
}

static struct place check_place(const struct slice_pair *pair, int member, uint64_t number,
                                const struct position *position)
{
    struct place place = slice_pair_place(pair, member, position->own_men, position->opponent_men);
    const struct numbering *first = pair->members[0];
    if (place.cell >= first->cell_count || !slice_pair_uses_cell(pair, place.cell))
        fail_place(pair, member, number, "is in a cell that is not used");
    if (place.men >= first->cells[place.cell].arrangements)
        fail_place(pair, member, number, "its men are beyond the cell");
    if (place.side < 0 || place.side >= slice_pair_sides(pair, place.cell))
        fail_place(pair, member, number, "its side has no places");
    if (!pair->own_mirror && place.side != member)
        fail_place(pair, member, number, "its side is not its member");
    /* The men at the place, seen by the side there, are the position's. */
    uint64_t own;
    uint64_t opponent;
    numbering_men_at(first, place.cell, place.men, &own, &opponent);
    const struct board *board = pair->variant->rules.board;
    if (place.side == 0 ? own != position->own_men || opponent != position->opponent_men
                        : board_turned(board, own) != position->opponent_men ||
                              board_turned(board, opponent) != position->own_men)
        fail_place(pair, member, number, "has other men");
    check_twin(pair, member, number, position, place);
    return place;
}

/* Marks the place in a bit set. False if it was taken. */
static bool occupy(uint8_t *taken, const struct slice_pair *pair, struct place place, uint64_t kings)
{
    const struct numbering *first = pair->members[0];
    uint64_t bit = (uint64_t)place.side * first->positions + first->cells[place.cell].first +
                   place.men * pair->kings + kings;
    if (taken[bit / 8] >> bit % 8 & 1)
        return false;
    taken[bit / 8] |= (uint8_t)(1 << bit % 8);
    return true;
}

static void check_pair(const struct variant *variant, struct slice member)
{
    struct slice_pair *pair;
    assert_int_equal(slice_pair_create(variant, member, &pair), STATUS_OK);
    assert_true(slice_equal(pair->name, slice_pair_name(member)));
    assert_true(slice_equal(pair->members[0]->slice, pair->name));
    assert_true(slice_equal(pair->members[1]->slice, slice_mirror(pair->name)));
    uint8_t *taken = calloc(1, pair->members[0]->positions / 4 + 1);
    assert_non_null(taken);
    uint64_t positions = 0;
    for (int i = 0; i < (pair->own_mirror ? 1 : 2); i++) {
        struct walk walk;
        walk_begin(&walk, pair->members[i], 0);
        do {
            struct place place = check_place(pair, i, walk.number, &walk.position);
            if (!occupy(taken, pair, place, walk.kings))
                fail_place(pair, i, walk.number, "shares its place with another position");
            positions++;
        } while (walk_next(&walk));
    }
    assert_int_equal(pair->positions, positions);
    free(taken);
    slice_pair_destroy(pair);
}

static void test_pairs(void **state)
{
    (void)state;
    for (size_t v = 0; v < variant_count; v++)
        for (int pieces = 2; pieces <= workload->pair_pieces; pieces++) {
            struct slice slice = {0};
            while (next_slice(&slice, pieces))
                if (slice_equal(slice, slice_pair_name(slice)))
                    check_pair(variant_table[v], slice_mirror(slice));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_every_position),
        cmocka_unit_test(test_walks_from_the_middle),
        cmocka_unit_test(test_largest_slices),
        cmocka_unit_test(test_overflow_is_an_error),
        cmocka_unit_test(test_impossible_slices),
        cmocka_unit_test(test_choose),
        cmocka_unit_test(test_subsets),
        cmocka_unit_test(test_turned_subsets),
        cmocka_unit_test(test_slice_names),
        cmocka_unit_test(test_pair_names),
        cmocka_unit_test(test_pairs),
    };
    choose_workload();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
