/* When a run has to save and end: a signal, or the end of the time it was given. No MPI: each rank knows for
 * itself, and the ranks agree where they meet. */
#ifndef GEN_STOP_H
#define GEN_STOP_H

#include "status.h"

#include <stdbool.h>

/* Takes SIGTERM and SIGUSR1 as requests to stop. */
void stop_on_signals(void);

/* The run should have ended in so many seconds from now; it stops a tenth of them earlier (a minute at the
 * most), and twice as long as its last save took. */
void stop_before(double seconds);

/* The same from the environment, if a scheduler says there when the job ends (Slurm's SLURM_JOB_END_TIME). */
void stop_before_end_of_job(void);

/* How long it took to save what was finished. */
void stop_note_save(double seconds);

/* True if it is time to stop. Cheap enough to be asked for every block of positions. */
bool stop_wanted(void);

/* Reads a time as squeue and sbatch write it: seconds, MM:SS, HH:MM:SS or D-HH:MM:SS; here a plain number is
 * of seconds. False if it is none. */
bool stop_read_time(const char *text, double *seconds);

#endif
