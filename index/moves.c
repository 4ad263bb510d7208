/* Move generation: one text, compiled once a variant with -DVARIANT=<its name in variants.h>. The row is a
 * constant here, so that each variant gets its own specialised code. Rules: docs/rules.md. */
#include "moves.h"
#include "variants.h"

#define JOINED(a, b) a##b
#define EXPANDED(a, b) JOINED(a, b)

static const struct rules RULES = EXPANDED(RULES_OF_, VARIANT);
#define BOARD (RULES.board)
/* Known to the compiler, unlike the board's own fields. */
#define IS_ORTHOGONAL (RULES.board == &board_8x8_orthogonal)
#define RISING (IS_ORTHOGONAL ? 1 << UP | 1 << RIGHT : 1 << UP_LEFT | 1 << UP_RIGHT)

enum { NO_DIRECTION = -1 };

/* One capture under way. Sets shrink and grow as the piece jumps on and back. */
struct search {
    uint64_t occupied; /* what blocks; the capturing piece has left its square */
    uint64_t men;      /* opponent's pieces not yet taken */
    uint64_t kings;
    uint64_t taken;
    uint64_t kings_first; /* victims in order as binary digits, a king being 1 */
    int number;
    int kings_taken;
    uint8_t from;
    bool by_man;
    struct move_path path;
    struct move_list *list;
    struct move_paths *paths;
};

static int nearest(int direction, uint64_t set)
{
    return (RISING >> direction) & 1 ? bits_lowest(set) : bits_highest(set);
}

static bool is_top_row(int square)
{
    return square >= BOARD->squares - BOARD->width;
}

static int takes(bool as_king)
{
    return as_king ? ALL_DIRECTIONS : RULES.man_takes;
}

/* The square of the piece next to be jumped that way, or NO_SQUARE where there is none to take. */
static int victim_of(const struct search *search, int square, int direction, bool as_king)
{
    int victim;
    if (as_king && RULES.flying) {
        uint64_t blockers = BOARD->ray[square][direction] & search->occupied;
        if (!blockers)
            return NO_SQUARE;
        victim = nearest(direction, blockers);
    } else {
        victim = BOARD->step[square][direction];
        if (victim == NO_SQUARE)
            return NO_SQUARE;
    }
    uint64_t targets = as_king || RULES.man_takes_king ? search->men | search->kings : search->men;
    if (!(targets & bit_of(victim)))
        return NO_SQUARE;
    int behind = BOARD->step[victim][direction];
    if (behind == NO_SQUARE || (search->occupied & bit_of(behind)))
        return NO_SQUARE;
    return victim;
}

static bool may_go(int direction, int last_direction)
{
    return RULES.may_turn || last_direction == NO_DIRECTION || direction != (last_direction ^ 2);
}

static bool can_take(const struct search *search, int square, bool as_king, int last_direction)
{
    for (int direction = 0; direction < DIRECTIONS; direction++)
        if (((takes(as_king) >> direction) & 1) && may_go(direction, last_direction) &&
            victim_of(search, square, direction, as_king) != NO_SQUARE)
            return true;
    return false;
}

/* Squares behind a victim on which the piece may land. */
static uint64_t landings(const struct search *search, int victim, int direction, bool as_king)
{
    if (!(as_king && RULES.flying))
        return bit_of(BOARD->step[victim][direction]);
    uint64_t ray = BOARD->ray[victim][direction];
    uint64_t blockers = ray & search->occupied;
    return blockers ? ray & ~BOARD->ray[nearest(direction, blockers)][direction] & ~blockers : ray;
}

/* The landings that allow a further capture, or all where none does. */
static uint64_t landings_that_go_on(const struct search *search, uint64_t all, int direction)
{
    uint64_t going_on = 0;
    for (uint64_t rest = all; rest; rest = bits_without_lowest(rest))
        if (can_take(search, bits_lowest(rest), true, direction))
            going_on |= bit_of(bits_lowest(rest));
    return going_on ? going_on : all;
}

