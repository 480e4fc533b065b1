// The parts that the boxed classes share: their table, the messages they answer, equality,
// description; and the parts that numbers and strings have of their own.
#ifndef ISA_OBJECTS_BOX_H
#define ISA_OBJECTS_BOX_H

#include "../object/object.h"
#include "kvc_collections.h"

// The classes; the first by kind, classes that change in the order of classes that do not.
enum isa__box_class {
    ISA_BOX_VALUE = KVC_KIND_VALUE,
    ISA_BOX_NUMBER = KVC_KIND_NUMBER,
    ISA_BOX_STRING = KVC_KIND_STRING,
    ISA_BOX_NULL = KVC_KIND_NULL,
    ISA_BOX_ARRAY = KVC_KIND_ARRAY,
    ISA_BOX_ORDERED_SET = KVC_KIND_ORDERED_SET,
    ISA_BOX_SET = KVC_KIND_SET,
    ISA_BOX_DICTIONARY = KVC_KIND_DICTIONARY,
    ISA_BOX_MUTABLE_ARRAY,
    ISA_BOX_MUTABLE_ORDERED_SET,
    ISA_BOX_MUTABLE_SET,
    ISA_BOX_MUTABLE_DICTIONARY,
    ISA_BOX_DECIMAL_NUMBER,
    ISA_BOX_SUM, // of numbers that are no decimal ones
    ISA_BOX_CLASS_COUNT,
};

// The classes themselves, from start to reset.
extern isa_class isa__box_classes[ISA_BOX_CLASS_COUNT];

static inline kvc_kind isa__class_kind(isa_class cls)
{
    return (kvc_kind)((isa__class_flags(cls) & ISA_CLASS_KIND_MASK) >> ISA_CLASS_KIND_SHIFT);
}

// Whether instances of the class are arrays, ordered sets or sets.
static inline bool isa__class_is_collection(isa_class cls)
{
    kvc_kind kind = isa__class_kind(cls);
    return kind >= KVC_KIND_ARRAY && kind <= KVC_KIND_SET;
}

static inline bool isa__is_collection(isa_id object)
{
    return object != NULL && isa__class_is_collection(isa__class_in(object));
}

// The start of an instance of IsaValue or IsaNumber.
struct isa__box {
    struct isa_header header;
    const char *types;
    const void *bytes;
};

// The messages that boxes answer, beside the core's own. Filled at start; isa__sel_count and so on.
#define ISA_BOX_SELECTORS(X) \
    X(is_equal, "isEqual:") \
    X(is_same_value, "_isSameValue:") \
    X(hash, "hash") \
    X(description, "description") \
    X(compare, "compare:") \
    X(mutable_copy, "mutableCopy") \
    X(length, "length") \
    X(count, "count") \
    X(all_objects, "allObjects") \
    X(all_values, "allValues") \
    X(all_keys, "allKeys") \
    X(contains, "containsObject:") \
    X(add, "addObject:") \
    X(remove, "removeObject:") \
    X(remove_all, "removeAllObjects") \
    X(set_array, "setArray:") \
    X(set_set, "setSet:") \
    X(object_at, "objectAtIndex:") \
    X(index_of, "indexOfObject:") \
    X(first, "firstObject") \
    X(last, "lastObject") \
    X(insert, "insertObject:atIndex:") \
    X(remove_at, "removeObjectAtIndex:") \
    X(replace, "replaceObjectAtIndex:withObject:") \
    X(insert_many, "insertObjects:atIndexes:") \
    X(remove_many, "removeObjectsAtIndexes:") \
    X(replace_many, "replaceObjectsAtIndexes:withObjects:") \
    X(member, "member:") \
    X(unite, "unionSet:") \
    X(subtract, "minusSet:") \
    X(intersect, "intersectSet:") \
    X(object_for, "objectForKey:") \
    X(set_object_for, "setObject:forKey:") \
    X(remove_object_for, "removeObjectForKey:")

#define ISA_DECLARE_SELECTOR(identifier, name) extern isa_sel isa__sel_##identifier;
ISA_BOX_SELECTORS(ISA_DECLARE_SELECTOR)
#undef ISA_DECLARE_SELECTOR

