import Dispatch
import Foundation
import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

private final class Row: KVObject, MainActorObject {
  @Dynamic var title = ""

  init(title: String) {
    self.title = title
    super.init()
  }
}

private class Store: KVObject, MainActorObject {
  @Dynamic var count = 0
  @Dynamic var name = "shop"
  @Dynamic var tags = ["a"]
  @Dynamic var marks: Set<String> = ["a"]
  @Dynamic var rows: [Row] = []
  @LazyDynamic var late = 5
  @WeakDynamic var friend: Row?
  var sign: String { "\(name) \(count)" }
  var log: [String] = []

  override class var keys: [KeyDeclaration] {
    [.key("sign", \Store.sign, affectedBy: [\Store.name, \Store.count])]
  }

  override init() {
    super.init()
    MainActor.assumeIsolated { count = 1 }
  }

  func load() async { count += 1 }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [ChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    let new = change?[.newKey] as? Int
    MainActor.assumeIsolated { log.append("\(keyPath ?? "") \(new ?? 0)") }
  }
}

private final class Branch: Store {
  @Dynamic var city = "Rome"
}

@MainActor
private final class Wordless: KVObject, Sendable {
  @Dynamic var number = 1
}

/// Not of an actor, and known to synchronise itself.
private final class Chain: KVObject, @unchecked Sendable {
  @Dynamic var first: Store?
  @Dynamic var stores: [Store] = []
  @Dynamic var number = 0
}

/// Key paths of the main actor, for code elsewhere.
private struct Paths: @unchecked Sendable {
  let count: KeyPath<Store, Int>
  let tags: KeyPath<Store, [String]>
  let marks: KeyPath<Store, Set<String>>

  @MainActor
  init() { (count, tags, marks) = (\.count, \.tags, \.marks) }
}

private func text(_ number: Int?) -> String { number.map { "\($0)" } ?? "nil" }

/// Runs `body` elsewhere than on the main actor.
private func elsewhere(_ body: @escaping @Sendable () -> Void) async {
  await Task.detached { body() }.value
}

/// The misuses that `body` leads to.
@MainActor
private func misuses(_ body: @MainActor () async -> Void) async -> [String] {
  let told = Recorder<Misuse>()
  KeyValueSettings.misuseHandler = { told.add($0) }
  defer { KeyValueSettings.misuseHandler = nil }
  await body()
  return told.all.map(\.reason)
}

@Suite("Objects of the main actor", .serialized, .leavesNoObjects) @MainActor
struct MainActorTests {
  // MARK: Written as main-actor code

  @Test("such an object may be used by tasks, which wait for the main actor")
  func sendable() async {
    let store = Store()
    await Task.detached { await store.load() }.value
    #expect(store.count == 2)
  }

  @Test("declared keys name properties of the main actor as any others")
  func keys() throws {
    let store = Store(), signs = Recorder<String?>()
    let token = try store.observe("sign", as: String.self, options: .new) { signs.add($1.newValue) }
    store.count = 7
    #expect(signs.all == ["shop 7"])
    #expect(try store.value(forKey: "sign", as: String.self) == "shop 7")
    token.invalidate()
  }

  @Test("an observer of the main actor is told, and uses its state")
  func observeValue() throws {
    let store = Store()
    try store.addObserver(store, forKeyPath: "count", options: .new)
    store.count = 9
    #expect(store.log == ["count 9"])
    try store.removeObserver(store, forKeyPath: "count")
  }

  @Test("changes and values of it are iterated on the main actor and in tasks")
  func sequences() async throws {
    let store = Store()
    let rows = store.values(of: \.rows)
    let changes = store.changes(of: \.count)
    let titles = Task.detached {
      for await rows in rows where rows.count == 1 { return await rows[0].title }
      return ""
    }
    store.rows.append(Row(title: "first"))
    #expect(await titles.value == "first")
    store.count = 3
    for await change in changes {
      store.log.append("\(change.oldValue!) → \(change.newValue!)")
      break
    }
    #expect(store.log == ["1 → 3"])
  }

