// Objects: allocation, deallocation along the class chain, isa swap, message lookup.
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

// Whether the object can be asked for a copy: answers `copy` with an object.
bool isa__object_copies(isa_id object);

// Reports an isa swap as an event; no lock held.
void isa__object_report_swap(isa_id object, isa_class from, isa_class to);

// isa__fail, with the object and the key that failed; `key` NULL: none.
isa_status isa__fail_for(isa_id object, const char *key, isa_status status, const char *exception,
                         const char *format, ...) __attribute__((format(printf, 5, 6)));

// What observing/ does with objects; filled at start.
struct isa__object_hooks {
    // Ends the registrations that an object leaves behind.
    void (*end_observing)(isa_id object);
    // Prepares `cls` to become the class of the object, and answers the class to set instead;
    // `known` is for its own use, empty at first. No lock is held.
    isa_status (*prepare_class)(isa_id object, isa_class cls, struct isa__array *known,
                                isa_class *to);
    // The class to set after that: false if what is observed has become more. The object's lock is
    // held.
    bool (*choose_class_locked)(isa_id object, isa_class cls, const struct isa__array *known,
                                isa_class *to);
};
extern struct isa__object_hooks isa__object_hooks;

// Gives the root class its methods `class`, `superclass`, `isKindOfClass:`, `isMemberOfClass:` and
// `respondsToSelector:`.
isa_status isa__object_start(void);

// ---- messages -----------------------------------------------------------------------------------

// Message lookup beyond the inline path.

// What the unrecognised-selector hook gives for a message, NULL without a hook or if it declines.
isa_imp isa__message_ask_hook(isa_id object, isa_sel sel);

#endif
