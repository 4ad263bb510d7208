/* The program damagen: options in, a run out. All ranks read the same options; rank 0 alone speaks of them.
 */
#include "calibrate.h"
#include "damaprobe.h"
#include "forecast.h"
#include "generate.h"
#include "kill_point.h"
#include "memory.h"
#include "ranks.h"
#include "selftest.h"
#include "simulate.h"
#include "stop.h"
#include "store.h"
#include "verify.h"
#include "watchdog.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Documented in the manual; scripts rely on them. */
enum exit_code {
    EXIT_DONE = 0,
    EXIT_NO_TABLE = 1,
    EXIT_USAGE = 2,
    EXIT_BAD_DATA = 3,
    EXIT_ENVIRONMENT = 4,
    EXIT_STOPPED = 75
};

enum { MAX_SLICES = 256, MAX_GAMES = 64 };

struct options {
    struct settings settings;
    struct slice slices[MAX_SLICES];
    uint64_t node_memory; /* 0: not said */
    double time_left;     /* seconds; 0: not said */
    double watchdog;      /* seconds */
    bool plan_only;
    bool verify;
    /* Of the model of what a run takes. */
    bool simulate;
    bool calibrate;
    bool selftest;
    const struct variant *games[MAX_GAMES]; /* to be calibrated */
    size_t game_count;
    int ranks; /* that are only thought of, so many on a node; 0: those that run */
    int ranks_a_node;
    const char *calibration;
    char default_calibration[4096];
    char work[4096];
};

static const char help[] =
    "Usage: damagen VARIANT (--pieces N | --slice SLICE ...) [options]\n"
    "       damagen VARIANT --verify [--pieces N | --slice SLICE ...] [options]\n"
    "       damagen VARIANT (--pieces N | --slice SLICE ...) (--plan | --simulate-ranks R) [options]\n"
    "       damagen --calibrate [VARIANT ...] [--pieces N] [options]\n"
    "       damagen --selftest [--work DIR]\n"
    "       mpirun -n RANKS damagen VARIANT ...\n"
    "\n"
    "Makes endgame tables. What is finished is not built again: after an interruption run the same command,\n"
    "with any number of ranks.\n"
    "\n"
    "  --pieces N        every slice with up to N pieces\n"
    "  --slice 21v10     that slice pair and all that it depends on; may be given more than once\n"
    "  --out DIR         tables, in DIR/VARIANT (default ./tables)\n"
    "  --work DIR        work store (default DIR/.work)\n"
    "  --metric wdl|dtz  what to store: win, draw or loss; dtz: and beside that the plies to the next "
    "zeroing "
    "move\n"
    "  --publish         compress tables of values as well as can be, which takes longer\n"
    "  --block N         positions of a block of values, 256 to 32K, a power of two (default 4K): larger "
    "ones\n"
    "                    make smaller tables and slower probes\n"
    "  --memory SIZE     memory of a node that may be used, e.g. 8G (default: three quarters of what is "
    "free)\n"
    "  --plan            print what would be built and what it takes; build nothing\n"
    "  --ranks R         with --plan: for R ranks (or 4x128: 128 ranks on each of 4 nodes)\n"
    "  --simulate-ranks R\n"
    "                    share the work out over R ranks without doing it, and print balance and losses\n"
    "  --calibration FILE\n"
    "                    constants for these (default DIR/.calibration, if it is there)\n"
    "  --calibrate       measure these constants on this machine and write them there\n"
    "  --selftest        check work folder, locks, shared memory, network and a tiny slice on these nodes\n"
    "  --verify          prove the tables in DIR/VARIANT, all or those asked for; build nothing\n"
    "  --team N          solve every unit by a team of N ranks (default: only units that need it)\n"
    "  --checkpoint MIN  save inside long levels every so many minutes (default 30)\n"
    "  --time-left TIME  stop in time by itself: seconds, or [DAYS-]HH:MM:SS (default: the end of the Slurm "
    "job)\n"
    "  --watchdog TIME   end the run if a rank waits so long for the others (default 30:00)\n"
    "  --log FILE        append JSON lines, a record a level\n"
    "  --solver word|scalar  which solver: many positions at a time, or one by one; the same\n"
    "                    tables (word)\n"
    "  --help, --version\n"
    "\n"
    "SIGTERM and SIGUSR1 stop a run; what is finished is saved.\n"
    "\n"
    "Exit codes: 0 done; 1 a table to be proved is missing; 2 usage; 3 damaged data; 4 files, memory, "
    "environment;\n75 stopped on request, run the same command again.\n";

