// For layers over key-value observing in other languages, such as the layer in Swift: registrations
// that are marked as theirs, changes that move to another thread, and values that stand in objects
// in a form of the layer's own. A program in C does not need this header.
//
// NULL: as at the top of isa_types.h.
#ifndef KVO_FOREIGN_H
#define KVO_FOREIGN_H

#include "kvo.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    // By names of a foreign layer: kvo_change.is_foreign says so to the observer.
    KVO_OPTION_FOREIGN = 1 << 17,
    // Of a function and one key: it is told of changes of the key alone, not of what affects that.
    KVO_OPTION_OWN = 1 << 19,
};

// Makes the latest change of `key` that another thread announced one of the calling thread's,
// unless this has announced one: for a change in whose course its code moves to another thread.
// Returns whether there is one to be ended here now.
ISA_API bool kvo_claim_change(isa_id object, const char *key);

// The object whose change the calling thread is announcing or telling of: of changes within one
// another the innermost; where a key path through an object is observed, the object itself. NULL if
// there is none.
ISA_API isa_id kvo_find_changing(void);

// How often `setObservationInfo:` has ended registrations in the process. As long as the count is
// the same, a registration that neither its token nor the end of its object has ended stands.
ISA_API uint64_t kvo_clear_count(void);

// Has what follows the value of `key` follow the value that it has now, and notifies nobody: for a
// value that was exchanged without being announced, such as one that has been fetched. Registered
// key paths that lead on from the key lead through the present value then, and functions whose
// callback is `follower`, registered for the key, are called with a change that `is_initial`, which
// such functions do not ask for otherwise; NULL: none is. Reads the value only where a key path
// leads on from it.
//
// Errors: none; a value that cannot be followed goes to the misuse handler.
ISA_API void kvo_follow_value(isa_id object, const char *key, kvo_callback follower);

// The info of the first function among the shared observers of `object` that has the callback;
// NULL: none. It is good as long as nobody assigns others to the object.
ISA_API void *kvo_find_shared_info(isa_id object, kvo_callback callback);

// ---- the event log ------------------------------------------------------------------------------

// Where a program has its layer register: as the compiler names the file. The text lasts as long as
// the process.
typedef struct kvo_place {
    const char *file; // NULL: unknown
    uint32_t line;
} kvo_place;

// Sets the place of what this thread registers from now on, and returns the former one. In the
// course of a notification no place is set.
ISA_API kvo_place kvo_set_place(kvo_place place);

// What becomes of a notification that is logged.
typedef enum kvo_logged_state {
    KVO_LOGGED_OPEN,     // the layer has yet to say
    KVO_LOGGED_BEGUN,    // its handler runs
    KVO_LOGGED_WITHHELD, // its change is held, or muted
} kvo_logged_state;

// A notification that is logged, or what the layer keeps of one; the fields are the library's. Of a
// log that is off, `event.kind` is 0. It is plain memory: copied and dropped at will, on any
// thread.
typedef struct kvo_logged {
    isa_event event;
    struct kvo_logged *outer;
    uint64_t scope;
    kvo_place place;
    kvo_logged_state state;
} kvo_logged;

// Says whether notifications by a callback of the layer's, or NULL: of observer objects, may be
// withheld on the calling thread now.
typedef bool (*kvo_withholds)(kvo_callback callback);

// Sets the function that the library asks before it logs a notification; it runs no code but the
// layer's. While it answers true, a callback says what becomes of its notification before it calls
// the handler: kvo_logged_proceed, or kvo_logged_withhold.
ISA_API void kvo_set_withholds(kvo_withholds function);

// The handler of the notification that this thread sends is called now.
ISA_API void kvo_logged_proceed(void);

// It is not called: `kind` is ISA_EVENT_CHANGE_HELD or ISA_EVENT_CHANGE_MUTED. `*out` is what to
// begin a later notification with, of a held change; NULL: nothing comes of it.
ISA_API void kvo_logged_withhold(isa_event_kind kind, kvo_logged *out);

