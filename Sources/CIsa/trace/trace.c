// The recorder: a listener of the event log that writes each event into a file. Each thread that
// has events gets a recorder, which fills a chunk of its own, so that an event takes no lock; its
// texts and stacks it knows by number. What has never been seen is written once, under the lock.
//
// Owns:      one trace at a time: its file, its arena, and all that is in them, until nobody is
//            inside the listener any more. A thread's recorder stays with the thread's record, and
//            goes to the next thread with it: so ids ascend in its stream.
// Locks:     isa__trace_lock, see trace_file.h. `state` lets one thread at a time start or end.
// Invariant: no code of the program runs here, and an error or errno of the program's stays.
#define _GNU_SOURCE // pthread_atfork
#include "trace.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "../base/alloc.h"
#include "../base/event.h"
#include "../model/class.h"
#include "../model/selector.h"
#include "../model/type.h"
#include "settings.h"

enum { KNOWN_TEXTS = 128, KNOWN_STACKS = 64, KNOWN_CLASSES = 32 };

// Used by one thread at a time.
struct isa__recorder {
    struct isa__trace_writer writer;
    struct {
        const char *address; // where the event had it
        const struct isa__trace_text *text;
    } texts[KNOWN_TEXTS];
    struct isa__trace_stack stacks[KNOWN_STACKS];
    struct {
        isa_class cls;
        const char *name; // the class's own, as another class may stand at its address later
        bool is_wanted;
    } classes[KNOWN_CLASSES];
};

enum state { IDLE, STARTING, RECORDING, ENDING };

static uint32_t state; // enum state; atomic builtins
static struct {
    uint64_t number; // of this trace, never used again
    isa_event_listener listener;
    struct isa__arena arena;
    struct isa__trace_file file;
    struct isa__trace_settings settings;
    isa_event_kinds stack_kinds;
    struct isa__trace_structure structure;
    uint32_t streams;
} trace;

