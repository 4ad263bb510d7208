/* The plain solver's answer as a value of the index: the plain solver itself knows nothing of that. */
#ifndef TESTS_PLAIN_VALUES_H
#define TESTS_PLAIN_VALUES_H

#include "plain_solver.h"
#include "value.h"

/* `spoilt`: the limit makes a draw of it. `plain` is not PLAIN_ABSENT. */
static inline enum value value_of_plain(enum plain_value plain, bool spoilt)
{
    if (plain == PLAIN_DRAW)
        return DRAW;
    if (plain == PLAIN_WIN)
        return spoilt ? CURSED_WIN : WIN;
    return spoilt ? BLESSED_LOSS : LOSS;
}

#endif
