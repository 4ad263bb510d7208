/* The closure of a request, and its order. */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

/* Slices found so far, each pair once under its first member's name. */
struct closure {
    bool seen[KIND_LIMIT][KIND_LIMIT][KIND_LIMIT][KIND_LIMIT];
    struct slice *names;
    size_t count;
    size_t room;
};

static enum status add(struct closure *closure, struct slice slice)
{
    slice = slice_pair_name(slice);
    bool *seen = &closure->seen[slice.own_men][slice.own_kings][slice.opponent_men][slice.opponent_kings];
    if (*seen)
        return STATUS_OK;
    if (closure->count == closure->room) {
        size_t room = closure->room ? 2 * closure->room : 64;
        struct slice *names = realloc(closure->names, room * sizeof *names);
        if (!names)
            return STATUS_NO_MEMORY;
        closure->names = names;
        closure->room = room;
    }
    *seen = true;
    closure->names[closure->count++] = slice;
    return STATUS_OK;
}

size_t plan_successors(struct slice slice, struct slice successors[MAX_SUCCESSORS])
{
    size_t count = 0;
    for (int side = 0; side < 2; side++, slice = slice_mirror(slice)) {
        struct slice next = slice;
        if (slice.own_men > 0 && slice.own_kings < KIND_LIMIT - 1) {
            next.own_men--;
            next.own_kings++;
            successors[count++] = next;
        }
        if (slice_own(slice) == 1)
            continue;
        next = slice;
        next.own_men--;
        if (slice.own_men > 0)
            successors[count++] = next;
        next = slice;
        next.own_kings--;
        if (slice.own_kings > 0)
            successors[count++] = next;
    }
    return count;
}

static enum status close_under_moves(struct closure *closure)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < closure->count; i++) {
        struct slice successors[MAX_SUCCESSORS];
        size_t count = plan_successors(closure->names[i], successors);
        for (size_t j = 0; j < count && status == STATUS_OK; j++)
            status = add(closure, successors[j]);
    }
    return status;
}

static enum status add_all_with(struct closure *closure, int pieces)
{
    enum status status = STATUS_OK;
    for (int own_men = 0; own_men <= pieces; own_men++)
        for (int own_kings = 0; own_men + own_kings <= pieces; own_kings++)
            for (int men = 0; own_men + own_kings + men <= pieces; men++) {
                int kings = pieces - own_men - own_kings - men;
                if (own_men + own_kings == 0 || men + kings == 0 || own_men >= KIND_LIMIT ||
                    own_kings >= KIND_LIMIT || men >= KIND_LIMIT || kings >= KIND_LIMIT)
                    continue;
                if (status == STATUS_OK)
                    status = add(closure, (struct slice){(uint8_t)own_men, (uint8_t)own_kings, (uint8_t)men,
                                                         (uint8_t)kings});
            }
    return status;
}

static int compare_slices(const void *left, const void *right)
{
    const struct slice *a = left;
    const struct slice *b = right;
    if (slice_pieces(*a) != slice_pieces(*b))
        return slice_pieces(*a) - slice_pieces(*b);
    if (slice_men(*a) != slice_men(*b))
        return slice_men(*a) - slice_men(*b);
    char names[2][SLICE_NAME_SIZE];
    slice_write(*a, names[0]);
    slice_write(*b, names[1]);
    return strcmp(names[0], names[1]);
}

/* What was asked for has to be possible itself, before what it depends on is looked at. */
static enum status check_request(const struct variant *variant, const struct request *request,
                                 struct slice *culprit)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < request->slice_count && status == STATUS_OK; i++) {
        uint64_t positions;
        *culprit = request->slices[i];
        status = numbering_count(variant, *culprit, &positions);
    }
    return status;
}

static enum status collect(const struct request *request, struct closure *closure)
{
    enum status status = STATUS_OK;
    for (int pieces = 2; pieces <= request->pieces && status == STATUS_OK; pieces++)
        status = add_all_with(closure, pieces);
    for (size_t i = 0; i < request->slice_count && status == STATUS_OK; i++)
        status = add(closure, request->slices[i]);
    if (status == STATUS_OK)
        status = close_under_moves(closure);
    if (status == STATUS_OK && closure->count > 1)
        qsort(closure->names, closure->count, sizeof *closure->names, compare_slices);
    return status;
}

static void enter(struct plan *plan, struct slice slice, int member)
{
    plan->by_slice[slice.own_men][slice.own_kings][slice.opponent_men][slice.opponent_kings] =
        (int32_t)plan->pair_count * 2 + member;
}

static int most_advancement(const struct slice_pair *pair)
{
    int most = 0;
    for (uint32_t cell = 0; cell < pair->members[0]->cell_count; cell++)
        if (pair->members[0]->cells[cell].advancement > most)
            most = pair->members[0]->cells[cell].advancement;
    return most;
}

static void add_to_group(struct plan *plan, const struct slice_pair *pair)
{
    int pieces = slice_pieces(pair->name);
    int men = slice_men(pair->name);
    struct group *last = plan->group_count ? &plan->groups[plan->group_count - 1] : NULL;
    if (!last || last->pieces != pieces || last->men != men) {
        last = &plan->groups[plan->group_count++];
        *last = (struct group){.first_pair = plan->pair_count, .pieces = pieces, .men = men};
    }
    last->pairs++;
    if (most_advancement(pair) > last->most_advancement)
        last->most_advancement = most_advancement(pair);
}

