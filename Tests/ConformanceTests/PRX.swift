import CIsa
import CIsaTestSupport
import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite("PRX: mutable and read-only collection proxies", .serialized, .leavesNothing)
struct CollectionProxies {
  @Test("PRX-01 proxy class", arguments: Kind.allCases)
  func proxyClass(kind: Kind) throws {
    try keepingClasses {
      for way in kind == .runtime ? Way.proxies.filter({ !$0.isSwift }) : [.swiftProxy] {
        let (proxy, array) = try way.items(KVC_KIND_ARRAY, [1]).objects()
        #expect(kvc_is_mutable(proxy.id) && proxy.kind == KVC_KIND_ARRAY && proxy.count == 1)
        #expect(proxy == array && array == proxy && proxy.id != array.id)
      }
    }
  }

  @Test("PRX-02 proxy is live", arguments: Kind.allCases)
  func live(kind: Kind) throws {
    try keepingClasses {
      let items = try Way.proxyOfSetter.on(kind).items(KVC_KIND_ARRAY, [])
      let proxy = try items.proxy()
      try items.set([42])
      #expect(try proxy.words == "(42)" && items.words == "(42)")
      try items.changeInPlace(.insert([32], at: [0]))
      #expect(try proxy.words == "(32, 42)" && items.words == "(32, 42)")
    }
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
    let proxy = try Kept { kvc_proxy_make_array(dictionary.id, "new", $0) }
    try proxy.add(Kept.text("Hello"))
    let key = try Kept.text("new")
    let made = try Kept { kvc_dictionary_copy_value(dictionary.id, key.id, $0) }
    #expect(try made == array([Kept.text("Hello")]))
  }

  @Test("PRX-07 undefined-key hook as storage", arguments: Kind.allCases)
  func undefinedKeyHooks(kind: Kind) throws {
    try onStage(kind) { stage in
      let stored = Stored([])
      let object = try stage.make("Hooks", Hooks(stored)) {
        try $0.undefinedKeys(
          get: { _, _ in stored.value }, set: { _, value, _ in stored.set(value) })
      }
      let proxy = try object.mutableArrayValue(forKey: "foo")
      for letter in ["A", "B", "C"] { try proxy.append(letter) }
      #expect(stored.sets == ["(A)", "(A, B)", "(A, B, C)"])
    }
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

  @Test("PRX-10 set<Key>: tier", arguments: Kind.allCases)
  func setterTier(kind: Kind) throws {
    try keepingClasses {
      let items = try Way.proxyOfSetter.on(kind).items(KVC_KIND_ARRAY, [1], isMutable: false)
      try items.proxy().add(2)
      #expect(items.takeCalls() == "set 2")
      #expect(try items.words == "(1, 2)")
    }
  }

  @Test("PRX-11 override of KVC", arguments: Kind.allCases)
  func override(kind: Kind) throws {
    try onStage(kind) { stage in
      let stored = Stored(["y"])
      let object = try stage.make("Overriding", OverridingItems(stored)) {
        try $0.keys(
          get: { _, key in key == "items" ? stored.value : nil },
          set: { _, value, key in key == "items" && stored.set(value) })
      }
      try object.mutableArrayValue(forKey: "items").append("Whatever")
      #expect(stored.sets == ["(y, Whatever)"])
    }
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
      try succeed(kvc_ordered_insert_many(proxy.id, five.id, &indexes))
      #expect(shelf.takeCalls() == "insertAt {5}")
      try succeed(kvc_ordered_remove_many(proxy.id, &indexes))
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

  @Test("PRX-17 immutable leaf in dictionary chain", arguments: Kind.allCases)
  func dictionaryLeaf(kind: Kind) throws {
    try onStage(kind) { stage in
      let outer = try Sample.dictionary([("inner", ["leaf": [1]])])
        .receiver(kind, isMutable: false)
      let proxy = try outer.mutableArray("inner.leaf")
      #expect(proxy.words == "(1)")
      #expect(try raised { try proxy.add(2) } == "NSUnknownKeyException")
      #expect(proxy.words == "(1)")
    }
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
}

// MARK: - Classes that keep an array in their own way

/// The array behind such a class, and each value that was set, in words.
private final class Stored: Sendable {
  private let shared: Shared<RuntimeValue>
  private let notes = Recorder<String>()

  init(_ values: [RuntimeValue]) { shared = Shared(.array(values)) }

  var value: RuntimeValue { shared.value }
  var sets: [String] { notes.all }

  @discardableResult
  func set(_ value: RuntimeValue) -> Bool {
    notes.add(words(for: value))
    shared.value = value
    return true
  }
}

/// A class that keeps an array for every key that it does not know.
private final class Hooks: KVObject, TypedObject {
  private let stored: Stored
  var properties: [String: TypedProperty] { [:] }

  init(_ stored: Stored) { self.stored = stored }

  override func value(forUndefinedKey key: String) -> Any? { stored.value.any }
  override func setValue(_ value: Any?, forUndefinedKey key: String) {
    stored.set(RuntimeValue(any: value))
  }
}

private final class OverridingItems: KVObject, TypedObject {
  private let stored: Stored
  var properties: [String: TypedProperty] { [:] }

  init(_ stored: Stored) { self.stored = stored }

  override func value(forKey key: String) throws(KeyValueError) -> Any? {
    key == "items" ? stored.value.any : try super.value(forKey: key)
  }
  override func setValue(_ value: Any?, forKey key: String) throws(KeyValueError) {
    guard key == "items" else { return try super.setValue(value, forKey: key) }
    stored.set(RuntimeValue(any: value))
  }
}
