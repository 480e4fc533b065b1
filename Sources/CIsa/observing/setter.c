// Wrapped setters, and setting a value in place.
//
// A notifying setter is a typed thunk, one compiled function for all scalars that are passed alike,
// shared by all classes, or a libffi closure. Either finds its record (a thunk through isa and
// selector, a closure in its context), announces, calls the original, and notifies.
//
// A value may stand in a foreign object, such as a Swift object, in a form that has no encoding.
// Elsewhere such a value travels as an object. If all its observers are functions that know the
// form, it is set, or its elements are changed, where it stands, observers get old and new by
// address, and no object is made. Any unusual case is left to the message that sets by an object,
// or to the messages that announce and end.
//
// Locks:     the observing lock orders wrapping; wrappers and sets in place run with none, in a
//            reader section.
// Invariant: the original runs exactly once for every set, even if the isa changes meanwhile, and
//            every will-change is followed by its did-change.
#include "notifying_class.h"

#include <string.h>

#include "../base/event.h"
#include "../base/status.h"
#include "../call/call.h"
#include "../model/dispatch.h"
#include "../model/selector.h"
#include "../model/type.h"
#include "change.h"
#include "kvo_start.h"
#include "set_start.h"

// ---- announcing ---------------------------------------------------------------------------------

// How a set is accompanied.
enum accompaniment {
    ALONE,       // nobody observes the key on this object
    BY_FRAME,    // isa__change_will has announced it
    BY_MESSAGES, // the class has its own will- and didChangeValueForKey:
};

ISA_INLINE enum accompaniment set_begin(isa_id self, const struct isa__wrapper *wrapper,
                                        struct kvo_frame *frame)
{
    struct isa__side *side = isa__side_find(self);
    if (side == NULL || isa__observing_value(side) == 0) return ALONE;
    const struct isa__key *key = isa__wrapper_key(wrapper);
    if (ISA_UNLIKELY(isa__thread_get()->silences != NULL) && isa__is_silenced(self, key))
        return ALONE;
    if (ISA_UNLIKELY(isa__class_is_gnustep(wrapper->notifying)) &&
        isa__manual_is_pending(side, key))
        return ALONE;
    uint32_t overrides = isa__observed_overrides(wrapper->observed);
    if (ISA_UNLIKELY(overrides & ISA_OVERRIDES_CHANGES)) {
        frame->key = key;
        kvo_will_change(self, frame->key->text);
        return BY_MESSAGES;
    }
    if (ISA_UNLIKELY(overrides & ISA_OVERRIDES_INFO) && kvo_observation_info(self) == NULL)
        return ALONE;
    return isa__change_will(frame, self, side, key, NULL) ? BY_FRAME : ALONE;
}

ISA_INLINE void set_end(isa_id self, enum accompaniment accompaniment, struct kvo_frame *frame)
{
    if (__builtin_expect(accompaniment == BY_FRAME, 1)) isa__change_did(frame);
    else kvo_did_change(self, frame->key->text);
}

// ---- scalars ------------------------------------------------------------------------------------

// All that the type of a scalar decides, by how it is passed.
struct passing {
    void (*call)(isa_imp setter, isa_id self, isa_sel sel, const void *value);
    void (*get)(const struct isa__cached_setter *cached, isa_id self, void *place);
    bool is_object;
};

// A set of a scalar.
struct scalar_set {
    const struct passing *passing;
    isa_id object;
    isa_sel selector;
    const void *value;
    struct isa__wrapper *wrapper;
    const struct isa__cached_setter *cached;
};

ISA_INLINE void call_with(isa_imp setter, const struct scalar_set *set)
{
    set->passing->call(setter, set->object, set->selector, set->value);
}

ISA_INLINE void make_scalar(void *more, struct kvo_frame *frame, bool announced)
{
    const struct scalar_set *set = more;
    bool is_stale = ISA_UNLIKELY(announced) && !isa__cached_setter_holds(set->cached);
    (void)frame;
    call_with(is_stale ? isa__wrapper_original(set->wrapper) : set->cached->original, set);
}

ISA_INLINE void read_scalar(void *more, struct kvo_frame *frame, struct isa__held *held)
{
    const struct scalar_set *set = more;
    isa__held_drop_object(set->passing->is_object, held);
    set->passing->get(set->cached, frame->object, held->bytes);
    if (!set->passing->is_object) return;
    isa_object_retain(*(isa_id *)held->bytes);
    held->duty = ISA_HELD_OBJECT;
}

// Shows a scalar's values, which the frame always holds.
ISA_INLINE void show_scalar(void *more, struct kvo_frame *frame, uint32_t options)
{
    (void)more;
    frame->change.old_value.address = options & KVO_OPTION_OLD ? frame->old_value.bytes : NULL;
    frame->change.new_value.address = options & KVO_OPTION_NEW ? frame->new_value.bytes : NULL;
}

