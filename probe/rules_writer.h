/* A writer of running text: it breaks lines where they are full and knows the two forms. A topic is a label
 * with sentences; backticks in a sentence are written in Markdown only. What is said is not its matter. */
#ifndef PROBE_RULES_WRITER_H
#define PROBE_RULES_WRITER_H

#include <stdio.h>

/* RULES_PLAIN has lines of at most 79 characters, RULES_MARKDOWN of at most 110, tables aside. */
enum rules_form { RULES_PLAIN, RULES_MARKDOWN };

enum { SAY_SIZE = 640 };

struct writer {
    FILE *out;
    enum rules_form form;
    int indent; /* of a new line */
    int column; /* characters of this line */
};

/* Goes on with whole words, breaking lines where they are full. */
void say_text(struct writer *writer, const char *text);
/* The same with printf's places; at most SAY_SIZE - 1 characters. */
__attribute__((format(printf, 2, 3))) void say(struct writer *writer, const char *format, ...);
void end_line(struct writer *writer);

/* Begins a topic after an empty line. */
void begin_topic(struct writer *writer, const char *label);
/* Begins a paragraph without a label after an empty line. */
void begin_paragraph(struct writer *writer);
/* One item of a numbered list. */
void say_item(struct writer *writer, int number, const char *text);

#endif
