// One change, from will to did: the registrations concerned, the values before and after, and
// notifying them.
//
// There is one engine. It is a template, inlined where a change is made, over its *accessors*: how
// the value is set, read and shown. They are constants there, so that a typed setter has nothing in
// it that a set of its type does not need. Accessors that were worked out beforehand serve only
// while nothing is out of the ordinary; where they no longer do, the engine goes on by the class's
// accessors, which ask the class and serve always, from where it stands: deliver.c.
//
// Out of the ordinary are: listeners to the event log, fences instead of membarrier; a silence, or
// an end of notifying because of depth; a stale cached setter or none; an isa or a method that the
// original has changed. Listeners to the log have an instance of their own with the same accessors,
// unless they want the steps of a set, which only the class's accessors make one by one.
#ifndef ISA_OBSERVING_DELIVER_H
#define ISA_OBSERVING_DELIVER_H

#include "../base/event.h"
#include "../coding/to_many.h"
#include "held.h"
#include "notifying_class.h"
#include "registry.h"

// ---- a change in progress -----------------------------------------------------------------------

// How the elements of a to-many value change. An element change that has been announced is ended by
// isa__element_change_end.
struct isa__element_change {
    kvo_change_kind kind;
    const kvc_index_set *indexes; // of an ordered change; lent, or `trimmed`
    kvo_set_mutation mutation;    // of an unordered change, else 0
    isa_id objects;               // of an unordered change; lent
    bool returns_status;          // see struct kvo_frame
    isa_id before;                // of an ordered set from will to did: see isa__ordered_before
    uint64_t ways;                // isa__ways while `count` and `object_at` may be called; else 0
    isa_class cls;                // and the object's isa leads to this
    struct isa__shortcut_method count; // of an array that the class makes up of them
    struct isa__shortcut_method object_at;
    kvc_index_set trimmed;        // the announced indexes where it did change
};

// A change in progress. A thread's outermost set has its frame in the thread's record, which is
// ready between two uses: nothing held, a setting shown with old and new value.
struct kvo_frame {
    struct isa__open open;        // while it is open, what others have to know
    isa_id object;
    struct isa__side *side;
    const struct isa__key *key;
    uintptr_t seen;  // the observing word when the change was announced, or ISA_WORD_INCOMPARABLE
    struct isa__affected affected;
    uint32_t depth;     // how many calls it is inside
    struct isa__element_change *elements; // NULL: set; the caller's
    isa_status status;            // the first failure to read a value
    bool returns_status;          // its opener answers the status; else that goes to the handler
    bool is_deep;                 // each notifying needs leave: see isa__may_notify_deep
    struct isa__held old_value;
    struct isa__held new_value;
    kvo_change change;            // what observers are shown
};

static_assert(sizeof(struct kvo_frame) <= ISA_FIRST_FRAME_SIZE, "a thread's record holds one");

// The change's number, given now if it has none yet.
static inline uint64_t isa__open_number(struct isa__open *open)
{
    if (open->number == 0) open->number = ++isa__current->changes;
    return open->number;
}

// Each of the changes reads its values of the object again, be the key observed on it or not: a
// getter may have to do with any key. A value that stands in memory of its own has one key.
ISA_INLINE void isa__open_note_set(struct isa__open *innermost, isa_id object,
                                   const struct isa__key *key)
{
    for (struct isa__open *open = innermost; open != NULL; open = open->outer)
        if (open->object == object && (!open->is_stored || open->key == key)) open->dirty = true;
}

// The number of the change that this thread is delivering, the innermost one; 0 if none.
uint64_t isa__change_number(void);

// The key of that change; NULL if there is none.
const char *isa__change_cause(void);

// Whether this thread is changing the object, apart from the innermost change on request.
bool isa__is_changing(isa_id object, bool but_innermost);

// The change of that number, if this thread is inside it; NULL if not.
const struct isa__open *isa__change_of(uint64_t number);

// While a to-many key is being changed by a proxy, its accessors announce nothing by themselves.
// A change that an observer makes when it is notified of something else meanwhile is announced.
bool isa__is_silenced(isa_id object, const struct isa__key *key);

// Whether somebody may be notified of changes of the object: it has registrations, and its class
// does not withhold them by its own `observationInfo`.
bool isa__may_notify(isa_id object, const struct isa__side *side);

// ---- notifying one ------------------------------------------------------------------------------

