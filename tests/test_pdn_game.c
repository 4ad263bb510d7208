/* Tests of games played through: variants, numbers of moves, results, the sample files of tests/pdn/, those
 * files cut and mutilated, and games of random moves of every variant written and read back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "notation.h"
#include "pdn_text.h"
#include "temporary.h"

static uint64_t random_state;

static unsigned random_below(unsigned limit)
{
    return (unsigned)(random_next(&random_state) % limit);
}

/* -- Variants ------------------------------------------------------------------------------------------ */

struct choice_of_variant {
    const char *tags;
    const char *chosen;  /* or null */
    const char *variant; /* or null where there is none */
    const char *note;    /* a part of it, or null where there has to be none */
};

static const struct choice_of_variant choices[] = {
    {"[GameType \"22\"]", NULL, "italian", NULL},
    {"[GameType \"22,W,8,8,N2,1\"]", NULL, "italian", NULL},
    {"[GameType \"22, w, 8, 8, n2, 1 \"]", NULL, "italian", NULL},
    {"[gametype \" 22\"]", "italian", "italian", "\" 22\" is not that of italian"},
    {"[GameType \"22 \"]", NULL, "italian", NULL},
    {"[GameType \"22,W,8,8,N2\"]", NULL, "italian", "differs from \"22,W,8,8,N2,1\""},
    {"[GameType \"23,W,8,8,A0,0\"]", NULL, "pool", "differs from \"23,B,8,8,N1,0\""},
    {"[GameType \"20\"]", NULL, "international", NULL},
    {"[GameType \"60\"]", NULL, "damii", NULL},
    {"[GameType \"60\"]", "damii-king", "damii-king", NULL},
    {"[GameType \"30,W,8,8,A0,0\"]", "turkish-tudaf", "turkish-tudaf", NULL},
    {"[GameType \"20\"]", "damii", "damii", "is not that of damii"},
    {"[GameType \"Draughts\"]", "damii", "damii", "is not that of damii"},
    {"[Event \"x\"]", NULL, "international", "no GameType is given"},
    {"[GameType \"?\"]", NULL, "international", "no GameType is given"},
    {"[GameType \"\"]", NULL, "international", "no GameType is given"},
    {"[GameType \"\"] [GameType \"25\"] [GameType \"26\"]", NULL, "russian", NULL},
    {"[Event \"x\"]", "czech", "czech", NULL},
    {"[GameType \"27\"]", NULL, NULL, NULL},
    {"[GameType \"2\"]", NULL, NULL, NULL},
    {"[GameType \"Draughts\"]", NULL, NULL, NULL},
};

static void test_choice_of_variant(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        const struct choice_of_variant *choice = &choices[i];
        struct memory memory = memory_of(choice->tags, strlen(choice->tags));
        struct pdn_player *player = player_of(&memory, choice->chosen ? variant_of(choice->chosen) : NULL);
        assert_int_equal(pdn_player_next(player), PDN_GAME_BEGINS);
        assert_ptr_equal(player->variant, choice->variant ? variant_of(choice->variant) : NULL);
        assert_int_equal(player->has_position, choice->variant != NULL);
        if (choice->note ? !strstr(player->note, choice->note) : player->note[0] != '\0')
            fail_msg("%s: \"%s\"", choice->tags, player->note);
        assert_int_equal(pdn_player_next(player), choice->variant ? PDN_GAME_ENDS : PDN_GAME_IS_FAULTY);
        free(player);
    }
}

/* Every row can be chosen by its own GameType, or is a sub-variant of the row that is. */
static void test_every_variant_has_its_game_type(void **state)
{
    (void)state;
    for (size_t i = 0; i < variant_count; i++) {
        char tags[128];
        snprintf(tags, sizeof tags, "[GameType \"%s\"]", variant_table[i]->rules.game_type);
        struct memory memory = memory_of(tags, strlen(tags));
        struct pdn_player *player = player_of(&memory, NULL);
        assert_int_equal(pdn_player_next(player), PDN_GAME_BEGINS);
        assert_non_null(player->variant);
        assert_string_equal(player->note, "");
        assert_string_equal(player->variant->rules.game_type, variant_table[i]->rules.game_type);
        if (player->variant != variant_table[i])
            assert_ptr_equal(strstr(variant_table[i]->rules.name, player->variant->rules.name),
                             variant_table[i]->rules.name);
        free(player);
    }
}

