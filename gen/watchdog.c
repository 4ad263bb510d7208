/* A thread that looks at what the process waits for. It is the only thread besides the one that works. */
#include "watchdog.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_LOST = 4, LOOKS = 16 /* while the time runs out */ };

static struct {
    _Atomic(const char *) what; /* null while it works */
    _Atomic int64_t since;      /* nanoseconds */
    int64_t most;
    int rank;
} watchdog;

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void end_process(const char *what, int64_t waited)
{
    char host[256] = "?";
    gethostname(host, sizeof host - 1);
    fprintf(stderr,
            "damagen: rank %d on %s has waited %.0f seconds for %s; a rank, a host or a link is lost, or a "
            "piece of work takes longer than --watchdog allows; run the same command again\n",
            watchdog.rank, host, (double)waited * 1e-9, what);
    fflush(stderr);
    /* MPI cannot be trusted any more; mpirun ends the others when one of its processes is gone. */
    _exit(EXIT_LOST);
}

static void *watch(void *unused)
{
    (void)unused;
    const int64_t pause = watchdog.most / LOOKS;
    const struct timespec moment = {.tv_sec = pause / 1000000000, .tv_nsec = pause % 1000000000};
    for (;;) {
        nanosleep(&moment, NULL);
        const char *what = atomic_load(&watchdog.what);
        int64_t waited = now() - atomic_load(&watchdog.since);
        /* The time was set before `what`, so this wait has lasted at least so long. */
        if (what && waited > watchdog.most)
            end_process(what, waited);
    }
    return NULL;
}

void watchdog_start(double seconds, int rank)
{
    pthread_t thread;
    sigset_t all;
    sigset_t before;
    watchdog.most = (int64_t)(seconds * 1e9);
    watchdog.rank = rank;
    sigfillset(&all);
    /* Signals are for the thread that works. */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, NULL, watch, NULL) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void watchdog_wait(const char *what)
{
    atomic_store(&watchdog.since, now());
    atomic_store(&watchdog.what, what);
}

void watchdog_work(void)
{
    atomic_store(&watchdog.what, (const char *)NULL);
}
