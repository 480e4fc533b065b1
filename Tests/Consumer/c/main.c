// Observes a property of a class made at run time, through the installed headers alone.
#include <kvo.h>
#include <stdio.h>

static void told(const kvo_change *change, void *info)
{
    *(int64_t *)info += *(const int64_t *)change->new_value.address;
}

int main(void)
{
    isa_class person;
    isa_id ann;
    kvo_token token;
    int64_t sum = 0;
    kvo_function observer = {told, &sum, NULL};
    isa_status status = isa_class_pair_allocate(isa_root_class(), "Person", &person);
    if (status == ISA_OK)
        status = isa_class_synthesize(person, &(isa_property_info){.name = "age", .types = "q"});
    if (status == ISA_OK) status = isa_class_pair_register(person);
    if (status == ISA_OK) status = isa_object_allocate(person, &ann);
    if (status == ISA_OK)
        status = kvo_observe(ann, "age", KVO_OPTION_NEW, &observer, NULL, &token);
    if (status != ISA_OK) return fprintf(stderr, "%s\n", isa_last_error()->reason);
    ISA_SEND(void (*)(isa_id, isa_sel, int64_t), ann, isa_sel_register("setAge:"), 40);
    kvo_token_release(token);
    ISA_SEND(void (*)(isa_id, isa_sel, int64_t), ann, isa_sel_register("setAge:"), 2);
    isa_object_release(ann);
    return printf("isakvo %s: %d\n", isa_version(), (int)sum) < 0;
}
