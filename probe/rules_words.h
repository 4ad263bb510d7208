/* Words for the values of a row's fields, and the sentences that every variant shares. How they become texts
 * is rules_text.h and rules_document.h. */
#ifndef PROBE_RULES_WORDS_H
#define PROBE_RULES_WORDS_H

#include "variant.h"

/* -- One word a value, as in --json ------------------------------------------------------------------------
 * Hyphens stand between the parts of a word. */

const char *landing_word(enum landing landing);
const char *crowned_word(enum crowned crowned);
const char *special_end_word(enum special_end special_end);
const char *zeroing_word(enum zeroing zeroing);
const char *square_names_word(enum square_names names);
/* Of a single rung of enum choice, CHOICE_FREE too. */
const char *choice_word(enum choice rung);
/* Of a direction of the board, as the side that moves sees it on the variant's real board. */
const char *direction_word(const struct variant *variant, int direction);

/* The rungs in the order in which they decide. */
enum { CHOICE_RUNGS = 5 };
extern const enum choice choice_rungs[CHOICE_RUNGS];

/* -- Phrases and sentences ------------------------------------------------------------------------------- */

enum { PHRASE_SIZE = 128 };

/* Writes "diagonally forward or backward" into PHRASE_SIZE bytes and returns them. */
const char *directions_phrase(const struct variant *variant, int directions, char *phrase);

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

#endif
