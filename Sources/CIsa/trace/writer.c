// A record is written behind the last one of its chunk and then counted in the chunk's header, so a
// reader, also one that comes when the process is dead, finds whole records only. Times, ids and
// addresses are differences to those before in the chunk: most take a byte.
//
// Owns:  nothing; a writer's chunk is the file's.
// Locks: none, but for taking a chunk, once in some 5000 events.
#include "writer.h"

#include "../model/class.h"
#include "../model/type.h"
#include "../objects/box.h"

bool isa__trace_next_chunk_locked(struct isa__trace_file *file, struct isa__trace_writer *writer,
                                  const isa_event *first, bool must_fit)
{
    if (writer->chunk != NULL && writer->type == ISA_TRACE_EVENTS)
        isa__trace_chunk_close_locked(file, writer->chunk, writer->events);
    writer->time = isa__system_clock();
    struct isa__trace_chunk begin = {.type = writer->type,
                                     .stream = writer->stream,
                                     .time = writer->time,
                                     .id = first->id,
                                     .thread = first->thread};
    writer->chunk = isa__trace_chunk_take_locked(file, &begin, must_fit);
    writer->at = writer->end = NULL;
    if (writer->chunk == NULL) return false;
    writer->at = (unsigned char *)(writer->chunk + 1);
    writer->end = (unsigned char *)writer->chunk + ISA_TRACE_CHUNK;
    writer->id = first->id;
    writer->thread = first->thread;
    writer->registration = 0;
    writer->events = 0;
    writer->objects = writer->code = (struct isa__trace_addresses){0};
    return true;
}

unsigned char *isa__record_lengthen(struct isa__trace_writer *writer, unsigned char *at)
{
    size_t length = (size_t)(at - writer->at) - 1;
    memmove(writer->at + 2, writer->at + 1, length);
    writer->at[0] = (unsigned char)(length | 0x80);
    writer->at[1] = (unsigned char)(length >> 7);
    return at + 1;
}

// ---- addresses ----------------------------------------------------------------------------------

static inline unsigned char *put_address(unsigned char *at, struct isa__trace_addresses *addresses,
                                         uint64_t address)
{
    uint64_t place = (address >> 4 ^ address >> 11) % ISA_TRACE_ADDRESSES;
    if (addresses->places[place] == address) return isa__put(at, place + 1);
    *at++ = 0;
    at = isa__put_signed(at, address - addresses->last);
    addresses->places[place] = addresses->last = address;
    return at;
}

// ---- values -------------------------------------------------------------------------------------

// A number of one of C's types; NULL for any other type.
static unsigned char *put_number(unsigned char *at, char letter, const void *value)
{
    if (letter == 'f' || letter == 'd') {
        *at++ = (unsigned char)letter;
        return isa__put_bytes(at, value, letter == 'f' ? sizeof(float) : sizeof(double));
    }
    if (!isa__letter_is_integer(letter)) return NULL;
    uint64_t bits = isa__integer_load(letter, value);
    *at++ = (unsigned char)letter;
    bool is_signed = isa__scalar(letter)->kind == ISA_SCALAR_SIGNED;
    return is_signed ? isa__put_signed(at, bits) : isa__put(at, bits);
}

static unsigned char *put_text(unsigned char *at, const isa_event *event, bool of_old)
{
    char text[ISA_TRACE_MOST_TEXT + 1];
    size_t length = isa_event_copy_text(event, of_old, text, sizeof text);
    if (length == SIZE_MAX) return NULL;
    size_t kept = strlen(text);
    *at++ = 'T';
    return isa__put_bytes(isa__put(isa__put(at, length), kept), text, kept);
}

// What another thread may have replaced in an ivar meanwhile is only an address.
static unsigned char *put_object(struct isa__trace_writer *writer, unsigned char *at, isa_id object,
                                 bool is_held)
{
    if (object == NULL) {
        *at++ = 'n';
        return at;
    }
    if (is_held && isa_object_get_class(object) == isa__box_classes[ISA_BOX_NUMBER]) {
        const struct isa__box *box = (const struct isa__box *)object;
        unsigned char *behind = put_number(at + 1, box->types[0], box->bytes);
        if (behind != NULL) {
            *at = 'N';
            return behind;
        }
    }
    *at++ = '@';
    return put_address(at, &writer->objects, (uintptr_t)object);
}

