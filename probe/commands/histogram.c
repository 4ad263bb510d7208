/* Counts by value and distance, from a scan of the slice. */
#include "histogram.h"

#include "distance.h"
#include "slice_scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct histogram {
    uint64_t positions[VALUES][MOST_DISTANCE + 1]; /* draws are at distance 0 */
};

static void count(void *context, const struct scanned *scanned)
{
    struct histogram *histogram = context;
    histogram->positions[scanned->value][scanned->distance]++;
}

void histogram_print_head(void)
{
    puts("slice\tvalue\tdtz\tpositions");
}

static enum exit_code print_row(const struct options *options, const char *slice, enum value value,
                                int distance, uint64_t positions)
{
    if (options->json)
        return print_json(json_pack("{s:s, s:s, s:o, s:I}", "slice", slice, "value", value_text(value), "dtz",
                                    value == DRAW ? json_null() : json_integer(distance), "positions",
                                    (json_int_t)positions));
    printf("%s\t%s\t", slice, value_text(value));
    if (value == DRAW)
        putchar('-');
    else
        printf("%d", distance);
    printf("\t%" PRIu64 "\n", positions);
    return EXIT_DONE;
}

static enum exit_code print_all(const struct options *options, struct slice slice,
                                const struct histogram *histogram)
{
    char name[SLICE_NAME_SIZE];
    enum exit_code code = EXIT_DONE;
    slice_write(slice, name);
    for (int value = WIN; value >= LOSS; value--)
        for (int distance = 0; distance <= MOST_DISTANCE && code == EXIT_DONE; distance++)
            if (histogram->positions[value][distance] > 0)
                code = print_row(options, name, (enum value)value, distance,
                                 histogram->positions[value][distance]);
    return code;
}

enum exit_code histogram_print(const struct options *options, const struct table_set *set,
                               const struct variant *variant, struct slice slice)
{
    struct slice_scan scan;
    enum exit_code code = slice_scan_open(set, variant, slice, &scan);
    if (code != EXIT_DONE)
        return code;
    struct histogram *histogram = calloc(1, sizeof *histogram);
    if (!histogram)
        return complain(EXIT_FILES, "out of memory; run it again with more");
    code = slice_scan_run(&scan, count, histogram);
    if (code == EXIT_DONE)
        code = print_all(options, slice, histogram);
    free(histogram);
    return code;
}
