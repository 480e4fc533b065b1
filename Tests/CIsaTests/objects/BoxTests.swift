import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct BoxTests {
  @Test("each kind has its class, and what can change a subclass of it")
  func kinds() throws {
    let names: [(kvc_kind, String)] = [
      (KVC_KIND_VALUE, "Value"), (KVC_KIND_NUMBER, "Number"), (KVC_KIND_STRING, "String"),
      (KVC_KIND_NULL, "Null"), (KVC_KIND_ARRAY, "Array"), (KVC_KIND_ORDERED_SET, "OrderedSet"),
      (KVC_KIND_SET, "Set"), (KVC_KIND_DICTIONARY, "Dictionary"),
    ]
    for (kind, name) in names {
      let cls = kvc_class_of_kind(kind, false)!, other = kvc_class_of_kind(kind, true)!
      #expect(cls == isa_class_find("Isa" + name))
      let isCollection = kind.rawValue >= KVC_KIND_ARRAY.rawValue
      #expect(other == (isCollection ? isa_class_find("IsaMutable" + name) : cls))
      #expect(isa_class_is_subclass(other, cls))
    }
    #expect(kvc_class_of_kind(KVC_KIND_OTHER, false) == nil)
    #expect(kvc_class_of_kind(kvc_kind(rawValue: 99), true) == nil)
  }

  @Test("an object of another class, a class and nil are of no kind")
  func otherKinds() throws {
    let pair = try ClassPair("Other")
    let object = try Boxed { isa_object_allocate(pair.cls, $0) }
    let cls = isa_class_as_object(kvc_class_of_kind(KVC_KIND_ARRAY, true))
    for id in [object.id, cls, nil] {
      #expect(kvc_kind_of(id) == KVC_KIND_OTHER && !kvc_is_mutable(id))
      #expect(kvc_collection_count(id) == 0)
    }
  }

  @Test("an object without methods of its own is equal to itself, and described by its class")
  func identity() throws {
    let pair = try ClassPair("Plain")
    let first = try Boxed { isa_object_allocate(pair.cls, $0) }
    let second = try Boxed { isa_object_allocate(pair.cls, $0) }
    #expect(isEqual(first, first) && !isEqual(first, second))
    #expect(kvc_hash(first.id) == kvc_hash(first.id) && kvc_hash(nil) == 0)
    #expect(first.description.hasPrefix("<Plain: 0x"))
    #expect(try Boxed { kvc_copy_description(nil, $0) }.description == "(null)")
    var order: Int64 = 0
    #expect(kvc_compare(first.id, second.id, &order) == ISA_ERR_UNRECOGNIZED_SELECTOR)
    #expect(kvc_compare(nil, second.id, &order) == ISA_ERR_INVALID_ARGUMENT)
  }

  @Test("a class's own isEqual:, hash and compare: are sent")
  func overridden() throws {
    let pair = try ClassPair("Own")
    try addMethod(pair.cls, "isEqual:", "B@:@") { $0.answer(true) }
    try addMethod(pair.cls, "hash", "Q@:") { $0.answer(UInt64(7)) }
    try addMethod(pair.cls, "compare:", "q@:@") { $0.answer(Int64(-3)) }
    let object = try Boxed { isa_object_allocate(pair.cls, $0) }
    #expect(kvc_is_equal(object.id, kvc_null()) && kvc_hash(object.id) == 7)
    var order: Int64 = 0
    try check(kvc_compare(object.id, kvc_null(), &order))
    #expect(order == -3)
  }

  @Test("a property named hash or description is not taken for the message")
  func propertiesOfThatName() throws {
    let pair = try ClassPair("Document")
    let text = try Boxed.string("a letter")
    try addMethod(pair.cls, "hash", "{P=ddd}@:") { $0.answer((1.0, 2.0, 3.0)) }
    try addMethod(pair.cls, "description", "@@:") { $0.answer(text.id) }
    let object = try Boxed { isa_object_allocate(pair.cls, $0) }
    #expect(kvc_hash(object.id) == kvc_hash(object.id))
    #expect(object.description == "a letter" && text.retainCount == 1)
    let number = try ClassPair("Numbered")
    try addMethod(number.cls, "description", "q@:") { $0.answer(Int64(1)) }
    let numbered = try Boxed { isa_object_allocate(number.cls, $0) }
    #expect(numbered.description.hasPrefix("<Numbered: 0x"))
  }

  @Test("the message description is not the getter of a key of that name")
  func notAGetter() throws {
    let pair = try ClassPair("Article", isRegistered: false)
    try check(isa_class_add_ivar(pair.cls, "description", "@", ISA_OWNERSHIP_RETAIN))
    try pair.register()
    let object = try Boxed { isa_object_allocate(pair.cls, $0) }
    let text = try Boxed.string("long")
    try check(kvc_set_value(object.id, "description", text.id))
    #expect(try value(object.id, "description", "@", as: isa_id.self) == text.id)
    #expect(try value(object.id, "hash", "Q", as: UInt.self) == UInt(kvc_hash(object.id)))
  }

  @Test("structs are equal if their types and bytes are")
  func values() throws {
    let first = Boxed(adopting: try box((1.0, 2.0), "{P=dd}"))
    let second = Boxed(adopting: try box((1.0, 2.0), "{P=dd}"))
    let other = Boxed(adopting: try box((1.0, 3.0), "{P=dd}"))
    let integers = Boxed(adopting: try box((1.0, 2.0), "{P=qq}"))
    #expect(isEqual(first, second) && kvc_hash(first.id) == kvc_hash(second.id))
    #expect(!isEqual(first, other) && !isEqual(first, integers))
    #expect(!isEqual(first, try Boxed.number(1)))
    #expect(Boxed(adopting: try box(UInt32(1).bigEndian, "{P=I}")).description == "<00000001>")
    let empty = try Boxed { isa_object_allocate(kvc_class_of_kind(KVC_KIND_VALUE, false), $0) }
    #expect(empty.description == "<>" && !isEqual(empty, first))
  }

  @Test("collections that contain themselves are compared and described to an end")
  func cycles() throws {
    let one = try Boxed.number(1)
    let first = try CollectionType.mutableArray([one]),
      second = try CollectionType.mutableArray([one])
    for array in [first, second] {
      for _ in 0..<3 { try check(kvc_collection_add(array.id, array.id)) }
    }
    #expect(isEqual(first, second))
    #expect(first.description == "(1, ..., ..., ...)")
    try check(kvc_collection_add(second.id, one.id))
    #expect(!isEqual(first, second))
    for array in [first, second] { try check(kvc_collection_remove_all(array.id)) }
  }

  @Test("what is nested deeper than 256 is neither equal nor described")
  func depth() throws {
    func nested(_ depth: Int) throws -> Boxed {
      try (0..<depth).reduce(Boxed.number(1)) { inner, _ in try CollectionType.array([inner]) }
    }
    #expect(isEqual(try nested(200), try nested(200)))
    #expect(!isEqual(try nested(300), try nested(300)))
    #expect(try nested(300).description.contains("(...)"))
    #expect(isEqual(try nested(200), try nested(200)))
  }
}
