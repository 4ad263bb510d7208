/* The forecast of a run: what is exact from the plan, what is not from the model. */
#include "forecast.h"
#include "memory.h"
#include "share.h"
#include "store.h"
#include "table_parts.h"
#include "team_choice.h"

#include <inttypes.h>
#include <math.h>

enum {
    FIXED_MEMORY = 24 << 20, /* program, MPI, compression */
    TEAM_PLACE_BYTES = 3,
    TEAM_PLACE_BYTES_WITH_DISTANCES = 7
};

static uint64_t unit_memory(const struct plan *plan, const struct settings *settings, uint64_t places)
{
    return settings->solver->memory(plan->variant, places, settings_need_distances(settings));
}

/* Of a rank, all but for the unit it solves. */
static uint64_t fixed_memory(const struct plan *plan, const struct settings *settings)
{
    /* Of what is told of chunks, the part for distances is not touched where there are none. */
    unsigned planes = settings_need_distances(settings) ? 2 : 1;
    uint64_t memory = LEAST_CACHE + FIXED_MEMORY;
    for (uint32_t pair = 0; pair < plan->pair_count; pair++) {
        const struct slice_pair *slices = plan->pairs[pair];
        memory += (uint64_t)planes * plan->layouts[pair].chunks *
                  (sizeof(struct segment) + sizeof(void *) + sizeof(bool));
        memory += slices->members[0]->cell_count * (2 * sizeof(struct cell) + sizeof(struct cell_layout));
    }
    return memory;
}

uint64_t forecast_memory(const struct plan *plan, const struct settings *settings)
{
    return team_most_memory(plan, settings) + fixed_memory(plan, settings);
}

struct crew forecast_crew(const struct plan *plan, const struct settings *settings, int ranks)
{
    uint64_t fixed = fixed_memory(plan, settings);
    uint64_t half = settings->memory / 2;
    /* Where all else takes so much that little is left for units, the plan says so; teams would not help. */
    return (struct crew){ranks, settings->memory > fixed + half ? settings->memory - fixed : half + 1};
}

uint64_t forecast_least_memory(const struct settings *settings)
{
    const struct variant *variant = settings->variant;
    int pieces = settings->request.pieces;
    uint64_t most = 0;
    for (int own = 1; own < pieces; own++) {
        int opponent = pieces - own;
        if (own >= KIND_LIMIT || opponent >= KIND_LIMIT)
            continue;
        uint64_t positions;
        struct slice slice = {0, (uint8_t)own, 0, (uint8_t)opponent};
        enum status status = numbering_count(variant, slice, &positions);
        if (status == STATUS_BAD_SLICE)
            continue;
        if (status != STATUS_OK || positions > UINT64_MAX / 64)
            return UINT64_MAX;
        /* A team takes least: a state and a value of each place, and two distances, in all its ranks. */
        uint64_t of_place = settings_need_distances(settings) ? 6 : 2;
        uint64_t memory =
            (own == opponent ? positions : 2 * positions) / (uint64_t)settings->ranks * of_place;
        most = memory > most ? memory : most;
    }
    return most > 0 ? most : UINT64_MAX;
}

/* -- Levels ---------------------------------------------------------------------------------------------- */

struct forecast {
    const struct plan *plan;
    const struct settings *settings;
    const struct model *model;
    const struct game_costs *game;
    const struct crew *crew;
    uint64_t team;  /* largest */
    double solving; /* seconds */
    double tables;
    double between; /* levels */
    double sent;    /* bytes between ranks */
};

/* Sums over the cells of a level, or of a group. */
struct sum {
    uint64_t positions;
    uint64_t pieces;
    uint64_t largest;  /* places of a piece */
    uint64_t of_queue; /* positions that teams do not solve */
    uint64_t segments;
    double longest; /* seconds of one piece */
    double rank_seconds;
};

/* What a team takes for a piece, all its ranks together; of one rank it takes that, and less than the rank
 * takes without being a team. */
