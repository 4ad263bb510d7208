/* Distances through the public interface, against the plain solver and against sets that are solved here: of
 * positions and of moves, under the games' own limits and under small ones, and with tables missing or wrong.
 */
#include "library.h"
#include "plain_values.h"
#include "row_limit.h"
#include "small_set.h"
#include "temporary.h"
#include "verdict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { OWN_LIMIT = -1 };

/* A solved set with its tables, under a limit of its own. */
struct shelf {
    struct small_set *set;
    const struct variant *row;
    const dama_variant *variant;
    uint16_t limit_before;
    char *folder;
    dama_tables *tables;
};

static dama_tables *open_tables(const char *directories)
{
    dama_tables *tables = NULL;
    assert_int_equal(dama_open(directories, 0, &tables), DAMA_OK);
    return tables;
}

static struct shelf *shelf_make(const char *name, int pieces, int limit)
{
    struct shelf *shelf = calloc(1, sizeof *shelf);
    assert_non_null(shelf);
    shelf->row = variant_named(name);
    shelf->variant = dama_variant_named(name);
    shelf->limit_before = shelf->row->rules.limit;
    if (limit != OWN_LIMIT)
        row_limit_change(shelf->row, (uint16_t)limit);
    shelf->set = small_set_solve(name, pieces);
    shelf->folder = temporary_folder();
    small_set_write(shelf->set, shelf->folder, &(struct table_options){.level = 1, .block_log2 = 10});
    shelf->tables = open_tables(shelf->folder);
    return shelf;
}

static void shelf_destroy(struct shelf *shelf)
{
    row_limit_change(shelf->row, shelf->limit_before);
    dama_close(shelf->tables);
    small_set_destroy(shelf->set);
    remove_folder(shelf->folder);
    free(shelf->folder);
    free(shelf);
}

/* The same tables once more, none of them open yet. */
static void reopen(struct shelf *shelf)
{
    dama_close(shelf->tables);
    shelf->tables = open_tables(shelf->folder);
}

/* Own's view of a public position. */
static struct position own_view_of(const struct shelf *shelf, const dama_board *board)
{
    struct position position = library_white_view(shelf->row, board);
    return board->black_to_move ? position_turned(shelf->row->rules.board, &position) : position;
}

static dama_value value_in(const struct shelf *shelf, const dama_board *board)
{
    struct position own = own_view_of(shelf, board);
    return (dama_value)((int)small_set_value(shelf->set, &own) + DAMA_LOSS);
}

static int plies_in(const struct shelf *shelf, const dama_board *board)
{
    struct position own = own_view_of(shelf, board);
    return (int)small_set_distance(shelf->set, &own);
}

static dama_board board_of(const struct shelf *shelf, const char *fen)
{
    dama_board board;
    assert_int_equal(dama_fen_read(shelf->variant, fen, &board, NULL), DAMA_OK);
    return board;
}

/* A random position of the set. */
static dama_board random_board(const struct shelf *shelf, uint64_t *random)
{
    for (;;) {
        size_t slot = random_next(random) % SMALL_SET_SLOTS;
        const struct numbering *numbering = shelf->set->numberings[slot];
        if (!numbering)
            continue;
        struct position own = numbering_position(numbering, random_next(random) % numbering->positions);
        bool black = random_next(random) % 2;
        struct position turned = position_turned(shelf->row->rules.board, &own);
        return library_board(shelf->row, black ? &turned : &own, black);
    }
}

/* -- Positions ----------------------------------------------------------------------------------------- */

/* A position against the plain solver. Returns its value. */
static enum value compare_with_plain(const struct shelf *shelf, const struct slow_variant *rules,
                                     const struct plain_solution *solution, const dama_board *board)
{
    char fen[DAMA_MAX_FEN];
    struct slow_position slow;
    dama_value value = DAMA_DRAW;
    int plies = -1;
    assert_int_equal(dama_fen_write(shelf->variant, board, fen), DAMA_OK);
    assert_true(slow_parse_fen(rules, fen, &slow));
    enum plain_value plain = plain_value_of(solution, &slow);
    enum value expected = value_of_plain(plain, plain_is_spoilt(solution, &slow));
    int distance = expected == DRAW ? 0 : plain_dtz(solution, &slow);
    dama_status status = dama_probe_dtz(shelf->tables, shelf->variant, board, 0, &value, &plies);
    if (status != DAMA_OK || value - DAMA_LOSS != (int)expected || plies != distance)
        fail_msg("%s, limit %d, %s: status %d, %s %d instead of %s %d", rules->name, rules->limit, fen,
                 status, dama_value_text(value), plies, value_text(expected), distance);
    return expected;
}

