import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite("CHG: change dictionary", .serialized, .leavesNothing)
struct Changes {
  @Test("CHG-01 scalar boxed", arguments: Kind.allCases)
  func scalar(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), new = Recorder<RuntimeValue?>()
      let p = try stage.watcher { _, change in new.add(change.newValue) }
      try i.add(p, "count", .new)
      try i.assign("count", 10)
      #expect(p.told == ["count setting new 10"])
      #expect(new.all.map { $0?.int } == [10])
      try i.remove(p, "count")
    }
  }

  @Test("CHG-03 equal value still notifies", arguments: Kind.allCases)
  func equalValue(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher()
      try i.assign("count", 1)
      try i.add(p, "count", [.old, .new])
      try i.assign("count", 1)
      #expect(p.told == ["count setting old 1 new 1"])
      try i.remove(p, "count")
    }
  }

  @Test("CHG-04 setter that does nothing still notifies", arguments: Kind.allCases)
  func idleSetter(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.make("Idle", Idle()) {
        try $0.property("name", .object, isReadOnly: true).method("setName:", "v@:@") { _ in }
      }
      let p = try stage.watcher()
      try i.add(p, "name", [.old, .new])
      try i.assign("name", stage.text("x"))
      #expect(p.told == ["name setting old nil new nil"])
      #expect(try i.value(forKey: "name").isNil)
      try i.remove(p, "name")
    }
  }

  @Test("CHG-06 set to object then nil", arguments: Kind.allCases)
  func objectThenNil(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher()
      try i.add(p, "name", [.old, .new])
      try i.assign("name", stage.text("a"))
      try i.assign("name", nil)
      #expect(p.told == ["name setting old nil new a", "name setting old a new nil"])
      try i.remove(p, "name")
    }
  }

  // A Change takes the place of the dictionary.
  @Test("CHG-07 dictionary snapshot survives", arguments: Kind.allCases)
  func keptChanges(kind: Kind) throws {
    try onStage(kind) { stage in
      let kept = Recorder<Told>(), p = try stage.watcher { _, change in kept.add(change) }
      let i = try stage.item()
      try i.add(p, "count", .new)
      for count in 1...3 { try i.assign("count", RuntimeValue(count)) }
      #expect(kept.all.map(\.newWords) == ["1", "2", "3"])
      try i.assign("count", 4)
      #expect(kept.all.map(\.newWords) == ["1", "2", "3", "4"])
      try i.remove(p, "count")
      kept.clear()
    }
  }

  @Test("CHG-09 prior flag sequence", arguments: Kind.allCases)
  func priorFlag(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), read = Recorder<String>()
      let p = try stage.watcher { _, change in
        attempt { read.add(try words(for: change.object.value(forKey: "name"))) }
      }
      try i.assign("name", stage.text("a"))
      try i.add(p, "name", .prior)
      try i.assign("name", stage.text("b"))
      #expect(p.told == ["name setting prior", "name setting"])
      #expect(read.all == ["a", "b"])
      try i.remove(p, "name")
    }
  }

  @Test("CHG-10 kind for a whole-collection set", arguments: Kind.allCases)
  func wholeCollection(kind: Kind) throws {
    try onStage(kind) { stage in
      let holder = try stage.make("Holder", Friends()) { try $0.property("friends", .object) }
      let p = try stage.watcher()
      try holder.assign("friends", RuntimeValue.array(["x", "y"]))
      try holder.add(p, "friends", [.old, .new])
      try holder.assign("friends", RuntimeValue.array(["z"]))
      #expect(p.told == ["friends setting old (x, y) new (z)"])
      try holder.remove(p, "friends")
    }
  }

  // The store announces by hand, so that the class of Apple's own is not needed.
  @Test("CHG-12 user-defaults style effective value", arguments: Kind.allCases)
  func effectiveValue(kind: Kind) throws {
    try onStage(kind) { stage in
      let store = try DefaultsStore(stage), p = try stage.watcher()
      for key in ["k1", "k2"] { try store.object.add(p, key, [.old, .new]) }
      try store.set("app", "k1", "v1")
      try store.set("app", "k1", nil)
      try store.set("app", "k2", "v2")
      try store.set("registered", "k2", "v2Alt")
      try store.set("app", "k2", nil)
      try store.set("registered", "k1", "v1")
      try store.set("app", "k1", "v1")
      try store.set("app", "k1", nil)
      #expect(
        p.told == [
          "k1 setting old nil new v1", "k1 setting old v1 new nil", "k2 setting old nil new v2",
          "k2 setting old v2 new v2Alt",
        ])
      for key in ["k1", "k2"] { try store.object.remove(p, key) }
    }
  }

  // A change has fields instead of the literal keys, and names for the numbers of its kinds.
  @Test("CHG-13 kind number and key strings", arguments: Kind.allCases)
  func fields(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), fields = Recorder<String>()
      let p = try stage.watcher { _, change in
        fields.add("\(change.kind) \(change.oldValue?.isNil == true)")
        fields.add(change.newWords ?? "absent")
      }
      try i.add(p, "name", [.old, .new])
      try i.assign("name", stage.text("v"))
      #expect(fields.all == ["setting true", "v"])
      try i.remove(p, "name")
    }
  }
}

/// A store whose value for a key is that of the first layer which has one: override, app,
/// registered. Only the app's layer announces, and only where that value changes.
private final class DefaultsStore {
  let object: Subject
  private let layers: Shared<[String: [String: String]]>
  private static let order = ["override", "app", "registered"]

  init(_ stage: Stage) throws {
    let layers = Shared<[String: [String: String]]>([:])
    let answer: @Sendable (String) -> String? = { Self.effective($0, layers.value) }
    self.layers = layers
    object = try stage.make("Defaults", Defaults(answer)) { builder in
      for key in ["k1", "k2"] {
        try builder.method(RuntimeSelector(key), "@@:") { _ in
          answer(key).map { RuntimeValue($0) } ?? nil
        }
      }
    }
  }

  func set(_ layer: String, _ key: String, _ value: String?) throws {
    var next = layers.value
    next[layer, default: [:]][key] = value
    let isChange = layer == "app" && Self.effective(key, next) != Self.effective(key, layers.value)
    if isChange { try object.willChangeValue(forKey: key) }
    layers.value = next
    if isChange { try object.didChangeValue(forKey: key) }
  }

  private static func effective(_ key: String, _ layers: [String: [String: String]]) -> String? {
    order.lazy.compactMap { layers[$0]?[key] }.first
  }
}

// MARK: - Swift classes

/// A class whose setter of `name` does nothing; it is found by name.
private final class Idle: KVObject, TypedObject {
  var name: String? {
    get { nil }
    set {}
  }

  override class var keys: [KeyDeclaration] { [.key("name", \Idle.name)] }
  var properties: [String: TypedProperty] { ["name": .named("name", \Idle.name)] }
}

private final class Friends: KVObject, TypedObject {
  @Dynamic var friends: [String] = []

  var properties: [String: TypedProperty] { ["friends": .at(\Friends.friends)] }
}

private final class Defaults: KVObject, TypedObject {
  private let answer: (String) -> String?
  var k1: String? { answer("k1") }
  var k2: String? { answer("k2") }

  init(_ answer: @escaping (String) -> String?) { self.answer = answer }

  override class var keys: [KeyDeclaration] {
    [.key("k1", \Defaults.k1), .key("k2", \Defaults.k2)]
  }
  var properties: [String: TypedProperty] { [:] }
}