static bool state_change(enum state from, enum state to)
{
    uint32_t expected = from;
    return __atomic_compare_exchange_n(&state, &expected, to, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
}

// ---- end ----------------------------------------------------------------------------------------

// Ends the trace, also from inside the listener, which touches nothing of it afterwards. False if
// none is being recorded.
static bool end_trace(enum isa__trace_end end, int error)
{
    if (!state_change(RECORDING, ENDING)) return false;
    isa_event_remove_listener(trace.listener);
    trace.listener = 0;
    // Behind those who have seen that a trace is being recorded.
    isa__lock(&isa__trace_lock);
    isa__trace_file_close(&trace.file, end, error);
    isa__arena_free(&trace.arena);
    isa__unlock(&isa__trace_lock);
    __atomic_store_n(&state, IDLE, __ATOMIC_RELEASE);
    return true;
}

isa_status isa_trace_stop(void)
{
    if (end_trace(ISA_TRACE_END_STOPPED, 0)) return ISA_OK;
    return isa__fail(ISA_ERR_NOT_FOUND, NULL, "isa_trace_stop: no trace is being recorded");
}

static __attribute__((destructor)) void end_with_process(void)
{
    (void)end_trace(ISA_TRACE_END_STOPPED, 0);
}

// In a child of fork: the file is the parent's. Where another thread was about to start or to end
// the trace, its memory stays.
static void leave_to_parent(void)
{
    enum state before = __atomic_load_n(&state, __ATOMIC_ACQUIRE);
    if (before == IDLE) return;
    isa_event_remove_listener(trace.listener);
    trace.listener = 0;
    isa__trace_file_leave(&trace.file);
    if (before == RECORDING) isa__arena_free(&trace.arena);
    trace.arena = (struct isa__arena){0};
    __atomic_store_n(&state, IDLE, __ATOMIC_RELEASE);
}

// ---- a thread's recorder ------------------------------------------------------------------------

static struct isa__recorder *make_recorder(struct isa__thread *thread)
{
    isa__lock(&isa__trace_lock);
    struct isa__recorder *recorder = isa__arena_allocate(&trace.arena, sizeof *recorder);
    uint32_t stream = recorder == NULL ? 0 : ++trace.streams;
    isa__unlock(&isa__trace_lock);
    if (recorder == NULL) return NULL;
    recorder->writer.type = ISA_TRACE_EVENTS;
    recorder->writer.stream = stream;
    thread->recorder = recorder;
    thread->recorder_trace = trace.number;
    return recorder;
}

static struct isa__recorder *recorder_of(struct isa__thread *thread)
{
    bool is_there = thread->recorder != NULL && thread->recorder_trace == trace.number;
    return ISA_UNLIKELY(!is_there) ? make_recorder(thread) : thread->recorder;
}

ISA_RARE bool next_chunk(struct isa__recorder *recorder, const isa_event *event)
{
    isa__lock(&isa__trace_lock);
    bool is_there = isa__trace_next_chunk_locked(&trace.file, &recorder->writer, event, false);
    isa__unlock(&isa__trace_lock);
    return is_there;
}

// Whether there is room for the event's record; else the event is lost, and counted.
static inline bool has_room(struct isa__recorder *recorder, const isa_event *event)
{
    enum { MOST = ISA_TRACE_MOST_EVENT + ISA_TRACE_MOST_THREAD };
    if (__builtin_expect(isa__trace_has_room(&recorder->writer, MOST), 1)) return true;
    if (next_chunk(recorder, event)) return true;
    __atomic_fetch_add(&trace.file.header->lost_events, 1, __ATOMIC_RELAXED);
    return false;
}

static void write_event(struct isa__recorder *recorder, const isa_event *event,
                        const struct isa__trace_numbers *numbers)
{
    if (has_room(recorder, event))
        isa__trace_write_event(&recorder->writer, event, numbers, trace.structure.values);
}

// ---- numbers ------------------------------------------------------------------------------------

ISA_RARE uint64_t look_text_up(struct isa__recorder *recorder, size_t place, const char *text)
{
    const struct isa__trace_text *found = isa__structure_text(&trace.structure, text);
    if (found == NULL) return 0;
    recorder->texts[place].address = text;
    recorder->texts[place].text = found;
    return found->number;
}

static inline size_t place_of(const char *text)
{
    return ((uintptr_t)text >> 3 ^ (uintptr_t)text >> 10) % KNOWN_TEXTS;
}

// A text at an address that had another one before is another text.
static uint64_t number_of(struct isa__recorder *recorder, const char *text)
{
    if (text == NULL || *text == 0) return 0;
    size_t place = place_of(text);
    const struct isa__trace_text *known = recorder->texts[place].text;
    if (ISA_UNLIKELY(recorder->texts[place].address != text || strcmp(known->text, text) != 0))
        return look_text_up(recorder, place, text);
    return known->number;
}

// The number of a key or key path, which is interned: no other text ever stands at its address.
static inline uint64_t key_number(struct isa__recorder *recorder, const char *text)
{
    size_t place = place_of(text);
    if (__builtin_expect(text != NULL && recorder->texts[place].address == text, 1))
        return recorder->texts[place].text->number;
    return number_of(recorder, text);
}

static uint64_t class_number(struct isa__recorder *recorder, isa_class cls)
{
    return cls == NULL ? 0 : number_of(recorder, isa_class_name(cls));
}

// The types of a value of another language are no text, and those of a number are its letter.
static uint64_t types_number(struct isa__recorder *recorder, const char *types, const void *value)
{
    if (value == NULL || types == NULL || isa__letter_is_number(types[0])) return 0;
    return (unsigned char)types[0] > ' ' ? number_of(recorder, types) : 0;
}

ISA_OUTLINE uint64_t stack_number(struct isa__recorder *recorder)
{
    uintptr_t calls[ISA_TRACE_MOST_CALLS], here = (uintptr_t)__builtin_frame_address(0);
    struct isa__thread *thread = isa__current;
    if (thread->own_stack.high == 0) thread->own_stack = isa__system_stack(here);
    size_t count = isa__system_callers(thread->own_stack, calls, ISA_TRACE_MOST_CALLS);
    if (count == 0) return 0;
    uint64_t hash = isa__stack_hash(calls, count);
    struct isa__trace_stack *known = &recorder->stacks[hash % KNOWN_STACKS];
    if (known->hash == hash) return known->number;
    uint64_t number = isa__structure_stack(&trace.structure, hash, calls, count);
    if (number != 0) *known = (struct isa__trace_stack){hash, number};
    return number;
}

static const isa_event_kinds registration_kinds =
    ISA_EVENT_KIND(ISA_EVENT_OBSERVER_ADDED) | ISA_EVENT_KIND(ISA_EVENT_OBSERVER_REFUSED);
static const isa_event_kinds set_kinds =
    ISA_EVENT_KIND(ISA_EVENT_DID_CHANGE) | ISA_EVENT_KIND(ISA_EVENT_OBSERVER_REMOVED) |
    ISA_EVENT_KIND(ISA_EVENT_SPAN_BEGAN) | ISA_EVENT_KIND(ISA_EVENT_TRANSACTION_BEGAN) |
    ISA_EVENT_KIND(ISA_EVENT_MISUSE) | ISA_EVENT_KIND(ISA_EVENT_MARK);

static isa_event_kinds stack_kinds_of(isa_trace_stacks stacks)
{
    switch (stacks) {
    case ISA_TRACE_STACKS_NONE: return 0;
    case ISA_TRACE_STACKS_REGISTRATIONS: return registration_kinds;
    case ISA_TRACE_STACKS_ALL: return registration_kinds | set_kinds;
    }
    return 0;
}

static void find_rare_numbers(struct isa__recorder *recorder, const isa_event *event,
                              struct isa__trace_numbers *numbers)
{
    numbers->key = number_of(recorder, event->key);
    numbers->file = number_of(recorder, event->file);
    // A class that is gone is told by its name.
    if (event->kind != ISA_EVENT_CLASS_DISPOSED) {
        numbers->cls = class_number(recorder, event->cls);
        numbers->other = class_number(recorder, event->other);
    }
    if (event->selector != NULL)
        numbers->selector = number_of(recorder, isa_sel_name(event->selector));
}

static void find_numbers(struct isa__recorder *recorder, const isa_event *event,
                         struct isa__trace_numbers *numbers)
{
    *numbers = (struct isa__trace_numbers){
        .name = number_of(recorder, event->name),
        .value_types = types_number(recorder, event->types, event->value),
        .old_types = types_number(recorder, event->old_types, event->old_value)};
    find_rare_numbers(recorder, event, numbers);
    if (trace.stack_kinds & ISA_EVENT_KIND(event->kind)) numbers->stack = stack_number(recorder);
}

// ---- objects ------------------------------------------------------------------------------------

static const char *class_name_of(isa_id object)
{
    return isa_class_name(isa_object_get_class(object)->original);
}

static bool wants_class(struct isa__recorder *recorder, isa_id object)
{
    isa_class cls = isa_object_get_class(object)->original;
    size_t place = ((uintptr_t)cls >> 4 ^ (uintptr_t)cls >> 9) % KNOWN_CLASSES;
    if (recorder->classes[place].cls != cls || recorder->classes[place].name != cls->name) {
        recorder->classes[place].cls = cls;
        recorder->classes[place].name = cls->name;
        recorder->classes[place].is_wanted =
            isa__trace_wants_class(&trace.settings, isa_class_name(cls));
    }
    return recorder->classes[place].is_wanted;
}

// Writes the registrations that were there before; one that the event adds has its own record.
static void ask_for_registrations(const isa_event *event)
{
    kvo_registration_info *infos = NULL;
    size_t count = 0;
    if (kvo_copy_registrations(event->object, &infos, &count) != ISA_OK) return;
    for (size_t i = 0; i < count; i++)
        if (event->kind != ISA_EVENT_OBSERVER_ADDED || infos[i].number != event->registration)
            isa__structure_add_registration(&trace.structure, event->object, &infos[i]);
    isa_free(infos);
}

// Whether nobody can have observed the object before the event.
static bool is_first_observed(const isa_event *event)
{
    return event->kind == ISA_EVENT_ISA_SWAPPED && kvo_class_is_notifying(event->cls) &&
           !kvo_class_is_notifying(event->other);
}

ISA_RARE void see_object(const isa_event *event)
{
    int seen = isa__structure_has_object(&trace.structure, event->object);
    // Such an event of an object that has died is another object's, at the same address.
    bool is_anew = is_first_observed(event) || event->kind == ISA_EVENT_OBSERVER_ADDED ||
                   event->kind == ISA_EVENT_OBJECT_ALLOCATED;
    if (seen == 1 || (seen == 2 && !is_anew)) return;
    isa__structure_add_object(&trace.structure, event->object, class_name_of(event->object),
                              event->id, is_anew);
    if (seen == 0 && !is_first_observed(event) && event->reason != ISA_REMOVED_OBJECT_DIED)
        ask_for_registrations(event);
}

// A shared observer may have died before the observers were assigned.
static void see_observer(const isa_event *event)
{
    bool is_object = event->observer != NULL && event->callback == NULL &&
                     !(event->flags & ISA_EVENT_SHARED);
    if (!is_object || isa__structure_has_object(&trace.structure, event->observer) == 1) return;
    isa__structure_add_object(&trace.structure, event->observer,
                              class_name_of((isa_id)(uintptr_t)event->observer), event->id, true);
}

// ---- the listener -------------------------------------------------------------------------------

static const isa_event_kinds structure_kinds =
    ISA_EVENT_KIND(ISA_EVENT_OBSERVER_ADDED) | ISA_EVENT_KIND(ISA_EVENT_OBSERVER_REMOVED) |
    ISA_EVENT_KIND(ISA_EVENT_OBSERVER_REFUSED) | ISA_EVENT_KIND(ISA_EVENT_ISA_SWAPPED) |
    ISA_EVENT_KIND(ISA_EVENT_DEALLOCATED);

// A span that the library began says where the registrations in it were asked for.
static bool is_structure(const isa_event *event)
{
    return (structure_kinds & ISA_EVENT_KIND(event->kind)) != 0 ||
           (event->kind == ISA_EVENT_SPAN_BEGAN && event->file != NULL);
}

ISA_RARE void record_structure(struct isa__recorder *recorder, const isa_event *event)
{
    struct isa__trace_numbers numbers;
    if (event->kind == ISA_EVENT_OBSERVER_ADDED) see_observer(event);
    find_numbers(recorder, event, &numbers);
    if (!isa__structure_write_event(&trace.structure, event, &numbers))
        write_event(recorder, event, &numbers);
    if (event->kind == ISA_EVENT_DEALLOCATED)
        isa__structure_end_object(&trace.structure, event->object);
}

// The object of such an event may have gone: its address is only a name.
static const isa_event_kinds late_kinds =
    ISA_EVENT_KIND(ISA_EVENT_NOTIFICATION_ENDED) | ISA_EVENT_KIND(ISA_EVENT_HANDLER_SENT) |
    ISA_EVENT_KIND(ISA_EVENT_HANDLER_ARRIVED) | ISA_EVENT_KIND(ISA_EVENT_HANDLER_ENDED) |
    ISA_EVENT_KIND(ISA_EVENT_MISUSE);

// Whether the event is recorded: the end of an object that was never seen is not.
static bool is_wanted(struct isa__recorder *recorder, const isa_event *event)
{
    if (event->object == NULL || event->kind == ISA_EVENT_MISUSE) return true;
    if (event->kind == ISA_EVENT_DEALLOCATED)
        return isa__structure_has_object(&trace.structure, event->object) == 1;
    if (trace.settings.classes == NULL) return true;
    if (late_kinds & ISA_EVENT_KIND(event->kind))
        return isa__structure_has_object(&trace.structure, event->object) != 0;
    return wants_class(recorder, event->object);
}

// Whether the object may be new to the trace. One whose address the recorder has just named is not.
static bool may_be_new(const struct isa__recorder *recorder, const isa_event *event)
{
    static const isa_event_kinds never = ISA_EVENT_KIND(ISA_EVENT_DEALLOCATED) | late_kinds;
    if (event->object == NULL || never & ISA_EVENT_KIND(event->kind)) return false;
    return is_structure(event) ||
           !isa__trace_has_address(&recorder->writer.objects, (uintptr_t)event->object);
}

static void record_rare(struct isa__recorder *recorder, const isa_event *event)
{
    struct isa__trace_numbers numbers;
    if (!is_wanted(recorder, event)) return;
    if (may_be_new(recorder, event)) see_object(event);
    if (is_structure(event)) {
        record_structure(recorder, event);
        return;
    }
    find_numbers(recorder, event, &numbers);
    write_event(recorder, event, &numbers);
}

static inline void record_usual(struct isa__recorder *recorder, const isa_event *event)
{
    struct isa__trace_numbers numbers = {.name = key_number(recorder, event->name)};
    if (ISA_UNLIKELY(trace.settings.classes != NULL) && !is_wanted(recorder, event)) return;
    if (ISA_UNLIKELY(!isa__trace_has_address(&recorder->writer.objects,
                                             (uintptr_t)event->object)) &&
        may_be_new(recorder, event))
        see_object(event);
    if (event->value != NULL || event->old_value != NULL) {
        numbers.value_types = types_number(recorder, event->types, event->value);
        numbers.old_types = types_number(recorder, event->old_types, event->old_value);
    }
    if (trace.stack_kinds & ISA_EVENT_KIND(event->kind)) numbers.stack = stack_number(recorder);
    if (has_room(recorder, event))
        isa__trace_write_usual(&recorder->writer, event, &numbers, trace.structure.values);
}

static void record(const isa_event *event, void *context)
{
    (void)context;
    int error = errno;
    struct isa__recorder *recorder = recorder_of(isa__current);
    if (recorder == NULL) __atomic_fetch_add(&trace.file.header->lost_events, 1, __ATOMIC_RELAXED);
    else if (isa__event_is_usual(event)) record_usual(recorder, event);
    else record_rare(recorder, event);
    enum isa__trace_end end = __atomic_load_n(&trace.file.end, __ATOMIC_ACQUIRE);
    if (ISA_UNLIKELY(end != ISA_TRACE_END_NONE)) (void)end_trace(end, trace.file.error);
    errno = error;
}

// ---- start --------------------------------------------------------------------------------------

static void write_header(void)
{
    // As the file has them: none before registrations, and none before numbers.
    static const uint32_t stacks[] = {1, 0, 2}, values[] = {1, 0, 2};
    struct isa__trace_header *header = trace.file.header;
    header->keep = trace.settings.keep;
    header->kinds = trace.settings.kinds;
    header->stacks = stacks[trace.settings.stacks];
    header->values = values[trace.settings.values];
    header->start_wall = isa__system_wall_clock();
    header->start_time = isa__system_clock();
    trace.file.keeps_latest = trace.settings.keep == ISA_TRACE_KEEP_LATEST;
    trace.stack_kinds = stack_kinds_of(trace.settings.stacks);
    trace.structure.values = (enum isa__trace_value_wish)header->values;
}

static isa_status no_memory(void)
{
    return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to record a trace");
}

static const char *copy_text(struct isa__arena *arena, const char *text)
{
    char *copy = isa__arena_allocate(arena, strlen(text) + 1);
    return copy == NULL ? NULL : memcpy(copy, text, strlen(text) + 1);
}

// What is there before the first event. Another thread's events come once it is done.
static isa_status begin(const char *path)
{
    trace.streams = 0;
    trace.number++;
    if (trace.settings.classes != NULL)
        trace.settings.classes = copy_text(&trace.arena, trace.settings.classes);
    path = isa__trace_path(&trace.arena, path);
    if (path == NULL || !isa__structure_start(&trace.structure, &trace.file, &trace.arena))
        return no_memory();
    isa_status status =
        isa__trace_file_open(&trace.file, &trace.arena, path, trace.settings.limit);
    if (status != ISA_OK) return status;
    write_header();
    isa__structure_note(&trace.structure, "library", isa_version());
    if (trace.settings.classes != NULL)
        isa__structure_note(&trace.structure, "classes", trace.settings.classes);
    isa__structure_find_modules(&trace.structure);
    if (trace.file.end == ISA_TRACE_END_NONE) return ISA_OK;
    status = isa__trace_file_failure(&trace.file);
    isa__trace_file_close(&trace.file, trace.file.end, trace.file.error);
    return status;
}

static isa_status start(const char *path)
{
    isa_status status = begin(path);
    if (status == ISA_OK) {
        status = isa_event_add_listener(trace.settings.kinds, record, NULL, &trace.listener);
        if (status != ISA_OK) isa__trace_file_close(&trace.file, ISA_TRACE_END_STOPPED, 0);
    }
    if (status != ISA_OK) isa__arena_free(&trace.arena);
    __atomic_store_n(&state, status == ISA_OK ? RECORDING : IDLE, __ATOMIC_RELEASE);
    return status;
}

isa_status isa_trace_start(const char *path, const isa_trace_options *options)
{
    struct isa__trace_settings settings;
    if (path == NULL) return isa__fail_null(__func__, "path");
    if (*path == 0)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "isa_trace_start: the path is empty");
    isa_status status = ISA_OK;
    if (options == NULL) settings = isa__trace_settings_of_variables();
    else status = isa__trace_settings_of_options(options, &settings);
    if (status != ISA_OK) return status;
    if (!state_change(IDLE, STARTING))
        return isa__fail(ISA_ERR_IN_USE, NULL, "isa_trace_start: a trace is being recorded");
    trace.settings = settings;
    return start(path);
}

