/* Batches and waiting. */
#include "share.h"

#include <stdlib.h>

enum status share_create(int ranks, struct share *share)
{
    *share = (struct share){.ranks = ranks,
                            .handed = calloc((size_t)ranks, sizeof *share->handed),
                            .held = calloc((size_t)ranks, sizeof *share->held)};
    return share->handed && share->held ? STATUS_OK : STATUS_NO_MEMORY;
}

void share_destroy(struct share *share)
{
    free(share->handed);
    free(share->held);
}

void share_open(struct share *share, const uint64_t *weights, size_t count, bool even)
{
    share->weights = weights;
    share->pieces = count;
    share->even = even;
    share->next = 0;
    share->weight_left = 0;
    for (size_t i = 0; i < count; i++)
        share->weight_left += weights[i];
    for (int rank = 0; rank < share->ranks; rank++)
        share->held[rank] = 0;
}

struct batch share_take(struct share *share, int rank)
{
    struct batch batch = {share->next, 0};
    uint64_t fair = share->weight_left / (4 * (uint64_t)share->ranks) + 1;
    uint64_t most = fair < BATCH_WEIGHT ? fair : BATCH_WEIGHT;
    uint64_t weight = 0;
    while (share->next < share->pieces && weight < most) {
        weight += share->weights[share->next++];
        batch.count++;
    }
    share->weight_left -= weight;
    if (share->even) {
        share->handed[rank] += weight;
        share->handed_to_all += weight;
    }
    return batch;
}

bool share_pause(struct share *share)
{
    bool left = share->next < share->pieces;
    share->pieces = share->next;
    share->weight_left = 0;
    return left;
}

bool share_has_to_wait(const struct share *share, int rank)
{
    if (!share->even || share->next == share->pieces || share->held[rank] > LONGEST_WAIT)
        return false;
    double mean = (double)share->handed_to_all / share->ranks;
    return (double)share->handed[rank] > AHEAD * mean + SLACK_WEIGHT;
}

void share_note_wait(struct share *share, int rank, double seconds)
{
    share->held[rank] += seconds;
}
