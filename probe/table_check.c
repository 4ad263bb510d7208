/* Checking whole table files, and the lines that say what is wrong with one. */
#include "table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <xxhash.h>

/* -- Digest of a file ---------------------------------------------------------------------------------- */

enum { DIGEST_CHUNK = 1 << 18 };

static enum status digest_open_file(int descriptor, uint64_t length, uint8_t *chunk, XXH3_state_t *state,
                                    struct digest *digest)
{
    XXH3_128bits_reset(state);
    for (uint64_t offset = 0; offset < length;) {
        size_t part = length - offset < DIGEST_CHUNK ? (size_t)(length - offset) : DIGEST_CHUNK;
        enum status status = file_read(descriptor, chunk, part, offset);
        if (status != STATUS_OK)
            return status;
        XXH3_128bits_update(state, chunk, part);
        offset += part;
    }
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state));
    memcpy(digest->bytes, canonical.digest, DIGEST_SIZE);
    return STATUS_OK;
}

enum status file_digest(const char *path, struct digest *digest, uint64_t *length)
{
    int descriptor;
    enum status status = file_open(path, &descriptor, length);
    if (status != STATUS_OK)
        return status;
    uint8_t *chunk = malloc(DIGEST_CHUNK);
    XXH3_state_t *state = XXH3_createState();
    status = chunk && state ? digest_open_file(descriptor, *length, chunk, state, digest) : STATUS_NO_MEMORY;
    int error = errno;
    free(chunk);
    XXH3_freeState(state);
    close(descriptor);
    errno = error;
    return status;
}

/* -- The check ----------------------------------------------------------------------------------------- */

/* Room for a block of either metric. */
union decoded_block {
    uint8_t values[(1 << MAX_BLOCK_LOG2) + DECODE_SLACK];
    uint16_t distances[1 << MAX_DISTANCE_BLOCK_LOG2];
};

static enum status check_block(const struct table *table, struct block_reader *reader, int member,
                               uint64_t block, union decoded_block *decoded)
{
    if (table_header(table)->metric == METRIC_DTZ)
        return table_read_distances(table, reader, member, block, decoded->distances, NULL);
    return table_read_block(table, reader, member, block, decoded->values, NULL);
}

static enum status check_blocks(const struct table *table, struct block_reader *reader,
                                union decoded_block *decoded, char fault[64])
{
    const struct table_header *header = table_header(table);
    for (int member = 0; member < header->members; member++)
        for (uint64_t block = 0; block < table_blocks(table, member); block++) {
            enum status status = check_block(table, reader, member, block, decoded);
            if (status != STATUS_OK) {
                char name[SLICE_NAME_SIZE];
                slice_write(member == 0 ? header->slice : slice_mirror(header->slice), name);
                snprintf(fault, 64, "block %llu of %s", (unsigned long long)block, name);
                return status;
            }
        }
    return STATUS_OK;
}

static enum status check_table(const char *path, const struct table *table, char message[MESSAGE_SIZE])
{
    char fault[64] = "";
    struct block_reader *reader;
    enum status status = block_reader_create(&reader);
    union decoded_block *decoded = malloc(sizeof *decoded);
    if (!decoded)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = check_blocks(table, reader, decoded, fault);
    if (status != STATUS_OK)
        table_message(message, path, status, status == STATUS_DAMAGED ? fault : NULL);
    free(decoded);
    block_reader_destroy(reader);
    return status;
}

enum status table_check(const char *path, const struct variant *variant, struct slice slice,
                        enum metric metric, const struct digest *expected, struct digest *digest,
                        char message[MESSAGE_SIZE])
{
    struct digest found;
    uint64_t length;
    struct table *table;
    enum status status = file_digest(path, &found, &length);
    if (status != STATUS_OK) {
        table_message(message, path, status, NULL);
        return status;
    }
    if (digest)
        *digest = found;
    status = table_open(path, variant, slice, metric, NULL, &table, message);
    if (status != STATUS_OK)
        return status;
    status = check_table(path, table, message);
    table_close(table);
    if (status == STATUS_OK && expected && !digest_equal(expected, &found)) {
        status = STATUS_DAMAGED;
        table_message(message, path, status, "sound, but not the file of the manifest");
    }
    return status;
}

/* -- Messages ------------------------------------------------------------------------------------------ */

/* What a user can do about it. */
static const char *advice(enum status status)
{
    switch (status) {
    case STATUS_NOT_A_TABLE: return "remove it, or build or fetch the table again";
    case STATUS_WRONG_VARIANT: return "move it to the folder of its variant";
    case STATUS_WRONG_RULES: return "build it again with this version";
    case STATUS_WRONG_SLICE: return "give it back its own name";
    case STATUS_DAMAGED: return "build or fetch it again";
    case STATUS_NO_TABLE: return "build or fetch it";
    case STATUS_NO_SPACE: return "free some space and start again";
    default: return NULL;
    }
}

void table_message(char message[MESSAGE_SIZE], const char *path, enum status status, const char *fault)
{
    char text[MESSAGE_SIZE - 4];
    char reason[96];
    int error = errno;
    if (!message)
        return;
    const char *what = status_text(status);
    const char *detail = fault;
    if (!detail && status == STATUS_FILE)
        detail = strerror_r(error, reason, sizeof reason);
    const char *todo = advice(status);
    int length = snprintf(text, sizeof text, ": %s%s%s%s%s%s", what, detail ? " (" : "", detail ? detail : "",
                          detail ? ")" : "", todo ? "; " : "", todo ? todo : "");
    /* Of a long path the end tells more than the beginning. */
    size_t room = MESSAGE_SIZE - 1 - ((size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
    size_t path_length = strlen(path);
    const char *end = path + path_length - (path_length <= room ? path_length : room - 3);
    while (end != path && ((unsigned char)*end & 0xc0) == 0x80) /* not inside a UTF-8 character */
        end++;
    snprintf(message, MESSAGE_SIZE, "%s%s%s", path_length <= room ? "" : "...", end, text);
    errno = error;
}
