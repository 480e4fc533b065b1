/// Why a value could not be read or set by key. The object is then as before the call.
public enum CodingError: Error, Hashable, Sendable {
  /// Neither an accessor nor an ivar of `className` answers to `key`.
  ///
  /// The C status is `KVC_ERR_UNDEFINED_KEY`.
  case undefinedKey(_ key: String, className: String)

  /// Nil was given for a key whose type is not an object.
  ///
  /// The C status is `KVC_ERR_NIL_VALUE`.
  case nilValue(_ key: String, className: String)

  /// The value is of a type that the key, or the caller, cannot take.
  ///
  /// The C status is `KVC_ERR_TYPE`.
  case incompatible(_ key: String, className: String, reason: String)

  /// The runtime below could not do its part.
  ///
  /// The C status is that of the error inside.
  case runtime(_ error: RuntimeError)
}

extension CodingError: CustomStringConvertible {
  /// What went wrong, in one line.
  public var description: String {
    switch self {
    case .undefinedKey(let key, let name): "\(name) is not key value coding-compliant for “\(key)”"
    case .nilValue(let key, let name): "\(name) cannot set nil for “\(key)”"
    case .incompatible(let key, let name, let reason): "“\(key)” of \(name): \(reason)"
    case .runtime(let error): error.description
    }
  }
}
