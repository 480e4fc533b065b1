import IsaKVO
import IsaKVOTestSupport
import Testing

private struct UnorderedSpot {
  let x: Int
}

private final class Town: KVObject {
  @Dynamic var name = "Rome"
  @Dynamic var size = 1
  @Dynamic var spot = UnorderedSpot(x: 0)
  var plain = 3
}

private final class Citizen: KVObject {
  @Dynamic var name = "Ann"
  @Dynamic var age = 1
  @Dynamic var home: Town? = Town()
  @Dynamic var cities = [Town()]
  @Dynamic var places = [UnorderedSpot(x: 1), UnorderedSpot(x: 2)]
  @Dynamic var list = [1, 2]
  @Dynamic var absent: [Int]?
}

/// The error that a call throws, and the object whose failure that is.
private struct Culprit: Sendable, CustomTestStringConvertible {
  let call: String
  let body: @Sendable (Citizen) throws -> Void
  let code: KeyValueError.Code
  let key: String
  let className: String
  var keyPath: String?
  /// The object that failed, if it is one of ours.
  var object: @Sendable (Citizen) -> KVObject? = { _ in nil }
  var cure: String?
  var testDescription: String { call }
}

private let itsHome: @Sendable (Citizen) -> KVObject? = { $0.home }
private let theReceiver: @Sendable (Citizen) -> KVObject? = { $0 }
private let theFirst: @Sendable (Citizen) -> KVObject? = { $0.cities[0] }

private let culprits: [Culprit] = [
  Culprit(
    call: "a misspelt key", body: { _ = try $0.value(forKey: "agee") }, code: .undefinedKey,
    key: "agee", className: "Citizen", object: theReceiver, cure: "did you mean “age”?"),
  Culprit(
    call: "a misspelt key that is set", body: { try $0.setValue(1, forKey: "agee") },
    code: .undefinedKey, key: "agee", className: "Citizen", object: theReceiver,
    cure: "did you mean “age”?"),
  Culprit(
    call: "an unknown key at the end of a path", body: { _ = try $0.value(forKeyPath: "home.x") },
    code: .undefinedKey, key: "x", className: "Town", keyPath: "home.x", object: itsHome,
    cure: "wrap the property with @Dynamic, or declare its key in `keys`"),
  Culprit(
    call: "a property without a wrapper", body: { try $0.setValue(1, forKeyPath: "home.plain") },
    code: .undefinedKey, key: "plain", className: "Town", keyPath: "home.plain", object: itsHome,
    cure: "wrap Town.plain with @Dynamic, or declare its key in `keys`"),
  Culprit(
    call: "a key of a string", body: { _ = try $0.value(forKeyPath: "home.name.x") },
    code: .undefinedKey, key: "x", className: "String", keyPath: "home.name.x"),
  Culprit(
    call: "a key of a number", body: { _ = try $0.value(forKeyPath: "age.x") },
    code: .undefinedKey, key: "x", className: "a number", keyPath: "age.x"),
  Culprit(
    call: "a key of elements", body: { _ = try $0.value(forKeyPath: "cities.@sum.x") },
    code: .undefinedKey, key: "x", className: "Town", keyPath: "cities.@sum.x", object: theFirst,
    cure: "wrap the property with @Dynamic, or declare its key in `keys`"),
  Culprit(
    call: "an average of texts", body: { _ = try $0.value(forKeyPath: "cities.@avg.name") },
    code: .overflow, key: "name", className: "Array", keyPath: "cities.@avg.name"),
  Culprit(
    call: "a sum of what are no numbers",
    body: { _ = try $0.value(forKeyPath: "cities.@sum.spot") },
    code: .unrecognizedSelector, key: "spot", className: "Array", keyPath: "cities.@sum.spot"),
  Culprit(
    call: "a key of a struct", body: { try $0.setValue(1, forKeyPath: "home.spot.x") },
    code: .undefinedKey, key: "x", className: "a Swift value", keyPath: "home.spot.x",
    cure: "only objects have keys: set the value as a whole, or make its type a KVObject"),
  Culprit(
    call: "an operator that nobody has", body: { _ = try $0.value(forKeyPath: "cities.@foo.size") },
    code: .invalidArgument, key: "@foo", className: "Array", keyPath: "cities.@foo.size"),
  Culprit(
    call: "a greatest of what has no order",
    body: { _ = try $0.value(forKeyPath: "places.@max.self") },
    code: .invalidArgument, key: "self", className: "Array", keyPath: "places.@max.self"),
  Culprit(
    call: "a value of another type", body: { try $0.setValue("x", forKeyPath: "home.size") },
    code: .incompatible, key: "size", className: "Town", keyPath: "home.size", object: itsHome),
  Culprit(
    call: "nil for a number", body: { try $0.setValue(nil, forKeyPath: "home.size") },
    code: .nilValue, key: "size", className: "Town", keyPath: "home.size", object: itsHome,
    cure: "make the property optional, or override setNilValueForKey(_:)"),
  Culprit(
    call: "many keys", body: { _ = try $0.dictionaryWithValues(forKeys: ["age", "x"]) },
    code: .undefinedKey, key: "x", className: "Citizen", object: theReceiver,
    cure: "wrap the property with @Dynamic, or declare its key in `keys`"),
  Culprit(
    call: "observing an unknown key",
    body: { _ = try $0.observe("home.x", as: Int.self) { _, _ in } },
    code: .notObservable, key: "x", className: "Town", keyPath: "home.x", object: itsHome,
    cure: "wrap the property with @Dynamic, or declare its key in `keys`"),
  Culprit(
    call: "an observer of a path with an unknown key",
    body: { try $0.addObserver($0, forKeyPath: "home.x.y") },
    code: .undefinedKey, key: "x", className: "Town", keyPath: "home.x.y", object: itsHome,
    cure: "wrap the property with @Dynamic, or declare its key in `keys`"),
  Culprit(
    call: "observing a collection", body: { try $0.addObserver($0, forKeyPath: "cities.name") },
    code: .notObservable, key: "name", className: "Array", keyPath: "cities.name"),
  Culprit(
    call: "a removal too many", body: { try $0.removeObserver($0, forKeyPath: "age") },
    code: .notRegistered, key: "age", className: "Citizen", object: theReceiver,
    cure:
      "remove once for each registration, with the key path and the context that it was made with"),
  Culprit(
    call: "a proxy of a number", body: { try $0.mutableArrayValue(forKey: "age").append(1) },
    code: .unrecognizedSelector, key: "age", className: "Citizen",
    cure: "make it a collection, or declare how its elements come and go"),
  Culprit(
    call: "a proxy of nil", body: { try $0.mutableArrayValue(forKey: "absent").append(1) },
    code: .nilValue, key: "absent", className: "Citizen", cure: "set it to a collection first"),
]