static unsigned char *put_value(struct isa__trace_writer *writer, unsigned char *at,
                                const isa_event *event, bool of_old, uint64_t types_number,
                                enum isa__trace_value_wish wish)
{
    const char *types = of_old ? event->old_types : event->types;
    const void *value = of_old ? event->old_value : event->value;
    bool is_held = event->kind != ISA_EVENT_IVAR_WRITTEN;
    unsigned char *behind = put_number(at, types[0], value);
    if (behind == NULL && is_held && wish == ISA_TRACE_RECORD_ALL_VALUES)
        behind = put_text(at, event, of_old);
    if (behind != NULL) return behind;
    // The address of an object that a text stands in for now tells nothing.
    if (types[0] == '@' && !(is_held && isa_event_copy_text(event, of_old, NULL, 0) != SIZE_MAX))
        return put_object(writer, at, *(const isa_id *)value, is_held);
    *at++ = '?';
    return isa__put(at, types_number);
}

// ---- events -------------------------------------------------------------------------------------

// The fields of an event in the order of their bits.
enum field {
    OBJECT,
    NAME,
    REGISTRATION,
    FLAGS,
    VALUE,
    OLD_VALUE,
    COUNT,
    CLASS,
    SELECTOR,
    OTHER,
    SERVES,
    OBSERVER,
    CALLBACK,
    IMP,
    KEY,
    STATUS,
    REASON,
    LINE,
    FILE_NAME,
    STACK,
};

// Whether the record of the event's registration has what is about the registration alone.
static bool leaves_to_registration(const isa_event *event)
{
    return event->registration != 0 && event->kind != ISA_EVENT_OBSERVER_ADDED &&
           event->kind != ISA_EVENT_OBSERVER_REMOVED;
}

#define HAS(field, is_there) ((uint32_t)((is_there) != 0) << (field))

static uint32_t find_rare_fields(const isa_event *event, const struct isa__trace_numbers *numbers)
{
    uint32_t fields = HAS(CLASS, numbers->cls) | HAS(SELECTOR, numbers->selector) |
                      HAS(OTHER, numbers->other) | HAS(IMP, event->imp != NULL) |
                      HAS(KEY, numbers->key) | HAS(STATUS, event->status) |
                      HAS(REASON, event->reason);
    if (leaves_to_registration(event)) return fields;
    return fields | HAS(SERVES, event->serves) | HAS(OBSERVER, event->observer != NULL) |
           HAS(CALLBACK, event->callback != NULL) | HAS(LINE, event->line) |
           HAS(FILE_NAME, numbers->file);
}

ISA_INLINE uint32_t find_fields(const isa_event *event, const struct isa__trace_numbers *numbers,
                                enum isa__trace_value_wish values, bool is_usual)
{
    uint32_t fields = HAS(OBJECT, event->object != NULL) | HAS(NAME, numbers->name) |
                      HAS(REGISTRATION, event->registration) | HAS(FLAGS, event->flags) |
                      HAS(COUNT, event->count) | HAS(STACK, numbers->stack);
    if (values != ISA_TRACE_RECORD_NO_VALUES) {
        if (event->value != NULL && event->types != NULL) fields |= 1u << VALUE;
        if (event->old_value != NULL && event->old_types != NULL) fields |= 1u << OLD_VALUE;
    }
    return is_usual ? fields : fields | find_rare_fields(event, numbers);
}
#undef HAS

