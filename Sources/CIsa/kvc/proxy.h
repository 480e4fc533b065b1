// What all collections have in common that stand for a to-many key of an object: their classes,
// the object and key that they hold, and the guard against proxies that lead to each other.
#ifndef ISA_KVC_PROXY_H
#define ISA_KVC_PROXY_H

#include "../base/status.h"
#include "../base/thread.h"
#include "table.h"

// The head of an instance. The struct is the layout, as with all boxes.
struct isa__proxy {
    struct isa__table_box room; // what the superclass keeps here; always empty
    isa_id object;              // retained
    char *key;
};

// The classes, by kind, and whether they change: each is below the boxed class of its kind.
extern isa_class isa__proxy_classes[KVC_KIND_DICTIONARY][2];

// What all proxies answer: `dealloc`.
extern const struct isa__box_method isa__proxy_methods[1];

// Makes a proxy for `key` of `object`; what stands behind the head is zero.
isa_status isa__proxy_make(kvc_kind kind, bool is_mutable, isa_id object, const char *key,
                           isa_id *out);

// Whether `collection` is a mutable proxy for the same key of the same object.
bool isa__proxy_is_same(const struct isa__proxy *proxy, isa_id collection);

// Enters a message that asks the object, leaves it. A proxy whose object answers with a proxy whose
// object answers with the first one would never come to an end.
//
// Errors: ISA_ERR_IN_USE at a depth that only such proxies reach; there is nothing to leave then.
isa_status isa__proxy_enter(isa_id proxy, isa_sel sel);
void isa__proxy_leave(void);

// That failure.
isa_status isa__proxy_endless(isa_id proxy, isa_sel sel);

enum { ISA_PROXY_DEEPEST = 128 };

// The same for the calling thread's record, which is left by `thread->proxy_depth--`.
ISA_INLINE isa_status isa__proxy_enter_on(struct isa__thread *thread, isa_id proxy, isa_sel sel)
{
    if (ISA_UNLIKELY(thread->proxy_depth == ISA_PROXY_DEEPEST))
        return isa__proxy_endless(proxy, sel);
    thread->proxy_depth++;
    return ISA_OK;
}

#endif
