// C strings handed to the runtime.
//
// Owns:      one copy of each text, for the life of the process: a setter of a C string keeps the
//            pointer, and nothing tells how long.
// Locks:     `texts` has its own; nobody's code runs under it.

private let texts = Locked<[KeyName: UnsafePointer<CChar>]>([:])

/// The copy of `text`, ended by a zero.
package func internedText(_ text: String) -> UnsafePointer<CChar> {
  texts.withLock { texts in
    if let copy = texts[text] { return copy }
    let bytes = Array(text.utf8CString)
    let memory = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    memory.initialize(from: bytes, count: bytes.count)
    texts[text] = UnsafePointer(memory)
    return UnsafePointer(memory)
  }
}

/// A text that lives as long as the process: copying it costs nothing, reading it makes a string.
@frozen @usableFromInline
package struct LastingText: @unchecked Sendable {
  // Sendable because the text never changes.
  @usableFromInline package let address: UnsafePointer<CChar>

  /// A text of the C core's that is interned there.
  @inline(__always)
  init?(_ address: UnsafePointer<CChar>?) {
    guard let address else { return nil }
    self.address = address
  }

  @inlinable @inline(__always)
  package init(interned address: UnsafePointer<CChar>) { self.address = address }

  package init(_ text: String) { address = internedText(text) }

  var string: String { String(cString: address) }

  /// The address as a number, by which texts are compared.
  var number: UInt { UInt(bitPattern: address) }
}