// Reports that `observer` does not handle the message that it was sent.
void isa__kvo_report_unhandled(isa_id observer, const kvo_change *change);

// The only place where observers that are functions are called.
ISA_INLINE void isa__call(const struct isa__registration *registration, const kvo_change *change)
{
    registration->function.callback(change, registration->function.info);
}

// Reports to the event log a value that was read because `count` registrations ask for it by
// `option`, KVO_OPTION_OLD or KVO_OPTION_NEW.
void isa__report_read(isa_id object, const char *key_path, const struct isa__held *held,
                      uint32_t option, uint64_t count);

// Calls an observer of any kind, and reports that it is notified.
void isa__call_slowly(const struct isa__registration *registration, const kvo_change *change);

// Calls an observer of any kind.
ISA_INLINE void isa__call_any(const struct isa__registration *registration,
                              const kvo_change *change)
{
    bool is_function = (isa__registration_tag_load(registration) & ISA_TAG_FUNCTION) != 0;
    if (__builtin_expect(is_function, 1) && !isa__event_on()) isa__call(registration, change);
    else isa__call_slowly(registration, change);
}

// The state of registrations that were found to stand: their tag is so and, of shared ones, which
// end on an object without their tag, the object's word.
struct isa__view {
    uint32_t relevant; // bits of the tag
    uint32_t bits;     // and what they are
    const struct isa__side *side; // of an object with shared ones; else NULL
    uintptr_t word;
};

ISA_INLINE bool isa__is_in_view(const struct isa__registration *registration,
                                const struct isa__view view)
{
    return (isa__registration_tag_load(registration) & view.relevant) == view.bits &&
           (view.side == NULL || isa__observing_value(view.side) == view.word);
}

// Notifies a registration if it is in view. Leaves no gap between the look and the call that a
// removal on another thread could fall into unnoticed. False if it is not: then the check has not
// ended. With `has_rest` it is not bare, and gets its context.
ISA_INLINE bool isa__notify(const void **slot, const struct isa__registration *registration,
                            const struct isa__view view, kvo_change *change, bool has_rest)
{
    isa__check_begin_unfenced(slot, registration);
    if (ISA_UNLIKELY(!isa__is_in_view(registration, view))) return false;
    isa__check_end(slot, registration);
    if (has_rest) change->context = registration->rest[0].context;
    isa__call(registration, change);
    return true;
}

// Whether one more notification may be sent `depth` calls within others, where some were too deep,
// or the limit or the stack's end may be near.
bool isa__may_notify_deep(struct isa__thread *thread, uint32_t depth);

// How deep a notification may be without anybody being asked: no deeper than the limit, and where
// the stack has room.
extern ISA_HIDDEN uint32_t isa__depth_unasked; // atomic builtins

// Whether isa__may_notify_deep has to be asked.
ISA_INLINE bool isa__is_deep(const struct isa__thread *thread, uint32_t depth)
{
    return ISA_UNLIKELY(thread->endless != 0) ||
           ISA_UNLIKELY(depth >= __atomic_load_n(&isa__depth_unasked, __ATOMIC_RELAXED));
}

// Whether one more notification may be sent `depth` calls within others.
ISA_INLINE bool isa__may_notify_at(struct isa__thread *thread, uint32_t depth)
{
    return !isa__is_deep(thread, depth) || isa__may_notify_deep(thread, depth);
}

// Whether a registration with a chain, or one equal to it, stands on its object.
bool isa__chain_stands(const struct isa__registration *registration, isa_id object);

// Notifies `registration` of `change` if it has not ended or, of one with a chain, where
// `equal_serves` one equal to it stands. The object in `change` is alive. The thread is in a reader
// section.
ISA_INLINE void isa__notify_of(struct isa__thread *thread,
                               const struct isa__registration *registration,
                               const kvo_change *change, bool equal_serves)
{
    uint32_t depth = thread->hazard_count;
    const void **slot = isa__hazard_slot(thread, depth);
    isa__check_begin(slot, registration);
    if (ISA_UNLIKELY((isa__registration_tag_load(registration) & ISA_TAG_ENDED) != 0) &&
        !(equal_serves && isa__chain_stands(registration, change->object))) {
        isa__check_end(slot, NULL);
        return;
    }
    isa__hazard_count_set(thread, depth + 1);
    isa__check_end(slot, registration);
    isa__call_any(registration, change);
    isa__hazard_count_set(thread, depth);
}

// ---- accessors ----------------------------------------------------------------------------------