/* -- Results ------------------------------------------------------------------------------------------- */

struct result {
    const char *tag;
    const char *end;
    const char *result;
    bool noted;
};

static const struct result results[] = {
    {"1-0", "1-0", "1-0", false},        {"1-0", "2-0", "1-0", false},
    {"1-1", "1/2-1/2", "1-1", false},    {"0-2", "0-1", "0-2", false},
    {"1-0", "*", "1-0", false},          {"1-0", "", "1-0", false},
    {"*", "0-1", "0-1", false},          {"", "0-1", "0-1", false},
    {"?", "0-0", "0-0", false},          {"1-0", "0-1", "1-0", true},
    {"1/2-1/2", "2-0", "1/2-1/2", true}, {"1+ - 1-", "1-1", "1+ - 1-", true},
    {"1+ - 1-", "*", "1+ - 1-", false},  {"*", "*", "*", false},
};

static void test_results(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        char text[128];
        snprintf(text, sizeof text, "[Result \"%s\"] 1. 21-17 %s", results[i].tag, results[i].end);
        struct memory memory = memory_of(text, strlen(text));
        struct pdn_player *player = player_of(&memory, variant_of("italian"));
        assert_int_equal(pdn_player_next(player), PDN_GAME_BEGINS);
        assert_int_equal(pdn_player_next(player), PDN_GAME_MOVES);
        assert_int_equal(pdn_player_next(player), PDN_GAME_ENDS);
        assert_string_equal(player->result, results[i].result);
        assert_int_equal(player->note[0] != '\0', results[i].noted);
        free(player);
    }
}

/* -- Numbers of moves ---------------------------------------------------------------------------------- */

struct numbered {
    const char *variant;
    const char *text;
    const char *labels;
};

static const struct numbered numbered_games[] = {
    {"italian", "1. 21-17 12-16 2. 17-13 9x18 3. 22x13", "1. 1... 2. 2... 3. "},
    {"italian", "21-17 12-16 17-13 9x18 22x13", "1. 1... 2. 2... 3. "},
    {"italian", "7. 21-17 12-16 17-13 9x18 9. 22x13", "7. 7... 8. 8... 9. "},
    {"italian", "1. 21-17 (1... 11-15 5. 22-18) 12-16", "1. 1... "},
    {"italian", "1. 21-17 1... 12-16", "1. 1... "},
    {"italian", "[FEN \"B:W21:B12\"] 12-16 21-17", "1... 2. "},
    {"italian", "[FEN \"B:W21:B12\"] 40... 12-16 21-17 16-20", "40... 41. 41... "},
    {"english", "1. 9-14 22-17 2. 11-15 25-22", "1. 1... 2. 2... "},
    {"english", "[FEN \"W:W21:B12\"] 3. 21-17 12-16", "3... 4. "},
    {"italian", "1. 21-17 /FEN \"B:W21:B12\"/ 12-16 21-17", "1. 1... 2. "},
};

static void test_numbers_of_moves(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof numbered_games / sizeof numbered_games[0]; i++) {
        const struct numbered *game = &numbered_games[i];
        struct memory memory = memory_of(game->text, strlen(game->text));
        struct pdn_player *player = player_of(&memory, variant_of(game->variant));
        char labels[256] = "";
        enum pdn_event event = pdn_player_next(player);
        for (; event != PDN_NO_MORE_GAMES; event = pdn_player_next(player)) {
            char label[PDN_LABEL_SIZE];
            if (event == PDN_GAME_IS_FAULTY)
                fail_msg("%s: %s", game->text, player->message);
            if (event != PDN_GAME_MOVES)
                continue;
            pdn_label_write(player, label);
            strcat(strcat(labels, label), " ");
        }
        assert_string_equal(labels, game->labels);
        free(player);
    }
}

/* -- Sample files -------------------------------------------------------------------------------------- */

