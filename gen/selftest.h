/* Whether these nodes can do a run: --selftest. */
#ifndef GEN_SELFTEST_H
#define GEN_SELFTEST_H

#include "settings.h"

/* Checks the work folder, locks, memory shared on a node, the network, and a tiny slice; rank 0 prints a line
 * a check on standard output. *failed is how many went wrong; any status but STATUS_OK means that it could
 * not be carried out. Collective. */
enum status selftest(const struct settings *settings, int *failed);

#endif
