/* What the parts of the word solver share: a unit under work as rows of words.
 *
 * Squares are as the first member of the pair sees them, whoever moves. A side with kings has its positions
 * in two forms. In its own form a bit is a king of the side to move: for each set of the other side's kings a
 * plane of rows, one for each set of all its own kings but one. In the other form a bit is a king of the side
 * that waits: for each set of the mover's kings a plane of rows. Moves of a king stay in a row of the own
 * form and lead to the row of the same number in the other form of the opponent's positions. A side without
 * kings has one plane of the other form and no own form.
 *
 * Rows are worked on in batches of whole planes, small enough for the nearest cache. */
#ifndef GEN_WORD_WORK_H
#define GEN_WORD_WORK_H

#include "capture.h"
#include "unit.h"
#include "word_rows.h"

enum {
    LEVELS = 4,       /* of captures of one piece on a ladder of choice */
    BATCH_ROWS = 256, /* a batch has about as many, or one plane */
    TABLE_SLOTS = 256 /* a power of two, far more than a pass needs */
};

/* Finished positions as bits by number: some men, some kings of both sides, one side to move. */
struct table {
    int mover;
    word men[2]; /* by side, as all arrays of two here */
    int kings[2];
    unsigned slot;
    bool loaded;
    bool gone;      /* the mover has no piece: he has lost, and there are no bits */
    uint64_t *wins; /* of the mover; one allocation */
    uint64_t *losses;
    uint64_t *spoilt;    /* which of them a draw limit has made other values; null: none */
    size_t bytes;        /* of the allocation */
    uint16_t *distances; /* by number; null where nobody has asked */
    uint64_t used;       /* the pass that asked for it last */
};

struct side {
    int kings;
    int other_kings;
    int bit_kings; /* of the side that has the bit: its own, or the other's if it has none */
    uint32_t planes;
    uint32_t rows;          /* of a plane */
    size_t size;            /* rows in all */
    const word *plane_sets; /* kings by plane and by row, but for the one that is the bit */
    const word *row_sets;
    /* Own form, by row; null without own kings: */
    word *open;     /* undecided */
    word *safe;     /* of these: a man's step draws */
    word *new_wins; /* decided, but not in the other form yet */
    word *new_losses;
    /* With distances (word_distances.h), as above: */
    word *first_wins; /* decided by a move of one ply */
    word *first_losses;
    word *exits; /* of the open ones: a man has steps, all of which lose */
    /* The other form; the own form where the other side has no kings: */
    word *wins;
    word *losses;
    size_t result_size;
    uint8_t *changed; /* planes of the results, since the other side has looked at them */
};

/* Rows under work, and what is known of each. The words are bits of its squares. */
struct batch {
    size_t first;
    size_t count;
    uint32_t plane; /* the first */
    uint32_t planes;
    word *empty;  /* squares that the bit king may stand on; 0 where sets of the row overlap */
    word *others; /* kings of the side that waits, but for a bit king of its own */
    word *victims;
    word *starts[DIRECTIONS]; /* squares from which kings can take something that way */
    word *has[LEVELS];        /* captures of a level on the ladder of choice, */
    word *level_wins[LEVELS]; /* the values of those of one piece */
    word *level_draws[LEVELS];
    word *several; /* captures of more than one piece may be there */
    word *wins;    /* by captures */
    word *draws;
    word *step_wins; /* by men's steps */
    word *step_draws;
    word *after_wins; /* of the opponent, after a move */
    word *after_losses;
    word *after_spoilt; /* of these: a draw limit makes them other values */
    word *step_losses;
    word *plane_wins; /* a plane of a table with a king more */
    word *plane_losses;
    word *plane_spoilt;
    word *room; /* all of the above */
};

struct word_distances;

struct work {
    const struct plan *plan;
    const struct variant *variant;
    struct values *values;
    struct capture_search *captures;
    uint32_t pair; /* of the plan */
    word men[2];
    struct side sides[2];
    struct batch batch;
    word *sets[MAX_CHOSEN + 1];        /* all sets of n squares, where somebody asks for them */
    struct table *tables[TABLE_SLOTS]; /* by hash; null where none has been yet */
    size_t table_bytes;
    uint64_t time;                    /* counts passes */
    bool spoilt;                      /* met a value that a limit has made, and cannot tell what that means */
    struct word_distances *distances; /* null where nobody asks for them */
    uint64_t captured;
    uint64_t found[2][VALUES];
    uint32_t plies;
};

/* The set as a side sees the board, and back. */
static inline word seen_by(int side, word set)
{
    return side == 0 ? set : word_turned(set);
}

/* A direction as the first side sees it. */
static inline int direction_of(int side, int direction)
{
    return side == 0 ? direction : direction ^ 2;
}

/* The position of a side to move, as it sees it. */
static inline struct position position_of(const struct work *work, int side, word own_kings, word kings)
{
    return (struct position){.own_men = seen_by(side, work->men[side]),
                             .own_kings = seen_by(side, own_kings),
                             .opponent_men = seen_by(side, work->men[1 - side]),
                             .opponent_kings = seen_by(side, kings)};
}

/* Bits above all squares of a set. */
static ALWAYS_INLINE word bits_above(word set)
{
    return set ? (word)((word) ~(word)0 << bits_highest(set)) << 1 : (word) ~(word)0;
}

#endif
