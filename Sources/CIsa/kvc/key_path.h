// Key paths: keys joined by dots, and the walk along them.
#ifndef ISA_KVC_KEY_PATH_H
#define ISA_KVC_KEY_PATH_H

#include "kvc.h"

// The shapes of the messages.
typedef isa_status (*isa__get_imp)(isa_id, isa_sel, const char *key, isa_id *out);
typedef isa_status (*isa__set_imp)(isa_id, isa_sel, isa_id value, const char *key);

// A key path's text in memory of its own, which a walk cuts at the dots.
struct isa__path_text {
    char *text;
    size_t size;
    char bytes[96]; // where it fits
};

isa_status isa__path_text_open(struct isa__path_text *text, const char *path);
void isa__path_text_close(struct isa__path_text *text);

// What the first keys of a path lead to, and what is left of the path.
struct isa__destination {
    isa_id object;    // retained; NULL: nil on the way
    const char *path; // the last key, or more if `overridden`; good until the end
    bool overridden;  // the object answers the message with code of its own: send it the rest
    struct isa__path_text text;
};

// Follows `path` from `object`, by the message `valueForKey:`, to the object that has its last key,
// or before that to the first one whose code for `sel` is not `usual`: what lies behind is its own
// affair. Neither recursive nor slower than linear, however long the path. `object` itself is taken
// to answer with `usual`.
//
// Owner:  the caller ends `*out` with isa__destination_end, unless it fails.
// Errors: of the values on the way; ISA_ERR_UNRECOGNIZED_SELECTOR if one does not know `sel`.
isa_status isa__destination_find(isa_id object, isa_sel sel, isa_imp usual, const char *path,
                                 struct isa__destination *out);
void isa__destination_end(struct isa__destination *destination);

// What comes before a message with a path: an object that answers `sel`, a path, and UTF-8.
isa_status isa__key_path_check(isa_id object, isa_sel sel, const char *path);

// Whether instances of `cls` answer `valueForKeyPath:` and `valueForKey:` with the root class's
// code: they take a path key by key.
bool isa__key_path_is_direct(isa_class cls);

// Enters a collection's members or a class's own walk, in which further ones may lie. Collections
// that contain themselves would have no end.
//
// Errors: ISA_ERR_INVALID_ARGUMENT if it is the 257th within one another.
isa_status isa__nesting_enter(isa_id object, const char *path);
void isa__nesting_leave(void);

isa_status isa__key_paths_start(void);

#endif
