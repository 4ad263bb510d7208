/* damaprobe.h: the public interface of libdamaprobe, which answers from Damabase's endgame tables.
 *
 * Everything goes through a handle; there is no global state. Unless a function says otherwise it may be
 * called from any number of threads at once, on one handle or on several. The library never prints, never
 * exits, never aborts; every failure is a status of its own. Values are those of design section 5: for the
 * side to move, with the no-progress count at zero; repetition and move counts are history and not part of
 * them. */
#ifndef DAMAPROBE_H
#define DAMAPROBE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DAMA_VERSION_MAJOR 0
#define DAMA_VERSION_MINOR 1
#define DAMA_VERSION_PATCH 0
#define DAMA_VERSION "0.1.0"

#if defined(__GNUC__)
#define DAMA_API __attribute__((visibility("default")))
#else
#define DAMA_API
#endif

/* Outcome of a call. Numbers never change; gaps are for later codes. */
typedef enum dama_status {
    DAMA_OK = 0,
    DAMA_NO_MEMORY = 10,
    DAMA_BAD_ARGUMENT = 20,
    DAMA_UNKNOWN_VARIANT = 21,
    DAMA_BAD_SLICE = 22,    /* pieces that cannot be placed on this board */
    DAMA_BAD_NOTATION = 30, /* a FEN or move text that cannot be read */
    DAMA_BAD_POSITION = 31, /* pieces overlap or stand where they cannot */
    DAMA_ILLEGAL_MOVE = 32,
    DAMA_AMBIGUOUS_MOVE = 33,
    DAMA_TOO_MANY_MOVES = 34,  /* more than DAMA_MAX_MOVES distinct moves */
    DAMA_NO_TABLE = 40,        /* the table is in none of the directories */
    DAMA_NOT_CACHED = 41,      /* DAMA_NO_IO was given and the answer is not in memory */
    DAMA_TOO_MANY_PIECES = 42, /* beyond any table there can be */
    DAMA_NOT_A_TABLE = 50,
    DAMA_NEWER_FORMAT = 51, /* written by a newer version: upgrade */
    DAMA_WRONG_VARIANT = 52,
    DAMA_WRONG_RULES = 53, /* made under other rules of the same name */
    DAMA_WRONG_SLICE = 54, /* the file holds another slice: renamed */
    DAMA_DAMAGED = 55,     /* a length or checksum does not fit; nothing of it is believed */
    DAMA_FILE = 60,        /* the system refused to open or read */
    DAMA_NO_SPACE = 61,
    DAMA_INTERRUPTED = 70
} dama_status;

/* Value for the side to move. An unknown value is never one of these: it is a status. */
typedef enum dama_value {
    DAMA_LOSS = -2,
    DAMA_BLESSED_LOSS = -1, /* lost, but a draw under the variant's limit */
    DAMA_DRAW = 0,
    DAMA_CURSED_WIN = 1, /* won, but a draw under the variant's limit */
    DAMA_WIN = 2
} dama_value;

typedef struct dama_variant dama_variant; /* lives as long as the program */
typedef struct dama_tables dama_tables;   /* a handle: directories, open files, cache */

/* A position. Bit n-1 is square n of the variant's own numbering; in variants with algebraic names squares
 * are counted rank by rank from a1, playable squares only, a1 being bit 0. Men never stand on their promotion
 * row. */
typedef struct dama_board {
    uint64_t white_men;
    uint64_t white_kings;
    uint64_t black_men;
    uint64_t black_kings;
    int black_to_move; /* 0 or 1 */
} dama_board;

enum { DAMA_MAX_MOVES = 1024, DAMA_MAX_MOVE_TEXT = 272, DAMA_MAX_FEN = 512, DAMA_MAX_MESSAGE = 256 };

/* A legal move. Two moves are the same if and only if they lead to the same position. */
typedef struct dama_move {
    uint64_t taken; /* victims, as in dama_board */
    uint8_t from;   /* bit numbers, as in dama_board */
    uint8_t to;
    uint8_t by_man;
    uint8_t crowned; /* a man ended as a king */
} dama_move;

/* Flags of the probing calls. */
enum { DAMA_NO_IO = 1 /* answer from memory only, or DAMA_NOT_CACHED */ };

/* -- Texts ------------------------------------------------------------------------------------------- */

/* Version of the library, e.g. "0.1.0". Never null. */
DAMA_API const char *dama_version(void);
/* A short English text for a status. Never null. */
DAMA_API const char *dama_status_text(dama_status status);
/* "win", "cursed-win", "draw", "blessed-loss", "loss". Never null. */
DAMA_API const char *dama_value_text(dama_value value);

/* -- Variants ---------------------------------------------------------------------------------------- */

/* Variant number `i` of all, or null past the last. */
DAMA_API const dama_variant *dama_variant_at(size_t i);
/* The variant of that name, or null. */
DAMA_API const dama_variant *dama_variant_named(const char *name);
DAMA_API const char *dama_variant_name(const dama_variant *variant);
DAMA_API int dama_variant_squares(const dama_variant *variant);
/* Plies without a zeroing move that make a draw; 0 if the variant has no such limit. */
DAMA_API int dama_limit(const dama_variant *variant);

/* -- Positions and moves: no tables needed ------------------------------------------------------------- */

/* The initial position. */
DAMA_API dama_status dama_start(const dama_variant *variant, dama_board *board);
/* Reads a FEN. On DAMA_BAD_NOTATION or DAMA_BAD_POSITION `message` (may be null; DAMA_MAX_MESSAGE bytes)
 * names the place. */
DAMA_API dama_status dama_fen_read(const dama_variant *variant, const char *fen, dama_board *board,
                                   char *message);
