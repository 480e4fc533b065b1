import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite("MAN: automatic versus manual notification", .serialized, .leavesNothing)
struct ManualNotification {
  @Test("MAN-02 manual pair", arguments: Kind.allCases)
  func manualPair(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Counter", Counter()) {
        try $0.property("n", .int64).notAutomatic(["n"])
        try $0.method("increment", "v@:") { call in
          attempt {
            try call.receiver.willChangeValue(forKey: "n")
            try call.receiver.assign("n", RuntimeValue(call.receiver.get("n", as: Int.self) + 1))
            try call.receiver.didChangeValue(forKey: "n")
          }
        }
      }
      let p = try stage.watcher()
      try object.add(p, "n", .new)
      switch object {
      case .made: try object.send("increment")
      case .swift(let counter): (counter as? Counter)?.increment()
      }
      #expect(p.told == ["n setting new 1"])
      try object.remove(p, "n")
    }
  }

  // Of a Swift class a property without a wrapper stands for the ivar.
  @Test("MAN-03 ivar via KVC", arguments: Kind.allCases)
  func ivarByKey(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Bare", Plain()) { try $0.ivar("_count", .int64) }
      let p = try stage.watcher()
      try object.add(p, "count", .new)
      try object.setValue(1024, forKey: "count")
      #expect(p.told == ["count setting new 1024"])
      try object.remove(p, "count")
    }
  }

  // Of a class made at run time, a text whose characters change stands for the array that is
  // appended to.
  @Test("MAN-05 bare collection ivar", arguments: Kind.allCases)
  func bareCollection(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Holder", BareHolder()) {
        try $0.ivar("_bare", .object, ownership: .retain)
        try $0.method("append", "v@:") { call in
          attempt { try call.receiver.ivar(named: "_bare")?.object?.assign("text", "(x, y)") }
        }
      }
      let p = try stage.watcher()
      if kind == .runtime { try object.poke(ivar: "_bare", stage.text("(x)")) }
      try object.add(p, "bare")
      switch object {
      case .made: try object.send("append")
      case .swift(let holder): (holder as? BareHolder)?.append("y")
      }
      #expect(p.count == 0)
      #expect(try words(for: object.value(forKey: "bare")) == "(x, y)")
      try object.remove(p, "bare")
    }
  }

  @Test("MAN-06 did without will", arguments: Kind.allCases)
  func didWithoutWill(kind: Kind) throws {
    try onStage(kind) { stage in
      let m = try stage.manual(), p = try stage.watcher()
      try m.add(p, "k", [.old, .new])
      try m.didChangeValue(forKey: "k")
      #expect(p.count == 0)
      try m.remove(p, "k")
    }
  }

  @Test("MAN-08 setter calls only did, auto on", arguments: [0, 1, 10], Kind.allCases)
  func onlyDid(sets: Int, kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.badObservable(), p = try stage.watcher()
      try object.add(p, "anInt")
      for number in 0..<sets { try object.assign("anInt", RuntimeValue(42 + number)) }
      #expect(p.told == Array(repeating: "anInt setting", count: sets))
      try object.remove(p, "anInt")
    }
  }

  @Test("MAN-09 same with Prior", arguments: Kind.allCases)
  func onlyDidWithPrior(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.badObservable(), p = try stage.watcher()
      try object.add(p, "anInt", .prior)
      try object.assign("anInt", 42)
      #expect(p.told == ["anInt setting prior", "anInt setting"])
      try object.remove(p, "anInt")
    }
  }

  @Test("MAN-11 mid-cycle unregister", arguments: Kind.allCases)
  func unregisterBetween(kind: Kind) throws {
    try onStage(kind) { stage in
      let m = try stage.manual(), p = try stage.watcher()
      try m.add(p, "k")
      try m.willChangeValue(forKey: "k")
      try m.assign("k", 1)
      try m.remove(p, "k")
      try m.didChangeValue(forKey: "k")
      #expect(p.count == 0)
    }
  }

  @Test("MAN-12 mid-cycle register another", arguments: Kind.allCases)
  func registerBetween(kind: Kind) throws {
    try onStage(kind) { stage in
      let m = try stage.manual(), p = try stage.watcher(), q = try stage.watcher()
      try m.add(p, "k")
      try m.willChangeValue(forKey: "k")
      try m.add(q, "k")
      try m.assign("k", 1)
      try m.didChangeValue(forKey: "k")
      #expect(p.count == 1)
      #expect(q.count == 0)
      try m.remove(p, "k")
      try m.remove(q, "k")
    }
  }

  @Test("MAN-14 mid-cycle partial unregister", arguments: Kind.allCases)
  func unregisterOneBetween(kind: Kind) throws {
    try onStage(kind) { stage in
      let m = try stage.manual(), p = try stage.watcher()
      for _ in 0..<2 { try m.add(p, "k") }
      try m.willChangeValue(forKey: "k")
      try m.assign("k", 1)
      try m.remove(p, "k")
      try m.didChangeValue(forKey: "k")
      try m.remove(p, "k")
      #expect(p.count == 2)
    }
  }

  @Test("MAN-15 mid-cycle re-register same context", arguments: Kind.allCases)
  func reregisterBetween(kind: Kind) throws {
    try onStage(kind) { stage in
      let m = try stage.manual(), p = try stage.watcher()
      try m.add(p, "k")
      try m.willChangeValue(forKey: "k")
      try m.remove(p, "k")
      try m.assign("k", 1)
      try m.add(p, "k")
      try m.didChangeValue(forKey: "k")
      #expect(p.count == 1)
      try m.remove(p, "k")
    }
  }

  @Test("MAN-17 only manual keys observed", arguments: Kind.allCases)
  func onlyManualKeys(kind: Kind) throws {
    try onStage(kind) { stage in
      let m = try stage.manual(), original = m.isa, p = try stage.watcher()
      try m.add(p, "manual")
      #expect(m.isa == original)
      try m.add(p, "auto")
      #expect(m.isa.isNotifying)
      #expect(m.isa.wrappedSetters.map(\.selector) == ["setAuto:"])
      let selectors = m.isa.methods.map(\.selector)
      #expect(selectors.contains("setAuto:") && !selectors.contains("setManual:"))
      try m.remove(p, "auto")
      try m.remove(p, "manual")
    }
  }

  @Test("MAN-18 readonly key", arguments: Kind.allCases)
  func readOnlyKey(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Meter", Meter()) {
        try $0.property("counter", .int64, isReadOnly: true)
      }
      let p = try stage.watcher()
      try object.add(p, "counter", [.old, .new])
      try object.write("counter", 7)
      #expect(p.count == 0)
      try object.change("counter") { try object.write("counter", 8) }
      try object.setValue(9, forKey: "counter")
      #expect(p.told == ["counter setting old 7 new 8", "counter setting old 8 new 9"])
      // In Swift, setting by key goes through a setter.
      if kind == .runtime { #expect(object.isa.wrappedSetters.isEmpty) }
      try object.remove(p, "counter")
    }
  }

  @Test("MAN-20 nested same-key pair", arguments: Kind.allCases)
  func nestedPair(kind: Kind) throws {
    try onStage(kind) { stage in
      let m = try stage.manual(), p = try stage.watcher()
      try m.add(p, "k", [.old, .new])
      try m.willChangeValue(forKey: "k")
      try m.willChangeValue(forKey: "k")
      try m.assign("k", 1)
      try m.didChangeValue(forKey: "k")
      #expect(p.count == 1)
      try m.didChangeValue(forKey: "k")
      #expect(p.told == ["k setting old 0 new 1", "k setting old 0 new 1"])
      try m.remove(p, "k")
    }
  }

  @Test("MAN-21 ordered manual bracket", arguments: Kind.allCases)
  func orderedBracket(kind: Kind) throws {
    try onStage(kind) { stage in
      let lister = try stage.lister(), p = try stage.watcher()
      try lister.add(p, "list", [.old, .new])
      try lister.appendToList("o1")
      #expect(p.told == ["list insertion at [0] new (o1)"])
      try lister.remove(p, "list")
    }
  }
}

// MARK: - Swift classes

private final class Counter: KVObject, TypedObject {
  @Dynamic var n = 0

  func increment() {
    willChangeValue(forKey: "n")
    n += 1
    didChangeValue(forKey: "n")
  }

  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "n" }
  var properties: [String: TypedProperty] { ["n": .at(\Counter.n)] }
}

/// A class with an array that has no wrapper.
private final class BareHolder: KVObject, TypedObject {
  var bare = ["x"]

  func append(_ element: String) { bare.append(element) }

  override class var keys: [KeyDeclaration] { [.key("bare", \BareHolder.bare)] }
  var properties: [String: TypedProperty] { [:] }
}

/// A class with a number that has no wrapper.
private final class Meter: KVObject, TypedObject {
  var counter = 0

  override class var keys: [KeyDeclaration] { [.key("counter", \Meter.counter)] }
  var properties: [String: TypedProperty] { ["counter": .named("counter", \Meter.counter)] }
}
