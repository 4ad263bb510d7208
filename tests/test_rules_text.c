/* Tests of the rules in words: that they follow the fields of hand-made rows, that every value of a field has
 * its words, that the boards are drawn right, and that docs/rules.md is what the rows say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rules_document.h"
#include "rules_text.h"
#include "rules_words.h"
#include "temporary.h"

enum { PLAIN_WIDTH = 79, MARKDOWN_WIDTH = 110 };

/* A row that is no variant's: its fields are changed one by one. */
static const struct rules plain_row = {
    .name = "test-row",
    .board = &board_8x8_diagonal,
    .lower_left_played = true,
    .man_steps = 1 << UP_LEFT | 1 << UP_RIGHT,
    .man_takes = 1 << UP_LEFT | 1 << UP_RIGHT,
    .flying = true,
    .landing = LANDING_ANY,
    .man_takes_king = true,
    .may_turn = true,
    .crowned = CROWNED_STOP,
    .choice = CHOICE_FREE,
    .special_end = NO_SPECIAL_END,
    .zeroing = ZEROED_BY_FORWARD_STEPS,
    .names = NUMBERS_FROM_TOP_LEFT,
    .start_rows = 3,
    .capture_sign = 'x',
    .game_type = "99,W,8,8,N2,0",
    .summary = "summary of the test",
    .source = "Sources of the test.",
};

/* -- Texts --------------------------------------------------------------------------------------------- */

/* What a variant's text or, without a variant, the document is; to be freed. */
static char *text_of(const struct variant *variant, enum rules_form form)
{
    /* Static, since compilers take what the stream was given for something that outlives this function. */
    static char *text;
    static size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    if (variant)
        rules_text_write(variant, form, out);
    else
        rules_document_write(out);
    assert_int_equal(fclose(out), 0);
    return text;
}

/* Makes every stretch of blanks and line ends one blank, so that sentences can be looked for. */
static void join_lines(char *text)
{
    char *end = text;
    for (const char *from = text; *from; from++) {
        bool blank = *from == ' ' || *from == '\n';
        if (!blank)
            *end++ = *from;
        else if (end > text && end[-1] != ' ')
            *end++ = ' ';
    }
    *end = '\0';
}

static char *joined_text(const struct rules *rules, enum rules_form form)
{
    const struct variant variant = {.rules = *rules, .moves = NULL};
    char *text = text_of(&variant, form);
    join_lines(text);
    return text;
}

static void expect_said(const struct rules *rules, const char *sentence, bool said)
{
    char *text = joined_text(rules, RULES_PLAIN);
    if ((strstr(text, sentence) != NULL) != said)
        fail_msg("%s: \"%s\" in: %s", said ? "missing" : "not wanted", sentence, text);
    free(text);
}

/* The row says one sentence, which the hand-made row does not, and does not say another one that it says;
 * both may be null. */
static void expect_change(const struct rules *rules, const char *gained, const char *lost)
{
    if (gained) {
        expect_said(rules, gained, true);
        expect_said(&plain_row, gained, false);
    }
    if (lost) {
        expect_said(rules, lost, false);
        expect_said(&plain_row, lost, true);
    }
}

/* The same for the hand-made row with some assignments to its `rules`. */
#define WITH(change, gained, lost)                                                                           \
    do {                                                                                                     \
        struct rules rules = plain_row;                                                                      \
        change;                                                                                              \
        expect_change(&rules, gained, lost);                                                                 \
    } while (0)

/* With the assignments the row says the sentence. */
#define SAYS(change, sentence)                                                                               \
    do {                                                                                                     \
        struct rules rules = plain_row;                                                                      \
        change;                                                                                              \
        expect_said(&rules, sentence, true);                                                                 \
    } while (0)

/* Puts the hand-made row on the board where pieces go along rows and columns. */
static void make_orthogonal(struct rules *rules)
{
    rules->board = &board_8x8_orthogonal;
    rules->man_steps = rules->man_takes = 1 << LEFT | 1 << UP | 1 << RIGHT;
    rules->names = ALGEBRAIC;
}

/* -- Words follow fields ------------------------------------------------------------------------------- */

