/* Sizes alone: nothing is solved here. */
#include "team_choice.h"
#include "team_solver.h"

enum {
    EXCHANGE_BYTES = 16 << 20, /* that all parcels of a rank have room for, on their way out and in */
    LEAST_PARCEL = 4096,
    MOST_PARCEL = 1 << 18,
    LARGE_PLACES = 8 << 20 /* smaller pieces are not worth a team */
};

size_t team_parcel_room(int ranks)
{
    size_t room = EXCHANGE_BYTES / (size_t)ranks;
    return room < LEAST_PARCEL ? LEAST_PARCEL : room > MOST_PARCEL ? MOST_PARCEL : room;
}

struct unit team_unit(const struct plan *plan, const struct piece *piece, uint64_t men)
{
    const struct slice_pair *pair = plan->pairs[piece->pair];
    const struct layout *layout = &plan->layouts[piece->pair];
    uint64_t together = pair->whole_cells ? piece->men : 1;
    return (struct unit){pair, piece, layout->cells[piece->cell].sides, men, together};
}

int team_size(const struct settings *settings)
{
    return settings->team > 0 ? settings->team : settings->ranks;
}

/* Under a limit a piece may turn out to need distances. */
static bool finds_distances(const struct settings *settings)
{
    return settings_need_distances(settings) || settings->variant->rules.limit > 0;
}

uint64_t team_memory_alone(const struct plan *plan, const struct piece *piece,
                           const struct settings *settings)
{
    return settings->solver->memory(plan->variant, piece->places, settings_need_distances(settings));
}

uint64_t team_memory_together(const struct plan *plan, const struct piece *piece,
                              const struct settings *settings)
{
    const struct unit unit = team_unit(plan, piece, piece->first_men);
    bool distances = finds_distances(settings);
    int ranks = team_size(settings);
    /* Two chunks come, two go, one is put together. */
    uint64_t chunks = UINT64_C(5) * CHUNK_POSITIONS * (distances ? 3 : 1);
    uint64_t results = 2 * piece->places * (distances ? 3 : 1);
    return team_memory(&unit, ranks, distances) + 4 * (uint64_t)ranks * team_parcel_room(ranks) +
           (results < chunks ? results : chunks);
}

uint64_t team_most_memory(const struct plan *plan, const struct settings *settings)
{
    uint64_t most = 0;
    for (uint32_t pair = 0; pair < plan->pair_count; pair++) {
        const struct layout *layout = &plan->layouts[pair];
        for (uint32_t cell = 0; cell < plan->pairs[pair]->members[0]->cell_count; cell++) {
            if (layout->cells[cell].pieces == 0)
                continue;
            const struct piece piece = layout_piece(layout, pair, cell, 0);
            uint64_t alone = team_memory_alone(plan, &piece, settings);
            bool maybe = alone > most || settings->team > 0;
            uint64_t together = maybe ? team_memory_together(plan, &piece, settings) : alone;
            uint64_t memory = settings->team > 0 || together < alone ? together : alone;
            most = memory > most ? memory : most;
        }
    }
    return most;
}

bool team_is_needed(const struct plan *plan, const struct piece *piece, const struct settings *settings,
                    uint64_t room, uint64_t level_places)
{
    if (settings->team > 0)
        return true;
    if (team_memory_alone(plan, piece, settings) > room)
        return true;
    return settings->ranks > 1 && piece->places >= LARGE_PLACES &&
           piece->places > level_places / (uint64_t)settings->ranks;
}
