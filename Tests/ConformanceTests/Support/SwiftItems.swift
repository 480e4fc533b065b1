// Owners of items that are Swift objects.
import CIsa
import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

/// The value of a Swift class's to-many property.
protocol ItemsValue {
  init(numbers: [Int])
  var words: String { get }
  mutating func apply(_ edit: ToManyEdit)
  static func proxy<Owner: ItemsObject>(of object: Owner) throws -> any ItemsProxy
  where Owner.Value == Self
  /// The proxy at the end of a key path.
  static func proxy(_ object: KVObject, named keyPath: String) throws -> any ItemsProxy
}

protocol ItemsObject: TypedObject {
  associatedtype Value: ItemsValue
  var items: Value { get set }
  /// Sets the items so that observers are told.
  func set(_ items: Value) throws
  /// The accessors called so far, which are forgotten.
  func takeCalls() -> String
  static var path: ReferenceWritableKeyPath<Self, Value> { get }
}

extension ItemsObject {
  var properties: [String: TypedProperty] { [:] }
  func set(_ items: Value) throws { self.items = items }
  func takeCalls() -> String { "" }
}

/// A Swift object whose collection is changed through a proxy, or by hand.
struct SwiftItems<Owner: ItemsObject>: ItemsOwner {
  let object: Owner
  let isByHand: Bool

  init(_ object: Owner, isByHand: Bool = false) {
    self.object = object
    self.isByHand = isByHand
  }

  func listener(_ options: Int, _ react: @escaping () throws -> Void) throws -> Listener {
    try Listener(object, Owner.path, options, words: { $0.words }, react: react)
  }

  func countListener(_ options: Int) throws -> Listener {
    try Listener(object, named: "items.@count", options) { (count: Int) in "\(count)" }
  }

  func thingsListener(_ options: Int) throws -> Listener {
    try Listener(object, named: "things", options) { (things: Owner.Value) in things.words }
  }

  func make(_ edit: ToManyEdit) throws {
    if !isByHand { return try proxy().make(edit) }
    try announce(edit) { try changeInPlace(edit) }
  }

  func set(_ numbers: [Int]) throws {
    if !isByHand { return try object.set(Owner.Value(numbers: numbers)) }
    object.willChangeValue(forKey: "items")
    try write(numbers)
    object.didChangeValue(forKey: "items")
  }

  func setByKey(_ numbers: [Int]) throws {
    try object.setValue(Owner.Value(numbers: numbers), forKey: "items")
  }

  func write(_ numbers: [Int]) throws { object.items = Owner.Value(numbers: numbers) }
  func changeInPlace(_ edit: ToManyEdit) throws { object.items.apply(edit) }
  func proxy() throws -> any ItemsProxy { try Owner.Value.proxy(of: object) }

  func objects() throws -> (proxy: Kept, array: Kept) {
    let proxy = try object.mutableArrayValue(forKey: "items").object
    let array = try #require(RuntimeValue(any: try object.value(forKey: "items")).object)
    return (Kept(retaining: proxy.id), Kept(retaining: array.id))
  }

  func root() throws -> any ItemsRoot { SwiftRoot<Owner.Value>(object) }
  var words: String { object.items.words }
  func takeCalls() -> String { object.takeCalls() }
}

extension SwiftItems {
  func announce(_ edit: ToManyEdit, _ body: () throws -> Void) throws {
    switch edit {
    case .insert(_, let indexes): try announce(.insertion, indexes, body)
    case .remove(let indexes): try announce(.removal, indexes, body)
    case .replace(_, let indexes): try announce(.replacement, indexes, body)
    case .union(let numbers): try announce(.union, Set(numbers), body)
    case .minus(let numbers): try announce(.minus, Set(numbers), body)
    case .intersect(let numbers): try announce(.intersect, Set(numbers), body)
    case .set(let numbers): try announce(.set, Set(numbers), body)
    }
  }

  private func announce(_ kind: ChangeKind, _ indexes: [Int], _ body: () throws -> Void) throws {
    object.willChange(kind, valuesAt: indexes, forKey: "items")
    try body()
    object.didChange(kind, valuesAt: indexes, forKey: "items")
  }

  private func announce(
    _ mutation: SetMutation, _ numbers: Set<AnyHashable>, _ body: () throws -> Void
  ) throws {
    object.willChangeValue(forKey: "items", withSetMutation: mutation, using: numbers)
    try body()
    object.didChangeValue(forKey: "items", withSetMutation: mutation, using: numbers)
  }
}

/// A Swift object whose child has items.
struct SwiftRoot<Value: ItemsValue>: ItemsRoot {
  private let parent: Parent

  private final class Parent: KVObject, TypedObject {
    @Dynamic var child: KVObject?
    var properties: [String: TypedProperty] { [:] }

    init(_ child: KVObject) { self.child = child }
  }

  init(_ child: KVObject) { parent = Parent(child) }

