/* What the commands may know of a handle beyond the public interface. Not installed. */
#ifndef PROBE_LIBRARY_H
#define PROBE_LIBRARY_H

#include "catalogue.h"
#include "damaprobe.h"
#include "position.h"
#include "variant.h"

/* The catalogue inside a handle; it lives as long as the handle. */
struct catalogue *library_catalogue(dama_tables *tables);

/* A public variant is the internal one under another name. */
const struct variant *library_variant(const dama_variant *variant);
const dama_variant *library_variant_public(const struct variant *variant);

/* A public position as White's pieces as own, not turned, and back. */
struct position library_white_view(const struct variant *variant, const dama_board *board);
dama_board library_board(const struct variant *variant, const struct position *white_view,
                         bool black_to_move);

/* Value of a position, own to move; as dama_probe_wdl, for positions already known to be valid. */
enum status library_value(dama_tables *tables, const struct variant *variant, const struct position *position,
                          int flags, enum value *value);

/* Value and distance of a position, own to move; as dama_probe_dtz, for positions already known to be valid.
 */
enum status library_distance(dama_tables *tables, const struct variant *variant,
                             const struct position *position, int flags, enum value *value, uint16_t *plies);

/* After a probe that failed because of a table: a line that names the file and what to do, for the first
 * table on the way from this position that cannot be used, of values or else of distances; else the text of
 * the status. */
void library_message(dama_tables *tables, const struct variant *variant, const struct position *position,
                     enum status status, char message[MESSAGE_SIZE]);

#endif
