/* Reads values and distances of a slice side by side. Of positions with a capture the tables say nothing:
 * their values are searched, and their distances follow from the values. */
#include "slice_scan.h"

#include "distance.h"
#include "walk.h"

#include <stdlib.h>

/* What one part of a scan is read into. */
struct part {
    struct block_reader *reader;
    uint8_t *values;
    uint16_t *distances;
    uint64_t room; /* positions: whole blocks of both tables */
    uint64_t first;
    uint64_t count;
};

static enum exit_code find(const struct table_set *set, const struct variant *variant, struct slice slice,
                           enum metric metric, const struct table **table)
{
    char message[MESSAGE_SIZE];
    struct catalogue *catalogue = library_catalogue(set->handle);
    enum status status = catalogue_find(catalogue, variant, slice, metric, false, table);
    if (status == STATUS_OK)
        return EXIT_DONE;
    if (status == STATUS_NO_TABLE)
        return complain_no_table(set, variant, slice, metric);
    catalogue_message(catalogue, variant, slice, metric, message);
    return complain(exit_code_of(status), "%s", message);
}

enum exit_code slice_scan_open(const struct table_set *set, const struct variant *variant, struct slice slice,
                               struct slice_scan *scan)
{
    *scan = (struct slice_scan){.set = set, .variant = variant, .slice = slice};
    enum exit_code code = find(set, variant, slice, METRIC_WDL, &scan->values);
    return code == EXIT_DONE ? find(set, variant, slice, METRIC_DTZ, &scan->distances) : code;
}

const struct table_member *slice_scan_member(const struct slice_scan *scan)
{
    return &table_header(scan->distances)->member[table_member(scan->distances, scan->slice)];
}

static enum exit_code complain_table(const struct table *table, enum status status)
{
    char message[MESSAGE_SIZE];
    table_message(message, table_path(table), status, status == STATUS_DAMAGED ? "a block" : NULL);
    return complain(exit_code_of(status), "%s", message);
}

static enum exit_code part_create(const struct slice_scan *scan, struct part *part)
{
    int log2 = table_block_log2(scan->values);
    if (table_block_log2(scan->distances) > log2)
        log2 = table_block_log2(scan->distances);
    *part = (struct part){.room = UINT64_C(1) << log2};
    part->values = malloc((size_t)part->room * sizeof *part->values);
    part->distances = malloc((size_t)part->room * sizeof *part->distances);
    if (!part->values || !part->distances || block_reader_create(&part->reader) != STATUS_OK)
        return complain(EXIT_FILES, "out of memory; run it again with more");
    return EXIT_DONE;
}

static void part_destroy(struct part *part)
{
    block_reader_destroy(part->reader);
    free(part->values);
    free(part->distances);
}

static enum exit_code read_part(const struct slice_scan *scan, struct part *part)
{
    enum status status =
        table_read_values(scan->values, part->reader, table_member(scan->values, scan->slice), part->first,
                          part->count, part->values);
    if (status != STATUS_OK)
        return complain_table(scan->values, status);
    status =
        table_read_distance_range(scan->distances, part->reader, table_member(scan->distances, scan->slice),
                                  part->first, part->count, part->distances);
    return status == STATUS_OK ? EXIT_DONE : complain_table(scan->distances, status);
}

/* What is true of the position at some place of a part. */
static enum exit_code resolve(const struct slice_scan *scan, const struct part *part, uint64_t place,
                              struct scanned *scanned)
{
    if (!scan->variant->moves->has_capture(scanned->position)) {
        scanned->value = (enum value)part->values[place];
        scanned->distance = scanned->value == DRAW ? 0 : part->distances[place];
        return EXIT_DONE;
    }
    enum status status =
        library_value(scan->set->handle, scan->variant, scanned->position, 0, &scanned->value);
    if (status == STATUS_OK) {
        scanned->distance = (uint16_t)distance_of_captures(scan->variant, scanned->value);
        return EXIT_DONE;
    }
    char reason[REASON_SIZE];
    write_reason(scan->set, scan->variant, scanned->position, status, reason);
    return complain(exit_code_of(status), "%s", reason);
}

enum exit_code slice_scan_run(const struct slice_scan *scan,
                              void (*show)(void *context, const struct scanned *scanned), void *context)
{
    struct part part;
    struct walk walk;
    const struct numbering *numbering =
        table_numbering(scan->values, table_member(scan->values, scan->slice));
    enum exit_code code = part_create(scan, &part);
    walk_begin(&walk, numbering, 0);
    for (; code == EXIT_DONE && part.first < numbering->positions; part.first += part.count) {
        uint64_t left = numbering->positions - part.first;
        part.count = left < part.room ? left : part.room;
        code = read_part(scan, &part);
        for (uint64_t place = 0; code == EXIT_DONE && place < part.count; place++) {
            struct scanned scanned = {.position = &walk.position};
            code = resolve(scan, &part, place, &scanned);
            if (code == EXIT_DONE)
                show(context, &scanned);
            walk_next(&walk);
        }
    }
    part_destroy(&part);
    return code;
}
