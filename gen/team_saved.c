/* A part is a head and then, form by form, portions of neighbouring places, each with a checksum that also
 * depends on the head and on where the portion stands. */
#include "team_saved.h"

#include "team_state.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { PORTION = 1 << 16 /* places; whole words of bits */ };

/* What comes first, in the byte order of the machine: a state is read by the program that wrote it. */
struct state_head {
    uint64_t rules;
    uint64_t first_men;
    uint64_t places; /* of all forms of the unit */
    uint64_t captured;
    uint32_t cell;
    uint32_t part;
    uint32_t parts;
    uint32_t ply;
    uint32_t latest;
    uint32_t plies;
    uint8_t distances;
    uint8_t limited;
    uint8_t too_deep;
    struct slice slice;
    uint8_t reserved[5];
    uint64_t waiting[(MOST_DISTANCE + 1) / 64];
    uint64_t checksum; /* of all before */
};

static uint64_t head_checksum(const struct state_head *head)
{
    return XXH3_64bits(head, offsetof(struct state_head, checksum));
}

/* The head of a part as far as it is known beforehand. */
static void begin_head(const struct team *team, int part, int parts, struct state_head *head)
{
    const struct team_forms *forms = &team->forms;
    memset(head, 0, sizeof *head);
    head->rules = variant_fingerprint(team->variant);
    head->first_men = forms->unit.first_men;
    head->cell = forms->unit.piece->cell;
    head->part = (uint32_t)part;
    head->parts = (uint32_t)parts;
    head->distances = team->distances;
    head->slice = forms->unit.pair->name;
    for (int form = 0; form < forms->count; form++)
        head->places += forms->of[form].rows * forms->of[form].columns;
}

/* -- Portions ---------------------------------------------------------------------------------------------
 */

/* Some places of a share on their way to a part or from one: its arrays are in `bytes`, one after the other.
 */
struct portion {
    uint64_t places;
    uint8_t *bytes;
    size_t size; /* without the checksum that follows */
    uint8_t *states;
    uint8_t *values;
    uint8_t *fresh;
    uint8_t *next;
    uint8_t *distances;
    uint8_t *told;
};

static size_t bits_size(uint64_t places)
{
    return (size_t)((places + 63) / 64 * sizeof(uint64_t));
}

static size_t portion_size(uint64_t places, bool distances)
{
    return 2 * (size_t)places + 2 * bits_size(places) +
           (distances ? 2 * sizeof(uint16_t) * (size_t)places : 0);
}

/* Says where in `bytes` the arrays of so many places are. */
static struct portion portion_of(uint8_t *bytes, uint64_t places, bool distances)
{
    struct portion portion = {.places = places, .bytes = bytes, .size = portion_size(places, distances)};
    portion.states = bytes;
    portion.values = portion.states + places;
    portion.fresh = portion.values + places;
    portion.next = portion.fresh + bits_size(places);
    portion.distances = portion.next + bits_size(places);
    portion.told = portion.distances + sizeof(uint16_t) * places;
    return portion;
}

/* `number`: of the portion in its form. */
static uint64_t portion_checksum(const struct portion *portion, const struct state_head *head, int form,
                                 uint64_t number)
{
    const uint64_t place[3] = {head->checksum, (uint64_t)form, number};
    return XXH3_64bits_withSeed(portion->bytes, portion->size, XXH3_64bits(place, sizeof place));
}

static uint8_t *allocate_portion(bool distances)
{
    return malloc(portion_size(PORTION, distances) + sizeof(uint64_t));
}

static uint64_t portion_places(uint64_t count, uint64_t number)
{
    uint64_t left = count - number * PORTION;
    return left < PORTION ? left : PORTION;
}

/* -- Saving -----------------------------------------------------------------------------------------------
 */

static void fill_portion(const struct team *team, const struct team_share *share, uint64_t first,
                         const struct portion *portion)
{
    memcpy(portion->states, share->states + first, portion->places);
    memcpy(portion->values, share->values + first, portion->places);
    memcpy(portion->fresh, share->fresh + first / 64, bits_size(portion->places));
    memcpy(portion->next, share->next + first / 64, bits_size(portion->places));
    if (team->distances) {
        memcpy(portion->distances, share->distances + first, portion->places * sizeof *share->distances);
        memcpy(portion->told, share->told + first, portion->places * sizeof *share->told);
    }
}

