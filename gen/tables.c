/* Small tables are written by one rank each, large ones by all together; then all learn their facts. */
#include "tables.h"
#include "complaint.h"
#include "folders.h"
#include "kill_point.h"
#include "phases.h"
#include "ranks.h"
#include "shared_tables.h"
#include "stop.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { METRICS = METRIC_DTZ + 1 /* indexes by metric; none is 0 */ };

struct tables {
    const struct settings *settings;
    const struct plan *plan;
    struct table_facts *facts[METRICS]; /* by metric and pair, the same on all ranks */
    struct table **open[METRICS];       /* by metric and pair, while their group is built */
    int lock;                           /* on the folder, held by rank 0; -1: none */
    char directory[MAX_FILE_PATH];
};

/* -- The folder ------------------------------------------------------------------------------------------ */

static bool has_ending(const char *name, const char *ending)
{
    size_t length = strlen(name);
    size_t end = strlen(ending);
    return length > end && strcmp(name + length - end, ending) == 0;
}

/* Removes what a killed run left of tables it was writing. */
static void drop_temporary_tables(const struct tables *tables)
{
    DIR *directory = opendir(tables->directory);
    if (!directory)
        return;
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        char path[MAX_FILE_PATH];
        if (has_ending(entry->d_name, ".tmp") &&
            folder_join(path, tables->directory, entry->d_name) == STATUS_OK)
            unlink(path);
    }
    closedir(directory);
}

/* Two runs must not write into one folder, even with different work stores. The folder itself is locked, so
 * that no file has to stay in it. */
