/* The manifest as text: reading it strictly, changing it, writing it anew.
 *
 *   damabase-manifest 1 italian
 *   11v10.wdl 4711 0123456789abcdef0123456789abcdef 22800 1 2 3 4 5 22800 1 2 3 4 5
 *   end 1
 *
 * A line a table: file name, bytes, digest, and for each member its positions and how many of them are wins,
 * cursed wins, draws, blessed losses and losses. The last line has the number of tables, so that a cut shows.
 */
#include "manifest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MANIFEST_VERSION = 1, MOST_MANIFEST_BYTES = 1 << 26 };

void manifest_free(struct manifest *manifest)
{
    free(manifest->entries);
    *manifest = (struct manifest){0};
}

/* Place of the first entry whose name is not before `name`. */
static size_t lower_bound(const struct manifest *manifest, const char *name)
{
    size_t low = 0;
    size_t high = manifest->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(manifest->entries[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_at(const struct manifest *manifest, size_t place, const char *name)
{
    return place < manifest->count && strcmp(manifest->entries[place].name, name) == 0;
}

const struct manifest_entry *manifest_find(const struct manifest *manifest, const char *name)
{
    size_t place = lower_bound(manifest, name);
    return is_at(manifest, place, name) ? &manifest->entries[place] : NULL;
}

enum status manifest_put(struct manifest *manifest, const struct manifest_entry *entry)
{
    size_t place = lower_bound(manifest, entry->name);
    if (!is_at(manifest, place, entry->name)) {
        struct manifest_entry *entries =
            reallocarray(manifest->entries, manifest->count + 1, sizeof *entries);
        if (!entries)
            return STATUS_NO_MEMORY;
        memmove(entries + place + 1, entries + place, (manifest->count - place) * sizeof *entries);
        manifest->entries = entries;
        manifest->count++;
    }
    manifest->entries[place] = *entry;
    return STATUS_OK;
}

void manifest_remove(struct manifest *manifest, const char *name)
{
    size_t place = lower_bound(manifest, name);
    if (!is_at(manifest, place, name))
        return;
    manifest->count--;
    memmove(manifest->entries + place, manifest->entries + place + 1,
            (manifest->count - place) * sizeof *manifest->entries);
}

/* -- Reading ------------------------------------------------------------------------------------------- */

/* Takes the word up to the next blank or the end off a line; null if there is none. One blank parts words. */
static char *next_word(char **line)
{
    char *word = *line;
    if (!word || *word == '\0' || *word == ' ')
        return NULL;
    char *end = word + strcspn(word, " ");
    *line = *end ? end + 1 : NULL;
    *end = '\0';
    return word;
}

/* Reads a decimal number without sign or leading zeros. */
static bool next_number(char **line, uint64_t *number)
{
    const char *word = next_word(line);
    if (!word || (word[0] == '0' && word[1]))
        return false;
    *number = 0;
    for (; *word; word++)
        if (*word < '0' || *word > '9' || __builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, (uint64_t)(*word - '0'), number))
            return false;
    return true;
}

static const unsigned column_codes[VALUES] = {CODE_WIN, CODE_CURSED_WIN, CODE_DRAW, CODE_BLESSED_LOSS,
                                              CODE_LOSS};

static bool entry_read(char *line, struct manifest_entry *entry)
{
    struct slice slice;
    enum metric metric;
    const char *name = next_word(&line);
    if (!name || !table_name_read(name, &slice, &metric))
        return false;
    memset(entry, 0, sizeof *entry);
    memcpy(entry->name, name, TABLE_NAME_SIZE);
    entry->members = slice_is_own_mirror(slice) ? 1 : 2;
    bool good = next_number(&line, &entry->size);
    const char *digest = next_word(&line);
    good = good && digest && digest_read(digest, &entry->digest);
    for (int i = 0; good && i < entry->members; i++) {
        good = next_number(&line, &entry->member[i].positions);
        for (int column = 0; good && column < VALUES; column++) {
            enum value value = DRAW;
            value_of_code(column_codes[column], &value);
            good = next_number(&line, &entry->member[i].counts[value]);
        }
    }
    return good && !line;
}

/* Reads the first line: what it is, the version, the variant. */
static enum status first_line_read(char *line, const char *variant)
{
    uint64_t version;
    const char *word = line ? next_word(&line) : NULL;
    if (!word || strcmp(word, "damabase-manifest") != 0 || !next_number(&line, &version) || version == 0)
        return STATUS_DAMAGED;
    if (version > MANIFEST_VERSION)
        return STATUS_NEWER_FORMAT;
    word = next_word(&line);
    if (!word || line)
        return STATUS_DAMAGED;
    return strcmp(word, variant) == 0 ? STATUS_OK : STATUS_WRONG_VARIANT;
}

/* Cuts the first line off a text; null if it has no line end. */
static char *next_line(char **text)
{
    char *line = *text;
    char *end = strchr(line, '\n');
    if (!end)
        return NULL;
    *end = '\0';
    *text = end + 1;
    return line;
}

static enum status text_read(char *text, const char *variant, struct manifest *manifest,
                             unsigned *line_number)
{
    *line_number = 1;
    enum status status = first_line_read(next_line(&text), variant);
    while (status == STATUS_OK) {
        struct manifest_entry entry;
        uint64_t count;
        ++*line_number;
        char *line = next_line(&text);
        if (!line)
            return STATUS_DAMAGED;
        if (strncmp(line, "end ", 4) == 0) {
            line += 4;
            bool good = next_number(&line, &count) && !line && count == manifest->count && *text == '\0';
            return good ? STATUS_OK : STATUS_DAMAGED;
        }
        if (!entry_read(line, &entry) || manifest_find(manifest, entry.name))
            return STATUS_DAMAGED;
        status = manifest_put(manifest, &entry);
    }
    return status;
}

/* The whole file as a text; the caller frees it. */
static enum status load_text(const char *path, char **text)
{
    int descriptor;
    uint64_t length;
    *text = NULL;
    enum status status = file_open(path, &descriptor, &length);
    if (status != STATUS_OK)
        return status == STATUS_NOT_A_TABLE ? STATUS_DAMAGED : status;
    if (length > MOST_MANIFEST_BYTES)
        status = STATUS_DAMAGED;
    else if (!(*text = malloc((size_t)length + 1)))
        status = STATUS_NO_MEMORY;
    else
        status = file_read(descriptor, *text, (size_t)length, 0);
    if (status == STATUS_OK) {
        (*text)[length] = '\0';
        if (strcspn(*text, "\r") != length) /* a transfer as text, or a zero */
            status = STATUS_DAMAGED;
    }
    int error = errno;
    close(descriptor);
    errno = error;
    return status;
}

enum status manifest_read(const char *directory, const char *variant, struct manifest *manifest,
                          char message[MESSAGE_SIZE])
{
    char *path;
    char *text = NULL;
    char fault[32] = "";
    unsigned line = 0;
    *manifest = (struct manifest){0};
    if (asprintf(&path, "%s/" MANIFEST_NAME, directory) < 0)
        return STATUS_NO_MEMORY;
    enum status status = load_text(path, &text);
    if (status == STATUS_OK)
        status = text_read(text, variant, manifest, &line);
    if (status == STATUS_DAMAGED)
        snprintf(fault, sizeof fault, line ? "line %u" : "no text", line);
    if (status != STATUS_OK && status != STATUS_NO_TABLE)
        table_message(message, path, status, fault[0] ? fault : NULL);
    if (status != STATUS_OK)
        manifest_free(manifest);
    free(text);
    free(path);
    return status;
}

/* -- Writing ------------------------------------------------------------------------------------------- */

static void entry_write(FILE *out, const struct manifest_entry *entry)
{
    char digest[DIGEST_TEXT_SIZE];
    digest_write(&entry->digest, digest);
    fprintf(out, "%s %" PRIu64 " %s", entry->name, entry->size, digest);
    for (int i = 0; i < entry->members; i++) {
        fprintf(out, " %" PRIu64, entry->member[i].positions);
        for (int column = 0; column < VALUES; column++) {
            enum value value = DRAW;
            value_of_code(column_codes[column], &value);
            fprintf(out, " %" PRIu64, entry->member[i].counts[value]);
        }
    }
    fputc('\n', out);
}

/* The text of a manifest; the caller frees it. Null if there is no memory. */
static char *manifest_text(const char *variant, const struct manifest *manifest, size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    if (!out)
        return NULL;
    fprintf(out, "damabase-manifest %d %s\n", MANIFEST_VERSION, variant);
    for (size_t i = 0; i < manifest->count; i++)
        entry_write(out, &manifest->entries[i]);
    fprintf(out, "end %zu\n", manifest->count);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}

static enum status replace_file(const char *directory, const char *temporary, const char *path,
                                const char *text, size_t length)
{
    int descriptor;
    enum status status = file_create(temporary, &descriptor);
    if (status != STATUS_OK)
        return status;
    status = file_write(descriptor, text, length, 0);
    if (status != STATUS_OK) {
        file_discard(descriptor, temporary);
        return status;
    }
    return file_publish(descriptor, temporary, path, directory);
}

enum status manifest_write(const char *directory, const char *variant, const struct manifest *manifest,
                           char message[MESSAGE_SIZE])
{
    char *path = NULL;
    char *temporary = NULL;
    size_t length;
    char *text = manifest_text(variant, manifest, &length);
    enum status status = STATUS_NO_MEMORY;
    if (asprintf(&path, "%s/" MANIFEST_NAME, directory) < 0)
        path = NULL;
    if (asprintf(&temporary, "%s/" MANIFEST_NAME ".tmp", directory) < 0)
        temporary = NULL;
    if (text && path && temporary)
        status = replace_file(directory, temporary, path, text, length);
    if (status != STATUS_OK)
        table_message(message, path ? path : directory, status, NULL);
    free(text);
    free(path);
    free(temporary);
    return status;
}

enum status manifest_update(const char *directory, const char *variant, const struct manifest_entry *entry,
                            char message[MESSAGE_SIZE])
{
    struct manifest manifest;
    enum status status = manifest_read(directory, variant, &manifest, message);
    if (status != STATUS_OK && status != STATUS_NO_TABLE)
        return status;
    status = manifest_put(&manifest, entry);
    if (status != STATUS_OK)
        table_message(message, directory, status, NULL);
    else
        status = manifest_write(directory, variant, &manifest, message);
    manifest_free(&manifest);
    return status;
}
