/* The public interface: checks of arguments, conversions, and calls of what does the work. Nothing is decided
 * here about positions or files. */
#include "library.h"

#include "convert.h"
#include "fen.h"
#include "notation.h"
#include "root.h"
#include "search.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEFAULT_CACHE_BYTES = 64 << 20 };

struct dama_tables {
    struct lookup lookup;
    struct squares squares[]; /* by variant */
};

#define SAME(name) static_assert((int)DAMA_##name == (int)STATUS_##name, "public and internal status")
static_assert((int)DAMA_OK == (int)STATUS_OK, "public and internal status");
SAME(NO_MEMORY);
SAME(BAD_ARGUMENT);
SAME(UNKNOWN_VARIANT);
SAME(BAD_SLICE);
SAME(BAD_NOTATION);
SAME(BAD_POSITION);
SAME(ILLEGAL_MOVE);
SAME(AMBIGUOUS_MOVE);
SAME(TOO_MANY_MOVES);
SAME(NO_TABLE);
SAME(NOT_CACHED);
SAME(TOO_MANY_PIECES);
SAME(NOT_A_TABLE);
SAME(NEWER_FORMAT);
SAME(WRONG_VARIANT);
SAME(WRONG_RULES);
SAME(WRONG_SLICE);
SAME(DAMAGED);
SAME(FILE);
SAME(NO_SPACE);
SAME(INTERRUPTED);
static_assert(DAMA_WIN - DAMA_LOSS == WIN - LOSS && DAMA_DRAW - DAMA_LOSS == DRAW - LOSS, "same order");
static_assert((int)DAMA_MAX_MOVES == (int)MAX_MOVES, "a list fits");
static_assert((int)DAMA_MAX_MOVE_TEXT >= (int)MOVE_TEXT_SIZE && (int)DAMA_MAX_FEN >= (int)FEN_SIZE &&
                  (int)DAMA_MAX_MESSAGE >= (int)FEN_MESSAGE_SIZE &&
                  (int)DAMA_MAX_MESSAGE >= (int)MESSAGE_SIZE,
              "texts fit");

static dama_value public_value(enum value value)
{
    return (dama_value)((int)value + DAMA_LOSS);
}

/* -- Texts and variants -------------------------------------------------------------------------------- */

const char *dama_version(void)
{
    return DAMA_VERSION;
}

const char *dama_status_text(dama_status status)
{
    return status_text((enum status)status);
}

const char *dama_value_text(dama_value value)
{
    return value < DAMA_LOSS || value > DAMA_WIN ? "unknown" : value_text((enum value)(value - DAMA_LOSS));
}

const struct variant *library_variant(const dama_variant *variant)
{
    return (const struct variant *)variant;
}

const dama_variant *library_variant_public(const struct variant *variant)
{
    return (const dama_variant *)variant;
}

const dama_variant *dama_variant_at(size_t i)
{
    return i < variant_count ? library_variant_public(variant_table[i]) : NULL;
}

const dama_variant *dama_variant_named(const char *name)
{
    return name ? library_variant_public(variant_named(name)) : NULL;
}

const char *dama_variant_name(const dama_variant *variant)
{
    return variant ? library_variant(variant)->rules.name : NULL;
}

int dama_variant_squares(const dama_variant *variant)
{
    return variant ? library_variant(variant)->rules.board->squares : 0;
}

int dama_limit(const dama_variant *variant)
{
    return variant ? library_variant(variant)->rules.limit : 0;
}

/* -- Positions ----------------------------------------------------------------------------------------- */

struct position library_white_view(const struct variant *variant, const dama_board *board)
{
    struct squares squares;
    squares_make(variant, &squares);
    return white_view_of_board(&squares, board);
}

dama_board library_board(const struct variant *variant, const struct position *white_view, bool black_to_move)
{
    struct squares squares;
    squares_make(variant, &squares);
    return board_of_white_view(&squares, white_view, black_to_move);
}

/* Checks a public position and turns it into own's view. */
static enum status position_of_board(const struct variant *variant, const struct squares *squares,
                                     const dama_board *board, struct position *own)
{
    struct position white_view = white_view_of_board(squares, board);
    if (variant_fault(variant, &white_view) || !position_occupied(&white_view))
        return STATUS_BAD_POSITION;
    *own = own_view(variant, &white_view, board->black_to_move);
    return STATUS_OK;
}

dama_status dama_start(const dama_variant *variant, dama_board *board)
{
    if (!variant || !board)
        return DAMA_BAD_ARGUMENT;
    struct position start = variant_start(library_variant(variant));
    *board = library_board(library_variant(variant), &start, library_variant(variant)->rules.black_begins);
    return DAMA_OK;
}

