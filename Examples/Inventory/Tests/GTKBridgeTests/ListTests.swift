import CGtk
import GTKBridge
import IsaKVO
import IsaKVOBindings
import Testing

private final class Person: KVObject {
  @Dynamic var name: String

  init(_ name: String) {
    self.name = name
    super.init()
  }
}

/// A controller of people, and what GTK sees of it.
@MainActor
private struct Shown {
  let people = ArrayController<Person>()
  let adapter: SelectionAdapter<Person>

  init(_ names: String...) {
    people.content = names.map(Person.init)
    adapter = SelectionAdapter(people)
  }

  var count: Int { Int(adapter.model.with { g_list_model_get_n_items($0) }) }

  var rows: [GObjectRef] {
    (0..<count).map { index in
      GObjectRef(adopting: adapter.model.with { g_list_model_get_item($0, guint(index)) }!)
    }
  }

  var names: [String] { rows.compactMap { (ListModel.object(of: $0) as? Person)?.name } }

  var selected: [Int] {
    (0..<count).filter { index in
      adapter.model.with { gtk_selection_model_is_selected($0, guint(index)) } != 0
    }
  }
}

@MainActor
@Suite struct ListTests {
  @Test("a list model shows what a controller shows: sorted, filtered, added, removed")
  func rows() {
    let shown = Shown("Cora", "Ann", "Bob")
    #expect(shown.names == ["Cora", "Ann", "Bob"])
    shown.people.sort = [.ascending(\.name)]
    #expect(shown.names == ["Ann", "Bob", "Cora"])
    shown.people.filter = .containing(\.name, "o")
    #expect(shown.names == ["Bob", "Cora"])
    shown.people.filter = nil
    #expect(shown.names == ["Ann", "Bob", "Cora"])
    shown.people.add(Person("Abe"))
    shown.people.remove(atArranged: [1, 3])
    #expect(shown.names == ["Abe", "Bob"])
    shown.people.content = []
    #expect(shown.names.isEmpty && shown.count == 0)
  }

  @Test("BND-105: the rows that GTK sees agree with each items-changed that it is told")
  func told() {
    let shown = Shown("a", "b", "c", "d", "e", "f")
    var copy = shown.names
    shown.adapter.model.on("items-changed") { signal in
      let (position, removed, added) = (signal.int(1), signal.int(2), signal.int(3))
      copy.replaceSubrange(
        position..<(position + removed), with: shown.names[position..<(position + added)])
      #expect(copy == shown.names)
    }
    shown.people.filter = Filter { "ace".contains($0.name) }
    #expect(copy == ["a", "c", "e"])
    shown.people.sort = [.descending(\.name)]
    #expect(copy == ["e", "c", "a"])
    shown.people.filter = nil
    #expect(copy == ["f", "e", "d", "c", "b", "a"])
  }

  @Test("BND-109: an object has the same row for as long as it is shown")
  func sameRow() {
    let shown = Shown("a", "b", "c")
    let before = shown.rows
    shown.people.sort = [.descending(\.name)]
    #expect(shown.rows.map(\.identity) == before.reversed().map(\.identity))
  }

  @Test("BND-106: a selection outlasts the reversal of a list, although GTK forgets it")
  func reversal() {
    let shown = Shown("a", "b", "c")
    shown.people.select(1)
    #expect(shown.selected == [1])
    shown.people.sort = [.descending(\.name)]
    #expect(shown.people.selectionIndexes == [1] && shown.selected == [1])
  }

  @Test(
    "BND-107: what the user selects is selected in the controller, what the controller does is not")
  func selecting() {
    let shown = Shown("a", "b", "c")
    var told: [IndexList] = []
    let token = shown.people.observe(\.selectionIndexes) { people, _ in
      told.append(people.selectionIndexes)
    }
    shown.adapter.model.with { _ = gtk_selection_model_select_item($0, 2, 0) }
    #expect(shown.people.selectionIndexes == [0, 2])
    shown.people.select([0, 1])
    #expect(shown.selected == [0, 1] && told == [[0, 2], [0, 1]])
    token.invalidate()
  }

  @Test("a selection that an editor refuses goes back in GTK, too")
  func refused() {
    let shown = Shown("a", "b")
    let editor = Refusing()
    shown.people.objectDidBeginEditing(editor)
    shown.adapter.model.with { _ = gtk_selection_model_select_item($0, 1, 1) }
    #expect(shown.people.selectionIndexes == [0] && shown.selected == [0])
    shown.people.objectDidEndEditing(editor)
  }

  @Test("a model lets go of its objects with their rows")
  func ends() {
    weak var person: Person?
    do {
      let shown = Shown("a")
      person = shown.people.content[0]
      #expect(shown.count == 1 && person != nil)
    }
    #expect(person == nil)
  }
}

private final class Refusing: Editor {
  func commitEditing() throws(KeyValueError) { throw KeyValueError(.invalid, reason: "never") }
  func discardEditing() {}
}
