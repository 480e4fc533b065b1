// Manual changes.
//
// Owns:      each pending change, with its old value and a reference to each registration it
//            concerns.
// Lives:     from will to did, or to the object's deallocation: a will without did leaks nothing.
//            A thread's first at a time stands in the thread's record, so that the usual pair
//            allocates nothing; records outlive their threads, and whoever ends the change, on
//            whatever thread, gives the place back.
// Locks:     isa__lock_for(object) guards the list of pending changes.
// Invariant: a did ends the latest pending change of its key and thread; others stay, so pairs of
//            different keys may interleave.
#include "change.h"

#include "../base/event.h"
#include "../base/status.h"
#include "to_many.h"

struct pending {
    struct pending *next; // announced before this one
    struct isa__thread *place; // the thread in whose record it stands; NULL: a block of its own
    uintptr_t seen; // the observing word when it was announced, if it cannot come to mean another
                    // registration before the change ends; else 0
    uint64_t thread;
    uint64_t number; // the change's, for what depends on it
    const struct isa__key *key;
    uint32_t count;
    uint32_t options;
    uint32_t depth; // changes announced within it that are part of it, under GNUstep's profile
    bool is_shaped;
    bool is_related;
    struct isa__change_shape shape; // its indexes are `indexes`; its objects good during will only
    kvc_index_set indexes;
    struct isa__held old_value;
    struct isa__held new_value; // of an unordered change
    struct isa__registration *items[]; // and behind them the trigger of each
};

static size_t pending_size(uint32_t count)
{
    return sizeof(struct pending) + 2 * count * sizeof(void *);
}

static_assert(sizeof(struct pending) + 4 * 2 * sizeof(void *) <= ISA_SPARE_CHANGE_SIZE,
              "a thread's record holds a change that concerns a few");

static const struct isa__trigger **triggers_of(struct pending *pending)
{
    return (const struct isa__trigger **)(pending->items + pending->count);
}

static struct pending *allocate_pending(uint32_t count)
{
    struct isa__thread *thread = isa__thread_get();
    uint32_t used = __atomic_load_n(&thread->spare_change_used, __ATOMIC_ACQUIRE);
    if (used || pending_size(count) > ISA_SPARE_CHANGE_SIZE) {
        struct pending *made = isa__alloc(ISA_KIND_PENDING, pending_size(count));
        if (made != NULL) made->place = NULL;
        return made;
    }
    // Nobody else sets it, and whoever has cleared it is done with the place.
    __atomic_store_n(&thread->spare_change_used, 1, __ATOMIC_RELAXED);
    isa__count(ISA_KIND_PENDING, 1);
    struct pending *made = (struct pending *)thread->spare_change;
    made->place = thread;
    return made;
}

static void dispose_pending(struct pending *pending)
{
    if (pending->place == NULL) {
        isa__free(ISA_KIND_PENDING, pending, pending_size(pending->count));
        return;
    }
    isa__count(ISA_KIND_PENDING, -1);
    __atomic_store_n(&pending->place->spare_change_used, 0, __ATOMIC_RELEASE);
}

static void free_pending(struct pending *pending)
{
    isa__held_drop(&pending->old_value);
    isa__held_drop(&pending->new_value);
    for (uint32_t i = 0; i < pending->count; i++) isa__registration_drop(pending->items[i]);
    if (pending->is_shaped) {
        isa__shape_end(&pending->shape);
        kvc_index_set_destroy(&pending->indexes);
    }
    dispose_pending(pending);
}

static isa_status copy_shape(const struct isa__change_shape *shape, struct pending *pending)
{
    pending->is_shaped = shape != NULL;
    if (shape == NULL) return ISA_OK;
    pending->shape = *shape;
    pending->indexes = (kvc_index_set){0};
    if (shape->indexes == NULL) return ISA_OK;
    pending->shape.indexes = &pending->indexes;
    return kvc_index_set_copy(shape->indexes, &pending->indexes);
}

