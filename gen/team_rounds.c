/* All ranks of a team go through the same rounds: what is new is exchanged, form by form, until no place is
 * new and none waits. */
#include "team_rounds.h"
#include "complaint.h"
#include "kill_point.h"
#include "phases.h"
#include "ranks.h"
#include "stop.h"
#include "team_checkpoint.h"
#include "team_choice.h"
#include "team_solver.h"

#include <stdlib.h>
#include <string.h>

enum { FORMS = 2 };

/* A team at work on a piece, as one rank sees it. */
struct crew {
    struct run *run;
    const struct piece *piece;
    struct unit unit;
    bool distances; /* are found */
    bool kept;      /* and asked for */
    int ranks;
    int own;
    struct team *team;
    struct event_buffer *events; /* for each rank */
    struct parcel *out;
    struct parcel *in;
    uint8_t *room;
    bool resumable;             /* some rank has a state that it saved */
    double saved;               /* when the state was last saved, by report_seconds */
    struct place_range *ranges; /* of the piece's places, whose results this rank has */
    size_t range_count;
    size_t range_room;
    /* Results of pieces that have more than one unit; null for others. */
    uint8_t *values;
    uint16_t *plies;
};

/* -- Rounds ---------------------------------------------------------------------------------------------- */

/* The joint numbers of an exchange: places that are new, the least ply that some wait for, and these. */
enum { FAILED /* status */, STOP, SAVE, MORE };

static enum status take_all(struct crew *crew)
{
    for (int i = 0; i < team_form_count(crew->team) * crew->ranks; i++) {
        const struct parcel *parcel = &crew->in[i];
        enum status status =
            team_take(crew->team, i / crew->ranks, i % crew->ranks, parcel->bytes, parcel->size);
        if (status != STATUS_OK)
            return complain(status,
                            "a message of rank %d of the team makes no sense; run the same command again",
                            i % crew->ranks);
    }
    return STATUS_OK;
}

/* Fills the parcels with what is new. True if there is more. */
static bool fill(struct crew *crew)
{
    bool more = false;
    for (int form = 0; form < team_form_count(crew->team); form++)
        more |= team_emit(crew->team, form, crew->events + form * crew->ranks);
    for (int i = 0; i < team_form_count(crew->team) * crew->ranks; i++)
        crew->out[i].size = crew->events[i].size;
    return more;
}

/* Tells all ranks what is new, and takes what is new there. A rank that has failed sends nothing. */
static enum status tell(struct crew *crew, enum status status, struct joint *joint)
{
    const struct joint own = *joint;
    for (bool more = true; more;) {
        for (int i = 0; i < FORMS * crew->ranks; i++)
            crew->out[i].size = 0;
        *joint = own;
        joint->greatest[FAILED] = (uint64_t)status;
        phase_enter(PHASE_TRANSPOSE);
        joint->greatest[MORE] = status == STATUS_OK && fill(crew);
        kill_point("exchange");
        phase_enter(PHASE_EXCHANGE);
        ranks_exchange(FORMS, crew->out, crew->in, joint);
        phase_enter(PHASE_PLIES);
        if (joint->greatest[FAILED] != STATUS_OK)
            return (enum status)joint->greatest[FAILED];
        more = joint->greatest[MORE] != 0;
        status = take_all(crew);
    }
    return status;
}

static struct checkpoint_place place_of(const struct crew *crew)
{
    return (struct checkpoint_place){.folder = crew->run->work,
                                     .plan = crew->run->plan,
                                     .piece = crew->piece,
                                     .unit = &crew->unit,
                                     .distances = crew->distances,
                                     .rank = ranks_own(),
                                     .ranks = crew->ranks};
}

/* Saves the state, and ends the work if it is to stop. Collective in the team. */
static enum status save(struct crew *crew, bool stop)
{
    double began = report_seconds();
    const struct checkpoint_place place = place_of(crew);
    enum status status = checkpoint_save(&place, crew->team);
    if (status != STATUS_OK)
        complain(status,
                 "%s: the state of a team cannot be saved (%s); free some space and run the same command "
                 "again",
                 place.folder, status_text(status));
    status = ranks_team_agree(status);
    crew->saved = report_seconds();
    stop_note_save(crew->saved - began);
    return status == STATUS_OK && stop ? STATUS_INTERRUPTED : status;
}

