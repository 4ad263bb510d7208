/* Builds the texts of rules: a writer that breaks lines, the topics of one variant, and the document. A topic
 * is a label with sentences; backticks in a sentence are written in Markdown only. */
#include "rules_text.h"

#include "notation.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PLAIN_WIDTH = 79, MARKDOWN_WIDTH = 110, SAY_SIZE = 640, PHRASE_SIZE = 128 };

#define COMPULSORY "A side that can take must take."
#define TO_ITS_END "A capture goes on for as long as the piece can take more from where it stands."
#define BLOCKED "Own pieces are never jumped, nor two pieces of which one stands right behind the other."
#define START_IS_EMPTY                                                                                       \
    "While a piece takes, the square it came from is empty: it may be crossed and landed on, and the move "  \
    "may end there."
#define CROSSED_TWICE "An empty square may be crossed more than once; no piece is jumped twice."
#define NO_MOVE_LOSES                                                                                        \
    "A side to move that has no piece or no legal move has lost; there is no draw by stalemate."
#define SAME_MOVE                                                                                            \
    "Captures with the same start, the same end and the same pieces taken are one move, whatever their "     \
    "path."
#define HISTORY                                                                                              \
    "Repeated positions and counts of moves are history, which no table knows: a value is that of a game "   \
    "that begins with the position."

/* -- Words --------------------------------------------------------------------------------------------- */

const enum choice choice_rungs[CHOICE_RUNGS] = {MOST_PIECES, BY_KING, MOST_KINGS, KINGS_EARLIEST,
                                                FIRST_KING_EARLIEST};

const char *landing_word(enum landing landing)
{
    return landing == LANDING_ANY ? "any" : "must";
}

const char *crowned_word(enum crowned crowned)
{
    static const char *const words[] = {"stop", "pass", "king"};
    return words[crowned];
}

const char *special_end_word(enum special_end special_end)
{
    static const char *const words[] = {"none", "king-beats-man", "one-against-one-draws"};
    return words[special_end];
}

const char *zeroing_word(enum zeroing zeroing)
{
    return zeroing == ZEROED_BY_CAPTURES ? "captures" : "captures-and-forward-moves-of-men";
}

const char *square_names_word(enum square_names names)
{
    static const char *const words[] = {"numbers-from-top-left", "numbers-from-bottom-right", "algebraic"};
    return words[names];
}

const char *choice_word(enum choice rung)
{
    switch (rung) {
    case CHOICE_FREE: break;
    case MOST_PIECES: return "most-pieces";
    case BY_KING: return "by-a-king";
    case MOST_KINGS: return "most-kings";
    case KINGS_EARLIEST: return "kings-earliest";
    case FIRST_KING_EARLIEST: return "first-king-earliest";
    }
    return "free";
}

/* The direction of the board that looks like this one to a player: boards whose lower left corner is not
 * played are mirrored, so that left and right change places. */
static int seen_direction(const struct variant *variant, int direction)
{
    if (variant->rules.lower_left_played)
        return direction;
    if (!variant->rules.board->orthogonal)
        return direction ^ 1;
    return direction == LEFT || direction == RIGHT ? direction ^ 2 : direction;
}

const char *direction_word(const struct variant *variant, int direction)
{
    static const char *const diagonal[DIRECTIONS] = {"forward-left", "forward-right", "backward-right",
                                                     "backward-left"};
    static const char *const orthogonal[DIRECTIONS] = {"left", "forward", "right", "backward"};
    const char *const *words = variant->rules.board->orthogonal ? orthogonal : diagonal;
    return words[seen_direction(variant, direction)];
}

/* Directions that share a word. */
struct direction_group {
    int directions;
    const char *words;
};

enum { DIRECTION_GROUPS = 6 };

static const struct direction_group diagonal_groups[DIRECTION_GROUPS] = {
    {1 << UP_LEFT | 1 << UP_RIGHT, "forward"}, {1 << DOWN_LEFT | 1 << DOWN_RIGHT, "backward"},
    {1 << UP_LEFT, "forward to the left"},     {1 << UP_RIGHT, "forward to the right"},
    {1 << DOWN_LEFT, "backward to the left"},  {1 << DOWN_RIGHT, "backward to the right"},
};

