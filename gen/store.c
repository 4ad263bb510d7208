/* The work store: segment files, level indices, the manifest. */
#include "store.h"
#include "files.h"
#include "folders.h"
#include "kill_point.h"
#include "phases.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

enum { STORE_FORMAT = 3, SEGMENT_LEVEL = 1, MAX_SEGMENT_FILES = 65536, LINE_CHECKSUM = 17 };
/* What is there of a level. */
enum { HAS_VALUES = 1, HAS_DISTANCES = 2 };
/* No cell has men that have walked so many rows together. */
enum { ADVANCEMENT_LIMIT = MAX_ROWS * 2 * KIND_LIMIT };

struct store {
    const struct plan *plan;
    char *folder;
    char *manifest; /* text, as on disk */
    size_t manifest_size;
    struct segment **segments; /* [pair][chunk] */
    uint8_t **levels;          /* [pair][advancement], a set of HAS_ flags */
    uint64_t *committed;       /* [file] bytes that the manifest names */
    uint32_t files;
    int *open_files; /* [file], for reading; -1: not open */
    int rank;
    int own_file;
    uint64_t own_end;
    uint64_t own_start;
    uint64_t bytes_read;
    int lock;
    struct new_segment *added;
    size_t added_count;
    size_t added_room;
    ZSTD_CCtx *compressor;
    ZSTD_DCtx *decompressor;
    char *buffer;
    size_t buffer_size;
    char culprit[MAX_FILE_PATH];
};

static uint8_t level_flags(bool distances)
{
    return (uint8_t)(HAS_VALUES | (distances ? HAS_DISTANCES : 0));
}

/* -- Names ---------------------------------------------------------------------------------------------- */

/* Puts it into `culprit` too, since what is done next is done to it. */
static enum status segments_path(struct store *store, uint32_t file, char *path)
{
    char name[32];
    snprintf(name, sizeof name, "segments.%05" PRIu32, file);
    enum status status = folder_join(path, store->folder, name);
    if (status == STATUS_OK)
        memcpy(store->culprit, path, MAX_FILE_PATH);
    return status;
}

static void close_files(struct store *store)
{
    for (uint32_t file = 0; file < store->files; file++) {
        if (store->open_files[file] >= 0)
            close(store->open_files[file]);
        store->open_files[file] = -1;
    }
}

static void first_line(const struct plan *plan, char line[160])
{
    snprintf(line, 160, "damabase-work %d variant %s rules %016" PRIx64 " piece %d chunk %d", STORE_FORMAT,
             plan->variant->rules.name, variant_fingerprint(plan->variant), PIECE_POSITIONS, CHUNK_POSITIONS);
}

const char *store_culprit(const struct store *store)
{
    return store->culprit[0] ? store->culprit : store->folder;
}

int store_rank(const struct store *store)
{
    return store->rank;
}

/* -- Index files ---------------------------------------------------------------------------------------- */

static enum status set_segment(struct store *store, uint32_t pair, uint32_t chunk,
                               const struct segment *segment)
{
    if (chunk >= layout_all_chunks(&store->plan->layouts[pair]) || segment->file >= MAX_SEGMENT_FILES)
        return STATUS_DAMAGED;
    store->segments[pair][chunk] = *segment;
    if (segment->file >= store->files)
        store->files = segment->file + 1;
    uint64_t end = segment->offset + segment->length;
    if (store->committed[segment->file] < end)
        store->committed[segment->file] = end;
    return STATUS_OK;
}

/* One line of an index: slice, chunk, file, offset, length, checksum. Pairs that the plan of this run does
 * not have still count for what the files hold. */
static enum status read_index_line(struct store *store, const char *line)
{
    char name[SLICE_NAME_SIZE];
    uint32_t chunk;
    struct segment segment;
    struct slice slice;
    if (sscanf(line, "%5s %" SCNu32 " %" SCNu32 " %" SCNu64 " %" SCNu32 " %" SCNx64, name, &chunk,
               &segment.file, &segment.offset, &segment.length, &segment.checksum) != 6 ||
        !slice_read(name, &slice) || segment.file >= MAX_SEGMENT_FILES)
        return STATUS_DAMAGED;
    int32_t found = plan_find(store->plan, slice);
    if (found >= 0)
        return set_segment(store, (uint32_t)found / 2, chunk, &segment);
    if (segment.file >= store->files)
        store->files = segment.file + 1;
    if (store->committed[segment.file] < segment.offset + segment.length)
        store->committed[segment.file] = segment.offset + segment.length;
    return STATUS_OK;
}