static bool time_to_save(const struct crew *crew)
{
    double last = crew->saved > crew->run->saved ? crew->saved : crew->run->saved;
    return report_seconds() - last > crew->run->settings->checkpoint;
}

/* Round after round until nothing is new on any rank and nothing waits. `status` is this rank's until now. */
static enum status run_rounds(struct crew *crew, enum status status, uint64_t fresh, uint32_t least)
{
    for (;;) {
        struct joint joint = {
            .sum = fresh, .least = least, .greatest = {[STOP] = stop_wanted(), [SAVE] = time_to_save(crew)}};
        status = tell(crew, status, &joint);
        if (joint.greatest[FAILED] != STATUS_OK)
            return status;
        if (joint.sum == 0 && joint.least == NO_PLY)
            return ranks_team_agree(status);
        if (status == STATUS_OK && (joint.greatest[STOP] || joint.greatest[SAVE])) {
            status = save(crew, joint.greatest[STOP] != 0);
            if (status != STATUS_OK)
                return status;
        }
        if (joint.sum == 0)
            team_jump(crew->team, (uint32_t)joint.least, &fresh, &least);
        else if (status == STATUS_OK)
            status = team_next_round(crew->team, &fresh, &least);
    }
}

/* Goes on from the last checkpoint that all ranks of the team have of this unit. Collective in the team. */
static bool resume(struct crew *crew)
{
    const struct checkpoint_place place = place_of(crew);
    uint64_t numbers[2];
    checkpoint_find(&place, numbers);
    uint64_t common = numbers[0] > numbers[1] ? numbers[0] : numbers[1];
    ranks_team_least(&common, 1);
    enum status status = STATUS_NO_TABLE;
    if (crew->team && common > 0 && (common == numbers[0] || common == numbers[1]))
        status = checkpoint_load(&place, common, crew->team);
    return ranks_team_agree(status) == STATUS_OK;
}

static enum status begin_unit(struct crew *crew)
{
    team_destroy(crew->team);
    crew->team = NULL;
    return team_create(&crew->unit, crew->own, crew->ranks, crew->distances, &crew->team);
}

static enum status solve_unit(struct crew *crew)
{
    uint64_t fresh = 1; /* it is not known how many */
    uint32_t least = NO_PLY;
    enum status status = begin_unit(crew);
    if (crew->resumable && resume(crew)) {
        status = team_next_round(crew->team, &fresh, &least);
    } else {
        if (crew->resumable)
            status = begin_unit(crew); /* a state that was not loaded whole is lost */
        phase_enter(PHASE_FIRST_PASS);
        if (status == STATUS_OK)
            status = team_first_pass(crew->team, crew->run->values);
    }
    return run_rounds(crew, status, fresh, least);
}

/* -- Results --------------------------------------------------------------------------------------------- */

/* The ranges of the piece's places that this rank has, ascending. */
static enum status note_ranges(struct crew *crew)
{
    struct range_cursor cursor = {0};
    struct place_range range;
    while (team_result_range(crew->team, &cursor, &range)) {
        if (crew->range_count == crew->range_room) {
            size_t room = 2 * crew->range_room + 16;
            struct place_range *ranges = realloc(crew->ranges, room * sizeof *ranges);
            if (!ranges)
                return STATUS_NO_MEMORY;
            crew->ranges = ranges;
            crew->range_room = room;
        }
        crew->ranges[crew->range_count++] = range;
        if (crew->values)
            team_results(crew->team, &range, crew->values + range.first,
                         crew->kept ? crew->plies + range.first : NULL);
    }
    return STATUS_OK;
}

static void read_results(const struct crew *crew, const struct place_range *range, uint8_t *values,
                         uint16_t *distances)
{
    if (!crew->values) {
        team_results(crew->team, range, values, distances);
        return;
    }
    memcpy(values, crew->values + range->first, range->count);
    if (distances)
        memcpy(distances, crew->plies + range->first, range->count * sizeof *distances);
}

/* Part of a chunk on its way to the rank that appends it: distances, if they are kept, and values follow. */
struct part {
    uint64_t chunk;
    uint64_t first; /* place in the chunk */
    uint64_t count;
};

