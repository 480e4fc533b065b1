// The public functions of key-value observing, and the root class's messages behind them. They
// check the arguments, send the message where a class overrides it, and leave the work to the other
// files.
#include "../base/event.h"
#include "../base/status.h"
#include "../coding/coding.h"
#include "../model/dispatch.h"
#include "../model/selector.h"
#include "../object/object.h"
#include "../objects/box.h"
#include "chain.h"
#include "change.h"
#include "deliver.h"
#include "kvo_foreign.h"
#include "kvo_start.h"
#include "log.h"
#include "notifying_class.h"
#include "path.h"
#include "registry.h"

// ---- checks -------------------------------------------------------------------------------------

static isa_status check_object(isa_id object, isa_sel sel)
{
    if (object == NULL) return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no object to observe");
    isa_class cls = isa_object_get_class(object);
    if (!isa_class_is_metaclass(cls) && isa_object_responds_to(object, sel)) return ISA_OK;
    return isa__fail(KVO_ERR_NOT_OBSERVABLE, NULL,
                     "%s %s cannot be observed: an instance of a class that descends from the root "
                     "class was expected",
                     isa_class_is_metaclass(cls) ? "class" : "an instance of", cls->name);
}

// Adding is refused to an object that is being deallocated: nothing would end the registration.
static isa_status check_addable(isa_id object, isa_sel sel)
{
    isa_status status = check_object(object, sel);
    if (status != ISA_OK) return status;
    if (isa__is_collection(object))
        return isa__fail_for(object, NULL, KVO_ERR_NOT_OBSERVABLE, NULL,
                             "[<%s %p> %s] is not supported.",
                             isa_object_get_class(object)->original->name, (void *)object,
                             isa_sel_name(sel));
    if (!isa__object_is_deallocating(object)) return ISA_OK;
    return isa__fail(ISA_ERR_DEALLOCATING, NULL,
                     "<%s %p> is being deallocated: it cannot be observed",
                     isa_object_get_class(object)->original->name, (void *)object);
}

static isa_status check_options(uint64_t options, bool is_function)
{
    uint64_t of_objects = (uint64_t)KVO_OPTION_RETAIN_OBSERVER | KVO_OPTION_FOREIGN;
    uint64_t known = ISA_TAG_OPTIONS | (is_function ? KVO_OPTION_OWN : of_objects);
    if (!(options & ~known)) return ISA_OK;
    return isa__fail(KVO_ERR_INVALID_OPTIONS, NULL,
                     "options 0x%llx: bits 0x%llx do not exist, those of 0x%llx were expected",
                     (unsigned long long)options, (unsigned long long)(options & ~known),
                     (unsigned long long)known);
}

// ---- adding -------------------------------------------------------------------------------------

// A registration in the making.
struct request {
    isa_id object;
    const char *key_path;
    const struct isa__key *key;   // it, interned; NULL: not yet
    uint64_t options;
    void *context;
    isa_id observer;              // NULL: `function`
    const kvo_function *function;
    bool is_forwarder;
    bool *taken_back; // out, unless NULL: it failed after it had been registered
};

// How deep registrations may stand in one another: those along a path, and what getters register.
enum { DEEPEST = ISA_PATH_MAX_KEYS + 16 };

static isa_status no_memory(const struct request *request)
{
    return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to observe \"%.128s\"", request->key_path);
}

static isa_status make_registration(const struct request *request, isa_class *notifying,
                                    struct isa__observed **observed,
                                    struct isa__registration **out)
{
    struct isa__known_path known;
    *observed = isa__observed_get(isa_object_get_class(request->object));
    const struct isa__key *key =
        request->key != NULL ? request->key : isa__key_intern(request->key_path);
    struct isa__side *side = isa__side_get(request->object);
    if (*observed == NULL || key == NULL || side == NULL) return no_memory(request);
    isa_status status = isa__observed_prepare(*observed, key, &known);
    if (status != ISA_OK) return status;
    *notifying = known.notifying;
    const struct isa__path own = {.text = key, .is_plain = true};
    bool is_own = (request->options & KVO_OPTION_OWN) != 0 && !known.path->is_nested;
    return isa__registration_make(
        &(struct isa__registration_parts){.side = side,
                                          .path = is_own ? &own : known.path,
                                          .options = (uint32_t)request->options,
                                          .context = request->context,
                                          .observer = request->observer,
                                          .function = request->function,
                                          .is_forwarder = request->is_forwarder},
        out);
}

