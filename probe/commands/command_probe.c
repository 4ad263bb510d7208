/* damaprobe probe: the value of a position and of its moves; one position, or a line each in a batch. */
#include "commands.h"

#include "fen.h"
#include "verdict.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is asked, from which tables, how it is written. */
struct question {
    const struct options *options;
    const struct variant *variant;
    const dama_variant *public_variant;
    struct table_set tables;
    bool coloured;
};

struct answer {
    char fen[FEN_SIZE];
    dama_board board;
    struct verdict verdict;
    int plies;                 /* without a zeroing move so far, or negative */
    char message[REASON_SIZE]; /* where the value is unknown: why, and what to do */
    size_t count;
    dama_root_move moves[DAMA_MAX_MOVES];
    const dama_root_move *best;
    char best_text[DAMA_MAX_MOVE_TEXT]; /* or "-" */
    const char *values_from; /* the variant whose table the value comes from, if it is another; or null */
};

/* Groups of moves, best first; the last is for values that are not known. */
enum { GROUPS = 6, UNKNOWN = GROUPS - 1 };

static const char *const group_titles[GROUPS] = {"winning", "cursed", "drawing",
                                                 "blessed", "losing", "unknown"};
/* Green, yellow and red, as terminals have them. */
static const char *const group_colours[GROUPS] = {"\033[32m", "\033[32m", "\033[33m",
                                                  "\033[31m", "\033[31m", ""};

static int group_of(dama_status status, dama_value value)
{
    return status == DAMA_OK ? DAMA_WIN - (int)value : UNKNOWN;
}

static const char *value_name(dama_status status, dama_value value)
{
    return status == DAMA_OK ? dama_value_text(value) : "unknown";
}

/* -- Asking ---------------------------------------------------------------------------------------------- */

/* Why the probe of a board failed. */
static void write_board_reason(const struct question *question, const dama_board *board, dama_status status,
                               char reason[REASON_SIZE])
{
    struct position position = library_white_view(question->variant, board);
    if (board->black_to_move)
        position = position_turned(question->variant->rules.board, &position);
    write_reason(&question->tables, question->variant, &position, (enum status)status, reason);
}

/* Name of the variant whose table the value comes from, if it is not the one that was asked for. */
static const char *lender_of(const struct question *question, const struct answer *answer)
{
    struct position position = library_white_view(question->variant, &answer->board);
    if (answer->board.black_to_move)
        position = position_turned(question->variant->rules.board, &position);
    if (answer->verdict.status != DAMA_OK || !question->variant->rules.lender || !slice_exists_for(&position))
        return NULL;
    char slice[SLICE_NAME_SIZE];
    const dama_variant *made_for;
    slice_write(slice_of(&position), slice);
    if (dama_made_for(question->tables.handle, question->public_variant, slice, &made_for) != DAMA_OK ||
        made_for == question->public_variant)
        return NULL;
    return dama_variant_name(made_for);
}

/* Value and distance of the answer's board. */
static void ask_verdict(const struct question *question, struct answer *answer)
{
    struct verdict *verdict = &answer->verdict;
    const dama_variant *variant = question->public_variant;
    *verdict = (struct verdict){.limit = dama_limit(variant)};
    verdict->dtz_status =
        dama_probe_dtz(question->tables.handle, variant, &answer->board, 0, &verdict->value, &verdict->dtz);
    verdict->status = verdict->dtz_status;
    if (verdict->status != DAMA_OK)
        verdict->status =
            dama_probe_wdl(question->tables.handle, variant, &answer->board, 0, &verdict->value);
    if (verdict->status != DAMA_OK)
        write_board_reason(question, &answer->board, verdict->status, answer->message);
}

/* Reads a FEN and probes it. A text that is no position is DAMA_BAD_NOTATION or DAMA_BAD_POSITION with its
 * message; an unknown value is not a failure here. */
