import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

/// The kinds that tell what became of changes, and who was told.
private let usual: [RuntimeEventKind] = [
  .willChange, .didChange, .notification, .notificationEnded, .observerAdded, .observerRemoved,
  .observerRefused, .changeHeld, .changeMuted, .handlerSent, .handlerArrived, .handlerEnded,
  .spanBegan, .spanEnded, .transactionBegan, .transactionEnded,
]

/// The events that `body` makes.
private func events(
  _ kinds: [RuntimeEventKind] = usual, _ body: () throws -> Void
) throws -> [RuntimeEvent] {
  let log = try RuntimeEventLog(kinds)
  defer { log.stop() }
  try body()
  return log.events
}

extension [RuntimeEvent] {
  fileprivate func all(_ kind: RuntimeEventKind) -> [RuntimeEvent] { filter { $0.kind == kind } }
}

/// Keeps what it is given until it is told to run it.
private final class Later: Sendable {
  let work = Recorder<@Sendable () -> Void>()
  var delivery: KeyValueDelivery<KeyValueQueue> { .enqueue { [work] in work.add($0) } }
  func run() { for body in work.take() { body() } }
}

@Suite(.serialized, .leavesNoObjects)
struct LoggedNotificationTests {
  @Test(
    "what a transaction holds and what is muted is no notification; the later one has its cause")
  func heldAndMuted() throws {
    let human = Human(), runs = Recorder<Int>()
    let token = human.observe(\.age, options: .new) { _, change in runs.add(change.newValue!) }
    let seen = try events {
      KVObject.transaction {
        human.age = 2
        human.age = 3
        human.muting { human.age = 4 }
      }
    }
    #expect(runs.all == [3])
    let told = seen.all(.notification), held = seen.all(.changeHeld)
    #expect(told.count == 1 && seen.all(.notificationEnded).count == 1)
    #expect(held.count == 2 && seen.all(.changeMuted).count == 1)
    #expect(told[0].cause == held[1].id)
    #expect(held.allSatisfy { $0.registration == told[0].registration })
    #expect(seen.all(.transactionEnded).map(\.count) == [2])
    #expect(seen.all(.willChange)[0].cause == seen.all(.transactionBegan)[0].id)
    token.invalidate()
  }

  @Test("a handler that runs elsewhere is sent, arrives in the course of that, and ends")
  func elsewhere() throws {
    let human = Human(), later = Later(), other = Human(), runs = Recorder<Int>()
    let token = human.observe(\.age, options: .new, delivery: later.delivery) { change in
      runs.add(change.newValue!)
    }
    let second = other.observe(\.age) { _, _ in }
    let seen = try events {
      human.age = 5
      human.age = 6
      #expect(runs.all.isEmpty)
      later.run()
    }
    #expect(runs.all == [5, 6])
    let sent = seen.all(.handlerSent), arrived = seen.all(.handlerArrived)
    #expect(sent.map(\.cause) == seen.all(.notification).map(\.id))
    #expect(arrived.map(\.cause) == sent.map(\.id))
    #expect(seen.all(.handlerEnded).map(\.cause) == arrived.map(\.id))
    token.invalidate()
    second.invalidate()
  }

