/* Four queues, one after the other, and what ranks tell one another between them. */
#include "shared_tables.h"
#include "complaint.h"
#include "kill_point.h"
#include "phases.h"
#include "ranks.h"
#include "scratch.h"
#include "stop.h"
#include "table_file.h"
#include "table_parts.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_BLOCK = 1 << MIN_BLOCK_LOG2 };

/* A part of a table. */
struct part {
    uint32_t table; /* number in the request */
    uint32_t member;
    uint64_t number;
};

/* What all ranks come to know of a table. */
struct knowledge {
    struct survey survey;
    struct digest *digests[MAX_MEMBERS]; /* of the parts */
    uint8_t *constants[MAX_MEMBERS];     /* what each block is, see survey.h */
    struct scratch_place *places[MAX_MEMBERS];
    struct encoding_choice *choice; /* null until it is chosen */
};

/* What the ranks do together. */
struct sharing {
    struct shared_request *request;
    struct knowledge *knowledge; /* of each table */
    struct part *parts;          /* of all tables, those of one after another */
    size_t part_count;
    struct scratch *scratch;
    /* What this rank has to tell of the step at hand. */
    uint8_t *news;
    size_t news_size;
    /* The table this rank works on: its draft can encode, or only survey. */
    struct table_draft *draft;
    struct value_source *source;
    struct table_source reader;
    size_t drafted;
    bool settled;
    uint8_t *bytes; /* a part, encoded */
    size_t bytes_room;
};

bool shared_is_worth(const struct plan *plan, uint32_t pair)
{
    const struct slice_pair *slices = plan->pairs[pair];
    return table_part_count(slices->members[0]->positions) > 1;
}

static int members_of(const struct sharing *sharing, size_t table)
{
    const struct slice_pair *pair = sharing->request->plan->pairs[sharing->request->tables[table].pair];
    return pair->own_mirror ? 1 : 2;
}

static uint64_t positions_of(const struct sharing *sharing, size_t table, int member)
{
    const struct slice_pair *pair = sharing->request->plan->pairs[sharing->request->tables[table].pair];
    return pair->members[member]->positions;
}

/* -- News ------------------------------------------------------------------------------------------------ */

/* Adds to what this rank tells. */
static enum status tell(struct sharing *sharing, const void *bytes, size_t size)
{
    uint8_t *grown = realloc(sharing->news, sharing->news_size + size);
    if (!grown)
        return STATUS_NO_MEMORY;
    sharing->news = grown;
    memcpy(grown + sharing->news_size, bytes, size);
    sharing->news_size += size;
    return STATUS_OK;
}

/* News of all ranks, read from the front. */
struct reader {
    const uint8_t *bytes;
    size_t left;
};

static bool read_next(struct reader *reader, void *bytes, size_t size)
{
    if (reader->left < size)
        return false;
    memcpy(bytes, reader->bytes, size);
    reader->bytes += size;
    reader->left -= size;
    return true;
}

/* Brings together what all have to tell and lets `take` have it. Collective. */
static enum status exchange_news(struct sharing *sharing, enum status status,
                                 enum status (*take)(struct sharing *sharing, struct reader *reader))
{
    void *all = NULL;
    size_t size = 0;
    status = ranks_agree(status);
    if (status == STATUS_OK)
        status = ranks_gather(sharing->news, sharing->news_size, &all, &size);
    sharing->news_size = 0;
    if (status == STATUS_OK) {
        struct reader reader = {all, size};
        status = take(sharing, &reader);
    }
    free(all);
    return ranks_agree(status);
}

/* -- Drafts ---------------------------------------------------------------------------------------------- */

static void drop_draft(struct sharing *sharing)
{
    draft_destroy(sharing->draft);
    value_source_destroy(sharing->source);
    sharing->draft = NULL;
    sharing->source = NULL;
}

