// Closures as observers: the closure is the info of a function registration.
//
// Owns:      the closure, until the registration has ended, and the registration's handle.
// Lives:     the C core holds it while it may call the closure, the Observation while it may end
//            the registration.
// Invariant: the handle is written once, before the closure first runs, and freed last.
internal import CIsa

/// A closure observer and its registration.
final class ObserverBox: @unchecked Sendable {
  // Sendable because `handler` is cleared only when no thread can be inside any more, and the C
  // core writes `token` before it publishes the registration.
  typealias Handler = @Sendable (kvo_change, ObserverBox) -> Void

  @exclusivity(unchecked) private var handler: Handler?
  private let token = UnsafeMutablePointer<kvo_token?>.allocate(capacity: 1)

  init(_ handler: @escaping Handler) {
    self.handler = handler
    token.initialize(to: nil)
  }

  deinit {
    kvo_token_release(token.pointee)
    token.deallocate()
  }

  /// Registers the closure; the C core then holds the box.
  func register(on id: isa_id, _ keyPath: String, _ options: ObservationOptions) -> isa_status {
    let info = retainedContext(self)
    var function = kvo_function(callback: receiveChange, info: info, release: endDelivery)
    let status = kvo_observe(id, keyPath, options.rawValue, &function, nil, token)
    if status != ISA_OK { releaseContext(info) }
    return status
  }

  var isValid: Bool { kvo_token_is_valid(token.pointee) }

  func invalidate() { _ = kvo_token_invalidate(token.pointee) }

  func invalidateAndWait() { _ = kvo_token_invalidate_and_wait(token.pointee) }

  @inline(__always)
  fileprivate func deliver(_ record: kvo_change) { handler?(record, self) }

  /// Lets the closure go: the observation may be kept for long after its end.
  fileprivate func clear() { handler = nil }
}

private let receiveChange: kvo_callback = { record, info in
  box(info, as: ObserverBox.self).deliver(record!.pointee)
}

private let endDelivery: @convention(c) (Context?) -> Void = { info in
  box(info, as: ObserverBox.self).clear()
  releaseContext(info)
}
