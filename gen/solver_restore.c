/* From a table back to all values: one pass of capture search over its positions. */
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
    const struct solution *solution;
    struct solver_counts *counts;
    struct capture_search search;
};

/* Puts what captures lead to into the places of one placement's positions, which have the table's. */
static void restore_captures(struct restoring *restoring, const struct placement *placement, int member,
                             const struct numbering *numbering, uint64_t first)
{
    const struct variant *variant = restoring->plan->variant;
    uint8_t *values = restoring->solution->values + placement->base;
    uint16_t *distances = restoring->solution->distances;
    struct walk walk;
    walk_begin(&walk, numbering, first);
    for (uint64_t i = 0; i < numbering->kings; i++, walk_next(&walk)) {
        if (variant->moves->has_capture(&walk.position)) {
            restoring->counts->captures++;
            values[i] = (uint8_t)capture_value(&restoring->search, &walk.position);
            if (distances)
                distances[placement->base + i] =
                    (uint16_t)distance_of_captures(variant, (enum value)values[i]);
        } else if (distances && values[i] == DRAW) {
            distances[placement->base + i] = 0;
        }
        restoring->counts->values[member][values[i]]++;
    }
}

static enum status restore_placement(struct restoring *restoring, const struct placement *placement,
                                     int member, const struct numbering *numbering)
{
    const struct solved_pair *solved = restoring->solved;
    const struct solution *solution = restoring->solution;
    uint32_t cell = numbering_cell(numbering, placement->own_men, placement->opponent_men);
    uint64_t men = numbering_men(numbering, placement->own_men, placement->opponent_men);
    uint64_t first = numbering->cells[cell].first + men * numbering->kings;
    enum status status =
        solved->values(solved->context, member, first, numbering->kings, solution->values + placement->base);
    if (status == STATUS_OK && solution->distances)
        status = solved->distances(solved->context, member, first, numbering->kings,
                                   solution->distances + placement->base);
    if (status == STATUS_OK)
        restore_captures(restoring, placement, member, numbering, first);
    return status;
}

static enum status restore(struct restoring *restoring, const struct unit *unit)
{
    const struct slice_pair *pair = unit->pair;
    for (uint64_t row = 0; row < unit->men * (uint64_t)unit->sides; row++) {
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

enum status solver_restore(const struct plan *plan, const struct piece *piece, struct values *values,
                           const struct solved_pair *solved, const struct solution *solution,
                           struct solver_counts *counts)
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
    restoring->counts = counts;
    capture_search_begin(&restoring->search, plan->variant, values);
    memset(solution->values, PLACE_HOLE, piece->places);
    if (solution->distances)
        memset(solution->distances, 0, piece->places * sizeof *solution->distances);
    enum status status = restore(restoring, &unit);
    free(restoring);
    return status;
}