/* One line of what is wrong with the options, by rank 0. */
static enum exit_code usage(const char *form, ...)
{
    if (ranks_own() != 0)
        return EXIT_USAGE;
    va_list arguments;
    fputs("damagen: ", stderr);
    va_start(arguments, form);
    vfprintf(stderr, form, arguments);
    va_end(arguments);
    fputs("; see damagen --help\n", stderr);
    return EXIT_USAGE;
}

/* Positions of a block, as a power of two. */
static bool read_block(const char *text, int *block_log2)
{
    uint64_t positions;
    if (!memory_read(text, &positions))
        return false;
    for (*block_log2 = MIN_BLOCK_LOG2; *block_log2 <= MAX_BLOCK_LOG2; ++*block_log2)
        if (positions == UINT64_C(1) << *block_log2)
            return true;
    return false;
}

static bool read_count(const char *text, int *count)
{
    char *end;
    long number = strtol(text, &end, 10);
    *count = (int)number;
    return *text >= '0' && *text <= '9' && !*end && number > 0 && number <= 64;
}

/* Reads minutes above zero into seconds. */
static bool read_minutes(const char *text, double *seconds)
{
    char *end;
    *seconds = 60 * strtod(text, &end);
    return *text >= '0' && *text <= '9' && !*end && *seconds > 0;
}

enum option_key {
    OPTION_PIECES = 256,
    OPTION_SLICE,
    OPTION_OUT,
    OPTION_WORK,
    OPTION_METRIC,
    OPTION_MEMORY,
    OPTION_PLAN,
    OPTION_VERIFY,
    OPTION_TEAM,
    OPTION_PUBLISH,
    OPTION_BLOCK,
    OPTION_CHECKPOINT,
    OPTION_TIME_LEFT,
    OPTION_WATCHDOG,
    OPTION_LOG,
    OPTION_SOLVER,
    OPTION_RANKS,
    OPTION_SIMULATE,
    OPTION_CALIBRATION,
    OPTION_CALIBRATE,
    OPTION_SELFTEST,
    OPTION_HELP,
    OPTION_VERSION
};

static const struct option long_options[] = {
    {"pieces", required_argument, NULL, OPTION_PIECES},
    {"slice", required_argument, NULL, OPTION_SLICE},
    {"out", required_argument, NULL, OPTION_OUT},
    {"work", required_argument, NULL, OPTION_WORK},
    {"metric", required_argument, NULL, OPTION_METRIC},
    {"memory", required_argument, NULL, OPTION_MEMORY},
    {"plan", no_argument, NULL, OPTION_PLAN},
    {"team", required_argument, NULL, OPTION_TEAM},
    {"publish", no_argument, NULL, OPTION_PUBLISH},
    {"block", required_argument, NULL, OPTION_BLOCK},
    {"checkpoint", required_argument, NULL, OPTION_CHECKPOINT},
    {"time-left", required_argument, NULL, OPTION_TIME_LEFT},
    {"watchdog", required_argument, NULL, OPTION_WATCHDOG},
    {"ranks", required_argument, NULL, OPTION_RANKS},
    {"simulate-ranks", required_argument, NULL, OPTION_SIMULATE},
    {"calibration", required_argument, NULL, OPTION_CALIBRATION},
    {"calibrate", no_argument, NULL, OPTION_CALIBRATE},
    {"selftest", no_argument, NULL, OPTION_SELFTEST},
    {"log", required_argument, NULL, OPTION_LOG},
    {"solver", required_argument, NULL, OPTION_SOLVER},
    {"help", no_argument, NULL, OPTION_HELP},
    {"version", no_argument, NULL, OPTION_VERSION},
    {"verify", no_argument, NULL, OPTION_VERIFY},
    {NULL, 0, NULL, 0},
};