enum { ISA_OLD_AND_NEW = KVO_OPTION_OLD | KVO_OPTION_NEW };

// How a value is changed, read and shown. All but `ways`, `cls`, `types` and `more` are constants
// where the engine is inlined.
struct isa__value_accessors {
    uint64_t ways;     // they serve while isa__ways is this
    isa_class cls;     // and the object's isa leads to this
    const char *types; // of the values that they show
    void *more;        // what else they need
    bool by_class;     // the class's, which serve always
    bool is_logged;    // what was worked out beforehand, while the event log is on
    bool is_object;    // what is read is an object in the held bytes, with a reference
    bool reads_once;   // the new value is not read again
    bool shows_made;   // what was made is shown as the new value, until the object changes again
    bool shows_held;   // the held bytes are what is shown
    // Changes the value; if `announced`, observers that run before may have changed how.
    void (*make)(void *more, struct kvo_frame *frame, bool announced);
    // Reads the value into `held`, in place of what is held there.
    void (*read)(void *more, struct kvo_frame *frame, struct isa__held *held);
    // Shows the values that `options` ask for.
    void (*show)(void *more, struct kvo_frame *frame, uint32_t options);
    // Has the class's accessors find the old value, if there is one, and what else the frame needs.
    void (*leave)(void *more, struct kvo_frame *frame, bool has_old);
};

// For accessors that have no value to read, or show it where it stands.
ISA_INLINE void isa__read_nothing(void *more, struct kvo_frame *frame, struct isa__held *held)
{
    (void)more, (void)frame, (void)held;
}

ISA_INLINE bool isa__accessors_hold(const struct isa__value_accessors accessors, isa_id object)
{
    if (accessors.by_class) return true;
    return __builtin_expect(accessors.ways == isa__ways_load(), 1) &&
           __builtin_expect(isa__class_in(object) == accessors.cls, 1);
}

// Lets go of an object in the held bytes, if one is held.
ISA_INLINE void isa__held_drop_object(bool is_object, struct isa__held *held)
{
    if (!is_object || held->duty == ISA_HELD_NOTHING) return;
    held->duty = ISA_HELD_NOTHING; // first: what is released may be the user's, and leave
    isa_object_release(*(isa_id *)held->bytes);
}

// ---- frames -------------------------------------------------------------------------------------

// The frame of a thread's outermost set.
ISA_INLINE struct kvo_frame *isa__frame_outermost(struct isa__thread *thread)
{
    return (struct kvo_frame *)thread->first_frame;
}

// The contents of a frame between two uses.
ISA_INLINE void isa__frame_show_setting(struct kvo_frame *frame)
{
    frame->change = (kvo_change){.kind = KVO_CHANGE_SETTING,
                                 .old_value.address = frame->old_value.bytes,
                                 .new_value.address = frame->new_value.bytes};
}

// The same for what accessors have shown otherwise: a change of elements only if they do not show
// what is held.
ISA_INLINE void isa__frame_restore(struct kvo_frame *frame, bool shows_held)
{
    if (!shows_held) {
        frame->change.kind = KVO_CHANGE_SETTING;
        frame->change.indexes = NULL;
    }
    frame->change.old_value.address = frame->old_value.bytes;
    frame->change.new_value.address = frame->new_value.bytes;
}

// Makes a frame ready, as it was before its first use; it shows nothing yet.
ISA_INLINE void isa__frame_clear(struct kvo_frame *frame)
{
    frame->depth = 0;
    frame->elements = NULL;
    frame->status = ISA_OK;
    frame->returns_status = false;
    frame->is_deep = false;
    frame->old_value.duty = ISA_HELD_NOTHING;
    frame->new_value.duty = ISA_HELD_NOTHING;
}

// Opens the frame of a thread's outermost set, which is ready. The thread is in a reader section.
ISA_INLINE struct kvo_frame *isa__frame_open_first(struct isa__thread *thread, isa_id object,
                                                   struct isa__side *side,
                                                   const struct isa__key *key)
{
    struct kvo_frame *frame = isa__frame_outermost(thread);
    struct isa__open *open = &frame->open;
    thread->open = open;
    open->object = frame->object = object;
    open->key = frame->key = key;
    open->number = 0;
    frame->side = side;
    return frame;
}

