/* Tests of the commands that show distances: what damaprobe prints is compared, position by position, with a
 * set solved by plain iteration. Usage and texts are tests/cli's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "distance.h"
#include "fen.h"
#include "small_set.h"
#include "temporary.h"

enum { PIECES = 3, LINES = 6 };

static const char *const variants[] = {"italian", "portuguese", "turkish", "damii"};

enum { SETS = sizeof variants / sizeof variants[0] };

static struct small_set *sets[SETS];
static char *folder;

/* -- Running ------------------------------------------------------------------------------------------- */

/* What damaprobe prints with these arguments on the tables in `folder`; fails unless it ends with 0. */
__attribute__((format(printf, 1, 2))) static char *output_of(const char *format, ...)
{
    const char *build = getenv("BUILD");
    char *arguments;
    char *command;
    char *output = path_join(folder, "output");
    size_t length;
    va_list places;
    va_start(places, format);
    assert_true(vasprintf(&arguments, format, places) > 0);
    va_end(places);
    assert_true(asprintf(&command, "%s/damaprobe %s --path %s </dev/null >%s 2>&1", build ? build : "build",
                         arguments, folder, output) > 0);
    int status = system(command);
    char *text = (char *)file_bytes(output, &length);
    text[length] = '\0';
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("%s: status %d: %s", arguments, status, text);
    free(arguments);
    free(command);
    free(output);
    return text;
}

/* The next line of a text, without its end; null after the last. */
static char *next_line(char **rest)
{
    char *line = strsep(rest, "\n");
    return line && *line ? line : NULL;
}

static enum value value_of_text(const char *text)
{
    for (int value = LOSS; value <= WIN; value++)
        if (strcmp(value_text((enum value)value), text) == 0)
            return (enum value)value;
    fail_msg("%s is no value", text);
    return DRAW;
}

/* -- Slices of a set ------------------------------------------------------------------------------------- */

/* Goes to the next slice that the set has, from slot -1. */
static bool next_slice(const struct small_set *set, int *slot, struct slice *slice)
{
    while (++*slot < SMALL_SET_SLOTS)
        if (set->values[*slot]) {
            *slice = (struct slice){(uint8_t)(*slot / 1000), (uint8_t)(*slot / 100 % 10),
                                    (uint8_t)(*slot / 10 % 10), (uint8_t)(*slot % 10)};
            return true;
        }
    return false;
}

/* Positions of each value and distance. */
struct counts {
    uint64_t of[VALUES][MOST_DISTANCE + 1];
};

static struct counts *counts_of(const struct small_set *set, int slot)
{
    struct counts *counts = calloc(1, sizeof *counts);
    assert_non_null(counts);
    for (uint64_t number = 0; number < set->numberings[slot]->positions; number++) {
        struct position position = numbering_position(set->numberings[slot], number);
        counts->of[small_set_value(set, &position)][small_set_distance(set, &position)]++;
    }
    return counts;
}

static uint64_t positions_of_value(const struct counts *counts, enum value value)
{
    uint64_t sum = 0;
    for (int distance = 0; distance <= MOST_DISTANCE; distance++)
        sum += counts->of[value][distance];
    return sum;
}

/* Greatest distance of a value; -1 if no position has it. */
static int greatest(const struct counts *counts, enum value value)
{
    for (int distance = MOST_DISTANCE; distance >= 0; distance--)
        if (counts->of[value][distance])
            return distance;
    return -1;
}

/* -- stats --------------------------------------------------------------------------------------------- */

/* The rows of the histogram that a slice must have, below the header line. */
static void write_histogram(FILE *out, const char *name, const struct counts *counts)
{
    fprintf(out, "slice\tvalue\tdtz\tpositions\n");
    for (int value = WIN; value >= LOSS; value--)
        for (int distance = 0; distance <= MOST_DISTANCE; distance++) {
            uint64_t positions = counts->of[value][distance];
            if (positions && value == DRAW)
                fprintf(out, "%s\tdraw\t-\t%ju\n", name, (uintmax_t)positions);
            else if (positions)
                fprintf(out, "%s\t%s\t%d\t%ju\n", name, value_text((enum value)value), distance,
                        (uintmax_t)positions);
        }
}

static void write_distance(FILE *out, int distance)
{
    if (distance < 0)
        fprintf(out, "\t-");
    else
        fprintf(out, "\t%d", distance);
}

