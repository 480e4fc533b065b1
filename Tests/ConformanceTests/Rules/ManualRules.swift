import CIsa
import CIsa.Testing
import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite("Rules 6: automatic versus manual notification", .serialized, .leavesNothing)
struct ManualRules {
  @Test("rule 6.1 automaticallyNotifiesObserversOf<Key> decides for its key alone")
  func perKeyQuestion() throws {
    try onStage { stage in
      let some = try stage.define("Some") {
        try $0.property("loud", .int64).property("quiet", .int64)
        try $0.classMethod("automaticallyNotifiesObserversOfQuiet", "B@:") { _ in false }
      }
      let object = try some.allocate(), p = try stage.watcher()
      try object.add(p, "loud")
      try object.add(p, "quiet")
      try object.assign("quiet", 1)
      try object.assign("loud", 1)
      #expect(p.told == ["loud setting"])
      try object.remove(p, "loud")
      try object.remove(p, "quiet")
    }
  }

  @Test(
    "rule 6.2 without automatic notification neither setter nor setting by key notifies",
    arguments: Kind.allCases)
  func notAutomatic(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Bare", Bare()) {
        try $0.property("x", .int64).ivar("_y", .int64).notAutomatic(["x", "y"])
      }
      let bare = object.isa, p = try stage.watcher()
      for key in ["x", "y"] { try object.add(p, key) }
      try object.assign("x", 1)
      for key in ["x", "y"] { try object.setValue(2, forKey: key) }
      #expect(p.count == 0)
      #expect(object.isa == bare)
      for key in ["x", "y"] { try object.remove(p, key) }
    }
  }

  @Test(
    "rule 6.3 setting by key notifies once, by setter or into the ivar, boxed or in place",
    arguments: Kind.allCases)
  func byKeyOnce(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Some", Some()) {
        try $0.property("x", .int64).ivar("_y", .int64)
      }
      let p = try stage.watcher()
      for key in ["x", "y"] { try object.add(p, key, [.old, .new]) }
      for key in ["x", "y"] {
        try object.setValue(1, forKey: key)
        switch object {
        case .made(let object): try object.set(key, 2)
        case .swift(let object): try object.setValue(2.0, forKey: key)
        }
      }
      #expect(
        p.told == [
          "x setting old 0 new 1", "x setting old 1 new 2", "y setting old 0 new 1",
          "y setting old 1 new 2",
        ])
      for key in ["x", "y"] { try object.remove(p, key) }
    }
  }

  @Test("rule 6.4 writing an ivar where it stands notifies nobody", arguments: Kind.allCases)
  func poke(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.plain(), p = try stage.watcher()
      try i.add(p, "count", [.old, .new])
      try i.write("count", 5)
      #expect(p.count == 0)
      try i.assign("count", 6)
      #expect(p.told == ["count setting old 5 new 6"])
      try i.remove(p, "count")
    }
  }

  @Test(
    "rule 6.5 will without did says nothing; a later pair tells its own change",
    arguments: Kind.allCases)
  func willWithoutDid(kind: Kind) throws {
    try onStage(kind) { stage in
      let m = try stage.manual(), p = try stage.watcher()
      try m.add(p, "k", [.old, .new])
      try m.willChangeValue(forKey: "k")
      try m.assign("k", 1)
      #expect(p.count == 0)
      try m.willChangeValue(forKey: "k")
      try m.assign("k", 2)
      try m.didChangeValue(forKey: "k")
      #expect(p.told == ["k setting old 1 new 2"])
      try m.remove(p, "k")
    }
  }

  @Test("rule 6.8 pairs of different keys interleave", arguments: Kind.allCases)
  func interleaved(kind: Kind) throws {
    try onStage(kind) { stage in
      let m = try stage.manual(), p = try stage.watcher()
      for key in ["k", "silent"] { try m.add(p, key, [.old, .new]) }
      for key in ["k", "silent"] { try m.willChangeValue(forKey: key) }
      try m.assign("k", 1)
      try m.assign("silent", 2)
      for key in ["k", "silent"] { try m.didChangeValue(forKey: key) }
      #expect(p.told == ["k setting old 0 new 1", "silent setting old 0 new 2"])
      for key in ["k", "silent"] { try m.remove(p, key) }
    }
  }

  @Test(
    "rule 6.9 a class that overrides will and did has them called by its setters",
    arguments: Kind.allCases)
  func overriddenMessages(kind: Kind) throws {
    try onStage(kind) { stage in
      let calls = Recorder<String>()
      let swift = Overriding(calls), base = try stage.itemClass()
      let i = try stage.make("Overriding", swift, superclass: base) { builder in
        for name in ["willChangeValueForKey:", "didChangeValueForKey:"] as [RuntimeSelector] {
          try builder.method(name, "i@:*") { call in
            calls.add("\(name) \(call.arguments[0].string ?? "")")
            return (try? call.callSuper()) ?? 1
          }
        }
      }
      let p = try stage.watcher()
      try i.add(p, "count", [.old, .new])
      try i.assign("count", 1)
      #expect(calls.all == ["willChangeValueForKey: count", "didChangeValueForKey: count"])
      #expect(p.told == ["count setting old 0 new 1"])
      try i.remove(p, "count")
    }
  }

  @Test("rule 6.9 a class that swallows will and did is not told for", arguments: Kind.allCases)
  func swallowedMessages(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.make("Mute", Mute(), superclass: stage.itemClass()) { builder in
        for name in ["willChangeValueForKey:", "didChangeValueForKey:"] as [RuntimeSelector] {
          try builder.method(name, "i@:*") { _ in 0 }
        }
      }
      let p = try stage.watcher()
      try i.add(p, "count")
      try i.assign("count", 1)
      #expect(p.count == 0)
      #expect(try i.get("count", as: Int.self) == 1)
      try i.remove(p, "count")
    }
  }

  // On Apple's systems such a did finds nothing on its thread and says nothing.
  @Test(
    "rule 6.9 a did on another thread than its will is a misuse and leaves the pair open",
    arguments: Kind.allCases)
  func otherThread(kind: Kind) throws {
    try onStage(kind) { stage in
      let m = try stage.manual(), p = try stage.watcher()
      try m.add(p, "k", .new)
      try m.willChangeValue(forKey: "k")
      let reported = reports {
        onThreads(1) { _ in
          switch m {
          case .made: expectError(.wrongThread, key: "k") { try m.didChangeValue(forKey: "k") }
          case .swift(let manual): manual.didChangeValue(forKey: "k")
          }
        }
      }
      #expect(reported.map(\.exception) == ["NSInternalInconsistencyException"])
      #expect(p.count == 0)
      try m.didChangeValue(forKey: "k")
      #expect(p.told == ["k setting new 0"])
      try m.remove(p, "k")
    }
  }

  @Test("rule 6.10 a pair inside an automatic setter is told of its own", arguments: Kind.allCases)
  func pairInsideSetter(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.make("Eager", Eager(), superclass: stage.itemClass()) {
        try $0.method("setCount:", "v@:q") { call in
          attempt {
            try call.receiver.willChangeValue(forKey: "count")
            try call.callSuper()
            try call.receiver.didChangeValue(forKey: "count")
          }
        }
      }
      let p = try stage.watcher()
      try i.add(p, "count", [.old, .new])
      try i.assign("count", 1)
      #expect(p.told == ["count setting old 0 new 1", "count setting old 0 new 1"])
      try i.remove(p, "count")
    }
  }

  @Test(
    "rule 6.11 will and did of a key that nobody observes do nothing, and move no isa",
    arguments: Kind.allCases)
  func unobserved(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher(), original = i.isa
      let pending = isa_testing_live_counts().pending
      try i.willChangeValue(forKey: "count")
      #expect(i.isa == original)
      try i.add(p, "name")
      try i.willChangeValue(forKey: "count")
      #expect(isa_testing_live_counts().pending == pending)
      try i.didChangeValue(forKey: "count")
      try i.didChangeValue(forKey: "count")
      #expect(p.count == 0)
      try i.remove(p, "name")
    }
  }

  @Test(
    "rule 6.12 nested pairs of several keys: each observer hears each key once",
    arguments: Kind.allCases)
  func nestedKeys(kind: Kind) throws {
    try onStage(kind) { stage in
      let m = try stage.manual(), p = try stage.watcher(), q = try stage.watcher()
      for key in ["k", "silent"] { try m.add(p, key, .new) }
      try m.add(q, "k", .new)
      try m.willChangeValue(forKey: "k")
      try m.willChangeValue(forKey: "silent")
      try m.assign("k", 1)
      try m.assign("silent", 2)
      try m.didChangeValue(forKey: "silent")
      try m.didChangeValue(forKey: "k")
      #expect(p.told == ["silent setting new 2", "k setting new 1"])
      #expect(q.told == ["k setting new 1"])
      for key in ["k", "silent"] { try m.remove(p, key) }
      try m.remove(q, "k")
    }
  }

  @Test(
    "rule 6.14 the same observer added again between will and did is told once",
    arguments: Kind.allCases)
  func addedAgainBetween(kind: Kind) throws {
    try onStage(kind) { stage in
      let m = try stage.manual(), p = try stage.watcher()
      try m.add(p, "k")
      try m.willChangeValue(forKey: "k")
      try m.add(p, "k")
      try m.assign("k", 1)
      try m.didChangeValue(forKey: "k")
      #expect(p.count == 1)
      for _ in 0..<2 { try m.remove(p, "k") }
    }
  }
}

