import CIsa
import IsaKVO
import IsaKVOTestSupport
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

  @Test("KVS-03 first letter upper")
  func upperFirstLetter() throws {
    try onStage { stage in
      let ivar = try stage.define("Ivar") { try $0.ivar("interfaceIvar", .int64) }
      expectError(.undefinedKey, key: "InterfaceIvar", className: ivar.name) {
        try ivar.allocate().setValue(1, forKey: "InterfaceIvar")
      }
      let setter = try stage.define("Setter") { try $0.property("interfaceIvar", .int64) }
      let object = try setter.allocate()
      try object.setValue(1, forKey: "InterfaceIvar")
      #expect(object.ivar(named: "_interfaceIvar") == 1)
    }
  }

  @Test("KVS-05 underscore key vs double")
  func doubleUnderscore() throws {
    try onStage { stage in
      let made = try stage.define("Double") { try $0.ivar("__x", .int64) }
      let object = try made.allocate()
      expectError(.undefinedKey, key: "x", className: made.name) {
        try object.setValue(1, forKey: "x")
      }
      try object.setValue(1, forKey: "_x")
      #expect(object.ivar(named: "__x") == 1)
    }
  }

  @Test("KVS-06 underscore postfix")
  func postfix() throws {
    try onStage { stage in
      let made = try stage.define("Postfix") { try $0.ivar("x_", .int64) }
      let object = try made.allocate()
      expectError(.undefinedKey, key: "x", className: made.name) {
        try object.setValue(1, forKey: "x")
      }
      #expect(object.ivar(named: "x_") == 0)
    }
  }

  // There is no autorelease pool: what the ivar lets go of is released at once.
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

  @Test("KVS-09 setter path release")
  func setterReleases() throws {
    try onStage { stage in
      let object = try stage.define("Owner") { try $0.property("x", .object) }.allocate()
      let end: RuntimeWeakReference
      do {
        let a = try stage.item()
        end = try RuntimeWeakReference(to: a)
        try object.setValue(RuntimeValue(a), forKey: "x")
      }
      #expect(end.object != nil)
      try object.setValue(RuntimeValue(stage.item()), forKey: "x")
      #expect(end.object == nil)
    }
  }

  @Test("KVS-11 nil to object and class")
  func nilValues() throws {
    try onStage { stage in
      let made = try stage.define("Kinds") {
        try $0.property("object", .object).property("type", .classObject).property("n", .int64)
      }
      let object = try made.allocate()
      try object.assign("object", stage.item())
      try object.assign("type", RuntimeValue(made))
      try object.assign("n", 5)
      for key in ["object", "type"] {
        try object.setValue(nil, forKey: key)
        #expect(try object.value(forKey: key).isNil)
      }
      expectError(.nilValue, key: "n", className: made.name) {
        try object.setValue(nil, forKey: "n")
      }
      #expect(LastError.current.exception == "NSInvalidArgumentException")
      #expect(try object.get("n", as: Int.self) == 5)
      for key in ["object", "type", "n"] {
        #expect(try object.send("setNilValueForKey:", RuntimeValue(key)).int != 0)
      }
    }
  }

  // The hooks answer a status and hand the value over, hence C functions.
  @Test("KVS-14 unknown with hooks")
  func hooks() throws {
    try onStage { stage in
      let made = try stage.define("Open"), cls = isa_class_find(made.name)
      let set = isa_sel_register("setValue:forUndefinedKey:")
      let get = isa_sel_register("valueForUndefinedKey:")
      let setter = unsafeBitCast(keepUndefined, to: isa_imp.self)
      let getter = unsafeBitCast(answerUndefined, to: isa_imp.self)
      #expect(isa_class_add_method(cls, set, setter, "i@:@*") == ISA_OK)
      #expect(isa_class_add_method(cls, get, getter, "i@:*^@") == ISA_OK)
      let object = try made.allocate(), text = try stage.text("GNUstep")
      try object.setValue(RuntimeValue(text), forKey: "Lxcke")
      #expect(try object.value(forKey: "Lxcke").object == text)
      isa_object_release(kept.update { $0.removeValue(forKey: "Lxcke") })
    }
  }

  @Test("KVS-12 string to number")
  func stringsToNumbers() throws {
    try onStage { stage in
      let made = try stage.define("Numbers") {
        try $0.property("i", .int32).property("f", .float).property("d", .double)
        try $0.property("q", .int64)
      }
      let object = try made.allocate().made
      for (key, text) in [("i", "32"), ("f", "256"), ("d", "256"), ("q", "32")] {
        try object.set(key, .text(text))
        #expect(try object.get(key)?.description == text)
      }
    }
  }

  @Test("KVS-15 path set")
  func pathSet() throws {
    try onStage { stage in
      let childClass = try stage.define("Child") { try $0.property("num2", .double) }
      let parent = try stage.define("Parent") { try $0.property("child", .object) }.allocate()
      try parent.assign("child", RuntimeValue(childClass.allocate()))
      try parent.made.set("child.num2", 87.999)
      #expect(try parent.made.get("child.num2")?.double == 87.999)
    }
  }

  @Test("KVS-17 null receiver")
  func nullReceiver() throws {
    let null = try Sample.null.make()
    #expect(try raised { try null.set(key: "k", "v") } == "NSUnknownKeyException")
    #expect(try raised { try null.set("a.b", "v") } == "NSUnknownKeyException")
  }

  @Test("KVS-18 nil in path")
  func nilInPath() throws {
    let dictionary = try Sample.dictionary([("fooKey", "fooVal")]).make()
    try dictionary.set("a.valid.yet.nonexistent", "foo")
    #expect(dictionary.description == "{fooKey = fooVal}")
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

private let kept = Shared<[String: isa_id]>([:])

private let keepUndefined:
  @convention(c) (isa_id, isa_sel, isa_id?, UnsafePointer<CChar>) -> isa_status = {
    _, _, value, key in
    kept.update { $0[String(cString: key)] = isa_object_retain(value) }
    return ISA_OK
  }

private let answerUndefined:
  @convention(c) (isa_id, isa_sel, UnsafePointer<CChar>, UnsafeMutablePointer<isa_id?>)
    -> isa_status = { _, _, key, out in
      out.pointee = isa_object_retain(kept.value[String(cString: key)])
      return ISA_OK
    }
