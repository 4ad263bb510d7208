/* MPI: starting, agreeing, gathering, and the work queue, which is shared out by share.c.
 * Messages of the queue: a worker's request says whether it wants the queue to pause; rank 0 answers with the
 * first piece and how many. A worker asks for its next batch before it starts on the one it has, so that it
 * seldom waits for rank 0 to finish a piece of its own. A rank that is ahead of the others waits a moment:
 * where ranks share cores, the one that happens to run would otherwise take the pieces of those that do not.
 */
#include "ranks.h"
#include "phases.h"
#include "share.h"
#include "watchdog.h"

#include <limits.h>
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

enum { TAG_REQUEST = 1, TAG_BATCH = 2, TAG_PARCEL = 3, MOST_MESSAGE = 1 << 28, EXIT_WRONG_BYTES = 3 };

/* A call that waits for other ranks, with what it waits for. */
#define WAITING(what, call) (wait_begin(what), (void)(call), wait_end())

/* What rank 0 answers. */
struct answer {
    struct batch batch;
    uint64_t paused; /* with an empty batch: pieces are left */
    uint64_t checksum;
};

static struct {
    MPI_Comm world;
    int count;
    int own;
    int on_node;
    uint64_t bytes;
    uint64_t messages;
    /* The queue. Rank 0: what is left to hand out. */
    struct share share;
    bool pause_asked;
    bool (*pause)(void *context);
    void *context;
    int workers_told; /* that there is no more */
    bool *asked;      /* a rank's request has no answer yet */
    /* Every rank: the batch it works on and the one it has asked for. */
    struct batch batch;
    struct answer coming;
    MPI_Request coming_request;
    bool exhausted;
    bool paused;
    enum phase phase; /* before it waited */
    /* The team. */
    MPI_Comm team;
    int most_message; /* bytes */
    int team_size;
    int team_own; /* -1: in none */
} ranks;

static void wait_begin(const char *what)
{
    ranks.phase = phase_enter(PHASE_WAIT);
    watchdog_wait(what);
}

static void wait_end(void)
{
    watchdog_work();
    phase_enter(ranks.phase);
}

/* Bytes of a message at the most; fewer where a test says so in the environment. */
static int most_message(void)
{
    const char *text = getenv("DAMABASE_MESSAGE");
    long bytes = text ? strtol(text, NULL, 10) : MOST_MESSAGE;
    return bytes > 0 && bytes < MOST_MESSAGE ? (int)bytes : MOST_MESSAGE;
}

enum status ranks_start(int *argc, char ***argv)
{
    int provided;
    if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
        return STATUS_FILE;
    MPI_Comm_dup(MPI_COMM_WORLD, &ranks.world);
    MPI_Comm_size(ranks.world, &ranks.count);
    MPI_Comm_rank(ranks.world, &ranks.own);
    ranks.most_message = most_message();
    MPI_Comm node;
    MPI_Comm_split_type(ranks.world, MPI_COMM_TYPE_SHARED, ranks.own, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &ranks.on_node);
    MPI_Comm_free(&node);
    enum status status = share_create(ranks.count, &ranks.share);
    ranks.asked = calloc((size_t)ranks.count, sizeof *ranks.asked);
    return ranks_agree(ranks.asked ? status : STATUS_NO_MEMORY);
}

void ranks_stop(void)
{
    share_destroy(&ranks.share);
    free(ranks.asked);
    MPI_Comm_free(&ranks.world);
    WAITING("the end of MPI", MPI_Finalize());
}

int ranks_count(void)
{
    return ranks.count;
}

int ranks_own(void)
{
    return ranks.own;
}

int ranks_on_node(void)
{
    return ranks.on_node;
}

static void note(uint64_t bytes)
{
    ranks.bytes += bytes;
    ranks.messages++;
}

static enum status agree(enum status status, MPI_Comm group, int count, int own)
{
    /* The lowest rank with a failure wins, and any failure over a wish to stop: a place in this order and the
     * status travel as a pair. */
    const int none = 2 * count;
    struct {
        int place;
        int status;
    } mine = {none, (int)status}, all;
    if (status != STATUS_OK)
        mine.place = own + (status == STATUS_INTERRUPTED ? count : 0);
    WAITING("the ranks to agree", MPI_Allreduce(&mine, &all, 1, MPI_2INT, MPI_MINLOC, group));
    note(sizeof mine);
    return all.place == none ? STATUS_OK : (enum status)all.status;
}

