/*
 * Rules of all variants, from the words of the rules page: the table of variants, squares and
 * their numbers, quiet moves, captures jump by jump, and the choice between captures. Plain
 * searching on a coordinate board; speed is no concern. Nothing here knows what a move is worth.
 */
#include "slow_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIRECTIONS = 4, NO_DIRECTION = -1, NO_CELL = -1 };

/* A victim that has been jumped but stands until the move is over. It only blocks. */
static const char JUMPED = 'x';

struct direction {
    int row;
    int column;
};

static const struct direction diagonals[DIRECTIONS] = {{1, -1}, {1, 1}, {-1, -1}, {-1, 1}};
static const struct direction orthogonals[DIRECTIONS] = {{1, 0}, {0, -1}, {0, 1}, {-1, 0}};

/* ---- The table ---- */

#define ITALIAN_RULES                                                                                        \
    .men_step = SLOW_FORWARD, .men_take = SLOW_FORWARD, .man_takes_king = false,                             \
    .crowning = SLOW_CROWNED_STOPS, .choice = "NKCE", .limit = 80
#define PORTUGUESE_RULES                                                                                     \
    .men_step = SLOW_FORWARD, .men_take = SLOW_FORWARD, .flying = true, .man_takes_king = true,              \
    .crowning = SLOW_CROWNED_STOPS, .choice = "NC"
#define TURKISH_RULES                                                                                        \
    .width = 8, .orthogonal = true, .corner_played = true, .numbering = SLOW_ALGEBRAIC, .start_row = 1,      \
    .start_rows = 2, .men_step = SLOW_FORWARD_AND_SIDEWAYS, .men_take = SLOW_FORWARD_AND_SIDEWAYS,           \
    .flying = true, .man_takes_king = true, .gone_now = true, .no_reversal = true,                           \
    .crowning = SLOW_CROWNED_KING, .choice = "N", .men_leave_back_row = true
#define BOTH_WAYS_FLYING                                                                                     \
    .men_step = SLOW_FORWARD, .men_take = SLOW_FORWARD_AND_BACKWARD, .flying = true, .man_takes_king = true

