/* The fast move generator against the rules page, against published perft counts, and move for move against
 * the slow reference on random positions of several kinds. Which kinds came up is counted, and a kind that
 * can come up in a variant and never did is a failure. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "moves.h"
#include "slow_rules.h"

/* -- How much is done ---------------------------------------------------------------------------------- */

struct workload {
    const char *name;      /* in the environment, DAMABASE_TESTS */
    uint64_t perft_count;  /* published counts up to this one */
    int slow_perft_depth;  /* of counts taken from the slow generator */
    long random_positions; /* of each of the first games of the table */
    long of_relatives;     /* of each other variant */
};

enum { FIRST_GAMES = 4 };

static const struct workload workloads[] = {
    {"short", 5000000, 4, 300000, 50000},
    {"sanitised", 50000, 3, 30000, 20000},
    {"long", UINT64_MAX, 6, 10000000, 1000000},
    {"soak", UINT64_MAX, 7, 100000000, 100000000},
};

static const struct workload *workload = &workloads[0];

static uint64_t random_state = 1;

static void choose_workload(void)
{
    const char *name = getenv("DAMABASE_TESTS");
    for (size_t i = 0; name && i < sizeof workloads / sizeof workloads[0]; i++)
        if (strcmp(workloads[i].name, name) == 0)
            workload = &workloads[i];
    if (strcmp(workload->name, "soak") == 0)
        random_state = (uint64_t)time(NULL);
}

/* -- One game in both forms ---------------------------------------------------------------------------- */

/* A variant with its slow twin, and the squares of White's view as cells of the slow board. */
struct game {
    const struct variant *fast;
    const struct slow_variant *slow;
    int cell_of[MAX_SQUARES];
    int square_of[SLOW_MAX_CELLS]; /* NO_SQUARE where nothing is played */
};

static struct game game_of(const struct variant *variant)
{
    struct game game = {.fast = variant, .slow = slow_variant_named(variant->rules.name)};
    if (!game.slow)
        fail_msg("%s is not known to the slow rules", variant->rules.name);
    for (int cell = 0; cell < SLOW_MAX_CELLS; cell++)
        game.square_of[cell] = NO_SQUARE;
    for (int number = 1; number <= slow_square_count(game.slow); number++) {
        int square = variant_square_of_number(game.fast, number);
        int cell = slow_cell_of_number(game.slow, number);
        game.cell_of[square] = cell;
        game.square_of[cell] = square;
    }
    return game;
}

static struct game game_named(const char *name)
{
    const struct variant *variant = variant_named(name);
    if (!variant)
        fail_msg("%s is no variant", name);
    return game_of(variant);
}

static void put_pieces(const struct game *game, uint64_t set, char piece, struct slow_position *position)
{
    for (; set; set = bits_without_lowest(set))
        position->at[game->cell_of[bits_lowest(set)]] = piece;
}

/* A position of own's view as the slow board, own being White or Black. */
static struct slow_position slow_of(const struct game *game, const struct position *own_view,
                                    bool black_to_move)
{
    struct position white_view = *own_view;
    if (black_to_move)
        white_view = position_turned(game->fast->rules.board, own_view);
    struct slow_position position = {.white_to_move = !black_to_move};
    memset(position.at, '.', sizeof position.at);
    put_pieces(game, white_view.own_men, 'w', &position);
    put_pieces(game, white_view.own_kings, 'W', &position);
    put_pieces(game, white_view.opponent_men, 'b', &position);
    put_pieces(game, white_view.opponent_kings, 'B', &position);
    return position;
}

/* The way back: own is the side to move. */
static struct position fast_of(const struct game *game, const struct slow_position *position)
{
    struct position white_view = {0};
    for (int cell = 0; cell < SLOW_MAX_CELLS; cell++) {
        if (position->at[cell] == '.')
            continue;
        uint64_t bit = bit_of(game->square_of[cell]);
        white_view.own_men |= position->at[cell] == 'w' ? bit : 0;
        white_view.own_kings |= position->at[cell] == 'W' ? bit : 0;
        white_view.opponent_men |= position->at[cell] == 'b' ? bit : 0;
        white_view.opponent_kings |= position->at[cell] == 'B' ? bit : 0;
    }
    return position->white_to_move ? white_view : position_turned(game->fast->rules.board, &white_view);
}

static struct slow_position slow_of_fen(const struct game *game, const char *fen)
{
    struct slow_position position;
    if (!slow_parse_fen(game->slow, fen, &position))
        fail_msg("%s: cannot read %s", game->slow->name, fen);
    return position;
}

/* Square of own's view of a cell. */
static int own_square(const struct game *game, int cell, bool black_to_move)
{
    int square = game->square_of[cell];
    return black_to_move ? game->fast->rules.board->squares - 1 - square : square;
}

/* -- The positions of the rules page ------------------------------------------------------------------- */

enum { MAX_LISTED = 8 };

struct listed_position {
    const char *variant;
    const char *fen;
    const char *moves[MAX_LISTED]; /* start and end, "=K" for a man crowned, victims rising */
};