static enum status add_pair(struct plan *plan, struct slice name)
{
    struct slice_pair *pair;
    enum status status = slice_pair_create(plan->variant, name, &pair);
    if (status != STATUS_OK)
        return status;
    plan->pairs[plan->pair_count] = pair;
    status = layout_create(pair, &plan->layouts[plan->pair_count]);
    if (status != STATUS_OK) {
        slice_pair_destroy(pair);
        return status;
    }
    enter(plan, slice_mirror(pair->name), 1);
    enter(plan, pair->name, 0);
    add_to_group(plan, pair);
    plan->pair_count++;
    return STATUS_OK;
}

static enum status fill(struct plan *plan, const struct closure *closure, struct slice *culprit)
{
    plan->pairs = calloc(closure->count, sizeof(struct slice_pair *));
    plan->layouts = calloc(closure->count, sizeof *plan->layouts);
    plan->groups = calloc(closure->count, sizeof *plan->groups);
    if (!plan->pairs || !plan->layouts || !plan->groups)
        return STATUS_NO_MEMORY;
    memset(plan->by_slice, -1, sizeof plan->by_slice);
    for (size_t i = 0; i < closure->count; i++) {
        *culprit = closure->names[i];
        enum status status = add_pair(plan, closure->names[i]);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

enum status plan_create(const struct variant *variant, const struct request *request, struct plan **plan,
                        struct slice *culprit)
{
    *plan = NULL;
    struct closure *closure = calloc(1, sizeof *closure);
    struct plan *made = calloc(1, sizeof *made);
    enum status status = closure && made ? check_request(variant, request, culprit) : STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = collect(request, closure);
    if (status == STATUS_OK) {
        made->variant = variant;
        status = fill(made, closure, culprit);
    }
    if (closure)
        free(closure->names);
    free(closure);
    if (status != STATUS_OK) {
        plan_destroy(made);
        return status;
    }
    *plan = made;
    return STATUS_OK;
}

void plan_destroy(struct plan *plan)
{
    if (!plan)
        return;
    for (uint32_t i = 0; i < plan->pair_count; i++) {
        layout_destroy(&plan->layouts[i]);
        slice_pair_destroy(plan->pairs[i]);
    }
    free(plan->pairs);
    free(plan->layouts);
    free(plan->groups);
    free(plan);
}

bool plan_pair_has_level(const struct plan *plan, uint32_t pair, int advancement)
{
    const struct numbering *numbering = plan->pairs[pair]->members[0];
    for (uint32_t cell = 0; cell < numbering->cell_count; cell++)
        if (numbering->cells[cell].advancement == advancement)
            return true;
    return false;
}

static int larger_first(const void *left, const void *right)
{
    const struct piece *a = left;
    const struct piece *b = right;
    if (a->places != b->places)
        return a->places < b->places ? 1 : -1;
    if (a->pair != b->pair)
        return a->pair < b->pair ? -1 : 1;
    if (a->cell != b->cell)
        return a->cell < b->cell ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static size_t pieces_of_level(const struct plan *plan, uint32_t pair, int advancement, struct piece *pieces)
{
    const struct numbering *numbering = plan->pairs[pair]->members[0];
    size_t count = 0;
    for (uint32_t cell = 0; cell < numbering->cell_count; cell++) {
        if (numbering->cells[cell].advancement != advancement)
            continue;
        for (uint32_t number = 0; number < plan->layouts[pair].cells[cell].pieces; number++) {
            if (pieces)
                pieces[count] = layout_piece(&plan->layouts[pair], pair, cell, number);
            count++;
        }
    }
    return count;
}

enum status plan_level(const struct plan *plan, const struct group *group, int advancement,
                       const bool *wanted, struct piece **pieces, size_t *count)
{
    *count = 0;
    for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs; pair++)
        if (wanted[pair])
            *count += pieces_of_level(plan, pair, advancement, NULL);
    *pieces = malloc((*count + 1) * sizeof **pieces);
    if (!*pieces)
        return STATUS_NO_MEMORY;
    size_t filled = 0;
    for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs; pair++)
        if (wanted[pair])
            filled += pieces_of_level(plan, pair, advancement, *pieces + filled);
    qsort(*pieces, *count, sizeof **pieces, larger_first);
    return STATUS_OK;
}

uint64_t plan_largest_piece(const struct plan *plan)
{
    uint64_t largest = 0;
    for (uint32_t pair = 0; pair < plan->pair_count; pair++) {
        const struct numbering *numbering = plan->pairs[pair]->members[0];
        for (uint32_t cell = 0; cell < numbering->cell_count; cell++) {
            if (plan->layouts[pair].cells[cell].pieces == 0)
                continue;
            uint64_t places = layout_piece(&plan->layouts[pair], pair, cell, 0).places;
            if (places > largest)
                largest = places;
        }
    }
    return largest;
}
