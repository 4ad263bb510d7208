/* Files team.NNNNN.A and team.NNNNN.B, NNNNN being the rank: a line that says of what it is a state, then the
 * state. */
#include "team_checkpoint.h"
#include "files.h"
#include "folders.h"
#include "kill_point.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINE_SIZE = 200 };

/* A state on its way to or from a file. */
struct stream {
    int file;
    uint64_t offset;
};

static enum status path_of(const char *folder, int rank, int which, char path[MAX_FILE_PATH])
{
    char name[32];
    snprintf(name, sizeof name, "team.%05d.%c", rank, 'A' + which);
    return folder_join(path, folder, name);
}

/* The line without its number: what has to be equal. The numbers of levels are in the unit's men and cell. */
static void write_line(const struct checkpoint_place *place, uint64_t number, char line[LINE_SIZE])
{
    char slice[SLICE_NAME_SIZE];
    slice_write(place->plan->pairs[place->piece->pair]->name, slice);
    memset(line, '\0', LINE_SIZE);
    snprintf(line, LINE_SIZE,
             "damabase-team 1 %s %016" PRIx64 " %s cell %" PRIu32 " men %" PRIu64
             " %s rank %d of %d number %" PRIu64 "\n",
             place->plan->variant->rules.name, variant_fingerprint(place->plan->variant), slice,
             place->piece->cell, place->unit->first_men, place->distances ? "distances" : "values",
             place->rank, place->ranks, number);
}

static enum status write_part(void *context, const void *bytes, size_t size)
{
    struct stream *stream = context;
    enum status status = file_write(stream->file, bytes, size, stream->offset);
    stream->offset += size;
    return status;
}

static enum status read_part(void *context, void *bytes, size_t size)
{
    struct stream *stream = context;
    enum status status = file_read(stream->file, bytes, size, stream->offset);
    stream->offset += size;
    return status;
}

/* The number of the state in a file; 0 if it is of something else. */
static uint64_t number_in(const struct checkpoint_place *place, int which)
{
    char path[MAX_FILE_PATH];
    char line[LINE_SIZE];
    char expected[LINE_SIZE];
    uint64_t number = 0;
    if (path_of(place->folder, place->rank, which, path) != STATUS_OK)
        return 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    if (file_read(file, line, LINE_SIZE, 0) == STATUS_OK && line[LINE_SIZE - 1] == '\0') {
        const char *text = strstr(line, " number ");
        if (text && sscanf(text, " number %" SCNu64, &number) == 1) {
            write_line(place, number, expected);
            number = memcmp(line, expected, LINE_SIZE) == 0 ? number : 0;
        }
    }
    close(file);
    return number;
}

void checkpoint_find(const struct checkpoint_place *place, uint64_t numbers[2])
{
    for (int which = 0; which < 2; which++)
        numbers[which] = number_in(place, which);
}

static enum status write_state(const struct checkpoint_place *place, uint64_t number, const struct team *team,
                               const char *path)
{
    char line[LINE_SIZE];
    struct stream stream = {.file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    if (stream.file < 0)
        return file_write_status();
    write_line(place, number, line);
    enum status status = write_part(&stream, line, sizeof line);
    if (status == STATUS_OK)
        status = team_save(team, write_part, &stream);
    kill_point("state");
    if (status == STATUS_OK && fsync(stream.file) != 0)
        status = file_write_status();
    close(stream.file);
    return status;
}

enum status checkpoint_save(const struct checkpoint_place *place, const struct team *team)
{
    char path[MAX_FILE_PATH];
    char temporary[MAX_FILE_PATH];
    uint64_t numbers[2];
    checkpoint_find(place, numbers);
    int which = numbers[0] > numbers[1]; /* over the older one */
    enum status status = path_of(place->folder, place->rank, which, path);
    if (status != STATUS_OK || snprintf(temporary, sizeof temporary, "%s.tmp", path) >= MAX_FILE_PATH)
        return STATUS_FILE;
    status = write_state(place, numbers[!which] + 1, team, temporary);
    if (status == STATUS_OK && rename(temporary, path) != 0)
        status = STATUS_FILE;
    if (status != STATUS_OK)
        unlink(temporary);
    kill_point("saved");
    return status;
}

enum status checkpoint_load(const struct checkpoint_place *place, uint64_t number, struct team *team)
{
    char path[MAX_FILE_PATH];
    uint64_t numbers[2];
    checkpoint_find(place, numbers);
    enum status status = path_of(place->folder, place->rank, numbers[0] == number ? 0 : 1, path);
    if (status != STATUS_OK)
        return status;
    struct stream stream = {.file = open(path, O_RDONLY | O_CLOEXEC), .offset = LINE_SIZE};
    if (stream.file < 0)
        return STATUS_FILE;
    status = team_load(team, read_part, &stream);
    close(stream.file);
    return status;
}

bool checkpoint_exists(const char *folder, int rank)
{
    bool exists = false;
    for (int which = 0; which < 2; which++) {
        char path[MAX_FILE_PATH];
        exists |= path_of(folder, rank, which, path) == STATUS_OK && access(path, F_OK) == 0;
    }
    return exists;
}

void checkpoint_remove(const char *folder, int rank)
{
    for (int which = 0; which < 2; which++) {
        char path[MAX_FILE_PATH];
        if (path_of(folder, rank, which, path) == STATUS_OK)
            unlink(path);
    }
}

void checkpoint_remove_all(const char *folder)
{
    DIR *directory = opendir(folder);
    for (struct dirent *entry = directory ? readdir(directory) : NULL; entry; entry = readdir(directory)) {
        char path[MAX_FILE_PATH];
        if (strncmp(entry->d_name, "team.", 5) == 0 && folder_join(path, folder, entry->d_name) == STATUS_OK)
            unlink(path);
    }
    if (directory)
        closedir(directory);
}