static void write_stats(FILE *out, const char *name, const struct small_set *set, int slot,
                        const struct counts *counts)
{
    fprintf(out, "slice\tpositions\twin\tcursed_win\tdraw\tblessed_loss\tloss\tmax_win\tmax_loss\n%s\t%ju",
            name, (uintmax_t)set->numberings[slot]->positions);
    for (int value = WIN; value >= LOSS; value--)
        fprintf(out, "\t%ju", (uintmax_t)positions_of_value(counts, (enum value)value));
    write_distance(out, greatest(counts, WIN));
    write_distance(out, greatest(counts, LOSS));
    fputc('\n', out);
}

/* Compares what the program printed with a text, and frees both. */
static void expect_text(char *printed, char *expected)
{
    if (strcmp(printed, expected) != 0)
        fail_msg("printed:\n%.2000s\nexpected:\n%.2000s", printed, expected);
    free(printed);
    free(expected);
}

static void test_stats(void **state)
{
    static char *text;
    static size_t length;
    (void)state;
    for (int i = 0; i < SETS; i++) {
        struct slice slice;
        for (int slot = -1; next_slice(sets[i], &slot, &slice);) {
            char name[SLICE_NAME_SIZE];
            struct counts *counts = counts_of(sets[i], slot);
            slice_write(slice, name);
            FILE *out = open_memstream(&text, &length);
            write_histogram(out, name, counts);
            fclose(out);
            expect_text(output_of("stats %s %s --histogram", variants[i], name), text);
            out = open_memstream(&text, &length);
            write_stats(out, name, sets[i], slot, counts);
            fclose(out);
            expect_text(output_of("stats %s %s", variants[i], name), text);
            free(counts);
        }
    }
}

/* -- longest ------------------------------------------------------------------------------------------- */

static void write_longest(FILE *out, const struct small_set *set, int slot, const struct counts *counts)
{
    fprintf(out, "value\tdtz\tfen\n");
    for (int value = WIN; value >= LOSS; value--)
        for (uint64_t number = 0; value != DRAW && number < set->numberings[slot]->positions; number++) {
            char fen[FEN_SIZE];
            struct position position = numbering_position(set->numberings[slot], number);
            if (small_set_value(set, &position) != (enum value)value ||
                (int)small_set_distance(set, &position) != greatest(counts, (enum value)value))
                continue;
            assert_int_equal(fen_write(set->variant, &position, false, fen), STATUS_OK);
            fprintf(out, "%s\t%d\t%s\n", value_text((enum value)value), greatest(counts, (enum value)value),
                    fen);
        }
}

static void test_longest(void **state)
{
    static char *text;
    static size_t length;
    (void)state;
    for (int i = 0; i < SETS; i++) {
        struct slice slice;
        for (int slot = -1; next_slice(sets[i], &slot, &slice);) {
            char name[SLICE_NAME_SIZE];
            struct counts *counts = counts_of(sets[i], slot);
            slice_write(slice, name);
            FILE *out = open_memstream(&text, &length);
            write_longest(out, sets[i], slot, counts);
            fclose(out);
            expect_text(output_of("longest %s %s --most 1000000", variants[i], name), text);
            free(counts);
        }
    }
}

/* With --most 1 the first of each value is shown, and a line says how many are not. */
static void test_most(void **state)
{
    int shown = 0;
    (void)state;
    char *text = output_of("longest damii 01v01 --most 1");
    char *rest = text;
    char *note = NULL;
    for (char *line; (line = next_line(&rest));) {
        note = strncmp(line, "damaprobe: win ", 15) == 0 ? line : note;
        shown += strncmp(line, "win\t", 4) == 0;
    }
    assert_int_equal(shown, 1);
    assert_non_null(note);
    assert_non_null(strstr(note, " more; --most "));
    free(text);
}

/* -- line ---------------------------------------------------------------------------------------------- */

struct game {
    const struct small_set *set;
    const dama_variant *variant;
    dama_board board;
    int plies;
};

static struct position own_view_of(const struct game *game)
{
    struct position position = library_white_view(game->set->variant, &game->board);
    return game->board.black_to_move ? position_turned(game->set->variant->rules.board, &position) : position;
}

