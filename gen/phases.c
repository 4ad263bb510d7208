/* One stop-watch with several dials. */
#include "phases.h"

#include <time.h>

const char *const phase_names[PHASES] = {"other",    "first_pass", "plies",       "transpose",
                                         "exchange", "wait",       "compression", "files"};

static struct {
    uint64_t spent[PHASES];
    uint64_t since;
    enum phase phase;
} watch;

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

enum phase phase_enter(enum phase phase)
{
    enum phase before = watch.phase;
    uint64_t moment = now();
    if (watch.since > 0)
        watch.spent[before] += moment - watch.since;
    watch.since = moment;
    watch.phase = phase;
    return before;
}

void phase_times(uint64_t nanoseconds[PHASES])
{
    phase_enter(watch.phase);
    for (int phase = 0; phase < PHASES; phase++)
        nanoseconds[phase] = watch.spent[phase];
}
