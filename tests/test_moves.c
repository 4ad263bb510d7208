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
    int perft_depth;       /* of the published counts */
    int slow_perft_depth;  /* of counts taken from the slow generator */
    long random_positions; /* of each variant */
};

static const struct workload workloads[] = {
    {"short", 8, 5, 300000},
    {"sanitised", 6, 4, 30000},
    {"long", 10, 6, 10000000},
    {"soak", 10, 7, 100000000},
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

static struct game game_named(const char *name)
{
    struct game game = {.fast = variant_named(name), .slow = slow_variant_named(name)};
    if (!game.fast || !game.slow)
        fail_msg("%s is not known to both generators", name);
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

static void test_positions_of_rules_page(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof listed_positions / sizeof listed_positions[0]; i++)
        check_listed(&listed_positions[i]);
}

/* -- Perft --------------------------------------------------------------------------------------------- */

enum { MAX_DEPTH = 10 };

struct published_perft {
    const char *variant;
    const char *fen; /* null: the start */
    uint64_t counts[MAX_DEPTH];
};

static const struct published_perft published[] = {
    {"portuguese", NULL, {7, 49, 302, 1469, 7361, 36473, 177532, 828783, 3860866, 17743464}},
    {"italian", NULL, {7, 49, 302, 1469, 7361, 36473, 177532, 828783, 3860875, 17761384}},
    {"italian",
     "W:W30,26,27,22,23,24,17,18,20:B14,15,16,9,11,5,6,1,3",
     {5, 13, 42, 107, 360, 1099, 3736, 12495}},
    {"italian",
     "W:WK27,K28,17,20,9,K12,8:B21,24,K19,K13,14,K11,4",
     {13, 112, 828, 6756, 46241, 368908, 2468110, 19914763}},
};

static uint64_t fast_perft(const struct game *game, const struct slow_position *slow, int depth)
{
    struct position position = fast_of(game, slow);
    enum status status = STATUS_OK;
    uint64_t count = moves_perft(game->fast, &position, depth, &status);
    assert_int_equal(status, STATUS_OK);
    return count;
}

static void check_published(const struct published_perft *row)
{
    struct game game = game_named(row->variant);
    struct slow_position start = row->fen ? slow_of_fen(&game, row->fen) : slow_start(game.slow);
    struct position of_fast = variant_start(game.fast);
    struct position of_slow = fast_of(&game, &start);
    if (!row->fen)
        assert_memory_equal(&of_fast, &of_slow, sizeof of_fast);
    for (int depth = 1; depth <= workload->perft_depth && depth <= MAX_DEPTH; depth++) {
        uint64_t expected = row->counts[depth - 1];
        uint64_t count = expected ? fast_perft(&game, &start, depth) : 0;
        if (count != expected)
            fail_msg("%s %s depth %d: %llu, not %llu", row->variant, row->fen ? row->fen : "start", depth,
                     (unsigned long long)count, (unsigned long long)expected);
    }
}

static void test_published_perft(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++)
        check_published(&published[i]);
}

static void test_slow_perft(void **state)
{
    static const char *const names[] = {"turkish", "damii"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct game game = game_named(names[i]);
        struct slow_position start = slow_start(game.slow);
        for (int depth = 1; depth <= workload->slow_perft_depth; depth++) {
            uint64_t count = fast_perft(&game, &start, depth);
            assert_int_equal(count, slow_perft(game.slow, &start, depth));
            print_message("%s perft %d: %llu\n", names[i], depth, (unsigned long long)count);
        }
    }
}

/* -- What has to come up in the random positions ------------------------------------------------------- */

