/* From a table back to all values: one pass of capture search over its positions. */
#include "capture.h"
#include "solver.h"
#include "unit.h"
#include "walk.h"

#include <stdlib.h>
#include <string.h>

/* Turns the values of one placement's positions, in the order of their numbers, into marks. */
static void restore_placement(struct capture_search *search, const struct numbering *numbering,
                              uint64_t first, const uint8_t *values, uint8_t *marks,
                              struct solver_counts *counts, int member)
{
    struct walk walk;
    walk_begin(&walk, numbering, first);
    for (uint64_t i = 0; i < numbering->kings; i++) {
        if (search->variant->moves->has_capture(&walk.position)) {
            counts->captures++;
            marks[i] = capture_mark(search, &walk.position);
        } else {
            marks[i] = mark_of_value((enum value)values[i]);
        }
        counts->marks[member][marks[i]]++;
        walk_next(&walk);
    }
}

static enum status restore(const struct unit *unit, struct capture_search *search,
                           const struct solved_pair *solved, uint8_t *values, uint8_t *marks,
                           struct solver_counts *counts)
{
    const struct slice_pair *pair = unit->pair;
    for (uint64_t row = 0; row < unit->men * (uint64_t)unit->sides; row++) {
        struct placement placement;
        int side = (int)(row % (uint64_t)unit->sides);
        if (!unit_placement(unit, unit->first_men + row / (uint64_t)unit->sides, side, &placement))
            continue;
        int member = pair->own_mirror ? 0 : side;
        const struct numbering *numbering = pair->members[member];
        uint32_t cell = numbering_cell(numbering, placement.own_men, placement.opponent_men);
        uint64_t men = numbering_men(numbering, placement.own_men, placement.opponent_men);
        uint64_t first = numbering->cells[cell].first + men * numbering->kings;
        enum status status = solved->values(solved->context, member, first, numbering->kings, values);
        if (status != STATUS_OK)
            return status;
        restore_placement(search, numbering, first, values, marks + placement.base, counts, member);
    }
    return capture_search_status(search);
}

enum status solver_restore(const struct plan *plan, const struct piece *piece, struct values *values,
                           const struct solved_pair *solved, uint8_t *marks, struct solver_counts *counts)
{
    const struct slice_pair *pair = plan->pairs[piece->pair];
    const struct unit unit = {pair, piece, plan->layouts[piece->pair].cells[piece->cell].sides,
                              piece->first_men, piece->men};
    struct capture_search *search = malloc(sizeof *search);
    uint8_t *stored = malloc(pair->kings);
    enum status status = STATUS_NO_MEMORY;
    if (search && stored) {
        capture_search_begin(search, plan->variant, values);
        memset(marks, MARK_HOLE, piece->places);
        status = restore(&unit, search, solved, stored, marks, counts);
    }
    free(stored);
    free(search);
    return status;
}
