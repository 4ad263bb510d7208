/* Another draw limit for a row of the table of variants while a test runs: small ones make the five values
 * occur with few pieces, and the library answers for rows of the table only. */
#ifndef TESTS_ROW_LIMIT_H
#define TESTS_ROW_LIMIT_H

#include "variant.h"

/* Gives the row the limit and returns the one that it had. No other thread may read the row meanwhile. */
uint16_t row_limit_change(const struct variant *row, uint16_t limit);

#endif
