// Registered key paths as instances of one class see them, and which keys affect which.
#ifndef ISA_OBSERVING_PATH_H
#define ISA_OBSERVING_PATH_H

#include "../base/containers.h"
#include "../coding/facts.h"
#include "kvo_foreign.h"

enum { ISA_PATH_MAX_KEYS = 1024 };

// What a registration depends on: a key whose change concerns the registration, or a forwarder.
struct isa__dependency {
    const struct isa__key *key; // the changed key; NULL: a forwarder's
    bool is_exact;              // it is the registered key: notified as it changed
    uint32_t link_count;        // the links whose related object may be another one now
    const uint32_t *links;
};

// A related object that a registration looks at: the value of `head`, observed for `rest`.
struct isa__path_link {
    const struct isa__key *head;
    const struct isa__key *rest;
    bool is_main; // the rest of the registered path itself; else of a path that affects it
    struct isa__dependency dependency;
};

// A registered key path, as instances of one class see it. Never changes once made.
struct isa__path {
    const struct isa__key *text;
    bool is_plain; // one key that nothing affects: notified as it changes, and nothing else
    bool is_nested;
    uint32_t dependency_count; // at least one: the first is the key's own, or the first key's
    uint32_t link_count;
    uint32_t affecting_links; // the links that are not main
    uint32_t key_count;
    uint32_t list_size;
    struct isa__dependency *dependencies; // these four stand behind it
    struct isa__path_link *links;
    const struct isa__key **keys; // that it consists of, in order; none where one is an operator
    uint32_t *lists;       // storage of the dependencies' links
};

// Works out the path for instances of `cls`: asks its class methods, so call with no lock held.
//
// Errors: KVO_ERR_SELF_DEPENDENT; KVO_ERR_TOO_DEEP; of the class methods; ISA_ERR_NO_MEMORY.
isa_status isa__path_make(isa_class cls, const struct isa__key *text, struct isa__path **out);
bool isa__path_equal(const struct isa__path *first, const struct isa__path *second);
void isa__path_free(struct isa__path *path);

// Fails unless `key_path` can be registered: some keys, none of them empty, not too many, UTF-8.
isa_status isa__path_check(const char *key_path);

// The key before the path's first dot, `path` itself if there is none; NULL when memory is short.
const struct isa__key *isa__path_head(const struct isa__key *path);

// ---- which keys affect which --------------------------------------------------------------------

// The declarations of a class, and their closure.

// Paths in the order in which they were found.
struct isa__closure {
    isa_class cls;
    struct isa__array paths; // const struct isa__key *
    struct isa__map seen;
};

// Finds all that affects `key`, itself left out unless it is on a cycle: asks class methods, so
// call with no lock held. The caller ends `*out` with isa__closure_end if it succeeds.
//
// Errors: KVO_ERR_SELF_DEPENDENT; KVO_ERR_TOO_DEEP; of the class methods; ISA_ERR_NO_MEMORY.
isa_status isa__closure_find(isa_class cls, const struct isa__key *key, struct isa__closure *out);

// Adds a path; adds what affects the paths that are in it, until nothing more comes. Errors: as
// above.
isa_status isa__closure_add(struct isa__closure *closure, const struct isa__key *path);
isa_status isa__closure_complete(struct isa__closure *closure);

void isa__closure_end(struct isa__closure *closure);

// The dependent keys that kvo_class_set_keys declared, the older declarations, and their end with
// the class.
struct isa__older_declarations;
void isa__older_declarations_free(struct isa__older_declarations *older);

// Gives the root's metaclass the methods that declare dependencies.
isa_status isa__dependency_start(void);

#endif
