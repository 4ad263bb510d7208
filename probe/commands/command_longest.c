/* damaprobe longest: the positions of a slice that take longest. */
#include "commands.h"

#include "distance.h"
#include "notation.h"
#include "slice_scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_IF_NOT_SAID = 20 };

/* The longest of one value so far. */
struct group {
    int distance;           /* negative: no position yet */
    uint64_t count;         /* positions of that distance */
    struct position *shown; /* the first of them */
};

struct longest {
    struct group group[VALUES];
    uint64_t most; /* positions that a group shows */
    bool out_of_memory;
};

static void keep(struct longest *longest, struct group *group, const struct position *position)
{
    /* Grows by powers of two, so that room need not be remembered. */
    uint64_t shown = group->count;
    if ((shown & (shown - 1)) == 0) {
        size_t room = shown ? (size_t)(2 * shown) : 1;
        struct position *larger = realloc(group->shown, room * sizeof *larger);
        if (!larger) {
            longest->out_of_memory = true;
            return;
        }
        group->shown = larger;
    }
    group->shown[shown] = *position;
}

static void look(void *context, const struct scanned *scanned)
{
    struct longest *longest = context;
    struct group *group = &longest->group[scanned->value];
    if (scanned->value == DRAW || scanned->distance < group->distance)
        return;
    if (scanned->distance > group->distance) {
        group->distance = scanned->distance;
        group->count = 0;
    }
    if (group->count < longest->most && !longest->out_of_memory)
        keep(longest, group, scanned->position);
    group->count++;
}

/* -- Writing -----------------------------------------------------------------------------------------------
 */

static enum exit_code print_position(const struct options *options, const struct variant *variant,
                                     enum value value, int distance, const struct position *position)
{
    char fen[FEN_SIZE];
    fen_write(variant, position, false, fen);
    if (options->json)
        return print_json(
            json_pack("{s:s, s:i, s:s}", "value", value_text(value), "dtz", distance, "fen", fen));
    printf("%s\t%d\t%s\n", value_text(value), distance, fen);
    return EXIT_DONE;
}

static enum exit_code print_group(const struct options *options, const struct variant *variant,
                                  const struct longest *longest, enum value value)
{
    const struct group *group = &longest->group[value];
    uint64_t shown = group->count < longest->most ? group->count : longest->most;
    enum exit_code code = EXIT_DONE;
    for (uint64_t i = 0; i < shown && code == EXIT_DONE; i++)
        code = print_position(options, variant, value, group->distance, &group->shown[i]);
    if (code == EXIT_DONE && group->count > shown)
        complain(EXIT_DONE, "%s %d: %" PRIu64 " more; --most %" PRIu64 " shows them all", value_text(value),
                 group->distance, group->count - shown, group->count);
    return code;
}

static bool same_distance(uint32_t header, int found)
{
    return header == NO_DISTANCE ? found < 0 : found >= 0 && header == (uint32_t)found;
}

/* What was found has to be what the generator wrote into the header. */
static enum exit_code compare(const struct slice_scan *scan, const struct longest *longest)
{
    const struct table_member *member = slice_scan_member(scan);
    if (same_distance(member->greatest_win, longest->group[WIN].distance) &&
        same_distance(member->greatest_loss, longest->group[LOSS].distance))
        return EXIT_DONE;
    return complain(EXIT_BAD_DATA,
                    "%.200s: its greatest distances are not those of its positions; damaprobe check tells "
                    "which files are damaged",
                    table_path(scan->distances));
}

static enum exit_code print_all(const struct options *options, const struct slice_scan *scan,
                                const struct longest *longest)
{
    enum exit_code code = EXIT_DONE;
    if (!options->json)
        puts("value\tdtz\tfen");
    for (int value = WIN; value >= LOSS && code == EXIT_DONE; value--)
        code = print_group(options, scan->variant, longest, (enum value)value);
    return code;
}

static enum exit_code find_and_print(const struct options *options, const struct slice_scan *scan)
{
    struct longest longest = {.most = options->most ? options->most : MOST_IF_NOT_SAID};
    for (int value = LOSS; value <= WIN; value++)
        longest.group[value].distance = -1;
    enum exit_code code = slice_scan_run(scan, look, &longest);
    if (code == EXIT_DONE && longest.out_of_memory)
        code = complain(EXIT_FILES, "out of memory; run it again with a smaller --most");
    if (code == EXIT_DONE)
        code = compare(scan, &longest);
    if (code == EXIT_DONE)
        code = print_all(options, scan, &longest);
    for (int value = LOSS; value <= WIN; value++)
        free(longest.group[value].shown);
    return code;
}

static enum exit_code run(const struct options *options, int count, char **arguments)
{
    (void)count;
    const struct variant *variant;
    struct slice slice;
    struct table_set set;
    struct slice_scan scan;
    enum exit_code code = argument_variant(arguments[0], &variant);
    if (code == EXIT_DONE)
        code = argument_slice(variant, arguments[1], &slice);
    if (code != EXIT_DONE)
        return code;
    code = table_set_open(options, &set);
    if (code == EXIT_DONE)
        code = slice_scan_open(&set, variant, slice, &scan);
    if (code == EXIT_DONE)
        code = find_and_print(options, &scan);
    table_set_close(&set);
    return code;
}

const struct command command_longest = {
    .name = "longest",
    .arguments = "VARIANT SLICE",
    .summary = "the positions of a slice with the greatest distance (DTZ)",
    .help =
        "Prints a header line and then a line a position, with tabs: value, DTZ in plies, FEN. The slice's\n"
        "first half is White's, and White is to move. Of each value (win, cursed-win, blessed-loss, loss)\n"
        "it shows the positions of the greatest distance; if there are more than --most says, a line on\n"
        "standard error tells how many. Needs the DTZ table of the slice, and the tables that its captures\n"
        "lead to.\n",
    .options = TAKES_PATH | TAKES_CACHE | TAKES_JSON | TAKES_MOST,
    .least_arguments = 2,
    .most_arguments = 2,
    .run = run,
};
