// Objects: allocation, deallocation along the class chain, isa swap, message lookup, side records.
#ifndef ISA_OBJECT_OBJECT_H
#define ISA_OBJECT_OBJECT_H

#include "../base/reclaim.h"
#include "../model/class.h"
#include "isa_object.h"

// As isa_object_get_class.
static inline isa_class isa__class_in(isa_id object)
{
    return (isa_class)isa_header_isa((const struct isa_header *)object);
}

// Answers `status`: a success gives the object with its reference to the caller, a failure ends it.
static inline isa_status isa__object_hand_over(isa_status status, isa_id object, isa_id *out)
{
    if (status == ISA_OK) *out = object;
    else isa_object_release(object);
    return status;
}

// Ends an object whose last reference just went.
void isa__object_deallocate(isa_id object);

// Swaps the isa without any check; returns the class before. The object's lock is held, see
// isa__lock_for, so that the swaps of one object come one after the other.
isa_class isa__object_swap_isa_locked(isa_id object, isa_class cls);

// Whether the object can be asked for a copy: answers `copy` with an object.
bool isa__object_copies(isa_id object);

// Reports an isa swap as an event; no lock held.
void isa__object_report_swap(isa_id object, isa_class from, isa_class to);

// isa__fail, with the object and the key that failed; `key` NULL: none.
isa_status isa__fail_for(isa_id object, const char *key, isa_status status, const char *exception,
                         const char *format, ...) __attribute__((format(printf, 5, 6)));

// The acts of observing/ on objects; filled at start.
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

// ---- side records -------------------------------------------------------------------------------

// The side record: the parts of an object that few objects need.
//
// An object gets one the first time it is weakly referenced, decorated or observed. It takes over
// the reference count, and outlives the object for as long as a weak reference or token leads to
// it.

struct isa__side_extension;

// The record word of an object without flags is its address as it is, by which every tool that
// looks for leaks knows what the object has.
struct isa__side {
    uint32_t holders; // the object while it lives, each weak reference, each token
    uint16_t flags;  // enum isa__side_flags; atomic builtins
    uint16_t census; // who reads `observing`: see base/reclaim.h
    isa_id object; // its address names the lock of `observing` and the extension: isa__lock_for
    union {
        uintptr_t count;               // as the header's record word without a side record
        const isa_memory_hooks *hooks; // of an object that someone else counts
    };
    uintptr_t observing; // the object's registrations, see observing/registry.h
    struct isa__side_extension *extension; // NULL for most
};

static_assert(sizeof(struct isa__side) == 8 + 4 * sizeof(void *),
              "an observed object pays for every word");

enum isa__side_flags {
    ISA_SIDE_HOOKED = 1, // counted by someone else, through `hooks`
    ISA_SIDE_DEAD = 2,   // the object's deallocation is over, or it was abandoned
};

// The parts that fewer objects still need.
struct isa__side_extension {
    struct isa__association *associations;
    uint32_t association_count;
    uint32_t association_capacity;
    void *pending; // observing/: changes announced and not yet ended, latest first
};

// The side record that a record word leads to, or NULL.
static inline struct isa__side *isa__side_in(uintptr_t record)
{
    if (__builtin_expect((record & ISA_RECORD_INLINE) != 0, 0)) return NULL;
    return (struct isa__side *)(record & ~(uintptr_t)ISA_RECORD_FLAG_MASK);
}

// The side record of a live object, or NULL if it has none.
static inline struct isa__side *isa__side_find(isa_id object)
{
    return isa__side_in(isa_header_record((const struct isa_header *)object));
}

static inline uint32_t isa__side_flags(const struct isa__side *side)
{
    return __atomic_load_n(&side->flags, __ATOMIC_ACQUIRE);
}

// The side record, made if the object has none; NULL when memory is short.
struct isa__side *isa__side_get(isa_id object);

// The extension, made if there is none; NULL when memory is short. The object's lock is held.
struct isa__side_extension *isa__side_extension_locked(struct isa__side *side);

void isa__side_free(struct isa__side *side);

// The observing word, for a thread that is to look at what it leads to. The thread is in a reader
// section. From here until it leaves its outermost section it is inside, and what it finds stays:
// see base/reclaim.h.
static inline uintptr_t isa__enter(struct isa__thread *thread, struct isa__side *side)
{
    if (__builtin_expect(!isa__census_lets_in(thread, &side->census), 0))
        isa__census_join(thread, &side->census, side->object);
    return __atomic_load_n(&side->observing, __ATOMIC_ACQUIRE);
}

// The same for a thread that is inside already, has the object's lock, or only compares the word.
static inline uintptr_t isa__observing_value(const struct isa__side *side)
{
    return __atomic_load_n(&side->observing, __ATOMIC_ACQUIRE);
}

// Adds and gives up holders; the last one frees the record.
static inline void isa__side_hold_many(struct isa__side *side, uint32_t count)
{
    __atomic_fetch_add(&side->holders, count, __ATOMIC_SEQ_CST);
}

static inline void isa__side_drop_many(struct isa__side *side, uint32_t count)
{
    uint32_t before = __atomic_fetch_sub(&side->holders, count, __ATOMIC_SEQ_CST);
    if (before == count) isa__side_free(side);
}

static inline void isa__side_hold(struct isa__side *side)
{
    isa__side_hold_many(side, 1);
}

static inline void isa__side_drop(struct isa__side *side)
{
    isa__side_drop_many(side, 1);
}

// A counted reference to the record's object, or NULL if it is being deallocated.
isa_id isa__side_copy_object(struct isa__side *side);

// ---- reference counts ---------------------------------------------------------------------------

// Reference counts: retain, release, try-retain, and the check against counting below zero.

// Adds a reference to the count in `cell`, a record word without a side record or a side record's
// count, unless its object is being deallocated.
bool isa__count_try_retain(uintptr_t *cell);

// Whether the object's last reference has gone, or it is being abandoned.
static inline bool isa__object_is_deallocating(isa_id object)
{
    uintptr_t word = isa_header_record((const struct isa_header *)object);
    const struct isa__side *side = isa__side_in(word);
    if (side != NULL && !(isa__side_flags(side) & ISA_SIDE_HOOKED))
        word = __atomic_load_n(&side->count, __ATOMIC_ACQUIRE);
    return (word & ISA_RECORD_DEALLOCATING) != 0;
}

// The references in `cell`.
static inline uintptr_t isa__count_references(uintptr_t cell)
{
    return cell / ISA_RECORD_COUNT_UNIT;
}

// ---- associated objects -------------------------------------------------------------------------

// Associated objects: values kept beside an object, by key and policy.

struct isa__association {
    const void *key;
    union {
        isa_id value;
        isa_weak weak;
    };
    isa_association_policy policy;
};

// How many objects are associated with `object`.
uint32_t isa__association_count(isa_id object);

#endif
