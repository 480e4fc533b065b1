// Closures as observers: the closure is the info of a function registration.
//
// Owns:  the closure, and a share of the registration's handle.
// Lives: until the registration has ended and no thread can be inside the closure; the C core then
//        gives back its +1, however long the Observation is kept.
internal import CIsa

/// A closure observer.
final class ObserverBox: Sendable {
  typealias Handler = @Sendable (kvo_change, RegistrationHandle) -> Void

  private let handler: Handler
  private let handle = RegistrationHandle()

  private init(_ handler: @escaping Handler) { self.handler = handler }

  /// Registers `handler`; the C core then holds its box.
  static func register(
    _ handler: @escaping Handler, on id: isa_id, _ keyPath: String, _ options: ObservationOptions
  ) -> (outcome: Outcome, handle: RegistrationHandle) {
    let box = ObserverBox(handler)
    let info = retainedContext(box)
    var function = kvo_function(callback: receiveChange, info: info, release: releaseContext)
    let outcome = answered {
      box.handle.open { kvo_observe(id, keyPath, options.rawValue, &function, nil, $0) }
    }
    if outcome.status != ISA_OK { releaseContext(info) }
    return (outcome, box.handle)
  }

  /// Adds `handler` to shared observers; the C core then holds its box, which has nothing to end.
  static func add(
    _ handler: @escaping Handler, to shared: kvo_shared_observers, _ key: String,
    _ options: ObservationOptions, _ context: ObservationContext
  ) -> Outcome {
    let info = retainedContext(ObserverBox(handler))
    var function = kvo_function(callback: receiveChange, info: info, release: releaseContext)
    let outcome = Outcome(
      kvo_shared_observers_add_function(
        shared, &function, key, options.rawValue, context.pointer))
    if outcome.status != ISA_OK { releaseContext(info) }
    return outcome
  }

  @inline(__always)
  fileprivate func deliver(_ record: kvo_change) { handler(record, handle) }
}

private let receiveChange: kvo_callback = { record, info in
  // The C core holds the box during the call, so that no count need be touched here.
  Unmanaged<ObserverBox>.fromOpaque(info!)._withUnsafeGuaranteedRef { $0.deliver(record!.pointee) }
}
