/* The generator's parts without ranks: the plan of a run, the scalar solver and the restoring one on a work
 * store of their own, the cache of values, and the store itself when files are damaged or cut. */
#include "fen.h"
#include "plain_values.h"
#include "small_set.h"
#include "solver.h"
#include "store.h"
#include "temporary.h"
#include "workshop.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { ROOMY = 64 << 20 };

static const char *const variants[] = {"italian", "portuguese", "turkish", "damii"};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

/* The sanitised twin of this program is slow. */
static bool is_sanitised(void)
{
    const char *tests = getenv("DAMABASE_TESTS");
    return tests && strcmp(tests, "sanitised") == 0;
}

static struct plan *plan_of(const char *variant, int pieces)
{
    return plan_of_variant(variant_named(variant), pieces);
}

/* -- Plans --------------------------------------------------------------------------------------------- */

static uint32_t group_of(const struct plan *plan, uint32_t pair)
{
    uint32_t group = 0;
    while (pair >= plan->groups[group].first_pair + plan->groups[group].pairs)
        group++;
    return group;
}

/* Everything a pair's moves lead to by leaving the pair is built in an earlier group. */
static void check_order(const struct plan *plan)
{
    for (uint32_t pair = 0; pair < plan->pair_count; pair++) {
        struct slice successors[MAX_SUCCESSORS];
        size_t count = plan_successors(plan->pairs[pair]->name, successors);
        for (size_t i = 0; i < count; i++) {
            int32_t found = plan_find(plan, successors[i]);
            assert_true(found >= 0);
            assert_true(group_of(plan, (uint32_t)found / 2) < group_of(plan, pair));
        }
    }
}

static void check_groups(const struct plan *plan)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < plan->group_count; i++) {
        const struct group *group = &plan->groups[i];
        assert_int_equal(group->first_pair, next);
        assert_true(group->pairs > 0);
        next += group->pairs;
        for (uint32_t pair = group->first_pair; pair < next; pair++) {
            assert_int_equal(slice_pieces(plan->pairs[pair]->name), group->pieces);
            assert_int_equal(slice_men(plan->pairs[pair]->name), group->men);
            assert_false(plan_pair_has_level(plan, pair, group->most_advancement + 1));
        }
    }
    assert_int_equal(next, plan->pair_count);
}

static void check_names(const struct plan *plan)
{
    for (uint32_t pair = 0; pair < plan->pair_count; pair++) {
        struct slice name = plan->pairs[pair]->name;
        struct slice mirror = slice_mirror(name);
        assert_int_equal(plan_find(plan, name), 2 * pair);
        assert_int_equal(plan_find(plan, mirror), slice_equal(name, mirror) ? 2 * pair : 2 * pair + 1);
    }
}

/* Pairs of slices with exactly that many pieces, counted by the book. */
static uint32_t pairs_with(int pieces)
{
    uint32_t slices = 0;
    uint32_t own_mirrors = 0;
    for (int own = 1; own < pieces; own++) {
        slices += (uint32_t)((own + 1) * (pieces - own + 1));
        own_mirrors += 2 * own == pieces ? (uint32_t)(own + 1) : 0;
    }
    return (slices + own_mirrors) / 2;
}

static void test_plan_of_pieces(void **state)
{
    (void)state;
    for (size_t i = 0; i < VARIANTS; i++) {
        uint32_t pairs = 0;
        for (int pieces = 2; pieces <= (is_sanitised() ? 3 : 5); pieces++) {
            struct plan *plan = plan_of(variants[i], pieces);
            pairs += pairs_with(pieces);
            assert_int_equal(plan->pair_count, pairs);
            check_order(plan);
            check_groups(plan);
            check_names(plan);
            plan_destroy(plan);
        }
    }
}

static void test_plan_of_a_slice(void **state)
{
    static const char *const expected[] = {"01v01", "01v10", "10v10", "02v01", "02v10",
                                           "11v01", "11v10", "20v01", "20v10", "03v01",
                                           "03v10", "12v01", "12v10", "21v01", "21v10"};
    (void)state;
    for (int mirror = 0; mirror < 2; mirror++) {
        struct plan *plan = plan_of_slice("portuguese", mirror ? "10v21" : "21v10");
        assert_int_equal(plan->pair_count, sizeof expected / sizeof expected[0]);
        for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
            struct slice slice;
            assert_true(slice_read(expected[i], &slice));
            assert_true(plan_find(plan, slice) >= 0);
        }
        check_order(plan);
        check_groups(plan);
        plan_destroy(plan);
    }
}

static void check_impossible(const char *name, enum status expected)
{
    struct slice slice;
    struct slice culprit;
    struct plan *plan;
    assert_true(slice_read(name, &slice));
    const struct request request = {.slices = &slice, .slice_count = 1};
    assert_int_equal(plan_create(variant_named("italian"), &request, &plan, &culprit), expected);
    assert_null(plan);
    if (expected == STATUS_BAD_SLICE)
        assert_true(slice_equal(culprit, slice));
}