// It is to be called elsewhere; `*out` is what to begin that with.
ISA_API void kvo_logged_send(kvo_logged *out);

// A handler is called late or elsewhere, on this thread, and has returned. `logged` stays where it
// is in between.
ISA_API void kvo_logged_begin(kvo_logged *logged);
ISA_API void kvo_logged_end(kvo_logged *logged);

// The same for code of which nobody knows when it ends.
ISA_API void kvo_logged_arrive(const kvo_logged *logged);

// A transaction begins, and has ended, in which `count` changes were held. `scope` is what the
// first function has returned.
ISA_API uint64_t kvo_log_transaction_begin(void);
ISA_API void kvo_log_transaction_end(uint64_t scope, uint64_t count);

// ---- values in place ----------------------------------------------------------------------------

// A form in which values stand in objects and which has no encoding: the class's getter and setter
// give and take objects for them. It must last as long as the process.
typedef struct kvo_form {
    isa_imp setter;        // the methods by which a class answers for such values
    isa_imp getter;
    kvo_callback callback; // of the function observers that know the form
    const char *types;     // what tells them the form: the types of the values that they are shown
    size_t size;           // of a value that is moved by moving its bytes, else 0
    // Sets what stands at `place` to `*value`, as the setter would; `*value` is the old value then
    // if `keeps_old`, else any. Not called where bytes that are exchanged do as much.
    void (*set)(const struct kvo_form *form, void *place, void *value, bool keeps_old);
    // The object for a value, with a +1; NULL: nil.
    isa_id (*copy_object)(const struct kvo_form *form, const void *value);
    const void *info;      // the form's own
    // Writes the text of a value as isa_event_copy_text says; NULL: values are no texts. It runs no
    // code but the layer's.
    size_t (*copy_text)(const struct kvo_form *form, const void *value, char *buffer, size_t size);
} kvo_form;

// What `types` of a form leads to: a text that is no encoding, and the type and form behind it.
typedef struct kvo_form_tag {
    char letter[8]; // 1, and zeros
    const void *type;
    const kvo_form *form;
} kvo_form_tag;

// Sets the value at `place` in the object to `*value`, as the message `sel` would by an object, and
// shows old and new by address to those who observe it. False if nothing was done: the setter is
// another one, or not all who are told know the form.
//
// Lives:   what is shown, for the callback's time only. The new value is shown where it stands in
//          the object: one who sets the key again in a callback sees that there.
// Threads: as the setter's message; `place` is the caller's to synchronise, as an ivar is.
ISA_API bool kvo_set_in_place(isa_id object, isa_sel sel, const kvo_form *form, void *place,
                              void *value);

// A change of elements of an ordered collection that stands in an object.
typedef struct kvo_edit {
    kvo_change_kind kind;         // an insertion, removal or replacement
    const kvc_index_set *indexes;
    // Where the elements are, in the form, once the change is made: elements that went, NULL for an
    // insertion, and elements that came, NULL for a removal.
    const void *old_value;
    const void *new_value;
    void (*make)(void *context);  // changes the collection; called once or not at all
    void *context;
    isa_status status;            // answered: what stopped the rest of the observers' elements
                                  // from being read; once they are gone, the new elements are shown
} kvo_edit;

// Makes the change, and shows what went and came by address to those who observe the key of the
// setter `sel`. False if nothing was done, as of kvo_set_in_place, or if the key has to be
// announced beforehand, to observers or to what depends on it: kvo_will_change_indexes does.
//
// The form's `copy_object` makes an ordered collection of elements, its `set` is not called.
//
// Lives:   what is shown, for the callback's time only.
// Threads: as of kvo_set_in_place.
ISA_API bool kvo_edit_in_place(isa_id object, isa_sel sel, const kvo_form *form, kvo_edit *edit);

#ifdef __cplusplus
}
#endif
#endif
