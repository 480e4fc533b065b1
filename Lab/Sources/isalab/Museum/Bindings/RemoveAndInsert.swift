import IsaKVO
import IsaKVOBindings

extension Demonstration {
  /// A new order told as one removal and one insertion.
  static let removeAndInsert = Demonstration(name: "remove-insert") { isHere, acts in
    let items = [Item](letters: "ABCD")
    let view = RowsView(items, selecting: [items[1], items[3]])
    let controller = ArrayController<Item>()
    controller.content = items
    let list = ShufflingList(items)
    func told(_ change: ValueChange<[Item]>) {
      view.apply(change)
      let (rows, selected) = ("\(view.rows)", "\(view.selected)")
      let places: Places = ["kind": "\(change.kind)", "rows": rows, "selected": selected]
      acts.see(acts.say("demo.rows-selected", places))
    }
    let token =
      isHere
      ? controller.observe(\.arrangedObjects, options: [.old, .new]) { told($1) }
      : list.observe(\.arranged, options: [.old, .new]) { told($1) }
    acts.act(acts.say("demo.a-view")) {}
    acts.act(acts.say("demo.sort-backwards")) {
      if isHere {
        controller.sort = [.descending(\.name)]
      } else {
        list.show(items.reversed())
      }
    }
    acts.expect("expect rows == [D, C, B, A]", view.rows.map(\.name), ["D", "C", "B", "A"])
    acts.expect("expect selected == [B, D]", view.selected.map(\.name), ["B", "D"])
    token.invalidate()
  }
}

/// A list that knows insertions and removals only.
private final class ShufflingList: KVObject {
  private(set) var arranged: [Item] = []

  override class var keys: [KeyDeclaration] {
    [.key("arranged", \ShufflingList.arranged, notifiesAutomatically: false)]
  }

  convenience init(_ items: [Item]) {
    self.init()
    arranged = items
  }

  func show(_ items: [Item]) {
    replace(.removal, Array(arranged.indices), with: [])
    replace(.insertion, Array(items.indices), with: items)
  }

  private func replace(_ kind: ChangeKind, _ indexes: [Int], with items: [Item]) {
    willChange(kind, valuesAt: indexes, forKey: "arranged")
    arranged = items
    didChange(kind, valuesAt: indexes, forKey: "arranged")
  }
}
