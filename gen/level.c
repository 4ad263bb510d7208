/* Pieces from the queue, chunks into the work store. */
#include "level.h"
#include "complaint.h"
#include "memory.h"
#include "ranks.h"
#include "stop.h"
#include "team_checkpoint.h"
#include "team_choice.h"
#include "team_rounds.h"

#include <stdlib.h>
#include <sys/statvfs.h>

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

/* What a rank takes off the queue: a whole piece, or of a piece that is restored a chunk, which needs no
 * other. */
struct portion {
    const struct piece *piece;
    uint32_t chunk;
    uint64_t places;
};

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

static enum status restore_places(struct run *run, const struct portion *portion,
                                  const struct solution *solution, struct solver_counts *counts)
{
    const struct piece *piece = portion->piece;
    struct tables_of_pair from = {.values = tables_of(run->tables, piece->pair, METRIC_WDL),
                                  .distances = tables_of(run->tables, piece->pair, METRIC_DTZ),
                                  .reader = run->reader};
    const struct solved_pair solved = {
        .values = values_of_table, .distances = distances_of_table, .context = &from};
    enum status status = solver_restore(run->plan, piece, (uint64_t)portion->chunk << CHUNK_BITS,
                                        portion->places, run->values, &solved, solution, counts);
    if (status == STATUS_OK)
        return status;
    if (values_status(run->values) != STATUS_OK)
        return complain_of_store(run->store, status);
    const struct table *culprit = solution->distances ? from.distances : from.values;
    return complain(status, "%s: %s; remove this table and run the same command again", table_path(culprit),
                    status_text(status));
}

/* Finds what belongs into the portion's places, and appends it to the work store. */
static enum status fill_portion(struct run *run, const struct portion *portion,
                                const struct solution *solution, struct solver_counts *counts)
{
    const struct piece *piece = portion->piece;
    enum status status;
    if (run->restored[piece->pair]) {
        status = restore_places(run, portion, solution, counts);
        if (status != STATUS_OK)
            return status;
        status =
            values_append_chunk(run->values, piece, portion->chunk, solution->values, solution->distances);
    } else {
        status = run->settings->solver->solve(run->plan, piece, run->values, solution, counts);
        if (status != STATUS_OK)
            return complain_of_piece(run, piece, status);
        status = values_append(run->values, piece, solution->values, solution->distances);
    }
    return status == STATUS_OK ? STATUS_OK : complain_of_store(run->store, status);
}

static enum status solve_portion(struct run *run, const struct portion *portion,
                                 const struct solution *solution, struct level_work *work)
{
    struct pair_work *of_pair = &run->work_of[portion->piece->pair];
    uint64_t cpu = report_cpu();
    struct solver_counts counts = {0};
    enum status status = fill_portion(run, portion, solution, &counts);
    if (status != STATUS_OK)
        return status;
    cpu = report_cpu() - cpu;
    of_pair->nanoseconds += cpu;
    work->nanoseconds += cpu;
    level_work_add(work, &counts);
    solver_counts_add(&of_pair->counts, &counts);
    work->pieces += portion->chunk == 0;
    return STATUS_OK;
}

/* -- Sharing the pieces ----------------------------------------------------------------------------------
 */

/* What is left to be done of a level: pieces for teams first, then pieces for single ranks. */
struct rest {
    struct piece *pieces;
    size_t team_count;
    size_t count; /* of all */
};

/* What a team has begun another goes on with, of one rank if there is but one. */
static bool was_begun(const struct run *run, const struct piece *piece)
{
    for (size_t i = 0; i < run->begun_count; i++)
        if (piece_equal(&run->begun[i], piece))
            return team_memory_together(run->plan, piece, run->settings) <= run->room;
    return false;
}

static bool for_a_team(const struct run *run, const struct piece *piece, uint64_t places)
{
    return !run->restored[piece->pair] &&
           (team_is_needed(run->plan, piece, run->settings, run->room, places) || was_begun(run, piece));
}

/* Moves pieces for teams to the front, keeping the order. */
static void sort_rest(const struct run *run, struct rest *rest, struct piece *room)
{
    uint64_t places = 0;
    size_t alone = 0;
    rest->team_count = 0;
    for (size_t i = 0; i < rest->count; i++)
        places += rest->pieces[i].places;
    for (size_t i = 0; i < rest->count; i++)
        if (for_a_team(run, &rest->pieces[i], places))
            rest->pieces[rest->team_count++] = rest->pieces[i];
        else
            room[alone++] = rest->pieces[i];
    for (size_t i = 0; i < alone; i++)
        rest->pieces[rest->team_count + i] = room[i];
}

/* The pieces of a level that are not in the work store; the caller frees rest->pieces, also after a failure.
 */
