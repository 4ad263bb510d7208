/* Counting values and distances, and what they may be. */
#include "survey.h"

#include "distance.h"
#include "table_parts.h"

#include <stdlib.h>
#include <xxhash.h>

/* What a fetched byte allows as distances. */
struct bounds {
    uint32_t least;
    uint32_t most;
};

/* A look at one part. */
struct surveyor {
    struct survey *survey;
    struct block_source *blocks;
    int member;
    XXH3_state_t *digest;
    struct bounds bounds[256]; /* by fetched byte */
    uint64_t fetched[256];     /* how often each byte was */
    uint32_t greatest[256];    /* the greatest distance with each byte */
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

/* What a block of values is, by a bit for each value of positions without a capture. */
static uint8_t constant_of(unsigned seen)
{
    if (seen == 0)
        return BLOCK_FREE;
    return (seen & (seen - 1)) == 0 ? (uint8_t)(bits_lowest(seen) + 1) : BLOCK_MIXED;
}

/* Adds a block of values to the histogram and to the digest, for which it makes codes of them. */
static enum status survey_values(struct surveyor *surveyor, size_t count, uint8_t *constant)
{
    uint8_t *bytes = surveyor->blocks->values;
    uint8_t none = 0;
    unsigned seen = 0;
    for (size_t i = 0; i < count; i++) {
        surveyor->fetched[bytes[i]]++;
        seen |= bytes[i] & FETCHED_CAPTURE ? 0 : 1U << (bytes[i] & 31);
        bytes[i] = surveyor->code[bytes[i]];
        none |= bytes[i] == 0;
    }
    if (none) {
        surveyor->fault = "a value to be written is none";
        return STATUS_BAD_ARGUMENT;
    }
    *constant = constant_of(seen);
    if (!surveyor->survey->distances)
        XXH3_128bits_update(surveyor->digest, bytes, count);
    return STATUS_OK;
}

/* Adds a block of distances; before survey_values, for it needs the fetched bytes. */
static enum status survey_distances(struct surveyor *surveyor, size_t count)
{
    const uint8_t *bytes = surveyor->blocks->values;
    uint16_t *distances = surveyor->blocks->distances;
    struct survey *survey = surveyor->survey;
    bool wrong = false;
    for (size_t i = 0; i < count; i++) {
        uint8_t byte = bytes[i];
        uint32_t distance = distances[i];
        wrong |= distance < surveyor->bounds[byte].least || distance > surveyor->bounds[byte].most;
        surveyor->greatest[byte] = distance > surveyor->greatest[byte] ? distance : surveyor->greatest[byte];
        survey->distances[distance] += !(byte & FETCHED_CAPTURE) && byte != DRAW;
        survey->distance_count = distance >= survey->distance_count ? distance + 1 : survey->distance_count;
        store_16(&distances[i], (uint16_t)distance);
    }
    XXH3_128bits_update(surveyor->digest, distances, count * sizeof *distances);
    if (wrong)
        surveyor->fault = "a distance to be written does not fit its value";
    return wrong ? STATUS_BAD_ARGUMENT : STATUS_OK;
}

static enum status survey_block(struct surveyor *surveyor, uint64_t block, uint8_t *constant)
{
    size_t count;
    enum status distances = STATUS_OK;
    enum status status = block_source_fetch(surveyor->blocks, surveyor->member, block, &count);
    if (status == STATUS_OK && surveyor->survey->distances)
        distances = survey_distances(surveyor, count);
    if (status == STATUS_OK)
        status = survey_values(surveyor, count, constant);
    return status == STATUS_OK ? distances : status;
}

/* -- Parts --------------------------------------------------------------------------------------------- */

static void add_part(const struct surveyor *surveyor)
{
    struct survey_sum *sum = &surveyor->survey->sum;
    for (int capture = 0; capture < 2; capture++)
        for (int value = 0; value < VALUES; value++) {
            int byte = value | (capture ? FETCHED_CAPTURE : 0);
            uint32_t *greatest = &sum->greatest[surveyor->member][capture][value];
            sum->counts[surveyor->member][capture][value] += surveyor->fetched[byte];
            *greatest = surveyor->greatest[byte] > *greatest ? surveyor->greatest[byte] : *greatest;
        }
}

static enum status look_at(struct surveyor *surveyor, uint64_t part, uint8_t *constants)
{
    int block_log2 = surveyor->blocks->header->block_log2;
    uint64_t positions =
        table_part_positions(surveyor->blocks->header->member[surveyor->member].positions, part);
    uint64_t first = table_part_first(part) >> block_log2;
    XXH3_128bits_reset(surveyor->digest);
    for (uint64_t block = first; block < first + block_count(positions, block_log2); block++) {
        enum status status = survey_block(surveyor, block, &constants[block - first]);
        if (status != STATUS_OK)
            return status;
    }
    add_part(surveyor);
    return STATUS_OK;
}

enum status survey_part(struct survey *survey, const struct variant *variant, struct block_source *blocks,
                        int member, uint64_t part, struct digest *digest, uint8_t *constants,
                        const char **fault)
{
    struct surveyor *surveyor = calloc(1, sizeof *surveyor);
    if (!surveyor)
        return STATUS_NO_MEMORY;
    surveyor->survey = survey;
    surveyor->blocks = blocks;
    surveyor->member = member;
    surveyor->digest = XXH3_createState();
    allow(surveyor, variant);
    enum status status = surveyor->digest ? look_at(surveyor, part, constants) : STATUS_NO_MEMORY;
    if (status == STATUS_OK) {
        XXH128_canonical_t canonical;
        XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(surveyor->digest));
        memcpy(digest->bytes, canonical.digest, DIGEST_SIZE);
    }
    *fault = surveyor->fault;
    XXH3_freeState(surveyor->digest);
    free(surveyor);
    return status;
}

