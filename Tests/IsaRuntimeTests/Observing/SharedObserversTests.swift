import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNothing)
struct SharedObserversTests {
  @Test("closures and observer objects are registered once and told by many objects")
  func shared() throws {
    try withWatchedPerson { person, watcher, told in
      let other = try person.isa.original.allocate()
      let shared = try SharedObservers(for: person.isa.original)
      let ages = Recorder<Int?>()
      try shared.observe("age", as: Int.self, options: .new) { _, change in
        ages.add(change.newValue)
      }
      try shared.addObserver(watcher, forKey: "age", options: [.old, .new])
      for object in [person, other] { try object.setSharedObservers(shared) }
      try person.set("age", 1)
      try other.set("age", 2)
      #expect(ages.all == [1, 2])
      #expect(told.all.map(\.object) == [person, other])
      #expect(person.registrations.map(\.isShared) == [true, true])
      try person.setSharedObservers(nil)
      #expect(!person.isObserved && other.isObserved)
    }
  }

  @Test("what is taken out is not assigned later, and objects keep what they have")
  func removal() throws {
    try withWatchedPerson { person, watcher, told in
      let other = try person.isa.original.allocate()
      do {
        let shared = try SharedObservers(for: person.isa.original)
        try shared.addObserver(watcher, forKey: "age")
        try person.setSharedObservers(shared)
        try shared.removeObserver(watcher, forKey: "age")
        try other.setSharedObservers(shared)
        expectError(.notRegistered, key: "age") {
          try shared.removeObserver(watcher, forKey: "age")
        }
      }
      try person.set("age", 1)
      try other.set("age", 1)
      #expect(told.all.map(\.object) == [person])
    }
  }

  @Test("key paths, other options and objects of other classes are refused")
  func refuses() throws {
    try withPerson { person in
      let shared = try SharedObservers(for: person.isa)
      expectError(.notObservable, key: "friend.age") {
        try shared.observe("friend.age") { _ in }
      }
      expectError(.invalidOptions) {
        try shared.observe("age", options: .initial) { _ in }
      }
      try withClass { other in
        #expect(throws: KeyValueError.self) { try other.allocate().setSharedObservers(shared) }
      }
    }
  }
}

// MARK: - Swift classes

private struct Corner: Equatable {
  var name = "here"
  var x = 0.5
}

private enum Suit: Sendable { case clubs, hearts }

private class Card: KVObject, @unchecked Sendable {
  // Sendable because a thread of a test has an object to itself.
  @Dynamic var rank = 1
  @Dynamic var title = "one"
  @Dynamic var spot = Corner()
  @Dynamic var score: Int?
  @Dynamic var suit = Suit.clubs
  @Dynamic var next: Card?
  @Dynamic var tags = ["a"]
  var long: String { "\(rank) \(title)" }
  var plain = 1
}

private final class Ace: Card, @unchecked Sendable {
  @Dynamic var trump = false
}

/// Its title depends on its rank.
private final class Named: Card, @unchecked Sendable {
  override class var keys: [KeyDeclaration] {
    [.key("title", \Named.title, affectedBy: [\Named.rank])]
  }
}

@Suite(.serialized, .leavesNoObjects)
struct KeyValueSharedObserversTests {
  /// Sets `second` and `third` on two objects, of which one has an observer of its own too, and
  /// expects that `count` shared observers hear old and new of both.
  private func expect<Value: Equatable & Sendable>(
    _ keyPath: ReferenceWritableKeyPath<Card, Value>, _ second: Value, _ third: Value, count: Int
  ) {
    let cards = [Card(), Card()], first = cards[0][keyPath: keyPath]
    let shared = KeyValueSharedObservers<Card>()
    let heard = Recorder<[Value?]>(), own = Recorder<[Value?]>()
    for _ in 0..<count {
      shared.observe(keyPath, options: [.old, .new]) { _, change in
        heard.add([change.oldValue, change.newValue])
      }
    }
    let token = cards[1].observe(keyPath, options: [.old, .new]) {
      own.add([$1.oldValue, $1.newValue])
    }
    for card in cards {
      card.setSharedObservers(shared)
      card[keyPath: keyPath] = second
      card[keyPath: keyPath] = third
      #expect(card[keyPath: keyPath] == third)
      card.setSharedObservers(nil)
      card[keyPath: keyPath] = first
    }
    let changes = [[first, second], [second, third]]
    let each = changes.flatMap { Array(repeating: $0, count: count) }
    #expect(heard.all == each + each)
    #expect(own.all == changes + [[third, first]])
    token.invalidate()
  }