/* Every position of a set, half of them as Black's. Returns how many are cursed or blessed. */
static uint64_t check_positions(const char *name, int pieces, int limit)
{
    uint64_t spoilt = 0;
    struct shelf *shelf = shelf_make(name, pieces, limit);
    struct slow_variant rules = *slow_variant_named(name);
    struct plain_solution *solution;
    rules.limit = shelf->row->rules.limit;
    assert_int_equal(dama_limit(shelf->variant), rules.limit);
    assert_int_equal(plain_solve(&rules, pieces, &solution), 0);
    for (int slot = 0; slot < SMALL_SET_SLOTS; slot++) {
        const struct numbering *numbering = shelf->set->numberings[slot];
        for (uint64_t number = 0; numbering && number < numbering->positions; number++) {
            bool black = number % 2;
            struct position own = numbering_position(numbering, number);
            struct position turned = position_turned(shelf->row->rules.board, &own);
            dama_board board = library_board(shelf->row, black ? &turned : &own, black);
            spoilt += value_is_spoilt(compare_with_plain(shelf, &rules, solution, &board));
        }
    }
    plain_free(solution);
    shelf_destroy(shelf);
    return spoilt;
}

static void test_every_position(void **state)
{
    static const int limits[] = {OWN_LIMIT, 6, 8};
    uint64_t spoilt = 0;
    (void)state;
    for (size_t v = 0; v < variant_count; v++)
        for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
            spoilt += check_positions(variant_table[v]->rules.name, 2, limits[i]);
    assert_true(spoilt > 0);
}

/* Three pieces have distances that run through moves of men. */
static void test_every_position_of_three_pieces(void **state)
{
    const char *tests = getenv("DAMABASE_TESTS");
    (void)state;
    if (!tests || strcmp(tests, "short") == 0)
        return;
    check_positions("portuguese", 3, OWN_LIMIT);
    assert_true(check_positions("portuguese", 3, 6) > 0);
    assert_true(check_positions("italian", 3, 8) > 0);
}

/* -- Moves --------------------------------------------------------------------------------------------- */

/* What a move counts, in the words of the rules. Squares of a dama_board follow one another row by row. */
static int plies_of_move(const struct shelf *shelf, const dama_move *move, const dama_board *after,
                         bool *zeroing)
{
    const struct rules *rules = &shelf->row->rules;
    int width = rules->board->width;
    bool leaves_row = move->by_man && move->from / width != move->to / width;
    dama_value value = value_in(shelf, after);
    *zeroing = move->taken || (leaves_row && rules->zeroing == ZEROED_BY_FORWARD_STEPS);
    if (value == DAMA_DRAW)
        return 0;
    if (!*zeroing)
        return 1 + plies_in(shelf, after);
    return value == DAMA_CURSED_WIN || value == DAMA_BLESSED_LOSS ? rules->limit + 1 : 1;
}

/* What the move is worth to the mover: too late is too late, whatever the position after it is worth. */
static dama_value value_of_move(const struct shelf *shelf, const dama_board *after, int plies)
{
    int value = -(int)value_in(shelf, after);
    int limit = shelf->row->rules.limit;
    if (value == DAMA_DRAW)
        return DAMA_DRAW;
    bool late = limit > 0 && plies > limit;
    if (value > DAMA_DRAW)
        return late ? DAMA_CURSED_WIN : DAMA_WIN;
    return late ? DAMA_BLESSED_LOSS : DAMA_LOSS;
}

static bool in_order(const dama_root_move *a, const char *a_text, const dama_root_move *b, const char *b_text)
{
    if (a->value != b->value)
        return a->value > b->value;
    if (a->dtz_plies != b->dtz_plies)
        return (a->dtz_plies < b->dtz_plies) == (a->value > DAMA_DRAW);
    return strcmp(a_text, b_text) < 0;
}