static enum status save_share(const struct team *team, int form, const struct state_head *head,
                              uint8_t *bytes, team_writer *write, void *context)
{
    const struct team_share *share = &team->shares[form];
    enum status status = STATUS_OK;
    for (uint64_t number = 0; number * PORTION < share->count && status == STATUS_OK; number++) {
        const struct portion portion =
            portion_of(bytes, portion_places(share->count, number), team->distances);
        fill_portion(team, share, number * PORTION, &portion);
        uint64_t checksum = portion_checksum(&portion, head, form, number);
        memcpy(bytes + portion.size, &checksum, sizeof checksum);
        status = write(context, bytes, portion.size + sizeof checksum);
    }
    return status;
}

static void fill_head(const struct team *team, struct state_head *head)
{
    begin_head(team, team->rank, team->forms.ranks, head);
    head->captured = team->captured;
    head->ply = team->ply;
    head->latest = team->latest;
    head->plies = team->plies;
    head->limited = team->limited;
    head->too_deep = team->too_deep;
    memcpy(head->waiting, team->waiting, sizeof head->waiting);
    head->checksum = head_checksum(head);
}

enum status team_save(const struct team *team, team_writer *write, void *context)
{
    struct state_head *head = malloc(sizeof *head);
    uint8_t *bytes = allocate_portion(team->distances);
    enum status status = head && bytes ? STATUS_OK : STATUS_NO_MEMORY;
    if (status == STATUS_OK) {
        fill_head(team, head);
        status = write(context, head, sizeof *head);
    }
    for (int form = 0; form < team->forms.count && status == STATUS_OK; form++)
        status = save_share(team, form, head, bytes, write, context);
    free(head);
    free(bytes);
    return status;
}

/* -- Loading ----------------------------------------------------------------------------------------------
 */

/* A part that is read. */
struct source {
    team_reader *read;
    void *context;
    int part;
    int parts;
    struct state_head head;
    uint8_t *bytes; /* room for a portion */
};

static void adopt_bits(uint64_t *bits, uint64_t to, const uint8_t *saved, uint64_t from, uint64_t count)
{
    for (uint64_t place = from; place < from + count; place++)
        if (saved[place / 8] >> (place % 8) & 1)
            bits[(to + place - from) / 64] |= UINT64_C(1) << ((to + place - from) % 64);
}

/* Takes `count` places of a portion, from its place `from` on, into the share's from `to` on. */
static void adopt_places(const struct team *team, struct team_share *share, uint64_t to,
                         const struct portion *portion, uint64_t from, uint64_t count)
{
    memcpy(share->states + to, portion->states + from, count);
    memcpy(share->values + to, portion->values + from, count);
    adopt_bits(share->fresh, to, portion->fresh, from, count);
    adopt_bits(share->next, to, portion->next, from, count);
    if (team->distances) {
        const size_t width = sizeof *share->distances;
        memcpy(share->distances + to, portion->distances + width * from, width * count);
        memcpy(share->told + to, portion->told + width * from, width * count);
    }
}

/* First place of a part in its form. */
static uint64_t part_begin(const struct team *team, int form, int part, int parts)
{
    const struct team_form *of = &team->forms.of[form];
    return of->rows * (unsigned)part / (unsigned)parts * of->columns;
}

/* Places of a form that both the part and this rank have. */
struct overlap {
    uint64_t begin;
    uint64_t end;
};

static struct overlap overlap_of(const struct team *team, int form, int part, int parts)
{
    const struct team_share *share = &team->shares[form];
    struct overlap overlap = {part_begin(team, form, part, parts), part_begin(team, form, part + 1, parts)};
    if (overlap.begin < share->first)
        overlap.begin = share->first;
    if (overlap.end > share->first + share->count)
        overlap.end = share->first + share->count;
    return overlap;
}

/* `offset` is where the form's portions begin in the part. */
static enum status load_portion(struct team *team, struct source *source, int form, uint64_t number,
                                uint64_t offset)
{
    struct team_share *share = &team->shares[form];
    uint64_t begin = part_begin(team, form, source->part, source->parts);
    uint64_t count = part_begin(team, form, source->part + 1, source->parts) - begin;
    const struct overlap overlap = overlap_of(team, form, source->part, source->parts);
    const struct portion portion = portion_of(source->bytes, portion_places(count, number), team->distances);
    uint64_t checksum;
    offset += number * (portion_size(PORTION, team->distances) + sizeof checksum);
    enum status status =
        source->read(source->context, source->part, offset, source->bytes, portion.size + sizeof checksum);
    if (status != STATUS_OK)
        return status;
    memcpy(&checksum, source->bytes + portion.size, sizeof checksum);
    if (checksum != portion_checksum(&portion, &source->head, form, number))
        return STATUS_DAMAGED;
    begin += number * PORTION;
    uint64_t from = overlap.begin > begin ? overlap.begin : begin;
    uint64_t end = overlap.end < begin + portion.places ? overlap.end : begin + portion.places;
    adopt_places(team, share, from - share->first, &portion, from - begin, end - from);
    return STATUS_OK;
}

