/* Events of a queue: requests on their way to rank 0, in the order of their arrival, and rank 0's own steps.
 */
#include "simulated_ranks.h"
#include "share.h"

#include <stdlib.h>

/* A request under way, or a rank that will be ready. */
struct event {
    double time;
    int rank;
};

struct simulated_ranks {
    int ranks;
    struct share share;
    double *ready; /* when a rank has done what it has been given so far */
    double *busy;
    uint64_t *asked; /* a bit a rank: its request has arrived and has no answer yet */
    struct event *heap;
    size_t events;
    uint64_t messages;
    /* Of the queue that is being worked off. */
    const uint64_t *weights;
    const struct queue_costs *costs;
    int told; /* workers that know that nothing is left */
};

/* -- Events ---------------------------------------------------------------------------------------------- */

/* Of events at the same time the higher rank comes first, so that rank 0 is the last to join a team. */
static bool is_before(const struct event *left, const struct event *right)
{
    return left->time < right->time || (left->time == right->time && left->rank > right->rank);
}

static void push(struct simulated_ranks *simulated, double time, int rank)
{
    struct event *heap = simulated->heap;
    const struct event event = {time, rank};
    size_t place = simulated->events++;
    for (; place > 0 && is_before(&event, &heap[(place - 1) / 2]); place = (place - 1) / 2)
        heap[place] = heap[(place - 1) / 2];
    heap[place] = event;
}

static struct event pop(struct simulated_ranks *simulated)
{
    struct event *heap = simulated->heap;
    const struct event first = heap[0];
    const struct event last = heap[--simulated->events];
    size_t place = 0;
    for (size_t child; (child = 2 * place + 1) < simulated->events; place = child) {
        if (child + 1 < simulated->events && is_before(&heap[child + 1], &heap[child]))
            child++;
        if (!is_before(&heap[child], &last))
            break;
        heap[place] = heap[child];
    }
    heap[place] = last;
    return first;
}

/* -- Ranks ----------------------------------------------------------------------------------------------- */

enum status simulated_create(int ranks, struct simulated_ranks **simulated)
{
    struct simulated_ranks *made = calloc(1, sizeof *made);
    *simulated = NULL;
    if (!made)
        return STATUS_NO_MEMORY;
    made->ranks = ranks;
    enum status status = share_create(ranks, &made->share);
    made->ready = calloc((size_t)ranks, sizeof *made->ready);
    made->busy = calloc((size_t)ranks, sizeof *made->busy);
    made->asked = calloc((size_t)ranks / 64 + 1, sizeof *made->asked);
    made->heap = calloc((size_t)ranks + 1, sizeof *made->heap);
    if (status != STATUS_OK || !made->ready || !made->busy || !made->asked || !made->heap) {
        simulated_destroy(made);
        return STATUS_NO_MEMORY;
    }
    *simulated = made;
    return STATUS_OK;
}

void simulated_destroy(struct simulated_ranks *simulated)
{
    if (!simulated)
        return;
    share_destroy(&simulated->share);
    free(simulated->ready);
    free(simulated->busy);
    free(simulated->asked);
    free(simulated->heap);
    free(simulated);
}

double simulated_time(const struct simulated_ranks *simulated)
{
    double last = 0;
    for (int rank = 0; rank < simulated->ranks; rank++)
        last = simulated->ready[rank] > last ? simulated->ready[rank] : last;
    return last;
}

uint64_t simulated_messages(const struct simulated_ranks *simulated)
{
    return simulated->messages;
}

double simulated_busy(const struct simulated_ranks *simulated, int rank)
{
    return simulated->busy[rank];
}

void simulated_barrier(struct simulated_ranks *simulated, double seconds)
{
    double end = simulated_time(simulated) + seconds;
    for (int rank = 0; rank < simulated->ranks; rank++)
        simulated->ready[rank] = end;
}

/* Takes the members of a team off the heap, and puts them back as busy until its end. */
static void run_team(struct simulated_ranks *simulated, const struct team_work *work)
{
    struct event *heap = simulated->heap;
    size_t size = work->ranks < simulated->events ? (size_t)work->ranks : simulated->events;
    size_t first = simulated->events - size;
    double begin = 0;
    /* Whoever is popped leaves room for himself at the heap's end. The last to come decides the beginning. */
    for (size_t i = 0; i < size; i++) {
        struct event member = pop(simulated);
        begin = member.time;
        heap[simulated->events] = member;
    }
    for (size_t i = first; i < first + size; i++) {
        int rank = heap[i].rank;
        simulated->ready[rank] = begin + work->seconds;
        simulated->busy[rank] += work->seconds;
        push(simulated, simulated->ready[rank], rank);
    }
}