static enum status lock_folder(struct tables *tables)
{
    tables->lock = open(tables->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* A file system without locks refuses with another reason; then nobody can be kept out. */
    if (tables->lock >= 0 && flock(tables->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return complain(STATUS_FILE, "another damagen writes into %s; wait for it to end", tables->directory);
    return STATUS_OK;
}

static enum status open_folder(struct tables *tables)
{
    const char *variant = tables->plan->variant->rules.name;
    enum status status = folder_join(tables->directory, tables->settings->out, variant);
    if (status == STATUS_OK && ranks_own() == 0)
        status = folder_make(tables->directory);
    if (status != STATUS_OK)
        complain(status, "cannot make the folder %s; give another --out", tables->directory);
    else if (ranks_own() == 0)
        status = lock_folder(tables);
    if (status == STATUS_OK && ranks_own() == 0)
        drop_temporary_tables(tables);
    return ranks_agree(status);
}

enum status tables_create(const struct settings *settings, const struct plan *plan, struct tables **tables)
{
    struct tables *made = calloc(1, sizeof *made);
    *tables = made;
    bool complete = made;
    if (made) {
        made->settings = settings;
        made->plan = plan;
        made->lock = -1;
    }
    for (int metric = METRIC_WDL; complete && metric < METRICS; metric++) {
        made->facts[metric] = calloc(plan->pair_count, sizeof *made->facts[metric]);
        made->open[metric] = calloc(plan->pair_count, sizeof(struct table *));
        complete = made->facts[metric] && made->open[metric];
    }
    enum status status = ranks_agree(complete ? STATUS_OK : STATUS_NO_MEMORY);
    return status == STATUS_OK && made ? open_folder(made) : status;
}

void tables_close(struct tables *tables)
{
    if (!tables)
        return;
    for (int metric = METRIC_WDL; metric < METRICS; metric++) {
        free(tables->facts[metric]);
        free(tables->open[metric]);
    }
    if (tables->lock >= 0)
        close(tables->lock);
    free(tables);
}

/* -- What is there --------------------------------------------------------------------------------------- */

static void path_of(const struct tables *tables, uint32_t pair, enum metric metric, char path[MAX_FILE_PATH])
{
    char name[TABLE_NAME_SIZE];
    table_name_write(tables->plan->pairs[pair]->name, metric, name);
    folder_join(path, tables->directory, name);
}

bool tables_have_file(const struct tables *tables, uint32_t pair, enum metric metric)
{
    char path[MAX_FILE_PATH];
    path_of(tables, pair, metric, path);
    return access(path, F_OK) == 0;
}

const struct table *tables_of(const struct tables *tables, uint32_t pair, enum metric metric)
{
    return tables->open[metric][pair];
}

static struct digest inputs_of(const struct tables *tables, uint32_t pair, enum metric metric)
{
    return table_inputs(tables->plan, pair, metric, tables->facts[METRIC_WDL]);
}

/* Opens a table of a pair, if there is one. A table of distances beside a missing one of values is compared
 * with the distances later. */
static enum status open_table(struct tables *tables, uint32_t pair, enum metric metric)
{
    const struct plan *plan = tables->plan;
    struct table_facts *facts = &tables->facts[metric][pair];
    struct table **table = &tables->open[metric][pair];
    char path[MAX_FILE_PATH];
    char message[MESSAGE_SIZE];
    path_of(tables, pair, metric, path);
    enum status status =
        table_open(path, plan->variant, plan->pairs[pair]->name, metric, NULL, table, message);
    if (status == STATUS_NO_TABLE)
        return STATUS_OK;
    if (status != STATUS_OK)
        return ranks_own() == 0 ? complain(status, "%s", message) : status;
    const struct table_header *header = table_header(*table);
    struct digest inputs = inputs_of(tables, pair, metric);
    bool known = metric == METRIC_WDL || tables->facts[METRIC_WDL][pair].exists;
    if (known && !digest_equal(&inputs, &header->inputs))
        return ranks_own() == 0
                   ? complain(STATUS_DAMAGED,
                              "%s was made from other tables than those beside it; remove it and run the "
                              "same command again",
                              path)
                   : STATUS_DAMAGED;
    for (int member = 0; member < header->members; member++)
        facts->values[member] = header->member[member].values;
    facts->exists = true;
    return STATUS_OK;
}

enum status tables_open(struct tables *tables, const struct group *group, bool distances)
{
    enum status status = STATUS_OK;
    for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs; pair++) {
        status = ranks_agree(open_table(tables, pair, METRIC_WDL));
        if (status == STATUS_OK && distances)
            status = ranks_agree(open_table(tables, pair, METRIC_DTZ));
        if (status != STATUS_OK)
            break;
    }
    return status;
}

void tables_close_group(struct tables *tables, const struct group *group)
{
    for (int metric = METRIC_WDL; metric < METRICS; metric++)
        for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs; pair++) {
            table_close(tables->open[metric][pair]);
            tables->open[metric][pair] = NULL;
        }
}

/* -- Making and checking --------------------------------------------------------------------------------- */

static enum status complain_of_digest(const struct tables *tables, uint32_t pair, enum metric metric)
{
    return complain(STATUS_DAMAGED,
                    "%s does not fit the tables it depends on; remove it and the work store %s, "
                    "and run the same command again",
                    table_path(tables->open[metric][pair]), tables->settings->work);
}

/* What was restored from a table, or solved again beside it, must be what it was made from. */
static enum status check_table(const struct tables *tables, uint32_t pair, enum metric metric,
                               const struct finished *finished)
{
    const struct slice_pair *slices = tables->plan->pairs[pair];
    for (int member = 0; member < (slices->own_mirror ? 1 : 2); member++) {
        struct digest digest;
        enum status status =
            table_values_digest(tables->plan, pair, member, metric, finished->values, &digest);
        if (status == STATUS_INTERRUPTED)
            return status;
        if (status != STATUS_OK)
            return complain_of_store(finished->store, status);
        if (!digest_equal(&digest, &tables->facts[metric][pair].values[member]))
            return complain_of_digest(tables, pair, metric);
    }
    return STATUS_OK;
}

/* A table made by one rank, as the others have to learn of it. */
struct made_table {
    uint32_t pair;
    struct table_facts facts;
};

static struct made_table made_of(uint32_t pair, const struct table_summary *summary)
{
    struct made_table made = {.pair = pair, .facts = {.exists = true, .entry = summary->entry}};
    for (int member = 0; member < summary->header.members; member++)
        made.facts.values[member] = summary->header.member[member].values;
    return made;
}

static int level_of(const struct tables *tables, enum metric metric)
{
    return tables->settings->publish && metric == METRIC_WDL ? RELEASE_LEVEL : 0;
}

static int block_log2_of(const struct tables *tables, enum metric metric)
{
    return metric == METRIC_WDL ? tables->settings->block_log2 : 0;
}

static enum status make_table(const struct tables *tables, uint32_t pair, enum metric metric,
                              const struct finished *finished, struct made_table *made)
{
    struct table_summary summary;
    char message[MESSAGE_SIZE] = "";
    const struct table_options options = {.metric = metric,
                                          .level = level_of(tables, metric),
                                          .block_log2 = block_log2_of(tables, metric),
                                          .inputs = inputs_of(tables, pair, metric)};
    kill_point("table");
    enum phase phase = phase_enter(PHASE_COMPRESSION);
    enum status status =
        table_make(tables->plan, pair, finished->values, tables->directory, &options, &summary, message);
    phase_enter(phase);
    if (status != STATUS_OK) {
        if (values_status(finished->values) != STATUS_OK)
            return complain_of_store(finished->store, status);
        if (status == STATUS_INTERRUPTED)
            return status;
        /* The options were in order; what the writer refuses are values and distances that cannot be. */
        if (status == STATUS_BAD_ARGUMENT)
            status = STATUS_DAMAGED;
        return complain(status, "%s", message[0] ? message : status_text(status));
    }
    kill_point("tabled");
    *made = made_of(pair, &summary);
    return STATUS_OK;
}

/* What is to be done for a table. */
enum task { TASK_NONE, TASK_CHECK, TASK_MAKE };

static enum task task_of(const struct tables *tables, uint32_t pair, enum metric metric,
                         const struct finished *finished)
{
    if (tables->facts[metric][pair].exists) {
        bool known = finished->touched[pair] && (metric == METRIC_WDL || finished->distances);
        return known ? TASK_CHECK : TASK_NONE;
    }
    return metric > tables->settings->metric ? TASK_NONE : TASK_MAKE;
}

/* Does what is to be done for one table; a new one is added to `made`. */
static enum status make_or_check(const struct tables *tables, uint32_t pair, enum metric metric,
                                 const struct finished *finished, struct made_table *made, size_t *count)
{
    enum task task = task_of(tables, pair, metric, finished);
    if (task == TASK_MAKE)
        return make_table(tables, pair, metric, finished, &made[(*count)++]);
    return task == TASK_CHECK ? check_table(tables, pair, metric, finished) : STATUS_OK;
}

static bool stop_is_wanted(void *context)
{
    (void)context;
    return stop_wanted();
}

/* Tables of many parts: all ranks make or check them together. */
static enum status make_shared_tables(const struct tables *tables, const struct group *group,
                                      enum metric metric, const struct finished *finished,
                                      struct made_table *made, size_t *count)
{
    struct shared_request request = {.plan = tables->plan,
                                     .values = finished->values,
                                     .store = finished->store,
                                     .metric = metric,
                                     .level = level_of(tables, metric),
                                     .block_log2 = block_log2_of(tables, metric),
                                     .directory = tables->directory,
                                     .work = finished->work,
                                     .tables = calloc(group->pairs, sizeof *request.tables)};
    enum status status = ranks_agree(request.tables ? STATUS_OK : STATUS_NO_MEMORY);
    for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs && request.tables;
         pair++) {
        enum task task = task_of(tables, pair, metric, finished);
        if (task != TASK_NONE && shared_is_worth(tables->plan, pair))
            request.tables[request.count++] = (struct shared_table){
                .pair = pair, .make = task == TASK_MAKE, .inputs = inputs_of(tables, pair, metric)};
    }
    if (status == STATUS_OK)
        status = shared_tables_make(&request);
    for (size_t i = 0; i < request.count && status == STATUS_OK; i++) {
        const struct shared_table *table = &request.tables[i];
        const struct slice_pair *slices = tables->plan->pairs[table->pair];
        bool same = true;
        for (int member = 0; member < (slices->own_mirror ? 1 : 2) && !table->make; member++)
            same &= digest_equal(&table->values[member], &tables->facts[metric][table->pair].values[member]);
        if (!same)
            status = ranks_own() == 0 ? complain_of_digest(tables, table->pair, metric) : STATUS_DAMAGED;
        if (table->made)
            made[(*count)++] = made_of(table->pair, &table->summary);
    }
    free(request.tables);
    return status;
}

