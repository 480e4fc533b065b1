// Accessor search.
//
// Owns:  the interned encodings.
// Locks: `intern_lock` guards their table; searching takes the model's own locks one at a time and
//        holds none while it asks the class.
#include "accessor.h"

#include <string.h>

#include "../base/alloc.h"
#include "../base/status.h"
#include "../call/call.h"
#include "../model/ivar.h"
#include "../model/method.h"
#include "../model/selector.h"
#include "../objects/box.h"
#include "coding.h"
#include "to_many.h"

// ---- interned encodings -------------------------------------------------------------------------

static ISA_LOCK_DEFINE(intern_lock, ISA_LOCK_CODING)
static struct isa__map encodings = {.by_text = true};

const char *isa__encoding_intern(const char *types)
{
    isa__lock(&intern_lock);
    char *found = isa__map_find(&encodings, types);
    if (found == NULL) {
        found = isa__copy_text(types);
        if (found != NULL && isa__map_set(&encodings, found, found) != ISA_OK) {
            isa__free_text(found);
            found = NULL;
        }
    }
    isa__unlock(&intern_lock);
    return found;
}

enum { SHORT_ENCODING = 64 };

const char *isa__encoding_intern_range(const char *start, size_t length)
{
    char text[SHORT_ENCODING];
    char *copy = length < sizeof text ? text : isa__alloc(ISA_KIND_OTHER, length + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, start, length);
    copy[length] = 0;
    const char *interned = isa__encoding_intern(copy);
    if (copy != text) isa__free(ISA_KIND_OTHER, copy, length + 1);
    return interned;
}

// ---- search -------------------------------------------------------------------------------------

// Methods by the names to try, in order.
struct names {
    enum isa__name list[5];
    size_t count;
    size_t value; // the number of the value's type in the method's encoding
};

#define NAME(name, ...) ISA_NAME_##name,
static const struct names getters = {{ISA_GETTER_NAMES(NAME)}, .count = 5, .value = 0};
static const struct names setters = {{ISA_SETTER_NAMES(NAME)}, .count = 3, .value = 3};
static const struct names gnustep_setters = {{ISA_SETTER_NAMES(NAME)}, .count = 2, .value = 3};
static const struct names ivars = {
    {ISA_NAME_UNDERSCORED, ISA_NAME_UNDERSCORED_IS, ISA_NAME_KEY, ISA_NAME_IS}, .count = 4};
static const struct names collections = {{ISA_NAME_UNDERSCORED, ISA_NAME_KEY}, .count = 2};

// GNUstep knows no `setIs<Key>:`.
static const struct names *setters_of(isa_class cls)
{
    return isa__class_is_gnustep(cls->original) ? &gnustep_setters : &setters;
}

static isa_method find_method(isa_class cls, const char *key, const struct names *names)
{
    isa_method method = NULL;
    for (size_t i = 0; i < names->count && method == NULL; i++)
        method = isa__method_find_named(cls, names->list[i], key);
    return method;
}

// The first ivar that has one of the names, if the class allows it.
static isa_ivar find_ivar(isa_class cls, const char *key, const struct names *names)
{
    typedef bool (*question)(isa_id, isa_sel);
    isa_ivar ivar = NULL;
    isa_id asked = isa_class_as_object(cls->original);
    if (!isa_object_responds_to(asked, isa__sel_access_ivars)) return NULL;
    if (!ISA_SEND(question, asked, isa__sel_access_ivars)) return NULL;
    for (size_t i = 0; i < names->count && ivar == NULL; i++)
        ivar = isa__ivar_find_named(cls, names->list[i], key);
    return ivar;
}

char isa__letter_of(const struct isa__type *type)
{
    if (type->type_class == ISA_TYPE_SCALAR) return type->letter;
    bool by_value = type->type_class == ISA_TYPE_STRUCT || type->type_class == ISA_TYPE_COMPLEX;
    return by_value && type->sized && !type->has_union && !type->has_bitfield ? '{' : 0;
}

