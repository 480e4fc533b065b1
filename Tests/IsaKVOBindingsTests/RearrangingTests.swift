import Foundation
import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .oneAtATime) struct RearrangingTests {
  /// A controller that rearranges by name, of people named so.
  private func controller(_ names: String...) -> ArrayController<Person> {
    let controller = ArrayController(names.map { Person($0) })
    controller.sort = [.ascending(\.name)]
    controller.automaticallyRearranges = true
    return controller
  }

  @Test("BND-75: an element whose sort key changes moves, and one that stays tells nothing")
  func moves() {
    let controller = controller("a", "c", "e", "g"), all = controller.content
    let told = Told(controller)
    controller.select(1)
    _ = told.take()
    all[1].name = "f"
    #expect(controller.names == ["a", "e", "f", "g"])
    #expect(
      told.take() == [
        "arrangedObjects replacement [1, 2]", "selectionIndexes setting: [1] to [2]",
      ])
    all[1].name = "ff"
    all[1].age = 9
    #expect(told.take() == [])
    all[3].name = "0"
    #expect(controller.names == ["0", "a", "e", "ff"])
    #expect(
      told.take() == [
        "arrangedObjects replacement [0, 1, 2, 3]", "selectionIndexes setting: [2] to [3]",
      ])
  }

  @Test("BND-131: the observation of rows ends with its controller")
  func rowsEnd() {
    let person = Person("a")
    var column: KeyValueObservation?
    do {
      let controller = ArrayController([person])
      column = controller.rows(\.name) { _, _ in }
      #expect(column!.isValid && registrations(of: person) == 1)
    }
    #expect(!column!.isValid && registrations(of: person) == 0)
  }

  @Test("BND-75: an element that the filter begins or ceases to let through comes or goes")
  func showsAndHides() {
    let controller = controller("a", "b", "c"), all = controller.content
    controller.filter = .where(\.age, <, 18)
    let told = Told(controller, ["arrangedObjects"])
    all[1].age = 20
    #expect(told.take() == ["arrangedObjects removal [1]"])
    all[1].name = "x"
    #expect(told.take() == [])
    all[1].age = 3
    #expect(
      told.take() == ["arrangedObjects insertion [2]"] && controller.names == ["a", "c", "x"])
  }

  @Test("BND-75: elements are watched once, however often they are there, and no longer")
  func watching() throws {
    let controller = controller("a", "b"), one = Person("c"), other = ArrayController([one])
    controller.add(contentsOf: [one, one])
    other.sort = [.ascending("name")]
    other.automaticallyRearranges = true
    let told = Told(controller, ["arrangedObjects"])
    one.name = "0"
    #expect(controller.names == ["0", "0", "a", "b"])
    #expect(told.take() == ["arrangedObjects replacement [0, 1, 2, 3]"])
    controller.remove(atArranged: 0)
    _ = told.take()
    one.name = "x"
    #expect(told.take() == ["arrangedObjects replacement [0, 1, 2]"])
    controller.remove(one)
    _ = told.take()
    one.name = "y"
    #expect(told.take() == [] && one.observationInfo != nil)
    other.content = []
    #expect(one.observationInfo == nil)
    let rest = controller.content
    controller.automaticallyRearranges = false
    #expect(rest.allSatisfy { $0.observationInfo == nil })
  }

  @Test("BND-97: elements are watched no more when the controller has gone")
  func lifetimes() {
    let all = people("a", "b")
    weak var gone: ArrayController<Person>?
    do {
      let controller = ArrayController(all)
      controller.sort = [.ascending(\.name)]
      controller.automaticallyRearranges = true
      gone = controller
      #expect(all[0].observationInfo != nil)
    }
    #expect(gone == nil && all.allSatisfy { $0.observationInfo == nil })
  }

  @Test("BND-75: paths and properties that depend on others are watched, too")
  func paths() {
    final class Dog: KVObject {
      @Dynamic var owner: Person
      @Dynamic var rank = 0
      var title: String { "\(rank) \(owner.age)" }

      init(_ owner: Person) {
        self.owner = owner
        super.init()
      }
    }
    let dogs = people("a", "b", "c").map { Dog($0) }
    let controller = ArrayController<Dog>()
    controller.automaticallyRearranges = true
    controller.content = dogs
    controller.sort = [.ascending(\.owner.name)]
    func order() -> [Int] { controller.arrangedObjects.map(\.owner.age) }
    dogs[0].owner.name = "x"
    #expect(order() == [1, 2, 0])
    controller.sort = [.descending("owner.name")]
    dogs[1].owner.name = "y"
    #expect(order() == [1, 0, 2])
    controller.sort = [.ascending(\.title)]
    dogs[0].rank = 5
    #expect(order() == [1, 2, 0])
    controller.sort = [.by(dependingOn: [\.rank]) { $0.rank > $1.rank }]
    #expect(order() == [0, 1, 2])
    dogs[2].rank = 7
    #expect(order() == [2, 0, 1])
    controller.content = []
    #expect(dogs.allSatisfy { $0.observationInfo == nil })
  }

  @Test(
    "BND-115: it goes among equals by the order of the content, alone, also in an unsorted list")
  func amongEquals() {
    let controller = controller("a", "b", "a", "b"), all = controller.content
    controller.insert(Person("z"), atArranged: 0)
    all[0].name = "b"
    #expect(controller.names == ["z", "a", "b", "b", "b"])
    #expect(isSame(Array(controller.arrangedObjects[2...]), [all[0], all[1], all[3]]))
    controller.select([])
    all[0].name = "b"
    #expect(controller.selectionIndexes == [])
  }

  @Test("BND-75, BND-129: elements that are set through the selection move together")
  func moveTogether() throws {
    let controller = controller("a", "b", "c", "d"), told = Told(controller)
    controller.select([0, 1, 2])
    _ = told.take()
    try controller.setValue("e", forKeyPath: "selection.name")
    #expect(controller.names == ["d", "e", "e", "e"])
    #expect(
      told.take() == [
        "arrangedObjects replacement [0, 1, 2, 3]",
        "selectionIndexes setting: [0, 1, 2] to [1, 2, 3]",
      ])
  }

  @Test("BND-131: the columns of a table are told the row at that time")
  func columns() {
    let controller = controller("a", "b", "c"), all = controller.content
    var lines: [String] = []
    let ages = controller.rows(\.age) { row, age in lines.append("\(row) \(age)") }
    all[1].age = 7
    all[0].name = "x"
    all[0].age = 8
    controller.filter = .where(\.name, !=, "c")
    all[2].age = 9
    controller.add(all[0])
    all[0].age = 10
    #expect(lines == ["1 7", "2 8", "2 10", "3 10"])
    ages.invalidate()
    #expect(!ages.isValid)
    all[0].age = 11
    #expect(lines.count == 4)
  }

  @Test("BND-131: a controller hears nothing of elements that only another one has")
  func elementsOfOthers() {
    let controller = controller("a", "b"), other = self.controller("c", "d"), jobs = Jobs()
    controller.delivery = .enqueue { jobs.add($0) }
    let person = other.content[0], end = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      person.name = "x"
      end.signal()
    }
    end.wait()
    #expect(jobs.isEmpty && other.names == ["d", "x"])
  }

  @Test("BND-131: controllers of several threads may have elements of one class")
  func severalThreads() {
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for round in 0..<50 {
        let controller = ArrayController((0..<20).map { Person("\($0)", $0) })
        controller.automaticallyRearranges = true
        let byAge = thread % 2 == 0
        controller.sort = [byAge ? .ascending(\.age) : .descending(\.name)]
        for person in controller.content.prefix(10) {
          if byAge { person.age = 20 - person.age } else { person.name += "\(round % 10)" }
        }
        let rows = controller.arrangedObjects
        #expect(rows.map(\.age) == rows.map(\.age).sorted() || !byAge)
        #expect(rows.map(\.name) == rows.map(\.name).sorted(by: >) || byAge)
        let all = controller.content
        controller.content = []
        #expect(all.allSatisfy { $0.observationInfo == nil })
      }
    }
  }

  @Test("BND-131: a change on another thread is delivered to the controller")
  func otherThread() async {
    let controller = controller("a", "b"), jobs = Jobs()
    controller.delivery = .enqueue { jobs.add($0) }
    let person = controller.content[0]
    await Task.detached { person.name = "x" }.value
    // The task may have run on this very thread.
    if controller.names.last != "x" {
      #expect(controller.names == ["x", "b"])
      jobs.run()
    }
    #expect(controller.names == ["b", "x"])
  }

  @Test("BND-75: shared observers are told by the element that is there, of any subclass")
  func subclasses() {
    final class Boss: Person, @unchecked Sendable {}
    let controller = controller("b"), boss = Boss("c")
    controller.add(boss)
    boss.name = "a"
    #expect(controller.names == ["a", "b"])
    controller.content[0].name = "0"
    #expect(controller.names == ["0", "a"])
  }
}

/// Work that waits to be run.
private final class Jobs: @unchecked Sendable {
  private var jobs: [@Sendable () -> Void] = []

  func add(_ job: @escaping @Sendable () -> Void) { jobs.append(job) }

  var isEmpty: Bool { jobs.isEmpty }

  func run() {
    defer { jobs = [] }
    for job in jobs { job() }
  }
}
