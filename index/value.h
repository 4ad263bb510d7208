/* Values of positions, for own, as they are held in memory. Files have their own codes (probe/format.h). */
#ifndef INDEX_VALUE_H
#define INDEX_VALUE_H

#include "slice.h"
#include "variant.h"

enum value { LOSS = 0, BLESSED_LOSS = 1, DRAW = 2, CURSED_WIN = 3, WIN = 4, VALUES = 5 };

/* The same value seen by the other side. */
static inline enum value value_turned(enum value value)
{
    return (enum value)(WIN - value);
}

/* True if the draw limit makes a draw of the win or loss. */
static inline bool value_is_spoilt(enum value value)
{
    return value == CURSED_WIN || value == BLESSED_LOSS;
}

/* What the value is where no draw limit holds. */
static inline enum value value_without_limit(enum value value)
{
    return value == CURSED_WIN ? WIN : value == BLESSED_LOSS ? LOSS : value;
}

/* "win", "cursed-win", "draw", "blessed-loss", "loss". */
const char *value_text(enum value value);

/* True if the variant's special end decides every position of the slice in which own has no capture; then
 * *value is what it decides. */
bool value_by_special_end(const struct variant *variant, struct slice slice, enum value *value);

#endif