static isa__reader choose_reader(const struct isa__accessor *accessor);

// Fills in the value's type.
static isa_status set_type(struct isa__accessor *accessor, const struct isa__type *type)
{
    accessor->types = isa__encoding_intern_range(type->start, (size_t)(type->end - type->start));
    accessor->size = type->size;
    accessor->letter = isa__letter_of(type);
    accessor->reader = choose_reader(accessor);
    return accessor->types == NULL ? ISA_ERR_NO_MEMORY : ISA_OK;
}

static isa_status set_method(struct isa__accessor *accessor, isa_method method, size_t argument)
{
    const char *types = isa_method_types(method);
    const char *start;
    struct isa__type type;
    if (!isa__signature_type(types, argument, &start, &type)) return ISA_ERR_NOT_FOUND;
    accessor->kind = ISA_ACCESSOR_METHOD;
    accessor->selector = isa_method_selector(method);
    // A synthesised getter of a weak property lends what may die meanwhile: read the slot itself.
    isa_ivar weak = argument == 0 ? isa__synthesized_weak_ivar(isa_method_imp(method)) : NULL;
    if (weak != NULL) {
        accessor->kind = ISA_ACCESSOR_IVAR;
        accessor->offset = weak->offset;
        accessor->ownership = ISA_OWNERSHIP_WEAK;
    }
    isa_status status = set_type(accessor, &type);
    if (status != ISA_OK || accessor->letter != '{') return status;
    accessor->method_types = isa__encoding_intern(types);
    return accessor->method_types == NULL ? ISA_ERR_NO_MEMORY : ISA_OK;
}

static isa_status set_ivar(struct isa__accessor *accessor, isa_ivar ivar)
{
    if (ivar == NULL) return ISA_OK;
    accessor->kind = ISA_ACCESSOR_IVAR;
    accessor->offset = ivar->offset;
    accessor->ownership = ivar->ownership;
    struct isa__type type;
    isa_status status = isa__type_parse(ivar->types, &type);
    return status == ISA_OK ? set_type(accessor, &type) : status;
}

// Answers for a key without a method: by the accessors for its elements, if it is read, or by an
// ivar.
static isa_status find_without_method(isa_class cls, const char *key, const struct names *names,
                                      struct isa__accessor *out)
{
    struct isa__elements elements = {0};
    if (names == &getters) isa__elements_find(cls, key, &elements);
    out->elements = isa__elements_kind(&elements);
    if (out->elements != KVC_KIND_OTHER) return ISA_OK;
    return set_ivar(out, find_ivar(cls, key, &ivars));
}

isa_status isa__accessor_of_method(isa_method method, size_t number, struct isa__accessor *out)
{
    *out = (struct isa__accessor){0};
    isa_status status = set_method(out, method, number);
    if (status != ISA_ERR_NO_MEMORY) return status;
    return isa__fail(status, NULL, "no memory for the encoding of %s",
                     isa_sel_name(isa_method_selector(method)));
}

static isa_status end_search(const char *key, isa_status status)
{
    if (status != ISA_ERR_NO_MEMORY) return status;
    return isa__fail(status, NULL, "no memory to search the accessors of \"%.64s\"", key);
}

// Finds how instances of `cls` answer for `key`: `get<Key>`, `<key>`, `is<Key>`, `_get<Key>`,
// `_<key>`, then the accessors of to_many.h, then the ivars `_key`, `_isKey`, `key`, `isKey` if
// the class allows it. Kind NONE where nothing does, and where accessors for elements do: with
// those `valueForKey:` makes a proxy. And for writing: `set<Key>:`, `_set<Key>:`, `setIs<Key>:`,
// then the ivars.
//
// Runs `accessInstanceVariablesDirectly`, so call it with no lock held.
// Errors: ISA_ERR_NO_MEMORY.
static isa_status find_accessor(isa_class cls, const char *key, const struct names *names,
                                struct isa__accessor *out)
{
    *out = (struct isa__accessor){0};
    isa_method method = find_method(cls, key, names);
    return end_search(key, method != NULL ? set_method(out, method, names->value)
                                          : find_without_method(cls, key, names, out));
}

