/* Slices: of a position, as text, as pairs. */
#include "slice.h"

struct slice slice_of(const struct position *position)
{
    return (struct slice){
        .own_men = (uint8_t)bits_count(position->own_men),
        .own_kings = (uint8_t)bits_count(position->own_kings),
        .opponent_men = (uint8_t)bits_count(position->opponent_men),
        .opponent_kings = (uint8_t)bits_count(position->opponent_kings),
    };
}

bool slice_exists_for(const struct position *position)
{
    struct slice slice = slice_of(position);
    return slice.own_men <= 9 && slice.own_kings <= 9 && slice.opponent_men <= 9 && slice.opponent_kings <= 9;
}

struct slice slice_pair_name(struct slice slice)
{
    int surplus = slice_own(slice) - slice_opponent(slice);
    if (surplus == 0)
        surplus = slice.own_kings - slice.opponent_kings;
    return surplus < 0 ? slice_mirror(slice) : slice;
}

void slice_write(struct slice slice, char name[SLICE_NAME_SIZE])
{
    name[0] = (char)('0' + slice.own_men);
    name[1] = (char)('0' + slice.own_kings);
    name[2] = 'v';
    name[3] = (char)('0' + slice.opponent_men);
    name[4] = (char)('0' + slice.opponent_kings);
    name[5] = '\0';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool slice_read(const char *text, struct slice *slice)
{
    for (int i = 0; i < 5; i++)
        if (i == 2 ? text[i] != 'v' : !is_digit(text[i]))
            return false;
    if (text[5] != '\0')
        return false;
    *slice = (struct slice){(uint8_t)(text[0] - '0'), (uint8_t)(text[1] - '0'), (uint8_t)(text[3] - '0'),
                            (uint8_t)(text[4] - '0')};
    return slice_own(*slice) > 0 && slice_opponent(*slice) > 0;
}
