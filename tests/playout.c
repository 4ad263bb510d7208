/* Plays won positions to their end by the library's best moves, against the best and against a random
 * defence, and compares every phase with what the tables say. Uses the public interface alone. Not a unit
 * test: it needs finished tables with distances.
 *
 *   playout TABLES VARIANT PIECES GAMES SEED
 *
 * PIECES is how many stand on the board at the beginning. Prints a line; ends with 1 if a game went wrong. */
#include "damaprobe.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PLIES = 100000 /* of a game; more is a circle */, MOST_TRIES = 100000 /* for a won position */ };

/* One game, and where it stands. */
struct game {
    dama_tables *tables;
    const dama_variant *variant;
    uint64_t *random;
    bool random_defence;
    dama_board board;
    dama_value value; /* for the side to move */
    int distance;     /* of the board */
    int in_phase;     /* plies since the last zeroing move */
    int promised;     /* plies of the phase, by the position it began with */
    int plies;
    char fault[256 + DAMA_MAX_FEN];
};

/* splitmix64, by Sebastiano Vigna, public domain description. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static bool fail(struct game *game, const char *what)
{
    char fen[DAMA_MAX_FEN] = "?";
    dama_fen_write(game->variant, &game->board, fen);
    snprintf(game->fault, sizeof game->fault,
             "%s, %s defence: %s (value %s, distance %d, %d plies in a phase of %d, ply %d)",
             dama_variant_name(game->variant), game->random_defence ? "random" : "best", fen,
             dama_value_text(game->value), game->distance, game->in_phase, game->promised, game->plies);
    fprintf(stderr, "playout: %s: %s\n", what, game->fault);
    return false;
}

static bool is_won(dama_value value)
{
    return value == DAMA_WIN || value == DAMA_CURSED_WIN;
}

static bool is_lost(dama_value value)
{
    return value == DAMA_LOSS || value == DAMA_BLESSED_LOSS;
}

static bool look_up(struct game *game)
{
    dama_status status =
        dama_probe_dtz(game->tables, game->variant, &game->board, 0, &game->value, &game->distance);
    return status == DAMA_OK ? true : fail(game, dama_status_text(status));
}

/* The first of all moves, which is the best, or a random one. */
static const dama_root_move *choose(const struct game *game, bool best, const dama_root_move *moves,
                                    size_t count)
{
    return &moves[best ? 0 : next_random(game->random) % count];
}

/* After a move: what is left of the phase must be one ply less, after a random one at most that. */
static bool check_phase(struct game *game, bool zeroing, int before, bool best)
{
    if (zeroing) {
        bool exact = !game->random_defence;
        if (exact ? game->in_phase != game->promised : game->in_phase > game->promised)
            return fail(game, "a phase ended at another ply than promised");
        game->in_phase = 0;
        game->promised = game->distance;
        return true;
    }
    if (best ? game->distance != before - 1 : game->distance > before - 1)
        return fail(game, "the distance did not fall by a ply");
    return true;
}

/* One ply. `timely`: the game is a win within the limit, not a cursed one, so that phases are exact. */
static bool play(struct game *game, bool attacker, bool timely)
{
    static dama_root_move moves[DAMA_MAX_MOVES];
    size_t count;
    int before = game->distance;
    dama_status status = dama_probe_root(game->tables, game->variant, &game->board, 0, moves, &count);
    if (status != DAMA_OK || count == 0)
        return fail(game, status != DAMA_OK ? dama_status_text(status) : "no move");
    bool best = attacker || !game->random_defence;
    const dama_root_move *chosen = choose(game, best, moves, count);
    if (chosen->status != DAMA_OK || chosen->dtz_status != DAMA_OK)
        return fail(game, "a move without value or distance");
    if (best && timely && chosen->dtz_plies != game->distance)
        return fail(game, "the best move counts other plies than the position");
    status = dama_play(game->variant, &game->board, &chosen->move, &game->board);
    if (status != DAMA_OK)
        return fail(game, dama_status_text(status));
    game->plies++;
    game->in_phase++;
    if (!look_up(game))
        return false;
    if (attacker ? !is_lost(game->value) : !is_won(game->value))
        return fail(game, "the win is lost");
    if (timely && game->value != (attacker ? DAMA_LOSS : DAMA_WIN))
        return fail(game, "a win in time has become a late one");
    return timely ? check_phase(game, chosen->zeroing != 0, before, best) : true;
}