static uint64_t piece_memory(const struct forecast *forecast, uint64_t places)
{
    uint64_t alone = unit_memory(forecast->plan, forecast->settings, places);
    uint64_t together =
        places *
        (settings_need_distances(forecast->settings) ? TEAM_PLACE_BYTES_WITH_DISTANCES : TEAM_PLACE_BYTES);
    return forecast->crew->memory == 0 || alone <= forecast->crew->memory || alone < together ? alone
                                                                                              : together;
}

/* Adds `count` pieces of a level with `level` positions. */
static void add_pieces(struct forecast *forecast, uint64_t places, uint64_t count, uint64_t level,
                       struct sum *sum)
{
    double position = model_position(forecast->game);
    uint64_t bytes = piece_memory(forecast, places);
    uint64_t team = model_team(forecast->model, position, forecast->crew, places, level, bytes);
    double seconds = model_team_seconds(forecast->model, position, team, places);
    sum->longest = seconds > sum->longest ? seconds : sum->longest;
    sum->rank_seconds += seconds * (double)team * (double)count;
    sum->segments += count * ((places + CHUNK_POSITIONS - 1) / CHUNK_POSITIONS);
    if (team == 1)
        sum->of_queue += places * count;
    else
        forecast->sent += forecast->model->team_bytes * (double)places * (double)count;
    forecast->team = team > forecast->team ? team : forecast->team;
}

/* Adds up what a level has: its size first (`level` 0), then what its pieces take. */
static void add_level(struct forecast *forecast, const struct group *group, int advancement, uint64_t level,
                      struct sum *sum)
{
    const struct plan *plan = forecast->plan;
    for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs; pair++) {
        const struct layout *layout = &plan->layouts[pair];
        const struct numbering *numbering = plan->pairs[pair]->members[0];
        for (uint32_t cell = 0; cell < numbering->cell_count; cell++) {
            uint32_t count = layout->cells[cell].pieces;
            if (count == 0 || numbering->cells[cell].advancement != advancement)
                continue;
            uint64_t first = layout_piece(layout, pair, cell, 0).places;
            uint64_t last = layout_piece(layout, pair, cell, count - 1).places;
            sum->pieces += count;
            sum->positions += first * (count - 1) + last;
            sum->largest = first > sum->largest ? first : sum->largest;
            if (level > 0 && count > 1)
                add_pieces(forecast, first, count - 1, level, sum);
            if (level > 0)
                add_pieces(forecast, last, 1, level, sum);
        }
    }
}

/* A level lasts as long as all its work shared evenly, or as its longest piece, or as rank 0 needs to hand it
 * out. */
static void forecast_level(struct forecast *forecast, const struct group *group, int advancement)
{
    const struct model *model = forecast->model;
    int ranks = forecast->crew->ranks;
    struct sum size = {0};
    struct sum sum = {0};
    add_level(forecast, group, advancement, 0, &size);
    if (size.positions == 0)
        return;
    add_level(forecast, group, advancement, size.positions, &sum);
    uint64_t requests = ranks > 1 ? sum.of_queue / BATCH_WEIGHT + (uint64_t)ranks : 0;
    double seconds = sum.rank_seconds / ranks;
    seconds = fmax(seconds, sum.longest);
    forecast->solving += fmax(seconds, (double)requests * 2 * model->message);
    forecast->between += model_commit(model, ranks, sum.pieces, sum.segments);
    if (ranks > 1)
        forecast->sent += (double)requests * sizeof(struct batch) +
                          (double)sum.segments * ranks * sizeof(struct new_segment);
}

