import CIsa
import CIsa.Testing
import CIsaTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct AccessorTests {
  static let getters = ["getKey", "key", "isKey", "_getKey", "_key"]
  static let setters = ["setKey:", "_setKey:", "setIsKey:"]
  static let ivars = ["_key", "_isKey", "key", "isKey"]

  // MARK: methods

  @Test(
    "each getter's name serves, and wins over all that come after it", arguments: getters.indices)
  func getterOrder(first: Int) throws {
    let pair = try ClassPair("Keyed", isRegistered: false)
    try check(isa_class_add_ivar(pair.cls, "_key", "q", ISA_OWNERSHIP_NONE))
    try pair.register()
    for index in Self.getters.indices where index >= first {
      try addMethod(pair.cls, Self.getters[index], "q@:") { $0.answer(Int64(index)) }
    }
    let object = try Instance(of: pair.cls)
    #expect(try value(object.id, "key", "q", as: Int64.self) == Int64(first))
  }

  @Test(
    "each setter's name serves, and wins over all that come after it", arguments: setters.indices)
  func setterOrder(first: Int) throws {
    let pair = try ClassPair("Keyed", isRegistered: false), notes = Notes()
    try check(isa_class_add_ivar(pair.cls, "_key", "q", ISA_OWNERSHIP_NONE))
    try pair.register()
    for name in Self.setters[first...] {
      try addMethod(pair.cls, name, "v@:q") {
        notes.add("\(name)\($0.argument(2, as: Int64.self))")
      }
    }
    let object = try Instance(of: pair.cls)
    try set(object.id, "key", Int64(7), "q")
    #expect(notes.lines == ["\(Self.setters[first])7"])
  }

  @Test(
    "names that look alike are no accessors",
    arguments: ["_isKey", "Key", "fetchKey", "setkey:", "_setIsKey:", "getkey", "iskey"])
  func lookalikes(name: String) throws {
    let pair = try ClassPair("Keyed")
    let types = name.hasSuffix(":") ? "v@:q" : "q@:"
    try addMethod(pair.cls, name, types) { _ in Issue.record("\(name) was called") }
    let object = try Instance(of: pair.cls)
    var boxed: isa_id?
    #expect(kvc_copy_value(object.id, "key", &boxed) == KVC_ERR_UNDEFINED_KEY)
    #expect(throws: StatusError.self) { try set(object.id, "key", Int64(1), "q") }
  }

  @Test("a method with out-parameters is no accessor")
  func outParameters() throws {
    let pair = try ClassPair("Keyed", isRegistered: false)
    try check(isa_class_add_ivar(pair.cls, "_key", "q", ISA_OWNERSHIP_NONE))
    try pair.register()
    for (name, types) in [("getKey", "q@:^q"), ("key", "q@:^q"), ("setKey:", "v@:q^q")] {
      try addMethod(pair.cls, name, types) { _ in Issue.record("\(name) was called") }
    }
    let object = try Instance(of: pair.cls)
    try set(object.id, "key", Int64(4), "q")
    #expect(try value(object.id, "key", "q", as: Int64.self) == 4)
    try addMethod(pair.cls, "_key", "q@:") { $0.answer(Int64(5)) }
    #expect(try value(object.id, "key", "q", as: Int64.self) == 5)
  }

  @Test("the first letter is upper-cased behind a prefix only, and then stands for itself")
  func firstLetter() throws {
    let pair = try ClassPair("Keyed", isRegistered: false), notes = Notes()
    try check(isa_class_add_ivar(pair.cls, "plain", "q", ISA_OWNERSHIP_NONE))
    try pair.register()
    try addMethod(pair.cls, "setPlain:", "v@:q") { _ in notes.add("setPlain:") }
    try addMethod(pair.cls, "getURL", "q@:") { $0.answer(Int64(3)) }
    try addMethod(pair.cls, "get\u{E9}t\u{E9}", "q@:") { $0.answer(Int64(4)) }
    try addMethod(pair.cls, "get_x", "q@:") { $0.answer(Int64(5)) }
    let object = try Instance(of: pair.cls)
    try set(object.id, "Plain", Int64(1), "q")
    #expect(notes.lines == ["setPlain:"])
    var boxed: isa_id?
    #expect(kvc_copy_value(object.id, "Plain", &boxed) == KVC_ERR_UNDEFINED_KEY)
    #expect(try value(object.id, "URL", "q", as: Int64.self) == 3)
    #expect(try value(object.id, "uRL", "q", as: Int64.self) == 3)
    #expect(try value(object.id, "\u{E9}t\u{E9}", "q", as: Int64.self) == 4)
    #expect(try value(object.id, "_x", "q", as: Int64.self) == 5)
  }

  @Test("of an empty key a name has no more than the letters around it")
  func emptyKey() throws {
    let pair = try ClassPair("Keyed"), notes = Notes()
    try addMethod(pair.cls, "get", "q@:") { $0.answer(Int64(6)) }
    try addMethod(pair.cls, "set:", "v@:q") { _ in notes.add("set:") }
    let object = try Instance(of: pair.cls)
    #expect(try value(object.id, "", "q", as: Int64.self) == 6)
    try set(object.id, "", Int64(1), "q")
    #expect(notes.lines == ["set:"])
  }

  @Test("a name is looked for without memory, however long the key", arguments: [1, 100, 10_000])
  func withoutMemory(length: Int) throws {
    let pair = try ClassPair("Keyed"), key = String(repeating: "k", count: length)
    let object = try Instance(of: pair.cls)
    var boxed: isa_id?
    _ = isa_testing_fail_allocation(0)
    let status = kvc_copy_value(object.id, key, &boxed)
    #expect(!isa_testing_fail_allocation(-1))
    #expect(status == KVC_ERR_UNDEFINED_KEY)
  }

  @Test("a subclass's accessor is found before an inherited one of a better name is not")
  func inheritance() throws {
    let animals = try ClassPair("Animal"), dogs = try ClassPair("Dog", below: animals)
    try addMethod(animals.cls, "getKey", "q@:") { $0.answer(Int64(1)) }
    try addMethod(dogs.cls, "key", "q@:") { $0.answer(Int64(2)) }
    let dog = try Instance(of: dogs.cls)
    #expect(try value(dog.id, "key", "q", as: Int64.self) == 1)
    try addMethod(dogs.cls, "getKey", "q@:") { $0.answer(Int64(3)) }
    #expect(try value(dog.id, "key", "q", as: Int64.self) == 3)
  }

  // MARK: ivars

  @Test("each ivar's name serves, and wins over all that come after it", arguments: ivars.indices)
  func ivarOrder(first: Int) throws {
    let pair = try ClassPair("Keyed", isRegistered: false)
    for name in Self.ivars[first...] {
      try check(isa_class_add_ivar(pair.cls, name, "q", ISA_OWNERSHIP_NONE))
    }
    try pair.register()
    let object = try Instance(of: pair.cls)
    try set(object.id, "key", Int64(9), "q")
    for (index, name) in Self.ivars.enumerated() where index >= first {
      let ivar = isa_class_find_ivar(pair.cls, name)
      let stored = isa_object_ivar_address(object.id, ivar).load(as: Int64.self)
      #expect(stored == (index == first ? 9 : 0))
    }
    #expect(try value(object.id, "key", "q", as: Int64.self) == 9)
  }

  @Test("a class that denies access to its ivars has none for key-value coding")
  func ivarsDenied() throws {
    let pair = try ClassPair("Closed", isRegistered: false)
    try check(isa_class_add_ivar(pair.cls, "_key", "q", ISA_OWNERSHIP_NONE))
    try pair.register()
    let asked = Notes()
    try addMethod(pair.metaclass, "accessInstanceVariablesDirectly", "B@:") {
      asked.add("asked")
      $0.answer(false)
    }
    let object = try Instance(of: pair.cls)
    var boxed: isa_id?
    #expect(kvc_copy_value(object.id, "key", &boxed) == KVC_ERR_UNDEFINED_KEY)
    #expect(throws: StatusError.self) { try set(object.id, "key", Int64(1), "q") }
    #expect(asked.lines == ["asked", "asked"])
  }

  @Test("an ivar keeps an object as its ownership says")
  func ivarOwnership() throws {
    let pair = try ClassPair("Owner", isRegistered: false)
    let kinds = [
      ("none", ISA_OWNERSHIP_NONE), ("retained", ISA_OWNERSHIP_RETAIN),
      ("weak", ISA_OWNERSHIP_WEAK),
    ]
    for (name, ownership) in kinds {
      try check(isa_class_add_ivar(pair.cls, name, "@", ownership))
    }
    try pair.register()
    let owner = try Instance(of: pair.cls), held = try Instance(of: isa_root_class())
    for (name, count) in [("none", 1), ("retained", 2), ("weak", 2)] {
      try check(kvc_set_value(owner.id, name, held.id))
      #expect(held.retainCount == count, "\(name)")
      var read: isa_id?
      try check(kvc_copy_value(owner.id, name, &read))
      #expect(read == held.id && held.retainCount == count + 1, "\(name)")
      isa_object_release(read)
    }
    try check(kvc_set_value(owner.id, "retained", nil))
    try check(kvc_set_value(owner.id, "weak", nil))
    #expect(held.retainCount == 1)
  }

  @Test("a weak property is read without lending, whoever gives its object up meanwhile")
  func weakProperty() throws {
    let holders = try weakHolderClass(), foreigners = try foreignClass()
    var holder: Instance? = try Instance(of: holders.cls), read: isa_id?
    let object = try #require(Foreign(of: foreigners))
    try check(kvc_set_value(holder!.id, "other", object.id))
    object.giveUpWhenRead()
    let events = try recordEvents { try check(kvc_copy_value(holder!.id, "other", &read)) }
    #expect(read == object.id && object.strong == 1)
    #expect(events.allSatisfy { $0.kind != "deallocated" })
    isa_object_release(read)
    try check(kvc_copy_value(holder!.id, "other", &read))
    #expect(read == nil)
    holder = nil
    #expect(isa_test_foreign_live() == 0)
  }

  // MARK: every type

  @Test("values of every type go through methods, whatever their size", arguments: TestType.all)
  func throughMethods(type: TestType) throws {
    let pair = try ClassPair("Typed", isRegistered: false)
    let cell = try firstIvar(pair, type.encoding)
    try check(isa_class_add_method(pair.cls, selector("key"), type.c.get, type.getterTypes))
    try check(isa_class_add_method(pair.cls, selector("setKey:"), type.c.set, type.setterTypes))
    try pair.register()
    try roundTrip(pair, type, cell)
  }

  @Test("values of every type go through ivars", arguments: TestType.all)
  func throughIvars(type: TestType) throws {
    let pair = try ClassPair("Typed", isRegistered: false)
    let cell = try firstIvar(pair, type.encoding)
    try pair.register()
    try roundTrip(pair, type, cell)
  }

  /// Adds the ivar `key`, the first of the class.
  private func firstIvar(_ pair: ClassPair, _ encoding: String) throws -> isa_ivar {
    try check(isa_class_add_ivar(pair.cls, "key", encoding, ISA_OWNERSHIP_NONE))
    return isa_class_find_ivar(pair.cls, "key")!
  }

  private func roundTrip(_ pair: ClassPair, _ type: TestType, _ ivar: isa_ivar) throws {
    let isObject = type.encoding == "@"
    let object = try Instance(of: pair.cls), value = try Instance(of: isa_root_class())
    let written = isObject ? Cell(value.id) : type.value(seed: 3)
    try type.encoding.withCString { text in
      try check(kvc_write(object.id, "key", kvc_value(types: text, address: written.address)))
    }
    let stored = isa_object_ivar_address(object.id, ivar)!
    #expect(type.c.equal(stored, written.address))
    let read = Cell(size: type.c.size)
    var types: UnsafePointer<CChar>?
    try check(kvc_read(object.id, "key", read.address, type.c.size, &types))
    #expect(type.equal(read, written) && read.isIntact)
    #expect(types.map { String(cString: $0) } == type.encoding)
    #expect(
      kvc_read(object.id, "key", read.address, type.c.size - 1, &types) == KVC_ERR_TYPE)
    if isObject { isa_object_release(value.id) }
  }

  @Test("a method that is added, replaced or overridden later counts from then on")
  func invalidation() throws {
    let animals = try ClassPair("Animal", isRegistered: false)
    try check(isa_class_add_ivar(animals.cls, "_key", "q", ISA_OWNERSHIP_NONE))
    try animals.register()
    let dogs = try ClassPair("Dog", below: animals), dog = try Instance(of: dogs.cls)
    func key() throws -> Int64? { try value(dog.id, "key", "q") }
    #expect(try key() == 0)
    try animals.add("isKey", answering: 1)
    #expect(try key() == 1)
    try animals.add("key", answering: 2)
    #expect(try key() == 2)
    try dogs.add("key", answering: 3)
    #expect(try key() == 3)
    try check(isa_class_replace_method(dogs.cls, selector("key"), imp(answering: 0), "q@:", nil))
    #expect(try key() == 0)
  }

  @Test("without memory a search finds nothing and leaks nothing")
  func allocationFailure() throws {
    let pair = try ClassPair("Keyed", isRegistered: false)
    try check(isa_class_add_ivar(pair.cls, "_key", "{P=[9q]}", ISA_OWNERSHIP_NONE))
    try pair.register()
    let object = try Instance(of: pair.cls), cell = Cell(size: 72)
    var types: UnsafePointer<CChar>?
    // An accessor found is remembered where there is memory for it, so each run asks a fresh key.
    try check(kvc_read(object.id, "key", cell.address, 72, &types))
    try addMethod(pair.cls, "other", "q@:") { _ in }
    try withEachAllocationFailing {
      try check(kvc_read(object.id, "key", cell.address, 72, &types))
    }
  }
}
