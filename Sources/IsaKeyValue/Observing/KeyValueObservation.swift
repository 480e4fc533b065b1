/// The only owner of an observation: it ends with ``invalidate()`` or when this goes.
public final class KeyValueObservation: Sendable {
  let handle: any RegistrationControl

  package init(_ handle: any RegistrationControl) { self.handle = handle }

  deinit { handle.invalidate() }

  /// Whether the observation still stands: it was not ended, and the object lives.
  public var isValid: Bool { handle.isValid }

  /// Ends the observation; any number of times, on any thread, inside its handler too.
  ///
  /// Once this has returned, the handler does not start on any thread; a call that has started may
  /// still be running.
  public func invalidate() { handle.invalidate() }

  /// The same, and waits until the handler is not running on another thread.
  ///
  /// Must not be called where that handler may be waiting for the caller.
  public func invalidateAndWait() {
    let identities = handle.identities
    handle.invalidateAndWait()
    DeliveriesUnderWay.wait(for: identities)
  }

  /// Runs `body`; a change in it, on this thread, is never told to this observation.
  ///
  ///     text.muting { model.text = field.text }    // what the user types is not put back
  ///
  /// Other threads' changes are told as ever. Scopes may be nested.
  public func muting<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try DeliveryScope.with(muted: handle.identities, body)
  }

  /// An observation of nothing, where what was to be observed is a mistake of the caller's.
  @usableFromInline
  package static func refused(
    _ error: KeyValueError, _ file: StaticString, _ line: UInt
  ) -> KeyValueObservation {
    Misuse.end(error, file, line)
    return KeyValueObservation(RegistrationGroup(isEnded: true))
  }
}

extension KeyValueObservation: CustomStringConvertible, CustomReflectable {
  /// Whether the observation still stands.
  public var description: String { "KeyValueObservation (\(isValid ? "valid" : "ended"))" }

  /// The same.
  public var customMirror: Mirror { Mirror(self, children: ["isValid": isValid]) }
}