struct sample_game {
    const char *path;
    const char *chosen; /* or null */
    const char *variant;
    const char *result;
    unsigned long long plies;
    const char *last; /* position */
};

static const struct sample_game sample_games[] = {
    {"tests/pdn/italian.pdn", NULL, "italian", "1-0", 145, "B:WK21:B"},
    {"tests/pdn/italian.pdn", NULL, "italian", "0-1", 132, "W:W:BK6,K32"},
    {"tests/pdn/italian.pdn", NULL, "italian", "1/2-1/2", 17, "W:W:BK18"},
    {"tests/pdn/international.pdn", NULL, "international", "2-0", 129, "B:WK25:B"},
    {"tests/pdn/international.pdn", NULL, "international", "1-1", 45, "B:WK9,23,34:B36,41"},
    {"tests/pdn/russian.pdn", NULL, "russian", "1-0", 71, "B:Wb6,Kc5,d2:B"},
    {"tests/pdn/english.pdn", NULL, "english", "0-0", 124, "B:WK3,K18:B"},
    {"tests/pdn/english.pdn", NULL, "english", "", 30, "W:WK8:BK1,K10,19,K21,K25"},
    {"tests/pdn/turkish.pdn", NULL, "turkish", "", 124, "W:W:BKa6,h4"},
    {"tests/pdn/damii-king.pdn", "damii-king", "damii-king", "*", 73,
     "B:WK5,26,31,33,35,40,41,43,44,45,46,47,50:B"},
};

enum { SAMPLES = sizeof sample_games / sizeof sample_games[0] };

static void write_position(const struct pdn_player *player, char fen[FEN_SIZE])
{
    struct position white_view = player->black_to_move
                                     ? position_turned(player->variant->rules.board, &player->own_view)
                                     : player->own_view;
    assert_int_equal(fen_write(player->variant, &white_view, player->black_to_move, fen), STATUS_OK);
}

/* Plays a game up to its end. */
static void check_sample_game(struct pdn_player *player, const struct sample_game *sample)
{
    enum pdn_event event = pdn_player_next(player);
    assert_int_equal(event, PDN_GAME_BEGINS);
    for (; event != PDN_GAME_ENDS; event = pdn_player_next(player))
        if (event == PDN_GAME_IS_FAULTY)
            fail_msg("%s, line %llu: %s", sample->path, player->fault_place.line, player->message);
    char fen[FEN_SIZE];
    write_position(player, fen);
    assert_string_equal(fen, sample->last);
    assert_string_equal(player->variant->rules.name, sample->variant);
    assert_string_equal(player->result, sample->result);
    assert_int_equal(player->plies, sample->plies);
}

static void test_sample_files(void **state)
{
    (void)state;
    for (int i = 0; i < SAMPLES;) {
        const char *path = sample_games[i].path;
        const char *chosen = sample_games[i].chosen;
        size_t length;
        char *text = (char *)file_bytes(path, &length);
        struct memory memory = memory_of(text, length);
        struct pdn_player *player = player_of(&memory, chosen ? variant_of(chosen) : NULL);
        for (; i < SAMPLES && strcmp(sample_games[i].path, path) == 0; i++)
            check_sample_game(player, &sample_games[i]);
        assert_int_equal(pdn_player_next(player), PDN_NO_MORE_GAMES);
        free(player);
        free(text);
    }
}

static void test_headers(void **state)
{
    (void)state;
    size_t length;
    char *text = (char *)file_bytes("tests/pdn/italian.pdn", &length);
    struct memory memory = memory_of(text, length);
    struct pdn_player *player = player_of(&memory, NULL);
    assert_int_equal(pdn_player_next(player), PDN_GAME_BEGINS);
    assert_string_equal(player->headers.event, "Random play, first round");
    assert_string_equal(player->headers.white, "A \"quoted\" name");
    assert_string_equal(player->headers.black, "Back\\slash");
    assert_string_equal(player->headers.result, "1-0");
    assert_int_equal(player->game, 1);
    assert_int_equal(player->place.line, 1);
    while (pdn_player_next(player) != PDN_GAME_ENDS)
        ;
    assert_int_equal(pdn_player_next(player), PDN_GAME_BEGINS);
    assert_int_equal(player->game, 2);
    assert_string_equal(player->headers.white, "");
    assert_true(player->place.line > 20);
    free(player);
    free(text);
}

