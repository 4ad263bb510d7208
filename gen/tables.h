/* The tables of a run, shared by its ranks: which are there, opening and checking them, writing those that
 * are missing, the manifest. How one is made from values is table_maker.h's. */
#ifndef GEN_TABLES_H
#define GEN_TABLES_H

#include "settings.h"
#include "table_maker.h"

struct tables;

/* Makes and locks the folder OUT/VARIANT and drops what a killed run left of tables it was writing. The
 * caller closes *tables, also after a failure. Collective. */
enum status tables_create(const struct settings *settings, const struct plan *plan, struct tables **tables);
void tables_close(struct tables *tables);

/* True if a file has the name of that table. */
bool tables_have_file(const struct tables *tables, uint32_t pair, enum metric metric);

/* Opens the tables of a group that are there and compares what they were made from with what there is now;
 * those of distances only if they are asked for. All smaller groups must have been opened. Collective. */
enum status tables_open(struct tables *tables, const struct group *group, bool distances);
void tables_close_group(struct tables *tables, const struct group *group);

/* The open table of a pair; null if there is none. */
const struct table *tables_of(const struct tables *tables, uint32_t pair, enum metric metric);

/* What is known at the end of a group: its values, whether distances are with them, and, a flag a pair, what
 * was solved or restored in this run. */
struct finished {
    struct values *values;
    const struct store *store;
    const char *work; /* the folder of the work store */
    bool distances;
    const bool *touched;
};

/* Writes the tables of a group that are asked for and not there, checks those there against the values that
 * were touched, and enters new ones in the manifest. `work` is named in messages. Collective. */
enum status tables_publish(struct tables *tables, const struct group *group, const struct finished *finished);

#endif
