import Dispatch
import IsaKVO
import IsaKVOTestSupport
import Testing

private final class Counter: KVObject, @unchecked Sendable {
  @Dynamic var number = 0
}

private actor Sum {
  var numbers: [Int] = []
  func add(_ number: Int) { numbers.append(number) }
}

/// Runs jobs on a queue.
private final class QueueExecutor: SerialExecutor {
  let queue = DispatchQueue(label: "executor")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

/// Runs what it is given when it is told to.
private final class Later: Sendable {
  let work = Recorder<@Sendable () -> Void>()
  var target: KeyValueDelivery<KeyValueQueue> { .enqueue { [work] in work.add($0) } }

  func run() {
    let all = work.all
    work.clear()
    all.forEach { $0() }
  }
}

@Suite(.serialized, .leavesNoObjects)
struct KeyValueDeliveryTests {
  @Test("the handler runs where it is asked to, in order, with all changes")
  func order() throws {
    let counter = Counter(), later = Later()
    let notes = Recorder<Int?>()
    let token = counter.observe(\.number, options: .new, delivery: later.target) { change in
      notes.add(change.newValue)
    }
    for number in 1...3 { counter.number = number }
    #expect(notes.count == 0)
    #expect(later.work.count == 1)
    later.run()
    #expect(notes.all == [1, 2, 3])
    counter.number = 4
    later.run()
    #expect(notes.all == [1, 2, 3, 4])
    token.invalidate()
  }

  @Test("a closure that runs at once and changes what it hears of loops, and ends at the limit")
  func atOnce() {
    let limit = KeyValueSettings.depthLimit
    KeyValueSettings.depthLimit = 100_000
    defer { KeyValueSettings.depthLimit = limit }
    let counter = Counter()
    let notes = Recorder<Int>()
    let token = counter.observe(\.number, options: .new, delivery: .enqueue { $0() }) { change in
      notes.add(change.newValue!)
      if change.newValue! < 50_000 { counter.number += 1 }
    }
    counter.number = 1
    #expect(notes.all == Array(1...50_000))
    KeyValueSettings.depthLimit = 10
    notes.clear()
    let told = reports {
      counter.number = 0
    }
    #expect(notes.all == Array(0...9) && counter.number == 10)
    #expect(told.count == 1 && told.first?.reason.contains("10 times in a row") == true)
    // The next change begins anew.
    counter.number = 49_999
    #expect(notes.all.suffix(2) == [49_999, 50_000])
    token.invalidate()
  }

  @Test("what other threads change while a handler runs at once is told, however much that is")
  func besideOthers() {
    let limit = KeyValueSettings.depthLimit
    KeyValueSettings.depthLimit = 5
    defer { KeyValueSettings.depthLimit = limit }
    let counter = Counter(), other = DispatchQueue(label: "other")
    let notes = Recorder<Int>()
    let token = counter.observe(\.number, options: .new, delivery: .enqueue { $0() }) { change in
      notes.add(change.newValue!)
      let isOver = DispatchSemaphore(value: change.newValue! < 100 ? 0 : 1)
      other.async {
        if notes.count < 100 { counter.number += 1 }
        isOver.signal()
      }
      isOver.wait()
    }
    let told = reports { counter.number = 1 }
    other.sync {}
    #expect(notes.all == Array(1...100))
    #expect(told.isEmpty)
    token.invalidate()
  }

  @Test("what has not been told when the observation ends never is")
  func ended() throws {
    let counter = Counter(), later = Later()
    let notes = Recorder<Int?>()
    let token = counter.observe(\.number, options: .new, delivery: later.target) { change in
      notes.add(change.newValue)
      change.stopObserving()
    }
    counter.number = 1
    counter.number = 2
    later.run()
    #expect(notes.all == [1])
    #expect(!token.isValid)
    counter.number = 3
    #expect(later.work.count == 0)
  }

  @Test("what changed is told after the object has gone; with the object, it stays until then")
  func lifetime() throws {
    let later = Later()
    let notes = Recorder<Int?>()
    var counter: Counter? = Counter()
    weak let reference = counter
    let first = counter?.observe(\.number, options: .new, delivery: later.target) { change in
      notes.add(change.newValue)
    }
    counter?.number = 1
    counter = nil
    #expect(reference == nil)
    later.run()
    #expect(notes.all == [1])

    var second: Counter? = Counter()
    weak let other = second
    let token = second?.observe(\.number, delivery: later.target) { counter, _ in
      notes.add(counter.number)
    }
    second?.number = 2
    second = nil
    #expect(other != nil)
    later.run()
    #expect(other == nil)
    #expect(notes.all == [1, 2])
    withExtendedLifetime((first, token)) {}
  }

  @Test("equal values are suppressed on the way, and the initial value is sent")
  func suppressed() throws {
    let counter = Counter(), later = Later()
    let notes = Recorder<Int?>()
    let token = counter.observe(
      \.number, options: [.initial, .new], suppressing: ==, delivery: later.target
    ) { change in notes.add(change.newValue) }
    counter.number = 0
    counter.number = 1
    later.run()
    #expect(notes.all == [0, 1])
    token.invalidate()
  }

