// The registry of one object: its registrations, and how they are changed.
#ifndef ISA_OBSERVING_REGISTRY_H
#define ISA_OBSERVING_REGISTRY_H

#include "../object/object.h"
#include "notifying_class.h"
#include "registration_list.h"

// Ends the registration if it stands, and gives up the token's reference.
void isa__registration_release_token(struct isa__registration *registration);

// Gives up the token's reference of a registration that has ended, unless that was done already: a
// callback may release a token while the call that made it fails.
void isa__registration_drop_token(struct isa__registration *registration);

// Puts a registration in, and takes out those whose observer has died: of many, where their list is
// made anew. `notifying`, if not NULL, is the class that the object's isa becomes unless a
// notifying class is on its chain already.
//
// A registration that ended meanwhile (inside its initial notification) is not put in but retired.
//
// Errors: ISA_ERR_NO_MEMORY, and nothing changed.
isa_status isa__registry_add(isa_id object, struct isa__registration *registration,
                             isa_class notifying);

// Gives the object the isa that goes with `word`, what is registered for it: `notifying`, or its
// original class for 0. The object's lock is held.
static inline void isa__registry_swap_isa_locked(isa_id object, uintptr_t word,
                                                 isa_class notifying)
{
    isa_class now = isa__class_in(object), to = now;
    // A class set by hand meanwhile, such as by an initial notification, is not undone.
    if (word != 0 && notifying != NULL && now == notifying->superclass) to = notifying;
    // GNUstep's portable engine leaves the isa where it is.
    if (word == 0 && isa__class_flags(now) & ISA_CLASS_NOTIFYING && !isa__class_is_gnustep(now))
        to = now->original;
    if (to != now) isa__object_swap_isa_locked(object, to);
}

// Whether no thread looks at what is registered: this one has the registry for itself, and changes
// another object; a change announced by hand has its own list. The object's lock is held.
bool isa__registry_is_unwatched_locked(const struct isa__side *side);

// Whether objects of the class keep the pointer to what is registered themselves.
bool isa__class_keeps_info(isa_class cls);

// Which registration to remove: the latest of `observer` for `key`, with exactly `*context` unless
// `context` is NULL.
struct isa__removal {
    isa_id observer;
    const struct isa__key *key; // the key path
    void *const *context;
    bool oldest; // instead of the latest
};

// Takes one registration out. Once this has returned none of its callbacks starts.
//
// Errors: KVO_ERR_NOT_REGISTERED, without setting the last error; ISA_ERR_NO_MEMORY. As
//         isa__links_check, and then it is out nevertheless.
isa_status isa__registry_remove(isa_id object, const struct isa__removal *removal);

// Ends a registration of a live object, or a function's wherever it stands. False if it had ended.
bool isa__registration_end(struct isa__registration *registration);

// Takes out all registrations of an object that is being deallocated.
void isa__registry_end(isa_id object);

// Takes out nothing but shows all: calls `visit` for each in registration order, with the lock
// held.
void isa__registry_visit(isa_id object, void (*visit)(struct isa__registration *, void *),
                         void *context);

// The opaque pointer to what is registered on an object, another one after each change; NULL if
// nothing is.
void *isa__registry_info(isa_id object);

// Gives the object the shared observers in `base`, NULL for none, in place of its former ones.
//
// Errors: ISA_ERR_NO_MEMORY, and nothing changed.
isa_status isa__registry_share(isa_id object, struct isa__registration_list *base,
                               isa_class notifying);

// Gives the object its isa of before a registration that failed: `before`, if nothing is registered
// and its notifying class is all that came on top.
void isa__registry_restore_isa(isa_id object, isa_class before);

// Ends all registrations of a live object, shared ones included.
void isa__registry_clear(isa_id object);

// ---- steady state -------------------------------------------------------------------------------

// Adding and ending in the steady state: a function for a plain key that objects of the class have
// been observed for before, on an object that nobody else observes. The long way has asked the
// class its questions already, and nothing has changed since.

// As kvo_observe, which goes the long way if this is not the steady state or memory is short.
isa_status isa__steady_observe(isa_id object, const char *key_path, uint32_t options,
                               const kvo_function *function, void *context, kvo_token *out);

// Takes a registration that has just ended, its tag having been `before`, out of its registry and
// retires it, with `release_token` its token too; false and nothing done if this is not the steady
// state.
bool isa__steady_end(struct isa__registration *registration, uint32_t before, bool release_token);

#endif