// Makes a frame that has been open before, or is ready, the innermost; `number`: of its change, 0:
// it has none yet. The thread is in a reader section.
ISA_INLINE void isa__frame_reopen(struct kvo_frame *frame, struct isa__thread *thread,
                                  uint64_t number)
{
    struct isa__open *outer = thread->open, *open = thread->open = &frame->open;
    open->outer = outer;
    open->object = frame->object;
    open->key = frame->key;
    open->coming_count = 0;
    open->dirty = open->is_stored = false;
    frame->depth = thread->hazard_count;
    frame->is_deep = isa__is_deep(thread, frame->depth);
    if (outer != NULL) isa__open_number(outer);
    isa__open_note_set(outer, frame->object, frame->key);
    open->number = number != 0 ? number : ++thread->changes;
}

ISA_INLINE void isa__frame_close(struct kvo_frame *frame, struct isa__thread *thread)
{
    thread->open = frame->open.outer;
}

// Opens any other. The thread is in a reader section.
ISA_INLINE void isa__frame_open(struct kvo_frame *frame, struct isa__thread *thread, isa_id object,
                                struct isa__side *side, const struct isa__key *key)
{
    isa__frame_clear(frame);
    frame->object = object;
    frame->side = side;
    frame->key = key;
    isa__frame_reopen(frame, thread, 0);
}

// Attaches anew what was registered since the change was announced, and may be attached to what was
// there before it.
void isa__change_renew_latecomers(struct kvo_frame *frame);

ISA_INLINE bool isa__frame_may_have_latecomers(const struct kvo_frame *frame)
{
    return isa__affected_may_have_grown(&frame->affected, frame->seen,
                                        isa__observing_value(frame->side));
}

// Shows what all of a change's observers are shown.
ISA_INLINE void isa__frame_show(struct kvo_frame *frame, const char *types)
{
    frame->change.object = frame->object;
    frame->change.key_path = frame->key->text;
    frame->change.cause = frame->key->text;
    frame->change.old_value.types = types;
    frame->change.new_value.types = types;
}

// ---- notifying all ------------------------------------------------------------------------------

// Announces to each whom the change concerns: prior notifications, and what depends on the key. The
// old value is held as the class's accessors hold it.
void isa__announce_each(struct kvo_frame *frame);

// Notifies one registration because of one of its dependencies; `quick`: nothing is out of the
// ordinary.
void isa__notify_dependent(struct kvo_frame *frame, const void **slot, uint32_t at, bool quick);

// Notifies a registration of any kind, if it stands.
void isa__notify_apart(struct kvo_frame *frame, const struct isa__registration *registration);

// Notifies the first `count` of the affected registrations by the class's accessors, and ends the
// frame's element change. The frame is ready then, nothing held.
void isa__notify_rest(struct kvo_frame *frame, uint32_t count);

// The same for a change whose end is in the event log already.
void isa__notify_left(struct kvo_frame *frame, uint32_t count);

// Reports that a change of the frame's key begins or ends, which is the cause of what follows.
uint64_t isa__log_change(const struct kvo_frame *frame, isa_event_kind kind);

// The bits of a tag that decide how its registration is notified: registrations with the same bits
// are notified one like the other.
enum {
    ISA_VIEW = ISA_TAG_ENDED | ISA_TAG_FUNCTION | ISA_TAG_SHARED | ISA_TAG_BARE | ISA_OLD_AND_NEW,
    ISA_VIEW_PLAIN = ISA_TAG_ENDED | ISA_TAG_FUNCTION | ISA_TAG_SHARED,
};

// Whether registrations of that kind, which are no dependent ones, are notified one like the other.
ISA_INLINE bool isa__is_quick(const struct kvo_frame *frame, uint32_t kind)
{
    return kind == ISA_TAG_FUNCTION || (kind == (ISA_TAG_FUNCTION | ISA_TAG_SHARED) &&
                                        isa__observing_value(frame->side) == frame->seen);
}

// Notifies the first `count` registrations, the last one first, until a registration has another
// view, or its new value has to be read again. Answers how many are left.
uint32_t isa__notify_alike(struct kvo_frame *frame, const void **slot,
                           struct isa__registration *const *items, uint32_t count, uint32_t view);