static const struct listed_position listed_positions[] = {
    {"italian", "W:WK20,27:B13,K15,22", {"27x9 13,22"}},
    {"italian", "W:WK20,27:B15,22", {"20x11 15"}},
    {"italian", "W:WK20:B15,K23", {"20x27 23"}},
    {"italian", "W:WK30:B18,K20,K26,27", {"30x14 18,26"}},
    {"italian", "W:W10:B6,7", {"10x3=K 6"}},
    {"italian", "W:W27:BK22", {"27-23"}},
    {"italian", "W:WK31:B19,20,27,28", {"31x31 19,20,27,28"}},
    {"portuguese", "W:WK19:BK12,26", {"19x8 12"}},
    {"portuguese", "W:W11:BK14,15", {"11x18 14"}},
    {"portuguese", "W:WK4:B11,27,28", {"4x24 11,27,28"}},
    {"portuguese", "W:WK4:B6,7,23,26", {"4x2 6,7,23,26"}},
    {"turkish", "W:WKd1:Ba4,b5,d3,f3", {"d1xg3 a4,b5,d3,f3", "d1xh3 a4,b5,d3,f3"}},
    {"turkish", "W:WKe4:Be2,e6", {"e4xe1 e2", "e4xe7 e6", "e4xe8 e6"}},
    {"turkish",
     "W:Wd6:Bd7,Ke8,f5",
     {"d6xf4=K d7,e8,f5", "d6xf3=K d7,e8,f5", "d6xf2=K d7,e8,f5", "d6xf1=K d7,e8,f5"}},
    {"turkish", "W:We4:Bd4,e3", {"e4xc4 d4"}},
    {"turkish", "B:WKd4:Bd5", {"d5xd3 d4"}},
    {"damii", "W:W33:B19,27,28", {"33x22 27", "33x15 19,28"}},
    {"damii", "W:W33:B37", {"33x42 37"}},
    {"damii", "W:W13:B8,9", {"13x15 8,9"}},
    /* Spanish is Portuguese by another name. */
    {"spanish", "W:WK19:BK12,26", {"19x8 12"}},
    {"spanish", "W:W11:BK14,15", {"11x18 14"}},
    {"spanish", "W:WK4:B11,27,28", {"4x24 11,27,28"}},
    {"spanish", "W:WK4:B6,7,23,26", {"4x2 6,7,23,26"}},
    /* A man that comes by the last row stays one, and the greatest number counts. */
    {"international", "W:W12:B8,9", {"12x14 8,9"}},
    {"international", "W:W32:B27,28,18", {"32x12 18,28"}},
    {"international", "W:W32:B37", {"32x41 37"}},
    /* c3 stands until the end and keeps the king from going on from a5 over d2. */
    {"brazilian", "W:WKa1:Bd2,c3,b6,d6", {"a1xa5 b6,c3,d6"}},
    {"brazilian", "W:Wf6:Bb6,e7", {"f6xd8=K e7"}},
    {"brazilian", "W:Wf6:Bc7,e7", {"f6xb6 c7,e7"}},
    /* The same with free choice, but landings on f6, g7, h8 or b8 would end the capture. */
    {"russian", "W:WKa1:Bd2,c3,b6,d6", {"a1xa7 b6,c3", "a1xa5 b6,c3,d6"}},
    {"russian", "W:WKa1:Bc3,f6", {"a1xg7 c3,f6", "a1xh8 c3,f6"}},
    {"russian", "W:Wf6:Bb6,e7", {"f6xa5=K b6,e7"}},
    {"pool", "W:WK29:B26,22,9,10", {"29x5 9,22", "29x13 9,10,22"}},
    {"pool", "W:W11:B6,7", {"11x9 6,7"}},
    {"pool", "W:W11:B7,9", {"11x2=K 7"}},
    /* Short kings, free choice, men take kings but not backwards, and crowning ends the move. */
    {"english", "W:WK30:B19,25,26", {"30x16 19,26", "30x21 25"}},
    {"english", "W:W27:BK23", {"27x18 23"}},
    {"english", "W:W18:B22", {"18-14", "18-15"}},
    {"english", "W:W11:B6,7", {"11x2=K 7"}},
    /* The king has to take, not the man; and c3 covers d4. Crowning ends the move. */
    {"czech", "W:Wc3,Kh4:Bd4,g5", {"h4xf6 g5", "h4xe7 g5", "h4xd8 g5"}},
    {"czech", "W:Wf6:Bc7,e7", {"f6xd8=K e7"}},
    {"czech", "W:Wf6:BKe5", {"f6-e7", "f6-g7"}},
    /* The ladder of Italian on the larger board: number, by a king, most kings, kings earliest. */
    {"triestina", "W:W33:BK28", {"33-27"}},
    {"triestina", "W:W34,K42:B29,37", {"42x33 37"}},
    {"triestina", "W:WK42:B36,K37", {"42x33 37"}},
    {"triestina", "W:WK42:B24,37,38,K27", {"42x22 27,37"}},
    /* The same capture under four readings of what the last row and a landing mean. */
    {"damii-king", "W:W13:B8,9", {"13x15=K 8,9", "13x20=K 8,9"}},
    {"damii-stop", "W:W13:B8,9", {"13x4=K 8"}},
    {"damii-must", "W:W13:B8,9", {"13x15 8,9"}},
    {"damii-king", "W:W33:B37", {"33x42 37"}},
    {"damii-stop", "W:W33:B37", {"33x42 37"}},
    {"damii", "W:W13:B8,15", {"13x4=K 8"}},
    {"damii-king", "W:W13:B8,15", {"13x20=K 8,15"}},
    {"damii-stop", "W:W13:B8,15", {"13x4=K 8"}},
    {"damii-must", "W:W13:B8,15", {"13x4=K 8"}},
    {"damii",
     "W:WK46:B17,37",
     {"46x33 37", "46x24 37", "46x19 37", "46x15 37", "46x10 37", "46x12 17,37", "46x6 17,37", "46x1 17,37"}},
    {"damii-must", "W:WK46:B17,37", {"46x12 17,37", "46x6 17,37", "46x1 17,37"}},
    /* Two ways with two kings of three, a king first on both: the second victim decides, or nothing does. */
    {"italian", "W:WK30:B10,K12,K18,20,K26,K27", {"30x5 10,18,26"}},
    {"italian-first", "W:WK30:B10,K12,K18,20,K26,K27", {"30x5 10,18,26", "30x7 12,20,27"}},
    {"italian-first", "W:WK30:B18,K20,K26,27", {"30x14 18,26"}},
    {"italian-first", "W:WK31:B19,20,27,28", {"31x31 19,20,27,28"}},
    /* The special end is none of the moves' business: one against one has its moves in both. */
    {"turkish", "W:WKa1:Ba3", {"a1xa4 a3", "a1xa5 a3", "a1xa6 a3", "a1xa7 a3", "a1xa8 a3"}},
    {"turkish-tudaf", "W:WKa1:Ba3", {"a1xa4 a3", "a1xa5 a3", "a1xa6 a3", "a1xa7 a3", "a1xa8 a3"}},
    {"turkish-tudaf", "B:WKd4:Bd5", {"d5xd3 d4"}},
    {"turkish-tudaf", "W:Wb2:Bg7", {"b2-a2", "b2-c2", "b2-b3"}},
    /* A side that is blocked, or has nothing left, has no move. */
    {"italian", "W:W25:B18,21", {NULL}},
    {"damii", "B:W50:B", {NULL}},
};

