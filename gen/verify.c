/* Pair by pair, smaller ones first: ranges of positions from the queue of the ranks, the first fault of all,
 * the counts of all. */
#include "verify.h"

#include "catalogue.h"
#include "fen.h"
#include "folders.h"
#include "memory.h"
#include "proof.h"
#include "ranks.h"
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANGE = 16 * TRUTH_SIZE /* positions of a piece of work */, TEXT_SIZE = 1024 };

/* One rank's first trouble in a pair, to be compared with the others'. */
struct trouble {
    uint64_t order; /* the first in this order is told; UINT64_MAX: none */
    enum status status;
    char text[TEXT_SIZE];
};

struct verification {
    const struct settings *settings;
    char directory[MAX_FILE_PATH];
    struct plan *plan;
    struct truth *truth;
    struct proof *proof;
    struct report *report;
    bool *proved; /* of each pair: with distances, and all that it leads to */
};

/* -- Troubles -------------------------------------------------------------------------------------------- */

static const struct trouble no_trouble = {.order = UINT64_MAX, .status = STATUS_OK};

static struct trouble trouble_of(enum status status, const char *text)
{
    if (status == STATUS_OK)
        return no_trouble;
    struct trouble trouble = {.order = 0, .status = status};
    snprintf(trouble.text, sizeof trouble.text, "%s", text[0] ? text : status_text(status));
    return trouble;
}

/* Tells the first trouble of all ranks, of equal ones the lowest rank's, and returns its status. Collective.
 */
static enum status settle(const struct trouble *mine)
{
    void *all;
    size_t size;
    enum status status = ranks_gather(mine, sizeof *mine, &all, &size);
    if (status != STATUS_OK)
        return status;
    const struct trouble *troubles = all;
    const struct trouble *first = troubles;
    for (size_t i = 1; i < size / sizeof *troubles; i++)
        if (troubles[i].order < first->order)
            first = &troubles[i];
    status = first->order == UINT64_MAX ? STATUS_OK : first->status;
    if (status != STATUS_OK && ranks_own() == 0)
        fprintf(stderr, "damagen: %s\n", first->text);
    free(all);
    return status;
}

static enum status settle_status(enum status status, const char *text)
{
    const struct trouble trouble = trouble_of(status, text);
    return settle(&trouble);
}

/* -- What is to be proved -------------------------------------------------------------------------------- */

/* The slices of all tables of the folder; to be freed. */
static enum status slices_of_folder(const struct settings *settings, struct slice **slices, size_t *count)
{
    struct catalogue *catalogue;
    struct catalogue_entry *entries = NULL;
    *slices = NULL;
    *count = 0;
    enum status status = catalogue_create(settings->out, &catalogue);
    if (status != STATUS_OK)
        return status;
    status = catalogue_list(catalogue, settings->variant, &entries, count);
    if (status == STATUS_OK)
        *slices = malloc((*count + 1) * sizeof **slices);
    if (status == STATUS_OK && !*slices)
        status = STATUS_NO_MEMORY;
    for (size_t i = 0; status == STATUS_OK && i < *count; i++)
        (*slices)[i] = entries[i].slice;
    catalogue_list_free(entries, *count);
    catalogue_destroy(catalogue);
    return status;
}

static enum status make_plan(struct verification *run)
{
    const struct settings *settings = run->settings;
    struct request request = settings->request;
    struct slice culprit = {0};
    struct slice *slices = NULL;
    char text[TEXT_SIZE] = "";
    enum status status = STATUS_OK;
    if (request.pieces == 0 && request.slice_count == 0) {
        status = slices_of_folder(settings, &slices, &request.slice_count);
        request.slices = slices;
        if (status == STATUS_OK && request.slice_count == 0)
            status = STATUS_NO_TABLE;
        if (status != STATUS_OK)
            table_message(text, run->directory, status, NULL);
    }
    if (status == STATUS_OK) {
        status = plan_create(settings->variant, &request, &run->plan, &culprit);
        char name[SLICE_NAME_SIZE];
        slice_write(culprit, name);
        if (status != STATUS_OK)
            snprintf(text, sizeof text, "slice %s: %s", name, status_text(status));
    }
    free(slices);
    return settle_status(status, text);
}

