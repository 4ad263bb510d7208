/* Values and distances in the order of a table's numbers, out of the work store's order. */
#include "table_maker.h"
#include "capture_bits.h"
#include "stop.h"
#include "table_parts.h"

#include <stdlib.h>
#include <xxhash.h>

/* Where reading stands: at the number after the last one fetched, of `member`. */
struct cursor {
    bool walking;
    int member;
    uint64_t number;
    uint32_t cell;
    uint64_t men;   /* number of its men in the cell */
    uint64_t kings; /* number of its kings */
    uint64_t own_men;
    uint64_t opponent_men;
};

struct value_source {
    const struct plan *plan;
    uint32_t pair;
    struct values *values;
    struct capture_bits *captures[2]; /* of each member, where asked for */
    struct cursor at_values;
    struct cursor at_distances;
};

/* Neighbouring places of a piece of work whose positions follow one another in the table. */
struct stretch {
    struct piece piece;
    uint64_t first;
    size_t count;
};

static const struct numbering *numbering_of(const struct value_source *source, int member)
{
    return source->plan->pairs[source->pair]->members[member];
}

static void move_to(const struct value_source *source, struct cursor *cursor, int member, uint64_t number)
{
    if (cursor->walking && cursor->member == member && cursor->number == number)
        return;
    const struct numbering *numbering = numbering_of(source, member);
    cursor->member = member;
    cursor->number = number;
    cursor->cell = numbering_cell_at(numbering, number);
    uint64_t in_cell = number - numbering->cells[cursor->cell].first;
    cursor->men = in_cell / numbering->kings;
    cursor->kings = in_cell % numbering->kings;
    numbering_men_at(numbering, cursor->cell, cursor->men, &cursor->own_men, &cursor->opponent_men);
    cursor->walking = true;
}

/* Goes on by `count` positions, not beyond the placement of men but to the next one. */
static void move_on(const struct value_source *source, struct cursor *cursor, size_t count)
{
    const struct numbering *numbering = numbering_of(source, cursor->member);
    cursor->number += count;
    cursor->kings += count;
    if (cursor->kings < numbering->kings)
        return;
    cursor->kings = 0;
    if (++cursor->men == numbering->cells[cursor->cell].arrangements) {
        cursor->men = 0;
        cursor->cell++;
    }
    cursor->walking = cursor->cell < numbering->cell_count;
    if (cursor->walking)
        numbering_men_at(numbering, cursor->cell, cursor->men, &cursor->own_men, &cursor->opponent_men);
}

/* The cursor's position and those after it, up to `most` of the same placement of men. */
static struct stretch stretch_at(const struct value_source *source, const struct cursor *cursor, size_t most)
{
    const struct slice_pair *pair = source->plan->pairs[source->pair];
    const struct layout *layout = &source->plan->layouts[source->pair];
    struct place place = slice_pair_place(pair, cursor->member, cursor->own_men, cursor->opponent_men);
    const struct cell_layout *cell = &layout->cells[place.cell];
    struct stretch stretch = {
        .piece = layout_piece(layout, source->pair, place.cell, (uint32_t)(place.men >> cell->unit_bits))};
    uint64_t row = (place.men - stretch.piece.first_men) * cell->sides + (uint64_t)place.side;
    uint64_t left = pair->kings - cursor->kings;
    stretch.first = row * pair->kings + cursor->kings;
    stretch.count = left < most ? (size_t)left : most;
    return stretch;
}

/* Marks the values of positions that have captures; the cursor is at the first. STATUS_DAMAGED where there is
 * no value. */
static enum status mark_captures(struct value_source *source, const struct cursor *cursor, size_t count,
                                 uint8_t *values)
{
    struct capture_bits **captures = &source->captures[cursor->member];
    if (!*captures) {
        enum status status =
            capture_bits_create(source->plan->variant, numbering_of(source, cursor->member)->slice, captures);
        if (status != STATUS_OK)
            return status;
    }
    const uint64_t *bits = capture_bits_find(*captures, cursor->own_men, cursor->opponent_men);
    bool holes = false;
    for (size_t i = 0; i < count; i++) {
        uint64_t kings = cursor->kings + i;
        holes |= values[i] >= PLACE_HOLE;
        unsigned capture = (unsigned)(bits[kings / 64] >> (kings % 64)) & 1;
        values[i] = (uint8_t)(values[i] | capture * FETCHED_CAPTURE);
    }
    return holes ? STATUS_DAMAGED : STATUS_OK;
}

static enum status fetch(void *context, int member, uint64_t first, size_t count, uint8_t *values)
{
    struct value_source *source = context;
    struct cursor *cursor = &source->at_values;
    if (stop_wanted())
        return STATUS_INTERRUPTED;
    move_to(source, cursor, member, first);
    while (count > 0) {
        const struct stretch stretch = stretch_at(source, cursor, count);
        enum status status =
            values_places(source->values, &stretch.piece, stretch.first, stretch.count, values);
        if (status == STATUS_OK)
            status = mark_captures(source, cursor, stretch.count, values);
        if (status != STATUS_OK)
            return status;
        move_on(source, cursor, stretch.count);
        values += stretch.count;
        count -= stretch.count;
    }
    return STATUS_OK;
}

