/* The order of work (docs/design.md, sections 2 and 6): groups upwards, levels downwards, pieces of a level
 * shared by the ranks; each level is committed, each finished group gets its tables. */
#include "generate.h"
#include "folders.h"
#include "forecast.h"
#include "ranks.h"
#include "report.h"
#include "store.h"
#include "table_maker.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { MAX_PIECES_OF_PLAN = 4 * KIND_LIMIT };

/* What a run knows of a pair. */
struct pair_state {
    struct pair_work work;
    bool restored;       /* its values come from its table */
    bool touched;        /* something of it was solved in this run */
    struct table *table; /* open while its values are restored */
};

struct run {
    const struct settings *settings;
    const struct plan *plan;
    struct store *store;
    struct values *values;
    struct report *report;
    struct block_reader *reader;
    struct pair_state *pairs;
    struct table_facts *facts; /* of all pairs, the same on all ranks */
    bool *wanted;              /* a flag a pair, for the level at hand */
    /* By number of pieces: values are yet to be found that depend on distances of as many pieces. */
    uint64_t needing[MAX_PIECES_OF_PLAN];
    int lock; /* on the folder of the tables, held by rank 0; -1: none */
    char directory[MAX_FILE_PATH];
    char work[MAX_FILE_PATH];
};

/* -- Failures ----------------------------------------------------------------------------------------------
 */

/* One line of what went wrong here; the run ends for all ranks when they next agree. */
static enum status complain(enum status status, const char *form, ...)
{
    int reason = errno;
    va_list arguments;
    fputs("damagen: ", stderr);
    va_start(arguments, form);
    vfprintf(stderr, form, arguments);
    va_end(arguments);
    if (status == STATUS_FILE)
        fprintf(stderr, " (%s)", strerror(reason));
    fputc('\n', stderr);
    return status;
}

static enum status complain_of_store(const struct run *run, enum status status)
{
    const char *advice = "mend it and run the same command again";
    if (status == STATUS_NO_SPACE)
        advice = "free some space and run the same command again";
    else if (status == STATUS_DAMAGED || status == STATUS_NO_TABLE)
        advice = "remove the work store: its levels are then restored from tables or built again";
    return complain(status, "%s: %s; %s", store_culprit(run->store), status_text(status), advice);
}

/* A solver's failure is one of reading the work store, or of the piece itself. */
static enum status complain_of_piece(const struct run *run, const struct piece *piece, enum status status)
{
    if (values_status(run->values) != STATUS_OK)
        return complain_of_store(run, status);
    char name[SLICE_NAME_SIZE];
    slice_write(run->plan->pairs[piece->pair]->name, name);
    return complain(status, "slice %s: %s", name, status_text(status));
}

/* -- Solving -----------------------------------------------------------------------------------------------
 */

/* A table whose values are being read. */
struct table_context {
    const struct table *table;
    struct block_reader *reader;
};

static enum status values_of_table(void *context, int member, uint64_t first, uint64_t count, uint8_t *values)
{
    const struct table_context *from = context;
    return table_read_values(from->table, from->reader, member, first, count, values);
}

static bool keeps_distances(const struct run *run, const struct group *group)
{
    return run->needing[group->pieces] > 0;
}

static uint64_t positions_of(const struct solver_counts *counts)
{
    uint64_t positions = 0;
    for (int member = 0; member < 2; member++)
        for (int value = 0; value < VALUES; value++)
            positions += counts->values[member][value];
    return positions;
}

