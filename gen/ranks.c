/* MPI: starting, agreeing, gathering, and the work queue, which is shared out by share.c.
 * Messages of the queue: a worker sends an empty request; rank 0 answers with the first piece and how many.
 * A worker asks for its next batch before it starts on the one it has, so that it seldom waits for rank 0 to
 * finish a piece of its own. A rank that is ahead of the others waits a moment: where ranks share cores, the
 * one that happens to run would otherwise take the pieces of those that do not. */
#include "ranks.h"
#include "share.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG_REQUEST = 1, TAG_BATCH = 2, CHUNK_BYTES = 1 << 28 };

static struct {
    MPI_Comm world;
    int count;
    int own;
    int on_node;
    uint64_t bytes;
    uint64_t messages;
    /* The queue. Rank 0: what is left to hand out. */
    struct share share;
    int workers_told; /* that there is no more */
    bool *asked;      /* a rank's request has no answer yet */
    /* Every rank: the batch it works on and the one it has asked for. */
    struct batch batch;
    struct batch coming;
    MPI_Request coming_request;
    bool exhausted;
} ranks;

enum status ranks_start(int *argc, char ***argv)
{
    int provided;
    if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
        return STATUS_FILE;
    MPI_Comm_dup(MPI_COMM_WORLD, &ranks.world);
    MPI_Comm_size(ranks.world, &ranks.count);
    MPI_Comm_rank(ranks.world, &ranks.own);
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
    MPI_Finalize();
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

enum status ranks_agree(enum status status)
{
    /* The lowest rank with a failure wins: its number and its status travel as a pair. */
    struct {
        int failing;
        int status;
    } mine = {status == STATUS_OK ? ranks.count : ranks.own, (int)status}, all;
    MPI_Allreduce(&mine, &all, 1, MPI_2INT, MPI_MINLOC, ranks.world);
    note(sizeof mine);
    return all.failing == ranks.count ? STATUS_OK : (enum status)all.status;
}

static void reduce(uint64_t *numbers, int count, MPI_Op operation)
{
    MPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_UINT64_T, operation, ranks.world);
    note((uint64_t)count * sizeof *numbers);
}

void ranks_sum(uint64_t *numbers, int count)
{
    reduce(numbers, count, MPI_SUM);
}

void ranks_greatest(uint64_t *numbers, int count)
{
    reduce(numbers, count, MPI_MAX);
}

void ranks_least(uint64_t *numbers, int count)
{
    reduce(numbers, count, MPI_MIN);
}

/* MPI counts are int: long messages go in parts. */
static void broadcast(void *bytes, uint64_t size, int root)
{
    char *rest = bytes;
    while (size > 0) {
        int part = size < CHUNK_BYTES ? (int)size : CHUNK_BYTES;
        MPI_Bcast(rest, part, MPI_BYTE, root, ranks.world);
        if (ranks.own == root)
            note((uint64_t)part);
        rest += part;
        size -= (uint64_t)part;
    }
}

enum status ranks_gather(const void *mine, size_t size, void **all, size_t *total)
{
    uint64_t *sizes = malloc((size_t)ranks.count * sizeof *sizes);
    uint64_t own = size;
    *all = NULL;
    *total = 0;
    if (ranks_agree(sizes ? STATUS_OK : STATUS_NO_MEMORY) != STATUS_OK || !sizes) {
        free(sizes);
        return STATUS_NO_MEMORY;
    }
    MPI_Allgather(&own, 1, MPI_UINT64_T, sizes, 1, MPI_UINT64_T, ranks.world);
    note(sizeof own);
    for (int rank = 0; rank < ranks.count; rank++)
        *total += sizes[rank];
    char *bytes = malloc(*total + 1);
    if (ranks_agree(bytes ? STATUS_OK : STATUS_NO_MEMORY) != STATUS_OK || !bytes) {
        free(bytes);
        free(sizes);
        return STATUS_NO_MEMORY;
    }
    uint64_t place = 0;
    for (int rank = 0; rank < ranks.count; rank++) {
        if (rank == ranks.own && size > 0)
            memcpy(bytes + place, mine, size);
        broadcast(bytes + place, sizes[rank], rank);
        place += sizes[rank];
    }
    free(sizes);
    *all = bytes;
    return STATUS_OK;
}

/* -- The work queue ---------------------------------------------------------------------------------------
 */

static void answer(int worker)
{
    struct batch batch = share_take(&ranks.share, worker);
    MPI_Send(&batch, sizeof batch, MPI_BYTE, worker, TAG_BATCH, ranks.world);
    note(sizeof batch);
    ranks.asked[worker] = false;
    if (batch.count == 0)
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
        MPI_Recv(NULL, 0, MPI_BYTE, status.MPI_SOURCE, TAG_REQUEST, ranks.world, MPI_STATUS_IGNORE);
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
    while (ranks.workers_told < ranks.count - 1) {
        ranks_serve();
        pause_briefly();
    }
}

/* Rank 0's own next batch. */
static struct batch take_own(void)
{
    while (share_has_to_wait(&ranks.share, 0)) {
        ranks_serve();
        pause_briefly();
    }
    return share_take(&ranks.share, 0);
}

static void ask(void)
{
    MPI_Irecv(&ranks.coming, sizeof ranks.coming, MPI_BYTE, 0, TAG_BATCH, ranks.world, &ranks.coming_request);
    MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_REQUEST, ranks.world);
    note(0);
}

void ranks_open_queue(const uint64_t *weights, size_t count, bool even)
{
    share_open(&ranks.share, weights, count, even);
    ranks.workers_told = 0;
    ranks.batch = (struct batch){0, 0};
    ranks.exhausted = false;
    if (ranks.own != 0)
        ask();
}

/* The batch asked for before; the next is asked for at once. */
static struct batch receive(void)
{
    MPI_Wait(&ranks.coming_request, MPI_STATUS_IGNORE);
    struct batch batch = ranks.coming;
    if (batch.count > 0)
        ask();
    return batch;
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

uint64_t ranks_bytes_sent(void)
{
    return ranks.bytes;
}

uint64_t ranks_messages_sent(void)
{
    return ranks.messages;
}
