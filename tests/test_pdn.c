/* Tests of PDN as text: its tokens, where games begin and end, and over a hundred faults with their places.
 * Texts of any length and nesting have to be read in bounded memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pdn_text.h"

/* -- Items --------------------------------------------------------------------------------------------- */

enum { RENDERED_SIZE = 4096 };

/* Writes the items of a text one behind the other: Name=text, 12:move or move, /FEN/, !2:7 message, |result.
 */
static void render(const char *text, size_t length, size_t piece, char rendered[RENDERED_SIZE])
{
    struct memory memory = {text, length, piece};
    struct pdn_reader *reader = malloc(sizeof *reader);
    struct pdn_item item;
    size_t used = 0;
    assert_non_null(reader);
    pdn_reader_init(reader, source_of(&memory));
    rendered[0] = '\0';
    for (pdn_read(reader, &item); item.kind != PDN_FILE_END && used < RENDERED_SIZE - 1;
         pdn_read(reader, &item)) {
        char *end = rendered + used;
        size_t room = RENDERED_SIZE - used;
        int wrote = 0;
        switch (item.kind) {
        case PDN_TAG: wrote = snprintf(end, room, "%s=%s ", item.name, item.text); break;
        case PDN_MOVE:
            wrote = item.number ? snprintf(end, room, "%llu:%s ", item.number, item.text)
                                : snprintf(end, room, "%s ", item.text);
            break;
        case PDN_SETUP: wrote = snprintf(end, room, "/%s/ ", item.text); break;
        case PDN_FAULT: wrote = snprintf(end, room, "!%llu:%llu ", item.place.line, item.place.column); break;
        case PDN_GAME_END: wrote = snprintf(end, room, "|%s ", item.text); break;
        case PDN_FILE_END: break;
        }
        used += (size_t)wrote;
    }
    /* The end is the end. */
    pdn_read(reader, &item);
    if (used < RENDERED_SIZE - 1)
        assert_int_equal(item.kind, PDN_FILE_END);
    free(reader);
}

struct reading {
    const char *text;
    const char *items;
};

