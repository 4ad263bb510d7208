/* The work store on disk: finished cells as compressed, checksummed segments, and the manifest that says
 * which levels are finished. Chunk contents are bytes to it; what they mean is in values.h. A pair's chunks
 * of values have the numbers that its layout gives them, its chunks of distances follow (layout.h).
 *
 * Files in the store's folder:
 *   manifest            text; a line a committed level, or part of one, with or without distances, each
 * ending in its own checksum level-*.index       text; where the chunks of a level are; named by the manifest
 * with size and checksum segments.NNNNN      frames of chunks, appended by the rank of that number lock held
 * while a generator uses the store What the manifest does not name is dropped when the store is opened. */
#ifndef GEN_STORE_H
#define GEN_STORE_H

#include "plan.h"
#include "status.h"

enum { LONG_MESSAGE = 12800 }; /* room for three paths and the words between them */

/* Where a chunk is. */
struct segment {
    uint64_t offset;
    uint64_t checksum; /* XXH3-64 of the compressed bytes */
    uint32_t length;   /* compressed; 0: the chunk is not in the store */
    uint32_t file;     /* number in segments.NNNNN */
};

/* A chunk as a rank has written it and the others have to learn of it. */
struct new_segment {
    uint32_t pair;
    uint32_t chunk;
    struct segment segment;
};

struct store;

/* Opens the store of a variant's plan and reads the manifest. The leader (one rank) has to open it first: it
 * makes the folder, takes the lock, and drops what is not committed. On failure `message` (LONG_MESSAGE
 * bytes) says what to do. */
enum status store_open(const char *folder, const struct plan *plan, bool leader, int rank,
                       struct store **store, char *message);
void store_close(struct store *store);

/* True if the manifest names the level of the pair; if `distances`, one with distances. */
bool store_has_level(const struct store *store, uint32_t pair, int advancement, bool distances);

/* True if every level of the pair is there, with distances if they are asked for. */
bool store_has_pair(const struct store *store, uint32_t pair, bool distances);

/* Compresses and appends a chunk to this rank's file; it is not there for anyone before store_adopt. */
enum status store_append(struct store *store, uint32_t pair, uint32_t chunk, const void *bytes, size_t size);

/* Segments appended since the last call of store_forget_new. */
const struct new_segment *store_new(const struct store *store, size_t *count);
void store_forget_new(struct store *store);

/* Makes this rank's appended bytes durable. */
enum status store_sync(struct store *store);

/* Takes note of segments that all ranks have synced. */
void store_adopt(struct store *store, const struct new_segment *segments, size_t count);

/* True if every chunk of a piece is there, with distances if they are asked for: its level may not be. */
bool store_has_piece(const struct store *store, const struct piece *piece, bool distances);
/* The same of one chunk of the piece. */
bool store_has_chunk(const struct store *store, const struct piece *piece, uint32_t number, bool distances);

/* A level of a group: for which pairs (a flag a pair of the plan), and whether distances are part of it. */
struct store_level {
    const struct group *group;
    int advancement;
    const bool *wanted;
    bool distances;
    bool part; /* only some of its pieces */
};

/* The leader records a level, or part of it, as finished, with its segments. */
enum status store_commit(struct store *store, const struct store_level *level,
                         const struct new_segment *segments, size_t count);

/* Marks a whole level as there, on all ranks. */
void store_mark_level(struct store *store, const struct store_level *level);

/* Reads and checks a chunk of at most `room` bytes; *size is how many it has. STATUS_NO_TABLE if the store
 * does not have it. */
enum status store_read(struct store *store, uint32_t pair, uint32_t chunk, void *bytes, size_t room,
                       size_t *size);

/* Bytes in this rank's segments so far, and read from the store. */
uint64_t store_bytes_written(const struct store *store);
uint64_t store_bytes_read(const struct store *store);

/* Names the file of the last failure, for messages. */
const char *store_culprit(const struct store *store);

/* The rank that has it open. */
int store_rank(const struct store *store);

#endif
