import Foundation
import IsaKVO
import IsaKVOFoundation
import IsaKVOTestSupport
import Testing

/// A property, an optional one and arrays of one type.
final class ValueHolder<Value: Hashable>: KVObject {
  @Dynamic var item: Value
  @Dynamic var maybe: Value?
  @Dynamic var list: [Value]
  @Dynamic var inner: ValueHolder<Value>?
  @Dynamic var others: [ValueHolder<Value>] = []

  init(_ value: Value) {
    item = value
    maybe = value
    list = [value]
  }
}

/// Sets of one type, Swift's and Foundation's.
final class SetHolder<Value: Hashable>: KVObject {
  @Dynamic var set: Set<Value>
  @Dynamic var bag = NSMutableSet()
  @Dynamic var others: [SetHolder<Value>] = []

  init(_ values: Value..., keys: [String]) {
    set = Set(values)
    if keys.contains("bag") { bag = NSMutableSet(array: values) }
  }
}

/// The results of `@sum` and `@avg` of a first and a second value.
enum ValueArithmetic {
  case exact(sum: String, average: String)
  /// Of texts without digits a sum is not a number, and an average is refused.
  case notNumeric
  case refused
}

/// Whether `@min` and `@max` can compare a first and a second value.
enum ValueOrder {
  case ascending
  /// A collection has no message `compare:`.
  case noMessage
  /// A value that the runtime only holds has the message, and is compared with none.
  case incomparable
}

/// One type: two of its values, what else stands for the second, when two are the same, what the
/// operators do with them, and which properties of a SetHolder can have them as members.
struct ValueRow<Value: Hashable> {
  let first: Value
  let second: Value
  let given: [Any]
  let arithmetic: ValueArithmetic
  let order: ValueOrder
  let setKeys: [String]
  let same: (Value, Value) -> Bool

  /// A type of objects, which stay the same ones.
  init(
    objects first: Value, _ second: Value, adds arithmetic: ValueArithmetic = .refused,
    order: ValueOrder = .ascending
  ) where Value: AnyObject {
    self.init(first, second, [], arithmetic, order, ["set", "bag"]) { $0 === $1 }
  }

  /// A type of values.
  init(
    _ first: Value, _ second: Value, given: [Any] = [], adds arithmetic: ValueArithmetic = .refused,
    order: ValueOrder = .ascending, setKeys: [String] = ["set", "bag"]
  ) {
    self.init(first, second, given, arithmetic, order, setKeys) { $0 == $1 }
  }

  private init(
    _ first: Value, _ second: Value, _ given: [Any], _ arithmetic: ValueArithmetic,
    _ order: ValueOrder,
    _ setKeys: [String], same: @escaping (Value, Value) -> Bool
  ) {
    self.first = first
    self.second = second
    self.given = given
    self.arithmetic = arithmetic
    self.order = order
    self.setKeys = setKeys
    self.same = same
  }

  func isFirst(_ value: Any?) -> Bool { isValue(first, value) }
  func isSecond(_ value: Any?) -> Bool { isValue(second, value) }

  /// Out of Foundation's own collections an object comes as the Swift value that it stands for: it
  /// is equal, and another one.
  func isEqualToFirst(_ value: Any?) -> Bool { isEqual(first, value) }
  func isEqualToSecond(_ value: Any?) -> Bool { isEqual(second, value) }

  private func isEqual(_ expected: Value, _ value: Any?) -> Bool {
    guard let value else { return false }
    if value as? Value == expected { return true }
    return switch expected as Any {
    case let text as NSString: value as? String == text.description
    case let set as NSSet: set.isEqual(value)
    case let ordered as NSOrderedSet: ordered.isEqual(to: NSOrderedSet(array: members(of: value)))
    default: NSArray(array: [value]).isEqual(to: [expected])
    }
  }

  private func isValue(_ expected: Value, _ value: Any?) -> Bool {
    guard let value, let typed = value as? Value else { return false }
    return same(typed, expected)
  }
}

/// A row, whatever its type is: each method is a cell.
protocol AnyValueRow {
  func setByName()
  func readByName()
  func byPath()
  func operators()
  func sums()
  func extremes()
  func changes()
  func arrayProxy()
  func setsByName()
  func setProxy()
  func setOperators()
  func validation() throws
  func nils()
}

extension ValueRow: AnyValueRow {
  func setByName() {
    for value in given + [second as Any] {
      let holder = ValueHolder(first)
      holder.setValue(value, forKey: "item")
      #expect(isSecond(holder.item), "item set to a \(type(of: value))")
      holder.setValue(value, forKey: "maybe")
      #expect(isSecond(holder.maybe), "maybe set to a \(type(of: value))")
      holder.setValue([value], forKey: "list")
      #expect(holder.list.count == 1 && isSecond(holder.list.first), "a \(type(of: value))")
      holder.setValue(NSArray(array: [value]), forKey: "list")
      #expect(holder.list.count == 1 && isEqualToSecond(holder.list.first))
    }
  }

  func readByName() {
    let holder = ValueHolder(second)
    #expect(isSecond(holder.value(forKey: "item")))
    #expect(isSecond(holder.value(forKey: "maybe")))
    #expect(isSecond(holder.dictionaryWithValues(forKeys: ["item"])["item"]))
    let elements = members(of: holder.value(forKey: "list"))
    #expect(elements.count == 1 && isSecond(elements.first))
  }

  func byPath() {
    let holder = ValueHolder(first)
    holder.inner = ValueHolder(first)
    holder.setValue(second, forKeyPath: "inner.item")
    #expect(isSecond(holder.inner?.item))
    #expect(isSecond(holder.value(forKeyPath: "inner.item")))
    holder.setValuesForKeys(["item": second])
    #expect(isSecond(holder.item))
  }

  func changes() {
    let holder = ValueHolder(second), watcher = Watcher()
    holder.addObserver(watcher, forKeyPath: "item", options: [.old, .new], context: nil)
    holder.item = second
    holder.setValue(second, forKey: "item")
    holder.removeObserver(watcher, forKeyPath: "item")
    #expect(watcher.changes.count == 2)
    for change in watcher.changes {
      #expect(isSecond(change[.oldKey]) && isSecond(change[.newKey]))
    }
  }

  func validation() throws {
    var value: Any? = second
    try ValueHolder(first).validateValue(&value, forKey: "item")
    #expect(isSecond(value))
  }

  func nils() {
    let holder = ValueHolder(first), watcher = Watcher()
    holder.addObserver(watcher, forKeyPath: "maybe", options: [.old, .new], context: nil)
    holder.setValue(nil, forKey: "maybe")
    #expect(holder.maybe == nil && holder.value(forKey: "maybe") == nil)
    #expect(watcher.changes.first?[.newKey] is NSNull)
    holder.setValuesForKeys(["maybe": second])
    #expect(isSecond(holder.maybe) && watcher.changes.last?[.oldKey] is NSNull)
    holder.removeObserver(watcher, forKeyPath: "maybe")
    let misuses = reports { holder.setValue(nil, forKey: "item") }
    #expect(misuses.map(\.exception) == ["NSInvalidArgumentException"])
  }
}

/// The elements of an array or a set, as Swift or Foundation has it.
func members(of collection: Any?) -> [Any] {
  switch collection {
  case let array as [Any]: array
  case let set as Set<AnyHashable>: set.map(\.base)
  default: []
  }
}
