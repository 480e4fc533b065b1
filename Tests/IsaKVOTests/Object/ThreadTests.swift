import Foundation
import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

/// A property belongs to one thread at a time, as in any class; observing it does not.
@Suite(.serialized, .leavesNoObjects)
struct ThreadTests {
  /// An object that a test shares among threads, of which one sets its properties.
  private struct Shared: @unchecked Sendable {
    let human = Human()
  }

  /// Runs the bodies at once, each on a thread of its own, and waits for all; objects that they
  /// hold are let go of before.
  private func together(_ bodies: [@Sendable () -> Void]) async {
    await withCheckedContinuation { done in
      let group = DispatchGroup()
      for body in bodies {
        group.enter()
        let work = Work(body)
        Thread.detachNewThread {
          work.run()
          group.leave()
        }
      }
      group.notify(queue: .global()) { done.resume() }
    }
  }

  /// A closure that is let go of once it has run, as the one that a thread was made with is not.
  private final class Work: @unchecked Sendable {
    private var body: (@Sendable () -> Void)?

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func run() {
      body?()
      body = nil
    }
  }

  @Test("one thread sets what two others begin and stop observing")
  func observing() async throws {
    let shared = Shared()
    // The keys of the key path are known from here on, so that observing reads no property.
    shared.human.observe(\.age) { _, _ in }.invalidate()
    let told = Recorder<Int>()
    let lasting = shared.human.observe(\.age, options: .new) { told.add($1.newValue!) }
    let observe: @Sendable () -> Void = {
      for _ in 0..<300 {
        let token = shared.human.observe(\.age, options: [.old, .new]) { _, change in
          #expect(change.newValue! == change.oldValue! + 1)
        }
        token.invalidate()
      }
    }
    await together([
      { for _ in 0..<1_000 { shared.human.age += 1 } }, observe, observe,
    ])
    #expect(told.all == Array(2...1_001))
    lasting.invalidate()
    #expect(!(try RuntimeObject(shared.human).isObserved))
  }

  @Test("threads read what somebody observes, by property, by name and by path")
  func reading() async throws {
    let shared = Shared(), human = shared.human
    let place = Place(), boss = Human()
    human.place = place
    human.boss = boss
    human.tags = ["a"]
    let tokens = try [
      "name", "age", "spot", "place", "count", "list", "tags", "info", "color", "report", "boss",
      "shape", "isGood",
    ].map { try human.observe($0, as: Any.self) { _, _ in } }
    // Computed by the first that reads it.
    _ = human.report
    let read: @Sendable () -> Void = {
      let human = shared.human
      for _ in 0..<200 {
        #expect(human.name == "Ann" && human.age == 1 && human.spot == Spot() && human.isGood)
        #expect(human.place != nil && human.count == nil && human.list == [1])
        #expect(human.tags == ["a"] && human.info.isEmpty && human.color == .red)
        #expect(human.report == "report" && human.boss != nil && human.shape is Circle)
        #expect(human.full == "Ann Lee")
      }
    }
    let readByName: @Sendable () -> Void = {
      let human = shared.human
      for _ in 0..<100 {
        for key in ["name", "age", "spot", "list", "tags", "color", "report", "isGood"] {
          #expect((try? human.value(forKey: key)) != nil)
        }
        #expect((try? human.value(forKeyPath: "place.city", as: String.self)) == "Paris")
        #expect((try? human.value(forKeyPath: "list.@sum.self", as: Int.self)) == 1)
        #expect(human.mutableArrayValue(for: \.list).count == 1)
      }
    }
    // Which properties a computed one reads is found out by reading them.
    let follow: @Sendable () -> Void = {
      for _ in 0..<50 {
        let token = shared.human.observe(\.greeting) { _, _ in }
        #expect(token.isValid)
        token.invalidate()
      }
    }
    await together([read, read, readByName, readByName, follow, follow])
    tokens.forEach { $0.invalidate() }
    withExtendedLifetime((place, boss)) {}
  }

  @Test("objects die on one thread while others end their observations")
  func dying() async throws {
    for _ in 0..<50 {
      var tokens: [KeyValueObservation] = []
      do {
        let human = Human()
        for _ in 0..<4 { tokens.append(human.observe(\.full) { _, _ in }) }
        human.name = "Bob"
      }
      let ending = tokens
      await together([
        { ending[0].invalidate() }, { ending[1].invalidateAndWait() }, { _ = ending[2].isValid },
      ])
      #expect(ending.allSatisfy { !$0.isValid })
    }
  }

  /// A token that its own handler asks.
  private final class Kept: @unchecked Sendable {
    // Sendable because the token is set before other threads have it.
    var token: KeyValueObservation?
  }

  @Test("ending an observation and waiting waits for what a transaction tells at its end, too")
  func waitingForTransactions() async {
    let kinds: [(Human, @escaping () -> Void) -> KeyValueObservation] = [
      { human, told in human.observe(\.age) { _, _ in told() } },
      { human, told in human.observe(\.full) { _, _ in told() } },
      { human, told in human.observe(\.age, \.full) { _, _, _ in told() } },
      { human, told in human.observe(\.age, suppressing: ==) { _, _ in told() } },
    ]
    for observe in kinds {
      let shared = Shared(), kept = Kept(), steps = Recorder<String>()
      kept.token = observe(shared.human) {
        steps.add("told")
        while kept.token!.isValid { sched_yield() }
        usleep(10_000)
        steps.add("left")
      }
      await together([
        {
          KVObject.transaction {
            shared.human.age = 2
            shared.human.name = "Bob"
          }
        },
        {
          while steps.count == 0 { sched_yield() }
          kept.token!.invalidateAndWait()
          steps.add("ended")
        },
      ])
      #expect(steps.all == ["told", "left", "ended"])
      kept.token = nil
    }
  }

  @Test("each thread has objects of its own: classes are registered once, all hear their own")
  func ownObjects() async {
    let told = Recorder<Int>()
    let work: @Sendable () -> Void = {
      for number in 0..<50 {
        let link = Link(), other = Other()
        let first = link.observe(\.next?.number, options: .new) { _, change in
          told.add(change.newValue!!)
        }
        let second = other.observe(\.twice, options: .new) { told.add($1.newValue!) }
        link.next = Link()
        link.next!.number = number
        other.number = number
        first.invalidate()
        second.invalidate()
      }
    }
    await together([work, work, work])
    #expect(told.count == 3 * 50 * 3)
  }

  @Test("an observer waits on no lock: one may stop what another thread is inside of")
  func waiting() async throws {
    let shared = Shared()
    let entered = DispatchSemaphore(value: 0), leave = DispatchSemaphore(value: 0)
    let token = shared.human.observe(\.age) { _, _ in
      entered.signal()
      leave.wait()
    }
    await together([
      { shared.human.age = 2 },
      {
        entered.wait()
        token.invalidate()
        _ = shared.human.observe(\.small) { _, _ in }
        leave.signal()
      },
    ])
    #expect(!token.isValid)
  }
}

private final class Link: KVObject {
  @Dynamic var number = 0
  @Dynamic var next: Link?
}

private final class Other: KVObject {
  @Dynamic var number = 0
  var twice: Int { number * 2 }
}
