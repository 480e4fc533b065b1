/// The name by which a key path is known: a class's own path for an inherited property is not equal
/// to its superclass's, but the keys are.
package enum PathName: Hashable, @unchecked Sendable {
  // Sendable because key paths without captured values never change.
  case keys(String)
  case path(AnyKeyPath)
}

extension PathName: CustomStringConvertible {
  package var description: String {
    switch self {
    case .keys(let keys): keys
    case .path(let path): "\(path)"
    }
  }
}

extension KeyValueObservable {
  /// The name by which the key path is known.
  package func name<Value>(of keyPath: KeyPath<Self, Value>) throws(KeyValueError) -> PathName {
    try keys(of: keyPath).map { .keys($0) } ?? .path(keyPath)
  }
}
