import CIsa
import IsaKVO
import Testing

@Suite("ISA: isa-swizzling", .serialized, .leavesNothing)
struct IsaSwizzling {
  @Test("ISA-02 created once")
  func createdOnce() throws {
    try onStage { stage in
      let a = try stage.item(), b = try stage.item(), p = try stage.watcher()
      for object in [a, b] { try object.add(p, "name") }
      #expect(a.isa.isNotifying)
      #expect(a.isa == b.isa)
      for object in [a, b] { try object.remove(p, "name") }
    }
  }

  @Test("ISA-03 persists after last removal")
  func persists() throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher()
      let name = "NSKVONotifying_\(i.isa.name)"
      #expect(RuntimeClass.find(named: name) == nil)
      try i.add(p, "name")
      let first = i.isa
      try i.remove(p, "name")
      #expect(RuntimeClass.find(named: name) == first)
      try i.add(p, "name")
      #expect(i.isa == first)
      try i.remove(p, "name")
    }
  }

  @Test("ISA-05 observing an unobserved sibling")
  func sibling() throws {
    try onStage { stage in
      let a = try stage.item(), b = try stage.item(), p = try stage.watcher()
      try a.add(p, "name")
      try b.add(p, "count")
      try a.assign("count", 1)
      try b.assign("name", stage.text("b"))
      #expect(try a.get("count", as: Int.self) == 1)
      #expect(try words(for: b.value(forKey: "name")) == "b")
      #expect(p.count == 0)
      #expect(a.isa.wrappedSetters.map(\.selector) == ["setName:", "setCount:"])
      let selectors = a.isa.methods.map(\.selector)
      #expect(selectors.contains("setName:") && selectors.contains("setCount:"))
      try a.remove(p, "name")
      try b.remove(p, "count")
    }
  }

  @Test("ISA-06 unrelated instances untouched")
  func unrelated() throws {
    try onStage { stage in
      let i = try stage.item(), other = try stage.item(), p = try stage.watcher()
      let original = other.isa, setter = original.implementation(of: "setName:")
      try i.add(p, "name")
      #expect(other.isa == original)
      #expect(other.isa.implementation(of: "setName:") == setter)
      #expect(i.isa.implementation(of: "setName:") != setter)
      try other.assign("name", stage.text("a"))
      #expect(p.count == 0)
      try i.remove(p, "name")
    }
  }

  // Thunks are shared, one for each type; libffi closures are each setter's own.
  @Test("ISA-08 shared replacement function")
  func sharedReplacement() throws {
    try onStage { stage in
      let made = try ["A", "B"].map { name in
        try stage.define(name) { try $0.property("name", .object) }.allocate()
      }
      let p = try stage.watcher()
      for object in made { try object.add(p, "name") }
      let wrappers = made.map { $0.isa.implementation(of: "setName:") }
      #expect(made[0].isa != made[1].isa)
      #expect(wrappers[0] == wrappers[1])
      for object in made { try object.remove(p, "name") }
    }
  }

  @Test("ISA-09 subclass")
  func subclass() throws {
    try onStage { stage in
      let parent = try stage.itemClass(), child = try stage.define("Child", superclass: parent)
      let a = try parent.allocate(), b = try child.allocate(), p = try stage.watcher()
      let setter = parent.implementation(of: "setName:")
      try b.add(p, "name")
      #expect(b.isa.name == "NSKVONotifying_\(child.name)")
      #expect(b.isa.superclass == child)
      #expect(a.isa == parent)
      #expect(a.isa.implementation(of: "setName:") == setter)
      try b.remove(p, "name")
    }
  }

  @Test("ISA-11 upper-case key")
  func upperCase() throws {
    try onStage { stage in
      let object = try stage.define("Upper") { try $0.property("Number", .int64) }.allocate()
      let p = try stage.watcher(), trace = Recorder<Int>()
      let hook = try Hook(stage, object, "Number", trace)
      try object.add(p, "Number", .new)
      try object.send("setNumber:", 3)
      #expect(p.told == ["Number setting new 3"])
      #expect(trace.all == [1, 3])
      try object.remove(p, "Number")
      try hook.cancel()
    }
  }

  @Test("ISA-12 unknown key isa")
  func unknownKey() throws {
    try onStage { stage in
      let i = try stage.item(), original = i.isa, p = try stage.watcher()
      try i.add(p, "aaaaaaa", .new)
      #expect(i.isa.isNotifying)
      try i.remove(p, "aaaaaaa")
      #expect(i.isa == original)
    }
  }

  @Test("ISA-14 queue auto off")
  func automaticOff() throws {
    try onStage { stage in
      let queue = try stage.define("Queue") {
        try $0.property("suspended", .bool).notAutomatic(["suspended"])
      }
      let object = try queue.allocate(), p = try stage.watcher()
      try object.add(p, "suspended")
      #expect(object.isa == queue)
      try object.remove(p, "suspended")
    }
  }

  @Test("ISA-15 long double")
  func longDouble() throws {
    try withWrapping(.asApple) {
      try onStage { stage in
        let made = try stage.define("Precise") { try $0.property("x", .longDouble) }
        let object = try made.allocate(), p = try stage.watcher()
        let setter = made.implementation(of: "setX:")
        let reported = try misuses {
          try object.add(p, "x")
          try object.assign("x", 1.5)
          try object.remove(p, "x")
          try object.add(p, "x")
        }
        #expect(reported.count == 1)
        #expect(reported.first?.reason.contains("setX:") == true)
        #expect(p.count == 0)
        #expect(object.isa.implementation(of: "setX:") == setter)
        #expect(object.ivar(named: "_x")?.double == 1.5)
        try object.remove(p, "x")
      }
    }
  }

  @Test("ISA-17 foreign hook then KVO")
  func hookThenObserve() throws {
    try onStage { stage in
      let i = try stage.item(), original = i.isa, trace = Recorder<Int>()
      let p = try stage.watcher { _, _ in trace.add(2) }
      let hook = try Hook(stage, i, "name", trace)
      try i.add(p, "name")
      try i.assign("name", stage.text("a"))
      #expect(trace.all == [1, 3, 2])
      try i.remove(p, "name")
      trace.clear()
      try i.assign("name", stage.text("b"))
      #expect(trace.all == [1, 3])
      try hook.cancel()
      #expect(i.isa == original)
    }
  }

  // With the hook above, the callback comes inside the call that the hook surrounds; with the hook
  // below, after it.
  @Test("ISA-18 hook after KVO", arguments: [true, false], [true, false])
  func hookAndObserve(observesFirst: Bool, stopsObservingFirst: Bool) throws {
    try onStage { stage in
      let i = try stage.item(), original = i.isa, trace = Recorder<Int>()
      let p = try stage.watcher { _, _ in trace.add(2) }
      if observesFirst { try i.add(p, "count") }
      let hook = try Hook(stage, i, "count", trace)
      if !observesFirst { try i.add(p, "count") }
      func traced() throws -> [Int] {
        trace.clear()
        try i.assign("count", 1)
        return trace.all
      }
      #expect(try traced() == (observesFirst ? [1, 2, 3] : [1, 3, 2]))
      if stopsObservingFirst { try i.remove(p, "count") } else { try hook.cancel() }
      #expect(try traced() == (stopsObservingFirst ? [1, 3] : [2]))
      if stopsObservingFirst { try hook.cancel() } else { try i.remove(p, "count") }
      #expect(try traced() == [])
      try hook.cancel()
      #expect(i.isa == original)
    }
  }

  @Test("ISA-20 respondsToSelector", arguments: [true, false])
  func responds(observesFirst: Bool) throws {
    try onStage { stage in
      let i = try stage.item(), sibling = try stage.item(), p = try stage.watcher()
      if observesFirst { try i.add(p, "count") }
      let hook = try Hook(stage, i, "count", Recorder<Int>())
      if !observesFirst { try i.add(p, "count") }
      #expect(try i.send("respondsToSelector:", RuntimeValue("hooked" as Selector)) == true)
      #expect(try i.send("hooked") == true)
      #expect(try sibling.send("respondsToSelector:", RuntimeValue("hooked" as Selector)) == false)
      let missing: Selector = "nobodyAnswersThis"
      let error = RuntimeError.unrecognizedSelector(missing, className: i.isa.original.name)
      #expect(throws: error) { try i.send(missing) }
      try i.remove(p, "count")
      try hook.cancel()
    }
  }
}

