#include "trace_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS = 1, STRUCTURE = 2, PLACES = 128, CHUNK_HEADER = 64 };
enum { TEXT = 64, THREAD, MODULE, STACK, OBJECT, REGISTRATION, NOTE };

struct reader {
    struct trace *trace;
    const unsigned char *bytes; // the file
    size_t size;
    uint64_t header_size, chunk_size;
    size_t text_room, event_room, object_room, registration_room;
    uint64_t modules[1024][3];
    uint64_t *stacks; // numbers that are there
};

// The bytes of a record that have not been read.
struct part {
    const unsigned char *at, *end;
    bool is_short;
};

struct places {
    uint64_t last, at[PLACES];
};

struct chunk {
    uint32_t type, stream;
    uint64_t sequence, used, time, id, thread;
    const unsigned char *records;
};

struct state {
    uint64_t time, id, thread, registration;
    struct places objects, code;
};

static bool mistaken(struct trace *trace, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (trace->mistake[0] == 0)
        vsnprintf(trace->mistake, sizeof trace->mistake, format, arguments);
    va_end(arguments);
    return false;
}

static void *grown(void *list, size_t count, size_t *room, size_t size)
{
    if (count < *room) return list;
    *room = *room == 0 ? 64 : *room * 2;
    list = realloc(list, *room * size);
    if (list == NULL) abort();
    return list;
}

// ---- parts --------------------------------------------------------------------------------------

static uint64_t varint(struct part *part)
{
    uint64_t number = 0;
    for (int shift = 0; part->at < part->end && shift < 64; shift += 7) {
        unsigned char byte = *part->at++;
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) return number;
    }
    part->is_short = true;
    return 0;
}

static uint64_t signed_varint(struct part *part)
{
    uint64_t number = varint(part);
    return number >> 1 ^ (0 - (number & 1));
}

static const unsigned char *take(struct part *part, uint64_t count)
{
    const unsigned char *at = part->at;
    if (count > (uint64_t)(part->end - part->at)) {
        part->is_short = true;
        return NULL;
    }
    part->at += count;
    return at;
}

static uint64_t address(struct part *part, struct places *places)
{
    uint64_t place = varint(part);
    if (place > PLACES) {
        part->is_short = true;
        return 0;
    }
    if (place > 0) return places->at[place - 1];
    uint64_t new = places->last + signed_varint(part);
    places->at[(new >> 4 ^ new >> 11) & (PLACES - 1)] = places->last = new;
    return new;
}

static const char *text(struct reader *reader, struct part *part)
{
    uint64_t number = varint(part);
    if (number == 0) return NULL;
    if (number <= reader->trace->text_count && reader->trace->texts[number - 1] != NULL)
        return reader->trace->texts[number - 1];
    mistaken(reader->trace, "text %llu has no record", (unsigned long long)number);
    return NULL;
}

static char value(struct reader *reader, struct part *part, struct state *state, char *kept,
                  int64_t *number)
{
    const unsigned char *letter = take(part, 1);
    if (letter == NULL) return 0;
    switch (*letter) {
    case 'c': case 's': case 'i': case 'l': case 'q': *number = (int64_t)signed_varint(part); break;
    case 'B': case 'C': case 'S': case 'I': case 'L': case 'Q':
        *number = (int64_t)varint(part);
        break;
    case 'f': take(part, 4); break;
    case 'd': take(part, 8); break;
    case 'n': break;
    case '@': address(part, &state->objects); break;
    case 'N': value(reader, part, state, kept, number); break;
    case 'T': {
        uint64_t whole = varint(part), here = varint(part);
        const unsigned char *bytes = take(part, here);
        if (here > whole || here > 256) part->is_short = true;
        if (bytes != NULL) snprintf(kept, 64, "%.*s", (int)here, (const char *)bytes);
        break;
    }
    case '?': text(reader, part); break;
    default: part->is_short = true;
    }
    return (char)*letter;
}

// ---- records ------------------------------------------------------------------------------------

