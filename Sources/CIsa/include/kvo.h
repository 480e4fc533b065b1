// Key-value observing: being told of changes.
//
// Threads: any thread may set, observe and stop observing, at any time. Observers are told on the
//          changing thread, before the setter returns, with no lock of the library held.
// Lives:   an observer that dies is skipped; an observed object that dies takes its registrations
//          along.
// Fork:    a child may use the library, even if threads of its parent were inside it. Those threads
//          count as gone, with their calls. References that they held stay.
// NULL:    as at the top of isa_types.h.
#ifndef KVO_H
#define KVO_H

#include "isa_event.h"
#include "kvc.h"
#include "kvc_collections.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- options and changes ------------------------------------------------------------------------

// The wishes of a registration: the constants, joined by |.
typedef uint32_t kvo_options;
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

// The content of one notification.
//
//                         kind         new                     old                    indexes
//   set, will/did pair    setting      the value after         the value before       none
//   ordered insertion     insertion    an array of the objects none                   where
//   ordered removal       removal      none                    an array of them       where
//   ordered replacement   replacement  an array of the objects an array of them       where
//   union                 insertion    a set of what came      none                   none
//   minus, intersection   removal      none                    a set of what went     none
//   set mutation SET      replacement  a set of what came      a set of what went     none
//   dependent key         setting      the value after         the value before       none
//
// After the insertion of objects that an ordered set had already, or the replacement of objects by
// themselves, indexes and arrays are of those only that did change; before it, of all announced.
//
// Owner: the engine; the record, its texts, indexes and values are valid during the callback only.
//        `old_value` and `new_value` have an address of NULL where absent; nil is an address of a
//        NULL.
typedef struct kvo_change {
    isa_id object;         // the object that the registration was made on
    const char *key_path;  // the registered key path
    void *context;         // the registration's context
    kvo_change_kind kind;
    bool is_prior;         // before the change; then there is no new value
    bool is_initial;       // while registering; then there is no old value
    bool is_foreign;       // told to an observer object registered with KVO_OPTION_FOREIGN
    kvc_value old_value;
    kvc_value new_value;
    const kvc_index_set *indexes; // NULL: none; of an ordered set, see above
    const char *cause; // the key, of any object, whose change this is; NULL while registering
} kvo_change;

// ---- observers that are objects -----------------------------------------------------------------

// Registers `observer`, which is told by `observeValueForKeyPath:ofObject:change:context:`, a
// method of encoding "v@:*@^v^v" (key path, object, const kvo_change *, context). Sends
// `addObserver:forKeyPath:options:context:` to `object`, which its class may override.
//
// The observer is held weakly (or retained, by option), the observed object is not held. The same
// registration may be made again: it is then told twice and removed twice. A single key that the
// class does not know is accepted.
//
// A path of several keys is followed through the objects that it leads to: to each but the last a
// forwarder is attached, which moves along when a value on the way is replaced; nil on the way is
// nil. A path may end in an operator without argument, as "list.@count". A key that others affect
// (kvo_class_copy_affecting) is told of when one of those changes.
//
// The caller keeps the object until this returns: the initial notification runs code of others.
//
// Errors: ISA_ERR_INVALID_ARGUMENT for a NULL or empty key path, one with an empty key in it, or
//         text that is not UTF-8; KVO_ERR_INVALID_OPTIONS; KVO_ERR_NOT_OBSERVABLE for a class
//         object, an object whose class does not descend from the root class, and an array, ordered
//         set or set, on the way too; KVC_ERR_UNDEFINED_KEY if a key before the last is unknown, or
//         the initial notification has to carry a value and the last one is;
//         KVO_ERR_SELF_DEPENDENT; KVO_ERR_TOO_DEEP for a path of more than 1024 keys, for more than
//         1040 registrations inside one another, as a key makes that depends on itself in the next
//         object and so on, and for a key that more than 4096 paths affect;
//         ISA_ERR_DEALLOCATING if the object or the observer is being deallocated;
//         ISA_ERR_NO_MEMORY. Nothing is registered then, and the isa is as before.
// Source: addObserver:forKeyPath:options:context:, NSKeyValueObserving.h.
ISA_TRY isa_status kvo_add_observer(isa_id object, isa_id observer, const char *key_path,
                                    kvo_options options, void *context);

