import CIsa
import CIsaTestSupport
import IsaKVOTestSupport
import Testing

@Suite("Rules 8: to-many relations", .serialized, .leavesNothing)
struct ToManyRules {
  private static let ordered =
    ISA_TEST_GETTER | ISA_TEST_ONE_BY_ONE | ISA_TEST_AT_INDEXES | ISA_TEST_REPLACE
    | ISA_TEST_REPLACE_MANY
  private static let unordered = ISA_TEST_GETTER | ISA_TEST_EACH | ISA_TEST_SET_WIDE
  private static let setter = ISA_TEST_GETTER | ISA_TEST_SETTER
  private static let tiers = [ordered, setter, ISA_TEST_IVAR, ISA_TEST_HOOKS]

  // MARK: 8.1 ordered accessors

  @Test("rule 8.1.1 each direct call of an ordered accessor is one notification")
  func orderedAccessors() throws {
    let shelf = try Shelf(Self.ordered, .array(1, 2, 3)), p = try Listener(shelf)
    let edits: [ToManyEdit] = [
      .insert([4], at: [3]), .insert([8, 9], at: [0, 5]), .remove(at: [0]), .remove(at: [0, 4]),
      .replace([7], at: [1]), .replace([5, 6], at: [0, 2]),
    ]
    for edit in edits { try edit.callAccessor(of: shelf) }
    #expect(
      p.take() == [
        "insertion {3} new (4)", "insertion {0 5} new (8, 9)", "removal {0} old (8)",
        "removal {0 4} old (1, 9)", "replacement {1} old (3) new (7)",
        "replacement {0 2} old (2, 4) new (5, 6)",
      ])
    #expect(shelf.backing?.words == "(5, 7, 6)")
  }

  @Test(
    "rule 8.1.1 an insert accessor without a remove accessor is not intercepted",
    arguments: [ISA_TEST_INSERT, ISA_TEST_INSERT | ISA_TEST_INSERT_MANY | ISA_TEST_REPLACE])
  func insertAlone(accessors: Int) throws {
    let shelf = try Shelf(ISA_TEST_GETTER | accessors, .array()), p = try Listener(shelf)
    try shelf.insert(.number(1), at: 0)
    #expect(p.take() == [] && shelf.backing?.words == "(1)")
  }

  @Test("rule 8.1.2 set<Key>: of a to-many key tells of whole collections")
  func wholeSetter() throws {
    let shelf = try Shelf(Self.ordered | ISA_TEST_SETTER, .array(1)), p = try Listener(shelf, 11)
    try shelf.send("setItems:", .array(2, 3))
    #expect(p.take() == ["prior setting old (1)", "setting old (1) new (2, 3)"])
    let other = try Kept.array(4)
    try succeed(kvc_set_value(shelf.id, "items", other.id))
    #expect(p.take() == ["prior setting old (2, 3)", "setting old (2, 3) new (4)"])
  }

  @Test(
    "rule 8.1.3 three changes, by hand or not, are three notifications, six with Prior",
    arguments: Way.allCases)
  func byHand(way: Way) throws {
    try keepingClasses {
      let items = try way.items(KVC_KIND_ARRAY, [1]), p = try items.listener(0)
      let q = try items.listener(KVO_OPTION_PRIOR)
      for edit in [ToManyEdit.insert([2], at: [1]), .replace([3], at: [0]), .remove(at: [1])] {
        try items.make(edit)
      }
      #expect(p.take().count == 3)
      #expect(q.take().count == 6)
      #expect(try items.words == "(3)")
    }
  }

  // MARK: 8.2 unordered accessors

  @Test("rule 8.2.1 each direct call of an unordered accessor is one notification")
  func unorderedAccessors() throws {
    let shelf = try Shelf(Self.unordered | ISA_TEST_SETTER, .set(1, 2, 3)), p = try Listener(shelf)
    try shelf.send("addItemsObject:", .number(4))
    try shelf.send("removeItemsObject:", .number(1))
    for edit in [ToManyEdit.union([4, 5]), .minus([2, 7]), .intersect([3, 4]), .set([9])] {
      try edit.callAccessor(of: shelf)
    }
    #expect(
      p.take() == [
        "insertion new {4}", "removal old {1}", "insertion new {5}", "removal old {2}",
        "removal old {5}", "setting old {3, 4} new {9}",
      ])
  }

  @Test(
    "rule 8.2.1 accessors that only add, or only remove, are not intercepted",
    arguments: [ISA_TEST_ADD | ISA_TEST_ADD_MANY, ISA_TEST_REMOVE | ISA_TEST_INTERSECT])
  func oneSide(accessors: Int) throws {
    let shelf = try Shelf(ISA_TEST_GETTER | accessors, .set(1)), p = try Listener(shelf)
    let adds = accessors & ISA_TEST_ADD != 0
    try shelf.send(adds ? "addItemsObject:" : "removeItemsObject:", .number(adds ? 2 : 1))
    #expect(p.take() == [] && shelf.backing?.count == (adds ? 2 : 0))
  }

  @Test(
    "rule 8.2.2 observers are told the difference, not what was passed",
    arguments: [unordered, setter, ISA_TEST_IVAR, ISA_TEST_GETTER | ISA_TEST_EACH])
  func differences(tier: Int) throws {
    let shelf = try Shelf(tier, .set()), p = try Listener(shelf), proxy = try shelf.mutableSet()
    let edits: [ToManyEdit] = [
      .union([1, 2, 3]), .minus([1]), .union([2]), .minus([7]), .intersect([2]), .set([3]),
      .set([3, 4]),
    ]
    for edit in edits { try edit.apply(to: proxy) }
    #expect(
      p.take() == [
        "insertion new {1, 2, 3}", "removal old {1}", "insertion new {}", "removal old {}",
        "removal old {3}", "replacement old {2} new {3}", "replacement old {} new {4}",
      ])
  }

  @Test(
    "rule 8.2.3 removing everything through a proxy is an intersection with the empty set",
    arguments: [unordered, setter, ISA_TEST_IVAR])
  func removeAll(tier: Int) throws {
    let shelf = try Shelf(tier, .set(1, 2)), p = try Listener(shelf, 11)
    let proxy = try shelf.mutableSet()
    try succeed(kvc_collection_remove_all(proxy.id))
    #expect(p.take() == ["prior removal old {1, 2}", "removal old {1, 2}"])
    if tier == Self.unordered { #expect(shelf.takeCalls() == "intersect 0") }
    #expect(try shelf.value().count == 0)
  }

  // MARK: 8.3 proxies

  @Test("rule 8.3.1 a replacement made by removing and inserting is one notification")
  func replacementByTwo() throws {
    let shelf = try Shelf(ISA_TEST_GETTER | ISA_TEST_AT_INDEXES, .array(1, 2))
    let p = try Listener(shelf, 11)
    try ToManyEdit.replace([3], at: [1]).apply(to: shelf.mutableArray())
    #expect(p.take() == ["prior replacement {1} old (2)", "replacement {1} old (2) new (3)"])
    #expect(shelf.takeCalls() == "removeAt {1}, insertAt {1}")
  }

  @Test(
    "rule 8.3.1 every tier tells of the change of elements, and of nothing else", arguments: tiers)
  func tiersTell(tier: Int) throws {
    let shelf = try Shelf(tier, .array(1)), p = try Listener(shelf),
      proxy = try shelf.mutableArray()
    try proxy.add(.number(2))
    try ToManyEdit.replace([3], at: [0]).apply(to: proxy)
    try proxy.remove(at: 1)
    #expect(
      p.take() == [
        "insertion {1} new (2)", "replacement {0} old (1) new (3)", "removal {1} old (2)",
      ])
    #expect(shelf.backing?.words == "(3)")
  }

  @Test("rule 8.3.3 a proxy is live: it goes on with what was set meanwhile", arguments: tiers)
  func live(tier: Int) throws {
    let shelf = try Shelf(tier, .array(1)), proxy = try shelf.mutableArray()
    let p = try Listener(shelf)
    try succeed(kvo_will_change(shelf.id, "items"))
    shelf.backing = try .array(5, 6)
    try succeed(kvo_did_change(shelf.id, "items"))
    try proxy.add(.number(7))
    #expect(p.take() == ["setting old (1) new (5, 6)", "insertion {2} new (7)"])
    #expect(proxy.words == "(5, 6, 7)")
  }

  @Test("rule 8.3.4 nil in an ivar becomes a collection, and that is one insertion")
  func nilInIvar() throws {
    for kind in [KVC_KIND_ARRAY, KVC_KIND_ORDERED_SET, KVC_KIND_SET] {
      let shelf = try Shelf(ISA_TEST_IVAR), p = try Listener(shelf, 15)
      try proxy(shelf, kind).add(.number(1))
      let place = kind == KVC_KIND_SET ? "" : " {0}", new = kind == KVC_KIND_SET ? "{1}" : "(1)"
      #expect(
        p.take() == [
          "setting initial new nil", "prior insertion\(place)", "insertion\(place) new \(new)",
        ])
      #expect(shelf.backing?.kind == kind)
    }
  }

  @Test("rule 8.3.4 nil behind getter and setter raises, and nobody is told")
  func nilBehindSetter() throws {
    for kind in [KVC_KIND_ARRAY, KVC_KIND_ORDERED_SET, KVC_KIND_SET] {
      let shelf = try Shelf(Self.setter), p = try Listener(shelf)
      #expect(throws: CoreFailure(exception: "NSInternalInconsistencyException")) {
        try proxy(shelf, kind).add(.number(1))
      }
      #expect(p.take() == [] && shelf.takeCalls() == "")
    }
  }

  @Test("rule 8.3.5 what cannot change raises, stays as it is, and nobody is told")
  func immutable() throws {
    let fixed = try Kept.collection(KVC_KIND_ARRAY, isMutable: false, [.number(1)])
    for value in [fixed, try .number(5), try .text("x")] {
      let shelf = try Shelf(ISA_TEST_IVAR, value), p = try Listener(shelf)
      let proxy = try shelf.mutableArray()
      #expect(throws: CoreFailure(exception: "NSInvalidArgumentException")) {
        try proxy.add(.number(2))
      }
      #expect(p.take() == [] && shelf.backing == value)
    }
  }

  @Test("rule 8.3.5 an unknown key raises at the first change only, and nobody is told")
  func unknownKey() throws {
    let shelf = try Shelf(ISA_TEST_GETTER), p = try Listener(shelf.id, "nope", 0)
    let proxy = try Kept { kvc_copy_mutable_array(shelf.id, "nope", $0) }
    #expect(throws: CoreFailure(exception: "NSUnknownKeyException")) { try proxy.add(.number(1)) }
    #expect(p.take() == [])
  }

  @Test(
    "rule 8.3.6 a proxy fetched before the first observer announces all the same", arguments: tiers)
  func fetchedBefore(tier: Int) throws {
    let shelf = try Shelf(tier, .array()), proxy = try shelf.mutableArray()
    try proxy.add(.number(1))
    let p = try Listener(shelf)
    try proxy.add(.number(2))
    #expect(p.take() == ["insertion {1} new (2)"])
  }

  @Test("rule 8.3.7 a proxy for a key path announces on the object at its end")
  func keyPath() throws {
    let root = try Kept { kvc_mutable_dictionary_make(nil, nil, 0, $0) }
    let shelf = try Shelf(Self.ordered, .array())
    try succeed(kvc_set_value(root.id, "child", shelf.id))
    let p = try Listener(shelf), q = try Listener(root.id, "child.items")
    let proxy = try Kept { kvc_copy_mutable_array_for_path(root.id, "child.items", $0) }
    try proxy.add(.number(1))
    for told in [p.take(), q.take()] { #expect(told == ["insertion {0} new (1)"]) }
    // The shelf's class goes with the shelf, which nobody may hold then.
    try succeed(kvc_set_value(root.id, "child", nil))
  }

  @Test("rule 8.3.8 accessors may refuse or alter: the rest is told of what they left")
  func altered() throws {
    let shelf = try Shelf(Self.ordered, .array(1, 2)), nine = try Kept.number(9)
    let p = try Listener(shelf), one = try Kept.number(1)
    isa_test_to_many_set_veto(shelf.id, one.id, nine.id)
    let proxy = try shelf.mutableArray()
    try ToManyEdit.replace([5], at: [1]).apply(to: proxy)
    try proxy.remove(at: 0)
    #expect(p.take() == ["replacement {1} old (2) new (9)", "removal {0} old (1)"])
    #expect(throws: CoreFailure(exception: "NSRangeException")) { try proxy.add(one) }
    #expect(p.take() == ["insertion {2}"] && shelf.backing?.words == "(1, 9)")
  }

  @Test(
    "rule 8.3.9 a proxy does not insert what an ordered set has, and tells nobody", arguments: tiers
  )
  func presentObject(tier: Int) throws {
    let shelf = try Shelf(tier, .orderedSet(1, 2)), p = try Listener(shelf, 11)
    let proxy = try shelf.mutableOrderedSet()
    try proxy.insert(.number(2), at: 0)
    try proxy.add(.number(1))
    #expect(p.take() == [] && shelf.backing?.words == "(1, 2)")
    try ToManyEdit.insert([3, 1], at: [0, 1]).apply(to: proxy)
    #expect(p.take() == ["prior insertion {0}", "insertion {0} new (3)"])
    #expect(shelf.backing?.words == "(3, 1, 2)")
    try ToManyEdit.replace([2], at: [0]).apply(to: proxy)
    #expect(p.take() == ["prior removal {0} old (3)", "removal {0} old (3)"])
  }

  @Test("rule 8.3.10 set-wide accessors are preferred, and one change stays one")
  func setWide() throws {
    let shelf = try Shelf(Self.unordered, .set(1, 2)), p = try Listener(shelf)
    let proxy = try shelf.mutableSet()
    for edit in [ToManyEdit.union([2, 3]), .minus([1, 9]), .intersect([3])] {
      try edit.apply(to: proxy)
    }
    try proxy.add(.number(5))
    try proxy.remove(.number(5))
    #expect(shelf.takeCalls() == "addAll 2, removeAll 2, intersect 1, add, removeObject")
    #expect(
      p.take() == [
        "insertion new {3}", "removal old {1}", "removal old {2}", "insertion new {5}",
        "removal old {5}",
      ])
  }

  @Test("rule 8.3.11 counts that differ, nil and indexes beyond the end raise, and nobody is told")
  func badArguments() throws {
    let shelf = try Shelf(Self.ordered, .array(1, 2)), p = try Listener(shelf, 11)
    let proxy = try shelf.mutableArray(), two = try Kept.array(8, 9)
    try withIndexes([0]) { indexes in
      for status in [
        kvc_ordered_insert_at(proxy.id, two.id, indexes),
        kvc_ordered_replace_at(proxy.id, indexes, two.id), kvc_ordered_insert(proxy.id, nil, 0),
        kvc_ordered_replace(proxy.id, 0, nil), kvc_collection_add(proxy.id, nil),
        kvc_ordered_insert_at(proxy.id, nil, indexes), kvc_ordered_insert_at(proxy.id, two.id, nil),
        kvc_ordered_remove_at(proxy.id, nil),
      ] { #expect(status == ISA_ERR_INVALID_ARGUMENT) }
    }
    #expect(kvc_ordered_insert(proxy.id, two.id, 3) == KVC_ERR_RANGE)
    #expect(kvc_ordered_remove(proxy.id, 2) == KVC_ERR_RANGE)
    #expect(kvc_ordered_replace(proxy.id, 2, two.id) == KVC_ERR_RANGE)
    #expect(p.take() == [] && shelf.backing?.words == "(1, 2)" && shelf.takeCalls() == "")
  }

  private func proxy(_ shelf: Shelf, _ kind: kvc_kind) throws -> Kept {
    switch kind {
    case KVC_KIND_ARRAY: try shelf.mutableArray()
    case KVC_KIND_ORDERED_SET: try shelf.mutableOrderedSet()
    default: try shelf.mutableSet()
    }
  }
}
