/* Tests that what is written is read back, for every variant of the table: positions as FEN in all forms that
 * may be read, moves short and along every square, with all signs. No second opinion: that is in
 * test_notation.c. */
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
#include "temporary.h"

enum { POSITIONS_EACH = 1500, LONG_TEXT = 2 * FEN_READ_LIMIT };

static uint64_t random_state;

static unsigned random_below(unsigned limit)
{
    return (unsigned)(random_next(&random_state) % limit);
}

/* Puts up to `most` pieces of both sides anywhere they can stand, at least one in all. White is own. */
static struct position random_position(const struct variant *variant, unsigned most)
{
    struct position position = {0};
    for (unsigned pieces = 1 + random_below(most); pieces > 0;) {
        uint64_t square = bit_of((int)random_below(variant->rules.board->squares));
        if (position_occupied(&position) & square)
            continue;
        pieces--;
        bool own = random_below(2);
        uint64_t for_men = own ? variant_own_men_squares(variant) : variant_opponent_men_squares(variant);
        bool king = !(for_men & square) || random_below(3) == 0;
        uint64_t *set = own ? (king ? &position.own_kings : &position.own_men)
                            : (king ? &position.opponent_kings : &position.opponent_men);
        *set |= square;
    }
    return position;
}

/* -- Positions ----------------------------------------------------------------------------------------- */