dama_status dama_fen_read(const dama_variant *variant, const char *fen, dama_board *board, char *message)
{
    int count;
    return dama_fen_read_count(variant, fen, board, &count, message);
}

dama_status dama_fen_read_count(const dama_variant *variant, const char *fen, dama_board *board, int *count,
                                char *message)
{
    struct position white_view;
    bool black_to_move;
    if (!variant || !fen || !board || !count)
        return DAMA_BAD_ARGUMENT;
    enum status status =
        fen_read_count(library_variant(variant), fen, &white_view, &black_to_move, count, message);
    if (status == STATUS_OK)
        *board = library_board(library_variant(variant), &white_view, black_to_move);
    return (dama_status)status;
}

dama_status dama_fen_write(const dama_variant *variant, const dama_board *board, char *fen)
{
    if (!variant || !board || !fen)
        return DAMA_BAD_ARGUMENT;
    struct position white_view = library_white_view(library_variant(variant), board);
    return (dama_status)fen_write(library_variant(variant), &white_view, board->black_to_move, fen);
}

/* -- Moves --------------------------------------------------------------------------------------------- */

/* All legal moves of a public position, sorted by text, with what is needed to name them. Too large for a
 * stack. */
struct legal {
    const struct variant *variant;
    struct squares squares;
    bool black_to_move;
    struct position own;
    struct move_list list;
    struct move_paths paths;
};

/* Makes the list; the caller frees it. */
static enum status legal_create(const dama_variant *variant, const dama_board *board, struct legal **legal)
{
    struct legal *made = malloc(sizeof *made);
    *legal = made;
    if (!made)
        return STATUS_NO_MEMORY;
    made->variant = library_variant(variant);
    squares_make(made->variant, &made->squares);
    made->black_to_move = board->black_to_move;
    enum status status = position_of_board(made->variant, &made->squares, board, &made->own);
    if (status == STATUS_OK)
        status = moves_sorted(made->variant, &made->own, made->black_to_move, &made->list, &made->paths);
    return status;
}

static dama_move legal_move(const struct legal *legal, int i)
{
    return public_move(legal->variant, &legal->squares, &legal->list.moves[i], legal->black_to_move);
}

/* Place of a public move in the list, or -1. */
static int legal_index(const struct legal *legal, const dama_move *move)
{
    for (int i = 0; i < legal->list.count; i++) {
        dama_move other = legal_move(legal, i);
        if (other.taken == move->taken && other.from == move->from && other.to == move->to)
            return i;
    }
    return -1;
}

dama_status dama_moves(const dama_variant *variant, const dama_board *board, dama_move *moves, size_t *count)
{
    struct legal *legal;
    if (!variant || !board || !moves || !count)
        return DAMA_BAD_ARGUMENT;
    enum status status = legal_create(variant, board, &legal);
    if (status == STATUS_OK) {
        for (int i = 0; i < legal->list.count; i++)
            moves[i] = legal_move(legal, i);
        *count = (size_t)legal->list.count;
    }
    free(legal);
    return (dama_status)status;
}

dama_status dama_move_write(const dama_variant *variant, const dama_board *board, const dama_move *move,
                            char *text)
{
    struct legal *legal;
    if (!variant || !board || !move || !text)
        return DAMA_BAD_ARGUMENT;
    enum status status = legal_create(variant, board, &legal);
    if (status == STATUS_OK) {
        int i = legal_index(legal, move);
        status = i < 0
                     ? STATUS_ILLEGAL_MOVE
                     : move_write(legal->variant, &legal->list, &legal->paths, i, legal->black_to_move, text);
    }
    free(legal);
    return (dama_status)status;
}

dama_status dama_move_read(const dama_variant *variant, const dama_board *board, const char *text,
                           dama_move *move)
{
    struct legal *legal;
    int i = 0;
    if (!variant || !board || !text || !move)
        return DAMA_BAD_ARGUMENT;
    enum status status = legal_create(variant, board, &legal);
    if (status == STATUS_OK)
        status = move_read(legal->variant, &legal->list, &legal->paths, legal->black_to_move, text, &i);
    if (status == STATUS_OK)
        *move = legal_move(legal, i);
    free(legal);
    return (dama_status)status;
}

