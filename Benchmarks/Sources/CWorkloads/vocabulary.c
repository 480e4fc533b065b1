// Classes with many keys, and their use. Accessors are synthesised: two trampolines a key.
#include "vocabulary.h"

#include <stdio.h>

static isa_status add_properties(isa_class cls, size_t index, struct pair *pairs)
{
    isa_status status = ISA_OK;
    for (size_t i = 0; i < KEYS_PER_CLASS && status == ISA_OK; i++) {
        char setter[32];
        isa_property_info property = { .name = pairs[i].key, .types = "q" };
        snprintf(pairs[i].key, sizeof pairs[i].key, "k%zuOf%zu", i, index);
        snprintf(setter, sizeof setter, "setK%zuOf%zu:", i, index);
        pairs[i].setter = isa_sel_register(setter);
        status = isa_class_synthesize(cls, &property);
    }
    return status;
}

static isa_status make_class(struct vocabulary *vocabulary, size_t index)
{
    static unsigned made;
    char name[32];
    isa_class *cls = &vocabulary->classes[index];
    snprintf(name, sizeof name, "Entry%u", ++made);
    isa_status status = isa_class_pair_allocate(isa_root_class(), name, cls);
    if (status == ISA_OK)
        status = add_properties(*cls, index, &vocabulary->pairs[index * KEYS_PER_CLASS]);
    return status == ISA_OK ? isa_class_pair_register(*cls) : status;
}

static isa_status observe(struct vocabulary *vocabulary, struct pair *pair)
{
    return observe_into(&vocabulary->heard, pair->watched, pair->key, BOTH, &pair->token);
}

static isa_status open_class(struct vocabulary *vocabulary, size_t index)
{
    struct pair *pairs = &vocabulary->pairs[index * KEYS_PER_CLASS];
    isa_id watched = NULL, plain = NULL;
    isa_status status = make_class(vocabulary, index);
    if (status == ISA_OK) status = isa_object_allocate(vocabulary->classes[index], &watched);
    if (status == ISA_OK) status = isa_object_allocate(vocabulary->classes[index], &plain);
    for (size_t i = 0; i < KEYS_PER_CLASS && status == ISA_OK; i++) {
        pairs[i].watched = watched;
        pairs[i].plain = plain;
        status = observe(vocabulary, &pairs[i]);
    }
    return status;
}

bool vocabulary_open(struct vocabulary *vocabulary)
{
    for (size_t i = 0; i < VOCABULARY_CLASS_COUNT; i++) {
        if (open_class(vocabulary, i) == ISA_OK) continue;
        paired_reason("a class of many keys: %s", isa_last_error()->reason);
        return false;
    }
    return true;
}

// ---- use ----------------------------------------------------------------------------------------

// Sets the key to 1 by message, then to 2 by key, and reads it.
static bool use(isa_id object, const struct pair *pair)
{
    int64_t two = 2, value = 0;
    const char *types = NULL;
    ISA_SEND(set_integer, object, pair->setter, 1);
    isa_status status = kvc_write(object, pair->key, (kvc_value){ "q", &two });
    if (status == ISA_OK) status = kvc_read(object, pair->key, &value, sizeof value, &types);
    if (status == ISA_OK && value == 2) return true;
    paired_reason("%s is %lld where 2 was written", pair->key, (long long)value);
    return false;
}

bool vocabulary_use(struct vocabulary *vocabulary)
{
    for (size_t i = 0; i < PAIR_COUNT; i++) {
        const struct pair *pair = &vocabulary->pairs[i];
        if (!use(pair->watched, pair) || !use(pair->plain, pair)) return false;
    }
    return true;
}

bool vocabulary_has_heard(const struct vocabulary *vocabulary)
{
    // Of each pair: 1 over 0, then 2 over 1.
    uint64_t sum = PAIR_COUNT * sum_of_both(1 + 2, 0 + 1);
    if (vocabulary->heard.count == 2 * PAIR_COUNT && vocabulary->heard.sum == sum) return true;
    paired_reason("observers of %d keys heard %llu changes instead of %d, or other values",
                  PAIR_COUNT, (unsigned long long)vocabulary->heard.count, 2 * PAIR_COUNT);
    return false;
}

bool vocabulary_close(struct vocabulary *vocabulary)
{
    bool is_gone = true;
    for (size_t i = 0; i < PAIR_COUNT; i++) kvo_token_release(vocabulary->pairs[i].token);
    for (size_t i = 0; i < VOCABULARY_CLASS_COUNT; i++) {
        isa_object_release(vocabulary->pairs[i * KEYS_PER_CLASS].watched);
        isa_object_release(vocabulary->pairs[i * KEYS_PER_CLASS].plain);
        if (vocabulary->classes[i] != NULL) is_gone &= model_dispose(vocabulary->classes[i]);
    }
    return is_gone;
}