static const struct slow_variant variants[] = {
    {.name = "italian",
     .width = 8,
     .corner_played = false,
     .numbering = SLOW_FROM_TOP_LEFT,
     .start_rows = 3,
     ITALIAN_RULES},
    {.name = "portuguese",
     .width = 8,
     .corner_played = false,
     .numbering = SLOW_FROM_BOTTOM_RIGHT,
     .start_rows = 3,
     PORTUGUESE_RULES,
     .only_captures_zero = true,
     .limit = 40},
    {.name = "turkish", TURKISH_RULES, .king_beats_man = true},
    {.name = "damii",
     .width = 10,
     .corner_played = false,
     .numbering = SLOW_FROM_TOP_LEFT,
     .start_rows = 4,
     BOTH_WAYS_FLYING,
     .crowning = SLOW_CROWNED_PASSES,
     .choice = ""},
    {.name = "spanish",
     .width = 8,
     .corner_played = false,
     .numbering = SLOW_FROM_BOTTOM_RIGHT,
     .start_rows = 3,
     PORTUGUESE_RULES},
    {.name = "international",
     .width = 10,
     .corner_played = true,
     .numbering = SLOW_FROM_TOP_LEFT,
     .start_rows = 4,
     BOTH_WAYS_FLYING,
     .crowning = SLOW_CROWNED_PASSES,
     .choice = "N"},
    {.name = "brazilian",
     .width = 8,
     .corner_played = true,
     .numbering = SLOW_ALGEBRAIC,
     .start_rows = 3,
     BOTH_WAYS_FLYING,
     .crowning = SLOW_CROWNED_PASSES,
     .choice = "N"},
    {.name = "russian",
     .width = 8,
     .corner_played = true,
     .numbering = SLOW_ALGEBRAIC,
     .start_rows = 3,
     BOTH_WAYS_FLYING,
     .must_land = true,
     .crowning = SLOW_CROWNED_KING,
     .choice = ""},
    {.name = "pool",
     .width = 8,
     .corner_played = true,
     .numbering = SLOW_FROM_TOP_LEFT,
     .black_begins = true,
     .start_rows = 3,
     BOTH_WAYS_FLYING,
     .must_land = true,
     .crowning = SLOW_CROWNED_PASSES,
     .choice = ""},
    {.name = "english",
     .width = 8,
     .corner_played = true,
     .numbering = SLOW_FROM_TOP_LEFT,
     .black_begins = true,
     .start_rows = 3,
     .men_step = SLOW_FORWARD,
     .men_take = SLOW_FORWARD,
     .man_takes_king = true,
     .crowning = SLOW_CROWNED_STOPS,
     .choice = ""},
    {.name = "czech",
     .width = 8,
     .corner_played = true,
     .numbering = SLOW_ALGEBRAIC,
     .start_rows = 3,
     .men_step = SLOW_FORWARD,
     .men_take = SLOW_FORWARD,
     .flying = true,
     .must_land = true,
     .man_takes_king = true,
     .crowning = SLOW_CROWNED_STOPS,
     .choice = "K"},
    {.name = "triestina",
     .width = 10,
     .corner_played = false,
     .numbering = SLOW_FROM_TOP_LEFT,
     .start_rows = 4,
     ITALIAN_RULES},
    {.name = "damii-king",
     .width = 10,
     .corner_played = false,
     .numbering = SLOW_FROM_TOP_LEFT,
     .start_rows = 4,
     BOTH_WAYS_FLYING,
     .crowning = SLOW_CROWNED_KING,
     .choice = ""},
    {.name = "damii-stop",
     .width = 10,
     .corner_played = false,
     .numbering = SLOW_FROM_TOP_LEFT,
     .start_rows = 4,
     BOTH_WAYS_FLYING,
     .crowning = SLOW_CROWNED_STOPS,
     .choice = ""},
    {.name = "damii-must",
     .width = 10,
     .corner_played = false,
     .numbering = SLOW_FROM_TOP_LEFT,
     .start_rows = 4,
     BOTH_WAYS_FLYING,
     .must_land = true,
     .crowning = SLOW_CROWNED_PASSES,
     .choice = ""},
    {.name = "turkish-tudaf", TURKISH_RULES, .one_against_one_draws = true},
    {.name = "italian-first",
     .width = 8,
     .corner_played = false,
     .numbering = SLOW_FROM_TOP_LEFT,
     .start_rows = 3,
     .men_step = SLOW_FORWARD,
     .men_take = SLOW_FORWARD,
     .man_takes_king = false,
     .crowning = SLOW_CROWNED_STOPS,
     .choice = "NKCF",
     .limit = 80},
};

const struct slow_variant *slow_variant_at(int i)
{
    int count = (int)(sizeof variants / sizeof variants[0]);

    return i >= 0 && i < count ? &variants[i] : NULL;
}

const struct slow_variant *slow_variant_named(const char *name)
{
    const struct slow_variant *variant;

    for (int i = 0; (variant = slow_variant_at(i)) != NULL; i++) {
        if (strcmp(variant->name, name) == 0) {
            return variant;
        }
    }
    return NULL;
}

/* ---- Squares ---- */

static int cell_count(const struct slow_variant *variant)
{
    return variant->width * variant->width;
}

bool slow_is_played(const struct slow_variant *variant, int cell)
{
    if (cell < 0 || cell >= cell_count(variant)) {
        return false;
    }
    if (variant->orthogonal) {
        return true;
    }
    bool like_corner = (cell / variant->width + cell % variant->width) % 2 == 0;
    return like_corner == variant->corner_played;
}

int slow_square_count(const struct slow_variant *variant)
{
    return variant->orthogonal ? cell_count(variant) : cell_count(variant) / 2;
}

/* The i-th cell, from 0, in the order in which the variant numbers its squares. */
static int cell_in_numbering_order(const struct slow_variant *variant, int i)
{
    int row = i / variant->width;
    int column = i % variant->width;

    switch (variant->numbering) {
    case SLOW_FROM_TOP_LEFT: row = variant->width - 1 - row; break;
    case SLOW_FROM_BOTTOM_RIGHT: column = variant->width - 1 - column; break;
    case SLOW_ALGEBRAIC: return column * variant->width + row; /* file by file: the order of the texts */
    }
    return row * variant->width + column;
}

int slow_cell_of_number(const struct slow_variant *variant, int number)
{
    int seen = 0;

    for (int i = 0; i < cell_count(variant); i++) {
        int cell = cell_in_numbering_order(variant, i);
        if (slow_is_played(variant, cell) && ++seen == number) {
            return cell;
        }
    }
    return NO_CELL;
}