static void check_reads(const struct variant *variant, const char *text, const struct position *position,
                        bool black)
{
    struct position read;
    bool read_black;
    char message[FEN_MESSAGE_SIZE] = "";
    if (fen_read(variant, text, &read, &read_black, message) != STATUS_OK)
        fail_msg("%s %s: %s", variant->rules.name, text, message);
    if (memcmp(&read, position, sizeof read) != 0 || read_black != black)
        fail_msg("%s %s is read as another position", variant->rules.name, text);
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* The FEN in lower case, and with blanks around everything but inside the names of squares. */
static void check_case_and_blanks(const struct variant *variant, const char *fen,
                                  const struct position *position, bool black)
{
    char small[FEN_SIZE] = "";
    char wide[LONG_TEXT];
    size_t length = 0;
    for (size_t i = 0; fen[i]; i++) {
        small[i] = lower(fen[i]);
        bool apart = strchr(":,WBK", fen[i]);
        length += (size_t)sprintf(wide + length, apart ? " %c\t" : "%c", fen[i]);
    }
    check_reads(variant, small, position, black);
    if (length <= FEN_READ_LIMIT)
        check_reads(variant, wide, position, black);
}

/* Black's list first, a dot, counters, and the tag of a game file. */
static void check_order_and_frame(const struct variant *variant, const char *fen,
                                  const struct position *position, bool black)
{
    char text[LONG_TEXT];
    const char *whites = strchr(fen, ':');
    const char *blacks = strchr(whites + 1, ':');
    int length = (int)(blacks - whites);
    snprintf(text, sizeof text, "%c%s%.*s", fen[0], blacks, length, whites);
    check_reads(variant, text, position, black);
    snprintf(text, sizeof text, "%c%s%.*s.", fen[0], blacks, length, whites);
    check_reads(variant, text, position, black);
    snprintf(text, sizeof text, "%s:H3:F12", fen);
    check_reads(variant, text, position, black);
    snprintf(text, sizeof text, "[FEN \"%s\"]", fen);
    check_reads(variant, text, position, black);
}

/* Writes a set as numbers and ranges of them, with K before kings. */
static char *write_ranges(const struct variant *variant, char *end, const char *king, uint64_t set, bool *any)
{
    int squares = variant->rules.board->squares;
    for (int number = 1; number <= squares; number++) {
        int last = number;
        if (!(set & bit_of(square_numbered(variant, number))))
            continue;
        while (last < squares && set & bit_of(square_numbered(variant, last + 1)))
            last++;
        end += sprintf(end, "%s%s%d", *any ? "," : "", king, number);
        if (last > number)
            end += sprintf(end, "-%d", last);
        *any = true;
        number = last;
    }
    return end;
}

static void check_ranges(const struct variant *variant, const struct position *position, bool black)
{
    char text[LONG_TEXT];
    bool any = false;
    char *end = text + sprintf(text, "%c:W", black ? 'B' : 'W');
    end = write_ranges(variant, end, "", position->own_men, &any);
    end = write_ranges(variant, end, "K", position->own_kings, &any);
    end += sprintf(end, ":B");
    any = false;
    end = write_ranges(variant, end, "", position->opponent_men, &any);
    write_ranges(variant, end, "K", position->opponent_kings, &any);
    check_reads(variant, text, position, black);
}

static void check_position(const struct variant *variant, const struct position *position, bool black)
{
    char fen[FEN_SIZE];
    assert_int_equal(fen_write(variant, position, black, fen), STATUS_OK);
    check_reads(variant, fen, position, black);
    check_case_and_blanks(variant, fen, position, black);
    check_order_and_frame(variant, fen, position, black);
    check_ranges(variant, position, black);
}

static void test_positions(void **state)
{
    (void)state;
    random_state = 5;
    for (size_t i = 0; i < variant_count; i++) {
        const struct variant *variant = variant_table[i];
        const struct position start = variant_start(variant);
        check_position(variant, &start, variant->rules.black_begins);
        for (int round = 0; round < POSITIONS_EACH; round++) {
            struct position position = random_position(variant, variant->rules.board->squares);
            check_position(variant, &position, random_below(2));
        }
    }
}

/* -- Moves --------------------------------------------------------------------------------------------- */

static struct move_list legal;
static struct move_paths paths;

static const char *fen_of(const struct variant *variant, const struct position *white_view, bool black)
{
    static char fen[FEN_SIZE];
    fen_write(variant, white_view, black, fen);
    return fen;
}

/* What the moves are read in. */
struct moves_of {
    const struct variant *variant;
    const char *fen;
    bool black;
};

static void check_means(const struct moves_of *of, const char *text, int index)
{
    int read = -1;
    enum status status = move_read(of->variant, &legal, &paths, of->black, text, &read);
    if (status != STATUS_OK || read != index)
        fail_msg("%s %s: %s is read with status %d as move %d, not %d", of->variant->rules.name, of->fen,
                 text, (int)status, read, index);
}

/* Writes the whole path with a sign between its squares; no sign at all is for algebraic names. */
static void write_path(const struct moves_of *of, int index, const char *sign, char *text)
{
    const struct move_path *path = &paths.of[index];
    for (int i = 0; i < path->length; i++) {
        text = stpcpy(text, i ? sign : "");
        text += square_write(of->variant, square_white_view(of->variant, path->squares[i], of->black), text);
    }
}

static void check_move(const struct moves_of *of, int index)
{
    static const char *const signs[] = {"-", "x", ":", "X", " x ", ""};
    const struct move *move = &legal.moves[index];
    char text[2 * MOVE_TEXT_SIZE];
    assert_int_equal(move_write(of->variant, &legal, &paths, index, of->black, text), STATUS_OK);
    check_means(of, text, index);
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if ((*signs[i] == '\0' && of->variant->rules.names != ALGEBRAIC) ||
            (!move->taken && strpbrk(signs[i], "x:X")))
            continue;
        write_path(of, index, signs[i], text);
        check_means(of, text, index);
    }
    assert_true(capture_path_passes(of->variant, move, &paths.of[index]) || !move->taken);
}

/* Every text is of one move, and no move's text is another's. */
static void check_moves(const struct variant *variant, const struct position *white_view, bool black)
{
    struct position own_view = black ? position_turned(variant->rules.board, white_view) : *white_view;
    const struct moves_of of = {variant, fen_of(variant, white_view, black), black};
    char last[MOVE_TEXT_SIZE] = "";
    assert_int_equal(moves_sorted(variant, &own_view, black, &legal, &paths), STATUS_OK);
    for (int i = 0; i < legal.count; i++) {
        char text[MOVE_TEXT_SIZE];
        assert_int_equal(move_write(variant, &legal, &paths, i, black, text), STATUS_OK);
        assert_true(strcmp(last, text) < 0);
        strcpy(last, text);
        check_move(&of, i);
    }
}

static void test_moves(void **state)
{
    (void)state;
    random_state = 6;
    for (size_t i = 0; i < variant_count; i++)
        for (int round = 0; round < POSITIONS_EACH; round++) {
            struct position position = random_position(variant_table[i], 14);
            check_moves(variant_table[i], &position, random_below(2));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions),
        cmocka_unit_test(test_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