static const struct direction_group orthogonal_groups[DIRECTION_GROUPS] = {
    {1 << UP, "forward"},       {1 << LEFT | 1 << RIGHT, "sideways"}, {1 << DOWN, "backward"},
    {1 << LEFT, "to the left"}, {1 << RIGHT, "to the right"},         {0, ""},
};

/* The groups that make up a set of directions, the number of them. */
static int groups_of(const struct variant *variant, int directions, const char *words[DIRECTIONS])
{
    const struct direction_group *groups =
        variant->rules.board->orthogonal ? orthogonal_groups : diagonal_groups;
    int seen = 0;
    int count = 0;
    for (int direction = 0; direction < DIRECTIONS; direction++)
        if (directions >> direction & 1)
            seen |= 1 << seen_direction(variant, direction);
    for (int i = 0; i < DIRECTION_GROUPS; i++)
        if (groups[i].directions && (seen & groups[i].directions) == groups[i].directions) {
            words[count++] = groups[i].words;
            seen &= ~groups[i].directions;
        }
    return count;
}

/* Writes "diagonally forward or backward" into PHRASE_SIZE bytes and returns them. */
static const char *directions_phrase(const struct variant *variant, int directions, char *phrase)
{
    const char *words[DIRECTIONS];
    int count = groups_of(variant, directions, words);
    int used =
        snprintf(phrase, PHRASE_SIZE, "%s", variant->rules.board->orthogonal ? "straight" : "diagonally");
    for (int i = 0; i < count; i++)
        used += snprintf(phrase + used, (size_t)(PHRASE_SIZE - used), "%s%s",
                         i == 0           ? " "
                         : i == count - 1 ? " or "
                                          : ", ",
                         words[i]);
    return phrase;
}

enum { ALL_FOUR = (1 << DIRECTIONS) - 1 };

/* -- The writer ---------------------------------------------------------------------------------------- */

struct writer {
    FILE *out;
    enum rules_form form;
    int indent; /* of a new line */
    int column; /* characters of this line */
};

static void write_word(struct writer *writer, const char *word, int length)
{
    int width = writer->form == RULES_PLAIN ? PLAIN_WIDTH : MARKDOWN_WIDTH;
    if (writer->column == 0)
        writer->column = fprintf(writer->out, "%*s", writer->indent, "");
    else if (writer->column > writer->indent && writer->column + 1 + length > width)
        writer->column = fprintf(writer->out, "\n%*s", writer->indent, "") - 1;
    else if (writer->column > writer->indent)
        writer->column += fprintf(writer->out, " ");
    for (int i = 0; i < length; i++)
        if (word[i] != '`' || writer->form == RULES_MARKDOWN) {
            fputc(word[i], writer->out);
            writer->column++;
        }
}

/* Goes on with whole words, breaking lines where they are full. */
static void say_text(struct writer *writer, const char *text)
{
    while (*(text += strspn(text, " "))) {
        int length = (int)strcspn(text, " ");
        write_word(writer, text, length);
        text += length;
    }
}

