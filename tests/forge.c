/* Changes one thing in a finished table and repairs every checksum, the manifest's entry too, so that nothing
 * but a proof of the tables can notice. For tests/end_to_end; it uses what reads and writes tables, and no
 * solver. */
#include "distance.h"
#include "fen.h"
#include "plan.h"
#include "table_writer.h"
#include "temporary.h"
#include "truth.h"

#include <stdio.h>
#include <stdlib.h>

static const char usage[] =
    "Usage: forge FOLDER VARIANT 21v10.wdl|21v10.dtz CHANGE\n"
    "Changes the table FOLDER/VARIANT/21v10.wdl (or .dtz) and prints what was changed, as --verify names "
    "it:\n"
    "  nothing   writes it again, out of its own contents\n"
    "  value     makes the first won or lost position without a capture of the first member a draw; its FEN\n"
    "  distance  makes the distance of the first such position that allows it one longer; its FEN\n"
    "  count     counts a win (or loss) of the first member as a draw; its slice\n"
    "  greatest  makes the greatest distance of the first member's wins (or losses) one longer; its slice\n";

/* The numbers of the first member come before all of the second in a proof, and what comes before the first
 * won or lost position there is drawn, without a capture or not: nothing earlier depends on it. */
struct forgery {
    const struct variant *variant;
    char *directory; /* of the variant's tables */
    const char *file;
    char *path;
    struct slice name; /* of the pair */
    enum metric metric;
    const char *change;
    struct table_header header; /* as it was */
    struct plan *plan;          /* of the pair and all that it depends on */
    struct truth *truth;
    struct truth_slice *members[MAX_MEMBERS];
    uint64_t number; /* of the changed position; UINT64_MAX: none */
};

static void must(bool sound, const char *what)
{
    if (sound)
        return;
    fprintf(stderr, "forge: %s\n", what);
    exit(1);
}

static bool changes(const struct forgery *forgery, const char *what)
{
    return strcmp(forgery->change, what) == 0;
}

/* -- Positions ------------------------------------------------------------------------------------------- */

static void open_truth(struct forgery *forgery)
{
    const struct request request = {.slices = &forgery->name, .slice_count = 1};
    struct slice culprit;
    must(plan_create(forgery->variant, &request, &forgery->plan, &culprit) == STATUS_OK, "no plan");
    must(truth_create(forgery->variant, forgery->directory, &forgery->truth) == STATUS_OK, "no memory");
    for (uint32_t i = 0; i < forgery->plan->pair_count; i++)
        must(truth_add(forgery->truth, forgery->plan->pairs[i]->name) == STATUS_OK,
             truth_message(forgery->truth));
    forgery->members[0] = truth_find(forgery->truth, forgery->name);
    forgery->members[1] = truth_find(forgery->truth, slice_mirror(forgery->name));
}

static const struct truth_block *block_of(struct forgery *forgery, int member, uint64_t number)
{
    const struct truth_block *block = truth_block(forgery->truth, forgery->members[member], number);
    must(block != NULL, truth_message(forgery->truth));
    return block;
}

/* True if a distance one longer goes with the value too. */
static bool can_be_longer(const struct variant *variant, enum value value, uint16_t distance)
{
    enum value plain = value_without_limit(value);
    return distance < MOST_DISTANCE && value == value_at_distance(variant, plain, distance + 1U);
}

static void find_position(struct forgery *forgery)
{
    uint64_t positions = forgery->members[0]->numbering->positions;
    for (forgery->number = 0; forgery->number < positions; forgery->number++) {
        const struct truth_block *block = block_of(forgery, 0, forgery->number);
        uint8_t value = block->values[forgery->number % TRUTH_SIZE];
        uint16_t distance = block->distances[forgery->number % TRUTH_SIZE];
        if (value & TRUTH_CAPTURE || value == DRAW)
            continue;
        if (forgery->metric == METRIC_WDL || can_be_longer(forgery->variant, (enum value)value, distance))
            return;
    }
    must(false, "there is no position to change");
}

/* True, with its place in *i, if the changed position is among those asked for. */
static bool is_changed(const struct forgery *forgery, int member, uint64_t first, size_t count, size_t *i)
{
    if (member != 0 || forgery->number < first || forgery->number - first >= count)
        return false;
    *i = (size_t)(forgery->number - first);
    return true;
}

static enum status fetch(void *context, int member, uint64_t first, size_t count, uint8_t *values)
{
    struct forgery *forgery = context;
    size_t changed;
    for (size_t i = 0; i < count; i++)
        values[i] = block_of(forgery, member, first + i)->values[(first + i) % TRUTH_SIZE];
    if (forgery->metric == METRIC_WDL && is_changed(forgery, member, first, count, &changed))
        values[changed] = DRAW;
    return STATUS_OK;
}

