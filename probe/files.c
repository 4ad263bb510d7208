/* Whole reads and writes, and the pool of open files. */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFAULT_LIMIT = 256 };

enum status file_open(const char *path, int *descriptor, uint64_t *length)
{
    int opened;
    do /* not to wait for a writer if it is a pipe */
        opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    while (opened < 0 && errno == EINTR);
    if (opened < 0)
        return errno == ENOENT || errno == ENOTDIR ? STATUS_NO_TABLE : STATUS_FILE;
    struct stat about;
    if (fstat(opened, &about) != 0) {
        int error = errno;
        close(opened);
        errno = error;
        return STATUS_FILE;
    }
    if (!S_ISREG(about.st_mode)) {
        close(opened);
        return STATUS_NOT_A_TABLE;
    }
    *descriptor = opened;
    *length = (uint64_t)about.st_size;
    return STATUS_OK;
}

enum status file_read(int descriptor, void *bytes, size_t length, uint64_t offset)
{
    uint8_t *to = bytes;
    while (length > 0) {
        ssize_t got = pread(descriptor, to, length, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return STATUS_FILE;
        if (got == 0)
            return STATUS_DAMAGED;
        to += got;
        offset += (uint64_t)got;
        length -= (size_t)got;
    }
    return STATUS_OK;
}

/* -- Writing ------------------------------------------------------------------------------------------- */

enum status file_write_status(void)
{
    return errno == ENOSPC || errno == EDQUOT ? STATUS_NO_SPACE : STATUS_FILE;
}

enum status file_write(int descriptor, const void *bytes, size_t length, uint64_t offset)
{
    const uint8_t *from = bytes;
    while (length > 0) {
        ssize_t put = pwrite(descriptor, from, length, (off_t)offset);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return file_write_status();
        from += put;
        offset += (uint64_t)put;
        length -= (size_t)put;
    }
    return STATUS_OK;
}

enum status file_create(const char *path, int *descriptor)
{
    if (unlink(path) != 0 && errno != ENOENT)
        return file_write_status();
    do
        *descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    while (*descriptor < 0 && errno == EINTR);
    return *descriptor < 0 ? file_write_status() : STATUS_OK;
}

/* Makes the names of a directory last. Some file systems cannot, and say EINVAL. */
static enum status sync_directory(const char *directory)
{
    int descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return STATUS_FILE;
    enum status status = fsync(descriptor) == 0 || errno == EINVAL ? STATUS_OK : file_write_status();
    close(descriptor);
    return status;
}

enum status file_publish(int descriptor, const char *temporary, const char *path, const char *directory)
{
    if (fsync(descriptor) != 0) {
        enum status status = file_write_status();
        file_discard(descriptor, temporary);
        return status;
    }
    if (close(descriptor) != 0 || rename(temporary, path) != 0) {
        enum status status = file_write_status();
        int error = errno;
        unlink(temporary);
        errno = error;
        return status;
    }
    return sync_directory(directory);
}

void file_discard(int descriptor, const char *temporary)
{
    int error = errno;
    close(descriptor);
    unlink(temporary);
    errno = error;
}

/* -- The pool ------------------------------------------------------------------------------------------ */

enum status file_pool_init(struct file_pool *pool, unsigned limit)
{
    *pool = (struct file_pool){.limit = limit ? limit : DEFAULT_LIMIT};
    struct rlimit descriptors;
    if (!limit && getrlimit(RLIMIT_NOFILE, &descriptors) == 0 && descriptors.rlim_cur / 2 < DEFAULT_LIMIT)
        pool->limit = descriptors.rlim_cur > 2 ? (unsigned)descriptors.rlim_cur / 2 : 1;
    return pthread_mutex_init(&pool->lock, NULL) == 0 ? STATUS_OK : STATUS_NO_MEMORY;
}

void file_pool_destroy(struct file_pool *pool)
{
    pthread_mutex_destroy(&pool->lock);
}

/* The functions from here to the public ones are called with the lock held. */

static void list_remove(struct file_pool *pool, struct pooled_file *file)
{
    *(file->newer ? &file->newer->older : &pool->newest) = file->older;
    *(file->older ? &file->older->newer : &pool->oldest) = file->newer;
    file->newer = file->older = NULL;
}

/* Blocks are small and far apart: reading ahead would only fill the page cache. */
static void expect_random_reads(const struct pooled_file *file)
{
    (void)posix_fadvise(file->descriptor, 0, 0, POSIX_FADV_RANDOM);
}

static void list_push(struct file_pool *pool, struct pooled_file *file)
{
    file->newer = NULL;
    file->older = pool->newest;
    *(pool->newest ? &pool->newest->newer : &pool->oldest) = file;
    pool->newest = file;
}

static void close_listed(struct file_pool *pool, struct pooled_file *file)
{
    list_remove(pool, file);
    close(file->descriptor);
    file->descriptor = -1;
    pool->open--;
}

/* Closes the file that was not used for longest. False if all are being read. */
static bool close_oldest(struct file_pool *pool)
{
    for (struct pooled_file *file = pool->oldest; file; file = file->newer)
        if (file->pins == 0) {
            close_listed(pool, file);
            return true;
        }
    return false;
}

static void make_room(struct file_pool *pool)
{
    while (pool->open >= pool->limit && close_oldest(pool))
        ;
}

static enum status reopen(struct file_pool *pool, struct pooled_file *file)
{
    uint64_t length;
    enum status status;
    make_room(pool);
    do
        status = file_open(file->path, &file->descriptor, &length);
    while (status == STATUS_FILE && (errno == EMFILE || errno == ENFILE) && close_oldest(pool));
    if (status != STATUS_OK)
        return status == STATUS_NO_TABLE ? STATUS_FILE : status;
    expect_random_reads(file);
    list_push(pool, file);
    pool->open++;
    return STATUS_OK;
}

enum status file_pool_add(struct file_pool *pool, struct pooled_file *file, const char *path, int descriptor)
{
    *file = (struct pooled_file){.path = strdup(path), .descriptor = descriptor};
    if (!file->path)
        return STATUS_NO_MEMORY;
    pthread_mutex_lock(&pool->lock);
    make_room(pool);
    expect_random_reads(file);
    list_push(pool, file);
    pool->open++;
    pthread_mutex_unlock(&pool->lock);
    return STATUS_OK;
}

void file_pool_drop(struct file_pool *pool, struct pooled_file *file)
{
    pthread_mutex_lock(&pool->lock);
    if (file->descriptor >= 0)
        close_listed(pool, file);
    pthread_mutex_unlock(&pool->lock);
    free(file->path);
    file->path = NULL;
}

void file_pool_shrink(struct file_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    close_oldest(pool);
    pthread_mutex_unlock(&pool->lock);
}

enum status file_pin(struct file_pool *pool, struct pooled_file *file, int *descriptor, bool *reopened)
{
    enum status status = STATUS_OK;
    pthread_mutex_lock(&pool->lock);
    *reopened = file->descriptor < 0;
    if (*reopened) {
        status = reopen(pool, file);
    } else if (pool->newest != file) {
        list_remove(pool, file);
        list_push(pool, file);
    }
    if (status == STATUS_OK) {
        file->pins++;
        *descriptor = file->descriptor;
    }
    pthread_mutex_unlock(&pool->lock);
    return status;
}

void file_unpin(struct file_pool *pool, struct pooled_file *file)
{
    pthread_mutex_lock(&pool->lock);
    file->pins--;
    pthread_mutex_unlock(&pool->lock);
}
