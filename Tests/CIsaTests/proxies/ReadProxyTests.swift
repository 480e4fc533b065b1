import CIsa
import CIsa.Testing
import Testing

/// A collection and the accessors that answer for it.
struct Reading: CustomTestStringConvertible, Sendable {
  let accessors: Accessors
  let type: CollectionType
  let className: String

  var testDescription: String { className }

  static let array = Reading(
    accessors: .readArray, type: .mutableArray, className: "IsaKeyValueArray")
  static let arrayByIndexes = Reading(
    accessors: [.countOf, .objectsAt], type: .mutableArray, className: "IsaKeyValueArray")
  static let orderedSet = Reading(
    accessors: .readOrderedSet, type: .mutableOrderedSet, className: "IsaKeyValueOrderedSet")
  static let set = Reading(accessors: .readSet, type: .mutableSet, className: "IsaKeyValueSet")
  static let all = [array, arrayByIndexes, orderedSet, set]
}

@Suite(.serialized, .balancedCounts)
struct ReadProxyTests {
  @Test(
    "accessors for the elements make up a collection that cannot change", arguments: Reading.all)
  func kinds(reading: Reading) throws {
    let shelf = try Shelf(reading.accessors, reading.type(4, 5, 6)), proxy = try shelf.value()
    #expect(proxy.className == reading.className && proxy.kind == reading.type.kind)
    #expect(!kvc_is_mutable(proxy.id) && proxy.count == 3)
    let backing = try #require(shelf.backing), five = try Boxed.number(5)
    #expect(isEqual(proxy, backing) && isEqual(backing, proxy) && proxy.id != backing.id)
    #expect(try proxy.contains(five) && !proxy.contains(Boxed.number(9)))
    #expect(proxy.description == backing.description)
    #expect(kvc_collection_add(proxy.id, five.id) == ISA_ERR_UNRECOGNIZED_SELECTOR)
  }

  @Test("elements are read when they are asked for, and not before")
  func lazily() throws {
    let shelf = try Shelf(.readArray, CollectionType.mutableArray(4, 5, 6))
    let proxy = try shelf.value()
    #expect(proxy.count == 3 && shelf.takeCalls() == "")
    #expect(try Boxed { kvc_ordered_copy_object(proxy.id, 1, $0) }.description == "5")
    #expect(shelf.takeCalls() == "at 1")
    let set = try Shelf(.readOrderedSet, CollectionType.mutableOrderedSet(4, 5, 6), name: "Set")
    #expect(try set.value().index(of: Boxed.number(6)) == 2)
    #expect(set.takeCalls() == "indexOf")
  }

  @Test("the accessor for one element is preferred to the one for many")
  func preference() throws {
    let shelf = try Shelf([.readArray, .objectsAt], CollectionType.mutableArray(4))
    let proxy = try shelf.value()
    _ = try Boxed { kvc_ordered_copy_object(proxy.id, 0, $0) }
    #expect(shelf.takeCalls() == "at 0")
  }

  @Test("a proxy shows what the object has now, a copy what it had", arguments: Reading.all)
  func live(reading: Reading) throws {
    let shelf = try Shelf(reading.accessors, reading.type(1)), proxy = try shelf.value()
    let copy = try Boxed { kvc_collection_copy(proxy.id, $0) }
    let changing = try Boxed { kvc_collection_mutable_copy(proxy.id, $0) }
    try shelf.backing?.add(Boxed.number(2))
    #expect(proxy.count == 2 && copy.count == 1 && changing.count == 1)
    shelf.backing = try reading.type(7, 8, 9)
    #expect(try proxy.count == 3 && proxy.contains(Boxed.number(8)))
    shelf.backing = nil
    #expect(proxy.count == 0)
  }

  @Test("a proxy keeps its object")
  func keeps() throws {
    let shelf = try Shelf(.readArray, CollectionType.mutableArray(1))
    let proxy = try shelf.value()
    #expect(isa_object_retain_count(shelf.id) == 2)
    withExtendedLifetime(proxy) {}
  }

  @Test("a getter comes first, the method _key among them; an ivar comes after")
  func order() throws {
    let shelf = try Shelf([.readArray, .ivar], CollectionType.mutableArray(1))
    #expect(try shelf.value().className == "IsaKeyValueArray")
    try addMethod(shelf.cls, "_items", "@@:") { $0.answer(kvc_null()) }
    #expect(try shelf.value().id == kvc_null())
    try shelf.add(.getter)
    #expect(try shelf.value().className == "IsaMutableArray")
  }

  @Test("a count without elements, and elements without a count, make up nothing")
  func incomplete() throws {
    for accessors: Accessors in [
      .countOf, .objectsAt, [.objectsAt, .readSet.subtracting(.countOf)],
    ] {
      let shelf = try Shelf(accessors, CollectionType.mutableArray(1))
      var read: isa_id?
      #expect(kvc_copy_value(shelf.id, "items", &read) == KVC_ERR_UNDEFINED_KEY)
    }
  }

