import CIsa
import CIsaTestSupport
import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite("PRX: mutable and read-only collection proxies", .serialized, .leavesNothing)
struct CollectionProxies {
  private static let accessors = ISA_TEST_GETTER | ISA_TEST_ONE_BY_ONE
  private static let setter = ISA_TEST_GETTER | ISA_TEST_SETTER

  @Test("PRX-01 proxy class", arguments: [accessors, setter, ISA_TEST_IVAR])
  func proxyClass(tier: Int) throws {
    let backing = try array([Kept.text("x")]), shelf = try Shelf(tier, backing)
    let proxy = try shelf.mutableArray()
    #expect(kvc_is_mutable(proxy.id) && proxy.kind == KVC_KIND_ARRAY)
    #expect(proxy == backing && backing == proxy && proxy.id != backing.id)
  }

  @Test("PRX-02 proxy is live")
  func live() throws {
    let shelf = try Shelf(Self.setter, array()), proxy = try shelf.mutableArray()
    let changed = try array([Kept.number(42)])
    try succeed(kvc_set_value(shelf.id, "items", changed.id))
    #expect(try proxy == changed && proxy == shelf.value())
    try changed.insert(Kept.number(32), at: 0)
    #expect(try proxy.count == 2 && proxy == shelf.value())
  }

  @Test("PRX-04 nil ivar autovivifies", arguments: [KVC_KIND_ARRAY, KVC_KIND_ORDERED_SET])
  func vivifies(kind: kvc_kind) throws {
    let shelf = try Shelf(ISA_TEST_IVAR)
    let proxy = try kind == KVC_KIND_ARRAY ? shelf.mutableArray() : shelf.mutableOrderedSet()
    try proxy.add(Kept.text("Hello"))
    let made = try #require(shelf.backing)
    #expect(made.kind == kind && !made.isProxy)
    #expect(try made.object(at: 0) == Kept.text("Hello"))
  }

  @Test("PRX-05 dictionary autovivifies")
  func dictionaryVivifies() throws {
    let dictionary = try Kept { kvc_mutable_dictionary_make(nil, nil, 0, $0) }
    let proxy = try Kept { kvc_copy_mutable_array(dictionary.id, "new", $0) }
    try proxy.add(Kept.text("Hello"))
    let key = try Kept.text("new")
    let made = try Kept { kvc_dictionary_copy_value(dictionary.id, key.id, $0) }
    #expect(try made == array([Kept.text("Hello")]))
  }

  @Test("PRX-07 undefined-key hook as storage", arguments: Kind.allCases)
  func undefinedKeyHooks(kind: Kind) throws {
    if kind == .swift { return try keepingClasses { try swiftHooks() } }
    let shelf = try Shelf(ISA_TEST_HOOKS, array()), proxy = try shelf.mutableArray()
    let letters = try ["A", "B", "C"].map { try Kept.text($0) }
    for letter in letters { try proxy.add(letter) }
    #expect(try shelf.backing == array(letters))
    #expect(shelf.takeCalls() == "undefined 1, undefined 2, undefined 3")
  }

  private func swiftHooks() throws {
    let object = Hooks(), proxy = try object.mutableArrayValue(forKey: "foo")
    for letter in ["A", "B", "C"] { try proxy.append(letter) }
    #expect(object.stored as? [String] == ["A", "B", "C"])
  }

