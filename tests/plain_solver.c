/*
 * Value iteration over all positions with few pieces: number the positions, generate all moves
 * once, then sweep over what is undecided, round by round, until a round changes nothing. The
 * round in which a position is decided is its distance to the end in plies. Rules come from
 * slow_rules only.
 */
#include "plain_solver.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * A position has a code: for each number of pieces, the rank of its set of squares among the sets
 * of that size, two bits for the kind of each piece, one bit for the side to move. Codes have
 * holes (men where none may stand, a side without pieces, limits); ids are the codes without them.
 */
struct plain_solution {
    const struct slow_variant *variant;
    struct plain_limit limit;
    int squares;
    int cell_of_square[SLOW_MAX_CELLS];
    bool white_man_may_stand[SLOW_MAX_CELLS]; /* by square */
    bool black_man_may_stand[SLOW_MAX_CELLS];
    uint64_t subsets[SLOW_MAX_CELLS + 1][PLAIN_MAX_PIECES + 1]; /* [n][k]: n choose k */
    uint64_t first_code[PLAIN_MAX_PIECES + 2];                  /* by number of pieces */
    uint32_t *id_of_code;
    uint32_t *code_of_id;
    size_t count;
    uint8_t *value;  /* [count + 1]: the last stands for every position in which the side to */
    uint16_t *plies; /* move has no piece left, lost in 0 plies */
    uint16_t *dtz;
};

/* The successors of position i: next[first[i]] to next[first[i + 1] - 1], each with whether the move
 * zeroes. */
struct successors {
    size_t *first;
    uint32_t *next;
    bool *zeroes;
    size_t capacity;
};

/* What a position is worth until a round decides it. */
static const enum plain_value UNDECIDED = PLAIN_ABSENT;

static const uint32_t NO_ID = UINT32_MAX;
static const char kinds[4] = {'w', 'W', 'b', 'B'};

/* ---- Codes ---- */

static void count_subsets(struct plain_solution *solution)
{
    for (int n = 0; n <= SLOW_MAX_CELLS; n++) {
        solution->subsets[n][0] = 1;
        for (int k = 1; k <= PLAIN_MAX_PIECES; k++) {
            solution->subsets[n][k] =
                n == 0 ? 0 : solution->subsets[n - 1][k - 1] + solution->subsets[n - 1][k];
        }
    }
}

static void prepare(struct plain_solution *solution, const struct slow_variant *variant,
                    const struct plain_limit *limit)
{
    solution->variant = variant;
    solution->limit = *limit;
    solution->squares = slow_square_count(variant);
    for (int square = 0; square < solution->squares; square++) {
        int cell = slow_cell_of_number(variant, square + 1);
        solution->cell_of_square[square] = cell;
        solution->white_man_may_stand[square] = slow_man_may_stand(variant, true, cell);
        solution->black_man_may_stand[square] = slow_man_may_stand(variant, false, cell);
    }
    count_subsets(solution);
    for (int k = 1; k <= PLAIN_MAX_PIECES; k++) {
        uint64_t codes = 2 * (solution->subsets[solution->squares][k] << (2 * k));
        solution->first_code[k + 1] = solution->first_code[k] + codes;
    }
}

static uint64_t code_count(const struct plain_solution *solution)
{
    return solution->first_code[solution->limit.pieces + 1];
}

/* What stands on the board, as a list in ascending order of squares. */
struct placement {
    int pieces;
    int square[PLAIN_MAX_PIECES];
    int kind[PLAIN_MAX_PIECES]; /* index into kinds */
    bool white_to_move;
};

static int kind_of(char piece)
{
    switch (piece) {
    case 'w': return 0;
    case 'W': return 1;
    case 'b': return 2;
    default: return 3;
    }
}

