import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

private final class Target {
  func told() {}
}

private final class Anywhere: KVObject, @unchecked Sendable {
  @Dynamic var age = 1
}

private final class GNUstepped: KVObject {
  @Dynamic var age = 1
  override class var profile: KeyValueProfile { .gnustep }
}

@Suite(.serialized, .leavesNoObjects)
struct SmallPromisesTests {
  @Test("an observation ends with its target, of whatever class")
  func target() throws {
    let human = Human()
    var target: Target? = Target()
    let token = human.observe(\.age, target: target!, action: Target.told)
    #expect(token.isValid)
    target = nil
    #expect(!token.isValid)
    human.age = 2
    #expect(human.observationInfo == nil && !token.isValid)
  }

  @Test("observing a property as a type that its value cannot be had as is refused")
  func wrongType() throws {
    let human = Human()
    expectError(.incompatible, key: "age") {
      try human.observe("age", as: [Int].self) { _, _ in }
    }
    expectError(.incompatible, key: "name") {
      try human.observe("name", as: Int.self) { _, _ in }
    }
    let tokens = [
      try human.observe("age", as: Double.self) { _, _ in },
      try human.observe("count", as: Int.self) { _, _ in },
      try human.observe("count", as: Int?.self) { _, _ in },
      try human.observe("report", as: String.self) { _, _ in },
    ]
    #expect(human.observationInfo != nil)
    tokens.forEach { $0.invalidate() }
  }

  @Test("a value that is of another type than it is observed as is reported, once")
  func mismatch() throws {
    let human = Human(), reasons = Recorder<String>()
    KeyValueSettings.misuseHandler = { reasons.add($0.reason) }
    defer { KeyValueSettings.misuseHandler = nil }
    let token = try human.observe("place.city", as: Int.self, options: .new) { _, _ in }
    human.place = Place()
    human.place?.city = "Rome"
    human.place = nil
    #expect(reasons.count == 1)
    #expect(reasons.last?.hasPrefix("place.city is observed as Int, but is") == true)
    token.invalidate()
  }

  @Test("a key path that computes is named without addresses")
  func text() throws {
    let human = Human(), told = Recorder<String>()
    let token = human.observe(\.isAdult) { told.add($1.keyPath) }
    human.age = 20
    #expect(told.all == ["\\Human.<computed (Bool)>"])
    token.invalidate()
    #expect(!expectMisuse { human.willChangeValue(for: \.isAdult) }.contains("0x"))
  }

  @Test("a reference leads to the Swift object where it may be used anywhere, else unsafely")
  func swiftObject() throws {
    let anywhere = Anywhere(), human = Human()
    #expect(try RuntimeObject(anywhere).swiftObject(as: Anywhere.self) === anywhere)
    #expect(try RuntimeObject(human).swiftObject(as: Anywhere.self) == nil)
    #expect(try RuntimeObject(human).unsafeSwiftObject === human)
  }

  @Test("a Swift class has the profile that it says")
  func profile() throws {
    let object = GNUstepped()
    #expect(try RuntimeObject(object).isa.profile == .gnustep)
    #expect(try RuntimeObject(Human()).isa.profile == .apple)
    let token = object.observe(\.age) { _, _ in }
    object.age = 2
    token.invalidate()
  }

  @Test("the result of a bracket may be left")
  func discardable() throws {
    let human = Human()
    human.withChange(of: \.age) { 7 }
  }
}
