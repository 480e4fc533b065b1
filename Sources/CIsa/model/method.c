// Methods: added, replaced, exchanged, found.
//
// Owns:      each method with its type encoding, until its class goes; each encoding that was
//            replaced, too, since someone may be reading it.
// Locks:     the model lock guards a class's methods; a method's IMP and encoding are read without.
// Invariant: a declared method's IMP is what the class's dispatch table answers with.
#include "method.h"

#include <string.h>

#include "../base/alloc.h"
#include "../base/event.h"
#include "../base/status.h"
#include "dispatch.h"
#include "selector.h"
#include "type.h"

// ---- finding ------------------------------------------------------------------------------------

isa_method isa__method_find_own_locked(isa_class cls, isa_sel sel)
{
    return isa__map_find(&cls->methods, sel);
}

isa_method isa__method_find_own(isa_class cls, isa_sel sel)
{
    isa__lock(&isa__model_lock);
    isa_method method = isa__method_find_own_locked(cls, sel);
    isa__unlock(&isa__model_lock);
    return method;
}

isa_method isa_class_find_method(isa_class cls, isa_sel sel)
{
    ISA_REQUIRE_NOT_NULL(cls);
    if (sel == NULL || isa__dispatch_get(cls, sel) == NULL) return NULL;
    isa_method method = NULL;
    isa__lock(&isa__model_lock);
    for (; cls != NULL && method == NULL; cls = cls->superclass)
        method = isa__method_find_own_locked(cls, sel);
    isa__unlock(&isa__model_lock);
    return method;
}

isa_method isa__method_find_named(isa_class cls, enum isa__name name, const char *key)
{
    isa_method method = isa_class_find_method(cls, isa__selector_find_named(name, key));
    if (method == NULL) return NULL;
    size_t count = isa__signature_argument_count(isa_method_types(method));
    return count == isa__name_argument_count(name) ? method : NULL;
}

isa_imp isa_class_find_imp(isa_class cls, isa_sel sel)
{
    ISA_REQUIRE_NOT_NULL(cls);
    return sel == NULL ? NULL : isa__dispatch_get(cls, sel);
}

bool isa__method_is_overridden(isa_class cls, isa_sel sel)
{
    return isa_class_find_imp(cls, sel) != isa_class_find_imp(isa_root_class(), sel);
}

isa_status isa_class_copy_methods(isa_class cls, isa_method **out, size_t *count)
{
    if (cls == NULL || out == NULL || count == NULL)
        return isa__fail_null(__func__, "cls, out or count");
    void *items;
    isa_status status = isa__class_copy_items(&cls->method_order, &items, count);
    if (status == ISA_OK) *out = items;
    return status;
}

isa_sel isa_method_selector(isa_method method)
{
    ISA_REQUIRE_NOT_NULL(method);
    return method->selector;
}

isa_imp isa_method_imp(isa_method method)
{
    ISA_REQUIRE_NOT_NULL(method);
    return __atomic_load_n(&method->imp, __ATOMIC_ACQUIRE);
}

const char *isa_method_types(isa_method method)
{
    ISA_REQUIRE_NOT_NULL(method);
    return __atomic_load_n(&method->types, __ATOMIC_ACQUIRE);
}

bool isa__method_answers_integer(isa_method method, size_t size)
{
    char letter;
    if (method == NULL) return false;
    const char *types = isa_method_types(method);
    isa__signature_letters(types, &letter, 1);
    return isa__letter_is_integer(letter) && isa__scalar(letter)->size == size &&
           isa__signature_argument_count(types) == 2;
}

bool isa__method_has_types(isa_method method, const char *types)
{
    return method != NULL && isa__encoding_equal_method(isa_method_types(method), types);
}

isa_class isa_method_class(isa_method method)
{
    ISA_REQUIRE_NOT_NULL(method);
    return method->cls;
}

const char *isa_class_sent_types(isa_class cls, isa_sel sel)
{
    ISA_REQUIRE_NOT_NULL(cls);
    return sel == NULL ? NULL : isa__selector_sent_types(sel, cls);
}

// ---- changing -----------------------------------------------------------------------------------

// Refuses a method that the core would call with arguments that it does not take.
static isa_status check_sent(isa_class cls, isa_sel sel, const char *types)
{
    const char *expected = isa__selector_sent_types(sel, cls);
    if (expected == NULL || isa__encoding_equal_method(expected, types)) return ISA_OK;
    return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                     "%c[%s %s] has encoding \"%.128s\": \"%s\" was expected, by which the library "
                     "sends it", isa_class_is_metaclass(cls) ? '+' : '-', cls->name, sel->name,
                     types, expected);
}

static isa_status check_method(const char *caller, isa_class cls, isa_sel sel, isa_imp imp,
                               const char *types)
{
    if (sel == NULL || imp == NULL || types == NULL)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "%s: a method of class %s needs a selector, an IMP and a type encoding",
                         caller, cls->name);
    isa_status status = isa__encoding_check_method(types, sel->colons);
    return status == ISA_OK ? check_sent(cls, sel, types) : status;
}

