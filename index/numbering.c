/* Cells of a slice and the mixed-radix numbers of its positions. */
#include "numbering.h"

#include <stdlib.h>
#include <string.h>

/* A distribution is how many men of one side stand on each of the rows that its men can stand on, counted
 * from that side's own back row. It is numbered lexicographically. */

/* Ways to put `men` men into `rows` rows of any width: compositions with zeros. */
static uint64_t compositions(int rows, int men)
{
    return rows == 0 ? men == 0 : choose[men + rows - 1][men];
}

static int man_rows(const struct variant *variant)
{
    return variant_last_man_row(variant) - variant_first_man_row(variant) + 1;
}

static void distribution_at(uint8_t *counts, int rows, int men, uint64_t number)
{
    for (int row = 0; row < rows; row++) {
        counts[row] = 0;
        while (number >= compositions(rows - row - 1, men)) {
            number -= compositions(rows - row - 1, men);
            counts[row]++;
            men--;
        }
    }
}

/* Arrangements of a row with so many men of each side. */
static uint64_t row_arrangements(int width, int own, int opponent)
{
    return own + opponent > width ? 0 : choose[width][own] * choose[width - own][opponent];
}

/* Fills a cell from two distributions. False if a row is too full. */
static bool fill_cell(const struct variant *variant, const uint8_t *own, const uint8_t *opponent,
                      struct cell *cell)
{
    const struct board *board = variant->rules.board;
    int first = variant_first_man_row(variant);
    memset(cell, 0, sizeof *cell);
    for (int row = 0; row < man_rows(variant); row++) {
        cell->own_rows[first + row] = own[row];
        cell->opponent_rows[board->rows - 1 - first - row] = opponent[row];
        cell->advancement = (uint16_t)(cell->advancement + (first + row) * (own[row] + opponent[row]));
    }
    cell->arrangements = 1;
    for (int row = 0; row < board->rows; row++)
        cell->arrangements *= row_arrangements(board->width, cell->own_rows[row], cell->opponent_rows[row]);
    return cell->arrangements > 0;
}

static enum status count_kings(const struct variant *variant, struct slice slice, uint64_t *kings)
{
    int free = variant->rules.board->squares - slice_men(slice);
    if (free < slice.own_kings + slice.opponent_kings)
        return STATUS_BAD_SLICE;
    if (__builtin_mul_overflow(choose[free][slice.own_kings],
                               choose[free - slice.own_kings][slice.opponent_kings], kings))
        return STATUS_TOO_MANY_PIECES;
    return STATUS_OK;
}

/* Walks over all cells in order. With `numbering` their places are stored, else only counted. */
static enum status walk_cells(const struct variant *variant, struct slice slice, uint64_t kings,
                              struct numbering *numbering, uint32_t *cells, uint64_t *positions)
{
    int rows = man_rows(variant);
    uint64_t own_count = compositions(rows, slice.own_men);
    uint64_t opponent_count = compositions(rows, slice.opponent_men);
    uint8_t own[MAX_ROWS];
    uint8_t opponent[MAX_ROWS];
    *cells = 0;
    *positions = 0;
    for (uint64_t i = 0; i < own_count; i++) {
        distribution_at(own, rows, slice.own_men, i);
        for (uint64_t j = 0; j < opponent_count; j++) {
            struct cell cell;
            distribution_at(opponent, rows, slice.opponent_men, j);
            bool fits = fill_cell(variant, own, opponent, &cell);
            if (numbering)
                numbering->cell_grid[i * opponent_count + j] = fits ? *cells : NO_CELL;
            if (!fits)
                continue;
            cell.first = *positions;
            if (numbering)
                numbering->cells[*cells] = cell;
            uint64_t size;
            if (__builtin_mul_overflow(cell.arrangements, kings, &size) ||
                __builtin_add_overflow(*positions, size, positions))
                return STATUS_TOO_MANY_PIECES;
            ++*cells;
        }
    }
    return *cells > 0 ? STATUS_OK : STATUS_BAD_SLICE;
}

