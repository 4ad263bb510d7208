/* Values and distances as they are stored: from a position without a capture to its table, block and value,
 * through the cache. Positions with captures are search.c's. */
#ifndef PROBE_LOOKUP_H
#define PROBE_LOOKUP_H

#include "cache.h"
#include "catalogue.h"

#include <stdatomic.h>

/* Where values come from: tables, decoded blocks, and readers that wait for the next block to decode. */
struct lookup {
    struct catalogue *catalogue;
    struct cache *cache;
    pthread_mutex_t readers_lock;
    struct idle_reader *readers;
    _Atomic uint64_t bytes_read;
};

/* Makes a look-up over a list of directories with a cache of so many bytes. STATUS_NO_MEMORY,
 * STATUS_BAD_ARGUMENT. */
enum status lookup_init(struct lookup *lookup, const char *directories, size_t cache_bytes);
/* No call may be under way. */
void lookup_destroy(struct lookup *lookup);

/* The table of values of a slice: the variant's own or, where no directory has that, the one of the variant
 * that lends it its values (rules.lender); *made_for is the variant of the table. Statuses of catalogue_find.
 * Thread-safe. */
enum status lookup_table(struct lookup *lookup, const struct variant *variant, struct slice slice, bool no_io,
                         const struct table **table, const struct variant **made_for);

/* The stored value of a position in which both sides have pieces and own has no capture. With `no_io`
 * STATUS_NOT_CACHED where a file would have to be read. STATUS_TOO_MANY_PIECES, and the statuses of
 * catalogue_find and table_read_block. Thread-safe. */
enum status lookup_value(struct lookup *lookup, const struct variant *variant,
                         const struct position *position, bool no_io, enum value *value);

/* The stored distance of such a position, if it is neither drawn nor at its end: plies, from the variant's
 * own table and no lender's, for their limits differ. Statuses of lookup_value. Thread-safe. */
enum status lookup_distance(struct lookup *lookup, const struct variant *variant,
                            const struct position *position, bool no_io, uint16_t *plies);

/* After lookup_value or lookup_distance failed (`metric` says which): a line that names the file and what to
 * do about it. Thread-safe. */
void lookup_message(struct lookup *lookup, const struct variant *variant, const struct position *position,
                    enum metric metric, enum status status, char message[MESSAGE_SIZE]);

#endif
