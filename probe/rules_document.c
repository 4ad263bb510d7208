/* Builds docs/rules.md: a table of all variants, what they share, and each of them (rules_text.c). */
#include "rules_document.h"

#include "rules_text.h"
#include "rules_words.h"

/* A word with blanks for its hyphens. */
static void write_spaced(FILE *out, const char *word)
{
    for (; *word; word++)
        fputc(*word == '-' ? ' ' : *word, out);
}

static void write_cell(FILE *out, const char *word)
{
    fputc(' ', out);
    write_spaced(out, word);
    fputs(" |", out);
}

static void write_choice_cell(FILE *out, const struct rules *rules)
{
    const char *between = " ";
    if (rules->choice == CHOICE_FREE)
        fputs(" free", out);
    for (int i = 0; i < CHOICE_RUNGS; i++)
        if (rules->choice & choice_rungs[i]) {
            fputs(between, out);
            write_spaced(out, choice_word(choice_rungs[i]));
            between = ", ";
        }
    fputs(" |", out);
}

static void write_table_row(FILE *out, const struct variant *variant)
{
    const struct rules *rules = &variant->rules;
    char phrase[PHRASE_SIZE];
    const char *name = rules->name;
    fprintf(out, "| [%s](#%s) | %dx%d, %d squares |", name, name, rules->board->columns, rules->board->rows,
            rules->board->squares);
    write_cell(out, directions_phrase(variant, rules->man_steps, phrase));
    write_cell(out, directions_phrase(variant, rules->man_takes, phrase));
    write_cell(out, rules->man_takes_king ? "yes" : "no");
    write_cell(out, rules->flying ? "flying" : "short");
    fprintf(out, " %s |", rules->flying ? landing_word(rules->landing) : "-");
    write_cell(out, rules->gone_now ? "now" : "end");
    fprintf(out, " %s |", !rules->gone_now ? "-" : rules->may_turn ? "yes" : "no");
    write_cell(out, crowned_word(rules->crowned));
    write_choice_cell(out, rules);
    write_cell(out, special_end_word(rules->special_end));
    write_cell(out, zeroing_word(rules->zeroing));
    if (rules->limit)
        fprintf(out, " %d |", rules->limit);
    else
        fputs(" none |", out);
    fprintf(out, " %s | `%s` |\n", rules->black_begins ? "Black" : "White", rules->game_type);
}

static void write_table(FILE *out)
{
    fputs("\n"
          "| variant | board | men go | men take | men take kings | kings | landing | gone | back | crowned "
          "| choice | special end | zeroing | limit | begins | GameType |\n"
          "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- "
          "|\n",
          out);
    for (size_t i = 0; i < variant_count; i++)
        write_table_row(out, variant_table[i]);
}

/* Paragraphs of the document, each a text of any length. */
static void write_paragraphs(struct writer *writer, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        begin_paragraph(writer);
        say_text(writer, texts[i]);
        end_line(writer);
    }
}

static void write_items(struct writer *writer, const char *const *texts, size_t count)
{
    fputc('\n', writer->out);
    for (size_t i = 0; i < count; i++)
        say_item(writer, (int)i + 1, texts[i]);
}

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static const char *const head[] = {
    "What each variant of Damabase decides. This page is generated from the rule table, `index/variants.h`, "
    "by "
    "`damaprobe rules --markdown > docs/rules.md`; a test fails when the two differ. Change the table, not "
    "this page. `damaprobe rules VARIANT` prints one of the variants in the terminal.",
};

static const char *const columns[] = {
    "*Landing*: where a flying king lands behind the piece it takes: on any empty square there, or it must "
    "choose one from which it can take more if there is one. *Gone*: when the pieces taken leave the board, "
    "now "
    "or at the end of the move. *Back*: whether the next jump may go straight back; where the pieces taken "
    "still stand it never can. *Crowned*: a man that reaches the last row inside a capture stops there as a "
    "king, passes on as a man, or goes on as a king. *Choice*: what must be taken, in the order in which it "
    "decides. *Zeroing*: the moves that set the count of moves without progress back to zero. *Limit*: the "
    "count, in moves of both sides together, that makes a draw.",
};

