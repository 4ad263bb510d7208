/* One flag and one moment. */
#include "stop.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LONGEST_MARGIN 60.0

static volatile sig_atomic_t signalled;

static struct {
    bool timed;
    double end; /* by the monotonic clock */
    double margin;
    double save;
} moment;

static void note_signal(int number)
{
    (void)number;
    signalled = 1;
}

void stop_on_signals(void)
{
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void stop_before(double seconds)
{
    moment.timed = true;
    moment.end = now() + seconds;
    moment.margin = seconds / 10 < LONGEST_MARGIN ? seconds / 10 : LONGEST_MARGIN;
}

void stop_before_end_of_job(void)
{
    const char *text = getenv("SLURM_JOB_END_TIME");
    char *end;
    long long when = text ? strtoll(text, &end, 10) : 0;
    if (text && *text && !*end && when > 0)
        stop_before(difftime((time_t)when, time(NULL)));
}

void stop_note_save(double seconds)
{
    moment.save = seconds;
}

bool stop_wanted(void)
{
    return signalled || (moment.timed && now() > moment.end - moment.margin - 2 * moment.save);
}

bool stop_read_time(const char *text, double *seconds)
{

    double days = 0;
    char *end;
    const char *dash = strchr(text, '-');
    if (*text < '0' || *text > '9')
        return false;
    if (dash) {
        days = (double)strtoul(text, &end, 10);
        if (end != dash || dash[1] < '0' || dash[1] > '9')
            return false;
        text = dash + 1;
    }
    double sum = 0;
    for (int part = 0;; part++) {
        if (*text < '0' || *text > '9' || part > 2)
            return false;
        double number = strtod(text, &end);
        if (part > 0 && number >= 60)
            return false;
        sum = 60 * sum + number;
        if (*end == '\0')
            break;
        if (*end != ':')
            return false;
        text = end + 1;
    }
    *seconds = days * 86400 + sum;
    return *seconds > 0;
}
