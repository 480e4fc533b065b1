// Allocation, deallocation, isa swap, what every object answers to, and what it does not.
//
// Owns:      an instance's memory, from allocation to the end of its deallocation.
// Locks:     isa__lock_for(object) orders the isa swaps of one object; reading an isa takes none.
// Invariant: `instances` of a class counts the live objects whose isa is it or its notifying class.
#include "object.h"

#include "../base/alloc.h"
#include "../base/containers.h"
#include "../base/event.h"
#include "../base/status.h"
#include "../model/dispatch.h"
#include "../model/ivar.h"
#include "../model/method.h"
#include "../model/selector.h"
#include "isa_object.h"

struct isa__object_hooks isa__object_hooks;

isa_class isa_object_get_class(isa_id object)
{
    return (isa_class)isa_header_isa((const struct isa_header *)object);
}

// ---- allocation ---------------------------------------------------------------------------------

static void count_instance(isa_class cls, int64_t by)
{
    __atomic_fetch_add(&cls->original->instances, by, __ATOMIC_RELAXED);
}

static isa_status check_allocatable(isa_class cls, bool hooked)
{
    if (cls == NULL) return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no class to allocate from");
    uint32_t flags = isa__class_flags(cls);
    if (flags & ISA_CLASS_META)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "%s is a metaclass: its one instance is %s", cls->name, cls->name);
    if (!(flags & ISA_CLASS_REGISTERED))
        return isa__fail(ISA_ERR_NOT_REGISTERED, NULL, "class %s is not registered yet", cls->name);
    if ((cls->hooks != NULL) != hooked)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "class %s has %s memory hooks", cls->name,
                         hooked ? "no" : "its own");
    return ISA_OK;
}

