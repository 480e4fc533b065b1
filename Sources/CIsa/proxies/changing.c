// Proxies that change: how a key is changed, and one change from its check to its announcement.
//
// Owns:      nothing beyond what each edit has retained.
// Locks:     none; everything here may run user code.
// Invariant: a failure that can be foreseen comes before anything is announced, and one edit is
//            announced once, however many accessors make it.
#include "../base/status.h"
#include "../call/signature.h"
#include "../model/method.h"
#include "../model/selector.h"
#include "../object/object.h"
#include "../objects/collection.h"
#include "proxy.h"

// ---- how a key is changed -----------------------------------------------------------------------

// An object that answers `setValue:forKey:` itself is sent that message, even if it has ivars.
static isa_status find_way(isa_class cls, const char *key, bool ordered, uint64_t epoch,
                           struct isa__way *out)
{
    *out = (struct isa__way){.tier = ISA_TIER_ACCESSORS};
    isa__shortcut_clear(&out->shortcut);
    isa__mutators_find(cls, key, &out->mutators);
    out->has_setter = isa__method_find_named(cls, ISA_NAME_SET, key) != NULL;
    if (ordered && isa__mutators_are_ordered(&out->mutators, false))
        return isa__shortcut_find(cls, key, &out->mutators, epoch, &out->shortcut);
    if (!ordered && isa__mutators_are_unordered(&out->mutators)) return ISA_OK;
    out->tier = ISA_TIER_WHOLE;
    if (out->has_setter || !isa__coding_sets_directly(cls)) return ISA_OK;
    isa_status status = isa__accessor_find_collection(cls, key, &out->ivar);
    if (out->ivar.kind == ISA_ACCESSOR_IVAR) out->tier = ISA_TIER_IVAR;
    return status;
}

// Once its class has a way for it, the class answers for the key.
static void keep_way(isa_class cls, const char *text, enum isa__subject subject,
                     const struct isa__way *way, uint64_t epoch)
{
    bool answers = way->tier != ISA_TIER_WHOLE || way->has_setter;
    const struct isa__key *key = answers ? isa__key_intern(text) : isa__key_find(text);
    if (key != NULL) isa__fact_keep(cls, key, subject, way, sizeof *way, epoch);
}

isa_status isa__to_many_look_up(struct isa__to_many *proxy)
{
    isa_class cls = isa_object_get_class(proxy->head.object);
    uint64_t epoch = isa__method_epoch();
    if (proxy->cls == cls && proxy->epoch == epoch) return ISA_OK;
    kvc_kind kind = kvc_kind_of((isa_id)proxy);
    bool ordered = kind != KVC_KIND_SET;
    enum isa__subject subject = ordered ? ISA_FACT_ORDERED : ISA_FACT_UNORDERED;
    const struct isa__key *key = isa__key_find(proxy->head.key);
    struct isa__way *way = &proxy->way;
    proxy->cls = NULL;
    if (key == NULL || !isa__fact_recall(cls, key, subject, way, sizeof *way)) {
        isa_status status = find_way(cls, proxy->head.key, ordered, epoch, way);
        if (status != ISA_OK) return status;
        keep_way(cls, proxy->head.key, subject, way, epoch);
    }
    if (kind != KVC_KIND_ARRAY) isa__shortcut_clear(&way->shortcut);
    proxy->cls = cls;
    proxy->epoch = epoch;
    return ISA_OK;
}

// ---- what a key has -----------------------------------------------------------------------------

