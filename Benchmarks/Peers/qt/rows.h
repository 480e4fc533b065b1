// Code that Qt's two kinds of rows share.
#ifndef PEER_QT_ROWS_H
#define PEER_QT_ROWS_H

#include "../peer.h"
#include "person.h"

#include <memory>
#include <vector>

// Casts of the harness's context to what the row's setup made.
template <typename Row> Row &row(void *context)
{
    return *static_cast<Row *>(context);
}

template <typename Row> void destroy(void *context)
{
    delete static_cast<Row *>(context);
}

inline size_t observer_count(const paired_workload *self)
{
    return self->data != nullptr ? *static_cast<const size_t *>(self->data) : 0;
}

inline uint64_t object_sum(uint64_t count)
{
    uint64_t olds = count > 0 ? alternating_sum(count - 1) : 0;
    return alternating_sum(count) + 2 * olds;
}

struct Functions {
    paired_outcome (*setup)(const paired_workload *, void **);
    void (*run)(void *, uint64_t);
    bool (*check)(void *, uint64_t);
    void (*teardown)(void *);
};

inline const size_t counts[] = { 0, 1, 10, 100 };

inline paired_workload make(const char *subject, const char *name, const Functions &functions,
                     const size_t *observers = nullptr)
{
    paired_workload made{};
    made.name = name;
    made.subject = subject;
    made.language = "C++";
    made.data = observers;
    made.setup = functions.setup;
    made.run = functions.run;
    made.check = functions.check;
    made.teardown = functions.teardown;
    return made;
}

inline paired_workload make_figure(const char *subject, const char *name,
                                   const Functions &functions, double (*figure)(void *))
{
    paired_workload made = make(subject, name, functions, &counts[1]);
    made.unit = "bytes";
    made.most_samples = 3;
    made.figure = figure;
    return made;
}

inline void add_set_rows(std::vector<paired_workload> &rows, const char *subject,
                         const Functions &set)
{
    const char *const names[] = { ROW_SET_UNOBSERVED, ROW_SET_ONE_OBSERVER, ROW_SET_TEN_OBSERVERS,
                                  ROW_SET_HUNDRED_OBSERVERS };
    for (size_t i = 0; i < 4; i++) rows.push_back(make(subject, names[i], set, &counts[i]));
}

// The rows of signals, those of properties, and those of bindings.
void add_signal_rows(std::vector<paired_workload> &rows);
void add_property_rows(std::vector<paired_workload> &rows);
void add_binding_rows(std::vector<paired_workload> &rows);

#endif
