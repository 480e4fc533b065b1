import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite("MAN: automatic versus manual notification", .serialized, .leavesNothing)
struct ManualNotification {
  @Test("MAN-02 manual pair")
  func manualPair() throws {
    try onStage { stage in
      let counter = try stage.define("Counter") {
        try $0.property("n", .int64).notAutomatic(["n"])
        try $0.method("increment", "v@:") { call in
          attempt {
            try call.receiver.willChangeValue(forKey: "n")
            try call.receiver.assign("n", RuntimeValue(call.receiver.get("n", as: Int.self) + 1))
            try call.receiver.didChangeValue(forKey: "n")
          }
        }
      }
      let object = try counter.allocate(), p = try stage.watcher()
      try object.add(p, "n", .new)
      try object.send("increment")
      #expect(p.told == ["n setting new 1"])
      try object.remove(p, "n")
    }
  }

  @Test("MAN-03 ivar via KVC")
  func ivarByKey() throws {
    try onStage { stage in
      let object = try stage.define("Bare") { try $0.ivar("_number", .int64) }.allocate()
      let p = try stage.watcher()
      try object.add(p, "number", .new)
      try object.setValue(1024, forKey: "number")
      #expect(p.told == ["number setting new 1024"])
      try object.remove(p, "number")
    }
  }

  // A text whose characters change stands for the array that is appended to.
  @Test("MAN-05 bare collection ivar")
  func bareCollection() throws {
    try onStage { stage in
      let holder = try stage.define("Holder") {
        try $0.ivar("_bare", .object, ownership: .retain)
        try $0.method("append", "v@:") { call in
          attempt { try call.receiver.ivar(named: "_bare")?.object?.assign("text", "[x, y]") }
        }
      }
      let object = try holder.allocate(), p = try stage.watcher()
      try object.poke(ivar: "_bare", RuntimeValue(stage.text("[x]")))
      try object.add(p, "bare")
      try object.send("append")
      #expect(p.count == 0)
      #expect(try words(for: object.value(forKey: "bare")) == "[x, y]")
      try object.remove(p, "bare")
    }
  }

  @Test("MAN-06 did without will")
  func didWithoutWill() throws {
    try onStage { stage in
      let m = try stage.manual(), p = try stage.watcher()
      try m.add(p, "k", [.old, .new])
      try m.didChangeValue(forKey: "k")
      #expect(p.count == 0)
      try m.remove(p, "k")
    }
  }

  @Test("MAN-08 setter calls only did, auto on", arguments: [0, 1, 10])
  func onlyDid(sets: Int) throws {
    try onStage { stage in
      let object = try stage.badObservable(), p = try stage.watcher()
      try object.add(p, "anInt")
      for number in 0..<sets { try object.assign("anInt", RuntimeValue(42 + number)) }
      #expect(p.told == Array(repeating: "anInt setting", count: sets))
      try object.remove(p, "anInt")
    }
  }

  @Test("MAN-09 same with Prior")
  func onlyDidWithPrior() throws {
    try onStage { stage in
      let object = try stage.badObservable(), p = try stage.watcher()
      try object.add(p, "anInt", .prior)
      try object.assign("anInt", 42)
      #expect(p.told == ["anInt setting prior", "anInt setting"])
      try object.remove(p, "anInt")
    }
  }

  @Test("MAN-11 mid-cycle unregister")
  func unregisterBetween() throws {
    try onStage { stage in
      let m = try stage.manual(), p = try stage.watcher()
      try m.add(p, "k")
      try m.willChangeValue(forKey: "k")
      try m.assign("k", 1)
      try m.remove(p, "k")
      try m.didChangeValue(forKey: "k")
      #expect(p.count == 0)
    }
  }

  @Test("MAN-12 mid-cycle register another")
  func registerBetween() throws {
    try onStage { stage in
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

  @Test("MAN-14 mid-cycle partial unregister")
  func unregisterOneBetween() throws {
    try onStage { stage in
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

  @Test("MAN-15 mid-cycle re-register same context")
  func reregisterBetween() throws {
    try onStage { stage in
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

  @Test("MAN-17 only manual keys observed")
  func onlyManualKeys() throws {
    try onStage { stage in
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

  @Test("MAN-18 readonly key")
  func readOnlyKey() throws {
    try onStage { stage in
      let meter = try stage.define("Meter") {
        try $0.property("counter", .int64, isReadOnly: true)
      }
      let object = try meter.allocate(), p = try stage.watcher()
      try object.add(p, "counter", [.old, .new])
      try object.poke(ivar: "_counter", 7)
      #expect(p.count == 0)
      try object.change("counter") { () throws(KeyValueError) in
        try object.poke(ivar: "_counter", 8)
      }
      try object.setValue(9, forKey: "counter")
      #expect(p.told == ["counter setting old 7 new 8", "counter setting old 8 new 9"])
      #expect(object.isa.wrappedSetters.isEmpty)
      try object.remove(p, "counter")
    }
  }

  @Test("MAN-20 nested same-key pair")
  func nestedPair() throws {
    try onStage { stage in
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

  @Test("MAN-21 ordered manual bracket")
  func orderedBracket() throws {
    try onStage { stage in
      let lister = try stage.lister(), p = try stage.watcher()
      try lister.add(p, "list", [.old, .new])
      try lister.appendToList("o1")
      #expect(p.told == ["list insertion at [0] new (o1)"])
      try lister.remove(p, "list")
    }
  }
}