  @Test("a queue that runs several things at once gets the changes in order and one at a time")
  func concurrentQueue() throws {
    let counter = Counter()
    let notes = Recorder<Int?>()
    let queue = DispatchQueue(label: "several", attributes: .concurrent)
    let done = DispatchSemaphore(value: 0)
    let token = counter.observe(\.number, options: .new, delivery: .queue(queue)) { change in
      notes.add(change.newValue)
      if change.newValue == 200 { done.signal() }
    }
    for number in 1...200 { counter.number = number }
    done.wait()
    #expect(notes.all == Array(1...200))
    token.invalidateAndWait()
  }

  @Test("an actor's handler runs in its isolation, in order")
  func actor() async throws {
    let counter = Counter(), sum = Sum()
    let (told, continuation) = AsyncStream<Void>.makeStream()
    let token = counter.observe(\.number, options: .new, delivery: .on(sum)) { sum, change in
      sum.add(change.newValue ?? 0)
      if change.newValue == 50 { continuation.finish() }
    }
    for number in 1...50 { counter.number = number }
    for await _ in told {}
    #expect(await sum.numbers == Array(1...50))
    token.invalidate()
  }

  @Test("an observation on an actor ends with it")
  func actorDies() async throws {
    let counter = Counter()
    var sum: Sum? = Sum()
    let token = counter.observe(\.number, delivery: .on(sum!)) { _, _ in }
    sum = nil
    counter.number = 1
    while token.isValid { await Task.yield() }
    #expect(!token.isValid)
  }

  @Test("an executor runs the handler")
  func executor() async throws {
    let counter = Counter(), executor = QueueExecutor()
    let (values, continuation) = AsyncStream<Int>.makeStream()
    let token = counter.observe(\.number, options: .new, delivery: .executor(executor)) {
      change in
      dispatchPrecondition(condition: .onQueue(executor.queue))
      continuation.yield(change.newValue ?? 0)
      if change.newValue == 3 { continuation.finish() }
    }
    for number in 1...3 { counter.number = number }
    var all: [Int] = []
    for await value in values { all.append(value) }
    #expect(all == [1, 2, 3])
    token.invalidate()
  }

  @Test("an executor of tasks that runs several at once gets the changes in order")
  func taskExecutor() async throws {
    let counter = Counter()
    let (values, continuation) = AsyncStream<Int>.makeStream()
    let target = KeyValueDelivery.taskExecutor(globalConcurrentExecutor)
    let token = counter.observe(\.number, options: .new, delivery: target) { change in
      continuation.yield(change.newValue ?? 0)
      if change.newValue == 100 { continuation.finish() }
    }
    for number in 1...100 { counter.number = number }
    var all: [Int] = []
    for await value in values { all.append(value) }
    #expect(all == Array(1...100))
    token.invalidate()
  }

  @Test("ending waits for a handler that runs elsewhere")
  func waits() throws {
    let counter = Counter()
    let notes = Recorder<String>()
    let queue = DispatchQueue(label: "elsewhere")
    let began = DispatchSemaphore(value: 0)
    let token = counter.observe(\.number, delivery: .queue(queue)) { _ in
      began.signal()
      for _ in 0..<1000 { notes.add("told") }
    }
    counter.number = 1
    began.wait()
    token.invalidateAndWait()
    #expect(notes.count == 1000)
    counter.number = 2
    queue.sync {}
    #expect(notes.count == 1000)
  }

  @Test("one thread sets while others observe and end, on a queue")
  func threads() async throws {
    let counter = Counter()
    let queue = DispatchQueue(label: "race", attributes: .concurrent)
    let isOver = Recorder<Void>()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          while isOver.count == 0 {
            let token = counter.observe(\.number, options: .new, delivery: .queue(queue)) {
              _ in
            }
            if Bool.random() { token.invalidate() } else { token.invalidateAndWait() }
            await Task.yield()
          }
        }
      }
      group.addTask {
        for number in 0..<500 { counter.number = number }
        isOver.add(())
      }
    }
    queue.sync(flags: .barrier) {}
    #expect(counter.number == 499)
  }

  @Test("a handler of the main actor runs before the setter returns") @MainActor
  func mainActor() throws {
    let human = Human(), screen = Screen()
    let token = human.observe(\.age, options: .new, delivery: .mainActor) { human, _ in
      screen.text = "\(human.age)"
    }
    human.age = 5
    #expect(screen.text == "5")
    token.invalidate()
  }

  @Test("strictly, a change elsewhere of what is observed on the main actor stops the process")
  func notMainActor() async {
    await #expect(processExitsWith: .failure) {
      KeyValueSettings.misusePolicy = .strict
      nonisolated(unsafe) let human = Human()
      let token = human.observe(\.age, delivery: .mainActor) { _, _ in }
      await Task.detached { human.age = 1 }.value
      withExtendedLifetime(token) {}
    }
  }

  @Test("the main actor as a target is told later")
  func mainActorLater() async throws {
    let counter = Counter()
    let screen = await MainActor.run { Screen() }
    let (told, continuation) = AsyncStream<Void>.makeStream()
    let token = counter.observe(\.number, options: .new, delivery: .on(MainActor.shared)) {
      _, change in
      MainActor.assumeIsolated { screen.text = "\(change.newValue ?? 0)" }
      continuation.finish()
    }
    counter.number = 6
    for await _ in told {}
    #expect(await screen.text == "6")
    token.invalidate()
  }
}

@MainActor private final class Screen {
  var text = ""
}
