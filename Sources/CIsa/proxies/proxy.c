// Proxies: their shared parts, and the messages that answer with a proxy that changes.
//
// Owns:  a proxy owns a reference to its object, and its key.
// Lives: the classes from start to reset.
// Locks: none.
#include "proxy.h"

#include <string.h>

#include "../base/alloc.h"
#include "../base/status.h"
#include "../coding/coding.h"
#include "../model/method.h"
#include "../model/selector.h"

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
    if (!isa__is_collection(collection)) return false;
    isa_class cls = isa__proxy_classes[kvc_kind_of(collection)][true];
    if (!isa_object_is_kind_of(collection, cls)) return false;
    const struct isa__proxy *other = (const struct isa__proxy *)collection;
    return other->object == proxy->object && strcmp(other->key, proxy->key) == 0;
}

isa_status isa__proxy_endless(isa_id proxy, isa_sel sel)
{
    return isa__fail(ISA_ERR_IN_USE, NULL, "-[%s %s]: the value for key %.128s leads to itself",
                     isa__box_class_name(proxy), isa_sel_name(sel),
                     ((const struct isa__proxy *)proxy)->key);
}

// ---- the root class's messages ------------------------------------------------------------------

enum which { ARRAY, ORDERED_SET, SET, WHICH_COUNT };

static const char *const names[WHICH_COUNT][2] = {
    [ARRAY] = {"mutableArrayValueForKey:", "mutableArrayValueForKeyPath:"},
    [ORDERED_SET] = {"mutableOrderedSetValueForKey:", "mutableOrderedSetValueForKeyPath:"},
    [SET] = {"mutableSetValueForKey:", "mutableSetValueForKeyPath:"},
};
static isa_sel selectors[WHICH_COUNT][2]; // from start to reset

// Sends the message for a key, or for a path; for the public function `caller`.
static isa_status proxy_send(const char *caller, isa_id object, enum which which, bool is_path,
                             const char *text, isa_id *out)
{
    if (out == NULL) return isa__fail_null(caller, "out");
    isa_sel sel = selectors[which][is_path];
    isa_status status = is_path ? isa__key_path_check(object, sel, text)
                                : isa__coding_check(object, text, sel);
    if (status != ISA_OK) return status;
    *out = NULL;
    return ISA_SEND(kvc_get_imp, object, sel, text, out);
}

// Asks the object that has the last key; nil on the way has no proxies. `usual` is the caller.
static isa_status for_path(isa_id self, const char *path, enum which which, kvc_get_imp usual,
                           isa_id *out)
{
    struct isa__destination end;
    isa_sel sel = selectors[which][1];
    *out = NULL;
    isa_status status = isa__destination_find(self, sel, (isa_imp)usual, path, &end);
    if (status != ISA_OK) return status;
    if (end.object != NULL)
        status = end.overridden ? isa__nested_copy_value(end.object, sel, end.path, out)
                                : proxy_send(__func__, end.object, which, false, end.path, out);
    isa__destination_end(&end);
    return status;
}

// The messages for one kind.
#define DEFINE_MESSAGES(name, which) \
    static isa_status name##_for_key(isa_id self, isa_sel sel, const char *key, isa_id *out) \
    { \
        (void)sel; \
        return isa__proxy_make(KVC_KIND_##which, true, self, key, out); \
    } \
    static isa_status name##_for_path(isa_id self, isa_sel sel, const char *path, isa_id *out) \
    { \
        (void)sel; \
        return for_path(self, path, which, name##_for_path, out); \
    }
DEFINE_MESSAGES(array, ARRAY)
DEFINE_MESSAGES(ordered_set, ORDERED_SET)
DEFINE_MESSAGES(set, SET)

#define DEFINE_MAKE(name, which, is_path) \
    isa_status name(isa_id object, const char *text, isa_id *out) \
    { \
        return proxy_send(__func__, object, which, is_path, text, out); \
    }
DEFINE_MAKE(kvc_proxy_make_array, ARRAY, false)
DEFINE_MAKE(kvc_proxy_make_ordered_set, ORDERED_SET, false)
DEFINE_MAKE(kvc_proxy_make_set, SET, false)
DEFINE_MAKE(kvc_proxy_make_array_for_path, ARRAY, true)
DEFINE_MAKE(kvc_proxy_make_ordered_set_for_path, ORDERED_SET, true)
DEFINE_MAKE(kvc_proxy_make_set_for_path, SET, true)

// ---- start --------------------------------------------------------------------------------------

static isa_status start_messages(void)
{
    static const kvc_get_imp imps[WHICH_COUNT][2] = {
        [ARRAY] = {array_for_key, array_for_path},
        [ORDERED_SET] = {ordered_set_for_key, ordered_set_for_path},
        [SET] = {set_for_key, set_for_path},
    };
    isa_status status = ISA_OK;
    for (size_t i = 0; i < 2 * WHICH_COUNT && status == ISA_OK; i++) {
        isa_sel sel = selectors[i / 2][i % 2] = isa_sel_register(names[i / 2][i % 2]);
        if (sel == NULL) return ISA_ERR_NO_MEMORY;
        status = isa__method_add_sent(isa_root_class(), sel, (isa_imp)imps[i / 2][i % 2],
                                      "i@:*^@");
    }
    return status;
}

isa_status isa__proxies_start(void)
{
    isa_status status = isa__library_classes_make(isa__read_proxy_classes, 3);
    if (status == ISA_OK) status = isa__library_classes_make(isa__to_many_ordered_classes, 2);
    if (status == ISA_OK) status = isa__library_classes_make(isa__to_many_set_classes, 1);
    return status == ISA_OK ? start_messages() : status;
}
