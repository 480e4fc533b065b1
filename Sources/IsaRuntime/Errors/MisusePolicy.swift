/// What calls that have no way to throw do about a mistake: those under Apple's names, and
/// `KVObject.observeValue(forKeyPath:of:change:context:)` that nobody has overridden.
public enum MisusePolicy: Sendable {
  /// One line to the handler that ``Misuse/setHandler(_:)`` sets, and on it goes.
  case report
  /// The process stops with that line.
  case strict

  /// The process's policy; ``report`` at start.
  public static var current: MisusePolicy {
    get { policy.withLock { $0 } }
    set { policy.withLock { $0 = newValue } }
  }
}

private let policy = Locked(MisusePolicy.report)