/* Appends the name of a square of own's view. */
static char *append_square(const struct game *game, int square, bool black_to_move, char *end)
{
    if (black_to_move)
        square = game->fast->rules.board->squares - 1 - square;
    return end + slow_square_text(game->slow, game->cell_of[square], end);
}

static void describe_move(const struct game *game, const struct move *move, bool black_to_move,
                          char text[SLOW_TEXT])
{
    char *end = append_square(game, move->from, black_to_move, text);
    *end++ = move->taken ? 'x' : '-';
    end = append_square(game, move->to, black_to_move, end);
    if (move->crowned)
        end += sprintf(end, "=K");
    char separator = ' ';
    for (int number = 1; number <= game->fast->rules.board->squares; number++) {
        int square = own_square(game, slow_cell_of_number(game->slow, number), black_to_move);
        if (!(move->taken & bit_of(square)))
            continue;
        *end++ = separator;
        end = append_square(game, square, black_to_move, end);
        separator = ',';
    }
    *end = '\0';
}

static bool is_listed(const struct listed_position *listed, const char *text)
{
    for (int i = 0; i < MAX_LISTED && listed->moves[i]; i++)
        if (strcmp(listed->moves[i], text) == 0)
            return true;
    return false;
}

static void check_listed(const struct listed_position *listed)
{
    struct game game = game_named(listed->variant);
    struct slow_position slow = slow_of_fen(&game, listed->fen);
    struct position position = fast_of(&game, &slow);
    struct move_list list;
    int expected = 0;
    while (expected < MAX_LISTED && listed->moves[expected])
        expected++;
    assert_int_equal(moves_legal(game.fast, &position, &list, NULL), STATUS_OK);
    for (int i = 0; i < list.count; i++) {
        char text[SLOW_TEXT];
        describe_move(&game, &list.moves[i], !slow.white_to_move, text);
        if (!is_listed(listed, text))
            fail_msg("%s %s: %s is not listed", listed->variant, listed->fen, text);
    }
    if (list.count != expected)
        fail_msg("%s %s: %d moves, not %d", listed->variant, listed->fen, list.count, expected);
}

static void test_listed_positions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof listed_positions / sizeof listed_positions[0]; i++)
        check_listed(&listed_positions[i]);
}

/* A new row wants positions above. */
static void test_every_variant_is_listed(void **state)
{
    (void)state;
    for (size_t v = 0; v < variant_count; v++) {
        int listed = 0;
        for (size_t i = 0; i < sizeof listed_positions / sizeof listed_positions[0]; i++)
            listed += strcmp(listed_positions[i].variant, variant_table[v]->rules.name) == 0;
        if (listed < 3)
            fail_msg("%s: %d positions with all their moves are not enough", variant_table[v]->rules.name,
                     listed);
    }
}

/* -- Perft --------------------------------------------------------------------------------------------- */

/* A row of data/published_perft.tsv. */
struct published_perft {
    char variant[32];
    char fen[SLOW_TEXT];
    const char *counts; /* of depth 1 and so on, tabs between them, "-" where none is published */
};

enum { PERFT_LINE = 1024 };

static struct published_perft read_published(const char *line)
{
    struct published_perft row;
    int length = 0;
    assert_int_equal(sscanf(line, "%31s %511s%n", row.variant, row.fen, &length), 2);
    row.counts = line + length;
    return row;
}

static uint64_t fast_perft(const struct game *game, const struct slow_position *slow, int depth)
{
    struct position position = fast_of(game, slow);
    enum status status = STATUS_OK;
    uint64_t count = moves_perft(game->fast, &position, depth, &status);
    assert_int_equal(status, STATUS_OK);
    return count;
}

static struct slow_position position_of_row(const struct game *game, const struct published_perft *row)
{
    if (strcmp(row->fen, "start") != 0)
        return slow_of_fen(game, row->fen);
    struct slow_position start = slow_start(game->slow);
    struct position of_fast = variant_start(game->fast);
    struct position of_slow = fast_of(game, &start);
    assert_memory_equal(&of_fast, &of_slow, sizeof of_fast);
    return start;
}

/* Reads the next count; 0 where none is published. */
static uint64_t next_count(const char **text)
{
    char *end;
    uint64_t count = strtoull(*text + 1, &end, 10);
    *text = (*text)[1] == '-' ? *text + 2 : end;
    return count;
}

/* Returns how many counts were compared. */
static int check_published(const struct published_perft *row)
{
    struct game game = game_named(row->variant);
    struct slow_position start = position_of_row(&game, row);
    const char *text = row->counts;
    int compared = 0;
    for (int depth = 1; *text == '\t'; depth++) {
        uint64_t expected = next_count(&text);
        if (expected == 0 || expected > workload->perft_count)
            continue;
        uint64_t count = fast_perft(&game, &start, depth);
        if (count != expected)
            fail_msg("%s %s depth %d: %llu, not %llu", row->variant, row->fen, depth,
                     (unsigned long long)count, (unsigned long long)expected);
        compared++;
    }
    assert_int_equal(*text, '\n');
    return compared;
}

