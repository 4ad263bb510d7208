/* Every position of a slice with its true value and distance, from its two tables, block after block. What
 * is made of them is the commands' matter. */
#ifndef COMMANDS_SLICE_SCAN_H
#define COMMANDS_SLICE_SCAN_H

#include "commands.h"

struct slice_scan {
    const struct table_set *set;
    const struct variant *variant;
    struct slice slice;
    const struct table *values;
    const struct table *distances;
};

/* A position of a scan. */
struct scanned {
    const struct position *position; /* own's view */
    enum value value;
    uint16_t distance; /* 0 for a draw */
};

/* Finds both tables of a slice, the variant's own and no other's; messages of its own. There is nothing to
 * close: the tables belong to the set. */
enum exit_code slice_scan_open(const struct table_set *set, const struct variant *variant, struct slice slice,
                               struct slice_scan *scan);

/* Shows every position in the order of their numbers. Messages of its own. */
enum exit_code slice_scan_run(const struct slice_scan *scan,
                              void (*show)(void *context, const struct scanned *scanned), void *context);

/* What the header of the DTZ table says of the slice. */
const struct table_member *slice_scan_member(const struct slice_scan *scan);

#endif
