/* Files and numbers for tests. */
#include "temporary.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void check(bool good, const char *what, const char *name)
{
    if (good)
        return;
    fprintf(stderr, "test set-up: cannot %s %s\n", what, name);
    exit(4);
}

char *path_join(const char *folder, const char *name)
{
    char *path;
    check(asprintf(&path, "%s/%s", folder, name) >= 0, "name", name);
    return path;
}

char *temporary_folder(void)
{
    const char *parent = getenv("TMPDIR");
    if (!parent || !*parent)
        parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    char *folder = path_join(parent, "damabase-test-XXXXXX");
    check(mkdtemp(folder) != NULL, "make", folder);
    return folder;
}

void make_folder(const char *folder)
{
    struct stat about;
    check(mkdir(folder, 0777) == 0 || stat(folder, &about) == 0, "make", folder);
}

void remove_folder(const char *folder)
{
    DIR *directory = opendir(folder);
    check(directory != NULL, "open", folder);
    if (!directory)
        return;
    for (const struct dirent *item; (item = readdir(directory));) {
        struct stat about;
        if (strcmp(item->d_name, ".") == 0 || strcmp(item->d_name, "..") == 0)
            continue;
        char *path = path_join(folder, item->d_name);
        check(lstat(path, &about) == 0, "look at", path);
        if (S_ISDIR(about.st_mode))
            remove_folder(path);
        else
            check(unlink(path) == 0, "remove", path);
        free(path);
    }
    closedir(directory);
    check(rmdir(folder) == 0, "remove", folder);
}

uint8_t *file_bytes(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    check(file != NULL, "open", path);
    check(fseek(file, 0, SEEK_END) == 0, "read", path);
    *length = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*length + 1);
    check(bytes && fread(bytes, 1, *length, file) == *length, "read", path);
    fclose(file);
    return bytes;
}

void write_bytes(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    check(file != NULL, "open", path);
    check(fwrite(bytes, 1, length, file) == length, "write", path);
    check(fclose(file) == 0, "write", path);
}

bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* splitmix64 (S. Vigna, public domain), written anew. */
uint64_t random_next(uint64_t *state)
{
    uint64_t mixed = *state += UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ mixed >> 31;
}
