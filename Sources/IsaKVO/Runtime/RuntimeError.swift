/// Why a call about classes, objects or messages failed. The state is then the one before the call.
public enum RuntimeError: Error, Hashable, Sendable {
  /// Memory is short.
  ///
  /// The C status is `ISA_ERR_NO_MEMORY`.
  case outOfMemory

  /// A value that the call cannot work with, such as an empty name.
  ///
  /// The C status is `ISA_ERR_INVALID_ARGUMENT`.
  case invalidArgument(reason: String, details: ErrorDetails = .none)

  /// There is a class, method, ivar, property or event log of that name already.
  ///
  /// The C status is `ISA_ERR_EXISTS`.
  case exists(_ name: String, details: ErrorDetails = .none)

  /// There is no class, method, ivar or property called `name`.
  ///
  /// The C status is `ISA_ERR_NOT_FOUND`.
  case notFound(_ name: String, details: ErrorDetails = .none)

  /// The class still has instances or subclasses.
  ///
  /// The C status is `ISA_ERR_IN_USE`.
  case inUse(className: String, details: ErrorDetails = .none)

  /// The class is registered, so that its layout is final.
  ///
  /// The C status is `ISA_ERR_REGISTERED`.
  case registered(className: String, details: ErrorDetails = .none)

  /// The class is not registered yet.
  ///
  /// The C status is `ISA_ERR_NOT_REGISTERED`.
  case notRegistered(className: String, details: ErrorDetails = .none)

  /// The text is no type encoding, or not one that fits the selector.
  ///
  /// The C status is `ISA_ERR_BAD_ENCODING`.
  case badEncoding(_ encoding: TypeEncoding, reason: String)

  /// The type is understood, but no method can take or return it.
  ///
  /// The C status is `ISA_ERR_NOT_PASSABLE`.
  case notPassable(_ encoding: TypeEncoding, details: ErrorDetails = .none)

  /// Instances of the two classes differ in size or in the ivars that they own.
  ///
  /// The C status is `ISA_ERR_LAYOUT`.
  case layout(from: String, to: String, details: ErrorDetails = .none)

  /// No instance of the class answers to the selector.
  ///
  /// The C status is `ISA_ERR_UNRECOGNIZED_SELECTOR`.
  case unrecognizedSelector(
    _ selector: Selector, className: String, details: ErrorDetails = .none)

  /// The system grants no executable memory for a method written as a closure.
  ///
  /// The C status is `ISA_ERR_NO_TRAMPOLINE`.
  case noTrampoline

  /// Understood, but not something this runtime does.
  ///
  /// The C status is `ISA_ERR_UNSUPPORTED`.
  case unsupported(reason: String, details: ErrorDetails = .none)

  /// The object is being deallocated.
  ///
  /// The C status is `ISA_ERR_DEALLOCATING`.
  case deallocating(className: String, details: ErrorDetails = .none)

  /// A message was sent with more or fewer arguments than its method takes.
  ///
  /// The C status is `ISA_ERR_INVALID_ARGUMENT`.
  case argumentCount(_ selector: Selector, expected: Int, given: Int)

  /// The value cannot be converted to the type without changing it.
  ///
  /// The C status is `KVC_ERR_TYPE`.
  case incompatible(_ value: RuntimeValue, with: TypeEncoding)

  /// Somebody records events already; there is one event log at a time.
  ///
  /// The C status is `ISA_ERR_IN_USE`.
  case eventLogInUse
}

extension RuntimeError: CustomStringConvertible {
  /// What went wrong, in one line.
  public var description: String {
    switch self {
    case .outOfMemory: "memory is short"
    case .invalidArgument(let reason, _): reason
    case .exists(let name, _): "\(name) exists already"
    case .notFound(let name, _): "there is no \(name)"
    case .inUse(let name, _): "class \(name) still has instances or subclasses"
    case .registered(let name, _): "class \(name) is registered: its layout cannot change now"
    case .notRegistered(let name, _): "class \(name) is not registered yet"
    case .badEncoding(let encoding, let reason): "bad type encoding “\(encoding)”: \(reason)"
    case .notPassable(let encoding, _): "no method can take or return the type “\(encoding)”"
    case .layout(let from, let to, _): "instances of \(from) and \(to) are laid out differently"
    case .unrecognizedSelector(let selector, let name, _): "\(name) does not respond to \(selector)"
    case .noTrampoline: "the system grants no executable memory"
    case .unsupported(let reason, _): reason
    case .deallocating(let name, _): "the \(name) is being deallocated"
    case .argumentCount(let selector, let expected, let given):
      "\(selector) takes \(expected) arguments, not \(given)"
    case .incompatible(let value, let encoding):
      "\(value), a “\(value.encoding)”, cannot be converted to “\(encoding)”"
    case .eventLogInUse: "another event log is recording"
    }
  }
}

extension RuntimeError {
  /// The name of the exception that Foundation, or its runtime, raises for this.
  public var exceptionName: String {
    if !details.exceptionName.isEmpty { return details.exceptionName }
    return switch self {
    case .outOfMemory, .noTrampoline: "NSMallocException"
    case .inUse: "NSInternalInconsistencyException"
    default: "NSInvalidArgumentException"
    }
  }

  /// What was wrong, where, and what was expected.
  public var reason: String { details.reason.isEmpty ? description : details.reason }

  private var details: ErrorDetails {
    switch self {
    case .invalidArgument(_, let details), .exists(_, let details), .notFound(_, let details),
      .inUse(_, let details), .registered(_, let details), .notRegistered(_, let details),
      .notPassable(_, let details), .layout(_, _, let details),
      .unrecognizedSelector(_, _, let details), .unsupported(_, let details),
      .deallocating(_, let details):
      details
    default: .none
    }
  }
}
