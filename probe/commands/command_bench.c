/* damaprobe bench: how fast the library answers on random positions of the largest tables there. */
#include "commands.h"

#include "numbering.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    SAMPLE = 2000,       /* positions of a kind */
    ATTEMPTS = 2000000,  /* positions drawn to find them */
    COLD_PROBES = 500,   /* each with an empty cache */
    WARM_PROBES = 200000 /* over the sample, again and again */
};

/* Positions with a capture are searched, so they take longer. */
enum kind { QUIET, CAPTURE, KINDS };
static const char *const kind_names[KINDS] = {"quiet", "capture"};

/* The members of the largest tables. */
struct largest {
    struct numbering **numberings;
    size_t count;
    uint64_t positions;
    int pieces;
};

struct bench {
    const struct options *options;
    const struct variant *variant;
    const dama_variant *public_variant;
    struct table_set tables;
    struct largest largest;
    dama_board samples[KINDS][SAMPLE];
    int count[KINDS];
    uint64_t nanoseconds[WARM_PROBES];
};

/* What was measured of one kind. */
struct speed {
    const char *kind;
    const char *cache;
    int probes;
    uint64_t median; /* nanoseconds a probe */
    uint64_t slow;   /* 99 of 100 are not slower */
    double rate;     /* probes a second */
};

/* -- Random positions --------------------------------------------------------------------------------------
 */

/* The next number of a generator with 64 bits of state. Source: S. Vigna, splitmix64, public domain. */
static uint64_t random_next(uint64_t *state)
{
    uint64_t mixed = *state += UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ (mixed >> 31);
}

static uint64_t random_below(uint64_t *state, uint64_t limit)
{
    return (uint64_t)(((unsigned __int128)random_next(state) * limit) >> 64);
}

/* A position of the largest tables, all being equally likely. */
static struct position random_position(const struct largest *largest, uint64_t *state)
{
    uint64_t number = random_below(state, largest->positions);
    size_t i = 0;
    while (number >= largest->numberings[i]->positions)
        number -= largest->numberings[i++]->positions;
    return numbering_position(largest->numberings[i], number);
}

static void draw_samples(struct bench *bench)
{
    uint64_t state = bench->options->seed;
    for (int i = 0; i < ATTEMPTS && (bench->count[QUIET] < SAMPLE || bench->count[CAPTURE] < SAMPLE); i++) {
        struct position position = random_position(&bench->largest, &state);
        enum kind kind = bench->variant->moves->has_capture(&position) ? CAPTURE : QUIET;
        if (bench->count[kind] < SAMPLE)
            bench->samples[kind][bench->count[kind]++] = library_board(bench->variant, &position, false);
    }
}

/* -- The largest tables ------------------------------------------------------------------------------------
 */

static enum status add_slice(const struct variant *variant, struct slice slice, struct largest *largest)
{
    struct numbering *numbering;
    enum status status = numbering_create(variant, slice, &numbering);
    if (status != STATUS_OK)
        return status;
    largest->numberings[largest->count++] = numbering;
    largest->positions += numbering->positions;
    return STATUS_OK;
}

static enum status add_entries(const struct variant *variant, const struct catalogue_entry *entries,
                               size_t count, struct largest *largest)
{
    for (size_t i = 0; i < count; i++)
        if (entries[i].metric == METRIC_WDL && slice_pieces(entries[i].slice) > largest->pieces)
            largest->pieces = slice_pieces(entries[i].slice);
    largest->numberings = calloc(2 * count + 1, sizeof *largest->numberings);
    if (!largest->numberings)
        return STATUS_NO_MEMORY;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        struct slice slice = entries[i].slice;
        if (entries[i].metric != METRIC_WDL || slice_pieces(slice) != largest->pieces)
            continue;
        status = add_slice(variant, slice, largest);
        if (status == STATUS_OK && !slice_is_own_mirror(slice))
            status = add_slice(variant, slice_mirror(slice), largest);
    }
    return status;
}