static enum status read_index(struct store *store, const char *name, uint64_t size, uint64_t checksum)
{
    char *text;
    size_t length;
    enum status status = folder_join(store->culprit, store->folder, name);
    if (status == STATUS_OK)
        status = folder_read(store->culprit, &text, &length);
    if (status != STATUS_OK)
        return status == STATUS_NO_TABLE ? STATUS_DAMAGED : status;
    if (length != size || XXH3_64bits(text, length) != checksum)
        status = STATUS_DAMAGED;
    char *line = text;
    while (status == STATUS_OK && *line) {
        char *end = strchr(line, '\n');
        if (!end) {
            status = STATUS_DAMAGED;
            break;
        }
        *end = '\0';
        status = read_index_line(store, line);
        line = end + 1;
    }
    free(text);
    return status;
}

/* -- Manifest ------------------------------------------------------------------------------------------- */

/* "level ADVANCEMENT values|distances FILE SIZE CHECKSUM SLICE...", or "part ...": read into the tables of
 * this store. */
static enum status read_level_line(struct store *store, char *line)
{
    int advancement;
    char extent[8];
    char kind[16];
    char name[64];
    uint64_t size;
    uint64_t checksum;
    int read;
    if (sscanf(line, "%7s %d %15s %63s %" SCNu64 " %" SCNx64 "%n", extent, &advancement, kind, name, &size,
               &checksum, &read) != 6 ||
        advancement < 0)
        return STATUS_DAMAGED;
    bool part = strcmp(extent, "part") == 0;
    bool distances = strcmp(kind, "distances") == 0;
    if ((!part && strcmp(extent, "level") != 0) || (!distances && strcmp(kind, "values") != 0))
        return STATUS_DAMAGED;
    enum status status = read_index(store, name, size, checksum);
    char *rest = NULL;
    for (char *word = strtok_r(line + read, " ", &rest); word && status == STATUS_OK;
         word = strtok_r(NULL, " ", &rest)) {
        struct slice slice;
        if (!slice_read(word, &slice))
            return STATUS_DAMAGED;
        int32_t found = plan_find(store->plan, slice);
        if (found >= 0 && advancement < ADVANCEMENT_LIMIT && !part)
            store->levels[found / 2][advancement] |= level_flags(distances);
    }
    return status;
}

/* True if the line, without its newline, ends in " " and its own checksum, which is then cut off. */
static bool line_is_whole(char *line)
{
    size_t length = strlen(line);
    if (length <= LINE_CHECKSUM)
        return false;
    char *checksum = line + length - LINE_CHECKSUM;
    uint64_t stated;
    if (*checksum != ' ' || sscanf(checksum, " %" SCNx64, &stated) != 1)
        return false;
    *checksum = '\0';
    return XXH3_64bits(line, strlen(line)) == stated;
}

static enum status append_line(struct store *store, const char *line)
{
    size_t length = strlen(line);
    char *text = realloc(store->manifest, store->manifest_size + length + LINE_CHECKSUM + 2);
    if (!text)
        return STATUS_NO_MEMORY;
    store->manifest = text;
    store->manifest_size += (size_t)sprintf(text + store->manifest_size, "%s %016" PRIx64 "\n", line,
                                            (uint64_t)XXH3_64bits(line, length));
    return STATUS_OK;
}