static void report_added(const struct request *request,
                         const struct isa__registration *registration)
{
    if (isa__event_on()) isa__log_added(request->object, registration, request->options);
}

// Answers the status of a registration that has failed; with `registration` it had come.
static isa_status refuse(const struct request *request, isa_status status,
                         const struct isa__registration *registration)
{
    if (isa__event_on())
        isa__log_refused(&(struct isa__refusal){.object = request->object,
                                                .key_path = request->key_path,
                                                .observer = request->observer,
                                                .function = request->function,
                                                .is_forwarder = request->is_forwarder,
                                                .registration = registration,
                                                .status = status});
    return status;
}

static isa_status put_in(const struct request *request, struct isa__observed *observed,
                         struct isa__registration *registration, isa_class notifying)
{
    // An initial notification may have set another class.
    struct isa__observed *now = isa__observed_get(isa_object_get_class(request->object));
    if (now == NULL) return no_memory(request);
    struct isa__known_path known = {.notifying = notifying};
    isa_status status = ISA_OK;
    if (now != observed) status = isa__observed_prepare(now, registration->key, &known);
    if (status != ISA_OK) return status;
    notifying = known.notifying;
    return isa__registry_add(request->object, registration, notifying);
}

static isa_status deliver_initial(const struct request *request,
                                  struct isa__registration *registration)
{
    if (!(request->options & KVO_OPTION_INITIAL)) return ISA_OK;
    isa_status status = ISA_OK;
    if (request->options & KVO_OPTION_NEW)
        status = isa__coding_admit(request->object, request->key_path);
    if (status != ISA_OK) return status;
    return isa__deliver_initial(request->object, isa__side_find(request->object), registration);
}

// Takes a registration out again whose key path cannot be followed, or whose value cannot be read.
// The last error stays what it was. A function's `release` is not called, for the registration has
// failed; a forwarder's is, for a thread may be inside it.
static void take_back(const struct request *request, struct isa__registration *registration)
{
    uint32_t tag = isa__registration_tag_load(registration);
    if (request->taken_back != NULL) *request->taken_back = true;
    else if ((tag & (ISA_TAG_FUNCTION | ISA_TAG_BARE)) == ISA_TAG_FUNCTION)
        registration->rest[0].release = NULL;
    struct isa__kept_error kept;
    isa__error_keep(&kept);
    isa__registration_tag_set(registration, ISA_TAG_REFUSED);
    isa__registration_end(registration);
    isa_fail_with(&kept.error);
}

static bool has_ended(const struct isa__registration *registration)
{
    return (isa__registration_tag_load(registration) & ISA_TAG_ENDED) != 0;
}

// Foundation sends the initial notification and only then registers: an observer that removes
// itself inside that notification is not registered yet. GNUstep does it the other way round.
static isa_status enlist(const struct request *request, struct isa__observed *observed,
                         struct isa__registration *registration, isa_class notifying)
{
    bool gnustep = isa__class_is_gnustep(observed->original);
    bool is_first = !gnustep && request->options & KVO_OPTION_INITIAL;
    isa_class before = isa__class_in(request->object);
    if (is_first) report_added(request, registration); // it comes before its initial notification
    isa_status status = is_first ? deliver_initial(request, registration) : ISA_OK;
    if (status == ISA_OK) status = put_in(request, observed, registration, notifying);
    if (status == ISA_OK && !is_first) report_added(request, registration);
    if (status != ISA_OK) return refuse(request, status, is_first ? registration : NULL);
    if (has_ended(registration)) return ISA_OK;
    bool chained = (isa__registration_tag_load(registration) & ISA_TAG_CHAINED) != 0;
    if (chained) status = isa__chain_attach(request->object, registration);
    if (status == ISA_OK && gnustep) status = deliver_initial(request, registration);
    // A registration that was ended meanwhile has been registered, and has come to its end.
    if (has_ended(registration)) return ISA_OK;
    if (status == ISA_OK) return ISA_OK;
    take_back(request, registration);
    isa__registry_restore_isa(request->object, before);
    return refuse(request, status, registration);
}