/* All moves of a position. Returns how many have another value than the position after them. */
static uint64_t check_moves(const struct shelf *shelf, const dama_board *board)
{
    static dama_root_move moves[DAMA_MAX_MOVES];
    char before[DAMA_MAX_MOVE_TEXT] = "";
    uint64_t late = 0;
    size_t count;
    assert_int_equal(dama_probe_root(shelf->tables, shelf->variant, board, 0, moves, &count), DAMA_OK);
    for (size_t i = 0; i < count; i++) {
        dama_board after;
        char text[DAMA_MAX_MOVE_TEXT];
        bool zeroing;
        assert_int_equal(dama_play(shelf->variant, board, &moves[i].move, &after), DAMA_OK);
        assert_int_equal(dama_move_write(shelf->variant, board, &moves[i].move, text), DAMA_OK);
        assert_int_equal(moves[i].status, DAMA_OK);
        assert_int_equal(moves[i].dtz_status, DAMA_OK);
        assert_int_equal(moves[i].dtz_plies, plies_of_move(shelf, &moves[i].move, &after, &zeroing));
        assert_int_equal(moves[i].zeroing, zeroing);
        assert_int_equal(moves[i].value, value_of_move(shelf, &after, moves[i].dtz_plies));
        assert_true(i == 0 || in_order(&moves[i - 1], before, &moves[i], text));
        late += (int)moves[i].value != -(int)value_in(shelf, &after);
        memcpy(before, text, sizeof before);
    }
    if (count > 0 && plies_in(shelf, board) > 0) { /* else it is drawn or over */
        assert_int_equal(moves[0].value, value_in(shelf, board));
        assert_int_equal(moves[0].dtz_plies, plies_in(shelf, board));
    }
    return late;
}

static uint64_t check_random_moves(const char *name, int pieces, int limit, int rounds)
{
    uint64_t random = 17;
    uint64_t late = 0;
    struct shelf *shelf = shelf_make(name, pieces, limit);
    for (int round = 0; round < rounds; round++) {
        dama_board board = random_board(shelf, &random);
        late += check_moves(shelf, &board);
    }
    shelf_destroy(shelf);
    return late;
}

static void test_moves(void **state)
{
    (void)state;
    check_random_moves("portuguese", 3, OWN_LIMIT, 500);
    check_random_moves("turkish", 2, OWN_LIMIT, 500);
    check_random_moves("damii", 2, OWN_LIMIT, 500);
    assert_true(check_random_moves("italian", 2, 6, 2000) > 0);
    assert_true(check_random_moves("portuguese", 3, 6, 2000) > 0);
}

/* -- Tables that are missing or wrong -------------------------------------------------------------------- */

static void remove_tables(const struct shelf *shelf, enum metric metric)
{
    for (int slot = 0; slot < SMALL_SET_SLOTS; slot++) {
        char name[TABLE_NAME_SIZE];
        struct slice slice = {(uint8_t)(slot / 1000), (uint8_t)(slot / 100 % 10), (uint8_t)(slot / 10 % 10),
                              (uint8_t)(slot % 10)};
        if (!shelf->set->numberings[slot])
            continue;
        table_name_write(slice, metric, name);
        char *path = small_set_table(shelf->set, shelf->folder, name);
        unlink(path);
        free(path);
    }
}

/* True if the distance follows from the value: nothing has to be read for it. */
static bool is_free(const struct shelf *shelf, const dama_board *board)
{
    struct position own = own_view_of(shelf, board);
    return value_in(shelf, board) == DAMA_DRAW || plies_in(shelf, board) == 0 ||
           shelf->row->moves->has_capture(&own);
}

/* What is called the best move without distances keeps the value of the position; there always is one but for
 * wins, which may come a ply too late, and blessed losses, which may come in time. False if there is none. */
static bool check_best(const struct shelf *shelf, const dama_board *board, const dama_root_move *moves,
                       size_t count)
{
    dama_board after;
    bool zeroing;
    struct verdict verdict = {.limit = dama_limit(shelf->variant), .dtz_status = DAMA_NO_TABLE};
    verdict.status = dama_probe_wdl(shelf->tables, shelf->variant, board, 0, &verdict.value);
    assert_int_equal(verdict.status, DAMA_OK);
    const dama_root_move *best = verdict_best(&verdict, moves, count);
    if (!best) {
        assert_true(verdict.value == DAMA_WIN || verdict.value == DAMA_BLESSED_LOSS);
        return false;
    }
    assert_int_equal(dama_play(shelf->variant, board, &best->move, &after), DAMA_OK);
    int plies = plies_of_move(shelf, &best->move, &after, &zeroing);
    assert_int_equal(value_of_move(shelf, &after, plies), verdict.value);
    return true;
}

