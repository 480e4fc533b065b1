// Cures for errors: what the programmer can write, chosen by what the Swift class has.

internal import IsaKeyValue

extension ClassRegistration {
  /// The cure for an error with a key of the class; nil where nobody knows.
  func cure(for code: KeyValueError.Code, _ key: String) -> String? {
    switch code {
    case .undefinedKey, .notObservable: cure(forUnknown: key)
    case .nilValue: "make the property optional, or override setNilValueForKey(_:)"
    default: code.cure
    }
  }

  private func cure(forUnknown key: String) -> String? {
    if key.contains(".") || fieldsByKey[key] != nil { return nil }
    if let property = unwrappedProperty(key, of: type) {
      return "wrap \(property) with @Dynamic, or declare its key in `keys`"
    }
    if let near = nearest(to: key) { return "did you mean “\(near)”?" }
    return "wrap the property with @Dynamic, or declare its key in `keys`"
  }

  /// The key that differs from `key` by a slip of the fingers, if it is one.
  private func nearest(to key: String) -> String? {
    // A key from outside may be as long as it likes, and is compared with each.
    if key.utf8.count > 256 { return nil }
    let limit = max(1, key.utf8.count / 3)
    let distances = fieldsByKey.keys.map { (key: $0.text, distance: distance($0.text, key)) }
    return distances.filter { $0.distance <= limit }.min {
      ($0.distance, $0.key) < ($1.distance, $1.key)
    }?.key
  }
}

/// How many letters must be put in, taken out or replaced to make one word of the other.
private func distance(_ first: String, _ second: String) -> Int {
  let other = Array(second)
  var row = Array(0...other.count)
  for (index, letter) in first.enumerated() {
    var diagonal = row[0]
    row[0] = index + 1
    for column in other.indices {
      let replaced = diagonal + (letter == other[column] ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
    }
  }
  return row[other.count]
}