/* The same, and *count is the number of its `:H<n>` part, the plies without a zeroing move so far, or -1 if
 * it has none; what is greater than 1,000,000 is taken for that. */
DAMA_API dama_status dama_fen_read_count(const dama_variant *variant, const char *fen, dama_board *board,
                                         int *count, char *message);
/* Writes the canonical FEN into DAMA_MAX_FEN bytes. */
DAMA_API dama_status dama_fen_write(const dama_variant *variant, const dama_board *board, char *fen);
/* All legal moves into `moves` (room for DAMA_MAX_MOVES), sorted by their text. */
DAMA_API dama_status dama_moves(const dama_variant *variant, const dama_board *board, dama_move *moves,
                                size_t *count);
/* The text of a legal move into DAMA_MAX_MOVE_TEXT bytes: the short form unless two moves share it. */
DAMA_API dama_status dama_move_write(const dama_variant *variant, const dama_board *board,
                                     const dama_move *move, char *text);
/* Finds the legal move that a text means: DAMA_BAD_NOTATION, DAMA_ILLEGAL_MOVE, DAMA_AMBIGUOUS_MOVE. */
DAMA_API dama_status dama_move_read(const dama_variant *variant, const dama_board *board, const char *text,
                                    dama_move *move);
/* The position after a legal move. */
DAMA_API dama_status dama_play(const dama_variant *variant, const dama_board *board, const dama_move *move,
                               dama_board *after);

/* -- Tables ------------------------------------------------------------------------------------------ */

/* Opens a colon-separated list of directories, each with one folder a variant; where a table is in several
 * the earliest counts. Empty items, doubled and missing directories are passed over. No file is read yet. The
 * cache of decoded blocks takes up to `cache_bytes` (0: 64 MiB). The caller closes the handle. */
DAMA_API dama_status dama_open(const char *directories, size_t cache_bytes, dama_tables **tables);
/* Frees everything. No call on the handle may be under way. Null is allowed. */
DAMA_API void dama_close(dama_tables *tables);

/* Greatest N such that the directories have a table of some slice with N pieces; 0 if none. Reads
 * directories, not files. */
DAMA_API int dama_largest(dama_tables *tables, const dama_variant *variant);
/* DAMA_OK if the table of a slice, e.g. "21v10" (either member of the pair), is there and its header and
 * index are sound; else why not. */
DAMA_API dama_status dama_available(dama_tables *tables, const dama_variant *variant, const char *slice);

/* Which variant the table of a slice was made for: normally the variant itself; where only the tables of a
 * variant with the same moves are there, that one, and values are read from them (a cursed win as a win, a
 * blessed loss as a loss, since their limits differ). Statuses of dama_available. */
DAMA_API dama_status dama_made_for(dama_tables *tables, const dama_variant *variant, const char *slice,
                                   const dama_variant **made_for);

/* Value of a position for the side to move. Captures are searched; a stored value of a position with a
 * capture is never used. No allocation on a cache hit. DAMA_NO_TABLE where a table that is needed is missing.
 */
DAMA_API dama_status dama_probe_wdl(dama_tables *tables, const dama_variant *variant, const dama_board *board,
                                    int flags, dama_value *value);

/* Value and DTZ of a position for the side to move: the plies to the next zeroing move, or to the end of the
 * game, with best play. Under a limit a win that comes c + DTZ plies after the last zeroing move is in time
 * if that is at most the limit, c being the count so far. 0 for a draw and where the game is over. No table
 * of distances is needed for these, nor where something can be taken; else DAMA_NO_TABLE where it is missing,
 * and DAMA_DAMAGED also where values and distances contradict one another. Neither result is set then.
 * Otherwise as dama_probe_wdl. */
DAMA_API dama_status dama_probe_dtz(dama_tables *tables, const dama_variant *variant, const dama_board *board,
                                    int flags, dama_value *value, int *dtz_plies);

/* A legal move at the root with what it leads to, seen from the mover. */
typedef struct dama_root_move {
    dama_move move;
    dama_status status; /* DAMA_OK if `value` is known, else why not */
    dama_value value;
    int zeroing;            /* 1 if it sets the no-progress count to zero */
    dama_status dtz_status; /* DAMA_OK if `dtz_plies` is known, else why not */
    int dtz_plies;          /* what the move counts: 1 if it zeroes and keeps the result, the limit + 1 if it
                               zeroes into a cursed or blessed one, else 1 + DTZ of the position after it; 0
                               for a draw */
} dama_root_move;

/* All legal moves, best first: winning, cursed, drawing, blessed, losing, unknown. Within winning and cursed
 * ones the fewest plies come first, within blessed and losing ones the most, then their text decides; in a
 * group in which some move has no plies, their text alone. `moves` has room for DAMA_MAX_MOVES. DAMA_OK also
 * where some values or plies are unknown.
 * A move has the value that it has itself: under a limit, one that does not zero and leads to a loss in just
 * the limit's plies is a cursed win. Where its plies are unknown this is not known either, and a winning move
 * may be a cursed one, a losing one blessed; but no move is given a better value than the position has. */
DAMA_API dama_status dama_probe_root(dama_tables *tables, const dama_variant *variant,
                                     const dama_board *board, int flags, dama_root_move *moves,
                                     size_t *count);

typedef struct dama_cache_statistics {
    uint64_t hits;
    uint64_t misses;
    uint64_t bytes_read; /* from files */
    size_t bytes_held;   /* decoded blocks in memory */
    size_t bytes_allowed;
} dama_cache_statistics;

DAMA_API dama_status dama_cache_statistics_get(dama_tables *tables, dama_cache_statistics *statistics);
/* Forgets all decoded blocks (for measurements). */
DAMA_API void dama_cache_clear(dama_tables *tables);

#ifdef __cplusplus
}
#endif

#endif