static size_t size_with(const char *types)
{
    return sizeof(struct isa__method) + strlen(types) + 1;
}

static void free_method(isa_method method)
{
    isa__free(ISA_KIND_OTHER, method, size_with(method->own_types));
}

static isa_method make_method(isa_class cls, isa_sel sel, isa_imp imp, const char *types)
{
    size_t size = size_with(types);
    isa_method method = isa__alloc_unset(ISA_KIND_OTHER, size);
    if (method == NULL) return NULL;
    *method = (struct isa__method){
        .selector = sel, .imp = imp, .types = method->own_types, .cls = cls};
    memcpy(method->own_types, types, size - sizeof *method);
    return method;
}

// Makes `imp` the method's code, in the dispatch tables too. The class owns the page.
static void set_imp_locked(isa_method method, isa_imp imp)
{
    __atomic_store_n(&method->imp, imp, __ATOMIC_RELEASE);
    isa__dispatch_set_locked(method->cls, method->selector, imp);
    uint32_t flags = isa__class_flags(method->cls);
    // Classes of the library get theirs from the ranks above, one after the other.
    if ((flags & (ISA_CLASS_REGISTERED | ISA_CLASS_LIBRARY)) == ISA_CLASS_REGISTERED)
        __atomic_fetch_or(&method->cls->flags, (uint32_t)ISA_CLASS_CHANGED, __ATOMIC_RELEASE);
    if (!(flags & ISA_CLASS_UNSEEN)) isa__method_epoch_advance();
}

// Gives `cls` a method that it does not declare yet.
static isa_status method_add_locked(isa_class cls, isa_sel sel, isa_imp imp, const char *types,
                                    isa_method *out)
{
    isa_method method = make_method(cls, sel, imp, types);
    if (method == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for method %s of class %s", sel->name,
                         cls->name);
    isa_status status = isa__array_add(&cls->method_order, method);
    if (status != ISA_OK) goto failed;
    status = isa__map_set(&cls->methods, sel, method);
    if (status != ISA_OK) goto failed_in_order;
    status = isa__dispatch_reserve_locked(cls, sel);
    if (status != ISA_OK) goto failed_in_map;
    set_imp_locked(method, imp);
    *out = method;
    return ISA_OK;
failed_in_map:
    isa__map_remove(&cls->methods, sel);
failed_in_order:
    isa__array_remove(&cls->method_order, method);
failed:
    free_method(method);
    return status;
}

// The event's text is the method's own, which lasts as long as its class.
static void report(isa_event_kind kind, isa_method method)
{
    ISA_EVENT(.kind = kind, .cls = method->cls, .selector = method->selector,
              .imp = isa_method_imp(method), .name = isa_method_types(method));
}

isa_status isa_class_add_method(isa_class cls, isa_sel sel, isa_imp imp, const char *types)
{
    if (cls == NULL) return isa__fail_null(__func__, "cls");
    isa_status status = check_method("isa_class_add_method", cls, sel, imp, types);
    return status == ISA_OK ? isa__method_add(cls, sel, imp, types) : status;
}

isa_status isa__method_add_sent(isa_class cls, isa_sel sel, isa_imp imp, const char *types)
{
    ISA_ASSERT(check_method("isa__method_add_sent", cls, sel, imp, types) == ISA_OK);
    isa_status status = isa__method_add(cls, sel, imp, types);
    return status == ISA_OK ? isa__selector_note_sent(sel, cls, types) : status;
}

isa_status isa__method_add(isa_class cls, isa_sel sel, isa_imp imp, const char *types)
{
    isa_method method;
    isa_status status;
    isa__lock(&isa__model_lock);
    if (isa__method_find_own_locked(cls, sel) == NULL)
        status = method_add_locked(cls, sel, imp, types, &method);
    else
        status = isa__fail(ISA_ERR_EXISTS, NULL, "isa_class_add_method: class %s has a method %s",
                           cls->name, sel->name);
    isa__unlock(&isa__model_lock);
    if (status == ISA_OK) report(ISA_EVENT_METHOD_ADDED, method);
    return status;
}

// Gives a method another encoding, if it differs; each stays until the class goes.
static isa_status set_types_locked(isa_method method, const char *types)
{
    if (strcmp(method->types, types) == 0) return ISA_OK;
    char *copy = isa__copy_text(types);
    isa_status status = copy == NULL ? ISA_ERR_NO_MEMORY
                                     : isa__array_add(&method->cls->later_types, copy);
    if (status == ISA_OK) {
        __atomic_store_n(&method->types, copy, __ATOMIC_RELEASE);
        return ISA_OK;
    }
    isa__free_text(copy);
    return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for the encoding of method %s of class %s",
                     method->selector->name, method->cls->name);
}

