/* The word solver: one king is the bits of a machine word (docs/design.md, section 5). What it does not know
 * it leaves to the scalar solver: units of whole cells and special ends. Positions without kings,
of which a unit has one a side, are looked at one by one.
 */
#include "phases.h"
#include "solver.h"
#include "unit.h"
#include "unit_exits.h"
#include "word_machine.h"
#include "word_piece.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of a place: rows of both forms, and tables of what moves lead to. */
enum { PLACE_BYTES = 8, PLACE_BYTES_WITH_DISTANCES = 20, FIXED_BYTES = 48 << 20 };

/* The code for a variant's board, or null. */
static word_piece *code_of(const struct variant *variant)
{
    const struct rules *rules = &variant->rules;
    if (rules->board->orthogonal || rules->special_end != NO_SPECIAL_END || rules->gone_now)
        return NULL;
    return WORD_CODE(word_piece, rules->board->squares);
}

/* -- Units without kings: nothing but exits ----------------------------------------------------------------
 */

/* Solves the side of a unit that stands at `base` and counts it. */
static void solve_position(struct exits *exits, const struct unit *unit, const struct placement *placement,
                           uint8_t *values, struct solver_counts *counts)
{
    const struct position position = {.own_men = placement->own_men, .opponent_men = placement->opponent_men};
    uint16_t ignored;
    uint8_t state = exits_state(exits, &position, NULL, &ignored);
    enum value value = state == SAFE ? DRAW : state == OPEN ? LOSS : (enum value)state;
    int member = slice_equal(placement->slice, unit->pair->name) ? 0 : 1;
    values[placement->base] = (uint8_t)value;
    counts->values[member][value]++;
}

static enum status solve_men(const struct plan *plan, const struct piece *piece, struct values *values,
                             const struct solution *solution, struct solver_counts *counts, bool *settled)
{
    uint8_t *places = solution->values;
    struct exits *exits = malloc(sizeof *exits);
    if (!exits)
        return STATUS_NO_MEMORY;
    enum phase phase = phase_enter(PHASE_FIRST_PASS);
    struct solver_counts found = {0};
    exits_begin(exits, plan->variant, values);
    memset(places, PLACE_HOLE, piece->places);
    for (uint64_t men = piece->first_men; men < piece->first_men + piece->men; men++) {
        const struct unit unit = {plan->pairs[piece->pair], piece, 2, men, 1};
        struct placement placements[2];
        bool exists[2];
        unit_placements(&unit, men, placements, exists);
        for (int side = 0; side < 2; side++)
            if (exists[side])
                solve_position(exits, &unit, &placements[side], places, &found);
    }
    found.captures = exits->captured;
    *settled = !exits->limited;
    if (*settled)
        solver_counts_add(counts, &found);
    enum status status = capture_search_status(&exits->captures);
    free(exits);
    phase_enter(phase);
    return status;
}

/* -- Choosing --------------------------------------------------------------------------------------------
 */

static bool knows(const struct slice_pair *pair, bool distances)
{
    bool has_kings = pair->name.own_kings + pair->name.opponent_kings > 0;
    return (has_kings || !distances) && !pair->whole_cells && code_of(pair->variant);
}

static enum status solve(const struct plan *plan, const struct piece *piece, struct values *values,
                         const struct solution *solution, struct solver_counts *counts)
{
    const struct slice_pair *pair = plan->pairs[piece->pair];
    bool has_kings = pair->name.own_kings + pair->name.opponent_kings > 0;
    word_piece *code = has_kings ? code_of(plan->variant) : solve_men;
    bool settled = false;
    enum status status = STATUS_OK;
    if (knows(pair, solution->distances != NULL))
        status = code(plan, piece, values, solution, counts, &settled);
    if (status != STATUS_OK || settled)
        return status;
    return scalar_solver.solve(plan, piece, values, solution, counts);
}

static uint64_t memory(const struct variant *variant, uint64_t places, bool distances)
{
    uint64_t scalar = scalar_solver.memory(variant, places, distances);
    uint64_t words = (distances ? PLACE_BYTES_WITH_DISTANCES : PLACE_BYTES) * places + FIXED_BYTES;
    return words > scalar && code_of(variant) ? words : scalar;
}

const struct solver word_solver = {.name = "word", .memory = memory, .solve = solve};
