/* The order of work (docs/design.md, sections 2 and 6): groups upwards, levels downwards, pieces of a level
 * shared by the ranks; each level is committed, each finished group gets its tables. */
#include "generate.h"
#include "complaint.h"
#include "folders.h"
#include "forecast.h"
#include "ranks.h"
#include "report.h"
#include "tables.h"

#include <stdio.h>
#include <stdlib.h>

struct run {
    const struct settings *settings;
    const struct plan *plan;
    struct store *store;
    struct values *values;
    struct report *report;
    struct tables *tables;
    struct block_reader *reader;
    struct pair_work *work_of; /* of each pair */
    /* Flags a pair: */
    bool *restored; /* it comes from its tables */
    bool *touched;  /* something of it was solved or restored in this run */
    bool *wanted;   /* for the level at hand */
    /* By group: missing tables that need its distances, if there are any. */
    uint64_t *needing;
    char work[MAX_FILE_PATH];
};

/* -- Solving -----------------------------------------------------------------------------------------------
 */

/* A solver's failure is one of reading the work store, or of the piece itself. */
static enum status complain_of_piece(const struct run *run, const struct piece *piece, enum status status)
{
    if (values_status(run->values) != STATUS_OK)
        return complain_of_store(run->store, status);
    char name[SLICE_NAME_SIZE];
    slice_write(run->plan->pairs[piece->pair]->name, name);
    return complain(status, "slice %s: %s", name, status_text(status));
}

/* Tables that a pair is being restored from; `distances` may be null. */
struct tables_of_pair {
    const struct table *values;
    const struct table *distances;
    struct block_reader *reader;
};

static enum status values_of_table(void *context, int member, uint64_t first, uint64_t count, uint8_t *values)
{
    const struct tables_of_pair *from = context;
    return table_read_values(from->values, from->reader, member, first, count, values);
}

static enum status distances_of_table(void *context, int member, uint64_t first, uint64_t count,
                                      uint16_t *distances)
{
    const struct tables_of_pair *from = context;
    return table_read_distance_range(from->distances, from->reader, member, first, count, distances);
}

static bool keeps_distances(const struct run *run, const struct group *group)
{
    return run->needing[group - run->plan->groups] > 0;
}

static uint64_t positions_of(const struct solver_counts *counts)
{
    uint64_t positions = 0;
    for (int member = 0; member < 2; member++)
        for (int value = 0; value < VALUES; value++)
            positions += counts->values[member][value];
    return positions;
}

static enum status restore_piece(struct run *run, const struct piece *piece, const struct solution *solution)
{
    struct tables_of_pair from = {.values = tables_of(run->tables, piece->pair, METRIC_WDL),
                                  .distances = tables_of(run->tables, piece->pair, METRIC_DTZ),
                                  .reader = run->reader};
    const struct solved_pair solved = {
        .values = values_of_table, .distances = distances_of_table, .context = &from};
    enum status status =
        solver_restore(run->plan, piece, run->values, &solved, solution, &run->work_of[piece->pair].counts);
    if (status == STATUS_OK)
        return status;
    if (values_status(run->values) != STATUS_OK)
        return complain_of_store(run->store, status);
    const struct table *culprit = solution->distances ? from.distances : from.values;
    return complain(status, "%s: %s; remove this table and run the same command again", table_path(culprit),
                    status_text(status));
}

static enum status solve_piece(struct run *run, const struct piece *piece, const struct solution *solution,
                               struct level_work *work)
{
    struct pair_work *of_pair = &run->work_of[piece->pair];
    uint64_t cpu = report_cpu();
    uint64_t before = positions_of(&of_pair->counts);
    enum status status;
    if (run->restored[piece->pair]) {
        status = restore_piece(run, piece, solution);
    } else {
        status = run->settings->solver->solve(run->plan, piece, run->values, solution, &of_pair->counts);
        if (status != STATUS_OK)
            complain_of_piece(run, piece, status);
    }
    if (status != STATUS_OK)
        return status;
    status = values_append(run->values, piece, solution->values, solution->distances);
    if (status != STATUS_OK)
        return complain_of_store(run->store, status);
    cpu = report_cpu() - cpu;
    of_pair->nanoseconds += cpu;
    work->nanoseconds += cpu;
    work->positions += positions_of(&of_pair->counts) - before;
    work->pieces++;
    return STATUS_OK;
}

