/* Files: whole reads and writes, new versions put in the place of old ones, and a pool of files that are
 * opened again when needed, at most so many at a time. Knows nothing of tables. */
#ifndef PROBE_FILES_H
#define PROBE_FILES_H

#include "status.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- Single files ------------------------------------------------------------------------------------- */

/* Opens a regular file for reading. STATUS_NO_TABLE if there is none of that name, STATUS_NOT_A_TABLE if it
 * is no regular file, STATUS_FILE otherwise, errno set. */
enum status file_open(const char *path, int *descriptor, uint64_t *length);

/* Reads `length` bytes at `offset`, however many calls that takes. STATUS_DAMAGED if the file ends before,
 * STATUS_FILE (errno) if the system refuses. */
enum status file_read(int descriptor, void *bytes, size_t length, uint64_t offset);

/* STATUS_NO_SPACE or STATUS_FILE, by errno, after a call that writes failed. */
enum status file_write_status(void);

/* Writes `length` bytes at `offset`. STATUS_NO_SPACE, STATUS_FILE. */
enum status file_write(int descriptor, const void *bytes, size_t length, uint64_t offset);

/* Makes a new file that nobody else has, after removing what an interrupted run may have left under the name.
 * STATUS_NO_SPACE, STATUS_FILE. */
enum status file_create(const char *path, int *descriptor);

/* Puts a written file in its place: fsync, close, rename, fsync of the directory. The descriptor is closed
 * whatever happens; if it fails before the rename, the temporary file is removed. STATUS_NO_SPACE,
 * STATUS_FILE. */
enum status file_publish(int descriptor, const char *temporary, const char *path, const char *directory);
/* Gives a written file up: closes and removes it; keeps errno. */
void file_discard(int descriptor, const char *temporary);

/* -- The pool ----------------------------------------------------------------------------------------- */

/* A file that a pool opens and closes as it likes. */
struct pooled_file {
    char *path;
    int descriptor; /* -1 while closed */
    unsigned pins;  /* reads under way */
    struct pooled_file *newer, *older;
};

/* Open files in the order of their last use, none or few of them pinned. */
struct file_pool {
    pthread_mutex_t lock;
    struct pooled_file *newest, *oldest;
    unsigned open, limit;
};

/* At most `limit` descriptors (0: 256, or half of what the process may have if that is less). */
enum status file_pool_init(struct file_pool *pool, unsigned limit);
/* All its files must have been dropped. */
void file_pool_destroy(struct file_pool *pool);

/* Puts an open descriptor under the pool's care. The path is copied. */
enum status file_pool_add(struct file_pool *pool, struct pooled_file *file, const char *path, int descriptor);
/* Closes the file that was not used for longest, if there is one that is not being read: for a caller that
 * found no descriptor left for something else. Thread-safe. */
void file_pool_shrink(struct file_pool *pool);
/* Closes it for good. No pin may be held. */
void file_pool_drop(struct file_pool *pool, struct pooled_file *file);

/* A descriptor that stays open until the unpin. *reopened says that the file was opened anew, so that the
 * caller can look whether it is still the same. Thread-safe. */
enum status file_pin(struct file_pool *pool, struct pooled_file *file, int *descriptor, bool *reopened);
void file_unpin(struct file_pool *pool, struct pooled_file *file);

#endif
