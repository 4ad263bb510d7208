/* A whole run: group by group, level by level, then tables. */
#ifndef GEN_GENERATE_H
#define GEN_GENERATE_H

#include "settings.h"

/* Runs the plan. Messages go to standard error; what is returned is the same on all ranks. Collective. */
enum status generate(const struct settings *settings, const struct plan *plan);

#endif
