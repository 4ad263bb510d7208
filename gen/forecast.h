/* What a run will need, before it is started: for --plan and for refusing what cannot be done. */
#ifndef GEN_FORECAST_H
#define GEN_FORECAST_H

#include "model.h"

#include <stdio.h>

enum { LEAST_CACHE = 8 << 20 }; /* bytes of decoded chunks that a rank keeps at the least */

/* Bytes that a rank needs for the plan at the least, whatever else it could use for caching, if it solves
 * every unit alone. */
uint64_t forecast_memory(const struct plan *plan, const struct settings *settings);

/* So many ranks, and what memory each has for units: what the settings allow but for all else it needs. */
struct crew forecast_crew(const struct plan *plan, const struct settings *settings, int ranks);

/* Prints what would be built: slices, positions, levels, memory, disk, network, time. */
void forecast_print(FILE *output, const struct plan *plan, const struct settings *settings,
                    const struct model *model, const struct crew *crew);

/* Memory that the largest unit of kings alone takes in slices of as many pieces as asked for, without making
 * the plan, which for absurd numbers of pieces would itself not fit. UINT64_MAX if the count does not fit
 * into 64 bits.
 */
uint64_t forecast_least_memory(const struct settings *settings);

#endif
