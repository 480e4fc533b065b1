// One registration: an observer's claim to be notified of one key path.
//
// Owns:      its observer, weakly or strongly, or its function's info; its chain, if it has one.
// Lives:     from isa__registration_make to the last reference; it lets the observer go when
//            base/reclaim.h says that no thread can be calling it any more.
// Invariant: a registration is in at most one registry, once. The thread that sets its ENDED bit
//            retires it once it is out of the registry.
#include "registration.h"

#include <stdio.h>

#include "../base/event.h"
#include "../base/status.h"
#include "../base/system.h"
#include "../object/object.h"
#include "chain.h"

uint32_t isa__registration_notes;

static isa__word64 last_number;

static void set_notes(uint32_t which, bool on)
{
    if (on) __atomic_fetch_or(&isa__registration_notes, which, __ATOMIC_RELAXED);
    else __atomic_fetch_and(&isa__registration_notes, ~which, __ATOMIC_RELAXED);
}

void kvo_record_times(bool on)
{
    set_notes(ISA_TAG_TIMED, on);
}

static void log_changed(bool on)
{
    set_notes(ISA_TAG_NUMBERED, on);
}

// Where its number stands, with ISA_TAG_NUMBERED: at the end of its block.
static uint64_t *number_of(const struct isa__registration *registration)
{
    uint32_t tag = isa__registration_tag_load(registration);
    if (!(tag & ISA_TAG_CHAINED)) return isa__registration_since(registration) + 1;
    const struct isa__chain *chain = isa__chain_of(registration);
    return (uint64_t *)((uintptr_t)chain + isa__chain_size(chain->path));
}

uint64_t isa__registration_number(const struct isa__registration *registration)
{
    enum { ADDRESS_BITS = 48 };
    if (isa__registration_tag_load(registration) & ISA_TAG_NUMBERED)
        return *number_of(registration);
    uint64_t log = __atomic_load_n(&isa__event_logs, __ATOMIC_ACQUIRE);
    return log << ADDRESS_BITS | ((uintptr_t)registration & ((UINT64_C(1) << ADDRESS_BITS) - 1));
}

// ---- making -------------------------------------------------------------------------------------

static uint32_t tag_of(const struct isa__registration_parts *parts)
{
    uint32_t tag = parts->options & ISA_TAG_OPTIONS;
    if (parts->options & KVO_OPTION_RETAIN_OBSERVER) tag |= ISA_TAG_STRONG;
    if (parts->options & KVO_OPTION_FOREIGN) tag |= ISA_TAG_FOREIGN;
    if (parts->observer == NULL) tag |= ISA_TAG_FUNCTION;
    if (parts->is_forwarder) tag |= ISA_TAG_FORWARDER;
    if (parts->side == NULL) tag |= ISA_TAG_SHARED;
    if (!parts->path->is_plain) tag |= ISA_TAG_CHAINED;
    tag |= isa__registration_notes_load();
    bool releases = parts->observer == NULL && parts->function->release != NULL;
    if (parts->context == NULL && !releases && !(tag & (ISA_TAG_CHAINED | ISA_TAG_NOTED)))
        tag |= ISA_TAG_BARE;
    return tag | (uint32_t)ISA_RETIRED_REGISTRATION << ISA_RETIRED_TAG_SHIFT;
}

static size_t size_of(uint32_t tag, const struct isa__path *path)
{
    if (tag & ISA_TAG_CHAINED)
        return ISA_CHAIN_OFFSET + isa__chain_size(path) +
               (tag & ISA_TAG_NUMBERED ? sizeof(uint64_t) : 0);
    return sizeof(struct isa__registration) +
           (tag & ISA_TAG_BARE ? 0 : sizeof(struct isa__registration_rest)) +
           (tag & ISA_TAG_NOTED ? 2 * sizeof(uint64_t) : 0);
}