static enum status make_draft(struct sharing *sharing, size_t table)
{
    const struct shared_request *request = sharing->request;
    const struct shared_table *wanted = &request->tables[table];
    const struct table_options options = {.metric = request->metric,
                                          .level = request->level,
                                          .block_log2 = request->block_log2,
                                          .inputs = wanted->inputs};
    sharing->drafted = table;
    sharing->settled = false;
    enum status status =
        value_source_create(request->plan, wanted->pair, request->values, &sharing->source, &sharing->reader);
    return status == STATUS_OK
               ? draft_create(request->plan->variant, request->plan->pairs[wanted->pair]->name,
                              &sharing->reader, &options, &sharing->draft)
               : status;
}

/* The draft of a table that can be surveyed. */
static enum status use_draft(struct sharing *sharing, size_t table)
{
    if (sharing->draft && sharing->drafted == table)
        return STATUS_OK;
    drop_draft(sharing);
    return make_draft(sharing, table);
}

/* The draft of a table whose survey is known, and the way to encode it if that is. */
static enum status use_settled_draft(struct sharing *sharing, size_t table)
{
    const struct knowledge *known = &sharing->knowledge[table];
    enum status status = use_draft(sharing, table);
    if (status != STATUS_OK || sharing->settled)
        return status;
    struct table_draft *draft = sharing->draft;
    survey_add(&draft->survey, &known->survey.sum, known->survey.distances, known->survey.distance_count);
    for (int member = 0; member < draft->header.members; member++) {
        memcpy(draft->digests[member], known->digests[member],
               draft_parts(draft, member) * sizeof *known->digests[member]);
        memcpy(draft->constants[member], known->constants[member],
               block_source_count(&draft->blocks, member));
    }
    status = draft_settle(draft);
    if (status == STATUS_OK && known->choice)
        status = draft_adopt(draft, known->choice);
    sharing->settled = status == STATUS_OK;
    return status;
}

/* A failure of the values, or of the table itself. */
static enum status complain_of_table(struct sharing *sharing, size_t table, enum status status)
{
    const struct shared_request *request = sharing->request;
    char message[MESSAGE_SIZE] = "";
    if (status == STATUS_OK || status == STATUS_INTERRUPTED)
        return status;
    if (values_status(request->values) != STATUS_OK)
        return complain_of_store(request->store, status);
    if (status == STATUS_BAD_ARGUMENT) /* values or distances that cannot be */
        status = STATUS_DAMAGED;
    table_write_message(request->directory, request->plan->pairs[request->tables[table].pair]->name,
                        request->metric, status, sharing->draft ? draft_fault(sharing->draft) : NULL,
                        message);
    return complain(status, "%s", message);
}

/* -- Queues ---------------------------------------------------------------------------------------------- */

static bool stop_is_wanted(void *context)
{
    (void)context;
    return stop_wanted();
}

/* Hands out `count` pieces of work; after a failure nothing is done any more. Collective but for the status.
 */
static enum status work_off(struct sharing *sharing, const uint64_t *weights, size_t count,
                            enum status (*work)(struct sharing *sharing, size_t i))
{
    enum status status = STATUS_OK;
    const struct queue queue = {.weights = weights, .count = count, .pause = stop_is_wanted};
    ranks_open_queue(&queue);
    for (size_t i; ranks_next(&i);)
        if (status == STATUS_OK)
            status = work(sharing, i);
    return status == STATUS_OK && ranks_queue_paused() ? STATUS_INTERRUPTED : status;
}

/* Every part is a piece of work. */
static enum status share_parts(struct sharing *sharing,
                               enum status (*work)(struct sharing *sharing, size_t i))
{
    uint64_t *weights = malloc((sharing->part_count + 1) * sizeof *weights);
    enum status status = ranks_agree(weights ? STATUS_OK : STATUS_NO_MEMORY);
    for (size_t i = 0; weights && i < sharing->part_count; i++) {
        const struct part *part = &sharing->parts[i];
        weights[i] =
            table_part_positions(positions_of(sharing, part->table, (int)part->member), part->number);
    }
    if (status == STATUS_OK && weights)
        status = work_off(sharing, weights, sharing->part_count, work);
    free(weights);
    return status;
}

