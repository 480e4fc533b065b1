// Collections that stand for a to-many key of an object: their classes, the object and key that
// they hold, and the guard against proxies that lead to each other.
//
// `valueForKey:` answers with a proxy that reads where a class has accessors for a key's elements
// and no getter: IsaKeyValueArray, IsaKeyValueOrderedSet, IsaKeyValueSet. They cannot be changed,
// hold the object retained and ask it anew with each message. The accessors that they call, by name
// and number of arguments; integers may be of any type, and an answer that is an object is lent:
//
//   countOf<Key>           "Q@:"   of all
//   objectIn<Key>AtIndex:  "@@:Q"  of arrays and ordered sets, this one or the next
//   <key>AtIndexes:        "@@:^v" with a kvc_index_set; answers an array
//   indexIn<Key>OfObject:  "Q@:@"  of ordered sets; KVC_NOT_FOUND where there is none
//   enumeratorOf<Key>      "@@:"   of sets: any collection, or an object whose `nextObject` answers
//                                  with an object lent ("@@:") or given ("i@:^@"), at last with nil
//   memberOf<Key>:         "@@:@"  of sets: the element that is equal, or nil
//
// The accessors are trusted in what they answer, with two exceptions: they are asked for no index
// that `countOf<Key>` does not announce, and nil is no element.
//
// Those through which a key is changed are IsaKeyValueMutableArray, IsaKeyValueMutableOrderedSet
// and IsaKeyValueMutableSet. One message is one edit: the key is looked at, the change is checked,
// announced and made. How it is made depends on the class, see kvc.h; the announcement does not. A
// change that has no one kind, such as giving an array other objects in another number, is two
// edits; the first stays if the second fails.
//
// The accessors, by name and number of arguments; an index may be an integer of any type, an index
// set is passed as a pointer to a kvc_index_set that is good for the call, many objects as an array
// or, to an unordered key, as a set. They answer nothing, or an isa_status ("i").
#ifndef ISA_PROXIES_PROXY_H
#define ISA_PROXIES_PROXY_H

#include "../base/thread.h"
#include "../call/signature.h"
#include "../coding/accessor.h"
#include "../coding/coding.h"
#include "../coding/to_many.h"
#include "../objects/collection.h"

// ---- all proxies --------------------------------------------------------------------------------

// The head of an instance. The struct is the layout, as with all boxes.
struct isa__proxy {
    struct isa__table_box room; // what the superclass keeps here; always empty
    isa_id object;              // retained
    char *key;
};

// The classes, by kind, and whether they change: each is below the boxed class of its kind.
extern isa_class isa__proxy_classes[KVC_KIND_DICTIONARY][2];

// The messages that all proxies answer: `dealloc`.
extern const struct isa__box_method isa__proxy_methods[1];

// Makes a proxy for `key` of `object`; what stands behind the head is zero.
isa_status isa__proxy_make(kvc_kind kind, bool is_mutable, isa_id object, const char *key,
                           isa_id *out);

// Whether `collection` is a mutable proxy for the same key of the same object.
bool isa__proxy_is_same(const struct isa__proxy *proxy, isa_id collection);

enum { ISA_PROXY_DEEPEST = 128 };

// The failure at a depth that only proxies reach whose objects answer with one another, or for
// which the stack has no room.
isa_status isa__proxy_endless(isa_id proxy, isa_sel sel);

// Enters a message that asks the object, on the calling thread, whose record it is; leaves it.
//
// Errors: ISA_ERR_IN_USE at that depth; there is nothing to leave then.
ISA_INLINE isa_status isa__proxy_enter(struct isa__thread *thread, isa_id proxy, isa_sel sel)
{
    uint32_t depth;
    if (ISA_UNLIKELY(!isa__nest_enter(thread, &thread->proxies, ISA_PROXY_DEEPEST, &depth)))
        return isa__proxy_endless(proxy, sel);
    return ISA_OK;
}

ISA_INLINE void isa__proxy_leave(struct isa__thread *thread)
{
    thread->proxies--;
}

// Makes the proxies' classes and gives the root class `mutableArrayValueForKey:` and so on.
isa_status isa__proxies_start(void);

// ---- proxies that read --------------------------------------------------------------------------

// Makes the proxy for `key` of `object`, whose class has the accessors for a collection of `kind`.
isa_status isa__read_proxy_make(kvc_kind kind, isa_id object, const char *key, isa_id *out);

extern const struct isa__library_class isa__read_proxy_classes[3];

// ---- proxies that change ------------------------------------------------------------------------

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

// An instance. The fields behind the head have what was found out last.
struct isa__to_many {
    struct isa__proxy head;
    isa_class cls;  // that `way` is about; NULL: nothing yet
    uint64_t epoch; // isa__method_epoch before
    struct isa__way way;
};

extern const struct isa__library_class isa__to_many_ordered_classes[2], isa__to_many_set_classes[1];

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

// The collection that the key has at this moment, with a reference; NULL for nil. Close it even if
// it is NULL.
isa_status isa__to_many_open(isa_id proxy, isa_sel sel, isa_id *container);
void isa__to_many_close(isa_id container);

// `count` of all proxies that change.
uint64_t isa__to_many_count(isa_id self, isa_sel sel);

// ---- edits --------------------------------------------------------------------------------------

// kvo_set_mutation.
enum { ISA_SET_UNION = 1, ISA_SET_MINUS = 2, ISA_SET_INTERSECT = 3, ISA_SET_SET = 4 };

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

static inline bool isa__edit_has(const struct isa__edit *edit, enum isa__mutator which)
{
    return edit->proxy->way.mutators.methods[which] != NULL;
}

// Sends the object one of its accessors.
isa_status isa__edit_send(const struct isa__edit *edit, enum isa__mutator which,
                          const struct isa__accessor_arguments *arguments);

#endif
