/* The team solver: teams of several sizes, all ranks in this process, against the scalar solver in every
 * place and distance; messages of any size and damaged ones; states saved and read back. */
#include "team_saved.h"
#include "temporary.h"
#include "unit.h"
#include "workshop.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { ROOMY = 64 << 20, MOST_RANKS = 8, SMALL_BUFFER = 64, LARGE_BUFFER = 1 << 16 };

static const int team_sizes[] = {1, 2, 3, 5, 8};
enum { TEAM_SIZES = sizeof team_sizes / sizeof team_sizes[0] };

static bool is_tier(const char *name)
{
    const char *tests = getenv("DAMABASE_TESTS");
    return strcmp(tests ? tests : "short", name) == 0;
}

/* -- A team in one process ----------------------------------------------------------------------------- */

/* What was saved of a rank. */
struct saved {
    uint8_t *bytes;
    size_t size;
    size_t room;
};

struct crew {
    struct unit unit;
    int ranks;
    bool distances;
    struct team *of[MOST_RANKS];
    struct event_buffer buffers[MOST_RANKS];
    uint64_t sent; /* bytes */
    uint32_t rounds;
    uint32_t save_after; /* rounds after which all ranks are saved and read back; 0: never */
    int ranks_after;     /* of the team that goes on from there; 0: as many */
    uint64_t random;     /* not 0: bits of messages are flipped at random */
};

static void crew_open(struct crew *crew, const struct unit *unit, int ranks, bool distances, size_t room)
{
    *crew = (struct crew){.unit = *unit, .ranks = ranks, .distances = distances};
    for (int rank = 0; rank < ranks; rank++)
        assert_int_equal(team_create(unit, rank, ranks, distances, &crew->of[rank]), STATUS_OK);
    for (int rank = 0; rank < MOST_RANKS; rank++) {
        crew->buffers[rank] = (struct event_buffer){.bytes = malloc(room), .room = room};
        assert_non_null(crew->buffers[rank].bytes);
    }
}

static void crew_close(struct crew *crew)
{
    for (int rank = 0; rank < MOST_RANKS; rank++) {
        team_destroy(crew->of[rank]);
        free(crew->buffers[rank].bytes);
    }
}

static enum status save(void *context, const void *bytes, size_t size)
{
    struct saved *saved = context;
    if (saved->size + size > saved->room) {
        saved->room = 2 * (saved->size + size);
        saved->bytes = realloc(saved->bytes, saved->room);
        assert_non_null(saved->bytes);
    }
    memcpy(saved->bytes + saved->size, bytes, size);
    saved->size += size;
    return STATUS_OK;
}

static enum status load(void *context, int part, uint64_t offset, void *bytes, size_t size)
{
    const struct saved *saved = (const struct saved *)context + part;
    if (offset > saved->size || size > saved->size - offset)
        return STATUS_DAMAGED;
    memcpy(bytes, saved->bytes + offset, size);
    return STATUS_OK;
}

static void crew_save(const struct crew *crew, struct saved saved[MOST_RANKS])
{
    memset(saved, 0, MOST_RANKS * sizeof *saved);
    for (int rank = 0; rank < crew->ranks; rank++)
        assert_int_equal(team_save(crew->of[rank], save, &saved[rank]), STATUS_OK);
}

static void saved_free(struct saved saved[MOST_RANKS])
{
    for (int rank = 0; rank < MOST_RANKS; rank++)
        free(saved[rank].bytes);
}

/* Every rank is saved, and a new team, perhaps of another size, goes on from what was saved. */
static void crew_restart(struct crew *crew)
{
    struct saved saved[MOST_RANKS];
    int parts = crew->ranks;
    crew_save(crew, saved);
    for (int rank = 0; rank < parts; rank++) {
        team_destroy(crew->of[rank]);
        crew->of[rank] = NULL;
    }
    crew->ranks = crew->ranks_after > 0 ? crew->ranks_after : crew->ranks;
    for (int rank = 0; rank < crew->ranks; rank++) {
        assert_int_equal(team_create(&crew->unit, rank, crew->ranks, crew->distances, &crew->of[rank]),
                         STATUS_OK);
        assert_int_equal(team_load(crew->of[rank], parts, load, saved), STATUS_OK);
    }
    saved_free(saved);
}

