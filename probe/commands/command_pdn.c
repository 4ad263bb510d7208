/* damaprobe pdn: plays the games of a file through and shows where moves changed what the tables say. A line
 * or a field is written as soon as its move is read; of a game only its changes of value are kept, and its
 * moves where they are to be one object. */
#include "commands.h"

#include "notation.h"
#include "pdn_game.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHANGES_KEPT = 64,
    SHOWN_SIZE = 2 * PDN_MESSAGE_SIZE, /* each byte may become two */
    REMARK_SIZE = PDN_MESSAGE_SIZE + 128
};

/* A value as it became known, White's view. */
struct change {
    enum value value;
    bool by_move; /* it was known before the move */
    bool placed;  /* by no move: a first position or one that was set up */
    char label[PDN_LABEL_SIZE];
    char move[MOVE_TEXT_SIZE];
};

/* A value of the side to move, or none. */
struct answer {
    bool known;
    enum value value;
};

/* A game as it is read. */
struct game {
    bool inside; /* the tables have known a position */
    int fewest;  /* pieces */
    int largest; /* pieces of the largest tables */
    bool missing_told;
    struct answer now;
    enum value last; /* the last known value, White's view */
    size_t changes;  /* all of them; the first are kept */
    struct change kept[CHANGES_KEPT];
    json_t *moves; /* where objects are written */
    json_t *positions;
    json_t *notes;
    json_t *fault;
};

struct review {
    const struct options *options;
    const char *path; /* for messages */
    struct table_set tables;
    struct pdn_player player;
    struct game game;
    unsigned long long faulty;   /* games */
    unsigned long long answered; /* positions */
    int largest;                 /* pieces of the largest tables of all games' variants */
    enum exit_code trouble;      /* with a table */
    char first_fault[REMARK_SIZE];
    char first_trouble[REASON_SIZE];
};

static const char *value_name(struct answer answer)
{
    return answer.known ? value_text(answer.value) : "unknown";
}

static struct answer turned(struct answer answer)
{
    return (struct answer){answer.known, value_turned(answer.value)};
}

static const char *side_name(bool black)
{
    return black ? "Black" : "White";
}

/* -- Texts of the file --------------------------------------------------------------------------------- */

static bool is_utf8(const char *text)
{
    json_t *string = json_string(text);
    json_decref(string);
    return string != NULL;
}

/* The text as UTF-8 without characters that a terminal would obey. What is no UTF-8 is taken as Latin-1. */
static const char *shown(const char *text, char buffer[SHOWN_SIZE])
{
    bool utf8 = is_utf8(text);
    char *end = buffer;
    for (; *text && end < buffer + SHOWN_SIZE - 2; text++) {
        unsigned char c = (unsigned char)*text;
        bool control = c < ' ' || c == 0x7f || (!utf8 && c >= 0x80 && c < 0xa0) ||
                       (utf8 && c == 0xc2 && (unsigned char)text[1] < 0xa0);
        if (control)
            *end++ = '?';
        else if (utf8 || c < 0x80)
            *end++ = (char)c;
        else {
            *end++ = (char)(0xc0 | c >> 6);
            *end++ = (char)(0x80 | (c & 0x3f));
        }
        if (control && c == 0xc2)
            text++;
    }
    *end = '\0';
    return buffer;
}

/* -- Values -------------------------------------------------------------------------------------------- */

