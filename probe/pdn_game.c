/* Playing through: an event an item, the first one after the tags. Everything that can be wrong in a game and
 * is not a matter of its text alone is found here. */
#include "pdn_game.h"

#include "notation.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOVES_NAMED = 6 }; /* in a message */

/* -- Messages -------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static enum pdn_event
faulty(struct pdn_player *player, struct pdn_place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(player->message, sizeof player->message, format, arguments);
    va_end(arguments);
    player->fault_place = place;
    if (player->item.kind != PDN_GAME_END)
        pdn_pass_over(&player->reader);
    return PDN_GAME_IS_FAULTY;
}

/* Appends to a message as much as there is room for. */
__attribute__((format(printf, 2, 3))) static void add(char message[PDN_MESSAGE_SIZE], const char *format, ...)
{
    size_t used = strlen(message);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message + used, PDN_MESSAGE_SIZE - used, format, arguments);
    va_end(arguments);
}

/* -- Tags ------------------------------------------------------------------------------------------------ */

/* The standard has "?" and an empty text for what is not known. */
static bool is_known(const char *header)
{
    return header[0] != '\0' && strcmp(header, "?") != 0;
}

/* Copies what there is room for, without a part of a character of UTF-8 at the end. */
static void copy_header(char *to, size_t size, const char *from)
{
    size_t length = strnlen(from, size);
    if (length == size) {
        for (length--; length > 0 && (from[length] & 0xc0) == 0x80;)
            length--;
    }
    memcpy(to, from, length);
    to[length] = '\0';
}

/* Keeps the tags that matter; of several with one name the first. */
static void take_tag(struct pdn_player *player)
{
    struct pdn_headers *headers = &player->headers;
    const struct {
        const char *name;
        char *text;
        size_t size;
        struct pdn_place *place;
    } kept[] = {
        {"Event", headers->event, PDN_HEADER_SIZE, NULL},
        {"White", headers->white, PDN_HEADER_SIZE, NULL},
        {"Black", headers->black, PDN_HEADER_SIZE, NULL},
        {"Result", headers->result, PDN_HEADER_SIZE, NULL},
        {"GameType", headers->game_type, PDN_HEADER_SIZE, &headers->game_type_place},
        {"FEN", headers->fen, PDN_TEXT_SIZE, &headers->fen_place},
    };
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        if (strcasecmp(player->item.name, kept[i].name) != 0 || is_known(kept[i].text) ||
            !is_known(player->item.text))
            continue;
        copy_header(kept[i].text, kept[i].size, player->item.text);
        if (kept[i].place)
            *kept[i].place = player->item.place;
    }
}

/* -- The variant ----------------------------------------------------------------------------------------- */

/* Reads the number at the start of a GameType, behind which it ends or a blank or a comma stands. */
static bool read_game_type(const char *text, unsigned long *number)
{
    char *end;
    *number = strtoul(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && (*end == '\0' || strchr(", \t", *end));
}

static unsigned long game_type_number(const struct variant *variant)
{
    return strtoul(variant->rules.game_type, NULL, 10);
}

/* True if the texts are the same but for blanks and case. */
static bool same_game_type(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " \t");
        b += strspn(b, " \t");
        if (strncasecmp(a, b, 1) != 0)
            return false;
        if (*a == '\0')
            return true;
    }
}

/* The first row of the number, or null. */
static const struct variant *variant_of_game_type(unsigned long number)
{
    for (size_t i = 0; i < variant_count; i++)
        if (game_type_number(variant_table[i]) == number)
            return variant_table[i];
    return NULL;
}

/* Finds the row that the tags ask for, or null and a fault. */
static const struct variant *variant_by_tag(struct pdn_player *player, bool is_number, unsigned long number)
{
    struct pdn_place place = player->headers.game_type_place;
    const struct variant *variant = is_number ? variant_of_game_type(number) : NULL;
    if (!is_number)
        faulty(player, place, "the GameType \"%.100s\" does not begin with a number",
               player->headers.game_type);
    else if (!variant)
        faulty(player, place, "no variant here has the GameType %lu", number);
    return variant;
}

