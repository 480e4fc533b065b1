import BenchModels
import CPaired
import IsaKVOCombine
import Paired

/// Rows of publishers, beside those of OpenCombine's own.
let publisherWorkloads: [Workload] = [
  Workload(ROW_SET_ONE_OBSERVER, of: "isakvo-publisher", goal: 30) { Published() },
  Workload(ROW_SET_TEN_OBSERVERS, of: "isakvo-publisher") { Published(sinks: 10) },
  Workload(ROW_SET_HUNDRED_OBSERVERS, of: "isakvo-publisher") { Published(sinks: 100) },
]

/// Sinks of a publisher's hear of each age.
private final class Published: Work {
  private let person = Person()
  private let heard: [Heard]
  private let sinks: [AnyCancellable]
  private var next = 1

  init(sinks count: Int = 1) {
    heard = (0..<count).map { _ in Heard() }
    sinks = heard.map { [person] heard in
      person.publisher(for: Person.agePath, options: .new).sink { heard.note(new: $0) }
    }
  }

  func run(_ count: Int) {
    for age in next..<next + count { setAge(person, age) }
    next += count
  }

  func check(_ count: Int) -> Bool {
    withExtendedLifetime(sinks) { heard.allSatisfy { $0.hasCounted(to: count) } }
  }
}
