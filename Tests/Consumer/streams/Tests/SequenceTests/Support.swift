import Foundation
import IsaKVO
import Synchronization

/// Notes what comes from any thread.
final class Notes<Note: Sendable>: Sendable {
  private let notes = Mutex<[Note]>([])

  var all: [Note] { notes.withLock { $0 } }
  func add(_ note: Note) { notes.withLock { $0.append(note) } }
}

/// Runs the parts of tasks, up to where they wait, when it is told to.
final class Turns: TaskExecutor, SerialExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let count = Mutex(0)

  /// How many parts there were.
  var total: Int { count.withLock { $0 } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    count.withLock { $0 += 1 }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  /// Runs what can go on.
  func run() {
    while let job = next() {
      job.runSynchronously(
        isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }
  }

  private func next() -> UnownedJob? {
    jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}

/// A clock that goes on when it is told to.
final class ManualClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var ticks = Duration.zero

    func advanced(by duration: Duration) -> Instant { Instant(ticks: ticks + duration) }
    func duration(to other: Instant) -> Duration { other.ticks - ticks }
    static func < (first: Instant, second: Instant) -> Bool { first.ticks < second.ticks }
  }

  private struct State {
    var now = Instant()
    var sleepers: [Instant] = []
  }

  private let state = Mutex(State())

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .zero }

  func advance(by ticks: Duration) { state.withLock { $0.now = $0.now.advanced(by: ticks) } }

  /// Lets others go on until the time has come.
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    state.withLock { $0.sleepers.append(deadline) }
    while now < deadline {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  /// Waits until somebody has begun to sleep until that time.
  func sleeper(until ticks: Duration) async {
    while !state.withLock({ $0.sleepers.contains(Instant(ticks: ticks)) }) { await Task.yield() }
  }
}

/// A sequence that notes how often an element was asked for: all before the last one have been used.
struct Asked<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable where Base.Element: Sendable {
  let base: Base
  let count = Notes<Void>()

  struct Iterator: AsyncIteratorProtocol {
    var base: Base.AsyncIterator
    let count: Notes<Void>

    mutating func next() async throws -> Base.Element? {
      count.add(())
      return try await base.next()
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), count: count) }

  /// Waits until an element was asked for that often.
  func asks(_ times: Int) async { while count.all.count < times { await Task.yield() } }
}

/// Notes the misuses that `body` makes.
func misuses(_ body: () -> Void) -> [Misuse] {
  let noted = Notes<Misuse>(), old = KeyValueSettings.misuseHandler
  KeyValueSettings.misuseHandler = { noted.add($0) }
  defer { KeyValueSettings.misuseHandler = old }
  body()
  return noted.all
}
