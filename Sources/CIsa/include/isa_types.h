// Handles, statuses and the words for ownership that every other header uses.
//
// Verbs:     `make`, `copy` and `allocate` give the caller something to end: an object by
//            isa_object_release, anything else as its contract says. A thing made is new (a proxy:
//            a new view of its object); a copy is of the state at the moment of the call. `retain`
//            and `release` pair on objects; `find` may answer NULL, `get` never does, and both
//            lend what they answer.
// NULL:      for an argument that its contract does not let be NULL, a function that answers an
//            isa_status fails and changes nothing: ISA_ERR_INVALID_ARGUMENT, unless a status of its
//            contract fits better (NULL is no type encoding, no observable array). Any other
//            answers NULL, false or 0, or does nothing, where that is true of nothing (nothing has
//            that name), or stops the process with a sentence that names function and argument. A
//            place for a result may be NULL only where the contract says so. For speed these do
//            not look: isa_lookup, ISA_SEND, isa_lookup_unrecognized, isa_object_get_class,
//            isa_send_value, kvo_set_in_place, kvo_edit_in_place, and what isa_header.h declares.
#ifndef ISA_TYPES_H
#define ISA_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa_header.h"

#if defined(__GNUC__)
#define ISA_API __attribute__((visibility("default")))
// The status has to be looked at, as nothing was done unless it is ISA_OK. It need not where a file
// defines ISA_UNCHECKED before it includes this, nor of what announces, removes or reports.
#if defined(ISA_UNCHECKED) || defined(__swift__)
#define ISA_TRY ISA_API
#else
#define ISA_TRY ISA_API __attribute__((warn_unused_result))
#endif
#define ISA_NONNULL __attribute__((nonnull))
#define ISA_UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#error "IsaKVO needs GCC or Clang: it relies on their atomic builtins."
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct isa_object *isa_id;           // an object; starts with a struct isa_header
typedef struct isa__class *isa_class;         // a class; is an object too, see isa_class_as_object
typedef const struct isa_selector *isa_sel;  // an interned selector: equal names, equal address
typedef struct isa__method *isa_method;       // a method of one class
typedef struct isa__ivar *isa_ivar;           // an ivar of one class
typedef struct isa__property *isa_property;   // a declared property of one class
typedef void (*isa_imp)(void);               // code: cast to (result)(isa_id, isa_sel, …)

// The outcome of a call. Values are stable; new ones are added at the end of their group.
typedef enum isa_status {
    ISA_OK = 0,
    ISA_ERR_NO_MEMORY = 1,
    ISA_ERR_INVALID_ARGUMENT = 2,       // NULL where a value is needed, an empty name, …
    ISA_ERR_EXISTS = 3,                 // a class, method, ivar or property of that name exists
    ISA_ERR_NOT_FOUND = 4,              // no class, method, ivar or property of that name
    ISA_ERR_IN_USE = 5,                 // the class still has instances or subclasses
    ISA_ERR_REGISTERED = 6,             // the class is registered: its layout cannot change now
    ISA_ERR_NOT_REGISTERED = 7,         // the class is not registered yet
    ISA_ERR_BAD_ENCODING = 8,           // the type encoding cannot be parsed
    ISA_ERR_NOT_PASSABLE = 9,           // the type is understood, but libffi cannot pass it
    ISA_ERR_LAYOUT = 10,                // instances of the two classes differ in size
    ISA_ERR_UNRECOGNIZED_SELECTOR = 11, // the object does not respond to the selector
    ISA_ERR_NO_TRAMPOLINE = 12,         // the system grants no executable memory
    ISA_ERR_UNSUPPORTED = 13,           // understood, but not something this runtime does
    ISA_ERR_DEALLOCATING = 14,          // the object is being deallocated
    ISA_ERR_FILE = 15,                  // a file cannot be opened or written
    KVC_ERR_UNDEFINED_KEY = 32,         // neither an accessor nor an ivar answers to the key
    KVC_ERR_NIL_VALUE = 33,             // nil for a key whose type is not an object
    KVC_ERR_TYPE = 34,                  // the value cannot be converted to the key's type
    KVC_ERR_RANGE = 35,                 // an index beyond a collection's end
    KVC_ERR_OVERFLOW = 36,              // decimal arithmetic on what is no number
    KVO_ERR_NOT_REGISTERED = 64,        // no registration matches the removal
    KVO_ERR_INVALID_OPTIONS = 65,       // option bits that do not exist
    KVO_ERR_NOT_OBSERVABLE = 66,        // this object, or this key, cannot be observed
    KVO_ERR_NAME_TAKEN = 67,            // NSKVONotifying_… is somebody else's class
    KVO_ERR_UNHANDLED = 68,             // the observer does not handle the message
    KVO_ERR_WRONG_THREAD = 69,          // an object, or a change, is another thread's
    KVO_ERR_NOT_WRAPPED = 70,           // the setter was left alone: its signature has no wrapper
    KVO_ERR_INCONSISTENT = 71,          // a value on a key path changed without being announced
    KVO_ERR_SELF_DEPENDENT = 72,        // a key is declared to depend on itself
    KVO_ERR_TOO_DEEP = 73,              // registrations within registrations, without end
} isa_status;

