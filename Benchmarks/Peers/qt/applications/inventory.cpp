// The inventory by Qt: signals that carry the value before as well, and a list model's rows. The
// setters emit what depends on them.
#include "objects.h"

namespace {

// Keeps the net sum, and notes what can be undone.
class Document : public QObject {
public:
    Document(Inventory &inventory, office &office) : _inventory(inventory), _office(office)
    {
        ItemModel *items = &inventory.items;
        connect(items, &ItemModel::rowsInserted, this,
                [this](const QModelIndex &, int row) { followInsertion(row); });
        connect(items, &ItemModel::rowsAboutToBeRemoved, this,
                [this](const QModelIndex &, int row) { followRemoval(row); });
        connect(&inventory, &Inventory::discountChanged, this, [this](qint64, qint64 before) {
            office_note_set(&_office, INVENTORY_SET_DISCOUNT, nullptr, -1, before);
        });
    }

private:
    Inventory &_inventory;
    office &_office;

    void begin(Item *item)
    {
        connect(item, &Item::priceChanged, this, [this, item](qint64, qint64 before) {
            office_note_set(&_office, INVENTORY_SET_PRICE, item, item->number(), before);
        });
        connect(item, &Item::quantityChanged, this, [this, item](qint64, qint64 before) {
            office_note_set(&_office, INVENTORY_SET_QUANTITY, item, item->number(), before);
        });
        connect(item, &Item::valueChanged, this, [this, item](qint64 value, qint64 before) {
            office_add(&_office, item->number(), before, value);
            _inventory.setNet(_inventory.net() + value - before);
        });
    }

    void followInsertion(int row)
    {
        Item *item = _inventory.items.item(row);
        begin(item);
        office_note_row(&_office, INVENTORY_INSERT, item, item->number(), size_t(row));
        _inventory.setNet(_inventory.net() + item->value());
    }

    void followRemoval(int row)
    {
        Item *item = _inventory.items.item(row);
        disconnect(item, nullptr, this, nullptr);
        office_note_row(&_office, INVENTORY_REMOVE, item, item->number(), size_t(row));
        _inventory.setNet(_inventory.net() - item->value());
    }
};

struct Desk {
    office around{};
    Inventory inventory;
    Document document{ inventory, around };

    Desk()
    {
        ItemModel *items = &inventory.items;
        QObject::connect(&inventory, &Inventory::totalChanged,
                         [this](qint64 total) { office_show_total(&around, total); });
        QObject::connect(items, &ItemModel::rowsInserted,
                         [this, items](const QModelIndex &, int row) {
                             office_insert_row(&around, size_t(row), items->item(row)->number());
                         });
        QObject::connect(items, &ItemModel::rowsRemoved, [this](const QModelIndex &, int row) {
            office_remove_row(&around, size_t(row));
        });
    }

    // An undo record owns the item that its removal took.
    ~Desk()
    {
        for (size_t i = 0; i < around.undo.count; i++)
            if (around.undo.records[i].done == INVENTORY_REMOVE)
                delete static_cast<Item *>(around.undo.records[i].item);
        office_free(&around);
    }

    void undo()
    {
        struct undo record = undo_pop(&around.undo);
        Item *item = static_cast<Item *>(record.item);
        around.undo.is_undoing = true;
        switch (record.done) {
        case INVENTORY_SET_PRICE: item->setPrice(record.value); break;
        case INVENTORY_SET_QUANTITY: item->setQuantity(record.value); break;
        case INVENTORY_SET_DISCOUNT: inventory.setDiscount(record.value); break;
        case INVENTORY_INSERT: delete inventory.items.take(int(record.row)); break;
        case INVENTORY_REMOVE: inventory.items.insert(int(record.row), item); break;
        case INVENTORY_UNDO: break;
        }
        around.undo.is_undoing = false;
    }
};

void *make()
{
    return new Desk;
}

void perform(void *context, unsigned, const operation *operation)
{
    Desk &desk = *static_cast<Desk *>(context);
    ItemModel &items = desk.inventory.items;
    int row = int(operation->place);
    qint64 value = operation->value;
    switch (inventory_operation(operation->kind)) {
    case INVENTORY_SET_PRICE: items.item(row)->setPrice(value); break;
    case INVENTORY_SET_QUANTITY: items.item(row)->setQuantity(value); break;
    case INVENTORY_SET_DISCOUNT: desk.inventory.setDiscount(value); break;
    case INVENTORY_INSERT: items.insert(row, new Item(value)); break;
    case INVENTORY_REMOVE: items.take(row); break;
    case INVENTORY_UNDO: desk.undo(); break;
    }
}

void say(void *context, answer *out)
{
    Desk &desk = *static_cast<Desk *>(context);
    office_answer(&desk.around, desk.inventory.total(), out);
    for (int row = 0; row < desk.inventory.items.rowCount(); row++) {
        const Item *item = desk.inventory.items.item(row);
        answer_add_item(out, item->number(), item->price(), item->quantity());
    }
}

void end(void *context)
{
    delete static_cast<Desk *>(context);
}

} // namespace

const application qt_inventory = { "inventory", make, perform, say, end, nullptr, nullptr, nullptr };