static enum exit_code find_largest(struct bench *bench)
{
    struct catalogue_entry *entries;
    size_t count;
    const char *directories = bench->tables.directories;
    enum status status =
        catalogue_list(library_catalogue(bench->tables.handle), bench->variant, &entries, &count);
    if (status == STATUS_OK) {
        status = add_entries(bench->variant, entries, count, &bench->largest);
        catalogue_list_free(entries, count);
    }
    if (status != STATUS_OK)
        return complain(exit_code_of(status),
                        "the tables in \"%.150s\" cannot be listed: %s; look at its "
                        "permissions",
                        directories, status_text(status));
    if (bench->largest.count == 0)
        return complain_no_tables(&bench->tables, bench->variant->rules.name);
    return EXIT_DONE;
}

static void free_largest(struct largest *largest)
{
    for (size_t i = 0; i < largest->count; i++)
        numbering_destroy(largest->numberings[i]);
    free(largest->numberings);
}

/* -- Measuring ------------------------------------------------------------------------------------------- */

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

static dama_status probe(const struct bench *bench, const dama_board *board)
{
    dama_value value;
    return dama_probe_wdl(bench->tables.handle, bench->public_variant, board, 0, &value);
}

static uint64_t misses(const struct bench *bench)
{
    dama_cache_statistics statistics = {0};
    dama_cache_statistics_get(bench->tables.handle, &statistics);
    return statistics.misses;
}

/* Probes all positions of a kind once; files are in memory afterwards, and blocks as far as they fit. */
static enum exit_code probe_all(const struct bench *bench, enum kind kind, int count)
{
    for (int i = 0; i < count; i++) {
        dama_status status = probe(bench, &bench->samples[kind][i]);
        if (status != DAMA_OK) {
            char reason[REASON_SIZE];
            struct position position = library_white_view(bench->variant, &bench->samples[kind][i]);
            write_reason(&bench->tables, bench->variant, &position, (enum status)status, reason);
            return complain(exit_code_of((enum status)status), "%s", reason);
        }
    }
    return EXIT_DONE;
}

/* As many positions of the sample as the cache holds all blocks of. */
static enum exit_code fitting_count(const struct bench *bench, enum kind kind, int *fitting)
{
    int count = bench->count[kind];
    for (;; count /= 2) {
        enum exit_code code = probe_all(bench, kind, count);
        uint64_t before = misses(bench);
        if (code == EXIT_DONE)
            code = probe_all(bench, kind, count);
        *fitting = count;
        if (code != EXIT_DONE || misses(bench) == before || count <= 1)
            return code;
    }
}

