// Calls of to-many accessors: directly where a method has the usual encoding, else through libffi.
//
// Owns:  nothing.
// Locks: none; every call runs user code.
#include "element_call.h"

#include <string.h>

#include "../base/status.h"
#include "../model/encoding.h"
#include "isa_call.h"
#include "number.h"

enum { MOST_ARGUMENTS = 2 };

struct call {
    isa_id object;
    isa_sel sel;
    isa_imp imp;
    const char *types;
    char letters[1 + MOST_ARGUMENTS]; // of the result and the arguments; 0: no scalar
};

static bool fits(char expected, char letter)
{
    if (expected == 'Q') return isa__letter_is_integer(letter);
    return expected == 'v' || letter == expected;
}

// Whether a call that takes the letter for what the shape says passes the same.
static bool is_same(char expected, char letter)
{
    bool wide = isa__letter_is_integer(letter) && isa__scalar(letter)->size == sizeof(uint64_t);
    return letter == expected || (expected == 'Q' && wide);
}

static void read_letters(const char *types, char letters[1 + MOST_ARGUMENTS])
{
    char all[3 + MOST_ARGUMENTS];
    isa__signature_letters(types, all, sizeof all);
    letters[0] = all[0];
    memcpy(letters + 1, all + 3, MOST_ARGUMENTS);
}

#define SHAPE(result, first, second) ((result) << 16 | (first) << 8 | (second))
#define CALL(result, ...) ((result (*)(isa_id, isa_sel, ##__VA_ARGS__))call->imp)
#define ON call->object, call->sel

static void call_directly(const struct call *call, const char *shape,
                          const union isa__element_value *a, union isa__element_value *result)
{
    char first = shape[1], second = first == 0 ? 0 : shape[2];
    switch (SHAPE(shape[0], first, second)) {
    case SHAPE('v', '@', 0): CALL(void, isa_id)(ON, a[0].object); break;
    case SHAPE('v', 'Q', 0): CALL(void, uint64_t)(ON, a[0].index); break;
    case SHAPE('v', '^', 0): CALL(void, const void *)(ON, a[0].pointer); break;
    case SHAPE('v', '@', 'Q'): CALL(void, isa_id, uint64_t)(ON, a[0].object, a[1].index); break;
    case SHAPE('v', '@', '^'):
        CALL(void, isa_id, const void *)(ON, a[0].object, a[1].pointer);
        break;
    case SHAPE('v', 'Q', '@'): CALL(void, uint64_t, isa_id)(ON, a[0].index, a[1].object); break;
    case SHAPE('v', '^', '@'):
        CALL(void, const void *, isa_id)(ON, a[0].pointer, a[1].object);
        break;
    case SHAPE('Q', 0, 0): result->index = CALL(uint64_t)(ON); break;
    case SHAPE('Q', '@', 0): result->index = CALL(uint64_t, isa_id)(ON, a[0].object); break;
    case SHAPE('@', 0, 0): result->object = CALL(isa_id)(ON); break;
    case SHAPE('@', 'Q', 0): result->object = CALL(isa_id, uint64_t)(ON, a[0].index); break;
    case SHAPE('@', '^', 0): result->object = CALL(isa_id, const void *)(ON, a[0].pointer); break;
    case SHAPE('@', '@', 0): result->object = CALL(isa_id, isa_id)(ON, a[0].object); break;
    default: ISA_ASSERT(false);
    }
}

// Gives an index the type that the accessor takes, into which not every index fits.
static isa_status convert_index(const struct call *call, uint64_t index, char letter, void *out)
{
    uint64_t back;
    isa__number_convert('Q', &index, letter, out);
    isa__number_convert(letter, out, 'Q', &back);
    if (back == index) return ISA_OK;
    return isa__fail(KVC_ERR_RANGE, NULL,
                     "accessor -[%s %s] has encoding \"%s\": its index of type '%c' cannot be %llu",
                     isa_class_name(isa_object_get_class(call->object)), isa_sel_name(call->sel),
                     call->types, letter, (unsigned long long)index);
}

static isa_status call_converted(struct call *call, const char *shape,
                                 const union isa__element_value *arguments,
                                 union isa__element_value *result)
{
    union isa__element_value given[MOST_ARGUMENTS], answer = {.index = 0};
    void *addresses[2 + MOST_ARGUMENTS] = {&call->object, &call->sel, &given[0], &given[1]};
    isa_status status = ISA_OK;
    for (size_t i = 0; shape[1 + i] != 0 && status == ISA_OK; i++) {
        given[i] = arguments[i];
        if (shape[1 + i] == 'Q')
            status = convert_index(call, arguments[i].index, call->letters[1 + i], &given[i]);
    }
    char letter = call->letters[0];
    bool drops = shape[0] == 'v' && letter != 'i';
    if (status == ISA_OK)
        status = isa_invoke(call->imp, call->types, addresses, drops ? NULL : &answer);
    if (status != ISA_OK || drops) return status;
    int32_t answered;
    memcpy(&answered, &answer, sizeof answered);
    if (shape[0] == 'v') return (isa_status)answered;
    *result = answer;
    if (shape[0] == 'Q') isa__number_convert(letter, &answer, 'Q', &result->index);
    return ISA_OK;
}

bool isa__element_call_is_direct(isa_method method, const char *shape)
{
    char letters[1 + MOST_ARGUMENTS] = {0};
    read_letters(isa_method_types(method), letters);
    bool direct = true;
    for (size_t i = 0; i <= MOST_ARGUMENTS && shape[i] != 0; i++)
        direct = direct && is_same(shape[i], letters[i]);
    return direct;
}

isa_status isa__element_call(isa_id object, isa_method method, const char *shape,
                             const union isa__element_value *arguments,
                             union isa__element_value *result)
{
    isa_sel sel = isa_method_selector(method);
    struct call call = {object, sel, isa_lookup(object, sel), isa_method_types(method), {0}};
    read_letters(call.types, call.letters);
    bool direct = true;
    for (size_t i = 0; shape[i] != 0; i++) {
        if (!fits(shape[i], call.letters[i]))
            return isa__fail(KVC_ERR_TYPE, NULL,
                             "accessor -[%s %s] has encoding \"%s\", which key-value coding cannot "
                             "call", isa_class_name(isa_object_get_class(object)),
                             isa_sel_name(sel), call.types);
        direct = direct && is_same(shape[i], call.letters[i]);
    }
    if (!direct) return call_converted(&call, shape, arguments, result);
    call_directly(&call, shape, arguments, result);
    return ISA_OK;
}