/* Takes pieces off the queue until it is empty; after a failure without solving them. */
static enum status solve_pieces(struct run *run, const struct piece *pieces, size_t count, bool distances,
                                struct level_work *work)
{
    uint64_t largest = 0;
    uint64_t *weights = malloc((count + 1) * sizeof *weights);
    for (size_t i = 0; weights && i < count; i++) {
        weights[i] = pieces[i].places;
        largest = weights[i] > largest ? weights[i] : largest;
    }
    struct solution solution = {.values = malloc(largest + 1)};
    if (distances)
        solution.distances = malloc((largest + 1) * sizeof *solution.distances);
    bool all = weights && solution.values && (solution.distances || !distances);
    enum status status = ranks_agree(all ? STATUS_OK : STATUS_NO_MEMORY);
    if (status == STATUS_OK && weights) {
        ranks_open_queue(weights, count, true);
        for (size_t i; ranks_next(&i);) {
            if (status == STATUS_OK)
                status = solve_piece(run, &pieces[i], &solution, work);
            report_progress(run->report, work->positions * (uint64_t)ranks_count());
        }
    }
    free(weights);
    free(solution.values);
    free(solution.distances);
    return status;
}

/* Makes the segments of all ranks known and the level permanent. */
static enum status commit_level(struct run *run, const struct store_level *level)
{
    size_t own_count;
    const struct new_segment *own = store_new(run->store, &own_count);
    enum status status = store_sync(run->store);
    if (status != STATUS_OK)
        complain_of_store(run->store, status);
    status = ranks_agree(status);
    if (status != STATUS_OK)
        return status;
    void *all;
    size_t bytes;
    status = ranks_gather(own, own_count * sizeof *own, &all, &bytes);
    if (status != STATUS_OK)
        return status;
    size_t count = bytes / sizeof(struct new_segment);
    for (size_t i = 0; i < own_count && ranks_count() > 1; i++)
        run->work_of[own[i].pair].bytes += sizeof *own;
    if (ranks_own() == 0) {
        status = store_commit(run->store, level, all, count);
        if (status != STATUS_OK)
            complain_of_store(run->store, status);
    }
    status = ranks_agree(status);
    if (status == STATUS_OK) {
        store_adopt(run->store, all, count);
        store_mark_level(run->store, level);
        store_forget_new(run->store);
    }
    free(all);
    return status;
}

/* Flags the pairs of which the level still has to be built. */
static bool want_level(struct run *run, const struct group *group, int advancement)
{
    bool any = false;
    for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs; pair++) {
        run->wanted[pair] = plan_pair_has_level(run->plan, pair, advancement) &&
                            !store_has_level(run->store, pair, advancement, keeps_distances(run, group));
        run->touched[pair] |= run->wanted[pair];
        any |= run->wanted[pair];
    }
    return any;
}

static enum status build_level(struct run *run, const struct group *group, int advancement)
{
    if (!want_level(run, group, advancement))
        return STATUS_OK;
    struct piece *pieces;
    size_t count;
    enum status status = ranks_agree(plan_level(run->plan, group, advancement, run->wanted, &pieces, &count));
    if (status != STATUS_OK)
        return status;
    struct level_work work = {.bytes = ranks_bytes_sent(), .messages = ranks_messages_sent()};
    const struct store_level level = {group, advancement, run->wanted, keeps_distances(run, group)};
    status = ranks_agree(solve_pieces(run, pieces, count, level.distances, &work));
    free(pieces);
    if (status == STATUS_OK)
        status = commit_level(run, &level);
    if (status != STATUS_OK)
        return status;
    work.bytes = ranks_bytes_sent() - work.bytes;
    work.messages = ranks_messages_sent() - work.messages;
    report_level(run->report, group, advancement, &work);
    return STATUS_OK;
}

/* -- Groups ------------------------------------------------------------------------------------------------
 */

/* Opens the tables that are there and notes which pairs come from them. */
static enum status open_group(struct run *run, const struct group *group)
{
    bool distances = keeps_distances(run, group);
    enum status status = tables_open(run->tables, group, distances || run->settings->metric == METRIC_DTZ);
    for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs; pair++)
        run->restored[pair] = tables_of(run->tables, pair, METRIC_WDL) &&
                              (!distances || tables_of(run->tables, pair, METRIC_DTZ)) &&
                              !store_has_pair(run->store, pair, distances);
    return status;
}

static enum status build_group(struct run *run, const struct group *group)
{
    const struct finished finished = {.values = run->values,
                                      .store = run->store,
                                      .distances = keeps_distances(run, group),
                                      .touched = run->touched};
    enum status status = open_group(run, group);
    for (int advancement = group->most_advancement; advancement >= 0 && status == STATUS_OK; advancement--)
        status = build_level(run, group, advancement);
    if (status == STATUS_OK)
        status = tables_publish(run->tables, group, &finished);
    for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs; pair++)
        if (status == STATUS_OK && run->touched[pair])
            report_pair(run->report, pair, &run->work_of[pair], run->restored[pair]);
    tables_close_group(run->tables, group);
    return status;
}

/* -- The run -----------------------------------------------------------------------------------------------
 */