static enum status solve_piece(struct run *run, const struct piece *piece, const struct solution *solution,
                               struct level_work *work)
{
    struct pair_state *state = &run->pairs[piece->pair];
    uint64_t cpu = report_cpu();
    uint64_t before = positions_of(&state->work.counts);
    enum status status;
    if (state->restored) {
        struct table_context from = {state->table, run->reader};
        const struct solved_pair solved = {.values = values_of_table, .context = &from};
        status = solver_restore(run->plan, piece, run->values, &solved, solution, &state->work.counts);
        if (status != STATUS_OK && values_status(run->values) == STATUS_OK)
            return complain(status, "%s: %s; remove this table and run the same command again",
                            table_path(state->table), status_text(status));
        if (status != STATUS_OK)
            return complain_of_store(run, status);
    } else {
        status = run->settings->solver->solve(run->plan, piece, run->values, solution, &state->work.counts);
        if (status != STATUS_OK)
            return complain_of_piece(run, piece, status);
    }
    status = values_append(run->values, piece, solution->values, solution->distances);
    if (status != STATUS_OK)
        return complain_of_store(run, status);
    cpu = report_cpu() - cpu;
    state->work.nanoseconds += cpu;
    work->nanoseconds += cpu;
    work->positions += positions_of(&state->work.counts) - before;
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
        complain_of_store(run, status);
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
        run->pairs[own[i].pair].work.bytes += sizeof *own;
    if (ranks_own() == 0) {
        status = store_commit(run->store, level, all, count);
        if (status != STATUS_OK)
            complain_of_store(run, status);
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
        run->pairs[pair].touched |= run->wanted[pair];
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

/* -- Tables ------------------------------------------------------------------------------------------------
 */

static void table_path_of(const struct run *run, uint32_t pair, char path[MAX_FILE_PATH])
{
    char name[TABLE_NAME_SIZE];
    table_name_write(run->plan->pairs[pair]->name, METRIC_WDL, name);
    folder_join(path, run->directory, name);
}

/* Opens the table of a pair, if there is one, and compares what it was made from with what there is now. */
static enum status open_table(struct run *run, uint32_t pair)
{
    char path[MAX_FILE_PATH];
    char message[MESSAGE_SIZE];
    struct pair_state *state = &run->pairs[pair];
    table_path_of(run, pair, path);
    enum status status = table_open(path, run->plan->variant, run->plan->pairs[pair]->name, METRIC_WDL, NULL,
                                    &state->table, message);
    if (status == STATUS_NO_TABLE)
        return STATUS_OK;
    if (status != STATUS_OK)
        return ranks_own() == 0 ? complain(status, "%s", message) : status;
    const struct table_header *header = table_header(state->table);
    struct digest inputs = table_inputs(run->plan, pair, run->facts);
    if (!digest_equal(&inputs, &header->inputs))
        return ranks_own() == 0
                   ? complain(STATUS_DAMAGED,
                              "%s was made from other tables than those beside it; remove it and run the "
                              "same command again",
                              path)
                   : STATUS_DAMAGED;
    for (int member = 0; member < header->members; member++)
        run->facts[pair].values[member] = header->member[member].values;
    run->facts[pair].exists = true;
    return STATUS_OK;
}

static enum status open_tables(struct run *run, const struct group *group)
{
    enum status status = STATUS_OK;
    for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs; pair++) {
        status = ranks_agree(open_table(run, pair));
        if (status != STATUS_OK)
            return status;
        run->pairs[pair].restored = run->facts[pair].exists && !keeps_distances(run, group) &&
                                    !store_has_pair(run->store, pair, false);
    }
    return status;
}

static void close_tables(struct run *run, const struct group *group)
{
    for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs; pair++) {
        table_close(run->pairs[pair].table);
        run->pairs[pair].table = NULL;
    }
}

/* Values restored from a table, or solved again beside it, must be those that it was made from. */
static enum status check_restored(struct run *run, uint32_t pair)
{
    const struct slice_pair *slices = run->plan->pairs[pair];
    for (int member = 0; member < (slices->own_mirror ? 1 : 2); member++) {
        struct digest digest;
        enum status status = table_values_digest(run->plan, pair, member, run->values, &digest);
        if (status != STATUS_OK)
            return complain_of_store(run, status);
        if (!digest_equal(&digest, &run->facts[pair].values[member]))
            return complain(STATUS_DAMAGED,
                            "%s does not fit the tables it depends on; remove it and the work store %s, "
                            "and run the same command again",
                            table_path(run->pairs[pair].table), run->work);
    }
    return STATUS_OK;
}

/* A table made by one rank, as the others have to learn of it. */
struct made_table {
    uint32_t pair;
    struct table_facts facts;
};

static enum status make_table(struct run *run, uint32_t pair, struct made_table *made)
{
    struct table_summary summary;
    char message[MESSAGE_SIZE] = "";
    struct digest inputs = table_inputs(run->plan, pair, run->facts);
    enum status status = table_make(run->plan, pair, run->values, run->directory, &inputs, &summary, message);
    if (status != STATUS_OK) {
        if (values_status(run->values) != STATUS_OK)
            return complain_of_store(run, status);
        return complain(status, "%s", message[0] ? message : status_text(status));
    }
    *made = (struct made_table){.pair = pair, .facts = {.exists = true, .entry = summary.entry}};
    for (int member = 0; member < summary.header.members; member++)
        made->facts.values[member] = summary.header.member[member].values;
    return STATUS_OK;
}