  @Test("PRX-08 immutable ivar")
  func immutableIvar() throws {
    let y = try Kept.text("y")
    let shelf = try Shelf(ISA_TEST_IVAR, .collection(KVC_KIND_ARRAY, isMutable: false, [y]))
    let proxy = try shelf.mutableArray()
    #expect(throws: CoreFailure(exception: "NSInvalidArgumentException")) {
      try proxy.add(Kept.text("Whatever"))
    }
    #expect(try shelf.backing == array([y]))
  }

  @Test("PRX-10 set<Key>: tier")
  func setterTier() throws {
    let y = try Kept.text("y"), whatever = try Kept.text("Whatever")
    let shelf = try Shelf(Self.setter, .collection(KVC_KIND_ARRAY, isMutable: false, [y]))
    try shelf.mutableArray().add(whatever)
    #expect(shelf.takeCalls() == "set 2")
    #expect(try shelf.backing == array([y, whatever]))
  }

  @Test("PRX-11 override of KVC", arguments: Kind.allCases)
  func override(kind: Kind) throws {
    if kind == .swift { return try keepingClasses { try swiftOverride() } }
    let y = try Kept.text("y"), whatever = try Kept.text("Whatever")
    let shelf = try Shelf(
      ISA_TEST_OVERRIDES, .collection(KVC_KIND_ARRAY, isMutable: false, [y]))
    try shelf.mutableArray().add(whatever)
    #expect(shelf.takeCalls() == "override 2")
    #expect(shelf.backing?.contains(whatever) == true)
  }

  private func swiftOverride() throws {
    let object = OverridingItems()
    try object.mutableArrayValue(forKey: "items").append("Whatever")
    #expect(object.stored as? [String] == ["y", "Whatever"])
    #expect(object.sets == 1)
  }

  @Test("PRX-13 mutable over countOf/insert")
  func overCountOf() throws {
    let shelf = try Shelf(
      ISA_TEST_READ_ARRAY | ISA_TEST_ONE_BY_ONE, array((0..<10).map { try Kept.number($0) }))
    let proxy = try shelf.mutableArray()
    try proxy.add(Kept.number(10))
    #expect(shelf.takeCalls() == "insert 10")
    #expect(try proxy.object(at: 10) == Kept.number(10))
  }

  @Test("PRX-14 bulk insert/remove on ordered proxy")
  func bulk() throws {
    let shelf = try Shelf(
      ISA_TEST_GETTER | ISA_TEST_ONE_BY_ONE | ISA_TEST_AT_INDEXES,
      .collection(KVC_KIND_ORDERED_SET, (10..<15).map { try Kept.number($0) }))
    let proxy = try shelf.mutableOrderedSet(), five = try array([Kept.number(5)])
    try proxy.insert(Kept.number(1), at: 0)
    #expect(shelf.takeCalls() == "insert 0")
    try proxy.remove(at: 0)
    #expect(shelf.takeCalls() == "remove 0")
    var range = kvc_range(start: 5, count: 1)
    try withUnsafeMutablePointer(to: &range) {
      var indexes = kvc_index_set(ranges: $0, range_count: 1, count: 1)
      try succeed(kvc_ordered_insert_at(proxy.id, five.id, &indexes))
      #expect(shelf.takeCalls() == "insertAt {5}")
      try succeed(kvc_ordered_remove_at(proxy.id, &indexes))
      #expect(shelf.takeCalls() == "removeAt {5}")
    }
  }

  @Test("PRX-16 set proxy equality")
  func setEquality() throws {
    let y = try Kept.text("y"), set = try Kept.collection(KVC_KIND_SET, isMutable: false, [y])
    let proxy = try Shelf(ISA_TEST_READ_SET, set).value()
    #expect(proxy.isProxy && proxy.count == 1)
    #expect(try Kept { kvc_set_copy_member(proxy.id, y.id, $0) } == y)
    #expect(proxy == set && set == proxy)
  }

  @Test("PRX-17 immutable leaf in dictionary chain")
  func dictionaryLeaf() throws {
    let leaf = try Kept.collection(KVC_KIND_ARRAY, isMutable: false, [Kept.text("x")])
    let outer = try dictionary("inner", dictionary("leaf", leaf))
    let proxy = try Kept { kvc_copy_mutable_array_for_path(outer.id, "inner.leaf", $0) }
    #expect(proxy == leaf)
    #expect(throws: CoreFailure.self) { try proxy.add(Kept.text("y")) }
    #expect(proxy.count == 1)
  }

  @Test("PRX-19 basic mutation walk", arguments: Way.allCases)
  func walk(way: Way) throws {
    try keepingClasses {
      let items = try way.items(KVC_KIND_ARRAY, [42])
      let steps: [(edit: ToManyEdit, left: String)] = [
        (.insert([23], at: [1]), "(42, 23)"), (.insert([23], at: [2]), "(42, 23, 23)"),
        (.remove(at: [0]), "(23, 23)"), (.remove(at: [0]), "(23)"), (.remove(at: [0]), "()"),
      ]
      for step in steps {
        try items.make(step.edit)
        #expect(try items.words == step.left)
      }
    }
  }

  @Test("PRX-20 set tier walk", arguments: Way.allCases)
  func setWalk(way: Way) throws {
    try keepingClasses {
      let items = try way.items(KVC_KIND_SET, [42])
      let steps: [(edit: ToManyEdit, left: String)] = [
        (.union([23]), "{23, 42}"), (.union([23]), "{23, 42}"), (.minus([42]), "{23}"),
        (.minus([23]), "{}"),
      ]
      for step in steps {
        try items.make(step.edit)
        #expect(try items.words == step.left)
      }
    }
  }

  private func array(_ objects: [Kept] = []) throws -> Kept {
    try .collection(KVC_KIND_ARRAY, objects)
  }

  private func dictionary(_ key: String, _ value: Kept) throws -> Kept {
    let text = try Kept.text(key), keys: [isa_id?] = [text.id], values: [isa_id?] = [value.id]
    return try withExtendedLifetime((text, value)) {
      try Kept { kvc_dictionary_make(keys, values, 1, $0) }
    }
  }
}

// MARK: - Swift classes

/// A class that keeps an array for every key that it does not know.
private final class Hooks: KVObject {
  var stored: Any? = [String]()

  override func value(forUndefinedKey key: String) -> Any? { stored }
  override func setValue(_ value: Any?, forUndefinedKey key: String) { stored = value }
}

private final class OverridingItems: KVObject {
  var stored: Any? = ["y"]
  var sets = 0

  override func value(forKey key: String) throws(KeyValueError) -> Any? {
    key == "items" ? stored : try super.value(forKey: key)
  }
  override func setValue(_ value: Any?, forKey key: String) throws(KeyValueError) {
    guard key == "items" else { return try super.setValue(value, forKey: key) }
    stored = value
    sets += 1
  }
}
