// Changes of ordered keys, made by accessors or in a collection.
#ifndef ISA_KVC_ORDERED_EDIT_H
#define ISA_KVC_ORDERED_EDIT_H

#include "to_many.h"

// Whether no two objects may be equal: by the proxy, or by the collection that changes, which
// accessors do not show.
static inline bool isa__ordered_is_set(const struct isa__edit *edit)
{
    bool shows = edit->proxy->way.tier != ISA_TIER_ACCESSORS;
    return kvc_kind_of((isa_id)edit->proxy) == KVC_KIND_ORDERED_SET ||
           (shows && kvc_kind_of(edit->container) == KVC_KIND_ORDERED_SET);
}

// The indexes of a range, which must outlive them.
static inline kvc_index_set isa__ordered_range(kvc_range *range)
{
    return (kvc_index_set){.ranges = range, .range_count = range->count > 0, .count = range->count};
}

// Announces and makes a change of many objects: of `kind`, at `indexes`, by an array of as many
// (NULL for a removal).
isa_status isa__ordered_commit(struct isa__edit *edit, int kind, const kvc_index_set *indexes,
                               isa_id objects);

// The same for one object. Which accessor is called first depends on whether one or many were asked
// for.
isa_status isa__ordered_commit_one(struct isa__edit *edit, int kind, size_t index, isa_id object);

// Of an ordered set: inserts those of the objects that it does not have yet, each at its index or,
// where that lies beyond the end because others did not come, at the end.
isa_status isa__ordered_insert_new(struct isa__edit *edit, isa_id objects,
                                   const kvc_index_set *indexes);

// Whether an ordered set would have all of the objects, an array, in the place of those at
// `indexes`: no two are equal, and none is elsewhere in it.
isa_status isa__ordered_takes_all(const struct isa__edit *edit, isa_id objects,
                                  const kvc_index_set *indexes, bool *out);

// Sends the proxy `insertObjects:atIndexes:` with `range.count` objects.
isa_status isa__ordered_insert_range(isa_id proxy, const isa_id *objects, kvc_range range);

// What proxies of ordered sets do not share with those of arrays.
extern const struct isa__box_method isa__to_many_ordered_set_methods[8];

#endif