static dama_status ask(const struct question *question, const char *fen, struct answer *answer)
{
    const dama_variant *variant = question->public_variant;
    struct position white_view;
    bool black_to_move;
    enum status status =
        read_position(question->variant, fen, &white_view, &black_to_move, &answer->plies, answer->message);
    if (status != STATUS_OK)
        return (dama_status)status;
    answer->board = library_board(question->variant, &white_view, black_to_move);
    fen_write(question->variant, &white_view, black_to_move, answer->fen);
    if (question->options->count >= 0)
        answer->plies = question->options->count;
    ask_verdict(question, answer);
    answer->values_from = lender_of(question, answer);
    dama_status outcome =
        dama_probe_root(question->tables.handle, variant, &answer->board, 0, answer->moves, &answer->count);
    if (outcome != DAMA_OK)
        answer->count = 0;
    strcpy(answer->best_text, "-");
    answer->best = verdict_best(&answer->verdict, answer->moves, answer->count);
    if (outcome == DAMA_OK && answer->best)
        outcome = dama_move_write(variant, &answer->board, &answer->best->move, answer->best_text);
    if (outcome != DAMA_OK)
        snprintf(answer->message, REASON_SIZE, "%s", dama_status_text(outcome));
    return outcome;
}

/* -- Writing -----------------------------------------------------------------------------------------------
 */

static void print_value(const struct question *question, dama_status status, dama_value value)
{
    const char *colour = group_colours[group_of(status, value)];
    bool coloured = question->coloured && *colour;
    printf("%s%s%s", coloured ? colour : "", value_name(status, value), coloured ? "\033[0m" : "");
}

/* True if there is a distance to be shown: a draw has none. */
static bool has_distance(dama_status status, dama_value value)
{
    return status == DAMA_OK && value != DAMA_DRAW;
}

static void print_distance(const struct verdict *verdict)
{
    if (has_distance(verdict->dtz_status, verdict->value))
        printf("DTZ: %d\n", verdict->dtz);
    else if (verdict->dtz_status == DAMA_OK)
        puts("DTZ: -");
    else
        printf("DTZ: %s\n",
               exit_code_of((enum status)verdict->dtz_status) == EXIT_NO_ANSWER ? "no table" : "unknown");
}

/* True if the answer has a count that matters. */
static bool is_counted(const struct answer *answer)
{
    return answer->plies >= 0 && answer->verdict.limit > 0;
}

static void print_move(const struct question *question, const dama_root_move *move, const char *text)
{
    printf("  %s  ", text);
    print_value(question, move->status, move->value);
    if (has_distance(move->dtz_status, move->value))
        printf("  %d%s", move->dtz_plies, move->zeroing ? "  zeroing" : "");
    putchar('\n');
}

static void print_text(const struct question *question, const struct answer *answer)
{
    printf("value: ");
    print_value(question, answer->verdict.status, answer->verdict.value);
    putchar('\n');
    print_distance(&answer->verdict);
    if (is_counted(answer))
        printf("count %d: %s\n", answer->plies, verdict_at_count(&answer->verdict, answer->plies));
    if (answer->values_from)
        printf("tables: those of %s, which has the same moves\n", answer->values_from);
    int group = -1;
    for (size_t i = 0; i < answer->count; i++) {
        const dama_root_move *move = &answer->moves[i];
        char text[DAMA_MAX_MOVE_TEXT];
        if (dama_move_write(question->public_variant, &answer->board, &move->move, text) != DAMA_OK)
            continue;
        if (group != group_of(move->status, move->value))
            printf("%s:\n", group_titles[group_of(move->status, move->value)]);
        group = group_of(move->status, move->value);
        print_move(question, move, text);
    }
    printf("best move: %s\n", answer->best_text);
}

/* Which rules about the history of a game the values leave out. */
static json_t *rules_assumed(const struct variant *variant)
{
    if (variant->rules.limit == 0)
        return json_string("no draw limit; repetition is ignored");
    return json_sprintf("the draw limit of %d plies, from a zero count; repetition is ignored",
                        variant->rules.limit);
}

