// Manual changes: a program announces a change by one call and ends it by another. The object keeps
// the change between the two calls.
//
// Owns:      each pending change, with its old value and a reference to each registration that it
//            concerns.
// Lives:     from will to did, or to the object's deallocation: a will without did leaks nothing. A
//            thread's first pending change stands in the thread's record, so the usual pair
//            allocates nothing. Records outlive their threads: the thread that ends the change,
//            which may be another one, gives the place back.
// Locks:     isa__lock_for(object) guards the list of pending changes.
// Invariant: a did ends the latest pending change of its key and thread; others stay, so pairs of
//            different keys may interleave.
#include "change.h"

#include "../base/event.h"
#include "../base/status.h"

struct pending {
    struct pending *next; // announced before this one
    struct isa__thread *place; // the thread in whose record it stands; NULL: a block of its own
    uint64_t thread;
    uint64_t number; // of the change, see struct isa__open
    uint32_t depth; // changes announced within it, as its parts, under GNUstep's profile
    bool is_of_elements;
    struct kvo_frame frame; // closed between will and did
    struct isa__element_change elements; // indexes: `indexes`; objects: good during will only
    kvc_index_set indexes;
    struct isa__registration *items[]; // and behind them the dependency of each
};

static size_t pending_size(uint32_t count)
{
    return sizeof(struct pending) + 2 * count * sizeof(void *);
}

static_assert(sizeof(struct pending) + 4 * 2 * sizeof(void *) <= ISA_SPARE_CHANGE_SIZE,
              "a thread's record holds a change that concerns a few");

static struct pending *allocate_pending(uint32_t count)
{
    struct isa__thread *thread = isa__current;
    uint32_t used = __atomic_load_n(&thread->spare_change_used, __ATOMIC_ACQUIRE);
    if (used || pending_size(count) > ISA_SPARE_CHANGE_SIZE) {
        struct pending *made = isa__alloc(ISA_KIND_PENDING, pending_size(count));
        if (made != NULL) made->place = NULL;
        return made;
    }
    // No other thread sets it, and the thread that has cleared it is done with the place.
    __atomic_store_n(&thread->spare_change_used, 1, __ATOMIC_RELAXED);
    struct pending *made = (struct pending *)thread->spare_change;
    made->place = thread;
    return made;
}

static void dispose_pending(struct pending *pending)
{
    if (pending->place == NULL) {
        isa__free(ISA_KIND_PENDING, pending, pending_size(pending->frame.affected.count));
        return;
    }
    __atomic_store_n(&pending->place->spare_change_used, 0, __ATOMIC_RELEASE);
}

static void free_pending(struct pending *pending)
{
    uint32_t count = pending->frame.affected.count;
    isa__held_drop(&pending->frame.old_value);
    isa__held_drop(&pending->frame.new_value);
    for (uint32_t i = 0; i < count; i++) isa__registration_drop(pending->items[i]);
    if (pending->is_of_elements) {
        isa__element_change_end(&pending->elements);
        kvc_index_set_destroy(&pending->indexes);
    }
    dispose_pending(pending);
}

static isa_status copy_elements(const struct isa__element_change *elements, struct pending *pending)
{
    pending->is_of_elements = elements != NULL;
    if (elements == NULL) return ISA_OK;
    pending->elements = *elements;
    pending->indexes = (kvc_index_set){0};
    if (elements->indexes == NULL) return ISA_OK;
    pending->elements.indexes = &pending->indexes;
    return kvc_index_set_copy(elements->indexes, &pending->indexes);
}

// Copies whom the change concerns, with a reference to each.
static void copy_affected(const struct isa__affected *affected, struct pending *pending)
{
    uint32_t count = affected->count;
    const struct isa__dependency **dependencies =
        (const struct isa__dependency **)(pending->items + count);
    struct isa__affected *copy = &pending->frame.affected;
    *copy = (struct isa__affected){.items = pending->items,
                                   .count = count,
                                   .options = affected->options,
                                   .is_announced = affected->is_announced};
    copy->used = &copy->count;
    if (affected->dependencies != NULL) copy->dependencies = dependencies;
    for (uint32_t i = 0; i < count; i++) {
        pending->items[i] = isa__item_load(&affected->items[i]);
        isa__registration_hold(pending->items[i]);
        if (affected->dependencies != NULL) dependencies[i] = affected->dependencies[i];
    }
}

// Makes room for the list, so that linking cannot fail once observers have been notified.
static bool reserve_extension(struct isa__side *side)
{
    if (__atomic_load_n(&side->extension, __ATOMIC_ACQUIRE) != NULL) return true; // they stay
    struct isa__lock *lock = isa__lock_object(side->object);
    bool done = isa__side_extension_locked(side) != NULL;
    isa__unlock(lock);
    return done;
}

