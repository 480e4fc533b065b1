import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct BulkTests {
  @Test("the values for many keys come as a dictionary, with null for nil")
  func reading() throws {
    let nodes = try NodeClass(), node = try nodes.make()
    try set(node.id, at: "name", .string("n"))
    for type in [CollectionType.array, .set, .orderedSet] {
      let keys = try type([.string("name"), .string("next"), .string("number")])
      let values = try #require(try answered { kvc_copy_values(node.id, keys.id, $0) })
      #expect(values.description == "{name = n; next = <null>; number = 0}")
    }
    let none = try CollectionType.array()
    #expect(try answered { kvc_copy_values(node.id, none.id, $0) }?.count == 0)
  }

  @Test("each key of a dictionary is set, null as nil")
  func writing() throws {
    let nodes = try NodeClass(), node = try nodes.make()
    try set(node.id, at: "next", .string("n"))
    let values = try makeDictionary([
      "name": .string("a"), "next": Boxed(adopting: kvc_null()), "number": .number(7),
    ])
    try check(kvc_set_values(node.id, values.id))
    #expect(try value(node.id, at: "name")?.description == "a")
    #expect(try value(node.id, at: "next") == nil)
    #expect(try value(node.id, at: "number")?.description == "7")
  }

  @Test("null for a number is nil for a number, and those before it stay set")
  func nilForNumber() throws {
    let nodes = try NodeClass(), node = try nodes.make()
    let values = try makeDictionary(["name": .string("a"), "number": Boxed(adopting: kvc_null())])
    #expect(kvc_set_values(node.id, values.id) == KVC_ERR_NIL_VALUE)
    #expect(try value(node.id, at: "name")?.description == "a")
  }

  @Test("both go by messages")
  func messages() throws {
    let pair = try ClassPair("Noting"), notes = Notes()
    try addMethod(pair.cls, "valueForKey:", "i@:*^@") { call in
      notes.add("get " + String(cString: call.argument(2, as: UnsafePointer<CChar>.self)))
      call.answer(ISA_OK)
    }
    try addMethod(pair.cls, "setValue:forKey:", "i@:@*") { call in
      notes.add("set " + String(cString: call.argument(3, as: UnsafePointer<CChar>.self)))
      call.answer(ISA_OK)
    }
    let object = try Boxed { isa_object_allocate(pair.cls, $0) }
    let keys = try CollectionType.array([.string("a"), .string("b")])
    let values = try #require(try answered { kvc_copy_values(object.id, keys.id, $0) })
    #expect(values.description == "{a = <null>; b = <null>}")
    try check(kvc_set_values(object.id, values.id))
    #expect(notes.lines == ["get a", "get b", "set a", "set b"])
  }

  @Test("keys are strings without a zero byte, in a collection or dictionary; an object has them")
  func badInput() throws {
    let nodes = try NodeClass(), node = try nodes.make(), text = try Boxed.string("name")
    let odd = try Boxed { kvc_string_make_bytes("a\0b", 3, $0) }
    for key in [try Boxed.number(1), odd] {
      let keys = try CollectionType.array([key]), ids = [Optional(key.id)]
      let values = try Boxed { kvc_dictionary_make(ids, ids, 1, $0) }
      var out: isa_id?
      #expect(kvc_copy_values(node.id, keys.id, &out) == ISA_ERR_INVALID_ARGUMENT)
      #expect(kvc_set_values(node.id, values.id) == ISA_ERR_INVALID_ARGUMENT)
    }
    var out: isa_id?
    #expect(kvc_copy_values(node.id, text.id, &out) == ISA_ERR_UNRECOGNIZED_SELECTOR)
    #expect(kvc_set_values(node.id, text.id) == ISA_ERR_UNRECOGNIZED_SELECTOR)
    #expect(kvc_copy_values(node.id, nil, &out) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvc_copy_values(nil, text.id, &out) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvc_set_values(node.id, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvc_set_values(nil, text.id) == ISA_ERR_INVALID_ARGUMENT)
    let unknown = try CollectionType.array([text, .string("zzz")])
    #expect(kvc_copy_values(node.id, unknown.id, &out) == KVC_ERR_UNDEFINED_KEY)
    #expect(out == nil)
  }

  @Test("without memory no dictionary is made, and no key set beyond the failure")
  func allocationFailure() throws {
    let nodes = try NodeClass(), node = try nodes.make()
    let keys = try CollectionType.array([.string("name"), .string("number")])
    let values = try makeDictionary(["name": .string("a"), "number": .number(7)])
    try check(kvc_set_values(node.id, values.id))  // fills the cache, as does reading
    _ = try answered { kvc_copy_values(node.id, keys.id, $0) }
    try withEachAllocationFailing { _ = try answered { kvc_copy_values(node.id, keys.id, $0) } }
    try withEachAllocationFailing { try check(kvc_set_values(node.id, values.id)) }
  }
}
