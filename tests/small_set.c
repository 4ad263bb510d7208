/* Iteration until nothing changes, slice pair by slice pair: values first, then distances. */
#include "small_set.h"

#include "distance.h"
#include "temporary.h"

#include <stdio.h>
#include <stdlib.h>

enum { UNDECIDED = 0x7f, UNKNOWN = 1 << 30 /* greater than any distance */ };

enum value small_set_value(const struct small_set *set, const struct position *position)
{
    if (!position_own(position))
        return LOSS;
    if (!position_opponent(position))
        return WIN;
    int slot = small_set_slot(slice_of(position));
    return (enum value)(set->values[slot][numbering_number(set->numberings[slot], position)] & 0x7f);
}

/* Best of the moves for own; one that leads to something undecided decides nothing but is not lost. */
static uint8_t best_of(const struct small_set *set, const struct position *position,
                       const struct move_list *list)
{
    int best = LOSS;
    bool open = false;
    for (int i = 0; i < list->count; i++) {
        struct position after = position_after(set->variant, position, &list->moves[i]);
        int reply = (int)small_set_value(set, &after);
        open |= reply == UNDECIDED;
        if (reply != UNDECIDED && WIN - reply > best)
            best = WIN - reply;
    }
    return (uint8_t)(best == WIN || !open ? best : UNDECIDED);
}

/* Decides a position if it can be decided now. */
static uint8_t decide(const struct small_set *set, struct slice slice, const struct position *position)
{
    struct move_list list;
    enum value special;
    move_list_clear(&list);
    if (set->variant->moves->has_capture(position)) {
        set->variant->moves->captures(position, &list, NULL);
        return (uint8_t)(FETCHED_CAPTURE | best_of(set, position, &list));
    }
    if (value_by_special_end(set->variant, slice, &special))
        return (uint8_t)special;
    set->variant->moves->quiet(position, &list);
    uint8_t value = best_of(set, position, &list);
    return value == DRAW ? UNDECIDED : value; /* what is drawn shows at the end, in one way for all */
}

static bool sweep(struct small_set *set, struct slice slice)
{
    int slot = small_set_slot(slice);
    bool changed = false;
    for (uint64_t number = 0; number < set->numberings[slot]->positions; number++) {
        if (set->values[slot][number] != UNDECIDED)
            continue;
        struct position position = numbering_position(set->numberings[slot], number);
        set->values[slot][number] = decide(set, slice, &position);
        changed |= set->values[slot][number] != UNDECIDED;
    }
    return changed;
}

static bool begin(struct small_set *set, struct slice slice)
{
    int slot = small_set_slot(slice);
    if (numbering_create(set->variant, slice, &set->numberings[slot]) != STATUS_OK)
        return false;
    set->values[slot] = malloc(set->numberings[slot]->positions);
    memset(set->values[slot], UNDECIDED, set->numberings[slot]->positions);
    return true;
}

static void finish(struct small_set *set, struct slice slice)
{
    int slot = small_set_slot(slice);
    for (uint64_t number = 0; number < set->numberings[slot]->positions; number++)
        if (set->values[slot][number] == UNDECIDED)
            set->values[slot][number] = DRAW;
}

static void solve_pair(struct small_set *set, struct slice slice)
{
    struct slice mirror = slice_mirror(slice);
    bool two = !slice_is_own_mirror(slice);
    if (!begin(set, slice) || (two && !begin(set, mirror)))
        return;
    for (bool changed = true; changed;) {
        changed = sweep(set, slice);
        if (two)
            changed |= sweep(set, mirror);
    }
    finish(set, slice);
    if (two)
        finish(set, mirror);
}

/* -- Distances ----------------------------------------------------------------------------------------- */

uint32_t small_set_distance(const struct small_set *set, const struct position *position)
{
    if (!position_own(position) || !position_opponent(position))
        return 0;
    int slot = small_set_slot(slice_of(position));
    return set->plies[slot][numbering_number(set->numberings[slot], position)];
}

/* What a move counts if it leads to a position so many plies from its end: the words of the rules, not the
 * equations under test. */
static uint32_t plies_through(const struct small_set *set, const struct move *move, uint32_t plies)
{
    uint32_t limit = set->variant->rules.limit;
    if (!move_zeroes(set->variant, move))
        return plies >= UNKNOWN ? UNKNOWN : plies + 1;
    return limit == 0 || plies <= limit ? 1 : limit + 1;
}

