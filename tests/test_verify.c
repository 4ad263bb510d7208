/* The proof of tables: sound ones hold, whatever the rules, the limit and the memory; one value, one
 * distance, one count or one greatest distance changed, all checksums right, is found and named. The tables
 * are those of a small set. */
#include "distance.h"
#include "plan.h"
#include "proof.h"
#include "small_set.h"
#include "temporary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { NO_LIMIT = 0, ROWS_LIMIT = -1 };

static char *folder;

/* -- A set with distances -------------------------------------------------------------------------------- */

/* A small set under a limit of its own. */
struct timed_set {
    struct variant variant;
    struct plan *plan;
    struct small_set *plain;
};

static struct timed_set *make_set(const char *name, int pieces, int limit)
{
    struct timed_set *set = calloc(1, sizeof *set);
    struct request request = {.pieces = pieces};
    struct slice culprit;
    assert_non_null(set);
    set->variant = *variant_named(name);
    if (limit != ROWS_LIMIT)
        set->variant.rules.limit = (uint16_t)limit;
    assert_int_equal(plan_create(&set->variant, &request, &set->plan, &culprit), STATUS_OK);
    set->plain = small_set_solve_variant(&set->variant, pieces);
    return set;
}

static void destroy_set(struct timed_set *set)
{
    small_set_destroy(set->plain);
    plan_destroy(set->plan);
    free(set);
}

/* -- Writing it ------------------------------------------------------------------------------------------ */

/* Writes a table of the pair of a slice. */
static void write_table(const struct timed_set *set, struct slice slice, enum metric metric)
{
    small_set_write_table(set->plain, folder, slice, (struct table_options){.level = 1, .metric = metric});
}

static char *path_of(struct slice name, enum metric metric)
{
    char file[TABLE_NAME_SIZE];
    table_name_write(name, metric, file);
    return path_join(folder, file);
}

static void remove_table(struct slice name, enum metric metric)
{
    char *path = path_of(name, metric);
    unlink(path);
    free(path);
}

static void write_set(const struct timed_set *set, bool distances)
{
    for (uint32_t i = 0; i < set->plan->pair_count; i++) {
        struct slice name = set->plan->pairs[i]->name;
        remove_table(name, METRIC_DTZ);
        write_table(set, name, METRIC_WDL);
        if (distances)
            write_table(set, name, METRIC_DTZ);
    }
}

/* -- Proving it ------------------------------------------------------------------------------------------ */

enum finding { HOLDS, POSITION, HEADER, TROUBLE };

struct verdict {
    enum finding finding;
    struct slice slice;
    struct proof_fault fault;
    enum metric metric;
    enum status status;
    char text[MESSAGE_SIZE];
};

static bool prove_member(struct proof *proof, struct truth *truth, struct slice slice,
                         struct verdict *verdict)
{
    struct proof_tally tally = {0};
    enum proof_result result = PROOF_HOLDS;
    verdict->slice = slice;
    verdict->status = proof_begin(proof, truth, slice);
    if (verdict->status == STATUS_OK)
        verdict->status =
            proof_run(proof, 0, proof->slice->numbering->positions, &tally, &result, &verdict->fault);
    verdict->finding = verdict->status != STATUS_OK ? TROUBLE : result == PROOF_FAILS ? POSITION : HOLDS;
    if (verdict->finding == TROUBLE)
        snprintf(verdict->text, sizeof verdict->text, "%s", truth_message(truth));
    if (verdict->finding == POSITION)
        proof_fault_write(proof, &verdict->fault, verdict->text);
    if (verdict->finding == HOLDS &&
        proof_headers(proof->slice, &tally, &verdict->metric, verdict->text) == PROOF_FAILS)
        verdict->finding = HEADER;
    return verdict->finding == HOLDS;
}

static struct verdict prove_pairs(const struct timed_set *set, struct truth *truth)
{
    struct verdict verdict = {0};
    struct proof *proof = malloc(sizeof *proof);
    bool holds = true;
    assert_non_null(proof);
    for (uint32_t i = 0; i < set->plan->pair_count && holds; i++) {
        const struct slice_pair *pair = set->plan->pairs[i];
        holds = prove_member(proof, truth, pair->name, &verdict);
        if (holds && !pair->own_mirror)
            holds = prove_member(proof, truth, slice_mirror(pair->name), &verdict);
    }
    free(proof);
    return verdict;
}

