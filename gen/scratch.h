/* A rank's scratch file in the work folder: parts of tables on their way from the ranks that encode them to
 * the one that writes the table's file. It has a name that every start of a run removes. */
#ifndef GEN_SCRATCH_H
#define GEN_SCRATCH_H

#include "status.h"

#include <stddef.h>
#include <stdint.h>

struct scratch;

/* Where bytes are in the scratch file of a rank, as other ranks have to learn of it. */
struct scratch_place {
    uint64_t offset;
    uint64_t size;
    uint64_t checksum; /* XXH3 */
    uint64_t rank;
};

/* Makes an empty file; whoever asks destroys it. STATUS_FILE, STATUS_NO_SPACE, STATUS_NO_MEMORY. */
enum status scratch_create(const char *folder, int rank, struct scratch **scratch);
/* Removes the file too. Null is passed over. */
void scratch_destroy(struct scratch *scratch);

/* Appends bytes. STATUS_FILE, STATUS_NO_SPACE. */
enum status scratch_append(struct scratch *scratch, const void *bytes, size_t size,
                           struct scratch_place *place);

/* After it other nodes see what was appended. STATUS_FILE, STATUS_NO_SPACE. */
enum status scratch_sync(struct scratch *scratch);

/* Reads what some rank has appended; `bytes` has room for place->size. STATUS_DAMAGED if it is not the same,
 * STATUS_FILE. */
enum status scratch_read(const char *folder, const struct scratch_place *place, void *bytes);

#endif
