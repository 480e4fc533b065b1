// The accessors of a to-many key: accessors that answer for its elements, mutators, and shortcuts
// for the usual ones.
#ifndef ISA_CODING_TO_MANY_H
#define ISA_CODING_TO_MANY_H

#include "../base/status.h"
#include "../model/selector.h"
#include "coding.h"
#include "facts.h"
#include "isa_class.h"
#include "kvc_collections.h"

enum isa__element {
#define ISA_ELEMENT_CONSTANT(name, ...) ISA_ELEMENT_##name,
    ISA_ELEMENT_NAMES(ISA_ELEMENT_CONSTANT)
#undef ISA_ELEMENT_CONSTANT
    ISA_ELEMENT_COUNT,
};

// The accessors that a class has, by inheritance too; NULL for an accessor that it lacks. Without
// `countOf<Key>` the others are not looked for.
struct isa__elements {
    isa_method methods[ISA_ELEMENT_COUNT];
};

// The count that an answer of countOf<Key> stands for: 0 where no collection can have as many, as
// for -1.
static inline size_t isa__elements_count(uint64_t answer)
{
    return answer < KVC_NOT_FOUND / 64 ? (size_t)answer : 0;
}

// Finds the accessors of `key` by name and number of arguments.
void isa__elements_find(isa_class cls, const char *key, struct isa__elements *out);

// The collection that the accessors make up: an ordered set before an array before a set.
// KVC_KIND_OTHER if they do not suffice for any.
kvc_kind isa__elements_kind(const struct isa__elements *elements);

// ---- mutators -----------------------------------------------------------------------------------

// The accessors with which a class changes a to-many key.

enum isa__mutator {
#define ISA_MUTATOR_CONSTANT(name, ...) ISA_MUTATOR_##name,
    ISA_MUTATOR_NAMES(ISA_MUTATOR_CONSTANT)
#undef ISA_MUTATOR_CONSTANT
    ISA_MUTATOR_COUNT,
};

// kvo_change_kind.
enum { ISA_CHANGE_INSERTION = 2, ISA_CHANGE_REMOVAL = 3, ISA_CHANGE_REPLACEMENT = 4 };

// The accessors of an ordered key come first: for one object and for many, of each kind of change.
static_assert(ISA_MUTATOR_REMOVE_AT == 2 && ISA_MUTATOR_REPLACE_MANY == 5,
              "one and many of each kind follow each other");

static inline enum isa__mutator isa__mutator_for(int change_kind, bool many)
{
    return (enum isa__mutator)(2 * (change_kind - ISA_CHANGE_INSERTION) + many);
}

// The mutators that a class has, by inheritance too; NULL for a mutator that it lacks.
struct isa__mutators {
    isa_method methods[ISA_MUTATOR_COUNT];
};

// Finds the accessors of `key` by name and number of arguments.
void isa__mutators_find(isa_class cls, const char *key, struct isa__mutators *out);

// Whether the mutators suffice to change an ordered key: one inserts and another removes; under
// GNUstep's profile one that inserts suffices.
static inline bool isa__mutators_are_ordered(const struct isa__mutators *mutators, bool gnustep)
{
    const isa_method *methods = mutators->methods;
    bool insert = methods[ISA_MUTATOR_INSERT] != NULL || methods[ISA_MUTATOR_INSERT_MANY] != NULL;
    bool remove = methods[ISA_MUTATOR_REMOVE_AT] != NULL ||
                  methods[ISA_MUTATOR_REMOVE_MANY] != NULL;
    return insert && (remove || gnustep);
}

// Whether they suffice to change an unordered key: one adds and another removes.
static inline bool isa__mutators_are_unordered(const struct isa__mutators *mutators)
{
    const isa_method *methods = mutators->methods;
    return (methods[ISA_MUTATOR_ADD] != NULL || methods[ISA_MUTATOR_ADD_MANY] != NULL) &&
           (methods[ISA_MUTATOR_REMOVE] != NULL || methods[ISA_MUTATOR_REMOVE_SET] != NULL);
}

// ---- shortcuts ----------------------------------------------------------------------------------

// Shortcuts: the facts that a proxy needs to change an ordered key by one object, or to ask it for
// one, where nothing is out of the ordinary, worked out beforehand.
//
// Usual is an array that the class makes up of countOf<Key> and objectIn<Key>AtIndex:, changed by
// accessors, all of them with the usual encodings.

// One of the object's methods as its class answers it; `imp` NULL: it is not there, or unusual.
struct isa__shortcut_method {
    isa_imp imp;
    isa_sel selector;
};

enum { ISA_SHORTCUT_EDITS = 3 };

struct isa__shortcut {
    uint64_t ways; // isa__ways where there is a short way, else never
    struct isa__shortcut_method count;
    struct isa__shortcut_method object_at;
    struct isa__shortcut_method edits[ISA_SHORTCUT_EDITS]; // by kind: insertion, removal, …
    const struct isa__key *key; // observing/: of a notifying class that announces it; else NULL
};

// A change of one object on its way.
struct isa__one_change {
    const struct isa__shortcut *shortcut; // good until user code runs
    size_t index;
    isa_id item; // NULL: removal
};

static inline const struct isa__shortcut_method *
isa__shortcut_edit(const struct isa__shortcut *shortcut, int kind)
{
    return &shortcut->edits[kind - ISA_CHANGE_INSERTION];
}

static inline bool isa__shortcut_holds(const struct isa__shortcut *shortcut)
{
    return __builtin_expect(shortcut->ways == isa__ways_load(), 1);
}

// Where there is none.
void isa__shortcut_clear(struct isa__shortcut *shortcut);

// Works the shortcut of instances of `cls` out; `epoch` is isa__method_epoch from before the
// mutators were looked up.
//
// Runs class methods, so call it with no lock held. Errors: ISA_ERR_NO_MEMORY.
isa_status isa__shortcut_find(isa_class cls, const char *key, const struct isa__mutators *mutators,
                              uint64_t epoch, struct isa__shortcut *out);

static inline size_t isa__shortcut_count(const struct isa__shortcut *shortcut, isa_id object)
{
    typedef uint64_t (*count_imp)(isa_id, isa_sel);
    uint64_t count = ((count_imp)shortcut->count.imp)(object, shortcut->count.selector);
    return isa__elements_count(count);
}

// Makes the change, with nothing announced.
ISA_INLINE void isa__shortcut_make(isa_id object, const struct isa__one_change *change, int kind)
{
    const struct isa__shortcut_method *edit = isa__shortcut_edit(change->shortcut, kind);
    typedef void (*insert_imp)(isa_id, isa_sel, isa_id, uint64_t);
    typedef void (*remove_imp)(isa_id, isa_sel, uint64_t);
    typedef void (*replace_imp)(isa_id, isa_sel, uint64_t, isa_id);
    switch (kind) {
    case ISA_CHANGE_INSERTION:
        ((insert_imp)edit->imp)(object, edit->selector, change->item, change->index);
        break;
    case ISA_CHANGE_REMOVAL: ((remove_imp)edit->imp)(object, edit->selector, change->index); break;
    default:
        ((replace_imp)edit->imp)(object, edit->selector, change->index, change->item);
        break;
    }
}

#endif