// Undoes the token of a registration that failed: it was never put in, or has been taken out again.
static void abandon(struct isa__registration *registration)
{
    uint32_t tag = isa__registration_tag_load(registration);
    if (!(tag & ISA_TAG_REGISTERED)) isa__registration_discard(registration);
    else if (tag & ISA_TAG_FUNCTION) isa__registration_drop_token(registration);
}

static isa_status request_add(const struct request *request, kvo_token *out)
{
    struct isa__observed *observed;
    struct isa__registration *registration;
    isa_class notifying = NULL;
    isa_status status = make_registration(request, &notifying, &observed, &registration);
    if (status != ISA_OK) return refuse(request, status, NULL);
    // Its token may be released, and it may be removed, before this returns.
    isa__registration_hold(registration);
    if (out != NULL) *out = registration;
    status = enlist(request, observed, registration, notifying);
    if (status != ISA_OK) {
        if (out != NULL) *out = NULL;
        abandon(registration);
    }
    isa__registration_drop(registration);
    return status;
}

static isa_status too_deep(const struct request *request, uint32_t depth)
{
    return isa__fail_for(request->object, request->key_path, KVO_ERR_TOO_DEEP, NULL,
                         "observing \"%.128s\" of <%s %p> would be registration number %u "
                         "inside another%s", request->key_path,
                         isa_object_get_class(request->object)->original->name,
                         (void *)request->object, depth + 1,
                         depth < DEEPEST ? ", and the stack has no room" : "");
}

static isa_status add_guarded(const struct request *request, kvo_token *out)
{
    struct isa__thread *thread = isa__thread_get();
    uint32_t depth;
    if (!isa__nest_enter(thread, &thread->registering, DEEPEST, &depth))
        return refuse(request, too_deep(request, depth), NULL);
    isa_status status = request_add(request, out);
    isa__nest_leave(&thread->registering, depth);
    return status;
}

static isa_status add_observer(isa_id self, isa_sel sel, isa_id observer, const char *key_path,
                               uint64_t options, void *context)
{
    const struct request request = {.object = self,
                                    .key_path = key_path,
                                    .options = options,
                                    .context = context,
                                    .observer = observer};
    isa_status status = check_addable(self, sel);
    if (status == ISA_OK) status = isa__path_check(key_path);
    if (status == ISA_OK) status = check_options(options, false);
    if (status == ISA_OK && observer == NULL)
        status = isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no observer");
    return status == ISA_OK ? add_guarded(&request, NULL) : refuse(&request, status, NULL);
}

isa_status kvo_add_observer(isa_id object, isa_id observer, const char *key_path,
                            kvo_options options, void *context)
{
    isa_status status = check_object(object, isa__sel_add_observer);
    if (status != ISA_OK) return status;
    return ISA_SEND(kvo_add_imp, object, isa__sel_add_observer, observer, key_path, options,
                    context);
}

isa_status kvo_observe(isa_id object, const char *key_path, kvo_options options,
                       const kvo_function *function, void *context, kvo_token *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    return isa__steady_observe(object, key_path, options, function, context, out);
}

isa_status isa__kvo_observe(isa_id object, const char *key_path, uint32_t options,
                            const kvo_function *function, void *context, kvo_token *out)
{
    if (out == NULL) return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "nowhere to put the token");
    *out = NULL;
    const struct request request = {.object = object,
                                    .key_path = key_path,
                                    .options = options,
                                    .context = context,
                                    .function = function};
    isa_status status = check_addable(object, isa__sel_add_observer);
    if (status == ISA_OK) status = isa__path_check(key_path);
    if (status == ISA_OK) status = check_options(options, true);
    if (status == ISA_OK && (function == NULL || function->callback == NULL))
        status = isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no function to call");
    return status == ISA_OK ? add_guarded(&request, out) : refuse(&request, status, NULL);
}