static bool read_fields(struct reader *reader, struct part *part, struct state *state,
                        uint64_t fields, struct trace_event *event)
{
    char old_text[64];
    int64_t old_number;
#define IF(bit) if (fields & UINT64_C(1) << (bit))
    IF(0) event->object = address(part, &state->objects);
    IF(1) event->name = text(reader, part);
    IF(2) event->registration = state->registration += signed_varint(part);
    IF(3) event->flags = varint(part);
    IF(4) event->value = value(reader, part, state, event->text, &event->number);
    IF(5) event->old_value = value(reader, part, state, old_text, &old_number);
    IF(6) event->count = varint(part);
    IF(7) event->cls = text(reader, part);
    IF(8) text(reader, part);
    IF(9) text(reader, part);
    IF(10) event->serves = event->registration + signed_varint(part);
    IF(11) event->observer = address(part, &state->objects);
    IF(12) address(part, &state->code);
    IF(13) address(part, &state->code);
    IF(14) text(reader, part);
    IF(15) event->status = varint(part);
    IF(16) varint(part);
    IF(17) event->line = varint(part);
    IF(18) event->file = text(reader, part);
    IF(19) event->stack = varint(part);
#undef IF
    if (event->stack > reader->trace->stack_count)
        return mistaken(reader->trace, "stack %llu has no record",
                        (unsigned long long)event->stack);
    return true;
}

static bool read_event(struct reader *reader, struct part *part, struct state *state, unsigned kind,
                       bool in_structure)
{
    struct trace *trace = reader->trace;
    uint64_t fields = varint(part), before = state->time, id = state->id;
    trace->events = grown(trace->events, trace->event_count, &reader->event_room,
                          sizeof *trace->events);
    struct trace_event *event = &trace->events[trace->event_count++];
    *event = (struct trace_event){
        .kind = kind, .thread = state->thread, .in_structure = in_structure};
    event->time = state->time += signed_varint(part);
    event->id = state->id += signed_varint(part);
    uint64_t distance = varint(part);
    if (distance > event->id) return mistaken(trace, "an event before all others causes one");
    event->cause = distance == 0 ? 0 : event->id - distance;
    if (!in_structure && (event->time < before || event->id < id))
        return mistaken(trace, "time or id goes back in a stream");
    return read_fields(reader, part, state, fields, event);
}

static void read_text(struct reader *reader, struct part *part)
{
    struct trace *trace = reader->trace;
    uint64_t number = varint(part), length = varint(part);
    size_t here = (size_t)(part->end - part->at);
    if (number != trace->text_count + 1 || here > length)
        mistaken(trace, "text %llu comes after %zu", (unsigned long long)number, trace->text_count);
    trace->texts = grown(trace->texts, trace->text_count, &reader->text_room, sizeof(char *));
    char *copy = malloc(here + 1);
    memcpy(copy, take(part, here), here);
    copy[here] = 0;
    trace->texts[trace->text_count++] = copy;
}

static bool is_in_module(const struct reader *reader, uint64_t call)
{
    for (size_t i = 0; i < reader->trace->module_count; i++)
        if (reader->modules[i][0] <= call && call < reader->modules[i][1]) return true;
    return false;
}

static void read_stack(struct reader *reader, struct part *part)
{
    struct trace *trace = reader->trace;
    uint64_t number = varint(part), count = varint(part), call = 0;
    if (number != trace->stack_count + 1) mistaken(trace, "a stack's number");
    trace->stack_count = (size_t)number;
    if (count > trace->longest_stack) trace->longest_stack = (size_t)count;
    for (uint64_t i = 0; i < count && !part->is_short; i++) {
        call = i == 0 ? varint(part) : call + signed_varint(part);
        trace->stack_calls++;
        trace->stack_modules += is_in_module(reader, call);
    }
}

static void read_module(struct reader *reader, struct part *part)
{
    uint64_t low = varint(part), high = varint(part), bias = varint(part), id = varint(part);
    take(part, id);
    take(part, (uint64_t)(part->end - part->at));
    if (low >= high) mistaken(reader->trace, "a module of no addresses");
    reader->modules[reader->trace->module_count][0] = low;
    reader->modules[reader->trace->module_count][1] = high;
    reader->modules[reader->trace->module_count++][2] = bias;
}

static void read_object(struct reader *reader, struct part *part)
{
    struct trace *trace = reader->trace;
    struct trace_object object = {.address = varint(part)};
    object.cls = text(reader, part);
    object.first = varint(part);
    trace->objects = grown(trace->objects, trace->object_count, &reader->object_room,
                           sizeof *trace->objects);
    trace->objects[trace->object_count++] = object;
}

