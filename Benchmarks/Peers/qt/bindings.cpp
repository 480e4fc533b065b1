// Rows of bindings of QProperty: the age of a view is bound to that of a model, in one direction, since
// a property that is set has its binding ended.
#include "rows.h"

#include <cstring>

namespace {

struct BoundRow {
    PropertyPerson model, view;
    uint64_t set = 0;
    uint64_t sum = 0; // of the ages that were read
};

void bind(PropertyPerson &model, PropertyPerson &view)
{
    view.age.setBinding([&model] { return model.age.value(); });
}

paired_outcome set_up_nothing(const paired_workload *, void **context)
{
    *context = new BoundRow;
    return PAIRED_READY;
}

paired_outcome set_up_bound(const paired_workload *, void **context)
{
    auto *made = new BoundRow;
    *context = made;
    bind(made->model, made->view);
    return PAIRED_READY;
}

void set_bound(void *context, uint64_t count)
{
    BoundRow &self = row<BoundRow>(context);
    uint64_t first = self.set, end = first + count;
    for (uint64_t i = first; i < end; i++) {
        self.model.age = qint64(i);
        self.sum += uint64_t(self.view.age.value());
    }
    self.set = end;
}

bool check_bound(void *context, uint64_t count)
{
    return row<BoundRow>(context).sum == paired_sum(count);
}

void bind_and_unbind(void *context, uint64_t count)
{
    BoundRow &self = row<BoundRow>(context);
    for (uint64_t i = 0; i < count; i++) {
        bind(self.model, self.view);
        self.view.age.takeBinding();
    }
}

bool check_unbound(void *context, uint64_t)
{
    BoundRow &self = row<BoundRow>(context);
    self.model.age = 7;
    return self.view.age.value() == -1;
}

double bytes_per_binding(void *context)
{
    BoundRow &self = row<BoundRow>(context);
    std::vector<PropertyPerson> models(FRESH_COUNT), views(FRESH_COUNT);
    double before = paired_allocated_bytes();
    for (size_t i = 0; i < FRESH_COUNT; i++) bind(models[i], views[i]);
    double after = paired_allocated_bytes();
    for (size_t i = 0; i < FRESH_COUNT; i++) {
        models[i].age = 1;
        self.sum += uint64_t(views[i].age.value());
    }
    return (after - before) / FRESH_COUNT;
}

bool check_bytes(void *context, uint64_t count)
{
    return row<BoundRow>(context).sum == count * FRESH_COUNT;
}

// A row that is held against a set which one observer of the same subject hears.
paired_workload make_beside_set(const std::vector<paired_workload> &rows, const char *subject,
                                const char *name, const Functions &functions)
{
    static paired_workload set; // the harness keeps its address
    for (const paired_workload &row : rows)
        if (std::strcmp(row.subject, subject) == 0 &&
            std::strcmp(row.name, ROW_SET_ONE_OBSERVER) == 0)
            set = row;
    paired_workload made = make(subject, name, functions);
    made.rival = &set;
    return made;
}

} // namespace

void add_binding_rows(std::vector<paired_workload> &rows)
{
    const char *subject = "qt-property";
    void (*const end)(void *) = destroy<BoundRow>;
    const Functions bound{ set_up_bound, set_bound, check_bound, end };
    rows.push_back(make_beside_set(rows, subject, ROW_BIND_ONE_WAY, bound));
    rows.push_back(make(subject, ROW_BIND_ONE_WAY_IN_CALLS, bound));
    rows.push_back(make_beside_set(rows, subject, ROW_BIND_UNBIND,
                                   { set_up_nothing, bind_and_unbind, check_unbound, end }));
    rows.push_back(make_figure(subject, ROW_BYTES_PER_BINDING,
                               { set_up_nothing, nullptr, check_bytes, end }, bytes_per_binding));
}
