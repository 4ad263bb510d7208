/* The plan, level by level, over simulated ranks. */
#include "simulate.h"
#include "simulated_ranks.h"
#include "table_parts.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_LISTED = 10 };

/* A stretch of the run between two barriers: a level, or the tables of a group. */
struct stretch {
    int pieces;
    int men;
    int advancement; /* -1: tables */
    uint64_t places;
    double seconds;
    double useful; /* seconds of CPU that one rank alone would need */
    double lost;
};

/* All slices with so many pieces. */
struct set {
    uint64_t places;
    uint64_t levels;
    uint64_t messages;
    double *busy; /* by rank, at its beginning */
    double seconds;
    double useful;
    double table_seconds; /* part of these */
    double table_useful;
};

struct simulation {
    const struct plan *plan;
    const struct settings *settings;
    const struct model *model;
    const struct game_costs *game;
    const struct crew *crew;
    FILE *output;
    struct simulated_ranks *ranks;     /* in levels */
    struct simulated_ranks *at_tables; /* the same, between levels: a clock and balance of their own */
    struct stretch *stretches;
    size_t count;
    bool *wanted; /* all pairs */
};

/* -- Levels and tables ----------------------------------------------------------------------------------- */

static uint64_t memory_of(const struct simulation *simulation, uint64_t places)
{
    const struct settings *settings = simulation->settings;
    return settings->solver->memory(simulation->plan->variant, places, settings_need_distances(settings));
}

/* Pieces that need a team come first in a level's order. *of_teams is how many there are. */
static enum status run_teams(struct simulation *simulation, const uint64_t *weights, size_t count,
                             uint64_t level, size_t *of_teams)
{
    const struct model *model = simulation->model;
    double position = model_position(simulation->game);
    struct team_work *works = malloc((count + 1) * sizeof *works);
    *of_teams = 0;
    if (!works)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        uint64_t bytes = memory_of(simulation, weights[i]);
        uint64_t team = model_team(model, position, simulation->crew, weights[i], level, bytes);
        if (team == 1)
            break;
        works[(*of_teams)++] =
            (struct team_work){team, model_team_seconds(model, position, team, weights[i])};
    }
    simulated_teams(simulation->ranks, works, *of_teams);
    free(works);
    return STATUS_OK;
}

static void end_stretch(struct simulation *simulation, struct simulated_ranks *ranks, struct stretch *stretch,
                        double began, double seconds_after)
{
    simulated_barrier(ranks, seconds_after);
    stretch->seconds = simulated_time(ranks) - began;
    simulation->stretches[simulation->count++] = *stretch;
}

static struct queue_costs costs_of(const struct simulation *simulation, double weight)
{
    const struct model *model = simulation->model;
    return (struct queue_costs){
        .weight = weight, .latency = model->latency, .message = model->message, .pause = 100e-6};
}

static enum status run_level(struct simulation *simulation, const struct group *group, int advancement)
{
    struct piece *pieces;
    size_t count;
    uint64_t chunks = 0;
    enum status status =
        plan_level(simulation->plan, group, advancement, simulation->wanted, &pieces, &count);
    if (status != STATUS_OK)
        return status;
    struct stretch stretch = {.pieces = group->pieces, .men = group->men, .advancement = advancement};
    uint64_t *weights = malloc((count + 1) * sizeof *weights);
    for (size_t i = 0; weights && i < count; i++) {
        weights[i] = pieces[i].places;
        stretch.places += weights[i];
        chunks += (weights[i] + CHUNK_POSITIONS - 1) / CHUNK_POSITIONS;
    }
    free(pieces);
    if (!weights)
        return STATUS_NO_MEMORY;
    double position = model_position(simulation->game);
    double began = simulated_time(simulation->ranks);
    const struct queue_costs costs = costs_of(simulation, position);
    size_t of_teams;
    status = run_teams(simulation, weights, count, stretch.places, &of_teams);
    if (status == STATUS_OK)
        simulated_queue(simulation->ranks, weights + of_teams, count - of_teams, true, &costs);
    free(weights);
    if (status != STATUS_OK)
        return status;
    stretch.useful = (double)stretch.places * position;
    end_stretch(simulation, simulation->ranks, &stretch, began,
                model_commit(simulation->model, simulation->crew->ranks, count, chunks));
    return STATUS_OK;
}