/* Says something about the game: as a line, or later as a field of its object. */
__attribute__((format(printf, 2, 3))) static void remark(struct review *review, const char *format, ...)
{
    char text[REMARK_SIZE];
    char buffer[SHOWN_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (review->options->json)
        json_array_append_new(review->game.notes, json_string(shown(text, buffer)));
    else
        printf("game %llu: note: %s\n", review->player.game, shown(text, buffer));
}

/* A table that should be there is missing, or one that is there cannot be used. Told once a game. */
static void note_missing(struct review *review, const struct position *position, enum status status)
{
    char reason[REASON_SIZE];
    enum exit_code code = exit_code_of(status);
    if (code == EXIT_NO_ANSWER && bits_count(position_occupied(position)) > review->game.largest)
        return;
    if (review->game.missing_told)
        return;
    review->game.missing_told = true;
    write_reason(&review->tables, review->player.variant, position, status, reason);
    remark(review, "%s", reason);
    if (code != EXIT_NO_ANSWER && review->trouble == EXIT_DONE) {
        review->trouble = code;
        snprintf(review->first_trouble, sizeof review->first_trouble, "%s", reason);
    }
}

static struct answer value_of(struct review *review, const struct position *position)
{
    struct answer answer = {false, DRAW};
    enum status status =
        library_value(review->tables.handle, review->player.variant, position, 0, &answer.value);
    answer.known = status == STATUS_OK;
    if (!answer.known)
        note_missing(review, position, status);
    return answer;
}

/* Keeps the value of the position now if it is another one than the last. */
static void keep_change(struct review *review, bool by_move, bool placed)
{
    struct game *game = &review->game;
    const struct pdn_player *player = &review->player;
    enum value value = player->black_to_move ? value_turned(game->now.value) : game->now.value;
    if (!game->now.known || (game->inside && value == game->last))
        return;
    if (game->changes < CHANGES_KEPT) {
        struct change *change = &game->kept[game->changes];
        *change = (struct change){.value = value, .by_move = by_move && game->inside, .placed = placed};
        pdn_label_write(player, change->label);
        memcpy(change->move, player->move, sizeof change->move);
    }
    game->changes++;
    game->last = value;
}

/* Values the position now. */
static void look(struct review *review, bool by_move, bool placed)
{
    struct game *game = &review->game;
    int pieces = bits_count(position_occupied(&review->player.own_view));
    game->fewest = pieces < game->fewest ? pieces : game->fewest;
    game->now = value_of(review, &review->player.own_view);
    review->answered += game->now.known;
    keep_change(review, by_move, placed);
    game->inside = game->inside || game->now.known;
}

/* -- Moves --------------------------------------------------------------------------------------------- */

/* A move, its values seen by its mover, and the moves that were better. */
struct review_move {
    char label[PDN_LABEL_SIZE];
    struct answer before;
    struct answer after;
    const char *mark;          /* "", "?" or "??" */
    uint8_t values[MAX_MOVES]; /* of all legal moves where there is a mark; VALUES if not known */
};

/* Marks a move that made the value worse: doubly from a win, also a cursed one, to a loss. */
static const char *mark_of(struct answer before, struct answer after)
{
    if (!before.known || !after.known || after.value >= before.value)
        return "";
    return before.value > DRAW && after.value < DRAW ? "??" : "?";
}

static void value_moves(struct review *review, struct review_move *move)
{
    const struct pdn_player *player = &review->player;
    for (int i = 0; i < player->legal.count; i++) {
        struct position after = position_after(player->variant, &player->before, &player->legal.moves[i]);
        struct answer answer = turned(value_of(review, &after));
        move->values[i] = (uint8_t)(answer.known ? answer.value : VALUES);
    }
}

static void write_legal(const struct pdn_player *player, int index, char text[MOVE_TEXT_SIZE])
{
    move_write(player->variant, &player->legal, &player->paths, index, player->by_black, text);
}

/* "; win: 16-11, 16-10; draw: 5-9" for the moves that were better, best first. */
static void print_better(const struct review *review, const struct review_move *move)
{
    char text[MOVE_TEXT_SIZE];
    for (int value = WIN; value > (int)move->after.value; value--) {
        const char *separator = NULL;
        for (int i = 0; i < review->player.legal.count; i++) {
            if (move->values[i] != value)
                continue;
            write_legal(&review->player, i, text);
            if (separator)
                printf("%s%s", separator, text);
            else
                printf("; %s: %s", value_text((enum value)value), text);
            separator = ", ";
        }
    }
}

static void print_move(const struct review *review, const struct review_move *move)
{
    const struct pdn_player *player = &review->player;
    printf("  %-6s %-5s  %-9s %s -> %s", move->label, side_name(player->by_black), player->move,
           value_name(move->before), value_name(move->after));
    if (*move->mark) {
        printf("  %s", move->mark);
        print_better(review, move);
    }
    putchar('\n');
}

static json_t *fen_of(const struct pdn_player *player, const struct position *own_view, bool black)
{
    char fen[FEN_SIZE];
    struct position white_view = white_view_of(player->variant, own_view, black);
    fen_write(player->variant, &white_view, black, fen);
    return json_string(fen);
}

static json_t *better_moves(const struct review *review, const struct review_move *move)
{
    char text[MOVE_TEXT_SIZE];
    json_t *better = json_array();
    for (int value = WIN; *move->mark && value > (int)move->after.value; value--)
        for (int i = 0; i < review->player.legal.count; i++) {
            if (move->values[i] != value)
                continue;
            write_legal(&review->player, i, text);
            json_array_append_new(
                better, json_pack("{s:s, s:s}", "move", text, "value", value_text((enum value)value)));
        }
    return better;
}

static void append_move(struct review *review, const struct review_move *move)
{
    const struct pdn_player *player = &review->player;
    json_array_append_new(review->game.moves,
                          json_pack("{s:I, s:s, s:s, s:o, s:s, s:s, s:s, s:o}", "number",
                                    (json_int_t)player->number, "side", player->by_black ? "black" : "white",
                                    "move", player->move, "fen",
                                    fen_of(player, &player->before, player->by_black), "before",
                                    value_name(move->before), "after", value_name(move->after), "mark",
                                    move->mark, "better", better_moves(review, move)));
}

static void review_move(struct review *review)
{
    struct game *game = &review->game;
    struct review_move move = {.before = game->now};
    look(review, game->now.known, false);
    if (!move.before.known && !game->now.known)
        return;
    pdn_label_write(&review->player, move.label);
    move.after = turned(game->now);
    move.mark = mark_of(move.before, move.after);
    if (*move.mark)
        value_moves(review, &move);
    if (review->options->json)
        append_move(review, &move);
    else
        print_move(review, &move);
}

/* -- Other events -------------------------------------------------------------------------------------- */

/* A position that no move has led to: the first one, or one that was set up. */
static void review_position(struct review *review)
{
    const struct pdn_player *player = &review->player;
    look(review, false, true);
    if (!review->game.now.known)
        return;
    if (!review->options->json) {
        printf("  %-6s %-5s  %-9s %s\n", player->plies ? "set up" : "start", side_name(player->black_to_move),
               "to move", value_name(review->game.now));
        return;
    }
    json_array_append_new(review->game.positions,
                          json_pack("{s:I, s:s, s:o, s:s}", "plies", (json_int_t)player->plies, "side",
                                    player->black_to_move ? "black" : "white", "fen",
                                    fen_of(player, &player->own_view, player->black_to_move), "value",
                                    value_name(review->game.now)));
}

static bool is_given(const char *header)
{
    return *header && strcmp(header, "?") != 0 && strcmp(header, "*") != 0;
}

static void print_head(const struct review *review)
{
    const struct pdn_player *player = &review->player;
    const struct pdn_headers *headers = &player->headers;
    const struct {
        const char *text;
        const char *behind;
    } parts[] = {{headers->white, " (White)"},
                 {headers->black, " (Black)"},
                 {headers->event, ""},
                 {headers->result, ""},
                 {player->variant ? player->variant->rules.name : "", ""}};
    char buffer[SHOWN_SIZE];
    const char *separator = ": ";
    printf("game %llu", player->game);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!is_given(parts[i].text))
            continue;
        printf("%s%s%s", separator, shown(parts[i].text, buffer), parts[i].behind);
        separator = ", ";
    }
    putchar('\n');
}

