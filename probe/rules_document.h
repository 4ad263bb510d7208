/* The page of all rules, docs/rules.md. */
#ifndef PROBE_RULES_DOCUMENT_H
#define PROBE_RULES_DOCUMENT_H

#include <stdio.h>

/* Writes the whole page in Markdown: a table of all variants, what they share, and each of them. */
void rules_document_write(FILE *out);

#endif