/* Every table is a piece of work. */
static enum status share_tables(struct sharing *sharing,
                                enum status (*work)(struct sharing *sharing, size_t i))
{
    size_t count = sharing->request->count;
    uint64_t *weights = malloc((count + 1) * sizeof *weights);
    enum status status = ranks_agree(weights ? STATUS_OK : STATUS_NO_MEMORY);
    for (size_t i = 0; weights && i < count; i++)
        weights[i] = sharing->request->plan->pairs[sharing->request->tables[i].pair]->positions;
    if (status == STATUS_OK && weights)
        status = work_off(sharing, weights, count, work);
    free(weights);
    return status;
}

/* -- First step: surveys --------------------------------------------------------------------------------- */

/* What a rank found of a part. What its blocks are follows, then its distances, how often each may be asked
 * for. */
struct part_news {
    struct part part;
    struct digest digest;
    struct survey_sum sum;
    uint64_t first_block;
    uint64_t blocks;
    uint64_t distance_count;
};

static enum status survey_part_of_table(struct sharing *sharing, const struct part *part,
                                        struct part_news *news)
{
    enum status status = use_draft(sharing, part->table);
    if (status == STATUS_OK)
        status = draft_survey(sharing->draft, (int)part->member, part->number);
    if (status != STATUS_OK)
        return status;
    struct survey *survey = &sharing->draft->survey;
    news->digest = sharing->draft->digests[part->member][part->number];
    news->sum = survey->sum;
    news->first_block = draft_first_block(sharing->draft, part->number);
    news->blocks = draft_part_blocks(sharing->draft, (int)part->member, part->number);
    news->distance_count = survey->distance_count;
    status = tell(sharing, news, sizeof *news);
    if (status == STATUS_OK)
        status = tell(sharing, sharing->draft->constants[part->member] + news->first_block, news->blocks);
    if (status == STATUS_OK && survey->distance_count > 0)
        status = tell(sharing, survey->distances, survey->distance_count * sizeof *survey->distances);
    /* The next part begins anew: sums are put together where all are known. */
    for (uint32_t distance = 0; distance < survey->distance_count; distance++)
        survey->distances[distance] = 0;
    survey->sum = (struct survey_sum){0};
    survey->distance_count = 0;
    return status;
}

static enum status survey_one(struct sharing *sharing, size_t i)
{
    const struct part *part = &sharing->parts[i];
    const struct shared_request *request = sharing->request;
    const struct shared_table *table = &request->tables[part->table];
    struct part_news news;
    enum status status;
    memset(&news, 0, sizeof news);
    news.part = *part;
    if (table->make) {
        status = survey_part_of_table(sharing, part, &news);
    } else {
        status = table_part_digest(request->plan, table->pair, (int)part->member, request->metric,
                                   request->values, part->number, &news.digest);
        if (status == STATUS_OK)
            status = tell(sharing, &news, sizeof news);
    }
    return complain_of_table(sharing, part->table, status);
}

static enum status take_surveys(struct sharing *sharing, struct reader *reader)
{
    struct part_news news;
    while (read_next(reader, &news, sizeof news)) {
        struct knowledge *known = &sharing->knowledge[news.part.table];
        uint64_t *distances = calloc(news.distance_count + 1, sizeof *distances);
        if (!distances)
            return STATUS_NO_MEMORY;
        read_next(reader, known->constants[news.part.member] + news.first_block, news.blocks);
        read_next(reader, distances, news.distance_count * sizeof *distances);
        known->digests[news.part.member][news.part.number] = news.digest;
        survey_add(&known->survey, &news.sum, distances, (uint32_t)news.distance_count);
        free(distances);
    }
    for (size_t table = 0; table < sharing->request->count; table++)
        for (int member = 0; member < members_of(sharing, table); member++)
            sharing->request->tables[table].values[member] =
                table_join_digests(sharing->knowledge[table].digests[member],
                                   table_part_count(positions_of(sharing, table, member)));
    return STATUS_OK;
}