/* Moves whose distances are unknown: no better than the position, and what is certain is right. False if the
 * best of them is not certain. */
static bool check_capped(const struct shelf *shelf, const dama_board *board)
{
    static dama_root_move moves[DAMA_MAX_MOVES];
    char before[DAMA_MAX_MOVE_TEXT] = "";
    size_t count;
    dama_value position = value_in(shelf, board);
    assert_int_equal(dama_probe_root(shelf->tables, shelf->variant, board, 0, moves, &count), DAMA_OK);
    for (size_t i = 0; i < count && plies_in(shelf, board) > 0; i++) {
        dama_board after;
        char text[DAMA_MAX_MOVE_TEXT];
        bool zeroing;
        assert_int_equal(dama_play(shelf->variant, board, &moves[i].move, &after), DAMA_OK);
        assert_int_equal(dama_move_write(shelf->variant, board, &moves[i].move, text), DAMA_OK);
        int plies = plies_of_move(shelf, &moves[i].move, &after, &zeroing);
        assert_int_equal(moves[i].status, DAMA_OK);
        assert_int_equal(moves[i].dtz_status, zeroing || is_free(shelf, &after) ? DAMA_OK : DAMA_NO_TABLE);
        assert_true(moves[i].value <= position);
        if (moves[i].dtz_status == DAMA_OK || position == DAMA_CURSED_WIN)
            assert_int_equal(moves[i].value, value_of_move(shelf, &after, plies));
        memcpy(before, text, sizeof before);
    }
    if (count > 0 && position == DAMA_CURSED_WIN)
        assert_int_equal(moves[0].value, DAMA_CURSED_WIN);
    return count == 0 || plies_in(shelf, board) == 0 || check_best(shelf, board, moves, count);
}

static void test_missing_tables(void **state)
{
    struct shelf *shelf = shelf_make("italian", 2, 6);
    uint64_t random = 23;
    int needed = 0;
    int cursed = 0;
    int uncertain = 0;
    (void)state;
    remove_tables(shelf, METRIC_DTZ);
    for (int round = 0; round < 5000; round++) {
        dama_board board = random_board(shelf, &random);
        dama_value value = 77;
        int plies = 77;
        dama_status status = dama_probe_dtz(shelf->tables, shelf->variant, &board, 0, &value, &plies);
        assert_int_equal(status, is_free(shelf, &board) ? DAMA_OK : DAMA_NO_TABLE);
        if (status == DAMA_OK) {
            assert_int_equal(value, value_in(shelf, &board));
            assert_int_equal(plies, plies_in(shelf, &board));
        } else {
            assert_true((int)value == 77 && plies == 77);
        }
        needed += status != DAMA_OK;
        cursed += value_in(shelf, &board) == DAMA_CURSED_WIN;
        uncertain += !check_capped(shelf, &board);
    }
    assert_true(needed > 100 && cursed > 100 && uncertain > 10);
    shelf_destroy(shelf);
}

/* Where nothing is left to ask for, nothing is needed. */
static void test_no_tables(void **state)
{
    static const struct {
        const char *variant, *fen;
        dama_value value;
        int plies;
    } cases[] = {{"italian", "W:W:B1", DAMA_LOSS, 0},          {"italian", "W:W30:B", DAMA_WIN, 0},
                 {"italian", "W:W25:B18,21", DAMA_LOSS, 0},    {"italian", "W:W22:B18", DAMA_WIN, 1},
                 {"turkish", "W:WKa1:Bh5", DAMA_WIN, 0},       {"turkish", "W:Wa3:BKd4", DAMA_LOSS, 0},
                 {"turkish-tudaf", "W:Wa3:BKd4", DAMA_DRAW, 0}};
    dama_tables *tables = open_tables("");
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const dama_variant *variant = dama_variant_named(cases[i].variant);
        dama_board board;
        dama_value value;
        int plies;
        assert_int_equal(dama_fen_read(variant, cases[i].fen, &board, NULL), DAMA_OK);
        assert_int_equal(dama_probe_dtz(tables, variant, &board, 0, &value, &plies), DAMA_OK);
        assert_int_equal(value, cases[i].value);
        assert_int_equal(plies, cases[i].plies);
    }
    dama_close(tables);
}

