/* Measuring the constants of the model on the machine a run is to have: --calibrate. */
#ifndef GEN_CALIBRATE_H
#define GEN_CALIBRATE_H

#include "settings.h"

#include <stddef.h>

/* Measures the games named, of all ranks at once, in a temporary folder in the settings' work folder, and
 * writes the constants to `path`. The request's number of pieces is what is made of each game; 0: a few
 * seconds' worth. Messages go to standard error. Collective. */
enum status calibrate(const struct settings *settings, const struct variant *const *games, size_t count,
                      const char *path);

/* Seconds that fsync of a file takes in a folder, and putting a small one in the place of another: the
 * slowest of all ranks, each with a file of its own. Collective. */
enum status calibrate_files(const char *folder, double *sync, double *rename);

/* A folder of this run's own in the settings' work folder, on all ranks; the caller calls its end when all
 * are done. Collective. */
enum status temporary_folder_make(const struct settings *settings, const char *name, char *path);
void temporary_folder_end(const char *path);

#endif
