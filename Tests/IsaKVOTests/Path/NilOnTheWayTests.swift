import IsaKVO
import IsaKVOTestSupport
import Testing

private final class Boss: KVObject {
  @Dynamic var name = "Bea"
  @Dynamic var rank: Int? = 1
  @Dynamic var boss: Boss?
  let desk = Desk()
  var shout: String { name.uppercased() }
  var whisper: String { name.lowercased() }

  override class var keys: [KeyDeclaration] { [.property("whisper", \Boss.whisper)] }
}

private final class Desk: KVObject {
  @Dynamic var number = 1
}

private class Clerk: KVObject {
  @Dynamic var name = "Carl"
  @Dynamic var boss: Boss!
  @Dynamic var deputy: Boss?
}

/// A class whose structures have what may be missing.
private final class Shelf: KVObject {
  struct Inner: Equatable {
    var numbers: [Int]
  }
  struct Box {
    var padding: UInt8 = 1
    var label: String?
    var boss: Boss?
    var numbers: [Int] = []
    var inner: Inner?
  }
  enum Choice {
    case none
    case box(Box)

    var box: Box? { if case .box(let box) = self { box } else { nil } }
  }

  @Dynamic var box = Box()
  @Dynamic var choice = Choice.none
  var made: Box { box }
  subscript(index: SIMD4<Int32>, name: String) -> Box {
    precondition(index == SIMD4(1, 2, 3, 4) && name == "x")
    var box = self.box
    box.label = box.label.map { $0 + $0 }
    return box
  }
}

/// Key paths that unwrap optionals by force, and meet nil.
@Suite(.serialized, .leavesNoObjects)
struct NilOnTheWayTests {
  private func note<Root: KVObject, Value>(
    _ root: Root, _ keyPath: KeyPath<Root, Value>
  ) -> (told: Recorder<String>, token: KeyValueObservation) {
    let told = Recorder<String>()
    let token = root.observe(keyPath, options: [.old, .new]) { _, change in
      let values = [change.oldValue, change.newValue].map { $0.map { "\($0)" } ?? "none" }
      told.add(values.joined(separator: " → "))
    }
    return (told, token)
  }

  @Test("a key path registers where nil is on the way, and tells when there is an object, and not")
  func registers() {
    let clerk = Clerk()
    let (told, token) = note(clerk, \.boss.name)
    #expect(token.isValid)
    clerk.boss = Boss()
    clerk.boss.name = "Bill"
    clerk.boss = nil
    clerk.boss = Boss()
    #expect(told.all == ["none → Bea", "Bea → Bill", "Bill → none", "none → Bea"])
    token.invalidate()
  }

  @Test("an optional that is unwrapped by force is none, too, and so is one further on")
  func forced() {
    let clerk = Clerk()
    let (name, first) = note(clerk, \.deputy!.name)
    let (far, second) = note(clerk, \.deputy!.boss!.name)
    clerk.deputy = Boss()
    #expect(name.all == ["none → Bea"] && far.all.allSatisfy { $0 == "none → none" })
    clerk.deputy!.boss = Boss()
    clerk.deputy!.boss!.name = "Top"
    clerk.deputy = nil
    #expect(name.all == ["none → Bea", "Bea → none"])
    #expect(far.all.suffix(3) == ["none → Bea", "Bea → Top", "Top → none"])
    first.invalidate()
    second.invalidate()
  }

  @Test("a key path that ends in the unwrapped object is told with it")
  func end() {
    let clerk = Clerk()
    let told = Recorder<String>()
    let token = clerk.observe(\.deputy!, options: [.old, .new]) { _, change in
      told.add("\(change.oldValue?.name ?? "none") → \(change.newValue?.name ?? "none")")
    }
    clerk.deputy = Boss()
    clerk.deputy = nil
    #expect(told.all == ["none → Bea", "Bea → none"])
    token.invalidate()
  }

  @Test("a computed property behind nil, and a constant, are evaluated once there is an object")
  func evaluated() {
    let clerk = Clerk()
    let (shout, first) = note(clerk, \.boss.shout)
    let (desk, second) = note(clerk, \.boss.desk.number)
    let (whisper, third) = note(clerk, \.boss.whisper)
    clerk.boss = Boss()
    clerk.boss.name = "Bill"
    clerk.boss.desk.number = 2
    clerk.boss = nil
    clerk.boss = Boss()
    #expect(shout.all == ["none → BEA", "BEA → BILL", "BILL → none", "none → BEA"])
    #expect(desk.all == ["none → 1", "1 → 2", "2 → none", "none → 1"])
    #expect(whisper.all == ["none → bea", "bea → bill", "bill → none", "none → bea"])
    #expect(KVObject.keyPath(of: \Clerk.boss.whisper) == "boss.whisper")
    [first, second, third].forEach { $0.invalidate() }
  }

  @Test("the initial notification of nil on the way has no value")
  func initial() {
    let clerk = Clerk()
    var told: [String?] = []
    let tokens = [
      clerk.observe(\.boss.name, options: [.initial, .new]) { told.append($1.newValue) },
      clerk.observe(\.boss.shout, options: [.initial, .new]) { told.append($1.newValue) },
    ]
    #expect(told == [nil, nil])
    tokens.forEach { $0.invalidate() }
  }

  @Test("an end that is optional tells nil of it apart from none")
  func optionalEnd() {
    let clerk = Clerk()
    var told: [Int??] = []
    let token = clerk.observe(\.boss.rank, options: .new) { told.append($1.newValue) }
    clerk.boss = Boss()
    clerk.boss.rank = nil
    #expect(told == [.some(.some(1)), .some(Int?.none)])
    token.invalidate()
  }

