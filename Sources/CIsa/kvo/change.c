// Manual changes.
//
// Owns:      each pending change, with its old value and a reference to each registration it
//            concerns.
// Lives:     from will to did, or to the object's deallocation: a will without did leaks nothing.
// Locks:     isa__lock_for(object) guards the list of pending changes.
// Invariant: a did ends the latest pending change of its key and thread; others stay, so pairs of
//            different keys may interleave.
#include "change.h"

#include <string.h>

#include "../base/event.h"
#include "../base/status.h"

struct pending {
    struct pending *next; // announced before this one
    uint64_t thread;
    const struct isa__key *key;
    uint32_t count;
    uint32_t options;
    struct isa__held old_value;
    struct isa__registration *items[];
};

static size_t pending_size(uint32_t count)
{
    return sizeof(struct pending) + count * sizeof(struct isa__registration *);
}

static struct pending *make_pending(const struct kvo_frame *frame)
{
    uint32_t count = frame->affected.count;
    struct pending *pending = isa__alloc(ISA_KIND_PENDING, pending_size(count));
    if (pending == NULL) return NULL;
    pending->thread = frame->thread->number;
    pending->key = frame->key;
    pending->count = count;
    pending->options = frame->affected.options;
    for (uint32_t i = 0; i < count; i++) {
        pending->items[i] = frame->affected.items[i];
        isa__registration_hold(pending->items[i]);
    }
    return pending;
}

static void free_pending(struct pending *pending)
{
    isa__held_drop(&pending->old_value);
    for (uint32_t i = 0; i < pending->count; i++) isa__registration_drop(pending->items[i]);
    isa__free(ISA_KIND_PENDING, pending, pending_size(pending->count));
}

// Makes room for the list, so that linking cannot fail once observers have been told.
static bool reserve_extras(struct isa__side *side)
{
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
    isa__frame_announce(frame);
    isa__held_move(&frame->old_value, &pending->old_value);
    link_pending(frame->side, pending);
    return ISA_OK;
}

isa_status isa__manual_will(isa_id object, const char *text)
{
    const struct isa__key *key = isa__key_find(text);
    struct isa__side *side = isa__side_find(object);
    if (key == NULL || side == NULL || isa__observing_load(side) == 0) return ISA_OK;
    struct kvo_frame frame;
    isa__frame_open(&frame, object, side, key);
    frame.seen = isa__observing_load(side);
    isa_status status = ISA_OK;
    if (isa__affected_find(frame.seen, key, &frame.affected)) status = announce(&frame);
    isa__frame_close(&frame);
    return status;
}

// Unlinks the latest pending change of `key` and this thread. `*elsewhere` tells whether another
// thread has one.
static struct pending *take_pending(struct isa__side *side, const struct isa__key *key,
                                    bool *elsewhere)
{
    uint64_t thread = isa__thread_get()->number;
    struct pending *found = NULL;
    *elsewhere = false;
    struct isa__lock *lock = isa__lock_for(side->object);
    isa__lock(lock);
    struct pending **link =
        side->extras == NULL ? &found : (struct pending **)&side->extras->pending;
    for (; *link != NULL; link = &(*link)->next) {
        if ((*link)->key != key) continue;
        if ((*link)->thread == thread) {
            found = *link;
            *link = found->next;
            break;
        }
        *elsewhere = true;
    }
    isa__unlock(lock);
    return found;
}

static void end_change(isa_id object, struct isa__side *side, struct pending *pending)
{
    struct kvo_frame frame;
    isa__frame_open(&frame, object, side, pending->key);
    frame.seen = 0; // the word of back then may have been freed and used again: compare one by one
    frame.affected = (struct isa__affected){
        .items = pending->items, .count = pending->count, .options = pending->options};
    isa__held_move(&pending->old_value, &frame.old_value);
    isa__change_did(&frame);
    free_pending(pending);
}

isa_status isa__manual_did(isa_id object, const char *text)
{
    const struct isa__key *key = isa__key_find(text);
    struct isa__side *side = isa__side_find(object);
    if (key == NULL || side == NULL) return ISA_OK;
    bool elsewhere;
    struct pending *pending = take_pending(side, key, &elsewhere);
    if (pending != NULL) end_change(object, side, pending);
    if (pending != NULL || !elsewhere) return ISA_OK;
    return isa__misuse(KVO_ERR_WRONG_THREAD, "NSInternalInconsistencyException",
                       "didChangeValueForKey:%.128s of <%s %p> came on another thread than its "
                       "willChangeValueForKey:", text,
                       isa_class_name(isa_object_get_class(object)->original), (void *)object);
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
