/* The model of a run's cost: its constants, measured or built in, the text file they are kept in, and the
 * formulas that forecast and simulation share (docs/scaling.md). Pure but for the file. */
#ifndef GEN_MODEL_H
#define GEN_MODEL_H

#include "settings.h"

#include <stdio.h>

enum { MODEL_GAMES = 64 /* variants are fewer */, MODEL_METRICS = METRIC_DTZ + 1 /* none is 0 */ };

/* Of a game and a metric, for each position. Seconds are of one core's CPU time. */
struct game_costs {
    double solve; /* seconds: first pass and plies */
    double store; /* seconds: compressing and writing for the work store */
    double table; /* seconds: making the tables of the metric, those of values included */
    double segment_bits;
    double table_bits;
    double bytes_read; /* from the work store, compressed */
};

struct model {
    struct game_costs games[MODEL_GAMES][MODEL_METRICS]; /* by place in variant_table, then metric */
    bool measured[MODEL_GAMES][MODEL_METRICS];
    /* Of the machine. */
    double piece;      /* seconds: putting a piece of work into the order of its level, on every rank */
    double read_speed; /* bytes of segments that a rank reads and unpacks in a second */
    double bandwidth;  /* bytes a second that a rank sends while all do */
    double latency;    /* seconds from one rank to another */
    double message;    /* seconds that a message of the queue takes of rank 0 */
    double sync;       /* seconds: fsync of a file in the work folder */
    double rename;     /* seconds: rename of a file there and fsync of the folder */
    /* Of teams. */
    double team_cpu;    /* CPU time as a multiple of that of one rank */
    double team_bytes;  /* sent for each position, in all plies together */
    double team_rounds; /* exchanges of a unit */
};

/* Constants measured on the machine of docs/performance.md, network and disk of a usual cluster. */
void model_default(struct model *model);

/* Writes the constants of measured games and those of the machine, a line each: name, value, unit. */
void model_write(const struct model *model, FILE *output);

/* Reads such a text over what the model has. STATUS_DAMAGED with the number of the bad line in *line. */
enum status model_read(struct model *model, const char *text, int *line);

/* Reads a file of that form over what the model has. STATUS_NO_TABLE if there is none. `message`
 * (LONG_MESSAGE bytes) says what is wrong otherwise. */
enum status model_load(struct model *model, const char *path, char *message);

/* Of a game and the metric that a run is asked for. */
const struct game_costs *model_game(const struct model *model, const struct settings *settings);

/* -- Formulas -------------------------------------------------------------------------------------------- */

/* Seconds of CPU for a position until it is in the work store. */
static inline double model_position(const struct game_costs *game)
{
    return game->solve + game->store;
}

/* Smaller units are not worth a team, unless one rank has not the memory. */
enum { LEAST_OF_TEAM = 1 << 20 };

/* Who takes part in a level, and with how much memory. */
struct crew {
    int ranks;
    uint64_t memory; /* bytes a rank may use for a unit; 0: not limited */
};

/* How many ranks solve a piece of so many positions, of a level that has `level` of them: 1, unless it is
 * more than a rank's fair share, or than a rank's memory (it takes `bytes` alone), holds; never so many that
 * exchanges would cost more than they save. More than the crew has if even all of it has not the memory. */
uint64_t model_team(const struct model *model, double position, const struct crew *crew, uint64_t positions,
                    uint64_t level, uint64_t bytes);

/* Seconds that a team takes for a piece. */
double model_team_seconds(const struct model *model, double position, uint64_t team, uint64_t positions);

/* Seconds between the last piece of a level and the first of the next: the order of its pieces, files made
 * durable, segments told to all, the commit. */
double model_commit(const struct model *model, int ranks, uint64_t pieces, uint64_t segments);

/* Seconds in which one rank puts the parts of a table of so many positions together, while the others wait.
 */
double model_assembly(const struct model *model, const struct game_costs *game, uint64_t positions);

#endif
