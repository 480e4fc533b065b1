import BenchModels
import CPaired
import IsaKVOBindings
import Paired

/// A property kept in step with one of another object. The rows are held against one set that a closure
/// hears.
let bindingWorkloads: [Workload] = [
  Workload(ROW_BIND_ONE_WAY, of: isakvo, goal: 2, beside: ROW_SET_ONE_OBSERVER, make: oneWay),
  Workload(ROW_BIND_ONE_WAY_IN_CALLS, of: isakvo, goal: 20, make: oneWay),
  Workload(ROW_BIND_TWO_WAYS, of: isakvo, goal: 5, beside: ROW_SET_ONE_OBSERVER) {
    try Bound { try $1.bind(Person.agePath, to: $0, Person.agePath) }
  },
  Workload(ROW_BIND_TWO_WAYS_BACK, of: isakvo, goal: 5, beside: ROW_SET_ONE_OBSERVER) {
    try Bound(setsView: true) { try $1.bind(Person.agePath, to: $0, Person.agePath) }
  },
  Workload("bind-by-name", of: isakvo, goal: 10, beside: ROW_SET_ONE_OBSERVER) {
    try Bound { try $1.bind("age", to: $0, withKeyPath: "age") }
  },
  Workload(ROW_BIND_UNBIND, of: isakvo, goal: 25, beside: ROW_SET_ONE_OBSERVER) {
    BoundAndUnbound()
  },
  Workload(ROW_BYTES_PER_BINDING, of: isakvo, goal: 256, unit: "bytes", make: freshBindings),
]

private func oneWay() throws -> any Work {
  try Bound { try $1.follow(Person.agePath, of: $0, Person.agePath) }
}

/// A person is set, and then another one read that a binding sets.
private final class Bound: Work {
  private let set, read: Person
  private let binding: Binding
  private var next = 1
  private var sum = 0

  /// - Parameters:
  ///   - setsView: Whether the person is set whose property was bound, rather than the one it was bound to.
  ///   - bind: Binds the second person to the first.
  init(setsView: Bool = false, bind: (Person, Person) throws -> Binding) throws {
    let (model, view) = (Person(), Person())
    (set, read) = setsView ? (view, model) : (model, view)
    binding = try bind(model, view)
  }

  func run(_ count: Int) {
    var sum = 0
    for age in next..<next + count {
      setAge(set, age)
      sum &+= getAge(read)
    }
    self.sum &+= sum
    next += count
  }

  func check(_ count: Int) -> Bool {
    binding.isValid && sum == Paired.sum(below: count + 1)
  }
}

/// A binding of one way comes and goes.
private final class BoundAndUnbound: Work {
  private let model = Person(), view = Person()
  private var failures = 0

  func run(_ count: Int) {
    for _ in 0..<count {
      do { try view.follow(Person.agePath, of: model, Person.agePath).unbind() } catch {
        failures += 1
      }
    }
  }

  func check(_ count: Int) -> Bool {
    setAge(model, 7)
    return failures == 0 && getAge(view) == 0 && view.bindings.isEmpty
  }
}

private func freshBindings() throws -> any Work {
  if paired_allocated_bytes() < 0 {
    throw Missing("the C library does not tell what it has allocated (mallinfo2)")
  }
  return FreshBindings()
}

/// Bindings of one way between persons that nobody has used.
private final class FreshBindings: Work {
  private static let fresh = 100_000
  private var sum = 0

  func run(_ count: Int) {}

  func figure() -> Double {
    let (models, views) = (FreshBindings.persons, FreshBindings.persons)
    let before = paired_allocated_bytes()
    for (model, view) in zip(models, views) {
      _ = try? view.follow(Person.agePath, of: model, Person.agePath)
    }
    let after = paired_allocated_bytes()
    for (model, view) in zip(models, views) {
      setAge(model, 1)
      sum += getAge(view)
    }
    return (after - before) / Double(FreshBindings.fresh)
  }

  func check(_ count: Int) -> Bool { sum == count * FreshBindings.fresh }

  private static var persons: [Person] { (0..<fresh).map { _ in Person() } }
}
