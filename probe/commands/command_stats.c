/* damaprobe stats: counts of values, from the headers of the tables. */
#include "commands.h"

#include "numbering.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The table of a slice among those that are there, or null. */
static const struct catalogue_entry *entry_of(const struct catalogue_entry *entries, size_t count,
                                              struct slice slice)
{
    for (size_t i = 0; i < count; i++)
        if (entries[i].metric == METRIC_WDL && slice_equal(entries[i].slice, slice_pair_name(slice)))
            return &entries[i];
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

static json_t *distance_object(uint32_t distance)
{
    return distance == NO_DISTANCE ? json_null() : json_integer(distance);
}

static enum exit_code print_object(const char *name, const struct table_member *member)
{
    const uint64_t *counts = member->counts;
    return print_json(json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o}", "slice", name, "positions",
                                (json_int_t)member->positions, "win", (json_int_t)counts[WIN], "cursed_win",
                                (json_int_t)counts[CURSED_WIN], "draw", (json_int_t)counts[DRAW],
                                "blessed_loss", (json_int_t)counts[BLESSED_LOSS], "loss",
                                (json_int_t)counts[LOSS], "max_win", distance_object(member->greatest_win),
                                "max_loss", distance_object(member->greatest_loss)));
}

static void print_distance(uint32_t distance)
{
    if (distance == NO_DISTANCE)
        printf("\t-");
    else
        printf("\t%" PRIu32, distance);
}

static enum exit_code print_row(const struct options *options, struct slice slice,
                                const struct table_member *member)
{
    char name[SLICE_NAME_SIZE];
    slice_write(slice, name);
    if (options->json)
        return print_object(name, member);
    printf("%s\t%" PRIu64, name, member->positions);
    for (int value = WIN; value >= LOSS; value--)
        printf("\t%" PRIu64, member->counts[value]);
    print_distance(member->greatest_win);
    print_distance(member->greatest_loss);
    putchar('\n');
    return EXIT_DONE;
}

static enum exit_code print_all(const struct options *options, const struct variant *variant,
                                const struct catalogue_entry *entries, size_t count)
{
    enum exit_code code = EXIT_DONE;
    for (size_t i = 0; i < count && code != EXIT_FILES; i++) {
        struct table_header header;
        if (entries[i].metric != METRIC_WDL)
            continue;
        enum exit_code outcome = read_header(variant, &entries[i], &header);
        for (int member = 0; outcome == EXIT_DONE && member < header.members; member++)
            outcome = print_row(options, member ? slice_mirror(header.slice) : header.slice,
                                &header.member[member]);
        code = outcome > code ? outcome : code;
    }
    return code;
}

static enum exit_code print_named(const struct options *options, const struct variant *variant,
                                  const struct table_set *set, const struct catalogue_entry *entries,
                                  size_t count, const char *name)
{
    struct slice slice;
    enum exit_code code = argument_slice(variant, name, &slice);
    if (code != EXIT_DONE)
        return code;
    const struct catalogue_entry *entry = entry_of(entries, count, slice);
    if (!entry) {
        char pair[SLICE_NAME_SIZE];
        slice_write(slice_pair_name(slice), pair);
        return complain(EXIT_NO_ANSWER,
                        "the table %s is not in \"%.100s\"; make it with: damagen %s --slice %s", pair,
                        set->directories, variant->rules.name, pair);
    }
    struct table_header header;
    code = read_header(variant, entry, &header);
    if (code == EXIT_DONE)
        code = print_row(options, slice, &header.member[slice_equal(slice, header.slice) ? 0 : 1]);
    return code;
}

static enum exit_code print_stats(const struct options *options, const struct variant *variant,
                                  const struct table_set *set, int named, char **names)
{
    struct catalogue_entry *entries;
    size_t count;
    enum status status = catalogue_list(library_catalogue(set->handle), variant, &entries, &count);
    if (status != STATUS_OK)
        return complain(exit_code_of(status),
                        "the tables in \"%.150s\" cannot be listed: %s; look at its "
                        "permissions",
                        set->directories, status_text(status));
    enum exit_code code = EXIT_DONE;
    if (named == 0 && count == 0)
        code = complain_no_tables(set, variant->rules.name);
    else if (!options->json)
        puts("slice\tpositions\twin\tcursed_win\tdraw\tblessed_loss\tloss\tmax_win\tmax_loss");
    if (named == 0 && count > 0)
        code = print_all(options, variant, entries, count);
    for (int i = 0; i < named; i++) {
        enum exit_code outcome = print_named(options, variant, set, entries, count, names[i]);
        code = outcome > code ? outcome : code;
    }
    catalogue_list_free(entries, count);
    return code;
}

static enum exit_code run(const struct options *options, int count, char **arguments)
{
    const struct variant *variant;
    struct table_set set;
    enum exit_code code = argument_variant(arguments[0], &variant);
    /* What cannot be is refused before any table is looked at. */
    for (int i = 1; i < count && code == EXIT_DONE; i++) {
        struct slice slice;
        code = argument_slice(variant, arguments[i], &slice);
    }
    if (code != EXIT_DONE)
        return code;
    code = table_set_open(options, &set);
    if (code == EXIT_DONE)
        code = print_stats(options, variant, &set, count - 1, arguments + 1);
    table_set_close(&set);
    return code;
}

const struct command command_stats = {
    .name = "stats",
    .arguments = "VARIANT [SLICE...]",
    .summary = "counts of wins, draws and losses",
    .help =
        "Prints a header line and then a line a slice, with tabs: slice, positions, counts of win,\n"
        "cursed_win, draw, blessed_loss and loss for the side to move, and the greatest distance in plies\n"
        "of a win and of a loss, - where no distances are stored. All slices there, or those named.\n",
    .options = TAKES_PATH | TAKES_JSON,
    .least_arguments = 1,
    .most_arguments = -1,
    .run = run,
};