// The encoding of an index set in a message.
#define ISA_INDEXES "^{kvc_index_set=}"

// The signatures of the messages.
typedef isa_id (*isa__copy_imp)(isa_id, isa_sel);
typedef uint64_t (*isa__count_imp)(isa_id, isa_sel);
typedef bool (*isa__question_imp)(isa_id, isa_sel, isa_id);
typedef uint64_t (*isa__index_imp)(isa_id, isa_sel, isa_id);
typedef isa_status (*isa__act_imp)(isa_id, isa_sel);
typedef isa_status (*isa__answer_imp)(isa_id, isa_sel, isa_id *);
typedef isa_status (*isa__object_imp)(isa_id, isa_sel, isa_id);
typedef isa_status (*isa__objects_imp)(isa_id, isa_sel, isa_id, isa_id);
typedef isa_status (*isa__find_imp)(isa_id, isa_sel, isa_id, isa_id *);
typedef isa_status (*isa__compare_imp)(isa_id, isa_sel, isa_id, int64_t *);
typedef isa_status (*isa__at_imp)(isa_id, isa_sel, uint64_t);
typedef isa_status (*isa__copy_at_imp)(isa_id, isa_sel, uint64_t, isa_id *);
typedef isa_status (*isa__insert_imp)(isa_id, isa_sel, isa_id, uint64_t);
typedef isa_status (*isa__replace_imp)(isa_id, isa_sel, uint64_t, isa_id);
typedef isa_status (*isa__insert_many_imp)(isa_id, isa_sel, isa_id, const kvc_index_set *);
typedef isa_status (*isa__remove_many_imp)(isa_id, isa_sel, const kvc_index_set *);
typedef isa_status (*isa__replace_many_imp)(isa_id, isa_sel, const kvc_index_set *, isa_id);

// A method of a boxed class. `sel` is where the selector stands once the runtime has started.
struct isa__box_method {
    const isa_sel *sel;
    isa_imp imp;
    const char *types;
};

struct isa__box_methods {
    const struct isa__box_method *list;
    size_t count;
};

#define ISA_COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define ISA_LIST_OF(array) {array, ISA_COUNT_OF(array)}

// A class that the library makes at start. Its instances' struct is their layout; no ivars are
// declared, so that key-value coding sees none.
struct isa__library_class {
    isa_class *cls;              // where it stands once it is made
    const char *name;            // NULL: it is there already, and gets more methods
    const isa_class *superclass; // NULL: the root class
    kvc_kind kind;               // of its instances
    size_t size;                 // of an instance
    struct isa__box_methods methods[4];
};

// Makes the classes, each superclass before its subclasses.
isa_status isa__library_classes_make(const struct isa__library_class *classes, size_t count);

// Adds methods to a class of the library's. The library sends them, so that what overrides one must
// have its encoding.
isa_status isa__box_add_methods(isa_class cls, const struct isa__box_method *methods, size_t count);

// Whether two objects are one value: an object and itself, or boxes of one value and type, since a
// box is made whenever somebody asks for the value.
bool isa__box_is_same(isa_id first, isa_id second);

// `copy` of an object that cannot change: the object itself.
isa_id isa__box_copy(isa_id self, isa_sel sel);

// Fails unless `other` is of the kind of `self`, which is `what` for people: for `compare:`.
isa_status isa__box_check_comparable(isa_id self, isa_id other, const char *what);

// The name for people of the object's class: never a notifying one.
const char *isa__box_class_name(isa_id object);

// A failure with Foundation's words: "-[CLASS SELECTOR]: unrecognized selector sent to instance".
isa_status isa__box_unrecognized(isa_id object, isa_sel sel);