static void test_board_words(void **state)
{
    (void)state;
    WITH(rules.board = &board_10x10_diagonal, "10 columns and 10 rows. Pieces stand on 50 squares",
         "8 columns and 8 rows. Pieces stand on 32 squares");
    WITH(make_orthogonal(&rules), "on all 64 squares and move along rows and columns, never diagonally.",
         "move diagonally. The lower left corner");
    WITH(rules.lower_left_played = false, "White sees the board, is not one of them.",
         "is one of these squares.");
    WITH(rules.names = NUMBERS_FROM_BOTTOM_RIGHT,
         "from right to left and from the bottom row up, as White sees the board: 1 is at g1",
         "from left to right and from the top row down, as White sees the board: 1 is at b8");
    WITH(rules.names = ALGEBRAIC, "columns a to h from White's left, rows 1 to 8 from White's side.",
         "Squares are numbered");
}

static void test_start_words(void **state)
{
    (void)state;
    expect_said(
        &plain_row,
        "Each side has 12 men: White's stand on rows 1 to 3 (squares 21 to 32), Black's on rows 6 to 8 "
        "(squares 1 to 12)",
        true);
    expect_said(&plain_row,
                "White's men are crowned on row 8 (squares 1 to 4), Black's on row 1 (squares 29 to 32)",
                true);
    WITH(rules.black_begins = true, "Black begins.", "White begins.");
    WITH(rules.start_rows = 2, "Each side has 8 men: White's stand on rows 1 and 2 (squares 25 to 32)",
         "12 men");
    WITH(rules.start_rows = 1, "Each side has 4 men: White's stand on row 1 (squares 29 to 32)", "12 men");
    WITH(rules.start_first_row = 1, "White's stand on rows 2 to 4 (squares 17 to 28), Black's on rows 5 to 7",
         "rows 1 to 3");
    WITH(rules.man_first_row = 1, "No man stands on its own back row", NULL);
    WITH(rules.man_first_row = 2, "No man stands on its own 2 back rows", NULL);
}

static void test_direction_words(void **state)
{
    (void)state;
    WITH(rules.man_takes = 15, "It takes diagonally forward or backward:", "It takes diagonally forward:");
    WITH(rules.man_steps = 15, "A man goes one square diagonally forward or backward,",
         "A man goes one square diagonally forward,");
    SAYS(rules.man_steps = 1 << UP_LEFT, "one square diagonally forward to the left,");
    SAYS(rules.man_steps = 1 << UP_LEFT;
         rules.lower_left_played = false, "one square diagonally forward to the right,");
    SAYS(rules.man_takes = 7, "It takes diagonally forward or backward to the right:");
    SAYS(make_orthogonal(&rules), "A man goes one square straight forward or sideways,");
    SAYS(make_orthogonal(&rules); rules.man_takes = 15, "It takes straight forward, sideways or backward:");
    SAYS(make_orthogonal(&rules);
         rules.man_takes = 1 << LEFT | 1 << UP, "It takes straight forward or to the left:");
    SAYS(make_orthogonal(&rules); rules.man_takes = 1 << RIGHT;
         rules.lower_left_played = false, "It takes straight to the left:");
}

static void test_words_of_taking(void **state)
{
    (void)state;
    WITH(rules.man_takes_king = false, "Men take men only:", "Men take men and kings.");
    WITH(rules.flying = false, "A king is short: it goes one square diagonally forward or backward,",
         "A king is flying:");
    WITH(rules.landing = LANDING_MUST, "it has to land on one of those.",
         "even one from which it can take no more");
    WITH(rules.landing = LANDING_MUST; rules.flying = false, NULL, "It may choose any of these squares");
    WITH(rules.choice = MOST_PIECES, "from which the capture can become one that must be taken (below).",
         "even one from which it can take no more");
    WITH(rules.gone_now = true, "A piece taken leaves the board at once;",
         "The pieces taken leave the board when the move is over;");
    WITH(rules.gone_now = true, "any direction open to the piece, even straight back.",
         "though the piece just taken is in the way straight back.");
    WITH(rules.may_turn = false, "Two jumps in a row never go in opposite directions.", "Each jump may go");
    SAYS(rules.may_turn = false; rules.crowned = CROWNED_KING, "This binds a man just crowned, too.");
    SAYS(make_orthogonal(&rules); rules.may_turn = false;
         rules.crowned = CROWNED_KING, "a man just crowned, too: from the last row it goes on sideways.");
}