static enum exit_code add_slice(struct options *options, const char *text)
{
    struct request *request = &options->settings.request;
    if (request->slice_count == MAX_SLICES)
        return usage("more than %d slices", MAX_SLICES);
    if (!slice_read(text, &options->slices[request->slice_count]))
        return usage("\"%s\" is not a slice: write own men, own kings, v, opponent's men, kings, as in 21v10",
                     text);
    request->slice_count++;
    return EXIT_DONE;
}

/* "R", as many on a node as this one has cores, or "NODESxR". */
static bool read_ranks(const char *text, struct options *options)
{
    enum { MOST_RANKS = 1 << 16 };
    char rest;
    int nodes;
    int ranks;
    if (*text < '0' || *text > '9' || strlen(text) > 12)
        return false;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (sscanf(text, "%d%c", &ranks, &rest) == 1)
        nodes = 1;
    else if (sscanf(text, "%dx%d%c", &nodes, &ranks, &rest) == 2)
        cores = ranks;
    else
        return false;
    if (nodes < 1 || ranks < 1 || nodes > MOST_RANKS || ranks > MOST_RANKS / nodes)
        return false;
    options->ranks = nodes * ranks;
    options->ranks_a_node = cores > 0 && cores < options->ranks ? (int)cores : options->ranks;
    return true;
}

static enum exit_code read_option(struct options *options, int key, const char *argument)
{
    struct settings *settings = &options->settings;
    switch (key) {
    case OPTION_PIECES:
        if (!read_count(argument, &settings->request.pieces) || settings->request.pieces < 2)
            return usage("--pieces takes a number from 2, not \"%s\"", argument);
        return EXIT_DONE;
    case OPTION_SLICE: return add_slice(options, argument);
    case OPTION_OUT: settings->out = argument; return EXIT_DONE;
    case OPTION_WORK: settings->work = argument; return EXIT_DONE;
    case OPTION_LOG: settings->log = argument; return EXIT_DONE;
    case OPTION_PLAN: options->plan_only = true; return EXIT_DONE;
    case OPTION_VERIFY: options->verify = true; return EXIT_DONE;
    case OPTION_CALIBRATE: options->calibrate = true; return EXIT_DONE;
    case OPTION_SELFTEST: options->selftest = true; return EXIT_DONE;
    case OPTION_CALIBRATION: options->calibration = argument; return EXIT_DONE;
    case OPTION_SIMULATE: options->simulate = true; /* fall through */
    case OPTION_RANKS:
        return read_ranks(argument, options)
                   ? EXIT_DONE
                   : usage("numbers of ranks are 1 to 65536, or as 4x128, not \"%s\"", argument);
    case OPTION_METRIC:
        settings->metric = strcmp(argument, "dtz") == 0 ? METRIC_DTZ : METRIC_WDL;
        return strcmp(argument, "wdl") == 0 || settings->metric == METRIC_DTZ
                   ? EXIT_DONE
                   : usage("--metric can be wdl or dtz, not \"%s\"", argument);
    case OPTION_SOLVER:
        settings->solver = strcmp(argument, scalar_solver.name) == 0 ? &scalar_solver : &word_solver;
        return strcmp(argument, settings->solver->name) == 0
                   ? EXIT_DONE
                   : usage("--solver can be %s or %s, not \"%s\"", word_solver.name, scalar_solver.name,
                           argument);
    case OPTION_MEMORY:
        return memory_read(argument, &options->node_memory)
                   ? EXIT_DONE
                   : usage("--memory takes a size such as 800M or 8G, not \"%s\"", argument);
    case OPTION_TEAM:
        return read_count(argument, &settings->team) && settings->team <= settings->ranks
                   ? EXIT_DONE
                   : usage("--team takes a number of ranks up to the %d there are, not \"%s\"",
                           settings->ranks, argument);
    case OPTION_PUBLISH: settings->publish = true; return EXIT_DONE;
    case OPTION_BLOCK:
        return read_block(argument, &settings->block_log2)
                   ? EXIT_DONE
                   : usage("--block takes 256, 512, 1K and so on up to 32K, not \"%s\"", argument);
    case OPTION_CHECKPOINT:
        return read_minutes(argument, &settings->checkpoint)
                   ? EXIT_DONE
                   : usage("--checkpoint takes minutes such as 30 or 0.5, not \"%s\"", argument);
    case OPTION_TIME_LEFT:
        return stop_read_time(argument, &options->time_left)
                   ? EXIT_DONE
                   : usage("--time-left takes seconds or [DAYS-]HH:MM:SS, not \"%s\"", argument);
    case OPTION_WATCHDOG:
        return stop_read_time(argument, &options->watchdog)
                   ? EXIT_DONE
                   : usage("--watchdog takes seconds or [DAYS-]HH:MM:SS, not \"%s\"", argument);
    default: return usage("unknown option or missing argument");
    }
}

