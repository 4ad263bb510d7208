/* Tables that all ranks make together, part by part: surveyed, a way to encode chosen by one rank for each
 * table, encoded into scratch files, put together by one rank for each. For tables of many parts; of small
 * ones a rank makes a whole one (tables.c). The bytes are those that table_write gives. */
#ifndef GEN_SHARED_TABLES_H
#define GEN_SHARED_TABLES_H

#include "store.h"
#include "table_maker.h"

/* A table that is asked for. */
struct shared_table {
    uint32_t pair;
    bool make;            /* else only its digests are asked for */
    struct digest inputs; /* of a table to be made */
    /* What becomes of it: */
    struct digest values[MAX_MEMBERS]; /* the same on all ranks */
    bool made;                         /* by this rank: then the summary is of it */
    struct table_summary summary;
};

/* What they are made from, and where. */
struct shared_request {
    const struct plan *plan;
    struct values *values;
    const struct store *store; /* named in messages */
    enum metric metric;
    int level;             /* of zstd; 0: the default of the metric */
    int block_log2;        /* 0: the default */
    const char *directory; /* of tables */
    const char *work;      /* of scratch files */
    struct shared_table *tables;
    size_t count;
};

/* True if a table of the pair has enough parts to be shared. */
bool shared_is_worth(const struct plan *plan, uint32_t pair);

/* Makes all of them. STATUS_INTERRUPTED when some rank wants to stop; messages go to standard error; what is
 * returned is the same on all ranks. Collective. */
enum status shared_tables_make(struct shared_request *request);

#endif
