/* The checks, each by all ranks together. */
#include "selftest.h"
#include "calibrate.h"
#include "files.h"
#include "folders.h"
#include "generate.h"
#include "memory.h"
#include "ranks.h"
#include "ranks_network.h"
#include "table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <unistd.h>

struct checks {
    const struct settings *settings;
    char folder[MAX_FILE_PATH];
    int failed;
};

/* A line on whether all ranks found it well. */
static bool note(struct checks *checks, bool good, const char *form, ...)
{
    bool all = ranks_agree(good ? STATUS_OK : STATUS_FILE) == STATUS_OK;
    checks->failed += !all;
    if (ranks_own() != 0)
        return all;
    va_list arguments;
    fputs(all ? "ok      " : "FAILED  ", stdout);
    va_start(arguments, form);
    vprintf(form, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
    return all;
}

static void path_in(const struct checks *checks, const char *name, int rank, char path[MAX_FILE_PATH])
{
    char own[64];
    snprintf(own, sizeof own, "%s.%d", name, rank);
    if (folder_join(path, checks->folder, own) != STATUS_OK)
        *path = '\0';
}

/* -- The work folder ------------------------------------------------------------------------------------- */

static bool reads_of(const struct checks *checks, int rank)
{
    char path[MAX_FILE_PATH];
    char expected[64];
    char *bytes;
    size_t size;
    path_in(checks, "shared", rank, path);
    snprintf(expected, sizeof expected, "written by %d", rank);
    if (folder_read(path, &bytes, &size) != STATUS_OK)
        return false;
    bool same = size == strlen(expected) && memcmp(bytes, expected, size) == 0;
    free(bytes);
    return same;
}

/* Each rank writes; each reads what the others wrote, of very many ranks some of them. */
static void check_sharing(struct checks *checks)
{
    enum { MOST_READ = 256 };
    char name[32];
    char text[64];
    int ranks = ranks_count();
    snprintf(name, sizeof name, "shared.%d", ranks_own());
    snprintf(text, sizeof text, "written by %d", ranks_own());
    bool written = folder_publish(checks->folder, name, text, strlen(text)) == STATUS_OK;
    if (!note(checks, written, "all %d ranks write to %s", ranks, checks->settings->work))
        return;
    bool all = true;
    for (int i = 0; i < ranks && i < MOST_READ; i++)
        all = all && reads_of(checks, (ranks_own() + i * (1 + (ranks - 1) / MOST_READ)) % ranks);
    note(checks, all, "all ranks read what the others wrote");
}

enum { VERSIONS = 40, VERSION_BYTES = 1 << 16 };

static bool publish_versions(const struct checks *checks)
{
    static unsigned char bytes[VERSION_BYTES];
    bool good = true;
    for (int version = 1; version <= VERSIONS; version++) {
        memset(bytes, version, sizeof bytes);
        good = good && folder_publish(checks->folder, "renamed", bytes, sizeof bytes) == STATUS_OK;
    }
    return good;
}

/* The version of a file that is all there, or 0. */
static int whole_version(const char *bytes, size_t size)
{
    if (size != VERSION_BYTES)
        return 0;
    for (size_t i = 1; i < size; i++)
        if (bytes[i] != bytes[0])
            return 0;
    return bytes[0];
}

/* Reads until the last version is there: each time a whole one, and never an older one than before. */
static bool watch_versions(const struct checks *checks)
{
    enum { PATIENCE = 20000 };
    char path[MAX_FILE_PATH];
    int seen = 1;
    if (folder_join(path, checks->folder, "renamed") != STATUS_OK)
        return false;
    for (int i = 0; i < PATIENCE && seen < VERSIONS; i++) {
        char *bytes;
        size_t size;
        if (folder_read(path, &bytes, &size) != STATUS_OK)
            return false;
        int version = whole_version(bytes, size);
        free(bytes);
        if (version < seen)
            return false;
        seen = version;
        usleep(1000);
    }
    return seen == VERSIONS;
}

static void check_rename(struct checks *checks)
{
    static unsigned char bytes[VERSION_BYTES];
    memset(bytes, 1, sizeof bytes);
    bool good = true;
    if (ranks_own() == 0)
        good = folder_publish(checks->folder, "renamed", bytes, sizeof bytes) == STATUS_OK;
    network_barrier();
    if (ranks_own() == 0)
        good = publish_versions(checks) && watch_versions(checks);
    else
        good = watch_versions(checks);
    note(checks, good, "rename: others see the old file or the new one, whole");
}

static void check_sync(struct checks *checks)
{
    double sync = 0;
    double rename = 0;
    bool good = calibrate_files(checks->folder, &sync, &rename) == STATUS_OK;
    note(checks, good, "fsync of 1 MiB by each rank %.2f ms, replacing a file %.2f ms (the slowest rank)",
         1e3 * sync, 1e3 * rename);
}

static void check_space(struct checks *checks)
{
    struct statvfs facts;
    char text[MEMORY_TEXT_SIZE] = "unknown";
    const uint64_t least = 64 << 20;
    bool known = statvfs(checks->folder, &facts) == 0;
    uint64_t bytes = known ? (uint64_t)facts.f_bavail * facts.f_frsize : 0;
    if (known)
        memory_write(bytes, text);
    note(checks, known && bytes >= least, "free space %s", text);
}

/* Both kinds that a run uses. Of one process they cannot be seen by another, so that one rank checks only
 * that they are given. */
static bool take_locks(int file)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(file, F_SETLK, &whole) == 0 && flock(file, LOCK_EX | LOCK_NB) == 0;
}

