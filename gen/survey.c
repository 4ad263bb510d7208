/* Counting values and distances, and what they may be. */
#include "survey.h"

#include "distance.h"

#include <stdlib.h>
#include <xxhash.h>

/* What a fetched byte allows as distances. */
struct bounds {
    uint32_t least;
    uint32_t most;
};

struct surveyor {
    struct block_source *blocks;
    XXH3_state_t *digest;
    struct bounds bounds[256]; /* by fetched byte */
    uint64_t fetched[256];     /* of a member, how often each byte was */
    uint32_t greatest[256];    /* of a member, the greatest distance with each byte */
    uint64_t quiet[VALUES];    /* of the table, values of positions without a capture */
    uint64_t *distances;       /* and their distances, where those are stored; or null */
    uint8_t code[256];         /* by fetched byte; 0 if it is none */
    const char *fault;
};

/* -- What is allowed ----------------------------------------------------------------------------------- */

/* Distances that a value can have. There is none for a cursed or blessed one without a limit. */
static struct bounds bounds_of(const struct variant *variant, enum value value, bool capture)
{
    uint32_t limit = variant->rules.limit;
    bool spoilt = value == CURSED_WIN || value == BLESSED_LOSS;
    if (value == DRAW)
        return (struct bounds){0, 0};
    if (spoilt && limit == 0)
        return (struct bounds){1, 0};
    if (capture)
        return (struct bounds){distance_of_captures(variant, value), distance_of_captures(variant, value)};
    if (spoilt)
        return (struct bounds){limit + 1, MOST_DISTANCE};
    return (struct bounds){0, limit ? limit : MOST_DISTANCE};
}

static void allow(struct surveyor *surveyor, const struct variant *variant)
{
    for (size_t byte = 0; byte < 256; byte++)
        surveyor->bounds[byte] = (struct bounds){1, 0};
    for (unsigned value = 0; value < VALUES; value++) {
        unsigned capture = value | FETCHED_CAPTURE;
        surveyor->code[value] = surveyor->code[capture] = (uint8_t)code_of_value((enum value)value);
        surveyor->bounds[value] = bounds_of(variant, (enum value)value, false);
        surveyor->bounds[capture] = bounds_of(variant, (enum value)value, true);
    }
}

/* -- Blocks -------------------------------------------------------------------------------------------- */

/* Adds a block of values to the histogram and to the digest, for which it makes codes of them. */
static enum status survey_values(struct surveyor *surveyor, size_t count)
{
    uint8_t *bytes = surveyor->blocks->values;
    uint8_t none = 0;
    for (size_t i = 0; i < count; i++) {
        surveyor->fetched[bytes[i]]++;
        bytes[i] = surveyor->code[bytes[i]];
        none |= bytes[i] == 0;
    }
    if (none) {
        surveyor->fault = "a value to be written is none";
        return STATUS_BAD_ARGUMENT;
    }
    if (!surveyor->distances)
        XXH3_128bits_update(surveyor->digest, bytes, count);
    return STATUS_OK;
}

/* Adds a block of distances; before survey_values, for it needs the fetched bytes. */
static enum status survey_distances(struct surveyor *surveyor, size_t count)
{
    const uint8_t *bytes = surveyor->blocks->values;
    uint16_t *distances = surveyor->blocks->distances;
    bool wrong = false;
    for (size_t i = 0; i < count; i++) {
        uint8_t byte = bytes[i];
        uint32_t distance = distances[i];
        wrong |= distance < surveyor->bounds[byte].least || distance > surveyor->bounds[byte].most;
        surveyor->greatest[byte] = distance > surveyor->greatest[byte] ? distance : surveyor->greatest[byte];
        surveyor->distances[distance] += !(byte & FETCHED_CAPTURE) && byte != DRAW;
        store_16(&distances[i], (uint16_t)distance);
    }
    XXH3_128bits_update(surveyor->digest, distances, count * sizeof *distances);
    if (wrong)
        surveyor->fault = "a distance to be written does not fit its value";
    return wrong ? STATUS_BAD_ARGUMENT : STATUS_OK;
}

static enum status survey_block(struct surveyor *surveyor, int member, uint64_t block)
{
    size_t count;
    enum status distances = STATUS_OK;
    enum status status = block_source_fetch(surveyor->blocks, member, block, &count);
    if (status == STATUS_OK && surveyor->distances)
        distances = survey_distances(surveyor, count);
    if (status == STATUS_OK)
        status = survey_values(surveyor, count);
    return status == STATUS_OK ? distances : status;
}

/* -- Members ------------------------------------------------------------------------------------------- */

static uint32_t greatest_of(const struct surveyor *surveyor, const struct table_member *member,
                            enum value value)
{
    uint32_t quiet = surveyor->greatest[value];
    uint32_t capture = surveyor->greatest[value | FETCHED_CAPTURE];
    if (!surveyor->distances || member->counts[value] == 0)
        return NO_DISTANCE;
    return quiet > capture ? quiet : capture;
}

