/* The rules of a variant in words. Everything is said from the fields of the row, never from its name, so
 * that a new row has its words at once. The page of all variants is rules_document.h. */
#ifndef PROBE_RULES_TEXT_H
#define PROBE_RULES_TEXT_H

#include "rules_writer.h"
#include "variant.h"

/* Writes the rules of one variant; its move functions are not used. What cannot be written shows in the
 * stream. Thread-safe. */
void rules_text_write(const struct variant *variant, enum rules_form form, FILE *out);

#endif
