/* Which tables the directories have, and the tables opened so far.
 * A catalogue opens a table when it is first asked for, once however many threads ask, and remembers failures
 * a slice pair and metric. It does not notice files that appear or change afterwards. */
#ifndef PROBE_CATALOGUE_H
#define PROBE_CATALOGUE_H

#include "table.h"

struct catalogue;

/* Makes a catalogue of a colon-separated list of directories. Empty items and repetitions are passed over. No
 * file is touched. The caller destroys it. STATUS_NO_MEMORY, STATUS_BAD_ARGUMENT (null). */
enum status catalogue_create(const char *directories, struct catalogue **catalogue);
/* Closes all tables. No call may be under way. */
void catalogue_destroy(struct catalogue *catalogue);

/* Its directories, as given, without empty items and repetitions. */
size_t catalogue_directory_count(const struct catalogue *catalogue);
const char *catalogue_directory(const struct catalogue *catalogue, size_t i);

/* The table of the pair of a slice and metric; it lives as long as the catalogue. With `no_io`
 * STATUS_NOT_CACHED if it was not asked for before. Else all statuses of table_open; STATUS_NO_TABLE if no
 * directory has it. Thread-safe; takes no lock where the table is open already. */
enum status catalogue_find(struct catalogue *catalogue, const struct variant *variant, struct slice slice,
                           enum metric metric, bool no_io, const struct table **table);

/* Why catalogue_find failed for the slice: a line that names the file and what to do. An empty text if it did
 * not fail or was not called. Thread-safe. */
void catalogue_message(struct catalogue *catalogue, const struct variant *variant, struct slice slice,
                       enum metric metric, char message[MESSAGE_SIZE]);

/* A table file that the directories have. */
struct catalogue_entry {
    struct slice slice; /* that names the pair */
    enum metric metric;
    char *path;
};

/* All table files of a variant, each pair and metric once (the earliest directory counts), by pieces, then
 * men, then name. Reads directories, not files. The caller frees them with catalogue_list_free. STATUS_FILE
 * if a directory is there but cannot be read: the entries of the others are there all the same.
 * STATUS_NO_MEMORY: none. Thread-safe. */
enum status catalogue_list(const struct catalogue *catalogue, const struct variant *variant,
                           struct catalogue_entry **entries, size_t *count);
void catalogue_list_free(struct catalogue_entry *entries, size_t count);

#endif
