/* Words for the values of a row's fields and for directions. Sentences are put together elsewhere. */
#include "rules_words.h"

#include <stdio.h>

const enum choice choice_rungs[CHOICE_RUNGS] = {MOST_PIECES, BY_KING, MOST_KINGS, KINGS_EARLIEST,
                                                FIRST_KING_EARLIEST};

const char *landing_word(enum landing landing)
{
    return landing == LANDING_ANY ? "any" : "must";
}

const char *crowned_word(enum crowned crowned)
{
    static const char *const words[] = {"stop", "pass", "king"};
    return words[crowned];
}

const char *special_end_word(enum special_end special_end)
{
    static const char *const words[] = {"none", "king-beats-man", "one-against-one-draws"};
    return words[special_end];
}

const char *zeroing_word(enum zeroing zeroing)
{
    return zeroing == ZEROED_BY_CAPTURES ? "captures" : "captures-and-forward-moves-of-men";
}

const char *square_names_word(enum square_names names)
{
    static const char *const words[] = {"numbers-from-top-left", "numbers-from-bottom-right", "algebraic"};
    return words[names];
}

const char *choice_word(enum choice rung)
{
    switch (rung) {
    case CHOICE_FREE: break;
    case MOST_PIECES: return "most-pieces";
    case BY_KING: return "by-a-king";
    case MOST_KINGS: return "most-kings";
    case KINGS_EARLIEST: return "kings-earliest";
    case FIRST_KING_EARLIEST: return "first-king-earliest";
    }
    return "free";
}

/* The direction of the board that looks like this one to a player: boards whose lower left corner is not
 * played are mirrored, so that left and right change places. */
static int seen_direction(const struct variant *variant, int direction)
{
    if (variant->rules.lower_left_played)
        return direction;
    if (!variant->rules.board->orthogonal)
        return direction ^ 1;
    return direction == LEFT || direction == RIGHT ? direction ^ 2 : direction;
}

const char *direction_word(const struct variant *variant, int direction)
{
    static const char *const diagonal[DIRECTIONS] = {"forward-left", "forward-right", "backward-right",
                                                     "backward-left"};
    static const char *const orthogonal[DIRECTIONS] = {"left", "forward", "right", "backward"};
    const char *const *words = variant->rules.board->orthogonal ? orthogonal : diagonal;
    return words[seen_direction(variant, direction)];
}

/* Directions that share a word. */
struct direction_group {
    int directions;
    const char *words;
};

enum { DIRECTION_GROUPS = 6 };

static const struct direction_group diagonal_groups[DIRECTION_GROUPS] = {
    {1 << UP_LEFT | 1 << UP_RIGHT, "forward"}, {1 << DOWN_LEFT | 1 << DOWN_RIGHT, "backward"},
    {1 << UP_LEFT, "forward to the left"},     {1 << UP_RIGHT, "forward to the right"},
    {1 << DOWN_LEFT, "backward to the left"},  {1 << DOWN_RIGHT, "backward to the right"},
};

static const struct direction_group orthogonal_groups[DIRECTION_GROUPS] = {
    {1 << UP, "forward"},       {1 << LEFT | 1 << RIGHT, "sideways"}, {1 << DOWN, "backward"},
    {1 << LEFT, "to the left"}, {1 << RIGHT, "to the right"},         {0, ""},
};

/* The groups that make up a set of directions, the number of them. */
static int groups_of(const struct variant *variant, int directions, const char *words[DIRECTIONS])
{
    const struct direction_group *groups =
        variant->rules.board->orthogonal ? orthogonal_groups : diagonal_groups;
    int seen = 0;
    int count = 0;
    for (int direction = 0; direction < DIRECTIONS; direction++)
        if (directions >> direction & 1)
            seen |= 1 << seen_direction(variant, direction);
    for (int i = 0; i < DIRECTION_GROUPS; i++)
        if (groups[i].directions && (seen & groups[i].directions) == groups[i].directions) {
            words[count++] = groups[i].words;
            seen &= ~groups[i].directions;
        }
    return count;
}

const char *directions_phrase(const struct variant *variant, int directions, char *phrase)
{
    const char *words[DIRECTIONS];
    int count = groups_of(variant, directions, words);
    int used =
        snprintf(phrase, PHRASE_SIZE, "%s", variant->rules.board->orthogonal ? "straight" : "diagonally");
    for (int i = 0; i < count; i++)
        used += snprintf(phrase + used, (size_t)(PHRASE_SIZE - used), "%s%s",
                         i == 0           ? " "
                         : i == count - 1 ? " or "
                                          : ", ",
                         words[i]);
    return phrase;
}
