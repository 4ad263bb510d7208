/* damaprobe board: a position drawn with letters, without tables. */
#include "commands.h"

#include "fen.h"
#include "notation.h"

#include <stdio.h>
#include <string.h>

/* Characters that a square takes. */
enum { CELL = 4, ALGEBRAIC_CELL = 2, ROW_TEXT_SIZE = CELL * (MAX_ROWS + 2) };

/* White men and kings, then Black's. */
static const char letters[] = "wWbB";

/* A position as White sees it. */
struct drawing {
    const struct variant *variant;
    struct position white_view;
    bool black_to_move;
};

static bool is_algebraic(const struct variant *variant)
{
    return variant->rules.names == ALGEBRAIC;
}

/* Where the text of a square of that column ends. */
static size_t column_end(const struct variant *variant, int column)
{
    return (size_t)(column + 2) * (is_algebraic(variant) ? ALGEBRAIC_CELL : CELL);
}

/* What stands on a square: a piece's letter, else where squares have numbers its number, else a dot. */
static void square_text(const struct drawing *drawing, int square, char text[SQUARE_NAME_SIZE])
{
    const struct position *position = &drawing->white_view;
    const uint64_t sets[] = {position->own_men, position->own_kings, position->opponent_men,
                             position->opponent_kings};
    if (is_algebraic(drawing->variant))
        snprintf(text, SQUARE_NAME_SIZE, ".");
    else
        square_write(drawing->variant, square, text);
    for (int kind = 0; kind < 4; kind++)
        if (sets[kind] & bit_of(square))
            snprintf(text, SQUARE_NAME_SIZE, "%c", letters[kind]);
}

/* Takes off the blanks at the end. */
static void trim(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ')
        text[--length] = '\0';
}

/* One row of the board, 0 being White's back row; with the name of the row where squares have no numbers. */
static void row_text(const struct drawing *drawing, int row, char text[ROW_TEXT_SIZE])
{
    const struct board *board = drawing->variant->rules.board;
    memset(text, ' ', ROW_TEXT_SIZE - 1);
    text[ROW_TEXT_SIZE - 1] = '\0';
    for (int place = 0; place < board->width; place++) {
        char square[SQUARE_NAME_SIZE];
        int number = row * board->width + place;
        square_text(drawing, number, square);
        char *end = text + column_end(drawing->variant, variant_column(drawing->variant, number));
        memcpy(end - strlen(square), square, strlen(square));
    }
    if (is_algebraic(drawing->variant))
        text[0] = (char)('1' + row);
    trim(text);
}

static void columns_text(const struct drawing *drawing, char text[ROW_TEXT_SIZE])
{
    memset(text, ' ', ROW_TEXT_SIZE - 1);
    text[ROW_TEXT_SIZE - 1] = '\0';
    for (int column = 0; column < drawing->variant->rules.board->columns; column++)
        text[column_end(drawing->variant, column) - 1] = (char)('a' + column);
    trim(text);
}

static enum exit_code print_text(const struct drawing *drawing)
{
    char text[ROW_TEXT_SIZE];
    for (int row = drawing->variant->rules.board->rows; row-- > 0;) {
        row_text(drawing, row, text);
        puts(text);
    }
    if (is_algebraic(drawing->variant)) {
        columns_text(drawing, text);
        puts(text);
    }
    printf("%s to move\n", drawing->black_to_move ? "Black" : "White");
    return EXIT_DONE;
}

static enum exit_code print_object(const struct drawing *drawing)
{
    char fen[FEN_SIZE];
    json_t *rows = json_array();
    for (int row = drawing->variant->rules.board->rows; row-- > 0;) {
        char text[ROW_TEXT_SIZE];
        row_text(drawing, row, text);
        json_array_append_new(rows, json_string(text));
    }
    fen_write(drawing->variant, &drawing->white_view, drawing->black_to_move, fen);
    return print_json(
        json_pack("{s:s, s:s, s:o}", "variant", drawing->variant->rules.name, "fen", fen, "rows", rows));
}

static enum exit_code run(const struct options *options, int count, char **arguments)
{
    (void)count;
    struct drawing drawing;
    struct position own_view;
    enum exit_code code = argument_variant(arguments[0], &drawing.variant);
    if (code == EXIT_DONE)
        code = argument_position(drawing.variant, arguments[1], &own_view, &drawing.black_to_move);
    if (code != EXIT_DONE)
        return code;
    drawing.white_view = white_view_of(drawing.variant, &own_view, drawing.black_to_move);
    return options->json ? print_object(&drawing) : print_text(&drawing);
}

const struct command command_board = {
    .name = "board",
    .arguments = "VARIANT FEN",
    .summary = "the position, drawn",
    .help = "Draws the position as White sees it: w and b are men, W and B kings. Empty squares show their\n"
            "numbers, or a dot where squares are called a1 to h8. Needs no tables.\n",
    .options = TAKES_JSON,
    .least_arguments = 2,
    .most_arguments = 2,
    .run = run,
};