/* Flips a bit of every fourth message or so. */
static void flip_at_random(struct crew *crew, const struct event_buffer *buffer)
{
    if (crew->random == 0 || buffer->size == 0 || random_next(&crew->random) % 4 != 0)
        return;
    uint64_t bit = random_next(&crew->random) % (8 * buffer->size);
    buffer->bytes[bit / 8] ^= (uint8_t)(1 << (bit % 8));
}

/* One rank tells all others what is new in a form. */
static enum status tell_all(struct crew *crew, int form, int from)
{
    bool more = true;
    while (more) {
        more = team_emit(crew->of[from], form, crew->buffers);
        for (int to = 0; to < crew->ranks; to++) {
            const struct event_buffer *buffer = &crew->buffers[to];
            assert_true(buffer->size <= buffer->room);
            crew->sent += buffer->size;
            flip_at_random(crew, buffer);
            enum status status = team_take(crew->of[to], form, from, buffer->bytes, buffer->size);
            if (status != STATUS_OK)
                return status;
        }
    }
    return STATUS_OK;
}

/* Goes on to the next ply in which something is new. False if there is none. */
static bool next_ply(struct crew *crew)
{
    uint64_t fresh = 0;
    uint32_t least = NO_PLY;
    for (int rank = 0; rank < crew->ranks; rank++) {
        uint64_t of_rank;
        uint32_t least_of_rank;
        assert_int_equal(team_next_round(crew->of[rank], &of_rank, &least_of_rank), STATUS_OK);
        fresh += of_rank;
        least = least_of_rank < least ? least_of_rank : least;
    }
    while (fresh == 0 && least != NO_PLY) {
        uint32_t ply = least;
        least = NO_PLY;
        for (int rank = 0; rank < crew->ranks; rank++) {
            uint64_t of_rank;
            uint32_t least_of_rank;
            team_jump(crew->of[rank], ply, &of_rank, &least_of_rank);
            fresh += of_rank;
            least = least_of_rank < least ? least_of_rank : least;
        }
    }
    return fresh > 0;
}

static enum status crew_solve(struct crew *crew, struct values *values)
{
    for (int rank = 0; rank < crew->ranks; rank++)
        assert_int_equal(team_first_pass(crew->of[rank], values), STATUS_OK);
    do {
        for (int form = 0; form < team_form_count(crew->of[0]); form++)
            for (int rank = 0; rank < crew->ranks; rank++) {
                enum status status = tell_all(crew, form, rank);
                if (status != STATUS_OK)
                    return status;
            }
        if (++crew->rounds == crew->save_after)
            crew_restart(crew);
    } while (next_ply(crew));
    return STATUS_OK;
}

static bool crew_needs_distances(const struct crew *crew)
{
    bool needs = false;
    for (int rank = 0; rank < crew->ranks; rank++)
        needs |= team_needs_distances(crew->of[rank]);
    return needs;
}

/* Puts the results of a rank into those of its piece; nobody else may have put any there. */
static void collect(const struct team *team, const struct solution *solution)
{
    struct range_cursor cursor = {0};
    struct place_range range;
    uint64_t end = 0;
    while (team_result_range(team, &cursor, &range)) {
        assert_true(range.first >= end);
        end = range.first + range.count;
        for (uint64_t place = range.first; place < end; place++)
            assert_int_equal(solution->values[place], PLACE_HOLE);
        /* In two parts, as whoever stores them in chunks may want them. */
        struct place_range half = {range.first, range.count / 2};
        uint16_t *distances = solution->distances;
        team_results(team, &half, solution->values + half.first, distances ? distances + half.first : NULL);
        half = (struct place_range){half.first + half.count, range.count - half.count};
        team_results(team, &half, solution->values + half.first, distances ? distances + half.first : NULL);
    }
}

/* -- Against the scalar solver ------------------------------------------------------------------------- */

/* How teams solve the pieces of a workshop. */
struct comparison {
    int ranks;
    size_t room;
    uint32_t save_after;
    int ranks_after;
    struct solution solution;
    struct solver_counts counts;
    uint64_t rounds;
};

/* The unit of a piece that begins with these men. */
static struct unit unit_of(const struct workshop *shop, const struct piece *piece, uint64_t men)
{
    const struct slice_pair *pair = shop->plan->pairs[piece->pair];
    int sides = shop->plan->layouts[piece->pair].cells[piece->cell].sides;
    return (struct unit){pair, piece, sides, men, pair->whole_cells ? piece->men : 1};
}

