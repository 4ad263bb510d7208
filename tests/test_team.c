/* The team solver: teams of several sizes, all ranks in this process, against the scalar solver in every
 * place and distance; messages of any size and damaged ones; states saved and read back. */
#include "team_solver.h"
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
    size_t read;
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
};

static void crew_open(struct crew *crew, const struct unit *unit, int ranks, bool distances, size_t room)
{
    *crew = (struct crew){.unit = *unit, .ranks = ranks, .distances = distances};
    for (int rank = 0; rank < ranks; rank++) {
        assert_int_equal(team_create(unit, rank, ranks, distances, &crew->of[rank]), STATUS_OK);
        crew->buffers[rank] = (struct event_buffer){.bytes = malloc(room), .room = room};
        assert_non_null(crew->buffers[rank].bytes);
    }
}

static void crew_close(struct crew *crew)
{
    for (int rank = 0; rank < crew->ranks; rank++) {
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

static enum status load(void *context, void *bytes, size_t size)
{
    struct saved *saved = context;
    if (size > saved->size - saved->read)
        return STATUS_DAMAGED;
    memcpy(bytes, saved->bytes + saved->read, size);
    saved->read += size;
    return STATUS_OK;
}

/* Every rank is saved, and a new one goes on from what was saved. */
static void crew_restart(struct crew *crew)
{
    for (int rank = 0; rank < crew->ranks; rank++) {
        struct saved saved = {0};
        assert_int_equal(team_save(crew->of[rank], save, &saved), STATUS_OK);
        team_destroy(crew->of[rank]);
        assert_int_equal(team_create(&crew->unit, rank, crew->ranks, crew->distances, &crew->of[rank]),
                         STATUS_OK);
        assert_int_equal(team_load(crew->of[rank], load, &saved), STATUS_OK);
        assert_int_equal(saved.read, saved.size);
        free(saved.bytes);
    }
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
    struct solution solution;
    struct solver_counts counts;
    uint64_t rounds;
};

/* Solves all units of a piece. False if distances turn out to be needed. */
static bool solve_by_teams(struct workshop *shop, const struct piece *piece, bool distances,
                           struct comparison *comparison)
{
    const struct slice_pair *pair = shop->plan->pairs[piece->pair];
    uint64_t together = pair->whole_cells ? piece->men : 1;
    bool good = true;
    memset(comparison->solution.values, PLACE_HOLE, piece->places);
    if (comparison->solution.distances)
        memset(comparison->solution.distances, 0, piece->places * sizeof *comparison->solution.distances);
    comparison->counts = (struct solver_counts){0};
    for (uint64_t men = piece->first_men; men < piece->first_men + piece->men; men += together) {
        int sides = shop->plan->layouts[piece->pair].cells[piece->cell].sides;
        struct unit unit = {pair, piece, sides, men, together};
        struct crew crew;
        struct solution solution = {comparison->solution.values, NULL};
        if (distances)
            solution.distances = comparison->solution.distances;
        crew_open(&crew, &unit, comparison->ranks, distances, comparison->room);
        crew.save_after = comparison->save_after;
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

static void check_workshop(struct workshop *shop, int ranks, size_t room, uint32_t save_after)
{
    uint64_t places = plan_largest_piece(shop->plan);
    struct comparison comparison = {.ranks = ranks, .room = room, .save_after = save_after};
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

/* Sizes of teams, most with small messages, all but one saved in some round. Fewer of them where
 * time is short. */
static void check_variant(const struct variant *variant, int pieces, bool distances)
{
    bool few = is_tier("sanitised") || (pieces > 2 && is_tier("short"));
    for (int i = few ? 2 : 0; i < TEAM_SIZES; i += few ? 2 : 1) {
        struct workshop *shop = workshop_open(plan_of_variant(variant, pieces), distances, ROOMY);
        check_workshop(shop, team_sizes[i], i % 4 ? SMALL_BUFFER : LARGE_BUFFER, (uint32_t)i);
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
        check_variant(variant_table[v], pieces_of_tier(variant_table[v]), false);
}

static void test_distances_of_all_rows(void **state)
{
    (void)state;
    for (size_t v = 0; v < variant_count; v++)
        check_variant(variant_table[v], pieces_of_tier(variant_table[v]), true);
}

static void test_small_limits(void **state)
{
    (void)state;
    for (size_t v = 0; v < variant_count; v++)
        for (uint16_t limit = 6; limit <= 8; limit += 2) {
            struct variant variant = *variant_table[v];
            variant.rules.limit = limit;
            check_variant(&variant, is_tier("long") ? 3 : 2, limit == 6);
        }
}

static void test_four_pieces(void **state)
{
    static const char *const games[] = {"italian", "portuguese"};
    (void)state;
    for (int i = 0; is_tier("long") && i < 2; i++)
        for (int distances = 0; distances < 2; distances++) {
            const struct variant *variant = variant_named(games[i]);
            struct workshop *shop = workshop_open(plan_of_variant(variant, 4), distances, ROOMY);
            check_workshop(shop, distances ? 3 : 5, LARGE_BUFFER, 3);
            workshop_close(shop);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_of_all_rows),
        cmocka_unit_test(test_distances_of_all_rows),
        cmocka_unit_test(test_small_limits),
        cmocka_unit_test(test_four_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
