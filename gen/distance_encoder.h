/* From distances to stored blocks: symbols, what to put where a distance is free, and the trial on a sample
 * of blocks that chooses it and a dictionary. Values are in block_encoder.h, compression is in
 * frame_encoder.h. */
#ifndef GEN_DISTANCE_ENCODER_H
#define GEN_DISTANCE_ENCODER_H

#include "block_source.h"
#include "frame_encoder.h"
#include "survey.h"

/* The distances of one table being encoded; one thread. */
struct distance_encoder;

/* Makes an encoder for the list of distances that the header describes; header, blocks and frames stay the
 * caller's. STATUS_NO_MEMORY. */
enum status distance_encoder_create(struct table_header *header, struct block_source *blocks,
                                    struct frame_encoder *frames, const struct distance_list *list,
                                    struct distance_encoder **encoder);
void distance_encoder_destroy(struct distance_encoder *encoder);

/* Chooses fill and dictionary. */
enum status distance_encoder_choose(struct distance_encoder *encoder, struct encoding_choice *choice);

/* Uses what was chosen, here or elsewhere for the same table, and writes it into the header. */
enum status distance_encoder_adopt(struct distance_encoder *encoder, const struct encoding_choice *choice);

/* Fetches and encodes a block, after the choice. */
enum status distance_encoder_encode(struct distance_encoder *encoder, int member, uint64_t block,
                                    struct encoded_block *encoded);

#endif
