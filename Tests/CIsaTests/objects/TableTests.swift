import CIsa
import CIsa.Testing
import IsaKVOTestSupport
import Testing

/// The hash table under sets, ordered sets and dictionaries, through them.
@Suite(.serialized, .balancedCounts)
struct TableTests {
  @Test(
    "adding and removing for a long time agrees with Swift's set", arguments: CollectionType.sets)
  func churn(type: CollectionType) throws {
    var random = SystemRandomNumberGenerator()
    let numbers = Held(try (0..<60).map { try Boxed.number($0) }), set = try type()
    var model: Set<Int> = []
    for _ in 0..<4000 {
      let number = Int.random(in: numbers.indices, using: &random)
      if Bool.random(using: &random) {
        try check(kvc_collection_add(set.id, numbers[number].id))
        model.insert(number)
      } else {
        try check(kvc_collection_remove(set.id, numbers[number].id))
        model.remove(number)
      }
      let asked = Int.random(in: numbers.indices, using: &random)
      #expect(kvc_collection_contains(set.id, numbers[asked].id) == model.contains(asked))
      #expect(set.count == model.count)
    }
  }

  @Test("objects of one hash are told apart")
  func collisions() throws {
    let pair = try ClassPair("Colliding")
    try addMethod(pair.cls, "hash", "Q@:") { $0.answer(UInt64(1)) }
    let objects = try (0..<20).map { _ in try Boxed { isa_object_allocate(pair.cls, $0) } }
    let set = try CollectionType.mutableSet(objects)
    for object in objects.prefix(10) { try check(kvc_collection_remove(set.id, object.id)) }
    for (index, object) in objects.enumerated() {
      #expect(kvc_collection_contains(set.id, object.id) == (index >= 10))
    }
  }

  @Test("an object that changes the set that asks it makes the call fail", arguments: [0, 1, 2, 3])
  func changedWhileAsking(call: Int) throws {
    let pair = try ClassPair("Meddling")
    let set = try CollectionType.mutableOrderedSet(), number = try Boxed.number(1)
    var meddles = false
    try addMethod(pair.cls, "hash", "Q@:") { $0.answer(UInt64(1)) }
    try addMethod(pair.cls, "isEqual:", "B@:@") {
      if meddles { _ = kvc_collection_remove_all(set.id) }
      $0.answer(false)
    }
    let first = try Boxed { isa_object_allocate(pair.cls, $0) }
    let second = try Boxed { isa_object_allocate(pair.cls, $0) }
    for object in [first, number] { try check(kvc_collection_add(set.id, object.id)) }
    let others = try CollectionType.array([second])
    meddles = true
    let status =
      switch call {
      case 0: kvc_collection_add(set.id, second.id)
      case 1: kvc_collection_remove(set.id, second.id)
      case 2: kvc_ordered_insert(set.id, second.id, 1)
      default: kvc_set_unite(set.id, others.id)
      }
    meddles = false
    #expect(status == ISA_ERR_IN_USE && lastException() == "NSGenericException")
    #expect(set.count == 0 && first.retainCount == 1)
  }

  @Test(
    "an object that dies while it is removed finds the set whole", arguments: CollectionType.sets)
  func lookingWhileDying(type: CollectionType) throws {
    let pair = try ClassPair("Leaving")
    let set = try type(1, 2)
    var seen: [Int] = []
    try addMethod(pair.cls, "dealloc", "v@:") { _ in seen.append(set.count) }
    func add() throws -> isa_id {
      let leaving = try Boxed { isa_object_allocate(pair.cls, $0) }
      try check(kvc_collection_add(set.id, leaving.id))
      return leaving.id
    }
    try check(kvc_collection_remove(set.id, try add()))
    _ = try add()
    try set.intersect(CollectionType.array(2))
    _ = try add()
    try check(kvc_collection_remove_all(set.id))
    #expect(seen == [2, 1, 0])
  }
}