static enum status find_rest(const struct run *run, const struct store_level *level, struct rest *rest)
{
    size_t count;
    *rest = (struct rest){0};
    enum status status =
        plan_level(run->plan, level->group, level->advancement, level->wanted, &rest->pieces, &count);
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        if (!store_has_piece(run->store, &rest->pieces[i], level->distances))
            rest->pieces[rest->count++] = rest->pieces[i];
    struct piece *room = status == STATUS_OK ? malloc((rest->count + 1) * sizeof *room) : NULL;
    if (room)
        sort_rest(run, rest, room);
    else if (status == STATUS_OK)
        status = STATUS_NO_MEMORY;
    free(room);
    return status;
}

/* Asked while pieces are handed out: is it time to save what is done? */
static bool time_to_save(void *context)
{
    const struct run *run = context;
    return stop_wanted() || report_seconds() - run->saved > run->settings->checkpoint;
}

/* Pieces for teams, one after the other; *left tells that it is time to save before all are done. */
static enum status solve_in_teams(struct run *run, const struct rest *rest, bool distances,
                                  struct level_work *work, bool *left)
{
    enum status status = STATUS_OK;
    uint64_t pause = 0;
    run->states = true;
    ranks_form_teams(team_size(run->settings));
    size_t teams = (size_t)ranks_teams();
    for (size_t i = 0; i < rest->team_count && status == STATUS_OK && !pause; i++) {
        if (ranks_team() < 0 || i % teams != (size_t)ranks_team())
            continue;
        status = team_solve(run, &rest->pieces[i], distances, work);
        pause = time_to_save(run);
        ranks_team_greatest(&pause, 1);
        report_progress(run->report, work->positions * (uint64_t)ranks_count());
    }
    ranks_dissolve_teams();
    ranks_greatest(&pause, 1);
    *left = pause || status == STATUS_INTERRUPTED;
    return status;
}

/* Adds what is left of a piece to portions. */
static void cut_piece(const struct run *run, const struct piece *piece, bool distances,
                      struct portion *portions, size_t *count)
{
    if (!run->restored[piece->pair]) {
        portions[(*count)++] = (struct portion){piece, 0, piece->places};
        return;
    }
    for (uint32_t chunk = 0; (uint64_t)chunk << CHUNK_BITS < piece->places; chunk++)
        if (!store_has_chunk(run->store, piece, chunk, distances))
            portions[(*count)++] = (struct portion){piece, chunk, layout_chunk_places(piece, chunk)};
}

/* Portions of the pieces for single ranks, in the order of these; the caller frees *portions. */
static enum status cut_pieces(const struct run *run, const struct rest *rest, bool distances,
                              struct portion **portions, size_t *count)
{
    size_t most = 0;
    *count = 0;
    for (size_t i = rest->team_count; i < rest->count; i++)
        most += (size_t)((rest->pieces[i].places - 1) >> CHUNK_BITS) + 1;
    *portions = malloc((most + 1) * sizeof **portions);
    if (!*portions)
        return STATUS_NO_MEMORY;
    for (size_t i = rest->team_count; i < rest->count; i++)
        cut_piece(run, &rest->pieces[i], distances, *portions, count);
    return STATUS_OK;
}

/* Takes portions off the queue until it is empty or pauses; after a failure without solving them. */
static enum status work_off(struct run *run, const struct portion *portions, const struct queue *queue,
                            const struct solution *solution, struct level_work *work)
{
    enum status status = STATUS_OK;
    ranks_open_queue(queue);
    for (size_t i; ranks_next(&i);) {
        if (status == STATUS_OK)
            status = solve_portion(run, &portions[i], solution, work);
        report_progress(run->report, work->positions * (uint64_t)ranks_count());
    }
    return status;
}

/* The pieces for single ranks, shared by all. */
static enum status solve_pieces(struct run *run, const struct rest *rest, bool distances,
                                struct level_work *work)
{
    uint64_t largest = 0;
    size_t count;
    struct portion *portions;
    enum status status = cut_pieces(run, rest, distances, &portions, &count);
    uint64_t *weights = malloc((count + 1) * sizeof *weights);
    for (size_t i = 0; weights && i < count; i++) {
        weights[i] = portions[i].places;
        largest = weights[i] > largest ? weights[i] : largest;
    }
    struct solution solution = {.values = malloc(largest + 1)};
    if (distances)
        solution.distances = malloc((largest + 1) * sizeof *solution.distances);
    bool all = weights && solution.values && (solution.distances || !distances);
    status = ranks_agree(status == STATUS_OK && !all ? STATUS_NO_MEMORY : status);
    if (status == STATUS_OK && weights) {
        const struct queue queue = {
            .weights = weights, .count = count, .even = true, .pause = time_to_save, .context = run};
        status = work_off(run, portions, &queue, &solution, work);
    }
    free(portions);
    free(weights);
    free(solution.values);
    free(solution.distances);
    return status;
}

/* -- Saving ----------------------------------------------------------------------------------------------
 */

