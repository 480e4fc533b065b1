// Call interfaces: type encodings as libffi types, cached by signature.
//
// libffi needs a description of each type that a call passes, and cannot pass every type by value.
// This file says why a type cannot be passed, describes the others, and keeps one description for
// each signature.
//
// Owns:      one block per signature, which holds the ffi_cif, every ffi_type and element list that
//            it leads to, and the canonical text; and, per spelling met, a copy of that text.
// Lives:     for ever: closures and records of setters point here.
// Locks:     `cache_lock` guards the cache; a finished interface never changes.
// Invariant: libffi gives every aggregate the size and alignment that the encoding gives it, else
//            the signature is refused.
#include "call.h"

#include <ffi.h>
#include <string.h>

#include "../base/alloc.h"
#include "../base/containers.h"
#include "../base/status.h"
#include "../base/thread.h"

static ISA_LOCK_DEFINE(cache_lock, ISA_LOCK_CALL)
static struct isa__map cache = {.by_text = true}; // spelling or canonical text → its block

// An interface with its parts behind it.
struct block {
    struct isa__call_interface interface;
    size_t size;
    struct block *next; // in `blocks`
};
static struct block *blocks;

// Runs twice over a signature: without memory it counts what is needed, then it fills.
struct builder {
    ffi_type *types;
    ffi_type **elements;
    size_t type_count;
    size_t element_count;
};

// ---- what can be passed -------------------------------------------------------------------------

// The most bytes that a signature may move by value, since a call takes them from the stack.
enum { MAX_PASSED = 256 * 1024 };

// Fails with ISA_ERR_NOT_PASSABLE for `type`.
static isa_status refuse_passing(const struct isa__type *type, const char *reason)
{
    return isa__fail(ISA_ERR_NOT_PASSABLE, NULL, "type \"%.*s\" cannot be passed by value: %s",
                     isa__type_quoted_length(type), type->start, reason);
}

static const char *unpassable_leaf(const struct isa__type *type)
{
    switch (type->type_class) {
    case ISA_TYPE_INT128:
        return "libffi has no 128-bit integers";
    case ISA_TYPE_UNION:
        return "libffi has no unions";
    case ISA_TYPE_BITFIELD:
        return "libffi has no bit-fields";
    case ISA_TYPE_UNKNOWN:
        return "nothing is known of it";
    case ISA_TYPE_VOID:
        return "void has no value";
#ifndef FFI_TARGET_HAS_COMPLEX_TYPE
    case ISA_TYPE_COMPLEX:
        return "libffi has no complex numbers on this system";
#endif
    default:
        return type->members == NULL && type->type_class == ISA_TYPE_STRUCT
                   ? "the struct's members are not known"
                   : NULL;
    }
}

// Refuses what libffi cannot pass, wherever in `type` it is. An array's elements are all alike, so
// the first one stands for them.
//
// libffi places members by their own size and alignment, so one without size but with an alignment
// would shift what follows unnoticed.
static isa_status check_by_value(const struct isa__type *type)
{
    const char *reason = unpassable_leaf(type);
    if (reason != NULL) return refuse_passing(type, reason);
    if (type->members == NULL) return ISA_OK;
    struct isa__member_walk walk = {.parent = type, .cursor = type->members};
    struct isa__type member;
    size_t offset;
    while (isa__member_next(&walk, &member, &offset)) {
        isa_status status = check_by_value(&member);
        if (status != ISA_OK) return status;
        if (member.size == 0 && member.align > 1)
            return refuse_passing(type, "it has an aligned member without size");
        if (type->type_class == ISA_TYPE_ARRAY) break;
    }
    return ISA_OK;
}

static isa_status check_passable(const struct isa__type *type)
{
    isa_status status = check_by_value(type);
    if (status != ISA_OK) return status;
    if (type->size == 0) return refuse_passing(type, "an empty struct has no value");
    if (type->size > MAX_PASSED) return refuse_passing(type, "it is larger than 256 KiB");
    return ISA_OK;
}

// Whether libffi can pass every type of `types`, a method encoding that has been checked.
static isa_status check_all_passable(const char *types)
{
    struct isa__type type;
    size_t total = 0;
    for (size_t index = 0; isa__type_next(&types, &type); index++) {
        isa_status status = ISA_OK;
        if (index == 0 && type.type_class == ISA_TYPE_VOID) continue;
        if (type.type_class != ISA_TYPE_ARRAY)
            status = check_passable(&type);
        else if (index == 0)
            status = refuse_passing(&type, "C functions do not return arrays");
        if (status != ISA_OK) return status;
        total += type.size > sizeof(void *) && type.type_class != ISA_TYPE_ARRAY ? type.size
                                                                                  : sizeof(void *);
        if (total > MAX_PASSED)
            return refuse_passing(&type, "with it the call passes more than 256 KiB");
    }
    return ISA_OK;
}

// ---- building -----------------------------------------------------------------------------------

static ffi_type *build_type(struct builder *b, const struct isa__type *type);