static const struct reading readings[] = {
    /* games: by results, by tags behind moves, by the end of the file */
    {"", ""},
    {" \t\r\n\v\f", ""},
    {"{ nothing } ; but comments\n% and lines", ""},
    {"*", ""},
    {"* 1-0 {x} *", ""},
    {"1. 32-28 18-23 *", "1:32-28 18-23 |* "},
    {"1. 32-28 18-23", "1:32-28 18-23 | "},
    {"1. 32-28 1-0 1. 31-27 0-1", "1:32-28 |1-0 1:31-27 |0-1 "},
    {"[Event \"a\"]", "Event=a | "},
    {"[Event \"a\"] *", "Event=a |* "},
    {"[Event \"a\"][White \"b\"] 32-28 [Event \"c\"] 31-27", "Event=a White=b 32-28 | Event=c 31-27 | "},
    {"[Event \"a\"] * [Event \"b\"] *", "Event=a |* Event=b |* "},
    {"{c} [Event \"a\"] {c} [White \"b\"] {c} 32-28", "Event=a White=b 32-28 | "},
    {"[Event \"a\"] 1-0 * [Event \"b\"]", "Event=a |1-0 Event=b | "},
    {"1. 2-0", "|2-0 "},
    {"(1-6)", "| "},
    /* results of both kinds; moves that look like them */
    {"1-6 1-0", "1-6 |1-0 "},
    {"1-6 1/2-1/2", "1-6 |1/2-1/2 "},
    {"1-6 1/2 - 1/2", "1-6 |1/2-1/2 "},
    {"1-6 0-1", "1-6 |0-1 "},
    {"1-6 2-0", "1-6 |2-0 "},
    {"1-6 1-1", "1-6 |1-1 "},
    {"1-6 0-2", "1-6 |0-2 "},
    {"1-6 0-0", "1-6 |0-0 "},
    {"1-6 0 - 2\n", "1-6 |0-2 "},
    {"1-18 1-10 2-01 01-06", "1-18 1-10 2-01 01-06 | "},
    /* numbers */
    {"1.32-28 17-22  2.28x17", "1:32-28 17-22 2:28x17 | "},
    {"1... 18-23 2. 28x19", "1:18-23 2:28x19 | "},
    {"1. ... 18-23", "1:18-23 | "},
    {"1 . 32-28", "1:32-28 | "},
    {"12.c3-d4 13.... d6-e5", "12:c3-d4 13:d6-e5 | "},
    {"01. 32-28", "1:32-28 | "},
    {"99999999999999999999. 32-28", "999999999:32-28 | "},
    {"1. 2. 32-28", "2:32-28 | "},
    {"7. /FEN \"W:W1:B2\"/ 32-28", "/W:W1:B2/ 7:32-28 | "},
    {"0. 32-28", "32-28 | "},
    /* moves */
    {"32x23x14 a1:c3:e5 c3d4 D6XF4", "32x23x14 a1:c3:e5 c3d4 D6XF4 | "},
    {"32 - 28 18 -23 28- 19 14\nx\r\n23", "32-28 18-23 28-19 14x23 | "},
    {"a1 : c3 :e5", "a1:c3:e5 | "},
    /* annotations */
    {"32-28! 18-23? 28-22!? 17x28?! 31-26!! 1-6??", "32-28 18-23 28-22 17x28 31-26 1-6 | "},
    {"32-28 ! 18-23(?) 28-22 (!?) 1-6(!!)", "32-28 18-23 28-22 1-6 | "},
    {"32-28 $1 18-23$2$13 $255 28-22", "32-28 18-23 28-22 | "},
    {"32-28* 18-23 *", "32-28 18-23 |* "},
    {"32-28!* 18-23(?)* 28-22**", "32-28 18-23 28-22 | "},
    {"32-28 *", "32-28 |* "},
    {"32-28\n* 1-6", "32-28 |* 1-6 | "},
    {"1-6 2-0* 1-7", "1-6 |2-0 1-7 | "},
    {"32-28. 18-23", "32-28 18-23 | "},
    /* comments */
    {"32-28{x}18-23", "32-28 18-23 | "},
    {"32-28 {[%clk 1:55:21]} 18-23 {(} {;} {\"} {[Event \"x\"]}", "32-28 18-23 | "},
    {"32-28 {a\nb\r\n} 18-23 {}", "32-28 18-23 | "},
    {"32-28 ; 18-23 { (\n 17-22 % x } )\r28x17", "32-28 17-22 28x17 | "},
    {"% [Event \"x\"]\n[Event \"a\"] ; [White \"b\"]\n*", "Event=a |* "},
    {"32-28 {\xff\xfe\x01} 18-23", "32-28 18-23 | "},
    {"32-28 ;\xe9", "32-28 | "},
    /* variations */
    {"32-28 (31-27 18-23) 18-23", "32-28 18-23 | "},
    {"1. 32-28 (1. 31-27 (1. 33-28 {)} $4 (?)) 2. 1-1 * 0-2) 1... 18-23", "1:32-28 1:18-23 | "},
    {"1. (31-27) 32-28", "1:32-28 | "},
    {"((((32-28)))) 31-27", "31-27 | "},
    {"(/FEN \"W:W1:B2\"/ 1-6) 31-27", "31-27 | "},
    {"()", "| "},
    /* tags */
    {"[Event \"a \\\"b\\\" \\\\ c\\d\"]", "Event=a \"b\" \\ c\\d | "},
    {"[ Event\t\"a\" ]", "Event=a | "},
    {"[Event\"a\"]", "Event=a | "},
    {"[Event \"\"]", "Event= | "},
    {"[White_Elo2 \"[1] {2} ; % (3)\"]", "White_Elo2=[1] {2} ; % (3) | "},
    {"[Event \"Zo\xc3\xab\"] [Site \"\xe9\"]", "Event=Zo\xc3\xab Site=\xe9 | "},
    {"\xef\xbb\xbf[Event \"a\"]\r\n*\r\n\xef\xbb\xbf[Event \"b\"]", "Event=a |* Event=b | "},
    /* setups */
    {"/FEN \"W:W1:B2\"/ 1-6 / fen \"x\" / 2-7", "/W:W1:B2/ 1-6 /x/ 2-7 | "},
    /* faults: one a game, the next game is read */
    {"32-28 # 18-23 # * 1-6", "32-28 !1:7 |* 1-6 | "},
    {"32-28 # [Event \"a\"] 1-6", "32-28 !1:7 | Event=a 1-6 | "},
    {"32-28\n1-0\n# $ {x}\n[Event \"a\"] 1-6", "32-28 |1-0 !3:1 | Event=a 1-6 | "},
    {"[Event a]\n[White \"b\"]\n1-6\n[Event \"c\"]\n2-7", "!1:8 | Event=c 2-7 | "},
    {"1-6 [Event a]\n[White \"b\"] 1-6 * 2-7", "1-6 | !1:12 |* 2-7 | "},
    {"1-6 (2-7 [Event \"a\"] 3-8", "1-6 !1:5 | Event=a 3-8 | "},
    {"1-6 # (2-7 [Event \"a\"] 3-8", "1-6 !1:5 | Event=a 3-8 | "},
    {"1-6 # ) 2-7 ) 0-1 3-8", "1-6 !1:5 |0-1 3-8 | "},
    {"1-6 (2-7 # 0-1 3-8) * 4-9", "1-6 !1:10 |* 4-9 | "},
    {"1-6 (", "1-6 !1:5 | "},
    {"\xef\xbb\xbf#", "!1:1 | "},
    {"\xc3\xa9", "!1:1 | "},
    {"{\xc3\xa9\xe2\x82\xac} #", "!1:6 | "},
    {"\r\n\r\n #", "!3:2 | "},
    {"\r\r #", "!3:2 | "},
    {"\n\n\r\n #", "!4:2 | "},
};

