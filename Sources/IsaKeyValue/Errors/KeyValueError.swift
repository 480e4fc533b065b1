/// Why a call failed. The state is then as before the call, unless the code says otherwise.
///
///     do {
///       try person.setValue("x", forKey: "agee")
///     } catch {
///       print(error.code, error.key, error.className)  // undefinedKey agee Person
///       print(error.cure ?? "")
///     }
public struct KeyValueError: Error, Sendable {
  /// The kind of failure.
  public let code: Code

  /// The key, or the name, that failed, rather than the path that it stood in; empty if the failure
  /// is not about one.
  public let key: String

  /// The key path that ``key`` stood in, where it is another.
  public let keyPath: String?

  /// The class of the object that failed, or what a value without a class is, such as `a number`;
  /// empty if none is known.
  public let className: String

  /// The object that failed, if it is a `KVObject`. It may be gone since.
  public let object: ObjectIdentifier?

  /// The name of the exception that Foundation raises for this, such as `NSUnknownKeyException`;
  /// empty for `Code.invalid`, for which it raises none.
  public let exceptionName: String

  /// The failure, its place, and what was expected; one line, in Foundation's wording where it has
  /// one. Of more than 2 000 bytes, as a key from outside may have, the middle is left out.
  public let reason: String

  /// The step that the caller may take about it.
  public let cure: String?

  /// The error that a validator has thrown, for `Code.invalid`.
  public let underlying: (any Error)?

  /// The failure in Swift's words, where ``reason`` has Foundation's.
  var summary: String?

  /// Makes an error, as for a class that answers key-value coding in its own way to throw.
  ///
  /// If `reason` is nil, it becomes the code's own words, with key and class. If `exceptionName` is
  /// empty, it becomes the name that goes with the code.
  public init(
    _ code: Code, key: String = "", className: String = "", reason: String? = nil,
    exceptionName: String = "", cure: String? = nil, underlying: (any Error)? = nil,
    keyPath: String? = nil, object: ObjectIdentifier? = nil
  ) {
    self.code = code
    self.key = key
    self.keyPath = keyPath
    self.className = className
    self.object = object
    self.exceptionName = exceptionName.isEmpty ? code.exceptionName : exceptionName
    self.reason = (reason ?? code.text(about: key, of: className)).shortened
    self.cure = cure
    self.underlying = underlying
  }
}