static const char *const shared[] = {
    NO_MOVE_LOSES,
    COMPULSORY " " TO_ITS_END,
    START_IS_EMPTY,
    CROSSED_TWICE " " BLOCKED,
    SAME_MOVE " The path matters for writing only.",
    "No man stands on its last row when a move is over. A position that has one there is refused with a "
    "message; so is one with a man on its own back row, where men start in front of that and never go back.",
    "A board reflected from left to right changes no move and no value, only the names of squares.",
    HISTORY,
};

static const char *const notation[] = {
    "*Squares* have the names that the variant's own section draws: numbers, or letter and number.",
    "*Positions* are FENs, `side:W<list>:B<list>`, with `K` before each king. Written are White's pieces "
    "first, squares in the order of their names, no ranges, no final dot, and an empty list for a side "
    "without "
    "pieces. Read are also: the sides in either order, blanks, a final dot, lower case, ranges of numbers "
    "(`5-8`, a `K` before the range being for all of it), a trailing `:H..:F..` part, and the whole inside "
    "`[FEN \"...\"]`. Where squares have letters, numbers are read as well: they count the squares row by "
    "row "
    "from White's lower left. Anything else is an error that names the place.",
    "*Moves* are `32-28` and `32x23`, by first and last square, unless two moves share these: then the whole "
    "path is written, and where there are several, the one with the lowest squares. Read is any form that "
    "means one move.",
    "*GameType* is the tag by which PDN files name the variant. Sub-variants have that of their game.",
};

static const char *const limits[] = {
    "Some variants end in a draw when a count of moves without progress reaches a limit. Both sides' moves "
    "are "
    "counted; some moves set the count back to zero. The end of the game by a side having no legal move "
    "comes "
    "before the limit.",
    "Tables obey the limit. A value is that of a game which goes on from the position with the count at "
    "zero, "
    "and is one of five. *Win*: within the limit this side can force the end of the game, or a move that "
    "sets "
    "the count back and after which it still wins in time, whatever the other side does. *Cursed win*: it "
    "would win if there were no limit, but the other side can hold out until the count reaches it, now or "
    "after a later move that sets it back; played well the game is a draw. *Draw*: neither side can win even "
    "without a limit. *Blessed loss* and *loss*: the other side's cursed win and win. Without a limit there "
    "are wins, draws and losses only.",
    "The distance of a position, *DTZ*, is the number of moves of both sides to the next one that sets the "
    "count back and keeps the result, or to the end of the game: the least that the winner can force, the "
    "most that the loser can put off. With the count at zero a win or a loss is never farther than the "
    "limit. "
    "With the count at some number, a win still comes in time if that number and the distance together are "
    "not more than the limit. Cursed wins and blessed losses are farther than the limit: either the next "
    "such "
    "move comes too late, or it comes in time and leads to a cursed win again; the second counts one more "
    "than the limit. Draws have no distance.",
};

static void write_section(struct writer *writer, const char *title)
{
    fprintf(writer->out, "\n## %s\n", title);
}

void rules_document_write(FILE *out)
{
    struct writer writer = {.out = out, .form = RULES_MARKDOWN};
    fputs("# Rules\n", out);
    write_paragraphs(&writer, head, COUNT_OF(head));
    write_section(&writer, "1. The table");
    write_table(out);
    write_paragraphs(&writer, columns, COUNT_OF(columns));
    write_section(&writer, "2. True of every variant");
    write_items(&writer, shared, COUNT_OF(shared));
    write_section(&writer, "3. Names of squares, positions, moves");
    write_paragraphs(&writer, notation, COUNT_OF(notation));
    write_section(&writer, "4. The count and the limit");
    write_paragraphs(&writer, limits, COUNT_OF(limits));
    write_section(&writer, "5. The variants");
    for (size_t i = 0; i < variant_count; i++) {
        fputc('\n', out);
        rules_text_write(variant_table[i], RULES_MARKDOWN, out);
    }
}
