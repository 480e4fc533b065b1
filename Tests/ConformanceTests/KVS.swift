import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite("KVS: writing by key", .serialized, .leavesNothing)
struct WritingByKey {
  @Test(
    "KVS-02 ivar order write",
    arguments: [
      ["_foo", "_isFoo", "foo", "isFoo"], ["_isFoo", "foo", "isFoo"], ["foo", "isFoo"], ["isFoo"],
    ])
  func ivarOrder(names: [String]) throws {
    try onStage { stage in
      // Declared the other way round: the search decides, not the layout.
      let made = try stage.define("Ivars") {
        for name in names.reversed() { try $0.ivar(name, .bool) }
      }
      let object = try made.allocate()
      try object.setValue(true, forKey: "foo")
      #expect(names.map { object.ivar(named: $0) } == names.map { $0 == names[0] ? true : false })
    }
  }

  @Test("KVS-03 first letter upper", arguments: Kind.allCases)
  func upperFirstLetter(kind: Kind) throws {
    try onStage(kind) { stage in
      let ivar = try stage.make("Ivar", Closed()) { try $0.ivar("interfaceIvar", .int64) }
      expectError(.undefinedKey, key: "InterfaceIvar", className: ivar.class.name) {
        try ivar.setValue(1, forKey: "InterfaceIvar")
      }
      let object = try stage.make("Setter", Wrapped()) { try $0.property("interfaceIvar", .int64) }
      try object.setValue(1, forKey: "InterfaceIvar")
      #expect(try object.get("interfaceIvar").int == 1)
    }
  }

  @Test("KVS-05 underscore key vs double", arguments: Kind.allCases)
  func doubleUnderscore(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Double", Underscores()) { try $0.ivar("__x", .int64) }
      expectError(.undefinedKey, key: "x", className: object.class.name) {
        try object.setValue(1, forKey: "x")
      }
      try object.setValue(1, forKey: "_x")
      #expect(try object.value(forKey: "_x").int == 1)
    }
  }

  @Test("KVS-06 underscore postfix", arguments: Kind.allCases)
  func postfix(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Postfix", Underscores()) { try $0.ivar("x_", .int64) }
      expectError(.undefinedKey, key: "x", className: object.class.name) {
        try object.setValue(1, forKey: "x")
      }
      #expect(try object.value(forKey: "x_").int == 0)
    }
  }

  // There is no autorelease pool: the ivar's value before is released at once.
  @Test("KVS-08 ivar retain")
  func ivarRetains() throws {
    try onStage { stage in
      let made = try stage.define("Owner") { try $0.ivar("_x", .object, ownership: .retain) }
      let object = try made.allocate()
      let a = try stage.item(), b = try stage.item()
      try object.setValue(RuntimeValue(a), forKey: "x")
      #expect(a.retainCount == 2)
      try object.setValue(RuntimeValue(b), forKey: "x")
      #expect(a.retainCount == 1)
      #expect(b.retainCount == 2)
    }
  }

  @Test("KVS-09 setter path release", arguments: Kind.allCases)
  func setterReleases(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Owner", Owner()) { try $0.property("x", .object) }
      let end: RuntimeWeakReference
      do {
        let a = try stage.item()
        end = try RuntimeWeakReference(to: a.object)
        try object.setValue(RuntimeValue(a), forKey: "x")
      }
      #expect(end.object != nil)
      try object.setValue(RuntimeValue(stage.item()), forKey: "x")
      #expect(end.object == nil)
    }
  }

  @Test("KVS-11 nil to object and class", arguments: Kind.allCases)
  func nilValues(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Kinds", Kinds()) {
        try $0.property("object", .object).property("type", .classObject).property("n", .int64)
      }
      try object.assign("object", stage.item())
      // A Swift property that is a class travels as an object, in a box.
      try object.assign("type", RuntimeValue(kind == .runtime ? object.class : nil))
      try object.assign("n", 5)
      for key in ["object", "type"] {
        try object.setValue(nil, forKey: key)
        #expect(try object.value(forKey: key).isNil)
      }
      expectError(.nilValue, key: "n", className: object.class.name) {
        try object.setValue(nil, forKey: "n")
      }
      #expect(LastError.current.exception == "NSInvalidArgumentException")
      #expect(try object.get("n", as: Int.self) == 5)
      for key in ["object", "type", "n"] {
        switch object {
        case .made: #expect(try object.send("setNilValueForKey:", RuntimeValue(key)).int != 0)
        case .swift(let object):
          expectError(.nilValue, key: key, className: object.className) {
            try object.setNilValueForKey(key)
          }
        }
      }
    }
  }

  // Of a class made at run time, the hooks answer a status and hand the value over, hence C
  // functions.
  @Test("KVS-14 unknown with hooks", arguments: Kind.allCases)
  func hooks(kind: Kind) throws {
    try onStage(kind) { stage in
      let kept = Shared<[String: RuntimeValue]>([:])
      let object = try stage.make("Open", Hooked(kept)) {
        try $0.undefinedKeys(
          get: { _, key in kept.value[key] },
          set: { _, value, key in kept.update { $0.updateValue(value, forKey: key) == nil } })
      }
      let text = try stage.text("GNUstep")
      try object.setValue(text, forKey: "Lxcke")
      #expect(kept.value == ["Lxcke": text])
      #expect(try object.value(forKey: "Lxcke") == text)
      // The class of the text goes before the one that holds it.
      kept.value = [:]
    }
  }

  @Test("KVS-12 string to number", arguments: Kind.allCases)
  func stringsToNumbers(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Numbers", Numbers()) {
        try $0.property("i", .int32).property("f", .float).property("d", .double)
        try $0.property("q", .int64)
      }
      for (key, text) in [("i", "32"), ("f", "256"), ("d", "256"), ("q", "32")] {
        try object.setValue(RuntimeValue(text), forKey: key)
        #expect(try object.value(forKey: key).double == Double(text))
      }
    }
  }

  @Test("KVS-15 path set", arguments: Kind.allCases)
  func pathSet(kind: Kind) throws {
    try onStage(kind) { stage in
      let child = try stage.make("Child", Child()) { try $0.property("num2", .double) }
      let parent = try stage.make("Parent", Parent()) { try $0.property("child", .object) }
      try parent.assign("child", child)
      try parent.setValue(87.999, forKeyPath: "child.num2")
      #expect(try parent.value(forKeyPath: "child.num2").double == 87.999)
    }
  }

  @Test("KVS-17 null receiver", arguments: Kind.allCases)
  func nullReceiver(kind: Kind) throws {
    let null = try Sample.null.receiver(kind)
    #expect(try raised { try null.set(key: "k", "v") } == "NSUnknownKeyException")
    #expect(try raised { try null.set("a.b", "v") } == "NSUnknownKeyException")
  }

  @Test("KVS-18 nil in path", arguments: Kind.allCases)
  func nilInPath(kind: Kind) throws {
    let dictionary = try Sample.dictionary([("fooKey", "fooVal")]).receiver(kind)
    try dictionary.set("a.valid.yet.nonexistent", "foo")
    #expect(try dictionary.get("@self")?.description == "{fooKey = fooVal}")
  }

  @Test("KVS-20 dictionary nil key")
  func nilKey() throws {
    let dictionary = try Sample.dictionary([]).make()
    #expect(try raised { try dictionary.set(key: nil, "x") } == "NSInvalidArgumentException")
    #expect(dictionary.count == 0)
  }

  @Test("KVS-21 operator names as dictionary keys")
  func operatorNames() throws {
    let sub = try Sample.dictionary([]).make(), dictionary = try Sample.dictionary([]).make()
    try dictionary.put(sub, at: "subdict")
    try dictionary.set("subdict.@max", "altMax")
    #expect(try sub.entry("@max") == "altMax")
    #expect(dictionary.count == 1)
  }

  @Test("KVS-23 readonly property with ivar")
  func readonlyProperty() throws {
    try onStage { stage in
      func define(_ name: String, isOpen: Bool) throws -> RuntimeClass {
        try stage.define(name) {
          try $0.ivar("_token", .object, ownership: .retain)
          try $0.method("token", "@@:") { $0.receiver.ivar(named: "_token") ?? .nilObject }
          if !isOpen { try $0.classMethod("accessInstanceVariablesDirectly", "B@:") { _ in false } }
        }
      }
      let open = try define("Open", isOpen: true).allocate().made
      try open.set(key: "token", "secret")
      #expect(try open.get(key: "token")?.description == "secret")
      let closed = try define("Closed", isOpen: false).allocate().made
      #expect(try raised { try closed.set(key: "token", "secret") } == "NSUnknownKeyException")
    }
  }
}

