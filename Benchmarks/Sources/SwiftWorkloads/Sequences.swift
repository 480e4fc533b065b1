import BenchModels
import Dispatch
import IsaKVO
import Paired

/// Hands changes over to a task that awaits them: the time is that of a set until the last of the
/// batch has arrived, over the number of sets.
final class HandOver: Work {
  private let person = Person()
  private let heard = Heard()
  private let arrived = DispatchSemaphore(value: 0)
  private let task: Task<Void, Never>
  private var next = 1
  private let last = LastAge()

  init() {
    let changes = person.changes(of: Person.agePath)
    let (heard, arrived, last) = (heard, arrived, last)
    task = Task.detached {
      for await change in changes {
        heard.note(old: change.oldValue ?? 0, new: change.newValue ?? 0)
        if change.newValue == last.value { arrived.signal() }
      }
    }
  }

  deinit { task.cancel() }

  func run(_ count: Int) {
    last.value = next + count - 1
    for age in next..<next + count { setAge(person, age) }
    arrived.wait()
    next += count
  }

  func check(_ count: Int) -> Bool { heard.hasCounted(to: count) }
}

/// Written before the sets that the task hears of, which order it before the reads.
private final class LastAge: @unchecked Sendable {
  var value = 0
}
