/* Whole writes and durable renames. */
#include "durable.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status failure(void)
{
    return errno == ENOSPC || errno == EDQUOT ? STATUS_NO_SPACE : STATUS_FILE;
}

enum status durable_join(char *path, const char *directory, const char *name)
{
    int length = snprintf(path, MAX_FILE_PATH, "%s/%s", directory, name);
    if (length >= 0 && length < MAX_FILE_PATH)
        return STATUS_OK;
    errno = ENAMETOOLONG;
    return STATUS_FILE;
}

enum status durable_make_directory(const char *path)
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
            return failure();
        part[i] = kept;
    }
    struct stat facts;
    if (stat(path, &facts) != 0)
        return failure();
    if (!S_ISDIR(facts.st_mode)) {
        errno = ENOTDIR;
        return STATUS_FILE;
    }
    return STATUS_OK;
}

enum status durable_write_at(int file, const void *bytes, size_t size, uint64_t offset)
{
    const char *rest = bytes;
    while (size > 0) {
        ssize_t written = pwrite(file, rest, size, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return failure();
        rest += written;
        size -= (size_t)written;
        offset += (uint64_t)written;
    }
    return STATUS_OK;
}

enum status durable_read_at(int file, void *bytes, size_t size, uint64_t offset)
{
    char *rest = bytes;
    while (size > 0) {
        ssize_t got = pread(file, rest, size, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return failure();
        if (got == 0)
            return STATUS_DAMAGED;
        rest += got;
        size -= (size_t)got;
        offset += (uint64_t)got;
    }
    return STATUS_OK;
}

enum status durable_sync_directory(const char *path)
{
    int directory = open(path, O_RDONLY | O_DIRECTORY);
    if (directory < 0)
        return failure();
    int outcome = fsync(directory);
    enum status status = outcome == 0 ? STATUS_OK : failure();
    close(directory);
    return status;
}

static enum status write_new(const char *path, const void *bytes, size_t size)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0)
        return failure();
    enum status status = durable_write_at(file, bytes, size, 0);
    if (status == STATUS_OK && fsync(file) != 0)
        status = failure();
    if (close(file) != 0 && status == STATUS_OK)
        status = failure();
    return status;
}

enum status durable_publish(const char *directory, const char *name, const void *bytes, size_t size)
{
    char final[MAX_FILE_PATH];
    char temporary[MAX_FILE_PATH + 4];
    enum status status = durable_join(final, directory, name);
    if (status != STATUS_OK)
        return status;
    snprintf(temporary, sizeof temporary, "%s.tmp", final);
    status = write_new(temporary, bytes, size);
    if (status == STATUS_OK && rename(temporary, final) != 0)
        status = failure();
    if (status != STATUS_OK) {
        int reason = errno;
        unlink(temporary);
        errno = reason;
        return status;
    }
    return durable_sync_directory(directory);
}

static enum status read_open(int file, char **bytes, size_t *size)
{
    struct stat facts;
    if (fstat(file, &facts) != 0)
        return failure();
    *size = (size_t)facts.st_size;
    *bytes = malloc(*size + 1);
    if (!*bytes)
        return STATUS_NO_MEMORY;
    enum status status = durable_read_at(file, *bytes, *size, 0);
    if (status != STATUS_OK) {
        free(*bytes);
        *bytes = NULL;
        return status;
    }
    (*bytes)[*size] = '\0';
    return STATUS_OK;
}

enum status durable_read_all(const char *path, char **bytes, size_t *size)
{
    *bytes = NULL;
    int file = open(path, O_RDONLY);
    if (file < 0)
        return failure();
    enum status status = read_open(file, bytes, size);
    close(file);
    return status;
}