static isa_status replace_locked(isa_class cls, isa_sel sel, isa_imp imp, const char *types,
                                 isa_method *out)
{
    *out = isa__method_find_own_locked(cls, sel);
    if (*out == NULL) return method_add_locked(cls, sel, imp, types, out);
    isa_status status = set_types_locked(*out, types);
    if (status == ISA_OK) set_imp_locked(*out, imp);
    return status;
}

isa_status isa_class_replace_method(isa_class cls, isa_sel sel, isa_imp imp, const char *types,
                                    isa_imp *old)
{
    if (cls == NULL) return isa__fail_null(__func__, "cls");
    isa_status status = check_method("isa_class_replace_method", cls, sel, imp, types);
    return status == ISA_OK ? isa__method_replace(cls, sel, imp, types, old) : status;
}

isa_status isa__method_replace(isa_class cls, isa_sel sel, isa_imp imp, const char *types,
                               isa_imp *old)
{
    isa_method method;
    isa__lock(&isa__model_lock);
    isa_imp before = isa__dispatch_get(cls, sel);
    isa_status status = replace_locked(cls, sel, imp, types, &method);
    isa__unlock(&isa__model_lock);
    if (status != ISA_OK) return status;
    if (old != NULL) *old = before;
    report(ISA_EVENT_METHOD_REPLACED, method);
    return ISA_OK;
}

isa_status isa_method_set_imp(isa_method method, isa_imp imp, isa_imp *old)
{
    if (method == NULL) return isa__fail_null(__func__, "method");
    if (imp == NULL)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "isa_method_set_imp: no IMP for %s",
                         method->selector->name);
    isa__lock(&isa__model_lock);
    isa_imp before = method->imp;
    set_imp_locked(method, imp);
    isa__unlock(&isa__model_lock);
    if (old != NULL) *old = before;
    report(ISA_EVENT_METHOD_REPLACED, method);
    return ISA_OK;
}

static isa_status check_same_types(isa_method first, isa_method second)
{
    char *first_types = isa__encoding_copy_canonical(isa_method_types(first));
    char *second_types = isa__encoding_copy_canonical(isa_method_types(second));
    isa_status status = ISA_OK;
    if (first_types == NULL || second_types == NULL)
        status = isa__fail(ISA_ERR_NO_MEMORY, NULL, "isa_method_exchange: no memory");
    else if (strcmp(first_types, second_types) != 0)
        status = isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                           "isa_method_exchange: %s has the encoding %s, %s has %s",
                           first->selector->name, isa_method_types(first), second->selector->name,
                           isa_method_types(second));
    isa__free_text(first_types);
    isa__free_text(second_types);
    return status;
}

// A wrapper finds its setter through the notifying class, and is of no use in any other.
static isa_status check_not_wrapper(isa_method method)
{
    if (!(isa__class_flags(method->cls) & ISA_CLASS_NOTIFYING)) return ISA_OK;
    return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                     "isa_method_exchange: method %s belongs to %s, which wraps that of %s: a "
                     "method of %s was expected",
                     method->selector->name, method->cls->name, method->cls->original->name,
                     method->cls->original->name);
}

isa_status isa_method_exchange(isa_method first, isa_method second)
{
    if (first == NULL || second == NULL) return isa__fail_null(__func__, "first or second");
    isa_status status = check_not_wrapper(first);
    if (status == ISA_OK) status = check_not_wrapper(second);
    if (status == ISA_OK) status = check_same_types(first, second);
    if (status != ISA_OK) return status;
    isa__lock(&isa__model_lock);
    isa_imp imp = first->imp;
    set_imp_locked(first, second->imp);
    set_imp_locked(second, imp);
    isa__unlock(&isa__model_lock);
    report(ISA_EVENT_METHOD_REPLACED, first);
    report(ISA_EVENT_METHOD_REPLACED, second);
    return ISA_OK;
}

// ---- ending -------------------------------------------------------------------------------------

void isa__method_remove(isa_method method)
{
    isa_class cls = method->cls;
    isa_sel sel = method->selector;
    isa__lock(&isa__model_lock);
    isa__map_remove(&cls->methods, sel);
    isa__array_remove(&cls->method_order, method);
    isa_class above = cls->superclass;
    set_imp_locked(method, above == NULL ? NULL : isa__dispatch_get(above, sel));
    isa__unlock(&isa__model_lock);
    free_method(method);
}

void isa__methods_free_locked(isa_class cls)
{
    for (size_t i = 0; i < cls->method_order.count; i++) free_method(cls->method_order.items[i]);
    for (size_t i = 0; i < cls->later_types.count; i++) isa__free_text(cls->later_types.items[i]);
    isa__array_clear(&cls->method_order);
    isa__array_clear(&cls->later_types);
    isa__map_clear(&cls->methods);
}
