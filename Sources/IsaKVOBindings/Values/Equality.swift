/// Whether values of any type are equal; nil equals nil. Collections of values of any type are equal
/// if their elements are; other values that cannot be compared are equal if they are the same object.
package func areEqual(_ first: Any?, _ second: Any?) -> Bool {
  guard let first, let second else { return first == nil && second == nil }
  if let first = first as? any Equatable { return areEqualLike(first, second) }
  if let first = first as? [Any?] { return areElementsEqual(first, second) }
  if let first = first as? [AnyHashable: Any?] { return areValuesEqual(first, second) }
  return type(of: first) is AnyClass && (first as AnyObject) === (second as AnyObject)
}

private func areEqualLike<Value: Equatable>(_ first: Value, _ second: Any) -> Bool {
  (second as? Value) == first
}

private func areElementsEqual(_ first: [Any?], _ second: Any) -> Bool {
  guard let second = second as? [Any?], first.count == second.count else { return false }
  return zip(first, second).allSatisfy { areEqual($0, $1) }
}

private func areValuesEqual(_ first: [AnyHashable: Any?], _ second: Any) -> Bool {
  guard let second = second as? [AnyHashable: Any?], first.count == second.count else {
    return false
  }
  return first.allSatisfy { key, value in second[key].map { areEqual(value, $0) } ?? false }
}
