import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNoObjects)
struct ObservedKeyPathTests {
  /// Notes old → new and the cause of each change.
  private func note<Object: KVObject, Value>(
    _ keyPath: KeyPath<Object, Value>, _ object: Object,
    _ options: ObservationOptions = [.old, .new]
  ) throws -> (notes: Recorder<String>, token: KeyValueObservation) {
    let notes = Recorder<String>()
    let token = object.observe(keyPath, options: options) { _, change in
      let moment = change.isPrior ? "prior " : change.isInitial ? "initial " : ""
      notes.add(
        "\(moment)\(show(change.oldValue)) → \(show(change.newValue)) by \(change.cause ?? "none")")
    }
    return (notes, token)
  }

  @Test("a key path that ends in a property without a wrapper is refused, whatever its names are")
  func oddNames() throws {
    let odd = Odd()
    for path in [\Odd.place!.`x.y`, \.place!.`city?`, \.place!.x, \.place!.open, \.`own.one`] {
      let reason = expectMisuse { _ = odd.observe(path) { _, _ in } }
      #expect(reason.contains("wrapper"), "\(path)")
    }
    expectMisuse { _ = odd.observe(\.place?.pairs) { _, _ in } }
    #expect(try !RuntimeObject(odd).isObserved)
  }

  @Test("a property of a computed struct is no property of the object that was read for it")
  func computedStruct() throws {
    let odd = Odd(), notes = try note(\.frame.x, odd), pairs = try note(\.framed["a"]?.1.x, odd)
    odd.place = nil
    #expect(notes.notes.all == ["1 → 0 by place"])
    #expect(pairs.notes.all == ["Optional(1) → Optional(0) by place"])
    notes.token.invalidate()
    pairs.token.invalidate()
  }

  @Test("a wrapped property's name may be any words, but has no dot if it is observed")
  func rawNames() throws {
    let odd = Odd(), path = try note(\.place?.`full name`, odd)
    try odd.place?.setValue(2, forKey: "full name")
    odd.place?.`full name` = 3
    let words = ["1) → Optional(2", "2) → Optional(3"].map { "Optional(\($0)) by full name" }
    #expect(path.notes.all == words)
    path.token.invalidate()
    try odd.setValue(2, forKey: "a.b")
    #expect(try odd.`a.b` == 2 && odd.value(forKey: "a.b", as: Int.self) == 2)
    for path in [\Odd.`a.b`, \.twice] {
      let reason = expectMisuse { _ = odd.observe(path) { _, _ in } }
      #expect(reason.hasSuffix("the name “a.b” has a dot, which parts keys"))
    }
  }