ISA_INLINE void leave_scalar(void *more, struct kvo_frame *frame, bool has_old)
{
    const struct scalar_set *set = more;
    const kvc_value none = {NULL, NULL};
    frame->old_value.value =
        has_old ? (kvc_value){set->cached->types, frame->old_value.bytes} : none;
    isa__held_drop_object(true, &frame->new_value);
    frame->new_value.value = none;
}

ISA_INLINE struct isa__value_accessors accessors_of_scalar(struct scalar_set *set)
{
    return (struct isa__value_accessors){.ways = isa__cached_setter_ways(set->cached),
                                         .cls = set->cached->notifying,
                                         .types = set->cached->types,
                                         .more = set,
                                         .is_object = set->passing->is_object,
                                         .shows_held = true,
                                         .make = make_scalar,
                                         .read = read_scalar,
                                         .show = show_scalar,
                                         .leave = leave_scalar};
}

ISA_RARE void call_logged(const struct scalar_set *set)
{
    struct isa__original_log log;
    isa__original_log_begin(&log, set->object, set->wrapper);
    call_with(isa__wrapper_original(set->wrapper), set);
    isa__original_log_end(&log, set->object, set->wrapper);
}

// By the cached setter, while the event log is on and nobody listens to the steps of a set. False
// if nothing was done.
ISA_RARE bool set_logged(const struct scalar_set *by_class)
{
    struct scalar_set set = *by_class;
    struct isa__side *side = isa__side_find(set.object);
    if (side == NULL || isa__observing_value(side) == 0) return false;
    struct isa__thread *thread = isa__reader_enter();
    set.cached = isa__cached_setter_of(set.wrapper);
    struct isa__start_within start = {thread, set.object, side, set.cached, 0};
    struct isa__value_accessors accessors = accessors_of_scalar(&set);
    accessors.ways = isa__cached_setter_logged_ways(set.cached);
    accessors.is_logged = true;
    struct kvo_frame frame;
    bool done = isa__start_is_logged(thread, set.cached) &&
                isa__start_find(&start, &frame.affected) && frame.affected.count > 0;
    if (done) {
        isa__start_open(&start, &frame);
        isa__change_and_notify(&frame, thread, accessors);
    }
    isa__reader_leave(thread);
    return done;
}

// By the class's accessors, under somebody else's subclass and when the isa has gone back, too.
ISA_OUTLINE void set_by_class(const struct scalar_set *set)
{
    isa__cached_setter_renew(set->wrapper);
    bool logged = isa__event_on();
    if (logged && set_logged(set)) return;
    uint64_t cause = logged ? isa__wrapper_report_entered(set->object, set->wrapper) : 0;
    struct kvo_frame frame;
    enum accompaniment accompaniment = set_begin(set->object, set->wrapper, &frame);
    if (logged) call_logged(set);
    else call_with(isa__wrapper_original(set->wrapper), set);
    if (accompaniment != ALONE) set_end(set->object, accompaniment, &frame);
    if (logged) isa__wrapper_report_left(set->object, set->wrapper, cause);
}

// By the cached setter, which has been seen to serve. The thread is in a reader section.
ISA_OUTLINE void set_within(struct scalar_set *set, struct isa__side *side)
{
    struct isa__thread *thread = isa__current;
    struct isa__start_within start = {thread, set->object, side, set->cached, 0};
    const struct isa__value_accessors accessors = accessors_of_scalar(set);
    struct kvo_frame frame;
    bool found = isa__start_find(&start, &frame.affected);
    bool nobody = found && frame.affected.count == 0;
    isa_imp original = nobody ? set->cached->original : NULL;
    if (nobody) {
        isa__open_note_set(thread->open, set->object, set->cached->key);
    } else if (found) {
        isa__start_open(&start, &frame);
        isa__change_and_notify(&frame, thread, accessors);
    }
    isa__reader_leave(thread);
    if (nobody) call_with(original, set);
    else if (!found) set_by_class(set);
}

// A set of which nothing is known yet.
static void set_unknown(struct scalar_set *set)
{
    struct isa__side *side = isa__side_find(set->object);
    if (side == NULL || isa__observing_value(side) == 0) {
        call_with(isa__wrapper_original(set->wrapper), set);
        return;
    }
    struct isa__thread *thread = isa__reader_enter();
    set->cached = isa__cached_setter_of(set->wrapper);
    if (__builtin_expect(isa__start_is_cached(thread, set->cached), 1)) {
        set_within(set, side);
        return;
    }
    isa__reader_leave(thread); // first: changes inside changes take no more stack than this
    set_by_class(set);
}

