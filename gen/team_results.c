/* Parts of chunks change hands so that one rank has the whole of each. */
#include "team_results.h"
#include "complaint.h"
#include "team_choice.h"

#include <stdlib.h>
#include <string.h>

enum status results_note(struct crew *crew)
{
    struct range_cursor cursor = {0};
    struct place_range range;
    while (team_result_range(crew->team, &cursor, &range)) {
        if (crew->range_count == crew->range_room) {
            size_t room = 2 * crew->range_room + 16;
            struct place_range *ranges = realloc(crew->ranges, room * sizeof *ranges);
            if (!ranges)
                return STATUS_NO_MEMORY;
            crew->ranges = ranges;
            crew->range_room = room;
        }
        crew->ranges[crew->range_count++] = range;
        if (crew->values)
            team_results(crew->team, &range, crew->values + range.first,
                         crew->kept ? crew->plies + range.first : NULL);
    }
    return STATUS_OK;
}

static void read_results(const struct crew *crew, const struct place_range *range, uint8_t *values,
                         uint16_t *distances)
{
    if (!crew->values) {
        team_results(crew->team, range, values, distances);
        return;
    }
    memcpy(values, crew->values + range->first, range->count);
    if (distances)
        memcpy(distances, crew->plies + range->first, range->count * sizeof *distances);
}

/* Part of a chunk on its way to the rank that appends it: distances, if they are kept, and values follow. */
struct part {
    uint64_t chunk;
    uint64_t first; /* place in the chunk */
    uint64_t count;
};

static size_t part_bytes(const struct crew *crew, uint64_t count)
{
    size_t bytes = sizeof(struct part) + (size_t)count * (crew->kept ? sizeof(uint16_t) + 1 : 1);
    return (bytes + 7) / 8 * 8; /* so that what follows can be read in place */
}

static bool make_room(struct parcel *parcel, size_t more)
{
    if (parcel->size + more <= parcel->room)
        return true;
    size_t room = 2 * (parcel->size + more);
    uint8_t *bytes = realloc(parcel->bytes, room);
    if (!bytes)
        return false;
    parcel->bytes = bytes;
    parcel->room = room;
    return true;
}

/* The places of a range that are in a chunk; none if count is 0. */
static struct place_range inside(const struct crew *crew, const struct place_range *range, uint64_t chunk)
{
    uint64_t begin = chunk << CHUNK_BITS;
    uint64_t end = begin + layout_chunk_places(crew->piece, (uint32_t)chunk);
    uint64_t first = range->first > begin ? range->first : begin;
    uint64_t last = range->first + range->count < end ? range->first + range->count : end;
    return (struct place_range){first, first < last ? last - first : 0};
}

/* Adds places that are in a chunk to the parcel of the rank that appends it. */
static enum status add_part(const struct crew *crew, const struct place_range *places, uint64_t chunk,
                            struct parcel *parcel)
{
    const struct part part = {chunk, places->first - (chunk << CHUNK_BITS), places->count};
    if (!make_room(parcel, part_bytes(crew, part.count)))
        return STATUS_NO_MEMORY;
    uint8_t *bytes = parcel->bytes + parcel->size;
    memcpy(bytes, &part, sizeof part);
    bytes += sizeof part;
    uint16_t *distances = crew->kept ? (uint16_t *)(void *)bytes : NULL;
    read_results(crew, places, bytes + (crew->kept ? part.count * sizeof *distances : 0), distances);
    parcel->size += part_bytes(crew, part.count);
    return STATUS_OK;
}

/* What a rank has of a chunk. */
struct chunk_share {
    uint64_t places;
    uint64_t parts;
};

/* Some chunks that are put together at once: about one in each rank's part of the piece, so that all ranks
 * have something to append. */
struct chunk_group {
    uint64_t first;
    uint64_t stride; /* from one of its chunks to the next */
    size_t count;
    struct chunk_share shares[TEAM_CHUNKS]; /* this rank's */
    int owners[TEAM_CHUNKS];                /* rank that appends it */
};

static uint64_t chunk_of(const struct chunk_group *group, size_t i)
{
    return group->first + i * group->stride;
}

/* This rank's first range that reaches beyond the beginning of a chunk. */
static size_t first_range(const struct crew *crew, uint64_t chunk)
{
    size_t low = 0;
    size_t high = crew->range_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (crew->ranges[middle].first + crew->ranges[middle].count <= chunk << CHUNK_BITS)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Goes over this rank's ranges in a chunk of the group: adds them to its owner's parcel, or, if there are no
 * parcels, counts. */
static enum status visit_chunk(struct crew *crew, struct chunk_group *group, size_t number,
                               struct parcel *parcels)
{
    enum status status = STATUS_OK;
    uint64_t chunk = chunk_of(group, number);
    for (size_t i = first_range(crew, chunk); i < crew->range_count && status == STATUS_OK; i++) {
        const struct place_range places = inside(crew, &crew->ranges[i], chunk);
        if (places.count == 0)
            break;
        if (parcels) {
            status = add_part(crew, &places, chunk, &parcels[group->owners[number]]);
        } else {
            group->shares[number].places += places.count;
            group->shares[number].parts++;
        }
    }
    return status;
}

static enum status visit(struct crew *crew, struct chunk_group *group, struct parcel *parcels)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < group->count && status == STATUS_OK; i++)
        status = visit_chunk(crew, group, i, parcels);
    return status;
}

static struct chunk_share share_of(const struct crew *crew, int rank, size_t chunk)
{
    struct chunk_share share;
    memcpy(&share, crew->in[rank].bytes + chunk * sizeof share, sizeof share);
    return share;
}