void simulated_teams(struct simulated_ranks *simulated, const struct team_work *works, size_t count)
{
    simulated->events = 0;
    for (int rank = 0; rank < simulated->ranks && count > 0; rank++)
        push(simulated, simulated->ready[rank], rank);
    for (size_t i = 0; i < count; i++)
        run_team(simulated, &works[i]);
    simulated->events = 0;
}

/* -- The queue, as in ranks.c ---------------------------------------------------------------------------- */

static void ask(struct simulated_ranks *simulated, int rank, double time)
{
    push(simulated, time + simulated->costs->latency, rank);
    simulated->messages++;
}

static double seconds_of(const struct simulated_ranks *simulated, struct batch batch)
{
    uint64_t weight = 0;
    for (uint64_t i = batch.first; i < batch.first + batch.count; i++)
        weight += simulated->weights[i];
    return (double)weight * simulated->costs->weight;
}

/* A worker gets its answer at `time`: it begins when it has done what it had, and asks again at once. */
static void receive(struct simulated_ranks *simulated, int worker, struct batch batch, double time)
{
    double *ready = &simulated->ready[worker];
    *ready = time > *ready ? time : *ready;
    if (batch.count == 0) {
        simulated->told++;
        return;
    }
    ask(simulated, worker, *ready);
    double seconds = seconds_of(simulated, batch);
    *ready += seconds;
    simulated->busy[worker] += seconds;
}

static void answer(struct simulated_ranks *simulated, int worker)
{
    double *now = &simulated->ready[0];
    struct batch batch = share_take(&simulated->share, worker);
    simulated->asked[worker / 64] &= ~(UINT64_C(1) << worker % 64);
    *now += simulated->costs->message;
    simulated->messages++;
    receive(simulated, worker, batch, *now + simulated->costs->latency);
}

static void note_requests(struct simulated_ranks *simulated)
{
    double *now = &simulated->ready[0];
    while (simulated->events > 0 && simulated->heap[0].time <= *now) {
        int worker = pop(simulated).rank;
        simulated->asked[worker / 64] |= UINT64_C(1) << worker % 64;
        *now += simulated->costs->message;
    }
}

static void serve(struct simulated_ranks *simulated)
{
    if (simulated->told == simulated->ranks - 1)
        return;
    note_requests(simulated);
    for (int word = 0; word <= simulated->ranks / 64; word++)
        for (uint64_t rest = simulated->asked[word]; rest; rest &= rest - 1) {
            int worker = 64 * word + __builtin_ctzll(rest);
            if (!share_has_to_wait(&simulated->share, worker))
                answer(simulated, worker);
        }
}

static void pause_briefly(struct simulated_ranks *simulated)
{
    double pause = simulated->costs->pause;
    simulated->ready[0] += pause;
    share_note_wait(&simulated->share, 0, pause);
    for (int word = 0; word <= simulated->ranks / 64; word++)
        for (uint64_t rest = simulated->asked[word]; rest; rest &= rest - 1)
            share_note_wait(&simulated->share, 64 * word + __builtin_ctzll(rest), pause);
}

/* Whole pauses in which nothing can happen are passed over. */
static void skip_to_next(struct simulated_ranks *simulated)
{
    double now = simulated->ready[0];
    for (int word = 0; word <= simulated->ranks / 64; word++)
        if (simulated->asked[word])
            return;
    if (simulated->events > 0 && simulated->heap[0].time > now)
        simulated->ready[0] += simulated->costs->pause *
                               (double)(uint64_t)((simulated->heap[0].time - now) / simulated->costs->pause);
}

static void serve_to_the_end(struct simulated_ranks *simulated)
{
    while (simulated->told < simulated->ranks - 1) {
        serve(simulated);
        pause_briefly(simulated);
        skip_to_next(simulated);
    }
}

static struct batch take_own(struct simulated_ranks *simulated)
{
    while (share_has_to_wait(&simulated->share, 0)) {
        serve(simulated);
        pause_briefly(simulated);
    }
    return share_take(&simulated->share, 0);
}

void simulated_queue(struct simulated_ranks *simulated, const uint64_t *weights, size_t count, bool even,
                     const struct queue_costs *costs)
{
    simulated->weights = weights;
    simulated->costs = costs;
    simulated->told = 0;
    simulated->events = 0;
    share_open(&simulated->share, weights, count, even);
    for (int worker = 1; worker < simulated->ranks; worker++)
        ask(simulated, worker, simulated->ready[worker]);
    for (struct batch batch = {0, 0};;) {
        serve(simulated);
        if (batch.count == 0)
            batch = take_own(simulated);
        if (batch.count == 0)
            break;
        double seconds = (double)weights[batch.first] * costs->weight;
        simulated->ready[0] += seconds;
        simulated->busy[0] += seconds;
        batch.first++;
        batch.count--;
    }
    serve_to_the_end(simulated);
}