/* What the proof of the whole folder says. */
static struct verdict prove(const struct timed_set *set)
{
    struct truth *truth;
    struct verdict verdict = {.finding = TROUBLE};
    assert_int_equal(truth_create(&set->variant, folder, &truth), STATUS_OK);
    for (uint32_t i = 0; i < set->plan->pair_count && verdict.status == STATUS_OK; i++)
        verdict.status = truth_add(truth, set->plan->pairs[i]->name);
    snprintf(verdict.text, sizeof verdict.text, "%s", truth_message(truth));
    truth_set_memory(truth, 0); /* the least, so that blocks are dropped and read again */
    if (verdict.status == STATUS_OK)
        verdict = prove_pairs(set, truth);
    truth_destroy(truth);
    return verdict;
}

static void assert_holds(const struct timed_set *set)
{
    struct verdict verdict = prove(set);
    if (verdict.finding != HOLDS) {
        char name[SLICE_NAME_SIZE];
        slice_write(verdict.slice, name);
        fail_msg("%s, limit %d: slice %s, number %llu: %s", set->variant.rules.name, set->variant.rules.limit,
                 name, (unsigned long long)verdict.fault.number, verdict.text);
    }
}

/* -- Successors ------------------------------------------------------------------------------------------ */

static void compare_successors(const struct variant *variant, struct slice slice)
{
    static struct successors successors;
    static struct move_list list;
    struct numbering *numbering;
    struct numbering *same;
    struct numbering *crowned = NULL;
    struct slice after_crowning = {slice.opponent_men, slice.opponent_kings, (uint8_t)(slice.own_men - 1),
                                   (uint8_t)(slice.own_kings + 1)};
    assert_int_equal(numbering_create(variant, slice, &numbering), STATUS_OK);
    assert_int_equal(numbering_create(variant, slice_mirror(slice), &same), STATUS_OK);
    if (slice.own_men > 0)
        assert_int_equal(numbering_create(variant, after_crowning, &crowned), STATUS_OK);
    successors_begin(&successors, same, crowned);
    for (uint64_t number = 0; number < numbering->positions; number += 1 + number % 7) {
        struct position position = numbering_position(numbering, number);
        move_list_clear(&list);
        variant->moves->quiet(&position, &list);
        for (int i = 0; i < list.count; i++) {
            struct position after = position_after(variant, &position, &list.moves[i]);
            struct successor successor = successors_after(&successors, &position, &list.moves[i]);
            assert_int_equal(successor.crowned, list.moves[i].crowned);
            assert_int_equal(successor.number, numbering_number(successor.crowned ? crowned : same, &after));
            assert_int_equal(successor.zeroes, move_zeroes(variant, &list.moves[i]));
        }
    }
    numbering_destroy(numbering);
    numbering_destroy(same);
    numbering_destroy(crowned);
}

static void test_successors(void **state)
{
    static const char *const slices[] = {"11v10", "20v01", "02v10", "10v02", "12v00", "11v01"};
    (void)state;
    for (size_t v = 0; v < variant_count; v++)
        for (size_t i = 0; i < sizeof slices / sizeof slices[0]; i++) {
            struct slice slice;
            if (slice_read(slices[i], &slice))
                compare_successors(variant_table[v], slice);
        }
}

/* -- Sound tables ---------------------------------------------------------------------------------------- */

static void check_sound(const char *name, int pieces, int limit)
{
    struct timed_set *set = make_set(name, pieces, limit);
    write_set(set, true);
    assert_holds(set);
    write_set(set, false);
    assert_holds(set);
    destroy_set(set);
}

static void test_sound_tables_of_all_rows(void **state)
{
    static const int limits[] = {ROWS_LIMIT, NO_LIMIT, 2, 3, 6};
    (void)state;
    for (size_t v = 0; v < variant_count; v++)
        for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
            check_sound(variant_table[v]->rules.name, 2, limits[i]);
}

static void test_sound_tables_of_three_pieces(void **state)
{
    (void)state;
    check_sound("italian", 3, ROWS_LIMIT);
    check_sound("portuguese", 3, ROWS_LIMIT);
    check_sound("italian", 3, 6);
    check_sound("portuguese", 3, 8);
}

