// Your own key-value observing: what you write, and what you are handed.
//
// Everything stands on the runtime's public functions: classes made at run time, the isa swap,
// callbacks as methods, associated objects, key-value coding. kvo.h is what you are building, so its
// functions may not be called.
#ifndef STUDENT_KVO_H
#define STUDENT_KVO_H

#include <isa_call.h>
#include <kvc.h>
#include <kvc_collections.h>

typedef enum student_kind {
    STUDENT_SETTING = 1,
    STUDENT_INSERTION = 2,   // this and the following: from level 7 on
    STUDENT_REMOVAL = 3,
    STUDENT_REPLACEMENT = 4,
} student_kind;

// From level 3 on; 0 until then.
enum {
    STUDENT_NEW = 1,     // the change carries the value after it
    STUDENT_OLD = 2,     // the change carries the value before it
    STUDENT_INITIAL = 4, // one notification before student_add returns
    STUDENT_PRIOR = 8,   // one more notification, before each change
};

// A change, as an observer gets it. Valid during the notification; fields of later levels are zero.
typedef struct student_change {
    isa_id object;        // the object that was handed to student_add
    const char *key_path; // the key that was handed to student_add, from level 5 on a key path
    void *context;        // level 3: what was handed to student_add
    bool is_prior;        // level 3: notified before the change
    bool has_old;         // level 3
    bool has_new;         // level 3
    isa_id old_value;     // level 3: boxed, as kvc_copy_value answers it; NULL is nil
    isa_id new_value;
    student_kind kind;    // level 7; values are then the one element inserted, removed, replaced
    size_t index;         // level 7: where
} student_change;

// How an observer is notified: on the thread of the change, before the setter returns.
typedef void (*student_tell)(isa_id observer, const student_change *change);

// Level 1: calls `tell(observer, …)` after each change of `key_path` of `object` that a setter makes.
// Level 2: as often as it was added, for as long as the observer lives; it holds neither of them.
isa_status student_add(isa_id object, isa_id observer, const char *key_path, unsigned options,
                       void *context, student_tell tell);

// Ends the latest registration of that observer and key path. Another status than ISA_OK if there is
// none.
isa_status student_remove(isa_id object, isa_id observer, const char *key_path);
// @from 3

// Level 3: ends the latest one with exactly that context, NULL included.
isa_status student_remove_context(isa_id object, isa_id observer, const char *key_path,
                                  void *context);
// @from 6

// Level 6: the key paths affect `key` of instances of `cls` and its subclasses, besides what the
// superclass declares; a second call for the same class and key replaces the first.
isa_status student_depends(isa_class cls, const char *key, const char *const *key_paths,
                           size_t count);
// @from 7

// Level 7: announce a change that no setter makes; they come in pairs, which may be nested.
void student_will_change(isa_id object, const char *key, student_kind kind, size_t index);
void student_did_change(isa_id object, const char *key, student_kind kind, size_t index);
// @always

#endif
