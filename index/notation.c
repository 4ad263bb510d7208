/* Names of squares, written and read. Positions are in fen.c, moves in move_text.c. */
#include "notation.h"

#include <stdio.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

int square_write(const struct variant *variant, int square, char name[SQUARE_NAME_SIZE])
{
    if (variant->rules.names != ALGEBRAIC)
        return snprintf(name, SQUARE_NAME_SIZE, "%d", variant_square_number(variant, square) % 100);
    int row = square / variant->rules.board->width;
    return snprintf(name, SQUARE_NAME_SIZE, "%c%d", 'a' + variant_column(variant, square), (row + 1) % 100);
}

void squares_in_order(const struct variant *variant, uint8_t squares[MAX_SQUARES])
{
    for (int square = 0; square < variant->rules.board->squares; square++)
        squares[variant_square_number(variant, square) - 1] = (uint8_t)square;
}

void squares_write(const struct variant *variant, uint64_t set, char text[SQUARES_TEXT_SIZE])
{
    uint8_t order[MAX_SQUARES];
    squares_in_order(variant, order);
    char *end = text;
    for (int i = 0; i < variant->rules.board->squares; i++) {
        if (!(set & bit_of(order[i])))
            continue;
        if (end != text)
            *end++ = ',';
        end += square_write(variant, order[i], end);
    }
    if (end == text)
        *end++ = '-';
    *end = '\0';
}

/* Reads digits. Returns how many; the number stops growing at 9999. */
static int read_number(const char *text, int *number)
{
    int length = 0;
    *number = 0;
    for (; is_digit(text[length]); length++)
        *number = *number > 999 ? 9999 : 10 * *number + (text[length] - '0');
    return length;
}

int square_numbered(const struct variant *variant, int number)
{
    const struct board *board = variant->rules.board;
    if (number < 1 || number > board->squares)
        return NO_SQUARE;
    if (variant->rules.names != ALGEBRAIC)
        return variant_square_of_number(variant, number);
    int square = number - 1;
    /* Squares run from White's left unless the board lies mirrored. */
    if (!variant->rules.lower_left_played)
        square += board->width - 1 - 2 * (square % board->width);
    return square;
}

int square_number_read(const struct variant *variant, const char *text, int *square, int *number)
{
    int length = read_number(text, number);
    *square = square_numbered(variant, *number);
    return length;
}

int square_read(const struct variant *variant, const char *text, int *square)
{
    int number;
    *square = NO_SQUARE;
    if (variant->rules.names != ALGEBRAIC)
        return square_number_read(variant, text, square, &number);
    char letter = (char)(text[0] | 0x20);
    if (letter < 'a' || letter > 'z')
        return 0;
    int length = read_number(text + 1, &number);
    if (length == 0)
        return 0;
    *square = variant_square_at(variant, letter - 'a', number - 1);
    return 1 + length;
}