static size_t part_bytes(const struct crew *crew, uint64_t count)
{
    size_t bytes = sizeof(struct part) + (size_t)count * (crew->kept ? sizeof(uint16_t) + 1 : 1);
    return (bytes + 7) / 8 * 8; /* so that what follows can be read in place */
}

static bool make_room(struct parcel *parcel, size_t more)
{
    if (parcel->size + more <= parcel->room)
        return true;
    size_t room = 2 * (parcel->size + more);
    uint8_t *bytes = realloc(parcel->bytes, room);
    if (!bytes)
        return false;
    parcel->bytes = bytes;
    parcel->room = room;
    return true;
}

/* The places of a range that are in a chunk; none if count is 0. */
static struct place_range inside(const struct crew *crew, const struct place_range *range, uint64_t chunk)
{
    uint64_t begin = chunk << CHUNK_BITS;
    uint64_t end = begin + layout_chunk_places(crew->piece, (uint32_t)chunk);
    uint64_t first = range->first > begin ? range->first : begin;
    uint64_t last = range->first + range->count < end ? range->first + range->count : end;
    return (struct place_range){first, first < last ? last - first : 0};
}

/* Adds places that are in a chunk to the parcel of the rank that appends it. */
static enum status add_part(const struct crew *crew, const struct place_range *places, uint64_t chunk,
                            struct parcel *parcel)
{
    const struct part part = {chunk, places->first - (chunk << CHUNK_BITS), places->count};
    if (!make_room(parcel, part_bytes(crew, part.count)))
        return STATUS_NO_MEMORY;
    uint8_t *bytes = parcel->bytes + parcel->size;
    memcpy(bytes, &part, sizeof part);
    bytes += sizeof part;
    uint16_t *distances = crew->kept ? (uint16_t *)(void *)bytes : NULL;
    read_results(crew, places, bytes + (crew->kept ? part.count * sizeof *distances : 0), distances);
    parcel->size += part_bytes(crew, part.count);
    return STATUS_OK;
}

/* What a rank has of each chunk of a group. */
struct chunk_share {
    uint64_t places;
    uint64_t parts;
};

/* Some chunks that are put together at once. */
struct chunk_group {
    uint64_t first;
    uint64_t end;
    size_t next_range;                      /* the first that reaches beyond the chunks before */
    struct chunk_share shares[TEAM_CHUNKS]; /* this rank's */
    int owners[TEAM_CHUNKS];                /* rank that has most of each and appends it */
};

/* Goes over this rank's ranges in the chunks of the group: adds them to parcels, or, if there are none,
 * counts. */
static enum status visit(struct crew *crew, struct chunk_group *group, struct parcel *parcels)
{
    enum status status = STATUS_OK;
    uint64_t end = group->end << CHUNK_BITS;
    size_t i = group->next_range;
    for (; i < crew->range_count && crew->ranges[i].first < end && status == STATUS_OK; i++) {
        for (uint64_t chunk = group->first; chunk < group->end && status == STATUS_OK; chunk++) {
            const struct place_range places = inside(crew, &crew->ranges[i], chunk);
            if (places.count > 0 && parcels)
                status = add_part(crew, &places, chunk, &parcels[group->owners[chunk - group->first]]);
            group->shares[chunk - group->first].places += parcels ? 0 : places.count;
            group->shares[chunk - group->first].parts += !parcels && places.count > 0;
        }
        if (crew->ranges[i].first + crew->ranges[i].count > end)
            break;
    }
    if (parcels)
        group->next_range = i;
    return status;
}

/* Tells all ranks how much of each chunk this one has, chooses who appends them, and makes room for what
 * comes. */