// The same, but the thread is in a reader section.
ISA_OUTLINE void set_reading(struct scalar_set *set)
{
    isa__reader_leave(isa__current);
    set_unknown(set);
}

// An outermost set. The thread is in a reader section.
ISA_OUTLINE void set_several(struct scalar_set *set, struct isa__side *side)
{
    const struct isa__value_accessors accessors = accessors_of_scalar(set);
    struct isa__thread *thread = isa__current;
    struct kvo_frame *frame = isa__frame_outermost(thread);
    isa_imp original = set->cached->original;
    frame->seen = isa__observing_value(side);
    bool found = isa__affected_find(frame->seen, set->cached->key, &frame->affected);
    if (found) {
        isa__frame_open_first(thread, set->object, side, set->cached->key);
        isa__change_and_notify(frame, thread, accessors);
    }
    isa__reader_leave_last(thread);
    if (isa__reader_must_attend(thread)) isa__reader_attend(thread);
    if (!found) call_with(original, set);
}

// The same with one registration.
static void set_partly(struct scalar_set *set, struct isa__side *side,
                       struct isa__registration *registration)
{
    isa__change_and_notify_one(set->object, side, set->cached->key, registration,
                               isa__registration_tag_load(registration), accessors_of_scalar(set));
}

// Goes on from a start that is not ISA_START_JOINING.
ISA_OUTLINE void go_on(struct scalar_set *set, enum isa__start_kind kind,
                       const struct isa__start *start)
{
    switch (kind) {
    case ISA_START_ONE:
    case ISA_START_PARTLY:
        set->cached = start->cached;
        set_partly(set, start->side, start->registration);
        return;
    case ISA_START_SEVERAL:
        set->cached = start->cached;
        set_several(set, start->side);
        return;
    case ISA_START_READING: set_reading(set); return;
    case ISA_START_JOINING:
    case ISA_START_UNKNOWN: set_unknown(set); return;
    case ISA_START_ATTEND: isa__reader_attend(isa__current); break;
    case ISA_START_NOBODY: break;
    }
    call_with(start->original, set);
}

static void set_joining(struct scalar_set *set)
{
    struct isa__start start;
    enum isa__start_kind kind = isa__start_joining(set->object, set->wrapper, &start);
    go_on(set, kind, &start);
}

static void begin_set(struct scalar_set *set)
{
    struct isa__start start;
    enum isa__start_kind kind = isa__start(set->object, set->wrapper, &start);
    if (kind == ISA_START_JOINING) set_joining(set);
    else go_on(set, kind, &start);
}

// Sets where the object's own class has no wrapper in its first place.
static void set_above(struct scalar_set *set, isa_imp thunk)
{
    isa_id self = set->object;
    set->wrapper = isa__wrapper_in(isa__class_in(self), set->selector);
    if (set->wrapper != NULL) {
        begin_set(set);
        return;
    }
    set->wrapper = isa__wrapper_above(self, set->selector);
    if (set->wrapper != NULL) {
        set_by_class(set);
        return;
    }
    struct isa__resend resend;
    isa_imp imp = isa__resend_begin(&resend, self, set->selector, thunk);
    call_with(imp, set);
    isa__resend_end(&resend);
}

// Per passed type: how it is called and read; the ways of an outermost set that is heard by one or
// by none, compiled for it; steps to the others; and the thunk that looks for its record.
#define IS_OBJECT(name) (ISA_PASSED_##name == ISA_PASSED_object)
#define SCALAR_SET(name, wrapper, cached) {&passing_##name, self, sel, &value, wrapper, cached}
#define DEFINE_STEP(ctype, name, way) \
    ISA_OUTLINE void set_##name##_##way(isa_id self, isa_sel sel, ctype value, \
                                        struct isa__wrapper *wrapper) \
    { \
        struct scalar_set set = SCALAR_SET(name, wrapper, NULL); \
        set_##way(&set); \
    }