/* Writes the tables of a group that are not there, each by one rank; `made` gets this rank's. */
static enum status make_tables(struct run *run, const struct group *group, struct made_table *made,
                               size_t *count)
{
    enum status status = STATUS_OK;
    uint64_t *weights = calloc(group->pairs, sizeof *weights);
    if (ranks_agree(weights ? STATUS_OK : STATUS_NO_MEMORY) != STATUS_OK || !weights) {
        free(weights);
        return STATUS_NO_MEMORY;
    }
    for (uint32_t i = 0; i < group->pairs; i++)
        weights[i] = run->plan->pairs[group->first_pair + i]->positions;
    ranks_open_queue(weights, group->pairs, false);
    for (size_t i; ranks_next(&i);) {
        uint32_t pair = group->first_pair + (uint32_t)i;
        if (status != STATUS_OK)
            continue;
        if (!run->facts[pair].exists)
            status = make_table(run, pair, &made[(*count)++]);
        else if (run->pairs[pair].touched)
            status = check_restored(run, pair);
    }
    free(weights);
    return status;
}

/* The entry of a table that an earlier run wrote but did not get into the manifest. */
static enum status entry_of_file(struct run *run, uint32_t pair, struct manifest_entry *entry)
{
    const struct table_header *header = table_header(run->pairs[pair].table);
    memset(entry, 0, sizeof *entry);
    table_name_write(run->plan->pairs[pair]->name, METRIC_WDL, entry->name);
    entry->members = header->members;
    for (int member = 0; member < header->members; member++) {
        entry->member[member].positions = header->member[member].positions;
        memcpy(entry->member[member].counts, header->member[member].counts,
               sizeof entry->member[member].counts);
    }
    return file_digest(table_path(run->pairs[pair].table), &entry->digest, &entry->size);
}

static enum status update_manifest(struct run *run, const struct group *group)
{
    const char *variant = run->plan->variant->rules.name;
    struct manifest manifest;
    char message[MESSAGE_SIZE];
    enum status status = manifest_read(run->directory, variant, &manifest, message);
    if (status == STATUS_NO_TABLE)
        status = STATUS_OK;
    bool changed = false;
    for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs; pair++) {
        char name[TABLE_NAME_SIZE];
        struct manifest_entry entry = run->facts[pair].entry;
        table_name_write(run->plan->pairs[pair]->name, METRIC_WDL, name);
        if (status != STATUS_OK || (entry.size == 0 && manifest_find(&manifest, name)))
            continue;
        if (entry.size == 0)
            status = entry_of_file(run, pair, &entry);
        if (status == STATUS_OK)
            status = manifest_put(&manifest, &entry);
        changed = true;
    }
    if (status == STATUS_OK && changed)
        status = manifest_write(run->directory, variant, &manifest, message);
    manifest_free(&manifest);
    return status == STATUS_OK ? status : complain(status, "%s", message);
}

static enum status publish_group(struct run *run, const struct group *group)
{
    struct made_table *made = calloc(group->pairs, sizeof *made);
    size_t count = 0;
    enum status status = made ? STATUS_OK : STATUS_NO_MEMORY;
    if (ranks_agree(status) == STATUS_OK && made)
        status = ranks_agree(make_tables(run, group, made, &count));
    void *all = NULL;
    size_t bytes;
    if (status == STATUS_OK)
        status = ranks_gather(made, count * sizeof *made, &all, &bytes);
    if (status == STATUS_OK) {
        const struct made_table *tables = all;
        for (size_t i = 0; i < bytes / sizeof *tables; i++)
            run->facts[tables[i].pair] = tables[i].facts;
        if (ranks_own() == 0)
            status = update_manifest(run, group);
    }
    free(all);
    free(made);
    return ranks_agree(status);
}

/* -- Groups ------------------------------------------------------------------------------------------------
 */

static enum status build_group(struct run *run, const struct group *group)
{
    enum status status = open_tables(run, group);
    for (int advancement = group->most_advancement; advancement >= 0 && status == STATUS_OK; advancement--)
        status = build_level(run, group, advancement);
    if (status == STATUS_OK)
        status = publish_group(run, group);
    for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs; pair++)
        if (status == STATUS_OK && run->pairs[pair].touched)
            report_pair(run->report, pair, &run->pairs[pair].work, run->pairs[pair].restored);
    close_tables(run, group);
    return status;
}

