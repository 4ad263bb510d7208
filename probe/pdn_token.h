/* Tokens of PDN, the text format of games: tags, move numbers, words that should be moves, results. Comments,
 * annotations and blanks are passed over here. What the tokens mean together is in pdn.h.
 * Text comes through a callback, a piece at a time, so that a file of any length takes the same memory.
 * The form is the liberal reading grammar of the PDN 3.0 draft standard (10x10.org/pdn). */
#ifndef PROBE_PDN_TOKEN_H
#define PROBE_PDN_TOKEN_H

#include "fen.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    PDN_NAME_SIZE = 64, /* longest name of a tag that is kept, with the final zero */
    PDN_TEXT_SIZE =
        FEN_READ_LIMIT + 2, /* a longer text is cut; a FEN that was cut is still too long to read */
    PDN_WORD_LIMIT = 256,   /* no move has more characters */
    PDN_BUFFER_SIZE = 4096
};

/* Where text comes from: up to `room` bytes into `buffer`, 0 at the end. Whether it ended because reading
 * failed is for the owner of the context to know. */
struct pdn_source {
    size_t (*read)(void *context, char *buffer, size_t room);
    void *context;
};

/* Both from 1; columns count characters of UTF-8. */
struct pdn_place {
    unsigned long long line;
    unsigned long long column;
};

enum pdn_token_kind {
    PDN_TOKEN_TAG,    /* [Name "text"] */
    PDN_TOKEN_NUMBER, /* a move number with its dots */
    PDN_TOKEN_WORD,   /* a move, it seems, without the blanks that may stand beside its signs */
    PDN_TOKEN_RESULT, /* the end of a game: 1-0, 1/2-1/2, 0-1, 2-0, 1-1, 0-2, 0-0 or * */
    PDN_TOKEN_SETUP,  /* a position inside the moves, /FEN "text"/ */
    PDN_TOKEN_OPEN,   /* ( of a variation */
    PDN_TOKEN_CLOSE,  /* ) of a variation */
    PDN_TOKEN_FAULT,  /* `text` is what is wrong at `place` */
    PDN_TOKEN_END
};

struct pdn_token {
    enum pdn_token_kind kind;
    struct pdn_place place;    /* of its first character, or of the fault */
    unsigned long long number; /* of a move */
    bool in_tag;               /* a fault inside a tag */
    char name[PDN_NAME_SIZE];  /* of a tag; a longer one is cut */
    char text[PDN_TEXT_SIZE];
};

struct pdn_tokens {
    struct pdn_source source;
    struct pdn_place place; /* of `character` */
    int character;          /* the next one, or negative at the end */
    bool after_move;        /* it stands right behind a move or its annotation */
    size_t next;            /* place in the buffer of the byte after it */
    size_t filled;
    char buffer[PDN_BUFFER_SIZE];
};

/* Begins to read. */
void pdn_tokens_init(struct pdn_tokens *tokens, struct pdn_source source);

/* Reads the next token; after the end there are only ends. After a fault it goes on behind what was wrong,
 * inside a tag on the next line. Takes bounded memory and stack for any text. */
void pdn_token_next(struct pdn_tokens *tokens, struct pdn_token *token);

#endif
