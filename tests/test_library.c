/* The public interface against sets that are solved here: values, searches of captures, failures, boards,
 * texts. */
#include "distance.h"
#include "library.h"
#include "small_set.h"
#include "temporary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PIECES = 3 };

static char *folder; /* with tables of italian, 3 pieces */
static struct small_set *italian;

static const dama_variant *italian_public(void)
{
    return dama_variant_named("italian");
}

static dama_tables *open_tables(const char *directories, size_t cache_bytes)
{
    dama_tables *tables = NULL;
    assert_int_equal(dama_open(directories, cache_bytes, &tables), DAMA_OK);
    assert_non_null(tables);
    return tables;
}

static dama_board board_of(const char *variant, const char *fen)
{
    dama_board board;
    char message[DAMA_MAX_MESSAGE];
    assert_int_equal(dama_fen_read(dama_variant_named(variant), fen, &board, message), DAMA_OK);
    return board;
}

/* -- Values -------------------------------------------------------------------------------------------- */

static void test_all_values(void **state)
{
    (void)state;
    dama_tables *tables = open_tables(folder, 0);
    assert_int_equal(small_set_wrong(italian, tables), 0);
    dama_close(tables);
}

static void test_other_variants(void **state)
{
    (void)state;
    char *place = temporary_folder();
    dama_tables *tables = open_tables(place, 0);
    for (size_t v = 0; v < variant_count; v++) {
        const char *name = variant_table[v]->rules.name;
        struct small_set *set = small_set_solve(name, strcmp(name, "portuguese") == 0 ? 3 : 2);
        small_set_write(set, place, NULL);
        if (small_set_wrong(set, tables) > 0)
            fail_msg("%s: wrong values", name);
        small_set_destroy(set);
    }
    dama_close(tables);
    remove_folder(place);
    free(place);
}

/* -- Values of a variant with the same moves ------------------------------------------------------------ */

static void expect_maker(dama_tables *tables, const char *variant, const char *maker)
{
    const dama_variant *made_for = NULL;
    assert_int_equal(dama_made_for(tables, dama_variant_named(variant), "02v01", &made_for), DAMA_OK);
    assert_string_equal(dama_variant_name(made_for), maker);
    assert_int_equal(dama_available(tables, dama_variant_named(variant), "02v01"), DAMA_OK);
}

/* Spanish values are read from Portuguese tables until there are Spanish ones, and not the other way. */
static void test_lent_values(void **state)
{
    const dama_variant *portuguese = dama_variant_named("portuguese");
    const dama_variant *none = NULL;
    (void)state;
    char *place = temporary_folder();
    struct small_set *lender = small_set_solve("portuguese", PIECES);
    struct small_set *spanish = small_set_solve("spanish", PIECES);
    small_set_write(lender, place, NULL);
    dama_tables *tables = open_tables(place, 0);
    expect_maker(tables, "spanish", "portuguese");
    expect_maker(tables, "portuguese", "portuguese");
    assert_int_equal(small_set_wrong(spanish, tables), 0);
    dama_close(tables);
    small_set_write(spanish, place, NULL);
    tables = open_tables(place, 0);
    expect_maker(tables, "spanish", "spanish");
    assert_int_equal(small_set_wrong(spanish, tables), 0);
    dama_close(tables);
    char *folder_of_lender = path_join(place, "portuguese");
    remove_folder(folder_of_lender);
    tables = open_tables(place, 0);
    expect_maker(tables, "spanish", "spanish");
    assert_int_equal(dama_made_for(tables, portuguese, "02v01", &none), DAMA_NO_TABLE);
    assert_null(none);
    dama_close(tables);
    free(folder_of_lender);
    small_set_destroy(lender);
    small_set_destroy(spanish);
    remove_folder(place);
    free(place);
}

/* The table's own value of a position with a capture is never used: with all of them made wrong the
 * answers stay right. */
static void test_stored_captures_are_not_used(void **state)
{
    (void)state;
    struct small_set *set = small_set_solve("italian", PIECES);
    uint64_t random = 1;
    for (int slot = 0; slot < SMALL_SET_SLOTS; slot++)
        for (uint64_t number = 0; set->values[slot] && number < set->numberings[slot]->positions; number++)
            if (set->values[slot][number] & FETCHED_CAPTURE) {
                enum value value = (enum value)(random_next(&random) % VALUES);
                set->values[slot][number] = (uint8_t)(FETCHED_CAPTURE | value);
                set->plies[slot][number] = distance_of_captures(set->variant, value);
            }
    char *place = temporary_folder();
    small_set_write(set, place, NULL);
    dama_tables *tables = open_tables(place, 0);
    assert_int_equal(small_set_wrong(italian, tables), 0);
    assert_int_equal(small_set_wrong_distances(italian, tables), 0);
    dama_close(tables);
    small_set_destroy(set);
    remove_folder(place);
    free(place);
}

