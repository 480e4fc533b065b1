import CPaired
import OpenCombine
import Paired

// OpenCombine: a property that is published, and a subject that is sent to. A published property
// tells its new value before it is stored.

private final class Person {
  @OpenCombine.Published var age = 0
}

@inline(never) private func setAge(_ person: Person, _ age: Int) { person.age = age }

private final class Publishing: Work {
  private let person = Person()
  private let heard: [Heard]
  private var sinks: [AnyCancellable] = []
  private var next = 1

  init(observers: Int) {
    heard = (0..<observers).map { _ in Heard() }
    sinks = heard.map { [person] heard in
      // A subscriber is told the value that there is: not a change.
      person.$age.dropFirst().sink { heard.note(new: $0) }
    }
  }

  func run(_ count: Int) {
    for age in next..<next + count { setAge(person, age) }
    next += count
  }

  func check(_ count: Int) -> Bool { heard.allSatisfy { $0.hasCounted(to: count) } }
}

private final class Sending: Work {
  private let subject = CurrentValueSubject<Int, Never>(0)
  private let heard: [Heard]
  private var sinks: [AnyCancellable] = []
  private var next = 1

  init(observers: Int) {
    heard = (0..<observers).map { _ in Heard() }
    sinks = heard.map { [subject] heard in subject.sink { heard.note(new: $0) } }
  }

  func run(_ count: Int) {
    for age in next..<next + count { subject.send(age) }
    next += count
  }

  /// Each sink was told the 0 that was there first.
  func check(_ count: Int) -> Bool {
    heard.allSatisfy { $0.has(count + 1, old: sum(below: count), new: sum(below: count + 1)) }
  }
}

private final class Subscribing: Work {
  private let subject = CurrentValueSubject<Int, Never>(0)
  private let heard = Heard()

  func run(_ count: Int) {
    let heard = heard
    for _ in 0..<count { subject.sink { _ in heard.note() }.cancel() }
  }

  /// Each was told the value that was there, and nothing after it had gone.
  func check(_ count: Int) -> Bool {
    subject.send(1)
    return heard.count == count
  }
}

/// One who listens to two sources: this version of OpenCombine does not combine them.
private final class Combining: Work {
  private let first = CurrentValueSubject<Int, Never>(0)
  private let second = CurrentValueSubject<Int, Never>(0)
  private let heard = Heard()
  private let sinks: [AnyCancellable]
  private var next = 1

  init() {
    let heard = heard
    sinks = [first, second].map { $0.dropFirst().sink { _ in heard.note() } }
  }

  func run(_ count: Int) {
    for value in next..<next + count { first.send(value) }
    next += count
  }

  func check(_ count: Int) -> Bool { withExtendedLifetime(sinks) { heard.count == count } }
}

/// Rows of OpenCombine.
let combineWorkloads: [Workload] =
  [
    Workload(ROW_SET_ONE_OBSERVER, of: "opencombine") { Publishing(observers: 1) },
    Workload(ROW_SET_TEN_OBSERVERS, of: "opencombine") { Publishing(observers: 10) },
    Workload(ROW_SET_HUNDRED_OBSERVERS, of: "opencombine") { Publishing(observers: 100) },
    Workload(ROW_SET_ONE_OBSERVER, of: "opencombine-subject") { Sending(observers: 1) },
    Workload(ROW_SET_TEN_OBSERVERS, of: "opencombine-subject") { Sending(observers: 10) },
    Workload(ROW_SET_HUNDRED_OBSERVERS, of: "opencombine-subject") { Sending(observers: 100) },
    Workload(ROW_ADD_REMOVE, of: "opencombine-subject") { Subscribing() },
    Workload(ROW_DEPENDENT, of: "opencombine-subject") { Combining() },
  ] + growth("opencombine") { Publishing(observers: $0) }