dama_status dama_play(const dama_variant *variant, const dama_board *board, const dama_move *move,
                      dama_board *after)
{
    struct legal *legal;
    if (!variant || !board || !move || !after)
        return DAMA_BAD_ARGUMENT;
    enum status status = legal_create(variant, board, &legal);
    if (status == STATUS_OK) {
        int i = legal_index(legal, move);
        if (i < 0) {
            status = STATUS_ILLEGAL_MOVE;
        } else {
            struct position next = position_after(legal->variant, &legal->own, &legal->list.moves[i]);
            struct position white_view = own_view(legal->variant, &next, !legal->black_to_move);
            *after = board_of_white_view(&legal->squares, &white_view, !legal->black_to_move);
        }
    }
    free(legal);
    return (dama_status)status;
}

/* -- Tables -------------------------------------------------------------------------------------------- */

dama_status dama_open(const char *directories, size_t cache_bytes, dama_tables **tables)
{
    if (!directories || !tables)
        return DAMA_BAD_ARGUMENT;
    *tables = NULL;
    dama_tables *opened = malloc(sizeof *opened + variant_count * sizeof opened->squares[0]);
    if (!opened)
        return DAMA_NO_MEMORY;
    enum status status =
        lookup_init(&opened->lookup, directories, cache_bytes ? cache_bytes : DEFAULT_CACHE_BYTES);
    if (status != STATUS_OK) {
        free(opened);
        return (dama_status)status;
    }
    for (size_t i = 0; i < variant_count; i++)
        squares_make(variant_table[i], &opened->squares[i]);
    *tables = opened;
    return DAMA_OK;
}

void dama_close(dama_tables *tables)
{
    if (!tables)
        return;
    lookup_destroy(&tables->lookup);
    free(tables);
}

struct catalogue *library_catalogue(dama_tables *tables)
{
    return tables->lookup.catalogue;
}

int dama_largest(dama_tables *tables, const dama_variant *variant)
{
    struct catalogue_entry *entries;
    size_t count;
    int largest = 0;
    if (!tables || !variant)
        return 0;
    catalogue_list(tables->lookup.catalogue, library_variant(variant), &entries, &count);
    for (size_t i = 0; i < count; i++)
        if (entries[i].metric == METRIC_WDL && slice_pieces(entries[i].slice) > largest)
            largest = slice_pieces(entries[i].slice);
    catalogue_list_free(entries, count);
    return largest;
}

/* True if the pieces have room on the squares that they can stand on. */
static bool slice_fits(const struct variant *variant, struct slice slice)
{
    return slice.own_men <= bits_count(variant_own_men_squares(variant)) &&
           slice.opponent_men <= bits_count(variant_opponent_men_squares(variant)) &&
           slice_pieces(slice) <= variant->rules.board->squares;
}

dama_status dama_made_for(dama_tables *tables, const dama_variant *variant, const char *slice_name,
                          const dama_variant **made_for)
{
    struct slice slice;
    const struct table *table;
    const struct variant *maker;
    if (!tables || !variant || !slice_name || !made_for)
        return DAMA_BAD_ARGUMENT;
    if (!slice_read(slice_name, &slice) || !slice_fits(library_variant(variant), slice))
        return DAMA_BAD_SLICE;
    enum status status =
        lookup_table(&tables->lookup, library_variant(variant), slice, false, &table, &maker);
    if (status == STATUS_OK)
        *made_for = library_variant_public(maker);
    return (dama_status)status;
}

dama_status dama_available(dama_tables *tables, const dama_variant *variant, const char *slice_name)
{
    const dama_variant *made_for;
    return dama_made_for(tables, variant, slice_name, &made_for);
}

/* -- Probing ------------------------------------------------------------------------------------------- */

enum status library_value(dama_tables *tables, const struct variant *variant, const struct position *position,
                          int flags, enum value *value)
{
    return search_value(&tables->lookup, variant, position, flags & DAMA_NO_IO, value, NULL);
}

enum status library_distance(dama_tables *tables, const struct variant *variant,
                             const struct position *position, int flags, enum value *value, uint16_t *plies)
{
    enum status status = library_value(tables, variant, position, flags, value);
    return status == STATUS_OK
               ? search_distance(&tables->lookup, variant, position, flags & DAMA_NO_IO, *value, plies)
               : status;
}

void library_message(dama_tables *tables, const struct variant *variant, const struct position *position,
                     enum status status, char message[MESSAGE_SIZE])
{
    enum value value;
    uint16_t plies;
    struct position failed;
    /* Once more, to see where; what failed is remembered or fails again. */
    enum status again = search_value(&tables->lookup, variant, position, false, &value, &failed);
    if (again == status)
        lookup_message(&tables->lookup, variant, &failed, METRIC_WDL, status, message);
    else if (again == STATUS_OK &&
             search_distance(&tables->lookup, variant, position, false, value, &plies) == status)
        lookup_message(&tables->lookup, variant, position, METRIC_DTZ, status, message);
    else
        snprintf(message, MESSAGE_SIZE, "%s", status_text(status));
}