/* The same with printf's places; at most SAY_SIZE - 1 characters. */
__attribute__((format(printf, 2, 3))) static void say(struct writer *writer, const char *format, ...)
{
    char text[SAY_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    say_text(writer, text);
}

static void end_line(struct writer *writer)
{
    fputc('\n', writer->out);
    writer->column = 0;
}

/* Begins a topic after an empty line. */
static void begin_topic(struct writer *writer, const char *label)
{
    writer->indent = 0;
    if (writer->form == RULES_PLAIN) {
        fprintf(writer->out, "\n%s\n", label);
        writer->indent = 2;
    } else {
        writer->column = fprintf(writer->out, "\n**%s.**", label) - 1;
    }
}

/* Begins a paragraph without a label after an empty line. */
static void begin_paragraph(struct writer *writer)
{
    writer->indent = writer->form == RULES_PLAIN ? 2 : 0;
    fputc('\n', writer->out);
}

/* One item of a numbered list. */
static void say_item(struct writer *writer, int number, const char *text)
{
    char mark[16];
    writer->indent = writer->form == RULES_PLAIN ? 2 : 0;
    int length = snprintf(mark, sizeof mark, "%d.", number);
    write_word(writer, mark, length);
    writer->indent += length + 1;
    fputc(' ', writer->out);
    writer->column++;
    say_text(writer, text);
    end_line(writer);
}

/* -- Board and start ----------------------------------------------------------------------------------- */

static char column_letter(int column)
{
    return (char)('a' + column);
}

/* Column and row of a square as White counts them. */
struct place {
    char column;
    int row;
};

static struct place place_of_number(const struct variant *variant, int number)
{
    int square = variant_square_of_number(variant, number);
    return (struct place){column_letter(variant_column(variant, square)),
                          square / variant->rules.board->width + 1};
}

static void say_names(struct writer *writer, const struct variant *variant)
{
    const struct board *board = variant->rules.board;
    if (variant->rules.names == ALGEBRAIC) {
        say(writer,
            "Squares are named by column and row: columns a to %c from White's left, rows 1 to %d from "
            "White's side.",
            column_letter(board->columns - 1), board->rows);
        return;
    }
    struct place first = place_of_number(variant, 1);
    struct place last = place_of_number(variant, board->squares);
    say(writer,
        "Squares are numbered %s, as White sees the board: 1 is at %c%d (column and row), %d at %c%d.",
        variant->rules.names == NUMBERS_FROM_TOP_LEFT ? "from left to right and from the top row down"
                                                      : "from right to left and from the bottom row up",
        first.column, first.row, board->squares, last.column, last.row);
}

/* One row of the drawing, with what it means to White's men. */
static void draw_row(struct writer *writer, const struct variant *variant, int row)
{
    const struct rules *rules = &variant->rules;
    fprintf(writer->out, "    %2d |", row + 1);
    for (int column = 0; column < rules->board->columns; column++) {
        char name[SQUARE_NAME_SIZE] = ".";
        int square = variant_square_at(variant, column, row);
        if (square != NO_SQUARE)
            square_write(variant, square, name);
        fprintf(writer->out, "%4s", name);
    }
    fputs("  |", writer->out);
    if (row >= rules->start_first_row && row < rules->start_first_row + rules->start_rows)
        fputs("  White's men start", writer->out);
    if (row == rules->board->rows - 1)
        fputs("  White's men are crowned", writer->out);
    fputc('\n', writer->out);
}

static void draw_board(struct writer *writer, const struct variant *variant)
{
    const struct board *board = variant->rules.board;
    fputc('\n', writer->out);
    for (int row = board->rows - 1; row >= 0; row--)
        draw_row(writer, variant, row);
    fputs("       ", writer->out);
    for (int column = 0; column < board->columns; column++)
        fprintf(writer->out, "%4c", column_letter(column));
    fputc('\n', writer->out);
}

static void write_board(struct writer *writer, const struct variant *variant)
{
    const struct board *board = variant->rules.board;
    begin_topic(writer, "Board");
    say(writer, "The board has %d columns and %d rows.", board->columns, board->rows);
    if (board->orthogonal)
        say(writer, "Pieces stand on all %d squares and move along rows and columns, never diagonally.",
            board->squares);
    else
        say(writer,
            "Pieces stand on %d squares, those of one colour, and move diagonally. The lower left corner, as "
            "White sees the board, is %s.",
            board->squares, variant->rules.lower_left_played ? "one of these squares" : "not one of them");
    say_names(writer, variant);
    end_line(writer);
    draw_board(writer, variant);
}

/* Writes "rows 1 to 3 (squares 21 to 32)" into PHRASE_SIZE bytes and returns them; numbers where squares
 * have numbers. Rows count from 0. */
static const char *rows_phrase(const struct variant *variant, int first, int last, char *phrase)
{
    const struct board *board = variant->rules.board;
    int lowest = board->squares;
    int highest = 1;
    for (int square = first * board->width; square < (last + 1) * board->width; square++) {
        int number = variant_square_number(variant, square);
        lowest = number < lowest ? number : lowest;
        highest = number > highest ? number : highest;
    }
    int used = first == last ? snprintf(phrase, PHRASE_SIZE, "row %d", first + 1)
                             : snprintf(phrase, PHRASE_SIZE, "rows %d %s %d", first + 1,
                                        last == first + 1 ? "and" : "to", last + 1);
    if (variant->rules.names != ALGEBRAIC)
        snprintf(phrase + used, (size_t)(PHRASE_SIZE - used), " (squares %d to %d)", lowest, highest);
    return phrase;
}

static void write_start(struct writer *writer, const struct variant *variant)
{
    const struct rules *rules = &variant->rules;
    int top = rules->board->rows - 1;
    int first = rules->start_first_row;
    int last = first + rules->start_rows - 1;
    char white[PHRASE_SIZE];
    char black[PHRASE_SIZE];
    begin_topic(writer, "Start");
    say(writer, "Each side has %d men: White's stand on %s, Black's on %s, counted from White's side.",
        rules->start_rows * rules->board->width, rows_phrase(variant, first, last, white),
        rows_phrase(variant, top - last, top - first, black));
    say(writer, "%s begins.", rules->black_begins ? "Black" : "White");
    say(writer, "White's men are crowned on %s, Black's on %s, which is the last row for each.",
        rows_phrase(variant, top, top, white), rows_phrase(variant, 0, 0, black));
    end_line(writer);
}

/* -- Moves --------------------------------------------------------------------------------------------- */

static void write_men(struct writer *writer, const struct variant *variant)
{
    const struct rules *rules = &variant->rules;
    char steps[PHRASE_SIZE];
    char takes[PHRASE_SIZE];
    begin_topic(writer, "Men");
    say(writer, "A man goes one square %s, if that square is empty.",
        directions_phrase(variant, rules->man_steps, steps));
    say(writer,
        "It takes %s: it jumps over a piece of the opponent on the next square to the square right behind, "
        "which has to be empty.",
        directions_phrase(variant, rules->man_takes, takes));
    say_text(writer, rules->man_takes_king
                         ? "Men take men and kings."
                         : "Men take men only: a king beside a man is no capture for it, and blocks it.");
    if (rules->man_first_row == 1)
        say_text(writer, "No man stands on its own back row: men start in front of it.");
    if (rules->man_first_row > 1)
        say(writer, "No man stands on its own %d back rows: men start in front of them.",
            rules->man_first_row);
    end_line(writer);
}

static void say_landing(struct writer *writer, const struct rules *rules)
{
    if (rules->landing == LANDING_MUST)
        say_text(writer, "If it could take more from some of these squares, it has to land on one of those.");
    else if (rules->choice == CHOICE_FREE)
        say_text(writer,
                 "It may choose any of these squares, even one from which it can take no more while from "
                 "another it could.");
    else
        say_text(writer,
                 "It may choose any of these squares from which the capture can become one that must be "
                 "taken (below).");
}

static void write_kings(struct writer *writer, const struct variant *variant)
{
    char all[PHRASE_SIZE];
    directions_phrase(variant, ALL_FOUR, all);
    begin_topic(writer, "Kings");
    if (variant->rules.flying) {
        say(writer, "A king is flying: it goes any number of empty squares in a line, %s.", all);
        say_text(writer,
                 "It takes the first piece on such a line, at any distance, if that is the opponent's and "
                 "the square right behind is empty, and lands there or on any empty square further on, up to "
                 "the next piece.");
        say_landing(writer, &variant->rules);
    } else {
        say(writer, "A king is short: it goes one square %s, if that square is empty.", all);
        say_text(writer, "It takes a piece on the next square in any of these directions, man or king, and "
                         "lands on the square right behind, which has to be empty.");
    }
    end_line(writer);
}

static void say_turn(struct writer *writer, const struct rules *rules)
{
    if (!rules->may_turn) {
        say_text(writer, "Two jumps in a row never go in opposite directions.");
        if (rules->crowned == CROWNED_KING)
            say(writer, "This binds a man just crowned, too%s.",
                rules->board->orthogonal ? ": from the last row it goes on sideways" : "");
    } else if (rules->gone_now) {
        say_text(writer, "Each jump may go in any direction open to the piece, even straight back.");
    } else {
        say_text(writer, "Each jump may go in any direction open to the piece, though the piece just taken "
                         "is in the way straight back.");
    }
}

static void write_taking(struct writer *writer, const struct variant *variant)
{
    const struct rules *rules = &variant->rules;
    begin_topic(writer, "Taking");
    say_text(writer, COMPULSORY " " TO_ITS_END " " BLOCKED);
    say_text(writer, rules->gone_now
                         ? "A piece taken leaves the board at once; its square is empty for the rest of the "
                           "move."
                         : "The pieces taken leave the board when the move is over; until then they stand "
                           "in the way.");
    say_turn(writer, rules);
    say_text(writer, START_IS_EMPTY " " CROSSED_TWICE);
    end_line(writer);
}

/* -- What must be taken -------------------------------------------------------------------------------- */

static const char *most_pieces_text(const struct rules *rules)
{
    switch (rules->crowned) {
    case CROWNED_STOP:
        return "The most pieces, men and kings counting one each, up to where crowning stops a man.";
    case CROWNED_KING:
        return "The most pieces, men and kings counting one each, also those that a man takes after it has "
               "become a king.";
    case CROWNED_PASS: break;
    }
    return "The most pieces, men and kings counting one each.";
}

static const char *by_king_text(const struct rules *rules)
{
    if (rules->crowned == CROWNED_KING)
        return "By a king: if a king can make one of these captures, a king has to. A man that becomes a "
               "king on its way counts as a man.";
    return "By a king: if a king can make one of these captures, a king has to.";
}

static const char *rung_text(const struct rules *rules, enum choice rung)
{
    switch (rung) {
    case CHOICE_FREE: break;
    case MOST_PIECES: return most_pieces_text(rules);
    case BY_KING: return by_king_text(rules);
    case MOST_KINGS:
        return rules->man_takes_king
                   ? "The most kings among the pieces taken, whether a man or a king takes them."
                   : "The most kings among the pieces taken.";
    case KINGS_EARLIEST:
        return "Kings earliest: the pieces taken are compared in the order in which they are taken, a king "
               "coming before a man, and the first difference decides; so a later king counts, too, when "
               "those before it come together.";
    case FIRST_KING_EARLIEST:
        return "The first king earliest: the sooner the first king is taken, the better; kings after it do "
               "not count.";
    }
    return "";
}

static void write_choice(struct writer *writer, const struct variant *variant)
{
    const struct rules *rules = &variant->rules;
    int count = 0;
    begin_topic(writer, "What must be taken");
    if (rules->choice == CHOICE_FREE) {
        say_text(writer, "The choice is free: any capture may be made, also one that takes fewer pieces than "
                         "another, as long as it is played to its end.");
        end_line(writer);
        return;
    }
    bool is_ladder = bits_count(rules->choice) > 1;
    say(writer,
        "Among all captures %s decide%s which may be made. Between those left at the end the choice "
        "is free.",
        is_ladder ? "these rungs, each among what the one before has left," : "this", is_ladder ? "" : "s");
    end_line(writer);
    fputc('\n', writer->out);
    for (int i = 0; i < CHOICE_RUNGS; i++)
        if (rules->choice & choice_rungs[i])
            say_item(writer, ++count, rung_text(rules, choice_rungs[i]));
}

/* -- Last row, end, count ------------------------------------------------------------------------------ */

static void write_last_row(struct writer *writer, const struct variant *variant)
{
    begin_topic(writer, "Last row");
    say_text(writer, "A man whose move ends on the last row becomes a king.");
    switch (variant->rules.crowned) {
    case CROWNED_STOP:
        say_text(writer, "If it gets there inside a capture, it is crowned and its move is over, even where "
                         "a king could take more.");
        break;
    case CROWNED_PASS:
        say_text(writer, "If it gets there inside a capture and can take more as a man, it goes on and stays "
                         "a man, unless the move ends on the last row after all.");
        break;
    case CROWNED_KING:
        say_text(writer, "If it gets there inside a capture, it is crowned at once and goes on as a king "
                         "where a king can take more.");
        break;
    }
    end_line(writer);
}

static void write_end(struct writer *writer, const struct variant *variant)
{
    begin_topic(writer, "End of the game");
    say_text(writer, NO_MOVE_LOSES);
    switch (variant->rules.special_end) {
    case NO_SPECIAL_END:
        say_text(writer, "Nothing else ends it: whatever pieces are left, the game is played on.");
        break;
    case KING_BEATS_MAN:
        say_text(writer, "One king against one man, and nothing else, is won for the king's side, whoever is "
                         "to move, unless the side to move can take: then it must, and that ends the game. "
                         "King against king and man against man are played on.");
        break;
    case ONE_AGAINST_ONE_DRAWS:
        say_text(writer, "One piece against one piece, men or kings, is a draw, unless the side to move can "
                         "take: then it must, and that ends the game.");
        break;
    }
    say_text(writer, HISTORY);
    end_line(writer);
}

static void say_zeroing(struct writer *writer, const struct variant *variant)
{
    if (variant->rules.zeroing == ZEROED_BY_CAPTURES)
        say_text(writer, "Only captures set the count of moves without progress back to zero; moves of men "
                         "do not, nor does crowning.");
    else if (variant_men_step_sideways(variant))
        say_text(writer, "Captures and forward moves of men, crowning included, set the count of moves "
                         "without progress back to zero; a man's step sideways can be undone and does not.");
    else
        say_text(writer, "Captures and moves of men, crowning included, set the count of moves without "
                         "progress back to zero.");
}

static void write_count(struct writer *writer, const struct variant *variant)
{
    int limit = variant->rules.limit;
    begin_topic(writer, "Count and limit");
    say_zeroing(writer, variant);
    if (limit == 0) {
        say_text(writer, "There is no limit to this count, and tables hold the values of play without one.");
    } else {
        say(writer, "When it reaches %d moves of both sides together", limit);
        if (limit % 2 == 0)
            say(writer, "(%d by each)", limit / 2);
        say_text(writer, "the game is a draw, unless the side to move has no legal move: that comes first. "
                         "The tables of this version hold the values of plain play, without this limit.");
    }
    if (variant->rules.lender)
        say(writer,
            "Where its own tables are missing, values may be read from those of `%s`, which has the same "
            "moves.",
            variant->rules.lender);
    end_line(writer);
}

/* -- Notation ------------------------------------------------------------------------------------------ */

/* Squares of White's view for the examples: a man's step, and two jumps in a row. */
struct example {
    int from;
    int step;
    int jumps[2];
};

/* A square so many steps nearer to the last row, in the first of the directions that leads there; or
 * NO_SQUARE. */
static int square_ahead(const struct board *board, int directions, int square, int steps)
{
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        int to = square;
        for (int i = 0; i < steps && to != NO_SQUARE; i++)
            to = board->step[to][direction];
        if ((directions >> direction & 1) && to != NO_SQUARE &&
            to / board->width == square / board->width + steps)
            return to;
    }
    return NO_SQUARE;
}