/* What the portions of a form take in a part. */
static uint64_t form_size(const struct team *team, int form, int part, int parts)
{
    uint64_t count = part_begin(team, form, part + 1, parts) - part_begin(team, form, part, parts);
    uint64_t size = count / PORTION * (portion_size(PORTION, team->distances) + sizeof(uint64_t));
    if (count % PORTION != 0)
        size += portion_size(count % PORTION, team->distances) + sizeof(uint64_t);
    return size;
}

static enum status load_form(struct team *team, struct source *source, int form)
{
    const struct overlap overlap = overlap_of(team, form, source->part, source->parts);
    uint64_t begin = part_begin(team, form, source->part, source->parts);
    uint64_t offset = sizeof source->head;
    enum status status = STATUS_OK;
    if (overlap.begin >= overlap.end)
        return STATUS_OK;
    for (int before = 0; before < form; before++)
        offset += form_size(team, before, source->part, source->parts);
    uint64_t number = (overlap.begin - begin) / PORTION;
    for (; begin + number * PORTION < overlap.end && status == STATUS_OK; number++)
        status = load_portion(team, source, form, number, offset);
    return status;
}

static bool head_fits(const struct team *team, const struct source *source)
{
    const struct state_head *head = &source->head;
    struct state_head known;
    begin_head(team, source->part, source->parts, &known);
    return head->checksum == head_checksum(head) && head->rules == known.rules &&
           head->first_men == known.first_men && head->places == known.places && head->cell == known.cell &&
           head->part == known.part && head->parts == known.parts && head->distances == known.distances &&
           slice_equal(head->slice, known.slice) && head->ply <= MOST_DISTANCE + 1 &&
           head->latest <= MOST_DISTANCE;
}

/* What is the greatest of any rank, or set on any, may be known to several: it is not added up. */
static void adopt_head(struct team *team, const struct state_head *head)
{
    if ((int)head->part % team->forms.ranks == team->rank)
        team->captured += head->captured;
    team->latest = head->latest > team->latest ? head->latest : team->latest;
    team->plies = head->plies > team->plies ? head->plies : team->plies;
    team->limited |= head->limited != 0;
    team->too_deep |= head->too_deep != 0;
    for (size_t i = 0; i < sizeof head->waiting / sizeof *head->waiting; i++)
        team->waiting[i] |= head->waiting[i];
}

/* True if this rank has to know the part: its places, or what it alone takes over. */
static bool part_matters(const struct team *team, int part, int parts)
{
    bool matters = part % team->forms.ranks == team->rank;
    for (int form = 0; form < team->forms.count; form++) {
        const struct overlap overlap = overlap_of(team, form, part, parts);
        matters |= overlap.begin < overlap.end;
    }
    return matters;
}

static enum status load_part(struct team *team, struct source *source)
{
    enum status status = source->read(source->context, source->part, 0, &source->head, sizeof source->head);
    if (status == STATUS_OK && !(head_fits(team, source) && source->head.ply == team->ply))
        status = STATUS_DAMAGED;
    if (status != STATUS_OK)
        return status;
    adopt_head(team, &source->head);
    for (int form = 0; form < team->forms.count && status == STATUS_OK; form++)
        status = load_form(team, source, form);
    return status;
}

/* The ply is the same in all parts. A rank without places, and with no part to take over, has to learn of it
 * too. */
static enum status load_ply(struct team *team, struct source *source)
{
    enum status status = source->read(source->context, 0, 0, &source->head, sizeof source->head);
    if (status == STATUS_OK && !head_fits(team, source))
        status = STATUS_DAMAGED;
    if (status == STATUS_OK)
        team->ply = source->head.ply;
    return status;
}

enum status team_load(struct team *team, int parts, team_reader *read, void *context)
{
    struct source *source = malloc(sizeof *source);
    uint8_t *bytes = allocate_portion(team->distances);
    enum status status = source && bytes ? STATUS_OK : STATUS_NO_MEMORY;
    if (status == STATUS_OK) {
        *source = (struct source){.read = read, .context = context, .parts = parts, .bytes = bytes};
        status = load_ply(team, source);
    }
    for (int part = 0; part < parts && status == STATUS_OK; part++) {
        source->part = part;
        if (part_matters(team, part, parts))
            status = load_part(team, source);
    }
    free(source);
    free(bytes);
    return status;
}