// Removes the latest registration of `observer` for `key_path`, with any context. Sends
// `removeObserver:forKeyPath:`.
//
// Once this has returned no callback of the registration starts on any thread; a callback that has
// started may still be running. Equal registrations (same observer, key path, options and context)
// stand for one another in a change in progress: the promise is about the last of them.
//
// Errors: KVO_ERR_NOT_REGISTERED (NSRangeException); ISA_ERR_NO_MEMORY. Nothing changes then.
//         KVO_ERR_INCONSISTENT if a value on the key path was replaced without being announced: the
//         registration is removed nevertheless, its forwarders with it.
ISA_API isa_status kvo_remove_observer(isa_id object, isa_id observer, const char *key_path);

// The same for the latest registration with exactly that context, NULL included. Sends
// `removeObserver:forKeyPath:context:`.
ISA_API isa_status kvo_remove_observer_context(isa_id object, isa_id observer,
                                               const char *key_path, void *context);

// Registers `observer` for `key_path` on each object of `array` at `indexes`, and removes it. Sends
// `addObserver:toObjectsAtIndexes:forKeyPath:options:context:` and so on to the array; an initial
// notification comes once for each.
//
// Errors: as kvo_add_observer and kvo_remove_observer, for the first object that refuses, and then
//         those before it are as they were; KVC_ERR_RANGE for an index beyond the end;
//         KVO_ERR_NOT_OBSERVABLE if `array` is no array.
// Source: addObserver:toObjectsAtIndexes:forKeyPath:options:context:, NSKeyValueObserving.h.
ISA_TRY isa_status kvo_elements_add_observer(isa_id array, isa_id observer,
                                             const kvc_index_set *indexes, const char *key_path,
                                             kvo_options options, void *context);
ISA_API isa_status kvo_elements_remove_observer(isa_id array, isa_id observer,
                                                const kvc_index_set *indexes, const char *key_path);
ISA_API isa_status kvo_elements_remove_observer_context(isa_id array, isa_id observer,
                                                        const kvc_index_set *indexes,
                                                        const char *key_path, void *context);

// ---- methods ------------------------------------------------------------------------------------

// The methods of the messages that a class may override, beside kvc_key_imp.
typedef isa_status (*kvo_add_imp)(isa_id self, isa_sel sel, isa_id observer, const char *key_path,
                                  uint64_t options, void *context);
typedef isa_status (*kvo_remove_imp)(isa_id self, isa_sel sel, isa_id observer,
                                     const char *key_path);
typedef isa_status (*kvo_remove_context_imp)(isa_id self, isa_sel sel, isa_id observer,
                                             const char *key_path, void *context);
typedef void (*kvo_observe_imp)(isa_id self, isa_sel sel, const char *key_path, isa_id object,
                                const kvo_change *change, void *context);
typedef isa_status (*kvo_change_at_imp)(isa_id self, isa_sel sel, uint64_t kind,
                                        const kvc_index_set *indexes, const char *key);
typedef isa_status (*kvo_change_set_imp)(isa_id self, isa_sel sel, const char *key,
                                         uint64_t mutation, isa_id objects);
typedef void *(*kvo_info_imp)(isa_id self, isa_sel sel);
typedef isa_status (*kvo_set_info_imp)(isa_id self, isa_sel sel, void *info);

// ---- observers that are functions ---------------------------------------------------------------

typedef void (*kvo_callback)(const kvo_change *change, void *info);

// A function observer: `release(info)`, unless NULL, is called once, after the registration has
// ended and no thread can be inside the callback any more: on the thread that ends it or on a
// thread that was inside a callback then.
//
// A callback returns: a callback that is left by longjmp or a C++ exception leaves its thread
// inside the library, which is then undefined; declare it noexcept. If its thread ends in it, by
// pthread_exit or cancellation, the changes that the thread was delivering are over, nobody else is
// told of them, and ISA_ERR_UNSUPPORTED goes to the misuse handler; a value that such a change
// held, or a change announced by hand, may stay allocated.
typedef struct kvo_function {
    kvo_callback callback;
    void *info;
    void (*release)(void *info);
} kvo_function;