// Notifies the affected registrations, the last one first. Answers how many are left where the
// accessors no longer serve, else 0. Before a registration that is not like the last notified one,
// the new value is read, if it is wanted and may have changed since it was read, and shown.
// Registrations that are no functions, depend on the key, or are shared and may be the object's no
// more, are notified apart.
ISA_INLINE uint32_t isa__notify_all(struct kvo_frame *frame,
                                    const struct isa__value_accessors accessors)
{
    struct isa__thread *thread = isa__current;
    const void **slot = isa__hazard_slot(thread, frame->depth);
    const bool quick = !accessors.is_logged &&
                       (!accessors.by_class ||
                        (isa__slow_path_reasons() == 0 && !frame->is_deep));
    uint32_t left = frame->affected.count;
    isa__check_end(slot, NULL);
    isa__hazard_count_set(thread, frame->depth + 1);
    while (left > 0) {
        struct isa__registration *const *items = frame->affected.items;
        const struct isa__dependency *const *dependencies = frame->affected.dependencies;
        if (ISA_UNLIKELY(dependencies != NULL) && dependencies[left - 1] != NULL) {
            accessors.show(accessors.more, frame, 0);
            isa__notify_dependent(frame, slot, --left, quick);
            continue;
        }
        const struct isa__registration *registration = isa__item_load(&items[left - 1]);
        uint32_t view = isa__registration_tag_load(registration) & ISA_VIEW;
        uint32_t kind = view & ISA_VIEW_PLAIN;
        if (kind != (ISA_TAG_FUNCTION | ISA_TAG_ENDED)) {
            if (view & KVO_OPTION_NEW && frame->open.dirty && !accessors.reads_once) {
                bool holds = isa__accessors_hold(accessors, frame->object);
                if (accessors.shows_made || ISA_UNLIKELY(!holds)) break;
                frame->open.dirty = false;
                accessors.read(accessors.more, frame, &frame->new_value);
            }
            accessors.show(accessors.more, frame, view);
        }
        if (quick && dependencies == NULL && isa__is_quick(frame, kind)) {
            left = isa__notify_alike(frame, slot, items, left, view);
            continue;
        }
        if (kind != (ISA_TAG_FUNCTION | ISA_TAG_ENDED)) isa__notify_apart(frame, registration);
        left--;
    }
    isa__hazard_count_set(thread, frame->depth);
    return left;
}

// ---- a change from will to did ------------------------------------------------------------------

// Changes, and notifies those in `frame->affected`. The frame is open, and is closed. The thread is
// in a reader section and stays in it.
ISA_INLINE void isa__change_and_notify(struct kvo_frame *frame, struct isa__thread *thread,
                                       const struct isa__value_accessors accessors)
{
    const uint32_t options = frame->affected.options;
    const bool has_old = (options & KVO_OPTION_OLD) != 0;
    const bool is_announced = options & KVO_OPTION_PRIOR || frame->affected.is_announced;
    uint64_t scope = 0;
    if (accessors.is_logged) scope = isa__log_change(frame, ISA_EVENT_WILL_CHANGE);
    if (has_old) accessors.read(accessors.more, frame, &frame->old_value);
    if (ISA_UNLIKELY(is_announced)) {
        accessors.leave(accessors.more, frame, has_old);
        isa__announce_each(frame);
    }
    if (accessors.is_logged) isa__event_end(scope);
    accessors.make(accessors.more, frame, is_announced);
    if (accessors.is_logged) scope = isa__log_change(frame, ISA_EVENT_DID_CHANGE);
    uint32_t left = frame->affected.count;
    if (__builtin_expect(isa__accessors_hold(accessors, frame->object), 1)) {
        isa__frame_show(frame, accessors.types);
        frame->open.dirty = !accessors.shows_made;
        left = isa__notify_all(frame, accessors);
    }
    if (ISA_UNLIKELY(left > 0)) {
        accessors.leave(accessors.more, frame, has_old);
        if (accessors.is_logged) isa__notify_left(frame, left);
        else isa__notify_rest(frame, left);
    }
    if (accessors.is_logged) isa__event_end(scope);
    if (ISA_UNLIKELY(isa__frame_may_have_latecomers(frame))) isa__change_renew_latecomers(frame);
    isa__frame_close(frame, thread);
    isa__frame_restore(frame, accessors.shows_held);
    isa__held_drop_object(accessors.is_object, &frame->old_value);
    isa__held_drop_object(accessors.is_object, &frame->new_value);
}

// Fills in whom the change concerns: `registration` alone.
void isa__frame_complete(struct kvo_frame *frame, struct isa__registration *registration);

// Ends the check of the registration, which is not as it was found, and notifies it if it is shared
// and still stands. The frame has what it is notified of.
void isa__notify_out_of_view(struct kvo_frame *frame, struct isa__registration *registration);