/* -- Second step: how to encode -------------------------------------------------------------------------- */

/* The beginning of a choice, and as much of its dictionary as there is. */
static size_t choice_size(size_t dictionary_length)
{
    return offsetof(struct encoding_choice, dictionary) + offsetof(struct dictionary, bytes) +
           dictionary_length;
}

static enum status choose_one(struct sharing *sharing, size_t i)
{
    if (!sharing->request->tables[i].make)
        return STATUS_OK;
    struct encoding_choice *choice = calloc(1, sizeof *choice);
    enum status status = choice ? use_settled_draft(sharing, i) : STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = draft_choose(sharing->draft, choice);
    const uint64_t table = i;
    if (status == STATUS_OK)
        status = tell(sharing, &table, sizeof table);
    if (status == STATUS_OK)
        status = tell(sharing, choice, choice_size(choice->dictionary.length));
    free(choice);
    return complain_of_table(sharing, i, status);
}

static enum status take_choices(struct sharing *sharing, struct reader *reader)
{
    uint64_t table;
    while (read_next(reader, &table, sizeof table)) {
        struct encoding_choice *choice = calloc(1, sizeof *choice);
        if (!choice)
            return STATUS_NO_MEMORY;
        free(sharing->knowledge[table].choice);
        sharing->knowledge[table].choice = choice;
        read_next(reader, choice, choice_size(0));
        read_next(reader, choice->dictionary.bytes, choice->dictionary.length);
    }
    return STATUS_OK;
}

/* -- Third step: parts, encoded -------------------------------------------------------------------------- */

/* An encoded part is a word a block, then the bytes of those that are not constant. The word is the index
 * entry of a constant block, else the length with this flag. */
enum { STORED = 1 << 30 };

static enum status make_room(struct sharing *sharing, size_t size)
{
    if (size <= sharing->bytes_room)
        return STATUS_OK;
    uint8_t *bytes = realloc(sharing->bytes, 2 * size);
    if (!bytes)
        return STATUS_NO_MEMORY;
    sharing->bytes = bytes;
    sharing->bytes_room = 2 * size;
    return STATUS_OK;
}

/* Encodes all blocks of a part. *size is how many bytes that makes. */
static enum status encode_part(struct sharing *sharing, const struct part *part, size_t *size)
{
    struct table_draft *draft = sharing->draft;
    int block_log2 = draft->header.block_log2;
    uint64_t positions = table_part_positions(draft->header.member[part->member].positions, part->number);
    uint64_t first = table_part_first(part->number) >> block_log2;
    size_t blocks = (size_t)block_count(positions, block_log2);
    enum status status = make_room(sharing, blocks * sizeof(uint32_t));
    *size = blocks * sizeof(uint32_t);
    for (size_t i = 0; i < blocks && status == STATUS_OK; i++) {
        struct encoded_block encoded;
        status = draft_encode(draft, (int)part->member, first + i, &encoded);
        if (status == STATUS_OK)
            status = make_room(sharing, *size + encoded.length);
        if (status != STATUS_OK)
            break;
        uint32_t word = encoded.constant ? encoded.constant : STORED | (uint32_t)encoded.length;
        memcpy(sharing->bytes + i * sizeof word, &word, sizeof word);
        if (!encoded.constant)
            memcpy(sharing->bytes + *size, encoded.bytes, encoded.length);
        *size += encoded.constant ? 0 : encoded.length;
    }
    return status;
}

/* Where a part is. */
struct place_news {
    struct part part;
    struct scratch_place place;
};

