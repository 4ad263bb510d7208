/* Folders and whole small files. */
#include "folders.h"
#include "files.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum status folder_join(char *path, const char *folder, const char *name)
{
    int length = snprintf(path, MAX_FILE_PATH, "%s/%s", folder, name);
    if (length >= 0 && length < MAX_FILE_PATH)
        return STATUS_OK;
    errno = ENAMETOOLONG;
    return STATUS_FILE;
}

enum status folder_make(const char *path)
{
    char part[MAX_FILE_PATH];
    size_t length = strlen(path);
    if (length >= sizeof part) {
        errno = ENAMETOOLONG;
        return STATUS_FILE;
    }
    memcpy(part, path, length + 1);
    for (size_t i = 1; i <= length; i++) {
        if (part[i] != '/' && part[i] != '\0')
            continue;
        char kept = part[i];
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return file_write_status();
        part[i] = kept;
    }
    struct stat facts;
    if (stat(path, &facts) != 0)
        return file_write_status();
    if (S_ISDIR(facts.st_mode))
        return STATUS_OK;
    errno = ENOTDIR;
    return STATUS_FILE;
}

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
    (void)facts;
    (void)kind;
    (void)place;
    return remove(path);
}

enum status folder_remove(const char *path)
{
    enum { OPEN_AT_ONCE = 16 };
    return nftw(path, remove_one, OPEN_AT_ONCE, FTW_DEPTH | FTW_PHYS) == 0 ? STATUS_OK : STATUS_FILE;
}

enum status folder_publish(const char *folder, const char *name, const void *bytes, size_t size)
{
    char final[MAX_FILE_PATH];
    char temporary[MAX_FILE_PATH + 4];
    int file;
    enum status status = folder_join(final, folder, name);
    if (status != STATUS_OK)
        return status;
    snprintf(temporary, sizeof temporary, "%s.tmp", final);
    status = file_create(temporary, &file);
    if (status != STATUS_OK)
        return status;
    status = file_write(file, bytes, size, 0);
    if (status == STATUS_OK)
        return file_publish(file, temporary, final, folder);
    file_discard(file, temporary);
    return status;
}

enum status folder_read(const char *path, char **bytes, size_t *size)
{
    int file;
    uint64_t length;
    *bytes = NULL;
    enum status status = file_open(path, &file, &length);
    if (status != STATUS_OK)
        return status == STATUS_NOT_A_TABLE ? STATUS_FILE : status;
    *size = (size_t)length;
    *bytes = malloc(*size + 1);
    status = *bytes ? file_read(file, *bytes, *size, 0) : STATUS_NO_MEMORY;
    close(file);
    if (status == STATUS_OK) {
        (*bytes)[*size] = '\0';
        return STATUS_OK;
    }
    free(*bytes);
    *bytes = NULL;
    return status;
}
