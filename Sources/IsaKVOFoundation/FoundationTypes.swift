// Foundation's types as foreign values: one conformance for each.
package import Foundation
package import IsaKVO
internal import IsaKeyValue

// MARK: - Numbers

// NSNumber inherits it, and NSDecimalNumber with it.
extension NSValue: ForeignValue {
  package var foreignForm: ForeignForm { (self as? NSNumber).map { .number($0.number) } ?? .opaque }

  package static func foreignValue(of source: ForeignSource) -> Any? {
    if case .number(let number) = source, self != NSDecimalNumber.self { return number.object }
    return source.digits.flatMap(decimalNumber)
  }
}

/// The number that has these digits; nil if no decimal does.
private func decimalNumber(_ digits: String) -> NSDecimalNumber? {
  let number = NSDecimalNumber(string: digits)
  return number.decimalValue.isNaN ? nil : number
}

extension NSNumber {
  fileprivate var number: ForeignNumber {
    if let self = self as? NSDecimalNumber { return .decimal(self.stringValue) }
    return switch UInt8(bitPattern: objCType.pointee) {
    case UInt8(ascii: "f"): .float(floatValue)
    case UInt8(ascii: "d"): .double(doubleValue)
    case UInt8(ascii: "Q"): .unsigned(uint64Value)
    case UInt8(ascii: "B"): .bool(boolValue)
    default: .signed(int64Value)
    }
  }
}

extension ForeignNumber {
  fileprivate var object: NSNumber {
    switch self {
    case .signed(let value): NSNumber(value: value)
    case .unsigned(let value): NSNumber(value: value)
    case .bool(let value): NSNumber(value: value)
    case .float(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    case .decimal(let digits): NSDecimalNumber(string: digits)
    }
  }
}

extension Decimal: ForeignValue {
  package var foreignForm: ForeignForm { .number(.decimal(description)) }

  package static func foreignValue(of source: ForeignSource) -> Any? {
    let number = source.digits.flatMap { Decimal(string: $0) }
    return number?.isNaN == true ? nil : number
  }
}

extension CGFloat: ForeignValue {
  package var foreignForm: ForeignForm { .number(.double(Double(self))) }

  package static func foreignValue(of source: ForeignSource) -> Any? {
    switch source {
    case .number(let number): CGFloat(number.object.doubleValue)
    default: source.digits.flatMap { Double($0) }.map { CGFloat($0) }
    }
  }
}

// MARK: - Strings, null, and what is a value in Swift

extension NSString: ForeignValue {
  package var foreignForm: ForeignForm { .text(description) }

  package static func foreignValue(of source: ForeignSource) -> Any? {
    guard case .text(let text) = source else { return nil }
    return self == NSMutableString.self ? NSMutableString(string: text) : NSString(string: text)
  }
}

extension NSDate: ForeignValue {
  package var foreignForm: ForeignForm { .opaque }

  package func foreignOrder(beside other: Any) -> Int? {
    (other as? Date).map { compare($0).rawValue }
  }

  package var foreignHash: Int? { (self as Date).hashValue }
}

extension NSURL: ForeignValue {
  package var foreignForm: ForeignForm { .opaque }
  package var foreignHash: Int? { (self as URL).hashValue }
}

extension NSData: ForeignValue {
  package var foreignForm: ForeignForm { .opaque }
  package var foreignHash: Int? { (self as Data).hashValue }
}

extension NSIndexSet: ForeignValue {
  package var foreignForm: ForeignForm { .opaque }
  package var foreignHash: Int? { (self as IndexSet).hashValue }
}

extension NSNull: ForeignValue {
  package var foreignForm: ForeignForm { .null }
}

// MARK: - Collections

extension NSArray: ForeignValue {
  package var foreignForm: ForeignForm {
    .ordered(ForeignOrdered(isSet: false, count: { self.count }, element: { self.object(at: $0) }))
  }

  package static func foreignValue(of source: ForeignSource) -> Any? {
    guard let elements = source.objects else { return nil }
    return self == NSMutableArray.self ? NSMutableArray(array: elements) : NSArray(array: elements)
  }
}

extension NSOrderedSet: ForeignValue {
  package var foreignForm: ForeignForm {
    .ordered(ForeignOrdered(isSet: true, count: { self.count }, element: { self.object(at: $0) }))
  }

  package static func foreignValue(of source: ForeignSource) -> Any? {
    guard let elements = source.members else { return nil }
    return self == NSMutableOrderedSet.self
      ? NSMutableOrderedSet(array: elements) : NSOrderedSet(array: elements)
  }
}

extension NSSet: ForeignValue {
  package var foreignForm: ForeignForm {
    .unordered(
      ForeignUnordered(
        elements: { self.allObjects },
        member: { foundationMember($0).flatMap { self.member($0) } }))
  }

  package static func foreignCast(_ value: Any) -> Any? { foundationCollection(value) as? Self }

  package static func foreignValue(of source: ForeignSource) -> Any? {
    guard let elements = source.members else { return nil }
    return self == NSMutableSet.self ? NSMutableSet(array: elements) : NSSet(array: elements)
  }
}

extension NSDictionary: ForeignValue {
  package var foreignForm: ForeignForm {
    .dictionary(
      ForeignDictionary(
        keys: { self.allKeys },
        value: { foundationMember($0).flatMap { self.object(forKey: $0) } },
        set: (self as? NSMutableDictionary).map { dictionary in
          { key, value in dictionary[key] = foundationValue(value) }
        }))
  }

  package static func foreignCast(_ value: Any) -> Any? { foundationCollection(value) as? Self }

  package static func foreignValue(of source: ForeignSource) -> Any? {
    guard case .entries(let entries) = source else { return nil }
    let pairs = entries.compactMap { key, value in
      (foundationMember(key) as? AnyHashable).map { ($0, foundationElement(value)) }
    }
    guard pairs.count == entries.count else { return nil }
    let dictionary = Dictionary(pairs) { _, last in last }
    return self == NSMutableDictionary.self
      ? NSMutableDictionary(dictionary: dictionary) : NSDictionary(dictionary: dictionary)
  }
}

extension ForeignSource {
  /// The elements of a collection as Foundation's collections have them.
  fileprivate var objects: [Any]? {
    guard case .elements(let elements) = self else { return nil }
    return elements.map(foundationElement)
  }

  /// The members of a set, which must have no two equal; nil if Foundation cannot have one.
  fileprivate var members: [Any]? {
    guard case .elements(let elements) = self else { return nil }
    let members = elements.compactMap(foundationMember)
    return members.count == elements.count ? members : nil
  }
}
