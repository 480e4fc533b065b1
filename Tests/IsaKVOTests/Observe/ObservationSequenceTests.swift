import CIsa
import Foundation
import IsaKVO
import IsaKVOTestSupport
import Synchronization
import Testing

private final class Thing: Sendable {}

private final class Counter: KVObject, @unchecked Sendable {
  @Dynamic var number = 0
  @Dynamic var thing: Thing? = nil
  @Dynamic var list: [Int] = []
}

/// A class whose count another thread changes before a read of it ends.
private final class SlowCounter: KVObject, @unchecked Sendable {
  // Sendable because one thread waits for the other.
  private let total = Mutex(0)
  var slowReads = 0

  var count: Int {
    let read = total.withLock { $0 }
    if slowReads > 0 {
      slowReads -= 1
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        self.withChange(of: \.count) { self.total.withLock { $0 += 1 } }
        done.signal()
      }
      done.wait()
    }
    return read
  }

  override class var keys: [KeyDeclaration] {
    [.key("count", \SlowCounter.count, notifiesAutomatically: false)]
  }
}

@Suite(.serialized, .leavesNoObjects)
struct ObservationSequenceTests {
  @Test("a change that comes while the current value is read takes its place")
  func changeInFirstRead() async throws {
    var counter: SlowCounter? = SlowCounter()
    counter!.slowReads = 1
    let counts = counter!.values(of: \.count, bufferingPolicy: .unbounded)
    #expect(counter!.slowReads == 0 && counter!.count == 1)
    counter = nil
    var all: [Int] = []
    for await count in counts { all.append(count) }
    #expect(all == [1])
  }

  @Test("changes come in order, as many as there were, and end with the object")
  func changes() async throws {
    var counter: Counter? = Counter()
    let changes = counter!.changes(of: \.number)
    for number in 1...3 { counter?.number = number }
    counter = nil
    var all: [[Int?]] = []
    for await change in changes { all.append([change.oldValue, change.newValue]) }
    #expect(all == [[0, 1], [1, 2], [2, 3]])
  }

  @Test("values begin with the current one, and only the latest waits")
  func values() async throws {
    var counter: Counter? = Counter()
    let values = counter!.values(of: \.number)
    var iterator = values.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    counter?.number = 1
    counter?.number = 2
    #expect(await iterator.next() == 2)
    counter?.number = 3
    counter = nil
    #expect(await iterator.next() == 3)
    #expect(await iterator.next() == nil)
  }

  @Test("another buffering policy keeps what it says")
  func policy() async throws {
    var counter: Counter? = Counter()
    let values = counter!.values(of: \.number, bufferingPolicy: .unbounded)
    let oldest = counter!.changes(of: \.number, bufferingPolicy: .bufferingOldest(1))
    counter?.number = 1
    counter?.number = 2
    counter = nil
    var all: [Int] = []
    for await value in values { all.append(value) }
    for await change in oldest { all.append(change.newValue ?? -1) }
    #expect(all == [0, 1, 2, 1])
  }

  @Test("values are whole ones, also where elements change, and of computed key paths")
  func whole() async throws {
    let human = Human()
    var lists = human.values(of: \.list).makeAsyncIterator()
    var names = human.values(of: \.full).makeAsyncIterator()
    #expect(await lists.next() == [1])
    #expect(await names.next() == "Ann Lee")
    human.list.append(2)
    human.last = "May"
    #expect(await lists.next() == [1, 2])
    #expect(await names.next() == "Ann May")
  }

  @Test("a task that is cancelled stops iterating, and nothing is observed any more")
  func cancelled() async throws {
    let counter = Counter()
    let values = counter.values(of: \.number)
    let task = Task {
      var last = -1
      for await value in values { last = value }
      return last
    }
    while counter.number < 3 {
      counter.number += 1
      await Task.yield()
    }
    task.cancel()
    _ = await task.value
    #expect(!isObserved(counter))
  }

  @Test("a sequence that nobody holds ends")
  func dropped() async throws {
    let counter = Counter()
    do { _ = counter.changes(of: \.number) }
    #expect(!isObserved(counter))
    do {
      var iterator = counter.values(of: \.number).makeAsyncIterator()
      #expect(await iterator.next() == 0)
      #expect(isObserved(counter))
    }
    #expect(!isObserved(counter))
  }

  @Test("a change can end the sequence")
  func stopped() async throws {
    let counter = Counter()
    let changes = counter.changes(of: \.number)
    counter.number = 1
    counter.number = 2
    var count = 0
    for await change in changes {
      count += 1
      change.stopObserving()
      counter.number += 1
    }
    #expect(count == 2)
    #expect(!isObserved(counter))
  }

  @Test("a key path that cannot be observed is a misuse, and the sequence has ended")
  func refused() async {
    let human = Human()
    var changes: ObservationSequence<ValueChange<Int>>?
    var values: ObservationSequence<Int>?
    expectMisuse { changes = human.changes(of: \.unwrapped) }
    expectMisuse { values = human.values(of: \.unwrapped) }
    for await _ in changes! { Issue.record("a change") }
    for await _ in values! { Issue.record("a value") }
  }

  @Test("changes that nobody has consumed go with their sequence")
  func unconsumed() throws {
    let counter = Counter()
    weak var thing: Thing?
    do {
      let changes = counter.changes(of: \.thing, options: .new)
      counter.thing = Thing()
      thing = counter.thing
      counter.thing = nil
      withExtendedLifetime(changes) { #expect(thing != nil) }
    }
    #expect(thing == nil)
    #expect(!isObserved(counter))
  }

  @Test("one thread sets while others iterate and stop")
  func threads() async throws {
    let counter = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<20 {
            for await _ in counter.changes(of: \.number, options: .new) { break }
          }
        }
      }
      let setter = Task {
        while !Task.isCancelled {
          counter.number &+= 1
          await Task.yield()
        }
      }
      await group.waitForAll()
      setter.cancel()
      await setter.value
    }
    #expect(!isObserved(counter))
  }
}

/// Whether anything is registered on an object that has been observed before.
private func isObserved(_ object: KVObject) -> Bool {
  // The header stands behind the two words that every Swift object begins with.
  kvo_is_observed(OpaquePointer(Unmanaged.passUnretained(object).toOpaque() + 16))
}