static int compare_times(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static struct speed speed_of(struct bench *bench, enum kind kind, const char *cache, int probes, double rate)
{
    qsort(bench->nanoseconds, (size_t)probes, sizeof bench->nanoseconds[0], compare_times);
    return (struct speed){.kind = kind_names[kind],
                          .cache = cache,
                          .probes = probes,
                          .median = bench->nanoseconds[probes / 2],
                          .slow = bench->nanoseconds[probes - 1 - probes / 100],
                          .rate = rate};
}

/* The rate comes from a run of its own, which reads the clock only at its ends. */
static struct speed measure_warm(struct bench *bench, enum kind kind, int fitting)
{
    const dama_board *sample = bench->samples[kind];
    uint64_t start = now();
    for (int i = 0; i < WARM_PROBES; i++)
        probe(bench, &sample[i % fitting]);
    double rate = WARM_PROBES / ((double)(now() - start + 1) * 1e-9);
    for (int i = 0; i < WARM_PROBES; i++) {
        start = now();
        probe(bench, &sample[i % fitting]);
        bench->nanoseconds[i] = now() - start;
    }
    return speed_of(bench, kind, "warm", WARM_PROBES, rate);
}

static struct speed measure_cold(struct bench *bench, enum kind kind)
{
    int probes = bench->count[kind] < COLD_PROBES ? bench->count[kind] : COLD_PROBES;
    uint64_t all = 1;
    for (int i = 0; i < probes; i++) {
        dama_cache_clear(bench->tables.handle);
        uint64_t start = now();
        probe(bench, &bench->samples[kind][i]);
        bench->nanoseconds[i] = now() - start;
        all += bench->nanoseconds[i];
    }
    return speed_of(bench, kind, "cold", probes, probes / ((double)all * 1e-9));
}

/* -- Writing -----------------------------------------------------------------------------------------------
 */

static enum exit_code print_speed(const struct bench *bench, const struct speed *speed)
{
    if (bench->options->json)
        return print_json(json_pack("{s:s, s:i, s:s, s:s, s:i, s:I, s:I, s:f}", "variant",
                                    bench->variant->rules.name, "pieces", bench->largest.pieces, "kind",
                                    speed->kind, "cache", speed->cache, "probes", speed->probes, "median_ns",
                                    (json_int_t)speed->median, "p99_ns", (json_int_t)speed->slow,
                                    "probes_per_second", speed->rate));
    printf("%d\t%s\t%s\t%d\t%llu\t%llu\t%.0f\n", bench->largest.pieces, speed->kind, speed->cache,
           speed->probes, (unsigned long long)speed->median, (unsigned long long)speed->slow, speed->rate);
    return EXIT_DONE;
}

static enum exit_code measure_kind(struct bench *bench, enum kind kind)
{
    int fitting;
    if (bench->count[kind] == 0)
        return EXIT_DONE;
    dama_cache_clear(bench->tables.handle);
    enum exit_code code = probe_all(bench, kind, bench->count[kind]);
    if (code == EXIT_DONE)
        code = fitting_count(bench, kind, &fitting);
    if (code != EXIT_DONE)
        return code;
    struct speed warm = measure_warm(bench, kind, fitting);
    code = print_speed(bench, &warm);
    if (code != EXIT_DONE)
        return code;
    struct speed cold = measure_cold(bench, kind);
    return print_speed(bench, &cold);
}

static enum exit_code run(const struct options *options, int count, char **arguments)
{
    (void)count;
    struct bench *bench = calloc(1, sizeof *bench);
    if (!bench)
        return complain(EXIT_FILES, "out of memory; run it again with more");
    bench->options = options;
    enum exit_code code = argument_variant(arguments[0], &bench->variant);
    if (code == EXIT_DONE) {
        bench->public_variant = library_variant_public(bench->variant);
        code = table_set_open(options, &bench->tables);
    }
    if (code == EXIT_DONE)
        code = find_largest(bench);
    if (code == EXIT_DONE) {
        draw_samples(bench);
        if (!options->json)
            puts("pieces\tkind\tcache\tprobes\tmedian_ns\tp99_ns\tprobes_per_second");
    }
    for (int kind = 0; kind < KINDS && code == EXIT_DONE; kind++)
        code = measure_kind(bench, (enum kind)kind);
    free_largest(&bench->largest);
    table_set_close(&bench->tables);
    free(bench);
    return code;
}

const struct command command_bench = {
    .name = "bench",
    .arguments = "VARIANT",
    .summary = "probes a second, warm and cold",
    .help = "Probes random positions of the greatest piece count that there are tables of, all positions\n"
            "of their slices being equally likely, and prints a header line and then lines with tabs:\n"
            "pieces, kind (quiet, or capture: some piece can be taken), cache (warm: everything is decoded\n"
            "already; cold: nothing is, but the files are in memory), probes, median and 99th percentile\n"
            "in nanoseconds (with one reading of the clock), probes a second.\n",
    .options = TAKES_PATH | TAKES_CACHE | TAKES_JSON | TAKES_SEED,
    .least_arguments = 1,
    .most_arguments = 1,
    .run = run,
};
