/* From a table back to all values: one pass of capture search over its positions, any stretch of places by
 * itself. */
#include "capture.h"
#include "solver.h"
#include "unit.h"
#include "walk.h"

#include <stdlib.h>
#include <string.h>

/* What is restored, and with what. */
struct restoring {
    const struct plan *plan;
    const struct solved_pair *solved;
    const struct solution *solution; /* of the places from `first` on */
    uint64_t first;
    uint64_t end;
    struct solver_counts *counts;
    struct capture_search search;
};

/* Some positions of one placement of men with one side to move. */
struct stretch {
    int member;
    const struct numbering *numbering;
    uint64_t number; /* of the first in its slice */
    uint64_t count;
    uint8_t *values;
    uint16_t *distances; /* or null */
};

/* Puts what captures lead to into places that have the table's values. */
static void restore_captures(struct restoring *restoring, const struct stretch *stretch)
{
    const struct variant *variant = restoring->plan->variant;
    uint8_t *values = stretch->values;
    struct walk walk;
    walk_begin(&walk, stretch->numbering, stretch->number);
    for (uint64_t i = 0; i < stretch->count; i++, walk_next(&walk)) {
        if (variant->moves->has_capture(&walk.position)) {
            restoring->counts->captures++;
            values[i] = (uint8_t)capture_value(&restoring->search, &walk.position);
            if (stretch->distances)
                stretch->distances[i] = (uint16_t)distance_of_captures(variant, (enum value)values[i]);
        } else if (stretch->distances && values[i] == DRAW) {
            stretch->distances[i] = 0;
        }
        restoring->counts->values[stretch->member][values[i]]++;
    }
}

static enum status restore_stretch(struct restoring *restoring, const struct stretch *stretch)
{
    const struct solved_pair *solved = restoring->solved;
    enum status status =
        solved->values(solved->context, stretch->member, stretch->number, stretch->count, stretch->values);
    if (status == STATUS_OK && stretch->distances)
        status = solved->distances(solved->context, stretch->member, stretch->number, stretch->count,
                                   stretch->distances);
    if (status == STATUS_OK)
        restore_captures(restoring, stretch);
    return status;
}

/* What is asked for of one placement: a stretch, or nothing. */
static enum status restore_placement(struct restoring *restoring, const struct placement *placement,
                                     int member, const struct numbering *numbering)
{
    const struct solution *solution = restoring->solution;
    uint64_t base = placement->base;
    uint64_t first = base > restoring->first ? base : restoring->first;
    uint64_t end = base + numbering->kings < restoring->end ? base + numbering->kings : restoring->end;
    uint32_t cell = numbering_cell(numbering, placement->own_men, placement->opponent_men);
    uint64_t men = numbering_men(numbering, placement->own_men, placement->opponent_men);
    uint64_t place = first - restoring->first;
    if (first >= end)
        return STATUS_OK;
    const struct stretch stretch = {.member = member,
                                    .numbering = numbering,
                                    .number = numbering->cells[cell].first + men * numbering->kings +
                                              (first - base),
                                    .count = end - first,
                                    .values = solution->values + place,
                                    .distances = solution->distances ? solution->distances + place : NULL};
    return restore_stretch(restoring, &stretch);
}

static enum status restore(struct restoring *restoring, const struct unit *unit)
{
    const struct slice_pair *pair = unit->pair;
    uint64_t row = restoring->first / pair->kings;
    for (; row * pair->kings < restoring->end; row++) {
        struct placement placement;
        int side = (int)(row % (uint64_t)unit->sides);
        if (!unit_placement(unit, unit->first_men + row / (uint64_t)unit->sides, side, &placement))
            continue;
        int member = pair->own_mirror ? 0 : side;
        enum status status = restore_placement(restoring, &placement, member, pair->members[member]);
        if (status != STATUS_OK)
            return status;
    }
    return capture_search_status(&restoring->search);
}

enum status solver_restore(const struct plan *plan, const struct piece *piece, uint64_t first, uint64_t count,
                           struct values *values, const struct solved_pair *solved,
                           const struct solution *solution, struct solver_counts *counts)
{
    const struct slice_pair *pair = plan->pairs[piece->pair];
    const struct unit unit = {pair, piece, plan->layouts[piece->pair].cells[piece->cell].sides,
                              piece->first_men, piece->men};
    struct restoring *restoring = malloc(sizeof *restoring);
    if (!restoring)
        return STATUS_NO_MEMORY;
    restoring->plan = plan;
    restoring->solved = solved;
    restoring->solution = solution;
    restoring->first = first;
    restoring->end = first + count;
    restoring->counts = counts;
    capture_search_begin(&restoring->search, plan->variant, values);
    memset(solution->values, PLACE_HOLE, count);
    if (solution->distances)
        memset(solution->distances, 0, count * sizeof *solution->distances);
    enum status status = restore(restoring, &unit);
    free(restoring);
    return status;
}
