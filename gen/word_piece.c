/* The word solver on one board: units of a piece one after the other, each as rows of words. */
#include "word_piece.h"

#include "phases.h"
#include "word_distances.h"
#include "word_name.h"
#include "word_places.h"

/* All of the first pass of a side. */
static enum status first_pass(struct work *work, int mover)
{
    struct side *side = &work->sides[mover];
    struct king_captures captures = {.mover = mover};
    struct man_moves moves;
    struct man_moves *all = work->distances ? &work->distances->moves[mover] : &moves;
    enum status status = man_moves_find(work, mover, all);
    if (status == STATUS_OK && side->kings > 0)
        status = king_captures_begin(work, mover, &captures);
    for (uint32_t plane = 0; plane < side->planes && status == STATUS_OK && !work->spoilt;
         plane += work->batch.planes) {
        batch_fill(work, mover, plane);
        clear_batch(&work->batch);
        if (side->kings > 0)
            captures_by_kings(work, &captures);
        moves_of_men(work, all);
        decide_captures(work, mover);
        if (work->distances)
            store_with_distances(work, mover);
        else if (side->kings > 0)
            store_batch(work, side);
        else
            store_kingless(work, side);
    }
    return status;
}

static void side_release(struct side *side)
{
    free(side->open);
    free(side->wins);
    free(side->changed);
}

static void work_release(struct work *work)
{
    tables_release(work);
    for (int i = 0; i < 2; i++)
        side_release(&work->sides[i]);
    for (int n = 0; n <= MAX_CHOSEN; n++)
        free(work->sets[n]);
    free(work->batch.room);
    if (work->distances)
        distances_end(work->distances);
    free(work->distances);
    free(work->captures);
    free(work);
}

/* Room for the forms of a side. */
static bool side_allocate(struct side *side, bool distances)
{
    side->changed = malloc(sets_of(side->kings));
    side->wins = malloc(2 * side->result_size * sizeof *side->wins);
    side->losses = side->wins ? side->wins + side->result_size : NULL;
    if (!side->changed || !side->wins)
        return false;
    if (side->kings == 0 && !distances)
        return true;
    side->open = malloc((distances ? 7 : 4) * side->size * sizeof *side->open);
    if (!side->open)
        return false;
    side->safe = side->open + side->size;
    side->new_wins = side->safe + side->size;
    side->new_losses = side->new_wins + side->size;
    if (distances) {
        side->first_wins = side->new_losses + side->size;
        side->first_losses = side->first_wins + side->size;
        side->exits = side->first_losses + side->size;
    }
    return true;
}

static bool work_allocate(struct work *work, const struct slice_pair *pair, const struct solution *solution)
{
    int kings[2] = {pair->name.own_kings, pair->name.opponent_kings};
    if (solution->distances) {
        work->distances = calloc(1, sizeof *work->distances);
        if (!work->distances || !distances_begin(work->distances))
            return false;
        work->distances->solution = solution;
    }
    work->captures = malloc(sizeof *work->captures);
    bool enough = work->captures;
    for (int i = 0; i < 2 && enough; i++)
        enough = side_measure(work, &work->sides[i], kings[i], kings[1 - i]) &&
                 side_allocate(&work->sides[i], work->distances);
    return enough && all_sets(work, 0) && batch_allocate(work);
}

/* Below so many positions all of a unit counts as its first pass: the clock would take as long. */
enum { SMALL_UNIT = 1024 };

/* Solves a unit; both placements have its men. Only the sides that exist are written and counted. */
static enum status solve_unit(struct work *work, const struct unit *unit,
                              const struct placement placements[2], const bool exists[2], uint8_t *values)
{
    work->men[0] = (word)placements[0].own_men;
    work->men[1] = (word)placements[0].opponent_men;
    enum status status = STATUS_OK;
    tables_begin(work);
    if (work->distances)
        distances_of_unit(work, unit, placements, exists);
    for (int i = 0; i < 2 && status == STATUS_OK; i++) {
        struct side *side = &work->sides[i];
        uint64_t before = work->captured;
        memset(side->wins, 0, 2 * side->result_size * sizeof *side->wins);
        status = first_pass(work, i);
        work->captured = exists[i] ? work->captured : before;
    }
    bool small = unit->pair->kings < SMALL_UNIT;
    enum phase phase = small ? PHASE_FIRST_PASS : phase_enter(PHASE_PLIES);
    if (status == STATUS_OK && !work->spoilt) {
        uint32_t plies = work->distances ? spread_by_plies(work) : spread(work);
        work->plies = plies > work->plies ? plies : work->plies;
    }
    for (int i = 0; i < 2 && status == STATUS_OK && !work->distances; i++)
        if (exists[i])
            status = write_places(work, i, unit, &placements[i], values);
    if (!small)
        phase_enter(phase);
    return status;
}

static enum status solve_units(struct work *work, const struct piece *piece, const struct solution *solution)
{
    uint8_t *values = solution->values;
    const struct slice_pair *pair = work->plan->pairs[piece->pair];
    enum status status = STATUS_OK;
    memset(values, PLACE_HOLE, piece->places);
    if (solution->distances)
        memset(solution->distances, 0, piece->places * sizeof *solution->distances);
    for (uint64_t men = piece->first_men;
         men < piece->first_men + piece->men && status == STATUS_OK && !work->spoilt; men++) {
        struct unit unit = {pair, piece, 2, men, 1};
        struct placement placements[2];
        bool exists[2];
        unit_placements(&unit, men, placements, exists);
        if (exists[0])
            status = solve_unit(work, &unit, placements, exists, values);
    }
    if (status == STATUS_OK && work->distances)
        status = work->distances->status;
    return status == STATUS_OK ? capture_search_status(work->captures) : status;
}

/* A position that is decided in sweep n has a distance of at most n + 2, since captures have decided some in
 * one ply before. */
static bool is_settled(const struct work *work)
{
    uint32_t limit = work->variant->rules.limit;
    if (work->distances)
        return !work->spoilt;
    return limit == 0 || (!work->spoilt && work->plies + 2 <= limit);
}

enum status NAMED(word_piece)(const struct plan *plan, const struct piece *piece, struct values *values,
                              const struct solution *solution, struct solver_counts *counts, bool *settled)
{
    struct work *work = calloc(1, sizeof *work);
    if (!work)
        return STATUS_NO_MEMORY;
    work->plan = plan;
    work->variant = plan->variant;
    work->values = values;
    work->pair = piece->pair;
    enum status status = STATUS_NO_MEMORY;
    if (work_allocate(work, plan->pairs[piece->pair], solution)) {
        capture_search_begin(work->captures, plan->variant, values);
        enum phase phase = phase_enter(PHASE_FIRST_PASS);
        status = solve_units(work, piece, solution);
        phase_enter(phase);
    }
    *settled = is_settled(work);
    if (status == STATUS_OK && *settled) {
        struct solver_counts found = {.captures = work->captured, .plies = work->plies};
        memcpy(found.values, work->found, sizeof found.values);
        solver_counts_add(counts, &found);
    }
    work_release(work);
    return status;
}
