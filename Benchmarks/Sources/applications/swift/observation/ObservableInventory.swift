import CScript
import Observation

@Observable
final class ObservableItem: InventoryItem {
  let number: Int64
  var price: Int64
  var quantity: Int64
  var value: Int64 { price * quantity }

  init(_ number: Int64) {
    self.number = number
    price = inventory_price(number)
    quantity = inventory_quantity(number)
  }
}

@Observable
private final class Stock {
  var items: [ObservableItem] = []
  var net: Int64 = 0
  var discount: Int64 = 0
  var total: Int64 { net - discount }
}

/// The inventory by Swift's Observation: trackers read anew after each edit, and look for the item
/// that came or went.
final class ObservableInventory: ObservedInventory {
  private let stock = Stock()
  private let stale = StaleTrackers()
  private let office: UnsafeMutablePointer<office>
  private var trackers: [Tracker] = []
  private var itemTrackers: [Int64: [Tracker]] = [:]

  var items: [ObservableItem] { stock.items }
  var total: Int64 { stock.total }
  var discount: Int64 {
    get { stock.discount }
    set { stock.discount = newValue }
  }

  init(_ office: UnsafeMutablePointer<office>) {
    self.office = office
    let stock = stock
    trackers = [
      Tracker(stale, { stock.total }) { office_show_total(office, $1) },
      Tracker(stale, { stock.discount }) { old, _ in office.noteDiscount(old: old) },
      Tracker(stale, { stock.items }) { [unowned self] in compare($0, $1) },
    ]
  }

  func insert(_ item: ObservableItem, at row: Int) { stock.items.insert(item, at: row) }
  func remove(at row: Int) { stock.items.remove(at: row) }
  func settle() { stale.catchUp() }

  /// The list and the document are told of the first row that differs.
  private func compare(_ old: [ObservableItem], _ new: [ObservableItem]) {
    let row = zip(old, new).enumerated().first { $1.0 !== $1.1 }?.offset
    if new.count > old.count {
      begin(new[row ?? old.count], row ?? old.count)
    } else {
      end(old[row ?? new.count], row ?? new.count)
    }
  }

  private func begin(_ item: ObservableItem, _ row: Int) {
    office_insert_row(office, row, item.number)
    office.noteInsertion(of: item, at: row)
    itemTrackers[item.number] = track(item)
    stock.net += item.value
  }

  private func end(_ item: ObservableItem, _ row: Int) {
    office_remove_row(office, row)
    office.noteRemoval(of: item, at: row)
    itemTrackers.removeValue(forKey: item.number)?.forEach { $0.end() }
    stock.net -= item.value
  }

  private func track(_ item: ObservableItem) -> [Tracker] {
    let (office, stock) = (office, stock)
    return [
      Tracker(stale, { [unowned item] in item.price }) { [unowned item] old, _ in
        office.noteSet(INVENTORY_SET_PRICE, of: item, old: old)
      },
      Tracker(stale, { [unowned item] in item.quantity }) { [unowned item] old, _ in
        office.noteSet(INVENTORY_SET_QUANTITY, of: item, old: old)
      },
      Tracker(stale, { [unowned item] in item.value }) { [number = item.number] old, new in
        office_add(office, number, old, new)
        stock.net += new - old
      },
    ]
  }
}
