/* Games in PDN played through under the rules: the variant of each, its positions, its moves as this program
 * writes them, and the first thing in it that cannot be. Needs no tables and prints nothing.
 *
 * The variant is the one given for all games; else the row whose GameType has the number that the game's tag
 * begins with, and of several such rows the first; else, without a tag, that of GameType 20, which is what
 * the PDN standard says. */
#ifndef PROBE_PDN_GAME_H
#define PROBE_PDN_GAME_H

#include "move_text.h"
#include "pdn.h"
#include "variant.h"

enum {
    PDN_DEFAULT_GAME_TYPE = 20, /* of a game without the tag */
    PDN_HEADER_SIZE = 256,      /* what is kept of a tag, with the final zero */
    PDN_MESSAGE_SIZE = 2048,
    PDN_LABEL_SIZE = 32
};

enum pdn_event {
    PDN_GAME_BEGINS,    /* the tags are read; where they are faulty, that is the next event */
    PDN_GAME_MOVES,     /* a move was made */
    PDN_GAME_SET_UP,    /* another position was put on the board */
    PDN_GAME_IS_FAULTY, /* `message` says why; the rest of the game is passed over */
    PDN_GAME_ENDS,      /* follows all others of a game */
    PDN_NO_MORE_GAMES
};

struct pdn_headers {
    char event[PDN_HEADER_SIZE];
    char white[PDN_HEADER_SIZE];
    char black[PDN_HEADER_SIZE];
    char result[PDN_HEADER_SIZE]; /* of the tag */
    char game_type[PDN_HEADER_SIZE];
    char fen[PDN_TEXT_SIZE];
    struct pdn_place game_type_place;
    struct pdn_place fen_place;
};

struct pdn_player {
    struct pdn_reader reader;
    struct pdn_item item;
    bool item_kept;               /* the item was read but not looked at */
    bool fault_kept;              /* the beginning of the game was faulty, which is still to be told */
    const struct variant *chosen; /* for all games, or null */

    /* The game */
    unsigned long long game;       /* from 1 */
    struct pdn_place place;        /* where it begins */
    bool begun;                    /* PDN_GAME_BEGINS was given */
    const struct variant *variant; /* null where the tags are faulty */
    struct pdn_headers headers;    /* empty texts where there is no tag */
    char result[PDN_HEADER_SIZE];  /* at the end: of the tag, else what ends the moves; may be empty */
    unsigned long long plies;

    /* Now */
    bool has_position; /* false where the tags are faulty */
    struct position own_view;
    bool black_to_move;
    char note[PDN_MESSAGE_SIZE];    /* something odd about what has just been read, or empty */
    char message[PDN_MESSAGE_SIZE]; /* of a fault */
    struct pdn_place fault_place;

    /* The last move, also one that cannot be made */
    unsigned long long number;
    bool by_black;
    char text[PDN_WORD_LIMIT + 2]; /* as it stands in the file */
    char move[MOVE_TEXT_SIZE];     /* as it is written here; empty if it cannot be made */
    int index;                     /* in `legal` */
    struct position before;        /* own view of its mover */
    struct move_list legal;        /* the mover's moves, sorted by text */
    struct move_paths paths;
    struct move_list single; /* to try moves one by one */
    struct move_paths single_path;
};

/* Begins to read; `chosen` is the variant of all games, or null. The player is large: not for the stack. */
void pdn_player_init(struct pdn_player *player, struct pdn_source source, const struct variant *chosen);

/* Goes on to the next event. */
enum pdn_event pdn_player_next(struct pdn_player *player);

/* Writes the number of the last move as PDN does: "12." for the side that begins the game of this variant,
 * "12..." for the other. A number that is written in the game is taken over, else it is counted on. */
void pdn_label_write(const struct pdn_player *player, char label[PDN_LABEL_SIZE]);

#endif
