/* Fetching blocks, one after the other or a sample of them. */
#include "block_source.h"

#include <stdlib.h>

enum status block_source_init(struct block_source *blocks, const struct table_header *header,
                              const struct table_source *source)
{
    *blocks = (struct block_source){.header = header, .source = source};
    bool with_distances = header->metric == METRIC_DTZ;
    if (!source->fetch || (with_distances && !source->fetch_distances))
        return STATUS_BAD_ARGUMENT;
    blocks->values = malloc(block_source_size(blocks));
    if (with_distances)
        blocks->distances = malloc(block_source_size(blocks) * sizeof *blocks->distances);
    return blocks->values && (blocks->distances || !with_distances) ? STATUS_OK : STATUS_NO_MEMORY;
}

void block_source_clear(struct block_source *blocks)
{
    free(blocks->values);
    free(blocks->distances);
}

size_t block_source_size(const struct block_source *blocks)
{
    return (size_t)1 << blocks->header->block_log2;
}

uint64_t block_source_count(const struct block_source *blocks, int member)
{
    return block_count(blocks->header->member[member].positions, blocks->header->block_log2);
}

uint64_t block_source_total(const struct block_source *blocks)
{
    uint64_t total = 0;
    for (int member = 0; member < blocks->header->members; member++)
        total += block_source_count(blocks, member);
    return total;
}

enum status block_source_fetch(struct block_source *blocks, int member, uint64_t block, size_t *count)
{
    const struct table_source *source = blocks->source;
    uint64_t first = block << blocks->header->block_log2;
    uint64_t left = blocks->header->member[member].positions - first;
    size_t size = block_source_size(blocks);
    *count = left < size ? (size_t)left : size;
    memset(blocks->values + *count, FETCHED_CAPTURE, size - *count);
    enum status status = source->fetch(source->context, member, first, *count, blocks->values);
    if (status != STATUS_OK || !blocks->distances)
        return status;
    memset(blocks->distances + *count, 0, (size - *count) * sizeof *blocks->distances);
    return source->fetch_distances(source->context, member, first, *count, blocks->distances);
}

enum status block_source_sample(struct block_source *blocks, size_t most, void (*take)(void *context),
                                void *context)
{
    for (int member = 0; member < blocks->header->members; member++) {
        uint64_t there = block_source_count(blocks, member);
        uint64_t wanted = there < most / MAX_MEMBERS ? there : most / MAX_MEMBERS;
        for (uint64_t i = 0; i < wanted; i++) {
            size_t count;
            uint64_t block = there / wanted * i + there % wanted * i / wanted;
            enum status status = block_source_fetch(blocks, member, block, &count);
            if (status != STATUS_OK)
                return status;
            take(context);
        }
    }
    return STATUS_OK;
}