static struct pending *make_pending(const struct kvo_frame *frame)
{
    uint32_t count = frame->affected.count;
    struct pending *pending = allocate_pending(count);
    if (pending == NULL) return NULL;
    pending->thread = isa__current->number;
    pending->number = frame->number;
    pending->key = frame->key;
    pending->options = frame->affected.options;
    pending->depth = 0;
    pending->is_related = frame->affected.triggers != NULL;
    // The reference keeps the one registration's address from being used again; a snapshot's may.
    pending->seen = (uintptr_t)isa__word_single(frame->seen);
    isa__held_clear(&pending->old_value);
    isa__held_clear(&pending->new_value);
    pending->count = count;
    for (uint32_t i = 0; i < count; i++) {
        pending->items[i] = isa__item_load(&frame->affected.items[i]);
        isa__registration_hold(pending->items[i]);
        if (pending->is_related) triggers_of(pending)[i] = frame->affected.triggers[i];
    }
    if (copy_shape(frame->shape, pending) == ISA_OK) return pending;
    free_pending(pending);
    return NULL;
}

// Makes room for the list, so that linking cannot fail once observers have been told.
static bool reserve_extras(struct isa__side *side)
{
    if (__atomic_load_n(&side->extras, __ATOMIC_ACQUIRE) != NULL) return true; // they stay
    struct isa__lock *lock = isa__lock_for(side->object);
    isa__lock(lock);
    bool done = isa__side_extras_locked(side) != NULL;
    isa__unlock(lock);
    return done;
}

static void link_pending(struct isa__side *side, struct pending *pending)
{
    struct isa__lock *lock = isa__lock_for(side->object);
    isa__lock(lock);
    pending->next = side->extras->pending;
    side->extras->pending = pending;
    isa__unlock(lock);
}

static isa_status announce(struct kvo_frame *frame)
{
    struct pending *pending = reserve_extras(frame->side) ? make_pending(frame) : NULL;
    if (pending == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to announce a change of %.128s",
                         frame->key->text);
    if (pending->is_shaped) frame->shape = &pending->shape;
    isa__frame_announce(frame);
    isa__held_move(&frame->old_value, &pending->old_value);
    if (pending->is_shaped) {
        isa__held_move(&frame->new_value, &pending->new_value);
        pending->shape.objects = NULL;
    }
    link_pending(frame->side, pending);
    return ISA_OK;
}

// The latest pending change of `key` and this thread, or NULL. Object's lock held.
static struct pending **find_pending_locked(struct isa__side *side, const struct isa__key *key,
                                            bool *elsewhere)
{
    uint64_t thread = isa__thread_get()->number;
    if (side->extras == NULL) return NULL;
    struct pending **link = (struct pending **)&side->extras->pending;
    for (; *link != NULL; link = &(*link)->next) {
        if ((*link)->key != key) continue;
        if ((*link)->thread == thread) return link;
        *elsewhere = true;
    }
    return NULL;
}

bool isa__manual_is_pending(struct isa__side *side, const struct isa__key *key)
{
    bool elsewhere;
    struct isa__lock *lock = isa__lock_for(side->object);
    isa__lock(lock);
    bool found = find_pending_locked(side, key, &elsewhere) != NULL;
    isa__unlock(lock);
    return found;
}

bool isa__manual_is_announced(struct isa__side *side, const struct isa__key *key)
{
    bool elsewhere = false;
    struct isa__lock *lock = isa__lock_for(side->object);
    isa__lock(lock);
    bool found = find_pending_locked(side, key, &elsewhere) != NULL;
    isa__unlock(lock);
    return found || elsewhere;
}

// Under GNUstep's profile a change announced within one of the same key is part of that.
static bool nest(struct isa__side *side, const struct isa__key *key)
{
    bool elsewhere;
    if (!isa__class_is_gnustep(isa_object_get_class(side->object))) return false;
    struct isa__lock *lock = isa__lock_for(side->object);
    isa__lock(lock);
    struct pending **link = find_pending_locked(side, key, &elsewhere);
    if (link != NULL) (*link)->depth++;
    isa__unlock(lock);
    return link != NULL;
}

isa_status isa__manual_will(isa_id object, const char *text, struct isa__change_shape *shape)
{
    struct isa__side *side = isa__side_find(object);
    if (!isa__may_tell(object, side)) return ISA_OK;
    const struct isa__key *key = isa__key_find(text);
    if (key == NULL || nest(side, key)) return ISA_OK;
    struct kvo_frame frame;
    isa__frame_begin(&frame, object, side, key);
    frame.shape = shape;
    frame.seen = isa__enter(isa__current, side);
    isa_status status = ISA_OK;
    if (isa__affected_find(frame.seen, key, &frame.affected)) status = announce(&frame);
    isa__frame_end(&frame);
    return status;
}