/* Solves all units of a piece. False if distances turn out to be needed. */
static bool solve_by_teams(struct workshop *shop, const struct piece *piece, bool distances,
                           struct comparison *comparison)
{
    bool good = true;
    memset(comparison->solution.values, PLACE_HOLE, piece->places);
    if (comparison->solution.distances)
        memset(comparison->solution.distances, 0, piece->places * sizeof *comparison->solution.distances);
    comparison->counts = (struct solver_counts){0};
    struct unit unit = unit_of(shop, piece, piece->first_men);
    for (; unit.first_men < piece->first_men + piece->men; unit.first_men += unit.men) {
        struct crew crew;
        struct solution solution = {comparison->solution.values, NULL};
        if (distances)
            solution.distances = comparison->solution.distances;
        crew_open(&crew, &unit, comparison->ranks, distances, comparison->room);
        crew.save_after = comparison->save_after;
        crew.ranks_after = comparison->ranks_after;
        assert_int_equal(crew_solve(&crew, shop->values), STATUS_OK);
        good &= !crew_needs_distances(&crew);
        for (int rank = 0; rank < crew.ranks; rank++) {
            collect(crew.of[rank], &solution);
            team_add_counts(crew.of[rank], &comparison->counts);
        }
        comparison->rounds += crew.rounds;
        crew_close(&crew);
    }
    return good;
}

static void compare_piece(struct workshop *shop, const struct piece *piece,
                          const struct solver_counts *counts)
{
    struct comparison *comparison = shop->context;
    const uint16_t *distances = shop->solution.distances;
    bool without = !distances && solve_by_teams(shop, piece, false, comparison);
    if (!without)
        assert_true(solve_by_teams(shop, piece, true, comparison));
    for (uint64_t place = 0; place < piece->places; place++)
        if (comparison->solution.values[place] != shop->solution.values[place] ||
            (distances && comparison->solution.distances[place] != distances[place]))
            fail_msg("%s, %d ranks, pair %u, cell %u, place %llu: %d %d instead of %d %d",
                     shop->plan->variant->rules.name, comparison->ranks, piece->pair, piece->cell,
                     (unsigned long long)place, comparison->solution.values[place],
                     comparison->solution.distances[place], shop->solution.values[place],
                     distances ? distances[place] : 0);
    assert_memory_equal(comparison->counts.values, counts->values, sizeof counts->values);
    assert_int_equal(comparison->counts.captures, counts->captures);
    if (without)
        assert_int_equal(comparison->counts.plies, counts->plies);
}

static void check_workshop(struct workshop *shop, int ranks, size_t room, uint32_t save_after,
                           int ranks_after)
{
    uint64_t places = plan_largest_piece(shop->plan);
    struct comparison comparison = {
        .ranks = ranks, .room = room, .save_after = save_after, .ranks_after = ranks_after};
    comparison.solution.values = malloc(places);
    comparison.solution.distances = malloc(places * sizeof *comparison.solution.distances);
    assert_true(comparison.solution.values && comparison.solution.distances);
    shop->inspect = compare_piece;
    shop->context = &comparison;
    workshop_solve(shop);
    assert_true(comparison.rounds > 0);
    free(comparison.solution.values);
    free(comparison.solution.distances);
}

/* Sizes of teams, most with small messages, all but one saved in some round, from which in turn teams of each
 * size go on; `few`: not all sizes. */
static void check_variant(const struct variant *variant, int pieces, bool distances, bool few)
{
    static int after; /* goes on from call to call, so that all pairs of sizes come up */
    for (int i = few ? 2 : 0; i < TEAM_SIZES; i += few ? 2 : 1, after++) {
        struct workshop *shop = workshop_open(plan_of_variant(variant, pieces), distances, ROOMY);
        check_workshop(shop, team_sizes[i], i % 4 ? SMALL_BUFFER : LARGE_BUFFER, (uint32_t)i,
                       team_sizes[after % TEAM_SIZES]);
        workshop_close(shop);
    }
}

