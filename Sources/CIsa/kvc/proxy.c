// Proxies: the part that those that read and those that change share.
//
// Owns:  a proxy owns a reference to its object, and its key.
// Lives: the classes from start to reset.
// Locks: none.
#include "proxy.h"

#include <string.h>

#include "../base/alloc.h"
#include "../base/status.h"
#include "../base/thread.h"
#include "../model/selector.h"
#include "box.h"

isa_class isa__proxy_classes[KVC_KIND_DICTIONARY][2];

static void dealloc_proxy(isa_id self, isa_sel sel)
{
    (void)sel;
    struct isa__proxy *proxy = (struct isa__proxy *)self;
    isa__free_text(proxy->key);
    isa_object_release(proxy->object);
}

const struct isa__box_method isa__proxy_methods[1] = {
    {&isa__sel_dealloc, (isa_imp)dealloc_proxy, "v@:"},
};

isa_status isa__proxy_make(kvc_kind kind, bool is_mutable, isa_id object, const char *key,
                           isa_id *out)
{
    isa_id made;
    isa_status status = isa_object_allocate(isa__proxy_classes[kind][is_mutable], &made);
    if (status != ISA_OK) return status;
    struct isa__proxy *proxy = (struct isa__proxy *)made;
    proxy->object = isa_object_retain(object);
    proxy->key = isa__copy_text(key);
    if (proxy->key == NULL) {
        isa_object_release(made);
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a proxy of key %.128s", key);
    }
    *out = made;
    return ISA_OK;
}

bool isa__proxy_is_same(const struct isa__proxy *proxy, isa_id collection)
{
    kvc_kind kind = kvc_kind_of(collection);
    if (kind < KVC_KIND_ARRAY || kind > KVC_KIND_SET) return false;
    if (!isa_object_is_kind_of(collection, isa__proxy_classes[kind][true])) return false;
    const struct isa__proxy *other = (const struct isa__proxy *)collection;
    return other->object == proxy->object && strcmp(other->key, proxy->key) == 0;
}

isa_status isa__proxy_endless(isa_id proxy, isa_sel sel)
{
    return isa__fail(ISA_ERR_IN_USE, NULL, "-[%s %s]: the value for key %.128s leads to itself",
                     isa__box_class_name(proxy), isa_sel_name(sel),
                     ((const struct isa__proxy *)proxy)->key);
}

isa_status isa__proxy_enter(isa_id proxy, isa_sel sel)
{
    return isa__proxy_enter_on(isa__thread_get(), proxy, sel);
}

void isa__proxy_leave(void)
{
    isa__thread_get()->proxy_depth--;
}