static bool are_locks_held(int file)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    bool held = fcntl(file, F_SETLK, &whole) != 0 && (errno == EACCES || errno == EAGAIN);
    return held && flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

static void check_locks(struct checks *checks)
{
    char path[MAX_FILE_PATH];
    path_in(checks, "lock", 0, path);
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    bool good = file >= 0 && (ranks_own() != 0 || take_locks(file));
    network_barrier();
    if (good && ranks_own() != 0)
        good = are_locks_held(file);
    network_barrier();
    if (file >= 0)
        close(file);
    note(checks, good, "locks of rank 0 keep the others out%s",
         ranks_count() == 1 ? " (there are none)" : "");
}

/* -- Ranks ----------------------------------------------------------------------------------------------- */

static void check_network(struct checks *checks)
{
    enum { BYTES = 32 << 20 };
    double speed = 0;
    unsigned long long wrong = 0;
    note(checks, network_shares_memory(), "the ranks of a node share memory (%d on rank 0's)",
         ranks_on_node());
    if (ranks_count() == 1) {
        note(checks, true, "exchange: nothing to measure with one rank");
        return;
    }
    double latency = network_latency();
    bool done = network_exchange((size_t)(BYTES / ranks_count() + 1), &speed, &wrong) == STATUS_OK;
    note(checks, done && wrong == 0,
         "exchange of all with all: %.0f MB/s a rank, latency %.1f us, %llu bytes wrong", 1e-6 * speed,
         1e6 * latency, wrong);
}

/* -- A tiny slice ---------------------------------------------------------------------------------------- */

/* Counts of Italian 02v01, confirmed by other programs (data/published_counts.tsv). */
static bool is_known(const char *directory, const struct variant *variant, struct slice slice)
{
    char path[MAX_FILE_PATH];
    char message[MESSAGE_SIZE];
    struct table *table;
    if (folder_join(path, directory, "italian/02v01.wdl") != STATUS_OK ||
        table_open(path, variant, slice, METRIC_WDL, NULL, &table, message) != STATUS_OK)
        return false;
    const struct table_member *member = &table_header(table)->member[table_member(table, slice)];
    bool same = member->positions == 14880 && member->counts[WIN] == 14846 && member->counts[LOSS] == 0 &&
                member->counts[DRAW] == 34;
    table_close(table);
    return same;
}

static void check_slice(struct checks *checks)
{
    const struct slice slice = {0, 2, 0, 1};
    struct settings settings = *checks->settings;
    char out[MAX_FILE_PATH];
    struct slice culprit;
    struct plan *plan = NULL;
    settings.variant = variant_named("italian");
    settings.request = (struct request){.slices = &slice, .slice_count = 1};
    settings.metric = METRIC_WDL;
    settings.log = NULL;
    settings.out = out;
    settings.work = checks->folder;
    enum status status = folder_join(out, checks->folder, "tables");
    if (status == STATUS_OK)
        status = plan_create(settings.variant, &settings.request, &plan, &culprit);
    status = ranks_agree(status);
    if (status == STATUS_OK)
        status = generate(&settings, plan);
    plan_destroy(plan);
    note(checks, status == STATUS_OK && is_known(out, settings.variant, slice),
         "italian 02v01: 14880 positions, 14846 win, 34 draw");
}

enum status selftest(const struct settings *settings, int *failed)
{
    struct checks checks = {.settings = settings};
    char mpi[8192];
    *failed = 0;
    network_describe(mpi, sizeof mpi);
    if (ranks_own() == 0)
        printf("%sranks: %d, on rank 0's node %d\n", mpi, ranks_count(), ranks_on_node());
    enum status status = temporary_folder_make(settings, "selftest", checks.folder);
    if (status != STATUS_OK)
        return status;
    check_sharing(&checks);
    check_rename(&checks);
    check_sync(&checks);
    check_locks(&checks);
    check_space(&checks);
    check_network(&checks);
    check_slice(&checks);
    temporary_folder_end(checks.folder);
    *failed = checks.failed;
    return STATUS_OK;
}
