/* Builds the text of one variant's rules, topic by topic. The page of all of them is rules_document.c. */
#include "rules_text.h"

#include "notation.h"
#include "rules_words.h"

#include <string.h>

enum { ALL_FOUR = (1 << DIRECTIONS) - 1 };

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

/* What the limit makes of wins and losses. */
static void say_five_values(struct writer *writer, int limit)
{
    say(writer,
        "Values obey this limit and hold for a count of zero. A win is one that comes in time: within %d "
        "moves of both sides the winner can force the end of the game, or a move that sets the count back "
        "and after which it still wins in time.",
        limit);
    say_text(writer, "A cursed win would be a win but for the limit and comes too late: against best play "
                     "the game is a draw. What is a win for one side is a loss for the other, and what is a "
                     "cursed win for one is a blessed loss for the other.");
}

static void write_count(struct writer *writer, const struct variant *variant)
{
    int limit = variant->rules.limit;
    begin_topic(writer, "Count and limit");
    say_zeroing(writer, variant);
    if (limit == 0) {
        say_text(writer, "There is no limit to this count, so values are win, draw and loss.");
    } else {
        say(writer, "When it reaches %d moves of both sides together", limit);
        if (limit % 2 == 0)
            say(writer, "(%d by each)", limit / 2);
        say_text(writer, "the game is a draw, unless the side to move has no legal move: that comes first.");
        say_five_values(writer, limit);
    }
    if (variant->rules.lender)
        say(writer,
            "Where its own tables are missing, values may be read from those of `%s`, which has the same "
            "moves; distances may not.",
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
