/* What the commands of damaprobe share: options, exit codes, messages, reading of arguments, opening of
 * tables. Each command is a file command_*.c; damaprobe.c is the main program. The contract of the outputs
 * and exit codes is docs/manual.md. None of this is thread-safe: the program has one thread. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "damaprobe.h"
#include "library.h"
#include "status.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROGRAM "damaprobe"

/* What `make install` calls the folder for tables that all users share. */
#ifndef DAMABASE_SHARE
#define DAMABASE_SHARE "/usr/local/share/damabase"
#endif

enum exit_code {
    EXIT_DONE = 0,
    EXIT_NO_ANSWER = 1, /* no table */
    EXIT_USAGE = 2,
    EXIT_BAD_DATA = 3, /* position, notation, damaged table */
    EXIT_FILES = 4,    /* files, memory, environment */
    EXIT_STOPPED = 75
};

/* Options a command can take, as a set. --help and --version are for all. */
enum {
    TAKES_PATH = 1,
    TAKES_CACHE = 2,
    TAKES_JSON = 4,
    TAKES_SEED = 8,
    TAKES_MARKDOWN = 16,
    TAKES_VARIANT = 32,
    TAKES_COUNT = 64,
    TAKES_HISTOGRAM = 128,
    TAKES_MOST = 256
};

struct options {
    const char *path;   /* as given, or null */
    size_t cache_bytes; /* 0: the library's default */
    uint64_t seed;
    bool json;
    bool markdown;
    bool histogram;
    uint64_t most;       /* 0: not given */
    const char *variant; /* as given, or null */
    int count;           /* plies without a zeroing move; negative: not given */
};

struct command {
    const char *name;
    const char *arguments; /* for the usage line */
    const char *summary;   /* a line for the list of commands */
    const char *help;      /* whole lines: what it prints and means */
    unsigned options;      /* TAKES_ set */
    int least_arguments;
    int most_arguments; /* negative: any number */
    /* `arguments` has `count` entries and then a null. */
    enum exit_code (*run)(const struct options *options, int count, char **arguments);
};

extern const struct command command_probe;
extern const struct command command_board;
extern const struct command command_moves;
extern const struct command command_perft;
extern const struct command command_line;
extern const struct command command_longest;
extern const struct command command_pdn;
extern const struct command command_rules;
extern const struct command command_stats;
extern const struct command command_list;
extern const struct command command_check;
extern const struct command command_bench;

/* -- Messages and outputs (support.c) ----------------------------------------------------------------------
 */

/* Writes "damaprobe: ..." as a line on standard error and returns the code. */
__attribute__((format(printf, 2, 3))) enum exit_code complain(enum exit_code code, const char *format, ...);

/* Says, the first time, that standard output cannot be written; errno tells why. EXIT_FILES. */
enum exit_code complain_output(void);

/* The exit code of a status that a whole command ends with. */
enum exit_code exit_code_of(enum status status);

/* Writes an object as a line of standard output and gives up its reference. A null object, which is what
 * jansson leaves where memory ran out, is EXIT_FILES with a message. */
enum exit_code print_json(json_t *object);

/* -- Arguments (support.c) --------------------------------------------------------------------------------
 */

/* The variant of that name; EXIT_USAGE with a message that lists the names. */
enum exit_code argument_variant(const char *name, const struct variant **variant);

/* Reads a FEN or `start`, with the statuses and the message (FEN_MESSAGE_SIZE bytes) of fen_read_count.
 * *count is negative if the text has none. */
enum status read_position(const struct variant *variant, const char *text, struct position *white_view,
                          bool *black_to_move, int *count, char *message);

/* EXIT_USAGE with a message if --count was given and the variant has no limit. */
enum exit_code argument_count(const struct options *options, const struct variant *variant);

/* The same for an argument of the command line: writes the message itself. *own_view is turned for Black. */
enum exit_code argument_position(const struct variant *variant, const char *text, struct position *own_view,
                                 bool *black_to_move);

/* Reads the name of a slice that the variant has; EXIT_USAGE with a message. */
enum exit_code argument_slice(const struct variant *variant, const char *text, struct slice *slice);

/* Own's view of a position as White's, and back. */
struct position white_view_of(const struct variant *variant, const struct position *own_view,
                              bool black_to_move);

/* -- Tables (table_path.c) --------------------------------------------------------------------------------
 */

/* The open tables of a command. */
struct table_set {
    dama_tables *handle;
    char *directories; /* colon-separated; empty if there is none anywhere */
};

/* Opens the tables of the first of these that is set or exists: --path, DAMABASE_PATH, ./data/tables,
 * ./tables, the user's and the installed data folder. Messages of its own. The caller closes the set. */
enum exit_code table_set_open(const struct options *options, struct table_set *set);
void table_set_close(struct table_set *set);

enum { REASON_SIZE = 512 };

/* Says why a probe of a position for its value or its distance failed with this status, and what to do: a
 * line that names the table. */
void write_reason(const struct table_set *set, const struct variant *variant, const struct position *own_view,
                  enum status status, char reason[REASON_SIZE]);

/* Says that the table of a slice is in none of the directories, and how to make it: EXIT_NO_ANSWER. */
enum exit_code complain_no_table(const struct table_set *set, const struct variant *variant,
                                 struct slice slice, enum metric metric);

/* The same where the tables of a variant are missing altogether. */
enum exit_code complain_no_tables(const struct table_set *set, const char *what);

#endif