@Suite("Rules 10: isa-swizzling", .serialized, .leavesNothing)
struct IsaRules {
  @Test("rule 10.1 the notifying class is a subclass named after its original, with no ivar more")
  func notifyingClass() throws {
    try onStage { stage in
      let i = try stage.item(), original = i.isa, p = try stage.watcher()
      try i.add(p, "count")
      #expect(i.isa.name == "NSKVONotifying_\(original.name)")
      #expect(i.isa.superclass == original)
      #expect(i.isa.original == original)
      #expect(i.isa.ivars.isEmpty)
      #expect(i.isa.instanceSize == original.instanceSize)
      try i.remove(p, "count")
    }
  }

  @Test("rule 10.3 asked by message, an observed object is of its original class")
  func pretends() throws {
    try onStage { stage in
      let i = try stage.item(), original = i.isa, p = try stage.watcher()
      try i.add(p, "count")
      #expect(i.class == original)
      #expect(try i.send("isMemberOfClass:", RuntimeValue(original)) == true)
      #expect(try i.send("isKindOfClass:", RuntimeValue(original)) == true)
      #expect(i.isKind(of: original))
      #expect(try i.send("_isKVOA") == true)
      #expect(Set(i.isa.methods.map(\.selector)) == ["class", "dealloc", "_isKVOA", "setCount:"])
      try i.remove(p, "count")
      #expect(!i.responds(to: "_isKVOA"))
    }
  }

