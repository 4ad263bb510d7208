/* The forecast of a run. Its constants are measured on finished five-piece sets (docs/performance.md). */
#include "forecast.h"
#include "memory.h"
#include "store.h"

#include <inttypes.h>

/* Of a run: bits of files for 1,000 positions, and positions a second of CPU time, tables included. */
struct rates {
    uint32_t segment_bits; /* work store */
    uint32_t table_bits;
    uint32_t positions_a_second;
};

enum { FIXED_MEMORY = 48 << 20 }; /* program, MPI, compression */

uint64_t forecast_memory(const struct plan *plan, const struct settings *settings)
{
    uint64_t memory =
        settings->solver->memory(plan->variant, plan_largest_piece(plan), settings_need_distances(settings)) +
        LEAST_CACHE + FIXED_MEMORY;
    for (uint32_t pair = 0; pair < plan->pair_count; pair++) {
        const struct slice_pair *slices = plan->pairs[pair];
        memory += layout_all_chunks(&plan->layouts[pair]) *
                  (sizeof(struct segment) + sizeof(void *) + sizeof(bool));
        memory += slices->members[0]->cell_count * (2 * sizeof(struct cell) + sizeof(struct cell_layout));
    }
    return memory;
}

uint64_t forecast_least_memory(const struct settings *settings)
{
    const struct variant *variant = settings->variant;
    int pieces = settings->request.pieces;
    uint64_t most = 0;
    for (int own = 1; own < pieces; own++) {
        int opponent = pieces - own;
        if (own >= KIND_LIMIT || opponent >= KIND_LIMIT)
            continue;
        uint64_t positions;
        struct slice slice = {0, (uint8_t)own, 0, (uint8_t)opponent};
        enum status status = numbering_count(variant, slice, &positions);
        if (status == STATUS_BAD_SLICE)
            continue;
        if (status != STATUS_OK || positions > UINT64_MAX / 64)
            return UINT64_MAX;
        uint64_t memory = settings->solver->memory(variant, own == opponent ? positions : 2 * positions,
                                                   settings_need_distances(settings));
        most = memory > most ? memory : most;
    }
    return most > 0 ? most : UINT64_MAX;
}

/* Distances are long where steps of men do not zero, and compress less. */
static struct rates rates_of(const struct settings *settings)
{
    if (solver_needs_distances(settings->variant))
        return settings->metric == METRIC_DTZ ? (struct rates){2400, 1220, 2300000}
                                              : (struct rates){2400, 280, 2800000};
    return settings->metric == METRIC_DTZ ? (struct rates){1300, 700, 2500000}
                                          : (struct rates){550, 230, 3500000};
}

/* Sums over the cells of a group that are used. */
struct group_sum {
    uint64_t positions;
    uint64_t pieces;
    uint64_t largest; /* places of a piece */
    int levels;
};

static struct group_sum sum_of(const struct plan *plan, const struct group *group)
{
    struct group_sum sum = {.levels = group->most_advancement + 1};
    for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs; pair++) {
        const struct layout *layout = &plan->layouts[pair];
        sum.positions += plan->pairs[pair]->positions;
        for (uint32_t cell = 0; cell < plan->pairs[pair]->members[0]->cell_count; cell++) {
            sum.pieces += layout->cells[cell].pieces;
            if (layout->cells[cell].pieces == 0)
                continue;
            uint64_t places = layout_piece(layout, pair, cell, 0).places;
            sum.largest = places > sum.largest ? places : sum.largest;
        }
    }
    return sum;
}

void forecast_print(FILE *output, const struct plan *plan, const struct settings *settings, int ranks)
{
    const struct rates rates = rates_of(settings);
    char text[MEMORY_TEXT_SIZE];
    uint64_t positions = 0;
    uint64_t pieces = 0;
    int levels = 0;
    fprintf(output, "pieces\tmen\tslice_pairs\tlevels\tpositions\tpieces_of_work\tlargest_unit\n");
    for (uint32_t i = 0; i < plan->group_count; i++) {
        const struct group *group = &plan->groups[i];
        struct group_sum sum = sum_of(plan, group);
        fprintf(output, "%d\t%d\t%" PRIu32 "\t%d\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", group->pieces,
                group->men, group->pairs, sum.levels, sum.positions, sum.pieces, sum.largest);
        positions += sum.positions;
        pieces += sum.pieces;
        levels += sum.levels;
    }
    fprintf(output, "total: %" PRIu32 " slice pairs, %d levels, %" PRIu64 " positions\n", plan->pair_count,
            levels, positions);
    memory_write(forecast_memory(plan, settings), text);
    fprintf(output, "memory a rank: at least %s", text);
    memory_write(settings->memory, text);
    fprintf(output, " (allowed: %s)\n", text);
    memory_write(positions / 8 * rates.segment_bits / 1000, text);
    fprintf(output, "disk: work store about %s", text);
    memory_write(positions / 8 * rates.table_bits / 1000, text);
    fprintf(output, ", tables about %s\n", text);
    memory_write(ranks > 1 ? pieces * (uint64_t)ranks * sizeof(struct new_segment) : 0, text);
    fprintf(output, "network: about %s, besides reading the work store\n", text);
    fprintf(output, "time: about %.0f seconds with %d ranks, if each has a core\n",
            (double)positions / rates.positions_a_second / ranks, ranks);
}