ISA_RARE void note_making(struct isa__registration *registration)
{
    if (registration->tag & ISA_TAG_TIMED)
        *isa__registration_since(registration) = isa__system_clock();
    if (registration->tag & ISA_TAG_NUMBERED)
        *number_of(registration) = __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED);
}

static void free_block(struct isa__registration *registration)
{
    uint32_t tag = registration->tag;
    const struct isa__path *path = tag & ISA_TAG_CHAINED ? isa__chain_of(registration)->path : NULL;
    isa__free(ISA_KIND_REGISTRATION, registration, size_of(tag, path));
}

static void set_function(struct isa__registration *registration, const kvo_function *function,
                         void *context)
{
    registration->function.callback = function->callback;
    registration->function.info = function->info;
    if (registration->tag & ISA_TAG_BARE) return;
    registration->rest[0] =
        (struct isa__registration_rest){.context = context, .release = function->release};
}

static isa_status set_observer(struct isa__registration *registration, isa_id observer)
{
    isa_status status = isa_weak_init(&registration->observer.weak, observer);
    if (status == ISA_OK && registration->tag & ISA_TAG_STRONG)
        registration->observer.strong = isa_object_retain(observer);
    return status;
}

isa_status isa__registration_make(const struct isa__registration_parts *parts,
                                  struct isa__registration **out)
{
    uint32_t tag = tag_of(parts);
    struct isa__registration *made = isa__alloc(ISA_KIND_REGISTRATION, size_of(tag, parts->path));
    if (made == NULL) return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a registration");
    made->tag = tag;
    made->references = 1;
    made->side = parts->side;
    made->key = parts->path->text;
    if (tag & ISA_TAG_CHAINED) isa__chain_init(made, parts->path);
    if (tag & ISA_TAG_NOTED) note_making(made);
    if (tag & ISA_TAG_FUNCTION) {
        set_function(made, parts->function, parts->context);
        if ((tag & (ISA_TAG_SHARED | ISA_TAG_BARE)) == ISA_TAG_SHARED)
            made->rest[0].uses = isa__shared_function_use(parts->uses);
        made->references = 2;
    } else {
        if (!(tag & ISA_TAG_BARE)) made->rest[0].context = parts->context;
        isa_status status = set_observer(made, parts->observer);
        if (status != ISA_OK) {
            if (tag & ISA_TAG_CHAINED) isa__chain_free(made);
            free_block(made);
            return status;
        }
    }
    if (isa__registration_holds_side(tag)) isa__side_hold(made->side);
    *out = made;
    return ISA_OK;
}

struct isa__registration *isa__registration_make_plain(struct isa__side *side,
                                                       const struct isa__key *key,
                                                       uint32_t options, void *context,
                                                       const kvo_function *function)
{
    uint32_t tag = options | ISA_TAG_FUNCTION |
                   (uint32_t)ISA_RETIRED_REGISTRATION << ISA_RETIRED_TAG_SHIFT;
    size_t size = sizeof(struct isa__registration);
    if (context == NULL && function->release == NULL) tag |= ISA_TAG_BARE;
    else size += sizeof(struct isa__registration_rest);
    struct isa__registration *made = isa__alloc_unset(ISA_KIND_REGISTRATION, size);
    if (made == NULL) return NULL;
    made->tag = tag;
    made->references = 2;
    made->side = side;
    made->key = key;
    set_function(made, function, context);
    isa__side_hold(side);
    return made;
}

const struct isa__key *isa__registration_first_key(const struct isa__registration *registration)
{
    if (!(isa__registration_tag_load(registration) & ISA_TAG_CHAINED)) return registration->key;
    return isa__chain_of(registration)->path->dependencies[0].key;
}

// ---- ending -------------------------------------------------------------------------------------

void isa__registration_hold(struct isa__registration *registration)
{
    __atomic_fetch_add(&registration->references, 1, __ATOMIC_SEQ_CST);
}

void isa__registration_drop(struct isa__registration *registration)
{
    isa__registration_drop_many(registration, 1);
}