static void begin_game(struct review *review)
{
    struct game *game = &review->game;
    const struct pdn_player *player = &review->player;
    memset(game, 0, sizeof *game);
    game->fewest = MAX_SQUARES;
    if (review->options->json) {
        game->moves = json_array();
        game->positions = json_array();
        game->notes = json_array();
        game->fault = json_null();
    } else {
        print_head(review);
    }
    if (!player->has_position)
        return;
    game->largest = dama_largest(review->tables.handle, library_variant_public(player->variant));
    review->largest = game->largest > review->largest ? game->largest : review->largest;
    if (*player->note)
        remark(review, "%s", player->note);
    review_position(review);
}

static void tell_fault(struct review *review)
{
    const struct pdn_player *player = &review->player;
    char buffer[SHOWN_SIZE];
    const char *message = shown(player->message, buffer);
    if (review->faulty++ == 0)
        snprintf(review->first_fault, sizeof review->first_fault, "game %llu, line %llu, column %llu: %s",
                 player->game, player->fault_place.line, player->fault_place.column, message);
    if (!review->options->json) {
        printf("game %llu: error: line %llu, column %llu: %s\n", player->game, player->fault_place.line,
               player->fault_place.column, message);
        return;
    }
    json_decref(review->game.fault);
    review->game.fault = json_pack("{s:I, s:I, s:s, s:s}", "line", (json_int_t)player->fault_place.line,
                                   "column", (json_int_t)player->fault_place.column, "move",
                                   *player->move ? "" : player->text, "message", message);
}