/* Lists a position's pieces. False if there are more than any solution has. */
static bool list_pieces(const struct plain_solution *solution, const struct slow_position *position,
                        struct placement *placement)
{
    placement->pieces = 0;
    placement->white_to_move = position->white_to_move;
    for (int square = 0; square < solution->squares; square++) {
        char piece = position->at[solution->cell_of_square[square]];
        if (piece == '.') {
            continue;
        }
        if (placement->pieces == solution->limit.pieces) {
            return false;
        }
        placement->square[placement->pieces] = square;
        placement->kind[placement->pieces++] = kind_of(piece);
    }
    return true;
}

static uint64_t code_of(const struct plain_solution *solution, const struct placement *placement)
{
    uint64_t rank = 0;
    uint64_t kind_digits = 0;

    for (int i = 0; i < placement->pieces; i++) {
        rank += solution->subsets[placement->square[i]][i + 1];
        kind_digits |= (uint64_t)placement->kind[i] << (2 * i);
    }
    uint64_t code = (rank << (2 * placement->pieces)) | kind_digits;
    return solution->first_code[placement->pieces] + 2 * code + placement->white_to_move;
}

static struct placement placement_of(const struct plain_solution *solution, uint64_t code)
{
    struct placement placement = {.pieces = 1};

    while (code >= solution->first_code[placement.pieces + 1]) {
        placement.pieces++;
    }
    code -= solution->first_code[placement.pieces];
    placement.white_to_move = code % 2 == 1;
    code /= 2;
    uint64_t rank = code >> (2 * placement.pieces);
    int square = solution->squares;
    for (int i = placement.pieces - 1; i >= 0; i--) {
        do {
            square--;
        } while (solution->subsets[square][i + 1] > rank);
        rank -= solution->subsets[square][i + 1];
        placement.square[i] = square;
        placement.kind[i] = (int)(code >> (2 * i)) & 3;
    }
    return placement;
}

static struct slow_position position_of(const struct plain_solution *solution,
                                        const struct placement *placement)
{
    struct slow_position position;

    memset(position.at, '.', sizeof position.at);
    position.white_to_move = placement->white_to_move;
    for (int i = 0; i < placement->pieces; i++) {
        position.at[solution->cell_of_square[placement->square[i]]] = kinds[placement->kind[i]];
    }
    return position;
}

static bool side_is_within(const struct plain_limit *limit, int pieces, int men)
{
    return pieces > 0 && pieces <= limit->side_pieces && men <= limit->side_men;
}

/* Is it a position of this solution? */
static bool is_wanted(const struct plain_solution *solution, const struct placement *placement)
{
    int number[4] = {0};

    for (int i = 0; i < placement->pieces; i++) {
        int square = placement->square[i];
        char piece = kinds[placement->kind[i]];
        if ((piece == 'w' && !solution->white_man_may_stand[square]) ||
            (piece == 'b' && !solution->black_man_may_stand[square])) {
            return false;
        }
        number[placement->kind[i]]++;
    }
    return side_is_within(&solution->limit, number[0] + number[1], number[0]) &&
           side_is_within(&solution->limit, number[2] + number[3], number[2]);
}

static bool lacks_a_side(const struct placement *placement)
{
    bool white = false;
    bool black = false;

    for (int i = 0; i < placement->pieces; i++) {
        bool piece_is_white = placement->kind[i] < 2;
        white = white || piece_is_white;
        black = black || !piece_is_white;
    }
    return !white || !black;
}

/* The id of a position; NO_ID if it is not of this solution. */
static uint32_t id_of(const struct plain_solution *solution, const struct slow_position *position)
{
    struct placement placement;

    if (!list_pieces(solution, position, &placement) || placement.pieces == 0) {
        return NO_ID;
    }
    return solution->id_of_code[code_of(solution, &placement)];
}