enum status ranks_agree(enum status status)
{
    return agree(status, ranks.world, ranks.count, ranks.own);
}

static void reduce(uint64_t *numbers, int count, MPI_Op operation, MPI_Comm group)
{
    WAITING("numbers of all ranks",
            MPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_UINT64_T, operation, group));
    note((uint64_t)count * sizeof *numbers);
}

void ranks_sum(uint64_t *numbers, int count)
{
    reduce(numbers, count, MPI_SUM, ranks.world);
}

void ranks_greatest(uint64_t *numbers, int count)
{
    reduce(numbers, count, MPI_MAX, ranks.world);
}

void ranks_least(uint64_t *numbers, int count)
{
    reduce(numbers, count, MPI_MIN, ranks.world);
}

/* MPI counts are int: long messages go in parts. */
static void broadcast(void *bytes, uint64_t size, int root)
{
    char *rest = bytes;
    while (size > 0) {
        int part = size < (uint64_t)ranks.most_message ? (int)size : ranks.most_message;
        WAITING("bytes of another rank", MPI_Bcast(rest, part, MPI_BYTE, root, ranks.world));
        if (ranks.own == root)
            note((uint64_t)part);
        rest += part;
        size -= (uint64_t)part;
    }
}

/* Wrong bytes have come from a rank: nothing that follows can be trusted. */
static void refuse(int from)
{
    fprintf(stderr,
            "damagen: rank %d: bytes from rank %d do not have their checksum; memory or network is faulty; "
            "run the "
            "same command again\n",
            ranks.own, from);
    MPI_Abort(ranks.world, EXIT_WRONG_BYTES);
}

/* What a rank contributes to a gathering. */
struct share_of_bytes {
    uint64_t size;
    uint64_t checksum;
};

enum status ranks_gather(const void *mine, size_t size, void **all, size_t *total)
{
    struct share_of_bytes *shares = malloc((size_t)ranks.count * sizeof *shares);
    const struct share_of_bytes own = {size, XXH3_64bits(mine, size)};
    *all = NULL;
    *total = 0;
    if (ranks_agree(shares ? STATUS_OK : STATUS_NO_MEMORY) != STATUS_OK || !shares) {
        free(shares);
        return STATUS_NO_MEMORY;
    }
    WAITING("the sizes of all ranks' bytes",
            MPI_Allgather(&own, sizeof own, MPI_BYTE, shares, sizeof own, MPI_BYTE, ranks.world));
    note(sizeof own);
    for (int rank = 0; rank < ranks.count; rank++)
        *total += shares[rank].size;
    char *bytes = malloc(*total + 1);
    if (ranks_agree(bytes ? STATUS_OK : STATUS_NO_MEMORY) != STATUS_OK || !bytes) {
        free(bytes);
        free(shares);
        return STATUS_NO_MEMORY;
    }
    uint64_t place = 0;
    for (int rank = 0; rank < ranks.count; rank++) {
        if (rank == ranks.own && size > 0)
            memcpy(bytes + place, mine, size);
        broadcast(bytes + place, shares[rank].size, rank);
        if (XXH3_64bits(bytes + place, shares[rank].size) != shares[rank].checksum)
            refuse(rank);
        place += shares[rank].size;
    }
    free(shares);
    *all = bytes;
    return STATUS_OK;
}

/* -- The work queue ---------------------------------------------------------------------------------------
 */

static uint64_t checksum_of(const struct answer *answer)
{
    return XXH3_64bits(answer, offsetof(struct answer, checksum));
}

static bool wants_pause(void)
{
    return ranks.pause && ranks.pause(ranks.context);
}

/* Rank 0: the next batch for a rank, none if it is time to pause. */
static struct batch take(int rank)
{
    if (ranks.pause_asked || wants_pause())
        ranks.paused |= share_pause(&ranks.share);
    return share_take(&ranks.share, rank);
}

static void answer(int worker)
{
    struct answer answer = {.batch = take(worker), .paused = ranks.paused};
    answer.checksum = checksum_of(&answer);
    WAITING("another rank to take its pieces",
            MPI_Send(&answer, sizeof answer, MPI_BYTE, worker, TAG_BATCH, ranks.world));
    note(sizeof answer);
    ranks.asked[worker] = false;
    if (answer.batch.count == 0)
        ranks.workers_told++;
}

