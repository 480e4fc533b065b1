#include "person.h"

struct person {
    struct isa_header header;
    _Alignas(8) int64_t age; // atomic; on i386 the compilers would align it to 4 bytes
    _Alignas(8) double height;
    isa_id name;
    isa_test_point position;
    isa_test_rect frame;
};

// ---- accessors ----------------------------------------------------------------------------------

static void set_age(isa_id self, isa_sel sel, int64_t age)
{
    (void)sel;
    __atomic_store_n(&((struct person *)self)->age, age, __ATOMIC_RELAXED);
}

static int64_t age_of(isa_id self, isa_sel sel)
{
    (void)sel;
    return __atomic_load_n(&((struct person *)self)->age, __ATOMIC_RELAXED);
}

static void set_height(isa_id self, isa_sel sel, double height)
{
    (void)sel;
    __atomic_store(&((struct person *)self)->height, &height, __ATOMIC_RELAXED);
}

static double height_of(isa_id self, isa_sel sel)
{
    (void)sel;
    _Alignas(8) double height;
    __atomic_load(&((struct person *)self)->height, &height, __ATOMIC_RELAXED);
    return height;
}

static void set_name(isa_id self, isa_sel sel, isa_id name)
{
    (void)sel;
    isa_object_retain(name);
    isa_object_release(__atomic_exchange_n(&((struct person *)self)->name, name, __ATOMIC_ACQ_REL));
}

static isa_id name_of(isa_id self, isa_sel sel)
{
    (void)sel;
    return __atomic_load_n(&((struct person *)self)->name, __ATOMIC_ACQUIRE);
}

static void set_position(isa_id self, isa_sel sel, isa_test_point position)
{
    (void)sel;
    ((struct person *)self)->position = position;
}

static isa_test_point position_of(isa_id self, isa_sel sel)
{
    (void)sel;
    return ((struct person *)self)->position;
}

static void set_frame(isa_id self, isa_sel sel, isa_test_rect frame)
{
    (void)sel;
    ((struct person *)self)->frame = frame;
}

static isa_test_rect frame_of(isa_id self, isa_sel sel)
{
    (void)sel;
    return ((struct person *)self)->frame;
}

// ---- the class ----------------------------------------------------------------------------------

// In the order of struct person.
static const struct key {
    const char *ivar, *types, *getter, *getter_types, *setter, *setter_types;
    isa_imp get, set;
    isa_ownership ownership;
} keys[] = {
    {"_age", "q", "age", "q@:", "setAge:", "v@:q", (isa_imp)age_of, (isa_imp)set_age,
     ISA_OWNERSHIP_NONE},
    {"_height", "d", "height", "d@:", "setHeight:", "v@:d", (isa_imp)height_of, (isa_imp)set_height,
     ISA_OWNERSHIP_NONE},
    {"_name", "@", "name", "@@:", "setName:", "v@:@", (isa_imp)name_of, (isa_imp)set_name,
     ISA_OWNERSHIP_RETAIN},
    {"_position", "{CGPoint=dd}", "position", "{CGPoint=dd}@:", "setPosition:",
     "v@:{CGPoint=dd}", (isa_imp)position_of, (isa_imp)set_position, ISA_OWNERSHIP_NONE},
    {"_frame", "{CGRect={CGPoint=dd}{CGPoint=dd}}", "frame",
     "{CGRect={CGPoint=dd}{CGPoint=dd}}@:", "setFrame:", "v@:{CGRect={CGPoint=dd}{CGPoint=dd}}",
     (isa_imp)frame_of, (isa_imp)set_frame, ISA_OWNERSHIP_NONE},
};

static isa_status add_key(isa_class cls, const struct key *key)
{
    isa_status status = isa_class_add_ivar(cls, key->ivar, key->types, key->ownership);
    if (status == ISA_OK)
        status = isa_class_add_method(cls, isa_sel_register(key->getter), key->get,
                                      key->getter_types);
    if (status == ISA_OK)
        status = isa_class_add_method(cls, isa_sel_register(key->setter), key->set,
                                      key->setter_types);
    return status;
}

isa_status isa_test_person_make(const char *name, isa_class *out)
{
    isa_status status = isa_class_pair_allocate(isa_root_class(), name, out);
    if (status != ISA_OK) return status;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && status == ISA_OK; i++)
        status = add_key(*out, &keys[i]);
    if (status == ISA_OK) status = isa_class_pair_register(*out);
    if (status != ISA_OK) isa_class_pair_dispose(*out);
    return status;
}

// ---- messages -----------------------------------------------------------------------------------

void isa_test_set_age(isa_id person, int64_t age)
{
    ISA_SEND(void (*)(isa_id, isa_sel, int64_t), person, isa_sel_register("setAge:"), age);
}

int64_t isa_test_age(isa_id person)
{
    return ISA_SEND(int64_t (*)(isa_id, isa_sel), person, isa_sel_register("age"));
}

void isa_test_set_height(isa_id person, double height)
{
    ISA_SEND(void (*)(isa_id, isa_sel, double), person, isa_sel_register("setHeight:"), height);
}

void isa_test_set_name(isa_id person, isa_id name)
{
    ISA_SEND(void (*)(isa_id, isa_sel, isa_id), person, isa_sel_register("setName:"), name);
}

isa_id isa_test_name(isa_id person)
{
    return ISA_SEND(isa_id (*)(isa_id, isa_sel), person, isa_sel_register("name"));
}

void isa_test_set_position(isa_id person, isa_test_point position)
{
    ISA_SEND(void (*)(isa_id, isa_sel, isa_test_point), person, isa_sel_register("setPosition:"),
             position);
}

void isa_test_set_frame(isa_id person, isa_test_rect frame)
{
    ISA_SEND(void (*)(isa_id, isa_sel, isa_test_rect), person, isa_sel_register("setFrame:"),
             frame);
}

void isa_test_poke_age(isa_id person, int64_t age)
{
    __atomic_store_n(&((struct person *)person)->age, age, __ATOMIC_RELAXED);
}
