/// Why a value could not be read or set by key. The object is then as before the call.
///
/// Where the call was about a key path, `key` is that path.
public enum CodingError: Error, Hashable, Sendable {
  /// Neither an accessor nor an ivar of `className` answers to `key`.
  ///
  /// The C status is `KVC_ERR_UNDEFINED_KEY`.
  case undefinedKey(_ key: String, className: String, details: ErrorDetails = .none)

  /// Nil was given for a key whose type is not an object.
  ///
  /// The C status is `KVC_ERR_NIL_VALUE`.
  case nilValue(_ key: String, className: String, details: ErrorDetails = .none)

  /// The value is of a type that the key, or the caller, cannot take.
  ///
  /// The C status is `KVC_ERR_TYPE`.
  case incompatible(
    _ key: String, className: String, reason: String, details: ErrorDetails = .none)

  /// An index lies beyond the end of the collection for `key`.
  ///
  /// The C status is `KVC_ERR_RANGE`.
  case outOfRange(_ key: String, className: String, details: ErrorDetails = .none)

  /// An operator had to compute with what is no number, or came to one that is too large.
  ///
  /// The C status is `KVC_ERR_OVERFLOW`.
  case overflow(_ key: String, className: String, details: ErrorDetails = .none)

  /// An object on the way does not answer a message that was needed; so it is with a collection
  /// that cannot change.
  ///
  /// The C status is `ISA_ERR_UNRECOGNIZED_SELECTOR`.
  case unrecognizedSelector(
    _ key: String, className: String, reason: String, details: ErrorDetails = .none)

  /// The validator of `key` refuses the value; `error` is what it gives as the cause, nil for
  /// nothing.
  ///
  /// The C status is `ISA_OK`: Foundation raises nothing either.
  case invalid(_ key: String, className: String, error: RuntimeValue)

  /// The runtime below could not do its part.
  ///
  /// The C status is that of the error inside.
  case runtime(_ error: RuntimeError)
}

extension CodingError: CustomStringConvertible {
  /// What went wrong, in one line.
  public var description: String {
    switch self {
    case .undefinedKey(let key, let name, _):
      "\(name) is not key value coding-compliant for “\(key)”"
    case .nilValue(let key, let name, _): "\(name) cannot set nil for “\(key)”"
    case .incompatible(let key, let name, let reason, _): "“\(key)” of \(name): \(reason)"
    case .outOfRange(let key, let name, _): "an index is beyond the end of “\(key)” of \(name)"
    case .overflow(let key, let name, _): "“\(key)” of \(name) computes with what is no number"
    case .unrecognizedSelector(let key, let name, let reason, _):
      "“\(key)” of \(name): \(reason)"
    case .invalid(let key, let name, let error): "not valid for “\(key)” of \(name): \(error)"
    case .runtime(let error): error.description
    }
  }
}

extension CodingError {
  /// The name of the exception that Foundation raises for this; empty for
  /// ``invalid(_:className:error:)``, for which it raises none.
  public var exceptionName: String {
    if !details.exceptionName.isEmpty { return details.exceptionName }
    return switch self {
    case .undefinedKey: "NSUnknownKeyException"
    case .nilValue, .incompatible, .unrecognizedSelector: "NSInvalidArgumentException"
    case .outOfRange: "NSRangeException"
    case .overflow: "NSDecimalNumberOverflowException"
    case .invalid: ""
    case .runtime(let error): error.exceptionName
    }
  }

  /// What was wrong, where, and what was expected.
  public var reason: String {
    if case .runtime(let error) = self { return error.reason }
    return details.reason.isEmpty ? description : details.reason
  }

  private var details: ErrorDetails {
    switch self {
    case .undefinedKey(_, _, let details), .nilValue(_, _, let details),
      .incompatible(_, _, _, let details), .outOfRange(_, _, let details),
      .overflow(_, _, let details), .unrecognizedSelector(_, _, _, let details):
      details
    default: .none
    }
  }
}