ISA_OUTLINE unsigned char *put_rare(struct isa__trace_writer *writer, unsigned char *at,
                               const isa_event *event, const struct isa__trace_numbers *numbers,
                               uint32_t fields)
{
    struct isa__trace_addresses *code = &writer->code;
    if (fields & 1u << COUNT) at = isa__put(at, event->count);
    if (fields & 1u << CLASS) at = isa__put(at, numbers->cls);
    if (fields & 1u << SELECTOR) at = isa__put(at, numbers->selector);
    if (fields & 1u << OTHER) at = isa__put(at, numbers->other);
    if (fields & 1u << SERVES) at = isa__put_signed(at, event->serves - event->registration);
    if (fields & 1u << OBSERVER)
        at = put_address(at, &writer->objects, (uintptr_t)event->observer);
    if (fields & 1u << CALLBACK) at = put_address(at, code, (uintptr_t)event->callback);
    if (fields & 1u << IMP) at = put_address(at, code, (uintptr_t)event->imp);
    if (fields & 1u << KEY) at = isa__put(at, numbers->key);
    if (fields & 1u << STATUS) at = isa__put(at, (uint64_t)event->status);
    if (fields & 1u << REASON) at = isa__put(at, (uint64_t)event->reason);
    if (fields & 1u << LINE) at = isa__put(at, event->line);
    if (fields & 1u << FILE_NAME) at = isa__put(at, numbers->file);
    if (fields & 1u << STACK) at = isa__put(at, numbers->stack);
    return at;
}

static void write_thread(struct isa__trace_writer *writer, uint64_t thread)
{
    unsigned char *at = isa__record_begin(writer, ISA_TRACE_RECORD_THREAD);
    isa__record_end(writer, isa__put(at, thread));
    writer->thread = thread;
}

ISA_OUTLINE unsigned char *put_values(struct isa__trace_writer *writer, unsigned char *at,
                                      const isa_event *event,
                                      const struct isa__trace_numbers *numbers, uint32_t fields,
                                      enum isa__trace_value_wish values)
{
    if (fields & 1u << VALUE)
        at = put_value(writer, at, event, false, numbers->value_types, values);
    if (fields & 1u << OLD_VALUE)
        at = put_value(writer, at, event, true, numbers->old_types, values);
    return at;
}

ISA_INLINE void write_event(struct isa__trace_writer *writer, const isa_event *event,
                            const struct isa__trace_numbers *numbers,
                            enum isa__trace_value_wish values, bool is_usual)
{
    if (ISA_UNLIKELY(writer->thread != event->thread)) write_thread(writer, event->thread);
    uint32_t fields = find_fields(event, numbers, values, is_usual);
    uint64_t now = isa__system_clock();
    unsigned char *at = isa__put(isa__record_begin(writer, event->kind), fields);
    at = isa__put_signed(at, now - writer->time);
    at = isa__put_signed(at, event->id - writer->id);
    at = isa__put(at, event->cause == 0 ? 0 : event->id - event->cause);
    writer->time = now;
    writer->id = event->id;
    if (fields & 1u << OBJECT) at = put_address(at, &writer->objects, (uintptr_t)event->object);
    if (fields & 1u << NAME) at = isa__put(at, numbers->name);
    if (fields & 1u << REGISTRATION) {
        at = isa__put_signed(at, event->registration - writer->registration);
        writer->registration = event->registration;
    }
    if (fields & 1u << FLAGS) at = isa__put(at, event->flags);
    if (fields & (1u << VALUE | 1u << OLD_VALUE))
        at = put_values(writer, at, event, numbers, fields, values);
    if (ISA_UNLIKELY(fields >> COUNT != 0)) at = put_rare(writer, at, event, numbers, fields);
    writer->events++;
    isa__record_end(writer, at);
}

void isa__trace_write_event(struct isa__trace_writer *writer, const isa_event *event,
                            const struct isa__trace_numbers *numbers,
                            enum isa__trace_value_wish values)
{
    write_event(writer, event, numbers, values, false);
}

void isa__trace_write_usual(struct isa__trace_writer *writer, const isa_event *event,
                            const struct isa__trace_numbers *numbers,
                            enum isa__trace_value_wish values)
{
    write_event(writer, event, numbers, values, true);
}