int slow_square_number(const struct slow_variant *variant, int cell)
{
    int seen = 0;

    if (!slow_is_played(variant, cell)) {
        return 0;
    }
    for (int i = 0; i < cell_count(variant); i++) {
        int other = cell_in_numbering_order(variant, i);
        seen += slow_is_played(variant, other);
        if (other == cell) {
            break;
        }
    }
    return seen;
}

int slow_square_text(const struct slow_variant *variant, int cell, char buffer[SLOW_SQUARE_TEXT])
{
    if (variant->numbering == SLOW_ALGEBRAIC) {
        buffer[0] = (char)('a' + cell % variant->width);
        buffer[1] = (char)('1' + cell / variant->width);
        buffer[2] = '\0';
        return 2;
    }
    int number = slow_square_number(variant, cell) % SLOW_MAX_CELLS; /* always two digits */
    return snprintf(buffer, SLOW_SQUARE_TEXT, "%d", number);
}

/* The next cell in a direction, NO_CELL over the edge. */
static int neighbour(const struct slow_variant *variant, int cell, struct direction direction)
{
    int row = cell / variant->width + direction.row;
    int column = cell % variant->width + direction.column;

    if (row < 0 || row >= variant->width || column < 0 || column >= variant->width) {
        return NO_CELL;
    }
    return row * variant->width + column;
}

static struct direction direction_at(const struct slow_variant *variant, int i)
{
    return variant->orthogonal ? orthogonals[i] : diagonals[i];
}

/* ---- Pieces ---- */

static bool is_white(char piece)
{
    return piece == 'w' || piece == 'W';
}

static bool is_black(char piece)
{
    return piece == 'b' || piece == 'B';
}

static bool belongs_to(char piece, bool white)
{
    return white ? is_white(piece) : is_black(piece);
}

static bool is_king(char piece)
{
    return piece == 'W' || piece == 'B';
}

static char king_of(bool white)
{
    return white ? 'W' : 'B';
}

static int last_row(const struct slow_variant *variant, bool white)
{
    return white ? variant->width - 1 : 0;
}

static bool is_on_last_row(const struct slow_variant *variant, bool white, int cell)
{
    return cell / variant->width == last_row(variant, white);
}

bool slow_man_may_stand(const struct slow_variant *variant, bool white, int cell)
{
    if (!slow_is_played(variant, cell) || is_on_last_row(variant, white, cell)) {
        return false;
    }
    /* A side's back row is the other side's last row. */
    return !(variant->men_leave_back_row && is_on_last_row(variant, !white, cell));
}

/* May a man of that colour use this direction? */
static bool man_may_use(enum slow_directions directions, bool white, struct direction direction)
{
    int rows_forward = white ? direction.row : -direction.row;

    switch (directions) {
    case SLOW_FORWARD: return rows_forward > 0;
    case SLOW_FORWARD_AND_SIDEWAYS: return rows_forward >= 0;
    case SLOW_FORWARD_AND_BACKWARD: return true;
    }
    return false;
}

/* ---- Positions ---- */

static void clear_board(struct slow_position *position)
{
    memset(position->at, '.', sizeof position->at);
}

struct slow_position slow_start(const struct slow_variant *variant)
{
    struct slow_position start;

    clear_board(&start);
    start.white_to_move = !variant->black_begins;
    for (int cell = 0; cell < cell_count(variant); cell++) {
        int row = cell / variant->width;
        int row_for_black = variant->width - 1 - row;
        int first = variant->start_row;
        int end = variant->start_row + variant->start_rows;
        if (!slow_is_played(variant, cell)) {
            continue;
        }
        if (row >= first && row < end) {
            start.at[cell] = 'w';
        } else if (row_for_black >= first && row_for_black < end) {
            start.at[cell] = 'b';
        }
    }
    return start;
}

/* Reads one square, letters or digits, and moves the text on. NO_CELL if it is not one. */
static int parse_square(const struct slow_variant *variant, const char **text)
{
    const char *s = *text;

    if (variant->numbering == SLOW_ALGEBRAIC) {
        int column = s[0] - 'a';
        if (column < 0 || column >= variant->width) {
            return NO_CELL;
        }
        int row = s[1] - '1';
        if (row < 0 || row >= variant->width) {
            return NO_CELL;
        }
        *text = s + 2;
        int cell = row * variant->width + column;
        return slow_is_played(variant, cell) ? cell : NO_CELL;
    }
    int number = 0;
    if (*s == '0') {
        return NO_CELL;
    }
    while (*s >= '0' && *s <= '9' && number <= SLOW_MAX_CELLS) {
        number = number * 10 + (*s++ - '0');
    }
    *text = s;
    return slow_cell_of_number(variant, number);
}

