/* Lines, bar and log of a run. */
#include "report.h"
#include "complaint.h"
#include "ranks.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

struct report {
    const struct plan *plan;
    FILE *log;
    const char *log_path; /* not owned */
    bool bar;
    bool bar_shown;
    uint64_t positions; /* to be solved in this run */
    uint64_t solved;    /* in finished levels, all ranks */
    uint64_t mine;      /* solved by this rank */
    uint64_t cpu_start;
    double started;
    double logged; /* seconds after that, of the last level */
    double bar_time;
};

uint64_t report_cpu(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

double report_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

enum status report_open(const struct plan *plan, const char *log, uint64_t positions, struct report **report)
{
    struct report *made = calloc(1, sizeof *made);
    enum status status = made ? STATUS_OK : STATUS_NO_MEMORY;
    if (made && log && ranks_own() == 0) {
        made->log = fopen(log, "a");
        if (!made->log) {
            status = complain(STATUS_FILE, "cannot write the log %s; give another --log", log);
        }
    }
    status = ranks_agree(status);
    if (status != STATUS_OK || !made) {
        free(made);
        return status;
    }
    made->plan = plan;
    made->log_path = log;
    made->bar = ranks_own() == 0 && isatty(STDERR_FILENO);
    made->positions = positions;
    made->cpu_start = report_cpu();
    made->started = report_seconds();
    *report = made;
    return STATUS_OK;
}

void report_close(struct report *report)
{
    if (!report)
        return;
    if (report->log)
        fclose(report->log);
    free(report);
}

/* -- Bar ------------------------------------------------------------------------------------------------- */

static void clear_bar(struct report *report)
{
    if (report->bar_shown)
        fputs("\r\033[K", stderr);
    report->bar_shown = false;
}

void report_progress(struct report *report, uint64_t positions_so_far)
{
    enum { WIDTH = 40 };
    double now = report_seconds();
    if (!report->bar || now - report->bar_time < 0.25 || report->positions == 0)
        return;
    report->bar_time = now;
    double part = (double)(report->solved + positions_so_far) / (double)report->positions;
    part = part > 1 ? 1 : part;
    double left = part > 0 ? (now - report->started) * (1 - part) / part : 0;
    int filled = (int)(part * WIDTH);
    char bar[WIDTH + 1];
    for (int i = 0; i < WIDTH; i++)
        bar[i] = i < filled ? '#' : '.';
    bar[WIDTH] = '\0';
    fprintf(stderr, "\r\033[K[%s] %5.1f %%, %.0f s left", bar, part * 100, left);
    report->bar_shown = true;
}

/* -- Levels ---------------------------------------------------------------------------------------------- */

void level_work_add(struct level_work *work, const struct solver_counts *counts)
{
    work->plies = counts->plies > work->plies ? counts->plies : work->plies;
    for (int member = 0; member < 2; member++)
        for (int value = 0; value < VALUES; value++) {
            work->positions += counts->values[member][value];
            work->decided += value == DRAW ? 0 : counts->values[member][value];
        }
}

/* Greatest memory that this process has had, in bytes. */
static uint64_t peak_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss * 1024;
}

/* Of a level, over all ranks. */
struct level_sum {
    struct level_work sum;
    struct level_work most;
    struct level_work least;
};

static void log_phases(FILE *log, const struct level_sum *level)
{
    double ranks = ranks_count();
    fputs(", \"seconds_by_phase\": {", log);
    for (int phase = PHASE_OTHER + 1; phase < PHASES; phase++)
        fprintf(log, "%s\"%s\": {\"min\": %.6f, \"mean\": %.6f, \"max\": %.6f}", phase > 1 ? ", " : "",
                phase_names[phase], (double)level->least.phases[phase] * 1e-9,
                (double)level->sum.phases[phase] * 1e-9 / ranks, (double)level->most.phases[phase] * 1e-9);
    fputs("}", log);
}

static void log_slices(FILE *log, const struct plan *plan, const struct group *group)
{
    for (uint32_t pair = group->first_pair; pair < group->first_pair + group->pairs; pair++) {
        char name[SLICE_NAME_SIZE];
        slice_write(plan->pairs[pair]->name, name);
        fprintf(log, "%s\"%s\"", pair > group->first_pair ? ", " : "", name);
    }
}