static int pieces_of_tier(const struct variant *variant)
{
    static const char *const games[] = {"italian", "portuguese", "turkish", "damii"};
    bool is_game = false;
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++)
        is_game |= strcmp(variant->rules.name, games[i]) == 0;
    if (is_tier("sanitised"))
        return 2;
    return is_tier("short") && !is_game ? 2 : 3;
}

static void test_values_of_all_rows(void **state)
{
    (void)state;
    for (size_t v = 0; v < variant_count; v++)
        check_variant(variant_table[v], pieces_of_tier(variant_table[v]), false, !is_tier("long"));
}

static void test_distances_of_all_rows(void **state)
{
    (void)state;
    for (size_t v = 0; v < variant_count; v++)
        check_variant(variant_table[v], pieces_of_tier(variant_table[v]), true, !is_tier("long"));
}

static void test_small_limits(void **state)
{
    (void)state;
    for (size_t v = 0; v < variant_count; v++)
        for (uint16_t limit = 6; limit <= 8; limit += 2) {
            struct variant variant = *variant_table[v];
            variant.rules.limit = limit;
            check_variant(&variant, is_tier("long") ? 3 : 2, limit == 6, limit == 8 || is_tier("long"));
        }
}

static void check_slice(const char *variant, const char *slice, bool distances)
{
    struct workshop *shop = workshop_open(plan_of_slice(variant, slice), distances, ROOMY);
    check_workshop(shop, 3, LARGE_BUFFER, 2, 8);
    workshop_close(shop);
}

/* What three pieces do not show: exits that lose later than all moves of kings, and units with kings that are
 * their own mirror or the twin of another. */
static void test_slices_of_four(void **state)
{
    (void)state;
    if (is_tier("sanitised"))
        return;
    check_slice("portuguese", "11v02", true);
    check_slice("italian", "11v11", true);
    if (is_tier("long"))
        check_slice("turkish", "11v11", false);
}

static void test_four_pieces(void **state)
{
    static const char *const games[] = {"italian", "portuguese"};
    (void)state;
    for (int i = 0; is_tier("long") && i < 2; i++)
        for (int distances = 0; distances < 2; distances++) {
            const struct variant *variant = variant_named(games[i]);
            struct workshop *shop = workshop_open(plan_of_variant(variant, 4), distances, ROOMY);
            check_workshop(shop, distances ? 3 : 5, LARGE_BUFFER, 3, distances ? 8 : 2);
            workshop_close(shop);
        }
}

/* -- Messages that are not what was sent ------------------------------------------------------------------
 */

/* A workshop's unit in the middle of a plan, with whose ranks something is tried. */
struct trial {
    struct slice slice;
    bool distances;
    bool done;
    void (*of_unit)(struct workshop *shop, const struct unit *unit, bool distances);
};

static void try_unit(struct workshop *shop, const struct piece *piece, const struct solver_counts *counts)
{
    struct trial *trial = shop->context;
    (void)counts;
    if (trial->done || !slice_equal(shop->plan->pairs[piece->pair]->name, trial->slice))
        return;
    const struct unit unit = unit_of(shop, piece, piece->first_men);
    trial->of_unit(shop, &unit, trial->distances);
    trial->done = true;
}

/* Solves what the slice needs and tries the first unit of it. */
static void try_slice(const char *variant, const char *slice, bool distances,
                      void (*of_unit)(struct workshop *shop, const struct unit *unit, bool distances))
{
    struct trial trial = {.distances = distances, .of_unit = of_unit};
    struct workshop *shop = workshop_open(plan_of_slice(variant, slice), distances, ROOMY);
    assert_true(slice_read(slice, &trial.slice));
    trial.slice = slice_pair_name(trial.slice);
    shop->inspect = try_unit;
    shop->context = &trial;
    workshop_solve(shop);
    assert_true(trial.done);
    workshop_close(shop);
}

static void check_in_range(const struct crew *crew, uint64_t places)
{
    struct solution solution = {malloc(places), calloc(places, sizeof *solution.distances)};
    assert_true(solution.values && solution.distances);
    memset(solution.values, PLACE_HOLE, places);
    for (int rank = 0; rank < crew->ranks; rank++)
        collect(crew->of[rank], &solution);
    for (uint64_t place = 0; place < places; place++)
        assert_true(solution.values[place] <= PLACE_HOLE);
    free(solution.values);
    free(solution.distances);
}

