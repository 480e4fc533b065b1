// A set of objects and classes of every kind, made anew for one call of a public function.
#ifndef ISA_CORE_STAGE_H
#define ISA_CORE_STAGE_H

#include "foreign.h"
#include "isa.h"
#include "isa_foreign.h"
#include "kvc_typed.h"
#include "kvo_foreign.h"

// Those without a comment are there; where a call makes one, the stage ends it.
struct stage {
    char fresh[32];            // a text that no selector, class or key had before
    isa_class open;            // a class of this name that is not registered
    isa_class idle;            // registered, without instances
    isa_class person_class;    // see person.h
    isa_class heir;            // below person_class
    isa_class node_class;      // see node.h
    isa_class observer_class;  // see observer.h
    isa_class foreign_class;   // see foreign.h
    isa_class foreign_open;    // below it, not registered
    isa_class laid_out;        // the same, its layout set
    isa_id plain;              // a person that nobody observes
    isa_id watched;            // a person, observed by `age` and `name`
    isa_id node, child;        // nodes; `node` has `child`, and items; observed by two paths
    isa_id observer;           // of `watched`, for `height`
    isa_id number, text;
    isa_id array, list;        // of numbers; `list` can change
    isa_id ordered, set;       // of numbers; can change
    isa_id dictionary;         // of the number, by `age`; can change
    isa_id keys;               // an array of the string `age`
    isa_id people;             // an array of `plain`
    isa_test_foreign *foreign;
    isa_imp imp;               // a callback, `q@:q`
    isa_weak weak;             // to `plain`
    kvc_index_set indexes;     // 0
    kvo_token token;           // of `watched`, for `age`
    kvo_token paths[2];        // of `node`
    kvo_shared_observers shared; // with one function, and one observer, assigned to `sharing`
    isa_id sharing;            // a person
    int64_t told;

    // Made by a call.
    isa_id out;
    isa_class made;
    isa_imp made_imp;
    void *memory;
    isa_weak made_weak;
    kvc_index_set made_indexes;
    kvo_token made_token;
    kvo_shared_observers made_shared;
    isa_test_foreign *made_foreign;
    size_t count;
    int64_t integer;
    bool is_valid;
};

// Begins and ends a stage. Each has an other `fresh`, and else they are alike.
void stage_begin(struct stage *stage);
void stage_end(struct stage *stage);

enum { STAGE_TEXT = 4096 };

// All of the stage that introspection shows, as text, but for addresses and for `fresh`.
void stage_describe(const struct stage *stage, char *out);

// A form of numbers for the name of a person, an observer of `plain` that knows it, and the edit of
// that name as if it were an array.
void stage_observe_form(struct stage *stage);
const kvo_form *stage_form(const struct stage *stage);
bool stage_edit(struct stage *stage);

// Takes a thing out of the stage once a call has ended it.
isa_status stage_gone(isa_status status, void *place);

#endif
