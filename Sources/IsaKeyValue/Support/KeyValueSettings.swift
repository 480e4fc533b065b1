internal import CIsa

/// Settings of the whole process. Any thread may read and set it.
public enum KeyValueSettings {
  /// The answer to a mistake in a call that has no way to throw; ``MisusePolicy/report`` at start.
  public static var misusePolicy: MisusePolicy {
    get { policy.withLock { $0 } }
    set { policy.withLock { $0 = newValue } }
  }

  /// Hears of misuses, on the thread of each; nil, as at start, has a line printed to standard error.
  ///
  /// Once it is set, the former handler is not running on another thread.
  public static var misuseHandler: (@Sendable (Misuse) -> Void)? {
    get { currentMisuseHandler() }
    set { setMisuseHandler(newValue) }
  }

  /// How the setters of keys are wrapped that are observed from now on.
  public static var wrapping: WrappingPolicy {
    get { WrappingPolicy(kvo_get_wrapping())! }
    set { kvo_set_wrapping(newValue.constant) }
  }

  /// How many notifications may be under way within one another on one thread, each sent in the
  /// course of the notification before; 500 unless set, and fewer on a thread whose stack would not
  /// hold them.
  ///
  /// An observer that sets what it observes would go on without end. The notification beyond the limit
  /// is not sent, nor is any of a change that begins before the thread is out of them all, and the
  /// misuse handler is told of the changes that lead to one another. The values are set nevertheless.
  public static var depthLimit: Int {
    get { Int(kvo_get_depth_limit()) }
    set { kvo_set_depth_limit(UInt32(clamping: newValue)) }
  }

  /// The version of the runtime.
  public static var version: String { String(cString: isa_version()) }

  /// Whether registrations made from now on note when they are made; off at start.
  public static func recordTimes(_ isOn: Bool) { kvo_record_times(isOn) }
}

private let policy = Locked(MisusePolicy.report)
