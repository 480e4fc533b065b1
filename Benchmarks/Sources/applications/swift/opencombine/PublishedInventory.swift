import CScript
import OpenCombine

final class PublishedItem: InventoryItem {
  let number: Int64
  @OpenCombine.Published var price: Int64
  @OpenCombine.Published var quantity: Int64
  var value: Int64 { price * quantity }

  init(_ number: Int64) {
    self.number = number
    price = inventory_price(number)
    quantity = inventory_quantity(number)
  }
}

private final class Stock {
  private(set) var items: [PublishedItem] = []
  @OpenCombine.Published var net: Int64 = 0
  @OpenCombine.Published var discount: Int64 = 0
  var total: Int64 { net - discount }

  let insertions = PassthroughSubject<(item: PublishedItem, row: Int), Never>()
  let removals = PassthroughSubject<(item: PublishedItem, row: Int), Never>()

  func insert(_ item: PublishedItem, at row: Int) {
    items.insert(item, at: row)
    insertions.send((item, row))
  }

  func remove(at row: Int) {
    let item = items.remove(at: row)
    removals.send((item, row))
  }
}

/// The inventory by OpenCombine: published properties tell the new value before it is stored, the
/// list sends what came or went.
final class PublishedInventory: ObservedInventory {
  private let stock = Stock()
  private let office: UnsafeMutablePointer<office>
  private var sinks: [AnyCancellable] = []
  private var itemSinks: [Int64: [AnyCancellable]] = [:]

  var items: [PublishedItem] { stock.items }
  var total: Int64 { stock.total }
  var discount: Int64 {
    get { stock.discount }
    set { stock.discount = newValue }
  }

  init(_ office: UnsafeMutablePointer<office>) {
    self.office = office
    let stock = stock
    sinks = [
      stock.$net.dropFirst().sink { office_show_total(office, $0 - stock.discount) },
      stock.$discount.dropFirst().sink { office_show_total(office, stock.net - $0) },
      stock.$discount.sinkChanges { old, _ in office.noteDiscount(old: old) },
      stock.insertions.sink { office_insert_row(office, $0.row, $0.item.number) },
      stock.removals.sink { office_remove_row(office, $0.row) },
      stock.insertions.sink { [unowned self] in begin($0.item, $0.row) },
      stock.removals.sink { [unowned self] in end($0.item, $0.row) },
    ]
  }

  func insert(_ item: PublishedItem, at row: Int) { stock.insert(item, at: row) }
  func remove(at row: Int) { stock.remove(at: row) }

  private func begin(_ item: PublishedItem, _ row: Int) {
    itemSinks[item.number] = observe(item)
    office.noteInsertion(of: item, at: row)
    stock.net += item.value
  }

  private func end(_ item: PublishedItem, _ row: Int) {
    itemSinks[item.number] = nil
    office.noteRemoval(of: item, at: row)
    stock.net -= item.value
  }

  private func observe(_ item: PublishedItem) -> [AnyCancellable] {
    [
      item.$price.sinkChanges { [office, unowned item] old, _ in
        office.noteSet(INVENTORY_SET_PRICE, of: item, old: old)
      },
      item.$quantity.sinkChanges { [office, unowned item] old, _ in
        office.noteSet(INVENTORY_SET_QUANTITY, of: item, old: old)
      },
      item.$price.sinkChanges { [unowned self, unowned item] old, new in
        change(item, old * item.quantity, new * item.quantity)
      },
      item.$quantity.sinkChanges { [unowned self, unowned item] old, new in
        change(item, item.price * old, item.price * new)
      },
    ]
  }

  private func change(_ item: PublishedItem, _ old: Int64, _ new: Int64) {
    office_add(office, item.number, old, new)
    stock.net += new - old
  }
}