  func listener(_ options: Int) throws -> Listener {
    try Listener(parent, named: "child.items", options) { (items: Value) in items.words }
  }

  func proxy() throws -> any ItemsProxy { try Value.proxy(parent, named: "child.items") }
  func forgetChild() throws { parent.child = nil }
}

// MARK: - Notifications

extension Listener {
  /// Observes a key path of a Swift object by name.
  convenience init<Value>(
    _ object: some TypedObject, named keyPath: String, _ options: Int,
    words: @escaping (Value) -> String
  ) throws {
    let options = ObservationOptions(rawValue: UInt(options))
    try self.init { note in
      try object.observe(keyPath, as: Value.self, options: options) { told, change in
        #expect(told === object && change.keyPath == keyPath)
        note(ToldWords.line(change, words))
      }
    }
  }
}

/// A change that a Swift closure is told, in the words of a ``Listener``.
enum ToldWords {
  static func line<Value>(_ change: ValueChange<Value>, _ words: (Value) -> String) -> String {
    var parts = change.isPrior ? ["prior"] : []
    parts.append("\(change.kind)")
    if change.isInitial { parts.append("initial") }
    if let indexes = change.indexes {
      parts.append("{\(indexes.map(String.init).joined(separator: " "))}")
    }
    if let old = change.oldValue { parts += ["old", words(old)] }
    if let new = change.newValue { parts += ["new", words(new)] }
    return parts.joined(separator: " ")
  }
}

// MARK: - Classes

/// Properties with a wrapper.
final class WrappedArray: KVObject, ItemsObject {
  @Dynamic var items: [Int]
  var things: [Int] { items }
  static var path: ReferenceWritableKeyPath<WrappedArray, [Int]> { \WrappedArray.items }

  init(_ items: [Int]) { self.items = items }
  override class var keys: [KeyDeclaration] {
    [.key("things", \WrappedArray.things, affectedBy: [path])]
  }
}

final class WrappedSet: KVObject, ItemsObject {
  @Dynamic var items: Set<Int>
  static var path: ReferenceWritableKeyPath<WrappedSet, Set<Int>> { \WrappedSet.items }

  init(_ items: Set<Int>) { self.items = items }
}

/// Properties without a wrapper, which are set as a whole.
final class DeclaredArray: KVObject, ItemsObject {
  var items: [Int] { didSet { calls.append("set \(items.count)") } }
  var things: [Int] { items }
  private var calls: [String] = []
  static var path: ReferenceWritableKeyPath<DeclaredArray, [Int]> { \DeclaredArray.items }

  init(_ items: [Int]) { self.items = items }
  override class var keys: [KeyDeclaration] {
    [.key("items", path), .key("things", \DeclaredArray.things, affectedBy: [path])]
  }

  func set(_ items: [Int]) throws { try setValue(items, forKey: "items") }

  func takeCalls() -> String {
    defer { calls = [] }
    return calls.joined(separator: ", ")
  }
}

final class DeclaredSet: KVObject, ItemsObject {
  var items: Set<Int>
  static var path: ReferenceWritableKeyPath<DeclaredSet, Set<Int>> { \DeclaredSet.items }

  init(_ items: Set<Int>) { self.items = items }
  override class var keys: [KeyDeclaration] { [.key("items", path)] }

  func set(_ items: Set<Int>) throws { try setValue(items, forKey: "items") }
}

/// Properties that are announced by hand.
final class AnnouncedArray: KVObject, ItemsObject {
  @Dynamic var items: [Int]
  var things: [Int] { items }
  static var path: ReferenceWritableKeyPath<AnnouncedArray, [Int]> { \AnnouncedArray.items }

  init(_ items: [Int]) { self.items = items }
  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
  override class var keys: [KeyDeclaration] {
    [.key("things", \AnnouncedArray.things, affectedBy: [path])]
  }
}

final class AnnouncedSet: KVObject, ItemsObject {
  @Dynamic var items: Set<Int>
  static var path: ReferenceWritableKeyPath<AnnouncedSet, Set<Int>> { \AnnouncedSet.items }

  init(_ items: Set<Int>) { self.items = items }
  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
}

/// Properties that may have no collection.
final class OptionalArray: KVObject, ItemsObject {
  @Dynamic var items: [Int]?
  static var path: ReferenceWritableKeyPath<OptionalArray, [Int]?> { \OptionalArray.items }
}

final class OptionalSet: KVObject, ItemsObject {
  @Dynamic var items: Set<Int>?
  static var path: ReferenceWritableKeyPath<OptionalSet, Set<Int>?> { \OptionalSet.items }
}

extension Way {
  func swiftArray(_ value: [Int]?) -> any ItemsOwner {
    guard let value else { return SwiftItems(OptionalArray()) }
    return switch self {
    case .swiftByHand: SwiftItems(AnnouncedArray(value), isByHand: true)
    case .swiftProxy: SwiftItems(WrappedArray(value))
    default: SwiftItems(DeclaredArray(value))
    }
  }

