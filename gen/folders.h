/* Folders and whole small files of a run: paths, making folders, publishing a text under its name.
 * Single reads and writes are in probe/files.h. */
#ifndef GEN_FOLDERS_H
#define GEN_FOLDERS_H

#include "status.h"

#include <stddef.h>

enum { MAX_FILE_PATH = 4096 };

/* Joins two parts with a slash into MAX_FILE_PATH bytes. STATUS_FILE if they do not fit. */
enum status folder_join(char *path, const char *folder, const char *name);

/* Makes a folder and its parents. STATUS_NO_SPACE, STATUS_FILE (errno). */
enum status folder_make(const char *path);

/* Removes a folder with all that is in it. STATUS_FILE. */
enum status folder_remove(const char *path);

/* Writes a file under its final name whole or not at all, also through a power cut. STATUS_NO_SPACE,
 * STATUS_FILE. */
enum status folder_publish(const char *folder, const char *name, const void *bytes, size_t size);

/* Reads a whole file; the caller frees *bytes, which ends with a zero beyond *size. STATUS_NO_TABLE if there
 * is none, STATUS_FILE, STATUS_DAMAGED (it shrank meanwhile), STATUS_NO_MEMORY. */
enum status folder_read(const char *path, char **bytes, size_t *size);

#endif
