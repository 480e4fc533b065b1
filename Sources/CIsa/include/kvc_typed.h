// Values by key and by selector with C's own types: the compiler finds the type encoding, and a
// value that the other side's type has not is refused.
//
//     KVC_SET(person, "age", 40)              isa_status; 40 is an int for a key of any type
//     KVC_GET(person, "age", &age)            isa_status
//     ISA_SET(person, set_age, 40)            the same by selector: a message
//     ISA_GET(person, get_age, &age)
//     ISA_TYPE(int64_t)                       "q", the encoding of a C type
//
// Types:   bool, the integer and floating types, enumerations; char * and const char *; isa_id,
//          isa_class, isa_sel; void *; and the program's own structs, which it names before it
//          includes this header: #define ISA_OWN_TYPES(X) X(struct point, "{point=dd}")
//          Any other type does not compile, for gcc a bit-field that is not cast; a place for a
//          result is no const char * and no const.
// Numbers: -1 is no uint64_t, 300 no int8_t, 2.5 no int, 2 no bool: KVC_ERR_TYPE, and nothing is
//          written, here or there. Floating types round among one another, but not to infinity.
// Objects: texts become strings for an object's key, NULL and nullptr nil; in C++ only nullptr, as
//          NULL is a number there. A number or struct does not become an object unasked; kvc_box
//          makes one. A box is read as what is in it, and what is no object comes as a box where an
//          isa_id is asked for. An isa_id that was got comes with a reference, by selector too, and
//          a char * is a copy: the caller ends them by isa_object_release and isa_free.
// Where:   C from C11 on, C++ from C++17 on; before those the functions alone. Each argument is
//          evaluated once.
// NULL:    as at the top of isa_types.h.
#ifndef KVC_TYPED_H
#define KVC_TYPED_H

#include "kvc.h"

#ifdef __cplusplus
extern "C" {
#endif

// Sets the value for `key` from that at `value`, of encoding `types` and `size` bytes. Asks guards,
// sends messages and announces as kvc_set_value does; a class that overrides `setValue:forKey:` is
// given a box, and converts it as it does.
//
// Errors: as kvc_set_value; KVC_ERR_TYPE; ISA_ERR_BAD_ENCODING if `types` is of another size, or of
//         what cannot be passed.
ISA_TRY isa_status kvc_set_typed(isa_id object, const char *key, const char *types,
                                 const void *value, size_t size);

// Puts the value for `key` into `out`, a place for a value of encoding `types` and `size` bytes.
//
// Errors: as kvc_copy_value, but that a key of any type can be read; KVC_ERR_NIL_VALUE for nil
//         where no object, class or text is asked for; KVC_ERR_TYPE; ISA_ERR_BAD_ENCODING.
ISA_TRY isa_status kvc_get_typed(isa_id object, const char *key, const char *types, void *out,
                                 size_t size);

// Sends `sel`, a message of one argument, with the value; an answer other than a struct is dropped.
// Sends `sel`, a message without arguments, for its answer.
//
// Errors: ISA_ERR_UNRECOGNIZED_SELECTOR; ISA_ERR_INVALID_ARGUMENT for a method of another shape;
//         KVC_ERR_NIL_VALUE; KVC_ERR_TYPE; ISA_ERR_BAD_ENCODING; of isa_call_check, for a struct.
ISA_TRY isa_status isa_set_typed(isa_id object, isa_sel sel, const char *types, const void *value,
                                 size_t size);
ISA_TRY isa_status isa_get_typed(isa_id object, isa_sel sel, const char *types, void *out,
                                 size_t size);

#ifdef __cplusplus
}
#endif

#ifndef ISA_OWN_TYPES
#define ISA_OWN_TYPES(X)
#endif

// C's types and their encodings; the constant ones are for values, not for places.
#define ISA__C_TYPES(X) \
    X(bool, "B") \
    X(char, ISA__CHAR) \
    X(signed char, "c") \
    X(short, "s") \
    X(int, "i") \
    X(long, ISA__LONG("q", "l")) \
    X(long long, "q") \
    X(unsigned char, "C") \
    X(unsigned short, "S") \
    X(unsigned, "I") \
    X(unsigned long, ISA__LONG("Q", "L")) \
    X(unsigned long long, "Q") \
    X(float, "f") \
    X(double, "d") \
    X(long double, "D") \
    X(char *, "*") \
    X(void *, "^v") \
    X(isa_id, "@") \
    X(isa_class, "#") \
    X(isa_sel, ":")
#define ISA__CONST_TYPES(X) X(const char *, "r*") X(const void *, "r^v")

#ifdef __CHAR_UNSIGNED__
#define ISA__CHAR "C"
#else
#define ISA__CHAR "c"
#endif
#if __SIZEOF_LONG__ == 8
#define ISA__LONG(of_64_bits, of_32_bits) of_64_bits
#else
#define ISA__LONG(of_64_bits, of_32_bits) of_32_bits
#endif

