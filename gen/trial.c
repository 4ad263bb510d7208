/* Solving, storing, reading and writing tables, each timed by itself. */
#include "trial.h"
#include "report.h"
#include "store.h"
#include "table_maker.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct parts {
    const struct settings *settings;
    const char *folder;
    struct plan *plan;
    struct store *store;
    struct values *values;
    bool *wanted;
    uint64_t places;
    uint64_t pieces;
    uint64_t table_bytes;
    /* Nanoseconds of CPU. */
    uint64_t solving;
    uint64_t storing;
    uint64_t tables;
    uint64_t ordering;
    char *message;
};

static enum status solve_piece(struct parts *parts, const struct piece *piece)
{
    bool distances = settings_need_distances(parts->settings);
    struct solution solution = {.values = malloc(piece->places + 1)};
    struct solver_counts counts = {0};
    if (distances)
        solution.distances = malloc((piece->places + 1) * sizeof *solution.distances);
    enum status status = STATUS_NO_MEMORY;
    if (solution.values && (solution.distances || !distances)) {
        uint64_t began = report_cpu();
        status = parts->settings->solver->solve(parts->plan, piece, parts->values, &solution, &counts);
        uint64_t solved = report_cpu();
        if (status == STATUS_OK)
            status = values_append(parts->values, piece, solution.values, solution.distances);
        parts->solving += solved - began;
        parts->storing += report_cpu() - solved;
    }
    free(solution.values);
    free(solution.distances);
    return status;
}

static enum status build_level(struct parts *parts, const struct group *group, int advancement)
{
    struct piece *pieces;
    size_t count;
    uint64_t began = report_cpu();
    enum status status = plan_level(parts->plan, group, advancement, parts->wanted, &pieces, &count);
    parts->ordering += report_cpu() - began;
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        status = solve_piece(parts, &pieces[i]);
        parts->places += pieces[i].places;
    }
    parts->pieces += count;
    free(pieces);
    size_t own_count;
    const struct new_segment *own = store_new(parts->store, &own_count);
    uint64_t stored = report_cpu();
    if (status == STATUS_OK)
        status = store_sync(parts->store);
    store_adopt(parts->store, own, own_count);
    store_forget_new(parts->store);
    parts->storing += report_cpu() - stored;
    return status;
}

static enum status make_tables(struct parts *parts, const struct group *group)
{
    enum status status = STATUS_OK;
    uint64_t began = report_cpu();
    for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs; pair++)
        for (enum metric metric = METRIC_WDL; metric <= parts->settings->metric && status == STATUS_OK;
             metric++) {
            const struct table_options options = {.metric = metric};
            struct table_summary summary;
            status = table_make(parts->plan, pair, parts->values, parts->folder, &options, &summary,
                                parts->message);
            if (status == STATUS_OK)
                parts->table_bytes += summary.entry.size;
        }
    parts->tables += report_cpu() - began;
    return status;
}

/* Bytes of segments a second, read by all their chunks one after another. */
static enum status measure_reading(struct parts *parts, double *speed)
{
    struct timespec began;
    struct timespec ended;
    uint64_t before = store_bytes_read(parts->store);
    char *bytes = malloc(MOST_CHUNK_BYTES);
    enum status status = bytes ? STATUS_OK : STATUS_NO_MEMORY;
    clock_gettime(CLOCK_MONOTONIC, &began);
    for (uint32_t pair = 0; pair < parts->plan->pair_count; pair++)
        for (uint32_t chunk = 0; chunk < parts->plan->layouts[pair].chunks && status == STATUS_OK; chunk++) {
            size_t size;
            status = store_read(parts->store, pair, chunk, bytes, MOST_CHUNK_BYTES, &size);
        }
    clock_gettime(CLOCK_MONOTONIC, &ended);
    free(bytes);
    double seconds = (double)(ended.tv_sec - began.tv_sec) + 1e-9 * (double)(ended.tv_nsec - began.tv_nsec);
    *speed = (double)(store_bytes_read(parts->store) - before) / (seconds + 1e-9);
    return status;
}

static enum status open_parts(struct parts *parts)
{
    struct slice culprit;
    enum { CACHE = 64 << 20 };
    enum status status =
        plan_create(parts->settings->variant, &parts->settings->request, &parts->plan, &culprit);
    if (status != STATUS_OK)
        return status;
    parts->wanted = malloc(parts->plan->pair_count * sizeof *parts->wanted);
    if (!parts->wanted)
        return STATUS_NO_MEMORY;
    memset(parts->wanted, true, parts->plan->pair_count * sizeof *parts->wanted);
    status = store_open(parts->folder, parts->plan, true, 0, &parts->store, parts->message);
    return status == STATUS_OK ? values_open(parts->plan, parts->store, CACHE, &parts->values) : status;
}

static void close_parts(struct parts *parts)
{
    values_close(parts->values);
    store_close(parts->store);
    plan_destroy(parts->plan);
    free(parts->wanted);
}

static enum status run_parts(struct parts *parts, struct trial *trial)
{
    enum status status = STATUS_OK;
    const struct plan *plan = parts->plan;
    for (uint32_t i = 0; i < plan->group_count && status == STATUS_OK; i++) {
        const struct group *group = &plan->groups[i];
        for (int level = group->most_advancement; level >= 0 && status == STATUS_OK; level--)
            status = build_level(parts, group, level);
        if (status == STATUS_OK)
            status = make_tables(parts, group);
    }
    double places = (double)parts->places;
    trial->game = (struct game_costs){
        .solve = 1e-9 * (double)parts->solving / places,
        .store = 1e-9 * (double)parts->storing / places,
        .table = 1e-9 * (double)parts->tables / places,
        .segment_bits = 8 * (double)store_bytes_written(parts->store) / places,
        .table_bits = 8 * (double)parts->table_bytes / places,
        .bytes_read = (double)store_bytes_read(parts->store) / places,
    };
    trial->piece = 1e-9 * (double)parts->ordering / (double)parts->pieces;
    trial->positions = parts->places;
    return status == STATUS_OK ? measure_reading(parts, &trial->read_speed) : status;
}

enum status trial_run(const struct settings *settings, const char *folder, struct trial *trial, char *message)
{
    struct parts parts = {.settings = settings, .folder = folder, .message = message};
    *message = '\0';
    enum status status = open_parts(&parts);
    if (status == STATUS_OK)
        status = run_parts(&parts, trial);
    if (status != STATUS_OK && !*message)
        strcpy(message, status_text(status));
    close_parts(&parts);
    return status;
}
