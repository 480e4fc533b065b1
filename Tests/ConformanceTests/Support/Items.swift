import CIsa
import CIsaTestSupport
import IsaKVO
import IsaKVOTestSupport
import Testing

/// An object with a to-many key `items`, of either kind, that is changed in one way.
protocol ItemsOwner {
  /// Observes `items`.
  func listener(_ options: Int, _ react: @escaping () throws -> Void) throws -> Listener
  /// Observes how many there are.
  func countListener(_ options: Int) throws -> Listener
  /// Observes `things`, which are what the items are, and depend on them.
  func thingsListener(_ options: Int) throws -> Listener

  /// Makes a change in the owner's way.
  func make(_ edit: ToManyEdit) throws
  /// Announces a change by hand, runs `body`, and ends it.
  func announce(_ edit: ToManyEdit, _ body: () throws -> Void) throws
  /// Gives it a collection instead of its own, and tells of that.
  func set(_ numbers: [Int]) throws
  /// The same by key.
  func setByKey(_ numbers: [Int]) throws
  /// Gives it a collection instead of its own, and tells nobody, nor does its class.
  func write(_ numbers: [Int]) throws
  /// Changes the collection where it is.
  func changeInPlace(_ edit: ToManyEdit) throws

  func proxy() throws -> any ItemsProxy
  /// The proxy for an array, and the array, as objects.
  func objects() throws -> (proxy: Kept, array: Kept)
  /// An object that leads to this one.
  func root() throws -> any ItemsRoot
  var words: String { get throws }
  /// The accessors called so far, which are forgotten.
  func takeCalls() -> String
}

extension ItemsOwner {
  func listener(_ options: Int = KVO_OPTION_OLD | KVO_OPTION_NEW) throws -> Listener {
    try listener(options) {}
  }
}

/// A mutable collection that stands for a key.
protocol ItemsProxy {
  func make(_ edit: ToManyEdit) throws
  func add(_ number: Int) throws
  func removeAll() throws
  var words: String { get }
}

/// An object whose key `child` is an owner of items.
protocol ItemsRoot {
  /// Observes `child.items`.
  func listener(_ options: Int) throws -> Listener
  /// The proxy for `child.items`.
  func proxy() throws -> any ItemsProxy
  func forgetChild() throws
}

// MARK: - Classes made at run time

struct MadeItems: ItemsOwner {
  let way: Way
  let shelf: Shelf
  let kind: kvc_kind

  func listener(_ options: Int, _ react: @escaping () throws -> Void) throws -> Listener {
    try Listener(shelf, options) { _ in try react() }
  }

  func countListener(_ options: Int) throws -> Listener {
    try Listener(shelf.id, "items.@count", options)
  }

  func thingsListener(_ options: Int) throws -> Listener {
    let cls = isa_object_get_class(shelf.id)
    let keys = try Kept.collection(KVC_KIND_ARRAY, [.text("items")])
    try succeed(kvo_class_set_keys(cls, keys.id, "things"))
    let things: @convention(c) (isa_id?, isa_sel?) -> isa_id? = { shelf, _ in
      isa_test_to_many_backing(shelf)
    }
    try succeed(
      isa_class_add_method(
        cls, isa_sel_register("things"), unsafeBitCast(things, to: isa_imp.self), "@@:"))
    return try Listener(shelf.id, "things", options)
  }

  func make(_ edit: ToManyEdit) throws {
    switch way {
    case .byHand: try announce(edit) { try changeInPlace(edit) }
    case .accessors: try edit.callAccessor(of: shelf)
    default: try proxy().make(edit)
    }
  }

  func announce(_ edit: ToManyEdit, _ body: () throws -> Void) throws {
    try edit.announce(shelf.id, "items", body)
  }

  func set(_ numbers: [Int]) throws {
    if way == .proxyOfSetter { return try shelf.send("setItems:", collection(numbers)) }
    try succeed(kvo_will_change(shelf.id, "items"))
    try write(numbers)
    try succeed(kvo_did_change(shelf.id, "items"))
  }

  func setByKey(_ numbers: [Int]) throws {
    let collection = try collection(numbers)
    try withExtendedLifetime(collection) {
      try succeed(kvc_set_value(shelf.id, "items", collection.id))
    }
  }

  func write(_ numbers: [Int]) throws { shelf.backing = try collection(numbers) }

