// Wrapped setters.
//
// A notifying setter is a typed thunk, one compiled function per scalar encoding shared by all
// classes, or a libffi closure. Either finds its record (a thunk through isa and selector, a
// closure in its context), announces, calls the original, and tells.
//
// Owns:      setter records and their closures, until the class is disposed of: a thread may still
//            be inside a wrapper that has been replaced.
// Locks:     the observing lock orders wrapping; wrappers run with none.
// Invariant: the original runs exactly once for every set, whatever the isa has become meanwhile,
//            and every will-change is followed by its did-change.
#include "setter.h"

#include <string.h>

#include "../base/event.h"
#include "../base/status.h"
#include "../call/invoke.h"
#include "../model/dispatch.h"
#include "../model/selector.h"
#include "change.h"
#include "delivery.h"

// ---- finding the record -------------------------------------------------------------------------

static inline struct isa__setter *find_in_table(const struct isa__setter_table *table, isa_sel sel)
{
    for (uint32_t at = sel->index & table->mask;; at = (at + 1) & table->mask) {
        struct isa__setter *setter = __atomic_load_n(&table->slots[at], __ATOMIC_ACQUIRE);
        if (setter == NULL || setter->selector == sel) return setter;
    }
}

static inline struct isa__setter *find_in_class(isa_class cls, isa_sel sel)
{
    const struct isa__setter_table *table = __atomic_load_n(&cls->setters, __ATOMIC_ACQUIRE);
    return table == NULL ? NULL : find_in_table(table, sel);
}

// Where the isa is no notifying class: looks for one further up, under somebody else's subclass.
static struct isa__setter *find_above(isa_id self, isa_sel sel)
{
    for (isa_class cls = isa_object_get_class(self); cls != NULL; cls = cls->superclass) {
        struct isa__setter *setter = find_in_class(cls, sel);
        if (setter != NULL) return setter;
    }
    return NULL;
}

isa_imp isa__setter_original(const struct isa__setter *setter)
{
    return isa__dispatch_get(setter->notifying->superclass, setter->selector);
}

// ---- announcing ---------------------------------------------------------------------------------

// How a set is accompanied.
enum accompaniment {
    ALONE,       // nobody observes the key on this object
    BY_FRAME,    // isa__change_will has announced it
    BY_MESSAGES, // the class has its own will- and didChangeValueForKey:
};

ISA_INLINE enum accompaniment begin(isa_id self, const struct isa__setter *setter,
                                    struct kvo_frame *frame)
{
    struct isa__side *side = isa__side_find(self);
    if (side == NULL || isa__observing_load(side) == 0) return ALONE;
    struct isa__watched *watched = __atomic_load_n(&setter->watched, __ATOMIC_ACQUIRE);
    if (ISA_UNLIKELY(isa__observed_overrides_changes(setter->observed))) {
        frame->key = watched->key;
        kvo_will_change(self, frame->key->text);
        return BY_MESSAGES;
    }
    return isa__change_will(frame, self, side, watched->key, watched) ? BY_FRAME : ALONE;
}

ISA_INLINE void end(isa_id self, enum accompaniment accompaniment, struct kvo_frame *frame)
{
    if (__builtin_expect(accompaniment == BY_FRAME, 1)) isa__change_did(frame);
    else kvo_did_change(self, frame->key->text);
}

ISA_RARE uint64_t report_entered(isa_id self,
                                 const struct isa__setter *setter)
{
    return isa__event_begin(&(isa_event){.kind = ISA_EVENT_TRAMPOLINE_ENTERED,
                                         .object = self,
                                         .cls = setter->notifying,
                                         .selector = setter->selector,
                                         .imp = isa__setter_original(setter)});
}

ISA_RARE void report_left(isa_id self, const struct isa__setter *setter,
                          uint64_t cause)
{
    isa__event_report(&(isa_event){.kind = ISA_EVENT_TRAMPOLINE_LEFT,
                                   .object = self,
                                   .cls = setter->notifying,
                                   .selector = setter->selector,
                                   .imp = isa__setter_original(setter)});
    isa__event_end(cause);
}

