/* Iteration until nothing changes, slice pair by slice pair. */
#include "small_set.h"

#include "moves.h"
#include "temporary.h"

#include <stdio.h>
#include <stdlib.h>

enum { UNDECIDED = 0x7f };

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

/* Solves every pair that has so many pieces and men, in an order in which what it needs comes first. */
static void solve_pairs(struct small_set *set, int pieces, int men)
{
    for (int own_men = 0; own_men <= men; own_men++)
        for (int own_kings = 0; own_kings <= pieces - men; own_kings++) {
            struct slice slice = {(uint8_t)own_men, (uint8_t)own_kings, (uint8_t)(men - own_men),
                                  (uint8_t)(pieces - men - own_kings)};
            if (slice_own(slice) > 0 && slice_opponent(slice) > 0 &&
                slice_equal(slice, slice_pair_name(slice)))
                solve_pair(set, slice);
        }
}

struct small_set *small_set_solve(const char *variant, int pieces)
{
    struct small_set *set = calloc(1, sizeof *set);
    if (!set || !(set->variant = variant_named(variant))) {
        fprintf(stderr, "test set-up: no set of %s\n", variant);
        exit(4);
    }
    for (int of_slice = 2; of_slice <= pieces; of_slice++)
        for (int men = 0; men <= of_slice; men++)
            solve_pairs(set, of_slice, men);
    return set;
}

void small_set_destroy(struct small_set *set)
{
    for (int slot = 0; slot < SMALL_SET_SLOTS; slot++) {
        numbering_destroy(set->numberings[slot]);
        free(set->values[slot]);
    }
    free(set);
}

/* -- Writing ------------------------------------------------------------------------------------------- */

struct pair_source {
    const uint8_t *values[2];
};

static enum status fetch(void *context, int member, uint64_t first, size_t count, uint8_t *values)
{
    const struct pair_source *pair = context;
    memcpy(values, pair->values[member] + first, count);
    return STATUS_OK;
}

void small_set_write(const struct small_set *set, const char *folder, const struct table_options *options)
{
    char *directory = path_join(folder, set->variant->rules.name);
    make_folder(directory);
    for (int slot = 0; slot < SMALL_SET_SLOTS; slot++) {
        char message[MESSAGE_SIZE];
        struct table_summary summary;
        struct slice slice = {(uint8_t)(slot / 1000), (uint8_t)(slot / 100 % 10), (uint8_t)(slot / 10 % 10),
                              (uint8_t)(slot % 10)};
        if (!set->values[slot] || !slice_equal(slice, slice_pair_name(slice)))
            continue;
        struct pair_source pair = {{set->values[slot], set->values[small_set_slot(slice_mirror(slice))]}};
        struct table_source source = {.fetch = fetch, .context = &pair};
        if (table_write(directory, set->variant, slice, &source, options, &summary, message) != STATUS_OK ||
            manifest_update(directory, set->variant->rules.name, &summary.entry, message) != STATUS_OK) {
            fprintf(stderr, "test set-up: %s\n", message);
            exit(4);
        }
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

uint64_t small_set_wrong(const struct small_set *set, dama_tables *tables)
{
    const dama_variant *variant = library_variant_public(set->variant);
    uint64_t wrong = 0;
    for (int slot = 0; slot < SMALL_SET_SLOTS; slot++)
        for (uint64_t number = 0; set->values[slot] && number < set->numberings[slot]->positions; number++) {
            struct position own = numbering_position(set->numberings[slot], number);
            struct position turned = position_turned(set->variant->rules.board, &own);
            bool black = number % 2;
            dama_board board = library_board(set->variant, black ? &turned : &own, black);
            dama_value value;
            wrong += dama_probe_wdl(tables, variant, &board, 0, &value) != DAMA_OK ||
                     value - DAMA_LOSS != (set->values[slot][number] & 0x7f);
        }
    return wrong;
}
