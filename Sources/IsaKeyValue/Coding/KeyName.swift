/// A key as the core compares it, by its bytes: two texts that `String` takes for equal, such as `é` in
/// one scalar and in two, are two keys.
@frozen @usableFromInline
package struct KeyName: Hashable, Sendable {
  @usableFromInline package let text: String

  @inlinable
  package init(_ text: String) { self.text = text }

  @inlinable
  package static func == (first: Self, second: Self) -> Bool {
    first.isTheSame(as: second) || first.text.utf8.elementsEqual(second.text.utf8)
  }

  /// Whether both are one text, or a short one, which stands in the words of its `String`; false tells
  /// nothing.
  @inlinable
  package func isTheSame(as other: Self) -> Bool {
    withUnsafeBytes(of: self) { own in
      withUnsafeBytes(of: other) { others in
        stride(from: 0, to: own.count, by: MemoryLayout<UInt>.size).allSatisfy {
          own.load(fromByteOffset: $0, as: UInt.self)
            == others.load(fromByteOffset: $0, as: UInt.self)
        }
      }
    }
  }

  @inlinable
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension Dictionary where Key == KeyName {
  @inlinable
  package subscript(key: String) -> Value? {
    get { self[KeyName(key)] }
    set { self[KeyName(key)] = newValue }
  }
}

extension String {
  /// Whether it is the same key as another text.
  package func isKey(_ other: String) -> Bool { KeyName(self) == KeyName(other) }

  /// A key as it stands in the names of accessors, behind a word: its first letter in upper case.
  package var asNamePart: String {
    guard let first = utf8.first, (0x61...0x7A).contains(first) else { return self }
    return String(Unicode.Scalar(first - 0x20)) + dropFirst()
  }
}
