/* The program damaprobe: reads the options and hands over to a command. */
#include "commands.h"

#include "fen.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct command *const commands[] = {
    &command_probe, &command_line,  &command_board,   &command_moves, &command_perft, &command_rules,
    &command_pdn,   &command_stats, &command_longest, &command_list,  &command_check, &command_bench,
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

/* What getopt_long returns for an option. */
enum option_code {
    OPTION_PATH = 256,
    OPTION_CACHE,
    OPTION_JSON,
    OPTION_MARKDOWN,
    OPTION_SEED,
    OPTION_VARIANT,
    OPTION_COUNT,
    OPTION_HISTOGRAM,
    OPTION_MOST,
    OPTIONS_OF_COMMANDS, /* behind it are those that are always there */
    OPTION_HELP = OPTIONS_OF_COMMANDS,
    OPTION_VERSION
};

/* The same as what a command takes, and the names, in the same order. */
static const unsigned takes_of[OPTIONS_OF_COMMANDS - OPTION_PATH] = {
    TAKES_PATH,    TAKES_CACHE, TAKES_JSON,      TAKES_MARKDOWN, TAKES_SEED,
    TAKES_VARIANT, TAKES_COUNT, TAKES_HISTOGRAM, TAKES_MOST};

static const struct option long_options[] = {
    {"path", required_argument, NULL, OPTION_PATH},   {"cache", required_argument, NULL, OPTION_CACHE},
    {"json", no_argument, NULL, OPTION_JSON},         {"markdown", no_argument, NULL, OPTION_MARKDOWN},
    {"seed", required_argument, NULL, OPTION_SEED},   {"variant", required_argument, NULL, OPTION_VARIANT},
    {"count", required_argument, NULL, OPTION_COUNT}, {"histogram", no_argument, NULL, OPTION_HISTOGRAM},
    {"most", required_argument, NULL, OPTION_MOST},   {"help", no_argument, NULL, OPTION_HELP},
    {"version", no_argument, NULL, OPTION_VERSION},   {NULL, 0, NULL, 0},
};

/* A command line as it was read. */
struct command_line {
    struct options options;
    unsigned given; /* TAKES_ set */
    bool help;
    bool version;
};

/* -- Help ------------------------------------------------------------------------------------------------ */

static void print_option_help(unsigned takes)
{
    if (takes & TAKES_PATH)
        puts("  --path DIRS   directories of tables, separated by colons; an earlier one wins\n"
             "                (else the first that is set or exists: DAMABASE_PATH, ./data/tables,\n"
             "                ./tables, $XDG_DATA_HOME/damabase, " DAMABASE_SHARE ")");
    if (takes & TAKES_CACHE)
        puts("  --cache SIZE  memory for decoded blocks: bytes, or with K, M or G; 64M if not said");
    if (takes & TAKES_SEED)
        puts("  --seed N      another choice of random positions");
    if (takes & TAKES_VARIANT)
        puts("  --variant NAME\n"
             "                the variant of all games, whatever their tags say");
    if (takes & TAKES_COUNT)
        puts("  --count N     plies without a zeroing move so far, for games with a draw limit; it comes\n"
             "                before what a FEN says with :H");
    if (takes & TAKES_HISTOGRAM)
        puts("  --histogram   positions by value and distance");
    if (takes & TAKES_MOST)
        puts("  --most N      at most so many positions of a value; 20 if not said");
    if (takes & TAKES_JSON)
        puts("  --json        one JSON object a line");
    if (takes & TAKES_MARKDOWN)
        puts("  --markdown    Markdown, as docs/rules.md has it");
    puts("  --help        this text");
}

static void print_help(void)
{
    puts("usage: " PROGRAM " COMMAND [ARGUMENT...] [OPTION...]\n"
         "\n"
         "Answers questions about draughts positions from Damabase's endgame tables.\n");
    for (int i = 0; i < COMMANDS; i++)
        printf("  %-7s %-18s %s\n", commands[i]->name, commands[i]->arguments, commands[i]->summary);
    puts("\noptions:");
    print_option_help(TAKES_PATH | TAKES_CACHE | TAKES_JSON);
    puts("  --version     version of the program\n"
         "\n"
         "`" PROGRAM " COMMAND --help` says more. A FEN is like W:W32,K31:B1,K5, or the word start.\n"
         "Exit codes: 0 answered, 1 no answer (no table), 2 usage, 3 bad data (position, notation,\n"
         "damaged table), 4 files, memory or environment.");
}

static void print_command_help(const struct command *command)
{
    printf("usage: " PROGRAM " %s%s%s [OPTION...]\n\n%s\noptions:\n", command->name,
           *command->arguments ? " " : "", command->arguments, command->help);
    print_option_help(command->options);
}

/* -- Reading the command line ------------------------------------------------------------------------------
 */