extension KeyValueError {
  /// The kind of failure. Each case names the status of the C core that it stands for.
  public enum Code: String, CaseIterable, Sendable {
    /// Memory is short: `ISA_ERR_NO_MEMORY`.
    case outOfMemory
    /// A value that the call cannot work with, such as an empty name: `ISA_ERR_INVALID_ARGUMENT`.
    case invalidArgument
    /// There is a class, method, ivar or property of that name already: `ISA_ERR_EXISTS`.
    case exists
    /// There is no class, method, ivar or property of that name: `ISA_ERR_NOT_FOUND`.
    case notFound
    /// The class still has instances or subclasses, or another event log records: `ISA_ERR_IN_USE`.
    case inUse
    /// The class is registered, so that its layout is final: `ISA_ERR_REGISTERED`.
    case classRegistered
    /// The class is not registered yet: `ISA_ERR_NOT_REGISTERED`.
    case classNotRegistered
    /// The text is no type encoding, or does not fit the selector: `ISA_ERR_BAD_ENCODING`.
    case badEncoding
    /// The type is understood, but no method can take or return it: `ISA_ERR_NOT_PASSABLE`.
    case notPassable
    /// Instances of two classes differ in size or in the ivars that they own: `ISA_ERR_LAYOUT`.
    case layout
    /// An object does not answer a message that was needed: `ISA_ERR_UNRECOGNIZED_SELECTOR`.
    case unrecognizedSelector
    /// The system grants no executable memory: `ISA_ERR_NO_TRAMPOLINE`.
    case noTrampoline
    /// Understood, but not something this runtime does: `ISA_ERR_UNSUPPORTED`.
    case unsupported
    /// The object is being deallocated: `ISA_ERR_DEALLOCATING`.
    case deallocating
    /// A file cannot be opened or written, as the file of a trace: `ISA_ERR_FILE`.
    case fileFailed
    /// Neither an accessor nor an ivar answers to the key: `KVC_ERR_UNDEFINED_KEY`.
    case undefinedKey
    /// Nil for a key whose type is not an object: `KVC_ERR_NIL_VALUE`.
    case nilValue
    /// The value is of a type that the key, or the caller, cannot take: `KVC_ERR_TYPE`.
    case incompatible
    /// An index lies beyond the end of the collection: `KVC_ERR_RANGE`.
    case outOfRange
    /// An operator had to compute with what is no number, or came to a number that is too large:
    /// `KVC_ERR_OVERFLOW`.
    case overflow
    /// The validator of the key refuses the value: `ISA_OK`, as Foundation raises nothing either.
    case invalid
    /// A key of the path has no accessor and no ivar, or the object cannot be observed:
    /// `KVO_ERR_NOT_OBSERVABLE`.
    case notObservable
    /// No registration matches the removal: `KVO_ERR_NOT_REGISTERED`.
    case notRegistered
    /// Bits that are no option: `KVO_ERR_INVALID_OPTIONS`.
    case invalidOptions
    /// The name of the notifying class is taken by somebody else's class: `KVO_ERR_NAME_TAKEN`.
    case nameTaken
    /// The observer has no method for being told: `KVO_ERR_UNHANDLED`.
    case unhandled
    /// An object of the main actor was used elsewhere, or a change that was announced on one thread
    /// ended on another: `KVO_ERR_WRONG_THREAD`.
    case wrongThread
    /// The setter's signature has no wrapper: `KVO_ERR_NOT_WRAPPED`.
    case notWrapped
    /// A value on the key path was replaced without being announced: `KVO_ERR_INCONSISTENT`. A
    /// removal is made nevertheless.
    case inconsistent
    /// A key is declared to be affected by itself: `KVO_ERR_SELF_DEPENDENT`.
    case selfDependent
    /// The key path has too many keys, or observing it asks to observe it again, without end:
    /// `KVO_ERR_TOO_DEEP`.
    case tooDeep
    /// A holder, which observes a key path once, observes this one already; nothing was replaced.
    case alreadyObserved
    /// The object has no binding of that name, or not for what it was to be bound to.
    case notBindable
    /// No transformer of values is registered under that name.
    case transformerNotFound
  }
}

extension KeyValueError: CustomStringConvertible {
  /// The failure, in one line, and the cure if there is one.
  public var description: String {
    let path = keyPath.map { ", on the key path “\($0.shortened)”" } ?? ""
    let text = (summary?.shortened ?? reason) + path
    return cure.map { "\(text): \($0)" } ?? text
  }
}

extension String {
  /// The text for people, of which the middle is left out where it is longer than anybody reads.
  fileprivate var shortened: String {
    let most = 2000
    if utf8.count <= most { return self }
    return "\(prefix(most / 4)) … [\(utf8.count) bytes] … \(suffix(most / 4))"
  }
}

extension KeyValueError.Code {
  /// The step that may be taken about any such error.
  package var cure: String? {
    switch self {
    case .notRegistered:
      "remove once for each registration, with the key path and the context that it was made with"
    case .wrongThread: "make the call on the main actor, as in `await MainActor.run { … }`"
    default: nil
    }
  }
}

extension KeyValueError {
  /// The error of a validator that refuses a value, and gives a cause.
  package init(refusing key: String, of className: String, _ cause: Any?) {
    let text = cause.map { ": \($0)" } ?? ""
    self.init(
      .invalid, key: key, className: className,
      reason: "the value is not valid for “\(key)” of \(className)\(text)",
      underlying: cause as? any Error)
  }
}
