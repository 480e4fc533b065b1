// All that one browser is told.
import AsyncAlgorithms
import Plant
import ServiceLifecycle

/// The values of the plant and its machines, for one browser.
///
/// A task for each property puts its values into an outbox, which is written ten times a second. No
/// task waits for the browser, so one that does not read keeps nobody busy.
struct Feed: Sendable {
  private let plant: Plant
  private let buffering: Buffering
  /// The longest time between two signs of life.
  private let beat: Duration
  /// The time between two writes, and at least between two newest values of one property.
  private let pause = Duration.milliseconds(100)

  init(_ plant: Plant, _ buffering: Buffering, beat: Duration) {
    self.plant = plant
    self.buffering = buffering
    self.beat = beat
  }

  /// Writes events until the server shuts down, the task is cancelled, or `write` throws.
  func run(_ write: (String) async throws -> Void) async throws {
    let outbox = Outbox(buffering)
    try await withThrowingTaskGroup { group in
      group.addTask { await follow(into: outbox) }
      try await empty(outbox, write)
      group.cancelAll()
    }
  }

  private func empty(_ outbox: Outbox, _ write: (String) async throws -> Void) async throws {
    var last = ContinuousClock.now
    for await now in AsyncTimerSequence(interval: pause, clock: .continuous)
      .cancelOnGracefulShutdown()
    {
      let events = outbox.take()
      if events.isEmpty && now - last < beat { continue }
      // A comment, which pages pass over, finds out connections that have gone.
      try await write(events.isEmpty ? ":\n\n" : events)
      last = now
    }
  }

  /// Follows the plant, and each machine from when it comes. The sequences of a machine end with it.
  private func follow(into outbox: Outbox) async {
    await withDiscardingTaskGroup { group in
      for lines in await plant.lines(buffering) {
        group.addTask { await send(lines, into: outbox) }
      }
      let list = outbox.addProperty()
      var followed: Set<Int> = []
      for await machines in await plant.machineLists(buffering) {
        outbox.put(Machine.line(machines), of: list)
        for machine in machines where followed.insert(machine.id).inserted {
          for lines in await machine.lines(buffering) {
            group.addTask { await send(lines, into: outbox) }
          }
        }
      }
    }
  }

  private func send(_ lines: Lines, into outbox: Outbox) async {
    let property = outbox.addProperty()
    for await line in lines {
      outbox.put(line, of: property)
      if buffering == .newest { try? await Task.sleep(for: pause) }
    }
  }
}