/* The parts of all tables of a group, those of one after another; their number in *count, the positions of
 * the largest table in *largest. The caller frees *weights. */
static enum status parts_of_tables(const struct simulation *simulation, const struct group *group,
                                   uint64_t **weights, size_t *count, uint64_t *largest)
{
    const uint64_t part = UINT64_C(1) << PART_LOG2;
    size_t most = 0;
    *count = 0;
    *largest = 0;
    for (uint32_t i = 0; i < group->pairs; i++)
        most += (size_t)(simulation->plan->pairs[group->first_pair + i]->positions / part) + 1;
    *weights = malloc(most * sizeof **weights);
    if (!*weights)
        return STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < group->pairs; i++) {
        uint64_t positions = simulation->plan->pairs[group->first_pair + i]->positions;
        *largest = positions > *largest ? positions : *largest;
        for (; positions > 0; positions -= (*weights)[*count - 1])
            (*weights)[(*count)++] = positions < part ? positions : part;
    }
    return STATUS_OK;
}

/* All ranks make the parts of tables; then one puts the largest together. */
static enum status run_tables(struct simulation *simulation, const struct group *group)
{
    uint64_t *weights;
    size_t count;
    uint64_t largest;
    struct stretch stretch = {.pieces = group->pieces, .men = group->men, .advancement = -1};
    enum status status = parts_of_tables(simulation, group, &weights, &count, &largest);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        stretch.places += weights[i];
    const struct queue_costs costs = costs_of(simulation, simulation->game->table);
    double began = simulated_time(simulation->at_tables);
    simulated_queue(simulation->at_tables, weights, count, false, &costs);
    free(weights);
    stretch.useful = (double)stretch.places * simulation->game->table;
    end_stretch(simulation, simulation->at_tables, &stretch, began,
                model_assembly(simulation->model, simulation->game, largest) +
                    model_commit(simulation->model, simulation->crew->ranks, group->pairs, group->pairs));
    return STATUS_OK;
}

/* -- Sets ------------------------------------------------------------------------------------------------ */

static double busiest_over_mean(const struct simulation *simulation, const struct set *set)
{
    double sum = 0;
    double most = 0;
    for (int rank = 0; rank < simulation->crew->ranks; rank++) {
        double busy = simulated_busy(simulation->ranks, rank) - set->busy[rank];
        sum += busy;
        most = busy > most ? busy : most;
    }
    return sum > 0 ? most * simulation->crew->ranks / sum : 1;
}

static void add_stretches(const struct simulation *simulation, size_t first, struct set *set)
{
    for (size_t i = first; i < simulation->count; i++) {
        const struct stretch *stretch = &simulation->stretches[i];
        bool level = stretch->advancement >= 0;
        set->levels += level;
        set->places += level ? stretch->places : 0;
        set->seconds += stretch->seconds;
        set->useful += stretch->useful;
        set->table_seconds += level ? 0 : stretch->seconds;
        set->table_useful += level ? 0 : stretch->useful;
    }
}

static uint64_t messages_so_far(const struct simulation *simulation)
{
    return simulated_messages(simulation->ranks) + simulated_messages(simulation->at_tables);
}

static void print_set(const struct simulation *simulation, const char *name, const struct set *set)
{
    int ranks = simulation->crew->ranks;
    double of_levels = set->seconds - set->table_seconds;
    fprintf(simulation->output,
            "%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%.2f\t%.1f\t%.1f\t%.1f\t%.4f\t%.4f\n", name,
            set->places, set->levels, set->messages, busiest_over_mean(simulation, set), set->useful,
            of_levels, set->table_seconds, (set->useful - set->table_useful) / (of_levels * ranks),
            set->useful / (set->seconds * ranks));
}

/* Groups from *first on that have equally many pieces. */
static enum status run_set(struct simulation *simulation, uint32_t *first)
{
    const struct plan *plan = simulation->plan;
    int pieces = plan->groups[*first].pieces;
    size_t stretches = simulation->count;
    char name[12];
    struct set set = {.messages = messages_so_far(simulation)};
    set.busy = malloc((size_t)simulation->crew->ranks * sizeof *set.busy);
    if (!set.busy)
        return STATUS_NO_MEMORY;
    for (int rank = 0; rank < simulation->crew->ranks; rank++)
        set.busy[rank] = simulated_busy(simulation->ranks, rank);
    enum status status = STATUS_OK;
    for (; *first < plan->group_count && plan->groups[*first].pieces == pieces; ++*first) {
        const struct group *group = &plan->groups[*first];
        for (int level = group->most_advancement; level >= 0 && status == STATUS_OK; level--)
            status = run_level(simulation, group, level);
        if (status == STATUS_OK)
            status = run_tables(simulation, group);
    }
    set.messages = messages_so_far(simulation) - set.messages;
    add_stretches(simulation, stretches, &set);
    snprintf(name, sizeof name, "%d", pieces);
    if (status == STATUS_OK)
        print_set(simulation, name, &set);
    free(set.busy);
    return status;
}