static void test_root_moves(void **state)
{
    dama_root_move moves[DAMA_MAX_MOVES];
    (void)state;
    dama_tables *tables = open_tables(folder, 0);
    uint64_t random = 5;
    for (int round = 0; round < 300; round++) {
        int slot = small_set_slot((struct slice){0, 1, (uint8_t)(round % 2), (uint8_t)(1 - round % 2)});
        uint64_t number = random_next(&random) % italian->numberings[slot]->positions;
        struct position own = numbering_position(italian->numberings[slot], number);
        dama_board board = library_board(italian->variant, &own, false);
        size_t count;
        assert_int_equal(dama_probe_root(tables, italian_public(), &board, 0, moves, &count), DAMA_OK);
        dama_value best = DAMA_LOSS;
        char before[DAMA_MAX_MOVE_TEXT] = "";
        for (size_t i = 0; i < count; i++) {
            dama_board after;
            dama_value reply;
            char text[DAMA_MAX_MOVE_TEXT];
            bool same_rank =
                i > 0 && moves[i].value == moves[i - 1].value && moves[i].dtz_plies == moves[i - 1].dtz_plies;
            assert_int_equal(moves[i].status, DAMA_OK);
            assert_int_equal(dama_play(italian_public(), &board, &moves[i].move, &after), DAMA_OK);
            assert_int_equal(after.black_to_move, 1);
            assert_int_equal(dama_probe_wdl(tables, italian_public(), &after, 0, &reply), DAMA_OK);
            assert_int_equal(moves[i].value, -(int)reply);
            assert_int_equal(dama_move_write(italian_public(), &board, &moves[i].move, text), DAMA_OK);
            if (i > 0) {
                assert_true(moves[i].value <= moves[i - 1].value);
                assert_true(!same_rank || strcmp(before, text) < 0);
            }
            memcpy(before, text, sizeof before);
            best = i == 0 ? moves[i].value : best;
        }
        assert_int_equal(best + 2, italian->values[slot][number] & 0x7f);
    }
    dama_close(tables);
}

static void test_positions_that_end_the_game(void **state)
{
    dama_tables *tables = open_tables("", 0);
    dama_value value;
    (void)state;
    dama_board board = board_of("italian", "W:W:B1");
    assert_int_equal(dama_probe_wdl(tables, italian_public(), &board, 0, &value), DAMA_OK);
    assert_int_equal(value, DAMA_LOSS);
    board = board_of("italian", "W:W30:B");
    assert_int_equal(dama_probe_wdl(tables, italian_public(), &board, 0, &value), DAMA_OK);
    assert_int_equal(value, DAMA_WIN);
    board = board_of("italian", "W:W30:B1"); /* a quiet position without a table */
    assert_int_equal(dama_probe_wdl(tables, italian_public(), &board, 0, &value), DAMA_NO_TABLE);
    board = board_of("italian", "W:W22:B18"); /* the last piece is taken */
    assert_int_equal(dama_probe_wdl(tables, italian_public(), &board, 0, &value), DAMA_OK);
    assert_int_equal(value, DAMA_WIN);
    board = board_of("turkish", "W:WKa1:Bh5"); /* won by the special end */
    assert_int_equal(dama_probe_wdl(tables, dama_variant_named("turkish"), &board, 0, &value), DAMA_OK);
    assert_int_equal(value, DAMA_WIN);
    dama_board start;
    assert_int_equal(dama_start(italian_public(), &start), DAMA_OK);
    assert_int_equal(dama_probe_wdl(tables, italian_public(), &start, 0, &value), DAMA_TOO_MANY_PIECES);
    dama_close(tables);
}

/* -- Failures ------------------------------------------------------------------------------------------ */

