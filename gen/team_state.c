/* Memory of a rank's state, and the state as bytes. */
#include "team_state.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

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

static uint64_t bytes_of_rank(const struct team_forms *forms, int rank, bool distances)
{
    uint64_t bytes = sizeof(struct team) + forms->bytes;
    for (int form = 0; form < forms->count; form++) {
        struct team_share share;
        measure_share(forms, form, rank, &share);
        bytes += share_bytes(&share, distances);
    }
    return bytes;
}

uint64_t team_memory(const struct unit *unit, int ranks, bool distances)
{
    struct team_forms forms;
    team_forms_measure(unit, ranks, &forms);
    uint64_t most = 0;
    for (int rank = 0; rank < ranks; rank++) {
        uint64_t bytes = bytes_of_rank(&forms, rank, distances);
        most = bytes > most ? bytes : most;
    }
    return most;
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

/* -- Checkpoints -------------------------------------------------------------------------------------------
 */

/* What comes first, in the byte order of the machine: a checkpoint is read by the program that wrote it. */
struct state_head {
    uint64_t rules;
    uint64_t first_men;
    uint64_t places; /* of all forms of the unit */
    uint64_t captured;
    uint64_t counts[2]; /* places of the shares */
    uint32_t cell;
    uint32_t pair;
    uint32_t rank;
    uint32_t ranks;
    uint32_t ply;
    uint32_t latest;
    uint32_t plies;
    uint8_t distances;
    uint8_t limited;
    uint8_t too_deep;
    struct slice slice;
    uint8_t reserved[5];
};

static struct state_head head_of(const struct team *team)
{
    const struct team_forms *forms = &team->forms;
    struct state_head head = {.rules = variant_fingerprint(team->variant),
                              .first_men = forms->unit.first_men,
                              .captured = team->captured,
                              .cell = forms->unit.piece->cell,
                              .pair = forms->unit.piece->pair,
                              .rank = (uint32_t)team->rank,
                              .ranks = (uint32_t)forms->ranks,
                              .ply = team->ply,
                              .latest = team->latest,
                              .plies = team->plies,
                              .distances = team->distances,
                              .limited = team->limited,
                              .too_deep = team->too_deep,
                              .slice = forms->unit.pair->name};
    for (int form = 0; form < forms->count; form++) {
        head.places += forms->of[form].rows * forms->of[form].columns;
        head.counts[form] = team->shares[form].count;
    }
    return head;
}

/* A pass over the bytes of a state: written, or read if `read` is given. */
struct passage {
    team_writer *write;
    team_reader *read;
    void *context;
    XXH3_state_t *checksum;
    enum status status;
};

/* The length of what is given to a callback at once. */
enum { PORTION = 1 << 20 };

static void pass(struct passage *passage, void *bytes, uint64_t size)
{
    uint8_t *portion = bytes;
    while (size > 0 && passage->status == STATUS_OK) {
        size_t length = size < PORTION ? (size_t)size : PORTION;
        if (passage->read)
            passage->status = passage->read(passage->context, portion, length);
        else if (passage->write)
            passage->status = passage->write(passage->context, portion, length);
        XXH3_64bits_update(passage->checksum, portion, length);
        portion += length;
        size -= length;
    }
}

static void pass_arrays(struct passage *passage, const struct team *team, uint64_t *waiting)
{
    for (int form = 0; form < team->forms.count; form++) {
        const struct team_share *share = &team->shares[form];
        pass(passage, share->states, share->count);
        pass(passage, share->values, share->count);
        pass(passage, share->fresh, share_words(share) * sizeof *share->fresh);
        pass(passage, share->next, share_words(share) * sizeof *share->next);
        if (team->distances) {
            pass(passage, share->distances, share->count * sizeof *share->distances);
            pass(passage, share->told, share->count * sizeof *share->told);
        }
    }
    pass(passage, waiting, sizeof team->waiting);
}

enum status team_save(const struct team *team, team_writer *write, void *context)
{
    struct passage passage = {.write = write, .context = context, .checksum = XXH3_createState()};
    if (!passage.checksum)
        return STATUS_NO_MEMORY;
    XXH3_64bits_reset(passage.checksum);
    struct state_head head = head_of(team);
    pass(&passage, &head, sizeof head);
    uint64_t waiting[sizeof team->waiting / sizeof *team->waiting];
    memcpy(waiting, team->waiting, sizeof waiting);
    pass_arrays(&passage, team, waiting);
    uint64_t checksum = XXH3_64bits_digest(passage.checksum);
    pass(&passage, &checksum, sizeof checksum);
    XXH3_freeState(passage.checksum);
    return passage.status;
}

/* Takes a head over if it is of the same unit, rank and team. */
static enum status adopt_head(struct team *team, const struct state_head *head)
{
    struct state_head own = head_of(team);
    own.captured = head->captured;
    own.ply = head->ply;
    own.latest = head->latest;
    own.plies = head->plies;
    own.limited = head->limited;
    own.too_deep = head->too_deep;
    if (memcmp(&own, head, sizeof own) != 0 || head->ply > MOST_DISTANCE + 1 || head->latest > MOST_DISTANCE)
        return STATUS_DAMAGED;
    team->captured = head->captured;
    team->ply = head->ply;
    team->latest = head->latest;
    team->plies = head->plies;
    team->limited = head->limited != 0;
    team->too_deep = head->too_deep != 0;
    return STATUS_OK;
}

enum status team_load(struct team *team, team_reader *read, void *context)
{
    struct passage passage = {.read = read, .context = context, .checksum = XXH3_createState()};
    if (!passage.checksum)
        return STATUS_NO_MEMORY;
    XXH3_64bits_reset(passage.checksum);
    struct state_head head = {0};
    pass(&passage, &head, sizeof head);
    if (passage.status == STATUS_OK)
        passage.status = adopt_head(team, &head);
    pass_arrays(&passage, team, team->waiting);
    uint64_t expected = XXH3_64bits_digest(passage.checksum);
    uint64_t checksum = 0;
    pass(&passage, &checksum, sizeof checksum);
    XXH3_freeState(passage.checksum);
    if (passage.status == STATUS_OK && checksum != expected)
        passage.status = STATUS_DAMAGED;
    for (int form = 0; form < team->forms.count; form++)
        team->shares[form].cursor = 0;
    return passage.status;
}
