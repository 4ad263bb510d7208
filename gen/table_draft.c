/* The steps of making a table, each in its module. */
#include "table_draft.h"

#include "distance_payload.h"
#include "numbering.h"
#include "table_parts.h"

#include <stdio.h>
#include <stdlib.h>

/* -- Options ------------------------------------------------------------------------------------------- */

static enum metric metric_of(const struct table_options *options)
{
    return options->metric ? options->metric : METRIC_WDL;
}

static int block_log2_of(const struct table_options *options)
{
    return options->block_log2 ? options->block_log2 : DEFAULT_BLOCK_LOG2;
}

static int level_of(const struct table_options *options)
{
    if (options->level)
        return options->level;
    return metric_of(options) == METRIC_DTZ ? DEFAULT_DISTANCE_LEVEL : DEFAULT_LEVEL;
}

static bool options_sound(const struct table_options *options)
{
    int block_log2 = block_log2_of(options);
    if (options->level < 0 || options->level > ZSTD_maxCLevel() || block_log2 < MIN_BLOCK_LOG2)
        return false;
    if (metric_of(options) == METRIC_DTZ)
        return block_log2 <= MAX_DISTANCE_BLOCK_LOG2 && options->payload == PAYLOAD_NONE;
    return metric_of(options) == METRIC_WDL && block_log2 <= MAX_BLOCK_LOG2 &&
           options->payload <= PAYLOAD_RUNS;
}

/* -- Making -------------------------------------------------------------------------------------------- */

/* What the header says before a value is known. */
static enum status begin_header(struct table_header *header, const struct variant *variant,
                                struct slice slice, const struct table_options *options)
{
    header->metric = metric_of(options);
    snprintf(header->variant, sizeof header->variant, "%s", variant->rules.name);
    header->fingerprint = variant_fingerprint(variant);
    header->slice = slice_pair_name(slice);
    header->members = slice_is_own_mirror(header->slice) ? 1 : 2;
    header->block_log2 = block_log2_of(options);
    header->inputs = options->inputs;
    if (!options_sound(options))
        return STATUS_BAD_ARGUMENT;
    for (int i = 0; i < header->members; i++) {
        struct table_member *member = &header->member[i];
        struct slice of_member = i == 0 ? header->slice : slice_mirror(header->slice);
        enum status status = numbering_count(variant, of_member, &member->positions);
        if (status != STATUS_OK)
            return status;
        member->index_length = index_length(block_count(member->positions, header->block_log2));
    }
    return STATUS_OK;
}

static enum status allocate(struct table_draft *draft, const struct table_source *source)
{
    enum metric metric = draft->header.metric;
    enum status status = block_source_init(&draft->blocks, &draft->header, source);
    if (status == STATUS_OK)
        status = survey_init(&draft->survey, metric);
    if (status == STATUS_OK && metric == METRIC_DTZ) {
        draft->list = malloc(sizeof *draft->list);
        status = draft->list ? STATUS_OK : STATUS_NO_MEMORY;
    }
    for (int i = 0; i < draft->header.members && status == STATUS_OK; i++) {
        draft->digests[i] = calloc(draft_parts(draft, i), sizeof *draft->digests[i]);
        draft->constants[i] = calloc(block_source_count(&draft->blocks, i), 1);
        status = draft->digests[i] && draft->constants[i] ? STATUS_OK : STATUS_NO_MEMORY;
    }
    return status;
}

enum status draft_create(const struct variant *variant, struct slice slice, const struct table_source *source,
                         const struct table_options *options, struct table_draft **draft)
{
    struct table_draft *made = calloc(1, sizeof *made);
    *draft = made;
    if (!made)
        return STATUS_NO_MEMORY;
    made->variant = variant;
    made->forced = options->payload;
    made->level = level_of(options);
    enum status status = begin_header(&made->header, variant, slice, options);
    return status == STATUS_OK ? allocate(made, source) : status;
}