static void test_arguments(void **state)
{
    dama_tables *tables = open_tables(folder, 0);
    dama_board board = board_of("italian", "W:W30:B1");
    dama_value value;
    int plies;
    size_t count;
    (void)state;
    assert_int_equal(dama_open(NULL, 0, &tables), DAMA_BAD_ARGUMENT);
    assert_int_equal(dama_open(folder, 0, NULL), DAMA_BAD_ARGUMENT);
    assert_int_equal(dama_probe_wdl(NULL, italian_public(), &board, 0, &value), DAMA_BAD_ARGUMENT);
    assert_int_equal(dama_probe_wdl(tables, NULL, &board, 0, &value), DAMA_BAD_ARGUMENT);
    assert_int_equal(dama_probe_wdl(tables, italian_public(), NULL, 0, &value), DAMA_BAD_ARGUMENT);
    assert_int_equal(dama_probe_wdl(tables, italian_public(), &board, 0, NULL), DAMA_BAD_ARGUMENT);
    assert_int_equal(dama_probe_root(tables, italian_public(), &board, 0, NULL, &count), DAMA_BAD_ARGUMENT);
    assert_int_equal(dama_probe_dtz(NULL, italian_public(), &board, 0, &value, &plies), DAMA_BAD_ARGUMENT);
    assert_int_equal(dama_probe_dtz(tables, NULL, &board, 0, &value, &plies), DAMA_BAD_ARGUMENT);
    assert_int_equal(dama_probe_dtz(tables, italian_public(), NULL, 0, &value, &plies), DAMA_BAD_ARGUMENT);
    assert_int_equal(dama_probe_dtz(tables, italian_public(), &board, 0, NULL, &plies), DAMA_BAD_ARGUMENT);
    assert_int_equal(dama_probe_dtz(tables, italian_public(), &board, 0, &value, NULL), DAMA_BAD_ARGUMENT);
    assert_int_equal(dama_fen_read_count(italian_public(), "W:W30:B1", &board, NULL, NULL),
                     DAMA_BAD_ARGUMENT);
    assert_int_equal(dama_limit(NULL), 0);
    assert_int_equal(dama_cache_statistics_get(tables, NULL), DAMA_BAD_ARGUMENT);
    assert_null(dama_variant_named(NULL));
    assert_null(dama_variant_named("Italian"));
    assert_int_equal(dama_largest(NULL, italian_public()), 0);
    dama_close(NULL);
    dama_cache_clear(NULL);
    dama_close(tables);
}

static void test_bad_positions(void **state)
{
    static const dama_board bad[] = {
        {0},
        {.white_men = 1, .black_men = 1},
        {.white_kings = UINT64_C(1) << 32, .black_men = 1},
        {.white_kings = UINT64_C(1) << 63, .black_kings = 1},
        {.white_men = 1}, /* square 1 is White's promotion row */
        {.black_men = UINT64_C(1) << 31, .white_kings = 2},
        {.white_men = ~UINT64_C(0), .white_kings = ~UINT64_C(0), .black_men = ~UINT64_C(0)},
    };
    dama_root_move moves[1];
    dama_tables *tables = open_tables(folder, 0);
    dama_value value;
    int plies;
    char fen[DAMA_MAX_FEN];
    size_t count;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(dama_probe_wdl(tables, italian_public(), &bad[i], 0, &value), DAMA_BAD_POSITION);
        assert_int_equal(dama_probe_dtz(tables, italian_public(), &bad[i], 0, &value, &plies),
                         DAMA_BAD_POSITION);
        assert_int_equal(dama_probe_root(tables, italian_public(), &bad[i], 0, moves, &count),
                         DAMA_BAD_POSITION);
        if (i > 0) /* an empty board can be written, only not probed */
            assert_int_equal(dama_fen_write(italian_public(), &bad[i], fen), DAMA_BAD_POSITION);
    }
    dama_close(tables);
}

/* A copy of the italian tables that can be spoilt. */
static char *copy_tables(void)
{
    char *place = temporary_folder();
    small_set_write(italian, place, NULL);
    return place;
}

static enum status probe_with_message(dama_tables *tables, const char *fen, char *message)
{
    dama_board board = board_of("italian", fen);
    dama_value value;
    struct position position = library_white_view(italian->variant, &board);
    dama_status status = dama_probe_wdl(tables, italian_public(), &board, 0, &value);
    library_message(tables, italian->variant, &position, (enum status)status, message);
    return (enum status)status;
}

