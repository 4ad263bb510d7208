/* damaprobe list: variants, the tables that are there, and those that are missing below them. */
#include "commands.h"

#include "numbering.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLICE_CODES = 10 * 10 * 10 * 10, PIECES_LIMIT = 4 * 9 + 1, ON_DISK = 1, NEEDED = 2 };

/* A mark for every slice that can be named; only those that name pairs are used. */
struct slice_marks {
    uint8_t of[SLICE_CODES];
};

static int code_of(struct slice slice)
{
    slice = slice_pair_name(slice);
    return ((slice.own_men * 10 + slice.own_kings) * 10 + slice.opponent_men) * 10 + slice.opponent_kings;
}

static struct slice slice_of_code(int code)
{
    return (struct slice){(uint8_t)(code / 1000), (uint8_t)(code / 100 % 10), (uint8_t)(code / 10 % 10),
                          (uint8_t)(code % 10)};
}

/* Marks what can come out of a slice by one own promotion or the loss of one own piece. */
static void mark_below(const struct variant *variant, struct slice_marks *marks, struct slice slice);

static void mark(const struct variant *variant, struct slice_marks *marks, struct slice slice)
{
    uint64_t positions;
    if (slice_own(slice) == 0 || slice_opponent(slice) == 0 || slice.own_kings > 9)
        return;
    if ((marks->of[code_of(slice)] & NEEDED) || numbering_count(variant, slice, &positions) != STATUS_OK)
        return;
    marks->of[code_of(slice)] |= NEEDED;
    mark_below(variant, marks, slice);
    mark_below(variant, marks, slice_mirror(slice));
}

static void mark_below(const struct variant *variant, struct slice_marks *marks, struct slice slice)
{
    if (slice.own_men > 0) {
        struct slice without = slice;
        without.own_men--;
        struct slice promoted = without;
        promoted.own_kings++;
        mark(variant, marks, without);
        mark(variant, marks, promoted);
    }
    if (slice.own_kings > 0) {
        struct slice without = slice;
        without.own_kings--;
        mark(variant, marks, without);
    }
}

/* Marks the tables of one metric that are there, and all that those of most pieces need. */
static void mark_all(const struct variant *variant, struct slice_marks *marks,
                     const struct catalogue_entry *entries, size_t count, enum metric metric)
{
    int most = 0;
    memset(marks, 0, sizeof *marks);
    for (size_t i = 0; i < count; i++)
        if (entries[i].metric == metric) {
            marks->of[code_of(entries[i].slice)] |= ON_DISK;
            most = slice_pieces(entries[i].slice) > most ? slice_pieces(entries[i].slice) : most;
        }
    for (size_t i = 0; i < count; i++)
        if (entries[i].metric == metric && slice_pieces(entries[i].slice) == most)
            mark(variant, marks, entries[i].slice);
}

/* Goes to the next missing slice, fewest pieces first, and names it. `place` is 0 before the first. False
 * after the last. */
static bool next_missing(const struct slice_marks *marks, int *place, char name[SLICE_NAME_SIZE])
{
    while (++*place < PIECES_LIMIT * SLICE_CODES) {
        int code = *place % SLICE_CODES;
        if (marks->of[code] != NEEDED || slice_pieces(slice_of_code(code)) != *place / SLICE_CODES)
            continue;
        slice_write(slice_of_code(code), name);
        return true;
    }
    return false;
}

/* The directory of a table file, without the variant's folder: to be freed. */
static char *directory_of(const char *path)
{
    char *directory = strdup(path);
    for (int i = 0; directory && i < 2; i++) {
        char *slash = strrchr(directory, '/');
        if (slash)
            *slash = '\0';
    }
    return directory;
}

static const char *metric_name(enum metric metric)
{
    return metric == METRIC_WDL ? "wdl" : "dtz";
}

/* The tables of a variant: those that are there, and by metric what is missing. */
struct tables {
    const struct variant *variant;
    struct catalogue_entry *entries;
    size_t count;
    struct slice_marks values; /* WDL tables */
    struct slice_marks distances;
};