  // MARK: Handlers

  @Test("delivery to the main actor: the handler is its code, and runs before the setter returns")
  func delivery() throws {
    let store = Store()
    let token = store.observe(\.count, options: .new, delivery: .mainActor) { store, change in
      store.log.append("\(change.newValue!) of \(store.name)")
    }
    store.count = 4
    #expect(store.log == ["4 of shop"])
    token.invalidate()
  }

  @Test("delivery to the main actor: a change elsewhere is told later, in order")
  func deliveryLater() async throws {
    let chain = Chain(), screen = Row(title: "")
    let token = chain.observe(\.number, options: .new, delivery: .mainActor) { _, change in
      screen.title += "\(change.newValue!)"
    }
    let alone = chain.observe(\.number, options: .new, delivery: .mainActor) { change in
      screen.title += "(\(change.newValue!))"
    }
    await elsewhere { for number in 1...3 { chain.number = number } }
    while screen.title.count < 12 { await Task.yield() }
    let digits = screen.title.filter(\.isNumber)
    #expect(screen.title.filter { $0 == "(" }.count == 3 && digits.count == 6)
    screen.title = ""
    chain.number = 4
    #expect(screen.title == "(4)4")
    token.invalidate()
    alone.invalidate()
  }

  @Test("delivery to the main actor: what waits when the observation ends is not told")
  func deliveryEnded() async throws {
    let chain = Chain(), screen = Row(title: "")
    let token = chain.observe(\.number, delivery: .mainActor) { _, _ in screen.title = "told" }
    onThread { chain.number = 1 }
    #expect(screen.title == "")
    token.invalidate()
    // A change that is handed over later is told later.
    let later = Row(title: "")
    let next = chain.observe(\.number, delivery: .mainActor) { _, _ in later.title = "told" }
    onThread { chain.number = 2 }
    while later.title.isEmpty { await Task.yield() }
    #expect(screen.title == "")
    next.invalidate()
  }

  @Test("a change elsewhere that cannot be handed over is reported, and its handler not called")
  func notHandedOver() async throws {
    nonisolated(unsafe) let human = Human()
    let screen = Row(title: "")
    let token = human.observe(\.age, delivery: .mainActor) { _, _ in
      screen.title = "told"
    }
    let told = await misuses { await elsewhere { human.age = 1 } }
    #expect(told.count == 1 && told.first?.contains("the handler was not called") == true)
    #expect(screen.title == "" && human.age == 1)
    token.invalidate()
  }

  // MARK: By name

  @Test("a class of the main actor that does not say MainActorObject is not checked by name")
  func withoutTheWord() async throws {
    let plain = Wordless()
    await elsewhere { try? plain.setValue(7, forKey: "number") }
    #expect(plain.number == 7)
  }

  @Test("by name it is used on the main actor, wherever that runs")
  func byName() async throws {
    let store = Store()
    try store.setValue(5, forKey: "count")
    try await Task.sleep(for: .milliseconds(1))
    #expect(try store.value(forKey: "count") as? Int == 5)
    try store.mutableArrayValue(forKey: "tags").append("b")
    await withCheckedContinuation { done in
      DispatchQueue.main.async {
        try? store.setValue(6, forKey: "count")
        done.resume()
      }
    }
    #expect(store.count == 6 && store.tags == ["a", "b"])
  }

