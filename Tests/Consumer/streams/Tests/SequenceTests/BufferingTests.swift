import IsaKVO
import Testing

@Suite("Values that nobody has taken")
struct BufferingTests {
  typealias Policy = ObservationSequence<Int>.BufferingPolicy

  private func values(_ policy: Policy, setTo last: Int) async -> [Int] {
    await all(
      followed {
        $0.values(of: \.number, bufferingPolicy: policy)
      } while: { meter in
        for number in 1...last { meter.number = number }
      })
  }

  @Test("unbounded keeps all, in order")
  func unbounded() async {
    #expect(await values(.unbounded, setTo: 1000) == Array(0...1000))
  }

  @Test("the newest are kept, the oldest are, or none is")
  func bounded() async {
    #expect(await values(.bufferingNewest(3), setTo: 9) == [7, 8, 9])
    #expect(await values(.bufferingNewest(1), setTo: 9) == [9])
    #expect(await values(.bufferingOldest(3), setTo: 9) == [0, 1, 2])
    #expect(await values(.bufferingNewest(0), setTo: 9) == [])
    #expect(await values(.bufferingOldest(0), setTo: 9) == [])
    #expect(await values(.bufferingNewest(-1), setTo: 9) == [])
  }

  @Test("by default values keeps the latest one, and changes all")
  func defaults() async {
    let (values, changes) = followed {
      ($0.values(of: \.number), $0.changes(of: \.number))
    } while: { meter in
      for number in 1...5 { meter.number = number }
    }
    #expect(await all(values) == [5])
    #expect(await all(changes).map(\.newValue) == [1, 2, 3, 4, 5])
  }

  @Test("a task that waits is handed a value whatever the policy, and room is made by taking")
  func waiting() {
    for policy in [Policy.bufferingOldest(0), .bufferingNewest(0)] {
      #expect(told(policy) { $0.number = 1 } == [1])
    }
    #expect(
      told(.bufferingOldest(2)) { meter in
        for number in 1...5 { meter.number = number }
      } == [0, 1, 2, 3])
    #expect(
      told(.bufferingNewest(2)) { meter in
        for number in 1...5 { meter.number = number }
      } == [0, 1, 4, 5])
  }

  /// The values that a task is told which runs until it waits, before the change and after it.
  private func told(_ policy: Policy, _ change: (Meter) -> Void) -> [Int] {
    let meter = Meter(), turns = Turns(), told = Notes<Int>()
    let values = meter.values(of: \.number, bufferingPolicy: policy)
    let task = Task(executorPreference: turns) { for await value in values { told.add(value) } }
    turns.run()
    change(meter)
    turns.run()
    task.cancel()
    turns.run()
    return told.all
  }

  @Test("a value that was replaced, or found no place, is kept by nobody")
  func replaced() {
    let meter = Meter()
    let newest = meter.values(of: \.thing),
      oldest = meter.values(
        of: \.thing, bufferingPolicy: .bufferingOldest(1))
    weak var first: Thing?
    do {
      meter.thing = Thing()
      first = meter.thing
    }
    meter.thing = nil
    #expect(first == nil)
    withExtendedLifetime((newest, oldest)) {}
  }

  @Test("a consumer that stops reading holds what its policy says, until it goes")
  func stops() async throws {
    let meter = Meter()
    weak var thing: Thing?
    do {
      var iterator = meter.values(of: \.thing).makeAsyncIterator()
      _ = await iterator.next()
      for _ in 0..<100 { meter.thing = Thing() }
      thing = meter.thing
      meter.thing = Thing()
      #expect(thing == nil)
      thing = meter.thing
      #expect(try meter.isObserved)
    }
    #expect(try !meter.isObserved)
    meter.thing = nil
    #expect(thing == nil)
  }

  @Test("two that iterate share the values: each comes to one of them")
  func shared() async {
    let values = followed {
      $0.values(of: \.number, bufferingPolicy: .unbounded)
    } while: { meter in
      for number in 1...999 { meter.number = number }
    }
    async let first = all(values)
    async let second = all(values)
    let (some, others) = await (first, second)
    #expect(some == some.sorted() && others == others.sorted())
    #expect((some + others).sorted() == Array(0...999))
  }

  @Test("while another thread sets none is lost, none comes twice, and the order stays")
  func threads() async {
    let last = 5000
    for policy in [Policy.unbounded, .bufferingNewest(1), .bufferingNewest(64)] {
      let meter = Meter()
      let values = meter.values(of: \.number, bufferingPolicy: policy)
      let setter = Task.detached { for number in 1...last { meter.number = number } }
      var told: [Int] = []
      for await value in values {
        told.append(value)
        if value == last { break }
      }
      await setter.value
      if case .unbounded = policy { #expect(told == Array(0...last)) }
      #expect(told == Array(Set(told)).sorted() && told.last == last)
    }
  }
}