static enum status survey_member(struct surveyor *surveyor, int i, struct table_member *member)
{
    memset(surveyor->fetched, 0, sizeof surveyor->fetched);
    memset(surveyor->greatest, 0, sizeof surveyor->greatest);
    XXH3_128bits_reset(surveyor->digest);
    for (uint64_t block = 0; block < block_source_count(surveyor->blocks, i); block++) {
        enum status status = survey_block(surveyor, i, block);
        if (status != STATUS_OK)
            return status;
    }
    for (int value = 0; value < VALUES; value++) {
        member->counts[value] = surveyor->fetched[value] + surveyor->fetched[value | FETCHED_CAPTURE];
        surveyor->quiet[value] += surveyor->fetched[value];
    }
    member->greatest_win = greatest_of(surveyor, member, WIN);
    member->greatest_loss = greatest_of(surveyor, member, LOSS);
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(surveyor->digest));
    memcpy(member->values.bytes, canonical.digest, DIGEST_SIZE);
    return STATUS_OK;
}

/* -- Symbols ------------------------------------------------------------------------------------------- */

/* The values that may be asked for, most frequent first, of equals the one with the lower code. */
static void choose_alphabet(struct table_header *header, const uint64_t quiet[VALUES])
{
    header->alphabet_size = 0;
    for (unsigned code = CODE_WIN; code <= CODE_LOSS; code++) {
        enum value value = DRAW;
        value_of_code(code, &value);
        if (quiet[value] == 0)
            continue;
        int place = header->alphabet_size++;
        for (; place > 0 && quiet[header->alphabet[place - 1]] < quiet[value]; place--)
            header->alphabet[place] = header->alphabet[place - 1];
        header->alphabet[place] = value;
    }
    if (header->alphabet_size == 0) { /* every position has a capture: no value is ever asked for */
        header->alphabet[0] = DRAW;
        header->alphabet_size = 1;
    }
}

struct frequency {
    uint64_t count;
    uint16_t distance;
};

static int more_frequent_first(const void *a, const void *b)
{
    const struct frequency *one = a;
    const struct frequency *other = b;
    if (one->count != other->count)
        return one->count < other->count ? 1 : -1;
    return one->distance < other->distance ? -1 : 1;
}

/* The distances that may be asked for, as choose_alphabet does it with values; a lone 0 if there is none. */
static enum status choose_distances(struct table_header *header, const uint64_t *counts,
                                    struct distance_list *list)
{
    struct frequency *found = malloc(MOST_DISTANCES * sizeof *found);
    if (!found)
        return STATUS_NO_MEMORY;
    uint32_t count = 0;
    for (uint32_t distance = 0; distance < MOST_DISTANCES; distance++)
        if (counts[distance] > 0)
            found[count++] = (struct frequency){counts[distance], (uint16_t)distance};
    if (count == 0)
        found[count++] = (struct frequency){0, 0};
    qsort(found, count, sizeof *found, more_frequent_first);
    for (uint32_t symbol = 0; symbol < count; symbol++)
        store_16(list->bytes + (size_t)DISTANCE_SIZE * symbol, found[symbol].distance);
    header->distance_count = count;
    header->distances_checksum = section_checksum(list->bytes, (size_t)distances_length(header));
    free(found);
    return STATUS_OK;
}

/* -- The whole ----------------------------------------------------------------------------------------- */

static enum status run(struct surveyor *surveyor, struct table_header *header, struct distance_list *list)
{
    for (int i = 0; i < header->members; i++) {
        enum status status = survey_member(surveyor, i, &header->member[i]);
        if (status != STATUS_OK)
            return status;
    }
    if (header->metric == METRIC_DTZ)
        return choose_distances(header, surveyor->distances, list);
    choose_alphabet(header, surveyor->quiet);
    return STATUS_OK;
}

enum status survey(const struct variant *variant, struct block_source *blocks, struct table_header *header,
                   struct distance_list *list, const char **fault)
{
    struct surveyor *surveyor = calloc(1, sizeof *surveyor);
    if (!surveyor)
        return STATUS_NO_MEMORY;
    surveyor->blocks = blocks;
    surveyor->digest = XXH3_createState();
    bool with_distances = header->metric == METRIC_DTZ;
    if (with_distances)
        surveyor->distances = calloc(MOST_DISTANCES, sizeof *surveyor->distances);
    allow(surveyor, variant);
    enum status status = surveyor->digest && (surveyor->distances || !with_distances)
                             ? run(surveyor, header, list)
                             : STATUS_NO_MEMORY;
    *fault = surveyor->fault;
    XXH3_freeState(surveyor->digest);
    free(surveyor->distances);
    free(surveyor);
    return status;
}