/* Gives every wanted position its id. */
static int number_positions(struct plain_solution *solution)
{
    uint64_t codes = code_count(solution);

    if (codes >= NO_ID) {
        return -1;
    }
    solution->id_of_code = malloc(codes * sizeof *solution->id_of_code);
    solution->code_of_id = malloc(codes * sizeof *solution->code_of_id);
    if (solution->id_of_code == NULL || solution->code_of_id == NULL) {
        return -1;
    }
    for (uint64_t code = 0; code < codes; code++) {
        struct placement placement = placement_of(solution, code);
        solution->id_of_code[code] = NO_ID;
        if (is_wanted(solution, &placement)) {
            solution->id_of_code[code] = (uint32_t)solution->count;
            solution->code_of_id[solution->count++] = (uint32_t)code;
        }
    }
    size_t size = (solution->count + 1) * sizeof *solution->code_of_id;
    uint32_t *smaller = size < codes * sizeof *smaller ? realloc(solution->code_of_id, size) : NULL;
    if (smaller != NULL) {
        solution->code_of_id = smaller;
    }
    return 0;
}

/* ---- Successors ---- */

static int make_room(struct successors *successors, size_t needed)
{
    if (needed <= successors->capacity) {
        return 0;
    }
    size_t capacity = needed + needed / 4 + 1024;
    uint32_t *next = realloc(successors->next, capacity * sizeof *next);
    if (next == NULL) {
        return -1;
    }
    successors->next = next;
    bool *zeroes = realloc(successors->zeroes, capacity * sizeof *zeroes);
    if (zeroes == NULL) {
        return -1;
    }
    successors->zeroes = zeroes;
    successors->capacity = capacity;
    return 0;
}

/* The id of a move's result, `count` if it leaves the other side without a piece. */
static uint32_t id_after(const struct plain_solution *solution, const struct slow_move *move)
{
    struct placement placement;

    if (move->taken_count > 0 && list_pieces(solution, &move->result, &placement) &&
        lacks_a_side(&placement)) {
        return (uint32_t)solution->count;
    }
    return id_of(solution, &move->result);
}

/* The value of a position that needs no look at its moves' results, or UNDECIDED. */
static enum plain_value value_at_once(const struct plain_solution *solution,
                                      const struct slow_position *position,
                                      const struct slow_move_list *moves)
{
    if (moves->count == 0) {
        return PLAIN_LOSS;
    }
    switch (slow_special_end(solution->variant, position, moves)) {
    case SLOW_END_WON: return PLAIN_WIN;
    case SLOW_END_LOST: return PLAIN_LOSS;
    case SLOW_END_DRAWN: return PLAIN_DRAW;
    case SLOW_PLAYED_ON: break;
    }
    return UNDECIDED;
}

/* Generates the moves of position i and writes down where they lead, or what it is worth. */
static int expand(struct plain_solution *solution, size_t i, struct successors *successors,
                  struct slow_move_list *moves)
{
    struct placement placement = placement_of(solution, solution->code_of_id[i]);
    struct slow_position position = position_of(solution, &placement);
    size_t used = successors->first[i];

    if (slow_moves(solution->variant, &position, moves) < 0) {
        return -1;
    }
    solution->value[i] = (uint8_t)value_at_once(solution, &position, moves);
    if (solution->value[i] == UNDECIDED) {
        if (make_room(successors, used + (size_t)moves->count) != 0) {
            return -1;
        }
        for (int k = 0; k < moves->count; k++) {
            uint32_t id = id_after(solution, &moves->moves[k]);
            if (id == NO_ID) {
                return -1; /* a move out of the set: the rules are broken */
            }
            successors->zeroes[used] = slow_move_zeroes(solution->variant, &moves->moves[k]);
            successors->next[used++] = id;
        }
    }
    successors->first[i + 1] = used;
    return 0;
}

static int expand_all(struct plain_solution *solution, struct successors *successors)
{
    struct slow_move_list moves = {0};
    int status = 0;

    successors->first = calloc(solution->count + 1, sizeof *successors->first);
    solution->value = calloc(solution->count + 1, sizeof *solution->value);
    solution->plies = calloc(solution->count + 1, sizeof *solution->plies);
    solution->dtz = calloc(solution->count + 1, sizeof *solution->dtz);
    if (successors->first == NULL || solution->value == NULL || solution->plies == NULL ||
        solution->dtz == NULL) {
        return -1;
    }
    for (size_t i = 0; i < solution->count && status == 0; i++) {
        status = expand(solution, i, successors, &moves);
    }
    solution->value[solution->count] = PLAIN_LOSS;
    slow_move_list_free(&moves);
    return status;
}

