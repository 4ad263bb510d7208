/* A run without its work: the function that shares out the pieces (share.h) over any number of ranks, with
 * modelled costs instead of solving. It shows balance, messages, and where time is lost. */
#ifndef GEN_SIMULATE_H
#define GEN_SIMULATE_H

#include "model.h"

#include <stdio.h>

/* Goes through the plan with so many ranks, each with so much memory, and prints a line for each number of
 * pieces, and the levels that lose most. */
enum status simulate_print(FILE *output, const struct plan *plan, const struct settings *settings,
                           const struct model *model, const struct crew *crew);

#endif