/* Where a king has to land so that it takes on, the deepest published count comes out with that rule only. */
static int check_landing(const struct published_perft *row)
{
    struct game game = game_named(row->variant);
    struct slow_position start = position_of_row(&game, row);
    struct slow_variant free_landing = *game.slow;
    const char *text = row->counts;
    uint64_t published = 0;
    int deepest = 0;
    if (!game.slow->must_land)
        return 0;
    for (int depth = 1; *text == '\t'; depth++) {
        uint64_t count = next_count(&text);
        if (count > 0 && count <= workload->perft_count) {
            published = count;
            deepest = depth;
        }
    }
    free_landing.must_land = false;
    if (deepest > 0 && (uint64_t)slow_perft(&free_landing, &start, deepest) == published)
        fail_msg("%s: perft %d does not tell where a king has to land", row->variant, deepest);
    return deepest > 0;
}

/* Does something with each row and returns the sum of what that returned. */
static int sum_of_published(int (*check)(const struct published_perft *row), int *rows)
{
    char line[PERFT_LINE];
    int sum = 0;
    FILE *file = fopen("data/published_perft.tsv", "r");
    assert_non_null(file);
    *rows = 0;
    while (fgets(line, sizeof line, file)) {
        if (*line == '#')
            continue;
        struct published_perft row = read_published(line);
        sum += check(&row);
        *rows += 1;
    }
    fclose(file);
    return sum;
}

static void test_published_perft(void **state)
{
    int rows;
    int compared = sum_of_published(check_published, &rows);
    (void)state;
    print_message("%d published counts of %d rows\n", compared, rows);
    assert_true(rows >= 11 && compared >= 3 * rows);
}

/* Russian, pool and Czech. */
static void test_published_perft_needs_must(void **state)
{
    int rows;
    (void)state;
    if (workload->perft_count >= 5000000)
        assert_int_equal(sum_of_published(check_landing, &rows), 3);
}

/* Every variant from the start, those without published counts among them. */
static void test_slow_perft(void **state)
{
    (void)state;
    for (size_t v = 0; v < variant_count; v++) {
        struct game game = game_of(variant_table[v]);
        struct slow_position start = slow_start(game.slow);
        for (int depth = 1; depth <= workload->slow_perft_depth; depth++) {
            uint64_t count = fast_perft(&game, &start, depth);
            if (count != (uint64_t)slow_perft(game.slow, &start, depth))
                fail_msg("%s: perft %d is not %llu", game.slow->name, depth, (unsigned long long)count);
        }
    }
}

/* -- What has to come up in the random positions ------------------------------------------------------- */

/* Things seen in the moves of a position. */
enum feature {
    FOUR_TAKEN,
    KING_TURNS_OFTEN,
    ENDS_AT_START,
    LANDS_TWICE,
    GOES_ON_FROM_LAST_ROW,
    CROWNED_BY_CAPTURE,
    CROWNED_BY_STEP,
    STEPS_SIDEWAYS,
    TAKES_KING,
    SEVERAL_CAPTURES,
    NO_MOVE,
    FEATURES
};

static const char *const feature_names[FEATURES] = {
    [FOUR_TAKEN] = "four or more taken",
    [KING_TURNS_OFTEN] = "a king turns three times or more",
    [ENDS_AT_START] = "a capture ends where it began",
    [LANDS_TWICE] = "a capture lands on a square twice",
    [GOES_ON_FROM_LAST_ROW] = "a man goes on from the last row",
    [CROWNED_BY_CAPTURE] = "a man is crowned by a capture",
    [CROWNED_BY_STEP] = "a man is crowned by a step",
    [STEPS_SIDEWAYS] = "a man steps sideways",
    [TAKES_KING] = "a king is taken",
    [SEVERAL_CAPTURES] = "a choice of captures is left",
    [NO_MOVE] = "no legal move",
};

/* Can it come up under these rules? */
static bool feature_can_be(enum feature feature, const struct slow_variant *rules)
{
    switch (feature) {
    case GOES_ON_FROM_LAST_ROW: return rules->crowning != SLOW_CROWNED_STOPS;
    case STEPS_SIDEWAYS: return rules->men_step == SLOW_FORWARD_AND_SIDEWAYS;
    default: return true;
    }
}

/* One rule changed. A position in which that changes the legal moves shows that the rule was tested. Without
 * a letter of the ladder of choice: captures that tie on the rungs before are told apart by that rung. */
enum alteration {
    NUMBER_DOES_NOT_COUNT,
    BY_KING_DOES_NOT_COUNT,
    KINGS_DO_NOT_COUNT,
    ORDER_DOES_NOT_COUNT,
    FIRST_KING_DOES_NOT_COUNT,
    OTHER_READING_OF_ORDER,
    NUMBER_COUNTS,
    OTHER_KINGS,
    OTHER_LANDING,
    OTHER_PREY_OF_MEN,
    OTHER_LEAVING,
    OTHER_TURNING,
    CROWNING_STOPS,
    CROWNING_PASSES,
    CROWNING_GOES_ON,
    OTHER_TAKES_OF_MEN,
    ALTERATIONS
};

static const char *const alteration_names[ALTERATIONS] = {
    [NUMBER_DOES_NOT_COUNT] = "the number counts",
    [BY_KING_DOES_NOT_COUNT] = "capturing by a king counts",
    [KINGS_DO_NOT_COUNT] = "the number of kings counts",
    [ORDER_DOES_NOT_COUNT] = "the order of victims counts",
    [FIRST_KING_DOES_NOT_COUNT] = "the first king counts",
    [OTHER_READING_OF_ORDER] = "the order counts, or the first king alone",
    [NUMBER_COUNTS] = "the number does not count",
    [OTHER_KINGS] = "kings fly, or step",
    [OTHER_LANDING] = "landing is free, or where it goes on",
    [OTHER_PREY_OF_MEN] = "men take kings, or not",
    [OTHER_LEAVING] = "victims leave at once, or at the end",
    [OTHER_TURNING] = "turning back is allowed, or not",
    [CROWNING_STOPS] = "crowning does not stop",
    [CROWNING_PASSES] = "crowning does not pass",
    [CROWNING_GOES_ON] = "a crowned man does not go on as a king",
    [OTHER_TAKES_OF_MEN] = "men take backwards, or not",
};

