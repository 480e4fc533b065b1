// The services that bring the plant on.
import AsyncAlgorithms
import Plant
import ServiceLifecycle

/// Brings the machines on ten times a second, as often as browsers are told.
struct Simulation: Service {
  let plant: Plant

  func run() async throws {
    await everyTurn(of: .milliseconds(100)) { seconds in await plant.work(for: seconds) }
  }
}

/// For a test of load: bottles that are filled out of turn.
struct Rush: Service {
  let plant: Plant
  /// The number of bottles a second.
  let changes: Int

  func run() async throws {
    var due = 0.0
    await everyTurn(of: .milliseconds(20)) { seconds in
      due += seconds * Double(changes)
      await plant.rush(Int(due))
      due -= due.rounded(.down)
    }
  }
}

/// Calls `work` with the seconds since the last turn, until the server shuts down.
private func everyTurn(of interval: Duration, _ work: (Double) async -> Void) async {
  let clock = ContinuousClock()
  var last = clock.now
  for await now in AsyncTimerSequence(interval: interval, clock: clock).cancelOnGracefulShutdown() {
    // A plant that cannot keep up does less, instead of ever more at once.
    await work(min((now - last) / .seconds(1), 0.2))
    last = now
  }
}