/* -- Damaged files ------------------------------------------------------------------------------------- */

enum { MOST_SAMPLE_PLIES = 400 };

/* Plays a text to its end, whatever it is. Each game has to begin and to end, with at most one fault, in the
 * text. Keeps the moves if there is room for them; returns how many were made. */
static int play_anything(const char *text, size_t length, const struct variant *chosen,
                         char (*moves)[MOVE_TEXT_SIZE])
{
    struct memory memory = memory_of(text, length);
    struct pdn_player *player = player_of(&memory, chosen);
    unsigned long long lines = 1;
    int count = 0;
    int faulty = 0;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n' || (text[i] == '\r' && (i + 1 == length || text[i + 1] != '\n'));
    for (enum pdn_event event = pdn_player_next(player); event != PDN_NO_MORE_GAMES;
         event = pdn_player_next(player)) {
        if (event == PDN_GAME_BEGINS)
            faulty = 0;
        faulty += event == PDN_GAME_IS_FAULTY;
        assert_true(faulty <= 1);
        if (event == PDN_GAME_IS_FAULTY) {
            assert_true(player->message[0] != '\0');
            assert_in_range(player->fault_place.line, 1, lines);
            assert_true(player->fault_place.column >= 1);
        }
        if (event != PDN_GAME_MOVES)
            continue;
        assert_false(faulty);
        if (moves && count < MOST_SAMPLE_PLIES)
            strcpy(moves[count], player->move);
        count++;
    }
    free(player);
    return count;
}

/* Cut anywhere, a file has the moves of the whole, except the one that was cut. */
static void test_cut_files(void **state)
{
    (void)state;
    static char whole[MOST_SAMPLE_PLIES][MOVE_TEXT_SIZE];
    static char part[MOST_SAMPLE_PLIES][MOVE_TEXT_SIZE];
    for (int i = 0; i < SAMPLES; i++) {
        if (i > 0 && strcmp(sample_games[i].path, sample_games[i - 1].path) == 0)
            continue;
        const struct variant *chosen = sample_games[i].chosen ? variant_of(sample_games[i].chosen) : NULL;
        size_t length;
        char *text = (char *)file_bytes(sample_games[i].path, &length);
        int all = play_anything(text, length, chosen, whole);
        assert_true(all > 0 && all <= MOST_SAMPLE_PLIES);
        for (size_t cut = 0; cut < length; cut++) {
            int count = play_anything(text, cut, chosen, part);
            assert_true(count <= all);
            for (int move = 0; move < count - 1; move++)
                assert_string_equal(part[move], whole[move]);
        }
        free(text);
    }
}

/* Any bytes are read or refused with their place. */
static void test_mutilated_files(void **state)
{
    (void)state;
    static const char signs[] = "[](){}\"\\/;%$!?*.-x:0123456789abcW \n\r\xef\xbb\xbf\xff";
    random_state = 17;
    for (int round = 0; round < 1500; round++) {
        const struct sample_game *sample = &sample_games[round % SAMPLES];
        const struct variant *chosen = sample->chosen ? variant_of(sample->chosen) : NULL;
        size_t length;
        char *text = (char *)file_bytes(sample->path, &length);
        for (unsigned changes = 1 + random_below(8); changes > 0; changes--)
            text[random_below((unsigned)length)] =
                random_below(4) ? signs[random_below(sizeof signs)] : (char)random_below(256);
        play_anything(text, length, chosen, NULL);
        free(text);
    }
}

/* -- Written games are read back ----------------------------------------------------------------------- */

enum { GAME_PLIES = 60, GAMES_EACH = 20, GAME_TEXT_SIZE = 64 * 1024 };