/* What the move of a ply counts, by the equations. Squares of a dama_board follow one another row by row. */
static uint32_t count_of_move(const struct game *game, const dama_move *made)
{
    const struct variant *variant = game->set->variant;
    struct position after = own_view_of(game);
    int width = variant->rules.board->width;
    bool leaves_row = made->by_man && made->from / width != made->to / width;
    bool zeroes = made->taken || (leaves_row && variant->rules.zeroing == ZEROED_BY_FORWARD_STEPS);
    return distance_through(variant, zeroes, small_set_value(game->set, &after),
                            small_set_distance(game->set, &after));
}

/* Follows a line of a ply: everything in it must be as the set has it, and the move one of the best. */
static void follow(struct game *game, char *line)
{
    dama_move move;
    dama_board after;
    struct position position = own_view_of(game);
    enum value value = small_set_value(game->set, &position);
    char *number = strsep(&line, "\t");
    char *text = strsep(&line, "\t");
    char *word = strsep(&line, "\t");
    assert_non_null(line);
    assert_int_equal(atoi(number), ++game->plies);
    assert_int_equal(value_of_text(word), value);
    assert_int_equal(dama_move_read(game->variant, &game->board, text, &move), DAMA_OK);
    assert_int_equal(dama_play(game->variant, &game->board, &move, &after), DAMA_OK);
    game->board = after;
    struct position next = own_view_of(game);
    assert_int_equal(small_set_value(game->set, &next), value_turned(value));
    if (value == DRAW) {
        assert_string_equal(line, "-");
        return;
    }
    assert_int_equal(atoi(line), small_set_distance(game->set, &position));
    assert_int_equal(atoi(line), count_of_move(game, &move));
}

/* The end must be of the side that had the win from the start. */
static void expect_end(const struct game *game, const char *end, enum value value, bool black)
{
    const char *winner = (value == WIN) == black ? "Black wins: " : "White wins: ";
    const char *wanted = value == DRAW ? "draw: " : winner;
    if (strncmp(end, wanted, strlen(wanted)) != 0)
        fail_msg("it ended with \"%s\", not \"%s\"", end, wanted);
    struct position position = own_view_of(game);
    if (value != DRAW)
        assert_int_equal(small_set_distance(game->set, &position), 0);
}

static void play(const struct small_set *set, const struct position *own, bool black)
{
    char fen[FEN_SIZE];
    struct position turned = position_turned(set->variant->rules.board, own);
    struct game game = {.set = set, .variant = library_variant_public(set->variant)};
    game.board = library_board(set->variant, black ? &turned : own, black);
    assert_int_equal(fen_write(set->variant, black ? &turned : own, black, fen), STATUS_OK);
    char *text = output_of("line %s %s", set->variant->rules.name, fen);
    char *rest = text;
    char *line = next_line(&rest);
    for (; line && strncmp(line, "end\t", 4) != 0; line = next_line(&rest))
        follow(&game, line);
    if (!line)
        fail_msg("%s %s: no end", set->variant->rules.name, fen);
    expect_end(&game, line + 4, small_set_value(set, own), black);
    assert_null(next_line(&rest));
    free(text);
}

static void test_lines(void **state)
{
    uint64_t random = 11;
    (void)state;
    for (int i = 0; i < SETS; i++) {
        struct slice slice;
        for (int slot = -1; next_slice(sets[i], &slot, &slice);)
            for (int round = 0; round < LINES; round++) {
                uint64_t number = random_next(&random) % sets[i]->numberings[slot]->positions;
                struct position position = numbering_position(sets[i]->numberings[slot], number);
                play(sets[i], &position, round % 2);
            }
    }
}

/* -- Set-up -------------------------------------------------------------------------------------------- */

static int make_tables(void **state)
{
    (void)state;
    const char *tests = getenv("DAMABASE_TESTS");
    /* The sanitisers see the set and the test here, not the program. */
    bool few = tests && strcmp(tests, "sanitised") == 0;
    folder = temporary_folder();
    for (int i = 0; i < SETS; i++) {
        sets[i] = small_set_solve(variants[i], few || strcmp(variants[i], "turkish") == 0 ? 2 : PIECES);
        small_set_write(sets[i], folder, NULL);
    }
    return 0;
}

static int remove_tables(void **state)
{
    (void)state;
    for (int i = 0; i < SETS; i++)
        small_set_destroy(sets[i]);
    remove_folder(folder);
    free(folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stats),
        cmocka_unit_test(test_longest),
        cmocka_unit_test(test_most),
        cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests(tests, make_tables, remove_tables);
}
