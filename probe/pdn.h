/* Games in PDN: where each begins and ends, its tags, and the moves of its main line. Variations are read
 * over; whether a move is legal is pdn_game.h's. */
#ifndef PROBE_PDN_H
#define PROBE_PDN_H

#include "pdn_token.h"

enum pdn_item_kind {
    PDN_TAG,      /* `name` and `text` */
    PDN_MOVE,     /* `text`, as it stands there; `number`, or 0 where none is written before it */
    PDN_SETUP,    /* `text` is a FEN that replaces the position */
    PDN_FAULT,    /* `text` is what is wrong; the rest of the game is passed over */
    PDN_GAME_END, /* `text` is the result that ends it, or empty */
    PDN_FILE_END
};

struct pdn_item {
    enum pdn_item_kind kind;
    struct pdn_place place;
    unsigned long long number;
    const char *name; /* both until the next item is read */
    const char *text;
};

struct pdn_reader {
    struct pdn_tokens tokens;
    struct pdn_token token;
    bool kept;                 /* the token belongs to the next game */
    bool begun;                /* something of the game was read */
    bool in_moves;             /* more than tags: another tag begins another game */
    bool passing;              /* over the rest of the game */
    unsigned long long number; /* written, for the next move; 0 if none */
    unsigned long long depth;  /* variations that are open */
    struct pdn_place opened;   /* the outermost of them */
};

/* Begins to read. */
void pdn_reader_init(struct pdn_reader *reader, struct pdn_source source);

/* Reads the next item. Every game is a run of items that ends with PDN_GAME_END and has at most one fault; a
 * game has a tag, a move or a fault, so that a result alone is none. After PDN_FILE_END there is nothing
 * else. Takes bounded memory and stack for any text. */
void pdn_read(struct pdn_reader *reader, struct pdn_item *item);

/* Passes over what is left of the game: its end is the next item. */
void pdn_pass_over(struct pdn_reader *reader);

#endif