  @Test("values of all kinds are told, by one, by several and by many", arguments: [1, 2, 10])
  func kinds(count: Int) {
    expect(\.rank, 2, 3, count: count)
    expect(\.title, "two", "a text of more than fifteen bytes", count: count)
    expect(\.spot, Corner(name: "there"), Corner(name: "elsewhere", x: 7), count: count)
    expect(\.score, 7, nil, count: count)
    expect(\.suit, .hearts, .hearts, count: count)
    expect(\.tags, ["a", "b"], [], count: count)
    let card = Card()
    expect(\.next, card, nil, count: count)
  }

  @Test("the object that is told of is the one that has changed, of its own class")
  func objects() {
    let cards = [Card(), Ace()], told = Recorder<ObjectIdentifier>()
    let shared = KeyValueSharedObservers<Card>()
    shared.observe(\.rank) { card, change in
      told.add(ObjectIdentifier(card))
      #expect(change.keyPath == "rank" && change.cause == "rank" && change.kind == .setting)
    }
    for card in cards { card.setSharedObservers(shared) }
    for card in cards + cards { card.rank += 1 }
    #expect(told.all == (cards + cards).map { ObjectIdentifier($0) })
  }

  @Test("an object of a subclass may have its superclass's, and those of its own class")
  func subclass() {
    let ace = Ace(), ranks = Recorder<Int?>(), trumps = Recorder<Bool?>()
    let shared = KeyValueSharedObservers<Card>(), own = KeyValueSharedObservers<Ace>()
    shared.observe(\.rank, options: .new) { _, change in ranks.add(change.newValue) }
    own.observe(\.rank, options: .new) { _, change in ranks.add(change.newValue) }
    own.observe(\.trump, options: .new) { _, change in trumps.add(change.newValue) }
    (ace as Card).setSharedObservers(shared)
    ace.rank = 2
    ace.setSharedObservers(own)
    ace.rank = 3
    ace.trump = true
    (ace as Card).setSharedObservers(nil)
    ace.rank = 4
    #expect(ranks.all == [2, 3] && trumps.all == [true])
  }

  @Test("an observer that is added later concerns later assignments only")
  func added() throws {
    let early = Card(), late = Card(), heard = Recorder<String>()
    let shared = KeyValueSharedObservers<Card>()
    shared.observe(\.rank) { _, _ in heard.add("first") }
    early.setSharedObservers(shared)
    shared.observe(\.rank) { _, _ in heard.add("second") }
    late.setSharedObservers(shared)
    early.rank = 2
    #expect(heard.all == ["first"])
    late.rank = 2
    #expect(heard.all == ["first", "second", "first"])
    early.setSharedObservers(shared)
    early.rank = 3
    #expect(heard.count == 5)
    #expect(try RuntimeObject(early).registrations.map(\.isShared) == [true, true])
  }