static void test_items_of_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof readings / sizeof readings[0]; i++) {
        char rendered[RENDERED_SIZE];
        for (size_t piece = 1; piece < 8; piece += piece < 3 ? 1 : 4) {
            render(readings[i].text, strlen(readings[i].text), piece, rendered);
            if (strcmp(rendered, readings[i].items) != 0)
                fail_msg("\"%s\" in pieces of %zu: \"%s\", not \"%s\"", readings[i].text, piece, rendered,
                         readings[i].items);
        }
    }
}

static void test_zero_bytes(void **state)
{
    (void)state;
    static const char text[] = "1-6 {a\0b} ;\0\n2-7 \0 3-8 * 4-9";
    char rendered[RENDERED_SIZE];
    render(text, sizeof text - 1, SIZE_MAX, rendered);
    assert_string_equal(rendered, "1-6 2-7 !2:5 |* 4-9 | ");
}

/* -- Long texts ---------------------------------------------------------------------------------------- */

enum { MANY = 200000 };

/* `times` times the text, with what stands before and behind it; to be freed. */
static char *repeated(const char *before, const char *text, size_t times, const char *behind)
{
    size_t length = strlen(text);
    char *whole = malloc(strlen(before) + times * length + strlen(behind) + 1);
    assert_non_null(whole);
    char *end = stpcpy(whole, before);
    for (size_t i = 0; i < times; i++)
        end = stpcpy(end, text);
    strcpy(end, behind);
    return whole;
}

static void check_long(char *text, const char *items)
{
    char rendered[RENDERED_SIZE];
    render(text, strlen(text), SIZE_MAX, rendered);
    free(text);
    assert_string_equal(rendered, items);
}

