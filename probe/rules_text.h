/* The rules of a variant in words, for the terminal and for docs/rules.md. Everything is said from the fields
 * of the row, never from its name, so that a new row has its words at once. */
#ifndef PROBE_RULES_TEXT_H
#define PROBE_RULES_TEXT_H

#include "variant.h"

#include <stdio.h>

/* RULES_PLAIN has lines of at most 79 characters, RULES_MARKDOWN of at most 110, tables aside. */
enum rules_form { RULES_PLAIN, RULES_MARKDOWN };

/* Writes the rules of one variant; its move functions are not used. What cannot be written shows in the
 * stream. Thread-safe. */
void rules_text_write(const struct variant *variant, enum rules_form form, FILE *out);

/* Writes the whole of docs/rules.md: a table of all variants, what they share, and each of them. */
void rules_document_write(FILE *out);

/* -- One word a value, as in --json ------------------------------------------------------------------------
 * Hyphens stand between the parts of a word. */

const char *landing_word(enum landing landing);
const char *crowned_word(enum crowned crowned);
const char *special_end_word(enum special_end special_end);
const char *zeroing_word(enum zeroing zeroing);
const char *square_names_word(enum square_names names);
/* Of a single rung of enum choice, CHOICE_FREE too. */
const char *choice_word(enum choice rung);
/* Of a direction of the board, as the side that moves sees it on the variant's real board. */
const char *direction_word(const struct variant *variant, int direction);

/* The rungs in the order in which they decide. */
enum { CHOICE_RUNGS = 5 };
extern const enum choice choice_rungs[CHOICE_RUNGS];

#endif
