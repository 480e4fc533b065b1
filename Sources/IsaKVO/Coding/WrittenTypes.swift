// Types as people write them: `[Int]`, `String?`.
//
// Owns:  nothing.
// Locks: none.

/// A type that is written in brackets or with a mark.
protocol WrittenType {
  static var writtenName: String { get }
}

/// A type as people write it.
func writtenName(of type: Any.Type) -> String {
  (type as? any WrittenType.Type)?.writtenName ?? "\(type)"
}

extension Optional: WrittenType {
  static var writtenName: String {
    let name = IsaKVO.writtenName(of: Wrapped.self)
    return name.contains(" ") && !name.hasSuffix("]") ? "(\(name))?" : name + "?"
  }
}

extension Array: WrittenType {
  static var writtenName: String { "[\(IsaKVO.writtenName(of: Element.self))]" }
}

extension Dictionary: WrittenType {
  static var writtenName: String {
    "[\(IsaKVO.writtenName(of: Key.self)): \(IsaKVO.writtenName(of: Value.self))]"
  }
}