/* Takes over the lines of a manifest that are whole; *junk tells that something after them was not. */
static enum status read_lines(struct store *store, char *text, bool *junk, char *message)
{
    char expected[160];
    first_line(store->plan, expected);
    bool first = true;
    enum status status = STATUS_OK;
    for (char *line = text; *line && status == STATUS_OK && !*junk;) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        if (!end || !line_is_whole(line)) {
            *junk = true;
        } else if (first && strcmp(line, expected) != 0) {
            snprintf(message, LONG_MESSAGE,
                     "the work store %s was made for something else (\"%s\", not \"%s\"); "
                     "remove it, or give another --work folder",
                     store->folder, line, expected);
            return STATUS_WRONG_RULES;
        } else {
            status = append_line(store, line);
            if (status == STATUS_OK && !first)
                status = read_level_line(store, line);
        }
        first = false;
        line = end ? end + 1 : line;
    }
    if (status != STATUS_OK)
        snprintf(message, LONG_MESSAGE, "work store: %s: %s; remove %s to build its levels again",
                 store_culprit(store), status_text(status), store->folder);
    return status;
}

static enum status read_manifest(struct store *store, bool leader, char *message)
{
    char path[MAX_FILE_PATH];
    char *text = NULL;
    size_t size;
    bool junk = false;
    enum status status = folder_join(path, store->folder, "manifest");
    if (status != STATUS_OK)
        return status;
    status = folder_read(path, &text, &size);
    if (status == STATUS_NO_TABLE) {
        status = STATUS_OK;
        junk = true;
    } else if (status == STATUS_OK) {
        status = read_lines(store, text, &junk, message);
    }
    free(text);
    if (status == STATUS_OK && store->manifest_size == 0) {
        char line[160];
        first_line(store->plan, line);
        status = append_line(store, line);
    }
    if (status == STATUS_OK && junk && leader)
        status = folder_publish(store->folder, "manifest", store->manifest, store->manifest_size);
    return status;
}

/* -- Opening -------------------------------------------------------------------------------------------- */

static enum status take_lock(struct store *store, char *message)
{
    char path[MAX_FILE_PATH];
    enum status status = folder_join(path, store->folder, "lock");
    if (status != STATUS_OK)
        return status;
    store->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (store->lock < 0)
        return STATUS_FILE;
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    /* A file system without locks refuses with another reason; then nobody can be kept out. */
    if (fcntl(store->lock, F_SETLK, &whole) == 0 || (errno != EACCES && errno != EAGAIN))
        return STATUS_OK;
    snprintf(message, LONG_MESSAGE, "another damagen works in %s (its lock is held); wait for it to end",
             store->folder);
    return STATUS_FILE;
}

/* Removes or cuts off what the manifest does not name. */
static enum status drop_uncommitted(struct store *store)
{
    DIR *directory = opendir(store->folder);
    if (!directory)
        return STATUS_FILE;
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        char path[MAX_FILE_PATH];
        uint32_t file;
        size_t length = strlen(entry->d_name);
        if (folder_join(path, store->folder, entry->d_name) != STATUS_OK)
            continue;
        bool temporary = length > 4 && strcmp(entry->d_name + length - 4, ".tmp") == 0;
        bool index = strncmp(entry->d_name, "level-", 6) == 0 &&
                     (!store->manifest || !strstr(store->manifest, entry->d_name));
        if (temporary || index)
            unlink(path);
        else if (sscanf(entry->d_name, "segments.%" SCNu32, &file) == 1 && file < MAX_SEGMENT_FILES &&
                 truncate(path, (off_t)store->committed[file]) != 0) {
            closedir(directory);
            return STATUS_FILE;
        }
    }
    closedir(directory);
    return STATUS_OK;
}

/* Every segment file must be as long as the manifest says. */
static enum status check_lengths(struct store *store, char *message)
{
    for (uint32_t file = 0; file < store->files; file++) {
        char path[MAX_FILE_PATH];
        struct stat facts;
        enum status status = segments_path(store, file, path);
        if (status != STATUS_OK)
            return status;
        if (store->committed[file] == 0)
            continue;
        if (stat(path, &facts) != 0 || (uint64_t)facts.st_size < store->committed[file]) {
            snprintf(message, LONG_MESSAGE,
                     "work store: %s is missing or cut short; remove %s to build its levels again", path,
                     store->folder);
            return STATUS_DAMAGED;
        }
    }
    store->culprit[0] = '\0';
    return STATUS_OK;
}

