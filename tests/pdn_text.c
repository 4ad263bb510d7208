/* PDN from memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pdn_text.h"

const struct variant *variant_of(const char *name)
{
    const struct variant *variant = variant_named(name);
    if (!variant)
        fail_msg("there is no variant %s", name);
    return variant;
}

static size_t read_memory(void *context, char *buffer, size_t room)
{
    struct memory *memory = context;
    size_t length = memory->left < room ? memory->left : room;
    length = length < memory->piece ? length : memory->piece;
    memcpy(buffer, memory->next, length);
    memory->next += length;
    memory->left -= length;
    return length;
}

struct memory memory_of(const char *text, size_t length)
{
    return (struct memory){text, length, SIZE_MAX};
}

struct pdn_source source_of(struct memory *memory)
{
    return (struct pdn_source){read_memory, memory};
}

struct pdn_player *player_of(struct memory *memory, const struct variant *chosen)
{
    struct pdn_player *player = malloc(sizeof *player);
    assert_non_null(player);
    pdn_player_init(player, source_of(memory), chosen);
    return player;
}