/* From the first square of White's front row at the start. False if a man's moves lead nowhere from there. */
static bool find_example(const struct variant *variant, struct example *example)
{
    const struct rules *rules = &variant->rules;
    const struct board *board = rules->board;
    uint8_t order[MAX_SQUARES];
    squares_in_order(variant, order);
    for (int i = 0; i < board->squares; i++) {
        if (order[i] / board->width != rules->start_first_row + rules->start_rows - 1)
            continue;
        example->from = order[i];
        example->step = square_ahead(board, rules->man_steps, example->from, 1);
        example->jumps[0] = square_ahead(board, rules->man_takes, example->from, 2);
        if (example->step == NO_SQUARE || example->jumps[0] == NO_SQUARE)
            return false;
        example->jumps[1] = square_ahead(board, rules->man_takes, example->jumps[0], 2);
        return example->jumps[1] != NO_SQUARE;
    }
    return false;
}

static void say_move_examples(struct writer *writer, const struct variant *variant)
{
    struct example example;
    char from[SQUARE_NAME_SIZE];
    char step[SQUARE_NAME_SIZE];
    char jump[SQUARE_NAME_SIZE];
    char last[SQUARE_NAME_SIZE];
    char sign = variant->rules.capture_sign;
    if (!find_example(variant, &example))
        return;
    square_write(variant, example.from, from);
    square_write(variant, example.step, step);
    square_write(variant, example.jumps[0], jump);
    square_write(variant, example.jumps[1], last);
    say(writer,
        "A move is written `%s-%s`, a capture `%s%c%s`, by its first and last square; when two captures "
        "share "
        "these, the whole path is written, such as `%s%c%s%c%s`.",
        from, step, from, sign, jump, from, sign, jump, sign, last);
}

