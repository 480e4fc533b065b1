// Objects: allocate, retain and release, weak references, associated objects, isa swap, messages.
//
// NULL: as at the top of isa_types.h.
#ifndef ISA_OBJECT_H
#define ISA_OBJECT_H

#include "isa_class.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- life ---------------------------------------------------------------------------------------

// Allocates an instance with all ivars zero and a reference count of 1.
//
// Errors: ISA_ERR_NOT_REGISTERED; ISA_ERR_INVALID_ARGUMENT for a metaclass or a class with memory
//         hooks (whose owner allocates); ISA_ERR_NO_MEMORY.
ISA_TRY isa_status isa_object_allocate(isa_class cls, isa_id *out);

// Adds a reference and returns `object`; NULL is passed through. Immortal objects are not counted.
ISA_API isa_id isa_object_retain(isa_id object);

// Gives up a reference. The last one deallocates, on this thread: `dealloc` of each class that
// declares it, from the most derived to the root, none of which calls super or frees; then leftover
// registrations, weak references, associated objects, owned ivars, and the memory.
//
// Misuse: keeping a reference taken during the deallocation, and releasing more often than retained
//         during it, stops the process with a sentence. A release once the memory is gone is not
//         noticed: it is as any use of freed memory, which the address sanitizer and valgrind find.
ISA_API void isa_object_release(isa_id object);

// Adds a reference unless the object is being deallocated; the caller must know that its memory
// is still there, as inside `dealloc` or under a weak reference.
ISA_API bool isa_object_try_retain(isa_id object);

// The count at this moment: for lessons and tests. SIZE_MAX for an immortal object.
ISA_API size_t isa_object_retain_count(isa_id object);

// ---- class --------------------------------------------------------------------------------------

// The object's true class: that of its isa, a notifying class included. Sending `class` answers
// what the object claims to be.
ISA_API isa_class isa_object_get_class(isa_id object);

// Swaps the isa. An observed object goes to the notifying class of `cls` instead, so that its
// observers are told as before, unless there is a notifying class above `cls`. The observers keep
// the dependencies of their keys as they were when they registered. A notifying class set by hand
// on an object that nobody observes counts as the class that it notifies for. `*old`, if asked for,
// is the class before.
//
// Errors: ISA_ERR_LAYOUT if instances of the two classes differ in size or owned ivars;
//         ISA_ERR_NOT_REGISTERED; ISA_ERR_INVALID_ARGUMENT for a metaclass or a class object; as
//         kvo_observe for a key that is observed. The isa stays then.
// Source: object_setClass, Objective-C Runtime reference.
ISA_TRY isa_status isa_object_set_class(isa_id object, isa_class cls, isa_class *old);

// Whether the object's class, or one of its superclasses, is `cls`.
ISA_API bool isa_object_is_kind_of(isa_id object, isa_class cls);

// Whether the object answers to `sel`.
ISA_API bool isa_object_responds_to(isa_id object, isa_sel sel);

// Where the object stores `ivar`. A weak ivar's storage is a struct isa_weak.
//
// Threads: the bytes are the caller's to synchronise. Writing them does not notify.
ISA_API void *isa_object_ivar_address(isa_id object, isa_ivar ivar);

// ---- messages -----------------------------------------------------------------------------------

// The answer of an object without a method for `sel`: the IMP that the unrecognised-selector hook
// gives, else the process stops with a sentence naming class and selector.
ISA_API isa_imp isa_lookup_unrecognized(isa_id object, isa_sel sel);

