/* damaprobe moves: all legal moves of a position, without tables. */
#include "commands.h"

#include "notation.h"

#include <stdio.h>
#include <stdlib.h>

/* A position with its legal moves, and what is written of one of them. */
struct listing {
    const struct variant *variant;
    struct position own_view;
    bool black_to_move;
    struct move_list legal;
    struct move_paths paths;
};

struct move_texts {
    char move[MOVE_TEXT_SIZE];
    uint64_t victims; /* White's view */
    char after[FEN_SIZE];
};

static void write_texts(const struct listing *listing, int index, struct move_texts *texts)
{
    const struct variant *variant = listing->variant;
    const struct move *move = &listing->legal.moves[index];
    bool black = listing->black_to_move;
    move_write(variant, &listing->legal, &listing->paths, index, black, texts->move);
    texts->victims = black ? board_turned(variant->rules.board, move->taken) : move->taken;
    struct position after = position_after(variant, &listing->own_view, move);
    struct position white_view = white_view_of(variant, &after, !black);
    fen_write(variant, &white_view, !black, texts->after);
}

static void print_text(const struct variant *variant, const struct move_texts *texts)
{
    char victims[SQUARES_TEXT_SIZE];
    squares_write(variant, texts->victims, victims);
    printf("%s\t%s\t%s\n", texts->move, victims, texts->after);
}

static enum exit_code print_object(const struct variant *variant, const struct move_texts *texts)
{
    uint8_t order[MAX_SQUARES];
    squares_in_order(variant, order);
    json_t *victims = json_array();
    for (int i = 0; i < variant->rules.board->squares; i++) {
        char name[SQUARE_NAME_SIZE];
        if (!(texts->victims & bit_of(order[i])))
            continue;
        square_write(variant, order[i], name);
        json_array_append_new(victims, json_string(name));
    }
    return print_json(
        json_pack("{s:s, s:o, s:s}", "move", texts->move, "victims", victims, "fen", texts->after));
}

static enum exit_code print_moves(const struct options *options, struct listing *listing)
{
    enum status status = moves_sorted(listing->variant, &listing->own_view, listing->black_to_move,
                                      &listing->legal, &listing->paths);
    if (status != STATUS_OK)
        return complain(exit_code_of(status), "this position: %s; nothing is listed", status_text(status));
    for (int i = 0; i < listing->legal.count; i++) {
        struct move_texts texts;
        write_texts(listing, i, &texts);
        if (!options->json)
            print_text(listing->variant, &texts);
        else if (print_object(listing->variant, &texts) != EXIT_DONE)
            return EXIT_FILES;
    }
    return EXIT_DONE;
}

static enum exit_code run(const struct options *options, int count, char **arguments)
{
    (void)count;
    struct listing *listing = malloc(sizeof *listing);
    if (!listing)
        return complain(EXIT_FILES, "out of memory; run it again with more");
    enum exit_code code = argument_variant(arguments[0], &listing->variant);
    if (code == EXIT_DONE)
        code = argument_position(listing->variant, arguments[1], &listing->own_view, &listing->black_to_move);
    if (code == EXIT_DONE)
        code = print_moves(options, listing);
    free(listing);
    return code;
}

const struct command command_moves = {
    .name = "moves",
    .arguments = "VARIANT FEN",
    .summary = "legal moves",
    .help = "Prints a line a legal move, sorted by its text: the move, a tab, the squares of the pieces\n"
            "taken (13,22) or -, a tab, the position after the move as a FEN. Needs no tables.\n",
    .options = TAKES_JSON,
    .least_arguments = 2,
    .most_arguments = 2,
    .run = run,
};
