/* Every value of finished tables against the plain solver: damagen makes the tables with two ranks, the
 * public library answers, and the slow rules say what is true. Counts in headers against both, and against
 * what independent programs have published. */
#include "library.h"
#include "moves.h"
#include "plain_values.h"
#include "synthetic.h"
#include "temporary.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { KINDS = 8, CACHE = 256 << 20, FIRST_GAMES = 4, FEW_POSITIONS = 1000000 };

static char *folder; /* of the tables */

static const char *tests_wanted(void)
{
    const char *tests = getenv("DAMABASE_TESTS");
    return tests ? tests : "short";
}

/* The first games of the table have the larger share: row number v is compared up to so many pieces. */
static int pieces_of(size_t v)
{
    const char *tests = tests_wanted();
    bool first_game = v < FIRST_GAMES;
    if (strcmp(tests, "sanitised") == 0)
        return 2;
    if (strcmp(tests, "short") == 0)
        return first_game ? 3 : 2;
    return first_game && variant_table[v]->rules.board == &board_8x8_diagonal ? 4 : 3;
}

static const char *setting(const char *name, const char *otherwise)
{
    const char *text = getenv(name);
    return text && *text ? text : otherwise;
}

/* Runs damagen with two ranks and returns its exit code; *text, to be freed, is all that it printed. */
static int run_damagen(const char *out, const char *variant, const char *option, const char *value,
                       char **text)
{
    char *command;
    char *output = path_join(folder, "output");
    size_t length;
    if (asprintf(&command, "timeout 900 %s -n 2 %s/damagen %s %s %s --out %s </dev/null >%s 2>&1",
                 setting("MPIRUN", "mpirun"), setting("BUILD", "build"), variant, option, value, out,
                 output) < 0)
        fail_msg("no memory");
    int status = system(command);
    *text = (char *)file_bytes(output, &length);
    (*text)[length] = '\0';
    free(command);
    free(output);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Makes tables in `folder`. */
static void generate(const char *variant, const char *option, const char *value)
{
    char *text;
    int code = run_damagen(folder, variant, option, value, &text);
    if (code != 0)
        fail_msg("damagen %s %s %s: exit code %d\n%s", variant, option, value, code, text);
    free(text);
}

/* -- Every position ------------------------------------------------------------------------------------ */

/* Which bit of a dama_board each cell of the slow board is, found by way of FENs. */
struct bridge {
    const struct slow_variant *slow;
    const dama_variant *variant;
    uint64_t bit[SLOW_MAX_CELLS];
};

static struct bridge bridge_of(const char *name)
{
    struct bridge bridge = {.slow = slow_variant_named(name), .variant = dama_variant_named(name)};
    assert_non_null(bridge.slow);
    assert_non_null(bridge.variant);
    uint64_t all = 0;
    for (int cell = 0; cell < bridge.slow->width * bridge.slow->width; cell++) {
        struct slow_position position;
        char fen[SLOW_TEXT];
        dama_board board;
        if (!slow_is_played(bridge.slow, cell))
            continue;
        memset(position.at, '.', sizeof position.at);
        position.at[cell] = 'W';
        position.white_to_move = true;
        slow_write_fen(bridge.slow, &position, fen);
        assert_int_equal(dama_fen_read(bridge.variant, fen, &board, NULL), DAMA_OK);
        bridge.bit[cell] = board.white_kings;
        all |= board.white_kings;
    }
    assert_int_equal(__builtin_popcountll(all), dama_variant_squares(bridge.variant));
    return bridge;
}

static dama_board board_of(const struct bridge *bridge, const struct slow_position *position)
{
    dama_board board = {.black_to_move = !position->white_to_move};
    for (int cell = 0; cell < bridge->slow->width * bridge->slow->width; cell++) {
        switch (position->at[cell]) {
        case 'w': board.white_men |= bridge->bit[cell]; break;
        case 'W': board.white_kings |= bridge->bit[cell]; break;
        case 'b': board.black_men |= bridge->bit[cell]; break;
        case 'B': board.black_kings |= bridge->bit[cell]; break;
        default: break;
        }
    }
    return board;
}

static struct slice slice_of_board(const dama_board *board)
{
    struct slice white = {
        (uint8_t)__builtin_popcountll(board->white_men), (uint8_t)__builtin_popcountll(board->white_kings),
        (uint8_t)__builtin_popcountll(board->black_men), (uint8_t)__builtin_popcountll(board->black_kings)};
    return board->black_to_move ? slice_mirror(white) : white;
}

/* Counts of one colour to move, by slice. */
struct tally {
    uint64_t values[VALUES]; /* by enum value */
};
struct tallies {
    struct tally of[2][KINDS][KINDS][KINDS][KINDS];
};

static struct tally *tally_of(struct tallies *tallies, int colour, struct slice slice)
{
    return &tallies->of[colour][slice.own_men][slice.own_kings][slice.opponent_men][slice.opponent_kings];
}

static dama_value public_value(enum value value)
{
    return (dama_value)((int)value + DAMA_LOSS);
}

static void compare_position(const struct bridge *bridge, dama_tables *tables,
                             const struct slow_position *position, enum value expected)
{
    dama_board board = board_of(bridge, position);
    dama_value value = DAMA_DRAW;
    dama_status status = dama_probe_wdl(tables, bridge->variant, &board, 0, &value);
    if (status == DAMA_OK && value == public_value(expected))
        return;
    char fen[SLOW_TEXT];
    slow_write_fen(bridge->slow, position, fen);
    fail_msg("%s %s: %s, %s instead of %s", bridge->slow->name, fen, dama_status_text(status),
             dama_value_text(value), value_text(expected));
}

/* -- Headers ------------------------------------------------------------------------------------------- */

/* The table of a slice in `folder`; to be closed. */
static struct table *table_of(const char *variant, struct slice slice)
{
    char name[TABLE_NAME_SIZE];
    char message[MESSAGE_SIZE];
    struct table *table;
    table_name_write(slice_pair_name(slice), METRIC_WDL, name);
    char *directory = path_join(folder, variant);
    char *path = path_join(directory, name);
    if (table_open(path, variant_named(variant), slice, METRIC_WDL, NULL, &table, message) != STATUS_OK)
        fail_msg("%s", message);
    free(path);
    free(directory);
    return table;
}

static struct table_member member_of(const char *variant, struct slice slice)
{
    struct table *table = table_of(variant, slice);
    struct table_member member = table_header(table)->member[table_member(table, slice)];
    table_close(table);
    return member;
}

static void compare_counts(const char *variant, struct slice slice, const struct tally *tally)
{
    char name[SLICE_NAME_SIZE];
    slice_write(slice, name);
    struct table_member member = member_of(variant, slice);
    uint64_t positions = 0;
    bool same = true;
    for (int value = 0; value < VALUES; value++) {
        positions += tally->values[value];
        same = same && member.counts[value] == tally->values[value];
    }
    if (member.positions != positions || !same)
        fail_msg("%s %s: the header's counts are not those of the plain solver", variant, name);
}

/* The slow position in which White, to move, has the pieces of own. */
static struct slow_position slow_of(const struct bridge *bridge, const struct position *position)
{
    const struct variant *variant = variant_named(bridge->slow->name);
    dama_board board = library_board(variant, position, false);
    struct slow_position slow = {.white_to_move = true};
    for (int cell = 0; cell < SLOW_MAX_CELLS; cell++) {
        uint64_t bit = bridge->bit[cell];
        slow.at[cell] = bit & board.white_men     ? 'w'
                        : bit & board.white_kings ? 'W'
                        : bit & board.black_men   ? 'b'
                        : bit & board.black_kings ? 'B'
                                                  : '.';
    }
    return slow;
}

/* The code of a position's value by the plain solver. */
static uint8_t code_of(const struct bridge *bridge, const struct plain_solution *solution,
                       const struct position *position)
{
    struct slow_position slow = slow_of(bridge, position);
    enum plain_value plain = plain_value_of(solution, &slow);
    assert_int_not_equal(plain, PLAIN_ABSENT);
    return (uint8_t)code_of_value(value_of_plain(plain, plain_is_spoilt(solution, &slow)));
}

/* The digest of all values, those of captures too, computed anew. */
static void compare_digest(const struct bridge *bridge, const struct plain_solution *solution,
                           struct slice slice)
{
    struct table *table = table_of(bridge->slow->name, slice);
    int number = table_member(table, slice);
    const struct numbering *numbering = table_numbering(table, number);
    uint8_t *codes = malloc(numbering->positions);
    assert_non_null(codes);
    for (uint64_t i = 0; i < numbering->positions; i++) {
        struct position position = numbering_position(numbering, i);
        codes[i] = code_of(bridge, solution, &position);
    }
    struct digest digest = synthetic_digest(codes, numbering->positions, 1);
    assert_true(digest_equal(&digest, &table_header(table)->member[number].values));
    free(codes);
    table_close(table);
}

/* -- Tests --------------------------------------------------------------------------------------------- */

static void compare_positions(const struct bridge *bridge, const struct plain_solution *solution,
                              struct tallies *tallies)
{
    dama_tables *tables;
    assert_int_equal(dama_open(folder, CACHE, &tables), DAMA_OK);
    for (size_t i = 0; i < plain_count(solution); i++) {
        struct slow_position position;
        enum plain_value value;
        plain_position(solution, i, &position, &value);
        enum value expected = value_of_plain(value, plain_is_spoilt_at(solution, i));
        compare_position(bridge, tables, &position, expected);
        dama_board board = board_of(bridge, &position);
        tally_of(tallies, board.black_to_move, slice_of_board(&board))->values[expected]++;
    }
    dama_close(tables);
}

static void compare_slices(const struct bridge *bridge, const struct plain_solution *solution,
                           struct tallies *tallies)
{
    for (uint8_t own_men = 0; own_men < KINDS; own_men++)
        for (uint8_t own_kings = 0; own_kings < KINDS; own_kings++)
            for (uint8_t men = 0; men < KINDS; men++)
                for (uint8_t kings = 0; kings < KINDS; kings++) {
                    struct slice slice = {own_men, own_kings, men, kings};
                    const struct tally *white = tally_of(tallies, 0, slice);
                    const struct tally *black = tally_of(tallies, 1, slice);
                    assert_memory_equal(white, black, sizeof *white);
                    if (memcmp(white, &(struct tally){0}, sizeof *white) == 0)
                        continue;
                    compare_counts(bridge->slow->name, slice, white);
                    compare_digest(bridge, solution, slice);
                }
}

static void compare_values(const char *variant, int pieces)
{
    struct bridge bridge = bridge_of(variant);
    struct plain_solution *solution;
    struct tallies *tallies = calloc(1, sizeof *tallies);
    assert_non_null(tallies);
    assert_int_equal(plain_solve(bridge.slow, pieces, &solution), 0);
    print_message("%s: %zu positions\n", variant, plain_count(solution));
    compare_positions(&bridge, solution, tallies);
    compare_slices(&bridge, solution, tallies);
    plain_free(solution);
    free(tallies);
}

static void test_every_value_of_first_games(void **state)
{
    (void)state;
    for (size_t v = 0; v < FIRST_GAMES; v++)
        compare_values(variant_table[v]->rules.name, pieces_of(v));
}

static void test_every_value_of_relatives(void **state)
{
    (void)state;
    for (size_t v = FIRST_GAMES; v < variant_count; v++)
        compare_values(variant_table[v]->rules.name, pieces_of(v));
}

/* A row of data/published_counts.tsv; false for comments. */
struct published {
    char variant[16];
    char slice[SLICE_NAME_SIZE];
    uint64_t positions;
    uint64_t win;
    uint64_t loss;
    uint64_t draw;
};

static bool read_published(const char *line, struct published *row)
{
    if (*line == '#')
        return false;
    int fields = sscanf(line, "%15s %5s %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, row->variant,
                        row->slice, &row->positions, &row->win, &row->loss, &row->draw);
    assert_int_equal(fields, 6);
    return true;
}

/* The number of pieces of a row for all slices of so many, "all3"; 0 for a row of one slice. */
static int pieces_of_all(const char *slice)
{
    return strncmp(slice, "all", 3) == 0 ? slice[3] - '0' : 0;
}

static void add_member(const char *variant, struct slice slice, struct table_member *sum)
{
    struct table_member member = member_of(variant, slice);
    sum->positions += member.positions;
    for (int value = 0; value < VALUES; value++)
        sum->counts[value] += member.counts[value];
}

/* Makes the tables of a row and adds up what their headers say. */
static struct table_member made_for(const struct published *row)
{
    struct table_member sum = {0};
    int pieces = pieces_of_all(row->slice);
    struct slice slice;
    if (pieces == 0) {
        assert_true(slice_read(row->slice, &slice));
        generate(row->variant, "--slice", row->slice);
        add_member(row->variant, slice, &sum);
        return sum;
    }
    generate(row->variant, "--pieces", row->slice + 3);
    for (int digits = 0; digits < 10000; digits++) {
        slice = (struct slice){(uint8_t)(digits / 1000), (uint8_t)(digits / 100 % 10),
                               (uint8_t)(digits / 10 % 10), (uint8_t)(digits % 10)};
        if (slice_pieces(slice) == pieces && slice_own(slice) > 0 && slice_opponent(slice) > 0)
            add_member(row->variant, slice, &sum);
    }
    return sum;
}

static bool wanted(const struct published *row)
{
    if (strcmp(tests_wanted(), "sanitised") == 0)
        return row->positions < 20000;
    return strcmp(tests_wanted(), "short") != 0 || row->positions <= FEW_POSITIONS;
}

static void test_published_counts(void **state)
{
    (void)state;
    char line[256];
    int rows = 0;
    FILE *file = fopen("data/published_counts.tsv", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        struct published row;
        if (!read_published(line, &row) || !wanted(&row))
            continue;
        struct table_member member = made_for(&row);
        if (member.positions != row.positions || member.counts[WIN] != row.win ||
            member.counts[LOSS] != row.loss || member.counts[DRAW] != row.draw)
            fail_msg("%s %s: %" PRIu64 " positions, %" PRIu64 " win, %" PRIu64 " loss, %" PRIu64 " draw",
                     row.variant, row.slice, member.positions, member.counts[WIN], member.counts[LOSS],
                     member.counts[DRAW]);
        rows++;
    }
    fclose(file);
    assert_true(rows > 0);
}

/* The block of a position without captures, as it is read from its table past the library's cache. */
static uint64_t stored_block(const struct table *table, struct block_reader *reader,
                             const struct position *position)
{
    static uint8_t values[(1 << MAX_BLOCK_LOG2) + DECODE_SLACK];
    int member = table_member(table, slice_of(position));
    uint64_t number = numbering_number(table_numbering(table, member), position);
    uint64_t bytes = 0;
    assert_int_equal(
        table_read_block(table, reader, member, number >> table_block_log2(table), values, &bytes),
        STATUS_OK);
    return bytes;
}

/* Bytes that this process has asked the system for so far, this call's own included; 0 if it does not tell.
 */
static uint64_t bytes_asked_for(void)
{
    FILE *file = fopen("/proc/self/io", "r");
    uint64_t bytes = 0;
    if (file && fscanf(file, "rchar: %" SCNu64, &bytes) != 1)
        bytes = 0;
    if (file)
        fclose(file);
    return bytes;
}

static uint64_t bytes_of_statistics(dama_tables *tables)
{
    dama_cache_statistics statistics;
    assert_int_equal(dama_cache_statistics_get(tables, &statistics), DAMA_OK);
    return statistics.bytes_read;
}

static void probe_cold(dama_tables *tables, const struct variant *variant, const struct position *position,
                       uint64_t block)
{
    dama_value value;
    dama_board board = library_board(variant, position, false);
    dama_cache_clear(tables);
    uint64_t by_statistics = bytes_of_statistics(tables);
    uint64_t start = bytes_asked_for();
    uint64_t of_asking = bytes_asked_for() - start;
    start = bytes_asked_for();
    assert_int_equal(dama_probe_wdl(tables, library_variant_public(variant), &board, 0, &value), DAMA_OK);
    uint64_t asked_for = bytes_asked_for() - start;
    assert_int_equal(bytes_of_statistics(tables) - by_statistics, block);
    /* The kernel's own numbers may have got a digit longer. */
    if (start > 0)
        assert_in_range(asked_for, block, block + of_asking + 16);
}

/* A cold probe reads the one block that it needs, and nothing else. */
static void test_cold_probe_reads_one_block(void **state)
{
    enum { PROBES = 300 };
    (void)state;
    const struct variant *variant = variant_named("portuguese");
    const struct slice slice = {0, 1, 1, 0};
    struct table *table = table_of("portuguese", slice);
    const struct numbering *numbering = table_numbering(table, table_member(table, slice));
    struct block_reader *reader;
    dama_tables *tables;
    uint64_t random = 36;
    assert_int_equal(block_reader_create(&reader), STATUS_OK);
    assert_int_equal(dama_open(folder, 0, &tables), DAMA_OK);
    assert_int_equal(dama_available(tables, library_variant_public(variant), "01v10"), DAMA_OK);
    for (int i = 0; i < PROBES;) {
        struct position position = numbering_position(numbering, random_next(&random) % numbering->positions);
        if (variant->moves->has_capture(&position))
            continue;
        probe_cold(tables, variant, &position, stored_block(table, reader, &position));
        i++;
    }
    dama_close(tables);
    block_reader_destroy(reader);
    table_close(table);
}

/* -- Tables of another origin -------------------------------------------------------------------------- */

/* A table as a source of values: those of captures are what its blocks happen to hold. */
struct copied {
    const struct table *table;
    struct block_reader *reader;
};

static enum status fetch_copied(void *context, int member, uint64_t first, size_t count, uint8_t *values)
{
    const struct copied *copied = context;
    return table_read_values(copied->table, copied->reader, member, first, count, values);
}

/* Writes a table anew, with the inputs of its header or with others. */
static void rewrite_table(const char *directory, const char *variant, struct slice slice, bool other_inputs)
{
    char name[TABLE_NAME_SIZE];
    char message[MESSAGE_SIZE];
    struct copied copied;
    struct table *table;
    table_name_write(slice, METRIC_WDL, name);
    char *path = path_join(directory, name);
    assert_int_equal(table_open(path, variant_named(variant), slice, METRIC_WDL, NULL, &table, message),
                     STATUS_OK);
    assert_int_equal(block_reader_create(&copied.reader), STATUS_OK);
    copied.table = table;
    struct table_source source = {.fetch = fetch_copied, .context = &copied};
    struct table_options options = {.inputs = table_header(table)->inputs};
    options.inputs.bytes[0] ^= (uint8_t)other_inputs;
    assert_int_equal(table_write(directory, variant_named(variant), slice, &source, &options, NULL, message),
                     STATUS_OK);
    block_reader_destroy(copied.reader);
    table_close(table);
    free(path);
}

/* Rewrites a sound table and expects that damagen takes it for what it is. */
static void refuse_rewritten(bool other_inputs, const char *says)
{
    const struct slice slice = {1, 0, 1, 0};
    char *text;
    char *out = path_join(folder, "foreign");
    char *work = path_join(out, ".work");
    char *directory = path_join(out, "portuguese");
    assert_int_equal(run_damagen(out, "portuguese", "--pieces", "2", &text), 0);
    free(text);
    remove_folder(work);
    rewrite_table(directory, "portuguese", slice, other_inputs);
    int code = run_damagen(out, "portuguese", "--pieces", "3", &text);
    if (code != 3 || !strstr(text, "10v10.wdl") || !strstr(text, says))
        fail_msg("exit code %d: %s", code, text);
    char *larger = path_join(directory, "02v01.wdl");
    assert_false(file_exists(larger));
    free(larger);
    free(text);
    remove_folder(out);
    free(directory);
    free(work);
    free(out);
}

static void test_tables_made_from_others_are_refused(void **state)
{
    (void)state;
    refuse_rewritten(true, "was made from other tables");
    refuse_rewritten(false, "does not fit the tables it depends on");
}

/* -- Running ------------------------------------------------------------------------------------------- */

static int make_tables(void **state)
{
    (void)state;
    folder = temporary_folder();
    for (size_t v = 0; v < variant_count; v++) {
        char pieces[4];
        snprintf(pieces, sizeof pieces, "%d", pieces_of(v));
        generate(variant_table[v]->rules.name, "--pieces", pieces);
    }
    return 0;
}

static int remove_tables(void **state)
{
    (void)state;
    remove_folder(folder);
    free(folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_value_of_first_games),
        cmocka_unit_test(test_every_value_of_relatives),
        cmocka_unit_test(test_published_counts),
        cmocka_unit_test(test_cold_probe_reads_one_block),
        cmocka_unit_test(test_tables_made_from_others_are_refused),
    };
    return cmocka_run_group_tests(tests, make_tables, remove_tables);
}
