import CIsaTestSupport

/// The encodings of scalars, read off the core's own table.
enum Scalars {
  static let all = encodings { _ in true }
  /// A bool's included.
  static let integers = encodings { $0.is_integer }
  static let signed = encodings { $0.is_signed }
  static let floats = encodings { $0.is_float }
  static let boxed = encodings { $0.is_boxed }

  /// Those that hold any small number.
  static let indexes = integers.filter { $0 != "B" }

  private static func encodings(where isWanted: (isa_test_scalar) -> Bool) -> [String] {
    var count = 0
    let scalars = UnsafeBufferPointer(start: isa_test_scalars(&count), count: count)
    return scalars.filter(isWanted).map { String(cString: $0.encoding) }
  }
}