static void test_impossible_plans(void **state)
{
    (void)state;
    check_impossible("99v99", STATUS_BAD_SLICE); /* 36 pieces on 32 squares */
    check_impossible("99v09", STATUS_TOO_MANY_PIECES);
}

/* -- Pieces of work ------------------------------------------------------------------------------------ */

/* Places that some position has, a flag each, by pair and chunk. */
struct coverage {
    uint8_t ***of;
};

static struct coverage coverage_make(const struct plan *plan)
{
    struct coverage coverage = {calloc(plan->pair_count, sizeof *coverage.of)};
    assert_non_null(coverage.of);
    for (uint32_t pair = 0; pair < plan->pair_count; pair++) {
        coverage.of[pair] = calloc(plan->layouts[pair].chunks, sizeof **coverage.of);
        assert_non_null(coverage.of[pair]);
    }
    return coverage;
}

static void coverage_destroy(struct coverage *coverage, const struct plan *plan)
{
    for (uint32_t pair = 0; pair < plan->pair_count; pair++) {
        for (uint32_t chunk = 0; chunk < plan->layouts[pair].chunks; chunk++)
            free(coverage->of[pair][chunk]);
        free(coverage->of[pair]);
    }
    free(coverage->of);
}

/* Gives every chunk of a level's pieces its flags; no chunk may be met twice. */
static void cover_level(const struct plan *plan, const struct group *group, int advancement,
                        const bool *wanted, struct coverage *coverage)
{
    struct piece *pieces;
    size_t count;
    assert_int_equal(plan_level(plan, group, advancement, wanted, &pieces, &count), STATUS_OK);
    for (size_t i = 0; i < count; i++) {
        const struct piece *piece = &pieces[i];
        const struct cell_layout *layout = &plan->layouts[piece->pair].cells[piece->cell];
        assert_true(i == 0 || pieces[i - 1].places >= piece->places);
        assert_true(piece->places <= plan_largest_piece(plan));
        for (uint64_t first = 0; first < piece->places; first += CHUNK_POSITIONS) {
            uint32_t chunk = layout_chunk(layout, piece->number, first);
            assert_true(chunk < plan->layouts[piece->pair].chunks);
            assert_null(coverage->of[piece->pair][chunk]);
            coverage->of[piece->pair][chunk] = calloc(1, CHUNK_POSITIONS);
            assert_non_null(coverage->of[piece->pair][chunk]);
        }
    }
    free(pieces);
}

/* Flags the place of a position, which has to be free, and returns whether it was. */
static bool cover_position(const struct plan *plan, uint32_t pair, int member, uint64_t number,
                           const struct position *position, struct coverage *coverage)
{
    const struct slice_pair *slices = plan->pairs[pair];
    struct place place = slice_pair_place(slices, member, position->own_men, position->opponent_men);
    const struct cell_layout *layout = &plan->layouts[pair].cells[place.cell];
    struct piece piece =
        layout_piece(&plan->layouts[pair], pair, place.cell, (uint32_t)(place.men >> layout->unit_bits));
    uint64_t row = (place.men - piece.first_men) * layout->sides + (uint64_t)place.side;
    uint64_t offset = row * slices->kings + number % slices->kings;
    uint8_t *flags = coverage->of[pair][layout_chunk(layout, piece.number, offset)];
    assert_non_null(flags);
    bool free = !flags[offset % CHUNK_POSITIONS];
    flags[offset % CHUNK_POSITIONS] = 1;
    return free;
}

static void check_coverage(const char *variant, int pieces)
{
    struct plan *plan = plan_of(variant, pieces);
    struct coverage coverage = coverage_make(plan);
    bool *wanted = malloc(plan->pair_count * sizeof *wanted);
    assert_non_null(wanted);
    memset(wanted, true, plan->pair_count * sizeof *wanted);
    for (uint32_t i = 0; i < plan->group_count; i++)
        for (int advancement = plan->groups[i].most_advancement; advancement >= 0; advancement--)
            cover_level(plan, &plan->groups[i], advancement, wanted, &coverage);
    for (uint32_t pair = 0; pair < plan->pair_count; pair++) {
        const struct slice_pair *slices = plan->pairs[pair];
        for (int member = 0; member < (slices->own_mirror ? 1 : 2); member++)
            for (uint64_t number = 0; number < slices->members[member]->positions; number++) {
                struct position position = numbering_position(slices->members[member], number);
                assert_true(cover_position(plan, pair, member, number, &position, &coverage));
            }
    }
    free(wanted);
    coverage_destroy(&coverage, plan);
    plan_destroy(plan);
}

static void test_pieces_cover_all_positions_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < VARIANTS; i++)
        check_coverage(variants[i], is_sanitised() ? 2 : 3);
}

/* -- Solving ------------------------------------------------------------------------------------------- */

static struct workshop *solve_all(const char *variant, int pieces, size_t budget)
{
    return solve_plan(plan_of(variant, pieces), false, budget);
}

