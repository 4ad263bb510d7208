/* damaprobe line: best play by both sides to the end of the game. */
#include "commands.h"

#include "moves.h"
#include "value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { END_SIZE = 96 };

/* A game that is being played. */
struct line {
    const struct options *options;
    const struct variant *variant;
    const dama_variant *public_variant;
    struct table_set tables;
    dama_board board;
    int count;        /* plies since the last zeroing move */
    int ply;          /* moves made */
    dama_board *seen; /* positions since the last zeroing move, this one not yet */
    size_t seen_count;
    size_t seen_room;
    dama_value value; /* of this position, with its distance and moves */
    int distance;
    size_t moves_count;
    dama_root_move moves[DAMA_MAX_MOVES];
};

static struct position own_view_of(const struct variant *variant, const dama_board *board)
{
    struct position position = library_white_view(variant, board);
    return board->black_to_move ? position_turned(variant->rules.board, &position) : position;
}

static const char *side_name(bool black)
{
    return black ? "Black" : "White";
}

/* -- The end -----------------------------------------------------------------------------------------------
 */

static void write_special_end(const struct line *line, enum value value, char end[END_SIZE])
{
    bool black_wins = (value == WIN) == (line->board.black_to_move != 0);
    if (value == DRAW)
        snprintf(end, END_SIZE, "draw: one piece against one piece");
    else
        snprintf(end, END_SIZE, "%s wins: one king against one man", side_name(black_wins));
}

static bool same_board(const dama_board *a, const dama_board *b)
{
    return a->white_men == b->white_men && a->white_kings == b->white_kings && a->black_men == b->black_men &&
           a->black_kings == b->black_kings && a->black_to_move == b->black_to_move;
}

static bool is_repeated(const struct line *line)
{
    for (size_t i = 0; i < line->seen_count; i++)
        if (same_board(&line->seen[i], &line->board))
            return true;
    return false;
}

/* True if the game is over, and then how. What ends it by the rules comes before the limit. */
static bool is_over(const struct line *line, size_t legal_moves, char end[END_SIZE])
{
    enum value value;
    bool black = line->board.black_to_move != 0;
    struct position own_view = own_view_of(line->variant, &line->board);
    if (!position_opponent(&own_view))
        snprintf(end, END_SIZE, "%s wins: %s has no pieces", side_name(black), side_name(!black));
    else if (legal_moves == 0)
        snprintf(end, END_SIZE, "%s wins: %s has no %s", side_name(!black), side_name(black),
                 position_own(&own_view) ? "legal move" : "pieces");
    else if (!line->variant->moves->has_capture(&own_view) && slice_exists_for(&own_view) &&
             value_by_special_end(line->variant, slice_of(&own_view), &value))
        write_special_end(line, value, end);
    else if (line->variant->rules.limit && line->count >= line->variant->rules.limit)
        snprintf(end, END_SIZE, "draw: the limit of %d plies without a zeroing move",
                 line->variant->rules.limit);
    else if (is_repeated(line))
        snprintf(end, END_SIZE, "draw: the position repeats");
    else
        return false;
    return true;
}

/* -- One ply ---------------------------------------------------------------------------------------------
 */

static enum exit_code complain_board(const struct line *line, const dama_board *board, dama_status status)
{
    char reason[REASON_SIZE];
    struct position own_view = own_view_of(line->variant, board);
    write_reason(&line->tables, line->variant, &own_view, (enum status)status, reason);
    return complain(exit_code_of((enum status)status), "%s", reason);
}

/* 1, 0, -1: won, drawn, lost but for the limit. One ply nearer to the end or the limit a cursed win may have
 * become a plain win for a count of zero, so only this has to stay along a line. */
static int sign(dama_value value)
{
    return (value > DAMA_DRAW) - (value < DAMA_DRAW);
}

/* Fails if one of the moves that may be the best has no distance. */
static enum exit_code check_moves(const struct line *line)
{
    for (size_t i = 0; i < line->moves_count; i++) {
        const dama_root_move *move = &line->moves[i];
        dama_status status = move->status != DAMA_OK ? move->status : move->dtz_status;
        dama_board after;
        if (status == DAMA_OK || (move->status == DAMA_OK && sign(move->value) != sign(line->value)))
            continue;
        if (dama_play(line->public_variant, &line->board, &move->move, &after) != DAMA_OK)
            return complain(EXIT_BAD_DATA, "%s", dama_status_text(status));
        return complain_board(line, &after, status);
    }
    if (sign(line->moves[0].value) == sign(line->value) && line->moves[0].dtz_plies == line->distance)
        return EXIT_DONE;
    return complain(EXIT_BAD_DATA,
                    "ply %d: the tables contradict one another; damaprobe check tells which "
                    "are damaged",
                    line->ply + 1);
}

/* Asks the tables for the position and its moves. */
static enum exit_code ask(struct line *line)
{
    dama_status status = dama_probe_dtz(line->tables.handle, line->public_variant, &line->board, 0,
                                        &line->value, &line->distance);
    if (status != DAMA_OK)
        return complain_board(line, &line->board, status);
    status = dama_probe_root(line->tables.handle, line->public_variant, &line->board, 0, line->moves,
                             &line->moves_count);
    if (status != DAMA_OK)
        return complain_board(line, &line->board, status);
    return check_moves(line);
}