  func swiftSet(_ value: [Int]?) -> any ItemsOwner {
    guard let value = value.map({ Set($0) }) else { return SwiftItems(OptionalSet()) }
    return switch self {
    case .swiftByHand: SwiftItems(AnnouncedSet(value), isByHand: true)
    case .swiftProxy: SwiftItems(WrappedSet(value))
    default: SwiftItems(DeclaredSet(value))
    }
  }
}

// MARK: - Values

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

  static func proxy<Owner: ItemsObject>(of object: Owner) throws -> any ItemsProxy
  where Owner.Value == [Int] {
    TypedArray(
      array: object.mutableArrayValue(for: Owner.path),
      named: NamedArray(array: try object.mutableArrayValue(forKey: "items")))
  }

  static func proxy(_ object: KVObject, named keyPath: String) throws -> any ItemsProxy {
    NamedArray(array: try object.mutableArrayValue(forKeyPath: keyPath))
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

  static func proxy<Owner: ItemsObject>(of object: Owner) throws -> any ItemsProxy
  where Owner.Value == Set<Int> {
    TypedSet(set: object.mutableSetValue(for: Owner.path))
  }

  static func proxy(_ object: KVObject, named keyPath: String) throws -> any ItemsProxy {
    NamedSet(set: try object.mutableSetValue(forKeyPath: keyPath))
  }
}

extension Optional: ItemsValue where Wrapped: ItemsValue {
  init(numbers: [Int]) { self = Wrapped(numbers: numbers) }
  var words: String { self?.words ?? "nil" }
  mutating func apply(_ edit: ToManyEdit) { self?.apply(edit) }

  static func proxy<Owner: ItemsObject>(of object: Owner) throws -> any ItemsProxy
  where Owner.Value == Self {
    try proxy(object, named: "items")
  }

  static func proxy(_ object: KVObject, named keyPath: String) throws -> any ItemsProxy {
    try Wrapped.proxy(object, named: keyPath)
  }
}

// MARK: - Proxies

/// An array by its property; many indexes at once, which only names can say, are said by name.
private struct TypedArray: ItemsProxy {
  let array: ArrayProxy<Int>
  let named: NamedArray

  func make(_ edit: ToManyEdit) throws {
    switch edit {
    case .insert(let numbers, let indexes) where numbers.count == 1:
      array.insert(numbers[0], at: indexes[0])
    case .remove(let indexes) where indexes.count == 1: array.remove(at: indexes[0])
    case .replace(let numbers, let indexes) where numbers.count == 1:
      array[indexes[0]] = numbers[0]
    default: try named.make(edit)
    }
  }

  func add(_ number: Int) throws { array.append(number) }
  func removeAll() throws { array.removeAll() }
  var words: String { array.elements.words }
}

struct NamedArray: ItemsProxy {
  let array: MutableArrayProxy

  func make(_ edit: ToManyEdit) throws {
    switch edit {
    case .insert(let numbers, let indexes):
      try array.insert(contentsOf: numbers.map { RuntimeValue($0) }, at: indexes)
    case .remove(let indexes): try array.remove(at: indexes)
    case .replace(let numbers, let indexes):
      try array.replace(at: indexes, with: numbers.map { RuntimeValue($0) })
    default: Issue.record("\(edit) is no edit of an array")
    }
  }

  func add(_ number: Int) throws { try array.append(number) }
  func removeAll() throws { try array.removeAll() }
  var words: String { array.compactMap(\.int).words }
}

private struct TypedSet: ItemsProxy {
  let set: SetProxy<Int>

  func make(_ edit: ToManyEdit) throws {
    switch edit {
    case .union(let numbers): set.formUnion(numbers)
    case .minus(let numbers): set.subtract(numbers)
    case .intersect(let numbers): set.formIntersection(numbers)
    case .set(let numbers): set.setElements(numbers)
    default: Issue.record("\(edit) is no edit of a set")
    }
  }

  func add(_ number: Int) throws { set.insert(number) }
  func removeAll() throws { set.removeAll() }
  var words: String { self.set.elements.words }
}

private struct NamedSet: ItemsProxy {
  let set: MutableSetProxy

  func make(_ edit: ToManyEdit) throws {
    switch edit {
    case .union(let numbers): try set.formUnion(numbers.map { RuntimeValue($0) })
    case .minus(let numbers): try set.subtract(numbers.map { RuntimeValue($0) })
    case .intersect(let numbers): try set.formIntersection(numbers.map { RuntimeValue($0) })
    case .set(let numbers): try set.setElements(numbers.map { RuntimeValue($0) })
    default: Issue.record("\(edit) is no edit of a set")
    }
  }

  func add(_ number: Int) throws { try set.insert(number) }
  func removeAll() throws { try set.removeAll() }
  var words: String { Set(self.set.compactMap(\.int)).words }
}
