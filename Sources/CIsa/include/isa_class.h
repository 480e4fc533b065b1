// Selectors, type encodings, class pairs, methods, ivars, properties.
//
// NULL: as at the top of isa_types.h.
#ifndef ISA_CLASS_H
#define ISA_CLASS_H

#include "isa_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- selectors ----------------------------------------------------------------------------------

// Interns `name`: equal names answer the same selector, for the life of the process.
//
// Errors: NULL for an empty or NULL name (ISA_ERR_INVALID_ARGUMENT) and when memory is short.
// Source: sel_registerName, Objective-C Runtime reference.
ISA_API isa_sel isa_sel_register(const char *name);

// The selector of that name if it was ever interned, else NULL.
ISA_API isa_sel isa_sel_find(const char *name);

// The selector's name. Never NULL; the selector owns it.
ISA_API const char *isa_sel_name(isa_sel sel);

// The number of arguments that the name announces: its colons.
ISA_API size_t isa_sel_argument_count(isa_sel sel);

// ---- type encodings -----------------------------------------------------------------------------

// A type encoding is a C type as text, as Objective-C's @encode writes it. Its letters:
//
//   c  signed char, int8_t         C  unsigned char, uint8_t       B  bool
//   s  short, int16_t              S  unsigned short, uint16_t     f  float
//   i  int, int32_t                I  unsigned int, uint32_t       d  double
//   q  long long, int64_t          Q  unsigned long long, uint64_t D  long double
//   l  32 bits wide, signed        L  32 bits wide, unsigned       v  void
//   @  isa_id, an object           #  isa_class                    :  isa_sel
//   *  char *                      ^X a pointer to X, such as ^v   ?  unknown; ^? a function
//   {name=XY} a struct             [12X] an array                  (name=XY) a union
//   jf, jd, jD complex numbers     t, T  128 bits wide             b3 a bit-field of 3 bits
//
// C's long is q where it has 64 bits, and size_t is Q. A method's encoding is its result,
// receiver, selector and arguments, one behind the other: "v@:q" is void f(isa_id, isa_sel,
// int64_t). Letters before a type that qualify it (r for const, n, N, o, O, R, V) and numbers
// behind it, frame offsets, are read over. ISA_TYPE of kvc_typed.h is the encoding of a C type.

// Measures the first type in `types`.
//
// Shape:  `size`, `align` and `end` may each be NULL; `*end` is set just behind the type and any
//         frame offset ("q16" is one type).
// Units:  bytes; void measures 0, aligned to 1.
// Errors: ISA_ERR_BAD_ENCODING, and then nothing is written; ISA_ERR_NOT_PASSABLE for a type whose
//         size an encoding does not tell (a bit-field or what has one, an opaque struct).
// Source: NSGetSizeAndAlignment; @encode, Objective-C Programming Language.
ISA_TRY isa_status isa_encoding_measure(const char *types, size_t *size, size_t *align,
                                        const char **end);

// Copies type number `index` of a method encoding, without its frame offset: 0 is the result,
// 1 the receiver, 2 the selector.
//
// Owner:  the caller frees `*out` with isa_free.
// Errors: ISA_ERR_BAD_ENCODING; ISA_ERR_NOT_FOUND past the last type.
ISA_TRY isa_status isa_encoding_copy_type(const char *types, size_t index, char **out);

// A member of a struct, or an element of an array, in a type encoding.
typedef struct isa_encoding_member {
    size_t start;  // where its type begins in the text
    size_t length; // of its type's text
    size_t offset; // where it stands in the whole
} isa_encoding_member;

// Lists the members of the struct, or the elements of the array, that `types` begins with.
//
// Shape:  in order; an empty struct gives none, and a `*out` of NULL.
// Units:  bytes.
// Owner:  the caller frees `*out` with isa_free.
// Errors: ISA_ERR_BAD_ENCODING; ISA_ERR_NOT_FOUND for any other type and for a struct whose members
//         are not known; ISA_ERR_NOT_PASSABLE as isa_encoding_measure.
ISA_TRY isa_status isa_encoding_copy_members(const char *types, isa_encoding_member **out,
                                             size_t *count);

