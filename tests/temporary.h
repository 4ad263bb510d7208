/* What tests do with files: a folder of their own, whole files in and out, pseudo-random numbers. Every
 * failure ends the test program with a line, for then there is nothing to test. */
#ifndef TESTS_TEMPORARY_H
#define TESTS_TEMPORARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes a new folder under $TMPDIR, else /dev/shm (where fsync costs nothing), else /tmp; the caller frees
 * the name after removing the folder. */
char *temporary_folder(void);
/* Removes a folder with all that is in it. */
void remove_folder(const char *folder);

/* "folder/name", to be freed. */
char *path_join(const char *folder, const char *name);
/* Makes a folder unless it is there. */
void make_folder(const char *folder);

/* A whole file, to be freed. */
uint8_t *file_bytes(const char *path, size_t *length);
void write_bytes(const char *path, const void *bytes, size_t length);
bool file_exists(const char *path);

/* The next number of a pseudo-random sequence. */
uint64_t random_next(uint64_t *state);

#endif