enum status survey_init(struct survey *survey, enum metric metric)
{
    *survey = (struct survey){0};
    if (metric != METRIC_DTZ)
        return STATUS_OK;
    survey->distances = calloc(MOST_DISTANCES, sizeof *survey->distances);
    return survey->distances ? STATUS_OK : STATUS_NO_MEMORY;
}

void survey_clear(struct survey *survey)
{
    free(survey->distances);
    survey->distances = NULL;
}

void survey_add(struct survey *survey, const struct survey_sum *sum, const uint64_t *distances,
                uint32_t count)
{
    for (int member = 0; member < MAX_MEMBERS; member++)
        for (int capture = 0; capture < 2; capture++)
            for (int value = 0; value < VALUES; value++) {
                uint32_t *greatest = &survey->sum.greatest[member][capture][value];
                uint32_t other = sum->greatest[member][capture][value];
                survey->sum.counts[member][capture][value] += sum->counts[member][capture][value];
                *greatest = other > *greatest ? other : *greatest;
            }
    for (uint32_t distance = 0; distance < count; distance++)
        survey->distances[distance] += distances[distance];
    survey->distance_count = count > survey->distance_count ? count : survey->distance_count;
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

static uint32_t greatest_of(const struct survey *survey, int member, enum value value)
{
    uint32_t quiet = survey->sum.greatest[member][0][value];
    uint32_t capture = survey->sum.greatest[member][1][value];
    if (!survey->distances ||
        survey->sum.counts[member][0][value] + survey->sum.counts[member][1][value] == 0)
        return NO_DISTANCE;
    return quiet > capture ? quiet : capture;
}

enum status survey_settle(const struct survey *survey, struct table_header *header,
                          struct distance_list *list)
{
    uint64_t quiet[VALUES] = {0};
    for (int i = 0; i < header->members; i++) {
        struct table_member *member = &header->member[i];
        for (int value = 0; value < VALUES; value++) {
            member->counts[value] = survey->sum.counts[i][0][value] + survey->sum.counts[i][1][value];
            quiet[value] += survey->sum.counts[i][0][value];
        }
        member->greatest_win = greatest_of(survey, i, WIN);
        member->greatest_loss = greatest_of(survey, i, LOSS);
    }
    if (header->metric == METRIC_DTZ)
        return choose_distances(header, survey->distances, list);
    choose_alphabet(header, quiet);
    return STATUS_OK;
}
