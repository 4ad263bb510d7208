/* Files tables.NNNNN.tmp, NNNNN being the rank. */
#include "scratch.h"

#include "files.h"
#include "folders.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <xxhash.h>

struct scratch {
    int rank;
    int file;
    uint64_t size;
    char path[MAX_FILE_PATH];
};

static enum status path_of(const char *folder, int rank, char path[MAX_FILE_PATH])
{
    char name[32];
    snprintf(name, sizeof name, "tables.%05d.tmp", rank);
    return folder_join(path, folder, name);
}

enum status scratch_create(const char *folder, int rank, struct scratch **scratch)
{
    struct scratch *made = calloc(1, sizeof *made);
    *scratch = NULL;
    if (!made)
        return STATUS_NO_MEMORY;
    made->rank = rank;
    enum status status = path_of(folder, rank, made->path);
    if (status == STATUS_OK)
        status = file_create(made->path, &made->file);
    if (status != STATUS_OK) {
        free(made);
        return status;
    }
    *scratch = made;
    return STATUS_OK;
}

void scratch_destroy(struct scratch *scratch)
{
    if (!scratch)
        return;
    file_discard(scratch->file, scratch->path);
    free(scratch);
}

enum status scratch_append(struct scratch *scratch, const void *bytes, size_t size,
                           struct scratch_place *place)
{
    *place = (struct scratch_place){scratch->size, size, XXH3_64bits(bytes, size), (uint64_t)scratch->rank};
    enum status status = file_write(scratch->file, bytes, size, scratch->size);
    scratch->size += status == STATUS_OK ? size : 0;
    return status;
}

enum status scratch_sync(struct scratch *scratch)
{
    return fsync(scratch->file) == 0 ? STATUS_OK : file_write_status();
}

enum status scratch_read(const char *folder, const struct scratch_place *place, void *bytes)
{
    char path[MAX_FILE_PATH];
    enum status status = path_of(folder, (int)place->rank, path);
    int file = status == STATUS_OK ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return STATUS_FILE;
    status = file_read(file, bytes, (size_t)place->size, place->offset);
    close(file);
    if (status == STATUS_OK && XXH3_64bits(bytes, (size_t)place->size) != place->checksum)
        status = STATUS_DAMAGED;
    return status;
}
