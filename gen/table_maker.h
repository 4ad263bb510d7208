/* From finished values and distances to table files: the source that table_writer.h reads, and the digests
 * that tie a table to those it was made from. */
#ifndef GEN_TABLE_MAKER_H
#define GEN_TABLE_MAKER_H

#include "plan.h"
#include "table_writer.h"
#include "values.h"

/* What is known of a pair's table of one metric. */
struct table_facts {
    bool exists; /* as a file in the output folder, or just written */
    struct digest values[MAX_MEMBERS];
    struct manifest_entry entry; /* size 0: the file has to be digested for the manifest */
};

/* What a table of a pair was made from: a digest over the names and digests of the tables of values that the
 * pair's moves lead to, for METRIC_DTZ also of the pair's own. `facts` are of the tables of values by number
 * of the pair; they all exist. */
struct digest table_inputs(const struct plan *plan, uint32_t pair, enum metric metric,
                           const struct table_facts *facts);

/* Writes the table of a pair, all of whose values are finished (with distances for METRIC_DTZ), into a
 * directory. STATUS_INTERRUPTED when it is time to stop. */
enum status table_make(const struct plan *plan, uint32_t pair, struct values *values, const char *directory,
                       const struct table_options *options, struct table_summary *summary,
                       char message[MESSAGE_SIZE]);

/* The values and distances of a pair in the order of its table. The caller destroys *source, in which *reader
 * reads; not const, for it knows where it stands. */
struct value_source;
enum status value_source_create(const struct plan *plan, uint32_t pair, struct values *values,
                                struct value_source **source, struct table_source *reader);
void value_source_destroy(struct value_source *source);

/* Digest of a part of a member's values or distances (table_parts.h), straight from the values. */
enum status table_part_digest(const struct plan *plan, uint32_t pair, int member, enum metric metric,
                              struct values *values, uint64_t part, struct digest *digest);

/* Digest of a member's values or distances, as a table's header has it, straight from the values. */
enum status table_values_digest(const struct plan *plan, uint32_t pair, int member, enum metric metric,
                                struct values *values, struct digest *digest);

#endif