/* Reads "W" or "B" and the list behind it, up to a colon or the end of the text. */
static bool parse_side(const struct slow_variant *variant, bool white, const char **text,
                       struct slow_position *position)
{
    const char *s = *text;

    if (*s++ != king_of(white)) {
        return false;
    }
    while (*s != '\0' && *s != ':') {
        bool king = *s == 'K';
        s += king;
        int cell = parse_square(variant, &s);
        if (cell == NO_CELL || position->at[cell] != '.') {
            return false;
        }
        if (!king && !slow_man_may_stand(variant, white, cell)) {
            return false;
        }
        position->at[cell] = king ? king_of(white) : white ? 'w' : 'b';
        if (*s == ',' && s[1] != '\0' && s[1] != ':') {
            s++;
        } else if (*s != '\0' && *s != ':') {
            return false;
        }
    }
    *text = s;
    return true;
}

bool slow_parse_fen(const struct slow_variant *variant, const char *text, struct slow_position *position)
{
    clear_board(position);
    if ((text[0] != 'W' && text[0] != 'B') || text[1] != ':') {
        return false;
    }
    position->white_to_move = text[0] == 'W';
    text += 2;
    if (!parse_side(variant, true, &text, position) || *text++ != ':') {
        return false;
    }
    return parse_side(variant, false, &text, position) && *text == '\0';
}

/* Appends one side's list in ascending order and returns the new end of the text. */
static char *write_side(const struct slow_variant *variant, bool white, const struct slow_position *position,
                        char *end)
{
    bool first = true;

    *end++ = ':';
    *end++ = king_of(white);
    for (int number = 1; number <= slow_square_count(variant); number++) {
        int cell = slow_cell_of_number(variant, number);
        if (!belongs_to(position->at[cell], white)) {
            continue;
        }
        if (!first) {
            *end++ = ',';
        }
        first = false;
        if (is_king(position->at[cell])) {
            *end++ = 'K';
        }
        end += slow_square_text(variant, cell, end);
    }
    *end = '\0';
    return end;
}

void slow_write_fen(const struct slow_variant *variant, const struct slow_position *position,
                    char buffer[SLOW_TEXT])
{
    buffer[0] = king_of(position->white_to_move);
    char *end = write_side(variant, true, position, buffer + 1);
    write_side(variant, false, position, end);
}

/* ---- The list of moves ---- */

static void append_move(struct slow_move_list *list, const struct slow_move *move)
{
    if (list->count == list->capacity) {
        int capacity = list->capacity == 0 ? 32 : 2 * list->capacity;
        struct slow_move *moves = realloc(list->moves, (size_t)capacity * sizeof *moves);
        if (moves == NULL) {
            list->out_of_memory = true;
            return;
        }
        list->moves = moves;
        list->capacity = capacity;
    }
    list->moves[list->count++] = *move;
}

void slow_move_list_free(struct slow_move_list *list)
{
    free(list->moves);
    *list = (struct slow_move_list){0};
}

void slow_move_text(const struct slow_variant *variant, const struct slow_move *move, char buffer[SLOW_TEXT])
{
    char *end = buffer + slow_square_text(variant, move->from, buffer);

    for (int i = 0; i < move->path_length; i++) {
        *end++ = move->taken_count > 0 ? 'x' : '-';
        end += slow_square_text(variant, move->path[i], end);
    }
}

/* ---- The choice between captures ---- */

static int kings_taken(const struct slow_move *move)
{
    int kings = 0;

    for (int i = 0; i < move->taken_count; i++) {
        kings += is_king(move->taken_piece[i]);
    }
    return kings;
}

/* Above zero if a meets a king earlier than b does, at the first victims that differ. */
static int compare_kings_earliest(const struct slow_move *a, const struct slow_move *b)
{
    for (int i = 0; i < a->taken_count && i < b->taken_count; i++) {
        int difference = is_king(a->taken_piece[i]) - is_king(b->taken_piece[i]);
        if (difference != 0) {
            return difference;
        }
    }
    return 0;
}

/* How many victims come before the first king, or all of them where there is no king. */
static int men_before_first_king(const struct slow_move *move)
{
    int men = 0;

    while (men < move->taken_count && !is_king(move->taken_piece[men])) {
        men++;
    }
    return men;
}