  @Test("any of several key paths may have nil on the way")
  func anyOf() {
    let clerk = Clerk()
    var told: [String] = []
    let token = clerk.observe(anyOf: [\.boss.name, \.deputy!.shout, \.name], initial: true) {
      told.append(KVObject.keyPath(of: $1) ?? "shout")
    }
    clerk.boss = Boss()
    clerk.deputy = Boss()
    clerk.boss = nil
    clerk.deputy = nil
    #expect(
      told == ["boss.name", "shout", "name", "boss.name", "shout", "boss.name", "shout"])
    token.invalidate()
  }

  @Test("several key paths together are told once all of them have values")
  func several() {
    let clerk = Clerk()
    var told: [String] = []
    let token = clerk.observe(\.name, \.boss.name, \.deputy!.shout, initial: true) {
      told.append("\($1) \($2) \($3)")
    }
    clerk.name = "Cora"
    clerk.boss = Boss()
    #expect(told.isEmpty)
    clerk.deputy = Boss()
    clerk.boss = nil
    clerk.name = "Carl"
    clerk.boss = Boss()
    #expect(told == ["Cora Bea BEA", "Carl Bea BEA"])
    token.invalidate()
  }

  @Test("the values of a sequence leave out nil on the way")
  func values() async {
    let clerk = Clerk()
    let names = clerk.values(of: \.boss.name, bufferingPolicy: .unbounded)
    let shouts = clerk.values(of: \.boss.shout, bufferingPolicy: .unbounded)
    clerk.boss = Boss()
    clerk.boss = nil
    clerk.boss = Boss()
    clerk.boss.name = "Bill"
    var told: [String] = []
    for await name in names {
      told.append(name)
      if told.count == 3 { break }
    }
    for await shout in shouts {
      told.append(shout)
      if told.count == 6 { break }
    }
    #expect(told == ["Bea", "Bea", "Bill", "BEA", "BEA", "BILL"])
  }

  @Test("equal values are left out, and none is not equal to one")
  func distinct() {
    let clerk = Clerk()
    var told: [String?] = []
    let token = clerk.observe(\.boss.name, options: .new, suppressing: ==) {
      told.append($1.newValue)
    }
    clerk.boss = Boss()
    clerk.boss = Boss()
    clerk.boss = nil
    clerk.boss = Boss()
    #expect(told == ["Bea", nil, "Bea"])
    token.invalidate()
  }

  @Test("observing once hears of the first object")
  func once() {
    let clerk = Clerk()
    var told: [String?] = []
    let token = clerk.observeOnce(\.boss.name, options: .new) { told.append($1.newValue) }
    clerk.boss = Boss()
    clerk.boss = nil
    #expect(told == ["Bea"] && !token.isValid)
  }

  @Test("an object of a class below, and a transaction, make no difference")
  func transaction() {
    final class Junior: Clerk {}
    let clerk: Clerk = Junior()
    let (told, token) = note(clerk, \.boss.name)
    let (shout, second) = note(clerk, \.boss.shout)
    KVObject.transaction {
      clerk.boss = Boss()
      clerk.boss.name = "Bill"
    }
    KVObject.transaction { clerk.boss = nil }
    #expect(told.all == ["none → Bill", "Bill → none"])
    #expect(shout.all == ["none → BILL", "BILL → none"])
    token.invalidate()
    second.invalidate()
  }

  @Test("a property without a wrapper behind nil that is unwrapped by force is a misuse once known")
  func unwrapped() {
    final class Desks: KVObject {
      @Dynamic var desk: Plain?
      final class Plain: KVObject {
        @Dynamic var wrapped = 1
        var number = 1
      }
    }
    let desks = Desks()
    desks.desk = Desks.Plain()
    expectMisuse { _ = desks.observe(\.desk!.number) { _, _ in } }
  }

  @Test("nil and a missing element behind a structure's member, or what has no name, are no value")
  func structures() {
    let shelf = Shelf()
    let (member, first) = note(shelf, \.box.label!.count)
    let (object, second) = note(shelf, \.box.boss!.name)
    let (element, third) = note(shelf, \.box.numbers[1])
    let (computed, fourth) = note(shelf, \.made.boss!.name)
    let (nested, fifth) = note(shelf, \.box.inner!.numbers[0])
    let (indexed, sixth) = note(shelf, \.[SIMD4(1, 2, 3, 4), "x"].label!.count)
    let (either, seventh) = note(shelf, \.choice.box!.boss!.shout)
    shelf.box.label = "four"
    shelf.box.boss = Boss()
    shelf.box.boss!.name = "Bill"
    shelf.box.numbers = [1, 2]
    shelf.box.inner = [Shelf.Inner(numbers: [7])].first
    shelf.choice = .box(shelf.box)
    shelf.choice = .none
    shelf.box = Shelf.Box()
    let tokens = [first, second, third, fourth, fifth, sixth, seventh]
    #expect(tokens.allSatisfy { $0.isValid })
    func changes(_ told: Recorder<String>) -> [String] {
      told.all.filter { $0 != "none → none" && Set($0.split(separator: " → ")).count > 1 }
    }
    #expect(changes(member) == ["none → 4", "4 → none"])
    #expect(changes(object) == ["none → Bea", "Bea → Bill", "Bill → none"])
    #expect(changes(element) == ["none → 2", "2 → none"])
    #expect(changes(computed) == changes(object))
    #expect(changes(nested) == ["none → 7", "7 → none"])
    #expect(changes(indexed) == ["none → 8", "8 → none"])
    #expect(changes(either) == ["none → BILL", "BILL → none"])
    tokens.forEach { $0.invalidate() }
  }
}