  func changeInPlace(_ edit: ToManyEdit) throws { try edit.apply(to: #require(shelf.backing)) }

  private func collection(_ numbers: [Int]) throws -> Kept {
    try .collection(kind, numbers.map { try Kept.number($0) })
  }

  func proxy() throws -> any ItemsProxy {
    switch kind {
    case KVC_KIND_ARRAY: MadeProxy(collection: try shelf.mutableArray())
    case KVC_KIND_ORDERED_SET: MadeProxy(collection: try shelf.mutableOrderedSet())
    default: MadeProxy(collection: try shelf.mutableSet())
    }
  }

  func objects() throws -> (proxy: Kept, array: Kept) {
    (try shelf.mutableArray(), try shelf.value())
  }

  func root() throws -> any ItemsRoot { try MadeRoot(shelf, kind) }
  var words: String { get throws { try shelf.value().words } }
  func takeCalls() -> String { shelf.takeCalls() }
}

struct MadeProxy: ItemsProxy {
  let collection: Kept

  func make(_ edit: ToManyEdit) throws { try edit.apply(to: collection) }
  func add(_ number: Int) throws { try collection.add(.number(number)) }
  func removeAll() throws { try succeed(kvc_collection_remove_all(collection.id)) }
  var words: String { collection.words }
}

/// A dictionary.
struct MadeRoot: ItemsRoot {
  private let dictionary: Kept
  private let kind: kvc_kind

  init(_ shelf: Shelf, _ kind: kvc_kind) throws {
    dictionary = try Kept { kvc_mutable_dictionary_make(nil, nil, 0, $0) }
    self.kind = kind
    try succeed(kvc_set_value(dictionary.id, "child", shelf.id))
  }

  func listener(_ options: Int) throws -> Listener {
    try Listener(dictionary.id, "child.items", options) { [id = dictionary.id] change in
      #expect(change.object == id && String(cString: change.key_path) == "child.items")
    }
  }

  func proxy() throws -> any ItemsProxy {
    let isSet = kind == KVC_KIND_SET
    let copy = isSet ? kvc_proxy_make_set_for_path : kvc_proxy_make_array_for_path
    return MadeProxy(collection: try Kept { copy(dictionary.id, "child.items", $0) })
  }

  // The shelf's class goes with the shelf, which nobody may hold then.
  func forgetChild() throws { try succeed(kvc_set_value(dictionary.id, "child", nil)) }
}

// MARK: - Ways

extension Way {
  /// The way of a Swift class that is most like this one of a class made at run time.
  func on(_ kind: Kind) -> Way {
    if kind == .runtime { return self }
    return switch self {
    case .byHand: .swiftByHand
    case .proxyOfSetter: .swiftProxyOfSetter
    default: .swiftProxy
    }
  }

  /// Those that change by proxies.
  static var proxies: [Way] {
    allCases.filter { ![.byHand, .accessors, .swiftByHand].contains($0) }
  }

  /// The kinds of ordered collections that there are.
  var orderedKinds: [kvc_kind] {
    isSwift ? [KVC_KIND_ARRAY] : [KVC_KIND_ARRAY, KVC_KIND_ORDERED_SET]
  }

  /// Those of all collections.
  var kinds: [kvc_kind] { orderedKinds + [KVC_KIND_SET] }

  var isSwift: Bool { [.swiftByHand, .swiftProxy, .swiftProxyOfSetter].contains(self) }

  /// Whether there is such a change: a setter of a whole set is no accessor for elements, see rule
  /// 8.2.1.
  func has(_ edit: ToManyEdit) -> Bool {
    if self == .accessors, case .set = edit { false } else { true }
  }

  /// An object with these numbers; nil for no collection at all.
  ///
  /// - Parameters:
  ///   - accessors: The accessors that a class made at run time has besides.
  ///   - isMutable: Whether the collection of a class made at run time can change; Swift's is a
  ///     value.
  func items(
    _ kind: kvc_kind, _ numbers: [Int]?, besides accessors: Int = 0, isMutable: Bool = true
  ) throws -> any ItemsOwner {
    if isSwift { return kind == KVC_KIND_SET ? swiftSet(numbers) : swiftArray(numbers) }
    let backing = try numbers.map {
      try Kept.collection(kind, isMutable: isMutable, $0.map { try Kept.number($0) })
    }
    return MadeItems(
      way: self, shelf: try Shelf(self.accessors | accessors, backing), kind: kind)
  }
}