/* -- Changed tables -------------------------------------------------------------------------------------- */

/* A place in a set. */
struct spot {
    struct slice slice;
    int slot;
    uint64_t number;
};

static bool leads_to(const struct timed_set *set, const struct position *from, const struct spot *spot)
{
    static struct move_list list;
    assert_int_equal(moves_legal(&set->variant, from, &list, NULL), STATUS_OK);
    for (int i = 0; i < list.count; i++) {
        struct position after = position_after(&set->variant, from, &list.moves[i]);
        if (slice_equal(slice_of(&after), spot->slice) &&
            numbering_number(set->plain->numberings[spot->slot], &after) == spot->number)
            return true;
    }
    return false;
}

/* The proof must fail at the spot or at a position before it from which a move leads there. */
static void assert_named(const struct timed_set *set, const struct spot *spot)
{
    struct verdict verdict = prove(set);
    assert_int_equal(verdict.finding, POSITION);
    int slot = small_set_slot(verdict.slice);
    bool is_spot = slice_equal(verdict.slice, spot->slice) && verdict.fault.number == spot->number;
    struct position position = numbering_position(set->plain->numberings[slot], verdict.fault.number);
    assert_true(is_spot || leads_to(set, &position, spot));
    assert_true(is_spot || !slice_equal(verdict.slice, spot->slice) || verdict.fault.number < spot->number);
    assert_int_equal(verdict.fault.value, set->plain->values[slot][verdict.fault.number] & ~FETCHED_CAPTURE);
}

/* A random place where own has no capture and the value is one of a set (bit n for enum value n). */
static struct spot random_spot(const struct timed_set *set, unsigned values, uint64_t *random)
{
    for (;;) {
        const struct slice_pair *pair = set->plan->pairs[random_next(random) % set->plan->pair_count];
        struct spot spot = {.slice = random_next(random) % 2 ? pair->name : slice_mirror(pair->name)};
        spot.slot = small_set_slot(spot.slice);
        spot.number = random_next(random) % set->plain->numberings[spot.slot]->positions;
        uint8_t value = set->plain->values[spot.slot][spot.number];
        if (!(value & FETCHED_CAPTURE) && values >> value & 1)
            return spot;
    }
}

enum { ALL_VALUES = (1 << VALUES) - 1, DECIDED = ALL_VALUES & ~(1 << DRAW), ROUNDS = 40 };

static void change_values(const char *name, int limit, bool distances)
{
    struct timed_set *set = make_set(name, 2, limit);
    uint64_t random = 11;
    write_set(set, distances);
    for (int round = 0; round < ROUNDS; round++) {
        struct spot spot = random_spot(set, ALL_VALUES, &random);
        uint8_t *value = &set->plain->values[spot.slot][spot.number];
        uint8_t kept = *value;
        while (*value == kept)
            *value = (uint8_t)(random_next(&random) % VALUES);
        if (limit == NO_LIMIT)
            *value = (uint8_t)value_without_limit((enum value) * value);
        if (*value != kept) {
            write_table(set, spot.slice, METRIC_WDL);
            assert_named(set, &spot);
        }
        *value = kept;
        write_table(set, spot.slice, METRIC_WDL);
    }
    assert_holds(set);
    destroy_set(set);
}

static void test_changed_values(void **state)
{
    (void)state;
    change_values("italian", 6, true);
    change_values("portuguese", 6, true);
    change_values("turkish", NO_LIMIT, true);
    change_values("damii", NO_LIMIT, false);
    change_values("portuguese", NO_LIMIT, false);
}

/* Under a limit a table of values alone can be wrong where a loss may take exactly the limit; elsewhere a
 * plain value that changes, and one that no move can reach, is found. */
static void test_changed_values_without_distances(void **state)
{
    struct timed_set *set = make_set("portuguese", 2, 6);
    uint64_t random = 5;
    (void)state;
    write_set(set, false);
    for (int round = 0; round < ROUNDS; round++) {
        struct spot spot = random_spot(set, ALL_VALUES, &random);
        uint8_t *value = &set->plain->values[spot.slot][spot.number];
        uint8_t kept = *value;
        while (value_without_limit((enum value) * value) == value_without_limit((enum value)kept))
            *value = (uint8_t)(random_next(&random) % VALUES);
        write_table(set, spot.slice, METRIC_WDL);
        assert_named(set, &spot);
        *value = kept;
        write_table(set, spot.slice, METRIC_WDL);
    }
    destroy_set(set);
}