static void log_level(struct report *report, const struct group *group, int advancement,
                      const struct level_sum *level)
{
    double ranks = ranks_count();
    double passed = report_seconds() - report->started;
    double left = report->solved > 0 && report->positions > report->solved
                      ? passed * (double)(report->positions - report->solved) / (double)report->solved
                      : 0;
    const struct level_work *sum = &level->sum;
    fprintf(report->log, "{\"level\": {\"pieces\": %d, \"men\": %d, \"advancement\": %d}, \"slices\": [",
            group->pieces, group->men, advancement);
    log_slices(report->log, report->plan, group);
    fprintf(report->log,
            "], \"pieces_of_work\": %" PRIu64 ", \"positions\": %" PRIu64 ", \"new_values\": %" PRIu64
            ", \"plies\": %" PRIu64 ", \"positions_by_rank\": {\"min\": %" PRIu64
            ", \"mean\": %.1f, \"max\": %" PRIu64 "}, \"cpu_seconds_by_rank\": {\"min\": %.6f, \"mean\": "
            "%.6f, \"max\": %.6f}",
            sum->pieces, sum->positions, sum->decided, level->most.plies, level->least.positions,
            (double)sum->positions / ranks, level->most.positions, (double)level->least.nanoseconds * 1e-9,
            (double)sum->nanoseconds * 1e-9 / ranks, (double)level->most.nanoseconds * 1e-9);
    log_phases(report->log, level);
    fprintf(report->log,
            ", \"bytes_sent\": %" PRIu64 ", \"messages\": %" PRIu64 ", \"peak_memory\": %" PRIu64
            ", \"seconds\": %.3f, \"seconds_left\": %.0f}\n",
            sum->bytes, sum->messages, level->most.memory, passed - report->logged, left);
    report->logged = passed;
    fflush(report->log);
}

/* Adds the work of all ranks up. Collective. */
static struct level_sum sum_up(const struct level_work *mine)
{
    enum { NUMBERS = sizeof(struct level_work) / sizeof(uint64_t) };
    struct level_sum level = {.most = *mine};
    level.most.memory = peak_memory();
    level.sum = level.least = level.most;
    ranks_sum((uint64_t *)&level.sum, NUMBERS);
    ranks_greatest((uint64_t *)&level.most, NUMBERS);
    ranks_least((uint64_t *)&level.least, NUMBERS);
    return level;
}

void report_level(struct report *report, const struct group *group, int advancement,
                  const struct level_work *mine)
{
    const struct level_sum level = sum_up(mine);
    report->mine += mine->positions;
    report->solved += level.sum.positions;
    if (report->log)
        log_level(report, group, advancement, &level);
}

static void log_tables(struct report *report, const struct group *group, uint64_t tables,
                       const struct level_sum *work)
{
    double passed = report_seconds() - report->started;
    fprintf(report->log, "{\"tables\": {\"pieces\": %d, \"men\": %d}, \"slices\": [", group->pieces,
            group->men);
    log_slices(report->log, report->plan, group);
    fprintf(report->log,
            "], \"tables_made\": %" PRIu64 ", \"cpu_seconds_by_rank\": {\"min\": %.6f, \"mean\": %.6f, "
            "\"max\": %.6f}",
            tables, (double)work->least.nanoseconds * 1e-9,
            (double)work->sum.nanoseconds * 1e-9 / ranks_count(), (double)work->most.nanoseconds * 1e-9);
    log_phases(report->log, work);
    fprintf(report->log,
            ", \"bytes_sent\": %" PRIu64 ", \"messages\": %" PRIu64 ", \"peak_memory\": %" PRIu64
            ", \"seconds\": %.3f}\n",
            work->sum.bytes, work->sum.messages, work->most.memory, passed - report->logged);
    report->logged = passed;
    fflush(report->log);
}

void report_tables(struct report *report, const struct group *group, uint64_t tables,
                   const struct level_work *mine)
{
    const struct level_sum work = sum_up(mine);
    if (report->log && tables > 0)
        log_tables(report, group, tables, &work);
}

/* -- Pairs ----------------------------------------------------------------------------------------------- */