// The same for an outermost change, of which the word's only registration is notified: a function,
// of whose tag `tag` has the options and whether it is bare or shared. For it no equal one serves:
// whether it has ended, or a shared one was taken away, is all that counts. The frame is opened
// here, and the reader section ends.
ISA_INLINE void isa__change_and_notify_one(isa_id object, struct isa__side *side,
                                           const struct isa__key *key,
                                           struct isa__registration *registration, uint32_t tag,
                                           const struct isa__value_accessors accessors)
{
    struct isa__thread *thread = isa__current;
    struct kvo_frame *frame = isa__frame_open_first(thread, object, side, key);
    const bool has_old = (tag & KVO_OPTION_OLD) != 0;
    const bool is_shown = accessors.shows_held && (tag & ISA_OLD_AND_NEW) == ISA_OLD_AND_NEW;
    isa__frame_show(frame, accessors.types);
    frame->change.context = tag & ISA_TAG_BARE ? NULL : registration->rest[0].context;
    if (has_old) accessors.read(accessors.more, frame, &frame->old_value);
    accessors.make(accessors.more, frame, false);
    // Rare ways find the frame anew, so that no set has to keep its address for them.
    if (ISA_UNLIKELY(!isa__accessors_hold(accessors, object))) {
        struct kvo_frame *found = isa__frame_outermost(isa__current);
        isa__frame_complete(found, registration);
        accessors.leave(accessors.more, found, has_old);
        isa__notify_rest(found, 1);
    } else {
        if (tag & KVO_OPTION_NEW) accessors.read(accessors.more, frame, &frame->new_value);
        if (!is_shown) accessors.show(accessors.more, frame, tag);
        const void **slot = &thread->hazards[0];
        const struct isa__view view = {ISA_TAG_ENDED, 0, tag & ISA_TAG_SHARED ? side : NULL,
                                       (uintptr_t)registration};
        isa__hazard_count_set(thread, 1);
        if (ISA_UNLIKELY(!isa__notify(slot, registration, view, &frame->change, false)))
            isa__notify_out_of_view(isa__frame_outermost(isa__current), registration);
        isa__hazard_count_set(thread, 0);
        if (!is_shown) isa__frame_restore(frame, accessors.shows_held);
        isa__held_drop_object(accessors.is_object, &frame->old_value);
        isa__held_drop_object(accessors.is_object, &frame->new_value);
    }
    if (ISA_UNLIKELY(isa__observing_value(frame->side) != (uintptr_t)registration)) {
        struct kvo_frame *found = isa__frame_outermost(isa__current);
        isa__frame_complete(found, registration);
        isa__change_renew_latecomers(found);
    }
    thread->open = NULL;
    isa__reader_leave_last(thread);
    if (isa__reader_must_attend(thread)) isa__reader_attend(thread);
}

// ---- the class's accessors ----------------------------------------------------------------------

// Announces a change to the observers of `key`, reading the old value if one wants it; `elements`
// NULL: the value is set. It must last as long as the frame, and is ended by the caller. True if
// somebody is concerned: then the frame stands, in a reader section, until isa__change_did.
bool isa__change_will(struct kvo_frame *frame, isa_id object, struct isa__side *side,
                      const struct isa__key *key, struct isa__element_change *elements);

// Notifies the observers of the change, last registered first, and ends the frame.
void isa__change_did(struct kvo_frame *frame);

// The two halves of the above for a change whose announcement and end are calls of their own:
// `affected`, `old_value` and `seen` are the caller's, and no reader section has begun.
void isa__frame_begin(struct kvo_frame *frame, isa_id object, struct isa__side *side,
                      const struct isa__key *key);
void isa__frame_end(struct kvo_frame *frame);

// Reads the old value if an observer wants it, and sends the prior notifications. A value that
// cannot be read goes to the misuse handler and is absent.
void isa__frame_announce(struct kvo_frame *frame);

// Notifies `registration`, which has a chain, of `change` if it has not ended, or where
// `equal_serves` one equal to it stands.
void isa__notify_checked(const struct isa__registration *registration, const kvo_change *change,
                         bool equal_serves);

// Sends the initial notification of a registration that is being made.
//
// Errors: KVC_ERR_UNDEFINED_KEY and others of reading the value, if it is asked for.
isa_status isa__deliver_initial(isa_id object, struct isa__side *side,
                                struct isa__registration *registration);

void isa__deliver_start(void);

#endif
