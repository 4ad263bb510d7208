/* What has to be built, and in which order: slice pairs, groups of pairs, levels, pieces of work.
 * Nothing here depends on ranks, memory or files. */
#ifndef GEN_PLAN_H
#define GEN_PLAN_H

#include "layout.h"

enum { KIND_LIMIT = 10 /* pieces of one kind are fewer */ };

/* Pairs with equally many pieces and equally many men; they are built together. */
struct group {
    uint32_t first_pair;
    uint32_t pairs;
    int pieces;
    int men;
    int most_advancement; /* levels run from here down to 0 */
};

struct plan {
    const struct variant *variant;
    uint32_t pair_count;
    uint32_t group_count;
    struct slice_pair **pairs; /* by pieces, men, name; smaller ones first */
    struct layout *layouts;    /* of the pairs */
    struct group *groups;
    /* Of a slice: 2 * number of its pair + member, or -1. */
    int32_t by_slice[KIND_LIMIT][KIND_LIMIT][KIND_LIMIT][KIND_LIMIT];
};

/* The slices a run is asked for. */
struct request {
    int pieces;                 /* every slice with up to so many, or 0 */
    const struct slice *slices; /* and these with all they depend on */
    size_t slice_count;
};

/* Makes the plan of a request; the caller destroys it. STATUS_BAD_SLICE or STATUS_TOO_MANY_PIECES with the
 * offending slice in *culprit. */
enum status plan_create(const struct variant *variant, const struct request *request, struct plan **plan,
                        struct slice *culprit);
void plan_destroy(struct plan *plan);

static inline int32_t plan_find(const struct plan *plan, struct slice slice)
{
    return plan->by_slice[slice.own_men][slice.own_kings][slice.opponent_men][slice.opponent_kings];
}

enum { MAX_SUCCESSORS = 6 };

/* Slices of which one piece less, or one promotion, is made by a single step from the slice or its mirror.
 * What a move of several captures leads to follows from these. Returns how many. */
size_t plan_successors(struct slice slice, struct slice successors[MAX_SUCCESSORS]);

/* The pieces of work of one level of a group, of the pairs that `wanted` (one flag a pair of the plan) has,
 * largest first; the caller frees *pieces. */
enum status plan_level(const struct plan *plan, const struct group *group, int advancement,
                       const bool *wanted, struct piece **pieces, size_t *count);

/* The group that a pair is of. */
static inline const struct group *plan_group_of(const struct plan *plan, uint32_t pair)
{
    const struct group *group = plan->groups;
    while (pair >= group->first_pair + group->pairs)
        group++;
    return group;
}

/* True if the pair has cells in that level. */
bool plan_pair_has_level(const struct plan *plan, uint32_t pair, int advancement);

/* Places of the largest piece of the plan. */
uint64_t plan_largest_piece(const struct plan *plan);

#endif
