/// The only owner of an observation: it ends with ``invalidate()`` or when this goes.
public final class Observation: Sendable {
  private let box: ObserverBox

  init(_ box: ObserverBox) { self.box = box }

  deinit { box.invalidate() }

  /// Whether the observation still stands: it was not ended, and the object lives.
  public var isValid: Bool { box.isValid }

  /// Ends the observation; any number of times, on any thread, inside its handler too.
  ///
  /// Once this has returned, the handler does not start on any thread; one that has started may
  /// still be running.
  public func invalidate() { box.invalidate() }

  /// The same, and waits until the handler is not running on another thread.
  ///
  /// Must not be called where that handler may be waiting for the caller.
  public func invalidateAndWait() { box.invalidateAndWait() }
}
