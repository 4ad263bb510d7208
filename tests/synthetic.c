/* Synthetic values. */
#include "synthetic.h"

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
    }
    if (!good) {
        fprintf(stderr, "test set-up: no synthetic %s of %s\n", slice, variant);
        exit(4);
    }
    return made;
}

void synthetic_destroy(struct synthetic *synthetic)
{
    for (int i = 0; i < synthetic->members; i++)
        free(synthetic->values[i]);
}

static enum status fetch(void *context, int member, uint64_t first, size_t count, uint8_t *values)
{
    struct synthetic *synthetic = context;
    if (synthetic->fetches_left == 0)
        return STATUS_INTERRUPTED;
    synthetic->fetches_left -= synthetic->fetches_left > 0;
    if (first > synthetic->positions[member] || count > synthetic->positions[member] - first)
        return STATUS_BAD_ARGUMENT;
    memcpy(values, synthetic->values[member] + first, count);
    return STATUS_OK;
}

struct table_source synthetic_source(struct synthetic *synthetic)
{
    return (struct table_source){.fetch = fetch, .context = synthetic};
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

char *synthetic_path(const struct synthetic *synthetic, const char *folder)
{
    char name[TABLE_NAME_SIZE];
    table_name_write(synthetic->slice, METRIC_WDL, name);
    return path_join(folder, name);
}