/* Above zero if the variant's rules put capture a before b, zero if they leave a free choice. */
static int compare_by_choice(const struct slow_variant *variant, const struct slow_move *a,
                             const struct slow_move *b)
{
    int difference = 0;

    for (const char *letter = variant->choice; *letter != '\0' && difference == 0; letter++) {
        switch (*letter) {
        case 'N': difference = a->taken_count - b->taken_count; break;
        case 'K': difference = is_king(a->piece) - is_king(b->piece); break;
        case 'C': difference = kings_taken(a) - kings_taken(b); break;
        case 'E': difference = compare_kings_earliest(a, b); break;
        case 'F': difference = men_before_first_king(b) - men_before_first_king(a); break;
        default: break;
        }
    }
    return difference;
}

/* Below zero if the square numbers of a's path come first. Both take equally many pieces. */
static int compare_paths(const struct slow_variant *variant, const struct slow_move *a,
                         const struct slow_move *b)
{
    for (int i = 0; i < a->path_length && i < b->path_length; i++) {
        int difference = slow_square_number(variant, a->path[i]) - slow_square_number(variant, b->path[i]);
        if (difference != 0) {
            return difference;
        }
    }
    return 0;
}

/*
 * The same move: one piece, from the same square, to the same position. Equal results mean the
 * same victims and the same final square; crowned or not shows in the result too.
 */
static bool is_same_move(const struct slow_move *a, const struct slow_move *b)
{
    return a->from == b->from && memcmp(a->result.at, b->result.at, sizeof a->result.at) == 0;
}

/*
 * Adds a complete capture to a list that holds the best captures so far, all of equal rank. The
 * choice is made before equal moves are merged: only an allowed path may represent a move.
 */
static void add_capture(const struct slow_variant *variant, struct slow_move_list *list,
                        const struct slow_move *move)
{
    if (list->count > 0) {
        int difference = compare_by_choice(variant, move, &list->moves[0]);
        if (difference < 0) {
            return;
        }
        if (difference > 0) {
            list->count = 0;
        }
    }
    for (int i = 0; i < list->count; i++) {
        if (is_same_move(&list->moves[i], move)) {
            if (compare_paths(variant, move, &list->moves[i]) < 0) {
                list->moves[i] = *move;
            }
            return;
        }
    }
    append_move(list, move);
}

/* ---- Captures ---- */

/* A capture under way. Copied for every jump, so nothing has ever to be taken back. */
struct capture {
    const struct slow_variant *variant;
    struct slow_position board; /* without the capturing piece, so its own square is empty */
    char piece;                 /* what the capturing piece is now */
    int cell;                   /* where it stands now */
    int last_direction;
    bool over;             /* crowning has ended the move */
    struct slow_move line; /* the jumps so far */
};

static bool may_jump_towards(const struct capture *capture, int i)
{
    const struct slow_variant *variant = capture->variant;
    struct direction direction = direction_at(variant, i);

    if (variant->no_reversal && capture->last_direction != NO_DIRECTION) {
        struct direction last = direction_at(variant, capture->last_direction);
        if (direction.row == -last.row && direction.column == -last.column) {
            return false;
        }
    }
    return is_king(capture->piece) || man_may_use(variant->men_take, capture->board.white_to_move, direction);
}

static bool may_take(const struct capture *capture, char victim)
{
    if (!belongs_to(victim, !capture->board.white_to_move)) {
        return false;
    }
    return is_king(capture->piece) || !is_king(victim) || capture->variant->man_takes_king;
}

/* The piece that can be jumped in a direction, NO_CELL if there is none. */
static int find_victim(const struct capture *capture, int i)
{
    const struct slow_variant *variant = capture->variant;
    const char *at = capture->board.at;

    if (!may_jump_towards(capture, i)) {
        return NO_CELL;
    }
    struct direction direction = direction_at(variant, i);
    int cell = neighbour(variant, capture->cell, direction);
    if (is_king(capture->piece) && variant->flying) {
        while (cell != NO_CELL && at[cell] == '.') {
            cell = neighbour(variant, cell, direction);
        }
    }
    if (cell == NO_CELL || !may_take(capture, at[cell])) {
        return NO_CELL;
    }
    int behind = neighbour(variant, cell, direction);
    return behind != NO_CELL && at[behind] == '.' ? cell : NO_CELL;
}

