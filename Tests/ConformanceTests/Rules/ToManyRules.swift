import CIsa
import CIsaTestSupport
import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite("Rules 8: to-many relations", .serialized, .leavesNothing)
struct ToManyRules {
  private static let ordered =
    ISA_TEST_GETTER | ISA_TEST_ONE_BY_ONE | ISA_TEST_AT_INDEXES | ISA_TEST_REPLACE
    | ISA_TEST_REPLACE_MANY
  private static let unordered = ISA_TEST_GETTER | ISA_TEST_EACH | ISA_TEST_SET_WIDE
  private static let tiers = [
    ordered, ISA_TEST_GETTER | ISA_TEST_SETTER, ISA_TEST_IVAR, ISA_TEST_HOOKS,
  ]

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

  @Test(
    "rule 8.1.2 set<Key>: of a to-many key tells of whole collections", arguments: Kind.allCases)
  func wholeSetter(kind: Kind) throws {
    try keepingClasses {
      let way = kind == .runtime ? Way.proxyOfSetter : .swiftProxy
      let items = try way.items(KVC_KIND_ARRAY, [1], besides: Self.ordered)
      let p = try items.listener(11)
      try items.set([2, 3])
      #expect(p.take() == ["prior setting old (1)", "setting old (1) new (2, 3)"])
      try items.setByKey([4])
      #expect(p.take() == ["prior setting old (2, 3)", "setting old (2, 3) new (4)"])
    }
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
    "rule 8.2.2 observers are told the difference, not what was passed, and of none too",
    arguments: Way.allCases)
  func differences(way: Way) throws {
    try keepingClasses {
      let items = try way.items(KVC_KIND_SET, []), p = try items.listener()
      let edits: [(edit: ToManyEdit, told: String)] = [
        (.union([1, 2, 3]), "insertion new {1, 2, 3}"), (.minus([1]), "removal old {1}"),
        (.union([2]), "insertion new {}"), (.minus([7]), "removal old {}"),
        (.intersect([2, 3, 7]), "removal old {}"), (.intersect([2]), "removal old {3}"),
        (.set([3]), "replacement old {2} new {3}"), (.set([3, 4]), "replacement old {} new {4}"),
        (.set([3, 4]), "replacement old {} new {}"),
      ]
      for (edit, told) in edits where way.has(edit) {
        try items.make(edit)
        #expect(p.take() == [told])
      }
    }
  }

  @Test(
    "rule 8.2.3 removing everything through a proxy is an intersection with the empty set",
    arguments: Way.proxies)
  func removeAll(way: Way) throws {
    try keepingClasses {
      let items = try way.items(KVC_KIND_SET, [1, 2]), p = try items.listener(11)
      try items.proxy().removeAll()
      #expect(p.take() == ["prior removal old {1, 2}", "removal old {1, 2}"])
      if way == .proxyOfAccessors { #expect(items.takeCalls() == "intersect 0") }
      #expect(try items.words == "{}")
    }
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
    "rule 8.3.1 every tier tells of the change of elements, and of nothing else",
    arguments: Way.proxies)
  func tiersTell(way: Way) throws {
    try keepingClasses {
      let items = try way.items(KVC_KIND_ARRAY, [1]), p = try items.listener()
      let proxy = try items.proxy()
      try proxy.add(2)
      try proxy.make(.replace([3], at: [0]))
      try proxy.make(.remove(at: [1]))
      #expect(
        p.take() == [
          "insertion {1} new (2)", "replacement {0} old (1) new (3)", "removal {1} old (2)",
        ])
      #expect(try items.words == "(3)")
    }
  }

  @Test(
    "rule 8.3.3 a proxy is live: it goes on with what was set meanwhile", arguments: Way.proxies)
  func live(way: Way) throws {
    try keepingClasses {
      let items = try way.items(KVC_KIND_ARRAY, [1]), proxy = try items.proxy()
      let p = try items.listener()
      try items.set([5, 6])
      try proxy.add(7)
      #expect(p.take() == ["setting old (1) new (5, 6)", "insertion {2} new (7)"])
      #expect(proxy.words == "(5, 6, 7)")
    }
  }