// The number of arguments in a method encoding, receiver and selector included.
ISA_TRY isa_status isa_encoding_argument_count(const char *types, size_t *out);

// ---- class pairs --------------------------------------------------------------------------------

// Allocates a class and its metaclass; add ivars, methods and properties, then register it.
//
// A NULL `superclass` makes a bare root class without the informal protocols of KVC and KVO; most
// classes descend from isa_root_class.
//
// Owner:  the caller, until isa_class_pair_register; before that isa_class_pair_dispose undoes it.
// Errors: ISA_ERR_EXISTS for a registered name; ISA_ERR_INVALID_ARGUMENT for an empty one;
//         ISA_ERR_NOT_REGISTERED if `superclass` is not registered; ISA_ERR_NO_MEMORY.
// Source: objc_allocateClassPair, Objective-C Runtime reference.
ISA_TRY isa_status isa_class_pair_allocate(isa_class superclass, const char *name, isa_class *out);

// Registers the pair: it is found by name, may have instances, and its ivar layout is final.
//
// Errors: ISA_ERR_EXISTS if the name was registered meanwhile; ISA_ERR_REGISTERED the second time.
ISA_TRY isa_status isa_class_pair_register(isa_class cls);

// The library whose behaviour key-value coding and observing have where Foundation and GNUstep
// differ; the differences stand in docs/behaviour.md.
typedef enum isa_profile {
    ISA_PROFILE_APPLE = 0,
    ISA_PROFILE_GNUSTEP = 1,
} isa_profile;

// Sets the profile of a class, which classes allocated below it afterwards inherit.
//
// Errors: ISA_ERR_REGISTERED once the class is registered; ISA_ERR_INVALID_ARGUMENT for a profile
//         that does not exist.
ISA_TRY isa_status isa_class_set_profile(isa_class cls, isa_profile profile);
ISA_API isa_profile isa_class_get_profile(isa_class cls);

// Disposes of a class and its metaclass, of its notifying class too if it was ever observed.
//
// Errors: ISA_ERR_IN_USE while it has instances or subclasses; ISA_ERR_INVALID_ARGUMENT for a root
//         class that the library made. Nothing is disposed of then.
// Threads: the caller sees to it that no other thread uses the class any more.
ISA_API isa_status isa_class_pair_dispose(isa_class cls);

// The root class: answers to KVC's and KVO's informal protocols. Never NULL.
ISA_API isa_class isa_root_class(void);

// The registered class of that name, or NULL.
ISA_API isa_class isa_class_find(const char *name);

// Copies the registered classes, metaclasses left out, in the order of their registration.
//
// Owner: the caller frees `*out` with isa_free; `*out` is NULL for a count of 0.
ISA_TRY isa_status isa_class_copy_list(isa_class **out, size_t *count);

ISA_API const char *isa_class_name(isa_class cls);
ISA_API isa_class isa_class_superclass(isa_class cls); // NULL for a root class
ISA_API isa_class isa_class_metaclass(isa_class cls);  // where class methods live
ISA_API bool isa_class_is_metaclass(isa_class cls);
ISA_API bool isa_class_is_registered(isa_class cls);
ISA_API bool isa_class_is_subclass(isa_class cls, isa_class ancestor); // true for equal classes
ISA_API size_t isa_class_instance_size(isa_class cls); // bytes, the header's 16 included

// The class seen as the object that it is; its isa is its metaclass.
static inline isa_id isa_class_as_object(isa_class cls)
{
    return (isa_id)cls;
}

// Asked before key-value coding reads or sets a key of an object, and before a change of a key that
// is announced by hand begins or ends. Any answer but ISA_OK refuses the act, and the call returns
// that answer. An announcement that is refused goes to the misuse handler too. The guard tells the
// reason by isa_fail.
typedef isa_status (*isa_class_guard)(isa_id object, const char *key);

