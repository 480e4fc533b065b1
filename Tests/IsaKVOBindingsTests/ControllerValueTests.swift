import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .oneAtATime) struct ControllerValueTests {
  private let all = people("b", "a", "c")
  private let controller = ArrayController(people("b", "a", "c"))

  @Test("a list of indexes is upwards, each once")
  func indexes() {
    let list: IndexList = [4, 1, 4, 2]
    #expect(Array(list) == [1, 2, 4] && list.contains(2) && !list.contains(3))
    #expect(list == IndexList([2, 1, 4]) && IndexList(0..<3) == [0, 1, 2])
    #expect(
      list.clipped(to: 4) == [1, 2] && list.clipped(to: 9) == list && list.clipped(to: 0) == [])
    #expect("\(list)" == "[1, 2, 4]" && IndexList().isEmpty && IndexList(3).first == 3)
  }

  @Test("elements without a value are sorted before those with one")
  func optionals() {
    final class Note: KVObject {
      @Dynamic var date: Int?
      @Dynamic var text: Any?
    }
    let notes = ArrayController<Note>(), all = (0..<3).map { _ in Note() }
    all[0].date = 7
    all[2].date = 3
    notes.content = all
    func order() -> [Int?] { notes.arrangedObjects.map(\.date) }
    notes.sort = [.ascending(\.date)]
    #expect(order() == [nil, 3, 7])
    notes.sort = [.descending(\.date)]
    #expect(order() == [7, 3, nil])
    notes.sort = [.ascending("date")]
    #expect(order() == [nil, 3, 7])
    (all[0].text, all[1].text, all[2].text) = (2, 1.5, true)
    notes.sort = [.ascending("text")]
    #expect(order() == [3, nil, 7])
    notes.sort = [.descending("nothing")]
    #expect(order() == [7, nil, 3])
  }

  @Test("elements are sorted by a closure, and by several keys")
  func closures() {
    controller.sort = [.by { $0.age > $1.age }]
    #expect(controller.names == ["c", "a", "b"])
    controller.sort = [.by(\.age, first: { $0 % 2 > $1 % 2 }), .descending(\.name)]
    #expect(controller.names == ["a", "c", "b"])
  }

  @Test("filters are put together")
  func filters() {
    controller.filter = .containing(\.name, "A") || .where(\.age, ==, 2)
    #expect(controller.names == ["a", "c"])
    controller.filter = .containing(\.name, "A", ignoringCase: false)
    #expect(controller.names == [])
    controller.filter = .containing(\.name, "") && !.where(\.name, ==, "b")
    #expect(controller.names == ["a", "c"])
  }

  @Test("BND-110: nothing is told that does not differ")
  func differences() {
    let told = Told(controller)
    controller.remove(atArranged: 0)
    #expect(
      told.take() == [
        "content removal [0]", "arrangedObjects removal [0]",
        "selectedObjects setting: [b] to [a]",
      ])
    controller.select([])
    _ = told.take()
    controller.selectsInsertedObjects = false
    controller.avoidsEmptySelection = false
    controller.add(Person("d"))
    #expect(told.take() == ["content insertion [2]", "arrangedObjects insertion [2]"])
  }

  @Test("BND-105: a copy that applies each told change is right, at the end of a transaction too")
  func copies() {
    var copy = controller.arrangedObjects
    let token = controller.observe(\.arrangedObjects, options: .new) { _, change in
      let indexes = change.indexes!, new = change.newValue ?? []
      switch change.kind {
      case .removal: indexes.reversed().forEach { copy.remove(at: $0) }
      case .insertion: zip(indexes, new).forEach { copy.insert($1, at: $0) }
      default: zip(indexes, new).forEach { copy[$0] = $1 }
      }
    }
    KVObject.transaction {
      controller.add(contentsOf: people("x", "0"))
      controller.sort = [.ascending(\.name)]
      controller.remove(atArranged: 1)
    }
    #expect(isSame(copy, controller.arrangedObjects) && controller.names == ["0", "b", "c", "x"])
    token.invalidate()
  }
}
