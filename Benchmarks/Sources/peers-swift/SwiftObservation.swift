import BenchModels
import CPaired
import Observation
import Paired

// Swift's own Observation. It tells once, before a change, and what observes says anew what it
// reads: here at once after the set, so that each change is heard and its new value read.

private let subject = "swift-observation"

@Observable
private final class Person {
  var age = 0
  var first = 0
  var second = 0
  var thing: Thing?
  var items: [Int] = []
  var total: Int { first &+ second }
}

@Observable
private final class Outer {
  var a = Middle()
}

@Observable
private final class Middle {
  var b = Inner()
}

@Observable
private final class Inner {
  var c = 0
}

private final class Thing: Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}

@inline(never) private func setAge(_ person: Person, _ age: Int) { person.age = age }
@inline(never) private func getAge(_ person: Person) -> Int { person.age }
@inline(never) private func setFirst(_ person: Person, _ value: Int) { person.first = value }
@inline(never) private func setThing(_ person: Person, _ thing: Thing) { person.thing = thing }
@inline(never) private func append(_ item: Int, to person: Person) { person.items.append(item) }
@inline(never) private func setLeaf(_ inner: Inner, _ value: Int) { inner.c = value }
@inline(never) private func replace(_ middle: Middle, _ inner: Inner) { middle.b = inner }

/// One who reads something, and again after each change of what it has read.
private final class Observer: @unchecked Sendable {
  private let read: () -> Int
  private let heard: Heard
  private var isStale = false

  init(_ heard: Heard, _ read: @escaping () -> Int) {
    self.heard = heard
    self.read = read
    _ = track()
  }

  private func track() -> Int {
    withObservationTracking(read) { [unowned self] in isStale = true }
  }

  /// Reads anew if there was a change.
  func catchUp() {
    guard isStale else { return }
    isStale = false
    heard.note(new: track())
  }
}

private final class Tracking<Object>: Work {
  private let heard: [Heard]
  private let observers: [Observer]
  private let body: ([Observer], Range<Int>) -> Void
  private let expected: (Int) -> Int
  private let reset: () -> Void
  private var next = 1

  init(
    _ object: Object, observers count: Int = 1, reset: @escaping (Object) -> Void = { _ in },
    expected: @escaping (Int) -> Int = { sum(below: $0 + 1) }, read: @escaping (Object) -> Int,
    body: @escaping (Object, [Observer], Range<Int>) -> Void
  ) {
    heard = (0..<count).map { _ in Heard() }
    observers = heard.map { heard in Observer(heard) { read(object) } }
    self.body = { body(object, $0, $1) }
    self.expected = expected
    self.reset = { reset(object) }
  }

  func prepare(_ count: Int) {
    reset()
  }

  func run(_ count: Int) {
    body(observers, next..<next + count)
    next += count
  }

  func check(_ count: Int) -> Bool {
    heard.allSatisfy { $0.has(count, old: expected(count - 1), new: expected(count)) }
  }
}

private func setting(observers: Int) -> any Work {
  Tracking(Person(), observers: observers, read: { $0.age }) { person, observers, ages in
    for age in ages {
      setAge(person, age)
      for observer in observers { observer.catchUp() }
    }
  }
}

private func settingObjects() -> any Work {
  let things = [Thing(0), Thing(1)]
  return Tracking(
    Person(), expected: { ($0 + 1) / 2 }, read: { $0.thing?.number ?? 0 }
  ) { person, observers, numbers in
    let (even, odd) = (things[0], things[1])
    for number in numbers {
      setThing(person, number & 1 == 0 ? even : odd)
      for observer in observers { observer.catchUp() }
    }
  }
}

private func settingLeaf() -> any Work {
  let outer = Outer()
  return Tracking((outer, inner: outer.a.b), read: { $0.0.a.b.c }) { objects, observers, numbers in
    for number in numbers {
      setLeaf(objects.inner, number)
      for observer in observers { observer.catchUp() }
    }
  }
}