/* -- Ends of games ------------------------------------------------------------------------------------- */

/* What a value means, White's view. */
static const char *outcome_text(enum value value)
{
    switch (value) {
    case WIN: return "win for White";
    case CURSED_WIN: return "cursed win for White";
    case BLESSED_LOSS: return "cursed win for Black";
    case LOSS: return "win for Black";
    default: return "draw";
    }
}

static void print_change(const struct change *change, bool first)
{
    const char *when = change->by_move || first ? "after" : "no later than";
    if (change->placed)
        printf(first && !*change->move ? "at the start" : "set up");
    else
        printf("%s %s %s", when, change->label, change->move);
    printf(" %s", outcome_text(change->value));
}

static void print_summary(const struct review *review)
{
    const struct game *game = &review->game;
    const struct pdn_player *player = &review->player;
    printf("game %llu: ", player->game);
    if (!game->inside) {
        printf("never inside the tables: it has %d pieces at the least, ", game->fewest);
        printf(game->largest ? "the tables of %s up to %d\n" : "there are no tables of %s\n",
               player->variant->rules.name, game->largest);
        return;
    }
    for (size_t i = 0; i < game->changes && i < CHANGES_KEPT; i++) {
        fputs(i ? ", " : "", stdout);
        print_change(&game->kept[i], i == 0);
    }
    if (game->changes > CHANGES_KEPT)
        printf(", %zu more changes to a %s", game->changes - CHANGES_KEPT, outcome_text(game->last));
    puts(game->changes == 1 && game->now.known && !*player->message ? ", to the end" : "");
}

static json_t *header_object(const char *header)
{
    char buffer[SHOWN_SIZE];
    return is_given(header) ? json_string(shown(header, buffer)) : json_null();
}

static json_t *changes_object(const struct game *game)
{
    json_t *changes = json_array();
    for (size_t i = 0; i < game->changes && i < CHANGES_KEPT; i++) {
        const struct change *change = &game->kept[i];
        json_t *after = change->placed ? json_null() : json_sprintf("%s %s", change->label, change->move);
        json_array_append_new(changes, json_pack("{s:o, s:s, s:b}", "after", after, "outcome",
                                                 outcome_text(change->value), "by_move", change->by_move));
    }
    return changes;
}

static enum exit_code print_game_object(const struct review *review)
{
    const struct pdn_player *player = &review->player;
    const struct game *game = &review->game;
    json_t *variant = player->variant ? json_string(player->variant->rules.name) : json_null();
    return print_json(json_pack(
        "{s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:I, s:b, s:o, s:o, s:o, s:o, s:o}", "game",
        (json_int_t)player->game, "line", (json_int_t)player->place.line, "variant", variant, "event",
        header_object(player->headers.event), "white", header_object(player->headers.white), "black",
        header_object(player->headers.black), "result", header_object(player->result), "plies",
        (json_int_t)player->plies, "inside", game->inside, "positions", game->positions, "moves", game->moves,
        "changes", changes_object(game), "notes", game->notes, "error", game->fault));
}

static enum exit_code end_game(struct review *review)
{
    const struct pdn_player *player = &review->player;
    if (*player->note)
        remark(review, "%s", player->note);
    if (review->options->json)
        return print_game_object(review);
    if (player->has_position)
        print_summary(review);
    return EXIT_DONE;
}

/* -- The file ------------------------------------------------------------------------------------------ */

static enum exit_code review_games(struct review *review)
{
    enum exit_code code = EXIT_DONE;
    while (code == EXIT_DONE && !ferror(stdout)) {
        switch (pdn_player_next(&review->player)) {
        case PDN_GAME_BEGINS: begin_game(review); break;
        case PDN_GAME_MOVES: review_move(review); break;
        case PDN_GAME_SET_UP: review_position(review); break;
        case PDN_GAME_IS_FAULTY: tell_fault(review); break;
        case PDN_GAME_ENDS: code = end_game(review); break;
        case PDN_NO_MORE_GAMES: return EXIT_DONE;
        }
    }
    return code == EXIT_DONE ? complain_output() : code;
}

