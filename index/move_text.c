/* Moves written, sorted by their text, and read. Which squares a capture may pass is in capture_path.c. */
#include "move_text.h"

#include "capture_path.h"
#include "notation.h"

#include <stdlib.h>
#include <string.h>

/* -- Writing ------------------------------------------------------------------------------------------- */

/* True if another move of the list goes between the same squares. */
static bool shares_short_form(const struct move_list *legal, int index)
{
    const struct move *move = &legal->moves[index];
    for (int i = 0; i < legal->count; i++)
        if (i != index && legal->moves[i].from == move->from && legal->moves[i].to == move->to)
            return true;
    return false;
}

enum status move_write(const struct variant *variant, const struct move_list *legal,
                       const struct move_paths *paths, int index, bool black_to_move, char *text)
{
    if (index < 0 || index >= legal->count)
        return STATUS_BAD_ARGUMENT;
    const struct move *move = &legal->moves[index];
    const struct move_path ends = {.length = 2, .squares = {move->from, move->to}};
    const struct move_path *path = shares_short_form(legal, index) ? &paths->of[index] : &ends;
    char *end = text;
    for (int i = 0; i < path->length; i++) {
        if (i > 0)
            *end++ = move->taken ? variant->rules.capture_sign : '-';
        end += square_write(variant, square_white_view(variant, path->squares[i], black_to_move), end);
    }
    *end = '\0';
    return STATUS_OK;
}

/* -- Sorting ------------------------------------------------------------------------------------------- */

/* A move with its path and text, to be moved about together. */
struct sortable {
    struct move move;
    struct move_path path;
    char text[MOVE_TEXT_SIZE];
};

static int compare_texts(const void *a, const void *b)
{
    return strcmp(((const struct sortable *)a)->text, ((const struct sortable *)b)->text);
}

enum status moves_sorted(const struct variant *variant, const struct position *own_view, bool black_to_move,
                         struct move_list *list, struct move_paths *paths)
{
    enum status status = moves_legal(variant, own_view, list, paths);
    if (status != STATUS_OK || list->count == 0)
        return status;
    size_t count = (size_t)list->count;
    struct sortable *sortables = malloc(count * sizeof *sortables);
    if (!sortables)
        return STATUS_NO_MEMORY;
    /* The generator's paths are the lowest by the numbers of own's view. Black's squares are named turned. */
    for (int i = 0; black_to_move && i < list->count; i++)
        if (bits_count(list->moves[i].taken) > 1)
            capture_path_lowest(variant, own_view, &list->moves[i], black_to_move, &paths->of[i]);
    for (int i = 0; i < list->count; i++) {
        sortables[i].move = list->moves[i];
        sortables[i].path = paths->of[i];
        move_write(variant, list, paths, i, black_to_move, sortables[i].text);
    }
    qsort(sortables, count, sizeof *sortables, compare_texts);
    for (int i = 0; i < list->count; i++) {
        list->moves[i] = sortables[i].move;
        paths->of[i] = sortables[i].path;
    }
    free(sortables);
    return STATUS_OK;
}

/* -- Reading ------------------------------------------------------------------------------------------- */

/* A move as it was written: squares of own's view, and whether its signs are those of a capture. */
struct written_move {
    struct move_path path;
    bool has_capture_sign;
};

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t\r\n");
}

/* Passes over the sign between two squares. False if there has to be one and is none. */
static bool skip_sign(const struct variant *variant, const char **text, bool *is_capture_sign)
{
    const char *at = skip_blanks(*text);
    if (*at == '-' || *at == ':' || *at == 'x' || *at == 'X' || *at == variant->rules.capture_sign) {
        *is_capture_sign |= *at != '-';
        *text = skip_blanks(at + 1);
        return true;
    }
    return variant->rules.names == ALGEBRAIC && at == *text;
}

static bool read_written(const struct variant *variant, bool black_to_move, const char *text,
                         struct written_move *written)
{
    written->path.length = 0;
    written->has_capture_sign = false;
    text = skip_blanks(text);
    do {
        int square;
        int length = square_read(variant, text, &square);
        if (length == 0 || square == NO_SQUARE || written->path.length == MAX_PATH)
            return false;
        written->path.squares[written->path.length++] =
            (uint8_t)square_white_view(variant, square, black_to_move);
        text += length;
    } while (*skip_blanks(text) != '\0' && skip_sign(variant, &text, &written->has_capture_sign));
    return *skip_blanks(text) == '\0' && written->path.length >= 2;
}

static bool same_path(const struct move_path *a, const struct move_path *b)
{
    return a->length == b->length && memcmp(a->squares, b->squares, a->length) == 0;
}

/* True if the move goes between the squares that were written and may pass all others of them. */
static bool may_mean(const struct variant *variant, const struct written_move *written,
                     const struct move *move, const struct move_path *path)
{
    const struct move_path *through = &written->path;
    if (through->squares[0] != move->from || through->squares[through->length - 1] != move->to)
        return false;
    if (written->has_capture_sign && !move->taken)
        return false;
    return path_has_part(path, through) || (move->taken && capture_path_passes(variant, move, through));
}

enum status move_read(const struct variant *variant, const struct move_list *legal,
                      const struct move_paths *paths, bool black_to_move, const char *text, int *index)
{
    struct written_move written;
    if (!read_written(variant, black_to_move, text, &written))
        return STATUS_BAD_NOTATION;
    int found = -1;
    int whole = 0; /* moves whose every jump is written: they come before those that may mean it */
    int part = 0;
    for (int i = 0; i < legal->count; i++) {
        const struct move *move = &legal->moves[i];
        if (!may_mean(variant, &written, move, &paths->of[i]))
            continue;
        if (same_path(&written.path, &paths->of[i])) {
            *index = i;
            return STATUS_OK;
        }
        bool is_whole = written.path.length == paths->of[i].length;
        if (is_whole || whole == 0)
            found = i;
        whole += is_whole;
        part += !is_whole;
    }
    if (whole > 1 || (whole == 0 && part > 1))
        return STATUS_AMBIGUOUS_MOVE;
    if (found < 0)
        return STATUS_ILLEGAL_MOVE;
    *index = found;
    return STATUS_OK;
}