static enum exit_code read_variant(struct options *options, const char *name)
{
    options->settings.variant = variant_named(name);
    if (options->settings.variant)
        return EXIT_DONE;
    char names[512] = "";
    for (size_t i = 0; i < variant_count; i++) {
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, " %s", variant_table[i]->rules.name);
    }
    return usage("unknown variant \"%s\"; there are:%s", name, names);
}

/* Puts out what is still buffered. */
static enum exit_code finish_output(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return EXIT_DONE;
    perror("damagen: standard output");
    return EXIT_ENVIRONMENT;
}

static enum exit_code print_text(const char *text)
{
    if (ranks_own() != 0)
        return EXIT_DONE;
    fputs(text, stdout);
    return finish_output();
}

/* Which run: its variant, and options that do not go together. */
static enum exit_code read_run_options(int argc, char **argv, struct options *options)
{
    if (optind + 1 != argc)
        return usage(optind == argc ? "which variant?" : "one variant only");
    enum exit_code code = read_variant(options, argv[optind]);
    if (code == EXIT_DONE && options->verify + options->plan_only + options->simulate > 1)
        code = usage("--plan, --simulate-ranks and --verify do not go together");
    if (code == EXIT_DONE && options->ranks > 0 && !options->plan_only && !options->simulate)
        code = usage("--ranks goes with --plan; ranks are started by mpirun");
    if (code == EXIT_DONE && !options->verify && options->settings.request.pieces == 0 &&
        options->settings.request.slice_count == 0)
        code = usage("what is to be built? give --pieces or --slice");
    return code;
}

/* What is asked about this machine: any number of variants to calibrate, or the four games. */
static enum exit_code read_machine_options(int argc, char **argv, struct options *options)
{
    if (options->verify || options->plan_only || options->simulate || options->ranks > 0 ||
        options->settings.request.slice_count > 0 || (options->calibrate && options->selftest))
        return usage("--calibrate and --selftest stand alone");
    if (options->selftest && optind < argc)
        return usage("--selftest takes no variant");
    for (; optind < argc; optind++) {
        if (options->game_count == MAX_GAMES)
            return usage("more than %d variants", MAX_GAMES);
        enum exit_code code = read_variant(options, argv[optind]);
        if (code != EXIT_DONE)
            return code;
        options->games[options->game_count++] = options->settings.variant;
    }
    const size_t first_games = 4;
    while (options->game_count < first_games && !options->settings.variant) {
        options->games[options->game_count] = variant_table[options->game_count];
        options->game_count++;
    }
    return EXIT_DONE;
}

