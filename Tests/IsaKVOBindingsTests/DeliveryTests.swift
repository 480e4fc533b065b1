import Foundation
import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import Testing

/// A model that several threads use; each property is set by one of them at a time.
private class Shared: KVObject, @unchecked Sendable {
  @Dynamic var number = 0
  @Dynamic var text = ""
  @Dynamic var nickname: String?
  @Dynamic var home: Home?
  @Dynamic var enabled = false
}

/// A model that takes no negative number.
private final class Judged: Shared, @unchecked Sendable {
  override class var keys: [KeyDeclaration] {
    [.key("number", \Judged.number, validate: { _, new in if new < 0 { throw Refused() } })]
  }
}

/// A view of the main actor.
private final class Screen: KVObject, MainActorObject {
  @Dynamic var number = 0 { didSet { numbers.append(number) } }
  @Dynamic var text = ""
  var numbers: [Int] = []
}

/// A place that runs what it is given when it is told to, and says where that is.
private final class Place: @unchecked Sendable {
  private let lock = NSLock()
  private var works: [@Sendable () -> Void] = []

  var delivery: KeyValueDelivery<KeyValueQueue> {
    // Weak: work that nobody runs has the delivery.
    .enqueue { [weak self] work in self?.add(work) }
  }

  private func add(_ work: @escaping @Sendable () -> Void) { lock.withLock { works.append(work) } }

  /// How many pieces of work wait.
  var count: Int { lock.withLock { works.count } }

  /// Runs what there is, and what that brings.
  func run() {
    while let work = lock.withLock({ works.isEmpty ? nil : works.removeFirst() }) { work() }
  }
}

/// Runs code on a thread of its own, and waits.
private func elsewhere(_ body: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    body()
    done.signal()
  }
  done.wait()
}

/// Waits on the main actor until something is so.
@MainActor private func until(_ isSo: @MainActor () -> Bool) async {
  for _ in 0..<100_000 where !isSo() { await Task.yield() }
}

@Suite(.serialized, .oneAtATime) struct QueueDeliveryTests {
  @Test(
    "BND-134: the call makes the first push, on its thread; later ones are made elsewhere in order")
  func first() throws {
    let source = Shared(), target = Shared(), place = Place()
    source.number = 7
    let told = ToldValues(target, \.number)
    let binding = try target.follow(\.number, of: source, \.number, delivery: place.delivery)
    #expect(told.values == [7] && place.count == 0)
    for number in [1, 2, 2, 3] { source.number = number }
    #expect(told.values == [7] && target.number == 7)
    place.run()
    #expect(told.values == [7, 1, 2, 2, 3] && binding.isValid)
  }

  @Test("BND-134: a transaction is one delivered push, and what is muted none")
  func scopes() throws {
    let source = Shared(), target = Shared(), place = Place()
    try target.follow(\.number, of: source, \.number, delivery: place.delivery)
    let told = ToldValues(target, \.number)
    KVObject.transaction { for number in 1...3 { source.number = number } }
    source.muting { source.number = 9 }
    place.run()
    #expect(told.values == [3])
  }

  @Test("BND-134: the transformer runs where the delivery leads, and its errors are told there")
  func transformers() throws {
    let source = Shared(), target = Shared(), place = Place(), runs = Counter()
    let binding = try target.follow(
      \.text, of: source, \.number, suppressing: ==, delivery: place.delivery
    ) { number in
      runs.add()
      if number > 100 { throw Refused() }
      return "\(number)"
    }
    var refused: [String] = []
    binding.onError = { error, value in refused.append("\(error.code) \(value!)") }
    for number in [5, 5, 200, 6] { source.number = number }
    #expect(runs.value == 1 && refused == [])
    place.run()
    #expect(runs.value == 4 && refused == ["invalid 200"] && target.text == "6")
  }

  @Test("BND-8, BND-134: what names that are left yield is shown where their delivery leads")
  func group() throws {
    let first = Shared(), target = Shared(), place = Place()
    first.enabled = true
    try target.bind(.enabled, to: first, withKeyPath: "enabled", delivery: place.delivery)
    do {
      let second = Shared()
      try target.bind("enabled2", to: second, withKeyPath: "enabled", delivery: place.delivery)
    }
    #expect(!target.enabled)
    place.run()
    #expect(target.enabled && target.bindings.count == 1)
    first.enabled = false
    target.unbindAll()
    place.run()
    #expect(target.enabled && registrations(of: first) == 0)
  }

