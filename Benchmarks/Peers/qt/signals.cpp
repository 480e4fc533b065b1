// Rows of signals with direct connections to functors: the slot is handed the new value.
#include "rows.h"

namespace {

struct SignalRow {
    SignalPerson::Pointer person = SignalPerson::Pointer::create();
    std::vector<SignalPerson::Pointer> values;
    std::vector<heard> ears;
    NumberModel model;
    uint64_t set = 0;
    uint64_t failures = 0;

    explicit SignalRow(size_t observers) : ears(observers)
    {
        for (int i = 1; i <= 2; i++) {
            values.push_back(SignalPerson::Pointer::create());
            values.back()->setAge(i);
        }
    }
};

paired_outcome signal_set_up(const paired_workload *self, void **context)
{
    auto *made = new SignalRow(observer_count(self));
    *context = made;
    for (heard &ear : made->ears)
        QObject::connect(made->person.get(), &SignalPerson::ageChanged,
                         [&ear](qint64 age) { hear(&ear, age); });
    return PAIRED_READY;
}

void signal_set(void *context, uint64_t count)
{
    SignalRow &self = row<SignalRow>(context);
    SignalPerson *person = self.person.get();
    uint64_t first = self.set, end = first + count;
    for (uint64_t i = first; i < end; i++) person->setAge(qint64(i));
    self.set = end;
}

bool signal_check(void *context, uint64_t count)
{
    SignalRow &self = row<SignalRow>(context);
    bool is_set = count == 0 || self.person->age() == qint64(count) - 1;
    return is_set && all_have_heard(self.ears.data(), self.ears.size(), count);
}

paired_outcome signal_set_up_object(const paired_workload *, void **context)
{
    auto *made = new SignalRow(1);
    *context = made;
    QObject::connect(made->person.get(), &SignalPerson::nextChanged,
                     [made] { hear(&made->ears[0], made->person->next()->age()); });
    return PAIRED_READY;
}

void signal_set_objects(void *context, uint64_t count)
{
    SignalRow &self = row<SignalRow>(context);
    uint64_t first = self.set, end = first + count;
    for (uint64_t i = first; i < end; i++) self.person->setNext(self.values[i % 2]);
    self.set = end;
}

bool signal_check_objects(void *context, uint64_t count)
{
    const heard &ear = row<SignalRow>(context).ears[0];
    return ear.count == count && ear.sum == object_sum(count);
}

void signal_add_remove(void *context, uint64_t count)
{
    SignalRow &self = row<SignalRow>(context);
    for (uint64_t i = 0; i < count; i++) {
        auto connection = QObject::connect(self.person.get(), &SignalPerson::ageChanged,
                                           [&self](qint64) { self.failures++; });
        self.failures += !QObject::disconnect(connection);
    }
}

bool signal_check_add_remove(void *context, uint64_t)
{
    SignalRow &self = row<SignalRow>(context);
    self.person->setAge(7);
    return self.failures == 0;
}

paired_outcome signal_set_up_sum(const paired_workload *, void **context)
{
    auto *made = new SignalRow(1);
    *context = made;
    SignalPerson *person = made->person.get();
    QObject::connect(person, &SignalPerson::ageChanged, person, &SignalPerson::sumChanged);
    QObject::connect(person, &SignalPerson::weightChanged, person, &SignalPerson::sumChanged);
    QObject::connect(person, &SignalPerson::sumChanged, [made] { made->ears[0].count++; });
    return PAIRED_READY;
}

void signal_set_sources(void *context, uint64_t count)
{
    SignalRow &self = row<SignalRow>(context);
    for (uint64_t i = 0; i < count; i++) {
        self.person->setAge(qint64(i));
        self.person->setWeight(qint64(i));
    }
}

bool signal_check_sum(void *context, uint64_t count)
{
    return row<SignalRow>(context).ears[0].count == 2 * count;
}

paired_outcome model_set_up(const paired_workload *, void **context)
{
    auto *made = new SignalRow(1);
    *context = made;
    QObject::connect(&made->model, &QAbstractItemModel::rowsInserted,
                     [made](const QModelIndex &, int first, int) {
                         made->ears[0].count++;
                         made->ears[0].sum += uint64_t(first);
                     });
    return PAIRED_READY;
}

void model_insert(void *context, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) row<SignalRow>(context).model.append(qint64(i));
}

void model_clear(void *context, uint64_t count)
{
    SignalRow &self = row<SignalRow>(context);
    self.failures += uint64_t(self.model.rowCount()) != count;
    self.set += paired_sum(count);
    self.model.clear();
}

bool model_check(void *context, uint64_t count)
{
    SignalRow &self = row<SignalRow>(context);
    return self.failures == 0 && self.ears[0].count == count && self.ears[0].sum == self.set;
}

double signal_bytes(void *context)
{
    SignalRow &self = row<SignalRow>(context);
    std::vector<std::unique_ptr<SignalPerson>> persons(FRESH_COUNT);
    for (auto &person : persons) person = std::make_unique<SignalPerson>();
    double before = paired_allocated_bytes();
    for (auto &person : persons)
        QObject::connect(person.get(), &SignalPerson::ageChanged,
                         [&self](qint64 age) { self.ears[0].count += uint64_t(age); });
    double after = paired_allocated_bytes();
    for (auto &person : persons) person->setAge(1);
    return (after - before) / FRESH_COUNT;
}

bool signal_check_bytes(void *context, uint64_t count)
{
    return row<SignalRow>(context).ears[0].count == count * FRESH_COUNT;
}

} // namespace

void add_signal_rows(std::vector<paired_workload> &rows)
{
    const char *subject = "qt-signal";
    void (*const end)(void *) = destroy<SignalRow>;
    add_set_rows(rows, subject, { signal_set_up, signal_set, signal_check, end });
    rows.push_back(make(subject, ROW_SET_OBJECT_ONE_OBSERVER,
                        { signal_set_up_object, signal_set_objects, signal_check_objects, end }));
    rows.push_back(make(subject, ROW_ADD_REMOVE,
                        { signal_set_up, signal_add_remove, signal_check_add_remove, end }));
    rows.push_back(make(subject, ROW_DEPENDENT,
                        { signal_set_up_sum, signal_set_sources, signal_check_sum, end }));
    rows.back().operations = 2;
    rows.push_back(make(subject, ROW_ORDERED_INSERT,
                        { model_set_up, model_insert, model_check, end }));
    rows.back().finish = model_clear;
    rows.back().largest_count = 20000;
    Functions bytes{ nullptr, nullptr, signal_check_bytes, end };
    bytes.setup = [](const paired_workload *, void **context) {
        *context = new SignalRow(1);
        return PAIRED_READY;
    };
    rows.push_back(make_figure(subject, ROW_BYTES_PER_OBJECT, bytes, signal_bytes));
}