/* Fills the options; *done tells that help or version was all that was asked for. */
static enum exit_code read_options(int argc, char **argv, struct options *options, bool *done)
{
    opterr = 0;
    enum exit_code code = EXIT_DONE;
    for (int key; code == EXIT_DONE && (key = getopt_long(argc, argv, "", long_options, NULL)) != -1;) {
        *done = key == OPTION_HELP || key == OPTION_VERSION;
        if (*done)
            return print_text(key == OPTION_HELP ? help : "damagen " DAMA_VERSION "\n");
        code = key == '?' ? usage("\"%s\" is no option, or lacks its argument", argv[optind - 1])
                          : read_option(options, key, optarg);
    }
    if (code != EXIT_DONE)
        return code;
    if (options->calibrate || options->selftest)
        code = read_machine_options(argc, argv, options);
    else
        code = read_run_options(argc, argv, options);
    if (code == EXIT_DONE && !options->settings.work) {
        snprintf(options->work, sizeof options->work, "%s/.work", options->settings.out);
        options->settings.work = options->work;
    }
    if (code == EXIT_DONE && strcmp(options->settings.out, options->settings.work) == 0)
        code = usage("--out and --work cannot be one folder: both have a file called manifest");
    return code;
}

/* -- Memory ------------------------------------------------------------------------------------------------
 */

static enum exit_code refuse(uint64_t needed, const struct options *options)
{
    char need[MEMORY_TEXT_SIZE];
    char have[MEMORY_TEXT_SIZE];
    if (ranks_own() != 0)
        return EXIT_ENVIRONMENT;
    memory_write(needed, need);
    memory_write(options->settings.memory, have);
    fprintf(stderr,
            "damagen: each rank needs %s%s of memory, and there is %s for it (%d on this node%s); use fewer "
            "ranks "
            "a node, fewer pieces, or more memory\n",
            needed == UINT64_MAX ? "more than " : "", need, have, ranks_on_node(),
            options->node_memory ? ", by --memory" : "");
    return EXIT_ENVIRONMENT;
}

/* Sets the memory of a rank; the same on all, since the least of all nodes counts. */
static void share_memory(struct options *options)
{
    uint64_t node = options->node_memory ? options->node_memory : memory_available() / 4 * 3;
    uint64_t share = node / (uint64_t)(options->ranks > 0 ? options->ranks_a_node : ranks_on_node());
    ranks_least(&share, 1);
    options->settings.memory = share;
}

/* -- The run -----------------------------------------------------------------------------------------------
 */

static enum exit_code exit_code_of(enum status status)
{
    switch (status) {
    case STATUS_OK: return EXIT_DONE;
    case STATUS_BAD_ARGUMENT:
    case STATUS_UNKNOWN_VARIANT:
    case STATUS_BAD_SLICE: return EXIT_USAGE;
    case STATUS_NO_MEMORY:
    case STATUS_FILE:
    case STATUS_NO_SPACE:
    case STATUS_TOO_MANY_PIECES:
    case STATUS_TOO_DEEP: return EXIT_ENVIRONMENT;
    case STATUS_INTERRUPTED: return EXIT_STOPPED;
    default: return EXIT_BAD_DATA;
    }
}

static enum exit_code plan_failed(enum status status, struct slice culprit)
{
    char name[SLICE_NAME_SIZE];
    slice_write(culprit, name);
    if (status == STATUS_BAD_SLICE)
        return usage("slice %s cannot be: its pieces have no room on the board", name);
    if (ranks_own() == 0 && status == STATUS_NO_MEMORY)
        fprintf(stderr, "damagen: there is no memory for the plan; ask for fewer pieces\n");
    else if (ranks_own() == 0)
        fprintf(stderr, "damagen: slice %s: %s; ask for fewer pieces\n", name, status_text(status));
    return exit_code_of(status);
}

static const char *calibration_path(struct options *options)
{
    if (options->calibration)
        return options->calibration;
    snprintf(options->default_calibration, sizeof options->default_calibration, "%s/.calibration",
             options->settings.out);
    return options->default_calibration;
}

/* The constants that were asked for, or those that lie with the tables, or the built-in ones. */
static enum exit_code load_model(struct options *options, struct model *model)
{
    static char message[LONG_MESSAGE];
    model_default(model);
    const char *path = calibration_path(options);
    enum status status = model_load(model, path, message);
    if (status == STATUS_OK || (status == STATUS_NO_TABLE && !options->calibration))
        return EXIT_DONE;
    fprintf(stderr, "damagen: %s\n", message);
    return status == STATUS_NO_TABLE ? EXIT_ENVIRONMENT : exit_code_of(status);
}