/* The rungs of the variant's ladder as one number, the first rung weighing most. */
static uint64_t score_of(const struct search *search)
{
    uint64_t score = 0;
    if (RULES.choice & MOST_PIECES)
        score = (uint64_t)search->number;
    if (RULES.choice & BY_KING)
        score = score << 1 | !search->by_man;
    if (RULES.choice & MOST_KINGS)
        score = score << 6 | (uint64_t)search->kings_taken;
    if (RULES.choice & KINGS_EARLIEST)
        score = score << 40 | search->kings_first;
    if (RULES.choice & FIRST_KING_EARLIEST)
        score = score << 6 | (search->kings_first ? (uint64_t)bits_highest(search->kings_first) + 1 : 0);
    return score;
}

/* Names a square for comparing paths: by the number that is printed. */
static int printed_number(int square)
{
    static const struct variant variant = {.rules = EXPANDED(RULES_OF_, VARIANT), .moves = NULL};
    return variant_square_number(&variant, square);
}

static bool path_is_lower(const struct move_path *a, const struct move_path *b)
{
    for (int i = 0; i < a->length && i < b->length; i++)
        if (a->squares[i] != b->squares[i])
            return printed_number(a->squares[i]) < printed_number(b->squares[i]);
    return a->length < b->length;
}

static bool same_move(const struct move *a, const struct move *b)
{
    return a->taken == b->taken && a->from == b->from && a->to == b->to && a->crowned == b->crowned;
}

static void append(struct move_list *list, const struct move *move)
{
    if (list->count == MAX_MOVES)
        list->overflowed = true;
    else
        list->moves[list->count++] = *move;
}

/* The capture has come to its end on `square`. */
static void complete(struct search *search, int square, bool crowned)
{
    struct move_list *list = search->list;
    uint64_t score = score_of(search);
    if (score < list->score)
        return;
    if (score > list->score) {
        list->score = score;
        list->count = 0;
        list->overflowed = false;
    }
    const struct move move = {search->taken, search->from, (uint8_t)square, search->by_man, crowned};
    int place = 0;
    while (place < list->count && !same_move(&list->moves[place], &move))
        place++;
    bool is_new = place == list->count;
    if (is_new)
        append(list, &move);
    if (search->paths && place < list->count &&
        (is_new || path_is_lower(&search->path, &search->paths->of[place])))
        search->paths->of[place] = search->path;
}

static bool go_on(struct search *search, int square, bool as_king, int last_direction);

static void land(struct search *search, int square, bool as_king, int direction)
{
    bool was_man = search->by_man && !as_king;
    bool crowned_as_king = search->by_man && as_king;
    search->path.squares[search->path.length++] = (uint8_t)square;
    if (was_man && is_top_row(square) && RULES.crowned == CROWNED_STOP) {
        complete(search, square, true);
    } else if (was_man && is_top_row(square) && RULES.crowned == CROWNED_KING) {
        if (!go_on(search, square, true, direction))
            complete(search, square, true);
    } else if (!go_on(search, square, as_king, direction)) {
        complete(search, square, crowned_as_king || (was_man && is_top_row(square)));
    }
    search->path.length--;
}

/* Takes one victim, tries all landings, and puts it back. */
static void jump(struct search *search, int victim, int direction, bool as_king)
{
    const struct search before = {.occupied = search->occupied,
                                  .men = search->men,
                                  .kings = search->kings,
                                  .taken = search->taken,
                                  .kings_first = search->kings_first,
                                  .kings_taken = search->kings_taken};
    bool is_king = search->kings & bit_of(victim);
    search->taken |= bit_of(victim);
    search->men &= ~bit_of(victim);
    search->kings &= ~bit_of(victim);
    search->number++;
    search->kings_taken += is_king;
    search->kings_first = search->kings_first << 1 | is_king;
    uint64_t squares = landings(search, victim, direction, as_king);
    if (RULES.gone_now)
        search->occupied &= ~bit_of(victim);
    if (as_king && RULES.flying && RULES.landing == LANDING_MUST)
        squares = landings_that_go_on(search, squares, direction);
    for (; squares; squares = bits_without_lowest(squares))
        land(search, bits_lowest(squares), as_king, direction);
    search->occupied = before.occupied;
    search->men = before.men;
    search->kings = before.kings;
    search->taken = before.taken;
    search->kings_first = before.kings_first;
    search->kings_taken = before.kings_taken;
    search->number--;
}

