/* Messages, exit codes and the reading of arguments, the same for all commands. */
#include "commands.h"

#include "notation.h"
#include "numbering.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum exit_code complain(enum exit_code code, const char *format, ...)
{
    fputs(PROGRAM ": ", stderr);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return code;
}

enum exit_code complain_output(void)
{
    static bool told;
    if (!told)
        complain(EXIT_FILES, "standard output cannot be written: %s; give it another place", strerror(errno));
    told = true;
    return EXIT_FILES;
}

enum exit_code exit_code_of(enum status status)
{
    switch (status) {
    case STATUS_OK: return EXIT_DONE;
    case STATUS_BAD_ARGUMENT:
    case STATUS_UNKNOWN_VARIANT:
    case STATUS_BAD_SLICE: return EXIT_USAGE;
    case STATUS_BAD_NOTATION:
    case STATUS_BAD_POSITION:
    case STATUS_ILLEGAL_MOVE:
    case STATUS_AMBIGUOUS_MOVE:
    case STATUS_NOT_A_TABLE:
    case STATUS_NEWER_FORMAT:
    case STATUS_WRONG_VARIANT:
    case STATUS_WRONG_RULES:
    case STATUS_WRONG_SLICE:
    case STATUS_DAMAGED: return EXIT_BAD_DATA;
    case STATUS_NO_TABLE:
    case STATUS_NOT_CACHED:
    case STATUS_TOO_MANY_MOVES:
    case STATUS_TOO_MANY_PIECES:
    case STATUS_TOO_DEEP: return EXIT_NO_ANSWER;
    case STATUS_NO_MEMORY:
    case STATUS_FILE:
    case STATUS_NO_SPACE: return EXIT_FILES;
    case STATUS_INTERRUPTED: return EXIT_STOPPED;
    }
    return EXIT_FILES;
}

enum exit_code print_json(json_t *object)
{
    if (!object)
        return complain(EXIT_FILES, "out of memory; run it again with more");
    /* A failed write shows in the stream and is told when the program ends. */
    json_dumpf(object, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(object);
    return EXIT_DONE;
}

enum exit_code argument_variant(const char *name, const struct variant **variant)
{
    *variant = variant_named(name);
    if (*variant)
        return EXIT_DONE;
    char names[256] = "";
    for (size_t i = 0, used = 0; i < variant_count && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                 variant_table[i]->rules.name);
    return complain(EXIT_USAGE, "unknown variant \"%s\"; choose one of %s", name, names);
}

enum status read_position(const struct variant *variant, const char *text, struct position *white_view,
                          bool *black_to_move, int *count, char *message)
{
    if (strcmp(text, "start") != 0)
        return fen_read_count(variant, text, white_view, black_to_move, count, message);
    *count = -1;
    *white_view = variant_start(variant);
    *black_to_move = variant->rules.black_begins;
    return STATUS_OK;
}

enum exit_code argument_position(const struct variant *variant, const char *text, struct position *own_view,
                                 bool *black_to_move)
{
    char message[FEN_MESSAGE_SIZE];
    struct position white_view;
    int plies;
    if (read_position(variant, text, &white_view, black_to_move, &plies, message) != STATUS_OK)
        return complain(EXIT_BAD_DATA, "position \"%.200s\": %s", text, message);
    *own_view = *black_to_move ? position_turned(variant->rules.board, &white_view) : white_view;
    return EXIT_DONE;
}

enum exit_code argument_count(const struct options *options, const struct variant *variant)
{
    if (options->count < 0 || variant->rules.limit > 0)
        return EXIT_DONE;
    return complain(EXIT_USAGE,
                    "--count %d: %s has no limit of moves without progress, so nothing is counted; leave "
                    "--count out",
                    options->count, variant->rules.name);
}

enum exit_code argument_slice(const struct variant *variant, const char *text, struct slice *slice)
{
    if (!slice_read(text, slice))
        return complain(EXIT_USAGE,
                        "\"%.40s\" is no slice; write own men and kings, v, the opponent's: 21v10", text);
    uint64_t positions;
    enum status status = numbering_count(variant, *slice, &positions);
    if (status != STATUS_OK)
        return complain(EXIT_USAGE, "slice %s of %s: %s; choose one that fits on the board", text,
                        variant->rules.name, status_text(status));
    return EXIT_DONE;
}

struct position white_view_of(const struct variant *variant, const struct position *own_view,
                              bool black_to_move)
{
    return black_to_move ? position_turned(variant->rules.board, own_view) : *own_view;
}
