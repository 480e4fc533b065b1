import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct KeyPathTests {
  @Test("a path leads from object to object, and sets the last key where it ends")
  func walking() throws {
    let pair = try NodeClass(), nodes = try pair.chain(3)
    try set(nodes[0].id, at: "next.next.name", .string("end"))
    #expect(try value(nodes[0].id, at: "next.next.name")?.description == "end")
    #expect(try value(nodes[2].id, at: "name")?.description == "end")
    #expect(try value(nodes[0].id, at: "next")?.id == nodes[1].id)
    #expect(try value(nodes[0].id, at: "next.self")?.id == nodes[1].id)
  }

  @Test("nil on the way answers nil, and swallows what is set")
  func nilOnTheWay() throws {
    let nodes = try NodeClass(), node = try nodes.make()
    try set(node.id, at: "next.next.name", .number(1))
    #expect(try value(node.id, at: "next.nothing.of.the.kind") == nil)
    #expect(try status { try value(node.id, at: "nothing.name") } == KVC_ERR_UNDEFINED_KEY)
    #expect(try status { try set(node.id, at: "nothing.name", nil) } == KVC_ERR_UNDEFINED_KEY)
  }

  @Test("each step is the message valueForKey:, and the last one setValue:forKey:")
  func messages() throws {
    let base = try NodeClass(), noting = try NodeClass("Noting", below: base), notes = Notes()
    try addMethod(noting.cls, "valueForKey:", "i@:*^@") { call in
      let key = call.argument(2, as: UnsafePointer<CChar>.self)
      notes.add("get " + String(cString: key))
      call.answer(callRoot("valueForKey:", call, key))
    }
    let nodes = try noting.chain(2)
    try set(nodes[0].id, at: "next.name", .number(1))
    _ = try value(nodes[0].id, at: "next.name")
    #expect(notes.lines == ["get next", "get next", "get name"])
  }

  @Test("a class with a valueForKeyPath: of its own is asked for all that is left")
  func overriding() throws {
    let base = try NodeClass(), own = try NodeClass("Own", below: base), notes = Notes()
    try addMethod(own.cls, "valueForKeyPath:", "i@:*^@") { call in
      let path = call.argument(2, as: UnsafePointer<CChar>.self)
      notes.add(String(cString: path))
      call.answer(callRoot("valueForKeyPath:", call, path))
    }
    let first = try base.make(), second = try own.make()
    try set(first.id, at: "next", second)
    try set(second.id, at: "name", .string("second"))
    #expect(try value(first.id, at: "next.name")?.description == "second")
    #expect(try value(second.id, at: "self.name")?.description == "second")
    #expect(notes.lines == ["name", "self.name", "name"])
  }

  @Test("a class with a setValue:forKeyPath: of its own is sent all that is left")
  func overridingSet() throws {
    let base = try NodeClass(), own = try NodeClass("Own", below: base), notes = Notes()
    try addMethod(own.cls, "setValue:forKeyPath:", "i@:@*") { call in
      notes.add(String(cString: call.argument(3, as: UnsafePointer<CChar>.self)))
      call.answer(ISA_OK)
    }
    let first = try base.make()
    try set(first.id, at: "next", own.make())
    try set(first.id, at: "next.next.name", nil)
    #expect(notes.lines == ["next.name"])
    #expect(first.retainCount == 1)
  }

  @Test("an override that answers nothing answers nil")
  func silentOverride() throws {
    let base = try NodeClass(), own = try NodeClass("Own", below: base)
    try addMethod(own.cls, "valueForKeyPath:", "i@:*^@") { $0.answer(ISA_OK) }
    let first = try base.make(), second = try own.make()
    try set(first.id, at: "next", second)
    #expect(try value(first.id, at: "next.name") == nil)
    #expect(try value(second.id, at: "name") == nil)
  }

  @Test("a path of a megabyte is walked in a loop, whatever it leads through")
  func longPaths() throws {
    let steps = 1 << 18, path = String(repeating: "next.", count: steps)
    let nodes = try NodeClass(), node = try nodes.make(),
      loop = try makeDictionary([:], isMutable: true)
    try set(node.id, at: "next", node)
    try set(loop.id, at: "next", loop)
    for object in [node, loop] {
      try set(object.id, at: path + "name", .number(1))
      #expect(try value(object.id, at: path + "name")?.description == "1")
      #expect(try status { try value(object.id, at: path + "name.no") } == KVC_ERR_UNDEFINED_KEY)
      try set(object.id, at: "next", nil)
    }
    #expect(try value(kvc_null(), at: path)?.id == kvc_null())
    let array = try CollectionType.array([node])
    #expect(try value(array.id, at: "self." + path)?.description == "(<null>)")
  }

  @Test("a key of a megabyte is undefined, dots alone are empty keys", arguments: ["x", ".", "@"])
  func longKeys(unit: String) throws {
    let nodes = try NodeClass(), node = try nodes.make()
    let text = String(repeating: unit, count: 1 << 20)
    #expect(try status { try value(node.id, at: text) } == KVC_ERR_UNDEFINED_KEY)
    #expect(try status { try set(node.id, at: text, nil) } == KVC_ERR_UNDEFINED_KEY)
    #expect(lastReason().contains("not key value coding-compliant"))
    #expect(lastReason().utf8.count < 512)
  }

  @Test(
    "operators within one another have an end, and so have collections that are their own members")
  func nesting() throws {
    let loop = try CollectionType.mutableArray([]), leaf = try CollectionType.array(1, 2)
    try loop.add(loop)
    defer { kvc_collection_remove_all(loop.id) }
    let operators = String(repeating: "@max.", count: 20_000)
    for path in ["x", "@sum.x", operators + "x", operators] {
      #expect(try status { try value(loop.id, at: path) } == ISA_ERR_INVALID_ARGUMENT)
      #expect(lastReason().contains("nested more than 256 deep"))
    }
    #expect(try status { try set(loop.id, at: "x", nil) } == ISA_ERR_INVALID_ARGUMENT)
    #expect(try value(leaf.id, at: "@sum.self")?.description == "3")  // the count is back at 0
  }

  @Test("a class that walks by itself is asked 256 times within one another, no more")
  func ownNesting() throws {
    let own = try NodeClass("Own")
    try addMethod(own.cls, "valueForKeyPath:", "i@:*^@") { call in
      call.answer(
        callRoot("valueForKeyPath:", call, call.argument(2, as: UnsafePointer<CChar>.self)))
    }
    let node = try own.make()
    try set(node.id, at: "next", node)
    try set(node.id, at: "name", .number(1))
    let path = { String(repeating: "next.", count: $0) + "name" }
    #expect(try value(node.id, at: path(256))?.description == "1")
    #expect(try status { try value(node.id, at: path(257)) } == ISA_ERR_INVALID_ARGUMENT)
    try set(node.id, at: "next", nil)
  }

  @Test("what is not UTF-8, and what is no path, is refused")
  func badText() throws {
    let nodes = try NodeClass(), node = try nodes.make()
    var out: isa_id?
    for bytes: [UInt8] in [
      [0xFF], [0x61, 0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82],
    ] {
      let text = bytes.map(CChar.init(bitPattern:)) + [0]
      #expect(kvc_copy_value_for_path(node.id, text, &out) == ISA_ERR_INVALID_ARGUMENT)
      #expect(lastReason().hasSuffix("the key path is not UTF-8"))
      #expect(kvc_set_value_for_path(node.id, text, nil) == ISA_ERR_INVALID_ARGUMENT)
    }
    #expect(try status { try value(node.id, at: nil) } == ISA_ERR_INVALID_ARGUMENT)
    #expect(try status { try value(nil, at: "name") } == ISA_ERR_INVALID_ARGUMENT)
    #expect(try status { try set(node.id, at: nil, nil) } == ISA_ERR_INVALID_ARGUMENT)
    #expect(try status { try set(nil, at: "name", nil) } == ISA_ERR_INVALID_ARGUMENT)
    #expect(try status { try value(node.id, at: "é.ü") } == KVC_ERR_UNDEFINED_KEY)
  }

  @Test("an object that does not know the messages ends the walk")
  func foreignObjects() throws {
    var root: isa_class?
    try check(isa_class_pair_allocate(nil, "Foreign", &root))
    try check(isa_class_pair_register(root))
    defer { isa_class_pair_dispose(root) }
    let nodes = try NodeClass(), first = try nodes.make()
    do {
      let foreign = try Boxed { isa_object_allocate(root, $0) }
      try set(first.id, at: "next", foreign)
      #expect(try status { try value(foreign.id, at: "x") } == ISA_ERR_UNRECOGNIZED_SELECTOR)
    }
    #expect(try status { try value(first.id, at: "next.x") } == ISA_ERR_UNRECOGNIZED_SELECTOR)
    #expect(try status { try set(first.id, at: "next.x", nil) } == ISA_ERR_UNRECOGNIZED_SELECTOR)
    try set(first.id, at: "next", nil)
  }

  @Test("without memory a path is not walked, and nothing is set")
  func allocationFailure() throws {
    let pair = try NodeClass(), nodes = try pair.chain(2), name = try Boxed.string("name")
    let long = String(repeating: "self.", count: 40) + "next."
    for key in ["number", "next"] { _ = try value(nodes[0].id, at: key) }  // fills the cache
    try set(nodes[0].id, at: long + "name", nil)
    try withEachAllocationFailing { try set(nodes[0].id, at: long + "name", name) }
    try withEachAllocationFailing { _ = try value(nodes[0].id, at: long + "name") }
    try withEachAllocationFailing { _ = try value(nodes[0].id, at: "next.number") }
    #expect(try value(nodes[1].id, at: "name")?.id == name.id)
  }
}

/// The answer of the root class's code to a message with a text and an out-parameter.
private func callRoot(_ name: String, _ call: MethodCall, _ text: UnsafePointer<CChar>)
  -> isa_status
{
  typealias Get =
    @convention(c) (isa_id, isa_sel, UnsafePointer<CChar>, UnsafeMutablePointer<isa_id?>)
    -> isa_status
  let imp = isa_class_find_imp(isa_root_class(), selector(name))
  let out = call.argument(3, as: UnsafeMutablePointer<isa_id?>.self)
  return unsafeBitCast(imp, to: Get.self)(call.receiver, selector(name), text, out)
}
