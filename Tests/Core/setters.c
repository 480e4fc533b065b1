// An observed property of every type that isa_test_types names, set by selector through a typed
// thunk, or through a libffi closure, and shown with old and new value.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "signatures.h"

enum { LARGEST = 8000 };

// The values that one observer has been shown.
struct shown {
    const isa_test_type *type;
    int initials, priors, changes;
    bool has_old, has_new, has_other_types;
    _Alignas(16) char old_value[LARGEST];
    _Alignas(16) char new_value[LARGEST];
};

static bool note(const struct shown *shown, kvc_value value, void *out)
{
    if (value.address == NULL) return false;
    memcpy(out, value.address, shown->type->size);
    return true;
}

static void told(const kvo_change *change, void *info)
{
    struct shown *shown = info;
    int *count = change->is_initial ? &shown->initials
                 : change->is_prior ? &shown->priors
                                    : &shown->changes;
    ++*count;
    shown->has_old = note(shown, change->old_value, shown->old_value);
    shown->has_new = note(shown, change->new_value, shown->new_value);
    if (change->new_value.address != NULL &&
        (strcmp(change->new_value.types, shown->type->encoding) != 0))
        shown->has_other_types = true;
}

// A class whose ivar `_value`, right behind the header, has the type, and so its accessors.
static isa_class make_class(const isa_test_type *type)
{
    char types[256] = "v@:";
    isa_class cls;
    must(isa_class_pair_allocate(isa_root_class(), "Typed", &cls));
    must(isa_class_add_ivar(cls, "_value", type->encoding, ISA_OWNERSHIP_NONE));
    strcat(types, type->encoding);
    must(isa_class_add_method(cls, isa_sel_register("setValue:"), type->set, types));
    strcpy(types, type->encoding);
    strcat(types, "@:");
    must(isa_class_add_method(cls, isa_sel_register("value"), type->get, types));
    must(isa_class_pair_register(cls));
    return cls;
}

static void set(const isa_test_type *type, isa_id object, unsigned seed, void *value)
{
    isa_sel sel = isa_sel_register("setValue:");
    type->fill(value, seed);
    type->call_set(isa_lookup(object, sel), object, sel, value);
}

static void check_sets(const isa_test_type *type, isa_id object, struct shown *shown, void *value)
{
    isa_sel getter = isa_sel_register("value");
    set(type, object, 2, value);
    CHECK(shown->priors == 1 && shown->changes == 1 && shown->has_old && shown->has_new);
    CHECK(type->equal(shown->new_value, value));
    set(type, object, 3, value);
    CHECK(shown->priors == 2 && shown->changes == 2);
    CHECK(type->equal(shown->new_value, value));
    type->fill(value, 2);
    CHECK(type->equal(shown->old_value, value));
    type->call_get(isa_lookup(object, getter), object, getter, shown->new_value);
    type->fill(value, 3);
    CHECK(type->equal(shown->new_value, value));
    CHECK(!shown->has_other_types);
}

// Whether libffi passes the type here: some of its ports have no complex numbers.
static bool is_passable(isa_class cls)
{
    isa_method setter = isa_class_find_method(cls, isa_sel_register("setValue:"));
    return isa_call_check(isa_method_types(setter)) == ISA_OK;
}

// Whether values of the type begin right behind the header, where get and set look for them: what
// is aligned to 16 bytes does not where a header has 8.
static bool is_in_place(isa_class cls)
{
    return isa_ivar_offset(isa_class_find_ivar(cls, "_value")) == sizeof(struct isa_header);
}

static bool is_object(const isa_test_type *type)
{
    return type->encoding[0] == '@' || type->encoding[0] == '#';
}

static void check_type(const isa_test_type *type, struct shown *shown, void *value)
{
    isa_class cls = make_class(type);
    kvo_token token;
    const kvo_options all =
        KVO_OPTION_OLD | KVO_OPTION_NEW | KVO_OPTION_PRIOR | KVO_OPTION_INITIAL;
    if (is_in_place(cls) && is_passable(cls) && !is_object(type)) {
        isa_id object = make_object(cls);
        *shown = (struct shown){.type = type};
        set(type, object, 1, value);
        CHECK(kvo_observe(object, "value", all, &(kvo_function){told, shown, NULL}, NULL,
                          &token) == ISA_OK);
        CHECK(isa_object_get_class(object) != cls);
        CHECK(shown->initials == 1 && shown->has_new && type->equal(shown->new_value, value));
        check_sets(type, object, shown, value);
        CHECK(kvo_token_invalidate(token));
        kvo_token_release(token);
        CHECK(isa_object_get_class(object) == cls);
        set(type, object, 4, value);
        CHECK(shown->changes == 2);
        isa_object_release(object);
    }
    CHECK(isa_class_pair_dispose(cls) == ISA_OK);
}

void check_setters(void)
{
    static const kvo_wrapping wrappings[] = {KVO_WRAP_AUTOMATIC, KVO_WRAP_LIBFFI};
    size_t count;
    const isa_test_type *types = isa_test_types(&count);
    struct shown *shown = calloc(1, sizeof *shown);
    void *value = calloc(1, LARGEST);
    for (size_t w = 0; w < 2; w++) {
        kvo_set_wrapping(wrappings[w]);
        for (size_t i = 0; i < count; i++) check_type(&types[i], shown, value);
    }
    kvo_set_wrapping(KVO_WRAP_AUTOMATIC);
    free(value);
    free(shown);
}
