/* Directories, and a slot a metric, variant and slice pair that is filled once, under a lock, and read
 * without one. */
#include "catalogue.h"

#include <dirent.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    METRICS = 2,
    SLICE_SLOTS = 10000, /* a decimal digit for each kind of piece */
    OPENING_LOCKS = 16   /* slices that can be opened at the same time */
};

/* What became of opening a table; never changed once it is in its slot. */
struct outcome {
    struct table *table; /* null after a failure */
    enum status status;
    char message[MESSAGE_SIZE];
};

typedef _Atomic(struct outcome *) slot;

struct catalogue {
    char **directories;
    size_t directory_count;
    struct file_pool pool;
    pthread_mutex_t locks[OPENING_LOCKS];
    size_t lock_count;
    slot *slots; /* by metric, variant and slice */
};

static size_t slot_count(void)
{
    return METRICS * variant_count * SLICE_SLOTS;
}

/* -- Making and destroying ----------------------------------------------------------------------------- */

static bool has_directory(const struct catalogue *catalogue, const char *name, size_t length)
{
    for (size_t i = 0; i < catalogue->directory_count; i++)
        if (strlen(catalogue->directories[i]) == length &&
            memcmp(catalogue->directories[i], name, length) == 0)
            return true;
    return false;
}

static enum status add_directory(struct catalogue *catalogue, const char *name, size_t length)
{
    while (length > 1 && name[length - 1] == '/')
        length--;
    if (length == 0 || has_directory(catalogue, name, length))
        return STATUS_OK;
    char **grown =
        reallocarray(catalogue->directories, catalogue->directory_count + 1, sizeof *catalogue->directories);
    if (!grown)
        return STATUS_NO_MEMORY;
    catalogue->directories = grown;
    char *copy = strndup(name, length);
    if (!copy)
        return STATUS_NO_MEMORY;
    catalogue->directories[catalogue->directory_count++] = copy;
    return STATUS_OK;
}

static enum status split_directories(struct catalogue *catalogue, const char *directories)
{
    enum status status = STATUS_OK;
    for (const char *item = directories; status == STATUS_OK;) {
        size_t length = strcspn(item, ":");
        status = add_directory(catalogue, item, length);
        if (item[length] == '\0')
            break;
        item += length + 1;
    }
    return status;
}

static enum status fill_catalogue(struct catalogue *catalogue, const char *directories)
{
    catalogue->slots = calloc(slot_count(), sizeof *catalogue->slots);
    if (!catalogue->slots)
        return STATUS_NO_MEMORY;
    for (; catalogue->lock_count < OPENING_LOCKS; catalogue->lock_count++)
        if (pthread_mutex_init(&catalogue->locks[catalogue->lock_count], NULL) != 0)
            return STATUS_NO_MEMORY;
    return split_directories(catalogue, directories);
}

enum status catalogue_create(const char *directories, struct catalogue **catalogue)
{
    *catalogue = NULL;
    if (!directories)
        return STATUS_BAD_ARGUMENT;
    struct catalogue *made = calloc(1, sizeof *made);
    if (!made)
        return STATUS_NO_MEMORY;
    enum status status = file_pool_init(&made->pool, 0);
    if (status != STATUS_OK) {
        free(made);
        return status;
    }
    status = fill_catalogue(made, directories);
    if (status != STATUS_OK) {
        catalogue_destroy(made);
        return status;
    }
    *catalogue = made;
    return STATUS_OK;
}

void catalogue_destroy(struct catalogue *catalogue)
{
    if (!catalogue)
        return;
    for (size_t i = 0; catalogue->slots && i < slot_count(); i++) {
        struct outcome *outcome = atomic_load(&catalogue->slots[i]);
        if (outcome)
            table_close(outcome->table);
        free(outcome);
    }
    free(catalogue->slots);
    for (size_t i = 0; i < catalogue->lock_count; i++)
        pthread_mutex_destroy(&catalogue->locks[i]);
    for (size_t i = 0; i < catalogue->directory_count; i++)
        free(catalogue->directories[i]);
    free(catalogue->directories);
    file_pool_destroy(&catalogue->pool);
    free(catalogue);
}