// Fails for nil where a setter would have to be given something else, and for the value that is the
// proxy itself or its like, which can answer nothing. `*value` is NULL then.
static isa_status check_value(const struct isa__to_many *proxy, isa_sel sel, isa_id *value)
{
    if (isa__proxy_is_same(&proxy->head, *value)) {
        isa_object_release(*value);
        *value = NULL;
        return isa__proxy_endless((isa_id)proxy, sel);
    }
    bool replaces = proxy->way.tier == ISA_TIER_WHOLE && proxy->way.has_setter;
    if (*value != NULL || !replaces) return ISA_OK;
    return isa__fail_for(proxy->head.object, proxy->head.key, KVC_ERR_NIL_VALUE,
                         "NSInternalInconsistencyException",
                         "-[%s %s]: value for the key %.128s of object %p is nil",
                         isa__box_class_name((isa_id)proxy), isa_sel_name(sel), proxy->head.key,
                         (void *)proxy->head.object);
}

// Reads the ivar itself where it is what changes, and where the class does not say otherwise.
static isa_status read_container(const struct isa__to_many *proxy, isa_id *out)
{
    const char *key = proxy->head.key;
    if (proxy->way.tier != ISA_TIER_IVAR || !isa__coding_is_direct(proxy->cls))
        return kvc_copy_value(proxy->head.object, key, out);
    if (isa__accessor_is_object(&proxy->way.ivar))
        return isa__accessor_read(&proxy->way.ivar, proxy->head.object, out);
    return isa__fail_for(proxy->head.object, key, KVC_ERR_TYPE, NULL,
                         "key %.128s has type \"%s\", which is no collection", key,
                         proxy->way.ivar.types);
}

// Answers with a status of its own, and NULL, for what could not be read.
static isa_status open_container(struct isa__to_many *proxy, isa_sel sel, isa_id *out,
                                 isa_status *reading)
{
    *out = NULL;
    struct isa__thread *thread = isa__thread_get();
    isa_status status = isa__proxy_enter(thread, (isa_id)proxy, sel);
    if (status != ISA_OK) return status;
    status = isa__to_many_look_up(proxy);
    if (status == ISA_OK) *reading = read_container(proxy, out);
    if (status == ISA_OK && *reading == ISA_OK) *reading = check_value(proxy, sel, out);
    if (status != ISA_OK) isa__proxy_leave(thread);
    return status;
}

isa_status isa__to_many_open(isa_id proxy, isa_sel sel, isa_id *container)
{
    isa_status reading;
    isa_status status = open_container((struct isa__to_many *)proxy, sel, container, &reading);
    if (status != ISA_OK || reading == ISA_OK) return status;
    isa__to_many_close(*container);
    return reading;
}

void isa__to_many_close(isa_id container)
{
    isa_object_release(container);
    isa__proxy_leave(isa__thread_get());
}

uint64_t isa__to_many_count(isa_id self, isa_sel sel)
{
    struct isa__to_many *proxy = (struct isa__to_many *)self;
    struct isa__thread *thread = isa__thread_get();
    isa_id container;
    if (isa__to_many_has_shortcut(proxy) && isa__proxy_enter(thread, self, sel) == ISA_OK) {
        size_t answer = isa__shortcut_count(&proxy->way.shortcut, proxy->head.object);
        isa__proxy_leave(thread);
        return answer;
    }
    if (isa__to_many_open(self, sel, &container) != ISA_OK) return 0;
    size_t count = kvc_collection_count(container);
    isa__to_many_close(container);
    return count;
}

// ---- one change ---------------------------------------------------------------------------------

// Whether a collection of the container's class takes `sel`, sent to itself or to a mutable copy.
static isa_status check_container(const struct isa__edit *edit, isa_sel sel)
{
    kvc_kind kind = kvc_kind_of(edit->container);
    bool copies = edit->proxy->way.tier == ISA_TIER_WHOLE;
    isa_class cls = copies ? kvc_class_of_kind(kind, true) : isa_object_get_class(edit->container);
    bool takes = kind >= KVC_KIND_ARRAY && kind <= KVC_KIND_SET &&
                 isa_class_find_imp(cls, sel) != NULL;
    return takes ? ISA_OK : isa__box_unrecognized(edit->container, sel);
}

