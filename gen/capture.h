/* What a position with a capture is worth: the best of its captures, looked up among finished positions. */
#ifndef GEN_CAPTURE_H
#define GEN_CAPTURE_H

#include "moves.h"
#include "values.h"

/* Room for the captures of one position, and the first failure. Large: keep it off small stacks. */
struct capture_search {
    const struct variant *variant;
    struct values *values;
    bool overflowed; /* some position had more captures than a list holds */
    struct move_list list;
};

void capture_search_begin(struct capture_search *search, const struct variant *variant,
                          struct values *values);

/* Value of a position in which own has a capture; it tells the distance too (distance_of_captures). */
enum value capture_value(struct capture_search *search, const struct position *position);

/* The first failure of the search or of its look-ups. */
enum status capture_search_status(const struct capture_search *search);

#endif