/* A game as it was made up. */
struct written_game {
    const struct variant *variant;
    struct position positions[GAME_PLIES + 1]; /* own view */
    int plies;
    char text[GAME_TEXT_SIZE];
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void put(struct written_game *game, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    game->length +=
        (size_t)vsnprintf(game->text + game->length, sizeof game->text - game->length, format, arguments);
    va_end(arguments);
    assert_true(game->length < sizeof game->text);
}

static struct move_list legal;
static struct move_paths paths;

/* Writes a move as files do: short or along its whole path, with one sign or another. */
static void put_move(struct written_game *game, int index, bool black)
{
    static const char *const capture_signs[] = {"x", ":", "-", " x ", "X"};
    const struct variant *variant = game->variant;
    const struct move *move = &legal.moves[index];
    const char *sign = move->taken ? capture_signs[random_below(5)] : random_below(4) ? "-" : " - ";
    if (random_below(2)) {
        char text[MOVE_TEXT_SIZE];
        assert_int_equal(move_write(variant, &legal, &paths, index, black, text), STATUS_OK);
        put(game, "%s", text);
        return;
    }
    for (int i = 0; i < paths.of[index].length; i++) {
        char name[SQUARE_NAME_SIZE];
        square_write(variant, square_white_view(variant, paths.of[index].squares[i], black), name);
        put(game, "%s%s", i ? sign : "", name);
    }
}

static void put_decoration(struct written_game *game)
{
    static const char *const decorations[] = {
        " ",      "! ",         "(?) ",    "* ",   " $12 ",
        "\r\n",   " {1-0 (} ",  " ; *)\n", "?!\t", " (1-0 (2-0) * {)}) ",
        "\n%x\n", " {\n[FEN}\n"};
    put(game, "%s", decorations[random_below(12)]);
}

/* Makes up a game from the start by random legal moves and writes it. */
static void make_up(struct written_game *game, const struct variant *variant)
{
    bool black = variant->rules.black_begins;
    unsigned number = 1;
    game->variant = variant;
    game->length = 0;
    game->plies = 0;
    game->positions[0] = variant_start(variant);
    put(game, "[White \"x\"]\n[Event \"%s\"]\n", variant->rules.name);
    while (game->plies < GAME_PLIES) {
        const struct position *now = &game->positions[game->plies];
        assert_int_equal(moves_sorted(variant, now, black, &legal, &paths), STATUS_OK);
        if (legal.count == 0)
            break;
        int index = (int)random_below((unsigned)legal.count);
        if (black == variant->rules.black_begins)
            put(game, "%u.%s", number++, random_below(2) ? " " : "");
        put_move(game, index, black);
        put_decoration(game);
        game->positions[game->plies + 1] = position_after(variant, now, &legal.moves[index]);
        game->plies++;
        black = !black;
    }
    put(game, " 1/2-1/2\n");
}

static void check_read_back(const struct written_game *game)
{
    struct memory memory = memory_of(game->text, game->length);
    struct pdn_player *player = player_of(&memory, game->variant);
    enum pdn_event event = pdn_player_next(player);
    int plies = 0;
    for (; event != PDN_GAME_ENDS; event = pdn_player_next(player)) {
        if (event == PDN_GAME_IS_FAULTY)
            fail_msg("%s: %s\n%s", game->variant->rules.name, player->message, game->text);
        plies += event == PDN_GAME_MOVES;
        assert_memory_equal(&player->own_view, &game->positions[plies], sizeof player->own_view);
    }
    assert_int_equal(plies, game->plies);
    assert_string_equal(player->result, "1/2-1/2");
    assert_int_equal(pdn_player_next(player), PDN_NO_MORE_GAMES);
    free(player);
}

static void test_written_games_are_read_back(void **state)
{
    (void)state;
    static struct written_game game;
    random_state = 29;
    for (size_t i = 0; i < variant_count; i++)
        for (int round = 0; round < GAMES_EACH; round++) {
            make_up(&game, variant_table[i]);
            check_read_back(&game);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choice_of_variant),
        cmocka_unit_test(test_every_variant_has_its_game_type),
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_numbers_of_moves),
        cmocka_unit_test(test_sample_files),
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_cut_files),
        cmocka_unit_test(test_mutilated_files),
        cmocka_unit_test(test_written_games_are_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