/* Refuses to begin what the disk has no room for: better than to fill it. */
static enum status check_space(const struct run *run, const struct store_level *level,
                               const struct rest *rest)
{
    enum { BITS_OF_VALUES = 1, BITS_WITH_DISTANCES = 4 /* a place: more than was ever seen */ };
    struct statvfs disk;
    uint64_t places = 0;
    for (size_t i = 0; i < rest->count; i++)
        places += rest->pieces[i].places;
    uint64_t needed = places / 8 * (level->distances ? BITS_WITH_DISTANCES : BITS_OF_VALUES);
    if (statvfs(run->work, &disk) != 0)
        return STATUS_OK; /* then it has to be tried */
    uint64_t free_bytes = (uint64_t)disk.f_bavail * disk.f_frsize;
    if (free_bytes >= needed)
        return STATUS_OK;
    char need[MEMORY_TEXT_SIZE];
    char have[MEMORY_TEXT_SIZE];
    memory_write(needed, need);
    memory_write(free_bytes, have);
    complain(
        STATUS_NO_SPACE,
        "%s: no space left for the next level: it takes up to %s, and %s is free; free some space and run "
        "the same command again",
        run->work, need, have);
    return STATUS_NO_SPACE;
}

/* Makes the segments of all ranks known and the level, or part of it, permanent. STATUS_INTERRUPTED if that
 * is done and some rank wants to stop. */
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
    status = ranks_agree(status == STATUS_OK && stop_wanted() ? STATUS_INTERRUPTED : status);
    if (status == STATUS_OK || status == STATUS_INTERRUPTED) {
        store_adopt(run->store, all, count);
        if (!level->part)
            store_mark_level(run->store, level);
        store_forget_new(run->store);
    }
    free(all);
    return status;
}

static bool is_committed(const void *context, const struct piece *piece)
{
    const struct run *run = context;
    const struct group *group = plan_group_of(run->plan, piece->pair);
    return store_has_piece(run->store, piece, run_keeps_distances(run, group));
}

void level_clean_states(struct run *run)
{
    checkpoint_clean(run->work, run->plan, is_committed, run);
    run->states = checkpoint_exists(run->work);
}

static enum status save(struct run *run, const struct store_level *level)
{
    double began = report_seconds();
    enum status status = commit_level(run, level);
    if (run->states && ranks_own() == 0 && (status == STATUS_OK || status == STATUS_INTERRUPTED))
        level_clean_states(run);
    run->saved = report_seconds();
    stop_note_save(run->saved - began);
    return status;
}

/* -- The level -------------------------------------------------------------------------------------------
 */

/* Flags the pairs of which the level still has to be built. */
static bool want_level(struct run *run, const struct group *group, int advancement)
{
    bool any = false;
    for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs; pair++) {
        run->wanted[pair] = plan_pair_has_level(run->plan, pair, advancement) &&
                            !store_has_level(run->store, pair, advancement, run_keeps_distances(run, group));
        run->touched[pair] |= run->wanted[pair];
        any |= run->wanted[pair];
    }
    return any;
}

/* Solves pieces until all are done or it is time to save, and saves; level->part tells that some are left. */
static enum status build_part(struct run *run, struct store_level *level, struct level_work *work)
{
    struct rest rest;
    bool left = false;
    enum status status = find_rest(run, level, &rest);
    if (status == STATUS_OK && ranks_own() == 0)
        status = check_space(run, level, &rest);
    status = ranks_agree(status);
    if (status == STATUS_OK && rest.team_count > 0)
        status = ranks_agree(solve_in_teams(run, &rest, level->distances, work, &left));
    if (status == STATUS_OK && !left) {
        status = ranks_agree(solve_pieces(run, &rest, level->distances, work));
        left = ranks_queue_paused();
    }
    free(rest.pieces);
    level->part = left || status != STATUS_OK;
    if (status != STATUS_OK && status != STATUS_INTERRUPTED)
        return status;
    enum status saved = save(run, level);
    return saved == STATUS_OK ? status : saved;
}

enum status level_build(struct run *run, const struct group *group, int advancement)
{
    if (!want_level(run, group, advancement))
        return STATUS_OK;
    struct level_work work = {.bytes = ranks_bytes_sent(), .messages = ranks_messages_sent()};
    uint64_t times[PHASES];
    phase_times(times);
    struct store_level level = {.group = group,
                                .advancement = advancement,
                                .wanted = run->wanted,
                                .distances = run_keeps_distances(run, group),
                                .part = true};
    enum status status = STATUS_OK;
    while (status == STATUS_OK && level.part)
        status = build_part(run, &level, &work);
    if (status != STATUS_OK)
        return status;
    phase_times(work.phases);
    for (int phase = 0; phase < PHASES; phase++)
        work.phases[phase] -= times[phase];
    work.bytes = ranks_bytes_sent() - work.bytes;
    work.messages = ranks_messages_sent() - work.messages;
    report_level(run->report, group, advancement, &work);
    return STATUS_OK;
}
