/* The word solver: one king is the bits of a machine word (docs/design.md, section 5). What it does not know
 * it leaves to the scalar solver: distances, units of whole cells, special ends, and positions without kings.
 */
#include "solver.h"
#include "word_machine.h"
#include "word_piece.h"

/* Bytes of a place: rows of both forms, and tables of what moves lead to. */
enum { PLACE_BYTES = 8, FIXED_BYTES = 48 << 20 };

/* The code for a variant's board, or null. */
static word_piece *code_of(const struct variant *variant)
{
    const struct rules *rules = &variant->rules;
    if (rules->board->orthogonal || rules->special_end != NO_SPECIAL_END || rules->gone_now)
        return NULL;
    return WORD_CODE(word_piece, rules->board->squares);
}

static bool knows(const struct slice_pair *pair, bool distances)
{
    return !distances && !pair->whole_cells && pair->name.own_kings + pair->name.opponent_kings > 0 &&
           code_of(pair->variant);
}

static enum status solve(const struct plan *plan, const struct piece *piece, struct values *values,
                         const struct solution *solution, struct solver_counts *counts)
{
    const struct slice_pair *pair = plan->pairs[piece->pair];
    bool settled = false;
    enum status status = STATUS_OK;
    if (knows(pair, solution->distances != NULL))
        status = code_of(plan->variant)(plan, piece, values, solution->values, counts, &settled);
    if (status != STATUS_OK || settled)
        return status;
    return scalar_solver.solve(plan, piece, values, solution, counts);
}

static uint64_t memory(const struct variant *variant, uint64_t places, bool distances)
{
    uint64_t scalar = scalar_solver.memory(variant, places, distances);
    uint64_t words = PLACE_BYTES * places + FIXED_BYTES;
    return words > scalar && code_of(variant) && !distances ? words : scalar;
}

const struct solver word_solver = {.name = "word", .memory = memory, .solve = solve};
