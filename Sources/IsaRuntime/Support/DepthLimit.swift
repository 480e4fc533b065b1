internal import CIsa

/// How many notifications may be under way within one another on one thread, each sent in the course
/// of the one before.
///
/// An observer that sets what it observes would go on without end. The notification beyond the limit
/// is not sent, nor is any of a change that begins before the thread is out of them all, and the
/// misuse handler is told of the changes that lead to one another. The values are set nevertheless.
public enum DepthLimit {
  /// The process's limit: 500 unless set.
  public static var current: Int {
    get { Int(kvo_get_depth_limit()) }
    set { kvo_set_depth_limit(UInt32(clamping: newValue)) }
  }
}
