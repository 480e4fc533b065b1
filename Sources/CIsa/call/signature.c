// Calls by signature: directly where a method has the usual encoding, else through libffi.
//
// Owns:  nothing.
// Locks: none; every call runs user code.
#include "signature.h"

#include <string.h>

#include "../base/status.h"
#include "../model/type.h"

static bool fits(char wanted, char letter)
{
    if (wanted == 'Q') return isa__letter_is_integer(letter);
    return wanted == 'v' || letter == wanted;
}

// Whether a call that takes the letter for what the signature says passes the same.
static bool is_same(char wanted, char letter)
{
    bool wide = isa__letter_is_integer(letter) && isa__scalar(letter)->size == sizeof(uint64_t);
    return letter == wanted || (wanted == 'Q' && wide);
}

struct isa__accessor_signature isa__accessor_signature_of(const char *types, const char *letters)
{
    struct isa__accessor_signature signature = {
        .types = types, .letters = letters, .fits = true, .is_exact = true};
    char all[2 + ISA_ACCESSOR_LETTERS];
    isa__signature_letters(types, all, sizeof all);
    all[2] = all[0]; // the result in the selector's place, before the arguments
    memcpy(signature.actual, all + 2, sizeof signature.actual);
    for (size_t i = 0; letters[i] != 0; i++) {
        signature.fits = signature.fits && fits(letters[i], signature.actual[i]);
        signature.is_exact = signature.is_exact && is_same(letters[i], signature.actual[i]);
    }
    return signature;
}

struct isa__accessor_arguments
isa__accessor_arguments_read(const struct isa__accessor_signature *signature,
                             void *const *arguments)
{
    struct isa__accessor_arguments read = {0};
    for (size_t i = 1; signature->letters[i] != 0; i++) {
        const void *argument = arguments[1 + i];
        switch (signature->letters[i]) {
        case '@': read.object = *(isa_id const *)argument; break;
        case '^': read.pointer = *(const void *const *)argument; break;
        default: read.index = isa__integer_load(signature->actual[i], argument);
        }
    }
    return read;
}

// ---- directly -----------------------------------------------------------------------------------

#define LETTERS(result, first, second) ((result) << 16 | (first) << 8 | (second))
#define CALL(result, ...) ((result (*)(isa_id, isa_sel, ##__VA_ARGS__))imp)
#define ON object, sel

void isa__accessor_call_exact(const char *letters, isa_imp imp, isa_id object, isa_sel sel,
                              const struct isa__accessor_arguments *a,
                              union isa__accessor_answer *answer)
{
    char first = letters[1], second = first == 0 ? 0 : letters[2];
    switch (LETTERS(letters[0], first, second)) {
    case LETTERS('v', '@', 0): CALL(void, isa_id)(ON, a->object); break;
    case LETTERS('v', 'Q', 0): CALL(void, uint64_t)(ON, a->index); break;
    case LETTERS('v', '^', 0): CALL(void, const void *)(ON, a->pointer); break;
    case LETTERS('v', '@', 'Q'): CALL(void, isa_id, uint64_t)(ON, a->object, a->index); break;
    case LETTERS('v', '@', '^'): CALL(void, isa_id, const void *)(ON, a->object, a->pointer); break;
    case LETTERS('v', 'Q', '@'): CALL(void, uint64_t, isa_id)(ON, a->index, a->object); break;
    case LETTERS('v', '^', '@'): CALL(void, const void *, isa_id)(ON, a->pointer, a->object); break;
    case LETTERS('Q', 0, 0): answer->index = CALL(uint64_t)(ON); break;
    case LETTERS('Q', '@', 0): answer->index = CALL(uint64_t, isa_id)(ON, a->object); break;
    case LETTERS('@', 0, 0): answer->object = CALL(isa_id)(ON); break;
    case LETTERS('@', 'Q', 0): answer->object = CALL(isa_id, uint64_t)(ON, a->index); break;
    case LETTERS('@', '^', 0): answer->object = CALL(isa_id, const void *)(ON, a->pointer); break;
    case LETTERS('@', '@', 0): answer->object = CALL(isa_id, isa_id)(ON, a->object); break;
    default: ISA_ASSERT(false);
    }
}

// ---- through libffi -----------------------------------------------------------------------------

// Gives an index the type that the method takes, into which not every index fits.
static isa_status convert_index(const struct isa__accessor_signature *signature, size_t place,
                                isa_id object, isa_sel sel, uint64_t index, void *out)
{
    char letter = signature->actual[place];
    isa__integer_store(letter, index, out);
    if (isa__integer_load(letter, out) == index) return ISA_OK;
    return isa__fail(KVC_ERR_RANGE, NULL,
                     "accessor -[%s %s] has encoding \"%s\": its index of type '%c' cannot be %llu",
                     isa_class_name(isa_object_get_class(object)), isa_sel_name(sel),
                     signature->types, letter, (unsigned long long)index);
}

static isa_status call_converted(const struct isa__accessor_signature *signature, isa_imp imp,
                                 isa_id object, isa_sel sel,
                                 const struct isa__accessor_arguments *a,
                                 union isa__accessor_answer *answer)
{
    struct isa__accessor_arguments given = *a;
    union isa__accessor_answer got = {.index = 0};
    void *addresses[1 + ISA_ACCESSOR_LETTERS] = {&object, &sel};
    isa_status status = ISA_OK;
    for (size_t i = 1; signature->letters[i] != 0 && status == ISA_OK; i++) {
        char letter = signature->letters[i];
        addresses[1 + i] = letter == '@' ? (void *)&given.object : (void *)&given.pointer;
        if (letter != 'Q') continue;
        addresses[1 + i] = &given.index;
        status = convert_index(signature, i, object, sel, a->index, &given.index);
    }
    bool is_asked = signature->letters[0] != 'v';
    bool is_status = !is_asked && signature->actual[0] == 'i';
    if (status == ISA_OK)
        status = isa_invoke(imp, signature->types, addresses, is_asked || is_status ? &got : NULL);
    if (status != ISA_OK) return status;
    if (is_status) return (isa_status)isa__integer_load('i', &got);
    if (signature->letters[0] == 'Q') answer->index = isa__integer_load(signature->actual[0], &got);
    else if (is_asked) *answer = got;
    return ISA_OK;
}

isa_status isa__accessor_send(isa_id object, isa_method method, const char *letters,
                              const struct isa__accessor_arguments *arguments,
                              union isa__accessor_answer *answer)
{
    isa_sel sel = isa_method_selector(method);
    isa_imp imp = isa_lookup(object, sel);
    struct isa__accessor_signature signature =
        isa__accessor_signature_of(isa_method_types(method), letters);
    if (!signature.fits)
        return isa__fail(KVC_ERR_TYPE, NULL,
                         "accessor -[%s %s] has encoding \"%s\", which key-value coding cannot "
                         "call", isa_class_name(isa_object_get_class(object)), isa_sel_name(sel),
                         signature.types);
    if (!signature.is_exact) return call_converted(&signature, imp, object, sel, arguments, answer);
    isa__accessor_call_exact(letters, imp, object, sel, arguments, answer);
    return ISA_OK;
}
