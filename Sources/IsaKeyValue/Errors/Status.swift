// isa_status ↔ KeyValueError: the only place where a status of the C core becomes a throw, and a
// throw a status.
package import CIsa

/// The failure in the calling thread's latest failed call.
package func lastReason() -> String { Outcome(isa_last_error()?.pointee.status ?? ISA_OK).reason }

/// A number of hexadecimal digits behind `0x`.
package func hexadecimal(_ number: UInt) -> String { "0x" + String(number, radix: 16) }

extension KeyValueError {
  /// The error that a call about `key`, or a key path, of a `className` ended in. The core may know
  /// better which key of which object failed.
  package init(_ outcome: Outcome, key: String = "", className: String = "") {
    let failed = outcome.key.isEmpty ? key : outcome.key
    let culprit = outcome.className.isEmpty ? className : outcome.className
    let code = Code(outcome.status)
    let cls = isa_class_find(culprit)
    let swift = AdoptedClasses.adopter(of: cls)
    self.init(
      code, key: failed, className: swiftName(ofBox: culprit) ?? culprit, reason: outcome.reason,
      exceptionName: outcome.exceptionName,
      cure: swift?.cure(for: code, failed, of: cls!) ?? cureOfBox(culprit, for: code) ?? code.cure,
      keyPath: failed == key ? nil : key,
      object: swift == nil ? nil : outcome.object.map { swiftIdentity(ofHeader: $0) })
    summary = className.isEmpty ? nil : inSwiftsWords
  }

  /// The failure of the C call that the thread has just made, with the status, an `isa_status`, that it
  /// returned: for programs part of which is C.
  public init(cStatus status: UInt32) { self.init(Outcome(isa_status(status))) }

  /// The reason that the core gives in Foundation's words.
  private var inSwiftsWords: String? {
    switch code {
    case .undefinedKey: "\(className) has no key “\(key)”"
    case .nilValue: "“\(key)” of \(className) cannot be nil"
    case .notRegistered: "\(className) has no such registration for “\(key)”"
    case .notObservable: "“\(key)” of \(className) cannot be observed"
    case .invalidArgument where key.hasPrefix("@"): "there is no operator “\(key)”"
    // Only they ask the elements for something.
    case .unrecognizedSelector where ["@sum", "@avg"].contains { keyPath?.contains($0) == true }:
      "a value for “\(key)” is no number that can be added up"
    default: nil
    }
  }

  /// The error of observing a key path with a key that `object` does not know.
  package init(unknown key: String, of object: isa_id, in keyPath: String) {
    let name = IsaKeyValue.className(of: object)
    let shown = swiftName(ofBox: name) ?? name
    let cls = isa_object_get_class(object)!
    let swift = AdoptedClasses.adopter(of: cls)
    self.init(
      .notObservable, key: key, className: shown,
      reason: "“\(key)” of \(shown) cannot be observed: no accessor, no ivar",
      cure: swift?.cure(for: .notObservable, key, of: cls),
      keyPath: key == keyPath ? nil : keyPath,
      object: swift.map { _ in swiftIdentity(ofHeader: UnsafeRawPointer(object)) })
  }

  /// Throws unless `outcome` is a success.
  package static func check(
    _ outcome: Outcome, key: @autoclosure () -> String = "",
    className: @autoclosure () -> String = ""
  ) throws(KeyValueError) {
    if outcome.status == ISA_OK { return }
    throw KeyValueError(outcome, key: key(), className: className())
  }

  /// Throws unless `status`, of the call just made, is ISA_OK.
  package static func check(
    _ status: isa_status, key: @autoclosure () -> String = "",
    className: @autoclosure () -> String = ""
  ) throws(KeyValueError) {
    if status == ISA_OK { return }
    throw KeyValueError(Outcome(status), key: key(), className: className())
  }

  /// Fails, in a method that the core calls, with what was thrown.
  package func fail() -> isa_status {
    var error = isa_error()
    error.status = code.status
    error.object = object.map { header(of: $0) }
    return withCStrings([exceptionName, reason, className, key]) { texts in
      (error.exception, error.reason) = (texts[0], texts[1])
      (error.class_name, error.key) = (texts[2], texts[3])
      return isa_fail_with(&error)
    }
  }
}

/// Runs a method that the core calls: the status with which the core hears of what `body` throws.
///
/// - Parameter body: It throws nothing but a ``KeyValueError``, which no closure is inferred to say.
package func statusOf(_ body: () throws -> Void) -> isa_status {
  do {
    try body()
    return ISA_OK
  } catch {
    return (error as! KeyValueError).fail()
  }
}

