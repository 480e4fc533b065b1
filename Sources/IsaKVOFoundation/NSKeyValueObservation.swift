internal import IsaRuntime

#if !canImport(ObjectiveC)
  internal import IsaKVO

  /// The only owner of an observation: it ends with ``invalidate()`` or when this goes.
  public final class NSKeyValueObservation: Sendable {
    private let observation: KeyValueObservation?

    /// - Parameter observation: Nil where nothing could be observed.
    init(_ observation: KeyValueObservation?) { self.observation = observation }

    /// Ends the observation; any number of times, on any thread, inside its handler too, and after
    /// the observed object's end.
    public func invalidate() { observation?.invalidate() }
  }

  extension NSKeyValueObservation: Hashable {
    /// Whether both are the same object.
    public static func == (first: NSKeyValueObservation, second: NSKeyValueObservation) -> Bool {
      first === second
    }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }
#endif
