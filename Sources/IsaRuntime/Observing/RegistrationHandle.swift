// The C core's handle of a registration.
//
// Owns:      the handle, at an address that stays: the C core writes it while it registers, and the
//            initial notification reads it meanwhile.
// Lives:     as long as the Observation, the closure or a change may end the registration.
// Invariant: the handle is written once, before the registration's closure first runs.
package import CIsa

/// The control of a closure's registration.
package final class RegistrationHandle: RegistrationControl, @unchecked Sendable {
  // Sendable because the C core writes the handle before it publishes the registration.
  // Its only stored property, reached by its address alone.
  private var storage: kvo_token?

  private var token: UnsafeMutablePointer<kvo_token?> {
    _getUnsafePointerToStoredProperties(self).assumingMemoryBound(to: kvo_token?.self)
  }

  package init() {}

  deinit { kvo_token_release(token.pointee) }

  /// Registers a function, which is called with `info`; the C core then holds it.
  package func register(
    _ callback: @escaping kvo_callback, _ info: AnyObject, on id: isa_id, _ keyPath: String,
    _ options: ObservationOptions
  ) -> Outcome {
    let context = retainedContext(info)
    var function = kvo_function(callback: callback, info: context, release: releaseContext)
    let outcome = answered(keyPath) {
      kvo_observe(id, keyPath, options.bits, &function, nil, token)
    }
    if outcome.status != ISA_OK { releaseContext(context) }
    return outcome
  }

  package var isValid: Bool { token.pointee.map { kvo_token_is_valid($0) } ?? false }

  package func invalidate() { if let token = token.pointee { kvo_token_invalidate(token) } }

  package func invalidateAndWait() {
    if let token = token.pointee { kvo_token_invalidate_and_wait(token) }
  }
}
