// C strings handed to the runtime.
//
// Owns:      one copy of each text, for the life of the process: a setter of a C string keeps the
//            pointer, and nothing tells how long.
// Locks:     `texts` has its own; nobody's code runs under it.

private let texts = Locked<[String: UnsafePointer<CChar>]>([:])

/// The copy of `text`, ended by a zero.
func internedText(_ text: String) -> UnsafePointer<CChar> {
  texts.withLock { texts in
    if let copy = texts[text] { return copy }
    let bytes = Array(text.utf8CString)
    let memory = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    memory.initialize(from: bytes, count: bytes.count)
    texts[text] = UnsafePointer(memory)
    return UnsafePointer(memory)
  }
}
