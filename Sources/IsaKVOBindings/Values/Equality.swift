/// Whether values of any type are equal; nil equals nil.
func areEqual(_ first: Any?, _ second: Any?) -> Bool {
  guard let first, let second else { return first == nil && second == nil }
  if let first = first as? any Equatable { return areEqualLike(first, second) }
  return type(of: first) is AnyClass && (first as AnyObject) === (second as AnyObject)
}

private func areEqualLike<Value: Equatable>(_ first: Value, _ second: Any) -> Bool {
  (second as? Value) == first
}