/* Writes the tables of a metric that are not there, small ones each by one rank; `made` gets this rank's. */
static enum status make_tables(struct tables *tables, const struct group *group, enum metric metric,
                               const struct finished *finished, struct made_table *made, size_t *count)
{
    enum status status = STATUS_OK;
    uint64_t *weights = calloc(group->pairs, sizeof *weights);
    if (ranks_agree(weights ? STATUS_OK : STATUS_NO_MEMORY) != STATUS_OK || !weights) {
        free(weights);
        return STATUS_NO_MEMORY;
    }
    for (uint32_t i = 0; i < group->pairs; i++)
        weights[i] = shared_is_worth(tables->plan, group->first_pair + i)
                         ? 1
                         : tables->plan->pairs[group->first_pair + i]->positions;
    const struct queue queue = {.weights = weights, .count = group->pairs, .pause = stop_is_wanted};
    ranks_open_queue(&queue);
    for (size_t i; ranks_next(&i);)
        if (status == STATUS_OK && !shared_is_worth(tables->plan, group->first_pair + (uint32_t)i))
            status = make_or_check(tables, group->first_pair + (uint32_t)i, metric, finished, made, count);
    free(weights);
    status = ranks_agree(status == STATUS_OK && ranks_queue_paused() ? STATUS_INTERRUPTED : status);
    if (status == STATUS_OK)
        status = make_shared_tables(tables, group, metric, finished, made, count);
    return status;
}