/* Reads a size such as 4096, 64K, 512M or 2G. False if it is none, zero or more than memory can be. */
static bool read_size(const char *text, size_t *size)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || errno != 0 || number == 0)
        return false;
    int shift = 0;
    if (*end != '\0') {
        static const char units[] = {'K', 'M', 'G'};
        const char *unit = memchr(units, *end & ~0x20, sizeof units);
        if (!unit || end[1] != '\0')
            return false;
        shift = 10 * (int)(unit - units + 1);
    }
    *size = (size_t)number << shift;
    return *size >> shift == number;
}

static bool read_number(const char *text, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && errno == 0 && *end == '\0';
}

/* Reads a count of plies. */
static bool read_count(const char *text, int *count)
{
    uint64_t number;
    if (!read_number(text, &number) || number > FEN_MOST_COUNT)
        return false;
    *count = (int)number;
    return true;
}

/* The options that are numbers. */
static enum exit_code read_number_option(int code, const char *argument, struct options *options)
{
    if (code == OPTION_CACHE && !read_size(argument, &options->cache_bytes))
        return complain(EXIT_USAGE, "--cache %.40s is no size; write for example --cache 256M", argument);
    if (code == OPTION_COUNT && !read_count(argument, &options->count))
        return complain(EXIT_USAGE, "--count %.40s is no number of plies; write for example --count 12",
                        argument);
    if (code == OPTION_MOST && (!read_number(argument, &options->most) || options->most == 0))
        return complain(EXIT_USAGE, "--most %.40s is no number from 1; write for example --most 50",
                        argument);
    if (code == OPTION_SEED && !read_number(argument, &options->seed))
        return complain(EXIT_USAGE, "--seed %.40s is no number; write for example --seed 7", argument);
    return EXIT_DONE;
}

static enum exit_code read_option(int code, const char *argument, struct command_line *line)
{
    if (code < OPTIONS_OF_COMMANDS)
        line->given |= takes_of[code - OPTION_PATH];
    switch (code) {
    case OPTION_HELP: line->help = true; break;
    case OPTION_VERSION: line->version = true; break;
    case OPTION_PATH: line->options.path = argument; break;
    case OPTION_JSON: line->options.json = true; break;
    case OPTION_MARKDOWN: line->options.markdown = true; break;
    case OPTION_HISTOGRAM: line->options.histogram = true; break;
    case OPTION_VARIANT: line->options.variant = argument; break;
    default: return read_number_option(code, argument, &line->options);
    }
    return EXIT_DONE;
}

static enum exit_code read_options(int count, char **arguments, struct command_line *line)
{
    opterr = 0;
    int code;
    while ((code = getopt_long(count, arguments, ":", long_options, NULL)) != -1) {
        if (code == ':')
            return complain(EXIT_USAGE, "%s needs a value; see " PROGRAM " --help", arguments[optind - 1]);
        if (code == '?')
            return complain(EXIT_USAGE, "unknown option %.40s; see " PROGRAM " --help",
                            arguments[optind - 1]);
        enum exit_code outcome = read_option(code, optarg, line);
        if (outcome != EXIT_DONE)
            return outcome;
    }
    return EXIT_DONE;
}

static const struct command *command_named(const char *name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static enum exit_code run(const struct command *command, const struct command_line *line, int count,
                          char **arguments)
{
    if (line->help) {
        print_command_help(command);
        return EXIT_DONE;
    }
    for (int i = 0; i < OPTIONS_OF_COMMANDS - OPTION_PATH; i++)
        if (line->given & takes_of[i] & ~command->options)
            return complain(EXIT_USAGE, "%s has no option --%s; see " PROGRAM " %s --help", command->name,
                            long_options[i].name, command->name);
    if (count < command->least_arguments || (command->most_arguments >= 0 && count > command->most_arguments))
        return complain(EXIT_USAGE, "%s takes %s, not %d argument%s; see " PROGRAM " %s --help",
                        command->name, *command->arguments ? command->arguments : "no argument", count,
                        count == 1 ? "" : "s", command->name);
    return command->run(&line->options, count, arguments);
}

static enum exit_code run_line(int count, char **arguments)
{
    struct command_line line = {.options = {.seed = 1, .count = -1}};
    enum exit_code code = read_options(count, arguments, &line);
    if (code != EXIT_DONE)
        return code;
    if (line.version) {
        printf(PROGRAM " %s\n", dama_version());
        return EXIT_DONE;
    }
    if (optind == count && line.help) {
        print_help();
        return EXIT_DONE;
    }
    if (optind == count)
        return complain(EXIT_USAGE, "no command was given; see " PROGRAM " --help");
    const struct command *command = command_named(arguments[optind]);
    if (!command)
        return complain(EXIT_USAGE, "unknown command \"%.40s\"; see " PROGRAM " --help", arguments[optind]);
    return run(command, &line, count - optind - 1, arguments + optind + 1);
}

int main(int count, char **arguments)
{
    enum exit_code code = run_line(count, arguments);
    /* What failed before fails again, unless it was told already. */
    if (fflush(stdout) != 0 || ferror(stdout))
        code = complain_output();
    return (int)code;
}
