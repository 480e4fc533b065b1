import Foundation
import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

private final class Shared: KVObject, @unchecked Sendable {
  @Dynamic var number = 0
}

private final class Watcher: KVObject {
  let notes = Recorder<String>()
  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [ChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) { notes.add(keyPath ?? "") }
}

@Suite(.serialized, .leavesNoObjects)
struct DeliveryScopeTests {
  // MARK: Muting

  @Test("nothing of a muted object is told, and afterwards all is")
  func mutedObject() throws {
    let human = Human(), watcher = Watcher()
    let notes = Recorder<String>()
    let tokens = [
      human.observe(\.age) { _, _ in notes.add("age") },
      human.observe(\.full) { _, _ in notes.add("full") },
      human.observe(\.home.city) { _, _ in notes.add("city") },
      human.observe(\.age, \.name) { _, _, _ in notes.add("both") },
    ]
    try human.safeObservers.addObserver(watcher, forKeyPath: "age")
    let inner = human.home.observe(\.city) { _, _ in notes.add("home") }
    human.muting {
      human.age = 2
      human.name = "Bob"
      human.home.city = "Rome"
    }
    #expect(notes.all == ["home"])
    #expect(watcher.notes.count == 0)
    human.age = 3
    #expect(Set(notes.all) == ["home", "age", "both"])
    #expect(watcher.notes.all == ["age"])
    (tokens + [inner]).forEach { $0.invalidate() }
  }

  @Test("a muted write is told to nobody whose key path leads through the object")
  func mutedThrough() throws {
    let root = Human(), middle = Human(), watcher = Watcher(), notes = Recorder<String>()
    root.boss = middle
    root.friends = [middle]
    let tokens = [
      root.observe(\.boss?.home.city, options: [.old, .new]) { notes.add("path \($1.newValue!!)") },
      root.observe(\.boss?.full) { _, _ in notes.add("full") },
      root.observe(\.friendCities) { _, _ in notes.add("computed") },
      root.observe(\.boss?.name, suppressing: ==) { _, _ in notes.add("name") },
      root.observe(anyOf: [\.boss?.home, \.age]) { _, _ in notes.add("any") },
      root.observe(\.boss?.home.city, \.age) { _, city, _ in notes.add("both \(city!)") },
      try root.observe("boss.home.city", as: String.self, options: .new) {
        notes.add("named \($1.newValue!)")
      },
    ]
    try root.safeObservers.addObserver(watcher, forKeyPath: "boss.home.city")
    let home = Place()
    home.city = "Rome"
    middle.muting {
      middle.home = home
      middle.name = "Bob"
    }
    #expect(notes.all.isEmpty && watcher.notes.count == 0)
    // All of them follow the new value.
    home.city = "Oslo"
    #expect(
      Set(notes.all) == ["path Oslo", "computed", "both Oslo", "named Oslo"])
    #expect(watcher.notes.all == ["boss.home.city"])
    notes.clear()
    middle.name = "Eve"
    #expect(Set(notes.all) == ["full", "name"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("after a muted write key paths have let go of what stood there before")
  func mutedLeaves() throws {
    let root = Human(), middle = Human(), notes = Recorder<String>()
    let before = middle.home
    root.boss = middle
    let path = root.observe(\.boss?.home.city) { _, _ in notes.add("path") }
    let named = try root.observe("boss.home.city", as: String.self) { _, _ in notes.add("named") }
    middle.muting { middle.home = Place() }
    before.city = "Rome"
    #expect(notes.all.isEmpty)
    #expect(try !RuntimeObject(before).isObserved && RuntimeObject(middle.home).isObserved)
    path.invalidate()
    named.invalidate()
  }

