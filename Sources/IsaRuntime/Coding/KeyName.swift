extension String {
  /// A key as it stands in the names of accessors, behind a word: its first letter in upper case.
  package var asNamePart: String {
    guard let first = utf8.first, (0x61...0x7A).contains(first) else { return self }
    return String(Unicode.Scalar(first - 0x20)) + dropFirst()
  }
}