static enum status asked_with_message(const struct shelf *shelf, const char *fen, char *message)
{
    dama_board board = board_of(shelf, fen);
    struct position own = own_view_of(shelf, &board);
    dama_value value;
    int plies;
    enum status status =
        (enum status)dama_probe_dtz(shelf->tables, shelf->variant, &board, 0, &value, &plies);
    library_message(shelf->tables, shelf->row, &own, status, message);
    return status;
}

static void test_wrong_tables(void **state)
{
    struct shelf *shelf = shelf_make("italian", 2, OWN_LIMIT);
    char message[MESSAGE_SIZE];
    size_t length;
    dama_value value;
    (void)state;
    char *damaged = small_set_table(shelf->set, shelf->folder, "01v10.dtz");
    char *missing = small_set_table(shelf->set, shelf->folder, "10v10.dtz");
    uint8_t *bytes = file_bytes(damaged, &length);
    bytes[length - 1] ^= 1;
    write_bytes(damaged, bytes, length);
    free(bytes);
    assert_int_equal(unlink(missing), 0);
    for (int round = 0; round < 2; round++) {
        dama_board board = board_of(shelf, "W:WK32:B5");
        assert_int_equal(asked_with_message(shelf, "W:WK32:B5", message), STATUS_DAMAGED);
        assert_non_null(strstr(message, "01v10.dtz: damaged file"));
        assert_int_equal(dama_probe_wdl(shelf->tables, shelf->variant, &board, 0, &value), DAMA_OK);
        assert_int_equal(asked_with_message(shelf, "W:W21:B5", message), STATUS_NO_TABLE);
        assert_non_null(strstr(message, "italian/10v10.dtz: no table"));
        assert_int_equal(asked_with_message(shelf, "W:WK32:BK31", message), STATUS_OK);
    }
    free(damaged);
    free(missing);
    shelf_destroy(shelf);
}

/* A value that its distance denies is not believed, nor is the distance. */
static void test_contradicting_tables(void **state)
{
    struct shelf *shelf = shelf_make("italian", 2, OWN_LIMIT);
    struct slice slice = {0, 1, 0, 1};
    int slot = small_set_slot(slice);
    uint64_t number = 0;
    dama_value value;
    int plies;
    (void)state;
    while (shelf->set->values[slot][number] != WIN)
        number++;
    struct position own = numbering_position(shelf->set->numberings[slot], number);
    dama_board board = library_board(shelf->row, &own, false);
    assert_int_equal(dama_probe_dtz(shelf->tables, shelf->variant, &board, 0, &value, &plies), DAMA_OK);
    assert_int_equal(value, DAMA_WIN);
    shelf->set->values[slot][number] = CURSED_WIN;
    char *directory = path_join(shelf->folder, "italian");
    small_set_write_table(shelf->set, directory, slice, (struct table_options){.level = 1});
    reopen(shelf);
    assert_int_equal(dama_probe_wdl(shelf->tables, shelf->variant, &board, 0, &value), DAMA_OK);
    assert_int_equal(value, DAMA_CURSED_WIN);
    assert_int_equal(dama_probe_dtz(shelf->tables, shelf->variant, &board, 0, &value, &plies), DAMA_DAMAGED);
    free(directory);
    shelf_destroy(shelf);
}

/* Values may be lent; distances hang on the limit and are not. */
static void test_distances_are_not_lent(void **state)
{
    struct shelf *shelf = shelf_make("portuguese", 2, OWN_LIMIT);
    const dama_variant *spanish = dama_variant_named("spanish");
    dama_board board = board_of(shelf, "W:WK4:B32"); /* a win, quiet */
    dama_value value;
    int plies;
    (void)state;
    assert_int_equal(dama_probe_dtz(shelf->tables, shelf->variant, &board, 0, &value, &plies), DAMA_OK);
    assert_true(value != DAMA_DRAW && plies > 0);
    assert_int_equal(dama_probe_wdl(shelf->tables, spanish, &board, 0, &value), DAMA_OK);
    assert_int_equal(dama_probe_dtz(shelf->tables, spanish, &board, 0, &value, &plies), DAMA_NO_TABLE);
    struct small_set *own = small_set_solve("spanish", 2);
    small_set_write(own, shelf->folder, NULL);
    reopen(shelf);
    assert_int_equal(small_set_wrong_distances(own, shelf->tables), 0);
    small_set_destroy(own);
    shelf_destroy(shelf);
}