/* A table of values first: its digests are part of what the one of distances is made from. */
static enum status publish_metric(struct tables *tables, const struct group *group, enum metric metric,
                                  const struct finished *finished)
{
    struct made_table *made = calloc(group->pairs, sizeof *made);
    size_t count = 0;
    enum status status = ranks_agree(made ? STATUS_OK : STATUS_NO_MEMORY);
    if (status == STATUS_OK && made)
        status = ranks_agree(make_tables(tables, group, metric, finished, made, &count));
    void *all = NULL;
    size_t bytes;
    if (status == STATUS_OK)
        status = ranks_gather(made, count * sizeof *made, &all, &bytes);
    if (status == STATUS_OK) {
        const struct made_table *others = all;
        for (size_t i = 0; i < bytes / sizeof *others; i++)
            tables->facts[metric][others[i].pair] = others[i].facts;
    }
    free(all);
    free(made);
    return ranks_agree(status);
}

/* -- The manifest ---------------------------------------------------------------------------------------- */

/* The entry of a table that an earlier run wrote but did not get into the manifest. */
static enum status entry_of_file(const struct table *table, struct manifest_entry *entry)
{
    const struct table_header *header = table_header(table);
    memset(entry, 0, sizeof *entry);
    table_name_write(header->slice, (enum metric)header->metric, entry->name);
    entry->members = header->members;
    for (int member = 0; member < header->members; member++) {
        entry->member[member].positions = header->member[member].positions;
        memcpy(entry->member[member].counts, header->member[member].counts,
               sizeof entry->member[member].counts);
    }
    return file_digest(table_path(table), &entry->digest, &entry->size);
}

static enum status enter_table(const struct tables *tables, uint32_t pair, enum metric metric,
                               struct manifest *manifest, bool *changed)
{
    char name[TABLE_NAME_SIZE];
    struct manifest_entry entry = tables->facts[metric][pair].entry;
    table_name_write(tables->plan->pairs[pair]->name, metric, name);
    if (!tables->facts[metric][pair].exists || (entry.size == 0 && manifest_find(manifest, name)))
        return STATUS_OK;
    *changed = true;
    enum status status = STATUS_OK;
    if (entry.size == 0)
        status = entry_of_file(tables->open[metric][pair], &entry);
    return status == STATUS_OK ? manifest_put(manifest, &entry) : status;
}

static enum status update_manifest(const struct tables *tables, const struct group *group)
{
    const char *variant = tables->plan->variant->rules.name;
    struct manifest manifest;
    char message[MESSAGE_SIZE];
    enum status status = manifest_read(tables->directory, variant, &manifest, message);
    if (status == STATUS_NO_TABLE)
        status = STATUS_OK;
    bool changed = false;
    for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs; pair++)
        for (enum metric metric = METRIC_WDL; metric <= METRIC_DTZ && status == STATUS_OK; metric++)
            status = enter_table(tables, pair, metric, &manifest, &changed);
    kill_point("entry");
    if (status == STATUS_OK && changed)
        status = manifest_write(tables->directory, variant, &manifest, message);
    kill_point("entered");
    manifest_free(&manifest);
    return status == STATUS_OK ? status : complain(status, "%s", message);
}

enum status tables_publish(struct tables *tables, const struct group *group, const struct finished *finished)
{
    enum status status = publish_metric(tables, group, METRIC_WDL, finished);
    if (status == STATUS_OK)
        status = publish_metric(tables, group, METRIC_DTZ, finished);
    if (status == STATUS_OK && ranks_own() == 0)
        status = update_manifest(tables, group);
    return ranks_agree(status);
}