/* Opens all tables before any is proved, so that one that is missing shows at once. */
static enum status open_tables(struct verification *run)
{
    enum status status = truth_create(run->settings->variant, run->directory, &run->truth);
    for (uint32_t i = 0; status == STATUS_OK && i < run->plan->pair_count; i++)
        status = truth_add(run->truth, run->plan->pairs[i]->name);
    for (uint32_t i = 0; status == STATUS_OK && i < run->plan->pair_count; i++) {
        status = proof_begin(run->proof, run->truth, run->plan->pairs[i]->name);
        if (status == STATUS_OK)
            status = proof_begin(run->proof, run->truth, slice_mirror(run->plan->pairs[i]->name));
    }
    return settle_status(status, run->truth ? truth_message(run->truth) : "");
}

static enum status share_memory(struct verification *run)
{
    uint64_t needed = truth_fixed_memory(run->truth) + TRUTH_LEAST_MEMORY;
    char text[TEXT_SIZE] = "";
    enum status status = STATUS_OK;
    if (needed > run->settings->memory) {
        char need[MEMORY_TEXT_SIZE];
        char have[MEMORY_TEXT_SIZE];
        memory_write(needed, need);
        memory_write(run->settings->memory, have);
        snprintf(
            text, sizeof text,
            "each rank needs %s of memory, and there is %s for it; use fewer ranks a node or more memory",
            need, have);
        status = STATUS_NO_MEMORY;
    } else {
        truth_set_memory(run->truth, run->settings->memory - needed + TRUTH_LEAST_MEMORY);
    }
    return settle_status(status, text);
}

/* True if the equations prove the pair, given what was proved before. */
static bool is_proved(const struct verification *run, uint32_t pair)
{
    struct slice successors[MAX_SUCCESSORS];
    size_t count = plan_successors(run->plan->pairs[pair]->name, successors);
    bool proved = truth_find(run->truth, run->plan->pairs[pair]->name)->distances != NULL;
    for (size_t i = 0; i < count; i++)
        proved = proved && run->proved[plan_find(run->plan, successors[i]) / 2];
    return proved;
}

/* -- One pair -------------------------------------------------------------------------------------------- */

/* A range of positions of a member. */
struct range {
    int member;
    uint64_t first;
    uint64_t count;
};

static uint64_t ranges_of(const struct slice_pair *pair, int member)
{
    return (pair->members[member]->positions + RANGE - 1) / RANGE;
}

static struct range range_at(const struct slice_pair *pair, size_t i)
{
    struct range range = {.member = i >= ranges_of(pair, 0)};
    range.first = (uint64_t)(i - (range.member ? ranges_of(pair, 0) : 0)) * RANGE;
    uint64_t left = pair->members[range.member]->positions - range.first;
    range.count = left < RANGE ? left : RANGE;
    return range;
}

static enum status tell_fault(const struct verification *run, const struct proof_fault *fault, char *text)
{
    const struct truth_slice *slice = run->proof->slice;
    struct position position = numbering_position(slice->numbering, fault->number);
    const struct table *culprit =
        proof_fault_in_distance(run->proof, fault) ? slice->distances : slice->values;
    char what[PROOF_TEXT_SIZE];
    char name[SLICE_NAME_SIZE];
    char fen[FEN_SIZE];
    proof_fault_write(run->proof, fault, what);
    slice_write(slice->slice, name);
    enum status status = fen_write(run->settings->variant, &position, false, fen);
    snprintf(text, TEXT_SIZE, "slice %s, %s: %s, in %s", name, status == STATUS_OK ? fen : "(no FEN)", what,
             table_path(culprit));
    return STATUS_DAMAGED;
}

static enum status prove_range(struct verification *run, uint32_t pair, const struct range *range,
                               struct proof_tally tallies[2], struct trouble *trouble)
{
    const struct slice_pair *slices = run->plan->pairs[pair];
    enum proof_result result = PROOF_HOLDS;
    struct proof_fault fault;
    char text[TEXT_SIZE] = "";
    enum status status = proof_begin(run->proof, run->truth, slices->members[range->member]->slice);
    if (status == STATUS_OK)
        status = proof_run(run->proof, range->first, range->count, &tallies[range->member], &result, &fault);
    if (status == STATUS_OK && result == PROOF_FAILS)
        status = tell_fault(run, &fault, text);
    if (status != STATUS_OK)
        *trouble = trouble_of(status, text[0] ? text : truth_message(run->truth));
    return status;
}

/* Takes ranges off the queue. They come in order, so once this rank has met trouble the rest cannot be first.
 */
