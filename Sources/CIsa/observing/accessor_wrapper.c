// Wrapped to-many accessors, and changes of one object by a proxy.
//
// A to-many accessor is wrapped as a setter is: by a typed thunk for each of the seven signatures
// that an accessor has when its index has 64 bits, or by a libffi closure, which takes an index of
// any integer type. A proxy that changes one object of an array has a short way of its own: it is
// for a thread's outermost change, of an object whose only observer is a function and asks for no
// value that such a change has to read. That way is the engine of deliver.h with other accessors.
// It leaves any unusual case to to_many_change.c before it does anything.
//
// Locks:     the observing lock orders wrapping; wrappers and changes run with none.
// Invariant: as setter.c. One change notifies once, even if the accessors would announce it too.
#include "notifying_class.h"

#include <string.h>

#include "../call/call.h"
#include "../coding/to_many.h"
#include "../model/method.h"
#include "../model/selector.h"
#include "../objects/collection.h"
#include "change.h"
#include "deliver.h"
#include "kvo_start.h"
#include "set_start.h"

// ---- what an accessor changes -------------------------------------------------------------------

// The change that a call announces.
struct announcement {
    struct isa__element_change elements;
    kvc_range range;      // of a single index
    kvc_index_set single;
    isa_id set;           // of a single object; owned
    bool by_messages;
    bool announced;
    struct kvo_frame frame;
};

static void describe_ordered(struct announcement *announcement, kvo_change_kind kind,
                             const struct isa__accessor_arguments *arguments)
{
    announcement->range = (kvc_range){arguments->index, 1};
    announcement->single = (kvc_index_set){&announcement->range, 1, 1};
    const kvc_index_set *indexes =
        arguments->pointer != NULL ? arguments->pointer : &announcement->single;
    announcement->elements = (struct isa__element_change){.kind = kind, .indexes = indexes};
}

static bool describe_unordered(struct announcement *announcement, kvo_set_mutation mutation,
                               isa_id objects, bool is_single)
{
    if (objects == NULL) return false;
    if (is_single && kvc_set_make(&objects, 1, &announcement->set) != ISA_OK) {
        isa__misuse(ISA_ERR_NO_MEMORY, NULL, "no memory to announce what is added or removed");
        return false;
    }
    announcement->elements =
        (struct isa__element_change){.kind = isa__mutation_kind(mutation),
                                     .mutation = mutation,
                                     .objects = is_single ? announcement->set : objects};
    return true;
}

// False where there is nothing to announce.
static bool describe(struct announcement *announcement, uint8_t kind,
                     const struct isa__accessor_arguments *arguments)
{
    static const struct {
        kvo_set_mutation mutation;
        bool is_single;
    } unordered[ISA_MUTATOR_COUNT] = {
        [ISA_MUTATOR_ADD] = {KVO_SET_UNION, true},
        [ISA_MUTATOR_ADD_MANY] = {KVO_SET_UNION, false},
        [ISA_MUTATOR_REMOVE] = {KVO_SET_MINUS, true},
        [ISA_MUTATOR_REMOVE_SET] = {KVO_SET_MINUS, false},
        [ISA_MUTATOR_INTERSECT] = {KVO_SET_INTERSECT, false},
    };
    if (kind >= ISA_MUTATOR_ADD)
        return describe_unordered(announcement, unordered[kind].mutation, arguments->object,
                                  unordered[kind].is_single);
    // As isa__mutator_for has them.
    describe_ordered(announcement, (kvo_change_kind)(KVO_CHANGE_INSERTION + kind / 2), arguments);
    return true;
}

