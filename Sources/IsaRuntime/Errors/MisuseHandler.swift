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

  /// Does about a call that failed what the policy says.
  package static func end(_ error: KeyValueError) {
    end(error.code.status, error.exceptionName, error.reason)
  }
}