/* Removes what a killed run left of tables it was writing. */
static void drop_temporary_tables(const struct run *run)
{
    DIR *directory = opendir(run->directory);
    if (!directory)
        return;
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        char path[MAX_FILE_PATH];
        size_t length = strlen(entry->d_name);
        if (length > 4 && strcmp(entry->d_name + length - 4, ".tmp") == 0 &&
            folder_join(path, run->directory, entry->d_name) == STATUS_OK)
            unlink(path);
    }
    closedir(directory);
}

/* Two runs must not write into one folder, even with different work stores. The folder itself is locked, so
 * that no file has to stay in it. */
static enum status lock_tables(struct run *run)
{
    run->lock = open(run->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* A file system without locks refuses with another reason; then nobody can be kept out. */
    if (run->lock >= 0 && flock(run->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return complain(STATUS_FILE, "another damagen writes into %s; wait for it to end", run->directory);
    return STATUS_OK;
}

static enum status open_folders(struct run *run)
{
    const char *variant = run->plan->variant->rules.name;
    enum status status = folder_join(run->directory, run->settings->out, variant);
    if (status == STATUS_OK)
        status = folder_join(run->work, run->settings->work, variant);
    if (status == STATUS_OK && ranks_own() == 0)
        status = folder_make(run->directory);
    if (status != STATUS_OK)
        complain(status, "cannot make the folder %s; give another --out", run->directory);
    else if (ranks_own() == 0)
        status = lock_tables(run);
    return ranks_agree(status);
}

/* The leader first: it makes the folder, and drops what is not committed. */
static enum status open_store(struct run *run)
{
    static char message[LONG_MESSAGE];
    int own = ranks_own();
    enum status status = STATUS_OK;
    if (own == 0)
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

/* Notes for which numbers of pieces distances have to be kept, the same on all ranks: where values depend on
 * them and tables are missing. */
static void note_needing(struct run *run)
{
    if (!solver_needs_distances(run->plan->variant))
        return;
    for (uint32_t pair = 0; pair < run->plan->pair_count; pair++) {
        char path[MAX_FILE_PATH];
        table_path_of(run, pair, path);
        if (access(path, F_OK) != 0)
            run->needing[slice_pieces(run->plan->pairs[pair]->name)]++;
    }
    ranks_greatest(run->needing, MAX_PIECES_OF_PLAN);
}

static enum status open_run(struct run *run)
{
    enum status status = open_folders(run);
    if (status == STATUS_OK)
        status = open_store(run);
    if (status != STATUS_OK)
        return status;
    if (ranks_own() == 0)
        drop_temporary_tables(run);
    note_needing(run);
    uint32_t pairs = run->plan->pair_count;
    run->pairs = calloc(pairs, sizeof *run->pairs);
    run->facts = calloc(pairs, sizeof *run->facts);
    run->wanted = calloc(pairs, sizeof *run->wanted);
    status = run->pairs && run->facts && run->wanted ? block_reader_create(&run->reader) : STATUS_NO_MEMORY;
    uint64_t needed = forecast_memory(run->plan, run->settings->solver) - LEAST_CACHE;
    uint64_t cache = run->settings->memory > needed ? run->settings->memory - needed : LEAST_CACHE;
    if (status == STATUS_OK)
        status = values_open(run->plan, run->store, cache, &run->values);
    status = ranks_agree(status);
    if (status == STATUS_OK)
        status = report_open(run->plan, run->settings->log, positions_to_solve(run), &run->report);
    return status;
}

static void close_run(struct run *run)
{
    report_close(run->report);
    values_close(run->values);
    store_close(run->store);
    block_reader_destroy(run->reader);
    free(run->pairs);
    free(run->facts);
    free(run->wanted);
    if (run->lock >= 0)
        close(run->lock);
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
    run->lock = -1;
    status = open_run(run);
    for (uint32_t i = 0; i < plan->group_count && status == STATUS_OK; i++)
        status = build_group(run, &plan->groups[i]);
    if (status == STATUS_OK)
        status = report_end(run->report, store_bytes_written(run->store));
    close_run(run);
    return status;
}
