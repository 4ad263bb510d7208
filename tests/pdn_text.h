/* PDN from memory, for the tests that read it. */
#ifndef TESTS_PDN_TEXT_H
#define TESTS_PDN_TEXT_H

#include "pdn_game.h"

/* A text that is handed over in pieces of at most `piece` bytes. */
struct memory {
    const char *next;
    size_t left;
    size_t piece;
};

struct memory memory_of(const char *text, size_t length);
struct pdn_source source_of(struct memory *memory);

/* A player that reads the memory; to be freed. */
struct pdn_player *player_of(struct memory *memory, const struct variant *chosen);

/* The variant of that name; the test fails if there is none. */
const struct variant *variant_of(const char *name);

#endif