  @Test("BND-134: a placeholder stands for nil, there too")
  func placeholder() throws {
    let source = Shared(), target = Shared(), place = Place()
    try target.follow(
      \.text, of: source, \.nickname, ifNil: "none", delivery: place.delivery)
    #expect(target.text == "none")
    source.nickname = "Al"
    place.run()
    #expect(target.text == "Al")
    source.nickname = nil
    place.run()
    #expect(target.text == "none")
  }

  @Test("BND-134: once unbound, a binding makes no push, also of letters that wait")
  func unbound() throws {
    for waits in [false, true] {
      let source = Shared(), target = Shared(), place = Place()
      let told = ToldValues(target, \.number)
      let binding = try target.follow(\.number, of: source, \.number, delivery: place.delivery)
      source.number = 1
      place.run()
      source.number = 2
      source.number = 3
      if waits { binding.unbindAndWait() } else { binding.unbind() }
      source.number = 4
      place.run()
      #expect(told.values == [0, 1] && !binding.isValid)
      #expect(registrations(of: source) == 0 && target.bindings.isEmpty)
    }
  }

  @Test("BND-134: unbinding in a delivered push makes it the last")
  func unboundWithin() throws {
    let source = Shared(), target = Shared(), place = Place()
    let binding = try target.follow(\.number, of: source, \.number, delivery: place.delivery)
    var values: [Int] = []
    let token = target.observe(\.number, options: .new) { _, change in
      values.append(change.newValue!)
      binding.unbindAndWait()
    }
    for number in 1...3 { source.number = number }
    place.run()
    #expect(values == [1] && target.number == 1)
    withExtendedLifetime(token) {}
  }

  @Test("BND-134: waiting for the end waits for a push that is under way elsewhere")
  func waiting() throws {
    let source = Shared(), target = Shared()
    let queue = DispatchQueue(label: "pushes"), begun = DispatchSemaphore(value: 0),
      ends = Counter()
    let binding = try target.follow(
      \.number, of: source, \.number, delivery: .queue(queue)
    ) { number in
      guard number > 0 else { return number }
      begun.signal()
      Thread.sleep(forTimeInterval: 0.05)
      ends.add()
      return number
    }
    source.number = 1
    begun.wait()
    source.number = 2
    binding.unbindAndWait()
    #expect(ends.value == 1)
    queue.sync {}
    #expect(ends.value == 1 && target.number <= 1)
  }

  @Test("BND-134: a target that has gone is not pushed to")
  func targetGone() throws {
    let source = Shared(), place = Place(), runs = Counter()
    weak var gone: Shared?
    var binding: Binding?
    do {
      let target = Shared()
      gone = target
      binding = try target.follow(
        \.number, of: source, \.number, delivery: place.delivery
      ) { number in
        runs.add()
        return number
      }
      source.number = 1
    }
    #expect(gone == nil && !binding!.isValid && registrations(of: source) == 0)
    place.run()
    #expect(runs.value == 1)
  }

  @Test("BND-134: what a source was set to before it went is pushed; then the binding has ended")
  func sourceGone() throws {
    for twoWays in [false, true] {
      let target = Shared(), place = Place()
      let told = ToldValues(target, \.number)
      var binding: Binding?
      do {
        let source = Shared()
        binding =
          twoWays
          ? try target.bind(\.number, to: source, \.number, delivery: place.delivery)
          : try target.follow(\.number, of: source, \.number, delivery: place.delivery)
        source.number = 1
        source.number = 2
      }
      #expect(!binding!.isValid && told.values == [0])
      place.run()
      #expect(told.values == [0, 1, 2] && target.bindings.isEmpty)
      #expect(registrations(of: target) == 1)
      target.number = 3
      #expect(target.number == 3)
    }
  }