static bool can_jump(const struct capture *capture)
{
    if (capture->over) {
        return false;
    }
    for (int i = 0; i < DIRECTIONS; i++) {
        if (find_victim(capture, i) != NO_CELL) {
            return true;
        }
    }
    return false;
}

/* A man has landed on its last row inside a capture. */
static void reach_last_row(struct capture *capture)
{
    switch (capture->variant->crowning) {
    case SLOW_CROWNED_STOPS: capture->over = true; break;
    case SLOW_CROWNED_KING: capture->piece = king_of(capture->board.white_to_move); break;
    case SLOW_CROWNED_PASSES: break;
    }
}

static struct capture after_jump(const struct capture *capture, int i, int victim, int landing)
{
    struct capture next = *capture;
    struct slow_move *line = &next.line;

    line->taken[line->taken_count] = victim;
    line->taken_piece[line->taken_count++] = next.board.at[victim];
    line->path[line->path_length++] = landing;
    next.board.at[victim] = next.variant->gone_now ? '.' : JUMPED;
    next.cell = landing;
    next.last_direction = i;
    if (!is_king(next.piece) && is_on_last_row(next.variant, next.board.white_to_move, landing)) {
        reach_last_row(&next);
    }
    return next;
}

/* Lists the empty cells behind a victim on which the piece may land; returns how many. */
static int landings_behind(const struct capture *capture, int i, int victim, int landings[SLOW_MAX_CELLS])
{
    const struct slow_variant *variant = capture->variant;
    struct direction direction = direction_at(variant, i);
    bool far = is_king(capture->piece) && variant->flying;
    int count = 0;
    int cell = neighbour(variant, victim, direction);

    while (cell != NO_CELL && capture->board.at[cell] == '.' && (far || count == 0)) {
        landings[count++] = cell;
        cell = neighbour(variant, cell, direction);
    }
    if (!variant->must_land) {
        return count;
    }
    int kept = 0;
    int good[SLOW_MAX_CELLS];
    for (int k = 0; k < count; k++) {
        struct capture next = after_jump(capture, i, victim, landings[k]);
        if (can_jump(&next)) {
            good[kept++] = landings[k];
        }
    }
    if (kept == 0) {
        return count;
    }
    memcpy(landings, good, (size_t)kept * sizeof good[0]);
    return kept;
}

/* Writes down a capture that has come to its end. */
static void finish_capture(const struct capture *capture, struct slow_move_list *list)
{
    const struct slow_variant *variant = capture->variant;
    bool white = capture->board.white_to_move;
    struct slow_move move = capture->line;
    char piece = capture->piece;

    if (is_on_last_row(variant, white, capture->cell)) {
        piece = king_of(white);
    }
    move.to = capture->cell;
    move.crowned = is_king(piece) && !is_king(move.piece);
    move.result = capture->board;
    move.result.white_to_move = !white;
    for (int i = 0; i < move.taken_count; i++) {
        move.result.at[move.taken[i]] = '.';
    }
    move.result.at[capture->cell] = piece;
    add_capture(variant, list, &move);
}

/* Plays every continuation of a capture to its end. */
static void continue_capture(const struct capture *capture, struct slow_move_list *list)
{
    bool jumped = false;

    for (int i = 0; i < DIRECTIONS && !capture->over; i++) {
        int victim = find_victim(capture, i);
        if (victim == NO_CELL) {
            continue;
        }
        int landings[SLOW_MAX_CELLS];
        int count = landings_behind(capture, i, victim, landings);
        for (int k = 0; k < count; k++) {
            struct capture next = after_jump(capture, i, victim, landings[k]);
            continue_capture(&next, list);
        }
        jumped = true;
    }
    if (!jumped && capture->line.taken_count > 0) {
        finish_capture(capture, list);
    }
}

static void add_captures_from(const struct slow_variant *variant, const struct slow_position *position,
                              int cell, struct slow_move_list *list)
{
    struct capture capture = {
        .variant = variant,
        .board = *position,
        .piece = position->at[cell],
        .cell = cell,
        .last_direction = NO_DIRECTION,
        .line = {.from = cell, .piece = position->at[cell]},
    };

    capture.board.at[cell] = '.';
    continue_capture(&capture, list);
}

/* ---- Quiet moves ---- */