/* Cells grow with the square of the distributions; beyond this no machine could use the slice. */
enum { MOST_DISTRIBUTIONS = 1 << 26 };

static enum status check_size(const struct variant *variant, struct slice slice)
{
    uint64_t own = compositions(man_rows(variant), slice.own_men);
    uint64_t opponent = compositions(man_rows(variant), slice.opponent_men);
    return own * opponent > MOST_DISTRIBUTIONS ? STATUS_TOO_MANY_PIECES : STATUS_OK;
}

enum status numbering_count(const struct variant *variant, struct slice slice, uint64_t *positions)
{
    uint64_t kings;
    uint32_t cells;
    enum status status = count_kings(variant, slice, &kings);
    if (status == STATUS_OK)
        status = check_size(variant, slice);
    if (status == STATUS_OK)
        status = walk_cells(variant, slice, kings, NULL, &cells, positions);
    return status;
}

static void fill_before(struct numbering *numbering)
{
    int rows = man_rows(numbering->variant);
    for (int row = 0; row < rows; row++)
        for (int men = 0; men <= MAX_CHOSEN; men++)
            for (int count = 1; count <= men; count++)
                numbering->before[row][men][count] = numbering->before[row][men][count - 1] +
                                                     (uint32_t)compositions(rows - row - 1, men - count + 1);
}

static enum status fill(struct numbering *numbering, uint32_t cells)
{
    int rows = man_rows(numbering->variant);
    fill_before(numbering);
    numbering->opponent_distributions = (uint32_t)compositions(rows, numbering->slice.opponent_men);
    size_t grid = compositions(rows, numbering->slice.own_men) * numbering->opponent_distributions;
    numbering->cells = malloc(cells * sizeof *numbering->cells);
    numbering->cell_grid = malloc(grid * sizeof *numbering->cell_grid);
    if (!numbering->cells || !numbering->cell_grid)
        return STATUS_NO_MEMORY;
    return walk_cells(numbering->variant, numbering->slice, numbering->kings, numbering,
                      &numbering->cell_count, &numbering->positions);
}

enum status numbering_create(const struct variant *variant, struct slice slice, struct numbering **numbering)
{
    *numbering = NULL;
    uint64_t kings;
    enum status status = count_kings(variant, slice, &kings);
    if (status == STATUS_OK)
        status = check_size(variant, slice);
    if (status != STATUS_OK)
        return status;
    struct numbering *made = calloc(1, sizeof *made);
    if (!made)
        return STATUS_NO_MEMORY;
    made->variant = variant;
    made->slice = slice;
    made->kings = kings;
    uint32_t cells = 0;
    status = walk_cells(variant, slice, made->kings, NULL, &cells, &made->positions);
    if (status == STATUS_OK)
        status = fill(made, cells);
    if (status != STATUS_OK) {
        numbering_destroy(made);
        return status;
    }
    *numbering = made;
    return STATUS_OK;
}

void numbering_destroy(struct numbering *numbering)
{
    if (!numbering)
        return;
    free(numbering->cells);
    free(numbering->cell_grid);
    free(numbering);
}

/* Number of the distribution of own men, seen from own's back row. */
static uint32_t own_distribution(const struct numbering *numbering, uint64_t men)
{
    const struct board *board = numbering->variant->rules.board;
    int first = variant_first_man_row(numbering->variant);
    int left = numbering->slice.own_men;
    uint32_t number = 0;
    while (men) {
        int row = board_row_of(board, bits_lowest(men));
        int count = bits_count(men & board_row(board, row));
        number += numbering->before[row - first][left][count];
        left -= count;
        men &= ~board_row(board, row);
    }
    return number;
}

/* The same of the opponent's, from the other end of the board. */
static uint32_t opponent_distribution(const struct numbering *numbering, uint64_t men)
{
    const struct board *board = numbering->variant->rules.board;
    int last = board->rows - 1 - variant_first_man_row(numbering->variant);
    int left = numbering->slice.opponent_men;
    uint32_t number = 0;
    while (men) {
        int row = board_row_of(board, bits_highest(men));
        int count = bits_count(men & board_row(board, row));
        number += numbering->before[last - row][left][count];
        left -= count;
        men &= ~board_row(board, row);
    }
    return number;
}