static enum status choose_owners(struct crew *crew, struct chunk_group *group, struct parcel *in)
{
    enum status status = STATUS_OK;
    struct joint nothing = {0};
    uint64_t most[TEAM_CHUNKS] = {0};
    memset(group->shares, 0, sizeof group->shares);
    visit(crew, group, NULL);
    for (int rank = 0; rank < crew->ranks; rank++) {
        memcpy(crew->out[rank].bytes, group->shares, sizeof group->shares);
        crew->out[rank].size = sizeof group->shares;
    }
    ranks_exchange(1, crew->out, crew->in, &nothing);
    for (int pass = 0; pass < 2; pass++)
        for (int rank = 0; rank < crew->ranks; rank++) {
            struct chunk_share shares[TEAM_CHUNKS];
            size_t size = 0;
            memcpy(shares, crew->in[rank].bytes, sizeof shares);
            for (size_t i = 0; i < group->end - group->first; i++) {
                if (pass == 0 && shares[i].places > most[i]) {
                    most[i] = shares[i].places;
                    group->owners[i] = rank;
                }
                if (group->owners[i] == crew->own)
                    size += shares[i].parts * part_bytes(crew, 0) + part_bytes(crew, shares[i].places) +
                            8 * shares[i].parts;
            }
            in[rank].size = 0;
            if (pass == 1 && !make_room(&in[rank], size))
                status = STATUS_NO_MEMORY;
        }
    return status;
}

/* Puts one chunk together from what all ranks have of it, and appends it. */
static enum status append_chunk(struct crew *crew, uint64_t chunk, const struct parcel *in)
{
    size_t places = (size_t)layout_chunk_places(crew->piece, (uint32_t)chunk);
    uint8_t *values = malloc(places);
    uint16_t *distances = crew->kept ? calloc(places, sizeof *distances) : NULL;
    enum status status = values && (distances || !crew->kept) ? STATUS_OK : STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        memset(values, PLACE_HOLE, places);
    for (int rank = 0; rank < crew->ranks && status == STATUS_OK; rank++) {
        struct part part;
        for (size_t at = 0; at < in[rank].size; at += part_bytes(crew, part.count)) {
            memcpy(&part, in[rank].bytes + at, sizeof part);
            if (part.chunk != chunk)
                continue;
            const uint8_t *bytes = in[rank].bytes + at + sizeof part;
            size_t size = crew->kept ? part.count * sizeof *distances : 0;
            if (size > 0)
                memcpy(distances + part.first, bytes, size);
            memcpy(values + part.first, bytes + size, part.count);
        }
    }
    if (status == STATUS_OK)
        status = values_append_chunk(crew->run->values, crew->piece, (uint32_t)chunk, values, distances);
    free(values);
    free(distances);
    return status;
}

static enum status append_group(struct crew *crew, struct chunk_group *group, struct parcel *out,
                                struct parcel *in)
{
    struct joint nothing = {0};
    for (int rank = 0; rank < crew->ranks; rank++)
        out[rank].size = 0;
    enum status status = choose_owners(crew, group, in);
    if (status == STATUS_OK)
        status = visit(crew, group, out);
    status = ranks_team_agree(status);
    if (status == STATUS_OK)
        ranks_exchange(1, out, in, &nothing);
    for (uint64_t chunk = group->first; chunk < group->end && status == STATUS_OK; chunk++)
        if (group->owners[chunk - group->first] == crew->own) {
            status = append_chunk(crew, chunk, in);
            if (status != STATUS_OK)
                complain_of_store(crew->run->store, status);
        }
    return ranks_team_agree(status);
}

/* Appends all chunks of the piece. */
static enum status append_results(struct crew *crew)
{
    uint64_t chunks = ((crew->piece->places - 1) >> CHUNK_BITS) + 1;
    struct chunk_group group = {0};
    struct parcel *parcels = calloc(2 * (size_t)crew->ranks, sizeof *parcels);
    enum status status = ranks_team_agree(parcels ? STATUS_OK : STATUS_NO_MEMORY);
    for (; parcels && group.first < chunks && status == STATUS_OK; group.first = group.end) {
        group.end = group.first + TEAM_CHUNKS < chunks ? group.first + TEAM_CHUNKS : chunks;
        status = append_group(crew, &group, parcels, parcels + crew->ranks);
    }
    for (int i = 0; parcels && i < 2 * crew->ranks; i++)
        free(parcels[i].bytes);
    free(parcels);
    return status;
}

/* -- The piece ------------------------------------------------------------------------------------------- */

