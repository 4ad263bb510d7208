/* The state of a team between two rounds as bytes: each rank writes a part, and a team of any size goes on
 * from the parts of another, since a part says which places it is of. Files are not known here. */
#ifndef GEN_TEAM_SAVED_H
#define GEN_TEAM_SAVED_H

#include "team_solver.h"

/* Writes the bytes that follow those before. */
typedef enum status team_writer(void *context, const void *bytes, size_t size);

/* Reads bytes of a part, from `offset` on. */
typedef enum status team_reader(void *context, int part, uint64_t offset, void *bytes, size_t size);

/* Writes this rank's part. STATUS_NO_MEMORY, and what `write` gives. */
enum status team_save(const struct team *team, team_writer *write, void *context);

/* Takes over what `parts` ranks have saved of the unit, as far as it is this rank's, into a state that was
 * just made. Counts that ranks add up in the end are taken over by one rank each. STATUS_DAMAGED if a part is
 * not of the same unit and number of parts, or a checksum does not fit; STATUS_NO_MEMORY, and what `read`
 * gives. Then the state is no good. */
enum status team_load(struct team *team, int parts, team_reader *read, void *context);

#endif
