import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct OrderedSetTests {
  @Test("objects have an index, which changes around them keep in order")
  func indexes() throws {
    let set = try CollectionType.mutableOrderedSet(1, 2, 3)
    try set.insert(Boxed.number(9), at: 1)
    #expect(set.description == "{(1, 9, 2, 3)}")
    try check(kvc_ordered_remove(set.id, 0))
    try set.remove(Boxed.number(2))
    #expect(set.description == "{(9, 3)}")
    #expect(set.index(of: try Boxed.number(3)) == 1)
    #expect(set.index(of: try Boxed.number(1)) == .max)
    #expect(kvc_ordered_index_of(set.id, nil) == .max)
    #expect(try Boxed { kvc_ordered_copy_object(set.id, 1, $0) }.description == "3")
  }

  @Test("an object that is there already is not inserted again")
  func present() throws {
    let set = try CollectionType.mutableOrderedSet(1, 2, 3)
    try set.insert(Boxed.number(3), at: 0)
    #expect(set.description == "{(1, 2, 3)}")
    let others = try CollectionType.array(2, 8, 9)
    try withIndexes([0, 1, 5]) { try check(kvc_ordered_insert_many(set.id, others.id, $0)) }
    #expect(set.description == "{(1, 8, 2, 3, 9)}")
  }

  @Test("a replacement takes the place, unless it has one elsewhere")
  func replacing() throws {
    let set = try CollectionType.mutableOrderedSet(1, 2, 3), two = try Boxed.number(2.0)
    try check(kvc_ordered_replace(set.id, 1, two.id))
    #expect(set.description == "{(1, 2, 3)}" && two.retainCount == 2)
    try set.replace(at: 0, with: Boxed.number(9))
    try set.replace(at: 0, with: Boxed.number(3))
    #expect(set.description == "{(2, 3)}")
    #expect(kvc_ordered_index_of(set.id, two.id) == 0)
    let others = try CollectionType.array(3, 4)
    try withIndexes([0, 1]) { try check(kvc_ordered_replace_many(set.id, $0, others.id)) }
    #expect(set.description == "{(3, 4)}")
  }

  @Test("an index beyond the end is a range error, and the set is as it was")
  func ranges() throws {
    let set = try CollectionType.mutableOrderedSet(1, 2), nine = try Boxed.number(9)
    let others = try CollectionType.array(8, 9)
    var found: isa_id?
    #expect(kvc_ordered_copy_object(set.id, 2, &found) == KVC_ERR_RANGE)
    #expect(kvc_ordered_insert(set.id, nine.id, 3) == KVC_ERR_RANGE)
    #expect(
      lastReason()
        == "*** -[IsaMutableOrderedSet insertObject:atIndex:]: index 3 beyond bounds [0 .. 1]")
    let one = try Boxed.number(1)
    #expect(kvc_ordered_insert(set.id, one.id, 3) == KVC_ERR_RANGE)
    #expect(kvc_ordered_remove(set.id, 2) == KVC_ERR_RANGE)
    #expect(kvc_ordered_replace(set.id, 2, nine.id) == KVC_ERR_RANGE)
    #expect(kvc_ordered_insert(set.id, nil, 0) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvc_ordered_replace(set.id, 0, nil) == ISA_ERR_INVALID_ARGUMENT)
    try withIndexes([0, 4]) {
      #expect(kvc_ordered_insert_many(set.id, others.id, $0) == KVC_ERR_RANGE)
      #expect(kvc_ordered_remove_many(set.id, $0) == KVC_ERR_RANGE)
      #expect(kvc_ordered_replace_many(set.id, $0, others.id) == KVC_ERR_RANGE)
    }
    #expect(kvc_ordered_remove_many(set.id, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(set.description == "{(1, 2)}" && nine.retainCount == 1)
    try check(kvc_collection_remove_all(set.id))
    #expect(kvc_ordered_remove(set.id, 0) == KVC_ERR_RANGE)
    #expect(lastReason().hasSuffix("index 0 beyond bounds for empty ordered set"))
  }

  @Test("many indexes are removed at once")
  func removingMany() throws {
    let set = try CollectionType.mutableOrderedSet(1, 2, 3, 4)
    try withIndexes([0, 2]) { try check(kvc_ordered_remove_many(set.id, $0)) }
    #expect(set.description == "{(2, 4)}")
    try withIndexes([]) { try check(kvc_ordered_remove_many(set.id, $0)) }
    try withIndexes([0, 1]) { try check(kvc_ordered_remove_many(set.id, $0)) }
    #expect(set.count == 0)
  }

  @Test("without memory an ordered set is as it was")
  func allocationFailure() throws {
    let others = try CollectionType.array(6, 7)
    func walk(_ call: (Boxed, UnsafePointer<kvc_index_set>) -> isa_status) throws {
      let set = try CollectionType.mutableOrderedSet(1, 2, 3, 4)
      let calls = try withIndexes([0, 1]) { indexes in
        try withEachAllocationFailing { try check(call(set, indexes)) }
      }
      #expect(calls > 0)
    }
    try walk { kvc_ordered_insert_many($0.id, others.id, $1) }
    try walk { kvc_ordered_replace_many($0.id, $1, others.id) }
    try walk { kvc_ordered_remove_many($0.id, $1) }
  }
}