static void announcement_begin(struct announcement *announcement, isa_id self,
                               const struct isa__wrapper *wrapper,
                               const struct isa__accessor_arguments *arguments)
{
    announcement->set = NULL;
    announcement->announced = false;
    struct isa__side *side = isa__side_find(self);
    const struct isa__key *key = isa__wrapper_key(wrapper);
    if (!isa__may_notify(self, side)) return;
    if (isa__is_silenced(self, key)) return;
    if (isa__class_is_gnustep(wrapper->notifying) && isa__manual_is_pending(side, key)) return;
    if (!describe(announcement, wrapper->kind, arguments)) return;
    announcement->by_messages = isa__to_many_is_overridden(wrapper->observed->original);
    if (announcement->by_messages) {
        isa_status status = isa__to_many_send_will(self, key->text, &announcement->elements);
        announcement->announced = status == ISA_OK;
    } else {
        announcement->announced = isa__change_will(&announcement->frame, self, side, key,
                                                   &announcement->elements);
    }
}

static void announcement_end(struct announcement *announcement, isa_id self,
                             const struct isa__wrapper *wrapper)
{
    if (announcement->announced && announcement->by_messages) {
        isa__to_many_send_did(self, isa__wrapper_key(wrapper)->text, &announcement->elements);
    } else if (announcement->announced) {
        isa__change_did(&announcement->frame);
        isa__element_change_end(&announcement->elements);
    }
    isa_object_release(announcement->set);
}

// ---- calls --------------------------------------------------------------------------------------

// A call of a wrapped accessor.
struct call {
    isa_id self;
    isa_sel sel;
    struct isa__accessor_arguments arguments;
    const char *signature;                       // of a typed thunk
    const struct isa__call_interface *interface; // of a closure, else NULL
    void *const *raw;
};

ISA_INLINE void call_with(isa_imp imp, const struct call *call)
{
    if (call->interface != NULL) isa__call_interface_invoke(call->interface, imp, call->raw, NULL);
    else
        isa__accessor_call_exact(call->signature, imp, call->self, call->sel, &call->arguments,
                                 NULL);
}

// Runs a wrapper, whose own code is `code`; `wrapper` is NULL where the isa has gone back.
ISA_INLINE void mutator_run(const struct call *call, const struct isa__wrapper *wrapper,
                            isa_imp code)
{
    isa_id self = call->self;
    if (wrapper == NULL) {
        struct isa__resend resend;
        call_with(isa__resend_begin(&resend, self, call->sel, code), call);
        isa__resend_end(&resend);
        return;
    }
    bool logged = isa__event_on();
    uint64_t cause = logged ? isa__wrapper_report_entered(self, wrapper) : 0;
    struct announcement announcement;
    announcement_begin(&announcement, self, wrapper, &call->arguments);
    struct isa__original_log log;
    if (logged) isa__original_log_begin(&log, self, wrapper);
    call_with(isa__wrapper_original(wrapper), call);
    if (logged) isa__original_log_end(&log, self, wrapper);
    announcement_end(&announcement, self, wrapper);
    if (logged) isa__wrapper_report_left(self, wrapper, cause);
}

// ---- thunks -------------------------------------------------------------------------------------

static void run_thunk(isa_id self, isa_sel sel, const char *signature, isa_imp thunk,
                      const struct isa__accessor_arguments *arguments)
{
    const struct call call = {
        .self = self, .sel = sel, .arguments = *arguments, .signature = signature};
    mutator_run(&call, isa__wrapper_above(self, sel), thunk);
}

static void thunk_insert(isa_id self, isa_sel sel, isa_id object, uint64_t index)
{
    run_thunk(self, sel, "v@Q", (isa_imp)thunk_insert,
              &(struct isa__accessor_arguments){.object = object, .index = index});
}

static void thunk_remove_at(isa_id self, isa_sel sel, uint64_t index)
{
    run_thunk(self, sel, "vQ", (isa_imp)thunk_remove_at,
              &(struct isa__accessor_arguments){.index = index});
}

static void thunk_replace(isa_id self, isa_sel sel, uint64_t index, isa_id object)
{
    run_thunk(self, sel, "vQ@", (isa_imp)thunk_replace,
              &(struct isa__accessor_arguments){.object = object, .index = index});
}

static void thunk_insert_many(isa_id self, isa_sel sel, isa_id objects, const void *indexes)
{
    run_thunk(self, sel, "v@^", (isa_imp)thunk_insert_many,
              &(struct isa__accessor_arguments){.object = objects, .pointer = indexes});
}