/* True if a cursed or blessed value follows from the values of the successors alone: no move to a true loss,
 * or one to a cursed win. */
static bool surely_late(const struct timed_set *set, const struct spot *spot)
{
    static struct move_list list;
    struct position position = numbering_position(set->plain->numberings[spot->slot], spot->number);
    bool won = set->plain->values[spot->slot][spot->number] == CURSED_WIN;
    bool late = won;
    assert_int_equal(moves_legal(&set->variant, &position, &list, NULL), STATUS_OK);
    for (int i = 0; i < list.count; i++) {
        struct position after = position_after(&set->variant, &position, &list.moves[i]);
        enum value value = small_set_value(set->plain, &after);
        late = won ? late && value != LOSS : late || value == CURSED_WIN;
    }
    return late;
}

static void test_timely_for_late_without_distances(void **state)
{
    struct timed_set *set = make_set("portuguese", 3, 3);
    uint64_t random = 31;
    (void)state;
    write_set(set, false);
    for (int found = 0; found < 6;) {
        struct spot spot = random_spot(set, 1 << CURSED_WIN | 1 << BLESSED_LOSS, &random);
        uint8_t *value = &set->plain->values[spot.slot][spot.number];
        uint8_t kept = *value;
        if (!surely_late(set, &spot))
            continue;
        found++;
        *value = (uint8_t)value_without_limit((enum value)kept);
        write_table(set, spot.slice, METRIC_WDL);
        assert_named(set, &spot);
        *value = kept;
        write_table(set, spot.slice, METRIC_WDL);
    }
    destroy_set(set);
}

/* Another distance that goes with the value; the same if there is none near. */
static uint32_t other_distance(const struct timed_set *set, enum value value, uint32_t plies, int change)
{
    uint32_t limit = set->variant.rules.limit;
    uint32_t other = plies + (uint32_t)change;
    bool fits = change > 0 || plies > 1;
    if (limit > 0)
        fits = fits && (value == WIN || value == LOSS ? other <= limit : other > limit);
    return fits ? other : plies;
}

static void change_distances(const char *name, int limit)
{
    static const int changes[] = {1, -1, 2, 256, 40000};
    struct timed_set *set = make_set(name, 2, limit);
    uint64_t random = 23;
    int changed = 0;
    write_set(set, true);
    for (int round = 0; round < 4 * ROUNDS; round++) {
        struct spot spot = random_spot(set, DECIDED, &random);
        uint32_t *plies = &set->plain->plies[spot.slot][spot.number];
        uint32_t kept = *plies;
        *plies = other_distance(set, (enum value)set->plain->values[spot.slot][spot.number], kept,
                                changes[round % 5]);
        if (*plies == kept)
            continue;
        changed++;
        write_table(set, spot.slice, METRIC_DTZ);
        assert_named(set, &spot);
        *plies = kept;
        write_table(set, spot.slice, METRIC_DTZ);
    }
    assert_in_range(changed, ROUNDS, 4 * ROUNDS);
    assert_holds(set);
    destroy_set(set);
}

static void test_changed_distances(void **state)
{
    (void)state;
    change_distances("italian", ROWS_LIMIT);
    change_distances("portuguese", 6);
    change_distances("turkish", NO_LIMIT);
    change_distances("damii", 3);
}

/* Changes a header and signs it again; the change itself, then back. */
static void assert_header_found(const struct timed_set *set, enum metric metric,
                                void (*change)(struct table_member *))
{
    struct slice name;
    assert_true(slice_read("01v10", &name));
    char *path = path_of(name, metric);
    size_t length;
    uint8_t *bytes = file_bytes(path, &length);
    for (int member = 0; member < 2; member++) {
        struct table_header header;
        uint8_t kept[HEADER_SIZE];
        memcpy(kept, bytes, HEADER_SIZE);
        assert_int_equal(header_read(bytes, length, &header, NULL), STATUS_OK);
        change(&header.member[member]);
        header_write(&header, bytes);
        assert_memory_not_equal(bytes, kept, HEADER_SIZE);
        write_bytes(path, bytes, length);
        struct verdict verdict = prove(set);
        assert_int_equal(verdict.finding, HEADER);
        assert_int_equal(verdict.metric, metric);
        assert_true(slice_equal(verdict.slice, member == 0 ? name : slice_mirror(name)));
        memcpy(bytes, kept, HEADER_SIZE);
    }
    write_bytes(path, bytes, length);
    free(bytes);
    free(path);
    assert_holds(set);
}

