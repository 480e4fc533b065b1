import CIsa
import CIsa.Testing
import CIsaTestSupport
import Testing

/// A way in which a key is changed, and what the fixture notes of it.
struct Tier: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let accessors: Accessors

  static let ordered = [
    Tier(testDescription: "one by one", accessors: [.getter, .oneByOne]),
    Tier(testDescription: "at indexes", accessors: [.getter, .atIndexes]),
    Tier(testDescription: "replacing", accessors: [.getter, .oneByOne, .replace]),
    Tier(
      testDescription: "everything",
      accessors: [.getter, .oneByOne, .atIndexes, .replace, .replaceMany]),
    Tier(testDescription: "read by accessors", accessors: [.readOrderedSet, .oneByOne]),
    Tier(testDescription: "setter", accessors: [.getter, .setter]),
    Tier(testDescription: "ivar", accessors: .ivar),
  ]
  static let sets = [
    Tier(testDescription: "each", accessors: [.getter, .each]),
    Tier(testDescription: "set-wide", accessors: [.getter, .setWide]),
    Tier(testDescription: "everything", accessors: [.getter, .each, .setWide]),
    Tier(testDescription: "read by accessors", accessors: [.readSet, .each]),
    Tier(testDescription: "with a setter", accessors: [.getter, .each, .setter]),
    Tier(testDescription: "setter", accessors: [.getter, .setter]),
    Tier(testDescription: "ivar", accessors: .ivar),
  ]
}

@Suite(.serialized, .balancedCounts)
struct ToManyTests {
  @Test("an array is changed alike in every way", arguments: Tier.ordered)
  func arrays(tier: Tier) throws {
    // Accessors that would make an ordered set read the array's elements all the same.
    let shelf = try Shelf(tier.accessors, CollectionType.mutableArray(1, 2, 3))
    let proxy = try shelf.array()
    try proxy.insert(Boxed.number(9), at: 1)
    try expect(proxy, shelf, [1, 9, 2, 3])
    try check(kvc_ordered_remove(proxy.id, 0))
    try proxy.replace(at: 0, with: Boxed.number(2))
    try proxy.add(Boxed.number(2))
    try expect(proxy, shelf, [2, 2, 3, 2])
    let two = try CollectionType.array(7, 8)
    try withIndexes([0, 3]) { try check(kvc_ordered_insert_many(proxy.id, two.id, $0)) }
    try expect(proxy, shelf, [7, 2, 2, 8, 3, 2])
    try withIndexes([1, 4]) { try check(kvc_ordered_replace_many(proxy.id, $0, two.id)) }
    try expect(proxy, shelf, [7, 7, 2, 8, 8, 2])
    try withIndexes([0, 3, 4]) { try check(kvc_ordered_remove_many(proxy.id, $0)) }
    try proxy.remove(Boxed.number(2))
    try expect(proxy, shelf, [7])
    for numbers in [[1, 2, 3], [4, 4], []] {
      let other = try CollectionType.array(numbers.map { try Boxed.number($0) })
      try check(kvc_collection_set_objects(proxy.id, other.id))
      try expect(proxy, shelf, numbers)
    }
  }

  @Test("an ordered set is changed alike in every way", arguments: Tier.ordered)
  func orderedSets(tier: Tier) throws {
    let shelf = try Shelf(tier.accessors, CollectionType.mutableOrderedSet(1, 2, 3))
    let proxy = try shelf.orderedSet()
    try proxy.insert(Boxed.number(9), at: 0)
    try proxy.insert(Boxed.number(2), at: 0)
    try proxy.add(Boxed.number(3))
    try expect(proxy, shelf, [9, 1, 2, 3])
    try proxy.replace(at: 0, with: Boxed.number(8))
    try proxy.replace(at: 1, with: Boxed.number(3))
    try expect(proxy, shelf, [8, 2, 3])
    let others = try CollectionType.array(5, 2, 6, 5)
    try withIndexes([1, 2, 3, 6]) { try check(kvc_ordered_insert_many(proxy.id, others.id, $0)) }
    try expect(proxy, shelf, [8, 5, 2, 6, 3])
    let swapped = try CollectionType.array(5, 8)
    try withIndexes([0, 1]) { try check(kvc_ordered_replace_many(proxy.id, $0, swapped.id)) }
    try expect(proxy, shelf, [5, 8, 2, 6, 3])
    let taken = try CollectionType.array(3, 9)
    try withIndexes([0, 1]) { try check(kvc_ordered_replace_many(proxy.id, $0, taken.id)) }
    try expect(proxy, shelf, [2, 9, 6, 3])
    try proxy.remove(Boxed.number(9))
    try proxy.remove(Boxed.number(9))
    try algebra(proxy, shelf)
  }

