// Collections through which a to-many key is changed: IsaKeyValueMutableArray,
// IsaKeyValueMutableOrderedSet and IsaKeyValueMutableSet.
//
// One message of a proxy is one edit: the key is looked at, the change is checked, announced and
// made. How it is made depends on the class, see kvc.h; what is announced does not.
// A change that has no one kind, such as giving an array other objects in another number, is two
// edits; the first stays if the second fails.
//
// The accessors, by name and number of arguments; an index may be an integer of any type, an index
// set is passed as a pointer to a kvc_index_set that is good for the call, many objects as an array
// or, to an unordered key, as a set. They answer nothing, or an isa_status ("i").
#ifndef ISA_KVC_TO_MANY_H
#define ISA_KVC_TO_MANY_H

#include "accessor.h"
#include "box.h"
#include "coding.h"
#include "mutators.h"
#include "proxy.h"
#include "shortcut.h"

// How a key is changed.
enum isa__tier {
    ISA_TIER_ACCESSORS,
    ISA_TIER_WHOLE, // a changed copy is set by `setValue:forKey:`
    ISA_TIER_IVAR,  // in place
};

// How a class changes a key.
struct isa__way {
    enum isa__tier tier;
    bool has_setter; // `set<Key>:`
    struct isa__mutators mutators;
    struct isa__accessor ivar;
    struct isa__shortcut shortcut; // of arrays
};

// An instance. What stands behind the head is what was found out last.
struct isa__to_many {
    struct isa__proxy head;
    isa_class cls;  // that `way` is about; NULL: nothing yet
    uint64_t epoch; // isa__method_epoch before
    struct isa__way way;
};

// kvo_set_mutation.
enum { ISA_SET_UNION = 1, ISA_SET_MINUS = 2, ISA_SET_INTERSECT = 3, ISA_SET_SET = 4 };

// Finds out how the key is changed, unless `way` tells it already.
isa_status isa__to_many_look_up(struct isa__to_many *proxy);

// Whether the proxy's shortcut may be followed at this moment. Looking it up may run user code.
static inline bool isa__to_many_is_known(const struct isa__to_many *proxy)
{
    return __builtin_expect(
               proxy->cls ==
                   (isa_class)isa_header_isa((const struct isa_header *)proxy->head.object), 1) &&
           isa__shortcut_holds(&proxy->way.shortcut);
}

static inline bool isa__to_many_has_shortcut(struct isa__to_many *proxy)
{
    return isa__to_many_is_known(proxy) ||
           (isa__to_many_look_up(proxy) == ISA_OK && isa__to_many_is_known(proxy));
}

// One change on its way.
struct isa__edit {
    struct isa__to_many *proxy;
    struct isa__to_many_change change;
    isa_id container;  // what the key had when the edit began, retained; NULL for nil
    isa_status status; // of reading it: a class may have accessors that change and no other
    isa_id objects;    // of an ordered change of many: an array; lent
    isa_id object;     // of a change of one; lent
    size_t index;      // of an ordered change of one
    kvc_range range;   // that index as `indexes`
    kvc_index_set indexes;
    // Makes the change in a collection; by the object's accessors.
    isa_status (*apply)(const struct isa__edit *edit, isa_id collection);
    isa_status (*send)(const struct isa__edit *edit);
};

// Begins an edit: finds out how the key is changed, reads what it has, and fails where `sel`, which
// is the change as a message of collections, cannot be sent to it.
isa_status isa__edit_begin(struct isa__edit *edit, isa_id proxy, isa_sel sel);

// Announces the change and makes it. `change`, `apply` and `send` have been filled in.
isa_status isa__edit_commit(struct isa__edit *edit);

void isa__edit_end(struct isa__edit *edit);

// Whether there is neither a collection nor an accessor that would make one: nothing to remove.
static inline bool isa__edit_has_nothing(const struct isa__edit *edit)
{
    return edit->container == NULL && edit->proxy->way.tier != ISA_TIER_ACCESSORS;
}

// Sends the object one of its accessors.
struct isa__shape_arguments;
isa_status isa__edit_send(const struct isa__edit *edit, enum isa__mutator which,
                          const struct isa__shape_arguments *arguments);

static inline bool isa__edit_has(const struct isa__edit *edit, enum isa__mutator which)
{
    return edit->proxy->way.mutators.methods[which] != NULL;
}

// What the key has at this moment, with a reference; NULL for nil. Close it even if it is NULL.
isa_status isa__to_many_open(isa_id proxy, isa_sel sel, isa_id *container);
void isa__to_many_close(isa_id container);

// `count` of all proxies.
size_t isa__to_many_count(isa_id self, isa_sel sel);

extern const struct isa__library_class isa__to_many_ordered_classes[2],
    isa__to_many_set_classes[1];

// Makes all proxies' classes and gives the root class `mutableArrayValueForKey:` and so on.
isa_status isa__to_many_start(void);

#endif
