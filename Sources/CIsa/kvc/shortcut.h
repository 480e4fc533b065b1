// Shortcuts: what a proxy needs to change an ordered key by one object, or to ask it for one, where
// nothing is out of the ordinary, worked out beforehand.
//
// Usual is an array that the class makes up of countOf<Key> and objectIn<Key>AtIndex:, changed by
// accessors, all of them with the usual encodings.
#ifndef ISA_KVC_SHORTCUT_H
#define ISA_KVC_SHORTCUT_H

#include "../base/status.h"
#include "coding.h"
#include "elements.h"
#include "key.h"
#include "mutators.h"

// kvo_change_kind.
enum { ISA_CHANGE_INSERTION = 2, ISA_CHANGE_REMOVAL = 3, ISA_CHANGE_REPLACEMENT = 4 };

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
    const struct isa__key *key; // rank 5: of a notifying class that announces it; else NULL
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
