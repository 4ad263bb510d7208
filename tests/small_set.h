/* A whole set of tables with few pieces, solved by plain iteration with the fast move generator: something
 * true to probe before and besides the real generator. Distances follow from the values, by iteration from
 * above, and last comes what the draw limit makes of the values. */
#ifndef TESTS_SMALL_SET_H
#define TESTS_SMALL_SET_H

#include "library.h"
#include "table_writer.h"

enum { SMALL_SET_SLOTS = 10000 };

struct small_set {
    const struct variant *variant;
    struct numbering *numberings[SMALL_SET_SLOTS]; /* by slice, a decimal digit for each kind */
    uint8_t *values[SMALL_SET_SLOTS];              /* enum value, FETCHED_CAPTURE where own has a capture */
    uint32_t *plies[SMALL_SET_SLOTS];              /* DTZ; 0 for draws */
};

/* Solves every slice with up to `pieces` pieces; to be destroyed. */
struct small_set *small_set_solve(const char *variant, int pieces);
/* The same under any rules, which must live as long as the set. */
struct small_set *small_set_solve_variant(const struct variant *variant, int pieces);
void small_set_destroy(struct small_set *set);

static inline int small_set_slot(struct slice slice)
{
    return slice.own_men * 1000 + slice.own_kings * 100 + slice.opponent_men * 10 + slice.opponent_kings;
}

/* Value of a position of the set. */
enum value small_set_value(const struct small_set *set, const struct position *position);

/* Plies (DTZ) of a position of the set; 0 for a draw and where the game is over. */
uint32_t small_set_distance(const struct small_set *set, const struct position *position);

/* Writes all tables, of values and of distances, and the manifest into `folder`/VARIANT. The metric of the
 * options (may be null) is not looked at. */
void small_set_write(const struct small_set *set, const char *folder, const struct table_options *options);

/* How many positions dama_probe_wdl gives another value than the set, asked half as White's and half as
 * Black's. */
uint64_t small_set_wrong(const struct small_set *set, dama_tables *tables);

/* The same of dama_probe_dtz, values and distances. */
uint64_t small_set_wrong_distances(const struct small_set *set, dama_tables *tables);

/* Writes the table of a pair into `directory`; ends the program where that fails. */
struct table_summary small_set_write_table(const struct small_set *set, const char *directory,
                                           struct slice slice, struct table_options options);

/* Path of a table of the set below `folder`, to be freed. */
char *small_set_table(const struct small_set *set, const char *folder, const char *name);

#endif
