// Your own key-value observing. Split it into as many .c files as you like: all in this folder are
// built.
#include "student_kvo.h"

isa_status student_add(isa_id object, isa_id observer, const char *key_path, unsigned options,
                       void *context, student_tell tell)
{
    (void)object, (void)observer, (void)key_path, (void)options, (void)context, (void)tell;
    return ISA_ERR_UNSUPPORTED; // make a notifying class, swap the isa, remember whom to tell
}

isa_status student_remove(isa_id object, isa_id observer, const char *key_path)
{
    (void)object, (void)observer, (void)key_path;
    return ISA_ERR_NOT_FOUND; // forget whom to tell; with the last one the isa goes back
}
// @from 3

isa_status student_remove_context(isa_id object, isa_id observer, const char *key_path,
                                  void *context)
{
    (void)object, (void)observer, (void)key_path, (void)context;
    return ISA_ERR_NOT_FOUND;
}
// @from 6

isa_status student_depends(isa_class cls, const char *key, const char *const *key_paths,
                           size_t count)
{
    (void)cls, (void)key, (void)key_paths, (void)count;
    return ISA_ERR_UNSUPPORTED;
}
// @from 7

void student_will_change(isa_id object, const char *key, student_kind kind, size_t index)
{
    (void)object, (void)key, (void)kind, (void)index;
}

void student_did_change(isa_id object, const char *key, student_kind kind, size_t index)
{
    (void)object, (void)key, (void)kind, (void)index;
}
// @always