// MARK: - Swift classes

/// A class whose property has no wrapper, and hence no key.
private final class Closed: KVObject, TypedObject {
  @Dynamic var other = 0
  var interfaceIvar = 0

  var properties: [String: TypedProperty] { [:] }
}

private final class Wrapped: KVObject, TypedObject {
  @Dynamic var interfaceIvar = 0

  var properties: [String: TypedProperty] { ["interfaceIvar": .at(\Wrapped.interfaceIvar)] }
}

private final class Underscores: KVObject, TypedObject {
  @Dynamic var _x = 0
  @Dynamic var x_ = 0

  var properties: [String: TypedProperty] { [:] }
}

private final class Owner: KVObject, TypedObject {
  @Dynamic var x: Item?

  var properties: [String: TypedProperty] { [:] }
}

private final class Kinds: KVObject, TypedObject {
  @Dynamic var object: Item?
  @Dynamic var type: Any?
  @Dynamic var n = 0

  var properties: [String: TypedProperty] {
    ["object": .at(\Kinds.object), "type": .at(\Kinds.type), "n": .at(\Kinds.n)]
  }
}

/// A class that keeps what is set for keys that it does not know.
private final class Hooked: KVObject, TypedObject {
  private let kept: Shared<[String: RuntimeValue]>

  init(_ kept: Shared<[String: RuntimeValue]>) { self.kept = kept }

  override func value(forUndefinedKey key: String) -> Any? { kept.value[key]?.any }
  override func setValue(_ value: Any?, forUndefinedKey key: String) {
    kept.update { $0[key] = RuntimeValue(any: value) }
  }
  var properties: [String: TypedProperty] { [:] }
}

private final class Numbers: KVObject, TypedObject {
  @Dynamic var i: Int32 = 0
  @Dynamic var f: Float = 0
  @Dynamic var d = 0.0
  @Dynamic var q: Int64 = 0

  var properties: [String: TypedProperty] { [:] }
}

private final class Child: KVObject, TypedObject {
  @Dynamic var num2 = 0.0

  var properties: [String: TypedProperty] { [:] }
}

private final class Parent: KVObject, TypedObject {
  @Dynamic var child: Child?

  var properties: [String: TypedProperty] { ["child": .at(\Parent.child)] }
}