isa_status isa__accessor_find_collection(isa_class cls, const char *key, struct isa__accessor *out)
{
    *out = (struct isa__accessor){0};
    return end_search(key, set_ivar(out, find_ivar(cls, key, &collections)));
}

isa_method isa__accessor_find_setter_method(isa_class cls, const char *key)
{
    return find_method(cls, key, setters_of(cls));
}

// ---- reading ------------------------------------------------------------------------------------

// One function per type, so that a getter's kind and type are looked at once, not at every read.
#define IS_OBJECT(name) (ISA_PASSED_##name == ISA_PASSED_object)
#define DEFINE_READERS(ctype, name) \
    static void read_##name##_method(const struct isa__accessor *accessor, isa_id object, \
                                     void *buffer) \
    { \
        *(ctype *)buffer = ISA_SEND(ctype (*)(isa_id, isa_sel), object, accessor->selector); \
        if (IS_OBJECT(name)) isa_object_retain(*(isa_id *)buffer); \
    } \
    static void read_##name##_ivar(const struct isa__accessor *accessor, isa_id object, \
                                   void *buffer) \
    { \
        *(ctype *)buffer = *(ctype const *)((const char *)object + accessor->offset); \
        if (IS_OBJECT(name)) isa_object_retain(*(isa_id *)buffer); \
    }
ISA_PASSED_TYPES(DEFINE_READERS)

static void read_weak_ivar(const struct isa__accessor *accessor, isa_id object, void *buffer)
{
    *(isa_id *)buffer = isa_weak_copy((const isa_weak *)((const char *)object + accessor->offset));
}

#define CHOOSE_READER(ctype, name) \
    case ISA_PASSED_##name: return method ? read_##name##_method : read_##name##_ivar;

static isa__reader choose_reader(const struct isa__accessor *accessor)
{
    bool method = accessor->kind == ISA_ACCESSOR_METHOD;
    if (!method && accessor->ownership == ISA_OWNERSHIP_WEAK) return read_weak_ivar;
    switch (isa__scalar(accessor->letter)->passed) {
        ISA_PASSED_TYPES(CHOOSE_READER)
    default: return NULL;
    }
}

static isa_status invoke(const struct isa__accessor *accessor, isa_id object, void *argument,
                         void *result)
{
    isa_sel sel = accessor->selector;
    void *arguments[] = {&object, &sel, argument};
    return isa_invoke(isa_lookup(object, sel), accessor->method_types, arguments, result);
}

static isa_status not_passable(const struct isa__accessor *accessor)
{
    return isa__fail(ISA_ERR_NOT_PASSABLE, NULL, "a value of type \"%s\" cannot be passed",
                     accessor->types);
}

isa_status isa__accessor_read(const struct isa__accessor *accessor, isa_id object, void *buffer)
{
    if (accessor->reader != NULL) accessor->reader(accessor, object, buffer);
    else if (accessor->kind == ISA_ACCESSOR_IVAR)
        memcpy(buffer, (const char *)object + accessor->offset, accessor->size);
    else if (accessor->letter == '{') return invoke(accessor, object, NULL, buffer);
    else return not_passable(accessor);
    return ISA_OK;
}

// ---- writing ------------------------------------------------------------------------------------

#define CALL_SETTER(ctype, name) \
    case ISA_PASSED_##name: \
        ISA_SEND(void (*)(isa_id, isa_sel, ctype), object, accessor->selector, \
                 *(ctype const *)buffer); \
        return ISA_OK;