static enum status fetch_distances(void *context, int member, uint64_t first, size_t count,
                                   uint16_t *distances)
{
    struct value_source *source = context;
    struct cursor *cursor = &source->at_distances;
    move_to(source, cursor, member, first);
    while (count > 0) {
        const struct stretch stretch = stretch_at(source, cursor, count);
        enum status status =
            values_distances(source->values, &stretch.piece, stretch.first, stretch.count, distances);
        if (status != STATUS_OK)
            return status;
        move_on(source, cursor, stretch.count);
        distances += stretch.count;
        count -= stretch.count;
    }
    return STATUS_OK;
}

enum status value_source_create(const struct plan *plan, uint32_t pair, struct values *values,
                                struct value_source **source, struct table_source *reader)
{
    struct value_source *made = calloc(1, sizeof *made);
    *source = made;
    if (!made)
        return STATUS_NO_MEMORY;
    made->plan = plan;
    made->pair = pair;
    made->values = values;
    *reader = (struct table_source){.fetch = fetch, .fetch_distances = fetch_distances, .context = made};
    return STATUS_OK;
}

/* What the source has made for itself. */
static void release(struct value_source *source)
{
    for (int member = 0; member < 2; member++)
        capture_bits_destroy(source->captures[member]);
}

void value_source_destroy(struct value_source *source)
{
    if (source)
        release(source);
    free(source);
}

enum status table_make(const struct plan *plan, uint32_t pair, struct values *values, const char *directory,
                       const struct table_options *options, struct table_summary *summary,
                       char message[MESSAGE_SIZE])
{
    struct value_source *source;
    struct table_source reader;
    enum status status = value_source_create(plan, pair, values, &source, &reader);
    if (status == STATUS_OK)
        status = table_write(directory, plan->variant, plan->pairs[pair]->name, &reader, options, summary,
                             message);
    value_source_destroy(source);
    return status;
}

/* -- Digests --------------------------------------------------------------------------------------------- */

enum { PORTION = 4096 /* positions */ };

/* The bytes that a header's digest goes over, of positions of a member; returns their number in *size. */
static enum status digested_portion(struct value_source *source, int member, enum metric metric,
                                    uint64_t first, size_t count, uint8_t bytes[2 * PORTION], size_t *size)
{
    uint16_t distances[PORTION];
    *size = count * (metric == METRIC_DTZ ? 2 : 1);
    if (metric == METRIC_DTZ) {
        enum status status = fetch_distances(source, member, first, count, distances);
        for (size_t i = 0; i < count && status == STATUS_OK; i++) {
            bytes[2 * i] = (uint8_t)distances[i];
            bytes[2 * i + 1] = (uint8_t)(distances[i] >> 8);
        }
        return status;
    }
    enum status status = fetch(source, member, first, count, bytes);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        bytes[i] = (uint8_t)code_of_value((enum value)(bytes[i] & ~FETCHED_CAPTURE));
    return status;
}

enum status table_part_digest(const struct plan *plan, uint32_t pair, int member, enum metric metric,
                              struct values *values, uint64_t part, struct digest *digest)
{
    uint8_t bytes[2 * PORTION];
    uint64_t positions = table_part_positions(plan->pairs[pair]->members[member]->positions, part);
    uint64_t begin = table_part_first(part);
    struct value_source source = {.plan = plan, .pair = pair, .values = values};
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        return STATUS_NO_MEMORY;
    XXH3_128bits_reset(state);
    enum status status = STATUS_OK;
    for (uint64_t first = 0; first < positions && status == STATUS_OK; first += PORTION) {
        size_t count = positions - first < PORTION ? (size_t)(positions - first) : PORTION;
        size_t size;
        status = digested_portion(&source, member, metric, begin + first, count, bytes, &size);
        if (status == STATUS_OK)
            XXH3_128bits_update(state, bytes, size);
    }
    release(&source);
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state));
    memcpy(digest->bytes, canonical.digest, DIGEST_SIZE);
    XXH3_freeState(state);
    return status;
}

enum status table_values_digest(const struct plan *plan, uint32_t pair, int member, enum metric metric,
                                struct values *values, struct digest *digest)
{
    uint64_t count = table_part_count(plan->pairs[pair]->members[member]->positions);
    struct digest *parts = malloc(count * sizeof *parts);
    enum status status = parts ? STATUS_OK : STATUS_NO_MEMORY;
    for (uint64_t part = 0; part < count && status == STATUS_OK; part++)
        status = table_part_digest(plan, pair, member, metric, values, part, &parts[part]);
    if (status == STATUS_OK)
        *digest = table_join_digests(parts, count);
    free(parts);
    return status;
}

struct digest table_inputs(const struct plan *plan, uint32_t pair, enum metric metric,
                           const struct table_facts *facts)
{
    enum { MOST_INPUTS = MAX_SUCCESSORS + 1 };
    struct slice slices[MOST_INPUTS];
    size_t count = plan_successors(plan->pairs[pair]->name, slices);
    if (metric == METRIC_DTZ)
        slices[count++] = plan->pairs[pair]->name;
    uint8_t bytes[MOST_INPUTS * (SLICE_NAME_SIZE + MAX_MEMBERS * DIGEST_SIZE)] = {0};
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t input = (uint32_t)plan_find(plan, slices[i]) / 2;
        char name[SLICE_NAME_SIZE];
        slice_write(plan->pairs[input]->name, name);
        memcpy(bytes + length, name, sizeof name);
        length += sizeof name;
        for (int member = 0; member < MAX_MEMBERS; member++, length += DIGEST_SIZE)
            memcpy(bytes + length, facts[input].values[member].bytes, DIGEST_SIZE);
    }
    return digest_of(bytes, length);
}
