import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .oneAtATime) struct FollowTests {
  @Test("BND-1: the source's value, transformed, is pushed once before the call returns")
  func first() throws {
    let citizen = Citizen(), field = Field()
    let told = ToldValues(field, \.text)
    try field.follow(\.text, of: citizen, \.name) { $0.uppercased() }
    #expect(field.text == "ANN" && told.values == ["ANN"])
  }

  @Test("BND-3: a property that is bound has the binding before it ended")
  func replaced() throws {
    let one = Citizen(), other = Citizen(), field = Field()
    let old = try field.follow(\.text, of: one, \.name)
    try field.follow(\.text, of: other, \.name)
    one.name = "Bob"
    other.name = "Eve"
    #expect(!old.isValid && field.text == "Eve" && field.bindings.count == 1)
  }

  @Test(
    "BND-5: a source's path that cannot be observed is refused, one with nil in the middle is not")
  func refused() throws {
    let citizen = Citizen(), field = Field()
    #expect(throws: KeyValueError.self) { try field.follow(\.number, of: field, \.plain.count) }
    #expect(field.bindings.isEmpty)
    try field.follow(\.text, of: citizen, \.home?.city, ifNil: "none")
    #expect(field.text == "none")
    citizen.home = Home()
    #expect(field.text == "Bern")
    citizen.home = nil
    #expect(field.text == "none")
  }

  @Test("BND-10: where the first push fails, the call throws, and nothing is registered")
  func firstFails() throws {
    let citizen = Citizen(), field = Field()
    let old = try field.follow(\.text, of: citizen, \.name)
    var code: KeyValueError.Code?
    do throws(KeyValueError) {
      try field.follow(\.text, of: citizen, \.age) { _ throws in throw Refused() }
    } catch { code = error.code }
    #expect(code == .invalid)
    // BND-120: the binding before stays.
    citizen.name = "Bob"
    #expect(old.isValid && field.text == "Bob")
    #expect(registrations(of: citizen) == 1)
  }

  @Test("BND-11: a change sets the target on its thread before the setter returns")
  func synchronous() throws {
    let citizen = Citizen(), field = Field()
    try field.follow(\.number, of: citizen, \.age)
    citizen.age = 31
    #expect(field.number == 31)
    try citizen.setValue(32, forKey: "age")
    #expect(field.number == 32)
    citizen.age += 1
    #expect(field.number == 33)
  }

  @Test("BND-12: every setting is passed on, an equal value too, unless equal ones are suppressed")
  func equalValues() throws {
    let citizen = Citizen(), field = Field(), quiet = Field()
    try field.follow(\.text, of: citizen, \.name)
    try quiet.follow(\.text, of: citizen, \.name, suppressing: ==)
    let told = ToldValues(field, \.text), quietly = ToldValues(quiet, \.text)
    for name in ["Ann", "Bob", "Bob"] { citizen.name = name }
    #expect(told.values == ["Ann", "Bob", "Bob"] && quietly.values == ["Bob"])
  }

  @Test("BND-13: several bindings of one source are served")
  func several() throws {
    let citizen = Citizen(), fields = (0..<5).map { _ in Field() }
    for field in fields { try field.follow(\.number, of: citizen, \.age) }
    citizen.age = 40
    #expect(fields.allSatisfy { $0.number == 40 })
  }

  @Test("BND-14: a handler of the target's change may unbind, rebind and release")
  func handlers() throws {
    let citizen = Citizen()
    var field: Field? = Field()
    let binding = try field!.follow(\.number, of: citizen, \.age)
    var seen: [Int] = []
    let token = field!.observe(\.number, options: .new) { _, change in
      seen.append(change.newValue!)
      binding.unbind()
      field = nil
    }
    citizen.age = 41
    citizen.age = 42
    #expect(seen == [41] && field == nil && !binding.isValid)
    token.invalidate()
  }

  @Test("BND-15: a change made in a push is told before the outer change's other observers")
  func nested() throws {
    let citizen = Citizen(), field = Field()
    var values: [Int] = []
    let late = citizen.observe(\.age, options: .new) { citizen, _ in values.append(citizen.age) }
    try field.follow(\.number, of: citizen, \.age)
    let inner = field.observe(\.number, options: .new) { _, change in
      if change.newValue == 50 { citizen.age = 51 }
    }
    citizen.age = 50
    #expect(values == [51, 51] && field.number == 51)
    withExtendedLifetime((late, inner)) {}
  }

  @Test("BND-16: chains pass a value on in one go, each property being told once")
  func chains() throws {
    let a = Field(), b = Field(), c = Field()
    var order: [String] = []
    try b.follow(\.number, of: c, \.number)
    try a.follow(\.number, of: b, \.number)
    let told = zip(["a", "b", "c"], [a, b, c]).map { name, field in
      field.observe(\.number, options: .new) { _, change in
        order.append("\(name)\(change.newValue!)")
      }
    }
    c.number = 9
    #expect(Set(order) == ["a9", "b9", "c9"] && order.count == 3)
    withExtendedLifetime(told) {}
  }

  @Test("BND-17: in a transaction the target is set once, at its end")
  func transaction() throws {
    let citizen = Citizen(), field = Field()
    try field.follow(\.number, of: citizen, \.age)
    let told = ToldValues(field, \.number)
    KVObject.transaction {
      for age in 1...5 { citizen.age = age }
      #expect(field.number == 30)
    }
    #expect(told.values == [5])
  }

  @Test("BND-18: a muted source does not push, and nothing is made up for")
  func muted() throws {
    let citizen = Citizen(), field = Field()
    try field.follow(\.number, of: citizen, \.age)
    citizen.muting { citizen.age = 60 }
    #expect(field.number == 30)
    citizen.age = 61
    #expect(field.number == 61)
  }

  @Test(
    "BND-19: a path through a to-one relationship pushes the new one's value, and leaves the old")
  func repointed() throws {
    let citizen = Citizen(), field = Field(), first = Home(), second = Home()
    citizen.home = first
    try field.follow(\.text, of: citizen, \.home!.city)
    second.city = "Basel"
    citizen.home = second
    #expect(field.text == "Basel")
    first.city = "Genf"
    #expect(field.text == "Basel")
    second.city = "Chur"
    #expect(field.text == "Chur")
  }

  @Test("BND-21: to-many changes push the whole collection")
  func elements() throws {
    let citizen = Citizen(), field = Field()
    try field.follow(\.list, of: citizen, \.tags)
    citizen.mutableArrayValue(for: \.tags).append("x")
    citizen.mutableArrayValue(for: \.tags).append("y")
    citizen.tags.removeFirst()
    #expect(field.list == ["y"])
  }

  @Test("a transformer that throws later is told to onError with the value, and the target stays")
  func errors() throws {
    let citizen = Citizen(), field = Field()
    let binding = try field.follow(\.text, of: citizen, \.age) { age in
      if age > 100 { throw Refused() }
      return "\(age)"
    }
    var refused: [String] = []
    binding.onError = { error, value in refused.append("\(error.code) \(value!)") }
    citizen.age = 120
    citizen.age = 50
    #expect(refused == ["invalid 120"] && field.text == "50")
  }

  @Test("a property without a wrapper follows; its observers run")
  func plain() throws {
    let citizen = Citizen(), field = Field()
    try field.follow(\.plain, of: citizen, \.name)
    citizen.name = "Bob"
    #expect(field.sets == ["Ann", "Bob"])
    field.unbind(\.plain)
    citizen.name = "Eve"
    #expect(field.plain == "Bob")
  }

  @Test("a computed property is followed")
  func computed() throws {
    final class Full: KVObject {
      @Dynamic var first = "A"
      @Dynamic var last = "B"
      var whole: String { "\(first) \(last)" }
    }
    let full = Full(), field = Field()
    try field.follow(\.text, of: full, \.whole)
    full.last = "C"
    #expect(field.text == "A C")
  }
}

/// How many registrations stand on an object.
func registrations(of object: KVObject) -> Int {
  (try? RuntimeObject(object))?.registrations.count ?? 0
}