  @Test("rule 8.3.4 nil in an ivar becomes a collection, and that is one insertion")
  func nilInIvar() throws {
    for kind in Way.proxyOfIvar.kinds {
      let shelf = try Shelf(ISA_TEST_IVAR), p = try Listener(shelf, 15)
      try MadeItems(way: .proxyOfIvar, shelf: shelf, kind: kind).proxy().add(1)
      let place = kind == KVC_KIND_SET ? "" : " {0}", new = kind == KVC_KIND_SET ? "{1}" : "(1)"
      #expect(
        p.take() == [
          "setting initial new nil", "prior insertion\(place)", "insertion\(place) new \(new)",
        ])
      #expect(shelf.backing?.kind == kind)
    }
  }

  @Test(
    "rule 8.3.4 nil behind getter and setter raises, and nobody is told", arguments: Kind.allCases)
  func nilBehindSetter(kind: Kind) throws {
    try keepingClasses {
      let way = Way.proxyOfSetter.on(kind)
      for kind in way.kinds {
        let items = try way.items(kind, nil), p = try items.listener(), proxy = try items.proxy()
        #expect(try raised { try proxy.add(1) } == "NSInternalInconsistencyException")
        #expect(p.take() == [] && items.takeCalls() == "")
      }
    }
  }

  @Test("rule 8.3.5 a collection that cannot change raises, stays as it is, and nobody is told")
  func immutable() throws {
    let fixed = try Kept.collection(KVC_KIND_ARRAY, isMutable: false, [.number(1)])
    let shelf = try Shelf(ISA_TEST_IVAR, fixed), p = try Listener(shelf)
    let proxy = try shelf.mutableArray()
    #expect(throws: CoreFailure(exception: "NSInvalidArgumentException")) {
      try proxy.add(.number(2))
    }
    #expect(p.take() == [] && shelf.backing?.words == "(1)")
  }

  @Test(
    "rule 8.3.5 a value that is no collection raises, stays as it is, and nobody is told",
    arguments: [5, "x"] as [RuntimeValue], Kind.allCases)
  func noCollection(value: RuntimeValue, kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.holder(of: value), p = try stage.watcher()
      try object.add(p, "items", [.old, .new])
      let proxy = try object.mutableArrayValue(forKey: "items")
      #expect(try raised { try proxy.append(2) } == "NSInvalidArgumentException")
      #expect(p.told == [])
      #expect(try object.value(forKey: "items") == value)
      try object.remove(p, "items")
    }
  }

  @Test(
    "rule 8.3.5 a key that can only be read raises for that, whatever was announced",
    arguments: Kind.allCases)
  func readOnly(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("ReadOnly", ReadOnly()) {
        try $0.method("items", "@@:") { _ in .array([1]) }
      }
      let proxy = try object.mutableArrayValue(forKey: "items"), p = try stage.watcher()
      expectError(.undefinedKey, key: "items") { try proxy.append(2) }
      try object.add(p, "items", [.old, .new])
      expectError(.undefinedKey, key: "items") { try proxy.append(2) }
      #expect(try raised { try proxy.append(2) } == "NSUnknownKeyException")
      #expect(p.told == ["items insertion at [1]", "items insertion at [1]"])
      #expect(try words(for: object.value(forKey: "items")) == "(1)")
      try object.remove(p, "items")
    }
  }

  @Test(
    "rule 8.3.5 an unknown key raises at the first change only, and nobody is told",
    arguments: Kind.allCases)
  func unknownKey(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.item(), p = try stage.watcher()
      try object.add(p, "nope")
      let proxy = try object.mutableArrayValue(forKey: "nope")
      #expect(try raised { try proxy.append(1) } == "NSUnknownKeyException")
      #expect(p.told == [])
      try object.remove(p, "nope")
    }
  }

  @Test(
    "rule 8.3.6 a proxy fetched before the first observer announces all the same",
    arguments: Way.proxies)
  func fetchedBefore(way: Way) throws {
    try keepingClasses {
      let items = try way.items(KVC_KIND_ARRAY, []), proxy = try items.proxy()
      try proxy.add(1)
      let p = try items.listener()
      try proxy.add(2)
      #expect(p.take() == ["insertion {1} new (2)"])
    }
  }

  @Test(
    "rule 8.3.7 a proxy for a key path announces on the object at its end", arguments: Way.proxies)
  func keyPath(way: Way) throws {
    try keepingClasses {
      for kind in [KVC_KIND_ARRAY, KVC_KIND_SET] {
        let items = try way.items(kind, []), root = try items.root()
        let p = try items.listener(), q = try root.listener(KVO_OPTION_OLD | KVO_OPTION_NEW)
        try root.proxy().add(1)
        let line = kind == KVC_KIND_SET ? "insertion new {1}" : "insertion {0} new (1)"
        for told in [p.take(), q.take()] { #expect(told == [line]) }
        try root.forgetChild()
      }
    }
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
    "rule 8.3.8 a setter may refuse or alter, too: the rest is told of what it left",
    arguments: Kind.allCases)
  func alteredAsWhole(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Picky", Picky()) {
        try $0.ivar("_kept", .object, ownership: .retain)
        try $0.method("items", "@@:") { $0.receiver.ivar(named: "_kept") ?? .nilObject }
        try $0.method("setItems:", "v@:@") { (call: RuntimeMethodCall) -> Void in
          let numbers = Picky.picked((call.arguments[0].array ?? []).compactMap(\.int))
          attempt { try call.receiver.poke(ivar: "_kept", .array(numbers.map { .init($0) })) }
        }
      }
      try object.setValue(.array([2, 3]), forKey: "items")
      let proxy = try object.mutableArrayValue(forKey: "items"), p = try stage.watcher()
      try object.add(p, "items", [.old, .new])
      try proxy.replace(at: 1, with: 5)
      try proxy.remove(at: 0)
      #expect(try raised { try proxy.append(1) } == "NSRangeException")
      #expect(
        p.told == [
          "items replacement at [1] old (3) new (9)", "items removal at [0] old (2)",
          "items insertion at [1]",
        ])
      #expect(proxy.elements == [9])
      try object.remove(p, "items")
    }
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

  @Test(
    "rule 8.3.11 counts that differ and indexes beyond the end raise, and nobody is told",
    arguments: Kind.allCases)
  func badArguments(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Numbers", WrappedArray([])) { try $0.property("items", .object) }
      let p = try stage.watcher()
      try object.setValue(.array([1, 2]), forKey: "items")
      try object.add(p, "items", [.old, .new, .prior])
      let proxy = try object.mutableArrayValue(forKey: "items")
      for body in [
        { try proxy.insert(contentsOf: [8, 9], at: [0]) },
        { try proxy.replace(at: [0], with: [8, 9]) },
      ] { #expect(try raised(body) == "NSInvalidArgumentException") }
      for body in [
        { try proxy.insert(8, at: 3) }, { try proxy.insert(8, at: -1) },
        { try proxy.remove(at: 2) }, { try proxy.replace(at: 2, with: 8) },
        { try proxy.remove(at: [0, 2]) }, { try proxy.insert(contentsOf: [8, 9], at: [0, 4]) },
      ] { #expect(try raised(body) == "NSRangeException") }
      #expect(p.told == [] && proxy.description == "[1, 2]")
      try object.remove(p, "items")
    }
  }

  @Test("rule 8.3.11 nil, too, raises before an accessor is called")
  func badCalls() throws {
    let shelf = try Shelf(Self.ordered, .array(1, 2)), p = try Listener(shelf, 11)
    let proxy = try shelf.mutableArray(), two = try Kept.array(8, 9)
    try withIndexes([0]) { indexes in
      for status in [
        kvc_ordered_insert_many(proxy.id, two.id, indexes),
        kvc_ordered_replace_many(proxy.id, indexes, two.id), kvc_ordered_insert(proxy.id, nil, 0),
        kvc_ordered_replace(proxy.id, 0, nil), kvc_collection_add(proxy.id, nil),
        kvc_ordered_insert_many(proxy.id, nil, indexes),
        kvc_ordered_insert_many(proxy.id, two.id, nil),
        kvc_ordered_remove_many(proxy.id, nil),
      ] { #expect(status == ISA_ERR_INVALID_ARGUMENT) }
    }
    #expect(kvc_ordered_insert(proxy.id, two.id, 3) == KVC_ERR_RANGE)
    #expect(kvc_ordered_remove(proxy.id, 2) == KVC_ERR_RANGE)
    #expect(kvc_ordered_replace(proxy.id, 2, two.id) == KVC_ERR_RANGE)
    #expect(p.take() == [] && shelf.backing?.words == "(1, 2)" && shelf.takeCalls() == "")
  }
}

private final class ReadOnly: KVObject, TypedObject {
  var items: [Int] { [1] }

  override class var keys: [KeyDeclaration] { [.key("items", \ReadOnly.items)] }
  var properties: [String: TypedProperty] { [:] }
}

/// A class whose setter leaves 1 out and makes 9 of 5.
private final class Picky: KVObject, TypedObject {
  var items: [Int] = [] { didSet { items = Picky.picked(items) } }

  override class var keys: [KeyDeclaration] { [.key("items", \Picky.items)] }
  var properties: [String: TypedProperty] { [:] }

  static func picked(_ numbers: [Int]) -> [Int] {
    numbers.filter { $0 != 1 }.map { $0 == 5 ? 9 : $0 }
  }
}