/* Value of a position for its side to move. */
static enum value value_of(struct workshop *shop, const struct position *position)
{
    struct position turned = position_turned(shop->plan->variant->rules.board, position);
    return values_after(shop->values, &turned);
}

/* Visits every position of the workshop's plan; every look-up has to succeed. */
static void for_all_positions(struct workshop *shop, void *context,
                              void (*visit)(struct workshop *shop, const struct position *position,
                                            void *context))
{
    for (uint32_t pair = 0; pair < shop->plan->pair_count; pair++)
        for (int member = 0; member < 2; member++) {
            const struct numbering *numbering = shop->plan->pairs[pair]->members[member];
            for (uint64_t number = 0; number < numbering->positions; number++) {
                struct position position = numbering_position(numbering, number);
                visit(shop, &position, context);
            }
        }
    assert_int_equal(values_status(shop->values), STATUS_OK);
}

static void compare_with_set(struct workshop *shop, const struct position *position, void *set)
{
    assert_int_equal(value_of(shop, position), small_set_value(set, position));
}

static void check_solution(const char *variant, int pieces)
{
    struct workshop *shop = solve_all(variant, pieces, ROOMY);
    struct small_set *set = small_set_solve(variant, pieces);
    for_all_positions(shop, set, compare_with_set);
    small_set_destroy(set);
    workshop_close(shop);
}

static void test_scalar_solver(void **state)
{
    (void)state;
    for (size_t i = 0; i < VARIANTS; i++)
        check_solution(variants[i], is_sanitised() ? 2 : 3);
}

static bool bit_at(const uint64_t *bits, uint64_t number)
{
    return (bits[number / 64] >> (number % 64)) & 1;
}

/* Bits of a block against its values one by one. */
static void check_bits(struct workshop *shop, const struct piece *piece, uint64_t first, uint64_t count,
                       bool spoilt_expected)
{
    const struct values_block block = {*piece, first, count};
    size_t words = count / 64 + 2;
    uint64_t *room = malloc(3 * words * sizeof *room);
    uint8_t *places = malloc(count);
    assert_true(room && places);
    struct value_bits bits = {room, room + words, room + 2 * words, false};
    assert_int_equal(values_bits(shop->values, &block, &bits), STATUS_OK);
    assert_int_equal(values_places(shop->values, piece, first, (size_t)count, places), STATUS_OK);
    assert_true(spoilt_expected || !bits.any_spoilt);
    for (uint64_t i = 0; i < count; i++) {
        bool spoilt = value_is_spoilt((enum value)places[i]);
        assert_int_equal(bit_at(bits.wins, i), places[i] == WIN || places[i] == CURSED_WIN);
        assert_int_equal(bit_at(bits.losses, i), places[i] == LOSS || places[i] == BLESSED_LOSS);
        assert_int_equal(bit_at(bits.spoilt, i), spoilt);
        assert_true(bits.any_spoilt || !spoilt);
    }
    free(places);
    free(room);
}

static void check_bits_of_pair(struct workshop *shop, uint32_t pair, bool spoilt_expected)
{
    const struct layout *layout = &shop->plan->layouts[pair];
    uint64_t kings = layout->pair->kings;
    for (uint32_t cell = 0; cell < layout->pair->members[0]->cell_count; cell++)
        for (uint32_t number = 0; number < layout->cells[cell].pieces; number++) {
            const struct piece piece = layout_piece(layout, pair, cell, number);
            for (uint64_t first = 0; first < piece.places; first += kings)
                check_bits(shop, &piece, first, kings, spoilt_expected);
            check_bits(shop, &piece, piece.places / 3, piece.places - piece.places / 3, spoilt_expected);
        }
}

static void test_bits_of_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < VARIANTS; i++) {
        struct workshop *shop = solve_plan(plan_of(variants[i], is_sanitised() ? 2 : 3), false, ROOMY);
        for (uint32_t pair = 0; pair < shop->plan->pair_count; pair++)
            check_bits_of_pair(shop, pair, shop->plan->variant->rules.limit > 0);
        workshop_close(shop);
    }
}

/* With room for a single chunk the same comes out, only later. */
static void test_tiny_cache(void **state)
{
    (void)state;
    for (size_t i = 0; i < VARIANTS; i++) {
        int pieces = is_sanitised() ? 2 : 3;
        struct workshop *roomy = solve_all(variants[i], pieces, ROOMY);
        struct workshop *tiny = solve_all(variants[i], pieces, 1);
        assert_int_equal(roomy->pieces, tiny->pieces);
        assert_memory_equal(roomy->digests, tiny->digests, roomy->pieces * sizeof roomy->digests[0]);
        assert_true(values_held(tiny->values) <= MOST_CHUNK_BYTES);
        assert_true(store_bytes_read(tiny->store) > store_bytes_read(roomy->store));
        workshop_close(tiny);
        workshop_close(roomy);
    }
}

/* -- Distances and limits ------------------------------------------------------------------------------ */

struct result {
    enum value value;
    uint32_t distance;
};