// A registration's handle, one per call of kvo_observe.
typedef struct isa__registration *kvo_token;

// Registers a function observer.
//
// `*out` is written before the first callback can run, on this thread or on another, so that each
// callback can end the registration.
//
// Owner:  the caller ends `*out` with kvo_token_invalidate and frees it with kvo_token_release; it
//         may outlive the object.
// Errors: as kvo_add_observer; `release` is not called then and `*out` is NULL.
ISA_TRY isa_status kvo_observe(isa_id object, const char *key_path, kvo_options options,
                               const kvo_function *function, void *context, kvo_token *out);

// Ends the registration; any number of times, on any thread, also after the object's death.
//
// Once this has returned no callback of the registration starts on any thread; a callback that has
// started may still be running. Returns whether this call ended it.
ISA_API bool kvo_token_invalidate(kvo_token token);

// The same, and waits until no callback of the registration is running on another thread. Must not
// be called where a callback may be waiting for the caller: not inside the callback itself, if it
// may run on two threads at once.
ISA_API bool kvo_token_invalidate_and_wait(kvo_token token);

// Whether the registration still stands.
ISA_API bool kvo_token_is_valid(kvo_token token);

// Frees the handle; a registration that still stands is ended first. NULL is ignored.
ISA_API void kvo_token_release(kvo_token token);

// ---- manual notification ------------------------------------------------------------------------

// Announces a change of `key`; pair with kvo_did_change on the same thread. Pairs may nest and
// interleave. Sends `willChangeValueForKey:`, which the class may override.
//
// Errors: ISA_ERR_NO_MEMORY; the status by which the guard of the object's class refuses it. The
//         change is then not announced and must not be ended.
ISA_API isa_status kvo_will_change(isa_id object, const char *key);

// Ends the latest change of `key` announced on this thread and tells the observers. Without one
// it does nothing. Sends `didChangeValueForKey:`.
//
// A change that concerned nobody when it was announced is not on record. Its end does nothing
// either, or fails where another thread has announced a change of the key meanwhile.
//
// Errors: KVO_ERR_WRONG_THREAD if the change was announced on another thread; the status by which
//         the guard of the object's class refuses it.
ISA_API isa_status kvo_did_change(isa_id object, const char *key);

// The same for an ordered to-many key: `kind` is an insertion, removal or replacement at `indexes`,
// which are the objects' indexes after an insertion and before a removal. Sends
// `willChange:valuesAtIndexes:forKey:` and `didChange:valuesAtIndexes:forKey:` ("i@:Q^v*").
//
// Errors: also ISA_ERR_INVALID_ARGUMENT for another kind or NULL indexes; of did, KVC_ERR_RANGE if
//         there is nothing at an index announced: the observers are told nevertheless, without what
//         cannot be read.
// Source: willChange:valuesAtIndexes:forKey:, NSKeyValueObserving.h.
ISA_API isa_status kvo_will_change_indexes(isa_id object, kvo_change_kind kind,
                                           const kvc_index_set *indexes, const char *key);
ISA_API isa_status kvo_did_change_indexes(isa_id object, kvo_change_kind kind,
                                          const kvc_index_set *indexes, const char *key);

// How an unordered to-many key changes by a set of objects.
typedef enum kvo_set_mutation {
    KVO_SET_UNION = 1,
    KVO_SET_MINUS = 2,
    KVO_SET_INTERSECT = 3,
    KVO_SET_SET = 4,
} kvo_set_mutation;

// The same for an unordered to-many key; observers are told of the difference that `objects`, a
// set, makes to the value at the time of will. Sends
// `willChangeValueForKey:withSetMutation:usingObjects:` and so on ("i@:*Q@").
//
// Errors: also ISA_ERR_INVALID_ARGUMENT for another mutation or for objects that are no set,
//         ordered set or array.
// Source: willChangeValueForKey:withSetMutation:usingObjects:, NSKeyValueObserving.h.
ISA_API isa_status kvo_will_change_set(isa_id object, const char *key, kvo_set_mutation mutation,
                                       isa_id objects);
ISA_API isa_status kvo_did_change_set(isa_id object, const char *key, kvo_set_mutation mutation,
                                      isa_id objects);