isa_status isa__edit_begin(struct isa__edit *edit, isa_id proxy, isa_sel sel)
{
    *edit = (struct isa__edit){.proxy = (struct isa__to_many *)proxy};
    edit->change.key = edit->proxy->head.key;
    isa_status status = open_container(edit->proxy, sel, &edit->container, &edit->status);
    if (status != ISA_OK) return status;
    bool by_accessors = edit->proxy->way.tier == ISA_TIER_ACCESSORS;
    if (edit->status != ISA_OK && !(by_accessors && edit->status == KVC_ERR_UNDEFINED_KEY))
        status = edit->status;
    else if (!by_accessors && edit->container != NULL) status = check_container(edit, sel);
    if (status != ISA_OK) isa__edit_end(edit);
    return status;
}

void isa__edit_end(struct isa__edit *edit)
{
    isa__to_many_close(edit->container);
}

isa_status isa__edit_send(const struct isa__edit *edit, enum isa__mutator which,
                          const struct isa__accessor_arguments *arguments)
{
    isa_method method = edit->proxy->way.mutators.methods[which];
    return isa__accessor_send(edit->proxy->head.object, method,
                              isa__name_signature(ISA_NAME_INSERT + which), arguments, NULL);
}

static isa_status make_empty(const struct isa__edit *edit, isa_id *out)
{
    return isa_object_allocate(kvc_class_of_kind(kvc_kind_of((isa_id)edit->proxy), true), out);
}

static isa_status change_whole(const struct isa__edit *edit)
{
    isa_id object = edit->proxy->head.object, old = NULL, changed = NULL;
    isa_status status = kvc_copy_value(object, edit->change.key, &old);
    if (status != ISA_OK) return status;
    status = old == NULL ? make_empty(edit, &changed) : kvc_collection_mutable_copy(old, &changed);
    if (status == ISA_OK) status = edit->apply(edit, changed);
    if (status == ISA_OK) status = kvc_set_value(object, edit->change.key, changed);
    isa_object_release(changed);
    isa_object_release(old);
    return status;
}

// Puts a collection into an ivar that has none, if the ivar would keep it.
static isa_status fill_ivar(const struct isa__edit *edit)
{
    const struct isa__accessor *ivar = &edit->proxy->way.ivar;
    if (ivar->ownership == ISA_OWNERSHIP_NONE || ivar->ownership == ISA_OWNERSHIP_WEAK)
        return isa__fail_for(edit->proxy->head.object, edit->change.key, KVC_ERR_NIL_VALUE,
                             "NSInternalInconsistencyException",
                             "value for the key %.128s of object %p is nil, and its ivar would "
                             "not keep a new collection", edit->change.key,
                             (void *)edit->proxy->head.object);
    isa_id made = NULL;
    isa_status status = make_empty(edit, &made);
    if (status == ISA_OK) status = edit->apply(edit, made);
    if (status == ISA_OK) status = isa__accessor_write(ivar, edit->proxy->head.object, &made);
    isa_object_release(made);
    return status;
}

static isa_status change_in_place(const struct isa__edit *edit)
{
    isa_id collection = NULL;
    isa_status status = read_container(edit->proxy, &collection);
    if (status != ISA_OK) return status;
    if (collection == NULL) return fill_ivar(edit);
    status = edit->apply(edit, collection);
    isa_object_release(collection);
    return status;
}

static isa_status mutate(void *context)
{
    const struct isa__edit *edit = context;
    switch (edit->proxy->way.tier) {
    case ISA_TIER_ACCESSORS: return edit->send(edit);
    case ISA_TIER_IVAR: return change_in_place(edit);
    default: return change_whole(edit);
    }
}

isa_status isa__edit_commit(struct isa__edit *edit)
{
    if (isa__coding_hooks.change_to_many == NULL) return mutate(edit);
    return isa__coding_hooks.change_to_many(edit->proxy->head.object, &edit->change, mutate, edit);
}
