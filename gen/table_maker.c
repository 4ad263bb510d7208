/* Values in the order of a table's numbers, out of the work store's order. */
#include "table_maker.h"
#include "walk.h"

#include <stdlib.h>
#include <xxhash.h>

struct source {
    const struct plan *plan;
    uint32_t pair;
    struct values *values;
    bool walking; /* `walk` stands at the number after the last one fetched, of `member` */
    int member;
    struct walk walk;
};

/* Values of the walk's positions from its number on, up to `most` of the same placement of men. */
static enum status placement_values(struct source *source, size_t most, uint8_t *values, size_t *count)
{
    const struct slice_pair *pair = source->plan->pairs[source->pair];
    const struct layout *layout = &source->plan->layouts[source->pair];
    const struct walk *walk = &source->walk;
    struct place place =
        slice_pair_place(pair, source->member, walk->position.own_men, walk->position.opponent_men);
    const struct cell_layout *cell = &layout->cells[place.cell];
    struct piece piece =
        layout_piece(layout, source->pair, place.cell, (uint32_t)(place.men >> cell->unit_bits));
    uint64_t row = (place.men - piece.first_men) * cell->sides + (uint64_t)place.side;
    uint64_t left = pair->kings - walk->kings;
    *count = left < most ? (size_t)left : most;
    return values_places(source->values, &piece, row * pair->kings + walk->kings, *count, values);
}

static enum status fetch(void *context, int member, uint64_t first, size_t count, uint8_t *values)
{
    struct source *source = context;
    const struct variant *variant = source->plan->variant;
    if (!source->walking || source->member != member || source->walk.number != first)
        walk_begin(&source->walk, source->plan->pairs[source->pair]->members[member], first);
    source->member = member;
    source->walking = true;
    while (count > 0) {
        size_t run;
        enum status status = placement_values(source, count, values, &run);
        if (status != STATUS_OK)
            return status;
        for (size_t i = 0; i < run; i++) {
            if (values[i] >= PLACE_HOLE)
                return STATUS_DAMAGED;
            bool capture = variant->moves->has_capture(&source->walk.position);
            values[i] |= capture ? FETCHED_CAPTURE : 0;
            source->walking = walk_next(&source->walk);
        }
        values += run;
        count -= run;
    }
    return STATUS_OK;
}

enum status table_make(const struct plan *plan, uint32_t pair, struct values *values, const char *directory,
                       const struct digest *inputs, struct table_summary *summary, char message[MESSAGE_SIZE])
{
    struct source *source = calloc(1, sizeof *source);
    if (!source)
        return STATUS_NO_MEMORY;
    source->plan = plan;
    source->pair = pair;
    source->values = values;
    const struct table_source reader = {.fetch = fetch, .context = source};
    const struct table_options options = {.inputs = *inputs};
    enum status status =
        table_write(directory, plan->variant, plan->pairs[pair]->name, &reader, &options, summary, message);
    free(source);
    return status;
}

enum status table_values_digest(const struct plan *plan, uint32_t pair, int member, struct values *values,
                                struct digest *digest)
{
    enum { PART = 4096 };
    uint8_t part[PART];
    uint64_t positions = plan->pairs[pair]->members[member]->positions;
    struct source source = {.plan = plan, .pair = pair, .values = values};
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        return STATUS_NO_MEMORY;
    XXH3_128bits_reset(state);
    enum status status = STATUS_OK;
    for (uint64_t first = 0; first < positions && status == STATUS_OK; first += PART) {
        size_t count = positions - first < PART ? (size_t)(positions - first) : PART;
        status = fetch(&source, member, first, count, part);
        for (size_t i = 0; i < count && status == STATUS_OK; i++)
            part[i] = (uint8_t)code_of_value((enum value)(part[i] & ~FETCHED_CAPTURE));
        if (status == STATUS_OK)
            XXH3_128bits_update(state, part, count);
    }
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state));
    memcpy(digest->bytes, canonical.digest, DIGEST_SIZE);
    XXH3_freeState(state);
    return status;
}

struct digest table_inputs(const struct plan *plan, uint32_t pair, const struct table_facts *facts)
{
    struct slice successors[MAX_SUCCESSORS];
    size_t count = plan_successors(plan->pairs[pair]->name, successors);
    uint8_t bytes[MAX_SUCCESSORS * (SLICE_NAME_SIZE + MAX_MEMBERS * DIGEST_SIZE)] = {0};
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t input = (uint32_t)plan_find(plan, successors[i]) / 2;
        char name[SLICE_NAME_SIZE];
        slice_write(plan->pairs[input]->name, name);
        memcpy(bytes + length, name, sizeof name);
        length += sizeof name;
        for (int member = 0; member < MAX_MEMBERS; member++, length += DIGEST_SIZE)
            memcpy(bytes + length, facts[input].values[member].bytes, DIGEST_SIZE);
    }
    return digest_of(bytes, length);
}