  @Test("BND-134: each change of several threads is one push")
  func exact() throws {
    let source = Shared(), target = Shared(), rounds = 2_000, pushes = Counter()
    let queue = DispatchQueue(label: "pushes")
    let binding = try target.follow(
      \.number, of: source, \.number, delivery: .queue(queue)
    ) { number in
      pushes.add()
      return number
    }
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      for round in 0..<rounds { try? source.setValue(round, forKey: "number") }
    }
    for _ in 0..<100_000 where pushes.value < 2 * rounds + 1 { queue.sync {} }
    for _ in 0..<10 { queue.sync {} }
    #expect(pushes.value == 2 * rounds + 1)
    binding.unbindAndWait()
    source.number = 5
    queue.sync {}
    #expect(pushes.value == 2 * rounds + 1 && registrations(of: source) == 0)
  }

  @Test(
    "BND-134: setting the target sets the source at once, on the same thread, and tells each once")
  func writeBack() throws {
    let source = Shared(), target = Shared(), place = Place()
    try target.bind(\.number, to: source, \.number, delivery: place.delivery)
    let atSource = ToldValues(source, \.number), atTarget = ToldValues(target, \.number)
    let threads = Threads()
    let token = source.observe(\.number) { _, _ in threads.note() }
    elsewhere {
      threads.note()
      target.number = 4
    }
    #expect(source.number == 4 && threads.areOne && place.count == 0)
    source.number = 5
    #expect(target.number == 4)
    place.run()
    #expect(atSource.values == [4, 5] && atTarget.values == [4, 5])
    withExtendedLifetime(token) {}
  }

  @Test("BND-134: ends agree, however changes of theirs cross")
  func crossing() throws {
    let source = Shared(), target = Shared(), place = Place()
    try target.bind(\.number, to: source, \.number, delivery: place.delivery)
    let atTarget = ToldValues(target, \.number)
    source.number = 1
    source.number = 2
    target.number = 7
    #expect(source.number == 7)
    place.run()
    #expect(target.number == 7 && source.number == 7)
    // A push for each change, the last of which shows what the source has by then.
    #expect(atTarget.values == [7, 1, 7])
  }

  @Test("BND-134: a target that alters what it is shown has the source take that over")
  func altering() throws {
    final class Low: Shared, @unchecked Sendable {
      override class var keys: [KeyDeclaration] { [] }
      @Dynamic var level = 0 { didSet { if level > 10 { level = 10 } } }
    }
    let source = Shared(), target = Low(), place = Place()
    try target.bind(\.level, to: source, \.number, delivery: place.delivery)
    source.number = 50
    place.run()
    #expect(target.level == 10 && source.number == 10 && place.count == 0)
  }

  @Test("BND-134: a refused value leaves the source, and is told where it was set")
  func refused() throws {
    let source = Judged(), target = Shared(), place = Place()
    let binding = try target.bind(
      \.text, to: source, \.number, validates: true, delivery: place.delivery
    ) {
      "\($0)"
    } back: {
      guard let number = Int($0) else { throw Refused() }
      return number
    }
    var refused: [String] = []
    binding.onError = { _, value in refused.append("\(value!)") }
    for text in ["12", "x", "-3"] { target.text = text }
    #expect(source.number == 12 && refused == ["x", "-3"])
  }

  @Test("BND-134: rings of delivered bindings end, each property having the last value")
  func rings() throws {
    let a = Shared(), b = Shared(), place = Place(), other = Place()
    let reports = Counter()
    KeyValueSettings.misuseHandler = { if $0.reason.contains("ring") { reports.add() } }
    defer { KeyValueSettings.misuseHandler = nil }
    try a.follow(\.number, of: b, \.number, delivery: place.delivery)
    try b.follow(\.number, of: a, \.number, delivery: other.delivery)
    #expect(reports.value == 1)
    b.number = 1
    for _ in 0..<20 {
      place.run()
      other.run()
    }
    #expect(place.count + other.count == 0 && a.number == 1 && b.number == 1)
  }

  @Test("BND-134: a change that a push leads to on another thread is not lost")
  func consequences() throws {
    let a = Shared(), b = Shared(), c = Shared(), place = Place(), other = Place()
    try a.follow(\.number, of: b, \.number, delivery: place.delivery)
    try c.follow(\.number, of: a, \.number, delivery: other.delivery)
    let token = c.observe(\.number, options: .new) { _, change in
      if change.newValue == 1 { b.number = 2 }
    }
    b.number = 1
    for _ in 0..<20 {
      place.run()
      other.run()
    }
    #expect(b.number == 2 && a.number == 2 && c.number == 2)
    withExtendedLifetime(token) {}
  }

  @Test("BND-134: a delivered binding that fails leaves the one that there is")
  func failing() throws {
    let source = Shared(), target = Shared(), place = Place()
    let old = try target.follow(\.number, of: source, \.number, delivery: place.delivery)
    #expect(throws: KeyValueError.self) {
      try target.follow(
        \.number, of: source, \.text, delivery: place.delivery
      ) { _ throws in throw Refused() }
    }
    source.number = 3
    place.run()
    #expect(old.isValid && target.number == 3 && registrations(of: source) == 1)
  }

  @Test("BND-134: an ended binding is kept by nothing, nor what it captured")
  func released() throws {
    final class Guest: Sendable {}
    weak var guest: Guest?
    weak var ended: Binding?
    let source = Shared(), target = Shared(), place = Place()
    do {
      let held = Guest()
      guest = held
      let binding = try target.follow(
        \.text, of: source, \.number, delivery: place.delivery
      ) { [held] in "\($0)\(held)" }
      ended = binding
      source.number = 1
      binding.unbind()
    }
    place.run()
    #expect(guest == nil && ended == nil)
  }

  @Test("BND-134: by name each change shows, where the delivery leads, what the source has then")
  func named() throws {
    let source = Shared(), target = Shared(), place = Place()
    source.number = 3
    let told = ToldValues(target, \.number)
    let binding = try target.bind(
      "number", to: source, withKeyPath: "number", delivery: place.delivery)
    #expect(told.values == [3])
    source.number = 4
    source.number = 5
    #expect(told.values == [3])
    place.run()
    #expect(told.values == [3, 5, 5])
    binding.userDidEdit(8)
    binding.userDidEndEditing()
    #expect(source.number == 8 && place.count == 0)
    source.number = 9
    target.unbind("number")
    place.run()
    #expect(told.values == [3, 5, 5] && registrations(of: source) == 0)
  }
}

