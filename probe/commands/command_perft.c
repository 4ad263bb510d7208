/* damaprobe perft: numbers of move sequences, without tables. */
#include "commands.h"

#include "moves.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_DEPTH = 99 };

static enum exit_code read_depth(const char *text, int *depth)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || number < 1 || number > MAX_DEPTH)
        return complain(EXIT_USAGE, "depth \"%.40s\" is none; give a number from 1 to %d", text, MAX_DEPTH);
    *depth = (int)number;
    return EXIT_DONE;
}

static enum exit_code print_count(const struct options *options, int depth, uint64_t count)
{
    enum exit_code code = EXIT_DONE;
    if (options->json)
        code = print_json(json_pack("{s:i, s:I}", "depth", depth, "count", (json_int_t)count));
    else
        printf("%d\t%" PRIu64 "\n", depth, count);
    /* Deep counts take long: show each at once, and stop where nobody can read them. */
    return fflush(stdout) == 0 ? code : complain_output();
}

static enum exit_code run(const struct options *options, int count, char **arguments)
{
    (void)count;
    const struct variant *variant;
    struct position position;
    bool black_to_move;
    int depth = 0;
    enum exit_code code = argument_variant(arguments[0], &variant);
    if (code == EXIT_DONE)
        code = argument_position(variant, arguments[1], &position, &black_to_move);
    if (code == EXIT_DONE)
        code = read_depth(arguments[2], &depth);
    for (int i = 1; i <= depth && code == EXIT_DONE; i++) {
        enum status status = STATUS_OK;
        uint64_t sequences = moves_perft(variant, &position, i, &status);
        if (status != STATUS_OK)
            return complain(exit_code_of(status), "depth %d: %s; give a smaller depth", i,
                            status_text(status));
        code = print_count(options, i, sequences);
    }
    return code;
}

const struct command command_perft = {
    .name = "perft",
    .arguments = "VARIANT FEN DEPTH",
    .summary = "numbers of move sequences",
    .help = "Prints a line a depth from 1: the depth, a tab, the number of sequences of so many legal\n"
            "moves. Captures that lead to the same position are one move. Needs no tables.\n",
    .options = TAKES_JSON,
    .least_arguments = 3,
    .most_arguments = 3,
    .run = run,
};
