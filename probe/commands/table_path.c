/* Where tables are looked for, and opening them. */
#include "commands.h"

#include "moves.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_set(const char *text)
{
    return text && *text;
}

static bool is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* The user's own data folder, to be freed; null if there is no home or no memory. */
static char *user_folder(void)
{
    char *folder = NULL;
    const char *data = getenv("XDG_DATA_HOME");
    const char *home = getenv("HOME");
    int length = -1;
    if (is_set(data))
        length = asprintf(&folder, "%s/damabase", data);
    else if (is_set(home))
        length = asprintf(&folder, "%s/.local/share/damabase", home);
    return length < 0 ? NULL : folder;
}

/* The first that is set or exists, to be freed; an empty text if there is none, null without memory. */
static char *directories_of(const struct options *options)
{
    const char *given = options->path ? options->path : getenv("DAMABASE_PATH");
    if (options->path || is_set(given))
        return strdup(given);
    if (is_directory("./data/tables"))
        return strdup("./data/tables");
    if (is_directory("./tables"))
        return strdup("./tables");
    char *folder = user_folder();
    if (folder && is_directory(folder))
        return folder;
    free(folder);
    return strdup(is_directory(DAMABASE_SHARE) ? DAMABASE_SHARE : "");
}

enum exit_code table_set_open(const struct options *options, struct table_set *set)
{
    set->handle = NULL;
    set->directories = directories_of(options);
    if (!set->directories)
        return complain(EXIT_FILES, "out of memory; run it again with more");
    dama_status status = dama_open(set->directories, options->cache_bytes, &set->handle);
    if (status == DAMA_OK)
        return EXIT_DONE;
    enum exit_code code = complain(exit_code_of((enum status)status),
                                   "tables in \"%.200s\" cannot be opened: %s; name others with --path",
                                   set->directories, dama_status_text(status));
    table_set_close(set);
    return code;
}

void table_set_close(struct table_set *set)
{
    dama_close(set->handle);
    free(set->directories);
    set->handle = NULL;
    set->directories = NULL;
}

/* Follows the captures to a position without one whose table is missing. */
static struct position missing_of(const struct table_set *set, const struct variant *variant,
                                  const struct position *position)
{
    struct move_list list;
    move_list_clear(&list);
    variant->moves->captures(position, &list, NULL);
    for (int i = 0; i < list.count; i++) {
        enum value value;
        struct position after = position_after(variant, position, &list.moves[i]);
        if (library_value(set->handle, variant, &after, 0, &value) == STATUS_NO_TABLE)
            return missing_of(set, variant, &after);
    }
    return *position;
}

/* The table that is missing for a position whose value, or else whose distance, is not known for that. */
static void write_missing(const struct table_set *set, const struct variant *variant,
                          const struct position *own_view, char reason[REASON_SIZE])
{
    enum value value;
    char slice[SLICE_NAME_SIZE];
    char table[TABLE_NAME_SIZE];
    struct position missing = missing_of(set, variant, own_view);
    bool of_values = library_value(set->handle, variant, &missing, 0, &value) != STATUS_OK;
    slice_write(slice_pair_name(slice_of(&missing)), slice);
    table_name_write(slice_of(&missing), METRIC_DTZ, table);
    const char *name = of_values ? slice : table;
    const char *metric = of_values ? "" : " --metric dtz";
    if (*set->directories)
        snprintf(reason, REASON_SIZE,
                 "this position needs the table %s, which is not in \"%.300s\"; make it with: damagen %s "
                 "--slice %s%s, or name its directory with --path",
                 name, set->directories, variant->rules.name, slice, metric);
    else
        snprintf(reason, REASON_SIZE,
                 "this position needs the table %s, and no directory of tables was found; make it with: "
                 "damagen %s --slice %s%s, or name its directory with --path",
                 name, variant->rules.name, slice, metric);
}

void write_reason(const struct table_set *set, const struct variant *variant, const struct position *own_view,
                  enum status status, char reason[REASON_SIZE])
{
    char message[MESSAGE_SIZE];
    if (status == STATUS_NO_TABLE) {
        write_missing(set, variant, own_view, reason);
        return;
    }
    library_message(set->handle, variant, own_view, status, message);
    snprintf(reason, REASON_SIZE, "%s%s", message,
             exit_code_of(status) == EXIT_NO_ANSWER ? "; ask again when pieces are gone" : "");
}

enum exit_code complain_no_table(const struct table_set *set, const struct variant *variant,
                                 struct slice slice, enum metric metric)
{
    char name[TABLE_NAME_SIZE];
    char pair[SLICE_NAME_SIZE];
    table_name_write(slice, metric, name);
    slice_write(slice_pair_name(slice), pair);
    return complain(EXIT_NO_ANSWER,
                    "the table %s is not in \"%.100s\"; make it with: damagen %s --slice %s%s", name,
                    set->directories, variant->rules.name, pair, metric == METRIC_DTZ ? " --metric dtz" : "");
}

enum exit_code complain_no_tables(const struct table_set *set, const char *what)
{
    if (*set->directories)
        return complain(EXIT_NO_ANSWER,
                        "there is no table of %s in %.200s; make some with damagen, or name "
                        "their directory with --path",
                        what, set->directories);
    return complain(EXIT_NO_ANSWER,
                    "there is no table of %s: no directory of tables was found; make some with "
                    "damagen, or name their directory with --path",
                    what);
}
