// Wrapper records: what a notifying setter or accessor has to know of its method, and its cached
// setter, which says how the usual case goes.
//
// Owns:      the records and their closures, until the class is disposed of: a thread may still be
//            inside a wrapper that has been replaced. Each record's cached setter, until it is
//            replaced, and then until base/reclaim.h says that no reader holds it.
// Locks:     the observing lock orders making and planting; wrappers run with none.
// Invariant: the original runs exactly once for every call, even if the isa changes meanwhile. A
//            cached setter's epoch was read before anything else in it, so a change meanwhile makes
//            it stale.
#include "notifying_class.h"

#include <string.h>

#include "../base/alloc.h"
#include "../call/call.h"
#include "../coding/accessor.h"
#include "../model/ivar.h"
#include "../model/method.h"
#include "../object/object.h"
#include "deliver.h"

// ---- finding ------------------------------------------------------------------------------------

struct isa__wrapper *isa__wrapper_above(isa_id self, isa_sel sel)
{
    for (isa_class cls = isa_object_get_class(self); cls != NULL; cls = cls->superclass) {
        struct isa__wrapper *wrapper = isa__wrapper_in(cls, sel);
        if (wrapper != NULL) return wrapper;
    }
    return NULL;
}

// ---- events -------------------------------------------------------------------------------------

static isa_event event_of(isa_event_kind kind, isa_id self, const struct isa__wrapper *wrapper)
{
    return (isa_event){.kind = kind,
                       .flags = wrapper->closure != NULL ? ISA_EVENT_CLOSURE : 0,
                       .object = self,
                       .cls = wrapper->notifying,
                       .selector = wrapper->selector,
                       .imp = isa__wrapper_original(wrapper),
                       .key = isa__wrapper_key(wrapper)->text};
}

uint64_t isa__wrapper_report_entered(isa_id self, const struct isa__wrapper *wrapper)
{
    isa_event event = event_of(ISA_EVENT_WRAPPER_ENTERED, self, wrapper);
    return isa__event_begin(&event);
}

void isa__wrapper_report_left(isa_id self, const struct isa__wrapper *wrapper, uint64_t cause)
{
    isa_event event = event_of(ISA_EVENT_WRAPPER_LEFT, self, wrapper);
    isa__event_report(&event);
    isa__event_end(cause);
}

// The ivar behind the wrapper's key: the property's, or that of key-value coding; else NULL.
static isa_ivar find_ivar(const struct isa__wrapper *wrapper)
{
    static const enum isa__name names[] = {ISA_NAME_UNDERSCORED, ISA_NAME_UNDERSCORED_IS,
                                           ISA_NAME_KEY, ISA_NAME_IS};
    isa_class cls = wrapper->notifying->superclass;
    const char *key = isa__wrapper_key(wrapper)->text;
    isa_property property = isa_class_find_property(cls, key);
    if (property != NULL && property->info.ivar != NULL)
        return isa_class_find_ivar(cls, property->info.ivar);
    isa_ivar ivar = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && ivar == NULL; i++)
        ivar = isa__ivar_find_named(cls, names[i], key);
    return ivar;
}

// The class that adds the ivar.
static isa_class owner_of(isa_ivar ivar, isa_class cls)
{
    while (cls->superclass != NULL && isa_class_find_ivar(cls->superclass, ivar->name) == ivar)
        cls = cls->superclass;
    return cls;
}

