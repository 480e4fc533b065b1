import IsaKVO
import IsaKVOBindings

/// A row of the lists in the museum.
final class Item: KVObject {
  @Dynamic var name = ""

  convenience init(_ name: String) {
    self.init()
    self.name = name
  }

  override var description: String { name }
}

extension [Item] {
  /// Items that have the letters as their names.
  init(letters: String) { self = letters.map { Item(String($0)) } }
}

/// A view of a list: it keeps rows of its own, which follow what it is told, and a selection, which
/// loses a row that leaves.
final class RowsView {
  private(set) var rows: [Item]
  private(set) var selected: [Item]

  init(_ rows: [Item], selecting selected: [Item]) {
    self.rows = rows
    self.selected = selected
  }

  func apply(_ change: ValueChange<[Item]>) {
    let indexes = change.indexes ?? [], new = change.newValue ?? []
    switch change.kind {
    case .removal: for index in indexes.reversed() { rows.remove(at: index) }
    case .insertion: for (index, item) in zip(indexes, new) { rows.insert(item, at: index) }
    case .replacement: for (index, item) in zip(indexes, new) { rows[index] = item }
    case .setting: rows = new
    }
    selected.removeAll { item in !rows.contains { $0 === item } }
  }
}
