import CScript

/// An item, by one subject's means.
protocol InventoryItem: AnyObject {
  init(_ number: Int64)
  var number: Int64 { get }
  var price: Int64 { get set }
  var quantity: Int64 { get set }
}

/// The inventory with those who observe it: document, window and list, which tell the office.
protocol ObservedInventory: AnyObject {
  associatedtype Item: InventoryItem
  init(_ office: UnsafeMutablePointer<office>)
  var items: [Item] { get }
  var discount: Int64 { get set }
  var total: Int64 { get }
  func insert(_ item: Item, at row: Int)
  func remove(at row: Int)
  /// Has observers catch up with the last edit that are not told at once.
  func settle()
}

extension ObservedInventory {
  func settle() {}
}

/// Edits an inventory, and undoes edits by what the document has noted.
final class InventoryProgram<Inventory: ObservedInventory>: Program {
  private let office = makeZeroed(CScript.office())
  private let inventory: Inventory

  init() { inventory = Inventory(office) }

  deinit {
    while office.pointee.undo.count > 0 {
      let record = undo_pop(&office.pointee.undo)
      if record.done == INVENTORY_REMOVE { releaseItem(of: record) }
    }
    office_free(office)
    office.deallocate()
  }

  func perform(_ operation: operation, on thread: Int) {
    let row = Int(operation.place), value = operation.value
    switch inventory_operation(operation.kind) {
    case INVENTORY_SET_PRICE: inventory.items[row].price = value
    case INVENTORY_SET_QUANTITY: inventory.items[row].quantity = value
    case INVENTORY_SET_DISCOUNT: inventory.discount = value
    case INVENTORY_INSERT: inventory.insert(Inventory.Item(value), at: row)
    case INVENTORY_REMOVE: inventory.remove(at: row)
    default: return undo()
    }
    inventory.settle()
  }

  private func undo() {
    let record = undo_pop(&office.pointee.undo)
    office.pointee.undo.is_undoing = true
    reverse(record)
    inventory.settle()
    office.pointee.undo.is_undoing = false
  }

  private func reverse(_ record: undo) {
    switch record.done {
    case INVENTORY_SET_PRICE: item(of: record).price = record.value
    case INVENTORY_SET_QUANTITY: item(of: record).quantity = record.value
    case INVENTORY_SET_DISCOUNT: inventory.discount = record.value
    case INVENTORY_INSERT: inventory.remove(at: Int(record.row))
    default:
      inventory.insert(item(of: record), at: Int(record.row))
      releaseItem(of: record)
    }
  }

  private func item(of record: undo) -> Inventory.Item {
    Unmanaged.fromOpaque(record.item).takeUnretainedValue()
  }

  private func releaseItem(of record: undo) {
    Unmanaged<Inventory.Item>.fromOpaque(record.item).release()
  }

  func write(to answer: UnsafeMutablePointer<answer>) {
    office_answer(office, inventory.total, answer)
    for item in inventory.items { answer_add_item(answer, item.number, item.price, item.quantity) }
  }
}

extension UnsafeMutablePointer<office> {
  /// The document's, of a price or a quantity that was set.
  func noteSet<Item: InventoryItem>(_ kind: inventory_operation, of item: Item, old: Int64) {
    office_note_set(self, kind, Unmanaged.passUnretained(item).toOpaque(), item.number, old)
  }

  /// The document's, of the discount that was set.
  func noteDiscount(old: Int64) { office_note_set(self, INVENTORY_SET_DISCOUNT, nil, -1, old) }

  /// The document's, of an item that came.
  func noteInsertion<Item: InventoryItem>(of item: Item, at row: Int) {
    let address = Unmanaged.passUnretained(item).toOpaque()
    _ = office_note_row(self, INVENTORY_INSERT, address, item.number, row)
  }

  /// The document's, of an item that went, which a record keeps alive.
  func noteRemoval<Item: InventoryItem>(of item: Item, at row: Int) {
    let reference = Unmanaged.passUnretained(item)
    if office_note_row(self, INVENTORY_REMOVE, reference.toOpaque(), item.number, row) {
      _ = reference.retain()
    }
  }
}