void draft_destroy(struct table_draft *draft)
{
    if (!draft)
        return;
    block_encoder_destroy(draft->values);
    distance_encoder_destroy(draft->distances);
    frame_encoder_destroy(draft->frames);
    block_source_clear(&draft->blocks);
    survey_clear(&draft->survey);
    for (int i = 0; i < MAX_MEMBERS; i++) {
        free(draft->digests[i]);
        free(draft->constants[i]);
    }
    free(draft->list);
    free(draft);
}

uint64_t draft_parts(const struct table_draft *draft, int member)
{
    return table_part_count(draft->header.member[member].positions);
}

uint64_t draft_first_block(const struct table_draft *draft, uint64_t part)
{
    return table_part_first(part) >> draft->header.block_log2;
}

uint64_t draft_part_blocks(const struct table_draft *draft, int member, uint64_t part)
{
    return block_count(table_part_positions(draft->header.member[member].positions, part),
                       draft->header.block_log2);
}

const char *draft_fault(const struct table_draft *draft)
{
    return draft->fault || !draft->frames ? draft->fault : draft->frames->fault;
}

/* -- Steps --------------------------------------------------------------------------------------------- */

enum status draft_survey(struct table_draft *draft, int member, uint64_t part)
{
    return survey_part(&draft->survey, draft->variant, &draft->blocks, member, part,
                       &draft->digests[member][part],
                       draft->constants[member] + draft_first_block(draft, part), &draft->fault);
}

/* Makes the encoder of the metric for the symbols in the header. */
static enum status make_encoder(struct table_draft *draft)
{
    bool of_distances = draft->header.metric == METRIC_DTZ;
    size_t block = (size_t)1 << draft->header.block_log2;
    size_t payload = of_distances ? distance_payload_bound(block) : payload_bound(block);
    enum status status = frame_encoder_create(payload, draft->level, &draft->frames);
    if (status != STATUS_OK)
        return status;
    return of_distances ? distance_encoder_create(&draft->header, &draft->blocks, draft->frames, draft->list,
                                                  &draft->distances)
                        : block_encoder_create(&draft->header, &draft->blocks, draft->frames, &draft->values);
}

enum status draft_settle(struct table_draft *draft)
{
    struct table_header *header = &draft->header;
    for (int i = 0; i < header->members; i++)
        header->member[i].values = table_join_digests(draft->digests[i], draft_parts(draft, i));
    enum status status = survey_settle(&draft->survey, header, draft->list);
    return status == STATUS_OK ? make_encoder(draft) : status;
}

enum status draft_choose(struct table_draft *draft, struct encoding_choice *choice)
{
    enum status status = draft->distances ? distance_encoder_choose(draft->distances, choice)
                                          : block_encoder_choose(draft->values, draft->forced, choice);
    return status == STATUS_OK ? draft_adopt(draft, choice) : status;
}

enum status draft_adopt(struct table_draft *draft, const struct encoding_choice *choice)
{
    return draft->distances ? distance_encoder_adopt(draft->distances, choice)
                            : block_encoder_adopt(draft->values, choice);
}

/* The index entry of a block of values that the survey has found to be constant; 0 if it is not. */
static uint16_t known_constant(const struct table_draft *draft, int member, uint64_t block)
{
    uint8_t constant = draft->constants[member][block];
    if (draft->distances || constant == BLOCK_MIXED)
        return 0;
    return (uint16_t)code_of_value(constant == BLOCK_FREE ? draft->header.alphabet[0]
                                                          : (enum value)(constant - 1));
}

enum status draft_encode(struct table_draft *draft, int member, uint64_t block, struct encoded_block *encoded)
{
    *encoded = (struct encoded_block){.constant = known_constant(draft, member, block)};
    if (encoded->constant)
        return STATUS_OK;
    return draft->distances ? distance_encoder_encode(draft->distances, member, block, encoded)
                            : block_encoder_encode(draft->values, member, block, encoded);
}
