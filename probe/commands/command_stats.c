/* damaprobe stats: counts of values, from the headers of the tables. */
#include "commands.h"

#include "histogram.h"

#include <inttypes.h>
#include <stdio.h>

/* What is asked, and the tables that are there. */
struct question {
    const struct options *options;
    const struct variant *variant;
    struct table_set tables;
    struct catalogue_entry *entries;
    size_t count;
};

/* The table of a slice among those that are there, or null. */
static const struct catalogue_entry *entry_of(const struct question *question, struct slice slice,
                                              enum metric metric)
{
    for (size_t i = 0; i < question->count; i++)
        if (question->entries[i].metric == metric &&
            slice_equal(question->entries[i].slice, slice_pair_name(slice)))
            return &question->entries[i];
    return NULL;
}

/* Reads the header of a table and makes sure that it is of this variant and slice. */
static enum exit_code read_header(const struct variant *variant, const struct catalogue_entry *entry,
                                  struct table_header *header)
{
    char message[MESSAGE_SIZE];
    enum status status = table_header_read(entry->path, header, message);
    if (status == STATUS_OK) {
        if (variant_named(header->variant) != variant)
            status = STATUS_WRONG_VARIANT;
        else if (header->fingerprint != variant_fingerprint(variant))
            status = STATUS_WRONG_RULES;
        else if (!slice_equal(header->slice, entry->slice) || header->metric != entry->metric)
            status = STATUS_WRONG_SLICE;
        if (status != STATUS_OK)
            table_message(message, entry->path, status, NULL);
    }
    return status == STATUS_OK ? EXIT_DONE : complain(exit_code_of(status), "%s", message);
}

/* The headers of a pair's tables: counts from the one, greatest distances from the other. */
struct headers {
    struct table_header values;
    struct table_header distances; /* where there is no DTZ table every distance is NO_DISTANCE */
};

static enum exit_code read_headers(const struct question *question, const struct catalogue_entry *entry,
                                   struct headers *headers)
{
    const struct catalogue_entry *distances = entry_of(question, entry->slice, METRIC_DTZ);
    for (int member = 0; member < MAX_MEMBERS; member++)
        headers->distances.member[member].greatest_win = headers->distances.member[member].greatest_loss =
            NO_DISTANCE;
    enum exit_code code = read_header(question->variant, entry, &headers->values);
    return code == EXIT_DONE && distances ? read_header(question->variant, distances, &headers->distances)
                                          : code;
}

/* -- Writing -----------------------------------------------------------------------------------------------
 */

static json_t *distance_object(uint32_t distance)
{
    return distance == NO_DISTANCE ? json_null() : json_integer(distance);
}

static enum exit_code print_object(const char *name, const struct table_member *member,
                                   const struct table_member *distances)
{
    const uint64_t *counts = member->counts;
    return print_json(json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o}", "slice", name, "positions",
                                (json_int_t)member->positions, "win", (json_int_t)counts[WIN], "cursed_win",
                                (json_int_t)counts[CURSED_WIN], "draw", (json_int_t)counts[DRAW],
                                "blessed_loss", (json_int_t)counts[BLESSED_LOSS], "loss",
                                (json_int_t)counts[LOSS], "max_win", distance_object(distances->greatest_win),
                                "max_loss", distance_object(distances->greatest_loss)));
}

static void print_distance(uint32_t distance)
{
    if (distance == NO_DISTANCE)
        printf("\t-");
    else
        printf("\t%" PRIu32, distance);
}

static enum exit_code print_row(const struct question *question, const struct headers *headers,
                                struct slice slice)
{
    int place = slice_equal(slice, headers->values.slice) ? 0 : 1;
    const struct table_member *member = &headers->values.member[place];
    const struct table_member *distances = &headers->distances.member[place];
    char name[SLICE_NAME_SIZE];
    slice_write(slice, name);
    if (question->options->json)
        return print_object(name, member, distances);
    printf("%s\t%" PRIu64, name, member->positions);
    for (int value = WIN; value >= LOSS; value--)
        printf("\t%" PRIu64, member->counts[value]);
    print_distance(distances->greatest_win);
    print_distance(distances->greatest_loss);
    putchar('\n');
    return EXIT_DONE;
}

static void print_head(const struct question *question)
{
    if (question->options->json)
        return;
    if (question->options->histogram)
        histogram_print_head();
    else
        puts("slice\tpositions\twin\tcursed_win\tdraw\tblessed_loss\tloss\tmax_win\tmax_loss");
}

/* -- Which slices ----------------------------------------------------------------------------------------
 */

static enum exit_code worse(enum exit_code a, enum exit_code b)
{
    return a > b ? a : b;
}

/* The metric that a slice has to have a table of to be shown where none is named. */
static enum metric wanted_metric(const struct question *question)
{
    return question->options->histogram ? METRIC_DTZ : METRIC_WDL;
}