static void note_requests(void)
{
    int waiting = 1;
    while (waiting) {
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, TAG_REQUEST, ranks.world, &waiting, &status);
        if (!waiting)
            return;
        uint8_t pause = 0;
        MPI_Recv(&pause, 1, MPI_BYTE, status.MPI_SOURCE, TAG_REQUEST, ranks.world, MPI_STATUS_IGNORE);
        ranks.pause_asked |= pause == 1;
        ranks.asked[status.MPI_SOURCE] = true;
    }
}

void ranks_serve(void)
{
    if (ranks.own != 0 || ranks.workers_told == ranks.count - 1)
        return;
    note_requests();
    for (int worker = 1; worker < ranks.count; worker++)
        if (ranks.asked[worker] && !share_has_to_wait(&ranks.share, worker))
            answer(worker);
}

/* Lets others run for a moment, and counts it for those that are held. */
static void pause_briefly(void)
{
    const struct timespec moment = {.tv_nsec = 50000};
    double before = MPI_Wtime();
    nanosleep(&moment, NULL);
    for (int rank = 0; rank < ranks.count; rank++)
        if (rank == 0 || ranks.asked[rank])
            share_note_wait(&ranks.share, rank, MPI_Wtime() - before);
}

static void serve_to_the_end(void)
{
    enum phase phase = phase_enter(PHASE_WAIT);
    for (int told = -1; ranks.workers_told < ranks.count - 1;) {
        if (told != ranks.workers_told)
            watchdog_wait("the other ranks' last pieces");
        told = ranks.workers_told;
        ranks_serve();
        pause_briefly();
    }
    watchdog_work();
    phase_enter(phase);
}

/* Rank 0's own next batch. */
static struct batch take_own(void)
{
    while (share_has_to_wait(&ranks.share, 0)) {
        ranks_serve();
        pause_briefly();
    }
    return take(0);
}

static void ask(void)
{
    const uint8_t pause = wants_pause();
    MPI_Irecv(&ranks.coming, sizeof ranks.coming, MPI_BYTE, 0, TAG_BATCH, ranks.world, &ranks.coming_request);
    WAITING("rank 0 to take a request", MPI_Send(&pause, 1, MPI_BYTE, 0, TAG_REQUEST, ranks.world));
    note(sizeof pause);
}

void ranks_open_queue(const struct queue *queue)
{
    share_open(&ranks.share, queue->weights, queue->count, queue->even);
    ranks.pause = queue->pause;
    ranks.context = queue->context;
    ranks.pause_asked = false;
    ranks.paused = false;
    ranks.workers_told = 0;
    ranks.batch = (struct batch){0, 0};
    ranks.exhausted = false;
    if (ranks.own != 0)
        ask();
}

/* The batch asked for before; the next is asked for at once. */
static struct batch receive(void)
{
    WAITING("rank 0 to answer", MPI_Wait(&ranks.coming_request, MPI_STATUS_IGNORE));
    const struct answer answer = ranks.coming;
    if (checksum_of(&answer) != answer.checksum)
        refuse(0);
    ranks.paused = answer.paused != 0;
    if (answer.batch.count > 0)
        ask();
    return answer.batch;
}

bool ranks_next(size_t *piece)
{
    if (ranks.exhausted)
        return false;
    ranks_serve();
    if (ranks.batch.count == 0)
        ranks.batch = ranks.own == 0 ? take_own() : receive();
    if (ranks.batch.count == 0) {
        if (ranks.own == 0)
            serve_to_the_end();
        ranks.exhausted = true;
        return false;
    }
    *piece = ranks.batch.first++;
    ranks.batch.count--;
    return true;
}

bool ranks_queue_paused(void)
{
    return ranks.paused;
}

/* -- Teams ------------------------------------------------------------------------------------------------
 */

void ranks_form_teams(int size)
{
    int team = ranks.own / size < ranks.count / size ? ranks.own / size : MPI_UNDEFINED;
    ranks.team_size = size;
    ranks.team_own = team == MPI_UNDEFINED ? -1 : ranks.own % size;
    WAITING("teams to form", MPI_Comm_split(ranks.world, team, ranks.own, &ranks.team));
}

void ranks_dissolve_teams(void)
{
    if (ranks.team_own >= 0)
        MPI_Comm_free(&ranks.team);
}

int ranks_teams(void)
{
    return ranks.count / ranks.team_size;
}

int ranks_team(void)
{
    return ranks.team_own < 0 ? -1 : ranks.own / ranks.team_size;
}

int ranks_team_size(void)
{
    return ranks.team_size;
}

int ranks_team_own(void)
{
    return ranks.team_own;
}

enum status ranks_team_agree(enum status status)
{
    return agree(status, ranks.team, ranks.team_size, ranks.team_own);
}