  /// Unites, subtracts, intersects and sets; `proxy` has 2, 6, 3.
  private func algebra(_ proxy: Boxed, _ shelf: Shelf) throws {
    try proxy.unite(CollectionType.set(3, 4, 5))
    try expect(proxy, shelf, [2, 6, 3, 4, 5])
    try proxy.subtract(CollectionType.array(6, 4, 1))
    try expect(proxy, shelf, [2, 3, 5])
    try proxy.intersect(CollectionType.array(5, 2))
    try expect(proxy, shelf, [2, 5])
    try proxy.setObjects(CollectionType.array(5, 7, 5, 2))
    try expect(proxy, shelf, [5, 7, 2])
    try check(kvc_set_unite(proxy.id, proxy.id))
    try check(kvc_collection_remove_all(proxy.id))
    try expect(proxy, shelf, [])
  }

  private func expect(
    _ proxy: Boxed, _ shelf: Shelf, _ numbers: [Int],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let type = CollectionType.all.first { $0.kind == proxy.kind && !$0.isMutable }!
    let expected = try type(numbers.map { try Boxed.number($0) }),
      backing = try #require(shelf.backing)
    #expect(isEqual(proxy, expected), "\(proxy)", sourceLocation: sourceLocation)
    #expect(
      isEqual(expected, proxy) && isEqual(backing, expected), "\(backing)",
      sourceLocation: sourceLocation)
  }

  @Test("a set is changed alike in every way", arguments: Tier.sets)
  func sets(tier: Tier) throws {
    let shelf = try Shelf(tier.accessors, CollectionType.mutableSet(42)), proxy = try shelf.set()
    try proxy.add(Boxed.number(23))
    try proxy.add(Boxed.number(23))
    try expect(proxy, shelf, [42, 23])
    try proxy.remove(Boxed.number(42))
    try proxy.remove(Boxed.number(5))
    try proxy.unite(CollectionType.array(1, 2, 3, 3))
    try expect(proxy, shelf, [23, 1, 2, 3])
    try proxy.subtract(CollectionType.orderedSet(1, 7))
    try proxy.intersect(CollectionType.array(2, 23, 9))
    try expect(proxy, shelf, [23, 2])
    try proxy.setObjects(CollectionType.set(2, 3, 4))
    try expect(proxy, shelf, [2, 3, 4])
    try check(kvc_set_subtract(proxy.id, proxy.id))
    try expect(proxy, shelf, [])
    try proxy.setObjects(CollectionType.array(1))
    try check(kvc_collection_remove_all(proxy.id))
    try expect(proxy, shelf, [])
  }

  @Test("one goes to the accessor for one, many to the one for many")
  func forms() throws {
    let shelf = try Shelf(
      [.getter, .oneByOne, .atIndexes, .replace, .replaceMany], CollectionType.mutableArray(1))
    let proxy = try shelf.array(), one = try Boxed.number(1), list = try CollectionType.array(1)
    try proxy.insert(one, at: 0)
    try withIndexes([0]) { try check(kvc_ordered_insert_many(proxy.id, list.id, $0)) }
    #expect(shelf.takeCalls() == "insert 0, insertAt {0}")
    try proxy.replace(at: 0, with: one)
    try withIndexes([0]) { try check(kvc_ordered_replace_many(proxy.id, $0, list.id)) }
    #expect(shelf.takeCalls() == "replace 0, replaceAt {0}")
    try check(kvc_ordered_remove(proxy.id, 0))
    try withIndexes([0]) { try check(kvc_ordered_remove_many(proxy.id, $0)) }
    try check(kvc_collection_remove_all(proxy.id))
    #expect(shelf.takeCalls() == "remove 0, removeAt {0}, removeAt {0}")
  }

  @Test("where a form is missing the other serves, and what replaces is removed and inserted")
  func otherForms() throws {
    let list = try CollectionType.array(8, 9), one = try Boxed.number(1)
    let single = try Shelf([.getter, .oneByOne], CollectionType.mutableArray(1, 2))
    let many = try Shelf([.getter, .atIndexes], CollectionType.mutableArray(1, 2), name: "Many")
    for shelf in [single, many] {
      let proxy = try shelf.array()
      try withIndexes([0, 2]) { try check(kvc_ordered_insert_many(proxy.id, list.id, $0)) }
      try proxy.replace(at: 0, with: one)
      try withIndexes([0, 2]) { try check(kvc_ordered_replace_many(proxy.id, $0, list.id)) }
      try withIndexes([0, 2]) { try check(kvc_ordered_remove_many(proxy.id, $0)) }
    }
    #expect(
      single.takeCalls() == "insert 0, insert 2, remove 0, insert 0, "
        + "remove 2, remove 0, insert 0, insert 2, remove 2, remove 0")
    #expect(
      many.takeCalls() == "insertAt {0 2}, removeAt {0}, insertAt {0}, "
        + "removeAt {0 2}, insertAt {0 2}, removeAt {0 2}")
  }

  @Test("what changes a whole set goes to the accessor for sets")
  func setForms() throws {
    let shelf = try Shelf([.getter, .each, .setWide], CollectionType.mutableSet(1))
    let proxy = try shelf.set(), two = try CollectionType.array(2, 3)
    try proxy.add(Boxed.number(5))
    try proxy.remove(Boxed.number(5))
    #expect(shelf.takeCalls() == "add, removeObject")
    try check(kvc_set_unite(proxy.id, two.id))
    try check(kvc_set_subtract(proxy.id, two.id))
    try proxy.intersect(two)
    try check(kvc_collection_remove_all(proxy.id))
    #expect(shelf.takeCalls() == "addAll 2, removeAll 2, intersect 2, intersect 0")
    try check(kvc_collection_set_objects(proxy.id, two.id))
    #expect(shelf.takeCalls() == "intersect 2, addAll 2")
    try shelf.add(.setter)
    try check(kvc_collection_set_objects(proxy.id, two.id))
    #expect(shelf.takeCalls() == "set 2")
  }

  @Test("an index beyond the end fails before anything is called", arguments: Tier.ordered)
  func ranges(tier: Tier) throws {
    for kind in [KVC_KIND_ARRAY, KVC_KIND_ORDERED_SET] {
      let type: CollectionType = kind == KVC_KIND_ARRAY ? .mutableArray : .mutableOrderedSet
      let shelf = try Shelf(tier.accessors, type(1, 2)), proxy = try shelf.proxy(kind)
      let nine = try Boxed.number(9), list = try CollectionType.array(8, 9)
      var found: isa_id?
      #expect(kvc_ordered_copy_object(proxy.id, 2, &found) == KVC_ERR_RANGE)
      #expect(kvc_ordered_insert(proxy.id, nine.id, 3) == KVC_ERR_RANGE)
      #expect(kvc_ordered_remove(proxy.id, 2) == KVC_ERR_RANGE)
      #expect(kvc_ordered_replace(proxy.id, 2, nine.id) == KVC_ERR_RANGE)
      try withIndexes([0, 4]) {
        #expect(kvc_ordered_insert_many(proxy.id, list.id, $0) == KVC_ERR_RANGE)
        #expect(kvc_ordered_replace_many(proxy.id, $0, list.id) == KVC_ERR_RANGE)
        #expect(kvc_ordered_remove_many(proxy.id, $0) == KVC_ERR_RANGE)
      }
      #expect(lastException() == "NSRangeException")
      let changes = ["insert", "remove", "replace", "set"]
      let calls = shelf.takeCalls()
      #expect(!changes.contains { calls.contains($0) } && proxy.count == 2)
    }
  }

  @Test("nil, counts that differ and what is no collection are invalid arguments")
  func invalid() throws {
    let shelf = try Shelf(.ivar, CollectionType.mutableOrderedSet(1, 2))
    let proxy = try shelf.orderedSet(), array = try shelf.array(), one = try Boxed.number(1)
    let list = try CollectionType.array(8, 9)
    #expect(kvc_collection_add(proxy.id, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvc_ordered_insert(array.id, nil, 0) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvc_ordered_replace(array.id, 0, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvc_ordered_insert_many(array.id, list.id, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvc_ordered_remove_many(array.id, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvc_ordered_replace_many(array.id, nil, list.id) == ISA_ERR_INVALID_ARGUMENT)
    try withIndexes([0]) {
      #expect(kvc_ordered_insert_many(array.id, list.id, $0) == ISA_ERR_INVALID_ARGUMENT)
      #expect(kvc_ordered_replace_many(array.id, $0, list.id) == ISA_ERR_INVALID_ARGUMENT)
      #expect(kvc_ordered_insert_many(array.id, nil, $0) == ISA_ERR_INVALID_ARGUMENT)
    }
    #expect(kvc_collection_set_objects(array.id, one.id) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvc_set_unite(proxy.id, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(lastException() == "NSInvalidArgumentException")
    #expect(shelf.backing?.description == "{(1, 2)}")
    var found: isa_id?
    #expect(kvc_proxy_make_array(nil, "items", &found) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvc_proxy_make_set(shelf.id, nil, &found) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvc_proxy_make_array_for_path(shelf.id, nil, &found) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvc_proxy_make_array_for_path(shelf.id, "\u{fffd}.a", &found) != ISA_OK)
  }

  @Test("what is not there is not removed, and an empty change calls nothing")
  func nothing() throws {
    let shelf = try Shelf([.getter, .oneByOne, .atIndexes], CollectionType.mutableArray(1))
    let proxy = try shelf.array(), none = try CollectionType.array()
    try proxy.remove(Boxed.number(9))
    try withIndexes([]) {
      try check(kvc_ordered_insert_many(proxy.id, none.id, $0))
      try check(kvc_ordered_replace_many(proxy.id, $0, none.id))
      try check(kvc_ordered_remove_many(proxy.id, $0))
    }
    let set = try shelf.orderedSet()
    try set.add(Boxed.number(1))
    try check(kvc_set_unite(set.id, none.id))
    #expect(shelf.takeCalls() == "")
  }

  @Test("an ivar that is nil has an empty collection, and keeps the first that is needed")
  func vivification() throws {
    for kind in [KVC_KIND_ARRAY, KVC_KIND_ORDERED_SET, KVC_KIND_SET] {
      let shelf = try Shelf(.ivar), proxy = try shelf.proxy(kind), one = try Boxed.number(1)
      try proxy.remove(one)
      try check(kvc_collection_remove_all(proxy.id))
      #expect(proxy.count == 0 && !proxy.contains(one) && shelf.backing == nil)
      try proxy.add(one)
      let made = try #require(shelf.backing)
      #expect(made.kind == kind && made.count == 1 && made.retainCount == 2)
      #expect(kvc_class_of_kind(kind, true) == isa_object_get_class(made.id))
    }
  }

  @Test("an ivar that would not keep a new collection stays nil")
  func unkept() throws {
    for ownership in [ISA_OWNERSHIP_NONE, ISA_OWNERSHIP_WEAK] {
      let pair = try ClassPair("Loose", isRegistered: false)
      try check(isa_class_add_ivar(pair.cls, "items", "@", ownership))
      try pair.register()
      let object = try Instance(of: pair.cls, keeping: pair), one = try Boxed.number(1)
      let proxy = try Boxed(keeping: object) { kvc_proxy_make_array(object.id, "items", $0) }
      #expect(kvc_collection_add(proxy.id, one.id) == KVC_ERR_NIL_VALUE)
      #expect(lastException() == "NSInternalInconsistencyException" && proxy.count == 0)
    }
  }

  @Test("a nil value that a setter would have to replace is an inconsistency")
  func nilBehindSetter() throws {
    let shelf = try Shelf([.getter, .setter]), one = try Boxed.number(1)
    for kind in [KVC_KIND_ARRAY, KVC_KIND_ORDERED_SET, KVC_KIND_SET] {
      let proxy = try shelf.proxy(kind)
      #expect(proxy.count == 0)
      #expect(kvc_collection_add(proxy.id, one.id) == KVC_ERR_NIL_VALUE)
      #expect(kvc_collection_remove_all(proxy.id) == KVC_ERR_NIL_VALUE)
      #expect(lastException() == "NSInternalInconsistencyException")
      #expect(lastReason().contains("value for the key items of object 0x"))
      #expect(lastReason().hasSuffix("is nil") && shelf.takeCalls() == "")
    }
  }

  @Test("a collection that cannot change stays as it is in an ivar, and is copied for a setter")
  func immutable() throws {
    for type in [CollectionType.array, .orderedSet, .set] {
      let inIvar = try Shelf(.ivar, type(5)), one = try Boxed.number(1)
      let proxy = try inIvar.proxy(type.kind)
      #expect(kvc_collection_add(proxy.id, one.id) == ISA_ERR_UNRECOGNIZED_SELECTOR)
      #expect(kvc_collection_remove_all(proxy.id) == ISA_ERR_UNRECOGNIZED_SELECTOR)
      #expect(proxy.count == 1)
      let behind = try Shelf([.getter, .setter], type(5), name: "Behind")
      try behind.proxy(type.kind).add(one)
      #expect(behind.backing?.count == 2 && behind.takeCalls() == "set 2")
    }
  }

  @Test("a value that is no collection, or of another kind, cannot be changed")
  func others() throws {
    let one = try Boxed.number(1)
    let number = try Shelf(.ivar, one),
      set = try Shelf(.ivar, CollectionType.mutableSet(5), name: "Set")
    for shelf in [number, set] {
      let proxy = try shelf.array()
      #expect(kvc_collection_add(proxy.id, one.id) == ISA_ERR_UNRECOGNIZED_SELECTOR)
      #expect(proxy.index(of: one) == .max)
    }
    let pair = try ClassPair("Plain", isRegistered: false)
    try check(isa_class_add_ivar(pair.cls, "items", "q", ISA_OWNERSHIP_NONE))
    try pair.register()
    let plain = try Instance(of: pair.cls, keeping: pair)
    let proxy = try Boxed(keeping: plain) { kvc_proxy_make_array(plain.id, "items", $0) }
    #expect(kvc_collection_add(proxy.id, one.id) == KVC_ERR_TYPE && proxy.count == 0)
  }

  @Test("an unknown key fails at the first change, with the exception for undefined keys")
  func unknown() throws {
    let shelf = try Shelf([]), one = try Boxed.number(1)
    for kind in [KVC_KIND_ARRAY, KVC_KIND_ORDERED_SET, KVC_KIND_SET] {
      let proxy = try shelf.proxy(kind)
      #expect(proxy.count == 0)
      #expect(kvc_collection_add(proxy.id, one.id) == KVC_ERR_UNDEFINED_KEY)
      #expect(lastException() == "NSUnknownKeyException")
      #expect(kvc_collection_remove_all(proxy.id) == KVC_ERR_UNDEFINED_KEY)
    }
  }

  @Test("a class that only changes its key is sent what it is given")
  func writeOnly() throws {
    let shelf = try Shelf([.oneByOne, .each]), one = try Boxed.number(1)
    let array = try shelf.array(), set = try shelf.set()
    try array.insert(one, at: 5)
    try check(kvc_ordered_remove(array.id, 7))
    try set.add(one)
    #expect(shelf.takeCalls() == "insert 5, remove 7, add")
    #expect(kvc_collection_remove_all(set.id) == KVC_ERR_UNDEFINED_KEY)
  }

  @Test("hooks for undefined keys and an overridden setValue:forKey: serve as storage")
  func storage() throws {
    for kind in [KVC_KIND_ARRAY, KVC_KIND_ORDERED_SET, KVC_KIND_SET] {
      let hooked = try Shelf(.hooks),
        overriding = try Shelf([.overrides, .ivar], name: "Overriding")
      for shelf in [hooked, overriding] {
        let proxy = try shelf.proxy(kind)
        for number in 1...3 { try proxy.add(Boxed.number(number)) }
        #expect(shelf.backing?.kind == kind && shelf.backing?.count == 3 && proxy.count == 3)
      }
      #expect(hooked.takeCalls() == "undefined 1, undefined 2, undefined 3")
      #expect(overriding.takeCalls() == "override 1, override 2, override 3")
    }
  }

  @Test("accessors may refuse and alter: the content is what they leave")
  func refusing() throws {
    let two = try Boxed.number(2), seven = try Boxed.number(7)
    let shelf = try Shelf([.getter, .oneByOne, .replace], CollectionType.mutableArray(1, 2))
    isa_test_to_many_set_veto(shelf.id, two.id, seven.id)
    let proxy = try shelf.array()
    try proxy.add(two)
    try check(kvc_ordered_remove(proxy.id, 1))
    try proxy.replace(at: 0, with: Boxed.number(9))
    try proxy.remove(two)
    #expect(proxy.description == "(7, 2)")
  }

  @Test("an ivar is changed in place, a setter is given a collection of its own")
  func place() throws {
    let shelf = try Shelf(.ivar, CollectionType.mutableArray(1)), before = shelf.backing?.id
    try shelf.array().add(Boxed.number(2))
    #expect(shelf.backing?.id == before)
    try shelf.add([.getter, .setter])
    try shelf.array().add(Boxed.number(3))
    #expect(shelf.backing?.id != before && shelf.takeCalls() == "set 3")
  }

  @Test("a proxy keeps its object, and follows the collections that it has one after another")
  func live() throws {
    let shelf = try Shelf(.ivar, CollectionType.mutableArray(1)), proxy = try shelf.array()
    #expect(isa_object_retain_count(shelf.id) == 2)
    let first = try #require(shelf.backing)
    shelf.backing = try CollectionType.mutableArray(7, 8)
    #expect(first.retainCount == 1 && proxy.description == "(7, 8)")
    try proxy.add(Boxed.number(9))
    shelf.backing = nil
    #expect(proxy.count == 0)
    try proxy.add(Boxed.number(5))
    #expect(shelf.backing?.description == "(5)")
  }

  @Test("a proxy may be a proxy's collection; one that leads to itself is refused")
  func nested() throws {
    let inner = try Shelf(.ivar, CollectionType.mutableArray(1))
    let outer = try Shelf(.ivar, inner.array(), name: "Outer"), proxy = try outer.array()
    try proxy.add(Boxed.number(2))
    #expect(inner.backing?.description == "(1, 2)" && proxy.count == 2)
    let one = try Boxed.number(1)
    inner.backing = try inner.array()
    #expect(kvc_collection_add(proxy.id, one.id) == ISA_ERR_IN_USE && proxy.count == 0)
    #expect(lastReason().hasSuffix("the value for key items leads to itself"))
    inner.backing = proxy  // whose object leads to inner again
    #expect(proxy.count == 0 && !proxy.contains(one))
    #expect(kvc_collection_add(proxy.id, one.id) != ISA_OK)
    inner.backing = nil
    outer.backing = nil
  }

  @Test("a copy of a proxy is an ordinary collection")
  func copies() throws {
    let shelf = try Shelf(.ivar, CollectionType.mutableArray(1)), proxy = try shelf.array()
    let copy = try Boxed { kvc_collection_copy(proxy.id, $0) }
    let changing = try Boxed { kvc_collection_mutable_copy(proxy.id, $0) }
    #expect(copy.className == "IsaArray" && changing.className == "IsaMutableArray")
    try changing.add(Boxed.number(2))
    #expect(proxy.count == 1 && isEqual(copy, proxy) && kvc_hash(copy.id) == kvc_hash(proxy.id))
  }

  @Test("a path leads to the object whose key it is; nil on the way has no proxy")
  func paths() throws {
    let pair = try ClassPair("Holder", isRegistered: false)
    try check(isa_class_add_ivar(pair.cls, "shelf", "@", ISA_OWNERSHIP_RETAIN))
    try pair.register()
    let holder = try Instance(of: pair.cls, keeping: pair)
    var found: isa_id?
    try check(kvc_proxy_make_array_for_path(holder.id, "shelf.items", &found))
    #expect(found == nil)
    let shelf = try Shelf(.ivar)
    try check(kvc_set_value(holder.id, "shelf", shelf.id))
    let array = try Boxed(keeping: shelf) {
      kvc_proxy_make_array_for_path(holder.id, "shelf.items", $0)
    }
    try array.add(Boxed.number(1))
    #expect(shelf.backing?.description == "(1)")
    shelf.backing = nil
    let set = try Boxed(keeping: shelf) {
      kvc_proxy_make_set_for_path(holder.id, "shelf.items", $0)
    }
    let ordered = try Boxed(keeping: shelf) {
      kvc_proxy_make_ordered_set_for_path(shelf.id, "items", $0)
    }
    #expect(set.kind == KVC_KIND_SET && ordered.kind == KVC_KIND_ORDERED_SET)
    #expect(
      kvc_proxy_make_array_for_path(holder.id, "box.items", &found) == KVC_ERR_UNDEFINED_KEY)
    try check(kvc_set_value(holder.id, "shelf", nil))
  }

  @Test("a class may answer with proxies of its own")
  func overridden() throws {
    let shelf = try Shelf(.ivar), other = try CollectionType.mutableArray(7)
    try addMethod(shelf.cls, "mutableArrayValueForKey:", "i@:*^@") {
      let out = $0.argument(3, as: UnsafeMutablePointer<isa_id?>.self)
      out.pointee = isa_object_retain(other.id)
      $0.answer(ISA_OK)
    }
    #expect(try shelf.array().id == other.id)
    #expect(try Boxed { kvc_proxy_make_array_for_path(shelf.id, "items", $0) }.id == other.id)
  }

  @Test(
    "a change for which there is no memory leaves everything as it was",
    arguments: [
      Tier(testDescription: "ivar", accessors: .ivar),
      Tier(testDescription: "setter", accessors: [.getter, .setter]),
    ])
  func memory(tier: Tier) throws {
    for type in CollectionType.mutable {
      let shelf = try Shelf(tier.accessors, type(1, 2, 3)), list = try CollectionType.array(8)
      _ = try shelf.value()  // fills the caches
      try shelf.proxy(type.kind).add(Boxed.number(3))
      var changes: [(Boxed) throws -> Void] = [{ try $0.add(list) }, { try $0.remove(list) }]
      if type.kind != KVC_KIND_SET {
        changes.append { try $0.replace(at: 1, with: list) }
        changes.append { proxy in
          try withIndexes([1]) { try check(kvc_ordered_insert_many(proxy.id, list.id, $0)) }
        }
        changes.append { proxy in
          try withIndexes([1]) { try check(kvc_ordered_replace_many(proxy.id, $0, list.id)) }
        }
      }
      if type.kind != KVC_KIND_ARRAY {
        changes.append { try check(kvc_set_unite($0.id, list.id)) }
        changes.append { try $0.intersect(list) }
      }
      for change in changes {
        shelf.backing = try type(1, 2, 3)
        let before = shelf.backing?.description
        try withEachAllocationFailing(undo: { shelf.backing = try type(1, 2, 3) }) {
          do {
            let proxy = try shelf.proxy(type.kind)
            try change(proxy)
          } catch {
            #expect(described(shelf) == before)
            throw error
          }
        }
      }
    }
  }

  /// The collection behind `shelf`, described although no memory may be had at the moment.
  private func described(_ shelf: Shelf) -> String? {
    _ = isa_testing_fail_allocation(-1)
    defer { _ = isa_testing_fail_allocation(0) }
    return shelf.backing?.description
  }
}