/* Plies of a won or lost position by those of its successors as they are now. Values have no limit yet. */
static uint32_t plies_now(const struct small_set *set, const struct position *position, bool won)
{
    static struct move_list list;
    uint32_t best = won ? UNKNOWN : 0;
    enum value special;
    move_list_clear(&list);
    if (set->variant->moves->has_capture(position))
        set->variant->moves->captures(position, &list, NULL);
    else if (value_by_special_end(set->variant, slice_of(position), &special))
        return 0;
    else
        set->variant->moves->quiet(position, &list);
    for (int i = 0; i < list.count; i++) {
        struct position after = position_after(set->variant, position, &list.moves[i]);
        uint32_t plies = plies_through(set, &list.moves[i], small_set_distance(set, &after));
        if (won && small_set_value(set, &after) == LOSS && plies < best)
            best = plies;
        if (!won && plies > best)
            best = plies;
    }
    return best;
}

static bool sweep_plies(struct small_set *set, int slot)
{
    bool changed = false;
    const struct numbering *numbering = set->numberings[slot];
    for (uint64_t number = 0; number < numbering->positions; number++) {
        enum value value = (enum value)(set->values[slot][number] & ~FETCHED_CAPTURE);
        if (value == DRAW)
            continue;
        struct position position = numbering_position(numbering, number);
        uint32_t plies = plies_now(set, &position, value == WIN);
        changed |= plies != set->plies[slot][number];
        set->plies[slot][number] = plies;
    }
    return changed;
}

static void begin_plies(struct small_set *set, int slot)
{
    uint64_t positions = set->numberings[slot]->positions;
    set->plies[slot] = malloc(positions * sizeof *set->plies[slot]);
    for (uint64_t number = 0; number < positions; number++)
        set->plies[slot][number] = (set->values[slot][number] & ~FETCHED_CAPTURE) == DRAW ? 0 : UNKNOWN;
}

static void time_pair(struct small_set *set, struct slice slice)
{
    int slots[2] = {small_set_slot(slice), small_set_slot(slice_mirror(slice))};
    bool two = slots[0] != slots[1];
    begin_plies(set, slots[0]);
    if (two)
        begin_plies(set, slots[1]);
    for (bool changed = true; changed;) {
        changed = sweep_plies(set, slots[0]);
        if (two)
            changed |= sweep_plies(set, slots[1]);
    }
}

/* Makes cursed wins and blessed losses of what takes too long. Every win and loss must have its plies. */
static void apply_limit(struct small_set *set)
{
    uint32_t limit = set->variant->rules.limit;
    for (int slot = 0; slot < SMALL_SET_SLOTS; slot++)
        for (uint64_t number = 0; set->values[slot] && number < set->numberings[slot]->positions; number++) {
            uint8_t *value = &set->values[slot][number];
            if (set->plies[slot][number] > MOST_DISTANCE) {
                fprintf(stderr, "test set-up: a win or loss without an end\n");
                exit(4);
            }
            if (limit > 0 && set->plies[slot][number] > limit)
                *value = (uint8_t)((*value & FETCHED_CAPTURE) |
                                   ((*value & ~FETCHED_CAPTURE) == WIN ? CURSED_WIN : BLESSED_LOSS));
        }
}

/* -- All pairs ----------------------------------------------------------------------------------------- */

/* Solves every pair that has so many pieces and men, in an order in which what it needs comes first. */
static void solve_pairs(struct small_set *set, int pieces, int men)
{
    for (int own_men = 0; own_men <= men; own_men++)
        for (int own_kings = 0; own_kings <= pieces - men; own_kings++) {
            struct slice slice = {(uint8_t)own_men, (uint8_t)own_kings, (uint8_t)(men - own_men),
                                  (uint8_t)(pieces - men - own_kings)};
            if (slice_own(slice) > 0 && slice_opponent(slice) > 0 &&
                slice_equal(slice, slice_pair_name(slice))) {
                solve_pair(set, slice);
                time_pair(set, slice);
            }
        }
}

struct small_set *small_set_solve_variant(const struct variant *variant, int pieces)
{
    struct small_set *set = calloc(1, sizeof *set);
    if (!set || !variant) {
        fprintf(stderr, "test set-up: no such set\n");
        exit(4);
    }
    set->variant = variant;
    for (int of_slice = 2; of_slice <= pieces; of_slice++)
        for (int men = 0; men <= of_slice; men++)
            solve_pairs(set, of_slice, men);
    apply_limit(set);
    return set;
}

struct small_set *small_set_solve(const char *variant, int pieces)
{
    return small_set_solve_variant(variant_named(variant), pieces);
}

void small_set_destroy(struct small_set *set)
{
    for (int slot = 0; slot < SMALL_SET_SLOTS; slot++) {
        numbering_destroy(set->numberings[slot]);
        free(set->values[slot]);
        free(set->plies[slot]);
    }
    free(set);
}

/* -- Writing ------------------------------------------------------------------------------------------- */

struct pair_source {
    const uint8_t *values[2];
    const uint32_t *plies[2];
};