uint32_t numbering_cell(const struct numbering *numbering, uint64_t own_men, uint64_t opponent_men)
{
    if (numbering->cell_count == 1)
        return 0;
    uint64_t i = own_distribution(numbering, own_men);
    uint64_t j = opponent_distribution(numbering, opponent_men);
    return numbering->cell_grid[i * numbering->opponent_distributions + j];
}

uint64_t numbering_men(const struct numbering *numbering, uint64_t own_men, uint64_t opponent_men)
{
    const struct board *board = numbering->variant->rules.board;
    uint64_t men = 0;
    uint64_t all = own_men | opponent_men;
    while (all) {
        uint64_t row = board_row(board, board_row_of(board, bits_lowest(all)));
        uint64_t own = own_men & row;
        uint64_t opponent = opponent_men & row;
        int own_count = bits_count(own);
        uint64_t digit =
            combination_number(row, own) * choose[board->width - own_count][bits_count(opponent)] +
            combination_number(row & ~own, opponent);
        men = men * row_arrangements(board->width, own_count, bits_count(opponent)) + digit;
        all &= ~row;
    }
    return men;
}

void numbering_men_at(const struct numbering *numbering, uint32_t cell_number, uint64_t men,
                      uint64_t *own_men, uint64_t *opponent_men)
{
    const struct board *board = numbering->variant->rules.board;
    const struct cell *cell = &numbering->cells[cell_number];
    *own_men = 0;
    *opponent_men = 0;
    for (int row = board->rows - 1; row >= 0; row--) {
        int own = cell->own_rows[row];
        int opponent = cell->opponent_rows[row];
        if (own + opponent == 0)
            continue;
        /* Never 0: no cell has a row that is too full. */
        uint64_t radix = row_arrangements(board->width, own, opponent);
        uint64_t digit = men % radix; /* NOLINT(clang-analyzer-core.DivideZero) */
        men /= radix;
        uint64_t squares = board_row(board, row);
        uint64_t placements = choose[board->width - own][opponent];
        uint64_t own_set = combination_at(squares, own, digit / placements);
        *own_men |= own_set;
        *opponent_men |= combination_at(squares & ~own_set, opponent, digit % placements);
    }
}

uint32_t numbering_cell_at(const struct numbering *numbering, uint64_t number)
{
    uint32_t low = 0;
    uint32_t high = numbering->cell_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (numbering->cells[middle].first <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint64_t numbering_number(const struct numbering *numbering, const struct position *position)
{
    const struct board *board = numbering->variant->rules.board;
    uint64_t free = board_all(board) & ~(position->own_men | position->opponent_men);
    uint64_t placements = numbering_opponent_placements(board, numbering->slice);
    uint64_t kings = numbering_kings(free, position->own_kings, position->opponent_kings, placements);
    uint32_t cell = numbering_cell(numbering, position->own_men, position->opponent_men);
    uint64_t men = numbering_men(numbering, position->own_men, position->opponent_men);
    return numbering->cells[cell].first + men * numbering->kings + kings;
}

struct position numbering_position(const struct numbering *numbering, uint64_t number)
{
    const struct board *board = numbering->variant->rules.board;
    struct position position;
    uint32_t cell = numbering_cell_at(numbering, number);
    uint64_t in_cell = number - numbering->cells[cell].first;
    numbering_men_at(numbering, cell, in_cell / numbering->kings, &position.own_men, &position.opponent_men);
    uint64_t kings = in_cell % numbering->kings;
    uint64_t placements = numbering_opponent_placements(board, numbering->slice);
    uint64_t free = board_all(board) & ~(position.own_men | position.opponent_men);
    position.own_kings = combination_at(free, numbering->slice.own_kings, kings / placements);
    position.opponent_kings =
        combination_at(free & ~position.own_kings, numbering->slice.opponent_kings, kings % placements);
    return position;
}
