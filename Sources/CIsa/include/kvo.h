// Key-value observing: being told of changes.
//
// Threads: any thread may set, observe and stop observing, at any time. Observers are told on the
//          changing thread, before the setter returns, with no lock of the library held.
// Lives:   an observer that dies is skipped; an observed object that dies takes its registrations
//          along.
#ifndef KVO_H
#define KVO_H

#include "isa_event.h"
#include "kvc.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- options and changes ------------------------------------------------------------------------

enum {
    KVO_OPTION_NEW = 1,     // the change carries the value after it
    KVO_OPTION_OLD = 2,     // the change carries the value before it
    KVO_OPTION_INITIAL = 4, // one notification before the registering call returns
    KVO_OPTION_PRIOR = 8,   // one more notification, before each change
    KVO_OPTION_RETAIN_OBSERVER = 1 << 16, // hold an observer object strongly instead of weakly
};

typedef enum kvo_change_kind {
    KVO_CHANGE_SETTING = 1,
    KVO_CHANGE_INSERTION = 2,
    KVO_CHANGE_REMOVAL = 3,
    KVO_CHANGE_REPLACEMENT = 4,
} kvo_change_kind;

// What an observer is told.
//
// Owner: the engine; the record, its texts and values are valid during the callback only.
//        `old_value` and `new_value` have an address of NULL where absent; nil is an address of a
//        NULL.
typedef struct kvo_change {
    isa_id object;         // the object that the registration was made on
    const char *key_path;  // the registered key path
    void *context;         // the registration's context
    kvo_change_kind kind;
    bool is_prior;         // before the change; then there is no new value
    bool is_initial;       // while registering; then there is no old value
    kvc_value old_value;
    kvc_value new_value;
} kvo_change;

// ---- observers that are objects -----------------------------------------------------------------

// Registers `observer`, which is told by `observeValueForKeyPath:ofObject:change:context:`, a
// method of encoding "v@:*@^v^v" (key path, object, const kvo_change *, context). Sends
// `addObserver:forKeyPath:options:context:` to `object`, which its class may override.
//
// The observer is held weakly (or retained, by option), the observed object is not held. The same
// registration may be made again: it is then told twice and removed twice. A key that the class
// does not know is accepted.
//
// Errors: ISA_ERR_INVALID_ARGUMENT for a NULL or empty key; KVO_ERR_INVALID_OPTIONS;
//         KVO_ERR_NOT_OBSERVABLE for a class object or an object whose class does not descend from
//         the root class; ISA_ERR_UNSUPPORTED for a key path of several keys; KVC_ERR_UNDEFINED_KEY
//         if the initial notification has to carry a value and the key has none;
//         ISA_ERR_DEALLOCATING if the object or the observer is being deallocated;
//         ISA_ERR_NO_MEMORY. Nothing is registered then, and the isa is as before.
// Source: addObserver:forKeyPath:options:context:, NSKeyValueObserving.h.
ISA_API isa_status kvo_add_observer(isa_id object, isa_id observer, const char *key_path,
                                    uint32_t options, void *context);

// Removes the latest registration of `observer` for `key_path`, whatever its context. Sends
// `removeObserver:forKeyPath:`.
//
// Once this has returned no callback of the registration starts on any thread; one that has
// started may still be running. Equal registrations (same observer, key path, options and context)
// stand for one another in a change in progress: the promise is about the last of them.
//
// Errors: KVO_ERR_NOT_REGISTERED (NSRangeException); ISA_ERR_NO_MEMORY. Nothing changes then.
ISA_API isa_status kvo_remove_observer(isa_id object, isa_id observer, const char *key_path);

// The same for the latest registration with exactly that context, NULL included. Sends
// `removeObserver:forKeyPath:context:`.
ISA_API isa_status kvo_remove_observer_context(isa_id object, isa_id observer,
                                               const char *key_path, void *context);

// ---- observers that are functions ---------------------------------------------------------------

typedef void (*kvo_callback)(const kvo_change *change, void *info);

// A function observer: `release(info)`, unless NULL, is called once, after the registration has
// ended and no thread can be inside the callback any more: on the thread that ends it or on one
// that was inside a callback then. A callback returns; it must not leave by longjmp or an
// exception.
typedef struct kvo_function {
    kvo_callback callback;
    void *info;
    void (*release)(void *info);
} kvo_function;