static void print_member(const struct plan *plan, uint32_t pair, int member, const struct pair_work *sum,
                         bool restored)
{
    const uint64_t *counts = sum->counts.values[member];
    uint64_t positions = 0;
    for (int value = 0; value < VALUES; value++)
        positions += counts[value];
    char name[SLICE_NAME_SIZE];
    slice_write(plan->pairs[pair]->members[member]->slice, name);
    uint64_t both = plan->pairs[pair]->positions;
    double rate = sum->nanoseconds ? (double)both * 1e3 / (double)sum->nanoseconds : 0;
    fprintf(stderr, "%s %s %" PRIu64 " positions: %" PRIu64 " win, %" PRIu64 " draw, %" PRIu64 " loss; ",
            restored ? "restored" : "solved", name, positions, counts[WIN], counts[DRAW], counts[LOSS]);
    if (counts[CURSED_WIN] > 0 || counts[BLESSED_LOSS] > 0)
        fprintf(stderr, "%" PRIu64 " cursed win, %" PRIu64 " blessed loss; ", counts[CURSED_WIN],
                counts[BLESSED_LOSS]);
    fprintf(stderr, "%" PRIu64 " plies; %.2f M positions a CPU second; %" PRIu64 " bytes exchanged\n",
            sum->counts.plies, rate, sum->bytes);
}

void report_pair(struct report *report, uint32_t pair, const struct pair_work *mine, bool restored)
{
    struct pair_work sum = *mine;
    uint64_t plies = mine->counts.plies;
    ranks_sum((uint64_t *)&sum, sizeof sum / sizeof(uint64_t));
    ranks_greatest(&plies, 1);
    sum.counts.plies = plies;
    if (ranks_own() != 0)
        return;
    clear_bar(report);
    print_member(report->plan, pair, 0, &sum, restored);
    if (!report->plan->pairs[pair]->own_mirror)
        print_member(report->plan, pair, 1, &sum, restored);
}

void report_stop(struct report *report)
{
    if (ranks_own() != 0)
        return;
    clear_bar(report);
    fputs("damagen: stopped on request; what is finished is saved, run the same command again to go on\n",
          stderr);
}

/* -- End ------------------------------------------------------------------------------------------------- */

enum { POSITIONS, CPU, BYTES, MESSAGES, FILES, NUMBERS };

static void print_end(struct report *report, const uint64_t sum[NUMBERS], uint64_t most)
{
    clear_bar(report);
    double seconds = (double)sum[CPU] * 1e-9;
    double mean = (double)sum[POSITIONS] / ranks_count();
    double balance = mean > 0 ? (double)most / mean : 1;
    fprintf(stderr,
            "total %" PRIu64 " positions, %.1f CPU seconds, %.2f M positions a CPU second; %" PRIu64
            " bytes in %" PRIu64 " messages between %d ranks, %" PRIu64
            " bytes of segments; busiest rank %.2f of the mean\n",
            sum[POSITIONS], seconds, seconds > 0 ? (double)sum[POSITIONS] / seconds / 1e6 : 0, sum[BYTES],
            sum[MESSAGES], ranks_count(), sum[FILES], balance);
    if (report->log)
        fprintf(report->log,
                "{\"total\": {\"positions\": %" PRIu64 ", \"cpu_seconds\": %.3f, \"bytes_sent\": %" PRIu64
                ", \"messages\": %" PRIu64 ", \"segment_bytes\": %" PRIu64
                ", \"ranks\": %d, \"busiest_rank_positions\": %" PRIu64 ", \"mean_rank_positions\": %.1f}}\n",
                sum[POSITIONS], seconds, sum[BYTES], sum[MESSAGES], sum[FILES], ranks_count(), most, mean);
}

/* Writes what is still buffered and tells whether all of the log got there. */
static enum status finish_log(struct report *report)
{
    if (!report->log || (fflush(report->log) == 0 && !ferror(report->log)))
        return STATUS_OK;
    return complain(STATUS_NO_SPACE, "the log %s cannot be written, is its disk full? All else is done",
                    report->log_path);
}

enum status report_end(struct report *report, uint64_t file_bytes)
{
    uint64_t sum[NUMBERS] = {report->mine, report_cpu() - report->cpu_start, ranks_bytes_sent(),
                             ranks_messages_sent(), file_bytes};
    uint64_t most = report->mine;
    ranks_sum(sum, NUMBERS);
    ranks_greatest(&most, 1);
    if (ranks_own() == 0)
        print_end(report, sum, most);
    return ranks_agree(finish_log(report));
}

