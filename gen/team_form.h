/* How a unit is cut for a team of ranks: places as rows, a row being what one side's pieces can be, and which
 * rank has a row. What is known of a place is not here.
 *
 * A form is one side's: a row is a placement of its own pieces, a column one of its opponent's beside them,
 * all seen by itself. Moves of the opponent change columns only and never leave the row. Where a unit has one
 * placement of men, the index of a place in the form of its side to move is just its canonical number in the
 * unit. Where men step sideways a row's kings are numbered as if there were no men of the opponent: places on
 * which they would stand are holes. */
#ifndef GEN_TEAM_FORM_H
#define GEN_TEAM_FORM_H

#include "unit.h"
#include "unit_exits.h"

/* One placement of the men, seen by the side whose form it is. */
struct form_men {
    uint64_t row_men;
    uint64_t column_men;
    uint32_t twin; /* the same men in the other form: number of its struct form_men */
};

struct team_form {
    const struct board *board;
    struct slice slice;            /* seen by the form's side, to move */
    int side;                      /* as unit_placement counts them */
    bool joined;                   /* the unit has many placements of men */
    uint32_t row_men;              /* arrangements of the men of the form's side */
    uint32_t column_men;           /* of the opponent's beside them */
    uint32_t row_weight[MAX_ROWS]; /* of the digit of each row of the board in the arrangement */
    uint32_t column_weight[MAX_ROWS];
    uint64_t row_kings;    /* placements of own kings for one of the men */
    uint64_t column_kings; /* of the opponent's for one of everything else */
    uint64_t rows;         /* row_men * row_kings */
    uint64_t columns;      /* column_men * column_kings */
    struct form_men *men;  /* [arrangement of own men][of the opponent's] */
    uint64_t *column_sets; /* by number: the opponent's kings, as a subset of the lowest squares */
};

/* Both forms of a unit. A unit that is its own mirror has one: turned, the places of either side to move are
 * those of the other. None where the places are holes. */
struct team_forms {
    struct unit unit;
    int count;
    int ranks;
    uint64_t bytes; /* of memory that the tables take */
    struct team_form of[2];
};

/* Makes the forms for a team of so many ranks; the caller destroys them, also after a failure. */
enum status team_forms_create(const struct unit *unit, int ranks, struct team_forms *forms);
void team_forms_destroy(struct team_forms *forms);

/* Fills in sizes without making tables: all that memory depends on. */
void team_forms_measure(const struct unit *unit, int ranks, struct team_forms *forms);

/* The form of the other side: where the places lie whose side to move this form's moves lead to. */
static inline int team_other_form(const struct team_forms *forms, int form)
{
    return forms->count == 2 ? 1 - form : 0;
}

/* First row of a rank; that of the rank after the last is the end. */
static inline uint64_t team_first_row(const struct team_forms *forms, int form, int rank)
{
    return forms->of[form].rows * (unsigned)rank / (unsigned)forms->ranks;
}

/* The rank that has a row. */
static inline int team_owner(const struct team_forms *forms, int form, uint64_t row)
{
    return (int)(((row + 1) * (unsigned)forms->ranks - 1) / forms->of[form].rows);
}

static inline uint64_t form_free(const struct team_form *form, const struct form_men *men)
{
    return board_all(form->board) & ~(men->row_men | men->column_men);
}

/* Squares among which a row's kings are numbered. */
static inline uint64_t form_row_free(const struct team_form *form, const struct form_men *men)
{
    return board_all(form->board) & ~(men->row_men | (form->joined ? 0 : men->column_men));
}

/* Number of the men after one of the opponent's has stepped sideways (squares as the form's side sees them).
 */
uint32_t form_men_after(const struct team_form *form, uint32_t men, struct side_step step);

/* Neighbouring places of the piece, in its canonical order. */
struct place_range {
    uint64_t first;
    uint64_t count;
};

/* Where the search for ranges is; begins as zeros. */
struct range_cursor {
    uint64_t men;
    int side;
};

/* The next range of canonical places, whose side to move has its own pieces in the rank's rows. Ascending.
 * False after the last. */
bool team_next_range(const struct team_forms *forms, int rank, struct range_cursor *cursor,
                     struct place_range *range);

/* Walks over canonical places as runs of neighbouring indexes of a form. */
struct form_run {
    int form;
    uint64_t index; /* in the form, of the first */
    uint64_t count;
    const struct team_forms *forms;
    struct place_range rest; /* places to come */
    struct placement placement;
    struct combination own_kings;
    uint32_t men;
    uint64_t kings; /* number in its placement of the place to come */
};

/* Begins before the first run of the range. */
void form_run_begin(struct form_run *run, const struct team_forms *forms, const struct place_range *range);
/* False if there is no further run. */
bool form_run_next(struct form_run *run);

#endif