static void add_quiet(const struct slow_variant *variant, const struct slow_position *position, int from,
                      int to, struct slow_move_list *list)
{
    bool white = position->white_to_move;
    char piece = position->at[from];
    struct slow_move move = {.from = from, .to = to, .path = {to}, .path_length = 1, .piece = piece};

    if (!is_king(piece) && is_on_last_row(variant, white, to)) {
        move.crowned = true;
        piece = king_of(white);
    }
    move.result = *position;
    move.result.at[from] = '.';
    move.result.at[to] = piece;
    move.result.white_to_move = !white;
    append_move(list, &move);
}

static void add_quiets_from(const struct slow_variant *variant, const struct slow_position *position,
                            int from, struct slow_move_list *list)
{
    bool king = is_king(position->at[from]);

    for (int i = 0; i < DIRECTIONS; i++) {
        struct direction direction = direction_at(variant, i);
        if (!king && !man_may_use(variant->men_step, position->white_to_move, direction)) {
            continue;
        }
        int to = neighbour(variant, from, direction);
        while (to != NO_CELL && position->at[to] == '.') {
            add_quiet(variant, position, from, to, list);
            if (!king || !variant->flying) {
                break;
            }
            to = neighbour(variant, to, direction);
        }
    }
}

/* ---- All moves ---- */

int slow_moves(const struct slow_variant *variant, const struct slow_position *position,
               struct slow_move_list *list)
{
    list->count = 0;
    list->out_of_memory = false;
    for (int cell = 0; cell < cell_count(variant); cell++) {
        if (belongs_to(position->at[cell], position->white_to_move)) {
            add_captures_from(variant, position, cell, list);
        }
    }
    /* Capturing is compulsory. */
    bool capture = list->count > 0;
    for (int cell = 0; cell < cell_count(variant) && !capture; cell++) {
        if (belongs_to(position->at[cell], position->white_to_move)) {
            add_quiets_from(variant, position, cell, list);
        }
    }
    return list->out_of_memory ? -1 : list->count;
}

static bool one_against_one(const struct slow_variant *variant, const struct slow_position *position)
{
    int white = 0;
    int black = 0;

    for (int cell = 0; cell < cell_count(variant); cell++) {
        white += is_white(position->at[cell]);
        black += is_black(position->at[cell]);
    }
    return white == 1 && black == 1;
}

bool slow_move_zeroes(const struct slow_variant *variant, const struct slow_move *move)
{
    if (move->taken_count > 0) {
        return true;
    }
    bool by_man = move->piece == 'w' || move->piece == 'b';
    bool same_row = move->from / variant->width == move->to / variant->width;
    return !variant->only_captures_zero && by_man && !same_row;
}

enum slow_end slow_special_end(const struct slow_variant *variant, const struct slow_position *position,
                               const struct slow_move_list *moves)
{
    int men = 0;
    int kings = 0;
    bool king_is_white = false;
    bool man_is_white = false;

    if (!variant->king_beats_man && !variant->one_against_one_draws) {
        return SLOW_PLAYED_ON;
    }
    for (int cell = 0; cell < cell_count(variant); cell++) {
        char piece = position->at[cell];
        if (is_king(piece)) {
            kings++;
            king_is_white = is_white(piece);
        } else if (is_white(piece) || is_black(piece)) {
            men++;
            man_is_white = is_white(piece);
        }
    }
    if (moves->count > 0 && moves->moves[0].taken_count > 0) {
        return SLOW_PLAYED_ON; /* the side to move has to take, and that ends the game */
    }
    if (variant->one_against_one_draws) {
        return one_against_one(variant, position) ? SLOW_END_DRAWN : SLOW_PLAYED_ON;
    }
    if (kings != 1 || men != 1 || king_is_white == man_is_white) {
        return SLOW_PLAYED_ON;
    }
    return king_is_white == position->white_to_move ? SLOW_END_WON : SLOW_END_LOST;
}

long long slow_perft(const struct slow_variant *variant, const struct slow_position *position, int depth)
{
    struct slow_move_list list = {0};
    long long sum = 0;

    if (depth <= 0) {
        return 1;
    }
    int count = slow_moves(variant, position, &list);
    if (depth == 1 || count < 0) {
        sum = count;
    } else {
        for (int i = 0; i < count && sum >= 0; i++) {
            long long below = slow_perft(variant, &list.moves[i].result, depth - 1);
            sum = below < 0 ? -1 : sum + below;
        }
    }
    slow_move_list_free(&list);
    return sum;
}
