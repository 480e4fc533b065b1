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
        let selected = "\(controller.selectedObjects)"
        acts.see(acts.say("demo.selected", ["kind": "\(change.kind)", "selected": selected]))
      }
      : list.observe(\.arranged) { list, change in
        let selected = "\(list.selectedObjects)"
        acts.see(acts.say("demo.selected", ["kind": "\(change.kind)", "selected": selected]))
      }
    acts.act(acts.say("demo.select-last")) {
      if isHere { controller.select(3) } else { list.selectionIndexes = [3] }
    }
    acts.act(acts.say("demo.show-before")) {
      if isHere {
        controller.filter = .where(\.name, <, "C")
      } else {
        list.arranged = items.filter { $0.name < "C" }
        list.selectionIndexes = [1]
      }
    }
    acts.expect(
      acts.say("demo.expect-shown"),
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