// How many notifications may be under way within one another on one thread, each sent in the course
// of the notification before: 500 at start, and fewer where they leave less than a quarter of the
// thread's stack, or less than 128 KiB of a large one. A notification beyond the limit is not sent,
// nor is any of a change that begins before the thread is out of them all, and KVO_ERR_TOO_DEEP
// goes to the misuse handler with the changes that lead to one another. The values are set
// nevertheless.
ISA_API void kvo_set_depth_limit(uint32_t limit);
ISA_API uint32_t kvo_get_depth_limit(void);

// ---- dependent keys -----------------------------------------------------------------------------

// A key is dependent because its class says so, by a class method of the key's name, on the
// metaclass, which answers a set of strings: key paths, counted from an instance. For key `total`:
//
//   static isa_status total_affected(isa_id cls, isa_sel sel, isa_id *out)
//   {
//       … // *out: a new set, which the caller releases, of "price" and "amount"
//   }
//   isa_class_add_method(isa_class_metaclass(cls),
//                        isa_sel_register("keyPathsForValuesAffectingTotal"),
//                        (isa_imp)total_affected, "i@:^@");
//
// An observer of `total` is told when `price` or `amount` changes, with the values that the getter
// of `total` answers before and after. kvo_class_set_keys declares the same without a method, for
// keys of the object itself.

// The key paths that the class declares to affect `key`, a set of strings. Sends
// `keyPathsForValuesAffectingValueForKey:` ("i@:*^@") to the class, whose default is the answer of
// its class method `keyPathsForValuesAffecting<Key>` ("i@:^@", or "@@:", which lends the set).
// Without that method it is the set of kvo_class_set_keys.
//
// Owner:  the caller releases `*out`, which is never NULL.
// Errors: of the methods; ISA_ERR_INVALID_ARGUMENT if the answer is no set of strings, or the
//         method has another encoding; KVO_ERR_TOO_DEEP if a class method asks for what it is asked
//         for.
// Source: keyPathsForValuesAffectingValueForKey:, NSKeyValueObserving.h.
ISA_TRY isa_status kvo_class_copy_affecting(isa_class cls, const char *key, isa_id *out);

// All that affects `key` through one another, as a set of strings: what `cls` declares, what it
// declares to affect those, and so on; without `key` itself.
//
// Errors: also KVO_ERR_SELF_DEPENDENT if a key is declared to affect itself.
ISA_TRY isa_status kvo_class_copy_all_affecting(isa_class cls, const char *key, isa_id *out);

// Declares that `keys`, an array of strings, affect `dependent_key`, instead of what was declared
// so before; keys with a dot are left out. Sends
// `setKeys:triggerChangeNotificationsForDependentKey:` ("i@:@*") to the class.
//
// Errors: ISA_ERR_INVALID_ARGUMENT if `keys` is no array of strings; ISA_ERR_NO_MEMORY.
// Source: setKeys:triggerChangeNotificationsForDependentKey:, NSKeyValueObserving.h.
ISA_TRY isa_status kvo_class_set_keys(isa_class cls, isa_id keys, const char *dependent_key);

// ---- shared observers ---------------------------------------------------------------------------

// Registrations made once for a class and assigned to many of its objects. Objects that have only
// those share one list of them, and cost no registration of their own.
typedef struct isa__shared_observers *kvo_shared_observers;

// Makes an empty collection for instances of `cls` and of its subclasses. An observer added or
// removed after an assignment concerns later assignments only.
//
// Owner:  the caller ends `*out` with kvo_shared_observers_release; objects that it was assigned
//         to keep what they need.
// Errors: ISA_ERR_INVALID_ARGUMENT for NULL or a metaclass; ISA_ERR_NO_MEMORY.
// Threads: several may assign it at once; no other thread may use it while a thread adds, removes
//          or releases.
// Source: NSKeyValueSharedObservers, 2024.
ISA_TRY isa_status kvo_shared_observers_make(isa_class cls, kvo_shared_observers *out);
ISA_API void kvo_shared_observers_release(kvo_shared_observers shared);