// ---- when the isa has gone back -----------------------------------------------------------------

// A wrapper may run although the isa no longer leads to a notifying class: a thread had fetched it
// just before, or other code kept its address. The message is sent again through the present isa;
// should that come back to a wrapper, the original is called.
struct resend {
    isa_id object;
    isa_sel selector;
    struct resend *outer;
};
static _Thread_local struct resend *resends;

static bool is_resending(isa_id self, isa_sel sel)
{
    for (const struct resend *r = resends; r != NULL; r = r->outer)
        if (r->object == self && r->selector == sel) return true;
    return false;
}

// The original of a setter that some class on the object's chain was once observed for.
static isa_imp find_former_original(isa_id self, isa_sel sel)
{
    for (isa_class cls = isa_object_get_class(self); cls != NULL; cls = cls->superclass) {
        struct isa__observed *observed = __atomic_load_n(&cls->observing, __ATOMIC_ACQUIRE);
        if (observed == NULL || observed->original != cls) continue;
        isa_class notifying = __atomic_load_n(&observed->notifying, __ATOMIC_ACQUIRE);
        if (notifying != NULL && find_in_class(notifying, sel) != NULL)
            return isa__dispatch_get(cls, sel);
    }
    return NULL;
}

// What to call instead, and notes that it is being sent again. Never NULL.
static isa_imp resend_begin(struct resend *resend, isa_id self, isa_sel sel, isa_imp wrapper)
{
    isa_imp imp = isa_lookup(self, sel);
    if (imp == wrapper || is_resending(self, sel)) imp = find_former_original(self, sel);
    ISA_REQUIRE(
        imp != NULL && imp != wrapper,
        "the notifying setter %s was called for object %p of class %s, which never notified",
        sel->name, (void *)self, isa_class_name(isa_object_get_class(self)));
    *resend = (struct resend){.object = self, .selector = sel, .outer = resends};
    resends = resend;
    return imp;
}

static void resend_end(const struct resend *resend)
{
    resends = resend->outer;
}

// ---- typed thunks -------------------------------------------------------------------------------