static void thunk_remove_many(isa_id self, isa_sel sel, const void *indexes)
{
    run_thunk(self, sel, "v^", (isa_imp)thunk_remove_many,
              &(struct isa__accessor_arguments){.pointer = indexes});
}

static void thunk_replace_many(isa_id self, isa_sel sel, const void *indexes, isa_id objects)
{
    run_thunk(self, sel, "v^@", (isa_imp)thunk_replace_many,
              &(struct isa__accessor_arguments){.object = objects, .pointer = indexes});
}

static void thunk_object(isa_id self, isa_sel sel, isa_id object)
{
    run_thunk(self, sel, "v@", (isa_imp)thunk_object,
              &(struct isa__accessor_arguments){.object = object});
}

static const struct {
    const char *signature;
    isa_imp thunk;
} thunks[] = {
    {"v@Q", (isa_imp)thunk_insert},      {"vQ", (isa_imp)thunk_remove_at},
    {"vQ@", (isa_imp)thunk_replace},     {"v@^", (isa_imp)thunk_insert_many},
    {"v^", (isa_imp)thunk_remove_many},  {"v^@", (isa_imp)thunk_replace_many},
    {"v@", (isa_imp)thunk_object},
};

static isa_imp thunk_for(const char *signature)
{
    size_t i = 0;
    while (strcmp(thunks[i].signature, signature) != 0) i++;
    return thunks[i].thunk;
}

// ---- closures -----------------------------------------------------------------------------------

static void run_closure(const struct isa__call_interface *interface, void *result,
                        void *const *raw, void *context)
{
    (void)result;
    const struct isa__wrapper *wrapper = context;
    const struct call call = {.self = *(isa_id const *)raw[0],
                              .sel = *(isa_sel const *)raw[1],
                              .arguments = isa__accessor_arguments_read(&wrapper->signature, raw),
                              .interface = interface,
                              .raw = raw};
    bool notifies = isa_class_is_subclass(isa__class_in(call.self), wrapper->notifying);
    mutator_run(&call, notifies ? wrapper : NULL, wrapper->imp);
}

// ---- dictionaries -------------------------------------------------------------------------------

typedef isa_status (*change_imp)(isa_id, isa_sel, isa_id, isa_id);

static const struct isa__key *find_interned(isa_id key)
{
    const char *text = kvc_string_text(key);
    return text == NULL ? NULL : isa__key_find(text);
}

static bool announce_key(isa_id self, isa_id key, struct kvo_frame *frame)
{
    const struct isa__key *interned = find_interned(key);
    struct isa__side *side = isa__side_find(self);
    if (interned == NULL || !isa__may_notify(self, side) || isa__is_silenced(self, interned))
        return false;
    return isa__change_will(frame, self, side, interned, NULL);
}

static isa_imp original_of(isa_id self, isa_sel sel, struct isa__resend *resend, isa_imp thunk,
                           bool *resends)
{
    struct isa__wrapper *wrapper = isa__wrapper_above(self, sel);
    *resends = wrapper == NULL;
    return wrapper == NULL ? isa__resend_begin(resend, self, sel, thunk)
                           : isa__wrapper_original(wrapper);
}

// Changes one key: sets its value, or removes it.
static isa_status change_one(isa_id self, isa_sel sel, bool sets, isa_id key, isa_id value,
                             isa_imp thunk)
{
    struct isa__resend resend;
    struct kvo_frame frame;
    bool resends;
    isa_imp original = original_of(self, sel, &resend, thunk, &resends);
    bool announced = !resends && announce_key(self, key, &frame);
    isa_status status = sets ? ((change_imp)original)(self, sel, value, key)
                             : ((isa__object_imp)original)(self, sel, key);
    if (announced) isa__change_did(&frame);
    if (resends) isa__resend_end(&resend);
    return status;
}

static isa_status thunk_set(isa_id self, isa_sel sel, isa_id value, isa_id key)
{
    return change_one(self, sel, true, key, value, (isa_imp)thunk_set);
}