/* The code of the whole file and, if it is not 0, its one line. */
static enum exit_code finish(const struct review *review)
{
    const struct pdn_player *player = &review->player;
    if (player->game == 0)
        return complain(EXIT_BAD_DATA, "%s: line %llu: there is no game in it", review->path,
                        player->item.place.line);
    if (review->faulty)
        return complain(EXIT_BAD_DATA, "%s: games %llu, faulty %llu; first: %s", review->path, player->game,
                        review->faulty, review->first_fault);
    if (review->trouble != EXIT_DONE)
        return complain(review->trouble, "%s: %s", review->path, review->first_trouble);
    if (review->answered)
        return EXIT_DONE;
    if (review->largest == 0)
        return complain_no_tables(&review->tables, player->game == 1 ? "this game" : "these games");
    return complain(EXIT_NO_ANSWER, "%s: no position is inside the tables, which have up to %d pieces",
                    review->path, review->largest);
}

static size_t read_file(void *context, char *buffer, size_t room)
{
    return fread(buffer, 1, room, context);
}

static enum exit_code review_file(struct review *review, FILE *file, const struct variant *chosen)
{
    pdn_player_init(&review->player, (struct pdn_source){read_file, file}, chosen);
    enum exit_code code = review_games(review);
    if (code != EXIT_DONE)
        return code;
    return ferror(file) ? complain(EXIT_FILES, "%s cannot be read: %s", review->path, strerror(errno))
                        : finish(review);
}

static enum exit_code open_and_review(struct review *review, const char *path, const struct variant *chosen)
{
    bool standard_input = strcmp(path, "-") == 0;
    review->path = standard_input ? "standard input" : path;
    FILE *file = standard_input ? stdin : fopen(path, "rb");
    if (!file)
        return complain(EXIT_FILES, "%s cannot be read: %s", path, strerror(errno));
    enum exit_code code = table_set_open(review->options, &review->tables);
    if (code == EXIT_DONE)
        code = review_file(review, file, chosen);
    table_set_close(&review->tables);
    if (!standard_input)
        fclose(file);
    return code;
}

static enum exit_code run(const struct options *options, int count, char **arguments)
{
    (void)count;
    const struct variant *chosen = NULL;
    if (options->variant) {
        enum exit_code code = argument_variant(options->variant, &chosen);
        if (code != EXIT_DONE)
            return code;
    }
    struct review *review = calloc(1, sizeof *review);
    if (!review)
        return complain(EXIT_FILES, "out of memory; run it again with more");
    review->options = options;
    enum exit_code code = open_and_review(review, arguments[0], chosen);
    free(review);
    return code;
}

const struct command command_pdn = {
    .name = "pdn",
    .arguments = "FILE",
    .summary = "plays games through; FILE - reads standard input",
    .help =
        "Reads games in PDN, plays them through under the rules, and shows which moves changed the value\n"
        "of the game. For each move from or to a position that the tables know it prints a line: its number\n"
        "(12. for the side that begins, 12... for the other), its colour, the move, and the values before\n"
        "and after it for the side that made it. A move that made the value worse has the mark ?, or ?? if\n"
        "it made a loss of a win, and behind it the moves that were better, best first. Last comes a line\n"
        "that says how the value went, or that the game never came inside the tables. Values are those of\n"
        "`" PROGRAM " probe`: repetition and move counts are not known to them.\n"
        "\n"
        "The variant of a game is that of its tag GameType: the first one in `" PROGRAM " list` with its\n"
        "number. What else the tag says is compared, and a difference is noted. A game without the tag is\n"
        "read as GameType 20, international draughts, because the PDN standard says so. --variant NAME is\n"
        "stronger than tags: it is for files that lack them, and for sub-variants, which have the\n"
        "GameType of their parents. The position is that of the tag FEN, else the initial one.\n"
        "\n"
        "It reads comments in braces and after ; or %, annotations ($7, !, ?!, (?), and * right behind a\n"
        "move), positions set up between moves (/FEN \"...\"/), results of both kinds, short and full\n"
        "captures with x, : or -, and passes over variations. At the first fault of a game, a move that is\n"
        "not legal or may be several, or a text that is no PDN, it says where, and goes on with the next\n"
        "game. It ends with 3 if a game was faulty, else with 3 or 4 if a table was damaged or could not\n"
        "be read, else with 1 if the tables knew no position of any game, else with 0.\n",
    .options = TAKES_PATH | TAKES_CACHE | TAKES_JSON | TAKES_VARIANT,
    .least_arguments = 1,
    .most_arguments = 1,
    .run = run,
};