/* Whatever is flipped, it is noticed or leaves values that can be. */
static void flip_bits(struct workshop *shop, const struct unit *unit, bool distances)
{
    int damaged = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct crew crew;
        crew_open(&crew, unit, 3, distances, seed % 2 ? SMALL_BUFFER : LARGE_BUFFER);
        crew.random = seed;
        enum status status = crew_solve(&crew, shop->values);
        assert_true(status == STATUS_OK || status == STATUS_DAMAGED);
        damaged += status == STATUS_DAMAGED;
        if (distances)
            check_in_range(&crew, unit->piece->places);
        crew_close(&crew);
    }
    assert_true(damaged > 0);
}

static void test_flipped_messages(void **state)
{
    (void)state;
    for (int distances = 0; distances < 2; distances++) {
        try_slice("italian", "02v01", distances, flip_bits);
        try_slice("portuguese", "11v01", true, flip_bits);
        try_slice("turkish", "11v01", distances, flip_bits);
    }
}

/* What goes to the wrong rank, comes from the wrong one, comes twice or is cut is refused. */
static void misdeliver(struct workshop *shop, const struct unit *unit, bool distances)
{
    struct crew crew;
    crew_open(&crew, unit, 2, distances, LARGE_BUFFER);
    for (int rank = 0; rank < 2; rank++)
        assert_int_equal(team_first_pass(crew.of[rank], shop->values), STATUS_OK);
    assert_false(team_emit(crew.of[0], 0, crew.buffers));
    const struct event_buffer *to_other = &crew.buffers[1];
    assert_true(to_other->size > 16);
    assert_int_equal(team_take(crew.of[0], 0, 0, to_other->bytes, to_other->size), STATUS_DAMAGED);
    assert_int_equal(team_take(crew.of[1], 0, 0, to_other->bytes, to_other->size), STATUS_OK);
    assert_int_equal(team_take(crew.of[1], 0, 0, to_other->bytes, to_other->size), STATUS_DAMAGED);
    assert_int_equal(team_take(crew.of[1], 0, 0, NULL, 0), STATUS_OK);
    static const uint8_t cut[] = {0x80};
    static const uint8_t beyond[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
    static const uint8_t endless[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
    assert_int_equal(team_take(crew.of[1], 0, 0, cut, sizeof cut), STATUS_DAMAGED);
    assert_int_equal(team_take(crew.of[1], 0, 0, beyond, sizeof beyond), STATUS_DAMAGED);
    assert_int_equal(team_take(crew.of[1], 0, 0, endless, sizeof endless), STATUS_DAMAGED);
    crew_close(&crew);
}

static void test_misdelivered_messages(void **state)
{
    (void)state;
    try_slice("italian", "02v01", false, misdeliver);
}

/* -- States that are not what was saved ------------------------------------------------------------------ */

static void check_load(const struct crew *crew, int rank, int ranks, struct saved saved[MOST_RANKS],
                       int parts, enum status expected)
{
    struct team *team;
    assert_int_equal(team_create(&crew->unit, rank, ranks, crew->distances, &team), STATUS_OK);
    assert_int_equal(team_load(team, parts, load, saved), expected);
    team_destroy(team);
}

static void damage_states(struct workshop *shop, const struct unit *unit, bool distances)
{
    struct crew crew;
    struct saved saved[MOST_RANKS];
    crew_open(&crew, unit, 2, distances, LARGE_BUFFER);
    assert_int_equal(crew_solve(&crew, shop->values), STATUS_OK);
    crew_save(&crew, saved);
    check_load(&crew, 0, 2, saved, 2, STATUS_OK);
    check_load(&crew, 0, 1, saved, 2, STATUS_OK);
    check_load(&crew, 0, 1, saved, 1, STATUS_DAMAGED); /* not all parts */
    uint64_t random = 7;
    for (size_t i = 0; i < 300; i++) {
        struct saved *part = &saved[i % 2];
        size_t place = i < 150 ? i : random_next(&random) % part->size;
        part->bytes[place] ^= 4;
        check_load(&crew, 0, 1, saved, 2, STATUS_DAMAGED);
        part->bytes[place] ^= 4;
    }
    struct saved other = saved[0];
    saved[0] = saved[1];
    check_load(&crew, 0, 1, saved, 2, STATUS_DAMAGED);
    saved[0] = other;
    saved[1].size--;
    check_load(&crew, 0, 1, saved, 2, STATUS_DAMAGED);
    saved_free(saved);
    crew_close(&crew);
}

static void test_damaged_states(void **state)
{
    (void)state;
    try_slice("italian", "02v01", false, damage_states);
    try_slice("turkish", "11v01", true, damage_states);
}

/* -- Memory ------------------------------------------------------------------------------------------------
 */

static uint64_t bytes_in_use(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* What the largest rank allocates is what was foretold, but for what the heap adds and keeps. */
static void measure_memory(struct workshop *shop, const struct unit *unit, bool distances)
{
    const uint64_t of_heap = 40000;
    (void)shop;
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        uint64_t most = 0;
        for (int rank = 0; rank < ranks; rank++) {
            struct team *team;
            uint64_t before = bytes_in_use();
            assert_int_equal(team_create(unit, rank, ranks, distances, &team), STATUS_OK);
            uint64_t taken = bytes_in_use() - before;
            most = taken > most ? taken : most;
            team_destroy(team);
        }
        uint64_t foretold = team_memory(unit, ranks, distances);
        if (most + of_heap < foretold || most > foretold + of_heap)
            fail_msg("%d ranks take %llu bytes, not %llu", ranks, (unsigned long long)most,
                     (unsigned long long)foretold);
    }
}

static void test_memory(void **state)
{
    (void)state;
    for (int distances = 0; distances < 2 && !is_tier("sanitised"); distances++) {
        try_slice("damii", "02v02", distances, measure_memory);
        try_slice("turkish", "11v02", distances, measure_memory);
    }
}

/* -- Costs ------------------------------------------------------------------------------------------------
 */

static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* CPU time of the scalar solver and of teams, all ranks together, for the only piece of a slice of kings. */
static void measure_piece(struct workshop *shop, const struct piece *piece,
                          const struct solver_counts *counts)
{
    static const int ranks[] = {1, 8};
    const struct unit unit = unit_of(shop, piece, piece->first_men);
    bool distances = shop->solution.distances != NULL;
    struct solver_counts again = {0};
    (void)counts;
    if (piece->pair + 1 != shop->plan->pair_count)
        return;
    double start = cpu_seconds();
    assert_int_equal(scalar_solver.solve(shop->plan, piece, shop->values, &shop->solution, &again),
                     STATUS_OK);
    double scalar = cpu_seconds() - start;
    print_message("%s, %llu places, distances %d: scalar %.2f s, %.2f bytes a place\n",
                  shop->plan->variant->rules.name, (unsigned long long)piece->places, distances, scalar,
                  (double)scalar_solver.memory(shop->plan->variant, piece->places, distances) /
                      (double)piece->places);
    for (int i = 0; i < 2; i++) {
        struct crew crew;
        start = cpu_seconds();
        crew_open(&crew, &unit, ranks[i], distances, LARGE_BUFFER);
        assert_int_equal(crew_solve(&crew, shop->values), STATUS_OK);
        double team = cpu_seconds() - start;
        print_message("%d ranks: %.2f s, %.2f of scalar; %.3f bytes a place of a rank's memory, %.3f of "
                      "messages, %u rounds\n",
                      ranks[i], team, team / scalar,
                      (double)team_memory(&unit, ranks[i], distances) / (double)piece->places,
                      (double)crew.sent / (double)piece->places, crew.rounds);
        crew_close(&crew);
    }
}

/* test_team VARIANT SLICE [distances] */
static int measure(int count, char **arguments)
{
    struct workshop *shop = workshop_open(plan_of_slice(arguments[1], arguments[2]), count > 3, ROOMY);
    shop->inspect = measure_piece;
    workshop_solve(shop);
    workshop_close(shop);
    return 0;
}

int main(int count, char **arguments)
{
    if (count > 2)
        return measure(count, arguments);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_of_all_rows),
        cmocka_unit_test(test_distances_of_all_rows),
        cmocka_unit_test(test_small_limits),
        cmocka_unit_test(test_slices_of_four),
        cmocka_unit_test(test_four_pieces),
        cmocka_unit_test(test_flipped_messages),
        cmocka_unit_test(test_misdelivered_messages),
        cmocka_unit_test(test_damaged_states),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
