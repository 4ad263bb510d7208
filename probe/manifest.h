/* The manifest of a variant's directory: a text file that names every table with its size, digest and counts.
 * Form: docs/format.md. It is what `damaprobe check` compares with; probing does not need it. */
#ifndef PROBE_MANIFEST_H
#define PROBE_MANIFEST_H

#include "format.h"
#include "table.h"

#define MANIFEST_NAME "manifest"

struct manifest_entry {
    char name[TABLE_NAME_SIZE]; /* of the file */
    uint64_t size;              /* bytes */
    struct digest digest;       /* of the whole file */
    int members;
    struct {
        uint64_t positions;
        uint64_t counts[VALUES]; /* by enum value */
    } member[MAX_MEMBERS];
};

/* Entries by name, sorted as bytes, each name once. */
struct manifest {
    struct manifest_entry *entries;
    size_t count;
};

/* Reads the manifest of a directory; the caller frees it, after failures too. STATUS_NO_TABLE if there is
 * none (it is then empty), STATUS_NEWER_FORMAT, STATUS_WRONG_VARIANT, STATUS_DAMAGED, STATUS_FILE,
 * STATUS_NO_MEMORY. `message` (may be null) names the file, the line and what to do. */
enum status manifest_read(const char *directory, const char *variant, struct manifest *manifest,
                          char message[MESSAGE_SIZE]);
void manifest_free(struct manifest *manifest);

/* The entry of that file name, or null. */
const struct manifest_entry *manifest_find(const struct manifest *manifest, const char *name);

/* Puts the entry in its place, over the one of the same name. STATUS_NO_MEMORY. */
enum status manifest_put(struct manifest *manifest, const struct manifest_entry *entry);
/* Takes the entry of that name out, if there is one. */
void manifest_remove(struct manifest *manifest, const char *name);

/* Writes the manifest so that at any time the old or the new one is there whole: temporary file, fsync,
 * rename, fsync of the directory. One writer at a time. STATUS_FILE, STATUS_NO_SPACE, STATUS_NO_MEMORY. */
enum status manifest_write(const char *directory, const char *variant, const struct manifest *manifest,
                           char message[MESSAGE_SIZE]);

/* Reads the manifest (none is an empty one), puts the entry, writes it. */
enum status manifest_update(const char *directory, const char *variant, const struct manifest_entry *entry,
                            char message[MESSAGE_SIZE]);

#endif