static void test_endless_texts(void **state)
{
    (void)state;
    check_long(repeated("1-6", " ", MANY, "2-7"), "1-6 2-7 | ");
    check_long(repeated("1-6 {", "x", MANY, "} 2-7"), "1-6 2-7 | ");
    check_long(repeated("1-6 {", "x", MANY, " 2-7"), "1-6 !1:5 | ");
    check_long(repeated("1-6 ;", "x", MANY, "\n2-7"), "1-6 2-7 | ");
    check_long(repeated("1-6 ", "(", MANY, "3-8"), "1-6 !1:5 | ");
    check_long(repeated("1-6 ", "(2-7) ", MANY, "3-8"), "1-6 3-8 | ");
    check_long(repeated("1-6 ", "$1", MANY, " 3-8"), "1-6 3-8 | ");
    check_long(repeated("1-6", "!", MANY, " 3-8"), "1-6 3-8 | ");
    check_long(repeated("", "1. ", MANY, " 3-8"), "1:3-8 | ");
    check_long(repeated("1-6 ", "-17", MANY, " 3-8"), "!1:1 | ");
    check_long(repeated("1-6 ", "\n", MANY, "#"), "1-6 !200001:1 | ");
    check_long(repeated("[", "E", MANY, " \"x\"] *"),
               "EEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEE=x |* ");
}

static void test_nested_variations(void **state)
{
    (void)state;
    char *inside = repeated("1-6 ", "(2-7 ", MANY, "");
    check_long(repeated(inside, ") ", MANY, "3-8 1-0"), "1-6 3-8 |1-0 ");
    check_long(repeated(inside, ") ", MANY - 1, "3-8 1-0"), "1-6 !1:5 | ");
    check_long(repeated(inside, ")", MANY + 1, "3-8 1-0"), "1-6 !1:1200005 |1-0 ");
    free(inside);
}

/* The longest move that is read, and one character more. */
static void test_long_words(void **state)
{
    (void)state;
    char *word = repeated("", "7", PDN_WORD_LIMIT, "");
    char *longer = repeated("", "7", PDN_WORD_LIMIT + 1, "");
    char expected[RENDERED_SIZE];
    snprintf(expected, sizeof expected, "%s | ", word);
    check_long(word, expected);
    check_long(longer, "!1:1 | ");
}

/* A tag's text is cut, but never so that a FEN too long becomes one that can be read. */
static void test_long_tags(void **state)
{
    (void)state;
    char *text = repeated("[FEN \"W:W21:B5", " ", FEN_READ_LIMIT, "\"] 21-17 *");
    struct memory memory = memory_of(text, strlen(text));
    struct pdn_player *player = player_of(&memory, variant_of("italian"));
    assert_int_equal(pdn_player_next(player), PDN_GAME_BEGINS);
    assert_int_equal(pdn_player_next(player), PDN_GAME_IS_FAULTY);
    assert_non_null(strstr(player->message, "no position needs more than 1024 characters"));
    assert_int_equal(pdn_player_next(player), PDN_GAME_ENDS);
    assert_int_equal(pdn_player_next(player), PDN_NO_MORE_GAMES);
    free(text);
    /* No character of two bytes is cut in the middle. */
    text = repeated("[White \"x", "\xc3\xa9", PDN_HEADER_SIZE, "\"] *");
    memory = memory_of(text, strlen(text));
    pdn_player_init(player, source_of(&memory), variant_of("italian"));
    assert_int_equal(pdn_player_next(player), PDN_GAME_BEGINS);
    assert_int_equal(strlen(player->headers.white), PDN_HEADER_SIZE - 1);
    assert_int_equal((unsigned char)player->headers.white[PDN_HEADER_SIZE - 2], 0xa9);
    free(player);
    free(text);
}

/* -- Faults -------------------------------------------------------------------------------------------- */

struct fault {
    const char *text;
    unsigned long long line;
    unsigned long long column;
    const char *message; /* its beginning */
};