/* The first square, in the order of names, of a row. */
static uint64_t first_of_row(const struct variant *variant, int row)
{
    uint8_t order[MAX_SQUARES];
    int i = 0;
    squares_in_order(variant, order);
    while (order[i] / variant->rules.board->width != row)
        i++;
    return bit_of(order[i]);
}

static void say_position_example(struct writer *writer, const struct variant *variant)
{
    const struct rules *rules = &variant->rules;
    char fen[FEN_SIZE];
    struct position position = {
        .own_men = first_of_row(variant, rules->start_first_row + rules->start_rows - 1),
        .own_kings = first_of_row(variant, 0),
        .opponent_kings = first_of_row(variant, rules->board->rows - 1),
    };
    if (fen_write(variant, &position, rules->black_begins, fen) == STATUS_OK)
        say(writer,
            "A position is written as a FEN: the side to move, White's pieces and Black's, with K before a "
            "king, as in `%s`.",
            fen);
}

static void write_notation(struct writer *writer, const struct variant *variant)
{
    begin_topic(writer, "Notation");
    say_move_examples(writer, variant);
    say_text(writer, SAME_MOVE);
    say_position_example(writer, variant);
    say(writer, "The GameType of PDN is `%s`.", variant->rules.game_type);
    end_line(writer);
}

