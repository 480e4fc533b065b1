// A status that nobody looks at is warned of, unless the file says that it does not.
#include <isa.h>

void drop(isa_class cls, isa_id object);

void drop(isa_class cls, isa_id object)
{
    kvo_will_change(object, "age");
    isa_class_pair_register(cls);
    kvo_did_change(object, "age");
    kvo_remove_observer(object, object, "age");
}