static void test_words_of_the_last_row(void **state)
{
    const char *stop = "it is crowned and its move is over, even where a king could take more.";
    (void)state;
    WITH(rules.crowned = CROWNED_PASS, "can take more as a man, it goes on and stays a man,", stop);
    WITH(rules.crowned = CROWNED_KING, "it is crowned at once and goes on as a king", stop);
}

static void test_words_of_choice(void **state)
{
    const char *free_choice = "The choice is free:";
    (void)state;
    WITH(rules.choice = MOST_PIECES, "1. The most pieces,", free_choice);
    WITH(rules.choice = BY_KING, "1. By a king:", free_choice);
    WITH(rules.choice = MOST_KINGS, "1. The most kings among the pieces taken, whether a man or a king",
         free_choice);
    WITH(rules.choice = KINGS_EARLIEST, "1. Kings earliest:", free_choice);
    WITH(rules.choice = FIRST_KING_EARLIEST, "1. The first king earliest:", free_choice);
}

static void test_words_of_ladders(void **state)
{
    (void)state;
    SAYS(rules.choice = BY_KING | FIRST_KING_EARLIEST,
         "has to. 2. The first king earliest: the sooner the first king is taken,");
    SAYS(rules.choice = MOST_PIECES | MOST_KINGS, "stops a man. 2. The most kings");
    SAYS(rules.choice = MOST_PIECES; rules.crowned = CROWNED_PASS, "men and kings counting one each.");
    SAYS(rules.choice = MOST_PIECES; rules.crowned = CROWNED_KING, "takes after it has become a king.");
    SAYS(rules.choice = BY_KING; rules.crowned = CROWNED_KING, "king on its way counts as a man.");
    SAYS(rules.choice = MOST_KINGS; rules.man_takes_king = false, "The most kings among the pieces taken. ");
    SAYS(rules.choice = MOST_PIECES, "Among all captures this decides which may be made.");
    SAYS(rules.choice = MOST_PIECES | BY_KING | MOST_KINGS | KINGS_EARLIEST,
         "Among all captures these rungs,");
    SAYS(rules.choice = MOST_PIECES | BY_KING | MOST_KINGS | KINGS_EARLIEST,
         "has to. 3. The most kings among the pieces taken, whether a man or a king takes them. 4. "
         "Kings earliest:");
}

static void test_words_of_the_end(void **state)
{
    const char *none = "Nothing else ends it:";
    (void)state;
    expect_said(&plain_row, "A side to move that has no piece or no legal move has lost;", true);
    WITH(rules.special_end = KING_BEATS_MAN, "One king against one man, and nothing else, is won", none);
    WITH(rules.special_end = ONE_AGAINST_ONE_DRAWS, "One piece against one piece, men or kings, is a draw,",
         none);
    WITH(rules.zeroing = ZEROED_BY_CAPTURES, "Only captures set the count",
         "Captures and moves of men, crowning included, set the count");
    WITH(make_orthogonal(&rules), "Captures and forward moves of men, crowning included, set the count",
         "Captures and moves of men");
    WITH(rules.limit = 80, "When it reaches 80 moves of both sides together (40 by each) the game is a draw",
         "There is no limit to this count");
    WITH(rules.limit = 41, "When it reaches 41 moves of both sides together the game is a draw", NULL);
    WITH(rules.limit = 80, "Values obey this limit and hold for a count of zero.",
         "so values are win, draw and loss.");
    WITH(rules.limit = 41, "within 41 moves of both sides the winner can force the end", NULL);
    WITH(rules.limit = 80, "for one is a blessed loss for the other.", NULL);
    WITH(rules.lender = "another", "from those of another, which has the same moves; distances", NULL);
}