static void test_one_bad_table_spoils_nothing_else(void **state)
{
    char message[MESSAGE_SIZE];
    size_t length;
    (void)state;
    char *place = copy_tables();
    char *damaged = small_set_table(italian, place, "02v01.wdl");
    char *missing = small_set_table(italian, place, "11v10.wdl");
    char *renamed = small_set_table(italian, place, "20v01.wdl");
    char *source = small_set_table(italian, place, "02v10.wdl");
    uint8_t *bytes = file_bytes(damaged, &length);
    bytes[length - 1] ^= 1;
    write_bytes(damaged, bytes, length);
    free(bytes);
    assert_int_equal(unlink(missing), 0);
    bytes = file_bytes(source, &length);
    write_bytes(renamed, bytes, length);
    free(bytes);
    dama_tables *tables = open_tables(place, 0);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(probe_with_message(tables, "W:WK32,K31:BK1", message), STATUS_DAMAGED);
        assert_non_null(strstr(message, "02v01.wdl: damaged file"));
        assert_int_equal(probe_with_message(tables, "W:W31,K32:B3", message), STATUS_NO_TABLE);
        assert_non_null(strstr(message, "italian/11v10.wdl: no table"));
        assert_int_equal(probe_with_message(tables, "W:W32,31:BK1", message), STATUS_WRONG_SLICE);
        assert_int_equal(probe_with_message(tables, "W:WK32:BK1", message), STATUS_OK);
        assert_int_equal(probe_with_message(tables, "W:WK32,K31:B1", message), STATUS_OK);
    }
    assert_int_equal(dama_available(tables, italian_public(), "02v01"), DAMA_DAMAGED);
    assert_int_equal(dama_available(tables, italian_public(), "10v11"), DAMA_NO_TABLE);
    assert_int_equal(dama_available(tables, italian_public(), "02v10"), DAMA_OK);
    assert_int_equal(dama_available(tables, italian_public(), "10v02"), DAMA_OK);
    assert_int_equal(dama_available(tables, italian_public(), "99v99"), DAMA_BAD_SLICE);
    assert_int_equal(dama_available(tables, italian_public(), "nonsense"), DAMA_BAD_SLICE);
    assert_int_equal(dama_largest(tables, italian_public()), 3);
    assert_int_equal(dama_largest(tables, dama_variant_named("damii")), 0);
    dama_close(tables);
    free(damaged);
    free(missing);
    free(renamed);
    free(source);
    remove_folder(place);
    free(place);
}

/* A win is a win though another capture leads where no table is. */
static void test_unknown_captures(void **state)
{
    dama_root_move moves[DAMA_MAX_MOVES];
    dama_value value;
    size_t count;
    (void)state;
    char *place = temporary_folder();
    dama_tables *tables = open_tables(place, 0);
    /* Free choice: king 28 may take 22 and so the last piece. */
    dama_board board = board_of("italian", "W:WK32:B28");
    assert_int_equal(dama_probe_wdl(tables, italian_public(), &board, 0, &value), DAMA_OK);
    assert_int_equal(value, DAMA_WIN);
    /* Of two captures of one piece each, both leave a piece: unknown. */
    board = board_of("italian", "W:WK32:B28,1");
    assert_int_equal(dama_probe_wdl(tables, italian_public(), &board, 0, &value), DAMA_NO_TABLE);
    assert_int_equal(dama_probe_root(tables, italian_public(), &board, 0, moves, &count), DAMA_OK);
    assert_int_equal(count, 1);
    assert_int_equal(moves[0].status, DAMA_NO_TABLE);
    dama_close(tables);
    remove_folder(place);
    free(place);
}

static void test_unreadable_things(void **state)
{
    (void)state;
    char *place = copy_tables();
    char *table = small_set_table(italian, place, "02v01.wdl");
    char *other = small_set_table(italian, place, "02v10.wdl");
    assert_int_equal(unlink(table), 0);
    make_folder(table);
    assert_int_equal(unlink(other), 0);
    assert_int_equal(symlink(other, other), 0); /* a loop */
    dama_tables *tables = open_tables(place, 0);
    assert_int_equal(dama_available(tables, italian_public(), "02v01"), DAMA_NOT_A_TABLE);
    assert_int_equal(dama_available(tables, italian_public(), "02v10"), DAMA_FILE);
    assert_int_equal(dama_available(tables, italian_public(), "11v10"), DAMA_OK);
    dama_close(tables);
    unlink(other);
    free(table);
    free(other);
    remove_folder(place);
    free(place);
}

/* -- Boards and texts ---------------------------------------------------------------------------------- */

