import CIsa
import CIsa.Testing
import CIsaTestSupport
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct CodingTests {
  @Test("a value is read through the getter and written through the setter")
  func getAndSet() throws {
    let person = try Person()
    try set(person.id, "age", Int64(40), "q")
    #expect(person.age == 40)
    #expect(try value(person.id, "age", "q", as: Int64.self) == 40)
    let rect = isa_test_rect(origin: .init(x: 1, y: 2), size: .init(x: 3, y: 4))
    try set(person.id, "frame", rect, "{CGRect={CGPoint=dd}{CGPoint=dd}}")
    let types = "{CGRect={CGPoint=dd}{CGPoint=dd}}"
    let read = try #require(try value(person.id, "frame", types, as: isa_test_rect.self))
    #expect(read.origin.x == 1 && read.size.y == 4)
  }

  @Test("an object is itself, with a reference for whoever reads it; nil is NULL")
  func objects() throws {
    let people = try PersonClass(), person = try people.make(), name = try people.make()
    try check(kvc_set_value(person.id, "name", name.id))
    #expect(name.retainCount == 2)
    var read: isa_id?
    try check(kvc_copy_value(person.id, "name", &read))
    #expect(read == name.id && name.retainCount == 3)
    isa_object_release(read)
    try check(kvc_set_value(person.id, "name", nil))
    try check(kvc_copy_value(person.id, "name", &read))
    #expect(read == nil && name.retainCount == 1)
  }

  @Test("a class's guard refuses values by key, and is inherited; messages pass")
  func guarded() throws {
    let plain = try NodeClass()
    let base = try ClassPair("Guarded", below: plain.pair, isRegistered: false)
    try check(
      isa_class_set_guard(base.cls) { _, key in
        String(cString: key!) == "number"
          ? ISA_OK : isa_fail(KVO_ERR_WRONG_THREAD, nil, "elsewhere")
      })
    try base.register()
    #expect(isa_class_set_guard(base.cls, nil) == ISA_ERR_REGISTERED)
    let below = try ClassPair("Below", below: base)
    let guarded = try Boxed { isa_object_allocate(below.cls, $0) }, node = try plain.make()
    try set(node.id, at: "next", guarded)
    for path in ["name", "name.length"] {
      #expect(try status { try set(guarded.id, at: path, nil) } == KVO_ERR_WRONG_THREAD)
      #expect(try status { try value(guarded.id, at: path) } == KVO_ERR_WRONG_THREAD)
      #expect(try status { try value(node.id, at: "next.\(path)") } == KVO_ERR_WRONG_THREAD)
    }
    #expect(lastReason() == "elsewhere")
    #expect(kvc_set_value(guarded.id, "number", nil) == KVC_ERR_NIL_VALUE)
  }

  @Test("a guard is asked each time, of what was found and read before too")
  func guardedLater() throws {
    let people = try PersonClass(), node = try NodeClass().make()
    var cls: isa_class?
    try check(isa_class_pair_allocate(people.cls, "Guarded", &cls))
    try check(
      isa_class_set_guard(cls) { _, _ in
        isShut.value ? isa_fail(KVO_ERR_WRONG_THREAD, nil, "elsewhere") : ISA_OK
      })
    try check(isa_class_pair_register(cls))
    defer { disposeOfClass(cls!) }
    let guarded = try Boxed { isa_object_allocate(cls, $0) }
    var age: Int64 = 1
    let write = {
      withUnsafePointer(to: &age) { address in
        "q".withCString { kvc_write(guarded.id, "age", kvc_value(types: $0, address: address)) }
      }
    }
    isShut.value = false
    for _ in 1...3 { #expect(write() == ISA_OK) }
    let observation = try Observation(node.id, "next.age", [.old, .new], notes: Notes())
    for _ in 1...2 {
      try set(node.id, at: "next", nil)
      try set(node.id, at: "next", guarded)
    }
    isShut.value = true
    #expect(write() == KVO_ERR_WRONG_THREAD)
    #expect(try collectMisuses { try set(node.id, at: "next", nil) }.count == 1)
    withExtendedLifetime(observation) {}
  }

  @Test("a key that is an object gets the very number that is set, with all that it has")
  func numbersAsObjects() throws {
    let person = try Person()
    var number: isa_id?
    try check(kvc_number_make_decimal(0.3, "0.30000000000000000001", &number))
    try check(kvc_set_value(person.id, "name", number))
    var read: isa_id?
    try check(kvc_copy_value(person.id, "name", &read))
    #expect(read == number)
    isa_object_release(read)
    try check(kvc_set_value(person.id, "name", nil))
    isa_object_release(number)
  }

  @Test("who counts an object is told before its numbers are read or set by key, not by message")
  func accesses() throws {
    var hooks = isa_test_foreign_hooks().pointee
    hooks.access = { _, accessor, _, sets in
      notedAccesses.append("\(sets ? "set" : "get") \(String(cString: isa_sel_name(accessor)))")
    }
    let pair = try ClassPair("Foreign", isRegistered: false)
    try check(isa_class_set_memory_hooks(pair.cls, immortal(hooks)))
    try check(isa_class_add_method(pair.cls, selector("age"), imp(answering: 3), "q@:"))
    try check(isa_class_add_method(pair.cls, selector("name"), imp(answering: 0), "@@:"))
    let ignore: @convention(c) (isa_id?, isa_sel?, Int) -> Void = { _, _, _ in }
    let setter = unsafeBitCast(ignore, to: isa_imp.self)
    try check(isa_class_add_method(pair.cls, selector("setAge:"), setter, "v@:q"))
    try pair.register()
    let object = try #require(Foreign(of: pair))
    defer { isa_object_release(object.id) }
    notedAccesses = []
    #expect(try value(object.id, "age", "q", as: Int64.self) == 3)
    try set(object.id, "age", Int64(4), "q")
    var number: isa_id?
    try check(kvc_copy_value_for_path(object.id, "age", &number))
    try check(kvc_set_value_for_path(object.id, "age", number))
    isa_object_release(number)
    #expect(notedAccesses == ["get age", "set setAge:", "get age", "set setAge:"])
    try check(kvc_copy_value(object.id, "name", &number))
    isa_send_value(object.id, selector("setAge:"), CChar(UInt8(ascii: "q")), &number)
    #expect(number == nil && notedAccesses.count == 4)
  }

  @Test("a number is converted to the key's type")
  func numbers() throws {
    let person = try Person()
    try set(person.id, "age", 40.9, "d")
    #expect(person.age == 40)
    try set(person.id, "height", Int8(-3), "c")
    #expect(try value(person.id, "height", "d", as: Double.self) == -3)
    try set(person.id, "age", true, "B")
    #expect(person.age == 1)
  }

  @Test("a struct fits a key of the same members, whatever its name, and no other")
  func structs() throws {
    let person = try Person(), point = isa_test_point(x: 1, y: 2)
    try set(person.id, "position", point, "{NSPoint=dd}")
    let read = try value(person.id, "position", "{CGPoint=dd}", as: isa_test_point.self)
    #expect(read?.x == 1 && read?.y == 2)
    for (status, types) in [(KVC_ERR_TYPE, "{P=dq}"), (KVC_ERR_TYPE, "{P=d}")] {
      let boxed = try box((1.0, 2.0), types)
      #expect(kvc_set_value(person.id, "position", boxed) == status)
      #expect(kvc_set_value(person.id, "age", boxed) == status)
      isa_object_release(boxed)
    }
  }

  @Test("a value that is no object is boxed for a key that holds objects")
  func boxedForObject() throws {
    let person = try Person()
    var number: Int64 = 7
    try withUnsafePointer(to: &number) { address in
      try "q".withCString {
        try check(kvc_write(person.id, "name", kvc_value(types: $0, address: address)))
      }
    }
    #expect(try value(person.id, "name", "q", as: Int64.self) == 7)
    person.set(name: nil)
  }

  @Test("an object for a key that is a number or struct is refused")
  func objectForNumber() throws {
    let person = try Person()
    for key in ["age", "height", "position"] {
      #expect(kvc_set_value(person.id, key, person.id) == KVC_ERR_TYPE)
    }
  }

  @Test("nil for a key that is no object sends setNilValueForKey:, which refuses unless overridden")
  func nilForScalar() throws {
    let people = try PersonClass(), person = try people.make(), notes = Notes()
    person.age = 3
    for key in ["age", "height", "position", "frame"] {
      #expect(kvc_set_value(person.id, key, nil) == KVC_ERR_NIL_VALUE)
    }
    #expect(
      lastReason().contains("setNilValueForKey:]: could not set nil as the value for the key"))
    #expect(person.age == 3)
    try addMethod(people.cls, "setNilValueForKey:", "i@:*") {
      notes.add(String(cString: $0.argument(2, as: UnsafePointer<CChar>.self)))
      $0.answer(ISA_OK)
    }
    try check(kvc_set_value(person.id, "age", nil))
    #expect(notes.lines == ["age"])
  }

  @Test("a class may be set, and nil for a class; another object may not")
  func classes() throws {
    let pair = try ClassPair("Typed", isRegistered: false)
    try check(isa_class_add_ivar(pair.cls, "kind", "#", ISA_OWNERSHIP_NONE))
    try pair.register()
    let object = try Instance(of: pair.cls)
    let ivar = isa_class_find_ivar(pair.cls, "kind")
    let stored = isa_object_ivar_address(object.id, ivar)!
    try check(kvc_set_value(object.id, "kind", isa_class_as_object(pair.cls)))
    #expect(stored.load(as: isa_class?.self) == pair.cls)
    var read: isa_id?
    try check(kvc_copy_value(object.id, "kind", &read))
    #expect(read == isa_class_as_object(pair.cls))
    #expect(kvc_set_value(object.id, "kind", object.id) == KVC_ERR_TYPE)
    try check(kvc_set_value(object.id, "kind", nil))
    #expect(stored.load(as: isa_class?.self) == nil)
  }

  @Test("an unknown key is undefined, and the hooks for it may serve as storage")
  func undefined() throws {
    let people = try PersonClass(), person = try people.make(), other = try people.make()
    var read: isa_id?
    #expect(kvc_copy_value(person.id, "shoeSize", &read) == KVC_ERR_UNDEFINED_KEY)
    #expect(lastReason().contains("not key value coding-compliant for the key shoeSize"))
    #expect(kvc_set_value(person.id, "shoeSize", nil) == KVC_ERR_UNDEFINED_KEY)
    let store = Box<isa_id?>(nil)
    try addMethod(people.cls, "setValue:forUndefinedKey:", "i@:@*") {
      store.value = $0.argument(2)
      $0.answer(ISA_OK)
    }
    try addMethod(people.cls, "valueForUndefinedKey:", "i@:*^@") {
      $0.argument(3, as: UnsafeMutablePointer<isa_id?>.self).pointee = isa_object_retain(
        store.value)
      $0.answer(ISA_OK)
    }
    try check(kvc_set_value(person.id, "shoeSize", other.id))
    try check(kvc_copy_value(person.id, "shoeSize", &read))
    #expect(read == other.id)
    isa_object_release(read)
    var buffer: isa_id?, types: UnsafePointer<CChar>?
    try check(kvc_read(person.id, "shoeSize", &buffer, 8, &types))
    #expect(buffer == other.id && String(cString: types!) == "@")
    isa_object_release(buffer)
  }

  @Test(
    "a key of pointers, C strings, selectors, unions or long doubles is undefined",
    arguments: ["^v", "*", ":", "(u=iq)", "D", "^{opaque}"])
  func refusedTypes(types: String) throws {
    let pair = try ClassPair("Typed", isRegistered: false)
    try check(isa_class_add_ivar(pair.cls, "key", types, ISA_OWNERSHIP_NONE))
    try pair.register()
    let object = try Instance(of: pair.cls), number = try box(Int64(1), "q")
    defer { isa_object_release(number) }
    var read: isa_id?
    #expect(kvc_copy_value(object.id, "key", &read) == KVC_ERR_UNDEFINED_KEY)
    #expect(lastReason().contains("valueForUndefinedKey:]: this class is not key value coding-"))
    #expect(lastReason().hasSuffix("type \"\(types)\" is none that key-value coding boxes"))
    #expect(kvc_set_value(object.id, "key", number) == KVC_ERR_UNDEFINED_KEY)
    #expect(lastReason().contains("setValue:forUndefinedKey:"))
  }

  @Test(
    "the hooks for undefined keys are asked for a key of a type that is not boxed",
    arguments: ["^v", "*", ":", "D"])
  func hooksForRefusedTypes(types: String) throws {
    let pair = try ClassPair("Typed", isRegistered: false), notes = Notes()
    try check(isa_class_add_ivar(pair.cls, "key", types, ISA_OWNERSHIP_NONE))
    try addMethod(pair.cls, "valueForUndefinedKey:", "i@:*^@") { call in
      notes.add("value " + String(cString: call.argument(2, as: UnsafePointer<CChar>.self)))
      call.answer(ISA_OK)
    }
    try addMethod(pair.cls, "setValue:forUndefinedKey:", "i@:@*") { call in
      notes.add("set " + String(cString: call.argument(3, as: UnsafePointer<CChar>.self)))
      call.answer(ISA_OK)
    }
    try pair.register()
    let object = try Instance(of: pair.cls)
    var read: isa_id?
    try check(kvc_copy_value(object.id, "key", &read))
    try check(kvc_set_value(object.id, "key", nil))
    #expect(read == nil && notes.lines == ["value key", "set key"])
  }

  @Test("without a key, an object, or a root class there is nothing to code with")
  func badCalls() throws {
    let person = try Person()
    var bare: isa_class?, read: isa_id?, object: isa_id?
    try check(isa_class_pair_allocate(nil, "Bare", &bare))
    try check(isa_class_pair_register(bare))
    try check(isa_object_allocate(bare, &object))
    #expect(kvc_copy_value(person.id, nil, &read) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvc_copy_value(nil, "age", &read) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvc_set_value(person.id, nil, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvc_copy_value(object, "age", &read) == ISA_ERR_UNRECOGNIZED_SELECTOR)
    #expect(kvc_write(person.id, "age", kvc_value()) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvc_copy_value(person.id, "", &read) == KVC_ERR_UNDEFINED_KEY)
    isa_object_release(object)
    #expect(isa_class_pair_dispose(bare) == ISA_OK)
  }

  @Test("keys may be long", arguments: [15, 16, 63, 64, 127, 128, 1000])
  func longKeys(length: Int) throws {
    let key = String(repeating: "k", count: length),
      pair = try ClassPair("Keyed", isRegistered: false)
    try check(isa_class_add_ivar(pair.cls, "_" + key, "q", ISA_OWNERSHIP_NONE))
    try pair.register()
    let object = try Instance(of: pair.cls)
    try set(object.id, key, Int64(5), "q")
    #expect(try value(object.id, key, "q", as: Int64.self) == 5)
    var read: isa_id?
    #expect(kvc_copy_value(object.id, key + "x", &read) == KVC_ERR_UNDEFINED_KEY)
  }

  @Test("an overridden valueForKey: and setValue:forKey: are asked, unboxed access included")
  func overrides() throws {
    let people = try PersonClass(), person = try people.make(), notes = Notes()
    try addMethod(people.cls, "valueForKey:", "i@:*^@") { call in
      notes.add("get")
      let out = call.argument(3, as: UnsafeMutablePointer<isa_id?>.self)
      out.pointee = try? box(Int64(77), "q")
      call.answer(ISA_OK)
    }
    try addMethod(people.cls, "setValue:forKey:", "i@:@*") { call in
      notes.add("set \(unboxed(call.argument(2, as: isa_id?.self), as: Int64.self).value)")
      call.answer(ISA_OK)
    }
    var number: Int64 = 0, types: UnsafePointer<CChar>?
    try check(kvc_read(person.id, "age", &number, 8, &types))
    #expect(number == 77)
    number = 5
    try withUnsafePointer(to: &number) { address in
      try "q".withCString {
        try check(kvc_write(person.id, "age", kvc_value(types: $0, address: address)))
      }
    }
    #expect(notes.lines == ["get", "set 5"])
    #expect(person.age == 0)
  }

  @Test("an overridden valueForKey: that answers without writing a value answers nil")
  func unwrittenAnswer() throws {
    let people = try PersonClass(), person = try people.make()
    try addMethod(people.cls, "valueForKey:", "i@:*^@") { $0.answer(ISA_OK) }
    var read: isa_id? = person.id
    try check(kvc_copy_value(person.id, "age", &read))
    #expect(read == nil)
  }

  // MARK: observing

  @Test("a value set by name notifies once, through its setter or, without one, around the ivar")
  func announcesOnce() throws {
    let pair = try ClassPair("Keyed", isRegistered: false)
    try check(isa_class_add_ivar(pair.cls, "_count", "q", ISA_OWNERSHIP_NONE))
    try pair.register()
    let object = try Instance(of: pair.cls), person = try Person()
    let byIvar = try Observation(object, "count", [.old, .new])
    let bySetter = try Observation(person, "age", [.old, .new])
    try set(object.id, "count", Int64(1), "q")
    try set(object.id, "count", Int64(2), "q")
    try set(person.id, "age", Int64(3), "q")
    #expect(byIvar.lines == ["old 0 new 1", "old 1 new 2"])
    #expect(bySetter.lines == ["old 0 new 3"])
  }

  @Test("an ivar of a class that notifies by hand is set without a word")
  func manualIvar() throws {
    let pair = try ClassPair("Keyed", isRegistered: false)
    try check(isa_class_add_ivar(pair.cls, "_count", "q", ISA_OWNERSHIP_NONE))
    try pair.register()
    try addMethod(pair.metaclass, "automaticallyNotifiesObserversForKey:", "B@:*") {
      $0.answer(false)
    }
    let object = try Instance(of: pair.cls), observation = try Observation(object, "count", .new)
    try set(object.id, "count", Int64(1), "q")
    #expect(observation.lines == [])
  }

  @Test("a value that is refused announces nothing")
  func refusedAnnouncesNothing() throws {
    let pair = try ClassPair("Keyed", isRegistered: false)
    try check(isa_class_add_ivar(pair.cls, "_count", "q", ISA_OWNERSHIP_NONE))
    try pair.register()
    let object = try Instance(of: pair.cls)
    let observation = try Observation(object, "count", [.new, .prior])
    #expect(kvc_set_value(object.id, "count", nil) == KVC_ERR_NIL_VALUE)
    #expect(kvc_set_value(object.id, "count", object.id) == KVC_ERR_TYPE)
    #expect(observation.lines == [])
  }

  // MARK: memory

  @Test("without memory nothing is set or read, and nothing leaks", arguments: [false, true])
  func allocationFailure(isObserved: Bool) throws {
    let people = try PersonClass(), person = try people.make()
    let types = "{CGRect={CGPoint=dd}{CGPoint=dd}}"
    let rect = isa_test_rect(origin: .init(x: 1, y: 2), size: .init(x: 3, y: 4))
    let observation = isObserved ? try Observation(person, "frame", .new) : nil
    try set(person.id, "frame", rect, types)
    _ = try value(person.id, "frame", types, as: isa_test_rect.self)
    try withEachAllocationFailing { try set(person.id, "frame", rect, types) }
    try withEachAllocationFailing {
      _ = try value(person.id, "frame", types, as: isa_test_rect.self)
    }
    observation?.invalidate()
  }

  @Test("threads may read and write by key while methods are added")
  func threads() throws {
    let people = try PersonClass(), person = try people.make()
    onThreads(3) { index in
      for round in 0..<200 {
        if index == 0 {
          let code = imp(answering: round % 4)
          _ = isa_class_replace_method(people.cls, selector("unrelated"), code, "q@:", nil)
        } else {
          let number = Cell(Int64(round))
          var types: UnsafePointer<CChar>?
          #expect(kvc_read(person.id, "age", number.address, 8, &types) == ISA_OK)
          _ = "q".withCString {
            kvc_write(person.id, "age", kvc_value(types: $0, address: number.address))
          }
        }
      }
    }
  }
}

nonisolated(unsafe) private var notedAccesses: [String] = []

/// Whether the guard of a test refuses.
private let isShut = Box(false)