static json_t *moves_object(const struct question *question, const struct answer *answer)
{
    json_t *moves = json_array();
    for (size_t i = 0; i < answer->count; i++) {
        const dama_root_move *move = &answer->moves[i];
        char text[DAMA_MAX_MOVE_TEXT];
        if (dama_move_write(question->public_variant, &answer->board, &move->move, text) != DAMA_OK)
            continue;
        json_t *dtz =
            has_distance(move->dtz_status, move->value) ? json_integer(move->dtz_plies) : json_null();
        json_array_append_new(moves, json_pack("{s:s, s:s, s:o, s:b}", "move", text, "value",
                                               value_name(move->status, move->value), "dtz", dtz, "zeroing",
                                               move->zeroing));
    }
    return moves;
}

static enum exit_code print_answer_object(const struct question *question, const struct answer *answer)
{
    const struct verdict *verdict = &answer->verdict;
    json_t *best = answer->best ? json_string(answer->best_text) : json_null();
    json_t *dtz =
        has_distance(verdict->dtz_status, verdict->value) ? json_integer(verdict->dtz) : json_null();
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:o, s:o}", "fen", answer->fen, "variant", question->variant->rules.name,
        "value", value_name(verdict->status, verdict->value), "dtz", dtz, "best", best, "moves",
        moves_object(question, answer), "rules_assumed", rules_assumed(question->variant));
    if (object && is_counted(answer)) {
        json_object_set_new(object, "count", json_integer(answer->plies));
        json_object_set_new(object, "at_count", json_string(verdict_at_count(verdict, answer->plies)));
    }
    if (object && answer->values_from)
        json_object_set_new(object, "values_from", json_string(answer->values_from));
    if (object && verdict->status != DAMA_OK)
        json_object_set_new(object, "message", json_string(answer->message));
    return print_json(object);
}

/* -- One position ---------------------------------------------------------------------------------------- */

/* Says why something of a move is unknown. That is no failure if only a table is missing. */
static enum exit_code note_move(const struct question *question, const struct answer *answer,
                                const dama_root_move *move, dama_status status, const char *what)
{
    dama_board after;
    char message[REASON_SIZE] = "";
    if (dama_play(question->public_variant, &answer->board, &move->move, &after) == DAMA_OK)
        write_board_reason(question, &after, status, message);
    enum exit_code code = exit_code_of((enum status)status);
    return complain(code == EXIT_NO_ANSWER ? EXIT_DONE : code, "%s: %s", what, message);
}

/* Says which table is missing where only moves are unknown, or which one is damaged. */
static enum exit_code note_unknown_moves(const struct question *question, const struct answer *answer)
{
    const dama_root_move *last = answer->count ? &answer->moves[answer->count - 1] : NULL;
    if (!last)
        return EXIT_DONE;
    if (last->status != DAMA_OK)
        return note_move(question, answer, last, last->status, "moves of unknown value");
    for (size_t i = 0; i < answer->count; i++) {
        const dama_root_move *move = &answer->moves[i];
        enum exit_code code = exit_code_of((enum status)move->dtz_status);
        if (code != EXIT_DONE && code != EXIT_NO_ANSWER)
            return note_move(question, answer, move, move->dtz_status, "moves of unknown distance");
        if (code == EXIT_NO_ANSWER && !answer->best)
            return note_move(question, answer, move, move->dtz_status,
                             "without distances the best move is not certain");
    }
    return EXIT_DONE;
}

/* True if the distance could not be told though tables are there, or is needed for what was asked. */
static bool misses_distance(const struct question *question, const struct answer *answer)
{
    const struct verdict *verdict = &answer->verdict;
    if (verdict->dtz_status == DAMA_OK)
        return false;
    if (exit_code_of((enum status)verdict->dtz_status) != EXIT_NO_ANSWER)
        return true;
    return question->options->count >= 0 &&
           strcmp(verdict_at_count(verdict, question->options->count), "unknown") == 0;
}