// Sets the guard of an unregistered class, such as one whose objects belong to one thread; NULL
// lets everybody in. Inherited. Messages are not guarded: an accessor that is called directly is
// its caller's responsibility.
//
// Errors: ISA_ERR_REGISTERED.
ISA_TRY isa_status isa_class_set_guard(isa_class cls, isa_class_guard guard);

// ---- methods ------------------------------------------------------------------------------------

// The encoding by which the library itself sends `sel` to instances of `cls`, NULL if it does not.
// A method of another encoding would be called with arguments that it does not take: it is refused.
// Of any class these are the messages of key-value coding and observing that kvc.h,
// kvc_collections.h and kvo.h name with an encoding, `class` ("#@:") and `dealloc` ("v@:"); below
// the library's collections also what those answer.
ISA_API const char *isa_class_sent_types(isa_class cls, isa_sel sel);

// Adds a method to `cls` itself; one inherited under that selector is overridden.
//
// Takes effect at once in all subclasses and instances, also while other threads send messages.
//
// Errors: ISA_ERR_EXISTS if `cls` itself has one; ISA_ERR_BAD_ENCODING if `types` cannot be parsed
//         as result, receiver, selector, arguments, or has fewer arguments than the selector has
//         colons (more are out-parameters); ISA_ERR_INVALID_ARGUMENT for NULL, and for another
//         encoding than isa_class_sent_types; ISA_ERR_NO_MEMORY.
// Source: class_addMethod, Objective-C Runtime reference.
ISA_TRY isa_status isa_class_add_method(isa_class cls, isa_sel sel, isa_imp imp, const char *types);

// Replaces the method that `cls` itself has, or adds one. `*old`, if asked for, is what the class
// answered with before, inherited or not; NULL if it did not answer.
//
// Errors: as isa_class_add_method, without ISA_ERR_EXISTS.
ISA_TRY isa_status isa_class_replace_method(isa_class cls, isa_sel sel, isa_imp imp,
                                            const char *types, isa_imp *old);

// The method that instances of `cls` answer `sel` with, inherited or not; NULL if none.
ISA_API isa_method isa_class_find_method(isa_class cls, isa_sel sel);

// The code that instances of `cls` answer `sel` with; NULL if none. Constant time.
ISA_API isa_imp isa_class_find_imp(isa_class cls, isa_sel sel);

// Copies the methods that `cls` itself declares, in the order in which they were added.
//
// Owner: the caller frees `*out` with isa_free; the entries belong to `cls`; `*out` is NULL for 0.
ISA_TRY isa_status isa_class_copy_methods(isa_class cls, isa_method **out, size_t *count);

ISA_API isa_sel isa_method_selector(isa_method method);
ISA_API isa_imp isa_method_imp(isa_method method);
ISA_API const char *isa_method_types(isa_method method); // the method owns the text
ISA_API isa_class isa_method_class(isa_method method);   // the class that declares it

// Gives the method other code, in its class and all that inherit it. `*old` may be NULL.
ISA_TRY isa_status isa_method_set_imp(isa_method method, isa_imp imp, isa_imp *old);

// Exchanges the code of two methods, as method swizzling does.
//
// Errors: ISA_ERR_INVALID_ARGUMENT if their type encodings differ, or for a method of a notifying
//         class, as isa_class_find_method finds it through an observed object's isa: its wrapper is
//         of no use elsewhere. The method of the class that it notifies for can be exchanged.
ISA_TRY isa_status isa_method_exchange(isa_method first, isa_method second);

// The start of a class and of a selector, as far as isa_lookup reads them inline.
struct isa_dispatch_class {
    struct isa_header header;
    isa_imp *const *const *pages; // by selector page; replaced whole when it grows
};
struct isa_dispatch_selector {
    uint32_t page_offset; // bytes into the pages
    uint32_t slot_offset; // bytes into the page
};

