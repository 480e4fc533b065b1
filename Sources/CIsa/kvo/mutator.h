// Wrapped to-many accessors, and messages that change a dictionary: will change → original IMP →
// did change.
#ifndef ISA_KVO_MUTATOR_H
#define ISA_KVO_MUTATOR_H

#include "../kvc/mutators.h"
#include "wrapper.h"

// The messages that change a dictionary; NULL for a class that is none that can change.
struct isa__dictionary_methods {
    isa_method set, remove, remove_all;
};

// Wraps what there is of `mutators` for `key`, if it suffices to change an ordered or an unordered
// key, and of `dictionary`. Observing lock held.
//
// Errors: ISA_ERR_NO_MEMORY. An accessor whose signature has no wrapper is left alone.
isa_status isa__mutators_wrap_locked(struct isa__observed *observed, const struct isa__key *key,
                                     const struct isa__mutators *mutators);
isa_status isa__dictionary_wrap_locked(struct isa__observed *observed,
                                       const struct isa__key *key,
                                       const struct isa__dictionary_methods *methods);

#endif