@MainActor @Suite(.serialized, .oneAtATime) struct MainActorDeliveryTests {
  @Test("BND-134: by name, objects of the main actor are refused where another delivery leads")
  func unreachable() throws {
    let screen = Screen(), shared = Shared(), place = Place()
    var codes: [KeyValueError.Code] = []
    do throws(KeyValueError) {
      try screen.bind("number", to: shared, withKeyPath: "number", delivery: place.delivery)
    } catch { codes.append(error.code) }
    do throws(KeyValueError) {
      try shared.bind("number", to: screen, withKeyPath: "number", delivery: place.delivery)
    } catch { codes.append(error.code) }
    #expect(codes == [.wrongThread, .wrongThread] && registrations(of: shared) == 0)
  }

  @Test("BND-134: a change made elsewhere is pushed on the main actor, later and in order")
  func elsewhereChanged() async throws {
    let source = Shared(), screen = Screen()
    try screen.follow(\.number, of: source, \.number, delivery: .mainActor)
    #expect(screen.numbers == [0])
    elsewhere { for number in 1...5 { source.number = number } }
    #expect(screen.numbers == [0])
    await until { screen.numbers.count == 6 }
    await Task.yield()
    #expect(screen.numbers == [0, 1, 2, 3, 4, 5])
  }

  @Test("BND-134: a change made on the main actor is pushed before the setter returns")
  func atOnce() async throws {
    let source = Shared(), screen = Screen()
    try screen.follow(\.number, of: source, \.number, delivery: .mainActor) { $0 * 2 }
    source.number = 4
    #expect(screen.numbers == [0, 8])
    // Behind one that is on its way, it waits for its turn.
    elsewhere { source.number = 5 }
    source.number = 6
    #expect(screen.numbers == [0, 8])
    await until { screen.numbers.count == 4 }
    #expect(screen.numbers == [0, 8, 10, 12])
  }

