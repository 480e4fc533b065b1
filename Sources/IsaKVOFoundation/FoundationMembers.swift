// Decimals as members of sets and as keys. The hash of Foundation's NSDecimalNumber asks Core
// Foundation, which asks the object, without end: there another NSNumber stands for it.
//
// A class of our own below NSDecimalNumber cannot do it: the compiler lays its method table out
// without the methods that Foundation keeps to itself.
internal import Foundation
internal import IsaKeyValue

/// A member of a set, or a key, as Foundation's collections can have it; nil for a decimal that
/// has more digits than any other number.
func foundationMember(_ value: Any) -> Any? {
  let value = foundationElement(value)
  #if !canImport(ObjectiveC)
    if let number = value as? NSDecimalNumber { return plainNumber(number) }
  #endif
  return value
}

private func plainNumber(_ number: NSDecimalNumber) -> NSNumber? {
  let digits = number.stringValue
  let numbers = [
    Int64(digits).map { NSNumber(value: $0) }, UInt64(digits).map { NSNumber(value: $0) },
    Double(digits).map { NSNumber(value: $0) },
  ]
  return numbers.compactMap { $0 }.first { $0.decimalValue == number.decimalValue }
}

/// A Swift collection as Foundation's, for a cast to it; nil if Foundation cannot have its members.
func foundationCollection(_ value: Any) -> Any? {
  let value = foundationValue(value)
  return (value as? any HashingCollection)?.hasDecimals == true ? nil : value
}

/// A Swift collection that hashes its members or keys.
protocol HashingCollection {
  /// Whether decimals are among them.
  var hasDecimals: Bool { get }
}

extension Set: HashingCollection {
  var hasDecimals: Bool { haveDecimals(self) }
}

extension Dictionary: HashingCollection {
  var hasDecimals: Bool { haveDecimals(keys) }
}

private func haveDecimals<Member: Hashable>(_ members: some Sequence<Member>) -> Bool {
  #if canImport(ObjectiveC)
    return false
  #else
    if Member.self == Decimal.self { return true }
    return Member.self == AnyHashable.self && members.contains { isDecimal(AnyHashable($0)) }
  #endif
}

// Not by a cast, which would take any number.
private func isDecimal(_ member: AnyHashable) -> Bool { type(of: member.base) == Decimal.self }