// A failure of a message with Foundation's words: "*** -[CLASS SELECTOR]: " and the text.
isa_status isa__box_fail(isa_id object, isa_sel sel, isa_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

extern const struct isa__library_class isa__value_classes[2];

// Makes the instance of IsaNull.
void isa__null_start(void);

// Makes the boxed classes and gives the root class `isEqual:`, `hash` and `description`.
isa_status isa__boxes_start(void);

// ---- numbers ------------------------------------------------------------------------------------

// Boxed numbers, and conversion between number types.

// Converts the number at `from` (encoding letter `from_letter`) to `to_letter`'s type at `to`, as a
// C cast does; where a cast from a floating type would be undefined the number is clamped to the
// type's range, and NaN gives 0. False if either is not a number.
bool isa__number_convert(char from_letter, const void *from, char to_letter, void *to);

// The same where the number stays the same: false if either is none, and if the target's type has
// no such number, the sign or a fraction included. Floating types round among one another, but not
// to infinity. Nothing is written then.
bool isa__number_convert_exactly(char from_letter, const void *from, char to_letter, void *to);

// Gives a class the messages that read a number, `charValue`, `intValue` and so on, each by
// kvc_number_read.
isa_status isa__numbers_add_readings(isa_class cls);

extern const struct isa__library_class isa__number_classes[3];

// The digits of a number that has no others, which lead back to it.
enum { ISA_NUMBER_TEXT = 64 };
void isa__number_write(isa_id number, char *out);

// A decimal number as it is read: its significant digits without the point, whose place `exponent`
// holds.
enum { ISA_READ_DIGITS = 64 };

struct isa__reading {
    bool negative;
    bool has_digits;
    char digits[ISA_READ_DIGITS + 1];
    int count;
    int64_t exponent;
};

// The number that a text begins with, behind blanks; the nearest to the text, in any locale.
struct isa__reading isa__number_read_digits(const char *text);
double isa__reading_to_double(const struct isa__reading *reading);

// ---- decimals -----------------------------------------------------------------------------------

// What was added up: a later kind here swallows the kinds before it.
enum isa__decimal_kind { ISA_DECIMAL_WHOLE, ISA_DECIMAL_FLOATING, ISA_DECIMAL_DECIMAL };
enum { ISA_DECIMAL_LIMBS = 4 };

struct isa__decimal {
    uint32_t limbs[ISA_DECIMAL_LIMBS]; // the least first
    int exponent;                      // of ten
    enum isa__decimal_kind kind;
    bool is_negative;
    bool is_nan;
};

// The number in `object`; nil is 0. A string that is no number is not a number either.
//
// Errors: ISA_ERR_UNRECOGNIZED_SELECTOR for what is neither number nor string.
isa_status isa__decimal_read(isa_id object, struct isa__decimal *out);

// Errors: KVC_ERR_OVERFLOW for numbers whose sum is too large.
isa_status isa__decimal_add(struct isa__decimal *sum, const struct isa__decimal *addend);

// Errors: KVC_ERR_OVERFLOW for a dividend that is no number. `count` is not 0.
isa_status isa__decimal_divide(struct isa__decimal *dividend, size_t count);

// Negative, 0 or positive, of numbers.
int isa__decimal_compare(const struct isa__decimal *first, const struct isa__decimal *second);

// The number as an object, with a reference for the caller: with all its digits, and the value of
// its kind that is nearest.
isa_status isa__decimal_copy_object(const struct isa__decimal *number, isa_id *out);

// ---- strings ------------------------------------------------------------------------------------

// Boxed strings, and the building of a text piece by piece.

// Reads the number that the string begins with as the type of `letter`; false if that is none.
bool isa__string_convert(isa_id string, char letter, void *out);

// Whether a text is UTF-8: no byte sequence is cut off, longer than need be, a surrogate, or beyond
// U+10FFFF.
bool isa__utf8_is_valid(const char *text);

// A hash of bytes.
size_t isa__bytes_hash(const void *bytes, size_t size);

// A text that grows; zeroed memory is an empty one. A failure is remembered until it is finished.
struct isa__text {
    char *bytes;
    size_t size;
    size_t capacity;
    isa_status status;
};

void isa__text_append(struct isa__text *text, const char *bytes, size_t size);
void isa__text_format(struct isa__text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3))); // up to 255 bytes; the rest is left out

// Appends the description of `object`, a string in quotation marks unless it is a plain word.
void isa__text_describe(struct isa__text *text, isa_id object);

// Makes the text a string and ends it, also if something has failed.
isa_status isa__text_finish(struct isa__text *text, isa_id *out);

extern const struct isa__library_class isa__string_classes[1];

#endif
