/* Proving the tables of a folder, shared by the ranks. What is proved of a position is proof.h's. */
#ifndef GEN_VERIFY_H
#define GEN_VERIFY_H

#include "settings.h"

/* Proves the tables in OUT/VARIANT: those asked for with all that they depend on, or all there are where
 * nothing is asked for. Messages go to standard error. STATUS_NO_TABLE if one is missing, STATUS_DAMAGED if a
 * position or a count fails or a table is unreadable; the same on all ranks, and for any number of them.
 * Collective. */
enum status verify(const struct settings *settings);

#endif
