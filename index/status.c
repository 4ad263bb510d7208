/* Texts of the status codes. */
#include "status.h"

const char *status_text(enum status status)
{
    switch (status) {
    case STATUS_OK: return "no error";
    case STATUS_NO_MEMORY: return "out of memory";
    case STATUS_BAD_ARGUMENT: return "bad argument";
    case STATUS_UNKNOWN_VARIANT: return "unknown variant";
    case STATUS_BAD_SLICE: return "no such slice in this variant";
    case STATUS_BAD_NOTATION: return "unreadable notation";
    case STATUS_BAD_POSITION: return "impossible position";
    case STATUS_ILLEGAL_MOVE: return "illegal move";
    case STATUS_AMBIGUOUS_MOVE: return "ambiguous move";
    case STATUS_TOO_MANY_MOVES: return "more moves than a move list holds";
    case STATUS_NO_TABLE: return "no table for this position";
    case STATUS_NOT_CACHED: return "not in the cache, and reading was not allowed";
    case STATUS_TOO_MANY_PIECES: return "more pieces than any table has";
    case STATUS_TOO_DEEP: return "a distance is greater than a table can hold";
    case STATUS_NOT_A_TABLE: return "not a Damabase table";
    case STATUS_NEWER_FORMAT: return "table of a newer format: upgrade Damabase";
    case STATUS_WRONG_VARIANT: return "table of another variant";
    case STATUS_WRONG_RULES: return "table made under other rules";
    case STATUS_WRONG_SLICE: return "table of another slice or metric (renamed file?)";
    case STATUS_DAMAGED: return "damaged file";
    case STATUS_FILE: return "file error";
    case STATUS_NO_SPACE: return "no space left on the disk";
    case STATUS_INTERRUPTED: return "stopped on request";
    }
    return "unknown status";
}
