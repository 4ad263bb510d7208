/* A walk along all orders in which a known set of victims can be taken, by the rules of the variant's row.
 * It decides squares, not legality: the capture itself comes from moves.c. */
#include "capture_path.h"

enum { NO_DIRECTION = -1 };

/* One walk under way. */
struct walk {
    const struct variant *variant;
    const struct move *move;
    uint64_t occupied;     /* what blocks now, victims too until they leave */
    uint64_t left;         /* victims still to take */
    uint64_t men;          /* the opponent's other pieces: they could have been taken further on */
    uint64_t kings;        /* and their kings */
    uint64_t king_victims; /* kings among the victims */
    uint64_t kings_first;  /* those taken so far as binary digits in order, a king being 1 */
    struct move_path path;
    void (*found)(struct walk *walk);
    /* For the lowest path: */
    bool black_to_move;
    bool any;
    uint64_t best_kings_first;
    struct move_path *best;
    /* For a path through given squares: */
    const struct move_path *through;
};

static bool flies(const struct walk *walk, bool as_king)
{
    return as_king && walk->variant->rules.flying;
}

/* The piece that a jump in the direction would take, or NO_SQUARE. */
static int jumped(const struct walk *walk, int square, int direction, bool as_king)
{
    const struct board *board = walk->variant->rules.board;
    int victim = board->step[square][direction];
    if (flies(walk, as_king)) {
        uint64_t blockers = board->ray[square][direction] & walk->occupied;
        victim = blockers ? board_nearest(board, direction, blockers) : NO_SQUARE;
    }
    if (victim == NO_SQUARE || !(walk->occupied & bit_of(victim)))
        return NO_SQUARE;
    int behind = board->step[victim][direction];
    return behind == NO_SQUARE || (walk->occupied & bit_of(behind)) ? NO_SQUARE : victim;
}

/* Directions in which a jump may follow one in the last direction. */
static unsigned directions_after(const struct walk *walk, bool as_king, int last_direction)
{
    const struct rules *rules = &walk->variant->rules;
    unsigned directions = as_king ? (1U << DIRECTIONS) - 1 : rules->man_takes;
    if (!rules->may_turn && last_direction != NO_DIRECTION)
        directions &= ~(1U << (last_direction ^ 2));
    return directions;
}

/* True if the piece could take another one from the square, so that the capture does not end there. */
static bool could_go_on(const struct walk *walk, int square, bool as_king, int last_direction)
{
    unsigned directions = directions_after(walk, as_king, last_direction);
    uint64_t targets = as_king || walk->variant->rules.man_takes_king ? walk->men | walk->kings : walk->men;
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        int victim = (directions >> direction) & 1 ? jumped(walk, square, direction, as_king) : NO_SQUARE;
        if (victim != NO_SQUARE && (targets & bit_of(victim)))
            return true;
    }
    return false;
}

/* True if the capture may end on the move's last square after a jump over the victim. */
static bool may_end(const struct walk *walk, uint64_t landings, bool as_king, int direction)
{
    if (could_go_on(walk, walk->move->to, as_king, direction))
        return false;
    if (!flies(walk, as_king) || walk->variant->rules.landing != LANDING_MUST)
        return true;
    for (; landings; landings = bits_without_lowest(landings))
        if (could_go_on(walk, bits_lowest(landings), as_king, direction))
            return false;
    return true;
}

/* Squares behind a victim up to the next piece. */
static uint64_t landings_behind(const struct walk *walk, int victim, int direction, bool as_king)
{
    const struct board *board = walk->variant->rules.board;
    if (!flies(walk, as_king))
        return bit_of(board->step[victim][direction]);
    uint64_t ray = board->ray[victim][direction];
    uint64_t blockers = ray & walk->occupied;
    if (blockers)
        ray &= ~(board->ray[board_nearest(board, direction, blockers)][direction] | blockers);
    return ray;
}

static void walk_on(struct walk *walk, int square, bool as_king, int last_direction);

static void land(struct walk *walk, int square, bool as_king, int direction)
{
    const struct rules *rules = &walk->variant->rules;
    bool at_top = square >= rules->board->squares - rules->board->width;
    if (at_top && !as_king && rules->crowned == CROWNED_STOP)
        return;
    if (at_top && rules->crowned == CROWNED_KING)
        as_king = true;
    walk->path.squares[walk->path.length++] = (uint8_t)square;
    walk_on(walk, square, as_king, direction);
    walk->path.length--;
}

