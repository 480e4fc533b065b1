// Values in the types that Apple's key-value coding and observing have them in. Swift casts out of
// them as it does there: an NSNumber to every type of number that holds it.
import Foundation
internal import IsaKVO

/// A value as code written for Foundation expects it: a number as an `NSNumber`.
func foundationValue(_ value: Any?) -> Any? {
  guard let value else { return nil }
  // The exact type is asked for, since every number casts to NSNumber, and that to every number.
  switch type(of: value) {
  case is Bool.Type: return NSNumber(value: value as! Bool)
  case is Int.Type: return NSNumber(value: value as! Int)
  case is UInt.Type: return NSNumber(value: value as! UInt)
  case is Double.Type: return NSNumber(value: value as! Double)
  case is Float.Type: return NSNumber(value: value as! Float)
  case is KeyValueNull.Type: return NSNull()
  case is [Any].Type: return (value as! [Any]).map { foundationValue($0) ?? NSNull() }
  default: return value
  }
}

/// A value that code written for Foundation gives, in Swift's own types.
func swiftValue(_ value: Any?) -> Any? {
  guard let value, type(of: value) is AnyClass else { return value }
  switch value {
  case let text as NSString: return text.description
  case let number as NSNumber: return swiftNumber(number)
  case let array as NSArray: return array.map { swiftElement($0) ?? KeyValueNull() }
  case let set as NSSet: return Set(set.allObjects.compactMap { swiftValue($0) as? AnyHashable })
  default: return value
  }
}

/// The same for an element of a collection, where `NSNull` stands for nil.
func swiftElement(_ element: Any) -> Any? { element is NSNull ? nil : swiftValue(element) }

private func swiftNumber(_ number: NSNumber) -> Any {
  switch String(cString: number.objCType) {
  case "f", "d": number.doubleValue
  case "Q": number.uint64Value
  default: number.int64Value
  }
}

/// Puts the dictionary of a change into Foundation's types.
func foundationForm(_ change: inout [ChangeKey: Any]) {
  for (key, value) in change {
    let indexes = key == .indexesKey ? value as? [Int] : nil
    change[key] = indexes.map { NSIndexSet(indexSet: IndexSet($0)) } ?? foundationValue(value)
  }
}
