// The C core's handle of a registration.
//
// Owns:      the handle, at an address that stays: the C core writes it while it registers, and the
//            initial notification reads it meanwhile.
// Lives:     as long as the Observation, the closure or a change may end the registration.
// Invariant: the handle is written once, before the registration's closure first runs.
package import CIsa

/// The place of a handle, in an object that ends it with ``release()`` when it goes.
@frozen @usableFromInline
package struct RegistrationToken {
  @usableFromInline let address: UnsafeMutableRawPointer

  /// That of an object whose first stored property is a handle, which nothing else reaches.
  @inlinable @inline(__always)
  package init(firstIn object: AnyObject) {
    address = _getUnsafePointerToStoredProperties(object)
  }

  private var place: UnsafeMutablePointer<kvo_token?> {
    address.assumingMemoryBound(to: kvo_token?.self)
  }

  /// Registers a function, which is called with `info`; the C core then holds it, until it calls
  /// `release`.
  package func register(
    _ callback: @escaping kvo_callback, _ info: AnyObject,
    _ release: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void, on id: isa_id,
    _ keyPath: UnsafePointer<CChar>, _ options: ObservationOptions
  ) -> isa_status {
    let context = retainedContext(info)
    var function = kvo_function(callback: callback, info: context, release: release)
    let status = kvo_observe(id, keyPath, options.bits, &function, nil, place)
    if status != ISA_OK { releaseContext(context) }
    return status
  }

  package var isValid: Bool { place.pointee.map { kvo_token_is_valid($0) } ?? false }
  package func invalidate() { if let token = place.pointee { kvo_token_invalidate(token) } }
  package func invalidateAndWait() {
    if let token = place.pointee { kvo_token_invalidate_and_wait(token) }
  }
  package func release() { kvo_token_release(place.pointee) }
}