void ranks_team_sum(uint64_t *numbers, int count)
{
    reduce(numbers, count, MPI_SUM, ranks.team);
}

void ranks_team_greatest(uint64_t *numbers, int count)
{
    reduce(numbers, count, MPI_MAX, ranks.team);
}

void ranks_team_least(uint64_t *numbers, int count)
{
    reduce(numbers, count, MPI_MIN, ranks.team);
}

enum { KINDS = 2, GREATEST = sizeof(((struct joint *)0)->greatest) / sizeof(uint64_t) };

/* What goes before the parcels for a rank. */
struct label {
    uint64_t size[KINDS];
    uint64_t checksum[KINDS];
    struct joint joint;
};

static void join(struct joint *joint, const struct joint *other)
{
    joint->sum += other->sum;
    joint->least = other->least < joint->least ? other->least : joint->least;
    for (int i = 0; i < GREATEST; i++)
        joint->greatest[i] =
            other->greatest[i] > joint->greatest[i] ? other->greatest[i] : joint->greatest[i];
}

/* The rank of all that has a place in the team. */
static int member(int place)
{
    return ranks.own - ranks.team_own + place;
}

/* Starts to send or to receive one parcel, which MPI can count. */
static void start_parcel(bool send, const struct parcel *parcel, int rank, int kind, MPI_Request *request)
{
    int size = (int)parcel->size;
    if (send)
        MPI_Isend(parcel->bytes, size, MPI_BYTE, rank, TAG_PARCEL + kind, ranks.team, request);
    else
        MPI_Irecv(parcel->bytes, size, MPI_BYTE, rank, TAG_PARCEL + kind, ranks.team, request);
}

/* Exchanges the labels: what will come, and the joint numbers. */
static void exchange_labels(int kinds, const struct parcel *out, struct parcel *in, struct joint *joint,
                            struct label *mine, struct label *theirs)
{
    const struct joint own = *joint;
    for (int rank = 0; rank < ranks.team_size; rank++) {
        mine[rank] = (struct label){.joint = own};
        for (int kind = 0; kind < kinds; kind++) {
            const struct parcel *parcel = &out[kind * ranks.team_size + rank];
            mine[rank].size[kind] = parcel->size;
            mine[rank].checksum[kind] = XXH3_64bits(parcel->bytes, parcel->size);
        }
    }
    WAITING("the team's labels",
            MPI_Alltoall(mine, sizeof *mine, MPI_BYTE, theirs, sizeof *theirs, MPI_BYTE, ranks.team));
    note((uint64_t)ranks.team_size * sizeof *mine);
    for (int rank = 0; rank < ranks.team_size; rank++) {
        if (rank != ranks.team_own)
            join(joint, &theirs[rank].joint);
        for (int kind = 0; kind < kinds; kind++) {
            struct parcel *parcel = &in[kind * ranks.team_size + rank];
            parcel->size = theirs[rank].size[kind];
            if (parcel->size > parcel->room || parcel->size > INT_MAX)
                refuse(member(rank));
        }
    }
}

void ranks_exchange(int kinds, const struct parcel *out, struct parcel *in, struct joint *joint)
{
    enum { MOST_TEAM = 4096 };
    static struct label mine[MOST_TEAM];
    static struct label theirs[MOST_TEAM];
    static MPI_Request requests[2 * KINDS * MOST_TEAM];
    int count = 0;
    exchange_labels(kinds, out, in, joint, mine, theirs);
    for (int i = 0; i < kinds * ranks.team_size; i++) {
        int rank = i % ranks.team_size;
        int kind = i / ranks.team_size;
        if (rank == ranks.team_own) {
            memcpy(in[i].bytes, out[i].bytes, out[i].size);
            continue;
        }
        if (in[i].size > 0)
            start_parcel(false, &in[i], rank, kind, &requests[count++]);
        if (out[i].size > 0) {
            start_parcel(true, &out[i], rank, kind, &requests[count++]);
            note(out[i].size);
        }
    }
    WAITING("the team's parcels", MPI_Waitall(count, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < kinds * ranks.team_size; i++) {
        int rank = i % ranks.team_size;
        if (XXH3_64bits(in[i].bytes, in[i].size) != theirs[rank].checksum[i / ranks.team_size])
            refuse(member(rank));
    }
}

uint64_t ranks_bytes_sent(void)
{
    return ranks.bytes;
}

uint64_t ranks_messages_sent(void)
{
    return ranks.messages;
}
