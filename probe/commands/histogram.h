/* How many positions of a slice have which value and distance: stats --histogram. */
#ifndef COMMANDS_HISTOGRAM_H
#define COMMANDS_HISTOGRAM_H

#include "commands.h"

/* Counts all positions of one member of a pair and prints a row (with options->json an object) for each value
 * and distance that occurs, best values first, shortest distances first. Messages of its own. */
enum exit_code histogram_print(const struct options *options, const struct table_set *set,
                               const struct variant *variant, struct slice slice);

void histogram_print_head(void);

#endif
