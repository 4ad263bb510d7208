/* Measurements and checks of MPI. Payloads are a pattern that depends on sender, receiver and place. */
#include "ranks_network.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

enum { TAG = 77, REPEATS = 200 };

static int count_of(MPI_Comm ranks)
{
    int count;
    MPI_Comm_size(ranks, &count);
    return count;
}

static int own_of(MPI_Comm ranks)
{
    int own;
    MPI_Comm_rank(ranks, &own);
    return own;
}

void network_describe(char *text, size_t size)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    version[strcspn(version, "\n")] = '\0';
    snprintf(text, size, "MPI: %s\n", version);
    static const char *const prefixes[] = {"OMPI_MCA_pml=", "OMPI_MCA_btl", "OMPI_MCA_mtl", "UCX_", "FI_"};
    for (char **variable = environ; *variable; variable++)
        for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
            if (strncmp(*variable, prefixes[i], strlen(prefixes[i])) == 0) {
                size_t used = strlen(text);
                snprintf(text + used, size - used, "MPI: %s\n", *variable);
            }
}

void network_barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

unsigned long long network_tell(unsigned long long number)
{
    MPI_Bcast(&number, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
    return number;
}

static double of_rank_0(double number)
{
    MPI_Bcast(&number, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return number;
}

double network_latency(void)
{
    int ranks = count_of(MPI_COMM_WORLD);
    int own = own_of(MPI_COMM_WORLD);
    int repeats = ranks < 64 ? REPEATS : 4;
    if (ranks == 1)
        return 0;
    MPI_Barrier(MPI_COMM_WORLD);
    double began = MPI_Wtime();
    for (int other = 1; other < ranks; other++)
        for (int i = 0; i < repeats && (own == 0 || own == other); i++) {
            if (own == 0)
                MPI_Send(NULL, 0, MPI_BYTE, other, TAG, MPI_COMM_WORLD);
            MPI_Recv(NULL, 0, MPI_BYTE, own == 0 ? other : 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (own == other)
                MPI_Send(NULL, 0, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
        }
    return of_rank_0((MPI_Wtime() - began) / (2.0 * repeats * (ranks - 1)));
}

double network_message(void)
{
    int ranks = count_of(MPI_COMM_WORLD);
    if (ranks == 1)
        return 0;
    MPI_Barrier(MPI_COMM_WORLD);
    double began = MPI_Wtime();
    int messages = REPEATS * (ranks - 1);
    for (int i = 0; own_of(MPI_COMM_WORLD) == 0 && i < messages; i++) {
        MPI_Status from;
        MPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &from);
        MPI_Send(NULL, 0, MPI_BYTE, from.MPI_SOURCE, TAG, MPI_COMM_WORLD);
    }
    for (int i = 0; own_of(MPI_COMM_WORLD) != 0 && i < REPEATS; i++) {
        MPI_Send(NULL, 0, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
        MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return of_rank_0((MPI_Wtime() - began) / (2.0 * messages));
}

static unsigned char pattern(int from, int to, size_t place)
{
    uint64_t mixed = ((uint64_t)from * 65537 + (uint64_t)to) * UINT64_C(0x9E3779B97F4A7C15) + place;
    return (unsigned char)((mixed * UINT64_C(0xD6E8FEB86659FD93)) >> 56);
}

static void fill(unsigned char *bytes, size_t size, int from, int to)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = pattern(from, to, i);
}

static unsigned long long count_wrong(const unsigned char *bytes, size_t size, int from, int to)
{
    unsigned long long wrong = 0;
    for (size_t i = 0; i < size; i++)
        wrong += bytes[i] != pattern(from, to, i);
    return wrong;
}

enum status network_exchange(size_t bytes, double *speed, unsigned long long *wrong)
{
    int ranks = count_of(MPI_COMM_WORLD);
    int own = own_of(MPI_COMM_WORLD);
    unsigned char *sent = malloc(bytes * (size_t)ranks);
    unsigned char *got = malloc(bytes * (size_t)ranks);
    int all = sent && got;
    *speed = 0;
    *wrong = 0;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (all && sent && got) {
        for (int rank = 0; rank < ranks; rank++)
            fill(sent + bytes * (size_t)rank, bytes, own, rank);
        memset(got, 0, bytes * (size_t)ranks);
        MPI_Barrier(MPI_COMM_WORLD);
        double seconds = MPI_Wtime();
        MPI_Alltoall(sent, (int)bytes, MPI_BYTE, got, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
        seconds = MPI_Wtime() - seconds;
        for (int rank = 0; rank < ranks; rank++)
            *wrong += count_wrong(got + bytes * (size_t)rank, bytes, rank, own);
        MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
        *speed = (double)bytes * (ranks - 1) / seconds;
    }
    free(sent);
    free(got);
    return all ? STATUS_OK : STATUS_NO_MEMORY;
}

bool network_shares_memory(void)
{
    enum { BYTES = 1 << 16 };
    MPI_Comm node;
    MPI_Win window;
    unsigned char *mine;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_set_errhandler(node, MPI_ERRORS_RETURN);
    int own = own_of(node);
    int good = MPI_Win_allocate_shared(BYTES, 1, MPI_INFO_NULL, node, &mine, &window) == MPI_SUCCESS;
    if (good) {
        MPI_Win_fence(0, window);
        fill(mine, BYTES, own, 0);
        MPI_Win_fence(0, window);
        for (int rank = 0; rank < count_of(node); rank++) {
            MPI_Aint size;
            int unit;
            unsigned char *theirs;
            MPI_Win_shared_query(window, rank, &size, &unit, &theirs);
            good = good && size == BYTES && count_wrong(theirs, BYTES, rank, 0) == 0;
        }
        MPI_Win_fence(0, window);
        MPI_Win_free(&window);
    }
    MPI_Comm_free(&node);
    MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return good;
}