// ---- C ------------------------------------------------------------------------------------------

#if !defined(__cplusplus) && __STDC_VERSION__ >= 201112L

struct isa__no_type;
#define ISA__CASE(type, encoding) type: encoding,
#define ISA__ENCODING(value) \
    _Generic((value), ISA__C_TYPES(ISA__CASE) ISA__CONST_TYPES(ISA__CASE) \
             ISA_OWN_TYPES(ISA__CASE) struct isa__no_type *: "")
#define ISA__PLACE_ENCODING(out) \
    _Generic((out), ISA__C_TYPES(ISA__PLACE_CASE) \
             ISA_OWN_TYPES(ISA__PLACE_CASE) struct isa__no_type *: "")
#define ISA__PLACE_CASE(type, encoding) type *: encoding,

#define ISA_TYPE(type) ISA__ENCODING((type){0})

// The operator's value is no array any more, and its type has no qualifiers.
#define ISA__SET(function, object, name, value) \
    __extension__({ \
        __typeof__(((void)0, (value))) isa__value = (value); \
        function((object), (name), ISA__ENCODING(isa__value), &isa__value, sizeof isa__value); \
    })
#define ISA__GET(function, object, name, out) \
    function((object), (name), ISA__PLACE_ENCODING(out), (out), sizeof *(out))

#define KVC_SET(object, key, value) ISA__SET(kvc_set_typed, object, key, value)
#define KVC_GET(object, key, out) ISA__GET(kvc_get_typed, object, key, out)
#define ISA_SET(object, sel, value) ISA__SET(isa_set_typed, object, sel, value)
#define ISA_GET(object, sel, out) ISA__GET(isa_get_typed, object, sel, out)

// ---- C++ ----------------------------------------------------------------------------------------

#elif defined(__cplusplus) && __cplusplus >= 201703L

#include <cstddef>
#include <type_traits>

extern "C++" {
namespace isa_typed {

struct none;
template <class Type> struct known {
    using type = Type;
    const char *encoding;
};

template <class Type, bool is_enum = std::is_enum_v<Type>> struct passed {
    using type = std::underlying_type_t<Type>;
};
template <class Type> struct passed<Type, false> {
    using type = std::conditional_t<std::is_null_pointer_v<Type>, isa_id, Type>;
};

// The type as which values of `Type` are passed: an array's as pointers, nullptr as nil.
template <class Type> using passed_t =
    typename passed<std::remove_cv_t<std::decay_t<Type>>>::type;

template <class Type, class... Known> constexpr const char *encoding(Known... all)
{
    constexpr bool is_known = (std::is_same_v<passed_t<Type>, typename Known::type> || ...);
    static_assert(is_known, "no encoding is known of this type: see ISA_OWN_TYPES in kvc_typed.h");
    const char *found = nullptr;
    (void)((std::is_same_v<passed_t<Type>, typename Known::type>
            ? (found = all.encoding, true) : false) || ...);
    return found;
}

template <class Name, class Value>
isa_status set(isa_status (*function)(isa_id, Name, const char *, const void *, std::size_t),
               isa_id object, Name name, const char *types, Value value)
{
    const auto bytes = static_cast<passed_t<Value>>(value);
    return function(object, name, types, &bytes, sizeof bytes);
}

template <class Name, class Place>
isa_status get(isa_status (*function)(isa_id, Name, const char *, void *, std::size_t),
               isa_id object, Name name, const char *types, Place *out)
{
    static_assert(!std::is_const_v<Place> && !std::is_same_v<Place, const char *> &&
                  !std::is_same_v<Place, const void *>, "the place for a result is constant");
    return function(object, name, types, out, sizeof *out);
}

} // namespace isa_typed
}

#define ISA__KNOWN(type, encoding) isa_typed::known<type>{encoding},
#define ISA__ALL_KNOWN \
    ISA__C_TYPES(ISA__KNOWN) ISA__CONST_TYPES(ISA__KNOWN) ISA_OWN_TYPES(ISA__KNOWN) \
    isa_typed::known<isa_typed::none>{nullptr}

#define ISA_TYPE(type) isa_typed::encoding<type>(ISA__ALL_KNOWN)

#define ISA__SET(function, object, name, value) \
    isa_typed::set(function, (object), (name), ISA_TYPE(decltype(value)), (value))
#define ISA__GET(function, object, name, out) \
    isa_typed::get(function, (object), (name), \
                   ISA_TYPE(std::remove_pointer_t<std::decay_t<decltype(out)>>), (out))

#define KVC_SET(object, key, value) \
    ISA__SET(kvc_set_typed, object, static_cast<const char *>(key), value)
#define KVC_GET(object, key, out) \
    ISA__GET(kvc_get_typed, object, static_cast<const char *>(key), out)
#define ISA_SET(object, sel, value) ISA__SET(isa_set_typed, object, sel, value)
#define ISA_GET(object, sel, out) ISA__GET(isa_get_typed, object, sel, out)

#endif
#endif
