/* What a run says when something goes wrong here: one line on standard error for a failure. The run ends for
 * all ranks when they next agree. */
#ifndef GEN_COMPLAINT_H
#define GEN_COMPLAINT_H

#include "store.h"

#include <stdbool.h>

/* Prints the line, with errno's text for STATUS_FILE; returns `status`. */
enum status complain(enum status status, const char *form, ...) __attribute__((format(printf, 2, 3)));

/* Prints a message that says all itself. */
void complain_plainly(const char *message);

/* True if anything was complained of in this process: each failure is told once. */
bool complained(void);

/* The same for a failure to read or write the work store: names the file and says what to do. */
enum status complain_of_store(const struct store *store, enum status status);

#endif
