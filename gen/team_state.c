/* Making a rank's state, and the memory it takes. */
#include "team_state.h"

#include <stdlib.h>
#include <string.h>

/* -- Memory ------------------------------------------------------------------------------------------------
 */

/* Rows of a form that a rank has. */
static void measure_share(const struct team_forms *forms, int form, int rank, struct team_share *share)
{
    share->first_row = team_first_row(forms, form, rank);
    share->end_row = team_first_row(forms, form, rank + 1);
    share->first = share->first_row * forms->of[form].columns;
    share->count = (share->end_row - share->first_row) * forms->of[form].columns;
}

static uint64_t share_bytes(const struct team_share *share, bool distances)
{
    uint64_t of_place = distances ? 2 + 2 * sizeof(uint16_t) : 2;
    return share->count * of_place + 2 * share_words(share) * sizeof(uint64_t);
}

/* Rows are shared out evenly: no rank has more than this. */
uint64_t team_memory(const struct unit *unit, int ranks, bool distances)
{
    struct team_forms forms;
    team_forms_measure(unit, ranks, &forms);
    uint64_t bytes = sizeof(struct team) + forms.bytes;
    for (int form = 0; form < forms.count; form++) {
        uint64_t rows = (forms.of[form].rows + (unsigned)ranks - 1) / (unsigned)ranks;
        const struct team_share share = {.count = rows * forms.of[form].columns};
        bytes += share_bytes(&share, distances);
    }
    return bytes;
}

/* A rank of a large team may have no row; its arrays are there all the same. */
static void *array(uint64_t count, size_t size)
{
    return calloc(count > 0 ? count : 1, size);
}

static bool allocate_share(struct team_share *share, bool distances)
{
    share->states = array(share->count, sizeof *share->states);
    share->values = array(share->count, sizeof *share->values);
    share->fresh = array(share_words(share), sizeof *share->fresh);
    share->next = array(share_words(share), sizeof *share->next);
    if (!share->states || !share->values || !share->fresh || !share->next)
        return false;
    memset(share->values, DRAW, share->count);
    if (!distances)
        return true;
    share->distances = array(share->count, sizeof *share->distances);
    share->told = array(share->count, sizeof *share->told);
    return share->distances && share->told;
}

static enum status fill(struct team *team, const struct unit *unit, int ranks)
{
    enum status status = team_forms_create(unit, ranks, &team->forms);
    if (status != STATUS_OK)
        return status;
    for (int form = 0; form < team->forms.count; form++) {
        measure_share(&team->forms, form, team->rank, &team->shares[form]);
        if (!allocate_share(&team->shares[form], team->distances))
            return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

enum status team_create(const struct unit *unit, int rank, int ranks, bool distances, struct team **team)
{
    *team = NULL;
    struct team *made = calloc(1, sizeof *made);
    if (!made)
        return STATUS_NO_MEMORY;
    made->variant = unit->pair->variant;
    made->rank = rank;
    made->distances = distances;
    made->sideways = side_directions(made->variant);
    const struct board *board = made->variant->rules.board;
    for (int square = 0; square < board->squares; square++)
        for (int direction = 0; direction < DIRECTIONS; direction++)
            if (board->step[square][direction] != NO_SQUARE)
                made->adjacent[square] |= bit_of(board->step[square][direction]);
    enum status status = fill(made, unit, ranks);
    if (status != STATUS_OK) {
        team_destroy(made);
        return status;
    }
    *team = made;
    return STATUS_OK;
}

void team_destroy(struct team *team)
{
    if (!team)
        return;
    for (int form = 0; form < 2; form++) {
        struct team_share *share = &team->shares[form];
        free(share->states);
        free(share->values);
        free(share->fresh);
        free(share->next);
        free(share->distances);
        free(share->told);
    }
    team_forms_destroy(&team->forms);
    free(team);
}
