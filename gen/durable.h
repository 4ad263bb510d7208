/* The few file operations that must not lose anything: whole writes, durable renames.
 * Each call is retried where the system was merely interrupted; failures are STATUS_NO_SPACE or STATUS_FILE
 * with errno left as the system set it. */
#ifndef GEN_DURABLE_H
#define GEN_DURABLE_H

#include "status.h"

#include <stddef.h>
#include <stdint.h>

enum { MAX_FILE_PATH = 4096 };

/* Joins two parts with a slash into MAX_FILE_PATH bytes. STATUS_BAD_ARGUMENT if they do not fit. */
enum status durable_join(char *path, const char *directory, const char *name);

/* Makes a directory and its parents. */
enum status durable_make_directory(const char *path);

/* Writes all bytes at an offset. */
enum status durable_write_at(int file, const void *bytes, size_t size, uint64_t offset);

/* Reads exactly so many bytes at an offset; STATUS_DAMAGED if the file ends before. */
enum status durable_read_at(int file, void *bytes, size_t size, uint64_t offset);

/* Writes a file under its final name whole or not at all, also through a power cut: NAME.tmp, fsync, rename,
 * fsync of the directory. */
enum status durable_publish(const char *directory, const char *name, const void *bytes, size_t size);

/* Reads a whole file; the caller frees *bytes, which ends with a zero beyond *size. */
enum status durable_read_all(const char *path, char **bytes, size_t *size);

/* Makes the entries of a directory durable. */
enum status durable_sync_directory(const char *path);

#endif