  @Test("an index beyond the count is a range error, and no accessor is asked")
  func ranges() throws {
    let shelf = try Shelf(.readArray, CollectionType.mutableArray(1)), proxy = try shelf.value()
    var found: isa_id?
    for index in [1, 2, Int.max] {
      #expect(kvc_ordered_copy_object(proxy.id, index, &found) == KVC_ERR_RANGE)
    }
    #expect(shelf.takeCalls() == "")
    #expect(lastReason().hasPrefix("*** -[IsaKeyValueArray objectAtIndex:]: index"))
  }

  @Test("accessors that lie are found out: elements that are not there, a count below 0")
  func liars() throws {
    let pair = try ClassPair("Liar")
    try addMethod(pair.cls, "countOfThings", "i@:") { $0.answer(Int32(3)) }
    try addMethod(pair.cls, "objectInThingsAtIndex:", "@@:i") { $0.answer(isa_id?.none) }
    try addMethod(pair.cls, "countOfOthers", "q@:") { $0.answer(-1) }
    try addMethod(pair.cls, "othersAtIndexes:", "@@:^v") { $0.answer(kvc_null()) }
    let liar = try Instance(of: pair.cls, keeping: pair)
    let things = try Boxed(keeping: liar) { kvc_copy_value(liar.id, "things", $0) }
    let others = try Boxed(keeping: liar) { kvc_copy_value(liar.id, "others", $0) }
    var found: isa_id?
    #expect(things.count == 3 && others.count == 0)
    #expect(kvc_ordered_copy_object(things.id, 0, &found) == KVC_ERR_RANGE)
    #expect(lastReason().hasSuffix("has no element at index 0 of key things"))
    #expect(kvc_ordered_copy_object(others.id, 0, &found) == KVC_ERR_RANGE)
    #expect(kvc_collection_copy_objects(things.id, &found) == KVC_ERR_RANGE)
    #expect(things.index(of: try Boxed.number(1)) == .max)
  }

  @Test("a set's members come from any collection, or from an enumerator of either kind")
  func enumerators() throws {
    let enumerators = try ClassPair("Enumerator"), sets = try ClassPair("Sets")
    let numbers = try (1...2).map { try Boxed.number($0) }, at = Shared(0)
    let next: () -> isa_id? = {
      defer { at.value += 1 }
      return at.value < 2 ? numbers[at.value].id : nil
    }
    let enumerator = try Instance(of: enumerators.cls, keeping: enumerators)
    try addMethod(sets.cls, "countOfThings", "Q@:") { $0.answer(2) }
    try addMethod(sets.cls, "memberOfThings:", "@@:@") { $0.answer(isa_id?.none) }
    try addMethod(sets.cls, "enumeratorOfThings", "@@:") { $0.answer(enumerator.id as isa_id?) }
    let object = try Instance(of: sets.cls, keeping: sets)
    let proxy = try Boxed(keeping: object) { kvc_copy_value(object.id, "things", $0) }
    var found: isa_id?
    #expect(kvc_collection_copy_objects(proxy.id, &found) == ISA_ERR_UNRECOGNIZED_SELECTOR)
    try addMethod(enumerators.cls, "nextObject", "@@:") { $0.answer(next()) }
    #expect(proxy.description == "{(1, 2)}")
    let givers = try ClassPair("Giver", below: enumerators)
    try addMethod(givers.cls, "nextObject", "i@:^@") {
      let out = $0.argument(2, as: UnsafeMutablePointer<isa_id?>.self)
      out.pointee = next().map { isa_object_retain($0) }
      $0.answer(ISA_OK)
    }
    let giver = try Instance(of: givers.cls, keeping: givers)
    try addMethod(sets.cls, "enumeratorOfOthers", "@@:") { $0.answer(giver.id as isa_id?) }
    try addMethod(sets.cls, "countOfOthers", "Q@:") { $0.answer(2) }
    try addMethod(sets.cls, "memberOfOthers:", "@@:@") { $0.answer(isa_id?.none) }
    at.value = 0
    let others = try Boxed(keeping: object) { kvc_copy_value(object.id, "others", $0) }
    #expect(others.description == "{(1, 2)}")
    #expect(numbers.allSatisfy { $0.retainCount == 1 })
  }

  @Test("what is read through a path, and unboxed, are the proxy's elements")
  func paths() throws {
    let shelf = try Shelf(.readArray, CollectionType.mutableArray(4, 5))
    #expect(try Boxed { kvc_copy_value_for_path(shelf.id, "items.@count", $0) }.description == "2")
    var read: isa_id?
    var types: UnsafePointer<CChar>?
    try check(kvc_read(shelf.id, "items", &read, MemoryLayout<isa_id>.size, &types))
    let proxy = Boxed(adopting: read)
    #expect(String(cString: types!) == "@" && proxy.count == 2)
  }

  @Test(
    "a proxy for which there is no memory fails, and leaves nothing",
    arguments: [Reading.array, .orderedSet, .set])
  func memory(reading: Reading) throws {
    let shelf = try Shelf(reading.accessors, reading.type(1, 2))
    _ = try shelf.value()  // fills the cache of getters
    try withEachAllocationFailing {
      let proxy = try shelf.value()
      let objects = try Boxed { kvc_collection_copy_objects(proxy.id, $0) }
      #expect(objects.count == 2)
    }
  }
}

/// A value that closures share.
private final class Shared<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}
