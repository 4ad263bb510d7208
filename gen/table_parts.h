/* How the values of a table are cut into parts: neighbouring positions of a member, as many in each but the
 * last. A part is what a rank surveys or encodes at a time, and what the digest of a member's values is put
 * together from. It depends on the table alone. */
#ifndef GEN_TABLE_PARTS_H
#define GEN_TABLE_PARTS_H

#include "format.h"

enum { PART_LOG2 = 20 /* positions: the format's; fewer only where a test says so, see table_part_log2 */ };

/* Positions of a part, as a power of two; at least a block. A test makes it smaller by DAMABASE_PART in the
 * environment, and so makes other digests than all else. */
int table_part_log2(void);

/* Parts of a member of so many positions. */
uint64_t table_part_count(uint64_t positions);

/* First position of a part, and how many it has. */
uint64_t table_part_first(uint64_t part);
uint64_t table_part_positions(uint64_t positions, uint64_t part);

/* The digest of a member's values from those of its parts, in order. */
struct digest table_join_digests(const struct digest *parts, uint64_t count);

#endif
