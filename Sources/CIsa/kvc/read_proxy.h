// Collections that `valueForKey:` answers with where a class has accessors for a key's elements
// and no getter: IsaKeyValueArray, IsaKeyValueOrderedSet, IsaKeyValueSet.
//
// They cannot be changed, hold the object retained and ask it anew with each message. The accessors
// that they call, by name and number of arguments; integers may be of any type, and an answer that
// is an object is lent:
//
//   countOf<Key>           "Q@:"   of all
//   objectIn<Key>AtIndex:  "@@:Q"  of arrays and ordered sets, this one or the next
//   <key>AtIndexes:        "@@:^v" with a kvc_index_set; answers an array
//   indexIn<Key>OfObject:  "Q@:@"  of ordered sets; KVC_NOT_FOUND where there is none
//   enumeratorOf<Key>      "@@:"   of sets: any collection, or an object whose `nextObject` answers
//                                  with an object lent ("@@:") or given ("i@:^@"), at last with nil
//   memberOf<Key>:         "@@:@"  of sets: the element that is equal, or nil
//
// The accessors are trusted in what they answer, with two exceptions: they are asked for no index
// that `countOf<Key>` does not announce, and nil is no element.
#ifndef ISA_KVC_READ_PROXY_H
#define ISA_KVC_READ_PROXY_H

#include "box.h"

// Makes the proxy for `key` of `object`, whose class has the accessors for a collection of `kind`.
isa_status isa__read_proxy_make(kvc_kind kind, isa_id object, const char *key, isa_id *out);

extern const struct isa__library_class isa__read_proxy_classes[3];

#endif