// The status's meaning in a few words, such as "type encoding cannot be parsed". Never NULL.
ISA_API const char *isa_status_text(isa_status status);

// The name of the exception that Foundation raises for such a failure, such as "NSRangeException";
// empty for ISA_OK. Never NULL.
ISA_API const char *isa_status_exception(isa_status status);

// The reason why the calling thread's latest failed call failed.
typedef struct isa_error {
    isa_status status;
    const char *exception;  // the name that Foundation raises, such as "NSRangeException"
    const char *reason;     // what was wrong, where, and what was expected; one line
    const void *object;     // the object that failed, for comparing: it may be gone; NULL: unknown
    const char *class_name; // the class that it claims to be of; empty: unknown
    const char *key;        // the key that failed, not the path that it stood in; empty: none
} isa_error;

// The calling thread's latest failure; status ISA_OK and empty texts if there was none.
//
// Owner: the thread; the texts are valid until its next failing call.
ISA_API const isa_error *isa_last_error(void);

// Notes why a method of the caller's own fails and returns `status`, for a method that answers with
// a status. `exception` NULL: the exception that goes with the status.
//
// Owner: the texts are copied; the rest is left out.
ISA_API isa_status isa_fail(isa_status status, const char *exception, const char *reason);

// As isa_fail, with the object, class and key that failed; a text that is NULL is empty. Returns
// the error's status.
ISA_API isa_status isa_fail_with(const isa_error *error);

// Tells the misuse handler, where there is no caller to fail to.
ISA_API void isa_report_misuse(isa_status status, const char *exception, const char *reason);

// Told of a misuse that has no caller to return a status to, such as a value that cannot be read
// inside a void setter. Called on the thread of the misuse with no lock held.
typedef void (*isa_misuse_handler)(const isa_error *error, void *context);

// Replaces the process's misuse handler; NULL restores the default, which prints one line to
// standard error. Returns once no thread is inside the previous handler, the caller's own excepted.
ISA_API void isa_set_misuse_handler(isa_misuse_handler handler, void *context);

// Frees what a `copy` function of this library returned; NULL is ignored.
ISA_API void isa_free(void *memory);

// The version of these headers and of the library that `make install` puts beside them. Before 1.0
// a library of another minor version is another library.
#define ISAKVO_VERSION_MAJOR 0
#define ISAKVO_VERSION_MINOR 2
#define ISAKVO_VERSION_PATCH 0
#define ISAKVO_VERSION \
    (ISAKVO_VERSION_MAJOR * 10000 + ISAKVO_VERSION_MINOR * 100 + ISAKVO_VERSION_PATCH)
#define ISAKVO_VERSION_TEXT "0.2.0"

// The same as the library was built with.
ISA_API const char *isa_version(void);

// ---- forks --------------------------------------------------------------------------------------

// Between these two no other thread forks: what takes a lock of its own, which a child would find
// taken by nobody, does so between them. They nest. No code of others runs between them, nor does
// the calling thread fork there.
ISA_API void isa_fork_guard_begin(void);
ISA_API void isa_fork_guard_end(void);

#ifdef __cplusplus
}
#endif
#endif
