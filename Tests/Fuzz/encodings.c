// Type encodings: measured, taken apart, boxed, passed by libffi, and given to a property.
//
// Holds: a type has the size that its class's ivar has; a method's encoding has as many types as it
//        says; a refused encoding writes nothing and names a reason.

#define ISA_UNCHECKED // what fails shows in the answers
#include "fuzz.h"

enum { LARGEST = 1 << 16 };

static void check_types(const char *types)
{
    size_t count = 0;
    char *type;
    if (isa_encoding_argument_count(types, &count) != ISA_OK) return;
    for (size_t i = 0; i <= count; i++) {
        HOLDS(isa_encoding_copy_type(types, i, &type) == ISA_OK);
        HOLDS(strlen(type) <= strlen(types));
        isa_free(type);
    }
    HOLDS(isa_encoding_copy_type(types, count + 1, &type) == ISA_ERR_NOT_FOUND);
    isa_call_check(types);
}

static void check_box(const char *types, size_t size, size_t align)
{
    isa_id box, text;
    void *value = aligned_alloc(align < 16 ? 16 : align, (size / 16 + 1) * 16);
    memset(value, 0, size);
    if (kvc_box((kvc_value){types, value}, &box) == ISA_OK) {
        if (kvc_copy_description(box, &text) == ISA_OK) isa_object_release(text);
        isa_object_release(box);
    }
    free(value);
}

static void told(const kvo_change *change, void *info)
{
    (void)change, (void)info;
}

static void check_object(isa_class cls)
{
    isa_id object, value;
    kvo_token token;
    const kvo_options all = KVO_OPTION_OLD | KVO_OPTION_NEW | KVO_OPTION_INITIAL;
    HOLDS(isa_object_allocate(cls, &object) == ISA_OK);
    isa_status status =
        kvo_observe(object, "x", all, &(kvo_function){told, NULL, NULL}, NULL, &token);
    if (kvc_copy_value(object, "x", &value) == ISA_OK) {
        kvc_set_value(object, "x", value);
        isa_object_release(value);
    }
    if (status == ISA_OK) kvo_token_release(token);
    isa_object_release(object);
}

static void check_property(const char *types, size_t size)
{
    isa_class cls;
    HOLDS(isa_class_pair_allocate(isa_root_class(), "Fuzzed", &cls) == ISA_OK);
    const isa_property_info info = {.name = "x", .types = types};
    if (isa_class_synthesize(cls, &info) == ISA_OK) {
        HOLDS(isa_ivar_size(isa_class_find_ivar(cls, "_x")) == size);
        HOLDS(isa_class_pair_register(cls) == ISA_OK);
        check_object(cls);
    }
    HOLDS(isa_class_pair_dispose(cls) == ISA_OK);
}

int LLVMFuzzerInitialize(int *count, char ***words)
{
    (void)count, (void)words;
    isa_set_misuse_handler(ignore_misuse, NULL);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *types = copy_text(bytes, size);
    size_t measured = 77, align = 78;
    const char *end = NULL;
    isa_live_counts before = isa_testing_live_counts();
    isa_status status = isa_encoding_measure(types, &measured, &align, &end);
    if (status != ISA_OK) HOLDS(measured == 77 && align == 78 && end == NULL);
    if (status != ISA_OK) HOLDS(isa_last_error()->reason[0] != '\0');
    check_types(types);
    if (status == ISA_OK && measured <= LARGEST && align <= 16) {
        HOLDS(align > 0 && (align & (align - 1)) == 0 && measured % align == 0);
        HOLDS(end > types && end <= types + strlen(types));
        types[end - types] = '\0';
        check_box(types, measured, align);
        check_property(types, measured);
    }
    has_left_nothing(before);
    free(types);
    return 0;
}
