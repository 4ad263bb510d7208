/* damaprobe check: every table file of the path against its manifest and its own checksums. */
#include "commands.h"

#include "manifest.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A table file that is there, or that a manifest says should be. */
struct checked_file {
    char *path;
    const struct variant *variant;
    struct slice slice;
    enum metric metric;
    bool is_there;
    bool is_listed;
    struct manifest_entry entry; /* if listed */
};

struct checked_files {
    struct checked_file *files;
    size_t count;
    size_t room;
};

/* What a check found so far. */
struct check {
    const struct options *options;
    bool shows_progress;
    size_t bad;      /* damaged, missing or not what the manifest says */
    size_t unread;   /* the system refused */
    size_t unlisted; /* sound, but no manifest names them */
    char first[MESSAGE_SIZE];
};

/* -- Finding files ----------------------------------------------------------------------------------------
 */

/* Takes over the path, which is null where memory ran out. */
static enum status add_file(struct checked_files *files, const struct variant *variant, char *path,
                            const char *name, const struct manifest_entry *entry)
{
    if (!path)
        return STATUS_NO_MEMORY;
    if (files->count == files->room) {
        size_t room = files->room ? 2 * files->room : 64;
        struct checked_file *larger = realloc(files->files, room * sizeof *larger);
        if (!larger) {
            free(path);
            return STATUS_NO_MEMORY;
        }
        files->files = larger;
        files->room = room;
    }
    struct checked_file file = {.path = path, .variant = variant, .is_there = true};
    table_name_read(name, &file.slice, &file.metric);
    if (entry) {
        file.is_listed = true;
        file.entry = *entry;
    }
    files->files[files->count++] = file;
    return STATUS_OK;
}

static char *path_in(const char *folder, const char *name)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

static int is_table_name(const struct dirent *entry)
{
    struct slice slice;
    enum metric metric;
    return table_name_read(entry->d_name, &slice, &metric);
}

/* Adds the table files of a folder. A folder that is not there has none. */
static enum status add_folder(struct checked_files *files, const struct variant *variant, const char *folder,
                              const struct manifest *manifest)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_table_name, alphasort);
    if (count < 0)
        return errno == ENOENT || errno == ENOTDIR ? STATUS_OK : STATUS_FILE;
    enum status status = STATUS_OK;
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        if (status == STATUS_OK)
            status = add_file(files, variant, path_in(folder, name), name, manifest_find(manifest, name));
        free(entries[i]);
    }
    free(entries);
    return status;
}

/* Adds the files that the manifest names and the folder does not have. */
static enum status add_missing(struct checked_files *files, size_t first, const struct variant *variant,
                               const char *folder, const struct manifest *manifest)
{
    size_t end = files->count;
    for (size_t i = 0; i < manifest->count; i++) {
        const struct manifest_entry *entry = &manifest->entries[i];
        bool is_there = false;
        for (size_t file = first; file < end; file++)
            is_there |=
                files->files[file].is_listed && strcmp(files->files[file].entry.name, entry->name) == 0;
        if (is_there)
            continue;
        enum status status = add_file(files, variant, path_in(folder, entry->name), entry->name, entry);
        if (status != STATUS_OK)
            return status;
        files->files[files->count - 1].is_there = false;
    }
    return STATUS_OK;
}

static void free_files(struct checked_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->files[i].path);
    free(files->files);
}

/* -- Writing -----------------------------------------------------------------------------------------------
 */

/* A line of the result. A message that begins with the path does not repeat it. */
static enum exit_code print_result(const struct check *check, const char *word, const char *path,
                                   const char *message)
{
    size_t length = strlen(path);
    if (strncmp(message, path, length) == 0 && strncmp(message + length, ": ", 2) == 0)
        message += length + 2;
    if (check->shows_progress)
        fputs("\r\033[K", stderr);
    if (check->options->json)
        return print_json(json_pack("{s:s, s:s, s:s}", "result", word, "file", path, "message", message));
    printf("%s\t%s%s%s\n", word, path, *message ? "\t" : "", message);
    if (check->shows_progress)
        fflush(stdout);
    return EXIT_DONE;
}

static enum exit_code report_fault(struct check *check, const char *word, const char *path,
                                   enum status status, const char *message)
{
    if (exit_code_of(status) == EXIT_FILES)
        check->unread++;
    else
        check->bad++;
    if (!check->first[0])
        snprintf(check->first, sizeof check->first, "%s", message);
    return print_result(check, word, path, message);
}

static void show_progress(const struct check *check, size_t done, size_t count)
{
    enum { WIDTH = 40 };
    if (!check->shows_progress)
        return;
    int full = (int)(done * WIDTH / count);
    fprintf(stderr, "\r[%.*s%*s] %zu of %zu", full, "########################################", WIDTH - full,
            "", done, count);
    fflush(stderr);
}

/* -- Checking -------------------------------------------------------------------------------------------- */

/* Null if size and counts are those of the manifest, or what differs. */
static const char *difference(const struct manifest_entry *entry, const struct table_header *header)
{
    if (entry->size != header->file_length)
        return "its size is not that of the manifest";
    if (entry->members != header->members)
        return "its members are not those of the manifest";
    for (int i = 0; i < entry->members; i++)
        if (entry->member[i].positions != header->member[i].positions ||
            memcmp(entry->member[i].counts, header->member[i].counts, sizeof entry->member[i].counts) != 0)
            return "its counts are not those of the manifest";
    return NULL;
}