static isa_status write_method(const struct isa__accessor *accessor, isa_id object,
                               const void *buffer)
{
    switch (isa__scalar(accessor->letter)->passed) {
        ISA_PASSED_TYPES(CALL_SETTER)
    }
    if (accessor->letter != '{') return not_passable(accessor);
    return invoke(accessor, object, (void *)(uintptr_t)buffer, NULL);
}

isa_status isa__accessor_write(const struct isa__accessor *accessor, isa_id object,
                               const void *buffer)
{
    if (accessor->kind == ISA_ACCESSOR_METHOD) return write_method(accessor, object, buffer);
    void *storage = (char *)object + accessor->offset;
    if (accessor->ownership == ISA_OWNERSHIP_WEAK)
        return isa_weak_store(storage, *(const isa_id *)buffer);
    if (accessor->ownership == ISA_OWNERSHIP_NONE) {
        memcpy(storage, buffer, accessor->size);
        return ISA_OK;
    }
    isa_id old = *(isa_id *)storage;
    *(isa_id *)storage = isa_object_retain(*(const isa_id *)buffer);
    isa_object_release(old);
    return ISA_OK;
}

// ---- answers ------------------------------------------------------------------------------------

// Whether anything answers for the key.
static bool answers(const struct isa__accessor *accessor)
{
    return accessor->kind != ISA_ACCESSOR_NONE || accessor->elements != KVC_KIND_OTHER;
}

static isa_status search_getter(isa_class cls, const char *key, struct isa__answer *out)
{
    isa_status status = find_accessor(cls, key, &getters, &out->accessor);
    out->is_direct = isa__coding_is_direct(cls);
    out->is_walked = isa__key_path_is_direct(cls) && cls->guard == NULL;
    out->is_at_once =
        out->is_direct && cls->guard == NULL && out->accessor.kind != ISA_ACCESSOR_NONE;
    return status;
}

static isa_status search_setter(isa_class cls, const char *key, struct isa__answer *out)
{
    isa_status status = find_accessor(cls, key, setters_of(cls), &out->accessor);
    char letter = out->accessor.letter;
    out->is_direct = isa__coding_sets_directly(cls);
    out->is_at_once = out->is_direct && cls->guard == NULL &&
                      out->accessor.kind == ISA_ACCESSOR_METHOD && letter != 'B' &&
                      isa__letter_is_number(letter);
    return status;
}

isa_status isa__answer_find(isa_class cls, const char *key, enum isa__subject subject,
                            struct isa__answer *out)
{
    if (isa__answer_recall(cls, key, subject, out)) return ISA_OK;
    uint64_t epoch = isa__method_epoch();
    *out = (struct isa__answer){0};
    isa_status status = subject == ISA_FACT_SETTER ? search_setter(cls, key, out)
                                                   : search_getter(cls, key, out);
    if (status != ISA_OK) return status;
    const struct isa__key *interned =
        answers(&out->accessor) ? isa__key_intern(key) : isa__key_find(key);
    if (interned != NULL) isa__fact_keep(cls, interned, subject, out, sizeof *out, epoch);
    return ISA_OK;
}

isa_status kvc_class_find_way(isa_class cls, const char *key, bool sets, kvc_way *way,
                              const char **types)
{
    if (cls == NULL || key == NULL || way == NULL)
        return isa__fail_null(__func__, "cls, key or way");
    struct isa__accessor found;
    isa_status status = find_accessor(cls, key, sets ? setters_of(cls) : &getters, &found);
    if (status != ISA_OK) return status;
    bool is_method = found.kind == ISA_ACCESSOR_METHOD || found.elements != KVC_KIND_OTHER;
    *way = is_method ? KVC_WAY_METHOD
                     : found.kind == ISA_ACCESSOR_IVAR ? KVC_WAY_IVAR : KVC_WAY_NONE;
    if (types != NULL) *types = found.types;
    return ISA_OK;
}