static enum status allocate(struct store *store)
{
    const struct plan *plan = store->plan;
    store->segments = calloc(plan->pair_count, sizeof *store->segments);
    store->levels = calloc(plan->pair_count, sizeof *store->levels);
    store->committed = calloc(MAX_SEGMENT_FILES, sizeof *store->committed);
    store->open_files = malloc(MAX_SEGMENT_FILES * sizeof *store->open_files);
    store->compressor = ZSTD_createCCtx();
    store->decompressor = ZSTD_createDCtx();
    store->buffer_size = ZSTD_compressBound(MOST_CHUNK_BYTES);
    store->buffer = malloc(store->buffer_size);
    if (!store->segments || !store->levels || !store->committed || !store->open_files || !store->compressor ||
        !store->decompressor || !store->buffer)
        return STATUS_NO_MEMORY;
    for (int file = 0; file < MAX_SEGMENT_FILES; file++)
        store->open_files[file] = -1;
    for (uint32_t pair = 0; pair < plan->pair_count; pair++) {
        store->segments[pair] = calloc(layout_all_chunks(&plan->layouts[pair]), sizeof **store->segments);
        store->levels[pair] = calloc(ADVANCEMENT_LIMIT, sizeof **store->levels);
        if (!store->segments[pair] || !store->levels[pair])
            return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

static enum status open_own_file(struct store *store)
{
    char path[MAX_FILE_PATH];
    enum status status = segments_path(store, (uint32_t)store->rank, path);
    if (status != STATUS_OK)
        return status;
    store->own_file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (store->own_file < 0)
        return STATUS_FILE;
    store->own_start = store->own_end = store->committed[store->rank];
    return STATUS_OK;
}

static enum status fill(struct store *store, bool leader, char *message)
{
    enum status status = allocate(store);
    if (status == STATUS_OK && leader)
        status = folder_make(store->folder);
    if (status == STATUS_OK && leader)
        status = take_lock(store, message);
    if (status == STATUS_OK)
        status = read_manifest(store, leader, message);
    if (status == STATUS_OK)
        status = check_lengths(store, message);
    if (status == STATUS_OK && leader)
        status = drop_uncommitted(store);
    if (status == STATUS_OK)
        status = open_own_file(store);
    return status;
}

enum status store_open(const char *folder, const struct plan *plan, bool leader, int rank,
                       struct store **store, char *message)
{
    *store = NULL;
    message[0] = '\0';
    struct store *made = calloc(1, sizeof *made);
    if (!made)
        return STATUS_NO_MEMORY;
    made->plan = plan;
    made->rank = rank;
    made->own_file = -1;
    made->lock = -1;
    made->folder = strdup(folder);
    enum status status = made->folder ? fill(made, leader, message) : STATUS_NO_MEMORY;
    if (status != STATUS_OK) {
        if (!message[0])
            snprintf(message, LONG_MESSAGE, "work store %s: %s (%s)",
                     made->folder ? store_culprit(made) : folder, status_text(status),
                     status == STATUS_FILE ? strerror(errno) : "see above");
        store_close(made);
        return status;
    }
    *store = made;
    return STATUS_OK;
}

void store_close(struct store *store)
{
    if (!store)
        return;
    if (store->open_files)
        close_files(store);
    for (uint32_t pair = 0; pair < store->plan->pair_count; pair++) {
        if (store->segments)
            free(store->segments[pair]);
        if (store->levels)
            free(store->levels[pair]);
    }
    if (store->own_file >= 0)
        close(store->own_file);
    if (store->lock >= 0)
        close(store->lock);
    ZSTD_freeCCtx(store->compressor);
    ZSTD_freeDCtx(store->decompressor);
    free(store->segments);
    free(store->levels);
    free(store->committed);
    free(store->open_files);
    free(store->buffer);
    free(store->added);
    free(store->manifest);
    free(store->folder);
    free(store);
}

/* -- Levels --------------------------------------------------------------------------------------------- */

bool store_has_level(const struct store *store, uint32_t pair, int advancement, bool distances)
{
    uint8_t needed = level_flags(distances);
    return (store->levels[pair][advancement] & needed) == needed;
}

bool store_has_pair(const struct store *store, uint32_t pair, bool distances)
{
    const struct numbering *numbering = store->plan->pairs[pair]->members[0];
    for (uint32_t cell = 0; cell < numbering->cell_count; cell++)
        if (!store_has_level(store, pair, numbering->cells[cell].advancement, distances))
            return false;
    return true;
}

bool store_has_chunk(const struct store *store, const struct piece *piece, uint32_t number, bool distances)
{
    const struct layout *layout = &store->plan->layouts[piece->pair];
    const struct segment *segments = store->segments[piece->pair];
    uint32_t chunk = layout_chunk(&layout->cells[piece->cell], piece->number, 0) + number;
    return segments[chunk].length > 0 &&
           (!distances || segments[layout_distance_chunk(layout, chunk)].length > 0);
}

bool store_has_piece(const struct store *store, const struct piece *piece, bool distances)
{
    bool all = true;
    for (uint32_t chunk = 0; (uint64_t)chunk << CHUNK_BITS < piece->places && all; chunk++)
        all = store_has_chunk(store, piece, chunk, distances);
    return all;
}

void store_mark_level(struct store *store, const struct store_level *level)
{
    const struct group *group = level->group;
    for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs; pair++)
        if (level->wanted[pair])
            store->levels[pair][level->advancement] |= level_flags(level->distances);
}

/* Other ranks have appended: a network file system shows that only to files opened afterwards. */
void store_adopt(struct store *store, const struct new_segment *segments, size_t count)
{
    close_files(store);
    for (size_t i = 0; i < count; i++)
        set_segment(store, segments[i].pair, segments[i].chunk, &segments[i].segment);
}

static char *index_text(const struct store *store, const struct new_segment *segments, size_t count,
                        size_t *size)
{
    enum { LINE = 80 };
    char *text = malloc(count * LINE + 1);
    *size = 0;
    for (size_t i = 0; text && i < count; i++) {
        char name[SLICE_NAME_SIZE];
        slice_write(store->plan->pairs[segments[i].pair]->name, name);
        *size += (size_t)snprintf(text + *size, LINE,
                                  "%s %" PRIu32 " %" PRIu32 " %" PRIu64 " %" PRIu32 " %016" PRIx64 "\n", name,
                                  segments[i].chunk, segments[i].segment.file, segments[i].segment.offset,
                                  segments[i].segment.length, segments[i].segment.checksum);
    }
    return text;
}

/* Index files are numbered, since a later run may add other pairs to the same level. */
static void index_name(const struct store *store, const struct group *group, int advancement, char name[64])
{
    unsigned number = 0;
    do
        snprintf(name, 64, "level-%02d-%02d-%03d-%u.index", group->pieces, group->men, advancement, number++);
    while (strstr(store->manifest, name));
}

static enum status append_to_manifest(struct store *store, const char *line)
{
    size_t before = store->manifest_size;
    enum status status = append_line(store, line);
    if (status != STATUS_OK)
        return status;
    status = folder_join(store->culprit, store->folder, "manifest");
    int file = status == STATUS_OK ? open(store->culprit, O_WRONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return STATUS_FILE;
    status = file_write(file, store->manifest + before, store->manifest_size - before, before);
    kill_point("manifest");
    if (status == STATUS_OK && fsync(file) != 0)
        status = STATUS_FILE;
    close(file);
    return status;
}

enum status store_commit(struct store *store, const struct store_level *level,
                         const struct new_segment *segments, size_t count)
{
    const struct group *group = level->group;
    char name[64];
    index_name(store, group, level->advancement, name);
    size_t size;
    char *text = index_text(store, segments, count, &size);
    char *line = malloc(160 + (size_t)group->pairs * (SLICE_NAME_SIZE + 1));
    if (!text || !line) {
        free(text);
        free(line);
        return STATUS_NO_MEMORY;
    }
    int length =
        sprintf(line, "%s %d %s %s %zu %016" PRIx64, level->part ? "part" : "level", level->advancement,
                level->distances ? "distances" : "values", name, size, (uint64_t)XXH3_64bits(text, size));
    for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs; pair++) {
        char slice[SLICE_NAME_SIZE];
        slice_write(store->plan->pairs[pair]->name, slice);
        if (level->wanted[pair])
            length += sprintf(line + length, " %s", slice);
    }
    kill_point("commit");
    enum status status = folder_publish(store->folder, name, text, size);
    kill_point("index");
    if (status == STATUS_OK)
        status = append_to_manifest(store, line);
    kill_point("committed");
    free(text);
    free(line);
    return status;
}

/* -- Chunks --------------------------------------------------------------------------------------------- */

static enum status remember(struct store *store, const struct new_segment *segment)
{
    if (store->added_count == store->added_room) {
        size_t room = store->added_room ? 2 * store->added_room : 256;
        struct new_segment *added = realloc(store->added, room * sizeof *added);
        if (!added)
            return STATUS_NO_MEMORY;
        store->added = added;
        store->added_room = room;
    }
    store->added[store->added_count++] = *segment;
    return STATUS_OK;
}

enum status store_append(struct store *store, uint32_t pair, uint32_t chunk, const void *bytes, size_t size)
{
    enum phase phase = phase_enter(PHASE_COMPRESSION);
    size_t length =
        ZSTD_compressCCtx(store->compressor, store->buffer, store->buffer_size, bytes, size, SEGMENT_LEVEL);
    phase_enter(phase);
    if (ZSTD_isError(length))
        return STATUS_NO_MEMORY;
    const struct new_segment segment = {
        .pair = pair,
        .chunk = chunk,
        .segment = {.offset = store->own_end,
                    .checksum = XXH3_64bits(store->buffer, length),
                    .length = (uint32_t)length,
                    .file = (uint32_t)store->rank},
    };
    char path[MAX_FILE_PATH];
    enum status status = segments_path(store, (uint32_t)store->rank, path);
    phase_enter(PHASE_FILES);
    if (status == STATUS_OK)
        status = file_write(store->own_file, store->buffer, length, store->own_end);
    phase_enter(phase);
    kill_point("segment");
    if (status == STATUS_OK)
        status = remember(store, &segment);
    if (status == STATUS_OK)
        store->own_end += length;
    return status;
}

const struct new_segment *store_new(const struct store *store, size_t *count)
{
    *count = store->added_count;
    return store->added;
}

void store_forget_new(struct store *store)
{
    store->added_count = 0;
}

enum status store_sync(struct store *store)
{
    kill_point("sync");
    enum phase phase = phase_enter(PHASE_FILES);
    bool synced = store->added_count == 0 || fsync(store->own_file) == 0;
    phase_enter(phase);
    return synced ? STATUS_OK : file_write_status();
}

/* Files are opened for reading when first needed; where the process may open no more, the others are closed.
 */
static int file_to_read(struct store *store, uint32_t file)
{
    int *entry = &store->open_files[file];
    if (*entry >= 0)
        return *entry;
    *entry = open(store->culprit, O_RDONLY | O_CLOEXEC);
    if (*entry < 0 && errno == EMFILE) {
        close_files(store);
        *entry = open(store->culprit, O_RDONLY | O_CLOEXEC);
    }
    return *entry;
}

enum status store_read(struct store *store, uint32_t pair, uint32_t chunk, void *bytes, size_t room,
                       size_t *size)
{
    const struct segment *segment = &store->segments[pair][chunk];
    if (segment->length == 0)
        return STATUS_NO_TABLE;
    char path[MAX_FILE_PATH];
    enum status status = segments_path(store, segment->file, path);
    if (status != STATUS_OK)
        return status;
    int file = file_to_read(store, segment->file);
    if (file < 0)
        return STATUS_FILE;
    if (segment->length > store->buffer_size)
        return STATUS_DAMAGED;
    enum phase phase = phase_enter(PHASE_FILES);
    status = file_read(file, store->buffer, segment->length, segment->offset);
    phase_enter(phase);
    if (status != STATUS_OK)
        return status;
    store->bytes_read += segment->length;
    if (XXH3_64bits(store->buffer, segment->length) != segment->checksum)
        return STATUS_DAMAGED;
    phase_enter(PHASE_COMPRESSION);
    *size = ZSTD_decompressDCtx(store->decompressor, bytes, room, store->buffer, segment->length);
    phase_enter(phase);
    return ZSTD_isError(*size) ? STATUS_DAMAGED : STATUS_OK;
}

uint64_t store_bytes_written(const struct store *store)
{
    return store->own_end - store->own_start;
}

uint64_t store_bytes_read(const struct store *store)
{
    return store->bytes_read;
}
