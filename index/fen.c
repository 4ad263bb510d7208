/* FEN: one reader that goes through the text once and names the place of the first fault, and a writer. */
#include "fen.h"

#include "notation.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { WHITE, BLACK, SIDES };

static const char *const side_names[SIDES] = {"White", "Black"};
static const char side_letters[SIDES] = {'W', 'B'};

struct fen_reader {
    const struct variant *variant;
    const char *text; /* from its first character */
    const char *at;   /* the next one to read */
    char *message;
    uint64_t men[SIDES];
    uint64_t kings[SIDES];
    bool given[SIDES]; /* a list of this side has begun */
    int count;         /* of the H part, or -1 */
};

/* -- Faults -------------------------------------------------------------------------------------------- */

/* Writes "character 7: " and the text, if there is a message to write. Returns the status. */
__attribute__((format(printf, 4, 5))) static enum status
fault_at(const struct fen_reader *reader, const char *at, enum status status, const char *format, ...)
{
    if (!reader->message)
        return status;
    int used = snprintf(reader->message, FEN_MESSAGE_SIZE, "character %d: ", (int)(at - reader->text) + 1);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->message + used, (size_t)(FEN_MESSAGE_SIZE - used), format, arguments);
    va_end(arguments);
    return status;
}

/* Fails at the next character, naming what was expected there and what stands there. */
static enum status expected(const struct fen_reader *reader, const char *what)
{
    unsigned char c = (unsigned char)*reader->at;
    if (c == '\0')
        return fault_at(reader, reader->at, STATUS_BAD_NOTATION, "%s expected, found the end", what);
    if (c < ' ' || c > '~')
        return fault_at(reader, reader->at, STATUS_BAD_NOTATION, "%s expected, found byte 0x%02x", what, c);
    return fault_at(reader, reader->at, STATUS_BAD_NOTATION, "%s expected, found '%c'", what, c);
}

/* -- Reading --------------------------------------------------------------------------------------------- */

static void skip_blanks(struct fen_reader *reader)
{
    reader->at += strspn(reader->at, " \t\r\n");
}

/* Passes over blanks and then the character, if it is next. */
static bool skip(struct fen_reader *reader, char c)
{
    skip_blanks(reader);
    if (*reader->at != c)
        return false;
    reader->at++;
    return true;
}

/* Passes over W or B of either case, or returns SIDES. */
static int skip_side(struct fen_reader *reader)
{
    skip_blanks(reader);
    for (int side = 0; side < SIDES; side++)
        if ((*reader->at & ~0x20) == side_letters[side]) {
            reader->at++;
            return side;
        }
    return SIDES;
}

static enum status place(struct fen_reader *reader, const char *at, int side, bool king, int square)
{
    const struct variant *variant = reader->variant;
    char name[SQUARE_NAME_SIZE];
    square_write(variant, square, name);
    for (int other = 0; other < SIDES; other++)
        if ((reader->men[other] | reader->kings[other]) & bit_of(square))
            return fault_at(reader, at, STATUS_BAD_POSITION,
                            "square %s is doubled: a %s %s stands there already", name, side_names[other],
                            reader->kings[other] & bit_of(square) ? "king" : "man");
    if (king) {
        reader->kings[side] |= bit_of(square);
        return STATUS_OK;
    }
    uint64_t allowed =
        side == WHITE ? variant_own_men_squares(variant) : variant_opponent_men_squares(variant);
    if (!(allowed & bit_of(square))) {
        bool upper = square >= variant->rules.board->squares / 2;
        return fault_at(reader, at, STATUS_BAD_POSITION, "a %s man cannot stand on %s, its %s",
                        side_names[side], name, upper == (side == WHITE) ? "promotion row" : "own back row");
    }
    reader->men[side] |= bit_of(square);
    return STATUS_OK;
}

static enum status no_such_square(const struct fen_reader *reader, const char *at, int length)
{
    const struct board *board = reader->variant->rules.board;
    const int shown = length > 12 ? 12 : length;
    if (reader->variant->rules.names != ALGEBRAIC)
        return fault_at(reader, at, STATUS_BAD_NOTATION, "there is no square %.*s (1 to %d)", shown, at,
                        board->squares);
    return fault_at(reader, at, STATUS_BAD_NOTATION, "there is no square %.*s (a1 to %c%d, or 1 to %d)",
                    shown, at, 'a' + board->columns - 1, board->rows, board->squares);
}