// Copies what others may be writing meanwhile.
static void copy_bytes(unsigned char *to, const unsigned char *from, size_t size)
{
    for (size_t i = 0; i < size; i++) to[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
}

static size_t logged_size(isa_ivar ivar)
{
    return ivar->size < ISA_LOGGED_BYTES ? ivar->size : ISA_LOGGED_BYTES;
}

void isa__original_log_begin(struct isa__original_log *log, isa_id self,
                             const struct isa__wrapper *wrapper)
{
    isa_event event = event_of(ISA_EVENT_ORIGINAL_CALLED, self, wrapper);
    log->cause = isa__event_begin(&event);
    log->ivar = find_ivar(wrapper);
    if (log->ivar != NULL)
        copy_bytes(log->before, (const unsigned char *)self + log->ivar->offset,
                   logged_size(log->ivar));
}

// A setter is any code: that it has written the ivar shows by its bytes, unless it is one of the
// runtime's own.
static void report_written(const struct isa__original_log *log, isa_id self,
                           const struct isa__wrapper *wrapper)
{
    unsigned char after[ISA_LOGGED_BYTES];
    isa_ivar ivar = log->ivar;
    const unsigned char *place = (const unsigned char *)self + ivar->offset;
    copy_bytes(after, place, logged_size(ivar));
    bool is_written = memcmp(log->before, after, logged_size(ivar)) != 0 ||
                      isa__synthesized_setter_writes(isa__wrapper_original(wrapper), ivar);
    if (!is_written) return;
    isa__event_report(&(isa_event){.kind = ISA_EVENT_IVAR_WRITTEN,
                                   .object = self,
                                   .cls = owner_of(ivar, wrapper->notifying->superclass),
                                   .name = ivar->name,
                                   .types = ivar->types,
                                   .value = ivar->ownership == ISA_OWNERSHIP_WEAK ? NULL : place});
}

void isa__original_log_end(const struct isa__original_log *log, isa_id self,
                           const struct isa__wrapper *wrapper)
{
    if (log->ivar != NULL) report_written(log, self, wrapper);
    isa_event event = event_of(ISA_EVENT_ORIGINAL_RETURNED, self, wrapper);
    isa__event_report(&event);
    isa__event_end(log->cause);
}

// ---- when the isa has gone back -----------------------------------------------------------------

// The original of a method that some class on the object's chain was once observed for.
static isa_imp find_former_original(isa_id self, isa_sel sel)
{
    for (isa_class cls = isa_object_get_class(self); cls != NULL; cls = cls->superclass) {
        struct isa__observed *observed = __atomic_load_n(&cls->observing, __ATOMIC_ACQUIRE);
        if (observed == NULL || observed->original != cls) continue;
        isa_class notifying = __atomic_load_n(&observed->notifying, __ATOMIC_ACQUIRE);
        if (notifying != NULL && isa__wrapper_in(notifying, sel) != NULL)
            return isa__dispatch_get(cls, sel);
    }
    return NULL;
}

isa_imp isa__resend_begin(struct isa__resend *resend, isa_id self, isa_sel sel, isa_imp wrapper)
{
    struct isa__thread *thread = isa__thread_get();
    isa_imp imp = isa_lookup(self, sel);
    if (imp == wrapper || isa__pairs_have(&thread->resent, self, sel))
        imp = find_former_original(self, sel);
    ISA_REQUIRE(
        imp != NULL && imp != wrapper,
        "the notifying method %s was called for object %p of class %s, which never notified",
        sel->name, (void *)self, isa_class_name(isa_object_get_class(self)));
    resend->count = isa__pairs_begin(&thread->resent, self, sel);
    return imp;
}

void isa__resend_end(const struct isa__resend *resend)
{
    isa__thread_get()->resent.count = resend->count;
}

// ---- cached setters -----------------------------------------------------------------------------

static void free_cached(struct isa__retired *thing)
{
    isa__free(ISA_KIND_OTHER, thing, sizeof(struct isa__cached_setter));
}

// Fills in how the value is read; false if that cannot be cached.
static bool find_getter(const struct isa__wrapper *wrapper, struct isa__cached_setter *out)
{
    struct isa__answer answer;
    const struct isa__accessor *accessor = &answer.accessor;
    if (isa__answer_find(wrapper->observed->original, out->key->text, ISA_FACT_GETTER, &answer) !=
            ISA_OK ||
        accessor->kind == ISA_ACCESSOR_NONE || !answer.is_direct ||
        accessor->letter != wrapper->letter || accessor->ownership == ISA_OWNERSHIP_WEAK)
        return false;
    out->types = accessor->types;
    out->offset = accessor->offset;
    if (accessor->kind == ISA_ACCESSOR_IVAR) return true;
    out->getter_selector = accessor->selector;
    out->getter = isa__dispatch_get(wrapper->notifying, accessor->selector);
    if (out->getter == NULL) return false;
    // The work of its code can be done at once.
    if (isa__getter_code_find(out->getter, accessor->letter, &out->offset)) out->getter = NULL;
    return true;
}

static const uint64_t never = UINT64_MAX;

struct isa__cached_setter isa__no_cached_setter = {.ways = UINT64_MAX, .epoch = UINT64_MAX};

static void work_out(const struct isa__wrapper *wrapper, struct isa__cached_setter *out)
{
    out->notifying = wrapper->notifying;
    out->key = isa__wrapper_key(wrapper);
    out->original = isa__wrapper_original(wrapper);
    bool is_usual = wrapper->letter != 0 && !isa__class_is_gnustep(wrapper->notifying) &&
                    isa__observed_overrides(wrapper->observed) == 0 && find_getter(wrapper, out);
    out->ways = is_usual ? out->epoch : never;
}

// Whether `fresh` says what `cached` does, which another thread may bring up to date meanwhile.
static bool is_same(const struct isa__cached_setter *cached, const struct isa__cached_setter *fresh)
{
    bool has_way = __atomic_load_n(&cached->ways, __ATOMIC_RELAXED) != never;
    return has_way == (fresh->ways != never) && cached->key == fresh->key &&
           cached->original == fresh->original && cached->getter == fresh->getter &&
           cached->getter_selector == fresh->getter_selector && cached->offset == fresh->offset &&
           cached->types == fresh->types;
}

static bool bring_up_to_date(struct isa__cached_setter *cached,
                             const struct isa__cached_setter *fresh)
{
    if (cached == &isa__no_cached_setter || !is_same(cached, fresh)) return false;
    __atomic_store_n(&cached->ways, fresh->ways, __ATOMIC_RELEASE);
    __atomic_store_n(&cached->epoch, fresh->epoch, __ATOMIC_RELEASE);
    return true;
}

static void replace(struct isa__wrapper *wrapper, const struct isa__cached_setter *fresh)
{
    struct isa__cached_setter *made = isa__alloc_unset(ISA_KIND_OTHER, sizeof *made);
    if (made == NULL) return;
    *made = *fresh;
    struct isa__cached_setter *former =
        __atomic_exchange_n(&wrapper->cached, made, __ATOMIC_ACQ_REL);
    if (former != &isa__no_cached_setter) isa__retire(&former->retired);
}

void isa__cached_setter_renew(struct isa__wrapper *wrapper)
{
    // Where readers need fences none would hold, and a set looks at one before it fences.
    if (isa__slow_path_reasons() & ISA_SLOW_PATH_FENCES) return;
    struct isa__thread *thread = isa__reader_enter();
    struct isa__cached_setter *present = __atomic_load_n(&wrapper->cached, __ATOMIC_ACQUIRE);
    struct isa__cached_setter fresh = {.epoch = isa__method_epoch()};
    if (__atomic_load_n(&present->epoch, __ATOMIC_ACQUIRE) != fresh.epoch) {
        fresh.retired.tag = (uint32_t)ISA_RETIRED_CACHED_SETTER << ISA_RETIRED_TAG_SHIFT;
        work_out(wrapper, &fresh);
        if (!bring_up_to_date(present, &fresh)) replace(wrapper, &fresh);
    }
    isa__reader_leave(thread);
}

static void dispose_cached(struct isa__wrapper *wrapper)
{
    if (wrapper->cached != &isa__no_cached_setter)
        isa__free(ISA_KIND_OTHER, wrapper->cached, sizeof *wrapper->cached);
}

void isa__cached_setters_start(void)
{
    isa__retired_free[ISA_RETIRED_CACHED_SETTER] = free_cached;
}

// ---- planting -----------------------------------------------------------------------------------

static struct isa__wrapper_table *make_table(uint32_t slots)
{
    size_t size = sizeof(struct isa__wrapper_table) + slots * sizeof(struct isa__wrapper *);
    struct isa__wrapper_table *table = isa__alloc(ISA_KIND_OTHER, size);
    if (table != NULL) table->mask = slots - 1;
    return table;
}

static void insert(struct isa__wrapper_table *table, struct isa__wrapper *wrapper)
{
    uint32_t at = wrapper->selector->index & table->mask;
    while (table->slots[at] != NULL && table->slots[at]->selector != wrapper->selector)
        at = (at + 1) & table->mask;
    if (table->slots[at] == NULL) table->count++;
    __atomic_store_n(&table->slots[at], wrapper, __ATOMIC_RELEASE);
}

// Makes sure that one more fits: at most half of the slots are used.
static isa_status reserve_locked(isa_class notifying)
{
    struct isa__wrapper_table *table = notifying->setters;
    uint32_t slots = table == NULL ? 0 : table->mask + 1;
    if (table != NULL && (table->count + 1) * 2 <= slots) return ISA_OK;
    struct isa__wrapper_table *grown = make_table(slots == 0 ? 4 : slots * 2);
    if (grown == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a table of wrappers");
    for (uint32_t i = 0; i < slots; i++)
        if (table->slots[i] != NULL) insert(grown, table->slots[i]);
    grown->outgrown = table;
    __atomic_store_n(&notifying->setters, grown, __ATOMIC_RELEASE);
    return ISA_OK;
}

void isa__wrapper_free(struct isa__wrapper *wrapper)
{
    isa__trampoline_recycle(wrapper->closure);
    dispose_cached(wrapper);
    isa__free(ISA_KIND_OTHER, wrapper, sizeof *wrapper);
}

struct isa__wrapper *isa__wrapper_reuse_locked(struct isa__observed *observed,
                                               const struct isa__key *key, isa_sel sel,
                                               const char *types)
{
    struct isa__wrapper *found = isa__wrapper_in(observed->notifying, sel);
    bool serves = found != NULL && found->is_planted && found->wrapping == kvo_get_wrapping() &&
                  found->types == types;
    if (!serves) return NULL;
    if (found->key == key) return found;
    __atomic_store_n(&found->key, key, __ATOMIC_RELEASE);
    isa__method_epoch_advance(); // what is known of the former is stale, and its cached setter
    return found;
}

struct isa__wrapper *isa__wrapper_make_locked(struct isa__observed *observed,
                                              const struct isa__key *key, isa_sel sel,
                                              const char *types)
{
    struct isa__wrapper *made = isa__alloc_unset(ISA_KIND_OTHER, sizeof *made);
    if (made == NULL) {
        isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to wrap %s", sel->name);
        return NULL;
    }
    *made = (struct isa__wrapper){.selector = sel,
                                  .notifying = observed->notifying,
                                  .observed = observed,
                                  .key = key,
                                  .wrapping = kvo_get_wrapping(),
                                  .types = types,
                                  .cached = &isa__no_cached_setter};
    return made;
}

isa_status isa__wrapper_plant_locked(struct isa__observed *observed,
                                     struct isa__wrapper *wrapper)
{
    isa_status room = reserve_locked(observed->notifying);
    if (room == ISA_OK) room = isa__array_reserve(&observed->setters, observed->setters.count + 1);
    if (room != ISA_OK) {
        isa__wrapper_free(wrapper);
        return room;
    }
    // The record first: from the moment the method is there, its wrapper looks for it.
    struct isa__wrapper *former = isa__wrapper_in(observed->notifying, wrapper->selector);
    insert(observed->notifying->setters, wrapper);
    isa_status status = isa__method_replace(observed->notifying, wrapper->selector, wrapper->imp,
                                            wrapper->types, NULL);
    wrapper->is_planted = status == ISA_OK;
    // Owned from now on: should it have failed, a thread may have found the record already.
    isa__array_add(&observed->setters, wrapper);
    if (!wrapper->is_planted && former != NULL) insert(observed->notifying->setters, former);
    return status;
}

// ---- showing ------------------------------------------------------------------------------------

// Whether the notifying class's method leads to this record.
static bool is_current(const struct isa__wrapper *wrapper)
{
    return wrapper->is_planted && isa__wrapper_in(wrapper->notifying, wrapper->selector) == wrapper;
}

static kvo_setter_info describe(const struct isa__wrapper *wrapper)
{
    return (kvo_setter_info){
        .selector = wrapper->selector,
        .key = isa__wrapper_key(wrapper)->text,
        .types = wrapper->types,
        .wrapper = wrapper->imp,
        .original = isa__wrapper_original(wrapper),
        .is_closure = wrapper->closure != NULL};
}

isa_status isa__wrappers_copy_locked(const struct isa__observed *observed, kvo_setter_info **out,
                                     size_t *count)
{
    const struct isa__array *all = &observed->setters;
    kvo_setter_info *infos = isa__alloc_public((all->count + 1) * sizeof *infos);
    if (infos == NULL) return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to copy setters");
    size_t at = 0;
    for (size_t i = 0; i < all->count; i++)
        if (is_current(all->items[i])) infos[at++] = describe(all->items[i]);
    if (at == 0) isa_free(infos);
    *out = at == 0 ? NULL : infos;
    *count = at;
    return ISA_OK;
}

void isa__wrappers_dispose(struct isa__observed *observed)
{
    struct isa__wrapper_table *table = observed->notifying == NULL ? NULL
                                                                   : observed->notifying->setters;
    while (table != NULL) {
        struct isa__wrapper_table *outgrown = table->outgrown;
        isa__free(ISA_KIND_OTHER, table,
                  sizeof *table + (table->mask + 1) * sizeof(struct isa__wrapper *));
        table = outgrown;
    }
    for (size_t i = 0; i < observed->setters.count; i++)
        isa__wrapper_free(observed->setters.items[i]);
    isa__array_clear(&observed->setters);
}