/* The handle's squares of a variant, or null if it is none of the table. */
static const struct squares *squares_of(const dama_tables *tables, const struct variant *variant)
{
    for (size_t i = 0; i < variant_count; i++)
        if (variant_table[i] == variant)
            return &tables->squares[i];
    return NULL;
}

/* Own's view of a position that is probed. */
static inline enum status position_to_probe(const dama_tables *tables, const struct variant *variant,
                                            const dama_board *board, struct position *own)
{
    const struct squares *squares = squares_of(tables, variant);
    return squares ? position_of_board(variant, squares, board, own) : STATUS_UNKNOWN_VARIANT;
}

dama_status dama_probe_wdl(dama_tables *tables, const dama_variant *variant, const dama_board *board,
                           int flags, dama_value *value)
{
    struct position own;
    enum value found;
    if (!tables || !variant || !board || !value)
        return DAMA_BAD_ARGUMENT;
    enum status status = position_to_probe(tables, library_variant(variant), board, &own);
    if (status == STATUS_OK)
        status = library_value(tables, library_variant(variant), &own, flags, &found);
    if (status == STATUS_OK)
        *value = public_value(found);
    return (dama_status)status;
}

dama_status dama_probe_dtz(dama_tables *tables, const dama_variant *variant, const dama_board *board,
                           int flags, dama_value *value, int *dtz_plies)
{
    struct position own;
    enum value found;
    uint16_t plies;
    if (!tables || !variant || !board || !value || !dtz_plies)
        return DAMA_BAD_ARGUMENT;
    enum status status = position_to_probe(tables, library_variant(variant), board, &own);
    if (status == STATUS_OK)
        status = library_distance(tables, library_variant(variant), &own, flags, &found, &plies);
    if (status == STATUS_OK) {
        *value = public_value(found);
        *dtz_plies = plies;
    }
    return (dama_status)status;
}

/* The moves of a position as they are rated and sorted. Too large for a stack. */
struct ranking {
    struct rated_move rated[MAX_MOVES];
    int order[MAX_MOVES];
};

static void write_root_moves(const struct legal *legal, const struct ranking *ranking, dama_root_move *moves)
{
    for (int place = 0; place < legal->list.count; place++) {
        int i = ranking->order[place];
        const struct rated_move *rated = &ranking->rated[i];
        moves[place] = (dama_root_move){
            .move = legal_move(legal, i),
            .status = (dama_status)rated->status,
            .value = public_value(rated->value),
            .zeroing = rated->zeroes,
            .dtz_status = (dama_status)rated->distance_status,
            .dtz_plies = (int)rated->plies,
        };
    }
}

dama_status dama_probe_root(dama_tables *tables, const dama_variant *variant, const dama_board *board,
                            int flags, dama_root_move *moves, size_t *count)
{
    struct legal *legal;
    if (!tables || !variant || !board || !moves || !count)
        return DAMA_BAD_ARGUMENT;
    enum status status = legal_create(variant, board, &legal);
    struct ranking *ranking = NULL;
    if (status == STATUS_OK) {
        ranking = malloc(sizeof *ranking);
        status = ranking ? STATUS_OK : STATUS_NO_MEMORY;
    }
    if (status == STATUS_OK) {
        root_rate(&tables->lookup, legal->variant, &legal->own, &legal->list, flags & DAMA_NO_IO,
                  ranking->rated);
        root_order(ranking->rated, legal->list.count, ranking->order);
        write_root_moves(legal, ranking, moves);
        *count = (size_t)legal->list.count;
    }
    free(ranking);
    free(legal);
    return (dama_status)status;
}

dama_status dama_cache_statistics_get(dama_tables *tables, dama_cache_statistics *statistics)
{
    if (!tables || !statistics)
        return DAMA_BAD_ARGUMENT;
    struct cache_counts counts = cache_counts_get(tables->lookup.cache);
    *statistics = (dama_cache_statistics){
        .hits = counts.hits,
        .misses = counts.misses,
        .bytes_read = atomic_load(&tables->lookup.bytes_read),
        .bytes_held = counts.held,
        .bytes_allowed = counts.allowed,
    };
    return DAMA_OK;
}

void dama_cache_clear(dama_tables *tables)
{
    if (tables)
        cache_clear(tables->lookup.cache);
}