/* What a run would take, by rank 0. */
static enum exit_code print_plan(const struct plan *plan, struct options *options)
{
    static struct model model;
    const struct settings *settings = &options->settings;
    if (ranks_own() != 0)
        return EXIT_DONE;
    enum exit_code code = load_model(options, &model);
    if (code != EXIT_DONE)
        return code;
    const struct crew crew =
        forecast_crew(plan, settings, options->ranks > 0 ? options->ranks : ranks_count());
    enum status status = STATUS_OK;
    if (options->simulate)
        status = simulate_print(stdout, plan, settings, &model, &crew);
    else
        forecast_print(stdout, plan, settings, &model, &crew);
    if (status == STATUS_OK)
        return finish_output();
    fprintf(stderr, "damagen: %s\n", status_text(status));
    return exit_code_of(status);
}

static enum exit_code run(struct options *options)
{
    struct settings *settings = &options->settings;
    bool only_thought = options->plan_only || options->simulate;
    share_memory(options);
    uint64_t needed = 0;
    if (settings->request.pieces > 0)
        needed = forecast_least_memory(settings);
    if (needed == UINT64_MAX || (needed > settings->memory && !only_thought))
        return refuse(needed, options);
    struct plan *plan;
    struct slice culprit = {0};
    enum status status = ranks_agree(plan_create(settings->variant, &settings->request, &plan, &culprit));
    if (status != STATUS_OK)
        return plan_failed(status, culprit);
    needed = forecast_memory(plan, settings);
    enum exit_code code;
    if (only_thought)
        code = print_plan(plan, options);
    else if (needed > settings->memory)
        code = refuse(needed, options);
    else
        code = exit_code_of(generate(settings, plan));
    plan_destroy(plan);
    return code;
}

static enum exit_code prove(struct options *options)
{
    share_memory(options);
    enum status status = verify(&options->settings);
    return status == STATUS_NO_TABLE ? EXIT_NO_TABLE : exit_code_of(status);
}

/* From here on signals save and end the run, and waiting has an end. */
static void watch_and_stop(const struct options *options)
{
    stop_on_signals();
    if (options->time_left > 0)
        stop_before(options->time_left);
    else
        stop_before_end_of_job();
    watchdog_start(options->watchdog, ranks_own());
}

static enum exit_code measure(struct options *options)
{
    return exit_code_of(
        calibrate(&options->settings, options->games, options->game_count, calibration_path(options)));
}

static enum exit_code test_machine(struct options *options)
{
    int failed;
    share_memory(options);
    enum status status = selftest(&options->settings, &failed);
    if (status != STATUS_OK || failed > 0)
        return EXIT_ENVIRONMENT;
    return finish_output();
}

static enum exit_code carry_out(struct options *options)
{
    if (options->calibrate)
        return measure(options);
    if (options->selftest)
        return test_machine(options);
    return options->verify ? prove(options) : run(options);
}

int main(int argc, char **argv)
{
    static struct options options;
    if (ranks_start(&argc, &argv) != STATUS_OK) {
        fputs("damagen: MPI does not start; see mpirun's messages\n", stderr);
        return EXIT_ENVIRONMENT;
    }
    options.settings.solver = &word_solver;
    options.settings.metric = METRIC_WDL;
    options.settings.ranks = ranks_count();
    options.settings.checkpoint = 30 * 60;
    options.watchdog = 30 * 60;
    options.settings.out = "tables";
    options.settings.request.slices = options.slices;
    kill_points_prepare(ranks_own());
    bool done = false;
    enum exit_code code = read_options(argc, argv, &options, &done);
    if (code == EXIT_DONE && !done)
        watch_and_stop(&options);
    if (code == EXIT_DONE && !done)
        code = carry_out(&options);
    ranks_stop();
    return (int)code;
}
