// Values in the types that Apple's key-value coding and observing have them in. Swift casts out of
// them as it does there: an NSNumber to every type of number that holds it.
package import Foundation
package import IsaKVO
internal import IsaKeyValue

/// A value as code written for Foundation expects it: a number as an `NSNumber`, a decimal as an
/// `NSDecimalNumber`, a rectangle as an `NSValue`. Foundation's own objects are themselves. Nil is nil
/// in an optional of any depth.
func foundationValue(_ value: Any?) -> Any? {
  guard let value else { return nil }
  func convert<Given>(_ given: Given) -> Any? {
    // The usual ones by identity: the cast looks for a conformance each time.
    if Given.self == String.self { return given }
    if let number = same(given, as: Int.self) { return number.foundationObject }
    if let number = same(given, as: UInt.self) { return number.foundationObject }
    if let number = same(given, as: Double.self) { return number.foundationObject }
    if let truth = same(given, as: Bool.self) { return truth.foundationObject }
    guard let convertible = given as? any FoundationConvertible else { return given }
    return convertible.foundationObject
  }
  return _openExistential(value, do: convert)
}

/// The same in a collection or a change, where null stands for nil.
func foundationElement(_ value: Any?) -> Any { foundationValue(value) ?? NSNull() }

/// A Swift type that Foundation has another one for.
private protocol FoundationConvertible {
  /// Nil for nil only.
  var foundationObject: Any? { get }
}

extension Optional: FoundationConvertible {
  fileprivate var foundationObject: Any? { foundationValue(map { $0 as Any }) }
}

extension Bool: FoundationConvertible {
  fileprivate var foundationObject: Any? { NSNumber(value: self) }
}

extension FoundationConvertible where Self: SignedInteger & FixedWidthInteger {
  fileprivate var foundationObject: Any? { NSNumber(value: Int64(self)) }
}

extension FoundationConvertible where Self: UnsignedInteger & FixedWidthInteger {
  fileprivate var foundationObject: Any? { NSNumber(value: UInt64(self)) }
}

extension Int: FoundationConvertible {}
extension Int8: FoundationConvertible {}
extension Int16: FoundationConvertible {}
extension Int32: FoundationConvertible {}
extension Int64: FoundationConvertible {}
extension UInt: FoundationConvertible {}
extension UInt8: FoundationConvertible {}
extension UInt16: FoundationConvertible {}
extension UInt32: FoundationConvertible {}
extension UInt64: FoundationConvertible {}

extension Float: FoundationConvertible {
  fileprivate var foundationObject: Any? { NSNumber(value: self) }
}

extension Double: FoundationConvertible {
  fileprivate var foundationObject: Any? { NSNumber(value: self) }
}

extension CGFloat: FoundationConvertible {
  fileprivate var foundationObject: Any? { NSNumber(value: Double(self)) }
}

extension Decimal: FoundationConvertible {
  fileprivate var foundationObject: Any? { NSDecimalNumber(decimal: self) }
}

extension KeyValueNull: FoundationConvertible {
  fileprivate var foundationObject: Any? { NSNull() }
}

#if !canImport(ObjectiveC)
  extension CGRect: FoundationConvertible {
    fileprivate var foundationObject: Any? { NSValue(rect: self) }
  }

  extension CGPoint: FoundationConvertible {
    fileprivate var foundationObject: Any? { NSValue(point: self) }
  }

  extension CGSize: FoundationConvertible {
    fileprivate var foundationObject: Any? { NSValue(size: self) }
  }
#endif

extension NSRange: FoundationConvertible {
  fileprivate var foundationObject: Any? { NSValue(range: self) }
}

extension Array: FoundationConvertible {
  fileprivate var foundationObject: Any? {
    hasOther(Element.self) ? map(foundationElement) : self
  }
}

extension Dictionary: FoundationConvertible {
  fileprivate var foundationObject: Any? {
    hasOther(Value.self) ? mapValues(foundationElement) : self
  }
}

extension Set: FoundationConvertible {
  // Members that are numbers stay: Foundation here cannot hash each of its own.
  fileprivate var foundationObject: Any? {
    let null = AnyHashable(KeyValueNull())
    guard Element.self == AnyHashable.self, var members = self as Any as? Set<AnyHashable>,
      members.remove(null) != nil
    else { return self }
    members.insert(NSNull())
    return members
  }
}

/// Whether elements of a type may have to become something else.
private func hasOther(_ type: Any.Type) -> Bool {
  type == Any.self || type is any FoundationConvertible.Type
}

// MARK: - Changes

extension KVObject: ForeignNaming {
  /// A value in the dictionary of a change in Foundation's types.
  package static func foreignForm(of value: Any, for key: ChangeKey) -> Any {
    let indexes = key == .indexesKey ? value as? [Int] : nil
    return indexes.map { NSIndexSet(indexSet: IndexSet($0)) } ?? foundationElement(value)
  }

  package static func foreignNumber(_ digits: String) -> Any? {
    digits == "NaN" ? Decimal.nan : Decimal(string: digits)
  }
}