  @Test("BND-134: forms with transformers and placeholders are delivered as well")
  func forms() async throws {
    let source = Shared(), screen = Screen(), other = Screen()
    try screen.follow(\.text, of: source, \.number, .text, delivery: .mainActor)
    try other.follow(\.text, of: source, \.nickname, ifNil: "none", delivery: .mainActor)
    #expect(screen.text == "0" && other.text == "none")
    elsewhere {
      source.number = 3
      source.nickname = "Al"
    }
    await until { screen.text == "3" && other.text == "Al" }
    try screen.bind(\.text, to: source, \.home, \.city, ifNil: "nowhere", delivery: .mainActor)
    try other.bind(\.text, to: source, \.nickname, ifNil: "none", delivery: .mainActor)
    #expect(screen.text == "nowhere" && other.text == "Al")
    elsewhere {
      source.home = Home()
      source.nickname = nil
    }
    await until { screen.text == "Bern" && other.text == "none" }
    screen.text = "Chur"
    other.text = "Bo"
    #expect(source.home?.city == "Chur" && source.nickname == "Bo")
  }

  @Test("BND-134: of an object of no actor, too, if it belongs to this one's code")
  func region() async throws {
    let source = Shared(), field = Field()
    try field.follow(\.number, of: source, \.number, delivery: .mainActor)
    elsewhere { source.number = 2 }
    await until { field.number == 2 }
    #expect(field.bindings.count == 1)
  }

  @Test("BND-134: setting the target on the main actor sets the source there, and no echo comes")
  func bothWays() async throws {
    let source = Shared(), screen = Screen()
    try screen.bind(\.number, to: source, \.number, delivery: .mainActor)
    let told = ToldValues(source, \.number)
    screen.number = 2
    #expect(source.number == 2 && screen.numbers == [0, 2])
    elsewhere { source.number = 3 }
    screen.number = 4
    #expect(source.number == 4)
    await until { screen.numbers.count == 4 }
    #expect(screen.numbers == [0, 2, 4, 4] && source.number == 4 && told.values == [2, 3, 4])
    try screen.bind(\.text, to: source, \.number, .text, delivery: .mainActor)
    screen.text = "17"
    #expect(source.number == 17)
  }

  @Test("BND-134: after unbinding, and after the end of either object, nothing is pushed")
  func ends() async throws {
    let source = Shared(), screen = Screen()
    let binding = try screen.follow(\.number, of: source, \.number, delivery: .mainActor)
    elsewhere { source.number = 1 }
    binding.unbind()
    for _ in 0..<20 { await Task.yield() }
    #expect(screen.numbers == [0])
    var gone: Screen? = Screen()
    weak let noted = gone
    try gone!.follow(\.number, of: source, \.number, delivery: .mainActor)
    elsewhere { source.number = 2 }
    gone = nil
    for _ in 0..<20 { await Task.yield() }
    #expect(noted == nil && registrations(of: source) == 0)
    var short: Shared? = Shared()
    try screen.follow(\.number, of: short!, \.number, delivery: .mainActor)
    do {
      let last = short!
      elsewhere { last.number = 9 }
    }
    short = nil
    await until { screen.number == 9 }
    for _ in 0..<20 { await Task.yield() }
    #expect(screen.bindings.isEmpty && screen.numbers == [0, 0, 9])
  }

  @Test("BND-134: of several threads' changes each is one push")
  func exact() async throws {
    let source = Shared(), screen = Screen(), rounds = 500
    try screen.follow(\.number, of: source, \.number, delivery: .mainActor)
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      for round in 0..<rounds { try? source.setValue(round, forKey: "number") }
    }
    await until { screen.numbers.count >= 2 * rounds + 1 }
    for _ in 0..<20 { await Task.yield() }
    #expect(screen.numbers.count == 2 * rounds + 1)
  }

  @Test("BND-134: by name, changes are shown and edits made on the main actor")
  func named() async throws {
    let source = Shared(), screen = Screen()
    let binding = try screen.bind(
      "text", to: source, withKeyPath: "nickname", options: .with { $0.nullPlaceholder = "none" },
      delivery: .mainActor)
    #expect(screen.text == "none")
    elsewhere { source.nickname = "Al" }
    #expect(screen.text == "none")
    await until { screen.text == "Al" }
    source.nickname = "Bo"
    #expect(screen.text == "Bo")
    binding.userDidEdit("Cy")
    binding.userDidEndEditing()
    #expect(source.nickname == "Cy")
    elsewhere { source.nickname = "Di" }
    screen.unbind("text")
    for _ in 0..<20 { await Task.yield() }
    #expect(screen.text == "Bo")
  }
}