// Adds a registration of an observer object, held weakly; of a function. `key` is one key that no
// other affects; the options are new, old and prior.
//
// Errors: as kvo_add_observer; KVO_ERR_INVALID_OPTIONS; KVO_ERR_NOT_OBSERVABLE for a key path, an
//         operator or a dependent key.
ISA_TRY isa_status kvo_shared_observers_add(kvo_shared_observers shared, isa_id observer,
                                            const char *key, kvo_options options, void *context);
ISA_TRY isa_status kvo_shared_observers_add_function(kvo_shared_observers shared,
                                                     const kvo_function *function,
                                                     const char *key, kvo_options options,
                                                     void *context);

// Takes the latest registration of that observer, key and context out of the collection.
//
// Errors: KVO_ERR_NOT_REGISTERED.
ISA_API isa_status kvo_shared_observers_remove(kvo_shared_observers shared, isa_id observer,
                                               const char *key, void *context);

// Assigns the collection as it is now to `object`, in place of its former one; NULL takes that
// away. Shared observers come before the object's own in the order of registration.
//
// Errors: ISA_ERR_INVALID_ARGUMENT if the object is no instance of the collection's class;
//         KVO_ERR_NOT_OBSERVABLE; ISA_ERR_DEALLOCATING; ISA_ERR_NO_MEMORY. Nothing changes then.
// Source: setSharedObservers:, NSObject, 2024.
ISA_TRY isa_status kvo_set_shared_observers(isa_id object, kvo_shared_observers shared);

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
ISA_TRY isa_status kvo_class_copy_setters(isa_class cls, kvo_setter_info **out, size_t *count);

// ---- who observes -------------------------------------------------------------------------------

// One registration, as introspection shows it.
//
// Owner: texts are interned; objects are only names, and may have died.
typedef struct kvo_registration_info {
    const char *key_path;
    kvo_options options;
    void *context;
    const void *observer; // the observer object's address, or the function's info
    bool is_function;
    bool is_shared;       // comes from shared observers
    bool is_forwarder;    // serves a registration of several keys, or of a dependent key, on `root`
    const void *root;     // of a forwarder: the object that was registered on; else the object
    const char *root_key_path; // and the key path there
    uint64_t since;       // when it was made, see kvo_record_times; 0: not recorded
    uint64_t number;      // its number in the event log, see isa_event.h; 0: the log is off
} kvo_registration_info;

// Copies the object's registrations, in the order in which they were made.
//
// Owner: the caller frees `*out` with isa_free; `*out` is NULL for 0.
ISA_TRY isa_status kvo_copy_registrations(isa_id object, kvo_registration_info **out,
                                          size_t *count);

// Copies the registrations that a change of `key` on `object` would tell, in the order in which
// they would be told after it: its own, the registrations of dependent keys, and through forwarders
// the registrations of other objects, each with the root's path.
//
// Owner: as above.
ISA_TRY isa_status kvo_copy_affected(isa_id object, const char *key, kvo_registration_info **out,
                                     size_t *count);

// A change that was announced by hand and not ended yet.
typedef struct kvo_pending_info {
    const char *key; // interned
    kvo_change_kind kind;
    uint64_t thread; // 1, 2, 3, …: in the order in which threads came to use the library
} kvo_pending_info;

// Copies the object's pending changes, latest first.
//
// Owner: as above.
ISA_TRY isa_status kvo_copy_pending(isa_id object, kvo_pending_info **out, size_t *count);

// Whether registrations made from now on note when they were made: nanoseconds of the monotonic
// clock. Off at start.
ISA_API void kvo_record_times(bool on);

// Whether anything is registered on the object: Foundation's observationInfo != NULL.
ISA_API bool kvo_is_observed(isa_id object);

// All registrations of the object, as one opaque pointer; NULL if there are none. It changes with
// every registration and removal.
//
// Sends `observationInfo` ("^v@:"), which a class may override together with `setObservationInfo:`
// ("i@:^v") to keep the pointer itself; NULL from an override silences all observers for as long.
ISA_API void *kvo_observation_info(isa_id object);

// Gives the object back the pointer that it has, which does nothing, or NULL, which ends all of
// its registrations. Sends `setObservationInfo:`.
//
// Errors: ISA_ERR_INVALID_ARGUMENT for any other pointer.
ISA_TRY isa_status kvo_set_observation_info(isa_id object, void *info);

#ifdef __cplusplus
}
#endif
#endif