static void test_words_of_notation(void **state)
{
    (void)state;
    expect_said(&plain_row, "A move is written 21-17, a capture 21x14, by", true);
    expect_said(&plain_row, "such as 21x14x", true);
    expect_said(&plain_row, "as in W:W21,K29:BK1.", true);
    WITH(rules.capture_sign = ':', "a capture 21:14, by", "a capture 21x14, by");
    WITH(rules.names = ALGEBRAIC, "A move is written a3-b4, a capture a3xc5, by its first and last square",
         NULL);
    WITH(rules.game_type = "98,B,8,8,N2,0", "The GameType of PDN is 98,B,8,8,N2,0.", "99,W,8,8,N2,0");
    WITH(rules.black_begins = true, "as in B:W21,K29:BK1.", "as in W:W21,K29:BK1.");
    WITH(rules.summary = "another summary", "test-row: another summary.", "summary of the test");
    WITH(rules.source = "Another source.", "Source of each decision Another source.", "Sources of the test.");
}

/* Any pieces of a name that a text asked for would show here. */
static void test_name_decides_nothing(void **state)
{
    (void)state;
    for (size_t v = 0; v < variant_count; v++) {
        struct variant renamed = {.rules = variant_table[v]->rules, .moves = NULL};
        renamed.rules.name = "test-row";
        char *text = text_of(variant_table[v], RULES_MARKDOWN);
        char *other = text_of(&renamed, RULES_MARKDOWN);
        assert_string_equal(strchr(text, '\n'), strchr(other, '\n'));
        free(text);
        free(other);
    }
}

/* -- Single words -------------------------------------------------------------------------------------- */

static void test_single_words(void **state)
{
    const struct variant turkish = {.rules = variant_named("turkish")->rules, .moves = NULL};
    const struct variant mirrored = {.rules = variant_named("italian")->rules, .moves = NULL};
    (void)state;
    assert_string_equal(landing_word(LANDING_ANY), "any");
    assert_string_equal(landing_word(LANDING_MUST), "must");
    assert_string_equal(crowned_word(CROWNED_STOP), "stop");
    assert_string_equal(crowned_word(CROWNED_PASS), "pass");
    assert_string_equal(crowned_word(CROWNED_KING), "king");
    assert_string_equal(special_end_word(NO_SPECIAL_END), "none");
    assert_string_equal(special_end_word(KING_BEATS_MAN), "king-beats-man");
    assert_string_equal(special_end_word(ONE_AGAINST_ONE_DRAWS), "one-against-one-draws");
    assert_string_equal(zeroing_word(ZEROED_BY_CAPTURES), "captures");
    assert_string_equal(zeroing_word(ZEROED_BY_FORWARD_STEPS), "captures-and-forward-moves-of-men");
    assert_string_equal(square_names_word(NUMBERS_FROM_TOP_LEFT), "numbers-from-top-left");
    assert_string_equal(square_names_word(NUMBERS_FROM_BOTTOM_RIGHT), "numbers-from-bottom-right");
    assert_string_equal(square_names_word(ALGEBRAIC), "algebraic");
    assert_string_equal(choice_word(CHOICE_FREE), "free");
    assert_string_equal(choice_word(MOST_PIECES), "most-pieces");
    assert_string_equal(choice_word(BY_KING), "by-a-king");
    assert_string_equal(choice_word(MOST_KINGS), "most-kings");
    assert_string_equal(choice_word(KINGS_EARLIEST), "kings-earliest");
    assert_string_equal(choice_word(FIRST_KING_EARLIEST), "first-king-earliest");
    assert_string_equal(direction_word(&turkish, LEFT), "left");
    assert_string_equal(direction_word(&turkish, DOWN), "backward");
    assert_string_equal(direction_word(&mirrored, UP_LEFT), "forward-right");
    assert_string_equal(direction_word(&mirrored, DOWN_RIGHT), "backward-left");
}

/* -- Drawings ------------------------------------------------------------------------------------------ */

/* A variant's first and last row as White sees them, its rows where men start, and where they are crowned. */
struct drawing {
    const char *variant;
    const char *top;
    const char *bottom;
    int rows;
    int first_start; /* counted from 1 */
    int last_start;
};