/* The leader first: it makes the folder, and drops what is not committed. */
static enum status open_store(struct run *run)
{
    static char message[LONG_MESSAGE];
    int own = ranks_own();
    enum status status = folder_join(run->work, run->settings->work, run->plan->variant->rules.name);
    if (status != STATUS_OK)
        complain(status, "the path of --work is too long");
    status = ranks_agree(status);
    if (status == STATUS_OK && own == 0)
        status = store_open(run->work, run->plan, true, own, &run->store, message);
    status = ranks_agree(status);
    if (own == 0 && status != STATUS_OK)
        fprintf(stderr, "damagen: %s\n", message);
    if (status != STATUS_OK)
        return status;
    if (own != 0) {
        status = store_open(run->work, run->plan, false, own, &run->store, message);
        if (status != STATUS_OK)
            fprintf(stderr, "damagen: rank %d: %s\n", own, message);
    }
    return ranks_agree(status);
}

static uint64_t positions_to_solve(const struct run *run)
{
    uint64_t positions = 0;
    for (uint32_t i = 0; i < run->plan->group_count; i++) {
        const struct group *group = &run->plan->groups[i];
        for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs; pair++)
            if (!store_has_pair(run->store, pair, keeps_distances(run, group)))
                positions += run->plan->pairs[pair]->positions;
    }
    return positions;
}

/* Tables of the group that are asked for and not there. */
static uint64_t missing_tables(const struct run *run, const struct group *group)
{
    uint64_t missing = 0;
    for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs; pair++)
        for (enum metric metric = METRIC_WDL; metric <= run->settings->metric; metric++)
            missing += !tables_have_file(run->tables, pair, metric);
    return missing;
}

/* Notes which groups have to keep distances, the same on all ranks: those that lack tables of them, and,
 * where values depend on distances of as many pieces, all with as many pieces as one that lacks any table. */
static void note_needing(struct run *run)
{
    const struct plan *plan = run->plan;
    bool of_values = solver_needs_distances(plan->variant);
    for (uint32_t i = 0; i < plan->group_count; i++) {
        uint64_t missing = missing_tables(run, &plan->groups[i]);
        if (run->settings->metric == METRIC_DTZ)
            run->needing[i] += missing;
        for (uint32_t j = 0; of_values && j < plan->group_count; j++)
            if (plan->groups[j].pieces == plan->groups[i].pieces)
                run->needing[j] += missing;
    }
    ranks_greatest(run->needing, (int)plan->group_count);
}

static enum status allocate(struct run *run)
{
    uint32_t pairs = run->plan->pair_count;
    run->work_of = calloc(pairs, sizeof *run->work_of);
    run->restored = calloc(pairs, sizeof *run->restored);
    run->touched = calloc(pairs, sizeof *run->touched);
    run->wanted = calloc(pairs, sizeof *run->wanted);
    run->needing = calloc(run->plan->group_count, sizeof *run->needing);
    bool complete = run->work_of && run->restored && run->touched && run->wanted && run->needing;
    return ranks_agree(complete ? block_reader_create(&run->reader) : STATUS_NO_MEMORY);
}

static enum status open_values(struct run *run)
{
    const struct settings *settings = run->settings;
    uint64_t needed = forecast_memory(run->plan, settings) - LEAST_CACHE;
    uint64_t cache = settings->memory > needed ? settings->memory - needed : LEAST_CACHE;
    return ranks_agree(values_open(run->plan, run->store, cache, &run->values));
}

static enum status open_run(struct run *run)
{
    enum status status = allocate(run);
    if (status == STATUS_OK)
        status = tables_create(run->settings, run->plan, &run->tables);
    if (status == STATUS_OK)
        status = open_store(run);
    if (status != STATUS_OK)
        return status;
    note_needing(run);
    status = open_values(run);
    if (status == STATUS_OK)
        status = report_open(run->plan, run->settings->log, positions_to_solve(run), &run->report);
    return status;
}

static void close_run(struct run *run)
{
    report_close(run->report);
    values_close(run->values);
    store_close(run->store);
    tables_close(run->tables);
    block_reader_destroy(run->reader);
    free(run->work_of);
    free(run->restored);
    free(run->touched);
    free(run->wanted);
    free(run->needing);
    free(run);
}

enum status generate(const struct settings *settings, const struct plan *plan)
{
    struct run *run = calloc(1, sizeof *run);
    enum status status = ranks_agree(run ? STATUS_OK : STATUS_NO_MEMORY);
    if (status != STATUS_OK || !run) {
        free(run);
        return status;
    }
    run->settings = settings;
    run->plan = plan;
    status = open_run(run);
    for (uint32_t i = 0; i < plan->group_count && status == STATUS_OK; i++)
        status = build_group(run, &plan->groups[i]);
    if (status == STATUS_OK)
        status = report_end(run->report, store_bytes_written(run->store));
    close_run(run);
    return status;
}
