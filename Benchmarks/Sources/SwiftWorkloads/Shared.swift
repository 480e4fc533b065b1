import BenchModels
import CPaired
import IsaKVO
import Paired

/// Closures registered once for a class; each row beside an object's own typed closure.
let sharedWorkloads: [Workload] = [
  Workload("set-shared-observer", of: isakvo, goal: 1.2, beside: ROW_SET_ONE_OBSERVER) {
    Shared(expected: { (sum(below: $0), sum(below: $0 + 1)) }) { shared, heard in
      shared.observe(Person.agePath, options: [.old, .new]) { _, change in
        heard.note(old: change.oldValue ?? 0, new: change.newValue ?? 0)
      }
    } body: { person, ages in
      for age in ages { setAge(person, age) }
    }
  },
  Workload(
    "set-string-shared-observer", of: isakvo, goal: 1.2, beside: "set-string-one-observer"
  ) {
    Shared(expected: lengths(of:)) { shared, heard in
      shared.observe(Person.namePath, options: [.old, .new]) { _, change in
        heard.note(old: change.oldValue?.utf8.count ?? 0, new: change.newValue?.utf8.count ?? 0)
      }
    } body: { person, numbers in
      let (even, odd) = (names[0], names[1])
      for number in numbers { setName(person, number & 1 == 0 ? even : odd) }
    }
  },
]

/// A person who has an observer of its class.
private final class Shared: Work {
  private let person = Person()
  private let heard = Heard()
  private let expected: (Int) -> (old: Int, new: Int)
  private let body: (Person, Range<Int>) -> Void
  private var next = 1

  /// - Parameter observe: Adds the observer, which is to tell `Heard`.
  init(
    expected: @escaping (Int) -> (old: Int, new: Int),
    observe: (KeyValueSharedObservers<Person>, Heard) -> Void,
    body: @escaping (Person, Range<Int>) -> Void
  ) {
    (self.expected, self.body) = (expected, body)
    setName(person, names[0])
    let shared = KeyValueSharedObservers<Person>()
    observe(shared, heard)
    person.setSharedObservers(shared)
  }

  func run(_ count: Int) {
    body(person, next..<next + count)
    next += count
  }

  func check(_ count: Int) -> Bool {
    let sums = expected(count)
    return heard.has(count, old: sums.old, new: sums.new)
  }
}