/* ---- Value iteration ---- */

/*
 * The value of an undecided position from what earlier rounds have decided. A value found in this
 * same round must not be seen: the round would no longer be the distance to the end.
 */
static enum plain_value look_ahead(const struct plain_solution *solution, const struct successors *successors,
                                   size_t i, unsigned round)
{
    bool all_won = true;

    for (size_t k = successors->first[i]; k < successors->first[i + 1]; k++) {
        uint32_t next = successors->next[k];
        bool known = solution->value[next] != UNDECIDED && solution->plies[next] < round;
        if (known && solution->value[next] == PLAIN_LOSS) {
            return PLAIN_WIN;
        }
        all_won = all_won && known && solution->value[next] == PLAIN_WIN;
    }
    return all_won ? PLAIN_LOSS : UNDECIDED;
}

/* One round over a list of undecided positions; decided ones leave it. Returns its new length. */
static size_t sweep(struct plain_solution *solution, const struct successors *successors, uint32_t *undecided,
                    size_t length, unsigned round)
{
    size_t kept = 0;

    for (size_t k = 0; k < length; k++) {
        uint32_t id = undecided[k];
        enum plain_value value = look_ahead(solution, successors, id, round);
        if (value == UNDECIDED) {
            undecided[kept++] = id;
        } else {
            solution->value[id] = (uint8_t)value;
            solution->plies[id] = (uint16_t)round;
        }
    }
    return kept;
}

static int iterate(struct plain_solution *solution, const struct successors *successors)
{
    uint32_t *undecided = malloc((solution->count + 1) * sizeof *undecided);
    size_t length = 0;

    if (undecided == NULL) {
        return -1;
    }
    for (size_t i = 0; i < solution->count; i++) {
        if (solution->value[i] == UNDECIDED) {
            undecided[length++] = (uint32_t)i;
        }
    }
    size_t before;
    unsigned round = 1;
    do {
        before = length;
        length = sweep(solution, successors, undecided, length, round++);
    } while (length < before && round <= UINT16_MAX);
    for (size_t k = 0; k < length; k++) {
        solution->value[undecided[k]] = PLAIN_DRAW;
    }
    free(undecided);
    return length < before ? -1 : 0; /* -1: more rounds than plies can count */
}

/* ---- Plies to zeroing moves ---- */

/*
 * Plain values are known by now. Zeroing moves lead to fewer pieces or, where a man's step zeroes,
 * to fewer men or men further on; so positions are taken group by group in that order, and within a
 * group ply by ply: a ply decides the positions that have it as their DTZ.
 */
enum {
    GROUPS_OF_MEN = 10 * PLAIN_MAX_PIECES, /* a man has fewer than 10 rows to go */
    GROUPS = (PLAIN_MAX_PIECES + 1) * (PLAIN_MAX_PIECES + 1) * GROUPS_OF_MEN
};

static const uint16_t NOT_YET = UINT16_MAX;

static size_t group_of(const struct plain_solution *solution, size_t i)
{
    const struct slow_variant *variant = solution->variant;
    struct placement placement = placement_of(solution, solution->code_of_id[i]);
    size_t men = 0;
    size_t rows_to_go = 0;

    for (int k = 0; k < placement.pieces && !variant->only_captures_zero; k++) {
        char piece = kinds[placement.kind[k]];
        int row = solution->cell_of_square[placement.square[k]] / variant->width;
        men += piece == 'w' || piece == 'b';
        rows_to_go += (size_t)(piece == 'w' ? variant->width - 1 - row : piece == 'b' ? row : 0);
    }
    return ((size_t)placement.pieces * (PLAIN_MAX_PIECES + 1) + men) * GROUPS_OF_MEN + rows_to_go;
}