static void read_registration(struct reader *reader, struct part *part)
{
    struct trace *trace = reader->trace;
    struct trace_registration found = {.object = varint(part), .number = varint(part)};
    found.key_path = text(reader, part);
    varint(part), varint(part), varint(part);
    text(reader, part);
    varint(part);
    trace->registrations = grown(trace->registrations, trace->registration_count,
                                 &reader->registration_room, sizeof *trace->registrations);
    trace->registrations[trace->registration_count++] = found;
}

static bool read_record(struct reader *reader, struct part *part, struct state *state,
                        uint32_t type)
{
    uint64_t kind = varint(part);
    bool is_structure = type == STRUCTURE;
    if (kind == THREAD) state->thread = varint(part);
    else if (kind == 0) return mistaken(reader->trace, "a record of kind 0");
    else if (kind < TEXT) read_event(reader, part, state, (unsigned)kind, is_structure);
    else if (!is_structure) return mistaken(reader->trace, "structure among events");
    else if (kind == TEXT) read_text(reader, part);
    else if (kind == MODULE) read_module(reader, part);
    else if (kind == STACK) read_stack(reader, part);
    else if (kind == OBJECT) read_object(reader, part);
    else if (kind == REGISTRATION) read_registration(reader, part);
    else if (kind == NOTE) take(part, varint(part)), part->at = part->end;
    if (part->is_short || part->at != part->end)
        return mistaken(reader->trace, "a record of kind %llu is torn", (unsigned long long)kind);
    return reader->trace->mistake[0] == 0;
}

// ---- chunks -------------------------------------------------------------------------------------

static uint64_t u64(const unsigned char *at)
{
    uint64_t number;
    memcpy(&number, at, sizeof number);
    return number;
}

static uint32_t u32(const unsigned char *at)
{
    uint32_t number;
    memcpy(&number, at, sizeof number);
    return number;
}

static bool read_chunk(struct reader *reader, const struct chunk *chunk)
{
    struct state *state = calloc(1, sizeof *state);
    struct part all = {chunk->records, chunk->records + chunk->used, false};
    state->time = chunk->time;
    state->id = chunk->id;
    state->thread = chunk->thread;
    bool is_fine = true;
    while (is_fine && all.at < all.end) {
        uint64_t length = varint(&all);
        const unsigned char *at = all.is_short ? NULL : take(&all, length);
        if (at == NULL) is_fine = mistaken(reader->trace, "a record goes beyond its chunk");
        else {
            struct part part = {at, at + length, false};
            size_t events = reader->trace->event_count;
            is_fine = read_record(reader, &part, state, chunk->type);
            if (events != reader->trace->event_count) reader->trace->bytes += length + 1;
        }
    }
    free(state);
    return is_fine;
}

static int by_type_and_sequence(const void *a, const void *b)
{
    const struct chunk *one = a, *other = b;
    if (one->type != other->type) return one->type > other->type ? -1 : 1;
    return one->sequence < other->sequence ? -1 : one->sequence > other->sequence;
}

static bool read_chunks(struct reader *reader)
{
    struct trace *trace = reader->trace;
    size_t count = 0;
    struct chunk *chunks = calloc(trace->chunk_count + 1, sizeof *chunks);
    bool is_fine = true;
    for (uint64_t i = 0; i < trace->chunk_count && is_fine; i++) {
        uint64_t place = reader->header_size + i * reader->chunk_size;
        const unsigned char *at = reader->bytes + place;
        if (place + reader->chunk_size > reader->size) {
            is_fine = mistaken(trace, "chunk %llu is not in the file", (unsigned long long)i);
            continue;
        }
        struct chunk chunk = {u32(at),      u32(at + 4),  u64(at + 8),  u64(at + 16),
                              u64(at + 24), u64(at + 32), u64(at + 40), at + CHUNK_HEADER};
        if (chunk.used > reader->chunk_size - CHUNK_HEADER || chunk.type > STRUCTURE)
            is_fine = mistaken(trace, "chunk %llu has no such type or size", (unsigned long long)i);
        if (chunk.type != 0) chunks[count++] = chunk;
    }
    qsort(chunks, count, sizeof *chunks, by_type_and_sequence);
    for (size_t i = 0; i < count && is_fine; i++) is_fine = read_chunk(reader, &chunks[i]);
    free(chunks);
    return is_fine;
}

// ---- the file -----------------------------------------------------------------------------------

static int by_id(const void *a, const void *b)
{
    const struct trace_event *one = a, *other = b;
    return one->id < other->id ? -1 : one->id > other->id;
}