static isa_status thunk_remove(isa_id self, isa_sel sel, isa_id key)
{
    return change_one(self, sel, false, key, NULL, (isa_imp)thunk_remove);
}

// Every key goes: announced one inside the other, so that each is notified of once all are gone.
static isa_status remove_from(isa_id self, isa_sel sel, isa_imp original,
                              const struct isa__array *keys, size_t at)
{
    struct kvo_frame frame;
    if (at == keys->count) return ((isa__act_imp)original)(self, sel);
    bool announced = announce_key(self, keys->items[at], &frame);
    isa_status status = remove_from(self, sel, original, keys, at + 1);
    if (announced) isa__change_did(&frame);
    return status;
}

// The dictionary's keys that somebody observes: few, even of a large dictionary.
static isa_status gather_observed_keys(isa_id self, struct isa__array *keys)
{
    struct isa__side *side = isa__side_find(self);
    isa_status status = isa__collection_gather_keys(self, keys);
    if (status != ISA_OK) return status;
    size_t kept = 0;
    for (size_t i = 0; i < keys->count; i++) {
        const struct isa__key *key = find_interned(keys->items[i]);
        struct isa__affected affected;
        struct isa__thread *thread = isa__reader_enter();
        bool observed = side != NULL && key != NULL &&
                        isa__affected_find(isa__enter(thread, side), key, &affected);
        isa__reader_leave(thread);
        if (observed) keys->items[kept++] = keys->items[i];
        else isa_object_release(keys->items[i]);
    }
    keys->count = kept;
    return ISA_OK;
}

static isa_status thunk_remove_all(isa_id self, isa_sel sel)
{
    struct isa__resend resend;
    bool resends;
    isa_imp original = original_of(self, sel, &resend, (isa_imp)thunk_remove_all, &resends);
    isa_status status;
    if (resends) {
        status = ((isa__act_imp)original)(self, sel);
        isa__resend_end(&resend);
        return status;
    }
    struct isa__array keys = {0};
    status = gather_observed_keys(self, &keys);
    if (status == ISA_OK) status = remove_from(self, sel, original, &keys, 0);
    isa__collection_let_go(&keys);
    return status;
}

// ---- choosing -----------------------------------------------------------------------------------

static isa_status mutator_choose(struct isa__wrapper *wrapper)
{
    bool exact = wrapper->signature.is_exact;
    wrapper->imp = thunk_for(wrapper->signature.letters);
    if (exact && wrapper->wrapping != KVO_WRAP_LIBFFI) return ISA_OK;
    isa_status status =
        isa__trampoline_acquire(wrapper->types, run_closure, wrapper, &wrapper->closure);
    if (status == ISA_OK) wrapper->imp = isa__trampoline_imp(wrapper->closure);
    // Where closures cannot be had, the thunk serves.
    if (status == ISA_ERR_NO_TRAMPOLINE && exact) return ISA_OK;
    return status;
}

// Wraps an accessor or, where `thunk` is not NULL, a message that this stands for.
static isa_status wrap_locked(struct isa__observed *observed, const struct isa__key *key,
                              isa_method method, uint8_t kind, isa_imp thunk)
{
    isa_sel sel = isa_method_selector(method);
    const char *types = isa__encoding_intern(isa_method_types(method));
    if (types == NULL) return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to wrap %s", sel->name);
    struct isa__accessor_signature signature = {0};
    if (thunk == NULL) {
        signature = isa__accessor_signature_of(types, isa__name_signature(ISA_NAME_INSERT + kind));
        if (!signature.fits || signature.actual[0] != 'v') return ISA_OK;
    }
    if (isa__wrapper_reuse_locked(observed, key, sel, types) != NULL) return ISA_OK;
    struct isa__wrapper *wrapper = isa__wrapper_make_locked(observed, key, sel, types);
    if (wrapper == NULL) return ISA_ERR_NO_MEMORY;
    wrapper->kind = kind;
    wrapper->signature = signature;
    wrapper->imp = thunk;
    isa_status status = thunk == NULL ? mutator_choose(wrapper) : ISA_OK;
    if (status == ISA_OK) return isa__wrapper_plant_locked(observed, wrapper);
    isa__wrapper_free(wrapper);
    return status == ISA_ERR_NO_TRAMPOLINE || status == ISA_ERR_NOT_PASSABLE ? ISA_OK : status;
}