  @Test("before the change is told, and elements by their indexes")
  func options() {
    let card = Card(), heard = Recorder<String>()
    let shared = KeyValueSharedObservers<Card>()
    shared.observe(\.title, options: [.prior, .old, .new]) { _, change in
      let old = change.oldValue!
      heard.add(change.isPrior ? "prior \(old)" : "\(old) \(change.newValue!)")
    }
    shared.observe(\.tags, options: [.old, .new]) { _, change in
      let indexes = change.indexes ?? []
      heard.add("\(change.kind) \(indexes) \(change.oldValue ?? []) \(change.newValue ?? [])")
    }
    card.setSharedObservers(shared)
    card.title = "two"
    card.mutableArrayValue(for: \.tags).append("b")
    card.mutableArrayValue(for: \.tags).remove(at: 0)
    #expect(
      heard.all == [
        "prior one", "one two", #"insertion [1] [] ["b"]"#, #"removal [0] ["a"] []"#,
      ])
  }

  @Test("values that are set by name, or announced by hand, are told as well")
  func byName() throws {
    let card = Card(), heard = Recorder<Int?>()
    let shared = KeyValueSharedObservers<Card>()
    shared.observe(\.rank, options: .new) { _, change in heard.add(change.newValue) }
    card.setSharedObservers(shared)
    try card.setValue(5, forKey: "rank")
    card.withChange(of: \.rank) {}
    #expect(heard.all == [5, 5])
  }

  @Test("there is nothing to end by a change")
  func stopping() {
    let card = Card(), heard = Recorder<Int?>()
    let shared = KeyValueSharedObservers<Card>()
    shared.observe(\.rank, options: .new) { _, change in
      heard.add(change.newValue)
      change.stopObserving()
    }
    card.setSharedObservers(shared)
    card.rank = 2
    card.rank = 3
    #expect(heard.all == [2, 3])
  }

  @Test("a handler may take the observers away from the object")
  func takenAwayInside() {
    let card = Card(), heard = Recorder<String>()
    let shared = KeyValueSharedObservers<Card>()
    shared.observe(\.title) { _, _ in heard.add("first") }
    shared.observe(\.title) { card, _ in
      heard.add("last")
      card.setSharedObservers(nil)
    }
    card.setSharedObservers(shared)
    card.title = "two"
    card.title = "three"
    #expect(heard.all == ["last"])
  }

  @Test("key paths that cannot be shared are a misuse, and nothing is assigned")
  func refuses() throws {
    func refused(_ add: (KeyValueSharedObservers<Card>) -> Void) throws -> String {
      let card = Card(), shared = KeyValueSharedObservers<Card>()
      shared.observe(\.rank) { _, _ in }
      add(shared)
      let reason = expectMisuse { card.setSharedObservers(shared) }
      #expect(try !RuntimeObject(card).isObserved)
      return reason
    }
    #expect(try refused { $0.observe(\.long) { _, _ in } }.contains("cannot have shared observers"))
    #expect(try refused { $0.observe(\.next?.rank) { _, _ in } }.contains("cannot have shared"))
    #expect(try refused { $0.observe(\.plain) { _, _ in } }.contains("plain has no wrapper"))
    #expect(try refused { $0.observe(\.rank, options: .initial) { _, _ in } }.contains("0x4"))
  }

  @Test("a class whose key depends on others refuses what its superclass takes")
  func dependent() throws {
    let card = Card(), named = Named(), heard = Recorder<String?>()
    let shared = KeyValueSharedObservers<Card>()
    shared.observe(\.title, options: .new) { _, change in heard.add(change.newValue) }
    card.setSharedObservers(shared)
    expectMisuse { (named as Card).setSharedObservers(shared) }
    named.title = "two"
    card.title = "three"
    #expect(heard.all == ["three"])
  }

  // MARK: Scopes

  @Test("in a transaction each object is told of once, and none that has them no more")
  func transaction() {
    let cards = [Card(), Card(), Card()], heard = Recorder<[Int?]>()
    let shared = KeyValueSharedObservers<Card>()
    shared.observe(\.rank, options: [.old, .new]) { _, change in
      heard.add([change.oldValue, change.newValue])
    }
    for card in cards { card.setSharedObservers(shared) }
    KVObject.transaction {
      for (at, card) in cards.enumerated() {
        card.rank = 5
        card.rank = 10 + at
      }
      cards[2].setSharedObservers(nil)
      #expect(heard.count == 0)
    }
    #expect(heard.all == [[1, 10], [1, 11]])
  }

  @Test("nothing of a muted object is told to them")
  func muting() {
    let card = Card(), other = Card(), heard = Recorder<String>()
    let shared = KeyValueSharedObservers<Card>()
    shared.observe(\.rank, options: .new) { _, change in heard.add("\(change.newValue!)") }
    shared.observe(\.title, options: .new) { _, change in heard.add(change.newValue!) }
    for card in [card, other] { card.setSharedObservers(shared) }
    card.muting {
      card.rank = 2
      card.title = "two"
      other.rank = 3
    }
    card.rank = 4
    #expect(heard.all == ["3", "4"])
  }

  // MARK: Lives and threads

  @Test("handlers go with the last object that has them and the collection")
  func lives() {
    final class Token: Sendable {
      let ended: Recorder<Void>
      init(_ ended: Recorder<Void>) { self.ended = ended }
      deinit { ended.add(()) }
    }
    let ended = Recorder<Void>()
    var cards = [Card(), Ace()]
    do {
      let shared = KeyValueSharedObservers<Card>()
      let token = Token(ended)
      shared.observe(\.rank) { _, _ in withExtendedLifetime(token) {} }
      for card in cards { card.setSharedObservers(shared) }
    }
    for card in cards { card.rank = 2 }
    cards.removeFirst()
    #expect(ended.count == 0)
    cards[0].setSharedObservers(nil)
    #expect(ended.count == 1)
  }

  @Test("several threads assign one collection and set their objects")
  func threads() async {
    let shared = KeyValueSharedObservers<Card>(), ranks = Recorder<Int?>()
    shared.observe(\.rank, options: .new) { _, change in ranks.add(change.newValue) }
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          for _ in 0..<50 {
            let card = number % 2 == 0 ? Card() : Ace()
            card.setSharedObservers(shared)
            card.rank = 7
            if number == 3 { card.setSharedObservers(nil) }
          }
        }
      }
    }
    #expect(ranks.all == Array(repeating: 7, count: 200))
  }

  @Test("a collection may be added to while other threads assign it")
  func addedMeanwhile() async {
    let shared = KeyValueSharedObservers<Card>(), heard = Recorder<Void>()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<50 {
            let card = Card()
            card.setSharedObservers(shared)
            card.rank = 2
          }
        }
      }
      group.addTask { for _ in 0..<20 { shared.observe(\.rank) { _, _ in heard.add(()) } } }
    }
    heard.clear()
    let card = Card()
    card.setSharedObservers(shared)
    card.rank = 3
    #expect(heard.count == 20)
  }
}