isa_status isa__kvo_forward(isa_id object, const struct isa__key *key_path, uint32_t options,
                            const kvo_function *function, kvo_token *out)
{
    bool taken_back = false;
    isa_status status = check_addable(object, isa__sel_add_observer);
    if (status == ISA_OK)
        status = add_guarded(&(struct request){.object = object,
                                               .key_path = key_path->text,
                                               .key = key_path,
                                               .options = options,
                                               .function = function,
                                               .is_forwarder = true,
                                               .taken_back = &taken_back},
                             out);
    if (status != ISA_OK && !taken_back) function->release(function->info);
    return status;
}

bool isa__kvo_takes_over(isa_id object)
{
    return isa__dispatch_get(isa__class_in(object), isa__sel_add_observer) != (isa_imp)add_observer;
}

// ---- removing -----------------------------------------------------------------------------------

static isa_status remove_registration(isa_id self, isa_id observer, const char *key_path,
                                      void *const *context)
{
    if (observer == NULL || key_path == NULL)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no %s",
                         observer == NULL ? "observer" : "key path");
    bool gnustep = isa__class_is_gnustep(isa_object_get_class(self));
    if (gnustep && context != NULL && *context == NULL) context = NULL; // any
    struct isa__removal removal = {observer, isa__key_find(key_path), context, gnustep};
    isa_status status = KVO_ERR_NOT_REGISTERED;
    if (removal.key != NULL) status = isa__registry_remove(self, &removal);
    if (status != KVO_ERR_NOT_REGISTERED) return status;
    return isa__fail_for(self, key_path, status, gnustep ? "NSInvalidArgumentException" : NULL,
                         "Cannot remove an observer <%s %p> for the key path \"%.128s\" from <%s "
                         "%p> because it is not registered as an observer.",
                         isa_object_get_class(observer)->original->name, (void *)observer, key_path,
                         isa_object_get_class(self)->original->name, (void *)self);
}

static isa_status remove_observer(isa_id self, isa_sel sel, isa_id observer, const char *key_path)
{
    (void)sel;
    return remove_registration(self, observer, key_path, NULL);
}

static isa_status remove_observer_context(isa_id self, isa_sel sel, isa_id observer,
                                          const char *key_path, void *context)
{
    (void)sel;
    return remove_registration(self, observer, key_path, &context);
}

isa_status kvo_remove_observer(isa_id object, isa_id observer, const char *key_path)
{
    isa_status status = check_object(object, isa__sel_remove_observer);
    if (status != ISA_OK) return status;
    return ISA_SEND(kvo_remove_imp, object, isa__sel_remove_observer, observer, key_path);
}

isa_status kvo_remove_observer_context(isa_id object, isa_id observer, const char *key_path,
                                       void *context)
{
    isa_status status = check_object(object, isa__sel_remove_observer_context);
    if (status != ISA_OK) return status;
    return ISA_SEND(kvo_remove_context_imp, object, isa__sel_remove_observer_context, observer,
                    key_path, context);
}

bool kvo_token_invalidate(kvo_token token)
{
    return token != NULL && isa__registration_end(token);
}

bool kvo_token_invalidate_and_wait(kvo_token token)
{
    if (token == NULL) return false;
    bool ended = isa__registration_end(token);
    isa__wait_for_calls(token);
    return ended;
}

bool kvo_token_is_valid(kvo_token token)
{
    return token != NULL && !(isa__registration_tag_load(token) & ISA_TAG_ENDED);
}

void kvo_token_release(kvo_token token)
{
    if (token == NULL) return;
    isa__registration_release_token(token);
}

// ---- manual notification ------------------------------------------------------------------------

// Few callers look at the status of an announcement, so a refusal by the guard is reported.
static isa_status check_announcement(isa_id object, const char *key)
{
    if (key == NULL) return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no key");
    isa_status status = isa__coding_admit(object, key);
    if (ISA_UNLIKELY(status != ISA_OK)) isa__misuse_deliver();
    return status;
}

ISA_INLINE isa_status change(isa_id self, const char *key, bool is_over)
{
    isa_status status = check_announcement(self, key);
    if (status != ISA_OK) return status;
    return is_over ? isa__manual_did(self, key) : isa__manual_will(self, key, NULL);
}

static isa_status change_at(isa_id self, uint64_t kind, const kvc_index_set *indexes,
                            const char *key, bool is_over)
{
    struct isa__element_change elements;
    isa_status status = check_announcement(self, key);
    if (status == ISA_OK)
        status = isa__element_change_at((kvo_change_kind)kind, indexes, &elements);
    if (status != ISA_OK) return status;
    return is_over ? isa__manual_did(self, key) : isa__manual_will(self, key, &elements);
}

