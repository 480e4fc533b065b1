// Qt's rows, of two kinds: signals with direct connections to functors, under the subject qt-signal;
// QProperty with onValueChanged and bindings, under qt-property.
//
// A slot is handed the new value by its signal; an observer of a property reads it.
#include "../peer.h"
#include "person.h"

#include <memory>
#include <vector>

namespace {

// Casts of the harness's context to what the row's setup made.
template <typename Row> Row &row(void *context)
{
    return *static_cast<Row *>(context);
}

template <typename Row> void destroy(void *context)
{
    delete static_cast<Row *>(context);
}

size_t observer_count(const paired_workload *self)
{
    return self->data != nullptr ? *static_cast<const size_t *>(self->data) : 0;
}

uint64_t object_sum(uint64_t count)
{
    uint64_t olds = count > 0 ? alternating_sum(count - 1) : 0;
    return alternating_sum(count) + 2 * olds;
}

// ---- signals ------------------------------------------------------------------------------------

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
    double before = allocated_bytes();
    for (auto &person : persons)
        QObject::connect(person.get(), &SignalPerson::ageChanged,
                         [&self](qint64 age) { self.ears[0].count += uint64_t(age); });
    double after = allocated_bytes();
    for (auto &person : persons) person->setAge(1);
    return (after - before) / FRESH_COUNT;
}

bool signal_check_bytes(void *context, uint64_t count)
{
    return row<SignalRow>(context).ears[0].count == count * FRESH_COUNT;
}

// ---- properties ---------------------------------------------------------------------------------

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

// What a row watches besides its own handlers: a notifier that lives as long as the row.
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
    made->bound.setBinding([made] { return made->person->next.value()->next.value()->age.value(); });
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
    made->bound.setBinding([made] { return made->person->age.value() + made->person->weight.value(); });
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
    double before = allocated_bytes();
    for (PropertyPerson &person : persons)
        handlers.push_back(person.age.onValueChanged(AgeObserver{ &self.ears[0], &person }));
    double after = allocated_bytes();
    for (PropertyPerson &person : persons) person.age = 1;
    // A handler is its owner's memory and not the heap's: counted as what it is.
    return (after - before) / FRESH_COUNT + double(sizeof handlers[0]);
}

bool property_check_bytes(void *context, uint64_t count)
{
    return row<PropertyRow>(context).ears[0].count == count * FRESH_COUNT;
}

// ---- the rows -----------------------------------------------------------------------------------

struct Functions {
    paired_outcome (*setup)(const paired_workload *, void **);
    void (*run)(void *, uint64_t);
    bool (*check)(void *, uint64_t);
    void (*teardown)(void *);
};

const size_t counts[] = { 0, 1, 10, 100 };

paired_workload make(const char *subject, const char *name, const Functions &functions,
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

paired_workload make_figure(const char *subject, const Functions &functions,
                            double (*figure)(void *))
{
    paired_workload made = make(subject, ROW_BYTES_PER_OBJECT, functions, &counts[1]);
    made.unit = "bytes";
    made.most_samples = 3;
    made.figure = figure;
    return made;
}

void add_set_rows(std::vector<paired_workload> &rows, const char *subject, const Functions &set)
{
    const char *const names[] = { ROW_SET_UNOBSERVED, ROW_SET_ONE_OBSERVER, ROW_SET_TEN_OBSERVERS,
                                  ROW_SET_HUNDRED_OBSERVERS };
    for (size_t i = 0; i < 4; i++) rows.push_back(make(subject, names[i], set, &counts[i]));
}

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
    rows.push_back(make_figure(subject, bytes, signal_bytes));
}

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
    rows.push_back(make_figure(subject, bytes, property_bytes));
}

} // namespace

int main(int argc, char **argv)
{
    std::vector<paired_workload> rows;
    add_signal_rows(rows);
    add_property_rows(rows);
    return paired_main(rows.data(), rows.size(), argc, argv);
}