static struct result result_of(struct workshop *shop, const struct position *position)
{
    struct result result;
    struct position turned = position_turned(shop->plan->variant->rules.board, position);
    result.value = values_distance_after(shop->values, &turned, &result.distance);
    return result;
}

/* What the position's moves make of it, by the equations of docs/design.md, section 5. */
static struct result derived(struct workshop *shop, const struct position *position)
{
    static struct move_list list;
    const struct variant *variant = shop->plan->variant;
    struct result special = {DRAW, 0};
    uint32_t win = UINT32_MAX;
    uint32_t loss = 0;
    bool draw = false;
    assert_int_equal(moves_legal(variant, position, &list, NULL), STATUS_OK);
    if (!variant->moves->has_capture(position) &&
        value_by_special_end(variant, slice_of(position), &special.value))
        return special;
    for (int i = 0; i < list.count; i++) {
        struct position after = position_moved(position, &list.moves[i]);
        uint32_t distance;
        enum value value = values_distance_after(shop->values, &after, &distance);
        uint32_t through = distance_through(variant, move_zeroes(variant, &list.moves[i]), value, distance);
        draw |= value == DRAW;
        if (value < DRAW && through < win)
            win = through;
        if (value > DRAW && through > loss)
            loss = through;
    }
    if (win != UINT32_MAX)
        return (struct result){value_at_distance(variant, WIN, win), win};
    if (draw)
        return (struct result){DRAW, 0};
    return (struct result){value_at_distance(variant, LOSS, loss), loss};
}

/* A position against its successors; *limited counts those that are cursed or blessed. */
static void check_equation(struct workshop *shop, const struct position *position, void *limited)
{
    struct result is = result_of(shop, position);
    struct result has_to_be = derived(shop, position);
    if (is.value != has_to_be.value || is.distance != has_to_be.distance) {
        char fen[FEN_SIZE];
        assert_int_equal(fen_write(shop->plan->variant, position, false, fen), STATUS_OK);
        fail_msg("%s, limit %d, %s: %s %u instead of %s %u", shop->plan->variant->rules.name,
                 shop->plan->variant->rules.limit, fen, value_text(is.value), is.distance,
                 value_text(has_to_be.value), has_to_be.distance);
    }
    *(uint64_t *)limited += value_is_spoilt(is.value);
}

static uint64_t check_equations(struct workshop *shop)
{
    uint64_t limited = 0;
    for_all_positions(shop, &limited, check_equation);
    return limited;
}

/* The plain solver's solution of a workshop's plan, and the rules it went by. */
struct plain_twin {
    struct slow_variant rules;
    struct plain_solution *solution;
};

static void compare_with_plain(struct workshop *shop, const struct position *position, void *context)
{
    const struct plain_twin *twin = context;
    char fen[FEN_SIZE];
    struct slow_position slow;
    assert_int_equal(fen_write(shop->plan->variant, position, false, fen), STATUS_OK);
    assert_true(slow_parse_fen(&twin->rules, fen, &slow));
    enum plain_value plain = plain_value_of(twin->solution, &slow);
    assert_int_not_equal(plain, PLAIN_ABSENT);
    enum value value = value_of_plain(plain, plain_is_spoilt(twin->solution, &slow));
    int distance = plain_dtz(twin->solution, &slow);
    struct result result = result_of(shop, position);
    if (result.value != value || (value != DRAW && (int)result.distance != distance))
        fail_msg("%s, limit %d, %s: %s %u instead of %s %d", twin->rules.name, twin->rules.limit, fen,
                 value_text(result.value), result.distance, value_text(value), distance);
}

/* Every value and distance against the plain solver, which has its rules and equations from elsewhere. */
static void check_with_plain(struct workshop *shop, int pieces)
{
    const struct rules *row = &shop->plan->variant->rules;
    struct plain_twin twin = {.rules = *slow_variant_named(row->name)};
    twin.rules.limit = row->limit;
    assert_int_equal(plain_solve(&twin.rules, pieces, &twin.solution), 0);
    for_all_positions(shop, &twin, compare_with_plain);
    plain_free(twin.solution);
}

/* Solves a row under another limit with distances, and where it may be done without them, that way too. */
static uint64_t check_limit(const struct variant *row, uint16_t limit, int pieces)
{
    struct variant variant = *row;
    variant.rules.limit = limit;
    struct workshop *shop = solve_plan(plan_of_variant(&variant, pieces), true, ROOMY);
    uint64_t limited = check_equations(shop);
    check_with_plain(shop, pieces);
    if (!solver_needs_distances(&variant)) {
        struct workshop *values = solve_plan(plan_of_variant(&variant, pieces), false, ROOMY);
        assert_null(values->solution.distances);
        assert_int_equal(values->pieces, shop->pieces);
        assert_memory_equal(values->digests, shop->digests, shop->pieces * sizeof shop->digests[0]);
        workshop_close(values);
    }
    workshop_close(shop);
    return limited;
}

static int pieces_of_tier(void)
{
    const char *tests = getenv("DAMABASE_TESTS");
    return !tests || strcmp(tests, "short") == 0 || is_sanitised() ? 2 : 3;
}

