import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite("ISA: isa-swizzling", .serialized, .leavesNothing)
struct IsaSwizzling {
  @Test("ISA-02 created once", arguments: Kind.allCases)
  func createdOnce(kind: Kind) throws {
    try onStage(kind) { stage in
      let a = try stage.item(), b = try stage.item(), p = try stage.watcher()
      for object in [a, b] { try object.add(p, "name") }
      #expect(a.isa.isNotifying)
      #expect(a.isa == b.isa)
      for object in [a, b] { try object.remove(p, "name") }
    }
  }

  @Test("ISA-03 persists after last removal", arguments: Kind.allCases)
  func persists(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.make("Fresh", Fresh()) { try $0.property("name", .object) }
      let p = try stage.watcher(), name = "NSKVONotifying_\(i.isa.name)"
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

  @Test("ISA-05 observing an unobserved sibling", arguments: Kind.allCases)
  func sibling(kind: Kind) throws {
    try onStage(kind) { stage in
      let a = try stage.sibling(), b = try stage.sibling(), p = try stage.watcher()
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

  @Test("ISA-06 unrelated instances untouched", arguments: Kind.allCases)
  func unrelated(kind: Kind) throws {
    try onStage(kind) { stage in
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
  @Test("ISA-08 shared replacement function", arguments: Kind.allCases)
  func sharedReplacement(kind: Kind) throws {
    try onStage(kind) { stage in
      let made = [
        try stage.make("A", Fresh()) { try $0.property("name", .object) },
        try stage.make("B", Sibling()) { try $0.property("name", .object) },
      ]
      let p = try stage.watcher()
      for object in made { try object.add(p, "name") }
      let wrappers = made.map { $0.isa.implementation(of: "setName:") }
      #expect(made[0].isa != made[1].isa)
      #expect(wrappers[0] == wrappers[1])
      for object in made { try object.remove(p, "name") }
    }
  }

  @Test("ISA-09 subclass", arguments: Kind.allCases)
  func subclass(kind: Kind) throws {
    try onStage(kind) { stage in
      let a = try stage.item(), parent = a.isa, p = try stage.watcher()
      let b = try stage.make("Child", Child(), superclass: stage.itemClass()) { _ in }
      let child = b.isa, setter = parent.implementation(of: "setName:")
      try b.add(p, "name")
      #expect(b.isa.name == "NSKVONotifying_\(child.name)")
      #expect(b.isa.superclass == child)
      #expect(a.isa == parent)
      #expect(a.isa.implementation(of: "setName:") == setter)
      try b.remove(p, "name")
    }
  }

  @Test("ISA-11 upper-case key", arguments: Kind.allCases)
  func upperCase(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Upper", Upper()) { try $0.property("Number", .int64) }
      let p = try stage.watcher(), trace = Recorder<Int>()
      let hook = try Hook(stage, object, "Number", trace)
      try object.add(p, "Number", .new)
      try object.assign("Number", 3)
      #expect(p.told == ["Number setting new 3"])
      #expect(trace.all == [1, 3])
      try object.remove(p, "Number")
      try hook.cancel()
    }
  }

  @Test("ISA-12 unknown key isa", arguments: Kind.allCases)
  func unknownKey(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), original = i.isa, p = try stage.watcher()
      try i.add(p, "aaaaaaa", .new)
      #expect(i.isa.isNotifying)
      try i.remove(p, "aaaaaaa")
      #expect(i.isa == original)
    }
  }

  @Test("ISA-14 queue auto off", arguments: Kind.allCases)
  func automaticOff(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Queue", Queue()) {
        try $0.property("suspended", .bool).notAutomatic(["suspended"])
      }
      let original = object.isa, p = try stage.watcher()
      try object.add(p, "suspended")
      #expect(object.isa == original)
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
        let reported = try reports {
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

  @Test("ISA-17 foreign hook then KVO", arguments: Kind.allCases)
  func hookThenObserve(kind: Kind) throws {
    try onStage(kind) { stage in
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
  @Test(
    "ISA-18 hook after KVO", arguments: Kind.allCases,
    [(true, true), (true, false), (false, true), (false, false)])
  func hookAndObserve(kind: Kind, first: (observes: Bool, stopsObserving: Bool)) throws {
    try onStage(kind) { stage in
      let (observesFirst, stopsObservingFirst) = first
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

  @Test("ISA-20 respondsToSelector", arguments: [true, false], Kind.allCases)
  func responds(observesFirst: Bool, kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), sibling = try stage.item(), p = try stage.watcher()
      if observesFirst { try i.add(p, "count") }
      let hook = try Hook(stage, i, "count", Recorder<Int>())
      if !observesFirst { try i.add(p, "count") }
      #expect(try i.send("respondsToSelector:", RuntimeValue("hooked" as RuntimeSelector)) == true)
      #expect(try i.send("hooked") == true)
      #expect(
        try sibling.send("respondsToSelector:", RuntimeValue("hooked" as RuntimeSelector)) == false)
      let missing: RuntimeSelector = "nobodyAnswersThis"
      expectError(.unrecognizedSelector, className: i.isa.original.name) { try i.send(missing) }
      try i.remove(p, "count")
      try hook.cancel()
    }
  }

  @Test("ISA-21 nested both swizzled", arguments: Kind.allCases)
  func nested(kind: Kind) throws {
    try onStage(kind) { stage in
      let r = try stage.make("Root", Root()) { try $0.property("leaf", .object) }
      let l = try stage.make("Leaf", Leaf()) { try $0.property("value", .int64) }
      let originals = [r, l].map(\.isa), p = try stage.watcher()
      try r.assign("leaf", l)
      try r.add(p, "leaf.value")
      #expect([r, l].map(\.isa.name) == originals.map { "NSKVONotifying_\($0.name)" })
      try r.remove(p, "leaf.value")
      #expect([r, l].map(\.isa) == originals)
    }
  }
}

extension Stage {
  /// An object of a class whose keys nobody else observes.
  fileprivate func sibling() throws -> Subject {
    try shared("Sibling", Sibling()) {
      try $0.property("name", .object).property("count", .int64)
    }
  }
}

// MARK: - Swift classes

private final class Fresh: KVObject, TypedObject {
  @Dynamic var name: String?

  var properties: [String: TypedProperty] { ["name": .at(\Fresh.name)] }
}

private final class Sibling: KVObject, TypedObject {
  @Dynamic var name: String?
  @Dynamic var count = 0

  var properties: [String: TypedProperty] {
    ["name": .at(\Sibling.name), "count": .at(\Sibling.count)]
  }
}

private final class Child: Item {}

private final class Upper: KVObject, TypedObject {
  @Dynamic var Number = 0

  var properties: [String: TypedProperty] { ["Number": .at(\Upper.Number)] }
}

private final class Queue: KVObject, TypedObject {
  @Dynamic var suspended = false

  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
  var properties: [String: TypedProperty] { ["suspended": .at(\Queue.suspended)] }
}

private final class Root: KVObject, TypedObject {
  @Dynamic var leaf: Leaf?

  var properties: [String: TypedProperty] { ["leaf": .at(\Root.leaf)] }
}

private final class Leaf: KVObject, TypedObject {
  @Dynamic var value = 0

  var properties: [String: TypedProperty] { ["value": .at(\Leaf.value)] }
}