package func withCStrings<Result>(
  _ texts: [String?], behind pointers: [UnsafePointer<CChar>?] = [],
  _ body: ([UnsafePointer<CChar>?]) -> Result
) -> Result {
  if pointers.count == texts.count { return body(pointers) }
  guard let text = texts[pointers.count] else {
    return withCStrings(texts, behind: pointers + [nil], body)
  }
  return text.withCString { withCStrings(texts, behind: pointers + [$0], body) }
}

/// The name that people use for the class of one of the core's boxes; nil for any other class.
private func swiftName(ofBox className: String) -> String? {
  guard className.hasPrefix("Isa"), let cls = isa_class_find(className) else { return nil }
  for (kind, name) in boxNames where isa_class_is_subclass(cls, kvc_class_of_kind(kind, false)) {
    return name
  }
  return className == "IsaSwiftValue" ? "a Swift value" : nil
}

/// The step that may be taken about an error with a key of one of the core's boxes.
private func cureOfBox(_ className: String, for code: KeyValueError.Code) -> String? {
  guard code == .undefinedKey, className == "IsaSwiftValue" else { return nil }
  return "only objects have keys: set the value as a whole, or make its type a KVObject"
}

private let boxNames: [(kvc_kind, String)] = [
  (KVC_KIND_NUMBER, "a number"), (KVC_KIND_STRING, "String"), (KVC_KIND_NULL, "nil"),
  (KVC_KIND_ARRAY, "Array"), (KVC_KIND_SET, "Set"), (KVC_KIND_DICTIONARY, "Dictionary"),
]

extension KeyValueError.Code {
  /// The code of each status.
  private static let statuses: [(status: isa_status, code: KeyValueError.Code)] = [
    (ISA_ERR_NO_MEMORY, .outOfMemory), (ISA_ERR_INVALID_ARGUMENT, .invalidArgument),
    (ISA_ERR_EXISTS, .exists), (ISA_ERR_NOT_FOUND, .notFound), (ISA_ERR_IN_USE, .inUse),
    (ISA_ERR_REGISTERED, .classRegistered), (ISA_ERR_NOT_REGISTERED, .classNotRegistered),
    (ISA_ERR_BAD_ENCODING, .badEncoding), (ISA_ERR_NOT_PASSABLE, .notPassable),
    (ISA_ERR_LAYOUT, .layout), (ISA_ERR_UNRECOGNIZED_SELECTOR, .unrecognizedSelector),
    (ISA_ERR_NO_TRAMPOLINE, .noTrampoline), (ISA_ERR_UNSUPPORTED, .unsupported),
    (ISA_ERR_DEALLOCATING, .deallocating), (ISA_ERR_FILE, .fileFailed),
    (KVC_ERR_UNDEFINED_KEY, .undefinedKey),
    (KVC_ERR_NIL_VALUE, .nilValue), (KVC_ERR_TYPE, .incompatible), (KVC_ERR_RANGE, .outOfRange),
    (KVC_ERR_OVERFLOW, .overflow), (KVO_ERR_NOT_REGISTERED, .notRegistered),
    (KVO_ERR_INVALID_OPTIONS, .invalidOptions), (KVO_ERR_NOT_OBSERVABLE, .notObservable),
    (KVO_ERR_NAME_TAKEN, .nameTaken), (KVO_ERR_UNHANDLED, .unhandled),
    (KVO_ERR_WRONG_THREAD, .wrongThread), (KVO_ERR_NOT_WRAPPED, .notWrapped),
    (KVO_ERR_INCONSISTENT, .inconsistent), (KVO_ERR_SELF_DEPENDENT, .selfDependent),
    (KVO_ERR_TOO_DEEP, .tooDeep),
  ]

  package init(_ status: isa_status) {
    self = Self.statuses.first { $0.status == status }?.code ?? .unsupported
  }

  package var status: isa_status {
    switch self {
    case .invalid: KVC_ERR_TYPE
    case .alreadyObserved: ISA_ERR_EXISTS
    case .notBindable: KVO_ERR_NOT_OBSERVABLE
    case .transformerNotFound: ISA_ERR_NOT_FOUND
    default: Self.statuses.first { $0.code == self }?.status ?? ISA_ERR_UNSUPPORTED
    }
  }

  /// The exception that Foundation raises for such a failure.
  var exceptionName: String {
    self == .invalid ? "" : String(cString: isa_status_exception(status))
  }

  /// The failure, in general, with a key and a class that may both be empty.
  func text(about key: String, of className: String) -> String {
    let isOfSwift = self == .invalid
    let text = isOfSwift ? "the value is not valid" : String(cString: isa_status_text(status))
    let words = [key.isEmpty ? "" : "“\(key)”", className].filter { !$0.isEmpty }
    return words.isEmpty ? text : "\(words.joined(separator: " of ")): \(text)"
  }
}
