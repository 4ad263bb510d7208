/* Where a rank's time goes: one phase at a time, by a clock that is cheap to read. Time of a clock is CPU
 * time where the rank has a core of its own; where ranks share cores, waiting for a core counts too. One
 * thread. */
#ifndef GEN_PHASES_H
#define GEN_PHASES_H

#include <stdint.h>

enum phase {
    PHASE_OTHER, /* what is none of the others */
    PHASE_FIRST_PASS,
    PHASE_PLIES,
    PHASE_TRANSPOSE, /* a team: from one form to the other */
    PHASE_EXCHANGE,
    PHASE_WAIT, /* for other ranks */
    PHASE_COMPRESSION,
    PHASE_FILES,
    PHASES
};

/* "first_pass". */
extern const char *const phase_names[PHASES];

/* Goes to another phase and returns the one before, to which the caller goes back. */
enum phase phase_enter(enum phase phase);

/* Nanoseconds in each phase since the program began. */
void phase_times(uint64_t nanoseconds[PHASES]);

#endif
