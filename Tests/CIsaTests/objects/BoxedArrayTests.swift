import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct BoxedArrayTests {
  private let ten: Boxed

  init() throws { ten = try Boxed.number(10) }

  @Test("objects are read by index, with a reference for the caller")
  func reading() throws {
    let array = try CollectionType.array([ten])
    let object = try Boxed { kvc_ordered_copy_object(array.id, 0, $0) }
    #expect(object.id == ten.id && ten.retainCount == 3)
    #expect(array.index(of: try Boxed.number(10.0)) == 0)
    #expect(array.index(of: try Boxed.number(11)) == .max)
    #expect(kvc_ordered_index_of(array.id, nil) == .max)
  }

  @Test("objects are inserted, replaced and removed at an index")
  func changing() throws {
    let array = try CollectionType.mutableArray(1, 2, 3)
    try check(kvc_ordered_insert(array.id, ten.id, 0))
    try check(kvc_ordered_insert(array.id, ten.id, 4))
    #expect(array.description == "(10, 1, 2, 3, 10)" && ten.retainCount == 3)
    try check(kvc_ordered_replace(array.id, 1, ten.id))
    try check(kvc_ordered_remove(array.id, 0))
    #expect(array.description == "(10, 2, 3, 10)" && ten.retainCount == 3)
    try check(kvc_collection_add(array.id, ten.id))
    try array.remove(Boxed.number(10))
    #expect(array.description == "(2, 3)" && ten.retainCount == 1)
    try check(kvc_collection_remove(array.id, ten.id))
    #expect(array.count == 2)
  }

  @Test("an object that cannot be read is looked for no further, and its removal fails")
  func unreadable() throws {
    let pair = try ClassPair("Torn", of: kvc_class_of_kind(KVC_KIND_ARRAY, true)), asked = Box(0)
    try addMethod(pair.cls, "count", "Q@:") { $0.answer(UInt64(1) << 40) }
    try addMethod(pair.cls, "objectAtIndex:", "i@:Q^@") { call in
      asked.value += 1
      call.answer(KVC_ERR_TYPE)
    }
    let torn = try Boxed { isa_object_allocate(pair.cls, $0) }
    #expect(kvc_collection_remove(torn.id, ten.id) == KVC_ERR_TYPE)
    #expect(!torn.contains(ten) && torn.index(of: ten) == .max && asked.value == 3)
  }

  @Test("an index beyond the end is a range error in Foundation's words")
  func ranges() throws {
    let array = try CollectionType.mutableArray(1, 2, 3), empty = try CollectionType.mutableArray()
    var found: isa_id?
    #expect(kvc_ordered_copy_object(array.id, 3, &found) == KVC_ERR_RANGE && found == nil)
    #expect(lastException() == "NSRangeException")
    #expect(
      lastReason() == "*** -[IsaMutableArray objectAtIndex:]: index 3 beyond bounds [0 .. 2]")
    #expect(kvc_ordered_remove(empty.id, 0) == KVC_ERR_RANGE)
    #expect(
      lastReason()
        == "*** -[IsaMutableArray removeObjectAtIndex:]: index 0 beyond bounds for empty array")
    #expect(kvc_ordered_insert(array.id, ten.id, 4) == KVC_ERR_RANGE)
    #expect(kvc_ordered_replace(array.id, 3, ten.id) == KVC_ERR_RANGE)
    #expect(kvc_ordered_insert(array.id, nil, 0) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvc_ordered_replace(array.id, 0, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(array.description == "(1, 2, 3)" && ten.retainCount == 1)
  }

  @Test(
    "many objects are inserted at the indexes that they have afterwards",
    arguments: [
      ([0, 1], "(7, 8, 1, 2)"), ([0, 3], "(7, 1, 2, 8)"), ([1, 3], "(1, 7, 2, 8)"),
      ([2, 3], "(1, 2, 7, 8)"),
    ])
  func insertingMany(indexes: [Int], expected: String) throws {
    let array = try CollectionType.mutableArray(1, 2)
    try insert(array, [7, 8], indexes)
    #expect(array.description == expected)
    try withIndexes(indexes) { try check(kvc_ordered_remove_many(array.id, $0)) }
    #expect(array.description == "(1, 2)")
  }

  @Test("many objects are replaced at their indexes, the array's own as well")
  func replacingMany() throws {
    let array = try CollectionType.mutableArray(1, 2, 3)
    let others = try CollectionType.array([ten, .number(11)])
    try withIndexes([0, 2]) { try check(kvc_ordered_replace_many(array.id, $0, others.id)) }
    #expect(array.description == "(10, 2, 11)" && ten.retainCount == 3)
    try withIndexes([0, 1, 2]) { try check(kvc_ordered_replace_many(array.id, $0, array.id)) }
    try withIndexes([0, 1, 2]) { try check(kvc_ordered_insert_many(array.id, array.id, $0)) }
    #expect(array.description == "(10, 2, 11, 10, 2, 11)")
  }

  @Test("removing every index and none")
  func removingAllAndNone() throws {
    let array = try CollectionType.mutableArray(1, 2, 3)
    try withIndexes([]) { try check(kvc_ordered_remove_many(array.id, $0)) }
    try insert(array, [], [])
    #expect(array.count == 3)
    try withIndexes([0, 1, 2]) { try check(kvc_ordered_remove_many(array.id, $0)) }
    #expect(array.count == 0)
    try insert(array, [4], [0])
    #expect(array.description == "(4)")
  }

  @Test("many that do not fit are refused, and the array is as it was")
  func manyRefused() throws {
    let array = try CollectionType.mutableArray(1, 2, 3), pair = try CollectionType.array(7, 8)
    try withIndexes([0, 5]) {
      #expect(kvc_ordered_insert_many(array.id, pair.id, $0) == KVC_ERR_RANGE)
      #expect(kvc_ordered_replace_many(array.id, $0, pair.id) == KVC_ERR_RANGE)
      #expect(kvc_ordered_remove_many(array.id, $0) == KVC_ERR_RANGE)
    }
    try withIndexes([0]) {
      #expect(kvc_ordered_insert_many(array.id, pair.id, $0) == ISA_ERR_INVALID_ARGUMENT)
      #expect(lastReason().contains("count of array (2) differs from count of index set (1)"))
      #expect(kvc_ordered_replace_many(array.id, $0, pair.id) == ISA_ERR_INVALID_ARGUMENT)
      #expect(kvc_ordered_replace_many(array.id, $0, nil) == ISA_ERR_INVALID_ARGUMENT)
    }
    #expect(kvc_ordered_insert_many(array.id, pair.id, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvc_ordered_remove_many(array.id, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(array.description == "(1, 2, 3)")
  }

  @Test("an object that looks at its array while it dies finds the change whole")
  func lookingWhileDying() throws {
    let pair = try ClassPair("Dying")
    let array = try CollectionType.mutableArray(1, 2)
    var seen: [String] = []
    try addMethod(pair.cls, "dealloc", "v@:") { _ in seen.append(array.description) }
    func addDying() throws {
      let dying = try Boxed { isa_object_allocate(pair.cls, $0) }
      try check(kvc_ordered_insert(array.id, dying.id, 1))
    }
    try addDying()
    try check(kvc_ordered_remove(array.id, 1))
    try addDying()
    try check(kvc_ordered_replace(array.id, 1, ten.id))
    try addDying()
    try withIndexes([0, 1]) { try check(kvc_ordered_remove_many(array.id, $0)) }
    try addDying()
    try check(kvc_collection_remove_all(array.id))
    #expect(seen == ["(1, 2)", "(1, 10, 2)", "(10, 2)", "()"])
  }

  @Test("any row of changes agrees with Swift's array")
  func random() throws {
    var random = SystemRandomNumberGenerator()
    let array = try CollectionType.mutableArray()
    var model: [Int] = []
    for step in 0..<400 {
      let at = Int.random(in: 0...model.count, using: &random)
      if Bool.random(using: &random) || at == model.count {
        model.insert(step, at: at)
        try insert(array, [step], [at])
      } else {
        model.remove(at: at)
        try check(kvc_ordered_remove(array.id, at))
      }
    }
    #expect(array.description == "(" + model.map(String.init).joined(separator: ", ") + ")")
  }

  @Test("without memory an array is as it was")
  func allocationFailure() throws {
    let array = try CollectionType.mutableArray(1, 2, 3, 4)
    let others = try CollectionType.set(7, 8)
    let before = array.description
    func walk(_ body: () -> isa_status, undo: () throws -> Void = {}) throws {
      let calls = try withEachAllocationFailing(undo: undo) { try check(body()) }
      #expect(calls > 0)
      try undo()
      #expect(array.description == before)
    }
    func removeLast() throws { try check(kvc_ordered_remove(array.id, 4)) }
    try walk({ kvc_collection_add(array.id, ten.id) }, undo: removeLast)
    try withIndexes([0, 1]) { indexes in
      let insert = { kvc_ordered_insert_many(array.id, others.id, indexes) }
      try walk(insert, undo: { try check(kvc_ordered_remove_many(array.id, indexes)) })
      try check(kvc_ordered_insert_many(array.id, others.id, indexes))
      try withEachAllocationFailing { try check(kvc_ordered_remove_many(array.id, indexes)) }
      #expect(array.description == before)
    }
    try withIndexes([0, 1]) { indexes in
      try withEachAllocationFailing {
        try check(kvc_ordered_replace_many(array.id, indexes, others.id))
      }
    }
    try withEachAllocationFailing { try check(kvc_collection_set_objects(array.id, others.id)) }
    #expect(array.description == "(7, 8)")
  }

  private func insert(_ array: Boxed, _ numbers: [Int], _ indexes: [Int]) throws {
    let objects = try CollectionType.array(numbers.map { try Boxed.number($0) })
    try withIndexes(indexes) { try check(kvc_ordered_insert_many(array.id, objects.id, $0)) }
  }
}
