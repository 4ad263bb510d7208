/* Conclusions from values and distances. The equations behind them are in index/distance.h. */
#include "verdict.h"

/* True if the move has the value of the position, whatever its distance is. */
static bool keeps_value(const struct verdict *verdict, const dama_root_move *move)
{
    if (move->status != DAMA_OK || move->value != verdict->value)
        return false;
    /* In a lost position every move is lost; a win may be one ply too late. */
    return move->dtz_status == DAMA_OK || verdict->limit == 0 || move->value != DAMA_WIN;
}

/* True if the move may have the value of the position, as far as is known. */
static bool may_keep_value(const struct verdict *verdict, const dama_root_move *move)
{
    if (move->status != DAMA_OK || move->value == verdict->value)
        return true;
    return move->dtz_status != DAMA_OK && move->value == DAMA_LOSS && verdict->value == DAMA_BLESSED_LOSS;
}

const dama_root_move *verdict_best(const struct verdict *verdict, const dama_root_move *moves, size_t count)
{
    const dama_root_move *possible = NULL;
    size_t possible_count = 0;
    if (verdict->status != DAMA_OK)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        if (keeps_value(verdict, &moves[i]))
            return &moves[i];
        if (may_keep_value(verdict, &moves[i])) {
            possible = &moves[i];
            possible_count++;
        }
    }
    /* Some move keeps the value. */
    return possible_count == 1 && possible->status == DAMA_OK ? possible : NULL;
}

bool verdict_is_over(const struct verdict *verdict)
{
    return verdict->dtz_status == DAMA_OK && verdict->value != DAMA_DRAW && verdict->dtz == 0;
}

const char *verdict_at_count(const struct verdict *verdict, int plies)
{
    if (verdict_is_over(verdict))
        return "in time";
    /* Where only a table is missing, the game is not over: that shows without any. */
    bool goes_on = verdict->status == DAMA_OK || verdict->status == DAMA_NO_TABLE ||
                   verdict->status == DAMA_TOO_MANY_PIECES;
    if (plies >= verdict->limit && goes_on)
        return "already a draw";
    if (verdict->status != DAMA_OK)
        return "unknown";
    if (verdict->value == DAMA_DRAW)
        return "draw";
    if (verdict->value == DAMA_CURSED_WIN || verdict->value == DAMA_BLESSED_LOSS)
        return "too late: draw";
    if (plies == 0)
        return "in time"; /* the value says it */
    if (verdict->dtz_status != DAMA_OK)
        return "unknown";
    return plies + verdict->dtz <= verdict->limit ? "in time" : "too late: draw";
}