  nonisolated fileprivate static let uses: [(String, @Sendable (Store) throws -> Void)] = [
    ("value", { _ = try $0.value(forKey: "count") }),
    ("declared value", { _ = try $0.value(forKey: "sign") }),
    ("typed value", { _ = try $0.value(forKey: "count", as: Int.self) }),
    ("value at a path", { _ = try $0.value(forKeyPath: "tags.@count") }),
    ("values", { _ = try $0.dictionaryWithValues(forKeys: ["count"]) }),
    ("set", { try $0.setValue(7, forKey: "count") }),
    ("set a lazy one", { try $0.setValue(7, forKey: "late") }),
    ("set at a path", { try $0.setValue(7, forKeyPath: "count") }),
    ("set many", { try $0.setValuesForKeys(["count": 7, "name": "x"]) }),
    ("array", { _ = try $0.mutableArrayValue(forKey: "tags") }),
    ("set of values", { _ = try $0.mutableSetValue(forKey: "marks") }),
    ("validate", { _ = try $0.validated(7, forKey: "count") }),
    ("the runtime's set", { try RuntimeObject($0).set("count", 7) }),
    ("the runtime's get", { _ = try RuntimeObject($0).get("count") }),
    (
      "observe, with the value at once",
      {
        _ = try $0.observe("count", as: Int.self, options: [.initial, .new]) { _, _ in
          Issue.record("told at once")
        }
      }
    ),
    (
      "add an observer, with the value at once",
      { try $0.addObserver($0, forKeyPath: "count", options: [.initial, .new]) }
    ),
  ]

  @Test("by name, elsewhere, it is refused: nothing is read or set", arguments: uses.indices)
  func refused(_ index: Int) async {
    for store in [Store(), Branch()] {
      let token = store.observe(\.count) { _, _ in Issue.record("told") }
      await elsewhere {
        let error = expectError(.wrongThread) { try Self.uses[index].1(store) }
        #expect(error?.cure?.contains("MainActor.run") == true)
        #expect(error?.reason.contains("main actor") == true)
      }
      #expect(store.count == 1 && store.name == "shop" && store.late == 5)
      token.invalidate()
    }
  }

  nonisolated fileprivate static let announcements:
    [(String, @Sendable (Store, Paths) throws -> Void)] = [
      (
        "a value",
        { store, _ in
          store.willChangeValue(forKey: "count")
          store.didChangeValue(forKey: "count")
        }
      ),
      (
        "elements in order",
        { store, _ in
          store.willChange(.insertion, valuesAt: [0], forKey: "tags")
          store.didChange(.insertion, valuesAt: [0], forKey: "tags")
        }
      ),
      (
        "elements without order",
        { store, _ in
          store.willChangeValue(forKey: "marks", withSetMutation: .union, using: ["b"])
          store.didChangeValue(forKey: "marks", withSetMutation: .union, using: ["b"])
        }
      ),
      (
        "a value by key path",
        { store, paths in
          store.willChangeValue(for: paths.count)
          store.didChangeValue(for: paths.count)
        }
      ),
      (
        "elements in order by key path",
        { store, paths in
          store.willChange(.removal, valuesAt: [0], for: paths.tags)
          store.didChange(.removal, valuesAt: [0], for: paths.tags)
        }
      ),
      (
        "elements without order by key path",
        { store, paths in
          store.willChangeValue(for: paths.marks, withSetMutation: .minus, using: ["a"])
          store.didChangeValue(for: paths.marks, withSetMutation: .minus, using: ["a"])
        }
      ),
      ("around a body", { store, paths in store.withChange(of: paths.count) {} }),
      (
        "elements in order around a body",
        { store, paths in store.withChange(of: paths.tags, .insertion, at: [0]) {} }
      ),
      (
        "elements without order around a body",
        { store, paths in store.withChange(of: paths.marks, .set, by: ["b"]) {} }
      ),
      (
        "an end alone",
        { store, _ in
          store.didChangeValue(forKey: "name")
          store.willChangeValue(forKey: "name")
        }
      ),
    ]

  @Test(
    "a change announced elsewhere is refused and reported; nobody is told",
    arguments: announcements.indices)
  func announcedElsewhere(_ index: Int) async throws {
    for store in [Store(), Branch()] {
      let tokens = try ["count", "tags", "marks", "name"].map {
        try RuntimeObject(store).observe($0, options: [.old, .new, .prior]) { _ in
          Issue.record("told")
        }
      }
      let paths = Paths()
      let told = await misuses {
        await elsewhere {
          #expect(throws: Never.self) { try Self.announcements[index].1(store, paths) }
        }
      }
      let sentence = "was used elsewhere than on the main actor, to which it belongs"
      #expect(told.count == 2 && told.allSatisfy { $0.hasSuffix(sentence) }, "\(told)")
      tokens.forEach { $0.invalidate() }
    }
  }