/* Things seen in the moves of a position. */
enum feature {
    FOUR_TAKEN,
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

struct feature_row {
    const char *name;
    const char *cannot; /* variants in which it cannot be */
};

static const struct feature_row feature_rows[FEATURES] = {
    [FOUR_TAKEN] = {"four or more taken", ""},
    [ENDS_AT_START] = {"a capture ends where it began", ""},
    [LANDS_TWICE] = {"a capture lands on a square twice", ""},
    [GOES_ON_FROM_LAST_ROW] = {"a man goes on from the last row", "italian portuguese"},
    [CROWNED_BY_CAPTURE] = {"a man is crowned by a capture", ""},
    [CROWNED_BY_STEP] = {"a man is crowned by a step", ""},
    [STEPS_SIDEWAYS] = {"a man steps sideways", "italian portuguese damii"},
    [TAKES_KING] = {"a king is taken", ""},
    [SEVERAL_CAPTURES] = {"a choice of captures is left", ""},
    [NO_MOVE] = {"no legal move", ""},
};

enum altered_field {
    CHOICE_WITHOUT,
    CHOICE,
    FLYING,
    MUST_LAND,
    TAKE_KINGS,
    GONE_NOW,
    NO_REVERSAL,
    CROWNING,
    TAKE
};

/* One rule changed. A position in which that changes the legal moves shows that the rule was tested. */
struct alteration {
    const char *name;
    const char *variants; /* in which it can make a difference */
    enum altered_field field;
    int value;
};

static const struct alteration alterations[] = {
    {"number does not count", "italian portuguese turkish", CHOICE_WITHOUT, 'N'},
    {"capturing by a king does not count", "italian", CHOICE_WITHOUT, 'K'},
    {"kings taken do not count", "italian portuguese", CHOICE_WITHOUT, 'C'},
    {"kings earliest do not count", "italian", CHOICE_WITHOUT, 'E'},
    {"most pieces", "damii", CHOICE, 'N'},
    {"kings fly", "italian", FLYING, true},
    {"kings do not fly", "portuguese turkish damii", FLYING, false},
    {"landing where it goes on", "damii", MUST_LAND, true},
    {"men take kings", "italian", TAKE_KINGS, true},
    {"men do not take kings", "portuguese turkish damii", TAKE_KINGS, false},
    {"victims leave at once", "portuguese damii", GONE_NOW, true},
    {"victims leave at the end", "turkish", GONE_NOW, false},
    {"turning back is allowed", "turkish", NO_REVERSAL, false},
    {"crowning stops", "turkish damii", CROWNING, SLOW_CROWNED_STOPS},
    {"crowning passes", "turkish", CROWNING, SLOW_CROWNED_PASSES},
    {"crowned goes on as a king", "italian portuguese damii", CROWNING, SLOW_CROWNED_KING},
    {"men take backwards", "italian portuguese", TAKE, SLOW_FORWARD_AND_BACKWARD},
    {"men take forwards only", "turkish damii", TAKE, SLOW_FORWARD},
};

enum { ALTERATIONS = sizeof alterations / sizeof alterations[0], SEEN_ENOUGH = 5 };

struct tally {
    long positions;
    long moves;
    long captures; /* positions with one */
    long features[FEATURES];
    int altered[ALTERATIONS]; /* positions that tell the alteration, up to SEEN_ENOUGH */
};

static bool names_variant(const char *list, const struct game *game)
{
    return strstr(list, game->slow->name) != NULL;
}

/* A row of the slow table with one rule changed; `choice` is its room for letters. */
static struct slow_variant altered_rules(const struct slow_variant *rules,
                                         const struct alteration *alteration, char choice[8])
{
    struct slow_variant other = *rules;
    int value = alteration->value;
    switch (alteration->field) {
    case CHOICE_WITHOUT: {
        char *end = choice;
        for (const char *letter = rules->choice; *letter; letter++)
            if (*letter != value)
                *end++ = *letter;
        *end = '\0';
        other.choice = choice;
        break;
    }
    case CHOICE:
        choice[0] = (char)value;
        choice[1] = '\0';
        other.choice = choice;
        break;
    case FLYING: other.flying = value; break;
    case MUST_LAND: other.must_land = value; break;
    case TAKE_KINGS: other.man_takes_king = value; break;
    case GONE_NOW: other.gone_now = value; break;
    case NO_REVERSAL: other.no_reversal = value; break;
    case CROWNING: other.crowning = (enum slow_crowning)value; break;
    case TAKE: other.men_take = (enum slow_directions)value; break;
    }
    return other;
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
        if (tally->altered[i] >= SEEN_ENOUGH || !names_variant(alterations[i].variants, game))
            continue;
        char choice[8];
        struct slow_variant rules = altered_rules(game->slow, &alterations[i], choice);
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
        bool can = !names_variant(feature_rows[i].cannot, game);
        print_message("  %9ld  %s\n", tally->features[i], feature_rows[i].name);
        if ((tally->features[i] > 0) != can)
            fail_msg("%s, %s: seen %ld times", name, feature_rows[i].name, tally->features[i]);
    }
    for (int i = 0; i < ALTERATIONS; i++)
        if (names_variant(alterations[i].variants, game) && tally->altered[i] == 0)
            fail_msg("%s: no position tells whether %s", name, alterations[i].name);
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
    with_many_kings, crowded, with_few_pieces, close_to_promotion, for_long_captures, of_random_game,
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

static void check_variant(const char *name)
{
    struct game game = game_named(name);
    struct tally tally = {0};
    print_message("%s: random state %llu\n", name, (unsigned long long)random_state);
    for (long i = 0; i < workload->random_positions; i++) {
        struct position position = kinds[i % KINDS](game.fast);
        const char *fault = variant_fault(game.fast, &position);
        if (fault)
            fail_msg("%s: the test made a bad position, %s", name, fault);
        compare(&game, &position, i / KINDS & 1, &tally);
    }
    check_tally(&game, &tally);
}

static void test_italian_equals_slow(void **state)
{
    (void)state;
    check_variant("italian");
}

static void test_portuguese_equals_slow(void **state)
{
    (void)state;
    check_variant("portuguese");
}

static void test_turkish_equals_slow(void **state)
{
    (void)state;
    check_variant("turkish");
}

static void test_damii_equals_slow(void **state)
{
    (void)state;
    check_variant("damii");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions_of_rules_page),
        cmocka_unit_test(test_published_perft),
        cmocka_unit_test(test_slow_perft),
        cmocka_unit_test(test_italian_equals_slow),
        cmocka_unit_test(test_portuguese_equals_slow),
        cmocka_unit_test(test_turkish_equals_slow),
        cmocka_unit_test(test_damii_equals_slow),
        cmocka_unit_test(test_too_many_moves),
    };
    choose_workload();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
