/* Which pieces of work a team of ranks solves together, and the memory that pieces take either way. */
#ifndef GEN_TEAM_CHOICE_H
#define GEN_TEAM_CHOICE_H

#include "settings.h"

/* Room for what a rank sends to, or receives from, one other rank of a team in one exchange, in bytes. */
size_t team_parcel_room(int ranks);

/* Units of a piece that are solved together: the one that begins at placement `men`. */
struct unit team_unit(const struct plan *plan, const struct piece *piece, uint64_t men);

/* Bytes that a rank needs to solve the piece alone, and as one of a team. */
uint64_t team_memory_alone(const struct plan *plan, const struct piece *piece,
                           const struct settings *settings);
uint64_t team_memory_together(const struct plan *plan, const struct piece *piece,
                              const struct settings *settings);

/* Bytes that a rank needs for the piece of the plan that needs most, each solved in the way that takes less.
 */
uint64_t team_most_memory(const struct plan *plan, const struct settings *settings);

/* Ranks of a team: as many as are asked for, else all. */
int team_size(const struct settings *settings);

/* True if a team solves the piece: all, if teams of a size are asked for; else those that do not fit into
 * `room` bytes (a team of one rank takes a third of what the rank alone takes), and large ones that the other
 * ranks would have to wait for in a level of so many places. */
bool team_is_needed(const struct plan *plan, const struct piece *piece, const struct settings *settings,
                    uint64_t room, uint64_t level_places);

enum { TEAM_CHUNKS = 256 /* of results that a team puts together at once, one a rank at the most */ };

#endif