  @Test("a change that is announced on the main actor ends there, whoever else tries to end it")
  func endedElsewhere() throws {
    let store = Store(), told = Recorder<Int?>()
    let token = store.observe(\.count, options: .new) { told.add($1.newValue) }
    store.willChangeValue(forKey: "count")
    // Without a suspension: a change ends on the thread on which it began.
    let ended = DispatchSemaphore(value: 0), reported = Recorder<String>()
    KeyValueSettings.misuseHandler = { reported.add($0.reason) }
    Thread.detachNewThread {
      store.didChangeValue(forKey: "count")
      ended.signal()
    }
    ended.wait()
    KeyValueSettings.misuseHandler = nil
    #expect(reported.count == 1 && told.all == [])
    store.didChangeValue(forKey: "count")
    #expect(told.all == [1])
    token.invalidate()
  }

  @Test("a body between an announcement that is refused and its end runs")
  func bodyElsewhere() async throws {
    let store = Store(), paths = Paths(), results = Recorder<Int>()
    let token = store.observe(\.count) { _, _ in Issue.record("told") }
    _ = await misuses {
      await elsewhere {
        if let result = store.withChange(of: paths.count, { 7 }) { results.add(result) }
      }
    }
    #expect(results.all == [7])
    token.invalidate()
  }

  @Test("a typed path that leads into it from elsewhere is told without the value, as a named one")
  func typedPaths() async throws {
    let told = Recorder<String>()
    let observe: [(Chain) throws -> KeyValueObservation] = [
      { chain in
        chain.observe(\.first?.count, options: [.old, .new]) { @Sendable _, change in
          told.add("\(text(change.oldValue ?? nil)) \(text(change.newValue ?? nil))")
        }
      },
      { chain in
        try chain.observe("first.count", as: Int?.self, options: [.old, .new]) {
          @Sendable _, change in
          told.add("\(text(change.oldValue ?? nil)) \(text(change.newValue ?? nil))")
        }
      },
      { chain in
        chain.observe(\.first!.count, options: [.old, .new]) { @Sendable _, change in
          told.add("\(text(change.oldValue)) \(text(change.newValue))")
        }
      },
    ]
    for (index, observe) in observe.enumerated() {
      let chain = Chain(), first = Store(), second = Store()
      chain.first = first
      let token = try observe(chain)
      let reported = await misuses { await elsewhere { chain.first = second } }
      let sentence = "was used elsewhere than on the main actor, to which it belongs"
      #expect(reported.count == 2, "form \(index): \(reported)")
      #expect(reported.allSatisfy { $0.contains(sentence) && $0.contains("cannot be read") })
      second.count = 2
      chain.first = first
      #expect(told.all == ["nil nil", "1 2", "2 1"])
      told.clear()
      token.invalidate()
    }
  }

  @Test("a typed path that is not read for a value is told elsewhere without a word")
  func typedPathWithoutValues() async throws {
    let chain = Chain(), told = Recorder<String>()
    let token = chain.observe(\.first?.count) { @Sendable _, _ in told.add("told") }
    let end = chain.observe(\.first?.friend, options: .prior) { @Sendable _, _ in
      told.add("friend")
    }
    let store = Store()
    let reported = await misuses { await elsewhere { chain.first = store } }
    #expect(reported == [] && told.all.sorted() == ["friend", "friend", "told"])
    token.invalidate()
    end.invalidate()
  }

  @Test("a thread that belongs to no task is elsewhere too")
  func thread() {
    let store = Store()
    onThread { expectError(.wrongThread, key: "count") { try store.setValue(7, forKey: "count") } }
    #expect(store.count == 1)
  }

  @Test("a queue that main-actor code waits for is no other place")
  func synchronously() throws {
    let store = Store()
    try DispatchQueue(label: "lock").sync { try store.setValue(7, forKey: "count") }
    #expect(store.count == 7)
  }