static void write_source(struct writer *writer, const struct variant *variant)
{
    begin_topic(writer, "Source of each decision");
    say_text(writer, variant->rules.source);
    end_line(writer);
}

static void write_summary(struct writer *writer, const struct variant *variant)
{
    if (writer->form == RULES_MARKDOWN)
        fprintf(writer->out, "### %s\n\n", variant->rules.name);
    writer->indent = 0;
    if (writer->form == RULES_PLAIN)
        say(writer, "%s:", variant->rules.name);
    say(writer, "%s.", variant->rules.summary);
    end_line(writer);
}

static void write_variant(struct writer *writer, const struct variant *variant)
{
    write_summary(writer, variant);
    write_board(writer, variant);
    write_start(writer, variant);
    write_men(writer, variant);
    write_kings(writer, variant);
    write_taking(writer, variant);
    write_choice(writer, variant);
    write_last_row(writer, variant);
    write_end(writer, variant);
    write_count(writer, variant);
    write_notation(writer, variant);
    write_source(writer, variant);
}

void rules_text_write(const struct variant *variant, enum rules_form form, FILE *out)
{
    struct writer writer = {.out = out, .form = form};
    write_variant(&writer, variant);
}

/* -- The document -------------------------------------------------------------------------------------- */

/* A word with blanks for its hyphens. */
static void write_spaced(FILE *out, const char *word)
{
    for (; *word; word++)
        fputc(*word == '-' ? ' ' : *word, out);
}