/* Both members of a pair. */
static enum exit_code print_rows(const struct question *question, const struct catalogue_entry *entry)
{
    struct headers headers;
    enum exit_code code = read_headers(question, entry, &headers);
    if (code == EXIT_DONE)
        code = print_row(question, &headers, entry->slice);
    if (code == EXIT_DONE && !slice_is_own_mirror(entry->slice))
        code = print_row(question, &headers, slice_mirror(entry->slice));
    return code;
}

static enum exit_code print_histogram(const struct question *question, struct slice slice)
{
    return histogram_print(question->options, &question->tables, question->variant, slice);
}

/* Both members of a pair. */
static enum exit_code print_histograms(const struct question *question, struct slice slice)
{
    enum exit_code code = print_histogram(question, slice);
    return code == EXIT_DONE && !slice_is_own_mirror(slice) ? print_histogram(question, slice_mirror(slice))
                                                            : code;
}

static enum exit_code print_all(const struct question *question)
{
    enum exit_code code = EXIT_DONE;
    for (size_t i = 0; i < question->count && code != EXIT_FILES; i++) {
        const struct catalogue_entry *entry = &question->entries[i];
        if (entry->metric != wanted_metric(question))
            continue;
        code = worse(code, question->options->histogram ? print_histograms(question, entry->slice)
                                                        : print_rows(question, entry));
    }
    return code;
}

static enum exit_code print_named(const struct question *question, const char *name)
{
    struct slice slice;
    enum exit_code code = argument_slice(question->variant, name, &slice);
    if (code != EXIT_DONE)
        return code;
    const struct catalogue_entry *entry = entry_of(question, slice, METRIC_WDL);
    if (!entry)
        return complain_no_table(&question->tables, question->variant, slice, METRIC_WDL);
    if (question->options->histogram)
        return print_histogram(question, slice);
    struct headers headers;
    code = read_headers(question, entry, &headers);
    return code == EXIT_DONE ? print_row(question, &headers, slice) : code;
}

/* True if there is a table that is shown where no slice is named. */
static bool has_any(const struct question *question)
{
    for (size_t i = 0; i < question->count; i++)
        if (question->entries[i].metric == wanted_metric(question))
            return true;
    return false;
}

static enum exit_code complain_nothing(const struct question *question)
{
    const char *name = question->variant->rules.name;
    if (wanted_metric(question) == METRIC_WDL)
        return complain_no_tables(&question->tables, name);
    return complain(EXIT_NO_ANSWER,
                    "there is no DTZ table of %s in \"%.200s\"; make some with damagen %s --metric dtz, or "
                    "name their directory with --path",
                    name, question->tables.directories, name);
}

static enum exit_code print_stats(struct question *question, int named, char **names)
{
    enum status status = catalogue_list(library_catalogue(question->tables.handle), question->variant,
                                        &question->entries, &question->count);
    if (status != STATUS_OK)
        return complain(exit_code_of(status),
                        "the tables in \"%.150s\" cannot be listed: %s; look at its "
                        "permissions",
                        question->tables.directories, status_text(status));
    enum exit_code code = EXIT_DONE;
    if (named == 0 && !has_any(question))
        code = complain_nothing(question);
    else
        print_head(question);
    if (named == 0 && code == EXIT_DONE)
        code = print_all(question);
    for (int i = 0; i < named; i++)
        code = worse(code, print_named(question, names[i]));
    catalogue_list_free(question->entries, question->count);
    return code;
}

static enum exit_code run(const struct options *options, int count, char **arguments)
{
    struct question question = {.options = options};
    enum exit_code code = argument_variant(arguments[0], &question.variant);
    /* What cannot be is refused before any table is looked at. */
    for (int i = 1; i < count && code == EXIT_DONE; i++) {
        struct slice slice;
        code = argument_slice(question.variant, arguments[i], &slice);
    }
    if (code != EXIT_DONE)
        return code;
    code = table_set_open(options, &question.tables);
    if (code == EXIT_DONE)
        code = print_stats(&question, count - 1, arguments + 1);
    table_set_close(&question.tables);
    return code;
}

const struct command command_stats = {
    .name = "stats",
    .arguments = "VARIANT [SLICE...]",
    .summary = "counts of wins, draws and losses",
    .help =
        "Prints a header line and then a line a slice, with tabs: slice, positions, counts of win,\n"
        "cursed_win, draw, blessed_loss and loss for the side to move, and the greatest distance (DTZ) in\n"
        "plies of a win and of a loss, - where there is no such position or no DTZ table. All slices\n"
        "there, or those named.\n"
        "\n"
        "With --histogram a line a slice, value and distance that occurs: slice, value, DTZ (- for draws),\n"
        "positions. It reads all positions of slices that have a DTZ table, so it takes its time.\n",
    .options = TAKES_PATH | TAKES_CACHE | TAKES_JSON | TAKES_HISTOGRAM,
    .least_arguments = 1,
    .most_arguments = -1,
    .run = run,
};