static bool check_ids(struct trace *trace)
{
    if (trace->event_count > 0)
        qsort(trace->events, trace->event_count, sizeof *trace->events, by_id);
    for (size_t i = 1; i < trace->event_count; i++)
        if (trace->events[i].id == trace->events[i - 1].id)
            return mistaken(trace, "two events have one id");
    return true;
}

enum { LOST_EVENTS = 88 }; // the field's place; behind it the lost chunks

static bool read_header(struct reader *reader)
{
    struct trace *trace = reader->trace;
    const unsigned char *at = reader->bytes;
    if (reader->size < 128 || memcmp(at, "KVOTRACE", 8) != 0 || u32(at + 8) != 0x01020304 ||
        u32(at + 12) != 1)
        return mistaken(trace, "no trace");
    reader->header_size = u32(at + 16);
    reader->chunk_size = u32(at + 20);
    trace->keep = u32(at + 28);
    trace->process = u64(at + 32);
    trace->chunk_count = u64(at + 80);
    trace->lost_events = u64(at + LOST_EVENTS);
    trace->lost_chunks = u64(at + LOST_EVENTS + 8);
    trace->structure_end = u64(at + 104);
    trace->end_reason = u32(at + 120);
    trace->end_error = u32(at + 124);
    return true;
}

// Reads a file that may grow: a chunk that has been used again meanwhile is forgotten. Structure is
// read last, so that it has what the events name.
static void read_once_more(FILE *file, struct reader *reader, unsigned char *bytes)
{
    uint64_t count = u64(bytes + 80), header = u32(bytes + 16), size = u32(bytes + 20);
    for (int pass = 0; pass < 2; pass++) {
        for (uint64_t i = 0; i < count && header + (i + 1) * size <= reader->size; i++) {
            unsigned char *at = bytes + header + i * size, now[CHUNK_HEADER];
            bool is_structure = u32(at) == STRUCTURE;
            if (is_structure != (pass == 1)) continue;
            size_t part = is_structure ? (size_t)size : sizeof now;
            unsigned char *to = is_structure ? at : now;
            if (fseek(file, (long)(header + i * size), SEEK_SET) != 0 ||
                fread(to, 1, part, file) != part || u32(to) == 0 || u64(to + 8) != u64(at + 8))
                memset(at, 0, sizeof(uint32_t));
        }
    }
    // What such a chunk had is counted as lost by now.
    size_t part = 2 * sizeof(uint64_t);
    if (fseek(file, LOST_EVENTS, SEEK_SET) != 0 ||
        fread(bytes + LOST_EVENTS, 1, part, file) != part)
        reader->size = 0;
}

static unsigned char *read_file(const char *path, struct reader *reader)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    setvbuf(file, NULL, _IONBF, 0); // what is read again is read from the file
    unsigned char *bytes = NULL;
    size_t room = 0, count = 0, more;
    do {
        bytes = grown(bytes, count + 65536, &room, 1);
        more = fread(bytes + count, 1, room - count, file);
        count += more;
    } while (more > 0);
    reader->size = count;
    if (count >= 128) read_once_more(file, reader, bytes);
    fclose(file);
    return bytes;
}

bool trace_read(const char *path, struct trace *trace)
{
    struct reader *reader = calloc(1, sizeof *reader);
    *trace = (struct trace){0};
    reader->trace = trace;
    unsigned char *bytes = read_file(path, reader);
    reader->bytes = bytes;
    bool is_fine = bytes == NULL ? mistaken(trace, "%s: no such file", path)
                                 : read_header(reader) && read_chunks(reader) && check_ids(trace);
    free(bytes);
    free(reader);
    return is_fine;
}

void trace_free(struct trace *trace)
{
    for (size_t i = 0; i < trace->text_count; i++) free(trace->texts[i]);
    free(trace->texts);
    free(trace->events);
    free(trace->objects);
    free(trace->registrations);
}

size_t trace_count(const struct trace *trace, unsigned kind)
{
    size_t count = 0;
    for (size_t i = 0; i < trace->event_count; i++) count += trace->events[i].kind == kind;
    return count;
}

const struct trace_event *trace_find(const struct trace *trace, uint64_t id)
{
    struct trace_event key = {.id = id};
    if (trace->event_count == 0) return NULL;
    return bsearch(&key, trace->events, trace->event_count, sizeof key, by_id);
}