  @Test("a path through objects is heard at its end and on the way")
  func nested() throws {
    let human = Human(), old = human.home, other = Place()
    other.city = "Oslo"
    let (notes, token) = try note(\.home.city, human)
    human.home.city = "Rome"
    human.home = other
    old.city = "Bern"
    other.city = "Bonn"
    #expect(
      notes.all == ["Paris → Rome by city", "Rome → Oslo by home", "Oslo → Bonn by city"])
    withExtendedLifetime(token) {}
  }

  @Test("a path through optionals follows them to nil and back")
  func optional() throws {
    let human = Human()
    let (notes, token) = try note(\.place?.city, human)
    let place = Place()
    human.place = place
    place.city = "Rome"
    human.place = nil
    place.city = "Bern"
    #expect(
      notes.all == [
        "nil → Optional(\"Paris\") by place", "Optional(\"Paris\") → Optional(\"Rome\") by city",
        "Optional(\"Rome\") → nil by place",
      ])
    withExtendedLifetime(token) {}
  }

  @Test("a path through a forced optional is heard")
  func forced() throws {
    let human = Human()
    human.place = Place()
    let (notes, token) = try note(\.place!.city, human)
    human.place!.city = "Rome"
    #expect(notes.all == ["Paris → Rome by city"])
    withExtendedLifetime(token) {}
  }

  @Test("a path through a forced optional lives through nil, which has no value")
  func forcedNil() throws {
    let human = Human()
    human.place = Place()
    let (notes, token) = try note(\.place!.city, human)
    human.place = nil
    human.place = Place()
    #expect(notes.all == ["Paris → absent by place", "absent → Paris by place"])
    withExtendedLifetime(token) {}
  }

  @Test("a constant on the way is valid, and what it leads to is heard")
  func constant() throws {
    let human = Human()
    let (notes, token) = try note(\.office.city, human)
    human.office.city = "Rome"
    #expect(notes.all == ["Paris → Rome by city"])
    withExtendedLifetime(token) {}
  }

  @Test("a computed property is heard through all that it reads, and anew when that changes")
  func computed() throws {
    let human = Human()
    let (full, first) = try note(\.full, human)
    let (greeting, second) = try note(\.greeting, human)
    let (adult, third) = try note(\.isAdult, human)
    let (place, fourth) = try note(\.hasPlace, human)
    human.name = "Bob"
    human.last = "Poe"
    human.age = 20
    human.place = Place()
    #expect(full.all == ["Ann Lee → Bob Lee by name", "Bob Lee → Bob Poe by last"])
    #expect(greeting.all == ["Hi Ann Lee → Hi Bob Lee by name", "Hi Bob Lee → Hi Bob Poe by last"])
    #expect(adult.all == ["false → true by age"])
    #expect(place.all == ["false → true by place"])
    withExtendedLifetime((first, second, third, fourth)) {}
  }

  @Test("what a computed property reads only sometimes is heard when it does")
  func branches() throws {
    let chooser = Chooser()
    let (notes, token) = try note(\.chosen, chooser)
    chooser.second = 20
    chooser.usesFirst = false
    chooser.first = 10
    chooser.second = 21
    #expect(
      notes.all == ["1 → 20 by usesFirst", "20 → 21 by second"])
    withExtendedLifetime(token) {}
  }

  @Test("a member of a struct is heard through its property, elements of an array through it")
  func members() throws {
    let human = Human(), friend = Human()
    human.friends = [friend]
    let (spot, first) = try note(\.spot.x, human)
    let (count, second) = try note(\.list.count, human)
    let (name, third) = try note(\.friends[0].name, human)
    human.spot = Spot(x: 5, y: 6)
    human.list.append(4)
    friend.name = "Bob"
    human.friends = [Human()]
    #expect(spot.all == ["1.0 → 5.0 by spot"])
    #expect(count.all == ["1 → 2 by list"])
    #expect(name.all == ["Ann → Bob by name", "Bob → Ann by friends"])
    withExtendedLifetime((first, second, third)) {}
  }

  @Test("initial and prior notifications of every kind of path")
  func options() throws {
    let human = Human()
    human.place = Place()
    let all: ObservationOptions = [.old, .new, .initial, .prior]
    let (age, first) = try note(\.age, human, all)
    let (full, second) = try note(\.full, human, all)
    let (city, third) = try note(\.place?.city, human, all)
    human.age = 2
    human.name = "Bob"
    human.place?.city = "Rome"
    #expect(
      age.all == ["initial absent → 1 by none", "prior 1 → absent by age", "1 → 2 by age"])
    #expect(
      full.all == [
        "initial absent → Ann Lee by none", "prior Ann Lee → absent by name",
        "Ann Lee → Bob Lee by name",
      ])
    #expect(
      city.all == [
        "initial absent → Optional(\"Paris\") by none",
        "prior Optional(\"Paris\") → absent by city",
        "Optional(\"Paris\") → Optional(\"Rome\") by city",
      ])
    withExtendedLifetime((first, second, third)) {}
  }

  @Test("a path that ends in a property without a wrapper is a misuse, told by its names")
  func unwrapped() throws {
    let human = Human()
    let paths: [(KeyPath<Human, Int>, String)] = [
      (\.unwrapped, "Human"), (\.home.unwrapped, "Place"), (\.office.unwrapped, "Human"),
    ]
    for (path, name) in paths {
      let reason = expectMisuse { _ = human.observe(path) { _, _ in } }
      #expect(reason.contains(name), "\(reason)")
      #expect(reason.contains("\(path)".prefix { $0 != "<" }))
      #expect(!reason.contains("0x"))
    }
    #expect(!(try RuntimeObject(human).isObserved))
  }

  @Test("a path to a constant is a misuse")
  func toConstant() {
    let human = Human()
    #expect(expectMisuse { _ = human.observe(\.office) { _, _ in } }.contains("office"))
  }

  @Test("an observation ends with its root, also where only others are registered with")
  func rootEnds() throws {
    var human: Human? = Human()
    let office = human!.office
    let (notes, token) = try note(\.office.city, human!)
    human = nil
    #expect(!token.isValid)
    #expect(!(try RuntimeObject(office).isObserved))
    office.city = "Rome"
    #expect(notes.all.isEmpty)
  }

  @Test("an invalidated observation of a computed property hears nothing, of itself neither")
  func invalidated() throws {
    let human = Human()
    var told = 0
    let token = human.observe(\.full) { _, change in
      told += 1
      change.stopObserving()
    }
    human.name = "Bob"
    human.last = "Poe"
    #expect(told == 1)
    #expect(!token.isValid)
    #expect(!(try RuntimeObject(human).isObserved))
  }

  @Test("a key path that is made anew each time is observed as the one that it is equal to")
  func equalPaths() throws {
    let human = Human()
    var told = 0
    for _ in 0..<600 {
      let made = (\Human.home).appending(path: \.city)
      let token = human.observe(made) { _, change in told += change.keyPath.count }
      human.home.city = "Rome"
      token.invalidate()
    }
    #expect(told == 600 * "home.city".count)
  }

  @Test("objects that a computed property no longer reads are let go of")
  func letGo() throws {
    let human = Human()
    weak var place: Place?
    do {
      let first = Place()
      place = first
      human.place = first
    }
    let (_, token) = try note(\.place?.city, human)
    human.place = nil
    #expect(place == nil)
    withExtendedLifetime(token) {}
  }

  @Test("declared keys stand for computed properties, by key path and by name")
  func declared() throws {
    let invoice = Invoice()
    let (typed, first) = try note(\.total, invoice)
    let named = Recorder<String>()
    let second = try invoice.observe("total", as: Double.self, options: [.old, .new]) {
      named.add("\($1.oldValue!) → \($1.newValue!) by \($1.cause!)")
    }
    invoice.price = 3
    invoice.count = 4
    #expect(typed.all == ["1.0 → 3.0 by price", "3.0 → 12.0 by count"])
    #expect(named.all == ["1.0 → 3.0 by price", "3.0 → 12.0 by count"])
    #expect(try invoice.value(forKey: "total") as? Double == 12)
    withExtendedLifetime((first, second)) {}
  }

  @Test("a declared key that does not notify by itself is announced by hand")
  func manual() throws {
    let invoice = Invoice()
    let (notes, token) = try note(\.note, invoice)
    invoice.note = "a"
    #expect(notes.all.isEmpty)
    invoice.willChangeValue(forKey: "note")
    invoice.note = "b"
    invoice.didChangeValue(forKey: "note")
    #expect(notes.all == ["a → b by note"])
    withExtendedLifetime(token) {}
  }
}