static bool is_spoilt(const struct plain_solution *solution, uint32_t id)
{
    int limit = solution->variant->limit;
    return solution->value[id] != PLAIN_DRAW && limit > 0 && solution->dtz[id] > limit;
}

/* The plies that a move counts, NOT_YET if that is still to be seen. */
static unsigned plies_through(const struct plain_solution *solution, const struct successors *successors,
                              size_t k)
{
    uint32_t next = successors->next[k];

    if (successors->zeroes[k]) {
        return is_spoilt(solution, next) ? (unsigned)solution->variant->limit + 1 : 1;
    }
    return solution->dtz[next] == NOT_YET ? NOT_YET : solution->dtz[next] + 1U;
}

/* Has the decided position i this DTZ, as far as smaller ones are known? */
static bool has_dtz(const struct plain_solution *solution, const struct successors *successors, size_t i,
                    unsigned dtz)
{
    bool won = solution->value[i] == PLAIN_WIN;
    unsigned greatest = 0;

    for (size_t k = successors->first[i]; k < successors->first[i + 1]; k++) {
        bool kept = !won || solution->value[successors->next[k]] == PLAIN_LOSS;
        unsigned plies = kept ? plies_through(solution, successors, k) : NOT_YET;
        if (won && plies == dtz) {
            return true;
        }
        greatest = plies > greatest ? plies : greatest;
    }
    return !won && greatest == dtz;
}

/* Decides a group of positions; plies that a limit adds are waited for. */
static int count_group(struct plain_solution *solution, const struct successors *successors,
                       uint32_t *waiting, size_t length)
{
    unsigned last = (unsigned)solution->variant->limit + 1;
    unsigned dtz = 0;

    for (bool changed = true; length > 0; dtz++) {
        size_t kept = 0;
        if ((!changed && dtz > last) || dtz >= NOT_YET) {
            return -1; /* a win that nothing leads to */
        }
        changed = false;
        for (size_t k = 0; k < length; k++) {
            uint32_t id = waiting[k];
            if (has_dtz(solution, successors, id, dtz)) {
                solution->dtz[id] = (uint16_t)dtz;
                changed = true;
            } else {
                waiting[kept++] = id;
            }
        }
        length = kept;
    }
    return 0;
}

/* Sorts the won and lost positions by their groups; end[g] is where group g ends. */
static void sort_by_group(struct plain_solution *solution, uint32_t *sorted, size_t *end)
{
    for (size_t i = 0; i < solution->count; i++) {
        if (solution->value[i] != PLAIN_DRAW) {
            end[group_of(solution, i) + 1]++;
        }
    }
    for (size_t group = 1; group < GROUPS; group++) {
        end[group] += end[group - 1];
    }
    for (size_t i = 0; i < solution->count; i++) {
        if (solution->value[i] != PLAIN_DRAW) {
            sorted[end[group_of(solution, i)]++] = (uint32_t)i;
            solution->dtz[i] = NOT_YET;
        }
    }
}

/* Positions that are over, with no move or by a special end, have DTZ 0 like one without pieces. */
static int count_dtz(struct plain_solution *solution, const struct successors *successors)
{
    uint32_t *sorted = malloc((solution->count + 1) * sizeof *sorted);
    size_t *end = calloc(GROUPS + 1, sizeof *end);
    int status = sorted != NULL && end != NULL ? 0 : -1;

    if (status == 0) {
        sort_by_group(solution, sorted, end);
    }
    for (size_t i = 0; i < solution->count && status == 0; i++) {
        if (solution->value[i] != PLAIN_DRAW && successors->first[i] == successors->first[i + 1]) {
            solution->dtz[i] = 0;
        }
    }
    size_t begin = 0;
    for (size_t group = 0; group < GROUPS && status == 0; group++) {
        size_t waiting = begin;
        for (size_t k = begin; k < end[group]; k++) {
            if (solution->dtz[sorted[k]] == NOT_YET) {
                sorted[waiting++] = sorted[k];
            }
        }
        status = count_group(solution, successors, sorted + begin, waiting - begin);
        begin = end[group];
    }
    free(sorted);
    free(end);
    return status;
}