char *isa_trace_copy_path(void)
{
    isa__lock(&isa__trace_lock);
    bool is_on = __atomic_load_n(&state, __ATOMIC_ACQUIRE) == RECORDING;
    char *copy = is_on ? isa__alloc_public(strlen(trace.file.path) + 1) : NULL;
    if (copy != NULL) strcpy(copy, trace.file.path);
    isa__unlock(&isa__trace_lock);
    return copy;
}

isa_status isa__trace_start(void)
{
    if (pthread_atfork(NULL, NULL, leave_to_parent) != 0) return ISA_ERR_NO_MEMORY;
    const char *path = isa__system_variable("ISAKVO_TRACE");
    if (path == NULL || *path == 0) return ISA_OK;
    if (isa_trace_start(path, NULL) != ISA_OK) isa__misuse_deliver();
    return ISA_OK;
}

// ---- marks and spans ----------------------------------------------------------------------------

void isa_trace_mark(const char *text)
{
    if (isa__event_wants(ISA_EVENT_KIND(ISA_EVENT_MARK)))
        isa__event_report(&(isa_event){.kind = ISA_EVENT_MARK, .name = text});
}

uint64_t isa_trace_begin(const char *text)
{
    return isa_event_begin_span(text, NULL, 0);
}

void isa_trace_end(uint64_t span, const char *text)
{
    isa_event_end_span(span, text);
}
