import AsyncAlgorithms
import IsaKVO
import Testing

@Suite("Sequences within an actor")
struct ActorTests {
  private actor Reader {
    nonisolated let turns = Turns()

    nonisolated var unownedExecutor: UnownedSerialExecutor { turns.asUnownedSerialExecutor() }

    func read(_ values: ObservationSequence<Int>, _ told: Notes<Int>) async {
      for await value in values { told.add(value) }
      told.add(-1)
    }
  }

  @Test("a loop in an actor goes on there, once for each value")
  func stays() {
    let meter = Meter(), reader = Reader(), told = Notes<Int>()
    let values = meter.values(of: \.number)
    let task = Task(executorPreference: reader.turns) { await reader.read(values, told) }
    reader.turns.run()
    let begin = reader.turns.total
    for number in 1...10 {
      meter.number = number
      reader.turns.run()
    }
    #expect(reader.turns.total == begin + 10)
    task.cancel()
    reader.turns.run()
    #expect(told.all == Array(0...10) + [-1])
  }

  @Test("a model of the main actor is read there, in order, and combined with others") @MainActor
  func mainActor() async {
    let screen = Screen()
    var told: [Int] = []
    let counts = screen.values(of: \.count, bufferingPolicy: .unbounded)
    for number in 1...3 { screen.count = number }
    for await count in counts {
      MainActor.preconditionIsolated()
      told.append(count)
      if count < 6, count >= 3 { screen.count = count + 1 }
      if count == 6 { break }
    }
    #expect(told == [0, 1, 2, 3, 4, 5, 6])
    let both = combineLatest(screen.values(of: \.count), screen.values(of: \.title))
    var latest = ""
    for await (count, title) in both {
      latest = "\(count)\(title)"
      if latest == "6t" { screen.title = "u" }
      if latest == "6u" { screen.count = 7 }
      if latest == "7u" { break }
    }
    #expect(latest == "7u")
  }

  @Test("a task of the main actor is cancelled while a value is on its way there") @MainActor
  func cancelled() async throws {
    let screen = Screen()
    var told: [Int] = []
    let task = Task {
      for await count in screen.values(of: \.count) { told.append(count) }
      told.append(-1)
    }
    while told.isEmpty { await Task.yield() }
    screen.count = 1
    task.cancel()
    await task.value
    #expect(told == [0, 1, -1])
    #expect(try !screen.isObserved)
  }
}
