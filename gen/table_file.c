/* Writing the bytes of a table in their order. */
#include "table_file.h"

#include "files.h"

#include <stdio.h>
#include <stdlib.h>

enum { BUFFER_SIZE = 1 << 18 };

struct writer {
    struct table_draft *draft;
    const struct block_supply *supply;
    uint8_t *index[MAX_MEMBERS];
    uint64_t constant_blocks;
    int descriptor;
    uint8_t *buffer; /* bytes not written yet */
    size_t buffered;
    uint64_t offset; /* of the first of them in the file */
};

/* -- Bytes --------------------------------------------------------------------------------------------- */

static enum status flush(struct writer *writer)
{
    enum status status = file_write(writer->descriptor, writer->buffer, writer->buffered, writer->offset);
    writer->offset += writer->buffered;
    writer->buffered = 0;
    return status;
}

static enum status append(struct writer *writer, const uint8_t *bytes, uint64_t length)
{
    while (length > 0) {
        size_t room = BUFFER_SIZE - writer->buffered;
        size_t part = length < room ? (size_t)length : room;
        memcpy(writer->buffer + writer->buffered, bytes, part);
        writer->buffered += part;
        bytes += part;
        length -= part;
        if (writer->buffered == BUFFER_SIZE) {
            enum status status = flush(writer);
            if (status != STATUS_OK)
                return status;
        }
    }
    return STATUS_OK;
}

static enum status write_block(struct writer *writer, int i, uint64_t block)
{
    struct table_member *member = &writer->draft->header.member[i];
    uint8_t *entry = writer->index[i] + index_entry_at(block);
    struct encoded_block encoded;
    uint8_t checksum[BLOCK_CHECKSUM_SIZE];
    enum status status = writer->supply->next(writer->supply->context, i, block, &encoded);
    if (status != STATUS_OK)
        return status;
    if (block % INDEX_GROUP == 0)
        store_64(writer->index[i] + index_base_at(block), member->data_length);
    if (encoded.constant) {
        store_16(entry, encoded.constant);
        writer->constant_blocks++;
        return STATUS_OK;
    }
    store_16(entry, (uint16_t)(BLOCK_CHECKSUM_SIZE + encoded.length));
    store_32(checksum, block_checksum(member, block, encoded.bytes, encoded.length));
    member->data_length += BLOCK_CHECKSUM_SIZE + encoded.length;
    status = append(writer, checksum, sizeof checksum);
    return status == STATUS_OK ? append(writer, encoded.bytes, encoded.length) : status;
}

static enum status write_members(struct writer *writer)
{
    struct table_header *header = &writer->draft->header;
    uint64_t offset = header->dictionary_offset + header->dictionary_length;
    for (int i = 0; i < header->members; i++) {
        header->member[i].data_offset = offset;
        for (uint64_t block = 0; block < block_source_count(&writer->draft->blocks, i); block++) {
            enum status status = write_block(writer, i, block);
            if (status != STATUS_OK)
                return status;
        }
        offset += header->member[i].data_length;
    }
    for (int i = 0; i < header->members; i++) {
        struct table_member *member = &header->member[i];
        member->index_offset = offset;
        member->index_checksum = section_checksum(writer->index[i], (size_t)member->index_length);
        enum status status = append(writer, writer->index[i], member->index_length);
        if (status != STATUS_OK)
            return status;
        offset += member->index_length;
    }
    header->file_length = offset;
    return STATUS_OK;
}

static enum status write_file(struct writer *writer)
{
    struct table_draft *draft = writer->draft;
    struct table_header *header = &draft->header;
    uint8_t bytes[HEADER_SIZE] = {0};
    header->dictionary_offset = distances_end(header);
    enum status status =
        append(writer, bytes, sizeof bytes); /* its place; what it says is known at the end */
    if (status == STATUS_OK && draft->list)
        status = append(writer, draft->list->bytes, distances_length(header));
    if (status == STATUS_OK)
        status = append(writer, draft->frames->dictionary.bytes, header->dictionary_length);
    if (status == STATUS_OK)
        status = write_members(writer);
    if (status == STATUS_OK)
        status = flush(writer);
    if (status == STATUS_OK) {
        header_write(header, bytes);
        status = file_write(writer->descriptor, bytes, sizeof bytes, 0);
    }
    return status;
}

/* -- The whole ----------------------------------------------------------------------------------------- */

/* Writes the file under its temporary name and puts it in place. */
static enum status write_and_publish(struct writer *writer, const char *directory, const char *temporary,
                                     const char *path, struct digest *digest)
{
    uint64_t length;
    enum status status = file_create(temporary, &writer->descriptor);
    if (status != STATUS_OK)
        return status;
    status = write_file(writer);
    if (status == STATUS_OK) /* read back, so that a lost byte shows now */
        status = file_digest(temporary, digest, &length);
    if (status == STATUS_OK && length != writer->draft->header.file_length)
        status = STATUS_FILE;
    if (status != STATUS_OK) {
        file_discard(writer->descriptor, temporary);
        return status;
    }
    return file_publish(writer->descriptor, temporary, path, directory);
}

static void fill_summary(const struct writer *writer, const struct digest *digest,
                         struct table_summary *summary)
{
    const struct table_header *header = &writer->draft->header;
    memset(summary, 0, sizeof *summary);
    summary->header = *header;
    summary->constant_blocks = writer->constant_blocks;
    table_name_write(header->slice, header->metric, summary->entry.name);
    summary->entry.size = header->file_length;
    summary->entry.digest = *digest;
    summary->entry.members = header->members;
    for (int i = 0; i < header->members; i++) {
        summary->blocks += block_source_count(&writer->draft->blocks, i);
        summary->entry.member[i].positions = header->member[i].positions;
        memcpy(summary->entry.member[i].counts, header->member[i].counts, sizeof header->member[i].counts);
    }
}

static enum status create_writer(struct table_draft *draft, const struct block_supply *supply,
                                 struct writer **writer)
{
    struct writer *made = calloc(1, sizeof *made);
    *writer = made;
    if (!made)
        return STATUS_NO_MEMORY;
    made->draft = draft;
    made->supply = supply;
    made->buffer = malloc(BUFFER_SIZE);
    bool all = made->buffer;
    for (int i = 0; i < draft->header.members; i++) {
        made->index[i] = calloc(1, (size_t)draft->header.member[i].index_length);
        all = all && made->index[i];
    }
    return all ? STATUS_OK : STATUS_NO_MEMORY;
}

static void destroy_writer(struct writer *writer)
{
    if (!writer)
        return;
    free(writer->buffer);
    for (int i = 0; i < MAX_MEMBERS; i++)
        free(writer->index[i]);
    free(writer);
}

enum status table_file_write(const char *directory, struct table_draft *draft,
                             const struct block_supply *supply, struct table_summary *summary)
{
    char name[TABLE_NAME_SIZE];
    char *path = NULL;
    char *temporary = NULL;
    struct digest digest;
    struct writer *writer;
    table_name_write(draft->header.slice, draft->header.metric, name);
    if (asprintf(&path, "%s/%s", directory, name) < 0)
        path = NULL;
    if (asprintf(&temporary, "%s/%s.tmp", directory, name) < 0)
        temporary = NULL;
    enum status status = create_writer(draft, supply, &writer);
    if (status == STATUS_OK)
        status = path && temporary ? write_and_publish(writer, directory, temporary, path, &digest)
                                   : STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        fill_summary(writer, &digest, summary);
    destroy_writer(writer);
    free(path);
    free(temporary);
    return status;
}
