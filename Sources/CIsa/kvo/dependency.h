// Which keys affect which: what a class declares, and its closure.
#ifndef ISA_KVO_DEPENDENCY_H
#define ISA_KVO_DEPENDENCY_H

#include "../base/array.h"
#include "../base/map.h"
#include "../kvc/key.h"
#include "kvo.h"

// Paths in the order in which they were found.
struct isa__closure {
    isa_class cls;
    struct isa__array paths; // const struct isa__key *
    struct isa__map seen;
};

// Finds all that affects `key`, itself left out unless it is on a cycle: asks class methods, so
// call with no lock held. The caller ends `*out` with isa__closure_end if it succeeds.
//
// Errors: KVO_ERR_SELF_DEPENDENT; KVO_ERR_TOO_DEEP; those of the class methods; ISA_ERR_NO_MEMORY.
isa_status isa__closure_find(isa_class cls, const struct isa__key *key, struct isa__closure *out);

// Adds a path; adds what affects the paths that are in it, until nothing more comes. Errors: as
// above.
isa_status isa__closure_add(struct isa__closure *closure, const struct isa__key *path);
isa_status isa__closure_complete(struct isa__closure *closure);

void isa__closure_end(struct isa__closure *closure);

// The keys that kvo_class_set_keys declared, and their end with the class.
struct isa__legacy;
void isa__legacy_free(struct isa__legacy *legacy);

// Gives the root's metaclass the methods that declare dependencies.
isa_status isa__dependency_start(void);

#endif