static enum status prove_ranges(struct verification *run, uint32_t pair, struct proof_work *work,
                                struct trouble *trouble)
{
    const struct slice_pair *slices = run->plan->pairs[pair];
    size_t count = (size_t)(ranges_of(slices, 0) + (slices->own_mirror ? 0 : ranges_of(slices, 1)));
    uint64_t *weights = malloc(count * sizeof *weights);
    enum status status = ranks_agree(weights ? STATUS_OK : STATUS_NO_MEMORY);
    uint64_t done = 0;
    uint64_t cpu = report_cpu();
    for (size_t i = 0; status == STATUS_OK && weights && i < count; i++)
        weights[i] = range_at(slices, i).count;
    if (status == STATUS_OK && weights) {
        ranks_open_queue(weights, count, false);
        for (size_t i; ranks_next(&i);) {
            const struct range range = range_at(slices, i);
            if (trouble->status == STATUS_OK &&
                prove_range(run, pair, &range, work->tallies, trouble) != STATUS_OK)
                trouble->order = i;
            done += range.count;
            report_progress(run->report, done * (uint64_t)ranks_count());
        }
    }
    free(weights);
    work->positions = done;
    work->nanoseconds = report_cpu() - cpu;
    return status;
}

static void sum_work(struct proof_work *work)
{
    for (int member = 0; member < 2; member++) {
        ranks_sum(work->tallies[member].counts, VALUES);
        ranks_greatest(work->tallies[member].greatest, VALUES);
    }
}

static enum status check_headers(struct verification *run, uint32_t pair, const struct proof_work *work)
{
    const struct slice_pair *slices = run->plan->pairs[pair];
    char text[TEXT_SIZE] = "";
    enum status status = STATUS_OK;
    for (int member = 0; member < (slices->own_mirror ? 1 : 2) && status == STATUS_OK; member++) {
        const struct truth_slice *slice = truth_find(run->truth, slices->members[member]->slice);
        enum metric metric;
        char what[PROOF_TEXT_SIZE];
        char name[SLICE_NAME_SIZE];
        if (proof_headers(slice, &work->tallies[member], &metric, what) == PROOF_HOLDS)
            continue;
        slice_write(slice->slice, name);
        snprintf(text, sizeof text, "slice %s: %s, in %s", name, what,
                 table_path(metric == METRIC_DTZ ? slice->distances : slice->values));
        status = STATUS_DAMAGED;
    }
    return settle_status(status, text);
}

static enum status prove_pair(struct verification *run, uint32_t pair)
{
    struct proof_work work = {0};
    struct trouble trouble = no_trouble;
    enum status status = prove_ranges(run, pair, &work, &trouble);
    if (status != STATUS_OK)
        return status;
    status = settle(&trouble);
    if (status != STATUS_OK)
        return status;
    sum_work(&work);
    status = check_headers(run, pair, &work);
    if (status != STATUS_OK)
        return status;
    run->proved[pair] = is_proved(run, pair);
    report_proof(run->report, pair, &work, run->proved[pair]);
    return STATUS_OK;
}

/* -- The run --------------------------------------------------------------------------------------------- */

static enum status prove_all(struct verification *run)
{
    uint64_t positions = 0;
    for (uint32_t i = 0; i < run->plan->pair_count; i++)
        positions += run->plan->pairs[i]->positions;
    enum status status = report_open(run->plan, run->settings->log, positions, &run->report);
    for (uint32_t i = 0; status == STATUS_OK && i < run->plan->pair_count; i++)
        status = prove_pair(run, i);
    if (status != STATUS_OK)
        return status;
    uint32_t unproved = 0;
    for (uint32_t i = 0; i < run->plan->pair_count; i++)
        unproved += !run->proved[i];
    return report_proofs_end(run->report, unproved);
}

enum status verify(const struct settings *settings)
{
    struct verification run = {.settings = settings};
    enum status status = folder_join(run.directory, settings->out, settings->variant->rules.name);
    status = settle_status(status, "the path of --out is too long");
    if (status == STATUS_OK)
        status = make_plan(&run);
    if (status == STATUS_OK && run.plan) {
        run.proved = calloc(run.plan->pair_count, sizeof *run.proved);
        run.proof = malloc(sizeof *run.proof);
        status = settle_status(run.proved && run.proof ? STATUS_OK : STATUS_NO_MEMORY, "");
    }
    if (status == STATUS_OK)
        status = open_tables(&run);
    if (status == STATUS_OK)
        status = share_memory(&run);
    if (status == STATUS_OK)
        status = prove_all(&run);
    report_close(run.report);
    free(run.proof);
    free(run.proved);
    truth_destroy(run.truth);
    plan_destroy(run.plan);
    return status;
}
