import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct CollectionCodingTests {
  @Test(
    "a collection answers a key with its members' values, of its own kind",
    arguments: CollectionType.all)
  func mapping(type: CollectionType) throws {
    let members = try [1, 2, 2].map { try makeDictionary(["n": .number($0), "k": .number(0)]) }
    let receiver = try type(members + [makeDictionary([:])])
    let mapped = try #require(try answered { kvc_copy_value(receiver.id, "n", $0) })
    #expect(mapped.kind == type.kind)
    #expect(!kvc_is_mutable(mapped.id))
    let texts = [KVC_KIND_ARRAY: "(1, 2, 2, <null>)"]
    #expect(mapped.description == texts[type.kind] ?? "{(1, 2)}")
  }

  @Test(
    "a value is set on each member, up to the first that refuses", arguments: CollectionType.all)
  func setting(type: CollectionType) throws {
    let nodes = try NodeClass(), first = try nodes.make(), last = try nodes.make()
    let name = try Boxed.string("name")
    let both = try type([first, last])
    try check(kvc_set_value(both.id, "name", name.id))
    for node in [first, last] { #expect(try value(node.id, at: "name")?.id == name.id) }
    let mixed = try type([first, .number(1), last])
    #expect(kvc_set_value(mixed.id, "name", nil) == KVC_ERR_UNDEFINED_KEY)
    #expect(try value(first.id, at: "name") == nil)
    #expect(try value(last.id, at: "name")?.id == name.id)
  }

  @Test("a key that begins with @ is the collection's own", arguments: CollectionType.all)
  func ownKeys(type: CollectionType) throws {
    let receiver = try type(5, 6)
    #expect(try value(receiver.id, at: "@count")?.description == "2")
    #expect(try answered { kvc_copy_value(receiver.id, "@count", $0) }?.description == "2")
    #expect(try value(receiver.id, at: "@self")?.id == receiver.id)
    #expect(try value(receiver.id, at: "@allObjects")?.description == "(5, 6)")
    #expect(try value(receiver.id, at: "@description")?.description == receiver.description)
    #expect(try status { try value(receiver.id, at: "@nothing") } == KVC_ERR_UNDEFINED_KEY)
  }

  @Test("what has an order has a first and a last object, unless it is empty")
  func ends() throws {
    for type in [CollectionType.array, .orderedSet] {
      let two = try type(5, 6), none = try type()
      #expect(try value(two.id, at: "@firstObject")?.description == "5")
      #expect(try value(two.id, at: "@lastObject")?.description == "6")
      #expect(try value(none.id, at: "@firstObject") == nil)
      #expect(try value(none.id, at: "@lastObject") == nil)
    }
    let set = try CollectionType.set(5)
    #expect(try status { try value(set.id, at: "@lastObject") } == KVC_ERR_UNDEFINED_KEY)
  }

  @Test("every object answers `self` and its description by key")
  func everyObject() throws {
    let nodes = try NodeClass(), node = try nodes.make(), five = try Boxed.number(5)
    #expect(try value(node.id, at: "self.self")?.id == node.id)
    #expect(try value(node.id, at: "description")?.description.hasPrefix("<Node: 0x") == true)
    #expect(try value(five.id, at: "description")?.description == "5")
    #expect(try value(five.id, at: "description.length")?.description == "1")
  }

  @Test("a dictionary looks a key up, stores it, and removes it for nil")
  func dictionaries() throws {
    let dictionary = try makeDictionary(["a": .number(1)], isMutable: true)
    #expect(try answered { kvc_copy_value(dictionary.id, "a", $0) }?.description == "1")
    #expect(try answered { kvc_copy_value(dictionary.id, "b", $0) } == nil)
    #expect(try answered { kvc_copy_value(dictionary.id, "@count", $0) }?.description == "1")
    let two = try Boxed.number(2)
    for key in ["b", "", "@count", "x.y"] { try check(kvc_set_value(dictionary.id, key, two.id)) }
    #expect(dictionary.count == 5)
    #expect(try value(dictionary.id, at: "x.y")?.id == two.id)
    #expect(try value(dictionary.id, at: "@count")?.description == "5")
    try check(kvc_set_value(dictionary.id, "b", nil))
    #expect(dictionary.count == 4)
  }

  @Test("a dictionary that cannot change has no key to set")
  func immutableDictionary() throws {
    let dictionary = try makeDictionary(["a": .number(1)])
    #expect(kvc_set_value(dictionary.id, "a", nil) == KVC_ERR_UNDEFINED_KEY)
    #expect(lastException() == "NSUnknownKeyException")
  }

  @Test("a long path is a key too, if there is one as long")
  func longKeys() throws {
    let key = String(repeating: "a.", count: 500) + "b", one = try Boxed.number(1)
    let dictionary = try makeDictionary([:], isMutable: true)
    #expect(try value(dictionary.id, at: key) == nil)
    try check(kvc_set_value(dictionary.id, key, one.id))
    #expect(try value(dictionary.id, at: key)?.id == one.id)
    #expect(try value(dictionary.id, at: "b" + key.dropFirst()) == nil)
  }

  @Test("a dictionary of a class of its own is asked by objectForKey:")
  func ownDictionary() throws {
    let pair = try ClassPair("Ghost", of: kvc_class_of_kind(KVC_KIND_DICTIONARY, false))
    try addMethod(pair.cls, "objectForKey:", "i@:@^@") { call in
      let out = call.argument(3, as: UnsafeMutablePointer<isa_id?>.self)
      out.pointee = isa_object_retain(call.argument(2, as: isa_id.self))
      call.answer(ISA_OK)
    }
    let ghost = try Boxed { isa_object_allocate(pair.cls, $0) }
    let path = String(repeating: "a.", count: 500)
    #expect(try value(ghost.id, at: path)?.description == "\(path)")
  }

  @Test("text that is not UTF-8 is no key of a dictionary")
  func badText() throws {
    let dictionary = try makeDictionary([:], isMutable: true), text: [CChar] = [-1, 0]
    var out: isa_id?
    #expect(kvc_copy_value(dictionary.id, text, &out) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvc_set_value(dictionary.id, text, nil) == ISA_ERR_INVALID_ARGUMENT)
  }

  @Test("a collection may change while its members are asked")
  func changingMembers() throws {
    let pair = try ClassPair("Leaver"), array = try CollectionType.mutableArray([])
    try addMethod(pair.cls, "valueForKey:", "i@:*^@") { call in
      kvc_collection_remove_all(array.id)
      call.answer(ISA_OK)
    }
    for _ in 0..<3 { try array.add(Boxed { isa_object_allocate(pair.cls, $0) }) }
    #expect(try answered { kvc_copy_value(array.id, "x", $0) }?.count == 3)
    #expect(array.count == 0)
  }

  @Test("without memory nothing is answered and nothing stored", arguments: CollectionType.all)
  func allocationFailure(type: CollectionType) throws {
    let entries = try (0..<3).map { try makeDictionary(["n": .number($0)], isMutable: true) }
    let receiver = try type(entries), one = try Boxed.number(1)
    _ = try value(one.id, at: "self")  // fills the cache
    try withEachAllocationFailing { _ = try answered { kvc_copy_value(receiver.id, "n", $0) } }
    let dictionary = try makeDictionary([:], isMutable: true)
    try withEachAllocationFailing { try check(kvc_set_value(dictionary.id, "key", one.id)) }
    try withEachAllocationFailing { _ = try value(dictionary.id, at: "key.self") }
    try withEachAllocationFailing { try check(kvc_set_value(dictionary.id, "key", nil)) }
    #expect(dictionary.count == 0)
  }
}