static void write_cell(FILE *out, const char *word)
{
    fputc(' ', out);
    write_spaced(out, word);
    fputs(" |", out);
}

static void write_choice_cell(FILE *out, const struct rules *rules)
{
    const char *between = " ";
    if (rules->choice == CHOICE_FREE)
        fputs(" free", out);
    for (int i = 0; i < CHOICE_RUNGS; i++)
        if (rules->choice & choice_rungs[i]) {
            fputs(between, out);
            write_spaced(out, choice_word(choice_rungs[i]));
            between = ", ";
        }
    fputs(" |", out);
}

static void write_table_row(FILE *out, const struct variant *variant)
{
    const struct rules *rules = &variant->rules;
    char phrase[PHRASE_SIZE];
    const char *name = rules->name;
    fprintf(out, "| [%s](#%s) | %dx%d, %d squares |", name, name, rules->board->columns, rules->board->rows,
            rules->board->squares);
    write_cell(out, directions_phrase(variant, rules->man_steps, phrase));
    write_cell(out, directions_phrase(variant, rules->man_takes, phrase));
    write_cell(out, rules->man_takes_king ? "yes" : "no");
    write_cell(out, rules->flying ? "flying" : "short");
    fprintf(out, " %s |", rules->flying ? landing_word(rules->landing) : "-");
    write_cell(out, rules->gone_now ? "now" : "end");
    fprintf(out, " %s |", !rules->gone_now ? "-" : rules->may_turn ? "yes" : "no");
    write_cell(out, crowned_word(rules->crowned));
    write_choice_cell(out, rules);
    write_cell(out, special_end_word(rules->special_end));
    write_cell(out, zeroing_word(rules->zeroing));
    if (rules->limit)
        fprintf(out, " %d |", rules->limit);
    else
        fputs(" none |", out);
    fprintf(out, " %s | `%s` |\n", rules->black_begins ? "Black" : "White", rules->game_type);
}

static void write_table(FILE *out)
{
    fputs("\n"
          "| variant | board | men go | men take | men take kings | kings | landing | gone | back | crowned "
          "| choice | special end | zeroing | limit | begins | GameType |\n"
          "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- "
          "|\n",
          out);
    for (size_t i = 0; i < variant_count; i++)
        write_table_row(out, variant_table[i]);
}

/* Paragraphs of the document, each a text of any length. */
static void write_paragraphs(struct writer *writer, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        begin_paragraph(writer);
        say_text(writer, texts[i]);
        end_line(writer);
    }
}

