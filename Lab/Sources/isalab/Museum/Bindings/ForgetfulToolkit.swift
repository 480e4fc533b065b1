import IsaKVO
import IsaKVOBindings

extension Demonstration {
  /// A bridge that passes a selection on when it is told of another.
  static let forgetfulToolkit = Demonstration(name: "toolkit-selection") { isHere, acts in
    let controller = ArrayController<Item>()
    controller.content = [Item](letters: "ABC")
    let widget = ListWidget()
    widget.itemsChanged(0, removed: 0, added: 3)
    func show(_ word: String) {
      acts.see("\(word): controller \(controller.selectionIndexes), widget \(widget.selection)")
    }
    let tokens = [
      controller.observe(\.selectionIndexes) { controller, _ in
        widget.select(controller.selectionIndexes)
        show("selection told")
      },
      controller.observe(\.arrangedObjects) { controller, change in
        let indexes = change.indexes ?? []
        widget.itemsChanged(indexes.first ?? 0, removed: indexes.count, added: indexes.count)
        show("rows told")
        guard isHere else { return }
        // The indexes are the same as before, of which nobody is told.
        widget.select(controller.selectionIndexes)
        show("selection pushed again")
      },
    ]
    acts.act("select the middle one of A, B, C") { controller.select(1) }
    acts.act("sort backwards") { controller.sort = [.descending(\.name)] }
    acts.expect("expect controller.selection == [1]", Array(controller.selectionIndexes), [1])
    acts.expect("expect widget.selection == [1]", widget.selection, [1])
    for token in tokens { token.invalidate() }
  }
}

/// A list as toolkits have them: rows that are exchanged are new ones, which nobody has selected.
private final class ListWidget {
  private var isSelected: [Bool] = []

  var selection: [Int] { isSelected.indices.filter { isSelected[$0] } }

  func itemsChanged(_ position: Int, removed: Int, added: Int) {
    isSelected.replaceSubrange(
      position..<(position + removed), with: repeatElement(false, count: added))
  }

  func select(_ indexes: some Collection<Int>) {
    for index in isSelected.indices { isSelected[index] = indexes.contains(index) }
  }
}