/* -- Writing -----------------------------------------------------------------------------------------------
 */

static enum exit_code print_text(const struct tables *tables)
{
    const char *variant = tables->variant->rules.name;
    printf("%s\trules\t%s\n", variant, tables->variant->rules.summary);
    for (size_t i = 0; i < tables->count; i++) {
        char name[SLICE_NAME_SIZE];
        char *directory = directory_of(tables->entries[i].path);
        if (!directory)
            return complain(EXIT_FILES, "out of memory; run it again with more");
        slice_write(tables->entries[i].slice, name);
        printf("%s\ttable\t%s\t%s\t%s\n", variant, name, metric_name(tables->entries[i].metric), directory);
        free(directory);
    }
    char missing[SLICE_NAME_SIZE];
    for (int place = 0; next_missing(&tables->values, &place, missing);)
        printf("%s\tmissing\t%s\n", variant, missing);
    for (int place = 0; next_missing(&tables->distances, &place, missing);)
        printf("%s\tmissing\t%s\t%s\n", variant, missing, metric_name(METRIC_DTZ));
    return EXIT_DONE;
}

static json_t *missing_object(const struct slice_marks *marks)
{
    json_t *missing = json_array();
    char name[SLICE_NAME_SIZE];
    for (int place = 0; next_missing(marks, &place, name);)
        json_array_append_new(missing, json_string(name));
    return missing;
}

static enum exit_code print_object(const struct tables *tables)
{
    const struct rules *rules = &tables->variant->rules;
    json_t *there = json_array();
    char name[SLICE_NAME_SIZE];
    for (size_t i = 0; i < tables->count; i++) {
        char *directory = directory_of(tables->entries[i].path);
        slice_write(tables->entries[i].slice, name);
        json_array_append_new(there,
                              json_pack("{s:s, s:s, s:s?}", "slice", name, "metric",
                                        metric_name(tables->entries[i].metric), "directory", directory));
        free(directory);
    }
    return print_json(json_pack("{s:s, s:s, s:i, s:o, s:o, s:o}", "variant", rules->name, "rules",
                                rules->summary, "limit", (int)rules->limit, "tables", there, "missing",
                                missing_object(&tables->values), "missing_dtz",
                                missing_object(&tables->distances)));
}

static enum exit_code list_variant(const struct options *options, const struct table_set *set,
                                   const struct variant *variant)
{
    struct tables tables = {.variant = variant};
    enum status status =
        catalogue_list(library_catalogue(set->handle), variant, &tables.entries, &tables.count);
    if (status != STATUS_OK)
        return complain(exit_code_of(status),
                        "the tables in \"%.150s\" cannot be listed: %s; look at its "
                        "permissions",
                        set->directories, status_text(status));
    mark_all(variant, &tables.values, tables.entries, tables.count, METRIC_WDL);
    mark_all(variant, &tables.distances, tables.entries, tables.count, METRIC_DTZ);
    enum exit_code code = options->json ? print_object(&tables) : print_text(&tables);
    catalogue_list_free(tables.entries, tables.count);
    return code;
}

static enum exit_code run(const struct options *options, int count, char **arguments)
{
    (void)count;
    (void)arguments;
    struct table_set set;
    enum exit_code code = table_set_open(options, &set);
    for (size_t i = 0; i < variant_count && code == EXIT_DONE; i++)
        code = list_variant(options, &set, variant_table[i]);
    table_set_close(&set);
    return code;
}

const struct command command_list = {
    .name = "list",
    .arguments = "",
    .summary = "variants, tables there and tables missing",
    .help =
        "Prints lines with tabs, first the variant and what the line says:\n"
        "  rules    the rules in a line\n"
        "  table    a table that is there: slice, metric, directory\n"
        "  missing  a table that play from those of most pieces can lead to, and that is not there: slice;\n"
        "           behind it dtz if it is a table of distances\n",
    .options = TAKES_PATH | TAKES_JSON,
    .least_arguments = 0,
    .most_arguments = 0,
    .run = run,
};