/* -- What loses most ------------------------------------------------------------------------------------- */

static int more_lost_first(const void *left, const void *right)
{
    const struct stretch *a = left;
    const struct stretch *b = right;
    return (a->lost < b->lost) - (a->lost > b->lost);
}

/* Levels by the seconds in which all ranks would do nothing if they did their work without any loss. */
static void print_losses(const struct simulation *simulation)
{
    int ranks = simulation->crew->ranks;
    for (size_t i = 0; i < simulation->count; i++) {
        struct stretch *stretch = &simulation->stretches[i];
        stretch->lost = stretch->seconds - stretch->useful / ranks;
    }
    qsort(simulation->stretches, simulation->count, sizeof *simulation->stretches, more_lost_first);
    fputs("levels that lose most:\npieces\tmen\tlevel\tplaces\tseconds\tof_these_lost\n", simulation->output);
    int listed = 0;
    for (size_t i = 0; i < simulation->count && listed < MOST_LISTED; i++) {
        const struct stretch *stretch = &simulation->stretches[i];
        if (stretch->advancement < 0)
            continue;
        fprintf(simulation->output, "%d\t%d\t%d\t%" PRIu64 "\t%.3f\t%.3f\n", stretch->pieces, stretch->men,
                stretch->advancement, stretch->places, stretch->seconds, stretch->lost);
        listed++;
    }
}

/* -- The run --------------------------------------------------------------------------------------------- */

static enum status allocate(struct simulation *simulation)
{
    const struct plan *plan = simulation->plan;
    size_t stretches = 0;
    for (uint32_t i = 0; i < plan->group_count; i++)
        stretches += (size_t)plan->groups[i].most_advancement + 2;
    simulation->stretches = malloc(stretches * sizeof *simulation->stretches);
    simulation->wanted = malloc(plan->pair_count * sizeof *simulation->wanted);
    if (!simulation->stretches || !simulation->wanted)
        return STATUS_NO_MEMORY;
    for (uint32_t pair = 0; pair < plan->pair_count; pair++)
        simulation->wanted[pair] = true;
    enum status status = simulated_create(simulation->crew->ranks, &simulation->ranks);
    return status == STATUS_OK ? simulated_create(simulation->crew->ranks, &simulation->at_tables) : status;
}

static enum status run_all(struct simulation *simulation)
{
    const struct plan *plan = simulation->plan;
    enum status status = STATUS_OK;
    fputs("pieces\tplaces\tlevels\tmessages\tbusiest_of_mean\tcpu_seconds\tseconds_of_levels\t"
          "seconds_of_tables\tefficiency_of_levels\tefficiency\n",
          simulation->output);
    for (uint32_t group = 0; group < plan->group_count && status == STATUS_OK;)
        status = run_set(simulation, &group);
    if (status != STATUS_OK)
        return status;
    struct set total = {.messages = messages_so_far(simulation)};
    total.busy = calloc((size_t)simulation->crew->ranks, sizeof *total.busy);
    if (!total.busy)
        return STATUS_NO_MEMORY;
    add_stretches(simulation, 0, &total);
    print_set(simulation, "all", &total);
    free(total.busy);
    print_losses(simulation);
    return STATUS_OK;
}

enum status simulate_print(FILE *output, const struct plan *plan, const struct settings *settings,
                           const struct model *model, const struct crew *crew)
{
    struct simulation simulation = {.plan = plan,
                                    .settings = settings,
                                    .model = model,
                                    .game = model_game(model, settings),
                                    .crew = crew,
                                    .output = output};
    enum status status = allocate(&simulation);
    if (status == STATUS_OK)
        status = run_all(&simulation);
    simulated_destroy(simulation.ranks);
    simulated_destroy(simulation.at_tables);
    free(simulation.stretches);
    free(simulation.wanted);
    return status;
}
