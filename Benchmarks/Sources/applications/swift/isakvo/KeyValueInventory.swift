import CScript
import IsaKVO

final class KeyValueItem: KVObject, InventoryItem {
  let number: Int64
  @Dynamic var price: Int64
  @Dynamic var quantity: Int64
  var value: Int64 { price * quantity }

  init(_ number: Int64) {
    self.number = number
    price = inventory_price(number)
    quantity = inventory_quantity(number)
  }
}

private final class Stock: KVObject {
  @Dynamic var items: [KeyValueItem] = []
  @Dynamic var net: Int64 = 0
  @Dynamic var discount: Int64 = 0
  var total: Int64 { net - discount }
}

/// The inventory by this library: value and total are computed properties that are observed, the
/// list is changed through a mutable proxy.
final class KeyValueInventory: ObservedInventory {
  private let stock: Stock
  private let rows: ArrayProxy<KeyValueItem>
  private let office: UnsafeMutablePointer<office>
  private var observations: [KeyValueObservation] = []
  private var itemObservations: [Int64: [KeyValueObservation]] = [:]

  var items: [KeyValueItem] { stock.items }
  var total: Int64 { stock.total }
  var discount: Int64 {
    get { stock.discount }
    set { stock.discount = newValue }
  }

  init(_ office: UnsafeMutablePointer<office>) {
    let stock = Stock()
    (self.office, self.stock) = (office, stock)
    rows = stock.mutableArrayValue(for: \.items)
    observations = [observeTotal(), observeList(), observeDiscount(), observeItems()]
  }

  func insert(_ item: KeyValueItem, at row: Int) { rows.insert(item, at: row) }
  func remove(at row: Int) { rows.remove(at: row) }

  // MARK: The window and the list

  private func observeTotal() -> KeyValueObservation {
    stock.observe(\.total, options: .new) { [office] _, change in
      office_show_total(office, change.newValue ?? 0)
    }
  }

  private func observeList() -> KeyValueObservation {
    stock.observe(\.items, options: .new) { [office] _, change in
      guard let row = change.indexes?.first else { return }
      if change.kind == .insertion, let item = change.newValue?.first {
        office_insert_row(office, row, item.number)
      } else {
        office_remove_row(office, row)
      }
    }
  }

  // MARK: The document

  private func observeDiscount() -> KeyValueObservation {
    stock.observe(\.discount, options: .old) { [office] _, change in
      office.noteDiscount(old: change.oldValue ?? 0)
    }
  }

  private func observeItems() -> KeyValueObservation {
    stock.observe(\.items, options: [.old, .new]) { [unowned self] stock, change in
      guard let row = change.indexes?.first else { return }
      if change.kind == .insertion, let item = change.newValue?.first {
        begin(item, row)
      } else if let item = change.oldValue?.first {
        end(item, row)
      }
    }
  }

  private func begin(_ item: KeyValueItem, _ row: Int) {
    itemObservations[item.number] = observe(item)
    office.noteInsertion(of: item, at: row)
    stock.net += item.value
  }

  private func end(_ item: KeyValueItem, _ row: Int) {
    itemObservations[item.number] = nil
    office.noteRemoval(of: item, at: row)
    stock.net -= item.value
  }

  private func observe(_ item: KeyValueItem) -> [KeyValueObservation] {
    let (office, stock) = (office, stock)
    return [
      item.observe(\.price, options: .old) { item, change in
        office.noteSet(INVENTORY_SET_PRICE, of: item, old: change.oldValue ?? 0)
      },
      item.observe(\.quantity, options: .old) { item, change in
        office.noteSet(INVENTORY_SET_QUANTITY, of: item, old: change.oldValue ?? 0)
      },
      item.observe(\.value, options: [.old, .new]) { item, change in
        let (old, new) = (change.oldValue ?? 0, change.newValue ?? 0)
        office_add(office, item.number, old, new)
        stock.net += new - old
      },
    ]
  }
}