enum { SEEN_ENOUGH = 5 };

struct tally {
    long positions;
    long moves;
    long captures; /* positions with one */
    long features[FEATURES];
    int altered[ALTERATIONS]; /* positions that tell the alteration, up to SEEN_ENOUGH */
};

enum { LETTERS = 8 };

/* The ladder with one letter left out or, where `other` is one, replaced; false if it is not in it. */
static bool alter_choice(struct slow_variant *rules, char letter, char other, char choice[LETTERS])
{
    char *end = choice;
    bool found = strchr(rules->choice, letter) != NULL;
    for (const char *at = rules->choice; *at; at++) {
        if (*at != letter)
            *end++ = *at;
        else if (other)
            *end++ = other;
    }
    *end = '\0';
    rules->choice = choice;
    return found;
}

static bool alter_crowning(struct slow_variant *rules, enum slow_crowning crowning)
{
    /* A man that takes forwards only finds nothing to take from the last row. */
    bool alike = rules->men_take == SLOW_FORWARD && rules->crowning != SLOW_CROWNED_KING &&
                 crowning != SLOW_CROWNED_KING;
    bool other = rules->crowning != crowning;
    rules->crowning = crowning;
    return other && !alike;
}

/* Changes one rule; `choice` is room for letters. False if that can change no move of the variant. */
static bool alter(struct slow_variant *rules, enum alteration alteration, char choice[LETTERS])
{
    bool most_pieces = strchr(rules->choice, 'N') != NULL;
    switch (alteration) {
    case NUMBER_DOES_NOT_COUNT: return alter_choice(rules, 'N', 0, choice);
    case BY_KING_DOES_NOT_COUNT: return alter_choice(rules, 'K', 0, choice);
    case KINGS_DO_NOT_COUNT: return alter_choice(rules, 'C', 0, choice);
    case ORDER_DOES_NOT_COUNT: return alter_choice(rules, 'E', 0, choice);
    case FIRST_KING_DOES_NOT_COUNT: return alter_choice(rules, 'F', 0, choice);
    case OTHER_READING_OF_ORDER:
        return strchr(rules->choice, 'E') ? alter_choice(rules, 'E', 'F', choice)
                                          : alter_choice(rules, 'F', 'E', choice);
    case NUMBER_COUNTS: rules->choice = "N"; return !most_pieces;
    case OTHER_KINGS: rules->flying = !rules->flying; return true;
    /* Of a capture of the greatest number each landing goes on where one can. */
    case OTHER_LANDING: rules->must_land = !rules->must_land; return rules->flying && !most_pieces;
    case OTHER_PREY_OF_MEN: rules->man_takes_king = !rules->man_takes_king; return true;
    /* Without flying kings no piece comes to a square of a victim or looks back at it. */
    case OTHER_LEAVING: rules->gone_now = !rules->gone_now; return rules->flying;
    /* A victim that stands on bars the way back. */
    case OTHER_TURNING: rules->no_reversal = !rules->no_reversal; return rules->gone_now;
    case CROWNING_STOPS: return alter_crowning(rules, SLOW_CROWNED_STOPS);
    case CROWNING_PASSES: return alter_crowning(rules, SLOW_CROWNED_PASSES);
    case CROWNING_GOES_ON: return alter_crowning(rules, SLOW_CROWNED_KING);
    case OTHER_TAKES_OF_MEN:
        rules->men_take =
            rules->men_take == SLOW_FORWARD && !rules->orthogonal ? SLOW_FORWARD_AND_BACKWARD : SLOW_FORWARD;
        return true;
    case ALTERATIONS: break;
    }
    return false;
}

static bool leads_to(const struct slow_move_list *list, const struct slow_move *move)
{
    for (int i = 0; i < list->count; i++)
        if (list->moves[i].from == move->from &&
            memcmp(list->moves[i].result.at, move->result.at, sizeof move->result.at) == 0)
            return true;
    return false;
}

static bool same_lists(const struct slow_move_list *a, const struct slow_move_list *b)
{
    if (a->count != b->count)
        return false;
    for (int i = 0; i < a->count; i++)
        if (!leads_to(b, &a->moves[i]))
            return false;
    return true;
}

/* Counts the rules that decide something here, until each has been seen often enough. */
static void tally_alterations(const struct game *game, const struct slow_position *position,
                              const struct slow_move_list *legal, struct tally *tally)
{
    static struct slow_move_list other;
    for (int i = 0; i < ALTERATIONS; i++) {
        char choice[LETTERS];
        struct slow_variant rules = *game->slow;
        if (tally->altered[i] >= SEEN_ENOUGH || !alter(&rules, (enum alteration)i, choice))
            continue;
        slow_moves(&rules, position, &other);
        tally->altered[i] += !same_lists(legal, &other);
    }
}

static bool lands_twice(const struct slow_move *move)
{
    for (int i = 0; i < move->path_length; i++)
        for (int j = 0; j < i; j++)
            if (move->path[i] == move->path[j])
                return true;
    return false;
}

static bool goes_on_from_last_row(const struct game *game, const struct slow_move *move)
{
    int last_row = move->piece == 'w' ? game->slow->width - 1 : 0;
    if (move->piece != 'w' && move->piece != 'b')
        return false;
    for (int i = 0; i + 1 < move->path_length; i++)
        if (move->path[i] / game->slow->width == last_row)
            return true;
    return false;
}

