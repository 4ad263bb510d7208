/* One line a failure. */
#include "complaint.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool told;

bool complained(void)
{
    return told;
}

void complain_plainly(const char *message)
{
    told = true;
    fprintf(stderr, "damagen: %s\n", message);
}

enum status complain(enum status status, const char *form, ...)
{
    int reason = errno;
    va_list arguments;
    told = true;
    fputs("damagen: ", stderr);
    va_start(arguments, form);
    vfprintf(stderr, form, arguments);
    va_end(arguments);
    if (status == STATUS_FILE)
        fprintf(stderr, " (%s)", strerror(reason));
    fputc('\n', stderr);
    return status;
}

enum status complain_of_store(const struct store *store, enum status status)
{
    const char *advice = "mend it and run the same command again";
    if (status == STATUS_NO_SPACE)
        advice = "free some space and run the same command again";
    else if (status == STATUS_DAMAGED || status == STATUS_NO_TABLE)
        advice = "remove the work store: its levels are then restored from tables or built again";
    return complain(status, "%s: %s, as rank %d sees it; %s", store_culprit(store), status_text(status),
                    store_rank(store), advice);
}
