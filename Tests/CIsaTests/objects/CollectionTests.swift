import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct CollectionTests {
  @Test("a collection is made from objects, which it keeps alive", arguments: CollectionType.all)
  func making(type: CollectionType) throws {
    let one = try Boxed.number(1)
    do {
      let collection = try type([one, .number(2)])
      #expect(collection.kind == type.kind && collection.className == type.name)
      #expect(kvc_is_mutable(collection.id) == type.isMutable)
      #expect(collection.count == 2 && one.retainCount == 2)
      #expect(collection.contains(try Boxed.number(2)))
      #expect(!collection.contains(try Boxed.number(3)))
      #expect(!kvc_collection_contains(collection.id, nil))
    }
    #expect(one.retainCount == 1)
    #expect(try type().count == 0)
  }

  @Test("nil is not made part of a collection", arguments: CollectionType.all)
  func makingFromNil(type: CollectionType) throws {
    let one = try Boxed.number(1)
    var made: isa_id?
    #expect(type.make([one.id, nil], 2, &made) == ISA_ERR_INVALID_ARGUMENT)
    #expect(lastException() == "NSInvalidArgumentException" && lastReason().contains("objects[1]"))
    #expect(type.make(nil, 1, &made) == ISA_ERR_INVALID_ARGUMENT && made == nil)
    try check(type.make(nil, 0, &made))
    isa_object_release(made)
  }

  @Test(
    "a copy cannot change; a mutable copy can, and is independent", arguments: CollectionType.all)
  func copies(type: CollectionType) throws {
    let original = try type(1, 2, 3)
    let copy = try Boxed { kvc_collection_copy(original.id, $0) }
    let mutableCopy = try Boxed { kvc_collection_mutable_copy(original.id, $0) }
    #expect((copy.id == original.id) == !type.isMutable && !kvc_is_mutable(copy.id))
    #expect(mutableCopy.id != original.id && kvc_is_mutable(mutableCopy.id))
    #expect(isEqual(copy, original) && isEqual(original, mutableCopy))
    #expect(kvc_hash(copy.id) == kvc_hash(mutableCopy.id))
    try mutableCopy.add(Boxed.number(4))
    #expect(original.count == 3 && !isEqual(original, mutableCopy))
  }

  @Test("collections of different kinds are not equal")
  func differentKinds() throws {
    let boxes = try [CollectionType.array, .orderedSet, .set].map { try $0(1, 2) }
    for (i, first) in boxes.enumerated() {
      for (j, second) in boxes.enumerated() {
        #expect(isEqual(first, second) == (i == j))
      }
      #expect(!kvc_is_equal(first.id, kvc_null()))
    }
  }

  @Test("what cannot change does not answer the messages that change it")
  func immutable() throws {
    let one = try Boxed.number(1)
    for type in CollectionType.all where !type.isMutable {
      let box = try type(1, 2)
      #expect(kvc_collection_add(box.id, one.id) == ISA_ERR_UNRECOGNIZED_SELECTOR)
      #expect(lastException() == "NSInvalidArgumentException")
      #expect(
        lastReason().hasPrefix(
          "-[\(type.name) addObject:]: unrecognized selector sent to instance 0x"))
      #expect(kvc_collection_remove(box.id, one.id) == ISA_ERR_UNRECOGNIZED_SELECTOR)
      #expect(kvc_collection_remove_all(box.id) == ISA_ERR_UNRECOGNIZED_SELECTOR)
      #expect(kvc_collection_set_objects(box.id, box.id) == ISA_ERR_UNRECOGNIZED_SELECTOR)
      #expect(kvc_ordered_insert(box.id, one.id, 0) == ISA_ERR_UNRECOGNIZED_SELECTOR)
      #expect(kvc_set_unite(box.id, box.id) == ISA_ERR_UNRECOGNIZED_SELECTOR)
      #expect(box.count == 2)
    }
  }

  @Test("a message of another kind of collection, or to no collection, is refused")
  func wrongKind() throws {
    let one = try Boxed.number(1), array = try CollectionType.mutableArray(1)
    let set = try CollectionType.mutableSet(1)
    var found: isa_id?
    #expect(kvc_set_unite(array.id, set.id) == ISA_ERR_UNRECOGNIZED_SELECTOR)
    #expect(kvc_set_copy_member(array.id, one.id, &found) == ISA_ERR_UNRECOGNIZED_SELECTOR)
    #expect(kvc_ordered_insert(set.id, one.id, 0) == ISA_ERR_UNRECOGNIZED_SELECTOR)
    #expect(kvc_ordered_copy_object(set.id, 0, &found) == ISA_ERR_UNRECOGNIZED_SELECTOR)
    #expect(kvc_ordered_index_of(set.id, one.id) == .max)
    #expect(kvc_dictionary_set(set.id, one.id, one.id) == ISA_ERR_UNRECOGNIZED_SELECTOR)
    #expect(kvc_collection_add(one.id, one.id) == ISA_ERR_UNRECOGNIZED_SELECTOR)
    #expect(kvc_collection_copy_objects(one.id, &found) == ISA_ERR_UNRECOGNIZED_SELECTOR)
    #expect(kvc_collection_add(nil, one.id) == ISA_ERR_INVALID_ARGUMENT)
    #expect(
      kvc_collection_make(KVC_KIND_SET, false, one.id, &found) == ISA_ERR_UNRECOGNIZED_SELECTOR)
    #expect(
      kvc_collection_make(KVC_KIND_DICTIONARY, false, set.id, &found) == ISA_ERR_INVALID_ARGUMENT)
    #expect(found == nil)
  }

  @Test("a collection is made from any other, a dictionary giving its values")
  func conversions() throws {
    let array = try CollectionType.array(3, 1, 3)
    let dictionary = try makeDictionary(["a": .number(3), "b": .number(1)])
    for (other, text) in [(array, "(3, 1, 3)"), (dictionary, "(3, 1)")] {
      #expect(
        try Boxed { kvc_collection_make(KVC_KIND_ARRAY, true, other.id, $0) }.description == text)
      let set = try Boxed { kvc_collection_make(KVC_KIND_ORDERED_SET, false, other.id, $0) }
      #expect(set.description == "{(3, 1)}")
      #expect(try Boxed { kvc_collection_make(KVC_KIND_SET, false, other.id, $0) }.count == 2)
    }
  }

  @Test("the objects come as an array that does not change", arguments: CollectionType.all)
  func objects(type: CollectionType) throws {
    let collection = try type(5, 6)
    let objects = try Boxed { kvc_collection_copy_objects(collection.id, $0) }
    #expect(objects.className == "IsaArray" && objects.description == "(5, 6)")
    #expect((objects.id == collection.id) == (type.name == "IsaArray"))
  }

  @Test("a walk meets the objects of its beginning, and ends when it is told to")
  func enumeration() throws {
    let array = try CollectionType.mutableArray(1, 2, 3)
    let visits = Visits(array)
    let context = Unmanaged.passUnretained(visits).toOpaque()
    try check(
      kvc_collection_enumerate(
        array.id,
        { object, index, context in
          let visits = Unmanaged<Visits>.fromOpaque(context!).takeUnretainedValue()
          isa_object_retain(object)
          visits.seen.append("\(index): \(Boxed(adopting: object))")
          return kvc_collection_remove_all(visits.array.id) == ISA_OK && index < 1
        }, context))
    #expect(visits.seen == ["0: 1", "1: 2"] && array.count == 0)
    #expect(kvc_collection_enumerate(kvc_null(), { _, _, _ in true }, nil) != ISA_OK)
  }

  @Test("adding nil is refused", arguments: CollectionType.mutable)
  func addingNil(type: CollectionType) throws {
    let collection = try type(1)
    #expect(kvc_collection_add(collection.id, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(lastReason() == "*** -[\(type.name) addObject:]: object cannot be nil")
    #expect(lastException() == "NSInvalidArgumentException" && collection.count == 1)
  }

  @Test(
    "all objects are replaced, by the collection's own as well", arguments: CollectionType.mutable)
  func settingObjects(type: CollectionType) throws {
    let collection = try type(1, 2), other = try CollectionType.array(2, 3)
    try check(kvc_collection_set_objects(collection.id, other.id))
    #expect(isEqual(collection, try type(2, 3)))
    try check(kvc_collection_set_objects(collection.id, collection.id))
    #expect(isEqual(collection, try type(2, 3)))
    #expect(kvc_collection_set_objects(collection.id, kvc_null()) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvc_collection_set_objects(collection.id, nil) == ISA_ERR_INVALID_ARGUMENT)
    try check(kvc_collection_remove_all(collection.id))
    #expect(collection.count == 0)
  }

  @Test("descriptions use Foundation's brackets, and quote what is not a plain word")
  func descriptions() throws {
    let texts = try ["plain_1", "two words", "", "a\"b\\\n"].map { try Boxed.string($0) }
    #expect(
      try CollectionType.array(texts).description
        == #"(plain_1, "two words", "", "a\"b\\\n")"#)
    #expect(try CollectionType.set(1, 2).description == "{(1, 2)}")
    #expect(try CollectionType.orderedSet().description == "{()}")
    let inner = try CollectionType.array([Boxed(adopting: kvc_null())])
    #expect(
      try makeDictionary(["a": inner, "b c": texts[1]]).description
        == #"{a = (<null>); "b c" = "two words"}"#)
  }

  @Test("a subclass that keeps its objects elsewhere is a collection like any other")
  func subclass() throws {
    var cls: isa_class?
    try check(
      isa_class_pair_allocate(kvc_class_of_kind(KVC_KIND_ARRAY, false), "Squares", &cls))
    try check(isa_class_pair_register(cls))
    defer { isa_class_pair_dispose(cls) }
    try addMethod(cls!, "count", "Q@:") { $0.answer(UInt64(3)) }
    try addMethod(cls!, "objectAtIndex:", "i@:Q^@") { call in
      let index: Int = call.argument(2), out: UnsafeMutablePointer<isa_id?> = call.argument(3)
      call.answer(kvc_number_make_integer(Int64(index * index), out).rawValue)
    }
    let squares = try Boxed { isa_object_allocate(cls, $0) }
    #expect(squares.count == 3 && squares.description == "(0, 1, 4)")
    #expect(isEqual(squares, try CollectionType.array(0, 1, 4)))
    #expect(isEqual(try CollectionType.array(0, 1, 4), squares))
    #expect(squares.index(of: try Boxed.number(4)) == 2)
    let copy = try Boxed { kvc_collection_mutable_copy(squares.id, $0) }
    #expect(copy.description == "(0, 1, 4)")
    let set = try CollectionType.mutableSet(1, 2)
    try check(kvc_set_unite(set.id, squares.id))
    #expect(isEqual(set, try CollectionType.set(0, 1, 2, 4)))
  }

  @Test(
    "a subclass that counts more objects than memory can hold fails, and nothing is written",
    arguments: [1 << 60, 1 << 61 + 1, 1 << 63, UInt64.max] as [UInt64])
  func tooMany(count: UInt64) throws {
    let one = try Boxed.number(1), array = try CollectionType.mutableArray(1)
    let pair = try ClassPair("Endless", of: kvc_class_of_kind(KVC_KIND_ARRAY, false))
    try addMethod(pair.cls, "count", "Q@:") { $0.answer(count) }
    try addMethod(pair.cls, "objectAtIndex:", "i@:Q^@") { call in
      let out: UnsafeMutablePointer<isa_id?> = call.argument(3)
      out.pointee = isa_object_retain(one.id)
      call.answer(ISA_OK)
    }
    let endless = try Boxed { isa_object_allocate(pair.cls, $0) }
    for kind in [KVC_KIND_ARRAY, KVC_KIND_ORDERED_SET, KVC_KIND_SET] {
      let copy = try status { try Boxed { kvc_collection_make(kind, true, endless.id, $0) } }
      #expect(copy == ISA_ERR_NO_MEMORY)
    }
    #expect(kvc_collection_set_objects(array.id, endless.id) == ISA_ERR_NO_MEMORY)
    #expect(array.description == "(1)" && one.retainCount == 1)
  }

  @Test("without memory a collection is as it was", arguments: CollectionType.all)
  func allocationFailure(type: CollectionType) throws {
    let boxes = try (0..<6).map { try Boxed.number($0) }
    try withEachAllocationFailing { _ = try type(boxes) }
    let collection = try type(boxes)
    try withEachAllocationFailing { _ = try Boxed { kvc_collection_copy(collection.id, $0) } }
    try withEachAllocationFailing {
      _ = try Boxed { kvc_collection_mutable_copy(collection.id, $0) }
    }
    try withEachAllocationFailing { _ = try Boxed { kvc_copy_description(collection.id, $0) } }
    try withEachAllocationFailing {
      try check(kvc_collection_enumerate(collection.id, { _, _, _ in true }, nil))
    }
  }
}

private final class Visits {
  let array: Boxed
  var seen: [String] = []
  init(_ array: Boxed) { self.array = array }
}