  @Test("values of a sequence are sent, and arrive with the task that takes them")
  func sequence() async throws {
    let human = Human(), log = try RuntimeEventLog(usual)
    var ages = human.values(of: \.age, bufferingPolicy: .unbounded).makeAsyncIterator()
    human.age = 8
    human.age = 9
    for expected in [1, 8, 9] { #expect(await ages.next() == expected) }
    log.stop()
    let sent = log.events.all(.handlerSent)
    #expect(sent.count == 2)
    #expect(log.events.all(.handlerArrived).map(\.cause) == sent.map(\.id))
  }

  @Test("a registration has its place, and a refused one is no registration")
  func places() throws {
    let human = Human()
    var line: UInt = 0
    let seen = try events {
      line = #line + 1
      let token = human.observe(\.age) { _, _ in }
      token.invalidate()
    }
    let added = try #require(seen.all(.observerAdded).first)
    #expect(added.file == #fileID && added.line == line)
    #expect(seen.all(.observerRemoved).map(\.registration) == [added.registration])
    #expect(added.registration != nil)
  }

  @Test("observing a computed property is a span with its place, of which the parts are children")
  func computed() throws {
    let human = Human(), runs = Recorder<String>()
    let line: UInt = #line + 2
    let seen = try events {
      let token = human.observe(\.full, options: .new) { _, change in runs.add(change.newValue!) }
      human.name = "Eve"
      KVObject.transaction {
        human.name = "Ada"
        human.last = "Byron"
      }
      human.muting { human.name = "Mute" }
      token.invalidate()
    }
    #expect(runs.all == ["Eve Lee", "Ada Byron"])
    let span = try #require(seen.all(.spanBegan).first)
    // Swift has no name for a computed property; its key path says of which class and type it is.
    #expect(span.name?.hasPrefix(#"observe \Human."#) == true)
    #expect(span.file == #fileID && span.line == line)
    let parts = seen.all(.observerAdded)
    #expect(Set(parts.compactMap(\.name)).isSuperset(of: ["name", "last"]))
    #expect(parts.prefix(2).allSatisfy { $0.cause == span.id })
    #expect(!seen.all(.changeHeld).isEmpty && !seen.all(.changeMuted).isEmpty)
  }

  @Test("numbers and texts are told as they are, by a planned set and by one step by step")
  func values() throws {
    for kinds in [usual, RuntimeEventKind.allCases] {
      let human = Human()
      let tokens = [
        human.observe(\.age, options: [.old, .new]) { _, _ in },
        human.observe(\.name, options: [.old, .new]) { _, _ in },
        human.observe(\.ratio, options: .new) { _, _ in },
      ]
      let told = try events(kinds) {
        human.age = 41
        human.name = "a text that is longer than a small one"
        human.ratio = 2.5
      }.all(.notification)
      #expect(told[0].value == 41 && told[0].oldValue == 1)
      #expect(told[1].text == "a text that is longer than a small one")
      #expect(told[1].oldText == "Ann")
      #expect(told[2].value == 2.5 && told[2].oldValue == nil)
      #expect(told.allSatisfy { $0.callback != nil && $0.registration != nil })
      tokens.forEach { $0.invalidate() }
    }
  }

  @Test("the log of a random program tells what its handlers counted", arguments: 1...12)
  func random(seed: UInt64) throws {
    var draws = Draws(seed: seed)
    let human = Human(), later = Later(), direct = Recorder<Void>(), sent = Recorder<Void>()
    var sets = 0
    func act(_ depth: Int) {
      switch draws.next(below: 6) {
      case 0 where depth < 3: KVObject.transaction { for _ in 0..<3 { act(depth + 1) } }
      case 1 where depth < 3: human.muting { act(depth + 1) }
      case 2: later.run()
      default:
        sets += 1
        human.age = Int(draws.next(below: 9))
      }
    }
    let seen = try events {
      let tokens = [
        human.observe(\.age, options: [.old, .new]) { _, _ in direct.add(()) },
        human.observe(\.age, options: .new, delivery: later.delivery) { _ in sent.add(()) },
      ]
      for _ in 0..<60 { act(0) }
      later.run()
      tokens.forEach { $0.invalidate() }
    }
    let numbers = seen.all(.observerAdded).compactMap(\.registration)
    let told = seen.all(.notification), ids = Set(seen.all(.didChange).map(\.id))
    #expect(told.filter { $0.registration == numbers[0] }.count == direct.count)
    #expect(told.count == seen.all(.notificationEnded).count)
    #expect(seen.all(.handlerArrived).count == sent.count)
    #expect(seen.all(.handlerEnded).count == sent.count)
    #expect(
      seen.all(.handlerSent).count == told.filter { $0.registration == numbers[1] }.count)
    let atOnce = told.filter { $0.cause.map(ids.contains) ?? false }.count
    #expect(
      atOnce + seen.all(.changeHeld).count + seen.all(.changeMuted).count
        == sets * numbers.count)
    let held = Set(seen.all(.changeHeld).map(\.id))
    #expect(told.allSatisfy { ids.contains($0.cause!) || held.contains($0.cause!) })
  }
}

/// Numbers that a seed makes.
private struct Draws {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next(below end: UInt64) -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state >> 33) % end
  }
}