// The code with which `object` answers `sel` at this moment. Neither may be NULL. Constant time at
// any depth of inheritance; takes no lock.
static inline isa_imp isa_lookup(isa_id object, isa_sel sel)
{
    const struct isa_dispatch_class *cls =
        (const struct isa_dispatch_class *)isa_header_isa((const struct isa_header *)object);
    const struct isa_dispatch_selector *s = (const struct isa_dispatch_selector *)sel;
    const char *pages = (const char *)__atomic_load_n(&cls->pages, __ATOMIC_ACQUIRE);
    const char *page =
        (const char *)__atomic_load_n((isa_imp *const *)(pages + s->page_offset), __ATOMIC_ACQUIRE);
    isa_imp imp = __atomic_load_n((const isa_imp *)(page + s->slot_offset), __ATOMIC_ACQUIRE);
    if (ISA_UNLIKELY(imp == NULL)) return isa_lookup_unrecognized(object, sel);
    return imp;
}

// Sends a message: ISA_SEND(void (*)(isa_id, isa_sel, int64_t), person, set_age, 40).
//
// The type must be the method's true one. `object` is evaluated twice.
#define ISA_SEND(type, object, ...) \
    ((type)isa_lookup((object), ISA_FIRST_ARGUMENT(__VA_ARGS__, 0)))((object), __VA_ARGS__)
#define ISA_FIRST_ARGUMENT(first, ...) (first)

// The code with which the superclass of `cls` answers `sel`, for a method of `cls` that calls
// super. NULL if none does.
ISA_API isa_imp isa_lookup_super(isa_class cls, isa_sel sel);

// Asked for an IMP of the call's true signature when an object does not respond; NULL declines.
typedef isa_imp (*isa_unrecognized_hook)(isa_id object, isa_sel sel, void *context);

// Replaces the process's unrecognised-selector hook; NULL removes it. Threads: as
// isa_set_misuse_handler.
ISA_API void isa_set_unrecognized_hook(isa_unrecognized_hook hook, void *context);

// ---- weak references ----------------------------------------------------------------------------

// A weak reference's storage. Reading one is safe while its object dies on another thread; storing
// into one while another thread reads it is a race, as on any variable.
typedef struct isa_weak {
    void *record;
} isa_weak;

// Makes `slot`, uninitialised memory, refer to `object` (or to nothing, for NULL).
//
// Errors: ISA_ERR_NO_MEMORY; ISA_ERR_DEALLOCATING. The slot then refers to nothing.
ISA_TRY isa_status isa_weak_init(isa_weak *slot, isa_id object);

// Makes an initialised slot refer to `object` instead. On an error it still refers to what it did.
ISA_TRY isa_status isa_weak_store(isa_weak *slot, isa_id object);

// The object with a reference for the caller, or NULL once it is being deallocated.
ISA_API isa_id isa_weak_copy(const isa_weak *slot);

// Ends the reference. The slot then refers to nothing and may be destroyed again.
ISA_API void isa_weak_destroy(isa_weak *slot);

// ---- associated objects -------------------------------------------------------------------------

typedef enum isa_association_policy {
    ISA_ASSOCIATION_ASSIGN = 0, // not kept alive; must outlive the association
    ISA_ASSOCIATION_RETAIN = 1, // released when replaced, removed, or its owner dies
    ISA_ASSOCIATION_COPY = 3,   // the same with the answer to the message `copy`
    ISA_ASSOCIATION_WEAK = 4,   // zeroed when it dies
} isa_association_policy;

// Associates `value` with `object` under `key`, an address that is only compared. NULL removes.
//
// Errors: ISA_ERR_NO_MEMORY; ISA_ERR_INVALID_ARGUMENT for an unknown policy;
//         ISA_ERR_UNRECOGNIZED_SELECTOR if the value cannot be copied. The old value then stays.
// Source: objc_setAssociatedObject, Objective-C Runtime reference.
ISA_TRY isa_status isa_object_set_associated(isa_id object, const void *key, isa_id value,
                                             isa_association_policy policy);

// The associated object with a reference for the caller, or NULL.
ISA_API isa_id isa_object_copy_associated(isa_id object, const void *key);

// Removes all that is associated with `object`.
ISA_API void isa_object_remove_associated(isa_id object);

#ifdef __cplusplus
}
#endif
#endif