  @Test("rule 10.4 a swizzled instance goes through the setters of keys that its siblings observe")
  func sharedLiability() throws {
    try onStage { stage in
      let a = try stage.item(), b = try stage.item(), p = try stage.watcher()
      try a.add(p, "name")
      let plain = a.isa.implementation(of: "setCount:")
      try b.add(p, "count")
      #expect(a.isa.implementation(of: "setCount:") != plain)
      try b.remove(p, "count")
      #expect(a.isa.implementation(of: "setCount:") != plain)
      try a.assign("count", 1)
      #expect(p.count == 0)
      try a.remove(p, "name")
    }
  }

  @Test("rule 10.5 the setter is found as for key-value coding", arguments: ["_setX:", "setIsX:"])
  func otherSetters(name: String) throws {
    try onStage { stage in
      let odd = try stage.define("Odd") {
        try $0.property("x", .int64, setter: Selector(name))
      }
      let object = try odd.allocate(), p = try stage.watcher()
      try object.add(p, "x", .new)
      try object.send(Selector(name), 4)
      #expect(p.told == ["x setting new 4"])
      #expect(object.isa.wrappedSetters.map(\.selector.name) == [name])
      try object.remove(p, "x")
    }
  }

  @Test("rule 10.6 a key without setter moves the isa and wraps nothing")
  func noSetter() throws {
    try onStage { stage in
      let made = try stage.define("Bare") {
        try $0.ivar("_bare", .int64).property("fixed", .int64, isReadOnly: true)
      }
      let object = try made.allocate(), p = try stage.watcher()
      for key in ["bare", "fixed", "unknown"] { try object.add(p, key) }
      #expect(object.isa.isNotifying)
      #expect(object.isa.wrappedSetters.isEmpty)
      #expect(Set(object.isa.methods.map(\.selector)) == ["class", "dealloc", "_isKVOA"])
      for key in ["bare", "fixed", "unknown"] { try object.remove(p, key) }
    }
  }

  @Test("rule 10.9 a setter that returns something is left alone, which is said once")
  func answeringSetter() throws {
    try onStage { stage in
      let made = try stage.define("Chained") {
        try $0.ivar("_x", .int64)
        try $0.method("setX:", "@@:q") { call in
          attempt { try call.receiver.poke(ivar: "_x", call.arguments[0]) }
          return RuntimeValue(call.receiver)
        }
      }
      let object = try made.allocate(), p = try stage.watcher()
      let reported = try misuses {
        try object.add(p, "x")
        try object.add(p, "x")
      }
      #expect(reported.count == 1)
      try object.assign("x", 1)
      #expect(p.count == 0)
      for _ in 0..<2 { try object.remove(p, "x") }
    }
  }

  @Test(
    "rule 10.10 as Apple: scalars, objects and structs are wrapped",
    arguments: [
      "c", "C", "s", "S", "i", "I", "l", "L", "q", "Q", "f", "d", "B", "@", "#", "{CGPoint=dd}",
      "{CGRect={CGPoint=dd}{CGSize=dd}}", "{_NSRange=QQ}", "{Other=qf}",
    ] as [TypeEncoding])
  func wrappedAsApple(encoding: TypeEncoding) throws {
    try withWrapping(.asApple) {
      try onStage { stage in
        let object = try stage.define("Box") { try $0.property("x", encoding) }.allocate()
        let p = try stage.watcher()
        #expect(try misuses { try object.add(p, "x") }.isEmpty)
        try object.send("setX:", object.get("x"))
        #expect(p.told == ["x setting"])
        let hasAlias = object.isa.methods.contains { $0.selector == "_original_setX:" }
        #expect(hasAlias == (encoding == "{Other=qf}"))
        try object.remove(p, "x")
      }
    }
  }

  @Test(
    "rule 10.10 as Apple: pointers, selectors, C strings and long double are left alone",
    arguments: ["^v", "*", ":", "D"] as [TypeEncoding])
  func leftAloneAsApple(encoding: TypeEncoding) throws {
    try withWrapping(.asApple) {
      try onStage { stage in
        let object = try stage.define("Box") { try $0.property("x", encoding) }.allocate()
        let p = try stage.watcher()
        #expect(try misuses { try object.add(p, "x") }.count == 1)
        try object.send("setX:", object.get("x"))
        #expect(p.count == 0)
        try object.remove(p, "x")
      }
    }
  }