static enum exit_code check_file(struct check *check, const struct checked_file *file)
{
    char message[MESSAGE_SIZE];
    if (!file->is_there) {
        snprintf(message, sizeof message,
                 "%.150s: the manifest names it, but it is not there; build or fetch it", file->path);
        return report_fault(check, "missing", file->path, STATUS_DAMAGED, message);
    }
    enum status status = table_check(file->path, file->variant, file->slice, file->metric,
                                     file->is_listed ? &file->entry.digest : NULL, NULL, message);
    struct table_header header;
    if (status == STATUS_OK)
        status = table_header_read(file->path, &header, message);
    if (status == STATUS_OK && file->is_listed && difference(&file->entry, &header)) {
        status = STATUS_DAMAGED;
        table_message(message, file->path, status, difference(&file->entry, &header));
    }
    if (status != STATUS_OK)
        return report_fault(check, "bad", file->path, status, message);
    check->unlisted += !file->is_listed;
    return file->is_listed
               ? print_result(check, "ok", file->path, "")
               : print_result(check, "unlisted", file->path, "sound, but no manifest vouches for it");
}

static enum exit_code check_files(struct check *check, const struct checked_files *files)
{
    enum exit_code code = EXIT_DONE;
    for (size_t i = 0; i < files->count && code == EXIT_DONE; i++) {
        show_progress(check, i, files->count);
        code = check_file(check, &files->files[i]);
    }
    if (check->shows_progress && files->count > 0)
        fputs("\r\033[K", stderr);
    return code;
}

/* Collects the files of a variant in a directory. A faulty manifest is reported, and its folder checked as if
 * there were none. */
static enum exit_code collect(struct check *check, const char *directory, const struct variant *variant,
                              struct checked_files *files)
{
    char message[MESSAGE_SIZE];
    char *folder = path_in(directory, variant->rules.name);
    char *manifest_path = folder ? path_in(folder, MANIFEST_NAME) : NULL;
    struct manifest manifest = {0};
    enum exit_code code = EXIT_DONE;
    size_t first = files->count;
    enum status status = manifest_path ? STATUS_OK : STATUS_NO_MEMORY;
    if (status == STATUS_OK) {
        enum status found = manifest_read(folder, variant->rules.name, &manifest, message);
        if (found != STATUS_OK && found != STATUS_NO_TABLE)
            code = report_fault(check, "bad", manifest_path, found, message);
        status = add_folder(files, variant, folder, &manifest);
    }
    if (status == STATUS_OK)
        status = add_missing(files, first, variant, folder, &manifest);
    if (status == STATUS_FILE) {
        table_message(message, folder, status, NULL);
        code = report_fault(check, "bad", folder, status, message);
    } else if (status != STATUS_OK) {
        code = complain(EXIT_FILES, "out of memory; run it again with more");
    }
    manifest_free(&manifest);
    free(manifest_path);
    free(folder);
    return code;
}

static enum exit_code finish(const struct check *check, const struct table_set *set, size_t count)
{
    if (check->bad + check->unread > 0)
        return complain(check->bad ? EXIT_BAD_DATA : EXIT_FILES, "faults: %zu, tables: %zu; first: %s",
                        check->bad + check->unread, count, check->first);
    if (count == 0)
        return complain_no_tables(set, "any variant");
    if (check->unlisted > 0)
        complain(EXIT_DONE, "%zu of %zu tables are sound, but no manifest vouches for them", check->unlisted,
                 count);
    return EXIT_DONE;
}

static enum exit_code run(const struct options *options, int count, char **arguments)
{
    (void)count;
    (void)arguments;
    struct check check = {.options = options, .shows_progress = isatty(STDERR_FILENO)};
    struct checked_files files = {0};
    struct table_set set;
    enum exit_code code = table_set_open(options, &set);
    if (code != EXIT_DONE)
        return code;
    const struct catalogue *catalogue = library_catalogue(set.handle);
    for (size_t i = 0; i < catalogue_directory_count(catalogue); i++)
        for (size_t variant = 0; variant < variant_count && code == EXIT_DONE; variant++)
            code = collect(&check, catalogue_directory(catalogue, i), variant_table[variant], &files);
    if (code == EXIT_DONE)
        code = check_files(&check, &files);
    if (code == EXIT_DONE)
        code = finish(&check, &set, files.count);
    free_files(&files);
    table_set_close(&set);
    return code;
}

const struct command command_check = {
    .name = "check",
    .arguments = "",
    .summary = "verifies all tables",
    .help = "Reads every table file of the directories whole, compares it with the manifest beside it and\n"
            "verifies all its checksums. Prints a line a file, with tabs:\n"
            "  ok        as the manifest says\n"
            "  unlisted  sound, but no manifest vouches for it\n"
            "  missing   the manifest names it, but it is not there\n"
            "  bad       and what is wrong\n"
            "Ends with 3 if anything is bad or missing, 1 if there is nothing to check.\n",
    .options = TAKES_PATH | TAKES_JSON,
    .least_arguments = 0,
    .most_arguments = 0,
    .run = run,
};
