// The C core's handle of a registration.
//
// Owns:      the handle, at an address that stays: the C core writes it while it registers, and the
//            initial notification reads it meanwhile.
// Lives:     as long as the Observation, the closure or a change may end the registration.
// Invariant: the handle is written once, before the registration's closure first runs.
internal import CIsa

/// What ends a closure's registration.
package final class RegistrationHandle: RegistrationControl, @unchecked Sendable {
  // Sendable because the C core writes the handle before it publishes the registration.
  // Its only stored property, reached by its address alone.
  private var storage: kvo_token?

  private var token: UnsafeMutablePointer<kvo_token?> {
    _getUnsafePointerToStoredProperties(self).assumingMemoryBound(to: kvo_token?.self)
  }

  deinit { kvo_token_release(token.pointee) }

  /// Lets `register` write the handle.
  func open(_ register: (UnsafeMutablePointer<kvo_token?>) -> isa_status) -> isa_status {
    register(token)
  }

  package var isValid: Bool { token.pointee.map { kvo_token_is_valid($0) } ?? false }

  package func invalidate() { if let token = token.pointee { kvo_token_invalidate(token) } }

  package func invalidateAndWait() {
    if let token = token.pointee { kvo_token_invalidate_and_wait(token) }
  }
}
