import CIsa
import CIsaTestSupport
import IsaKVO
import Testing

/// An object with a to-many key `items`, of either kind, that is changed in one way.
protocol ItemsOwner {
  /// Observes `items`.
  func listener(_ options: Int, _ react: @escaping () throws -> Void) throws -> Listener
  /// Observes how many there are.
  func countListener(_ options: Int) throws -> Listener
  func make(_ edit: ToManyEdit) throws
  var words: String { get throws }
}

extension ItemsOwner {
  func listener(_ options: Int = KVO_OPTION_OLD | KVO_OPTION_NEW) throws -> Listener {
    try listener(options) {}
  }
}

/// Of a class made at run time.
struct MadeItems: ItemsOwner {
  let way: Way
  let shelf: Shelf

  func listener(_ options: Int, _ react: @escaping () throws -> Void) throws -> Listener {
    try Listener(shelf, options) { _ in try react() }
  }

  func countListener(_ options: Int) throws -> Listener {
    try Listener(shelf.id, "items.@count", options)
  }

  func make(_ edit: ToManyEdit) throws { try way.make(edit, shelf) }
  var words: String { get throws { try shelf.value().words } }
}

// MARK: - Swift classes

/// The value of a Swift class's to-many property.
protocol ItemsValue {
  init(numbers: [Int])
  var words: String { get }
  mutating func apply(_ edit: ToManyEdit)
  static func change<Owner: ItemsObject>(_ object: Owner, by edit: ToManyEdit) throws
  where Owner.Value == Self
}

protocol ItemsObject: TypedObject {
  associatedtype Value: ItemsValue
  var items: Value { get set }
  static var path: ReferenceWritableKeyPath<Self, Value> { get }
}

/// A Swift object whose collection is changed through a proxy, or by hand.
struct SwiftItems<Owner: ItemsObject>: ItemsOwner {
  let object: Owner
  let isByHand: Bool

  func listener(_ options: Int, _ react: @escaping () throws -> Void) throws -> Listener {
    try Listener(object, Owner.path, options, words: { $0.words }, react: react)
  }

  func countListener(_ options: Int) throws -> Listener {
    let options = ObservationOptions(rawValue: UInt32(options))
    return try Listener { note in
      try object.observe("items.@count", as: Int.self, options: options) { _, change in
        note(ToldWords.line(change) { "\($0)" })
      }
    }
  }

  func make(_ edit: ToManyEdit) throws {
    if isByHand { try edit.announce(object) } else { try Owner.Value.change(object, by: edit) }
  }

  var words: String { object.items.words }
}

/// A change that a Swift closure is told, in the words of a ``Listener``.
enum ToldWords {
  static func line<Value>(_ change: ValueChange<Value>, _ words: (Value) -> String) -> String {
    var parts = change.isPrior ? ["prior"] : []
    parts.append(change.kind.rawValue)
    if change.isInitial { parts.append("initial") }
    if let indexes = change.indexes {
      parts.append("{\(indexes.map(String.init).joined(separator: " "))}")
    }
    if let old = change.oldValue { parts += ["old", words(old)] }
    if let new = change.newValue { parts += ["new", words(new)] }
    return parts.joined(separator: " ")
  }
}

/// Properties with a wrapper.
final class WrappedArray: KVObject, ItemsObject {
  @Dynamic var items: [Int]
  static var path: ReferenceWritableKeyPath<WrappedArray, [Int]> { \WrappedArray.items }
  var properties: [String: TypedProperty] { [:] }

  init(_ items: [Int]) { self.items = items }
}

final class WrappedSet: KVObject, ItemsObject {
  @Dynamic var items: Set<Int>
  static var path: ReferenceWritableKeyPath<WrappedSet, Set<Int>> { \WrappedSet.items }
  var properties: [String: TypedProperty] { [:] }

  init(_ items: Set<Int>) { self.items = items }
}

/// Properties without a wrapper, which are set as a whole.
final class DeclaredArray: KVObject, ItemsObject {
  var items: [Int]
  static var path: ReferenceWritableKeyPath<DeclaredArray, [Int]> { \DeclaredArray.items }
  var properties: [String: TypedProperty] { [:] }

  init(_ items: [Int]) { self.items = items }
  override class var keys: [KeyDeclaration] { [.key("items", path)] }
}

final class DeclaredSet: KVObject, ItemsObject {
  var items: Set<Int>
  static var path: ReferenceWritableKeyPath<DeclaredSet, Set<Int>> { \DeclaredSet.items }
  var properties: [String: TypedProperty] { [:] }

  init(_ items: Set<Int>) { self.items = items }
  override class var keys: [KeyDeclaration] { [.key("items", path)] }
}

/// Properties that are announced by hand.
final class AnnouncedArray: KVObject, ItemsObject {
  @Dynamic var items: [Int]
  static var path: ReferenceWritableKeyPath<AnnouncedArray, [Int]> { \AnnouncedArray.items }
  var properties: [String: TypedProperty] { [:] }

  init(_ items: [Int]) { self.items = items }
  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
}

final class AnnouncedSet: KVObject, ItemsObject {
  @Dynamic var items: Set<Int>
  static var path: ReferenceWritableKeyPath<AnnouncedSet, Set<Int>> { \AnnouncedSet.items }
  var properties: [String: TypedProperty] { [:] }

  init(_ items: Set<Int>) { self.items = items }
  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
}

extension Array: ItemsValue where Element == Int {
  init(numbers: [Int]) { self = numbers }
  var words: String { "(\(map(String.init).joined(separator: ", ")))" }

