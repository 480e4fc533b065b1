// Rows of QProperty with onValueChanged, notifiers and bindings: the observer reads the new value.
#include "rows.h"

namespace {

struct AgeObserver {
    heard *ear;
    PropertyPerson *person;

    void operator()() const { hear(ear, person->age.value()); }
};

struct PropertyRow {
    PropertyPerson::Pointer person = PropertyPerson::Pointer::create();
    std::vector<PropertyPerson::Pointer> values;
    std::vector<heard> ears;
    std::vector<QPropertyChangeHandler<AgeObserver>> handlers;
    QProperty<qint64> bound{ -1 }; // to a path or a sum
    uint64_t set = 0;
    uint64_t failures = 0;

    explicit PropertyRow(size_t observers) : ears(observers)
    {
        for (int i = 1; i <= 2; i++) {
            values.push_back(PropertyPerson::Pointer::create());
            values.back()->age = i;
        }
    }
};

paired_outcome property_set_up(const paired_workload *self, void **context)
{
    auto *made = new PropertyRow(observer_count(self));
    *context = made;
    for (heard &ear : made->ears)
        made->handlers.push_back(
            made->person->age.onValueChanged(AgeObserver{ &ear, made->person.get() }));
    return PAIRED_READY;
}

void property_set(void *context, uint64_t count)
{
    PropertyRow &self = row<PropertyRow>(context);
    PropertyPerson *person = self.person.get();
    uint64_t first = self.set, end = first + count;
    for (uint64_t i = first; i < end; i++) person->age = qint64(i);
    self.set = end;
}

bool property_check(void *context, uint64_t count)
{
    PropertyRow &self = row<PropertyRow>(context);
    bool is_set = count == 0 || self.person->age.value() == qint64(count) - 1;
    return is_set && all_have_heard(self.ears.data(), self.ears.size(), count);
}

// A row's watcher besides its own handlers: a notifier that lives as long as the row.
struct WatchedRow : PropertyRow {
    QPropertyNotifier notifier;

    using PropertyRow::PropertyRow;
};

paired_outcome property_set_up_object(const paired_workload *, void **context)
{
    auto *made = new WatchedRow(1);
    *context = made;
    made->notifier = made->person->next.addNotifier(
        [made] { hear(&made->ears[0], made->person->next.value()->age.value()); });
    return PAIRED_READY;
}

void property_set_objects(void *context, uint64_t count)
{
    WatchedRow &self = row<WatchedRow>(context);
    uint64_t first = self.set, end = first + count;
    for (uint64_t i = first; i < end; i++) self.person->next = self.values[i % 2];
    self.set = end;
}

bool property_check_objects(void *context, uint64_t count)
{
    const heard &ear = row<WatchedRow>(context).ears[0];
    return ear.count == count && ear.sum == object_sum(count);
}

void property_add_remove(void *context, uint64_t count)
{
    PropertyRow &self = row<PropertyRow>(context);
    for (uint64_t i = 0; i < count; i++) {
        auto handler = self.person->age.onValueChanged([&self] { self.failures++; });
        Q_UNUSED(handler)
    }
}

bool property_check_add_remove(void *context, uint64_t)
{
    PropertyRow &self = row<PropertyRow>(context);
    self.person->age = 7;
    return self.failures == 0;
}

// bound = person.next.next.age; the person's next is one of two middles, each before a leaf.
paired_outcome property_set_up_path(const paired_workload *, void **context)
{
    auto *made = new WatchedRow(1);
    *context = made;
    for (int i = 0; i < 2; i++) {
        auto leaf = PropertyPerson::Pointer::create();
        leaf->age = i + 1;
        made->values[size_t(i)]->next = leaf;
    }
    made->person->next = made->values[1];
    made->bound.setBinding(
        [made] { return made->person->next.value()->next.value()->age.value(); });
    made->notifier = made->bound.addNotifier([made] { hear(&made->ears[0], made->bound.value()); });
    return PAIRED_READY;
}

void property_set_leaves(void *context, uint64_t count)
{
    WatchedRow &self = row<WatchedRow>(context);
    PropertyPerson *leaf = self.values[1]->next.value().get();
    uint64_t first = self.set, end = first + count;
    for (uint64_t i = first; i < end; i++) leaf->age = qint64(i);
    self.set = end;
}

bool property_check_leaves(void *context, uint64_t count)
{
    return has_heard(&row<WatchedRow>(context).ears[0], count);
}

paired_outcome property_set_up_sum(const paired_workload *, void **context)
{
    auto *made = new WatchedRow(1);
    *context = made;
    made->bound.setBinding(
        [made] { return made->person->age.value() + made->person->weight.value(); });
    made->notifier = made->bound.addNotifier([made] { made->ears[0].count++; });
    return PAIRED_READY;
}

// From where the last run ended: a value that stays is not told.
void property_set_sources(void *context, uint64_t count)
{
    WatchedRow &self = row<WatchedRow>(context);
    uint64_t first = self.set, end = first + count;
    for (uint64_t i = first; i < end; i++) {
        self.person->age = qint64(i);
        self.person->weight = qint64(i);
    }
    self.set = end;
}

bool property_check_sum(void *context, uint64_t count)
{
    return row<WatchedRow>(context).ears[0].count == 2 * count;
}

double property_bytes(void *context)
{
    PropertyRow &self = row<PropertyRow>(context);
    std::vector<PropertyPerson> persons(FRESH_COUNT);
    std::vector<QPropertyChangeHandler<AgeObserver>> handlers;
    handlers.reserve(FRESH_COUNT);
    double before = paired_allocated_bytes();
    for (PropertyPerson &person : persons)
        handlers.push_back(person.age.onValueChanged(AgeObserver{ &self.ears[0], &person }));
    double after = paired_allocated_bytes();
    for (PropertyPerson &person : persons) person.age = 1;
    // A handler is its owner's memory and not the heap's: counted as what it is.
    return (after - before) / FRESH_COUNT + double(sizeof handlers[0]);
}

bool property_check_bytes(void *context, uint64_t count)
{
    return row<PropertyRow>(context).ears[0].count == count * FRESH_COUNT;
}

} // namespace

void add_property_rows(std::vector<paired_workload> &rows)
{
    const char *subject = "qt-property";
    void (*const end)(void *) = destroy<PropertyRow>;
    void (*const end_watched)(void *) = destroy<WatchedRow>;
    add_set_rows(rows, subject, { property_set_up, property_set, property_check, end });
    rows.push_back(make(subject, ROW_SET_OBJECT_ONE_OBSERVER,
                        { property_set_up_object, property_set_objects, property_check_objects,
                          end_watched }));
    rows.push_back(make(subject, ROW_ADD_REMOVE,
                        { property_set_up, property_add_remove, property_check_add_remove, end }));
    rows.push_back(make(subject, ROW_PATH_LEAF,
                        { property_set_up_path, property_set_leaves, property_check_leaves,
                          end_watched }));
    rows.push_back(make(subject, ROW_PATH_INTERMEDIATE,
                        { property_set_up_path, property_set_objects, property_check_objects,
                          end_watched }));
    rows.push_back(make(subject, ROW_DEPENDENT,
                        { property_set_up_sum, property_set_sources, property_check_sum,
                          end_watched }));
    rows.back().operations = 2;
    Functions bytes{ nullptr, nullptr, property_check_bytes, end };
    bytes.setup = [](const paired_workload *, void **context) {
        *context = new PropertyRow(1);
        return PAIRED_READY;
    };
    rows.push_back(make_figure(subject, ROW_BYTES_PER_OBJECT, bytes, property_bytes));
}
