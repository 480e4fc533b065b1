internal import CIsa

/// A change that was announced by hand and has not ended yet.
public struct RuntimePendingChange: Hashable, Sendable {
  /// The key that was announced to change.
  public let key: String
  /// How it changes.
  public let kind: ChangeKind
  /// The thread that announced it: 1, 2, 3, … in the order in which threads came to the runtime.
  public let thread: Int

  init(_ info: kvo_pending_info) {
    key = String(cString: info.key)
    kind = ChangeKind(info.kind)
    thread = Int(clamping: info.thread)
  }
}
