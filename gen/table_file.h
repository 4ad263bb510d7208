/* The file of a table out of encoded blocks: header, index and checksums, under its name when it is whole.
 * Where the blocks come from, its caller knows. */
#ifndef GEN_TABLE_FILE_H
#define GEN_TABLE_FILE_H

#include "table_draft.h"

/* Gives the blocks of each member in order, one after the other; bytes are its own until the next call. */
struct block_supply {
    enum status (*next)(void *context, int member, uint64_t block, struct encoded_block *encoded);
    void *context;
};

/* Writes the file of a draft for which a way to encode was chosen. As table_write. */
enum status table_file_write(const char *directory, struct table_draft *draft,
                             const struct block_supply *supply, struct table_summary *summary);

#endif
