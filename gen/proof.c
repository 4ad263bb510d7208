/* One position after the other: derive, compare, count. */
#include "proof.h"

#include "distance.h"
#include "walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* -- Slices ---------------------------------------------------------------------------------------------- */

static enum status find_successors(struct proof *proof)
{
    struct truth *truth = proof->truth;
    struct slice slice = slice_mirror(proof->slice->slice);
    proof->same = truth_find(truth, slice);
    if (!proof->same)
        return truth_fail(truth, slice, METRIC_WDL, STATUS_NO_TABLE, NULL);
    proof->crowned = NULL;
    if (slice.opponent_men == 0)
        return STATUS_OK;
    slice.opponent_men--;
    slice.opponent_kings++;
    proof->crowned = truth_find(truth, slice);
    if (!proof->crowned)
        return truth_fail(truth, slice, METRIC_WDL, STATUS_NO_TABLE, NULL);
    if (proof->slice->distances && !proof->crowned->distances && !forward_steps_zero(truth_variant(truth)))
        return truth_fail(truth, slice, METRIC_DTZ, STATUS_NO_TABLE, NULL);
    return STATUS_OK;
}

enum status proof_begin(struct proof *proof, struct truth *truth, struct slice slice)
{
    proof->truth = truth;
    proof->slice = truth_find(truth, slice);
    if (!proof->slice)
        return truth_fail(truth, slice, METRIC_WDL, STATUS_NO_TABLE, NULL);
    enum status status = find_successors(proof);
    if (status != STATUS_OK)
        return status;
    proof->special = value_by_special_end(truth_variant(truth), slice, &proof->special_value);
    successors_begin(&proof->successors, proof->same->numbering,
                     proof->crowned ? proof->crowned->numbering : NULL);
    return STATUS_OK;
}

/* -- Deriving -------------------------------------------------------------------------------------------- */

/* What the moves of a position come to. */
struct outcome {
    bool drawn;
    uint32_t least[2];    /* of moves to (blessed) losses, at least and at most; UINT32_MAX: none */
    uint32_t greatest[2]; /* of moves to (cursed) wins */
};

/* Distances that a position of the value can have, when its own is not stored. */
static void possible_distances(const struct variant *variant, enum value value, uint32_t range[2])
{
    uint32_t limit = variant->rules.limit ? variant->rules.limit : MOST_DISTANCE;
    bool limited = value == CURSED_WIN || value == BLESSED_LOSS;
    range[0] = limited ? limit + 1 : 0; /* a special end wins in 0 */
    range[1] = limited ? MOST_DISTANCE : limit;
}

/* Plies that a move counts, at least and at most, if it leads to number `place` of the block. */
static inline void plies_through(const struct proof *proof, const struct successor *move,
                                 const struct truth_block *block, size_t place, uint32_t plies[2])
{
    const struct variant *variant = proof->successors.variant;
    const struct truth_slice *slice = move->crowned ? proof->crowned : proof->same;
    enum value value = (enum value)(block->values[place] & ~TRUTH_CAPTURE);
    if (move->zeroes || slice->distances || (block->values[place] & TRUTH_CAPTURE)) {
        plies[0] = plies[1] = distance_through(variant, move->zeroes, value, block->distances[place]);
        return;
    }
    possible_distances(variant, value, plies);
    plies[0] = distance_through(variant, false, value, plies[0]);
    plies[1] = distance_through(variant, false, value, plies[1]);
}

static enum status weigh_move(struct proof *proof, const struct position *position, const struct move *move,
                              struct outcome *outcome)
{
    struct successor after = successors_after(&proof->successors, position, move);
    const struct truth_block *block =
        truth_block(proof->truth, after.crowned ? proof->crowned : proof->same, after.number);
    if (!block)
        return truth_status(proof->truth);
    size_t place = after.number % TRUTH_SIZE;
    enum value value = (enum value)(block->values[place] & ~TRUTH_CAPTURE);
    uint32_t plies[2];
    if (value == DRAW) {
        outcome->drawn = true;
        return STATUS_OK;
    }
    plies_through(proof, &after, block, place, plies);
    for (int i = 0; i < 2; i++) {
        if (value < DRAW && plies[i] < outcome->least[i])
            outcome->least[i] = plies[i];
        if (value > DRAW && plies[i] > outcome->greatest[i])
            outcome->greatest[i] = plies[i];
    }
    return STATUS_OK;
}