/* The rank that has most of a chunk, or of those with equally much the one that has fewest to append; none
 * has more than two, which bounds memory. */
static int owner_of(const struct crew *crew, const int *owned, size_t chunk)
{
    int owner = -1;
    uint64_t most = 0;
    for (int rank = 0; rank < crew->ranks; rank++) {
        uint64_t places = share_of(crew, rank, chunk).places;
        bool better = owner < 0 || places > most || (places == most && owned[rank] < owned[owner]);
        if (owned[rank] < 2 && better) {
            owner = rank;
            most = places;
        }
    }
    return owner;
}

/* Room for what comes of the chunks that this rank appends. */
static enum status make_rooms(const struct crew *crew, const struct chunk_group *group, struct parcel *in)
{
    enum status status = STATUS_OK;
    for (int rank = 0; rank < crew->ranks; rank++) {
        size_t size = 0;
        for (size_t i = 0; i < group->count; i++) {
            const struct chunk_share share = share_of(crew, rank, i);
            if (group->owners[i] == crew->own)
                size += share.parts * part_bytes(crew, 0) + part_bytes(crew, share.places) + 8 * share.parts;
        }
        in[rank].size = 0;
        if (!make_room(&in[rank], size))
            status = STATUS_NO_MEMORY;
    }
    return status;
}

/* Tells all ranks how much of each chunk this one has, chooses who appends them, and makes room for what
 * comes. */
static enum status choose_owners(struct crew *crew, struct chunk_group *group, struct parcel *in)
{
    struct joint nothing = {0};
    int *owned = calloc((size_t)crew->ranks, sizeof *owned);
    enum status status = ranks_team_agree(owned ? STATUS_OK : STATUS_NO_MEMORY);
    if (status != STATUS_OK || !owned) {
        free(owned);
        return status;
    }
    memset(group->shares, 0, sizeof group->shares);
    visit(crew, group, NULL);
    for (int rank = 0; rank < crew->ranks; rank++) {
        crew->out[rank].size = group->count * sizeof *group->shares;
        memcpy(crew->out[rank].bytes, group->shares, crew->out[rank].size);
    }
    ranks_exchange(1, crew->out, crew->in, &nothing);
    for (size_t i = 0; i < group->count; i++)
        owned[group->owners[i] = owner_of(crew, owned, i)]++;
    free(owned);
    return make_rooms(crew, group, in);
}

/* Puts one chunk together from what all ranks have of it, and appends it. */
static enum status append_chunk(struct crew *crew, uint64_t chunk, const struct parcel *in)
{
    size_t places = (size_t)layout_chunk_places(crew->piece, (uint32_t)chunk);
    uint8_t *values = malloc(places);
    uint16_t *distances = crew->kept ? calloc(places, sizeof *distances) : NULL;
    enum status status = values && (distances || !crew->kept) ? STATUS_OK : STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        memset(values, PLACE_HOLE, places);
    for (int rank = 0; rank < crew->ranks && status == STATUS_OK; rank++) {
        struct part part;
        for (size_t at = 0; at < in[rank].size; at += part_bytes(crew, part.count)) {
            memcpy(&part, in[rank].bytes + at, sizeof part);
            if (part.chunk != chunk)
                continue;
            const uint8_t *bytes = in[rank].bytes + at + sizeof part;
            size_t size = crew->kept ? part.count * sizeof *distances : 0;
            if (size > 0)
                memcpy(distances + part.first, bytes, size);
            memcpy(values + part.first, bytes + size, part.count);
        }
    }
    if (status == STATUS_OK)
        status = values_append_chunk(crew->run->values, crew->piece, (uint32_t)chunk, values, distances);
    free(values);
    free(distances);
    return status;
}

static enum status append_group(struct crew *crew, struct chunk_group *group, struct parcel *out,
                                struct parcel *in)
{
    struct joint nothing = {0};
    for (int rank = 0; rank < crew->ranks; rank++)
        out[rank].size = 0;
    enum status status = choose_owners(crew, group, in);
    if (status == STATUS_OK)
        status = visit(crew, group, out);
    status = ranks_team_agree(status);
    if (status == STATUS_OK)
        ranks_exchange(1, out, in, &nothing);
    for (size_t i = 0; i < group->count && status == STATUS_OK; i++)
        if (group->owners[i] == crew->own) {
            status = append_chunk(crew, chunk_of(group, i), in);
            if (status != STATUS_OK)
                complain_of_store(crew->run->store, status);
        }
    return ranks_team_agree(status);
}

enum status results_append(struct crew *crew)
{
    uint64_t chunks = ((crew->piece->places - 1) >> CHUNK_BITS) + 1;
    uint64_t at_once = (uint64_t)crew->ranks < TEAM_CHUNKS ? (uint64_t)crew->ranks : TEAM_CHUNKS;
    struct chunk_group group = {.stride = (chunks + at_once - 1) / at_once};
    struct parcel *parcels = calloc(2 * (size_t)crew->ranks, sizeof *parcels);
    enum status status = ranks_team_agree(parcels ? STATUS_OK : STATUS_NO_MEMORY);
    for (; parcels && group.first < group.stride && status == STATUS_OK; group.first++) {
        group.count = (size_t)((chunks - 1 - group.first) / group.stride) + 1;
        status = append_group(crew, &group, parcels, parcels + crew->ranks);
    }
    for (int i = 0; parcels && i < 2 * crew->ranks; i++)
        free(parcels[i].bytes);
    free(parcels);
    return status;
}