// Unlinks the latest pending change of `key` and this thread; NULL if there is none, or if this
// only ends a part of it. `*elsewhere` tells whether another thread has one.
static struct pending *take_pending(struct isa__side *side, const struct isa__key *key,
                                    bool *elsewhere)
{
    struct pending *found = NULL;
    *elsewhere = false;
    struct isa__lock *lock = isa__lock_for(side->object);
    isa__lock(lock);
    struct pending **link = find_pending_locked(side, key, elsewhere);
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

static isa_status end_change(isa_id object, struct isa__side *side, struct pending *pending)
{
    struct kvo_frame frame;
    isa__frame_begin(&frame, object, side, pending->key);
    isa__enter(isa__current, side); // those that were announced to are not found by the word
    frame.seen = pending->seen; // 0: compare one by one
    frame.number = pending->number;
    frame.affected = (struct isa__affected){
        .items = pending->items, .count = pending->count, .options = pending->options};
    frame.affected.is_announced = pending->is_related;
    if (pending->is_related) frame.affected.triggers = triggers_of(pending);
    if (pending->is_shaped) frame.shape = &pending->shape;
    frame.tells_status = pending->is_shaped;
    isa__held_move(&pending->old_value, &frame.old_value);
    if (pending->is_shaped) isa__held_move(&pending->new_value, &frame.new_value);
    isa__change_did(&frame);
    free_pending(pending);
    return frame.status;
}

isa_status isa__manual_did(isa_id object, const char *text)
{
    struct isa__side *side = isa__side_find(object);
    // Once there are extras they stay; without, nothing has been announced.
    if (side == NULL || __atomic_load_n(&side->extras, __ATOMIC_ACQUIRE) == NULL) return ISA_OK;
    const struct isa__key *key = isa__key_find(text);
    if (key == NULL) return ISA_OK;
    bool elsewhere;
    struct pending *pending = take_pending(side, key, &elsewhere);
    if (pending != NULL) {
        bool shaped = pending->is_shaped;
        isa_status status = end_change(object, side, pending);
        return shaped ? status : ISA_OK;
    }
    if (!elsewhere) return ISA_OK;
    return isa__misuse(KVO_ERR_WRONG_THREAD, "NSInternalInconsistencyException",
                       "didChangeValueForKey:%.128s of <%s %p> came on another thread than its "
                       "willChangeValueForKey:", text,
                       isa_class_name(isa_object_get_class(object)->original), (void *)object);
}

// The latest pending change of `key`, whoever announced it. Object's lock held.
static struct pending *find_any_locked(struct isa__side *side, const struct isa__key *key)
{
    struct pending *pending = side->extras == NULL ? NULL : side->extras->pending;
    while (pending != NULL && pending->key != key) pending = pending->next;
    return pending;
}

bool kvo_claim_change(isa_id object, const char *text)
{
    const struct isa__key *key = text == NULL ? NULL : isa__key_find(text);
    struct isa__side *side = object == NULL ? NULL : isa__side_find(object);
    if (key == NULL || side == NULL) return false;
    bool elsewhere = false;
    struct isa__lock *lock = isa__lock_for(object);
    isa__lock(lock);
    bool found = find_pending_locked(side, key, &elsewhere) != NULL;
    struct pending *pending = found ? NULL : find_any_locked(side, key);
    if (pending != NULL) pending->thread = isa__thread_get()->number;
    isa__unlock(lock);
    return found || pending != NULL;
}

void isa__manual_end(isa_id object)
{
    struct isa__side *side = isa__side_find(object);
    if (side == NULL || side->extras == NULL) return;
    struct isa__lock *lock = isa__lock_for(object);
    isa__lock(lock);
    struct pending *pending = side->extras->pending;
    side->extras->pending = NULL;
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
    struct isa__lock *lock = isa__lock_for(object);
    isa__lock(lock);
    struct pending *pending = side->extras == NULL ? NULL : side->extras->pending;
    for (; pending != NULL; pending = pending->next, count++)
        if (count < capacity)
            infos[count] = (kvo_pending_info){
                .key = pending->key->text,
                .kind = pending->is_shaped ? pending->shape.kind : KVO_CHANGE_SETTING,
                .thread = pending->thread};
    isa__unlock(lock);
    return count;
}
