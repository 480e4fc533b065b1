// The parts that most rows have: a class of their own, a person, observers, and what those have
// heard.
#ifndef ENGINE_STAGE_H
#define ENGINE_STAGE_H

#include "model.h"
#include "paired.h"
#include "paired_rows.h"

// The core is built in two ways, see Peers/build.sh.
#if !defined(ENGINE_SUBJECT)
#define ENGINE_SUBJECT "isakvo"
#endif
#define ISAKVO .subject = ENGINE_SUBJECT, .language = "C"
#define GROWTH(curve, axis, value) \
    .group = PAIRED_GROWTH, .series = curve, .x_name = axis, .x = value

enum { BOTH = KVO_OPTION_OLD | KVO_OPTION_NEW, LONGEST_PATH = 1024 };

// A path of a row.
typedef char row_path[LONGEST_PATH * sizeof "next."];

struct row_list {
    const paired_workload *rows;
    size_t count;
};

// The changes that one observer was told. `sum` has new values once and old ones twice, so that one
// addition keeps both, and neither can stand for the other.
struct heard {
    uint64_t count;
    uint64_t sum;
};

static inline uint64_t sum_of_both(uint64_t new_sum, uint64_t old_sum)
{
    return new_sum + 2 * old_sum;
}

struct stage {
    isa_class cls;
    isa_id person;
    struct model_selectors sel;
    uint64_t set; // how many values have been set: 0, 1, 2, …
    size_t count; // of observers
    uint32_t options;
    bool lacks_trace; // a run was not recorded
    struct heard *heard;
    kvo_token *tokens;
};

// A stage without observers; its class is wrapped as `wrapping` says by those that come.
bool stage_open(struct stage *stage);

// Adds `count` observers of `path` of `object`; once.
bool stage_observe(struct stage *stage, isa_id object, const char *path, uint32_t options,
                   size_t count);

// Lets the person lead to another one, that to a third, until a path from the person has so many
// keys, the last of them `age`, and writes it. Returns the last person, lent; NULL: no memory.
isa_id stage_lead(struct stage *stage, size_t keys, row_path path);

// Ends the observers, the person and the class.
void stage_close(struct stage *stage);

// `stage_close` and `free`, as a row's teardown.
void stage_tear_down(void *stage);

// Registers one function that keeps `heard`, the one for `options`.
isa_status observe_into(struct heard *heard, isa_id object, const char *path, uint32_t options,
                        kvo_token *out);

// Whether an observer with these options has heard of all of 0, 1, … count - 1, set in this order
// over a 0.
bool has_heard(const struct heard *heard, uint32_t options, uint64_t count);

// The same where the values went to so many objects in turn, each of which had a 0.
bool has_heard_in_turn(const struct heard *heard, uint32_t options, uint64_t count,
                       uint64_t objects);
bool stage_has_heard(const struct stage *stage, uint64_t count); // each of its observers

static inline void send_age(isa_id person, isa_sel set_age, int64_t age)
{
    ISA_SEND(set_integer, person, set_age, age);
}

struct row_list set_rows(void);
struct row_list ladder_rows(void);
struct row_list path_rows(void);
struct row_list to_many_rows(void);
struct row_list registration_rows(void);
struct row_list memory_rows(void);
struct row_list crowd_rows(void);
struct row_list key_rows(void);
struct row_list limit_rows(void);
struct row_list thread_rows(void);
struct row_list latency_rows(void);
struct row_list many_rows(void);

#endif
