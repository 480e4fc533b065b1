import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .oneAtATime) struct BindTests {
  @Test("BND-2: the first push goes from source to target")
  func first() throws {
    let citizen = Citizen(), field = Field()
    field.text = "typed"
    try field.bind(\.text, to: citizen, \.name)
    #expect(field.text == "Ann" && citizen.name == "Ann")
  }

  @Test("BND-20: setting the target sets the source")
  func back() throws {
    let citizen = Citizen(), field = Field()
    try field.bind(\.text, to: citizen, \.name)
    field.text = "Bob"
    #expect(citizen.name == "Bob")
    citizen.name = "Eve"
    #expect(field.text == "Eve")
  }

  @Test("BND-21: each end's observers are told once, whichever was set")
  func once() throws {
    let citizen = Citizen(), field = Field()
    try field.bind(\.number, to: citizen, \.age)
    let ages = ToldValues(citizen, \.age), numbers = ToldValues(field, \.number)
    field.number = 1
    citizen.age = 2
    #expect(ages.values == [1, 2] && numbers.values == [1, 2])
  }

  @Test(
    "BND-23: rings of bindings end, of two one-way ones too")
  func rings() throws {
    let a = Field(), b = Field(), c = Field()
    KeyValueSettings.misuseHandler = { _ in }
    defer { KeyValueSettings.misuseHandler = nil }
    try a.bind(\.number, to: b, \.number)
    try b.bind(\.number, to: c, \.number)
    try c.bind(\.number, to: a, \.number)
    a.number = 7
    #expect([a, b, c].allSatisfy { $0.number == 7 })
    c.number = 8
    #expect([a, b, c].allSatisfy { $0.number == 8 })
    let d = Field(), e = Field()
    try d.follow(\.number, of: e, \.number)
    try e.follow(\.number, of: d, \.number)
    d.number = 3
    #expect(e.number == 3 && d.number == 3)
  }

  @Test("BND-23: in a ring each property is told once of a value, whichever was set")
  func ringTellsOnce() throws {
    KeyValueSettings.misuseHandler = { _ in }
    defer { KeyValueSettings.misuseHandler = nil }
    let ring = (0..<4).map { _ in Field() }
    for (place, field) in ring.enumerated() {
      try field.bind(\.number, to: ring[(place + 1) % 4], \.number)
      try field.follow(\.text, of: ring[(place + 1) % 4], \.text)
      try field.bind("title", to: ring[(place + 1) % 4], withKeyPath: "title")
    }
    let numbers = ring.map { ToldValues($0, \.number) }, texts = ring.map { ToldValues($0, \.text) }
    let titles = ring.map { ToldValues($0, \.title) }
    for (place, field) in ring.enumerated() {
      field.number = place + 1
      field.text = "\(place)"
      field.title = "\(place)"
    }
    #expect(numbers.allSatisfy { $0.values == [1, 2, 3, 4] })
    #expect((texts + titles).allSatisfy { $0.values == ["0", "1", "2", "3"] })
    // Once the ring is open, an equal value is passed on again.
    ring[3].unbindAll()
    ring[0].number = 4
    #expect(numbers.map(\.values.count) == [5, 5, 5, 5])
    withExtendedLifetime(ring) {}
  }

  @Test("BND-24: a ring is reported once, when it is closed, and not refused")
  func reportsRings() throws {
    let a = Field(), b = Field(), c = Field()
    KeyValueSettings.misuseHandler = { collected.append($0) }
    defer { KeyValueSettings.misuseHandler = nil }
    let more = Transformer<Int, Int> {
      $0 + 1
    } back: {
      $0 - 1
    }
    try a.bind(\.number, to: b, \.number, more)
    try b.bind(\.number, to: c, \.number, more)
    #expect(collected.take().isEmpty)
    let last = try c.bind(\.number, to: a, \.number, more)
    let reports = collected.take()
    #expect(reports.map(\.code) == [.selfDependent])
    #expect(reports.allSatisfy { $0.reason.contains("Field.number ← Field.number ← Field.number") })
    // Transformers that contradict one another: the values go round, come to an end and need not agree.
    let told = [a, b, c].map { ToldValues($0, \Field.number) }
    a.number = 10
    #expect(told[0].values.first == 10 && told.allSatisfy { (1...9).contains($0.values.count) })
    #expect(last.isValid && collected.take().isEmpty)
  }

  @Test("BND-24: a property that is bound to itself is a ring, by its name or another")
  func reportsItself() throws {
    final class View: Field, BindingTarget {
      class var bindingNames: [BindingName] { [.value] }
      static func bindingKey(for name: BindingName) -> String {
        name == .value ? "text" : name.rawValue
      }
    }
    KeyValueSettings.misuseHandler = { collected.append($0) }
    defer { KeyValueSettings.misuseHandler = nil }
    let view = View()
    try view.follow(\.number, of: view, \.number)
    try view.bind(\.title, to: view, \.title)
    try view.bind("isOn", to: view, withKeyPath: "isOn")
    try view.bind(.value, to: view, withKeyPath: "text")
    let rings = collected.take().map(\.reason)
    #expect(rings.count == 4 && rings.allSatisfy { $0.hasPrefix("bindings form a ring: ") })
    #expect(rings.first?.hasSuffix("View.number ← View.number") == true)
    (view.number, view.title, view.isOn, view.text) = (5, "b", true, "c")
    #expect(view.number == 5 && view.title == "b" && view.isOn && view.text == "c")
    try view.follow(\.number, of: Field(), \.number)
    #expect(collected.take().isEmpty)
  }

  @Test("BND-25: what a target makes of a value goes back once")
  func altered() throws {
    let citizen = Citizen(), field = TrimmingField()
    try field.bind(\.text, to: citizen, \.name)
    let told = ToldValues(citizen, \.name)
    citizen.name = "  x"
    #expect(field.text == "x" && citizen.name == "x" && told.values == ["  x", "x"])
  }

  @Test("BND-26: without a way back the source stays")
  func oneWay() throws {
    let citizen = Citizen(), field = Field()
    try field.bind(\.text, to: citizen, \.age, Transformer { "\($0)" })
    field.text = "90"
    #expect(citizen.age == 30)
    citizen.age = 31
    #expect(field.text == "31")
  }

  @Test("BND-27: a value that the validator refuses leaves the source; one it replaces is shown")
  func validated() throws {
    let citizen = Citizen(), field = Field()
    let binding = try field.bind(\.number, to: citizen, \.age, validates: true)
    var refused: [String] = []
    binding.onError = { error, value in refused.append("\(error.code) \(value!)") }
    field.number = -1
    #expect(citizen.age == 30 && field.number == -1 && refused == ["invalid -1"])
    let told = ToldValues(field, \.number)
    field.number = 200
    #expect(citizen.age == 150 && field.number == 150 && told.values == [200, 150])
  }

  @Test("BND-28: without it nothing is asked")
  func notValidated() throws {
    let citizen = Citizen(), field = Field()
    try field.bind(\.number, to: citizen, \.age)
    field.number = -1
    #expect(citizen.age == -1)
  }

  @Test("BND-29: what does not convert is refused, and the source stays")
  func conversion() throws {
    let citizen = Citizen(), field = Field()
    let binding = try field.bind(\.text, to: citizen, \.age, .text)
    var refused: [Any?] = []
    binding.onError = { _, value in refused.append(value) }
    field.text = "abc"
    #expect(citizen.age == 30 && field.text == "abc" && refused.count == 1)
    field.text = "77"
    #expect(citizen.age == 77)
  }

  @Test("BND-31: a placeholder is not written back")
  func placeholder() throws {
    let citizen = Citizen(), field = TrimmingField()
    try field.bind(\.text, to: citizen, \.nickname, ifNil: "  none")
    #expect(citizen.nickname == nil && field.text == "none")
    citizen.nickname = "Bo"
    citizen.nickname = nil
    #expect(field.text == "none" && citizen.nickname == nil)
    field.text = "Al"
    #expect(citizen.nickname == "Al")
  }

  @Test("BND-32: writing back sets the target no second time")
  func setOnce() throws {
    let citizen = Citizen(), field = Field()
    try field.bind(\.number, to: citizen, \.age)
    let told = ToldValues(field, \.number)
    field.number = 1
    field.number = 1
    #expect(told.values == [1, 1] && citizen.age == 1)
  }

  @Test("BND-34: what is written through nil is dropped, and the placeholder shown")
  func throughNil() throws {
    let citizen = Citizen(), field = Field()
    try field.bind(\.text, to: citizen, \.home, \.city, ifNil: "none")
    #expect(field.text == "none")
    field.text = "Basel"
    #expect(field.text == "none")
    citizen.home = Home()
    #expect(field.text == "Bern")
    field.text = "Chur"
    #expect(citizen.home?.city == "Chur")
    citizen.home!.city = "Genf"
    #expect(field.text == "Genf")
  }

  @Test("BND-118: what a source makes of a value is shown once")
  func clamped() throws {
    let dial = Dial(), field = Field()
    try field.bind(\.number, to: dial, \.level)
    let told = ToldValues(field, \.number)
    field.number = 50
    #expect(dial.level == 10 && field.number == 10 && told.values == [50, 10])
  }

  @Test("BND-120: both ends may be of one object")
  func oneObject() throws {
    let field = Field()
    try field.bind(\.title, to: field, \.text)
    field.title = "a"
    #expect(field.text == "a")
    field.text = "b"
    #expect(field.title == "b")
    // A target that cannot be observed has one direction only.
    #expect(throws: KeyValueError.self) { try field.bind(\.plain, to: field, \.text) }
    #expect(registrations(of: field) == 2)
  }
}

/// Misuses that a handler has heard of.
private let collected = Collected()

private final class Collected: @unchecked Sendable {
  private var misuses: [Misuse] = []
  func append(_ misuse: Misuse) { misuses.append(misuse) }
  func take() -> [Misuse] {
    defer { misuses = [] }
    return misuses
  }
}
