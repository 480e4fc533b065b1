// Objects: allocation, deallocation along the class chain, isa swap.
#ifndef ISA_OBJECT_OBJECT_H
#define ISA_OBJECT_OBJECT_H

#include "../model/class.h"
#include "isa_object.h"

// Ends an object whose last reference just went.
void isa__object_deallocate(isa_id object);

// Ends what others hold of an immortal object whose memory is about to go: a class, a singleton.
void isa__object_end_immortal(isa_id object);

// Swaps the isa without any check; returns the class before. The object's lock is held, see
// isa__lock_for, so that the swaps of one object come one after the other.
isa_class isa__object_swap_isa_locked(isa_id object, isa_class cls);

// The method epoch since the isa of an object with a side record was last set by hand; atomic
// builtins.
extern uint64_t isa__isa_epoch;

// Reports an isa swap as an event; no lock held.
void isa__object_report_swap(isa_id object, isa_class from, isa_class to);

// isa__fail, with the object and the key that failed; `key` NULL: none.
isa_status isa__fail_for(isa_id object, const char *key, isa_status status, const char *exception,
                         const char *format, ...) __attribute__((format(printf, 5, 6)));

// What rank 5 does with objects; filled at start.
struct isa__object_hooks {
    // Ends the registrations that an object leaves behind.
    void (*end_observing)(isa_id object);
    // The class to set instead of `cls`, which is a notifying one. The object's lock is held.
    isa_class (*class_to_set_locked)(isa_id object, isa_class cls);
};
extern struct isa__object_hooks isa__object_hooks;

// Gives the root class its methods `class`, `superclass`, `isKindOfClass:`, `isMemberOfClass:` and
// `respondsToSelector:`.
isa_status isa__object_start(void);

#endif