static enum status fetch(void *context, int member, uint64_t first, size_t count, uint8_t *values)
{
    const struct pair_source *pair = context;
    memcpy(values, pair->values[member] + first, count);
    return STATUS_OK;
}

static enum status fetch_distances(void *context, int member, uint64_t first, size_t count,
                                   uint16_t *distances)
{
    const struct pair_source *pair = context;
    for (size_t i = 0; i < count; i++)
        distances[i] = (uint16_t)pair->plies[member][first + i];
    return STATUS_OK;
}

struct table_summary small_set_write_table(const struct small_set *set, const char *directory,
                                           struct slice slice, struct table_options options)
{
    char message[MESSAGE_SIZE];
    struct table_summary summary;
    struct slice name = slice_pair_name(slice);
    int slots[2] = {small_set_slot(name), small_set_slot(slice_mirror(name))};
    struct pair_source pair = {{set->values[slots[0]], set->values[slots[1]]},
                               {set->plies[slots[0]], set->plies[slots[1]]}};
    struct table_source source = {.fetch = fetch, .fetch_distances = fetch_distances, .context = &pair};
    if (table_write(directory, set->variant, name, &source, &options, &summary, message) != STATUS_OK) {
        fprintf(stderr, "test set-up: %s\n", message);
        exit(4);
    }
    return summary;
}

/* Writes a table and enters it into the manifest. */
static void write_entry(const struct small_set *set, const char *directory, struct slice slice,
                        struct table_options options)
{
    char message[MESSAGE_SIZE];
    struct table_summary summary = small_set_write_table(set, directory, slice, options);
    if (manifest_update(directory, set->variant->rules.name, &summary.entry, message) != STATUS_OK) {
        fprintf(stderr, "test set-up: %s\n", message);
        exit(4);
    }
}

void small_set_write(const struct small_set *set, const char *folder, const struct table_options *options)
{
    struct table_options of_values = options ? *options : (struct table_options){0};
    struct table_options of_distances = {.metric = METRIC_DTZ, .block_log2 = of_values.block_log2};
    char *directory = path_join(folder, set->variant->rules.name);
    of_values.metric = METRIC_WDL;
    make_folder(directory);
    for (int slot = 0; slot < SMALL_SET_SLOTS; slot++) {
        struct slice slice = {(uint8_t)(slot / 1000), (uint8_t)(slot / 100 % 10), (uint8_t)(slot / 10 % 10),
                              (uint8_t)(slot % 10)};
        if (!set->values[slot] || !slice_equal(slice, slice_pair_name(slice)))
            continue;
        write_entry(set, directory, slice, of_values);
        write_entry(set, directory, slice, of_distances);
    }
    free(directory);
}

char *small_set_table(const struct small_set *set, const char *folder, const char *name)
{
    char *directory = path_join(folder, set->variant->rules.name);
    char *path = path_join(directory, name);
    free(directory);
    return path;
}

/* -- Comparing ----------------------------------------------------------------------------------------- */

/* The public form of a position, every other one with Black to move. */
static dama_board board_of_number(const struct small_set *set, int slot, uint64_t number)
{
    struct position own = numbering_position(set->numberings[slot], number);
    struct position turned = position_turned(set->variant->rules.board, &own);
    bool black = number % 2;
    return library_board(set->variant, black ? &turned : &own, black);
}

uint64_t small_set_wrong(const struct small_set *set, dama_tables *tables)
{
    const dama_variant *variant = library_variant_public(set->variant);
    uint64_t wrong = 0;
    for (int slot = 0; slot < SMALL_SET_SLOTS; slot++)
        for (uint64_t number = 0; set->values[slot] && number < set->numberings[slot]->positions; number++) {
            dama_board board = board_of_number(set, slot, number);
            dama_value value;
            wrong += dama_probe_wdl(tables, variant, &board, 0, &value) != DAMA_OK ||
                     value - DAMA_LOSS != (set->values[slot][number] & 0x7f);
        }
    return wrong;
}

uint64_t small_set_wrong_distances(const struct small_set *set, dama_tables *tables)
{
    const dama_variant *variant = library_variant_public(set->variant);
    uint64_t wrong = 0;
    for (int slot = 0; slot < SMALL_SET_SLOTS; slot++)
        for (uint64_t number = 0; set->values[slot] && number < set->numberings[slot]->positions; number++) {
            dama_board board = board_of_number(set, slot, number);
            dama_value value;
            int plies = -1;
            wrong += dama_probe_dtz(tables, variant, &board, 0, &value, &plies) != DAMA_OK ||
                     value - DAMA_LOSS != (set->values[slot][number] & 0x7f) ||
                     plies != (int)set->plies[slot][number];
        }
    return wrong;
}
