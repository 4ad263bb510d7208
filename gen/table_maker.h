/* From finished values to table files: the source that table_writer.h reads, and the digests that tie a table
 * to those it was made from. */
#ifndef GEN_TABLE_MAKER_H
#define GEN_TABLE_MAKER_H

#include "plan.h"
#include "table_writer.h"
#include "values.h"

/* What is known of a pair's table. */
struct table_facts {
    bool exists; /* as a file in the output folder, or just written */
    struct digest values[MAX_MEMBERS];
    struct manifest_entry entry; /* size 0: the file has to be digested for the manifest */
};

/* Digest over the names and values digests of the pairs that this one's moves lead to. They all exist. */
struct digest table_inputs(const struct plan *plan, uint32_t pair, const struct table_facts *facts);

/* Writes the table of a pair, all of whose values are finished, into a directory. */
enum status table_make(const struct plan *plan, uint32_t pair, struct values *values, const char *directory,
                       const struct digest *inputs, struct table_summary *summary,
                       char message[MESSAGE_SIZE]);

/* Digest of a member's values, as a table's header has it, straight from the values. */
enum status table_values_digest(const struct plan *plan, uint32_t pair, int member, struct values *values,
                                struct digest *digest);

#endif
