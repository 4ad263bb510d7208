/* All ranks of a team go through the same rounds: what is new is exchanged, form by form, until no place is
 * new and none waits. */
#include "team_rounds.h"
#include "complaint.h"
#include "kill_point.h"
#include "phases.h"
#include "stop.h"
#include "team_checkpoint.h"
#include "team_choice.h"
#include "team_crew.h"
#include "team_results.h"

#include <stdlib.h>
#include <string.h>

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
                                     .distances = crew->distances};
}

/* Saves the state, and ends the work if it is to stop. Collective in the team. */
static enum status save(struct crew *crew, bool stop)
{
    double began = report_seconds();
    const struct checkpoint_place place = place_of(crew);
    const struct checkpoint_set set = {.number = crew->number + 1, .parts = crew->ranks};
    enum status status = checkpoint_save(&place, &set, crew->own, crew->team);
    if (status != STATUS_OK)
        complain(status,
                 "%s: the state of a team cannot be saved (%s); free some space and run the same command "
                 "again",
                 place.folder, status_text(status));
    status = ranks_team_agree(status);
    if (status == STATUS_OK && crew->resumable) /* earlier states may be a team's of another size */
        checkpoint_drop_others(&place, &set, crew->own);
    crew->number = set.number;
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

/* Goes on from the last whole state of this unit, whatever team it is of. Collective in the team. */
static bool resume(struct crew *crew)
{
    enum { NUMBER, PARTS, LAST, COUNT };
    const struct checkpoint_place place = place_of(crew);
    struct checkpoint_set set = {0};
    uint64_t found[COUNT] = {0};
    if (crew->own == 0) {
        checkpoint_find(&place, &set, &found[LAST]);
        found[NUMBER] = set.number;
        found[PARTS] = (uint64_t)set.parts;
    }
    ranks_team_greatest(found, COUNT);
    set = (struct checkpoint_set){.number = found[NUMBER], .parts = (int)found[PARTS]};
    crew->number = found[LAST];
    if (set.number == 0)
        return false;
    enum status status = crew->team ? checkpoint_load(&place, &set, crew->team) : STATUS_NO_MEMORY;
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
    crew->number = 0;
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
            noted = results_note(crew);
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
    return status == STATUS_OK ? results_append(crew) : status;
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
    uint64_t states = crew.own == 0 && checkpoint_exists(run->work);
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
