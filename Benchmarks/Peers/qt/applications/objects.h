// The Qt applications' classes: objects whose setters emit signals, and a list model.
#ifndef PEER_QT_OBJECTS_H
#define PEER_QT_OBJECTS_H

#include "parts.h"
#include "run.h"

#include <QAbstractListModel>
#include <QObject>

class Item : public QObject {
    Q_OBJECT
    Q_PROPERTY(qint64 price READ price WRITE setPrice NOTIFY priceChanged)
    Q_PROPERTY(qint64 quantity READ quantity WRITE setQuantity NOTIFY quantityChanged)
    Q_PROPERTY(qint64 value READ value NOTIFY valueChanged)

public:
    explicit Item(qint64 number)
        : _number(number), _price(inventory_price(number)), _quantity(inventory_quantity(number))
    {
    }

    qint64 number() const { return _number; }
    qint64 price() const { return _price; }
    qint64 quantity() const { return _quantity; }
    qint64 value() const { return _price * _quantity; }

    void setPrice(qint64 price)
    {
        if (price == _price) return;
        qint64 before = _price, valueBefore = value();
        _price = price;
        emit priceChanged(price, before);
        emit valueChanged(value(), valueBefore);
    }

    void setQuantity(qint64 quantity)
    {
        if (quantity == _quantity) return;
        qint64 before = _quantity, valueBefore = value();
        _quantity = quantity;
        emit quantityChanged(quantity, before);
        emit valueChanged(value(), valueBefore);
    }

signals:
    void priceChanged(qint64 price, qint64 before);
    void quantityChanged(qint64 quantity, qint64 before);
    void valueChanged(qint64 value, qint64 before);

private:
    qint64 _number;
    qint64 _price;
    qint64 _quantity;
};

// Owns its items.
class ItemModel : public QAbstractListModel {
    Q_OBJECT

public:
    ~ItemModel() override { qDeleteAll(_items); }

    int rowCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : int(_items.size());
    }

    QVariant data(const QModelIndex &index, int role) const override
    {
        return role == Qt::DisplayRole ? QVariant(_items.at(index.row())->value()) : QVariant();
    }

    Item *item(int row) const { return _items.at(row); }

    void insert(int row, Item *item)
    {
        beginInsertRows({}, row, row);
        _items.insert(row, item);
        endInsertRows();
    }

    // The caller owns the item then.
    Item *take(int row)
    {
        beginRemoveRows({}, row, row);
        Item *item = _items.takeAt(row);
        endRemoveRows();
        return item;
    }

private:
    QList<Item *> _items;
};

class Inventory : public QObject {
    Q_OBJECT
    Q_PROPERTY(qint64 net READ net WRITE setNet NOTIFY netChanged)
    Q_PROPERTY(qint64 discount READ discount WRITE setDiscount NOTIFY discountChanged)
    Q_PROPERTY(qint64 total READ total NOTIFY totalChanged)

public:
    ItemModel items;

    qint64 net() const { return _net; }
    qint64 discount() const { return _discount; }
    qint64 total() const { return _net - _discount; }

    void setNet(qint64 net)
    {
        if (net == _net) return;
        _net = net;
        emit netChanged(net);
        emit totalChanged(total());
    }

    void setDiscount(qint64 discount)
    {
        if (discount == _discount) return;
        qint64 before = _discount;
        _discount = discount;
        emit discountChanged(discount, before);
        emit totalChanged(total());
    }

signals:
    void netChanged(qint64 net);
    void discountChanged(qint64 discount, qint64 before);
    void totalChanged(qint64 total);

private:
    qint64 _net = 0;
    qint64 _discount = 0;
};

class Entry : public QObject {
    Q_OBJECT
    Q_PROPERTY(qint64 score READ score WRITE setScore NOTIFY scoreChanged)

public:
    qint64 score() const { return _score; }

    void setScore(qint64 score)
    {
        if (score == _score) return;
        _score = score;
        emit scoreChanged(score);
    }

signals:
    void scoreChanged(qint64 score);

private:
    qint64 _score = 0;
};

extern const application qt_inventory, qt_graph, qt_feed;

#endif
