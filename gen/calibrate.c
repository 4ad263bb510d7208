/* Trials of games on every rank, the network, the disk; means over the ranks into a file. */
#include "calibrate.h"
#include "complaint.h"
#include "files.h"
#include "folders.h"
#include "ranks.h"
#include "ranks_network.h"
#include "store.h"
#include "trial.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* -- Folders and files ----------------------------------------------------------------------------------- */

enum status temporary_folder_make(const struct settings *settings, const char *name, char *path)
{
    char own[64];
    snprintf(own, sizeof own, ".%s-%llu", name, network_tell((unsigned long long)getpid()));
    enum status status = folder_join(path, settings->work, own);
    if (status == STATUS_OK && ranks_own() == 0)
        status = folder_make(path);
    if (status != STATUS_OK)
        complain(status, "%s: no folder can be made there", settings->work);
    return ranks_agree(status);
}

void temporary_folder_end(const char *path)
{
    network_barrier();
    if (ranks_own() == 0)
        folder_remove(path);
}

static enum status sync_file(const char *path, double *seconds)
{
    enum { BYTES = 1 << 20 };
    int file;
    char *bytes = calloc(1, BYTES);
    enum status status = bytes ? file_create(path, &file) : STATUS_NO_MEMORY;
    if (status == STATUS_OK) {
        status = file_write(file, bytes, BYTES, 0);
        double began = now();
        if (status == STATUS_OK && fsync(file) != 0)
            status = file_write_status();
        *seconds = now() - began;
        close(file);
    }
    free(bytes);
    return status;
}

static double greatest(double seconds)
{
    uint64_t nanoseconds = (uint64_t)(seconds * 1e9);
    ranks_greatest(&nanoseconds, 1);
    return 1e-9 * (double)nanoseconds;
}

enum status calibrate_files(const char *folder, double *sync, double *rename)
{
    enum { TIMES = 5 };
    char name[32];
    char path[MAX_FILE_PATH];
    double synced = 0;
    double renamed = 0;
    snprintf(name, sizeof name, "file.%d", ranks_own());
    enum status status = folder_join(path, folder, name);
    for (int i = 0; i < TIMES && status == STATUS_OK; i++) {
        double seconds = 0;
        status = sync_file(path, &seconds);
        synced += seconds / TIMES;
        double began = now();
        if (status == STATUS_OK)
            status = folder_publish(folder, name, name, strlen(name));
        renamed += (now() - began) / TIMES;
    }
    *sync = greatest(synced);
    *rename = greatest(renamed);
    return ranks_agree(status);
}

/* -- Measuring ------------------------------------------------------------------------------------------- */

/* The mean of all ranks, kept to a billionth of `unit`. */
static double mean(double number, double unit)
{
    uint64_t parts = (uint64_t)(number / unit * 1e9);
    ranks_sum(&parts, 1);
    return (double)parts * 1e-9 * unit / ranks_count();
}

static void take_over(struct model *model, size_t game, enum metric metric, const struct trial *trial)
{
    const struct game_costs *costs = &trial->game;
    model->games[game][metric] = (struct game_costs){
        .solve = mean(costs->solve, 1e-6),
        .store = mean(costs->store, 1e-6),
        .table = mean(costs->table, 1e-6),
        .segment_bits = mean(costs->segment_bits, 1),
        .table_bits = mean(costs->table_bits, 1),
        .bytes_read = mean(costs->bytes_read, 1),
    };
    model->measured[game][metric] = true;
    model->piece = mean(trial->piece, 1e-6);
    model->read_speed = mean(trial->read_speed, 1e6);
}

/* How many pieces make a few seconds of work. */
static int few_pieces(const struct variant *variant)
{
    return variant->rules.board->squares > 32 ? 3 : 4;
}

static enum status measure_game(const struct settings *settings, size_t game, enum metric metric,
                                const char *folder, struct model *model)
{
    static char message[LONG_MESSAGE];
    char name[80];
    char path[MAX_FILE_PATH];
    struct trial trial = {0};
    struct settings own = *settings;
    own.variant = variant_table[game];
    own.metric = metric;
    if (own.request.pieces == 0)
        own.request.pieces = few_pieces(own.variant);
    snprintf(name, sizeof name, "%s.%d.%d", own.variant->rules.name, metric, ranks_own());
    enum status status = folder_join(path, folder, name);
    if (status == STATUS_OK)
        status = folder_make(path);
    if (status == STATUS_OK)
        status = trial_run(&own, path, &trial, message);
    if (status != STATUS_OK)
        complain(status, "%s: %s", path, message[0] ? message : status_text(status));
    status = ranks_agree(status);
    if (status != STATUS_OK)
        return status;
    take_over(model, game, metric, &trial);
    folder_remove(path);
    const struct game_costs *costs = &model->games[game][metric];
    if (ranks_own() == 0)
        fprintf(
            stderr,
            "%s %s, %d pieces: ns a position %.1f to solve, %.1f to store, %.1f for tables; bits %.3f in the "
            "work store, %.3f in tables\n",
            own.variant->rules.name, metric == METRIC_DTZ ? "dtz" : "wdl", own.request.pieces,
            1e9 * costs->solve, 1e9 * costs->store, 1e9 * costs->table, costs->segment_bits,
            costs->table_bits);
    return STATUS_OK;
}

/* With one rank there is nothing to measure, and the model keeps what it has. */
static enum status measure_network(struct model *model)
{
    enum { BYTES = 32 << 20 };
    unsigned long long wrong;
    double speed;
    if (ranks_count() == 1)
        return STATUS_OK;
    model->latency = network_latency();
    model->message = network_message();
    enum status status = network_exchange((size_t)(BYTES / ranks_count() + 1), &speed, &wrong);
    model->bandwidth = speed;
    return status == STATUS_OK && wrong > 0 ? STATUS_DAMAGED : status;
}

static enum status publish(const struct model *model, const char *path)
{
    char *text = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return STATUS_NO_MEMORY;
    model_write(model, memory);
    enum status status = fclose(memory) == 0 ? STATUS_OK : STATUS_NO_MEMORY;
    char folder[MAX_FILE_PATH];
    snprintf(folder, sizeof folder, "%s", path);
    char *name = strrchr(folder, '/');
    if (name)
        *name++ = '\0';
    if (status == STATUS_OK && name && folder[0])
        status = folder_make(folder);
    if (status == STATUS_OK)
        status = folder_publish(name ? (folder[0] ? folder : "/") : ".", name ? name : path, text, size);
    if (status != STATUS_OK)
        complain(status, "%s: %s", path, status_text(status));
    free(text);
    return status;
}

enum status calibrate(const struct settings *settings, const struct variant *const *games, size_t count,
                      const char *path)
{
    static struct model model;
    char folder[MAX_FILE_PATH];
    model_default(&model);
    enum status status = temporary_folder_make(settings, "calibrate", folder);
    if (status != STATUS_OK)
        return status;
    status = calibrate_files(folder, &model.sync, &model.rename);
    if (status == STATUS_OK)
        status = ranks_agree(measure_network(&model));
    for (size_t i = 0; i < count; i++)
        for (size_t game = 0; game < variant_count && game < MODEL_GAMES; game++)
            for (enum metric metric = METRIC_WDL; metric <= METRIC_DTZ && status == STATUS_OK; metric++)
                if (variant_table[game] == games[i])
                    status = measure_game(settings, game, metric, folder, &model);
    if (status == STATUS_OK && ranks_own() == 0)
        status = publish(&model, path);
    temporary_folder_end(folder);
    return ranks_agree(status);
}
