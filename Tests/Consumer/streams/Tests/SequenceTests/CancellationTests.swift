import AsyncAlgorithms
import IsaKVO
import Testing

@Suite("Tasks that are cancelled")
struct CancellationTests {
  private let meter = Meter(), turns = Turns(), told = Notes<Int>()

  /// Begins to note values until there are no more, which is noted as -1.
  private func follow(
    _ policy: ObservationSequence<Int>.BufferingPolicy = .unbounded
  ) -> Task<Void, Never> {
    let values = meter.values(of: \.number, bufferingPolicy: policy), told = told
    return Task(executorPreference: turns) {
      for await value in values { told.add(value) }
      told.add(-1)
    }
  }

  @Test("cancelled before it begins, it is handed what was there, and ends")
  func before() throws {
    let task = follow()
    meter.number = 1
    task.cancel()
    turns.run()
    meter.number = 2
    turns.run()
    #expect(told.all == [0, 1, -1])
    #expect(try !meter.isObserved)
  }

  @Test("cancelled while it waits, it ends")
  func waiting() throws {
    let task = follow()
    turns.run()
    #expect(told.all == [0])
    task.cancel()
    #expect(try !meter.isObserved)
    meter.number = 1
    turns.run()
    #expect(told.all == [0, -1])
  }

  @Test("cancelled while a value is on its way, it is handed that one, and ends")
  func onItsWay() throws {
    let task = follow()
    turns.run()
    meter.number = 1
    task.cancel()
    meter.number = 2
    turns.run()
    meter.number = 3
    turns.run()
    #expect(told.all == [0, 1, -1])
    #expect(try !meter.isObserved)
  }

  @Test("cancelled while values wait behind one that is on its way, it is handed all of them")
  func behind() throws {
    let task = follow()
    turns.run()
    for number in 1...3 { meter.number = number }
    task.cancel()
    meter.number = 4
    turns.run()
    #expect(told.all == [0, 1, 2, 3, -1])
    #expect(try !meter.isObserved)
  }

  @Test("a task that cancels itself ends, though it sets the property for each value")
  func itself() throws {
    let meter = meter, told = told
    let values = meter.values(of: \.number)
    Task(executorPreference: turns) {
      for await value in values {
        told.add(value)
        if value == 2 { withUnsafeCurrentTask { $0!.cancel() } }
        meter.number += 1
      }
      told.add(-1)
    }
    turns.run()
    #expect(told.all == [0, 1, 2, 3, -1])
    #expect(try !meter.isObserved)
  }

  @Test("a task that leaves the loop ends the observation")
  func leaving() throws {
    let told = told
    do {
      let values = meter.values(of: \.number)
      Task(executorPreference: turns) {
        for await value in values {
          told.add(value)
          break
        }
      }
    }
    turns.run()
    #expect(told.all == [0])
    #expect(try !meter.isObserved)
  }

  @Test("tasks of a group that is cancelled end, each with its sequence")
  func group() async throws {
    let meters = [Meter(), Meter()]
    await withTaskGroup(of: Void.self) { group in
      for meter in meters {
        let values = meter.values(of: \.number)
        group.addTask { for await _ in values {} }
      }
      group.cancelAll()
    }
    for meter in meters { #expect(try !meter.isObserved) }
  }

  @Test("a task cancelled under operators ends all sequences that these have", arguments: 0..<20)
  func operators(sets: Int) async throws {
    let first = Meter(), second = Meter()
    let task = follow(first, second)
    for number in 0..<sets {
      first.number = number
      await Task.yield()
      second.number = number
    }
    task.cancel()
    await task.value
    while try first.isObserved || second.isObserved { await Task.yield() }
  }

  /// Follows two objects; nobody but the task holds the sequences.
  private func follow(_ first: Meter, _ second: Meter) -> Task<Void, Never> {
    let told = told
    let merged = merge(
      first.values(of: \.number, bufferingPolicy: .unbounded),
      combineLatest(first.values(of: \.number), second.values(of: \.number)).map { $0 + $1 },
      zip(first.changes(of: \.number), second.changes(of: \.number)).map { _ in 0 })
    return Task { for await value in merged { told.add(value) } }
  }

  @Test("tasks are cancelled at any moment while another thread sets: each value came once")
  func race() async throws {
    for round in 0..<200 {
      let meter = Meter(), told = Notes<Int>()
      let values = meter.values(of: \.number, bufferingPolicy: .unbounded)
      let task = Task { for await value in values { told.add(value) } }
      let setter = Task.detached { for number in 1...50 { meter.number = number } }
      if round.isMultiple(of: 2) { while told.all.count < round % 50 { await Task.yield() } }
      task.cancel()
      await task.value
      await setter.value
      #expect(told.all == Array(0..<told.all.count))
      #expect(try !meter.isObserved)
    }
  }
}