private func replacingIntermediate() -> any Work {
  let outer = Outer()
  let (even, odd) = (outer.a.b, Inner())
  odd.c = 1
  return Tracking(
    (outer, middle: outer.a), expected: { ($0 + 1) / 2 }, read: { $0.0.a.b.c }
  ) { objects, observers, numbers in
    for number in numbers {
      replace(objects.middle, number & 1 == 0 ? even : odd)
      for observer in observers { observer.catchUp() }
    }
  }
}

private func settingSource() -> any Work {
  Tracking(Person(), read: { $0.total }) { person, observers, numbers in
    for number in numbers {
      setFirst(person, number)
      for observer in observers { observer.catchUp() }
    }
  }
}

/// Reads within a tracking, which has read the property before.
private final class ReadTracked: Work {
  private let person = Person()
  private var sum = 0

  /// The first tracking of a process takes far longer than others, and no sample is to be made of it.
  init() {
    _ = withObservationTracking {
      getAge(person)
    } onChange: {
    }
  }

  /// A change ends the tracking of the run before.
  func prepare(_ count: Int) { setAge(person, 3) }

  func run(_ count: Int) {
    sum &+= withObservationTracking {
      var sum = 0
      for _ in 0..<count { sum &+= getAge(person) }
      return sum
    } onChange: {
    }
  }

  func check(_ count: Int) -> Bool { sum == 3 * count }
}

/// Begins to track and has it end by a change: there is no other end.
private final class TrackingOnce: Work, @unchecked Sendable {
  private let person = Person()
  private let heard = Heard()
  private var next = 1

  func run(_ count: Int) {
    let heard = heard
    for age in next..<next + count {
      _ = withObservationTracking {
        getAge(person)
      } onChange: {
        heard.note()
      }
      setAge(person, age)
    }
    next += count
  }

  func check(_ count: Int) -> Bool { heard.count == count && person.age == next - 1 }
}

private final class ReadUnobserved: Work {
  private let person = Person()
  private var sum = 0

  init() { setAge(person, 3) }

  func run(_ count: Int) { for _ in 0..<count { sum &+= getAge(person) } }
  func check(_ count: Int) -> Bool { sum == 3 * count }
}

private final class Unobserved: Work {
  private let person = Person()
  private var next = 1

  func run(_ count: Int) {
    for age in next..<next + count { setAge(person, age) }
    next += count
  }

  func check(_ count: Int) -> Bool { person.age == count }
}

/// Rows of Swift's Observation.
let observationWorkloads: [Workload] =
  [
    Workload(ROW_SET_UNOBSERVED, of: subject) { Unobserved() },
    Workload(ROW_GET_UNOBSERVED, of: subject) { ReadUnobserved() },
    Workload(Workload.getInTracking, of: subject) { ReadTracked() },
    Workload(Workload.trackAndFire, of: subject) { TrackingOnce() },
    Workload(ROW_SET_ONE_OBSERVER, of: subject) { setting(observers: 1) },
    Workload(ROW_SET_TEN_OBSERVERS, of: subject) { setting(observers: 10) },
    Workload(ROW_SET_HUNDRED_OBSERVERS, of: subject) { setting(observers: 100) },
    Workload(ROW_SET_OBJECT_ONE_OBSERVER, of: subject) { settingObjects() },
    Workload(ROW_ADD_REMOVE, of: subject) { TrackingOnce() },
    Workload(ROW_PATH_LEAF, of: subject) { settingLeaf() },
    Workload(ROW_PATH_INTERMEDIATE, of: subject) { replacingIntermediate() },
    Workload(ROW_DEPENDENT, of: subject) { settingSource() },
    Workload(ROW_ORDERED_INSERT, of: subject, largestCount: 1 << 16) {
      Tracking(
        Person(), reset: { $0.items.removeAll(keepingCapacity: true) },
        read: { $0.items.last ?? 0 }
      ) { person, observers, items in
        for item in items {
          append(item, to: person)
          for observer in observers { observer.catchUp() }
        }
      }
    },
  ] + growth(subject) { setting(observers: $0) }