  /// Sets `value` untold, and then `next`, of which alone those who observe hear.
  private func expectUntold<Value: Equatable>(
    _ keyPath: ReferenceWritableKeyPath<Human, Value>, _ value: Value, _ next: Value
  ) {
    let human = Human(), root = Human()
    root.boss = human
    let heard = Recorder<[Value?]>()
    let tokens = [
      human.observe(keyPath, options: [.old, .new]) { heard.add([$1.oldValue, $1.newValue]) },
      root.observe((\Human.boss!).appending(path: keyPath), options: [.old, .new]) {
        heard.add([$1.oldValue, $1.newValue])
      },
    ]
    human.muting { human[keyPath: keyPath] = value }
    #expect(heard.count == 0 && human[keyPath: keyPath] == value)
    human[keyPath: keyPath] = next
    #expect(heard.all == [[value, next], [value, next]])
    tokens.forEach { $0.invalidate() }
  }

  @Test("a property of any type is written untold")
  func untold() {
    expectUntold(\.age, 2, 3)
    expectUntold(\.small, 2, 3)
    expectUntold(\.ratio, 2, 3)
    expectUntold(\.name, "Bob", "a name of more than fifteen bytes")
    expectUntold(\.spot, Spot(x: 2), Spot(x: 3))
    expectUntold(\.color, .green, .blue)
    expectUntold(\.count, 2, nil)
    expectUntold(\.nested, .some(.some(2)), .some(nil))
    expectUntold(\.place, Place(), nil)
    expectUntold(\.home, Place(), Place())
    expectUntold(\.list, [2], [])
    expectUntold(\.tags, ["a"], ["b"])
    expectUntold(\.info, ["a": 1], [:])
    expectUntold(\.friends, [Human()], [])
  }

  @Test("a change of another object in the course of a muted one is told")
  func mutedInTheCourse() {
    let filling = Filling(), notes = Recorder<String>()
    let other = filling.other
    let token = other.observe(\.age, options: .new) { notes.add("\($1.newValue!)") }
    let initial = Recorder<Int?>()
    filling.reaction = { [unowned other] in
      other.age = 9
      other.observe(\.age, options: [.initial, .new]) { initial.add($1.newValue) }.invalidate()
    }
    let own = filling.observe(\.number) { _, _ in notes.add("own") }
    filling.muting { filling.number = 1 }
    #expect(notes.all == ["9"] && initial.all == [9])
    [token, own].forEach { $0.invalidate() }
  }

  @Test("observers made at run time are not told of muted changes, on key paths neither")
  func mutedRuntimeObserver() throws {
    let told = Recorder<String>(), human = Human(), root = Human()
    root.boss = human
    do {
      let cls = try RuntimeClassBuilder("MutedWatcher").observer { told.add($1.keyPath) }.register()
      defer { try? cls.dispose() }
      let watcher = try cls.allocate()
      let object = try RuntimeObject(human), above = try RuntimeObject(root)
      try object.addObserver(watcher, forKeyPath: "age")
      try above.addObserver(watcher, forKeyPath: "boss.name")
      human.muting {
        human.age = 2
        human.name = "Bob"
      }
      object.muting { human.age = 3 }
      #expect(told.all.isEmpty)
      human.age = 4
      human.name = "Eve"
      #expect(told.all == ["age", "boss.name"])
      try object.removeObserver(watcher, forKeyPath: "age")
      try above.removeObserver(watcher, forKeyPath: "boss.name")
    }
  }

  @Test("a muted change in a transaction is left out of what is told at its end")
  func mutedInTransaction() {
    let root = Human(), middle = Human(), notes = Recorder<String>()
    root.boss = middle
    let token = root.observe(\.boss?.full, options: [.old, .new]) {
      notes.add("\($1.oldValue!!) → \($1.newValue!!)")
    }
    KVObject.transaction { middle.muting { middle.name = "Bob" } }
    #expect(notes.all.isEmpty)
    KVObject.transaction { middle.last = "May" }
    #expect(notes.all == ["Bob Lee → Bob May"])
    token.invalidate()
  }

