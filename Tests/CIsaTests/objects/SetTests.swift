import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct SetTests {
  @Test("of objects that are equal a set keeps the first", arguments: CollectionType.sets)
  func uniqueness(type: CollectionType) throws {
    let first = try Boxed.number(1), second = try Boxed.number(1.0)
    let set = try type([first, second])
    try check(kvc_collection_add(set.id, second.id))
    #expect(set.count == 1)
    let member = try Boxed { kvc_set_copy_member(set.id, second.id, $0) }
    #expect(member.id == first.id && first.retainCount == 3 && second.retainCount == 1)
  }

  @Test("what is not in a set is no member, and not removed", arguments: CollectionType.sets)
  func absent(type: CollectionType) throws {
    let set = try type(1), two = try Boxed.number(2)
    var member: isa_id? = two.id
    try check(kvc_set_copy_member(set.id, two.id, &member))
    #expect(member == nil)
    try check(kvc_set_copy_member(set.id, nil, &member))
    try check(kvc_collection_remove(set.id, two.id))
    try check(kvc_collection_remove(set.id, nil))
    #expect(set.count == 1)
    try set.remove(Boxed.number(1))
    try check(kvc_set_copy_member(set.id, two.id, &member))
    #expect(set.count == 0 && member == nil)
  }

  @Test("the order does not matter for a set, and does for an ordered one")
  func equality() throws {
    #expect(isEqual(try CollectionType.set(1, 2), try CollectionType.mutableSet(2, 1)))
    #expect(!isEqual(try CollectionType.set(1, 2), try CollectionType.set(1, 3)))
    #expect(!isEqual(try CollectionType.set(1, 2), try CollectionType.set(1)))
    #expect(
      !isEqual(try CollectionType.orderedSet(1, 2), try CollectionType.orderedSet(2, 1)))
  }

  @Test("union, difference and intersection take any collection", arguments: CollectionType.sets)
  func algebra(type: CollectionType) throws {
    let dictionary = try makeDictionary(["a": .number(2), "b": .number(4)])
    let others = try [CollectionType.array, .orderedSet, .set].map { try $0(2, 4) } + [dictionary]
    for other in others {
      let set = try type(1, 2, 3)
      try check(kvc_set_unite(set.id, other.id))
      #expect(isEqual(set, try type(1, 2, 3, 4)))
      try check(kvc_set_subtract(set.id, other.id))
      #expect(isEqual(set, try type(1, 3)))
      try set.intersect(CollectionType.array(3, 5))
      #expect(isEqual(set, try type(3)))
    }
  }

  @Test("a set united with itself stays, minus itself is empty", arguments: CollectionType.sets)
  func withItself(type: CollectionType) throws {
    let set = try type(1, 2, 3)
    try check(kvc_set_unite(set.id, set.id))
    try check(kvc_set_intersect(set.id, set.id))
    #expect(isEqual(set, try type(1, 2, 3)))
    try check(kvc_set_subtract(set.id, set.id))
    #expect(set.count == 0)
  }

  @Test("what is no collection is refused", arguments: CollectionType.sets)
  func noCollection(type: CollectionType) throws {
    let set = try type(1)
    for other in [nil, kvc_null()] {
      #expect(kvc_set_unite(set.id, other) == ISA_ERR_INVALID_ARGUMENT)
      #expect(kvc_set_subtract(set.id, other) == ISA_ERR_INVALID_ARGUMENT)
      #expect(kvc_set_intersect(set.id, other) == ISA_ERR_INVALID_ARGUMENT)
    }
    #expect(set.count == 1)
  }

  @Test("without memory a set is as it was", arguments: CollectionType.sets)
  func allocationFailure(type: CollectionType) throws {
    let set = try type(1, 2, 3, 4), other = try CollectionType.array(3, 4, 5, 6),
      five = try Boxed.number(5)
    func walk(_ call: (isa_id?, isa_id?) -> isa_status) throws {
      let copy = try Boxed { kvc_collection_mutable_copy(set.id, $0) }
      try withEachAllocationFailing {
        let status = call(copy.id, other.id)
        if status != ISA_OK { #expect(copy.count == 4) }
        try check(status)
      }
    }
    try walk(kvc_set_unite)
    try walk(kvc_set_subtract)
    try walk(kvc_set_intersect)
    try walk(kvc_collection_set_objects)
    try withEachAllocationFailing { try check(kvc_collection_add(set.id, five.id)) }
    #expect(set.count == 5)
  }
}
