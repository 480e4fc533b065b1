// Calls by type encoding, of every type that isa_test_types names: measured, invoked, called back,
// sent and forwarded.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "signatures.h"

enum { LARGEST = 8000, ENCODING = 512 };

// Values that a call takes and gives, aligned for each type.
struct values {
    _Alignas(16) char first[LARGEST];
    _Alignas(16) char second[LARGEST];
    _Alignas(16) char result[LARGEST];
};

// A method's encoding with the type in place of each `?` of the form.
static const char *encoding_of(const isa_test_type *type, const char *form, char *out)
{
    char *end = out;
    for (; *form != '\0'; form++) {
        size_t length = *form == '?' ? strlen(type->encoding) : 1;
        memcpy(end, *form == '?' ? type->encoding : form, length);
        end += length;
    }
    *end = '\0';
    return out;
}

static void check_measures(const isa_test_type *type)
{
    size_t size = 0, align = 0;
    CHECK(isa_encoding_measure(type->encoding, &size, &align, NULL) == ISA_OK);
    CHECK(size == type->size);
    CHECK(align == type->align);
}

static void check_invokes(const isa_test_type *type, struct values *v)
{
    char types[ENCODING];
    isa_id object = NULL;
    isa_sel sel = isa_sel_register("of:");
    int8_t one = 1;
    double two_and_half = 2.5;
    float three_and_half = 3.5f;
    void *echoed[] = {&object, &sel, v->first};
    void *mixed[] = {&object, &sel, &one, v->first, &two_and_half, v->second, &three_and_half};
    type->fill(v->first, 1);
    type->fill(v->second, 2);
    CHECK(isa_invoke(type->echo, encoding_of(type, "?@:?", types), echoed, v->result) == ISA_OK);
    CHECK(type->equal(v->result, v->first));
    CHECK(isa_invoke(type->mix, encoding_of(type, "?@:c?d?f", types), mixed, v->result) == ISA_OK);
    CHECK(type->equal(v->result, v->second));
}

struct callback {
    const isa_test_type *type;
    int calls;
    int ends;
};

// Answers the first value, or of several the second.
static void answer(void *result, void *const *arguments, void *context)
{
    struct callback *callback = context;
    callback->calls++;
    memcpy(result, arguments[2], callback->type->size);
}

static void answer_mixed(void *result, void *const *arguments, void *context)
{
    struct callback *callback = context;
    bool is_right = *(int8_t *)arguments[2] == 1 && *(double *)arguments[4] == 2.5 &&
                    *(float *)arguments[6] == 3.5f;
    callback->calls += is_right;
    memcpy(result, arguments[5], callback->type->size);
}

static void end(void *context)
{
    ((struct callback *)context)->ends++;
}

static void check_callbacks(const isa_test_type *type, struct values *v)
{
    char types[ENCODING];
    isa_imp imp;
    struct callback callback = {type, 0, 0};
    type->fill(v->first, 3);
    must(isa_imp_make(encoding_of(type, "?@:?", types), answer, &callback, end, &imp));
    type->call_echo(imp, NULL, NULL, v->first, v->result);
    CHECK(callback.calls == 1 && type->equal(v->result, v->first));
    CHECK(isa_imp_dispose(imp) == ISA_OK && callback.ends == 1);

    type->fill(v->second, 2);
    must(isa_imp_make(encoding_of(type, "?@:c?d?f", types), answer_mixed, &callback, end, &imp));
    type->call_mix(imp, NULL, NULL, v->result);
    CHECK(callback.calls == 2 && type->equal(v->result, v->second));
    CHECK(isa_imp_dispose(imp) == ISA_OK && callback.ends == 2);
}

// Sends a message that the object does not answer, which the hook forwards.
static isa_imp forward(isa_id object, isa_sel sel, void *imp)
{
    (void)object, (void)sel;
    return *(isa_imp *)imp;
}

static void check_forwards(const isa_test_type *type, isa_id object, struct values *v)
{
    char types[ENCODING];
    isa_imp imp;
    isa_sel sel = isa_sel_register("unknownOf:");
    struct callback callback = {type, 0, 0};
    type->fill(v->first, 4);
    must(isa_imp_make(encoding_of(type, "?@:?", types), answer, &callback, end, &imp));
    isa_set_unrecognized_hook(forward, &imp);
    type->call_echo(isa_lookup(object, sel), object, sel, v->first, v->result);
    isa_set_unrecognized_hook(NULL, NULL);
    CHECK(callback.calls == 1 && type->equal(v->result, v->first));
    CHECK(isa_imp_dispose(imp) == ISA_OK);
}

// Whether libffi passes the type here: some of its ports have no complex numbers.
static bool is_passable(const isa_test_type *type)
{
    char types[ENCODING];
    bool is_passed = isa_call_check(encoding_of(type, "?@:?", types)) == ISA_OK;
    CHECK(is_passed || strchr(type->encoding, 'j') != NULL);
    return is_passed;
}

void check_calls(void)
{
    size_t count;
    const isa_test_type *types = isa_test_types(&count);
    struct values *values = calloc(1, sizeof *values);
    isa_class cls;
    must(isa_class_pair_allocate(isa_root_class(), "Called", &cls));
    must(isa_class_pair_register(cls));
    isa_id object = make_object(cls);
    for (size_t i = 0; i < count; i++) {
        check_measures(&types[i]);
        if (!is_passable(&types[i])) continue;
        check_invokes(&types[i], values);
        check_callbacks(&types[i], values);
        check_forwards(&types[i], object, values);
    }
    isa_object_release(object);
    CHECK(isa_class_pair_dispose(cls) == ISA_OK);
    free(values);
}