static enum status encode_one(struct sharing *sharing, size_t i)
{
    const struct part *part = &sharing->parts[i];
    struct place_news news = {.part = *part};
    size_t size = 0;
    if (!sharing->request->tables[part->table].make)
        return STATUS_OK;
    enum status status = use_settled_draft(sharing, part->table);
    if (status == STATUS_OK)
        status = encode_part(sharing, part, &size);
    if (status != STATUS_OK)
        return complain_of_table(sharing, part->table, status);
    enum phase phase = phase_enter(PHASE_FILES);
    if (!sharing->scratch)
        status = scratch_create(sharing->request->work, ranks_own(), &sharing->scratch);
    if (status == STATUS_OK)
        status = scratch_append(sharing->scratch, sharing->bytes, size, &news.place);
    phase_enter(phase);
    kill_point("part");
    if (status != STATUS_OK)
        return complain(status,
                        "%s: a part of a table cannot be kept (%s); free some space and run the same command "
                        "again",
                        sharing->request->work, status_text(status));
    return tell(sharing, &news, sizeof news);
}

static enum status take_places(struct sharing *sharing, struct reader *reader)
{
    struct place_news news;
    while (read_next(reader, &news, sizeof news))
        sharing->knowledge[news.part.table].places[news.part.member][news.part.number] = news.place;
    return STATUS_OK;
}

/* -- Fourth step: files ---------------------------------------------------------------------------------- */

/* A part that is read block by block. */
struct supply {
    struct sharing *sharing;
    size_t table;
    int member;
    uint64_t part;
    bool loaded;
    uint64_t first; /* block of the part */
    size_t at;      /* where the next block's bytes are */
};

static enum status load_part(struct supply *supply, int member, uint64_t part)
{
    struct sharing *sharing = supply->sharing;
    const struct table_header *header = &sharing->draft->header;
    const struct scratch_place *place = &sharing->knowledge[supply->table].places[member][part];
    uint64_t positions = table_part_positions(header->member[member].positions, part);
    supply->loaded = true;
    supply->member = member;
    supply->part = part;
    supply->first = table_part_first(part) >> header->block_log2;
    supply->at = (size_t)block_count(positions, header->block_log2) * sizeof(uint32_t);
    enum status status = make_room(sharing, (size_t)place->size);
    return status == STATUS_OK ? scratch_read(sharing->request->work, place, sharing->bytes) : status;
}

static enum status next_block(void *context, int member, uint64_t block, struct encoded_block *encoded)
{
    struct supply *supply = context;
    uint64_t part = block << supply->sharing->draft->header.block_log2 >> table_part_log2();
    enum status status = STATUS_OK;
    *encoded = (struct encoded_block){0};
    if (!supply->loaded || supply->member != member || supply->part != part)
        status = load_part(supply, member, part);
    if (status != STATUS_OK)
        return status;
    uint32_t word;
    memcpy(&word, supply->sharing->bytes + (block - supply->first) * sizeof word, sizeof word);
    if (word & STORED) {
        encoded->bytes = supply->sharing->bytes + supply->at;
        encoded->length = word & ~(uint32_t)STORED;
        supply->at += encoded->length;
    } else {
        encoded->constant = (uint16_t)word;
    }
    return STATUS_OK;
}

static enum status write_one(struct sharing *sharing, size_t i)
{
    struct shared_table *table = &sharing->request->tables[i];
    struct supply supply = {.sharing = sharing, .table = i};
    const struct block_supply blocks = {next_block, &supply};
    if (!table->make)
        return STATUS_OK;
    kill_point("table");
    enum phase phase = phase_enter(PHASE_FILES);
    enum status status = use_settled_draft(sharing, i);
    if (status == STATUS_OK)
        status = table_file_write(sharing->request->directory, sharing->draft, &blocks, &table->summary);
    phase_enter(phase);
    kill_point("tabled");
    table->made = status == STATUS_OK;
    return complain_of_table(sharing, i, status);
}

/* -- The whole ------------------------------------------------------------------------------------------- */

