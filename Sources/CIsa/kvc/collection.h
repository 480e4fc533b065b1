// Collections: what their classes share, and the checks that come before a message.
//
// A class below that keeps its objects elsewhere answers some messages itself, and the rest of them
// rest on those: arrays and ordered sets on `count`, `objectAtIndex:`, the three messages that
// change one index and the three that change many, `setArray:` or `setSet:`, and
// `removeAllObjects`; sets on `count`, `member:`, `allObjects`, `addObject:`, `removeObject:`,
// `removeAllObjects`, `setSet:`, `unionSet:`, `minusSet:` and `intersectSet:`; ordered sets on both
// and `indexOfObject:`.
#ifndef ISA_KVC_COLLECTION_H
#define ISA_KVC_COLLECTION_H

#include "../base/array.h"
#include "table.h"

// ---- checks -------------------------------------------------------------------------------------

// Fails with Foundation's words unless there is an object; unless `index` is below `count`; unless
// there are indexes, all below `count`; unless `other` is a collection.
isa_status isa__collection_check_object(isa_id collection, isa_sel sel, isa_id object);
isa_status isa__collection_check_index(isa_id collection, isa_sel sel, size_t index, size_t count);
isa_status isa__collection_check_indexes(isa_id collection, isa_sel sel,
                                         const kvc_index_set *indexes, size_t count);
isa_status isa__collection_check_other(isa_id collection, isa_sel sel, isa_id other);

// Whether `other` is of the collection's kind and has as many objects: else they are not equal.
bool isa__collection_matches(isa_id collection, isa_id other);

// ---- gather -------------------------------------------------------------------------------------

// The objects of a collection (of a dictionary, its values; its keys), each with a reference for
// the caller, who ends `*out` with isa__collection_let_go. Sends messages.
isa_status isa__collection_gather(isa_id collection, struct isa__array *out);
isa_status isa__collection_gather_keys(isa_id dictionary, struct isa__array *out);
void isa__collection_let_go(struct isa__array *objects);

// The same of an array or ordered set, whose class may be somebody else's and answer nil.
isa_status isa__ordered_gather(isa_id ordered, bool refuses_nil, struct isa__array *out);

// The same of what a message got as its argument, which may be no collection.
isa_status isa__collection_gather_other(isa_id collection, isa_sel sel, isa_id other,
                                        struct isa__array *out);

// The same for objects that go to or replace those at `indexes`: fails unless they are as many.
isa_status isa__collection_gather_for(isa_id collection, isa_sel sel, isa_id objects,
                                      const kvc_index_set *indexes, struct isa__array *out);

// ---- make ---------------------------------------------------------------------------------------

// An array, ordered set or set of `cls` that takes the gathered objects over, unless `status` is a
// failure: then that is the answer. There are none any more either way.
isa_status isa__collection_adopt(isa_status status, isa_class cls, struct isa__array *objects,
                                 isa_id *out);

// The array that takes the objects over; it fails before it has.
isa_status isa__array_adopt(isa_class cls, struct isa__array *objects, isa_id *out);

// A collection of `cls` with these objects.
isa_status isa__array_make(isa_class cls, const isa_id *objects, size_t count, isa_id *out);
isa_status isa__set_make(isa_class cls, const isa_id *objects, size_t count, isa_id *out);

// A dictionary of the same keys and values.
isa_status isa__dictionary_make_like(isa_id dictionary, bool is_mutable, isa_id *out);

// ---- classes ------------------------------------------------------------------------------------

// What all collections answer: `description`, and what follows from `count`.
extern const struct isa__box_method isa__collection_methods[4];

// What follows from `count` and `objectAtIndex:`, and `allObjects` by these.
extern const struct isa__box_method isa__ordered_methods[3];
isa_status isa__ordered_copy_objects(isa_id self, isa_sel sel, isa_id *out);

extern const struct isa__library_class isa__array_classes[2], isa__set_classes[4],
    isa__dictionary_classes[2];

#endif