  @Test("a muted observation is not told, others are")
  func mutedObservation() throws {
    let human = Human()
    let notes = Recorder<String>()
    let first = human.observe(\.age) { _, _ in notes.add("first") }
    let second = human.observe(\.full) { _, _ in notes.add("second") }
    first.muting {
      second.muting { human.name = "Bob" }
      human.age = 2
      human.name = "Eve"
    }
    #expect(notes.all == ["second"])
    human.age = 3
    #expect(notes.all == ["second", "first"])
    first.invalidate()
    second.invalidate()
  }

  @Test("an observation of several key paths is muted as one")
  func mutedSeveral() throws {
    let human = Human()
    let notes = Recorder<Void>()
    let each = human.observe(anyOf: [\.age, \.full]) { _, _ in notes.add(()) }
    let together = human.observe(\.age, \.full) { _, _, _ in notes.add(()) }
    each.muting {
      together.muting {
        human.age = 2
        human.name = "Bob"
      }
    }
    #expect(notes.count == 0)
    human.age = 3
    #expect(notes.count == 2)
    each.invalidate()
    together.invalidate()
  }

  @Test("what a muted body throws is thrown, and the end of the scope with it")
  func mutedThrows() throws {
    let human = Human()
    let notes = Recorder<Void>()
    let token = human.observe(\.age) { _, _ in notes.add(()) }
    #expect(throws: KeyValueError.self) {
      try human.muting { () throws(KeyValueError) in try human.setValue(1, forKey: "nothing") }
    }
    human.age = 2
    #expect(notes.count == 1)
    token.invalidate()
  }

  @Test("a scope mutes its own thread only")
  func mutedThread() throws {
    let object = Shared()
    let notes = Recorder<Int?>()
    let token = object.observe(\.number, options: .new) { _, change in
      notes.add(change.newValue)
    }
    object.muting {
      object.number = 1
      // Not kept, as the thread may end later.
      onThread { [unowned object] in object.number = 2 }
      object.number = 3
    }
    #expect(notes.all == [2])
    token.invalidate()
  }

  // MARK: Transactions

  @Test(
    "in a transaction an observation is told once, from the first old value to the last new one")
  func transaction() throws {
    let human = Human()
    let notes = Recorder<String>()
    let age = human.observe(\.age, options: [.old, .new]) { _, change in
      notes.add("age \(change.oldValue ?? 0) \(change.newValue ?? 0)")
    }
    let full = human.observe(\.full, options: [.old, .new]) { _, change in
      notes.add("full \(change.oldValue ?? "") → \(change.newValue ?? "")")
    }
    let both = human.observe(\.name, \.age) { _, name, age in notes.add("\(name) \(age)") }
    KVObject.transaction {
      human.name = "Bob"
      KVObject.transaction { human.age = 2 }
      human.last = "May"
      human.age = 3
      #expect(notes.count == 0)
    }
    #expect(Set(notes.all) == ["full Ann Lee → Bob May", "Bob 3", "age 1 3"])
    #expect(notes.count == 3)
    human.age = 4
    #expect(notes.all.suffix(2).sorted() == ["Bob 4", "age 3 4"])
    [age, full, both].forEach { $0.invalidate() }
  }

  @Test("a transaction that comes back to where it began tells nothing if equals are suppressed")
  func backAgain() throws {
    let human = Human()
    let notes = Recorder<Void>()
    let token = human.observe(\.age, suppressing: ==) { _, _ in notes.add(()) }
    KVObject.transaction {
      human.age = 2
      human.age = 1
    }
    #expect(notes.count == 0)
    token.invalidate()
  }

  @Test("before the change is told before the first change only")
  func priorInTransaction() throws {
    let human = Human()
    let notes = Recorder<String>()
    let token = human.observe(\.age, options: [.prior, .old, .new]) { _, change in
      notes.add(change.isPrior ? "prior \(change.oldValue ?? 0)" : "\(change.newValue ?? 0)")
    }
    KVObject.transaction {
      human.age = 2
      human.age = 3
      #expect(notes.all == ["prior 1"])
    }
    #expect(notes.all == ["prior 1", "3"])
    token.invalidate()
  }

  @Test("changes of elements are told one by one at the end of a transaction")
  func elements() throws {
    let human = Human()
    let notes = Recorder<String>()
    let token = human.observe(\.list, options: .new) { _, change in
      notes.add("\(change.kind) \(change.indexes ?? [])")
    }
    KVObject.transaction {
      human.list = [1]
      human.list = [2]
      for index in 1...2 {
        human.willChange(.insertion, valuesAt: [index], forKey: "list")
        human.didChange(.insertion, valuesAt: [index], forKey: "list")
      }
    }
    #expect(notes.all == ["setting []", "insertion [1]", "insertion [2]"])
    token.invalidate()
  }

  @Test("what has ended by the end of a transaction is not told")
  func endedInTransaction() throws {
    let human = Human()
    let notes = Recorder<Void>()
    let token = human.observe(\.age) { _, _ in notes.add(()) }
    KVObject.transaction {
      human.age = 2
      token.invalidate()
    }
    #expect(notes.count == 0)
  }

  @Test("a transaction that throws tells what has changed")
  func transactionThrows() throws {
    let human = Human()
    let notes = Recorder<Int?>()
    let token = human.observe(\.age, options: .new) { _, change in notes.add(change.newValue) }
    #expect(throws: KeyValueError.self) {
      try KVObject.transaction { () throws(KeyValueError) in
        human.age = 2
        try human.setValue(1, forKey: "nothing")
      }
    }
    #expect(notes.all == [2])
    token.invalidate()
  }

  @Test("what handlers change at the end of a transaction is told at once")
  func reentrant() throws {
    let human = Human()
    let notes = Recorder<String>()
    let age = human.observe(\.age) { human, _ in
      notes.add("age")
      human.name = "Bob"
      notes.add("done")
    }
    let name = human.observe(\.name) { _, _ in notes.add("name") }
    KVObject.transaction { human.age = 2 }
    #expect(notes.all == ["age", "name", "done"])
    age.invalidate()
    name.invalidate()
  }

  @Test("a transaction keeps an object until it has been told of, and none that is going")
  func lifetime() throws {
    let notes = Recorder<String>()
    var token: KeyValueObservation?
    KVObject.transaction {
      let human = Human()
      token = human.observe(\.age) { human, _ in notes.add("\(human.age)") }
      human.age = 2
    }
    #expect(notes.all == ["2"])
    KVObject.transaction {
      let last = Last()
      token = last.observe(\.number) { last, _ in notes.add("\(last.number)") }
    }
    #expect(notes.all == ["2", "9"])
    withExtendedLifetime(token) {}
  }

  @Test("closures of runtime objects take part in transactions and are muted")
  func runtimeObjects() throws {
    try withPerson { person in
      let told = Recorder<String>()
      let typed = Recorder<[Int?]>()
      let token = try person.observe("age", options: [.old, .new]) { told.add("\($0)") }
      let second = try person.observe("age", as: Int.self, options: [.old, .new]) {
        typed.add([$0.oldValue, $0.newValue])
      }
      try KVObject.transaction {
        try person.set("age", 2)
        try person.set("age", 3)
      }
      try person.muting { try person.set("age", 4) }
      try token.muting { try person.set("age", 5) }
      #expect(told.all == ["age: 0 → 3"])
      #expect(typed.all == [[0, 3], [4, 5]])
      token.invalidate()
      second.invalidate()
    }
  }
}

/// Changes another object in the course of its own changes.
private final class Filling: KVObject {
  let other = Human()
  var reaction: () -> Void = {}
  private var stored = 0
  var number: Int {
    get { stored }
    set {
      withChange(of: \.number) {
        stored = newValue
        reaction()
      }
    }
  }

  override class var keys: [KeyDeclaration] {
    [.key("number", \Filling.number, notifiesAutomatically: false)]
  }
}

extension Human {
  fileprivate var friendCities: String { friends.map(\.home.city).joined() }
}

/// Changes when it goes.
private final class Last: KVObject {
  @Dynamic var number = 0
  deinit { number = 9 }
}