#define DEFINE_THUNK(letter, ctype, name, ffi) \
    typedef void (*name##_setter)(isa_id, isa_sel, ctype); \
    static void thunk_##name(isa_id self, isa_sel sel, ctype value); \
    ISA_RARE void thunk_##name##_slow(isa_id self, isa_sel sel, ctype value) \
    { \
        struct isa__setter *setter = find_above(self, sel); \
        if (setter == NULL) { \
            struct resend resend; \
            isa_imp imp = resend_begin(&resend, self, sel, (isa_imp)thunk_##name); \
            ((name##_setter)imp)(self, sel, value); \
            resend_end(&resend); \
            return; \
        } \
        bool logged = isa__event_on(); \
        uint64_t cause = logged ? report_entered(self, setter) : 0; \
        struct kvo_frame frame; \
        enum accompaniment accompaniment = begin(self, setter, &frame); \
        ((name##_setter)isa__setter_original(setter))(self, sel, value); \
        if (accompaniment != ALONE) end(self, accompaniment, &frame); \
        if (logged) report_left(self, setter, cause); \
    } \
    static void thunk_##name(isa_id self, isa_sel sel, ctype value) \
    { \
        struct isa__setter *setter = find_in_class(isa_object_class(self), sel); \
        if (ISA_UNLIKELY(setter == NULL) || isa__event_on()) { \
            thunk_##name##_slow(self, sel, value); \
            return; \
        } \
        name##_setter original = (name##_setter)isa__setter_original(setter); \
        struct kvo_frame frame; \
        enum accompaniment accompaniment = begin(self, setter, &frame); \
        original(self, sel, value); \
        if (accompaniment != ALONE) end(self, accompaniment, &frame); \
    }

static inline isa_class isa_object_class(isa_id object)
{
    return (isa_class)isa_header_isa((const struct isa_header *)object);
}

ISA_SCALARS(DEFINE_THUNK)

#define THUNK_CASE(letter, ctype, name, ffi) \
    case letter: return (isa_imp)thunk_##name;

static isa_imp thunk_for(char letter)
{
    switch (letter) {
        ISA_SCALARS(THUNK_CASE)
    default: return NULL;
    }
}

// ---- libffi closures ----------------------------------------------------------------------------

#define CALL_CASE(letter, ctype, name, ffi) \
    case letter: \
        ((name##_setter)imp)(self, sel, *(ctype const *)arguments[2]); \
        return;

// Calls a setter: directly where its argument is a scalar, else through libffi.
static void call_setter(const struct isa__call_interface *interface, char letter, isa_imp imp,
                        void *const *arguments)
{
    isa_id self = *(isa_id const *)arguments[0];
    isa_sel sel = *(isa_sel const *)arguments[1];
    switch (letter) {
        ISA_SCALARS(CALL_CASE)
    default: isa__call_interface_invoke(interface, imp, arguments, NULL);
    }
}

static void run_closure(const struct isa__call_interface *interface, void *result,
                        void *const *arguments, void *context)
{
    (void)result;
    const struct isa__setter *setter = context;
    isa_id self = *(isa_id const *)arguments[0];
    isa_sel sel = *(isa_sel const *)arguments[1];
    if (!isa_class_is_subclass(isa_object_class(self), setter->notifying)) {
        struct resend resend;
        isa_imp imp = resend_begin(&resend, self, sel, setter->wrapper);
        call_setter(interface, setter->letter, imp, arguments);
        resend_end(&resend);
        return;
    }
    bool logged = isa__event_on();
    uint64_t cause = logged ? report_entered(self, setter) : 0;
    struct kvo_frame frame;
    enum accompaniment accompaniment = begin(self, setter, &frame);
    call_setter(interface, setter->letter, isa__setter_original(setter), arguments);
    if (accompaniment != ALONE) end(self, accompaniment, &frame);
    if (logged) report_left(self, setter, cause);
}

// ---- choosing -----------------------------------------------------------------------------------

// What the choice of a wrapper depends on.
struct signature {
    const char *types;    // the method's encoding, interned
    const char *argument; // the argument's, interned
    char letter;          // of a scalar argument, else 0
    bool is_void;
    bool is_struct;
};

static isa_status read_argument(const char *types, struct signature *out)
{
    char *argument;
    isa_status status = isa_encoding_copy_type(types, 3, &argument);
    if (status != ISA_OK) return status;
    struct isa__type type;
    status = isa__type_parse(argument, &type);
    out->argument = isa__encoding_intern(argument);
    isa_free(argument);
    if (status != ISA_OK) return status;
    out->letter = type.type_class == ISA_TYPE_SCALAR ? type.letter : 0;
    out->is_struct = type.type_class == ISA_TYPE_STRUCT;
    return out->argument == NULL ? ISA_ERR_NO_MEMORY : ISA_OK;
}

static isa_status read_signature(const char *types, struct signature *out)
{
    struct isa__type result;
    isa_status status = isa__type_parse(types, &result);
    if (status != ISA_OK) return status;
    out->is_void = result.type_class == ISA_TYPE_VOID;
    out->types = isa__encoding_intern(types);
    if (out->types == NULL) return ISA_ERR_NO_MEMORY;
    return read_argument(types, out);
}

// Encodings whose structs Apple has a function of its own for; others take its forwarding path.
static bool is_apple_struct(const char *argument)
{
    static const char *const names[] = {"{?=dd}", "{?={?=dd}{?=dd}}", "{?=QQ}"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (isa__encoding_equal(argument, names[i])) return true;
    return false;
}

static bool apple_wraps(const struct signature *signature)
{
    return signature->is_struct ||
           (signature->letter != 0 && strchr("cCsSiIlLqQfdB@#", signature->letter) != NULL);
}

static isa_status make_closure(const struct signature *signature, struct isa__setter *setter)
{
    isa_status status = isa__trampoline_acquire(signature->types, run_closure, setter,
                                                &setter->closure);
    if (status == ISA_OK) setter->wrapper = isa__trampoline_imp(setter->closure);
    return status;
}

static isa_status choose(const struct signature *signature, struct isa__setter *setter)
{
    if (!signature->is_void || (setter->wrapping == KVO_WRAP_AS_APPLE && !apple_wraps(signature)))
        return KVO_ERR_NOT_WRAPPED;
    setter->wrapper = thunk_for(signature->letter);
    if (setter->wrapper != NULL && setter->wrapping != KVO_WRAP_LIBFFI) return ISA_OK;
    isa_status status = make_closure(signature, setter);
    // Where closures cannot be had, the thunk serves.
    if (status == ISA_ERR_NO_TRAMPOLINE && setter->wrapper != NULL) return ISA_OK;
    if (status == ISA_ERR_NO_TRAMPOLINE || status == ISA_ERR_NOT_PASSABLE)
        return KVO_ERR_NOT_WRAPPED;
    return status;
}

// ---- planting -----------------------------------------------------------------------------------

static struct isa__setter_table *make_table(uint32_t slots)
{
    size_t size = sizeof(struct isa__setter_table) + slots * sizeof(struct isa__setter *);
    struct isa__setter_table *table = isa__alloc(ISA_KIND_OTHER, size);
    if (table != NULL) table->mask = slots - 1;
    return table;
}

static void insert(struct isa__setter_table *table, struct isa__setter *setter)
{
    uint32_t at = setter->selector->index & table->mask;
    while (table->slots[at] != NULL && table->slots[at]->selector != setter->selector)
        at = (at + 1) & table->mask;
    if (table->slots[at] == NULL) table->count++;
    __atomic_store_n(&table->slots[at], setter, __ATOMIC_RELEASE);
}

// Makes sure that one more fits: at most half of the slots are used.
static isa_status reserve_locked(isa_class notifying)
{
    struct isa__setter_table *table = notifying->setters;
    uint32_t slots = table == NULL ? 0 : table->mask + 1;
    if (table != NULL && (table->count + 1) * 2 <= slots) return ISA_OK;
    struct isa__setter_table *grown = make_table(slots == 0 ? 4 : slots * 2);
    if (grown == NULL) return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a setter table");
    for (uint32_t i = 0; i < slots; i++)
        if (table->slots[i] != NULL) insert(grown, table->slots[i]);
    grown->outgrown = table;
    __atomic_store_n(&notifying->setters, grown, __ATOMIC_RELEASE);
    return ISA_OK;
}

// Apple's forwarding path leaves the original under another name.
static isa_status add_alias(const struct signature *signature, struct isa__setter *setter)
{
    if (setter->wrapping != KVO_WRAP_AS_APPLE || !signature->is_struct ||
        is_apple_struct(signature->argument))
        return ISA_OK;
    static const char prefix[] = "_original_";
    size_t size = sizeof prefix + strlen(setter->selector->name);
    char *name = isa__alloc(ISA_KIND_OTHER, size);
    if (name == NULL) return ISA_ERR_NO_MEMORY;
    strcpy(name, prefix);
    strcat(name, setter->selector->name);
    isa_sel alias = isa_sel_register(name);
    isa__free(ISA_KIND_OTHER, name, size);
    if (alias == NULL) return ISA_ERR_NO_MEMORY;
    return isa_class_replace_method(setter->notifying, alias, isa__setter_original(setter),
                                    setter->types, NULL);
}

static void free_setter(struct isa__setter *setter)
{
    isa__trampoline_recycle(setter->closure);
    isa__free(ISA_KIND_OTHER, setter, sizeof *setter);
}

// Makes the room that planting needs.
static isa_status prepare_locked(struct isa__observed *observed,
                                 const struct signature *signature, struct isa__setter *setter)
{
    isa_status status = reserve_locked(observed->notifying);
    if (status == ISA_OK)
        status = isa__array_reserve(&observed->setters, observed->setters.count + 1);
    return status == ISA_OK ? add_alias(signature, setter) : status;
}

static isa_status plant_locked(struct isa__observed *observed, struct isa__setter *setter)
{
    // The record first: from the moment the method is there, its wrapper looks for it.
    struct isa__setter *former = find_in_class(observed->notifying, setter->selector);
    insert(observed->notifying->setters, setter);
    isa_status status = isa_class_replace_method(observed->notifying, setter->selector,
                                                 setter->wrapper, setter->types, NULL);
    setter->is_planted = status == ISA_OK;
    // Owned from now on: should it have failed, a thread may have found the record already.
    isa__array_add(&observed->setters, setter);
    if (!setter->is_planted && former != NULL) insert(observed->notifying->setters, former);
    return status;
}

isa_status isa__setter_wrap_locked(struct isa__observed *observed, struct isa__watched *watched,
                                   isa_method method)
{
    isa_sel sel = isa_method_selector(method);
    struct isa__setter *found = find_in_class(observed->notifying, sel);
    struct signature signature = {0};
    isa_status status = read_signature(isa_method_types(method), &signature);
    if (status != ISA_OK) return status;
    bool serves = found != NULL && found->is_planted && found->wrapping == kvo_get_wrapping() &&
                  found->types == signature.types;
    if (serves) {
        __atomic_store_n(&found->watched, watched, __ATOMIC_RELEASE);
        watched->setter = found;
        return ISA_OK;
    }
    struct isa__setter *setter = isa__alloc(ISA_KIND_OTHER, sizeof *setter);
    if (setter == NULL) return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a setter record");
    *setter = (struct isa__setter){.selector = sel,
                                   .notifying = observed->notifying,
                                   .observed = observed,
                                   .watched = watched,
                                   .letter = signature.letter,
                                   .wrapping = kvo_get_wrapping(),
                                   .types = signature.types};
    status = choose(&signature, setter);
    if (status == ISA_OK) status = prepare_locked(observed, &signature, setter);
    if (status != ISA_OK) {
        free_setter(setter);
        return status;
    }
    status = plant_locked(observed, setter);
    if (status == ISA_OK) watched->setter = setter;
    return status;
}

// ---- showing ------------------------------------------------------------------------------------

// Whether the record is the one that the notifying class's method leads to.
static bool is_current(const struct isa__setter *setter)
{
    return setter->is_planted && find_in_class(setter->notifying, setter->selector) == setter;
}

static kvo_setter_info describe(const struct isa__setter *setter)
{
    return (kvo_setter_info){
        .selector = setter->selector,
        .key = __atomic_load_n(&setter->watched, __ATOMIC_ACQUIRE)->key->text,
        .types = setter->types,
        .wrapper = setter->wrapper,
        .original = isa__setter_original(setter),
        .is_closure = setter->closure != NULL};
}

isa_status isa__setters_copy_locked(const struct isa__observed *observed, kvo_setter_info **out,
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

void isa__setters_dispose(struct isa__observed *observed)
{
    struct isa__setter_table *table = observed->notifying == NULL ? NULL
                                                                   : observed->notifying->setters;
    while (table != NULL) {
        struct isa__setter_table *outgrown = table->outgrown;
        isa__free(ISA_KIND_OTHER, table,
                  sizeof *table + (table->mask + 1) * sizeof(struct isa__setter *));
        table = outgrown;
    }
    for (size_t i = 0; i < observed->setters.count; i++) free_setter(observed->setters.items[i]);
    isa__array_clear(&observed->setters);
}