// ---- ivars --------------------------------------------------------------------------------------

// The way in which the object in an ivar of encoding "@" is kept alive and let go at deallocation.
typedef enum isa_ownership {
    ISA_OWNERSHIP_NONE = 0,   // plain bytes, or an object that is not kept alive
    ISA_OWNERSHIP_RETAIN = 1, // a counted reference, released at deallocation
    ISA_OWNERSHIP_COPY = 2,   // the same; a synthesised setter stores a copy
    ISA_OWNERSHIP_WEAK = 3,   // a struct isa_weak, zeroed when its object dies
} isa_ownership;

// Adds an ivar behind the existing ivars; `types` is its encoding, which gives size and alignment.
//
// Errors: ISA_ERR_REGISTERED once the class is registered; ISA_ERR_EXISTS if `cls` itself declares
//         the name; ISA_ERR_BAD_ENCODING; ISA_ERR_INVALID_ARGUMENT for an ownership on a type
//         that is not an object, or a class object; ISA_ERR_NO_MEMORY.
// Source: class_addIvar, Objective-C Runtime reference.
ISA_TRY isa_status isa_class_add_ivar(isa_class cls, const char *name, const char *types,
                                      isa_ownership ownership);

// The ivar of that name in `cls` or the nearest superclass that has it; NULL if none.
ISA_API isa_ivar isa_class_find_ivar(isa_class cls, const char *name);

// Copies the ivars that `cls` itself declares; inherited ones are left out.
//
// Shape:  `*out` has `*count` entries, in declaration order.
// Units:  `isa_ivar_offset` counts bytes from the start of the object, isa word included.
// Owner:  the caller frees `*out` with `isa_free`; the entries belong to `cls`; `*out` is NULL for
//         0.
// Errors: ISA_ERR_NO_MEMORY, and then `*out` and `*count` are untouched.
// Source: class_copyIvarList, Objective-C Runtime reference.
ISA_TRY isa_status isa_class_copy_ivars(isa_class cls, isa_ivar **out, size_t *count);

ISA_API const char *isa_ivar_name(isa_ivar ivar);
ISA_API const char *isa_ivar_types(isa_ivar ivar);
ISA_API size_t isa_ivar_offset(isa_ivar ivar);
ISA_API size_t isa_ivar_size(isa_ivar ivar);
ISA_API isa_ownership isa_ivar_ownership(isa_ivar ivar);

// ---- properties ---------------------------------------------------------------------------------

// A declared property: a record for introspection. Declaring adds no code; isa_class_synthesize
// does.
typedef struct isa_property_info {
    const char *name;
    const char *types;       // the value's encoding
    const char *getter;      // selector; NULL: the name
    const char *setter;      // selector; NULL: set<Name>:, none if read-only
    const char *ivar;        // backing ivar; NULL: none, or `_<name>` when synthesised
    isa_ownership ownership; // of an object value
    bool readonly;
} isa_property_info;

// Declares a property on `cls`.
//
// Owner:  the texts are copied.
// Errors: ISA_ERR_EXISTS if `cls` itself declares the name; ISA_ERR_BAD_ENCODING;
//         ISA_ERR_INVALID_ARGUMENT; ISA_ERR_NO_MEMORY.
ISA_TRY isa_status isa_class_add_property(isa_class cls, const isa_property_info *info);

// The property of that name in `cls` or the nearest superclass that has it; NULL if none.
ISA_API isa_property isa_class_find_property(isa_class cls, const char *name);

// Copies the properties that `cls` itself declares, in declaration order; free with isa_free.
ISA_TRY isa_status isa_class_copy_properties(isa_class cls, isa_property **out, size_t *count);

// The property's description with every default filled in; the property owns the texts. `setter`
// is NULL for a read-only property, `ivar` for one without.
ISA_API const isa_property_info *isa_property_get_info(isa_property property);

#ifdef __cplusplus
}
#endif
#endif