static bool same_board(const dama_board *a, const dama_board *b)
{
    return a->white_men == b->white_men && a->white_kings == b->white_kings && a->black_men == b->black_men &&
           a->black_kings == b->black_kings && a->black_to_move == b->black_to_move;
}

static bool same_move(const dama_move *a, const dama_move *b)
{
    return a->taken == b->taken && a->from == b->from && a->to == b->to && a->by_man == b->by_man &&
           a->crowned == b->crowned;
}

static void test_boards(void **state)
{
    (void)state;
    for (size_t v = 0; dama_variant_at(v); v++) {
        const dama_variant *variant = dama_variant_at(v);
        const struct variant *inside = library_variant(variant);
        for (int bit = 0; bit < dama_variant_squares(variant); bit++) {
            dama_board board = {.white_kings = UINT64_C(1) << bit, .black_to_move = bit & 1};
            struct position view = library_white_view(inside, &board);
            assert_int_equal(bits_count(view.own_kings), 1);
            int square = bits_lowest(view.own_kings);
            if (inside->rules.names == ALGEBRAIC)
                assert_int_equal(bit, square); /* rank by rank from a1 */
            else
                assert_int_equal(variant_square_number(inside, square), bit + 1);
            dama_board again = library_board(inside, &view, bit & 1);
            assert_true(same_board(&again, &board));
            char fen[DAMA_MAX_FEN];
            dama_board read;
            assert_int_equal(dama_fen_write(variant, &board, fen), DAMA_OK);
            assert_int_equal(dama_fen_read(variant, fen, &read, NULL), DAMA_OK);
            assert_true(same_board(&read, &board));
        }
    }
    assert_null(dama_variant_at(1000));
}

/* From the start both sides' moves, as text and back, along random games. */
static void test_moves_and_texts(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (size_t v = 0; dama_variant_at(v); v++) {
        const dama_variant *variant = dama_variant_at(v);
        dama_board board;
        assert_int_equal(dama_start(variant, &board), DAMA_OK);
        for (int ply = 0; ply < 60; ply++) {
            dama_move moves[DAMA_MAX_MOVES];
            size_t count;
            assert_int_equal(dama_moves(variant, &board, moves, &count), DAMA_OK);
            if (count == 0)
                break;
            for (size_t i = 0; i < count; i++) {
                char text[DAMA_MAX_MOVE_TEXT];
                dama_move again;
                assert_int_equal(dama_move_write(variant, &board, &moves[i], text), DAMA_OK);
                assert_int_equal(dama_move_read(variant, &board, text, &again), DAMA_OK);
                assert_true(same_move(&again, &moves[i]));
            }
            dama_move illegal = moves[0];
            illegal.to = illegal.from;
            illegal.taken = 0;
            dama_board after;
            assert_int_equal(dama_play(variant, &board, &illegal, &after), DAMA_ILLEGAL_MOVE);
            assert_int_equal(dama_play(variant, &board, &moves[random_next(&random) % count], &after),
                             DAMA_OK);
            assert_int_equal(after.black_to_move, !board.black_to_move);
            board = after;
        }
    }
}

static void test_texts(void **state)
{
    (void)state;
    assert_string_equal(dama_version(), DAMA_VERSION);
    assert_string_equal(dama_value_text(DAMA_BLESSED_LOSS), "blessed-loss");
    assert_string_equal(dama_value_text(DAMA_WIN), "win");
    assert_non_null(dama_value_text((dama_value)9));
    assert_non_null(dama_status_text((dama_status)999));
    assert_string_equal(dama_variant_name(italian_public()), "italian");
    assert_int_equal(dama_variant_squares(dama_variant_named("damii")), 50);
}

static int set_up(void **state)
{
    (void)state;
    folder = temporary_folder();
    italian = small_set_solve("italian", PIECES);
    small_set_write(italian, folder, &(struct table_options){.block_log2 = 10});
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    small_set_destroy(italian);
    remove_folder(folder);
    free(folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_values),
        cmocka_unit_test(test_other_variants),
        cmocka_unit_test(test_lent_values),
        cmocka_unit_test(test_stored_captures_are_not_used),
        cmocka_unit_test(test_root_moves),
        cmocka_unit_test(test_positions_that_end_the_game),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_bad_positions),
        cmocka_unit_test(test_one_bad_table_spoils_nothing_else),
        cmocka_unit_test(test_unknown_captures),
        cmocka_unit_test(test_unreadable_things),
        cmocka_unit_test(test_boards),
        cmocka_unit_test(test_moves_and_texts),
        cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