/* Sets the variant, with a note where the tag says something else. False with a fault if there is none. */
static bool choose_variant(struct pdn_player *player)
{
    const char *text = player->headers.game_type;
    unsigned long number = PDN_DEFAULT_GAME_TYPE;
    bool is_number = !is_known(text) || read_game_type(text, &number);
    player->variant = player->chosen ? player->chosen : variant_by_tag(player, is_number, number);
    if (!player->variant)
        return false;
    const struct rules *rules = &player->variant->rules;
    if (!is_known(text)) {
        if (!player->chosen)
            add(player->note, "no GameType is given, which by the PDN standard means %s", rules->name);
    } else if (!is_number || number != game_type_number(player->variant)) {
        add(player->note, "the GameType \"%.100s\" is not that of %s, which is \"%s\"", text, rules->name,
            rules->game_type);
    } else if (strchr(text, ',') && !same_game_type(text, rules->game_type)) {
        add(player->note, "the GameType \"%.100s\" differs from \"%s\", as which %s is read", text,
            rules->game_type, rules->name);
    }
    return true;
}

/* -- Positions ------------------------------------------------------------------------------------------- */

static bool set_position(struct pdn_player *player, const char *fen, struct pdn_place place)
{
    char message[FEN_MESSAGE_SIZE];
    struct position white_view;
    if (fen_read(player->variant, fen, &white_view, &player->black_to_move, message) != STATUS_OK) {
        faulty(player, place, "the FEN \"%.*s\" of %s: %s", FEN_READ_LIMIT, fen, player->variant->rules.name,
               message);
        return false;
    }
    player->own_view =
        player->black_to_move ? position_turned(player->variant->rules.board, &white_view) : white_view;
    player->has_position = true;
    return true;
}

static bool set_first_position(struct pdn_player *player)
{
    if (is_known(player->headers.fen))
        return set_position(player, player->headers.fen, player->headers.fen_place);
    /* The start is the same for both sides. */
    player->own_view = variant_start(player->variant);
    player->black_to_move = player->variant->rules.black_begins;
    player->has_position = true;
    return true;
}

/* -- Moves ----------------------------------------------------------------------------------------------- */

/* The side that has the first move of a numbered pair. */
static bool begins_pair(const struct variant *variant, bool black)
{
    return black == variant->rules.black_begins;
}

static void count_move(struct pdn_player *player)
{
    if (player->item.number > 0)
        player->number = player->item.number;
    else if (player->number == 0 || begins_pair(player->variant, player->black_to_move))
        player->number++;
    player->by_black = player->black_to_move;
}

void pdn_label_write(const struct pdn_player *player, char label[PDN_LABEL_SIZE])
{
    bool first = player->variant && begins_pair(player->variant, player->by_black);
    snprintf(label, PDN_LABEL_SIZE, "%llu%s", player->number, first ? "." : "...");
}

static void add_move(struct pdn_player *player, int index, bool first)
{
    char text[MOVE_TEXT_SIZE];
    move_write(player->variant, &player->legal, &player->paths, index, player->by_black, text);
    add(player->message, "%s%s", first ? "" : ", ", text);
}

/* Names the legal moves that the text may mean, or all. */
static void add_moves(struct pdn_player *player, bool meant)
{
    int count = 0;
    for (int i = 0; i < player->legal.count; i++) {
        int index;
        player->single.count = 1;
        player->single.moves[0] = player->legal.moves[i];
        player->single_path.of[0] = player->paths.of[i];
        if (meant && move_read(player->variant, &player->single, &player->single_path, player->by_black,
                               player->text, &index) != STATUS_OK)
            continue;
        if (count == MOVES_NAMED)
            add(player->message, ", ...");
        if (count < MOVES_NAMED)
            add_move(player, i, count == 0);
        count++;
    }
}

static enum pdn_event faulty_move(struct pdn_player *player, enum status status)
{
    char label[PDN_LABEL_SIZE];
    pdn_label_write(player, label);
    const char *side = player->by_black ? "Black" : "White";
    faulty(player, player->item.place, "%s %s", label, player->text);
    if (status == STATUS_AMBIGUOUS_MOVE) {
        add(player->message, " is ambiguous: it may be ");
        add_moves(player, true);
    } else if (status != STATUS_BAD_NOTATION && status != STATUS_ILLEGAL_MOVE) {
        add(player->message, " cannot be read: %s", status_text(status));
    } else if (player->legal.count == 0) {
        add(player->message, " comes after the end of the game: %s has no move", side);
    } else {
        if (status == STATUS_BAD_NOTATION)
            add(player->message, " is no move of %s", player->variant->rules.name);
        add(player->message, "%s; %s may play ", status == STATUS_ILLEGAL_MOVE ? " is not legal" : "", side);
        add_moves(player, false);
    }
    return PDN_GAME_IS_FAULTY;
}

