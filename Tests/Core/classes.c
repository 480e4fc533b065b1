// The object model: class pairs, dispatch, synthesised properties, ownership, weak references,
// associated objects.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "scalars.h"

static int64_t seven(isa_id self, isa_sel sel)
{
    (void)self, (void)sel;
    return 7;
}

static int64_t eight(isa_id self, isa_sel sel)
{
    isa_imp above = isa_lookup_super(isa_object_get_class(self), sel);
    return above == NULL ? 0 : 1 + ((int64_t(*)(isa_id, isa_sel))above)(self, sel);
}

static int64_t send(isa_id object, isa_sel sel)
{
    return ISA_SEND(int64_t (*)(isa_id, isa_sel), object, sel);
}

static void check_dispatch(void)
{
    isa_class base, derived;
    isa_sel sel = isa_sel_register("number");
    must(isa_class_pair_allocate(isa_root_class(), "Base", &base));
    must(isa_class_add_method(base, sel, (isa_imp)seven, "q@:"));
    must(isa_class_pair_register(base));
    must(isa_class_pair_allocate(base, "Derived", &derived));
    must(isa_class_pair_register(derived));
    isa_id object = make_object(derived);
    CHECK(send(object, sel) == 7);
    CHECK(isa_class_add_method(derived, sel, (isa_imp)eight, "q@:") == ISA_OK);
    CHECK(send(object, sel) == 8);
    CHECK(isa_object_is_kind_of(object, base) && isa_object_responds_to(object, sel));
    CHECK(isa_class_pair_dispose(base) == ISA_ERR_IN_USE);
    isa_object_release(object);
    CHECK(isa_class_pair_dispose(derived) == ISA_OK);
    CHECK(isa_class_pair_dispose(base) == ISA_OK);
}

// More selectors than a page of a dispatch table has.
static void check_many_selectors(void)
{
    enum { COUNT = 3000 };
    isa_class cls;
    char name[32];
    must(isa_class_pair_allocate(isa_root_class(), "Many", &cls));
    for (int i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "selector%d", i);
        must(isa_class_add_method(cls, isa_sel_register(name), (isa_imp)seven, "q@:"));
    }
    must(isa_class_pair_register(cls));
    isa_id object = make_object(cls);
    int64_t sum = 0;
    for (int i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "selector%d", i);
        sum += send(object, isa_sel_find(name));
    }
    CHECK(sum == COUNT * 7);
    isa_object_release(object);
    CHECK(isa_class_pair_dispose(cls) == ISA_OK);
}

// A property of each scalar, one behind the other: what is put into one comes back, and not into
// its neighbours.
static void check_synthesis(void)
{
    size_t count;
    const isa_test_scalar *scalars = isa_test_scalars(&count);
    isa_class cls;
    char key[32];
    must(isa_class_pair_allocate(isa_root_class(), "Synthesised", &cls));
    for (size_t i = 0; i < count; i++) {
        const char *types = scalars[i].encoding[0] == '^' ? "^v" : scalars[i].encoding;
        snprintf(key, sizeof key, "key%zu", i);
        must(isa_class_synthesize(cls, &(isa_property_info){.name = key, .types = types}));
    }
    must(isa_class_pair_register(cls));
    isa_id object = make_object(cls);
    for (size_t i = 0; i < count; i++) {
        if (!scalars[i].is_integer && !scalars[i].is_float) continue;
        isa_id number, back;
        snprintf(key, sizeof key, "key%zu", i);
        must(kvc_number_make_integer(1, &number));
        CHECK(kvc_set_typed(object, key, "q", &(int64_t){1}, 8) == ISA_OK);
        int64_t read = 0;
        CHECK(kvc_get_typed(object, key, "q", &read, 8) == ISA_OK && read == 1);
        if (scalars[i].is_boxed) {
            CHECK(kvc_copy_value(object, key, &back) == ISA_OK && kvc_is_equal(back, number));
            isa_object_release(back);
        }
        isa_object_release(number);
    }
    isa_object_release(object);
    CHECK(isa_class_pair_dispose(cls) == ISA_OK);
}

static void check_ownership(void)
{
    isa_class cls;
    isa_id value, back;
    must(isa_class_pair_allocate(isa_root_class(), "Owner", &cls));
    must(isa_class_synthesize(cls, &(isa_property_info){.name = "kept", .types = "@",
                                                        .ownership = ISA_OWNERSHIP_RETAIN}));
    must(isa_class_synthesize(cls, &(isa_property_info){.name = "seen", .types = "@",
                                                        .ownership = ISA_OWNERSHIP_WEAK}));
    must(isa_class_pair_register(cls));
    isa_id owner = make_object(cls), owned = make_object(cls);
    isa_weak weak;
    must(isa_weak_init(&weak, owned));
    CHECK(kvc_set_value(owner, "kept", owned) == ISA_OK);
    CHECK(kvc_set_value(owner, "seen", owned) == ISA_OK);
    CHECK(isa_object_retain_count(owned) == 2);
    must(kvc_string_make("a text", &value));
    CHECK(isa_object_set_associated(owned, &weak, value, ISA_ASSOCIATION_RETAIN) == ISA_OK);
    isa_object_release(value);
    isa_object_release(owned);
    back = isa_object_copy_associated(owned, &weak);
    CHECK(back != NULL && strcmp(kvc_string_text(back), "a text") == 0);
    isa_object_release(back);
    CHECK(kvc_set_value(owner, "kept", NULL) == ISA_OK);
    CHECK(isa_weak_copy(&weak) == NULL);
    CHECK(kvc_copy_value(owner, "seen", &back) == ISA_OK && back == NULL);
    isa_weak_destroy(&weak);
    isa_object_release(owner);
    CHECK(isa_class_pair_dispose(cls) == ISA_OK);
}

void check_classes(void)
{
    check_dispatch();
    check_many_selectors();
    check_synthesis();
    check_ownership();
}