static enum status fetch_distances(void *context, int member, uint64_t first, size_t count,
                                   uint16_t *distances)
{
    struct forgery *forgery = context;
    size_t changed;
    for (size_t i = 0; i < count; i++)
        distances[i] = block_of(forgery, member, first + i)->distances[(first + i) % TRUTH_SIZE];
    if (is_changed(forgery, member, first, count, &changed))
        distances[changed]++;
    return STATUS_OK;
}

static void print_position(const struct forgery *forgery)
{
    struct position position = numbering_position(forgery->members[0]->numbering, forgery->number);
    char fen[FEN_SIZE];
    must(fen_write(forgery->variant, &position, false, fen) == STATUS_OK, "a position without a FEN");
    puts(fen);
}

static void write_again(struct forgery *forgery)
{
    const struct table_source source = {
        .fetch = fetch, .fetch_distances = fetch_distances, .context = forgery};
    const struct table_options options = {.metric = forgery->metric, .inputs = forgery->header.inputs};
    char message[MESSAGE_SIZE];
    open_truth(forgery);
    forgery->number = UINT64_MAX;
    if (!changes(forgery, "nothing"))
        find_position(forgery);
    must(table_write(forgery->directory, forgery->variant, forgery->name, &source, &options, NULL, message) ==
             STATUS_OK,
         message);
    if (!changes(forgery, "nothing"))
        print_position(forgery);
    truth_destroy(forgery->truth);
    plan_destroy(forgery->plan);
}

/* -- Headers --------------------------------------------------------------------------------------------- */

static void change_count(struct table_member *member)
{
    enum value value = member->counts[WIN] > 0 ? WIN : LOSS;
    must(member->counts[value] > 0, "there is no count to change");
    member->counts[value]--;
    member->counts[DRAW]++;
}

static void change_greatest(struct table_member *member)
{
    uint32_t *greatest = member->greatest_win != NO_DISTANCE ? &member->greatest_win : &member->greatest_loss;
    must(*greatest != NO_DISTANCE, "there is no greatest distance to change");
    ++*greatest;
}

static void write_header(const struct forgery *forgery)
{
    struct table_header header = forgery->header;
    char slice[SLICE_NAME_SIZE];
    size_t length;
    uint8_t *bytes = file_bytes(forgery->path, &length);
    if (changes(forgery, "count"))
        change_count(&header.member[0]);
    else
        change_greatest(&header.member[0]);
    header_write(&header, bytes);
    write_bytes(forgery->path, bytes, length);
    free(bytes);
    slice_write(header.slice, slice);
    puts(slice);
}

/* -- The manifest ---------------------------------------------------------------------------------------- */

static void repair_manifest(const struct forgery *forgery)
{
    struct manifest manifest;
    struct table_header header;
    char message[MESSAGE_SIZE];
    const char *variant = forgery->variant->rules.name;
    must(manifest_read(forgery->directory, variant, &manifest, message) == STATUS_OK, message);
    must(table_header_read(forgery->path, &header, message) == STATUS_OK, message);
    const struct manifest_entry *known = manifest_find(&manifest, forgery->file);
    must(known != NULL, "the manifest does not have the table");
    struct manifest_entry entry = *known;
    for (int i = 0; i < header.members; i++)
        memcpy(entry.member[i].counts, header.member[i].counts, sizeof entry.member[i].counts);
    must(file_digest(forgery->path, &entry.digest, &entry.size) == STATUS_OK, "the table cannot be read");
    must(manifest_put(&manifest, &entry) == STATUS_OK, "no memory");
    must(manifest_write(forgery->directory, variant, &manifest, message) == STATUS_OK, message);
    manifest_free(&manifest);
}

static void forge(struct forgery *forgery)
{
    char message[MESSAGE_SIZE];
    must(table_header_read(forgery->path, &forgery->header, message) == STATUS_OK, message);
    if (changes(forgery, "nothing") || (changes(forgery, "value") && forgery->metric == METRIC_WDL) ||
        (changes(forgery, "distance") && forgery->metric == METRIC_DTZ))
        write_again(forgery);
    else if (changes(forgery, "count") || changes(forgery, "greatest"))
        write_header(forgery);
    else
        must(false, usage);
    repair_manifest(forgery);
}

int main(int argc, char **argv)
{
    struct forgery forgery = {0};
    must(argc == 5, usage);
    forgery.variant = variant_named(argv[2]);
    forgery.file = argv[3];
    forgery.change = argv[4];
    must(forgery.variant && table_name_read(forgery.file, &forgery.name, &forgery.metric), usage);
    forgery.directory = path_join(argv[1], argv[2]);
    forgery.path = path_join(forgery.directory, forgery.file);
    forge(&forgery);
    free(forgery.path);
    free(forgery.directory);
    return 0;
}
