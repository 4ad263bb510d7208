/* Walking over the positions of a slice in the order of their numbers, without unranking each. */
#ifndef INDEX_WALK_H
#define INDEX_WALK_H

#include "numbering.h"

struct walk {
    const struct numbering *numbering;
    struct position position; /* the position now */
    uint64_t number;          /* its number */
    uint32_t cell;
    uint64_t men;   /* number of its men in the cell */
    uint64_t kings; /* number of its kings */
    uint64_t free;  /* squares without men */
    struct combination own;
    struct combination opponent;
};

/* Starts at a number below the slice's count of positions. */
void walk_begin(struct walk *walk, const struct numbering *numbering, uint64_t number);

/* Goes to the next position. False after the last. */
bool walk_next(struct walk *walk);

#endif
