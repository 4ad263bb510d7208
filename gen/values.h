/* Values of finished positions, for the solvers: decoded chunks of the work store within a budget of memory.
 * Two bits a position. One user at a time: every rank, or thread, has its own. */
#ifndef GEN_VALUES_H
#define GEN_VALUES_H

#include "plan.h"
#include "store.h"
#include "value.h"

/* What a chunk holds for a place. */
enum { MARK_LOSS = 0, MARK_DRAW = 1, MARK_WIN = 2, MARK_HOLE = 3, MARKS_PER_BYTE = 4 };

static inline uint8_t mark_of_value(enum value value)
{
    return (uint8_t)(value / 2);
}
static inline enum value value_of_mark(uint8_t mark)
{
    return (enum value)(mark * 2);
}

struct values;

/* `budget`: bytes for decoded chunks; at least one is kept in any case. The caller closes it. */
enum status values_open(const struct plan *plan, struct store *store, size_t budget, struct values **values);
void values_close(struct values *values);

/* Value, for the opponent, of a position that own has just moved into, as own still sees it (not turned).
 * LOSS if the opponent has no piece left. A failure to read makes it DRAW and is kept: see values_status. */
enum value values_after(struct values *values, const struct position *position);

/* The first failure of any look-up, or STATUS_OK. */
enum status values_status(const struct values *values);

/* Marks of `count` neighbouring places of a piece from `first` on, a byte each. */
enum status values_marks(struct values *values, const struct piece *piece, uint64_t first, size_t count,
                         uint8_t *marks);

/* Packs marks, a byte each, into a chunk's form: (count + 3) / 4 bytes. */
void values_pack(const uint8_t *marks, size_t count, uint8_t *packed);

/* Bytes that decoded chunks take now. */
size_t values_held(const struct values *values);

#endif
