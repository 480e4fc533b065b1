import CIsa
import CIsaTestSupport
import IsaKVOTestSupport
import Testing

@Suite("SET: to-many, unordered", .serialized, .leavesNothing)
struct UnorderedToMany {
  /// Changes the set in brackets, and tells what an observer was told.
  private func bracketed(
    _ kind: Kind, _ edits: [ToManyEdit], _ numbers: [Int],
    _ options: Int = KVO_OPTION_OLD | KVO_OPTION_NEW
  ) throws -> (told: [String], left: String) {
    try keepingClasses {
      let items = try Way.byHand.on(kind).items(KVC_KIND_SET, numbers)
      let p = try items.listener(options)
      for edit in edits { try items.make(edit) }
      return (p.take(), try items.words)
    }
  }

  @Test("SET-02 six-step, manual brackets", arguments: Kind.allCases)
  func sixSteps(kind: Kind) throws {
    let (told, left) = try bracketed(
      kind,
      [.union([1, 2, 3]), .minus([1]), .union([1]), .minus([1]), .intersect([2]), .set([3])], [])
    #expect(
      told == [
        "insertion new {1, 2, 3}", "removal old {1}", "insertion new {1}", "removal old {1}",
        "removal old {3}", "replacement old {2} new {3}",
      ])
    #expect(left == "{3}")
  }

  @Test("SET-03 six-step, direct accessors")
  func sixStepsByAccessors() throws {
    let shelf = try Shelf(ISA_TEST_GETTER | ISA_TEST_EACH | ISA_TEST_SET_WIDE, .set())
    let inPlace: @convention(c) (isa_id?, isa_sel?, isa_id?) -> Void = { shelf, _, objects in
      kvc_collection_set_objects(isa_test_to_many_backing(shelf), objects)
    }
    try succeed(
      isa_class_add_method(
        isa_object_get_class(shelf.id), isa_sel_register("setItems:"),
        unsafeBitCast(inPlace, to: isa_imp.self), "v@:@"))
    let p = try Listener(shelf)
    try shelf.send("addItems:", .set(1, 2, 3))
    try shelf.send("removeItems:", .set(1))
    try shelf.send("addItemsObject:", .number(1))
    try shelf.send("removeItemsObject:", .number(1))
    try shelf.send("intersectItems:", .set(2))
    try shelf.send("setItems:", .set(3))
    #expect(
      p.take() == [
        "insertion new {1, 2, 3}", "removal old {1}", "insertion new {1}", "removal old {1}",
        "removal old {3}", "setting old {3} new {3}",
      ])
  }

  @Test("SET-05 minus old", arguments: Kind.allCases)
  func minus(kind: Kind) throws {
    let (told, left) = try bracketed(kind, [.minus([1, 2])], [0, 1, 2])
    #expect(told == ["removal old {1, 2}"])
    #expect(left == "{0}")
  }

  @Test("SET-06 intersect old", arguments: Kind.allCases)
  func intersect(kind: Kind) throws {
    let (told, left) = try bracketed(kind, [.intersect([1, 2])], [0, 1])
    #expect(told == ["removal old {0}"])
    #expect(left == "{1}")
  }

  @Test("SET-08 partial union", arguments: Kind.allCases)
  func partialUnion(kind: Kind) throws {
    let (told, left) = try bracketed(kind, [.union([1, 2])], [1], KVO_OPTION_NEW)
    #expect(told == ["insertion new {2}"])
    #expect(left == "{1, 2}")
  }

  @Test("SET-09 partial minus", arguments: Kind.allCases)
  func partialMinus(kind: Kind) throws {
    let (told, left) = try bracketed(kind, [.minus([2, 3])], [1, 2], KVO_OPTION_OLD)
    #expect(told == ["removal old {2}"])
    #expect(left == "{1}")
  }
}