  @Test(
    "rule 10.10 otherwise every type that can be passed is wrapped",
    arguments: ["^v", "*", ":", "D", "{Big=[40q]}"] as [TypeEncoding],
    [WrappingPolicy.automatic, .libffi])
  func wrapped(encoding: TypeEncoding, policy: WrappingPolicy) throws {
    try withWrapping(policy) {
      try onStage { stage in
        let object = try stage.define("Box") { try $0.property("x", encoding) }.allocate()
        let p = try stage.watcher()
        #expect(try misuses { try object.add(p, "x", [.old, .new]) }.isEmpty)
        try object.send("setX:", object.get("x"))
        #expect(p.count == 1)
        try object.remove(p, "x")
      }
    }
  }

  @Test("rule 10.11 one replacement function for each type, which finds the key by itself")
  func oneForEachType() throws {
    try onStage { stage in
      let made = try stage.define("Pairs") {
        for key in ["a", "b"] { try $0.property(key, .int64).property(key + "Ratio", .double) }
      }
      let object = try made.allocate(), p = try stage.watcher()
      let keys = ["a", "b", "aRatio", "bRatio"]
      for key in keys { try object.add(p, key, .new) }
      let wrappers = object.isa.wrappedSetters.map(\.wrapper)
      #expect(wrappers[0] == wrappers[1] && wrappers[2] == wrappers[3] && wrappers[0] != wrappers[2])
      for (number, key) in keys.enumerated() { try object.assign(key, RuntimeValue(number)) }
      #expect(
        p.told == [
          "a setting new 0", "b setting new 1", "aRatio setting new 2.0", "bRatio setting new 3.0",
        ])
      for key in keys { try object.remove(p, key) }
    }
  }

  @Test("rule 10.12 a taken name is reported once, and observing goes on without the setter")
  func nameTaken() throws {
    try onStage { stage in
      let i = try stage.item(), original = i.isa, p = try stage.watcher()
      _ = try stage.define(exactly: "NSKVONotifying_\(original.name)")
      let reported = try misuses {
        try i.add(p, "count")
        try i.add(p, "flag")
      }
      #expect(reported.map(\.exception) == ["NSInternalInconsistencyException"])
      #expect(reported.first?.reason.contains("NSKVONotifying_\(original.name)") == true)
      #expect(i.isa == original)
      try i.assign("count", 1)
      #expect(p.count == 0)
      try i.change("count") { () throws(CodingError) in try i.set("count", 2) }
      #expect(p.told == ["count setting"])
      for key in ["count", "flag"] { try i.remove(p, key) }
    }
  }

  @Test("rule 10.12 a class whose name begins with NSKVONotifying_ is observed like any other")
  func prefixedName() throws {
    try onStage { stage in
      let name = "NSKVONotifying_\(uniqueName("Foreign"))"
      let made = try stage.define(exactly: name) { try $0.property("x", .int64) }
      let object = try made.allocate(), p = try stage.watcher()
      #expect(!made.isNotifying)
      try object.add(p, "x")
      #expect(object.isa.name == "NSKVONotifying_\(name)")
      try object.assign("x", 1)
      #expect(p.count == 1)
      try object.remove(p, "x")
      #expect(object.isa == made)
    }
  }

  @Test("rule 10.14 x and X share setX:, which announces the key that was observed last")
  func sharedSetter() throws {
    try onStage { stage in
      let made = try stage.define("Twice") {
        try $0.property("x", .int64)
        try $0.method("X", "q@:") { call in (try? call.receiver.get("x")) ?? 0 }
      }
      let object = try made.allocate(), p = try stage.watcher()
      try object.add(p, "x", .new)
      try object.assign("x", 1)
      try object.add(p, "X", .new)
      try object.assign("x", 2)
      #expect(p.told == ["x setting new 1", "X setting new 2"])
      #expect(object.isa.wrappedSetters.map(\.key) == ["X"])
      for key in ["x", "X"] { try object.remove(p, key) }
    }
  }

  @Test("rule 10.15 the original's present code is called, so that a later patch counts")
  func patched() throws {
    try onStage { stage in
      let i = try stage.item(), original = i.isa, p = try stage.watcher()
      try i.add(p, "count", [.old, .new])
      try original.replaceMethod("setCount:", "v@:q") { call in
        attempt { try call.receiver.poke(ivar: "_count", 100) }
      }
      try i.assign("count", 1)
      #expect(p.told == ["count setting old 0 new 100"])
      try i.remove(p, "count")
    }
  }
}