static void forecast_group(struct forecast *forecast, const struct group *group)
{
    uint64_t largest = 0;
    uint64_t positions = 0;
    for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs; pair++) {
        uint64_t of_pair = forecast->plan->pairs[pair]->positions;
        positions += of_pair;
        largest = of_pair > largest ? of_pair : largest;
    }
    for (int advancement = group->most_advancement; advancement >= 0; advancement--)
        forecast_level(forecast, group, advancement);
    uint64_t part = UINT64_C(1) << PART_LOG2;
    forecast->tables += forecast->game->table * fmax((double)positions / forecast->crew->ranks,
                                                     (double)(largest < part ? largest : part)) +
                        model_assembly(forecast->model, forecast->game, largest);
}

/* -- Printing -------------------------------------------------------------------------------------------- */

static uint64_t print_groups(FILE *output, struct forecast *forecast)
{
    const struct plan *plan = forecast->plan;
    uint64_t positions = 0;
    int levels = 0;
    fprintf(output, "pieces\tmen\tslice_pairs\tlevels\tpositions\tpieces_of_work\tlargest_unit\n");
    for (uint32_t i = 0; i < plan->group_count; i++) {
        const struct group *group = &plan->groups[i];
        struct sum sum = {0};
        uint64_t of_group = 0;
        for (int advancement = group->most_advancement; advancement >= 0; advancement--)
            add_level(forecast, group, advancement, 0, &sum);
        for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs; pair++)
            of_group += plan->pairs[pair]->positions;
        fprintf(output, "%d\t%d\t%" PRIu32 "\t%d\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", group->pieces,
                group->men, group->pairs, group->most_advancement + 1, of_group, sum.pieces, sum.largest);
        positions += of_group;
        levels += group->most_advancement + 1;
    }
    fprintf(output, "total: %" PRIu32 " slice pairs, %d levels, %" PRIu64 " positions\n", plan->pair_count,
            levels, positions);
    return positions;
}

/* What a run of so many ranks is refused for, and the teams that the model reckons with. */
static void print_memory(FILE *output, const struct forecast *forecast)
{
    char text[MEMORY_TEXT_SIZE];
    struct settings settings = *forecast->settings;
    settings.ranks = forecast->crew->ranks;
    uint64_t needed = forecast_memory(forecast->plan, &settings);
    uint64_t ranks = (uint64_t)settings.ranks;
    memory_write(needed, text);
    fprintf(output, "memory a rank: at least %s", text);
    memory_write(settings.memory, text);
    fprintf(output, " (allowed: %s)", text);
    if (forecast->team > 1)
        fprintf(output, ", with teams of up to %" PRIu64 " ranks",
                forecast->team < ranks ? forecast->team : ranks);
    fputs(needed > settings.memory ? ", too much\n" : "\n", output);
}

static void print_bytes(FILE *output, const char *before, double bytes, const char *after)
{
    char text[MEMORY_TEXT_SIZE];
    memory_write(bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX, text);
    fprintf(output, "%s%s%s", before, text, after);
}

void forecast_print(FILE *output, const struct plan *plan, const struct settings *settings,
                    const struct model *model, const struct crew *crew)
{
    struct forecast forecast = {.plan = plan,
                                .settings = settings,
                                .model = model,
                                .game = model_game(model, settings),
                                .crew = crew};
    const struct game_costs *game = forecast.game;
    double positions = (double)print_groups(output, &forecast);
    for (uint32_t i = 0; i < plan->group_count; i++)
        forecast_group(&forecast, &plan->groups[i]);
    print_memory(output, &forecast);
    print_bytes(output, "disk: work store about ", positions * game->segment_bits / 8, "");
    print_bytes(output, ", tables about ", positions * game->table_bits / 8, "\n");
    print_bytes(output, "network: about ", forecast.sent, ", besides reading ");
    print_bytes(output, "about ", positions * game->bytes_read, " of the work store\n");
    fprintf(output,
            "time: about %.0f seconds with %d ranks, if each has a core (solving %.0f, tables %.0f, between "
            "levels %.0f)\n",
            forecast.solving + forecast.tables + forecast.between, crew->ranks, forecast.solving,
            forecast.tables, forecast.between);
}
