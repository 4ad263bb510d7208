/*
 * The slow reference: draughts rules on a plain coordinate board, written from the words of the
 * rules page, with lists of squares and nothing else. It exists to be compared with the fast
 * generator and shares nothing with it. No values, no tables, no solving here.
 */
#ifndef TESTS_SLOW_RULES_H
#define TESTS_SLOW_RULES_H

#include <stdbool.h>
#include <stddef.h>

enum {
    SLOW_MAX_CELLS = 100, /* cells of the largest board, played or not */
    SLOW_MAX_JUMPS = 64,  /* more than any capture can take: one jump for each enemy piece */
    SLOW_SQUARE_TEXT = 4, /* "50" or "h8" with its final zero, and one to spare */
    SLOW_TEXT = 512       /* room for any FEN and any move that this file writes */
};

/* Where a variant's square numbers begin and how they run, as White sees the board. */
enum slow_numbering {
    SLOW_FROM_TOP_LEFT,     /* 1 is the first played square of the top row, then to the right */
    SLOW_FROM_BOTTOM_RIGHT, /* 1 is the last played square of the bottom row, then to the left */
    SLOW_ALGEBRAIC          /* written a1 to h8; numbered in that order, file by file */
};

/* Directions a man may use. */
enum slow_directions {
    SLOW_FORWARD,              /* F: both forward diagonals */
    SLOW_FORWARD_AND_BACKWARD, /* FB: all four diagonals */
    SLOW_FORWARD_AND_SIDEWAYS  /* O3: forward and both sides, orthogonally */
};

/* What happens to a man that reaches the last row inside a capture. */
enum slow_crowning {
    SLOW_CROWNED_STOPS,  /* crowned, the move is over */
    SLOW_CROWNED_PASSES, /* goes on as a man, crowned only if the move ends there */
    SLOW_CROWNED_KING    /* goes on as a king */
};

/* One row of the rule table. */
struct slow_variant {
    const char *name;
    int width;          /* 8 or 10, rows and columns */
    bool orthogonal;    /* pieces walk along rows and columns, all squares played */
    bool corner_played; /* the lower left corner (a1) is a played square */
    enum slow_numbering numbering;
    bool black_begins;
    int start_row;                 /* first row of White's men at the start, 0 = back row */
    int start_rows;                /* how many rows of men */
    enum slow_directions men_step; /* quiet moves of men */
    enum slow_directions men_take; /* captures of men */
    bool flying;                   /* kings fly, else they step one square */
    bool must_land;                /* landing `must`: where the capture can go on, if it can */
    bool man_takes_king;
    bool gone_now;    /* victims leave at once, else at the end of the move */
    bool no_reversal; /* no two jumps in a row in opposite directions */
    enum slow_crowning crowning;
    const char *choice;         /* letters of N, K, C, E, F (E for the first king only) in order
                                 * of weight; "" is free */
    bool men_leave_back_row;    /* men cannot stand on their own back row either */
    bool king_beats_man;        /* special end: one king against one man is won */
    bool one_against_one_draws; /* special end: one piece against one is a draw */
    bool only_captures_zero;    /* else a man's step to another row sets the no-progress count to zero too */
    int limit;                  /* plies without a zeroing move that make a draw; 0: none */
};

/* A board as White sees it: row 0 = rank 1 = White's back row, column 0 = file a. */
struct slow_position {
    char at[SLOW_MAX_CELLS]; /* [row * width + column]: '.', 'w', 'W' (king), 'b', 'B' */
    bool white_to_move;
};

/* One legal move. Of several paths to the same position, the one with the lowest numbers. */
struct slow_move {
    int from;
    int to;
    int path[SLOW_MAX_JUMPS];         /* every landing cell in order, without from, with to */
    int path_length;                  /* 1 for a quiet move */
    int taken[SLOW_MAX_JUMPS];        /* victims' cells in order of capture */
    char taken_piece[SLOW_MAX_JUMPS]; /* and what stood there */
    int taken_count;                  /* 0 for a quiet move */
    char piece;                       /* what moves, as it was before the move */
    bool crowned;                     /* a man became a king in this move */
    struct slow_position result;      /* the position after it, other side to move */
};

/* A growing list. Start with all fields zero, reuse at will, free at the end. */
struct slow_move_list {
    struct slow_move *moves;
    int count;
    int capacity;
    bool out_of_memory;
};

enum slow_end { SLOW_PLAYED_ON, SLOW_END_WON, SLOW_END_LOST, SLOW_END_DRAWN }; /* for the side to move */

/* The row of that name, NULL if there is none; or row number i from 0, NULL after the last. */
const struct slow_variant *slow_variant_named(const char *name);
const struct slow_variant *slow_variant_at(int i);

/* Squares. Numbers run from 1; a cell that is not played has number 0, a bad number cell -1. */
bool slow_is_played(const struct slow_variant *variant, int cell);
int slow_square_count(const struct slow_variant *variant);
int slow_square_number(const struct slow_variant *variant, int cell);
int slow_cell_of_number(const struct slow_variant *variant, int number);

/* Writes "27" or "d1" and returns its length. */
int slow_square_text(const struct slow_variant *variant, int cell, char buffer[SLOW_SQUARE_TEXT]);

/* May a man of that colour stand there at all? */
bool slow_man_may_stand(const struct slow_variant *variant, bool white, int cell);

/* The position the game starts from. */
struct slow_position slow_start(const struct slow_variant *variant);

/*
 * Reads the written form of a FEN only ("W:WK20,27:B13"): White first, no blanks, ranges or dot;
 * squares may come in any order. False if the text is anything else, names a square twice or
 * places a man where none can stand.
 */
bool slow_parse_fen(const struct slow_variant *variant, const char *text, struct slow_position *position);
void slow_write_fen(const struct slow_variant *variant, const struct slow_position *position,
                    char buffer[SLOW_TEXT]);

/* All legal moves, in no particular order. Returns their number, -1 if memory ran out. */
int slow_moves(const struct slow_variant *variant, const struct slow_position *position,
               struct slow_move_list *list);
void slow_move_list_free(struct slow_move_list *list);

/* Writes the whole path: "27-23", "27x18x9". */
void slow_move_text(const struct slow_variant *variant, const struct slow_move *move, char buffer[SLOW_TEXT]);

/* Does the move set the no-progress count to zero? */
bool slow_move_zeroes(const struct slow_variant *variant, const struct slow_move *move);

/* Has a special end decided this position? moves: what slow_moves gave for it. */
enum slow_end slow_special_end(const struct slow_variant *variant, const struct slow_position *position,
                               const struct slow_move_list *moves);

/* Number of move sequences of that length; special ends are not looked at. -1: out of memory. */
long long slow_perft(const struct slow_variant *variant, const struct slow_position *position, int depth);

#endif