static enum status know_table(struct sharing *sharing, size_t table, size_t *parts)
{
    struct knowledge *known = &sharing->knowledge[table];
    enum status status = survey_init(&known->survey, sharing->request->metric);
    for (int member = 0; member < members_of(sharing, table) && status == STATUS_OK; member++) {
        uint64_t count = table_part_count(positions_of(sharing, table, member));
        known->digests[member] = calloc(count, sizeof *known->digests[member]);
        known->places[member] = calloc(count, sizeof *known->places[member]);
        known->constants[member] = calloc(positions_of(sharing, table, member) / LEAST_BLOCK + 1, 1);
        status = known->digests[member] && known->places[member] && known->constants[member]
                     ? STATUS_OK
                     : STATUS_NO_MEMORY;
        *parts += (size_t)count;
    }
    return status;
}

static enum status know_tables(struct sharing *sharing)
{
    const struct shared_request *request = sharing->request;
    size_t parts = 0;
    sharing->knowledge = calloc(request->count + 1, sizeof *sharing->knowledge);
    enum status status = sharing->knowledge ? STATUS_OK : STATUS_NO_MEMORY;
    for (size_t table = 0; table < request->count && status == STATUS_OK; table++)
        status = know_table(sharing, table, &parts);
    sharing->parts = calloc(parts + 1, sizeof *sharing->parts);
    if (status != STATUS_OK || !sharing->parts)
        return STATUS_NO_MEMORY;
    for (size_t table = 0; table < request->count; table++)
        for (int member = 0; member < members_of(sharing, table); member++) {
            uint64_t count = table_part_count(positions_of(sharing, table, member));
            for (uint64_t part = 0; part < count; part++)
                sharing->parts[sharing->part_count++] =
                    (struct part){(uint32_t)table, (uint32_t)member, part};
        }
    return STATUS_OK;
}

static void forget_tables(struct sharing *sharing)
{
    drop_draft(sharing);
    for (size_t table = 0; sharing->knowledge && table < sharing->request->count; table++) {
        struct knowledge *known = &sharing->knowledge[table];
        survey_clear(&known->survey);
        free(known->choice);
        for (int member = 0; member < MAX_MEMBERS; member++) {
            free(known->digests[member]);
            free(known->places[member]);
            free(known->constants[member]);
        }
    }
    free(sharing->knowledge);
    free(sharing->parts);
    free(sharing->news);
    free(sharing->bytes);
}

static enum status sync_scratch(struct sharing *sharing, enum status status)
{
    if (status != STATUS_OK || !sharing->scratch)
        return status;
    status = scratch_sync(sharing->scratch);
    if (status != STATUS_OK)
        complain(status, "%s: parts of tables cannot be kept (%s); run the same command again",
                 sharing->request->work, status_text(status));
    return status;
}

static enum status make_steps(struct sharing *sharing)
{
    enum status status = exchange_news(sharing, share_parts(sharing, survey_one), take_surveys);
    drop_draft(sharing);
    if (status == STATUS_OK)
        status = exchange_news(sharing, share_tables(sharing, choose_one), take_choices);
    drop_draft(sharing);
    if (status == STATUS_OK)
        status = exchange_news(sharing, sync_scratch(sharing, share_parts(sharing, encode_one)), take_places);
    if (status == STATUS_OK)
        status = ranks_agree(share_tables(sharing, write_one));
    return status;
}

enum status shared_tables_make(struct shared_request *request)
{
    struct sharing sharing = {.request = request};
    if (request->count == 0)
        return STATUS_OK;
    enum phase phase = phase_enter(PHASE_COMPRESSION);
    enum status status = ranks_agree(know_tables(&sharing));
    if (status == STATUS_OK)
        status = make_steps(&sharing);
    forget_tables(&sharing);
    scratch_destroy(sharing.scratch); /* all have read what they need: they agreed */
    phase_enter(phase);
    return status;
}