/* Games of italian unless they have a GameType. */
static const struct fault faults[] = {
    /* tags */
    {"[", 1, 2, "a name expected, found the end of the file"},
    {"[]", 1, 2, "a name expected, found ']'"},
    {"[Event", 1, 7, "'\"' expected, found the end of the file"},
    {"[Event ]", 1, 8, "'\"' expected, found ']'"},
    {"[Event x]", 1, 8, "'\"' expected, found 'x'"},
    {"[Event \"x", 1, 8, "the text that begins here is not closed by '\"' on its line"},
    {"[Event \"x]\n[White \"y\"]\n*", 1, 8, "the text that begins here is not closed by '\"' on its line"},
    {"[Event \"x\" \"y\"]", 1, 12, "']' expected, found '\"'"},
    {"[Event \"x\"\n]", 1, 11, "']' expected, found the end of the line"},
    {"[\"x\"]", 1, 2, "a name expected, found '\"'"},
    {"[1st \"x\"]", 1, 2, "a name expected, found '1'"},
    {"[Event\n\"x\"]", 1, 7, "'\"' expected, found the end of the line"},
    {"[Event \"a\"b\"]", 1, 11, "']' expected, found 'b'"},
    {"[Event \"a\\\\\"b\"]", 1, 13, "']' expected, found 'b'"},
    {"[Event \"a\\\"]", 1, 8, "the text that begins here is not closed by '\"' on its line"},
    {"[Event 'a']", 1, 8, "'\"' expected, found '''"},
    {" \t[Event \"x\"] ]", 1, 15, "']' has no meaning here"},
    {"[White \"a\"]\n[Black b]\n1. 21-17", 2, 8, "'\"' expected, found 'b'"},
    {"1. 21-17 [%clk 1:00] 12-16", 1, 11, "a name expected, found '%'"},
    {"[FEN \"x\"]", 1, 1,
     "the FEN \"x\" of italian: character 1: the side to move, W or B, expected, found 'x'"},
    {"[FEN \"W:W21:B5:G1\"] *", 1, 1,
     "the FEN \"W:W21:B5:G1\" of italian: character 10: H or F with a number expected, found 'G'"},
    {"[FEN \"W:W1:B5\"]", 1, 1,
     "the FEN \"W:W1:B5\" of italian: character 4: a White man cannot stand on 1, its promotion row"},
    {"[FEN \"W:W21:B21\"]", 1, 1,
     "the FEN \"W:W21:B21\" of italian: character 8: square 21 is doubled: a White man stands there already"},
    {"[FEN \"W:W33:B5\"]", 1, 1,
     "the FEN \"W:W33:B5\" of italian: character 4: there is no square 33 (1 to 32)"},
    {"[FEN \"W:W:B\"]", 1, 1, "the FEN \"W:W:B\" of italian: character 6: both lists of pieces are empty"},
    {"[FEN \"W:Wd2:Bd7\"]", 1, 1,
     "the FEN \"W:Wd2:Bd7\" of italian: character 4: a square expected, found 'd'"},
    {"[FEN \"W:W21\"]", 1, 1,
     "the FEN \"W:W21\" of italian: character 6: ':' and Black's pieces expected, found the end"},
    {"\n\n   [FEN \"21\"]", 3, 4,
     "the FEN \"21\" of italian: character 1: the side to move, W or B, expected, found '2'"},
    {"[GameType \"x\"]", 1, 1, "the GameType \"x\" does not begin with a number"},
    {"[GameType \",W\"]", 1, 1, "the GameType \",W\" does not begin with a number"},
    {"[GameType \"-20\"]", 1, 1, "the GameType \"-20\" does not begin with a number"},
    {"[GameType \"22x\"]", 1, 1, "the GameType \"22x\" does not begin with a number"},
    {"[GameType \"27\"]", 1, 1, "no variant here has the GameType 27"},
    {"[GameType \"0\"]", 1, 1, "no variant here has the GameType 0"},
    {"[GameType \"99999999999999999999999999\"]", 1, 1,
     "no variant here has the GameType 18446744073709551615"},
    {"[GameType \"30\"] [FEN \"W:Wa1:Bb5\"]", 1, 17,
     "the FEN \"W:Wa1:Bb5\" of turkish: character 4: a White man cannot stand on a1, its own back row"},
    {"[GameType \"30\"] 1. 9-17", 1, 20, "1. 9-17 is no move of turkish"},
    {"[GameType \"25\"] 1. c3-d5", 1, 20, "1. c3-d5 is no move of russian"},
    {"[GameType \"25\"] 1. c3:e5", 1, 20, "1. c3:e5 is not legal"},
    {"[GameType \"20\"] 1. 32-28x", 1, 20, "1. 32-28x is no move of international"},
    /* comments and annotations */
    {"{", 1, 1, "the comment that begins here is never closed by '}'"},
    {"{ never closed", 1, 1, "the comment that begins here is never closed by '}'"},
    {"1. 21-17 { never\nclosed", 1, 10, "the comment that begins here is never closed by '}'"},
    {"1. 21-17 {a} {b", 1, 14, "the comment that begins here is never closed by '}'"},
    {"1. 21-17 }", 1, 10, "'}' has no meaning here"},
    {"{a {b} c}", 1, 8, "1. c is no move of italian"},
    {"{a}}", 1, 4, "'}' has no meaning here"},
    {"1. 21-17 $", 1, 11, "a number after '$' expected, found the end of the file"},
    {"1. 21-17 $ 4", 1, 11, "a number after '$' expected, found ' '"},
    {"1. 21-17 $x", 1, 11, "a number after '$' expected, found 'x'"},
    {"1. 21-17 (!", 1, 12, "')' after the strength of a move expected, found the end of the file"},
    {"1. 21-17 (? 12-16", 1, 12, "')' after the strength of a move expected, found ' '"},
    {"1. 21-17 (?!x)", 1, 13, "')' after the strength of a move expected, found 'x'"},
    {"1. 21-17 <", 1, 10, "'<' has no meaning here"},
    {"1. 21-17 > 12-16", 1, 10, "'>' has no meaning here"},
    {"1. 21-17, 12-16", 1, 9, "',' has no meaning here"},
    {"1. 21-17 # 12-16", 1, 10, "'#' has no meaning here"},
    {"1. 21-17 & 12-16", 1, 10, "'&' has no meaning here"},
    {"1. 21-17 @", 1, 10, "'@' has no meaning here"},
    {"1. 21-17 = 12-16", 1, 10, "'=' has no meaning here"},
    {"1. 21-17 +", 1, 10, "'+' has no meaning here"},
    {"1. 21-17 \\ 12-16", 1, 10, "'\\' has no meaning here"},
    {"1. 21-17 \"12-16\"", 1, 10, "'\"' has no meaning here"},
    {"1. 21-17 ]", 1, 10, "']' has no meaning here"},
    {"1. 21-17 \001", 1, 10, "byte 0x01 has no meaning here"},
    {"1. 21-17 \177", 1, 10, "byte 0x7f has no meaning here"},
    {"1. 21-17 \303\251", 1, 10, "byte 0xc3 has no meaning here"},
    {"1. 21-17 \357 12-16", 1, 10, "byte 0xef has no meaning here"},
    {"\357\273x", 1, 1, "byte 0xef has no meaning here"},
    /* variations */
    {"1. 21-17 (", 1, 10, "the variation that begins here is never closed by ')'"},
    {"1. 21-17 ((", 1, 10, "the variation that begins here is never closed by ')'"},
    {"1. 21-17 (12-16 (11-15) 2. 22-18", 1, 10, "the variation that begins here is never closed by ')'"},
    {"1. 21-17 )", 1, 10, "')' closes no variation: none is open"},
    {"1. 21-17 (12-16))", 1, 17, "')' closes no variation: none is open"},
    {")", 1, 1, "')' closes no variation: none is open"},
    {"(", 1, 1, "the variation that begins here is never closed by ')'"},
    {"1. 21-17 (1... 12-16\n[Event \"next\"]\n*", 1, 10,
     "the variation that begins here is never closed by ')'"},
    {"1. 21-17 (1... 12-16 { ) }", 1, 10, "the variation that begins here is never closed by ')'"},
    {"1. 21-17 (1... 12-16 *", 1, 10, "the variation that begins here is never closed by ')'"},
    /* setups */
    {"1. 21-17 /", 1, 11, "a name expected, found the end of the file"},
    {"1. 21-17 /FEN", 1, 14, "'\"' expected, found the end of the file"},
    {"1. 21-17 /FEN \"W:W21:B5\"", 1, 25, "'/' expected, found the end of the file"},
    {"1. 21-17 /FEN \"W:W21:B5\" x/", 1, 26, "'/' expected, found 'x'"},
    {"1. 21-17 /FEN \"W:W21:B5/", 1, 15, "the text that begins here is not closed by '\"' on its line"},
    {"1. 21-17 /FEN W:W21:B5/", 1, 15, "'\"' expected, found 'W'"},
    {"1. 21-17 /FN \"W:W21:B5\"/", 1, 11, "FEN expected after '/'"},
    {"1. 21-17 /\"W:W21:B5\"/", 1, 11, "a name expected, found '\"'"},
    {"1. 21-17 /FEN \"B::\"/", 1, 10,
     "the FEN \"B::\" of italian: character 3: W or B before the pieces of a side expected, found ':'"},
    {"1. 21-17 /FEN \"\"/", 1, 10,
     "the FEN \"\" of italian: character 1: the side to move, W or B, expected, found the end"},
    {"1. 21-17 //", 1, 11, "a name expected, found '/'"},
    /* moves */
    {"21", 1, 1, "1. 21 is no move of italian"},
    {"21-", 1, 1, "1. 21- is no move of italian"},
    {"21--17", 1, 1, "1. 21--17 is no move of italian"},
    {"1. -17", 1, 4, "'-' has no meaning here"},
    {"1. - -", 1, 4, "'-' has no meaning here"},
    {"1. 21-17 --", 1, 4, "1. 21-17-- is no move of italian"},
    {"1. 21", 1, 4, "1. 21 is no move of italian"},
    {"1. 21-17 2", 1, 10, "1... 2 is no move of italian"},
    {"1 21-17", 1, 1, "1. 1 is no move of italian"},
    {"1. 2117", 1, 4, "1. 2117 is no move of italian"},
    {"1. 21.17", 1, 7, "21. 17 is no move of italian"},
    {"1. 21-17 12-1", 1, 10, "1... 12-1 is not legal"},
    {"1. 21-17 33-1", 1, 10, "1... 33-1 is no move of italian"},
    {"1. 21-17 0-5", 1, 10, "1... 0-5 is no move of italian"},
    {"1. 21:17", 1, 4, "1. 21:17 is not legal"},
    {"1. 21x17", 1, 4, "1. 21x17 is not legal"},
    {"1. 22-17", 1, 4, "1. 22-17 is not legal"},
    {"1. 21-17 21-17", 1, 10, "1... 21-17 is not legal"},
    {"1. 21-17 1-5", 1, 10, "1... 1-5 is not legal"},
    {"1. 21-17 d2", 1, 10, "1... d2 is no move of italian"},
    {"1. 21-17 one", 1, 10, "1... one is no move of italian"},
    {"1. 21-17 12-16K", 1, 10, "1... 12-16K is no move of italian"},
    {"1. 21-17x", 1, 4, "1. 21-17x is no move of italian"},
    {"1. 21-17 1/2", 1, 10, "1... 1/2 is no move of italian"},
    {"1. 21-17 1/2-1/3", 1, 10, "1... 1/2-1/3 is no move of italian"},
    {"1. 21-17 1/2/12-16", 1, 10, "1... 1/2 is no move of italian"},
    {"1. 21-17 12-16/12", 1, 16, "a name expected, found '1'"},
    {"1. 21-17 1-0-1", 1, 10, "1... 1-0-1 is no move of italian"},
    {"1. 21-17 12-16 21-17", 1, 16, "2. 21-17 is not legal"},
    {"1. 21-17 12-16 2. 17-14 10-17 3. 22-18", 1, 19, "2. 17-14 is not legal"},
    {"[FEN \"W:W25:B18,21\"] 1. 25-20", 1, 25, "1. 25-20 comes after the end of the game: White has no move"},
    {"[FEN \"B:W21:B\"] 1... 1-5", 1, 22, "1... 1-5 comes after the end of the game: Black has no move"},
    {"[FEN \"W:WK20,27:B13,K15,22\"] 27-23", 1, 30, "1. 27-23 is not legal"},
    {"[FEN \"W:WK20,27:B13,K15,22\"] 27x18", 1, 30, "1. 27x18 is not legal"},
    {"[FEN \"W:WK20,27:B13,K15,22\"] 27x18x9x2", 1, 30, "1. 27x18x9x2 is not legal"},
    {"[GameType \"28\"] [FEN \"W:WK6:B10,12,18,21\"] 6x8", 1, 44,
     "1. 6x8 is ambiguous: it may be 6x13x22x8, 6x17x26x8"},
    {"[GameType \"28\"] [FEN \"W:WK6:B10,12,18,21\"] 40. 6-8", 1, 48,
     "40. 6-8 is ambiguous: it may be 6x13x22x8, 6x17x26x8"},
    {"[GameType \"30\"] [FEN \"W:WKa6:Bc2,c5,d6,g5,h5\"] a6a2", 1, 48,
     "1. a6a2 is ambiguous: it may be a6xg6xg2xa2, a6xh6xh2xa2"},
};