#define ITALIAN_BOARD "8 | 1 . 2 . 3 . 4 . |", "1 | . 29 . 30 . 31 . 32 |", 8, 1, 3
#define PORTUGUESE_BOARD "8 | 32 . 31 . 30 . 29 . |", "1 | . 4 . 3 . 2 . 1 |", 8, 1, 3
#define TURKISH_BOARD "8 | a8 b8 c8 d8 e8 f8 g8 h8 |", "1 | a1 b1 c1 d1 e1 f1 g1 h1 |", 8, 2, 3
#define DAMII_BOARD "10 | 1 . 2 . 3 . 4 . 5 . |", "1 | . 46 . 47 . 48 . 49 . 50 |", 10, 1, 4
#define LETTERED_BOARD "8 | . b8 . d8 . f8 . h8 |", "1 | a1 . c1 . e1 . g1 . |", 8, 1, 3
#define ENGLISH_BOARD "8 | . 1 . 2 . 3 . 4 |", "1 | 29 . 30 . 31 . 32 . |", 8, 1, 3

static const struct drawing drawings[] = {
    {"italian", ITALIAN_BOARD},
    {"portuguese", PORTUGUESE_BOARD},
    {"turkish", TURKISH_BOARD},
    {"damii", DAMII_BOARD},
    {"spanish", PORTUGUESE_BOARD},
    {"international", "10 | . 1 . 2 . 3 . 4 . 5 |", "1 | 46 . 47 . 48 . 49 . 50 . |", 10, 1, 4},
    {"brazilian", LETTERED_BOARD},
    {"russian", LETTERED_BOARD},
    {"pool", ENGLISH_BOARD},
    {"english", ENGLISH_BOARD},
    {"czech", LETTERED_BOARD},
    {"triestina", DAMII_BOARD},
    {"damii-king", DAMII_BOARD},
    {"damii-stop", DAMII_BOARD},
    {"damii-must", DAMII_BOARD},
    {"turkish-tudaf", TURKISH_BOARD},
    {"italian-first", ITALIAN_BOARD},
};

/* The line of the drawing that begins with the row's number, its blanks made single; to be freed. */
static char *drawn_row(const char *text, int row)
{
    char mark[32];
    snprintf(mark, sizeof mark, "\n    %2d |", row);
    const char *start = strstr(text, mark);
    assert_non_null(start);
    char *line = strndup(start + 1, strcspn(start + 1, "\n"));
    assert_non_null(line);
    join_lines(line);
    return line;
}

static void check_drawn_row(const struct drawing *drawing, const char *text, int row)
{
    char *line = drawn_row(text, row);
    const char *board = row == drawing->rows ? drawing->top : row == 1 ? drawing->bottom : NULL;
    bool starts = row >= drawing->first_start && row <= drawing->last_start;
    if (board && strncmp(line, board, strlen(board)) != 0)
        fail_msg("%s: drawn is: %s", drawing->variant, line);
    assert_int_equal(strstr(line, "White's men start") != NULL, starts);
    assert_int_equal(strstr(line, "White's men are crowned") != NULL, row == drawing->rows);
    free(line);
}

static void test_drawings(void **state)
{
    (void)state;
    assert_int_equal(variant_count, sizeof drawings / sizeof drawings[0]);
    for (size_t i = 0; i < variant_count; i++) {
        const struct variant *variant = variant_named(drawings[i].variant);
        assert_non_null(variant);
        for (int form = RULES_PLAIN; form <= RULES_MARKDOWN; form++) {
            char *text = text_of(variant, (enum rules_form)form);
            for (int row = 1; row <= drawings[i].rows; row++)
                check_drawn_row(&drawings[i], text, row);
            free(text);
        }
    }
}

/* -- Forms --------------------------------------------------------------------------------------------- */

/* No line is longer than the form allows, ends in a blank, or is a heading or list where none is meant. */
static void check_lines(const char *text, enum rules_form form)
{
    int width = form == RULES_PLAIN ? PLAIN_WIDTH : MARKDOWN_WIDTH;
    int before = 0;
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        int length = (int)strcspn(line, "\n");
        if (*line != '|' && length > width)
            fail_msg("%d characters: %.*s", length, length, line);
        if (length > 0 && line[length - 1] == ' ')
            fail_msg("a blank at the end: %.*s", length, line);
        if (form == RULES_MARKDOWN && before > 0 && strchr("#>+-", *line) && length > 0)
            fail_msg("means something else in Markdown: %.*s", length, line);
        before = length;
    }
}

/* In Markdown, "1." at the start of a line begins a list: only where the empty line before says so, or a rung
 * follows another. */