#define DEFINE_TYPED(ctype, name) \
    typedef void (*name##_setter)(isa_id, isa_sel, ctype); \
    typedef ctype (*name##_getter)(isa_id, isa_sel); \
    static void call_##name(isa_imp imp, isa_id self, isa_sel sel, const void *value) \
    { \
        ((name##_setter)imp)(self, sel, *(ctype const *)value); \
    } \
    static void get_##name(const struct isa__cached_setter *cached, isa_id self, void *out) \
    { \
        ctype *place = (ctype *)((char *)self + cached->offset); \
        ctype value; \
        if (cached->getter != NULL) \
            value = ((name##_getter)cached->getter)(self, cached->getter_selector); \
        else if (sizeof(ctype) <= sizeof(uintptr_t)) \
            __atomic_load(place, &value, __ATOMIC_RELAXED); /* it may be set meanwhile */ \
        else value = *place; \
        *(ctype *)out = value; \
    } \
    static const struct passing passing_##name = {call_##name, get_##name, IS_OBJECT(name)}; \
    ISA_OUTLINE void set_##name##_one(isa_id self, isa_sel sel, ctype value, \
                                      const struct isa__cached_setter *cached, \
                                      struct isa__side *side, \
                                      struct isa__registration *registration) \
    { \
        struct scalar_set set = SCALAR_SET(name, NULL, cached); \
        isa__change_and_notify_one(self, side, cached->key, registration, \
                                   ISA_TAG_BARE | ISA_OLD_AND_NEW, accessors_of_scalar(&set)); \
    } \
    ISA_OUTLINE void set_##name##_partly(isa_id self, isa_sel sel, ctype value, \
                                         const struct isa__cached_setter *cached, \
                                         struct isa__side *side, \
                                         struct isa__registration *registration) \
    { \
        struct scalar_set set = SCALAR_SET(name, NULL, cached); \
        isa__change_and_notify_one(self, side, cached->key, registration, \
                                   isa__registration_tag_load(registration), \
                                   accessors_of_scalar(&set)); \
    } \
    ISA_OUTLINE void set_##name##_several(isa_id self, isa_sel sel, ctype value, \
                                          const struct isa__cached_setter *cached, \
                                          struct isa__side *side, \
                                          struct isa__wrapper *wrapper) \
    { \
        struct scalar_set set = SCALAR_SET(name, wrapper, cached); \
        set_several(&set, side); \
    } \
    DEFINE_STEP(ctype, name, unknown) \
    DEFINE_STEP(ctype, name, reading) \
    DEFINE_STEP(ctype, name, joining) \
    ISA_RARE void set_##name##_attending(isa_id self, isa_sel sel, ctype value, isa_imp original) \
    { \
        isa__reader_attend(isa__current); \
        ((name##_setter)original)(self, sel, value); \
    } \
    static void thunk_##name(isa_id self, isa_sel sel, ctype value); \
    ISA_RARE void thunk_##name##_above(isa_id self, isa_sel sel, ctype value) \
    { \
        struct scalar_set set = SCALAR_SET(name, NULL, NULL); \
        set_above(&set, (isa_imp)thunk_##name); \
    } \
    static void thunk_##name(isa_id self, isa_sel sel, ctype value) \
    { \
        struct isa__wrapper *wrapper = isa__wrapper_first(isa__class_in(self), sel); \
        if (ISA_UNLIKELY(wrapper == NULL)) { \
            thunk_##name##_above(self, sel, value); \
            return; \
        } \
        struct isa__start start; \
        enum isa__start_kind kind = isa__start(self, wrapper, &start); \
        switch (kind) { \
        case ISA_START_ONE: \
            set_##name##_one(self, sel, value, start.cached, start.side, start.registration); \
            return; \
        case ISA_START_PARTLY: \
            set_##name##_partly(self, sel, value, start.cached, start.side, start.registration); \
            return; \
        case ISA_START_SEVERAL: \
            set_##name##_several(self, sel, value, start.cached, start.side, wrapper); \
            return; \
        case ISA_START_NOBODY: ((name##_setter)start.original)(self, sel, value); return; \
        case ISA_START_ATTEND: set_##name##_attending(self, sel, value, start.original); return; \
        case ISA_START_UNKNOWN: set_##name##_unknown(self, sel, value, wrapper); return; \
        case ISA_START_READING: set_##name##_reading(self, sel, value, wrapper); return; \
        case ISA_START_JOINING: set_##name##_joining(self, sel, value, wrapper); return; \
        } \
    }

ISA_PASSED_TYPES(DEFINE_TYPED)

#define THUNK(ctype, name) [ISA_PASSED_##name] = (isa_imp)thunk_##name,
static const isa_imp thunks[ISA_PASSED_COUNT] = {ISA_PASSED_TYPES(THUNK)};

#define PASSING(ctype, name) [ISA_PASSED_##name] = &passing_##name,
static const struct passing *const passings[ISA_PASSED_COUNT] = {ISA_PASSED_TYPES(PASSING)};

// ---- libffi closures ----------------------------------------------------------------------------

// Calls a setter: directly where its argument is a scalar, else through libffi.
static void call_setter(const struct isa__call_interface *interface, uint8_t passed, isa_imp imp,
                        void *const *arguments)
{
    isa_id self = *(isa_id const *)arguments[0];
    isa_sel sel = *(isa_sel const *)arguments[1];
    if (passed != ISA_PASSED_NOT) passings[passed]->call(imp, self, sel, arguments[2]);
    else isa__call_interface_invoke(interface, imp, arguments, NULL);
}

ISA_RARE void call_setter_logged(const struct isa__call_interface *interface,
                                 void *const *arguments, const struct isa__wrapper *wrapper)
{
    isa_id self = *(isa_id const *)arguments[0];
    struct isa__original_log log;
    isa__original_log_begin(&log, self, wrapper);
    call_setter(interface, wrapper->passed, isa__wrapper_original(wrapper), arguments);
    isa__original_log_end(&log, self, wrapper);
}

static void run_closure_slowly(const struct isa__call_interface *interface,
                               void *const *arguments, struct isa__wrapper *wrapper)
{
    isa_id self = *(isa_id const *)arguments[0];
    isa_sel sel = *(isa_sel const *)arguments[1];
    if (!isa_class_is_subclass(isa__class_in(self), wrapper->notifying)) {
        struct isa__resend resend;
        isa_imp imp = isa__resend_begin(&resend, self, sel, wrapper->imp);
        call_setter(interface, wrapper->passed, imp, arguments);
        isa__resend_end(&resend);
        return;
    }
    bool logged = isa__event_on();
    uint64_t cause = logged ? isa__wrapper_report_entered(self, wrapper) : 0;
    struct kvo_frame frame;
    enum accompaniment accompaniment = set_begin(self, wrapper, &frame);
    if (logged) call_setter_logged(interface, arguments, wrapper);
    else call_setter(interface, wrapper->passed, isa__wrapper_original(wrapper), arguments);
    if (accompaniment != ALONE) set_end(self, accompaniment, &frame);
    if (logged) isa__wrapper_report_left(self, wrapper, cause);
}

static void run_closure(const struct isa__call_interface *interface, void *result,
                        void *const *arguments, void *context)
{
    (void)result;
    struct isa__wrapper *wrapper = context;
    isa_id self = *(isa_id const *)arguments[0];
    if (wrapper->passed == ISA_PASSED_NOT || isa__class_in(self) != wrapper->notifying) {
        run_closure_slowly(interface, arguments, wrapper);
        return;
    }
    struct scalar_set set = {passings[wrapper->passed], self, *(isa_sel const *)arguments[1],
                             arguments[2], wrapper, NULL};
    begin_set(&set);
}

// ---- choosing -----------------------------------------------------------------------------------

// The facts that the choice of a wrapper depends on.
struct signature {
    const char *types;    // the method's encoding, interned
    const char *argument; // the argument's, interned
    char letter;          // of a scalar argument, else 0
    bool is_void;
    bool is_struct;
};

static isa_status read_argument(const char *types, struct signature *out)
{
    const char *start;
    struct isa__type type;
    if (!isa__signature_type(types, 3, &start, &type)) return ISA_ERR_NOT_FOUND;
    out->argument = isa__encoding_intern_range(start, (size_t)(type.end - start));
    out->letter = type.type_class == ISA_TYPE_SCALAR ? type.letter : 0;
    out->is_struct = type.type_class == ISA_TYPE_STRUCT;
    return out->argument == NULL ? ISA_ERR_NO_MEMORY : ISA_OK;
}

static isa_status read_signature(const char *types, struct signature *out)
{
    struct isa__type result;
    isa_status status = isa__type_parse(types, &result);
    if (status != ISA_OK) return status;
    out->is_void = result.type_class == ISA_TYPE_VOID;
    out->types = isa__encoding_intern(types);
    if (out->types == NULL) return ISA_ERR_NO_MEMORY;
    return read_argument(types, out);
}

// Encodings whose structs Apple has a function of its own for; others take its forwarding path.
static bool is_apple_struct(const char *argument)
{
    static const char *const names[] = {"{?=dd}", "{?={?=dd}{?=dd}}", "{?=QQ}"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (isa__encoding_equal(argument, names[i])) return true;
    return false;
}

static bool apple_wraps(const struct signature *signature)
{
    return signature->is_struct || isa__scalar(signature->letter)->is_boxed;
}

static isa_status make_closure(const struct signature *signature, struct isa__wrapper *wrapper)
{
    isa_status status = isa__trampoline_acquire(signature->types, run_closure, wrapper,
                                                &wrapper->closure);
    if (status == ISA_OK) wrapper->imp = isa__trampoline_imp(wrapper->closure);
    return status;
}

// GNUstep refuses to observe what its forwarding cannot carry: more than six machine words.
static isa_status check_size(const struct signature *signature, const struct isa__wrapper *wrapper)
{
    size_t size = 0;
    if (!signature->is_struct || !isa__class_is_gnustep(wrapper->notifying)) return ISA_OK;
    isa_status status = isa_encoding_measure(signature->argument, &size, NULL, NULL);
    if (status != ISA_OK || size <= 6 * sizeof(void *)) return status;
    return isa__fail(ISA_ERR_NOT_PASSABLE, NULL,
                     "-[%s %s]: a struct of %zu bytes cannot be observed, at most %zu were "
                     "expected",
                     wrapper->observed->original->name, wrapper->selector->name, size,
                     6 * sizeof(void *));
}

static isa_status setter_choose(const struct signature *signature, struct isa__wrapper *wrapper)
{
    if (!signature->is_void || (wrapper->wrapping == KVO_WRAP_AS_APPLE && !apple_wraps(signature)))
        return KVO_ERR_NOT_WRAPPED;
    wrapper->imp = thunks[wrapper->passed];
    if (wrapper->imp != NULL && wrapper->wrapping != KVO_WRAP_LIBFFI) return ISA_OK;
    isa_status status = make_closure(signature, wrapper);
    // Where closures cannot be had, the thunk serves.
    if (status == ISA_ERR_NO_TRAMPOLINE && wrapper->imp != NULL) return ISA_OK;
    if (status == ISA_ERR_NO_TRAMPOLINE || status == ISA_ERR_NOT_PASSABLE)
        return KVO_ERR_NOT_WRAPPED;
    return status;
}

// Apple's forwarding path leaves the original under another name.
static isa_status add_alias(const struct signature *signature, struct isa__wrapper *wrapper)
{
    if (wrapper->wrapping != KVO_WRAP_AS_APPLE || !signature->is_struct ||
        is_apple_struct(signature->argument))
        return ISA_OK;
    char *name = isa__name_copy(ISA_NAME_ORIGINAL, wrapper->selector->name);
    isa_sel alias = name == NULL ? NULL : isa_sel_register(name);
    isa__free_text(name);
    if (alias == NULL) return ISA_ERR_NO_MEMORY;
    return isa_class_replace_method(wrapper->notifying, alias, isa__wrapper_original(wrapper),
                                    wrapper->types, NULL);
}

isa_status isa__setter_wrap_locked(struct isa__observed *observed, const struct isa__key *key,
                                   isa_method method, struct isa__wrapper **out)
{
    isa_sel sel = isa_method_selector(method);
    struct signature signature = {0};
    isa_status status = read_signature(isa_method_types(method), &signature);
    if (status != ISA_OK) return status;
    *out = isa__wrapper_reuse_locked(observed, key, sel, signature.types);
    if (*out != NULL) return ISA_OK;
    struct isa__wrapper *wrapper = isa__wrapper_make_locked(observed, key, sel, signature.types);
    if (wrapper == NULL) return ISA_ERR_NO_MEMORY;
    wrapper->kind = ISA_WRAPS_SETTER;
    wrapper->letter = signature.letter;
    wrapper->passed = isa__scalar(signature.letter)->passed;
    status = check_size(&signature, wrapper);
    if (status == ISA_OK) status = setter_choose(&signature, wrapper);
    if (status == ISA_OK) status = add_alias(&signature, wrapper);
    if (status != ISA_OK) {
        isa__wrapper_free(wrapper);
        return status;
    }
    status = isa__wrapper_plant_locked(observed, wrapper);
    if (status == ISA_OK) *out = wrapper;
    return status;
}

// ---- in place -----------------------------------------------------------------------------------

// A set or an edit in place.
struct in_place {
    const struct isa__cached_setter *cached;
    const kvo_form *form;
    kvo_edit *edit; // NULL: the value is set
    void *place; // where the value stands, or the elements that come; shown as the new value
    void *value; // what it is set to, and then what it was, or the elements that went
    bool keeps_old; // somebody asks for what it was
    struct isa__element_change elements; // of an edit that the class's accessors end
};

// Whether the class sets and gets the value by the methods that do so where it stands.
ISA_INLINE bool is_answered_in_place(const struct isa__cached_setter *cached, const kvo_form *form)
{
    return cached->original == form->setter && cached->getter == form->getter;
}

// Whether a registration is a function that knows the form and wants no prior notification, or is
// never notified any more: lists keep places for such.
ISA_INLINE bool is_fit(const struct isa__registration *registration, const kvo_form *form)
{
    const uint32_t relevant = ISA_TAG_FUNCTION | KVO_OPTION_PRIOR;
    uint32_t tag = isa__registration_tag_load(registration);
    if (__builtin_expect((tag & relevant) == ISA_TAG_FUNCTION, 1) &&
        __builtin_expect(registration->function.callback == form->callback, 1))
        return true;
    return (tag & (ISA_TAG_FUNCTION | ISA_TAG_SHARED | ISA_TAG_ENDED)) ==
           (ISA_TAG_FUNCTION | ISA_TAG_ENDED);
}

// Whether all are that are notified as the key changes, and nobody is announced to.
static bool are_fit(const struct isa__affected *affected, const struct in_place *in_place)
{
    if (affected->is_announced || (in_place->edit != NULL && affected->dependencies != NULL))
        return false;
    for (uint32_t i = 0; i < affected->count; i++) {
        if (affected->dependencies != NULL && affected->dependencies[i] != NULL) continue;
        if (!is_fit(isa__item_load(&affected->items[i]), in_place->form)) return false;
    }
    return true;
}

// ---- accessors ----------------------------------------------------------------------------------

ISA_INLINE void exchange(char *first, char *second, size_t size)
{
    uint64_t word, other;
    for (; size >= sizeof word; size -= sizeof word) {
        memcpy(&word, first, sizeof word);
        memcpy(&other, second, sizeof word);
        memcpy(first, &other, sizeof word);
        memcpy(second, &word, sizeof word);
        first += sizeof word;
        second += sizeof word;
    }
    for (; size > 0; size--) {
        char byte = *first;
        *first++ = *second;
        *second++ = byte;
    }
}

ISA_INLINE void make_value(void *more, struct kvo_frame *frame, bool announced)
{
    const struct in_place *in_place = more;
    (void)frame, (void)announced;
    if (in_place->keeps_old && in_place->form->size > 0)
        exchange(in_place->place, in_place->value, in_place->form->size);
    else in_place->form->set(in_place->form, in_place->place, in_place->value, in_place->keeps_old);
}

ISA_INLINE void make_edit(void *more, struct kvo_frame *frame, bool announced)
{
    const struct in_place *in_place = more;
    (void)frame, (void)announced;
    in_place->edit->make(in_place->edit->context);
}

ISA_INLINE void show_place(void *more, struct kvo_frame *frame, uint32_t options)
{
    const struct in_place *in_place = more;
    frame->change.old_value.address = options & KVO_OPTION_OLD ? in_place->value : NULL;
    frame->change.new_value.address = options & KVO_OPTION_NEW ? in_place->place : NULL;
    if (in_place->edit == NULL) return;
    frame->change.kind = in_place->edit->kind;
    frame->change.indexes = in_place->edit->indexes;
}

// Holds an object of a value or elements, of which there may be none.
static void set_hold(const struct in_place *in_place, const void *address, struct isa__held *held)
{
    if (address != NULL)
        isa__hold_object(in_place->form->copy_object(in_place->form, address), held);
}

static void leave_place(void *more, struct kvo_frame *frame, bool has_old)
{
    struct in_place *in_place = more;
    isa__held_clear(&frame->old_value);
    isa__held_clear(&frame->new_value);
    if (has_old) set_hold(in_place, in_place->value, &frame->old_value);
    if (in_place->edit == NULL) return;
    // The elements that came are read as they are by then, if they are there.
    if (frame->affected.options & KVO_OPTION_NEW)
        set_hold(in_place, in_place->place, &frame->new_value);
    in_place->elements = (struct isa__element_change){.kind = in_place->edit->kind,
                                                      .indexes = in_place->edit->indexes,
                                                      .returns_status = true};
    frame->elements = &in_place->elements;
    frame->returns_status = true;
}

ISA_INLINE struct isa__value_accessors accessors_of(struct in_place *in_place, bool is_edit)
{
    return (struct isa__value_accessors){.ways = isa__cached_setter_ways(in_place->cached),
                                         .cls = in_place->cached->notifying,
                                         .types = in_place->form->types,
                                         .more = in_place,
                                         .shows_made = is_edit,
                                         .make = is_edit ? make_edit : make_value,
                                         .read = isa__read_nothing,
                                         .show = show_place,
                                         .leave = leave_place};
}

// ---- setting ------------------------------------------------------------------------------------

static bool change_logged(isa_id object, const struct isa__wrapper *wrapper,
                          struct in_place *in_place);

// A change of which nothing is known yet; `is_logged`: while the event log is on. False if nothing
// was done.
ISA_INLINE bool change_with(isa_id object, const struct isa__wrapper *wrapper,
                            struct in_place *in_place, const bool is_logged)
{
    struct isa__side *side = isa__side_find(object);
    if (side == NULL || isa__observing_value(side) == 0) return false;
    struct isa__thread *thread = isa__reader_enter();
    struct kvo_frame frame;
    struct isa__start_within start = {thread, object, side, isa__cached_setter_of(wrapper), 0};
    in_place->cached = start.cached;
    const bool is_edit = in_place->edit != NULL;
    struct isa__value_accessors accessors = accessors_of(in_place, is_edit);
    if (is_logged) accessors.ways = isa__cached_setter_logged_ways(start.cached);
    accessors.is_logged = is_logged;
    bool is_ready = is_answered_in_place(start.cached, in_place->form) &&
                    (is_logged ? isa__start_is_logged(thread, start.cached)
                               : isa__start_is_cached(thread, start.cached));
    if (!is_logged && ISA_UNLIKELY(!is_ready)) {
        isa__reader_leave(thread);
        return isa__event_on() && change_logged(object, wrapper, in_place);
    }
    bool done = is_ready && isa__start_find(&start, &frame.affected);
    bool nobody = done && frame.affected.count == 0;
    done = done && (nobody || are_fit(&frame.affected, in_place));
    in_place->keeps_old = done && !nobody && frame.affected.options & KVO_OPTION_OLD;
    if (nobody) {
        isa__open_note_set(thread->open, object, start.cached->key);
    } else if (done) {
        isa__start_open(&start, &frame);
        frame.open.is_stored = true;
        isa__change_and_notify(&frame, thread, accessors);
        if (is_edit) in_place->edit->status = frame.status;
    }
    isa__reader_leave(thread);
    if (nobody) accessors.make(in_place, &frame, false);
    return done;
}

ISA_RARE bool change_logged(isa_id object, const struct isa__wrapper *wrapper,
                            struct in_place *in_place)
{
    return change_with(object, wrapper, in_place, true);
}

ISA_OUTLINE bool change_any(isa_id object, const struct isa__wrapper *wrapper,
                            struct in_place *in_place)
{
    return change_with(object, wrapper, in_place, false);
}

// Sets a value of which nobody hears. False if the setter is another one than the form's.
static bool set_unheard(isa_imp setter, const struct in_place *in_place)
{
    const kvo_form *form = in_place->form;
    if (setter != form->setter) return false;
    form->set(form, in_place->place, in_place->value, false);
    return true;
}

ISA_OUTLINE bool set_any(isa_id object, const struct isa__wrapper *wrapper,
                         struct in_place *in_place)
{
    const struct isa__side *side = isa__side_find(object);
    if (side == NULL || isa__observing_value(side) == 0)
        return set_unheard(isa__wrapper_original(wrapper), in_place);
    return change_any(object, wrapper, in_place);
}

// An outermost set whose only observer knows the form.
ISA_INLINE void set_one(isa_id object, const struct isa__start *start, struct in_place *in_place)
{
    uint32_t tag = isa__registration_tag_load(start->registration);
    in_place->cached = start->cached;
    in_place->keeps_old = (tag & KVO_OPTION_OLD) != 0;
    isa__change_and_notify_one(object, start->side, start->cached->key, start->registration, tag,
                               accessors_of(in_place, false));
}

bool kvo_set_in_place(isa_id object, isa_sel sel, const kvo_form *form, void *place, void *value)
{
    isa_class cls = isa__class_in(object);
    struct isa__wrapper *wrapper = isa__wrapper_in(cls, sel);
    struct in_place in_place;
    struct isa__start start;
    in_place.form = form;
    in_place.edit = NULL;
    in_place.place = place;
    in_place.value = value;
    if (ISA_UNLIKELY(wrapper == NULL)) return set_unheard(isa__dispatch_get(cls, sel), &in_place);
    enum isa__start_kind kind = isa__start(object, wrapper, &start);
    if (kind == ISA_START_JOINING) kind = isa__start_joining(object, wrapper, &start);
    switch (kind) {
    case ISA_START_ONE:
    case ISA_START_PARTLY:
        if (__builtin_expect(is_fit(start.registration, form), 1) &&
            __builtin_expect(isa__cached_setter_holds(start.cached), 1) &&
            __builtin_expect(is_answered_in_place(start.cached, form), 1)) {
            set_one(object, &start, &in_place);
            return true;
        }
        isa__reader_leave(isa__current);
        return false;
    case ISA_START_SEVERAL:
    case ISA_START_READING: isa__reader_leave(isa__current); break;
    case ISA_START_ATTEND: isa__reader_attend(isa__current); break;
    case ISA_START_NOBODY:
    case ISA_START_JOINING:
    case ISA_START_UNKNOWN: break;
    }
    return set_any(object, wrapper, &in_place);
}

// ---- elements -----------------------------------------------------------------------------------

bool kvo_edit_in_place(isa_id object, isa_sel sel, const kvo_form *form, kvo_edit *edit)
{
    struct isa__wrapper *wrapper = isa__wrapper_in(isa__class_in(object), sel);
    if (wrapper == NULL || !isa__kvo_announces_at(object)) return false;
    struct in_place in_place;
    in_place.form = form;
    in_place.edit = edit;
    in_place.place = (void *)edit->new_value;
    in_place.value = (void *)edit->old_value;
    edit->status = ISA_OK;
    if (change_any(object, wrapper, &in_place)) return true;
    // No setter is called, which would renew a stale one.
    isa__cached_setter_renew(wrapper);
    return false;
}