static void link_pending(struct isa__side *side, struct pending *pending)
{
    struct isa__lock *lock = isa__lock_object(side->object);
    pending->next = side->extension->pending;
    side->extension->pending = pending;
    isa__unlock(lock);
}

static struct pending *make_pending(struct isa__side *side, const struct isa__affected *affected,
                                    const struct isa__element_change *elements)
{
    struct pending *pending = reserve_extension(side) ? allocate_pending(affected->count) : NULL;
    if (pending == NULL) return NULL;
    pending->thread = isa__current->number;
    pending->depth = 0;
    pending->frame.old_value.duty = pending->frame.new_value.duty = ISA_HELD_NOTHING;
    copy_affected(affected, pending);
    if (copy_elements(elements, pending) == ISA_OK) return pending;
    free_pending(pending);
    return NULL;
}

// Announces a change whose object's word is `seen`. The thread is in a reader section.
static isa_status manual_announce(isa_id object, struct isa__side *side, const struct isa__key *key,
                                  const struct isa__element_change *elements, uintptr_t seen)
{
    struct isa__affected affected;
    if (!isa__affected_find(seen, key, &affected)) return ISA_OK;
    struct pending *pending = make_pending(side, &affected, elements);
    if (pending == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to announce a change of %.128s",
                         key->text);
    struct kvo_frame *frame = &pending->frame;
    isa__frame_open(frame, isa__current, object, side, key);
    pending->number = frame->open.number;
    frame->old_value.value = frame->new_value.value = (kvc_value){NULL, NULL};
    frame->seen = seen;
    if (pending->is_of_elements) frame->elements = &pending->elements;
    isa__frame_announce(frame);
    isa__frame_close(frame, isa__current);
    pending->elements.objects = NULL;
    link_pending(side, pending);
    return ISA_OK;
}

// The latest pending change of `key` and this thread, or NULL. Object's lock held.
static struct pending **find_pending_locked(struct isa__side *side, const struct isa__key *key,
                                            bool *elsewhere)
{
    uint64_t thread = isa__thread_get()->number;
    if (side->extension == NULL) return NULL;
    struct pending **link = (struct pending **)&side->extension->pending;
    for (; *link != NULL; link = &(*link)->next) {
        if ((*link)->frame.key != key) continue;
        if ((*link)->thread == thread) return link;
        *elsewhere = true;
    }
    return NULL;
}

bool isa__manual_is_pending(struct isa__side *side, const struct isa__key *key)
{
    bool elsewhere;
    struct isa__lock *lock = isa__lock_object(side->object);
    bool found = find_pending_locked(side, key, &elsewhere) != NULL;
    isa__unlock(lock);
    return found;
}

bool isa__manual_is_announced(struct isa__side *side, const struct isa__key *key)
{
    bool elsewhere = false;
    struct isa__lock *lock = isa__lock_object(side->object);
    bool found = find_pending_locked(side, key, &elsewhere) != NULL;
    isa__unlock(lock);
    return found || elsewhere;
}

// Under GNUstep's profile a change announced within one of the same key is part of that.
static bool nest(struct isa__side *side, const struct isa__key *key)
{
    bool elsewhere;
    if (!isa__class_is_gnustep(isa__class_in(side->object))) return false;
    struct isa__lock *lock = isa__lock_object(side->object);
    struct pending **link = find_pending_locked(side, key, &elsewhere);
    if (link != NULL) (*link)->depth++;
    isa__unlock(lock);
    return link != NULL;
}

// The key of that text, NULL if it never was interned: mostly that of the only registration. The
// thread is in a reader section.
static const struct isa__key *key_seen(uintptr_t word, const char *text)
{
    const struct isa__registration *single = isa__word_single(word);
    if (single != NULL && strcmp(single->key->text, text) == 0) return single->key;
    return isa__key_find(text);
}

isa_status isa__manual_will(isa_id object, const char *text, struct isa__element_change *elements)
{
    struct isa__side *side = isa__side_find(object);
    if (!isa__may_notify(object, side)) return ISA_OK;
    struct isa__thread *thread = isa__reader_enter();
    uintptr_t seen = isa__enter(thread, side);
    const struct isa__key *key = key_seen(seen, text);
    isa_status status = ISA_OK;
    if (key != NULL && !nest(side, key)) {
        isa__open_note_set(thread->open, object, key);
        status = manual_announce(object, side, key, elements, seen);
    }
    isa__reader_leave(thread);
    return status;
}

// The key of that text: mostly that of the latest pending change. Object's lock held.
static const struct isa__key *key_pending_locked(const struct isa__side *side, const char *text)
{
    const struct pending *pending = side->extension->pending;
    if (pending != NULL && strcmp(pending->frame.key->text, text) == 0) return pending->frame.key;
    return isa__key_find(text);
}