/* Plays until the game is over: the side that loses has nothing left to do, or the pieces decide by the
 * rules. The limit must never be passed in a timely win. */
static bool play_out(struct game *game)
{
    if (!look_up(game))
        return false;
    bool timely = game->value == DAMA_WIN;
    int limit = dama_limit(game->variant);
    game->promised = game->distance;
    for (bool attacker = true; game->distance > 0; attacker = !attacker) {
        if (game->plies == MOST_PLIES)
            return fail(game, "no end");
        if (!play(game, attacker, timely))
            return false;
        if (timely && limit > 0 && game->in_phase > limit)
            return fail(game, "the limit is passed");
    }
    bool exact = !game->random_defence;
    if (timely && (exact ? game->in_phase != game->promised : game->in_phase > game->promised))
        return fail(game, "the game ended at another ply than promised");
    return true;
}

/* -- Won positions --------------------------------------------------------------------------------------- */

/* So many pieces of random kinds on random squares, both sides with one at least. It may be no position. */
static dama_board scatter(const dama_variant *variant, int pieces, uint64_t *random)
{
    dama_board board = {.black_to_move = (int)(next_random(random) & 1)};
    uint64_t *const sets[] = {&board.white_men, &board.white_kings, &board.black_men, &board.black_kings};
    uint64_t occupied = 0;
    int whites = 1 + (int)(next_random(random) % (uint64_t)(pieces - 1));
    for (int i = 0; i < pieces;) {
        uint64_t square = UINT64_C(1) << next_random(random) % (uint64_t)dama_variant_squares(variant);
        if (occupied & square)
            continue;
        occupied |= square;
        *sets[(i < whites ? 0 : 2) + (int)(next_random(random) & 1)] |= square;
        i++;
    }
    return board;
}

/* A random won position. False if none is found. */
static bool find_won(dama_tables *tables, const dama_variant *variant, int pieces, uint64_t *random,
                     dama_board *board)
{
    for (int i = 0; i < MOST_TRIES; i++) {
        dama_value value;
        *board = scatter(variant, pieces, random);
        dama_status status = dama_probe_wdl(tables, variant, board, 0, &value);
        if (status == DAMA_OK && is_won(value))
            return true;
        if (status != DAMA_OK && status != DAMA_BAD_POSITION) {
            fprintf(stderr, "playout: %s\n", dama_status_text(status));
            return false;
        }
    }
    return false;
}

static bool play_games(dama_tables *tables, const dama_variant *variant, int pieces, int games, uint64_t seed)
{
    uint64_t random = seed;
    int64_t plies[2] = {0, 0};
    int cursed = 0;
    for (int i = 0; i < games; i++) {
        dama_board board;
        if (!find_won(tables, variant, pieces, &random, &board)) {
            fprintf(stderr, "playout: no won position with %d pieces\n", pieces);
            return false;
        }
        for (int defence = 0; defence < 2; defence++) {
            struct game game = {.tables = tables,
                                .variant = variant,
                                .random = &random,
                                .random_defence = defence == 1,
                                .board = board};
            if (!play_out(&game))
                return false;
            plies[defence] += game.plies;
        }
        dama_value value;
        cursed += dama_probe_wdl(tables, variant, &board, 0, &value) == DAMA_OK && value == DAMA_CURSED_WIN;
    }
    printf("%s, %d pieces: %d won positions (%d of them cursed), %.1f plies against the best defence, %.1f "
           "against "
           "a random one\n",
           dama_variant_name(variant), pieces, games, cursed, (double)plies[0] / games,
           (double)plies[1] / games);
    return true;
}

int main(int count, char **arguments)
{
    const dama_variant *variant = count == 6 ? dama_variant_named(arguments[2]) : NULL;
    dama_tables *tables = NULL;
    if (!variant || atoi(arguments[3]) < 2 || atoi(arguments[4]) < 1) {
        fputs("usage: playout TABLES VARIANT PIECES GAMES SEED\n", stderr);
        return 2;
    }
    if (dama_open(arguments[1], 0, &tables) != DAMA_OK) {
        fputs("playout: the tables do not open\n", stderr);
        return 1;
    }
    bool good =
        play_games(tables, variant, atoi(arguments[3]), atoi(arguments[4]), strtoull(arguments[5], NULL, 10));
    dama_close(tables);
    return good ? 0 : 1;
}
