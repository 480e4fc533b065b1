import BenchModels
import Dispatch
import Foundation
import IsaKVO
import Paired

/// Hands each value over to a task of the same actor, which waits for it: the time is that of a set
/// until the task has its value.
final class Awaited: Work {
  private let person = Person()
  private let heard = Heard()
  private let reader = Reader()
  private let task: Task<Void, Never>
  private var next = 1

  init() {
    let values = person.values(of: Person.agePath)
    task = Task { [reader, heard] in await reader.read(values, heard) }
    reader.turns.run { [heard] in heard.count == 1 }
  }

  deinit { task.cancel() }

  func run(_ count: Int) {
    let (heard, turns) = (heard, reader.turns)
    for age in next..<next + count {
      setAge(person, age)
      turns.run { heard.count == age + 1 }
    }
    next += count
  }

  /// It was told the 0 that was there first.
  func check(_ count: Int) -> Bool {
    heard.has(count + 1, old: sum(below: count), new: sum(below: count + 1))
  }
}

private actor Reader {
  nonisolated let turns = Turns()

  nonisolated var unownedExecutor: UnownedSerialExecutor { turns.asUnownedSerialExecutor() }

  func read(_ values: ObservationSequence<Int>, _ heard: Heard) async {
    for await value in values { heard.note(new: value) }
  }
}

/// Runs an actor's work on the thread that says so.
private final class Turns: SerialExecutor, @unchecked Sendable {
  // Sendable because jobs are reached under a lock.
  private let lock = NSLock()
  private let come = DispatchSemaphore(value: 0)
  private var jobs: [UnownedJob] = []

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    lock.withLock { jobs.append(job) }
    come.signal()
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  /// Runs what comes until that is enough.
  func run(until isEnough: () -> Bool) {
    while !isEnough() {
      come.wait()
      lock.withLock { jobs.removeFirst() }.runSynchronously(on: asUnownedSerialExecutor())
    }
  }
}