  @Test("a key path of another object that leads through it is refused")
  func through() async throws {
    let chain = Chain(), store = Store()
    chain.first = store
    chain.stores = [store]
    await elsewhere {
      expectError(.wrongThread) { try chain.setValue(7, forKeyPath: "first.count") }
      expectError(.wrongThread) { try chain.value(forKeyPath: "first.count") }
      expectError(.wrongThread) { try chain.value(forKeyPath: "stores.@sum.count") }
    }
    #expect(store.count == 1)
    #expect(try chain.value(forKeyPath: "stores.@sum.count", as: Int.self) == 1)
  }

  @Test("a proxy that was made on the main actor is refused elsewhere")
  func proxies() async throws {
    let store = Store()
    let tags = try store.mutableArrayValue(forKey: "tags")
    let marks = try store.mutableSetValue(forKey: "marks")
    let told = await misuses {
      await elsewhere {
        expectError(.wrongThread, key: "tags") { try tags.append("b") }
        expectError(.wrongThread, key: "marks") { try marks.insert("b") }
        #expect(tags.count == 0)
      }
    }
    #expect(!told.isEmpty)
    #expect(store.tags == ["a"] && store.marks == ["a"])
    try tags.append("c")
    #expect(store.tags == ["a", "c"])
  }

  @Test("what throws throws, and is no misuse besides: proxies elsewhere")
  func proxiesThrow() async throws {
    let store = Store(), chain = Chain()
    chain.first = store
    let tags = try store.mutableArrayValue(forKey: "tags")
    let below = try chain.mutableArrayValue(forKeyPath: "first.tags")
    let marks = try store.mutableSetValue(forKey: "marks")
    let told = await misuses {
      await elsewhere {
        for tags in [tags, below] {
          expectError(.wrongThread, key: "tags") { try tags.append("b") }
          expectError(.wrongThread, key: "tags") { try tags.append(contentsOf: ["b"]) }
          expectError(.wrongThread, key: "tags") { try tags.insert("b", at: 0) }
          expectError(.wrongThread, key: "tags") { _ = try tags.element(at: 0) }
          expectError(.wrongThread, key: "tags") { try tags.replace(at: 0, with: "b") }
          expectError(.wrongThread, key: "tags") { try tags.remove(at: 0) }
          expectError(.wrongThread, key: "tags") { try tags.remove(at: [0]) }
          expectError(.wrongThread, key: "tags") { try tags.removeAll(equalTo: "a") }
          expectError(.wrongThread, key: "tags") { try tags.removeAll() }
          expectError(.wrongThread, key: "tags") { try tags.setElements(["b"]) }
        }
        expectError(.wrongThread, key: "marks") { try marks.insert("b") }
        expectError(.wrongThread, key: "marks") { try marks.remove("a") }
        expectError(.wrongThread, key: "marks") { try marks.formUnion(["b"]) }
        expectError(.wrongThread, key: "marks") { try marks.formIntersection(["b"]) }
        expectError(.wrongThread, key: "marks") { try marks.removeAll() }
      }
    }
    #expect(told == [])
    #expect(store.tags == ["a"] && store.marks == ["a"])
  }

  @Test("strict does not stop what throws")
  func strict() async {
    await #expect(processExitsWith: .success) {
      KeyValueSettings.misusePolicy = .strict
      let tags = try await MainActor.run { try Store().mutableArrayValue(forKey: "tags") }
      await elsewhere {
        expectError(.wrongThread) { try tags.append("b") }
        expectError(.wrongThread) { try tags.append(contentsOf: ["b"]) }
        expectError(.wrongThread) { try tags.removeAll() }
      }
    }
  }

  @Test("an object that is first known elsewhere has its declared keys all the same")
  func firstKnownElsewhere() async throws {
    final class Late: Store {}
    let late = Late(), signs = Recorder<String?>()
    await elsewhere { expectError(.wrongThread) { try late.setValue(7, forKey: "count") } }
    let token = try late.observe("sign", as: String.self, options: .new) { signs.add($1.newValue) }
    late.count = 8
    #expect(signs.all == ["shop 8"])
    token.invalidate()
  }
}