private func show<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "absent" }

private final class Chooser: KVObject {
  @Dynamic var usesFirst = true
  @Dynamic var first = 1
  @Dynamic var second = 2
  var chosen: Int { usesFirst ? first : second }
}

private class Invoice: KVObject {
  @Dynamic var price = 1.0
  @Dynamic var count = 1
  @Dynamic var note = ""
  var total: Double { price * Double(count) }

  override class var keys: [KeyDeclaration] {
    [
      .key("total", \Invoice.total, affectedBy: [\Invoice.price, \Invoice.count]),
      .key("note", \Invoice.note, notifiesAutomatically: false),
    ]
  }
}

// MARK: - Odd key paths

private struct Frame: Equatable { var x: Int }

private final class Odd: KVObject {
  @Dynamic var place: OddPlace? = OddPlace()
  @Dynamic var `a.b` = 1
  var `own.one` = 1
  var twice: Int { `a.b` * 2 }
  var frame: Frame { Frame(x: place == nil ? 0 : 1) }
  var framed: [String: (Int, Frame)] { ["a": (1, frame)] }
}

private class OpenPlace: KVObject {
  var open = 1
}

private final class OddPlace: OpenPlace {
  @Dynamic var `full name` = 1
  var x = 1
  var `x.y` = 1
  var `city?` = 1
  var pairs: [String: (Int, Frame?)] = [:]
}