/// The threads on which something ran.
private final class Threads: @unchecked Sendable {
  private let lock = NSLock()
  // No `Thread`s: one keeps its closure, which keeps this.
  private var known: [pthread_t] = []
  func note() { lock.withLock { known.append(pthread_self()) } }
  var areOne: Bool {
    lock.withLock { known.count > 1 && known.allSatisfy { pthread_equal($0, known[0]) != 0 } }
  }
}

/// An actor with a view of its own.
private actor Panel {
  /// The actor's view.
  private final class View: Field {
    @Dynamic var state = "" { didSet { states.append(state) } }
    var states: [String] = []
  }

  private let field = View()

  var states: [String] { field.states }
  var text: String { field.text }
  var number: Int { field.number }

  func follow(_ source: Shared) throws -> Binding {
    try field.follow(\.state, of: source, \.number, delivery: .on(self)) {
      [weak self] number in
      self?.assertIsolated()
      return "\(number)"
    }
  }

  func bindBoth(_ source: Shared) throws {
    try field.bind(\.number, to: source, \.number, delivery: .on(self))
    try field.bind(\.title, to: source, \.nickname, ifNil: "none", delivery: .on(self))
  }

  func bindNamed(_ source: Shared) throws {
    try field.bind(.init(rawValue: "text"), to: source, withKeyPath: "text", delivery: .on(self))
  }

  func set(_ number: Int) { field.number = number }

  func bindOn(_ other: Panel, _ source: Shared) throws {
    try field.follow(\.text, of: source, \.text, delivery: .on(other))
  }

  func unbindAll() { field.unbindAll() }

  /// Waits until something is so.
  func until(_ isSo: @Sendable (isolated Panel) -> Bool) async {
    for _ in 0..<100_000 where !isSo(self) { await Task.yield() }
  }
}

@Suite(.serialized, .oneAtATime) struct ActorDeliveryTests {
  @Test("BND-134: a binding takes the delivery to an actor, and pushes there, each change once")
  func follows() async throws {
    let source = Shared(), panel = Panel()
    source.number = 3
    let binding = try await panel.follow(source)
    #expect(await panel.states == ["3"])
    for number in 4...6 { source.number = number }
    await panel.until { $0.states.count == 4 }
    #expect(await panel.states == ["3", "4", "5", "6"])
    binding.unbind()
    source.number = 7
    await Task.yield()
    #expect(await panel.states.count == 4)
    #expect(registrations(of: source) == 0)
  }

  @Test("BND-134: so it does in both directions, and by name")
  func bothWays() async throws {
    let source = Shared(), panel = Panel()
    try await panel.bindBoth(source)
    try await panel.bindNamed(source)
    source.number = 5
    source.text = "x"
    await panel.until { $0.number == 5 && $0.text == "x" }
    #expect(await panel.number == 5)
    #expect(await panel.text == "x")
    await panel.set(9)
    #expect(source.number == 9)
  }

  @Test("BND-134: the call is to be made on that actor")
  func elsewhere() async throws {
    let source = Shared(), panel = Panel(), other = Panel(), target = Shared()
    await #expect(throws: KeyValueError.self) { try await panel.bindOn(other, source) }
    var code: KeyValueError.Code?
    do throws(KeyValueError) {
      try target.follow(\.text, of: source, \.text, delivery: .on(panel))
    } catch {
      code = error.code
    }
    #expect(code == .wrongThread && registrations(of: source) == 0)
  }

  @Test("BND-134: the binding ends with the actor")
  func actorGone() async throws {
    let source = Shared()
    var binding: Binding?
    do {
      let panel = Panel()
      binding = try await panel.follow(source)
      #expect(binding!.isValid)
    }
    source.number = 1
    for _ in 0..<100_000 where binding!.isValid { await Task.yield() }
    #expect(!binding!.isValid && registrations(of: source) == 0)
  }
}