static enum exit_code probe_one(const struct question *question, const char *fen, struct answer *answer)
{
    dama_status status = ask(question, fen, answer);
    if (status != DAMA_OK)
        return complain(exit_code_of((enum status)status), "position \"%.200s\": %s", fen, answer->message);
    if (!question->options->json)
        print_text(question, answer);
    else if (print_answer_object(question, answer) != EXIT_DONE)
        return EXIT_FILES;
    if (answer->verdict.status != DAMA_OK)
        return complain(exit_code_of((enum status)answer->verdict.status), "%s", answer->message);
    if (misses_distance(question, answer)) {
        write_board_reason(question, &answer->board, answer->verdict.dtz_status, answer->message);
        return complain(exit_code_of((enum status)answer->verdict.dtz_status), "%s", answer->message);
    }
    if (answer->plies >= 0 && answer->verdict.limit == 0)
        complain(EXIT_DONE, "%s has no limit of moves without progress; the count of the FEN says nothing",
                 question->variant->rules.name);
    return note_unknown_moves(question, answer);
}

/* -- Batch -------------------------------------------------------------------------------------------------
 */

struct batch {
    unsigned long long line; /* from 1 */
    unsigned long long answered;
    unsigned long long failed[EXIT_FILES + 1]; /* lines that would have ended with this code */
    char first[REASON_SIZE + 32];              /* the first failure */
};

static void note_failure(struct batch *batch, dama_status status, const char *message)
{
    enum exit_code code = exit_code_of((enum status)status);
    batch->failed[code <= EXIT_FILES ? code : EXIT_FILES]++;
    if (!batch->first[0])
        snprintf(batch->first, sizeof batch->first, "line %llu: %s", batch->line, message);
}

static enum exit_code print_bad_line(const struct question *question, const struct batch *batch,
                                     const char *text, const char *message)
{
    if (!question->options->json) {
        printf("error\t%s\n", message);
        return EXIT_DONE;
    }
    /* A text that is not UTF-8 cannot be repeated. */
    json_t *input = json_string(text);
    return print_json(json_pack("{s:s, s:o, s:s, s:I}", "error", message, "input",
                                input ? input : json_null(), "variant", question->variant->rules.name, "line",
                                (json_int_t)batch->line));
}

static void print_line(const struct question *question, const struct answer *answer)
{
    const struct verdict *verdict = &answer->verdict;
    printf("%s\t", value_name(verdict->status, verdict->value));
    if (has_distance(verdict->dtz_status, verdict->value))
        printf("%d\t", verdict->dtz);
    else
        printf("-\t");
    printf("%s", answer->best_text);
    if (question->options->count >= 0)
        printf("\t%s", verdict_at_count(verdict, answer->plies));
    putchar('\n');
}

/* Answers one line. Fails only where the batch cannot go on. */
static enum exit_code probe_line(const struct question *question, struct batch *batch, const char *text,
                                 struct answer *answer)
{
    dama_status status = ask(question, text, answer);
    if (status == DAMA_OK)
        status = answer->verdict.status;
    if (status == DAMA_OK && misses_distance(question, answer)) {
        status = answer->verdict.dtz_status;
        write_board_reason(question, &answer->board, status, answer->message);
    }
    if (status == DAMA_OK)
        batch->answered++;
    else
        note_failure(batch, status, answer->message);
    if (status != DAMA_OK && exit_code_of((enum status)status) != EXIT_NO_ANSWER)
        return print_bad_line(question, batch, text, answer->message);
    if (question->options->json)
        return print_answer_object(question, answer);
    print_line(question, answer);
    return EXIT_DONE;
}

/* The batch's code and, if it is not 0, its one line. */
static enum exit_code finish_batch(const struct batch *batch)
{
    unsigned long long unanswered = batch->failed[EXIT_NO_ANSWER];
    unsigned long long files = batch->failed[EXIT_FILES];
    unsigned long long bad = batch->failed[EXIT_BAD_DATA] + batch->failed[EXIT_USAGE];
    enum exit_code code = bad ? EXIT_BAD_DATA : files ? EXIT_FILES : unanswered ? EXIT_NO_ANSWER : EXIT_DONE;
    if (code == EXIT_DONE)
        return code;
    return complain(code, "%llu answered, %llu bad, %llu without an answer; first: %s", batch->answered,
                    bad + files, unanswered, batch->first);
}