size_t catalogue_directory_count(const struct catalogue *catalogue)
{
    return catalogue->directory_count;
}

const char *catalogue_directory(const struct catalogue *catalogue, size_t i)
{
    return catalogue->directories[i];
}

/* -- Finding a table ----------------------------------------------------------------------------------- */

/* The slot of a pair, or null if no pair can have it. */
static slot *slot_of(const struct catalogue *catalogue, const struct variant *variant, struct slice slice,
                     enum metric metric)
{
    if (slice.own_men > 9 || slice.own_kings > 9 || slice.opponent_men > 9 || slice.opponent_kings > 9)
        return NULL;
    size_t number = 0;
    while (number < variant_count && variant_table[number] != variant)
        number++;
    if (number == variant_count)
        return NULL;
    struct slice name = slice_pair_name(slice);
    unsigned place =
        name.own_men * 1000U + name.own_kings * 100U + name.opponent_men * 10U + name.opponent_kings;
    if (metric == METRIC_DTZ)
        number += variant_count;
    return &catalogue->slots[number * SLICE_SLOTS + place];
}

/* Opens the table in the first directory that has a file of its name. */
static enum status open_first(struct catalogue *catalogue, const struct variant *variant, struct slice slice,
                              enum metric metric, struct outcome *outcome)
{
    char name[TABLE_NAME_SIZE];
    table_name_write(slice, metric, name);
    for (size_t i = 0; i < catalogue->directory_count; i++) {
        char *path;
        if (asprintf(&path, "%s/%s/%s", catalogue->directories[i], variant->rules.name, name) < 0)
            return STATUS_NO_MEMORY;
        enum status status =
            table_open(path, variant, slice, metric, &catalogue->pool, &outcome->table, outcome->message);
        int error = errno;
        free(path);
        errno = error;
        bool too_long = status == STATUS_FILE && errno == ENAMETOOLONG; /* no such directory can be */
        if (status != STATUS_NO_TABLE && !too_long)
            return status;
    }
    char place[32];
    snprintf(place, sizeof place, "%s/%s", variant->rules.name, name);
    table_message(outcome->message, place, STATUS_NO_TABLE, NULL);
    return STATUS_NO_TABLE;
}

/* True of failures that may be gone at the next attempt and are not remembered. */
static bool is_passing(enum status status)
{
    return status == STATUS_NO_MEMORY ||
           (status == STATUS_FILE && (errno == EMFILE || errno == ENFILE || errno == ENOMEM));
}

static enum status open_slot(struct catalogue *catalogue, const struct variant *variant, struct slice slice,
                             enum metric metric, slot *place, const struct table **table)
{
    struct outcome *outcome = calloc(1, sizeof *outcome);
    if (!outcome)
        return STATUS_NO_MEMORY;
    enum status status = open_first(catalogue, variant, slice, metric, outcome);
    outcome->status = status;
    if (outcome->table)
        table_set_number(outcome->table, (uint32_t)(place - catalogue->slots));
    *table = outcome->table;
    if (is_passing(status))
        free(outcome);
    else
        atomic_store_explicit(place, outcome, memory_order_release);
    return status;
}

enum status catalogue_find(struct catalogue *catalogue, const struct variant *variant, struct slice slice,
                           enum metric metric, bool no_io, const struct table **table)
{
    slot *place = slot_of(catalogue, variant, slice, metric);
    *table = NULL;
    if (!place)
        return STATUS_TOO_MANY_PIECES;
    struct outcome *outcome = atomic_load_explicit(place, memory_order_acquire);
    if (!outcome && no_io)
        return STATUS_NOT_CACHED;
    if (!outcome) {
        pthread_mutex_t *lock = &catalogue->locks[(size_t)(place - catalogue->slots) % OPENING_LOCKS];
        enum status status = STATUS_OK;
        pthread_mutex_lock(lock);
        outcome = atomic_load_explicit(place, memory_order_acquire);
        if (!outcome)
            status = open_slot(catalogue, variant, slice, metric, place, table);
        pthread_mutex_unlock(lock);
        if (!outcome)
            return status;
    }
    *table = outcome->table;
    return outcome->status;
}

