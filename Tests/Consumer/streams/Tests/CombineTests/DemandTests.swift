import IsaKVO
import IsaKVOCombine
import Testing

@Suite("Demand")
struct DemandTests {
  @Test("CMB-20: the initial value waits for the first demand, and a later one takes its place")
  func initialWaits() {
    let person = Person(), probe = Probe<Int>(demanding: .none)
    person.publisher(for: \.age).subscribe(probe)
    #expect(probe.values.isEmpty)
    let late = Probe<Int>(demanding: .none)
    person.publisher(for: \.age).subscribe(late)
    probe.request(.max(1))
    #expect(probe.values == [1])
    person.age = 2
    person.age = 3
    late.request(.max(2))
    #expect(late.values == [3] && probe.values == [1])
    person.age = 4
    #expect(late.values == [3, 4])
    probe.cancel()
    late.cancel()
  }

  @Test("CMB-21: the initial value is sent once")
  func initialOnce() {
    let person = Person(), probe = Probe<Int>(demanding: .none)
    person.publisher(for: \.age).subscribe(probe)
    probe.request(.max(1))
    probe.request(.max(1))
    #expect(probe.values == [1])
    person.age = 2
    #expect(probe.values == [1, 2])
    probe.cancel()
  }

  @Test("CMB-22: another value without demand is dropped, and not made up for")
  func dropped() {
    let person = Person(), probe = Probe<Int>(demanding: .none)
    person.publisher(for: \.age, options: .new).subscribe(probe)
    person.age = 2
    probe.request(.unlimited)
    #expect(probe.values.isEmpty)
    person.age = 3
    #expect(probe.values == [3])
    probe.cancel()
  }

  @Test("CMB-23: as many values are sent as were demanded", arguments: [1, 2, 3])
  func exact(demand: Int) {
    let person = Person(), probe = Probe<Int>(demanding: .max(demand))
    person.publisher(for: \.age).subscribe(probe)
    for age in 2...9 { person.age = age }
    #expect(probe.values == Array(1...demand))
    probe.cancel()
  }

  @Test("CMB-24: demand without an initial value that waits is not lost", arguments: [1, 2, 3])
  func notLost(demand: Int) {
    let person = Person(), probe = Probe<Int>(demanding: .none)
    person.publisher(for: \.age, options: .new).subscribe(probe)
    for _ in 1...demand { probe.request(.max(1)) }
    for age in 2...9 { person.age = age }
    #expect(probe.values == Array(2..<(2 + demand)))
    probe.cancel()
  }

  @Test("CMB-25: the demand that a subscriber answers a value with counts")
  func answered() {
    let person = Person()
    let probe = Probe<Int>(demanding: .max(1)) { _, age in age < 4 ? .max(1) : .none }
    person.publisher(for: \.age).subscribe(probe)
    for age in 2...9 { person.age = age }
    #expect(probe.values == [1, 2, 3, 4])
    probe.cancel()
  }

  @Test("CMB-26: demand that is requested inside a value counts")
  func requestedInside() {
    let person = Person()
    let probe = Probe<Int>(demanding: .max(1)) { probe, age in
      if age == 1 { probe.request(.max(2)) }
      return .none
    }
    person.publisher(for: \.age).subscribe(probe)
    for age in 2...9 { person.age = age }
    #expect(probe.values == [1, 2, 3])
    probe.cancel()
  }

  @Test("CMB-27: the value before a change and the one after it take a demand each")
  func priorTakesTwo() {
    let person = Person(), probe = Probe<Int>(demanding: .max(3))
    person.publisher(for: \.age, options: [.prior, .new]).subscribe(probe)
    person.age = 2
    person.age = 3
    #expect(probe.values == [1, 2, 2])
    probe.cancel()
  }

  @Test("CMB-28: a subscriber that never demands is sent its end alone")
  func zeroForEver() {
    let probe = Probe<Int>(demanding: .none)
    weak var gone: Person?
    do {
      let person = Person()
      gone = person
      person.publisher(for: \.age).subscribe(probe)
      person.age = 2
    }
    #expect(gone == nil)
    #expect(probe.values.isEmpty)
    #expect(probe.endings == 1)
  }

  @Test("CMB-29: a request of none is one, and sends nothing")
  func requestOfNone() {
    let person = Person(), probe = Probe<Int>(demanding: .none)
    person.publisher(for: \.age).subscribe(probe)
    probe.request(.none)
    #expect(probe.values.isEmpty)
    probe.request(.unlimited)
    #expect(probe.values == [1])
    probe.cancel()
  }
}