// Unlinks the latest pending change of the key and this thread; NULL if there is none, or if this
// only ends a part of the change. `*elsewhere` says whether another thread has one.
static struct pending *take_pending(struct isa__side *side, const char *text, bool *elsewhere)
{
    struct pending *found = NULL;
    *elsewhere = false;
    struct isa__lock *lock = isa__lock_object(side->object);
    struct pending **link = find_pending_locked(side, key_pending_locked(side, text), elsewhere);
    if (link != NULL) *elsewhere = false;
    if (link != NULL && (*link)->depth > 0) {
        (*link)->depth--;
    } else if (link != NULL) {
        found = *link;
        *link = found->next;
    }
    isa__unlock(lock);
    return found;
}

// Ends a change that has been taken out, and leaves the reader section.
static isa_status end_change(struct isa__thread *thread, struct pending *pending)
{
    struct kvo_frame *frame = &pending->frame;
    isa__enter(thread, frame->side); // the section of the announcement has ended
    isa__frame_reopen(frame, thread, pending->number);
    // The reference keeps a single registration's address from being used again; a list's may:
    // compare one by one.
    if (isa__word_single(frame->seen) == NULL) frame->seen = ISA_WORD_INCOMPARABLE;
    frame->affected.is_announced = frame->affected.dependencies != NULL;
    frame->status = ISA_OK;
    frame->returns_status = pending->is_of_elements;
    isa__change_did(frame);
    isa_status status = pending->is_of_elements ? frame->status : ISA_OK;
    free_pending(pending);
    return status;
}

isa_status isa__manual_did(isa_id object, const char *text)
{
    struct isa__side *side = isa__side_find(object);
    // Once there is an extension it stays; without, nothing has been announced.
    if (side == NULL || __atomic_load_n(&side->extension, __ATOMIC_ACQUIRE) == NULL) return ISA_OK;
    bool elsewhere;
    struct isa__thread *thread = isa__reader_enter();
    struct pending *pending = take_pending(side, text, &elsewhere);
    if (pending != NULL) return end_change(thread, pending);
    isa__reader_leave(thread);
    if (!elsewhere) return ISA_OK;
    return isa__misuse(KVO_ERR_WRONG_THREAD, "NSInternalInconsistencyException",
                       "didChangeValueForKey:%.128s of <%s %p> came on another thread than its "
                       "willChangeValueForKey:", text,
                       isa_class_name(isa_object_get_class(object)->original), (void *)object);
}

// The latest pending change of `key`, announced by any thread. Object's lock held.
static struct pending *find_any_locked(struct isa__side *side, const struct isa__key *key)
{
    struct pending *pending = side->extension == NULL ? NULL : side->extension->pending;
    while (pending != NULL && pending->frame.key != key) pending = pending->next;
    return pending;
}

bool kvo_claim_change(isa_id object, const char *text)
{
    const struct isa__key *key = text == NULL ? NULL : isa__key_find(text);
    struct isa__side *side = object == NULL ? NULL : isa__side_find(object);
    if (key == NULL || side == NULL) return false;
    bool elsewhere = false;
    struct isa__lock *lock = isa__lock_object(object);
    bool found = find_pending_locked(side, key, &elsewhere) != NULL;
    struct pending *pending = found ? NULL : find_any_locked(side, key);
    if (pending != NULL) pending->thread = isa__thread_get()->number;
    isa__unlock(lock);
    return found || pending != NULL;
}

void isa__manual_end(isa_id object)
{
    struct isa__side *side = isa__side_find(object);
    if (side == NULL || side->extension == NULL) return;
    struct isa__lock *lock = isa__lock_object(object);
    struct pending *pending = side->extension->pending;
    side->extension->pending = NULL;
    isa__unlock(lock);
    while (pending != NULL) {
        struct pending *next = pending->next;
        free_pending(pending);
        pending = next;
    }
}

size_t isa__manual_copy(isa_id object, kvo_pending_info *infos, size_t capacity)
{
    struct isa__side *side = isa__side_find(object);
    size_t count = 0;
    if (side == NULL) return 0;
    struct isa__lock *lock = isa__lock_object(object);
    struct pending *pending = side->extension == NULL ? NULL : side->extension->pending;
    for (; pending != NULL; pending = pending->next, count++)
        if (count < capacity)
            infos[count] = (kvo_pending_info){
                .key = pending->frame.key->text,
                .kind = pending->is_of_elements ? pending->elements.kind : KVO_CHANGE_SETTING,
                .thread = pending->thread};
    isa__unlock(lock);
    return count;
}