static void test_equations_of_all_rows(void **state)
{
    (void)state;
    for (size_t v = 0; v < variant_count; v++) {
        const struct slow_variant *slow = slow_variant_named(variant_table[v]->rules.name);
        assert_int_equal(slow->limit, variant_table[v]->rules.limit);
        assert_int_equal(slow->only_captures_zero, !forward_steps_zero(variant_table[v]));
        check_limit(variant_table[v], variant_table[v]->rules.limit, pieces_of_tier());
    }
}

/* Few pieces hardly ever need more plies than a game's own limit: smaller ones make the five values occur. */
static void test_small_limits(void **state)
{
    (void)state;
    uint64_t limited = 0;
    for (size_t v = 0; v < variant_count; v++)
        for (uint16_t limit = 6; limit <= 8; limit += 2)
            limited += check_limit(variant_table[v], limit, pieces_of_tier());
    assert_true(limited > 0);
}

/* The limits of the games themselves with as many pieces as it takes for them to matter. */
static void test_limits_that_bite(void **state)
{
    (void)state;
    if (pieces_of_tier() == 2)
        return;
    assert_true(check_limit(variant_named("portuguese"), 40, 4) > 0);
    assert_int_equal(check_limit(variant_named("italian"), 80, 4), 0);
    assert_true(check_limit(variant_named("italian"), 8, 4) > 0);
}

/* The step of a man that does not zero loses a ply later than the moves of his king, which lose in 2. */
static void test_slowest_loss_counts(void **state)
{
    (void)state;
    struct workshop *shop = solve_plan(plan_of_slice("portuguese", "11v02"), true, ROOMY);
    struct position white_view;
    bool black_to_move;
    char message[FEN_MESSAGE_SIZE];
    assert_int_equal(fen_read(shop->plan->variant, "W:W9,K1:BK32,K26", &white_view, &black_to_move, message),
                     STATUS_OK);
    struct result result = result_of(shop, &white_view);
    assert_int_equal(result.value, LOSS);
    assert_int_equal(result.distance, 3);
    if (!is_sanitised())
        check_equations(shop);
    workshop_close(shop);
}

/* -- Restoring ----------------------------------------------------------------------------------------- */

/* A table as the restoring solver sees it: captures hold nonsense. */
struct table_of_pair {
    struct workshop *shop;
    uint32_t pair;
};

static enum status values_of_table(void *context, int member, uint64_t first, uint64_t count, uint8_t *values)
{
    struct table_of_pair *table = context;
    const struct numbering *numbering = table->shop->plan->pairs[table->pair]->members[member];
    for (uint64_t i = 0; i < count; i++) {
        struct position position = numbering_position(numbering, first + i);
        bool capture = table->shop->plan->variant->moves->has_capture(&position);
        enum value value = value_of(table->shop, &position);
        values[i] = (uint8_t)(capture ? value_turned(value) : value);
    }
    return values_status(table->shop->values);
}

static enum status distances_of_table(void *context, int member, uint64_t first, uint64_t count,
                                      uint16_t *distances)
{
    struct table_of_pair *table = context;
    const struct numbering *numbering = table->shop->plan->pairs[table->pair]->members[member];
    for (uint64_t i = 0; i < count; i++) {
        struct position position = numbering_position(numbering, first + i);
        struct result result = result_of(table->shop, &position);
        bool free = result.value == DRAW || table->shop->plan->variant->moves->has_capture(&position);
        distances[i] = (uint16_t)(free ? 12345 : result.distance);
    }
    return values_status(table->shop->values);
}

static void check_restored_piece(struct workshop *shop, const struct piece *piece)
{
    struct table_of_pair table = {shop, piece->pair};
    const struct solved_pair solved = {values_of_table, distances_of_table, &table};
    struct solver_counts restored = {0};
    struct solver_counts counts = {0};
    struct solution again = {malloc(piece->places), malloc(piece->places * sizeof *again.distances)};
    assert_true(again.values && again.distances);
    /* In parts, whose bounds are anywhere. */
    for (uint64_t first = 0, count; first < piece->places; first += count) {
        count = (first * 7 + 13) % 5000 + 1;
        if (count > piece->places - first)
            count = piece->places - first;
        const struct solution part = {shop->solution.values + first, shop->solution.distances + first};
        assert_int_equal(
            solver_restore(shop->plan, piece, first, count, shop->values, &solved, &part, &restored),
            STATUS_OK);
    }
    assert_int_equal(scalar_solver.solve(shop->plan, piece, shop->values, &again, &counts), STATUS_OK);
    assert_memory_equal(shop->solution.values, again.values, piece->places);
    assert_memory_equal(shop->solution.distances, again.distances, piece->places * sizeof *again.distances);
    assert_memory_equal(restored.values, counts.values, sizeof counts.values);
    assert_int_equal(restored.captures, counts.captures);
    free(again.values);
    free(again.distances);
}

