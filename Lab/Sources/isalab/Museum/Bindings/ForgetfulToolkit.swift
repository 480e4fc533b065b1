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
      let (rows, selection) = ("\(controller.selectionIndexes)", "\(widget.selection)")
      acts.see(
        acts.say("demo.selections", ["what": word, "controller": rows, "widget": selection]))
    }
    let tokens = [
      controller.observe(\.selectionIndexes) { controller, _ in
        widget.select(controller.selectionIndexes)
        show(acts.say("demo.selection-told"))
      },
      controller.observe(\.arrangedObjects) { controller, change in
        let indexes = change.indexes ?? []
        widget.itemsChanged(indexes.first ?? 0, removed: indexes.count, added: indexes.count)
        show(acts.say("demo.rows-told"))
        guard isHere else { return }
        // The indexes are the same as before, of which nobody is told.
        widget.select(controller.selectionIndexes)
        show(acts.say("demo.pushed-again"))
      },
    ]
    acts.act(acts.say("demo.select-middle")) { controller.select(1) }
    acts.act(acts.say("demo.sort-backwards")) { controller.sort = [.descending(\.name)] }
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