/* Tries every jump from a square. False if there is none, so that the capture ends here. */
static bool go_on(struct search *search, int square, bool as_king, int last_direction)
{
    bool found = false;
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        if (!((takes(as_king) >> direction) & 1) || !may_go(direction, last_direction))
            continue;
        int victim = victim_of(search, square, direction, as_king);
        if (victim == NO_SQUARE)
            continue;
        found = true;
        jump(search, victim, direction, as_king);
    }
    return found;
}

static void captures_from(struct search *search, uint64_t occupied, int square, bool as_king)
{
    search->occupied = occupied & ~bit_of(square);
    search->from = (uint8_t)square;
    search->by_man = !as_king;
    search->path.length = 1;
    search->path.squares[0] = (uint8_t)square;
    go_on(search, square, as_king, NO_DIRECTION);
}

static void begin(struct search *search, const struct position *position)
{
    search->men = position->opponent_men;
    search->kings = position->opponent_kings;
    search->taken = 0;
    search->kings_first = 0;
    search->number = 0;
    search->kings_taken = 0;
}

static void captures(const struct position *position, struct move_list *list, struct move_paths *paths)
{
    uint64_t occupied = position_occupied(position);
    struct search search;
    begin(&search, position);
    search.list = list;
    search.paths = paths;
    for (uint64_t rest = position->own_men; rest; rest = bits_without_lowest(rest))
        captures_from(&search, occupied, bits_lowest(rest), false);
    for (uint64_t rest = position->own_kings; rest; rest = bits_without_lowest(rest))
        captures_from(&search, occupied, bits_lowest(rest), true);
}

static bool has_capture(const struct position *position)
{
    struct search search;
    begin(&search, position);
    search.occupied = position_occupied(position);
    /* The piece's own square is not on its rays, and a first jump never lands on it. */
    for (uint64_t rest = position->own_men; rest; rest = bits_without_lowest(rest))
        if (can_take(&search, bits_lowest(rest), false, NO_DIRECTION))
            return true;
    for (uint64_t rest = position->own_kings; rest; rest = bits_without_lowest(rest))
        if (can_take(&search, bits_lowest(rest), true, NO_DIRECTION))
            return true;
    return false;
}

static void append_quiet(struct move_list *list, int from, int to, bool by_man)
{
    const struct move move = {0, (uint8_t)from, (uint8_t)to, by_man, by_man && is_top_row(to)};
    append(list, &move);
}

static void quiet_of_man(uint64_t occupied, int from, struct move_list *list)
{
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        if (!((RULES.man_steps >> direction) & 1))
            continue;
        int to = BOARD->step[from][direction];
        if (to != NO_SQUARE && !(occupied & bit_of(to)))
            append_quiet(list, from, to, true);
    }
}

static void quiet_of_king(uint64_t occupied, int from, struct move_list *list)
{
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        int to = BOARD->step[from][direction];
        while (to != NO_SQUARE && !(occupied & bit_of(to))) {
            append_quiet(list, from, to, false);
            to = RULES.flying ? BOARD->step[to][direction] : NO_SQUARE;
        }
    }
}

static void quiet(const struct position *position, struct move_list *list)
{
    uint64_t occupied = position_occupied(position);
    for (uint64_t rest = position->own_men; rest; rest = bits_without_lowest(rest))
        quiet_of_man(occupied, bits_lowest(rest), list);
    for (uint64_t rest = position->own_kings; rest; rest = bits_without_lowest(rest))
        quiet_of_king(occupied, bits_lowest(rest), list);
}

extern const struct move_functions EXPANDED(moves_of_, VARIANT);
const struct move_functions EXPANDED(moves_of_, VARIANT) = {
    .has_capture = has_capture,
    .captures = captures,
    .quiet = quiet,
};