static void check_restored(const char *variant, int pieces_on_board)
{
    struct workshop *shop = solve_plan(plan_of(variant, pieces_on_board), true, ROOMY);
    for (uint32_t i = 0; i < shop->plan->group_count; i++)
        for (int level = shop->plan->groups[i].most_advancement; level >= 0; level--) {
            struct piece *pieces;
            size_t count;
            assert_int_equal(
                plan_level(shop->plan, &shop->plan->groups[i], level, shop->wanted, &pieces, &count),
                STATUS_OK);
            for (size_t j = 0; j < count; j++)
                check_restored_piece(shop, &pieces[j]);
            free(pieces);
        }
    workshop_close(shop);
}

static void test_restored_is_solved(void **state)
{
    (void)state;
    for (size_t i = 0; i < VARIANTS; i++)
        check_restored(variants[i], is_sanitised() ? 2 : 3);
}

/* -- The work store ------------------------------------------------------------------------------------ */

enum { CHUNK_SIZE = 190, LEVELS = 3 };

/* What the test puts into chunk 0 of the pair of a level. */
static void fill_chunk(uint8_t bytes[CHUNK_SIZE], uint32_t pair)
{
    uint64_t random = pair + 1;
    for (size_t i = 0; i < CHUNK_SIZE; i++)
        bytes[i] = (uint8_t)(random_next(&random) & 0x5f);
}

static void append(struct store *store, uint32_t pair)
{
    uint8_t bytes[CHUNK_SIZE];
    fill_chunk(bytes, pair);
    assert_int_equal(store_append(store, pair, 0, bytes, sizeof bytes), STATUS_OK);
}

static enum status read_back(struct store *store, uint32_t pair)
{
    uint8_t bytes[CHUNK_SIZE];
    uint8_t expected[CHUNK_SIZE];
    size_t size = 0;
    enum status status = store_read(store, pair, 0, bytes, sizeof bytes, &size);
    fill_chunk(expected, pair);
    if (status == STATUS_OK) {
        assert_int_equal(size, sizeof bytes);
        assert_memory_equal(bytes, expected, sizeof bytes);
    }
    return status;
}

/* The first level of group `i` of the plan: its highest. */
static int top_level(const struct plan *plan, int i)
{
    return plan->groups[i].most_advancement;
}

/* A store with one level of each of the first groups committed, written by ranks 0 and 1. */
struct filled {
    char *folder;
    struct plan *plan;
    bool *wanted;
};

static struct filled fill_store(void)
{
    struct filled filled = {.folder = temporary_folder(), .plan = plan_of("portuguese", 2)};
    filled.wanted = malloc(filled.plan->pair_count * sizeof *filled.wanted);
    assert_non_null(filled.wanted);
    memset(filled.wanted, true, filled.plan->pair_count * sizeof *filled.wanted);
    for (int i = 0; i < LEVELS; i++) {
        struct store *store = open_store(filled.folder, filled.plan, true, i % 2);
        append(store, filled.plan->groups[i].first_pair);
        assert_int_equal(read_back(store, filled.plan->groups[i].first_pair), STATUS_NO_TABLE);
        commit(store, &filled.plan->groups[i], top_level(filled.plan, i), filled.wanted, i % 2 == 1);
        assert_int_equal(read_back(store, filled.plan->groups[i].first_pair), STATUS_OK);
        store_close(store);
    }
    return filled;
}

static void empty_store(struct filled *filled)
{
    remove_folder(filled->folder);
    plan_destroy(filled->plan);
    free(filled->folder);
    free(filled->wanted);
}

/* Levels of the filled store that are there; those that are must be the first ones, and readable. */
static int levels_there(struct store *store, const struct plan *plan)
{
    int there = 0;
    for (int i = 0; i < LEVELS; i++) {
        uint32_t pair = plan->groups[i].first_pair;
        bool has = store_has_level(store, pair, top_level(plan, i), false);
        assert_int_equal(store_has_level(store, pair, top_level(plan, i), true), has && i % 2 == 1);
        assert_true(!has || i == there);
        there += has;
        assert_int_equal(read_back(store, pair), has ? STATUS_OK : STATUS_NO_TABLE);
    }
    return there;
}

static void test_store_keeps_what_is_committed(void **state)
{
    (void)state;
    struct filled filled = fill_store();
    struct store *leader = open_store(filled.folder, filled.plan, true, 0);
    struct store *other = open_store(filled.folder, filled.plan, false, 1);
    assert_int_equal(levels_there(leader, filled.plan), LEVELS);
    assert_int_equal(levels_there(other, filled.plan), LEVELS);
    assert_true(store_has_pair(leader, 0, false)); /* kings only: one level */
    assert_false(store_has_pair(leader, 0, true));
    assert_false(store_has_pair(leader, filled.plan->pair_count - 1, false));
    assert_int_equal(store_bytes_written(leader), 0);
    store_close(other);
    store_close(leader);
    empty_store(&filled);
}

