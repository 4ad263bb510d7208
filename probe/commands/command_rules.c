/* damaprobe rules: a variant's row of the rule table in words, as JSON, or all of them as docs/rules.md. */
#include "commands.h"

#include "rules_document.h"
#include "rules_text.h"
#include "rules_words.h"

#include <inttypes.h>
#include <stdio.h>

enum { FINGERPRINT_SIZE = 17 }; /* 16 hexadecimal digits and the final zero */

static json_t *directions_of(const struct variant *variant, unsigned directions)
{
    json_t *words = json_array();
    for (int direction = 0; direction < DIRECTIONS; direction++)
        if (directions >> direction & 1)
            json_array_append_new(words, json_string(direction_word(variant, direction)));
    return words;
}

static json_t *choice_of(const struct rules *rules)
{
    json_t *words = json_array();
    for (int i = 0; i < CHOICE_RUNGS; i++)
        if (rules->choice & choice_rungs[i])
            json_array_append_new(words, json_string(choice_word(choice_rungs[i])));
    return words;
}

/* The fields that say how the board lies and how the game begins. Rows count from 1. */
static json_t *board_fields(const struct rules *rules)
{
    const struct board *board = rules->board;
    return json_pack("{s:s, s:i, s:i, s:i, s:b, s:b, s:s, s:s, s:i, s:i, s:i}", "variant", rules->name,
                     "columns", board->columns, "rows", board->rows, "squares", board->squares, "orthogonal",
                     board->orthogonal, "lower_left_played", rules->lower_left_played, "square_names",
                     square_names_word(rules->names), "begins", rules->black_begins ? "black" : "white",
                     "start_first_row", rules->start_first_row + 1, "start_last_row",
                     rules->start_first_row + rules->start_rows, "man_first_row", rules->man_first_row + 1);
}

static json_t *move_fields(const struct variant *variant)
{
    const struct rules *rules = &variant->rules;
    return json_pack("{s:o, s:o, s:b, s:b, s:s, s:b, s:b, s:s, s:o, s:s, s:s, s:i}", "man_steps",
                     directions_of(variant, rules->man_steps), "man_takes",
                     directions_of(variant, rules->man_takes), "man_takes_king", rules->man_takes_king,
                     "flying", rules->flying, "landing", landing_word(rules->landing), "gone_now",
                     rules->gone_now, "may_turn", rules->may_turn, "crowned", crowned_word(rules->crowned),
                     "choice", choice_of(rules), "special_end", special_end_word(rules->special_end),
                     "zeroing", zeroing_word(rules->zeroing), "limit", (int)rules->limit);
}

static json_t *text_fields(const struct variant *variant)
{
    const struct rules *rules = &variant->rules;
    char sign[2] = {rules->capture_sign, '\0'};
    char fingerprint[FINGERPRINT_SIZE];
    snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, variant_fingerprint(variant));
    return json_pack("{s:s, s:s, s:s, s:s?, s:s, s:s}", "capture_sign", sign, "game_type", rules->game_type,
                     "fingerprint", fingerprint, "lender", rules->lender, "summary", rules->summary, "source",
                     rules->source);
}

static enum exit_code print_object(const struct variant *variant)
{
    json_t *object = board_fields(&variant->rules);
    json_t *moves = move_fields(variant);
    json_t *texts = text_fields(variant);
    /* Null where memory ran out, which these then refuse. */
    bool complete = json_object_update(object, moves) == 0 && json_object_update(object, texts) == 0;
    json_decref(moves);
    json_decref(texts);
    if (complete)
        return print_json(object);
    json_decref(object);
    return print_json(NULL);
}

static enum exit_code print_all(const struct options *options)
{
    enum exit_code code = EXIT_DONE;
    if (options->markdown) {
        rules_document_write(stdout);
        return EXIT_DONE;
    }
    if (!options->json)
        return complain(EXIT_USAGE, "rules takes VARIANT, not 0 arguments, unless with --json or --markdown; "
                                    "see " PROGRAM " rules --help");
    for (size_t i = 0; i < variant_count && code == EXIT_DONE; i++)
        code = print_object(variant_table[i]);
    return code;
}

static enum exit_code run(const struct options *options, int count, char **arguments)
{
    if (options->json && options->markdown)
        return complain(EXIT_USAGE, "--json and --markdown are two forms; choose one of them");
    if (count == 0)
        return print_all(options);
    const struct variant *variant;
    enum exit_code code = argument_variant(arguments[0], &variant);
    if (code != EXIT_DONE)
        return code;
    if (options->json)
        return print_object(variant);
    rules_text_write(variant, options->markdown ? RULES_MARKDOWN : RULES_PLAIN, stdout);
    return EXIT_DONE;
}

const struct command command_rules = {
    .name = "rules",
    .arguments = "[VARIANT]",
    .summary = "rules of a variant in words",
    .help =
        "Prints the rules of a variant: board and names of squares, how men and kings move and take, what\n"
        "must be taken, the last row, the end of the game, what zeroes the count, notation, and where\n"
        "each decision comes from. With --json its fields. Without VARIANT, --json prints all variants\n"
        "and --markdown the whole of docs/rules.md.\n",
    .options = TAKES_JSON | TAKES_MARKDOWN,
    .least_arguments = 0,
    .most_arguments = 1,
    .run = run,
};
