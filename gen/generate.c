/* The order of work (docs/design.md, sections 2 and 6): groups upwards, levels downwards, pieces of a level
 * shared by the ranks; each level is committed, each finished group gets its tables. */
#include "generate.h"
#include "complaint.h"
#include "folders.h"
#include "forecast.h"
#include "level.h"
#include "ranks.h"
#include "stop.h"
#include "team_checkpoint.h"
#include "team_choice.h"

#include <stdio.h>
#include <stdlib.h>

/* -- Groups ------------------------------------------------------------------------------------------------
 */

/* Opens the tables that are there and notes which pairs come from them. */
static enum status open_group(struct run *run, const struct group *group)
{
    bool distances = run_keeps_distances(run, group);
    enum status status = tables_open(run->tables, group, distances || run->settings->metric == METRIC_DTZ);
    for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs; pair++)
        run->restored[pair] = tables_of(run->tables, pair, METRIC_WDL) &&
                              (!distances || tables_of(run->tables, pair, METRIC_DTZ)) &&
                              !store_has_pair(run->store, pair, distances);
    return status;
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

/* Makes the tables of a finished group, and tells what that took. */
static enum status publish(struct run *run, const struct group *group)
{
    const struct finished finished = {.values = run->values,
                                      .store = run->store,
                                      .work = run->work,
                                      .distances = run_keeps_distances(run, group),
                                      .touched = run->touched};
    struct level_work work = {.bytes = ranks_bytes_sent(), .messages = ranks_messages_sent()};
    uint64_t tables = missing_tables(run, group);
    uint64_t cpu = report_cpu();
    uint64_t times[PHASES];
    phase_times(times);
    enum status status = tables_publish(run->tables, group, &finished);
    if (status != STATUS_OK)
        return status;
    phase_times(work.phases);
    for (int phase = 0; phase < PHASES; phase++)
        work.phases[phase] -= times[phase];
    work.nanoseconds = report_cpu() - cpu;
    work.bytes = ranks_bytes_sent() - work.bytes;
    work.messages = ranks_messages_sent() - work.messages;
    report_tables(run->report, group, tables, &work);
    return STATUS_OK;
}

static enum status build_group(struct run *run, const struct group *group)
{
    enum status status = open_group(run, group);
    for (int advancement = group->most_advancement; advancement >= 0 && status == STATUS_OK; advancement--)
        status = level_build(run, group, advancement);
    if (status == STATUS_OK)
        status = publish(run, group);
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
        complain_plainly(message);
    if (status != STATUS_OK)
        return status;
    if (own != 0) {
        status = store_open(run->work, run->plan, false, own, &run->store, message);
        if (status != STATUS_OK)
            complain_plainly(message);
    }
    return ranks_agree(status);
}

static uint64_t positions_to_solve(const struct run *run)
{
    uint64_t positions = 0;
    for (uint32_t i = 0; i < run->plan->group_count; i++) {
        const struct group *group = &run->plan->groups[i];
        for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs; pair++)
            if (!store_has_pair(run->store, pair, run_keeps_distances(run, group)))
                positions += run->plan->pairs[pair]->positions;
    }
    return positions;
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
    uint64_t others = needed + LEAST_CACHE - team_most_memory(run->plan, settings);
    run->room = settings->memory > others ? settings->memory - others : 0;
    return ranks_agree(values_open(run->plan, run->store, cache, &run->values));
}

/* Rank 0 looks what teams have left behind, so that all ranks know the same. */
static enum status find_begun(struct run *run)
{
    struct piece *pieces = NULL;
    void *all = NULL;
    size_t count = 0;
    size_t bytes = 0;
    enum status status = STATUS_OK;
    if (ranks_own() == 0) {
        level_clean_states(run);
        status = checkpoint_pieces(run->work, run->plan, &pieces, &count);
    }
    status = ranks_agree(status);
    if (status == STATUS_OK)
        status = ranks_gather(pieces, count * sizeof *pieces, &all, &bytes);
    free(pieces);
    run->begun = all;
    run->begun_count = bytes / sizeof *run->begun;
    return ranks_agree(status);
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
    status = find_begun(run);
    if (status == STATUS_OK)
        status = open_values(run);
    if (status == STATUS_OK)
        status = report_open(run->plan, run->settings->log, positions_to_solve(run), &run->report);
    run->saved = report_seconds();
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
    free(run->begun);
    free(run);
}

/* Some failures, as of memory, are told by nobody where they happen. Collective. */
static void tell_at_least_once(enum status status)
{
    uint64_t told = complained();
    ranks_greatest(&told, 1);
    if (!told && ranks_own() == 0)
        complain(status, "%s; run the same command again", status_text(status));
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
    if (status == STATUS_INTERRUPTED)
        report_stop(run->report);
    else if (status != STATUS_OK)
        tell_at_least_once(status);
    close_run(run);
    return status;
}
