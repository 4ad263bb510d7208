/* Synthetic values. */
#include "synthetic.h"

#include "distance.h"
#include "temporary.h"

#include <stdio.h>
#include <stdlib.h>

static void fill(uint8_t *values, uint64_t count, struct synthetic_shape shape, uint64_t *state)
{
    uint8_t members[VALUES];
    unsigned member_count = 0;
    for (unsigned value = 0; value < VALUES; value++)
        if (shape.values >> value & 1)
            members[member_count++] = (uint8_t)value;
    for (uint64_t i = 0; i < count;) {
        uint8_t value = members[random_next(state) % member_count];
        uint64_t run = 1 + random_next(state) % (UINT64_C(2) * shape.run);
        for (; run > 0 && i < count; run--, i++) {
            bool capture = random_next(state) % 256 < shape.captures;
            values[i] = capture ? (uint8_t)(FETCHED_CAPTURE | random_next(state) % VALUES) : value;
        }
    }
}

/* A distance for a position that has a move which is no capture: small ones are likelier. */
static uint32_t random_distance(struct synthetic_shape shape, uint64_t *state)
{
    uint64_t a = random_next(state) % shape.distances;
    uint64_t b = random_next(state) % shape.distances;
    uint64_t place = a < b ? a : b;
    return shape.distances == 1 ? shape.farthest : (uint32_t)(place * shape.farthest / (shape.distances - 1));
}

/* Gives every value a distance, in runs, and makes it the value that it is at that distance. */
static void fill_distances(const struct variant *variant, uint8_t *values, uint16_t *distances,
                           uint64_t count, struct synthetic_shape shape, uint64_t *state)
{
    uint32_t of_run = random_distance(shape, state);
    for (uint64_t i = 0; i < count; i++) {
        enum value value = (enum value)(values[i] & ~FETCHED_CAPTURE);
        uint8_t capture = values[i] & FETCHED_CAPTURE;
        if (random_next(state) % shape.run == 0)
            of_run = random_distance(shape, state);
        if (variant->rules.limit == 0 || !capture)
            value = value_without_limit(value);
        uint32_t distance = capture ? distance_of_captures(variant, value) : value == DRAW ? 0 : of_run;
        if (!capture)
            value = value_at_distance(variant, value, distance);
        values[i] = (uint8_t)(value | capture);
        distances[i] = (uint16_t)distance;
    }
}

struct synthetic synthetic_make(const char *variant, const char *slice, struct synthetic_shape shape)
{
    struct synthetic made = {.variant = variant_named(variant), .fetches_left = -1};
    uint64_t state = shape.seed;
    bool good = made.variant && slice_read(slice, &made.slice);
    made.members = slice_is_own_mirror(made.slice) ? 1 : 2;
    for (int i = 0; good && i < made.members; i++) {
        struct slice member = i == 0 ? made.slice : slice_mirror(made.slice);
        good = numbering_count(made.variant, member, &made.positions[i]) == STATUS_OK;
        made.values[i] = good ? malloc(made.positions[i]) : NULL;
        good = good && made.values[i];
        if (good)
            fill(made.values[i], made.positions[i], shape, &state);
        if (!good || shape.distances == 0)
            continue;
        made.distances[i] = malloc(made.positions[i] * sizeof *made.distances[i]);
        good = made.distances[i] != NULL;
        if (good)
            fill_distances(made.variant, made.values[i], made.distances[i], made.positions[i], shape, &state);
    }
    if (!good) {
        fprintf(stderr, "test set-up: no synthetic %s of %s\n", slice, variant);
        exit(4);
    }
    return made;
}

void synthetic_destroy(struct synthetic *synthetic)
{
    for (int i = 0; i < synthetic->members; i++) {
        free(synthetic->values[i]);
        free(synthetic->distances[i]);
    }
}

/* Counts a fetch and says whether it is one of positions that there are. */
static enum status begin_fetch(struct synthetic *synthetic, int member, uint64_t first, size_t count)
{
    if (synthetic->fetches_left == 0)
        return STATUS_INTERRUPTED;
    synthetic->fetches_left -= synthetic->fetches_left > 0;
    if (first > synthetic->positions[member] || count > synthetic->positions[member] - first)
        return STATUS_BAD_ARGUMENT;
    return STATUS_OK;
}

static enum status fetch(void *context, int member, uint64_t first, size_t count, uint8_t *values)
{
    struct synthetic *synthetic = context;
    enum status status = begin_fetch(synthetic, member, first, count);
    if (status == STATUS_OK)
        memcpy(values, synthetic->values[member] + first, count);
    return status;
}

static enum status fetch_distances(void *context, int member, uint64_t first, size_t count,
                                   uint16_t *distances)
{
    struct synthetic *synthetic = context;
    enum status status = begin_fetch(synthetic, member, first, count);
    if (status == STATUS_OK)
        memcpy(distances, synthetic->distances[member] + first, count * sizeof *distances);
    return status;
}

struct table_source synthetic_source(struct synthetic *synthetic)
{
    return (struct table_source){.fetch = fetch,
                                 .fetch_distances = synthetic->distances[0] ? fetch_distances : NULL,
                                 .context = synthetic};
}

struct table_summary synthetic_write(struct synthetic *synthetic, const char *folder,
                                     const struct table_options *options)
{
    char message[MESSAGE_SIZE];
    struct table_summary summary;
    struct table_source source = synthetic_source(synthetic);
    if (table_write(folder, synthetic->variant, synthetic->slice, &source, options, &summary, message) !=
        STATUS_OK) {
        fprintf(stderr, "test set-up: %s\n", message);
        exit(4);
    }
    return summary;
}

char *synthetic_path_of(const struct synthetic *synthetic, const char *folder, enum metric metric)
{
    char name[TABLE_NAME_SIZE];
    table_name_write(synthetic->slice, metric, name);
    return path_join(folder, name);
}

char *synthetic_path(const struct synthetic *synthetic, const char *folder)
{
    return synthetic_path_of(synthetic, folder, METRIC_WDL);
}

struct digest synthetic_digest(const uint8_t *bytes, uint64_t positions, size_t width)
{
    enum { PART = 1 << 20 };
    uint64_t count = (positions + PART - 1) / PART;
    struct digest *parts = malloc(count * sizeof *parts);
    if (!parts)
        abort();
    for (uint64_t part = 0; part < count; part++) {
        uint64_t left = positions - part * PART;
        parts[part] = digest_of(bytes + part * PART * width, (left < PART ? left : PART) * width);
    }
    struct digest digest = digest_of(parts, count * sizeof *parts);
    free(parts);
    return digest;
}
