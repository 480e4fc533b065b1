// A class, a person and observers that sum up what they are told.
//
// One callback for each set of options, so that none tests for what it did not ask for: only the
// callback of prior notifications meets two kinds.
#include "stage.h"

#include <stdlib.h>
#include <string.h>

static uint64_t integer(kvc_value value)
{
    return (uint64_t)*(const int64_t *)value.address;
}

static void hear_both(const kvo_change *change, void *info)
{
    struct heard *heard = info;
    heard->count++;
    heard->sum += sum_of_both(integer(change->new_value), integer(change->old_value));
}

static void hear_new(const kvo_change *change, void *info)
{
    struct heard *heard = info;
    heard->count++;
    heard->sum += integer(change->new_value);
}

static void hear_old(const kvo_change *change, void *info)
{
    struct heard *heard = info;
    heard->count++;
    heard->sum += 2 * integer(change->old_value);
}

static void hear_count(const kvo_change *change, void *info)
{
    (void)change;
    ((struct heard *)info)->count++;
}

static void hear_any(const kvo_change *change, void *info)
{
    struct heard *heard = info;
    heard->count++;
    if (change->new_value.address != NULL) heard->sum += integer(change->new_value);
    if (change->old_value.address != NULL) heard->sum += 2 * integer(change->old_value);
}

static kvo_callback callback_for(uint32_t options)
{
    switch (options) {
    case 0: return hear_count;
    case KVO_OPTION_NEW: return hear_new;
    case KVO_OPTION_OLD: return hear_old;
    case BOTH: return hear_both;
    default: return hear_any;
    }
}

isa_status observe_into(struct heard *heard, isa_id object, const char *path, uint32_t options,
                        kvo_token *out)
{
    kvo_function function = { callback_for(options), heard, NULL };
    return kvo_observe(object, path, options, &function, NULL, out);
}

bool has_heard_in_turn(const struct heard *heard, uint32_t options, uint64_t count,
                       uint64_t objects)
{
    uint64_t times = (options & KVO_OPTION_PRIOR) != 0 ? 2 : 1;
    uint64_t news = (options & KVO_OPTION_NEW) != 0 ? paired_sum(count) : 0;
    uint64_t olds = 0;
    // The value that a set replaces was set as many sets ago as there are objects.
    if ((options & KVO_OPTION_OLD) != 0 && count > objects) olds = paired_sum(count - objects);
    uint64_t sum = sum_of_both(news, times * olds);
    if (heard->count == times * count && heard->sum == sum) return true;
    paired_reason("heard %llu changes instead of %llu, or other values than were set",
                  (unsigned long long)heard->count, (unsigned long long)(times * count));
    return false;
}

bool has_heard(const struct heard *heard, uint32_t options, uint64_t count)
{
    return has_heard_in_turn(heard, options, count, 1);
}

bool stage_has_heard(const struct stage *stage, uint64_t count)
{
    for (size_t i = 0; i < stage->count; i++)
        if (!has_heard(&stage->heard[i], stage->options, count)) return false;
    return true;
}

bool stage_open(struct stage *stage)
{
    stage->sel = model_selectors();
    stage->cls = model_make_person();
    if (stage->cls != NULL) stage->person = model_allocate(stage->cls);
    return stage->person != NULL;
}

bool stage_observe(struct stage *stage, isa_id object, const char *path, uint32_t options,
                   size_t count)
{
    stage->heard = calloc(count, sizeof *stage->heard);
    stage->tokens = calloc(count, sizeof *stage->tokens);
    stage->options = options;
    if (stage->heard == NULL || stage->tokens == NULL) return false;
    for (; stage->count < count; stage->count++) {
        size_t i = stage->count;
        isa_status status =
            observe_into(&stage->heard[i], object, path, options, &stage->tokens[i]);
        if (status == ISA_OK) continue;
        paired_reason("%s: observing %s", isa_last_error()->reason, path);
        return false;
    }
    return true;
}

isa_id stage_lead(struct stage *stage, size_t keys, row_path path)
{
    isa_id last = stage->person;
    char *end = path;
    for (size_t i = 1; i < keys; i++) {
        isa_id next = model_allocate(stage->cls);
        if (next == NULL) return NULL;
        ISA_SEND(set_object, last, stage->sel.set_next, next);
        isa_object_release(next);
        end = stpcpy(end, "next.");
        last = next;
    }
    strcpy(end, "age");
    return last;
}

void stage_close(struct stage *stage)
{
    // The object first: it takes its registrations along, all at once.
    isa_object_release(stage->person);
    for (size_t i = 0; i < stage->count; i++) kvo_token_release(stage->tokens[i]);
    free(stage->tokens);
    free(stage->heard);
    if (stage->cls != NULL) model_dispose(stage->cls);
    memset(stage, 0, sizeof *stage);
}

void stage_tear_down(void *stage)
{
    stage_close(stage);
    free(stage);
}