/* ---- Solutions ---- */

int plain_solve_limited(const struct slow_variant *variant, const struct plain_limit *limit,
                        struct plain_solution **out)
{
    struct successors successors = {0};
    int status = -1;

    *out = NULL;
    if (limit->pieces < 2 || limit->pieces > PLAIN_MAX_PIECES) {
        return -1;
    }
    struct plain_solution *solution = calloc(1, sizeof *solution);
    if (solution == NULL) {
        return -1;
    }
    prepare(solution, variant, limit);
    if (number_positions(solution) == 0 && expand_all(solution, &successors) == 0) {
        status = iterate(solution, &successors);
    }
    if (status == 0) {
        status = count_dtz(solution, &successors);
    }
    free(successors.first);
    free(successors.next);
    free(successors.zeroes);
    if (status != 0) {
        plain_free(solution);
        return -1;
    }
    *out = solution;
    return 0;
}

int plain_solve(const struct slow_variant *variant, int pieces, struct plain_solution **out)
{
    struct plain_limit limit = {pieces, pieces, pieces};

    return plain_solve_limited(variant, &limit, out);
}

void plain_free(struct plain_solution *solution)
{
    if (solution == NULL) {
        return;
    }
    free(solution->id_of_code);
    free(solution->code_of_id);
    free(solution->value);
    free(solution->plies);
    free(solution->dtz);
    free(solution);
}

enum plain_value plain_value_of(const struct plain_solution *solution, const struct slow_position *position)
{
    uint32_t id = id_of(solution, position);

    return id == NO_ID ? PLAIN_ABSENT : (enum plain_value)solution->value[id];
}

int plain_plies(const struct plain_solution *solution, const struct slow_position *position)
{
    uint32_t id = id_of(solution, position);

    return id == NO_ID ? -1 : plain_plies_at(solution, id);
}

int plain_plies_at(const struct plain_solution *solution, size_t i)
{
    return solution->value[i] == PLAIN_DRAW ? -1 : solution->plies[i];
}

int plain_dtz(const struct plain_solution *solution, const struct slow_position *position)
{
    uint32_t id = id_of(solution, position);

    return id == NO_ID ? -1 : plain_dtz_at(solution, id);
}

int plain_dtz_at(const struct plain_solution *solution, size_t i)
{
    return solution->value[i] == PLAIN_DRAW ? -1 : solution->dtz[i];
}

bool plain_is_spoilt(const struct plain_solution *solution, const struct slow_position *position)
{
    uint32_t id = id_of(solution, position);

    return id != NO_ID && is_spoilt(solution, id);
}

bool plain_is_spoilt_at(const struct plain_solution *solution, size_t i)
{
    return is_spoilt(solution, (uint32_t)i);
}

size_t plain_count(const struct plain_solution *solution)
{
    return solution->count;
}

void plain_position(const struct plain_solution *solution, size_t i, struct slow_position *position,
                    enum plain_value *value)
{
    struct placement placement = placement_of(solution, solution->code_of_id[i]);

    *position = position_of(solution, &placement);
    *value = (enum plain_value)solution->value[i];
}

size_t plain_count_placements(const struct slow_variant *variant, int pieces)
{
    struct plain_limit limit = {pieces, pieces, pieces};
    struct plain_solution solution = {0};
    size_t count = 0;

    if (pieces < 2 || pieces > PLAIN_MAX_PIECES) {
        return 0;
    }
    prepare(&solution, variant, &limit);
    for (uint64_t code = solution.first_code[pieces]; code < code_count(&solution); code++) {
        struct placement placement = placement_of(&solution, code);
        count += placement.white_to_move && is_wanted(&solution, &placement);
    }
    return count;
}