/* Takes the end off a line. False if a zero byte inside it would hide the rest. */
static bool trim_line(char *line, size_t length)
{
    while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r'))
        line[--length] = '\0';
    return strlen(line) == length;
}

static bool is_passed_over(const char *line)
{
    line += strspn(line, " \t\r\n");
    return *line == '\0' || *line == '#';
}

static enum exit_code probe_batch(const struct question *question, struct answer *answer)
{
    struct batch batch = {0};
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    enum exit_code code = EXIT_DONE;
    while (code == EXIT_DONE && !ferror(stdout) && (length = getline(&line, &room, stdin)) >= 0) {
        batch.line++;
        if (!trim_line(line, (size_t)length)) {
            note_failure(&batch, DAMA_BAD_NOTATION, "a zero byte inside the line");
            code = print_bad_line(question, &batch, line, "a zero byte inside the line");
        } else if (!is_passed_over(line)) {
            code = probe_line(question, &batch, line, answer);
        }
    }
    free(line);
    if (ferror(stdout))
        return complain_output();
    if (ferror(stdin))
        return complain(EXIT_FILES, "standard input cannot be read: %s", strerror(errno));
    return code == EXIT_DONE ? finish_batch(&batch) : code;
}

/* -- The command
 * --------------------------------------------------------------------------------------------- */

static bool wants_colour(const struct options *options)
{
    const char *no_colour = getenv("NO_COLOR");
    return !options->json && !(no_colour && *no_colour) && isatty(STDOUT_FILENO);
}

static enum exit_code run(const struct options *options, int count, char **arguments)
{
    (void)count;
    struct question question = {.options = options, .coloured = wants_colour(options)};
    enum exit_code code = argument_variant(arguments[0], &question.variant);
    if (code == EXIT_DONE)
        code = argument_count(options, question.variant);
    if (code != EXIT_DONE)
        return code;
    question.public_variant = library_variant_public(question.variant);
    struct answer *answer = malloc(sizeof *answer);
    if (!answer)
        return complain(EXIT_FILES, "out of memory; run it again with more");
    code = table_set_open(options, &question.tables);
    if (code == EXIT_DONE)
        code = strcmp(arguments[1], "-") == 0 ? probe_batch(&question, answer)
                                              : probe_one(&question, arguments[1], answer);
    table_set_close(&question.tables);
    free(answer);
    return code;
}

const struct command command_probe = {
    .name = "probe",
    .arguments = "VARIANT FEN",
    .summary = "value of a position and its moves; FEN - reads many from standard input",
    .help =
        "Prints the value of a position for the side to move, its distance (DTZ: plies to the next move\n"
        "that zeroes the no-progress count and keeps the result, or to the end), its moves with the values\n"
        "they lead to for the side that makes them and the plies they count, best first, and the best\n"
        "move. Values are win, cursed-win, draw, blessed-loss, loss, and unknown where a table is missing.\n"
        "They hold for a no-progress count of zero; repetition is not known to them. A draw has no\n"
        "distance. Without a table of distances, moves of the same value come in the order of their text,\n"
        "and the best need not make progress; under a draw limit it may not be certain, and is - then.\n"
        "A side without a move or a piece has lost; its best move is -.\n"
        "\n"
        "With a count of plies without a zeroing move, from --count or from :H in the FEN, it says under a\n"
        "draw limit what the result is from here: in time, too late: draw, draw, already a draw, unknown.\n"
        "\n"
        "With - as the FEN it reads a FEN a line from standard input, passing over blank lines and lines\n"
        "that begin with #, and prints for each the value, a tab, the distance or -, a tab, and the best\n"
        "move or -; with --count a tab and the result from there too. For a bad line it prints the word\n"
        "error, a tab and what is wrong. It then ends with 3 if any line was bad, else 4 if a table could\n"
        "not be read, else 1 if any had no answer, else 0.\n",
    .options = TAKES_PATH | TAKES_CACHE | TAKES_JSON | TAKES_COUNT,
    .least_arguments = 2,
    .most_arguments = 2,
    .run = run,
};
