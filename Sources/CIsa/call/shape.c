// Calls by shape: directly where a method has the usual encoding, else through libffi.
//
// Owns:  nothing.
// Locks: none; every call runs user code.
#include "shape.h"

#include <string.h>

#include "../base/status.h"
#include "../model/type.h"

static bool fits(char wanted, char letter)
{
    if (wanted == 'Q') return isa__letter_is_integer(letter);
    return wanted == 'v' || letter == wanted;
}

// Whether a call that takes the letter for what the shape says passes the same.
static bool is_same(char wanted, char letter)
{
    bool wide = isa__letter_is_integer(letter) && isa__scalar(letter)->size == sizeof(uint64_t);
    return letter == wanted || (wanted == 'Q' && wide);
}

struct isa__shape isa__shape_of(const char *types, const char *letters)
{
    struct isa__shape shape = {.types = types, .letters = letters, .fits = true, .is_exact = true};
    char all[2 + ISA_SHAPE_LETTERS];
    isa__signature_letters(types, all, sizeof all);
    all[2] = all[0]; // the result in the selector's place, before the arguments
    memcpy(shape.actual, all + 2, sizeof shape.actual);
    for (size_t i = 0; letters[i] != 0; i++) {
        shape.fits = shape.fits && fits(letters[i], shape.actual[i]);
        shape.is_exact = shape.is_exact && is_same(letters[i], shape.actual[i]);
    }
    return shape;
}

struct isa__shape_arguments isa__shape_read(const struct isa__shape *shape, void *const *arguments)
{
    struct isa__shape_arguments read = {0};
    for (size_t i = 1; shape->letters[i] != 0; i++) {
        const void *argument = arguments[1 + i];
        switch (shape->letters[i]) {
        case '@': read.object = *(isa_id const *)argument; break;
        case '^': read.pointer = *(const void *const *)argument; break;
        default: read.index = isa__integer_load(shape->actual[i], argument);
        }
    }
    return read;
}

// ---- directly -----------------------------------------------------------------------------------

#define SHAPE(result, first, second) ((result) << 16 | (first) << 8 | (second))
#define CALL(result, ...) ((result (*)(isa_id, isa_sel, ##__VA_ARGS__))imp)
#define ON object, sel

void isa__shape_call_exact(const char *letters, isa_imp imp, isa_id object, isa_sel sel,
                           const struct isa__shape_arguments *a, union isa__shape_answer *answer)
{
    char first = letters[1], second = first == 0 ? 0 : letters[2];
    switch (SHAPE(letters[0], first, second)) {
    case SHAPE('v', '@', 0): CALL(void, isa_id)(ON, a->object); break;
    case SHAPE('v', 'Q', 0): CALL(void, uint64_t)(ON, a->index); break;
    case SHAPE('v', '^', 0): CALL(void, const void *)(ON, a->pointer); break;
    case SHAPE('v', '@', 'Q'): CALL(void, isa_id, uint64_t)(ON, a->object, a->index); break;
    case SHAPE('v', '@', '^'): CALL(void, isa_id, const void *)(ON, a->object, a->pointer); break;
    case SHAPE('v', 'Q', '@'): CALL(void, uint64_t, isa_id)(ON, a->index, a->object); break;
    case SHAPE('v', '^', '@'): CALL(void, const void *, isa_id)(ON, a->pointer, a->object); break;
    case SHAPE('Q', 0, 0): answer->index = CALL(uint64_t)(ON); break;
    case SHAPE('Q', '@', 0): answer->index = CALL(uint64_t, isa_id)(ON, a->object); break;
    case SHAPE('@', 0, 0): answer->object = CALL(isa_id)(ON); break;
    case SHAPE('@', 'Q', 0): answer->object = CALL(isa_id, uint64_t)(ON, a->index); break;
    case SHAPE('@', '^', 0): answer->object = CALL(isa_id, const void *)(ON, a->pointer); break;
    case SHAPE('@', '@', 0): answer->object = CALL(isa_id, isa_id)(ON, a->object); break;
    default: ISA_ASSERT(false);
    }
}

// ---- through libffi -----------------------------------------------------------------------------

// Gives an index the type that the method takes, into which not every index fits.
static isa_status convert_index(const struct isa__shape *shape, size_t place, isa_id object,
                                isa_sel sel, uint64_t index, void *out)
{
    char letter = shape->actual[place];
    isa__integer_store(letter, index, out);
    if (isa__integer_load(letter, out) == index) return ISA_OK;
    return isa__fail(KVC_ERR_RANGE, NULL,
                     "accessor -[%s %s] has encoding \"%s\": its index of type '%c' cannot be %llu",
                     isa_class_name(isa_object_get_class(object)), isa_sel_name(sel),
                     shape->types, letter, (unsigned long long)index);
}

static isa_status call_converted(const struct isa__shape *shape, isa_imp imp, isa_id object,
                                 isa_sel sel, const struct isa__shape_arguments *a,
                                 union isa__shape_answer *answer)
{
    struct isa__shape_arguments given = *a;
    union isa__shape_answer got = {.index = 0};
    void *addresses[1 + ISA_SHAPE_LETTERS] = {&object, &sel};
    isa_status status = ISA_OK;
    for (size_t i = 1; shape->letters[i] != 0 && status == ISA_OK; i++) {
        char letter = shape->letters[i];
        addresses[1 + i] = letter == '@' ? (void *)&given.object : (void *)&given.pointer;
        if (letter != 'Q') continue;
        addresses[1 + i] = &given.index;
        status = convert_index(shape, i, object, sel, a->index, &given.index);
    }
    bool is_asked = shape->letters[0] != 'v', is_status = !is_asked && shape->actual[0] == 'i';
    if (status == ISA_OK)
        status = isa_invoke(imp, shape->types, addresses, is_asked || is_status ? &got : NULL);
    if (status != ISA_OK) return status;
    if (is_status) return (isa_status)isa__integer_load('i', &got);
    if (shape->letters[0] == 'Q') answer->index = isa__integer_load(shape->actual[0], &got);
    else if (is_asked) *answer = got;
    return ISA_OK;
}

isa_status isa__shape_send(isa_id object, isa_method method, const char *letters,
                           const struct isa__shape_arguments *arguments,
                           union isa__shape_answer *answer)
{
    isa_sel sel = isa_method_selector(method);
    isa_imp imp = isa_lookup(object, sel);
    struct isa__shape shape = isa__shape_of(isa_method_types(method), letters);
    if (!shape.fits)
        return isa__fail(KVC_ERR_TYPE, NULL,
                         "accessor -[%s %s] has encoding \"%s\", which key-value coding cannot "
                         "call", isa_class_name(isa_object_get_class(object)), isa_sel_name(sel),
                         shape.types);
    if (!shape.is_exact) return call_converted(&shape, imp, object, sel, arguments, answer);
    isa__shape_call_exact(letters, imp, object, sel, arguments, answer);
    return ISA_OK;
}
