/* Games out of tokens. A game ends with a result, with a tag behind its moves, or with the file. */
#include "pdn.h"

#include <string.h>

void pdn_reader_init(struct pdn_reader *reader, struct pdn_source source)
{
    memset(reader, 0, sizeof *reader);
    pdn_tokens_init(&reader->tokens, source);
}

void pdn_pass_over(struct pdn_reader *reader)
{
    reader->passing = true;
}

static bool make(struct pdn_item *item, enum pdn_item_kind kind, struct pdn_place place, const char *text)
{
    item->kind = kind;
    item->place = place;
    item->text = text;
    return true;
}

static bool make_fault(struct pdn_reader *reader, struct pdn_item *item, struct pdn_place place,
                       const char *text)
{
    reader->passing = true;
    return make(item, PDN_FAULT, place, text);
}

/* Ends the game; its token is the next game's unless it is a result. */
static bool end_game(struct pdn_reader *reader, struct pdn_item *item)
{
    bool result = reader->token.kind == PDN_TOKEN_RESULT;
    reader->kept = !result;
    reader->begun = false;
    reader->in_moves = false;
    reader->passing = false;
    reader->number = 0;
    reader->depth = 0;
    return make(item, PDN_GAME_END, reader->token.place, result ? reader->token.text : "");
}

/* A variation that is still open where it cannot go on. The token stays for the next call. */
static bool unclosed(struct pdn_reader *reader, struct pdn_item *item)
{
    reader->depth = 0;
    reader->kept = true;
    return make_fault(reader, item, reader->opened, "the variation that begins here is never closed by ')'");
}

static bool at_end(struct pdn_reader *reader, struct pdn_item *item)
{
    if (reader->depth > 0 && !reader->passing)
        return unclosed(reader, item);
    if (reader->begun)
        return end_game(reader, item);
    reader->kept = true;
    return make(item, PDN_FILE_END, reader->token.place, "");
}

/* Also for a fault inside a tag, which is as much the beginning of a game as a tag is. */
static bool at_tag(struct pdn_reader *reader, struct pdn_item *item)
{
    if (reader->depth > 0 && !reader->passing)
        return unclosed(reader, item);
    if (reader->in_moves)
        return end_game(reader, item);
    reader->begun = true;
    if (reader->passing)
        return false;
    if (reader->token.kind == PDN_TOKEN_FAULT)
        return make_fault(reader, item, reader->token.place, reader->token.text);
    return make(item, PDN_TAG, reader->token.place, reader->token.text);
}

static bool at_fault(struct pdn_reader *reader, struct pdn_item *item)
{
    if (reader->token.in_tag)
        return at_tag(reader, item);
    reader->begun = true;
    reader->in_moves = true;
    return !reader->passing && make_fault(reader, item, reader->token.place, reader->token.text);
}

/* A move or a setup. */
static bool at_move(struct pdn_reader *reader, struct pdn_item *item, enum pdn_item_kind kind)
{
    reader->begun = true;
    reader->in_moves = true;
    if (reader->depth > 0 || reader->passing)
        return false;
    if (kind == PDN_MOVE) {
        item->number = reader->number;
        reader->number = 0;
    }
    return make(item, kind, reader->token.place, reader->token.text);
}

static bool at_parenthesis(struct pdn_reader *reader, struct pdn_item *item)
{
    bool opens = reader->token.kind == PDN_TOKEN_OPEN;
    reader->begun = true;
    reader->in_moves = true;
    if (opens && reader->depth++ == 0)
        reader->opened = reader->token.place;
    if (opens)
        return false;
    if (reader->depth == 0)
        return !reader->passing &&
               make_fault(reader, item, reader->token.place, "')' closes no variation: none is open");
    reader->depth--;
    return false;
}

/* Looks at one token. False if it is no item. */
static bool look(struct pdn_reader *reader, struct pdn_item *item)
{
    switch (reader->token.kind) {
    case PDN_TOKEN_TAG: return at_tag(reader, item);
    case PDN_TOKEN_FAULT: return at_fault(reader, item);
    case PDN_TOKEN_WORD: return at_move(reader, item, PDN_MOVE);
    case PDN_TOKEN_SETUP: return at_move(reader, item, PDN_SETUP);
    case PDN_TOKEN_OPEN:
    case PDN_TOKEN_CLOSE: return at_parenthesis(reader, item);
    case PDN_TOKEN_RESULT: return reader->begun && reader->depth == 0 && end_game(reader, item);
    case PDN_TOKEN_NUMBER:
        reader->begun = true;
        reader->in_moves = true;
        if (reader->depth == 0)
            reader->number = reader->token.number;
        return false;
    case PDN_TOKEN_END: break;
    }
    return at_end(reader, item);
}

void pdn_read(struct pdn_reader *reader, struct pdn_item *item)
{
    *item = (struct pdn_item){.name = reader->token.name};
    do {
        if (!reader->kept)
            pdn_token_next(&reader->tokens, &reader->token);
        reader->kept = false;
    } while (!look(reader, item));
}
