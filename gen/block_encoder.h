/* From values to stored blocks: symbols, payload, and the trial on a sample of blocks that chooses payload,
 * fill and dictionary for a table. Distances are in distance_encoder.h, compression is in frame_encoder.h.
 * Knows no files; table_writer.c puts the blocks into one. */
#ifndef GEN_BLOCK_ENCODER_H
#define GEN_BLOCK_ENCODER_H

#include "block_source.h"
#include "frame_encoder.h"
#include "payload.h"

/* The values of one table being encoded; one thread. */
struct block_encoder;

/* Makes an encoder; header, blocks and frames stay the caller's. STATUS_NO_MEMORY. */
enum status block_encoder_create(struct table_header *header, struct block_source *blocks,
                                 struct frame_encoder *frames, struct block_encoder **encoder);
void block_encoder_destroy(struct block_encoder *encoder);

/* Chooses payload (unless it is forced), fill and dictionary for the alphabet in the header. */
enum status block_encoder_choose(struct block_encoder *encoder, enum payload_kind forced,
                                 struct encoding_choice *choice);

/* Uses what was chosen, here or elsewhere for the same table, and writes it into the header. */
enum status block_encoder_adopt(struct block_encoder *encoder, const struct encoding_choice *choice);

/* Fetches and encodes a block, after the choice. */
enum status block_encoder_encode(struct block_encoder *encoder, int member, uint64_t block,
                                 struct encoded_block *encoded);

#endif
