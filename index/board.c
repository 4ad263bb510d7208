/* The tables of the three boards, written as constant expressions so that nothing has to be set up at
 * run time. */
#include "board.h"

/* Square s of a diagonal board with w squares in a row. */
#define D_ROW(w, s) ((s) / (w))
#define D_COLUMN(w, s) (2 * ((s) % (w)) + (D_ROW(w, s) & 1))
#define D_INSIDE(w, row, column) ((row) >= 0 && (row) < 2 * (w) && (column) >= 0 && (column) < 2 * (w))
#define D_SQUARE(w, row, column) ((row) * (w) + (column) / 2)
#define D_STEP(w, s, up, right)                                                                              \
    (uint8_t)((s) < 2 * (w) * (w) && D_INSIDE(w, D_ROW(w, s) + (up), D_COLUMN(w, s) + (right))               \
                  ? D_SQUARE(w, D_ROW(w, s) + (up), D_COLUMN(w, s) + (right))                                \
                  : NO_SQUARE)

#define O_INSIDE(row, column) ((row) >= 0 && (row) < 8 && (column) >= 0 && (column) < 8)
#define O_STEP(w, s, up, right)                                                                              \
    (uint8_t)(O_INSIDE((s) / 8 + (up), (s) % 8 + (right)) ? (s) + 8 * (up) + (right) : NO_SQUARE)

#define BIT_OR_NONE(square) ((square) < NO_SQUARE ? UINT64_C(1) << ((square)&63) : 0)
#define RAY(step, w, s, up, right)                                                                           \
    (BIT_OR_NONE(step(w, s, up, right)) | BIT_OR_NONE(step(w, s, 2 * (up), 2 * (right))) |                   \
     BIT_OR_NONE(step(w, s, 3 * (up), 3 * (right))) | BIT_OR_NONE(step(w, s, 4 * (up), 4 * (right))) |       \
     BIT_OR_NONE(step(w, s, 5 * (up), 5 * (right))) | BIT_OR_NONE(step(w, s, 6 * (up), 6 * (right))) |       \
     BIT_OR_NONE(step(w, s, 7 * (up), 7 * (right))) | BIT_OR_NONE(step(w, s, 8 * (up), 8 * (right))) |       \
     BIT_OR_NONE(step(w, s, 9 * (up), 9 * (right))))

#define DIAGONAL_STEPS(w, s)                                                                                 \
    {D_STEP(w, s, 1, -1), D_STEP(w, s, 1, 1), D_STEP(w, s, -1, 1), D_STEP(w, s, -1, -1)},
#define DIAGONAL_RAYS(w, s)                                                                                  \
    {RAY(D_STEP, w, s, 1, -1), RAY(D_STEP, w, s, 1, 1), RAY(D_STEP, w, s, -1, 1), RAY(D_STEP, w, s, -1, -1)},
#define ORTHOGONAL_STEPS(w, s)                                                                               \
    {O_STEP(w, s, 0, -1), O_STEP(w, s, 1, 0), O_STEP(w, s, 0, 1), O_STEP(w, s, -1, 0)},
#define ORTHOGONAL_RAYS(w, s)                                                                                \
    {RAY(O_STEP, w, s, 0, -1), RAY(O_STEP, w, s, 1, 0), RAY(O_STEP, w, s, 0, 1), RAY(O_STEP, w, s, -1, 0)},

#define EACH_OF_8(entry, w, s)                                                                               \
    entry(w, (s)) entry(w, (s) + 1) entry(w, (s) + 2) entry(w, (s) + 3) entry(w, (s) + 4) entry(w, (s) + 5)  \
        entry(w, (s) + 6) entry(w, (s) + 7)
#define EACH_SQUARE(entry, w)                                                                                \
    EACH_OF_8(entry, w, 0)                                                                                   \
    EACH_OF_8(entry, w, 8)                                                                                   \
    EACH_OF_8(entry, w, 16)                                                                                  \
    EACH_OF_8(entry, w, 24)                                                                                  \
    EACH_OF_8(entry, w, 32) EACH_OF_8(entry, w, 40) EACH_OF_8(entry, w, 48) EACH_OF_8(entry, w, 56)

const struct board board_8x8_diagonal = {
    .squares = 32,
    .rows = 8,
    .width = 4,
    .per_row = 64,
    .columns = 8,
    .rising = 1 << UP_LEFT | 1 << UP_RIGHT,
    .orthogonal = false,
    .step = {EACH_SQUARE(DIAGONAL_STEPS, 4)},
    .ray = {EACH_SQUARE(DIAGONAL_RAYS, 4)},
};

const struct board board_10x10_diagonal = {
    .squares = 50,
    .rows = 10,
    .width = 5,
    .per_row = 52,
    .columns = 10,
    .rising = 1 << UP_LEFT | 1 << UP_RIGHT,
    .orthogonal = false,
    .step = {EACH_SQUARE(DIAGONAL_STEPS, 5)},
    .ray = {EACH_SQUARE(DIAGONAL_RAYS, 5)},
};

const struct board board_8x8_orthogonal = {
    .squares = 64,
    .rows = 8,
    .width = 8,
    .per_row = 32,
    .columns = 8,
    .rising = 1 << UP | 1 << RIGHT,
    .orthogonal = true,
    .step = {EACH_SQUARE(ORTHOGONAL_STEPS, 8)},
    .ray = {EACH_SQUARE(ORTHOGONAL_RAYS, 8)},
};
