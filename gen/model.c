/* Constants, their text, formulas. */
#include "model.h"
#include "folders.h"
#include "store.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* -- Built-in constants ---------------------------------------------------------------------------------- */

/* By kind of game: italian and portuguese measured with 5 pieces (distances of portuguese with 4), damii
 * and turkish with 4 (distances of turkish with 3); docs/scaling.md. A game that has not been measured itself
 * is taken for its nearest relative. */
static const struct game_costs of_short_kings[MODEL_METRICS] = {
    [METRIC_WDL] = {117e-9, 3.4e-9, 97e-9, 0.357, 0.189, 0.045},
    [METRIC_DTZ] = {128e-9, 6.0e-9, 185e-9, 1.205, 0.643, 0.176},
};
static const struct game_costs of_distances[MODEL_METRICS] = {
    /* values depend on distances in these */
    [METRIC_WDL] = {205e-9, 9.0e-9, 154e-9, 2.362, 0.276, 0.318},
    [METRIC_DTZ] = {205e-9, 9.0e-9, 565e-9, 2.362, 1.450, 0.318},
};
static const struct game_costs of_flying_kings[MODEL_METRICS] = {
    [METRIC_WDL] = {172e-9, 5.2e-9, 154e-9, 0.532, 0.209, 0.067},
    [METRIC_DTZ] = {180e-9, 7.9e-9, 280e-9, 1.438, 0.357, 0.180},
};
static const struct game_costs of_side_steps[MODEL_METRICS] = {
    [METRIC_WDL] = {223e-9, 1.9e-9, 96e-9, 0.275, 0.131, 0.034},
    [METRIC_DTZ] = {227e-9, 7.0e-9, 533e-9, 1.344, 0.868, 0.168},
};

static const struct game_costs *relative_of(const struct variant *variant)
{
    if (solver_needs_distances(variant))
        return of_distances;
    if (variant->rules.board == &board_8x8_orthogonal)
        return of_side_steps;
    return variant->rules.flying ? of_flying_kings : of_short_kings;
}

void model_default(struct model *model)
{
    *model = (struct model){
        .piece = 460e-9,
        .read_speed = 67e6,
        .bandwidth = 200e6,
        .latency = 2e-6,
        .message = 1e-6,
        .sync = 10e-3,
        .rename = 10e-3,
        .team_cpu = 1.2,
        .team_bytes = 0.5,
        .team_rounds = 64,
    };
    for (size_t i = 0; i < variant_count && i < MODEL_GAMES; i++)
        memcpy(model->games[i], relative_of(variant_table[i]), sizeof model->games[i]);
}

/* -- Text ------------------------------------------------------------------------------------------------ */

/* A constant: its name, the unit it is written in, how many of the unit make one, and where it is. */
struct constant {
    const char *name;
    const char *unit;
    double scale;
    size_t offset;
};

static const struct constant of_game[] = {
    {"solve", "ns/position", 1e9, offsetof(struct game_costs, solve)},
    {"store", "ns/position", 1e9, offsetof(struct game_costs, store)},
    {"table", "ns/position", 1e9, offsetof(struct game_costs, table)},
    {"segment_bits", "bits/position", 1, offsetof(struct game_costs, segment_bits)},
    {"table_bits", "bits/position", 1, offsetof(struct game_costs, table_bits)},
    {"bytes_read", "bytes/position", 1, offsetof(struct game_costs, bytes_read)},
};

static const struct constant of_machine[] = {
    {"piece", "ns", 1e9, offsetof(struct model, piece)},
    {"read_speed", "MB/s", 1e-6, offsetof(struct model, read_speed)},
    {"bandwidth", "MB/s", 1e-6, offsetof(struct model, bandwidth)},
    {"latency", "us", 1e6, offsetof(struct model, latency)},
    {"message", "us", 1e6, offsetof(struct model, message)},
    {"sync", "ms", 1e3, offsetof(struct model, sync)},
    {"rename", "ms", 1e3, offsetof(struct model, rename)},
    {"team_cpu", "times", 1, offsetof(struct model, team_cpu)},
    {"team_bytes", "bytes/position", 1, offsetof(struct model, team_bytes)},
    {"team_rounds", "exchanges", 1, offsetof(struct model, team_rounds)},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const metric_names[MODEL_METRICS] = {[METRIC_WDL] = "wdl", [METRIC_DTZ] = "dtz"};

static double *place_of(void *base, const struct constant *constant)
{
    return (double *)(void *)((char *)base + constant->offset);
}

static void write_constant(FILE *output, const char *prefix, const struct constant *constant, double value)
{
    fprintf(output, "%s%s %.6g %s\n", prefix, constant->name, value * constant->scale, constant->unit);
}

void model_write(const struct model *model, FILE *output)
{
    struct model copy = *model;
    fputs("# What a run costs on this machine, measured by damagen --calibrate. Name, value, unit.\n",
          output);
    for (size_t i = 0; i < COUNT(of_machine); i++)
        write_constant(output, "", &of_machine[i], *place_of(&copy, &of_machine[i]));
    for (size_t game = 0; game < variant_count && game < MODEL_GAMES; game++)
        for (int metric = METRIC_WDL; metric < MODEL_METRICS; metric++) {
            char prefix[80];
            snprintf(prefix, sizeof prefix, "%s.%s.", variant_table[game]->rules.name, metric_names[metric]);
            for (size_t i = 0; i < COUNT(of_game) && model->measured[game][metric]; i++)
                write_constant(output, prefix, &of_game[i],
                               *place_of(&copy.games[game][metric], &of_game[i]));
        }
}

static bool set_constant(void *base, const struct constant *constants, size_t count, const char *name,
                         double value, const char *unit)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, constants[i].name) == 0 && strcmp(unit, constants[i].unit) == 0) {
            *place_of(base, &constants[i]) = value / constants[i].scale;
            return true;
        }
    return false;
}

