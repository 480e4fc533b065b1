#include "observer.h"

#include <string.h>

// ---- tally --------------------------------------------------------------------------------------

static void add(int64_t *field, int64_t by)
{
    __atomic_fetch_add(field, by, __ATOMIC_ACQ_REL);
}

static int64_t read_field(const int64_t *field)
{
    return __atomic_load_n(field, __ATOMIC_ACQUIRE);
}

isa_test_tally isa_test_tally_read(const isa_test_tally *tally)
{
    return (isa_test_tally){.changes = read_field(&tally->changes),
                            .priors = read_field(&tally->priors),
                            .initials = read_field(&tally->initials),
                            .old_sum = read_field(&tally->old_sum),
                            .new_sum = read_field(&tally->new_sum),
                            .releases = read_field(&tally->releases),
                            .late = read_field(&tally->late),
                            .closed = read_field(&tally->closed)};
}

void isa_test_tally_close(isa_test_tally *tally)
{
    __atomic_store_n(&tally->closed, 1, __ATOMIC_SEQ_CST);
}

static int64_t number_of(kvc_value value)
{
    bool is_number = value.address != NULL && strcmp(value.types, "q") == 0;
    return is_number ? *(const int64_t *)value.address : 0;
}

void isa_test_tally_change(const kvo_change *change, void *info)
{
    isa_test_tally *tally = info;
    if (__atomic_load_n(&tally->closed, __ATOMIC_SEQ_CST)) add(&tally->late, 1);
    add(change->is_prior ? &tally->priors : change->is_initial ? &tally->initials : &tally->changes,
        1);
    add(&tally->old_sum, number_of(change->old_value));
    add(&tally->new_sum, number_of(change->new_value));
}

void isa_test_tally_release(void *tally)
{
    add(&((isa_test_tally *)tally)->releases, 1);
}

// ---- handles ------------------------------------------------------------------------------------

isa_test_handle isa_test_handle_read(const isa_test_handle *handle)
{
    return (isa_test_handle){.token = handle->token,
                             .told = read_field(&handle->told),
                             .unknown = read_field(&handle->unknown),
                             .ended = read_field(&handle->ended)};
}

void isa_test_handle_change(const kvo_change *change, void *info)
{
    (void)change;
    isa_test_handle *handle = info;
    if (handle->token == NULL) add(&handle->unknown, 1);
    else if (kvo_token_invalidate(handle->token)) add(&handle->ended, 1);
    add(&handle->told, 1);
}

// ---- observer objects ---------------------------------------------------------------------------

struct observer {
    struct isa_header header;
    kvo_function function;
};

static int64_t mismatches;

static void observe_value(isa_id self, isa_sel sel, const char *key_path, isa_id object,
                          const kvo_change *change, void *context)
{
    (void)sel;
    const struct observer *observer = (const struct observer *)self;
    if (strcmp(key_path, change->key_path) != 0 || object != change->object ||
        context != change->context)
        add(&mismatches, 1);
    if (observer->function.callback != NULL)
        observer->function.callback(change, observer->function.info);
}

static void dealloc_observer(isa_id self, isa_sel sel)
{
    (void)sel;
    const kvo_function *function = &((const struct observer *)self)->function;
    if (function->release != NULL) function->release(function->info);
}

isa_status isa_test_observer_make(const char *name, isa_class *out)
{
    isa_sel sel = isa_sel_register("observeValueForKeyPath:ofObject:change:context:");
    isa_status status = isa_class_pair_allocate(isa_root_class(), name, out);
    if (status != ISA_OK) return status;
    status = isa_class_add_ivar(*out, "_callback", "^?", ISA_OWNERSHIP_NONE);
    if (status == ISA_OK) status = isa_class_add_ivar(*out, "_info", "^v", ISA_OWNERSHIP_NONE);
    if (status == ISA_OK) status = isa_class_add_ivar(*out, "_release", "^?", ISA_OWNERSHIP_NONE);
    if (status == ISA_OK)
        status = isa_class_add_method(*out, isa_sel_register("dealloc"),
                                      (isa_imp)dealloc_observer, "v@:");
    if (status == ISA_OK)
        status = isa_class_add_method(*out, sel, (isa_imp)observe_value, "v@:*@^v^v");
    if (status == ISA_OK) status = isa_class_pair_register(*out);
    if (status != ISA_OK) isa_class_pair_dispose(*out);
    return status;
}

void isa_test_observer_set(isa_id object, const kvo_function *function)
{
    ((struct observer *)object)->function = *function;
}

int64_t isa_test_observer_mismatches(void)
{
    return read_field(&mismatches);
}