static ffi_type *scalar_type(char letter)
{
    switch (letter) {
#define SCALAR_TYPE(code, type, name, ffi, ...) \
    case code: return &ffi;
        ISA_SCALARS(SCALAR_TYPE)
#undef SCALAR_TYPE
    default:
        return NULL;
    }
}

static ffi_type *complex_type(char letter)
{
    switch (letter) {
#ifdef FFI_TARGET_HAS_COMPLEX_TYPE
#define COMPLEX_TYPE(code, type, name, ...) \
    case code: return &ffi_type_complex_##name;
        ISA_FLOAT_SCALARS(COMPLEX_TYPE)
#undef COMPLEX_TYPE
#endif
    default:
        return NULL;
    }
}

static ffi_type **take_elements(struct builder *b, size_t count)
{
    ffi_type **taken = b->elements == NULL ? NULL : b->elements + b->element_count;
    b->element_count += count + 1; // libffi ends the list with NULL, as zeroed memory does
    return taken;
}

// An array is a struct of equal elements to libffi; they share one ffi_type.
static void build_array(struct builder *b, const struct isa__type *type, ffi_type *out)
{
    struct isa__type element;
    const char *cursor = type->members;
    ffi_type **elements = take_elements(b, type->count);
    if (out != NULL) out->elements = elements;
    if (!isa__type_next(&cursor, &element)) return;
    ffi_type *built = build_type(b, &element);
    for (size_t i = 0; out != NULL && i < type->count; i++) elements[i] = built;
}

// Members without size take no place in libffi's list, where they would count as mistakes.
static size_t count_members(const struct isa__type *type)
{
    struct isa__member_walk walk = {.parent = type, .cursor = type->members};
    struct isa__type member;
    size_t offset, count = 0;
    while (isa__member_next(&walk, &member, &offset)) count += member.size > 0;
    return count;
}

static void build_members(struct builder *b, const struct isa__type *type, ffi_type *out)
{
    struct isa__member_walk walk = {.parent = type, .cursor = type->members};
    struct isa__type member;
    size_t offset, count = 0;
    ffi_type **elements = take_elements(b, count_members(type));
    if (out != NULL) out->elements = elements;
    while (isa__member_next(&walk, &member, &offset)) {
        if (member.size == 0) continue;
        ffi_type *built = build_type(b, &member);
        if (out != NULL) elements[count++] = built;
    }
}

// The libffi type, or NULL while counting aggregates.
static ffi_type *build_type(struct builder *b, const struct isa__type *type)
{
    if (type->type_class == ISA_TYPE_SCALAR) return scalar_type(type->letter);
    if (type->type_class == ISA_TYPE_COMPLEX) return complex_type(type->letter);
    if (type->type_class == ISA_TYPE_VOID) return &ffi_type_void;
    ffi_type *out = b->types == NULL ? NULL : b->types + b->type_count;
    b->type_count++;
    if (out != NULL) out->type = FFI_TYPE_STRUCT; // size 0: libffi computes it
    if (type->type_class == ISA_TYPE_ARRAY)
        build_array(b, type, out);
    else
        build_members(b, type, out);
    return out;
}

static ffi_type *build_argument(struct builder *b, const struct isa__type *type)
{
    return type->type_class == ISA_TYPE_ARRAY ? &ffi_type_pointer : build_type(b, type);
}

// On x86-64 a result that is a struct of one long double comes back as the long double does, but
// libffi looks for it in the integer registers; so it is described as what it holds.
#if defined(__x86_64__)
#define STRUCTS_RETURN_AS_LONG_DOUBLE 1
#else
#define STRUCTS_RETURN_AS_LONG_DOUBLE 0
#endif

static void unwrap_long_double(struct isa__type *type)
{
    struct isa__type member, inner = *type;
    size_t offset;
    while (inner.members != NULL && inner.size == sizeof(long double)) {
        struct isa__member_walk walk = {.parent = &inner, .cursor = inner.members};
        do {
            if (!isa__member_next(&walk, &member, &offset)) return;
        } while (member.size == 0);
        inner = member;
    }
    if (inner.letter == 'D' && inner.type_class == ISA_TYPE_SCALAR) *type = inner;
}

static char narrow_letter(const struct isa__type *type)
{
    bool integer = type->type_class == ISA_TYPE_SCALAR && isa__letter_is_integer(type->letter);
    return integer && type->size < sizeof(ffi_arg) ? type->letter : 0;
}

// Fills `out` (its arrays included, if it has them) from a signature; returns the result's type.
static ffi_type *build_signature(struct builder *b, const char *types,
                                 struct isa__call_interface *out)
{
    struct isa__type type;
    if (!isa__type_next(&types, &type)) return NULL;
    out->result_size = type.size;
    out->result_letter = narrow_letter(&type);
    if (STRUCTS_RETURN_AS_LONG_DOUBLE) unwrap_long_double(&type);
    ffi_type *result = build_type(b, &type);
    for (out->count = 0; isa__type_next(&types, &type); out->count++) {
        ffi_type *built = build_argument(b, &type);
        if (type.type_class == ISA_TYPE_STRUCT) out->has_structs = true;
        if (out->types == NULL) continue;
        out->types[out->count] = built;
        out->sizes[out->count] = type.type_class == ISA_TYPE_ARRAY ? sizeof(void *) : type.size;
    }
    return result;
}

