// The steady state of adding and ending.
//
// Owns:      nothing.
// Locks:     isa__lock_for(object), as the registry.
// Invariant: these ways are taken only while all that the long way would ask of the class would be
//            answered as when it was asked, and where nobody wants to hear of it.
#include "steady.h"

#include "../base/status.h"
#include "../kvc/box.h"
#include "../object/refcount.h"
#include "kvo_start.h"
#include "path.h"

// What is known of a key that nothing affects, of a class that was observed for it; false if
// nothing is, or something is out of the ordinary.
ISA_INLINE bool recall_plain(const struct isa__observed *observed, const char *key_path,
                             struct isa__known_path *out)
{
    if (!isa__observed_is_usual(observed)) return false;
    const struct isa__key *key = isa__key_find(key_path);
    return key != NULL &&
           isa__fact_recall(observed->original, key, ISA_FACT_PATH, out, sizeof *out) &&
           out->notifying != NULL && out->path->is_plain;
}

// Whether nobody observes the object; then it has the registration, which nobody else knows yet.
ISA_INLINE bool put_in(isa_id object, struct isa__side *side,
                       struct isa__registration *registration, isa_class notifying)
{
    const struct isa__thread *thread = isa__thread_get();
    struct isa__lock *lock = isa__lock_object(object);
    bool empty = isa__observing_value(side) == 0;
    if (empty) {
        isa__presence_adding_locked(thread, &side->presence);
        registration->tag |= ISA_TAG_REGISTERED;
        __atomic_store_n(&side->observing, (uintptr_t)registration, __ATOMIC_RELEASE);
        isa__registry_swap_isa_locked(object, (uintptr_t)registration, notifying);
    }
    isa__unlock(lock);
    return empty;
}

// Whether the arguments are usual ones.
ISA_INLINE bool are_usual(isa_id object, const char *key_path, uint32_t options,
                          const kvo_function *function, const kvo_token *out)
{
    const uint32_t usual = KVO_OPTION_NEW | KVO_OPTION_OLD | KVO_OPTION_PRIOR;
    return object != NULL && key_path != NULL && out != NULL && function != NULL &&
           function->callback != NULL && !(options & ~usual) &&
           !isa__registration_times_are_recorded();
}

ISA_INLINE bool add(isa_id object, const char *key_path, uint32_t options,
                    const kvo_function *function, void *context, kvo_token *out)
{
    if (ISA_UNLIKELY(!are_usual(object, key_path, options, function, out))) return false;
    const struct isa__observed *observed =
        __atomic_load_n(&isa__class_in(object)->observing, __ATOMIC_ACQUIRE);
    struct isa__side *side = isa__side_find(object);
    if (observed == NULL || side == NULL || isa__object_is_deallocating(object)) return false;
    struct isa__known_path known;
    if (!recall_plain(observed, key_path, &known)) return false;
    struct isa__registration *made =
        isa__registration_make_plain(side, known.path->text, options, context, function);
    if (made == NULL) return false;
    // Once it is in, another thread's change may tell it, whose callback may end it by its token.
    *out = made;
    if (put_in(object, side, made, known.notifying) ||
        isa__registry_add(object, made, known.notifying) == ISA_OK)
        return true;
    isa__registration_discard(made);
    return false;
}

isa_status isa__steady_observe(isa_id object, const char *key_path, uint32_t options,
                               const kvo_function *function, void *context, kvo_token *out)
{
    if (__builtin_expect(add(object, key_path, options, function, context, out), 1)) return ISA_OK;
    return isa__kvo_observe(object, key_path, options, function, context, out);
}

// Whether the object's class is one that steady ends may be made of; under the object's lock, while
// its registry has something of it.
ISA_INLINE bool is_steady_locked(isa_id object)
{
    const struct isa__observed *observed =
        __atomic_load_n(&isa__class_in(object)->observing, __ATOMIC_ACQUIRE);
    return observed != NULL && isa__observed_is_usual(observed);
}

ISA_INLINE bool take_out(const struct isa__thread *thread, struct isa__side *side,
                         const struct isa__registration *registration, uint16_t *found)
{
    // It is touched only while its registry has us: see isa__registration_end.
    isa_id object = side->object;
    struct isa__lock *lock = isa__lock_object(object);
    bool alone = isa__observing_value(side) == (uintptr_t)registration &&
                 is_steady_locked(object);
    if (alone) {
        __atomic_store_n(&side->observing, 0, __ATOMIC_RELEASE);
        isa__registry_swap_isa_locked(object, 0, NULL);
        *found = isa__presence_removing_locked(thread, &side->presence);
    }
    isa__unlock(lock);
    return alone;
}

// Lets go of it, not necessarily now, and gives up its token's reference.
ISA_OUTLINE void let_go(struct isa__registration *registration, bool release_token, bool alone)
{
    uint32_t released = release_token ? ISA_TAG_RELEASED : 0;
    isa__registration_tag_set(registration, ISA_TAG_WAITED | released);
    isa__let_go((struct isa__retired *)registration, alone);
    if (release_token) isa__registration_drop(registration);
}

bool isa__steady_end(struct isa__registration *registration, uint32_t before, bool release_token)
{
    const uint32_t relevant =
        ISA_TAG_FUNCTION | ISA_TAG_REGISTERED | ISA_TAG_CHAINED | ISA_TAG_SHARED;
    if ((before & relevant) != (ISA_TAG_FUNCTION | ISA_TAG_REGISTERED)) return false;
    struct isa__side *side = registration->side;
    struct isa__thread *thread = isa__thread_get();
    uint16_t found;
    if (!take_out(thread, side, registration, &found)) return false;
    bool alone = isa__presence_await(thread, &side->presence, side->object, found);
    isa__side_drop(side);
    if (ISA_UNLIKELY(!alone || thread->mark_epoch != 0)) {
        let_go(registration, release_token, alone);
        return true;
    }
    isa__registration_release_info(registration);
    isa__registration_drop_many(registration, release_token ? 2 : 1);
    return true;
}
