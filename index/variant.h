/* A variant: its row of the rule table, its board, its move functions, and how squares are named.
 * The rows themselves are in variants.h. Nothing outside index/ asks which variant it is. */
#ifndef INDEX_VARIANT_H
#define INDEX_VARIANT_H

#include "board.h"
#include "position.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum landing { LANDING_ANY, LANDING_MUST };
enum crowned { CROWNED_STOP, CROWNED_PASS, CROWNED_KING };
/* KING_BEATS_MAN: one king against one man is won; ONE_AGAINST_ONE_DRAWS: one piece against one is a draw;
 * both unless the side to move has a capture. */
enum special_end { NO_SPECIAL_END, KING_BEATS_MAN, ONE_AGAINST_ONE_DRAWS };
enum square_names { NUMBERS_FROM_TOP_LEFT, NUMBERS_FROM_BOTTOM_RIGHT, ALGEBRAIC };

/* What must be taken, in the order in which it decides. */
enum choice {
    CHOICE_FREE = 0,
    MOST_PIECES = 1,
    BY_KING = 2,
    MOST_KINGS = 4,
    KINGS_EARLIEST = 8,       /* the whole order of victims counts */
    FIRST_KING_EARLIEST = 16, /* only the place of the first king among them */
};

/* What sets the no-progress count to zero, besides captures. */
enum zeroing { ZEROED_BY_CAPTURES, ZEROED_BY_FORWARD_STEPS };

/* One row of the rule table. Directions are bit masks over the directions of the board. */
struct rules {
    const char *name;
    const struct board *board;
    bool lower_left_played;
    uint8_t man_steps; /* where men go */
    uint8_t man_takes; /* where men take */
    bool flying;       /* kings cross any number of empty squares */
    enum landing landing;
    bool man_takes_king;
    bool gone_now; /* a victim leaves at once, not when the move is over */
    bool may_turn; /* two jumps in a row in opposite directions */
    enum crowned crowned;
    uint8_t choice; /* set of enum choice */
    enum special_end special_end;
    uint8_t man_first_row; /* lowest row a man can stand on; its last is the one before the top row */
    enum zeroing zeroing;
    uint16_t limit; /* plies without a zeroing move that make a draw; 0: none */
    enum square_names names;
    bool black_begins;
    uint8_t start_first_row; /* rows of men at the start of the game */
    uint8_t start_rows;
    char capture_sign;
    const char *game_type; /* of PDN */
    const char *lender;    /* variant with the same moves whose values may be read where tables are missing */
    const char *summary;   /* the rules in a line */
    const char *source;    /* where each decision comes from, in sentences; no rule */
};

struct move;
struct move_list;
struct move_paths;

/* The move functions of one variant, all compiled from moves.c. */
struct move_functions {
    /* True if own can take something. */
    bool (*has_capture)(const struct position *position);
    /* Appends the legal captures, each distinct move once. With `paths`, the path with the lowest
     * squares of each move, as White names them, is written beside it; it may be null. (moves_sorted of
     * move_text.h has the right ones for Black.) */
    void (*captures)(const struct position *position, struct move_list *list, struct move_paths *paths);
    /* Appends all moves that take nothing, as if there were no captures. */
    void (*quiet)(const struct position *position, struct move_list *list);
};

struct variant {
    struct rules rules;
    const struct move_functions *moves;
};

/* The table. */
extern const struct variant *const variant_table[];
extern const size_t variant_count;

/* The variant of that name, or null. */
const struct variant *variant_named(const char *name);

/* A number that changes with every rule of the row that a value or a distance can depend on, and with nothing
 * else. */
uint64_t variant_fingerprint(const struct variant *variant);

/* Rows on which own men can stand: from `first` to `last`. The opponent's mirror them. */
static inline int variant_first_man_row(const struct variant *variant)
{
    return variant->rules.man_first_row;
}
static inline int variant_last_man_row(const struct variant *variant)
{
    return variant->rules.board->rows - 2;
}

/* Squares on which own men, and the opponent's, can stand. */
uint64_t variant_own_men_squares(const struct variant *variant);
uint64_t variant_opponent_men_squares(const struct variant *variant);

/* True if men have a step that takes them to no other row, so that units join whole cells. */
bool variant_men_step_sideways(const struct variant *variant);

/* Null if the position is one of this variant, or what is wrong with it in a few words. A side without
 * pieces is no fault. */
const char *variant_fault(const struct variant *variant, const struct position *position);

/* White's pieces at the start, White as own. */
struct position variant_start(const struct variant *variant);

/* Column (0 = file a) and row (0 = rank 1) of a square as White sees the real board. */
int variant_column(const struct variant *variant, int square);
/* The square there, or NO_SQUARE where nothing is played or off the board. */
int variant_square_at(const struct variant *variant, int column, int row);

/* Number of a square, 1 to 32, 50 or 64: the printed one, for algebraic variants counted file by file from
 * a1, which is also the order in which their squares are written. */
int variant_square_number(const struct variant *variant, int square);
/* The square of that number, or NO_SQUARE. */
int variant_square_of_number(const struct variant *variant, int number);

#endif
