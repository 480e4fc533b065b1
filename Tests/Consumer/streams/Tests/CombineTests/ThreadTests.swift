import Dispatch
import Foundation
import IsaKVO
import IsaKVOCombine
import Testing

@Suite("Re-entrance and threads")
struct ThreadTests {
  @Test("CMB-50: a value that the subscriber sets is sent inside the one before it")
  func reentrant() {
    let person = Person()
    var log: [String] = []
    let ages = person.publisher(for: \.age, options: .new).sink { age in
      log.append("(\(age)")
      if age < 5 { person.age = age + 1 }
      log.append(")")
    }
    person.age = 3
    #expect(log == ["(3", "(4", "(5", ")", ")", ")"])
    ages.cancel()
  }

  @Test("CMB-51: a subscriber may wait for another thread that sets the property: no lock is held")
  func noLock() {
    let shared = Shared()
    var values: [Int] = []
    let ages = shared.person.publisher(for: \.age, options: .new).sink { age in
      values.append(age)
      if age == 2 { shared.onOtherThread { $0.age = 3 } }
    }
    shared.person.age = 2
    #expect(values == [2, 3])
    ages.cancel()
  }

  @Test(
    "CMB-52: a value that comes on another thread meanwhile is sent behind, by the first thread")
  func inOrder() {
    let shared = Shared()
    var log: [String] = []
    let ages = shared.person.publisher(for: \.age, options: .new).sink { age in
      log.append("(\(age) \(Thread.current == shared.thread)")
      if age == 2 {
        shared.onOtherThread { $0.age = 3 }
        shared.person.age = 4
      }
      log.append(")")
    }
    shared.person.age = 2
    #expect(log == ["(2 true", "(3 true", ")", "(4 true", ")", ")"])
    ages.cancel()
  }

  @Test("CMB-53: one thread at a time calls the subscriber, and no value is lost")
  func oneAtATime() {
    let count = 4, rounds = 500
    let counter = Counter()
    // Not guarded: that is the subscriber's right.
    var calls = 0, inside = 0, most = 0
    let counts = counter.publisher(for: \.count, options: .new).sink { _ in
      inside += 1
      most = max(most, inside)
      calls += 1
      inside -= 1
    }
    DispatchQueue.concurrentPerform(iterations: count) { _ in
      for _ in 1...rounds { counter.add() }
    }
    #expect(calls == count * rounds)
    #expect(most == 1)
    #expect(inside == 0)
    counts.cancel()
  }

  @Test("CMB-57: a value that comes while the initial one is read takes its place")
  func changeInInitial() {
    let counter = Counter()
    var counts: [Int] = []
    counter.slowReads = 1
    let token = counter.publisher(for: \.count).sink { counts.append($0) }
    #expect(counter.slowReads == 0 && counter.count == 1 && counts == [1])
    token.cancel()
  }

  @Test("CMB-54: the end comes behind the values that wait")
  func endBehind() {
    let shared = Shared()
    var log: [String] = []
    let ages = shared.person.publisher(for: \.age, options: .new)
      .handleEvents(receiveCompletion: { _ in log.append("end") })
      .sink { age in
        log.append("\(age)")
        if age == 2 {
          shared.onOtherThread { $0.age = 3 }
          shared.person = Person()
        }
      }
    shared.person.age = 2
    #expect(log == ["2", "3", "end"])
    ages.cancel()
  }

  @Test("CMB-55: a subscription that is cancelled drops the values that wait")
  func cancelDrops() {
    let shared = Shared(),
      probe = Probe<Int> { probe, age in
        if age == 2 {
          shared.onOtherThread { $0.age = 3 }
          probe.cancel()
        }
        return .none
      }
    shared.person.publisher(for: \.age, options: .new).subscribe(probe)
    shared.person.age = 2
    #expect(probe.values == [2])
  }

  @Test("CMB-56: demand that is answered to one thread is there for the next")
  func demandAcrossThreads() {
    let shared = Shared(), probe = Probe<Int>(demanding: .max(1)) { _, _ in .max(1) }
    shared.person.publisher(for: \.age, options: .new).subscribe(probe)
    for age in 2...9 { shared.onOtherThread { $0.age = age } }
    #expect(probe.values == Array(2...9))
    probe.cancel()
  }
}

/// A person that two threads change in turn.
final class Shared: @unchecked Sendable {
  // Sendable because one thread waits for the other.
  var person = Person()
  let thread = Thread.current

  /// Changes the person on another thread, and waits until it has been done.
  func onOtherThread(_ change: @escaping @Sendable (Person) -> Void) {
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      change(self.person)
      done.signal()
    }
    thread.start()
    done.wait()
  }
}

/// A class that several threads may change at once.
final class Counter: KVObject, @unchecked Sendable {
  // Sendable because the count is reached under its lock, and what a read does by one thread.
  private let lock = NSLock()
  private var unlockedCount = 0
  /// How many reads of the count are slow: another thread changes it before they end.
  var slowReads = 0

  var count: Int {
    let read = lock.withLock { unlockedCount }
    if slowReads > 0, !Thread.current.isCounting {
      slowReads -= 1
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        Thread.current.isCounting = true
        self.add()
        done.signal()
      }
      done.wait()
    }
    return read
  }

  func add() {
    withChange(of: \.count) { lock.withLock { unlockedCount += 1 } }
  }

  override class var keys: [KeyDeclaration] {
    [.key("count", \Counter.count, notifiesAutomatically: false)]
  }
}

extension Thread {
  fileprivate var isCounting: Bool {
    get { threadDictionary["isCounting"] != nil }
    set { threadDictionary["isCounting"] = newValue ? true : nil }
  }
}