/* Looks at all quiet moves, or at fewer if one already wins as soon as can be. */
static enum status weigh_moves(struct proof *proof, const struct position *position, struct outcome *outcome)
{
    struct move_list *list = &proof->list;
    move_list_clear(list);
    proof->successors.variant->moves->quiet(position, list);
    if (list->overflowed)
        return truth_fail(proof->truth, proof->slice->slice, METRIC_WDL, STATUS_TOO_MANY_MOVES, NULL);
    for (int i = 0; i < list->count && outcome->least[1] > 1; i++) {
        enum status status = weigh_move(proof, position, &list->moves[i], outcome);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* What a position without a capture comes to. */
static enum status derive(struct proof *proof, const struct position *position, struct derivation *derived)
{
    if (proof->special) {
        *derived = (struct derivation){proof->special_value, 0, 0};
        return STATUS_OK;
    }
    struct outcome outcome = {.least = {UINT32_MAX, UINT32_MAX}};
    enum status status = weigh_moves(proof, position, &outcome);
    if (status != STATUS_OK)
        return status;
    if (outcome.least[1] != UINT32_MAX)
        *derived = (struct derivation){WIN, outcome.least[0], outcome.least[1]};
    else if (outcome.drawn)
        *derived = (struct derivation){DRAW, 0, 0};
    else
        *derived = (struct derivation){LOSS, outcome.greatest[0], outcome.greatest[1]};
    return STATUS_OK;
}

/* -- Comparing and counting ------------------------------------------------------------------------------ */

/* Exact where the slice has distances: least and greatest are then the same. */
static bool agrees(const struct proof *proof, const struct derivation *derived, enum value value,
                   uint16_t distance)
{
    const struct variant *variant = proof->successors.variant;
    if (!proof->slice->distances)
        return value == value_at_distance(variant, derived->plain, derived->least) ||
               value == value_at_distance(variant, derived->plain, derived->greatest);
    return derived->least == derived->greatest && distance == derived->least &&
           value == value_at_distance(variant, derived->plain, distance);
}

static void count(const struct proof *proof, enum value value, uint16_t distance, struct proof_tally *tally)
{
    tally->counts[value]++;
    if (proof->slice->distances && (value == WIN || value == LOSS) && distance >= tally->greatest[value])
        tally->greatest[value] = distance + UINT64_C(1);
}

/* Proves the positions of the block that was copied. The walk stands at the first and is left behind the
 * last.
 */
static enum status prove_block(struct proof *proof, struct walk *walk, size_t positions,
                               struct proof_tally *tally, enum proof_result *result,
                               struct proof_fault *fault)
{
    for (size_t i = 0; i < positions; i++, walk_next(walk)) {
        enum value value = (enum value)(proof->block.values[i] & ~TRUTH_CAPTURE);
        uint16_t distance = proof->block.distances[i];
        count(proof, value, distance, tally);
        if (proof->block.values[i] & TRUTH_CAPTURE)
            continue;
        struct derivation derived;
        enum status status = derive(proof, &walk->position, &derived);
        if (status != STATUS_OK)
            return status;
        if (!agrees(proof, &derived, value, distance)) {
            *fault = (struct proof_fault){walk->number, value, distance, derived};
            *result = PROOF_FAILS;
            return STATUS_OK;
        }
    }
    return STATUS_OK;
}

enum status proof_run(struct proof *proof, uint64_t first, uint64_t count, struct proof_tally *tally,
                      enum proof_result *result, struct proof_fault *fault)
{
    struct walk walk;
    *result = PROOF_HOLDS;
    walk_begin(&walk, proof->slice->numbering, first);
    while (count > 0 && *result == PROOF_HOLDS) {
        size_t part = count < TRUTH_SIZE ? (size_t)count : TRUTH_SIZE;
        const struct truth_block *block = truth_block(proof->truth, proof->slice, walk.number);
        if (!block)
            return truth_status(proof->truth);
        memcpy(&proof->block, block, sizeof proof->block);
        enum status status = prove_block(proof, &walk, part, tally, result, fault);
        if (status != STATUS_OK)
            return status;
        count -= part;
    }
    return STATUS_OK;
}

/* -- Headers --------------------------------------------------------------------------------------------- */

static enum proof_result compare_counts(const struct table *table, int member,
                                        const struct proof_tally *tally, char *text)
{
    const struct table_member *header = &table_header(table)->member[member];
    for (int value = VALUES - 1; value >= 0; value--)
        if (header->counts[value] != tally->counts[value]) {
            snprintf(text, PROOF_TEXT_SIZE, "the header counts %" PRIu64 " %s, and there are %" PRIu64,
                     header->counts[value], value_text((enum value)value), tally->counts[value]);
            return PROOF_FAILS;
        }
    return PROOF_HOLDS;
}

static void distance_write(uint32_t distance, char text[16])
{
    if (distance == NO_DISTANCE)
        snprintf(text, 16, "none");
    else
        snprintf(text, 16, "%" PRIu32, distance);
}

static enum proof_result compare_greatest(uint32_t stored, uint64_t tallied, enum value value, char *text)
{
    uint32_t found = tallied ? (uint32_t)(tallied - 1) : NO_DISTANCE;
    char texts[2][16];
    if (stored == found)
        return PROOF_HOLDS;
    distance_write(stored, texts[0]);
    distance_write(found, texts[1]);
    snprintf(text, PROOF_TEXT_SIZE, "the header's greatest distance of a %s is %s, and it is %s",
             value_text(value), texts[0], texts[1]);
    return PROOF_FAILS;
}

enum proof_result proof_headers(const struct truth_slice *slice, const struct proof_tally *tally,
                                enum metric *metric, char *text)
{
    static const struct proof_tally none;
    const struct table *tables[] = {slice->values, slice->distances};
    for (int i = 0; i < 2 && tables[i]; i++) {
        const struct table_member *header = &table_header(tables[i])->member[slice->member];
        const uint64_t *greatest = i == 1 ? tally->greatest : none.greatest;
        *metric = i == 1 ? METRIC_DTZ : METRIC_WDL;
        if (compare_counts(tables[i], slice->member, tally, text) == PROOF_FAILS ||
            compare_greatest(header->greatest_win, greatest[WIN], WIN, text) == PROOF_FAILS ||
            compare_greatest(header->greatest_loss, greatest[LOSS], LOSS, text) == PROOF_FAILS)
            return PROOF_FAILS;
    }
    return PROOF_HOLDS;
}

/* -- Texts ----------------------------------------------------------------------------------------------- */

bool proof_fault_in_distance(const struct proof *proof, const struct proof_fault *fault)
{
    const struct derivation *derived = &fault->derived;
    return proof->slice->distances &&
           fault->value == value_at_distance(proof->successors.variant, derived->plain, derived->least);
}

void proof_fault_write(const struct proof *proof, const struct proof_fault *fault, char text[PROOF_TEXT_SIZE])
{
    const struct variant *variant = proof->successors.variant;
    const struct derivation *derived = &fault->derived;
    enum value low = value_at_distance(variant, derived->plain, derived->least);
    enum value high = value_at_distance(variant, derived->plain, derived->greatest);
    if (proof->slice->distances)
        snprintf(text, PROOF_TEXT_SIZE, "stored %s in %d, derived %s in %" PRIu32, value_text(fault->value),
                 fault->distance, value_text(low), derived->least);
    else
        snprintf(text, PROOF_TEXT_SIZE, "stored %s, derived %s%s%s", value_text(fault->value),
                 value_text(low), low == high ? "" : " or ", low == high ? "" : value_text(high));
}