static int sign_of(int number)
{
    return (number > 0) - (number < 0);
}

/* How often a capture changes its direction. */
static int turns(const struct game *game, const struct slow_move *move)
{
    int width = game->slow->width;
    int count = 0;
    int at = move->from;
    int up = 0;
    int right = 0;
    for (int i = 0; i < move->path_length; i++) {
        int new_up = sign_of(move->path[i] / width - at / width);
        int new_right = sign_of(move->path[i] % width - at % width);
        count += i > 0 && (new_up != up || new_right != right);
        up = new_up;
        right = new_right;
        at = move->path[i];
    }
    return count;
}

static bool takes_king(const struct slow_move *move)
{
    for (int i = 0; i < move->taken_count; i++)
        if (move->taken_piece[i] == 'W' || move->taken_piece[i] == 'B')
            return true;
    return false;
}

static void tally_move(const struct game *game, const struct slow_move *move, struct tally *tally)
{
    bool man = move->piece == 'w' || move->piece == 'b';
    long *seen = tally->features;
    if (move->taken_count == 0) {
        seen[CROWNED_BY_STEP] += move->crowned;
        seen[STEPS_SIDEWAYS] += man && move->from / game->slow->width == move->to / game->slow->width;
        return;
    }
    seen[FOUR_TAKEN] += move->taken_count >= 4;
    seen[KING_TURNS_OFTEN] += !man && turns(game, move) >= 3;
    seen[ENDS_AT_START] += move->from == move->to;
    seen[LANDS_TWICE] += lands_twice(move);
    seen[GOES_ON_FROM_LAST_ROW] += goes_on_from_last_row(game, move);
    seen[CROWNED_BY_CAPTURE] += move->crowned;
    seen[TAKES_KING] += takes_king(move);
}

static void tally_position(const struct game *game, const struct slow_position *position,
                           const struct slow_move_list *legal, struct tally *tally)
{
    bool capture = legal->count > 0 && legal->moves[0].taken_count > 0;
    tally->positions++;
    tally->moves += legal->count;
    tally->captures += capture;
    tally->features[NO_MOVE] += legal->count == 0;
    tally->features[SEVERAL_CAPTURES] += capture && legal->count > 1;
    for (int i = 0; i < legal->count; i++)
        tally_move(game, &legal->moves[i], tally);
    tally_alterations(game, position, legal, tally);
}

static void check_tally(const struct game *game, const struct tally *tally)
{
    const char *name = game->slow->name;
    print_message("%s: %ld positions, %ld with captures, %ld moves\n", name, tally->positions,
                  tally->captures, tally->moves);
    for (int i = 0; i < FEATURES; i++) {
        print_message("  %9ld  %s\n", tally->features[i], feature_names[i]);
        if ((tally->features[i] > 0) != feature_can_be((enum feature)i, game->slow))
            fail_msg("%s, %s: seen %ld times", name, feature_names[i], tally->features[i]);
    }
    for (int i = 0; i < ALTERATIONS; i++) {
        char choice[LETTERS];
        struct slow_variant rules = *game->slow;
        if (!alter(&rules, (enum alteration)i, choice))
            continue;
        print_message("  %9d%s %s\n", tally->altered[i], tally->altered[i] < SEEN_ENOUGH ? " " : "+",
                      alteration_names[i]);
        if (tally->altered[i] == 0)
            fail_msg("%s: no position tells whether %s", name, alteration_names[i]);
    }
}

/* -- Random positions ---------------------------------------------------------------------------------- */

