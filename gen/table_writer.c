/* Writing a table in one process: all its parts are surveyed, a way to encode is chosen, and the blocks go
 * into the file one after the other. */
#include "table_writer.h"

#include "table_file.h"

#include <stdio.h>
#include <stdlib.h>

static enum status next_block(void *context, int member, uint64_t block, struct encoded_block *encoded)
{
    return draft_encode(context, member, block, encoded);
}

static enum status survey_and_choose(struct table_draft *draft)
{
    struct encoding_choice *choice = malloc(sizeof *choice);
    enum status status = choice ? STATUS_OK : STATUS_NO_MEMORY;
    for (int member = 0; member < draft->header.members; member++)
        for (uint64_t part = 0; part < draft_parts(draft, member) && status == STATUS_OK; part++)
            status = draft_survey(draft, member, part);
    if (status == STATUS_OK)
        status = draft_settle(draft);
    if (status == STATUS_OK)
        status = draft_choose(draft, choice);
    free(choice);
    return status;
}

void table_write_message(const char *directory, struct slice slice, enum metric metric, enum status status,
                         const char *fault, char message[MESSAGE_SIZE])
{
    char name[TABLE_NAME_SIZE];
    char *path = NULL;
    table_name_write(slice, metric, name);
    if (asprintf(&path, "%s/%s", directory, name) < 0)
        path = NULL;
    table_message(message, path ? path : name, status, fault);
    free(path);
}

enum status table_write(const char *directory, const struct variant *variant, struct slice slice,
                        const struct table_source *source, const struct table_options *options,
                        struct table_summary *summary, char message[MESSAGE_SIZE])
{
    static const struct table_options defaults;
    struct table_summary ignored;
    struct table_draft *draft;
    options = options ? options : &defaults;
    enum status status = draft_create(variant, slice, source, options, &draft);
    if (status == STATUS_OK)
        status = survey_and_choose(draft);
    if (status == STATUS_OK) {
        const struct block_supply supply = {next_block, draft};
        status = table_file_write(directory, draft, &supply, summary ? summary : &ignored);
    }
    if (status != STATUS_OK)
        table_write_message(directory, slice, options->metric ? options->metric : METRIC_WDL, status,
                            draft ? draft_fault(draft) : NULL, message);
    draft_destroy(draft);
    return status;
}