static void check_fault(const struct fault *fault)
{
    struct memory memory = memory_of(fault->text, strlen(fault->text));
    struct pdn_player *player =
        player_of(&memory, strstr(fault->text, "GameType") ? NULL : variant_of("italian"));
    enum pdn_event event;
    do {
        event = pdn_player_next(player);
    } while (event != PDN_GAME_IS_FAULTY && event != PDN_NO_MORE_GAMES);
    if (event != PDN_GAME_IS_FAULTY)
        fail_msg("\"%s\" is read", fault->text);
    if (player->fault_place.line != fault->line || player->fault_place.column != fault->column ||
        strncmp(player->message, fault->message, strlen(fault->message)) != 0)
        fail_msg("\"%s\": %llu:%llu \"%s\"", fault->text, player->fault_place.line,
                 player->fault_place.column, player->message);
    assert_int_equal(pdn_player_next(player), PDN_GAME_ENDS);
    free(player);
}

static void test_faults(void **state)
{
    (void)state;
    assert_true(sizeof faults / sizeof faults[0] >= 100);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        check_fault(&faults[i]);
}

/* A fault of one game is none of the next, whatever it is and wherever the game ends. */
static void test_games_behind_faults(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        /* What is not closed swallows the rest. */
        if (strstr(faults[i].message, "comment"))
            continue;
        char *text = repeated(faults[i].text, "\n", 1, "\n1. 12-16 *\n[GameType \"22\"] 1. 21-17 12-16 1-0");
        struct memory memory = memory_of(text, strlen(text));
        struct pdn_player *player = player_of(&memory, NULL);
        enum pdn_event event = pdn_player_next(player);
        unsigned long long moves = 0;
        for (; event != PDN_NO_MORE_GAMES; event = pdn_player_next(player))
            moves = event == PDN_GAME_BEGINS ? 0 : moves + (event == PDN_GAME_MOVES);
        if (moves != 2 || strcmp(player->result, "1-0") != 0 || player->variant != variant_of("italian"))
            fail_msg("behind \"%s\" the next game has %llu moves", faults[i].text, moves);
        free(player);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_items_of_texts), cmocka_unit_test(test_zero_bytes),
        cmocka_unit_test(test_endless_texts),  cmocka_unit_test(test_nested_variations),
        cmocka_unit_test(test_long_words),     cmocka_unit_test(test_long_tags),
        cmocka_unit_test(test_faults),         cmocka_unit_test(test_games_behind_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