static enum pdn_event play_move(struct pdn_player *player)
{
    const struct variant *variant = player->variant;
    count_move(player);
    player->before = player->own_view;
    player->move[0] = '\0';
    snprintf(player->text, sizeof player->text, "%s", player->item.text);
    enum status status =
        moves_sorted(variant, &player->before, player->by_black, &player->legal, &player->paths);
    if (status == STATUS_OK)
        status = move_read(variant, &player->legal, &player->paths, player->by_black, player->text,
                           &player->index);
    if (status != STATUS_OK)
        return faulty_move(player, status);
    move_write(variant, &player->legal, &player->paths, player->index, player->by_black, player->move);
    player->own_view = position_after(variant, &player->before, &player->legal.moves[player->index]);
    player->black_to_move = !player->by_black;
    player->plies++;
    return PDN_GAME_MOVES;
}

/* -- The end --------------------------------------------------------------------------------------------- */

/* The same result of either family, that of international draughts. Any other text is itself. */
static const char *doubled_result(const char *result)
{
    static const char *const pairs[][2] = {{"1-0", "2-0"}, {"1/2-1/2", "1-1"}, {"0-1", "0-2"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (strcmp(result, pairs[i][0]) == 0)
            return pairs[i][1];
    return result;
}

/* The tag's result counts; what ends the moves may be no more than a separator. */
static enum pdn_event end_game(struct pdn_player *player)
{
    const char *end = player->item.text;
    bool by_tag = is_known(player->headers.result) && strcmp(player->headers.result, "*") != 0;
    if (by_tag && *end && strcmp(end, "*") != 0 &&
        strcmp(doubled_result(player->headers.result), doubled_result(end)) != 0)
        add(player->note, "the tag says the result %.100s, the moves end with %s", player->headers.result,
            end);
    snprintf(player->result, sizeof player->result, "%s", by_tag || !*end ? player->headers.result : end);
    player->begun = false;
    return PDN_GAME_ENDS;
}

/* -- Events ---------------------------------------------------------------------------------------------- */

static void new_game(struct pdn_player *player)
{
    player->game++;
    player->place = player->item.place;
    player->variant = NULL;
    player->has_position = false;
    memset(&player->headers, 0, sizeof player->headers);
    player->result[0] = '\0';
    player->plies = 0;
    player->number = 0;
    player->by_black = false;
    player->text[0] = '\0';
    player->move[0] = '\0';
    player->message[0] = '\0';
}

/* Reads the tags up to the item after them. */
static enum pdn_event begin_game(struct pdn_player *player)
{
    new_game(player);
    for (; player->item.kind == PDN_TAG; pdn_read(&player->reader, &player->item))
        take_tag(player);
    player->begun = true;
    player->item_kept = true;
    if (player->item.kind != PDN_FAULT)
        player->fault_kept = !choose_variant(player) || !set_first_position(player);
    return PDN_GAME_BEGINS;
}

enum pdn_event pdn_player_next(struct pdn_player *player)
{
    player->note[0] = '\0';
    if (player->fault_kept) {
        /* The item after the tags is passed over with the rest, unless it is the end. */
        player->fault_kept = false;
        player->item_kept = player->item.kind == PDN_GAME_END;
        return PDN_GAME_IS_FAULTY;
    }
    if (!player->item_kept)
        pdn_read(&player->reader, &player->item);
    player->item_kept = false;
    if (player->item.kind == PDN_FILE_END)
        return PDN_NO_MORE_GAMES;
    if (!player->begun)
        return begin_game(player);
    switch (player->item.kind) {
    case PDN_MOVE: return play_move(player);
    case PDN_SETUP:
        return set_position(player, player->item.text, player->item.place) ? PDN_GAME_SET_UP
                                                                           : PDN_GAME_IS_FAULTY;
    case PDN_FAULT: return faulty(player, player->item.place, "%s", player->item.text);
    case PDN_TAG:
    case PDN_GAME_END:
    case PDN_FILE_END: break;
    }
    return end_game(player);
}

void pdn_player_init(struct pdn_player *player, struct pdn_source source, const struct variant *chosen)
{
    /* The lists are large, and written before they are read. */
    memset(player, 0, offsetof(struct pdn_player, legal));
    pdn_reader_init(&player->reader, source);
    player->chosen = chosen;
}