static void move_a_count(struct table_member *member)
{
    member->counts[member->counts[WIN] > 1 ? WIN : LOSS]--;
    member->counts[DRAW]++;
}

static void raise_greatest(struct table_member *member)
{
    uint32_t *greatest = member->counts[WIN] > 0 ? &member->greatest_win : &member->greatest_loss;
    ++*greatest;
}

static void lower_greatest(struct table_member *member)
{
    uint32_t *greatest = member->counts[LOSS] > 0 ? &member->greatest_loss : &member->greatest_win;
    *greatest = *greatest > 0 ? *greatest - 1 : 7;
}

static void test_changed_headers(void **state)
{
    struct timed_set *set = make_set("portuguese", 2, ROWS_LIMIT);
    (void)state;
    write_set(set, true);
    assert_header_found(set, METRIC_WDL, move_a_count);
    assert_header_found(set, METRIC_DTZ, move_a_count);
    assert_header_found(set, METRIC_DTZ, raise_greatest);
    assert_header_found(set, METRIC_DTZ, lower_greatest);
    destroy_set(set);
}

/* -- What is missing or unreadable ----------------------------------------------------------------------- */

static void test_missing_tables(void **state)
{
    struct slice name;
    struct timed_set *set = make_set("portuguese", 2, ROWS_LIMIT);
    (void)state;
    assert_true(slice_read("01v01", &name));
    write_set(set, true);
    remove_table(name, METRIC_DTZ); /* which promotions in 01v10 lead to, without zeroing */
    struct verdict verdict = prove(set);
    assert_int_equal(verdict.finding, TROUBLE);
    assert_int_equal(verdict.status, STATUS_NO_TABLE);
    assert_non_null(strstr(verdict.text, "01v01.dtz"));
    remove_table(name, METRIC_WDL);
    verdict = prove(set);
    assert_int_equal(verdict.status, STATUS_NO_TABLE);
    assert_non_null(strstr(verdict.text, "01v01.wdl"));
    destroy_set(set);

    set = make_set("italian", 2, ROWS_LIMIT); /* where promotions zero */
    write_set(set, true);
    remove_table(name, METRIC_DTZ);
    assert_holds(set);
    destroy_set(set);
}

static void test_damaged_block(void **state)
{
    struct slice name;
    struct timed_set *set = make_set("portuguese", 2, ROWS_LIMIT);
    struct table_header header;
    size_t length;
    (void)state;
    assert_true(slice_read("10v10", &name));
    char *path = path_of(name, METRIC_WDL);
    write_set(set, true);
    uint8_t *bytes = file_bytes(path, &length);
    assert_int_equal(header_read(bytes, length, &header, NULL), STATUS_OK);
    assert_true(header.member[0].data_length > 0);
    bytes[header.member[0].data_offset] ^= 1;
    write_bytes(path, bytes, length);
    struct verdict verdict = prove(set);
    assert_int_equal(verdict.finding, TROUBLE);
    assert_int_equal(verdict.status, STATUS_DAMAGED);
    assert_non_null(strstr(verdict.text, "10v10.wdl"));
    free(bytes);
    free(path);
    destroy_set(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_successors),
        cmocka_unit_test(test_sound_tables_of_all_rows),
        cmocka_unit_test(test_sound_tables_of_three_pieces),
        cmocka_unit_test(test_changed_values),
        cmocka_unit_test(test_changed_values_without_distances),
        cmocka_unit_test(test_timely_for_late_without_distances),
        cmocka_unit_test(test_changed_distances),
        cmocka_unit_test(test_changed_headers),
        cmocka_unit_test(test_missing_tables),
        cmocka_unit_test(test_damaged_block),
    };
    folder = temporary_folder();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove_folder(folder);
    free(folder);
    return failed;
}
