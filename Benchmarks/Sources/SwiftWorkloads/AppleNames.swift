import BenchModels
import IsaKVOFoundation
import Paired

/// The same as ``ageWork(observers:options:)`` under Apple's names.
final class AppleNames: Work {
  private let person = Person()
  private let heard = Heard()
  private let observation: NSKeyValueObservation
  private var next = 1

  init() {
    let heard = heard
    observation = person.observe(Person.agePath, options: [.old, .new]) { _, change in
      heard.note(old: change.oldValue ?? 0, new: change.newValue ?? 0)
    }
  }

  func run(_ count: Int) {
    for age in next..<next + count { setAge(person, age) }
    next += count
  }

  func check(_ count: Int) -> Bool {
    withExtendedLifetime(observation) { heard.hasCounted(to: count) }
  }
}