/* A constant of a game: VARIANT.METRIC.NAME. */
static bool set_of_game(struct model *model, char *name, double value, const char *unit)
{
    char *metric_name = strchr(name, '.');
    char *rest = metric_name ? strchr(metric_name + 1, '.') : NULL;
    if (!rest)
        return false;
    *metric_name++ = '\0';
    *rest++ = '\0';
    for (size_t game = 0; game < variant_count && game < MODEL_GAMES; game++)
        for (int metric = METRIC_WDL; metric < MODEL_METRICS; metric++)
            if (strcmp(name, variant_table[game]->rules.name) == 0 &&
                strcmp(metric_name, metric_names[metric]) == 0) {
                model->measured[game][metric] = true;
                return set_constant(&model->games[game][metric], of_game, COUNT(of_game), rest, value, unit);
            }
    return false;
}

static bool read_line(struct model *model, const char *line)
{
    char name[80];
    char unit[24];
    char rest;
    double value;
    if (line[strspn(line, " \t")] == '\0' || *line == '#')
        return true;
    if (sscanf(line, "%79s %lf %23s %c", name, &value, unit, &rest) != 3 || !isfinite(value) || value < 0)
        return false;
    return strchr(name, '.')
               ? set_of_game(model, name, value, unit)
               : set_constant(model, of_machine, COUNT(of_machine), name, value, unit) && value > 0;
}

enum status model_read(struct model *model, const char *text, int *line)
{
    for (*line = 1; *text; ++*line) {
        char copy[256];
        size_t length = strcspn(text, "\n");
        if (length >= sizeof copy)
            return STATUS_DAMAGED;
        memcpy(copy, text, length);
        copy[length] = '\0';
        if (!read_line(model, copy))
            return STATUS_DAMAGED;
        text += length + (text[length] == '\n');
    }
    return STATUS_OK;
}

enum status model_load(struct model *model, const char *path, char *message)
{
    char *text;
    size_t size;
    int line;
    enum status status = folder_read(path, &text, &size);
    if (status != STATUS_OK) {
        snprintf(message, LONG_MESSAGE, "%s: %s", path,
                 status == STATUS_FILE ? strerror(errno) : status_text(status));
        return status;
    }
    status = model_read(model, text, &line);
    if (status != STATUS_OK)
        snprintf(message, LONG_MESSAGE, "%s, line %d: not a constant that damagen --calibrate writes", path,
                 line);
    free(text);
    return status;
}

const struct game_costs *model_game(const struct model *model, const struct settings *settings)
{
    size_t game = 0;
    while (game + 1 < variant_count && variant_table[game] != settings->variant)
        game++;
    return &model->games[game < MODEL_GAMES ? game : 0][settings->metric];
}

/* -- Formulas -------------------------------------------------------------------------------------------- */

double model_team_seconds(const struct model *model, double position, uint64_t team, uint64_t positions)
{
    if (team <= 1)
        return (double)positions * position;
    double share = (double)positions / (double)team;
    double exchange = share * model->team_bytes / model->bandwidth;
    /* In a round each rank sends to every other one. */
    double rounds = model->team_rounds * (model->latency + (double)(team - 1) * model->message);
    return share * position * model->team_cpu + exchange + rounds;
}

/* The team that is done first: where another rank's messages would cost as much as it works. */
static uint64_t quickest_team(const struct model *model, double position, uint64_t positions)
{
    double work = (double)positions * (position * model->team_cpu + model->team_bytes / model->bandwidth);
    double quickest = sqrt(work / (model->team_rounds * model->message));
    uint64_t team = quickest > 1 ? (uint64_t)quickest : 1;
    return model_team_seconds(model, position, team, positions) < (double)positions * position ? team : 1;
}

uint64_t model_team(const struct model *model, double position, const struct crew *crew, uint64_t positions,
                    uint64_t level, uint64_t bytes)
{
    uint64_t fair = level / (uint64_t)crew->ranks + 1;
    uint64_t team = positions / fair + (positions % fair != 0);
    uint64_t for_memory = crew->memory ? bytes / crew->memory + (bytes % crew->memory != 0) : 1;
    uint64_t quickest =
        team > 1 && positions >= LEAST_OF_TEAM ? quickest_team(model, position, positions) : 1;
    team = team < quickest ? team : quickest;
    team = team < (uint64_t)crew->ranks ? team : (uint64_t)crew->ranks;
    return team > for_memory ? team : for_memory;
}

double model_commit(const struct model *model, int ranks, uint64_t pieces, uint64_t segments)
{
    double steps = ranks > 1 ? ceil(log2(ranks)) : 0;
    /* Every rank that has written tells all others in turn (ranks_gather); agreements go there and back. */
    double tellers = segments < (uint64_t)ranks ? (double)segments : ranks;
    double told = ranks > 1 ? tellers * model->latency +
                                  (double)segments * sizeof(struct new_segment) / model->bandwidth
                            : 0;
    const int agreements = 8;
    return (double)pieces * model->piece + 3 * model->sync + 2 * model->rename + told +
           agreements * 2 * steps * model->latency;
}

double model_assembly(const struct model *model, const struct game_costs *game, uint64_t positions)
{
    return (double)positions * game->table_bits / 8 / model->read_speed;
}
