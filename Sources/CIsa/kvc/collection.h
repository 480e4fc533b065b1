// What all collections share: messages that rest on those that a class answers itself, and the
// checks that come before a message.
#ifndef ISA_KVC_COLLECTION_H
#define ISA_KVC_COLLECTION_H

#include "../base/array.h"
#include "box.h"

// Gives a collection's class the messages that follow from `count` and from what it has in it:
// `hash`, `copy` and `mutableCopy`.
isa_status isa__collection_add_shared(enum isa__box_class which);

// Fails with Foundation's words unless there is an object; unless `index` is below `count`; unless
// `other` is a collection.
isa_status isa__collection_check_object(isa_id collection, isa_sel sel, isa_id object);
isa_status isa__collection_check_index(isa_id collection, isa_sel sel, size_t index, size_t count);
isa_status isa__collection_check_other(isa_id collection, isa_sel sel, isa_id other);

// The objects of a collection (of a dictionary, its values), each with a reference for the caller,
// who ends `*out` with isa__collection_let_go. Sends messages.
isa_status isa__collection_gather(isa_id collection, struct isa__array *out);
void isa__collection_let_go(struct isa__array *objects);

// The same for objects that go to or replace those at `indexes`: fails unless they are as many.
isa_status isa__collection_gather_for(isa_id collection, isa_sel sel, isa_id objects,
                                      const kvc_index_set *indexes, struct isa__array *out);

// The description of a collection's objects: `open`, what they are separated by commas, `close`.
isa_status isa__collection_describe(isa_id collection, const char *open, const char *close,
                                    isa_id *out);

#endif
