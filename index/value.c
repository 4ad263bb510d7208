/* Texts of values, and the ends that a variant's row adds to the common one. */
#include "value.h"

const char *value_text(enum value value)
{
    static const char *const texts[VALUES] = {"loss", "blessed-loss", "draw", "cursed-win", "win"};
    return texts[value];
}

bool value_by_special_end(const struct variant *variant, struct slice slice, enum value *value)
{
    if (variant->rules.special_end == ONE_AGAINST_ONE_DRAWS && slice_own(slice) == 1 &&
        slice_opponent(slice) == 1) {
        *value = DRAW;
        return true;
    }
    if (variant->rules.special_end != KING_BEATS_MAN)
        return false;
    if (slice_equal(slice, (struct slice){0, 1, 1, 0})) {
        *value = WIN;
        return true;
    }
    if (slice_equal(slice, (struct slice){1, 0, 0, 1})) {
        *value = LOSS;
        return true;
    }
    return false;
}
