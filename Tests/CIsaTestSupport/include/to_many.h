// Fixture classes with a to-many key `items` and any choice of the accessors that key-value coding
// looks for, each of which notes that it was called.
//
//   isa_class cls;
//   isa_test_to_many_make("Shelf", NULL, ISA_TEST_GETTER | ISA_TEST_ONE_BY_ONE, &cls);
//   isa_object_allocate(cls, &shelf);
//   isa_test_to_many_set_backing(shelf, array);   // a mutable kvc collection
//   …                                             // change `items`, by proxy or by accessors
//   isa_test_to_many_calls(shelf);                // "insert 0, remove 2"
//   isa_object_release(shelf);
//   isa_class_pair_dispose(cls);
//
// The accessors read and change the backing collection, which is whatever kind the test gives:
// arrays and ordered sets for the ordered accessors, sets for the others. It stands in an ivar that
// key-value coding does not find, unless ISA_TEST_IVAR names it `_items`.
#ifndef ISA_TEST_TO_MANY_H
#define ISA_TEST_TO_MANY_H

#include "isa.h"

// The accessors, and what each writes into the list of calls.
enum {
    ISA_TEST_GETTER = 1 << 0,       // items                                 nothing
    ISA_TEST_SETTER = 1 << 1,       // setItems: keeps what it is given      "set COUNT"
    ISA_TEST_IVAR = 1 << 2,         // the ivar `_items`, retained
    ISA_TEST_COUNT_OF = 1 << 3,     // countOfItems                          nothing
    ISA_TEST_OBJECT_AT = 1 << 4,    // objectInItemsAtIndex:                 "at INDEX"
    ISA_TEST_OBJECTS_AT = 1 << 5,   // itemsAtIndexes:                       "atIndexes INDEXES"
    ISA_TEST_INDEX_OF = 1 << 6,     // indexInItemsOfObject:                 "indexOf"
    ISA_TEST_ENUMERATOR = 1 << 7,   // enumeratorOfItems: the collection     "enumerator"
    ISA_TEST_MEMBER = 1 << 8,       // memberOfItems:                        "member"
    ISA_TEST_INSERT = 1 << 9,       // insertObject:inItemsAtIndex:          "insert INDEX"
    ISA_TEST_INSERT_MANY = 1 << 10, // insertItems:atIndexes:                "insertAt INDEXES"
    ISA_TEST_REMOVE_AT = 1 << 11,   // removeObjectFromItemsAtIndex:         "remove INDEX"
    ISA_TEST_REMOVE_MANY = 1 << 12, // removeItemsAtIndexes:                 "removeAt INDEXES"
    ISA_TEST_REPLACE = 1 << 13,     // replaceObjectInItemsAtIndex:withObject: "replace INDEX"
    ISA_TEST_REPLACE_MANY = 1 << 14, // replaceItemsAtIndexes:withItems:     "replaceAt INDEXES"
    ISA_TEST_ADD = 1 << 15,         // addItemsObject:                       "add"
    ISA_TEST_ADD_MANY = 1 << 16,    // addItems:                             "addAll COUNT"
    ISA_TEST_REMOVE = 1 << 17,      // removeItemsObject:                    "removeObject"
    ISA_TEST_REMOVE_SET = 1 << 18,  // removeItems:                          "removeAll COUNT"
    ISA_TEST_INTERSECT = 1 << 19,   // intersectItems:                       "intersect COUNT"
    // valueForUndefinedKey: and setValue:forUndefinedKey:, which know `items`  "undefined COUNT"
    ISA_TEST_HOOKS = 1 << 20,
    // valueForKey: and setValue:forKey:, which know `items`                    "override COUNT"
    ISA_TEST_OVERRIDES = 1 << 21,

    ISA_TEST_READ_ARRAY = ISA_TEST_COUNT_OF | ISA_TEST_OBJECT_AT,
    ISA_TEST_READ_ORDERED_SET = ISA_TEST_READ_ARRAY | ISA_TEST_INDEX_OF,
    ISA_TEST_READ_SET = ISA_TEST_COUNT_OF | ISA_TEST_ENUMERATOR | ISA_TEST_MEMBER,
    ISA_TEST_ONE_BY_ONE = ISA_TEST_INSERT | ISA_TEST_REMOVE_AT,
    ISA_TEST_AT_INDEXES = ISA_TEST_INSERT_MANY | ISA_TEST_REMOVE_MANY,
    ISA_TEST_EACH = ISA_TEST_ADD | ISA_TEST_REMOVE,
    ISA_TEST_SET_WIDE = ISA_TEST_ADD_MANY | ISA_TEST_REMOVE_SET | ISA_TEST_INTERSECT,
};

// Makes and registers a class with these accessors, below `superclass` or, if that is NULL, below
// the root class. INDEXES are written as `{0 2}`, calls are separated by `, `.
isa_status isa_test_to_many_make(const char *name, isa_class superclass, uint32_t accessors,
                                 isa_class *out);

// Adds accessors to a class made so: one that it did not have before is found from then on.
isa_status isa_test_to_many_add(isa_class cls, uint32_t accessors);

// The collection behind the accessors, lent; NULL at first. It is retained, and no call is noted.
isa_id isa_test_to_many_backing(isa_id object);
void isa_test_to_many_set_backing(isa_id object, isa_id collection);

// The calls since the object was made or the calls were forgotten. Owner: the object.
const char *isa_test_to_many_calls(isa_id object);
void isa_test_to_many_forget_calls(isa_id object);

// An object that the accessors will neither insert, add nor remove, and one that the accessors that
// replace put in its place. Retained; NULL for none.
void isa_test_to_many_set_veto(isa_id object, isa_id refused, isa_id substitute);

#endif
