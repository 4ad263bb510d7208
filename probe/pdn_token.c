/* Tokens of PDN, one character of look-ahead. The only state besides it is whether a move has just ended,
 * because `*` behind a move marks it as forced and elsewhere ends the game. */
#include "pdn_token.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { END = -1, BYTE_ORDER_MARK = 0xef };

/* What a step of the reader has come to. */
enum step { PASSED_OVER, MADE_TOKEN };

/* -- Characters ------------------------------------------------------------------------------------------ */

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(int c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static bool is_line_end(int c)
{
    return c == '\n' || c == '\r';
}

static bool is_blank(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* A sign between the squares of a move. */
static bool is_sign(int c)
{
    return c == '-' || c == ':' || c == 'x' || c == 'X';
}

static bool is_strength(int c)
{
    return c == '!' || c == '?';
}

static int next_byte(struct pdn_tokens *tokens)
{
    if (tokens->next == tokens->filled) {
        tokens->next = 0;
        tokens->filled = tokens->source.read(tokens->source.context, tokens->buffer, PDN_BUFFER_SIZE);
    }
    return tokens->filled == 0 ? END : (unsigned char)tokens->buffer[tokens->next++];
}

/* Goes to the next character. At the end it stays, and the source is not asked again. */
static void advance(struct pdn_tokens *tokens)
{
    int left = tokens->character;
    if (left == END)
        return;
    tokens->character = next_byte(tokens);
    if (left == '\n' || (left == '\r' && tokens->character != '\n')) {
        tokens->place.line++;
        tokens->place.column = 1;
    } else if ((tokens->character & 0xc0) != 0x80) {
        tokens->place.column++; /* not inside a character of several bytes */
    }
}

static void skip_blanks(struct pdn_tokens *tokens)
{
    while (is_blank(tokens->character))
        advance(tokens);
}

static void skip_blanks_of_line(struct pdn_tokens *tokens)
{
    while (is_blank(tokens->character) && !is_line_end(tokens->character))
        advance(tokens);
}

static void skip_line(struct pdn_tokens *tokens)
{
    while (tokens->character != END && !is_line_end(tokens->character))
        advance(tokens);
}

static void skip_digits(struct pdn_tokens *tokens)
{
    while (is_digit(tokens->character))
        advance(tokens);
}

static void skip_strengths(struct pdn_tokens *tokens)
{
    while (is_strength(tokens->character))
        advance(tokens);
}

/* -- Faults ---------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static enum step
fault_at(struct pdn_token *token, struct pdn_place place, const char *format, ...)
{
    token->kind = PDN_TOKEN_FAULT;
    token->place = place;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(token->text, sizeof token->text, format, arguments);
    va_end(arguments);
    return MADE_TOKEN;
}

enum { FOUND_SIZE = 32 };

/* Names the next character. */
static const char *found(const struct pdn_tokens *tokens, char text[FOUND_SIZE])
{
    int c = tokens->character;
    if (c == END)
        return "the end of the file";
    if (is_line_end(c))
        return "the end of the line";
    snprintf(text, FOUND_SIZE, c < ' ' || c > '~' ? "byte 0x%02x" : "'%c'", (unsigned)c);
    return text;
}

/* Fails at the next character, which is not what was expected. */
static enum step expected(const struct pdn_tokens *tokens, struct pdn_token *token, const char *what)
{
    char text[FOUND_SIZE];
    return fault_at(token, tokens->place, "%s expected, found %s", what, found(tokens, text));
}

static enum step unexpected(struct pdn_tokens *tokens, struct pdn_token *token)
{
    char text[FOUND_SIZE];
    fault_at(token, tokens->place, "%s has no meaning here", found(tokens, text));
    advance(tokens);
    return MADE_TOKEN;
}

/* -- What is passed over --------------------------------------------------------------------------------- */

static enum step skip_comment(struct pdn_tokens *tokens, struct pdn_token *token)
{
    struct pdn_place opened = tokens->place;
    while (tokens->character != END && tokens->character != '}')
        advance(tokens);
    if (tokens->character == END)
        return fault_at(token, opened, "the comment that begins here is never closed by '}'");
    advance(tokens);
    return PASSED_OVER;
}

static enum step skip_glyph(struct pdn_tokens *tokens, struct pdn_token *token)
{
    advance(tokens);
    if (!is_digit(tokens->character))
        return expected(tokens, token, "a number after '$'");
    skip_digits(tokens);
    return PASSED_OVER;
}

/* A parenthesis opens a variation, or holds the strength of a move: (?). */
static enum step read_parenthesis(struct pdn_tokens *tokens, struct pdn_token *token)
{
    advance(tokens);
    token->kind = PDN_TOKEN_OPEN;
    if (!is_strength(tokens->character))
        return MADE_TOKEN;
    skip_strengths(tokens);
    if (tokens->character != ')')
        return expected(tokens, token, "')' after the strength of a move");
    advance(tokens);
    tokens->after_move = true;
    return PASSED_OVER;
}

/* A byte order mark is passed over wherever files were put together. */
static enum step skip_byte_order_mark(struct pdn_tokens *tokens, struct pdn_token *token)
{
    static const int rest[] = {0xbb, 0xbf};
    struct pdn_place begin = tokens->place;
    advance(tokens);
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++) {
        if (tokens->character != rest[i])
            return fault_at(token, begin, "byte 0x%02x has no meaning here", BYTE_ORDER_MARK);
        advance(tokens);
    }
    tokens->place = begin;
    return PASSED_OVER;
}

/* -- Tags and setups ------------------------------------------------------------------------------------- */

static void append(char *text, size_t size, size_t *length, int c)
{
    if (*length + 1 < size)
        text[(*length)++] = (char)c;
    text[*length] = '\0';
}

/* Reads a text in quotation marks, with \" and \\ in it, up to its end on the same line. */
static bool read_string(struct pdn_tokens *tokens, struct pdn_token *token)
{
    struct pdn_place opened = tokens->place;
    size_t length = 0;
    if (tokens->character != '"') {
        expected(tokens, token, "'\"'");
        return false;
    }
    for (advance(tokens); tokens->character != '"'; advance(tokens)) {
        if (tokens->character == '\\') {
            advance(tokens);
            if (tokens->character != '"' && tokens->character != '\\')
                append(token->text, sizeof token->text, &length, '\\');
        }
        if (tokens->character == END || is_line_end(tokens->character)) {
            fault_at(token, opened, "the text that begins here is not closed by '\"' on its line");
            return false;
        }
        append(token->text, sizeof token->text, &length, tokens->character);
    }
    advance(tokens);
    skip_blanks_of_line(tokens);
    return true;
}

/* Reads a name of letters, digits and underlines that begins with a letter. */
static bool read_name(struct pdn_tokens *tokens, struct pdn_token *token)
{
    size_t length = 0;
    skip_blanks_of_line(tokens);
    if (!is_letter(tokens->character)) {
        expected(tokens, token, "a name");
        return false;
    }
    for (; is_letter(tokens->character) || is_digit(tokens->character) || tokens->character == '_';
         advance(tokens))
        append(token->name, sizeof token->name, &length, tokens->character);
    skip_blanks_of_line(tokens);
    return true;
}

/* Reads [Name "text"] or /FEN "text"/ between its first character and `closing`. */
static enum step read_named_text(struct pdn_tokens *tokens, struct pdn_token *token, enum pdn_token_kind kind,
                                 char closing)
{
    token->in_tag = kind == PDN_TOKEN_TAG;
    advance(tokens);
    struct pdn_place name_place = tokens->place;
    bool sound = read_name(tokens, token);
    if (sound && kind == PDN_TOKEN_SETUP && strcasecmp(token->name, "FEN") != 0) {
        fault_at(token, name_place, "FEN expected after '/'");
        sound = false;
    }
    sound = sound && read_string(tokens, token);
    if (sound && tokens->character != closing) {
        expected(tokens, token, closing == ']' ? "']'" : "'/'");
        sound = false;
    }
    if (!sound) {
        skip_line(tokens);
        return MADE_TOKEN;
    }
    advance(tokens);
    token->kind = kind;
    return MADE_TOKEN;
}

/* -- Words ----------------------------------------------------------------------------------------------- */

static bool is_result(const char *text)
{
    static const char *const results[] = {"1-0", "1/2-1/2", "0-1", "2-0", "1-1", "0-2", "0-0"};
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
        if (strcmp(text, results[i]) == 0)
            return true;
    return false;
}

/* True if the next character belongs to the word; '/' only where it makes 1/2. */
static bool goes_on(const struct pdn_tokens *tokens, const char *word, size_t length)
{
    int c = tokens->character;
    if (c == '/')
        return word[length - 1] == '1' && (length == 1 || word[length - 2] == '-');
    return is_letter(c) || is_digit(c) || is_sign(c);
}

/* True if the word goes on behind blanks: a sign stands before or behind them. */
static bool goes_on_after_blanks(const struct pdn_tokens *tokens, const char *word, size_t length)
{
    return is_sign(tokens->character) || (is_sign(word[length - 1]) && goes_on(tokens, word, length));
}

/* Reads a word without its blanks and returns its length, more than PDN_WORD_LIMIT if it is cut. */
static size_t read_characters(struct pdn_tokens *tokens, struct pdn_token *token)
{
    size_t length = 0;
    do {
        do {
            append(token->text, PDN_WORD_LIMIT + 2, &length, tokens->character);
            advance(tokens);
        } while (goes_on(tokens, token->text, length));
        tokens->after_move = !is_blank(tokens->character);
        skip_blanks(tokens);
    } while (!tokens->after_move && goes_on_after_blanks(tokens, token->text, length));
    return length;
}

static unsigned long long number_of(const char *digits)
{
    const unsigned long long most = 999999999;
    unsigned long long number = 0;
    for (; *digits; digits++)
        number = number > most / 10 ? most : 10 * number + (unsigned)(*digits - '0');
    return number;
}

static enum step read_word(struct pdn_tokens *tokens, struct pdn_token *token)
{
    size_t length = read_characters(tokens, token);
    if (length > PDN_WORD_LIMIT)
        return fault_at(token, token->place, "no move has more than %d characters", PDN_WORD_LIMIT);
    if (tokens->character == '.' && strspn(token->text, "0123456789") == length) {
        token->kind = PDN_TOKEN_NUMBER;
        token->number = number_of(token->text);
        tokens->after_move = false;
        return MADE_TOKEN;
    }
    token->kind = is_result(token->text) ? PDN_TOKEN_RESULT : PDN_TOKEN_WORD;
    tokens->after_move = tokens->after_move && token->kind == PDN_TOKEN_WORD;
    return MADE_TOKEN;
}

static enum step read_star(struct pdn_tokens *tokens, struct pdn_token *token, bool after_move)
{
    advance(tokens);
    tokens->after_move = after_move;
    if (after_move)
        return PASSED_OVER;
    token->kind = PDN_TOKEN_RESULT;
    strcpy(token->text, "*");
    return MADE_TOKEN;
}

/* -- The next token -------------------------------------------------------------------------------------- */

static enum step read_step(struct pdn_tokens *tokens, struct pdn_token *token, bool after_move)
{
    switch (tokens->character) {
    case END: token->kind = PDN_TOKEN_END; return MADE_TOKEN;
    case '{': return skip_comment(tokens, token);
    case ';':
    case '%': skip_line(tokens); return PASSED_OVER;
    case '.': advance(tokens); return PASSED_OVER;
    case '$': return skip_glyph(tokens, token);
    case '!':
    case '?':
        skip_strengths(tokens);
        tokens->after_move = true;
        return PASSED_OVER;
    case '*': return read_star(tokens, token, after_move);
    case '(': return read_parenthesis(tokens, token);
    case ')':
        advance(tokens);
        token->kind = PDN_TOKEN_CLOSE;
        return MADE_TOKEN;
    case '[': return read_named_text(tokens, token, PDN_TOKEN_TAG, ']');
    case '/': return read_named_text(tokens, token, PDN_TOKEN_SETUP, '/');
    case BYTE_ORDER_MARK: return skip_byte_order_mark(tokens, token);
    default: break;
    }
    if (is_letter(tokens->character) || is_digit(tokens->character))
        return read_word(tokens, token);
    return unexpected(tokens, token);
}

void pdn_tokens_init(struct pdn_tokens *tokens, struct pdn_source source)
{
    tokens->source = source;
    tokens->place = (struct pdn_place){1, 1};
    tokens->after_move = false;
    tokens->next = 0;
    tokens->filled = 0;
    tokens->character = next_byte(tokens);
}

void pdn_token_next(struct pdn_tokens *tokens, struct pdn_token *token)
{
    enum step step;
    do {
        bool after_move = tokens->after_move && !is_blank(tokens->character);
        tokens->after_move = false;
        skip_blanks(tokens);
        token->place = tokens->place;
        token->number = 0;
        token->in_tag = false;
        token->name[0] = '\0';
        token->text[0] = '\0';
        step = read_step(tokens, token, after_move);
    } while (step == PASSED_OVER);
}