/* What one rank appended and synced is read by all once they have heard of it. */
static void test_store_of_two_ranks(void **state)
{
    (void)state;
    struct filled filled = fill_store();
    struct store *leader = open_store(filled.folder, filled.plan, true, 0);
    struct store *other = open_store(filled.folder, filled.plan, false, 1);
    const struct group *group = &filled.plan->groups[LEVELS - 1];
    uint32_t pair = group->first_pair;
    const struct store_level level = {group, top_level(filled.plan, LEVELS - 1) - 1, filled.wanted, true,
                                      false};
    size_t size;
    uint8_t bytes[CHUNK_SIZE];
    uint8_t got[CHUNK_SIZE];
    fill_chunk(bytes, 77);
    assert_int_equal(store_append(other, pair, 1, bytes, sizeof bytes), STATUS_OK);
    assert_int_equal(store_sync(other), STATUS_OK);
    size_t count;
    const struct new_segment *segments = store_new(other, &count);
    assert_int_equal(count, 1);
    assert_int_equal(segments[0].segment.file, 1);
    assert_int_equal(store_commit(leader, &level, segments, count), STATUS_OK);
    store_adopt(leader, segments, count);
    store_mark_level(leader, &level);
    assert_true(store_has_level(leader, pair, level.advancement, true));
    assert_int_equal(store_read(leader, pair, 1, got, sizeof got, &size), STATUS_OK);
    assert_memory_equal(got, bytes, sizeof got);
    store_close(other);
    store_close(leader);
    leader = open_store(filled.folder, filled.plan, true, 5);
    assert_int_equal(store_read(leader, pair, 1, got, sizeof got, &size), STATUS_OK);
    assert_memory_equal(got, bytes, sizeof got);
    assert_int_equal(store_read(leader, pair, 1, got, sizeof got - 1, &size), STATUS_DAMAGED);
    store_close(leader);
    empty_store(&filled);
}

static void test_store_drops_what_is_not_committed(void **state)
{
    (void)state;
    struct filled filled = fill_store();
    char *segments = path_join(filled.folder, "segments.00000");
    char *index = path_join(filled.folder, "level-09-09-009-0.index");
    char *temporary = path_join(filled.folder, "manifest.tmp");
    size_t before;
    size_t after;
    free(file_bytes(segments, &before));
    struct store *store = open_store(filled.folder, filled.plan, true, 0);
    append(store, filled.plan->pair_count - 1);
    store_close(store);
    write_bytes(index, "x", 1);
    write_bytes(temporary, "x", 1);
    free(file_bytes(segments, &after));
    assert_true(after > before);
    store = open_store(filled.folder, filled.plan, true, 0);
    assert_int_equal(levels_there(store, filled.plan), LEVELS);
    store_close(store);
    free(file_bytes(segments, &after));
    assert_int_equal(after, before);
    assert_false(file_exists(index));
    assert_false(file_exists(temporary));
    free(segments);
    free(index);
    free(temporary);
    empty_store(&filled);
}

static void test_store_of_another_variant(void **state)
{
    static char message[LONG_MESSAGE];
    (void)state;
    struct filled filled = fill_store();
    struct plan *italian = plan_of("italian", 2);
    struct store *store;
    assert_int_equal(store_open(filled.folder, italian, true, 0, &store, message), STATUS_WRONG_RULES);
    assert_null(store);
    assert_non_null(strstr(message, filled.folder));
    assert_non_null(strstr(message, "--work"));
    plan_destroy(italian);
    store = open_store(filled.folder, filled.plan, true, 0);
    assert_int_equal(levels_there(store, filled.plan), LEVELS);
    store_close(store);
    empty_store(&filled);
}

/* A larger plan finds what a smaller one has left. */
static void test_store_of_a_larger_plan(void **state)
{
    (void)state;
    struct filled filled = fill_store();
    struct plan *larger = plan_of("portuguese", 3);
    struct plan *smaller = plan_of_slice("portuguese", "01v01");
    struct store *store = open_store(filled.folder, larger, true, 0);
    assert_int_equal(levels_there(store, larger), LEVELS);
    store_close(store);
    store = open_store(filled.folder, smaller, true, 0);
    assert_true(store_has_pair(store, 0, false));
    store_close(store);
    store = open_store(filled.folder, filled.plan, true, 0);
    assert_int_equal(levels_there(store, filled.plan), LEVELS);
    store_close(store);
    plan_destroy(smaller);
    plan_destroy(larger);
    empty_store(&filled);
}

static void test_two_leaders(void **state)
{
    static char message[LONG_MESSAGE];
    (void)state;
    struct filled filled = fill_store();
    struct store *store = open_store(filled.folder, filled.plan, true, 0);
    pid_t child = fork();
    if (child == 0) {
        struct store *second;
        enum status status = store_open(filled.folder, filled.plan, true, 0, &second, message);
        _exit(status == STATUS_FILE && strstr(message, filled.folder) && strstr(message, "another") ? 0 : 1);
    }
    int code = -1;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_int_equal(code, 0);
    store_close(store);
    empty_store(&filled);
}

/* -- Damaged stores ------------------------------------------------------------------------------------ */