isa_status isa__mutators_wrap_locked(struct isa__observed *observed, const struct isa__key *key,
                                     const struct isa__mutators *mutators)
{
    bool ordered = isa__mutators_are_ordered(mutators, isa__class_is_gnustep(observed->original));
    bool unordered = isa__mutators_are_unordered(mutators);
    isa_status status = ISA_OK;
    for (size_t kind = 0; kind < ISA_MUTATOR_COUNT && status == ISA_OK; kind++) {
        bool wanted = kind < ISA_MUTATOR_ADD ? ordered : unordered;
        if (wanted && mutators->methods[kind] != NULL)
            status = wrap_locked(observed, key, mutators->methods[kind], (uint8_t)kind, NULL);
    }
    return status;
}

isa_status isa__dictionary_wrap_locked(struct isa__observed *observed,
                                       const struct isa__key *key,
                                       const struct isa__dictionary_methods *methods)
{
    isa_status status = wrap_locked(observed, key, methods->set, ISA_WRAPS_DICTIONARY_SET,
                                    (isa_imp)thunk_set);
    if (status == ISA_OK)
        status = wrap_locked(observed, key, methods->remove, ISA_WRAPS_DICTIONARY_REMOVE,
                             (isa_imp)thunk_remove);
    if (status == ISA_OK)
        status = wrap_locked(observed, key, methods->remove_all, ISA_WRAPS_DICTIONARY_REMOVE_ALL,
                             (isa_imp)thunk_remove_all);
    return status;
}

// ---- changes of one object ----------------------------------------------------------------------

// ---- what a shortcut needs ----------------------------------------------------------------------

// Leaves the wrappers out: their announcements are silenced.
static void unwrap(isa_class notifying, struct isa__shortcut_method *method)
{
    const struct isa__wrapper *wrapper =
        method->imp == NULL ? NULL : isa__wrapper_in(notifying, method->selector);
    if (wrapper != NULL && wrapper->imp == method->imp)
        method->imp = isa__wrapper_original(wrapper);
}

static bool is_usual(isa_class cls, const char *key)
{
    return isa__notifying_find(cls) == cls && !isa__class_is_gnustep(cls) &&
           !isa__method_is_overridden(cls, isa__sel_observation_info) &&
           !isa__to_many_is_overridden(cls->original) &&
           isa__class_notifies_automatically(cls->original, key);
}

static void prepare_one(isa_class cls, const char *text, struct isa__shortcut *shortcut)
{
    const struct isa__key *key = isa__key_find(text);
    if (key == NULL || !is_usual(cls, text)) return;
    shortcut->key = key;
    for (size_t i = 0; i < ISA_SHORTCUT_EDITS; i++) unwrap(cls, &shortcut->edits[i]);
}

// ---- one observer -------------------------------------------------------------------------------

// A change whose observer is going to be notified.
struct step {
    const struct isa__one_change *change;
    int kind;
    struct isa__thread *thread;
    const struct isa__key *key;
    kvc_range range;
    kvc_index_set indexes;
    struct isa__element_change elements; // where the class's accessors end it
};

// Whether the change has a value that such options ask for.
ISA_INLINE bool has_value(int kind, uint32_t options)
{
    uint32_t values = kind == ISA_CHANGE_INSERTION ? KVO_OPTION_NEW
                      : kind == ISA_CHANGE_REMOVAL ? KVO_OPTION_OLD
                                                   : KVO_OPTION_OLD | KVO_OPTION_NEW;
    return (options & values) != 0;
}

// Changes it while the accessor's own announcements are silenced.
ISA_INLINE void make_silently(void *more, struct kvo_frame *frame, bool announced)
{
    const struct step *step = more;
    (void)announced;
    struct isa__silence silence = {NULL, frame->object, frame->key, 0}; // outside of all calls
    step->thread->silences = &silence;
    isa__shortcut_make(frame->object, step->change, step->kind);
    step->thread->silences = NULL;
}

