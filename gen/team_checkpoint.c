/* Files team.SLICE.CELL.MEN.PART-of-PARTS.A and .B, which name the unit: a line that says of what it is a
 * state, then the part. */
#include "team_checkpoint.h"
#include "files.h"
#include "folders.h"
#include "kill_point.h"
#include "team_saved.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_SIZE = 200, NAME_SIZE = 100 };

/* -- Names ------------------------------------------------------------------------------------------------
 */

/* What the name of a file tells. */
struct part_name {
    struct slice slice;
    uint32_t cell;
    uint64_t men;
    int part;
    int parts;
    char letter;
};

static struct part_name name_of(const struct checkpoint_place *place, const struct checkpoint_set *set,
                                int part)
{
    return (struct part_name){.slice = place->plan->pairs[place->piece->pair]->name,
                              .cell = place->piece->cell,
                              .men = place->unit->first_men,
                              .part = part,
                              .parts = set->parts,
                              .letter = set->number % 2 ? 'A' : 'B'};
}

static void write_name(const struct part_name *name, char text[NAME_SIZE])
{
    char slice[SLICE_NAME_SIZE];
    slice_write(name->slice, slice);
    snprintf(text, NAME_SIZE, "team.%s.%" PRIu32 ".%" PRIu64 ".%05d-of-%05d.%c", slice, name->cell, name->men,
             name->part, name->parts, name->letter);
}

/* False for files that are no part of a state. */
static bool read_name(const char *text, struct part_name *name)
{
    char slice[SLICE_NAME_SIZE];
    char again[NAME_SIZE];
    if (sscanf(text, "team.%5[0-9v].%" SCNu32 ".%" SCNu64 ".%d-of-%d.%c", slice, &name->cell, &name->men,
               &name->part, &name->parts, &name->letter) != 6 ||
        !slice_read(slice, &name->slice))
        return false;
    write_name(name, again);
    return strcmp(text, again) == 0 && name->part < name->parts;
}

static bool same_unit(const struct part_name *one, const struct part_name *other)
{
    return slice_equal(one->slice, other->slice) && one->cell == other->cell && one->men == other->men;
}

static enum status path_of(const char *folder, const struct part_name *name, char path[MAX_FILE_PATH])
{
    char text[NAME_SIZE];
    write_name(name, text);
    return folder_join(path, folder, text);
}

/* Calls `see` for every part in the folder. */
static void see_parts(const char *folder, void (*see)(void *context, const struct part_name *name),
                      void *context)
{
    DIR *directory = opendir(folder);
    for (struct dirent *entry = directory ? readdir(directory) : NULL; entry; entry = readdir(directory)) {
        struct part_name name;
        if (read_name(entry->d_name, &name))
            see(context, &name);
    }
    if (directory)
        closedir(directory);
}

static void remove_part(const char *folder, const struct part_name *name)
{
    char path[MAX_FILE_PATH];
    if (path_of(folder, name, path) == STATUS_OK)
        unlink(path);
}

/* -- Files ------------------------------------------------------------------------------------------------
 */

/* The line that a part begins with. */
static void write_line(const struct checkpoint_place *place, const struct part_name *name, uint64_t number,
                       char line[LINE_SIZE])
{
    char slice[SLICE_NAME_SIZE];
    slice_write(name->slice, slice);
    memset(line, '\0', LINE_SIZE);
    snprintf(line, LINE_SIZE,
             "damabase-team 2 %s %016" PRIx64 " %s cell %" PRIu32 " men %" PRIu64
             " %s part %d of %d number %" PRIu64 "\n",
             place->plan->variant->rules.name, variant_fingerprint(place->plan->variant), slice, name->cell,
             name->men, place->distances ? "distances" : "values", name->part, name->parts, number);
}

/* The number of the state that a part is of; 0 if it is of something else. */
static uint64_t number_in(const struct checkpoint_place *place, const struct part_name *name)
{
    char path[MAX_FILE_PATH];
    char line[LINE_SIZE];
    char expected[LINE_SIZE];
    uint64_t number = 0;
    int file = path_of(place->folder, name, path) == STATUS_OK ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return 0;
    if (file_read(file, line, LINE_SIZE, 0) == STATUS_OK && line[LINE_SIZE - 1] == '\0') {
        const char *text = strstr(line, " number ");
        if (text && sscanf(text, " number %" SCNu64, &number) == 1) {
            write_line(place, name, number, expected);
            number = memcmp(line, expected, LINE_SIZE) == 0 ? number : 0;
        }
    }
    close(file);
    return number;
}

