import CScript

final class HandWrittenItem: InventoryItem {
  let number: Int64
  var price: Int64 {
    didSet {
      priceHandlers(oldValue)
      valueHandlers((oldValue * quantity, value))
    }
  }
  var quantity: Int64 {
    didSet {
      quantityHandlers(oldValue)
      valueHandlers((price * oldValue, value))
    }
  }
  var value: Int64 { price * quantity }

  var priceHandlers = Handlers<Int64>()
  var quantityHandlers = Handlers<Int64>()
  var valueHandlers = Handlers<(old: Int64, new: Int64)>()

  init(_ number: Int64) {
    self.number = number
    price = inventory_price(number)
    quantity = inventory_quantity(number)
  }
}

private final class Stock {
  private(set) var items: [HandWrittenItem] = []
  var net: Int64 = 0 { didSet { totalHandlers(total) } }
  var discount: Int64 = 0 {
    didSet {
      discountHandlers(oldValue)
      totalHandlers(total)
    }
  }
  var total: Int64 { net - discount }

  var totalHandlers = Handlers<Int64>()
  var discountHandlers = Handlers<Int64>()
  var insertionHandlers = Handlers<(item: HandWrittenItem, row: Int)>()
  var removalHandlers = Handlers<(item: HandWrittenItem, row: Int)>()

  func insert(_ item: HandWrittenItem, at row: Int) {
    items.insert(item, at: row)
    insertionHandlers((item, row))
  }

  func remove(at row: Int) {
    let item = items.remove(at: row)
    removalHandlers((item, row))
  }
}

/// The inventory by hand: a setter calls what depends on its property, and the list says which item
/// came or went.
final class HandWrittenInventory: ObservedInventory {
  private let stock = Stock()
  private let office: UnsafeMutablePointer<office>
  private var ids: [Int64: (price: Int, quantity: Int, value: Int)] = [:]

  var items: [HandWrittenItem] { stock.items }
  var total: Int64 { stock.total }
  var discount: Int64 {
    get { stock.discount }
    set { stock.discount = newValue }
  }

  init(_ office: UnsafeMutablePointer<office>) {
    self.office = office
    _ = stock.totalHandlers.add { office_show_total(office, $0) }
    _ = stock.discountHandlers.add { office.noteDiscount(old: $0) }
    _ = stock.insertionHandlers.add { office_insert_row(office, $0.row, $0.item.number) }
    _ = stock.removalHandlers.add { office_remove_row(office, $0.row) }
    _ = stock.insertionHandlers.add { [unowned self] in begin($0.item, $0.row) }
    _ = stock.removalHandlers.add { [unowned self] in end($0.item, $0.row) }
  }

  func insert(_ item: HandWrittenItem, at row: Int) { stock.insert(item, at: row) }
  func remove(at row: Int) { stock.remove(at: row) }

  private func begin(_ item: HandWrittenItem, _ row: Int) {
    ids[item.number] = observe(item)
    office.noteInsertion(of: item, at: row)
    stock.net += item.value
  }

  private func end(_ item: HandWrittenItem, _ row: Int) {
    if let ids = ids.removeValue(forKey: item.number) {
      item.priceHandlers.remove(ids.price)
      item.quantityHandlers.remove(ids.quantity)
      item.valueHandlers.remove(ids.value)
    }
    office.noteRemoval(of: item, at: row)
    stock.net -= item.value
  }

  private func observe(_ item: HandWrittenItem) -> (price: Int, quantity: Int, value: Int) {
    (
      price: item.priceHandlers.add { [office, unowned item] old in
        office.noteSet(INVENTORY_SET_PRICE, of: item, old: old)
      },
      quantity: item.quantityHandlers.add { [office, unowned item] old in
        office.noteSet(INVENTORY_SET_QUANTITY, of: item, old: old)
      },
      value: item.valueHandlers.add { [office, stock, number = item.number] change in
        office_add(office, number, change.old, change.new)
        stock.net += change.new - change.old
      }
    )
  }
}
