// The process's misuse handler: one closure at a time.
package import CIsa

private typealias Handler = @Sendable (Misuse) -> Void

private let current = Locked<Handler?>(nil)

private let receive: isa_misuse_handler = { error, _ in
  guard let error else { return }
  let misuse = Misuse(error.pointee)
  if let handler = current.withLock({ $0 }) {
    handler(misuse)
  } else {
    // Two threads have just replaced the handler, one of them by none.
    printError(misuse.description)
  }
}

/// The handler; nil for the C core's.
func currentMisuseHandler() -> (@Sendable (Misuse) -> Void)? { current.withLock { $0 } }

/// Replaces the handler; nil restores the C core's.
func setMisuseHandler(_ handler: (@Sendable (Misuse) -> Void)?) {
  let old = current.withLock { current in
    defer { current = handler }
    return current
  }
  isa_set_misuse_handler(handler == nil ? nil : receive, nil)
  withExtendedLifetime(old) {}
}

extension Misuse {
  /// Does about a mistake what the policy says.
  package static func end(_ status: isa_status, _ exception: String, _ reason: String) {
    if KeyValueSettings.misusePolicy == .strict { fatalError("\(exception): \(reason)") }
    isa_report_misuse(status, exception, reason)
  }

  /// Does about a mistake what the policy says.
  ///
  /// - Parameter exception: The name of what Foundation raises.
  package static func end(_ exception: String, _ reason: String) {
    end(ISA_ERR_INVALID_ARGUMENT, exception, reason)
  }

  /// Tells the handler of what is not forbidden, but hardly meant.
  package static func report(_ error: KeyValueError) {
    isa_report_misuse(error.code.status, error.exceptionName, error.reason)
  }

  /// Does about a call that failed what the policy says; for want of memory the process stops.
  ///
  /// - Parameters:
  ///   - file: Where the call is; empty where that is not known.
  package static func end(_ error: KeyValueError, _ file: StaticString = "", _ line: UInt = 0) {
    let reason = file.utf8CodeUnitCount == 0 ? error.reason : "\(error.reason), at \(file):\(line)"
    if error.code == .outOfMemory || error.code == .noTrampoline { fatalError(reason) }
    end(error.code.status, error.exceptionName, reason)
  }
}

/// Makes a throwing call for a caller that has no way to throw; a call that fails is a misuse, and
/// `fallback` the answer.
package func endingMisuse<Value>(
  _ fallback: @autoclosure () -> Value, _ file: StaticString = "", _ line: UInt = 0,
  _ call: () throws(KeyValueError) -> Value
) -> Value {
  do {
    return try call()
  } catch {
    Misuse.end(error, file, line)
    return fallback()
  }
}

/// The same where the call fails as an observation that is not made.
package func observing(
  _ file: StaticString, _ line: UInt,
  _ register: () throws(KeyValueError) -> any RegistrationControl
) -> KeyValueObservation {
  do {
    return KeyValueObservation(try registering(file, line, register))
  } catch {
    return .refused(error, file, line)
  }
}
