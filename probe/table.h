/* One table file: opening it with every check, reading its blocks, checking it whole.
 * Finding tables in directories is catalogue.h, keeping decoded blocks is cache.h. */
#ifndef PROBE_TABLE_H
#define PROBE_TABLE_H

#include "files.h"
#include "format.h"
#include "numbering.h"
#include "payload.h"

enum { MESSAGE_SIZE = 256 };

struct table; /* an open table; unchanging, so any number of threads may read it */

/* Buffers and the decompression context for reading blocks: one thread at a time each. Any reader can read
 * any table. */
struct block_reader;

enum status block_reader_create(struct block_reader **reader);
void block_reader_destroy(struct block_reader *reader);

/* Reads only the header of a file and checks it as header_read does, and the length of the file; for lists
 * and statistics. Files of variants this program does not know can be read too. `message` (may be null) gets
 * a line that names the file and says what is wrong and what to do. */
enum status table_header_read(const char *path, struct table_header *header, char message[MESSAGE_SIZE]);

/* Opens the table of a slice pair (either member) and metric and checks header and index: all statuses of
 * header_read, and STATUS_WRONG_VARIANT, STATUS_WRONG_RULES, STATUS_WRONG_SLICE, STATUS_NO_TABLE (no such
 * file), STATUS_FILE, STATUS_NO_MEMORY, STATUS_BAD_SLICE, STATUS_TOO_MANY_PIECES. With a pool (may be null)
 * the file may be closed between reads; the pool must live longer. `message` as above. The caller closes the
 * table. */
enum status table_open(const char *path, const struct variant *variant, struct slice slice,
                       enum metric metric, struct file_pool *pool, struct table **table,
                       char message[MESSAGE_SIZE]);
void table_close(struct table *table);

const struct table_header *table_header(const struct table *table);
const char *table_path(const struct table *table);

/* Member of the table that holds the slice, 0 or 1, or -1. */
int table_member(const struct table *table, struct slice slice);
/* Numbers of the positions of a member. */
const struct numbering *table_numbering(const struct table *table, int member);

/* Blocks of a member, and positions in a block. */
uint64_t table_blocks(const struct table *table, int member);
int table_block_log2(const struct table *table);

/* A number that stands for the block among those of all tables that have numbers of their own: below 2^20,
 * given by whoever opened them before anybody else could see them. 0 if none was given. */
void table_set_number(struct table *table, uint32_t number);
uint64_t table_block_key(const struct table *table, int member, uint64_t block);

/* True if the block is constant: every value of it that may be asked for is *value. No file is read. */
bool table_block_constant(const struct table *table, int member, uint64_t block, enum value *value);

/* Reads a block into a value (enum value) a position: one block of bytes whatever the member's size, the last
 * block is padded. `values` has room for a block and DECODE_SLACK bytes more. One read of the file; the
 * checksum is verified before anything is decompressed. Values of positions with a capture are meaningless.
 * STATUS_DAMAGED, STATUS_FILE. *bytes_read (may be null) grows by what was read. */
enum status table_read_block(const struct table *table, struct block_reader *reader, int member,
                             uint64_t block, uint8_t *values, uint64_t *bytes_read);

/* Reads the values of positions `first` to `first + count - 1` of a member, across blocks. Values of
 * positions with a capture are meaningless. */
enum status table_read_values(const struct table *table, struct block_reader *reader, int member,
                              uint64_t first, uint64_t count, uint8_t *values);

/* -- Tables of METRIC_DTZ: plies in place of values ---------------------------------------------------- */

/* True if the block is constant: every distance of it that may be asked for is *distance. No file is read. */
bool table_block_constant_distance(const struct table *table, int member, uint64_t block, uint16_t *distance);

/* Reads a block into a distance a position, as table_read_block does: `distances` has room for a block.
 * Distances of draws and of positions with a capture are meaningless. STATUS_BAD_ARGUMENT for a table of
 * values, as the functions above give it for one of distances. */
enum status table_read_distances(const struct table *table, struct block_reader *reader, int member,
                                 uint64_t block, uint16_t *distances, uint64_t *bytes_read);

/* Reads the distances of positions `first` to `first + count - 1` of a member, across blocks. */
enum status table_read_distance_range(const struct table *table, struct block_reader *reader, int member,
                                      uint64_t first, uint64_t count, uint16_t *distances);

/* -- Checking whole files ------------------------------------------------------------------------------ */

/* Opens a table, decodes every block and digests the whole file. `expected` (may be null) is the digest in
 * the manifest; STATUS_DAMAGED if the file has another. *digest (may be null) is set wherever the file could
 * be read. `message` as above. */
enum status table_check(const char *path, const struct variant *variant, struct slice slice,
                        enum metric metric, const struct digest *expected, struct digest *digest,
                        char message[MESSAGE_SIZE]);

/* Digest and length of a whole file. STATUS_FILE, STATUS_NO_TABLE, STATUS_NO_MEMORY. */
enum status file_digest(const char *path, struct digest *digest, uint64_t *length);

/* Writes a line that names the file, what is wrong (`fault`, a few words, or null for the status' own text)
 * and what to do about it. `message` may be null. A path too long is shortened at its front. */
void table_message(char message[MESSAGE_SIZE], const char *path, enum status status, const char *fault);

#endif
