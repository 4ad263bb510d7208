/* A whole set of tables with few pieces, solved by plain iteration with the fast move generator: something
 * true to probe before and besides the real generator. Values without a limit of moves. */
#ifndef TESTS_SMALL_SET_H
#define TESTS_SMALL_SET_H

#include "library.h"
#include "table_writer.h"

enum { SMALL_SET_SLOTS = 10000 };

struct small_set {
    const struct variant *variant;
    struct numbering *numberings[SMALL_SET_SLOTS]; /* by slice, a decimal digit for each kind */
    uint8_t *values[SMALL_SET_SLOTS];              /* enum value, FETCHED_CAPTURE where own has a capture */
};

/* Solves every slice with up to `pieces` pieces; to be destroyed. */
struct small_set *small_set_solve(const char *variant, int pieces);
void small_set_destroy(struct small_set *set);

static inline int small_set_slot(struct slice slice)
{
    return slice.own_men * 1000 + slice.own_kings * 100 + slice.opponent_men * 10 + slice.opponent_kings;
}

/* Value of a position of the set. */
enum value small_set_value(const struct small_set *set, const struct position *position);

/* Writes all tables and the manifest into `folder`/VARIANT. */
void small_set_write(const struct small_set *set, const char *folder, const struct table_options *options);

/* How many positions dama_probe_wdl gives another value than the set, asked half as White's and half as
 * Black's. */
uint64_t small_set_wrong(const struct small_set *set, dama_tables *tables);

/* Path of a table of the set below `folder`, to be freed. */
char *small_set_table(const struct small_set *set, const char *folder, const char *name);

#endif
