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
#include "../model/class_pair.h"
#include "../model/selector.h"
#include "box.h"

static isa_class classes[KVC_KIND_DICTIONARY][2]; // by kind, and whether it changes

static void dealloc_proxy(isa_id self, isa_sel sel)
{
    (void)sel;
    struct isa__proxy *proxy = (struct isa__proxy *)self;
    isa__free_text(proxy->key);
    isa_object_release(proxy->object);
}

isa_status isa__proxy_class_add(kvc_kind kind, bool is_mutable,
                                const struct isa__box_method *methods, size_t count)
{
    return isa__box_class_add_methods(classes[kind][is_mutable], methods, count);
}

isa_status isa__proxy_class_make(kvc_kind kind, bool is_mutable, const char *name, size_t size)
{
    isa_class above = kvc_class_of_kind(kind, is_mutable);
    ISA_ASSERT(above->instance_size <= sizeof(struct isa__table_box));
    isa_class cls;
    isa_status status = isa__class_pair_make(above, name, ISA_CLASS_LIBRARY, &cls);
    if (status != ISA_OK) return status;
    cls->instance_size = size;
    classes[kind][is_mutable] = cls;
    static const struct isa__box_method methods[] = {
        {&isa__sel_dealloc, (isa_imp)dealloc_proxy, "v@:"},
    };
    return isa__proxy_class_add(kind, is_mutable, methods, ISA_COUNT_OF(methods));
}

isa_status isa__proxy_make(kvc_kind kind, bool is_mutable, isa_id object, const char *key,
                           isa_id *out)
{
    isa_id made;
    isa_status status = isa_object_allocate(classes[kind][is_mutable], &made);
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
    if (!isa_object_is_kind_of(collection, classes[kind][true])) return false;
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
