// The pushes of bindings that the calling thread is in, one within another.
//
// Owns:  nothing; each frame stands on its thread's stack.
// Lives: as long as the push.
// Locks: none; each thread reaches its own frames only.
internal import IsaRuntime

/// A push of a binding.
struct PushFrame {
  private let binding: ObjectIdentifier
  private let outer: UnsafeMutableRawPointer?
  private var hasMetAnother = false

  private static let innermost = ThreadKey(.binding)

  private init(_ binding: ObjectIdentifier, _ outer: UnsafeMutableRawPointer?) {
    self.binding = binding
    self.outer = outer
  }

  /// Whether the calling thread is in a push of the binding, which then knows that another was to
  /// begin.
  static func meets(_ binding: ObjectIdentifier) -> Bool {
    var place = ThreadKey.pointer(for: .binding)
    while let frame = place?.assumingMemoryBound(to: PushFrame.self) {
      if frame.pointee.binding == binding {
        frame.pointee.hasMetAnother = true
        return true
      }
      place = frame.pointee.outer
    }
    return false
  }

  /// Runs `body` as a push of the binding.
  static func with(_ binding: ObjectIdentifier, _ body: (Push) -> Void) {
    let outer = ThreadKey.pointer(for: .binding)
    var frame = PushFrame(binding, outer)
    withUnsafeMutablePointer(to: &frame) { frame in
      innermost.pointer = UnsafeMutableRawPointer(frame)
      body(Push(frame: frame))
      innermost.pointer = outer
    }
  }

  /// A push while it is under way.
  struct Push {
    fileprivate let frame: UnsafeMutablePointer<PushFrame>

    /// Whether another was to begin within it: an end has changed once more, or it is an echo.
    var hasMetAnother: Bool { frame.pointee.hasMetAnother }
  }
}
