/* Decided places on their way from rank to rank: ascending indexes of a form and how each is decided, as
 * bytes. An event is the distance from the index after the last one, doubled, plus 1 for a win, in groups of
 * seven bits, low ones first. What an index means is not known here. */
#ifndef GEN_TEAM_EVENTS_H
#define GEN_TEAM_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_EVENT_BYTES = 10 };

/* Bytes of one message; its room is its maker's. A new message begins with size 0. */
struct event_buffer {
    uint8_t *bytes;
    size_t room; /* at least MOST_EVENT_BYTES */
    size_t size;
    uint64_t next; /* least index that can follow */
};

static inline bool events_have_room(const struct event_buffer *buffer)
{
    return buffer->room - buffer->size >= MOST_EVENT_BYTES;
}

/* Appends an event, for which there has to be room. `first` is the least index the message can have. */
static inline void events_put(struct event_buffer *buffer, uint64_t first, uint64_t index, bool win)
{
    uint64_t code = (index - (buffer->size == 0 ? first : buffer->next)) << 1 | win;
    buffer->next = index + 1;
    for (; code >= 0x80; code >>= 7)
        buffer->bytes[buffer->size++] = (uint8_t)(code | 0x80);
    buffer->bytes[buffer->size++] = (uint8_t)code;
}

/* A message that is read; `end` is beyond the greatest index it can have. */
struct event_reader {
    const uint8_t *bytes;
    const uint8_t *bytes_end;
    uint64_t next;
    uint64_t end;
    bool damaged;
};

/* The next event. False at the end, or if the bytes cannot be: then `damaged` is set. */
static inline bool events_get(struct event_reader *reader, uint64_t *index, bool *win)
{
    uint64_t code = 0;
    int shift = 0;
    if (reader->bytes == reader->bytes_end)
        return false;
    reader->damaged = true;
    for (;; shift += 7) {
        if (shift > 63 || reader->bytes == reader->bytes_end)
            return false;
        uint8_t byte = *reader->bytes++;
        code |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            break;
    }
    if (code >> 1 >= reader->end - reader->next)
        return false;
    reader->damaged = false;
    *win = code & 1;
    *index = reader->next + (code >> 1);
    reader->next = *index + 1;
    return true;
}

#endif
