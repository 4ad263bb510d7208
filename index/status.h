/* The outcome of every call that can fail, inside the program. One cause, one code.
 * The public header has the same numbers under public names (probe/library.c asserts it). */
#ifndef INDEX_STATUS_H
#define INDEX_STATUS_H

enum status {
    STATUS_OK = 0,
    STATUS_NO_MEMORY = 10,
    STATUS_BAD_ARGUMENT = 20, /* a null pointer, a size that cannot be */
    STATUS_UNKNOWN_VARIANT = 21,
    STATUS_BAD_SLICE = 22,    /* not a slice of this variant */
    STATUS_BAD_NOTATION = 30, /* a FEN or move text that cannot be read */
    STATUS_BAD_POSITION = 31, /* pieces overlap, or a man where none can stand */
    STATUS_ILLEGAL_MOVE = 32,
    STATUS_AMBIGUOUS_MOVE = 33,
    STATUS_TOO_MANY_MOVES = 34,  /* more distinct moves than a list holds */
    STATUS_NO_TABLE = 40,        /* the table is on none of the paths */
    STATUS_NOT_CACHED = 41,      /* the no-I/O flag was given and the block is not in memory */
    STATUS_TOO_MANY_PIECES = 42, /* beyond every table there can be */
    STATUS_TOO_DEEP = 43,        /* a distance beyond what tables can hold */
    STATUS_NOT_A_TABLE = 50,     /* no table of ours: magic or length of the header */
    STATUS_NEWER_FORMAT = 51,    /* written by a newer version */
    STATUS_WRONG_VARIANT = 52,   /* the file says another variant */
    STATUS_WRONG_RULES = 53,     /* same name, other rules (fingerprint) */
    STATUS_WRONG_SLICE = 54,     /* the file says another slice or metric: renamed */
    STATUS_DAMAGED = 55,         /* a length or checksum does not fit */
    STATUS_FILE = 60,            /* the system refused to open, read or write; errno tells */
    STATUS_NO_SPACE = 61,        /* the disk is full */
    STATUS_INTERRUPTED = 70      /* stopped on request */
};

/* A short text in English for a status; never null. Thread-safe. */
const char *status_text(enum status status);

#endif