void catalogue_message(struct catalogue *catalogue, const struct variant *variant, struct slice slice,
                       enum metric metric, char message[MESSAGE_SIZE])
{
    slot *place = slot_of(catalogue, variant, slice, metric);
    struct outcome *outcome = place ? atomic_load_explicit(place, memory_order_acquire) : NULL;
    message[0] = '\0';
    if (outcome && outcome->status != STATUS_OK)
        memcpy(message, outcome->message, MESSAGE_SIZE);
}

/* -- Listing ------------------------------------------------------------------------------------------- */

struct listing {
    struct catalogue_entry *entries;
    size_t count, room;
};

static bool is_listed(const struct listing *listing, struct slice slice, enum metric metric)
{
    for (size_t i = 0; i < listing->count; i++)
        if (listing->entries[i].metric == metric && slice_equal(listing->entries[i].slice, slice))
            return true;
    return false;
}

static enum status list_file(struct listing *listing, const char *folder, const char *name)
{
    struct catalogue_entry entry;
    if (!table_name_read(name, &entry.slice, &entry.metric) || is_listed(listing, entry.slice, entry.metric))
        return STATUS_OK;
    if (listing->count == listing->room) {
        size_t room = 2 * listing->room + 16;
        struct catalogue_entry *grown = reallocarray(listing->entries, room, sizeof *grown);
        if (!grown)
            return STATUS_NO_MEMORY;
        listing->entries = grown;
        listing->room = room;
    }
    if (asprintf(&entry.path, "%s/%s", folder, name) < 0)
        return STATUS_NO_MEMORY;
    listing->entries[listing->count++] = entry;
    return STATUS_OK;
}

static enum status list_folder(struct listing *listing, const char *folder)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG ? STATUS_OK : STATUS_FILE;
    enum status status = STATUS_OK;
    while (status == STATUS_OK) {
        errno = 0;
        const struct dirent *item = readdir(directory);
        if (!item) {
            status = errno ? STATUS_FILE : STATUS_OK;
            break;
        }
        status = list_file(listing, folder, item->d_name);
    }
    closedir(directory);
    return status;
}

static int compare_entries(const void *left, const void *right)
{
    const struct catalogue_entry *a = left;
    const struct catalogue_entry *b = right;
    char a_name[TABLE_NAME_SIZE];
    char b_name[TABLE_NAME_SIZE];
    if (slice_pieces(a->slice) != slice_pieces(b->slice))
        return slice_pieces(a->slice) - slice_pieces(b->slice);
    if (slice_men(a->slice) != slice_men(b->slice))
        return slice_men(a->slice) - slice_men(b->slice);
    table_name_write(a->slice, a->metric, a_name);
    table_name_write(b->slice, b->metric, b_name);
    return strcmp(a_name, b_name);
}

enum status catalogue_list(const struct catalogue *catalogue, const struct variant *variant,
                           struct catalogue_entry **entries, size_t *count)
{
    struct listing listing = {0};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < catalogue->directory_count && status != STATUS_NO_MEMORY; i++) {
        char *folder;
        if (asprintf(&folder, "%s/%s", catalogue->directories[i], variant->rules.name) < 0) {
            status = STATUS_NO_MEMORY;
            break;
        }
        enum status outcome = list_folder(&listing, folder);
        if (outcome != STATUS_OK)
            status = outcome;
        free(folder);
    }
    if (status == STATUS_NO_MEMORY) {
        catalogue_list_free(listing.entries, listing.count);
        listing = (struct listing){0};
    }
    if (listing.count > 0)
        qsort(listing.entries, listing.count, sizeof *listing.entries, compare_entries);
    *entries = listing.entries;
    *count = listing.count;
    return status;
}

void catalogue_list_free(struct catalogue_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(entries[i].path);
    free(entries);
}