/* -- Proofs ---------------------------------------------------------------------------------------------- */

static void print_greatest(const char *what, uint64_t tallied)
{
    if (tallied > 0)
        fprintf(stderr, "%s %" PRIu64 "; ", what, tallied - 1);
}

static void print_proof(const struct report *report, uint32_t pair, int member, const struct proof_work *work,
                        double rate, bool proved)
{
    const struct numbering *numbering = report->plan->pairs[pair]->members[member];
    const struct proof_tally *tally = &work->tallies[member];
    char name[SLICE_NAME_SIZE];
    slice_write(numbering->slice, name);
    fprintf(stderr, "%s %s %" PRIu64 " positions: %" PRIu64 " win, ", proved ? "proved" : "consistent", name,
            numbering->positions, tally->counts[WIN]);
    if (report->plan->variant->rules.limit > 0)
        fprintf(stderr, "%" PRIu64 " cursed win, ", tally->counts[CURSED_WIN]);
    fprintf(stderr, "%" PRIu64 " draw, ", tally->counts[DRAW]);
    if (report->plan->variant->rules.limit > 0)
        fprintf(stderr, "%" PRIu64 " blessed loss, ", tally->counts[BLESSED_LOSS]);
    fprintf(stderr, "%" PRIu64 " loss; ", tally->counts[LOSS]);
    print_greatest("longest win", tally->greatest[WIN]);
    print_greatest("longest loss", tally->greatest[LOSS]);
    fprintf(stderr, "%.2f M positions a CPU second\n", rate);
}

static void log_proof(struct report *report, uint32_t pair, uint64_t nanoseconds, bool proved)
{
    const struct slice_pair *slices = report->plan->pairs[pair];
    char name[SLICE_NAME_SIZE];
    slice_write(slices->name, name);
    fprintf(report->log,
            "{\"pair\": \"%s\", \"positions\": %" PRIu64 ", \"proved\": %s, \"cpu_seconds\": %.6f}\n", name,
            slices->positions, proved ? "true" : "false", (double)nanoseconds * 1e-9);
    fflush(report->log);
}

void report_proof(struct report *report, uint32_t pair, const struct proof_work *work, bool proved)
{
    const struct slice_pair *slices = report->plan->pairs[pair];
    uint64_t nanoseconds = work->nanoseconds;
    ranks_sum(&nanoseconds, 1);
    report->mine += work->positions;
    report->solved += slices->positions;
    if (ranks_own() != 0)
        return;
    clear_bar(report);
    double rate = nanoseconds ? (double)slices->positions * 1e3 / (double)nanoseconds : 0;
    for (int member = 0; member < (slices->own_mirror ? 1 : 2); member++)
        print_proof(report, pair, member, work, rate, proved);
    if (report->log)
        log_proof(report, pair, nanoseconds, proved);
}

enum status report_proofs_end(struct report *report, uint32_t unproved)
{
    uint64_t nanoseconds = report_cpu() - report->cpu_start;
    ranks_sum(&nanoseconds, 1);
    if (ranks_own() != 0)
        return ranks_agree(STATUS_OK);
    double seconds = (double)nanoseconds * 1e-9;
    clear_bar(report);
    fprintf(stderr, "total %" PRIu64 " positions %s, %.1f CPU seconds, %.2f M positions a CPU second\n",
            report->solved, unproved == 0 ? "proved" : "checked", seconds,
            seconds > 0 ? (double)report->solved / seconds / 1e6 : 0);
    if (unproved > 0)
        fprintf(stderr,
                "%" PRIu32 " of %" PRIu32 " slice pairs are consistent, not proved: without tables of "
                "distances, of their own and of all they lead to, values are only checked not to contradict "
                "one another\n",
                unproved, report->plan->pair_count);
    if (report->log)
        fprintf(report->log,
                "{\"total\": {\"positions\": %" PRIu64 ", \"pairs\": %" PRIu32
                ", \"pairs_not_proved\": %" PRIu32 ", \"cpu_seconds\": %.3f, \"ranks\": %d}}\n",
                report->solved, report->plan->pair_count, unproved, seconds, ranks_count());
    return ranks_agree(finish_log(report));
}