static isa_status change_set(isa_id self, const char *key, uint64_t mutation, isa_id objects,
                             bool is_over)
{
    struct isa__element_change elements;
    isa_status status = check_announcement(self, key);
    if (status == ISA_OK)
        status = isa__element_change_set((kvo_set_mutation)mutation, objects, &elements);
    if (status != ISA_OK) return status;
    return is_over ? isa__manual_did(self, key) : isa__manual_will(self, key, &elements);
}

// The root class's methods: each before the change, and when it is over.
#define DEFINE_ANNOUNCEMENTS(when, is_over) \
    static isa_status when##_change(isa_id self, isa_sel sel, const char *key) \
    { \
        (void)sel; \
        return change(self, key, is_over); \
    } \
    static isa_status when##_change_at(isa_id self, isa_sel sel, uint64_t kind, \
                                       const kvc_index_set *indexes, const char *key) \
    { \
        (void)sel; \
        return change_at(self, kind, indexes, key, is_over); \
    } \
    static isa_status when##_change_set(isa_id self, isa_sel sel, const char *key, \
                                        uint64_t mutation, isa_id objects) \
    { \
        (void)sel; \
        return change_set(self, key, mutation, objects, is_over); \
    }
DEFINE_ANNOUNCEMENTS(will, false)
DEFINE_ANNOUNCEMENTS(did, true)

// Whether the root class's own code answers `sel` for an object that can be observed, so that the
// message need not be sent.
ISA_INLINE bool is_plain(isa_id object, isa_sel sel, isa_imp own)
{
    if (object == NULL) return false;
    isa_class cls = isa__class_in(object);
    return isa__dispatch_get(cls, sel) == own && !(isa__class_flags(cls) & ISA_CLASS_META);
}

bool isa__kvo_announces_at(isa_id object)
{
    return is_plain(object, isa__sel_will_change_at, (isa_imp)will_change_at) &&
           is_plain(object, isa__sel_did_change_at, (isa_imp)did_change_at);
}

ISA_INLINE isa_status send_change(isa_id object, isa_sel sel, kvc_key_imp own, const char *key)
{
    if (is_plain(object, sel, (isa_imp)own)) return own(object, sel, key);
    isa_status status = check_object(object, sel);
    return status != ISA_OK ? status : ISA_SEND(kvc_key_imp, object, sel, key);
}

static isa_status send_change_at(isa_id object, isa_sel sel, kvo_change_kind kind,
                                 const kvc_index_set *indexes, const char *key)
{
    isa_status status = check_object(object, sel);
    if (status != ISA_OK) return status;
    return ISA_SEND(kvo_change_at_imp, object, sel, (uint64_t)kind, indexes, key);
}

static isa_status send_change_set(isa_id object, isa_sel sel, const char *key,
                                  kvo_set_mutation mutation, isa_id objects)
{
    isa_status status = check_object(object, sel);
    if (status != ISA_OK) return status;
    return ISA_SEND(kvo_change_set_imp, object, sel, key, (uint64_t)mutation, objects);
}

isa_status kvo_will_change(isa_id object, const char *key)
{
    return send_change(object, isa__sel_will_change, will_change, key);
}

isa_status kvo_did_change(isa_id object, const char *key)
{
    return send_change(object, isa__sel_did_change, did_change, key);
}

isa_status kvo_will_change_indexes(isa_id object, kvo_change_kind kind,
                                   const kvc_index_set *indexes, const char *key)
{
    return send_change_at(object, isa__sel_will_change_at, kind, indexes, key);
}

isa_status kvo_did_change_indexes(isa_id object, kvo_change_kind kind, const kvc_index_set *indexes,
                                  const char *key)
{
    return send_change_at(object, isa__sel_did_change_at, kind, indexes, key);
}

isa_status kvo_will_change_set(isa_id object, const char *key, kvo_set_mutation mutation,
                               isa_id objects)
{
    return send_change_set(object, isa__sel_will_change_set, key, mutation, objects);
}

