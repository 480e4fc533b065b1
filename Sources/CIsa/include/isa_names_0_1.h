// The names of 0.1 that are others since: a program that was written for 0.1 includes this and
// compiles as it is. New programs use the new names.
#ifndef ISA_NAMES_0_1_H
#define ISA_NAMES_0_1_H

#include "isa.h"
#include "isa_foreign.h"
#include "kvo_foreign.h"

// `find` may answer NULL, `get` never does.
#define isa_class_get_info isa_class_find_info

// A proxy is a live view of its object; a copy is none.
#define kvc_copy_mutable_array kvc_proxy_make_array
#define kvc_copy_mutable_ordered_set kvc_proxy_make_ordered_set
#define kvc_copy_mutable_set kvc_proxy_make_set
#define kvc_copy_mutable_array_for_path kvc_proxy_make_array_for_path
#define kvc_copy_mutable_ordered_set_for_path kvc_proxy_make_ordered_set_for_path
#define kvc_copy_mutable_set_for_path kvc_proxy_make_set_for_path

// `_at` with an offset, an index, or a set of indexes: it is an offset in memory now.
#define kvc_ordered_insert_at kvc_ordered_insert_many
#define kvc_ordered_remove_at kvc_ordered_remove_many
#define kvc_ordered_replace_at kvc_ordered_replace_many
#define kvo_add_observer_at kvo_elements_add_observer
#define kvo_remove_observer_at kvo_elements_remove_observer
#define kvo_remove_observer_context_at kvo_elements_remove_observer_context
#define kvo_will_change_at kvo_will_change_indexes
#define kvo_did_change_at kvo_did_change_indexes

// A closure is libffi's.
#define kvo_class_copy_closure kvo_class_copy_all_affecting

#endif
