import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .oneAtATime) struct SelectionTests {
  private func controller(_ selected: IndexList, _ names: String...) -> ArrayController<Person> {
    let controller = ArrayController(names.map { Person($0) })
    controller.select(selected)
    return controller
  }

  @Test("BND-78: an object that stays is selected at its new index")
  func staysSelected() {
    let controller = controller([1], "b", "a", "c")
    controller.sort = [.ascending(\.name)]
    #expect(controller.selectionIndexes == [0] && controller.selectedNames == ["a"])
    controller.insert(Person("0"), atArranged: 0)
    controller.selectsInsertedObjects = false
    controller.select(controller.content[1])
    controller.add(Person("1"))
    #expect(controller.selectedNames == ["a"] && controller.selectionIndexes == [2])
  }

  @Test("BND-79: the next object is selected where the selected one goes, or the last")
  func nextSelected() {
    let controller = controller([3], "0", "1", "2", "3", "4", "5")
    controller.remove(atArranged: 3)
    #expect(controller.selectedNames == ["4"])
    controller.remove(atArranged: [0, 3])
    #expect(controller.names == ["1", "2", "5"] && controller.selectedNames == ["5"])
    controller.removeSelected()
    #expect(controller.selectedNames == ["2"])
    controller.filter = .where(\.name, ==, "1")
    #expect(controller.selectionIndexes == [0] && controller.selectedNames == ["1"])
    controller.content = people("1", "1")
    #expect(controller.selectionIndexes == [0])
    controller.content = []
    #expect(controller.selectionIndexes == [])
  }

  @Test("BND-80: nothing is selected then if that may be")
  func emptySelection() {
    let controller = controller([1], "0", "1", "2")
    controller.avoidsEmptySelection = false
    controller.removeSelected()
    #expect(controller.selectionIndexes == [])
    controller.content = people("x")
    #expect(controller.selectionIndexes == [])
  }

  @Test("BND-81: of several the others stay; of all that go, the lowest index does")
  func severalSelected() {
    let controller = controller([2, 3, 5], "0", "1", "2", "3", "4", "5")
    controller.remove(atArranged: 3)
    #expect(controller.selectionIndexes == [2, 4])
    controller.select([2, 3, 4])
    controller.removeSelected()
    #expect(controller.names == ["0", "1"] && controller.selectionIndexes == [1])
  }

  @Test("BND-111: without preserving, insertions and removals shift the selection all the same")
  func shifts() {
    let controller = controller([1, 3], "a", "b", "c", "d", "e")
    controller.preservesSelection = false
    controller.selectsInsertedObjects = false
    controller.insert(Person("0"), atArranged: 1)
    #expect(controller.selectionIndexes == [2, 4] && controller.selectedNames == ["b", "d"])
    controller.remove(atArranged: 0)
    #expect(controller.selectionIndexes == [1, 3] && controller.selectedNames == ["b", "d"])
    controller.remove(atArranged: 1)
    #expect(controller.selectionIndexes == [2] && controller.selectedNames == ["d"])
    // By another order, and another content, they stay as numbers.
    controller.sort = [.descending(\.name)]
    #expect(controller.names == ["e", "d", "c", "0"])
    #expect(controller.selectionIndexes == [2] && controller.selectedNames == ["c"])
    controller.content = people("x", "y")
    #expect(controller.selectionIndexes == [0] && controller.selectedNames == ["y"])
  }

  @Test("BND-112: the next object is that of the new arrangement")
  func nextIsNew() {
    let controller = controller([3], "0", "1", "2", "3", "4", "5")
    // Less what went in front of it.
    controller.remove(atArranged: [0, 1, 3])
    #expect(controller.names == ["2", "4", "5"] && controller.selectedNames == ["4"])
    controller.content = ["0", "1", "2", "3", "4", "5"].map { Person($0) }
    controller.select([2, 4])
    controller.remove(atArranged: [1, 2, 4])
    #expect(controller.names == ["0", "3", "5"] && controller.selectedNames == ["3"])
    // After a filter the same index, clipped.
    controller.content = ["0", "1", "2", "3", "4", "5"].map { Person($0) }
    controller.select(2)
    controller.filter = .where(\.name, >, "2")
    #expect(controller.names == ["3", "4", "5"] && controller.selectedNames == ["5"])
    controller.filter = .where(\.name, <, "2")
    #expect(controller.names == ["0", "1"] && controller.selectedNames == ["1"])
    // After another content the first row.
    controller.content = ["a", "0", "1"].map { Person($0) }
    #expect(controller.names == ["0", "1"] && controller.selectedNames == ["0"])
  }

  @Test("BND-82: without preserving, indexes stay as numbers, and shift with insertions")
  func keepsIndexes() {
    let controller = controller([0, 2], "c", "b", "a")
    controller.preservesSelection = false
    controller.selectsInsertedObjects = false
    controller.sort = [.ascending(\.name)]
    #expect(controller.selectionIndexes == [0, 2] && controller.selectedNames == ["a", "c"])
    controller.add(Person("0"))
    #expect(controller.selectionIndexes == [1, 3] && controller.selectedNames == ["a", "c"])
    controller.content = people("x", "y")
    #expect(controller.selectionIndexes == [1])
    controller.content = people("z")
    #expect(controller.selectionIndexes == [0])
  }

  @Test("BND-83: the selection becomes what is inserted, or shifts")
  func selectsInserted() {
    let controller = controller([0, 1], "a", "b")
    controller.insert(Person("x"), atArranged: 0)
    #expect(controller.selectionIndexes == [0])
    controller.selectsInsertedObjects = false
    controller.insert(Person("y"), atArranged: 0)
    #expect(controller.selectionIndexes == [1] && controller.selectedNames == ["x"])
  }

  @Test("BND-84, BND-115: nothing may be selected by hand, until something changes")
  func selectsNothing() {
    let controller = controller([0], "a", "b")
    #expect(controller.select([]) && controller.selectionIndexes == [])
    controller.rearrange()
    controller.sort = [.ascending(\.name)]
    #expect(controller.selectionIndexes == [])
    controller.sort = [.descending(\.name)]
    #expect(controller.selectionIndexes == [0])
  }

  @Test("BND-85: indexes beyond the end are left out, and the caller's list is as it was")
  func clips() {
    let controller = controller([0], "a", "b"), indexes: IndexList = [7, 1, 2]
    controller.selectionIndexes = indexes
    #expect(controller.selectionIndexes == [1] && indexes == [1, 2, 7])
    #expect(controller.select(5) && controller.selectionIndex == nil)
  }

  @Test("BND-86: selecting answers whether it has changed something, and tells nothing if not")
  func answers() {
    let controller = controller([0], "a", "b"), told = Told(controller)
    #expect(!controller.select(0) && !controller.select([0, 4]))
    #expect(!controller.select(controller.content[0]))
    #expect(told.take() == [])
    #expect(controller.select([0, 1]))
    #expect(
      told.take() == [
        "selectedObjects setting: [a] to [a, b]", "selectionIndexes setting: [0] to [0, 1]",
      ])
  }

  @Test("BND-87: next and previous move the first index, and stop at the ends")
  func nextAndPrevious() {
    let controller = controller([], "a", "b", "c")
    let told = Told(controller, ["canSelectNext", "canSelectPrevious"])
    #expect(controller.canSelectNext && !controller.canSelectPrevious)
    #expect(controller.selectNext() && controller.selectionIndexes == [0])
    #expect(!controller.selectPrevious())
    controller.select([1, 2])
    #expect(told.take() == ["canSelectPrevious setting: false to true"])
    #expect(controller.selectNext() && controller.selectionIndexes == [2])
    #expect(!controller.canSelectNext && !controller.selectNext())
    #expect(told.take() == ["canSelectNext setting: true to false"])
    controller.selectsInsertedObjects = false
    controller.add(Person("d"))
    #expect(controller.canSelectNext)
    #expect(told.take() == ["canSelectNext setting: false to true"])
    #expect(controller.selectPrevious() && controller.selectionIndexes == [1])
  }

  @Test("BND-88: objects that are not shown are not selected")
  func selectsShown() {
    let controller = controller([0], "a", "b", "c"), all = controller.content
    controller.filter = .where(\.name, >, "a")
    controller.selectedObjects = [all[2], all[0], Person("d")]
    #expect(controller.selectedNames == ["c"])
    #expect(controller.select(all) && controller.selectedNames == ["b", "c"])
  }

  @Test("BND-125: indexes that are set before there is content are selected once it comes")
  func laterContent() {
    let controller = ArrayController<Person>()
    controller.selectionIndexes = [1, 9]
    #expect(controller.selectionIndexes == [])
    controller.content = people("a", "b", "c")
    #expect(controller.selectionIndexes == [1])
    controller.content = people("x", "y", "z")
    #expect(controller.selectionIndexes == [0])
  }

  @Test("BND-61: keys are read and set by name")
  func byName() throws {
    let controller = controller([0], "a", "b")
    try controller.setValue(IndexList(1), forKey: "selectionIndexes")
    #expect(try controller.value(forKey: "selectedObjects", as: [Person].self).map(\.name) == ["b"])
    #expect(try controller.value(forKeyPath: "arrangedObjects.@count", as: Int.self) == 2)
    #expect(try controller.value(forKey: "canRemove", as: Bool.self))
    try controller.setValue(people("x"), forKey: "content")
    #expect(controller.names == ["x"])
  }

  @Test("BND-121: an observer may change the controller in the middle of a change")
  func reentrancy() {
    let controller = controller([0], "d", "b", "c", "a")
    let told = Told(controller, [])
    var steps = 0
    let token = controller.observe(\.arrangedObjects) { controller, _ in
      steps += 1
      switch steps {
      case 1:
        controller.sort = [.descending(\.name)]
        #expect(controller.sort.count == 1)
      case 2:
        controller.add(Person("e"))
        #expect(controller.content.count == 5)
        controller.select(0)
      case 3: controller.filter = .where(\.name, !=, "c")
      default: break
      }
    }
    controller.sort = [.ascending(\.name)]
    token.invalidate()
    #expect(controller.names == ["e", "d", "b", "a"])
    withExtendedLifetime(told) {}
  }

  @Test(
    "BND-138: a selection that an observer changes while it is told is known to all in the end",
    arguments: ["selectedObjects", "selectionIndexes", "selectionIndex", "selection.name"])
  func changedWhileTold(key: String) throws {
    let controller = controller([1], "a", "b", "c"), all = controller.content
    let fields = [Field(), Field()]
    func bind(_ field: Field) throws {
      try field.bind("text", to: controller, withKeyPath: "selection.name")
      try field.bind("number", to: controller, withKeyPath: "selectedObjects.@count")
      try field.follow(\.title, of: controller, \.selectionIndex) { "\($0 ?? -1)" }
    }
    try bind(fields[0])
    var isFirst = true
    let token = try controller.observe(key, as: Any?.self) { controller, _ in
      if !isFirst { return }
      isFirst = false
      controller.content = all
      // Not shown yet: nothing is selected, and after that the first row.
      controller.select(all[1])
    }
    try bind(fields[1])
    controller.content = [all[0], all[2]]
    token.invalidate()
    #expect(controller.selectedNames == ["a"])
    for field in fields { #expect(field.text == "a" && field.number == 1 && field.title == "0") }
  }

  @Test("BND-121: observers that change the controller for ever are stopped, and it is reported")
  func endless() {
    let controller = controller([0], "a", "b")
    let told = Told(controller, [])
    KeyValueSettings.misuseHandler = { misuse in #expect(misuse.code == .tooDeep) }
    let token = controller.observe(\.arrangedObjects) { controller, _ in
      let isUp = controller.names.first == "a"
      controller.sort = isUp ? [.descending(\.name)] : [.ascending(\.name)]
    }
    controller.sort = [.descending(\.name)]
    token.invalidate()
    KeyValueSettings.misuseHandler = nil
    controller.sort = []
    #expect(controller.names == ["a", "b"])
    withExtendedLifetime(told) {}
  }
}