isa_status kvo_did_change_set(isa_id object, const char *key, kvo_set_mutation mutation,
                              isa_id objects)
{
    return send_change_set(object, isa__sel_did_change_set, key, mutation, objects);
}

// Around a value that key-value coding sets by writing an ivar.
static bool announce_ivar(isa_id object, const char *key)
{
    if (!kvo_is_observed(object)) return false;
    isa_class cls = isa_object_get_class(object)->original;
    if (!isa__class_notifies_automatically(cls, key)) return false;
    const struct isa__key *interned = isa__key_find(key);
    if (interned != NULL && isa__is_silenced(object, interned)) return false;
    return kvo_will_change(object, key) == ISA_OK;
}

static void end_ivar(isa_id object, const char *key)
{
    kvo_did_change(object, key);
}

// ---- policy and introspection -------------------------------------------------------------------

static kvo_wrapping wrapping_policy;

void kvo_set_wrapping(kvo_wrapping wrapping)
{
    if ((unsigned)wrapping > KVO_WRAP_AS_APPLE) return;
    __atomic_store_n(&wrapping_policy, wrapping, __ATOMIC_RELEASE);
    isa__method_epoch_advance(); // wrappers of the former are looked at again
}

kvo_wrapping kvo_get_wrapping(void)
{
    return __atomic_load_n(&wrapping_policy, __ATOMIC_ACQUIRE);
}

bool kvo_class_is_notifying(isa_class cls)
{
    ISA_REQUIRE_NOT_NULL(cls);
    return (isa__class_flags(cls) & ISA_CLASS_NOTIFYING) != 0;
}

isa_class kvo_class_original(isa_class cls)
{
    ISA_REQUIRE_NOT_NULL(cls);
    return cls->original;
}

isa_status kvo_class_copy_setters(isa_class cls, kvo_setter_info **out, size_t *count)
{
    if (cls == NULL || out == NULL || count == NULL)
        return isa__fail_null(__func__, "cls, out or count");
    *out = NULL;
    *count = 0;
    struct isa__observed *observed = isa__observed_of_notifying(cls);
    return observed == NULL ? ISA_OK : isa__observed_copy_setters(observed, out, count);
}

// ---- start --------------------------------------------------------------------------------------

static void observe_value(isa_id self, isa_sel sel, const char *key_path, isa_id object,
                          const kvo_change *change, void *context)
{
    (void)sel, (void)key_path, (void)object, (void)context;
    isa__kvo_report_unhandled(self, change);
}

isa_status isa__kvo_start(void)
{
    isa__registration_start();
    isa__list_start();
    isa__cached_setters_start();
    isa__deliver_start();
    isa__to_many_hook_start();
    isa__one_change_start();
    isa__class_change_start();
    isa__coding_hooks.will_change = announce_ivar;
    isa__coding_hooks.did_change = end_ivar;
    static const struct isa__box_method methods[] = {
        {&isa__sel_add_observer, (isa_imp)add_observer, "i@:@*Q^v"},
        {&isa__sel_remove_observer, (isa_imp)remove_observer, "i@:@*"},
        {&isa__sel_remove_observer_context, (isa_imp)remove_observer_context, "i@:@*^v"},
        {&isa__sel_observe_value, (isa_imp)observe_value, "v@:*@^v^v"},
        {&isa__sel_will_change, (isa_imp)will_change, "i@:*"},
        {&isa__sel_did_change, (isa_imp)did_change, "i@:*"},
        {&isa__sel_will_change_at, (isa_imp)will_change_at, "i@:Q^v*"},
        {&isa__sel_did_change_at, (isa_imp)did_change_at, "i@:Q^v*"},
        {&isa__sel_will_change_set, (isa_imp)will_change_set, "i@:*Q@"},
        {&isa__sel_did_change_set, (isa_imp)did_change_set, "i@:*Q@"},
    };
    isa_status status = isa__subclass_start();
    if (status == ISA_OK) status = isa__dependency_start();
    if (status == ISA_OK) status = isa__link_start();
    if (status == ISA_OK) status = isa__observed_collections_start();
    if (status == ISA_OK) status = isa__introspection_start();
    return status != ISA_OK
               ? status
               : isa__box_add_methods(isa_root_class(), methods, ISA_COUNT_OF(methods));
}