static enum exit_code print_ply(const struct line *line, const char *move)
{
    const char *value = dama_value_text(line->value);
    if (line->options->json) {
        char fen[DAMA_MAX_FEN];
        dama_fen_write(line->public_variant, &line->board, fen);
        return print_json(json_pack("{s:i, s:s, s:s, s:s, s:o, s:b, s:i}", "ply", line->ply, "fen", fen,
                                    "move", move, "value", value, "dtz",
                                    line->value == DAMA_DRAW ? json_null() : json_integer(line->distance),
                                    "zeroing", line->moves[0].zeroing, "count", line->count));
    }
    printf("%d\t%s\t%s\t", line->ply, move, value);
    if (line->value == DAMA_DRAW)
        puts("-");
    else
        printf("%d\n", line->distance);
    return EXIT_DONE;
}

static enum exit_code print_end(const struct line *line, const char *end)
{
    if (!line->options->json) {
        printf("end\t%s\n", end);
        return EXIT_DONE;
    }
    char fen[DAMA_MAX_FEN];
    dama_fen_write(line->public_variant, &line->board, fen);
    return print_json(json_pack("{s:i, s:s, s:s}", "plies", line->ply, "fen", fen, "end", end));
}

static enum exit_code remember(struct line *line)
{
    if (line->seen_count == line->seen_room) {
        size_t room = line->seen_room ? 2 * line->seen_room : 64;
        dama_board *larger = realloc(line->seen, room * sizeof *larger);
        if (!larger)
            return complain(EXIT_FILES, "out of memory; run it again with more");
        line->seen = larger;
        line->seen_room = room;
    }
    line->seen[line->seen_count++] = line->board;
    return EXIT_DONE;
}

/* Makes the best move. */
static enum exit_code play(struct line *line)
{
    char text[DAMA_MAX_MOVE_TEXT];
    const dama_root_move *best = &line->moves[0];
    dama_board after;
    dama_status status = dama_move_write(line->public_variant, &line->board, &best->move, text);
    if (status == DAMA_OK)
        status = dama_play(line->public_variant, &line->board, &best->move, &after);
    if (status != DAMA_OK)
        return complain(exit_code_of((enum status)status), "%s", dama_status_text(status));
    line->ply++;
    enum exit_code code = print_ply(line, text);
    if (code == EXIT_DONE)
        code = remember(line);
    /* What was before a zeroing move cannot come back. */
    if (best->zeroing)
        line->seen_count = 0;
    line->count = best->zeroing ? 0 : line->count + 1;
    line->board = after;
    return code;
}

static enum exit_code play_to_the_end(struct line *line)
{
    dama_move legal[DAMA_MAX_MOVES];
    size_t legal_count;
    char end[END_SIZE];
    for (;;) {
        dama_status status = dama_moves(line->public_variant, &line->board, legal, &legal_count);
        if (status != DAMA_OK)
            return complain(exit_code_of((enum status)status), "%s", dama_status_text(status));
        if (is_over(line, legal_count, end))
            return print_end(line, end);
        enum exit_code code = ask(line);
        if (code == EXIT_DONE)
            code = play(line);
        if (code != EXIT_DONE || ferror(stdout))
            return code;
    }
}

/* -- The command -----------------------------------------------------------------------------------------
 */

/* Reads the position, and the count from the option or else from the FEN. */
static enum exit_code read_line(struct line *line, const char *text)
{
    char message[DAMA_MAX_MESSAGE];
    dama_status status =
        strcmp(text, "start") == 0
            ? dama_start(line->public_variant, &line->board)
            : dama_fen_read_count(line->public_variant, text, &line->board, &line->count, message);
    if (status != DAMA_OK)
        return complain(exit_code_of((enum status)status), "position \"%.200s\": %s", text, message);
    if (line->options->count >= 0)
        line->count = line->options->count;
    if (line->count < 0)
        line->count = 0;
    return EXIT_DONE;
}

static enum exit_code run(const struct options *options, int count, char **arguments)
{
    (void)count;
    struct line *line = calloc(1, sizeof *line);
    if (!line)
        return complain(EXIT_FILES, "out of memory; run it again with more");
    line->options = options;
    enum exit_code code = argument_variant(arguments[0], &line->variant);
    if (code == EXIT_DONE)
        code = argument_count(options, line->variant);
    if (code == EXIT_DONE) {
        line->public_variant = library_variant_public(line->variant);
        code = read_line(line, arguments[1]);
    }
    if (code == EXIT_DONE)
        code = table_set_open(options, &line->tables);
    if (code == EXIT_DONE)
        code = play_to_the_end(line);
    table_set_close(&line->tables);
    free(line->seen);
    free(line);
    return code;
}

const struct command command_line = {
    .name = "line",
    .arguments = "VARIANT FEN",
    .summary = "best play by both sides to the end of the game",
    .help =
        "Plays the best move of each side, the first that `probe` lists, until the game is over. Prints a\n"
        "line a ply, with tabs: number, move, value and DTZ of the position before the move for the side\n"
        "that makes it (- for a draw), and last the word end, a tab and how the game ends. The winner takes\n"
        "the shortest way to the next zeroing move that keeps the win, the loser the longest. Under a\n"
        "limit, cursed wins are played until the limit makes them draws. Drawn positions are played until\n"
        "one repeats. Needs DTZ tables of all slices on the way.\n",
    .options = TAKES_PATH | TAKES_CACHE | TAKES_JSON | TAKES_COUNT,
    .least_arguments = 2,
    .most_arguments = 2,
    .run = run,
};