  mutating func apply(_ edit: ToManyEdit) {
    switch edit {
    case .insert(let numbers, let indexes):
      for (number, index) in zip(numbers, indexes) { insert(number, at: index) }
    case .remove(let indexes): for index in indexes.reversed() { remove(at: index) }
    case .replace(let numbers, let indexes):
      for (number, index) in zip(numbers, indexes) { self[index] = number }
    default: Issue.record("\(edit) is no edit of an array")
    }
  }

  static func change<Owner: ItemsObject>(_ object: Owner, by edit: ToManyEdit) throws
  where Owner.Value == [Int] {
    let proxy = try object.mutableArrayValue(for: Owner.path)
    let named = try object.mutableArrayValue(forKey: "items")
    switch edit {
    case .insert(let numbers, let indexes):
      if numbers.count == 1 { return proxy.insert(numbers[0], at: indexes[0]) }
      try named.insert(contentsOf: numbers.map { RuntimeValue($0) }, at: indexes)
    case .remove(let indexes):
      if indexes.count == 1 { return _ = proxy.remove(at: indexes[0]) }
      try named.remove(at: indexes)
    case .replace(let numbers, let indexes):
      if numbers.count == 1 { return proxy[indexes[0]] = numbers[0] }
      try named.replace(at: indexes, with: numbers.map { RuntimeValue($0) })
    default: Issue.record("\(edit) is no edit of an array")
    }
  }
}

extension Set: ItemsValue where Element == Int {
  init(numbers: [Int]) { self = Set(numbers) }
  var words: String { "{\(map(String.init).sorted().joined(separator: ", "))}" }

  mutating func apply(_ edit: ToManyEdit) {
    switch edit {
    case .union(let numbers): formUnion(numbers)
    case .minus(let numbers): subtract(numbers)
    case .intersect(let numbers): formIntersection(numbers)
    case .set(let numbers): self = Set(numbers)
    default: Issue.record("\(edit) is no edit of a set")
    }
  }

  static func change<Owner: ItemsObject>(_ object: Owner, by edit: ToManyEdit) throws
  where Owner.Value == Set<Int> {
    let proxy = try object.mutableSetValue(for: Owner.path)
    switch edit {
    case .union(let numbers): proxy.formUnion(numbers)
    case .minus(let numbers): proxy.subtract(numbers)
    case .intersect(let numbers): proxy.formIntersection(numbers)
    case .set(let numbers): proxy.setElements(numbers)
    default: Issue.record("\(edit) is no edit of a set")
    }
  }
}

extension ToManyEdit {
  /// Changes a Swift object's collection between the announcements.
  fileprivate func announce<Owner: ItemsObject>(_ object: Owner) throws {
    switch self {
    case .insert(_, let indexes): announce(object, .insertion, indexes)
    case .remove(let indexes): announce(object, .removal, indexes)
    case .replace(_, let indexes): announce(object, .replacement, indexes)
    case .union(let numbers): announce(object, .union, Set(numbers))
    case .minus(let numbers): announce(object, .minus, Set(numbers))
    case .intersect(let numbers): announce(object, .intersect, Set(numbers))
    case .set(let numbers): announce(object, .set, Set(numbers))
    }
  }

  private func announce<Owner: ItemsObject>(
    _ object: Owner, _ kind: ChangeKind, _ indexes: [Int]
  ) {
    object.willChange(kind, valuesAt: indexes, forKey: "items")
    object.items.apply(self)
    object.didChange(kind, valuesAt: indexes, forKey: "items")
  }

  private func announce<Owner: ItemsObject>(
    _ object: Owner, _ mutation: SetMutation, _ numbers: Set<AnyHashable>
  ) {
    object.willChangeValue(forKey: "items", withSetMutation: mutation, using: numbers)
    object.items.apply(self)
    object.didChangeValue(forKey: "items", withSetMutation: mutation, using: numbers)
  }
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

  /// The kinds of ordered collections that there are.
  var orderedKinds: [kvc_kind] {
    isSwift ? [KVC_KIND_ARRAY] : [KVC_KIND_ARRAY, KVC_KIND_ORDERED_SET]
  }

  var isSwift: Bool { [.swiftByHand, .swiftProxy, .swiftProxyOfSetter].contains(self) }

  /// An object with these numbers.
  func items(_ kind: kvc_kind, _ numbers: [Int]) throws -> any ItemsOwner {
    guard isSwift else {
      let backing = try Kept.collection(kind, numbers.map { try Kept.number($0) })
      return MadeItems(way: self, shelf: try makeShelf(backing))
    }
    return kind == KVC_KIND_SET ? swiftSet(Set(numbers)) : swiftArray(numbers)
  }

  private func swiftArray(_ value: [Int]) -> any ItemsOwner {
    switch self {
    case .swiftByHand: SwiftItems(object: AnnouncedArray(value), isByHand: true)
    case .swiftProxy: SwiftItems(object: WrappedArray(value), isByHand: false)
    default: SwiftItems(object: DeclaredArray(value), isByHand: false)
    }
  }

  private func swiftSet(_ value: Set<Int>) -> any ItemsOwner {
    switch self {
    case .swiftByHand: SwiftItems(object: AnnouncedSet(value), isByHand: true)
    case .swiftProxy: SwiftItems(object: WrappedSet(value), isByHand: false)
    default: SwiftItems(object: DeclaredSet(value), isByHand: false)
    }
  }
}