// MARK: - Swift classes

private final class Bare: KVObject, TypedObject {
  @Dynamic var x = 0
  var y = 0

  override class var keys: [KeyDeclaration] { [.key("y", \Bare.y)] }
  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
  var properties: [String: TypedProperty] { ["x": .at(\Bare.x)] }
}

private final class Some: KVObject, TypedObject {
  @Dynamic var x = 0
  var y = 0

  override class var keys: [KeyDeclaration] { [.key("y", \Some.y)] }
  var properties: [String: TypedProperty] { [:] }
}

private final class Overriding: Item {
  private let calls: Recorder<String>

  init(_ calls: Recorder<String>) { self.calls = calls }

  override func willChangeValue(forKey key: String) {
    calls.add("willChangeValueForKey: \(key)")
    super.willChangeValue(forKey: key)
  }
  override func didChangeValue(forKey key: String) {
    calls.add("didChangeValueForKey: \(key)")
    super.didChangeValue(forKey: key)
  }
}

private final class Mute: Item {
  override func willChangeValue(forKey key: String) {}
  override func didChangeValue(forKey key: String) {}
}

private final class Eager: KVObject, TypedObject {
  @Dynamic var count = 0 {
    willSet { willChangeValue(forKey: "count") }
    didSet { didChangeValue(forKey: "count") }
  }

  var properties: [String: TypedProperty] { ["count": .at(\Eager.count)] }
}