ISA_INLINE void show_indexes(void *more, struct kvo_frame *frame, uint32_t options)
{
    const struct step *step = more;
    (void)options;
    frame->change.kind = (kvo_change_kind)step->kind;
    frame->change.indexes = &step->indexes;
    frame->change.old_value.address = frame->change.new_value.address = NULL;
}

static void leave_elements(void *more, struct kvo_frame *frame, bool has_old)
{
    struct step *step = more;
    (void)has_old;
    step->elements = (struct isa__element_change){.kind = (kvo_change_kind)step->kind,
                                                  .indexes = &step->indexes};
    isa__held_clear(&frame->old_value);
    isa__held_clear(&frame->new_value);
    frame->elements = &step->elements;
}

// Changes and notifies. The thread has begun a reader section for it.
ISA_INLINE void change_and_notify(isa_id object, struct isa__side *side,
                                  struct isa__registration *registration, struct step *step)
{
    const struct isa__value_accessors accessors = {.ways = step->change->shortcut->ways,
                                                   .cls = isa__class_in(object),
                                                   .more = step,
                                                   .make = make_silently,
                                                   .read = isa__read_nothing,
                                                   .show = show_indexes,
                                                   .leave = leave_elements};
    step->range = (kvc_range){step->change->index, 1};
    step->indexes = (kvc_index_set){&step->range, 1, 1};
    uint32_t tag = isa__registration_tag_load(registration);
    isa__change_and_notify_one(object, side, step->key, registration,
                               tag & (ISA_TAG_BARE | ISA_TAG_SHARED), accessors);
}

// An object of a class that is not observed, or not so that it notifies.
ISA_INLINE bool change_plainly(isa_id object, const struct isa__one_change *change, int kind)
{
    struct isa__side *side = isa__side_find(object);
    if (side != NULL && isa__observing_value(side) != 0) return false;
    isa__shortcut_make(object, change, kind);
    return true;
}

ISA_INLINE bool change_in_place(isa_id object, const struct isa__one_change *change, int kind)
{
    struct isa__thread *thread = isa__current;
    uintptr_t record = isa_header_record((const struct isa_header *)object);
    struct step step; // filled in as far as the change gets
    step.change = change;
    step.kind = kind;
    step.thread = thread;
    step.key = change->shortcut->key;
    if (ISA_UNLIKELY(step.key == NULL)) return change_plainly(object, change, kind);
    // Outside of every reader section there is no silence, no call under way and no end of
    // notifying.
    if (ISA_UNLIKELY((record & ISA_RECORD_INLINE) != 0) || ISA_UNLIKELY(thread->reader_epoch != 0))
        return false;
    isa__reader_enter_first(thread);
    struct isa__side *side = (struct isa__side *)(record & ~(uintptr_t)ISA_RECORD_FLAG_MASK);
    struct isa__registration *registration = isa__word_single(isa__enter(thread, side));
    if (__builtin_expect(registration != NULL, 1) && registration->key == step.key) {
        uint32_t tag = isa__registration_tag_load(registration);
        if (isa__start_is_one(tag) && !has_value(kind, tag)) {
            change_and_notify(object, side, registration, &step);
            return true;
        }
    }
    isa__reader_leave(thread);
    return false;
}

static bool insert_one(isa_id object, const struct isa__one_change *change)
{
    return change_in_place(object, change, ISA_CHANGE_INSERTION);
}

static bool remove_one(isa_id object, const struct isa__one_change *change)
{
    return change_in_place(object, change, ISA_CHANGE_REMOVAL);
}

static bool replace_one(isa_id object, const struct isa__one_change *change)
{
    return change_in_place(object, change, ISA_CHANGE_REPLACEMENT);
}

void isa__one_change_start(void)
{
    isa__coding_hooks.prepare_one = prepare_one;
    isa__coding_hooks.change_one[0] = insert_one;
    isa__coding_hooks.change_one[1] = remove_one;
    isa__coding_hooks.change_one[2] = replace_one;
}
