import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .oneAtATime) struct ArrangementTests {
  @Test("BND-57: a fresh controller shows and selects nothing")
  func fresh() {
    let controller = ArrayController<Person>()
    #expect(controller.avoidsEmptySelection && controller.preservesSelection)
    #expect(controller.selectsInsertedObjects && controller.clearsFilterOnInsertion)
    #expect(controller.content.isEmpty && controller.arrangedObjects.isEmpty)
    #expect(controller.selectionIndexes == [] && controller.selectionIndex == nil)
    #expect(controller.sort.isEmpty && controller.filter == nil)
  }

  @Test("BND-58: what the filter lets through is sorted, equal ones in the order of the content")
  func arranges() {
    let controller = ArrayController(people("d", "a", "c", "b"))
    controller.content[3].age = 0
    controller.sort = [.ascending(\.age)]
    controller.filter = .where(\.name, !=, "c")
    #expect(controller.names == ["d", "b", "a"])
    controller.sort = [.ascending(\.age), .descending("name")]
    #expect(controller.names == ["d", "b", "a"])
    controller.sort = [.ascending(\.age), .ascending("name")]
    #expect(controller.names == ["b", "d", "a"])
  }

  @Test("BND-59: a removal, a replacement where the order differs, an insertion, if any")
  func steps() {
    let controller = ArrayController(people("a", "b", "c", "d"))
    let told = Told(controller, ["arrangedObjects"])
    controller.sort = [.descending(\.name)]
    #expect(told.take() == ["arrangedObjects replacement [0, 1, 2, 3]"])
    controller.filter = .where(\.age, <, 2)
    #expect(told.take() == ["arrangedObjects removal [0, 1]"])
    let all = controller.content
    controller.content = [all[2], all[0], Person("x", 1), all[1]]
    #expect(told.take() == ["arrangedObjects insertion [0]"])
    controller.content = [Person("e", 1), all[0], all[1]]
    #expect(told.take() == ["arrangedObjects removal [0]", "arrangedObjects insertion [0]"])
    controller.sort = []
    #expect(controller.names == ["e", "a", "b"])
    #expect(told.take() == ["arrangedObjects replacement [1, 2]"])
  }

  @Test("BND-60: a change of order is a replacement, and no row is gone in between")
  func permutation() {
    let controller = ArrayController(people("a", "b", "c", "d"))
    controller.select([1, 3])
    let told = Told(controller, ["arrangedObjects", "selectedObjects"])
    var selected: [[String]] = []
    let tokens = [ObservationOptions([]), .prior].map {
      controller.observe(\.arrangedObjects, options: $0) { controller, change in
        #expect(controller.arrangedObjects.count == 4 && change.kind == .replacement)
        selected.append(controller.selectedNames.sorted())
      }
    }
    controller.sort = [.descending(\.name)]
    #expect(told.take().first == "arrangedObjects replacement [0, 1, 2, 3]")
    controller.content[2].age = 9
    controller.sort = [.ascending(\.age), .ascending("name")]
    #expect(controller.names == ["a", "b", "d", "c"])
    controller.sort = [.ascending(\.name)]
    // Rows that stay in their places are left out.
    #expect(told.take().last == "arrangedObjects replacement [2, 3]")
    #expect(selected.count == 9 && selected.allSatisfy { $0 == ["b", "d"] })
    withExtendedLifetime(tokens) {}
  }

  @Test("BND-63: an operation tells each key of the selection at most once, at its end")
  func once() {
    let controller = ArrayController(people("a", "b", "c", "d"))
    controller.select([1, 2])
    let told = Told(controller)
    func kinds(_ change: () -> Void) -> [String] {
      change()
      return told.take().map { String($0.prefix { $0 != ":" }) }
    }
    // An observed setting of the content, the filter and the selection tells 4, 3 and 2 keys.
    #expect(
      kinds { controller.content = people("x", "y") } == [
        "content setting", "arrangedObjects removal [0, 1, 2, 3]",
        "arrangedObjects insertion [0, 1]", "selectedObjects setting", "selectionIndexes setting",
      ])
    #expect(
      kinds { controller.filter = .where(\.name, ==, "y") } == [
        "arrangedObjects removal [0]", "selectedObjects setting",
      ])
    #expect(
      kinds { controller.filter = nil } == [
        "arrangedObjects insertion [0]", "selectionIndexes setting",
      ])
    #expect(
      kinds { controller.select(0) } == ["selectedObjects setting", "selectionIndexes setting"])
    #expect(kinds { controller.select(0) } == [])
  }

  @Test("BND-64: the old values told are those of before the operation")
  func oldValues() {
    let controller = ArrayController(people("a", "b", "c"))
    controller.select([0, 2])
    let told = Told(controller, ["content", "selectionIndexes", "selectedObjects"])
    controller.content = [controller.content[1]] + people("x")
    #expect(
      told.take() == [
        "content setting: [a, b, c] to [b, x]", "selectedObjects setting: [a, c] to [b]",
        "selectionIndexes setting: [0, 2] to [0]",
      ])
    controller.filter = .where(\.name, ==, "x")
    #expect(told.take() == ["selectedObjects setting: [b] to [x]"])
    controller.removeSelected()
    #expect(
      told.take() == [
        "content removal [1]", "selectedObjects setting: [x] to []",
        "selectionIndexes setting: [0] to []",
      ])
  }

  @Test("BND-62: the selection is told once, at the end, with the one before")
  func selection() {
    let controller = ArrayController(people("a", "b", "c", "d"))
    controller.select(3)
    let told = Told(controller)
    let kept = controller.observe(\.arrangedObjects) { controller, _ in
      #expect(controller.selectedNames == ["d"])
    }
    controller.filter = .where(\.age, >, 1)
    #expect(
      told.take() == [
        "arrangedObjects removal [0, 1]", "selectionIndexes setting: [3] to [1]",
      ])
    controller.sort = [.descending(\.name)]
    #expect(
      told.take() == [
        "arrangedObjects replacement [0, 1]", "selectionIndexes setting: [1] to [0]",
      ])
    kept.invalidate()
    controller.content = people("x", "y")
    #expect(
      told.take() == [
        "content setting: [a, b, c, d] to [x, y]", "arrangedObjects removal [0, 1]",
        "selectedObjects setting: [d] to []", "selectionIndexes setting: [0] to []",
      ])
    controller.filter = nil
    #expect(
      told.take() == [
        "arrangedObjects insertion [0, 1]", "selectedObjects setting: [] to [y]",
        "selectionIndexes setting: [] to [0]",
      ])
    controller.select(1)
    #expect(
      told.take() == [
        "selectedObjects setting: [y] to [x]", "selectionIndexes setting: [0] to [1]",
      ])
  }

  @Test("BND-65: what is added goes to the end of the content, and is shown at its place")
  func adds() {
    let controller = ArrayController(people("b", "d"))
    let told = Told(controller)
    controller.add(Person("a"))
    #expect(controller.names == ["b", "d", "a"])
    #expect(
      told.take() == [
        "content insertion [2]", "arrangedObjects insertion [2]",
        "selectedObjects setting: [b] to [a]", "selectionIndexes setting: [0] to [2]",
      ])
    controller.sort = [.ascending(\.name)]
    controller.add(contentsOf: people("c", "e", "a"))
    #expect(controller.names == ["a", "a", "b", "c", "d", "e"])
    #expect(controller.selectionIndexes == [1, 3, 5])
    #expect(controller.content.map(\.name) == ["b", "d", "a", "c", "e", "a"])
    controller.clearsFilterOnInsertion = false
    controller.filter = .where(\.name, <, "c")
    _ = told.take()
    controller.add(Person("x"))
    #expect(controller.names == ["a", "a", "b"])
    #expect(told.take() == ["content insertion [6]"])
  }

  @Test("BND-65: adding clears the filter first, told once, and not at all if there is none")
  func clearsFilter() {
    let controller = ArrayController(people("b", "d", "c"))
    controller.filter = .where(\.name, <, "c")
    var filters = 0
    let filter = controller.observe(\.filter) { _, _ in filters += 1 }
    let told = Told(controller, ["content", "arrangedObjects"])
    controller.add(Person("x"))
    #expect(controller.filter == nil && filters == 1)
    #expect(told.take() == ["content insertion [3]", "arrangedObjects insertion [1, 2, 3]"])
    #expect(controller.selectedNames == ["x"])
    controller.add(Person("y"))
    #expect(filters == 1)
    filter.invalidate()
  }

  @Test("BND-66: what is inserted at a row is shown there until the next rearrangement")
  func insertsAtRow() {
    let controller = ArrayController(people("a", "b", "c"))
    controller.insert(Person("x"), atArranged: 1)
    #expect(controller.names == ["a", "x", "b", "c"])
    #expect(controller.content.map(\.name) == ["a", "x", "b", "c"])
    #expect(controller.selectedNames == ["x"])
    controller.sort = [.ascending(\.name)]
    controller.insert(Person("z"), atArranged: 1)
    #expect(controller.names == ["a", "z", "b", "c", "x"])
    #expect(controller.content.map(\.name) == ["a", "x", "b", "c", "z"])
    controller.add(Person("d"))
    #expect(controller.names == ["a", "z", "b", "c", "d", "x"])
    controller.rearrange()
    #expect(controller.names == ["a", "b", "c", "d", "x", "z"])
    controller.insert(Person("end"), atArranged: 99)
    #expect(controller.names.last == "end")
  }

  @Test("a row that is no index stops the process with a sentence")
  func negativeIndex() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ArrayController(people("a")).insert(Person("b"), atArranged: -1)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("IndexList: -1 is no index"))
  }

  @Test("BND-67: another content keeps the filter")
  func keepsFilter() {
    let controller = ArrayController(people("a", "b"))
    controller.filter = .where(\.name, ==, "b")
    controller.content = people("b", "c", "b")
    #expect(controller.filter != nil && controller.names == ["b", "b"])
  }

  @Test("BND-69: of an object that the content has twice, the occurrence is removed that is shown")
  func removesShownOccurrence() {
    let one = Person("1"), two = Person("2"), three = Person("3")
    let controller = ArrayController([one, two, one, three, one])
    controller.remove(atArranged: 2)
    #expect(isSame(controller.content, [one, two, three, one]))
    controller.sort = [.descending(\.name)]
    #expect(isSame(controller.arrangedObjects, [three, two, one, one]))
    // The last row is the last of the content that are equal there.
    controller.remove(atArranged: 3)
    #expect(isSame(controller.content, [one, two, three]))
    #expect(isSame(controller.arrangedObjects, [three, two, one]))
  }

  @Test("BND-113: objects are told apart by identity, also if they are equal")
  func identity() {
    final class Equal: KVObject {
      @Dynamic var name: String
      init(_ name: String) {
        self.name = name
        super.init()
      }
      override func isEqual(_ object: Any?) -> Bool { object is Equal }
      override var hash: Int { 0 }
    }
    let all = ["a", "b", "c"].map { Equal($0) }, controller = ArrayController<Equal>()
    controller.content = all
    controller.select(all[1])
    #expect(controller.selectionIndexes == [1])
    controller.sort = [.descending(\.name)]
    #expect(isSame(controller.selectedObjects, [all[1]]) && controller.selectionIndexes == [1])
    controller.remove(all[2])
    #expect(isSame(controller.content, [all[0], all[1]]) && controller.selectionIndexes == [0])
    controller.automaticallyRearranges = true
    all[0].name = "z"
    #expect(isSame(controller.arrangedObjects, [all[0], all[1]]))
    #expect(isSame(controller.selectedObjects, [all[1]]) && all[2].observationInfo == nil)
    // An object that is there twice is two rows.
    controller.selectsInsertedObjects = false
    controller.add(all[0])
    #expect(controller.arrangedObjects.count == 3)
    controller.select([1])
    #expect(isSame(controller.selectedObjects, [all[0]]) && controller.selectionIndexes == [1])
    controller.selectedObjects = [Equal("y")]
    #expect(controller.selectedObjects.isEmpty)
  }

  @Test("BND-68: removing by row removes what is shown there, and no other")
  func removesOccurrence() {
    let one = Person("1"), two = Person("2")
    let controller = ArrayController([one, one, two, one])
    controller.remove(atArranged: 1)
    #expect(isSame(controller.content, [one, two, one]))
    controller.sort = [.descending(\.name)]
    #expect(controller.names == ["2", "1", "1"])
    controller.remove(atArranged: 2)
    #expect(isSame(controller.content, [one, two]))
    controller.remove(atArranged: 9)
    controller.remove(one)
    #expect(controller.names == ["2"])
  }

  @Test("BND-76: rearranging what is in order tells nothing")
  func unchanged() {
    let controller = ArrayController(people("a", "b"))
    controller.sort = [.ascending(\.name)]
    let told = Told(controller)
    controller.rearrange()
    controller.content = controller.content
    #expect(told.take() == [])
  }

  @Test("BND-110: nothing is told whose value does not differ")
  func onlyWhatDiffers() {
    let controller = ArrayController(people("a", "b", "c"))
    controller.select(0)
    let told = Told(controller, ["arrangedObjects", "selectionIndexes", "selectedObjects"])
    controller.remove(atArranged: 2)
    #expect(told.take() == ["arrangedObjects removal [2]"])
    controller.content = people("x", "y")
    #expect(controller.selectionIndexes == [0])
    #expect(
      told.take().map { $0.prefix { $0 != ":" } } == [
        "arrangedObjects removal [0, 1]", "arrangedObjects insertion [0, 1]",
        "selectedObjects setting",
      ])
  }

  @Test("BND-77: sort keys and filter arrange at once, though elements are not watched")
  func atOnce() {
    let controller = ArrayController(people("b", "a"))
    controller.sort = [.ascending(\.name)]
    #expect(controller.names == ["a", "b"])
    controller.content[0].name = "0"
    #expect(controller.names == ["a", "0"])
    controller.rearrange()
    #expect(controller.names == ["0", "a"])
  }

  @Test("BND-58: a subclass arranges in its own way, also what is added")
  func ownArrangement() {
    final class FirstTwo: ArrayController<Person> {
      override func arrange(_ objects: [Person]) -> [Person] {
        Array(super.arrange(objects).prefix(2))
      }
    }
    let controller = FirstTwo(people("c", "b", "d"))
    let told = Told(controller, ["arrangedObjects"])
    controller.sort = [.ascending(\.name)]
    #expect(controller.names == ["b", "c"])
    controller.add(Person("a"))
    #expect(controller.names == ["a", "b"])
    #expect(
      told.take() == [
        "arrangedObjects replacement [0, 1]", "arrangedObjects removal [1]",
        "arrangedObjects insertion [0]",
      ])
  }
}
