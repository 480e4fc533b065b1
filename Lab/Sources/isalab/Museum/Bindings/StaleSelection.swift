import IsaKVO
import IsaKVOBindings

extension Demonstration {
  /// Rows and selection are two properties, set one after the other.
  static let staleSelection = Demonstration(name: "stale-selection") { isHere, acts in
    let items = [Item](letters: "ABCD")
    let controller = ArrayController<Item>()
    controller.content = items
    let list = StoredList(items)
    let token =
      isHere
      ? controller.observe(\.arrangedObjects) { controller, change in
        acts.see("\(change.kind): selected \(controller.selectedObjects)")
      }
      : list.observe(\.arranged) { list, change in
        acts.see("\(change.kind): selected \(list.selectedObjects)")
      }
    acts.act("A, B, C, D are shown; select the last") {
      if isHere { controller.select(3) } else { list.selectionIndexes = [3] }
    }
    acts.act("show those before C; an observer of the rows reads what is selected") {
      if isHere {
        controller.filter = .where(\.name, <, "C")
      } else {
        list.arranged = items.filter { $0.name < "C" }
        list.selectionIndexes = [1]
      }
    }
    acts.expect(
      "expect the selected row to be shown",
      isHere ? controller.selectedObjects.map(\.name) : list.selectedObjects.map(\.name), ["B"])
    token.invalidate()
  }
}

/// A list with each of its properties told by itself.
private final class StoredList: KVObject {
  @Dynamic var arranged: [Item] = []
  @Dynamic var selectionIndexes: [Int] = []
  var selectedObjects: [Item] { selectionIndexes.map { arranged[$0] } }

  convenience init(_ items: [Item]) {
    self.init()
    arranged = items
  }
}