/* Reads what follows the first number of a range, and places all of it. */
static enum status read_range(struct fen_reader *reader, const char *first_at, int side, bool king, int first)
{
    skip_blanks(reader);
    const char *last_at = reader->at;
    int square;
    int last;
    int length = square_number_read(reader->variant, last_at, &square, &last);
    if (length == 0)
        return expected(reader, "the last number of a range");
    if (square == NO_SQUARE)
        return no_such_square(reader, last_at, length);
    if (last < first)
        return fault_at(reader, first_at, STATUS_BAD_NOTATION, "the range %d-%d runs backwards", first, last);
    reader->at += length;
    for (int number = first; number <= last; number++) {
        enum status status = place(reader, first_at, side, king, square_numbered(reader->variant, number));
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* Reads a square or a range, with K before it or not. */
static enum status read_item(struct fen_reader *reader, int side)
{
    bool king = skip(reader, 'K') || skip(reader, 'k');
    skip_blanks(reader);
    const char *at = reader->at;
    int square;
    int number = 0;
    int length = square_read(reader->variant, at, &square);
    bool numbered = *at >= '0' && *at <= '9';
    if (numbered)
        length = square_number_read(reader->variant, at, &square, &number);
    if (length == 0)
        return expected(reader, king ? "a square after K" : "a square");
    if (square == NO_SQUARE)
        return no_such_square(reader, at, length);
    reader->at += length;
    if (!skip(reader, '-'))
        return place(reader, at, side, king, square);
    if (!numbered)
        return fault_at(reader, reader->at - 1, STATUS_BAD_NOTATION, "a range has numbers, not letters");
    return read_range(reader, at, side, king, number);
}

/* True at a character that ends a list, or at the end. */
static bool at_end_of_list(struct fen_reader *reader)
{
    skip_blanks(reader);
    return *reader->at == '\0' || strchr(":.\"", *reader->at);
}

/* Reads ":W" or ":B" and the pieces after it. */
static enum status read_list(struct fen_reader *reader)
{
    int missing = reader->given[WHITE] ? BLACK : WHITE;
    bool is_second = reader->given[WHITE] || reader->given[BLACK];
    const char *const lists[SIDES] = {"':' and White's pieces", "':' and Black's pieces"};
    if (!skip(reader, ':'))
        return expected(reader, is_second ? lists[missing] : "':' and the pieces of a side");
    int side = skip_side(reader);
    if (side == SIDES)
        return expected(reader, is_second
                                    ? (missing == WHITE ? "W and White's pieces" : "B and Black's pieces")
                                    : "W or B before the pieces of a side");
    if (reader->given[side])
        return fault_at(reader, reader->at - 1, STATUS_BAD_NOTATION,
                        "%s's pieces are given twice, %s's are missing", side_names[side],
                        side_names[missing]);
    reader->given[side] = true;
    if (at_end_of_list(reader))
        return STATUS_OK;
    do {
        enum status status = read_item(reader, side);
        if (status != STATUS_OK)
            return status;
    } while (skip(reader, ','));
    return at_end_of_list(reader) ? STATUS_OK : expected(reader, "',' or the end of the list");
}

/* The number that so many digits write. */
static int count_of(const char *digits, size_t length)
{
    int count = 0;
    for (size_t i = 0; i < length && count < FEN_MOST_COUNT; i++)
        count = 10 * count + (digits[i] - '0');
    return count < FEN_MOST_COUNT ? count : FEN_MOST_COUNT;
}

/* Reads the letter and the digits of a move count; -1 if there is none. */
static int read_count(struct fen_reader *reader, char letter)
{
    const char *start = reader->at;
    if (skip(reader, ':')) {
        skip_blanks(reader);
        size_t digits = strspn(reader->at + (*reader->at != '\0'), "0123456789");
        if ((*reader->at & ~0x20) == letter && digits > 0) {
            reader->at += 1 + digits;
            return count_of(reader->at - digits, digits);
        }
    }
    reader->at = start;
    return -1;
}

/* Reads what may follow the pieces: move counts and a dot. History is not part of a position. */
static enum status read_tail(struct fen_reader *reader)
{
    reader->count = read_count(reader, 'H');
    read_count(reader, 'F');
    if (skip(reader, ':')) {
        const char *at = reader->at;
        int side = skip_side(reader);
        if (side != SIDES)
            return fault_at(reader, reader->at - 1, STATUS_BAD_NOTATION, "%s's pieces are given twice",
                            side_names[side]);
        reader->at = at;
        skip_blanks(reader);
        return expected(reader, "H or F with a number");
    }
    skip(reader, '.');
    return STATUS_OK;
}

/* Passes over `[FEN "`, if it is there. */
static enum status read_tag(struct fen_reader *reader, bool *tagged)
{
    *tagged = skip(reader, '[');
    if (!*tagged)
        return STATUS_OK;
    skip_blanks(reader);
    if (strncasecmp(reader->at, "FEN", 3) != 0)
        return expected(reader, "FEN after '['");
    reader->at += 3;
    return skip(reader, '"') ? STATUS_OK : expected(reader, "'\"'");
}

static enum status read_side_to_move(struct fen_reader *reader, bool *black_to_move)
{
    int side = skip_side(reader);
    if (side == SIDES)
        return expected(reader, "the side to move, W or B,");
    *black_to_move = side == BLACK;
    return STATUS_OK;
}

static enum status read_end(struct fen_reader *reader, bool tagged)
{
    if (tagged && !skip(reader, '"'))
        return expected(reader, "'\"'");
    if (tagged && !skip(reader, ']'))
        return expected(reader, "']'");
    skip_blanks(reader);
    return *reader->at == '\0' ? STATUS_OK : expected(reader, "the end of the text");
}

static enum status read_fen(struct fen_reader *reader, bool *black_to_move)
{
    bool tagged;
    enum status status = read_tag(reader, &tagged);
    if (status == STATUS_OK)
        status = read_side_to_move(reader, black_to_move);
    for (int side = 0; side < SIDES && status == STATUS_OK; side++)
        status = read_list(reader);
    if (status == STATUS_OK)
        status = read_tail(reader);
    if (status == STATUS_OK)
        status = read_end(reader, tagged);
    return status;
}

enum status fen_read(const struct variant *variant, const char *text, struct position *white_view,
                     bool *black_to_move, char *message)
{
    int count;
    return fen_read_count(variant, text, white_view, black_to_move, &count, message);
}

enum status fen_read_count(const struct variant *variant, const char *text, struct position *white_view,
                           bool *black_to_move, int *count, char *message)
{
    struct fen_reader reader = {.variant = variant, .text = text, .at = text, .message = message};
    if (strnlen(text, FEN_READ_LIMIT + 1) > FEN_READ_LIMIT)
        return fault_at(&reader, text + FEN_READ_LIMIT, STATUS_BAD_NOTATION,
                        "no position needs more than %d characters", FEN_READ_LIMIT);
    bool black = false;
    enum status status = read_fen(&reader, &black);
    if (status != STATUS_OK)
        return status;
    const struct position position = {.own_men = reader.men[WHITE],
                                      .own_kings = reader.kings[WHITE],
                                      .opponent_men = reader.men[BLACK],
                                      .opponent_kings = reader.kings[BLACK]};
    if (position_occupied(&position) == 0)
        return fault_at(&reader, reader.at, STATUS_BAD_POSITION, "both lists of pieces are empty");
    *white_view = position;
    *black_to_move = black;
    *count = reader.count;
    return STATUS_OK;
}

/* -- Writing ------------------------------------------------------------------------------------------- */

/* Writes the pieces of one side and returns the end. */
static char *write_list(const struct variant *variant, char *end, uint64_t men, uint64_t kings)
{
    uint8_t order[MAX_SQUARES];
    squares_in_order(variant, order);
    const char *start = end;
    for (int i = 0; i < variant->rules.board->squares; i++) {
        if (!((men | kings) & bit_of(order[i])))
            continue;
        if (end != start)
            *end++ = ',';
        if (kings & bit_of(order[i]))
            *end++ = 'K';
        end += square_write(variant, order[i], end);
    }
    return end;
}

enum status fen_write(const struct variant *variant, const struct position *white_view, bool black_to_move,
                      char *text)
{
    if (variant_fault(variant, white_view))
        return STATUS_BAD_POSITION;
    char *end = text;
    *end++ = side_letters[black_to_move ? BLACK : WHITE];
    *end++ = ':';
    *end++ = side_letters[WHITE];
    end = write_list(variant, end, white_view->own_men, white_view->own_kings);
    *end++ = ':';
    *end++ = side_letters[BLACK];
    end = write_list(variant, end, white_view->opponent_men, white_view->opponent_kings);
    *end = '\0';
    return STATUS_OK;
}