static void write_items(struct writer *writer, const char *const *texts, size_t count)
{
    fputc('\n', writer->out);
    for (size_t i = 0; i < count; i++)
        say_item(writer, (int)i + 1, texts[i]);
}

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static const char *const head[] = {
    "What each variant of Damabase decides. This page is generated from the rule table, `index/variants.h`, "
    "by "
    "`damaprobe rules --markdown > docs/rules.md`; a test fails when the two differ. Change the table, not "
    "this page. `damaprobe rules VARIANT` prints one of the variants in the terminal.",
};

static const char *const columns[] = {
    "*Landing*: where a flying king lands behind the piece it takes: on any empty square there, or it must "
    "choose one from which it can take more if there is one. *Gone*: when the pieces taken leave the board, "
    "now "
    "or at the end of the move. *Back*: whether the next jump may go straight back; where the pieces taken "
    "still stand it never can. *Crowned*: a man that reaches the last row inside a capture stops there as a "
    "king, passes on as a man, or goes on as a king. *Choice*: what must be taken, in the order in which it "
    "decides. *Zeroing*: the moves that set the count of moves without progress back to zero. *Limit*: the "
    "count, in moves of both sides together, that makes a draw.",
};

static const char *const shared[] = {
    NO_MOVE_LOSES,
    COMPULSORY " " TO_ITS_END,
    START_IS_EMPTY,
    CROSSED_TWICE " " BLOCKED,
    SAME_MOVE " The path matters for writing only.",
    "No man stands on its last row when a move is over. A position that has one there is refused with a "
    "message; so is one with a man on its own back row, where men start in front of that and never go back.",
    "A board reflected from left to right changes no move and no value, only the names of squares.",
    HISTORY,
};

static const char *const notation[] = {
    "*Squares* have the names that the variant's own section draws: numbers, or letter and number.",
    "*Positions* are FENs, `side:W<list>:B<list>`, with `K` before each king. Written are White's pieces "
    "first, squares in the order of their names, no ranges, no final dot, and an empty list for a side "
    "without "
    "pieces. Read are also: the sides in either order, blanks, a final dot, lower case, ranges of numbers "
    "(`5-8`, a `K` before the range being for all of it), a trailing `:H..:F..` part, and the whole inside "
    "`[FEN \"...\"]`. Where squares have letters, numbers are read as well: they count the squares row by "
    "row "
    "from White's lower left. Anything else is an error that names the place.",
    "*Moves* are `32-28` and `32x23`, by first and last square, unless two moves share these: then the whole "
    "path is written, and where there are several, the one with the lowest squares. Read is any form that "
    "means one move.",
    "*GameType* is the tag by which PDN files name the variant. Sub-variants have that of their game.",
};

static const char *const limits[] = {
    "Some variants end in a draw when a count of moves without progress reaches a limit. With both sides' "
    "moves counted and the count at zero, a win that can be forced only beyond the limit is a *cursed win*, "
    "and "
    "the other side's mirror of it a *blessed loss*. The end of the game by a side having no legal move "
    "comes "
    "before the limit. Without a limit there are wins, draws and losses only.",
    "The tables of this version hold wins, draws and losses of plain play, without any limit, for all "
    "variants. A win in them may take longer than a variant's limit allows.",
};

static void write_section(struct writer *writer, const char *title)
{
    fprintf(writer->out, "\n## %s\n", title);
}

void rules_document_write(FILE *out)
{
    struct writer writer = {.out = out, .form = RULES_MARKDOWN};
    fputs("# Rules\n", out);
    write_paragraphs(&writer, head, COUNT_OF(head));
    write_section(&writer, "1. The table");
    write_table(out);
    write_paragraphs(&writer, columns, COUNT_OF(columns));
    write_section(&writer, "2. True of every variant");
    write_items(&writer, shared, COUNT_OF(shared));
    write_section(&writer, "3. Names of squares, positions, moves");
    write_paragraphs(&writer, notation, COUNT_OF(notation));
    write_section(&writer, "4. The count and the limit");
    write_paragraphs(&writer, limits, COUNT_OF(limits));
    write_section(&writer, "5. The variants");
    for (size_t i = 0; i < variant_count; i++) {
        fputc('\n', out);
        write_variant(&writer, variant_table[i]);
    }
}
