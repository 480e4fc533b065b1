// Each line that says so is refused by the compiler, in C and in C++, and no other line is. Their
// types differ, for a C++ compiler tells of one instance of a template once.
#include <isa.h>

struct unnamed { int x; };
union either { int x; float y; };

void each(isa_id object, isa_sel sel, struct unnamed place, union either either);

void each(isa_id object, isa_sel sel, struct unnamed place, union either either)
{
    int number = 40;
    const long constant = 40;
    const char *text = "forty";
    const void *address = text;
    short *shorts = NULL;
    isa_status status;
    status = KVC_SET(object, "age", number);
    status = KVC_SET(object, "age", constant);
    status = KVC_SET(object, "name", text);
    status = KVC_GET(object, "age", &number);
    status = ISA_SET(object, sel, address);
    status = ISA_GET(object, sel, &number);
    status = KVC_SET(object, "age", &number);   // refused
    status = KVC_SET(object, "age", &status);   // refused
    status = KVC_SET(object, "place", place);   // refused
    status = KVC_SET(object, "place", either);  // refused
    status = KVC_SET(object, "place", each);    // refused
    status = KVC_GET(object, "age", number);    // refused
    status = KVC_GET(object, "age", &constant); // refused
    status = KVC_GET(object, "name", &text);    // refused
    status = KVC_GET(object, "name", &address); // refused
    status = KVC_GET(object, "place", &shorts); // refused
    status = ISA_SET(object, sel, &text);       // refused
    status = ISA_SET(object, "setAge:", number); // refused
    status = ISA_GET(object, sel, &object);
    text = ISA_TYPE(const double);
    text = ISA_TYPE(double *);                  // refused
    text = ISA_TYPE(struct unnamed *);          // refused
    (void)status;
}
