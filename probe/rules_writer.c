/* Breaks sentences into lines and marks topics, for the terminal or in Markdown. */
#include "rules_writer.h"

#include <stdarg.h>
#include <string.h>

enum { PLAIN_WIDTH = 79, MARKDOWN_WIDTH = 110 };

static void write_word(struct writer *writer, const char *word, int length)
{
    int width = writer->form == RULES_PLAIN ? PLAIN_WIDTH : MARKDOWN_WIDTH;
    if (writer->column == 0)
        writer->column = fprintf(writer->out, "%*s", writer->indent, "");
    else if (writer->column > writer->indent && writer->column + 1 + length > width)
        writer->column = fprintf(writer->out, "\n%*s", writer->indent, "") - 1;
    else if (writer->column > writer->indent)
        writer->column += fprintf(writer->out, " ");
    for (int i = 0; i < length; i++)
        if (word[i] != '`' || writer->form == RULES_MARKDOWN) {
            fputc(word[i], writer->out);
            writer->column++;
        }
}

void say_text(struct writer *writer, const char *text)
{
    while (*(text += strspn(text, " "))) {
        int length = (int)strcspn(text, " ");
        write_word(writer, text, length);
        text += length;
    }
}

void say(struct writer *writer, const char *format, ...)
{
    char text[SAY_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    say_text(writer, text);
}

void end_line(struct writer *writer)
{
    fputc('\n', writer->out);
    writer->column = 0;
}

void begin_topic(struct writer *writer, const char *label)
{
    writer->indent = 0;
    if (writer->form == RULES_PLAIN) {
        fprintf(writer->out, "\n%s\n", label);
        writer->indent = 2;
    } else {
        writer->column = fprintf(writer->out, "\n**%s.**", label) - 1;
    }
}

void begin_paragraph(struct writer *writer)
{
    writer->indent = writer->form == RULES_PLAIN ? 2 : 0;
    fputc('\n', writer->out);
}

void say_item(struct writer *writer, int number, const char *text)
{
    char mark[16];
    writer->indent = writer->form == RULES_PLAIN ? 2 : 0;
    int length = snprintf(mark, sizeof mark, "%d.", number);
    write_word(writer, mark, length);
    writer->indent += length + 1;
    fputc(' ', writer->out);
    writer->column++;
    say_text(writer, text);
    end_line(writer);
}