/* splitmix64. Source: S. Vigna, public domain. */
static uint64_t random_bits(void)
{
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static int random_between(int least, int most)
{
    return least + (int)(random_bits() % (uint64_t)(most - least + 1));
}

/* Up to `count` squares of the set, taken out of *free. */
static uint64_t take_squares(uint64_t *free, uint64_t set, int count)
{
    uint64_t taken = 0;
    set &= *free;
    for (; count > 0 && set; count--) {
        uint64_t rest = set;
        for (int skip = random_between(0, bits_count(set) - 1); skip > 0; skip--)
            rest = bits_without_lowest(rest);
        taken |= bit_of(bits_lowest(rest));
        set &= ~taken;
    }
    *free &= ~taken;
    return taken;
}

/* Pieces of each kind on any squares where they may stand. */
static struct position random_pieces(const struct variant *variant, int own_men, int own_kings,
                                     int opponent_men, int opponent_kings)
{
    uint64_t all = board_all(variant->rules.board);
    uint64_t free = all;
    struct position position;
    position.own_men = take_squares(&free, variant_own_men_squares(variant), own_men);
    position.opponent_men = take_squares(&free, variant_opponent_men_squares(variant), opponent_men);
    position.own_kings = take_squares(&free, all, own_kings);
    position.opponent_kings = take_squares(&free, all, opponent_kings);
    return position;
}

static struct position with_many_kings(const struct variant *variant)
{
    return random_pieces(variant, random_between(0, 2), random_between(1, 7), random_between(0, 2),
                         random_between(1, 6));
}

static struct position crowded(const struct variant *variant)
{
    int side = variant->rules.board->squares / 2;
    return random_pieces(variant, random_between(side / 3, side * 4 / 5), random_between(0, 3),
                         random_between(side / 3, side * 4 / 5), random_between(0, 3));
}

static struct position with_few_pieces(const struct variant *variant)
{
    int own_men = random_between(0, 2);
    int opponent_men = random_between(0, 2);
    return random_pieces(variant, own_men, random_between(own_men == 0, 2), opponent_men,
                         random_between(opponent_men == 0, 2));
}

/* Men of both sides in the half in which they are crowned. */
static struct position close_to_promotion(const struct variant *variant)
{
    const struct board *board = variant->rules.board;
    uint64_t upper = board_all(board) & ~(board_all(board) >> (board->squares / 2));
    uint64_t lower = board_all(board) & ~upper;
    uint64_t free = board_all(board);
    struct position position;
    position.own_men = take_squares(&free, upper & variant_own_men_squares(variant), random_between(1, 5));
    position.opponent_men =
        take_squares(&free, upper & variant_opponent_men_squares(variant), random_between(0, 5));
    position.opponent_men |=
        take_squares(&free, lower & variant_opponent_men_squares(variant), random_between(0, 2));
    position.own_kings = take_squares(&free, board_all(board), random_between(0, 1));
    position.opponent_kings = take_squares(&free, board_all(board), random_between(0, 2));
    return position;
}

/* Squares that a jump can cross (or, with `landings`, start from) when all start from rows of one parity. */
static uint64_t jump_squares(const struct board *board, bool landings)
{
    uint64_t squares = 0;
    int parity = random_between(0, 1);
    for (int square = 0; square < board->squares; square++) {
        int row = square / board->width;
        int column = board_column(board, square);
        bool even = board->orthogonal ? (row & 1) == parity && (column & 1) == 0 : (row & 1) == parity;
        bool crossed = board->orthogonal ? ((row + column) & 1) != parity : (row & 1) != parity;
        if (landings ? even : crossed)
            squares |= bit_of(square);
    }
    return squares;
}

/* One or two pieces of own among loose pieces of the opponent: long captures. */
static struct position for_long_captures(const struct variant *variant)
{
    const struct board *board = variant->rules.board;
    uint64_t state = random_state;
    uint64_t landings = jump_squares(board, true);
    random_state = state; /* the same parity */
    uint64_t crossed = jump_squares(board, false);
    uint64_t free = board_all(board);
    int victims = random_between(3, variant->rules.flying ? 8 : 11);
    struct position position = {0};
    position.opponent_kings = take_squares(&free, crossed, victims);
    position.opponent_men = position.opponent_kings & variant_opponent_men_squares(variant);
    if (random_between(0, 2) > 0)
        position.opponent_men &= random_bits();
    position.opponent_kings &= ~position.opponent_men;
    if (random_between(0, 1) == 0)
        position.own_kings = take_squares(&free, landings, 1);
    if (!position.own_kings || random_between(0, 2) == 0)
        position.own_men = take_squares(&free, landings & variant_own_men_squares(variant), 1);
    if (random_between(0, 3) == 0)
        position.own_men |= take_squares(&free, variant_own_men_squares(variant), 1);
    return position;
}

/* The square in the mirror: columns add up to `columns`. */
static int mirrored(const struct variant *variant, int square, int columns)
{
    int row = square / variant->rules.board->width;
    return variant_square_at(variant, columns - variant_column(variant, square), row);
}

/* Victims for a few jumps from a square, and the same in the mirror. */
static uint64_t mirrored_victims(const struct variant *variant, int from, int columns)
{
    const struct board *board = variant->rules.board;
    uint64_t victims = 0;
    for (int jump = random_between(2, 6); jump > 0; jump--) {
        int direction = random_between(0, DIRECTIONS - 1);
        int over = board->step[from][direction];
        int to = over == NO_SQUARE ? NO_SQUARE : board->step[over][direction];
        if (to == NO_SQUARE || ((victims >> over | victims >> to) & 1))
            continue;
        int other = mirrored(variant, over, columns);
        victims |= bit_of(over) | (other == NO_SQUARE ? 0 : bit_of(other));
        from = to;
    }
    return victims;
}

/* A king, or two pieces, with captures to the left and to the right that differ in what is taken: ties on the
 * ladder of choice. */
static struct position for_ties(const struct variant *variant)
{
    const struct board *board = variant->rules.board;
    int king = random_between(0, board->squares - 1);
    int columns = 2 * variant_column(variant, king) + 2 * random_between(-1, 1);
    int twin = mirrored(variant, king, columns);
    uint64_t own = bit_of(king) | (twin == NO_SQUARE ? 0 : bit_of(twin));
    uint64_t victims = mirrored_victims(variant, king, columns) & ~own;
    uint64_t opponent_men = victims & random_bits() & variant_opponent_men_squares(variant);
    uint64_t men = random_between(0, 3) == 0 ? own & random_bits() & variant_own_men_squares(variant) : 0;
    return (struct position){men, own & ~men, opponent_men, victims & ~opponent_men};
}

/* The next position of endless random games. */
static struct position of_random_game(const struct variant *variant)
{
    static const struct variant *playing;
    static struct position now;
    static int ply;
    struct move_list list;
    if (playing == variant && moves_legal(variant, &now, &list, NULL) == STATUS_OK && list.count > 0 &&
        ply < 120) {
        now = position_after(variant, &now, &list.moves[random_between(0, list.count - 1)]);
        ply++;
    } else {
        now = variant_start(variant);
        playing = variant;
        ply = 0;
    }
    return now;
}

static struct position (*const kinds[])(const struct variant *variant) = {
    with_many_kings,   crowded,  with_few_pieces, close_to_promotion,
    for_long_captures, for_ties, of_random_game,
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* -- Fast equals slow ---------------------------------------------------------------------------------- */

/* What is compared. */
struct comparison {
    const struct game *game;
    const struct position *position; /* own's view */
    bool black_to_move;
    const struct slow_position *slow;
};

static void fail_at(const struct comparison *now, const char *what)
{
    char fen[SLOW_TEXT];
    slow_write_fen(now->game->slow, now->slow, fen);
    fail_msg("%s %s: %s", now->game->slow->name, fen, what);
}

static struct move fast_move_of(const struct comparison *now, const struct slow_move *slow)
{
    const struct game *game = now->game;
    struct move move = {.from = (uint8_t)own_square(game, slow->from, now->black_to_move),
                        .to = (uint8_t)own_square(game, slow->to, now->black_to_move),
                        .by_man = slow->piece == 'w' || slow->piece == 'b',
                        .crowned = slow->crowned};
    for (int i = 0; i < slow->taken_count; i++)
        move.taken |= bit_of(own_square(game, slow->taken[i], now->black_to_move));
    return move;
}

static int place_of(const struct move_list *list, const struct move *move)
{
    for (int i = 0; i < list->count; i++) {
        const struct move *other = &list->moves[i];
        if (other->taken == move->taken && other->from == move->from && other->to == move->to &&
            other->by_man == move->by_man && other->crowned == move->crowned)
            return i;
    }
    return -1;
}

/* Paths are ordered by the numbers of White's squares, so only White's can be compared here. */
static void check_path(const struct comparison *now, const struct slow_move *slow,
                       const struct move_path *path)
{
    if (path->length != slow->path_length + 1 || now->game->cell_of[path->squares[0]] != slow->from)
        fail_at(now, "a path has another length or start");
    for (int i = 0; i < slow->path_length; i++)
        if (now->game->cell_of[path->squares[i + 1]] != slow->path[i])
            fail_at(now, "not the path with the lowest squares");
}

static void check_move(const struct comparison *now, const struct slow_move *slow,
                       const struct move_list *list, const struct move_paths *paths)
{
    struct move move = fast_move_of(now, slow);
    int place = place_of(list, &move);
    if (place < 0) {
        char text[SLOW_TEXT];
        slow_move_text(now->game->slow, slow, text);
        fail_at(now, text);
    }
    struct position after = position_after(now->game->fast, now->position, &move);
    struct slow_position result = slow_of(now->game, &after, !now->black_to_move);
    if (memcmp(&result, &slow->result, sizeof result) != 0)
        fail_at(now, "another position after a move");
    if (!now->black_to_move)
        check_path(now, slow, &paths->of[place]);
}

/* Nine kings among fourteen loose ones: more distinct captures than a list holds are an error, not a loss. */
static void test_too_many_moves(void **state)
{
    static struct move_list list;
    static struct move_paths paths;
    struct game game = game_named("damii");
    struct position position = {.own_kings = UINT64_C(0x3218000000013),
                                .opponent_kings = UINT64_C(0x181e04c0b160)};
    struct slow_position slow = slow_of(&game, &position, false);
    struct slow_move_list slow_list = {0};
    enum status status = STATUS_OK;
    (void)state;
    assert_true(slow_moves(game.slow, &slow, &slow_list) > MAX_MOVES);
    slow_move_list_free(&slow_list);
    assert_int_equal(moves_legal(game.fast, &position, &list, NULL), STATUS_TOO_MANY_MOVES);
    assert_int_equal(moves_legal(game.fast, &position, &list, &paths), STATUS_TOO_MANY_MOVES);
    assert_int_equal(list.count, MAX_MOVES);
    assert_int_equal(moves_perft(game.fast, &position, 2, &status), 0);
    assert_int_equal(status, STATUS_TOO_MANY_MOVES);
    /* The same list serves again. */
    position = variant_start(game.fast);
    assert_int_equal(moves_legal(game.fast, &position, &list, &paths), STATUS_OK);
    assert_int_equal(list.count, 9);
}

/* All moves found on both sides, none twice: the slow list holds each once and the lists are equally long. */
static void compare(const struct game *game, const struct position *position, bool black_to_move,
                    struct tally *tally)
{
    static struct slow_move_list slow_list;
    static struct move_list list;
    static struct move_paths paths;
    struct slow_position slow = slow_of(game, position, black_to_move);
    struct comparison now = {game, position, black_to_move, &slow};
    int count = slow_moves(game->slow, &slow, &slow_list);
    enum status status = moves_legal(game->fast, position, &list, &paths);
    if (count > MAX_MOVES && status == STATUS_TOO_MANY_MOVES)
        return;
    if (status != STATUS_OK)
        fail_at(&now, "the fast generator's list overflows");
    if (list.count != count)
        fail_at(&now, "another number of moves");
    bool capture = count > 0 && slow_list.moves[0].taken_count > 0;
    if (game->fast->moves->has_capture(position) != capture)
        fail_at(&now, "has_capture is wrong");
    for (int i = 0; i < count; i++)
        check_move(&now, &slow_list.moves[i], &list, &paths);
    tally_position(game, &slow, &slow_list, tally);
}

static void check_variant(const struct variant *variant, long positions)
{
    struct game game = game_of(variant);
    struct tally tally = {0};
    print_message("%s: random state %llu\n", game.slow->name, (unsigned long long)random_state);
    for (long i = 0; i < positions; i++) {
        struct position position = kinds[i % KINDS](game.fast);
        const char *fault = variant_fault(game.fast, &position);
        if (fault)
            fail_msg("%s: the test made a bad position, %s", game.slow->name, fault);
        compare(&game, &position, i / KINDS & 1, &tally);
    }
    check_tally(&game, &tally);
}

static void test_first_games_equal_slow(void **state)
{
    (void)state;
    for (size_t v = 0; v < FIRST_GAMES; v++)
        check_variant(variant_table[v], workload->random_positions);
}

static void test_relatives_equal_slow(void **state)
{
    (void)state;
    for (size_t v = FIRST_GAMES; v < variant_count; v++)
        check_variant(variant_table[v], workload->of_relatives);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_listed_positions),     cmocka_unit_test(test_every_variant_is_listed),
        cmocka_unit_test(test_published_perft),      cmocka_unit_test(test_published_perft_needs_must),
        cmocka_unit_test(test_slow_perft),           cmocka_unit_test(test_first_games_equal_slow),
        cmocka_unit_test(test_relatives_equal_slow), cmocka_unit_test(test_too_many_moves),
    };
    choose_workload();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
