import CPaired
import Paired

// A property that tells an array of closures, as one writes it by hand.

private final class Person {
  typealias Handler = (_ old: Int, _ new: Int) -> Void

  var age = 0 {
    didSet { for handler in handlers { handler?(oldValue, age) } }
  }
  private(set) var handlers: [Handler?] = []

  func add(_ handler: @escaping Handler) -> Int {
    handlers.append(handler)
    return handlers.count - 1
  }

  /// Those behind it keep their places.
  func remove(_ index: Int) {
    handlers[index] = nil
    while case .some(.none) = handlers.last { handlers.removeLast() }
  }
}

@inline(never) private func setAge(_ person: Person, _ age: Int) { person.age = age }

private final class Setting: Work {
  private let person = Person()
  private let heard: [Heard]
  private var next = 1

  init(observers: Int) {
    heard = (0..<observers).map { _ in Heard() }
    for heard in heard { _ = person.add { heard.note(old: $0, new: $1) } }
  }

  func run(_ count: Int) {
    for age in next..<next + count { setAge(person, age) }
    next += count
  }

  func check(_ count: Int) -> Bool { heard.allSatisfy { $0.hasCounted(to: count) } }
}

private final class Adding: Work {
  private let person = Person()
  private let heard = Heard()
  private var done = 0

  func run(_ count: Int) {
    let heard = heard
    for _ in 0..<count { person.remove(person.add { heard.note(old: $0, new: $1) }) }
    done += count
  }

  func check(_ count: Int) -> Bool {
    person.age = 1
    return done == count && heard.count == 0 && person.handlers.isEmpty
  }
}

/// An object that the property holds.
private final class Thing {
  let number: Int
  init(_ number: Int) { self.number = number }
}

private final class Holder {
  var thing: Thing {
    didSet { for handler in handlers { handler(oldValue, thing) } }
  }
  var handlers: [(Thing, Thing) -> Void] = []

  init(_ thing: Thing) { self.thing = thing }
}

@inline(never) private func setThing(_ holder: Holder, _ thing: Thing) { holder.thing = thing }

private final class SettingObjects: Work {
  private let things = [Thing(0), Thing(1)]
  private let holder: Holder
  private let heard = Heard()
  private var next = 1

  init() {
    let heard = heard
    holder = Holder(things[0])
    holder.handlers.append { heard.note(old: $0.number, new: $1.number) }
  }

  func run(_ count: Int) {
    let (even, odd) = (things[0], things[1])
    for number in next..<next + count { setThing(holder, number & 1 == 0 ? even : odd) }
    next += count
  }

  func check(_ count: Int) -> Bool {
    heard.has(count, old: count / 2, new: (count + 1) / 2)
  }
}

/// Two sources that each tell the same closures.
private final class Sources {
  var first = 0 { didSet { for handler in handlers { handler() } } }
  var second = 0 { didSet { for handler in handlers { handler() } } }
  var handlers: [() -> Void] = []
}

@inline(never) private func setFirst(_ sources: Sources, _ value: Int) { sources.first = value }

private final class SettingSource: Work {
  private let sources = Sources()
  private let heard = Heard()
  private var next = 1

  init() {
    let heard = heard
    sources.handlers.append { heard.note() }
  }

  func run(_ count: Int) {
    for value in next..<next + count { setFirst(sources, value) }
    next += count
  }

  func check(_ count: Int) -> Bool { heard.count == count && sources.first == next - 1 }
}

private final class List {
  private(set) var items: [Int] = []
  var handlers: [(_ index: Int, _ item: Int) -> Void] = []

  func insert(_ item: Int, at index: Int) {
    items.insert(item, at: index)
    for handler in handlers { handler(index, item) }
  }

  func empty() { items.removeAll(keepingCapacity: true) }
}

@inline(never) private func append(_ item: Int, to list: List) {
  list.insert(item, at: list.items.count)
}

private final class Inserting: Work {
  private let list = List()
  private let heard = Heard()
  private var next = 0

  init() {
    let heard = heard
    list.handlers.append { _, item in heard.note(new: item) }
  }

  func prepare(_ count: Int) { list.empty() }

  func run(_ count: Int) {
    for item in next..<next + count { append(item, to: list) }
    next += count
  }

  func check(_ count: Int) -> Bool {
    heard.has(count, old: sum(below: count - 1), new: sum(below: count))
  }
}

/// Rows of `didSet` and arrays of closures.
let handWrittenWorkloads: [Workload] =
  [
    Workload(ROW_SET_ONE_OBSERVER, of: "didset") { Setting(observers: 1) },
    Workload(ROW_SET_TEN_OBSERVERS, of: "didset") { Setting(observers: 10) },
    Workload(ROW_SET_HUNDRED_OBSERVERS, of: "didset") { Setting(observers: 100) },
    Workload(ROW_SET_OBJECT_ONE_OBSERVER, of: "didset") { SettingObjects() },
    Workload(ROW_ADD_REMOVE, of: "didset") { Adding() },
    Workload(ROW_DEPENDENT, of: "didset") { SettingSource() },
    Workload(ROW_ORDERED_INSERT, of: "didset", largestCount: 1 << 16) { Inserting() },
  ] + growth("didset") { Setting(observers: $0) }

/// The points of a curve of sets over the number of observers.
func growth(_ subject: String, _ make: @escaping @Sendable (Int) -> any Work) -> [Workload] {
  [1, 10, 100, 1000].map { observers in
    Workload(
      "set-observers-\(observers)", of: subject, group: .growth,
      at: Workload.Place("set", "observers", Double(observers))
    ) { make(observers) }
  }
}