/* A part on its way to its file. */
struct stream {
    int file;
    uint64_t offset;
};

static enum status write_next(void *context, const void *bytes, size_t size)
{
    struct stream *stream = context;
    enum status status = file_write(stream->file, bytes, size, stream->offset);
    stream->offset += size;
    return status;
}

static enum status write_part(const struct checkpoint_place *place, const struct part_name *name,
                              uint64_t number, const struct team *team, const char *path)
{
    char line[LINE_SIZE];
    struct stream stream = {.file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    if (stream.file < 0)
        return file_write_status();
    write_line(place, name, number, line);
    enum status status = write_next(&stream, line, sizeof line);
    if (status == STATUS_OK)
        status = team_save(team, write_next, &stream);
    kill_point("state");
    if (status == STATUS_OK && fsync(stream.file) != 0)
        status = file_write_status();
    close(stream.file);
    return status;
}

/* A lost rename loses this state and nothing else, so the folder is not synced. */
enum status checkpoint_save(const struct checkpoint_place *place, const struct checkpoint_set *set, int part,
                            const struct team *team)
{
    char path[MAX_FILE_PATH];
    char temporary[MAX_FILE_PATH];
    const struct part_name name = name_of(place, set, part);
    enum status status = path_of(place->folder, &name, path);
    if (status != STATUS_OK || snprintf(temporary, sizeof temporary, "%s.tmp", path) >= MAX_FILE_PATH)
        return STATUS_FILE;
    status = write_part(place, &name, set->number, team, temporary);
    if (status == STATUS_OK && rename(temporary, path) != 0)
        status = STATUS_FILE;
    if (status != STATUS_OK)
        unlink(temporary);
    kill_point("saved");
    return status;
}

/* The parts of a state that are read; one is open at a time. */
struct library {
    const struct checkpoint_place *place;
    const struct checkpoint_set *set;
    int file;
    int part; /* of the open file, or -1 */
};

static enum status read_at(void *context, int part, uint64_t offset, void *bytes, size_t size)
{
    struct library *library = context;
    char path[MAX_FILE_PATH];
    if (part != library->part) {
        const struct part_name name = name_of(library->place, library->set, part);
        if (library->part >= 0)
            close(library->file);
        library->part = -1;
        enum status status = path_of(library->place->folder, &name, path);
        library->file = status == STATUS_OK ? open(path, O_RDONLY | O_CLOEXEC) : -1;
        if (library->file < 0)
            return STATUS_FILE;
        library->part = part;
    }
    return file_read(library->file, bytes, size, LINE_SIZE + offset);
}

enum status checkpoint_load(const struct checkpoint_place *place, const struct checkpoint_set *set,
                            struct team *team)
{
    struct library library = {.place = place, .set = set, .part = -1};
    enum status status = team_load(team, set->parts, read_at, &library);
    if (library.part >= 0)
        close(library.file);
    return status;
}

/* -- What is there ----------------------------------------------------------------------------------------
 */

/* The states of a unit: how many of its parts each has. */
struct census {
    const struct checkpoint_place *place;
    struct part_name unit;
    struct counted {
        struct checkpoint_set set;
        int there;
    } * sets;
    size_t count;
    uint64_t last;
};

static void count_part(void *context, const struct part_name *name)
{
    struct census *census = context;
    if (!same_unit(name, &census->unit))
        return;
    uint64_t number = number_in(census->place, name);
    census->last = number > census->last ? number : census->last;
    size_t i = 0;
    while (i < census->count &&
           (census->sets[i].set.number != number || census->sets[i].set.parts != name->parts))
        i++;
    if (number == 0)
        return;
    if (i == census->count) {
        struct counted *sets = realloc(census->sets, (i + 1) * sizeof *sets);
        if (!sets)
            return; /* then the state is not found */
        census->sets = sets;
        census->sets[census->count++] = (struct counted){{number, name->parts}, 0};
    }
    census->sets[i].there++;
}

void checkpoint_find(const struct checkpoint_place *place, struct checkpoint_set *set, uint64_t *last)
{
    struct census census = {.place = place};
    *set = (struct checkpoint_set){0};
    census.unit = name_of(place, set, 0);
    see_parts(place->folder, count_part, &census);
    for (size_t i = 0; i < census.count; i++)
        if (census.sets[i].there == census.sets[i].set.parts && census.sets[i].set.number > set->number)
            *set = census.sets[i].set;
    *last = census.last;
    free(census.sets);
}

static void see_any(void *context, const struct part_name *name)
{
    (void)name;
    *(bool *)context = true;
}

bool checkpoint_exists(const char *folder)
{
    bool exists = false;
    see_parts(folder, see_any, &exists);
    return exists;
}

/* The piece that has a unit; false if the plan does not know it. */
static bool piece_of(const struct plan *plan, const struct part_name *name, struct piece *piece)
{
    int32_t found = plan_find(plan, name->slice);
    if (found < 0)
        return false;
    const struct layout *layout = &plan->layouts[found / 2];
    if (name->cell >= layout->pair->members[0]->cell_count || layout->cells[name->cell].pieces == 0)
        return false;
    uint64_t number = name->men >> layout->cells[name->cell].unit_bits;
    if (number >= layout->cells[name->cell].pieces)
        return false;
    *piece = layout_piece(layout, (uint32_t)found / 2, name->cell, (uint32_t)number);
    return true;
}

/* Pieces with states, each once. */
struct collection {
    const char *folder;
    const struct plan *plan;
    struct piece *pieces;
    size_t count;
    enum status status;
};

static bool is_whole(const struct collection *collection, const struct part_name *name,
                     const struct piece *piece)
{
    const struct slice_pair *pair = collection->plan->pairs[piece->pair];
    const struct unit unit = {.pair = pair, .piece = piece, .first_men = name->men};
    struct checkpoint_place place = {
        .folder = collection->folder, .plan = collection->plan, .piece = piece, .unit = &unit};
    struct checkpoint_set values;
    struct checkpoint_set distances;
    uint64_t last;
    checkpoint_find(&place, &values, &last);
    place.distances = true;
    checkpoint_find(&place, &distances, &last);
    return values.number > 0 || distances.number > 0;
}

static void collect_piece(void *context, const struct part_name *name)
{
    struct collection *collection = context;
    struct piece piece;
    if (name->part != 0 || !piece_of(collection->plan, name, &piece) || !is_whole(collection, name, &piece))
        return;
    for (size_t i = 0; i < collection->count; i++)
        if (piece_equal(&collection->pieces[i], &piece))
            return;
    struct piece *pieces = realloc(collection->pieces, (collection->count + 1) * sizeof *pieces);
    if (!pieces) {
        collection->status = STATUS_NO_MEMORY;
        return;
    }
    collection->pieces = pieces;
    collection->pieces[collection->count++] = piece;
}

enum status checkpoint_pieces(const char *folder, const struct plan *plan, struct piece **pieces,
                              size_t *count)
{
    struct collection collection = {.folder = folder, .plan = plan};
    see_parts(folder, collect_piece, &collection);
    *pieces = collection.pieces;
    *count = collection.count;
    return collection.status;
}

/* -- Removing ---------------------------------------------------------------------------------------------
 */

/* Whose share of which states goes. */
struct cleaning {
    const struct checkpoint_place *place;
    const struct checkpoint_set *set;
    struct part_name own;
};

static void drop_other(void *context, const struct part_name *name)
{
    const struct cleaning *cleaning = context;
    if (same_unit(name, &cleaning->own) && name->parts != cleaning->own.parts &&
        name->part % cleaning->own.parts == cleaning->own.part)
        remove_part(cleaning->place->folder, name);
}

void checkpoint_drop_others(const struct checkpoint_place *place, const struct checkpoint_set *set, int part)
{
    struct cleaning cleaning = {place, set, name_of(place, set, part)};
    see_parts(place->folder, drop_other, &cleaning);
}

/* Which pieces need no state any more. */
struct judge {
    const char *folder;
    const struct plan *plan;
    bool (*finished)(const void *context, const struct piece *piece);
    const void *context;
};

static void remove_finished(void *context, const struct part_name *name)
{
    const struct judge *judge = context;
    struct piece piece;
    if (piece_of(judge->plan, name, &piece) && judge->finished(judge->context, &piece))
        remove_part(judge->folder, name);
}

void checkpoint_clean(const char *folder, const struct plan *plan,
                      bool (*finished)(const void *context, const struct piece *piece), const void *context)
{
    struct judge judge = {folder, plan, finished, context};
    see_parts(folder, remove_finished, &judge);
}