static void check_lists(const char *text)
{
    int number = 0;
    int before = 0;
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        int length = (int)strcspn(line, "\n");
        char *end;
        long begins = strtol(line, &end, 10);
        if (length == 0 || (*line == ' ' && number == 0))
            number = 0;
        else if (end > line && strncmp(end, ". ", 2) == 0 && *line != ' ') {
            if (begins != number + 1 || (number == 0 && before > 0))
                fail_msg("not meant as a list: %.*s", length, line);
            number = (int)begins;
        }
        before = length;
    }
}

static void test_forms(void **state)
{
    (void)state;
    for (size_t v = 0; v < variant_count; v++) {
        char *plain = text_of(variant_table[v], RULES_PLAIN);
        char *markdown = text_of(variant_table[v], RULES_MARKDOWN);
        check_lines(plain, RULES_PLAIN);
        check_lines(markdown, RULES_MARKDOWN);
        check_lists(markdown);
        assert_null(strchr(plain, '`'));
        assert_null(strstr(plain, "**"));
        assert_int_equal(plain[strlen(plain) - 2], '.');
        free(plain);
        free(markdown);
    }
}

/* Both forms say the same, signs of Markdown and labels aside. */
static void test_forms_agree(void **state)
{
    (void)state;
    for (size_t v = 0; v < variant_count; v++) {
        const struct rules *rules = &variant_table[v]->rules;
        char *plain = joined_text(rules, RULES_PLAIN);
        char *markdown = joined_text(rules, RULES_MARKDOWN);
        char *end = markdown;
        for (const char *from = markdown; *from; from++)
            if (*from == '*' && from[1] == '*')
                from++;
            else if (*from == '.' && from[1] == '*' && from[2] == '*')
                from += 2;
            else if (*from != '`')
                *end++ = *from;
        *end = '\0';
        const char *plain_board = strstr(plain, "Board ");
        const char *markdown_board = strstr(markdown, "Board ");
        assert_non_null(plain_board);
        assert_non_null(markdown_board);
        assert_string_equal(plain_board, markdown_board);
        free(plain);
        free(markdown);
    }
}

/* -- The document -------------------------------------------------------------------------------------- */

static void test_document_has_all(void **state)
{
    char *document = text_of(NULL, RULES_MARKDOWN);
    (void)state;
    check_lines(document, RULES_MARKDOWN);
    check_lists(document);
    for (size_t v = 0; v < variant_count; v++) {
        char row[64];
        char *section = text_of(variant_table[v], RULES_MARKDOWN);
        const char *name = variant_table[v]->rules.name;
        snprintf(row, sizeof row, "\n| [%s](#%s) |", name, name);
        assert_non_null(strstr(document, row));
        assert_non_null(strstr(document, section));
        assert_non_null(variant_table[v]->rules.source);
        free(section);
    }
    free(document);
}

/* The file of the repository, found by DAMABASE_ROOT, else from the folder in which the tests run. */
static void test_document_is_in_the_repository(void **state)
{
    const char *root = getenv("DAMABASE_ROOT");
    char *path = path_join(root ? root : ".", "docs/rules.md");
    size_t length;
    (void)state;
    if (!file_exists(path))
        fail_msg("there is no %s: set DAMABASE_ROOT to the repository", path);
    char *document = text_of(NULL, RULES_MARKDOWN);
    uint8_t *file = file_bytes(path, &length);
    if (length != strlen(document) || memcmp(file, document, length) != 0)
        fail_msg("%s is not what the rows say: damaprobe rules --markdown > docs/rules.md", path);
    free(file);
    free(document);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_board_words),
        cmocka_unit_test(test_start_words),
        cmocka_unit_test(test_direction_words),
        cmocka_unit_test(test_words_of_taking),
        cmocka_unit_test(test_words_of_the_last_row),
        cmocka_unit_test(test_words_of_choice),
        cmocka_unit_test(test_words_of_ladders),
        cmocka_unit_test(test_words_of_the_end),
        cmocka_unit_test(test_words_of_notation),
        cmocka_unit_test(test_name_decides_nothing),
        cmocka_unit_test(test_single_words),
        cmocka_unit_test(test_drawings),
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_forms_agree),
        cmocka_unit_test(test_document_has_all),
        cmocka_unit_test(test_document_is_in_the_repository),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