isa_status isa_object_allocate(isa_class cls, isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    isa_status status = check_allocatable(cls, false);
    if (status != ISA_OK) return status;
    struct isa_header *header = isa__alloc(ISA_KIND_OBJECT, cls->instance_size);
    if (header == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for an instance of %s", cls->name);
    // A notifying class set on an object that nobody observes counts as its original.
    header->isa = (uintptr_t)cls->original;
    header->record = ISA_RECORD_COUNT_UNIT | ISA_RECORD_INLINE;
    count_instance(cls, 1);
    *out = (isa_id)header;
    ISA_EVENT(.kind = ISA_EVENT_OBJECT_ALLOCATED, .object = *out, .cls = cls->original);
    return ISA_OK;
}

isa_status isa_object_adopt(isa_class cls, struct isa_header *header, isa_id *out)
{
    isa_status status = check_allocatable(cls, true);
    if (status != ISA_OK) return status;
    *out = (isa_id)header;
    uintptr_t none = 0;
    // Before the isa, by which other threads know an object.
    __atomic_compare_exchange_n(&header->record, &none, ISA_RECORD_INLINE, false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
    none = 0;
    if (!__atomic_compare_exchange_n(&header->isa, &none, (uintptr_t)cls->original, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return ISA_OK;
    count_instance(cls, 1);
    ISA_EVENT(.kind = ISA_EVENT_OBJECT_ALLOCATED, .object = *out, .cls = cls->original);
    return ISA_OK;
}

// ---- deallocation -------------------------------------------------------------------------------

typedef void (*dealloc_imp)(isa_id, isa_sel);

// Runs `dealloc` of each class that declares it, from the most derived to the root.
static void run_deallocs(isa_id object)
{
    if (isa_class_find_imp(isa_object_get_class(object), isa__sel_dealloc) == NULL) return;
    for (isa_class cls = isa_object_get_class(object); cls != NULL; cls = cls->superclass) {
        isa_method method = isa__method_find_own(cls, isa__sel_dealloc);
        if (method != NULL) ((dealloc_imp)isa_method_imp(method))(object, isa__sel_dealloc);
    }
}

// Lets go of what the object's ivars own.
static void release_ivars(isa_id object, isa_class cls)
{
    for (; cls != NULL && isa__class_flags(cls) & ISA_CLASS_OWNING_IVARS; cls = cls->superclass) {
        for (size_t i = 0; i < cls->ivars.count; i++) {
            isa_ivar ivar = cls->ivars.items[i];
            void *storage = isa_object_ivar_address(object, ivar);
            if (ivar->ownership == ISA_OWNERSHIP_WEAK) isa_weak_destroy(storage);
            else if (ivar->ownership != ISA_OWNERSHIP_NONE) isa_object_release(*(isa_id *)storage);
        }
    }
}

// Reports the weak references that now read NULL.
static void report_weak(isa_id object)
{
    struct isa__side *side = isa__side_find(object);
    if (side == NULL || !isa__event_on()) return;
    uint32_t weak = __atomic_load_n(&side->holders, __ATOMIC_ACQUIRE) - 1;
    if (weak > 0) ISA_EVENT(.kind = ISA_EVENT_WEAK_CLEARED, .object = object, .count = weak);
}

// Ends what others hold of the object. Associated objects go first, as on Apple systems: one may
// remove the observers that it has registered, or associate another in its own dealloc.
static void end_relations(isa_id object)
{
    do {
        isa_object_remove_associated(object);
        if (isa__object_hooks.end_observing != NULL) isa__object_hooks.end_observing(object);
    } while (isa__association_count(object) > 0);
}

void isa__object_deallocate(isa_id object)
{
    ISA_EVENT(.kind = ISA_EVENT_DEALLOCATED, .object = object, .cls = isa_object_get_class(object));
    run_deallocs(object);
    end_relations(object);
    report_weak(object);
    isa_class cls = isa_object_get_class(object);
    release_ivars(object, cls);
    // Once more: an ivar's own deallocation may have decorated this object.
    end_relations(object);
    size_t references = isa_object_retain_count(object);
    ISA_REQUIRE(references == 0,
                "object %p (%s): references taken during its deallocation outlive it: %zu",
                (void *)object, cls->name, references);
    struct isa__side *side = isa__side_find(object);
    if (side != NULL) __atomic_fetch_or(&side->flags, (uint16_t)ISA_SIDE_DEAD, __ATOMIC_RELEASE);
    count_instance(cls, -1);
    isa__free(ISA_KIND_OBJECT, object, cls->instance_size);
    if (side != NULL) isa__side_drop(side);
}

// Ends the relations of an object whose memory is not the core's to free.
static void end_foreign(isa_id object, uintptr_t *count)
{
    __atomic_fetch_or(count, ISA_RECORD_DEALLOCATING, __ATOMIC_ACQ_REL);
    struct isa__side *side = isa__side_find(object);
    if (side != NULL) __atomic_fetch_or(&side->flags, (uint16_t)ISA_SIDE_DEAD, __ATOMIC_RELEASE);
    end_relations(object);
    report_weak(object);
    side = isa__side_find(object);
    if (side != NULL) isa__side_drop(side);
}

void isa_object_abandon(isa_id object)
{
    ISA_REQUIRE_NOT_NULL(object);
    isa_class cls = isa_object_get_class(object);
    ISA_EVENT(.kind = ISA_EVENT_DEALLOCATED, .object = object, .cls = cls);
    end_foreign(object, &((struct isa_header *)object)->record);
    count_instance(isa_object_get_class(object), -1);
}

// A class object, which is immortal and whose memory its class pair frees.
static void end_class_object(isa_class cls)
{
    isa_id object = isa_class_as_object(cls);
    struct isa__side *side = isa__side_find(object);
    if (side != NULL) end_foreign(object, &side->count);
}

// ---- isa swap -----------------------------------------------------------------------------------

// The bits that send direct accesses to the messages. A notifying class leaves getters as they are.
static uintptr_t marks_for(isa_class cls)
{
    if (isa__class_flags(cls) & ISA_CLASS_LAID_OUT) return 0;
    bool is_original_laid_out = (isa__class_flags(cls->original) & ISA_CLASS_LAID_OUT) != 0;
    return is_original_laid_out ? ISA_RECORD_WATCHED : ISA_RECORD_WATCHED | ISA_RECORD_ASKED;
}

// No thread ever finds a bit cleared that stays.
static void mark_locked(isa_id object, isa_class cls)
{
    uintptr_t *word = &((struct isa_header *)object)->record;
    uintptr_t marks = marks_for(cls), all = ISA_RECORD_WATCHED | ISA_RECORD_ASKED;
    __atomic_fetch_or(word, marks, __ATOMIC_SEQ_CST);
    if (marks != all) __atomic_fetch_and(word, marks | ~all, __ATOMIC_SEQ_CST);
}

isa_class isa__object_swap_isa_locked(isa_id object, isa_class cls)
{
    struct isa_header *header = (struct isa_header *)object;
    isa_class old = (isa_class)isa_header_isa(header);
    __atomic_store_n(&header->isa, (uintptr_t)cls, __ATOMIC_RELEASE);
    if (cls->hooks != NULL) mark_locked(object, cls);
    if (old->original != cls->original) {
        count_instance(old, -1);
        count_instance(cls, 1);
    }
    return old;
}

void isa__object_report_swap(isa_id object, isa_class from, isa_class to)
{
    if (from == to) return;
    ISA_EVENT(.kind = ISA_EVENT_ISA_SWAPPED, .object = object, .cls = to, .other = from);
}

// The nearest class, from `cls` upwards, that declares ivars: it decides the layout.
static isa_class layout_class(isa_class cls)
{
    while (cls->superclass != NULL && cls->ivars.count == 0 &&
           !(isa__class_flags(cls) & ISA_CLASS_LAID_OUT))
        cls = cls->superclass;
    return cls;
}

static bool same_layout(isa_class first, isa_class second)
{
    if (first->hooks != second->hooks || first->instance_size != second->instance_size)
        return false;
    if (layout_class(first) == layout_class(second)) return true;
    return first->hooks == NULL && !((first->flags | second->flags) & ISA_CLASS_OWNING_IVARS);
}

static isa_status check_settable(isa_id object, isa_class cls)
{
    if (object == NULL || cls == NULL)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no %s to set",
                         object == NULL ? "object" : "class");
    uint32_t flags = isa__class_flags(cls);
    isa_class now = isa_object_get_class(object);
    if (flags & ISA_CLASS_META || isa__class_flags(now) & ISA_CLASS_META)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "the isa of class object %s stays",
                         now->name);
    if (!(flags & ISA_CLASS_REGISTERED))
        return isa__fail(ISA_ERR_NOT_REGISTERED, NULL, "class %s is not registered yet", cls->name);
    if (!same_layout(now, cls))
        return isa__fail(ISA_ERR_LAYOUT, NULL, "instances of %s (%zu bytes) and %s (%zu bytes) are "
                         "laid out differently", now->name, now->instance_size, cls->name,
                         cls->instance_size);
    return ISA_OK;
}

// Swaps the isa to `*to`, which observing/ chooses for `cls`.
static isa_status swap_prepared(isa_id object, isa_class cls, isa_class *to, isa_class *before)
{
    struct isa__array known = {0};
    isa_status status;
    bool chosen = false;
    while (!chosen) {
        status = isa__object_hooks.prepare_class(object, cls, &known, to);
        if (status != ISA_OK) break;
        struct isa__lock *lock = isa__lock_object(object);
        chosen = isa__object_hooks.choose_class_locked(object, cls, &known, to);
        if (chosen) *before = isa__object_swap_isa_locked(object, *to);
        isa__unlock(lock);
    }
    isa__array_clear(&known);
    return status;
}

isa_status isa_object_set_class(isa_id object, isa_class cls, isa_class *old)
{
    isa_class to, before;
    isa_status status = check_settable(object, cls);
    if (status == ISA_OK) status = swap_prepared(object, cls, &to, &before);
    if (status != ISA_OK) return status;
    isa__object_report_swap(object, before, to);
    if (old != NULL) *old = before;
    return ISA_OK;
}

// ---- questions ----------------------------------------------------------------------------------

bool isa_object_is_kind_of(isa_id object, isa_class cls)
{
    ISA_REQUIRE_NOT_NULL(object);
    return isa_class_is_subclass(isa_object_get_class(object), cls);
}

bool isa_object_responds_to(isa_id object, isa_sel sel)
{
    ISA_REQUIRE_NOT_NULL(object);
    return isa_class_find_imp(isa_object_get_class(object), sel) != NULL;
}

bool isa__object_copies(isa_id object)
{
    isa_method method = isa_class_find_method(isa_object_get_class(object), isa__sel_copy);
    return isa__method_has_types(method, "@@:");
}

void *isa_object_ivar_address(isa_id object, isa_ivar ivar)
{
    ISA_REQUIRE_NOT_NULL(object);
    ISA_REQUIRE_NOT_NULL(ivar);
    return (char *)object + ivar->offset;
}

// ---- failures -----------------------------------------------------------------------------------

isa_status isa__fail_for(isa_id object, const char *key, isa_status status, const char *exception,
                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    isa_error about = {
        .status = status,
        .exception = exception,
        .object = object,
        .class_name = isa_object_get_class(object)->original->name,
        .key = key,
    };
    isa__fail_about(&about, format, arguments);
    va_end(arguments);
    return status;
}

// ---- the root class's methods -------------------------------------------------------------------

static isa_id answer_self(isa_id self, isa_sel sel)
{
    (void)sel;
    return self;
}

static isa_class answer_class(isa_id self, isa_sel sel)
{
    (void)sel;
    return isa_object_get_class(self);
}

// The class that the object claims to have, which the next three follow as `class` does.
static isa_class claimed_class(isa_id self)
{
    return ISA_SEND(isa_class (*)(isa_id, isa_sel), self, isa__sel_class_);
}

static isa_class answer_superclass(isa_id self, isa_sel sel)
{
    (void)sel;
    isa_class claimed = claimed_class(self);
    return claimed == NULL ? NULL : claimed->superclass;
}

static bool answer_is_kind_of(isa_id self, isa_sel sel, isa_class cls)
{
    (void)sel;
    isa_class claimed = claimed_class(self);
    return claimed != NULL && isa_class_is_subclass(claimed, cls);
}

static bool answer_is_member_of(isa_id self, isa_sel sel, isa_class cls)
{
    (void)sel;
    return claimed_class(self) == cls;
}

static bool answer_responds_to(isa_id self, isa_sel sel, isa_sel asked)
{
    (void)sel;
    return asked != NULL && isa_object_responds_to(self, asked);
}

isa_status isa__object_start(void)
{
    isa__class_hooks.end_object = end_class_object;
    static const struct {
        const char *name;
        isa_imp imp;
        const char *types;
    } methods[] = {
        {"self", (isa_imp)answer_self, "@@:"},
        {"class", (isa_imp)answer_class, "#@:"},
        {"superclass", (isa_imp)answer_superclass, "#@:"},
        {"isKindOfClass:", (isa_imp)answer_is_kind_of, "B@:#"},
        {"isMemberOfClass:", (isa_imp)answer_is_member_of, "B@:#"},
        {"respondsToSelector:", (isa_imp)answer_responds_to, "B@::"},
    };
    isa_status status = isa__selector_note_sent(isa__sel_dealloc, isa_root_class(), "v@:");
    for (size_t i = 0; i < sizeof methods / sizeof *methods && status == ISA_OK; i++)
        status = isa_class_add_method(isa_root_class(), isa_sel_register(methods[i].name),
                                      methods[i].imp, methods[i].types);
    if (status == ISA_OK)
        status = isa__selector_note_sent(isa__sel_class_, isa_root_class(), "#@:");
    return status;
}

// ---- messages -----------------------------------------------------------------------------------

// Message lookup beyond the inline path: super calls, and objects that do not respond.

static struct isa__callout unrecognized;

void isa_set_unrecognized_hook(isa_unrecognized_hook hook, void *context)
{
    isa__callout_set(&unrecognized, (void (*)(void))hook, context);
}

// The IMP that the hook gives for a message, NULL without a hook or if it declines.
static isa_imp ask_hook(isa_id object, isa_sel sel)
{
    struct isa__callout_call call;
    if (!isa__callout_enter(&unrecognized, &call)) return NULL;
    isa_imp imp = ((isa_unrecognized_hook)call.function)(object, sel, call.context);
    isa__callout_leave(&call);
    return imp;
}

isa_imp isa_lookup_unrecognized(isa_id object, isa_sel sel)
{
    isa_imp imp = ask_hook(object, sel);
    if (imp != NULL) return imp;
    isa_class cls = isa_object_get_class(object);
    isa__stop("%c[%s %s]: unrecognized selector sent to object %p",
              isa_class_is_metaclass(cls) ? '+' : '-', isa_class_name(cls), isa_sel_name(sel),
              (void *)object);
}

isa_imp isa_lookup_super(isa_class cls, isa_sel sel)
{
    ISA_REQUIRE_NOT_NULL(cls);
    ISA_REQUIRE_NOT_NULL(sel);
    isa_class superclass = isa_class_superclass(cls);
    return superclass == NULL ? NULL : isa__dispatch_get(superclass, sel);
}