// Whether libffi lays out every aggregate as the encoding says.
static isa_status check_layout(const struct isa__call_interface *interface, const char *types)
{
    struct isa__type type;
    isa__type_next(&types, &type);
    size_t result_size = interface->cif.rtype->size;
    if (type.members != NULL && result_size != type.size)
        return refuse_passing(&type, "libffi lays the result out differently");
    for (size_t i = 0; isa__type_next(&types, &type); i++) {
        const ffi_type *built = interface->types[i];
        if (type.type_class != ISA_TYPE_STRUCT) continue;
        if (built->size != type.size || built->alignment != type.align)
            return refuse_passing(&type, "libffi lays it out differently");
    }
    return ISA_OK;
}

static isa_status interface_prepare(struct isa__call_interface *interface, ffi_type *result,
                                    const char *types)
{
    if (ffi_prep_cif(&interface->cif, FFI_DEFAULT_ABI, (unsigned)interface->count, result,
                     interface->types) != FFI_OK)
        return isa__fail(ISA_ERR_NOT_PASSABLE, NULL, "libffi refuses the signature \"%.200s\"",
                         types);
    return check_layout(interface, types);
}

// The block for what `needed` has counted, its parts laid out behind the interface.
static struct block *allocate_block(const struct builder *needed, size_t arguments,
                                    const char *signature, struct builder *parts)
{
    size_t types = needed->type_count * sizeof(ffi_type);
    size_t elements = needed->element_count * sizeof(ffi_type *);
    size_t lists = arguments * (sizeof(ffi_type *) + sizeof(size_t));
    size_t text = strlen(signature) + 1;
    size_t size = sizeof(struct block) + types + elements + lists + text;
    struct block *block = isa__alloc(ISA_KIND_CALL_INTERFACE, size);
    if (block == NULL) return NULL;
    char *at = (char *)(block + 1);
    *parts = (struct builder){.types = (ffi_type *)at, .elements = (ffi_type **)(at + types)};
    at += types + elements;
    block->size = size;
    block->interface.types = (ffi_type **)at;
    block->interface.sizes = (size_t *)(at + arguments * sizeof(ffi_type *));
    block->interface.signature = memcpy(at + lists, signature, text);
    return block;
}

static void free_block(struct block *block)
{
    isa__free(ISA_KIND_CALL_INTERFACE, block, block->size);
}

static isa_status build_interface(const char *signature, struct block **out)
{
    struct isa__call_interface counted = {0};
    struct builder needed = {0}, parts;
    build_signature(&needed, signature, &counted);
    struct block *block = allocate_block(&needed, counted.count, signature, &parts);
    if (block == NULL) return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a call interface");
    ffi_type *result = build_signature(&parts, signature, &block->interface);
    isa_status status = interface_prepare(&block->interface, result, signature);
    if (status != ISA_OK) {
        free_block(block);
        return status;
    }
    *out = block;
    return ISA_OK;
}

// ---- the cache ----------------------------------------------------------------------------------

static isa_status add_signature_locked(const char *signature, struct block **out)
{
    struct block *block = NULL;
    isa_status status = build_interface(signature, &block);
    if (status != ISA_OK) return status;
    if (isa__map_set(&cache, block->interface.signature, block) != ISA_OK) {
        free_block(block);
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to remember a call interface");
    }
    block->next = blocks;
    blocks = block;
    *out = block;
    return ISA_OK;
}

// Remembers that `types` is another spelling of the block's signature.
static isa_status add_spelling_locked(const char *types, struct block *block)
{
    if (strcmp(types, block->interface.signature) == 0) return ISA_OK;
    char *spelling = isa__copy_text(types);
    if (spelling != NULL && isa__map_set(&cache, spelling, block) == ISA_OK) return ISA_OK;
    isa__free_text(spelling);
    return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to remember a call interface");
}

static isa_status interface_add_locked(const char *types, struct block **out)
{
    isa_status status = isa__encoding_check_method(types, SIZE_MAX);
    if (status == ISA_OK) status = check_all_passable(types);
    if (status != ISA_OK) return status;
    char *signature = isa__encoding_copy_canonical(types);
    if (signature == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a canonical type encoding");
    struct block *block = isa__map_find(&cache, signature);
    if (block == NULL) status = add_signature_locked(signature, &block);
    if (status == ISA_OK) status = add_spelling_locked(types, block);
    if (status == ISA_OK) *out = block;
    isa__free_text(signature);
    return status;
}

isa_status isa__call_interface_get(const char *types, const struct isa__call_interface **out)
{
    isa_status status = ISA_OK;
    isa__lock(&cache_lock);
    struct block *block = types == NULL ? NULL : isa__map_find(&cache, types);
    if (block == NULL) status = interface_add_locked(types, &block);
    isa__unlock(&cache_lock);
    if (status == ISA_OK) *out = &block->interface;
    return status;
}

isa_status isa_call_check(const char *types)
{
    const struct isa__call_interface *interface;
    return isa__call_interface_get(types, &interface);
}