/* The last jump: it has to end on the move's last square. */
static void finish(struct walk *walk, uint64_t landings, bool as_king, int direction)
{
    const struct rules *rules = &walk->variant->rules;
    int to = walk->move->to;
    if (!(landings & bit_of(to)))
        return;
    bool at_top = to >= rules->board->squares - rules->board->width;
    bool stops = at_top && !as_king && rules->crowned == CROWNED_STOP;
    bool goes_on_as_king = as_king || (at_top && rules->crowned == CROWNED_KING);
    if (!stops && !may_end(walk, landings, goes_on_as_king, direction))
        return;
    walk->path.squares[walk->path.length++] = (uint8_t)to;
    walk->found(walk);
    walk->path.length--;
}

static void walk_over(struct walk *walk, int victim, int direction, bool as_king)
{
    uint64_t occupied = walk->occupied;
    uint64_t kings_first = walk->kings_first;
    uint64_t landings = landings_behind(walk, victim, direction, as_king);
    walk->left &= ~bit_of(victim);
    walk->kings_first = kings_first << 1 | ((walk->king_victims >> victim) & 1);
    if (walk->variant->rules.gone_now)
        walk->occupied &= ~bit_of(victim);
    if (walk->left == 0)
        finish(walk, landings, as_king, direction);
    else
        for (; landings; landings = bits_without_lowest(landings))
            land(walk, bits_lowest(landings), as_king, direction);
    walk->occupied = occupied;
    walk->kings_first = kings_first;
    walk->left |= bit_of(victim);
}

static void walk_on(struct walk *walk, int square, bool as_king, int last_direction)
{
    unsigned directions = directions_after(walk, as_king, last_direction);
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        int victim = (directions >> direction) & 1 ? jumped(walk, square, direction, as_king) : NO_SQUARE;
        if (victim != NO_SQUARE && (walk->left & bit_of(victim)))
            walk_over(walk, victim, direction, as_king);
    }
}

static void walk_from_start(struct walk *walk)
{
    walk->left = walk->move->taken;
    walk->path.length = 1;
    walk->path.squares[0] = walk->move->from;
    walk_on(walk, walk->move->from, !walk->move->by_man, NO_DIRECTION);
}

/* True if the first path has the lower names at the first difference. Black's squares are turned, which
 * reverses their numbers. */
static bool path_is_lower(const struct walk *walk, const struct move_path *a, const struct move_path *b)
{
    for (int i = 0; i < a->length && i < b->length; i++)
        if (a->squares[i] != b->squares[i])
            return (variant_square_number(walk->variant, a->squares[i]) <
                    variant_square_number(walk->variant, b->squares[i])) != walk->black_to_move;
    return a->length < b->length;
}

/* Where the order of kings among the victims is a rule, a path with an earlier king comes before lower
 * squares. */
static void keep_lowest(struct walk *walk)
{
    uint64_t kings_first = walk->variant->rules.choice & KINGS_EARLIEST ? walk->kings_first : 0;
    if (walk->any && kings_first < walk->best_kings_first)
        return;
    if (walk->any && kings_first == walk->best_kings_first && !path_is_lower(walk, &walk->path, walk->best))
        return;
    walk->any = true;
    walk->best_kings_first = kings_first;
    *walk->best = walk->path;
}

void capture_path_lowest(const struct variant *variant, const struct position *own_view,
                         const struct move *move, bool black_to_move, struct move_path *path)
{
    struct walk walk = {.variant = variant,
                        .move = move,
                        .occupied = position_occupied(own_view) & ~bit_of(move->from),
                        .men = own_view->opponent_men & ~move->taken,
                        .kings = own_view->opponent_kings & ~move->taken,
                        .king_victims = own_view->opponent_kings & move->taken,
                        .found = keep_lowest,
                        .black_to_move = black_to_move,
                        .best = path};
    walk_from_start(&walk);
}

bool path_has_part(const struct move_path *path, const struct move_path *part)
{
    int matched = 0;
    for (int i = 0; i < path->length && matched < part->length; i++)
        matched += path->squares[i] == part->squares[matched];
    return matched == part->length;
}

static void note_if_through(struct walk *walk)
{
    walk->any |= path_has_part(&walk->path, walk->through);
}

bool capture_path_passes(const struct variant *variant, const struct move *move,
                         const struct move_path *through)
{
    struct walk walk = {.variant = variant,
                        .move = move,
                        .occupied = move->taken,
                        .found = note_if_through,
                        .through = through};
    walk_from_start(&walk);
    return walk.any;
}