/* Wherever the manifest is cut or changed, the levels up to there are kept and no others are believed. */
static void test_damaged_manifest(void **state)
{
    (void)state;
    struct filled filled = fill_store();
    char *path = path_join(filled.folder, "manifest");
    size_t length;
    uint8_t *text = file_bytes(path, &length);
    for (size_t place = 0; place < length; place++)
        for (int cut = 0; cut < 2; cut++) {
            /* Dropped levels lose their index and segments, so each try has a store of its own. */
            struct filled fresh = fill_store();
            char *manifest = path_join(fresh.folder, "manifest");
            uint8_t before = text[place];
            int whole_lines = 0;
            for (size_t i = 0; i < place; i++)
                whole_lines += text[i] == '\n';
            text[place] ^= (uint8_t)(cut ? 0 : 4);
            write_bytes(manifest, text, cut ? place : length);
            text[place] = before;
            struct store *store = open_store(fresh.folder, fresh.plan, true, 0);
            assert_int_equal(levels_there(store, fresh.plan), whole_lines > 0 ? whole_lines - 1 : 0);
            store_close(store);
            free(manifest);
            empty_store(&fresh);
        }
    free(text);
    free(path);
    empty_store(&filled);
}

static void flip(const char *path, size_t place)
{
    size_t length;
    uint8_t *bytes = file_bytes(path, &length);
    assert_true(place < length);
    bytes[place] ^= 8;
    write_bytes(path, bytes, length);
    free(bytes);
}

static void check_unusable(const struct filled *filled, const char *name)
{
    static char message[LONG_MESSAGE];
    struct store *store;
    assert_int_equal(store_open(filled->folder, filled->plan, true, 0, &store, message), STATUS_DAMAGED);
    assert_null(store);
    if (!strstr(message, name))
        fail_msg("not %s: %s", name, message);
}

static void test_damaged_index(void **state)
{
    (void)state;
    struct filled filled = fill_store();
    char name[64];
    snprintf(name, sizeof name, "level-02-01-%03d-0.index", top_level(filled.plan, 1));
    char *path = path_join(filled.folder, name);
    size_t length;
    free(file_bytes(path, &length));
    for (size_t place = 0; place < length; place++) {
        flip(path, place);
        check_unusable(&filled, name);
        flip(path, place);
    }
    uint8_t *bytes = file_bytes(path, &length);
    write_bytes(path, bytes, length - 1);
    check_unusable(&filled, name);
    write_bytes(path, "", 0);
    check_unusable(&filled, name);
    assert_int_equal(unlink(path), 0);
    check_unusable(&filled, name);
    write_bytes(path, bytes, length);
    struct store *store = open_store(filled.folder, filled.plan, true, 0);
    assert_int_equal(levels_there(store, filled.plan), LEVELS);
    store_close(store);
    free(bytes);
    free(path);
    empty_store(&filled);
}

static void test_damaged_segments(void **state)
{
    (void)state;
    struct filled filled = fill_store();
    char *path = path_join(filled.folder, "segments.00001"); /* holds the level of group 1 alone */
    size_t length;
    uint8_t *bytes = file_bytes(path, &length);
    struct store *store = open_store(filled.folder, filled.plan, true, 0);
    for (size_t place = 0; place < length; place++) {
        flip(path, place);
        assert_int_equal(read_back(store, filled.plan->groups[1].first_pair), STATUS_DAMAGED);
        assert_non_null(strstr(store_culprit(store), "segments.00001"));
        assert_int_equal(read_back(store, filled.plan->groups[0].first_pair), STATUS_OK);
        flip(path, place);
    }
    assert_int_equal(levels_there(store, filled.plan), LEVELS);
    store_close(store);
    write_bytes(path, bytes, length - 1);
    check_unusable(&filled, "segments.00001");
    assert_int_equal(unlink(path), 0);
    check_unusable(&filled, "segments.00001");
    free(bytes);
    free(path);
    empty_store(&filled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plan_of_pieces),
        cmocka_unit_test(test_plan_of_a_slice),
        cmocka_unit_test(test_impossible_plans),
        cmocka_unit_test(test_pieces_cover_all_positions_once),
        cmocka_unit_test(test_scalar_solver),
        cmocka_unit_test(test_bits_of_values),
        cmocka_unit_test(test_tiny_cache),
        cmocka_unit_test(test_equations_of_all_rows),
        cmocka_unit_test(test_small_limits),
        cmocka_unit_test(test_limits_that_bite),
        cmocka_unit_test(test_slowest_loss_counts),
        cmocka_unit_test(test_restored_is_solved),
        cmocka_unit_test(test_store_keeps_what_is_committed),
        cmocka_unit_test(test_store_of_two_ranks),
        cmocka_unit_test(test_store_drops_what_is_not_committed),
        cmocka_unit_test(test_store_of_another_variant),
        cmocka_unit_test(test_store_of_a_larger_plan),
        cmocka_unit_test(test_two_leaders),
        cmocka_unit_test(test_damaged_manifest),
        cmocka_unit_test(test_damaged_index),
        cmocka_unit_test(test_damaged_segments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