// A registration's handle, one per call of kvo_observe.
typedef struct isa__registration *kvo_token;

// Registers a function observer.
//
// `*out` is written before an initial notification is delivered, so that its callback can end the
// registration already.
//
// Owner:  the caller ends `*out` with kvo_token_invalidate and frees it with kvo_token_release; it
//         may outlive the object.
// Errors: as kvo_add_observer; `release` is not called then and `*out` is NULL.
ISA_API isa_status kvo_observe(isa_id object, const char *key_path, uint32_t options,
                               const kvo_function *function, void *context, kvo_token *out);

// Ends the registration; any number of times, on any thread, also after the object's death.
//
// Once this has returned no callback of the registration starts on any thread; one that has
// started may still be running. Returns whether this call ended it.
ISA_API bool kvo_token_invalidate(kvo_token token);

// The same, and waits until no callback of it is running on another thread. Must not be called
// where that callback may be waiting for the caller: not inside the callback itself, if it may run
// on two threads at once, nor in a forked child while the parent was in it.
ISA_API bool kvo_token_invalidate_and_wait(kvo_token token);

// Whether the registration still stands.
ISA_API bool kvo_token_is_valid(kvo_token token);

// Frees the handle; a registration that still stands is ended first. NULL is ignored.
ISA_API void kvo_token_release(kvo_token token);

// ---- manual notification ------------------------------------------------------------------------

// Announces a change of `key`; pair with kvo_did_change on the same thread. Pairs may nest and
// interleave. Sends `willChangeValueForKey:`, which the class may override.
//
// Errors: ISA_ERR_NO_MEMORY; the change is then not announced and must not be ended.
ISA_API isa_status kvo_will_change(isa_id object, const char *key);

// Ends the latest change of `key` announced on this thread and tells the observers. Without one
// it does nothing. Sends `didChangeValueForKey:`.
//
// Errors: KVO_ERR_WRONG_THREAD if the change was announced on another thread.
ISA_API isa_status kvo_did_change(isa_id object, const char *key);

// ---- the notifying class ------------------------------------------------------------------------

// How setters are wrapped, for keys observed from now on.
typedef enum kvo_wrapping {
    KVO_WRAP_AUTOMATIC = 0, // a typed thunk where there is one, else a libffi closure
    KVO_WRAP_LIBFFI = 1,    // always a libffi closure
    KVO_WRAP_AS_APPLE = 2,  // as automatic, but left alone what Apple leaves alone
} kvo_wrapping;

ISA_API void kvo_set_wrapping(kvo_wrapping wrapping);
ISA_API kvo_wrapping kvo_get_wrapping(void);

// Whether `cls` is a notifying class that this library made.
ISA_API bool kvo_class_is_notifying(isa_class cls);

// The class that a notifying class notifies for; any other class is answered itself.
ISA_API isa_class kvo_class_original(isa_class cls);

// How a notifying class wraps one setter.
typedef struct kvo_setter_info {
    isa_sel selector;
    const char *key;   // the notifying class owns the text
    const char *types; // the setter's encoding, owned likewise
    isa_imp wrapper;   // what the notifying class's dispatch table holds
    isa_imp original;  // what the wrapper calls now
    bool is_closure;   // a libffi closure, else a typed thunk
} kvo_setter_info;

// Copies what the notifying class wraps so far, in the order in which it came to wrap it.
//
// Owner: the caller frees `*out` with isa_free; `*out` is NULL for a count of 0 or another class.
ISA_API isa_status kvo_class_copy_setters(isa_class cls, kvo_setter_info **out, size_t *count);

// ---- who observes -------------------------------------------------------------------------------

// One registration, as introspection shows it.
typedef struct kvo_registration_info {
    const char *key_path;
    uint32_t options;
    void *context;
    const void *observer; // the observer object's address, or the function's info; only a name
    bool is_function;
} kvo_registration_info;

// Copies the object's registrations, in the order in which they were made.
//
// Owner: the caller frees `*out` with isa_free, the texts with it; `*out` is NULL for 0.
ISA_API isa_status kvo_copy_registrations(isa_id object, kvo_registration_info **out,
                                          size_t *count);

// Whether anything is registered on the object: Foundation's observationInfo != NULL.
ISA_API bool kvo_is_observed(isa_id object);

#ifdef __cplusplus
}
#endif
#endif
