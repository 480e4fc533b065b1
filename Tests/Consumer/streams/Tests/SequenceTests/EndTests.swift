import AsyncAlgorithms
import IsaKVO
import Testing

@Suite("The end of sequences")
struct EndTests {
  @Test("a task that waits is told when the object goes")
  func waiting() {
    let turns = Turns(), told = Notes<Int>()
    var meter: Meter? = Meter()
    let values = meter!.values(of: \.number), changes = meter!.changes(of: \.number)
    for end in [-1, -2] {
      Task(executorPreference: turns) {
        if end == -1 { for await value in values { told.add(value) } }
        if end == -2 { for await change in changes { told.add(change.newValue!) } }
        told.add(end)
      }
    }
    turns.run()
    #expect(told.all == [0])
    meter = nil
    turns.run()
    #expect(told.all.sorted() == [-2, -1, 0])
  }

  @Test("operators end with the objects: merge with both, zip with one")
  func operators() async {
    var first: Meter? = Meter()
    let second = Meter()
    let merged = merge(first!.values(of: \.number), first!.values(of: \.number))
    let zipped = zip(first!.values(of: \.number), second.values(of: \.number))
    first = nil
    #expect(await all(merged) == [0, 0])
    #expect(await all(zipped).count == 1)
    #expect(await all(merged).isEmpty)
  }

  @Test("a change ends its sequence, and those that came before the end are told")
  func stopped() async throws {
    let meter = Meter()
    let changes = meter.changes(of: \.number)
    meter.number = 1
    meter.number = 2
    var told: [Int?] = []
    for await change in changes {
      told.append(change.newValue)
      change.stopObserving()
      meter.number += 1
    }
    #expect(told == [1, 2])
    #expect(try !meter.isObserved)
  }

  @Test("a key path that cannot be observed is a misuse, and its sequence has ended")
  func refused() async throws {
    let meter = Meter()
    var sequences: (ObservationSequence<Int>, ObservationSequence<ValueChange<Int>>)?
    let told = misuses {
      sequences = (meter.values(of: \.plain), meter.changes(of: \.plain))
    }
    #expect(told.count == 2)
    let (values, changes) = try #require(sequences)
    #expect(await all(merge(values, changes.map { $0.newValue! })).isEmpty)
    #expect(await all(combineLatest(values, changes)).isEmpty)
    #expect(await all(values.debounce(for: .seconds(1), clock: ManualClock())).isEmpty)
    #expect(try !meter.isObserved)
  }
}