@Suite(.serialized, .leavesNoObjects)
struct ErrorCulpritTests {
  @Test("an error names the key, class and object that failed, and a cure", arguments: culprits)
  fileprivate func culprit(_ expected: Culprit) throws {
    let human = Citizen()
    let error = try #require(throws: KeyValueError.self) { try expected.body(human) }
    #expect(error.code == expected.code)
    #expect(error.key == expected.key)
    #expect(error.className.split(separator: ".").last.map { String($0) } == expected.className)
    #expect(error.keyPath == expected.keyPath)
    #expect(error.object == expected.object(human).map { ObjectIdentifier($0) })
    #expect(error.cure == expected.cure)
    let opening = error.reason.prefix { $0 != ":" }
    #expect(error.reason.ranges(of: opening).count == 1, "a reason's opening is not said twice")
    #expect(error.description.ranges(of: error.description.prefix { $0 != ":" }).count == 1)
    #expect(!["IsaS", "IsaN", "-["].contains { error.description.contains($0) })
  }

  @Test("a value of another type is refused with the key, its class and both types")
  func mismatch() throws {
    let human = Citizen()
    for text in ["x", "12a", "0x1F", "nan", "inf", "", " 1"] {
      let error = expectError(.incompatible, key: "age") { try human.setValue(text, forKey: "age") }
      let reason = try #require(error).reason
      #expect(reason.hasPrefix("“age” of "))
      #expect(
        reason.hasSuffix(
          "Citizen: expected a value of type Int, not “\(text)”, a value of type String"))
    }
    #expect(human.age == 1)
    for (text, age) in [("12", 12), ("-3.9", -3), ("1e3", 1), ("+5", 5)] {
      try human.setValue(text, forKey: "age")
      #expect(human.age == age)
    }
  }

  @Test("an error that a class throws arrives as it was, through a key path too")
  func thrownByTheClass() throws {
    final class Strict: KVObject {
      @Dynamic var city: Town? = Town()
      override func value(forKey key: String) throws(KeyValueError) -> Any? {
        throw KeyValueError(.undefinedKey, key: "inner", className: "Strict", reason: "not today")
      }
    }
    let error = expectError(.undefinedKey, key: "inner", className: "Strict") {
      try Strict().value(forKeyPath: "city.name")
    }
    #expect(error?.reason == "not today")
  }
}
