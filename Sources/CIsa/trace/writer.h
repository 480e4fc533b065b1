// Writers: each appends records to the chunks of one stream. docs/tracing.md describes the records.
#ifndef ISA_TRACE_WRITER_H
#define ISA_TRACE_WRITER_H

#include <string.h>

#include "isa_event.h"
#include "trace_file.h"

// The kinds of records that are no events.
enum isa__trace_record {
    ISA_TRACE_RECORD_TEXT = 64,
    ISA_TRACE_RECORD_THREAD,
    ISA_TRACE_RECORD_MODULE,
    ISA_TRACE_RECORD_STACK,
    ISA_TRACE_RECORD_OBJECT,
    ISA_TRACE_RECORD_REGISTRATION,
    ISA_TRACE_RECORD_NOTE,
};

// The addresses that a chunk has named lately, each at a place that follows from the address.
enum { ISA_TRACE_ADDRESSES = 128 };
struct isa__trace_addresses {
    uint64_t last; // the latest that was written whole
    uint64_t places[ISA_TRACE_ADDRESSES];
};

// Owned by one thread at a time, or guarded by isa__trace_lock.
struct isa__trace_writer {
    struct isa__trace_chunk *chunk; // NULL: none yet
    unsigned char *at, *end;        // where the next record begins, and where the chunk ends
    uint64_t time, id, registration, thread; // of the latest record
    uint32_t events;                // in this chunk
    enum isa__trace_chunk_type type;
    uint32_t stream;
    struct isa__trace_addresses objects, code;
};

// The most bytes that the record of an event takes, and a record that says of which thread the
// records are.
enum { ISA_TRACE_MOST_TEXT = 256, ISA_TRACE_MOST_EVENT = 1024, ISA_TRACE_MOST_THREAD = 16 };

// Whether the writer's chunk has room for a record of `size` bytes.
static inline bool isa__trace_has_room(const struct isa__trace_writer *writer, size_t size)
{
    return (size_t)(writer->end - writer->at) >= size;
}

// Goes on in another chunk, if there is one, whose first record is to be of that thread, time and
// id. The chunk before is closed either way.
bool isa__trace_next_chunk_locked(struct isa__trace_file *file, struct isa__trace_writer *writer,
                                  const isa_event *first, bool must_fit);

// ---- parts of records ---------------------------------------------------------------------------

// Each writes at `at`, where there is room, and returns the place behind.

static inline unsigned char *isa__put(unsigned char *at, uint64_t number)
{
    if (__builtin_expect(number < 0x80, 1)) {
        *at = (unsigned char)number;
        return at + 1;
    }
    while (number >= 0x80) {
        *at++ = (unsigned char)(number | 0x80);
        number >>= 7;
    }
    *at++ = (unsigned char)number;
    return at;
}

static inline unsigned char *isa__put_signed(unsigned char *at, uint64_t number)
{
    return isa__put(at, (number << 1) ^ (uint64_t)((int64_t)number >> 63));
}

static inline unsigned char *isa__put_bytes(unsigned char *at, const void *bytes, size_t size)
{
    memcpy(at, bytes, size);
    return at + size;
}

// Whether the writer's chunk has named the address, and so its table holds it.
static inline bool isa__trace_has_address(const struct isa__trace_addresses *addresses,
                                          uint64_t address)
{
    return addresses->places[(address >> 4 ^ address >> 11) % ISA_TRACE_ADDRESSES] == address;
}

// ---- records ------------------------------------------------------------------------------------

// Begins a record, for which there is room: what follows goes to the place returned.
static inline unsigned char *isa__record_begin(struct isa__trace_writer *writer, uint64_t kind)
{
    return isa__put(writer->at + 1, kind);
}

// Makes room for the second byte of a record's length. Returns where the record ends then.
unsigned char *isa__record_lengthen(struct isa__trace_writer *writer, unsigned char *at);

// Ends the record at `at`: from here on it is in the file.
static inline void isa__record_end(struct isa__trace_writer *writer, unsigned char *at)
{
    size_t length = (size_t)(at - writer->at) - 1;
    if (ISA_UNLIKELY(length >= 0x80)) at = isa__record_lengthen(writer, at);
    else writer->at[0] = (unsigned char)length;
    writer->at = at;
    uint64_t used = (uint64_t)(at - (unsigned char *)(writer->chunk + 1));
    __atomic_store_n(&writer->chunk->used, used, __ATOMIC_RELEASE);
}

// The usual events: they have an object, a name, a registration, flags, values, a count, a stack,
// and nothing else.
static const isa_event_kinds isa__usual_kinds =
    ISA_EVENT_KIND(ISA_EVENT_DID_CHANGE) | ISA_EVENT_KIND(ISA_EVENT_NOTIFICATION) |
    ISA_EVENT_KIND(ISA_EVENT_NOTIFICATION_ENDED) | ISA_EVENT_KIND(ISA_EVENT_DEPENDENT_REACHED) |
    ISA_EVENT_KIND(ISA_EVENT_CHANGE_HELD) | ISA_EVENT_KIND(ISA_EVENT_CHANGE_MUTED) |
    ISA_EVENT_KIND(ISA_EVENT_HANDLER_SENT) | ISA_EVENT_KIND(ISA_EVENT_HANDLER_ARRIVED) |
    ISA_EVENT_KIND(ISA_EVENT_HANDLER_ENDED) | ISA_EVENT_KIND(ISA_EVENT_VALUE_READ);

static inline bool isa__event_is_usual(const isa_event *event)
{
    return (isa__usual_kinds & ISA_EVENT_KIND(event->kind)) != 0;
}

// The numbers by which the record of an event names its texts and its stack.
struct isa__trace_numbers {
    uint64_t name, key, cls, other, selector, file, value_types, old_types, stack;
};

// The values that are recorded.
enum isa__trace_value_wish {
    ISA_TRACE_RECORD_NO_VALUES,
    ISA_TRACE_RECORD_NUMBERS,
    ISA_TRACE_RECORD_ALL_VALUES,
};

// Writes the record of an event, in front of it one of its thread if the latest was another's. The
// second is for usual events.
void isa__trace_write_event(struct isa__trace_writer *writer, const isa_event *event,
                            const struct isa__trace_numbers *numbers,
                            enum isa__trace_value_wish values);
void isa__trace_write_usual(struct isa__trace_writer *writer, const isa_event *event,
                            const struct isa__trace_numbers *numbers,
                            enum isa__trace_value_wish values);

#endif
