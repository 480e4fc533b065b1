import AsyncAlgorithms
import IsaKVO
import Testing

@Suite("Sequences under the operators of AsyncAlgorithms")
struct OperatorTests {
  @Test("removeDuplicates leaves out what was set again")
  func removeDuplicates() async {
    let (values, changes) = followed {
      (
        $0.values(of: \.number, bufferingPolicy: .unbounded).removeDuplicates(),
        $0.changes(of: \.number).removeDuplicates { $0.newValue == $1.newValue }
      )
    } while: { meter in
      for number in [0, 1, 1, 2, 2, 1] { meter.number = number }
    }
    #expect(await all(values) == [0, 1, 2, 1])
    #expect(await all(changes.map(\.newValue)) == [0, 1, 2, 1])
  }

  @Test("merge gives all of both, each in its order")
  func merge() async {
    let merged = followed {
      AsyncAlgorithms.merge(
        $0.values(of: \.number, bufferingPolicy: .unbounded),
        $0.changes(of: \.number, options: .new).map { -$0.newValue! })
    } while: { meter in
      for number in 1...50 { meter.number = number }
    }
    let all = await all(merged)
    #expect(all.filter { $0 >= 0 } == Array(0...50))
    #expect(all.filter { $0 < 0 } == (1...50).map { -$0 })
  }

  @Test("zip pairs each with each, and ends with the shorter")
  func zip() async {
    let zipped = followed {
      AsyncAlgorithms.zip(
        $0.values(of: \.number, bufferingPolicy: .unbounded), $0.changes(of: \.text))
    } while: { meter in
      for number in 1...5 { meter.number = number }
      for text in ["b", "c", "d"] { meter.text = text }
    }
    #expect(await all(zipped).map { "\($0)\($1.newValue!)" } == ["0b", "1c", "2d"])
  }

  @Test("combineLatest ends with the latest of both, and goes back in neither")
  func combineLatest() async {
    let combined = followed {
      AsyncAlgorithms.combineLatest(
        $0.values(of: \.number, bufferingPolicy: .unbounded),
        $0.changes(of: \.text).map { $0.newValue! })
    } while: { meter in
      for number in 1...20 { meter.number = number }
      for text in ["b", "c", "d"] { meter.text = text }
    }
    let all = await all(combined)
    #expect(all.last?.0 == 20 && all.last?.1 == "d")
    #expect(all.map(\.0) == all.map(\.0).sorted() && all.map(\.1) == all.map(\.1).sorted())
    for (before, after) in Swift.zip(all, all.dropFirst()) { #expect(before != after) }
  }

  @Test("chunks have all values, by count and by what is said of two")
  func chunked() async {
    let (counted, ascending, changes) = followed {
      (
        $0.values(of: \.number, bufferingPolicy: .unbounded).chunks(ofCount: 2),
        $0.values(of: \.number, bufferingPolicy: .unbounded).chunked(by: <),
        $0.changes(of: \.number).chunked { $0.newValue! < $1.newValue! }
      )
    } while: { meter in
      for number in [1, 3, 2, 5] { meter.number = number }
    }
    #expect(await all(counted) == [[0, 1], [3, 2], [5]])
    #expect(await all(ascending) == [[0, 1, 3], [2, 5]])
    #expect(await all(changes).map { $0.map(\.oldValue) } == [[0, 1], [3, 2]])
  }

  @Test("throttle gives one of those that come within its time")
  func throttle() async {
    let clock = ManualClock()
    let throttled = followed { meter in
      // Each takes a second to come.
      meter.values(of: \.number, bufferingPolicy: .unbounded)
        .map { number in
          clock.advance(by: .seconds(1))
          return number
        }
        ._throttle(for: .seconds(3), clock: clock)
    } while: { meter in
      for number in 1...9 { meter.number = number }
    }
    #expect(await all(throttled) == [0, 3, 6, 9])
  }

  @Test("debounce gives a value once none has come for its time")
  func debounce() async throws {
    let clock = ManualClock(), meter = Meter()
    let asked = Asked(base: meter.values(of: \.number, bufferingPolicy: .unbounded))
    let told = Notes<Int>()
    let task = Task {
      for try await number in asked.debounce(for: .seconds(10), clock: clock) { told.add(number) }
    }
    await clock.sleeper(until: .seconds(10))
    clock.advance(by: .seconds(6))
    for number in 1...3 { meter.number = number }
    await asked.asks(5)
    // The time of the first one: others have come meanwhile.
    clock.advance(by: .seconds(4))
    await clock.sleeper(until: .seconds(16))
    #expect(told.all.isEmpty)
    clock.advance(by: .seconds(6))
    while told.all.isEmpty { await Task.yield() }
    #expect(told.all == [3])
    task.cancel()
    try await task.value
  }

  @Test("the last value before the object's end comes through debounce")
  func debounceAtTheEnd() async {
    let clock = ManualClock()
    let last = followed {
      $0.changes(of: \.number).debounce(for: .seconds(10), clock: clock)
    } while: { meter in
      for number in 1...3 { meter.number = number }
    }
    #expect(await all(last).map(\.newValue) == [3])
  }
}
