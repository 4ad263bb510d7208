/* The proof of stored values and distances: each position's from those of the positions its moves lead to, by
 * the equations of index/distance.h, and the counts in headers from the positions. Who shares the work, and
 * who tells of it, is verify.c. No MPI.
 *
 * Where a slice has distances, value and distance must be exactly what follows: by induction over the
 * distance that proves them, if all that captures and promotions lead to is proved too. Where it has none,
 * what follows from a move that does not zero is a range of distances (a win under a limit L takes 1 to L
 * plies, a cursed one L + 1 or more, ...), so a range of distances follows for the position, and the value
 * must be one that a distance of that range has. Without a limit that is one value; with a limit it can be
 * two: cursed win beside win where the best move is one to a loss that does not zero (the loss may take
 * exactly L plies), and blessed loss beside loss likewise. That is necessary, not sufficient: wins that only
 * lead to each other in a circle would pass. */
#ifndef GEN_PROOF_H
#define GEN_PROOF_H

#include "successors.h"
#include "truth.h"

/* What a position comes to: its plain value (WIN, DRAW, LOSS) and the least and greatest distance that it can
 * have; the same one wherever distances are stored. */
struct derivation {
    enum value plain;
    uint32_t least;
    uint32_t greatest;
};

/* The first position at fault. */
struct proof_fault {
    uint64_t number;
    enum value value; /* as stored */
    uint16_t distance;
    struct derivation derived;
};

/* What was counted; all numbers, so that ranks can add them up. */
struct proof_tally {
    uint64_t counts[VALUES];   /* of all positions, captures too */
    uint64_t greatest[VALUES]; /* distance + 1 of true wins and losses; 0: none, or no distances */
};

struct proof {
    struct truth *truth;
    struct truth_slice *slice;
    struct truth_slice *same;    /* after a quiet move */
    struct truth_slice *crowned; /* after a promotion; null without men */
    bool special;                /* a special end decides what has no capture, as */
    enum value special_value;
    struct truth_block block; /* the one being proved, which the truth may drop meanwhile */
    struct move_list list;
    struct successors successors;
};

/* What is at fault: nothing, or a position. */
enum proof_result { PROOF_HOLDS, PROOF_FAILS };

/* Gets ready for a slice of the truth. STATUS_NO_TABLE if a table is missing that its quiet moves need: that
 * of the promoted, or its distances where distances run on through promotions. Then truth_message tells. */
enum status proof_begin(struct proof *proof, struct truth *truth, struct slice slice);

/* Proves the positions from number `first`, which begins a block of the truth, and adds them to the tally,
 * up to the first that fails: then *result tells so and *fault which. Other failures are those of the truth.
 */
enum status proof_run(struct proof *proof, uint64_t first, uint64_t count, struct proof_tally *tally,
                      enum proof_result *result, struct proof_fault *fault);

/* Compares the headers of a slice's tables with what was counted in all its positions. *metric and `text`
 * (PROOF_TEXT_SIZE bytes) say which of them is wrong in what. */
enum { PROOF_TEXT_SIZE = 160 };
enum proof_result proof_headers(const struct truth_slice *slice, const struct proof_tally *tally,
                                enum metric *metric, char *text);

/* True if the value is as derived: then the distance is at fault. */
bool proof_fault_in_distance(const struct proof *proof, const struct proof_fault *fault);

/* Writes "stored win in 5, derived win in 3" and the like. */
void proof_fault_write(const struct proof *proof, const struct proof_fault *fault,
                       char text[PROOF_TEXT_SIZE]);

#endif