/* -- Counts -------------------------------------------------------------------------------------------- */

static void test_counts(void **state)
{
    static const struct {
        const char *fen;
        int count;
    } cases[] = {{"W:W21:B5", -1},
                 {"W:W21:B5:H0:F1", 0},
                 {"W:W21:B5:H12:F30.", 12},
                 {"W:W21:B5:F7", -1},
                 {"W:W21:B5:h79", 79},
                 {"[FEN \"W:W21:B5:H007\"]", 7},
                 {"W:W21:B5:H1000000", 1000000},
                 {"W:W21:B5:H1000001", 1000000},
                 {"W:W21:B5:H99999999999999999999", 1000000}};
    const dama_variant *italian = dama_variant_named("italian");
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dama_board board;
        int count = 77;
        assert_int_equal(dama_fen_read_count(italian, cases[i].fen, &board, &count, NULL), DAMA_OK);
        assert_int_equal(count, cases[i].count);
    }
    dama_board board;
    int count = 77;
    char message[DAMA_MAX_MESSAGE] = "";
    assert_int_equal(dama_fen_read_count(italian, "W:W21:B5:H", &board, &count, message), DAMA_BAD_NOTATION);
    assert_int_equal(count, 77);
    assert_true(*message);
    assert_int_equal(dama_limit(italian), 80);
    assert_int_equal(dama_limit(dama_variant_named("portuguese")), 40);
    assert_int_equal(dama_limit(dama_variant_named("turkish")), 0);
}

static void test_results_at_a_count(void **state)
{
    static const struct {
        struct verdict verdict;
        int plies;
        const char *text;
    } cases[] = {
        {{80, DAMA_OK, DAMA_WIN, DAMA_OK, 11}, 0, "in time"},
        {{80, DAMA_OK, DAMA_WIN, DAMA_OK, 11}, 69, "in time"},
        {{80, DAMA_OK, DAMA_WIN, DAMA_OK, 11}, 70, "too late: draw"},
        {{80, DAMA_OK, DAMA_WIN, DAMA_OK, 11}, 80, "already a draw"},
        {{80, DAMA_OK, DAMA_WIN, DAMA_OK, 1}, 79, "in time"},
        {{80, DAMA_OK, DAMA_LOSS, DAMA_OK, 80}, 0, "in time"},
        {{80, DAMA_OK, DAMA_LOSS, DAMA_OK, 80}, 1, "too late: draw"},
        {{80, DAMA_OK, DAMA_LOSS, DAMA_OK, 0}, 80, "in time"}, /* over before */
        {{80, DAMA_OK, DAMA_LOSS, DAMA_OK, 0}, 81, "in time"},
        {{80, DAMA_OK, DAMA_DRAW, DAMA_OK, 0}, 79, "draw"},
        {{80, DAMA_OK, DAMA_DRAW, DAMA_OK, 0}, 80, "already a draw"},
        {{40, DAMA_OK, DAMA_CURSED_WIN, DAMA_OK, 41}, 0, "too late: draw"},
        {{40, DAMA_OK, DAMA_BLESSED_LOSS, DAMA_NO_TABLE, 0}, 0, "too late: draw"},
        {{40, DAMA_OK, DAMA_WIN, DAMA_NO_TABLE, 0}, 0, "in time"},
        {{40, DAMA_OK, DAMA_WIN, DAMA_NO_TABLE, 0}, 1, "unknown"},
        {{40, DAMA_OK, DAMA_LOSS, DAMA_DAMAGED, 0}, 40, "already a draw"},
        {{40, DAMA_NO_TABLE, DAMA_DRAW, DAMA_NO_TABLE, 0}, 39, "unknown"},
        {{40, DAMA_NO_TABLE, DAMA_DRAW, DAMA_NO_TABLE, 0}, 40, "already a draw"},
        {{40, DAMA_DAMAGED, DAMA_DRAW, DAMA_DAMAGED, 0}, 40, "unknown"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(verdict_at_count(&cases[i].verdict, cases[i].plies), cases[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_position),
        cmocka_unit_test(test_every_position_of_three_pieces),
        cmocka_unit_test(test_moves),
        cmocka_unit_test(test_missing_tables),
        cmocka_unit_test(test_no_tables),
        cmocka_unit_test(test_wrong_tables),
        cmocka_unit_test(test_contradicting_tables),
        cmocka_unit_test(test_distances_are_not_lent),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_results_at_a_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
