// The Qt peer's models: one whose setters emit signals, one of bindable properties.
#ifndef PEER_QT_PERSON_H
#define PEER_QT_PERSON_H

#include <QAbstractListModel>
#include <QObject>
#include <QProperty>
#include <QSharedPointer>

#include <cstdint>

class SignalPerson : public QObject {
    Q_OBJECT

public:
    using Pointer = QSharedPointer<SignalPerson>;

    qint64 age() const { return _age; }
    qint64 weight() const { return _weight; }
    qint64 sum() const { return _age + _weight; }
    Pointer next() const { return _next; }

    void setAge(qint64 age)
    {
        _age = age;
        emit ageChanged(age);
    }

    void setWeight(qint64 weight)
    {
        _weight = weight;
        emit weightChanged(weight);
    }

    void setNext(const Pointer &next)
    {
        _next = next;
        emit nextChanged();
    }

signals:
    void ageChanged(qint64 age);
    void weightChanged(qint64 weight);
    void sumChanged();
    void nextChanged();

private:
    qint64 _age = 0;
    qint64 _weight = 0;
    Pointer _next;
};

// A QProperty that is set to the value that it has tells nobody, so properties begin at -1.
class PropertyPerson {
public:
    using Pointer = QSharedPointer<PropertyPerson>;

    QProperty<qint64> age{ -1 };
    QProperty<qint64> weight{ -1 };
    QProperty<Pointer> next;
};

// A list model over numbers.
class NumberModel : public QAbstractListModel {
    Q_OBJECT

public:
    int rowCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : int(_numbers.size());
    }

    QVariant data(const QModelIndex &index, int) const override
    {
        return QVariant::fromValue(_numbers.at(index.row()));
    }

    void append(qint64 number)
    {
        int row = int(_numbers.size());
        beginInsertRows({}, row, row);
        _numbers.append(number);
        endInsertRows();
    }

    // Past the model's notifications.
    void clear() { _numbers.clear(); }

private:
    QList<qint64> _numbers;
};

#endif
