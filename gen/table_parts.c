/* Sizes of parts, and the digest over theirs. */
#include "table_parts.h"

#include <stdlib.h>

int table_part_log2(void)
{
    const char *text = getenv("DAMABASE_PART");
    long log2 = text ? strtol(text, NULL, 10) : PART_LOG2;
    return log2 >= MAX_BLOCK_LOG2 && log2 < PART_LOG2 ? (int)log2 : PART_LOG2;
}

uint64_t table_part_count(uint64_t positions)
{
    return ((positions - 1) >> table_part_log2()) + 1;
}

uint64_t table_part_first(uint64_t part)
{
    return part << table_part_log2();
}

uint64_t table_part_positions(uint64_t positions, uint64_t part)
{
    uint64_t left = positions - table_part_first(part);
    uint64_t whole = UINT64_C(1) << table_part_log2();
    return left < whole ? left : whole;
}

struct digest table_join_digests(const struct digest *parts, uint64_t count)
{
    return digest_of(parts, (size_t)count * sizeof *parts);
}