/* Solves all units; *good is false if distances turn out to be needed on some rank. */
static enum status solve_units(struct crew *crew, struct solver_counts *counts, bool *good)
{
    const struct piece *piece = crew->piece;
    uint64_t needing = 0;
    enum status status = STATUS_OK;
    enum status noted = STATUS_OK;
    crew->range_count = 0;
    for (uint64_t men = piece->first_men; men < piece->first_men + piece->men && status == STATUS_OK;
         men += crew->unit.men) {
        crew->unit = team_unit(crew->run->plan, piece, men);
        status = solve_unit(crew);
        if (status != STATUS_OK)
            break;
        needing += team_needs_distances(crew->team);
        team_add_counts(crew->team, counts);
        if (noted == STATUS_OK)
            noted = note_ranges(crew);
    }
    if (status == STATUS_OK)
        status = ranks_team_agree(noted);
    if (status == STATUS_OK)
        ranks_team_sum(&needing, 1);
    *good = needing == 0;
    return status;
}

static enum status allocate(struct crew *crew)
{
    size_t room = team_parcel_room(crew->ranks);
    size_t ranks = (size_t)crew->ranks;
    const struct unit unit = team_unit(crew->run->plan, crew->piece, crew->piece->first_men);
    bool batch = unit.men < crew->piece->men;
    size_t parcels = FORMS * ranks;
    crew->events = calloc(parcels, sizeof *crew->events);
    crew->out = calloc(parcels, sizeof *crew->out);
    crew->in = calloc(parcels, sizeof *crew->in);
    crew->room = malloc(2 * parcels * room);
    if (batch) {
        crew->values = malloc(crew->piece->places);
        crew->plies = malloc(crew->piece->places * sizeof *crew->plies);
    }
    if (!crew->events || !crew->out || !crew->in || !crew->room || (batch && (!crew->values || !crew->plies)))
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < parcels; i++) {
        crew->events[i] = (struct event_buffer){.bytes = crew->room + i * room, .room = room};
        crew->out[i] = (struct parcel){.bytes = crew->room + i * room, .room = room};
        crew->in[i] = (struct parcel){.bytes = crew->room + (parcels + i) * room, .room = room};
    }
    return STATUS_OK;
}

static void release(struct crew *crew)
{
    team_destroy(crew->team);
    free(crew->events);
    free(crew->out);
    free(crew->in);
    free(crew->room);
    free(crew->ranges);
    free(crew->values);
    free(crew->plies);
}

/* Without distances first, where nobody asks for them, as the scalar solver does. */
static enum status solve_piece(struct crew *crew, struct solver_counts *counts)
{
    bool good = false;
    enum status status = STATUS_OK;
    if (!crew->kept) {
        struct solver_counts found = {0};
        status = solve_units(crew, &found, &good);
        if (good)
            *counts = found;
    }
    if (status == STATUS_OK && !good) {
        crew->distances = true;
        status = solve_units(crew, counts, &good);
    }
    phase_enter(PHASE_OTHER);
    return status == STATUS_OK ? append_results(crew) : status;
}

enum status team_solve(struct run *run, const struct piece *piece, bool distances, struct level_work *work)
{
    struct crew crew = {.run = run,
                        .piece = piece,
                        .kept = distances,
                        .ranks = ranks_team_size(),
                        .own = ranks_team_own(),
                        .saved = report_seconds()};
    struct solver_counts counts = {0};
    uint64_t cpu = report_cpu();
    uint64_t states = checkpoint_exists(run->work, ranks_own());
    ranks_team_greatest(&states, 1);
    crew.resumable = states > 0;
    enum status status = ranks_team_agree(allocate(&crew));
    enum phase phase = phase_enter(PHASE_OTHER);
    if (status == STATUS_OK)
        status = solve_piece(&crew, &counts);
    phase_enter(phase);
    if (status != STATUS_OK && status != STATUS_INTERRUPTED && values_status(run->values) != STATUS_OK)
        complain_of_store(run->store, status);
    release(&crew);
    if (status != STATUS_OK)
        return status;
    cpu = report_cpu() - cpu;
    solver_counts_add(&run->work_of[piece->pair].counts, &counts);
    run->work_of[piece->pair].nanoseconds += cpu;
    work->nanoseconds += cpu;
    level_work_add(work, &counts);
    work->pieces += crew.own == 0;
    return STATUS_OK;
}