void isa__registration_drop_many(struct isa__registration *registration, uint32_t count)
{
    // Where all that are left are the caller's nobody can add to them.
    if (__atomic_load_n(&registration->references, __ATOMIC_ACQUIRE) != count &&
        __atomic_fetch_add(&registration->references, -count, __ATOMIC_SEQ_CST) != count)
        return;
    // Not before: in a pending change, an equal registration that still stands is compared by it.
    if (!(registration->tag & ISA_TAG_FUNCTION)) isa_weak_destroy(&registration->observer.weak);
    if (registration->tag & ISA_TAG_CHAINED) isa__chain_free(registration);
    free_block(registration);
}

void isa__registration_discard(struct isa__registration *registration)
{
    uint32_t tag = isa__registration_tag_load(registration);
    if (isa__registration_holds_side(tag)) isa__side_drop(registration->side);
    if (!(tag & ISA_TAG_FUNCTION)) isa_object_release(registration->observer.strong);
    if (tag & ISA_TAG_FUNCTION && !(tag & ISA_TAG_RELEASED)) isa__registration_drop(registration);
    isa__registration_drop(registration);
}

// Lets go of the observer: no thread can be calling it any more.
static void free_registration(struct isa__retired *thing)
{
    struct isa__registration *registration = (struct isa__registration *)thing;
    if (isa__registration_tag_load(registration) & ISA_TAG_FUNCTION) {
        isa__registration_release_info(registration);
    } else {
        isa_object_release(registration->observer.strong);
    }
    isa__registration_drop(registration);
}

// ---- asking -------------------------------------------------------------------------------------

const void *isa__registration_observer_name(const struct isa__registration *registration)
{
    uint32_t tag = isa__registration_tag_load(registration);
    if (tag & ISA_TAG_FUNCTION) return registration->function.info;
    const struct isa__side *side = registration->observer.weak.record;
    return side == NULL ? NULL : side->object;
}

void isa__registration_write_observer(const struct isa__registration *registration,
                                      char text[ISA_OBSERVER_TEXT_SIZE])
{
    bool is_function = (isa__registration_tag_load(registration) & ISA_TAG_FUNCTION) != 0;
    isa_id observer = is_function ? NULL : isa_weak_copy(&registration->observer.weak);
    if (observer == NULL)
        snprintf(text, ISA_OBSERVER_TEXT_SIZE, "<%p>",
                 isa__registration_observer_name(registration));
    else
        snprintf(text, ISA_OBSERVER_TEXT_SIZE, "<%.128s %p>",
                 isa_object_get_class(observer)->original->name, (void *)observer);
    isa_object_release(observer);
}

bool isa__registration_equal(const struct isa__registration *first,
                             const struct isa__registration *second)
{
    uint32_t same = ISA_TAG_OPTIONS | ISA_TAG_STRONG | ISA_TAG_FOREIGN | ISA_TAG_FUNCTION;
    if (first == second) return true;
    if ((isa__registration_tag_load(first) ^ isa__registration_tag_load(second)) & same)
        return false;
    if (isa__registration_tag_load(first) & ISA_TAG_FUNCTION) return false;
    return first->key == second->key &&
           isa__registration_context(first) == isa__registration_context(second) &&
           first->observer.weak.record == second->observer.weak.record;
}

bool isa__registration_is_dead(const struct isa__registration *registration)
{
    uint32_t tag = isa__registration_tag_load(registration);
    if (tag & ISA_TAG_ENDED) return true;
    if (tag & ISA_TAG_FUNCTION) return false;
    const struct isa__side *observer = registration->observer.weak.record;
    return (isa__side_flags(observer) & ISA_SIDE_DEAD) != 0;
}

void isa__registration_start(void)
{
    isa__retired_free[ISA_RETIRED_REGISTRATION] = free_registration;
    isa__event_log_changed = log_changed;
}
